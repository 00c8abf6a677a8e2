#!/usr/bin/env bash
# Generates the C header of the native API: scripts/header.sh OUTPUT. `make header`, and `make check-header`, which
# fails when the committed one is stale.
#
# The functions come out of macros, so rustc has to expand src/abi/native/ before cbindgen reads it; that output
# is a nightly feature, which RUSTC_BOOTSTRAP switches on in a stable compiler. Its build results have their own
# folder, so that they do not disturb the others.
set -euo pipefail
cd "$(dirname "$0")/.."
output=$(realpath -m "${1:?usage: scripts/header.sh OUTPUT}")
target=$(realpath -m "${CARGO_TARGET_DIR:-target}")/header
cargo build --quiet --locked --manifest-path src/header/Cargo.toml --target-dir "$target"
RUSTC_BOOTSTRAP=1 CARGO_EXPAND_TARGET_DIR="$target/expand" "$target/debug/tephra-header" "$output"
