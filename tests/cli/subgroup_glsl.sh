#!/bin/bash
# The recorded run of every subgroup built-in of GLSL on NVIDIA's driver (tests/recordings/subgroup_glsl.digest.xz),
# replayed: the reference and the recorded differences give the recorded bits, and what differs is what
# docs/subgroups.md lists.
#
#   tests/cli/subgroup_glsl.sh table    the table's rows
. tests/cli/tap.inc
B=${B:-build}
xz -dc tests/recordings/subgroup_glsl.digest.xz >"$work/digest" || exit 2
"$B/tests/subgroup_glsl_replay" <"$work/digest" >"$work/results.32" 2>"$work/errors"
status=$?
awk -F'\t' '$4 != "rejected"' "$work/results.32" >"$work/ran.32"
awk -F'\t' -f tests/cli/findings.awk "$work/ran.32" >"$work/findings"
if [ "${1:-}" = table ]; then
    cat "$work/findings"
    exit $status
fi
equals "each case's bits are those of the reference, with the recorded differences" 0 "$status"
[ "$status" = 0 ] || note "$(head -n 20 "$work/errors")"
read -r cases same allowed undefined wrong < <(awk -F'\t' 'NR > 1 { n++; s += $5; a += $6; u += $7; w += $8 }
    END { print n, s, a, u, w }' "$work/ran.32")
equals "2326 cases ran" 2326 "$cases"
note "results: $same same, $allowed allowed, $undefined undefined, $wrong wrong"
sed -n '/^## NVIDIA/,/^## /{/^| `/p}' docs/subgroups.md >"$work/documented"
check "what differs is what docs/subgroups.md lists (else: tests/cli/subgroup_glsl.sh table)" \
    diff "$work/documented" "$work/findings"
# Sums and products of floats: which order, told apart by their bits (zeros of either sign count as the same).
awk -F'\t' '$11 != "-" && NR > 1 { type = $2; sub(/ .*/, "", type); n[type " " $11]++ }
    END { for (k in n) print k, n[k] }' \
    "$work/ran.32" | sort >"$work/orders"
printf '%s\n' $(sed -n 's/^Orders: `\(.*\)`\.$/\1/p' docs/subgroups.md | tr ' ' _ | tr ',' '\n') | sed 's/^_//' |
    tr _ ' ' >"$work/documented"
check "the orders of sums and products are those that it lists" diff "$work/documented" "$work/orders"
changed=$(sed '0,/\tran\t[0-9a-f]/s//&f/' "$work/digest" | "$B/tests/subgroup_glsl_replay" 2>/dev/null >"$work/none";
    echo $?)
equals "a recording with another hash is refused" 1 "$changed"
sed '5d' "$work/digest" | "$B/tests/subgroup_glsl_replay" >"$work/none" 2>&1
equals "and one without a case" 2 $?
done_testing
