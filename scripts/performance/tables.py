"""The page of a routine: a summary of its figures in a sentence, then every case."""
from collections import Counter

from performance.data import CASE, PRECISIONS, SHAPE, builds, exists, geometric_mean, is_ours, joined, key, number, read, remark, source

UP = "../../"


def compared(table):
    return [r for r in table if r["ahead"]]


def worst_of(table):
    return min(table, key=lambda r: float(r["ahead"]))


def case_in_words(r):
    """A case as text, such as: s 8 x 8, batch 100000."""
    terms = f" x {r['k']}" if r["op"] in ("gemm", "syrk", "herk") else ""
    sides = f", nrhs {r['nrhs']}" if r["nrhs"] else ""
    return f"{r['precision']} {r['m']} x {r['n']}{terms}{' ' + r['variant'] if r['variant'] else ''}{sides}, batch {r['batch']}"


def which(table):
    """The other libraries with their numbers of cases and of cases where they were fastest: cuBLAS 13.1 (126, fastest
    on 4), ..."""
    counts = Counter(library for r in table for library in r["others"])
    fastest = Counter(r["peer"] for r in table)
    return ", ".join(f"{library} ({count}, fastest on {fastest[library]})" for library, count in counts.most_common())


def verdict(study, table):
    """Sentences on the vendor and on the fastest other library; None if nothing was compared."""
    sentences = []
    for threads in dict.fromkeys(r["threads"] for r in table):
        part = [r for r in table if r["threads"] == threads]
        where = part[0]["device"] + (f", {threads} thread{'s' * (threads != '1')} each" if threads else "")
        ratios = [float(r["speedup"]) for r in part if r["speedup"]]
        if ratios:
            sentences.append(f"On {where}, {len(ratios)} cases: {geometric_mean(ratios):.2f} times as fast as {study.vendor} in the geometric mean, from "
                             f"{min(ratios):.2f} to {max(ratios):.1f}.")
        part = compared(part)
        if part and len({library for r in part for library in r["others"]}) > 1:
            means = ", ".join(f"{p} {geometric_mean([float(r['ahead']) for r in own]):.2f} (worst {float(worst_of(own)['ahead']):.2f})"
                              for p in PRECISIONS if (own := [r for r in part if r["precision"] == p]))
            sentences.append(f"Compared with the fastest of {which(part)}, on the {len(part)} cases where at least one was measured: {means}.")
    return " ".join(sentences) or None


def worst_ratio(row, prefix):
    values = [float(row[c]) for c in (f"{prefix}ratio_residual", f"{prefix}ratio_orthogonality") if row.get(c)]
    return f"{max(values):.2f}" if values else ""


def section(study, table):
    lines = [f"## {study.title}", "", f"{study.intro} Source: {source(study.path, UP)}{built(study.path)}.", ""]
    text = verdict(study, table)
    if text:
        lines += [text, ""]
    for chart in study.charts:
        lines += [f"![{chart}](../img/{chart}.svg)", ""]
    several_routines = len({r["op"] for r in table}) > 1
    for precision, name in PRECISIONS.items():
        part = [r for r in table if r["precision"] == precision]
        if not part:
            continue
        heads = ["nrhs", "op", "batch", "threads", "ms", "GFLOP/s", "of the limit", f"{study.vendor} ms", "times as fast", "fastest other",
                 "its ms", "times as fast as it", "ms by strides", "as fast by strides", "with geqrf", "test ratio", f"{study.vendor}'s"]
        cells = []
        for r in part:
            share = f"{100 * float(r['efficiency']):.0f} %" if r.get("efficiency") else ""
            several = r["ahead"] and (study.peers or not r["vendor_ms"] or len(r["others"]) > 1)
            cells.append([r["nrhs"], r["variant"], r["batch"], r["threads"], number(r["ms"]), number(r.get("gflops")), share, number(r["vendor_ms"]),
                          number(r["speedup"]), r["peer"] if several else "", number(r["peer_ms"]) if several else "",
                          number(r["ahead"]) if several else "", number(r["strided_ms"]), number(r["strided_ahead"]), number(r["together"]),
                          worst_ratio(r, ""), worst_ratio(r, "vendor_")])
        filled = [i for i in range(len(heads)) if any(c[i] for c in cells)]
        lines += [f"### {name} ({precision})", "",
                  "| size | " + " | ".join(heads[i] for i in filled) + " |", "|---" + "|--:" * len(filled) + "|"]
        for r, c in zip(part, cells):
            terms = f" x {r['k']}" if r["op"] in ("gemm", "syrk", "herk") else ""
            routine = f"{r['op']} " if several_routines else ""
            lines.append(f"| {routine}{r['m']} x {r['n']}{terms} | " + " | ".join(c[i] for i in filled) + " |")
        lines.append("")
    return lines


def built(path):
    """The versions of Tephra that a file was measured with."""
    versions = sorted(v for v in builds(path) if v)
    return f" (Tephra {', '.join(versions)})" if versions else ""


def page_of(page, more=()):
    """A routine's page, or None if there are no files for it."""
    measured = [(study, table) for study in page.studies if (table := joined(study))]
    if not measured and not more:
        return None
    lines = [f"# {page.title}: figures", "",
             "Written by `scripts/perf_tables.py` from the files under `results/`; do not edit. [What the columns mean](../performance.md#how-to-read-the-tables).", ""]
    for study, table in measured:
        lines += section(study, table)
    return "\n".join([*lines, *more])


CUSOLVER_VERSIONS = "results/h100/cusolver_versions.csv"


def cusolver_versions():
    """A comparison with two versions of cuSOLVER in one run, for one matrix."""
    if not exists(CUSOLVER_VERSIONS):
        return []
    found = {}
    for r in read(CUSOLVER_VERSIONS):
        if r["op"] in ("geqrf", "orgqr") and r["status"] == "0":
            found.setdefault((r["op"], r["dtype"], r["m"], r["n"]), {})[r["label"]] = float(r["ms"])
    lines = ["## Beside two versions of cuSOLVER, on an H100", "",
             "One matrix, device events. torch 2.11.0+cu130 contains cuSOLVER 12.0; cuSOLVER 12.4 comes with CUDA 13.5 and is much faster on some of "
             f"these shapes. Tephra was called through its preload object. Source: {source(CUSOLVER_VERSIONS, UP)}.", "",
             "| routine | precision | size | ms | cuSOLVER 12.0 ms | times as fast | cuSOLVER 12.4 ms | times as fast |", "|---|---|---" + "|--:" * 5 + "|"]
    for (op, precision, m, n), ms in found.items():
        if {"old", "new", "tephra"} <= ms.keys():
            cells = [op, precision, f"{m} x {n}", number(str(ms["tephra"])), number(str(ms["old"])), number(str(ms["old"] / ms["tephra"])),
                     number(str(ms["new"])), number(str(ms["new"] / ms["tephra"]))]
            lines.append("| " + " | ".join(cells) + " |")
    return [*lines, ""]


def newest_cusolver():
    """{case: speed relative to cuSOLVER 12.4} for geqrf."""
    ms = {}
    for r in read(CUSOLVER_VERSIONS) if exists(CUSOLVER_VERSIONS) else []:
        if r["op"] == "geqrf" and r["status"] == "0":
            ms.setdefault((r["dtype"], int(r["m"]), int(r["n"])), {})[r["label"]] = float(r["ms"])
    return {case: of["new"] / of["tephra"] for case, of in ms.items() if {"new", "tephra"} <= of.keys()}


KBLAS = "results/h100/kblas.csv"


def kblas():
    """A comparison of batched QR with KBLAS, in one process."""
    if not exists(KBLAS):
        return []
    found = {}
    for r in read(KBLAS):
        if r["ms"]:
            found.setdefault((r["op"], r["precision"], r["m"], r["n"], r["batch"], r["mode"]), {})[r["library"]] = float(r["ms"])
    lines = ["## Beside KBLAS, on an H100", "", f"{remark(KBLAS)}. Source: {source(KBLAS, UP)}.", "",
             "| routine | precision | size | batch | given by | ms | KBLAS ms | times as fast |", "|---|---|---" + "|--:" * 5 + "|"]
    for (op, precision, m, n, batch, mode), ms in found.items():
        if {"kblas", "tephra"} <= ms.keys():
            lines.append("| " + " | ".join([op, precision, f"{m} x {n}", batch, mode, number(str(ms["tephra"])), number(str(ms["kblas"])),
                                            number(str(ms["kblas"] / ms["tephra"]))]) + " |")
    return [*lines, ""]


MEMBERS = "results/h200/members.csv"


def different_sizes():
    """A comparison of the vbatched routines with uniform batches of as many members and operations."""
    if not exists(MEMBERS):
        return None
    lines = ["# Members with sizes of their own: figures", "",
             "Written by `scripts/perf_tables.py` from the files under `results/`; do not edit.", "",
             "Square members of random orders from 1 to the given one, compared with a uniform batch of as many members and operations in the same run (members of "
             f"0.63 times that order, for products 0.55). `tephra bench --grid members`; device events on an H200. Source: {source(MEMBERS, UP)}{built(MEMBERS)}.", "",
             "| routine | precision | orders up to | batch | ms | uniform batch, ms | times as long |", "|---|---|" + "--:|" * 5]
    for r in read(MEMBERS):
        if r["relative"]:
            uniform = float(r["ms"]) / float(r["relative"])
            lines.append("| " + " | ".join([f"`{r['op']}`", r["precision"], r["n"], r["batch"], number(r["ms"]), number(str(uniform)), number(r["relative"])]) + " |")
    return "\n".join([*lines, ""])
