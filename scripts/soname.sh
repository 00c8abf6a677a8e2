#!/usr/bin/env bash
# Prints the library's SONAME, for what installs or packs it; src/abi/build.rs gives it to the library.
set -euo pipefail
version=$(sed -n 's/^version = "\(.*\)"/\1/p' "$(dirname "$0")/../Cargo.toml" | head -n 1)
# Before 1.0 a minor release may break programs, so it has a name of its own.
case $version in
0.*) echo "libtephra.so.${version%.*}" ;;
*) echo "libtephra.so.${version%%.*}" ;;
esac
