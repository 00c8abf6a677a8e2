"""Tests tephra.jax: results, transformations and derivatives, compared with NumPy's and jax.numpy.linalg's."""
import contextlib
import ctypes
import importlib.util
import io
import itertools
import os
import re
import subprocess
import sys
import unittest
from importlib import metadata
from pathlib import Path

import numpy as np

import tephra
from tephra import _library

try:
    import jax
    import jax.numpy as jnp
    from jax.test_util import check_grads
except ImportError:
    jax = None
    missing = "JAX is not installed"
else:
    try:
        import tephra.jax as tj
    except ImportError as error:  # in a source tree without compiled handlers
        if any(d.metadata["Name"] == "libtephra" for d in metadata.distributions()):
            raise
        jax, missing = None, str(error)

TYPES = ("float32", "float64", "complex64", "complex128")
SHAPES = ((4, 4), (6, 3), (3, 5), (1, 1), (3, 0), (0, 3))


def grid(*shapes):
    """(type, batch dimensions, shape), which cover every type, every batch and every shape."""
    yield from ((kind, (3,), shapes[0]) for kind in TYPES)
    yield from (("float64", batch, shapes[0]) for batch in ((), (2, 3), (0,), (1, 1)))
    yield from (("complex64", batch, shape) for batch in ((), (3,)) for shape in shapes[1:])


# On the host, to avoid a compilation for each shape.

def random(kind, *shape, seed=1):
    g = np.random.default_rng([seed, *shape])
    x = g.uniform(-1, 1, shape)
    return (x + 1j * g.uniform(-1, 1, shape) if "complex" in kind else x).astype(kind)


def regular(kind, *shape, seed=1):
    """Well-conditioned square matrices."""
    n = shape[-1]
    return random(kind, *shape, seed=seed) / max(n, 1) + 2 * np.eye(n, dtype=kind)


def definite(kind, *shape, seed=1):
    a = random(kind, *shape, seed=seed)
    return a @ adjoint(a) / max(shape[-1], 1) + np.eye(shape[-1], dtype=kind)


def adjoint(a):
    return np.conj(np.swapaxes(a, -1, -2))


def host(tree):
    return jax.tree.map(np.asarray, tree)


@unittest.skipIf(jax is None, missing if jax is None else "")
class Case(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.was = jax.config.jax_enable_x64, jax.config.jax_default_matmul_precision
        jax.config.update("jax_enable_x64", True)
        jax.config.update("jax_default_matmul_precision", "highest")

    @classmethod
    def tearDownClass(cls):
        jax.config.update("jax_enable_x64", cls.was[0])
        jax.config.update("jax_default_matmul_precision", cls.was[1])

    def near(self, got, wanted, factor=50):
        """Asserts equal shapes and types, and equal elements up to a few rounding errors."""
        got, wanted = jax.tree.leaves(host(got)), jax.tree.leaves(host(wanted))
        self.assertEqual(len(got), len(wanted))
        for x, y in zip(got, wanted):
            self.assertEqual((x.shape, x.dtype), (y.shape, y.dtype))
            if x.dtype.kind in "fc":
                np.testing.assert_allclose(x, y, factor * np.finfo(x.dtype).eps, factor * np.finfo(x.dtype).eps)
            else:
                np.testing.assert_array_equal(x, y)


class Results(Case):
    def test_qr(self):
        for kind, batch, (m, n) in grid(*SHAPES):
            a = random(kind, *batch, m, n)
            for mode in ("reduced", "complete", "r"):
                with self.subTest(mode, kind=kind, shape=a.shape):
                    wanted = np.linalg.qr(a, mode)
                    self.near(tj.qr(a, mode), wanted if mode == "r" else tuple(wanted))
        for kind in TYPES:
            a = random(kind, 2, 4, 3)
            self.near(tj.qr(a, mode="raw"), jnp.linalg.qr(a, "raw"))
        self.near(tj.qr(a, "full"), tj.qr(a), 0)

    def test_qr_with_pivoting(self):
        for kind, batch, (m, n) in grid(*SHAPES):
            a = random(kind, *batch, m, n)
            with self.subTest(kind=kind, shape=a.shape):
                for mode in ("reduced", "complete"):
                    q, r, p = host(tj.qr(a, mode, pivoting=True))
                    inner = m if mode == "complete" else min(m, n)
                    self.assertEqual((q.shape, r.shape, p.shape, p.dtype),
                                     ((*batch, m, inner), (*batch, inner, n), (*batch, n), np.int32))
                    self.near(q @ r, np.take_along_axis(a, p[..., None, :], -1))
                    self.near(adjoint(q) @ q, np.broadcast_to(np.eye(inner, dtype=kind), (*batch, inner, inner)))
                    np.testing.assert_array_equal(r, np.triu(r))
                    columns = np.broadcast_to(np.arange(n), (*batch, n))
                    np.testing.assert_array_equal(np.sort(p, -1), columns)
                    if p.size and m:
                        np.testing.assert_array_equal(p[..., 0], np.linalg.norm(a, axis=-2).argmax(-1))
                        diagonal = np.abs(np.diagonal(r, axis1=-2, axis2=-1))
                        self.assertTrue((np.diff(diagonal) <= 0).all())
                self.near(tj.qr(a, pivoting=True)[1:], tj.qr(a, "r", pivoting=True), 0)
                h, tau, order = host(tj.qr(a, "raw", pivoting=True))
                k = min(m, n)
                self.near(np.triu(np.swapaxes(h, -1, -2)[..., :k, :]), tj.qr(a, "r", pivoting=True)[0])
                self.assertEqual(tau.shape, (*batch, k))
                np.testing.assert_array_equal(np.sort(order, -1), columns)
        for kind in TYPES:
            for m, n in ((40, 30), (30, 40)):
                a = random(kind, m, n)
                self.near(tj.qr(a, pivoting=True), jax.scipy.linalg.qr(a, mode="economic", pivoting=True), 500)

    def test_any_rank(self):
        for kind in TYPES:
            rcond = float(np.sqrt(np.finfo(kind).eps))
            for m, n, rank in ((6, 6, 3), (30, 12, 5), (12, 30, 7), (5, 5, 5), (4, 7, 0)):
                a = random(kind, 2, 3, m, rank) @ random(kind, 2, 3, rank, n, seed=2)
                b = random(kind, 3, m, 2, seed=3)
                with self.subTest(kind=kind, m=m, n=n, rank=rank):
                    wide = a.astype("complex128")
                    wanted = np.linalg.pinv(wide if "complex" in kind else wide.real, rcond=rcond)
                    wanted = wanted.astype(kind) if rank else np.zeros((2, 3, n, m), kind)
                    factor = 1000 * (1 + np.abs(wanted).max() ** 2)
                    self.near(tj.pinv(a, rcond), wanted, factor)
                    x, residuals, found = host(tj.lstsq(a, b, rcond, driver="gelsy"))
                    self.near(x, wanted @ b, factor)
                    self.near(residuals, (np.abs(b - a @ x) ** 2).sum(-2), factor)
                    np.testing.assert_array_equal(found, np.full((2, 3), rank))
                    for ranks in (tj.matrix_rank(a, rcond), tj.lstsq(a, b[..., :0], rcond, driver="gelsy").rank):
                        self.near(ranks, np.full((2, 3), rank, "int32"))
                    vector, residual, _ = host(tj.lstsq(a[0, 0], b[0, :, 0], rcond, driver="gelsy"))
                    self.near((vector, residual), (x[0, 0, :, 0], residuals[0, 0, :1]), factor)
        for m, n in ((0, 3), (3, 0)):
            self.near(tj.pinv(np.zeros((2, m, n))), np.zeros((2, n, m)))
            self.near(tj.matrix_rank(np.zeros((2, m, n))), np.zeros(2, "int32"))
            self.near(tj.lstsq(np.zeros((m, n)), np.ones(m), driver="gelsy"), (np.zeros(n), np.full(1, m, float), np.int32(0)))
        # The rank follows from the condition number that the caller accepts.
        a = np.diag([1, 1e-3, 1e-6])
        self.assertEqual([int(tj.matrix_rank(a, rtol)) for rtol in (None, 1e-7, 1e-5, 1e-2)], [3, 3, 2, 1])
        for number in (np.array(1e-2), jnp.array(1e-2), np.float32(1e-2)):  # arrays that hold one number
            self.assertEqual(int(tj.matrix_rank(a, number)), 1)
            self.near(tj.pinv(a, number), tj.pinv(a, 1e-2), 0)
            self.assertEqual(int(tj.lstsq(a, a, number, driver="gelsy").rank), 1)
        # With 1 or more, no singular value is large enough.
        for rtol in (1, 2, float("inf")):
            self.near(tj.matrix_rank(np.stack((a, a)), rtol), np.zeros(2, "int32"))
            self.near(tj.pinv(a[:2], rtol), np.linalg.pinv(a[:2], rtol))
            self.near(jax.grad(lambda a: tj.pinv(a, rtol).sum())(a), np.zeros((3, 3)))
        self.assertEqual([int(tj.matrix_rank(a, rtol)) for rtol in (-1, float("-inf"))], [3, 3])
        with self.assertRaises(ValueError):
            tj.matrix_rank(a, float("nan"))
        self.assertEqual(int(tj.lstsq(a, a, 2, driver="gelsy").rank), 1)  # as LAPACK's gelsy

    def test_matrices_with_one_dimension_less(self):
        # One matrix of right-hand sides for all of a batch; its two columns show that it is no vectors.
        a, b = regular("float64", 2, 3, 3), random("float64", 3, 2, seed=2)
        factors, triangle = jax.scipy.linalg.lu_factor(a), np.tril(a)
        self.near(tj.lu_solve(factors, b), np.linalg.solve(a, b))
        self.near(tj.cho_solve((triangle, True), b), np.linalg.solve(triangle @ np.swapaxes(triangle, -1, -2), b))
        self.near(tj.solve_triangular(a, b, lower=True), np.linalg.solve(triangle, b))

    def test_lstsq_of_any_rank_has_the_shapes_of_jax(self):
        for m, n in ((5, 3), (3, 5), (4, 4), (1, 1), (0, 3), (3, 0), (0, 0)):
            for kind, right in (("float32", (m,)), ("complex128", (m,)), ("complex64", (m, 2)), ("float64", (m, 0))):
                a, b = random(kind, m, n), random(kind, *right, seed=2)
                x, residuals, rank = tj.lstsq(a, b, driver="gelsy")
                wanted = jax.numpy.linalg.lstsq(a, b)
                self.near((x, residuals), wanted[:2], 500)
                self.assertEqual((int(rank), rank.shape), (int(wanted[2]), wanted[2].shape))

    def test_lu(self):
        for kind, batch, (m, n) in grid(*SHAPES):
            a = random(kind, *batch, m, n)
            with self.subTest(kind=kind, shape=a.shape):
                p, l, u = host(tj.lu(a))
                self.near(p.astype(kind) @ l @ u, a)
                k = min(m, n)
                self.assertEqual((p.dtype, l.shape, u.shape), (a.real.dtype, (*batch, m, k), (*batch, k, n)))
                np.testing.assert_array_equal(p.sum(-1), np.ones((*batch, m)))
                np.testing.assert_array_equal((l, u), (np.tril(l), np.triu(u))) if m == n else None
                self.near(tj.lu_factor(a)[0], np.tril(np.pad(l, [(0, 0)] * len(batch) + [(0, 0), (0, n - k)]), -1)
                          + np.pad(u, [(0, 0)] * len(batch) + [(0, m - k), (0, 0)]), 0)
                self.near(tj.lu(a, permute_l=True), (p.astype(kind) @ l, u))
        for kind in TYPES:
            a = random(kind, 3, 5, 4)
            self.near(tj.lu_factor(a), jax.scipy.linalg.lu_factor(a))

    def test_systems(self):
        for kind, batch, (n, nrhs) in grid((4, 3), (4, 1), (1, 2), (0, 3), (4, 0), (0, 0)):
            a, b, d = regular(kind, *batch, n, n), random(kind, *batch, n, nrhs, seed=2), definite(kind, *batch, n, n)
            with self.subTest(kind=kind, shape=b.shape, n=n):
                self.near(tj.solve(a, b), np.linalg.solve(a, b))
                self.near(tj.inv(a), np.linalg.inv(a))
                for trans, op in enumerate((a, np.swapaxes(a, -1, -2), adjoint(a))):
                    self.near(tj.lu_solve(tj.lu_factor(a), b, trans), np.linalg.solve(op, b))
                for lower in (False, True):
                    self.near(tj.cho_solve(tj.cho_factor(d, lower), b), np.linalg.solve(d, b))

    def test_vectors(self):
        for kind in TYPES:
            a, b, d, several = regular(kind, 4, 4), random(kind, 4, seed=2), definite(kind, 4, 4), regular(kind, 3, 4, 4)
            self.near(tj.solve(a, b), np.linalg.solve(a, b))
            self.near(tj.lu_solve(tj.lu_factor(a), b), np.linalg.solve(a, b))
            self.near(tj.cho_solve(tj.cho_factor(d), b), np.linalg.solve(d, b))
            self.near(tj.solve_triangular(a, b, lower=True), np.linalg.solve(np.tril(a), b))
            self.near(tj.triangular_solve(a, b, left_side=True), np.linalg.solve(np.triu(a), b))
            self.near(tj.triangular_solve(a, b, left_side=False), np.linalg.solve(np.triu(a).T, b))
            self.near(tj.solve(several, b), np.linalg.solve(several, b))
            sides = random(kind, 3, 4)
            self.near(tj.lu_solve(tj.lu_factor(several), sides), np.linalg.solve(several, sides[..., None])[..., 0])

    def test_determinants(self):
        for kind, batch, n in grid(4, 1, 0):
            a = random(kind, *batch, n, n)
            with self.subTest(kind=kind, shape=a.shape):
                self.near(tj.det(a), np.linalg.det(a))
                self.near(tj.slogdet(a), tuple(np.linalg.slogdet(a)))
        self.near(tj.slogdet(a, method="lu"), tj.slogdet(a), 0)
        with self.assertRaises(ValueError):
            tj.slogdet(a, method="qr")

    def test_determinants_whose_partial_products_leave_the_range(self):
        for kind in TYPES:
            huge = float(np.finfo(kind).max) ** 0.75
            unit = np.exp(1j) if "complex" in kind else -1
            for n in (2, 3, 31, 32, 33, 70):
                for factor in (huge, 1 / huge):
                    diagonal = np.full(n, factor * unit, kind)
                    diagonal[n // 2:] = 1 / factor
                    if n % 2:
                        diagonal[-1] = 2
                    det = tj.det(np.stack((np.diag(diagonal), np.eye(n, dtype=kind))))
                    self.near(det, np.array([(1 + n % 2) * unit ** (n // 2), 1]).astype(kind), 50 * n)
            with np.errstate(over="ignore"):
                self.near(tj.det(np.diag([huge, huge, 1]).astype(kind)), np.array(np.inf).astype(kind))
            self.assertTrue(np.isnan(tj.det(np.diag([1, np.nan, 1]).astype(kind))))

    def test_cholesky(self):
        for kind, batch, n in grid(4, 1, 0):
            a = definite(kind, *batch, n, n)
            l = np.linalg.cholesky(a)
            for upper, symmetrize in itertools.product((False, True), repeat=2):
                with self.subTest(kind=kind, shape=a.shape, upper=upper):
                    spoilt = a + (random(kind, n, n) - adjoint(random(kind, n, n)) if symmetrize else
                                  (np.tril if upper else np.triu)(random(kind, n, n), -1 if upper else 1))
                    self.near(tj.cholesky(spoilt.astype(kind), upper=upper, symmetrize_input=symmetrize),
                              adjoint(l) if upper else l)

    def test_triangular_systems(self):
        ways = [("complex128", *way) for way in itertools.product((False, True), repeat=5)]
        ways += [(kind, left, False, True, False, False) for kind in TYPES[:3] for left in (False, True)]
        for kind, left, lower, transpose, conjugate, unit in ways:
            a, b = regular(kind, 2, 3, 3), random(kind, 2, *((3, 4) if left else (4, 3)))
            options = dict(left_side=left, lower=lower, transpose_a=transpose, conjugate_a=conjugate, unit_diagonal=unit)
            with self.subTest(kind=kind, **options):
                op = np.tril(a) if lower else np.triu(a)
                op = np.where(np.eye(3, dtype=bool), 1, op) if unit else op
                op = np.swapaxes(op, -1, -2) if transpose else op
                op = np.conj(op) if conjugate else op
                wanted = np.linalg.solve(op, b) if left else np.swapaxes(
                    np.linalg.solve(np.swapaxes(op, -1, -2), np.swapaxes(b, -1, -2)), -1, -2)
                self.near(tj.triangular_solve(a, b, **options), wanted)
        a, b = regular("complex64", 3, 3), random("complex64", 3, 2)
        for trans, lower, unit in itertools.product((0, 1, 2, "N", "T", "C"), (False, True), (False, True)):
            self.near(tj.solve_triangular(a, b, trans, lower, unit), jax.scipy.linalg.solve_triangular(a, b, trans, lower, unit))

    def test_least_squares(self):
        for kind, batch, (m, n) in grid(*SHAPES):
            a, b = random(kind, *batch, m, n), random(kind, *batch, m, 2, seed=2)
            with self.subTest(kind=kind, shape=a.shape):
                wanted = np.linalg.pinv(a) @ b if m and n else np.zeros((*batch, n, 2), kind)
                self.near(tj.lstsq(a, b), (wanted, np.zeros(batch, "int32")), 500)
        a, b = random("float64", 6, 3), random("float64", 6, seed=2)
        self.near(tj.lstsq(a, b).solution, np.linalg.lstsq(a, b)[0], 500)
        self.near(tj.lstsq(np.zeros((3, 2)), np.zeros((3, 0))), (np.zeros((2, 0)), np.int32(1)))

    def test_batches_broadcast(self):
        a, b = regular("float64", 4, 1, 3, 3), random("float64", 5, 3, 2, seed=2)
        d = definite("float64", 3, 3)
        x = np.linalg.solve(a, b)
        lu, pivots = tj.lu_factor(a)
        for got, wanted in ((tj.solve(a, b), x), (tj.solve(a[0, 0], b), x[0]), (tj.solve(a, b[0]), x[:, :1]),
                            (tj.lu_solve((lu, pivots), b[None]), x), (tj.lu_solve((lu, pivots[0]), b[None])[0], x[0]),
                            (tj.lu_solve((lu[0, 0], pivots[0, 0]), b), x[0]),
                            (tj.cho_solve(tj.cho_factor(d), b), np.linalg.solve(d, b)),
                            (tj.solve_triangular(a, b[None]), np.linalg.solve(np.triu(a), b)),
                            (tj.triangular_solve(a, np.swapaxes(b, -1, -2)[None], transpose_a=True),
                             np.swapaxes(np.linalg.solve(np.triu(a), b), -1, -2)),
                            (tj.lstsq(a, b), (x, np.zeros((4, 5), "int32")))):
            self.near(got, wanted)

    def test_types_are_promoted_as_in_jax(self):
        for x64, kind in itertools.product((True, False), ("int64", "int32", "int8", "bool")):
            with jax.enable_x64(x64):
                a = np.eye(2, dtype=kind)
                self.assertEqual(tj.qr(a).R.dtype, jnp.linalg.qr(a).R.dtype, (x64, kind))
        a = np.asarray([[2, 1], [1, 3]])
        for first, second in (("float32", "float64"), ("complex64", "float64"), ("int32", "complex64"), ("int32", "float32")):
            x, y = a.astype(first), a.astype(second)
            self.near(tj.solve(x, y), jnp.linalg.solve(x, y))

    def test_strict_promotion(self):
        """Arrays of one type are all that the functions and their derivatives need."""
        for kind in TYPES:
            a, b = jnp.asarray(regular(kind, 2, 3, 3)), jnp.asarray(random(kind, 2, 3, 2))
            with jax.numpy_dtype_promotion("strict"):
                for call, operands in ((lambda a: tuple(tj.lu(a)[1:]), (a,)), (lambda a: tj.lu(a, True), (a,)),
                                       (lambda a: tuple(tj.slogdet(a)), (a,)), (tj.det, (a,)), (tj.solve, (a, b)),
                                       (lambda a: tuple(tj.qr(a)), (a,)), (tj.cholesky, (a,)),
                                       (lambda a, b: tj.lstsq(a, b).solution, (a, b))):
                    out, gradient = jax.vjp(call, *operands)
                    gradient(out)

    def test_not_a_number_is_found(self):
        """With jax_debug_nans, JAX runs a function whose results are not numbers again without jit."""
        with jax.debug_nans(True), contextlib.redirect_stdout(io.StringIO()):
            for call in (jnp.linalg.inv, tj.inv, lambda a: tj.solve(a, a), lambda a: tj.cholesky(a - 1)):
                for function in (call, jax.jit(call)):
                    with self.assertRaises(FloatingPointError):
                        function(jnp.zeros((2, 2)))
            self.near(tj.inv(2 * np.eye(2)), np.eye(2) / 2)

    def test_random_shapes(self):
        g = np.random.default_rng(7)
        for _ in range(8):
            kind, batch = TYPES[g.integers(4)], tuple(g.integers(1, 5, g.integers(0, 3)))
            m, n, nrhs = map(int, g.integers(1, 70, 3))
            with self.subTest(kind=kind, batch=batch, m=m, n=n, nrhs=nrhs):
                q, r = host(tj.qr(random(kind, *batch, m, n)))
                self.near(q @ r, random(kind, *batch, m, n), 100)
                a, b, d = regular(kind, *batch, n, n), random(kind, *batch, n, nrhs), definite(kind, *batch, n, n)
                self.near(a @ host(tj.solve(a, b)), b, 100)
                p, l, u = host(tj.lu(random(kind, *batch, m, n)))
                self.near(p.astype(kind) @ l @ u, random(kind, *batch, m, n), 100)
                l = host(tj.cholesky(d))
                self.near(l @ adjoint(l), d, 100)
                self.near(tj.solve_triangular(l, l @ b, lower=True), b, 500)


class Singular(Case):
    def test_a_bad_member_changes_no_other(self):
        for kind in TYPES:
            a, b, d, tall = map(jnp.asarray, (regular(kind, 5, 4, 4), random(kind, 5, 4, 2), definite(kind, 5, 4, 4),
                                              random(kind, 5, 6, 4)))
            calls = {"qr": lambda a, b, d, t: tj.qr(t), "lu": lambda a, b, d, t: tj.lu(a),
                     "solve": lambda a, b, d, t: tj.solve(a, b), "inv": lambda a, b, d, t: tj.inv(a), "cholesky": lambda a, b, d, t: tj.cholesky(d),
                     "lstsq": lambda a, b, d, t: tj.lstsq(t, jnp.concatenate((b, b[:, :2]), 1)),
                     "solve_triangular": lambda a, b, d, t: tj.solve_triangular(a, b),
                     "pivoting": lambda a, b, d, t: tj.qr(t, pivoting=True), "pinv": lambda a, b, d, t: tj.pinv(t),
                     "gelsy": lambda a, b, d, t: tj.lstsq(a, b, driver="gelsy")}
            for (name, call), bad in itertools.product(calls.items(), (0, float("nan"), float("inf"))):
                with self.subTest(name, kind=kind, bad=bad):
                    good = call(a, b, d, tall)
                    spoilt = call(*(x.at[2].set(bad) for x in (a, b, d, tall)))
                    for x, y in zip(jax.tree.leaves(host(good)), jax.tree.leaves(host(spoilt))):
                        np.testing.assert_array_equal(np.delete(x, 2, 0), np.delete(y, 2, 0))

    def test_singular_is_nan(self):
        for kind in TYPES:
            a, b, d = regular(kind, 3, 4, 4), random(kind, 3, 4, 2), definite(kind, 3, 4, 4)
            a[1, :, 0], d[1, 2, 2] = 0, -5
            for x in host((tj.solve(a, b), tj.inv(a), tj.cholesky(d), tj.lstsq(a, b)[0])):
                np.testing.assert_array_equal(np.isnan(x).any((-1, -2)), [False, True, False])
                self.assertTrue(np.isnan(x[1]).all())
            self.assertEqual(tj.det(a)[1], 0)
            self.assertEqual(tuple(tj.slogdet(a[1])), (0, -jnp.inf))
            np.testing.assert_array_equal(tj.lstsq(a, b).info, [0, 1, 0])
            self.assertTrue(np.isfinite(host(tj.lu(a))[2]).all())


class Errors(Case):
    def test_they_come_before_the_call_and_name_the_argument(self):
        a = jnp.eye(3)
        for error, text, call in (
            (ValueError, r"a has shape \(3,\), but needs at least 2 dimensions", lambda: tj.qr(a[0])),
            (ValueError, r"a has shape \(3,\), but needs at least 2 dimensions", lambda: tj.qr(a[0], "raw")),
            (ValueError, r"a has shape \(3,\), but needs at least 2 dimensions", lambda: tj.lu(a[0])),
            (ValueError, "mode is 'whole', but must be 'reduced', 'complete', 'r', 'raw' or 'full'", lambda: tj.qr(a, "whole")),
            (ValueError, "a holds 2 x 3 matrices, but they must be square", lambda: tj.solve(a[:2], a)),
            (ValueError, "b has 2 rows, but must have 3, the order of a", lambda: tj.solve(a, a[:2])),
            (ValueError, r"b has batch dimensions \(2,\), which do not broadcast with \(4,\) of a",
             lambda: tj.solve(jnp.ones((4, 3, 3)), jnp.ones((2, 3, 1)))),
            (ValueError, "a holds 2 x 3 matrices, but they must be square", lambda: tj.inv(a[:2])),
            (ValueError, "a holds 2 x 3 matrices, but they must be square", lambda: tj.det(a[:2])),
            (ValueError, "a holds 2 x 3 matrices, but they must be square", lambda: tj.slogdet(a[:2])),
            (ValueError, "a holds 2 x 3 matrices, but they must be square", lambda: tj.cholesky(a[:2])),
            (ValueError, "a holds 2 x 3 matrices, but they must be square", lambda: tj.solve_triangular(a[:2], a)),
            (ValueError, "b holds 2 x 3 matrices, but they must have 3 rows", lambda: tj.solve_triangular(a, a[:2])),
            (ValueError, "trans is 3, but must be 0 or 'N'", lambda: tj.solve_triangular(a, a, 3)),
            (ValueError, "pivots has 2 elements, but must have 3", lambda: tj.lu_solve((a, jnp.ones(2, int)), a)),
            (ValueError, "b has 2 rows, but must have 3, as many as a", lambda: tj.lstsq(a, a[:2])),
            (ValueError, "b has 2 rows, but must have 3, as many as a", lambda: tj.lstsq(a, a[:2], driver="gelsy")),
            (ValueError, "driver is 'gelsd', but must be 'gels' or 'gelsy'", lambda: tj.lstsq(a, a, driver="gelsd")),
            (ValueError, "rcond is 0.5, but driver 'gels'", lambda: tj.lstsq(a, a, 0.5)),
            (ValueError, "mode is 'full', but must be 'reduced', 'complete', 'r' or 'raw'", lambda: tj.qr(a, "full", pivoting=True)),
            (TypeError, "rcond is '1e-3', but must be a number", lambda: tj.lstsq(a, a, "1e-3", driver="gelsy")),
            (ValueError, "rtol is nan, but must be a number", lambda: tj.matrix_rank(a, float("nan"))),
            (TypeError, "rtol is 'small', but must be a number", lambda: tj.pinv(a, "small")),
            (TypeError, r"rtol is .*, but must be a number", lambda: tj.pinv(a, jnp.ones(3))),
            (TypeError, r"rtol is array\(.*\), but must be a number", lambda: tj.matrix_rank(a, np.ones(3))),
            (TypeError, r"rcond is array\(.*\), but must be a number", lambda: tj.lstsq(a, a, np.ones(3), driver="gelsy")),
            (TypeError, "rtol is .*Tracer.*, but must be a number", lambda: jax.jit(tj.pinv)(a, 1e-3)),
            (ValueError, r"a has shape \(3,\), but needs at least 2 dimensions", lambda: tj.qr(a[0], "raw", pivoting=True)),
            (ValueError, r"a has shape \(3,\), but needs at least 2 dimensions", lambda: tj.pinv(a[0])),
            (ValueError, r"a has shape \(3,\), but needs at least 2 dimensions", lambda: tj.matrix_rank(a[0])),
            (TypeError, "a: float16 is not supported; use float32", lambda: tj.qr(a.astype("float16"))),
            (TypeError, "a and b: bfloat16 is not supported", lambda: tj.solve(a.astype("bfloat16"), a.astype("bfloat16"))),
        ):
            with self.subTest(text):
                for make in (call, lambda: jax.jit(call)()):
                    with self.assertRaisesRegex(error, text):
                        make()

    def test_what_the_library_says_is_in_the_error(self):
        """The forced plan supports neither a program that is already compiled nor one to be compiled."""
        set_plan = _library._function("tephra_set_plan")
        set_plan.argtypes = [ctypes.c_char_p]
        a = random("float32", 2, 5, 4)
        compiled = jax.jit(lambda a: tj.qr(a, "raw")).lower(a).compile()
        compiled(a)
        self.assertEqual(set_plan(b"lanes"), 0)
        try:
            with self.assertRaisesRegex(Exception, "tephra.jax: geqrf: .*no allowed plan"):
                jax.block_until_ready(compiled(a))
        finally:
            self.assertEqual(set_plan(None), 0)
        self.near(compiled(a), tj.qr(a, "raw"), 0)

    def test_there_is_no_derivative_where_there_is_none(self):
        a = random("float64", 4, 2)
        for mode, pivoting in itertools.product(("complete", "raw"), (False, True)):
            with self.assertRaisesRegex(NotImplementedError, f"qr has no derivative for mode '{mode}'"):
                jax.jacfwd(lambda a: tuple(tj.qr(a, mode, pivoting=pivoting))[:2])(a)


def derivable(kind):
    """(name, function, its operands, JAX's equivalent or None)."""
    def a(*shape):
        return random(kind, *shape)

    def b(*shape):
        return random(kind, *shape, seed=2)

    l, s = jnp.linalg, jax.scipy.linalg
    for shape in ((4, 4), (2, 4, 2)):
        yield f"qr {shape}", lambda a: tuple(tj.qr(a)), (a(*shape),), lambda a: tuple(l.qr(a))
    yield "r", lambda a: tj.qr(a, "r"), (a(5, 3),), lambda a: l.qr(a, "r")
    yield "qr wide", lambda a: tuple(tj.qr(a)), (a(3, 5),), None
    yield "r wide", lambda a: tj.qr(a, "r"), (a(2, 3, 4),), None
    yield "qr complete", lambda a: tuple(tj.qr(a, "complete")), (a(2, 3, 3),), lambda a: tuple(l.qr(a, "complete"))
    for shape in ((2, 4, 4), (5, 3), (3, 5)):
        yield f"lu_factor {shape}", lambda a: tj.lu_factor(a)[0], (a(*shape),), lambda a: s.lu_factor(a)[0]
    yield "lu", lambda a: tj.lu(a)[1:], (a(4, 4),), lambda a: s.lu(a)[1:]
    yield "lu permute_l", lambda a: tj.lu(a, True), (a(4, 3),), lambda a: s.lu(a, True)
    square = regular(kind, 2, 3, 3)
    yield "solve", tj.solve, (square, b(2, 3, 2)), l.solve
    yield "solve vector", tj.solve, (square[0], b(3)), l.solve
    yield "solve broadcast", tj.solve, (square[0], b(2, 3, 2)), l.solve
    yield "inv", tj.inv, (square,), l.inv
    yield "det", tj.det, (square,), l.det
    yield "slogdet", lambda a: tuple(tj.slogdet(a)), (square,), lambda a: tuple(l.slogdet(a))
    factors, pivots = tj.lu_factor(square)
    for trans in (0, 1, 2):
        yield (f"lu_solve {trans}", lambda f, b, trans=trans: tj.lu_solve((f, pivots), b, trans), (factors, b(2, 3, 2)),
               lambda f, b, trans=trans: s.lu_solve((f, pivots), b, trans))
    for lower in (False, True):
        yield (f"cholesky {lower}", lambda a, lower=lower: tj.cholesky(a, upper=not lower), (definite(kind, 2, 3, 3),),
               lambda a, lower=lower: l.cholesky(a, upper=not lower))
        yield (f"cho_solve {lower}", lambda c, b, lower=lower: tj.cho_solve((c, lower), b),
               (tj.cho_factor(definite(kind, 2, 3, 3), lower)[0], b(2, 3, 2)),
               lambda c, b, lower=lower: s.cho_solve((c, lower), b))
    for left, transpose, conjugate in itertools.product((False, True), repeat=3):
        options = dict(left_side=left, lower=left ^ transpose, transpose_a=transpose, conjugate_a=conjugate,
                       unit_diagonal=left & conjugate)
        yield (f"triangular_solve {options}", lambda a, b, options=options: tj.triangular_solve(a, b, **options),
               (square, b(2, *((3, 2) if left else (2, 3)))),
               lambda a, b, options=options: jax.lax.linalg.triangular_solve(a, b, **options))
    for shape in ((4, 4), (5, 3), (3, 5)):
        yield f"lstsq {shape}", lambda a, b: tj.lstsq(a, b).solution, (a(*shape), b(shape[0], 2)), lambda a, b: l.pinv(a) @ b
    def pivoted(mode):
        return lambda a: tj.qr(a, mode, pivoting=True)[:-1]

    def pivoted_by_jax(mode):
        return lambda a: s.qr(a, mode=mode, pivoting=True)[:-1]

    for shape in ((4, 4), (4, 3)):
        yield f"pivoting {shape}", pivoted("reduced"), (a(*shape),), pivoted_by_jax("economic")
    yield "pivoting of a batch", pivoted("reduced"), (a(2, 4, 3),), None  # JAX supports only one matrix
    yield "pivoting complete", pivoted("complete"), (a(3, 3),), pivoted_by_jax("full")
    yield "pivoting r", pivoted("r"), (a(5, 3),), None
    yield "pivoting wide", pivoted("reduced"), (a(3, 5),), None
    for shape in ((4, 4), (2, 5, 3), (3, 5)):
        yield f"pinv {shape}", tj.pinv, (a(*shape),), l.pinv
        yield (f"gelsy {shape}", lambda a, b: tj.lstsq(a, b, driver="gelsy")[:2], (a(*shape), b(shape[-2], 2)),
               lambda a, b: (l.pinv(a) @ b, (jnp.abs(b - a @ (l.pinv(a) @ b)) ** 2).sum(-2)))
    # Of rank 2, which changes of the factors preserve.
    rtol = 1e-3
    yield ("gelsy of rank 2", lambda c, f, b: tj.lstsq(c @ f, b, rtol, driver="gelsy").solution, (a(5, 2), b(2, 4), b(5, 2)),
           lambda c, f, b: l.pinv(c @ f, rtol) @ b)
    yield "pinv of rank 2", lambda c, f: tj.pinv(c @ f, rtol), (a(4, 2), b(2, 5)), lambda c, f: l.pinv(c @ f, rtol)
    yield "lstsq broadcast", lambda a, b: tj.lstsq(a, b).solution, (a(5, 3), b(2, 5, 2)), None


class Derivatives(Case):
    def test_beside_differences(self):
        """Compares first and second derivatives, forward and reverse, with differences."""
        if jax.default_backend() != "cpu":
            self.skipTest("it is the same on every device, and takes long to compile for this one")
        for name, function, operands, _ in derivable("complex128"):
            with self.subTest(name):
                check_grads(jax.jit(function), operands, order=2, modes=("fwd", "rev"), atol=1e-4, rtol=1e-4)

    def test_beside_jax(self):
        for name, function, operands, theirs in derivable("float32"):
            if theirs is None:
                continue
            with self.subTest(name):
                tangents = tuple(random("float32", *x.shape, seed=5) for x in operands)
                (out, ours), (_, wanted) = (jax.jvp(jax.jit(f), operands, tangents) for f in (function, theirs))
                self.near(ours, wanted, 5000)
                cotangents = jax.tree.map(lambda x: random(str(x.dtype), *x.shape, seed=6), out)
                ours, wanted = (jax.vjp(jax.jit(f), *operands)[1](cotangents) for f in (function, theirs))
                self.near(ours, wanted, 5000)

    def test_keep_the_type(self):
        for kind in TYPES:
            a = regular(kind, 2, 3, 3)
            ours, theirs = (jax.vjp(jax.jit(lambda a: f(a, a)), a)[1](a)[0] for f in (tj.solve, jnp.linalg.solve))
            self.near(ours, theirs, 500)

    def test_of_integers_with_them(self):
        a, b = regular("float64", 3, 3), random("float64", 3)
        gradient = jax.grad(lambda a: tj.lu_solve(tj.lu_factor(a), b).sum())(a)
        self.near(gradient, jax.grad(lambda a: jnp.linalg.solve(a, b).sum())(a), 500)
        a = jnp.asarray(a)
        gradient = jax.grad(lambda a: tj.cho_solve(tj.cho_factor(a @ a.T), b).sum())(a)
        self.near(gradient, jax.grad(lambda a: jnp.linalg.solve(a @ a.T, b).sum())(a), 500)

    def test_under_jit_and_vmap_and_remat(self):
        a, b = regular("float64", 4, 3, 3), random("float64", 4, 3)

        def loss(a, b):
            return (tj.solve(a, b) ** 2).sum() + tj.slogdet(a)[1]

        wanted = jnp.stack([jax.grad(loss)(a[i], b[i]) for i in range(4)])
        for gradient in (jax.grad(loss), jax.grad(jax.checkpoint(loss)), jax.jit(jax.grad(loss)), jax.jacrev(loss),
                         jax.jacfwd(loss)):
            self.near(jax.vmap(gradient)(a, b), wanted, 500)
        hessian = jax.vmap(jax.hessian(loss))(a, b)
        self.near(hessian, jnp.stack([jax.jacfwd(jax.jacfwd(loss))(a[i], b[i]) for i in range(4)]), 5000)

    def test_the_transposes_of_functions_linear_in_b(self):
        for kind in ("float64", "complex128"):
            for shape, columns in (((4, 4), (4, 2)), ((2, 4, 4), (2, 4, 2)), ((4, 4), (3, 4, 2)), ((4, 4), (4,)), ((6, 3), (6, 2)),
                                   ((2, 3, 5), (2, 3, 2)), ((5, 3), (2, 5, 1))):
                a, b = random(kind, *shape) + 2 * np.eye(*shape[-2:], dtype=kind), random(kind, *columns, seed=2)
                calls = [lambda b: tj.lstsq(a, b).solution, lambda b: tj.lstsq(a, b, driver="gelsy").solution]
                for call in (calls if shape[-2] != shape[-1] else [*calls, lambda b: tj.solve(a, b)]):
                    with self.subTest(kind=kind, shape=shape, columns=columns):
                        x = call(b)
                        ct = random(kind, *x.shape, seed=3)
                        transposed, = jax.linear_transpose(call, b)(ct)
                        self.near(transposed, jax.vjp(call, jnp.asarray(b))[1](jnp.asarray(ct))[0], 500)
                        self.near((transposed * b).sum(), (ct * x).sum(), 500)

    def test_singular_is_nan_under_them(self):
        a, b = np.stack([np.eye(3), np.zeros((3, 3))]), random("float64", 2, 3, 1)
        for call in (tj.solve, lambda a, b: tj.lstsq(a, b).solution):
            x, _ = jax.jvp(call, (a, b), (a, b))
            self.near(x[0], b[0])
            self.assertTrue(np.isnan(x[1]).all())


class Transformations(Case):
    def test_vmap(self):
        """Maps over any dimension of any operand, once and twice."""
        kind = "complex128"
        square, rhs, tall = regular(kind, 2, 3, 4, 4), random(kind, 2, 3, 4, 2), random(kind, 2, 3, 5, 4)
        triangle = tj.cho_factor(definite(kind, 2, 3, 4, 4))[0]
        factors, pivots = tj.lu_factor(square)
        one = {"qr": lambda a: tuple(tj.qr(a)), "r": lambda a: tj.qr(a, "r"), "raw": lambda a: tuple(tj.qr(a, "raw")),
               "pivoting": lambda a: tj.qr(a, pivoting=True), "pinv": tj.pinv, "matrix_rank": tj.matrix_rank,
               "lu": tj.lu, "lu_factor": tj.lu_factor}
        for name, call in one.items():
            with self.subTest(name):
                self.near(jax.vmap(jax.vmap(call))(tall), call(tall))
                self.near(jax.vmap(call, 1, 1)(tall), call(tall))
                self.near(jax.vmap(call, 3)(jnp.moveaxis(tall, 0, 3)), call(tall))
        for name, call in {"inv": tj.inv, "det": tj.det, "slogdet": tj.slogdet, "cholesky": tj.cholesky}.items():
            a = definite(kind, 2, 3, 4, 4)
            self.near(jax.vmap(jax.vmap(call))(a), call(a))
        two = {"solve": (tj.solve, square, rhs), "cho_solve": (lambda a, b: tj.cho_solve((a, False), b), triangle, rhs),
               "lstsq": (tj.lstsq, tall, random(kind, 2, 3, 5, 2)),
               "gelsy": (lambda a, b: tj.lstsq(a, b, driver="gelsy"), tall, random(kind, 2, 3, 5, 2)),
               "lower": (lambda a, b: tj.solve_triangular(a, b, lower=True), square, rhs),
               "right": (tj.triangular_solve, square, jnp.swapaxes(rhs, -1, -2))}
        for name, (call, a, b) in two.items():
            with self.subTest(name):
                self.near(jax.vmap(jax.vmap(call))(a, b), call(a, b))
                self.near(jax.vmap(call, (1, 1), 1)(a, b), call(a, b))
                def stacked(axis, results):
                    return jax.tree.map(lambda *x: jnp.stack(x, axis), *results)
                self.near(jax.vmap(call, (None, 1), 1)(a[:, 0], b), stacked(1, [call(a[:, 0], b[:, i]) for i in range(3)]))
                self.near(jax.vmap(call, (0, None))(a, b[0]), stacked(0, [call(x, b[0]) for x in a]))
        for trans in (0, 1, 2):
            def call(f, p, b):
                return tj.lu_solve((f, p), b, trans)
            self.near(jax.vmap(jax.vmap(call))(factors, pivots, rhs), call(factors, pivots, rhs))
            self.near(jax.vmap(call, (None, None, 0))(factors[0], pivots[0], rhs),
                      jnp.stack([call(factors[0], pivots[0], b) for b in rhs]))

    def test_a_matrix_that_meets_many_vectors_is_factored_once(self):
        a, b = regular("float64", 4, 4), random("float64", 100, 4)
        text = jax.jit(jax.vmap(tj.solve, (None, 0))).lower(a, b).as_text()
        self.assertRegex(text, r"@tephra_gesv.*tensor<4x4xf64>, tensor<4x100xf64>")
        self.near(jax.vmap(tj.solve, (None, 0))(a, b), jnp.linalg.solve(a, b.T).T)

    def test_control_flow(self):
        a, b = regular("float64", 10, 3, 3), random("float64", 3)

        def step(x, a):
            return tj.solve(a, x), tj.cholesky(a @ a.T)

        (x, ls), wanted = jax.lax.scan(step, b, a), b
        for i in range(10):
            wanted = jnp.linalg.solve(a[i], wanted)
        self.near(x, wanted)
        self.near(ls, jnp.linalg.cholesky(a @ jnp.swapaxes(a, 1, 2)))
        self.near(jax.lax.cond(True, tj.inv, lambda a: a, a), tj.inv(a))

    def test_without_jit(self):
        a, b = regular("float64", 2, 3, 3), random("float64", 2, 3, 1)
        wanted = jax.grad(lambda a: tj.solve(a, b).sum())(a)
        with jax.disable_jit():
            self.near(tj.solve(a, b), jnp.linalg.solve(a, b))
            self.near(jax.grad(lambda a: tj.solve(a, b).sum())(a), wanted)
            self.near(jax.vmap(tj.solve)(a, b), jnp.linalg.solve(a, b))


class Sharding(Case):
    def test_four_devices(self):
        """Runs in a new process, because the number of devices is fixed at startup."""
        file = Path(__file__).with_name("sharded_use.py")
        known = os.environ | {"JAX_PLATFORMS": "cpu", "XLA_FLAGS": "--xla_force_host_platform_device_count=4"}
        done = subprocess.run([sys.executable, file], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=known)
        self.assertEqual(done.returncode, 0, done.stdout)
        self.assertRegex(done.stdout, r"Ran \d+ tests")

    def test_explicit_axes_of_four_devices(self):
        known = os.environ | {"JAX_PLATFORMS": "cpu", "XLA_FLAGS": "--xla_force_host_platform_device_count=4"}
        done = subprocess.run([sys.executable, __file__, "ExplicitAxes"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              text=True, env=known)
        self.assertEqual(done.returncode, 0, done.stdout)
        self.assertRegex(done.stdout, r"Ran [1-9]\d* tests")


class ExplicitAxes(Case):
    """On four devices."""

    def setUp(self):
        if jax.device_count() != 4:
            self.skipTest("test_explicit_axes_of_four_devices runs this")
        self.mesh = jax.make_mesh((2, 2), ("x", "y"), axis_types=(jax.sharding.AxisType.Explicit,) * 2)
        P = jax.sharding.PartitionSpec
        self.put = lambda x, *spec: jax.device_put(x, jax.sharding.NamedSharding(self.mesh, P(*spec)))
        self.spec = lambda x: tuple(jax.typeof(x).sharding.spec)
        self.calls = {
            "solve": tj.solve, "solve_triangular": tj.solve_triangular, "lstsq": lambda a, b: tj.lstsq(a, b).solution,
            "gelsy": lambda a, b: tj.lstsq(a, b, driver="gelsy")[0],
            "residuals": lambda a, b: tj.lstsq(a[..., :2], b, driver="gelsy")[1],
            "lu_solve": lambda a, b: tj.lu_solve(tj.lu_factor(a), b),
            "cho_solve": lambda a, b: tj.cho_solve(tj.cho_factor(jnp.eye(4) + a @ a.mT), b),
            "from the right": lambda a, b: tj.triangular_solve(a, b.mT).mT}

    def check(self, call, a, b, a_spec, b_spec, wanted_spec):
        """Results and gradients are those of operands that are not divided, and lie where they should."""
        gradient = jax.grad(lambda a, b: (call(a, b) ** 2).sum(), (0, 1))
        wanted, slopes = call(a, b), gradient(jnp.asarray(a), jnp.asarray(b))
        divided = self.put(a, *a_spec), self.put(b, *b_spec)
        with jax.set_mesh(self.mesh):
            x, found = call(*divided), gradient(*divided)
        self.near(x, wanted, 500)
        self.near(found, slopes, 500)
        self.assertEqual(self.spec(x)[:len(wanted_spec)], wanted_spec)
        for slope, operand in zip(found, divided):
            self.assertEqual(self.spec(slope), self.spec(operand) + (None,) * (slope.ndim - len(self.spec(operand))))

    def test_a_dimension_that_one_operand_has_whole(self):
        a, b = regular("float64", 2, 4, 4, 4), random("float64", 2, 4, 4, 2)
        cases = (
            (a[0, 0], (), b, (None, "x"), (None, "x")), (a, ("x",), b, (None, "y"), ("x", "y")),
            (a[0, 0], (), b, ("x", "y"), ("x", "y")), (a, (), b, ("x",), ("x", None)), (a, ("x", "y"), b, (), ("x", "y")), (a[0], (), b, ("x", "y"), ("x", "y")),
            (a[:, :1], ("x",), b, (), ("x", None)), (a, ("x", "y"), b[:1, :1], (), ("x", "y")),
            (a[0, 0], (), b, (None, None, None, "x"), (None, None)))
        for name, call in self.calls.items():
            for a_given, a_spec, b_given, b_spec, wanted in cases if name in ("solve", "residuals") else cases[:2]:
                with self.subTest(name, a=a_given.shape, a_spec=a_spec, b=b_given.shape, b_spec=b_spec):
                    self.check(call, a_given, b_given, a_spec, b_spec, wanted)

    def test_under_vmap(self):
        a, b = regular("float64", 4, 4, 4), random("float64", 4, 4, 2)
        for name, call in self.calls.items():
            for axes, a_given, a_spec, b_given, b_spec in (((None, 0), a[0], (), b, ("x",)), ((0, None), a, ("x",), b[0], ()),
                                                           ((0, 0), a, ("x",), b, ("x",))):
                with self.subTest(name, axes=axes):
                    self.check(jax.vmap(call, axes), a_given, b_given, a_spec, b_spec, ("x",))

    def test_a_matrix_without_a_mesh(self):
        a, b = regular("float64", 4, 4), random("float64", 4, 4, 2)
        for name, call in self.calls.items():
            for given in (a, jnp.asarray(a)) if name != "cho_solve" else (jnp.asarray(a),):
                with self.subTest(name, type=type(given)), jax.set_mesh(self.mesh):
                    x = call(given, self.put(b, "x"))
                    self.assertEqual(self.spec(x)[0], "x")
                self.near(x, call(jnp.asarray(a), b), 500)

    def test_operands_divided_differently_are_refused(self):
        a, b = regular("float64", 2, 4, 4, 4), random("float64", 2, 4, 4, 2)
        for call in (tj.solve, tj.solve_triangular, tj.lstsq):
            for a_spec, b_spec in ((("x",), ("y",)), (("x",), (None, "x")), (("x", "y"), ("y", "x"))):
                with jax.set_mesh(self.mesh), self.assertRaisesRegex(ValueError, "divided differently: .*x.* and .*(x|y)"):
                    call(self.put(a, *a_spec), self.put(b, *b_spec))


class Programs(Case):
    """Tests of compiled programs."""

    def compiled(self, function, *operands):
        return jax.jit(function).lower(*operands).compile().as_text()

    def test_matrices_come_column_major_and_results_take_the_place_of_operands(self):
        text = self.compiled(tj.lu_factor, random("float64", 5, 6, 4))
        call, = re.findall(r".*custom_call_target=\"tephra_getrf\".*", text)
        self.assertRegex(call, r"f64\[5,6,4\]\{1,2,0")
        self.assertRegex(call, r"output_to_operand_aliasing=\{\{0\}: \(0, \{\}\)\}")

    def test_only_what_is_used_is_computed(self):
        f, b = tj.lu_factor(regular("float64", 3, 4, 4)), random("float64", 3, 4, 1)
        text = self.compiled(lambda f, p, b: tj.lu_solve((f, p), b), *f, b)
        self.assertIn("tephra_getrs", text)
        self.assertNotIn("tephra_lu_to_permutation", text)
        self.assertNotIn("dot", text)

    def test_an_exported_program(self):
        a, b = regular("float32", 3, 4, 4), random("float32", 3, 4, 2)
        known = [jax.export.DisabledSafetyCheck.custom_call("tephra_gesv")]
        exported = jax.export.export(jax.jit(tj.solve), disabled_checks=known)(a, b)
        self.near(exported.call(a, b), tj.solve(a, b), 0)
        if importlib.util.find_spec("flatbuffers"):
            self.near(jax.export.deserialize(exported.serialize()).call(a, b), tj.solve(a, b), 0)

    def test_the_tracer_is_sent_here(self):
        with self.assertRaisesRegex(TypeError, "tephra.jax"):
            jax.jit(tephra.inv)(jnp.eye(3))


if __name__ == "__main__":
    unittest.main()
