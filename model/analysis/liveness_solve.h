/* What is wanted where, block by block (liveness_solve.c). */
#ifndef GP5_EVAL_LIVE_SOLVE_H
#define GP5_EVAL_LIVE_SOLVE_H

#include "model/analysis/liveness.h"

enum { WANTED_FEW = 64 };

/* Variables that are wanted at a place: all of them, or some. */
struct wanted {
    struct shared_bits *set;    /* all; NULL: the `few` */
    uint32_t few[WANTED_FEW];
    unsigned n;
    bool more;                  /* there was no room for all */
    uint16_t here;              /* those that an instruction writes: components of its result, from bit 4 on of the
                                 * condition code, from bit 8 on residency */
    uint8_t flags;              /* components of the condition code that somebody looks at */
};

/* What is wanted before an instruction from what is wanted behind it; what of its result is used. Of some, what hangs
 * on these, and on nothing. */
uint8_t model_live_before(const struct liveness *l, uint32_t i, struct wanted *w);
/* The variables that an instruction writes. */
void model_live_each_written(const struct liveness *l, uint32_t i,
                             void (*one)(void *user, uint32_t i, uint32_t variable), void *user);
/* What is wanted where, with these blocks. False without memory. */
bool model_solve_liveness(struct model *d, struct liveness *l);
void model_live_free_sets(struct liveness *l);

#endif
