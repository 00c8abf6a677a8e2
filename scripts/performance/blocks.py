"""Generated tables in handwritten pages; they replace the text between two marks of a page."""
from gpu_state import ROOT
from performance.data import SHAPE, exists, is_ours, key, number, read, source, times
from performance.summary import readme_figures, readme_programs
from performance.tables import UP

TF32, FP32 = "results/h200/tf32.csv", ("results/h200/geqrf.csv", "results/h200/geqrf_optimiser.csv")
PROFILE = "results/h200/profile.csv"
Q_TORCH, Q_ONE = "results/h200/torch_qr.csv", "results/h200/qr.csv"
Q_STEPS = ("results/h200/geqrf_q.csv", "results/h200/orgqr.csv")
GESV, INV = "results/h200/gesv.csv", "results/h200/inv.csv"
MISSING = ["Not measured yet."]


def tf32():
    """The table of TF32 mode, compared with FP32 on the same shapes, without shapes whose plan does not use TF32."""
    if not exists(TF32):
        return MISSING
    exact = {key(r, SHAPE): r for path in FP32 if exists(path) for r in read(path) if r["library"] == "tephra"}
    lines = [f"Source: {source(TF32)}; *FP32*: the rows of the same shapes in "
             + " and ".join(map(source, FP32)) + ". *Error*: the error of A = Q R in units of 2^-11, which is the "
             "residual ratio times m and 2^-13. *Faster* is given only where both were measured with the same kernels.", "",
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
    return lines


def q():
    """The times in ms of PyTorch's loop, of geqrf with orgqr, and of qr, for the shapes that were compared with
    PyTorch."""
    if not all(map(exists, (Q_TORCH, Q_ONE, *Q_STEPS))):
        return MISSING
    one, (geqrf, orgqr) = times(Q_ONE), map(times, Q_STEPS)
    beside = {key(r, SHAPE): r for r in read(Q_TORCH) if r["library"] == "torch"}
    sources = ", ".join(map(source, (Q_TORCH, *Q_STEPS, Q_ONE)))
    lines = [f"Milliseconds on an H200, from {sources}. The first two columns of times are how long a Python program "
             "waits, including allocation; the others are the device's time for the C calls.", "",
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
    return lines


def systems():
    """The times of solves with one right-hand side and of inverses, for the square sizes that were measured."""
    if not all(map(exists, (GESV, INV))):
        return MISSING
    of = lambda path: {key(r, SHAPE): r for r in read(path) if r["library"] == "tephra" and r["nrhs"] in ("0", "1")}
    systems, inverses = of(GESV), of(INV)
    # Some versions of tephra bench left the column `speedup` empty.
    faster = lambda r: number(str(float(r["vendor_ms"]) / float(r["ms"]))) if r["vendor_ms"] else ""
    lines = [f"The device's time for the call, in milliseconds on an H200, from {source(GESV)} and {source(INV)}; cuBLAS was "
             "timed in the same run: `getrfBatched` and `getrsBatched`, or `getrfBatched` and `getriBatched`.", "",
             "| precision | order | batch | `tephra_?gesv`, nrhs 1 | cuBLAS | faster | ns per system | `tephra_?inv` | cuBLAS | faster |",
             "|---" + "|--:" * 9 + "|"]
    for shape, r in systems.items():
        inverse = inverses.get(shape)
        if shape[0] not in "sd" or shape[1] != shape[2] or not inverse:
            continue
        each = 1e6 * float(r["ms"]) / int(r["batch"])
        lines.append("| " + " | ".join([r["precision"], r["n"], r["batch"], number(r["ms"]), number(r["vendor_ms"]),
                                        faster(r), number(str(each)), number(inverse["ms"]),
                                        number(inverse["vendor_ms"]), faster(inverse)]) + " |")
    return lines


def profile():
    """The results of scripts/profile_kernels.py, one line per kernel."""
    if not exists(PROFILE):
        return MISSING
    lines = [f"Source: {source(PROFILE, UP)}. *issue* to *shared*: per cent of the peak of issue slots, the busiest pipe, "
             "HBM, L2 and shared memory's data pipe. *Warps*: resident warps per scheduler. *Waits*: the three largest reasons for which a "
             "warp waits, in cycles per issued instruction.", "",
             "| case | kernel | launches | us | issue | pipe | HBM | L2 | shared | warps | waits |",
             "|---|---" + "|--:" * 8 + "|---|"]
    for r in read(PROFILE):
        case = f"{r['precision']} {r['m']} x {r['n']} x {r['batch']}"
        lines.append("| " + " | ".join([case, f"`{r['kernel']}`", r["launches"], number(r["us"]), r["issue"],
                                        f"{r['pipe']} {r['pipe_share']}", r["dram"], r["l2"], r["shared"], r["warps"],
                                        r["waits"]]) + " |")
    return lines


# page, name in its marks, function that makes the text between them
BLOCKS = [("README.md", "programs", readme_programs), ("README.md", "performance", readme_figures), ("docs/accuracy.md", "tf32", tf32),
          ("docs/batched-qr-with-q.md", "q", q), ("docs/solving-small-systems.md", "systems", systems),
          ("docs/experiments/compiler-and-hardware.md", "profile", profile)]


def filled():
    """{page: its text with all blocks up to date}."""
    texts = {}
    for page, name, block in BLOCKS:
        text = texts.get(page) or (ROOT / page).read_text()
        begin, end = f"<!-- {name}: begin (scripts/perf_tables.py) -->", f"<!-- {name}: end -->"
        before, rest = text.split(begin)
        texts[page] = before + "\n".join([begin, *block(), end]) + rest.split(end)[1]
    return texts
