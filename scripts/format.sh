#!/usr/bin/env bash
# Formats all tracked sources; with --check, only checks that they are formatted.
set -euo pipefail
cd "$(dirname "$0")/.."
check=${1:-}
mapfile -t sources < <(git ls-files '*.c' '*.h' '*.cpp' '*.cu' '*.cuh' '*.hpp' ':!include/tephra.h')
cargo fmt --all ${check:+-- --check}
cargo fmt --all --manifest-path rust/Cargo.toml ${check:+-- --check}
if [ ${#sources[@]} -gt 0 ]; then
    "$(scripts/setup.sh --path clang-format)" $([ -n "$check" ] && echo --dry-run --Werror || echo -i) "${sources[@]}"
fi
