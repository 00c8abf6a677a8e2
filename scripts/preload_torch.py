#!/usr/bin/env python3
"""PyTorch under LD_PRELOAD=libtephra_preload.so: torch.geqrf on batches, checked in double precision on the host.

PyTorch calls cublas?geqrfBatched for m <= 256 and batches of at least max(2, m / 16). Prints "ok ..." per case; who served
the calls is in the log that TEPHRA_VERBOSE=1 writes.
"""
import sys

import torch

SHAPES = [(1, 1, 4), (8, 8, 1000), (32, 32, 500), (33, 20, 100), (20, 50, 100), (128, 64, 50), (256, 256, 20)]


def ratios(a, packed, tau):
    """LAPACK's two test ratios of a batch, the worst of it."""
    wide = torch.complex128 if a.is_complex() else torch.float64
    eps = torch.finfo(a.dtype).eps
    a, packed, tau = (t.cpu().to(wide) for t in (a, packed, tau))
    m, n = a.shape[-2:]
    k = min(m, n)
    # householder_product wants m >= n: Q from the first k columns.
    q = torch.linalg.householder_product(packed[..., :k], tau)
    r = torch.triu(packed)[..., :k, :]
    norm = torch.linalg.matrix_norm
    backward = norm(a - q @ r, 1) / (max(m, n) * norm(a, 1) * eps)
    orthogonal = norm(torch.eye(k, dtype=wide) - q.mH @ q, 1) / (m * eps)
    real_diagonal = torch.diagonal(r, dim1=-2, dim2=-1).imag.abs().max() == 0 if a.is_complex() else True
    worst = max(backward.max().item(), orthogonal.max().item())
    return worst if real_diagonal else float("inf")


def main():
    torch.manual_seed(1)
    failed = 0
    for dtype in (torch.float32, torch.float64, torch.complex64, torch.complex128):
        for m, n, batch in SHAPES:
            a = torch.randn(batch, m, n, dtype=dtype, device="cuda")
            worst = ratios(a, *torch.geqrf(a))
            good = worst < 30
            failed += not good
            print("ok" if good else "FAILED", f"torch.geqrf {dtype} {batch} x {m} x {n}: ratio {worst:.3f}", flush=True)
    # On a stream of its own, behind work that is still running.
    stream = torch.cuda.Stream()
    with torch.cuda.stream(stream):
        a, b = torch.randn(2, 200, 64, 64, dtype=torch.float64, device="cuda")
        for _ in range(20):
            a = a @ b / 8
        packed, tau = torch.geqrf(a)
    stream.synchronize()
    worst = ratios(a, packed, tau)
    failed += not worst < 30
    print("ok" if worst < 30 else "FAILED", f"side stream: ratio {worst:.3f}")
    sys.exit(failed != 0)


if __name__ == "__main__":
    main()
