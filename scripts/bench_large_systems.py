#!/usr/bin/env python3
"""Times LU and Cholesky of one or a few large matrices in device memory: tephra_?getrf_strided_batched and potrf
against torch.linalg.lu_factor_ex and cholesky_ex, which call cuSOLVER, in the same run.

    TEPHRA_LIBRARY=.../libtephra.so scripts/bench_large_systems.py OUT.csv [SECONDS [CASE ...]]

A CASE is OP:PRECISION:ORDER:BATCH, where OP is getrf, potrf (lower) or potrf_upper. SECONDS limits the time for all
cases; those left after that are not measured. The time is the median over the repeats, measured by events; each of
Tephra's calls works on a fresh copy of A. The ratio is |L U x - P A x| / (n |A x| eps) for random x, computed on the
device in the same precision.
"""
import csv
import ctypes
import os
import sys
import time

import torch
from bench_large import TYPES, median_ms

ORDERS = [256, 512, 1024, 2048, 4096, 8192, 16384, 32768]
CASES = [f"{op}:{letter}:{n}:1" for n in ORDERS for op in ("potrf", "getrf") for letter in "sd"]
CASES += [f"{op}:d:{n}:{batch}" for n in (1024, 4096) for batch in (2, 8, 16) for op in ("potrf", "getrf")]
CASES += [f"{op}:{letter}:2048:1" for op in ("potrf", "potrf_upper", "getrf") for letter in "cz"]


class Library:
    def __init__(self, path):
        self.library = ctypes.CDLL(path)

    def call(self, name, letter, *arguments):
        def value(x):
            if isinstance(x, int):
                return ctypes.c_int64(x)
            return ctypes.c_void_p(x.data_ptr() if x is not None else None)

        stream = ctypes.c_void_p(torch.cuda.current_stream().cuda_stream)
        status = getattr(self.library, f"tephra_{letter}{name}_strided_batched")(*map(value, arguments), None, 0, stream)
        if status != 0:
            raise RuntimeError(f"{name}: status {status}")

    def getrf(self, letter, a, ipiv, info):
        batch, n, _ = a.shape
        self.call("getrf", letter, n, n, a, n, n * n, ipiv, n, info, batch)

    def potrf(self, letter, a, upper, info):
        batch, n, _ = a.shape
        self.call("potrf", letter, 121 if upper else 122, n, a, n, n * n, info, batch)


def permutation(ipiv):
    rows = list(range(len(ipiv)))
    for k, p in enumerate(ipiv.cpu().tolist()):
        rows[k], rows[p - 1] = rows[p - 1], rows[k]
    return torch.tensor(rows, device="cuda")


def ratio(op, a, factors, ipiv):
    """The ratio of the last member. A row of these tensors is a column of the matrix."""
    a, factors = a[-1].mT, factors[-1].mT
    x = torch.randn(a.shape[0], 4, dtype=a.dtype, device="cuda")
    want = a @ x
    if op == "getrf":
        want = want[permutation(ipiv[-1])]
        got = torch.tril(factors, -1) @ (upper := torch.triu(factors) @ x) + upper
    else:
        factor = torch.triu(factors).mH if op == "potrf_upper" else torch.tril(factors)
        got = factor @ (factor.mH @ x)
    return float((got - want).norm() / (want.norm() * a.shape[0] * torch.finfo(a.dtype).eps))


def measure(library, case, budget):
    op, letter, n, batch = case.split(":")
    n, batch = int(n), int(batch)
    a = torch.randn(batch, n, n, dtype=TYPES[letter], device="cuda")
    if op != "getrf":
        a = (a + a.mH) / 2
        a.diagonal(dim1=-2, dim2=-1).add_(3 * n**0.5)
    factors = torch.empty_like(a)
    info, ipiv = torch.full((batch,), -7, dtype=torch.int32, device="cuda"), torch.zeros(batch, n, dtype=torch.int32, device="cuda")
    if op == "getrf":
        ours, theirs = lambda: library.getrf(letter, factors, ipiv, info), lambda: torch.linalg.lu_factor_ex(a)
    else:
        ours, theirs = lambda: library.potrf(letter, factors, op == "potrf_upper", info), lambda: torch.linalg.cholesky_ex(a)
    ms = median_ms(lambda: factors.copy_(a), ours, budget)
    if info.any():
        raise RuntimeError(f"{case}: codes {info.unique().tolist()}")
    good = ratio(op, a, factors, ipiv) if n <= 16384 else float("nan")
    del factors
    return [letter, op, n, n, batch], ms, good, median_ms(lambda: None, theirs, budget)


def main():
    library, begin = Library(os.environ["TEPHRA_LIBRARY"]), time.perf_counter()
    limit = float(sys.argv[2]) if len(sys.argv) > 2 else 600.0
    with open(sys.argv[1], "w", newline="") as file:
        print(f"# torch {torch.__version__}; events", file=file)
        device = torch.cuda.get_device_name()
        out = csv.writer(file, lineterminator="\n")
        out.writerow(["library", "precision", "op", "m", "n", "batch", "ms", "ratio_residual", "ratio_orthogonality", "speedup", "device"])
        for case in sys.argv[3:] or CASES:
            if time.perf_counter() - begin > limit:
                print("no time for", case, flush=True)
                continue
            try:
                shape, ms, good, other = measure(library, case, 0.2)
            except (RuntimeError, AttributeError) as error:
                print(case, error, flush=True)
                continue
            out.writerow(["tephra", *shape, f"{ms:.5f}", f"{good:.3f}", "0.000", f"{other / ms:.2f}", device])
            out.writerow(["torch", *shape, f"{other:.5f}", "", "", "", device])
            print(f"{case}: tephra {ms:.4f} ms, torch {other:.4f} ms: {other / ms:.2f}x; ratio {good:.3f}", flush=True)
            file.flush()


if __name__ == "__main__":
    main()
