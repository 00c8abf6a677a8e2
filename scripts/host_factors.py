#!/usr/bin/env python3
"""Times tephra_?geqrf_host, getrf_host and potrf_host of one n x n matrix in host memory, beside the same factorisation
in device memory by Tephra and by PyTorch, in seconds, the shortest of --repeats calls. Needs PyTorch.

    host_factors.py LIBRARY [--out FILE.csv] [--share 0.25 | --budget BYTES] [--devices 1,2] [ROUTINE:TYPE:N ...]

--share is the part of the matrix's size that the call may allocate on each device; --budget 0 allows what is free.
--host-only leaves out the times in device memory and those with pageable memory.
"""
import argparse
import ctypes
import functools
import time

import torch

TYPES, LOWER = {"s": torch.float32, "d": torch.float64}, 122
INT64, POINTER = ctypes.c_int64, ctypes.c_void_p


def seconds(prepare, run, repeats):
    times = []
    for _ in range(repeats):
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
    parser.add_argument("--budget", type=int)
    parser.add_argument("--devices", default="1")
    parser.add_argument("--repeats", type=int, default=2)
    parser.add_argument("--trace", help="a folder for a timeline of each call on host memory")
    parser.add_argument("--host-only", action="store_true")
    parser.add_argument("cases", nargs="*", default="potrf:d:16384 getrf:d:16384 potrf:s:24576 getrf:s:24576".split())
    args = parser.parse_intermixed_args()
    library = ctypes.CDLL(args.library)
    library.tephra_last_error.restype = ctypes.c_char_p
    lines = ["routine,type,n,budget,devices,memory,seconds,gflops,device"]

    def row(case, budget, devices, memory, taken):
        routine, letter, n = case
        flops = {"geqrf": 4 / 3, "getrf": 2 / 3, "potrf": 1 / 3}[routine] * n ** 3
        lines.append(f"{routine},{letter},{n},{budget},{devices},{memory},{taken:.3f},{flops / taken / 1e9:.0f},{torch.cuda.get_device_name()}")
        print(lines[-1], flush=True)

    for text in args.cases:
        routine, letter, n = text.split(":")
        n = int(n)
        case, dtype, info = (routine, letter, n), TYPES[letter], ctypes.c_int(0)
        given = torch.rand(n, n, dtype=dtype, device="cuda").sub_(0.5)
        if routine == "potrf":
            given = (given + given.T) / 2
            given.diagonal().add_(n / 2)
        first = (LOWER,) if routine == "potrf" else (INT64(n),)
        # What is written beside A: tau, pivots, or nothing.
        beside = {"geqrf": dtype, "getrf": torch.int32}.get(routine)
        written = () if routine == "geqrf" else (ctypes.byref(info),)

        def call(name, *arguments):
            code = getattr(library, f"tephra_{letter}{routine}{name}")(*arguments)
            assert code == 0, library.tephra_last_error()

        if not args.host_only:
            a = torch.empty_like(given)
            device_beside = torch.zeros(n, dtype=beside or dtype, device="cuda")
            device_info = torch.zeros(1, dtype=torch.int32, device="cuda")
            factors = (POINTER(device_beside.data_ptr()), INT64(n)) if beside else ()
            code = (POINTER(device_info.data_ptr()),) if written else ()
            stream = POINTER(torch.cuda.current_stream().cuda_stream)
            row(case, "", 1, "device", seconds(lambda: a.copy_(given), lambda: call(
                "_strided_batched", *first, INT64(n), POINTER(a.data_ptr()), INT64(n), INT64(n * n), *factors, *code,
                INT64(1), None, ctypes.c_size_t(0), stream), args.repeats))
            del a
            theirs = {"geqrf": torch.geqrf, "getrf": torch.linalg.lu_factor, "potrf": torch.linalg.cholesky}[routine]
            row(case, "", 1, "device (PyTorch)", seconds(lambda: None, lambda: theirs(given), args.repeats))
        budget = int(n * n * dtype.itemsize * args.share) if args.budget is None else args.budget
        source = None if args.host_only else given.cpu()
        if not args.host_only:
            given = None
            torch.cuda.empty_cache()
        host_beside = torch.zeros(n, dtype=beside or dtype)
        factors = (POINTER(host_beside.data_ptr()),) if beside else ()
        for memory in ("page-locked",) if args.host_only else ("page-locked", "pageable"):
            host = torch.empty(n, n, dtype=dtype, pin_memory=memory == "page-locked")
            for count in map(int, args.devices.split(",")):
                devices = (ctypes.c_int * count)(*range(count))

                def on_host():
                    call("_host", *first, INT64(n), POINTER(host.data_ptr()), INT64(n), *factors, *written, INT64(budget),
                         ctypes.c_int(count), devices, None, None)

                given_again = functools.partial(host.copy_, given if source is None else source)
                row(case, budget, count, memory, seconds(given_again, on_host, args.repeats))
                if args.trace:
                    given_again()
                    library.tephra_trace_begin()
                    on_host()
                    library.tephra_trace_end(f"{args.trace}/{routine}_{letter}{n}_{count}.json".encode())
                assert info.value == 0, info.value
            del host
    if args.out:
        with open(args.out, "w") as file:
            file.write("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
