#!/bin/sh
# The public library as another program sees it: examples/embed.c built with the public headers alone, and its output to
# the letter; the headers are C and C++.
#     tests/cli/embed.sh --rebase      writes tests/cli/embed.txt anew
. tests/cli/tap.inc
B=${B:-build}
case $B in /*) ;; *) B=$PWD/$B ;; esac
embed=$B/examples/embed
printf '!!ARBfp1.0\nTEMP sum;\nMOV result.color, sam;\nEND\n' >"$work/wrong.fp"
cat >"$work/loop.cp" <<'P'
!!NVcp5.0
OPTION NV_shader_storage_buffer;
GROUP_SIZE 32;
STORAGE s[] = { program.storage[0] };
TEMP a, m[4]; LONG TEMP d;
MOV.U.CC a.x, invocation.localindex.x;
REP.U a.x;
IF GT.x; BRK (NE1.y); ELSE; CAL f (LT.x); ENDIF;
ENDREP;
MOV.F64.SAT d (EQ.x), -|d.x|;
STB.U32X2 m[a.x + 1], s[a.x];
RET;
f: ADD.U m[0].zw, a, {1, 2};  # behind it
RET;
END
P
{
    "$embed"
    echo "exit $?"
    (cd "$work" && "$embed" loop.cp)
    echo "exit $?"
    (cd "$work" && "$embed" wrong.fp)
    echo "exit $?"
    "$B/examples/embed_eval"
    echo "exit $?"
} >"$work/embed.txt"
if [ "${1:-}" = --rebase ]; then
    cp "$work/embed.txt" tests/cli/embed.txt
    exit
fi
check "what the example prints" diff -u tests/cli/embed.txt "$work/embed.txt"
"$embed" "$work/nowhere" >/dev/null 2>&1
equals "a missing file" 2 $?
needed=$(readelf -d "$embed" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p' | grep -v asan | grep -v ubsan | sort |
    paste -sd' ')
equals "it needs libgp5 and the C library" "libc.so.6 libgp5.so.0" \
    "$(echo "$needed" | tr ' ' '\n' | grep -e gp5 -e '^libc\.' | paste -sd' ')"
for header in include/*.h; do
    echo "#include \"$(basename "$header")\"" >"$work/one.c"
    cp "$work/one.c" "$work/one.cc"
    check "$header: C11 by itself" ${CC:-cc} -std=c11 -pedantic -Wall -Wextra -Werror -fsyntax-only -Iinclude \
        "$work/one.c"
    for compiler in g++ clang++; do
        if command -v $compiler >/dev/null 2>&1; then
            for standard in c++11 c++20; do
                check "$header: $compiler, $standard" \
                    $compiler -std=$standard -pedantic -Wall -Wextra -Werror -fsyntax-only -Iinclude "$work/one.cc"
            done
        else
            skip "$header: $compiler" "no $compiler"
        fi
    done
done
done_testing
