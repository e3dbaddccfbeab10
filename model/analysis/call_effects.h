/* What subroutines write and read, for whom calls are one instruction (call_effects.c). */
#ifndef GP5_EVAL_CALLED_WRITES_H
#define GP5_EVAL_CALLED_WRITES_H

#include "model/analysis/liveness.h"

/* What a call calls, and what that calls, may write: bits of variables, four together; NULL: it writes none. */
const struct shared_bits *eval_written_by_call(const struct liveness *l, uint32_t call);
/* The same of what the part that begins with a label reads and writes; NULL: nothing is called. */
const struct shared_bits *eval_touched_by_part(const struct liveness *l, uint32_t label);

#endif
