/* Workers (worker.c). */
#ifndef GP5_EVAL_WORKER_H
#define GP5_EVAL_WORKER_H

#include "eval/machine/stage.h"

bool eval_worker_init(struct worker *worker, struct run *run, uint32_t warps);
void eval_worker_free(struct worker *worker);
/* Takes groups until none is left or one fails. */
void eval_worker_run(struct worker *worker, const struct stage *stage);

#endif
