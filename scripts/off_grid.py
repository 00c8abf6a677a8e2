#!/usr/bin/env python3
"""Times shapes drawn at random, by kind of shape, beside cuBLAS on the same GPU in the same process. Needs PyTorch, whose
cuBLAS is the one compared with unless --cublas names another.

    off_grid.py LIBRARY.so [--before OLDER.so] [--seed N] [--shapes 200] [--kinds NAME,...] [--out FILE.csv]

All libraries are called by cuBLAS's names with the same arguments. A time is the median of five calls in microseconds,
by events around one call, each on fresh operands; the libraries take turns. LU of rectangular matrices, which cuBLAS
does not have, is compared with torch.linalg.lu_factor, and the explicit Q of one matrix with
torch.linalg.householder_product. Prints a line for each kind: geometric mean of the other's time over ours, worst, cases
below 1, and the same for OLDER.so.
"""
import argparse
import ctypes
import math
import random
import statistics
import sys

import torch

TYPES = {"s": torch.float32, "d": torch.float64, "c": torch.complex64, "z": torch.complex128}
POINTER, INT, LONG = ctypes.c_void_p, ctypes.c_int, ctypes.c_longlong
LEFT, RIGHT, LOWER, UPPER, NON_UNIT = 0, 1, 0, 1, 0
ROOM = 2 << 30  # bytes of one operand


def pick(rng, low, high):
    """A size, distributed evenly on a logarithmic scale."""
    return int(round(math.exp(rng.uniform(math.log(low), math.log(high)))))


# What each kind draws: operation, precision, m, n, k or right-hand sides, matrices.
KINDS = {
    "gemm few long": lambda r: ("gemm", r.choice("sdcz"), pick(r, 2, 100), pick(r, 2, 100), pick(r, 150, 1000), pick(r, 1, 60)),
    "gemm few middle": lambda r: ("gemm", r.choice("sdcz"), *[pick(r, 128, 800)] * 3, pick(r, 1, 10)),
    "gemm few rectangular": lambda r: ("gemm", r.choice("sdcz"), pick(r, 16, 600), pick(r, 64, 600), pick(r, 64, 600), pick(r, 20, 500)),
    "gemm complex": lambda r: ("gemm", r.choice("cz"), *[pick(r, 128, 600)] * 3, pick(r, 30, 200)),
    "gemm odd": lambda r: ("gemm", r.choice("sdcz"), *[pick(r, 4, 260) * 2 + 1] * 3, pick(r, 50, 5000)),
    "gemm small": lambda r: ("gemm", r.choice("sdcz"), pick(r, 2, 40), pick(r, 2, 40), pick(r, 2, 40), pick(r, 1000, 20000)),
    "gemv": lambda r: ("gemv", r.choice("sdcz"), pick(r, 2, 600), pick(r, 2, 600), 1, pick(r, 10, 10000)),
    "gemv few large": lambda r: ("gemv", r.choice("sdcz"), pick(r, 500, 4000), pick(r, 500, 4000), 1, pick(r, 1, 8)),
    "getrs many sides": lambda r: ("getrs", r.choice("sdcz"), *[pick(r, 4, 64)] * 2, pick(r, 4, 48), pick(r, 1000, 20000)),
    "trsm right large": lambda r: ("trsm right", r.choice("sdcz"), pick(r, 60, 800), pick(r, 60, 800), 0, pick(r, 20, 200)),
    "trsm left large": lambda r: ("trsm left", r.choice("sdcz"), pick(r, 60, 800), pick(r, 60, 800), 0, pick(r, 20, 200)),
    "trsm tiny": lambda r: ("trsm left", r.choice("sdcz"), pick(r, 2, 40), pick(r, 2, 40), 0, pick(r, 1000, 20000)),
    "lu tiny": lambda r: ("getrf", r.choice("sdcz"), *[r.randint(2, 12)] * 2, 0, pick(r, 1000, 50000)),
    "lu middle": lambda r: ("getrf", r.choice("sdcz"), *[pick(r, 13, 512)] * 2, 0, pick(r, 100, 2000)),
    "lu tall or wide": lambda r: ("getrf rectangular", r.choice("sdcz"), *r.sample([pick(r, 4, 200), pick(r, 200, 2000)], 2), 0, pick(r, 20, 2000)),
    "lu without pivots": lambda r: ("getrf without pivots", r.choice("sdcz"), *[pick(r, 129, 512)] * 2, 0, pick(r, 100, 1000)),
    "qr wide or few columns": lambda r: ("geqrf", r.choice("sdcz"), *r.choice([(pick(r, 2, 12), pick(r, 13, 400)), (pick(r, 13, 400), pick(r, 2, 12))]), 0, pick(r, 500, 20000)),
    "gels few columns": lambda r: ("gels", r.choice("sdcz"), pick(r, 13, 64), pick(r, 2, 12), pick(r, 1, 40), pick(r, 100, 5000)),
    "orgqr of one": lambda r: ("orgqr", r.choice("sdcz"), *sorted((pick(r, 64, 4000), pick(r, 32, 600)), reverse=True), 0, 1),
}


def addresses(tensor, count):
    """The addresses of a batch's matrices, in device memory."""
    step = tensor.numel() // count * tensor.element_size()
    return torch.arange(count, dtype=torch.int64).mul_(step).add_(tensor.data_ptr()).cuda()


class Library:
    """One that has cuBLAS's names, with a handle on a stream."""

    def __init__(self, path, stream):
        self.of, self.handle = ctypes.CDLL(path), POINTER()
        self.ok(self.of.cublasCreate_v2(ctypes.byref(self.handle)))
        self.ok(self.of.cublasSetStream_v2(self.handle, POINTER(stream)))

    @staticmethod
    def ok(status):
        if status:
            raise RuntimeError(f"status {status}")

    def call(self, name, *arguments):
        self.ok(getattr(self.of, name)(self.handle, *arguments))


class Case:
    """The operands of one shape."""

    def __init__(self, operation, letter, m, n, k, count):
        self.operation, self.letter, self.m, self.n, self.k, self.count = operation, letter, m, n, k, count
        dtype, order = TYPES[letter], n if operation == "trsm right" else m
        size = lambda *of: (torch.rand(count, *of, dtype=dtype, device="cuda") - 0.5)
        self.b = self.c = None
        if operation == "gemm":
            self.a, self.b, self.c = size(k, m), size(n, k), size(n, m)
        elif operation == "gemv":
            self.a, self.b, self.c = size(n, m), size(n), size(m)
        elif operation.startswith("trsm"):
            self.a, self.b = size(order, order), size(n, m)
        else:
            self.a = size(n, m)
            if operation in ("getrs", "gels"):
                self.b = size(k, m)
        if operation.startswith("trsm") or operation == "getrf without pivots":
            self.a.mul_(0.5 / order).diagonal(dim1=1, dim2=2).add_(4)
        if operation == "getrs":
            self.pivots = torch.arange(1, m + 1, dtype=torch.int32, device="cuda").repeat(count)
            self.a.diagonal(dim1=1, dim2=2).add_(4)
        else:
            self.pivots = torch.zeros(count * max(m, n), dtype=torch.int32, device="cuda")
        if operation in ("geqrf", "orgqr"):
            self.tau = torch.zeros(count, min(m, n), dtype=dtype, device="cuda")
        self.given = [x for x in (self.a, self.b) if x is not None]
        self.fresh = [x.clone() for x in self.given]
        self.info = torch.zeros(count, dtype=torch.int32, device="cuda")
        self.addresses = {id(x): addresses(x, count) for x in (self.a, self.b, self.c) if x is not None}
        if hasattr(self, "tau"):
            self.addresses[id(self.tau)] = addresses(self.tau, count)
        real = ctypes.c_double if letter in "dz" else ctypes.c_float
        self.one, self.zero, self.host_info = (real * 2)(1, 0), (real * 2)(0, 0), INT(0)

    def restore(self):
        for to, of in zip(self.given, self.fresh):
            to.copy_(of)

    def at(self, tensor):
        return POINTER(self.addresses[id(tensor)].data_ptr())

    def run(self, library):
        m, n, k, count, x = INT(self.m), INT(self.n), INT(self.k), INT(self.count), self.letter.upper()
        p, one, zero = lambda tensor: POINTER(tensor.data_ptr()), ctypes.byref(self.one), ctypes.byref(self.zero)
        match self.operation:
            case "gemm":
                library.call(f"cublas{x}gemmBatched", INT(0), INT(0), m, n, k, one, self.at(self.a), m, self.at(self.b), k, zero,
                             self.at(self.c), m, count)
            case "gemv":
                library.call(f"cublas{x}gemvBatched", INT(0), m, n, one, self.at(self.a), m, self.at(self.b), INT(1), zero,
                             self.at(self.c), INT(1), count)
            case "trsm left" | "trsm right":
                side, order = (LEFT, m) if self.operation == "trsm left" else (RIGHT, n)
                library.call(f"cublas{x}trsmBatched", INT(side), INT(LOWER), INT(0), INT(NON_UNIT), m, n, one, self.at(self.a),
                             order, self.at(self.b), m, count)
            case "getrf":
                library.call(f"cublas{x}getrfBatched", n, self.at(self.a), n, p(self.pivots), p(self.info), count)
            case "getrf without pivots":
                library.call(f"cublas{x}getrfBatched", n, self.at(self.a), n, None, p(self.info), count)
            case "getrs":
                library.call(f"cublas{x}getrsBatched", INT(0), n, k, self.at(self.a), n, p(self.pivots), self.at(self.b), n,
                             ctypes.byref(self.host_info), count)
            case "geqrf":
                library.call(f"cublas{x}geqrfBatched", m, n, self.at(self.a), m, self.at(self.tau), ctypes.byref(self.host_info), count)
            case "gels":
                library.call(f"cublas{x}gelsBatched", INT(0), m, n, k, self.at(self.a), m, self.at(self.b), m,
                             ctypes.byref(self.host_info), p(self.info), count)
            case "getrf rectangular":
                self.native(library, "getrf", self.a, self.pivots)
            case "orgqr":
                self.native(library, "ungqr" if self.letter in "cz" else "orgqr", self.a, self.tau)

    def native(self, library, name, a, beside):
        """A native routine with an array beside the matrix, tau or pivots."""
        least, stream = LONG(min(self.m, self.n)), POINTER(torch.cuda.current_stream().cuda_stream)
        matrix = (POINTER(a.data_ptr()), LONG(self.m), LONG(self.m * self.n), POINTER(beside.data_ptr()), least)
        if name == "getrf":
            last = (POINTER(self.info.data_ptr()), LONG(self.count), None, ctypes.c_size_t(0), stream)
        else:
            matrix, last = (least, *matrix), (LONG(self.count), stream)
        library.ok(getattr(library.of, f"tephra_{self.letter}{name}_strided_batched")(LONG(self.m), LONG(self.n), *matrix, *last))

    def other(self, cublas):
        """The peer's call."""
        match self.operation:
            case "getrf rectangular":
                torch.linalg.lu_factor_ex(self.a.mT)
            case "orgqr":
                torch.linalg.householder_product(self.a.mT[0], self.tau[0])
            case _:
                self.run(cublas)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("library")
    parser.add_argument("--before")
    parser.add_argument("--cublas", default="libcublas.so.13")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--shapes", type=int, default=200)
    parser.add_argument("--kinds", default=",".join(KINDS))
    parser.add_argument("--out")
    args = parser.parse_args()
    torch.zeros(1, device="cuda")
    stream = torch.cuda.Stream()
    ours = Library(args.library, stream.cuda_stream)
    before = Library(args.before, stream.cuda_stream) if args.before else None
    cublas = Library(args.cublas, stream.cuda_stream)
    lines = ["kind,op,precision,m,n,k,batch,us,before_us,other_us"]

    def times(case, calls):
        """The median of five calls of each function, in turns."""
        taken = [[] for _ in calls]
        for turn in range(6):
            for times, call in zip(taken, calls):
                case.restore()
                start, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
                start.record(stream)
                call()
                end.record(stream)
                end.synchronize()
                if turn > 0:
                    times.append(start.elapsed_time(end) * 1000)
        return [statistics.median(of) for of in taken]

    def summary(ratios):
        mean = math.exp(statistics.fmean(map(math.log, ratios)))
        return f"mean {mean:.2f}, worst {min(ratios):.2f}, below 1: {sum(r < 1 for r in ratios)}"

    with torch.cuda.stream(stream):
        for kind in args.kinds.split(","):
            rng, drawn = random.Random(f"{args.seed} {kind}"), []
            while len(drawn) < args.shapes:
                shape = KINDS[kind](rng)
                operation, letter, m, n, k, count = shape
                of = {"gemm": m * k + k * n + m * n, "gemv": m * n}.get(operation, m * n + max(m, n) * max(k, m if "left" in operation else n))
                if of * count * TYPES[letter].itemsize <= ROOM:
                    drawn.append(shape)
            ratios = [[], []]
            for shape in drawn:
                case = Case(*shape)
                calls = [lambda: case.run(ours), lambda: case.other(cublas)] + [lambda: case.run(before)] * bool(before)
                us, other, *earlier = times(case, calls)
                ratios[0].append(other / us)
                ratios[1] += [other / e for e in earlier]
                was = f"{earlier[0]:.2f}" if earlier else ""
                lines.append(f"{kind},{','.join(map(str, shape))},{us:.2f},{was},{other:.2f}")
            print(f"{kind}: {summary(ratios[0])}" + (f"; before {summary(ratios[1])}" if before else ""), flush=True)
            if args.out:
                with open(args.out, "w") as file:
                    file.write(f"# {torch.cuda.get_device_name()}, seed {args.seed} (scripts/off_grid.py)\n" + "\n".join(lines) + "\n")
            torch.cuda.empty_cache()


if __name__ == "__main__":
    sys.exit(main())
