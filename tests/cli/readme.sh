#!/bin/sh
# Every ```console block of the README and of docs/language.md is what the commands say: what follows "$ " (and "> " on
# lines after it) is typed, the rest is what came out of both streams; "# exit N" is the status where it is not 0.
# `tests/cli/readme.sh --rebase` writes them anew with what they say now.
. tests/cli/tap.inc
B=${B:-build}
case $B in /*) ;; *) B=$PWD/$B ;; esac
PATH=$B:$PATH
export PATH

typed=
answer() {
    [ -n "$typed" ] || return 0
    (cd "$work/here" && printf '%s\n' "$typed" >"$work/typed" && sh "$work/typed") 2>&1 </dev/null
    status=$?
    [ $status = 0 ] || echo "# exit $status"
    echo . >>"$work/count"
    typed=
}
# says_now DOCUMENT: the document with what the commands say now; each has a folder of its own.
says_now() {
    rm -rf "$work/here"
    mkdir "$work/here"
    ln -s "$PWD/examples" "$PWD/tests" "$work/here/"
    : >"$work/count"
    on=
    while IFS= read -r line; do
        case $on$line in
        '```console') on=@ ;;
        '@```') answer; on= ;;
        '@$ '*) answer; typed=${line#??}; asking=yes ;;
        '@> '*) if [ -n "$asking" ]; then typed="$typed
${line#??}"; else continue; fi ;;
        @*) asking=; continue ;;
        esac
        printf '%s\n' "$line"
    done <"$1" >"$work/now.md"
}
for document in README.md docs/language.md; do
    says_now $document
    if [ "${1:-}" = --rebase ]; then
        cat "$work/now.md" >$document
        continue
    fi
    case $document in README.md) least=5 ;; *) least=12 ;; esac
    check "$document has transcripts" test "$(wc -l <"$work/count")" -ge $least
    check "they are what the commands say" diff $document "$work/now.md"
done
[ "${1:-}" != --rebase ] || exit 0
# What the README says to type first, for each kind of user: it works, or says that there is no such driver here (77).
sed -n '/^## What to type first/,/^## What it/s/.*`build\/\(gp5 [^`]*\)`.*/\1/p' README.md >"$work/first"
equals "there is something to type for four kinds of users" 4 "$(wc -l <"$work/first" | tr -d ' ')"
while read -r line; do
    said=$(sh -c "$line" 2>"$work/errors" </dev/null)
    status=$?
    case $status in
    0 | 77) check "$line" test -n "$said" ;;
    *) not_ok "$line"; note "$status: $(cat "$work/errors")" ;;
    esac
done <"$work/first"
for page in docs/*.md; do check "the README names $page" grep -q "$page" README.md; done
done_testing
