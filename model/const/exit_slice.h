/* What of a loop's body bears on whether the loop ends (exit_slice.c). */
#ifndef GP5_EVAL_BEARING_H
#define GP5_EVAL_BEARING_H

#include "model/const/lattice.h"

/* Of each place from a REP to its end: the first one from there on whose instruction bears on a test or sets flags, or
 * the end. The rest of the body may be left out by who looks for passes that end. The caller frees it; NULL without
 * memory. */
uint32_t *exit_slice_find(const struct known *k, uint32_t rep);

#endif
