#!/bin/bash
# The GL worker through GLFW, with a display of its own: the same tests as tests/unit/compare/test_gl.c runs without
# a window system.
. tests/cli/tap.inc
B=${B:-build}
if ! command -v xvfb-run >/dev/null; then
    skip "a hidden window" "no xvfb-run"
    done_testing
fi
xvfb-run -a "$B/tests/test_gl" glfw >"$work/log" 2>&1
status=$?
if grep -q '^# no context: .*libglfw' "$work/log"; then
    skip "a hidden window" "no GLFW"
    done_testing
fi
check "a hidden window opens" grep -q '^# glfw: ' "$work/log"
equals "everything comes out as it does without a window" 0 "$status"
[ $status = 0 ] || note "$(cat "$work/log")"
done_testing
