#!/usr/bin/env python3
"""Runs the Rust tests, as many test programs at a time as there are processors, since many of them have one long test
that uses one processor: rust_tests.py [--quick] cargo test FLAGS...

Prints each program's result and seconds when it ends, and the whole output of those that fail. With --quick the programs
that take longest are left to `make test`: grids of shapes and plans, of which the fuzzer draws some for every routine.
"""
import json
import os
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor

# These take longest and begin first. All others follow, whatever their names.
LONGEST = ["systems", "qr", "cli", "fuzz", "built", "launches", "vbatched", "interfaces"]
LEFT_OUT_BY_QUICK = ["systems", "qr", "cli", "built", "launches", "vbatched", "tiled"]
# The fuzzer also tests the CPU backend with narrower vectors than this machine's widest, for which tiles have other sizes.
NARROWER = [{"TEPHRA_BACKEND": "cpu", "TEPHRA_SIMD": simd, "TEPHRA_FUZZ_CALLS": "10000"} for simd in ("avx2", "baseline")]


def jobs(quick, default_features):
    """(title, arguments of cargo test, environment). Without the default features, the programs that require one are left
    out."""
    metadata = subprocess.run(["cargo", "metadata", "--no-deps", "--format-version", "1"], check=True, stdout=subprocess.PIPE)
    targets = [target for package in json.loads(metadata.stdout)["packages"] for target in package["targets"]]
    runs = [target for target in targets if default_features or not target.get("required-features")]
    names = sorted({target["name"] for target in runs if target["kind"] == ["test"]})
    for name in sorted(names, key=lambda name: LONGEST.index(name) if name in LONGEST else len(LONGEST)):
        if quick and name in LEFT_OUT_BY_QUICK:
            continue
        yield name, ["--test", name], {}
        if name == "fuzz" and not quick:
            for settings in NARROWER:
                yield f"fuzz, {settings['TEPHRA_SIMD']}", ["--test", name, "random_calls"], settings
    for kind in ("--lib", "--bins", "--doc"):
        yield f"{kind.lstrip('-')} tests", [kind], {}


def main():
    quick = sys.argv[1] == "--quick"
    command = sys.argv[2 if quick else 1:]
    all_jobs = list(jobs(quick, "--no-default-features" not in command))
    # With --quick, build only what runs; documentation's tests are built by themselves.
    chosen = [word for _, arguments, _ in all_jobs if arguments != ["--doc"] for word in arguments] if quick else []
    subprocess.run([*command, "--no-run", *chosen], check=True)

    def run(job):
        title, arguments, settings = job
        start = time.monotonic()
        done = subprocess.run([*command, *arguments], env=os.environ | settings, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                              errors="replace")
        results = [line.removeprefix("test result: ") for line in done.stdout.splitlines() if line.startswith("test result: ")]
        if done.returncode:
            print(done.stdout)
        passed = sum(int(line.split(" passed")[0].split()[-1]) for line in results)
        print(f"{title}: {'FAILED' if done.returncode else 'ok'}, {passed} passed, {time.monotonic() - start:.0f} s", flush=True)
        return done.returncode == 0 and passed > 0

    with ThreadPoolExecutor(os.cpu_count()) as pool:
        results = list(pool.map(run, all_jobs))
    sys.exit(not all(results))


if __name__ == "__main__":
    main()
