"""Tests QR and least squares of one NumPy array that need not fit in a device's memory."""
import unittest

import numpy as np

import tephra
from tephra import large

KINDS = ("float32", "float64", "complex64", "complex128")


def random(kind, *shape, seed=3):
    rng = np.random.default_rng(seed)
    x = rng.standard_normal(shape)
    return (x + 1j * rng.standard_normal(shape) if kind.startswith("complex") else x).astype(kind)


class Large(unittest.TestCase):
    def near(self, kind, found, expected):
        self.assertEqual(found.dtype, kind)
        self.assertEqual(found.shape, expected.shape)
        limit = 1e3 * np.finfo(kind).eps * max(1, np.abs(expected).max(initial=0))
        self.assertLess(np.abs(found - expected).max(initial=0), limit)

    def test_qr(self):
        for kind in KINDS:
            for m, n in ((60, 40), (40, 60), (50, 50), (0, 3), (3, 0)):
                a = random(kind, m, n)
                kept = a.copy()
                for mode in ("reduced", "complete", "r"):
                    q, r = large.qr(a, mode)
                    self.assertTrue((a == kept).all())
                    self.assertTrue((np.triu(r) == r).all())
                    if mode == "r":
                        self.assertIsNone(q)
                        self.near(kind, r, tephra.qr(a, "r").R)
                        continue
                    self.near(kind, q @ r, a)
                    self.near(kind, q.conj().T @ q, np.eye(q.shape[1], dtype=kind))

    def test_cores_have_columns(self):
        for kind in KINDS:
            for m, n in ((60, 40), (40, 60), (300, 300)):
                a = random(kind, m, n)
                b = random(kind, m, 2)
                expected = np.linalg.lstsq(a.astype("complex128"), b, rcond=None)[0]
                for columns in (8, n, None):
                    q, r = large.qr(a, host_columns=columns)
                    self.assertTrue((np.triu(r) == r).all())
                    self.near(kind, q @ r, a)
                    self.near(kind, q.conj().T @ q, np.eye(q.shape[1], dtype=kind))
                    x = large.lstsq(a, b, host_columns=columns).solution
                    limit = 1e6 * np.finfo(kind).eps * max(1, np.abs(expected).max())
                    self.assertLess(np.abs(x - expected).max(), limit)
        with self.assertRaises(tephra.TephraError):
            large.qr(random("float64", 4, 4), host_columns=-2)

    def test_least_squares_are_scaled(self):
        """As by tephra.lstsq(): norms of columns may be beyond the type's range, and its elements subnormal."""
        for kind in KINDS:
            info = np.finfo(kind)
            for scale in (float(info.max) / 4, float(info.tiny) / 64):
                for m, n in ((300, 20), (20, 300)):
                    a, b = random(kind, m, n), random(kind, m, 3)
                    a /= np.abs(a).max()
                    b /= np.abs(b).max()
                    expected = np.linalg.lstsq(a.astype("complex128"), b, rcond=None)[0]
                    of_b = np.array([scale, scale, 0]).astype(info.dtype)
                    for columns in (0, None):
                        x, code = large.lstsq(a * info.dtype.type(scale), b * of_b, host_columns=columns)
                        self.assertEqual(code, 0)
                        self.assertFalse(x[:, 2].any())
                        limit = 1e5 * info.eps * np.abs(expected).max()
                        self.assertLess(np.abs(x - expected)[:, :2].max(), limit)

    def test_an_array_may_be_overwritten(self):
        a = np.asfortranarray(random("float64", 50, 30))
        kept = a.copy()
        q, r = large.qr(a, overwrite_a=True)
        self.near("float64", q @ r, kept)
        self.assertFalse((a == kept).all())

    def test_lstsq(self):
        for kind in KINDS:
            for m, n in ((60, 40), (40, 60), (50, 50)):
                a = random(kind, m, n)
                for b in (random(kind, m, 3), random(kind, m)):
                    x, info = large.lstsq(a, b)
                    self.assertEqual(info, 0)
                    wide = a.astype("complex128")
                    expected = np.linalg.lstsq(wide, b, rcond=None)[0]
                    self.assertEqual(x.shape, expected.shape)
                    self.assertLess(np.abs(x - expected).max(), 1e4 * np.finfo(kind).eps)
        a = np.asfortranarray(random("float64", 20, 10))
        x = large.lstsq(a, a[:, :2], overwrite_a=True).solution
        self.assertLess(np.abs(x - np.eye(10)[:, :2]).max(), 1e-12)
        a = random("float64", 20, 10)
        a[:, 4] = 0
        self.assertEqual(large.lstsq(a, random("float64", 20)).info, 5)

    def test_lu_factor(self):
        for kind in KINDS:
            for m, n in ((60, 40), (40, 60), (50, 50)):
                a = random(kind, m, n)
                factors, pivots = large.lu_factor(a)
                expected = tephra.lu_factor(a)
                self.assertTrue(factors.flags.f_contiguous)
                self.near(kind, factors, expected.LU)
                self.assertEqual((pivots.dtype.name, pivots.tolist()), ("int32", expected.pivots.tolist()))
            b = random(kind, 50, 3)
            self.near(kind, a @ tephra.lu_solve(factors, pivots, b), b)
        singular = random("float64", 20, 20)
        singular[:, 4] = 0
        self.assertEqual(large.lu_factor(singular).LU[4, 4], 0)
        self.assertEqual(large.lu_factor(np.empty((0, 3))).pivots.shape, (0,))

    def test_cholesky(self):
        for kind in KINDS:
            b = random(kind, 50, 50)
            a = b @ b.conj().T + 50 * np.eye(50, dtype=kind)
            for upper in (False, True):
                factor = large.cholesky(a, upper=upper)
                self.near(kind, factor, tephra.cholesky(a, upper=upper))
                other = np.tril(factor, -1) if upper else np.triu(factor, 1)
                self.assertFalse(other.any())
            right = random(kind, 50, 2)
            self.near(kind, a @ tephra.cholesky_solve(right, factor, upper), right)
            a[30, 30] = -1
            with self.assertRaisesRegex(np.linalg.LinAlgError, "order 31"):
                large.cholesky(a)
        with self.assertRaises(ValueError):
            large.cholesky(random("float64", 4, 5))
        self.assertEqual(large.cholesky(np.empty((0, 0))).shape, (0, 0))

    def test_devices_in_any_sequence(self):
        a = random("float64", 50, 30)
        for devices in ([0, 0], (0,), range(1), np.array([0, 0])):
            self.near("float64", large.qr(a, "r", devices=devices).R, tephra.qr(a, "r").R)

    def test_progress(self):
        seen = []
        large.qr(random("float32", 200, 200), "r", progress=lambda done, total: seen.append((done, total)))
        self.assertEqual(seen[-1][0], seen[-1][1])

        def stop(done, total):
            raise KeyboardInterrupt

        with self.assertRaises(KeyboardInterrupt):
            large.qr(random("float32", 200, 200), "r", progress=stop)

    def test_what_is_refused(self):
        a = random("float64", 5, 4)
        with self.assertRaises(TypeError):
            large.qr([[1.0]])
        with self.assertRaises(TypeError):
            large.cholesky(np.eye(3), progress=3)
        with self.assertRaises(TypeError):
            large.qr(a.astype(int))
        for arguments in ((a[None],), (a, "raw")):
            with self.assertRaises(ValueError):
                large.qr(*arguments)
        with self.assertRaises(ValueError):
            large.qr(a, devices=[])
        with self.assertRaises(ValueError):
            large.qr(a, devices=np.array([], int))
        with self.assertRaises(ValueError):
            large.lstsq(a, a[:4])
        with self.assertRaisesRegex(tephra.TephraError, "99"):
            large.qr(a, devices=[99])
        with self.assertRaises(tephra.TephraError):
            large.qr(a, budget=-1)
        for wrong in ({"devices": [2**32]}, {"budget": 2**64}, {"host_columns": 2**64}, {"host_columns": -2**63 - 1}):
            with self.assertRaisesRegex(ValueError, "too large"):
                large.qr(a, **wrong)
        with self.assertRaisesRegex(TypeError, "budget"):
            large.qr(a, budget=8e9)


if __name__ == "__main__":
    unittest.main()
