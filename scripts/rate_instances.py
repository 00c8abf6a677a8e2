#!/usr/bin/env python3
"""Rates each register kernel of geqrf: scripts/rate_instances.py results/h200/tune.csv >
results/h200/instance_worth.csv

`tephra tune` has timed every plan that supports a shape. A kernel is worth what its shapes would lose without it. Each
row has the number of shapes (precision, rows, columns, batch) for which a kernel is the fastest plan, the largest loss
in per cent if the second fastest plan replaced it, and the shape and plan of that loss. A kernel with a small loss
everywhere need not be compiled. Each kernel is rated separately: of two kernels that can replace each other, only one
may be dropped.
"""
import collections
import csv
import sys


def main(path: str) -> None:
    times = collections.defaultdict(dict)
    with open(path, newline="") as file:
        for row in csv.DictReader(line for line in file if not line.startswith("#")):
            shape = tuple(row[key] for key in ("precision", "m", "n", "batch"))
            times[shape][row["plan"]] = min(times[shape].get(row["plan"], float("inf")), float(row["ms"]))
    kernels = {plan for plans in times.values() for plan in plans if plan.startswith("resident=")}
    rows = []
    for kernel in kernels:
        first, losses = 0, [(0.0, ("", "", "", ""), "")]
        for shape, plans in times.items():
            if min(plans, key=plans.get) != kernel:
                continue
            first += 1
            others = {plan: ms for plan, ms in plans.items() if plan != kernel}
            next_best = min(others, key=others.get, default=None)
            loss = 100 * (others[next_best] / plans[kernel] - 1) if next_best else float("inf")
            losses.append((loss, shape, next_best or "nothing"))
        loss, shape, instead = max(losses)
        rows.append((loss, kernel.removeprefix("resident="), first, *shape, instead))
    out = csv.writer(sys.stdout, lineterminator="\n")
    out.writerow(["kernel", "shapes", "largest_loss", "precision", "m", "n", "batch", "instead"])
    for loss, kernel, first, *rest in sorted(rows):
        out.writerow([kernel, first, f"{loss:.1f}", *rest])


if __name__ == "__main__":
    main(sys.argv[1])
