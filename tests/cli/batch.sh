#!/bin/bash
# Thousands of files: the same bytes on both streams and the same status whatever -j, lists, shards, and the worst
# status.
# cost: 9
B=${B:-build}
GP5=${GP5:-$B/gp5}
. tests/cli/tap.inc

status() { "$@" >/dev/null 2>&1; echo $?; }

# same LINES TEXT COMMAND...: -j1, -j2 and -j7 give the same, more lines than that.
same() {
    lines=$1 text=$2
    shift 2
    for jobs in 1 2 7; do
        "$@" -j $jobs >"$work/out.$jobs" 2>"$work/err.$jobs"
        echo "status $?" >>"$work/out.$jobs"
    done
    check "$text: each file is told of" test "$(cat "$work/out.1" "$work/err.1" | wc -l)" -gt $lines
    for jobs in 2 7; do
        check "$text: -j $jobs, standard output" cmp "$work/out.1" "$work/out.$jobs"
        check "$text: -j $jobs, standard error" cmp "$work/err.1" "$work/err.$jobs"
    done
}

"$GP5" fuzz --syntax --seed=31 --count="$(short_or_long 600 10000)" --broken=30 --out="$work/programs" ||
    not_ok "programs are made"
find "$work/programs" -type f | sort >"$work/list"
check "more files than a thread may be ahead in make check-long" test "$(wc -l <"$work/list")" -ge 600
sed -i "17i$work/nowhere" "$work/list"
sed '17d' "$work/list" >"$work/all"

same 300 "check" "$GP5" check --files-from="$work/list"
equals "the worst status counts" "status 2" "$(tail -n 1 "$work/out.1")"
same 600 "check --json" "$GP5" check --json --files-from="$work/all"
equals "a line a file, in order" "$(cat "$work/all")" "$(sed -n 's/^{"file":"\([^"]*\)".*/\1/p' "$work/out.1")"
equals "and the status" "status 1" "$(tail -n 1 "$work/out.1")"
same 100 "fmt --check" "$GP5" fmt --check --files-from="$work/list"
same 3000 "fmt" "$GP5" fmt --files-from="$work/all"
same 600 "stats" "$GP5" stats --files-from="$work/list"
same 600 "stats --json" "$GP5" stats --json --files-from="$work/list"

# The files one by one say the same.
head -n 60 "$work/all" >"$work/few"
"$GP5" check -j3 --files-from="$work/few" 2>"$work/together"
while read -r file; do "$GP5" check "$file" 2>&1; done <"$work/few" >"$work/single"
check "what is told of each is what it is told of alone" cmp "$work/together" "$work/single"

# ---- lists and shards ------------------------------------------------------------------------------------------------
tr '\n' '\0' <"$work/few" >"$work/nul"
sed 's/$/\r/' "$work/few" >"$work/crlf"
head -c -1 "$work/few" >"$work/cut"
"$GP5" check --json --files-from="$work/few" >"$work/expected"
for list in nul crlf cut; do
    "$GP5" check --json --files-from="$work/$list" >"$work/got"
    check "a list in another form ($list)" cmp "$work/expected" "$work/got"
done
"$GP5" check --json --files-from=- <"$work/few" >"$work/got"
check "a list on standard input" cmp "$work/expected" "$work/got"
"$GP5" check --json $(head -n 5 "$work/few") --files-from=<(tail -n +6 "$work/few") >"$work/got"
check "named files come before listed ones" cmp "$work/expected" "$work/got"
for i in 1 2 3; do "$GP5" check --json --shard=$i/3 --files-from="$work/few" >"$work/shard.$i"; done
paste -d '\n' "$work/shard.1" "$work/shard.2" "$work/shard.3" >"$work/got"
check "three shards are all files, each once" cmp "$work/expected" "$work/got"
file=$(head -n 1 "$work/few")
equals "a shard without a file is no failure" 0 "$(status "$GP5" check --shard=2/2 "$file")"
equals "and says so" "gp5 check: no file of this shard" "$("$GP5" check --shard=2/2 "$file" 2>&1)"
for wrong in 0/2 3/2 2 /2 1/ 1/0 x/2 -1/2 ''; do
    equals "--shard=$wrong" 2 "$(status "$GP5" check --shard=$wrong "$file")"
done
equals "an empty list" 2 "$(status "$GP5" check --files-from=/dev/null)"
equals "an empty list says so" "gp5: /dev/null: names no file" "$("$GP5" check --files-from=/dev/null 2>&1)"
equals "a list that is not there" 2 "$(status "$GP5" check --files-from="$work/nowhere")"
equals "a list that is a folder" 2 "$(status "$GP5" check --files-from="$work")"
equals "standard input twice" 2 "$(status "$GP5" check --files-from=- - </dev/null)"
for command in check fmt stats run compare; do
    equals "$command -j: a word" 2 "$(status "$GP5" $command -j some "$file")"
    equals "$command: no file" 2 "$(status "$GP5" $command)"
done

# ---- run and compare -------------------------------------------------------------------------------------------------
for i in 1 2 3 4 5 6; do
    printf '!!NVcp5.0\nOPTION NV_shader_storage_buffer;\nGROUP_SIZE 32;\nSTORAGE s[] = { program.storage[0] };\n'\
'TEMP t;\nMUL.U t.x, invocation.globalid.x, %d;\n' $i
    printf 'MUL.U t.y, invocation.globalid.x, 4;\nSTB.U32 t.x, s[t.y];\nEND\n'
done | split -l 9 - "$work/run."
same 60 "run" "$GP5" run --groups=2 --storage=0=zero:256 "$work"/run.?? "$work/nowhere"
equals "each file is told of" 6 "$(grep -c ': 2 groups of 32 invocations' "$work/out.2")"
same 6 "run --json" "$GP5" run --json --groups=2 --storage=0=zero:256 "$work"/run.??
equals "an object a file" 6 "$(grep -c '^{"file"' "$work/out.2")"
equals "one place for several files" 2 \
    "$(status "$GP5" run --storage=0=zero:256 --dump-storage=0="$work/dump" "$work"/run.??)"
equals "--trace to one file for several" 2 "$(status "$GP5" run --trace="$work/trace" "$work"/run.??)"
same 60 "run: scripts" "$GP5" run examples/*.shader_test

same 60 "compare with a recording" "$GP5" compare --replay=tests/recordings/examples.full examples/*.shader_test
same 19 "compare --tap" "$GP5" compare --tap --driver=none examples/*.shader_test "$work/nowhere"
equals "TAP is counted through" "1..$(grep -cE '^(not )?ok' "$work/out.1")" "$(grep '^1\.\.' "$work/out.1")"
same 19 "compare --json -v" "$GP5" compare -v --json --driver=none examples/*.shader_test
for jobs in 1 3; do
    "$GP5" compare --driver=none -j $jobs --junit="$work/junit.$jobs" examples/*.shader_test >/dev/null
done
check "JUnit, whatever -j" cmp "$work/junit.1" "$work/junit.3"
check "with all tests" test "$(grep -c '<testcase' "$work/junit.1")" -ge "$(ls examples/*.shader_test | wc -l)"

if "$GP5" info --json 2>/dev/null | grep -q '"opens":true'; then
    "$GP5" compare --driver=egl examples/*.shader_test >"$work/live.1" 2>&1
    "$GP5" compare --driver=egl -j 3 examples/*.shader_test >"$work/live.3" 2>&1
    check "drivers side by side say what one says" cmp "$work/live.1" "$work/live.3"
else
    skip "drivers side by side say what one says" "no GL context opens here"
fi
done_testing
