"""The package as it is installed: metadata, types, the program."""
import importlib.util
import re
import subprocess
import sys
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
        # Of the C library it needs nothing newer than that of 2021.
        minor = re.search(r"^Tag: py3-none-manylinux_2_(\d+)_\w+$", installed.read_text("WHEEL"), re.M)
        self.assertIsNotNone(minor, installed.read_text("WHEEL"))
        self.assertLessEqual(int(minor.group(1)), 34)

    @unittest.skipIf(installed is None, "libtephra is not installed")
    def test_the_program_is_carried(self):
        self.assertEqual(Path(program()).parent, PACKAGE / "bin")

    @unittest.skipIf(program() is None, "no tephra program here")
    def test_the_program_runs(self):
        done = subprocess.run([sys.executable, "-m", "tephra", "info"], stdout=subprocess.PIPE, text=True)
        self.assertEqual(done.returncode, 0)
        self.assertIn(tephra.version(), done.stdout)

    @unittest.skipIf(importlib.util.find_spec("torch") is None, "PyTorch is not installed")
    def test_a_first_call_that_is_compiled(self):
        """Nothing but compiled code has used the package yet, and PyTorch came after it."""
        program = ("import tephra, torch; a = 2 * torch.eye(3); "
                   "inverse = torch.compile(lambda a: tephra.inv(a), fullgraph=True, backend='aot_eager'); "
                   "assert torch.equal(inverse(a), torch.eye(3) / 2)")
        done = subprocess.run([sys.executable, "-c", program], stderr=subprocess.PIPE, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)

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
