#!/usr/bin/env python3
"""Writes docs/performance.md, and the summary in README.md, from the CSV files under results/.

Every figure on those pages comes from here: `make performance` after a benchmark, and `make test` checks (--check) that
the pages are those of the committed files.
"""
import argparse
import csv
import math
import sys
from collections import namedtuple

from kernel_hash import ROOT

PAGE = ROOT / "docs/performance.md"
README = ROOT / "README.md"
BEGIN, END = "<!-- performance: begin (scripts/perf_tables.py) -->", "<!-- performance: end -->"

# What is compared with what. The vendor's time is in our row (vendor_ms) or in a row of its own.
Study = namedtuple("Study", "path title vendor intro charts", defaults=((),))
STUDIES = [
    Study("results/h200/geqrf.csv", "QR (geqrf) on an H200", "cuBLAS",
          "Device events around one call, median of at least five after two warm-ups; cuBLAS in the same run, its slowest "
          "cases with fewer repeats (column `repeats`). Charts: `tephra bench --plot`.",
          ("geqrf-h200-square", "geqrf-h200-square-efficiency", "geqrf-h200-tall", "geqrf-h200-tall-efficiency",
           "geqrf-h200-speedup")),
    Study("results/cpu/geqrf.csv", "QR (geqrf) on the CPU backend", "OpenBLAS",
          "A batch against a loop of OpenBLAS over its matrices, on the same cores."),
]
NAMES = {"s": "float", "d": "double", "c": "complex float", "z": "complex double"}


CASE = ("precision", "op", "m", "n", "batch")


def rows(study):
    """Our rows of a study, each with the vendor's time of the same case; None without the file."""
    path = ROOT / study.path
    if not path.is_file():
        return None
    with path.open(newline="") as file:
        everything = list(csv.DictReader(file))
    ours = [r for r in everything if r["library"].startswith("tephra")]
    beside = {tuple(r[c] for c in CASE): r["ms"] for r in everything if not r["library"].startswith("tephra")}
    for r in ours:
        r["vendor_ms"] = r.get("vendor_ms") or beside.get(tuple(r[c] for c in CASE), "")
        r["speedup"] = str(float(r["vendor_ms"]) / float(r["ms"])) if r["vendor_ms"] else ""
        r["device"] = r.get("device") or r.get("cpu") or "this machine"
    return ours


def number(text, digits=3):
    if not text:
        return ""
    value = float(text)
    if value == 0 or not math.isfinite(value):
        return text
    return f"{value:.{max(0, digits - 1 - math.floor(math.log10(abs(value))))}f}"


def geometric_mean(values):
    return math.exp(sum(map(math.log, values)) / len(values))


def speedups(table):
    return [float(r["speedup"]) for r in table if r["speedup"]]


def summary(study, table):
    """One sentence, or None when nothing was compared."""
    ratios = speedups(table)
    if not ratios:
        return None
    return (f"{study.title} ({table[0]['device']}): {len(ratios)} cases, geometric mean {geometric_mean(ratios):.2f} times the speed "
            f"of {study.vendor}; slowest case {min(ratios):.2f}, fastest {max(ratios):.1f}.")


def worst_ratio(row, prefix):
    values = [float(row[c]) for c in (f"{prefix}ratio_residual", f"{prefix}ratio_orthogonality") if row.get(c)]
    return f"{max(values):.2f}" if values else ""


def section(study, table):
    lines = [f"## {study.title}", "", f"{study.intro} Source: [`{study.path}`](../{study.path}).", ""]
    text = summary(study, table)
    if text:
        lines += [text, ""]
    for chart in study.charts:
        lines += [f"![{chart}](img/{chart}.svg)", ""]
    for precision in "sdcz":
        part = [r for r in table if r["precision"] == precision]
        if not part:
            continue
        heads = ["batch", "ms", "GFLOP/s", "of the limit", f"{study.vendor} ms", "speed-up", "test ratio",
                 f"{study.vendor}'s"]
        cells = []
        for r in part:
            share = f"{100 * float(r['efficiency']):.0f} %" if r.get("efficiency") else ""
            cells.append([r["batch"], number(r["ms"]), number(r["gflops"]), share, number(r["vendor_ms"]),
                          number(r["speedup"]), worst_ratio(r, ""), worst_ratio(r, "vendor_")])
        filled = [i for i in range(len(heads)) if any(c[i] for c in cells)]
        lines += [f"### {NAMES[precision]} ({precision})", "",
                  "| m x n | " + " | ".join(heads[i] for i in filled) + " |", "|---" + "|--:" * len(filled) + "|"]
        for r, c in zip(part, cells):
            lines.append(f"| {r['m']} x {r['n']} | " + " | ".join(c[i] for i in filled) + " |")
        lines.append("")
    return lines


TUNED = "results/h200/tune.csv"


def fastest_plans():
    """{case: (ms, plan, version)} of the tuning sweep."""
    found = {}
    path = ROOT / TUNED
    if path.is_file():
        with path.open(newline="") as file:
            for r in csv.DictReader(file):
                case, ms = tuple(r[c] for c in CASE), float(r["ms"])
                if case not in found or ms < found[case][0]:
                    found[case] = (ms, r["plan"], r["version"])
    return found


def tuned_section(study, table):
    """The study's cases by the fastest plan of the sweep, which measures later kernels than the study may have."""
    plans = fastest_plans()
    both = [(r, plans[case]) for r in table for case in [tuple(r[c] for c in CASE)] if case in plans]
    if not both:
        return []
    then, now = both[0][0]["version"], both[0][1][2]
    gains = geometric_mean([float(r["ms"]) / plan[0] for r, plan in both])
    lines = [f"## {study.title}: the fastest plans", "",
             f"Kernels of version `{now}`, each plan that a shape could have timed by `tephra tune` (the same protocol, fewer "
             f"repeats, results checked, no vendor beside it); the library plans by a table of these times. Against the figures "
             f"above, of version `{then}`: geometric mean {gains:.2f} times as fast over {len(both)} cases. "
             f"Source: [`{TUNED}`](../{TUNED}), with all other plans' times.", ""]
    for precision in "sdcz":
        lines += [f"### {NAMES[precision]} ({precision}), fastest plan", "",
                  "| m x n | batch | ms | of the limit | times as fast as above | plan |", "|---|--:|--:|--:|--:|---|"]
        for r, (ms, plan, _) in both:
            if r["precision"] == precision:
                share = 100 * float(r["efficiency"]) * float(r["ms"]) / ms
                lines.append(f"| {r['m']} x {r['n']} | {r['batch']} | {number(str(ms))} | {share:.0f} % | "
                             f"{float(r['ms']) / ms:.2f} | {plan.removeprefix('resident=')} |")
        lines.append("")
    return lines


def pages():
    """The text of docs/performance.md and of README's block."""
    page = ["# Performance", "", "Written by `scripts/perf_tables.py` from the files under `results/`; do not edit.", "",
            "*Of the limit* is the time that reading and writing the matrices once, or the arithmetic by LAPACK's count, "
            "takes at least on the device, over the time measured. *Test ratio* is the larger of LAPACK's two "
            "(docs/accuracy.md) on the timed data.", ""]
    block = []
    for study in STUDIES:
        table = rows(study)
        if table:
            page += section(study, table)
            if study.path == "results/h200/geqrf.csv":
                page += tuned_section(study, table)
            if summary(study, table):
                block.append(f"- {summary(study, table)}")
        else:
            page += [f"## {study.title}", "", "Not measured yet.", ""]
    block = block or ["Not measured yet."]
    return "\n".join(page), "\n".join([BEGIN, *block, END])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="only tell whether the pages are up to date")
    args = parser.parse_args()
    page, block = pages()
    readme = README.read_text()
    before, after = readme.split(BEGIN)[0], readme.split(END)[1]
    wanted = {PAGE: page, README: before + block + after}
    for path, text in wanted.items():
        if not args.check:
            path.write_text(text)
        elif not path.is_file() or path.read_text() != text:
            sys.exit(f"{path.relative_to(ROOT)} is not what results/ say: run make performance")


if __name__ == "__main__":
    main()
