#!/usr/bin/env python3
"""Times native routines on a GPU that `tephra bench` does not time beside another library or plan: few large members of
variable-size batches, large triangles, few tall matrices. Times are device times per call in microseconds, the least of
several rounds, with fresh operands for each call; libraries and plans take turns. Needs PyTorch.

    time_calls.py [--out FILE.csv] --library NEW.so [--library OLD.so ...] [--plan LIST ...] ROUTINE:TYPE:SIZES ...

SIZES is MxNxBATCH, for trtri NxBATCH, for trsv, trsm, getrs and potrs NxSIDESxBATCH. Members of getrf_vbatched, geqrf_vbatched and
potrf_vbatched have random sizes up to M x N. Each --plan is measured with the first library; "" is its own choice.
"""
import argparse
import ctypes

import torch

TYPES = {"s": torch.float32, "d": torch.float64, "c": torch.complex64, "z": torch.complex128}
INT64, POINTER = ctypes.c_int64, ctypes.c_void_p
ROOM = 4 << 30  # bytes for copies of the operands
LOWER, LEFT, NO_TRANS, NON_UNIT = 122, 141, 111, 131


def integers(values):
    return torch.tensor(values, dtype=torch.int32, device="cuda")


def pointers(tensor, count, elements):
    return torch.tensor([tensor.data_ptr() + i * elements * tensor.element_size() for i in range(count)],
                        dtype=torch.int64, device="cuda")


TRIANGLES = ("trtri", "trsv", "trsm", "getrs", "potrs")


class Call:
    """A routine on some operands; `fresh` returns a function that calls it once on a copy of them."""

    def __init__(self, routine, letter, sizes):
        self.routine, self.letter, self.sizes = routine, letter, sizes
        torch.manual_seed(7)
        dtype = TYPES[letter]
        if routine in TRIANGLES:
            n, batch = sizes[0], sizes[-1]
            self.a = torch.tril(torch.rand(batch, n, n, dtype=dtype, device="cuda")).mT.contiguous() / n
            self.a.diagonal(dim1=1, dim2=2).add_(1)
            self.b = torch.rand(batch, sizes[1] if routine != "trtri" else 1, n, dtype=dtype, device="cuda")
        else:
            m, n, batch = sizes
            self.a = torch.rand(batch, n, m, dtype=dtype, device="cuda") - 0.5
            if routine == "potrf_vbatched":
                self.a.diagonal(dim1=1, dim2=2).add_(n)
            generator = torch.Generator().manual_seed(11)
            self.m = integers(torch.randint(1, m + 1, (batch,), generator=generator).tolist())
            self.n = integers(torch.randint(1, n + 1, (batch,), generator=generator).tolist())
            if m == n:
                self.n = self.m
        self.info = torch.zeros(sizes[-1], dtype=torch.int32, device="cuda")

    def bytes(self):
        return self.a.numel() * self.a.element_size()

    def fresh(self, library):
        form = "" if self.routine.endswith("_vbatched") else "_strided_batched"
        function = getattr(library, f"tephra_{self.letter}{self.routine}{form}")
        kept, stream = [], POINTER(torch.cuda.current_stream().cuda_stream)

        def pointer(x):
            kept.append(x)
            return POINTER(x.data_ptr())

        a, routine, sizes = self.a.clone(), self.routine, self.sizes
        if routine in TRIANGLES:
            n, batch = sizes[0], sizes[-1]
            stride = INT64(n * n)
            if routine == "trtri":
                args = [LOWER, NON_UNIT, INT64(n), pointer(a), INT64(n), stride, pointer(self.info), INT64(batch)]
            elif routine == "trsv":
                x = self.b.clone()
                args = [LOWER, NO_TRANS, NON_UNIT, INT64(n), pointer(a), INT64(n), stride, pointer(x), INT64(1), INT64(n), INT64(batch)]
            elif routine in ("getrs", "potrs"):
                x, pivots = self.b.clone(), torch.arange(1, n + 1, dtype=torch.int32, device="cuda").repeat(batch)
                interchanges = [pointer(pivots), INT64(n)] if routine == "getrs" else []
                args = [NO_TRANS if routine == "getrs" else LOWER, INT64(n), INT64(sizes[1]), pointer(a), INT64(n), stride,
                        *interchanges, pointer(x), INT64(n), INT64(n * sizes[1]), INT64(batch)]
            else:
                x, sides = self.b.clone(), sizes[1]
                one = (ctypes.c_float if self.letter in "sc" else ctypes.c_double) * 2
                kept.append(one(1, 0))
                args = [LEFT, LOWER, NO_TRANS, NON_UNIT, INT64(n), INT64(sides), kept[-1], pointer(a), INT64(n), stride,
                        pointer(x), INT64(n), INT64(n * sides), INT64(batch)]
        else:
            m, n, batch = sizes
            steps = torch.empty(batch, min(m, n), dtype=torch.int32 if "getrf" in routine else a.dtype, device="cuda")
            if routine == "getrf":
                args = [INT64(m), INT64(n), pointer(a), INT64(m), INT64(m * n), pointer(steps), INT64(min(m, n)), pointer(self.info), INT64(batch)]
            else:
                members, vectors = pointer(pointers(a, batch, m * n)), pointer(pointers(steps, batch, min(m, n)))
                kept.extend([a, steps])
                if routine == "potrf_vbatched":
                    args = [INT64(n), LOWER, pointer(self.n), members, pointer(self.m), pointer(self.info), INT64(batch)]
                else:
                    args = [INT64(m), INT64(n), pointer(self.m), pointer(self.n), members, pointer(self.m), vectors, pointer(self.info), INT64(batch)]
        if routine not in ("trtri", "trsv", "trsm"):
            args += [None, ctypes.c_size_t(0)]  # a workspace, which they do not need

        def run():
            status = function(*args, stream)
            assert status == 0, (status, library.tephra_last_error())

        run.kept = kept
        return run


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out")
    parser.add_argument("--library", action="append", required=True)
    parser.add_argument("--plan", action="append", default=[])
    parser.add_argument("cases", nargs="+")
    args = parser.parse_args()
    libraries = [ctypes.CDLL(path) for path in args.library]
    for library in libraries:
        library.tephra_last_error.restype = ctypes.c_char_p
    ways = [(libraries[0], plan, f"plan {plan}" if plan else "own plan") for plan in args.plan] or \
        [(library, "", path) for library, path in zip(libraries, args.library)]
    lines = ["routine,type,sizes," + ",".join(f"{name.replace(',', ' ')} us" for *_, name in ways) + ",device"]
    print(lines[0])
    for case in args.cases:
        routine, letter, sizes = case.split(":")
        call = Call(routine, letter, list(map(int, sizes.split("x"))))
        copies, best = max(1, min(10, ROOM // call.bytes())), [float("inf")] * len(ways)
        for _ in range(4):
            for i, (library, plan, _) in enumerate(ways):
                library.tephra_set_plan(plan.encode())
                runs = [call.fresh(library) for _ in range(copies)]
                torch.cuda.synchronize()
                start, end = torch.cuda.Event(True), torch.cuda.Event(True)
                start.record()
                for run in runs:
                    run()
                end.record()
                torch.cuda.synchronize()
                best[i] = min(best[i], start.elapsed_time(end) / copies * 1000)
                del runs, run
        lines.append(",".join([routine, letter, sizes, *(f"{x:.1f}" for x in best), torch.cuda.get_device_name()]))
        print(lines[-1], flush=True)
        del call
    if args.out:
        with open(args.out, "w") as file:
            file.write("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
