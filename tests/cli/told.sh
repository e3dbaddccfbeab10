#!/bin/sh
# What people are told who type something wrong, or whose program or test does not end well: once, with its place, and
# with what to type instead.
. tests/cli/tap.inc
GP5=${GP5:-$B/gp5}
# says WHAT TEXT COMMAND...: the command's output holds the text, exactly once.
says() {
    what=$1 text=$2
    shift 2
    (cd "$work" && "$GP5" "$@") >"$work/out" 2>&1
    equals "$what" 1 "$(grep -cF -- "$text" "$work/out")"
}
cat >"$work/loop.cp" <<'E'
!!NVcp5.0
OPTION NV_shader_storage_buffer;
GROUP_SIZE 4;
STORAGE b[] = { program.storage[0] };
TEMP R;
REP;
ADD.U R.x, R.x, 1;
BRK (FL.x);
ENDREP;
STB.U32 R.x, b[0];
END
E
printf '!!ARBfp1.0\nADD result.color, fragment.texcoord[0], fragment.texcoord[1];\nEND\n' >"$work/given.fp"
printf '!!ARBvp1.0\nTEMP r;\nMOV result.position, r;\nEND\n' >"$work/open.vp"
cat >"$work/good.shader_test" <<'E'
[require]
GL_ARB_fragment_program
[fragment program]
!!ARBfp1.0
MOV result.color, {1, 1, 1, 1};
END
[test]
draw rect -1 -1 2 2
probe rgba 1 1 1 1 1 1
E
sed 's/MOV/MOVE/' "$work/good.shader_test" >"$work/opcode.shader_test"
sed 's/probe rgba 1 1/probe rgba 1000 1000/' "$work/good.shader_test" >"$work/outside.shader_test"
sed 's/fragment program]/fragmnet program]/' "$work/good.shader_test" >"$work/section.shader_test"

says "a number out of range names the range" "a warp has 1 to 32 lanes: '40'" run --warp=40 loop.cp
says "a size" "each 1 to 4096: '0,3'" run --size=0,3 given.fp
says "threads" "0 to 1024 threads: '4096'" run -j 4096 loop.cp
says "instructions" "expected 1 to 18446744073709551615 instructions: '0'" run --max-instructions=0 loop.cp
says "an ambiguous option lists its candidates" "could be --size, --" run --s loop.cp
says "one that is none" "there is no option '--frob'" run --frob loop.cp
says "the limit of instructions has its place once" "9:1: error: the limit of 100 instructions" \
    run --max-instructions=100 --storage=0=zero:64 loop.cp
says "and what sets it" "--max-instructions=N sets the limit" run --max-instructions=100 --storage=0=zero:64 loop.cp
says "a dump that cannot be written is told" "nowhere/x: No such file or directory" \
    run --max-instructions=100 --storage=0=zero:64 --dump-storage=0=nowhere/x loop.cp
equals "before the program runs" 0 "$(grep -c 'limit of' "$work/out")"
says "what was not given says where" "fragment.texcoord[1] was not given (first of pixel 0,0, .x)" \
    run --size=2,2 given.fp
says "and how it is" "; --input=fragment.texcoord[1]=FILE gives it" run --size=2,2 given.fp
says "of a vertex" "r.x was never written (first of vertex 0)" run --count=2 open.vp
says "a plain program to compare is told what to type" "gp5 run evaluates it" compare --driver=none loop.cp
says "a misspelt section, by compare" "no such section" compare --driver=none section.shader_test
says "and by run" "no such section" run section.shader_test
check "to programs that read along too" sh -c 'cd "$2" && "$1" compare --driver=none --json section.shader_test \
    2>/dev/null | grep -q "no such section"' - "$GP5" "$work"
says "a probe outside has its line" "shader_test: line 9: a probe outside of the window, which is 250 x 250" \
    compare --driver=none outside.shader_test
for kind in auto egl-device egl-surfaceless glfw none; do
    check "compare --help names the driver $kind" sh -c '"$1" compare --help | grep -qw -- "$2"' - "$GP5" "$kind"
done
"$GP5" compare --driver=egl "$work/opcode.shader_test" >"$work/out" 2>&1
if grep -q 'driver: ' "$work/out"; then
    check "a driver's refusal has one file and line" \
        grep -qE '  line 8: driver: [^ ]*opcode.shader_test:5:[0-9]+: [^:]*$' "$work/out"
else
    skip "a driver's refusal" "no context"
fi
done_testing
