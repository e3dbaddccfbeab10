#!/bin/bash
# gp5 translate: what it writes and refuses; and ARB programs beside their translations on a live driver: the same bits for
# inputs among which are NaN, infinities, denormals and both zeros (tests/tools/translate_live.c). LONG=1: all programs of
# tests/corpus that Mesa takes, 2,000 by chance, and piglit's where it is installed.
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
wrote "a computed index stays inside its array" "gp5_env[clamp(A0.x + 4, 2, 9)]"
wrote "a state vector is a built-in" "gl_ModelViewProjectionMatrixTranspose[1]"
wrote "a scalar result gets its component" "gl_FogFragCoord = gp5_n_half.x;"
cp "$work/out" "$work/once"
exits 0 "-o writes a file" "$gp5" translate --to=glsl120 -o "$work/file" "$work/a.vp"
check "with the same text" cmp -s "$work/once" "$work/file"
printf '!!ARBvp1.0\nMOV result.position, R0;\nEND\n' >"$work/bad.vp"
exits 1 "an invalid program is none" "$gp5" translate --to=glsl120 "$work/bad.vp"
check "and nothing is written" test ! -s "$work/out"
printf '!!ARBvp1.0\nMOV result.position, vertex.weight;\nMOV result.color, 1;\nEND\n' >"$work/weight.vp"
exits 2 "a language is needed" "$gp5" translate "$work/a.vp"
exits 2 "one that there is" "$gp5" translate --to=basic "$work/a.vp"
exits 2 "a file that there is" "$gp5" translate --to=glsl120 "$work/none.vp"

# same TEXT ROUNDS LANGUAGE FILE...
same() {
    text=$1 rounds=$2 language=$3
    shift 3
    "$B/tests/translate_live" "--to=$language" "--rounds=$rounds" "$@" >"$work/live"
    status=$?
    if [ "$status" = 77 ]; then
        skip "$text, $language" "$(cat "$work/live")"
        return
    fi
    equals "$text, $language: the same bits" 0 "$status"
    note "$(tail -n 1 "$work/live")"
    [ "$status" = 0 ] || note "$(head -n 20 "$work/live" | cut -c1-300)"
}

# Every third hundred of the programs that Mesa was asked about, in the order of the file.
xz -dc tests/corpus/mesa.xz >"$work/mesa"
awk '/^!!ARB/ { n++ } n % 40 == 7' "$work/mesa" >"$work/sample"
check "the sample has programs" test "$(grep -c '^!!ARB' "$work/sample")" -ge 70
for language in glsl120 glsl450compat; do
    same "a sample of what Mesa was asked about" 1 $language "$work/sample"
    [ "${LONG:-0}" != 0 ] || continue
    same "all of it" 16 $language "$work/mesa"
    xz -dc tests/corpus/arb.xz >"$work/arb"
    same "ARB programs of the corpus" 16 $language "$work/arb"
    "$gp5" fuzz --syntax --profile=avp,afp --broken=0 --seed=33 --count=2000 --out="$work/chance" >"$work/none" 2>&1
    same "2,000 programs by chance" 16 $language "$work"/chance/*
    for piglit in /usr/lib/*/piglit /usr/lib/piglit; do
        [ -d "$piglit/tests/spec/arb_vertex_program" ] || continue
        find "$piglit/tests" "$piglit/generated_tests" \( -name '*.shader_test' -o -path '*asmparsertest*' \) -type f \
            -exec grep -l '^!!ARB' {} + | sort >"$work/files"
        mapfile -t files <"$work/files"
        same "piglit's programs" 16 $language "${files[@]}"
    done
done
done_testing
