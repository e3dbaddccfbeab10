#!/bin/sh
# tests/tools/deps: does nothing where all is there, installs exactly what is missing, and stops clearly where it
# cannot. The system that it sees is made of a few links and small programs.
. tests/cli/tap.inc
unset CC        # one with its folder in its name would be found on any PATH
names=$(sed -e 's/ *#.*//' -e '/^$/d' packages.txt)
check "each package says why" sh -c '! grep -vE "^(#.*|[a-z0-9.+-]+ +# .+ (tool|pc|header|any):[^ ]+)$" packages.txt'

# new_system NAME: a PATH with the few tools that the script uses, and apt and dpkg of our own.
new_system() {
    path=$work/$1
    mkdir "$path"
    for tool in sh sed dirname cat grep id; do ln -s "$(command -v $tool)" "$path/$tool"; done
    export HAVE="$path/have" LOG="$path/log"
    : >"$LOG"
    printf '%s\n' $names >"$HAVE"
}
program() { cat >"$path/$1"; chmod +x "$path/$1"; }
debian() {
    program dpkg-query <<'P'
#!/bin/sh
status=0
for word; do case $word in -W | -f | '$'*) continue ;; esac
    if grep -qx -- "$word" "$HAVE"; then echo "$word installed"
    else echo "no packages found matching $word" >&2; status=1; fi
done
exit $status
P
    program apt-get <<'P'
#!/bin/sh
echo "apt-get $*" >>"$LOG"
[ "$1" = update ] && { echo yes >"$HAVE.updated"; exit 0; }
[ ! -f "$HAVE.broken" ] || { echo "E: Unable to locate package" >&2; exit 100; }
[ ! -f "$HAVE.stale" ] || [ -f "$HAVE.updated" ] || exit 100
for word; do case $word in -* | install | Dpkg::*) ;; *) echo "$word" >>"$HAVE" ;; esac; done
P
}
user() { printf '#!/bin/sh\necho %s\n' "$1" | { rm -f "$path/id"; program id; }; }
deps() { PATH=$path sh tests/tools/deps >"$path/out" 2>"$path/err"; }
without() { grep -vx -e "$1" -e "${2:-$1}" "$HAVE" >"$HAVE.new"; mv "$HAVE.new" "$HAVE"; }

new_system complete; debian; user 0
deps; equals "all there: status" 0 $?
equals "all there: nothing said, nothing called" "" "$(cat "$path/out" "$path/err" "$LOG")"

new_system two; debian; user 0; without flex scdoc
deps; equals "two missing: status" 0 $?
equals "two missing: those are installed" "flex scdoc" "$(grep -o 'flex\|scdoc' "$LOG" | tr '\n' ' ' | sed 's/ $//')"
equals "two missing: one call" 1 "$(grep -c apt-get "$LOG")"
check "two missing: it says what it does" grep -q 'installing: flex scdoc' "$path/out"
: >"$LOG"; deps; equals "afterwards there is nothing to do" "" "$(cat "$LOG")"

new_system stale; debian; user 0; without flex; : >"$HAVE.stale"
deps; equals "an old package index: status" 0 $?
equals "an old package index is fetched and the installation repeated" "install update install" \
    "$(sed 's/apt-get \([a-z]*\).*/\1/' "$LOG" | tr '\n' ' ' | sed 's/ $//')"

new_system broken; debian; user 0; without flex; : >"$HAVE.broken"
deps; check "a package that cannot be had ends it" test $? -ne 0
check "and apt-get's own words are shown" grep -q 'Unable to locate' "$path/err"

new_system plain; debian; user 1000; without flex
deps; equals "neither root nor sudo: status" 1 $?
check "neither root nor sudo: it names what is missing" grep -q 'neither root nor.*flex$' "$path/err"
equals "neither root nor sudo: nothing called" "" "$(cat "$LOG")"

new_system sudo; debian; user 1000; without flex
program sudo <<'P'
#!/bin/sh
echo sudo >>"$LOG"
exec "$@"
P
deps; equals "with sudo: status" 0 $?
equals "with sudo: through sudo" "sudo" "$(head -n 1 "$LOG")"

new_system other; user 1000
deps; equals "another system with nothing: status" 1 $?
equals "another system with nothing: each package is named" "$(grep -cE "(tool|pc|header):[^ ]+$" packages.txt)" \
    "$(grep -c '^  ' "$path/err")"

new_system other-complete; user 1000
for tool in $(sed -n 's/.* tool:\([^ ]*\)$/\1/p' packages.txt); do printf '#!/bin/sh\n' | program "$tool"; done
printf '#!/bin/sh\nexit 0\n' | program pkg-config
printf '#!/bin/sh\ncat >/dev/null\n' | program cc
CC=cc; export CC
deps; equals "another system with everything: status" 0 $?
equals "another system with everything: nothing said" "" "$(cat "$path/out" "$path/err")"
done_testing
