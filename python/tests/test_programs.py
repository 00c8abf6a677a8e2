"""Tests demo/programs on the CPU backend: all programs run with PyTorch's functions and the package's, with the same
results."""
import importlib.util
import os
import subprocess
import sys
import unittest
from pathlib import Path

import tephra

RUN = Path(__file__).resolve().parents[2] / "demo/programs/run.py"


@unittest.skipIf(importlib.util.find_spec("torch") is None, "PyTorch is not installed")
@unittest.skipIf(not RUN.is_file(), "not in the source tree")
class Programs(unittest.TestCase):
    def test_they_agree(self):
        carried = Path(tephra.__file__).parent / "lib"
        library = Path(os.environ["TEPHRA_LIBRARY"]).parent if "TEPHRA_LIBRARY" in os.environ else carried
        done = subprocess.run([sys.executable, RUN, "--lib", library, "--device", "cpu", "--seconds", "0"],
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                              env=os.environ | {"OMP_NUM_THREADS": "1", "TEPHRA_NUM_THREADS": "1"})
        self.assertEqual(done.returncode, 0, done.stdout)
        lines = [line for line in done.stdout.splitlines() if line.endswith(" ms")]
        self.assertEqual(len(lines), 8, done.stdout)


if __name__ == "__main__":
    unittest.main()
