#!/usr/bin/env bash
# Generates the C header of the native API: scripts/header.sh OUTPUT. Used by `make header`, and by `make check-header`,
# which fails if the committed header is stale.
#
# The functions are defined by macros, so rustc must expand src/abi/native/ before cbindgen can read it. Printing the
# expansion is a nightly feature, which RUSTC_BOOTSTRAP enables in a stable compiler. It has its own target folder, so
# that it does not invalidate other builds.
set -euo pipefail
cd "$(dirname "$0")/.."
output=$(realpath -m "${1:?usage: scripts/header.sh OUTPUT}")
target=$(realpath -m "${CARGO_TARGET_DIR:-target}")/header
cargo build --quiet --locked --manifest-path src/header/Cargo.toml --target-dir "$target"
RUSTC_BOOTSTRAP=1 CARGO_EXPAND_TARGET_DIR="$target/expand" "$target/debug/tephra-header" "$output"
