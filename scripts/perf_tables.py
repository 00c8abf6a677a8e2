#!/usr/bin/env python3
"""Writes docs/performance.md and the tables in README.md and other pages of docs/ from the CSV files under results/.

Every figure on those pages comes from here: `make performance` after a benchmark, and `make test` checks (--check) that
the pages are those of the committed files.
"""
import argparse
import csv
import math
import sys
from collections import namedtuple

from gpu_state import ROOT

ACCURACY = ROOT / "docs/accuracy.md"
TF32_BEGIN, TF32_END = "<!-- tf32: begin (scripts/perf_tables.py) -->", "<!-- tf32: end -->"
TF32, FP32 = "results/h200/tf32.csv", ("results/h200/geqrf.csv", "results/h200/geqrf_optimiser.csv")
EXPERIMENTS, PROFILE = ROOT / "docs/experiments.md", "results/h200/profile.csv"
PROFILE_BEGIN, PROFILE_END = "<!-- profile: begin (scripts/perf_tables.py) -->", "<!-- profile: end -->"
Q_PAGE = ROOT / "docs/batched-qr-with-q.md"
Q_BEGIN, Q_END = "<!-- q: begin (scripts/perf_tables.py) -->", "<!-- q: end -->"
Q_TORCH, Q_ONE = "results/h200/torch_qr.csv", "results/h200/qr.csv"
Q_STEPS = ("results/h200/geqrf_q.csv", "results/h200/orgqr.csv")
SYSTEMS_PAGE = ROOT / "docs/solving-small-systems.md"
SYSTEMS_BEGIN, SYSTEMS_END = "<!-- systems: begin (scripts/perf_tables.py) -->", "<!-- systems: end -->"
GESV, INV = "results/h200/gesv.csv", "results/h200/inv.csv"
# Tephra's own times held against each other, and the same of an earlier build where that file is there.
CLASSES, CLASSES_BEFORE = "results/h200/classes.csv", "results/h200/classes_before.csv"
STEPS, STEPS_BEFORE = "results/h200/steps.csv", "results/h200/steps_before.csv"
STEP_RANGE = 50
# Joules of a call beside the vendor's; the section appears with the file (`tephra bench --grid energy --energy`).
ENERGY = "results/h200/energy.csv"
ENERGY_NAMES = {"qr": "QR (geqrf)", "qrq": "QR with thin Q and R (qr)", "lu": "LU (getrf)", "lunp": "LU without interchanges (getrf_nopiv)",
                "potrf": "Cholesky (potrf)", "gels": "Least squares (gels)", "gesv": "systems, factored and solved (gesv)",
                "inv": "inverse (inv)", "orgqr": "Q (orgqr)"}
PAGE = ROOT / "docs/performance.md"
README = ROOT / "README.md"
BEGIN, END = "<!-- performance: begin (scripts/perf_tables.py) -->", "<!-- performance: end -->"

# What is compared with what. The vendor's time is in our row (vendor_ms) or in a row of its own. `peers` names a file of
# other libraries' times; `addend` one whose times are added to make a ratio (orgqr after geqrf); `strided` one with the same
# cases given by strides instead of pointer arrays.
Study = namedtuple("Study", "path title vendor intro charts peers addend strided", defaults=((), None, None, None))
EVENTS = "Device events around one call, median of at least five after two warm-ups"
STUDIES = [
    Study("results/h200/geqrf.csv", "QR (geqrf) on an H200", "cuBLAS",
          f"{EVENTS}; cuBLAS in the same run, its slowest cases with fewer repeats (column `repeats`). Charts: `tephra bench "
          "--plot`; a line joins cases of one batch size. *Fastest other*: of cuBLAS and, measured on another day on the same model of GPU by the same protocol, MAGMA "
          "2.10 and cuSolverDx 0.5 (compiled for the very size). *By strides*: the strided form, which saves the wait for the "
          "pointers; cuSolverDx's times are of strided batches too.",
          ("geqrf-h200-square", "geqrf-h200-square-efficiency", "geqrf-h200-tall", "geqrf-h200-tall-efficiency",
           "geqrf-h200-speedup"), "results/h200/peers.csv", None, "results/h200/geqrf_strided.csv"),
    Study("results/h200/geqrf_optimiser.csv", "QR of what second-order optimisers factor, on an H200", "cuBLAS",
          f"{EVENTS}. *Fastest other*: as above.", (), "results/h200/peers_optimiser.csv"),
    Study("results/h200/orgqr.csv", "Q over its reflectors (orgqr) on an H200", "cuBLAS",
          f"{EVENTS}. No vendor has this routine batched. *With geqrf*: the time of geqrf and orgqr together over that of geqrf "
          "alone, where geqrf was timed on the shape.", (), None, "results/h200/geqrf_q.csv"),
    Study("results/h200/qr.csv", "QR with explicit thin Q and R on an H200", "cuBLAS", f"{EVENTS}. No vendor has this routine."),
    Study("results/h200/gels.csv", "Least squares (gels) on an H200", "cuBLAS", f"{EVENTS}; cuBLAS in the same run."),
    Study("results/h200/trsm.csv", "Triangular solves (trsm) on an H200", "cuBLAS",
          f"{EVENTS}; cuBLAS in the same run. m is the order, n the number of right-hand sides."),
    *(Study(f"results/h200/{name}.csv", f"{title} on an H200", "cuBLAS",
            f"{EVENTS}; cuBLAS{how} in the same run. *Fastest other*: of cuBLAS and the fastest of MAGMA 2.10, cuSolverDx 0.5 "
            "(compiled for the very size) and PyTorch's own kernels, measured on another day on the same model of GPU by the same "
            "protocol.", (), "results/h200/peers_lu.csv")
      for name, title, how in (
          ("getrf", "LU (getrf)", ""), ("getrf_nopiv", "LU without interchanges (getrf_nopiv)", ""),
          ("getrs", "Systems from LU factors (getrs)", ""), ("gesv", "Systems of equations (gesv)", "'s getrf and getrs"),
          ("getri", "Inverses from LU factors (getri)", ""), ("inv", "Inverses (inv)", "'s getrf and getri"))),
    *(Study(f"results/h200/{name}.csv", f"{title} on an H200", vendor,
            f"{EVENTS}{how or f'; {vendor} in the same run'}. The limit counts the vector pipes' operations: products in d and z use the tensor "
            "instruction, which does twice as many. *Fastest other*: the fastest of cuBLAS, cuSOLVER, MAGMA 2.10 and cuSolverDx 0.5 "
            "(compiled for the very size), measured on another day on the same model of GPU by the same protocol.", (),
            "results/h200/peers_cholesky_blas.csv")
      for name, title, vendor, how in (
          ("potrf", "Cholesky (potrf)", "cuSOLVER", ""), ("potrs", "Systems from Cholesky factors (potrs)", "cuSOLVER", "; cuSOLVER, with one right-hand side, in the same run"),
          ("posv", "Positive definite systems (posv)", "cuSOLVER", ""), ("potri", "Inverses from Cholesky factors (potri)", "cuSOLVER", ". No vendor has this routine batched"),
          ("gemm", "Products (gemm)", "cuBLAS", ""), ("gemv", "Matrices with vectors (gemv)", "cuBLAS", ""),
          ("syrk", "Rank-k updates (syrk)", "cuBLAS", "; cuBLAS's gemm in the same run"), ("herk", "Hermitian rank-k updates (herk)", "cuBLAS", "; cuBLAS's gemm in the same run"))),
    Study("results/h200/torch_qr.csv", "tephra.qr beside torch.linalg.qr on an H200", "torch",
          "Wall-clock time of one call on device tensors, allocation and Python included (scripts/bench_torch.py)."),
    *(Study(f"results/{device.lower()}/large{name}.csv", f"{title} beside torch.geqrf on an {device}", "torch",
            f"{EVENTS}; torch.geqrf and torch.linalg.householder_product call cuSOLVER for one matrix after the other, in FP32 or FP64 "
            f"(scripts/bench_large.py).{remark}")
      for device, name, title, remark in (
          ("H100", "", "Tall and large matrices", " The kernels as they are."),
          ("H100", "_fp32_tensor", "Large matrices in FP32 on tensor cores (fp32_tensor)", " The kernels as they are."),
          ("H200", "", "Tall and large matrices", " Before tall panels went by their Gram matrices, and sums in float without a gap."),
          ("H200", "_fp32_tensor", "Large matrices in FP32 on tensor cores (fp32_tensor)", " As before."),
          ("H200", "_fp16", "Large matrices with operands in FP16 (fp16)", " As before."))),
    Study("results/cpu/geqrf.csv", "QR (geqrf) on the CPU backend", "OpenBLAS",
          "Threads against as many threads: OpenBLAS is called for each matrix, the matrices shared out among the threads, or, "
          "where that is faster, one after the other with its own threads."),
    *(Study(f"results/cpu/{name}.csv", f"{title} on the CPU backend", "OpenBLAS",
            "OpenBLAS is called for each matrix; one thread each, its processor time, the shortest of many rounds in which the two "
            "take turns (`benches/cpu_blas.rs`).")
      for name, title in (("gemm", "Products (gemm)"), ("potrf", "Cholesky (potrf)"), ("getrf", "LU (getrf)"),
                          ("gesv", "Systems of equations (gesv)"))),
]
NAMES = {"s": "float", "d": "double", "c": "complex float", "z": "complex double"}


CASE = ("precision", "op", "m", "n", "batch")
SHAPE = ("precision", "m", "n", "batch")
WITH_SIDES = (*CASE, "nrhs", "variant", "k")
PEERS = {"cublas": "cuBLAS", "cusolver": "cuSOLVER", "magma": "MAGMA", "cusolverdx": "cuSolverDx", "pytorch-lu": "PyTorch's LU"}


def read(path):
    """The rows of a result file; lines that begin with # are remarks."""
    with (ROOT / path).open(newline="") as file:
        return list(csv.DictReader(line for line in file if not line.startswith("#")))


def source(path):
    """A link to a result file of the H200, with a remark where it is not of the build that geqrf.csv was measured with."""
    of = lambda name: {r.get("version") for r in read(name) if r.get("library", "tephra").startswith("tephra")}
    builds = of(path)
    remark = ""
    if path.startswith("results/h200/") and builds != of(STUDIES[0].path):
        remark = " (another build's than QR's: column `version`)" if all(builds) else " (its build is not recorded)"
    return f"[`{path}`](../{path}){remark}"


def key(row, columns):
    return tuple(row[c] for c in columns)


def right_hand_sides(row):
    """nrhs of a row: a column of its own, or for gels among its options."""
    options = dict(o.split("=", 1) for o in (row.get("options") or "").split() if "=" in o)
    if row["op"] == "gels":
        return options.get("nrhs", "")
    return "" if row["op"] in ("qr", "trsm") or row.get("nrhs") in (None, "", "0") else row["nrhs"]


def rows(study):
    """Our rows of a study, each with the vendor's time of the same case; None without the file."""
    if not (ROOT / study.path).is_file():
        return None
    everything = read(study.path)
    for r in everything:
        r["nrhs"] = right_hand_sides(r)
        r.setdefault("threads", "")
        r["variant"], r["k"] = r.get("variant") or "", r.get("k") or "0"
    case = (*WITH_SIDES, "threads")
    ours = [r for r in everything if r["library"].startswith("tephra")]
    beside = {}
    for r in everything:
        if not r["library"].startswith("tephra"):
            beside[key(r, case)] = min(r["ms"], beside.get(key(r, case), r["ms"]), key=float)
    peers, first, strided = all_peers(study), times(study.addend), times(study.strided)
    for r in ours:
        r["vendor_ms"] = r.get("vendor_ms") or beside.get(key(r, case), "")
        r["speedup"] = str(float(r["vendor_ms"]) / float(r["ms"])) if r["vendor_ms"] else ""
        r["device"] = r.get("device") or r.get("cpu") or "this machine"
        # Where cuBLAS alone was measured, being ahead of it is another column.
        others = dict(peers.get(key(r, WITH_SIDES), {}))
        if others and r["vendor_ms"]:
            vendor = study.vendor.lower()
            others[vendor] = min(r["vendor_ms"], others.get(vendor, r["vendor_ms"]), key=float)
        r["peers"] = sorted(others, key=list(PEERS).index)
        r["peer"], r["peer_ms"] = min(others.items(), key=lambda other: float(other[1]), default=("", ""))
        r["ahead"] = str(float(r["peer_ms"]) / float(r["ms"])) if r["peer"] else ""
        r["strided_ms"] = str(strided.get(key(r, SHAPE), ""))
        r["strided_ahead"] = str(float(r["peer_ms"]) / float(r["strided_ms"])) if r["peer"] and r["strided_ms"] else ""
        before = first.get(key(r, SHAPE))
        r["together"] = str((float(r["ms"]) + before) / before) if before else ""
    return ours


def times(path):
    """{shape: ms} of our rows of a file, or nothing."""
    if not path or not (ROOT / path).is_file():
        return {}
    return {key(r, SHAPE): float(r["ms"]) for r in read(path) if r["library"].startswith("tephra")}


def all_peers(study):
    """{case: {library: ms}}."""
    found = {}
    for r in read(study.peers) if study.peers else []:
        r["nrhs"], r["variant"], r["k"] = right_hand_sides(r), r.get("variant") or "", r.get("k") or "0"
        known = found.setdefault(key(r, WITH_SIDES), {})
        known[r["library"]] = min(r["ms"], known.get(r["library"], r["ms"]), key=float)
    return found


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
    """One sentence for each number of threads (on GPUs: one), or None when nothing was compared."""
    sentences = []
    for threads in dict.fromkeys(r["threads"] for r in table):
        part = [r for r in table if r["threads"] == threads]
        ratios = speedups(part)
        if ratios:
            where = part[0]["device"] + (f", {threads} thread{'s' * (threads != '1')} each" if threads else "")
            sentences.append(f"{study.title} ({where}): {len(ratios)} cases, geometric mean {geometric_mean(ratios):.2f} times "
                             f"the speed of {study.vendor}; slowest case {min(ratios):.2f}, fastest {max(ratios):.1f}."
                             f"{against_peers(part)}")
    return " ".join(sentences) or None


def worst_ratio(row, prefix):
    values = [float(row[c]) for c in (f"{prefix}ratio_residual", f"{prefix}ratio_orthogonality") if row.get(c)]
    return f"{max(values):.2f}" if values else ""


def section(study, table):
    lines = [f"## {study.title}", "", f"{study.intro} Source: {source(study.path)}.", ""]
    text = summary(study, table)
    if text:
        lines += [text, ""]
    for chart in study.charts:
        lines += [f"![{chart}](img/{chart}.svg)", ""]
    for precision in "sdcz":
        part = [r for r in table if r["precision"] == precision]
        if not part:
            continue
        heads = ["nrhs", "op", "batch", "threads", "ms", "GFLOP/s", "of the limit", f"{study.vendor} ms", "speed-up", "fastest other",
                 "its ms", "ahead of it", "ms by strides", "ahead by strides", "with geqrf", "test ratio", f"{study.vendor}'s"]
        cells = []
        for r in part:
            share = f"{100 * float(r['efficiency']):.0f} %" if r.get("efficiency") else ""
            cells.append([r["nrhs"], r["variant"], r["batch"], r["threads"], number(r["ms"]), number(r.get("gflops")), share, number(r["vendor_ms"]),
                          number(r["speedup"]), PEERS.get(r["peer"], ""), number(r["peer_ms"]), number(r["ahead"]),
                          number(r["strided_ms"]), number(r["strided_ahead"]), number(r["together"]),
                          worst_ratio(r, ""), worst_ratio(r, "vendor_")])
        filled = [i for i in range(len(heads)) if any(c[i] for c in cells)]
        lines += [f"### {NAMES[precision]} ({precision})", "",
                  "| size | " + " | ".join(heads[i] for i in filled) + " |", "|---" + "|--:" * len(filled) + "|"]
        for r, c in zip(part, cells):
            terms = f" x {r['k']}" if study.path.endswith(("gemm.csv", "syrk.csv", "herk.csv")) else ""
            lines.append(f"| {r['m']} x {r['n']}{terms} | " + " | ".join(c[i] for i in filled) + " |")
        lines.append("")
    return lines


def against_peers(table):
    """Two sentences on the fastest other library of each case: which ones were measured, and how they compare."""
    compared = [r for r in table if r["ahead"]]
    if not compared:
        return ""
    counts = {}
    for r in compared:
        for library in r["peers"]:
            counts[library] = counts.get(library, 0) + 1
    which = ", ".join(f"{PEERS[library]} on {'all' if count == len(compared) else count}" for library, count in counts.items())
    ahead = {p: [float(r["ahead"]) for r in compared if r["precision"] == p] for p in NAMES}
    means = ", ".join(f"{p} {geometric_mean(v):.2f} (slowest case {min(v):.2f})" for p, v in ahead.items() if v)
    return (f" Against the fastest other library, on the {len(compared)} cases where others were measured, too ({which}), "
            f"geometric means: {means}.")


def compared(path):
    """Our rows of a file that were held against another time of the file; nothing without the file."""
    if not (ROOT / path).is_file():
        return []
    return [r for r in read(path) if r["library"] == "tephra" and r["relative"]]


def with_before(row, before, same):
    """A ratio, bold beyond its bound, with that of the earlier build in brackets."""
    ratio = f"{float(row['relative']):.2f}"
    text = f"**{ratio}**" if float(row["relative"]) > float(row["bound"]) else ratio
    return f"{text} ({number(before[same]['relative'], 2)})" if same in before else text


def verdict(part):
    """One sentence: the largest ratio of each bound, and how many are beyond it."""
    bounds = sorted({float(r["bound"]) for r in part})
    texts = []
    for bound in bounds:
        ratios = [float(r["relative"]) for r in part if float(r["bound"]) == bound]
        beyond = sum(r > bound for r in ratios)
        texts.append(f"bound {bound:g}: {len(ratios)} ratios, largest {max(ratios):.2f}, {beyond or 'none'} beyond")
    return "; ".join(texts)


def sources(path, before):
    text = f"Source: {source(path)}"
    return text + (f"; in brackets the ratio before, from {source(before)}." if (ROOT / before).is_file() else ".")


def classes_section():
    """Time over that of uniform data: a line a shape, a column an input."""
    lines = ["## Time by the class of the data, on an H200", ""]
    part = compared(CLASSES)
    if not part:
        return [*lines, "Not measured yet.", ""]
    columns = (*SHAPE, "input")
    before = {key(r, columns): r for r in compared(CLASSES_BEFORE)}
    uniform = times_of_uniform(CLASSES)
    inputs = list(dict.fromkeys(r["input"] for r in part))
    lines += [f"geqrf's time over that of uniform random data of the same shape; bold beyond the bound. {EVENTS.split(',')[0]}, "
              "median of at least three after one warm-up (`tephra bench --grid classes`). *:100*: one matrix in a hundred is of "
              f"the class. {sources(CLASSES, CLASSES_BEFORE)}", "", f"{verdict(part)[0].upper()}{verdict(part)[1:]}.", ""]
    for precision in NAMES:
        found = {(key(r, SHAPE), r["input"]): r for r in part if r["precision"] == precision}
        if not found:
            continue
        lines += [f"### {NAMES[precision]} ({precision}), by class", "",
                  "| m x n | batch | uniform, ms | " + " | ".join(inputs) + " |", "|---" + "|--:" * (2 + len(inputs)) + "|"]
        for shape in dict.fromkeys(shape for shape, _ in found):
            cells = [with_before(found[shape, i], before, (*shape, i)) if (shape, i) in found else "" for i in inputs]
            head = [f"{shape[1]} x {shape[2]}", shape[3], number(uniform.get(shape, ""))]
            lines.append("| " + " | ".join(head + cells) + " |")
        lines.append("")
    return lines


def times_of_uniform(path):
    return {key(r, SHAPE): r["ms"] for r in read(path) if r["library"] == "tephra" and r["input"] == "uniform"}


def steps_section():
    """The largest steps of one column, a line a range of sizes."""
    lines = ["## What one column more costs, on an H200", ""]
    part = compared(STEPS)
    if not part:
        return [*lines, "Not measured yet.", ""]
    before = {key(r, SHAPE): r for r in compared(STEPS_BEFORE)}
    uniform = times_of_uniform(STEPS)
    lines += [f"geqrf of every square n, batch {part[0]['batch']}: the time over that of n - 1, the largest of each range of sizes; bold "
              f"beyond the bound (`tephra bench --grid steps`). {sources(STEPS, STEPS_BEFORE)}", "",
              f"{verdict(part)[0].upper()}{verdict(part)[1:]}.", "",
              "| precision | n | largest step | at n | ms of n - 1 | ms of n | steps above 1.3 |", "|---|---" + "|--:" * 5 + "|"]
    for precision in NAMES:
        found = [r for r in part if r["precision"] == precision]
        for first in range(1, max((int(r["n"]) for r in found), default=0) + 1, STEP_RANGE):
            here = [r for r in found if first <= int(r["n"]) < first + STEP_RANGE]
            if not here:
                continue
            top = max(here, key=lambda r: float(r["relative"]))
            earlier = [r for k, r in before.items() if k[0] == precision and first <= int(r["n"]) < first + STEP_RANGE]
            was = {key(top, SHAPE): max(earlier, key=lambda r: float(r["relative"]))} if earlier else {}
            last = uniform.get((precision, str(int(top["m"]) - 1), str(int(top["n"]) - 1), top["batch"]), "")
            above = ", ".join(r["n"] for r in here if float(r["relative"]) > 1.3)
            lines.append("| " + " | ".join([precision, f"{first} to {first + STEP_RANGE - 1}", with_before(top, was, key(top, SHAPE)),
                                            top["n"], number(last), number(top["ms"]), above]) + " |")
    return [*lines, ""]


def joules(text, count=1):
    """Joules of a call as those of one of its `count` matrices, with a unit; nothing where restoring was all that was seen."""
    value = float(text or 0) / count
    if value <= 0:
        return ""
    unit, scale = next(((u, s) for u, s in (("J", 1), ("mJ", 1e3), ("uJ", 1e6)) if value * s >= 1), ("nJ", 1e9))
    return f"{number(str(value * scale))} {unit}"


def energy_summary():
    """Energy in one line for README, or nothing without the file."""
    if not (ROOT / ENERGY).is_file():
        return []
    ratios = {}
    for r in read(ENERGY):
        if r["library"] == "tephra" and r.get("energy_ratio"):
            ratios.setdefault(ENERGY_NAMES.get(r["op"], r["op"]), []).append(float(r["energy_ratio"]))
    means = ", ".join(f"{name} {geometric_mean(part):.1f}" for name, part in ratios.items())
    return [f"- Energy of a call on an H200, n = 16 to 1024, times less than the vendor's, geometric means: {means}."]


def energy_section():
    """Energy of a factorisation: a table an operation; nothing without the file."""
    if not (ROOT / ENERGY).is_file():
        return []
    everything = read(ENERGY)
    ours = [r for r in everything if r["library"] == "tephra" and r.get("joules")]
    beside = [r for r in everything if r["library"] != "tephra" and r.get("joules")]
    names = {name.lower(): name for name in PEERS.values()}
    idle = sorted({float(r["idle_watts"]) for r in ours})
    lines = ["## Energy of a call, on an H200", "",
             "Calls are repeated for a second, and NVML's counter of the device's energy is read at its updates; a call's energy is the mean "
             "power over its time, the whole card's (idle it draws "
             + (f"{idle[0]:.0f} W" if round(idle[0]) == round(idle[-1]) else f"{idle[0]:.0f} to {idle[-1]:.0f} W")
             + "). Restoring the input between calls is measured alone and taken off; *restoring* is its share of what was "
             f"measured. *Less*: the other library's energy over Tephra's. Source: {source(ENERGY)}.", ""]
    for op in dict.fromkeys(r["op"] for r in ours):
        part = [r for r in ours if r["op"] == op]
        title = ENERGY_NAMES.get(op, op)
        ratios = [float(r["energy_ratio"]) for r in part if r["energy_ratio"]]
        lines += [f"### {title[0].upper() + title[1:]}", ""]
        if ratios:
            lines += [f"{len(ratios)} cases: {min(ratios):.2f} to {max(ratios):.1f} times less, geometric mean "
                      f"{geometric_mean(ratios):.2f}.", ""]
        lines += ["| precision | size | batch | ms | a call | a matrix | watts | other | its ms | its matrix | its watts | less | restoring |",
                  "|---|---" + "|--:" * 11 + "|"]
        for r in part:
            case = (*WITH_SIDES, "op")
            same = [b for b in beside if all(b.get(c) == r.get(c) for c in case)]
            other = min(same, key=lambda b: float(b["ms"]), default={})
            count = int(r["batch"])
            lines.append("| " + " | ".join([
                r["precision"], f"{r['m']} x {r['n']}", r["batch"], number(r["ms"]), joules(r["joules"]), joules(r["joules"], count),
                number(r["watts"]), names.get(other.get("library"), other.get("library", "")), number(other.get("ms")),
                joules(other.get("joules"), count), number(other.get("watts")), number(r["energy_ratio"]),
                f"{100 * float(r['restoring']):.0f} %"]) + " |")
        lines.append("")
    return lines


def pages():
    """The text of docs/performance.md and of README's block."""
    page = ["# Performance", "", "Written by `scripts/perf_tables.py` from the files under `results/`; do not edit.", "",
            "*Of the limit*, T_limit / T on the charts, is the shortest time that the device allows, T_limit, over the time "
            "measured, T. T_limit is the larger of two times: that of reading and writing the matrices once, at the speed of a "
            "device-to-device copy, and that of the arithmetic by LAPACK's count, at the peak of the precision's "
            "multiply-add units (no tensor cores); both rates were measured on the device. *Test ratio* is the larger of LAPACK's two "
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
    page += energy_section() + steps_section() + classes_section()
    block = block + energy_summary() or ["Not measured yet."]
    return "\n".join(page), "\n".join([BEGIN, *block, END])


def tf32_block():
    """The table of TF32 mode beside FP32's rows of the same shapes; shapes whose plan has no TF32 are left out."""
    if not (ROOT / TF32).is_file():
        return "\n".join([TF32_BEGIN, "Not measured yet.", TF32_END])
    exact = {key(r, SHAPE): r for path in FP32 if (ROOT / path).is_file() for r in read(path) if r["library"] == "tephra"}
    lines = [TF32_BEGIN, f"Source: {source(TF32)}; *FP32*: the rows of the same shapes in "
             + " and ".join(map(source, FP32)) + ". *Error*: that of A = Q R in units of 2^-11, the residual "
             "ratio times m and 2^-13. *Faster* only where both were measured with the same kernels.", "",
             "| m x n | batch | ms | FP32 ms | faster | residual ratio | error | FP32 residual ratio | orthogonality ratio | FP32's |",
             "|---" + "|--:" * 9 + "|"]
    for r in read(TF32):
        if r["library"] != "tephra" or "TF32" not in r["plan"]:
            continue
        other = exact.get(key(r, SHAPE), {})
        same = other and other["version"] == r["version"]
        faster = f"{float(other['ms']) / float(r['ms']):.2f}" if same else ""
        error = f"{float(r['ratio_residual']) * int(r['m']) / 2**13:.2f}"
        lines.append("| " + " | ".join([f"{r['m']} x {r['n']}", r["batch"], number(r["ms"]), number(other.get("ms")), faster,
                                        number(r["ratio_residual"]), error, number(other.get("ratio_residual")),
                                        number(r["ratio_orthogonality"]), number(other.get("ratio_orthogonality"))]) + " |")
    return "\n".join([*lines, TF32_END])


def q_block():
    """The loop, the two calls and the one call, in ms, for the shapes that were timed beside PyTorch."""
    if not all((ROOT / path).is_file() for path in (Q_TORCH, Q_ONE, *Q_STEPS)):
        return "\n".join([Q_BEGIN, "Not measured yet.", Q_END])
    one, (geqrf, orgqr) = times(Q_ONE), map(times, Q_STEPS)
    beside = {key(r, SHAPE): r for r in read(Q_TORCH) if r["library"] == "torch"}
    sources = ", ".join(map(source, (Q_TORCH, *Q_STEPS, Q_ONE)))
    lines = [Q_BEGIN, f"Milliseconds on an H200, from {sources}. The first two columns are what a Python program waits for, "
             "allocation included; the others the device's time for the C calls.", "",
             "| precision | m x n | batch | `torch.linalg.qr` | `tephra.qr` | faster | geqrf, then orgqr | `tephra_?qr` |",
             "|---|---" + "|--:" * 6 + "|"]
    for r in read(Q_TORCH):
        shape = key(r, SHAPE)
        if r["library"] != "tephra" or shape not in beside:
            continue
        steps = str(geqrf[shape] + orgqr[shape]) if shape in geqrf and shape in orgqr else ""
        lines.append("| " + " | ".join([r["precision"], f"{r['m']} x {r['n']}", r["batch"], number(beside[shape]["ms"]),
                                        number(r["ms"]), number(r["speedup"]), number(steps),
                                        number(str(one.get(shape, "")))]) + " |")
    return "\n".join([*lines, Q_END])


def systems_block():
    """One right-hand side and the inverse, for the squares that were timed."""
    if not all((ROOT / path).is_file() for path in (GESV, INV)):
        return "\n".join([SYSTEMS_BEGIN, "Not measured yet.", SYSTEMS_END])
    of = lambda path: {key(r, SHAPE): r for r in read(path) if r["library"] == "tephra" and r["nrhs"] in ("0", "1")}
    systems, inverses = of(GESV), of(INV)
    # Some builds of tephra bench left the column `speedup` empty.
    faster = lambda r: number(str(float(r["vendor_ms"]) / float(r["ms"]))) if r["vendor_ms"] else ""
    lines = [SYSTEMS_BEGIN, f"The device's time for the call, in milliseconds on an H200, from {source(GESV)} and {source(INV)}; cuBLAS's in "
             "the same run: `getrfBatched` and `getrsBatched`, or `getrfBatched` and `getriBatched`.", "",
             "| precision | order | batch | `tephra_?gesv`, nrhs 1 | cuBLAS | faster | ns a system | `tephra_?inv` | cuBLAS | faster |",
             "|---" + "|--:" * 9 + "|"]
    for shape, r in systems.items():
        inverse = inverses.get(shape)
        if shape[0] not in "sd" or shape[1] != shape[2] or not inverse:
            continue
        each = 1e6 * float(r["ms"]) / int(r["batch"])
        lines.append("| " + " | ".join([r["precision"], r["n"], r["batch"], number(r["ms"]), number(r["vendor_ms"]),
                                        faster(r), number(str(each)), number(inverse["ms"]),
                                        number(inverse["vendor_ms"]), faster(inverse)]) + " |")
    return "\n".join([*lines, SYSTEMS_END])


def profile_block():
    """What scripts/profile_kernels.py found, a line a kernel."""
    if not (ROOT / PROFILE).is_file():
        return "\n".join([PROFILE_BEGIN, "Not measured yet.", PROFILE_END])
    lines = [PROFILE_BEGIN, f"Source: {source(PROFILE)}. Per cent of the peak: issue slots, the pipe used most, HBM, L2, "
             "shared memory's data pipe. *Warps*: resident, a scheduler. *Waits*: cycles a warp waits for an instruction issued, the "
             "three largest reasons.", "",
             "| case | kernel | launches | us | issue | pipe | HBM | L2 | shared | warps | waits |",
             "|---|---" + "|--:" * 8 + "|---|"]
    for r in read(PROFILE):
        case = f"{r['precision']} {r['m']} x {r['n']} x {r['batch']}"
        lines.append("| " + " | ".join([case, f"`{r['kernel']}`", r["launches"], number(r["us"]), r["issue"],
                                        f"{r['pipe']} {r['pipe_share']}", r["dram"], r["l2"], r["shared"], r["warps"],
                                        r["waits"]]) + " |")
    return "\n".join([*lines, PROFILE_END])


def replaced(path, begin, end, block):
    """A page's text with the block between two marks replaced."""
    text = path.read_text()
    return text.split(begin)[0] + block + text.split(end)[1]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="only tell whether the pages are up to date")
    args = parser.parse_args()
    page, block = pages()
    wanted = {PAGE: page, README: replaced(README, BEGIN, END, block),
              ACCURACY: replaced(ACCURACY, TF32_BEGIN, TF32_END, tf32_block()),
              Q_PAGE: replaced(Q_PAGE, Q_BEGIN, Q_END, q_block()),
              SYSTEMS_PAGE: replaced(SYSTEMS_PAGE, SYSTEMS_BEGIN, SYSTEMS_END, systems_block()),
              EXPERIMENTS: replaced(EXPERIMENTS, PROFILE_BEGIN, PROFILE_END, profile_block())}
    for path, text in wanted.items():
        if not args.check:
            path.write_text(text)
        elif not path.is_file() or path.read_text() != text:
            sys.exit(f"{path.relative_to(ROOT)} is not what results/ say: run make performance")


if __name__ == "__main__":
    main()
