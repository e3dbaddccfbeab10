#!/bin/sh
# Every ```console block of the README is what the commands say: what follows "$ " (and "> " on lines after it) is
# typed, the rest is what came out of both streams; "# exit N" is the status where it is not 0. `tests/cli/readme.sh
# --rebase` writes the README anew with what they say now.
. tests/cli/tap.inc
B=${B:-build}
case $B in /*) ;; *) B=$PWD/$B ;; esac
PATH=$B:$PATH
export PATH
mkdir "$work/here"
ln -s "$PWD/examples" "$PWD/tests" "$work/here/"

typed=
answer() {
    [ -n "$typed" ] || return 0
    (cd "$work/here" && printf '%s\n' "$typed" >"$work/typed" && sh "$work/typed") 2>&1 </dev/null
    status=$?
    [ $status = 0 ] || echo "# exit $status"
    echo . >>"$work/count"
    typed=
}
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
done <README.md >"$work/README.md"

if [ "${1:-}" = --rebase ]; then
    cat "$work/README.md" >README.md
    exit
fi
check "the README has transcripts" test "$(wc -l <"$work/count")" -ge 5
check "they are what the commands say" diff README.md "$work/README.md"
for page in docs/*.md; do check "the README names $page" grep -q "$page" README.md; done
done_testing
