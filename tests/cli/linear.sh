#!/bin/bash
# What gp5 check and gp5 run do grows with the text and not faster: instructions as valgrind counts them, over texts of
# the shapes of tests/unit/language/test_linear.c, one eight times as long as the other; twice as many a byte would be
# too many. And what gp5 run does grows with groups, warps of a group, and the times a loop goes round; a quarter more
# for each would be too many. Nothing is timed. Every third shape; all with LONG=1.
# cost: 20
. tests/cli/tap.inc
step=$(short_or_long 3 1)
B=${B:-build}
counted="instructions a byte"
. tests/cli/callgrind.inc
: >"$work/empty"

# ---- texts -----------------------------------------------------------------------------------------------------------

# grows VERB LAST ARGUMENT...: shapes up to LAST
grows() {
    local verb=$1 last=$2 none shape small large
    shift 2
    none=$(instructions "$verb" "$@" "$work/empty")
    for ((shape = 0; shape <= last; shape += step)); do
        "$B/tests/test_linear" $shape 10000 >"$work/small" || break
        "$B/tests/test_linear" $shape 80000 >"$work/large"
        small=$((($(instructions "$verb" "$@" "$work/small") - none) * 100 / $(stat -c %s "$work/small")))
        large=$((($(instructions "$verb" "$@" "$work/large") - none) * 100 / $(stat -c %s "$work/large")))
        check "$verb${1:+ $1}, shape $shape: $((small / 100)) and $((large / 100)) instructions a byte" test $large \
            -lt $((small * 2))
    done
}
grows check 99
grows stats 6                   # what follows is invalid, and is not counted
grows run 6 --undefined=off -j1 --storage=0=zero:4096
grows run 6 --undefined=on -j1 --storage=0=zero:4096

# ---- translations ----------------------------------------------------------------------------------------------------

# lines SHAPE N: N instructions: sums; jumps over one another and flags; each with names and parameters of its own
lines() {
    awk -v shape="$1" -v n="$2" 'BEGIN {
        print "!!ARBvp1.0\nOPTION NV_vertex_program3;\nTEMP a, b;"
        for (i = 0; i < n; i++)
            if (shape == 0) printf "MAD a.%s, b, %d.5, -a.wzyx;\n", substr("xyzw", i % 4 + 1), i
            else if (shape == 1) printf "ADDC b.x, a, %d;\nBRA l%d (LT.x);\nMUL a, a, b;\nl%d:\n", i, i, i
            else printf "TEMP t%d; PARAM p%d = {%d, 2, 3}; MAD t%d, a, p%d, program.env[%d]; # t\n", i, i, i, i, i,
                        i % 256
        print "MOV result.position, a;\nEND" }'
}
for shape in 0 1 2; do
    for language in glsl120 glsl450 arb; do
        [ "$shape$language" != 1arb ] || continue       # it has no flow
        none=$(lines $shape 1 >"$work/text" && instructions translate --to=$language -o "$work/none" "$work/text")
        lines $shape 1500 >"$work/small"
        lines $shape 12000 >"$work/large"
        small=$((($(instructions translate --to=$language -o "$work/none" "$work/small") - none) / 1500))
        large=$((($(instructions translate --to=$language -o "$work/none" "$work/large") - none) / 12000))
        check "translate --to=$language, shape $shape: $small and $large instructions a line" \
            test "$large" -lt $((small * 3 / 2)) -a "$small" -gt 100
    done
done
lines 0 100000 >"$work/large"
check "100,000 instructions are translated" "$B/gp5" translate --to=glsl450 -o "$work/translated" "$work/large"
check "each of them is a statement" test "$(grep -c ' = .* + ' "$work/translated")" = 100000

# ---- launches --------------------------------------------------------------------------------------------------------

# program GROUP_SIZE TIMES
program() {
    cat <<EOT
!!NVcp5.0
OPTION NV_shader_storage_buffer;
GROUP_SIZE $1;
SHARED_MEMORY 4096;
SHARED mem[] = { program.sharedmem };
STORAGE to[] = { program.storage[0] };
TEMP at, v, n;
MOV.F v, {1, 2, 3, 4};
MUL.U at.x, invocation.localindex.x, 4;
MOV.U n.x, 0;
REP;
MAD.F v, v, {0.5, 0.25, 0.125, 1}, v.wzyx;
RCP.F v.x, v.y;
STS.F32 v, mem[at.x];
BAR;
LDS.F32 v.z, mem[at.x];
AND.U.CC n.y, n.x, invocation.localindex.x;
IF NE.y;
ADD.F v.w, v.w, 1;
ENDIF;
ADD.U n.x, n.x, 1;
SGE.U.CC n.y, n.x, $2;
BRK (NE.y);
ENDREP;
STB.F32X4 v, to[at.x];
END
EOT
}
# scales TEXT ONE TWO FOUR: the cost of a second and of two more, by what is three times the one
scales() {
    local one=$(($3 - $2)) more=$((($4 - $3) / 2))
    check "$1: $one and $more instructions for more of them" test $((more * 4)) -lt $((one * 5)) -a $one -gt 0
}
for how in off on; do
    options="-j1 --undefined=$how --storage=0=zero:65536"
    count() { program "$1" "$2" >"$work/p.cp"; instructions run $options --groups="$3" "$work/p.cp"; }
    scales "--undefined=$how, groups" "$(count 32 4 200)" "$(count 32 4 400)" "$(count 32 4 800)"
    scales "--undefined=$how, invocations of a group" "$(count 256 4 40)" "$(count 512 4 40)" "$(count 1024 4 40)"
    scales "--undefined=$how, times around a loop" "$(count 64 200 2)" "$(count 64 400 2)" "$(count 64 800 2)"
done

# ---- calls -----------------------------------------------------------------------------------------------------------

# Subroutines of which each calls the one before it twice: as many ways to the first as two to their number, none of
# which is taken.
ladder() {
    echo '!!NVcp5.0 GROUP_SIZE 32; TEMP a, b; MUL.F b, a, a; ADD.F b, b, a;'
    echo "CAL f$1 (LT.x); RET; f0: MOV.U a.x, 0; RET;"
    for ((i = 1; i <= $1; i++)); do
        echo "f$i: MOV.U a.x, $i; CAL f$((i - 1)) (LT.x); CAL f$((i - 1)) (GT.x); RET;"
    done
    echo END
}
ladder 30 >"$work/short"
ladder 60 >"$work/long"
none=$(instructions run "$work/empty")
short=$(($(instructions run "$work/short") - none)) long=$(($(instructions run "$work/long") - none))
check "twice as many subroutines: $short and $long instructions" test $long -lt $((short * 4)) -a $short -gt 0
done_testing
