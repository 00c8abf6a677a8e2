"""Charts as SVG, written without a plotting library, so that the text is the same on every machine and --check can
compare it."""
import math
from xml.sax.saxutils import escape

from performance.data import PRECISIONS, geometric_mean, number

PROGRAMS = "docs/img/programs.svg"
# Okabe and Ito's colours, which most people with colour vision deficiencies can distinguish.
COLOURS = {"s": "#0072b2", "d": "#d55e00", "c": "#009e73", "z": "#cc79a7"}
WAYS = {"preload": ("#e69f00", "same program, LD_PRELOAD"), "tephra": ("#0072b2", "Python package")}
INK, GRID = "#333333", "#dddddd"


def milliseconds(value):
    """A time as text, such as 2.5 ms, 0.25 ms or 145 ms."""
    return f"{value:.0f} ms" if value >= 99.5 else f"{value:.1f} ms" if value >= 9.95 else f"{value:.2g} ms"


def text(x, y, words, size=12, anchor="start", colour=INK, weight="normal"):
    return (f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size}" text-anchor="{anchor}" fill="{colour}" font-weight="{weight}">{escape(words)}</text>')


def line(x1, y1, x2, y2, colour=GRID, width=1.0):
    return f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" stroke="{colour}" stroke-width="{width}"/>'


def drawing(width, height, parts, title):
    return "\n".join([f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" role="img" '
                      f'font-family="sans-serif">', f"<title>{escape(title)}</title>",
                      f'<rect width="{width}" height="{height}" rx="6" fill="#ffffff"/>', *parts, "</svg>", ""])


def ticks(low, high):
    """The ticks 1, 2, 5, 10, ... within the range of a logarithmic axis."""
    values = [m * 10.0**e for e in range(-3, 5) for m in (1, 2, 5)]
    return [v for v in values if low <= v <= high]


def ratios(title, table):
    """A chart of a routine's ratios by size: one dot per case, one line per precision."""
    order = lambda r: int(r["m"] if r["op"] == "trsm" else r["n"])
    points = [(order(r), float(r["ahead"]), r["precision"]) for r in table]
    width, height, left, right, top, bottom = 640, 300, 48, 16, 40, 40
    sizes, values = [p[0] for p in points], [p[1] for p in points]
    low, high = min(0.8, min(values) / 1.08), max(2.2, max(values) * 1.1)
    first, last = math.log(min(sizes)), math.log(max(max(sizes), min(sizes) + 1))
    x = lambda n: left + (math.log(n) - first) / (last - first) * (width - left - right - 16) + 8
    y = lambda v: height - bottom - (math.log(v) - math.log(low)) / (math.log(high) - math.log(low)) * (height - top - bottom)
    parts = [text(left, 20, f"{title}: times as fast as the fastest other library", 13, weight="bold")]
    for v in ticks(low, high):
        parts += [line(left, y(v), width - right, y(v)), text(left - 6, y(v) + 4, f"{v:g}", 11, "end")]
    for n in (1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096):
        if min(sizes) <= n <= max(sizes):
            parts += [line(x(n), height - bottom, x(n), height - bottom + 4, INK), text(x(n), height - bottom + 17, str(n), 11, "middle")]
    parts += [line(left, y(1), width - right, y(1), INK, 2), text(width - right, height - 6, "order" if table[0]["op"] == "trsm" else "columns", 11, "end")]
    for i, (precision, name) in enumerate(PRECISIONS.items()):
        own = [(n, v) for n, v, p in points if p == precision]
        if not own:
            continue
        colour = COLOURS[precision]
        parts += [f'<circle cx="{x(n):.1f}" cy="{y(v):.1f}" r="2" fill="{colour}" fill-opacity="0.35"/>' for n, v in own]
        means = [(n, geometric_mean([v for m, v in own if m == n])) for n in sorted({n for n, _ in own})]
        path = " ".join(f"{x(n):.1f},{y(v):.1f}" for n, v in means)
        parts += [f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="1.8"/>',
                  line(left + 130 * i, height - 10, left + 130 * i + 18, height - 10, colour, 3), text(left + 130 * i + 23, height - 6, name, 11)]
    return drawing(width, height, parts, f"{title}: times as fast as the fastest other library, by size")


def programs(found, device):
    """A chart of whole programs: two bars each, for the speedup over PyTorch alone, on a logarithmic axis that starts
    at 1 or below."""
    row, top, left, width = 46, 66, 250, 760
    height = top + row * len(found) + 34
    values = [ms["torch"] / ms[way] for ms in found.values() for way in WAYS if way in ms]
    low, high = min(0.8, min(values) / 1.1), max(values) * 1.15
    right = width - 170
    x = lambda v: left + (math.log(v) - math.log(low)) / (math.log(high) - math.log(low)) * (right - left)
    parts = [text(16, 24, "Whole PyTorch programs, times as fast as with torch alone", 15, weight="bold"),
             text(16, 44, device, 11)]
    for i, (colour, name) in enumerate(WAYS.values()):
        parts += [f'<rect x="{left + 190 * i}" y="35" width="12" height="10" fill="{colour}"/>', text(left + 190 * i + 17, 44, name, 11)]
    bottom = top + row * len(found)
    for v in (v for v in ticks(low, high) if len(ticks(low, high)) < 12 or math.log10(v).is_integer()):
        parts += [line(x(v), top - 6, x(v), bottom, INK if v == 1 else GRID, 2 if v == 1 else 1), text(x(v), bottom + 16, f"{v:g}", 11, "middle")]
    for i, ((name, size), ms) in enumerate(found.items()):
        y = top + row * i
        parts += [text(left - 10, y + 15, name, 12, "end", weight="bold"), text(left - 10, y + 30, size, 11, "end")]
        for j, (way, (colour, _)) in enumerate(WAYS.items()):
            if way not in ms:
                continue
            ratio = ms["torch"] / ms[way]
            a, b = sorted((x(1), x(ratio)))
            parts += [f'<rect x="{a:.1f}" y="{y + 3 + 17 * j:.1f}" width="{max(b - a, 1.0):.1f}" height="14" fill="{colour}"/>',
                      text(max(b, x(1)) + 6, y + 14 + 17 * j, f"{number(str(ratio))} ({milliseconds(ms['torch'])} to {milliseconds(ms[way])})", 11)]
    return drawing(width, height, parts, "Whole PyTorch programs, times as fast as with torch alone")
