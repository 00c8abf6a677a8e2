#!/usr/bin/env python3
"""Times factorisations of members of different sizes for several sizes and orders of the members, on a GPU:

    TEPHRA_LIBRARY=libtephra.so scripts/members_by_order.py > results/h200/members_by_order.csv

Blocks whose member belongs to another class of sizes have nothing to do. The same members sorted by size show what
such blocks cost between the others. Needs PyTorch.
"""
import ctypes
import os
import random
import sys

import torch

TYPES = {"s": torch.float32, "d": torch.float64, "c": torch.complex64, "z": torch.complex128}
CASES = (("geqrf", "s", 64, 10000), ("geqrf", "s", 32, 10000), ("geqrf", "c", 64, 1000), ("geqrf", "d", 64, 10000),
         ("getrf", "z", 32, 10000), ("getrf", "d", 64, 10000))
LIBRARY = ctypes.CDLL(os.environ.get("TEPHRA_LIBRARY", "libtephra.so"))


def ints(values, dtype=torch.int32):
    return torch.tensor(values, dtype=dtype, device="cuda")


def microseconds(op, precision, sizes, most):
    """The median time of nine calls on squares of these orders, which are packed."""
    dtype, batch, starts, end = TYPES[precision], len(sizes), [], 0
    for n in sizes:
        starts.append(end)
        end += n * n
    start = torch.randn(max(end, 1), dtype=dtype, device="cuda")
    a = start.clone()
    second = torch.zeros(batch * most, dtype=dtype if op == "geqrf" else torch.int32, device="cuda")
    pointers = ints(starts, torch.int64) * a.element_size() + a.data_ptr()
    of_second = torch.arange(batch, device="cuda") * most * second.element_size() + second.data_ptr()
    orders, leading, info = ints(sizes), ints([max(n, 1) for n in sizes]), ints([0] * batch)
    stream = torch.cuda.Stream()
    function = getattr(LIBRARY, f"tephra_{precision}{op}_vbatched")
    bound, count = ctypes.c_int64(most), ctypes.c_int64(batch)
    arrays = [ctypes.c_void_p(x.data_ptr()) for x in (orders, orders, pointers, leading, of_second, info)]

    def call():
        status = function(bound, bound, *arrays, count, None, ctypes.c_size_t(0), ctypes.c_void_p(stream.cuda_stream))
        assert status == 0, status

    times = []
    torch.cuda.synchronize()
    with torch.cuda.stream(stream):
        for turn in range(11):
            a.copy_(start)
            before, after = (torch.cuda.Event(enable_timing=True) for _ in range(2))
            before.record(stream)
            call()
            after.record(stream)
            after.synchronize()
            if turn > 1:
                times.append(before.elapsed_time(after) * 1e3)
    return sorted(times)[len(times) // 2]


def arrangements(most, batch):
    half, draw = most // 2, random.Random(5)
    members = [draw.randint(1, most) for _ in range(batch)]
    upper = [draw.randint(half + 1, most) for _ in range(batch)]
    yield "all of the largest order", [most] * batch
    yield "all of three quarters of it", [most * 3 // 4] * batch
    yield "all of half of it, plus one", [half + 1] * batch
    yield "every other one of order 0", [0 if i % 2 else most for i in range(batch)]
    yield "upper half at random", upper
    yield "upper half, falling", sorted(upper, reverse=True)
    yield "all orders at random", members
    yield "all orders, falling", sorted(members, reverse=True)
    yield "all orders, rising", sorted(members)


def main():
    print(f"# {torch.cuda.get_device_name()}")
    print("op,precision,most,batch,members,us")
    for op, precision, most, batch in CASES:
        for name, sizes in arrangements(most, batch):
            us = microseconds(op, precision, sizes, most)
            print(f'{op},{precision},{most},{batch},"{name}",{us:.1f}', flush=True)


if __name__ == "__main__":
    sys.exit(main())
