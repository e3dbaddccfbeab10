#!/bin/bash
# gp5 translate: what it writes and refuses; and ARB programs beside their translations on a live driver: the same bits
# for inputs among which are NaN, infinities, denormals and both zeros (tests/tools/translate_live.c). LONG=1: all
# programs of tests/corpus that Mesa takes, 2,000 by chance, and piglit's where it is installed.
# cost: 15
. tests/cli/tap.inc
B=${B:-build}
case $B in /*) gp5=$B/gp5 ;; *) gp5=$PWD/$B/gp5 ;; esac
exits() { wanted=$1 text=$2; shift 2; "$@" >"$work/out" 2>"$work/err"; equals "$text" "$wanted" $?; }
wrote() { check "$1" grep -qF -- "$2" "$work/out"; }

cat >"$work/a.vp" <<'P'
!!ARBvp1.0
# A comment \
TEMP half, R$1, main;  # behind
PARAM c = { 0.1, 1e40, -3e-42 };
PARAM e[] = { program.env[2..9] };
ADDRESS A0;
ARL A0.x, vertex.attrib[5].y;
MAD half.xz, -e[A0.x+2], c.wzyx, state.matrix.mvp.row[1];
MOV result.fogcoord, half;
MOV R$1, main;
MOV result.texcoord[3], {2}.x;
END
P
exits 0 "a vertex program is translated" "$gp5" translate --to=glsl120 "$work/a.vp"
wrote "comments are kept, and no line is continued" "// A comment"
check "and none ends in a backslash" sh -c '! grep -q "\\\\$" "$1"' - "$work/out"
wrote "a comment behind a statement stays there" "// behind"
wrote "a reserved name gets another" "vec4 gp5_n_half = vec4(0.0);"
wrote "so does one with a dollar" "gp5_n_RS1"
wrote "constants have all their bits" "const vec4 c = vec4(0.1, 1e39, -3e-42, 1.0);"
wrote "a computed index stays inside its array" "gp5_env[int(clamp(float(A0.x + 4), 2.0, 9.0))]"
wrote "a state vector is a built-in" "gl_ModelViewProjectionMatrixTranspose[1]"
wrote "a scalar result gets its component" "gl_FogFragCoord = gp5_n_half.x;"
cp "$work/out" "$work/once"
exits 0 "-o writes a file" "$gp5" translate --to=glsl120 -o "$work/file" "$work/a.vp"
check "with the same text" cmp -s "$work/once" "$work/file"
(cd "$work" && "$gp5" translate --to=glsl120 -o - a.vp >out)
check "-o - is standard output" cmp -s "$work/once" "$work/out"
check "and no file of that name" test ! -e "$work/-"
exits 0 "so is the interface's" "$gp5" translate --to=glsl120 -o "$work/file" --interface=- "$work/a.vp"
wrote "which is told there" '"binding": "program.env[4]"'
exits 2 "a file that cannot be made" "$gp5" translate --to=glsl120 -o "$work/none/file" "$work/a.vp"
equals "for its reason" "gp5: $work/none/file: No such file or directory" "$(grep gp5: "$work/err")"
printf '!!ARBvp1.0\nMOV result.position, R0;\nEND\n' >"$work/bad.vp"
exits 1 "an invalid program is none" "$gp5" translate --to=glsl120 "$work/bad.vp"
check "and nothing is written" test ! -s "$work/out"
printf '!!ARBvp1.0\nMOV result.position, vertex.weight;\nMOV result.color, 1;\nEND\n' >"$work/weight.vp"
exits 2 "a language is needed" "$gp5" translate "$work/a.vp"
exits 2 "one that there is" "$gp5" translate --to=basic "$work/a.vp"
exits 2 "a file that there is" "$gp5" translate --to=glsl120 "$work/none.vp"

# ---- the interface, and what compilers say
exits 0 "the interface is written" \
    "$gp5" translate --to=glsl450 "--interface=$work/table.json" -o "$work/a.vert" "$work/a.vp"
tr -d ' \n' <"$work/table.json" >"$work/table"
entry() { check "$1" grep -qF "$2" "$work/table"; }
entry "an entry says where a parameter stands" '"binding":"program.env[4]","modifier":null,"name":"gp5_vertex_env",'\
'"block":"gp5_vertex_block_env","element":4,"offset":64,"point":1,"type":"vec4"'
entry "so does a state vector's" '"binding":"state.matrix.mvp.row[1]","modifier":null,"name":"gp5_vertex_state"'
entry "an input has a location" '"binding":"vertex.attrib[5]","name":"gp5_in_attrib5","location":5,"type":"vec4"'
printf '!!ARBvp1.0\nPARAM m = state.matrix.texture[1].inverse.row[2];\nMOV result.position, m;\nEND\n' >"$work/m.vp"
exits 0 "matrices have a modifier" "$gp5" translate --to=es300 "--interface=$work/m.json" "$work/m.vp"
check "and it is told" grep -q '"modifier": "inverse"' "$work/m.json"

# ---- flow
cat >"$work/flow.vp" <<'P'
!!ARBvp1.0
OPTION NV_vertex_program2;
TEMP a, b;
ADDRESS A0;
MOV a, vertex.attrib[1];
MOVC b.xy, vertex.attrib[2];
BRA over (LT.x);
ADD a, a, 1;
over:
CAL twice (GE.y);
SLTC b, a, vertex.attrib[3];
MOV a.xyz (NE.wzyx), vertex.attrib[4];
MOV b, 0;
again:
ADDC b.x, b, 1;
MAD a.w, a, 0.5, b.x;
SUBC b.y, b.x, 3;
BRA again (LT.y);
MOV result.position, a;
SSG result.color, a;
MOV result.texcoord[0], |b|;
RET;
twice:
MUL a, a, 2;
RET;
END
P
cat >"$work/flow.fp" <<'P'
!!ARBfp1.0
OPTION NV_fragment_program2;
TEMP a, b;
PARAM times = { 3, 2, 2, 0 };
MOV a, fragment.texcoord[0];
MOVC b, fragment.texcoord[1];
IF GT.x;
MUL a.x, a, 2;
ELSE;
ADD a.x, a, 1;
ENDIF;
LOOP times;
ADD a.yz, a, 0.5;
ADDC b.w, b, -1;
BRK (LT.w);
ENDLOOP;
REP times;
CAL sub;
ENDREP;
MOV result.color, a;
RET;
sub:
ADDC a.w, a, 0.25;
RET (GT.w);
MUL a.w, a, 0.5;
RET;
END
P
cat >"$work/old.vp" <<'P'
!!VP1.1
ARL A0.x, v[1].x;
MUL R0.x, v[OPOS].x, c[4].y;
MAD R1, R0, v[COL0], -c[7];
MOV o[HPOS], R1;
MOV o[COL0].xy, R2;
END
P
cat >"$work/ints.vp" <<'P'
!!NVvp4.0
TEMP a, b;
TRUNC.S a, vertex.attrib[1];
SHL.S b, a, {2, 0, 0, 0}.x;
AND.S b, b, {28, 60, 12, 124};
MOV.U.CC b.w, a.x;
SEQ.S a, a, b;
I2F a, a;
I2F.U b.xyz, b;
ADD a.x (NE.w), a, b;
MOV result.position, a;
MOV result.color, b;
END
P
printf '!!FP1.0\nDECLARE tint;\nDEFINE two = {2, 2, 2, 2};\nMULR R0, f[COL0], tint;\nMULR o[COLR], R0, two;\nEND\n' \
    >"$work/named.fp"
exits 0 "a parameter with a name" "$gp5" translate --to=glsl120 "$work/named.fp"
wrote "is a uniform" "uniform vec4 tint;"
printf '!!FP1.0\nDECLARE 2D;\nADD HC.x (GT.y), 2D, f[TEX0];\nMULH o[COLR], 2D, f[TEX0];\nEND\n' >"$work/digit.fp"
exits 0 "a name that begins with a digit" "$gp5" translate --to=glsl450compat --half=round "$work/digit.fp"
wrote "gets another" "uniform vec4 gp5_n_2D;"
check "what writes nothing is nothing" sh -c '! grep -q gp5_cc0.y "$1"' - "$work/out"
wrote "halves are computed with halves" "gp5_half(gp5_half(gp5_n_2D) * gp5_half(gl_TexCoord[0]))"
printf '!!VP2.0\nMOV R0, v[TEX0];\nLOG o[TEX1], R0.x;\nEND\n' >"$work/log.vp"
exits 0 "LOG" "$gp5" translate --to=glsl450compat "$work/log.vp"
wrote "has the exponent of the bits" "gp5_log(R0.x).x"
wrote "nothing is put together on the way to a result" "precise gl_TexCoord;"
cat >"$work/swz.vp" <<'P'
!!ARBvp1.0
OPTION NV_vertex_program2;
TEMP a;
MOV a, vertex.position;
SWZ result.position, -a, x, 0, 1, -w;
END
P
exits 0 "a sign before SWZ's operand" "$gp5" translate --to=glsl120 "$work/swz.vp"
wrote "is not one of its 0 and 1" "vec4((-a.x), 0.0, 1.0, -(-a.w))"
exits 0 "BRA, CAL and flags" "$gp5" translate --to=glsl120 "$work/flow.vp"
wrote "what is jumped back to is a block with a number" "while (gp5_next !="
exits 0 "LOOP, REP, IF, BRK" "$gp5" translate --to=glsl120 "$work/flow.fp"
wrote "a subroutine is a function" "void sub()"
wrote "a loop counts down" "for (int gp5_n0 = "
cat >"$work/order.vp" <<'P'
!!ARBvp1.0
OPTION NV_vertex_program2;
TEMP a;
MOV a, vertex.position;
CAL outer;
MOV result.position, a;
RET;
inner:
ADD a, a, 1;
RET;
outer:
CAL inner;
RET;
END
P
exits 0 "subroutines in any order" "$gp5" translate --to=glsl120 "$work/order.vp"
check "go on into the next one only where they do" test "$(grep -c 'outer();' "$work/out")" = 2
sed 's/^ADD a, a, 1;/CAL outer;/' "$work/order.vp" >"$work/circle.vp"
for language in glsl120 glsl450compat spirv; do
    exits 1 "a circle of calls is refused, $language" "$gp5" translate --to=$language "$work/circle.vp"
    check "at the label that leads into it" grep -q 'circle.vp:8:1: error: not translated: inner leads' "$work/err"
done
printf '!!ARBfp1.0\nOPTION NV_fragment_program;\nTEMP END;\nMOV result.color, 1;\nEND\n' >"$work/end.fp"
exits 1 "plain programs reserve some names" "$gp5" translate --to=arb "$work/end.fp"
check "and the refusal stands at the name's statement" grep -q "end.fp:3:1: error: .*'END' is a reserved word" \
    "$work/err"
printf '!!ARBfp1.0\nOPTION NV_fragment_program;\nTEMP a;\nRCP a, 4;\nMOV result.color, a.x;\nEND\n' >"$work/four.fp"
exits 0 "a number where one component is asked for" "$gp5" translate --to=arb "$work/four.fp"
wrote "has one" "RCP a, {4.0, 4.0, 4.0, 4.0}.x;"
exits 1 "plain ARB programs have no flow" "$gp5" translate --to=arb "$work/flow.fp"
check "and the instruction is named" grep -q 'flow.fp:7:1: error: not translated: IF' "$work/err"
exits 0 "but what the older ones have beyond them" "$gp5" translate --to=arb "$work/old.vp"
cp "$work/out" "$work/plain.vp"
exits 0 "is a program that Mesa takes" "$gp5" check --target=mesa "$work/plain.vp"
exits 1 "integers are none of GLSL 1.20" "$gp5" translate --to=glsl120 "$work/ints.vp"

exits 1 "Mesa has no flow" "$gp5" check --target=mesa "$work/flow.fp"
check "and check says which language takes it" grep -q 'note: gp5 translate --to=glsl120 takes it' "$work/err"
check "and why the other does not" grep -q 'note: gp5 translate --to=arb does not take it: line 7: IF' "$work/err"

if command -v glslangValidator >/dev/null; then
    for program in flow.vp flow.fp old.vp ints.vp a.vp; do
        stage=frag
        case $program in *.vp) stage=vert ;; esac
        "$gp5" translate --to=glsl450 -o "$work/text.$stage" "$work/$program"
        check "glslang takes $program" glslangValidator -G -o "$work/module" "$work/text.$stage"
        if [ $program != ints.vp ]; then
            "$gp5" translate --to=glsl120 -o "$work/text.$stage" "$work/$program"
            check "and GLSL 1.20" glslangValidator "$work/text.$stage"
        fi
        "$gp5" translate --to=es300 -o "$work/text.$stage" "$work/$program"
        check "and the ES form" glslangValidator "$work/text.$stage"
    done
    exits 0 "SPIR-V" "$gp5" translate --to=spirv -o "$work/module" "$work/flow.vp"
    if command -v spirv-val >/dev/null; then check "which is valid" spirv-val "$work/module"; fi
else
    skip "what compilers say" "glslangValidator is not installed"
    PATH=/none exits 2 "without it SPIR-V ends in a clear word" "$gp5" translate --to=spirv "$work/flow.vp"
fi
for to in "" "-o -"; do
    # shellcheck disable=SC2086
    exits 2 "SPIR-V and the interface on one stream ${to:-without -o}" \
        "$gp5" translate --to=spirv --interface=- $to "$work/a.vp"
    check "are refused for the reason" grep -q "SPIR-V is binary, and --interface is JSON" "$work/err"
    check "and nothing is written" test ! -s "$work/out"
done

echo kept >"$work/kept"
printf '!!ARBfp1.0\nMOV;\nEND\n' >"$work/wrong.fp"
exits 1 "an invalid program" "$gp5" translate --to=glsl120 -o "$work/kept" "$work/wrong.fp"
equals "leaves what -o names alone" kept "$(cat "$work/kept")"

# The same bits are promised of Mesa's software driver: hardware folds, fuses and approximates in its own ways.
live() {
    if ! gp5 info 2>/dev/null | grep -q llvmpipe; then echo "there is no llvmpipe here"; return 77; fi
    "$B/tests/translate_live" "$@"
}

# same TEXT ROUNDS LANGUAGE FILE...
same() {
    text=$1 rounds=$2 language=$3
    shift 3
    live "--to=$language" "--rounds=$rounds" "$@" >"$work/live"
    status=$?
    if [ "$status" = 77 ]; then
        skip "$text, $language" "$(cat "$work/live")"
        return
    fi
    equals "$text, $language: the same bits" 0 "$status"
    note "$(tail -n 1 "$work/live")"
    [ "$status" = 0 ] || note "$(head -n 20 "$work/live" | cut -c1-300)"
}

# nearly TEXT ROUNDS LANGUAGE FILE...: of programs by chance Mesa's compilers fold a few in another way than what ARB
# programs become: an order of a sum, the sign of a zero, an infinity for NaN. Those are the same once the numbers are
# hidden from the compilers, and at most one in a hundred.
nearly() {
    same "$@"
    [ "$status" != 77 ] || return
    check "$1, $3: of a hundred one is folded at most" awk -F'; ' 'END {
        split($1, programs, " "); split($NF, folded, " ")
        exit !(programs[3] > 100 && folded[1] * 100 <= programs[3]) }' "$work/live"
}

# Every third hundred of the programs that Mesa was asked about, in the order of the file.
xz -dc tests/corpus/mesa.xz >"$work/mesa"
awk '/^!!ARB/ { n++ } n % 40 == 7' "$work/mesa" >"$work/sample"
check "the sample has programs" test "$(grep -c '^!!ARB' "$work/sample")" -ge 70
for language in glsl330 glsl450; do
    same "a sample of what Mesa was asked about" 1 $language "$work/sample"
done
# Fog takes the final colour clamped, alpha too, which it does not blend (ARB_fragment_program 3.11.4.5.1): also where
# colours are clamped nowhere else.
cat >"$work/fog" <<'P'
!!ARBfp1.0
OPTION ARB_fog_linear;
MUL result.color, fragment.color, 3.5;
END
!!ARBfp1.0
OPTION ARB_fog_exp;
MOV result.color.rgb, fragment.texcoord[0];
MOV result.color.a, fragment.texcoord[1].x;
END
!!ARBfp1.0
OPTION ARB_fog_exp2;
SUB result.color, fragment.texcoord[0], fragment.texcoord[1];
END
P
for language in glsl120 glsl330 glsl450 glsl450compat; do
    same "fog of colours beyond 0 and 1" 16 $language "$work/fog"
done
# All of piglit's ARB programs, through the interface where the context has no built-ins; an eighth of them in short.
for piglit in /usr/lib/*/piglit /usr/lib/piglit; do
    [ -d "$piglit/tests/spec/arb_vertex_program" ] || continue
    find "$piglit/tests" "$piglit/generated_tests" \( -name '*.shader_test' -o -path '*asmparsertest*' \) -type f \
        -exec grep -l '^!!ARB' {} + | sort | sample 8 >"$work/files"
    mapfile -t files <"$work/files"
    for language in glsl120 glsl330 glsl450 glsl450compat; do
        same "piglit's programs, 4,096 inputs" 16 $language "${files[@]}"
    done
    same "piglit's programs as modules of ARB_gl_spirv, 4,096 inputs" 16 spirv "${files[@]}"
done
awk '/^!!ARB/ { n++ } n % 240 == 7' "$work/mesa" >"$work/few"
same "programs as modules of ARB_gl_spirv" 1 spirv "$work/few"
for language in glsl120 glsl450compat; do
    same "a sample of what Mesa was asked about" 1 $language "$work/sample"
    [ "${LONG:-0}" != 0 ] || continue
    nearly "all of it" 4 $language "$work/mesa"
    xz -dc tests/corpus/arb.xz >"$work/arb"
    nearly "ARB programs of the corpus" 4 $language "$work/arb"
    "$gp5" fuzz --syntax --profile=avp,afp --broken=0 --seed=33 --count=2000 --out="$work/chance" >"$work/none" 2>&1
    nearly "2,000 programs by chance" 4 $language "$work"/chance/*
done
done_testing
