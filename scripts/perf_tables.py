#!/usr/bin/env python3
"""Writes docs/performance.md, the pages and charts below it, and the tables in README.md and other pages, from the CSV
files under results/.

Every figure on those pages comes from here: run `make performance` after a benchmark. `make test` checks (--check) that
the pages match the committed files. The parts are in scripts/performance/.
"""
import argparse
import sys

from gpu_state import ROOT
from performance import blocks, chart, summary, sweeps, tables
from performance.studies import PAGES

PAGE, FOLDER = "docs/performance.md", "docs/performance"
# What follows the cases on a routine's page.
MORE = {"geqrf": tables.kblas, "large": tables.cusolver_versions}


def wanted():
    """{path: text} of all files to be written."""
    found = {f"{FOLDER}/{page.name}.md": tables.page_of(page, MORE.get(page.name, list)()) for page in PAGES}
    found |= {f"{FOLDER}/vbatched.md": tables.different_sizes(), f"{FOLDER}/inputs.md": sweeps.inputs_page(),
              f"{FOLDER}/energy.md": sweeps.energy_page(), f"{FOLDER}/programs.md": summary.programs_page()}
    found = {path: text for path, text in found.items() if text}
    found |= {f"docs/img/ratio-{page.name}.svg": chart.ratios(page.title, rows) for page, rows in summary.routines()}
    programs, device = summary.programs()
    if programs:
        found[chart.PROGRAMS] = chart.programs(programs, device)
    titles = {f"{FOLDER}/{page.name}.md": page.title for page in PAGES}
    charted = {f"{FOLDER}/{page.name}.md" for page, _ in summary.routines()}
    others = [(text.splitlines()[0].lstrip("# ").removesuffix(": figures"), path.rsplit("/", 1)[1].removesuffix(".md"))
              for path, text in found.items() if path.endswith(".md") and path not in charted]
    found[PAGE] = summary.overview([(titles.get(f"{FOLDER}/{name}.md", title), name) for title, name in others])
    return found | blocks.filled()


def stale(found):
    """Existing pages and charts that are no longer generated."""
    here = [*(ROOT / FOLDER).glob("*.md"), *(ROOT / "docs/img").glob("ratio-*.svg"), *(ROOT / "docs/img").glob("programs.svg")]
    return [path for path in here if str(path.relative_to(ROOT)) not in found]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="only tell whether the pages are up to date")
    args = parser.parse_args()
    found = wanted()
    for path in stale(found):
        if args.check:
            sys.exit(f"{path.relative_to(ROOT)} has no results: run make performance")
        path.unlink()
    for name, text in found.items():
        path = ROOT / name
        if not args.check:
            path.parent.mkdir(exist_ok=True)
            path.write_text(text)
        elif not path.is_file() or path.read_text() != text:
            sys.exit(f"{name} is not what results/ say: run make performance")


if __name__ == "__main__":
    main()
