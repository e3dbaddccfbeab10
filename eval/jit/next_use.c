/* Where steps use planes, found once for a program: how soon one is wanted again is asked whenever a register is given
 * up. */
#include "eval/jit/jit_internal.h"

#include <string.h>

/* In a use, below the number of its step. */
enum { ONLY_WRITTEN = 1 };

struct collecting {
    struct native_uses *to;
    uint32_t step;
    bool counts;                /* how many there are, before there is room for them */
};

/* All of one step are one use. Each is counted at the next plane, so that a plane's uses begin where those before it
 * end. */
static void note(struct collecting *c, uint32_t plane, bool written)
{
    struct native_uses *to = c->to;
    uint32_t use = c->step << 1 | (written ? ONLY_WRITTEN : 0), n = to->filled[plane];

    if (n && to->last[plane] == c->step) {
        if (!c->counts && !written)
            to->use[to->first[plane] + n - 1] &= ~(uint32_t)ONLY_WRITTEN;
        return;
    }
    if (!c->counts)
        to->use[to->first[plane] + n] = use;
    to->filled[plane]++;
    to->last[plane] = c->step;
}

static bool collect(void *user, uint32_t plane, bool wide, bool written)
{
    note(user, plane, written);
    if (wide)
        note(user, plane + 1, written);
    return false;
}

static void collect_all(const struct gp5_executable *x, struct native_uses *to, bool counts)
{
    struct collecting c = {.to = to, .counts = counts};

    memset(to->filled, 0, (x->nplanes + 1u) * sizeof *to->filled);
    for (c.step = 0; c.step < x->nsteps; c.step++)
        eval_native_planes(x, &x->steps[c.step], collect, &c);
}

bool eval_native_find_uses(const struct gp5_executable *x, struct native_uses *to)
{
    uint32_t n = 0;

    to->first = gp5_malloc((x->nplanes + 1u) * sizeof *to->first);
    to->filled = gp5_malloc((x->nplanes + 1u) * sizeof *to->filled);
    to->last = gp5_malloc((x->nplanes + 1u) * sizeof *to->last);
    if (!to->first || !to->filled || !to->last)
        return false;
    collect_all(x, to, true);
    for (uint32_t plane = 0; plane <= x->nplanes; plane++) {
        to->first[plane] = n;
        n += to->filled[plane];
    }
    to->use = gp5_malloc((n + 1u) * sizeof *to->use);
    if (!to->use)
        return false;
    collect_all(x, to, false);
    return true;
}

void eval_native_free_uses(struct native_uses *u)
{
    gp5_free(u->first);
    gp5_free(u->filled);
    gp5_free(u->last);
    gp5_free(u->use);
}

uint32_t eval_native_next_use(const struct native_uses *u, uint32_t plane, uint32_t after, bool *only_written)
{
    uint32_t low = u->first[plane], end = low + u->filled[plane], high = end;

    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (u->use[middle] >> 1 <= after)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == end)
        return NO_STEP;
    *only_written = u->use[low] & ONLY_WRITTEN;
    return u->use[low] >> 1;
}
