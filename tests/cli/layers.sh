#!/bin/sh
# Folders include and call only what docs/architecture.md lets them, and calls between files go in no large circle.
# Calls are what an object leaves undefined and another defines (nm), so those through a table or a pointer do not
# count.
. tests/cli/tap.inc

# FILE NM-LINE of each object; a kernel is built for several levels, of which one is enough.
for source in $(find api asm lexer parser translate model eval raster gl compare lsp cli -name '*.c'); do
    object=obj/${source%.c}
    [ -f "$B/$object.o" ] || object=$object.base
    echo "$object.o"
done >"$work/objects"
(cd "$B" && xargs nm -A -g gen/lexer.o gen/parser.o <"$work/objects") >"$work/nm"
sed 's|^gen/\(.*\)\.o:|\1/\1.c |; s|^obj/||; s|\(\.base\)*\.o:|.c |' "$work/nm" >"$work/symbols"
awk -v show=calls -f tests/tools/circles.awk "$work/symbols" >"$work/all-calls"
# Whoever may include the public headers may call what stands in them.
cat include/*.h | tr -cs 'A-Za-z0-9_' '\n' | grep '^gp5_' | sort -u >"$work/public"
awk 'NR == FNR { public[$1]; next } !($3 in public)' "$work/public" "$work/all-calls" >"$work/calls"
check "the objects' calls were found" test "$(wc -l <"$work/calls")" -gt 2000

# may FOLDER ALLOWED...: every #include "..." of the folder's files names an allowed folder or file, or a header of
# gp5.h's kind; every function that they call is one of their own, of an allowed folder, or public.
may() {
    folder=$1
    shift
    echo "$folder" >>"$work/wings"
    allowed=$(echo "$*" | sed 's/  */|/g')
    find "$folder" -name '*.[chly]' -o -name '*.def' >"$work/files"
    xargs grep -nE '^[[:space:]]*#[[:space:]]*include[[:space:]]*"' <"$work/files" >"$work/includes" /dev/null
    grep -vE "\"(($allowed)(/[^\"]*)?|(include/)?gp5(_subgroup|_texture)?\.h|(lexer|parser)\.h|words\.inc)\"" \
        "$work/includes" >"$work/wrong"
    # What flex, bison and asm/gen write has no folder in its name.
    for generated in lexer/lexer.h parser/parser.h asm/words.inc; do
        echo " $* " | grep -q " ${generated%/*}[ /]" || grep "\"${generated#*/}\"" "$work/includes" >>"$work/wrong"
    done
    grep "^$folder/" "$work/calls" | grep -vE "^[^ ]* ($folder|$allowed)(/| )" >>"$work/wrong"
    if [ -s "$work/wrong" ]; then
        not_ok "$folder uses only $*"
        note "$(cat "$work/wrong")"
    else
        ok "$folder uses only $*"
    fi
}
may asm asm
may asm/text asm/text asm
may asm/check asm/check asm/text asm
may asm/lower asm/lower asm
may lexer lexer asm parser/context.h
may parser parser lexer asm
may translate translate asm
may model model eval/numeric eval/state/gl_state.c eval/state/gl_state.h eval/state/element_binding.c \
    eval/state/element_binding.h asm
may eval/numeric eval/numeric eval/kernels/kernel.h eval/kernels/lanes.h asm
may eval/kernels eval/kernels eval/numeric asm
# What a warp is made of is known to all of the machine's rooms.
warp="eval/machine/warp_state.h eval/machine/step.h"
may eval/texture eval/texture eval/kernels eval/numeric $warp asm
may eval/state eval/state eval/texture eval/kernels eval/numeric $warp asm
may eval/track eval/track eval/state eval/texture eval/kernels eval/numeric $warp eval/machine/shuffle.h \
    eval/jit/jit.h asm
may eval/race eval/race eval/track eval/state eval/texture eval/kernels eval/numeric $warp asm
may eval/subgroup eval/subgroup
may eval/machine eval/machine eval/race eval/track eval/state eval/texture eval/subgroup eval/kernels eval/numeric \
    eval/jit/jit.h model/passes.h asm
may eval/jit eval/jit eval/machine eval/state eval/kernels eval/numeric asm
may eval/decode eval/decode eval/jit eval/machine eval/race eval/track eval/state eval/texture eval/kernels \
    eval/numeric \
    model/model.h model/model.c model/tables.h model/passes.h model/passes.c asm
may api api eval asm
may raster raster asm
may compare/driver compare/driver raster eval asm
may compare/script compare/script compare/driver raster asm
may compare/record compare/record compare/script compare/driver asm
may compare/debug compare/debug compare/driver eval asm
may compare/world compare/world compare/debug compare/record compare/script compare/driver raster eval asm
may compare/report compare/report compare/world compare/debug compare/script compare/driver eval asm
may compare/reduce compare/reduce compare/report compare/world compare/record compare/script compare/driver asm
may compare/fuzz compare/fuzz compare/driver compare/reduce/reduce.h compare/reduce/program.c compare/reduce/edits.c \
    compare/report/json_text.h compare/report/json_text.c asm
may gl gl compare/driver
may lsp lsp asm
may cli cli compare lsp asm

# circle FOLDER FILES: no circle of calls through more files than that.
circle() {
    awk -v show=circles -f tests/tools/circles.awk "$work/symbols" | grep " $1/" >"$work/circles"
    largest=$(sort -rn "$work/circles" | head -n 1 | cut -d ' ' -f 1)
    if [ "${largest:-0}" -le "$2" ]; then
        ok "no circle of calls through more than $2 files of $1"
    else
        not_ok "a circle of calls through $largest files of $1: at most $2"
        note "$(cat "$work/circles")"
    fi
}
circle compare 0
for folder in asm lexer parser translate model eval raster gl lsp cli; do circle $folder 25; done

# A file is of the wing with the longest name.
awk 'NR == FNR { wing[$1]; next }
    { name = $1; while (!(name in wing)) if (!sub("/[^/]*$", "", name)) next; $1 = name; print }
' "$work/wings" "$work/symbols" >"$work/wing-symbols"
equals "no circle of calls between wings" "" "$(awk -v show=circles -f tests/tools/circles.awk "$work/wing-symbols")"

# The instrument itself: two that call each other, and one that they call.
printf '%s\n' 'a.c T f' 'a.c U g' 'b.c T g' 'b.c U f' 'b.c U h' 'c.c T h' >"$work/two"
equals "a circle of two is seen" 2 \
    "$(awk -v show=circles -f tests/tools/circles.awk "$work/two" | tr ' ' '\n' | grep -c '^[ab]\.c$')"

# What a screen and a page hold: all code, that of tests too.
git ls-files 2>/dev/null | grep -E '\.([chly]|def|sh|inc)$|^tests/(run|tools/[a-z-]*)$' >"$work/code"
[ -s "$work/code" ] || find . -path ./build -prune -o -type f \( -name '*.[chly]' -o -name '*.def' -o -name '*.sh' \) \
    -print >"$work/code"
check "there is code" test "$(wc -l <"$work/code")" -gt 500
xargs grep -nE '^.{121,}' <"$work/code" >"$work/long"
equals "no line of code has more than 120 columns" "" "$(cut -d : -f 1,2 "$work/long")"

check "GL's headers stand in gl/ alone" sh -c \
    '! grep -rnE "#[[:space:]]*include[[:space:]]*<(GL|EGL|GLFW|GLES.?)/" api asm lexer parser translate model eval \
    raster compare lsp cli include'
check "and there they do" grep -rqE '#[[:space:]]*include[[:space:]]*<(GL|EGL|GLFW)/' gl
done_testing
