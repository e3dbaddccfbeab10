#!/bin/sh
# gp5 fuzz --syntax: what it writes, and that what it makes is judged without an accident.
. tests/cli/tap.inc
GP5=${GP5:-build/gp5}
SEED=${FUZZ_SEED:-1}

"$GP5" fuzz --syntax --seed=7 --count=300 --jsonl >"$work/one"
equals "writing: status" 0 $?
"$GP5" fuzz --syntax --seed=7 --count=300 --jsonl >"$work/two"
check "the same seed gives the same programs" cmp "$work/one" "$work/two"
"$GP5" fuzz --syntax --seed=8 --count=300 --jsonl >"$work/two"
check "another seed gives others" sh -c '! cmp -s "$1" "$2"' - "$work/one" "$work/two"
equals "a line each" 300 "$(wc -l <"$work/one" | tr -d ' ')"
sed -n 201,300p "$work/one" >"$work/tail"
"$GP5" fuzz --syntax --seed=7 --first=200 --count=100 --jsonl >"$work/two"
check "a program does not depend on those before it" cmp "$work/tail" "$work/two"
for profile in avp avp2 avp3 afp afp1 afp2 vp4 gp4 fp4 vp5 tcp5 tep5 gp5 fp5 cp5; do
    grep -q "\"name\":\"[0-9]*/$profile/" "$work/one" || echo "$profile"
done >"$work/missing"
equals "every profile is there" "" "$(cat "$work/missing")"
"$GP5" fuzz --syntax --seed=7 --count=100 --profile=cp5,afp --jsonl |
    grep -v -e '"name":"[0-9]*/cp5/' -e '"name":"[0-9]*/afp/' >"$work/others"
equals "and no other when profiles are named" "" "$(cat "$work/others")"
"$GP5" fuzz --syntax --seed=7 --count=100 --broken=0 --jsonl | grep -v '^{"name":"[0-9]*/[a-z0-9]*/-"' >"$work/broken"
equals "nothing is broken where that is asked" "" "$(cat "$work/broken")"
"$GP5" fuzz --syntax --seed=7 --count=20 --out="$work/files"
equals "files: status" 0 $?
equals "files: one each" 20 "$(ls "$work/files" | wc -l | tr -d ' ')"
"$GP5" fuzz --syntax --seed=7 --first=3 >"$work/single"
check "files: the same text" sh -c 'cmp "$1" "$2"/000003.*' - "$work/single" "$work/files"

# What is meant to be valid and what is broken: no accident, and what is found valid is printed as it is.
check "4,000 programs of all profiles" "$GP5" fuzz --syntax --seed="$SEED" --count=4000 --judge
check "1,000 heavily broken ones" "$GP5" fuzz --syntax --seed="$SEED" --count=1000 --broken=100 --judge
"$GP5" fuzz --syntax --seed="$SEED" --count=300 --profile=cp5,afp --broken=0 --judge 2>"$work/sums"
valid=$(sed -n 's/.*programs, \([0-9]*\) valid.*/\1/p' "$work/sums")
check "of unbroken programs most are valid ($valid of 300)" test "${valid:-0}" -ge 150

"$GP5" fuzz --syntax --seed="$SEED" --count=400 --profile=afp --broken=0 --driver=egl-surfaceless >"$work/out" \
    2>"$work/err"
case $? in
0) ok "unbroken !!ARBfp1.0 programs beside a driver" ;;
77) skip "unbroken !!ARBfp1.0 programs beside a driver" "$(tail -n 1 "$work/err")" ;;
*) not_ok "unbroken !!ARBfp1.0 programs beside a driver"; note "$(head -n 3 "$work/out")"; note "$(cat "$work/err")" ;;
esac

for wrong in "" "--syntax --count=0" "--syntax --count=2" "--syntax --profile=vp6" "--syntax --broken=101" \
    "--syntax --jsonl --out=x" "--syntax x"; do
    # shellcheck disable=SC2086
    "$GP5" fuzz $wrong >"$work/out" 2>"$work/err"
    equals "wrong usage: '$wrong'" 2 $?
done
"$GP5" fuzz --syntax --profile=cp5,vp6 >"$work/out" 2>"$work/err"
check "a profile that is near is named" grep -q "there is no profile 'vp6'; did you mean 'vp[45]'?" "$work/err"
for list in foo avp,foo,afp foo, ; do
    "$GP5" fuzz --syntax --profile=$list >"$work/out" 2>"$work/err"
    equals "--profile=$list: status" 2 $?
    check "--profile=$list: all profiles are named" grep -q \
        "no profile 'foo'; there are avp avp2 avp3 afp afp1 afp2 vp4 gp4 fp4 vp5 tcp5 tep5 gp5 fp5 cp5" "$work/err"
done
"$GP5" fuzz --syntax --driver=nonsense >"$work/out" 2>"$work/err"
equals "no such driver is wrong usage" 2 $?
done_testing
