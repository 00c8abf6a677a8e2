"""Tests cholesky(), cholesky_solve() and cholesky_inverse() against NumPy and PyTorch, and their derivatives."""
import unittest

import numpy as np

import tephra

try:
    import torch
except ImportError:
    torch = None

TYPES = ("float32", "float64", "complex64", "complex128")


def definite(shape, dtype, seed=0):
    rng = np.random.default_rng(seed)
    g = rng.standard_normal(shape)
    if dtype.startswith("complex"):
        g = g + 1j * rng.standard_normal(shape)
    return (g @ g.swapaxes(-1, -2).conj() + shape[-1] * np.eye(shape[-1])).astype(dtype)


class Arrays(unittest.TestCase):
    def test_results_are_numpys(self):
        for dtype in TYPES:
            for shape in [(1, 1), (3, 5, 5), (2, 3, 33, 33)]:
                a = definite(shape, dtype)
                close = dict(rtol=1e-3 if dtype in ("float32", "complex64") else 1e-10, atol=1e-4)
                lower, upper = tephra.cholesky(a), tephra.cholesky(a, upper=True)
                np.testing.assert_allclose(lower, np.linalg.cholesky(a), **close)
                np.testing.assert_allclose(upper, lower.swapaxes(-1, -2).conj(), **close)
                self.assertTrue((np.triu(lower, 1) == 0).all() and (np.tril(upper, -1) == 0).all())
                b = np.ones((*shape[:-1], 2), dtype)
                for factor, is_upper in [(lower, False), (upper, True)]:
                    np.testing.assert_allclose(tephra.cholesky_solve(b, factor, upper=is_upper), np.linalg.solve(a, b), **close)
                    np.testing.assert_allclose(tephra.cholesky_inverse(factor, upper=is_upper), np.linalg.inv(a), **close)

    def test_the_other_triangle_is_not_read(self):
        a = definite((4, 6, 6), "float64")
        lower, half = tephra.cholesky(a), np.where(np.tri(6, dtype=bool), a, np.nan)
        np.testing.assert_array_equal(tephra.cholesky(half), lower)
        spoiled = np.where(np.tri(6, dtype=bool), lower, np.nan)
        np.testing.assert_array_equal(tephra.cholesky_inverse(spoiled), tephra.cholesky_inverse(lower))

    def test_what_is_not_definite_raises_or_is_nan(self):
        a = definite((3, 5, 5), "float64")
        a[1, 2, 2] = -1
        with self.assertRaisesRegex(np.linalg.LinAlgError, r"matrix \[1\] of a is not positive definite: .* order 3"):
            tephra.cholesky(a)
        factor = tephra.cholesky(a, check_errors=False)
        self.assertTrue(np.isnan(factor[1]).all() and np.isfinite(factor[[0, 2]]).all())
        factor[0, 1, 1] = 0
        self.assertTrue(np.isnan(tephra.cholesky_inverse(factor[[0]])).all())

    def test_shapes(self):
        self.assertEqual(tephra.cholesky(np.zeros((2, 0, 0))).shape, (2, 0, 0))
        lower = tephra.cholesky(definite((5, 5), "float64"))
        self.assertEqual(tephra.cholesky_solve(np.ones((4, 5, 2)), lower).shape, (4, 5, 2))
        for call in [lambda: tephra.cholesky(np.ones((2, 3))), lambda: tephra.cholesky_solve(np.ones((4, 2)), lower)]:
            with self.assertRaises(ValueError):
                call()


@unittest.skipIf(torch is None, "PyTorch is not installed")
class Tensors(unittest.TestCase):
    def inputs(self, dtype):
        a = torch.from_numpy(definite((2, 4, 4), dtype))
        return a, torch.ones(2, 4, 3, dtype=a.dtype)

    def test_results_are_pytorchs(self):
        for dtype in TYPES:
            a, b = self.inputs(dtype)
            for upper in (False, True):
                factor = torch.linalg.cholesky(a, upper=upper)
                close = dict(rtol=1e-3, atol=1e-4)
                torch.testing.assert_close(tephra.cholesky(a, upper=upper), factor, **close)
                torch.testing.assert_close(tephra.cholesky_solve(b, factor, upper=upper), torch.cholesky_solve(b, factor, upper), **close)
                torch.testing.assert_close(tephra.cholesky_inverse(factor, upper=upper), torch.cholesky_inverse(factor, upper), **close)

    def test_gradients(self):
        for dtype in ("float64", "complex128"):
            a, b = self.inputs(dtype)
            for upper in (False, True):
                def hermitian(x):
                    return x + x.mH + 8 * torch.eye(4, dtype=x.dtype)

                def factor_of(x):
                    return tephra.cholesky(hermitian(x), upper=upper)

                x = (0.1 * a).requires_grad_()
                for function in [
                    factor_of,
                    lambda x: tephra.cholesky_solve(b, factor_of(x), upper=upper),
                    lambda x: tephra.cholesky_inverse(factor_of(x), upper=upper),
                ]:
                    self.assertTrue(torch.autograd.gradcheck(function, x, check_forward_ad=True))
                self.assertTrue(torch.autograd.gradgradcheck(factor_of, x))
                y = b.clone().requires_grad_()
                self.assertTrue(torch.autograd.gradcheck(lambda y: tephra.cholesky_solve(y, factor_of(a), upper=upper), y))

    def test_gradients_of_factors(self):
        for dtype in ("float64", "complex128"):
            a, b = self.inputs(dtype)
            for upper in (False, True):
                real, y = tephra.cholesky(a, upper=upper), b.clone().requires_grad_()
                # Factors of the same matrices with diagonals that are not real: L D or D U, with |D| = 1.
                turns = torch.exp(1j * torch.arange(real.shape[-1], dtype=torch.float64)) if a.is_complex() else None
                turned = real if turns is None else turns[:, None] * real if upper else real * turns
                torch.testing.assert_close(tephra.cholesky_solve(b, turned, upper=upper), tephra.solve(a, b))
                torch.testing.assert_close(tephra.cholesky_inverse(turned, upper=upper), tephra.inv(a))
                for members in (slice(None), slice(1)):
                    operands = [x[members].detach().requires_grad_() for x in (y, turned)]
                    for function, inputs in [
                        (lambda y, f: tephra.cholesky_solve(y, f, upper=upper), operands),
                        (lambda f: tephra.cholesky_inverse(f, upper=upper), operands[1:]),
                    ]:
                        self.assertTrue(torch.autograd.gradcheck(function, inputs, check_forward_ad=True))

    def test_compiled_calls(self):
        for dtype in TYPES:
            a, b = self.inputs(dtype)
            for upper in (False, True):
                def all_of_them(a, b):
                    factor = tephra.cholesky(a, upper=upper)
                    return factor, tephra.cholesky_solve(b, factor, upper=upper), tephra.cholesky_inverse(factor, upper=upper)

                compiled = torch.compile(all_of_them, fullgraph=True, backend="aot_eager")
                for result, wanted in zip(compiled(a, b), all_of_them(a, b)):
                    torch.testing.assert_close(result, wanted)

    def test_vmap_and_fake_tensors(self):
        a, b = self.inputs("float64")
        factor = tephra.cholesky(a)
        torch.testing.assert_close(torch.vmap(tephra.cholesky)(a), factor)
        torch.testing.assert_close(torch.vmap(tephra.cholesky_solve)(b, factor), tephra.cholesky_solve(b, factor))
        for name, arguments in [
            ("cholesky", (a, False, True)),
            ("cholesky_solve", (factor, b, False)),
            ("cholesky_inverse", (factor, False)),
        ]:
            torch.library.opcheck(getattr(torch.ops.tephra, name), arguments)


if __name__ == "__main__":
    unittest.main()
