#!/usr/bin/env python3
"""Times routines for one large matrix on all cores: the CPU backend of one or more libraries, beside PyTorch (MKL, where
its wheel has it), in the same process and on as many threads. GFLOP/s, the best of several calls in turns.

    cpu_large.py THREADS LIBRARY [LIBRARY ...] [--out FILE.csv] [--orders 1024,2048,4096] [--types s,d] [--routines ...]
"""
import argparse
import ctypes
import os
import time

FLOPS = {"gemm": 2, "getrf": 2 / 3, "gesv": 8 / 3, "inv": 2, "potrf": 1 / 3, "posv": 7 / 3, "potri": 2 / 3, "geqrf": 4 / 3}
LOWER = 122


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("threads", type=int)
    parser.add_argument("libraries", nargs="+")
    parser.add_argument("--out")
    parser.add_argument("--orders", default="1024,2048,4096")
    parser.add_argument("--types", default="s,d")
    parser.add_argument("--routines", default=",".join(FLOPS))
    args = parser.parse_intermixed_args()
    for variable in ("OMP", "MKL", "OPENBLAS", "TEPHRA"):
        os.environ[f"{variable}_NUM_THREADS"] = str(args.threads)
    os.environ["TEPHRA_BACKEND"] = "cpu"
    import numpy
    import torch
    torch.set_num_threads(args.threads)
    libraries = {os.path.basename(path).removesuffix(".so"): ctypes.CDLL(path) for path in args.libraries}
    with open("/proc/cpuinfo") as file:
        core = next(line.split(":")[1].strip() for line in file if line.startswith("model name"))
    mkl = "MKL" if torch.backends.mkl.is_available() else "no MKL"
    names = list(libraries)
    lines = [f"# {core}, {args.threads} threads; n x n, n right-hand sides; GFLOP/s; torch {torch.__version__} ({mkl})",
             ",".join(["routine", "type", "n", *names, "torch"])]
    print("\n".join(lines))

    def pointer(x):
        return ctypes.c_void_p(x.ctypes.data)

    def measure(letter, n, routine):
        dtype = {"s": numpy.float32, "d": numpy.float64}[letter]
        random = numpy.asfortranarray(numpy.random.default_rng(1).standard_normal((n, n)).astype(dtype))
        definite = numpy.asfortranarray(random + random.T + 4 * n * numpy.eye(n, dtype=dtype))
        given = definite if routine in ("potrf", "posv", "potri") else random
        one, zero, ipiv, info = numpy.array([1], dtype), numpy.array([0], dtype), numpy.zeros(n, numpy.int32), numpy.zeros(1, numpy.int32)
        tau, c, order, none = numpy.zeros(n, dtype), numpy.zeros_like(random), ctypes.c_int64(n), ctypes.c_int64(0)
        workspace = (ctypes.c_int64(1), None, ctypes.c_size_t(0), None)

        def ours(library):
            a, b = given.copy(order="F"), random.copy(order="F")

            def call(name, *arguments):
                start = time.perf_counter()
                status = getattr(library, f"tephra_{letter}{name}_strided_batched")(*arguments)
                took = time.perf_counter() - start
                assert status == 0, (routine, status)
                return took

            a_, b_, c_, i_, f_ = (pointer(a), order, none), (pointer(b), order, none), (pointer(c), order, none), (pointer(ipiv), order), pointer(info)
            match routine:
                case "gemm":
                    return call("gemm", 111, 111, order, order, order, pointer(one), *a_, *b_, pointer(zero), *c_, ctypes.c_int64(1), None)
                case "getrf":
                    return call("getrf", order, order, *a_, *i_, f_, *workspace)
                case "gesv":
                    return call("gesv", order, order, *a_, *i_, *b_, f_, *workspace)
                case "inv":
                    return call("inv", order, *a_, *c_, f_, *workspace)
                case "potrf":
                    return call("potrf", LOWER, order, *a_, f_, *workspace)
                case "posv":
                    return call("posv", LOWER, order, order, *a_, *b_, f_, *workspace)
                case "potri":
                    call("potrf", LOWER, order, *a_, f_, *workspace)
                    return call("potri", LOWER, order, *a_, f_, *workspace)
                case "geqrf":
                    return call("geqrf", order, order, *a_, pointer(tau), order, *workspace)

        def theirs():
            a, b = torch.from_numpy(given.copy(order="F")), torch.from_numpy(random)
            factor = torch.linalg.cholesky(a) if routine == "potri" else None
            start = time.perf_counter()
            match routine:
                case "gemm":
                    torch.mm(a, b)
                case "getrf":
                    torch.linalg.lu_factor(a)
                case "gesv":
                    torch.linalg.solve(a, b)
                case "inv":
                    torch.linalg.inv(a)
                case "potrf":
                    torch.linalg.cholesky(a)
                case "posv":
                    torch.cholesky_solve(b, torch.linalg.cholesky(a))
                case "potri":
                    torch.cholesky_inverse(factor)
                case "geqrf":
                    torch.geqrf(a)
            return time.perf_counter() - start

        best = dict.fromkeys([*names, "torch"], float("inf"))
        for _ in range(5 if n < 3000 else 3):
            for name, library in libraries.items():
                best[name] = min(best[name], ours(library))
            best["torch"] = min(best["torch"], theirs())
        return [f"{FLOPS[routine] * n**3 / seconds / 1e9:.0f}" for seconds in best.values()]

    for routine in args.routines.split(","):
        for letter in args.types.split(","):
            for n in map(int, args.orders.split(",")):
                lines.append(",".join([routine, letter, str(n), *measure(letter, n, routine)]))
                print(lines[-1], flush=True)
    if args.out:
        with open(args.out, "w") as file:
            file.write("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
