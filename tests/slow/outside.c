/* What subroutines read that earlier parts have said: docs/numbers.md, "Comparisons in subroutines". */
#include "tests/slow/leaving.h"

enum { MOST_TRIES = 1024 };

static bool is_call(const struct leaving *x, const struct slow_truth_read *r)
{
    return r->operand == 4 && slow_leaving_at(x, r->place)->op == OP_CAL;
}

void slow_find_outside(struct leaving *x, bool main)
{
    unsigned tries = 0;
    for (uint32_t i = 0; i < x->nreads; i++) {
        struct slow_truth_read *r = &x->reads[i];
        if (r->from != FROM_ELSEWHERE || slow_leaving_main(x, r->place))
            continue;
        for (uint32_t w = 0; w < x->plan->count && r->outside == NO_INDEX; w++) {
            const struct result *to = &slow_leaving_at(x, w)->dst;
            bool before = slow_leaving_main(x, w) ? main : w < r->place;
            if (!before || x->part[w] == x->part[r->place] || !(x->truth[w] >> r->component & 1) || to->kind != OPND_SYMBOL || to->ref != r->symbol || tries++ == MOST_TRIES)
                continue;
            x->place = w;
            x->symbol = r->symbol;
            x->c = r->component;
            if (slow_comes_alone(x, r->place))
                r->outside = 4 * w + r->component;
        }
    }
}

bool slow_is_known_call(const struct leaving *x, const struct slow_truth_read *r)
{
    if (!is_call(x, r))
        return false;
    for (uint32_t i = 0; i < x->nreads; i++) {
        const struct slow_truth_read *o = &x->reads[i];
        bool heard = slow_leaving_main(x, r->place) || o->place > r->place;
        if (o->variable == r->variable && heard && !slow_leaving_main(x, o->place) && x->part[o->place] != x->part[r->place] && o->from & FROM_ELSEWHERE && o->outside == NO_INDEX && !is_call(x, o))
            return false;
    }
    return true;
}
