/* What stands between two instructions, told without walking from one to the other (between.c). */
#ifndef GP5_EVAL_BETWEEN_H
#define GP5_EVAL_BETWEEN_H

#include "eval/liveness.h"

/* Of each instruction, and of the end. Places before it are told by the number behind theirs, 0 where there is none. */
struct between {
    uint32_t *whole;            /* the last place before it where a loop begins that ends before it too */
    uint32_t *around;           /* where a loop begins that does not */
    uint32_t *leaves;           /* that something may leave from, or come to by a label */
    uint32_t *calls;            /* the same, and calls; labels before an IF that is known do not count */
    uint32_t *closes;           /* the first place behind it where a loop ends that begins there or before */
    struct nesting {
        uint32_t *depth;        /* blocks around it, and a number that is the same for all */
        uint32_t *ends;         /* the first place behind it where a block ends that it stands in */
    } sides, blocks;            /* of IFs, whose sides are blocks of their own; of IFs and loops */
};

/* Of the decoder's program, which is not going to be another one: made by the first who asks. NULL: no memory. */
const struct between *eval_between(struct decoder *d);

/* Whether one stands in the same IFs and loops as the other, which is before it, and nothing leaves them between the two. */
bool eval_stands_beside(struct decoder *d, uint32_t from, uint32_t to);
/* Whether a loop that runs stands between the two. */
bool eval_loops_between(struct decoder *d, uint32_t from, uint32_t to);
/* Whether all that runs the one runs the other later, by way of no call; and with `calls` also by way of such. */
bool eval_runs_on(struct decoder *d, uint32_t from, uint32_t to, bool calls);

#endif
