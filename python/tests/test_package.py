"""Tests the installed package: metadata, types, the program."""
import importlib.util
import os
import re
import subprocess
import sys
import sysconfig
import tempfile
import unittest
from importlib import metadata
from pathlib import Path

import tephra
from tephra.__main__ import program

PACKAGE = Path(tephra.__file__).parent

try:
    installed = metadata.distribution("libtephra")
except metadata.PackageNotFoundError:  # in the source tree
    installed = None


class Package(unittest.TestCase):
    @unittest.skipIf(installed is None, "libtephra is not installed")
    def test_metadata(self):
        self.assertEqual(installed.version, tephra.__version__)
        self.assertEqual(installed.metadata["License-Expression"], "BSD-3-Clause")
        self.assertTrue(any(f.name == "LICENSE" for f in installed.files))
        # It needs no C library newer than 2021.
        minor = re.search(r"^Tag: py3-none-manylinux_2_(\d+)_\w+$", installed.read_text("WHEEL"), re.M)
        self.assertIsNotNone(minor, installed.read_text("WHEEL"))
        self.assertLessEqual(int(minor.group(1)), 34)

    @unittest.skipIf(installed is None, "libtephra is not installed")
    def test_the_program_is_carried(self):
        self.assertEqual(Path(program()).parent, PACKAGE / "bin")

    @unittest.skipIf(installed is None or importlib.util.find_spec("torch") is None or sys.version_info < (3, 10)
                     or not Path(sysconfig.get_path("include"), "Python.h").is_file(), "no wheel here, or none with that module")
    def test_the_compiled_module_is_carried_and_used(self):
        from tephra._torch import replay
        import torch
        self.assertTrue((PACKAGE / "_native.abi3.so").is_file())
        self.assertEqual(replay.native is not None, hasattr(torch.Tensor, "__dlpack_c_exchange_api__"))

    @unittest.skipIf(installed is None, "libtephra is not installed")
    def test_the_handlers_for_jax_are_carried(self):
        self.assertTrue((PACKAGE / "jax" / "tephra_jax.so").is_file())
        self.assertFalse(list(PACKAGE.rglob("*.c")))

    @unittest.skipIf(importlib.util.find_spec("jax") is None, "JAX is not installed")
    def test_jax_is_imported_with_its_functions_only(self):
        program = "import sys, tephra; assert 'jax' not in sys.modules; import tephra.jax; assert 'jax' in sys.modules"
        done = subprocess.run([sys.executable, "-c", program], stderr=subprocess.PIPE, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)

    @unittest.skipIf(importlib.util.find_spec("torch") is None, "PyTorch is not installed")
    def test_without_the_compiled_module(self):
        program = ("import sys, torch; sys.modules['tephra._native'] = None; import tephra; from tephra._torch import replay; "
                   "a = torch.eye(4).expand(3, 4, 4) * 2; assert replay.native is None; "
                   "assert all(torch.equal(tephra.inv(a), a / 4) and tephra.slogdet(a)[1].shape == (3,) for _ in range(3))")
        done = subprocess.run([sys.executable, "-c", program], stderr=subprocess.PIPE, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)

    @unittest.skipIf(program() is None, "no tephra program here")
    def test_the_program_runs(self):
        done = subprocess.run([sys.executable, "-m", "tephra", "info"], stdout=subprocess.PIPE, text=True)
        self.assertEqual(done.returncode, 0)
        self.assertIn(tephra.version(), done.stdout)

    def test_no_other_program_runs(self):
        """A file or a folder called tephra near the current folder is not the library's program."""
        with tempfile.TemporaryDirectory() as folder:
            inner = Path(folder) / "inner"
            (inner / "lib" / "tephra").mkdir(parents=True)
            for other in (Path(folder) / "tephra", inner / "tephra"):
                other.write_text("#!/bin/sh\n")
                other.chmod(0o755)
            right = inner / "bin" / "tephra"
            for named, found in (("", None), ("libtephra.so.0.2", None), (f"{inner}/lib/libtephra.so.0.2", right),
                                 ("./lib/../lib/libtephra.so.0.2", right)):
                if found is right:
                    right.parent.mkdir(exist_ok=True)
                    right.write_text("#!/bin/sh\n")
                    right.chmod(0o755)
                code = ("import os, sys; from tephra.__main__ import program; os.chdir(sys.argv[1]); "
                        "os.environ.update(TEPHRA_LIBRARY=sys.argv[2], PATH=''); print(program())")
                done = subprocess.run([sys.executable, "-c", code, str(inner), named], stdout=subprocess.PIPE, text=True)
                carried = PACKAGE / "bin" / "tephra"
                wanted = found.resolve() if found else carried if carried.is_file() and not named else None
                self.assertEqual(done.stdout, f"{wanted}\n", named)

    @unittest.skipIf(importlib.util.find_spec("torch") is None, "PyTorch is not installed")
    def test_a_first_call_that_is_compiled(self):
        """The package's first use is in compiled code, and PyTorch was imported after it."""
        program = ("import tephra, torch; a = 2 * torch.eye(3); "
                   "inverse = torch.compile(lambda a: tephra.inv(a), fullgraph=True, backend='aot_eager'); "
                   "assert torch.equal(inverse(a), torch.eye(3) / 2)")
        done = subprocess.run([sys.executable, "-c", program], stderr=subprocess.PIPE, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)

    @unittest.skipIf(importlib.util.find_spec("torch") is None, "PyTorch is not installed")
    def test_an_exported_program_in_another_process(self):
        """The program looks up the operators by name, before any tensor was passed to the package."""
        with tempfile.TemporaryDirectory() as folder:
            file = str(Path(folder) / "solve.pt2")
            begin = f"import sys, torch, tephra; a, b, file = 2 * torch.eye(3), torch.ones(3, 1), {file!r}; "
            for program in (
                "module = type('Module', (torch.nn.Module,), {'forward': lambda self, a, b: tephra.solve(a, b)})(); "
                "torch.export.save(torch.export.export(module, (a, b)), file)",
                "assert torch.equal(torch.export.load(file).module()(a, b), b / 2)",
            ):
                done = subprocess.run([sys.executable, "-c", begin + program], stderr=subprocess.PIPE, text=True)
                self.assertEqual(done.returncode, 0, done.stderr)

    def test_another_library_than_ours(self):
        for file, text in (("libm.so.6", "libm.so.6 has no tephra_last_error: it is not libtephra.so, or not of the version"),
                           ("/nowhere.so", r"libtephra.so was not found; set TEPHRA_LIBRARY to its path \(/nowhere.so")):
            done = subprocess.run([sys.executable, "-c", "import tephra"], stderr=subprocess.PIPE, text=True,
                                  env={**os.environ, "TEPHRA_LIBRARY": file})
            self.assertRegex(done.stderr, "ImportError: .*" + text)

    @unittest.skipIf(importlib.util.find_spec("mypy") is None, "mypy is not installed")
    def test_types(self):
        self.assertTrue((PACKAGE / "py.typed").is_file())
        sources = [PACKAGE, Path(__file__).with_name("typed_use.py")]
        settings = Path(__file__).parent.parent / "pyproject.toml"
        done = subprocess.run([sys.executable, "-m", "mypy", "--cache-dir=/dev/null", "--config-file", settings, *sources],
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        self.assertEqual(done.returncode, 0, done.stdout)


if __name__ == "__main__":
    unittest.main()
