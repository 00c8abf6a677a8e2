#!/usr/bin/env python3
"""Tests libtephra_preload.so in various processes: which library it forwards calls to, which names are visible, and
what happens if there is no suitable library.

Called by c_tests/Makefile with STAGE (an install image) and OUT (where the programs are) in the environment.
"""
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
STAGE = Path(os.environ["STAGE"])
OUT = Path(os.environ["OUT"])
CC = os.environ.get("CC", "cc")
LIBRARY = (STAGE / "lib/libtephra.so").resolve()
SONAME = subprocess.run([ROOT / "scripts/soname.sh"], check=True, stdout=subprocess.PIPE, text=True).stdout.strip()
NAME = "libtephra_preload.so"
CLIENTS = ([OUT / "preload_client"], [OUT / "plugin_host", OUT / "preload_plugin.so"])


def compiled(out, *arguments):
    subprocess.run([CC, "-std=gnu11", "-Wall", "-Wextra", "-Werror", "-o", out, *arguments], check=True)
    return out


class Case(unittest.TestCase):
    def setUp(self):
        self.folder = Path(self.enterContext(tempfile.TemporaryDirectory(dir=OUT)))
        self.preload = Path(shutil.copy(STAGE / "lib" / NAME, self.folder))

    def run_under(self, preload, command, backend, **variables):
        """Asserts that a program succeeds under a preloaded object, and returns its standard error."""
        env = os.environ | {"LD_PRELOAD": str(preload), "TEPHRA_BACKEND": backend, "CUDA_VISIBLE_DEVICES": ""} | variables
        done = subprocess.run(command, env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=300)
        self.assertEqual(done.returncode, 0, f"{command}: {done.stdout}{done.stderr}")
        return done.stderr

    def assert_served(self, preload, **variables):
        for client in CLIENTS:
            self.assertEqual(self.run_under(preload, [*client, "tephra"], "cpu", **variables), "")
            self.assertEqual(self.run_under(preload, [*client, "vendor"], "cuda", **variables), "")

    def assert_as_without(self, pattern):
        """Asserts that the program runs on the vendor's library, and that the reason is printed once."""
        for client in CLIENTS:
            text = self.run_under(self.preload, [*client, "vendor"], "cpu")
            self.assertRegex(text, rf"\Atephra: calls go on to the vendor's cuBLAS: {pattern}\n\Z")
        self.assertEqual(self.run_under(self.preload, ["true"], "cpu"), "", "a program without calls is told nothing")


class Names(Case):
    program = [OUT / "preload_names", OUT / "neighbour.so"]

    def test_what_is_behind_the_preload_object_is_hidden(self):
        self.run_under(STAGE / "lib" / NAME, self.program, "cpu")

    def test_the_library_itself_would_be_seen(self):
        with self.assertRaisesRegex(AssertionError, "magma_init is in the global scope\n(.*\n)*.*does not reach its own"):
            self.run_under(LIBRARY, self.program, "cpu")


class Library(Case):
    def test_it_is_found_by_its_own_name(self):
        shutil.copy(LIBRARY, self.folder / SONAME)
        self.assert_served(self.preload)

    def test_it_is_found_by_its_name_for_linking(self):
        shutil.copy(LIBRARY, self.folder / "libtephra.so")
        self.assert_served(self.preload)

    def test_it_is_found_where_links_lead_to(self):
        link = self.folder / "link.so"
        link.symlink_to(STAGE / "lib" / NAME)
        self.assert_served(link)

    def test_it_is_found_from_a_relative_path(self):
        os.chdir(STAGE)
        self.addCleanup(os.chdir, ROOT)
        self.assert_served(f"lib/{NAME}")
        self.assert_served(NAME, LD_LIBRARY_PATH=str(STAGE / "lib"))

    def test_a_program_that_is_linked_with_one_keeps_to_it(self):
        # The library next to the preload object is another copy, which does not know the program's handles.
        shutil.copy(LIBRARY, self.folder / SONAME)
        self.run_under(self.preload, [OUT / "cublas_client_tephra_header"], "cpu")

    def test_two_objects_do_not_call_each_other_for_ever(self):
        # A handle that belongs to neither object, which each might attribute to the other.
        code = """if True:
            import ctypes, sys
            matrix, info = (ctypes.c_void_p * 1)(64), ctypes.c_int()
            handle = ctypes.c_void_p(4096)
            function = ctypes.CDLL(None).cublasDgeqrfBatched
            sys.exit(function(handle, 3, 2, matrix, 3, matrix, ctypes.byref(info), 1) == 0)"""
        preload, copy = STAGE / "lib" / NAME, shutil.copy(LIBRARY, self.folder)
        for pair in (f"{LIBRARY} {preload}", f"{preload} {LIBRARY}", f"{LIBRARY} {copy}"):
            self.run_under(pair, [sys.executable, "-c", code], "auto")


class Products(Case):
    """Products go to the vendor unless they are requested."""

    def test_they_are_served_where_asked_for(self):
        shutil.copy(LIBRARY, self.folder / SONAME)
        for wanted in ("gemm", "gemv, gemm"):
            self.assert_served(self.preload, TEPHRA_PRELOAD=wanted)
        self.assert_served(self.preload, TEPHRA_PRELOAD="gemv")

    def test_what_is_no_family_is_said(self):
        shutil.copy(LIBRARY, self.folder / SONAME)
        text = self.run_under(self.preload, [OUT / "preload_client", "tephra"], "cpu", TEPHRA_PRELOAD="trsv")
        self.assertRegex(text, "TEPHRA_PRELOAD=trsv is invalid")


class Missing(Case):
    def test_none(self):
        self.assert_as_without(f"there is no {re.escape(SONAME)} beside {re.escape(str(self.preload))}")

    def test_another_version(self):
        (self.folder / "other.c").write_text('const char *tephra_version(void);\nconst char *tephra_version(void) { return "0.0.9"; }\n')
        other = compiled(self.folder / SONAME, "-shared", "-fPIC", self.folder / "other.c")
        self.assert_as_without(rf"{re.escape(str(other))} is version 0\.0\.9, {re.escape(str(self.preload))} is \d+\.\d+\.\d+")

    def test_no_library_at_all(self):
        (self.folder / "libtephra.so").write_text("not an object\n")
        self.assert_as_without(rf"{re.escape(str(self.folder))}/libtephra\.so: .*")

    def test_without_a_vendor_there_is_nothing_to_call(self):
        code = "import ctypes, sys; sys.exit(ctypes.CDLL(None).cublasDgeqrfBatched(None, 0, 0, None, 1, None, None, 0) != 1)"
        self.assertIn("calls go on", self.run_under(self.preload, [sys.executable, "-c", code], "cpu"))


class Vendor(Case):
    """A program that is linked with a vendor's library of an unknown version, and so an unknown name."""

    def setUp(self):
        super().setUp()
        self.vendor = compiled(self.folder / "libcublas.so.99", "-shared", "-fPIC", f"-I{HERE}", f"-I{STAGE}/include", HERE / "standin.c",
                               f"-Wl,-soname,libcublas.so.99,--version-script={HERE}/standin.map,-Bsymbolic")
        self.client = compiled(self.folder / "client", f"-I{HERE}", f"-I{HERE.parent}/common", f"-I{STAGE}/include", HERE / "client.c",
                               OUT / "qr_case.o", OUT / "dense.o", self.vendor, f"-Wl,-rpath,{self.folder}", "-lm")

    def test_it_is_found(self):
        self.run_under(STAGE / "lib" / NAME, [self.client, "vendor"], "cuda")
        self.run_under(STAGE / "lib" / NAME, [self.client, "tephra"], "cpu")

    def test_it_is_found_without_the_library(self):
        self.assertIn("calls go on", self.run_under(self.preload, [self.client, "vendor"], "cpu"))


if __name__ == "__main__":
    unittest.main(verbosity=1)
