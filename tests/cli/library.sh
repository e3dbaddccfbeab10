#!/bin/sh
# The library as it is installed, used by a program of somebody else (library/foreign.c): C and C++, shared and static,
# under valgrind and helgrind (LONG=1, and where they are).
# cost: 8
. tests/cli/tap.inc
B=${B:-build}
if [ "${SAN:-0}" = 1 ]; then skip "library" "the installed library is built without sanitizers"; done_testing; fi
B=${B#"$PWD/"}    # as make was called: another spelling would be another build
CC=$(sed 's/ [^ ]* -std=c11 .*//' "$B/gen/flags")     # and by the same compiler
export CC
root=$work/root prefix=/opt/gp5
check "make install" make --no-print-directory B="$B" CC="$CC" DESTDIR="$root" PREFIX=$prefix install
export PKG_CONFIG_PATH="$root$prefix/lib/pkgconfig" PKG_CONFIG_SYSROOT_DIR="$root"
lib=$root$prefix/lib
dynamic=$(pkg-config --cflags --libs gp5)
static="$(pkg-config --cflags gp5) $lib/libgp5.a $(pkg-config --libs --static gp5 | sed 's/-L[^ ]* -lgp5//')"
# Position-independent or not: a static library must stand in both.
build() { # NAME COMPILER... : from the C source
    name=$1 flags=$2
    shift 2
    check "$name builds" "$@" -Wall -Wextra -Werror -O1 -g -pthread tests/cli/library/foreign.c -o "$work/$name" $flags
    equals "$name: what is promised holds" "" "$(LD_LIBRARY_PATH="$lib" "$work/$name" 2>&1 || echo "status $?")"
}
build c-shared "$dynamic" ${CC:-cc} -std=c11
build c-static "$static" ${CC:-cc} -std=c11 -no-pie
if command -v g++ >/dev/null 2>&1; then
    build cxx-shared "$dynamic" g++ -std=c++11 -x c++
    build cxx-static "$(echo "$static" | sed 's|\([^ ]*\.a\)|-x none \1|')" g++ -std=c++20 -x c++
else
    skip "C++" "no g++"
fi
if command -v clang >/dev/null 2>&1; then build clang-static "$static" clang -std=c11; else skip "clang" "no clang"; fi

if [ "${LONG:-0}" = 0 ]; then
    skip "valgrind and helgrind" "LONG=1 runs them"
elif ! command -v valgrind >/dev/null 2>&1; then
    skip "valgrind and helgrind" "no valgrind"
else
    for program in c-shared c-static; do
        check "$program: valgrind finds nothing" env LD_LIBRARY_PATH="$lib" valgrind -q --error-exitcode=9 \
            --leak-check=full --show-leak-kinds=all --errors-for-leak-kinds=all "$work/$program"
        check "$program: helgrind finds nothing" env LD_LIBRARY_PATH="$lib" valgrind -q --tool=helgrind \
            --error-exitcode=9 "$work/$program"
    done
    printf '#include <pthread.h>\nint n; static void *f(void *p) { n++; return p; }\nint main(void) { pthread_t t;\n' \
        >"$work/race.c"
    printf 'pthread_create(&t, 0, f, 0); n++; pthread_join(t, 0); return 0; }\n' >>"$work/race.c"
    ${CC:-cc} -O0 -g -pthread "$work/race.c" -o "$work/race"
    valgrind -q --tool=helgrind --error-exitcode=9 "$work/race" >/dev/null 2>&1
    equals "helgrind finds a race that is one" 9 $?
fi
done_testing
