#!/usr/bin/env python3
"""Simulates tephra_?geqrf_host on more GPUs than were available for measurements: its schedule, executed with measured
rates.

    scripts/simulate_host.py [--check]      writes results/h200/geqrf_host_simulated.csv and docs/img/geqrf-host-devices.svg

The rates, of applying reflectors, factoring blocks, and copying to and from the device, come from a trace of one GPU
(results/h200/geqrf_host_trace.json: s 49152 x 49152, with 8 GB of device memory). The schedule is that of
src/many/streamed/schedule.rs: the devices take blocks of columns in turn, and each block first needs the reflectors of
all preceding blocks, which other devices read from host memory once they are available. The simulation ignores that
narrow blocks compute at a lower rate and that GPUs share the host's memory bandwidth, so it is an upper bound for the
schedule. Measured points are from results/h200/geqrf_host.csv.
"""
import argparse
import csv
import json
import sys
from pathlib import Path

from performance.chart import GRID, INK, drawing, line, text

ROOT = Path(__file__).resolve().parent.parent
TRACE, MEASURED = ROOT / "results/h200/geqrf_host_trace.json", ROOT / "results/h200/geqrf_host.csv"
OUT, FIGURE = ROOT / "results/h200/geqrf_host_simulated.csv", ROOT / "docs/img/geqrf-host-devices.svg"
BYTES = 4  # per element, in single precision
TRACED, TRACED_BLOCKS = 49152, 6
SIZES, DEVICES = {49152: "#0072b2", 98304: "#d55e00"}, (1, 2, 4, 8, 16, 32, 64)


def width(n, devices):
    """Columns of a block, if memory does not limit them (src/many/streamed/layout.rs)."""
    most = -(-(max(n // 8, 8192) // devices) // 128) * 128
    blocks = -(-n // most)
    return min(-(-(-(-n // blocks)) // 128) * 128, most)


def applied(n, first, count, columns):
    """Operations for applying `count` reflectors, the first of which starts in row `first`, to this many columns."""
    return 4.0 * columns * sum(n - first - i for i in (0, count - 1)) / 2 * count


def factored(n, first, count):
    """Operations for factoring a block."""
    rows = n - first
    return 2.0 * count * count * (rows - count / 3)


def starts(n, wide):
    return [(first, min(wide, n - first)) for first in range(0, n, wide)]


def rates():
    """Operations or bytes per second for the four activities in a trace."""
    events = [e for e in json.loads(TRACE.read_text()) if e["ph"] == "X"]
    spent = {name: sum(e["dur"] for e in events if e["name"] == name) / 1e6 for name in ("ormqr", "geqrf", "bring", "take back")}
    n, blocks = TRACED, starts(TRACED, -(-(-(-TRACED // TRACED_BLOCKS)) // 128) * 128)
    assert len(blocks) == sum(e["name"] == "geqrf" for e in events)
    work = {"ormqr": sum(applied(n, s, k, c) for i, (_, c) in enumerate(blocks) for s, k in blocks[:i]),
            "geqrf": sum(factored(n, s, k) for s, k in blocks),
            "take back": BYTES * n * n,
            # Each block, and the reflectors of all preceding blocks except the last, which is still on the device.
            "bring": BYTES * (n * n + sum((n - s) * k for i in range(len(blocks)) for s, k in blocks[:max(0, i - 1)]))}
    return {name: work[name] / seconds for name, seconds in spent.items()}


def seconds(n, devices, rate):
    """The time at which the last block is back in host memory."""
    blocks = starts(n, width(n, devices))
    brings, computes, takes, there, done = [0.0] * devices, [0.0] * devices, [0.0] * devices, [], []
    for b, (first, columns) in enumerate(blocks):
        d = b % devices
        # The buffer of this device's second-to-last block must be free.
        free = there[b - 2 * devices] if b >= 2 * devices else 0.0
        brings[d] = max(brings[d], free) + BYTES * n * columns / rate["bring"]
        ready = max(computes[d], brings[d])
        for s, (at, count) in enumerate(blocks[:b]):
            if s + devices != b:
                brings[d] = max(brings[d], there[s]) + BYTES * (n - at) * count / rate["bring"]
                # Its panels are used as they arrive.
                ready = max(ready, brings[d] - BYTES * (n - at) * count / rate["bring"] * (1 - 512 / max(count, 512)))
            ready = max(ready + applied(n, at, count, columns) / rate["ormqr"], brings[d])
        done.append(ready + factored(n, first, columns) / rate["geqrf"])
        computes[d] = done[b]
        takes[d] = max(takes[d], done[b]) + BYTES * n * columns / rate["take back"]
        there.append(takes[d])
    return max(there)


def measured():
    """{(n, devices): seconds} measured in single precision from page-locked memory."""
    with MEASURED.open(newline="") as file:
        rows = csv.DictReader(row for row in file if not row.startswith("#"))
        return {(int(r["n"]), int(r["devices"])): float(r["seconds"]) for r in rows if r["type"] == "s" and r["memory"] == "page-locked"}


def figure(rows, points):
    wide, high, left, right, top, bottom = 640, 300, 52, 20, 44, 44
    x = lambda devices: left + DEVICES.index(devices) / (len(DEVICES) - 1) * (wide - left - right)
    y = lambda v: high - bottom - v * (high - top - bottom) / 1.1
    parts = [text(left, 20, "sgeqrf_host: speed for each GPU, one GPU's being 1", 13, weight="bold")]
    for tick in (0, 0.2, 0.4, 0.6, 0.8, 1):
        parts += [line(left, y(tick), wide - right, y(tick), INK if tick == 0 else GRID), text(left - 6, y(tick) + 4, f"{tick:g}", 11, "end")]
    parts += [text(x(devices), high - bottom + 17, str(devices), 11, "middle") for devices in DEVICES] + [text(wide - right, high - 8, "GPUs", 11, "end")]
    for i, (n, colour) in enumerate(SIZES.items()):
        own = [(x(d), y(rows[n, 1] / d / rows[n, d])) for d in DEVICES]
        parts.append(f'<polyline points="{" ".join(f"{a:.1f},{b:.1f}" for a, b in own)}" fill="none" stroke="{colour}" stroke-width="1.5" stroke-dasharray="5 3"/>')
        parts.append(text(left + 190 + 190 * i, 38, f"{n} x {n} (line: simulated)", 11, colour=colour))
        parts += [f'<circle cx="{x(d):.1f}" cy="{y(points[n, 1] / d / t):.1f}" r="4" fill="{colour}"/>'
                  for (size, d), t in points.items() if size == n and (n, 1) in points and d in DEVICES]
    parts.append(text(left, 38, "dots: measured (H200)", 11))
    return drawing(wide, high, parts, "Speed of sgeqrf_host for each of several GPUs")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="write nothing; fail if what is there is not what would be written")
    check, rate = parser.parse_args().check, rates()
    points = measured()
    rows = {(n, d): seconds(n, d, rate) for n in SIZES for d in DEVICES}
    lines = ["# sgeqrf_host of one n x n matrix, simulated by scripts/simulate_host.py with the rates of geqrf_host_trace.json: "
             + ", ".join(f"{name} {value / 1e9:.0f}" for name, value in rate.items()) + " (GFlop/s, GB/s)",
             "n,devices,width,seconds,efficiency,measured_seconds"]
    lines += [f"{n},{d},{width(n, d)},{t:.3f},{rows[n, 1] / d / t:.3f},{points.get((n, d), '')}" for (n, d), t in rows.items()]
    texts = {OUT: "\n".join(lines) + "\n", FIGURE: figure(rows, points)}
    for path, content in texts.items():
        if not check:
            path.write_text(content)
        elif path.read_text() != content:
            sys.exit(f"{path.relative_to(ROOT)} is stale: run scripts/simulate_host.py")


if __name__ == "__main__":
    main()
