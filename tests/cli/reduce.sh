#!/bin/bash
# gp5 reduce: wrong tests and programs become small ones that are wrong in the same way, the same every time.
# cost: 4
B=${B:-build}
GP5=${GP5:-$B/gp5}
. tests/cli/tap.inc

status() { "$@" >/dev/null 2>&1; echo $?; }
reduce() { timeout 300 "$GP5" reduce "$@" >"$work/small" 2>"$work/err"; echo $?; }
lines() { wc -l <"$1"; }
says() { grep -qF -- "$1" "$work/err" || { note "$(cat "$work/err")"; return 1; }; }

# ---- a script with a wrong expectation -------------------------------------------------------------------------------
sed 's/probe rgba 3 0 0.21875/probe rgba 3 0 0.25/' examples/spotlight.shader_test >"$work/spot.shader_test"
equals "a wrong probe: status" 0 "$(reduce --driver=none "$work/spot.shader_test")"
check "few lines are left" test "$(lines "$work/small")" -le 14
check "the wrong number among them" grep -q '^probe rgba .*0\.25' "$work/small"
check "the others are gone" test "$(grep -c '^probe' "$work/small")" = 1
check "it says what stays" says "expected 0x3e800000  0.25  0x1p-2, reference has 0x3e600000  0.21875"
cp "$work/small" "$work/small.shader_test"
equals "what is left still fails" 1 "$(status "$GP5" compare --driver=none "$work/small.shader_test")"
check "with the same numbers" grep -q 'expected 0x3e800000  0.25.*reference has 0x3e600000' \
    <("$GP5" run "$work/small.shader_test")
"$GP5" reduce --driver=none "$work/spot.shader_test" 2>/dev/null | cmp -s - "$work/small.shader_test"
equals "the same every time" 0 $?
equals "what is small stays: status" 0 "$(reduce --run "$work/small.shader_test")"
check "what is small stays" cmp "$work/small" "$work/small.shader_test"
"$GP5" reduce --tries=20 --run "$work/spot.shader_test" >"$work/some" 2>"$work/err"
check "--tries: not as small" test "$(lines "$work/some")" -gt "$(lines "$work/small")"
check "--tries is told" says "as many as --tries lets"
equals "-o FILE" 0 "$(reduce -o "$work/written" --run "$work/spot.shader_test")"
check "is written" cmp "$work/written" "$work/small.shader_test"
check "and nothing on standard output" test ! -s "$work/small"

# Loops and shuffles: the lane that is wrong needs them all, and what spins is stopped.
sed 's/105 120 136/105 121 136/' examples/scan.shader_test >"$work/scan.shader_test"
equals "a scan with a wrong sum: status" 0 "$(reduce --run "$work/scan.shader_test")"
check "the shuffle stays" grep -q SHFUP "$work/small"
check "the sum is still 120" says "reference has 0x00000078  120"

# One program of a list of files stands in the script.
cat >"$work/store.cp" <<'EOT'
!!NVcp5.0
OPTION NV_shader_storage_buffer;
GROUP_SIZE 4;
STORAGE s[] = { program.storage[0] };
TEMP a, b, c;
# what nobody needs
MUL.U a, invocation.localindex, 4;
MOV.U b, invocation.localindex;
IF TR;
ADD.U b.x, b.x, 7;
ELSE;
ADD.U b.x, b.x, 9;
ENDIF;
STB.U32 b.x, s[a.x];
END
EOT
printf '[compute program files]\nnone.cp\nstore.cp\n\n[test]\nstorage 0 zero 16\ncompute 1 1 1\n'\
'probe storage 0 0 u32 7 8 9 11\n' \
    >"$work/list.shader_test"
sed 's/^STB.*/STB.U32 a.x, s[a.x];/' "$work/store.cp" >"$work/none.cp"
sed -i 's/9 11/9 10/' "$work/list.shader_test"
equals "one of two programs is wrong: status" 0 "$(reduce --run "$work/list.shader_test")"
check "it is in the script" grep -q '^!!NVcp5.0' "$work/small"
check "and the list is not" test "$(grep -c 'files\]' "$work/small")" = 0

# ---- a driver --------------------------------------------------------------------------------------------------------
if [ -x "$B/tests/liar" ]; then
    { printf '[compute program]\n'; sed 's/^# what nobody needs/# liar: honest/' "$work/store.cp"
      printf '\n[test]\nstorage 0 zero 16\ncompute 1 1 1\nprobe storage 0 0 u32 7 8 9 10\n'; } >"$work/liar.shader_test"
    export GP5_GL_WORKER=$B/tests/liar
    equals "a driver that differs: status" 0 "$(reduce --driver=egl "$work/liar.shader_test")"
    unset GP5_GL_WORKER
    check "the driver's word is among what stays" says "driver has 0x"
    check "few lines are left" test "$(lines "$work/small")" -le 10
else
    skip "a driver that differs" "$B/tests/liar is not built"
fi
equals "beside a recording nothing differs" 1 \
    "$(reduce --replay=tests/recordings/examples.full examples/scan.shader_test)"
check "and that is said" says "it passes"
equals "a probe beside a recording: status" 0 \
    "$(reduce --replay=tests/recordings/examples.full "$work/scan.shader_test")"
check "the recorded program stays" grep -q SHFUP "$work/small"

# ---- programs --------------------------------------------------------------------------------------------------------
cat >"$work/undefined.fp" <<'EOT'
!!ARBfp1.0
TEMP a, b, c;
MOV a, fragment.color;
MUL b, a, a;
ADD c.xy, b, a;
MOV result.color, c;
END
EOT
equals "an undefined value: status" 0 "$(reduce --run "$work/undefined.fp")"
equals "what is left" "!!ARBfp1.0
TEMP c;
MOV c.xy, 1;
MOV result.color, c;
END" "$(cat "$work/small")"
check "for the same reason" says "c.z was never written"
cat >"$work/spin.cp" <<'EOT'
!!NVcp5.0
GROUP_SIZE 32;
TEMP a;
MOV.U a, 1;
REP;
ADD.U a, a, 3;
BRK (FL);
ENDREP;
END
EOT
equals "a loop without an end: status" 0 "$(reduce --run --max-instructions=1000 "$work/spin.cp")"
equals "the loop alone" "!!NVcp5.0
GROUP_SIZE 32;
REP;
    BRK (FL);
ENDREP;
END" "$(cat "$work/small")"
sed 's/MUL b, a, a/MUL b, a, zz/' "$work/undefined.fp" >"$work/invalid.fp"
equals "an invalid program: status" 0 "$(reduce --check "$work/invalid.fp")"
equals "what is left of it" "!!ARBfp1.0
TEMP a;
MOV a, zz;
END" "$(cat "$work/small")"
check "the message stays" says "the operand zz is not declared"
equals "Mesa's judgement" 0 "$(reduce --check=mesa "$work/invalid.fp")"

# ---- nothing to do ---------------------------------------------------------------------------------------------------
equals "a test that passes" 1 "$(reduce --driver=none examples/spotlight.shader_test)"
equals "a program that ends well" 1 "$(reduce --run "$work/store.cp")"
printf 'no program' >"$work/invalid"
equals "an invalid one" 1 "$(reduce --run "$work/invalid")"
equals "is not said to end well" "gp5: $work/invalid: the program is invalid: that is for --check" \
    "$("$GP5" reduce --run "$work/invalid" 2>&1)"
printf "!!ARBfp1.0\nMOV result.color, fragment.color;\nEND\n" >"$work/valid.fp"
equals "a program that nothing is said of" 1 "$(reduce --check "$work/valid.fp")"
equals "a warning is something" 0 "$(reduce --check "$work/store.cp")"
check "and stays" says "declared and not used"
equals "a program by itself" 2 "$(reduce "$work/store.cp")"
equals "no file" 2 "$(reduce --run)"
equals "two files" 2 "$(reduce --run "$work/store.cp" "$work/store.cp")"
equals "a file that is not there" 2 "$(reduce --run "$work/nowhere")"
equals "two ways at once" 2 "$(reduce --run --check "$work/store.cp")"
equals "a target that nobody has" 2 "$(reduce --check=intel "$work/store.cp")"
: >"$work/empty"
equals "an empty file" 1 "$(reduce --run "$work/empty")"
printf '[compute program]\n!!NVcp5.0\nGROUP_SIZE 1;\nEND\n[test]\ndance\n' >"$work/wrong.shader_test"
equals "a script that nobody reads" 2 "$(reduce --run "$work/wrong.shader_test")"
check "has its line" says "wrong.shader_test:6:1: error"
done_testing
