#!/bin/sh
# Users' programs (tests/programs/README.md): each gives what an NVIDIA driver was recorded to give, but for those that
# unlike.txt names; so do those of the vertex and fragment stages (make check takes every third); and each of those
# that were made to learn where lanes meet that leave a loop (docs/semantics.md, I8), and what PUSHA and POPA do.
# cost: 5
. tests/cli/tap.inc
every=$(short_or_long 3 1)
recorded() {
    xz -dc "$2" | "$B/tests/programs" check --level="$3" ${4:+--every="$4"} tests/programs/unlike.txt >"$work/said"
    equals "$1: each gives what was recorded, but for those that are listed; so many do" 0 $?
    sed -n "s|^#|#  |p" "$work/said"
}
recorded "users' programs" tests/programs/recorded.xz 995
recorded "of vertices and fragments" tests/programs/stages.xz 980 "$every"
recorded "loops that are left" tests/recordings/exits.xz 1000
recorded "the stack of address registers" tests/recordings/address_stack.xz 840
done_testing
