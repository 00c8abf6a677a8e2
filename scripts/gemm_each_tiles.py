#!/usr/bin/env python3
"""Times products of members of different sizes with each tile that a kernel may serve them with, on a GPU:

    TEPHRA_LIBRARY=libtephra.so scripts/gemm_each_tiles.py > results/h200/gemm_each_tiles.csv

Rows, columns and terms are random up to `most`. The tile "own" is the library's choice. Needs PyTorch.
"""
import ctypes
import os
import random
import subprocess
import sys

TILES = ("own", "16x16", "32x16", "32x32", "48x48", "64x64")
OF_TYPE = {"s": ("32x16", "32x32", "64x64"), "d": ("16x16", "32x32", "64x64"), "c": ("16x16", "32x32", "64x64"),
           "z": ("16x16", "32x32", "48x48")}
LARGEST = (8, 12, 16, 20, 24, 32, 40, 48, 56, 64, 72, 80, 96, 100, 112, 128, 160, 200, 256)
MOST_BYTES = 4e9


def microseconds(torch, library, precision, most, batch):
    dtype = {"s": torch.float32, "d": torch.float64, "c": torch.complex64, "z": torch.complex128}[precision]

    def ints(values, dtype=torch.int32):
        return torch.tensor(values, dtype=dtype, device="cuda")

    def at(x):
        return ctypes.c_void_p(x.data_ptr())

    draw = random.Random(3)
    m, n, k = zip(*(tuple(draw.randint(1, most) for _ in range(3)) for _ in range(batch)))
    operands = []
    for rows, columns in ((m, k), (k, n), (m, n)):
        starts, end = [], 0
        for r, c in zip(rows, columns):
            starts.append(end)
            end += r * c
        x = torch.randn(end, dtype=dtype, device="cuda")
        operands.append((x, ints(starts, torch.int64) * x.element_size() + x.data_ptr(), ints(rows)))
    sizes = ints(m), ints(n), ints(k)
    one = ((ctypes.c_double if precision in "dz" else ctypes.c_float) * 2)(1, 0)
    (_, a, lda), (_, b, ldb), (_, c, ldc) = operands
    stream, bound = torch.cuda.Stream(), ctypes.c_int64(most)
    arguments = [bound, bound, bound, 111, 111, *map(at, sizes), one, *map(at, (a, lda, b, ldb)), one, at(c), at(ldc),
                 ctypes.c_int64(batch), ctypes.c_void_p(stream.cuda_stream)]
    function, times = getattr(library, f"tephra_{precision}gemm_vbatched"), []
    torch.cuda.synchronize()
    with torch.cuda.stream(stream):
        for turn in range(7):
            before, after = (torch.cuda.Event(enable_timing=True) for _ in range(2))
            before.record(stream)
            for _ in range(2):
                status = function(*arguments)
                assert status == 0, status
            after.record(stream)
            after.synchronize()
            if turn > 1:
                times.append(before.elapsed_time(after) * 500)
    return sorted(times)[len(times) // 2]


def time_tile(tile):
    import torch
    library = ctypes.CDLL(os.environ.get("TEPHRA_LIBRARY", "libtephra.so"))
    for precision, tiles in OF_TYPE.items():
        if tile != "own" and tile not in tiles:
            continue
        for most in LARGEST:
            for batch in (1000, 10000):
                if 3 * most * most * batch * {"s": 4, "d": 8, "c": 8, "z": 16}[precision] <= MOST_BYTES:
                    us = microseconds(torch, library, precision, most, batch)
                    print(f"{precision},{most},{batch},{tile},{us:.1f}", flush=True)


def main():
    import torch
    print(f"# {torch.cuda.get_device_name()}")
    print("precision,most,batch,tile,us", flush=True)
    for tile in TILES:  # the library reads the variable once
        pin = {} if tile == "own" else {"TEPHRA_PLAN": f"tiles={tile}"}
        subprocess.run([sys.executable, __file__, tile], env={**os.environ, **pin}, check=True)


if __name__ == "__main__":
    sys.exit(main() if len(sys.argv) < 2 else time_tile(sys.argv[1]))
