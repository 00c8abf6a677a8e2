"""Tests QR with column pivoting, least squares of any rank, ranks and pseudoinverses on NumPy and PyTorch arrays in
host memory."""
import unittest
from fractions import Fraction

import numpy as np

import tephra

try:
    import torch
except ImportError:
    torch = None

KINDS = ("float32", "float64", "complex64", "complex128")


def of_rank(kind, count, m, n, rank, seed=1):
    rng = np.random.default_rng(seed)

    def part(*shape):
        x = rng.standard_normal(shape)
        return x + 1j * rng.standard_normal(shape) if kind.startswith("complex") else x

    return (part(count, m, rank) @ part(count, rank, n)).astype(kind)


class Rank(unittest.TestCase):
    def tolerance(self, kind):
        return 1e4 * np.finfo(kind).eps

    def test_what_is_no_number_is_named(self):
        a = of_rank("float64", 1, 4, 4, 4)
        for rcond, error in (("small", TypeError), ("1e-3", TypeError), (np.ones(3), TypeError), (np.nan, ValueError)):
            for call in (tephra.matrix_rank, tephra.pinv, lambda a, rcond: tephra.lstsq(a, a, driver="gelsy", rcond=rcond)):
                self.assertRaisesRegex(error, "^rcond is ", call, a, rcond=rcond)
        for call in (tephra.matrix_power, tephra.tensorinv):
            for wrong in (1.5, "1", None):
                self.assertRaisesRegex(TypeError, "^(n|ind) is .*, but must be an integer", call, a, wrong)

    def test_numbers_beyond_the_range_of_floats(self):
        a = of_rank("float64", 1, 4, 4, 4)
        for rcond, rank in ((10**400, 0), (Fraction(10**400), 0), (-10**400, 4)):
            self.assertEqual(int(tephra.matrix_rank(a, rcond=rcond)[0]), rank)
            self.assertEqual(bool(tephra.pinv(a, rcond=rcond).any()), rank > 0)
            self.assertEqual(int(tephra.lstsq(a, a, driver="gelsy", rcond=rcond).rank[0]), rank or 1)

    def test_geqp3(self):
        for kind in KINDS:
            for m, n in ((5, 5), (40, 20), (7, 12)):
                a = of_rank(kind, 3, m, n, min(m, n))
                factors, tau, jpvt = tephra.geqp3(a)
                k = min(m, n)
                r = np.triu(factors[:, :k])
                q = tephra.householder_product(np.ascontiguousarray(factors[..., :k]), tau)
                permuted = np.take_along_axis(a, jpvt[:, None, :].astype(np.int64) - 1, -1)
                self.assertLess(np.abs(q @ r - permuted).max(), self.tolerance(kind))
                diagonal = np.abs(np.diagonal(r, axis1=-2, axis2=-1))
                self.assertTrue((np.diff(diagonal) <= 1e-3 * diagonal[:, :1]).all())
                self.assertEqual(np.sort(jpvt, -1).tolist(), [list(range(1, n + 1))] * 3)

    def test_lstsq_matrix_rank_and_pinv(self):
        for kind in KINDS:
            for m, n, rank in ((6, 6, 3), (30, 12, 5), (12, 30, 12), (9, 9, 9), (4, 7, 0)):
                a, b = of_rank(kind, 3, m, n, rank), of_rank(kind, 3, m, 2, 2, seed=2)
                rcond = float(np.sqrt(np.finfo(kind).eps))
                self.assertEqual(tephra.matrix_rank(a, rcond=rcond).tolist(), [rank] * 3)
                wanted = np.linalg.pinv(a.astype("complex128"), rcond=rcond)
                limit = self.tolerance(kind) * (1 + np.abs(wanted).max() ** 2)
                self.assertLess(np.abs(tephra.pinv(a, rcond=rcond) - wanted).max(), limit)
                x, residuals, found = tephra.lstsq(a, b, driver="gelsy", rcond=rcond)
                self.assertEqual(found.tolist(), [rank] * 3)
                self.assertLess(np.abs(x - wanted @ b).max(), limit * (1 + np.abs(b).max()))
                self.assertLess(np.abs(residuals - (np.abs(b - a @ x) ** 2).sum(-2)).max(), limit)
                vector, residual, _ = tephra.lstsq(a[0], b[0, :, 0], driver="gelsy", rcond=rcond)
                self.assertEqual(vector.shape, (n,))
                self.assertLess(np.abs(vector - x[0, :, 0]).max(), limit)
                self.assertEqual(residual.shape, np.linalg.lstsq(np.eye(3, 2), np.ones(3))[1].shape)
                self.assertLess(np.abs(residual - residuals[0, :1]).max(), limit)
        with self.assertRaises(ValueError):
            tephra.lstsq(np.eye(2), np.eye(2), driver="gelsd")
        with self.assertRaises(ValueError):
            tephra.lstsq(np.eye(2), np.eye(2), "iterative", driver="gelsy")

    def test_bounds_outside_of_0_to_1(self):
        for kind in KINDS:
            for shape, rank in (((6, 4), 4), ((2, 3, 4), 3), ((3, 5, 5), 0), ((0, 3, 3), 3)):
                array = of_rank(kind, *((1,) if len(shape) == 2 else shape[:1]), *shape[-2:], rank).reshape(shape)
                for a in (array, *(() if torch is None else (torch.from_numpy(array),))):
                    linalg = np.linalg if a is array else torch.linalg
                    for rcond in (1, 1.0, 2, float("inf")):
                        self.assertEqual(tephra.matrix_rank(a, rcond=rcond).tolist(), linalg.matrix_rank(a, rtol=rcond).tolist())
                        inverse, wanted = tephra.pinv(a, rcond=rcond), linalg.pinv(a, rtol=rcond)
                        self.assertEqual((inverse.shape, inverse.dtype), (wanted.shape, wanted.dtype))
                        self.assertFalse(inverse.any())
                    for rcond in (-1, -1e-300, float("-inf")):  # the default
                        self.assertEqual(tephra.matrix_rank(a, rcond=rcond).tolist(), linalg.matrix_rank(a).tolist())
                        np.testing.assert_array_equal(tephra.pinv(a, rcond=rcond), tephra.pinv(a))
                    for rcond, error in ((float("nan"), ValueError), ("1", TypeError), (1j, TypeError), ([1, 2], TypeError)):
                        with self.assertRaises(error):
                            tephra.matrix_rank(a, rcond=rcond)
                        with self.assertRaises(error):
                            tephra.pinv(a, rcond=rcond)
        # gelsy, as LAPACK has it, finds rank 0 in zero matrices only.
        a, b = np.stack((np.eye(3), np.zeros((3, 3)))), np.ones((3, 1))
        self.assertEqual(tephra.lstsq(a, b, driver="gelsy", rcond=2).rank.tolist(), [1, 0])
        if torch is not None:
            a, b = torch.tensor(a, requires_grad=True), torch.tensor(b)
            self.assertEqual(tephra.lstsq(a, b, driver="gelsy", rcond=2).rank.tolist(),
                             torch.linalg.lstsq(a, b.expand(2, 3, 1), driver="gelsy", rcond=2).rank.tolist())
            tephra.pinv(a, rcond=1).sum().backward()
            self.assertFalse(a.grad.any())

    @unittest.skipIf(torch is None, "PyTorch is not there")
    def test_residuals_of_vectors_have_the_shapes_of_torch(self):
        for outer in ((), (3,), (2, 0)):
            for right in ((*outer, 5), (*outer, 5, 2)):
                a, b = torch.randn(*outer, 5, 2), torch.randn(right)
                self.assertEqual([x.shape for x in tephra.lstsq(a, b, driver="gelsy")],
                                 [x.shape for x in torch.linalg.lstsq(a, b, driver="gelsd")[:3]])

    def test_empty(self):
        for m, n in ((0, 3), (3, 0), (0, 0)):
            a = np.zeros((2, m, n))
            self.assertEqual(tephra.matrix_rank(a).tolist(), [0, 0])
            self.assertEqual(tephra.pinv(a).shape, (2, n, m))
            for x in (a, *(() if torch is None else (torch.from_numpy(a),) * 2)):  # PyTorch's second call takes the plan
                self.assertEqual(tephra.geqp3(x).jpvt.tolist(), [list(range(1, n + 1))] * 2)
            x, _, rank = tephra.lstsq(a, np.ones((2, m, 1)), driver="gelsy")
            self.assertTrue((x == 0).all() and (rank == 0).all() and x.shape == (2, n, 1))

    @unittest.skipIf(torch is None, "PyTorch is not there")
    def test_derivatives(self):
        for kind in ("float64", "complex128"):
            for m, n in ((5, 3), (3, 5), (4, 4)):
                a = torch.tensor(of_rank(kind, 2, m, n, min(m, n)), requires_grad=True)
                b = torch.tensor(of_rank(kind, 2, m, 2, 2, seed=3), requires_grad=True)

                def solution(a, b):
                    return tephra.lstsq(a, b, driver="gelsy")[:2]

                def factors(a):
                    return tephra.geqp3(a)[:2]

                self.assertTrue(torch.autograd.gradcheck(solution, (a, b), check_forward_ad=True))
                self.assertTrue(torch.autograd.gradcheck(tephra.pinv, (a,), check_forward_ad=True))
                if m >= n:
                    self.assertTrue(torch.autograd.gradcheck(factors, (a,), check_forward_ad=True))
                self.assertTrue(torch.autograd.gradgradcheck(tephra.pinv, (a,)))

    @unittest.skipIf(torch is None, "PyTorch is not there")
    def test_derivatives_where_the_rank_is_kept(self):
        # A = C F of rank 2, differentiated with respect to C and F.
        c, f = (torch.tensor(of_rank("float64", 2, *shape, 2, seed=seed), requires_grad=True)
                for shape, seed in (((5, 2), 5), ((2, 4), 6)))
        b = torch.tensor(of_rank("float64", 2, 5, 2, 2, seed=7), requires_grad=True)

        def solution(c, f, b):
            return tephra.lstsq(c @ f, b, driver="gelsy", rcond=1e-8).solution

        self.assertTrue(torch.autograd.gradcheck(solution, (c, f, b), check_forward_ad=True))
        mine, theirs = (function(torch.tensor(of_rank("float64", 3, 5, 4, 2))) for function in
                        (lambda a: tephra.pinv(a, rcond=1e-8), lambda a: torch.linalg.pinv(a, rtol=1e-8)))
        self.assertLess(float((mine - theirs).abs().max()), 1e-10)

    @unittest.skipIf(torch is None, "PyTorch is not there")
    def test_compiled_and_mapped(self):
        a = torch.tensor(of_rank("float64", 6, 5, 4, 2))
        mapped = torch.vmap(lambda a: tephra.matrix_rank(a, rcond=1e-8))(a)
        self.assertEqual(mapped.tolist(), [2] * 6)


if __name__ == "__main__":
    unittest.main()
