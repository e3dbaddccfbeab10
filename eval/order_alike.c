/* One value that an operation leaves in several components, or a register of 32 bits that becomes a double once more: the driver's compiler computes it once,
 * and copies that (order.c). */
#include "eval/order.h"

/* Components of one result that hold one value: the first of them that anybody reads. */
static unsigned leader(const struct walk *w, uint32_t at)
{
    return w->leads[at / 4] >> 2 * (at % 4) & 3;
}

/* What a place was made of is the same where these are: 4 times the instruction and the first component. */
static uint32_t number_of(const struct walk *w, uint32_t at)
{
    return 4 * (at / 4) + leader(w, at);
}

/* Whether two components of an operand are one value. */
static bool is_alike(const struct walk *w, const struct insn *insn, const struct operand *o, unsigned a, unsigned b)
{
    struct operand x = *o;
    struct origin from[2];
    uint32_t single[2];

    if (o->kind == OPND_CONSTANT)
        return eval_literal_word(program_constant(w->d->p, o->ref), a, insn->type) == eval_literal_word(program_constant(w->d->p, o->ref), b, insn->type);
    if (a == b)
        return true;
    if (!program_is_long(w->d->p, o->kind, o->ref)) {
        single[0] = eval_order_single(w, o, a);
        single[1] = eval_order_single(w, o, b);
        return single[0] != NO_INDEX && single[1] != NO_INDEX && single[0] >= w->nsingles && single[1] >= w->nsingles &&
               number_of(w, single[0] - w->nsingles) == number_of(w, single[1] - w->nsingles);
    }
    x.swizzle = (uint8_t)(a | b << 2);
    from[0] = eval_order_of(w, &x, 0);
    from[1] = eval_order_of(w, &x, 1);
    return from[0].at != NO_INDEX && from[1].at != NO_INDEX && !from[0].several && !from[1].several && !from[0].copied && !from[1].copied &&
           number_of(w, from[0].at) == number_of(w, from[1].at) && from[0].turned == from[1].turned;
}

/* Whether it leaves one value in all components. */
static bool replicates(const struct insn *insn)
{
    switch (op_table[insn->op].shape) {
    case SHAPE_R_V: case SHAPE_R_S: case SHAPE_R_SS: case SHAPE_R_VV: case SHAPE_R_VVV: return true;
    default: return false;
    }
}

/* Whether an operation does the same for each component, with the components that it reads for it. Quotients and roots of doubles are each
 * computed, and so are pairs of registers. */
static bool is_uniform(const struct walk *w, const struct insn *insn)
{
    if ((insn->type == DT_F64 && (insn->op == OP_RCP || insn->op == OP_RSQ || insn->op == OP_DIV)) || eval_order_in_halves(w->d->p, insn))
        return false;
    switch (eval_op_flow(insn->op)) {
    case FLOW_EACH: return true;
    case FLOW_ALL: return insn->op == OP_PK64 || replicates(insn);
    default: return false;
    }
}

/* Whether what operand m gives for component b is what operand k gives for component a. */
static bool reads_alike(const struct walk *w, const struct insn *insn, unsigned k, unsigned a, unsigned m, unsigned b)
{
    const struct operand *o = program_operand(w->d->p, insn->src + k), *other = program_operand(w->d->p, insn->src + m);
    uint8_t x = eval_component_reads(insn->op, k, a), y = eval_component_reads(insn->op, m, b);

    if (k != m && (o->kind != other->kind || o->ref != other->ref || o->nindices || other->nindices || o->kind == OPND_CONSTANT || o->flags != other->flags))
        return false;
    for (; x && y; x &= (uint8_t)(x - 1), y &= (uint8_t)(y - 1))
        if (!is_alike(w, insn, o, o->swizzle >> 2 * __builtin_ctz(x) & 3, other->swizzle >> 2 * __builtin_ctz(y) & 3))
            return false;
    return !x && !y;
}

static bool commutes(const struct insn *insn)
{
    switch (insn->op) {
    case OP_ADD: case OP_MUL: case OP_MAD: case OP_MIN: case OP_MAX: case OP_AND: case OP_OR: case OP_XOR: return true;
    default: return false;
    }
}

static bool computes_alike(const struct walk *w, const struct insn *insn, unsigned a, unsigned b)
{
    unsigned as_written = 0;

    while (as_written < insn->nsrc && reads_alike(w, insn, as_written, a, as_written, b))
        as_written++;
    return as_written == insn->nsrc || (commutes(insn) && reads_alike(w, insn, 0, a, 1, b) && reads_alike(w, insn, 1, a, 0, b) &&
                                        (insn->nsrc < 3 || reads_alike(w, insn, 2, a, 2, b)));
}

void eval_order_lead(struct walk *w, uint32_t i, const struct insn *insn)
{
    const struct folded *folded = eval_folded_at(w->d, i);
    uint8_t passes = condition_restricts(&insn->dst.condition) ? folded ? folded->passes : 0 : 15, of;

    w->leads[i] = 0xe4;
    if (insn->dst.kind != OPND_SYMBOL || insn->dst.nindices || !is_uniform(w, insn) || !insn->nsrc)
        return;
    of = insn->dst.mask & w->live->useful[i] & passes;
    for (unsigned c = 1; c < 4; c++)
        for (unsigned b = c; of >> c & 1 && b--;)
            if (of >> b & 1 && computes_alike(w, insn, b, c)) {
                w->leads[i] = (uint8_t)((w->leads[i] & ~(3u << 2 * c)) | (w->leads[i] >> 2 * b & 3) << 2 * c);
                break;
            }
}

/* ---- what lives on ----------------------------------------------------------------------------------------------------------- */

static bool is_met(const struct walk *w, uint32_t at)
{
    return w->webbed[at / 4] >> at % 4 & 1;
}

/* Whether a register of 32 bits becomes a double and then gets another sign. */
static bool is_signed(const struct walk *w, uint32_t i)
{
    const struct insn *insn = program_insn(w->d->p, i);

    return insn->op == OP_ABS || operand_has_sign(program_operand(w->d->p, insn->src)) || (insn->nsrc > 1 && operand_has_sign(program_operand(w->d->p, insn->src + 1)));
}

/* The component of a result that was the first to hold a register of 32 bits as a double, if nothing but that, or NO_INDEX. */
static uint32_t widener(const struct walk *w, int64_t time)
{
    uint32_t at = (uint32_t)(4 * (time / eval_order_time(1, false, 0)) + time % 4);

    return time && w->made_at[at] == time && !is_signed(w, at / 4) ? at : NO_INDEX;
}

/* What a component is a copy of, or itself. */
static uint32_t copied_from(const struct walk *w, uint32_t at)
{
    uint32_t first = w->made_at[at] && !is_signed(w, at / 4) ? widener(w, w->made_at[at]) : NO_INDEX;

    if (first != NO_INDEX && first / 4 != at / 4)
        return first;
    return w->made_at[at] && program_insn(w->d->p, at / 4)->type == DT_F64 && program_insn(w->d->p, at / 4)->op != OP_CVT ? at : number_of(w, at);     /* of those one becomes a double, and is copied */
}

/* Whether a quotient or root of 64 bits stands between two instructions, which is a call, or a branch by a result that sets flags under a test. */
static bool is_called_between(const struct walk *w, uint32_t from, uint32_t to)
{
    for (uint32_t i = from + 1; i < to; i++) {
        const struct insn *insn = program_insn(w->d->p, i);
        bool calls = type_table[insn->type].bytes == 8 && (insn->op == OP_DIV || insn->op == OP_MOD || insn->op == OP_RCP || insn->op == OP_RSQ);
        if (calls || (insn->cc_update && condition_restricts(&insn->dst.condition)))
            return true;
    }
    return false;
}

/* A component that another one of its result holds as well is a copy of that, where nothing on the way to the instruction is computed apart. */
static bool is_twin(struct walk *w, uint32_t i, uint32_t at, uint32_t first)
{
    struct readers r = eval_order_readers(w, i, at);

    return !r.before && !r.behind && !is_met(w, at) && !eval_order_are_apart(w, at / 4, i) && !is_called_between(w, at / 4, i) && eval_order_readers(w, i, first).needs_behind;
}

bool eval_order_is_copied(struct walk *w, uint32_t i, const struct operand *o, unsigned c)
{
    struct origin from = eval_order_of(w, o, c);
    uint32_t first;

    if (!program_is_long(w->d->p, o->kind, o->ref)) {
        first = widener(w, eval_order_when_widened(w, i, o, o->swizzle >> 2 * c & 3));
        return first != NO_INDEX && first / 4 != i && !is_met(w, first) && eval_order_readers(w, i, first).needs;
    }
    if (from.at == NO_INDEX || from.own != from.at || from.several || from.copied || from.part != w->part || w->block_of[from.at / 4] != w->block)
        return false;
    first = copied_from(w, from.at);
    if (first == from.at || is_met(w, first))
        return false;
    return first / 4 == from.at / 4 ? is_twin(w, i, from.at, first) : eval_order_readers(w, i, first).needs && !eval_order_readers(w, i, from.at).behind;
}

bool eval_order_outlives(struct walk *w, uint32_t i, uint32_t at)
{
    if (!w->made_at[at] || is_signed(w, at / 4) || w->made_at[at] / eval_order_time(1, false, 0) >= at / 4 || widener(w, w->made_at[at]) != NO_INDEX ||
        w->block_of[at / 4] != w->block || is_met(w, at))
        return false;
    return eval_order_readers(w, i, at).needs;
}

bool eval_order_ends_here(struct walk *w, uint32_t i, uint32_t at)
{
    return w->block_of[at / 4] == w->block && !eval_order_are_apart(w, at / 4, i) && !eval_order_readers(w, i, at).behind;
}
