#!/bin/sh
# docs/instructions.md says what the tables say.
. tests/cli/tap.inc
B=${B:-build}
"$B/instructions" >"$work/instructions.md"
equals "it can be written" 0 $?
check "it has a row an opcode" test "$(grep -c '^    OP(' asm/isa.def)" = \
    "$(sed '/^## Options/,$d' "$work/instructions.md" | grep -c '^| `')"
check "docs/instructions.md is up to date (else: make docs)" diff docs/instructions.md "$work/instructions.md"
done_testing
