#!/usr/bin/env bash
# Arranges what cargo built as an install image: scripts/stage.sh RELEASE_FOLDER STAGE [bin=... lib=... include=...
# doc=...]. The image is relocatable: `make install` and CMake copy it, and the C tests and the demo use it in place.
# The last arguments override its folder names. STAGE.files lists its files; the list is written last, so that the image
# is complete if the list exists.
set -euo pipefail
cd "$(dirname "$0")/.."
mkdir -p "$2"
release=$(cd "$1" && pwd)
stage=$(cd "$2" && pwd)
bin=bin lib=lib include=include doc=share/doc/tephra
for layout in "${@:3}"; do
    case $layout in
    bin=* | lib=* | include=* | doc=*) printf -v "${layout%%=*}" %s "${layout#*=}" ;;
    *) echo "stage.sh: $layout is not bin=, lib=, include= or doc=" >&2 && exit 1 ;;
    esac
done
version=$(sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml | head -n 1)
soname=$(scripts/soname.sh)
rm -f "$stage.files"
temp=$(mktemp -d)
trap 'rm -rf "$temp"' EXIT

files=()
put() { # MODE SOURCE PATH; leaves an unchanged file untouched, so that nothing is relinked needlessly
    install -C -D -m "$1" "$2" "$stage/$3"
    files+=("$3")
}
link() { # TARGET PATH
    ln -sfn "$1" "$stage/$2"
    files+=("$2")
}

put 755 "$release/tephra" "$bin/tephra"
put 755 "$release/libtephra.so" "$lib/libtephra.so.$version"
link "libtephra.so.$version" "$lib/$soname"
link "$soname" "$lib/libtephra.so"
put 755 "$release/libtephra_preload.so" "$lib/libtephra_preload.so"
for header in include/*.h include/*.f90; do put 644 "$header" "$include/${header#include/}"; done

# The static library is one object in which only the symbols that libtephra.so exports are visible, so that the Rust
# runtime's symbols do not clash with those of another Rust library in the same program.
archive=$stage/$lib/libtephra.a
if [ "$release/libtephra.a" -nt "$archive" ]; then
    nm -D --defined-only --format=just-symbols "$release/libtephra.so" >"$temp/names"
    { echo 'EXTERN('; cat "$temp/names"; echo ')'; } >"$temp/wanted.ld"
    ld -r --gc-sections --force-group-allocation -o "$temp/tephra.o" "$temp/wanted.ld" "$release/libtephra.a"
    # The .llvm sections hold the standard library's bitcode, which only compilers use.
    objcopy --strip-debug --remove-section=.llvmbc --remove-section=.llvmcmd --keep-global-symbols="$temp/names" "$temp/tephra.o"
    # Remove symbols that only dropped code used. The standard library refers to some of them weakly, and other linkers
    # would treat them as required.
    objcopy --strip-unneeded "$temp/tephra.o"
    (cd "$temp" && ar rcsD libtephra.a tephra.o)
    install -D -m 644 "$temp/libtephra.a" "$archive"
fi
files+=("$lib/libtephra.a")

# Package files, which locate everything else relative to themselves.
fill() { # TEMPLATE FOLDER NAME
    local root
    root=$(realpath -ms --relative-to="/$2" /)
    sed -e "s|@VERSION@|$version|g" -e "s|@ROOT@|$root|g" -e "s|@LIBDIR@|$lib|g" -e "s|@INCLUDEDIR@|$include|g" \
        "$1" >"$temp/filled"
    put 644 "$temp/filled" "$2/$3"
}
fill cmake/TephraConfig.cmake.in "$lib/cmake/Tephra" TephraConfig.cmake
fill cmake/TephraConfigVersion.cmake.in "$lib/cmake/Tephra" TephraConfigVersion.cmake
fill cmake/tephra.pc.in "$lib/pkgconfig" tephra.pc

# README, and everything that it and its pages link to; of the test programs, only those that can be built against an
# installation.
pages=(README.md LICENSE THIRD-PARTY.txt)
declare -A seen=()
while [ ${#pages[@]} -gt 0 ]; do
    page=${pages[0]}
    pages=("${pages[@]:1}")
    [ -z "${seen[$page]:-}" ] || continue
    seen[$page]=1
    if [ -d "$page" ]; then
        mapfile -t -O ${#pages[@]} pages < <(find "$page" -type f -not -path "*/__pycache__/*" -not -path "c_tests/kernels/*" | LC_ALL=C sort)
        continue
    fi
    put 644 "$page" "$doc/$page"
    case $page in *.md)
        while read -r target; do
            pages+=("$(realpath -ms --relative-to=. "$(dirname "$page")/$target")")
        done < <(grep -oE '\]\([^)#:]+[)#]' "$page" | sed -E 's/^..(.*).$/\1/' | sort -u)
        ;;
    esac
done

# Remove files of an earlier layout.
printf '%s\n' "${files[@]}" | LC_ALL=C sort >"$temp/files"
(cd "$stage" && find . ! -type d -printf '%P\n') | LC_ALL=C sort | LC_ALL=C comm -23 - "$temp/files" |
    while IFS= read -r stale; do rm -f "$stage/$stale"; done
find "$stage" -mindepth 1 -type d -empty -delete
mv "$temp/files" "$stage.files"
