"""`python -m tephra` runs the tephra command-line program: check, bench, explain, info ..."""
from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

from . import _library


def program() -> str | None:
    """Finds the program that matches the library: next to TEPHRA_LIBRARY if that is set, else in the wheel; then on
    PATH."""
    named = os.environ.get("TEPHRA_LIBRARY")  # empty: as if it were not set, as in _library.py
    places = [] if named else [Path(__file__).parent / "bin"]
    if named and "/" in named:  # the loader does not look for any other name in the current folder
        folder = Path(named).resolve().parent
        places = [folder, folder.parent / "bin"]
    for place in places:
        found = place / "tephra"
        if found.is_file() and os.access(found, os.X_OK):  # folders have X_OK as well
            return str(found)
    return shutil.which("tephra")


def main() -> None:
    found = program()
    if found is None:
        sys.exit("the tephra program is not in this package, and not on PATH")
    os.environ["TEPHRA_LIBRARY"] = _library.PATH
    sys.stdout.flush()
    os.execv(found, ["tephra", *sys.argv[1:]])


if __name__ == "__main__":
    main()
