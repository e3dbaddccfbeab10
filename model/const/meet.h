/* What is known where several ways come together (meet.c): behind loops and IFs. */
#ifndef GP5_EVAL_MEETINGS_H
#define GP5_EVAL_MEETINGS_H

#include "model/const/lattice.h"

struct meet_point {
    bool any;                   /* some way comes here; else nothing is said */
    struct known known;
};

/* One more way, with what is known on it. False without memory; `changed` is set where less is known now, or the way is
 * the first. */
bool model_meet(struct meet_point *m, const struct known *way, bool *changed);
void meet_point_free(struct meet_point *m);
/* What is known becomes what the other knows: of the same program. */
void model_known_set(struct known *k, const struct known *to);

#endif
