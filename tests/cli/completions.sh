#!/bin/bash
# What shells complete: bash's own function, asked as bash asks it; zsh's and fish's where these are installed.
. tests/cli/tap.inc
for shell in bash zsh fish; do
    check "for $shell" sh -c 'GP5=gp5 cli/completions.sh "$1" >"$2"' - $shell "$work/$shell"
done
check "no other shell" sh -c 'cli/completions.sh tcsh 2>&1 | grep -q usage'

compopt() { :; }
. "$work/bash"
# completes WORD... EXPECTED: the last word is at the cursor; an = is a word of its own
completes() {
    expected=${*: -1}
    COMP_WORDS=("${@:1:$#-1}") COMP_CWORD=$(($# - 2)) COMPREPLY=()
    _gp5
    equals "${COMP_WORDS[*]}" "$expected" "${COMPREPLY[*]}"
}
completes gp5 che "check"
completes gp5 run --sem "--semantics="
completes gp5 run --semantics = "nvidia spec ideal"
completes gp5 run --semantics = s "spec"
completes gp5 check --target = m "mesa"
completes gp5 check READM "README.md"
completes gp5 help comp "compare"
completes gp5 run --png = READM "README.md"
# An option that works is offered, and in all three: those that the usage of each command lists.
for command in $(gp5 --help | sed -n 's/^  \([a-z][a-z]*\)  .*/\1/p'); do
    listed=$(gp5 "$command" --help | sed -n 's/^  \(--[a-z-]*\).*/\1/p' | sort -u)
    missing=
    for option in $listed; do
        grep -q "^    $command) words=\".*$option[= \"]" "$work/bash" || missing="$missing bash:$option"
        grep -q -- "'$option[=[]" "$work/zsh" || missing="$missing zsh:$option"
        grep -q -- "from $command' -l ${option#--} " "$work/fish" || missing="$missing fish:$option"
    done
    equals "the options of $command are there" "" "$missing"
done
for shell in zsh fish; do
    if command -v $shell >/dev/null; then check "$shell reads it" $shell -n "$work/$shell"
    else skip "$shell reads it" "$shell is not installed"; fi
done
done_testing
