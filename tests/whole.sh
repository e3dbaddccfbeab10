#!/bin/sh
# Whole programs as a driver ran them: tests/recordings/whole.txt has the digests of those that the evaluator computed alike.
. tests/tap.inc
GP5=${GP5:-$B/gp5}
RECORDING=tests/recordings/whole.txt

# What is not a section's own is dropped: the n-th `run` line up to the next.
section() { awk -v n="$1" '/^run /{k++} k==n' "$RECORDING"; }

n=$(grep -c '^run ' "$RECORDING")
equals "runs are recorded" 6 "$n"
for i in $(seq 1 "$n"); do
    section "$i" >"$work/section"
    options=$(sed -n 's/^run //p' "$work/section")
    sed -n 's/^except//p' "$work/section" >"$work/except"
    grep '^[0-9]' "$work/section" >"$work/recorded"
    check "$options: digests are recorded" test "$(wc -l <"$work/recorded")" -ge 10
    # shellcheck disable=SC2086
    "$GP5" fuzz --eval --plain $options --digest=50 --except="$work/except" >"$work/now" 2>"$work/err"
    equals "$options: status" 0 $?
    check "$options: the results that the driver gave" cmp "$work/recorded" "$work/now"
done
done_testing
