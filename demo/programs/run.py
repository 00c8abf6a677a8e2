#!/usr/bin/env python3
"""Times whole programs in PyTorch: as they are, under libtephra_preload.so, and with the Python package's functions.

    demo/programs/run.py --lib FOLDER --out results/h100/programs.csv      FOLDER has libtephra.so and libtephra_preload.so
    demo/programs/run.py --lib FOLDER --device cpu                         small sizes; no preloading, which is for CUDA

Each way is a process of its own. Times are wall-clock, of a step from a synchronised device to a synchronised device: the
median of at least five after two warm-ups. The three must find the same numbers, or the run fails. Every program draws its
data from one seed.
"""
import argparse
import csv
import json
import os
import statistics
import subprocess
import sys
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
PROGRAMS = ("bootstrap", "soap", "gaussian_process", "kalman")
WAYS = ("torch", "preload", "tephra")
# Float programs end within this of each other, relative to their largest number.
TOLERANCE = 2e-3


def measured(step, synchronise, budget):
    """Median of the wall-clock milliseconds of a step, and what it found."""
    for _ in range(2):
        answer = step()
    synchronise()
    times, begin = [], time.perf_counter()
    while len(times) < 5 or (len(times) < 50 and time.perf_counter() - begin < budget):
        start = time.perf_counter()
        step()
        synchronise()
        times.append(1e3 * (time.perf_counter() - start))
    return statistics.median(times), answer


def work(way, device, small, budget):
    """All programs in this process, a line of JSON each."""
    import importlib

    import torch

    import linear_algebra

    la = linear_algebra.package() if way == "tephra" else linear_algebra.Torch
    synchronise = torch.cuda.synchronize if device == "cuda" else lambda: None
    name = torch.cuda.get_device_name() if device == "cuda" else "cpu"
    for module in map(importlib.import_module, PROGRAMS):
        for case in module.SMALL if small else module.CASES:
            ms, answer = measured(module.prepare(case, la, device), synchronise, budget)
            print(json.dumps({"program": module.NAME, "size": module.size(case), "way": way, "ms": ms, "device": name,
                              "torch": torch.__version__, "answer": answer.flatten().tolist()}), flush=True)


def library_in(folder):
    """libtephra.so, or the file of a version where the folder has no link to it."""
    folder = Path(folder).resolve()
    found = [p for p in (folder / "libtephra.so", *sorted(folder.glob("libtephra.so.*"))) if p.exists()]
    return found[0] if found else sys.exit(f"{folder} has no libtephra.so")


def run(way, args):
    """What a process of one way printed."""
    library = library_in(args.lib)
    paths = [ROOT / "python/src", HERE, *filter(None, [os.environ.get("PYTHONPATH")])]
    env = dict(os.environ, PYTHONPATH=os.pathsep.join(map(str, paths)), TEPHRA_LIBRARY=str(library))
    env.pop("LD_PRELOAD", None)
    if way == "preload":
        env["LD_PRELOAD"] = str(library.with_name("libtephra_preload.so"))
    options = ["--way", way, "--device", args.device, "--seconds", str(args.seconds), *(["--small"] if args.small else [])]
    done = subprocess.run([sys.executable, HERE / "run.py", "--lib", args.lib, *options], env=env, stdout=subprocess.PIPE, text=True)
    if done.returncode:
        sys.exit(f"{way}: status {done.returncode}")
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    for row in rows:
        print(f"{row['program']}, {row['size']}, {way}: {row['ms']:.3f} ms", flush=True)
    return rows


def disagreements(rows):
    """Programs whose numbers are not those of torch alone."""
    first = {(r["program"], r["size"]): r["answer"] for r in rows if r["way"] == "torch"}
    for r in rows:
        want = first[r["program"], r["size"]]
        # Written so that a NaN disagrees.
        if not all(abs(a - b) <= TOLERANCE * max(map(abs, want)) for a, b in zip(r["answer"], want, strict=True)):
            yield f"{r['program']}, {r['size']}, {r['way']}: {r['answer']}, with torch alone {want}"


def version(lib):
    import ctypes

    library = ctypes.CDLL(str(library_in(lib)))
    library.tephra_version.restype = ctypes.c_char_p
    return library.tephra_version().decode()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--lib", required=True, help="the folder of libtephra.so and libtephra_preload.so")
    parser.add_argument("--out", help="the CSV; without it times are only printed")
    parser.add_argument("--device", choices=("cuda", "cpu"), default="cuda")
    parser.add_argument("--small", action="store_true", help="sizes for a test; always on the CPU")
    parser.add_argument("--seconds", type=float, default=2, help="time for a program's repeats")
    parser.add_argument("--way", choices=WAYS, help=argparse.SUPPRESS)
    args = parser.parse_args()
    args.small = args.small or args.device == "cpu"
    if args.way:
        return work(args.way, args.device, args.small, args.seconds)
    rows = [row for way in WAYS if way != "preload" or args.device == "cuda" for row in run(way, args)]
    wrong = [*disagreements(rows)]
    if wrong:
        sys.exit("\n".join(wrong))
    if args.out:
        with open(args.out, "w", newline="") as file:
            out = csv.writer(file, lineterminator="\n")
            out.writerow(["program", "size", "way", "ms", "device", "torch", "version"])
            for r in sorted(rows, key=lambda r: [*dict.fromkeys((q["program"], q["size"]) for q in rows)].index((r["program"], r["size"]))):
                out.writerow([r["program"], r["size"], r["way"], f"{r['ms']:.4f}", r["device"], r["torch"], version(args.lib)])


if __name__ == "__main__":
    main()
