#!/usr/bin/env python3
"""Times QR of tall matrices, and of a few large ones, in device memory: tephra_?geqrf_strided_batched and orgqr against
torch.geqrf and torch.linalg.householder_product, which call cuSOLVER for one matrix after the other, in the same run.

    TEPHRA_LIBRARY=.../libtephra.so scripts/bench_large.py OUT.csv [SECONDS [PRECISIONS [SHAPE ...]]]

By default all precisions are measured, each with its list of shapes. A SHAPE is given as 4096x32x100.

The time is the median over the repeats, measured by events; each call works on a fresh copy of A. The result is checked
in float64 on the device: LAPACK's ratios of A - Q R and of Q^H Q - I, with Q from Tephra's orgqr.
"""
import csv
import ctypes
import os
import sys
import time

import torch

# (m, n, batch)
SHAPES = [
    (1048576, 32, 1), (1048576, 16, 1), (16384, 16, 20), (20000, 16, 20), (4096, 32, 100), (4096, 256, 8), (65536, 64, 4),
    (1024, 1024, 1), (2048, 2048, 1), (4096, 4096, 1), (4096, 4096, 2), (8192, 8192, 1), (16, 16, 1), (32, 32, 1), (128, 128, 1), (512, 512, 1),
    (4096, 32, 1), (65536, 32, 1), (2048, 32, 1), (4194304, 256, 1), (1048576, 1024, 1), (32768, 32768, 1),
]
COMPLEX = [(1048576, 32, 1), (4096, 32, 100), (4096, 256, 8), (1024, 1024, 1), (2048, 2048, 1), (4096, 4096, 1), (8192, 8192, 1)]
TYPES = {"s": torch.float32, "d": torch.float64, "c": torch.complex64, "z": torch.complex128}


class Library:
    def __init__(self, path):
        self.library = ctypes.CDLL(path)

    def call(self, name, letter, *arguments):
        values = [ctypes.c_int64(x) if isinstance(x, int) else ctypes.c_void_p(x.data_ptr() if x is not None else None) for x in arguments]
        stream = ctypes.c_void_p(torch.cuda.current_stream().cuda_stream)
        status = getattr(self.library, f"tephra_{letter}{name}_strided_batched")(*values, stream)
        if status != 0:
            raise RuntimeError(f"{name}: status {status}")

    def geqrf(self, letter, a, tau):
        batch, n, m = a.shape
        self.call("geqrf", letter, m, n, a, m, m * n, tau, min(m, n), batch, None, 0)

    def orgqr(self, letter, a, tau):
        batch, k, m = a.shape
        self.call("ungqr" if letter in "cz" else "orgqr", letter, m, k, k, a, m, m * k, tau, k, batch)


def median_ms(prepare, f, budget):
    times, begin = [], time.perf_counter()
    while len(times) < 2 or (len(times) < 3 and time.perf_counter() - begin < 2) or (len(times) < 20 and time.perf_counter() - begin < budget):
        prepare()
        start, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
        start.record()
        f()
        end.record()
        end.synchronize()
        times.append(start.elapsed_time(end))
    return sorted(times[1:])[(len(times) - 1) // 2]


def ratios(a, packed, q):
    """LAPACK's ratios. The tensors are transposed: a row of a tensor is a column of the matrix."""
    eps = torch.finfo(a.dtype).eps / 2
    wide = torch.complex128 if a.is_complex() else torch.float64
    n, m = a.shape[-2:]
    worst = [0.0, 0.0]
    for one, factors, basis in zip(a, packed, q):
        basis = basis.to(wide)
        r = torch.triu(factors[:, : basis.shape[0]].mT).to(wide)
        error = (one.to(wide) - (r.mT @ basis)).abs().sum(-1).max() / (one.to(wide).abs().sum(-1).max() * max(m, n) * eps)
        identity = torch.eye(basis.shape[0], dtype=wide, device=a.device)
        orthogonal = (identity - basis.conj() @ basis.mT).abs().sum(-1).max() / (m * eps)
        worst = [max(worst[0], float(error)), max(worst[1], float(orthogonal))]
    return worst


def main():
    library = Library(os.environ["TEPHRA_LIBRARY"])
    budget = float(sys.argv[2]) if len(sys.argv) > 2 else 0.1
    with open(sys.argv[1], "w", newline="") as file:
        print(f"# torch {torch.__version__}; events", file=file)
        device = torch.cuda.get_device_name()
        out = csv.writer(file, lineterminator="\n")
        out.writerow(["library", "precision", "op", "m", "n", "batch", "ms", "ratio_residual", "ratio_orthogonality", "speedup", "device"])
        chosen = [tuple(int(x) for x in shape.split("x")) for shape in sys.argv[4:]]
        for letter in sys.argv[3] if len(sys.argv) > 3 else TYPES:
            kind = TYPES[letter]
            for m, n, batch in chosen or (COMPLEX if kind.is_complex else SHAPES):
                a = torch.empty(batch, n, m, dtype=kind, device="cuda")
                (torch.view_as_real(a) if kind.is_complex else a).uniform_(-1, 1)
                packed, tau = torch.empty_like(a), torch.empty(batch, min(m, n), dtype=kind, device="cuda")
                ours = median_ms(lambda: packed.copy_(a), lambda: library.geqrf(letter, packed, tau), budget)
                q = packed.clone()
                q_ms = median_ms(lambda: q.copy_(packed), lambda: library.orgqr(letter, q, tau), budget)
                residual, orthogonality = ratios(a, packed, q)
                del q
                rows = [("geqrf", ours, residual, orthogonality), ("orgqr", q_ms, residual, orthogonality)]
                try:
                    f = a.mT
                    theirs = median_ms(lambda: None, lambda: torch.geqrf(f), budget / 2)
                    factors = packed.mT
                    q_theirs = median_ms(lambda: None, lambda: torch.linalg.householder_product(factors, tau), budget / 2)
                except torch.OutOfMemoryError:
                    theirs = q_theirs = float("nan")
                for (op, ms, *good), other in zip(rows, (theirs, q_theirs)):
                    shape = [letter, op, m, n, batch]
                    out.writerow(["tephra", *shape, f"{ms:.5f}", *(f"{x:.3f}" for x in good), f"{other / ms:.2f}", device])
                    out.writerow(["torch", *shape, f"{other:.5f}", "", "", "", device])
                    print(f"{letter} {op} {m} x {n} x {batch}: tephra {ms:.4f} ms, torch {other:.3f} ms: {other / ms:.2f}x; ratios {good[0]:.3f} {good[1]:.3f}", flush=True)
                file.flush()
                del a, packed, tau


if __name__ == "__main__":
    main()
