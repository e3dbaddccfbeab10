/* From scratch planes into registers under the lanes that write, and indexed reads. */
#include "eval/machine/warp_state.h"
#include "eval/track/origin.h"

/* The element that a lane's index names, or -1 beyond the array. */
static int64_t element(const uint32_t *index, unsigned lane, int64_t offset, uint32_t elements)
{
    int64_t e = (int64_t)(int32_t)index[lane] + offset;

    return e >= 0 && e < elements ? e : -1;
}

/* One component into an array, lane by lane. Lanes whose index is out of the array write nothing. */
static void scatter(uint32_t *base, const struct write *out, unsigned i, uint32_t lanes)
{
    const uint32_t *index = PLANE(base, out->index);

    for (; lanes; lanes &= lanes - 1) {
        unsigned lane = (unsigned)__builtin_ctz(lanes);
        int64_t e = element(index, lane, out->offset, out->elements);
        if (e < 0)
            continue;
        uint32_t to = out->to[i] + (uint32_t)e * out->stride;
        PLANE(base, to)[lane] = PLANE(base, out->from[i])[lane];
        if (out->wide)
            PLANE(base, to + 1)[lane] = PLANE(base, out->from[i] + 1)[lane];
    }
}

static void put(struct warp *w, const struct write *out, unsigned i, uint32_t lanes)
{
    const struct eval_planes *planes = w->x->planes;

    if (out->index != NO_PLANE) {
        scatter(w->base, out, i, lanes);
    } else if (lanes == w->exist) {
        planes->copy(PLANE(w->base, out->to[i]), PLANE(w->base, out->from[i]));
        if (out->wide)
            planes->copy(PLANE(w->base, out->to[i] + 1), PLANE(w->base, out->from[i] + 1));
    } else if (lanes) {
        planes->blend(PLANE(w->base, out->to[i]), PLANE(w->base, out->from[i]), lanes);
        if (out->wide)
            planes->blend(PLANE(w->base, out->to[i] + 1), PLANE(w->base, out->from[i] + 1), lanes);
    }
}

void eval_write(struct warp *w, const struct step *s)
{
    const struct write *out = &w->x->writes[s->ref];
    uint32_t lanes[4];

    for (unsigned i = 0; i < out->n; i++)
        lanes[i] = s->test.rule == CC_NONE ? w->active
                                           : w->active & eval_test_component(w, &s->test, out->comp[i]);
    if (w->shadow)
        eval_track_write(w, s, lanes);
    if (out->cc_update)     /* first: the carry looks at the operands, one of which may be the destination */
        eval_update_flags(w, out, lanes);
    if (out->registers)
        for (unsigned i = 0; i < out->n; i++)
            put(w, out, i, lanes[i]);
}

void eval_gather(struct warp *w, const struct step *s)
{
    const struct gather *g = &w->x->gathers[s->ref];
    const uint32_t *index = PLANE(w->base, g->index);

    if (w->shadow)
        eval_track_gather(w, s);
    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        int64_t e = element(index, lane, g->offset, g->elements);
        for (unsigned i = 0; g->across && i < g->n; i++)
            PLANE(w->base, g->dst[i])
            [lane] = e < 0 ? 0 : PLANE(w->base, g->src[i])[lane - lane % g->elements + (unsigned)e];
        for (unsigned i = 0; !g->across && i < g->n; i++) {
            uint32_t from = g->src[i] + (uint32_t)(e < 0 ? 0 : e) * g->stride;
            PLANE(w->base, g->dst[i])[lane] = e < 0 ? 0 : PLANE(w->base, from)[lane];
            if (g->wide)
                PLANE(w->base, g->dst[i] + 1)[lane] = e < 0 ? 0 : PLANE(w->base, from + 1)[lane];
        }
    }
}
