#!/bin/bash
# NVIDIA's dialects, which no driver at hand takes: what llvmpipe makes of a translation is what the evaluator makes of
# the program by the text (tests/tools/translate_proof.c), for programs of the corpus that NVIDIA's driver took.
# Functions that llvmpipe approximates are the shader's own there; how far off llvmpipe's are is what docs/numbers.md
# says. LONG=1: all of these programs, 1,024 inputs each.
# cost: 12
. tests/cli/tap.inc
B=${B:-build}
proof=$B/tests/translate_proof
rounds=$(short_or_long 1 4)

# Of what the driver took every N-th program whose first line is one of these, and a third of 1 is a third of all.
accepted() {
    xz -dc "tests/corpus/$3.xz" | awk -v every="$(short_or_long "$1" 1)" -v header="$2" '
        /^[^ ]+ (accept|reject) -?[0-9]+ [0-9]+ / { taken = $2 == "accept"; shown = 0; next }
        /^!!/ { shown = taken && $0 ~ header && n++ % every == 0 }
        shown' >"$work/$3"
}

# proves EVERY HEADER CORPUS LEAST: so many of them at least are judged
proves() {
    accepted "$1" "$2" "$3"
    local many
    many=$(grep -ac '^!!' "$work/$3")
    "$proof" "--rounds=$rounds" "$work/$3" >"$work/out" 2>&1
    local status=$?
    equals "$3, $2: $many programs, those that are translated compute what the evaluator does" 0 $status
    [ $status = 0 ] || note "$(grep -aE '	(different|not compiled)' "$work/out" | head -n 20 | cut -c1-250)"
    note "$(tail -n 1 "$work/out")"
    # programs, same
    check "$4 of a hundred are judged" awk -v least="$4" 'END { exit !($3 * 100 >= $1 * least && $1 > 20) }' "$work/out"
}

if ! "$B/gp5" info 2>/dev/null | grep -q llvmpipe; then
    skip "translations of NVIDIA's dialects" "there is no llvmpipe here"
    done_testing
fi

# ---- how many there are

for corpus in older survey-arb survey-afp survey-vp4 survey-fp4; do LONG=1 accepted 1 '^!!' $corpus; done
mkdir "$work/all"
"$proof" "--write=$work/all" "$work"/{older,survey-arb,survey-afp,survey-vp4,survey-fp4} >"$work/out"
note "$(tail -n 1 "$work/out")"
check "98 of a hundred programs of NVIDIA's dialects are translated" awk '/ programs, / {
    for (i = 1; i < NF; i++) { if ($(i + 1) == "refused,") refused = $i; if ($(i + 2) == "no") other = $i }
    all = $1 - other
    } END { exit !(all > 4000 && refused * 50 <= all) }' "$work/out"
cut -f3 "$work/out" | sed -n 's/^[0-9:]* //p' | sed 's/[0-9][0-9,]*/N/g; s/\(glslNcompat\|the [a-z]* stage\)/it/g' |
    sort -u >"$work/reasons"
check "and the others for a few reasons" test "$(wc -l <"$work/reasons")" -lt 25
rm -r "$work/all"

# ---- what they compute

proves 25 '^!!(VP1|VP2)' older 95
proves 25 '^!!FP1' older 95
proves 12 '^!!ARB' older 90
proves 8 '^!!ARB' survey-arb 85
proves 25 '^!!ARB' survey-afp 65
proves 12 '^!!NVvp4' survey-vp4 90
proves 12 '^!!NVfp4' survey-fp4 85

# ---- what other compilers say of programs of the corpus ----

# written LANGUAGE EVERY CORPORA: of what the driver took, also in these, and of what Mesa was asked about
written() {
    mkdir "$work/$1"
    local corpora="older survey-arb survey-afp survey-vp4 survey-fp4 arb $3" files=()
    for corpus in $corpora; do
        accepted "$2" '^!!' "$corpus"
        files+=("$work/$corpus")
    done
    xz -dc tests/corpus/mesa.xz | awk -v every="$(short_or_long "$2" 1)" '/^!!/ { n++ } n % every == 0' >"$work/mesa"
    "$proof" "--write=$work/$1" "--to=$1" "${files[@]}" "$work/mesa" >"$work/out"
    note "$1: $(tail -n 1 "$work/out")"
    find "$work/$1" -type f | sort >"$work/list"
    check "programs of the corpus as $1: there are many" test "$(wc -l <"$work/list")" -gt 30
}
if command -v glslangValidator >/dev/null && command -v spirv-val >/dev/null; then
    for language in es300 glsl330; do
        written $language 12 "survey-vp41 survey-fp41 survey-vp5 survey-fp5 survey-generated"
        xargs glslangValidator <"$work/list" >"$work/said" 2>&1
        check "glslang takes all of them" sh -c '! grep -q ^ERROR "$1"' - "$work/said"
        note "$(grep -B1 ^ERROR "$work/said" | head -n 10)"
    done
    written glsl450 100 "survey-vp41 survey-fp41 survey-vp5 survey-fp5 survey-gp4 survey-gp41 survey-gp5 survey-tcp5
        survey-tep5 survey-cp5 survey-generated"
    cat >"$work/module" <<'S'
{ glslangValidator -G -o "$1.spv" "$1" && spirv-val "$1.spv"; } >"$1.words" 2>&1 || { echo "$1"; head -n 3 "$1.words"; }
rm -f "$1.spv" "$1.words"
S
    xargs -P "$(nproc)" -n 1 sh "$work/module" <"$work/list" >"$work/said"
    note "$(wc -l <"$work/list") modules"
    check "glslang -G and spirv-val take all of them" test ! -s "$work/said"
    [ ! -s "$work/said" ] || note "$(head -n 20 "$work/said")"
else
    skip "what other compilers say" "glslangValidator or spirv-val is not installed"
fi

# ---- llvmpipe's own functions, by instruction ----

# Of the table in docs/numbers.md: the instruction, how it is written here, the bounds.
functions="RCP RSQ EX2 LG2 SIN COS POW LIT NRM DIV EXP LOG"
for op in $functions; do
    case $op in
    POW) line="ABS R0, vertex.texcoord[0]; ADD R0, R0, 0.125; POW R0, R0.x, vertex.texcoord[1].x" ;;
    DIV) line="DIV R0, vertex.texcoord[0], vertex.texcoord[1].x" ;;
    LIT | NRM) line="$op R0, vertex.texcoord[0]" ;;
    EXP | LOG)
        printf '!!VP2.0\n%s R0, v[TEX0].x;\nMOV o[TEX0], R0;\nEND\n' $op
        continue
        ;;
    *) line="$op R0, vertex.texcoord[0].x" ;;
    esac
    printf '!!NVvp4.0\nTEMP R0;\n%s;\nMOV result.texcoord[0], R0;\nEND\n' "$line"
done >"$work/functions"
"$proof" --measure --functions=driver --rounds="$(short_or_long 16 256)" "$work/functions" >"$work/measured"
n=0
for op in $functions; do
    n=$((n + 1))
    row=$(grep "^functions#$n	" "$work/measured" | cut -f2-)
    bound=$(sed -n "/^| llvmpipe's/,/^\$/s/^| $op | \([0-9]*\) | \([0-9.e-]*\) |.*/\1 \2/p" docs/numbers.md)
    check "llvmpipe's $op is within its bound: $row" \
        awk -v row="$row" -v bound="$bound" 'BEGIN {
            k = split(row, m, /[ \t]+/); n = split(bound, b, " ")
            exit !(n == 2 && m[1] != "" && (m[1] + 0 <= b[1] + 0 || m[k] + 0 <= b[2] + 0)) }'
done
"$proof" --measure --rounds=4 "$work/functions" >"$work/measured"
check "those of translate_proof are exact within 2 units" \
    sh -c 'awk "/^functions#/ && \$2 > 2" "$1" >"$2"; test -s "$1" && ! test -s "$2"' - "$work/measured" "$work/worse"
[ ! -s "$work/worse" ] || note "$(cat "$work/worse")"
done_testing
