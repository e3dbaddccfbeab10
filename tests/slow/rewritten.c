/* Instructions, alone and in pairs, that the driver's compiler makes others of: docs/numbers.md, "Pairs" and "What is known in part". */
#include "tests/slow/internal.h"

#include "eval/numeric/sfu.h"
#include "tests/scalar_model.h"
#include "tests/scalar_soft.h"

#include <string.h>

static bool signs(const struct operand *o)
{
    return o->flags & (OPND_NEGATE | OPND_NEGATE_INNER | OPND_ABSOLUTE);
}

static bool is_literal(const struct slow_program *p, const struct insn *insn, const struct operand *o, uint64_t bits)
{
    struct slow_value v[4];
    struct slow_group group = {.program = p};
    struct slow_lane lane = {.group = &group};
    if (o->kind != OPND_CONSTANT || signs(o) || !slow_fetch(&lane, o, insn->type, v))
        return false;
    for (unsigned c = 0; c < 4; c++)
        if (insn->dst.mask >> c & 1 && v[c].bits != bits)
            return false;
    return true;
}

static bool same_component(const struct insn *insn, const struct operand *a, const struct operand *b)
{
    if (a->kind != OPND_SYMBOL || b->kind != OPND_SYMBOL || a->ref != b->ref || a->nindices || b->nindices || a->flags != b->flags)
        return false;
    for (unsigned c = 0; c < 4; c++)
        if (insn->dst.mask >> c & 1 && (a->swizzle >> 2 * c & 3) != (b->swizzle >> 2 * c & 3))
            return false;
    return true;
}

bool slow_in_two(const struct slow_program *p, const struct insn *insn)
{
    bool tested = insn->dst.condition.rule != CC_NONE && insn->dst.condition.rule != CC_TR;
    if (!p->nvidia || insn->op != OP_X2D || insn->dst.kind != OPND_SYMBOL || insn->dst.nindices || slow_is_half(p, insn) ||
        !(insn->dst.mask & 5) || !(insn->dst.mask & 10) || (tested && insn->cc_update))
        return false;
    for (unsigned k = 1; k < 3; k++) {
        const struct operand *o = program_operand(p->text, insn->src + k);
        if (o->kind == OPND_SYMBOL && o->ref == insn->dst.ref && !o->nindices && o->swizzle == 0xe4 && !signs(o))
            return true;
    }
    return false;
}

/* ---- alone --------------------------------------------------------------------------------------------------------------- */

static uint64_t remainder_of(uint32_t a, uint32_t b)
{
    int64_t x = (int32_t)a, y = (int32_t)b;
    return y == 0 ? UINT32_MAX : (uint32_t)(x % y);
}

static bool alone(struct slow_lane *l, const struct insn *insn, struct slow_value s[3][4], struct slow_value result[4])
{
    const struct slow_program *p = l->group->program;
    const struct operand *a = program_operand(p->text, insn->src), *b = a + 1;
    bool word = insn->type == DT_S32 || insn->type == DT_U32;
    if ((insn->op == OP_MIN || insn->op == OP_MAX) && slow_is_float(insn->type) && !slow_is_half(p, insn) &&
        same_component(insn, a, b))
        for (unsigned c = 0; c < 4; c++)
            result[c].bits = slow_saturate(p, insn->type, insn->flags, slow_moved(p, insn->type, signs(a), s[0][c].bits));
    else if (insn->op == OP_MOD && insn->type == DT_S32 && (a->flags & OPND_ABSOLUTE || (b->flags & OPND_ABSOLUTE && b->flags & OPND_NEGATE)))
        for (unsigned c = 0; c < 4; c++)
            result[c].bits = remainder_of((uint32_t)s[0][c].bits, (uint32_t)s[1][0].bits);
    else if (insn->op == OP_CMP && word && a->flags & OPND_NEGATE && a->kind == OPND_SYMBOL &&
             program_symbol(p->text, a->ref)->kind == SYM_TEMP)
        for (unsigned c = 0; c < 4; c++) {
            uint32_t x = 0u - (uint32_t)s[0][c].bits;
            bool above = insn->type == DT_S32 ? (int32_t)x > 0 : x > 0;
            result[c].bits = s[above ? 1 : 2][c].bits;
        }
    return true;
}

/* ---- with some operands known -------------------------------------------------------------------------------------------- */

static uint8_t knowledge(const struct slow_program *p, const struct insn *insn, struct slow_value s[3][4], unsigned k, unsigned c)
{
    uint8_t known = SLOW_KNOWN;
    for (unsigned i = 0; i < 4; i++)
        if (slow_made_of(p, insn, k, c) >> i & 1 && s[k][i].known < known)
            known = s[k][i].known;
    return known;
}

/* Puts `bits` in the place of a result for something that is known as well as `known` says. */
static bool put(struct slow_lane *l, const struct insn *insn, struct slow_value *result, uint64_t bits, uint8_t known)
{
    if (result->bits != bits && known == SLOW_MAYBE_KNOWN)
        return slow_fail(l->group, SLOW_NOT_EVALUATED, "what the compiler may know", insn);
    result->bits = bits;
    return true;
}

static bool partly(struct slow_lane *l, const struct insn *insn, struct slow_value s[3][4], struct slow_value result[4])
{
    const struct slow_program *p = l->group->program;
    bool whole = insn->type == DT_S32 || insn->type == DT_U32, single = insn->type == DT_F32;
    for (unsigned c = 0; c < 4; c++) {
        uint8_t known[3] = {SLOW_KNOWN, SLOW_KNOWN, SLOW_KNOWN};
        uint32_t a = (uint32_t)s[0][c].bits, k;
        if (!(insn->dst.mask >> c & 1))
            continue;
        for (unsigned n = 0; n < insn->nsrc; n++)
            known[n] = knowledge(p, insn, s, n, c);
        if ((insn->op == OP_MOD || (insn->op == OP_DIV && insn->type == DT_U32)) && whole && known[1] && s[1][0].bits == 0 &&
            !signs(program_operand(p->text, insn->src + 1))) {
            if (!put(l, insn, &result[c], a, known[1]))
                return false;
        }
        if (insn->op == OP_MAD && single && !(insn->flags & INSN_PREC) && !slow_is_half(p, insn) && known[0] && known[1] && !known[2]) {
            struct soft product = soft_mul(soft_unpack(a, 32, false), soft_unpack(s[1][c].bits, 32, false));
            k = (uint32_t)soft_pack(product, 32, SOFT_NEAREST, true, 0x7fffffff);
            uint8_t sure = known[0] < known[1] ? known[0] : known[1];
            uint64_t sum = slow_saturate(p, DT_F32, insn->flags, slow_sum(p, DT_F32, k, s[2][c].bits));
            if (k != 0x7fffffff && !put(l, insn, &result[c], sum, sure))
                return false;
        }
        if (insn->op == OP_POW && single && !(insn->flags & INSN_PREC) && !slow_is_half(p, insn) && known[0] && !known[1] &&
            slow_logarithm((uint32_t)s[0][0].bits, &k)) {
            uint64_t power = eval_sfu_ex2((uint32_t)slow_apply(p, OP_MUL, DT_F32, k, s[1][0].bits, 0));
            if (!put(l, insn, &result[c], slow_saturate(p, DT_F32, insn->flags, power), known[0]))
                return false;
        }
    }
    return true;
}

/* ---- pairs --------------------------------------------------------------------------------------------------------------- */

static bool fresh(const struct slow_lane *l, const struct slow_value *v, unsigned op)
{
    return v->made == op && v->when == l->block;
}

static bool roots(const struct slow_program *p, const struct insn *insn)
{
    return (insn->op == OP_RCP || insn->op == OP_RSQ) && insn->type == DT_F32 && !(insn->flags & INSN_PREC) && !slow_is_half(p, insn);
}

static void second(struct slow_lane *l, const struct insn *insn, struct slow_value s[3][4], struct slow_value result[4])
{
    const struct slow_program *p = l->group->program;
    const struct operand *o = program_operand(p->text, insn->src);
    bool root = roots(p, insn), quotient = insn->op == OP_DIV && insn->type == DT_F32 && !(insn->flags & INSN_PREC) && !slow_is_half(p, insn);
    const struct slow_value *v = quotient ? &s[1][0] : &s[0][0];
    if ((root && !signs(o)) || (quotient && !signs(o + 1))) {
        uint64_t of = eval_sfu_sqrt((uint32_t)v->from);
        bool reciprocal = fresh(l, v, OP_RCP);
        if (!fresh(l, v, OP_RSQ) && !(reciprocal && !quotient))
            return;
        if (insn->op == OP_RSQ && !reciprocal)
            return;
        if (insn->op == OP_RCP && reciprocal)
            of = v->from;
        for (unsigned c = 0; c < 4; c++)
            result[c].bits = slow_saturate(p, DT_F32, insn->flags, quotient ? slow_apply(p, OP_MUL, DT_F32, s[0][c].bits, of, 0) : of);
    }
    if (insn->op != OP_MAX || (insn->type != DT_F32 && insn->type != DT_F64) || slow_is_half(p, insn))
        return;
    for (unsigned k = 0; k < 2; k++) {
        bool all = is_literal(p, insn, o + k, 0) && !signs(o + (1 - k));
        for (unsigned c = 0; all && c < 4; c++)
            all = !(insn->dst.mask >> c & 1) || (fresh(l, &s[1 - k][c], OP_MIN) && s[1 - k][c].known == 0);
        for (unsigned c = 0; all && c < 4; c++)
            result[c].bits = slow_apply(p, EVAL_OP_SAT, insn->type, s[1 - k][c].from, 0, 0);
        if (all)
            return;
    }
}

/* What the result was made of, for the next one. */
static void first(struct slow_lane *l, const struct insn *insn, struct slow_value s[3][4], struct slow_value result[4])
{
    const struct slow_program *p = l->group->program;
    const struct operand *o = program_operand(p->text, insn->src);
    bool plain = !insn->cc_update && (insn->dst.condition.rule == CC_NONE || insn->dst.condition.rule == CC_TR) &&
                 !(insn->flags & (INSN_SAT | INSN_SSAT)), clamps = insn->op == OP_MIN && slow_is_float(insn->type) && !slow_is_half(p, insn);
    uint64_t one = insn->type == DT_F64 ? 0x3ff0000000000000 : 0x3f800000;
    for (unsigned c = 0; c < 4; c++)
        result[c].made = 0;
    for (unsigned c = 0; plain && c < 4; c++) {
        if (roots(p, insn) && !signs(o)) {
            result[c] = (struct slow_value){result[c].bits, result[c].open, result[c].known, (uint8_t)insn->op, s[0][0].bits, l->block};
        } else if (clamps && (is_literal(p, insn, o, one) || is_literal(p, insn, o + 1, one))) {
            unsigned k = is_literal(p, insn, o + 1, one) ? 0 : 1;
            result[c].made = OP_MIN;
            result[c].from = s[k][c].bits;
            result[c].when = l->block;
        } else if (insn->op == OP_MOV && insn->type != DT_F16 && !signs(o) && !(insn->flags & INSN_HALF)) {
            result[c].made = s[0][c].made;
            result[c].from = s[0][c].from;
            result[c].when = s[0][c].when;
        }
    }
}

bool slow_rewrite(struct slow_lane *l, const struct insn *insn, struct slow_value result[4])
{
    const struct slow_program *p = l->group->program;
    struct slow_value s[3][4] = {{{0}}};
    if (!p->nvidia || insn->nsrc > 3)
        return true;
    for (unsigned n = 0; n < insn->nsrc; n++)
        if (program_operand(p->text, insn->src + n)->kind == OPND_EXTENDED ||
            !slow_fetch(l, program_operand(p->text, insn->src + n), slow_operand_type(insn, n), s[n]))
            return true;
    if (!alone(l, insn, s, result) || !partly(l, insn, s, result))
        return false;
    second(l, insn, s, result);
    first(l, insn, s, result);
    return true;
}
