#!/usr/bin/env python3
"""Lists which calls of the installed PyTorch reach libtephra_preload.so, and how much that gains, as CSV.

    scripts/preload_table.py PATH/libtephra_preload.so OUT.csv      on a GPU machine: calls that arrive, and times with and without
    scripts/preload_table.py --imports FOLDER_OR_WHEEL ...          anywhere: which of the names PyTorch's libraries import at all

Each call is made in three processes: preloaded with TEPHRA_VERBOSE=1, whose log shows the calls that arrived; preloaded
and timed; and timed without the preload library. The time is the median over the repeats, measured between two
synchronisations of the device.
`names` is empty if PyTorch's own libraries and kernels served the call, so that there is nothing to gain.
"""
import csv
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time
import zipfile
from pathlib import Path

TYPES = {"s": "float32", "d": "float64", "c": "complex64", "z": "complex128"}
# (m, n, batch); the last one is a single matrix.
SHAPES = [(8, 8, 5000), (32, 32, 1000), (64, 64, 1000), (128, 128, 500), (256, 256, 100), (512, 512, 50), (300, 300, 1)]
REPEATS = 20


def calls(torch, dtype, n, batch):
    """(name, function) of every call that is measured."""
    def matrix(*shape):
        return torch.randn(batch, *shape, dtype=dtype, device="cuda")

    a, b = matrix(n, n) + n**0.5 * torch.eye(n, dtype=dtype, device="cuda"), matrix(n, 4)
    tall = matrix(2 * n, n)
    definite = a @ a.mH
    factor = torch.linalg.cholesky_ex(definite)[0]
    lu, pivots, _ = torch.linalg.lu_factor_ex(a)
    linalg = torch.linalg
    yield "torch.geqrf", lambda: torch.geqrf(a)
    yield "torch.linalg.qr", lambda: linalg.qr(a)
    yield "torch.linalg.qr, 2n x n", lambda: linalg.qr(tall)
    yield "torch.linalg.lstsq, 2n x n", lambda: linalg.lstsq(tall, matrix(2 * n, 4), driver="gels")
    yield "torch.linalg.solve_triangular", lambda: linalg.solve_triangular(a, b, upper=True)
    yield "torch.linalg.lu_factor", lambda: linalg.lu_factor_ex(a)
    yield "torch.linalg.lu_solve", lambda: linalg.lu_solve(lu, pivots, b)
    yield "torch.linalg.solve", lambda: linalg.solve_ex(a, b)
    yield "torch.linalg.inv", lambda: linalg.inv_ex(a)
    yield "torch.linalg.det", lambda: linalg.det(a)
    yield "torch.linalg.cholesky", lambda: linalg.cholesky_ex(definite)
    yield "torch.cholesky_solve", lambda: torch.cholesky_solve(b, factor)
    yield "torch.cholesky_inverse", lambda: torch.cholesky_inverse(factor)
    yield "torch.bmm", lambda: torch.bmm(a, a)


def written_by(function, torch):
    """What a call writes to standard error, including C code."""
    with tempfile.TemporaryFile() as file:
        kept = os.dup(2)
        os.dup2(file.fileno(), 2)
        try:
            function()
            torch.cuda.synchronize()
        finally:
            os.dup2(kept, 2)
            os.close(kept)
        file.seek(0)
        return file.read().decode(errors="replace")


def milliseconds(function, torch):
    times = []
    for _ in range(REPEATS + 3):
        torch.cuda.synchronize()
        start = time.perf_counter()
        function()
        torch.cuda.synchronize()
        times.append(1e3 * (time.perf_counter() - start))
    return statistics.median(times[3:])


def child(kind):
    """Prints a line per call: its row, and the names that arrived, or its time."""
    import torch
    torch.manual_seed(1)
    for letter, dtype in TYPES.items():
        for _, n, batch in SHAPES:
            for name, function in calls(torch, getattr(torch, dtype), n, batch):
                try:
                    function()  # warms up whatever the first call loads or measures
                    if kind == "names":
                        lines = written_by(function, torch)
                        result = " ".join(sorted(set(re.findall(r"^tephra .*# (\w+)", lines, re.M))))
                    else:
                        result = f"{milliseconds(function, torch):.4f}"
                except RuntimeError as error:
                    result = "error: " + str(error).splitlines()[0][:80].replace("\t", " ")
                print("ROW", letter, n, batch, name, result, sep="\t", flush=True)
    print("DEVICE", torch.__version__, torch.cuda.get_device_name(), sep="\t")


def rows_of(kind, preload):
    env = {k: v for k, v in os.environ.items() if k not in ("LD_PRELOAD", "TEPHRA_VERBOSE", "TEPHRA_PRELOAD")}
    if preload:
        env["LD_PRELOAD"] = preload
    if kind == "names":
        env["TEPHRA_VERBOSE"] = "1"
    done = subprocess.run([sys.executable, __file__, "--child", kind], env=env, stdout=subprocess.PIPE, text=True, check=True)
    lines = [line.split("\t") for line in done.stdout.splitlines()]
    return ({tuple(row[1:5]): row[5] for row in lines if row[0] == "ROW"}, next(row[1:] for row in lines if row[0] == "DEVICE"))


def measure(preload, out):
    preload = str(Path(preload).resolve(strict=True))
    names, (version, device) = rows_of("names", preload)
    ours, _ = rows_of("times", preload)
    theirs, _ = rows_of("times", None)
    with open(out, "w", newline="") as file:
        print(f"# torch {version}; wall-clock, median of {REPEATS}", file=file)
        table = csv.writer(file, lineterminator="\n")
        table.writerow(["precision", "n", "batch", "call", "names", "preloaded_ms", "torch_ms", "speedup", "device"])
        for key, arrived in names.items():
            a, b = ours[key], theirs[key]
            speedup = "" if "error" in a + b else f"{float(b) / float(a):.2f}"
            table.writerow([*key, arrived, a, b, speedup, device])


WANTED = re.compile(r"cublas[SDCZ](?:geqrf|gels|trsm|getrf|getrs|getri|matinv|gemm|gemv)\w*?Batched(?:_64)?|cublasGemm(?:Strided)?BatchedEx(?:_64)?"
                    r"|cusolverDn(?:[SDCZ](?:potrf|potrs)Batched|[SDCZ](?:geqrf|orgqr|ungqr|ormqr|unmqr)|Xgeqrf)")


def imports(place):
    """Prints which of the names the CUDA libraries of an installed PyTorch (its folder) or of a wheel import."""
    place = Path(place)
    with tempfile.TemporaryDirectory() as folder:
        if place.is_file():
            with zipfile.ZipFile(place) as wheel:
                inside = [name for name in wheel.namelist() if re.search(r"lib/libtorch_cuda\w*\.so$", name)]
                files = [Path(wheel.extract(name, folder)) for name in inside]
        else:
            files = sorted((place / "lib").glob("libtorch_cuda*.so"))
        found = set()
        for file in files:
            listed = subprocess.run(["nm", "-D", "--undefined-only", file], stdout=subprocess.PIPE, text=True, check=True).stdout
            found |= {name for name in re.findall(r" U (\w+)", listed) if WANTED.fullmatch(name)}
    short = {}
    for name in found:
        letter = re.match(r"(cublas|cusolverDn)([SDCZ])(?=[a-z])", name)
        key = name if not letter else letter.group(1) + "?" + name[letter.end():]
        short.setdefault(key, []).append(letter.group(2).lower() if letter else "")
    print(f"{place}: {len(files)} libraries")
    for key in sorted(short):
        print("   ", key, "".join(sorted(short[key], key="sdcz".find)))


def main():
    if sys.argv[1:2] == ["--child"]:
        child(sys.argv[2])
    elif sys.argv[1:2] == ["--imports"]:
        for place in sys.argv[2:]:
            imports(place)
    elif len(sys.argv) == 3:
        measure(*sys.argv[1:])
    else:
        sys.exit(__doc__)


if __name__ == "__main__":
    main()
