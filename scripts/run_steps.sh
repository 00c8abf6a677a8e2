#!/usr/bin/env bash
# Runs make targets in turn, and finally prints how many seconds each took: scripts/run_steps.sh TARGET...
#
# A target with a leading @ runs in the background at low priority, alongside those that follow. Its output is printed
# at the end: all of it if it fails, else the last line. After the first failure no further target is started.
set -uo pipefail
cd "$(dirname "$0")/.."
make=${MAKE:-make}
log=$(mktemp -d)
trap 'rm -rf "$log"' EXIT
rows=() beside=() failed=

report() { # TARGET STATUS SECONDS NOTE
    rows+=("$(printf '%6d s  %s%s' "$3" "$1" "$4")")
    [ "$2" = 0 ] || failed="$failed $1"
}
for target in "$@"; do
    if [ "${target#@}" != "$target" ]; then
        target=${target#@}
        beside+=("$target")
        (
            start=$SECONDS
            nice -n 10 $make --no-print-directory "$target" >"$log/$target" 2>&1
            echo "$? $((SECONDS - start))" >"$log/$target.end"
        ) &
        continue
    fi
    start=$SECONDS
    $make --no-print-directory "$target"
    report "$target" $? $((SECONDS - start)) ''
    [ -z "$failed" ] || break
done
wait
for target in ${beside[@]+"${beside[@]}"}; do
    read -r status seconds <"$log/$target.end"
    if [ "$status" = 0 ]; then tail -n 1 "$log/$target"; else cat "$log/$target"; fi
    report "$target" "$status" "$seconds" ', beside others'
done
printf '%s\n' "${rows[@]}"
printf '%6d s  in all\n' $SECONDS
[ -z "$failed" ] || { echo "FAILED:$failed" >&2; exit 1; }
