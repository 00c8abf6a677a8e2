#!/usr/bin/env python3
"""Compares the CPU backends of two builds of libtephra.so in one process, on one thread:
compare_cpu.py OLD.so NEW.so OUT.csv [ROUTINE...]

The builds take turns on batches of square matrices. A row has the shortest time of each, in ns per matrix. Needs NumPy.
"""
import csv
import ctypes
import os
import sys
import time

import numpy as np

os.environ |= {"TEPHRA_NUM_THREADS": "1", "TEPHRA_BACKEND": "cpu"}
ORDERS = (3, 4, 8, 12, 16, 20, 24, 32, 33, 48, 64, 128, 300)
TYPES = {"s": np.float32, "d": np.float64, "c": np.complex64, "z": np.complex128}
ROUTINES = (
    "gemm", "gemm, A transposed", "gemv", "gemv, transposed", "syrk", "syr2k", "symm", "trmm", "trmm, right", "trsm",
    "geqrf", "getrf", "getrs", "getrs, transposed", "potrf", "potrf, upper", "potrs, upper", "gels", "gels, transposed",
    "trsm, right", "orgqr",
)
SECONDS = 0.2  # for each case
UPPER, LOWER, LEFT, RIGHT, NO_TRANS, TRANS, CONJ_TRANS, NON_UNIT = 121, 122, 141, 142, 111, 112, 113, 131
INT64, POINTER, SIZE = ctypes.c_int64, ctypes.c_void_p, ctypes.c_size_t


def operands(routine, dtype, n, batch, rng):
    def random():
        real = rng.standard_normal((batch, n, n))
        return (real + 1j * rng.standard_normal((batch, n, n)) if dtype in "cz" else real).astype(TYPES[dtype])

    a, b, c = random(), random(), random()
    if routine.startswith(("trsm", "getrs", "potrs")):
        a = np.triu(a) / n + 2 * np.eye(n, dtype=a.dtype)  # lower in column-major order
    if routine.startswith("potrf"):
        c = a @ a.conj().transpose(0, 2, 1) + n * np.eye(n, dtype=a.dtype)
    return np.ascontiguousarray(a), b, np.ascontiguousarray(c)


def call(library, routine, dtype, n, batch, arrays):
    """A function that makes the call."""
    a, b, c, tau, pivots, info, one, zero = (POINTER(x.ctypes.data) for x in arrays)
    order, stride, count, none = INT64(n), INT64(n * n), INT64(batch), POINTER(None)
    matrix_a, matrix_b, matrix_c = (a, order, stride), (b, order, stride), (c, order, stride)
    work = (none, SIZE(0), none)
    vector, sides = (INT64(1), order), INT64(min(n, 4))
    solve = (order, sides, *matrix_a)
    product = (order, order, order, one, *matrix_a, *matrix_b, zero, *matrix_c, count, none)
    triangle = (LEFT, LOWER, NO_TRANS, NON_UNIT, order, order, one, *matrix_a, *matrix_c, count, none)
    arguments = {
        "gemm": (NO_TRANS, NO_TRANS, *product),
        "gemm, A transposed": (TRANS, NO_TRANS, *product),
        "gemv": (NO_TRANS, order, order, one, *matrix_a, b, *vector, zero, c, *vector, count, none),
        "gemv, transposed": (TRANS, order, order, one, *matrix_a, b, *vector, zero, c, *vector, count, none),
        "syr2k": (LOWER, NO_TRANS, order, order, one, *matrix_a, *matrix_b, zero, *matrix_c, count, none),
        "getrs": (NO_TRANS, *solve, pivots, order, *matrix_c, count, *work),
        "getrs, transposed": (TRANS, *solve, pivots, order, *matrix_c, count, *work),
        "potrs, upper": (UPPER, *solve, *matrix_c, count, *work),
        "potrf, upper": (UPPER, order, *matrix_c, info, count, *work),
        "trmm, right": (RIGHT, LOWER, *triangle[2:]),
        "syrk": (LOWER, NO_TRANS, order, order, one, *matrix_a, zero, *matrix_c, count, none),
        "symm": (LEFT, LOWER, order, order, one, *matrix_a, *matrix_b, zero, *matrix_c, count, none),
        "trmm": triangle,
        "trsm": triangle,
        "trsm, right": (RIGHT, *triangle[1:]),
        "gels": (NO_TRANS, order, *solve, *matrix_c, info, count, *work),
        "gels, transposed": (CONJ_TRANS, order, *solve, *matrix_c, info, count, *work),
        "orgqr": (order, order, order, *matrix_c, tau, order, count, none),
        "geqrf": (order, order, *matrix_c, tau, order, count, *work),
        "getrf": (order, order, *matrix_c, pivots, order, info, count, *work),
        "potrf": (LOWER, order, *matrix_c, info, count, *work),
    }[routine]
    name = "ungqr" if routine == "orgqr" and dtype in "cz" else routine.split(",")[0]
    function = getattr(library, f"tephra_{dtype}{name}_strided_batched")
    return lambda: function(*arguments)


def main():
    paths, out, routines = sys.argv[1:3], sys.argv[3], sys.argv[4:] or ROUTINES
    libraries = [ctypes.CDLL(path, mode=os.RTLD_LOCAL | os.RTLD_NOW) for path in paths]
    rng = np.random.default_rng(0)
    with open(out, "w", newline="") as file:
        rows = csv.writer(file)
        rows.writerow(["routine", "dtype", "n", "batch", "old_ns", "new_ns", "old_over_new"])
        for routine in routines:
            for dtype, numpy_type in TYPES.items():
                for n in ORDERS:
                    batch = max(1, min(2000, 400_000 // (n**3 + 200)))
                    a, b, before = operands(routine, dtype, n, batch, rng)
                    c = before.copy()
                    integers = [np.tile(np.arange(1, n + 1, dtype=np.int32), (batch, 1)), np.zeros(batch, np.int32)]
                    arrays = [a, b, c, np.zeros((batch, n), numpy_type), *integers, np.ones(1, numpy_type), np.zeros(1, numpy_type)]
                    calls = [call(library, routine, dtype, n, batch, arrays) for library in libraries]
                    best, end = [float("inf")] * 2, time.time() + SECONDS
                    while time.time() < end:
                        for i, run in enumerate(calls):
                            c[...] = before
                            start = time.perf_counter_ns()
                            status = run()
                            best[i] = min(best[i], time.perf_counter_ns() - start)
                            if status:
                                sys.exit(f"{routine} {dtype} {n}: status {status}")
                    rows.writerow([routine, dtype, n, batch, *(f"{x / batch:.1f}" for x in best), f"{best[0] / best[1]:.2f}"])


if __name__ == "__main__":
    main()
