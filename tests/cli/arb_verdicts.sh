#!/bin/bash
# ARB programs with each of their options, and the older headers, beside NVIDIA's driver: programs grown and bent by
# chance, and questions about every register, name and form. The numbers are those that hold today: they may only rise.
set -u
B=${B:-build}
{
    xz -dc tests/corpus/arb.xz | "$B/tests/verdicts" 99.8 98 99.8 | sed 's/ - / - ARB: /'
    xz -dc tests/corpus/survey-arb.xz | "$B/tests/verdicts" 99.7 97.5 99 | sed 's/ - / - every family: /'
    xz -dc tests/corpus/older.xz | "$B/tests/verdicts" 99.7 97.8 99.6 | sed 's/ - / - older headers: /'
} | awk '/^1\.\./ { next } /^(not )?ok / { n++; sub(/ok [0-9]+/, "ok " n) } { print } END { print "1.." n }'
