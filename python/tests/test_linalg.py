"""Tests what torch.linalg and numpy.linalg offer besides factorisations: info per matrix, argument names, `out`, shapes
of right-hand sides, powers, chains of products and tensor equations; and how PyTorch's tools see the operations."""
import inspect
import subprocess
import sys
import unittest

import numpy as np

import test_tephra as arrays
import tephra
from test_lu import error_of, regular

torch, wide = arrays.torch, arrays.wide


def singular(kind, n, seed=1):
    """A matrix of integers with two equal rows (or a zero), whose elimination is exact and finds a zero pivot."""
    a = np.triu(np.ones((n, n))) + np.arange(n)[:, None] * (np.arange(n)[None, :] == 0)
    a = a[np.random.default_rng(seed).permutation(n)]
    a[n // 2] = a[(n // 2 + 1) % n] if n > 1 else 0
    return a.astype(kind)


class StatusPerMatrix(arrays.Case):
    def test_regular_ones(self):
        for place, kind in self.each():
            a, b = regular(kind, 2, 3, 5, 5), arrays.random(kind, 2, 3, 5, 2, seed=2)
            definite = (wide(a) @ arrays.adjoint(wide(a))).astype(kind)
            for result, plain in (
                (tephra.inv_ex(place.array(a)), (tephra.inv(place.array(a)),)),
                (tephra.solve_ex(place.array(a), place.array(b)), (tephra.solve(place.array(a), place.array(b)),)),
                (tephra.cholesky_ex(place.array(definite)), (tephra.cholesky(place.array(definite)),)),
                (tephra.lu_factor_ex(place.array(a)), tephra.lu_factor(place.array(a))),
            ):
                info = place.back(result.info)
                self.assertEqual((info.shape, info.dtype, info.any()), ((2, 3), np.int32, False))
                for one, other in zip(result, plain):
                    np.testing.assert_array_equal(place.back(one), place.back(other))

    def test_singular_ones_beside_others(self):
        for place, kind in self.each():
            for n in (1, 2, 3, 7, 8, 17, 33, 64, 70):
                a = np.stack([regular(kind, n, n), singular(kind, n), regular(kind, n, n, seed=3)])
                b = arrays.random(kind, 3, n, 2, seed=2)
                for result in (tephra.inv_ex(place.array(a)), tephra.solve_ex(place.array(a), place.array(b))):
                    values, info = place.back(result[0]), place.back(result.info)
                    self.assertTrue(info[1] > 0 and info[0] == 0 and info[2] == 0, info)
                    self.assertTrue(np.isfinite(values[[0, 2]]).all())
                    self.assertFalse(np.isfinite(values[1]).any())
                for x in (tephra.inv(place.array(a), check_errors=False),
                          tephra.solve(place.array(a), place.array(b), check_errors=False)):
                    self.assertFalse(np.isfinite(place.back(x)[1]).any())
                lu, _, info = (place.back(x) for x in tephra.lu_factor_ex(place.array(a)))
                self.assertEqual(lu[1, info[1] - 1, info[1] - 1], 0)
                for call in (tephra.inv_ex, tephra.lu_factor_ex, lambda x, **o: tephra.solve_ex(x, x, **o)):
                    with self.assertRaisesRegex(error_of(place), r"matrix \[1\] of a is singular"):
                        call(place.array(a), check_errors=True)

    def test_what_is_not_definite(self):
        for place, kind in self.each():
            a = np.stack([4 * np.eye(5), np.diag([1, 1, -1, 1, 1])]).astype(kind)
            for upper in (False, True):
                factor, info = (place.back(x) for x in tephra.cholesky_ex(place.array(a), upper=upper))
                np.testing.assert_array_equal(info, [0, 3])
                np.testing.assert_array_equal(factor[0], 2 * np.eye(5))
                self.assertTrue(np.isnan(factor[1]).all())
            with self.assertRaisesRegex(error_of(place), r"matrix \[1\] of a is not positive definite"):
                tephra.cholesky_ex(place.array(a), check_errors=True)

    def test_nothing_to_do(self):
        for place, kind in self.each():
            for shape in ((0, 3, 3), (2, 0, 0)):
                a = np.zeros(shape, kind)
                for call in (tephra.inv_ex, tephra.cholesky_ex, tephra.lu_factor_ex, lambda x: tephra.solve_ex(x, x)):
                    np.testing.assert_array_equal(place.back(call(place.array(a)).info), np.zeros(shape[:1], np.int32))

    def test_plu(self):
        for place, kind in self.each():
            for shape in ((1, 1), (5, 5), (2, 6, 4), (2, 2, 3, 7), (0, 3, 3), (3, 40, 40)):
                a = arrays.random(kind, *shape)
                p, lower, upper = (wide(place.back(x)) for x in tephra.lu(place.array(a)))
                k = min(shape[-2:])
                self.assertEqual((p.shape, lower.shape, upper.shape),
                                 ((*shape[:-1], shape[-2]), (*shape[:-1], k), (*shape[:-2], k, shape[-1])))
                self.near(p @ lower @ upper, wide(a), kind)
                self.assertTrue((np.triu(lower, 1) == 0).all() and (np.tril(upper, -1) == 0).all())


class Shapes(arrays.Case):
    def test_numpys_right_hand_sides(self):
        """Right-hand sides are vectors only if they have one dimension."""
        rng = np.random.default_rng(1)
        for _ in range(200):
            n, nrhs = rng.integers(1, 4, 2)
            outer = tuple(rng.integers(1, 4, rng.integers(0, 3)))
            a = rng.standard_normal((*outer, n, n)) + 3 * np.eye(n)
            b = rng.standard_normal([(n,), (n, nrhs), (*outer, n, nrhs), (*outer, n)][rng.integers(4)])
            if b.ndim == 1:
                wanted = np.linalg.solve(a, b[:, None])[..., 0] if len(b) == n else None
            else:
                try:
                    wanted = np.matmul(np.linalg.inv(a), b)
                except ValueError:
                    wanted = None
            if wanted is None:
                with self.assertRaises(ValueError):
                    tephra.solve(a, b)
            else:
                np.testing.assert_allclose(tephra.solve(a, b), wanted, rtol=1e-9, atol=1e-12)
        self.assertEqual(tephra.solve(np.stack([np.eye(2)] * 2), np.ones((2, 2))).shape, (2, 2, 2))
        self.assertEqual(tephra.lstsq(np.ones((2, 2, 1)), np.ones((2, 2))).solution.shape, (2, 1, 2))

    @unittest.skipIf(torch is None, "PyTorch is not installed")
    def test_torchs_right_hand_sides(self):
        for shape in ((2,), (2, 2), (2, 2, 3), (1, 2, 2), (3, 2, 2, 1)):
            a, b = torch.eye(2).expand(2, 2, 2), torch.arange(float(np.prod(shape))).reshape(shape)
            torch.testing.assert_close(tephra.solve(a, b), torch.linalg.solve(a, b))

    def test_jaxs_right_hand_sides(self):
        try:
            import jax.numpy as jnp
        except ImportError:
            self.skipTest("JAX is not installed")
        for shape in ((2,), (2, 2), (2, 2, 3)):
            a, b = jnp.stack([2 * jnp.eye(2)] * 2), jnp.ones(shape)
            np.testing.assert_allclose(tephra.solve(a, b), jnp.linalg.solve(a, b))

    def test_one_vector_everywhere(self):
        for place, kind in self.each():
            for shape in ((3, 3), (2, 3, 3)):
                a, b = regular(kind, *shape), arrays.random(kind, 3, seed=2)
                lower = (np.tril(regular(kind, *shape)) + 3 * np.eye(3)).astype(kind)
                for adjoint in (False, True):
                    op = arrays.adjoint(wide(a)) if adjoint else wide(a)
                    factors = tephra.lu_factor(place.array(a))
                    self.near(op @ wide(place.back(tephra.lu_solve(*factors, place.array(b), adjoint=adjoint)))[..., None],
                              np.broadcast_to(wide(b)[:, None], (*shape[:-1], 1)), kind)
                x = wide(place.back(tephra.cholesky_solve(place.array(b), place.array(lower))))
                self.near(wide(lower) @ arrays.adjoint(wide(lower)) @ x[..., None],
                          np.broadcast_to(wide(b)[:, None], (*shape[:-1], 1)), kind)
            for call in (lambda: tephra.solve(place.array(a), place.array(b), left=False),
                         lambda: tephra.lu_solve(*tephra.lu_factor(place.array(a)), place.array(b), left=False)):
                with self.assertRaisesRegex(ValueError, "with left=False it must hold matrices"):
                    call()

    def test_from_the_right(self):
        for place, kind in self.each():
            for outer in ((), (2,), (2, 3)):
                a, b = regular(kind, *outer, 4, 4), arrays.random(kind, 5, 4, seed=2)
                for x in (tephra.solve(place.array(a), place.array(b), left=False),
                          tephra.solve_ex(place.array(a), place.array(b), left=False).result):
                    self.near(wide(place.back(x)) @ wide(a), np.broadcast_to(wide(b), (*outer, 5, 4)), kind)
            with self.assertRaisesRegex(ValueError, "b has 5 columns, but must have 4"):
                tephra.solve(place.array(a), place.array(b.T.copy()), left=False)


class Names(arrays.Case):
    def test_torchs_and_numpys_names(self):
        for place, kind in self.each():
            a, b = place.array(regular(kind, 2, 3, 3)), place.array(arrays.random(kind, 2, 3, 2))
            lower = tephra.cholesky(place.array(np.stack([4 * np.eye(3)] * 2).astype(kind)))
            factors, tau = tephra.geqrf(a)
            lu, pivots = tephra.lu_factor(a)
            for name, by_position, named in (
                ("qr", (a,), {"A": a}), ("geqrf", (a,), {"input": a}), ("inv", (a,), {"A": a}), ("det", (a,), {"A": a}),
                ("slogdet", (a,), {"A": a}), ("lu", (a,), {"A": a, "pivot": True}), ("lu_factor", (a,), {"A": a}),
                ("lu_factor_ex", (a,), {"A": a}), ("inv_ex", (a,), {"A": a}), ("solve", (a, b), {"A": a, "B": b}),
                ("solve_ex", (a, b), {"A": a, "B": b}), ("solve", (a, b), {"a": a, "b": b}), ("lstsq", (a, b), {"A": a, "B": b, "driver": "gels"}),
                ("cholesky", (lower,), {"A": lower}), ("cholesky_ex", (lower,), {"A": lower, "upper": False}),
                ("cholesky_solve", (b, lower), {"B": b, "L": lower}), ("cholesky_inverse", (lower,), {"L": lower}),
                ("lu_solve", (lu, pivots, b), {"LU": lu, "pivots": pivots, "B": b}), ("bmm", (a, b), {"input": a, "mat2": b}),
                ("householder_product", (factors, tau), {"A": factors, "tau": tau}),
                ("ormqr", (factors, tau, b), {"input": factors, "tau": tau, "other": b}),
                ("matrix_power", (a, 3), {"A": a, "n": 3}), ("multi_dot", ([a[0], b[0]],), {"tensors": [a[0], b[0]]}),
                ("tensorinv", (a[0],), {"A": a[0], "ind": 1}),
            ):
                function = getattr(tephra, name)
                options = {"ind": 1} if name == "tensorinv" else {}
                one, other = function(*by_position, **options), function(**named)
                for x, y in zip(*((r if isinstance(r, tuple) else (r,)) for r in (one, other))):
                    np.testing.assert_array_equal(place.back(x), place.back(y), name)
            with self.assertRaisesRegex(TypeError, "got 'a' twice, the second time as 'A'"):
                tephra.inv(a=a, A=a)
            with self.assertRaises(TypeError):
                tephra.inv(a, a=a)
            with self.assertRaisesRegex(ValueError, "pivot is False"):
                tephra.lu(a, pivot=False)

    def test_out(self):
        for place, kind in self.each():
            a = place.array(regular(kind, 2, 3, 3))
            out = place.array(np.zeros((2, 3, 3), kind))
            self.assertIs(tephra.inv(a, out=out), out)
            np.testing.assert_array_equal(place.back(out), place.back(tephra.inv(a)))
            outs = place.array(np.zeros((2, 3, 3), kind)), place.array(np.zeros((2, 3, 3), kind))
            result = tephra.qr(a, out=outs)
            self.assertTrue(result.Q is outs[0] and result.R is outs[1])
            np.testing.assert_array_equal(place.back(outs[1]), place.back(tephra.qr(a).R))
            # Also scalar results of a single matrix, for which NumPy returns no arrays.
            logarithm = place.array(np.zeros((), np.zeros((), kind).real.dtype))
            number, rank = place.array(np.zeros((), kind)), place.array(np.zeros((), "int32"))
            self.assertIs(tephra.det(a[0], out=number), number)
            self.assertIs(tephra.slogdet(a[0], out=(place.array(np.zeros((), kind)), logarithm)).logabsdet, logarithm)
            self.assertIs(tephra.matrix_rank(a[0], out=rank), rank)
            np.testing.assert_array_equal(place.back(number), place.back(tephra.det(a[0])))
            self.assertEqual(place.back(rank), 3)
            for wrong, error in (([1, 2], TypeError), (place.array(np.zeros((2, 3, 3), "int32")), (TypeError, ValueError))):
                with self.assertRaises(error):
                    tephra.inv(a, out=wrong)
            with self.assertRaisesRegex(TypeError, "a tuple of 2 arrays"):
                tephra.qr(a, out=out)
            untouched, wrong = place.array(np.zeros((2, 3, 3), kind)), place.array(np.zeros((2, 3, 3), "int32"))
            with self.assertRaises((TypeError, ValueError)):
                tephra.qr(a, out=(untouched, wrong))
            self.assertFalse(place.back(untouched).any())

    def test_out_that_is_read_only(self):
        q, r = np.zeros((2, 3, 3))
        r.flags.writeable = False
        with self.assertRaisesRegex(ValueError, "out is read-only"):
            tephra.qr(np.eye(3), out=(q, r))
        self.assertFalse(q.any())

    @unittest.skipIf(torch is None, "PyTorch is not installed")
    def test_out_by_torchs_rules(self):
        a = torch.eye(3)
        empty = torch.empty(0)
        torch.testing.assert_close(tephra.inv(a, out=empty), a)
        self.assertEqual(empty.shape, (3, 3))
        with self.assertRaisesRegex(RuntimeError, "out= is not supported with derivatives"):
            tephra.inv(a.clone().requires_grad_(), out=empty)
        for chain in ([a, a.clone().requires_grad_()], (a.clone().requires_grad_(), a)):
            for given in (chain, iter(chain)):
                with self.assertRaisesRegex(RuntimeError, "out= is not supported with derivatives"):
                    tephra.multi_dot(given, out=torch.empty(3, 3))

    def test_signatures_show_the_parameters(self):
        self.assertEqual(str(inspect.signature(tephra.solve)), "(a, b, *, left=True, check_errors=None, out=None)")
        for name in tephra.__all__:
            if inspect.isfunction(getattr(tephra, name)):
                self.assertTrue(inspect.getdoc(getattr(tephra, name)), name)


class Composed(arrays.Case):
    def test_matrix_power(self):
        for place, kind in self.each():
            a = regular(kind, 2, 4, 4)
            a = (a / np.linalg.norm(a, 2, (1, 2))[:, None, None]).astype(kind)
            for n in (-3, -1, 0, 1, 2, 3, 5, 8, 13):
                wanted = np.linalg.matrix_power(wide(a), n)
                np.testing.assert_allclose(wide(place.back(tephra.matrix_power(place.array(a), n))), wanted,
                                           rtol=0, atol=2000 * np.finfo(kind).eps * np.abs(wanted).max())
            x = place.array(-np.zeros((2, 2), kind))
            self.assertIsNot(tephra.matrix_power(x, 1), x)
            self.assertTrue(np.signbit(place.back(tephra.matrix_power(x, 1)).real).all())

    def test_matrix_power_of_any_integer(self):
        """Also those whose absolute value their type does not hold."""
        a = np.diag([1.0, -1.0])
        for n in (np.int8(-128), np.int16(-32768), np.int64(-2 ** 63), np.uint8(255), -2 ** 70, True):
            np.testing.assert_array_equal(tephra.matrix_power(a, n), np.diag([1.0, (-1.0) ** (int(n) % 2)]))

    def test_multi_dot(self):
        rng = np.random.default_rng(1)
        for place, kind in self.each():
            for _ in range(20):
                sizes = rng.integers(1, 6, rng.integers(3, 7))
                chain = [arrays.random(kind, int(m), int(n), seed=i) for i, (m, n) in enumerate(zip(sizes, sizes[1:]))]
                chain[0] = chain[0][0] if rng.integers(2) else chain[0]
                chain[-1] = chain[-1][:, 0].copy() if rng.integers(2) else chain[-1]
                got = place.back(tephra.multi_dot([place.array(x) for x in chain]))
                wanted = np.linalg.multi_dot([wide(x) for x in chain]) if len(chain) > 1 else chain[0]
                self.assertEqual(np.shape(got), np.shape(wanted))
                np.testing.assert_allclose(wide(got), wanted, rtol=0, atol=1000 * np.finfo(kind).eps * (1 + np.abs(wanted).max()))
            with self.assertRaisesRegex(ValueError, r"arrays\[1\] has 2 rows, but must have 3"):
                tephra.multi_dot([place.array(np.ones((2, 3), kind))] * 2)

    def test_the_cheapest_order(self):
        from tephra._composed import _cheapest
        split = _cheapest([10, 100, 5, 50])
        self.assertEqual(split[0, 2], 1)  # (A B) C takes 7500 operations instead of 75000

    def test_tensors(self):
        for place, kind in self.each():
            a = (arrays.random(kind, 2, 3, 6) + 4 * np.eye(6).reshape(2, 3, 6)).astype(kind)
            b = arrays.random(kind, 2, 3, seed=2)
            self.near(place.back(tephra.tensorsolve(place.array(a), place.array(b))), np.linalg.tensorsolve(wide(a), wide(b)), kind)
            turned = np.moveaxis(a, 2, 0).copy()
            self.near(place.back(tephra.tensorsolve(place.array(turned), place.array(b), (0,))),
                      np.linalg.tensorsolve(wide(turned), wide(b), (0,)), kind)
            self.near(place.back(tephra.tensorinv(place.array(a))), np.linalg.tensorinv(wide(a)), kind)
            with self.assertRaises(ValueError):
                tephra.tensorinv(place.array(a), 1)
            self.near(place.back(tephra.tensorsolve(place.array(turned), place.array(b), (-3,))),
                      np.linalg.tensorsolve(wide(turned), wide(b), (0,)), kind)
            for dims in ((3,), (-4,), (0, 0), (0, -3)):
                with self.assertRaisesRegex(ValueError if place is arrays.Numpy else IndexError, "dims (has|names)"):
                    tephra.tensorsolve(place.array(turned), place.array(b), dims)


@unittest.skipIf(torch is None, "PyTorch is not installed")
class Tools(unittest.TestCase):
    def test_the_same_operand_twice(self):
        """A plan recorded with one tensor passed twice is not used for two tensors."""
        a, b = torch.randn(3, 4, 4, dtype=torch.float64), torch.randn(3, 4, 4, dtype=torch.float64)
        for x, y in ((a, a), (a, b), (b, a), (b, b)):
            torch.testing.assert_close(tephra.bmm(x, y), x @ y)
            torch.testing.assert_close(tephra.solve(x, y), torch.linalg.solve(x, y))

    def test_repeated_calls_with_other_operands(self):
        """Plans are distinguished by shapes, strides, types and options."""
        rng = np.random.default_rng(1)
        for i in range(300):
            dtype = (torch.float32, torch.float64, torch.complex64, torch.complex128)[rng.integers(4)]
            n, nrhs = int(rng.integers(1, 4)), int(rng.integers(1, 3))
            outer = [(), (2,), (2, 2), (1, 2)][rng.integers(4)]
            a = torch.randn(*outer, n, n, dtype=dtype) + 4 * torch.eye(n)
            b = torch.randn(*outer, n, nrhs, dtype=dtype)
            if rng.integers(2):
                a, b = a.mT.contiguous().mT, b.mT.contiguous().mT
            upper = bool(rng.integers(2))
            near = dict(rtol=1e-3, atol=1e-3)
            torch.testing.assert_close(tephra.solve(a, b), torch.linalg.solve(a, b), **near)
            torch.testing.assert_close(tephra.solve_triangular(a, b, upper=upper), torch.linalg.solve_triangular(a, b, upper=upper), **near)
            torch.testing.assert_close(tephra.cholesky(a @ a.mH, upper=upper), torch.linalg.cholesky(a @ a.mH, upper=upper), **near)
            torch.testing.assert_close(tephra.slogdet(a).logabsdet, torch.linalg.slogdet(a).logabsdet, **near)
            torch.testing.assert_close(tephra.bmm(a, b), a @ b, **near)
            torch.testing.assert_close(tephra.lstsq(a, b).solution, torch.linalg.solve(a, b), **near)

    def test_a_singular_matrix_after_regular_ones(self):
        a = torch.eye(3).expand(2, 3, 3).clone()
        for _ in range(3):
            tephra.inv(a)
            tephra.lu_solve(*tephra.lu_factor(a), a)
        a[1, 1, 1] = 0
        with self.assertRaisesRegex(torch.linalg.LinAlgError, r"matrix \[1\]"):
            tephra.inv(a)
        with self.assertRaisesRegex(ValueError, "pivots has elements outside"):
            tephra.lu_solve(a, torch.zeros(2, 3, dtype=torch.int32), a)
        self.assertTrue(tephra.inv(a, check_errors=False)[1].isnan().all())
        self.assertTrue(torch.equal(tephra.inv(a, check_errors=False)[0], torch.eye(3)))

    def test_layouts_are_one(self):
        """Results have the same strides in eager mode, with gradients, and on meta tensors."""
        for shape in ((5, 3), (3, 5), (2, 6, 2), (4, 4)):
            a, b = torch.randn(*shape), torch.randn(*shape[:-1], 2)
            eager = tephra.lstsq(a, b).solution
            again = tephra.lstsq(a, b).solution  # uses the plan
            with_gradient = tephra.lstsq(a.clone().requires_grad_(), b).solution
            meta = tephra.lstsq(a.to("meta"), b.to("meta")).solution
            for other in (again, with_gradient, meta):
                self.assertEqual(other.stride(), eager.stride())

    def test_the_profiler_names_operations(self):
        a, b = torch.eye(3), torch.ones(3, 2)
        with torch.profiler.profile(activities=[torch.profiler.ProfilerActivity.CPU]) as profile:
            for _ in range(2):
                tephra.solve(a, b)
                tephra.qr(a)
        counts = {event.key: event.count for event in profile.key_averages()}
        self.assertEqual((counts.get("tephra::solve"), counts.get("tephra::qr")), (2, 2))

    def test_flops_are_counted(self):
        from torch.utils.flop_counter import FlopCounterMode
        a, b, tall = torch.eye(6).expand(4, 6, 6).contiguous(), torch.ones(4, 6, 2), torch.randn(4, 9, 6)
        factors, tau = tephra.geqrf(tall)
        lu, pivots = tephra.lu_factor(a)
        for call, wanted in (
            (lambda: tephra.bmm(a, b), 4 * 2 * 6 * 6 * 2), (lambda: tephra.solve_triangular(a, b, upper=True), 4 * 36 * 2),
            (lambda: tephra.inv(a), 4 * 2 * 216), (lambda: tephra.cholesky(a), 4 * 72), (lambda: tephra.lu_factor(a), 4 * 144),
            (lambda: tephra.lu_solve(lu, pivots, b), 4 * 2 * 36 * 2), (lambda: tephra.solve(a, b), 4 * (144 + 144)),
            (lambda: tephra.geqrf(tall), 4 * (2 * 9 * 36 - 144)), (lambda: tephra.det(a), 4 * 144),
            (lambda: tephra.cholesky_solve(b, a), 4 * 144), (lambda: tephra.cholesky_inverse(a), 4 * 144),
            (lambda: tephra.householder_product(factors, tau), 4 * (4 * 9 * 36 - 2 * 15 * 36 + 4 * 72)),
            (lambda: tephra.ormqr(factors, tau, tall), 4 * 2 * 6 * 6 * 12),
            (lambda: tephra.qr(tall), 4 * (2 * 9 * 36 - 144 + 4 * 9 * 36 - 2 * 15 * 36 + 4 * 72)),
            (lambda: tephra.lstsq(tall, torch.ones(4, 9, 1)), 4 * (2 * 9 * 36 - 144 + 2 * 6 * 12 + 36)),
            (lambda: tephra.slogdet(a), 4 * 144),
        ):
            with FlopCounterMode(display=False) as counter:
                call()
            self.assertEqual(counter.get_total_flops(), wanted)

    def test_the_first_counter_counts(self):
        """The counter may be imported after the package, and be active before the first call."""
        program = ("import torch, tephra\n"
                   "from torch.utils.flop_counter import FlopCounterMode\n"
                   "with FlopCounterMode(display=False) as counter:\n"
                   "    tephra.inv(torch.eye(6))\n"
                   "print(counter.get_total_flops())\n")
        done = subprocess.run([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True, check=True)
        self.assertEqual(int(done.stdout), 2 * 216)

    def test_autocast(self):
        """16-bit types are computed in single precision, as by torch.linalg."""
        for half in (torch.bfloat16, torch.float16):
            a, b = (4 * torch.eye(3)).to(half), torch.ones(3, 2).to(half)
            with self.assertRaisesRegex(TypeError, "a is torch"):
                tephra.inv(a)
            self.assertIs(tephra.solve(a, b).dtype, half)
            with torch.autocast("cpu", dtype=torch.bfloat16):
                for call in (lambda: tephra.solve(a, b), lambda: tephra.solve(a.float(), b), lambda: tephra.inv(a), lambda: tephra.qr(a).R,
                             lambda: tephra.lstsq(a, b).solution, lambda: tephra.bmm(a, b), lambda: tephra.cholesky(a),
                             lambda: tephra.lu_solve(*tephra.lu_factor(a), b), lambda: tephra.cholesky_solve(b, a)):
                    self.assertIs(call().dtype, torch.float32)
                for n in (-1, 0, 1, 2):
                    self.assertIs(tephra.matrix_power(a, n).dtype, torch.float32)
                leaf = a.clone().requires_grad_()
                tephra.inv(leaf).sum().backward()
                self.assertIs(leaf.grad.dtype, half)

    def test_compiled_with_other_numbers(self):
        """Numbers that differ between calls, which torch.compile() turns into symbols."""
        a = torch.diag(torch.tensor([1, 1e-2, 1e-4]))
        torch._dynamo.reset()
        power, rank = (torch.compile(function, fullgraph=True, backend="eager", dynamic=True) for function in (
            lambda a, n: tephra.matrix_power(a, n), lambda a, rcond: tephra.matrix_rank(a, rcond=rcond)))
        for n in (0, 1, 2, 3, 5):
            torch.testing.assert_close(power(2 * torch.eye(2), n), 2.0 ** n * torch.eye(2))
        self.assertEqual([int(rank(a, rcond)) for rcond in (1e-1, 1e-3, 1e-5)], [1, 2, 3])
        equation = torch.compile(lambda a, b: tephra.tensorsolve(a, b, dims=(0,)), fullgraph=True, backend="eager")
        torch.testing.assert_close(equation(2 * torch.eye(3), torch.ones(3)), torch.full((3,), 0.5))

    def test_derivatives_with_info(self):
        from torch.autograd import gradcheck
        a = (torch.randn(2, 3, 3, dtype=torch.float64) + 4 * torch.eye(3)).requires_grad_()
        b = torch.randn(2, 3, 2, dtype=torch.float64, requires_grad=True)
        for function in (lambda a, b: tephra.solve_ex(a, b).result, lambda a, b: tephra.inv_ex(a).inverse @ b,
                         lambda a, b: tephra.cholesky_ex(a @ a.mT).L @ b, lambda a, b: tephra.lu_factor_ex(a).LU @ b,
                         lambda a, b: tephra.lu(a).L @ tephra.lu(a).U @ b, lambda a, b: tephra.matrix_power(a, -2) @ b,
                         lambda a, b: tephra.solve(a, b.mT, left=False),
                         lambda a, b: tephra.multi_dot([a[0], a[1], b[0]]), lambda a, b: tephra.tensorinv(a[0], ind=1) @ b,
                         lambda a, b: tephra.tensorsolve(a[0], b[0, :, 0])):
            self.assertTrue(gradcheck(function, (a, b), check_forward_ad=True))

    def test_compiled_and_vmapped(self):
        a, b = torch.randn(2, 3, 3, dtype=torch.float64) + 4 * torch.eye(3), torch.randn(2, 3, 2, dtype=torch.float64)

        def function(a, b):
            x, info = tephra.solve_ex(a, b)
            y, _ = tephra.inv_ex(A=a)
            return x, info, y, tephra.cholesky_ex(a @ a.mT).L, tephra.lu_factor_ex(a).info, tephra.matrix_power(a, 3), *tephra.lu(a)

        wanted = function(a, b)
        torch._dynamo.reset()
        for got in (torch.compile(function, fullgraph=True, backend="aot_eager")(a, b), torch.func.vmap(function)(a, b)):
            for one, other in zip(got, wanted):
                torch.testing.assert_close(one, other)


if __name__ == "__main__":
    unittest.main()
