#!/bin/bash
# GLSL of every stage, NVIDIA's assembly of it (tests/corpus/stages.tar.xz), and GLSL again by gp5 translate: what
# llvmpipe's compiler takes of the first comes to the same as the last one, geometry, tessellation and compute programs
# among them. Every third pair; LONG=1: all 301, with four sets of inputs, and as GLSL 4.50 of core contexts.
# cost: 12
. tests/cli/tap.inc
B=${B:-build}
case $B in /*) ;; *) B=$PWD/$B ;; esac
tool=$B/tests/translate_pairs
mkdir "$work/stages"
xz -dc tests/corpus/stages.tar.xz | tar -xf - -C "$work"
pairs() { ls "$work/stages/asm" | awk -v each="$1" -v first="$2" 'NR % each == first % each'; }

# The clocks of two runs differ. All others are the same.
go_round() {
    text=$1
    shift
    mapfile -t names < <(pairs "$each" "$seed")
    "$tool" --all "--seed=$seed" "$@" "$work/stages" "${names[@]}" >"$work/said" 2>"$work/err"
    status=$?
    if [ "$status" = 77 ]; then
        skip "$text" "$(cat "$work/said")"
        return
    fi
    note "$(tail -n 1 "$work/said")"
    grep -E '	(different|refused|not compiled|original not run)	' "$work/said" | grep -v '^clock\.' >"$work/others"
    check "$text: it ends" test "$status" -lt 2
    equals "$text: only clocks differ" "$allowed" "$(cut -f1 "$work/others" | sort | tr '\n' ' ')"
    [ ! -s "$work/others" ] || note "$(head -n 20 "$work/others" | cut -c1-200)"
}

seed=1 each=$(short_or_long 3 1) allowed=
go_round "GLSL 4.50 of compatibility contexts"
if [ "$each" = 1 ] && [ "$status" != 77 ]; then
    check "of all that llvmpipe takes 195 are the same" awk '/ pairs: / { exit !($6 + $8 >= 195 && $1 - $3 >= 201) }' \
        "$work/said"
    for seed in 2 3 4; do go_round "other inputs, $seed"; done
    # What the state of the fixed functions gives is an application's to upload there.
    seed=1 allowed="f_builtin.fp ff.cp ff.fp ff.gp ff.tcp ff.tep ff.vp "
    go_round "GLSL 4.50 of core contexts" --to=glsl450
fi
if command -v glslangValidator >/dev/null; then
    : >"$work/refused"
    for name in $(pairs $((each * each * 4)) 1); do
        case $name in
        *.vp) stage=vert ;; *.tcp) stage=tesc ;; *.tep) stage=tese ;; *.gp) stage=geom ;; *.fp) stage=frag ;;
        *) stage=comp ;;
        esac
        for language in glsl450 glsl450compat; do
            file=$work/${name%.*}.$language.$stage
            "$B/gp5" translate --to=$language -o "$file" "$work/stages/asm/$name" 2>/dev/null || continue
            [ $language = glsl450 ] && core="-G -o $work/module" || core=
            # shellcheck disable=SC2086
            glslangValidator $core "$file" >"$work/words" 2>&1 || { echo "$name"; cat "$work/words"; } >>"$work/refused"
            [ -z "$core" ] || ! command -v spirv-val >/dev/null || spirv-val "$work/module" >>"$work/refused" 2>&1
        done
    done
    check "glslang and spirv-val take what is written for each stage" test ! -s "$work/refused"
    [ ! -s "$work/refused" ] || note "$(head -n 20 "$work/refused")"
else
    skip "what compilers of SPIR-V say" "glslangValidator is not installed"
fi
done_testing
