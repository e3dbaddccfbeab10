#!/bin/sh
# What `make install` leaves is enough to build and run a program, and `make uninstall` takes all of it away.
# cost: 8
. tests/cli/tap.inc
B=${B:-build}
if [ "${SAN:-0}" = 1 ]; then skip "install" "the installed library is built without sanitizers"; done_testing; fi
B=${B#"$PWD/"}    # as make was called: another spelling would be another build
CC=$(sed 's/ [^ ]* -std=c11 .*//' "$B/gen/flags")     # and by the same compiler
export CC
root=$work/root prefix=/opt/gp5
make_quietly() { make --no-print-directory B="$B" CC="$CC" DESTDIR="$root" PREFIX=$prefix "$1"; }

check "make install" make_quietly install
for file in bin/gp5 lib/libgp5.a lib/libgp5.so lib/libgp5.so.0 lib/pkgconfig/gp5.pc $(ls include/*.h) \
    share/man/man1/gp5.1 share/man/man3/gp5.3 libexec/gp5/gp5-gl-worker share/doc/gp5/README.md \
    share/doc/gp5/docs/language.md share/doc/gp5/copyright share/doc/gp5/examples/embed.c \
    share/vim/vimfiles/syntax/gp5asm.vim share/gp5/vscode/package.json share/bash-completion/completions/gp5 \
    share/zsh/vendor-completions/_gp5 share/fish/vendor_completions.d/gp5.fish; do
    check "$file is there" test -s "$root$prefix/$file"
done
check "what is installed has no symbols to debug with" sh -c \
    '! readelf -S "$1/bin/gp5" "$1/lib/libgp5.so.0" | grep -q debug_info' - "$root$prefix"
check "the installed command runs" "$root$prefix/bin/gp5" --version
# 77 is fine: no context opens here. A worker that is not found is not.
"$root$prefix/bin/gp5" info >"$work/info" 2>&1
check "and it finds its worker" sh -c "! grep -q 'gp5-gl-worker is not' '$work/info' && test -s '$work/info'"
commands=$("$B/gp5" --help | sed -n 's/^  \([a-z]*\)  .*/\1/p')
for command in $commands; do
    check "gp5-$command.1 is there" test -s "$root$prefix/share/man/man1/gp5-$command.1"
done

cat >"$work/main.c" <<'P'
#include <gp5.h>
#include <stdio.h>
#include <string.h>

int main(void)
{
    const char *good = "!!ARBfp1.0\nMOV result.color, fragment.color;\nEND\n", *bad = "!!ARBfp1.0\nMOV;\nEND\n";
    gp5_program *program = gp5_parse(good, strlen(good)), *wrong = gp5_parse(bad, strlen(bad));
    int right = program && wrong && gp5_valid(program, GP5_TARGET_NVIDIA) && !gp5_valid(wrong, GP5_TARGET_NVIDIA);
    gp5_program_free(program);
    gp5_program_free(wrong);
    puts(gp5_version());
    return !(right && strcmp(gp5_version(), GP5_VERSION) == 0);
}
P
export PKG_CONFIG_PATH="$root$prefix/lib/pkgconfig" PKG_CONFIG_SYSROOT_DIR="$root"
equals "pkg-config knows the version" "$("$B/gp5" --version | sed 's/gp5 //')" "$(pkg-config --modversion gp5)"
compile() { ${CC:-cc} -std=c11 -Wall -Wextra -Werror "$work/main.c" -o "$work/$1" $2; }
check "a program links the shared library" compile shared "$(pkg-config --cflags --libs gp5)"
check "and runs" env LD_LIBRARY_PATH="$root$prefix/lib" "$work/shared"
check "a program links the static library" compile static \
    "$(pkg-config --cflags gp5) $root$prefix/lib/libgp5.a $(pkg-config --libs --static gp5 | sed 's/-L[^ ]* -lgp5//')"
check "and runs alone" "$work/static"
equals "it shows no name but gp5_*" "" \
    "$(nm -g --defined-only "$root$prefix/lib/libgp5.a" | awk 'NF == 3 && $3 !~ /^gp5_/ { print $3 }' | head -n 3)"
check "examples/embed.c builds against what is installed" \
    ${CC:-cc} -std=c11 -Wall -Wextra -Werror examples/embed.c -o "$work/embed" $(pkg-config --cflags --libs gp5)
env LD_LIBRARY_PATH="$root$prefix/lib" "$work/embed" >"$work/embed.txt"
equals "and takes its program" 0 $?
check "and prints it" grep -q "^MUL_SAT c.xyz, c, -light.w;" "$work/embed.txt"
if command -v g++ >/dev/null 2>&1; then
    printf '#include <gp5.h>\nint main() { return gp5_version() == 0; }\n' >"$work/main.cc"
    check "the header is C++ as well" g++ -Wall -Wextra -Werror -fsyntax-only $(pkg-config --cflags gp5) "$work/main.cc"
fi

check "make uninstall" make_quietly uninstall
equals "no file is left" "" "$(find "$root" ! -type d)"
done_testing
