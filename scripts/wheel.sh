#!/usr/bin/env bash
# The Python wheel:
#
#   scripts/wheel.sh RELEASE_FOLDER OUT    builds it with the library that cargo built
#   scripts/wheel.sh --test OUT            installs it in a new environment and runs the package's tests there
#   scripts/wheel.sh --native              builds the compiled modules for the package in the source tree
set -euo pipefail
cd "$(dirname "$0")/.."
python=$(scripts/setup.sh --path python-env)

# compiled SOURCE INCLUDE OUT. The file is replaced by renaming, because a process may have it loaded.
compiled() {
    ${CC:-cc} -std=c11 -O2 -shared -fPIC -fvisibility=hidden -s -I"$2" "$1" -o "$3.new" && mv "$3.new" "$3"
}

# The fast path for calls on PyTorch tensors: one module for every Python from 3.10 on.
native() {
    local include
    include=$("$python" -c 'import sysconfig; print(sysconfig.get_path("include"))')
    if [ ! -f "$include/Python.h" ]; then
        echo "no $include/Python.h (python3-dev has it): without the compiled module calls cost the host more" >&2
        return 1
    fi
    compiled python/src/tephra/_native.c "$include" "$1/_native.abi3.so"
}

# The handlers for compiled JAX programs: one file for every Python and JAX. Its only header comes with jaxlib.
handlers() {
    local include
    include=$("$python" -c 'import jax; print(jax.ffi.include_dir())')
    compiled python/src/tephra/jax/handlers.c "$include" "$1/jax/tephra_jax.so"
}

if [ "$1" = --native ]; then
    native python/src/tephra
    handlers python/src/tephra
    exit
fi
if [ "$1" = --test ]; then
    out=$(realpath "$2")
    "$python" -m venv --clear "$out/env"
    # Take NumPy, JAX and PyTorch from the environment that built the wheel, but the package only from the wheel.
    site=$("$python" -c 'import site; print(site.getsitepackages()[0])')
    "$out/env/bin/python" -m pip --quiet --disable-pip-version-check install --no-deps --no-index --force-reinstall "$out"/libtephra-*.whl
    tests=$PWD/python/tests run=$PWD/scripts/python_tests.py
    cd "$out" # away from the sources, so that the installed package is found
    env -u TEPHRA_LIBRARY -u LD_LIBRARY_PATH PYTHONPATH="$site" "$out/env/bin/python" "$run" "$tests"
    exit
fi

release=$(realpath "$1")
mkdir -p "$2"
out=$(realpath "$2")
copy=$(mktemp -d)
trap 'rm -rf "$copy"' EXIT
cp -R python/pyproject.toml python/setup.py python/README.md python/src Cargo.toml LICENSE THIRD-PARTY.txt "$copy"
rm -rf "$copy/src/tephra/lib" "$copy/src/tephra/_native.abi3.so" "$copy/src/tephra/jax/tephra_jax.so"
mkdir -p "$copy"/src/tephra/{lib,bin}
# The library is copied under its SONAME.
library=$copy/src/tephra/lib/$(scripts/soname.sh)
program=$copy/src/tephra/bin/tephra
cp "$release/libtephra.so" "$library"
install -m 755 "$release/tephra" "$program"
strip --strip-unneeded "$library" "$program" 2>/dev/null || true
rm -f "$out"/*tephra-*.whl
native "$copy/src/tephra" || echo 'a wheel without the compiled module' >&2
handlers "$copy/src/tephra"
rm -f "$copy"/src/tephra/{_native.c,jax/handlers.c}
mapfile -t modules < <(find "$copy/src/tephra" -name '*.so')
# The platform tag names the oldest C library that has all symbols that the binaries need.
glibc=$(objdump -T "$library" "$program" "${modules[@]}" | grep -o 'GLIBC_[0-9.]*' | sort -uV | tail -n 1)
WHEEL_PLATFORM=manylinux_$(tr . _ <<<"${glibc#GLIBC_}")_$(uname -m)
export WHEEL_PLATFORM
"$python" -m pip --quiet --disable-pip-version-check wheel --no-deps --no-build-isolation --wheel-dir "$out" "$copy"
ls -l "$out"/libtephra-*.whl
