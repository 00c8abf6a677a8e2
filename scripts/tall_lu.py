#!/usr/bin/env python3
"""Times LU of tall matrices on a GPU, beside PyTorch's lu_factor (cuSOLVER or MAGMA) in the same run, and checks that
P A = L U. Times are device times in milliseconds, the least of several calls after one more. Needs PyTorch.

    tall_lu.py LIBRARY [--out FILE.csv] [TYPE:ROWSxCOLUMNSxBATCH ...]
"""
import argparse
import ctypes

import torch

CASES = ("d:5000x64x1 d:8000x64x1 d:16000x64x1 d:30000x64x1 d:65536x64x1 d:1000000x32x1 d:30000x512x1 d:8000x64x8 d:8000x64x64 "
         "d:8000x256x8 d:30000x32x32 s:8000x64x1 s:65536x64x1 s:5000x16x64 c:30000x32x1 z:8000x64x1 z:30000x64x1")
TYPES = {"s": torch.float32, "d": torch.float64, "c": torch.complex64, "z": torch.complex128}
INT64, POINTER = ctypes.c_int64, ctypes.c_void_p


def milliseconds(prepare, run, count):
    times = []
    for _ in range(count + 1):
        prepare()
        start, end = torch.cuda.Event(True), torch.cuda.Event(True)
        start.record()
        run()
        end.record()
        torch.cuda.synchronize()
        times.append(start.elapsed_time(end))
    return min(times[1:])


def error(a, factors, pivots):
    """|P A x - L U x| relative to |L| |U| |x|, for random x, in units of eps. Matrices are stored transposed."""
    n, m = a.shape
    wide = torch.complex128 if a.is_complex() else torch.float64
    a, factors, k = a.T.to(wide), factors.T.to(wide), min(m, n)
    order = list(range(m))
    for row, pivot in enumerate(pivots.tolist()):
        order[row], order[pivot - 1] = order[pivot - 1], order[row]
    lower, upper = torch.tril(factors[:, :k], -1), torch.triu(factors[:k])
    lower.diagonal().add_(1)
    x = torch.rand(n, 4, device="cuda", dtype=wide)
    difference = (a[torch.tensor(order, device="cuda")] @ x - lower @ (upper @ x)).abs()
    return float((difference / (lower.abs() @ (upper.abs() @ x.abs()))).max()) / torch.finfo(factors.dtype).eps


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("library")
    parser.add_argument("--out")
    parser.add_argument("cases", nargs="*", default=CASES.split())
    args = parser.parse_args()
    library = ctypes.CDLL(args.library)
    library.tephra_last_error.restype = ctypes.c_char_p
    lines = ["type,m,n,batch,tephra_ms,torch_ms,error_eps,device"]
    for case in args.cases:
        letter, sizes = case.split(":")
        m, n, batch = map(int, sizes.split("x"))
        steps = min(m, n)
        given = torch.rand(batch, n, m, dtype=TYPES[letter], device="cuda") - 0.5
        a = torch.empty_like(given)
        pivots, info = (torch.zeros(batch, count, dtype=torch.int32, device="cuda") for count in (steps, 1))

        def ours():
            stream = POINTER(torch.cuda.current_stream().cuda_stream)
            code = getattr(library, f"tephra_{letter}getrf_strided_batched")(
                INT64(m), INT64(n), POINTER(a.data_ptr()), INT64(m), INT64(m * n), POINTER(pivots.data_ptr()), INT64(steps),
                POINTER(info.data_ptr()), INT64(batch), None, ctypes.c_size_t(0), stream)
            assert code == 0, library.tephra_last_error()

        time = milliseconds(lambda: a.copy_(given), ours, 5)
        wrong = error(given[0], a[0], pivots[0]) * torch.finfo(torch.float64).eps / torch.finfo(given.dtype).eps
        theirs = milliseconds(lambda: None, lambda: torch.linalg.lu_factor_ex(given.mT), 2)
        lines.append(f"{letter},{m},{n},{batch},{time:.4f},{theirs:.4f},{wrong:.2f},{torch.cuda.get_device_name()}")
        print(lines[-1], flush=True)
    if args.out:
        with open(args.out, "w") as file:
            file.write("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
