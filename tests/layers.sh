#!/bin/sh
# Folders include only what docs/architecture.md lets them.
. tests/tap.inc

# may FOLDER ALLOWED...: every #include "..." of the folder's files names an allowed folder, or a header of gp5.h's kind.
may() {
    folder=$1
    shift
    allowed=$(echo "$*" | sed 's/  */|/g')
    find "$folder" -name '*.[chly]' -o -name '*.def' >"$work/files"
    if [ ! -s "$work/files" ]; then skip "$folder" "no files yet"; return; fi
    xargs grep -nE '^[[:space:]]*#[[:space:]]*include[[:space:]]*"' <"$work/files" >"$work/includes" /dev/null
    grep -vE "\"(($allowed)(/[^\"]*)?|(include/)?gp5(_subgroup|_texture)?\.h|(lexer|parser)\.h)\"" "$work/includes" >"$work/wrong"
    # What flex and bison write has no folder in its name.
    for generated in lexer parser; do
        echo " $* " | grep -q " $generated[ /]" || grep "\"$generated\.h\"" "$work/includes" >>"$work/wrong"
    done
    if [ -s "$work/wrong" ]; then not_ok "$folder includes only $*"; note "$(cat "$work/wrong")"; else ok "$folder includes only $*"; fi
}
may asm asm
may lexer lexer asm parser/context.h
may parser parser lexer asm
may subgroup subgroup
may eval eval asm
may compare compare eval asm
may gl gl compare
may fuzz fuzz compare/driver.h compare/json_text.h compare/texture_words.h compare/sha256.h asm/print.h
may cli cli compare fuzz asm
check "GL's headers stand in gl/ alone" sh -c \
    '! grep -rnE "#[[:space:]]*include[[:space:]]*<(GL|EGL|GLFW|GLES.?)/" asm lexer parser eval subgroup compare fuzz cli include'
check "and there they do" grep -rqE '#[[:space:]]*include[[:space:]]*<(GL|EGL|GLFW)/' gl
done_testing
