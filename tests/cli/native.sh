#!/bin/sh
# What leaves machine code, of the works that are measured and of compiled programs: memory, what looks at other lanes,
# and little else.
. tests/cli/tap.inc
CENSUS=$B/tests/native_census

# Names of steps that are no machine code, a line each.
left() {
    awk 'NR > 1 && $2 + $3 > 0 && !/ all of / { sub(/^ *[0-9]+ +[0-9]+ +[0-9]+ +/, ""); print }' | sort | tr '\n' ';'
}

for level in avx512 avx2; do
    "$CENSUS" --level=$level --bench >"$work/bench" 2>"$work/err"
    status=$?
    if [ $status = 77 ]; then
        skip "$level" "not on this machine"
        continue
    fi
    equals "$level: the works are looked at" 0 $status
    check "$level: they have steps" awk '/ all of 17 programs/ && $1 > 3000 { found = 1 } END { exit !found }' \
        "$work/bench"
    equals "$level: what leaves it of the works" "BAR;REP;load;shuffle;store;texture;" "$(left <"$work/bench")"
    "$CENSUS" --level=$level tests/corpus/asm/*.cp >"$work/compiled" 2>"$work/err"
    equals "$level: compiled programs are looked at" 0 $?
    equals "$level: what leaves it of them" \
        "ADD.F64;BAR;CVT.F64U32;MATCH;MOV.F64;TRUNC.U64;atomic;load;shuffle;store;vote;" "$(left <"$work/compiled")"
done
done_testing
