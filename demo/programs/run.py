#!/usr/bin/env python3
"""Times whole programs in PyTorch: as they are, under libtephra_preload.so, and with the Python package's functions.

    demo/programs/run.py --lib FOLDER --out results/h100/programs.csv      FOLDER has libtephra.so and libtephra_preload.so
    demo/programs/run.py --lib FOLDER --device cpu                         small sizes; no preloading, which is for CUDA

Each of the three ways runs in its own process. The time is the wall-clock time of a step between two synchronisations
of the device: the median of at least five steps after two warm-ups. The run fails if the three ways do not give the
same numbers. Every program draws its data from a fixed seed.
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
# The largest difference allowed between results in single precision, relative to the largest number.
TOLERANCE = 2e-3


def measured(step, synchronise, budget):
    """The median wall-clock time of a step in milliseconds, and the step's result."""
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
    """Runs all programs in this process, and prints a line of JSON for each."""
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
    """libtephra.so in a folder, or a versioned file if the folder lacks that link."""
    folder = Path(folder).resolve()
    found = [p for p in (folder / "libtephra.so", *sorted(folder.glob("libtephra.so.*"))) if p.exists()]
    return found[0] if found else sys.exit(f"{folder} has no libtephra.so")


def run(way, args):
    """Runs one way in a new process, and returns its rows."""
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
    """Messages about programs whose numbers differ from those with PyTorch alone."""
    first = {(r["program"], r["size"]): r["answer"] for r in rows if r["way"] == "torch"}
    for r in rows:
        want = first[r["program"], r["size"]]
        # Written so that NaN counts as a difference.
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
