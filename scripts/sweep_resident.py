#!/usr/bin/env python3
"""Times register layouts of kernels/geqrf/resident.cuh, to choose the instances of kernels/manifest.toml.

    scripts/sweep_resident.py d 32x32:100000 48x48:1000      # precision, then SHAPE:BATCH...

Runs on a GPU machine with nvcc and PyTorch. Every layout [PR, PC, RPT, CPT, W, TEAMS, MIN_BLOCKS] whose tile fits the
registers and is not much larger than the shape is compiled (in parallel) and timed. The fastest are printed with their
registers, local memory and residual ratio |A - QR| / (max(m, n) |A| eps).
"""
import argparse
import ctypes
import math
import os
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import torch

KERNELS = Path(__file__).resolve().parent.parent / "kernels"
WORDS = {"s": 1, "d": 2, "c": 2, "z": 4}
TYPES = {"s": torch.float32, "d": torch.float64, "c": torch.complex64, "z": torch.complex128}
REGISTERS, LOCAL_BYTES = 4, 3  # CUfunction_attribute
cuda = ctypes.CDLL("libcuda.so.1")


class Operand(ctypes.Structure):
    """kernels/common/batch.cuh"""
    _fields_ = [("p", ctypes.c_void_p), ("stride", ctypes.c_int64), ("pointers", ctypes.c_int32), ("pad", ctypes.c_int32)]


class GeqrfArgs(ctypes.Structure):
    """kernels/common/batch.cuh"""
    _fields_ = ([("a", Operand), ("tau", Operand), ("info", ctypes.c_void_p)] +
                [(name, ctypes.c_int64) for name in ("lda", "batch", "m", "n", "row0", "col0")])


def check(result, what):
    if result:
        raise RuntimeError(f"{what}: CUresult {result}")


def layouts(dtype, m, n, waste=1.3):
    """Layouts worth trying. The estimated register count is that of the tile, one more column of it, and 26 others."""
    words = WORDS[dtype]
    for lanes in (4, 8, 16, 32):
        for pr in (1 << e for e in range(6)):
            if pr > lanes or (pr == 1 and m > 24) or (pr > 8 and m <= 64) or (pr < 16 and m >= 256):
                continue
            pc = lanes // pr
            for w in (1, 2, 3, 4, 6, 8, 12, 16):
                if (w > 1 and lanes < 32) or pc * w > n:
                    continue
                rpt, cpt = math.ceil(m / pr), math.ceil(n / (pc * w))
                column = rpt * words if rpt * words <= 32 else 8 * words
                registers = rpt * cpt * words + column + 26
                if (pr * rpt * pc * w * cpt <= waste * m * n and registers <= 255 and registers * 32 * w <= 64000
                        and rpt <= 64 and cpt <= 16):
                    yield from ((pr, pc, rpt, cpt, w, teams, 1) for teams in ((1, 4) if w == 1 and pc * cpt <= 32 else (1,)))


def compile_all(dtype, todo, nvcc):
    """Compiles layouts and returns {layout: function}."""
    folder = Path(tempfile.mkdtemp())

    def one(item):
        i, layout = item
        source, image = folder / f"{i}.cu", folder / f"{i}.cubin"
        arguments = ", ".join(map(str, layout))
        source.write_text(f'#include "instance.cuh"\nTEPHRA_RESIDENT(kernel, {dtype}, {arguments})\n')
        major, minor = torch.cuda.get_device_capability()
        subprocess.run([nvcc, "-std=c++17", "-O3", f"-arch=sm_{major}{minor}", "-cubin", "-I", KERNELS, "-o", image, source],
                       check=True)
        return layout, image

    functions = {}
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        for layout, image in pool.map(one, enumerate(todo)):
            module, function = ctypes.c_void_p(), ctypes.c_void_p()
            check(cuda.cuModuleLoad(ctypes.byref(module), str(image).encode()), "cuModuleLoad")
            check(cuda.cuModuleGetFunction(ctypes.byref(function), module, b"kernel"), "cuModuleGetFunction")
            functions[layout] = function
    return functions


def attribute(function, which):
    value = ctypes.c_int()
    check(cuda.cuFuncGetAttribute(ctypes.byref(value), which, function), "cuFuncGetAttribute")
    return value.value


class Problem:
    def __init__(self, dtype, m, n, batch):
        self.m, self.n, self.batch, self.k = m, n, batch, min(m, n)
        kind = TYPES[dtype]
        self.input = torch.empty(batch, n, m, dtype=kind, device="cuda")
        (torch.view_as_real(self.input) if kind.is_complex else self.input).uniform_(-1, 1)
        self.a = self.input.clone()
        self.tau = torch.full((batch, self.k), float("nan"), dtype=kind, device="cuda")

    def time(self, function, layout, repeats=7):
        """Median milliseconds; the input is restored before each launch."""
        pr, pc, _, _, w, teams, _ = layout
        per_block = 32 // (pr * pc) * teams
        args = GeqrfArgs(Operand(self.a.data_ptr(), self.m * self.n, 0, 0), Operand(self.tau.data_ptr(), self.k, 0, 0), None,
                         self.m, self.batch, self.m, self.n, 0, 0)
        parameters = (ctypes.c_void_p * 1)(ctypes.cast(ctypes.pointer(args), ctypes.c_void_p))
        stream = ctypes.c_void_p(torch.cuda.current_stream().cuda_stream)
        times = []
        for _ in range(repeats + 1):
            self.a.copy_(self.input)
            start, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
            torch.cuda._sleep(60000)  # keeps the device busy until the launch is enqueued
            start.record()
            check(cuda.cuLaunchKernel(function, -(-self.batch // per_block), 1, 1, 32 * w * teams, 1, 1, 0, stream, parameters,
                                      None), "cuLaunchKernel")
            end.record()
            torch.cuda.synchronize()
            times.append(start.elapsed_time(end))
        return sorted(times[1:])[repeats // 2]

    def residual(self):
        few = slice(0, min(self.batch, 16))
        wide = torch.complex128 if self.a.is_complex() else torch.float64
        v, x = (t[few].transpose(1, 2).to(wide) for t in (self.a, self.input))
        q = torch.linalg.householder_product(v[:, :, :self.k].contiguous(), self.tau[few].to(wide))
        norm = torch.linalg.matrix_norm
        eps = torch.finfo(self.a.dtype).eps / 2
        return float((norm(x - q @ v.triu()[:, :self.k], 1) / (norm(x, 1) * max(self.m, self.n) * eps)).max())


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("dtype", choices="sdcz")
    parser.add_argument("cases", nargs="+", metavar="MxN:BATCH")
    parser.add_argument("--top", type=int, default=5)
    parser.add_argument("--nvcc", default="nvcc")
    options = parser.parse_args()
    torch.zeros(1, device="cuda")  # creates the context
    failed = False
    for case in options.cases:
        shape, batch = case.split(":")
        m, n = map(int, shape.split("x"))
        functions = compile_all(options.dtype, list(layouts(options.dtype, m, n)), options.nvcc)
        problem = Problem(options.dtype, m, n, int(batch))
        rows = sorted((problem.time(f, layout), layout, attribute(f, REGISTERS), attribute(f, LOCAL_BYTES), problem.residual())
                      for layout, f in functions.items())
        print(f"{options.dtype} {m} x {n}, batch {batch}: {len(rows)} layouts")
        for ms, layout, registers, local, ratio in rows[:options.top]:
            print(f"  {ms:.4f} ms  {list(layout)}  {registers} registers, {local} B local, ratio {ratio:.2f}")
        wrong = [r[1] for r in rows if not r[4] < 30]
        if wrong:
            failed = True
            print(f"  WRONG: {wrong}")
    return failed


if __name__ == "__main__":
    sys.exit(main())
