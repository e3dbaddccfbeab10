/* Elements of arrays that are variables of their own, and components that results leave as they are (sroa.c). */
#ifndef GP5_EVAL_ELEMENTS_H
#define GP5_EVAL_ELEMENTS_H

#include "model/tables.h"

/* Sets decoder->p to the elements' program when there are any, or such components. `ends` of the decoder are made
 * already. */
bool eval_split_arrays(struct model *d);
void eval_elements_free(struct elements *e);

#endif
