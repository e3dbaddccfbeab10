#!/bin/bash
# What NVIDIA's compiler writes for every stage (tests/corpus/stages.tar.xz: GLSL that uses one part of the language
# each, and its assembly, all of which the driver loads again): valid, and the same after formatting twice.
# cost: 3
set -u
. tests/cli/tap.inc
xz -dc tests/corpus/stages.tar.xz | tar -xf - -C "$work"
asm=$work/stages/asm

formats() {
    "$B/gp5" fmt "$1" >"$work/once" && "$B/gp5" check "$work/once" >"$work/said" 2>&1 &&
        "$B/gp5" fmt "$work/once" | cmp -s - "$work/once"
}

for stage in vp tcp tep gp fp cp; do
    count=0 wrong=0
    for file in "$asm"/*."$stage"; do
        count=$((count + 1))
        if "$B/gp5" check "$file" >"$work/said" 2>&1 && formats "$file"; then continue; fi
        wrong=$((wrong + 1))
        note "$(basename "$file"): $(head -n 3 "$work/said")"
    done
    equals "$count $stage programs of the compiler" "0 wrong" "$wrong wrong"
done
done_testing
