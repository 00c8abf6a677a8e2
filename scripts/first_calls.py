#!/usr/bin/env python3
"""Measures the first call of a shape, each in a new process, from an existing context and allocated memory until the
stream is idle; then all calls of the list in turn in one process.

    first_calls.py [--library libtephra.so] [--repeat 3] [--out FILE.csv] ["d geqrf m=100 n=100 batch=100" ...]

Prints the minimum over the repetitions, the first of which also reads the library from disk. Needs python3 and the
driver. With
--recorder libtephra_recorder.so, which is built with the library and whose kernels do nothing, the library's own
processor time is measured, without a GPU.
"""
import argparse
import ctypes
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from prototypes import prototypes

ROOT = Path(__file__).resolve().parent.parent
CALLS = """s geqrf m=32 n=32 batch=1000
d geqrf m=100 n=100 batch=100
c geqrf m=64 n=64 batch=100
z geqrf m=512 n=32 batch=20
d orgqr m=64 n=64 k=64 batch=100
s ormqr m=128 n=32 k=32 batch=100
d gels m=64 n=16 nrhs=1 batch=100
d qr m=48 n=16 batch=100
d getrf m=64 n=64 batch=100
s gesv n=32 nrhs=1 batch=1000
d inv n=32 batch=1000
z getrs n=32 nrhs=4 batch=100
d potrf n=32 batch=1000
s posv n=64 nrhs=1 batch=100
d gemm m=32 n=32 k=32 batch=1000
s trsm m=64 n=16 batch=100""".splitlines()
ENUMS = {"side": 141, "uplo": 122, "trans": 111, "trans_a": 111, "trans_b": 111, "diag": 131, "part": 1}
BYTES = {"s": 4, "d": 8, "c": 8, "z": 16}


class Call:
    """A call with its own matrices, which have ones on their diagonals."""

    def __init__(self, library, line):
        letter, routine, *sizes = line.split()
        sizes = {key: int(value) for key, value in (word.split("=") for word in sizes)}
        batch, order = sizes.pop("batch"), max(sizes.values())
        name = f"tephra_{letter}{routine}_strided_batched"
        self.library, self.function, self.arguments = library, getattr(library, name), []
        scalar = (ctypes.c_double * 2)(1.0) if letter in "dz" else (ctypes.c_float * 2)(1.0)
        one = bytes((ctypes.c_double if letter in "dz" else ctypes.c_float)(1.0)).ljust(BYTES[letter], b"\0")
        column = one + bytes(BYTES[letter] * order)
        matrix = (column * order)[:BYTES[letter] * order * order]
        for kind, word in prototypes()[name]:
            pointer = "*" in kind
            if word in ("alpha", "beta"):
                value = scalar
            elif word in ("work", "stream"):
                value = None
            elif pointer:
                data = (b"\1\0\0\0" * order if kind.startswith("int") or kind.startswith("const int") else matrix) * batch
                value = ctypes.c_void_p()
                assert library.tephra_malloc(ctypes.byref(value), ctypes.c_size_t(len(data))) == 0
                assert library.tephra_memcpy(value, data, ctypes.c_size_t(len(data)), None) == 0
            elif word.startswith("stride_"):
                value = ctypes.c_int64(order if word in ("stride_tau", "stride_ipiv") else order * order)
            elif word == "work_bytes":
                value = ctypes.c_size_t(0)
            elif word in ENUMS:
                value = ctypes.c_int(ENUMS[word])
            else:
                value = ctypes.c_int64(batch if word == "batch_count" else order if word.startswith("ld") else sizes[word])
            self.arguments.append(value)

    def milliseconds(self, clock):
        start = clock()
        status = self.function(*self.arguments)
        done = self.library.tephra_stream_synchronize(None)
        taken = 1e3 * (clock() - start)
        if status or done:
            sys.exit(f"status {status}, {done}: {self.library.tephra_last_error().decode()}")
        return taken


def process(path, lines):
    library = ctypes.CDLL(path)
    library.tephra_last_error.restype = ctypes.c_char_p
    if library.tephra_set_backend(2):
        sys.exit(library.tephra_last_error().decode())
    calls = [Call(library, line) for line in lines]
    library.tephra_stream_synchronize(None)
    clock = time.thread_time if os.environ.get("RECORDER_KERNELS") else time.perf_counter
    print(*(call.milliseconds(clock) for call in calls))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--library", default=str(ROOT / "build/stage/lib/libtephra.so"))
    parser.add_argument("--recorder", type=Path)
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--out", type=Path)
    parser.add_argument("--process", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("calls", nargs="*", default=CALLS)
    args = parser.parse_args()
    if args.process:
        return process(args.library, args.calls)

    env = dict(os.environ)
    with tempfile.TemporaryDirectory() as folder:
        if args.recorder:
            (Path(folder) / "libcuda.so.1").symlink_to(args.recorder.resolve())
            env |= {"LD_LIBRARY_PATH": folder, "RECORDER_KERNELS": str(args.recorder.resolve().parent / "kernels.txt")}

        def times(lines):
            command = [sys.executable, __file__, "--process", "--library", args.library, *lines]
            runs = [subprocess.run(command, env=env, stdout=subprocess.PIPE, text=True, check=True).stdout for _ in range(args.repeat)]
            return min(([float(word) for word in run.split()] for run in runs), key=sum)

        rows = [(line, times([line])[0]) for line in args.calls]
        together = times(args.calls)
    rows += [("the first of each in a fresh process", sum(ms for _, ms in rows)), ("all in one process", sum(together))]
    for line, ms in rows:
        print(f"{ms:8.2f} ms  {line}")
    print(f"{max(together):8.2f} ms  the longest of those in one process")
    if args.out:
        args.out.write_text("call,ms\n" + "".join(f"{line},{ms:.3f}\n" for line, ms in rows))


if __name__ == "__main__":
    main()
