#!/usr/bin/env python3
"""Fills in the recipes for conda-forge and Spack in packaging/: scripts/recipes.py SOURCE_ARCHIVE OUT

Writes OUT/recipe.yaml and OUT/package.py for the source archive of a release. The environment variable RELEASE_URL is
where the release's files will be, without a trailing slash; by default it is the archive's current location, so that
the recipes can be tried. HOMEPAGE and MAINTAINER, a GitHub name, are required by both collections. Lines whose value is
not set are left out.
"""
import hashlib
import os
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def main(archive: Path, out: Path) -> None:
    soname = subprocess.run([ROOT / "scripts/soname.sh"], capture_output=True, text=True, check=True).stdout.strip()
    values = {
        "VERSION": re.fullmatch(r"tephra-(.+)-source\.tar\.gz", archive.name)[1],
        "SONAME": soname.removeprefix("libtephra.so."),
        "URL": os.environ.get("RELEASE_URL") or archive.resolve().parent.as_uri(),
        "SHA256": hashlib.sha256(archive.read_bytes()).hexdigest(),
        "HOMEPAGE": os.environ.get("HOMEPAGE", ""),
        "MAINTAINER": os.environ.get("MAINTAINER", ""),
    }
    for template in ("conda/recipe.yaml", "spack/package.py"):
        text = (ROOT / "packaging" / template).read_text()
        text = re.sub(r"^# `make dist` fills in .*\n", "", text, flags=re.M)
        for name, value in values.items():
            if not value:
                # Also remove the headings of lists and blocks that become empty.
                text = re.sub(rf"^extra:\n  recipe-maintainers:\n    - @{name}@\n|^.*@{name}@.*\n(?:\n(?=    \w))?", "", text, flags=re.M)
            text = text.replace(f"@{name}@", value)
        left = re.findall(r"@\w+@", text)
        assert not left, f"{template}: {left}"
        (out / Path(template).name).write_text(text.rstrip("\n") + "\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
