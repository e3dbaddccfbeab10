/* Origins that go from lane to lane. */
#include "eval/track/origin.h"
#include "eval/machine/shuffle.h"

#define SHADOW(w, plane) PLANE((w)->shadow, plane)

/* The value that a lane gets: its source's origin, or the reason that there is none. */
static uint32_t moved_origin(struct warp *w, const struct step *s, unsigned lane, int source)
{
    if (!(w->active >> source & 1))
        return eval_origin(w, s->insn, ORIGIN_INACTIVE, 1, 1u << lane, (uint32_t)source);
    return SHADOW(w, s->op->src[0][0])[source];
}

/* A whole warp that exchanges defined values. */
static bool shuffle_is_clean(const struct warp *w, const struct lane_op *op)
{
    return w->active == ALL_LANES && eval_track_is_clean_if_any(w, op->src[0][0]) &&
           eval_track_is_clean_if_any(w, op->src[1][0]) && eval_track_is_clean_if_any(w, op->src[2][0]);
}

/* A result component that the instruction leaves open: one origin for all lanes. */
static void leave_open(struct warp *w, const struct step *s, unsigned component, uint32_t plane)
{
    w->x->planes->fill(SHADOW(w, plane), eval_origin(w, s->insn, ORIGIN_COMPONENT, component, w->active, 0));
    eval_set_dirty(w, plane, true);
}

/* Predicate (component 0) or value (1) of a shuffle. */
static void shuffle_result(struct warp *w, const struct step *s, unsigned component, uint32_t plane)
{
    const struct lane_op *op = s->op;
    const uint32_t *index = PLANE(w->base, op->src[1][0]), *mask = PLANE(w->base, op->src[2][0]);

    if (w->active == w->exist)
        w->dirty[plane] = 0;
    for (uint32_t lanes = w->active; lanes; lanes &= lanes - 1) {
        unsigned lane = (unsigned)__builtin_ctz(lanes);
        uint32_t id = SHADOW(w, op->src[1][0])[lane];
        bool in_range;
        int source = eval_shuffle_source(w->x->exchanges[s->ref].op, lane, index[lane], mask[lane], &in_range);
        if (!id)
            id = SHADOW(w, op->src[2][0])[lane];
        if (!id && component == 1)
            id = moved_origin(w, s, lane, source);
        eval_put_lane(w, plane, lane, id);
    }
}

void eval_track_shuffle(struct warp *w, const struct step *s)
{
    const struct lane_op *op = s->op;
    bool all_clean = shuffle_is_clean(w, op);

    for (unsigned k = 0; k < 3 && !all_clean; k++)
        if (w->dirty[op->src[k][0]])
            eval_resolve_marks(w, s->insn, SHADOW(w, op->src[k][0]), w->active);
    for (unsigned i = 0; i < op->n; i++) {
        if (op->comp[i] > 1)
            leave_open(w, s, op->comp[i], op->dst[i]);
        else if (all_clean)
            eval_track_result(w, op->dst[i], NULL, w->active);
        else
            shuffle_result(w, s, op->comp[i], op->dst[i]);
    }
}

/* One component of a vote is undefined for everybody when one voter's is. */
static void vote_on(struct warp *w, const struct step *s, unsigned i)
{
    const struct lane_op *op = s->op;
    uint32_t *from = SHADOW(w, op->src[0][i]), id = 0;

    eval_resolve_marks(w, s->insn, from, w->active);
    for (uint32_t lanes = w->active; lanes && !id; lanes &= lanes - 1)
        id = from[__builtin_ctz(lanes)];
    w->x->planes->fill(SHADOW(w, op->dst[i]), id);
    eval_set_dirty(w, op->dst[i], id);
}

void eval_track_vote(struct warp *w, const struct step *s)
{
    for (unsigned i = 0; i < s->op->n; i++)
        vote_on(w, s, i);
}

void eval_track_match(struct warp *w, const struct step *s)
{
    bool has_two = w->x->options.semantics == GP5_SEMANTICS_NVIDIA;

    for (unsigned i = 0; i < s->op->n; i++)
        if (has_two && s->op->comp[i] > 1)
            leave_open(w, s, s->op->comp[i], s->op->dst[i]);
        else
            vote_on(w, s, i);
}

void eval_track_quad(struct warp *w, const struct step *s)
{
    const struct exchange *x = &w->x->exchanges[s->ref];
    const struct lane_op *op = s->op;

    for (unsigned i = 0; i < op->n; i++) {
        uint32_t *from = SHADOW(w, op->src[0][i]);
        eval_resolve_marks(w, s->insn, from, w->active);
        for (unsigned lane = 0; lane < WARP_LANES; lane++) {
            bool whole = (w->active >> (lane & ~3u) & 15) == 15;
            eval_put_lane(w, op->dst[i], lane, whole ? from[x->all ? lane : eval_quad_source(x->op, lane)] : 0);
        }
    }
}
