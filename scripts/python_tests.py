#!/usr/bin/env python3
"""Runs the Python package's tests, as many test modules at a time as there are processors: python_tests.py FOLDER,
with the Python whose environment has the package.

Prints each module's result and seconds when it ends, and the whole output of those that fail. Besides the time that this
saves, no module can rely on what another one has set.
"""
import os
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

# These take longest and begin first. All others follow, whatever their names.
LONGEST = ["test_torch", "test_jax", "test_linalg", "test_snippets", "test_programs", "test_distributed"]


def main():
    folder = Path(sys.argv[1]).resolve()
    names = sorted((path.stem for path in folder.glob("test_*.py")),
                   key=lambda name: LONGEST.index(name) if name in LONGEST else len(LONGEST))

    def run(name):
        start = time.monotonic()
        done = subprocess.run([sys.executable, "-W", "ignore::DeprecationWarning", "-m", "unittest", "discover", "-p", f"{name}.py",
                               str(folder)], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace")
        ran = [line for line in done.stdout.splitlines() if line.startswith("Ran ")]
        passed = done.returncode == 0 and ran and not ran[0].startswith("Ran 0 ")
        if not passed:
            print(done.stdout)
        result = ([line for line in done.stdout.splitlines() if line.startswith(("OK", "FAILED"))] or ["no result"])[-1]
        print(f"{name}: {result}, {ran[0].split(' in ')[0] if ran else 'nothing ran'}, {time.monotonic() - start:.0f} s", flush=True)
        return passed

    with ThreadPoolExecutor(os.cpu_count()) as pool:
        results = list(pool.map(run, names))
    sys.exit(not (results and all(results)))


if __name__ == "__main__":
    main()
