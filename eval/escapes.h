/* Comparisons of floats that leave a subroutine as a predicate (escapes.c). */
#ifndef GP5_EVAL_ESCAPES_H
#define GP5_EVAL_ESCAPES_H

#include "eval/decode.h"

/* Fills the decoder's `escaped`. */
bool eval_find_escapes(struct decoder *d);
/* A comparison all of whose components escape. */
bool eval_decode_escaped(struct decoder *d, const struct insn *insn);

#endif
