#!/bin/sh
# gp5 fuzz --eval: what it makes, and that two evaluators agree on it (on 360 programs of each kind or a part of
# that; 1500 with LONG=1).
# cost: 14
. tests/cli/tap.inc
GP5=${GP5:-$B/gp5}
ORACLE=${ORACLE:-$B/tests/gp5-oracle}
SEED=${FUZZ_SEED:-1}
COUNT=${FUZZ_COUNT:-$(short_or_long 360 1500)}

"$GP5" fuzz --eval --seed=7 --count=50 --jsonl >"$work/one"
equals "writing: status" 0 $?
"$GP5" fuzz --eval --seed=7 --count=50 --jsonl >"$work/two"
check "the same seed gives the same cases" cmp "$work/one" "$work/two"
equals "a line each" 50 "$(wc -l <"$work/one" | tr -d ' ')"
sed -n 41,50p "$work/one" >"$work/tail"
"$GP5" fuzz --eval --seed=7 --first=40 --count=10 --jsonl >"$work/two"
check "a case does not depend on those before it" cmp "$work/tail" "$work/two"
for i in 1 2 3 4 5 6 7 8 9; do
    "$GP5" fuzz --eval --seed=7 --first=$i >"$work/program.$i"
    "$GP5" check "$work/program.$i" >/dev/null 2>&1 || echo $i
done >"$work/invalid"
equals "programs are valid" "" "$(cat "$work/invalid")"

for i in 1 2 3 4 5 6 7 8 9; do
    "$GP5" fuzz --eval --seed=7 --first=$i --wider >"$work/program.$i"
    "$GP5" check "$work/program.$i" >/dev/null 2>&1 || echo $i
done >"$work/invalid"
equals "wider programs are valid" "" "$(cat "$work/invalid")"
for word in LOAD STORE 'ATOM\.' 'ATOMCTR[. ]' ATOMCTROP CALI variable_group; do
    check "wider programs have $word" grep -q "$word" "$work"/program.*
done

# agree COUNT OPTION...: the evaluator and the oracle, both by the text's readings and with NVIDIA's numbers, that
# driver's compiler away; the oracle leaves nothing out.
agree() {
    count=$1
    shift
    for how in --semantics=spec --model=none; do
        "$GP5" fuzz --eval "$@" $how --seed="$SEED" --count="$count" --shrink --against="$ORACLE" >"$work/out" \
            2>"$work/err"
        equals "$* $how: no difference between the evaluators in $count programs" 0 $?
        note "$(cat "$work/err")"
        head -3 "$work/out"
        check "$* $how: both had every instruction" grep -q ', 0 not evaluated' "$work/err"
        same=$(sed -n 's/.* programs, \([0-9]*\) the same.*/\1/p' "$work/err")
        check "$* $how: most were compared" test "${same:-0}" -ge $((count * 6 / 10))
    done
}
agree "$COUNT"
agree $((COUNT / 3)) --wider
agree $((COUNT / 3)) --images
agree $((COUNT / 6)) --rare --statements=8
agree $((COUNT / 3)) --forms
agree $((COUNT / 6)) --table
# Half arithmetic and SHORT variables with all that, with all of the above at once, and over few registers.
agree $((COUNT / 6)) --rare --halves
agree $((COUNT / 6)) --wider --forms --rare --halves --statements=8
agree $((COUNT / 6)) --dense --contract --halves

# What is in them.
"$GP5" fuzz --eval --images --seed="$SEED" --count=40 --jsonl >"$work/one"
check "there are images in most programs" test "$(grep -c 'STOREIM\|LOADIM\|ATOMIM\|IMQ' "$work/one")" -ge 20
"$GP5" fuzz --eval --rare --seed="$SEED" --count=60 --jsonl >"$work/one"
for word in 'REP;' 'REP.F' 'MATCH' 'ATOMS' 'da\[A' '"groups":\[[1-3],[12],[23]\]' 'GROUP_SIZE 128'; do
    check "and there is $word in some of them" grep -q "$word" "$work/one"
done
"$GP5" fuzz --eval --forms --seed="$SEED" --count=60 --jsonl >"$work/one"
for word in SGRED SGSHF SGBALLOT SGROT TXD LODCLAMP TXG TXP SHADOW SPARSE 'state\.' seamless; do
    check "and there is $word in some of them" grep -q "$word" "$work/one"
done
"$GP5" fuzz --eval --plain --forms --seed="$SEED" --count=60 --jsonl >"$work/one"
check "but no subgroup operations for a driver" test "$(grep -c GP5_subgroup "$work/one")" = 0

# Every opcode that computes within a lane of a compute program, and takes no OPTION, comes by itself.
"$GP5" fuzz --eval --table --seed="$SEED" --count=200 --jsonl >"$work/one"
for opcode in $(sed -n 's/^    OP(\([A-Z0-9]*\), *[VR]_[VS]*, .*T_[FI].*/\1/p' asm/isa.def |
    grep -vE '^(SG|QSWZ|SHF|MATCH|TG|DDX|DDY|IPA|EXP$|LOG$|LOAD|ATOM|PK64|UP64)'); do
    grep -q "[^A-Z0-9]$opcode[.]" "$work/one" || echo "$opcode"
done >"$work/missing"
equals "--table: every opcode is there" "" "$(cat "$work/missing")"

# An evaluator that is wrong is found out, and the program that shows it is made small.
cat >"$work/wrong" <<END
#!/bin/sh
"$ORACLE" | sed -u 's/"hex":"\(................\)[0-9a-f]\{8\}/"hex":"\17e577e57/'
END
chmod +x "$work/wrong"
"$GP5" fuzz --eval --semantics=spec --seed="$SEED" --count=5 --against="$work/wrong" >"$work/out" 2>"$work/err"
equals "a wrong word is a difference: status" 1 $?
check "and says where" grep -q '"difference":"word 2 of program.storage\[0\]: gp5 0x[0-9a-f]*, the other 0x577e577e"' \
    "$work/out"
"$GP5" fuzz --eval --semantics=spec --seed="$SEED" --count=1 --against="$work/wrong" --shrink >"$work/small" 2>/dev/null
check "shrinking leaves less" test "$(wc -c <"$work/small")" -lt "$(head -1 "$work/out" | wc -c)"
"$GP5" fuzz --eval --semantics=spec --seed="$SEED" --count=1 --against="$work/wrong" --shrink=3 >"$work/some" \
    2>/dev/null
check "in three tries it leaves less than there was" test "$(wc -c <"$work/some")" -lt "$(head -1 "$work/out" | wc -c)"
check "and more than it leaves in all that it wants" test "$(wc -c <"$work/some")" -gt "$(wc -c <"$work/small")"
"$GP5" fuzz --eval --semantics=spec --seed="$SEED" --count=1 --against="$work/wrong" --shrink=0 >/dev/null 2>"$work/err"
equals "in no try: status" 2 $?
"$GP5" fuzz --eval --count=2 --against=/bin/true >/dev/null 2>"$work/err"
equals "an evaluator that gives no answer: status" 2 $?
"$GP5" fuzz --eval --count=2 --against="$work/none" >/dev/null 2>"$work/err"
equals "one that is not there: status" 2 $?
"$GP5" fuzz --eval --count=2 >/dev/null 2>"$work/err"
equals "two programs on standard output: status" 2 $?
"$GP5" fuzz --eval --driver=none-such >/dev/null 2>"$work/err"
equals "a driver that is none: status" 2 $?
if "$GP5" info --json 2>/dev/null | grep -q '"NV_compute_program5": *true'; then
    skip "a driver without compute programs" "the driver here has them"
else
    "$GP5" fuzz --eval --driver=auto --count=2 >"$work/out" 2>"$work/err"
    equals "a driver without compute programs, or none: status" 77 $?
    equals "is no difference" "" "$(cat "$work/out")"
fi
"$GP5" fuzz --eval --seed=5 --count=20 --digest=10 >"$work/one"
equals "digests: a line for each ten" 2 "$(grep -c '^[0-9]* 10 [0-9a-f]\{64\}$' "$work/one")"

# What was answered once is judged again without who answered.
cat >"$work/wronger" <<END
#!/bin/sh
"$ORACLE" | sed -u 's/"hex":"\(................\)[0-9a-f]\{8\}/"hex":"\17e577e57/g'
END
chmod +x "$work/wronger"
"$GP5" fuzz --eval --semantics=spec --seed="$SEED" --count=20 --against="$work/wronger" --record="$work/recording" \
    >/dev/null 2>&1
equals "recording: status" 1 $?
equals "a line each" 20 "$(grep -c '^[0-9]* \([0-9a-f]\{12\}\|-\)' "$work/recording")"
"$GP5" fuzz --eval --semantics=spec --seed="$SEED" --count=20 --replay="$work/recording" >"$work/two" 2>"$work/err"
equals "replaying: status" 1 $?
check "what differs" grep -q \
    '"difference":"lane 0, D0.y, its low word: gp5 0x[0-9a-f]*, the other 0x577e577e; word 2 of program.storage\[2\]' \
    "$work/two"
"$GP5" fuzz --eval --semantics=spec --seed="$SEED" --count=20 --against="$ORACLE" --record="$work/recording" \
    >/dev/null 2>&1
"$GP5" fuzz --eval --semantics=spec --seed="$SEED" --count=20 --replay="$work/recording" >"$work/two" 2>/dev/null
equals "nothing differs: status" 0 $?
sed '3s/ [0-9a-f]*$/ 000000000000/' "$work/recording" >"$work/other"
"$GP5" fuzz --eval --semantics=spec --seed="$SEED" --count=20 --replay="$work/other" >"$work/two" 2>/dev/null
equals "a hash that is another: status" 1 $?
check "and says so" grep -q '"number":2,"difference":"not what was recorded"' "$work/two"
"$GP5" fuzz --eval --count=2 --replay="$work/none" >/dev/null 2>"$work/err"
equals "a recording that is not there: status" 2 $?
done_testing
