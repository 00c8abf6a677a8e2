#!/usr/bin/env bash
# Copies an install image (scripts/stage.sh) to a prefix, or removes what was installed there:
#
#   scripts/install.sh STAGE PREFIX
#   scripts/install.sh --remove PREFIX
#
# If DESTDIR is set, it is prepended to PREFIX. Each file is written next to the one it replaces and renamed over it, so
# that programs that have the old one open keep it. PREFIX/share/tephra/installed lists the files for --remove.
set -euo pipefail
fail() { printf '%s\n' "$*" >&2; exit 1; }
list=share/tephra/installed

if [ "$1" = --remove ]; then
    prefix=${DESTDIR:-}$2
    [ -f "$prefix/$list" ] || fail "Tephra is not installed below $prefix: there is no $list"
    while IFS= read -r file; do
        rm -f "$prefix/$file"
    done <"$prefix/$list"
    { sed 's|/[^/]*$||' "$prefix/$list"; echo "${list%/*}"; } >"${folders:=$(mktemp)}"
    rm -f "$prefix/$list"
    # Remove Tephra's own folders if they are empty, but never shared ones such as lib or include.
    LC_ALL=C sort -ru "$folders" | while IFS= read -r folder; do
        while [[ $folder == */[Tt]ephra* ]]; do
            rmdir "$prefix/$folder" 2>/dev/null || break
            folder=${folder%/*}
        done
    done
    rm -f "$folders"
    echo "removed Tephra from $prefix"
    exit
fi

stage=$1 prefix=${DESTDIR:-}$2
[ -f "$stage.files" ] || fail 'Nothing has been built: run make first (make CUDA=0 for the CPU backend alone), then make install.'

place() { # SOURCE TARGET
    local folder=${2%/*} new
    [ -d "$folder" ] || install -d -m 755 "$folder"
    new=$folder/.tephra.$$
    rm -f "$new"
    cp -P --preserve=mode,timestamps "$1" "$new"
    mv -fT "$new" "$2"
}
while IFS= read -r file; do
    place "$stage/$file" "$prefix/$file"
done <"$stage.files"

# Files of an earlier version that still exist stay on the list.
known=$(mktemp)
trap 'rm -f "$known"' EXIT
{
    cat "$stage.files"
    [ ! -f "$prefix/$list" ] || while IFS= read -r file; do
        [ ! -e "$prefix/$file" ] && [ ! -L "$prefix/$file" ] || printf '%s\n' "$file"
    done <"$prefix/$list"
} | LC_ALL=C sort -u >"$known"
chmod 644 "$known"
place "$known" "$prefix/$list"
echo "installed $(wc -l <"$stage.files") files below $prefix"

# The loader finds libraries through its cache, so that must be updated.
lib=$(sed -n 's|/libtephra\.so$||p' "$stage.files")
if [ -z "${DESTDIR:-}" ]; then
    # No `grep -q` at the end of a pipe: it stops at the first match, and under pipefail ldconfig's SIGPIPE then counts.
    if [ "$(id -u)" = 0 ] && [ -n "$(ldconfig -v -N 2>/dev/null | grep "^$(realpath "$prefix/$lib"):")" ]; then
        ldconfig
    else
        echo "programs find the library when they are linked with -Wl,-rpath,$prefix/$lib"
    fi
fi
