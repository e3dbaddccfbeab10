/* What lanes of a warp tell each other: shuffles, votes, matches. */
#include "eval/machine/shuffle.h"
#include "eval/machine/warp_state.h"
#include "eval/track/origin.h"

#include <string.h>

/* The predicate in the encoding of a type. */
static uint32_t truth(uint8_t type, bool value)
{
    return !value ? 0 : type == DT_F32 ? 0x3f800000 : ALL_LANES;
}

/* For all lanes; `in_range` gets all ones or 0. */
static inline __attribute__((always_inline)) void find_sources(const unsigned op, const uint32_t *index,
                                                               const uint32_t *mask, int32_t *source,
                                                               uint32_t *in_range)
{
    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        bool found;
        source[lane] = eval_shuffle_source(op, lane, index[lane], mask[lane], &found);
        in_range[lane] = found ? ALL_LANES : 0;
    }
}

void eval_shuffle(struct warp *w, const struct step *s)
{
    const struct exchange *x = &w->x->exchanges[s->ref];
    const struct lane_op *op = s->op;
    const uint32_t *value = PLANE(w->base, op->src[0][0]), *index = PLANE(w->base, op->src[1][0]),
                   *mask = PLANE(w->base, op->src[2][0]);
    uint32_t predicate[WARP_LANES], moved[WARP_LANES], yes = truth(x->type, true);
    int32_t source[WARP_LANES];

    if (w->shadow)
        eval_track_shuffle(w, s);
    switch (x->op) {
    case OP_SHFUP: find_sources(OP_SHFUP, index, mask, source, predicate); break;
    case OP_SHFDOWN: find_sources(OP_SHFDOWN, index, mask, source, predicate); break;
    case OP_SHFIDX: find_sources(OP_SHFIDX, index, mask, source, predicate); break;
    default: find_sources(OP_SHFXOR, index, mask, source, predicate); break;
    }
    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        predicate[lane] &= yes;
        /* A lane that is not active gives 0 on hardware; the specification promises nothing. */
        moved[lane] = w->active >> source[lane] & 1 ? value[source[lane]] : 0;
    }
    for (unsigned i = 0; i < op->n; i++) {
        uint32_t *to = PLANE(w->base, op->dst[i]);
        if (op->comp[i] == 0)
            memcpy(to, predicate, sizeof predicate);
        else if (op->comp[i] == 1)
            memcpy(to, moved, sizeof moved);
        else
            w->x->planes->fill(to, 0);
    }
}

void eval_vote(struct warp *w, const struct step *s)
{
    const struct exchange *x = &w->x->exchanges[s->ref];
    const struct lane_op *op = s->op;
    const struct eval_planes *planes = w->x->planes;

    if (w->shadow)
        eval_track_vote(w, s);
    for (unsigned i = 0; i < op->n; i++) {
        const uint32_t *value = PLANE(w->base, op->src[0][i]);
        uint32_t set, word;
        set = x->type == DT_F32 ? planes->nonzero_float(value, NULL, w->worker->run->flush)
                                : planes->nonzero(value, NULL);
        if (x->type == DT_F32 && !w->worker->run->flush) /* the text compares with zero, which a NaN is not equal to */
            set |= planes->nan(value, NULL);
        set &= w->active;
        switch (x->op) {
        case OP_TGBALLOT: word = set; break;
        case OP_TGALL: word = truth(x->type, set == w->active); break;
        case OP_TGANY: word = truth(x->type, set != 0); break;
        default: word = truth(x->type, set == 0 || set == w->active); break;    /* TGEQ */
        }
        planes->fill(PLANE(w->base, op->dst[i]), word);
    }
}

/* The lanes that hold the same bits as one of them; floats too (docs/semantics.md). */
static uint32_t equal_lanes(const uint32_t *value, unsigned one, uint32_t active)
{
    uint32_t lanes = 0;

    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        lanes |= (uint32_t)(value[lane] == value[one]) << lane;
    return lanes & active;
}

/* ALL: x says whether they are all that are here, y which those are (docs/semantics.md). */
static uint32_t matched(uint32_t same, uint32_t active, unsigned component)
{
    return same != active ? 0 : component == 1 ? same : UINT32_MAX;
}

void eval_match(struct warp *w, const struct step *s)
{
    const struct exchange *x = &w->x->exchanges[s->ref];
    const struct lane_op *op = s->op;

    if (w->shadow)
        eval_track_match(w, s);
    for (unsigned i = 0; i < op->n; i++) {
        const uint32_t *value = PLANE(w->base, op->src[0][i]),
                       *high = x->wide ? PLANE(w->base, op->src[0][i] + 1) : value;
        uint32_t *to = PLANE(w->base, op->dst[i]);
        for (uint32_t left = w->active; left;) {
            unsigned first = (unsigned)__builtin_ctz(left);
            uint32_t same = equal_lanes(value, first, w->active) & equal_lanes(high, first, w->active);
            for (uint32_t lanes = same; lanes; lanes &= lanes - 1)
                to[__builtin_ctz(lanes)] = x->all ? matched(same, w->active, op->comp[i]) : same;
            left &= ~same;
        }
    }
}

void eval_quad(struct warp *w, const struct step *s)
{
    const struct exchange *x = &w->x->exchanges[s->ref];
    const struct lane_op *op = s->op;

    if (w->shadow)
        eval_track_quad(w, s);
    for (unsigned i = 0; i < op->n; i++) {
        const uint32_t *value = PLANE(w->base, op->src[0][i]);
        uint32_t *to = PLANE(w->base, op->dst[i]);
        for (unsigned lane = 0; lane < WARP_LANES; lane++) {
            bool whole = (w->active >> (lane & ~3u) & 15) == 15;
            to[lane] = whole ? value[x->all ? lane : eval_quad_source(x->op, lane)] : 0;
        }
    }
}
