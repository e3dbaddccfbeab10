#!/bin/sh
# timeout: 1200
# Whole programs beside the words that a driver gave for them (tests/recordings/README.md, "Words").
for recording in order choices truths halves shorts match elements turns evaluators lanes; do
    xz -dc tests/recordings/$recording.jsonl.xz
done | "$B/tests/replay_words"
