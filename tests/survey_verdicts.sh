#!/bin/bash
# The checker beside samples of what NVIDIA's driver says of small programs of every family of questions (tests/survey.c):
# instructions and operands of all forms, modifiers, targets, declarations, bindings, options, limits.
# The numbers are those that hold today: they may only rise.
set -u
B=${B:-build}
{
    xz -dc tests/corpus/survey-cp5.xz | "$B/tests/verdicts" 93 84 97 | sed 's/ - / - compute: /'
    xz -dc tests/corpus/survey-afp.xz | "$B/tests/verdicts" 90 70 82 | sed 's/ - / - fragment: /'
} | awk '/^1\.\./ { next } /^(not )?ok / { n++; sub(/ok [0-9]+/, "ok " n) } { print } END { print "1.." n }'
