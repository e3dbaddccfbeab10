#!/bin/sh
# Whole programs beside the words that a driver gave for them (tests/recordings/README.md, "Words"): of each recording
# every 11th; all with LONG=1.
# cost: 8
B=${B:-build}
step=$([ "${LONG:-0}" = 0 ] && echo 11 || echo 1)
for recording in shorts match elements turns evaluators lanes; do
    xz -dc tests/recordings/$recording.jsonl.xz | awk -v n="$step" '/^{"case"/ && k++ % n { next } { print }'
done | "$B/tests/replay_words"
