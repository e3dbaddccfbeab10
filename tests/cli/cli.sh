#!/bin/sh
# The command line's contract: exit status, what goes to stdout and what to stderr, and that the manual says what --help
# says.
. tests/cli/tap.inc
GP5=${GP5:-build/gp5}
unset NO_COLOR

# run WORD...: the command's answer into $work/out, $work/err and $status.
run() { "$GP5" "$@" >"$work/out" 2>"$work/err" </dev/null; status=$?; }
refuses() {
    text=$1
    shift
    run "$@"
    equals "$text: status" 2 $status
    check "$text: nothing on stdout" test ! -s "$work/out"
    check "$text: a word on stderr" test -s "$work/err"
}

run --version
equals "--version: status" 0 $status
equals "--version" "gp5 $(sed -n 's/^#define GP5_VERSION "\(.*\)"/\1/p' include/gp5.h)" "$(cat "$work/out")"
run --help
equals "--help: status" 0 $status
check "--help: nothing on stderr" test ! -s "$work/err"
cp "$work/out" "$work/help"
commands=$(sed -n 's/^  \([a-z]*\)  .*/\1/p' "$work/help")
check "there are commands" test -n "$commands"

refuses "no command"
refuses "an unknown command" frobnicate
refuses "an unknown option" --frobnicate
run chekc
equals "a misspelt command: status" 2 $status
check "a misspelt command: a proposal" grep -q "did you mean 'check'" "$work/err"
if [ -e /dev/full ]; then
    "$GP5" --help >/dev/full 2>"$work/err"
    equals "a full disk is noticed" 2 $?
else
    skip "a full disk is noticed" "no /dev/full"
fi

options() { # FILE: every -o and --option that it speaks of, without values
    tr -s ' ,*|[]()\t' '\n' <"$1" | sed 's/=.*//' | grep -xE -e '-[a-zA-Z]|--[a-z][a-z-]*' | grep -vx -e '--help' |
        sort -u
}
for command in $commands; do
    run $command --help
    equals "$command --help: status" 0 $status
    check "$command --help: on stdout alone" test -s "$work/out" -a ! -s "$work/err"
    check "$command --help: begins with its usage" grep -q "^usage: gp5 $command" "$work/out"
    options "$work/out" >"$work/in-help"
    "$GP5" help $command >"$work/help-command" 2>&1
    check "help $command: the same" cmp "$work/out" "$work/help-command"
    page=docs/man/gp5-$command.1.scd
    if [ -f "$page" ]; then
        options "$page" >"$work/in-page"
        check "$command: --help and the manual have the same options" diff "$work/in-help" "$work/in-page"
    else
        not_ok "$command: there is a manual page $page"
    fi
    check "gp5.1 names $command" grep -q "gp5-$command\*(1)" docs/man/gp5.1.scd
    refuses "$command with an unknown option" $command --frobnicate
    check "$command with an unknown option: it is named" grep -q -e "--frobnicate" "$work/err"
done
for page in docs/man/gp5-*.scd; do
    name=${page#docs/man/gp5-}
    name=${name%.1.scd}
    check "gp5-$name.1: the command works" grep -q "^  $name " "$work/help"
done

# ---- files and the worst of their answers ----------------------------------------------------------------------------

cat >"$work/good.fp" <<'P'
!!ARBfp1.0
MOV result.color, fragment.color;
END
P
printf '!!ARBfp1.0\nFROB result.color, fragment.color;\nEND\n' >"$work/bad.fp"
mkdir "$work/folder"
head -c 5000 /dev/zero >"$work/zeros.fp"
printf '\177ELF\002\001\001\000\000\377\376' >"$work/binary.fp"
: >"$work/empty.fp"

# answers STATUS TEXT WORD...
answers() {
    expected=$1 text=$2
    shift 2
    run "$@"
    if [ $status = "$expected" ]; then ok "$text"; else not_ok "$text"; note "$* gave $status";
        note "$(cat "$work/err")"; fi
}
has() { case " $(echo $commands) " in *" $1 "*) true ;; *) false ;; esac; }
if has check; then
    answers 0 "check: valid" check "$work/good.fp"
    answers 1 "check: invalid" check "$work/bad.fp"
    answers 1 "check: an empty file is no program" check "$work/empty.fp"
    answers 1 "check: zeros are no program" check "$work/zeros.fp"
    answers 1 "check: a binary is no program" check "$work/binary.fp"
    answers 2 "check: a missing file" check "$work/missing.fp"
    check "check: a missing file is named" grep -q "missing.fp: No such file" "$work/err"
    answers 2 "check: a directory" check "$work/folder"
    check "check: a directory is called one" grep -q "folder: is a directory" "$work/err"
    answers 2 "check: no file at all" check
    answers 1 "check: valid and invalid" check "$work/good.fp" "$work/bad.fp" "$work/good.fp"
    answers 2 "check: unreadable is worse than invalid" check "$work/bad.fp" "$work/missing.fp" "$work/good.fp"
    check "check: the others were still judged" grep -q "bad.fp:2:1: error" "$work/err"
    "$GP5" check - <"$work/good.fp" >/dev/null 2>&1
    equals "check: valid from standard input" 0 $?
    "$GP5" check - <"$work/bad.fp" >/dev/null 2>&1
    equals "check: invalid from standard input" 1 $?
    run check "$work/bad.fp"
    check "check: no colour away from a terminal" sh -c "! grep -q '$(printf '\033')' '$work/err'"
    if [ "$(id -u)" = 0 ]; then
        skip "check: an unreadable file" "root reads everything"
    else
        chmod 000 "$work/good.fp"
        answers 2 "check: an unreadable file" check "$work/good.fp"
        chmod 644 "$work/good.fp"
    fi
    truncate -s 1073741825 "$work/huge.fp"
    answers 2 "check: more than 1 GiB" check "$work/huge.fp"
    check "check: more than 1 GiB is called so" grep -q "larger than 1 GiB" "$work/err"
    if script -qec true /dev/null >/dev/null 2>&1; then
        script -qec "TERM=xterm $GP5 check $work/bad.fp" /dev/null >"$work/terminal" 2>&1 </dev/null
        check "check: colour on a terminal" grep -q "$(printf '\033\\[')" "$work/terminal"
        script -qec "TERM=xterm NO_COLOR=1 $GP5 check $work/bad.fp" /dev/null >"$work/terminal" 2>&1 </dev/null
        check "check: NO_COLOR" sh -c "! grep -q '$(printf '\033')' '$work/terminal'"
    else
        skip "check: colour on a terminal" "no pseudo-terminal, or no script(1)"
    fi
fi
if has fmt; then
    answers 0 "fmt: valid" fmt "$work/good.fp"
    answers 1 "fmt: invalid" fmt "$work/bad.fp"
    answers 2 "fmt: a missing file" fmt "$work/missing.fp"
fi
if has run; then
    answers 2 "run: a missing file" run "$work/missing.fp"
    answers 1 "run: an invalid program" run "$work/bad.fp"
    answers 2 "run: a directory" run "$work/folder"
fi
if has compare; then
    printf '[require]\nfrobnicate 3\n' >"$work/unknown.shader_test"
    answers 2 "compare: a missing file" compare --driver=none "$work/missing.shader_test"
    answers 2 "compare: a line that nobody knows" compare --driver=none "$work/unknown.shader_test"
fi
done_testing
