"""Tests arrays in every memory layout and of every library."""
import sys
import types
import unittest
from importlib import import_module
from importlib.util import find_spec
from unittest import mock

import numpy as np

import tephra
import tephra.large
from tephra import _adapters, _fronts

try:
    import jax
    import jax.numpy as jnp
except ImportError:
    jax = None

TYPES = ("float32", "float64", "complex64", "complex128")


def random(kind, *shape, seed=1):
    g = np.random.default_rng(seed)
    x = g.uniform(-1, 1, shape)
    return (x + 1j * g.uniform(-1, 1, shape) if "complex" in kind else x).astype(kind)


def views(x):
    """(name, array) of the same matrices in all memory layouts."""
    kind = x.dtype
    yield "rows", x
    yield "columns", np.ascontiguousarray(x.swapaxes(-1, -2)).swapaxes(-1, -2)
    records = np.zeros(x.shape[0], [("matrix", kind, x.shape[1:]), ("flag", "u1")])
    records["matrix"] = x
    yield "records: strides that are no multiple of an element's size", records["matrix"]
    turned = np.zeros(x.shape[0], [("flag", "u1"), ("matrix", kind, (x.shape[2], x.shape[1]))])
    turned["matrix"] = x.swapaxes(1, 2)
    yield "records of columns", turned["matrix"].swapaxes(1, 2)
    # Misaligned by one byte, although all strides are multiples of the element size.
    raw = np.zeros(x.nbytes + 1, "u1")[1:].view(kind).reshape(x.shape)
    raw[...] = x
    yield "misaligned", raw
    raw = np.zeros(x.nbytes + 1, "u1")[1:].view(kind).reshape(x.swapaxes(1, 2).shape).swapaxes(1, 2)
    raw[...] = x
    yield "misaligned columns", raw
    for axis in range(3):
        yield f"reversed {axis}", np.flip(np.ascontiguousarray(np.flip(x, axis)), axis)
        columns = np.flip(np.ascontiguousarray(np.flip(x, axis).swapaxes(1, 2)).swapaxes(1, 2), axis)
        yield f"reversed columns {axis}", columns
    every_other = np.zeros((2 * x.shape[0], x.shape[1], 2 * x.shape[2]), kind)[::2, :, ::2]
    every_other[...] = x
    yield "every other", every_other
    read_only = x.copy()
    read_only.flags.writeable = False
    yield "read-only", read_only
    yield "swapped bytes", x.astype(kind.newbyteorder())


class Views(unittest.TestCase):
    def same(self, got, wanted):
        got, wanted = (r if isinstance(r, tuple) else (r,) for r in (got, wanted))
        for x, y in zip(got, wanted):
            np.testing.assert_array_equal(x, y)
            self.assertTrue(x.flags.writeable and x.dtype.isnative)

    def test_every_operation_takes_every_view(self):
        for kind in TYPES:
            a = random(kind, 4, 3, 3) / 3 + 2 * np.eye(3, dtype=kind)
            b = random(kind, 4, 3, 2, seed=2)
            factors, tau = tephra.geqrf(a)
            lu, pivots = tephra.lu_factor(a)
            for (name, x), (_, y), (_, f), (_, z) in zip(*map(views, (a, b, factors, lu))):
                with self.subTest(name, kind=kind):
                    before = x.copy(), y.copy()
                    for mode in ("reduced", "complete", "r"):
                        for got, wanted in zip(tephra.qr(x, mode), tephra.qr(a, mode)):
                            if wanted is not None:
                                self.same(got, wanted)
                    self.same(tephra.geqrf(x), (factors, tau))
                    self.same(tephra.householder_product(f, tau), tephra.householder_product(factors, tau))
                    self.same(tephra.ormqr(f, tau, y), tephra.ormqr(factors, tau, b))
                    self.same(tephra.lstsq(x, y), tephra.lstsq(a, b))
                    self.same(tephra.lstsq(x, y, "iterative"), tephra.lstsq(a, b, "iterative"))
                    for upper in (True, False):
                        self.same(tephra.solve_triangular(x, y, upper=upper), tephra.solve_triangular(a, b, upper=upper))
                    self.same(tephra.geqp3(x), tephra.geqp3(a))
                    self.same(tephra.pinv(x), tephra.pinv(a))
                    self.same(tephra.lu_factor(x), (lu, pivots))
                    self.same(tephra.lu_solve(z, pivots, y), tephra.lu_solve(lu, pivots, b))
                    self.same(tephra.solve(x, y), tephra.solve(a, b))
                    self.same(tephra.inv(x), tephra.inv(a))
                    self.same(tephra.det(x), tephra.det(a))
                    self.same(tephra.slogdet(x), tephra.slogdet(a))
                    self.same((x, y), before) if x.flags.writeable and x.dtype.isnative else None

    def test_vectors_of_every_stride(self):
        a = random("float64", 4, 5, 3)
        factors, tau = tephra.geqrf(a)
        records = np.zeros(4, [("tau", "f8", 3), ("flag", "u1")])
        records["tau"] = tau
        for t in (records["tau"], np.ascontiguousarray(tau.T).T, np.flip(np.flip(tau, 1).copy(), 1)):
            self.same(tephra.householder_product(factors, t), tephra.householder_product(factors, tau))

    def test_the_reported_views(self):
        record = np.zeros(4, [("A", "f8", (3, 3)), ("flag", "u1")])
        record["A"] = random("float64", 4, 3, 3) + 3 * np.eye(3)
        b = random("float64", 4, 3, 1, seed=2)
        x = tephra.solve_triangular(record["A"], b, upper=True)
        np.testing.assert_allclose(np.triu(record["A"]) @ x, b, atol=1e-13)
        q, r = tephra.qr(np.swapaxes(record["A"], -1, -2))
        np.testing.assert_allclose(q @ r, np.swapaxes(record["A"], -1, -2), atol=1e-13)

    def test_broadcast_views(self):
        a = np.broadcast_to(random("float64", 3, 3) + 3 * np.eye(3), (5, 3, 3))
        b = np.broadcast_to(random("float64", 3, 1, seed=2), (5, 3, 3))
        for x in (a, a.swapaxes(1, 2)):
            self.same(tuple(tephra.qr(x)), tuple(tephra.qr(x.copy())))
            self.same(tephra.solve_triangular(x, b, upper=True), tephra.solve_triangular(x.copy(), b.copy(), upper=True))
            self.same(tephra.lstsq(x, b), tephra.lstsq(x.copy(), b.copy()))
        windows = np.lib.stride_tricks.sliding_window_view(random("float64", 9), (4, 3)[1:])
        windows = np.lib.stride_tricks.as_strided(windows, (4, 4, 3), (8, 8, 8))  # members overlap
        self.same(tuple(tephra.qr(windows)), tuple(tephra.qr(windows.copy())))

    def test_subclasses(self):
        a = np.matrix(random("float64", 3, 3))
        self.same(tuple(tephra.qr(a)), tuple(tephra.qr(np.asarray(a))))
        for x, y in zip(tephra.lstsq(a, a[:, :1], driver="gelsy"), tephra.lstsq(np.asarray(a), np.asarray(a[:, :1]), driver="gelsy")):
            self.assertNotIsInstance(x, np.matrix)
            np.testing.assert_array_equal(x, y)
        masked = np.ma.array(random("float64", 3, 3), mask=np.eye(3))
        for call in (tephra.qr, tephra.large.qr, tephra.large.lu_factor, tephra.large.cholesky,
                     lambda a: tephra.large.lstsq(a, a.data)):
            with self.assertRaisesRegex(TypeError, "a is a masked array"):
                call(masked)
        with self.assertRaisesRegex(TypeError, "b is a masked array"):
            tephra.large.lstsq(masked.data, masked)

    def test_composed_functions_check_operands_as_all_others_do(self):
        """Also where there is nothing to compute."""
        a = np.eye(2)
        for wrong, text in ((a.astype(int), "is int64, but must be "), (a.astype(str), "is <U"), (np.ma.array(a), "is a masked array"),
                            (a.tolist(), "is a Python list"), (None, "is a Python NoneType")):
            for name, call in (*(("a", lambda n=n: tephra.matrix_power(wrong, n)) for n in (0, 1, 2)),
                               (r"arrays\[0\]", lambda: tephra.multi_dot([wrong, a])),
                               (r"arrays\[1\]", lambda: tephra.multi_dot([a, wrong])),
                               ("a", lambda: tephra.tensorinv(wrong, 1)), ("a", lambda: tephra.tensorsolve(wrong, a[0])),
                               ("b", lambda: tephra.tensorsolve(a, wrong)), ("a", lambda: tephra.matrix_rank(wrong))):
                with self.assertRaisesRegex(TypeError, f"^{name} {text}"):
                    call()
        with self.assertRaisesRegex(ValueError, r"^a has shape \(\), but needs at least 2"):
            tephra.matrix_rank(np.array(1.0))


class Broadcasting(unittest.TestCase):
    def test_batches_broadcast(self):
        for kind in TYPES:
            a, b = random(kind, 4, 1, 3, 3) + 3 * np.eye(3, dtype=kind), random(kind, 5, 3, 2, seed=2)
            aa, bb = np.broadcast_to(a, (4, 5, 3, 3)).copy(), np.broadcast_to(b, (4, 5, 3, 2)).copy()
            for upper in (True, False):
                np.testing.assert_array_equal(tephra.solve_triangular(a, b, upper=upper),
                                              tephra.solve_triangular(aa, bb, upper=upper))
            for got, wanted in zip(tephra.lstsq(a, b), tephra.lstsq(aa, bb)):
                np.testing.assert_array_equal(got, wanted)
            np.testing.assert_allclose(tephra.solve(a, b), tephra.solve(aa, bb), 20 * np.finfo(kind).eps)
            lu, pivots = tephra.lu_factor(a)
            np.testing.assert_array_equal(
                tephra.lu_solve(lu, pivots, b),
                tephra.lu_solve(np.broadcast_to(lu, aa.shape).copy(), np.broadcast_to(pivots, (4, 5, 3)).copy(), bb))
            factors, tau = tephra.geqrf(a)
            repeated = np.broadcast_to(factors, aa.shape).copy(), np.broadcast_to(tau, (4, 5, 3)).copy()
            np.testing.assert_array_equal(tephra.ormqr(factors, tau, b), tephra.ormqr(*repeated, bb))
            np.testing.assert_array_equal(tephra.householder_product(factors, tau[0, 0]),
                                          tephra.householder_product(factors, np.broadcast_to(tau[0, 0], (4, 1, 3)).copy()))

    def test_vectors_are_told_as_numpy_tells_them(self):
        a, b = random("float64", 4, 5, 3), random("float64", 5, seed=2)
        self.assertEqual(tephra.lstsq(a, b).solution.shape, (4, 3))
        with self.assertRaisesRegex(ValueError, "b has 4 rows, but must have 5"):
            tephra.lstsq(a, random("float64", 4, 5))
        self.assertEqual(tephra.lstsq(a, random("float64", 5, 2)).solution.shape, (4, 3, 2))
        np.testing.assert_allclose(tephra.lstsq(a, b).solution, np.linalg.pinv(a) @ b)


class Errors(unittest.TestCase):
    def test_they_name_the_argument_its_value_and_the_bound(self):
        a = np.eye(3)
        for error, text, call in (
            (ValueError, r"a has shape \(3,\), but needs at least 2 dimensions", lambda: tephra.geqrf(a[0])),
            (ValueError, r"factors has shape \(\)", lambda: tephra.householder_product(np.array(1.0), a[0])),
            (ValueError, r"tau has shape \(\), but needs at least 1", lambda: tephra.householder_product(a, np.array(1.0))),
            (ValueError, "tau has 4 elements, but may have at most 3", lambda: tephra.householder_product(a, np.ones(4))),
            (ValueError, "factors has 3 columns, but may have at most 2", lambda: tephra.householder_product(a[:2], np.ones(2))),
            (ValueError, "tau has 2 elements, but may have at most 1", lambda: tephra.ormqr(a[:, :1], np.ones(2), a)),
            (ValueError, "other holds 2 x 3 matrices, but they must have 3 rows", lambda: tephra.ormqr(a, np.ones(3), a[:2])),
            (ValueError, "other holds 3 x 2 matrices, but they must have 3 columns", lambda: tephra.ormqr(a, np.ones(3), a[:, :2], left=False)),
            (ValueError, "b has 2 rows, but must have 3", lambda: tephra.lstsq(a, a[:2])),
            (ValueError, "method is None, but must be 'direct' or 'iterative'", lambda: tephra.lstsq(a, a, method=None)),
            (ValueError, "a holds 2 x 3 matrices, but they must be square", lambda: tephra.solve_triangular(a[:2], a, upper=True)),
            (ValueError, "b holds 2 x 3 matrices, but they must have 3 rows", lambda: tephra.solve_triangular(a, a[:2], upper=True)),
            (ValueError, r"b has batch dimensions \(2,\), which do not broadcast with \(4,\) of a",
             lambda: tephra.lstsq(np.ones((4, 3, 3)), np.ones((2, 3, 1)))),
            (ValueError, "mode is 'full', but must be 'reduced', 'complete' or 'r'", lambda: tephra.qr(a, "full")),
            (TypeError, "tau is float32, but factors is float64", lambda: tephra.householder_product(a, np.ones(3, "f4"))),
            (TypeError, "a is int64, but must be float16, float32, float64", lambda: tephra.qr(np.eye(3, dtype=int))),
            (ValueError, "LU holds 2 x 3 matrices, but they must be square", lambda: tephra.lu_solve(a[:2], np.ones(3, "i4"), a)),
            (ValueError, "pivots has 2 elements, but must have 3", lambda: tephra.lu_solve(a, np.ones(2, "i4"), a)),
            (ValueError, "b has 2 rows, but must have 3, the order of LU",
             lambda: tephra.lu_solve(a, np.ones(3, "i4"), a[:2])),
            (ValueError, "b has 4 columns, but must have 3, the order of LU",
             lambda: tephra.lu_solve(a, np.ones(3, "i4"), np.ones((2, 4)), left=False)),
            (TypeError, "pivots is int64, but must be int32", lambda: tephra.lu_solve(a, np.ones(3, "i8"), a)),
            (TypeError, "pivots is a Python list, but LU|pivots is a Python list", lambda: tephra.lu_solve(a, [1, 2, 3], a)),
            (ValueError, "a holds 2 x 3 matrices, but they must be square", lambda: tephra.solve(a[:2], a)),
            (ValueError, "b has 2 rows, but must have 3, the order of a", lambda: tephra.solve(a, a[:2])),
            (ValueError, r"b has 4 rows, but must have 3, the order of a; one vector per matrix is b\[\.\.\., None\]",
             lambda: tephra.solve(np.stack([a] * 4), np.ones((4, 3)))),
            (ValueError, r"b has 4 rows, but must have 3, as many as a; one vector per matrix is b\[\.\.\., None\]",
             lambda: tephra.lstsq(np.stack([a] * 4), np.ones((4, 3)))),
            (ValueError, "a holds 2 x 3 matrices, but they must be square", lambda: tephra.inv(a[:2])),
            (ValueError, "a holds 2 x 3 matrices, but they must be square", lambda: tephra.det(a[:2])),
            (ValueError, "a holds 2 x 3 matrices, but they must be square", lambda: tephra.slogdet(a[:2])),
            (TypeError, "a is object", lambda: tephra.qr(a.astype(object))),
            (TypeError, "b is a Python list", lambda: tephra.lstsq(a, [[1.0]])),
            (TypeError, "factors is a Python int", lambda: tephra.householder_product(1, a)),
        ):
            with self.subTest(text), self.assertRaisesRegex(error, text):
                call()


class Owner:
    """A separate array library that uses NumPy's memory and shares it only by DLPack."""

    class Array:
        def __init__(self, x):
            self.x = x

        def __dlpack__(self, **options):
            return self.x.__dlpack__(**options)

        def __dlpack_device__(self):
            return self.x.__dlpack_device__()

        def __array_namespace__(self, api_version=None):
            return Owner

    @staticmethod
    def from_dlpack(x):
        return Owner.Array(np.from_dlpack(x).copy())  # NumPy 1 does not export read-only memory


class Sharing(unittest.TestCase):
    def test_results_come_back_in_the_library_that_the_operands_are_from(self):
        a, b = random("float64", 3, 5, 4), random("float64", 3, 5, 1, seed=2)
        q, r = tephra.qr(Owner.Array(a))
        self.assertIsInstance(q, Owner.Array)
        np.testing.assert_array_equal(r.x, tephra.qr(a).R)
        self.assertIsNone(tephra.qr(Owner.Array(a), "r").Q)
        x = tephra.lstsq(Owner.Array(a), Owner.Array(b)).solution
        np.testing.assert_array_equal(x.x, tephra.lstsq(a, b).solution)
        x = tephra.lstsq(Owner.Array(a), Owner.Array(b), "iterative").solution
        np.testing.assert_array_equal(x.x, tephra.lstsq(a, b, "iterative").solution)
        with self.assertRaisesRegex(TypeError, "b is a numpy ndarray, but a is a"):
            tephra.lstsq(Owner.Array(a), b)

    def test_lu_comes_back_too(self):
        a, b = random("float64", 3, 4, 4), random("float64", 3, 4, 1, seed=2)
        x, y = Owner.Array(a), Owner.Array(b)
        for got, wanted in (((tephra.lu_solve(*tephra.lu_factor(x), y, adjoint=True),),
                             (tephra.lu_solve(*tephra.lu_factor(a), b, adjoint=True),)),
                            ((tephra.solve(x, y), tephra.inv(x), tephra.det(x), *tephra.slogdet(x),
                              tephra.bmm(x, y), *tephra.geqp3(x), tephra.pinv(x)),
                             (tephra.solve(a, b), tephra.inv(a), tephra.det(a), *tephra.slogdet(a), tephra.bmm(a, b),
                              *tephra.geqp3(a), tephra.pinv(a)))):
            for ours, theirs in zip(got, wanted):
                self.assertIsInstance(ours, Owner.Array)
                np.testing.assert_array_equal(ours.x, theirs)
        with self.assertRaises(np.linalg.LinAlgError):
            tephra.inv(Owner.Array(np.zeros((2, 3, 3))))

    def test_numbers_of_one_matrix_come_back_as_arrays(self):
        for kind in TYPES:
            a = random(kind, 4, 4)
            for ours, theirs in zip((tephra.det(Owner.Array(a)), *tephra.slogdet(Owner.Array(a))),
                                    (tephra.det(a), *tephra.slogdet(a))):
                self.assertEqual((ours.x.shape, ours.x.dtype, ours.x[()]), ((), theirs.dtype, theirs))

    def test_what_numpy_cannot_look_into_is_told(self):
        class Brief(Owner.Array):
            dtype = "bfloat16"

            def __dlpack__(self, **options):
                raise BufferError("no such type")

        with self.assertRaisesRegex(TypeError, "a is a .*Brief of bfloat16, which NumPy cannot read: no such type"):
            tephra.qr(Brief(np.eye(3)))
        with mock.patch.dict(sys.modules, {"numpy": None}), self.assertRaisesRegex(TypeError, "host memory, but NumPy, .*, is not"):
            tephra.qr(Owner.Array(np.eye(3)))

    def test_without_a_way_back_it_says_so(self):
        class Lost:
            __dlpack__ = __dlpack_device__ = None
        with self.assertRaisesRegex(TypeError, "no from_dlpack.. with which"):
            tephra.qr(Lost())

    def test_device_memory_needs_a_library_that_handles_it(self):
        lender = mock.Mock(spec=["__cuda_array_interface__"])
        numba = types.SimpleNamespace(as_cuda_array=lambda x: ("numba's", x))
        type(lender).__module__ = "numba.cuda"
        with mock.patch.dict(sys.modules, {"numba": types.ModuleType("numba"), "numba.cuda": numba}):
            hidden = {name: None for name in ("torch", "cupy")}
            with mock.patch.dict(sys.modules, hidden):
                for name in hidden:
                    del sys.modules[name]
                with self.assertRaisesRegex(TypeError, "a is a numba .*: import torch or cupy first"):
                    tephra.qr(lender)
            # Arrays with only this interface are converted to CuPy's and back.
            a = random("float64", 3, 3)
            cupy = types.SimpleNamespace(asarray=lambda x: a)
            with mock.patch.dict(sys.modules, {"cupy": cupy}):
                q, r = tephra.qr(lender)
            self.assertEqual(q[0], "numba's")
            np.testing.assert_array_equal(r[1], tephra.qr(a).R)

    @unittest.skipIf(jax is None, "JAX is not installed")
    def test_jax(self):
        for kind in ("float32", "complex64"):
            a, b = random(kind, 2, 5, 3), random(kind, 2, 5, 2, seed=2)
            x, y = jnp.asarray(a), jnp.asarray(b)
            wanted = [*tephra.qr(a), *tephra.geqrf(a), *tephra.lstsq(a, b)]
            for got, want in zip([*tephra.qr(x), *tephra.geqrf(x), *tephra.lstsq(x, y)], wanted):
                self.assertIsInstance(got, jax.Array)
                if jax.default_backend() == "cpu":
                    np.testing.assert_array_equal(np.asarray(got), want)
                else:  # computed by different kernels
                    np.testing.assert_allclose(np.asarray(got), want, rtol=1e-4, atol=1e-5)
            f, tau = tephra.geqrf(x)
            self.assertIsInstance(tephra.ormqr(f, tau, y), jax.Array)
            self.assertIsInstance(tephra.householder_product(f, tau), jax.Array)
            self.assertIsInstance(tephra.solve_triangular(x[:, :3], y[:, :3], upper=True), jax.Array)
            self.assertIsInstance(tephra.lu_solve(*tephra.lu_factor(x[:, :3]), y[:, :3]), jax.Array)
            self.assertIsInstance(tephra.det(x[:, :3]), jax.Array)
        with self.assertRaisesRegex(TypeError, "a is a JAX tracer"):
            jax.jit(lambda a: tephra.qr(a)[1])(x)
        with self.assertRaisesRegex(TypeError, "b is a JAX tracer"):
            jax.jit(lambda b: tephra.lstsq(x, b).solution)(y)
        self.assertIsInstance(tephra.det(x[0, :3]), jax.Array)
        with self.assertRaisesRegex(TypeError, "a is a .*bfloat16|bfloat16.*, but must be"):
            tephra.qr(x.real.astype(jnp.bfloat16))


@unittest.skipIf(jax is None, "JAX is not installed")
class JaxInDeviceMemory(unittest.TestCase):
    """JAX arrays with their front for device memory; on a machine without a GPU, the CPU stands in for the device."""

    def setUp(self):
        if jax.default_backend() == "cpu":
            patch = mock.patch.object(_fronts, "_is_jax_on_device", lambda a: isinstance(a, jax.Array))
            patch.start()
            self.addCleanup(patch.stop)
        # The front needs neither library.
        hidden = {name: module for name, module in sys.modules.items() if name in ("torch", "cupy")}
        for name in hidden:
            del sys.modules[name]
        self.addCleanup(sys.modules.update, hidden)

    def compare(self, function, *operands, **options):
        wanted = function(*operands, **options)
        got = function(*map(jnp.asarray, operands), **options)
        several = isinstance(wanted, tuple)
        for g, w in zip(got if several else [got], wanted if several else [wanted], strict=True):
            if w is None:
                self.assertIsNone(g)
                continue
            self.assertIsInstance(g, jax.Array)
            self.assertEqual(g.shape, w.shape)
            np.testing.assert_allclose(np.asarray(g), w, rtol=2e-4, atol=2e-5)

    def test_every_operation(self):
        for kind in ("float32", "complex64"):
            a, b = random(kind, 2, 5, 3), random(kind, 2, 5, 2, seed=2)
            square, sides = random(kind, 2, 4, 4, seed=3) + 4 * np.eye(4, dtype=kind), random(kind, 2, 4, 3, seed=4)
            positive = square @ square.conj().swapaxes(-1, -2)
            one = random(kind, 4, seed=5)
            for mode in ("reduced", "complete", "r"):
                self.compare(tephra.qr, a, mode=mode)
                self.compare(tephra.qr, a.swapaxes(-1, -2), mode=mode)
            self.compare(tephra.geqrf, a)
            factors, tau = tephra.geqrf(a)
            self.compare(tephra.householder_product, factors, tau)
            self.compare(tephra.householder_product, factors, tau[:, :0])
            for transpose in (False, True):
                self.compare(tephra.ormqr, factors, tau, b, transpose=transpose)
                self.compare(tephra.ormqr, factors, tau, b.swapaxes(-1, -2), left=False, transpose=transpose)
            self.compare(tephra.lstsq, a, b)
            self.compare(tephra.lstsq, a[0], b[0, :, 0])
            for x in (a, a.swapaxes(-1, -2), a[:, :, :0], a[:, :0]):
                self.compare(tephra.geqp3, x)
                self.compare(tephra.matrix_rank, x)
                self.compare(tephra.pinv, x)
            low = a.copy()
            low[..., 2] = low[..., 0] - low[..., 1]
            self.compare(tephra.matrix_rank, low, rcond=1e-4)
            self.compare(tephra.pinv, low, rcond=1e-4)
            self.compare(tephra.lstsq, low, b, driver="gelsy", rcond=1e-4)
            self.compare(tephra.lstsq, low[0], b, driver="gelsy", rcond=1e-4)
            self.compare(tephra.lstsq, a[0], b[0, :, 0], driver="gelsy")
            for n in (-3, 0, 1, 5):
                self.compare(tephra.matrix_power, square / 4, n=n)
            self.compare(lambda *x: tephra.multi_dot(x), one, square[0], sides[0])
            self.compare(tephra.tensorsolve, square[0].reshape(2, 2, 4), sides[0, :, 0].reshape(2, 2))
            self.compare(tephra.tensorinv, square[0].reshape(2, 2, 4))
            self.compare(tephra.lu_factor, a)
            self.compare(tephra.lu, a)
            lu, pivots = tephra.lu_factor(square)
            for adjoint in (False, True):
                self.compare(tephra.lu_solve, lu, pivots, sides, adjoint=adjoint)
                self.compare(tephra.lu_solve, lu, pivots, sides.swapaxes(-1, -2), left=False, adjoint=adjoint)
            self.compare(tephra.solve, square, sides)
            self.compare(tephra.solve, square, sides[:1])
            self.compare(tephra.solve, square[0], sides)
            self.compare(tephra.solve, square, one)
            self.compare(tephra.solve, square, sides.swapaxes(-1, -2), left=False)
            self.compare(tephra.inv, square)
            self.compare(tephra.det, square)
            self.compare(tephra.slogdet, square)
            for upper in (False, True):
                self.compare(tephra.cholesky, positive, upper=upper)
                factor = tephra.cholesky(positive, upper=upper)
                self.compare(tephra.cholesky_solve, sides, factor, upper=upper)
                self.compare(tephra.cholesky_solve, one, factor[0], upper=upper)
                self.compare(tephra.cholesky_inverse, factor, upper=upper)
                self.compare(tephra.solve_triangular, factor, sides, upper=upper)
                self.compare(tephra.solve_triangular, factor, sides.swapaxes(-1, -2), upper=upper, left=False)
            self.compare(tephra.bmm, a.swapaxes(-1, -2), b)
            self.compare(tephra.bmm, square[:1], sides)

    def test_singular_and_unsupported(self):
        singular = jnp.asarray(np.stack([np.eye(3, dtype="float32"), np.zeros((3, 3), "float32")]))
        for function in (tephra.inv, tephra.cholesky):
            with self.assertRaisesRegex(np.linalg.LinAlgError, r"matrix \[1\] of a is "):
                function(singular, check_errors=True)
            found = np.asarray(function(singular, check_errors=False))
            np.testing.assert_array_equal(found[0], np.eye(3))
            self.assertTrue(np.isnan(found[1]).all())
        with self.assertRaisesRegex(TypeError, "a is bfloat16"):
            tephra.qr(singular.astype(jnp.bfloat16))
        with self.assertRaisesRegex(TypeError, "b is a numpy ndarray, but a is a jaxlib"):
            tephra.solve(singular, np.ones((3, 1), "float32"))
        with self.assertRaisesRegex(TypeError, "method='iterative'"):
            tephra.lstsq(singular, singular, method="iterative")


class Fronts(unittest.TestCase):
    def test_each_has_every_operation(self):
        operations = {name for name in vars(_fronts.NumpyLikeFront) if not name.startswith("_")} - {"operands", "check_out", "put"}
        self.assertIn("pinv", operations)
        fronts = [_fronts.InteropFront, *(import_module(name) for library, name in (("torch", "tephra._torch.front"),
                                                                              ("jax", "tephra.jax.arrays"))
                                    if find_spec(library))]
        for front in fronts:
            self.assertEqual({name for name in operations if not hasattr(front, name)}, set(), front)


class SeveralDevices(unittest.TestCase):
    """CuPy's rules for devices, simulated in host memory: arrays are allocated, and calls are made, on the operands'
    device."""

    def setUp(self):
        self.current, self.made, self.called = 0, [], []
        test = self

        class Device:
            def __init__(self, number):
                self.number = number

            def __int__(self):
                return self.number

            def __enter__(self):
                self.before, test.current = test.current, self.number

            def __exit__(self, *_):
                test.current = self.before

        class Array(np.ndarray):
            __module__ = "cupy"
            place = 0

            def __array_finalize__(self, parent):
                self.place = getattr(parent, "place", 0)

            device = property(lambda self: Device(self.place))
            data = property(lambda self: types.SimpleNamespace(ptr=self.ctypes.data))

        def empty(shape, dtype):
            x = np.empty(shape, dtype).view(Array)
            x.place = test.current
            test.made.append(test.current)
            return x

        cuda = types.SimpleNamespace(get_current_stream=lambda: types.SimpleNamespace(ptr=None))
        def arange(*bounds, dtype):
            x = empty(bounds[-1] - 1, dtype)
            x[...] = np.arange(*bounds)
            return x

        def where(condition, a, b):
            x = empty(a.shape, a.dtype)
            x[...] = np.where(condition, a, b)
            return x

        module = types.SimpleNamespace(ndarray=Array, empty=empty, arange=arange, copyto=np.copyto, nan=np.nan, log=np.log,
                                       sign=np.sign, maximum=np.maximum, hypot=np.hypot, where=where, cuda=cuda)
        self.array = Array

        class OnHost(_adapters.Cupy):
            def backend(self, a):
                test.called.append(test.current)
                return _adapters.Numpy.backend(self, a)

        patches = [mock.patch.dict(sys.modules, cupy=module), mock.patch.object(_fronts, "Cupy", OnHost),
                   mock.patch.dict(_fronts._numpy_like_fronts, clear=True), mock.patch.dict(_fronts.FRONTS)]
        for patch in patches:
            patch.start()
            self.addCleanup(patch.stop)

    def on(self, place, x):
        x = x.copy().view(self.array)
        x.place = place
        return x

    def test_all_happens_on_the_operands_device(self):
        a, b = random("float64", 3, 4, 4) + 4 * np.eye(4), random("float64", 3, 4, 2, seed=2)
        x, y = self.on(1, a), self.on(1, b)
        factors, tau = tephra.geqrf(x)
        results = [*tephra.qr(x), factors, tau, *tephra.lstsq(x, y), tephra.solve_triangular(x, y, upper=True),
                   tephra.householder_product(factors, tau), tephra.ormqr(factors, tau, y)]
        lu, pivots = tephra.lu_factor(x)
        results += [lu, pivots, tephra.lu_solve(lu, pivots, y), tephra.solve(x, y), tephra.inv(x, check_errors=False),
                    tephra.det(x), *tephra.slogdet(x), tephra.bmm(x, y), *tephra.geqp3(x), tephra.matrix_rank(x),
                    tephra.pinv(x), *tephra.lstsq(x, y, driver="gelsy")]
        self.assertEqual({int(r.device) for r in results}, {1})
        self.assertEqual((set(self.made), set(self.called), self.current), ({1}, {1}, 0))
        np.testing.assert_array_equal(np.asarray(results[1]), tephra.qr(a).R)

    def test_operands_on_two_devices_are_refused(self):
        with self.assertRaisesRegex(TypeError, "b is on device 0, but a is on device 1"):
            tephra.lstsq(self.on(1, np.eye(3)), self.on(0, np.eye(3)))


if __name__ == "__main__":
    unittest.main()
