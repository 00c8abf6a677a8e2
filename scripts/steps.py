#!/usr/bin/env python3
"""Times routines at every square order on a GPU, to find steps between neighbouring orders.

    scripts/steps.py LIBRARY.so [--precisions sdcz] [--routines getrf,gesv,...] [--largest 600] > results/h200/steps.csv
    scripts/steps.py LIBRARY.so --missing results/h200/steps.csv > more.csv    # only the orders that have no row there

Orders up to 160 are timed with 1000 matrices, and those from 129 on with 200, side by side in memory. There is one
right-hand side, and n of trsm. A time is the least of two, or of six where it is a fifth above the order's before, with
fresh operands, in microseconds. QR with column pivoting is timed for the first of these only. Needs PyTorch.
"""
import argparse
import csv
import ctypes
import sys

import torch

from prototypes import prototypes

TYPES = {"s": torch.float32, "d": torch.float64, "c": torch.complex64, "z": torch.complex128}
RANGES = ((1, 160, 1000), (129, 600, 200))
LONG, WORK = ctypes.c_int64, 2 << 30  # bytes of workspace
LOWER, LEFT, NO_TRANS, NON_UNIT, THIN = 122, 141, 111, 131, 1
ENUMS = {"uplo": LOWER, "side": LEFT, "trans": NO_TRANS, "trans_a": NO_TRANS, "trans_b": NO_TRANS, "diag": NON_UNIT, "part": THIN}
ROUTINES = ("geqrf", "geqp3", "orgqr", "qr", "gels", "getrf", "getrf_nopiv", "getrs", "gesv", "getri", "inv", "potrf", "potrs",
            "posv", "potri", "trtri", "trsm", "gemm", "gemv")
# These get a matrix that is nonsingular and positive definite, and its own factor as far as times are concerned.
DOMINANT = {"getrf_nopiv", "getrs", "getri", "potrf", "potrs", "posv", "potri", "trtri", "trsm"}
SQUARE_B = {"trsm", "gemm"}  # whose B has as many columns as rows


class Operands:
    """Room for one precision, which all orders share."""

    def __init__(self, letter):
        dtype = TYPES[letter]
        elements = max(last * last * count for _, last, count in RANGES)
        torch.manual_seed(1)
        self.random = torch.randn(elements, dtype=dtype, device="cuda")
        self.matrices = {name: torch.empty(elements, dtype=dtype, device="cuda") for name in "acx"}
        vectors = max(last * count for _, last, count in RANGES)
        self.vectors = {name: torch.randn(vectors, dtype=dtype, device="cuda") for name in ("tau", "b", "vector", "vector2")}
        self.pivots = torch.empty(vectors, dtype=torch.int32, device="cuda")
        self.jpvt = torch.empty(vectors, dtype=torch.int32, device="cuda")
        self.work = torch.empty(WORK, dtype=torch.uint8, device="cuda")
        self.info = torch.empty(1000, dtype=torch.int32, device="cuda")
        real = ctypes.c_double if letter in "dz" else ctypes.c_float
        self.one, self.zero = (real * 2)(1, 0), (real * 2)(0, 0)

    def restore(self, n, count, is_dominant):
        size = n * n * count
        self.matrices["a"][:size].copy_(self.random[:size])
        self.matrices["x"][:size].copy_(self.random[:size])
        self.vectors["b"][:n * count].copy_(self.random[:n * count])
        if is_dominant:
            self.matrices["a"][:size].mul_(0.5 / n).view(count, n, n).diagonal(dim1=1, dim2=2).add_(4)
        self.pivots[:n * count].copy_(torch.arange(1, n + 1, dtype=torch.int32, device="cuda").repeat(count))
        self.jpvt[:n * count].zero_()

    def arguments(self, parameters, routine, n, count):
        """The values of a function's parameters, by their names."""
        matrices = {"a": self.matrices["a"], "c": self.matrices["c"], "q": self.matrices["c"], "r": self.matrices["x"]}
        others = {"tau": self.vectors["tau"], "x": self.vectors["vector"], "y": self.vectors["vector2"], "ipiv": self.pivots,
                  "jpvt": self.jpvt, "info": self.info, "work": self.work}
        (matrices if routine in SQUARE_B else others)["b"] = self.matrices["x"] if routine in SQUARE_B else self.vectors["b"]
        scalars = {"alpha": self.one, "beta": self.zero, "batch_count": LONG(count), "nrhs": LONG(1), "incx": LONG(1), "incy": LONG(1),
                   "work_bytes": ctypes.c_size_t(WORK), "stream": ctypes.c_void_p(torch.cuda.current_stream().cuda_stream)}

        def value(word):
            if word in ENUMS:
                return ctypes.c_int(ENUMS[word])
            if word in scalars:
                return scalars[word]
            if word.startswith("stride_"):
                return LONG(n * n if word.removeprefix("stride_") in matrices else n)
            operand = matrices.get(word, others.get(word))
            return LONG(n) if operand is None else ctypes.c_void_p(operand.data_ptr())

        return [value(word) for _, word in parameters]


def times_in(path):
    """The times in a file of an earlier run, by routine, precision, batch and order."""
    with open(path, newline="") as file:
        rows = csv.DictReader(line for line in file if not line.startswith("#"))
        return {(row["routine"], row["precision"], int(row["batch"]), int(row["n"])): float(row["us"]) for row in rows}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("library")
    parser.add_argument("--precisions", default="sdcz")
    parser.add_argument("--routines", default=",".join(ROUTINES))
    parser.add_argument("--largest", type=int, default=600)
    parser.add_argument("--missing", metavar="CSV", help="leave out the orders that have a row in this file")
    args = parser.parse_args()
    known_times = times_in(args.missing) if args.missing else {}
    library = ctypes.CDLL(args.library)
    library.tephra_last_error.restype = ctypes.c_char_p
    known, stream = prototypes(), torch.cuda.Stream()
    print("routine,precision,batch,n,us,device")
    for letter in args.precisions:
        operands = Operands(letter)
        for routine in args.routines.split(","):
            name = "ungqr" if routine == "orgqr" and letter in "cz" else routine
            name = f"tephra_{letter}{name}_strided_batched"
            function, parameters = getattr(library, name), known[name]

            def microseconds(n, count):
                operands.restore(n, count, routine in DOMINANT)
                start, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
                start.record(stream)
                status = function(*operands.arguments(parameters, routine, n, count))
                end.record(stream)
                end.synchronize()
                if status:
                    sys.exit(f"{letter}{routine} {n}: {library.tephra_last_error().decode()}")
                return start.elapsed_time(end) * 1000

            for first, last, count in RANGES[:1] if routine == "geqp3" else RANGES:
                before = float("inf")
                for n in range(first, min(last, args.largest) + 1):
                    known_time = known_times.get((routine, letter, count, n))
                    if known_time is not None:
                        before = known_time
                        continue
                    with torch.cuda.stream(stream):
                        best = min(microseconds(n, count) for _ in range(2))
                        if best > 1.2 * before:
                            best = min(best, *(microseconds(n, count) for _ in range(4)))
                    print(f"{routine},{letter},{count},{n},{best:.2f},{torch.cuda.get_device_name()}")
                    before = best
        del operands
        torch.cuda.empty_cache()


if __name__ == "__main__":
    main()
