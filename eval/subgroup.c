/* What lanes of a warp tell each other: shuffles, votes, matches. */
#include "eval/subgroup.h"
#include "eval/machine.h"
#include "eval/origins.h"

#include <string.h>

/* As NVIDIA's driver was measured, for every clamp, segment and index: the index is five bits, the source lane is a signed sum
 * that does not wrap, the upper bound belongs to the range, and the lower one is never tested. */
int eval_shuffle_source(unsigned op, unsigned lane, uint32_t index, uint32_t mask, bool *in_range)
{
    int segment = mask >> 8 & 31, clamp = mask & 31, id = (int)lane, offset = index & 31;
    int least = id & segment, most = least | (clamp & ~segment);
    int source;

    switch (op) {
    case OP_SHFUP:
        source = id - offset;
        *in_range = source >= most;
        break;
    case OP_SHFDOWN:
        source = id + offset;
        *in_range = source <= most;
        break;
    case OP_SHFIDX:
        source = least | (offset & ~segment);
        *in_range = source <= most;
        break;
    default:    /* SHFXOR */
        source = id ^ offset;
        *in_range = source <= most;
        break;
    }
    return *in_range ? source : id;
}

/* The predicate in the encoding of a type. */
static uint32_t truth(uint8_t type, bool value)
{
    return !value ? 0 : type == DT_F32 ? 0x3f800000 : ALL_LANES;
}

void eval_shuffle(struct warp *w, const struct step *s)
{
    const struct exchange *x = &w->x->exchanges[s->ref];
    const struct lane_op *op = s->op;
    const uint32_t *value = PLANE(w->base, op->src[0][0]), *index = PLANE(w->base, op->src[1][0]),
                   *mask = PLANE(w->base, op->src[2][0]);
    uint32_t predicate[WARP_LANES], moved[WARP_LANES];

    if (w->shadow)
        eval_track_shuffle(w, s);
    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        bool in_range;
        int source = eval_shuffle_source(x->op, lane, index[lane], mask[lane], &in_range);
        predicate[lane] = truth(x->type, in_range);
        /* A lane that is not active gives 0 on hardware; the specification promises nothing. */
        moved[lane] = w->active >> source & 1 ? value[source] : 0;
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
        set = x->type == DT_F32 ? planes->nonzero_float(value, NULL, w->worker->run->flush) : planes->nonzero(value, NULL);
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

/* Whether two lanes hold the same: as floats under .F (a NaN is equal to nothing), otherwise the same bits. */
static uint32_t equal_lanes(const uint32_t *value, uint32_t word, uint32_t active, bool as_float)
{
    uint32_t lanes = 0;

    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        bool same = value[lane] == word;
        if (as_float)
            same = (same && (word & 0x7fffffff) <= 0x7f800000) || !((value[lane] | word) & 0x7fffffff);
        lanes |= (uint32_t)same << lane;
    }
    return lanes & active;
}

void eval_match(struct warp *w, const struct step *s)
{
    const struct exchange *x = &w->x->exchanges[s->ref];
    const struct lane_op *op = s->op;

    if (w->shadow)
        eval_track_vote(w, s);
    for (unsigned i = 0; i < op->n; i++) {
        const uint32_t *value = PLANE(w->base, op->src[0][i]);
        uint32_t *to = PLANE(w->base, op->dst[i]);
        for (uint32_t left = w->active; left;) {
            unsigned first = (unsigned)__builtin_ctz(left);
            uint32_t same = equal_lanes(value, value[first], w->active, x->type == DT_F32) | 1u << first;
            for (uint32_t lanes = same; lanes; lanes &= lanes - 1)
                to[__builtin_ctz(lanes)] = !x->all ? same : same == w->active ? same : 0;
            left &= ~same;
        }
    }
}
