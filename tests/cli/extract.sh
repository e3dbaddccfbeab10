#!/bin/bash
# gp5 check --extract: programs inside other files, with the positions that they have there.
. tests/cli/tap.inc
B=${B:-build}
GP5=${GP5:-$B/gp5}

# found FILE: "OFFSET:LENGTH:STAGE:VALID:POSITION:LINE:COLUMN" of each program.
found() {
    "$GP5" check --extract --json "$1" |
        sed 's/.*"valid":\([a-z]*\),'\
'"position":\([-0-9]*\),"line":\([0-9]*\),"column":\([0-9]*\),.*"offset":\([0-9]*\),'\
'"length":\([0-9]*\),"stage":\("*[a-z]*"*\).*/\5:\6:\7:\1:\2:\3:\4/' |
        tr -d '"' | paste -sd' '
}
status() { "$@" >/dev/null 2>&1; echo $?; }
vertex='!!ARBvp1.0\nMOV result.position, vertex.position;\nEND'
fragment='!!ARBfp1.0\nMOV result.color, fragment.color;\nEND'
wrong='!!ARBfp1.0\nMOV result.color, nothing;\nEND'

# ---- one file, two programs: as id Tech 4 has them -------------------------------------------------------------------
printf "# a light, see !!ARBvp1.0\n\n$vertex\n\n#====\n# the other half\n$fragment\n" >"$work/light.vfp"
equals "a .vfp: two programs" "27:52:vertex:true:-1:0:0 104:48:fragment:true:-1:0:0" "$(found "$work/light.vfp")"
equals "a .vfp: valid" 0 "$(status "$GP5" check --extract "$work/light.vfp")"
equals "a .vfp without --extract: begins with no header" 1 "$(status "$GP5" check "$work/light.vfp")"
printf "$vertex\n\n$wrong\n" >"$work/wrong.vfp"
equals "the second is wrong: its place in the file" "0:52:vertex:true:-1:0:0 54:41:fragment:false:83:6:19" \
    "$(found "$work/wrong.vfp")"
equals "and in the text" "$work/wrong.vfp:6:19: error: the operand nothing is not declared" \
    "$("$GP5" check --extract "$work/wrong.vfp" 2>&1 | grep error)"
equals "with the line of the file under it" "  MOV result.color, nothing;" \
    "$("$GP5" check --extract "$work/wrong.vfp" 2>&1 | sed -n 2p)"
equals "invalid" 1 "$(status "$GP5" check --extract "$work/wrong.vfp")"
printf "$wrong\n$fragment\n" >"$work/first.vfp"
equals "the first is wrong, the second not" "0:41:fragment:false:29:2:19 42:48:fragment:true:-1:0:0" \
    "$(found "$work/first.vfp")"
printf '!!ARBfp1.0\nMOV result.color, fragment.color;\n!!ARBfp1.0\nMOV result.color, fragment.color;\nEND\n' \
    >"$work/cut.vfp"
equals "no END: it goes to the next header" "0:45:fragment:false:45:3:1 45:48:fragment:true:-1:0:0" \
    "$(found "$work/cut.vfp")"
printf '!!ARBfp1.0\nTEMP ENDING; MOV ENDING, fragment.color; # END\nMOV result.color, ENDING\nEND\n' >"$work/semicolon"
equals "END in a comment or a word is none; one on a line of its own is one" "0:86:fragment:false:83:4:1" \
    "$(found "$work/semicolon")"
printf '!!ARBfp1.0 MOV result.color, fragment.color; END   and words behind it\r\n' >"$work/line"
equals "all on one line" "0:48:fragment:true:-1:0:0" "$(found "$work/line")"
printf '\357\273\277!!ARBfp1.0\r\nMOV result.color, fragment.color;\r\nEND' >"$work/bom"
equals "a byte order mark before it" "3:50:fragment:true:-1:0:0" "$(found "$work/bom")"
printf '!!ARBfp9.9\nEND\n' >"$work/unknown"
check "a header that nobody knows" sh -c \
    "'$GP5' check --extract '$work/unknown' 2>&1 | grep -q ':1:1: error: a program begins with its header'"

# ---- a driver's link log ---------------------------------------------------------------------------------------------
{
    printf 'Fragment info\n-------------\nInternal error: assembly compile error for fragment shader at offset 82:\n'
    printf -- '-- error message --\nline 3, column 5:  error: invalid operand\n-- internal assembly text --\n'
    printf '!!NVcp5.0\nOPTION NV_internal;\nGROUP_SIZE 1;\nTEMP R0;\nMOV.U R0.x, R1;\nEND\n'\
'# 3 instructions, 2 R-regs\n\n'
} >"$work/log"
start=$(grep -abo '!!NVcp5.0' "$work/log" | cut -d: -f1)
bad=$(($(grep -abo 'R1;' "$work/log" | cut -d: -f1)))
equals "a link log: the listing, and the error in its line" "$start:72:compute:false:$bad:11:13" "$(found "$work/log")"

# ---- a program binary ------------------------------------------------------------------------------------------------
{
    head -c 777 /dev/zero | tr '\0' '\252'
    printf '\1\0!!\0\177ELF\5'
    cat tests/corpus/asm/ballot.cp
    printf '\0\0\3\4'
    cat tests/corpus/asm/farith.cp
    printf '\377\376!!NV'
} >"$work/binary"
one=$(grep -abo '!!NVcp5.0' "$work/binary" | cut -d: -f1 | head -n 1)
two=$(grep -abo '!!NVcp5.0' "$work/binary" | cut -d: -f1 | tail -n 1)
equals "a binary: two programs between other bytes" "$one:compute:true $two:compute:true" \
    "$(found "$work/binary" | tr ' ' '\n' | cut -d: -f1,3,4 | paste -sd' ')"
equals "each of them is what was put in" "$(head -n -1 tests/corpus/asm/ballot.cp | wc -c)" \
    "$(($(found "$work/binary" | tr ' ' '\n' | head -n 1 | cut -d: -f2) - 3))"
printf 'abc!!NVcp5.0\nGROUP_SIZE 1;\0END\n' >"$work/nul"
equals "a NUL ends it" "3:23:compute:false:26:2:14" "$(found "$work/nul")"

# ---- in other text
# ---------------------------------------------------------------------------------------------------------- Literals of
# C that follow each other are one; a trace writes a string on one line; a log has a prefix before each line.
cat >"$work/literal.c" <<'P'
static const char program[] =
    "!!ARBfp1.0\n"
    "TEMP a;\n"      "MOV a, fragment.color;  # \"first\"\n" \
    "MOV result.color, b;\n"
    "END\n";
P
equals "a string of C: the error stands where it stands in the file" "35:114:fragment:false:135:4:24" \
    "$(found "$work/literal.c")"
cat >"$work/dump" <<'P'
7 glProgramStringARB(string = "!!ARBfp1.0\nTEMP a;\nMOV a, fragment.color;\nMOV result.color, a;\nEND\n")
8 glProgramStringARB(string = "!!ARBvp1.0\nMOV result.position, vertex.position;\nEND\n") = "!!"
P
equals "a trace's dump: two programs" "fragment:true vertex:true" \
    "$(found "$work/dump" | tr ' ' '\n' | cut -d: -f3,4 | paste -sd' ')"
printf '%s\n' '[12:00:01] info: !!ARBfp1.0' '[12:00:01] info: TEMP a;' '[12:00:02] info: MOV a, fragment.colour;' \
    '[12:00:02] info: MOV result.color, a;' '[12:00:03] info: END' '[12:00:03] info: done' >"$work/log"
equals "a log: the prefix is none of it" "17:135:fragment:false:86:3:34" "$(found "$work/log")"
printf 'x = "!!ARBfp1.0\\nMOV result.color, \\x31.0;\\n\\105ND' >"$work/open"
equals "numbers for bytes, and a string that nothing ends" "fragment:true" "$(found "$work/open" | cut -d: -f3,4)"

# ---- none ------------------------------------------------------------------------------------------------------------
printf 'no program !! here !!A !!ARB !!ARBfp !!ARBfp1 !!ARBfp1.' >"$work/none"
equals "a file without one" 1 "$(status "$GP5" check --extract "$work/none")"
check "and that is said" sh -c \
    "'$GP5' check --extract '$work/none' 2>&1 | grep -q 'none:1:1: error: a program begins with its header'"
: >"$work/empty"
equals "an empty file" 1 "$(status "$GP5" check --extract "$work/empty")"
equals "a missing file" 2 "$(status "$GP5" check --extract "$work/missing")"
equals "standard input" 0 "$("$GP5" check --extract - <"$work/light.vfp" >/dev/null 2>&1; echo $?)"
done_testing
