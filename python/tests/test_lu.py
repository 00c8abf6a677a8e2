"""Tests LU, linear systems, inverses and determinants: values, singular matrices, and derivatives specific to LU.

Properties of all operations (views, shapes, compilers, differences) are tested in test_arrays.py and test_torch.py.
"""
import itertools
import unittest

import numpy as np

import test_tephra as arrays
import tephra

torch, wide = arrays.torch, arrays.wide


def regular(kind, *shape, seed=1):
    """Well-conditioned matrices that need pivoting: a permutation plus a small perturbation."""
    n = shape[-1]
    return (arrays.random(kind, *shape, seed=seed) / (n + 1) + 2 * np.eye(n)[::-1]).astype(kind)


def interchanged(x, pivots):
    """P^T x for one matrix."""
    x = x.copy()
    for j, i in enumerate(pivots):
        x[[j, i - 1]] = x[[i - 1, j]]
    return x


def error_of(place):
    return np.linalg.LinAlgError if place is arrays.Numpy else torch.linalg.LinAlgError


def checked(place):
    """Whether singular matrices raise an error by default."""
    return place.name != "cuda"


class Values(arrays.Case):
    def test_lu_factor(self):
        for place, kind in self.each():
            for m, n in arrays.SHAPES:
                a = arrays.random(kind, 2, 3, m, n)
                factors, pivots = (place.back(x) for x in tephra.lu_factor(place.array(a)))
                k = min(m, n)
                self.assertEqual((factors.shape, pivots.shape, pivots.dtype), ((2, 3, m, n), (2, 3, k), np.int32))
                lower = np.tril(wide(factors), -1)[..., :k] + np.eye(m, k)
                rows = np.stack([interchanged(x, p) for x, p in zip(wide(a).reshape(6, m, n), pivots.reshape(6, k))])
                self.near(lower @ np.triu(wide(factors))[..., :k, :], rows.reshape(a.shape), kind)
                self.assertLessEqual(np.abs(lower).max(), 1.5)  # complex pivots maximise |re| + |im|

    def test_lu_solve(self):
        for place, kind in self.each():
            for n, nrhs in ((1, 1), (5, 2), (40, 7)):
                a = regular(kind, 3, n, n)
                factors, pivots = tephra.lu_factor(place.array(a))
                for left, adjoint in itertools.product((True, False), repeat=2):
                    op = arrays.adjoint(wide(a)) if adjoint else wide(a)
                    b = arrays.random(kind, 3, *((n, nrhs) if left else (nrhs, n)), seed=2)
                    x = wide(place.back(tephra.lu_solve(factors, pivots, place.array(b), left=left, adjoint=adjoint)))
                    self.near(op @ x if left else x @ op, wide(b), kind)

    def test_pivots_outside_of_the_matrix_are_refused(self):
        """SciPy's pivots, which count from 0, are rejected."""
        for place, kind in self.each():
            if place.name != "cuda":
                a = place.array(np.eye(3, dtype=kind))
                for wrong in ([0, 1, 2], [1, 2, 4], [-1, 2, 3]):
                    with self.assertRaisesRegex(ValueError, r"pivots has elements outside 1 \.\.\. 3"):
                        tephra.lu_solve(a, place.array(np.array(wrong, "int32")), a)

    def test_solve_and_inv(self):
        for place, kind in self.each():
            for n, nrhs in ((1, 1), (5, 2), (40, 7)):
                a, b = regular(kind, 2, 3, n, n), arrays.random(kind, 2, 3, n, nrhs, seed=2)
                for x in (a, np.ascontiguousarray(a.swapaxes(2, 3)).swapaxes(2, 3)):
                    self.near(place.back(tephra.solve(place.array(x), place.array(b))), np.linalg.solve(wide(a), wide(b)), kind)
                    self.near(place.back(tephra.inv(place.array(x))), np.linalg.inv(wide(a)), kind)

    def test_right_hand_sides(self):
        """Vectors and batches follow the rules of torch.linalg.solve() and numpy.linalg.solve()."""
        for place, kind in self.each():
            a, inverse = regular(kind, 4, 3, 3), np.linalg.inv(wide(regular(kind, 4, 3, 3)))
            for shape in ((3,), (4, 3), (3, 2), (4, 3, 2), (5, 1, 3, 2), (3, 0)):
                b = arrays.random(kind, *shape, seed=2)
                if shape == (4, 3) and place is arrays.Numpy:
                    with self.assertRaisesRegex(ValueError, "b has 4 rows, but must have 3"):
                        tephra.solve(a, b)
                    continue
                vector = shape in ((3,), (4, 3))
                wanted = inverse @ (wide(b)[..., None] if vector else wide(b))
                self.near(place.back(tephra.solve(place.array(a), place.array(b))), wanted[..., 0] if vector else wanted, kind)
            self.near(place.back(tephra.solve(place.array(a[0]), place.array(arrays.random(kind, 3, 2)))),
                      inverse[0] @ wide(arrays.random(kind, 3, 2)), kind)

    def test_determinants(self):
        for place, kind in self.each():
            for shape in ((1, 1), (3, 3), (2, 4, 4), (2, 3, 40, 40)):
                a = regular(kind, *shape)
                sign, log = tephra.slogdet(place.array(a))
                wanted_sign, wanted_log = np.linalg.slogdet(wide(a))
                bound = 100 * shape[-1] * np.finfo(kind).eps
                np.testing.assert_allclose(wide(place.back(sign)), wanted_sign, atol=bound)
                np.testing.assert_allclose(wide(place.back(log)), wanted_log, rtol=bound)
                self.assertFalse(np.iscomplexobj(place.back(log)))
                det = wide(place.back(tephra.det(place.array(a))))
                np.testing.assert_allclose(det, wanted_sign * np.exp(wanted_log), bound)

    def test_determinants_whose_partial_products_leave_the_range(self):
        for place, kind in self.each():
            if place is not arrays.Numpy and kind in ("float64", "complex128"):
                continue  # other libraries have no wider type
            huge = float(np.finfo(kind).max) ** 0.75
            for factor in (huge, 1 / huge):
                diagonal = np.full((2, 12), factor, kind)
                diagonal[:, 6:] = -1 / factor
                diagonal[1] = 2
                a = place.array(diagonal[..., None] * np.eye(12, dtype=kind))
                for _ in range(2):  # PyTorch's second call takes the plan
                    np.testing.assert_allclose(place.back(tephra.det(a)), [1, 4096], rtol=100 * np.finfo(kind).eps)

    def test_numbers_near_the_ends_of_the_range(self):
        """Subnormal numbers, whose quotients overflow, complex numbers whose absolute value does, and infinities with
        signs."""
        for place, kind in self.each():
            limits = np.finfo(kind)
            for size in (limits.tiny / 64, 0.9 * limits.max):
                for unit in (1, -1) if kind.startswith("float") else (1, 1j, 1 + 1j, -1 + 0.5j):
                    a = np.eye(3, dtype=kind)
                    a[1, 1] = complex(size * np.real(unit), size * np.imag(unit)) if np.iscomplexobj(a) else size * unit
                    sign, log = (complex(x) for x in tephra.slogdet(place.array(a)))
                    self.assertAlmostEqual(sign, unit / abs(unit), 5)
                    self.assertAlmostEqual(log.real, np.log(float(size)) + np.log(abs(unit)), 2)
            if kind.startswith("float"):
                sign, log = tephra.slogdet(place.array(np.diag([1, -np.inf, 1]).astype(kind)))
                self.assertEqual((float(sign), float(log)), (-1, np.inf))
                continue
            for size in (np.inf, complex(0, -np.inf), complex(np.inf, np.nan), complex(np.nan, np.inf)):
                with np.errstate(invalid="ignore"):
                    sign, log = tephra.slogdet(place.array(np.full((1, 1), size, kind)))
                self.assertTrue(np.isnan(complex(sign)))
                self.assertEqual(float(log), np.inf)

    def test_the_logarithm_does_not_overflow(self):
        for place, kind in self.each():
            a = (1e20 * np.eye(8)[::-1]).astype(kind)
            sign, log = tephra.slogdet(place.array(a))
            self.assertEqual(complex(sign), 1)
            self.assertAlmostEqual(float(log), 160 * np.log(10), delta=1e-3)


class Empty(arrays.Case):
    def test_nothing_to_do(self):
        for place, kind in self.each():
            for outer in ((), (2,), (0,)):
                a = place.array(np.ones((*outer, 0, 0), kind))
                self.assertEqual(place.back(tephra.inv(a)).shape, (*outer, 0, 0))
                self.assertEqual(place.back(tephra.solve(a, place.array(np.ones((*outer, 0, 2), kind)))).shape, (*outer, 0, 2))
                np.testing.assert_array_equal(place.back(tephra.det(a)), np.ones(outer))
                sign, log = tephra.slogdet(a)
                np.testing.assert_array_equal(place.back(sign), np.ones(outer))
                np.testing.assert_array_equal(place.back(log), np.zeros(outer))
            self.assertEqual(place.back(tephra.lu_factor(place.array(np.ones((2, 3, 0), kind))).pivots).shape, (2, 0))
            self.assertEqual(place.back(tephra.det(place.array(np.ones((0, 3, 3), kind)))).shape, (0,))


class Singular(arrays.Case):
    def given(self, kind):
        a = regular(kind, 2, 3, 4, 4)
        a[1, 0, :, 2] = 0
        return a, arrays.random(kind, 2, 3, 4, 2, seed=2)

    def test_it_is_an_error_where_that_is_decided_without_waiting(self):
        for place, kind in self.each():
            a, b = map(place.array, self.given(kind))
            for call in (lambda **options: tephra.solve(a, b, **options), lambda **options: tephra.inv(a, **options),
                         lambda **options: tephra.solve(a, b[0, 0], **options)):
                with self.assertRaisesRegex(error_of(place), r"^matrix \[1, 0\] of a is singular: element 3"):
                    call(check_errors=True)
                if checked(place):
                    with self.assertRaises(error_of(place)):
                        call()
            with self.assertRaisesRegex(error_of(place), "^a is singular"):
                tephra.inv(a[1, 0], check_errors=True)

    def test_unchecked_it_is_nan_and_the_others_are_untouched(self):
        for place, kind in self.each():
            a, b = self.given(kind)
            clean = a.copy()
            clean[1, 0] = np.eye(4)
            for call in (lambda a, b, **options: tephra.solve(a, b, **options),
                         lambda a, b, **options: tephra.inv(a, **options),
                         lambda a, b, **options: tephra.solve(a, b[0, 0], **options)):
                got = place.back(call(place.array(a), place.array(b), check_errors=False))
                wanted = place.back(call(place.array(clean), place.array(b))).copy()
                wanted[1, 0] = np.nan
                np.testing.assert_array_equal(np.isnan(got), np.isnan(wanted))
                np.testing.assert_array_equal(got[~np.isnan(got)], wanted[~np.isnan(wanted)])
            self.assertTrue(np.isnan(place.back(tephra.inv(place.array(a[1, 0]), check_errors=False))).all())

    def test_determinants_are_zero(self):
        for place, kind in self.each():
            a = place.array(self.given(kind)[0])
            sign, log = (place.back(x) for x in tephra.slogdet(a))
            zero = np.zeros((2, 3), bool)
            zero[1, 0] = True
            np.testing.assert_array_equal(place.back(tephra.det(a)) == 0, zero)
            np.testing.assert_array_equal(sign == 0, zero)
            np.testing.assert_array_equal(log == -np.inf, zero)

    def test_factors_tell(self):
        for place, kind in self.each():
            factors = place.back(tephra.lu_factor(place.array(self.given(kind)[0])).LU)
            self.assertEqual(np.argwhere(np.diagonal(factors, 0, -2, -1) == 0).tolist(), [[1, 0, 2]])


@unittest.skipIf(torch is None, "PyTorch is not installed")
class Derivatives(unittest.TestCase):
    def setUp(self):
        self.device = "cuda" if torch.cuda.is_available() else "cpu"

    def matrices(self, dtype, *shape, seed=1):
        return torch.randn(*shape, generator=torch.Generator().manual_seed(seed), dtype=dtype).to(self.device)

    def test_like_torch(self):
        # Rows are exchanged, but each pivot has only one candidate, because PyTorch's libraries measure complex pivots
        # differently.
        large = 8 * torch.eye(6, dtype=torch.float64, device=self.device)[[2, 0, 3, 1, 4, 5]]
        for dtype in (torch.float64, torch.complex128):
            a, b, right = (self.matrices(dtype, 3, *shape, seed=i) for i, shape in enumerate([(4, 4), (4, 2), (2, 4)], 1))
            a = a + large[:4, :4]
            long = self.matrices(dtype, 3, 4, 6) + large[:4]
            functions = {
                "solve": (lambda of, x: of.solve(x, b), a),
                "solve vector": (lambda of, x: of.solve(x, b[..., 0].contiguous()), a),
                "inv": (lambda of, x: of.inv(x), a),
                "det": (lambda of, x: of.det(x), a),
                "slogdet": (lambda of, x: of.slogdet(x)[0] + 2 * of.slogdet(x)[1], a),
                "lu_factor": (lambda of, x: of.lu_factor(x)[0], a),
                "lu_factor wide": (lambda of, x: of.lu_factor(x)[0], long),
                "lu_factor tall": (lambda of, x: of.lu_factor(x)[0], long.mT),
            }
            for left, adjoint in itertools.product((True, False), repeat=2):
                functions[f"lu_solve {left} {adjoint}"] = (
                    lambda of, x, left=left, adjoint=adjoint:
                        of.lu_solve(*of.lu_factor(x), b if left else right, left=left, adjoint=adjoint), a)
            for name, (function, given) in functions.items():
                with self.subTest(name, dtype=dtype):
                    gradients = []
                    for of in (tephra, torch.linalg):
                        x = given.detach().clone().requires_grad_()
                        y = function(of, x)
                        weights = self.matrices(dtype, *y.shape, seed=9)
                        (y * weights).sum().abs().backward()
                        gradients.append(x.grad)
                    torch.testing.assert_close(*gradients, rtol=1e-9, atol=1e-9)

    def test_det_of_singular_matrices(self):
        """The derivative is that of a polynomial, whatever the rank."""
        from torch.autograd import gradcheck
        for rows in ([[1, 2], [2, 4]], [[0, 1], [0, 0]], [[1, 2, 3], [2, 4, 6], [1, 0, 1]], [[0, 0, 0], [0, 1, 2], [0, 3, 4]],
                     [[0, 0], [0, 0]], [[0]]):
            for dtype in (torch.float64, torch.complex128):
                with self.subTest(rows=rows, dtype=dtype):
                    a = torch.tensor(rows, dtype=dtype, device=self.device, requires_grad=True)
                    self.assertEqual(complex(tephra.det(a.detach())), 0)
                    self.assertTrue(gradcheck(tephra.det, (a,), check_forward_ad=True))

    def test_det_of_singular_matrices_in_every_mode(self):
        """With the last pivot zero or a rounding error, and pivots of very different size."""
        def cofactors(a):
            n = a.shape[-1]
            rest = [[j for j in range(n) if j != i] for i in range(n)]
            return torch.stack([torch.stack([(-1) ** (i + j) * torch.linalg.det(a[rest[i]][:, rest[j]]) for j in range(n)])
                                for i in range(n)])

        singular = [torch.diag(torch.tensor([1e10, 1e-10, 0], dtype=torch.float64)),
                    torch.arange(1, 10, dtype=torch.float64).reshape(3, 3)]
        for seed in range(6):
            a = self.matrices(torch.float64 if seed % 2 else torch.complex128, 4, 4, seed=seed)
            a[3] = a[0]
            singular.append(a)
        for a in singular:
            a = a.to(self.device)
            wanted = cofactors(a)
            x = a.clone().requires_grad_()
            found = {"reverse": torch.autograd.grad(tephra.det(x).real, x)[0],
                     "twice differentiable": torch.autograd.grad(tephra.det(x).real, x, create_graph=True)[0],
                     "transform": torch.func.grad(lambda a: tephra.det(a).real)(a)}
            found = {mode: gradient.conj() for mode, gradient in found.items()}
            tangent = self.matrices(a.dtype, *a.shape, seed=7).to(self.device)
            found["forward"] = torch.func.jvp(tephra.det, (a,), (tangent,))[1]
            for mode, gradient in found.items():
                with self.subTest(mode, a=a):
                    exact = (wanted * tangent).sum() if mode == "forward" else wanted
                    error = (gradient - exact).abs().max() / (1 if mode != "forward" else tangent.abs().sum())
                    self.assertLess(float(error / wanted.abs().max()), 1e-13)

    def test_factors_are_used_again(self):
        """The backward pass factors nothing, even if the derivative is to be differentiated."""
        from torch.utils._python_dispatch import TorchDispatchMode

        class Seen(TorchDispatchMode):
            def __init__(self):
                super().__init__()
                self.names = set()

            def __torch_dispatch__(self, function, types, arguments=(), named=None):
                if function.namespace == "tephra":
                    self.names.add(function._schema.name.partition("::")[2])
                return function(*arguments, **(named or {}))

        for function in (lambda a: tephra.solve(a, a), tephra.det, lambda a: tephra.slogdet(a).logabsdet):
            for again in (False, True):
                a = self.matrices(torch.float64, 2, 3, 3).requires_grad_()
                y = function(a).sum()
                with Seen() as seen:
                    torch.autograd.grad(y, a, create_graph=again)
                self.assertNotIn("solve", seen.names)
                self.assertIn("solve_factored" if again else "lu_solve", seen.names)

    def test_singular_matrices_under_the_compiler(self):
        a = torch.zeros(2, 3, 3, dtype=torch.float64, device=self.device)
        torch._dynamo.reset()
        compiled = torch.compile(lambda a: tephra.inv(a, check_errors=True), fullgraph=True, backend="aot_eager")
        with self.assertRaisesRegex(torch.linalg.LinAlgError, r"matrix \[0\] of a is singular"):
            compiled(a)


@unittest.skipUnless(torch is not None and torch.cuda.is_available(), "no CUDA device")
class Device(unittest.TestCase):
    def test_calls_can_be_captured(self):
        """So nothing waits for the device, even if a matrix is singular."""
        def results(a, b):
            factors, pivots = tephra.lu_factor(a)
            return (tephra.solve(a, b), tephra.inv(a), tephra.det(a), *tephra.slogdet(a),
                    tephra.lu_solve(factors, pivots, b, adjoint=True), tephra.solve(a[0], b))

        a = torch.randn(20, 8, 8, device="cuda", dtype=torch.float64)
        b = torch.randn(20, 8, 2, device="cuda", dtype=torch.float64)
        results(a, b)
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph):
            captured = results(a, b)
        a.copy_(torch.randn_like(a))
        a[3] = 0
        graph.replay()
        for got, wanted in zip(captured, results(a, b)):
            torch.testing.assert_close(got, wanted, rtol=0, atol=0, equal_nan=True)
        self.assertTrue(bool(captured[0][3].isnan().all()))
        self.assertFalse(bool(captured[0][4].isnan().any()))


if __name__ == "__main__":
    unittest.main()
