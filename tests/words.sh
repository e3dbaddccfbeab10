#!/bin/sh
# Whole programs beside the words that a driver gave for them (docs/recordings.md, "Words").
xz -dc tests/recordings/order.jsonl.xz | "$B/tests/replay_words"
