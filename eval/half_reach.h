/* What wrote the components that an instruction reads, as far as the driver's compiler sees copies of halves over flow (half_reach.c). */
#ifndef GP5_EVAL_HALF_REACH_H
#define GP5_EVAL_HALF_REACH_H

#include "eval/liveness.h"

/* Of each instruction's operands, by component after the swizzle: the instruction that wrote it, or NO_INDEX. */
struct half_reach {
    uint32_t (*of)[3][4];
    struct vec alone;           /* instructions where ways meet, and variables that only one of them ever wrote */
    uint8_t *meets;             /* of each instruction: components that meet other writes behind it */
    uint8_t (*cut)[3];          /* of each operand: components, before the swizzle, that are a half since another block copied them */
};

/* Of copies; of products that sums take in: what stands before a loop is not seen in it, and subroutines see all of it; of halves that were loaded, which
 * are seen everywhere; of results that some readers see otherwise (views.h). */
enum reach_kind { REACH_COPIES, REACH_PRODUCTS, REACH_LOADS, REACH_VIEWS };

/* False without memory. */
bool eval_find_half_reach(struct decoder *d, const struct liveness *l, enum reach_kind kind, struct half_reach *r);
void eval_half_reach_free(struct half_reach *reach);

#endif
