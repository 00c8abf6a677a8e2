#!/usr/bin/env python3
"""Times solves, inverses, least squares and Q of members of different sizes with two builds of the CPU backend, beside
uniform batches:

    scripts/cpu_members.py OLD.so NEW.so [ROUTINE...] > results/cpu/members_solves.csv

10,000 members of random orders from 1 to the given one, four right-hand sides, one thread; ns per member, the best of
several calls. Least squares and Q have half as many columns as rows, or the other way round. The uniform batch has as
many members, and about as many operations. Only these routines if there are any. Needs NumPy.
"""
import ctypes
import os
import random
import sys
import time

import numpy as np

from prototypes import prototypes

os.environ |= {"TEPHRA_NUM_THREADS": "1", "TEPHRA_BACKEND": "cpu"}
ROUTINES = ("getrs", "gesv", "getri", "potrs", "posv", "potri", "gels", "gels wide", "gels transposed", "trsm", "trsm right",
            "orgqr", "ormqr")
TYPES = {"s": np.float32, "d": np.float64, "c": np.complex64, "z": np.complex128}
# Their operations grow with the square of the order.
SQUARE = ("getrs", "potrs", "trsm", "ormqr")
BATCH, SIDES, SECONDS = 10000, 4, 0.3
LOWER, LEFT, RIGHT, NO_TRANS, TRANS, CONJ_TRANS, NON_UNIT = 122, 141, 142, 111, 112, 113, 131
CONSTANTS = {"uplo": LOWER, "diag": NON_UNIT, "batch_count": BATCH, "stream": 0}


def shapes(routine, order):
    """Sizes of A, of B (or C), and of the arguments m, n and k."""
    name, form = (routine + " ").split(" ", 1)
    half, square = (order + 1) // 2, (order, order)
    if name == "gels":
        a = (half, order) if form.startswith("wide") else (order, half)
        return a, (order, SIDES), (*a, 0)
    if name == "orgqr":
        return (order, half), (0, 0), (order, half, half)
    if name == "ormqr":
        return (order, half), (order, SIDES), (order, SIDES, half)
    if name == "trsm":
        b = (SIDES, order) if form.startswith("right") else (order, SIDES)
        return square, b, (*b, 0)
    return square, square if name == "getri" else (order, SIDES), (order, order, 0)


class Batch:
    """Members with these orders, packed, and the arguments of a call by their names."""

    def __init__(self, routine, dtype, orders, most):
        self.rng, self.keep = np.random.default_rng(1), []
        a, b, mnk = zip(*(shapes(routine, order) for order in orders))
        self.a, a_array = self.matrices(dtype, a, regular=True)
        self.b, b_array = self.matrices(dtype, b)
        _, c_array = self.matrices(dtype, b)
        _, tau_array = self.matrices(dtype, [(min(size), 1) for size in a], scale=0.01)
        interchanges = np.tile(np.arange(1, most + 1, dtype=np.int32), BATCH)
        ipiv_array = (np.arange(BATCH) * most * 4 + interchanges.ctypes.data).astype(np.uint64)
        sizes = {name: np.array(of, np.int32) for name, of in zip("mnk", zip(*mnk))}
        ld = {"lda": np.array([m for m, _ in a], np.int32), "ldb": np.array([max(m, 1) for m, _ in b], np.int32)}
        ld["ldc"] = ld["ldb"]
        sizes["nrhs"] = np.full(BATCH, SIDES, np.int32)
        alpha, info, work = np.ones(1, dtype), np.zeros(BATCH, np.int32), np.zeros(1 << 20, np.uint8)
        self.arrays = {"a_array": a_array, "b_array": b_array, "c_array": c_array, "ipiv_array": ipiv_array,
                       "tau_array": tau_array, **sizes, **ld, "alpha": alpha, "info": info, "work": work}
        greatest = {name: int(of.max()) for name, of in {**sizes, **ld}.items()}
        transposed = CONJ_TRANS if np.iscomplexobj(alpha) else TRANS
        self.numbers = {**CONSTANTS, **greatest, **{f"max_{name}": greatest[name] for name in sizes},
                        "side": RIGHT if routine.endswith("right") else LEFT,
                        "trans": transposed if routine.endswith("transposed") else NO_TRANS, "work_bytes": work.size}
        self.keep += [interchanges]

    def matrices(self, dtype, sizes, regular=False, scale=1.0):
        starts = np.cumsum([0] + [m * n for m, n in sizes])
        x = (self.rng.standard_normal(starts[-1]) * scale).astype(dtype)
        for (m, n), at in zip(sizes, starts) if regular else ():
            x[at:at + m * min(m, n):m + 1] = m + 3
        self.keep.append(x)
        return x, (starts[:-1] * x.itemsize + x.ctypes.data).astype(np.uint64)

    def nanoseconds(self, library, name, arguments):
        values, types = [], []
        for kind, word in arguments:
            pointer = "*" in kind
            values.append(self.arrays[word].ctypes.data if pointer and word in self.arrays else self.numbers[word])
            types.append(ctypes.c_void_p if pointer else ctypes.c_int if kind == "int " else ctypes.c_int64)
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


def function_name(letter, routine):
    name = routine.split()[0]
    return f"tephra_{letter}{name.replace('or', 'un', 1) if letter in 'cz' else name}"


def main(old, new, *routines):
    libraries, known, draw = [ctypes.CDLL(path) for path in (old, new)], prototypes(), random.Random(3)
    print("routine,type,most,before_ns,now_ns,uniform_order,uniform_ns", flush=True)
    for most in (8, 16, 32):
        orders = [draw.randint(1, most) for _ in range(BATCH)]
        for routine in routines or ROUTINES:
            power = 2 if routine.split()[0] in SQUARE else 3
            uniform = round((sum(n**power for n in orders) / BATCH) ** (1 / power))
            for letter, dtype in TYPES.items():
                name = function_name(letter, routine)
                members = Batch(routine, dtype, orders, most)
                same = Batch(routine, dtype, [uniform] * BATCH, uniform)
                times = [members.nanoseconds(library, f"{name}_vbatched", known[f"{name}_vbatched"]) for library in libraries]
                times.append(same.nanoseconds(libraries[-1], f"{name}_batched", known[f"{name}_batched"]))
                print(f"{routine},{letter},{most},{times[0]:.1f},{times[1]:.1f},{uniform},{times[2]:.1f}", flush=True)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
