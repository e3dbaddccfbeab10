#!/bin/sh
# What a driver is asked, and how its answers become a recording (tests/tools/experiments/words.c;
# tests/recordings/README.md, "Words").
. tests/cli/tap.inc
WORDS=$B/experiments/words
storage='{"binding":0,"hex":"01000000"},{"binding":1,"zero":8}'
cat >"$work/cases" <<END
{"about":"two cases"}
{"inputs":"i","groups":[2,1,1],"local":[{"index":0,"hex":"00"}],"storage":[$storage]}
{"case":"a","inputs":"i","program":"A"}
{"case":"b","inputs":"i","program":"B"}
END
"$WORDS" batch "$work/cases" >"$work/batch"
equals "a line for each case, with what its inputs say" \
    '{"name":"a","program":"A","storage":[{"binding":0,"hex":"01000000"},{"binding":1,"zero":8,"return":true}],'\
'"groups":[2,1,1],"local":[{"index":0,"hex":"00"}]}' \
    "$(head -n 1 "$work/batch")"
equals "no other lines" 2 "$(wc -l <"$work/batch")"

printf 'XY\001\002\003\004\252\273\314\335' >"$work/raw"
printf '%s\n' '{"name":"a","status":"ran","storage":[{"offset":2,"size":8,"binding":1}]}' \
    '{"name":"b","status":"rejected"}' >"$work/results"
"$WORDS" fold "$work/cases" "$work/results" "$work/raw" >"$work/folded" 2>"$work/err"
equals "a case without an answer: status" 1 $?
equals "it is named" "words: b: rejected" "$(cat "$work/err")"
equals "the others have theirs" \
    '{"case":"a","inputs":"i","program":"A","answer":[{"binding":1,"hex":"01020304aabbccdd"}]}' \
    "$(tail -n 1 "$work/folded")"
equals "and the inputs stay" 3 "$(wc -l <"$work/folded")"

printf 'XY\001' >"$work/raw"
"$WORDS" fold "$work/cases" "$work/results" "$work/raw" >/dev/null 2>"$work/err"
equals "answers that are cut short: status" 2 $?
printf '{"name":"a","sto' >"$work/results"
"$WORDS" fold "$work/cases" "$work/results" "$work/raw" >/dev/null 2>"$work/err"
equals "results that are cut short: status" 2 $?
xz -dc tests/recordings/match.jsonl.xz >"$work/recorded"
"$WORDS" batch "$work/recorded" >"$work/batch"
equals "what was asked once can be asked again: status" 0 $?
equals "all of it" "$(grep -c '^{"case"' "$work/recorded")" "$(grep -c '^{"name"' "$work/batch")"
done_testing
