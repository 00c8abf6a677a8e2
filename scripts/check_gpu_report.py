#!/usr/bin/env python3
"""Is the committed GPU report about the sources as they are? CI has no GPU; this is what holds the CUDA backend there.

A report whose status is "pending" passes, with its reason printed for all to see.
"""
import json
import sys

from gpu_check import REPORT
from kernel_hash import kernel_hash


def verdict(report, tree):
    """(good, what to say)"""
    status = report.get("status")
    if status == "pending":
        if not report.get("reason"):
            return False, "the GPU report is pending without a reason"
        frame = "!" * 100
        return True, (f"{frame}\nGPU REPORT PENDING: the CUDA backend as it stands was not checked on a GPU.\n"
                      f"Reason: {report['reason']}\n{frame}")
    if status != "passed":
        return False, f"the GPU report says {status!r}"
    if report.get("kernel_hash") != tree:
        return False, ("the GPU report is stale: kernels/, src/backend/cuda/, src/plan/ or build.rs changed since\n"
                       f"  report: {report.get('kernel_hash')}\n  tree:   {tree}\n"
                       "run make gpu-check on a GPU machine, or set status pending with a reason")
    if not report.get("stages") or any(s["failed"] or not s["passed"] for s in report["stages"]):
        return False, "the GPU report calls itself passed, but a stage of it is not"
    counts = ", ".join(f"{s['name']} {s['passed']}" for s in report["stages"])
    return True, f"GPU report: passed on {report['device']}, driver {report['driver']}, {report['date']} ({counts})"


def main():
    try:
        report = json.loads(REPORT.read_text())
    except (OSError, ValueError) as error:
        sys.exit(f"no GPU report: {error}")
    good, text = verdict(report, kernel_hash())
    print(text)
    sys.exit(not good)


if __name__ == "__main__":
    main()
