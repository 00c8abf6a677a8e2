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

# What is compared with what: our rows name the library beside them in the columns vendor_ms and speedup.
Study = namedtuple("Study", "path title vendor intro")
STUDIES = [
    Study("results/h200/geqrf.csv", "QR (geqrf) on an H200", "cuBLAS",
          "Device events around one call, median of at least five after two warm-ups; cuBLAS in the same run."),
    Study("results/cpu/geqrf.csv", "QR (geqrf) on the CPU backend", "OpenBLAS",
          "A batch against a loop of OpenBLAS dgeqrf over the batch, on the same cores."),
]
NAMES = {"s": "float", "d": "double", "c": "complex float", "z": "complex double"}


def rows(study):
    path = ROOT / study.path
    if not path.is_file():
        return None
    with path.open(newline="") as file:
        return [r for r in csv.DictReader(file) if r["library"] == "tephra"]


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
    return [float(r["speedup"]) for r in table if r.get("speedup")]


def summary(study, table):
    """One sentence, or None when nothing was compared."""
    ratios = speedups(table)
    if not ratios:
        return None
    device = table[0].get("device") or "this machine"
    return (f"{study.title} ({device}): {len(ratios)} cases, geometric mean {geometric_mean(ratios):.2f} times the speed "
            f"of {study.vendor}; slowest case {min(ratios):.2f}, fastest {max(ratios):.1f}.")


def worst_ratio(row, prefix):
    values = [float(row[c]) for c in (f"{prefix}ratio_residual", f"{prefix}ratio_orthogonality") if row.get(c)]
    return f"{max(values):.2f}" if values else ""


def section(study, table):
    lines = [f"## {study.title}", "", f"{study.intro} Source: [`{study.path}`](../{study.path}).", ""]
    text = summary(study, table)
    if text:
        lines += [text, ""]
    for precision in "sdcz":
        part = [r for r in table if r["precision"] == precision]
        if not part:
            continue
        lines += [f"### {NAMES[precision]} ({precision})", "",
                  f"| m x n | batch | ms | GFLOP/s | of the limit | {study.vendor} ms | speed-up | test ratio | "
                  f"{study.vendor}'s |", "|---|--:|--:|--:|--:|--:|--:|--:|--:|"]
        for r in part:
            share = f"{100 * float(r['efficiency']):.0f} %" if r.get("efficiency") else ""
            cells = [f"{r['m']} x {r['n']}", r["batch"], number(r["ms"]), number(r["gflops"]), share,
                     number(r.get("vendor_ms")), number(r.get("speedup")), worst_ratio(r, ""), worst_ratio(r, "vendor_")]
            lines.append("| " + " | ".join(cells) + " |")
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
