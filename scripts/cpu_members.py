#!/usr/bin/env python3
"""Times every routine for members of different sizes with two builds of the CPU backend, beside uniform batches:

    scripts/cpu_members.py OLD.so NEW.so [--most N,..] [--batch N,..] [ROUTINE...] > results/cpu/members_all.csv

Members of random orders from 1 to the given one, one thread; nanoseconds of CPU time per member, the least of several
calls, for which the libraries and the batches take turns. Triangular and Q's solves have four right-hand sides; least
squares, Q and tall QR have half as many columns as rows, or the other way round. "gemm mixed" has m, n and k of their own.
The uniform batch has as many members and as many operations: the mean of two batches, of the next smaller and the next
larger order. The last column is the new time over that. Only these routines if there are any. Needs NumPy.
"""
import argparse
import ctypes
import os
import random
import sys
import time

import numpy as np

from prototypes import prototypes

os.environ |= {"TEPHRA_NUM_THREADS": "1", "TEPHRA_BACKEND": "cpu"}
ROUTINES = ("gemm", "gemm mixed", "gemm transposed", "gemv", "gemv transposed", "syrk", "syrk transposed", "herk", "syr2k",
            "her2k", "symm", "symm right", "hemm", "trmm", "trmm right", "trsm", "trsm right", "trsv", "trsv transposed", "laswp",
            "getrf", "getrf_nopiv", "getrs", "getrs transposed", "gesv", "getri", "potrf", "potrf upper", "potrs", "posv",
            "potri", "geqrf", "geqrf tall", "gelqf", "geqp3", "orgqr", "ormqr", "ormqr right", "gels", "gels wide",
            "gels transposed")
TYPES = {"s": np.float32, "d": np.float64, "c": np.complex64, "z": np.complex128}
COMPLEX_ONLY = ("herk", "her2k", "hemm")
# Their operations grow with the square of the order.
SQUARE = ("gemv", "getrs", "laswp", "potrs", "trsm", "trsv", "ormqr")
# Their results depend on pivots, so their matrices have no large diagonal.
PIVOTED = ("getrf", "geqp3")
SIDES, SECONDS, LEAST_ROUNDS = 4, 0.12, 4
UPPER, LOWER, LEFT, RIGHT, NO_TRANS, TRANS, CONJ_TRANS, NON_UNIT = 121, 122, 141, 142, 111, 112, 113, 131


def shapes(routine, order):
    """Sizes of A, B and C, of the vectors, and of the arguments m, n and k; `order` is three numbers."""
    name, form = (routine + " ").split(" ", 1)
    transposed, right = form.startswith("transposed"), form.startswith("right")
    m, n, k = order
    half, square = (m + 1) // 2, (m, m)
    if name == "gemm":
        return (k, m) if transposed else (m, k), (k, n), (m, n), (m, n, k)
    if name in ("gels", "geqrf") and form:
        a = (half, m) if form.startswith("wide") else (m, half)
        return a, (m, SIDES), (1, 1), (*a, 0)
    if name in ("orgqr", "ormqr", "gels"):
        a, b = (m, half), (SIDES, m) if right else (m, SIDES)
        return a, b, b, (*(b if name == "ormqr" else a), half)
    if name == "trsm":
        b = (SIDES, m) if right else (m, SIDES)
        return square, b, b, (*b, 0)
    whole = name in ("syr2k", "her2k", "symm", "hemm", "trmm", "getri", "syrk", "herk")
    b = square if whole else (m, SIDES)
    return square, b, square if whole else b, (m, m, m)


class Batch:
    """Members with these orders, packed, and the arguments of a call by their names."""

    def __init__(self, routine, dtype, orders):
        self.rng, self.keep, batch, most = np.random.default_rng(1), [], len(orders), max(map(max, orders))
        a, b, c, mnk = zip(*(shapes(routine, order) for order in orders))
        name = routine.split()[0]
        self.a, a_array = self.matrices(dtype, a, regular=name not in PIVOTED)
        self.b, b_array = self.matrices(dtype, b)
        self.c, c_array = self.matrices(dtype, c)
        longest = [(max(size), 1) for size in a]
        self.x, x_array = self.matrices(dtype, longest)
        self.y, y_array = self.matrices(dtype, longest)
        _, tau_array = self.matrices(dtype, [(min(size), 1) for size in a], scale=0.01)
        self.jpvt = np.zeros(batch * most, np.int32)
        # Row i of each is exchanged with itself, in laswp with a row from there on.
        interchanges = np.tile(np.arange(1, most + 1, dtype=np.int32), batch).reshape(batch, most)
        if name == "laswp":
            last = np.array([m for m, _ in a]).reshape(batch, 1)
            interchanges[:] = np.minimum(interchanges + self.rng.integers(0, most, (batch, most)), last)
        integers = lambda of: (np.arange(batch) * most * 4 + of.ctypes.data).astype(np.uint64)
        sizes = {name: np.array(of, np.int32) for name, of in zip("mnk", zip(*mnk))}
        sizes["k2"] = sizes["n"]
        ld = {f"ld{name}": np.array([max(m, 1) for m, _ in of], np.int32) for name, of in zip("abc", (a, b, c))}
        sizes["nrhs"] = np.full(batch, SIDES, np.int32)
        one, ones = np.ones(1, dtype), np.ones(batch, np.int32)
        info, work = np.zeros(batch, np.int32), np.zeros(1 << 20, np.uint8)
        self.arrays = {"a_array": a_array, "b_array": b_array, "c_array": c_array, "x_array": x_array, "y_array": y_array,
                       "ipiv_array": integers(interchanges), "jpvt_array": integers(self.jpvt), "tau_array": tau_array,
                       **sizes, **ld, "incx": ones, "incy": ones, "alpha": one, "beta": one, "info": info, "work": work}
        greatest = {name: int(of.max()) for name, of in {**sizes, **ld}.items()}
        transposed = CONJ_TRANS if np.iscomplexobj(one) and name not in ("syrk", "syr2k") else TRANS
        self.numbers = {**greatest, **{f"max_{name}": greatest[name] for name in sizes}, "incx": 1, "incy": 1, "k1": 1,
                        "uplo": UPPER if routine.endswith("upper") else LOWER, "diag": NON_UNIT, "batch_count": batch,
                        "stream": 0, "side": RIGHT if routine.endswith("right") else LEFT, "trans_b": NO_TRANS,
                        "work_bytes": work.size}
        self.numbers["trans"] = self.numbers["trans_a"] = transposed if routine.endswith("transposed") else NO_TRANS
        self.keep.append(interchanges)
        self.spoilt = [(x, x.copy()) for x in (self.a, self.b, self.c, self.x, self.y, self.jpvt)]

    def matrices(self, dtype, sizes, regular=False, scale=1.0):
        starts = np.cumsum([0] + [m * n for m, n in sizes])
        x = (self.rng.standard_normal(starts[-1]) * scale).astype(dtype)
        for (m, n), at in zip(sizes, starts) if regular else ():
            x[at:at + m * min(m, n):m + 1] = m + 3
        self.keep.append(x)
        return x, (starts[:-1] * x.itemsize + x.ctypes.data).astype(np.uint64)

    def call(self, library, name, arguments):
        """A function that restores the operands and returns the nanoseconds per member of one call."""
        values, types = [], []
        for kind, word in arguments:
            pointer = "*" in kind
            values.append(self.arrays[word].ctypes.data if pointer and word in self.arrays else self.numbers[word])
            types.append(ctypes.c_void_p if pointer else ctypes.c_int if kind == "int " else ctypes.c_int64)
        function = getattr(library, name)
        function.argtypes = types
        touched = {"a_array": 0, "b_array": 1, "c_array": 2, "x_array": 3, "y_array": 4, "jpvt_array": 5}
        touched = [self.spoilt[touched[word]] for _, word in arguments if word in touched]

        def timed():
            for x, before in touched:
                x[:] = before
            start = time.thread_time_ns()
            status = function(*values)
            taken = time.thread_time_ns() - start
            assert status == 0, (name, status)
            return taken / self.numbers["batch_count"]

        return timed


def function_name(letter, routine):
    name = routine.split()[0]
    return f"tephra_{letter}{name.replace('or', 'un', 1) if letter in 'cz' and name.startswith('or') else name}"


def least(calls):
    """The least of several rounds of each call, in turn."""
    best, end, rounds = [float("inf")] * len(calls), time.perf_counter() + SECONDS * len(calls), 0
    while rounds < LEAST_ROUNDS or time.perf_counter() < end:
        best = [min(least, call()) for least, call in zip(best, calls)]
        rounds += 1
    return best


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("libraries", nargs=2)
    parser.add_argument("--most", default="8,16,32,64,128")
    parser.add_argument("--batch", default="1000,10000", help="10,000 members only up to 32")
    parser.add_argument("--types", default="sdcz")
    parser.add_argument("routines", nargs="*")
    options = parser.parse_intermixed_args()
    paths = dict.fromkeys(map(os.path.realpath, options.libraries))
    libraries, known = [ctypes.CDLL(path) for path in paths], prototypes()
    unknown = set(options.routines) - set(ROUTINES)
    assert not unknown, unknown
    print("routine,type,most,batch,before_ns,now_ns,uniform_order,uniform_ns,relative", flush=True)
    for batch in map(int, options.batch.split(",")):
        for most in map(int, options.most.split(",")):
            if batch > 1000 and most > 32:
                continue
            draw = random.Random(3)
            own = [tuple(draw.randint(1, most) for _ in range(3)) for _ in range(batch)]
            for routine in options.routines or ROUTINES:
                orders = own if routine == "gemm mixed" else [(order,) * 3 for order, _, _ in own]
                power = 2 if routine.split()[0] in SQUARE else 3
                work = lambda order: float(np.prod(order[:power], dtype=float))
                mean = sum(map(work, orders)) / batch
                below = int(mean**(1 / power) + 1e-9)
                part = (mean - below**power) / ((below + 1)**power - below**power)
                for letter, dtype in TYPES.items():
                    if letter not in options.types or letter in "sd" and routine in COMPLEX_ONLY:
                        continue
                    name = function_name(letter, routine)
                    members = Batch(routine, dtype, orders)
                    same = [Batch(routine, dtype, [(order,) * 3] * batch) for order in (below, below + 1)]
                    calls = [members.call(library, f"{name}_vbatched", known[f"{name}_vbatched"]) for library in libraries]
                    calls += [of.call(libraries[-1], f"{name}_batched", known[f"{name}_batched"]) for of in same]
                    *times, lower, upper = least(calls)
                    uniform = lower * (1 - part) + upper * part
                    print(f"{routine},{letter},{most},{batch},{times[0]:.1f},{times[-1]:.1f},{below + part:.2f},{uniform:.1f},"
                          f"{times[-1] / uniform:.2f}", flush=True)


if __name__ == "__main__":
    sys.exit(main())
