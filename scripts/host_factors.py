#!/usr/bin/env python3
"""Times tephra_?getrf_host and tephra_?potrf_host of one n x n matrix in host memory, beside the same factorisation in
device memory by Tephra and by PyTorch, in seconds, the shortest of two calls. Needs PyTorch.

    host_factors.py LIBRARY [--out FILE.csv] [--share 0.25] [--devices 1,2] [ROUTINE:TYPE:N ...]

--share is the part of the matrix's size that the call may allocate on each device.
"""
import argparse
import ctypes
import time

import torch

TYPES, LOWER = {"s": torch.float32, "d": torch.float64}, 122
INT64, POINTER = ctypes.c_int64, ctypes.c_void_p


def seconds(prepare, run):
    times = []
    for _ in range(2):
        prepare()
        torch.cuda.synchronize()
        start = time.perf_counter()
        run()
        torch.cuda.synchronize()
        times.append(time.perf_counter() - start)
    return min(times)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("library")
    parser.add_argument("--out")
    parser.add_argument("--share", type=float, default=0.25)
    parser.add_argument("--devices", default="1")
    parser.add_argument("cases", nargs="*", default="potrf:d:16384 getrf:d:16384 potrf:s:24576 getrf:s:24576".split())
    args = parser.parse_args()
    library = ctypes.CDLL(args.library)
    library.tephra_last_error.restype = ctypes.c_char_p
    lines = ["routine,type,n,budget,devices,memory,seconds,gflops,device"]

    def row(case, budget, devices, memory, taken):
        routine, letter, n = case
        flops = (2 / 3 if routine == "getrf" else 1 / 3) * n ** 3
        lines.append(f"{routine},{letter},{n},{budget},{devices},{memory},{taken:.3f},{flops / taken / 1e9:.0f},{torch.cuda.get_device_name()}")
        print(lines[-1], flush=True)

    for text in args.cases:
        routine, letter, n = text.split(":")
        n = int(n)
        case, dtype, info = (routine, letter, n), TYPES[letter], ctypes.c_int(0)
        given = torch.rand(n, n, dtype=dtype, device="cuda") - 0.5
        if routine == "potrf":
            given = (given + given.T) / 2
            given.diagonal().add_(n / 2)
        lu = routine == "getrf"
        first = (INT64(n),) if lu else (LOWER,)

        def call(name, *arguments):
            code = getattr(library, f"tephra_{letter}{routine}{name}")(*arguments)
            assert code == 0, library.tephra_last_error()

        a = torch.empty_like(given)
        device_pivots, device_info = (torch.zeros(count, dtype=torch.int32, device="cuda") for count in (n, 1))
        pivots = (POINTER(device_pivots.data_ptr()), INT64(n)) if lu else ()
        stream = POINTER(torch.cuda.current_stream().cuda_stream)
        row(case, "", 1, "device", seconds(lambda: a.copy_(given), lambda: call(
            "_strided_batched", *first, INT64(n), POINTER(a.data_ptr()), INT64(n), INT64(n * n), *pivots,
            POINTER(device_info.data_ptr()), INT64(1), None, ctypes.c_size_t(0), stream)))
        del a
        theirs = torch.linalg.lu_factor if lu else torch.linalg.cholesky
        row(case, "", 1, "device (PyTorch)", seconds(lambda: None, lambda: theirs(given)))
        source, budget = given.cpu(), int(n * n * dtype.itemsize * args.share)
        del given
        torch.cuda.empty_cache()
        host_pivots = torch.zeros(n, dtype=torch.int32)
        pivots = (POINTER(host_pivots.data_ptr()),) if lu else ()
        for count in map(int, args.devices.split(",")):
            devices = (ctypes.c_int * count)(*range(count))
            for memory in ("page-locked", "pageable"):
                host = torch.empty(n, n, dtype=dtype, pin_memory=memory == "page-locked")
                row(case, budget, count, memory, seconds(lambda: host.copy_(source), lambda: call(
                    "_host", *first, INT64(n), POINTER(host.data_ptr()), INT64(n), *pivots, ctypes.byref(info), INT64(budget),
                    ctypes.c_int(count), devices, None, None)))
                assert info.value == 0, info.value
    if args.out:
        with open(args.out, "w") as file:
            file.write("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
