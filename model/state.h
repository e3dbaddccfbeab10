/* What every pass uses. */
#ifndef GP5_MODEL_STATE_H
#define GP5_MODEL_STATE_H

#include "model/tables.h"

/* Notes it down; returns false. */
bool model_out_of_memory(struct model *m);
/* Appends an element (copied) and returns its index, or NO_INDEX. */
uint32_t model_push(struct model *m, struct vec *v, const void *element);

#endif
