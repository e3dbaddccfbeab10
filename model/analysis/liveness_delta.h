/* What becomes wanted in a block when more is wanted behind it (liveness_delta.c). */
#ifndef GP5_EVAL_LIVE_MORE_H
#define GP5_EVAL_LIVE_MORE_H

#include "model/analysis/var_list.h"

struct live_more {
    struct liveness *l;
    struct variable_list writes;        /* once somebody asks */
    uint16_t *here;             /* of each instruction: what of it is wanted behind it (struct wanted) */
    struct vec open, added;     /* struct live_place; uint32_t: variables */
};

struct live_place {
    uint32_t variable, before;
};

bool model_live_more_begin(struct live_more *m, struct liveness *l);
void model_live_more_end(struct live_more *m);
/* Goes on in a block where `now` is wanted behind it, and was `before`: adds to what is wanted where it begins. False
 * where it is better gone through from its end, or without memory (`l->failed`). */
bool model_live_more(struct live_more *m, uint32_t block, const struct shared_bits *before,
                     const struct shared_bits *now, struct shared_bits *begin);

#endif
