/* On which side of zero the terms of a sum put it while a program runs, what condition codes are told of it, and carries of sums that the
 * compiler orders. */
#include "tests/slow/looks.h"

#include "tests/scalar_soft.h"

static int side_of(uint64_t a, uint64_t b)
{
    struct soft x = soft_unpack(a & 0xffffffff, 32, true), y = soft_negate(soft_unpack(b & 0xffffffff, 32, true));
    int order;
    if (x.kind == SOFT_NAN || y.kind == SOFT_NAN)
        return 0;
    order = soft_compare(x, y);
    return order == SOFT_GREATER ? 1 : order == SOFT_LESS ? -1 : 0;
}

/* The side of a sum as it is asked for here, or 2 when the sum took a product in and is no comparison. */
static int side(const struct slow_plan *plan, uint32_t sum, const struct slow_value *v)
{
    const struct slow_place *at = &plan->place[(sum >> 3) - 1];
    return at->taken[sum & 3].product ? 2 : v->side;
}

/* Whether an operand is the negative of what it names; -|a| is not always one. */
static bool is_negative(const struct slow_program *p, const struct slow_place *here, const struct operand *o, unsigned c)
{
    return !(o->flags & OPND_NEGATE) != !(o->flags & OPND_NEGATE_INNER) && !(slow_bare(p, here, o, DT_F32) >> c & 1);
}

/* Sides of results, and SGT and SLT that ask for one. */
void slow_sides(struct slow_lane *l, const struct insn *insn, struct slow_value s[3][4], struct slow_value result[4])
{
    const struct slow_program *p = l->group->program;
    struct slow_knowledge nothing = {.p = p, .at = NO_INDEX};
    const struct slow_place *here = l->here;
    uint8_t mask = insn->dst.mask;
    bool all = here->asks && !(mask & ~here->asks);
    if (!p->nvidia || insn->nsrc > 3)
        return;
    for (unsigned c = 0; c < 4; c++) {
        unsigned term[2];
        bool minus[2], flip = false;
        int k = insn->op == OP_MOV ? 0 : slow_copied_factor(p, here, insn, c, &flip);
        if ((insn->op == OP_MIN || insn->op == OP_MAX) && here->chosen[0] >> c & 1)
            k = 0;
        result[c].side = 0;
        if (!(mask >> c & 1))
            continue;
        if (k >= 0) {
            const struct operand *o = program_operand(p->text, insn->src + (uint32_t)k);
            bool negative = is_negative(p, here, o, c) != flip;
            result[c].side = (int8_t)(negative ? -s[k][c].side : s[k][c].side);
        } else if (slow_terms(&nothing, insn, c, term, minus)) {
            result[c].side = (int8_t)side_of(s[term[0]][c].bits ^ (minus[0] ? 0x80000000 : 0), s[term[1]][c].bits ^ (minus[1] ? 0x80000000 : 0));
        }
        all &= !(here->uses[c] && p->plan->place[(here->uses[c] >> 3) - 1].taken[here->uses[c] & 3].product);
    }
    for (unsigned c = 0; all && c < 4; c++) {
        bool less = here->less >> c & 1;
        unsigned n = (insn->op == OP_SLT) != less;      /* the operand that is the sum */
        const struct operand *o = program_operand(p->text, insn->src + n);
        int is = is_negative(p, here, o, c) ? -s[n][c].side : s[n][c].side;
        if (mask >> c & 1)
            result[c].bits = is == (less ? -1 : 1) ? 0x3f800000 : 0;
    }
}

void slow_answer(const struct slow_lane *l, unsigned c, const struct slow_value *v, struct slow_flags *f)
{
    const struct insn *insn = program_insn(l->group->program->text, l->here->insn);
    const struct slow_answers *a = &l->here->answers;
    uint8_t bit = (uint8_t)(1u << c);
    uint32_t m = (uint32_t)v->bits & 0x7fffffff;
    int is = a->sum[c] ? side(l->group->program->plan, a->sum[c], v) : 2;
    if (!l->group->program->nvidia)
        return;
    if (a->signless & bit)
        f->z = slow_is_float(slow_result_type(insn)) ? !m : !(uint32_t)v->bits;
    f->s &= !((a->positive | a->signless) & bit);
    f->not_above = a->not_above & bit;
    f->not_below = a->not_below & bit;
    f->no_sign = a->no_sign & bit;
    f->above = a->above & bit || is == 1;
    f->below = a->below & bit || is == -1;
}

static uint64_t cut(const struct insn *insn, uint64_t x)
{
    return slow_bytes(insn->type) == 8 ? x : x & 0xffffffff;
}

/* An absolute value of 64 bits has the sign of the absolute value of its upper word. */
static bool is_least(struct slow_lane *l, const struct operand *o, unsigned c)
{
    struct operand plain = *o;
    struct slow_value v[4];
    plain.flags &= (uint16_t)~OPND_SIGNS;
    return o->flags & OPND_ABSOLUTE && slow_fetch(l, &plain, DT_S64, v) && v[c].bits >> 32 == 0x80000000;
}

/* Then the overflow is another, as is of sums, but for those with a number that is not 0, what the orders and AB see. */
static void by_signs(const uint64_t t[2], const bool least[2], bool subtracts, bool number, struct slow_flags *f)
{
    bool sum = f->s, x = t[0] >> 63 || least[0], y = (t[1] >> 63 || least[1]) != subtracts;
    bool overflow = x != sum && y != sum, carry = (x && y) || ((x || y) && !sum);
    if (!least[0] && !least[1])
        return;
    if (subtracts || number) {
        f->other_overflow = overflow != f->o;
    } else {
        f->other_above = carry != f->c;
        f->o = overflow;
    }
}

/* Carry and overflow of component c of a sum that the compiler orders. */
void slow_carries(struct slow_lane *l, const struct insn *insn, struct slow_value s[3][4], unsigned c, struct slow_flags *f)
{
    const struct operand *o = program_operand(l->group->program->text, insn->src);
    bool sums = insn->op == OP_ADD || insn->op == OP_SUB, negative[3] = {false}, known[3] = {false}, subtracts;
    bool least[2] = {false}, number = false, whole = insn->type == DT_S64 && insn->op != OP_SAD;
    uint64_t x[3] = {0}, t[3] = {0};
    unsigned last = sums ? 1 : 2, taken = last;
    struct insn add = *insn;
    add.op = OP_ADD;
    for (unsigned n = 0; n <= last; n++) {
        negative[n] = o[n].flags & OPND_NEGATE;
        known[n] = l->here->number[n] >> c & 1;
        x[n] = negative[n] ? cut(insn, 0 - s[n][c].bits) : s[n][c].bits;
    }
    if (sums) {
        bool first = negative[0], second = negative[1] != (insn->op == OP_SUB);
        subtracts = first || second;
        taken = first && !second ? 0 : 1;
        t[0] = first && second ? cut(insn, 0 - x[0]) : x[1 - taken];
        least[0] = whole && !(first && second) && !known[1 - taken] && is_least(l, &o[1 - taken], c);
        number = known[1 - taken] && s[1 - taken][c].bits;
    } else {
        uint64_t a = s[0][c].bits, b = s[1][c].bits, top = 1ull << (slow_bytes(insn->type) * 8 - 1);
        bool below = type_table[insn->type].is_signed ? (a ^ top) < (b ^ top) : a < b;
        subtracts = negative[2];
        t[0] = cut(insn, insn->op == OP_MAD ? a * b : below ? b - a : a - b);
        bool narrow = false;    /* a factor of 32 bits that is known to be 0, or may be */
        for (unsigned n = 0; n < 2; n++) {
            bool is_long = o[n].kind == OPND_SYMBOL && program_symbol(l->group->program->text, o[n].ref)->size == SIZE_LONG;
            bool temporary = o[n].kind == OPND_SYMBOL && program_symbol(l->group->program->text, o[n].ref)->kind == SYM_TEMP;
            bool zero = o[n].kind == OPND_BINDING ? !negative[n] : known[n] && !s[n][c].bits && (!negative[n] || temporary);
            narrow |= slow_bytes(insn->type) == 8 && !is_long && zero;
        }
        if (!subtracts && !narrow && insn->op == OP_MAD && (negative[0] && !known[0]) != (negative[1] && !known[1]))
            f->other_carry = !t[0];
    }
    t[1] = x[taken];
    if (subtracts && known[taken]) {
        t[1] = cut(insn, 0 - t[1]);
        subtracts = false;
    } else if (subtracts && insn->op != OP_SAD && l->here->absolute[taken] >> c & 1) {
        f->other_carry = !t[1];
    }
    least[1] = whole && !known[taken] && is_least(l, &o[taken], c);
    slow_carry(&add, t, subtracts, &f->o, &f->c);
    by_signs(t, least, subtracts, number || (known[taken] && x[taken]), f);
}

bool slow_adds(const struct slow_program *p, const struct insn *insn)
{
    if (!p->nvidia || !slow_op_adds(insn->op) || slow_is_float(insn->type) || slow_bytes(insn->type) < 4 ||
        insn->flags & (INSN_SAT | INSN_SSAT | INSN_HI | INSN_S24 | INSN_U24))
        return false;
    for (unsigned n = 0; n < insn->nsrc; n++) {
        const struct operand *o = program_operand(p->text, insn->src + n);
        if (o->kind == OPND_EXTENDED || o->flags & OPND_NEGATE_INNER)
            return false;
    }
    return true;
}

/* A sum that is known to be 1 and more, clamped, is 1 where it is no number. */
unsigned slow_clamp_above(const struct slow_lane *l, const struct insn *insn, struct slow_value s[3][4], struct slow_value result[4])
{
    unsigned above = l->here->above | l->here->flags_above, shown = 0;
    struct insn plain = *insn;
    struct slow_value sum[4] = {{0}};
    plain.flags &= (uint32_t)~INSN_SAT;
    if (!l->group->program->nvidia || !above || slow_is_half(l->group->program, insn) || !slow_compute(l->group->program, &plain, s, sum))
        return 0;
    for (unsigned c = 0; c < 4; c++) {
        if (!(above >> c & 1) || ((uint32_t)sum[c].bits & 0x7fffffff) <= 0x7f800000)
            continue;
        if (l->here->above >> c & 1)
            result[c].bits = 0x3f800000;
        shown |= l->here->flags_above & 1u << c;
    }
    return shown;
}
