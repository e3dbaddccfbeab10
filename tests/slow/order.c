/* Which of two NaNs an operation on doubles keeps: docs/numbers.md, "Doubles". A value carries along where it was made.
 * That says the order only in programs without flow; where it would matter in another one, or between values that were
 * made doubles by the operation itself, the program is not evaluated. */
#include "tests/slow/plan.h"

#include <stdlib.h>

enum { QUIET_BIT = 51 };

static bool nan64(uint64_t v)
{
    return v << 1 > 0xffe0000000000000;
}

bool slow_is_straight(const struct gp5_program *p)
{
    for (uint32_t i = 0; i < p->insns.count; i++)
        switch (program_insn(p, i)->op) {
        case OP_IF: case OP_REP: case OP_CAL: case OP_CALI: case OP_BRK: case OP_CONT: return false;
        default: break;
        }
    return true;
}

static bool is_copy(const struct slow_program *p, const struct insn *insn)
{
    const struct operand *a = program_operand(p->text, insn->src);
    bool sign = a->flags & OPND_SIGNS;
    if (insn->flags & (INSN_SAT | INSN_SSAT) || slow_bytes(insn->type) != 8)
        return false;
    return (insn->op == OP_MOV && (insn->type == DT_F64 || !sign)) || (insn->op == OP_ABS && insn->type == DT_F64);
}

void slow_note_source(struct slow_lane *l, const struct insn *insn, bool tested, unsigned c, const struct slow_value *result,
                      struct slow_value *to)
{
    const struct slow_program *p = l->group->program;
    const struct symbol *s = insn->dst.kind == OPND_SYMBOL ? program_symbol(p->text, insn->dst.ref) : NULL;
    uint8_t chosen = l->here->chosen[0] | l->here->chosen[1] | l->here->chosen[2];
    to->source = SLOW_NOWHERE;
    if (!p->straight || !s || s->array || s->size != SIZE_LONG)
        return;
    to->source = SLOW_RESULT;
    to->at = 4 * l->pc + c;
    if (tested)
        return;
    if (l->here->computed >> c & 1) {
        to->source = SLOW_CONSTANT;
    } else if (insn->op == OP_LDB || insn->op == OP_LOAD) {
        to->source = SLOW_LOADED;
    } else if (insn->op == OP_LDC) {
        to->source = SLOW_BUFFER;
    } else if ((chosen >> c & 1 || is_copy(p, insn)) && result->source != SLOW_NOWHERE) {
        to->source = result->source;
        to->at = result->at;
    } else if (!slow_is_float(insn->type)) {
        to->source = SLOW_UNSURE;
    }
}

/* Negative, where x comes first; 0 where nobody knows. */
static int compare(const struct slow_value *x, const struct slow_value *y, unsigned kx, unsigned ky)
{
    if (x->source == y->source && (x->source == SLOW_NOWHERE || x->source == SLOW_UNSURE))
        return 0;
    if (x->source == SLOW_UNSURE || y->source == SLOW_UNSURE)
        return 0;
    if (x->source == SLOW_NOWHERE)      /* made a double here: behind all but results, which may be conversions of another place */
        return y->source == SLOW_RESULT ? 0 : 1;
    if (y->source == SLOW_NOWHERE)
        return x->source == SLOW_RESULT ? 0 : -1;
    if (x->source != y->source)
        return x->source < y->source ? -1 : 1;
    switch (x->source) {
    case SLOW_CONSTANT: return kx < ky ? -1 : 1;
    case SLOW_BUFFER: return kx < ky ? 1 : -1;
    case SLOW_LOADED: return x->at < y->at || (x->at == y->at && kx < ky) ? -1 : 1;
    default: return x->at > y->at || (x->at == y->at && kx < ky) ? -1 : 1;
    }
}

static bool is_ordered(const struct insn *insn)
{
    unsigned op = insn->op;
    return insn->type == DT_F64 && !(insn->flags & (INSN_SAT | INSN_SSAT)) &&
           (op == OP_ADD || op == OP_SUB || op == OP_MUL || op == OP_MIN || op == OP_MAX || op == OP_MAD);
}

/* Of the factors of a product that a sum takes in, and the other operand. */
static bool nans_differ(const struct slow_lane *l, struct slow_value s[3][4], unsigned c)
{
    struct slow_rounding r[SLOW_ROUNDINGS];
    unsigned n = slow_summed(l->group->program, l->here, c, r);
    const struct slow_number *of = n != 1 ? NULL : l->here->taken[c].second ? &r[0].z : &r[0].a, *add = n != 1 ? NULL : l->here->taken[c].second ? &r[0].a : &r[0].z;
    if (!of)
        return false;
    const struct slow_value *product = &s[of->operand][c], *other = &s[add->operand][c];
    uint64_t v[3] = {product->factor[0], product->factor[1], other->bits};
    for (unsigned k = 0; k < 3; k++)
        for (unsigned j = 0; j < k; j++)
            if (nan64(v[k]) && nan64(v[j]) && v[k] != v[j])
                return true;
    return false;
}

bool slow_order_nans(struct slow_lane *l, const struct insn *insn, struct slow_value s[3][4], struct slow_value result[4])
{
    const struct slow_program *p = l->group->program;
    for (unsigned c = 0; c < 4; c++) {
        unsigned order[3] = {0, 1, 2}, n = insn->nsrc, nans = 0;
        bool differ = false;
        if (is_copy(p, insn)) {
            result[c].source = s[0][c].source;
            result[c].at = s[0][c].at;
        }
        if (p->nvidia && insn->type == DT_F64 && l->here->taken[c].product && nans_differ(l, s, c))
            return slow_fail(l->group, SLOW_NOT_EVALUATED, "which of two NaNs", insn);
        if (!p->nvidia || !is_ordered(insn) || !(insn->dst.mask >> c & 1))
            continue;
        for (unsigned k = 0; k < n; k++) {
            nans += nan64(s[k][c].bits);
            for (unsigned j = 0; j < k; j++)
                differ |= nan64(s[k][c].bits) && nan64(s[j][c].bits) && s[k][c].bits != s[j][c].bits;
        }
        if (nans < 2 || !differ)
            continue;
        int known = compare(&s[0][c], &s[1][c], 0, 1);
        bool one = insn->op == OP_MAD && (s[0][c].bits << 1 == 0x7fe0000000000000 || s[1][c].bits << 1 == 0x7fe0000000000000);
        if (!known || one)
            return slow_fail(l->group, SLOW_NOT_EVALUATED, "which of two NaNs", insn);
        if (known > 0)
            order[0] = 1, order[1] = 0;
        if (n == 3) {
            unsigned second = order[1];
            order[1] = 2, order[2] = second;
        }
        for (unsigned k = n; k--;)
            if (nan64(s[order[k]][c].bits))
                result[c].bits = s[order[k]][c].bits | (uint64_t)1 << QUIET_BIT;
    }
    return true;
}
