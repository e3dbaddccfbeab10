/* The program with its loops unrolled as the driver does it (specialize.c). */
#ifndef GP5_EVAL_UNROLL_H
#define GP5_EVAL_UNROLL_H

#include "model/tables.h"

/* Sets decoder->p to `to->program` when there is something to unroll. */
bool model_unroll(struct model *d, struct unrolled *to);
/* Gives its instructions their partners and its labels their places; `map` has the first copy of each instruction of
 * `from`. False without memory (relink.c). */
bool model_link_unrolled(const struct gp5_program *from, struct unrolled *to, const uint32_t *map);
void model_unroll_free(struct unrolled *to);

#endif
