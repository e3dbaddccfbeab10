/* Where steps use planes, found once for a program: how soon one is wanted again is asked whenever a register is given
 * up. */
#include "eval/jit/jit_internal.h"

#include <string.h>

/* In a use, below the number of its step. */
enum { WRITTEN = 1, READ = 2 };

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
    uint32_t how = written ? WRITTEN : READ, n = to->filled[plane];

    if (n && to->last[plane] == c->step) {
        if (!c->counts)
            to->use[to->first[plane] + n - 1] |= how;
        return;
    }
    if (!c->counts)
        to->use[to->first[plane] + n] = c->step << 2 | how;
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

static void collect_all(const struct native_builder *b, struct native_uses *to, bool counts)
{
    const struct gp5_executable *x = b->x;
    struct collecting c = {.to = to, .counts = counts};

    memset(to->filled, 0, (x->nplanes + NATIVE_SPARES + 1u) * sizeof *to->filled);
    for (c.step = 0; c.step < x->nsteps; c.step++)
        eval_native_planes(b, &x->steps[c.step], collect, &c);
}

bool eval_native_find_uses(struct native_builder *b)
{
    const struct gp5_executable *x = b->x;
    struct native_uses *to = &b->uses;
    uint32_t n = 0;

    to->first = arena_alloc(&b->arena, (x->nplanes + NATIVE_SPARES + 1u) * sizeof *to->first);
    to->filled = arena_alloc(&b->arena, (x->nplanes + NATIVE_SPARES + 1u) * sizeof *to->filled);
    to->last = arena_alloc(&b->arena, (x->nplanes + NATIVE_SPARES + 1u) * sizeof *to->last);
    if (b->arena.failed)
        return false;
    collect_all(b, to, true);
    for (uint32_t plane = 0; plane <= x->nplanes + NATIVE_SPARES; plane++) {
        to->first[plane] = n;
        n += to->filled[plane];
    }
    to->use = arena_alloc(&b->arena, n * sizeof *to->use);
    if (!to->use)
        return false;
    collect_all(b, to, false);
    memcpy(to->last, to->first, (x->nplanes + NATIVE_SPARES + 1u) * sizeof *to->last);
    return true;
}

/* Where the uses of a plane behind step `after` begin. */
static uint32_t uses_behind(const struct native_uses *u, uint32_t plane, uint32_t after)
{
    uint32_t low = u->first[plane], high = low + u->filled[plane], at = u->last[plane];

    if (at > low && u->use[at - 1] >> 2 > after) {
        high = at;
    } else {            /* mostly it is the same one as before, or the next */
        low = at;
        while (low < high && low < at + 4 && u->use[low] >> 2 <= after)
            low++;
        if (low < at + 4)
            high = low;
    }
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (u->use[middle] >> 2 <= after)
            low = middle + 1;
        else
            high = middle;
    }
    u->last[plane] = low;
    return low;
}

uint32_t eval_native_next_use(const struct native_uses *u, uint32_t plane, uint32_t after, bool *only_written)
{
    uint32_t i = uses_behind(u, plane, after), end = u->first[plane] + u->filled[plane];

    while (i < end && !(u->use[i] & (READ | WRITTEN)))
        i++;
    if (i == end)
        return NO_STEP;
    *only_written = !(u->use[i] & READ);
    return u->use[i] >> 2;
}

uint32_t eval_native_last_write(const struct native_uses *u, uint32_t plane, uint32_t before)
{
    uint32_t i = before ? uses_behind(u, plane, before - 1) : u->first[plane];

    while (i > u->first[plane])
        if (u->use[--i] & WRITTEN)
            return u->use[i] >> 2;
    return NO_STEP;
}

void eval_native_drop_read(struct native_uses *u, uint32_t plane, uint32_t step)
{
    uint32_t i = uses_behind(u, plane, step);

    if (i > u->first[plane] && u->use[i - 1] >> 2 == step)
        u->use[i - 1] &= ~(uint32_t)READ;
}

/* ---- planes of one section ------------------------------------------------------------------------------------ */

static void read_elsewhere(struct native_builder *b, const uint32_t *planes, unsigned n)
{
    for (unsigned i = 0; i < n; i++)
        if (planes[i] != NO_PLANE)
            b->elsewhere[planes[i]] = b->elsewhere[planes[i] + 1] = true;
}

void eval_native_find_elsewhere(struct native_builder *b)
{
    const struct gp5_executable *x = b->x;

    b->all_elsewhere = x->answers;
    for (uint32_t i = 0; i < x->nsteps; i++) {
        const struct step *s = &x->steps[i];
        const struct access *a = s->kind == STEP_LOAD || s->kind == STEP_STORE || s->kind == STEP_ATOMIC
                                     ? &x->accesses[s->ref] : NULL;
        if (a) {
            read_elsewhere(b, a->data, 4);
            read_elsewhere(b, a->operand, 4);
            read_elsewhere(b, a->coord, 4);
            read_elsewhere(b, (const uint32_t[]){a->slot_index, a->address, a->handle}, 3);
        } else if (s->kind == STEP_REP) {
            read_elsewhere(b, &x->repeats[s->ref].count, 1);
        } else if (s->quick != STEP_NOTHING && s->kind != STEP_BARRIER) {
            b->all_elsewhere |= s->kind == STEP_WRITE ? !eval_native_writes(x, s)
                                : step_is_flow(s)     ? s->kind == STEP_CALI
                                                      : !eval_native_shape_of(b, s)->way;
        }
    }
}

bool eval_native_is_local(const struct native_builder *b, uint32_t plane)
{
    const uint32_t *use = b->uses.use + b->uses.first[plane];
    bool found = false;

    if (!b->section_end || b->all_elsewhere || b->elsewhere[plane] || b->kept[plane] || b->constant[plane])
        return false;
    for (uint32_t i = 0; i < b->uses.filled[plane]; i++) {
        bool inside = use[i] >> 2 >= b->section && use[i] >> 2 < b->section_end;
        if (use[i] & READ && !(inside && found))
            return false;
        found |= inside;
    }
    return found;
}
