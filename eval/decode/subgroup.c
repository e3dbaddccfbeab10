/* The instructions of OPTION GP5_subgroup as calls of the reference. */
#include "eval/decode/decode.h"
#include "eval/decode/variables.h"

#include <string.h>

enum { FAMILIES = 7 };

/* The operation of a family: the rows of one operator stand together, in the order of the kinds. */
static uint8_t of_family(unsigned kind, unsigned operator)
{
    static const uint8_t first[] = {
        [MOD_ADD] = GP5_SUBGROUP_DO_ADD, [MOD_MUL] = GP5_SUBGROUP_DO_MUL, [MOD_MIN] = GP5_SUBGROUP_DO_MIN,
        [MOD_MAX] = GP5_SUBGROUP_DO_MAX, [MOD_AND] = GP5_SUBGROUP_DO_AND, [MOD_OR] = GP5_SUBGROUP_DO_OR,
        [MOD_XOR] = GP5_SUBGROUP_DO_XOR};
    return (uint8_t)(first[operator] + kind - GP5_SUBGROUP_DO_ADD);
}

_Static_assert(GP5_SUBGROUP_DO_PARTITIONED_EXCLUSIVE_XOR - GP5_SUBGROUP_DO_XOR ==
                   GP5_SUBGROUP_DO_PARTITIONED_EXCLUSIVE_ADD - GP5_SUBGROUP_DO_ADD,
               "the families have the same kinds");

static uint8_t variable(unsigned which, bool wide)
{
    switch (which) {
    case MOD_SIZE: return GP5_SUBGROUP_DO_SIZE;
    case MOD_LANE: return GP5_SUBGROUP_DO_INVOCATION;
    case MOD_ID: return GP5_SUBGROUP_DO_ID;
    case MOD_SUBGROUPS: return GP5_SUBGROUP_DO_COUNT;
    case MOD_EQMASK: return wide ? GP5_SUBGROUP_DO_EQ_MASK_ARB : GP5_SUBGROUP_DO_EQ_MASK;
    case MOD_GEMASK: return wide ? GP5_SUBGROUP_DO_GE_MASK_ARB : GP5_SUBGROUP_DO_GE_MASK;
    case MOD_GTMASK: return wide ? GP5_SUBGROUP_DO_GT_MASK_ARB : GP5_SUBGROUP_DO_GT_MASK;
    case MOD_LEMASK: return wide ? GP5_SUBGROUP_DO_LE_MASK_ARB : GP5_SUBGROUP_DO_LE_MASK;
    default: return wide ? GP5_SUBGROUP_DO_LT_MASK_ARB : GP5_SUBGROUP_DO_LT_MASK;
    }
}

/* The reference's operation of an instruction; GP5_SUBGROUP_OP_COUNT for one that has none. */
static unsigned operation(const struct insn *insn)
{
    bool wide = type_table[insn->type].bytes == 8;
    switch (insn->op) {
    case OP_SGVAR: return variable(insn->atomic, wide);
    case OP_SGELECT: return GP5_SUBGROUP_DO_ELECT;
    case OP_SGALL: return GP5_SUBGROUP_DO_ALL;
    case OP_SGANY: return GP5_SUBGROUP_DO_ANY_TRUE;
    case OP_SGEQ: return GP5_SUBGROUP_DO_ALL_EQUAL;
    case OP_SGBCAST: return GP5_SUBGROUP_DO_BROADCAST;
    case OP_SGFIRST: return GP5_SUBGROUP_DO_BROADCAST_FIRST;
    case OP_SGBALLOT: return wide ? GP5_SUBGROUP_DO_BALLOT_ARB : GP5_SUBGROUP_DO_BALLOT;
    case OP_SGBINV: return GP5_SUBGROUP_DO_INVERSE_BALLOT;
    case OP_SGBBIT: return GP5_SUBGROUP_DO_BALLOT_BIT_EXTRACT;
    case OP_SGBCNT: return GP5_SUBGROUP_DO_BALLOT_BIT_COUNT;
    case OP_SGBCNTI: return GP5_SUBGROUP_DO_BALLOT_INCLUSIVE_BIT_COUNT;
    case OP_SGBCNTX: return GP5_SUBGROUP_DO_BALLOT_EXCLUSIVE_BIT_COUNT;
    case OP_SGBLSB: return GP5_SUBGROUP_DO_BALLOT_FIND_LSB;
    case OP_SGBMSB: return GP5_SUBGROUP_DO_BALLOT_FIND_MSB;
    case OP_SGRED: return of_family(GP5_SUBGROUP_DO_ADD, insn->atomic);
    case OP_SGREDC: return of_family(GP5_SUBGROUP_DO_CLUSTERED_ADD, insn->atomic);
    case OP_SGREDP: return of_family(GP5_SUBGROUP_DO_PARTITIONED_ADD, insn->atomic);
    case OP_SGISCAN: return of_family(GP5_SUBGROUP_DO_INCLUSIVE_ADD, insn->atomic);
    case OP_SGISCANP: return of_family(GP5_SUBGROUP_DO_PARTITIONED_INCLUSIVE_ADD, insn->atomic);
    case OP_SGXSCAN: return of_family(GP5_SUBGROUP_DO_EXCLUSIVE_ADD, insn->atomic);
    case OP_SGXSCANP: return of_family(GP5_SUBGROUP_DO_PARTITIONED_EXCLUSIVE_ADD, insn->atomic);
    case OP_SGPART: return GP5_SUBGROUP_DO_PARTITION;
    case OP_SGSHFIDX: return GP5_SUBGROUP_DO_SHUFFLE;
    case OP_SGSHFXOR: return GP5_SUBGROUP_DO_SHUFFLE_XOR;
    case OP_SGSHFUP: return GP5_SUBGROUP_DO_SHUFFLE_UP;
    case OP_SGSHFDN: return GP5_SUBGROUP_DO_SHUFFLE_DOWN;
    case OP_SGROT: return GP5_SUBGROUP_DO_ROTATE;
    case OP_SGROTC: return GP5_SUBGROUP_DO_CLUSTERED_ROTATE;
    case OP_SGQBCAST: return GP5_SUBGROUP_DO_QUAD_BROADCAST;
    case OP_SGQSWAPH: return GP5_SUBGROUP_DO_QUAD_SWAP_HORIZONTAL;
    case OP_SGQSWAPV: return GP5_SUBGROUP_DO_QUAD_SWAP_VERTICAL;
    case OP_SGQSWAPD: return GP5_SUBGROUP_DO_QUAD_SWAP_DIAGONAL;
    case OP_SGNVIDX: return GP5_SUBGROUP_DO_SHUFFLE_NV;
    case OP_SGNVUP: return GP5_SUBGROUP_DO_SHUFFLE_UP_NV;
    case OP_SGNVDOWN: return GP5_SUBGROUP_DO_SHUFFLE_DOWN_NV;
    case OP_SGNVXOR: return GP5_SUBGROUP_DO_SHUFFLE_XOR_NV;
    default: return GP5_SUBGROUP_OP_COUNT;
    }
}

/* Halves and short integers stand in words of 32 bits: only arithmetic and comparison look at fewer, all else moves
 * the words. */
static uint8_t value_type(unsigned op, const struct insn *insn, const struct gp5_subgroup_info *info)
{
    bool looked_at = info->arithmetic || op == GP5_SUBGROUP_DO_ALL_EQUAL || op == GP5_SUBGROUP_DO_PARTITION;
    if (info->types == GP5_SUBGROUP_BOOLS)
        return GP5_SUBGROUP_BOOL;
    if (!looked_at && type_table[insn->type].bytes < 4)
        return GP5_SUBGROUP_U32;
    switch (insn->type) {
    case DT_F16: return GP5_SUBGROUP_F16;
    case DT_S8: return GP5_SUBGROUP_I8;
    case DT_U8: return GP5_SUBGROUP_U8;
    case DT_S16: return GP5_SUBGROUP_I16;
    case DT_U16: return GP5_SUBGROUP_U16;
    case DT_F64: return GP5_SUBGROUP_F64;
    case DT_S32: return GP5_SUBGROUP_I32;
    case DT_U32: return GP5_SUBGROUP_U32;
    case DT_S64: return GP5_SUBGROUP_I64;
    case DT_U64: return GP5_SUBGROUP_U64;
    default: return GP5_SUBGROUP_F32;
    }
}

/* Origins take the way of the value: moved like it; where values are put together the greatest goes on. */
static uint8_t origins_operation(unsigned op, const struct gp5_subgroup_info *info)
{
    if (!info->arithmetic)
        return (uint8_t)op;
    return (uint8_t)(GP5_SUBGROUP_DO_MAX + (op - GP5_SUBGROUP_DO_ADD) % FAMILIES);
}

_Static_assert((GP5_SUBGROUP_DO_MAX - GP5_SUBGROUP_DO_ADD) % FAMILIES == 0, "a family has seven kinds");

static bool fetch_values(struct decoder *d, const struct insn *insn, struct group_call *g)
{
    bool scalar = shape_table[op_table[insn->op].shape].src[0] == OC_SCALAR;
    struct fetched f;

    if (!eval_fetch(d, program_operand(d->p, insn->src), g->register_type, scalar ? 1 : insn->dst.mask, false, &f))
        return false;
    for (unsigned i = 0; i < g->n; i++)
        g->value[i] = f.plane[scalar ? 0 : g->comp[i]];
    return true;
}

/* A delta of a LONG variable: all of it must be the same everywhere. */
static bool is_long(const struct decoder *d, const struct operand *o)
{
    return program_is_long(d->p, o->kind, o->ref);
}

static bool fetch_index(struct decoder *d, const struct insn *insn, unsigned k, struct group_call *g)
{
    struct fetched f;

    if (k >= insn->nsrc)
        return false;
    g->wide_index = is_long(d, program_operand(d->p, insn->src + k));
    if (!eval_fetch(d, program_operand(d->p, insn->src + k), g->wide_index ? DT_U64 : DT_U32, 1, false, &f))
        return false;
    g->index = f.plane[0];
    return true;
}

/* The first component of operand k. */
static bool fetch_one(struct decoder *d, const struct insn *insn, unsigned k, uint32_t *plane)
{
    struct fetched f;

    if (k >= insn->nsrc || !eval_fetch(d, program_operand(d->p, insn->src + k), DT_U32, 1, false, &f))
        return false;
    *plane = f.plane[0];
    return true;
}

static bool fetch(struct decoder *d, const struct insn *insn, struct group_call *g,
                  const struct gp5_subgroup_info *info)
{
    unsigned k = 0;

    if (info->operands & GP5_SUBGROUP_TAKES_VALUE && (k++, !fetch_values(d, insn, g)))
        return false;
    if (info->operands & GP5_SUBGROUP_TAKES_BALLOT && !fetch_one(d, insn, k++, &g->ballot))
        return false;
    if (info->operands & GP5_SUBGROUP_TAKES_INDEX && !fetch_index(d, insn, k++, g))
        return false;
    if (info->operands & GP5_SUBGROUP_TAKES_WIDTH && !fetch_one(d, insn, k, &g->width))
        return false;
    if (info->operands & GP5_SUBGROUP_TAKES_CLUSTER) {
        const struct operand *o = program_operand(d->p, insn->src + k);
        if (o->kind != OPND_CONSTANT || o->flags & OPND_SIGNS)
            return eval_refuse(d, o->span, "a cluster of this size");
        g->cluster = (uint32_t)eval_constant_word(program_constant(d->p, o->ref), o->swizzle & 3, DT_U32);
    }
    return true;
}

static uint8_t result_type(const struct group_call *g, const struct gp5_subgroup_info *info)
{
    switch (info->answer) {
    case GP5_SUBGROUP_A_VALUE: return g->register_type;
    case GP5_SUBGROUP_A_BOOL: return g->truth;
    case GP5_SUBGROUP_A_UINT64: return DT_U64;
    default: return DT_U32;
    }
}

bool eval_decode_group(struct decoder *d, const struct insn *insn)
{
    unsigned op = operation(insn);
    const struct gp5_subgroup_info *info = gp5_subgroup_info((enum gp5_subgroup_op)op);
    struct group_call g = {.insn_op = insn->op, .op = (uint8_t)op, .index = NO_PLANE, .ballot = NO_PLANE,
                           .width = NO_PLANE};
    struct step *s;
    uint8_t type;

    if (!info)      /* the barriers: a warp's lanes are never apart, nor is its memory */
        return eval_step(d, STEP_NOTHING) != NULL;
    g.register_type = eval_register_type(insn->type);
    g.truth = g.register_type == DT_F32 ? DT_F32 : DT_U32;
    g.type = value_type(op, insn, info);
    g.origins_op = origins_operation(op, info);
    g.work_group = (insn->flags & INSN_CTA) != 0;
    g.n = (uint8_t)eval_components(insn->dst.mask, g.comp);
    if (!fetch(d, insn, &g, info))
        return false;
    type = result_type(&g, info);
    g.wide = type_table[type].bytes == 8;
    for (unsigned i = 0; i < g.n; i++)
        g.dst[i] = eval_layout_scratch(&d->layout);
    s = eval_step(d, STEP_GROUP);
    if (!s)
        return false;
    s->ref = eval_push(d, &d->groups, &g);
    return s->ref != NO_INDEX && eval_decode_result(d, insn, type, g.dst, NULL, 0);
}
