/* Results as the machine writes them (result_mask.c). */
#ifndef GP5_MODEL_RESULT_MASK_H
#define GP5_MODEL_RESULT_MASK_H

#include "model/tables.h"

/* Sets m->p to a copy of the program where there is anything to change. `ends` of the model are made already. */
bool model_mask_results(struct model *m);
void model_masked_free(struct masked *masked);

#endif
