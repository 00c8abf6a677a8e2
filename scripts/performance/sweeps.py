"""Comparisons of Tephra's times with each other (by class of data, and for one more column), and the energy of
calls."""
from performance.data import CASE, PEERS, PRECISIONS, SHAPE, exists, geometric_mean, key, number, read, source
from performance.studies import EVENTS

UP = "../../"
# Each with the file of an earlier build, if it exists.
CLASSES, CLASSES_BEFORE = "results/h200/classes.csv", "results/h200/classes_before.csv"
STEPS = "results/h200/steps.csv"
# Ranges of orders with the batches in which they were timed, and the ratio of neighbours that is remarkable.
STEP_RANGES, STEP = ((2, 32, 1000), (33, 160, 1000), (130, 600, 200)), 1.4
ENERGY = "results/h200/energy.csv"
ENERGY_NAMES = {"qr": "QR (geqrf)", "qrq": "QR with thin Q and R (qr)", "lu": "LU (getrf)", "lunp": "LU without interchanges (getrf_nopiv)",
                "potrf": "Cholesky (potrf)", "gels": "Least squares (gels)", "gesv": "systems, factored and solved (gesv)",
                "inv": "inverse (inv)", "orgqr": "Q (orgqr)"}
WRITTEN = "Written by `scripts/perf_tables.py` from the files under `results/`; do not edit."


def compared(path):
    """Tephra's rows of a file that were compared with another time of the file; empty without the file."""
    if not exists(path):
        return []
    return [r for r in read(path) if r["library"] == "tephra" and r["relative"]]


def with_before(row, before, same):
    """A ratio as text, bold if beyond its bound, with the earlier build's in brackets."""
    ratio = f"{float(row['relative']):.2f}"
    text = f"**{ratio}**" if float(row["relative"]) > float(row["bound"]) else ratio
    return f"{text} ({number(before[same]['relative'], 2)})" if same in before else text


def verdict(part):
    """A sentence with the largest ratio for each bound, and the number of ratios beyond it."""
    bounds = sorted({float(r["bound"]) for r in part})
    texts = []
    for bound in bounds:
        ratios = [float(r["relative"]) for r in part if float(r["bound"]) == bound]
        beyond = sum(r > bound for r in ratios)
        texts.append(f"bound {bound:g}: {len(ratios)} ratios, largest {max(ratios):.2f}, {beyond or 'none'} beyond")
    return "; ".join(texts)


def sources(path, before):
    text = f"Source: {source(path, UP)}"
    return text + (f"; in brackets, the ratio of an earlier build, from {source(before, UP)}." if exists(before) else ".")


def classes_section():
    """Times relative to those of uniform data: one line per shape, one column per input."""
    lines = ["## Time by the class of the data, on an H200", ""]
    part = compared(CLASSES)
    if not part:
        return [*lines, "Not measured yet.", ""]
    columns = (*SHAPE, "input")
    before = {key(r, columns): r for r in compared(CLASSES_BEFORE)}
    uniform = times_of_uniform(CLASSES)
    inputs = list(dict.fromkeys(r["input"] for r in part))
    lines += [f"The time of geqrf over its time for uniform random data of the same shape, in bold beyond the bound. {EVENTS.split(',')[0]}, "
              "median of at least three after one warm-up (`tephra bench --grid classes`). *:100*: one matrix in a hundred belongs "
              f"to the class. {sources(CLASSES, CLASSES_BEFORE)}", "", f"{verdict(part)[0].upper()}{verdict(part)[1:]}.", ""]
    for precision in PRECISIONS:
        found = {(key(r, SHAPE), r["input"]): r for r in part if r["precision"] == precision}
        if not found:
            continue
        lines += [f"### {PRECISIONS[precision]} ({precision}), by class", "",
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
    """The largest increases for one more row and column, a line per routine and precision."""
    lines = ["## What one row and column more cost, on an H200", ""]
    if not exists(STEPS):
        return [*lines, "Not measured yet.", ""]
    times = {(r["routine"], r["precision"], int(r["batch"]), int(r["n"])): float(r["us"]) for r in read(STEPS)}
    kinds = list(dict.fromkeys((routine, precision) for routine, precision, *_ in times))
    ratios = {(*kind, batch, n): us / times[*kind, batch, n - 1]
              for (*kind, batch, n), us in times.items() if (*kind, batch, n - 1) in times}
    beyond = sum(ratio > STEP for ratio in ratios.values())
    titles = [f"n = {first} to {last}, batch {batch}" for first, last, batch in STEP_RANGES]
    lines += [f"Square orders: the time of order n over that of n - 1. A range has its largest ratio and that order, and in brackets how many "
              f"are above {STEP} (`scripts/steps.py`: one right-hand side, n of trsm). {sources(STEPS, None)}", "",
              f"{len(ratios)} ratios, {beyond} above {STEP}.", "",
              "| routine | precision | " + " | ".join(titles) + " |", "|---|---" + "|---" * len(titles) + "|"]
    for kind in kinds:
        cells = []
        for first, last, batch in STEP_RANGES:
            here = {n: ratios[*kind, batch, n] for n in range(first, last + 1) if (*kind, batch, n) in ratios}
            above = sum(ratio > STEP for ratio in here.values())
            top = max(here, key=here.get, default=None)
            cells.append("" if top is None else f"{here[top]:.2f} at {top}" + (f" ({above})" if above else ""))
        lines.append("| " + " | ".join([*kind, *cells]) + " |")
    return [*lines, ""]


def joules(text, count=1):
    """The energy of a call per matrix, of `count`, with a unit; empty if only the restoring of inputs could be
    measured."""
    value = float(text or 0) / count
    if value <= 0:
        return ""
    unit, scale = next(((u, s) for u, s in (("J", 1), ("mJ", 1e3), ("uJ", 1e6)) if value * s >= 1), ("nJ", 1e9))
    return f"{number(str(value * scale))} {unit}"


def energy_section():
    """The energy of factorisations, one table per operation; empty without the file."""
    if not exists(ENERGY):
        return []
    everything = read(ENERGY)
    ours = [r for r in everything if r["library"] == "tephra" and r.get("joules")]
    beside = [r for r in everything if r["library"] != "tephra" and r.get("joules")]
    names = {name.lower(): name for name in PEERS.values()}
    idle = sorted({float(r["idle_watts"]) for r in ours})
    lines = ["## Energy of a call, on an H200", "",
             "Each call is repeated for a second, and NVML's counter of the device's energy is read whenever it is updated. A call's energy is "
             "the mean power of the whole card (which draws "
             + (f"{idle[0]:.0f} W" if round(idle[0]) == round(idle[-1]) else f"{idle[0]:.0f} to {idle[-1]:.0f} W")
             + " when idle) times the call's time. Restoring the input between calls is measured separately and subtracted; *restoring* is "
             f"its share of the measured energy. *Less*: the other library's energy over Tephra's. Source: {source(ENERGY, UP)}.", ""]
    for op in dict.fromkeys(r["op"] for r in ours):
        part = [r for r in ours if r["op"] == op]
        title = ENERGY_NAMES.get(op, op)
        ratios = [float(r["energy_ratio"]) for r in part if r["energy_ratio"]]
        lines += [f"### {title[0].upper() + title[1:]}", ""]
        if ratios:
            lines += [f"{len(ratios)} cases: {min(ratios):.2f} to {max(ratios):.1f} times less, geometric mean "
                      f"{geometric_mean(ratios):.2f}.", ""]
        lines += ["| precision | size | batch | ms | per call | per matrix | watts | other | its ms | its energy per matrix | its watts | less | restoring |",
                  "|---|---" + "|--:" * 11 + "|"]
        for r in part:
            case = CASE
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


def inputs_page():
    """The page on how the data affect the time of geqrf, and one more row and column that of each routine."""
    if not compared(CLASSES) and not exists(STEPS):
        return None
    return "\n".join(["# Classes of input and neighbouring sizes: figures", "", WRITTEN, "", *classes_section(), *steps_section()])


def energy_page():
    return "\n".join(["# Energy: figures", "", WRITTEN, "", *energy_section()]) if exists(ENERGY) else None
