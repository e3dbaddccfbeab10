#!/bin/sh
# The first look at a driver: what loads, what every pattern of contraction gives, and dense sweeps of the
# approximated functions.   first.sh TOOLS OUT   (TOOLS: a folder with gp5-batch, gp5-gl-worker, patterns, operands, sweep)
set -u
tools=$1 out=$2
here=$(dirname "$0")
work=$(mktemp -d)

for kind in mid nasty; do
    "$tools/operands" $kind 24576 7 > "$work/$kind.bin"
    "$tools/patterns" "$here/contraction.txt" 1024 "$work/$kind.bin" > "$work/$kind.jsonl"
    "$tools/gp5-batch" --raw="$work/patterns-$kind.raw" "$work/$kind.jsonl" > "$work/patterns-$kind.jsonl"
    cp "$work/$kind.bin" "$work/operands-$kind.bin"
done

sweep() { # function first-word count
    "$tools/sweep" batch "$1" "$2" "$3" > "$work/sweep.jsonl"
    rm -f "$work/sweep.raw"
    "$tools/gp5-batch" --raw="$work/sweep.raw" "$work/sweep.jsonl" > "$work/sweep.log" || cat "$work/sweep.log" | cut -c1-300
    "$tools/sweep" pack "$1" "$2" "$work/sweep.raw" > "$work/$1-$2.diff"
    ls -l "$work/sweep.raw" "$work/$1-$2.diff"
}
binade=8388608
sweep RCP 0x3f800000 $binade
sweep RCP 0x40000000 $binade
sweep RSQ 0x3f800000 $((2 * binade))
sweep LG2 0x3f000000 $((3 * binade))
sweep EX2 0x3e000000 $((4 * binade))
sweep EX2 0xbe000000 $((4 * binade))
sweep EX2 0x40000000 $binade
sweep SIN 0x3e000000 $((6 * binade))
sweep COS 0x3e000000 $((6 * binade))
sweep SIN 0xbf800000 $binade

(cd "$work" && tar cf - patterns-* operands-*) | xz -T0 -6 > "$out/patterns.tar.xz"
(cd "$work" && tar cf - RCP* RSQ* LG2*) | xz -T0 -6 > "$out/sweep-a.tar.xz"
(cd "$work" && tar cf - EX2*) | xz -T0 -6 > "$out/sweep-b.tar.xz"
(cd "$work" && tar cf - SIN*) | xz -T0 -6 > "$out/sweep-c.tar.xz"
(cd "$work" && tar cf - COS*) | xz -T0 -6 > "$out/sweep-d.tar.xz"
ls -l "$out"
