#!/usr/bin/env python3
"""Tests clients of an installation: programs that look for MAGMA, the check of the names that a client uses, the Rust
packages.

Called by c_tests/Makefile after test_package.py, with the same environment and RECORDER (the stand-in for CUDA's driver,
tests/recorder).
"""
import os
import re
import shutil
import subprocess
import unittest
from pathlib import Path

from test_package import CC, OUT as SCRATCH, ROOT, make, run, tool

OUT = SCRATCH.parent / "clients"
PREFIX = OUT / "prefix"
MAGMA = PREFIX / "lib/tephra/magma"
PROGRAM = ROOT / "c_tests/consumer/magma/program.c"


def setUpModule():
    shutil.rmtree(OUT, ignore_errors=True)
    OUT.mkdir(parents=True)
    make("install", f"PREFIX={PREFIX}")
    make("install-magma-names", f"PREFIX={PREFIX}")


class InMagmasPlace(unittest.TestCase):
    @tool("pkg-config")
    def test_pkg_config_knows_magma(self):
        flags = run(["pkg-config", "--cflags", "--libs", "magma >= 2.0"], env={"PKG_CONFIG_PATH": str(MAGMA / "lib/pkgconfig")}).split()
        run([CC, "-Wall", "-Werror", "-o", OUT / "solver", PROGRAM, *flags, f"-Wl,-rpath,{MAGMA}/lib"])
        self.assertEqual(run([OUT / "solver"]), "solved\n")

    @tool("cmake")
    def test_cmake_finds_the_package_and_modules_find_the_files(self):
        cmake = run([ROOT / "scripts/setup.sh", "--path", "cmake"]).strip()
        ways = {"package": [f"-DMAGMA_DIR={MAGMA}"], "search_path": [f"-DCMAKE_PREFIX_PATH={MAGMA}"],
                "module": [f"-DMAGMA_DIR={MAGMA}", "-DFIND_BY_MODULE=ON"]}
        for way, settings in ways.items():
            build = OUT / f"cmake_{way}"
            run([cmake, "-S", PROGRAM.parent, "-B", build, *settings])
            run([cmake, "--build", build])
            self.assertEqual(run([build / "solver"]), "solved\n")
        for version, accepted in (("2.6", True), ("2.0...3.1", True), ("2.99", False), ("3.0", False), ("1.7", False)):
            request = [cmake, "-S", PROGRAM.parent, "-B", OUT / f"version_{version}", f"-DMAGMA_DIR={MAGMA}", f"-DMAGMA_NEEDED={version}"]
            self.assertEqual("not accepted" not in run(request, check=accepted), accepted, version)

    def test_build_systems_read_the_version_from_the_text(self):
        for name in ("magma_types.h", "magma_config.h"):
            text = (MAGMA / "include" / name).read_text()
            self.assertRegex(text, r"(?m)^#define MAGMA_VERSION_MAJOR 2\n#define MAGMA_VERSION_MINOR \d+\n#define MAGMA_VERSION_MICRO \d+$")
            self.assertRegex(text, r"(?m)^#define MAGMA_HAVE_CUDA$")

    def test_every_order_of_the_headers_compiles(self):
        names = sorted(p.name for p in (MAGMA / "include").iterdir())
        for first in names:
            source = OUT / "order.c"
            text = "".join(f"#include <{name}>\n" for name in [first, *names])
            source.write_text(text + "magma_int_t one(void) { return magma_dgeqrf_batched(1, 1, 0, 1, 0, 0, 1, 0); }\n")
            run([CC, "-Wall", "-Werror", f"-I{MAGMA}/include", "-c", "-o", OUT / "order.o", source])

    def test_they_go_again(self):
        prefix = OUT / "twice"
        text = make("install-magma-names", f"PREFIX={prefix}", check=False)
        self.assertIn("Tephra is not installed below", text)
        make("install", f"PREFIX={prefix}")
        before = sorted(prefix.rglob("*"))
        self.assertIn("a folder of their own", run([ROOT / "scripts/magma_names.sh", prefix, "."], check=False))
        self.assertEqual(sorted(prefix.rglob("*")), before)
        make("install-magma-names", f"PREFIX={prefix}")
        self.assertTrue((prefix / "lib/tephra/magma/lib/libmagma.so").exists())
        make("uninstall-magma-names", f"PREFIX={prefix}")
        self.assertEqual([p for p in sorted(prefix.rglob("*")) if p not in before and p.name != "tephra"], [])

    def test_everybody_may_read_them(self):
        run(["bash", "-c", 'umask 077 && "$0" "$1" for-all', ROOT / "scripts/magma_names.sh", PREFIX])
        for path in [PREFIX / "for-all", *(PREFIX / "for-all").rglob("*")]:
            mode = path.lstat().st_mode
            self.assertEqual(mode & 0o044, 0o044, path)
            self.assertTrue(path.is_file() or mode & 0o011 == 0o011, path)
        run([ROOT / "scripts/magma_names.sh", "--remove", PREFIX, "for-all"])
        self.assertFalse((PREFIX / "for-all").exists())

    def test_another_magma_stays(self):
        names = ["lib/libmagma.so", "lib/pkgconfig/magma.pc", "include/magma_v2.h", "include/magma_z.h"]
        for files in (names, names[1:2], names[3:]):
            folder = PREFIX / "another"
            shutil.rmtree(folder, ignore_errors=True)
            for file in files:
                (folder / file).parent.mkdir(parents=True, exist_ok=True)
                (folder / file).write_text("another MAGMA\n")
            self.assertIn("of another MAGMA", run([ROOT / "scripts/magma_names.sh", PREFIX, "another"], check=False))
            self.assertIn("no MAGMA by Tephra", run([ROOT / "scripts/magma_names.sh", "--remove", PREFIX, "another"], check=False))
            self.assertEqual(sorted(str(p.relative_to(folder)) for p in folder.rglob("*") if not p.is_dir()), sorted(files))
            self.assertTrue(all((folder / file).read_text() == "another MAGMA\n" for file in files))


class NamesOfAClient(unittest.TestCase):
    def check(self, file, status):
        done = subprocess.run([PREFIX / "bin/tephra", "check", "--client", file], capture_output=True, text=True)
        self.assertEqual(done.returncode, status, done.stdout + done.stderr)
        return done.stdout + done.stderr

    def test_an_object_an_archive_and_a_program(self):
        source = OUT / "client.c"
        calls = ["magma_dgeqrf_batched", "cublasDgeqrfBatched", "cublasCreate_v2", "cublasDaxpy_v2"]
        source.write_text("".join(f"int {name}();\n" for name in calls) + "int all(void) { return " + " + ".join(f"{c}()" for c in calls) + "; }\n")
        run([CC, "-c", "-o", OUT / "client.o", source])
        run(["ar", "rcs", OUT / "libclient.a", OUT / "client.o"])
        run(["ar", "rcsT", OUT / "libthin.a", OUT / "client.o"])
        for file in ("client.o", "libclient.a", "libthin.a"):
            text = self.check(OUT / file, 0)
            self.assertRegex(text, r"3 provided by Tephra\n +cublasCreate_v2\n +cublasDgeqrfBatched\n +magma_dgeqrf_batched\n")
            self.assertRegex(text, r"1 named as in NVIDIA's libraries, .*\n +cublasDaxpy_v2\n +0 named as in MAGMA")

        (OUT / "more.c").write_text("int magma_dsyevdx_2stage(); int more(void) { return magma_dsyevdx_2stage(); }\n")
        run([CC, "-shared", "-fPIC", "-o", OUT / "more.so", OUT / "more.c"])
        self.assertRegex(self.check(OUT / "more.so", 1), r"1 named as in MAGMA, but not provided by Tephra\n +magma_dsyevdx_2stage")
        self.assertIn("no-file", self.check(OUT / "no-file", 2))

    def test_names_of_another_version_are_missing(self):
        (OUT / "next.c").write_text("int tephra_dgeqrf_of_next_year(); int next(void) { return tephra_dgeqrf_of_next_year(); }\n")
        run([CC, "-c", "-o", OUT / "next.o", OUT / "next.c"])
        self.assertRegex(self.check(OUT / "next.o", 1), r"1 named as in Tephra, but not provided by this version\n +tephra_dgeqrf_of_next_year")

    def test_weak_names_may_stay_undefined(self):
        (OUT / "weak.c").write_text("int magma_dsyevd() __attribute__((weak)); int weak(void) { return magma_dsyevd ? magma_dsyevd() : 0; }\n")
        run([CC, "-c", "-o", OUT / "weak.o", OUT / "weak.c"])
        self.assertRegex(self.check(OUT / "weak.o", 0), r" 0 named as in MAGMA")

    def test_intermediate_code_is_refused(self):
        (OUT / "lto.c").write_text("int magma_dsyevd(); int lto(void) { return magma_dsyevd(); }\n")
        for slim in (True, False):
            flag = "-fno-fat-lto-objects" if slim else "-ffat-lto-objects"
            run([CC, "-O1", "-flto", flag, "-c", "-o", OUT / "lto.o", OUT / "lto.c"])
            run(["ar", "rcs", OUT / "liblto.a", OUT / "lto.o"])
            for file in ("lto.o", "liblto.a"):
                self.assertIn("link-time" if slim else "magma_dsyevd", self.check(OUT / file, 2 if slim else 1))


class RustPackages(unittest.TestCase):
    @tool("pkg-config")
    def test_tests_and_example_pass_with_the_shared_and_the_static_library(self):
        for features in ([], ["--features", "static"]):
            command = ["cargo", "test", "--quiet", "--locked", "--manifest-path", ROOT / "rust/Cargo.toml", "-p", "libtephra", *features]
            environment = {"PKG_CONFIG_PATH": str(PREFIX / "lib/pkgconfig"), "CARGO_TARGET_DIR": str(OUT / "cargo"),
                           "LD_LIBRARY_PATH": str(PREFIX / "lib"), "TEPHRA_BACKEND": "cpu"}
            text = run(command, env=environment)
            self.assertGreaterEqual(sum(map(int, re.findall(r"(\d+) passed", text))), 5, text)
            text = run([*command[:1], "run", *command[2:], "--example", "least_squares"], env=environment)
            self.assertIn("set 500: y = 5.00", text)

    @tool("pkg-config")
    def test_calls_on_a_device_have_their_workspace(self):
        recorder = Path(os.environ["RECORDER"])
        if not recorder.exists() or "cuda" not in run([PREFIX / "bin/tephra", "info"]).split("backends: ")[1].split()[0]:
            self.skipTest("no CUDA backend, or no stand-in for its driver")
        (OUT / "driver").mkdir()
        (OUT / "driver/libcuda.so.1").symlink_to(recorder)
        command = ["cargo", "test", "--quiet", "--locked", "--manifest-path", ROOT / "rust/Cargo.toml", "-p", "libtephra", "--test", "workspace"]
        environment = {"PKG_CONFIG_PATH": str(PREFIX / "lib/pkgconfig"), "CARGO_TARGET_DIR": str(OUT / "cargo"),
                       "LD_LIBRARY_PATH": f"{PREFIX / 'lib'}:{OUT / 'driver'}", "TEPHRA_BACKEND": "cuda",
                       "RECORDER_KERNELS": str(recorder.with_name("kernels.txt"))}
        self.assertIn("1 passed", run(command, env=environment))

    def test_packages_contain_the_licence(self):
        for package in ("libtephra-sys", "libtephra"):
            manifest = ["--manifest-path", ROOT / "rust/Cargo.toml", "-p", package]
            files = run(["cargo", "package", "--quiet", "--list", "--allow-dirty", *manifest]).split()
            self.assertIn("LICENSE", files)
            self.assertIn("Redistribution", (ROOT / "rust" / package / "LICENSE").read_text())


if __name__ == "__main__":
    os.environ.setdefault("TEPHRA_BACKEND", "cpu")
    unittest.main(verbosity=1)
