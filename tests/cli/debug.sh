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

debug "a line and a label" \
    'break 9\nb half\nstops\nc\nlanes\nprint/u R.x\nc\nstack\np/f R.y\nstep\nwhere\np R.y\ndelete\nq\n'
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
check "floats, and what is undefined" grep -q '^  -0 *0x00000000 0 *? *1 *0x3f000000 0.5 *2 *0x3f800000 1 *$' \
    "$work/out"
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

debug "mistakes" 'frob\nbreak 99\nbreak nowhere\nbreak\nprint Q\nprint\nwarp 7\nlane 40\nwatch Q\nshared 4000\n'\
'delete 9\nlist 400\nstep x\nq\n'
check "an unknown command" grep -q '^no such command: frob; help lists them$' "$work/out"
check "a line that is not there" grep -q "^there is no line 99: the program has 1 to 24\$" "$work/out"
check "an unknown label" grep -q "^no instruction stands at 'nowhere'\$" "$work/out"
check "an unknown register" grep -q '^the program uses no Q$' "$work/out"
check "a warp that is not there" grep -q '^the group has warps 0 to 1$' "$work/out"
check "a lane that is not there" grep -q '^this warp has no lane 40$' "$work/out"
for mistake in "step x" "step 1 2" "break" "break 1 2" "print" "print/q R" "where/x" "lane" "lane x" "lane -1" "warp" \
    "warp 1x" \
    "shared" "shared x" "shared 0 x" "shared 0 1 2" "list x" "delete x y" "lanes now" "quit now" "watch"; do
    printf '%s\nq\n' "$mistake" | "$GP5" debug "$work/p.cp" >"$work/out"
    check "'$mistake' is told its usage" grep -q "usage: ${mistake%%[ /]*}" "$work/out"
    equals "'$mistake' does nothing else" 1 "$(grep -c '^group 0' "$work/out")"
done
for mistake in "list 400:the program has no line 400" \
    "break 0:there is no line 0: the program has 1 to 24" "break 25:there is no line 25: the program has 1 to 24" \
    "b 99999999999999999999:there is no line 99999999999999999999: the program has 1 to 24" \
    "break 24:no instruction stands at '24'" "break 0x9:no instruction stands at '0x9'" \
    "step 18446744073709551616:'18446744073709551616' is not in range: at most 18446744073709551615; usage: step [N]" \
    "shared 2:an address is a multiple of 4, and 1 to 4096 words are shown" \
    "shared 0 99999:an address is a multiple of 4, and 1 to 4096 words are shown" "delete 9:there is no stop 9"; do
    debug "${mistake%%:*}" "${mistake%%:*}\nq\n"
    answers "is said so" "${mistake%%:*}" "${mistake#*:}"
done

# ---- types, inputs, state, results ----

debug "numbers by their type" \
    'step 3\np R.x\np R.y\nb 18\nc\nstep\np D.x\nlane 2\nprint CC\nprint CC1.zx\nprint invocation.localindex.x R.z\nq\n'
check "an unsigned one" grep -q '^  -0     0x00000000 0 ' "$work/out"
check "a float" grep -q '0x3f800000 1 ' "$work/out"
check "a signed one of 64 bits" grep -q '^   0-31  *0xfffffffffffffffd -3 *$' "$work/out"
check "of one lane" grep -q '^  D.x = 0xfffffffffffffffd -3$' "$work/out"
answers "condition codes" "print CC1.zx" "CC1.x  sign 00000000  zero 00000000  carry 00000000  overflow 00000000
CC1.z  sign 00000000  zero 00000000  carry 00000000  overflow 00000000"
check "an input of a group" grep -q '^invocation.localindex.x$' "$work/out"

cat >"$work/f.fp" <<'EOT'
!!ARBfp1.0
PARAM m[4] = { state.matrix.mvp };
PARAM k = program.env[3];
PARAM w = { 1, 2, 3, 4 };
ATTRIB t = fragment.texcoord[0];
OUTPUT o = result.color;
TEMP R;
MUL R, t, k;
ADD R, R, m[2].z;
MOV o, R;
END
EOT
fragment() { printf "$1" | "$GP5" debug --env=3=0.5,2,3,4 --size=2,2 "$work/f.fp" >"$work/out" 2>"$work/err";
    equals "a fragment program: status" 0 $?; }
fragment 'p/f t.x\nstep 2\np/f k\np/f program.env[3].y\nstate\ninputs/f\np/f m[2]\np o\nstep\nresults/f\nwatch o.x\n'\
'p w\np/f result.color.w\nq\n'
answers "an attribute by its name" "p\\/f t.x" "t.x
   0             0.25     1             0.75     2             0.25     3             0.75"
answers "a parameter by its binding" "p\\/f program.env\\[3\\].y" "program.env[3].y
   0-3              2"
check "state, as the program writes it" grep -q '^state.matrix.mvp+2, all lanes: x 0, y 0, z 1, w 0$' "$work/out"
check "parameters" grep -q '^program.env\[3\], all lanes: x 0.5, y 2, z 3, w 4$' "$work/out"
check "inputs" grep -q '^fragment.texcoord\[0\].x$' "$work/out"
answers "a constant" "p w" "w = { 1, 2, 3, 4 }"
check "the end of the warp is said" grep -q '^group 0, warp 0 has ended$' "$work/out"
answers "and what it wrote can be asked for" "p\\/f result.color.w" "result.color.w
  -0-3              5"

# ---- Ctrl-C ----

cat >"$work/loop.cp" <<'EOT'
!!NVcp5.0
GROUP_SIZE 4;
TEMP R;
REP;
ADD.U R.x, R.x, 1;
BRK (FL.x);
ENDREP;
END
EOT
mkfifo "$work/in"
"$GP5" debug --max-instructions=1000000000000 "$work/loop.cp" <"$work/in" >"$work/out" 2>&1 &
pid=$!
exec 3>"$work/in"
echo c >&3
n=0; while ! grep -q '(gp5) c' "$work/out" && [ $n -lt 200 ]; do sleep 0.05; n=$((n + 1)); done
kill -INT $pid
n=0; while ! grep -q '^interrupted' "$work/out" && [ $n -lt 200 ]; do sleep 0.05; n=$((n + 1)); done
printf 'p/u R.x\nq\n' >&3
exec 3>&-
wait $pid
equals "Ctrl-C: status" 0 $?
check "it stops a program that runs" grep -q '^interrupted$' "$work/out"
check "and asks" grep -q '^(gp5) p/u R.x$' "$work/out"

# ---- the full screen, in a terminal of tmux ----

"$GP5" debug --tui "$work/p.cp" </dev/null >"$work/out" 2>&1
equals "--tui without a terminal: status" 2 $?
check "is told so" grep -q -- '--tui needs a terminal' "$work/out"
if command -v tmux >/dev/null 2>&1; then
    socket=gp5-debug-$$
    terminal() { tmux -L "$socket" -f /dev/null "$@"; }
    TERM=xterm terminal new-session -d -x 110 -y 34 "cd '$work' && '$GP5' debug --tui p.cp; echo over; sleep 100"
    # shows TEXT: until the screen has it, ten seconds at most.
    shows() {
        n=0
        while [ $n -lt 100 ]; do
            terminal capture-pane -p >"$work/screen" && grep -q -- "$1" "$work/screen" && return 0
            sleep 0.1
            n=$((n + 1))
        done
        cat "$work/screen"
        return 1
    }
    check "--tui shows the program" shows '^ >   7  MOV.U.CC R.x, invocation.localindex.x;'
    terminal send-keys s s s
    check "steps" shows '^ >  10  CAL half;'
    check "shows the mask" grep -q '^lanes 0 -############################### 31  active fffffffe' "$work/screen"
    check "and first what changed, by its type" grep -q '^\*R.y  *?  *1  *2  *3 ' "$work/screen"
    equals "right below the lanes' numbers" "*R.y" "$(sed -n '/^ lane/{n;s/ .*//p;}' "$work/screen")"
    check "what did not stands below" grep -q '^ R.x  *0  *1  *2  *3 ' "$work/screen"
    terminal send-keys Right
    check "scrolls to other lanes" shows '^ lane  *4  *5  *6'
    terminal send-keys x
    check "shows bits" shows '^\*R.y  *0x40800000 '
    terminal send-keys : 'break 19' Enter
    check "takes commands" shows '^stop 1 at line 19$'
    terminal send-keys c
    check "goes on to a stop" shows '^\*>  19  AND.U'
    terminal send-keys : 'frob' Enter
    check "and tells of mistakes" shows '^no such command: frob'
    terminal send-keys : 'delete 1' Enter c
    check "and gives the terminal back with what was printed" shows '^p.cp: 1 group of 36 invocations'
    check "to its end" shows '^over$'
    terminal kill-server
else
    skip "the full screen" "no tmux"
fi

check "help lists the commands" sh -c 'printf "help\nq\n" | "$1" debug "$2" | grep -q "^break LINE"' - "$GP5" \
    "$work/p.cp"

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
    printf "c\n" | "$1" debug --storage=0=zero:64 "$2" | tail -n +5 >"$3/a"
    "$1" run --storage=0=zero:64 "$2" >"$3/b"; cmp "$3/a" "$3/b"' \
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
script() { printf "$1" | "$GP5" debug "$work/s.shader_test" >"$work/out" 2>"$work/err";
    equals "a script: status" 0 $?; }

script 'break 9\nc\np/u R.x\nr\np/u R.x\nlist\nc\n'
equals "stops at a line in both runs" "run 1, of line 13
run 2, of line 14" "$(grep '^run' "$work/out")"
equals "where the buffer is what the first one left" "1 2" "$(echo $(sed -n 's/^ *0-1  *//p' "$work/out"))"
check "lists lines of the script" grep -q '^>   9  STB.U32 R.x, to\[0\];$' "$work/out"
check "and tells what the probes gave" grep -q '^PASS ' "$work/out"
script 'break 1\nbreak 2\nq\n'
equals "a line of the script that is none of the program's" 1 \
    "$(grep -c '^there is no line 1: the program has 2 to ' "$work/out")"
script 'c\n'
check "a run does not stop at its beginning again" [ "$(grep -c '^>' "$work/out")" = 1 ]
script 'step 9\nstep\nq\n'
check "unless it is stepped into" [ "$(grep -c '^> *7 ' "$work/out")" = 2 ]
check "and a script that is left tells nothing" sh -c '! grep -q PASS "$1"' - "$work/out"

# Programs of the graphics stages: what they read and write has the names of its bindings.
cat >"$work/v.vp" <<'EOT'
!!NVvp5.0
OPTION NV_shader_storage_buffer;
STORAGE s[] = { program.storage[0] };
TEMP r;
MUL.F r, vertex.position, 2;
STB.F32 r, s[0];
MOV.F result.position, r;
MOV.F result.texcoord[2].xy, r;
END
EOT
printf '\0\0\200\077\0\0\0\100\0\0\0\0\0\0\200\077\0\0\100\100\0\0\0\100\0\0\0\0\0\0\200\077' >"$work/two"
# As answers, but for the columns.
tells() {
    equals "$1" "$3" "$(sed -n "/^(gp5) $2\$/,/^(gp5) /p" "$work/out" | sed -e 1d -e '$d' -e 's/  */ /g; s/ $//')"
}
# stage COMMANDS OPTION... PROGRAM
stage() {
    commands=$1
    shift
    printf "$commands" | "$GP5" debug "$@" >"$work/out" 2>"$work/err"
    equals "gp5 debug $(basename "$(eval echo \${$#})"): status" 0 $?
}
stage 'step 3\np vertex.position.x\np/f result.position\nresults\nstep 2\np/f result.texcoord[2].x\nc\n' --count=2 \
    --input=vertex.position="$work/two" --storage=0=zero:64 "$work/v.vp"
equals "a vertex is a lane" "group 0, warp 0, lanes 00000003" "$(head -n 1 "$work/out")"
tells "an attribute by its name" 'p vertex.position.x' 'vertex.position.x
 0 0x3f800000 1 1 0x40400000 3'
tells "a result by its name" 'p\/f result.position' 'result.position.x
 0 2 1 6
result.position.y
 0-1 4
result.position.z
 0-1 0
result.position.w
 0-1 2'
check "results that are not written are open" grep -q '^result.texcoord\[2\], all lanes: x 0 ?, y 0 ?' "$work/out"
tells "at the end they stand there" 'p\/f result.texcoord\[2\].x' 'result.texcoord[2].x
 -0 2 -1 6'
check "and the run tells what came out" grep -q '2 vertices, 4 instructions' "$work/out"
cat >"$work/t.tcp" <<'EOT'
!!NVtcp5.0
VERTICES_OUT 3;
MOV result.position, vertex[1].position;
MOV result.patch.attrib[1], 2;
END
EOT
stage 'step 2\nresults\nq\n' --count=1 "$work/t.tcp"
check "the threads of a patch are lanes" grep -q '^group 0, warp 0, lanes 00000007' "$work/out"
check "results of a patch by their names" grep -q \
    '^result.patch.attrib\[1\], all lanes: x 2, y 2, z 2, w 2$' "$work/out"
check "with inputs of each vertex" grep -q '^result.position, all lanes: x 0 ?' "$work/out"
printf '!!NVtep5.0\nTESS_MODE ISOLINES;\nTESS_SPACING EQUAL;\nMOV result.position, vertex.tesscoord;\nEND\n' \
    >"$work/e.tep"
stage 'p/f vertex.tesscoord.x\nc\n' --count=1 "$work/e.tep"
tells "points have their coordinates" 'p\/f vertex.tesscoord.x' 'vertex.tesscoord.x
 0 0 1 1'
cat >"$work/g.gp" <<'EOT'
!!NVgp4.0
PRIMITIVE_IN POINTS;
PRIMITIVE_OUT POINTS;
VERTICES_OUT 1;
MOV result.position, vertex[0].position;
EMIT;
END
EOT
stage 'inputs\nstep\np/f result.position.x\nstep\np result.position.x\nc\n' --count=2 \
    --input=vertex.position="$work/two" "$work/g.gp"
tells "a result before EMIT" 'p\/f result.position.x' 'result.position.x
 0 1 1 3'
tells "is open behind it" 'p result.position.x' 'result.position.x
 -0-1 0x00000000 0 ?'
printf '!!ARBfp1.0\nMOV result.color, fragment.texcoord[0];\nEND\n' >"$work/f.fp"
stage 'p/f fragment.texcoord[0].y\nc\n' --size=2,1 --input='fragment.texcoord[0]'="$work/two" \
    --output=result.color="$work/c" "$work/f.fp"
tells "fragments by quads" 'p\/f fragment.texcoord\[0\].y' 'fragment.texcoord[0].y
 0-3 2'

# The same looked at from outside.
"$GP5" run --trace --races=on --count=2 --input=vertex.position="$work/two" --storage=0=zero:64 \
    --dump-storage=0="$work/memory" "$work/v.vp" >"$work/out"
equals "a trace of a vertex program" 0 $?
check "has a line an instruction" [ "$(grep -c '^group 0 warp 0 lanes 00000003 line' "$work/out")" = 4 ]
check "and the results that it changed" grep -q '^      result.position.w = 40000000 in all of them$' "$work/out"
check "two vertices that write one word race" grep -q '^        write at line 6, group 0, warp 0, lane 1$' "$work/out"
equals "what was written can be dumped" 64 "$(wc -c <"$work/memory" | tr -d ' ')"
"$GP5" run --trace="$work/trace" --json --count=1 "$work/t.tcp" >"$work/out"
check "and as JSON" grep -q '"changed":{"result.patch.attrib\[1\].x":{"lanes":\["40000000"' "$work/trace"

done_testing
