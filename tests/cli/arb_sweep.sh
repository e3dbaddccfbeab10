#!/bin/sh
# ARB vertex and fragment programs on this machine's driver and the reference: every opcode with every mask, swizzle and
# sign. make check takes 600 cases of each stage, make check-long 50,000. tests/tools/arb_sweep.c has the rules.
# cost: 8
. tests/cli/tap.inc
B=${B:-build}
count=$(short_or_long 600 50000)
# The rules are those of Mesa's software driver; what hardware makes of each instruction stands in recordings.
if ! gp5 info 2>/dev/null | grep -q llvmpipe; then skip "ARB programs" "there is no llvmpipe here"; done_testing; fi
for stage in vertex fragment; do
    "$B/tests/arb_sweep" --stage=$stage --count="$count" >"$work/out"
    status=$?
    if [ $status = 77 ]; then skip "ARB $stage programs" "no GL context opens"; continue; fi
    equals "ARB $stage programs: $(tail -n 1 "$work/out")" 0 $status
    [ $status = 0 ] || note "$(tail -n 40 "$work/out")"
    check "all cases ran" grep -q "^$stage: $count cases, .* 0 different" "$work/out"
done
done_testing
