#!/bin/bash
# Whole programs by chance as a driver ran them: tests/recordings/whole.txt.xz has a hash of what came out of each.
# Every 23rd of each run; all of them with LONG=1. What share of them the evaluator computes as the driver did is the
# number that holds today; which ones is nobody's business: users' programs decide about the model of the compiler.
# cost: 25
. tests/cli/tap.inc
GP5=${GP5:-$B/gp5}
LEAST=97 LEAST_OF_A_RUN=75

# The runs one by one: $work/N holds the N-th.
xz -dc tests/recordings/whole.txt.xz | awk -v folder="$work" -v step="$(short_or_long 23 1)" '
    /^run / { close(file); file = folder "/" ++n; row = 0; print >file; next }
    /^[0-9]/ && n && row++ % step == 0 { print >file }'
n=$(find "$work" -name '[0-9]*' | wc -l)
check "runs are recorded" test "$n" -ge 250
for ((i = 1; i <= n; i++)); do
    options=$(sed -n '1s/^run //p' "$work/$i")
    sed 1d "$work/$i" >"$work/recorded"
    check "$options: programs are recorded" test "$(wc -l <"$work/recorded")" -ge "$(short_or_long 19 450)"
    # shellcheck disable=SC2086
    "$GP5" fuzz --eval --plain $options --replay="$work/recorded" >"$work/out" 2>"$work/err"
    check "$options: status" test $? -le 1
    read -r same different <<<"$(sed -n 's/.* programs, \([0-9]*\) the same .*, \([0-9]*\) different, .*/\1 \2/p' \
        "$work/err")"
    check "$options: ${same:-none} of $((same + different)) are the driver's" \
        test "${same:-0}" -gt 0 -a $((same * 100)) -ge $(((same + different) * LEAST_OF_A_RUN))
    echo "$same $different" >>"$work/sums"
done
awk -v least="$LEAST" '{ same += $1; all += $1 + $2 } END {
    printf "%d of %d, %.2f %% (%s %% are asked for)\n", same, all, 100 * same / all, least
    exit !(all > 10000 && 100 * same >= least * all) }' "$work/sums" >"$work/sum"
status=$?
equals "all of them: $(cat "$work/sum")" 0 $status
done_testing
