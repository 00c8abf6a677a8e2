#!/usr/bin/env python3
"""Writes THIRD-PARTY.txt: the licences of the crates that are linked into the libraries and the program.

Run `make notices` after a change of dependencies; `make test` checks (--check) that the file matches Cargo.lock. The
texts are taken from the crates themselves. Where a crate offers a choice, MIT is taken.
"""
import argparse
import json
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
OUT = ROOT / "THIRD-PARTY.txt"
SHIPPED = ("tephra", "tephra-preload", "tephra-cli")
# The Rust standard library is linked as well, but cargo does not list its parts.
STANDARD = """The Rust standard library (MIT OR Apache-2.0), with the crates that are part of it

  Rust            Copyright (c) The Rust Project Contributors
  backtrace, cfg-if, rustc-demangle
                  Copyright (c) 2014 Alex Crichton
  libc            Copyright (c) 2014-2020 The Rust Project Developers
  hashbrown       Copyright (c) 2016 Amanieu d'Antras
  gimli           Copyright (c) 2015 The Rust Project Developers
  addr2line       Copyright (c) 2016-2018 The gimli Developers
  object          Copyright (c) 2015 The Gimli Developers
  memchr          Copyright (c) 2015 Andrew Gallant
  miniz_oxide     Copyright (c) 2017 Frommi, Copyright (c) 2017-2024 oyvindln
  adler2          Copyright (c) Jonas Schievink and contributors

"""
LINE = "=" * 100


def cargo(*arguments):
    return subprocess.run(["cargo", *arguments], cwd=ROOT, check=True, stdout=subprocess.PIPE, text=True).stdout


def linked():
    """cargo's descriptions of the third-party packages that are linked, without build tools and macros."""
    shipped = [word for package in SHIPPED for word in ("-p", package)]
    tree = cargo("tree", "--locked", *shipped, "-e", "normal,no-proc-macro", "--prefix", "none", "--format", "{p}")
    wanted = {tuple(line.split()[:2]) for line in tree.splitlines() if line.strip() and "(/" not in line}
    host = re.search(r"host: (.*)", subprocess.run(["rustc", "-vV"], check=True, stdout=subprocess.PIPE, text=True).stdout)[1]
    packages = json.loads(cargo("metadata", "--locked", "--format-version=1", "--filter-platform", host))["packages"]
    found = {(p["name"], "v" + p["version"]): p for p in packages if p["source"]}
    return [found[key] for key in sorted(wanted)]


def texts(package):
    """The texts of a crate's licence files; only MIT's if there is a choice."""
    folder = Path(package["manifest_path"]).parent
    files = sorted(f for f in folder.iterdir() if re.match(r"(?i)(licen[sc]e|copying|notice|copyright)", f.name))
    mit = [f for f in files if "mit" in f.name.lower()]
    chosen = (mit if mit and "MIT" in package["license"] else files)
    if not chosen:
        sys.exit(f"{package['name']} {package['version']} ({package['license']}) carries no licence text")
    return "\n\n".join("\n".join(line.rstrip() for line in f.read_text().strip().splitlines()) for f in chosen)


def document():
    """The document, in which crates with the same text share it."""
    groups = {}
    for package in linked():
        groups.setdefault(texts(package), []).append(f"{package['name']} {package['version']} ({package['license']})")
    mit = next(text for text in groups if "Permission is hereby granted, free of charge" in text)
    terms = mit[mit.index("Permission is hereby granted"):]
    parts = ["libtephra.so, libtephra.a, libtephra_preload.so and the tephra program contain the following software.\n"
             "Written by scripts/notices.py; do not edit.", STANDARD + terms]
    parts += ["\n".join(names) + "\n\n" + text for text, names in sorted(groups.items(), key=lambda group: group[1])]
    return f"\n\n{LINE}\n".join(parts) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="only tell whether the file is up to date")
    wanted = document()
    if not parser.parse_args().check:
        OUT.write_text(wanted)
    elif not OUT.is_file() or OUT.read_text() != wanted:
        sys.exit("THIRD-PARTY.txt does not fit the crates that are linked: run make notices")


if __name__ == "__main__":
    main()
