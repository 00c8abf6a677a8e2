#!/usr/bin/env python3
"""Tests CuPy under LD_PRELOAD=libtephra_preload.so: solve, inv, cond, det, slogdet, cholesky and qr of cupy.linalg,
cupyx's solve_triangular and posv, and cupy.matmul, on batches and on one matrix. Results are checked in double
precision by NumPy.

CuPy calls cublas?getrfBatched with getrsBatched for solve (up to its limit, order 256 by default), and with
getriBatched for inv and cond (whose value for a singular matrix depends on what getri writes there). It calls
getrfBatched alone for det and slogdet, cusolverDn?potrfBatched for cholesky, with potrsBatched (one right-hand side per
call) for posv, cublas?trsmBatched for batches of triangles, cusolverDn?geqrf and orgqr for qr, and
cublas?gemmStridedBatched or gemmBatched for products. Prints "ok ..." for each case; the log that TEPHRA_VERBOSE=1
writes shows which library served the calls. Arguments: the precisions to check (s d c z), default all.
"""
import sys

import cupy
import cupyx.lapack
import cupyx.scipy.linalg
import numpy

# (order, right-hand sides, batch)
SYSTEMS = [(1, 1, 4), (6, 1, 5000), (8, 3, 1000), (32, 8, 500), (33, 1, 200), (64, 64, 100), (100, 2, 50), (200, 1, 10)]
# (rows, columns, inner size, batch)
PRODUCTS = [(4, 4, 4, 5000), (8, 5, 7, 300), (16, 16, 16, 1000), (3, 16, 11, 100), (64, 64, 64, 100)]
# Orders of matrices, some of them singular, whose condition numbers are computed, in the norms for which CuPy uses
# inverses
CONDITIONS = [1, 2, 3, 8, 16, 17, 32, 33, 64, 100, 130, 300]
NORMS = [1, -1, numpy.inf, -numpy.inf, "fro"]
# (rows, columns, batch); a batch of 0 stands for one matrix
TALL = [(5, 3, 4), (32, 32, 20), (300, 40, 0), (3000, 20, 0)]


def random(generator, dtype, *shape):
    x = generator.standard_normal(shape)
    if numpy.dtype(dtype).kind == "c":
        x = x + 1j * generator.standard_normal(shape)
    return x.astype(dtype)


def adjoint(a):
    return a.conj().swapaxes(-1, -2)


def wide(*arrays):
    """The arrays in double precision on the host."""
    host = [cupy.asnumpy(a) for a in arrays]
    return [h.astype(numpy.result_type(h.dtype, numpy.float64)) for h in host]


def norm(a):
    return numpy.abs(a).sum(-2).max(-1)


def residual_ratio(a, x, b):
    """||B - A X|| / (||A|| ||X|| n eps), the worst over a batch."""
    eps = numpy.finfo(x.dtype).eps
    a, x, b = wide(a, x, b)
    return (norm(b - a @ x) / (norm(a) * norm(x) * a.shape[-1] * eps)).max()


def systems(generator, dtype):
    """(name, ratio) of CuPy's functions that use LU, Cholesky and triangular solves, in one precision."""
    eps = numpy.finfo(dtype).eps
    for n, nrhs, batch in SYSTEMS:
        case = f"{numpy.dtype(dtype)} {batch} x {n}, {nrhs} right-hand sides"
        a, b = (cupy.asarray(random(generator, dtype, batch, n, columns)) for columns in (n, nrhs))
        unit = cupy.broadcast_to(cupy.eye(n, dtype=dtype), a.shape)
        yield f"cupy.linalg.solve {case}", residual_ratio(a, cupy.linalg.solve(a, b), b)
        yield f"cupy.linalg.inv {case}", residual_ratio(a, cupy.linalg.inv(a), unit)
        small = a / (n / numpy.e) ** 0.5  # scaled to determinants of about one, within the range of any precision
        (host,) = wide(small)
        here, condition = numpy.linalg.det(host), numpy.linalg.cond(host)
        there = cupy.asnumpy(cupy.linalg.det(small))
        yield f"cupy.linalg.det {case}", (numpy.abs(there - here) / (numpy.abs(here) * condition * n * eps)).max()
        sign, logarithm = cupy.linalg.slogdet(small)
        (sign, logarithm), (its_sign, its_logarithm) = wide(sign, logarithm), numpy.linalg.slogdet(host)
        error = numpy.abs(sign - its_sign) + numpy.abs(logarithm - its_logarithm)
        yield f"cupy.linalg.slogdet {case}", (error / (condition * n * eps)).max()

        definite = a @ adjoint(a) + n * unit
        lower = cupy.linalg.cholesky(definite)
        clean = bool((cupy.tril(lower) == lower).all())
        yield f"cupy.linalg.cholesky {case}", residual_ratio(lower, adjoint(lower), definite) if clean else float("inf")
        yield f"cupyx.lapack.posv {case}", residual_ratio(definite, cupyx.lapack.posv(definite, b), b)
        triangle = cupy.tril(a) / n + 2 * unit
        solve = cupyx.scipy.linalg.solve_triangular
        yield f"solve_triangular {case}", residual_ratio(triangle, solve(triangle, b, lower=True), b)


def conditions(generator, dtype):
    """(name, ratio) of condition numbers in stacks with singular members, whose condition is infinite, whether the
    whole member or one column of it is zero."""
    eps = numpy.finfo(dtype).eps
    for n in CONDITIONS:
        a = random(generator, dtype, 2, 3, n, n)
        a[0, 0] = 0
        a[1, 1, :, n // 2] = 0
        a[1, 2, :, n - 1] = 0
        singular = numpy.zeros((2, 3), bool)
        singular[0, 0] = singular[1, 1] = singular[1, 2] = True
        (host,) = wide(cupy.asarray(a))
        for p in NORMS:
            got = cupy.asnumpy(cupy.linalg.cond(cupy.asarray(a), p))
            expected = numpy.array([numpy.linalg.cond(member, p) for member in host[~singular]])
            spread = numpy.array([numpy.linalg.cond(member, 1) for member in host[~singular]])
            error = (numpy.abs(got[~singular] - expected) / (expected * spread * n * eps)).max()
            yield f"cupy.linalg.cond {numpy.dtype(dtype)} order {n}, norm {p}", \
                error if numpy.isposinf(numpy.abs(got[singular])).all() else float("inf")
    a = numpy.arange(16).astype(dtype).reshape(2, 2, 2, 2)
    a[0, 0] = a[1, 1] = 0
    for p in NORMS:
        got = cupy.asnumpy(cupy.linalg.cond(cupy.asarray(a), p))
        infinite = numpy.isposinf(numpy.abs(got[[0, 1], [0, 1]])).all() and numpy.isfinite(got[[0, 1], [1, 0]]).all()
        yield f"cupy.linalg.cond {numpy.dtype(dtype)} of numbers in order, norm {p}", 0.0 if infinite else float("inf")


def factors(generator, dtype):
    """(name, ratio) of QR and of products in one precision."""
    eps = numpy.finfo(dtype).eps
    for m, n, batch in TALL:
        a = cupy.asarray(random(generator, dtype, *([batch] if batch else []), m, n))
        q, r = cupy.linalg.qr(a)
        (wide_q,) = wide(q)
        orthogonal = norm(numpy.eye(n) - adjoint(wide_q) @ wide_q).max() / (m * eps)
        yield f"cupy.linalg.qr {numpy.dtype(dtype)} {batch or 1} x {m} x {n}", max(residual_ratio(q, r, a), orthogonal)
    for m, n, k, batch in PRODUCTS:
        for way in ("NN", "TN", "NT"):
            a = random(generator, dtype, batch, *((k, m) if way[0] == "T" else (m, k)))
            b = random(generator, dtype, batch, *((n, k) if way[1] == "T" else (k, n)))
            a, b = (cupy.asarray(x).swapaxes(1, 2) if t == "T" else cupy.asarray(x) for x, t in zip((a, b), way))
            c, a, b = wide(cupy.matmul(a, b), a, b)
            error = numpy.abs(c - a @ b) / (numpy.abs(a) @ numpy.abs(b) * k * eps)
            yield f"cupy.matmul {numpy.dtype(dtype)} {way} {batch} x {m} x {n}, {k} terms", error.max()


PRECISIONS = {"s": numpy.float32, "d": numpy.float64, "c": numpy.complex64, "z": numpy.complex128}


def main():
    generator = numpy.random.default_rng(1)
    failed = 0
    for dtype in (PRECISIONS[letter] for letter in sys.argv[1:] or PRECISIONS):
        for what, ratio in (*systems(generator, dtype), *conditions(generator, dtype), *factors(generator, dtype)):
            failed += not ratio < 30
            print("ok" if ratio < 30 else "FAILED", f"{what}: ratio {ratio:.3f}", flush=True)
    sys.exit(failed != 0)


if __name__ == "__main__":
    main()
