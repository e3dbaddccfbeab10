/* Doubles that hold what another component or variable holds as well: copies that the compiler makes of what it has computed once (docs/numbers.md, "Doubles"). */
#include "tests/slow/order.h"

/* ---- components of one result that hold one value ---------------------------------------------------------------------------------- */

static uint32_t value_at(const struct finder *f, uint32_t result)
{
    return 4 * (result / 4) + f->same[result];
}

/* Whether components a and b of an operand's register are one value. */
static bool one_value(const struct finder *f, const struct insn *insn, const struct operand *o, unsigned a, unsigned b)
{
    uint32_t x, y;
    if (o->kind == OPND_CONSTANT)
        return slow_literal(f->p, o, a, insn->type) == slow_literal(f->p, o, b, insn->type);
    if (a == b)
        return true;
    if (!program_is_long(f->p->text, o->kind, o->ref)) {
        x = slow_order_single(f, o, a);
        y = slow_order_single(f, o, b);
        return x != NO_INDEX && y != NO_INDEX && x >= f->nsingles && y >= f->nsingles && value_at(f, x - f->nsingles) == value_at(f, y - f->nsingles);
    }
    x = slow_order_variable(f, o->kind, o->ref, o->nindices != 0, a);
    y = slow_order_variable(f, o->kind, o->ref, o->nindices != 0, b);
    if (x == NO_INDEX || f->now[x].first == NO_INDEX || f->now[y].first == NO_INDEX || f->now[x].several || f->now[y].several)
        return false;
    const struct made *m = &f->made[f->now[x].first], *n = &f->made[f->now[y].first];
    return !m->several && !n->several && m->turned == n->turned && value_at(f, m->at) == value_at(f, n->at);
}

/* Whether what component a takes from operand k is what component b takes from operand m. */
static bool takes_one(const struct finder *f, const struct insn *insn, unsigned k, unsigned a, unsigned m, unsigned b)
{
    const struct operand *o = program_operand(f->p->text, insn->src + k), *other = program_operand(f->p->text, insn->src + m);
    unsigned left = slow_made_of(f->p, insn, k, a), right = slow_made_of(f->p, insn, m, b);
    bool plain = o->kind == other->kind && o->ref == other->ref && !o->nindices && !other->nindices && o->kind != OPND_CONSTANT && o->flags == other->flags;
    if (k != m && !plain)
        return false;
    for (; left && right; left &= left - 1, right &= right - 1)
        if (!one_value(f, insn, o, o->swizzle >> 2 * __builtin_ctz(left) & 3, other->swizzle >> 2 * __builtin_ctz(right) & 3))
            return false;
    return left == right;
}

/* Operations that do the same for each component, or one thing for all. */
static bool is_regular(const struct finder *f, const struct insn *insn)
{
    static const uint16_t others[] = {OP_DST, OP_LIT, OP_NRM, OP_RFL, OP_X2D, OP_XPD, OP_UP64, OP_BFE, OP_BFI, OP_TGALL, OP_TGANY, OP_TGEQ, OP_TGBALLOT, OP_MATCH,
                                      OP_SHFUP, OP_SHFDOWN, OP_SHFIDX, OP_SHFXOR, OP_QSWZ0, OP_QSWZ1, OP_QSWZ2, OP_QSWZ3, OP_QSWZX, OP_QSWZY, OP_DDX, OP_DDY,
                                      OP_LOAD, OP_ATOM};
    bool computed = insn->type == DT_F64 && (insn->op == OP_DIV || insn->op == OP_RCP || insn->op == OP_RSQ);
    if (computed || slow_order_is_pair(f, insn) || op_table[insn->op].option == OPTION_GP5_subgroup)
        return false;
    for (size_t k = 0; k < sizeof others / sizeof others[0]; k++)
        if (insn->op == others[k])
            return false;
    switch (op_table[insn->op].shape) {
    case SHAPE_V_V: case SHAPE_V_VV: case SHAPE_V_VVV: case SHAPE_V_VS: case SHAPE_R_V: case SHAPE_R_S: case SHAPE_R_SS: case SHAPE_R_VV: case SHAPE_R_VVV: return true;
    default: return insn->op == OP_PK64;
    }
}

static bool one_result(const struct finder *f, const struct insn *insn, unsigned a, unsigned b)
{
    static const uint16_t either[] = {OP_ADD, OP_MUL, OP_MAD, OP_MIN, OP_MAX, OP_AND, OP_OR, OP_XOR};
    bool all = true, swaps = false;
    for (unsigned k = 0; k < insn->nsrc; k++)
        all &= takes_one(f, insn, k, a, k, b);
    for (size_t k = 0; k < sizeof either / sizeof either[0]; k++)
        swaps |= insn->op == either[k];
    if (all || !swaps)
        return all;
    return takes_one(f, insn, 0, a, 1, b) && takes_one(f, insn, 1, a, 0, b) && (insn->nsrc < 3 || takes_one(f, insn, 2, a, 2, b));
}

void slow_order_find_same(struct finder *f, uint32_t place, const struct insn *insn)
{
    uint8_t *same = &f->same[4 * place];
    unsigned of = insn->dst.mask & f->reach.useful[place] & (condition_restricts(&insn->dst.condition) ? f->plan->place[place].passes : 15u);
    for (unsigned c = 0; c < 4; c++)
        same[c] = (uint8_t)c;
    if (insn->dst.kind != OPND_SYMBOL || insn->dst.nindices || !insn->nsrc || !is_regular(f, insn))
        return;
    for (unsigned c = 1; c < 4; c++)
        for (unsigned b = c; of >> c & 1 && same[c] == c && b-- > 0;)
            if (of >> b & 1 && one_result(f, insn, b, c))
                same[c] = same[b];
}

/* ---- who reads it ------------------------------------------------------------------------------------------------------------------- */

static bool reads(const struct finder *f, uint32_t place, uint32_t v)
{
    const struct insn *insn = slow_order_insn(f, place);
    bool any = false;
    uint8_t useful = f->reach.settled[place] & (uint8_t)~slow_numbers(&f->plan->place[place]);
    for (unsigned k = 0; useful && k < insn->nsrc; k++) {
        const struct operand *o = program_operand(f->p->text, insn->src + k);
        unsigned taken = slow_reads(f->p, insn, k, useful);
        for (unsigned c = 0; c < 4; c++)
            any |= taken >> c & 1 && slow_order_variable(f, o->kind, o->ref, o->nindices != 0, o->swizzle >> 2 * c & 3) == v;
    }
    return any;
}

static bool writes(const struct finder *f, uint32_t place, uint32_t v)
{
    bool any = false;
    for (unsigned c = 0; c < 4; c++)
        any |= slow_order_target(f, slow_order_insn(f, place), c) == v;
    return any;
}

/* A subroutine of the compiler's own. */
static bool is_own_call(const struct insn *insn)
{
    return slow_bytes(insn->type) == 8 && (insn->op == OP_DIV || insn->op == OP_MOD || insn->op == OP_RCP || insn->op == OP_RSQ);
}

/* Memory, such a subroutine, or a branch by the flags of a result that is tested: what stands before it and behind it is computed apart. */
static bool is_border(const struct finder *f, uint32_t place)
{
    const struct insn *insn = slow_order_insn(f, place);
    unsigned op = insn->op, useful = f->reach.useful[place];
    if (is_own_call(insn) || (insn->cc_update && condition_restricts(&insn->dst.condition)))
        return true;
    if ((op == OP_LDB || op == OP_LDS || op == OP_LOAD) && f->reach.settled[place])
        return true;
    return useful & SLOW_ACTS && op != OP_BAR && !op_flows(op);
}

static bool border_between(const struct finder *f, uint32_t from, uint32_t to)
{
    for (uint32_t i = from + 1; i < to; i++)
        if (is_border(f, i))
            return true;
    return false;
}

/* Memory takes it as it is, a copy does, or a subroutine of the compiler's own. */
static bool takes_as_is(const struct finder *f, uint32_t place)
{
    const struct insn *insn = slow_order_insn(f, place);
    if (insn->op == OP_MOV || insn->op == OP_UP64 || f->reach.useful[place] & SLOW_ACTS)
        return true;
    return slow_bytes(insn->type) == 8 && (insn->op == OP_DIV || insn->op == OP_MOD || insn->op == OP_RCP || insn->op == OP_RSQ);
}

/* Anybody reads a result before a place, or behind it; somebody takes it as it is or behind memory, anywhere; and behind the place. */
struct readers {
    bool earlier, later, keeps, keeps_later;
};

static struct readers readers_of(const struct finder *f, uint32_t result, uint32_t place)
{
    struct readers r = {false, false, false, false};
    uint32_t v = slow_order_target(f, slow_order_insn(f, result / 4), result % 4), i = result / 4 + 1;
    bool border = false;
    if (v == NO_INDEX || f->block[result / 4] != f->block[place])
        return r;
    for (; i < f->plan->count && (i <= place || (f->block[i] == f->block[place] && !slow_begins_part(f->p, f->plan, i))); i++) {
        const struct insn *insn = slow_order_insn(f, i);
        if (reads(f, i, v)) {
            bool keeps = border || takes_as_is(f, i);
            r.earlier |= i < place;
            r.later |= i > place;
            r.keeps |= keeps;
            r.keeps_later |= keeps && i > place;
        }
        border |= is_border(f, i);
        if (writes(f, i, v) && (i == place || !condition_restricts(&insn->dst.condition) || slow_looks_at_no_test(f->p, insn)))
            return r;
    }
    return slow_order_is_read(f, i, v) ? (struct readers){r.earlier, true, true, true} : r;
}

/* ---- copies ------------------------------------------------------------------------------------------------------------------------- */

/* A single that becomes a double and gets another sign. */
static bool has_sign(const struct finder *f, uint32_t result)
{
    const struct insn *insn = slow_order_insn(f, result / 4);
    bool sign = insn->op == OP_ABS;
    for (unsigned k = 0; k < insn->nsrc && k < 2; k++)
        sign |= operand_has_sign(program_operand(f->p->text, insn->src + k));
    return sign;
}

/* The result that is nothing but a single that became a double at a time, first of all. */
static uint32_t widened_first(const struct finder *f, int64_t time)
{
    uint32_t result = (uint32_t)(4 * (time / SPAN) + time % 4);
    return time && f->when[result] == time && !has_sign(f, result) ? result : NO_INDEX;
}

static uint32_t copied_from(const struct finder *f, uint32_t result)
{
    const struct insn *insn = slow_order_insn(f, result / 4);
    uint32_t first = f->when[result] && !has_sign(f, result) ? widened_first(f, f->when[result]) : NO_INDEX;
    if (first != NO_INDEX && first / 4 != result / 4)
        return first;
    return f->when[result] && insn->type == DT_F64 && insn->op != OP_CVT ? result : value_at(f, result);
}

bool slow_order_is_made_again(const struct finder *f, uint32_t place, const struct insn *insn, unsigned k, unsigned c)
{
    const struct operand *o = program_operand(f->p->text, insn->src + k);
    struct held h = slow_order_held(f, o, c);
    uint32_t first, result = h.first;
    if (!program_is_long(f->p->text, o->kind, o->ref)) {
        first = widened_first(f, slow_order_when_widened(f, place, insn, k, c));
        return first != NO_INDEX && first / 4 != place && !f->made[first].meets && readers_of(f, first, place).keeps;
    }
    if (result == NO_INDEX || h.several || h.outer || f->made[result].at != result || f->made[result].several || f->block[result / 4] != f->block[place])
        return false;
    first = copied_from(f, result);
    if (first == result || f->made[first].meets || readers_of(f, result, place).later)
        return false;
    if (first / 4 != result / 4)
        return readers_of(f, first, place).keeps;
    return !readers_of(f, result, place).earlier && !f->made[result].meets && !border_between(f, result / 4, place) && readers_of(f, first, place).keeps_later;
}

bool slow_order_stays_copy(const struct finder *f, uint32_t place, uint32_t result)
{
    int64_t time = f->when[result];
    if (!time || has_sign(f, result) || time / SPAN >= result / 4 || widened_first(f, time) != NO_INDEX)
        return false;
    return f->block[result / 4] == f->block[place] && !f->made[result].meets && readers_of(f, result, place).keeps;
}

bool slow_order_ends_at(const struct finder *f, uint32_t place, uint32_t result)
{
    return f->block[result / 4] == f->block[place] && !border_between(f, result / 4, place) && !readers_of(f, result, place).later;
}
