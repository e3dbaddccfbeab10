#!/bin/bash
# Whole programs as a driver ran them: tests/recordings/whole.txt.xz has a hash of what came out of each, and
# whole.unlike.txt those that the evaluator is known to compute otherwise. Every 23rd of each run; all of them with
# LONG=1.
# cost: 25
. tests/cli/tap.inc
GP5=${GP5:-$B/gp5}

# The runs one by one, marked: $work/N holds the N-th.
xz -dc tests/recordings/whole.txt.xz | awk -v folder="$work" -v step="$(short_or_long 23 1)" '
    FNR == NR && /^run / { options = $0; next }
    FNR == NR { for (i = 1; i <= NF; i++) unlike[options, $i]; next }
    /^run / { close(file); options = $0; file = folder "/" ++n; row = 0; print >file; next }
    /^[0-9]/ && n && row++ % step == 0 { print $0 ((options, $1) in unlike ? " unlike" : "") >file }
    ' tests/recordings/whole.unlike.txt -
n=$(find "$work" -name '[0-9]*' | wc -l)
check "runs are recorded" test "$n" -ge 250
for ((i = 1; i <= n; i++)); do
    options=$(sed -n '1s/^run //p' "$work/$i")
    sed 1d "$work/$i" >"$work/recorded"
    check "$options: programs are recorded" test "$(wc -l <"$work/recorded")" -ge "$(short_or_long 19 450)"
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
