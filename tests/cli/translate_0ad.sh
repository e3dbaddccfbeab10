#!/bin/bash
# The ARB programs of 0 A.D., of an installed copy of the game (Debian: 0ad-data): as its engine's preprocessor leaves
# them for every choice of the macros that their conditions ask for, beside their translations on llvmpipe, 4,096 inputs
# each. translate_0ad.txt has the files of version 0.0.26: name, hash, variants. Only with LONG=1.
#   GP5_0AD=FOLDER     where shaders/arb lies; otherwise it is taken out of public.zip
# cost: 1
. tests/cli/tap.inc
B=${B:-build}

[ "${LONG:-0}" != 0 ] || { skip "the programs of 0 A.D." "they take a minute: only with LONG=1"; done_testing; }
if ! "$B/gp5" info 2>/dev/null | grep -q llvmpipe; then
    skip "the programs of 0 A.D." "there is no llvmpipe here"
    done_testing
fi
folder=${GP5_0AD:-}
for zip in /usr/share/games/0ad/mods/public/public.zip /usr/share/0ad/data/mods/public/public.zip; do
    [ -z "$folder" ] && [ -f $zip ] && command -v unzip >/dev/null || continue
    unzip -q $zip 'shaders/arb/*' -d "$work/game"
    folder=$work/game
done
if [ ! -d "$folder/shaders/arb" ]; then
    skip "the programs of 0 A.D." "no copy of it is installed (0ad-data, unzip)"
    done_testing
fi

# variants FILE: each of them once, into $work/variants; other lines that begin with a # are comments
variants() {
    local macros m k i args
    mapfile -t macros < <(sed -nE 's/^[[:space:]]*#[[:space:]]*(if|ifdef|ifndef|elif)[[:space:]](.*)/\2/p' "$1" |
        grep -oE '[A-Z_][A-Z_0-9]*' | sort -u)
    sed -E '/^[[:space:]]*#[[:space:]]*(if|ifdef|ifndef|elif|else|endif)/!{/^[[:space:]]*#/d}' "$1" >"$work/source"
    for ((k = 0; k < 1 << ${#macros[@]}; k++)); do
        args=() i=0
        for m in "${macros[@]}"; do
            # the one that is a number, of materials
            if ((k >> i & 1)); then args+=("-D$m=$([ "$m" = REQUIRE_ALPHA_GEQUAL ] && echo 0.4 || echo 1)"); fi
            i=$((i + 1))
        done
        "${CC:-cc}" -E -P -undef -xc "${args[@]}" - <"$work/source" >"$work/variant"
        mv "$work/variant" "$work/variants/${1##*/}.$(sha256sum <"$work/variant" | cut -c1-16)"
    done
}

mkdir "$work/variants"
for file in "$folder"/shaders/arb/*.[vf]p; do
    variants "$file"
    name=${file##*/}
    echo "$name $(sha256sum <"$file" | cut -c1-16) $(find "$work/variants" -name "$name.*" | wc -l)"
done >"$work/table"
if cmp -s "$work/table" tests/cli/translate_0ad.txt; then
    ok "these are the files of 0 A.D. 0.0.26"
else
    note "other files than those of 0.0.26: $(diff "$work/table" tests/cli/translate_0ad.txt | grep -c '^<')"
fi
check "there are variants" test "$(find "$work/variants" -type f | wc -l)" -ge 300
for language in glsl120 glsl330 glsl450 glsl450compat; do
    "$B/tests/translate_live" --to=$language --rounds=16 "$work"/variants/* >"$work/out"
    equals "$language: the same bits" 0 $?
    note "$(tail -n 1 "$work/out")"
    # MINIMAP_BASE and MINIMAP_LINE, which the engine never has both, declare one name twice.
    check "$language: the driver takes all but 4 in 400" awk '/ programs, / { split($0, part, "refused, ")
        exit !(part[2] * 100 <= $1) }' "$work/out"
done
done_testing
