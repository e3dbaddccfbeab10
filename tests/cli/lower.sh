#!/bin/sh
# gp5 lower, as a command; and what a driver made of all that it writes.
# cost: 4
. tests/cli/tap.inc
B=${B:-build}
case $B in /*) gp5=$B/gp5 ;; *) gp5=$PWD/$B/gp5 ;; esac
head='!!NVcp5.0\nOPTION GP5_subgroup;\nGROUP_SIZE 32;\nTEMP a, sg_lanes;\n'
printf "$head"'SGRED.ADD.F a.x, a.y;  # kept\nEND\n' >"$work/good.cp"
printf "$head"'SGREDC.ADD.F a.x, a.y, 3;\nEND\n' >"$work/cluster.cp"
printf "$head"'SGREDC.ADD.F a.x, a.y, a.z;\nEND\n' >"$work/variable.cp"
printf "$head"'SGPART.U.CC1 a.x, a.y;\nMOV.U.CC0 a.x, a.y;\nEND\n' >"$work/codes.cp"
printf '!!NVcp5.0\nOPTION NV_shader_thread_group;\nGROUP_SIZE 32;\nTEMP SGRED;\nMOV.U SGRED.x, 1;\nEND\n' \
    >"$work/plain.cp"
exits() { wanted=$1 text=$2; shift 2; "$@" >"$work/out" 2>"$work/err"; equals "$text" "$wanted" $?; }
exits 1 "the option is none of NVIDIA's" "$gp5" check "$work/good.cp"
check "and the hint says what to do" grep -q 'gp5 lower' "$work/err"
exits 0 "--target=gp5 takes it" "$gp5" check --target=gp5 "$work/good.cp"
exits 0 "it is lowered" "$gp5" lower "$work/good.cp"
cp "$work/out" "$work/lowered.cp"
exits 0 "what is written is valid for NVIDIA" "$gp5" check "$work/lowered.cp"
check "its temporaries have names of their own" grep -q 'TEMP sg1_lanes' "$work/lowered.cp"
check "comments stay" grep -q 'kept' "$work/lowered.cp"
check "nothing of it is internal" sh -c "! grep -q NV_internal '$work/lowered.cp'"
exits 1 "a cluster of three lanes is refused" "$gp5" lower "$work/cluster.cp"
check "with its place" grep -q 'not lowered: a cluster .* line 5, column 1' "$work/err"
exits 1 "a cluster of a variable size is invalid" "$gp5" check --target=gp5 "$work/variable.cp"
exits 1 "a loop without a condition code is refused" "$gp5" lower "$work/codes.cp"
exits 0 "with MATCH it needs none" "$gp5" lower --allow-internal "$work/codes.cp"
check "and names the option" grep -q 'OPTION NV_internal;' "$work/out"
exits 0 "opcodes of the option are names elsewhere" "$gp5" check "$work/plain.cp"
exits 0 "a program without the option stays as it is" "$gp5" lower "$work/plain.cp"
check "to the byte" cmp "$work/plain.cp" "$work/out"
exits 2 "a file that is not there" "$gp5" lower "$work/none.cp"
# Every instruction and type in every pattern of lanes: evaluated as it stands, and as a driver ran what gp5 lower makes
# of it.
tests/suites/subgroup/make "$work/suite" >"$work/out" 2>&1
equals "the suite for drivers can be made" 0 $?
xz -dc tests/recordings/subgroup.full.xz >"$work/subgroup.full"
"$gp5" compare --replay="$work/subgroup.full" "$work/suite/subgroup.shader_test" >"$work/replayed" 2>&1
count=$(ls "$work/suite/subgroup" | wc -l)
check "the driver runs all of it as the evaluator does" \
    grep -qx "$count passed, 0 failed, 0 skipped, 0 errors" "$work/replayed"
# A partition without MATCH: a pass a distinct value, and no more. All-equal: no pass.
passes() {
    printf '!!NVcp5.0\nOPTION NV_shader_thread_group;\nOPTION NV_shader_storage_buffer;\nOPTION GP5_subgroup;\n'\
'GROUP_SIZE 32;\nSTORAGE b[] = { program.storage[0] };\nTEMP a, r;\nAND.U a.x, invocation.threadid.x, %d;\n'\
'%s r.x, a.x;\nMOV.U a.y, 0;\nSTB.U32 r, b[a.y];\nEND\n' \
        $(($2 - 1)) "$1" | "$gp5" lower - >"$work/passes.cp"
    "$gp5" run --storage 0=zero:4 "$work/passes.cp" | sed -n 's/.*, \([0-9]*\) instructions.*/\1/p' | head -n 1
}
one=$(passes SGPART.U 1) two=$(passes SGPART.U 2)
for values in 4 8 16 32; do
    equals "a pass a value: $values" $((one + (values - 1) * (two - one))) "$(passes SGPART.U $values)"
done
equals "all-equal has no loop" "$(passes SGEQ.U 1)" "$(passes SGEQ.U 32)"
GP5=$gp5 tests/tools/lower-counts >"$work/counts" 2>&1
equals "no row of the counts is worse than the driver's" 0 $?
sed -n '/^| | written: driver/,/^$/{/./p}' docs/subgroups.md >"$work/documented"
check "docs/subgroups.md has the counts (else: tests/tools/lower-counts)" diff "$work/documented" "$work/counts"
done_testing
