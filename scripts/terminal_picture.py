#!/usr/bin/env python3
"""Draws a terminal as an SVG, from the recorded output of a program:

    script -qec 'make demo' build/demo.log
    scripts/terminal_picture.py build/demo.log docs/img/progress.svg [--until TEXT] [--replace THIS=THAT] [--rows N] [--columns N]

`script` (util-linux) records everything that the program writes, including control sequences. Those that make and cargo
use are interpreted: carriage return, erasing to the end of the line, bold and the eight colours; others are dropped.
--until cuts the recording after the first line with this text; --replace substitutes text, such as ~/tephra for the
folder of the recording.
"""
import argparse
import html
import re
from pathlib import Path

COLOURS = ["#24292f", "#ff7b72", "#7ee787", "#e3b341", "#79c0ff", "#d2a8ff", "#76e3ea", "#c9d1d9"]
WIDTH, HEIGHT, MARGIN, BAR = 7.83, 18, 14, 26  # character width at 13 px, line height, margin, height of the title bar
NO_BREAK = "\N{NO-BREAK SPACE}"  # ordinary spaces are dropped at the ends of a line
TOKEN = re.compile(r"\x1b\[([0-9;?]*)([A-Za-z])|\x1b\][^\x07]*\x07|\x1b.|[\r\n]|[^\x1b\r\n]+", re.S)


def screen(text: str) -> list[list[tuple[str, str]]]:
    """The final lines of a terminal, each as its characters with their styles."""
    lines, column, bold, colour = [[]], 0, False, 7
    for token in TOKEN.finditer(text):
        codes, what = token[1], token[2]
        if what == "m":
            for code in [int(c or 0) for c in codes.split(";")]:
                if code in (0, 22, 39):
                    bold, colour = bold and code == 39, 7 if code != 22 else colour
                elif code == 1:
                    bold = True
                elif 30 <= code <= 37 or 90 <= code <= 97:
                    colour = code % 10
        elif what == "K":
            del lines[-1][column:]
        elif token[0] == "\r":
            column = 0
        elif token[0] == "\n":
            lines.append([])
            column = 0
        elif what is None and not token[0].startswith("\x1b"):
            for character in token[0]:
                line = lines[-1]
                line += [(" ", "")] * (column - len(line))
                style = f"fill:{COLOURS[colour]}" + (";font-weight:bold" if bold else "")
                line[column : column + 1] = [(character, style)]
                column += 1
    return lines


def runs(line: list[tuple[str, str]]) -> str:
    """A line as text elements, one per run of equal style."""
    parts = []
    for character, style in line:
        if not parts or parts[-1][1] != style:
            parts.append(["", style])
        parts[-1][0] += character
    return "".join(f'<tspan style="{style}">{html.escape(text).replace(" ", NO_BREAK)}</tspan>' for text, style in parts)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("log", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--until", default="", help="end behind this text")
    parser.add_argument("--replace", metavar="THIS=THAT", action="append", default=[])
    parser.add_argument("--rows", type=int, default=14)
    parser.add_argument("--columns", type=int, default=100)
    args = parser.parse_args()
    text = args.log.read_bytes().decode(errors="replace")
    # Remove the first and last line, which `script` itself writes.
    text = re.sub(r"\AScript started on [^\n]*\n|\s*Script done on [^\n]*\n?\Z", "", text)
    if args.until:
        at = text.index(args.until) + len(args.until)
        text = text[: at + len(re.match(r"[^\r\n]*", text[at:])[0])]
    for pair in args.replace:
        text = text.replace(*pair.split("=", 1))
    lines = [line[: args.columns] for line in screen(text)]
    while lines and not lines[-1]:
        lines.pop()
    lines = lines[-args.rows :]
    width, height = args.columns * WIDTH + 2 * MARGIN, len(lines) * HEIGHT + 2 * MARGIN + BAR
    picture = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0f}" height="{height}" viewBox="0 0 {width:.0f} {height}">',
        f'<rect width="{width:.0f}" height="{height}" rx="8" fill="#0d1117" stroke="#30363d"/>',
        *(f'<circle cx="{MARGIN + 4 + 18 * i}" cy="17" r="5.5" fill="{c}"/>' for i, c in enumerate(("#ff5f57", "#febc2e", "#28c840"))),
        '<g font-family="ui-monospace,SFMono-Regular,Menlo,Consolas,\'DejaVu Sans Mono\',monospace" font-size="13">',
    ]
    for number, line in enumerate(lines):
        if line:
            # textLength keeps the columns aligned in any font.
            y, length = BAR + MARGIN + 13 + number * HEIGHT, len(line) * WIDTH
            picture.append(f'<text x="{MARGIN}" y="{y}" textLength="{length:.1f}">{runs(line)}</text>')
    args.out.parent.mkdir(parents=True, exist_ok=True)
    args.out.write_text("\n".join([*picture, "</g>", "</svg>", ""]))


if __name__ == "__main__":
    main()
