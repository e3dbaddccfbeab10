#!/bin/bash
# How far a command is, on a terminal alone; Ctrl-C ends runs, comparisons, fuzzing and reducing with what is known by
# then. The keys are pressed when the line is there: nothing here depends on how long something takes.
# cost: 12
B=${B:-build}
GP5=${GP5:-$B/gp5}
. tests/cli/tap.inc
terminal=$B/tests/terminal
[ -x "$terminal" ] || { skip "a terminal" "$terminal is not built"; done_testing; }

# on_terminal OPTION... COMMAND...: what the terminal shows goes to $work/shown, without escapes and with a line for
# each time that one was written.
on_terminal() { timeout 300 "$terminal" "$@" >"$work/raw"; status=$?; tr '\r' '\n' <"$work/raw" |
    sed 's/\x1b\[K//g' >"$work/shown"; }
shows() { grep -qE -- "$1" "$work/shown" || { note "$(tail -n 20 "$work/shown")"; return 1; }; }

cat >"$work/count.cp" <<'EOT'
!!NVcp5.0
OPTION NV_shader_storage_buffer;
GROUP_SIZE 32;
STORAGE s[] = { program.storage[0] };
TEMP n, t;
MOV.U n, 5000;
MOV.U t, 0;
REP.U n.x;
MAD.U t.x, t.x, 5, 1;
ENDREP;
ATOMB.ADD.U32 t.x, 1, s[0];
END
EOT
interrupted='gp5 [a-z]*: interrupted after [0-9]*\( of [0-9]*\)*'

# ---- gp5 run ---------------------------------------------------------------------------------------------------------
long="--groups=2000000 --max-instructions=1000000 --undefined=off --storage=0=zero:4"
on_terminal --output="$work/out" --type='groups, =3' "$GP5" run $long --dump-storage=0="$work/dump" "$work/count.cp"
equals "Ctrl-C ends a run: status" 130 $status
check "the line says how many groups, of how many, and the time left" \
    shows '^gp5 run: [0-9]+ of 2000000 groups, [0-9]+ (s|min|h) left'
check "at the end it says where it was" shows "^gp5 run: interrupted after [0-9]+ of 2000000 groups$"
check "what was done is told" grep -q '2000000 groups of 32 invocations' "$work/out"
check "and dumped" test "$(od -An -tu4 "$work/dump")" -gt 0
check "the line is gone from standard output" test "$(grep -c 'left$' "$work/out")" = 0
on_terminal --output="$work/out" --type='groups, =3' "$GP5" run --json $long "$work/count.cp"
check "JSON says that it is not all" grep -q '"status":"interrupted"' "$work/out"

# Not on a pipe, not on a dumb terminal: a program that ends, and lasts for more than a second anywhere.
"$GP5" run --groups=60000 -j 1 --max-instructions=1000000 --undefined=off --storage=0=zero:4 "$work/count.cp" \
    >"$work/out" \
    2>"$work/err"
equals "nothing on a pipe" "" "$(cat "$work/err")"
# send SIGNAL COMMAND...: to the command, once it has blocked signals; a shell's own children in the background ignore
# SIGINT.
send() {
    signal=$1
    shift
    timeout 300 "$@" >"$work/out" 2>"$work/err" &
    for try in $(seq 1 3000); do
        pid=$(cat "/proc/$!/task/$!/children" 2>/dev/null)
        [ -n "$pid" ] && grep -q '^SigBlk:.*[2367abef]$' "/proc/${pid% }/status" 2>/dev/null && break
        sleep 0.05
    done
    kill "-$signal" $pid
    wait $!
    status=$?
}
send INT "$GP5" run $long "$work/count.cp"
equals "a signal without a terminal: status" 130 $status
check "is told as well" grep -q "^$interrupted groups$" "$work/err"
send TERM "$GP5" run $long "$work/count.cp"
equals "SIGTERM too: status" 143 $status
check "is told as well" grep -q "^gp5 run: interrupted after" "$work/err"

# A pipe that nobody writes to; one that is written to late is read; so of several files.
mkfifo "$work/pipe"
for command in "run" "compare --driver=none" "run --json $work/count.cp" "check $work/count.cp"; do
    send TERM "$GP5" $command "$work/pipe"
    equals "$command: SIGTERM ends the waiting for a pipe: status" 143 $status
    check "is told" grep -q "^$interrupted " "$work/err"
    check "alone" test "$(grep -c pipe "$work/err")" = 0
done
(sleep 0.2; echo '!!NVcp5.0'; sleep 0.2; printf 'GROUP_SIZE 1;\nEND\n') >"$work/pipe" &
check "what comes through it in pieces is read" timeout 300 "$GP5" run "$work/pipe"
wait $!
cat examples/scan.shader_test >"$work/pipe" &
check "a script, too" timeout 300 "$GP5" compare --driver=none "$work/pipe"
wait $!

# ---- scripts: a test that was interrupted is no failure, and those before it are told --------------------------------
{ printf '[compute program]\n'; cat "$work/count.cp"; printf '[test]\nstorage 0 zero 4\n'
  for i in $(seq 1 20000); do echo 'compute 16 1 1'; done
  echo 'probe storage 0 0 u32 7'; } >"$work/long.shader_test"
on_terminal --output="$work/out" --type='commands, =3' "$GP5" run "$work/long.shader_test"
equals "Ctrl-C ends a script: status" 130 $status
check "commands are counted" shows '^gp5 run: [0-9]+ of 20002 commands, '
check "it is told as interrupted" grep -q '^SKIP .*long.shader_test: interrupted' "$work/out"
on_terminal --output="$work/out" --type='files, =3' "$GP5" compare --driver=none -j 1 --junit="$work/junit" \
    --html="$work/page" \
    examples/scan.shader_test "$work/long.shader_test" examples/votes.shader_test
equals "Ctrl-C ends a comparison: status" 130 $status
check "files are counted" shows '^gp5 compare: [01] of 3 files'
check "the first one is told" grep -q '^PASS examples/scan' "$work/out"
check "the second one as interrupted" grep -q '^SKIP .*long.shader_test: interrupted' "$work/out"
check "the third one is not" test "$(grep -c votes "$work/out")" = 0
check "their number is" grep -q '^1 passed, 0 failed, 1 skipped, 0 errors' "$work/out"
check "JUnit has them" test "$(grep -c '<testcase' "$work/junit")" = 2
check "so has the page" test "$(grep -c '<details class="test ' "$work/page/index.html")" = 2

# ---- many files, fuzzing, reducing -----------------------------------------------------------------------------------
yes "$work/count.cp" | head -n 3000000 >"$work/list"
on_terminal --output="$work/out" --type='files, =3' "$GP5" check --json --files-from="$work/list"
equals "Ctrl-C ends a check: status" 130 $status
check "of how many" shows '^gp5 check: [0-9]+ of 3000000 files, [0-9]+ (s|min|h) left'
check "files before it are told" test "$(wc -l <"$work/out")" -gt 0
on_terminal --output="$work/out" --type='programs, =3' "$GP5" fuzz --eval --count=100000000 --digest=100
equals "Ctrl-C ends fuzzing: status" 130 $status
check "digests before it are written" grep -qE '^0 100 [0-9a-f]{64}$' "$work/out"
on_terminal --output="$work/out" --type='programs, =3' "$GP5" fuzz --syntax --count=100000000 --judge
equals "Ctrl-C ends judging: status" 130 $status
check "with the numbers so far" shows '^[0-9]+ programs, [0-9]+ valid, 0 not printed as they are'
{ printf '[compute program]\n'; sed 's/5000/1000/' "$work/count.cp"; printf '[test]\nstorage 0 zero 4\n'
  for i in $(seq 1 400); do echo 'compute 16 1 1'; done
  echo 'probe storage 0 0 u32 7'; } >"$work/reduce.shader_test"
on_terminal --output="$work/out" --type='smaller ones tried=3' "$GP5" reduce --run "$work/reduce.shader_test"
equals "Ctrl-C ends reducing: status" 130 $status
check "with the smallest so far" grep -q '^probe storage 0 0 u32 7' "$work/out"

# A second one kills what does not end by itself.
on_terminal --output="$work/out" --type='groups, =3' --type='^C=3' "$GP5" run $long -j 1 "$work/count.cp"
check "twice: it has ended" test $status -ge 130
# Where signals are ignored they stay ignored.
(trap '' INT; "$GP5" run --groups=100 --undefined=off --storage=0=zero:4 "$work/count.cp" >"$work/out" 2>&1 & pid=$!
 kill -INT $pid; wait $pid)
equals "an ignored signal stays ignored" 0 $?
done_testing
