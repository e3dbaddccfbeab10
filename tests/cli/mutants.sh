#!/bin/sh
# Texts that people wrote, broken in up to three places, beside Mesa: 99.9 % of the verdicts agree. What `gp5 fuzz
# --syntax FILE...` makes is always the same. piglit's texts are among them where they are installed.
# cost: 3
. tests/cli/tap.inc
B=${B:-build}
GP5=${GP5:-$B/gp5}
tests/tools/seeds "$work/seeds" arb
check "there are texts" test "$(ls "$work/seeds" | wc -l)" -ge 80
"$GP5" fuzz --syntax --seed=7 --count=40 --broken=70 --jsonl "$work"/seeds/* >"$work/a"
"$GP5" fuzz --syntax --seed=7 --count=20 --first=20 --broken=70 --jsonl "$work"/seeds/* >"$work/b"
check "program N is always the same" sh -c 'tail -n 20 "$1" | cmp - "$2"' - "$work/a" "$work/b"
check "most of them are broken" test "$(grep -c '"[0-9]*/[a-z0-9]*/-"' "$work/a")" -lt 20
"$GP5" fuzz --syntax --count=2 --judge "$work/nowhere" >"$work/out" 2>&1
equals "a file that is not there: status" 2 $?
count=2000
[ "${LONG:-0}" = 0 ] || count=20000
"$GP5" fuzz --syntax --seed=34 --count=$count --broken=70 --driver=egl "$work"/seeds/* >"$work/unlike" 2>"$work/sum"
status=$?
if [ $status = 77 ]; then
    skip "beside Mesa" "no context"
elif ! "$GP5" info 2>/dev/null | grep -q llvmpipe; then
    skip "beside Mesa" "the driver here is another one"
else
    alike=$(sed -n 's/.* driver too, \([0-9]*\) alike.*/\1/p' "$work/sum")
    check "Mesa and gp5 agree on 99.9 % of $count" test "$((alike * 1000))" -ge "$((count * 999))"
    note "$(cat "$work/sum")"
    note "$(head -n 5 "$work/unlike" | cut -c 1-300)"
fi
done_testing
