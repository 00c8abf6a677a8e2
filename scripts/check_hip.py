#!/usr/bin/env python3
"""Compiles all instances of kernels/manifest.toml with clang's front end for an AMD GPU, without generating machine
code. kernels/arch/hip.cuh provides the language and replacements for NVIDIA's instructions. This needs clang 14 or
later with the amdgcn target (Debian's has it), but no part of ROCm. A family with an instance that needs something such
a GPU lacks (`needs ...` in hip.cuh) is listed with that reason; any other error is a failure.

    scripts/check_hip.py [--arch gfx90a] [FAMILY...]

Exits with 1 if a family does not compile, and with 77 if there is no such clang."""
import argparse
import os
import re
import subprocess
import sys
import tempfile
import time
import tomllib
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FLAGS = ["-x", "hip", "--cuda-device-only", "-nogpuinc", "-nogpulib", "-std=c++17", "-fsyntax-only", "-ferror-limit=0",
         "-Wno-cuda-compat", "-include", "kernels/arch/hip.cuh", "-I", "kernels"]


def find_clang():
    """The path of a clang with the target, and its version line."""
    path = subprocess.run([ROOT / "scripts/setup.sh", "--path", "clang"], capture_output=True, text=True).stdout.strip()
    if not path or "amdgcn" not in subprocess.run([path, "-print-targets"], capture_output=True, text=True).stdout:
        return None, ""
    return path, subprocess.run([path, "--version"], capture_output=True, text=True).stdout.splitlines()[0]


def source(family):
    """The source text of a family's instances, and their number."""
    lines = [f'{family["macro"]}(k{number}, {dtype}, {", ".join(map(str, shape))})'
             for number, (dtype, shape) in enumerate((dtype, shape) for some in family["instances"]
                                                     for dtype in some["dtypes"] for shape in some["shapes"])]
    return "\n".join([f'#include "{family["header"]}"', *lines, ""]), len(lines)


def compile_family(clang, arch, folder, name, family):
    """(name, number of kernels, missing features that it needs, other errors) of a family."""
    text, count = source(family)
    file = Path(folder, f"{name}.hip")
    file.write_text(text)
    run = subprocess.run([clang, *FLAGS, f"--offload-arch={arch}", str(file)], cwd=ROOT, capture_output=True, text=True)
    errors = [line for line in run.stderr.splitlines() if "error:" in line]
    found = [re.search(r'static.assert.*["\s]needs ([^"]*)', line) for line in errors]
    needs, wrong = sorted({match[1] for match in found if match}), None in found
    return name, count, needs, run.stderr if wrong or (run.returncode and not needs) else ""


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--arch", default="gfx90a")
    arguments.add_argument("families", nargs="*")
    asked = arguments.parse_args()
    clang, version = find_clang()
    if clang is None:
        print("check-hip: LEFT OUT, there is no clang with the amdgcn target", file=sys.stderr)
        return 77
    manifest = tomllib.loads((ROOT / "kernels/manifest.toml").read_text())
    families = {name: family for name, family in manifest.items() if isinstance(family, dict)}
    families = {name: families[name] for name in asked.families or families}
    start = time.monotonic()
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(os.cpu_count()) as pool:
        done = list(pool.map(lambda item: compile_family(clang, asked.arch, folder, *item), families.items()))
    wrong = [(name, errors) for name, _, _, errors in done if errors]
    for name, errors in wrong:
        print(f"{name} does not compile for {asked.arch}:\n{errors}", file=sys.stderr)
    for name, count, needs, errors in done:
        if needs and not errors:
            print(f"left out: {name} ({count} kernels): needs {' and '.join(needs)}")
    whole = [count for _, count, needs, errors in done if not needs and not errors]
    print(f"check-hip: {sum(whole)} kernels of {len(whole)} families pass the front end for {asked.arch} ({version}, {time.monotonic() - start:.0f} s)")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
