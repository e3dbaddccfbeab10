#!/bin/bash
# The checker beside samples of what NVIDIA's driver says of small programs of every family of questions
# (tests/tools/survey.c): instructions and operands of all forms, modifiers, targets, declarations, bindings, options,
# limits. The numbers are those that hold today: they may only rise.
set -u
B=${B:-build}
while read -r profile verdicts positions formatted; do
    xz -dc "tests/corpus/survey-$profile.xz" | "$B/tests/verdicts" "$verdicts" "$positions" "$formatted" |
        sed "s/ - / - $profile: /"
done <<'TABLE' | awk \
    '/^1\.\./ { next } /^(not )?ok / { n++; sub(/ok [0-9]+/, "ok " n) } { print } END { print "1.." n }'
cp5 99.3 98.2 99.2
afp 99.6 97.0 99.7
fp4 99.7 97.3 99.8
fp41 99.7 97.0 99.8
fp5 99.8 97.6 99.5
vp4 99.3 97.0 99.3
gp4 99.4 95.0 99.3
vp41 99.5 96.7 99.5
gp41 99.5 95.1 99.5
vp5 99.4 96.7 99.6
gp5 99.4 94.0 99.4
tcp5 99.4 95.3 99.7
tep5 99.2 95.7 99.4
generated 99.8 97.8 99.6
TABLE
