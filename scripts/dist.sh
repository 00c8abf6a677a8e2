#!/usr/bin/env bash
# Builds the files of a release: scripts/dist.sh RELEASE_FOLDER OUT
#
#   tephra-VERSION-linux-MACHINE.tar.gz   an install image that can be moved anywhere
#   *.deb                                 libtephra0.N (libraries), libtephra-dev (headers, static library, package files), tephra (program, pages)
#   libtephra-*.whl                       Python, if scripts/wheel.sh has put it into OUT
#   tephra-VERSION-source.tar.gz          the committed tree with its crates: `make CUDA=0` builds it without network
#   access recipe.yaml, package.py               recipes for that archive, for conda-forge and Spack
#   (scripts/recipes.py) SHA256SUMS
#
# The archives have the last commit's time and fixed owners, so that the same commit gives the same files.
set -euo pipefail
cd "$(dirname "$0")/.."
release=$(realpath "$1")
mkdir -p "$2"
out=$(realpath "$2")
version=$(sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml | head -n 1)
machine=$(uname -m)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct)
export SOURCE_DATE_EPOCH
archive() { # FOLDER NAME: packs a folder into OUT/NAME.tar.gz
    tar -C "$(dirname "$1")" --sort=name --owner=0 --group=0 --numeric-owner --mtime="@$SOURCE_DATE_EPOCH" -cf - "$(basename "$1")" |
        gzip -9n >"$out/$2.tar.gz"
}

# ---- the binary archive
image=$work/tephra-$version-linux-$machine
scripts/stage.sh "$release" "$image"
archive "$image" "$(basename "$image")"

# ---- Debian packages
if command -v dpkg-deb >/dev/null; then
    triplet=$(gcc -print-multiarch)
    soname=$(scripts/soname.sh)
    library=libtephra${soname#libtephra.so.}
    debian=$work/debian
    scripts/stage.sh "$release" "$debian/image/usr" lib="lib/$triplet"
    rm "$debian/image/usr.files"
    glibc=$(objdump -T "$release/libtephra.so" "$release/tephra" | grep -o 'GLIBC_[0-9.]*' | sort -uV | tail -n 1)
    package() { # NAME DEPENDS SECTION TEXT PATTERN...: moves the matching files out of the image
        local name=$1 depends=$2 section=$3 text=$4 root=$debian/$1 file
        shift 4
        mkdir -p "$root/DEBIAN" "$root/usr/share/doc/$name"
        (cd "$debian/image" && find . \( -type f -o -type l \) -printf '%P\n') | while IFS= read -r file; do
            for pattern in "$@"; do
                # shellcheck disable=SC2053
                [[ $file == $pattern ]] || continue
                mkdir -p "$root/$(dirname "$file")"
                mv "$debian/image/$file" "$root/$file"
                break
            done
        done
        cat LICENSE THIRD-PARTY.txt >"$root/usr/share/doc/$name/copyright"
        printf 'tephra (%s) unstable; urgency=medium\n\n  * CHANGELOG.md of the package tephra lists the changes.\n\n -- %s  %s\n' \
            "$version" "$(sed -n 's/^Maintainer: //p' packaging/debian/control.in)" "$(LC_ALL=C date -uRd "@$SOURCE_DATE_EPOCH")" |
            gzip -9n >"$root/usr/share/doc/$name/changelog.gz"
        sed -e "s|@NAME@|$name|; s|@VERSION@|$version|; s|@ARCHITECTURE@|$(dpkg --print-architecture)|; s|@DEPENDS@|$depends|" \
            -e "s|@SECTION@|$section|; s|@SIZE@|$(du -k -s --apparent-size "$root" | cut -f1)|; s|@TEXT@|$text|" packaging/debian/control.in >"$root/DEBIAN/control"
        [ "$section" != libs ] || echo 'activate-noawait ldconfig' >"$root/DEBIAN/triggers"
        [ "$section" != libs ] || echo "libtephra ${soname#libtephra.so.} $name (>= $version)" >"$root/DEBIAN/shlibs"
        [ ! -d "$root/usr/lib" ] || find "$root/usr/lib" -type f -exec chmod 644 {} +
        [ "$section" != libs ] || sed -i "s|^Section:|Provides: libtephra0 (= $version)\nSection:|" "$root/DEBIAN/control"
        find "$root" -exec touch -hd "@$SOURCE_DATE_EPOCH" {} +
        dpkg-deb --root-owner-group -Zxz --build "$root" "$out" >/dev/null
    }
    c="libc6 (>= ${glibc#GLIBC_}), libgcc-s1"
    package "$library" "$c" libs "the libraries" "usr/lib/$triplet/libtephra.so.*" "usr/lib/$triplet/libtephra_preload.so"
    package libtephra-dev "$library (= $version)" libdevel "headers, static library, CMake and pkg-config files" "usr/include/*" "usr/lib/$triplet/*"
    package tephra "$library (= $version), $c" math "the tephra program and the documentation" "usr/bin/*" "usr/share/*"
    left=$(find "$debian/image" ! -type d)
    [ -z "$left" ] || { echo "dist.sh: no package has $left" >&2 && exit 1; }
fi

# ---- the source archive
source=$work/tephra-$version
mkdir "$source"
git archive HEAD | tar -x -C "$source"
mkdir -p "$source/.cargo"
(cd "$source" && cargo vendor --locked --versioned-dirs --sync rust/Cargo.toml vendor >"$work/sources.toml" 2>/dev/null)
{ echo && cat "$work/sources.toml"; } >>"$source/.cargo/config.toml"
cp packaging/SOURCES.md "$source/SOURCES.md"
archive "$source" "tephra-$version-source"
scripts/recipes.py "$out/tephra-$version-source.tar.gz" "$out"

(cd "$out" && rm -f SHA256SUMS && sha256sum -- *.tar.gz recipe.yaml package.py $(ls -- *.deb *.whl 2>/dev/null) >"$work/sums" && mv "$work/sums" SHA256SUMS)
ls -l "$out"
