#!/bin/sh
# Scripts that draw: our own of each kind, and in make check-long all of piglit's with assembly programs, unedited,
# where Debian's package is installed or can be fetched. cost: 6
. tests/cli/tap.inc

for script in tests/suites/draw/*.shader_test tests/suites/draw/*.vpfp; do
    check "the reference draws $(basename "$script")" "$GP5" run "$script"
done
sed 's/^expected 0 1 0 1/expected 0 1 1 1/' tests/suites/draw/address.vpfp >"$work/wrong.vpfp"
"$GP5" run "$work/wrong.vpfp" >"$work/out" 2>&1
equals "a test of a .vpfp that does not hold fails" 1 $?
check "and says where" grep -q 'line 25: probe of the reference' "$work/out"

# Two programs in one file and no test draw one square.
printf '%s\n' '!!ARBvp1.0' 'OPTION ARB_position_invariant;' 'MOV result.texcoord[0], vertex.texcoord[0];' \
    'MOV result.color, vertex.color;' END '# the other half' '!!ARBfp1.0' \
    'MUL result.color, fragment.color, fragment.texcoord[0];' END >"$work/light.vfp"
"$GP5" run --png="$work/light.png" "$work/light.vfp" >"$work/out" 2>&1
equals "a .vfp draws" 0 $?
check "which is a picture" test -s "$work/light.png"
check "brighter to the right" grep -q '^ *|+.*%|' "$work/out"
sed 's/fragment.texcoord.0./nothing/' "$work/light.vfp" >"$work/wrong.vfp"
"$GP5" run "$work/wrong.vfp" >"$work/out" 2>&1
equals "one that does not load is an error" 1 $?
check "at its line" grep -q 'line 8: ' "$work/out"

# What a script says must be able to be wrong.
sed 's/relative probe rgba (0.75, 0.25) (0, 0, 0, 1)/relative probe rgba (0.75, 0.25) (0, 1, 0, 1)/' \
    tests/suites/draw/vertex_computes.shader_test >"$work/wrong.shader_test"
"$GP5" run "$work/wrong.shader_test" >"$work/out" 2>&1
equals "a probe that does not hold fails" 1 $?
check "and says where" grep -q 'line 18: probe of the reference' "$work/out"
sed 's/^MAD result.position.*/MAD result.position, vertex.position, half.x;/' \
    tests/suites/draw/vertex_computes.shader_test >"$work/invalid.shader_test"
"$GP5" run "$work/invalid.shader_test" >"$work/out" 2>&1
equals "a vertex program that does not load is an error" 1 $?
check "at its line" grep -q 'line 6: ' "$work/out"

# The same beside a driver, where there is one.
if ! "$GP5" compare --driver=egl tests/suites/draw/sides.shader_test >"$work/out" 2>&1 &&
    grep -q '^SKIP' "$work/out"; then
    skip "draws beside a driver" "$(sed -n 's/^SKIP [^:]*: //p' "$work/out" | head -n 1)"
    driver=none
else
    driver=egl
    for script in tests/suites/draw/*.shader_test tests/suites/draw/address.vpfp; do
        "$GP5" compare --driver=egl "$script" >"$work/out" 2>&1
        case $? in
        0) ok "the driver draws $(basename "$script") alike" ;;
        77) skip "the driver draws $(basename "$script") alike" \
            "$(sed -n 's/^SKIP [^:]*: //p' "$work/out" | head -n 1)" ;;
        *) not_ok "the driver draws $(basename "$script") alike"; note "$(head -n 12 "$work/out")" ;;
        esac
    done
    "$GP5" compare --driver=egl tests/suites/draw/perspective.shader_test >"$work/out" 2>&1
    check "fragments are judged with the inputs that the driver's had" \
        grep -q ' 62500 fragments with the driver' "$work/out"
    # Where the reading is NVIDIA's and the driver another, the two differ in what is left open: that is seen.
    if ! grep -q NVIDIA "$work/out"; then
        "$GP5" compare --driver=egl --semantics=nvidia tests/suites/draw/open.shader_test >"$work/out" 2>&1
        equals "a result that differs is found" 1 $?
        check "and its pixel" grep -q 'line 15: color 0, pixel 0,0 .w: expected' "$work/out"
    fi
    # What a driver is known for is said, and no difference; another one is.
    if grep -q llvmpipe "$work/out"; then
        "$GP5" compare --driver=egl tests/suites/draw/flat.shader_test >"$work/out" 2>&1
        equals "a known deviation is no difference" 0 $?
        check "and is said" grep -q '^  deviates   GL_FLAT' "$work/out"
        "$GP5" compare --json --driver=egl tests/suites/draw/planes.shader_test >"$work/out" 2>&1
        check "in JSON, too" grep -q '"deviations":\["CLIP"\]' "$work/out"
        "$GP5" compare --driver=egl tests/suites/draw/sides.shader_test >"$work/out" 2>&1
        check "where there is none nothing is said" test "$(grep -c deviates "$work/out")" = 0
    fi
    "$GP5" compare --driver=egl --record="$work/draws.full" tests/suites/draw/perspective.shader_test >"$work/out" 2>&1
    equals "what the driver drew is recorded" 0 $?
    "$GP5" compare --replay="$work/draws.full" tests/suites/draw/perspective.shader_test >"$work/out" 2>&1
    equals "and compared again without it" 0 $?
fi

# Programs of NV_vertex_program, which few drivers have, beside what NVIDIA's drew: five of our own and, with PIGLIT a
# clone of its repository, the five that it had until 2015.
old_ones() {
    xz -dc "tests/recordings/$1.full.xz" >"$work/$1.full"
    shift_name=$1
    shift
    "$GP5" compare --replay="$work/$shift_name.full" "$@" >"$work/out" 2>&1
    equals "$shift_name: as the driver drew them" 0 $?
    equals "$shift_name: every bit" 5 "$(grep -c '250000 the same bits, .* 0 different, 0 undefined' "$work/out")"
}
old_ones old_vertex tests/suites/draw/old*.vpfp
if [ -z "${PIGLIT:-}" ]; then
    skip "piglit's programs of NV_vertex_program" "PIGLIT names no clone of it"
else
    last=$(git -C "$PIGLIT" log -1 --diff-filter=D --format=%H -- tests/shaders/generic/nv-add.vpfp)^
    for name in nv-add nv-arl nv-init-zero-addr nv-init-zero-reg nv-mov; do
        git -C "$PIGLIT" show "$last:tests/shaders/generic/$name.vpfp" >"$work/$name.vpfp"
    done
    old_ones old_piglit "$work"/nv-*.vpfp
fi

# Draws by chance: only pixels on edges differ, 0.2 % of what is covered at most.
if [ "$driver" = none ]; then
    skip "draws by chance beside a driver" "there is none"
else
    seq 1 200 | sample 10 | while read -r number; do
        "$B/tests/draw_scripts" "$number" >"$work/by-chance-$number.shader_test"
    done
    "$GP5" compare --driver=egl "$work"/by-chance-*.shader_test >"$work/out" 2>&1
    equals "draws by chance differ on edges alone" 0 $?
    awk '/^  pixels/ { drawn += $2; edges += $4 } END { print edges + 0, "of", drawn
        exit !(drawn > 50000 && edges <= drawn / 500) }' "$work/out" >"$work/share"
    equals "and of those 0.2 % at most: $(cat "$work/share")" 0 $?
fi

# piglit_files: the 89 scripts of piglit that have assembly programs, into $work/piglit; false where there are none.
piglit_files() {
    root=$(find /usr/lib /usr/share -maxdepth 2 -type d -name piglit 2>/dev/null | head -n 1)
    if [ ! -d "$root/tests/spec" ]; then
        (cd "$work" && apt-get -q download piglit >/dev/null 2>&1 && dpkg-deb -x piglit_*.deb "$work/package") ||
            return 1
        root=$(find "$work/package" -type d -name piglit | head -n 1)
    fi
    find "$root/tests" -name '*.shader_test' -exec grep -lE '^\[(vertex|fragment) program\]' {} + >"$work/piglit"
    [ -s "$work/piglit" ]
}
if [ "${LONG:-0}" = 0 ]; then
    skip "piglit's scripts" "they are run by make check-long"
elif ! piglit_files; then
    skip "piglit's scripts" "Debian's package piglit is not installed and cannot be fetched"
else
    equals "piglit has 89 scripts with assembly programs" 89 "$(wc -l <"$work/piglit")"
    while read -r script; do "$GP5" run "$script" >>"$work/out" 2>&1 && echo pass; done <"$work/piglit" >"$work/passed"
    equals "the reference passes all of them" "$(wc -l <"$work/piglit")" "$(wc -l <"$work/passed")"
    if [ "$driver" = none ]; then
        skip "piglit's scripts beside a driver" "there is none"
    else
        xargs "$GP5" compare --driver=egl <"$work/piglit" >"$work/out" 2>&1
        equals "beside a driver they pass too" "89 passed, 0 failed, 0 skipped, 0 errors" "$(tail -n 1 "$work/out")"
    fi
    # Its GLSL scripts as assembly ones: the rows are of these files, and a driver that gives assembly gives them again.
    grep -v '^#' tests/recordings/piglit_glsl.txt >"$work/rows"
    if ! [ -e "$root/$(sed -n '1s/ .*//p' "$work/rows")" ]; then
        skip "piglit's GLSL scripts" "another version of the package"
    else
        while read -r name hash rest; do
            [ "$(sha256sum <"$root/$name" | cut -c1-16)" = "$hash" ] || echo "$name"
        done <"$work/rows" >"$work/other"
        equals "piglit's GLSL scripts are those of the table" "" "$(cat "$work/other")"
        DRIVER=${GL_DRIVER:-egl} tests/tools/piglit_glsl "$root" "$work/glsl" <"$work/rows" >"$work/again"
        if [ $? = 77 ]; then
            skip "they become the same assembly and pass alike" "no driver here gives assembly"
        else
            equals "they become the same assembly and pass alike" "" "$(diff "$work/rows" "$work/again" | head -n 5)"
        fi
    fi
fi
done_testing
