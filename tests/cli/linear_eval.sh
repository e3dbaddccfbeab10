#!/bin/bash
# What gp5 run does before the first instruction grows with a program's length and not faster: instructions of the
# processor as valgrind counts them, over programs of many shapes, one four times as long as the other. A third more for
# each piece would be too many. Nothing is timed. Every fifth shape; all with LONG=1.
# cost: 25
. tests/cli/tap.inc
shapes=0 step=$(short_or_long 5 1)
B=${B:-build}
counted="instructions an instruction"
. tests/cli/callgrind.inc

# program SHAPE TIMES: the pieces of a program come from awk, once for each i below TIMES: variables (declare), the main
# part (body), what stands before that (first) and behind it (last), subroutines (sub), elements of a parameter array
# (list).
program() {
    awk -v n="$2" '
    function each(from, to, what,    i) { for (i = from; i < to; i++) print at(what, i) }
    function at(text, i) { gsub(/%i/, i, text); gsub(/%next/, i + 1, text); gsub(/%half/, int(i / 2), text)
                            gsub(/%back/, n - 1 - i, text)
                           gsub(/%seven/, i * 7 % n, text); gsub(/%four/, i % 4, text); gsub(/%n/, n, text)
                            return text }
    BEGIN {
        print "!!NVcp5.0\nOPTION NV_shader_storage_buffer;\nOPTION NV_gpu_program_fp64;\n" \
              "OPTION NV_shader_atomic_int64;\nGROUP_SIZE 32;\nSTORAGE s[] = { program.storage[0] };"
        print "TEMP a, b, c, d;\nTEMP arr[4];\nSHORT TEMP h, g;\nLONG TEMP l, m;"
    }
    { field[$1] = (($1 in field) ? field[$1] " " : "") substr($0, index($0, " ") + 1) }
    END {
        if ("declare" in field) each(0, n + 1, field["declare"])
        if ("list" in field) { print "PARAM p[] = {"; each(0, n, field["list"]); print "{0, 0, 0, 0} };" }
        print "LDB.U32X4 b, s[0]; LDB.U32X4 c, s[16]; MOV.U.CC0 a, b; MOV.U d, c; " \
              "LDB.U64X4 l, s[32]; LDB.U64X4 m, s[64];"
        print at(field["first"], 0)
        each(0, n, field["body"])
        if ("again" in field) each(0, n, field["again"])
        print at(field["last"], 0)
        print "STB.U32X4 a, s[0]; STB.U32X4 b, s[16]; STB.U32X4 c, s[32]; STB.U32X4 d, s[48]; RET;"
        if ("once" in field) print field["once"]
        if ("sub" in field) each(0, n, field["sub"])
        if ("end" in field) print at(field["end"], 0)
        print "END"
    }' "$1"
}

# grows NAME TIMES [OPTION...]: the shape on standard input; $most: a piece takes fewer instructions, in a program of
# four times as many
grows() {
    local name=$1 times=$2 small large
    shift 2
    cat >"$work/shape"
    ((shapes++ % step)) && return
    program "$work/shape" "$times" >"$work/small"
    program "$work/shape" $((times * 4)) >"$work/large"
    small=$(($(instructions run -j1 --undefined=off --storage=0=zero:4096 "$@" "$work/small") - none))
    check "$name: it runs" grep -q ' 32 invocations, ' "$work/out"
    large=$(($(instructions run -j1 --undefined=off --storage=0=zero:4096 "$@" "$work/large") - none))
    check "$name: $((small / times)) and $((large / times / 4)) instructions for each piece" test $small -gt 0 -a \
        $((large * 3)) -lt $((small * 16)) -a \
        $((large / times / 4)) -lt "${most:-100000000}"
}
echo '!!NVcp5.0 GROUP_SIZE 32; END' >"$work/empty"
none=$(instructions run -j1 --undefined=off --storage=0=zero:4096 "$work/empty")

grows "products and sums" 300 <<'EOT'
body MUL.F a, a, b; ADD.F a, a, c;
EOT
grows "sums of far products" 250 <<'EOT'
declare TEMP v%i;
body MUL.F v%i, b, c;
again ADD.F a, a, v%i; MOV.F v%i, a;
EOT
grows "more variables than registers" 200 <<'EOT'
declare TEMP v%i;
body MUL.F v%i, v%seven, v%next; ADD.F v%i, v%i, v%half; MOV.U v%i.x, v%seven.y;
EOT
grows "IF" 80 <<'EOT'
body SLT.F.CC d.x, a.x, b.x; IF NE.x; MUL.F a, a, b; ELSE; ADD.F b, a, c; ENDIF; ADD.F c.x, c.x, a.y;
EOT
grows "loops that run" 8 <<'EOT'
body MOV.U d.x, 0; REP; MUL.F a, a, b; ADD.U d.x, d.x, 1; SGE.U.CC d.y, d.x, b.x; BRK (NE.y); ADD.F a, a, c; ENDREP;
EOT
grows "loops that are unrolled" 30 <<'EOT'
body REP 3; MUL.F a, a, b; ADD.F a, a, c; ENDREP;
EOT
grows "subroutines" 50 <<'EOT'
body CAL f%i; ADD.F a, a, b;
sub f%i: MUL.F a, a, b; ADD.F b, a, c; SLT.F.CC d.x, a.x, b.x; RET;
EOT
grows "calls of a long subroutine" 250 <<'EOT'
body CAL f (GT.x); ADD.F.CC a, a, b;
once f:
sub MUL.F a, a, b; RET (LT.x);
end RET;
EOT
grows "one long loop" 80 <<'EOT'
first REP.U b.x;
body MUL.F a, a, b; ADD.F.CC c, a, c; BRK (LT.x);
last ENDREP;
EOT
grows "products that go over IFs" 200 <<'EOT'
declare TEMP v%i;
body MUL.F v%i, b, 1.5; IF NE.x; ADD.F a, a, c; ENDIF;
again ADD.F a, a, v%i; IF EQ.y; MOV.F c, a; ENDIF;
EOT
grows "a loop of counters" 200 <<'EOT'
declare TEMP v%i;
first MOV.U d.x, 0; REP;
body ADD.U v%i.x, v%i.x, 1;
last ADD.U d.x, d.x, 1; SGE.U.CC d.y, d.x, 3; BRK (NE.y); ENDREP;
EOT
grows "elements of arrays" 80 <<'EOT'
body MOV.U arr[%four], a; AND.U b.x, b.x, 3; ADD.F a, arr[b.x], b; MOV.U arr[b.x].x, a; ADD.F a, arr[%four], c;
EOT
grows "many arrays" 80 <<'EOT'
declare TEMP v%i[4];
body MOV.U v%i[%four], a; ADD.F a, v%i[1], b; MUL.F v%seven[1].xy, a, c; SUB.F a, a, d;
EOT
grows "halves" 40 <<'EOT'
body MUL.F16 h, h, g; ADD.F16 g, h, a; MOV.F h.x, a; PK2H a.x, b; UP2H b.xy, a.x; MOV.F16 c, h;
EOT
grows "SHORT variables" 200 <<'EOT'
declare SHORT TEMP v%i;
body MUL.F16 v%i (GT.x), h, v%seven; MOV.U.CC d, v%half; MOV.U v%next, d; ADD.F v%i, v%i, d;
EOT
grows "SHORT variables that are moved" 250 <<'EOT'
declare SHORT TEMP v%i;
first MUL.F16 v0, h, g; MOV.U v0, a;
body MOV.F v%next, v%i;
EOT
grows "SHORT variables that are moved, the last one first" 250 <<'EOT'
declare SHORT TEMP v%i;
body MOV.F v%back, v%next; MOV.F v%i, v%back;
last MUL.F16 h, g, a; MOV.U v0, a;
EOT
grows "subroutines with SHORT variables" 50 <<'EOT'
body MUL.F16 h, h, g; MOV.U h.x, a; CAL f%i; MUL.F h, g, a;
sub f%i: MUL.F16 h, h, h; ADD.U g, h, a; RET;
EOT
grows "variables and IFs" 120 <<'EOT'
declare TEMP v%i;
body SLT.F.CC d.x, a.x, v%i.x; IF NE.x; MOV.F v%i, a; ELSE; ADD.F v%i, b, v%seven; ENDIF; ADD.F a, a, v%half;
EOT
grows "variables and loops" 80 <<'EOT'
declare TEMP v%i;
body REP.U b.x; ADD.F v%i, v%i, v%seven; SGE.U.CC d.y, d.x, v%half.x; BRK (NE.y); ENDREP;
EOT
grows "variables and subroutines" 80 <<'EOT'
declare TEMP v%i;
body MOV.U v%i, %i; CAL f%i; ADD.F a, a, v%half;
sub f%i: ADD.F v%i, v%seven, b; SLT.F.CC d.x, a.x, b.x; RET;
EOT
grows "variables that a subroutine does not look at" 100 <<'EOT'
declare TEMP v%i;
body IF NE.x; ADD.F v%i, v%seven, b; CAL f; ELSE; MOV.F v%i, v%half; ENDIF;
once f: MUL.F a, a, b; RET;
EOT
grows "elements of a parameter array" 400 <<'EOT'
list {%i, 1, 2, 3},
body ADD.F a, a, p[%i];
EOT
grows "pairs and choices" 40 <<'EOT'
body RCP.F a.x, b.x; RCP.F b.x, a.x; RSQ.F c.x, a.x; MIN.F d, a, b; MAX.F d, d, c; CMP.F a, b, c, d;
body MOV.F a (GT.x), -b; MOV.U.CC d, a;
EOT
grows "pairs and variables, over IFs and calls" 60 <<'EOT'
declare TEMP v%i;
body RCP.F v%i.x, b.x; SLT.F.CC d.x, a.x, b.x; IF NE.x; ADD.F v%seven, a, c; ENDIF; CAL f%i; RCP.F a.x, v%i.x;
body RSQ.F a.y, v%half.x;
sub f%i: ADD.F v%i.y, v%seven, b; RET;
EOT
grows "subroutines that call the next one twice" 6 <<'EOT'
first CAL f0 (FL.x);
sub f%i: MUL.F a, a, b; CAL f%next; ADD.F a, a, c; CAL f%next; RET;
end f%n: RET;
EOT
grows "a chain of calls" 80 <<'EOT'
first CAL f0;
sub f%i: MUL.F a, a, b; CAL f%next; ADD.F a, a, c; RET;
end f%n: RET;
EOT
grows "products that go over calls" 40 <<'EOT'
declare TEMP v%i;
body MUL.F v%i, a, 2.5; CAL f%i; ADD.F a, a, v%half;
sub f%i: ADD.F b, b, v%seven; ADD.F a, a, b; RET;
EOT
grows "products in a loop with many ways out" 50 <<'EOT'
declare TEMP v%i;
first REP;
body MUL.F v%i, a, 2.5; ADD.F a, a, v%half; SGE.U.CC d.y, a.x, b.x; BRK (NE.y);
last BRK; ENDREP;
EOT
grows "products in a subroutine with many ways out" 50 <<'EOT'
declare TEMP v%i;
first CAL f;
once f:
sub MUL.F v%i, a, 2.5; ADD.F a, a, v%half; RET (GT.x);
end RET;
EOT
grows "choices that go over calls" 40 <<'EOT'
declare TEMP v%i;
body MOV.F v%i, -v%seven; CAL f%i (GT.x); CMP.F a, b, v%i, v%half; MOV.F v%half (GT.x), a;
sub f%i: ADD.F v%seven, a, b; RET;
EOT
grows "copies before an IF with calls" 30 <<'EOT'
declare TEMP v%i;
body MOV.F v%i, v%seven; SLT.F.CC d.x, a.x, b.x; IF NE.x; MIN.F a, v%i, v%seven; MAX.F v%half, a, v%i; CAL f%i; ENDIF;
sub f%i: ADD.F v%seven, a, b; RET;
EOT
grows "comparisons in subroutines" 30 <<'EOT'
declare TEMP v%i;
body CAL f%i; ADD.F a, a, v%half;
sub f%i: SLT.F v%i.x, a.x, b.x; AND.U a.y, v%half.x, a.x; SEQ.U.CC a.x, v%seven.x, 0; RET;
EOT
grows "votes of logic" 40 <<'EOT'
declare TEMP v%i;
body SLT.U c.x, a.x, b.x; SLT.U c.y, a.y, b.y; AND.U v%i.x, c.x, c.y;
again TGALL.F a.x, v%i.x; ADD.U a.y, a.y, a.x;
EOT
grows "signs of comparisons" 40 <<'EOT'
declare TEMP v%i;
body SLT.U v%i.x, a.x, b.x;
again ABS.F c.x, v%i.x; ADD.F a.y, a.y, c.x; MOV.F l.x, -v%i.x; ADD.U64 m.x, m.x, l.x;
EOT
grows "comparisons of floats that are held" 30 <<'EOT'
declare TEMP v%i;
body SLT.F v%i.x, a.x, b.x; SLT.U.CC d.x, a.x, b.x; IF NE.x; ADD.F a, a, c; ENDIF;
again CMP.F a.x, -v%i.x, b.x, c.x;
EOT
most=1000000 grows "a loop whose body is dead" 60 <<'EOT'
declare TEMP v%i;
first MOV.U v0, b; REP;
body MOV.F v%next, -v%i;
last SGE.F.CC d.x, v5.x, b.x; BRK (NE.x); ENDREP;
EOT
most=4000000 grows "a loop that counts beside what is dead" 20 <<'EOT'
declare TEMP v%i;
first MOV.U d.x, 0; REP; ADD.U d.x, d.x, 1; SGE.U.CC d.y, d.x, b.x; BRK (NE.y);
body ADD.F v%i, a, c; MUL.F v%half, v%seven, c;
last ENDREP;
EOT
grows "sums that wait for each other around a loop" 80 <<'EOT'
declare TEMP v%i;
first REP.U b.x;
body ADD.F v%i, v%next, v%i;
last ENDREP; ADD.F a, a, v0;
EOT
grows "doubles and IFs" 40 <<'EOT'
declare LONG TEMP v%i;
body SLT.F.CC d.x, a.x, b.x; IF NE.x; ADD.F64 v%i, l, v%seven; ELSE; LDB.F64X2 v%i, s[32]; ENDIF;
body MUL.F64 l, v%i, v%half;
EOT
grows "doubles and loops" 20 <<'EOT'
declare LONG TEMP v%i;
body REP.U b.x; ADD.F64 v%i, l, v%seven; MUL.F64 l, v%i, v%half; ENDREP;
EOT
grows "doubles and subroutines" 30 <<'EOT'
declare LONG TEMP v%i;
body LDB.F64X2 v%i, s[32]; CAL f%i; ADD.F64 l, v%i, v%half;
sub f%i: ADD.F64 v%i, v%seven, l; MUL.F64 l, l, v%i; RET;
EOT
grows "64 bits" 50 <<'EOT'
body MAD.F64 l, l, m, l; ADD.U64 m, l, m; DIV.F64 l, l, m.x; PK64.U m.x, a; UP64.U a.xy, l.x;
EOT
grows "memory, with undefined values followed" 80 --undefined=on <<'EOT'
body ADD.U a.x, a.x, 4; LDB.U32X4 b, s[a.x]; MUL.F b, b, c; STB.U32 b.x, s[b.y];
EOT
echo 'body STB.U32 a.x, s[0];' >"$work/shape"
for n in 300 1200; do
    program "$work/shape" $n |
        sed 's/GROUP_SIZE 32/GROUP_SIZE 64/; s/LDB.U32X4 b, s\[0\]/MOV.U b, invocation.localindex.x/' >"$work/races"
    used[n]=$(instructions run -j1 --races=on --storage=0=zero:4096 "$work/races")
    check "$n stores: their races are found" grep -q '^races: [1-9]' "$work/out"
done
check "races: $((used[300] / 300)) and $((used[1200] / 1200)) instructions for each store" test $((used[1200] * 3)) \
    -lt $((used[300] * 16))
done_testing
