#!/bin/bash
# What gp5 check does grows with the text and not faster: instructions as valgrind counts them, over texts of the shapes of
# tests/test_linear.c, one eight times as long as the other. Twice as many a byte would be too many; nothing is timed.
# timeout: 300
. tests/tap.inc
B=${B:-build}
if ! command -v valgrind >/dev/null 2>&1; then
    skip "instructions a byte" "no valgrind"
    done_testing
fi
if [ "${SAN:-0}" = 1 ]; then
    skip "instructions a byte" "valgrind and sanitizers exclude each other"
    done_testing
fi
# instructions FILE
instructions() {
    valgrind --tool=callgrind --callgrind-out-file=/dev/null "$B/gp5" "$verb" "$1" 2>&1 >/dev/null |
        sed -n 's/.*Collected : \([0-9]*\).*/\1/p'
}
: >"$work/empty"
for verb in check stats; do
    none=$(instructions "$work/empty")
    for ((shape = 0; ; shape++)); do
        "$B/tests/test_linear" $shape 20000 >"$work/small" || break
        "$B/tests/test_linear" $shape 160000 >"$work/large"
        small=$((($(instructions "$work/small") - none) * 100 / $(stat -c %s "$work/small")))
        large=$((($(instructions "$work/large") - none) * 100 / $(stat -c %s "$work/large")))
        check "$verb, shape $shape: $((small / 100)) and $((large / 100)) instructions a byte" test $large -lt $((small * 2))
        [ $verb = stats ] && [ $shape = 5 ] && break    # what follows is invalid, and not counted
    done
done
done_testing
