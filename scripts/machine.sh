#!/usr/bin/env bash
# What the demo is built with on this machine, as settings for make: kernels for the GPUs that are here; without a GPU and
# without nvcc the CPU backend alone. Says so on standard error.
set -euo pipefail
cd "$(dirname "$0")/.."
if command -v nvidia-smi >/dev/null && nvidia-smi --query-gpu=compute_cap --format=csv,noheader 2>/dev/null | grep -q '^ *[0-9]'; then
    echo CUDA=1 TEPHRA_CUDA_ARCHS=native
elif scripts/setup.sh --path nvcc >/dev/null; then
    echo CUDA=1
else
    echo 'There is no GPU and no nvcc here: the CPU backend alone. For the kernels, too: make demo CUDA=1 (fetches nvcc).' >&2
    echo CUDA=0
fi
