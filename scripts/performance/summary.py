"""The table of routines at the top of docs/performance.md, its ten rows in README, and the other figures in README."""
import re

from performance import chart
from performance.data import exists, geometric_mean, is_ours, joined, name_of, named, read, version_of
from performance.studies import OFF_THE_GRID, PAGES, ROWS_OF
from performance.tables import case_in_words, compared, newest_cusolver, worst_of

LARGE = "results/h100/large.csv"
PROGRAMS = "results/h100/programs.csv"


def routines():
    """(page, Tephra's compared rows) of every page with a row in the table."""
    for page in PAGES:
        table = joined(page.studies[0]) if page.row else None
        if table and compared(table):
            yield page, compared(table)


def libraries(table):
    """The compared libraries in short form: cuBLAS 13.1, MAGMA 2.10."""
    return ", ".join(dict.fromkeys(library for r in sorted(table, key=lambda r: -len(r["others"])) for library in sorted(r["others"], key=str.lower)))


def off_the_grid():
    """{routine: ratios to the vendor} for random sizes, from the first card that has them, and that card."""
    for path in filter(exists, OFF_THE_GRID):
        found, device = {}, ""
        for r in map(named, read(path)):
            if is_ours(r) and r.get("vendor_ms"):
                found.setdefault(ROWS_OF.get(r["op"], r["op"]), []).append(float(r["vendor_ms"]) / float(r["ms"]))
                device = r.get("device") or device
        return found, device
    return {}, ""


def table(front):
    """The table of routines; README's (`front`) has only the pages marked for it."""
    random, device = off_the_grid()
    heads = ["routine", "compared with the fastest of", "cases", "geometric mean", "worst case"]
    heads += [f"random sizes against cuBLAS or cuSOLVER ({device.split()[1]}): mean", "worst"] if random else []
    lines = ["| " + " | ".join(heads) + " |", "|---|---" + "|--:" * (len(heads) - 2) + "|"]
    for page, rows in routines():
        if front and not page.front:
            continue
        worst = worst_of(rows)
        link = f"[{page.row}]({'docs/' if front else ''}performance/{page.name}.md)"
        cells = [link, libraries(rows), str(len(rows)), f"**{geometric_mean([float(r['ahead']) for r in rows]):.2f}**",
                 f"{float(worst['ahead']):.2f} ({case_in_words(worst)})"]
        if random:
            ratios = random.get(page.name)
            cells += [f"{geometric_mean(ratios):.2f}", f"{min(ratios):.2f}"] if ratios else ["", ""]
        lines.append("| " + " | ".join(cells) + " |")
    return lines


def large_sentence(up):
    """A sentence on one large matrix, with a range for each version of cuSOLVER."""
    if not exists(LARGE):
        return []
    old = [float(r["speedup"]) for r in read(LARGE) if r["library"] == "tephra" and r["op"] == "geqrf" and r["speedup"]
           and r["m"] == r["n"] and int(r["n"]) >= 1024 and r["batch"] == "1" and r["precision"] in "sd"]
    text = (f"One square matrix of order 1024 to 32,768, `sgeqrf` and `dgeqrf`, on an H100: {min(old):.2f} to {max(old):.2f} times as fast as cuSOLVER 12.0")
    new = [ratio for (_, m, n), ratio in newest_cusolver().items() if m == n >= 1024]
    if new:
        text += f", {min(new):.2f} to {max(new):.2f} times as fast as cuSOLVER 12.4 (CUDA 13.5; order 1024 to 16,384)"
    return [f"{text} ([figures]({up}performance/large.md)).", ""]


def cpu_sentences():
    """Sentences on the CPU backend, one per routine, if the files record the kernels of the other library."""
    found = []
    for study in next(page for page in PAGES if page.name == "cpu").studies:
        rows = compared(joined(study) or [])
        if rows:
            peers = sorted({(r["library"], r.get("peer_version"), r.get("core")) for r in read(study.path) if not is_ours(r)})
            beside = ", ".join(f"{name_of(library)} {version_of(library, version)}".strip() + (f" ({core})" if core else "") for library, version, core in peers)
            worst = worst_of(rows)
            found.append(f"{study.title.split(' on ')[0]}: {geometric_mean([float(r['ahead']) for r in rows]):.2f} times as fast as the fastest of {beside}, "
                         f"{len(rows)} cases, worst {float(worst['ahead']):.2f} ({case_in_words(worst)}).")
    return found


def cpu_in_short():
    """The CPU backend in one sentence, for README."""
    found, beside = [], set()
    for study in next(page for page in PAGES if page.name == "cpu").studies:
        rows = compared(joined(study) or [])
        if rows:
            beside.update(name_of(r["library"]) for r in read(study.path) if not is_ours(r))
            found.append(f"`{re.search(r'[(](.*?)[)]', study.title)[1]}` {geometric_mean([float(r['ahead']) for r in rows]):.2f} / {float(worst_of(rows)['ahead']):.2f}")
    where = "[figures](docs/performance/cpu.md)"
    return [f"The CPU backend's speed relative to the fastest of {' and '.join(sorted(beside))} ({where}), geometric mean / worst case: {', '.join(found)}."] if found else []


def readme_figures():
    lines = ["Speed relative to the fastest other library, over all four precisions, on an H200: above 1, Tephra is faster. The cases are the grid that plans were tuned on"
             + ("." if off_the_grid()[0] else ": other sizes may do worse."), "", *table(True), "", *large_sentence("docs/")]
    # README gets one paragraph, to stay short.
    return [*lines[:-2], " ".join([lines[-2], *cpu_in_short()])]


def programs():
    """{(program, size): {way: ms}} of whole programs, and the card that they ran on."""
    found, device = {}, ""
    for r in read(PROGRAMS) if exists(PROGRAMS) else []:
        found.setdefault((r["program"], r["size"]), {})[r["way"]] = float(r["ms"])
        device = r["device"]
    return found, device


def readme_programs():
    """The chart of whole programs with its caption; empty if they have not been measured."""
    found, device = programs()
    if not found:
        return []
    best = max(found, key=lambda case: found[case]["torch"] / found[case]["tephra"])
    return [f"![Whole programs in PyTorch, times as fast]({chart.PROGRAMS})", "",
            f"Whole PyTorch programs on an {device.replace('NVIDIA ', '')} ([source and figures](docs/performance/programs.md)). The upper bar of a pair is the unchanged program under "
            f"`LD_PRELOAD`, the lower one calls the Python package: {best[0]} ({best[1]}) takes {chart.milliseconds(found[best]['tephra'])} instead of "
            f"{chart.milliseconds(found[best]['torch'])}."]


def programs_page():
    found, device = programs()
    if not found:
        return None
    versions = next((r for r in read(PROGRAMS)), {})
    lines = ["# Whole programs: figures", "", "Written by `scripts/perf_tables.py`; do not edit.", "",
             f"The programs are in [`demo/programs/`](../../demo/programs/README.md): the same code with torch's functions, with torch's under `libtephra_preload.so`, and with "
             f"those of the Python package. Median wall-clock time of a step between synchronised devices, on an {device}, torch "
             f"{versions.get('torch', '')}, Tephra {versions.get('version', '')}. Source: [`{PROGRAMS}`](../../{PROGRAMS}).", "",
             f"![Whole programs in PyTorch, times as fast](../img/{chart.PROGRAMS.rsplit('/', 1)[1]})", "",
             "| program | size | torch | under preload | times as fast | Python package | times as fast |", "|---|---" + "|--:" * 5 + "|"]
    for (name, size), ms in found.items():
        cells = [name, size, chart.milliseconds(ms["torch"])]
        for way in ("preload", "tephra"):
            cells += [chart.milliseconds(ms[way]), f"{ms['torch'] / ms[way]:.2f}"] if way in ms else ["", ""]
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join([*lines, ""])


HEAD = """# Performance

Written by `scripts/perf_tables.py` from the files under `results/`; do not edit.

Speed relative to the fastest other library that was measured on the same case, over s, d, c and z, on an H200: above 1, Tephra is faster. *Cases* are those
of the benchmark's grid for which another library was measured; the grid is where plans were tuned, so other sizes may be less favourable.
"""

HOW_TO_READ = """## How to read the tables

*Of the limit* (T_limit / T on some charts) is the shortest time that the device permits, T_limit, over the measured time, T. T_limit is the
larger of two times: that of reading and writing the matrices once, at the speed of a device-to-device copy, and that of the arithmetic as LAPACK
counts it, at the peak of the precision's multiply-add units (without tensor cores). Both rates were measured on the device. *Test ratio* is the
larger of LAPACK's two test ratios ([accuracy](accuracy.md)) on the timed data. *Times as fast* is the other library's time over Tephra's.
"""


def overview(others):
    """docs/performance.md: the table, a chart per routine, the list of pages. `others` are (title, name) of pages
    without a row."""
    lines = [*HEAD.splitlines(), "", *table(False), "", *large_sentence("")]
    cpu = cpu_sentences()
    lines += [f"CPU backend, one thread: {' '.join(cpu)}", ""] if cpu else []
    lines += ["Each routine has a page with all of its cases: see the links in the first column above, and " + ", ".join(f"[{title}](performance/{name}.md)" for title, name in others) + ".", "",
              *HOW_TO_READ.splitlines(), "", "## Charts", "",
              "Speed relative to the fastest other library, by the number of columns (for triangular solves, by the order). A dot is a case; a line connects the geometric "
              "means of a precision's cases of one size. Below the heavy line at 1, the other library is faster.", ""]
    for page, _ in routines():
        lines += [f"### {page.title}", "", f"![{page.title}](img/ratio-{page.name}.svg)", ""]
    return "\n".join(lines)
