#!/usr/bin/env python3
"""Times solves and inverses of members of different sizes with two builds of the CPU backend, beside uniform batches:

    scripts/cpu_members.py OLD.so NEW.so > results/cpu/members_solves.csv

10,000 members of random orders from 1 to the given one, four right-hand sides, one thread; ns per member, the best of
several calls. The uniform batch has as many members, and about as many operations. Needs NumPy.
"""
import ctypes
import os
import random
import re
import sys
import time
from pathlib import Path

import numpy as np

os.environ |= {"TEPHRA_NUM_THREADS": "1", "TEPHRA_BACKEND": "cpu"}
HEADER = Path(__file__).parent.parent / "include/tephra.h"
ROUTINES = ("getrs", "gesv", "getri", "potrs", "posv", "potri")
TYPES = {"s": np.float32, "d": np.float64, "c": np.complex64, "z": np.complex128}
BATCH, SIDES, SECONDS = 10000, 4, 0.3
CONSTANTS = {"uplo": 122, "trans": 111, "batch_count": BATCH, "stream": 0}


def prototypes():
    text = re.sub(r"/\*.*?\*/", "", HEADER.read_text(), flags=re.S)
    found = re.findall(r"tephra_status (tephra_\w+)\(([^;]*?)\);", text, flags=re.S)
    return {name: [" ".join(argument.split()) for argument in arguments.split(",")] for name, arguments in found}


class Batch:
    """Members with these orders, packed, and the arguments of a call by their names."""

    def __init__(self, dtype, orders, most):
        self.orders, self.most, self.keep = orders, most, []
        self.rng = np.random.default_rng(1)
        self.a, a_array = self.matrices(dtype, [(n, n) for n in orders], regular=True)
        self.b, b_array = self.matrices(dtype, [(n, SIDES) for n in orders])
        _, c_array = self.matrices(dtype, [(n, n) for n in orders])
        interchanges = np.tile(np.arange(1, most + 1, dtype=np.int32), BATCH)
        ipiv_array = (np.arange(BATCH) * most * 4 + interchanges.ctypes.data).astype(np.uint64)
        each, sides = np.array(orders, np.int32), np.full(BATCH, SIDES, np.int32)
        info, work = np.zeros(BATCH, np.int32), np.zeros(1 << 20, np.uint8)
        self.arrays = {"a_array": a_array, "b_array": b_array, "c_array": c_array, "ipiv_array": ipiv_array, "n": each,
                       "nrhs": sides, "lda": each, "ldb": each, "ldc": each, "info": info, "work": work}
        self.numbers = {**CONSTANTS, "n": most, "max_n": most, "nrhs": SIDES, "max_nrhs": SIDES, "lda": most, "ldb": most,
                        "ldc": most, "work_bytes": work.size}
        self.keep += [interchanges]

    def matrices(self, dtype, sizes, regular=False):
        starts = np.cumsum([0] + [m * n for m, n in sizes])
        x = self.rng.standard_normal(starts[-1]).astype(dtype)
        for (m, n), at in zip(sizes, starts) if regular else ():
            x[at:at + m * n:m + 1] = m + 3
        self.keep.append(x)
        return x, (starts[:-1] * x.itemsize + x.ctypes.data).astype(np.uint64)

    def nanoseconds(self, library, name, arguments):
        values, types = [], []
        for argument in arguments:
            word = argument.split()[-1].lstrip("*")
            pointer = "*" in argument
            values.append(self.arrays[word].ctypes.data if pointer and word in self.arrays else self.numbers[word])
            types.append(ctypes.c_void_p if pointer else ctypes.c_int if argument.startswith("int ") else ctypes.c_int64)
        function = getattr(library, name)
        function.argtypes = types
        before, best, end = (self.a.copy(), self.b.copy()), float("inf"), time.perf_counter() + SECONDS
        while time.perf_counter() < end or best == float("inf"):
            self.a[:], self.b[:] = before
            start = time.perf_counter()
            status = function(*values)
            best = min(best, time.perf_counter() - start)
            assert status == 0, (name, status)
        return best / BATCH * 1e9


def main(*libraries):
    libraries, known, draw = [ctypes.CDLL(path) for path in libraries], prototypes(), random.Random(3)
    print("routine,type,most,before_ns,now_ns,uniform_order,uniform_ns", flush=True)
    for most in (8, 16, 32):
        orders = [draw.randint(1, most) for _ in range(BATCH)]
        uniform = round((sum(n**3 for n in orders) / BATCH) ** (1 / 3))
        for routine in ROUTINES:
            for letter, dtype in TYPES.items():
                name = f"tephra_{letter}{routine}"
                members, same = Batch(dtype, orders, most), Batch(dtype, [uniform] * BATCH, uniform)
                times = [members.nanoseconds(library, f"{name}_vbatched", known[f"{name}_vbatched"]) for library in libraries]
                times.append(same.nanoseconds(libraries[-1], f"{name}_batched", known[f"{name}_batched"]))
                print(f"{routine},{letter},{most},{times[0]:.1f},{times[1]:.1f},{uniform},{times[2]:.1f}", flush=True)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
