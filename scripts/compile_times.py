#!/usr/bin/env python3
"""Breaks down nvcc's compile time for the kernels: processor seconds of each phase, one row per compiled unit.

    scripts/compile_times.py [--every N] [--per-unit N] [--families A,B] [--options='...'] [--out FILE]

Takes every Nth instance of each family and precision in kernels/manifest.toml, always including the first, and compiles
each separately, or `--per-unit` of them together, with the commands that nvcc itself would run (`nvcc --dryrun`): the
preprocessor, cicc (the front end and the optimiser) and ptxas. Times are processor seconds (user and system), which
other load hardly affects.
"""

import argparse
import csv
import hashlib
import os
import re
import resource
import shlex
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
NVCC = Path(os.environ.get("NVCC", ROOT / ".tools/cuda/nvidia/cu13/bin/nvcc"))
# As in kernels/compile.rs.
FLAGS = ["-std=c++17", "-O3", "-fatbin", "-Xptxas=-v", "-no-compress", "-gencode=arch=compute_90,code=sm_90"]
PHASES = {"gcc": "preprocessor", "cicc": "cicc", "ptxas": "ptxas", "fatbinary": "fatbinary"}
COLUMNS = ["options", "family", "dtype", "kernels", "parameters", *PHASES.values(), "ptx_lines", "code_bytes", "code"]


def instances(every: int, wanted: list[str]) -> dict[tuple[str, str], list[tuple[str, str]]]:
    """(header, line) of the chosen instances by family and precision."""
    with open(ROOT / "kernels/manifest.toml", "rb") as file:
        manifest = tomllib.load(file)
    chosen = {}
    for family, entry in manifest.items():
        if family == "accepted_spills" or wanted and family not in wanted:
            continue
        all_of = {}
        for shapes in entry["instances"]:
            for dtype in shapes["dtypes"]:
                all_of.setdefault(dtype, []).extend(shapes["shapes"])
        for dtype, shapes in all_of.items():
            lines = [", ".join(map(str, shape)) for shape in shapes[::every]]
            chosen[family, dtype] = [(entry["header"], entry["macro"], line) for line in lines]
    return chosen


def measure(folder: Path, family: str, dtype: str, group: list, options: list[str]) -> dict:
    source = folder / "unit.cu"
    lines = [f"{macro}(k{i}, {', '.join(filter(None, (dtype, line)))})\n" for i, (_, macro, line) in enumerate(group)]
    source.write_text(f'#include "{group[0][0]}"\n' + "".join(lines))
    command = [str(NVCC), *FLAGS, *options, "-I", str(ROOT / "kernels"), "--keep", "--keep-dir", str(folder), "-o", str(folder / "image"), str(source)]
    steps = subprocess.run([*command, "--dryrun"], capture_output=True, text=True, check=True, cwd=folder).stderr
    env = dict(os.environ, MALLOC_CONF="dirty_decay_ms:-1,muzzy_decay_ms:-1")
    row = {"options": " ".join(options), "family": family, "dtype": dtype, "kernels": len(group), "parameters": " / ".join(line for *_, line in group)}
    row |= dict.fromkeys(PHASES.values(), 0.0)
    for step in steps.splitlines():
        step = step.removeprefix("#$ ")
        if setting := re.fullmatch(r"(\w+)=(.*)", step):
            env[setting[1]] = setting[2].strip('"')
            continue
        program = Path(shlex.split(step)[0]).name if step else ""
        if program not in PHASES:
            continue
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        done = subprocess.run(["setarch", "-R", "sh", "-c", step], capture_output=True, text=True, cwd=folder, env=env)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        if done.returncode:
            sys.exit(f"{family}_{dtype}: {step}\n{done.stderr}")
        row[PHASES[program]] += after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    cubin = (folder / "unit.cubin").read_bytes() if (folder / "unit.cubin").exists() else next(folder.glob("*.cubin")).read_bytes()
    row["ptx_lines"] = next(folder.glob("*.ptx")).read_bytes().count(b"\n")
    row["code_bytes"] = len(cubin)
    row["code"] = hashlib.sha256(cubin).hexdigest()[:12]
    return row


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--per-unit", type=int, default=1)
    parser.add_argument("--families", default="")
    parser.add_argument("--options", default="", help="further options of nvcc")
    parser.add_argument("--out", type=Path)
    args = parser.parse_args()
    file = args.out.open("w", newline="") if args.out else sys.stdout
    rows = csv.DictWriter(file, COLUMNS, lineterminator="\n")
    rows.writeheader()
    for (family, dtype), chosen in instances(args.every, list(filter(None, args.families.split(",")))).items():
        for at in range(0, len(chosen), args.per_unit):
            with tempfile.TemporaryDirectory() as folder:
                row = measure(Path(folder), family, dtype, chosen[at : at + args.per_unit], args.options.split())
            rows.writerow({key: f"{value:.3f}" if isinstance(value, float) else value for key, value in row.items()})
            file.flush()


if __name__ == "__main__":
    main()
