#!/bin/sh
# Every ```console block of the README is run as it stands there: what follows a "$ " is typed, what follows that line is
# what came out (both streams). A "# exit N" line is the status where it is not 0.
. tests/tap.inc
B=${B:-build}
case $B in /*) ;; *) B=$PWD/$B ;; esac
PATH=$B:$PATH
export PATH
# One file a command: the command in N.sh, what it should give in N.expected.
awk -v folder="$work" '
    /^ *```console/ { on = 1; next }
    /^ *```/ { on = 0; next }
    on && /^\$ / { n++; name = sprintf("%s/%03d", folder, n); print substr($0, 3) >(name ".sh"); printf "" >(name ".expected"); next }
    on && n { print >(name ".expected") }' README.md
found=
for script in "$work"/*.sh; do
    [ -f "$script" ] || break
    found=yes
    name=${script%.sh}
    sh "$script" >"$name.got" 2>&1 </dev/null
    status=$?
    [ $status = 0 ] || echo "# exit $status" >>"$name.got"
    check "$(sed 's/#/./g' "$script")" diff "$name.expected" "$name.got"
done
check "the README has transcripts" test -n "$found"
done_testing
