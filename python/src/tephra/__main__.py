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
    places = [Path(__file__).parent / "bin"]
    if "TEPHRA_LIBRARY" in os.environ:
        folder = Path(os.environ["TEPHRA_LIBRARY"]).resolve().parent
        places = [folder, folder.parent / "bin"]
    for place in places:
        if os.access(place / "tephra", os.X_OK):
            return str(place / "tephra")
    return shutil.which("tephra")


def main() -> None:
    found = program()
    if found is None:
        sys.exit("the tephra program is not in this package, and not on PATH")
    os.environ.setdefault("TEPHRA_LIBRARY", _library.PATH)
    sys.stdout.flush()
    os.execv(found, ["tephra", *sys.argv[1:]])


if __name__ == "__main__":
    main()
