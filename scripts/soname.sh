#!/usr/bin/env bash
# Prints the library's SONAME, for scripts that install or package it; src/library/build.rs sets it.
set -euo pipefail
version=$(sed -n 's/^version = "\(.*\)"/\1/p' "$(dirname "$0")/../Cargo.toml" | head -n 1)
# Before 1.0, a minor release may break the ABI, so it is part of the SONAME.
case $version in
0.*) echo "libtephra.so.${version%.*}" ;;
*) echo "libtephra.so.${version%%.*}" ;;
esac
