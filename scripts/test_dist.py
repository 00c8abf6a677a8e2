#!/usr/bin/env python3
"""Installs and uses what `make dist` has put into a folder, each thing in an empty place of its own: scripts/test_dist.py build/dist

The binary archive and the Debian packages in empty roots, the wheel in a new environment, the source archive without a network and
with an empty cargo home.
"""
import hashlib
import os
import re
import subprocess
import sys
import tarfile
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
DIST = Path(sys.argv.pop(1)).resolve()
PROGRAM = re.search(r"^```c\n(.*?)^```", (ROOT / "README.md").read_text(), re.M | re.S)[1]
PRINTED = re.search(r"^```text\n(R = .*?)^```", (ROOT / "README.md").read_text(), re.M | re.S)[1]


def run(command, **options):
    env = os.environ | {"TEPHRA_BACKEND": "cpu"} | options.pop("env", {})
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=env, **options)
    if done.returncode != 0:
        raise AssertionError(f"{command}: status {done.returncode}\n{done.stdout}")
    return done.stdout


def the(pattern):
    (found,) = DIST.glob(pattern)
    return found


class Place(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.place = Path(folder.name)

    def unpack(self, pattern):
        archive = the(pattern)
        with tarfile.open(archive) as tar:
            tar.extractall(self.place, filter="data")
        return self.place / archive.name.removesuffix(".tar.gz").removesuffix("-source")

    def use(self, root, lib, **environment):
        """README's program, built against an installation below a root."""
        (self.place / "program.c").write_text(PROGRAM)
        flags = run(["pkg-config", "--cflags", "--libs", "tephra"], env={"PKG_CONFIG_PATH": str(lib / "pkgconfig"), **environment}).split()
        run(["cc", "-o", self.place / "program", self.place / "program.c", *flags])
        env = {"LD_LIBRARY_PATH": str(lib)}
        self.assertEqual(run([self.place / "program"], env=env), PRINTED)
        self.assertIn("PASS", run([root / "bin/tephra", "check", "--precisions", "s"], env=env))


class Archive(Place):
    def test_it_can_be_unpacked_anywhere_and_used(self):
        image = self.unpack("tephra-*-linux-*.tar.gz")
        self.use(image, image / "lib")

    def test_nothing_needs_a_newer_c_library_than_2_28(self):
        image = self.unpack("tephra-*-linux-*.tar.gz")
        for file in ("lib/libtephra.so", "lib/libtephra_preload.so", "bin/tephra"):
            needed = {tuple(map(int, v.split("."))) for v in re.findall(r"GLIBC_([0-9.]+)", run(["objdump", "-T", image / file]))}
            self.assertLessEqual(max(needed), (2, 28), file)


class Debian(Place):
    def test_packages_are_installed_used_and_removed(self):
        root = self.place / "root"
        (root / "var/lib/dpkg/info").mkdir(parents=True)
        (root / "var/lib/dpkg/updates").mkdir()
        (root / "var/lib/dpkg/status").touch()
        # Their only dependencies are libc6 and libgcc-s1, which an empty root has not.
        dpkg = [*([] if os.geteuid() == 0 else ["fakeroot"]), "dpkg", f"--root={root}", "--force-depends", "--force-not-root", "--force-unsafe-io",
                "--force-script-chrootless", f"--log={self.place}/log"]
        run([*dpkg, "-i", *DIST.glob("*.deb")])
        (lib,) = (root / "usr/lib").glob("*-linux-gnu")
        self.use(root / "usr", lib)
        names = re.findall(r"^ii  (\S+)", run([*dpkg, "-l"]), re.M)
        self.assertEqual(len(names), 3, names)
        run([*dpkg, "-r", *[name.split(":")[0] for name in names]])
        self.assertEqual([p for p in root.rglob("*tephra*") if "var/lib/dpkg" not in str(p)], [])


class Wheel(Place):
    def test_it_is_installed_and_used_in_a_new_environment(self):
        wheel = the("libtephra-*.whl")
        self.assertRegex(wheel.name, r"manylinux_2_(1\d|2[0-8])_")
        run([sys.executable, "-m", "venv", self.place / "env"])
        python = self.place / "env/bin/python"
        run([python, "-m", "pip", "--quiet", "install", "numpy"])
        run([python, "-m", "pip", "--quiet", "install", "--no-index", "--no-deps", wheel])
        code = "import numpy, tephra; q, r = tephra.qr(numpy.ones((3, 4, 2))); print(numpy.allclose(q @ r, 1))"
        self.assertEqual(run([python, "-c", code], cwd=self.place), "True\n")
        self.assertIn("licenses/THIRD-PARTY.txt", run([python, "-m", "zipfile", "-l", wheel]))

    def test_auditwheel_agrees_with_its_name(self):
        text = run([sys.executable, "-m", "auditwheel", "show", the("libtephra-*.whl")], env={"PYTHONPATH": str(ROOT / ".tools/dist")})
        self.assertRegex(" ".join(text.split()), r'following platform tag: "manylinux_2_(1\d|2[0-8])_')


class Source(Place):
    def test_it_builds_without_a_network(self):
        tree = self.unpack("tephra-*-source.tar.gz")
        # The tools that the machine has, and nothing that cargo has fetched before.
        env = {"CARGO_HOME": str(self.place / "cargo"), "CARGO_NET_OFFLINE": "true", "CARGO_TARGET_DIR": str(self.place / "target")}
        run(["make", "CUDA=0", "build"], cwd=tree, env=env)
        self.assertIn("backend    cpu", run([tree / "build/stage/bin/tephra", "info"]))


class Sums(unittest.TestCase):
    def test_they_are_of_every_file(self):
        lines = [line.split() for line in (DIST / "SHA256SUMS").read_text().splitlines()]
        self.assertEqual(sorted(name for _, name in lines), sorted(p.name for p in DIST.iterdir() if p.name != "SHA256SUMS"))
        for wanted, name in lines:
            self.assertEqual(hashlib.sha256((DIST / name).read_bytes()).hexdigest(), wanted, name)


if __name__ == "__main__":
    unittest.main(verbosity=2)
