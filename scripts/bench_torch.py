#!/usr/bin/env python3
"""Times explicit QR of device tensors: the tephra package against torch.linalg.qr, in the same run.

    PYTHONPATH=python/src TEPHRA_LIBRARY=... scripts/bench_torch.py OUT.csv

The wall-clock time is measured between two synchronisations of the device, so that it includes Python and allocation,
as a program experiences it. It is the median over the repeats after two warm-ups; torch.linalg.qr, which loops over the
batch, gets fewer repeats. The result is checked against its input in float64.
"""
import csv
import sys
import time

import torch

import tephra

SHAPES = [(8, 8, 1000), (32, 32, 1000), (64, 64, 1000), (256, 16, 1000)]
TYPES = {"s": torch.float32, "d": torch.float64}


def median_ms(f, repeats):
    times = []
    for i in range(repeats + 2):
        torch.cuda.synchronize()
        start = time.perf_counter()
        f()
        torch.cuda.synchronize()
        times.append(time.perf_counter() - start)
    return 1e3 * sorted(times[2:])[repeats // 2]


def ratio(a, q, r):
    """|A - QR|_1 / (max(m, n) |A|_1 eps), the largest over the batch. eps is LAPACK's, which is half of PyTorch's."""
    wide, (m, n) = torch.float64, a.shape[-2:]
    norm = lambda x: x.abs().sum(-2).amax(-1)
    eps = torch.finfo(a.dtype).eps / 2
    error = norm(a.to(wide) - q.to(wide) @ r.to(wide)) / (norm(a.to(wide)) * max(m, n) * eps)
    return float(error.max())


def main():
    with open(sys.argv[1], "w", newline="") as file:
        print(f"# torch {torch.__version__}, tephra {tephra.version()}; wall-clock", file=file)
        device = torch.cuda.get_device_name()
        out = csv.writer(file, lineterminator="\n")
        out.writerow(["library", "precision", "op", "m", "n", "batch", "ms", "ratio", "speedup", "device"])
        for letter, kind in TYPES.items():
            for m, n, batch in SHAPES:
                a = torch.empty(batch, m, n, dtype=kind, device="cuda").uniform_(-1, 1)
                ours, theirs = tephra.qr(a), torch.linalg.qr(a)
                mine, loop = median_ms(lambda: tephra.qr(a), 50), median_ms(lambda: torch.linalg.qr(a), 5)
                shape = [letter, "qrq", m, n, batch]
                out.writerow(["tephra", *shape, f"{mine:.5f}", f"{ratio(a, *ours):.3f}", f"{loop / mine:.2f}", device])
                out.writerow(["torch", *shape, f"{loop:.5f}", f"{ratio(a, *theirs):.3f}", "", device])
                print(f"{letter} {m} x {n} x {batch}: tephra {mine:.4f} ms, torch.linalg.qr {loop:.2f} ms: {loop / mine:.0f}x", flush=True)


if __name__ == "__main__":
    main()
