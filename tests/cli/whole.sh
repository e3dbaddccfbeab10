#!/bin/sh
# Whole programs as a driver ran them: tests/recordings/whole.txt has a hash of what came out of each, and which of
# them the evaluator is known to compute otherwise. Every 23rd of each run; all of them with LONG=1.
# cost: 32
. tests/cli/tap.inc
GP5=${GP5:-$B/gp5}
RECORDING=tests/recordings/whole.txt

# The n-th `run` line up to the next.
section() { awk -v n="$1" '/^run /{k++} k==n' "$RECORDING"; }

n=$(grep -c '^run ' "$RECORDING")
check "runs are recorded" test "$n" -ge 7
for i in $(seq 1 "$n"); do
    section "$i" >"$work/section"
    options=$(sed -n 's/^run //p' "$work/section")
    grep '^[0-9]' "$work/section" >"$work/run"
    check "$options: programs are recorded" test "$(wc -l <"$work/run")" -ge 450
    sample 23 <"$work/run" >"$work/recorded"
    # shellcheck disable=SC2086
    "$GP5" fuzz --eval --plain $options --replay="$work/recorded" --record="$work/now" >"$work/out" 2>"$work/err"
    check "$options: status" test $? -le 1
    note "$(cat "$work/err")"
    # What is "unlike" may come to be like; the rest stays.
    grep -v unlike "$work/recorded" >"$work/alike"
    grep -v unlike "$work/now" | grep -Fxf "$work/alike" >"$work/still"
    check "$options: what gave the same still does" cmp "$work/alike" "$work/still"
    diff "$work/alike" "$work/still" | sed -n 's/^/# /;1,10p'
    note "$(($(grep -c unlike "$work/recorded") - $(grep -c unlike "$work/now"))) of those that differ do not any more"
done
done_testing
