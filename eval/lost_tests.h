/* Tests that 64-bit divisions lose (lost_tests.c). */
#ifndef GP5_EVAL_LOST_TESTS_H
#define GP5_EVAL_LOST_TESTS_H

#include "eval/decode.h"

/* Whether an instruction's result is written or not by what the division leaves, whatever the flags are that it is tested by. */
bool eval_loses_test(const struct decoder *d, const struct insn *insn);
/* Decodes where such a test passes, in the place of what eval_keep_outcome() keeps. */
bool eval_keep_lost_outcome(struct decoder *d, const struct insn *insn);

#endif
