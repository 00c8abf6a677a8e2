#!/usr/bin/env python3
"""Times factorisations of members of different sizes with two libraries, on a GPU, and compares their results by bits:

    scripts/members_sorted.py OLD.so NEW.so > results/h200/members_sorted.csv

The last column has the old library's time for the same members in falling order. Needs PyTorch.
"""
import ctypes
import random
import sys

import torch

TYPES = {"s": torch.float32, "d": torch.float64, "c": torch.complex64, "z": torch.complex128}
INVALID = {7: (-1, 3, 3), 11: (3, 5, 2), 19: (0, 4, 1)}  # members with such rows, columns and leading dimensions


def ints(values, dtype=torch.int32):
    return torch.tensor(values, dtype=dtype, device="cuda")


class Problem:
    """A batch of packed matrices."""

    def __init__(self, op, precision, most, sizes):
        self.op, self.precision, self.most, self.batch = op, precision, most, len(sizes)
        dtype, starts, end = TYPES[precision], [], 0
        for m, n, ld in sizes:
            starts.append(end)
            end += max(ld, m, 1) * max(n, 1)
        torch.manual_seed(1)
        start = torch.randn(max(end, 1), dtype=dtype, device="cuda")
        if op == "potrf":
            start *= 0.01
            for (m, n, ld), at in zip(sizes, starts):
                if m > 0 and ld >= m:
                    start[at:at + ld * m:ld + 1] = 8
        self.start, self.a = start, start.clone()
        self.second = torch.zeros(self.batch * most, dtype=dtype if op == "geqrf" else torch.int32, device="cuda")
        self.pointers = ints(starts, torch.int64) * start.element_size() + self.a.data_ptr()
        each = torch.arange(self.batch, device="cuda") * most * self.second.element_size()
        self.of_second = each + self.second.data_ptr()
        self.rows, self.columns, self.leading = (ints([size[k] for size in sizes]) for k in range(3))
        self.info = ints([0] * self.batch)
        self.stream = torch.cuda.Stream()

    def call(self, library):
        at = lambda x: ctypes.c_void_p(x.data_ptr())
        most, count = ctypes.c_int64(self.most), ctypes.c_int64(self.batch)
        end = count, None, ctypes.c_size_t(0), ctypes.c_void_p(self.stream.cuda_stream)
        function = getattr(library, f"tephra_{self.precision}{self.op}_vbatched")
        if self.op == "potrf":
            arrays = at(self.rows), at(self.pointers), at(self.leading), at(self.info)
            status = function(most, ctypes.c_int(122), *arrays, *end)  # TEPHRA_UPLO_LOWER
        else:
            arrays = [at(x) for x in (self.rows, self.columns, self.pointers, self.leading, self.of_second, self.info)]
            status = function(most, most, *arrays, *end)
        assert status == 0, status

    def results(self, library):
        self.a.copy_(self.start)
        self.second.zero_()
        self.info.fill_(77)
        torch.cuda.synchronize()
        self.call(library)
        torch.cuda.synchronize()
        return [x.clone() for x in (self.a, self.second, self.info)]

    def microseconds(self, library):
        times = []
        torch.cuda.synchronize()
        with torch.cuda.stream(self.stream):
            for turn in range(9):
                self.a.copy_(self.start)
                before, after = (torch.cuda.Event(enable_timing=True) for _ in range(2))
                before.record(self.stream)
                self.call(library)
                after.record(self.stream)
                after.synchronize()
                if turn > 1:
                    times.append(before.elapsed_time(after) * 1e3)
        return sorted(times)[len(times) // 2]


def same(one, two):
    return all(torch.equal(x.view(torch.uint8), y.view(torch.uint8)) for x, y in zip(one, two))


def main(old, new):
    old, new = ctypes.CDLL(old), ctypes.CDLL(new)
    print(f"# {torch.cuda.get_device_name()}")
    print("op,precision,most,batch,shape,us_before,us_sorted,us_falling,same_bits", flush=True)
    for op in ("geqrf", "getrf", "potrf"):
        for precision in "sdcz":
            for most in (16, 32, 64, 100, 128, 256, 500):
                for batch in (500, 1000, 2000, 4000, 10000, 50000):
                    bytes_of_all = most * most * batch * {"s": 4, "d": 8, "c": 8, "z": 16}[precision]
                    if bytes_of_all > 2e9 or bytes_of_all < 5e5:
                        continue
                    draw = random.Random(5)
                    sizes = [(n, n, n) for n in (draw.randint(1, most) for _ in range(batch))]
                    falling = Problem(op, precision, most, sorted(sizes, reverse=True)).microseconds(old)
                    for i, size in INVALID.items():
                        sizes[i] = size
                    p = Problem(op, precision, most, sizes)
                    equal = same(p.results(old), p.results(new))
                    times = [p.microseconds(library) for library in (old, new)] + [falling]
                    print(f"{op},{precision},{most},{batch},squares," + ",".join(f"{t:.1f}" for t in times)
                          + f",{'yes' if equal else 'no'}", flush=True)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
