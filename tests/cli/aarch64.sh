#!/bin/bash
# The library and the command for AArch64, cross-built and run by qemu: the same tests, the same bits. With LONG=1,
# where there is a compiler for it (Debian: gcc-aarch64-linux-gnu, libc6-dev-arm64-cross, qemu-user). Without the
# libraries of the command (libjansson-dev, libpng-dev, libcmocka-dev for arm64, below / or GP5_AARCH64_ROOT) only the
# library is built, and the examples that use nothing else.
# cost: 900
. tests/cli/tap.inc
B=${B:-build}
root=${GP5_AARCH64_ROOT:-}
libraries=$root/usr/lib/aarch64-linux-gnu
there=$B/aarch64

leave() {
    skip "AArch64" "$1"
    done_testing
}
[ "${LONG:-0}" = 1 ] || leave "make check-long has it"
[ "${SAN:-0}" = 0 ] || leave "without the sanitizers"
command -v aarch64-linux-gnu-gcc >/dev/null || leave "no aarch64-linux-gnu-gcc"
command -v qemu-aarch64 >/dev/null || leave "no qemu-aarch64"

export PKG_CONFIG_SYSROOT_DIR=$root PKG_CONFIG_LIBDIR=$libraries/pkgconfig:$root/usr/share/pkgconfig
build() {
    make --no-print-directory -j"$(nproc)" B="$there" CC=aarch64-linux-gnu-gcc AR=aarch64-linux-gnu-ar \
        OBJCOPY=aarch64-linux-gnu-objcopy CPPFLAGS="-I$root/usr/include -I$root/usr/include/aarch64-linux-gnu" \
        LDFLAGS="-L$libraries -Wl,-rpath-link,$libraries:$root/lib/aarch64-linux-gnu" "$@" >"$work/make" 2>&1 ||
        { tail -n 20 "$work/make"; return 1; }
}
emulated() {
    qemu-aarch64 -L /usr/aarch64-linux-gnu -E LD_LIBRARY_PATH="$there:$libraries:$root/lib/aarch64-linux-gnu" "$@"
}

check "the library is built" build "$there/libgp5.so" "$there/examples/embed" "$there/examples/embed_eval"
for example in embed embed_eval; do
    equals "examples/$example.c says the same" "$("$B/examples/$example" examples/embed.c 2>&1)" \
        "$(emulated "$there/examples/$example" examples/embed.c 2>&1)"
done
if ! pkg-config --exists jansson libpng || [ ! -f "$libraries/pkgconfig/cmocka.pc" ]; then
    leave "no libjansson, libpng and libcmocka for arm64"
fi

# The tests find the command where it is built: a script that has qemu run it. Of long ones the sample: under qemu all
# words of a function would take hours.
units=$(grep -L 'link:.*GL' tests/unit/*/test_*.c | sed 's|.*/test_||; s|\.c$||' |
    grep -v -x -e gl -e gl_textures -e driver -e extras)   # the last two start a worker by its name
wrapped=$there/wrapped
check "the command and the tests are built" build "$there/gp5" "$there/tests/gp5-oracle" \
    "$there/tests/verdicts" $(printf "$there/tests/test_%s " $units)
[ "$tap_failed" = 0 ] || leave "it is not built"
rm -rf "$wrapped"
mkdir -p "$wrapped/tests"
for program in gp5 tests/gp5-oracle tests/verdicts $(printf 'tests/test_%s ' $units); do
    printf '#!/bin/sh\nexec qemu-aarch64 -L /usr/aarch64-linux-gnu -E LD_LIBRARY_PATH=%s %s "$@"\n' \
        "$libraries:$root/lib/aarch64-linux-gnu" "$there/$program" >"$wrapped/$program"
    chmod +x "$wrapped/$program"
done
for name in $units; do
    if LONG=0 CMOCKA_MESSAGE_OUTPUT=TAP timeout 3600 "$wrapped/tests/test_$name" >"$work/$name" 2>&1; then ok "$name"
    else not_ok "$name"; note "$(grep -v '^ok' "$work/$name" | tail -n 30)"; fi
done
for name in check verdicts survey_verdicts arb_verdicts option_texts stats fix; do
    LONG=0 B=$wrapped tests/run "$name" >"$work/$name" 2>&1
    if grep -q ' 0 failed' "$work/$name"; then ok "$name"; else not_ok "$name"; note "$(tail -n 30 "$work/$name")"; fi
done
done_testing
