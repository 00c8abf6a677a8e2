"""The joined rows of the result files: Tephra's rows with the vendor's and other libraries' times for the same case."""
import csv
import math

from gpu_state import ROOT

SHAPE = ("precision", "m", "n", "batch")
CASE = ("precision", "op", "m", "n", "batch", "nrhs", "variant", "k")
PRECISIONS = {"s": "float", "d": "double", "c": "complex float", "z": "complex double"}
PEERS = {"cublas": "cuBLAS", "cusolver": "cuSOLVER", "magma": "MAGMA", "cusolverdx": "cuSolverDx", "pytorch-lu": "PyTorch's LU",
         "torch": "torch", "kblas": "KBLAS", "openblas": "OpenBLAS", "mkl": "MKL"}
# The versions of other libraries whose result files do not record one.
UNRECORDED = {"magma": "2.10", "cusolverdx": "0.5", "cublas": "13.1", "cusolver": "12.0", "pytorch-lu": "2.11"}


def exists(path):
    return path is not None and (ROOT / path).is_file()


def read(path):
    """The rows of a result file, without remarks, which are lines that begin with #."""
    with (ROOT / path).open(newline="") as file:
        return list(csv.DictReader(line for line in file if not line.startswith("#")))


def remark(path):
    """The first remark of a result file, without the #."""
    with (ROOT / path).open() as file:
        first = file.readline()
    return first.lstrip("# ").strip() if first.startswith("#") else ""


def is_ours(row):
    return row["library"].startswith("tephra")


def key(row, columns):
    return tuple(row[c] for c in columns)


def number(text, digits=3):
    if not text:
        return ""
    value = float(text)
    if value == 0 or not math.isfinite(value):
        return str(text)
    return f"{value:.{max(0, digits - 1 - math.floor(math.log10(abs(value))))}f}"


def geometric_mean(values):
    return math.exp(sum(map(math.log, values)) / len(values))


def name_of(library):
    """The display name of a library: OpenBLAS for openblas-0.3.30."""
    return next((PEERS[known] for known in sorted(PEERS, key=len, reverse=True) if library.startswith(known)), library)


def version_of(library, text=""):
    """The display form of a version. cuBLAS reports 130100 and cuSOLVER 12004; others append it after a dash, or not at
    all."""
    if text and text.isdigit():
        value = int(text)
        return f"{value // 10000}.{value // 100 % 100}" if value >= 100000 else f"{value // 1000}.{value // 100 % 10}"
    if text:
        return text
    return UNRECORDED.get(library) or (library.split("-", 1)[1] if "-" in library else "")


def with_version(library, text=""):
    return f"{name_of(library)} {version_of(library, text)}".strip()


def right_hand_sides(row):
    """The nrhs of a row, from its own column, or for gels from the options."""
    options = dict(o.split("=", 1) for o in (row.get("options") or "").split() if "=" in o)
    if row["op"] == "gels":
        return options.get("nrhs", "")
    return "" if row["op"] in ("qr", "trsm") or row.get("nrhs") in (None, "", "0") else row["nrhs"]


def named(row):
    """Completes a row to have every column of CASE."""
    row["nrhs"], row["variant"], row["k"] = right_hand_sides(row), row.get("variant") or "", row.get("k") or "0"
    row["threads"] = row.get("threads") or ""
    return row


def times(path):
    """{shape: ms} of Tephra's rows in a file; empty without the file."""
    return {key(r, SHAPE): float(r["ms"]) for r in read(path) if is_ours(r)} if exists(path) else {}


def other_times(path, columns=CASE):
    """{case: {library with its version: ms}} of a file's rows of other libraries."""
    found = {}
    for r in map(named, read(path) if exists(path) else []):
        if is_ours(r):
            continue
        known = found.setdefault(key(r, columns), {})
        # cuBLAS's and cuSOLVER's versions are in `version`; Tephra's rows do not get here.
        library = with_version(r["library"], r.get("peer_version") or (r.get("version") if r["library"] in UNRECORDED else ""))
        known[library] = min(float(r["ms"]), known.get(library, math.inf))
    return found


def says_what_it_is(row):
    """Whether a row of another CPU library records its version and, for OpenBLAS, the processor whose kernels it
    chose."""
    version = row.get("peer_version") or version_of(row["library"], "")
    return is_ours(row) or bool(version and (row.get("core") or not row["library"].startswith("openblas")))


def joined(study):
    """Tephra's rows of a study, each with other libraries' times: `others` {library: ms}; the fastest as `peer`,
    `peer_ms` and the ratio `ahead`; the vendor's as `vendor_ms` and `speedup`. None without the file, or for a CPU
    study that does not record the kernels of the other library."""
    if not exists(study.path):
        return None
    everything = [named(r) for r in read(study.path)]
    if study.on_cpu and not all(map(says_what_it_is, everything)):
        return None
    columns = (*CASE, "threads")
    beside, elsewhere = other_times(study.path, columns), other_times(study.peers)
    first, strided = times(study.addend), times(study.strided)
    ours = [r for r in everything if is_ours(r)]
    vendors = {r["library"]: r.get("version") for r in everything if not is_ours(r)}
    library = next((k for k, v in PEERS.items() if v == study.vendor), "")
    for r in ours:
        others = dict(elsewhere.get(key(r, CASE), {}))
        for name, ms in beside.get(key(r, columns), {}).items():
            others[name] = min(ms, others.get(name, math.inf))
        own = [ms for name, ms in beside.get(key(r, columns), {}).items() if name.startswith(f"{study.vendor} ")]
        r["vendor_ms"] = r.get("vendor_ms") or (str(min(own)) if own else "")
        if r["vendor_ms"] and not own:
            others[with_version(library, vendors.get(library) or "")] = float(r["vendor_ms"])
        r["speedup"] = str(float(r["vendor_ms"]) / float(r["ms"])) if r["vendor_ms"] else ""
        r["device"] = r.get("device") or r.get("cpu") or "this machine"
        r["others"] = others
        r["peer"], peer_ms = min(others.items(), key=lambda other: other[1], default=("", ""))
        r["peer_ms"] = str(peer_ms)
        # If the file of other libraries lacks a case, being faster than the vendor alone says little.
        measured = r["peer"] and (not study.peers or key(r, CASE) in elsewhere)
        r["ahead"] = str(peer_ms / float(r["ms"])) if measured else ""
        r["strided_ms"] = str(strided.get(key(r, SHAPE), ""))
        r["strided_ahead"] = str(peer_ms / float(r["strided_ms"])) if measured and r["strided_ms"] else ""
        before = first.get(key(r, SHAPE))
        r["together"] = str((float(r["ms"]) + before) / before) if before else ""
    return ours


def builds(path):
    return {r.get("version") for r in read(path) if is_ours({"library": r.get("library", "tephra")})}


def source(path, up="../"):
    """A link to a result file; `up` is the path from the page to the repository's root."""
    return f"[`{path}`]({up}{path})"
