#!/usr/bin/env python3
"""Does the committed GPU report vouch for the tree as it is? CI has no GPU; this is what holds the CUDA backend there.

    check_gpu_report.py --kernels target/release/kernels.txt -- cargo test FLAGS...

A report whose status is "pending" passes, with its reason printed for all to see.
"""
import argparse
import json
import sys
from pathlib import Path

from gpu_check import REPORT
from gpu_state import kernels, launches, stale, test_programs, tests


def some(names, count=5):
    return ", ".join(names[:count]) + (f" and {len(names) - count} more" if len(names) > count else "")


def verdict(report, nvcc, tree):
    """(good, what to say); `tree`: kernels, launches and tests as gpu_state.stale() takes them."""
    status = report.get("status")
    if status == "pending":
        if not report.get("reason"):
            return False, "the GPU report is pending without a reason"
        frame = "!" * 100
        return True, (f"{frame}\nGPU REPORT PENDING: the CUDA backend as it stands was not checked on a GPU.\n"
                      f"Reason: {report['reason']}\n{frame}")
    if status != "passed":
        return False, f"the GPU report says {status!r}"
    stages = [*report.get("stages", []), *(s for later in report.get("since", []) for s in later["stages"])]
    if not stages or any(s["failed"] or not s["passed"] for s in stages):
        return False, "the GPU report calls itself passed, but a stage of it is not"
    changed_kernels, changed_calls, new_tests = stale(report, *tree)
    text = ""
    if report.get("nvcc") != nvcc:
        # Another compiler makes other code of the same sources.
        text = f"Kernels were not compared with the GPU report: this is {nvcc}, the report's is {report.get('nvcc')}\n"
        changed_kernels = []
    if changed_kernels or changed_calls or new_tests:
        for what, names in (("kernels", changed_kernels), ("entry points' launches", changed_calls),
                            ("tests", new_tests)):
            if names:
                text += f"The GPU report does not vouch for {len(names)} {what}: {some(names)}\n"
        return False, text + "Run make gpu-check-changed on a GPU machine, or set status pending with a reason"
    counts = ", ".join(f"{s['name']} {s['passed']}" for s in report["stages"])
    return True, text + (f"GPU report: passed on {report['device']}, driver {report['driver']}, {report['date']} ({counts}); "
                         f"it vouches for {len(tree[0])} kernels, {len(tree[1])} entry points and {len(tree[2])} tests")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kernels", type=Path, required=True, help="the list that the build writes")
    parser.add_argument("cargo_test", nargs=argparse.REMAINDER, help="-- cargo test ...")
    args = parser.parse_args()
    try:
        report = json.loads(REPORT.read_text())
    except (OSError, ValueError) as error:
        sys.exit(f"no GPU report: {error}")
    nvcc, compiled = kernels(args.kernels)
    listed = tests(test_programs([a for a in args.cargo_test if a != "--"]))
    good, text = verdict(report, nvcc, (compiled, launches()[1], sorted(listed)))
    print(text)
    sys.exit(not good)


if __name__ == "__main__":
    main()
