#!/usr/bin/env bash
# Runs cargo so that minutes of compiling are not silent. The build script of the kernels shows its progress on the
# standard error of this script (kernels/progress.rs). Where that is no terminal, cargo shows no progress itself, so a
# line every half minute says how long it has been at work.
set -euo pipefail
exec 9>&2
export TEPHRA_PROGRESS_FD=9
[ -t 2 ] && exec "$@"
# Waits by reading from a pipe in which nothing arrives: a sleep would outlive this script, and keep the log open.
(
    exec 9>&- 8<> <(:)
    while ! read -r -t 30 -u 8; do echo "still compiling after $SECONDS s" >&2; done
) &
ticker=$!
trap 'kill "$ticker" 2>/dev/null || true' EXIT
"$@"
