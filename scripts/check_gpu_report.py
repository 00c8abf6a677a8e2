#!/usr/bin/env python3
"""Checks that the committed GPU report covers the current tree. This guards the CUDA backend in CI, which has no GPU.

    check_gpu_report.py --kernels target/release/kernels.txt -- cargo test FLAGS...

Whatever the report marks as pending passes, and the reason is printed: either the whole report, by its status, or the
listed kernels, entry points and tests, which --pending REASON adds to it. There are no releases with a pending report.
"""
import argparse
import json
import sys
from pathlib import Path

from gpu_check import REPORT
from gpu_state import kernels, launches, stale, test_programs, tests


def some(names, count=5):
    return ", ".join(names[:count]) + (f" and {len(names) - count} more" if len(names) > count else "")


def framed(text, reason):
    frame = "!" * 100
    return f"{frame}\n{text}\nReason: {reason}\n{frame}"


def verdict(report, nvcc, tree):
    """(passed, message); `tree` holds the kernels, launches and tests as gpu_state.stale() takes them."""
    status = report.get("status")
    if status == "pending":
        if not report.get("reason"):
            return False, "the GPU report is pending without a reason"
        return True, framed("GPU REPORT PENDING: the CUDA backend as it stands was not checked on a GPU.", report["reason"])
    if status != "passed":
        return False, f"the GPU report says {status!r}"
    stages = [*report.get("stages", []), *(s for later in report.get("since", []) for s in later["stages"])]
    if not stages or any(s["failed"] or not s["passed"] for s in stages):
        return False, "the GPU report calls itself passed, but a stage of it is not"
    pending = report.get("pending", {})
    changes = dict(zip(("kernels", "launches", "tests"), stale(report, *tree)))
    waiting = {what: [name for name in names if name in pending.get(what, [])] for what, names in changes.items()}
    changed_kernels, changed_calls, new_tests = ([name for name in names if name not in waiting[what]]
                                                 for what, names in changes.items())
    text = ""
    if any(waiting.values()):
        if not pending.get("reason"):
            return False, "a part of the GPU report is pending without a reason"
        parts = "; ".join(f"{len(names)} {what}: {some(names)}" for what, names in waiting.items() if names)
        text = framed(f"PENDING IN THE GPU REPORT, not checked on a GPU: {parts}", pending["reason"]) + "\n"
    if report.get("nvcc") != nvcc:
        # Another compiler generates different code from the same sources.
        text += f"Kernels were not compared with the GPU report: this is {nvcc}, the report's is {report.get('nvcc')}\n"
        changed_kernels = []
    if changed_kernels or changed_calls or new_tests:
        for what, names in (("kernels", changed_kernels), ("entry points' launches", changed_calls),
                            ("tests", new_tests)):
            if names:
                text += f"The GPU report does not vouch for {len(names)} {what}: {some(names)}\n"
        return False, text + "Run make gpu-check-changed on a GPU machine, or set status pending with a reason"
    counted = [len(now) - len(waiting[what]) for now, what in zip(tree, waiting)]
    counts = ", ".join(f"{s['name']} {s['passed']}" for s in report["stages"])
    return True, text + (f"GPU report: passed on {report['device']}, driver {report['driver']}, {report['date']} ({counts}); "
                         f"it vouches for {counted[0]} kernels, {counted[1]} entry points and {counted[2]} tests")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kernels", type=Path, required=True, help="the list that the build writes")
    parser.add_argument("--pending", metavar="REASON", help="list in the report what it does not vouch for, as pending")
    parser.add_argument("cargo_test", nargs=argparse.REMAINDER, help="-- cargo test ...")
    args = parser.parse_args()
    try:
        report = json.loads(REPORT.read_text())
    except (OSError, ValueError) as error:
        sys.exit(f"no GPU report: {error}")
    nvcc, compiled = kernels(args.kernels)
    listed = tests(test_programs([a for a in args.cargo_test if a != "--"]))
    tree = compiled, launches()[1], sorted(listed)
    if args.pending:
        report["pending"] = {"reason": args.pending, **dict(zip(("kernels", "launches", "tests"), stale(report, *tree)))}
        REPORT.write_text(json.dumps(report, indent=1) + "\n")
    good, text = verdict(report, nvcc, tree)
    print(text)
    sys.exit(not good)


if __name__ == "__main__":
    main()
