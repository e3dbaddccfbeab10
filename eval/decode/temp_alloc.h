/* Planes that instructions keep for later ones: operands of products and pairs. They are used again when the last of
 * those that look at them has been decoded, so that a long program needs no more of them than stand open at a time. */
#ifndef GP5_EVAL_KEEPING_H
#define GP5_EVAL_KEEPING_H

#include "eval/decode/decode.h"

/* When contraction and pairs are found. False without memory. */
bool eval_find_keepers(struct decoder *d, const uint8_t *labels);
void eval_keeping_free(struct keeping *k);
/* A plane, or two in a row, for what the instruction at hand keeps. */
uint32_t eval_kept_planes(struct decoder *d, unsigned n);
/* Behind the instruction at hand. */
bool eval_give_back_planes(struct decoder *d);

#endif
