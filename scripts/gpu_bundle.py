#!/usr/bin/env python3
"""Collects what scripts/gpu_check.py needs on a GPU machine without a toolchain: both libraries, the handlers of
tephra.jax if they have been compiled, the tephra program, the Rust test programs, the C programs and the demo, all
stripped.

    gpu_bundle.py --release target/release --programs build/c_tests build/demo_test --out FOLDER -- cargo test FLAGS...
"""
import argparse
import os
import shutil
import subprocess
import sys
from pathlib import Path

from gpu_state import LAUNCHES, test_programs

LIMIT_MIB = 72  # uncompressed; about half of that when compressed for transfer
# Programs that only run on the build machine: they need the sources or Fortran's runtime, or test the loader and not
# the GPU.
HERE_ONLY = {"memory_client", "fortran_client", "fortran_generics", "magma_threads", "mpi_client", "plugin_host", "pkg_config_client",
             "preload_client", "preload_client_both", "preload_exit", "preload_names"}


def put(source, target):
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copy2(source, target)
    if shutil.which("strip"):
        subprocess.run(["strip", "--strip-unneeded", target], check=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--release", type=Path, required=True, help="cargo's output folder")
    parser.add_argument("--programs", type=Path, nargs="*", default=[], help="folders of C programs")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("cargo_test", nargs=argparse.REMAINDER, help="-- cargo test ...")
    args = parser.parse_args()

    shutil.rmtree(args.out, ignore_errors=True)
    soname = subprocess.run([Path(__file__).with_name("soname.sh")], check=True, stdout=subprocess.PIPE, text=True).stdout
    put(args.release / "libtephra.so", args.out / "lib" / soname.strip())
    put(args.release / "libtephra_preload.so", args.out / "lib/libtephra_preload.so")
    put(args.release / "tephra", args.out / "bin/tephra")
    handlers = Path(__file__).parent.parent / "python/src/tephra/jax/tephra_jax.so"
    if handlers.is_file():
        put(handlers, args.out / "lib" / handlers.name)
    # The state that the report will cover.
    shutil.copy(args.release / "kernels.txt", args.out / "kernels.txt")
    shutil.copy(LAUNCHES, args.out / "launches.txt")
    for name, path in test_programs([a for a in args.cargo_test if a != "--"]):
        put(path, args.out / "tests" / name)
    for folder in args.programs:
        for path in sorted(folder.iterdir()):
            if path.is_file() and os.access(path, os.X_OK) and path.suffix == "" and path.name not in HERE_ONLY \
                    and not path.name.startswith("kernels_"):  # these run kernels on the host
                put(path, args.out / "programs" / path.name)

    size = sum(p.stat().st_size for p in args.out.rglob("*") if p.is_file() and not p.is_symlink()) / 2**20
    print(f"{args.out}: {size:.1f} MiB")
    if size > LIMIT_MIB:
        sys.exit(f"the bundle is larger than {LIMIT_MIB} MiB")


if __name__ == "__main__":
    main()
