/* Twice a number less the number itself, in the steps of vector operations: docs/numbers.md, "Pairs and single instructions". */
#include "tests/slow/plan.h"

static struct operand bare(const struct slow_program *p, const struct insn *insn, unsigned n)
{
    struct operand o = *program_operand(p->text, insn->src + n);
    o.flags &= (uint16_t)~(unsigned)(OPND_NEGATE | OPND_NEGATE_INNER);
    return o;
}

void slow_note_alike(const struct slow_knowledge *k, const struct insn *insn, struct slow_place *place)
{
    uint8_t count = 0;
    bool two = false;
    for (unsigned i = 0; i < 12; i++)
        two |= place->fact[i / 4] >> (i % 4) & 1 && (place->facts[i / 4][i % 4] & 0x7fffffff) == 0x40000000;
    for (unsigned i = 0; two && i < 4u * insn->nsrc; i++) {
        struct operand a = bare(k->p, insn, i / 4);
        if (place->fact[i / 4] >> (i % 4) & 1 || a.kind == OPND_EXTENDED)
            continue;
        place->alike[i / 4][i % 4] = 0;
        for (unsigned j = i; j-- > 0;) {
            struct operand b = bare(k->p, insn, j / 4);
            if (place->alike[j / 4][j % 4] && slow_alike(k, &b, &a, j % 4, i % 4))
                place->alike[i / 4][i % 4] = place->alike[j / 4][j % 4];
        }
        if (!place->alike[i / 4][i % 4])
            place->alike[i / 4][i % 4] = ++count;
    }
}

/* The operand that a number is, earlier rounds looked through. */
static struct slow_number looked_through(const struct slow_number *x, const struct slow_number *copies)
{
    struct slow_number r = *x;
    if (x->from == NUMBER_ROUND) {
        r = copies[x->round];
        r.negative ^= x->negative;
    }
    return r;
}

static bool turned(const struct slow_program *p, const struct insn *insn, struct slow_number x)
{
    const struct operand *o = program_operand(p->text, insn->src + x.operand);
    bool inner = o->flags & OPND_NEGATE_INNER && !(o->flags & OPND_ABSOLUTE), sign = !(o->flags & OPND_NEGATE) != !inner;
    return x.negative != sign;
}

bool slow_is_double_less_once(const struct slow_program *p, const struct slow_place *place, const struct slow_number factor[2], const struct slow_number *z,
                              bool negative, const struct slow_number *copies, struct slow_number *copy)
{
    const struct insn *insn = program_insn(p->text, place->insn);
    for (unsigned k = 0; k < 2; k++) {
        const struct slow_number *two = &factor[k];
        struct slow_number one = looked_through(&factor[1 - k], copies), less = looked_through(z, copies);
        bool minus;
        if (two->from != NUMBER_OPERAND || one.from != NUMBER_OPERAND || less.from != NUMBER_OPERAND || !(place->fact[two->operand] >> two->c & 1) ||
            (place->facts[two->operand][two->c] & 0x7fffffff) != 0x40000000)
            continue;
        minus = (place->facts[two->operand][two->c] >> 31 & 1) ^ two->negative ^ negative;
        if (!place->alike[one.operand][one.c] || place->alike[one.operand][one.c] != place->alike[less.operand][less.c] ||
            (turned(p, insn, one) ^ minus) == turned(p, insn, less))
            continue;
        *copy = one;
        copy->negative ^= minus;
        return true;
    }
    return false;
}
