/* The program with its loops unrolled as the driver does it (unroll.c). */
#ifndef GP5_EVAL_UNROLL_H
#define GP5_EVAL_UNROLL_H

#include "eval/decode.h"
#include "eval/sources.h"

/* Sets decoder->p to `to->program` when there is something to unroll. */
bool eval_unroll(struct decoder *d, struct unrolled *to);
void eval_unroll_free(struct unrolled *to);

#endif
