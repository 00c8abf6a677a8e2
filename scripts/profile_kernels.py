#!/usr/bin/env python3
"""Profiles the kernels of geqrf, class by class, with Nsight Compute, and writes a line per kernel.

    TEPHRA_BACKEND=cuda TEPHRA_LIBRARY=... scripts/profile_kernels.py --program target/release/tephra OUT.csv

One cold call of each case runs under `ncu` at the device's current clocks. Launches of the same kernel are combined:
times are added, and shares are averaged with the times as weights. docs/experiments/compiler-and-hardware.md shows the
file.
"""
import argparse
import csv
import io
import subprocess
import sys
import tempfile

CASES = """
s 4x4x10000, d 8x8x100000, s 16x16x10000, d 16x16x10000, s 24x24x10000, d 24x24x10000, s 32x32x100000, d 32x32x100000,
s 48x48x1000, d 48x48x1000, s 64x64x1000, s 96x96x1000, d 96x96x1000, s 128x128x1000, d 128x128x1000, d 256x16x1000,
s 1024x32x1000, d 1024x32x1000, s 192x192x1000, d 192x192x1000, d 256x256x1000, s 512x512x640, c 64x64x1000, z 64x64x1000
"""
PIPES = {
    "FMA": "sm__inst_executed_pipe_fma.avg.pct_of_peak_sustained_active",
    "FP64": "sm__inst_executed_pipe_fp64.avg.pct_of_peak_sustained_active",
    "FP64 tensor": "sm__pipe_tensor_op_dmma_cycles_active.avg.pct_of_peak_sustained_active",
}
SHARES = {
    "issue": "smsp__issue_active.avg.pct_of_peak_sustained_active",
    "dram": "dram__throughput.avg.pct_of_peak_sustained_elapsed",
    "l2": "lts__throughput.avg.pct_of_peak_sustained_elapsed",
    "shared": "l1tex__data_pipe_lsu_wavefronts.avg.pct_of_peak_sustained_elapsed",
}
WARPS = "sm__warps_active.avg.per_cycle_active"
TIME = "gpu__time_duration.sum"
WAITS = {
    "long_scoreboard": "global memory", "short_scoreboard": "shared memory", "mio_throttle": "shared memory's queue",
    "lg_throttle": "global memory's queue", "wait": "fixed latency", "math_pipe_throttle": "pipe busy",
    "no_instruction": "instructions",
    "barrier": "barrier", "membar": "fence", "drain": "stores", "not_selected": "others issue", "dispatch_stall": "dispatch",
    "branch_resolve": "branch", "imc_miss": "constants", "sleeping": "sleep",
}
COLUMNS = ["precision", "m", "n", "batch", "kernel", "launches", "us", "issue", "pipe", "pipe_share", "dram", "l2", "shared",
           "warps", "waits", "device", "version"]


def stall(reason):
    return f"smsp__average_warps_issue_stalled_{reason}_per_issue_active.ratio"


def profile(program, precision, m, n, batch):
    """{kernel: [{metric: value} of each launch]} of one call, and the program's own result row."""
    metrics = [TIME, WARPS, *PIPES.values(), *SHARES.values(), *map(stall, WAITS)]
    case = ["--dtype", precision, "--m", m, "--n", n, "--batch", batch]
    command = ["ncu", "--clock-control", "none", "--print-units", "base", "--csv", "--kernel-name", "regex:^geqrf_", "--metrics",
               ",".join(metrics), program, "bench", *case, "--no-vendor", "--budget", "0", "--samples", "1"]
    with tempfile.NamedTemporaryFile("r", suffix=".csv", newline="") as result:
        ran = subprocess.run([*command, "--out", result.name], capture_output=True, text=True)
        row = next(csv.DictReader(result), None)
    table = "".join(line for line in ran.stdout.splitlines(True) if line.startswith('"'))
    launches = {}
    for line in csv.DictReader(io.StringIO(table)):
        value = line["Metric Value"].replace(",", "")
        launch = launches.setdefault(line["ID"], (line["Kernel Name"].split("(")[0], {}))
        launch[1][line["Metric Name"]] = float(value) if value not in ("", "n/a", "nan") else 0.0
    if not launches or row is None:
        raise RuntimeError(f"{' '.join(case)}: nothing profiled\n{ran.stdout[-2000:]}{ran.stderr[-2000:]}")
    kernels = {}
    for name, values in launches.values():
        kernels.setdefault(name, []).append(values)
    return kernels, row


def lines(case, kernels, row):
    for name, launches in sorted(kernels.items(), key=lambda k: -sum(v[TIME] for v in k[1])):
        total = sum(v[TIME] for v in launches)

        def mean(metric):
            return sum(v.get(metric, 0.0) * v[TIME] for v in launches) / total

        pipe = max(PIPES, key=lambda p: mean(PIPES[p]))
        waits = sorted(((mean(stall(r)), text) for r, text in WAITS.items()), reverse=True)[:3]
        yield [*case, name, len(launches), f"{total / 1e3:.2f}", f"{mean(SHARES['issue']):.0f}", pipe, f"{mean(PIPES[pipe]):.0f}",
               *(f"{mean(SHARES[s]):.0f}" for s in ("dram", "l2", "shared")), f"{mean(WARPS) / 4:.1f}",
               ", ".join(f"{text} {value:.1f}" for value, text in waits if value >= 0.05),
               row["device"], row["version"]]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default="target/release/tephra", help="the tephra program")
    parser.add_argument("--cases", default=CASES, help='such as "s 48x48x1000, d 192x192x1000"')
    parser.add_argument("out")
    args = parser.parse_args()
    with open(args.out, "w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(COLUMNS)
        for text in args.cases.replace("\n", " ").split(","):
            precision, shape = text.split()
            case = [precision, *shape.split("x")]
            writer.writerows(lines(case, *profile(args.program, *case)))
            file.flush()
            print(text.strip(), file=sys.stderr)


if __name__ == "__main__":
    main()
