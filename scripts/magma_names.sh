#!/usr/bin/env bash
# Creates a folder in which programs that look for MAGMA find Tephra under MAGMA's names:
#
#   scripts/magma_names.sh PREFIX [FOLDER]             FOLDER is below PREFIX, where Tephra is installed; the default
#                                                      is lib/tephra/magma
#   scripts/magma_names.sh --remove PREFIX [FOLDER]    removes it
#
# If DESTDIR is set, it is prepended to PREFIX. Pass the folder to such programs as MAGMA_DIR.
set -euo pipefail
umask 022 # everybody may read what is installed
cd "$(dirname "$0")/.."
fail() { printf '%s\n' "$*" >&2; exit 1; }
remove=
if [ "$1" = --remove ]; then remove=1 && shift; fi
prefix=${DESTDIR:-}$1 folder=${2:-lib/tephra/magma}
root=$prefix/$folder
# Those of MAGMA's headers whose functions Tephra has at least in part.
headers=(magma.h magma_v2.h magma_config.h magma_types.h magma_auxiliary.h magma_copy.h magmablas.h magma_batched.h
    magma_vbatched.h)
for letter in s d c z; do headers+=("magma_$letter.h" "magmablas_$letter.h" "magma_${letter}batched.h" "magma_${letter}vbatched.h"); done
own=(tephra_magma.h tephra_cublas.h)
# With -DMAGMA_DIR, CMake looks for package files in the folder itself only.
package_files=({lib/cmake/MAGMA/,}MAGMAConfig{,Version}.cmake)

# The link is created first and removed last, so that it marks a folder of this script's, even after an interruption.
link=$root/lib/libmagma.so
is_ours() { [ -L "$link" ] && [[ $(basename "$(readlink "$link")") == libtephra.so* ]]; }

if [ -n "$remove" ]; then
    is_ours || fail "There is no MAGMA by Tephra in $root: lib/libmagma.so is not a link to libtephra.so"
    for header in "${headers[@]}" "${own[@]}"; do rm -f "$root/include/$header"; done
    rm -f "$root"/lib/libtephra.so.* "$root"/lib/pkgconfig/magma.pc "${package_files[@]/#/$root/}"
    rm -f "$link"
    find "$root" -depth -type d -empty -delete
    echo "removed MAGMA's names from $root"
    exit
fi

installed=$prefix/share/tephra/installed
[ -f "$installed" ] || fail "Tephra is not installed below $prefix: run make install with the same PREFIX first"
library=$prefix/$(grep -m 1 '/libtephra\.so$' "$installed")
soname=$(basename "$(grep -m 1 '/libtephra\.so\.[0-9.]*$' "$installed")")
include=$prefix/$(dirname "$(grep -m 1 '/tephra_magma\.h$' "$installed")")
version=$(sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml | head -n 1)
# The version of MAGMA whose interface the header declares.
number() { sed -n "s/^#define MAGMA_VERSION_$1 \([0-9]*\)$/\1/p" include/tephra_magma.h; }
major=$(number MAJOR) minor=$(number MINOR) micro=$(number MICRO)
magma=$major.$minor.$micro
[[ $magma =~ ^[0-9]+\.[0-9]+\.[0-9]+$ ]] || fail "include/tephra_magma.h does not say which MAGMA it is of"

# The links below would otherwise replace the files that they refer to.
if [ "$(realpath -m "$root/lib")" = "$(realpath -m "$(dirname "$library")")" ] || [ "$(realpath -m "$root/include")" = "$(realpath -m "$include")" ]; then
    fail "$root is where Tephra itself is installed: MAGMA's names need a folder of their own"
fi
if ! is_ours; then
    for file in lib/libmagma.{so,a} lib/pkgconfig/magma.pc "${package_files[@]}" "${headers[@]/#/include/}"; do
        [ ! -e "$root/$file" ] && [ ! -L "$root/$file" ] || fail "$root has $file of another MAGMA, which this would replace: choose another folder"
    done
fi
install -d "$root"/include "$root"/lib/pkgconfig "$root"/lib/cmake/MAGMA
ln -sfn "$(realpath -ms --relative-to="$root/lib" "$library")" "$link"
for header in "${own[@]}"; do ln -sfn "$(realpath -ms --relative-to="$root/include" "$include/$header")" "$root/include/$header"; done
for header in "${headers[@]}"; do
    guard=$(tr a-z. A-Z_ <<<"$header")
    sed -e "s/@NAME@/$header/; s/@GUARD@/$guard/; s/@MAJOR@/$major/; s/@MINOR@/$minor/; s/@MICRO@/$micro/" \
        cmake/magma/magma_v2.h.in >"$root/include/$header"
done
# Programs linked with libmagma.so ask for the library by the name in it, and their build systems let them search this folder.
ln -sfn "$(realpath -ms --relative-to="$root/lib" "$library")" "$root/lib/$soname"
fill() { sed -e "s/@VERSION@/$version/; s/@MAGMA_VERSION@/$magma/; s/@MAJOR@/$major/" "cmake/magma/$1.in" >"$root/$2/$1"; }
fill magma.pc lib/pkgconfig
fill MAGMAConfig.cmake lib/cmake/MAGMA
fill MAGMAConfigVersion.cmake lib/cmake/MAGMA
for file in MAGMAConfig{,Version}.cmake; do
    printf 'include("${CMAKE_CURRENT_LIST_DIR}/lib/cmake/MAGMA/%s")\n' "$file" >"$root/$file"
done
echo "MAGMA's names are in $root: pass that folder to programs as MAGMA_DIR"
