/* The subgroup operations of OPTION GP5_subgroup: planes to the reference's arrays, and back. */
#include "eval/machine/group_uniform.h"
#include "eval/numeric/half_memory.h"
#include "eval/machine/warp_state.h"
#include "eval/track/origin.h"
#include "eval/machine/shuffle.h"

#include <string.h>

/* The arrays of one component; as many bytes as the widest type takes. */
struct arrays {
    uint64_t value[WARP_LANES], index[WARP_LANES], width[WARP_LANES];
    struct gp5_ballot ballot[WARP_LANES];
    struct gp5_ballot result[WARP_LANES];       /* the largest answer */
    uint8_t reason[WARP_LANES], peer[WARP_LANES], valid[WARP_LANES];
};

static struct gp5_subgroup subgroup_of(const struct warp *w)
{
    return (struct gp5_subgroup){.size = WARP_LANES,
                                 .lanes = eval_count_lanes(w->exist),
                                 .active = {{w->active, 0, 0, 0}},
                                 .id = w->index,
                                 .count = w->worker->nwarps};
}

/* ---- in ------------------------------------------------------------------------------------------------ */

/* Denormals of F32 count as zeros of their sign where the driver flushes them. */
static uint32_t flushed(uint32_t word)
{
    return word & 0x7f800000 ? word : word & 0x80000000;
}

static bool flushes(const struct warp *w, const struct group_call *g)
{
    const struct gp5_subgroup_info *info = gp5_subgroup_info((enum gp5_subgroup_op)g->op);

    return g->type == GP5_SUBGROUP_F32 && w->worker->run->flush &&
           (info->arithmetic || g->op == GP5_SUBGROUP_DO_ALL_EQUAL || g->op == GP5_SUBGROUP_DO_PARTITION);
}

static void put_values(const struct warp *w, const struct group_call *g, uint32_t plane, void *to)
{
    const uint32_t *low = PLANE(w->base, plane), *high = PLANE(w->base, plane + 1);
    uint64_t *wide = to;
    uint32_t *word = to;
    uint16_t *half = to;
    uint8_t *truth = to;    /* and bytes */

    switch (g->type) {
    case GP5_SUBGROUP_BOOL: {
        bool as_float = g->register_type == DT_F32;
        uint32_t set = as_float ? w->x->planes->nonzero_float(low, NULL, w->worker->run->flush)
                                : w->x->planes->nonzero(low, type_table[g->register_type].bytes == 8 ? high : NULL);
        if (as_float && !w->worker->run->flush)     /* the text compares with zero, which a NaN is not equal to */
            set |= w->x->planes->nan(low, NULL);
        for (unsigned lane = 0; lane < WARP_LANES; lane++)
            truth[lane] = set >> lane & 1;
        break;
    }
    case GP5_SUBGROUP_F16:
        for (unsigned lane = 0; lane < WARP_LANES; lane++)
            half[lane] = eval_float_to_half(low[lane]);
        break;
    case GP5_SUBGROUP_I8: case GP5_SUBGROUP_U8:
        for (unsigned lane = 0; lane < WARP_LANES; lane++)
            truth[lane] = (uint8_t)low[lane];
        break;
    case GP5_SUBGROUP_I16: case GP5_SUBGROUP_U16:
        for (unsigned lane = 0; lane < WARP_LANES; lane++)
            half[lane] = (uint16_t)low[lane];
        break;
    case GP5_SUBGROUP_I64: case GP5_SUBGROUP_U64: case GP5_SUBGROUP_F64:
        for (unsigned lane = 0; lane < WARP_LANES; lane++)
            wide[lane] = (uint64_t)high[lane] << 32 | low[lane];
        break;
    default: {
        bool flush = flushes(w, g);
        for (unsigned lane = 0; lane < WARP_LANES; lane++)
            word[lane] = flush ? flushed(low[lane]) : low[lane];
    }
    }
}

static void widen(const struct warp *w, uint32_t plane, uint64_t *to)
{
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        to[lane] = PLANE(w->base, plane)[lane];
}

static void put_operands(const struct warp *w, const struct group_call *g, struct arrays *a,
                         struct gp5_subgroup_operands *in)
{
    /* The order in which NVIDIA's compiler adds, and gp5 lower; any is allowed. */
    *in = (struct gp5_subgroup_operands){.type = (enum gp5_subgroup_type)g->type,
                                         .components = 1,
                                         .value = a->value,
                                         .index = a->index,
                                         .ballot = a->ballot,
                                         .width = a->width,
                                         .cluster = g->cluster,
                                         .order = GP5_SUBGROUP_DOUBLING};
    if (g->index != NO_PLANE)
        widen(w, g->index, a->index);
    for (unsigned lane = 0; lane < WARP_LANES && g->wide_index; lane++)
        a->index[lane] |= (uint64_t)PLANE(w->base, g->index + 1)[lane] << 32;
    if (g->width != NO_PLANE)
        widen(w, g->width, a->width);
    for (unsigned lane = 0; lane < WARP_LANES && g->ballot != NO_PLANE; lane++)
        a->ballot[lane] = (struct gp5_ballot){{PLANE(w->base, g->ballot)[lane], 0, 0, 0}};
}

/* ---- out ----------------------------------------------------------------------------------------------- */

static uint32_t truth_word(const struct group_call *g, bool value)
{
    return !value ? 0 : g->truth == DT_F32 ? 0x3f800000 : ALL_LANES;
}

/* What the driver makes of a float result: no denormals, and its one NaN. */
static uint32_t float_result(uint32_t word, bool flush)
{
    if (!flush)
        return word;
    return (word & 0x7fffffff) > 0x7f800000 ? 0x7fffffff : flushed(word);
}

static void take_value(const struct warp *w, const struct group_call *g, const void *from, uint32_t plane)
{
    uint32_t *low = PLANE(w->base, plane), *high = PLANE(w->base, plane + 1);
    const uint64_t *wide = from;
    const uint32_t *word = from;
    const uint16_t *half = from;
    const uint8_t *byte = from;

    for (uint32_t lanes = w->active; lanes; lanes &= lanes - 1) {
        unsigned lane = (unsigned)__builtin_ctz(lanes);
        switch (g->type) {
        case GP5_SUBGROUP_F16:
            low[lane] = eval_half_to_float(half[lane]);
            break;
        case GP5_SUBGROUP_I8:
            low[lane] = (uint32_t)(int32_t)(int8_t)byte[lane];
            break;
        case GP5_SUBGROUP_U8:
            low[lane] = byte[lane];
            break;
        case GP5_SUBGROUP_I16:
            low[lane] = (uint32_t)(int32_t)(int16_t)half[lane];
            break;
        case GP5_SUBGROUP_U16:
            low[lane] = half[lane];
            break;
        case GP5_SUBGROUP_I64: case GP5_SUBGROUP_U64: case GP5_SUBGROUP_F64:
            low[lane] = (uint32_t)wide[lane];
            high[lane] = (uint32_t)(wide[lane] >> 32);
            break;
        default:
            low[lane] = float_result(word[lane], flushes(w, g));
        }
    }
}

/* Of a ballot component x alone holds bits; answers that are one a lane go to every component. */
static void take_answer(const struct warp *w, const struct group_call *g, enum gp5_subgroup_answer answer,
                        const struct arrays *a, unsigned i)
{
    uint32_t *low = PLANE(w->base, g->dst[i]), *high = PLANE(w->base, g->dst[i] + 1);
    bool scalar = g->comp[i] == 0 || g->insn_op != OP_SGBALLOT;
    const void *result = a->result;

    for (uint32_t lanes = w->active; lanes; lanes &= lanes - 1) {
        unsigned lane = (unsigned)__builtin_ctz(lanes);
        switch (answer) {
        case GP5_SUBGROUP_A_BOOL:
            low[lane] = truth_word(g, ((const uint8_t *)result)[lane]);
            break;
        case GP5_SUBGROUP_A_UINT:
            low[lane] = ((const uint32_t *)result)[lane];
            break;
        case GP5_SUBGROUP_A_UINT64:
            low[lane] = scalar ? (uint32_t)((const uint64_t *)result)[lane] : 0;
            break;
        default:
            low[lane] = g->comp[i] == 0 || g->insn_op == OP_SGVAR ? a->result[lane].word[0] : 0;
        }
    }
    for (unsigned lane = 0; lane < WARP_LANES && g->wide; lane++)
        high[lane] = answer == GP5_SUBGROUP_A_UINT64 && scalar ? (uint32_t)(((const uint64_t *)result)[lane] >> 32) : 0;
}

/* ---- the shuffles with a width --------------------------------------------------------------------------- */

/* The driver compiles shuffleNV and its like to one SHF*: where index and width leave the text's formula, what
 * that does is measured. True for these operations with the source of every lane. */
static bool as_hardware(const struct warp *w, const struct group_call *g, unsigned lane, int *source, bool *valid)
{
    unsigned op = g->insn_op == OP_SGNVUP ? OP_SHFUP : g->insn_op == OP_SGNVDOWN ? OP_SHFDOWN
                  : g->insn_op == OP_SGNVIDX ? OP_SHFIDX : OP_SHFXOR;
    uint32_t width = PLANE(w->base, g->width)[lane];

    *source = eval_shuffle_source(op, lane, PLANE(w->base, g->index)[lane],
                                  (32 - width) << 8 | (op == OP_SHFUP ? 0 : 31), valid);
    return w->x->options.semantics == GP5_SEMANTICS_NVIDIA;
}

static void take_shuffle(const struct warp *w, const struct group_call *g, struct arrays *a, unsigned i)
{
    uint32_t *to = PLANE(w->base, g->dst[i]);
    const uint32_t *value = PLANE(w->base, g->value[0]);

    for (uint32_t lanes = w->active; lanes; lanes &= lanes - 1) {
        unsigned lane = (unsigned)__builtin_ctz(lanes);
        int source;
        bool valid, hardware = as_hardware(w, g, lane, &source, &valid);
        if (a->reason[lane] == GP5_SUBGROUP_WIDTH) {
            to[lane] = 0;
            continue;
        }
        if (hardware) {
            a->valid[lane] = valid;
            a->reason[lane] = w->active >> source & 1 ? GP5_SUBGROUP_DEFINED : GP5_SUBGROUP_SOURCE_INACTIVE;
            a->peer[lane] = (uint8_t)source;
            ((uint32_t *)a->result)[lane] = a->reason[lane] ? 0 : value[source];
        }
        to[lane] = g->comp[i] == 0   ? truth_word(g, a->valid[lane])
                   : g->comp[i] == 1 ? ((uint32_t *)a->result)[lane]
                                     : 0;
    }
}

static bool is_shuffle_nv(const struct group_call *g)
{
    return g->width != NO_PLANE;
}

/* ---- origins --------------------------------------------------------------------------------------------- */

static uint32_t *resolved(struct warp *w, const struct step *s, uint32_t plane)
{
    eval_resolve_marks(w, s->insn, PLANE(w->shadow, plane), w->active);
    return PLANE(w->shadow, plane);
}

static uint32_t first_origin(const struct warp *w, const uint32_t *shadow)
{
    uint32_t id = 0;

    for (uint32_t lanes = w->active; lanes && !id; lanes &= lanes - 1)
        id = shadow[__builtin_ctz(lanes)];
    return id;
}

/* The origins of the value go where the value goes. */
static void move_origins(struct warp *w, const struct step *s, const struct group_call *g, struct arrays *a,
                         const struct gp5_subgroup_operands *in, uint32_t plane, uint32_t *out)
{
    const struct gp5_subgroup_info *info = gp5_subgroup_info((enum gp5_subgroup_op)g->op);
    struct gp5_subgroup group = subgroup_of(w);
    struct gp5_subgroup_operands ids = *in;
    uint32_t *shadow = resolved(w, s, plane);
    uint8_t reason[WARP_LANES];

    (void)a;
    memset(out, 0, WARP_LANES * sizeof *out);
    if (!(first_origin(w, shadow)))
        return;
    if (info->answer != GP5_SUBGROUP_A_VALUE || is_shuffle_nv(g)) {
        for (unsigned lane = 0; lane < WARP_LANES; lane++)
            out[lane] = first_origin(w, shadow);
        return;
    }
    ids.type = GP5_SUBGROUP_U32;
    ids.value = shadow;
    gp5_subgroup_apply((enum gp5_subgroup_op)g->origins_op, &group, &ids,
                       &(struct gp5_subgroup_result){.value = out, .reason = reason});
}

static uint32_t why(struct warp *w, const struct step *s, const struct arrays *a, unsigned lane)
{
    enum origin_kind kind = a->reason[lane] == GP5_SUBGROUP_SOURCE_INACTIVE ? ORIGIN_INACTIVE : ORIGIN_GROUP;

    return eval_origin(w, s->insn, kind, kind == ORIGIN_INACTIVE ? 1 : a->reason[lane], 1u << lane, a->peer[lane]);
}

static void track(struct warp *w, const struct step *s, const struct group_call *g, struct arrays *a,
                  const struct gp5_subgroup_operands *in, unsigned i)
{
    const uint32_t planes[] = {g->index, g->ballot, g->width};
    const struct gp5_subgroup_info *info = gp5_subgroup_info((enum gp5_subgroup_op)g->op);
    uint32_t moved[WARP_LANES] = {0}, *own[3] = {NULL, NULL, NULL};
    bool value = info->operands & GP5_SUBGROUP_TAKES_VALUE && (!is_shuffle_nv(g) || g->comp[i] == 1);

    for (unsigned k = 0; k < 3; k++)
        if (planes[k] != NO_PLANE)
            own[k] = resolved(w, s, planes[k]);
    if (value)
        move_origins(w, s, g, a, in, g->value[i], moved);
    if (w->active == w->exist)
        w->dirty[g->dst[i]] = 0;
    for (uint32_t lanes = w->active; lanes; lanes &= lanes - 1) {
        unsigned lane = (unsigned)__builtin_ctz(lanes);
        uint32_t id = 0;
        for (unsigned k = 0; k < 3 && !id; k++)
            id = own[k] ? own[k][lane] : 0;
        if (!id && a->reason[lane] && !(is_shuffle_nv(g) && g->comp[i] == 0 && a->reason[lane] != GP5_SUBGROUP_WIDTH))
            id = why(w, s, a, lane);
        if (!id && is_shuffle_nv(g) && g->comp[i] > 1)
            id = eval_origin(w, s->insn, ORIGIN_COMPONENT, g->comp[i], 1u << lane, 0);
        eval_put_lane(w, g->dst[i], lane, id ? id : moved[lane]);
    }
}

/* ---- rotations of work group scope ------------------------------------------------------------------------- */

/* Blocks of a rotation are warps or parts of them, so that the group is the warp; but delta must be the same in all of
 * the work group. Warps run one after the other: those that came before keep what they got. */
static void disagree(struct arrays *a)
{
    memset(a->result, 0, sizeof a->result);
    memset(a->reason, GP5_SUBGROUP_NOT_UNIFORM, sizeof a->reason);
    memset(a->peer, 255, sizeof a->peer);
}

/* ---- the call -------------------------------------------------------------------------------------------- */

void eval_group(struct warp *w, const struct step *s)
{
    const struct group_call *g = &w->x->groups[s->ref];
    const struct gp5_subgroup_info *info = gp5_subgroup_info((enum gp5_subgroup_op)g->op);
    struct gp5_subgroup group = subgroup_of(w);
    struct gp5_subgroup_operands in;
    struct arrays a;

    memset(&a, 0, sizeof a);
    put_operands(w, g, &a, &in);
    bool agrees = !g->work_group || !w->active || eval_agrees(w, s, a.index[__builtin_ctz(w->active)]);
    for (unsigned i = 0; i < g->n; i++) {
        struct gp5_subgroup_result out = {.value = a.result, .reason = a.reason, .peer = a.peer, .valid = a.valid};
        if (info->operands & GP5_SUBGROUP_TAKES_VALUE)
            put_values(w, g, g->value[i], a.value);
        gp5_subgroup_apply((enum gp5_subgroup_op)g->op, &group, &in, &out);
        if (!agrees)
            disagree(&a);
        if (is_shuffle_nv(g))
            take_shuffle(w, g, &a, i);
        else if (info->answer == GP5_SUBGROUP_A_VALUE)
            take_value(w, g, a.result, g->dst[i]);
        else
            take_answer(w, g, info->answer, &a, i);
        if (w->shadow)
            track(w, s, g, &a, &in, i);
    }
}
