#!/bin/bash
# gp5 info and gp5 capture: what they say, and their exit status with a driver, without one and with a broken worker.
. tests/cli/tap.inc
B=${B:-build} GP5=${GP5:-build/gp5}
run() { "$@" >"$work/out" 2>"$work/err" </dev/null; echo $?; }

# A machine on which nothing opens: no vendor library behind EGL, no display.
bare() { env -u DISPLAY -u WAYLAND_DISPLAY __EGL_VENDOR_LIBRARY_FILENAMES=/nonexistent "$@"; }
equals "info without a context is skipped" 77 "$(run bare "$GP5" info)"
check "and says why each kind does not open" \
    test "$(grep -c 'does not open: ' "$work/out")" = 3
equals "the same as JSON" 77 "$(run bare "$GP5" info --json)"
check "says opens: false" grep -q '"context":"glfw","opens":false,"reason":"' "$work/out"
printf 'void main() { gl_FragColor = vec4(1.0); }\n' >"$work/one.frag"
equals "capture without a context is skipped" 77 "$(run bare "$GP5" capture "$work/one.frag")"

equals "info with a worker that ends at once is trouble" 2 "$(GP5_GL_WORKER=/bin/true run "$GP5" info)"
equals "info with a worker that does not exist is trouble" 2 "$(GP5_GL_WORKER=/nonexistent run "$GP5" info)"
check "and names it" grep -q /nonexistent "$work/err"
equals "info takes no files" 2 "$(run "$GP5" info x)"
equals "capture wants a file" 2 "$(run "$GP5" capture)"

status=$(run "$GP5" info)
if [ "$status" = 77 ]; then
    skip "a context" "no GL context opens here"
    done_testing
fi
equals "info with a context" 0 "$status"
check "has the driver's strings" grep -Eq '^    renderer  .' "$work/out"
check "and its limits" grep -q 'GL_MAX_PROGRAM_TEMPORARIES_ARB (fragment) = [1-9]' "$work/out"
equals "the same as JSON" 0 "$(run "$GP5" info --json)"
check "is one line" test "$(wc -l <"$work/out")" = 1
check "has the extensions" grep -q '"ARB_fragment_program":true' "$work/out"

printf 'void main() { nonsense; }\n' >"$work/bad.frag"
equals "GLSL that does not compile" 1 "$(run "$GP5" capture "$work/bad.frag")"
check "shows the compiler's words" grep -q nonsense "$work/err"
equals "a name without a stage" 2 "$(run "$GP5" capture "$work/out")"
equals "a file that is not there" 2 "$(run "$GP5" capture "$work/none.frag")"
printf '#version 150\n%s %s\n' 'in vec4 place; uniform vec4 by; out vec2 other;' \
    'void main() { other = vec2(1.0); gl_Position = place + by; }' >"$work/one.vert"
printf '#version 150\nuniform vec4 paint; void main() { gl_FragColor = paint; }\n' >"$work/two.frag"
status=$(run "$GP5" capture --link "$work/one.vert" "$work/two.frag")
if [ "$status" = 77 ] && ! grep -q '^# attribute' "$work/out"; then
    skip "where a linked program's inputs stand" "this driver gives no program binary"
else
    equals "where a linked program's inputs stand" "attribute by paint place uniform uniform" \
        "$(awk '{ print $2; print $4 }' "$work/out" | grep -E '^(attribute|uniform|place|by|paint)$' | sort | xargs)"
fi
printf '#version 150\nvoid other() { gl_FragColor = vec4(1.0); }\n' >"$work/bad.frag"
equals "shaders that do not link" 1 "$(run "$GP5" capture --link "$work/one.vert" "$work/bad.frag")"
check "the linker's words are shown" grep -Eqi 'main|no program' "$work/err"
status=$(run "$GP5" capture "$work/one.frag")
if [ "$status" = 77 ]; then
    check "a driver without assembly says so" grep -Eq 'holds no assembly|gives no program binary' "$work/err"
    skip "the driver's assembly" "this driver gives none"
else
    equals "the driver's assembly" 0 "$status"
    check "begins with its header" grep -q '^!!NVfp' "$work/out"
    equals "and ends with END" END "$(tail -n 1 "$work/out")"
fi
done_testing
