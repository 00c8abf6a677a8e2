"""Tests 16-bit operands, which are computed in single precision with the results rounded to their type. Some need
PyTorch."""
import unittest

import numpy as np

import tephra

try:
    import torch
except ModuleNotFoundError:
    torch = None


class Numpy(unittest.TestCase):
    def setUp(self):
        rng = np.random.default_rng(1)
        self.a = rng.standard_normal((5, 6, 6)).astype(np.float16)
        self.b = rng.standard_normal((5, 6, 2)).astype(np.float16)

    def same(self, got, wanted):
        """The single precision result, rounded; a different order of summation may change the direction of rounding."""
        self.assertEqual(got.dtype, np.float16)
        bound = 2e-3 * np.nanmax(np.abs(wanted), initial=0)
        np.testing.assert_allclose(got.astype(np.float32), wanted, rtol=2e-3, atol=bound)

    def test_results_are_those_of_single_precision(self):
        a, b, wide, right = self.a, self.b, self.a.astype(np.float32), self.b.astype(np.float32)
        definite = (np.eye(6, dtype=np.float16) * 9 + a[:1] * np.float16(0.1)).repeat(3, 0)
        for got, wanted in (
            (tephra.qr(a), tephra.qr(wide)),
            (tephra.qr(a[:, :4], mode="complete"), tephra.qr(wide[:, :4], mode="complete")),
            (tephra.geqrf(a), tephra.geqrf(wide)),
            ((tephra.cholesky(definite),), (tephra.cholesky(definite.astype(np.float32)),)),
            ((tephra.solve(a, b),), (tephra.solve(wide, right),)),
            ((tephra.solve(a[0], b),), (tephra.solve(wide[0], right),)),
            ((tephra.solve(a, b.swapaxes(1, 2), left=False),), (tephra.solve(wide, right.swapaxes(1, 2), left=False),)),
            ((tephra.bmm(a, b),), (tephra.bmm(wide, right),)),
        ):
            for one, other in zip(got, wanted):
                self.same(one, other)
        self.assertIsNone(tephra.qr(a, mode="r").Q)

    def test_a_matrix_of_several_right_hand_sides_has_one_info(self):
        for own, right in (((), (4, 2)), ((3,), (2, 3)), ((3, 1), (3, 2)), ((2, 1, 3), (2, 4, 1)), ((), (0,)), ((1,), (5,)), ((0,), (2, 0)),
                           ((2,), (0, 1)), ((2,), (0, 2)), ((2, 1), (1, 0))):
            a = np.random.default_rng(2).standard_normal((*own, 4, 4)).astype(np.float16)
            b = np.random.default_rng(3).standard_normal((*right, 4, 2)).astype(np.float16)
            if own and a.size:
                a[(0,) * len(own)] = 0
            wanted = tephra.solve_ex(a.astype(np.float32), b.astype(np.float32))
            for xs in ((a, b), *(() if torch is None else ((torch.from_numpy(a), torch.from_numpy(b)),) * 2)):
                got = tephra.solve_ex(*xs)
                self.assertEqual(tuple(got.info.shape), own)
                np.testing.assert_array_equal(np.asarray(got.info), wanted.info)
                self.same(np.asarray(got.result), wanted.result)
        for right in ((4, 1), (0, 1)):
            nothing = tephra.solve(np.zeros((2, 3, 3), np.float16) + np.eye(3, dtype=np.float16), np.zeros((*right, 3, 0), np.float16))
            self.assertEqual(nothing.shape, (right[0], 2, 3, 0))
        singular = tephra.solve_ex(np.zeros((4, 4), np.float16), np.ones((0, 4, 1), np.float16))
        self.assertEqual(singular.info, 1)

    def test_too_large_is_infinite(self):
        a = np.full((1, 2, 2), 300, np.float16)
        self.assertTrue(np.isinf(tephra.bmm(a, a)).all())

    def test_errors(self):
        with self.assertRaisesRegex(np.linalg.LinAlgError, "singular"):
            tephra.solve(np.zeros((3, 3), np.float16), np.ones(3, np.float16))
        self.assertTrue(np.isnan(tephra.solve_ex(np.zeros((3, 3), np.float16), np.ones(3, np.float16)).result).all())
        for call in (tephra.inv, tephra.det, tephra.lu_factor, tephra.cholesky_inverse):
            with self.assertRaisesRegex(TypeError, "float16, but must be float32"):
                call(self.a)
        with self.assertRaisesRegex(TypeError, "both must have the same type"):
            tephra.solve(self.a, self.b.astype(np.float32))


@unittest.skipIf(torch is None, "PyTorch is not installed")
class Torch(unittest.TestCase):
    device = "cpu"

    def setUp(self):
        torch.manual_seed(1)
        self.a = torch.randn(5, 6, 6, device=self.device)
        self.b = torch.randn(5, 6, 2, device=self.device)

    def both(self):
        return ((half, self.a.to(half), self.b.to(half)) for half in (torch.float16, torch.bfloat16))

    def near(self, got, wanted):
        eps = torch.finfo(got.dtype).eps
        torch.testing.assert_close(got.float(), wanted, rtol=2 * eps, atol=2 * eps * float(wanted.detach().abs().max()))

    def calls(self):
        def definite(a):
            return a @ a.mT / 8 + torch.eye(6, dtype=a.dtype, device=a.device)

        return (lambda a, b: tephra.qr(a), lambda a, b: tephra.qr(a[:, :, :4]), lambda a, b: tephra.geqrf(a),
                lambda a, b: (tephra.cholesky(definite(a[:1]).expand(2, 6, 6)),), lambda a, b: tephra.cholesky_ex(definite(a), upper=True)[:1],
                lambda a, b: (tephra.solve(a + 4 * torch.eye(6, dtype=a.dtype, device=a.device), b),),
                lambda a, b: (tephra.solve(a, b.mT, left=False),), lambda a, b: tephra.solve_ex(a[0], b)[:1],
                lambda a, b: (tephra.bmm(a, b),), lambda a, b: (tephra.bmm(a.mT, a),))

    def test_results_are_those_of_single_precision(self):
        for half, a, b in self.both():
            for call in self.calls():
                got = call(a, b)
                self.assertTrue(all(one.dtype is half for one in got))
            for got, wanted in (
                (tephra.qr(a), tephra.qr(a.float())), (tephra.geqrf(a), tephra.geqrf(a.float())),
                ((tephra.solve(a, b),), (tephra.solve(a.float(), b.float()),)),
                ((tephra.bmm(a, b),), (tephra.bmm(a.float(), b.float()),)),
            ):
                for one, other in zip(got, wanted):
                    self.near(one, other)

    def test_derivatives(self):
        """Derivatives are those of single precision, in the operands' type."""
        for half, a, b in self.both():
            shifted = a + 12 * torch.eye(6, dtype=half, device=self.device)
            for function in (lambda a, b: tephra.solve(a, b).sum(), lambda a, b: tephra.bmm(a, b).sum(),
                             lambda a, b: tephra.qr(a).R.sum(), lambda a, b: tephra.cholesky(a).sum()):
                leaves = [x.clone().requires_grad_() for x in (shifted, b)]
                function(*leaves).backward()
                self.assertIs(leaves[0].grad.dtype, half)
                wide = [x.float().requires_grad_() for x in (shifted, b)]
                function(*wide).backward()
                eps = torch.finfo(half).eps
                torch.testing.assert_close(leaves[0].grad.float(), wide[0].grad, rtol=8 * eps,
                                           atol=8 * eps * float(wide[0].grad.abs().max()))

    def test_meta_tensors(self):
        for _, a, b in self.both():
            a = a @ a.mT + 9 * torch.eye(6, dtype=a.dtype, device=a.device)
            for call in self.calls():
                for got, wanted in zip(call(a.to("meta"), b.to("meta")), call(a, b)):
                    self.assertEqual((got.shape, got.dtype, got.device.type), (wanted.shape, wanted.dtype, "meta"))

    def test_compiled_and_vmapped(self):
        for half, a, b in self.both():
            a = a + 4 * torch.eye(6, dtype=half, device=self.device)
            wanted = tephra.solve(a, b)
            torch._dynamo.reset()
            for got in (torch.compile(tephra.solve, fullgraph=True, backend="aot_eager")(a, b), torch.func.vmap(tephra.solve)(a, b)):
                self.assertIs(got.dtype, half)
                self.near(got, wanted.float())

    def test_errors(self):
        a = self.a.half()
        with self.assertRaisesRegex(TypeError, "b is torch.float32, but a is torch.float16: both must have the same type"):
            tephra.solve(a, self.b)
        for call in (tephra.solve, tephra.bmm):
            for wrong in (np.ones((6, 2), np.float16), [[1.0]]):
                with self.assertRaisesRegex(TypeError, "b is a (ndarray|list), but a is a torch.Tensor"):
                    call(a, wrong)
        with self.assertRaises(torch.linalg.LinAlgError):
            tephra.solve(torch.zeros(3, 3).bfloat16(), torch.ones(3).bfloat16())
        with self.assertRaisesRegex(ValueError, "square"):
            tephra.solve(a[:, :4], self.b.half())


@unittest.skipUnless(torch is not None and torch.cuda.is_available(), "no GPU")
class TorchOnDevice(Torch):
    device = "cuda"


if __name__ == "__main__":
    unittest.main()
