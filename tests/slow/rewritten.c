/* Instructions, alone and in pairs, that the driver's compiler makes others of: docs/numbers.md, "Pairs" and "What is known in part". */
#include "tests/slow/plan.h"

#include "eval/numeric/sfu.h"
#include "tests/scalar_model.h"
#include "tests/scalar_soft.h"

#include <string.h>

static bool in_result(const struct slow_program *p, const struct insn *insn, const struct operand *o)
{
    const struct result *r = &insn->dst;
    return o->kind == OPND_SYMBOL && o->ref == r->ref && o->nindices == r->nindices &&
           (!o->nindices || (program_index(p->text, o->index)->mode == INDEX_CONSTANT &&
                             program_index(p->text, o->index)->offset == program_index(p->text, r->index)->offset));
}

/* Whether X2D is computed in two, x and z first, of which operand k, as it stands, reads them for y and w. */
bool slow_reads_back(const struct slow_program *p, const struct insn *insn, unsigned k)
{
    const struct result *r = &insn->dst;
    const struct operand *o = program_operand(p->text, insn->src + k);
    if (!p->nvidia || insn->op != OP_X2D || insn->flags & INSN_SSAT || r->kind != OPND_SYMBOL || r->nindices > 1 || slow_is_half(p, insn) || !(r->mask & 5) ||
        !(r->mask & 10) || slow_tests_others(p, insn) || program_symbol(p->text, r->ref)->size == SIZE_LONG ||
        (r->nindices && program_index(p->text, r->index)->mode != INDEX_CONSTANT) || p->by_address[r->ref])
        return false;
    return in_result(p, insn, o) && o->swizzle == 0xe4;
}

bool slow_in_two(const struct slow_program *p, const struct insn *insn)
{
    return insn->op == OP_X2D && (slow_reads_back(p, insn, 1) || slow_reads_back(p, insn, 2));
}

/* ---- alone --------------------------------------------------------------------------------------------------------------- */

static uint64_t remainder_of(uint32_t a, uint32_t b)
{
    int64_t x = (int32_t)a, y = (int32_t)b;
    return y == 0 ? UINT32_MAX : (uint32_t)(x % y);
}

bool slow_in_register(const struct slow_program *p, const struct operand *o)
{
    if (o->kind == OPND_SYMBOL)
        return program_symbol(p->text, o->ref)->kind == SYM_TEMP;
    if (o->kind != OPND_BINDING || binding_table[program_binding(p->text, o->ref)->kind].class != BC_ATTRIB)
        return false;
    switch (program_binding(p->text, o->ref)->kind) {
    case BIND_INVOCATION_GROUPCOUNT: case BIND_INVOCATION_GROUPSIZE: return false;
    default: return true;
    }
}

static bool alone(struct slow_lane *l, const struct insn *insn, struct slow_value s[3][4], struct slow_value result[4])
{
    const struct slow_program *p = l->group->program;
    const struct operand *a = program_operand(p->text, insn->src), *b = a + 1;
    bool word = slow_is_word_type(insn->type);
    if (insn->op == OP_MOD && insn->type == DT_S32 && (a->flags | b->flags) & OPND_ABSOLUTE)
        for (unsigned c = 0; c < 4; c++)
            result[c].bits = remainder_of((uint32_t)s[0][c].bits, (uint32_t)s[1][0].bits);
    else if (insn->op == OP_CMP && word && slow_in_register(p, a))
        for (unsigned c = 0; c < 4; c++) {
            uint32_t x = 0u - (uint32_t)s[0][c].bits;
            if (!(a->flags & OPND_NEGATE) == !(l->here->negative >> c & 1) || slow_bare(p, l->here, a, insn->type) >> c & 1)
                continue;
            bool above = insn->type == DT_S32 ? (int32_t)x > 0 : x > 0;
            result[c].bits = s[above ? 1 : 2][c].bits;
        }
    else if (insn->op == OP_CMP && insn->type == DT_S64 && a->flags & OPND_ABSOLUTE && !(a->flags & OPND_NEGATE))
        for (unsigned c = 0; c < 4; c++)
            result[c].bits = s[2][c].bits;
    return true;
}

/* ---- with some operands known -------------------------------------------------------------------------------------------- */

static void partly(struct slow_lane *l, const struct insn *insn, struct slow_value s[3][4], struct slow_value result[4])
{
    const struct slow_program *p = l->group->program;
    for (unsigned c = 0; c < 4; c++) {
        uint64_t word = l->here->word[c];
        for (unsigned k = 0; k < insn->nsrc; k++) {
            const struct operand *o = program_operand(p->text, insn->src + k);
            bool moved = slow_is_float(insn->type), has_sign = operand_has_sign(o) && !(slow_bare(p, l->here, o, insn->type) >> c & 1);
            if (!(slow_chosen_from(l->here, k) >> c & 1))
                continue;
            result[c] = s[k][c];
            if (moved && insn->op == OP_CMP && slow_is_half(p, insn)) {
                result[c].bits = slow_moved(p, DT_F32, has_sign, s[k][c].bits);
                result[c].bits = slow_saturate(p, DT_F32, slow_loses_clamp(p, insn) ? 0 : insn->flags, result[c].bits);
            } else if (moved)
                result[c].bits = slow_saturate(p, insn->type, slow_loses_clamp(p, insn) ? 0 : insn->flags,
                                               slow_moved(p, insn->type, has_sign, s[k][c].bits));
        }
        if (!(l->here->part >> c & 1))
            continue;
        if (slow_is_half(p, insn))
            word = insn->op == OP_MAD   ? slow_half_fused((uint32_t)word, 0x3f800000, (uint32_t)s[2][c].bits)
                   : insn->op == OP_DIV ? slow_half_product((uint32_t)s[0][c].bits, (uint32_t)word)
                   : insn->op == OP_LIT ? slow_half_shine((uint32_t)s[0][0].bits, (uint32_t)word, (uint32_t)s[0][3].bits)
                                        : slow_half_power(slow_half_product((uint32_t)word, (uint32_t)s[1][0].bits));
        else if (insn->op == OP_MAD)
            word = slow_sum(p, insn->type, word, s[2][c].bits);
        else if (insn->op == OP_DIV)
            word = slow_apply(p, OP_MUL, DT_F32, s[0][c].bits, word, 0);
        else if (insn->op == OP_LIT)
            word = slow_shine(p, (uint32_t)s[0][0].bits, (uint32_t)word, (uint32_t)s[0][3].bits);
        else
            word = eval_sfu_ex2((uint32_t)slow_apply(p, OP_MUL, DT_F32, word, s[1][0].bits, 0));
        result[c].bits = slow_saturate(p, insn->type == DT_F64 ? DT_F64 : DT_F32, slow_loses_clamp(p, insn) ? 0 : insn->flags, word);
    }
}

/* ---- with what came before ----------------------------------------------------------------------------------------------- */

/* What a pair makes of the operand of its first one. */
static uint32_t pair_value(const struct slow_lane *l, const struct insn *insn, uint32_t of)
{
    const struct slow_program *p = l->group->program;
    switch (l->here->pair) {
    case SLOW_PAIR_ROOT: return (uint32_t)slow_root(p, insn, of);
    case SLOW_PAIR_RSQ: return slow_is_half(p, insn) ? eval_sfu_rsq_half(of) : eval_sfu_rsq(of);
    default: return (uint32_t)slow_moved(p, DT_F32, l->here->moved, of);
    }
}

static uint32_t bounded(uint32_t w)
{
    uint32_t m = w & 0x7fffffff;
    m = m < 0x1f800000 ? 0x1f800000 : m > 0x5f800000 ? 0x5f800000 : m;
    return m | (w & 0x80000000);
}

/* RCP, RSQ, RCC, DIV or MAX, of what another of these or a MIN made. */
static void second(struct slow_lane *l, const struct insn *insn, struct slow_value s[3][4], struct slow_value result[4])
{
    const struct slow_program *p = l->group->program;
    const struct slow_value *v = insn->op == OP_DIV ? &s[1][0] : &s[0][0];
    bool copy = l->here->pair == SLOW_PAIR_COPY, to_short = slow_is_short(p, insn->dst.kind, insn->dst.ref);
    uint32_t value;
    if (!l->here->pair && !l->here->clamps)
        return;
    value = pair_value(l, insn, (uint32_t)v->from);
    if (copy && slow_is_half(p, insn) && (insn->flags & INSN_SAT || (insn->op == OP_RCC && to_short)))
        value = (uint32_t)slow_apply(p, EVAL_OP_HALF, DT_F32, value, 0, 0);
    if (insn->op == OP_RCC)
        value = !slow_is_half(p, insn) ? bounded(value) : copy && !to_short ? 0 : value;
    for (unsigned c = 0; c < 4; c++) {
        uint64_t r = value;
        if (insn->op == OP_MAX) {
            if (!(l->here->clamps >> c & 1))
                continue;
            const struct slow_value *m = &s[slow_beside(p, l->here, c)][c];
            result[c].bits = slow_is_half(p, insn)
                                 ? slow_apply(p, EVAL_OP_SAT, DT_F32, slow_apply(p, EVAL_OP_HALF, DT_F32, m->from, 0, 0), 0, 0)
                                 : slow_apply(p, EVAL_OP_SAT, insn->type, m->from, 0, 0);
            continue;
        }
        if (insn->op == OP_DIV && l->here->over_minus >> c & 1)
            r = copy && l->here->negated ? (uint32_t)v->from ^ 0x80000000 : slow_moved(p, DT_F32, true, value ^ 0x80000000);
        else if (insn->op == OP_DIV && !(l->here->over >> c & 1))
            r = slow_is_half(p, insn) ? slow_half_product((uint32_t)s[0][c].bits, value)
                                      : slow_apply(p, OP_MUL, DT_F32, s[0][c].bits, value, 0);
        result[c].bits = slow_saturate(p, DT_F32, insn->flags, r);
    }
}

/* A product with 1.0 or -1.0 is a MOV of the other operand. */
static bool copies(struct slow_lane *l, const struct insn *insn, struct slow_value s[3][4], struct slow_value result[4])
{
    const struct slow_program *p = l->group->program;
    for (unsigned c = 0; c < 4; c++) {
        bool flip, has_sign;
        unsigned type = insn->type == DT_F16 ? DT_F32 : insn->type;
        int k = insn->op == OP_DST && c == 1 ? slow_copied_distance(l, insn, &flip) : slow_copied_factor(p, l->here, insn, c, &flip);
        bool half = insn->op == OP_DST && slow_is_half(p, insn);
        struct operand o;
        struct slow_value v[4];
        if (half && c > 1 && !(insn->flags & INSN_PREC))
            k = (int)c - 2;
        if (k < 0)
            continue;
        o = *program_operand(p->text, insn->src + (uint32_t)k);
        o.flags ^= flip ? OPND_NEGATE : 0;
        has_sign = operand_has_sign(&o);
        if (!slow_fetch(l, &o, type, v))
            return false;
        if (half && insn->flags & INSN_SAT && slow_is_short(p, insn->dst.kind, insn->dst.ref))
            v[c].bits = slow_apply(p, EVAL_OP_HALF, DT_F32, v[c].bits, 0, 0);
        result[c].bits = slow_saturate(p, type, slow_loses_clamp(p, insn) ? 0 : insn->flags, slow_moved(p, type, has_sign, v[c].bits));
        result[c].open = s[k][c].open;
    }
    return true;
}

/* The factors of what is no MUL: a vector that is normalised, packed numbers. */
static void find_factors(const struct slow_program *p, const struct insn *insn, struct slow_value s[3][4], unsigned c, uint64_t f[2])
{
    uint32_t word = (uint32_t)s[0][0].bits;
    unsigned bits = insn->op == OP_UP2US ? 16 : 8;
    if (insn->op == OP_NRM && slow_is_half(p, insn)) {
        f[1] = slow_half_scale(s[0]);
    } else if (insn->op == OP_NRM) {
        uint64_t sum = slow_apply(p, OP_MUL, DT_F32, s[0][0].bits, s[0][0].bits, 0);
        for (unsigned k = 1; k < 3; k++)
            sum = slow_apply(p, OP_MAD, DT_F32, s[0][k].bits, s[0][k].bits, sum);
        f[1] = eval_sfu_rsq((uint32_t)sum);
    } else if (insn->op == OP_UP2US || insn->op == OP_UP4UB) {
        f[0] = soft_pack(soft_from_int(word >> bits * (c % (32 / bits)) & ((1u << bits) - 1)), 32, SOFT_NEAREST, true, 0x7fffffff);
        f[1] = bits == 16 ? 0x37800080 : 0x3b808081;
    }
}

/* The words that a choice of this copy takes. */
static bool remember_words(struct slow_lane *l, const struct insn *insn, struct slow_value s[3][4], struct slow_value result[4])
{
    const struct slow_program *p = l->group->program;
    for (unsigned c = 0; c < 4; c++) {
        struct slow_value plain[4];
        struct operand o;
        unsigned signs;
        int from = slow_copied_operand(p, l->here, c, &o);
        if (insn->op == OP_MOV || (from >= 0 && !operand_has_sign(&o))) {
            result[c].words = s[insn->op == OP_MOV ? 0 : from][c].words;
            result[c].words_open = s[insn->op == OP_MOV ? 0 : from][c].words_open;
        }
        if (!(l->here->same >> c & 1 ? slow_copies_with_sign : slow_signed_copy)(p, l->here, c, &o))
            continue;
        signs = o.flags & OPND_SIGNS;
        o.flags &= (uint16_t)~OPND_SIGNS;
        if (!slow_fetch(l, &o, DT_F32, plain))
            return false;
        result[c].words = slow_sign(p, DT_F32, signs, l->here->on_words >> c & 1 ? plain[c].words : plain[c].bits);
        result[c].words_open = l->here->on_words >> c & 1 ? plain[c].words_open : plain[c].open;
    }
    return true;
}

/* Where the result came from, for what comes later. */
static bool remember(struct slow_lane *l, const struct insn *insn, struct slow_value s[3][4], struct slow_value result[4])
{
    const struct slow_program *p = l->group->program;
    for (unsigned c = 0; c < 4; c++) {
        bool flip;
        int k = insn->op == OP_MOV ? 0 : slow_copied_factor(p, l->here, insn, c, &flip);
        if (insn->op == OP_DST && c > 0)
            k = c > 1 ? (int)c - 2 : l->here->one[0] & 2 ? 1 : l->here->one[1] & 2 ? 0 : -1;
        if (k >= 0) {
            struct operand o = *program_operand(p->text, insn->src + (uint32_t)k);
            struct slow_value plain[4];
            o.flags &= (uint16_t)~OPND_SIGNS;
            if (!slow_fetch(l, &o, slow_operand_type(insn, (unsigned)k), plain))
                return false;
            memcpy(result[c].factor, s[k][c].factor, sizeof result[c].factor);
            result[c].open_factor = s[k][c].open_factor;
            result[c].from = s[k][c].from;
            result[c].origin = l->here->negates >> c & 1 ? plain[c].bits : s[k][c].origin;
            continue;
        }
        result[c].from = l->here->pair > SLOW_PAIR_COPY ? s[insn->op == OP_DIV][0].from : s[insn->op == OP_DIV][0].bits;
        if (insn->op == OP_MIN && slow_beside(p, l->here, c) >= 0)
            result[c].from = s[slow_beside(p, l->here, c)][c].bits;
        result[c].open_factor = result[c].open;
        result[c].factor[l->here->swapped >> c & 1] = s[0][c].bits;
        result[c].factor[!(l->here->swapped >> c & 1)] = s[1][c].bits;
        if (insn->op == OP_DIV)
            result[c].factor[1] = l->here->part >> c & 1 ? l->here->word[c] : l->here->pair ? pair_value(l, insn, (uint32_t)s[1][0].from)
                                       : slow_is_half(p, insn) ? slow_half_reciprocal((uint32_t)s[1][0].bits)
                                                               : eval_sfu_rcp((uint32_t)s[1][0].bits);
        find_factors(p, insn, s, c, result[c].factor);
    }
    return true;
}

bool slow_rewrite(struct slow_lane *l, const struct insn *insn, struct slow_value s[3][4], struct slow_value result[4])
{
    if (!l->group->program->nvidia || insn->nsrc > 3)
        return true;
    if (!alone(l, insn, s, result))
        return false;
    partly(l, insn, s, result);
    slow_steps(l, insn, s, result);
    if (!copies(l, insn, s, result) || !slow_compute_summed(l, insn, s, result))
        return false;
    second(l, insn, s, result);
    for (unsigned c = 0; c < 4; c++) {
        if (l->here->restored >> c & 1)
            result[c].bits = slow_saturate(l->group->program, insn->type, insn->flags, s[0][c].origin);
        if (l->here->undone >> c & 1) {
            result[c].bits = s[l->here->undone_of[c]][c].words ^ 0x80000000u;
            result[c].open = s[l->here->undone_of[c]][c].words_open;
        }
        if (l->here->computed >> c & 1)
            result[c].bits = l->here->word[c];
        if (l->here->takes[c])
            result[c].open = s[l->here->takes[c] - 1][c].open;
        result[c].open &= !(l->here->alone >> c & 1);
    }
    return remember(l, insn, s, result) && remember_words(l, insn, s, result);
}
