#!/usr/bin/env bash
# Finds the tools that the build and the tests need, and fetches those that are missing.
#
#   scripts/setup.sh TOOL...        make each tool available
#   scripts/setup.sh --path TOOL    print its path (nothing, and status 1, if it is missing)
#
# TOOL: nvcc lapack cublas-headers clang-format cmake gfortran g++ clang pkg-config mpi python-env python-torch dist
#
# Python wheels are unpacked into .tools/ (ignored by git, removed by `make distclean`); only compilers and pkg-config
# need the system's package manager. Tools that are already installed are used as they are.
set -euo pipefail
cd "$(dirname "$0")/.."
tools=$PWD/.tools

# The versions of everything that is fetched.
cuda_wheels=('nvidia-cuda-nvcc==13.0.*' 'nvidia-cuda-crt==13.0.*' 'nvidia-nvvm==13.0.*' 'nvidia-cuda-runtime==13.0.*'
    'nvidia-cuda-cccl==13.0.*')
cublas_wheel=nvidia-cublas==13.0.2.14
lapack_wheel='scipy-openblas32>=0.3.27'
clang_format_wheel=clang-format==19.1.7
cmake_wheel='cmake==3.31.*'
python_wheels=('numpy>=1.24' 'setuptools>=77,<82' jax 'mypy>=1.11')
torch_wheel='torch==2.11.*'
# A linker that can target old C libraries, a checker of wheels' platforms, and a reader of conda's recipes.
dist_wheels=('ziglang==0.17.*' 'cargo-zigbuild==0.24.*' 'auditwheel==6.*' pyelftools packaging 'py-rattler-build==0.73.*')

say() { printf 'setup: %s\n' "$*" >&2; }

# Prints the first argument that is an executable file.
first_executable() {
    local p
    for p in "$@"; do
        [ -f "$p" ] && [ -x "$p" ] && { printf '%s\n' "$p"; return; }
    done
    return 1
}

find_nvcc() {
    first_executable ${NVCC:+"$(command -v "$NVCC" || true)"} ${CUDA_HOME:+"$CUDA_HOME/bin/nvcc"} \
        "$(command -v nvcc || true)" /usr/local/cuda/bin/nvcc "$tools/cuda/nvidia/cu13/bin/nvcc"
}
find_lapack() {
    local p
    for p in ${TEPHRA_LAPACK:+"$TEPHRA_LAPACK"} "$tools"/lapack/scipy_openblas32/lib/libscipy_openblas*.so; do
        [ -f "$p" ] && { printf '%s\n' "$p"; return; }
    done
    return 1
}
# Prints the include folder.
find_cublas-headers() {
    local dir=$tools/cublas-headers/nvidia/cu13/include
    [ -f "$dir/cublas_v2.h" ] && printf '%s\n' "$dir"
}
# Formatting differs between versions, so only the pinned one is used.
find_clang-format() { first_executable "$tools/clang-format/clang_format/data/bin/clang-format"; }
find_cmake() { first_executable "$(command -v cmake || true)" "$tools/cmake/cmake/data/bin/cmake"; }
# A virtual environment with the dependencies of the Python package's build and tests.
find_python-env() {
    local python=$tools/python-env/bin/python
    [ -x "$python" ] && "$python" -c 'import numpy, setuptools, jax, mypy' 2>/dev/null && printf '%s\n' "$python"
}
# PyTorch in that environment: 3 GB with NVIDIA's libraries, without which it cannot be imported.
find_python-torch() {
    local python
    python=$(find_python-env) && "$python" -c 'import torch' 2>/dev/null && printf '%s\n' "$python"
}
find_dist() { [ -d "$tools/dist/rattler_build" ] && first_executable "$tools/dist/bin/cargo-zigbuild"; }
find_gfortran() { first_executable "$(command -v "${FC:-gfortran}" || true)"; }
find_g++() { first_executable "$(command -v "${CXX:-g++}" || true)"; }
# Debian's packages of later versions have the version in the program's name.
find_clang() { first_executable "$(command -v clang || true)" /usr/bin/clang-[1-9][0-9]; }
# MPI's compiler wrapper, if mpirun is there as well.
find_mpi() {
    command -v mpirun >/dev/null && first_executable "$(command -v "${MPICC:-mpicc}" || true)"
}
find_pkg-config() { first_executable "$(command -v pkg-config || true)"; }

# Runs a command as root; returns 1 if that is impossible.
as_root() {
    if [ "$(id -u)" = 0 ]; then "$@"; elif command -v sudo >/dev/null; then sudo -n "$@"; else return 1; fi
}

apt_install() {
    command -v apt-get >/dev/null || return 1
    say "apt-get install $*"
    as_root env DEBIAN_FRONTEND=noninteractive apt-get -qq -o DPkg::Lock::Timeout=300 update >&2 || true
    as_root env DEBIAN_FRONTEND=noninteractive apt-get -qq -y --no-install-recommends \
        -o DPkg::Lock::Timeout=300 install "$@" >&2
}

have_pip() { python3 -m pip --version >/dev/null 2>&1; }

# wheels FOLDER WHEEL...: unpacks wheels into .tools/FOLDER, either all or none.
wheels() {
    local dest=$tools/$1 temp
    shift
    have_pip || apt_install python3 python3-pip || { say "python3 with pip is needed"; return 1; }
    say "fetching $* into ${dest#"$PWD/"}"
    mkdir -p "$tools"
    temp=$(mktemp -d "$tools/fetch.XXXXXX")
    if python3 -m pip --quiet --disable-pip-version-check --no-input install --root-user-action=ignore --no-deps --no-compile \
        --only-binary=:all: --target "$temp" "$@" >&2; then
        rm -rf "$dest"
        chmod 755 "$temp"
        mv "$temp" "$dest"
    else
        rm -rf "$temp"
        return 1
    fi
}

fetch_dist() { wheels dist "${dist_wheels[@]}"; }
fetch_nvcc() { wheels cuda "${cuda_wheels[@]}"; }
fetch_lapack() { wheels lapack "$lapack_wheel"; }
# The wheel has 400 MB of libraries, of which only the headers are kept. They include headers of the CUDA runtime.
fetch_cublas-headers() {
    wheels cublas-headers "$cublas_wheel" "${cuda_wheels[@]:1}" || return
    rm -rf "$tools"/cublas-headers/nvidia/cu13/{lib,bin,nvvm}
}
fetch_clang-format() { wheels clang-format "$clang_format_wheel"; }
fetch_cmake() { wheels cmake "$cmake_wheel"; }
fetch_python-env() {
    rm -rf "$tools/python-env"
    python3 -m venv "$tools/python-env" >&2 || { apt_install python3-venv && python3 -m venv "$tools/python-env" >&2; } || return
    say "fetching ${python_wheels[*]} into .tools/python-env"
    "$tools/python-env/bin/python" -m pip --quiet --disable-pip-version-check --no-input install "${python_wheels[@]}" >&2
}
fetch_python-torch() {
    find_python-env >/dev/null || fetch_python-env || return
    say "fetching $torch_wheel into .tools/python-env"
    "$tools/python-env/bin/python" -m pip --quiet --disable-pip-version-check --no-input install --no-compile "$torch_wheel" >&2
}
fetch_gfortran() { apt_install gfortran; }
fetch_g++() { apt_install g++; }
fetch_clang() { apt_install clang; }
fetch_mpi() { apt_install mpich libmpich-dev; }
fetch_pkg-config() { apt_install pkg-config; }

# Explains what to do if a tool cannot be fetched.
advice() {
    case $1 in
    nvcc) say 'no nvcc. Either install the CUDA toolkit (13.0 or later) and set NVCC or CUDA_HOME,' \
        'or build without the CUDA backend: make CUDA=0' ;;
    lapack) say 'no LAPACK to compare with. Set TEPHRA_LAPACK to a shared OpenBLAS or LAPACK with 32-bit integers.' ;;
    *) say "no $1. Install it, or leave its tests out: make test SKIP=$1" ;;
    esac
}

if [ "${1:-}" = --path ]; then
    "find_$2"
    exit
fi
for tool in "$@"; do
    "find_$tool" >/dev/null && continue
    "fetch_$tool" && "find_$tool" >/dev/null && continue
    advice "$tool"
    exit 1
done
