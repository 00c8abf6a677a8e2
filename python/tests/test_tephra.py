"""Tests the package against products computed in double precision, for every installed array library.

    python -m unittest discover python/tests      (TEPHRA_LIBRARY names libtephra.so)
"""
import itertools
import unittest

import numpy as np

import tephra

try:
    import torch
except ImportError:
    torch = None

TYPES = ("float32", "float64", "complex64", "complex128")
SHAPES = [(1, 1), (4, 4), (8, 3), (3, 8), (40, 33), (130, 20)]


class Numpy:
    name = "numpy"

    @staticmethod
    def array(x):
        return x.copy()

    @staticmethod
    def back(x):
        return np.asarray(x)


class Torch:
    def __init__(self, device):
        self.device = self.name = device

    def array(self, x):
        return torch.from_numpy(x.copy()).to(self.device)

    @staticmethod
    def back(x):
        return x.resolve_conj().cpu().numpy()


def places():
    yield Numpy
    if torch is not None:
        yield Torch("cpu")
        if torch.cuda.is_available():
            yield Torch("cuda")


def random(kind, *shape, seed=1):
    g = np.random.default_rng(seed)
    x = g.uniform(-1, 1, shape)
    return (x + 1j * g.uniform(-1, 1, shape) if "complex" in kind else x).astype(kind)


def wide(x):
    return x.astype("complex128" if np.iscomplexobj(x) else "float64")


def adjoint(x):
    return np.conj(np.swapaxes(x, -1, -2))


class Case(unittest.TestCase):
    def each(self):
        for place in places():
            for kind in TYPES:
                with self.subTest(place=place.name, kind=kind):
                    yield place, kind

    def near(self, got, wanted, kind):
        self.assertEqual(got.shape, wanted.shape)
        eps = np.finfo(kind).eps
        size = max(wanted.shape[-2:], default=1) if wanted.ndim > 1 else 1
        bound = 30 * eps * max(size, 4) * (1 + np.abs(wanted).max(initial=0))
        self.assertLessEqual(np.abs(wide(got) - wanted).max(initial=0), bound)


class Factors(Case):
    def test_qr(self):
        for place, kind in self.each():
            for m, n in SHAPES:
                a = random(kind, 2, 3, m, n)
                for mode in ("reduced", "complete", "r"):
                    q, r = tephra.qr(place.array(a), mode)
                    inner = m if mode == "complete" else min(m, n)
                    r = wide(place.back(r))
                    self.assertEqual(r.shape, (2, 3, inner, n))
                    self.assertTrue((np.tril(r, -1) == 0).all())
                    if mode == "r":
                        self.assertIsNone(q)
                        self.near(adjoint(r) @ r, adjoint(wide(a)) @ wide(a), kind)
                        continue
                    q = wide(place.back(q))
                    self.assertEqual(q.shape, (2, 3, m, inner))
                    self.near(q @ r, wide(a), kind)
                    self.near(adjoint(q) @ q, np.broadcast_to(np.eye(inner), (2, 3, inner, inner)), kind)

    def test_layouts_give_the_same_bits(self):
        for place, kind in self.each():
            a = random(kind, 5, 12, 7)
            rows = place.array(a)
            columns = place.array(np.ascontiguousarray(a.swapaxes(1, 2))).swapaxes(1, 2)
            sliced = place.array(random(kind, 5, 20, 9))[:, 3:15, 1:8]
            sliced[...] = rows
            every_other = place.array(random(kind, 10, 12, 7))[::2]
            every_other[...] = rows
            wanted = [place.back(x) for x in tephra.qr(rows)]
            for x in (columns, sliced, every_other):
                before = place.back(x).copy()
                for got, want in zip(tephra.qr(x), wanted):
                    np.testing.assert_array_equal(place.back(got), want)
                np.testing.assert_array_equal(place.back(x), before)

    def test_reflectors(self):
        for place, kind in self.each():
            for m, n in SHAPES:
                a = random(kind, 4, m, n)
                f, tau = tephra.geqrf(place.array(a))
                k = min(m, n)
                v = f[..., :, :k]
                q = wide(place.back(tephra.householder_product(v, tau)))
                r = np.triu(wide(place.back(f)))[:, :k]
                self.near(q @ r, wide(a), kind)
                c = random(kind, 4, m, 5, seed=2)
                qc = wide(place.back(tephra.ormqr(v, tau, place.array(c), transpose=True)))
                self.near(qc[:, :k], adjoint(q) @ wide(c), kind)
                back = tephra.ormqr(v, tau, place.array(qc.astype(kind)))
                self.near(place.back(back), wide(c), kind)
                d = random(kind, 4, 3, m, seed=3)
                dq = wide(place.back(tephra.ormqr(v, tau, place.array(d), left=False)))
                self.near(dq[..., :k], wide(d) @ q, kind)


class Solves(Case):
    def test_lstsq(self):
        for place, kind in self.each():
            for (m, n), method in itertools.product(SHAPES, ("direct", "iterative")):
                a, b = random(kind, 6, m, n), random(kind, 6, m, 2, seed=4)
                x, info = tephra.lstsq(place.array(a), place.array(b), method)
                self.assertTrue((place.back(info) == 0).all())
                wanted = np.linalg.pinv(wide(a)) @ wide(b)
                # Forward errors grow with the condition number.
                condition = np.linalg.cond(wide(a)).max() ** 2
                error = np.abs(wide(place.back(x)) - wanted).max()
                self.assertLessEqual(error, 30 * np.finfo(kind).eps * max(m, n) * condition * (1 + np.abs(wanted).max()))
                vectors = b[..., 0] if place is not Numpy else b[0, :, 0]  # NumPy's vectors have one dimension
                one, _ = tephra.lstsq(place.array(a), place.array(vectors), method=method)
                self.assertEqual(tuple(one.shape), (6, n))

    def test_a_rank_deficient_member_is_told_and_isolated(self):
        for (place, kind), method in itertools.product(self.each(), ("direct", "iterative")):
            a, b = random(kind, 3, 6, 4), random(kind, 3, 6, 1, seed=4)
            alone, _ = tephra.lstsq(place.array(a), place.array(b), method)
            a[1, :, 2] = 0
            x, info = tephra.lstsq(place.array(a), place.array(b), method)
            self.assertEqual(place.back(info).tolist(), [0, 3, 0])
            for i in (0, 2):
                np.testing.assert_array_equal(place.back(x)[i], place.back(alone)[i])

    def test_codes_of_lstsq_without_rows_or_columns_are_zero(self):
        for place, kind in self.each():
            for m, n, nrhs in ((0, 8, 0), (0, 8, 2), (5, 0, 2), (0, 0, 1), (5, 0, 0)):
                for _ in range(5):
                    used = [place.array(np.full(64, 7, "int32")) for _ in range(8)]  # so that reused memory is not zero
                    del used
                    x, info = tephra.lstsq(place.array(random(kind, 64, m, n)), place.array(random(kind, 64, m, nrhs)))
                    self.assertEqual(place.back(info).tolist(), [0] * 64)
                    self.assertEqual(tuple(x.shape), (64, n, nrhs))
                    self.assertTrue((place.back(x) == 0).all())

    def test_solve_triangular(self):
        for place, kind in self.each():
            for order, count in ((1, 1), (5, 2), (40, 7)):
                full = random(kind, 3, order, order) / order + 2 * np.eye(order, dtype=kind)
                for upper in (False, True):
                    for unit in (False, True):
                        triangle = np.triu(full) if upper else np.tril(full)
                        if unit:
                            triangle = triangle - triangle * np.eye(order) + np.eye(order)
                        # The other triangle, and a unit diagonal, must not be read.
                        dirty = np.where(triangle == 0, np.nan, full).astype(kind)
                        for left in (True, False):
                            b = random(kind, 3, *((order, count) if left else (count, order)), seed=5)
                            for a in (place.array(dirty), place.array(np.ascontiguousarray(dirty.swapaxes(1, 2))).swapaxes(1, 2)):
                                x = tephra.solve_triangular(a, place.array(b), upper=upper, left=left, unitriangular=unit)
                                x = wide(place.back(x))
                                self.near(triangle @ x if left else x @ triangle, wide(b), kind)


class Empty(unittest.TestCase):
    def test_empty_batches_and_matrices(self):
        q, r = tephra.qr(np.ones((0, 4, 3)))
        self.assertEqual((q.shape, r.shape), ((0, 4, 3), (0, 3, 3)))
        q, r = tephra.qr(np.ones((2, 4, 0)))
        self.assertEqual((q.shape, r.shape), ((2, 4, 0), (2, 0, 0)))


@unittest.skipUnless(torch is not None and torch.cuda.is_available(), "no CUDA device")
class Device(unittest.TestCase):
    def test_calls_can_be_captured(self):
        a = torch.randn(100, 16, 16, device="cuda", dtype=torch.float64)
        tephra.qr(a)
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph):
            q, r = tephra.qr(a)
        a.copy_(torch.randn_like(a))
        graph.replay()
        self.assertLess(float((q @ r - a).abs().max()), 1e-13)

    def test_the_current_stream_is_used(self):
        a = torch.randn(2000, 32, 32, device="cuda", dtype=torch.float64)
        side = torch.cuda.Stream()
        with torch.cuda.stream(side):
            torch.cuda._sleep(20_000_000)
            b = a * 2  # not computed yet when qr is called
            q, r = tephra.qr(b)
        torch.cuda.current_stream().wait_stream(side)
        self.assertLess(float((q @ r - 2 * a).abs().max()), 1e-12)

    def test_operands_in_different_places_are_refused(self):
        a = torch.eye(3, device="cuda")
        with self.assertRaisesRegex(TypeError, "b is on cpu, but a is on cuda"):
            tephra.lstsq(a, torch.ones(3, 1))


if __name__ == "__main__":
    unittest.main()
