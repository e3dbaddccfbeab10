/* Where blocks go on, for what follows values forwards (forward.c). */
#ifndef GP5_EVAL_FORWARD_H
#define GP5_EVAL_FORWARD_H

#include "eval/liveness.h"

enum { MAX_EDGES = 8 };

struct edge {
    uint32_t to;                /* block */
    uint32_t call;              /* the CAL or CALI that it goes over, or NO_INDEX */
    uint32_t left, left_end;    /* instructions of a loop that it leaves: equal where it leaves none, or one that was unrolled */
};

/* Not into subroutines, nor back from them. */
unsigned eval_edges(const struct liveness *l, uint32_t block, struct edge edges[MAX_EDGES]);
/* Whether a label stands before an instruction, behind which it is run by a call alone. */
bool eval_is_entered(const struct liveness *l, uint32_t insn);
/* Whether what a call calls, and what that calls, may write a variable. */
bool eval_called_component(const struct liveness *l, uint32_t call, uint32_t var);
/* All that it may write: bits of variables, four together; NULL: it writes none. */
const struct shared_bits *eval_written_by_call(const struct liveness *l, uint32_t call);
/* The same of what the part that begins with a label reads and writes; NULL: nothing is called. */
const struct shared_bits *eval_touched_by_part(const struct liveness *l, uint32_t label);

#endif
