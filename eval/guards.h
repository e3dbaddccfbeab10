/* What is written under a predicate (guards.c). */
#ifndef GP5_EVAL_GUARDS_H
#define GP5_EVAL_GUARDS_H

#include "eval/decode.h"

bool eval_is_guarded(const struct decoder *d, const uint8_t *labels, uint32_t at);

#endif
