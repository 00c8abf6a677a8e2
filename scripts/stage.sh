#!/usr/bin/env bash
# Lays out what cargo built as an install image: scripts/stage.sh RELEASE_FOLDER STAGE.
# The image can be moved anywhere: `make install` and CMake copy it, the C tests and the demo use it where it is.
set -euo pipefail
release=$1
mkdir -p "$2"
stage=$(cd "$2" && pwd)
release=$(cd "$release" && pwd)
cd "$(dirname "$0")/.."
version=$(sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml | head -n 1)

mkdir -p "$stage"/{bin,include,lib/pkgconfig,lib/cmake/Tephra,share/doc/tephra}
put() { install -C -m "$1" "${@:2}"; } # untouched when unchanged, so that nothing is relinked needlessly

put 755 "$release/tephra" "$stage/bin/tephra"
put 755 "$release/libtephra.so" "$stage/lib/libtephra.so.$version"
ln -sfn "libtephra.so.$version" "$stage/lib/libtephra.so.${version%%.*}"
ln -sfn "libtephra.so.${version%%.*}" "$stage/lib/libtephra.so"
put 755 "$release/libtephra_preload.so" "$stage/lib/libtephra_preload.so"
put 644 include/*.h include/*.f90 "$stage/include"
put 644 LICENSE README.md "$stage/share/doc/tephra"
put 644 cmake/TephraConfig.cmake "$stage/lib/cmake/Tephra"

fill() { sed "s/@VERSION@/$version/g" "$1" >"$2"; }
fill cmake/TephraConfigVersion.cmake.in "$stage/lib/cmake/Tephra/TephraConfigVersion.cmake"
fill cmake/tephra.pc.in "$stage/lib/pkgconfig/tephra.pc"
