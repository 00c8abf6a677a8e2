"""Runs every block of Python code in README and docs/, on NumPy arrays, and on PyTorch tensors and in JAX if
installed."""
import importlib.util
import re
import unittest
from pathlib import Path

import numpy

import tephra

ROOT = Path(__file__).resolve().parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
TORCH = importlib.util.find_spec("torch") is not None
JAX = importlib.util.find_spec("jax") is not None


def blocks():
    for page in PAGES:
        for block in re.findall(r"^```python\n(.*?)^```", page.read_text(), re.M | re.S):
            yield page, block


def surroundings(arrays):
    """The variables that the pages use: five well-conditioned matrices of 6 x 6, and right-hand sides."""
    random = numpy.random.default_rng(1)
    a, b = random.standard_normal((5, 6, 6)) + 8 * numpy.eye(6), random.standard_normal((5, 6, 2))
    names = {"numpy": numpy, "tephra": tephra}
    if TORCH:
        import torch

        names["torch"] = torch
        if arrays == "torch":
            a, b = torch.from_numpy(a), torch.from_numpy(b)
    return names | {"a": a, "b": b, "batch": a, "matrices": a, "sides": b}


@unittest.skipIf(not (ROOT / "README.md").is_file(), "not in the source tree")
class Snippets(unittest.TestCase):
    def run_all(self, arrays, needs=""):
        """Runs the blocks that need a given library, or none, and checks the results that they leave in q, r, x, l."""
        ran = 0
        for page, block in blocks():
            if next((library for library in ("torch", "jax") if library + "." in block), "") != needs:
                continue
            with self.subTest(page=page.name, code=block):
                names = surroundings(arrays)
                a, b = names["a"], names["b"]
                exec(block, names)
                found = {name: names[name] for name in ("q", "r", "x", "l") if name in names}
                self.assertTrue(found, "the block leaves nothing to look at")
                looped = "for " in block
                if "q" in found and not looped:
                    self.close(names["q"] @ names["r"], a)
                if "x" in found:
                    x = numpy.stack([numpy.asarray(v) for v in names["x"]]) if looped else names["x"]
                    self.close(numpy.asarray(a) @ numpy.asarray(x), b)
                if "l" in found:
                    self.close(names["l"] @ names["l"].mT, a.mT @ a)
                if "qs" in names:
                    self.close(numpy.stack([numpy.asarray(q @ r) for q, r in zip(names["qs"], names["rs"])]), names["batch"])
                ran += 1
        return ran

    def close(self, a, b):
        numpy.testing.assert_allclose(numpy.asarray(a), numpy.asarray(b), rtol=1e-9, atol=1e-9)

    def test_on_numpy(self):
        self.assertGreater(self.run_all("numpy"), 3)

    @unittest.skipIf(not TORCH, "PyTorch is not installed")
    def test_on_torch(self):
        self.assertGreater(self.run_all("torch") + self.run_all("torch", "torch"), 4)

    @unittest.skipIf(not JAX, "JAX is not installed")
    def test_on_jax(self):
        import jax

        with jax.enable_x64(True):
            self.assertGreater(self.run_all("numpy", "jax"), 0)


if __name__ == "__main__":
    unittest.main()
