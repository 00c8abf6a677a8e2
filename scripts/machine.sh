#!/usr/bin/env bash
# What the demo is built with on this machine, as settings for make: kernels for the GPUs that are here; without a GPU the CPU
# backend alone, unless kernels have been built here before. Says so on standard error.
set -euo pipefail
cd "$(dirname "$0")/.."
if command -v nvidia-smi >/dev/null && nvidia-smi --query-gpu=compute_cap --format=csv,noheader 2>/dev/null | grep -q '^ *[0-9]'; then
    echo CUDA=1 TEPHRA_CUDA_ARCHS=native
elif [ -f "${CARGO_TARGET_DIR:-target}/release/kernels.txt" ]; then
    echo CUDA=1
else
    echo 'There is no GPU here: the demo is built with the CPU backend alone. For the kernels as well (minutes): make demo CUDA=1.' >&2
    echo CUDA=0
fi
