#!/usr/bin/env python3
"""Times QR of one large matrix by all cores: tephra_?geqrf_tiled and tephra_?geqrf on the CPU backend, beside PyTorch's
geqrf (MKL, where its wheel has it) and NumPy's (OpenBLAS), in the same process and on as many threads. GFLOP/s, the best
of several calls. Libraries take turns.

    tiled_cores.py LIBRARY THREADS [--out FILE.csv] [TYPE:N ...]
"""
import argparse
import ctypes
import os
import sys
import time

CASES = "d:4096 d:8192 d:16384 s:4096 s:8192 s:16384"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("library")
    parser.add_argument("threads", type=int)
    parser.add_argument("--out")
    parser.add_argument("cases", nargs="*", default=CASES.split())
    args = parser.parse_intermixed_args()
    for variable in ("OMP", "MKL", "OPENBLAS", "TEPHRA"):
        os.environ[f"{variable}_NUM_THREADS"] = str(args.threads)
    os.environ["TEPHRA_BACKEND"] = "cpu"
    import numpy
    import torch
    torch.set_num_threads(args.threads)
    library, int64 = ctypes.CDLL(args.library), ctypes.c_int64
    with open("/proc/cpuinfo") as file:
        core = next(line.split(":")[1].strip() for line in file if line.startswith("model name"))
    mkl = "MKL" if torch.backends.mkl.is_available() else "no MKL"
    lines = [f"# {core}, {args.threads} threads; GFLOP/s; torch {torch.__version__} ({mkl}), NumPy {numpy.__version__} (OpenBLAS)",
             "type,n,tiled,geqrf,torch,numpy"]
    print("\n".join(lines))
    for case in args.cases:
        letter, n = case.split(":")[0], int(case.split(":")[1])
        dtype = {"s": numpy.float32, "d": numpy.float64}[letter]
        given = numpy.asfortranarray(numpy.random.default_rng(1).standard_normal((n, n), dtype=dtype))
        flops, tsize = 4 / 3 * n**3, int64()

        def pointer(x):
            return ctypes.c_void_p(x.ctypes.data)

        getattr(library, f"tephra_{letter}geqrf_tiled_tsize")(int64(n), int64(n), int64(0), ctypes.byref(tsize))
        t, tau = numpy.empty(tsize.value, dtype), numpy.empty(n, dtype)

        def tiled(a):
            status = getattr(library, f"tephra_{letter}geqrf_tiled")(
                int64(n), int64(n), pointer(a), int64(n), int64(0), pointer(t), tsize, int64(0), None, None)
            assert status == 0, status

        def blocked(a):
            status = getattr(library, f"tephra_{letter}geqrf_strided_batched")(
                int64(n), int64(n), pointer(a), int64(n), int64(0), pointer(tau), int64(n), int64(1), None, ctypes.c_size_t(0), None)
            assert status == 0, status

        def of_torch(a):
            torch.geqrf(torch.from_numpy(a))

        def of_numpy(a):
            numpy.linalg.qr(a, mode="raw")

        best = [float("inf")] * 4
        for _ in range(3 if n <= 8192 else 1):
            for i, call in enumerate((tiled, blocked, of_torch, of_numpy)):
                a = given.copy(order="F")
                start = time.perf_counter()
                call(a)
                best[i] = min(best[i], time.perf_counter() - start)
        lines.append(",".join([letter, str(n), *(f"{flops / seconds / 1e9:.0f}" for seconds in best)]))
        print(lines[-1], flush=True)
    if args.out:
        with open(args.out, "w") as file:
            file.write("\n".join(lines) + "\n")


if __name__ == "__main__":
    sys.exit(main())
