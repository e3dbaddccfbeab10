#!/bin/bash
# Inputs that fuzzing kept, since each of them goes its own way through the code or once broke something, through all
# that a program goes through; with SAN=1 the sanitizers look on. `tests/tools/fuzz --keep` makes tests/corpus/fuzz.xz
# anew.
set -u
B=${B:-build}
xz -dc tests/corpus/fuzz.xz | "$B/tests/replay"
