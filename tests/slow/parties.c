/* The numbers of lanes that go on apart, while a program runs (apart.c says where they do). */
#include "tests/slow/internal.h"

#include <stdlib.h>

/* A number for those of a party that leave a loop in the same of its rounds, by the same BRKs; larger than that of the party. */
bool slow_new_party(struct slow_group *g, const struct slow_party *wanted, uint64_t *number)
{
    struct slow_party *more;
    for (uint32_t i = 0; i < g->nparties; i++) {
        const struct slow_party *q = &g->parties[i];
        if (q->warp == wanted->warp && q->rep == wanted->rep && q->before == wanted->before && q->outer_turn == wanted->outer_turn &&
            q->turn == wanted->turn && q->brk == wanted->brk && q->around == wanted->around) {
            *number = i + 1;
            return true;
        }
    }
    more = realloc(g->parties, (g->nparties + 1u) * sizeof *more);
    if (!more)
        return slow_fail(g, SLOW_NO_MEMORY, "parties", NULL);
    g->parties = more;
    g->parties[g->nparties++] = *wanted;
    *number = g->nparties;
    return true;
}
