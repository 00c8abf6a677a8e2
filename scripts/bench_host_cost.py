#!/usr/bin/env python3
"""Measures the host's time per call: the tephra package compared with the PyTorch operations that it replaces, as CSV.

    PYTHONPATH=python/src TEPHRA_LIBRARY=... scripts/bench_host_cost.py [OUT.csv]

The time is that from call to return, without waiting for the device, for plain calls and for calls whose operands
require gradients. The batches (2 matrices of 4 x 4) are so small that the computation is negligible. The two packages
alternate in blocks, and the minimum over the blocks is taken, because it is the least affected by other processes. On a
device, the queue is drained between blocks, so that a full queue never blocks the host. In the source tree, run
`scripts/wheel.sh --native` first to build the compiled module.
"""
import csv
import sys
import time

import torch

import tephra

CALLS, BLOCKS = 20, 100


def pairs(device, dtype, layout, grad=False):
    a = torch.randn(2, 4, 4, dtype=dtype, device=device) + 4 * torch.eye(4, device=device, dtype=dtype)
    b = torch.randn(2, 4, 2, dtype=dtype, device=device)
    definite = a @ a.mH
    factors, tau = torch.geqrf(a)
    lu, pivots = torch.linalg.lu_factor(a)
    lower = torch.linalg.cholesky(definite)
    if layout == "columns":
        a, b, definite = (x.mT.contiguous().mT for x in (a, b, definite))
    if grad:
        a, b, definite, factors, tau, lu, lower = (
            x.detach().requires_grad_() for x in (a, b, definite, factors, tau, lu, lower))
    if not grad:  # PyTorch's geqrf is not differentiable
        yield "geqrf", lambda: tephra.geqrf(a), lambda: torch.geqrf(a)
    yield "qr", lambda: tephra.qr(a), lambda: torch.linalg.qr(a)
    yield ("householder_product", lambda: tephra.householder_product(factors, tau),
           lambda: torch.linalg.householder_product(factors, tau))
    yield "ormqr", lambda: tephra.ormqr(factors, tau, b), lambda: torch.ormqr(factors, tau, b)
    yield "lstsq", lambda: tephra.lstsq(a, b), lambda: torch.linalg.lstsq(a, b)
    yield ("solve_triangular", lambda: tephra.solve_triangular(a, b, upper=True),
           lambda: torch.linalg.solve_triangular(a, b, upper=True))
    yield "lu_factor", lambda: tephra.lu_factor(a), lambda: torch.linalg.lu_factor(a)
    yield "lu_solve", lambda: tephra.lu_solve(lu, pivots, b), lambda: torch.linalg.lu_solve(lu, pivots, b)
    yield "solve", lambda: tephra.solve(a, b), lambda: torch.linalg.solve(a, b)
    yield "inv", lambda: tephra.inv(a), lambda: torch.linalg.inv(a)
    yield "det", lambda: tephra.det(a), lambda: torch.linalg.det(a)
    yield "slogdet", lambda: tephra.slogdet(a), lambda: torch.linalg.slogdet(a)
    yield "cholesky", lambda: tephra.cholesky(definite), lambda: torch.linalg.cholesky(definite)
    yield "cholesky_solve", lambda: tephra.cholesky_solve(b, lower), lambda: torch.cholesky_solve(b, lower)
    yield "cholesky_inverse", lambda: tephra.cholesky_inverse(lower), lambda: torch.cholesky_inverse(lower)
    yield "bmm", lambda: tephra.bmm(a, b), lambda: torch.bmm(a, b)


def microseconds(function, device):
    if device == "cuda":
        torch.cuda.synchronize()
    start = time.perf_counter()
    for _ in range(CALLS):
        function()
    return (time.perf_counter() - start) / CALLS * 1e6


def main():
    with open(sys.argv[1], "w", newline="") if len(sys.argv) > 1 else sys.stdout as file:
        print(f"# torch {torch.__version__}, tephra {tephra.version()}, Python {sys.version.split()[0]}", file=file)
        out = csv.writer(file, lineterminator="\n")
        out.writerow(["operation", "layout", "dtype", "gradients", "tephra_us", "torch_us", "ratio", "device"])
        device = "cuda" if torch.cuda.is_available() else "cpu"
        name = torch.cuda.get_device_name() if device == "cuda" else "cpu"
        torch.set_num_threads(1)
        for dtype in (torch.float32, torch.float64, torch.complex128):
            for layout in ("rows", "columns"):
                for grad in (False, True):
                    for operation, ours, theirs in pairs(device, dtype, layout, grad):
                        times = [(microseconds(ours, device), microseconds(theirs, device)) for _ in range(BLOCKS + 2)][2:]
                        mine, other = (min(t) for t in zip(*times))
                        out.writerow([operation, layout, str(dtype)[6:], "yes" if grad else "no", f"{mine:.2f}", f"{other:.2f}",
                                      f"{mine / other:.2f}", name])
                        file.flush()


if __name__ == "__main__":
    main()
