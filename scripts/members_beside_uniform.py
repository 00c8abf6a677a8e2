#!/usr/bin/env python3
"""Times variable-size routines beside the uniform routine on matrices of the largest size, on a GPU: what individual
sizes cost, and which routines lack a way for large members. Unless --spread is given, all members have that size.
Device times in microseconds, the least of several rounds. Needs PyTorch; prototypes are read from the header.

    members_beside_uniform.py --library libtephra.so [--header FILE] [--routines A,B] [--types sdcz] [--out FILE.csv]
        MxNxNRHSxBATCH ...

N is also the order of square matrices and the number of terms of a product.
"""
import argparse
import ctypes
import re
from pathlib import Path

import torch

TYPES = {"s": torch.float32, "d": torch.float64, "c": torch.complex64, "z": torch.complex128}
INTEGERS = ("ipiv", "jpvt")
OPTIONS = {"side": 141, "uplo": 122, "trans": 111, "trans_a": 111, "trans_b": 111, "diag": 131, "k1": 1}
ROUNDS = 3
WORK = 8 << 30  # bytes of the workspace, which suffices for these sizes


def prototypes(header: Path) -> dict[str, list[tuple[str, str]]]:
    """Parameters (type, name) of each function of the header."""
    text = re.sub(r"/\*.*?\*/|//[^\n]*", "", header.read_text(), flags=re.S)
    found = re.findall(r"(tephra_\w+)\(([^()]*)\);", text)
    split = re.compile(r"\s*(.*?)(\w+)$", re.S)
    return {name: [split.match(one.strip()).groups() for one in all_of.split(",")] for name, all_of in found if all_of != "void"}


class Case:
    """One call on matrices that are new each time. `spread`: the least size of a member, as a fraction of the largest."""

    def __init__(self, letter: str, parameters: list[tuple[str, str]], routine: str, sizes: dict[str, int], spread, work):
        self.kept, self.buffers, self.args = [], [], []
        square = routine in ("getri", "potri", "getrs", "gesv", "potrs", "posv", "potrf", "trsv")
        rows, n, batch = sizes["m"], sizes["n"], sizes["batch"]
        order = n if square else max(rows, n)
        if routine in ("trsm", "trmm", "symm", "hemm"):  # a square matrix on the left
            sizes = sizes | {"n": sizes["nrhs"]}
        if routine == "laswp":
            order = max(rows, n)
        sizes = sizes | {"k": n, "k2": n, "incx": 1, "incy": 1} | {f"ld{x}": order for x in "abctrq"}
        self.batch, dtype = batch, TYPES[letter]
        for kind, name in parameters:
            plain = name.removesuffix("_array").removeprefix("max_")
            if "*" not in kind and plain in OPTIONS:
                self.args.append(ctypes.c_int(OPTIONS[plain]) if "int64" not in kind else ctypes.c_int64(OPTIONS[plain]))
            elif name == "batch_count":
                self.args.append(ctypes.c_int64(batch))
            elif name == "stream":
                self.args.append(ctypes.c_void_p(torch.cuda.current_stream().cuda_stream))
            elif name == "work":
                self.args.append(ctypes.c_void_p(work.data_ptr()))
            elif name == "work_bytes":
                self.args.append(ctypes.c_size_t(work.numel()))
            elif plain in ("alpha", "beta"):
                scalar = ((ctypes.c_float if letter in "sc" else ctypes.c_double) * 2)(1, 0)
                self.kept.append(scalar)
                self.args.append(scalar)
            elif plain == "info":
                self.put(torch.zeros(batch, dtype=torch.int32, device="cuda"))
            elif name.endswith("_array"):
                integers = plain in INTEGERS
                each = order if integers or plain in ("tau", "x", "y") else order * order
                if integers:
                    base = torch.arange(1, each + 1, dtype=torch.int32, device="cuda").repeat(batch, 1)
                    base = base * (plain == "ipiv")
                else:
                    base = torch.rand(batch, each, dtype=dtype, device="cuda") - 0.5
                    if plain == "a" and each > order:
                        base.view(batch, order, order).diagonal(dim1=1, dim2=2).add_(order)
                first = self.put(base, pass_it=False)
                width = each * base.element_size()
                self.put(torch.tensor([first + i * width for i in range(batch)], dtype=torch.int64, device="cuda"))
            elif "*" in kind:  # the sizes of each member
                fraction = torch.rand(batch, generator=torch.Generator().manual_seed(5)) * (1 - spread) + spread
                each = (fraction * sizes[plain]).ceil().int() if plain[:2] != "ld" and plain not in ("incx", "incy") else \
                    torch.full((batch,), sizes[plain], dtype=torch.int32)
                self.put(each.cuda())
            else:
                self.args.append(ctypes.c_int64(sizes[plain]))

    def put(self, tensor, pass_it=True):
        used = tensor.clone()
        self.buffers.append((tensor, used))
        if pass_it:
            self.args.append(ctypes.c_void_p(used.data_ptr()))
        return used.data_ptr()

    def time(self, function, library) -> float:
        best = float("inf")
        for _ in range(ROUNDS + 1):
            for tensor, used in self.buffers:
                used.copy_(tensor)
            start, end = torch.cuda.Event(True), torch.cuda.Event(True)
            start.record()
            status = function(*self.args)
            end.record()
            if status:
                raise RuntimeError(f"status {status}: {library.tephra_last_error().decode()}")
            torch.cuda.synchronize()
            best = min(best, start.elapsed_time(end) * 1000)
        return best


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--library", required=True)
    parser.add_argument("--header", type=Path, default=Path(__file__).resolve().parent.parent / "include/tephra.h")
    parser.add_argument("--routines", default="")
    parser.add_argument("--types", default="d")
    parser.add_argument("--plan", action="append", default=[], help="lists of allowed plans for the members, beside the library's own choice")
    parser.add_argument("--uniform-plan", default="", help="list of allowed plans for the uniform batch")
    parser.add_argument("--spread", type=float, default=1.0, help="least size of a member as a fraction of the largest")
    parser.add_argument("--out")
    parser.add_argument("sizes", nargs="+")
    args = parser.parse_args()
    library = ctypes.CDLL(args.library)
    library.tephra_last_error.restype = ctypes.c_char_p
    known = prototypes(args.header)
    work = torch.empty(WORK, dtype=torch.uint8, device="cuda")
    wanted = [r for r in args.routines.split(",") if r]
    plans = ["", *args.plan]
    lines = ["routine,type,m,n,nrhs,batch,least/largest,uniform us," + ",".join(f"members {plan.replace(',', ' ')} us".replace("  ", " ") for plan in plans) + ",device"]
    print(lines[0])
    for letter in args.types:
        routines = [m[1] for name in known if (m := re.fullmatch(rf"tephra_{letter}(\w+)_vbatched", name))]
        for routine in routines:
            names = [f"tephra_{letter}{routine}_batched", f"tephra_{letter}{routine}_vbatched"]
            if wanted and routine not in wanted or names[0] not in known:
                continue
            for text in args.sizes:
                m, n, nrhs, batch = map(int, text.split("x"))
                sizes = {"m": m, "n": n, "nrhs": nrhs, "batch": batch}
                try:
                    times = []
                    for name, plan in [(names[0], args.uniform_plan), *((names[1], plan) for plan in plans)]:
                        case = Case(letter, known[name], routine, sizes, args.spread, work)
                        library.tephra_set_plan(plan.encode())
                        times.append(case.time(getattr(library, name), library))
                        library.tephra_set_plan(b"")
                        del case
                    figures = ",".join(f"{time:.1f}" for time in times)
                except (RuntimeError, KeyError) as error:
                    figures = f"{type(error).__name__} {error}".replace(",", ";").replace("\n", " ")
                lines.append(f"{routine},{letter},{m},{n},{nrhs},{batch},{args.spread},{figures},{torch.cuda.get_device_name()}")
                print(lines[-1], flush=True)
    if args.out:
        Path(args.out).write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
