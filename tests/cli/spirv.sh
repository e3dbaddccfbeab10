#!/bin/bash
# Subgroup operations in groups of 4, 8 and 16 lanes, on llvmpipe, in SPIR-V: compared with the reference, and what is
# not sound held against the table of docs/subgroups.md. tests/tools/subgroup_spirv_run.c says how.
# cost: 18
#
#   tests/cli/spirv.sh [quick|run]      the cases that tests take (the default), or all
#   tests/cli/spirv.sh table            the table's rows
. tests/cli/tap.inc
B=${B:-build}
mode=${1:-quick}
[ "$mode" = table ] && run=quick || run=$mode
# Of three sizes of vectors the usual one; all, and what is not sound, with LONG=1.
sizes="4 8 16"
[ "$mode" != quick ] || [ "${LONG:-0}" != 0 ] || sizes=8

findings() { awk -F'\t' -f tests/cli/findings.awk "$work/results.4" "$work/results.8" "$work/results.16"; }

# Two at a time.
for size in $sizes; do
    [ "$size" = 16 ] && wait -n
    { "$B/tests/subgroup_spirv_run" "$run" "$size" >"$work/results.$size" 2>"$work/errors.$size";
        echo $? >"$work/status.$size"; } &
done
wait
status=$(sort -n "$work"/status.* | tail -n 1)
if [ "$status" = 77 ]; then
    skip "subgroup operations in SPIR-V" "$(sed -n '1s/\t/ /gp' "$work/results.8") is no llvmpipe with ARB_gl_spirv"
    done_testing
fi
if [ "$mode" = table ]; then
    findings
    exit "$status"
fi
first=$work/results.${sizes%% *}
version=$(sed -n '1s/.*\t//p' "$first") renderer=$(sed -n '1p' "$first" | cut -f3)
llvm=$(printf '%s' "$renderer" | sed 's/.*(\(LLVM [0-9.]*\).*/\1/')
for size in $sizes; do
    equals "the cases of $size lanes are run" 0 "$(cat "$work/status.$size")"
    [ ! -s "$work/errors.$size" ] || note "$(cat "$work/errors.$size")"
    read -r cases same allowed undefined wrong < <(awk -F'\t' 'NR > 1 { n++; s += $5; a += $6; u += $7; w += $8 }
        END { print n, s, a, u, w }' "$work/results.$size")
    note "$size lanes: $cases cases; results: $same same, $allowed allowed, $undefined undefined, $wrong wrong"
    # Whatever the driver: most of it is sound, or it is the comparison that is not.
    check "$size lanes: at least 4000 results a lane are as the reference has them" test "$same" -gt $((4000 * size))
done
[ "$sizes" != 8 ] || done_testing
findings >"$work/findings"
sed -n '/^## llvmpipe/,/^## /{/^| `/p}' docs/subgroups.md >"$work/documented"
if grep -qF "($llvm, 256 bits)\`, \`$version\`" docs/subgroups.md; then
    check "what is not sound is what docs/subgroups.md lists (else: tests/cli/spirv.sh table)" \
        diff "$work/documented" "$work/findings"
else
    # Another version has other findings, and nobody's build shall break of them: they are shown.
    note "findings of $renderer, $version:"
    note "$(diff "$work/documented" "$work/findings")"
    skip "what is not sound" "docs/subgroups.md lists no findings of $version with $llvm"
fi
done_testing
