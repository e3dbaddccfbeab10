/* What is written under a predicate (guards.c). */
#ifndef GP5_EVAL_GUARDS_H
#define GP5_EVAL_GUARDS_H

#include "eval/decode.h"

/* Whether the instruction at hand is. */
bool eval_is_guarded(const struct decoder *d);

#endif
