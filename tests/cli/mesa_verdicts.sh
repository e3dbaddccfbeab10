#!/bin/bash
# The checker with --target=mesa beside what Mesa said of ARB programs. The numbers are those that hold today: they may
# only rise.
set -u
B=${B:-build}
xz -dc tests/corpus/mesa.xz | "$B/tests/verdicts" 99.7 96 99.8 mesa
