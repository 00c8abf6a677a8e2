#!/usr/bin/env python3
"""Times routines at every square order on a GPU, to find steps between neighbouring orders.

    scripts/steps.py LIBRARY.so [--precisions sdcz] [--routines getrf,gesv,...] [--largest 600] > results/h200/steps.csv

Orders up to 160 are timed with 1000 matrices, and those from 129 on with 200, side by side in memory. There is one
right-hand side, and n of trsm. A time is the least of two, or of six where it is a fifth above the order's before, with
fresh operands, in microseconds. QR with column pivoting is timed for the first of these only. Needs PyTorch.
"""
import argparse
import ctypes
import sys

import torch

TYPES = {"s": torch.float32, "d": torch.float64, "c": torch.complex64, "z": torch.complex128}
RANGES = ((1, 160, 1000), (129, 600, 200))
UPPER, LOWER, LEFT, NO_TRANS, NON_UNIT, THIN = 121, 122, 141, 111, 131, 1
LONG, WORK = ctypes.c_int64, 2 << 30  # bytes of workspace
# Names stand for operands: a and c are matrices, b has one column, x n columns, p is for pivots. A matrix is followed by
# its leading dimension and its stride. `dominant` makes a nonsingular and positive definite. Numbers are of C's int.
ROUTINES = {
    "geqrf": "n n a tau batch work",
    "geqp3": "n n a jpvt tau info batch work",
    "orgqr": "n n n a tau batch",
    "qr": f"{THIN} n n a c x batch work",
    "gels": f"{NO_TRANS} n n 1l a b info batch work",
    "getrf": "n n a p info batch work",
    "getrf_nopiv": "n n dominant info batch work",
    "getrs": f"{NO_TRANS} n 1l dominant p b batch work",
    "gesv": "n 1l a p b info batch work",
    "getri": "n dominant p c info batch work",
    "inv": "n a c info batch work",
    "potrf": f"{LOWER} n dominant info batch work",
    "potrs": f"{LOWER} n 1l dominant b batch work",
    "posv": f"{LOWER} n 1l dominant b info batch work",
    "potri": f"{LOWER} n dominant info batch work",
    "trtri": f"{LOWER} {NON_UNIT} n dominant info batch",
    "trsm": f"{LEFT} {LOWER} {NO_TRANS} {NON_UNIT} n n one dominant x batch",
    "gemm": f"{NO_TRANS} {NO_TRANS} n n n one a c zero x batch",
    "gemv": f"{NO_TRANS} n n one a vector zero vector2 batch",
}


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

    def arguments(self, routine, n, count):
        at = lambda x: ctypes.c_void_p(x.data_ptr())
        out = []
        for word in ROUTINES[routine].split():
            if word.isdigit():
                out.append(ctypes.c_int(int(word)))
            elif word == "n":
                out.append(LONG(n))
            elif word == "1l":
                out.append(LONG(1))
            elif word == "batch":
                out.append(LONG(count))
            elif word == "work":
                out += [at(self.work), ctypes.c_size_t(WORK)]
            elif word in ("a", "c", "x", "dominant"):
                out += [at(self.matrices["a" if word == "dominant" else word]), LONG(n), LONG(n * n)]
            elif word == "b":
                out += [at(self.vectors["b"]), LONG(n), LONG(n)]
            elif word in ("vector", "vector2"):
                out += [at(self.vectors[word]), LONG(1), LONG(n)]
            elif word == "tau":
                out += [at(self.vectors["tau"]), LONG(n)]
            elif word == "p":
                out += [at(self.pivots), LONG(n)]
            elif word == "jpvt":
                out += [at(self.jpvt), LONG(n)]
            elif word == "info":
                out.append(at(self.info))
            elif word in ("one", "zero"):
                out.append(getattr(self, word))
        return out


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("library")
    parser.add_argument("--precisions", default="sdcz")
    parser.add_argument("--routines", default=",".join(ROUTINES))
    parser.add_argument("--largest", type=int, default=600)
    args = parser.parse_args()
    library = ctypes.CDLL(args.library)
    library.tephra_last_error.restype = ctypes.c_char_p
    stream = torch.cuda.Stream()
    print("routine,precision,batch,n,us,device")
    for letter in args.precisions:
        operands = Operands(letter)
        for routine in args.routines.split(","):
            name = "ungqr" if routine == "orgqr" and letter in "cz" else routine
            function = getattr(library, f"tephra_{letter}{name}_strided_batched")

            def microseconds(n, count):
                operands.restore(n, count, "dominant" in ROUTINES[routine])
                start, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
                start.record(stream)
                status = function(*operands.arguments(routine, n, count), ctypes.c_void_p(stream.cuda_stream))
                end.record(stream)
                end.synchronize()
                if status:
                    sys.exit(f"{letter}{routine} {n}: {library.tephra_last_error().decode()}")
                return start.elapsed_time(end) * 1000

            for first, last, count in RANGES[:1] if routine == "geqp3" else RANGES:
                before = float("inf")
                for n in range(first, min(last, args.largest) + 1):
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
