/* What must hold of any bytes: the same laws for the fuzzer (tests/fuzz/target.c), for the inputs that it once found
 * (tests/tools/replay.c) and for whoever has a strange file. */
#ifndef GP5_TESTS_FUZZ_INPUT_H
#define GP5_TESTS_FUZZ_INPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Parses the bytes, judges them for every target, walks their diagnostics, looks for programs in them, and counts,
 * formats, lowers and (one in four, chosen by their sum) runs what is valid. NULL, or the law that did not hold. What a
 * sanitizer sees ends the process. */
const char *fuzz_input(const uint8_t *bytes, size_t size);

#endif
