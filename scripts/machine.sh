#!/usr/bin/env bash
# Prints make settings for building the demo on this machine: kernels for its GPUs or, without a GPU, the CPU backend
# alone (with a note on standard error), unless kernels have already been built here.
set -euo pipefail
cd "$(dirname "$0")/.."
if command -v nvidia-smi >/dev/null && nvidia-smi --query-gpu=compute_cap --format=csv,noheader 2>/dev/null | grep -q '^ *[0-9]'; then
    echo CUDA=1 TEPHRA_CUDA_ARCHS=native
elif [ -f "${CARGO_TARGET_DIR:-target}/release/kernels.txt" ]; then
    echo CUDA=1
else
    echo 'There is no GPU here, so the demo is built with the CPU backend alone: about two minutes. To build the kernels as well: make demo CUDA=1' >&2
    echo CUDA=0
fi
