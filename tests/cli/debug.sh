#!/bin/sh
# gp5 debug: what it shows where it stops. Commands come from a file here, so that there is no line editing.
. tests/cli/tap.inc
GP5=${GP5:-$B/gp5}

cat >"$work/p.cp" <<'EOT'
!!NVcp5.0
GROUP_SIZE 36;
SHARED_MEMORY 64;
SHARED s[] = { program.sharedmem };
TEMP R, N, a[2];
LONG TEMP D;
MOV.U.CC R.x, invocation.localindex.x;
IF NE.x;
I2F.U R.y, R.x;
CAL half;
ENDIF;
MOV.U N.x, 2;
REP.S N.x;
ADD.U R.z, R.x, 1;
ENDREP;
STS.U32 R.x, s[4];
BAR;
MOV.S64 D.x, -3;
AND.U a[1].w, R.x, 0;
RET;
half:
MUL.F R.y, R.y, 0.5;
RET;
END
EOT
# debug TEXT COMMANDS: the status is 0; what was printed is in $work/out.
debug() { printf "$2" | "$GP5" debug "$work/p.cp" >"$work/out" 2>"$work/err"; equals "$1: status" 0 $?; }
answers() { equals "$1" "$3" "$(sed -n "/^(gp5) $2\$/,/^(gp5) /p" "$work/out" | sed -e 1d -e '$d')"; }

debug "the first stop" 'c\n'
equals "is the first instruction" "group 0, warp 0, lanes ffffffff
>   7  MOV.U.CC R.x, invocation.localindex.x;" "$(sed 2q "$work/out")"
check "and then it runs to the end" grep -q '1 group of 36 invocations' "$work/out"
debug "nothing to read" ''
check "ends without a result" sh -c '! grep -q invocations "$1"' - "$work/out"

debug "a line and a label" 'break 9\nb half\nstops\nc\nlanes\nprint/u R.x\nc\nstack\np/f R.y\nstep\nwhere\np R.y\ndelete\nq\n'
answers "stops" "stops" "1  line 9
2  line 22"
answers "lanes behind a divergent IF" "lanes" "exist   ffffffff
live    ffffffff
active  fffffffe"
check "a register across lanes, the one that is not active marked" grep -q '^  -0 *0  *1 *1  *2 *2  *3 *3$' "$work/out"
answers "blocks" "stack" "#0 CAL to line 11, then lanes fffffffe
#1 IF  to line 11, then lanes ffffffff, of the other side 00000001"
answers "a step" "where" "group 0, warp 0, lanes fffffffe
>  23  RET;"
check "floats, and what is undefined" grep -q '^  -0 *0x00000000 0 *? *1 *0x3f000000 0.5 *2 *0x3f800000 1 *$' "$work/out"
debug "no stops" 'b 9\ndelete 1\nstops\nc\n'
answers "are none" "stops" "no stops"
check "and nothing stops" grep -q '1 group of 36' "$work/out"

debug "a watch" 'w R.z\nc\np/u R.z\nstack\nc\nwarps\np/u R.x\nq\n'
check "stops behind the instruction" grep -q '^stop 1: R.z has changed$' "$work/out"
check "that changed it" grep -q '^>  15  ENDREP;$' "$work/out"
answers "a loop" "stack" "#0 REP to line 15, then lanes ffffffff, waiting for the next turn 00000000"
debug "the second warp" 'b 18\nc\nshared/u 0 3\nwarps\nlane/d 1\nwarp 1\np/u R.x\nstep\np/d D.x\np/x D.x\ncc\nq\n'
answers "shared memory, not all of it written" "shared\\/u 0 3" "       0  0 ?
       4  35
       8  0 ?"
answers "warps" "warps" "group 0 (0, 0, 0) of 1
* warp 0  lanes ffffffff  runs
  warp 1  lanes 0000000f  runs"
check "one lane" grep -q '^  R.z = 2$' "$work/out"
check "its flags" grep -q '^  CC0.x = ----$' "$work/out"
answers "another warp" "p\\/u R.x" "R.x
   0               32     1               33     2               34     3               35"
answers "64 bits" "p\\/d D.x" "D.x
   0-31                    -3"
answers "as bits" "p\\/x D.x" "D.x
   0-31    0xfffffffffffffffd"
check "condition codes" grep -q '^CC0.x  sign 00000000  zero 00000001  carry 00000000  overflow 00000000$' "$work/out"

debug "mistakes" 'frob\nbreak 99\nbreak nowhere\nbreak\nprint Q\nprint\nwarp 7\nlane 40\nwatch Q\nshared 4000\ndelete 9\nlist 400\nstep x\nq\n'
check "an unknown command" grep -q '^no such command: frob; help lists them$' "$work/out"
check "a line without an instruction" grep -q "^no instruction stands at '99'\$" "$work/out"
check "an unknown label" grep -q "^no instruction stands at 'nowhere'\$" "$work/out"
check "an unknown register" grep -q '^no register Q is used in this program$' "$work/out"
check "a warp that is not there" grep -q '^the group has warps 0 to 1$' "$work/out"
check "a lane that is not there" grep -q '^this warp has no lane 40$' "$work/out"
check "help lists the commands" sh -c 'printf "help\nq\n" | "$1" debug "$2" | grep -q "^break LINE"' - "$GP5" "$work/p.cp"

for i in $(seq 1 70); do echo "b 9"; done >"$work/many"
"$GP5" debug "$work/p.cp" <"$work/many" >"$work/out"
check "too many stops are said so" grep -q '^there are 64 stops already$' "$work/out"
printf '!!NVcp5.0\nFROB;\nEND\n' >"$work/bad.cp"
"$GP5" debug "$work/bad.cp" </dev/null >/dev/null 2>&1
equals "an invalid program: status" 1 $?
"$GP5" debug - </dev/null >/dev/null 2>&1
equals "standard input as the program: status" 2 $?
"$GP5" debug "$work/none.cp" </dev/null >/dev/null 2>&1
equals "no such file: status" 2 $?
check "the program is the same as without a debugger" sh -c '
    printf "c\n" | "$1" debug --storage=0=zero:64 "$2" | tail -n +4 >"$3/a"; "$1" run --storage=0=zero:64 "$2" >"$3/b"; cmp "$3/a" "$3/b"' \
    - "$GP5" "$work/p.cp" "$work"

# ---- a script: lines are those of its file, each command that runs the program is a run ----

cat >"$work/s.shader_test" <<'EOT'
[compute program]
!!NVcp5.0
OPTION NV_shader_storage_buffer;
GROUP_SIZE 2;
STORAGE to[] = { program.storage[0] };
TEMP R;
LDB.U32 R.x, to[0];
ADD.U R.x, R.x, 1;
STB.U32 R.x, to[0];
END
[test]
storage 0 zero 4
compute 1 1 1
compute 1 1 1
probe storage 0 0 u32 2
EOT
# script COMMANDS: what was printed is in $work/out.
script() { printf "$1" | "$GP5" debug "$work/s.shader_test" >"$work/out" 2>"$work/err"; equals "a script: status" 0 $?; }

script 'break 9\nc\np/u R.x\nr\np/u R.x\nlist\nc\n'
equals "stops at a line in both runs" "run 1, of line 13
run 2, of line 14" "$(grep '^run' "$work/out")"
equals "where the buffer is what the first one left" "1 2" "$(echo $(sed -n 's/^ *0-1  *//p' "$work/out"))"
check "lists lines of the script" grep -q '^>   9  STB.U32 R.x, to\[0\];$' "$work/out"
check "and tells what the probes gave" grep -q '^PASS ' "$work/out"
script 'c\n'
check "a run does not stop at its beginning again" [ "$(grep -c '^>' "$work/out")" = 1 ]
script 'step 9\nq\n'
check "unless it is stepped into" [ "$(grep -c '^> *7 ' "$work/out")" = 2 ]
check "and a script that is left tells nothing" sh -c '! grep -q PASS "$1"' - "$work/out"

done_testing
