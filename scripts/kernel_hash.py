#!/usr/bin/env python3
"""Prints the hash of the sources that the GPU report vouches for.

build.rs computes the same and embeds it in the library (`tephra info`, tephra_build_info()): SHA-256 over each file's
path, a NUL byte, its content, a NUL byte; files in the byte order of their paths relative to the repository.
"""
import hashlib
import os
import stat
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FOLDERS = ("kernels", "src/backend/cuda", "src/plan")
FILES = ("build.rs",)


def kernel_hash(root=ROOT):
    paths = [f for f in FILES if (root / f).is_file()]
    for folder in FOLDERS:
        for where, _, names in os.walk(root / folder):
            for name in names:
                path = os.path.join(where, name)
                if stat.S_ISREG(os.lstat(path).st_mode):
                    paths.append(os.path.relpath(path, root).replace(os.sep, "/"))
    digest = hashlib.sha256()
    for path in sorted(paths, key=os.fsencode):
        digest.update(os.fsencode(path) + b"\0" + (root / path).read_bytes() + b"\0")
    return digest.hexdigest()


if __name__ == "__main__":
    print(kernel_hash())
