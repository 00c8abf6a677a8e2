#!/usr/bin/env python3
"""Tests PyTorch under LD_PRELOAD=libtephra_preload.so: torch.geqrf, and torch.linalg's lstsq, solve_triangular,
lu_factor, lu_solve, solve, inv, det and cholesky on batches; torch.cholesky_solve and torch.bmm; and torch.linalg.qr of
one matrix. Results are checked in double precision on the host.

PyTorch calls cublas?geqrfBatched and cublas?gelsBatched for m <= 256 and batches of at least max(2, m / 16), the latter
for m >= n; cublas?trsmBatched for batches of more than 8 up to order 512; cublas?getrfBatched and getrsBatched for
small square matrices; cusolverDn?potrfBatched for batches; and cublas?gemmStridedBatched, which Tephra serves with
TEPHRA_PRELOAD=gemm where the vendor's is not faster. Prints "ok ..." for each case; the log that TEPHRA_VERBOSE=1
writes shows which library served the calls. Arguments: the precisions to check (s d c z), default all.
"""
import sys

import torch

# (m, n, batch)
SHAPES = [(1, 1, 4), (8, 8, 1000), (32, 32, 500), (33, 20, 100), (20, 50, 100), (128, 64, 50), (256, 256, 20)]

# (m, n, right-hand sides, batch), m >= n
LEAST_SQUARES = [(1, 1, 1, 4), (8, 8, 1, 1000), (32, 20, 8, 200), (128, 64, 1, 50), (256, 16, 3, 64)]
# (order, right-hand sides, batch)
TRIANGULAR = [(1, 1, 9), (8, 1, 1000), (32, 8, 200), (100, 100, 20), (256, 3, 16)]

# (order, right-hand sides, batch)
SYSTEMS = [(1, 1, 4), (6, 1, 5000), (8, 3, 1000), (32, 8, 500), (33, 1, 200), (64, 64, 100), (100, 2, 50), (128, 1, 20)]
# (rows, columns, inner size, batch)
PRODUCTS = [(4, 4, 4, 5000), (8, 8, 8, 1000), (8, 5, 7, 300), (16, 16, 16, 1000), (3, 16, 11, 100), (64, 64, 64, 100)]


def ratios(a, packed, tau):
    """LAPACK's two test ratios, the worst over a batch."""
    wide = torch.complex128 if a.is_complex() else torch.float64
    eps = torch.finfo(a.dtype).eps
    a, packed, tau = (t.cpu().to(wide) for t in (a, packed, tau))
    m, n = a.shape[-2:]
    k = min(m, n)
    # householder_product requires m >= n, so Q is formed from the first k columns.
    q = torch.linalg.householder_product(packed[..., :k], tau)
    r = torch.triu(packed)[..., :k, :]
    norm = torch.linalg.matrix_norm
    backward = norm(a - q @ r, 1) / (max(m, n) * norm(a, 1) * eps)
    orthogonal = norm(torch.eye(k, dtype=wide) - q.mH @ q, 1) / (m * eps)
    real_diagonal = torch.diagonal(r, dim1=-2, dim2=-1).imag.abs().max() == 0 if a.is_complex() else True
    worst = max(backward.max().item(), orthogonal.max().item())
    return worst if real_diagonal else float("inf")


def wide_of(*tensors):
    """The tensors in double precision on the host."""
    wide = torch.complex128 if tensors[0].is_complex() else torch.float64
    return tuple(t.cpu().to(wide) for t in tensors)


def least_squares_ratio(a, b, x):
    """||A^H (B - A X)|| / (||A|| (||A|| ||X|| + ||B||) m eps), the worst over a batch. ||X|| is included because it may
    be large for an ill-conditioned square A."""
    eps = torch.finfo(a.dtype).eps
    a, b, x = wide_of(a, b, x)
    norm = torch.linalg.matrix_norm
    gradient = norm(a.mH @ (b - a @ x), "fro")
    scale = norm(a, "fro") * norm(x, "fro") + norm(b, "fro")
    return (gradient / (norm(a, "fro") * scale * max(a.shape[-2:]) * eps)).max().item()


def triangular_ratio(a, b, x, left):
    """||B - A X|| / (||A|| ||X|| n eps), or the same for X A, the worst over a batch."""
    eps = torch.finfo(a.dtype).eps
    a, b, x = wide_of(a, b, x)
    norm = torch.linalg.matrix_norm
    residual = norm(b - (a @ x if left else x @ a), 1)
    return (residual / (norm(a, 1) * norm(x, 1) * a.shape[-1] * eps)).max().item()


def solvers(dtype):
    """(name, ratio) of least squares and of triangular solves in one precision."""
    for m, n, nrhs, batch in LEAST_SQUARES:
        a = torch.randn(batch, m, n, dtype=dtype, device="cuda")
        b = torch.randn(batch, m, nrhs, dtype=dtype, device="cuda")
        x = torch.linalg.lstsq(a, b, driver="gels").solution
        yield f"torch.linalg.lstsq {dtype} {batch} x {m} x {n}, {nrhs} right-hand sides", least_squares_ratio(a, b, x)
    for n, nrhs, batch in TRIANGULAR:
        for upper in (False, True):
            for left in (True, False):
                a = torch.randn(batch, n, n, dtype=dtype, device="cuda") / n
                a = (a.triu() if upper else a.tril()) + 2 * torch.eye(n, dtype=dtype, device="cuda")
                shape = (batch, n, nrhs) if left else (batch, nrhs, n)
                b = torch.randn(shape, dtype=dtype, device="cuda")
                x = torch.linalg.solve_triangular(a, b, upper=upper, left=left)
                what = f"torch.linalg.solve_triangular {dtype} {batch} x {n}, {nrhs} right-hand sides, {upper=}, {left=}"
                yield what, triangular_ratio(a, b, x, left)


def residual_ratio(a, x, b):
    """||B - A X|| / (||A|| ||X|| n eps), the worst over a batch."""
    eps = torch.finfo(a.dtype).eps
    a, x, b = wide_of(a, x, b)
    norm = torch.linalg.matrix_norm
    return (norm(b - a @ x, 1) / (norm(a, 1) * norm(x, 1) * a.shape[-1] * eps)).max().item()


def factors_ratio(a, packed, pivots):
    """||P A - L U|| / (||A|| n eps), the worst over a batch; infinite if an element of L is larger than one."""
    eps = torch.finfo(a.dtype).eps
    a, packed = wide_of(a, packed)
    p, lower, upper = torch.lu_unpack(packed, pivots.cpu())
    norm = torch.linalg.matrix_norm
    ratio = norm(a - p @ lower @ upper, 1) / (norm(a, 1) * a.shape[-1] * eps)
    # Complex pivots have the largest |re| + |im|, so |L| may exceed one.
    return ratio.max().item() if lower.abs().max() < 1.5 else float("inf")


def systems(dtype):
    """(name, ratio) of PyTorch's functions that use LU, in one precision."""
    for n, nrhs, batch in SYSTEMS:
        a = torch.randn(batch, n, n, dtype=dtype, device="cuda")
        b = torch.randn(batch, n, nrhs, dtype=dtype, device="cuda")
        case = f"{dtype} {batch} x {n}, {nrhs} right-hand sides"
        packed, pivots = torch.linalg.lu_factor(a)
        yield f"torch.linalg.lu_factor {case}", factors_ratio(a, packed, pivots)
        yield f"torch.linalg.lu_solve {case}", residual_ratio(a, torch.linalg.lu_solve(packed, pivots, b), b)
        x = torch.linalg.lu_solve(packed, pivots, b, adjoint=True)
        yield f"torch.linalg.lu_solve, adjoint, {case}", residual_ratio(a.mH, x, b)
        yield f"torch.linalg.solve {case}", residual_ratio(a, torch.linalg.solve(a, b), b)
        one = torch.eye(n, dtype=dtype, device="cuda").expand(batch, n, n)
        yield f"torch.linalg.inv {case}", residual_ratio(a, torch.linalg.inv(a), one)
        unit = a / n**0.5
        there, here = torch.linalg.det(unit).cpu(), torch.linalg.det(*wide_of(unit))
        eps = torch.finfo(dtype).eps
        # The error of a determinant is proportional to the condition of the matrix.
        (wide,) = wide_of(unit)
        error = (there - here).abs() / (here.abs() * torch.linalg.cond(wide) * n * eps)
        yield f"torch.linalg.det {case}", error.max().item()


def definite(dtype):
    """(name, ratio) of PyTorch's functions that use Cholesky, in one precision."""
    for n, nrhs, batch in SYSTEMS:
        root = torch.randn(batch, n, n, dtype=dtype, device="cuda")
        a = root @ root.mH + n * torch.eye(n, dtype=dtype, device="cuda")
        b = torch.randn(batch, n, nrhs, dtype=dtype, device="cuda")
        for upper in (False, True):
            case = f"{dtype} {batch} x {n}, {upper=}"
            factor, info = torch.linalg.cholesky_ex(a, upper=upper)
            lower = factor.mH if upper else factor
            good = (info == 0).all() and torch.equal(factor, factor.triu() if upper else factor.tril())
            yield f"torch.linalg.cholesky {case}", residual_ratio(lower, lower.mH, a) if good else float("inf")
            x = torch.cholesky_solve(b, factor, upper=upper)
            yield f"torch.cholesky_solve {case}, {nrhs} right-hand sides", residual_ratio(a, x, b)


def products(dtype):
    """(name, ratio) of products in one precision, with plain, transposed and conjugated factors."""
    eps = torch.finfo(dtype).eps
    for m, n, k, batch in PRODUCTS:
        for way in ("NN", "TN", "NC"):
            a = torch.randn(batch, k, m, dtype=dtype, device="cuda").mT if way[0] == "T" else torch.randn(batch, m, k, dtype=dtype, device="cuda")
            b = torch.randn(batch, n, k, dtype=dtype, device="cuda").mH if way[1] == "C" else torch.randn(batch, k, n, dtype=dtype, device="cuda")
            c = torch.bmm(a, b)
            a, b, c = wide_of(a, b, c)
            error = (c - a @ b).abs() / (a.abs() @ b.abs() * k * eps)
            yield f"torch.bmm {dtype} {way} {batch} x {m} x {n}, {k} terms", error.max().item()


# (rows, columns) of one matrix
SINGLE = [(5, 3), (32, 32), (300, 300), (3000, 20), (100000, 8)]


def single(dtype):
    """(name, ratio) of QR of one matrix in one precision, which uses cuSOLVER's names."""
    eps = torch.finfo(dtype).eps
    for m, n in SINGLE:
        a = torch.randn(m, n, dtype=dtype, device="cuda")
        q, r = torch.linalg.qr(a)
        a, q, r = wide_of(a, q, r)
        norm = torch.linalg.matrix_norm
        backward = norm(a - q @ r, 1) / (max(m, n) * norm(a, 1) * eps)
        orthogonal = norm(torch.eye(n, dtype=q.dtype) - q.mH @ q, 1) / (m * eps)
        yield f"torch.linalg.qr {dtype} {m} x {n}", max(backward.item(), orthogonal.item())


def on_a_stream():
    """Whether geqrf is correct on another stream, enqueued after work that is still running."""
    stream = torch.cuda.Stream()
    with torch.cuda.stream(stream):
        a, b = torch.randn(2, 200, 64, 64, dtype=torch.float64, device="cuda")
        for _ in range(20):
            a = a @ b / 8
        packed, tau = torch.geqrf(a)
    stream.synchronize()
    worst = ratios(a, packed, tau)
    print("ok" if worst < 30 else "FAILED", f"side stream: ratio {worst:.3f}")
    return worst < 30


PRECISIONS = {"s": torch.float32, "d": torch.float64, "c": torch.complex64, "z": torch.complex128}


def main():
    torch.manual_seed(1)
    failed = 0
    letters = sys.argv[1:] or [*PRECISIONS]
    dtypes = [PRECISIONS[letter] for letter in letters]
    for dtype in dtypes:
        for what, ratio in (*solvers(dtype), *systems(dtype), *definite(dtype), *products(dtype), *single(dtype)):
            failed += not ratio < 30
            print("ok" if ratio < 30 else "FAILED", f"{what}: ratio {ratio:.3f}", flush=True)
    for dtype in dtypes:
        for m, n, batch in SHAPES:
            a = torch.randn(batch, m, n, dtype=dtype, device="cuda")
            worst = ratios(a, *torch.geqrf(a))
            good = worst < 30
            failed += not good
            print("ok" if good else "FAILED", f"torch.geqrf {dtype} {batch} x {m} x {n}: ratio {worst:.3f}", flush=True)
    if "d" in letters:
        failed += not on_a_stream()
    sys.exit(failed != 0)


if __name__ == "__main__":
    main()
