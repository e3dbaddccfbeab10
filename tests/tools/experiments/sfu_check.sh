#!/bin/sh
# Compares the approximated functions with a driver's over COUNT consecutive floats, by default all there are:
#
#   tests/tools/experiments/sfu_check.sh [-s START] [-n COUNT] [FUNCTION...]
#
# FUNCTION: RCP RSQ EX2 LG2 SIN COS, and these with .F16; default: the first six. Nothing is kept on disk: results
# (4 bytes a float) go through a pipe. B is the build folder, BATCH the program that runs batches. One line a function;
# the status is 1 where results differ, 2 where not all came.
set -u
start=0 count=0x100000000
while getopts s:n: option; do
    case $option in
    s) start=$OPTARG ;;
    n) count=$OPTARG ;;
    *) exit 2 ;;
    esac
done
shift $((OPTIND - 1))
[ $# -gt 0 ] || set -- RCP RSQ EX2 LG2 SIN COS
B=${B:-build}
batch=${BATCH:-$B/tests/gp5-batch}
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT

status=0
for function; do
    "$B/experiments/sweep" batch "$function" "$start" "$count" |
        $batch --raw=/dev/fd/3 3>&1 >"$work/ran" |
        "$B/experiments/sweep" check "$function" "$start" - >"$work/said"
    this=$?
    cat "$work/said"
    # A program that did not run leaves a gap.
    if ! tail -n 1 "$work/said" | grep -q ": $((count)) results,"; then
        echo "$function: not all of $((count)) results came; the first that did not run:"
        grep -v '"status":"ran"' "$work/ran" | head -n 1
        this=2
    fi
    [ $this -le $status ] || status=$this
done
exit $status
