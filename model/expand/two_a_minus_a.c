/* Steps of vector operations that are 2.0 a - a, or -2.0 a + a: the driver's compiler copies a (docs/numbers.md, "Pairs
 * and single instructions"). */
#include "model/expand/two_a_minus_a.h"

#include "model/contract/contract.h"
#include "model/const/lattice.h"

enum { TWO = 0x40000000 };

static bool has_doubles(const struct insn *insn, const struct folded *folded)
{
    bool any = false;

    if (!eval_has_steps(insn) || insn->type != DT_F32 || insn->flags & INSN_HALF || insn->op == OP_RFL ||
        insn->op == OP_NRM)
        return false;
    for (unsigned n = 0; n < insn->nsrc; n++)
        for (unsigned c = 0; c < 4; c++)
            any |= folded->factors[n] >> c & 1 && (folded->numbers[n][c] & 0x7fffffff) == TWO;
    return any;
}

/* An operand without its sign, but for that of an absolute value. */
static struct operand plain(const struct operand *o)
{
    struct operand p = *o;

    p.flags &= (uint16_t)~(OPND_NEGATE | OPND_NEGATE_INNER);
    return p;
}

void eval_known_alike(const struct known *k, const struct insn *insn, struct folded *folded)
{
    uint8_t classes = 0;

    if (!has_doubles(insn, folded))
        return;
    for (unsigned i = 0; i < 4u * insn->nsrc; i++) {
        struct operand a = plain(program_operand(k->p, insn->src + i / 4));
        uint8_t *class = &folded->alike[i / 4][i & 3];
        if (a.kind == OPND_EXTENDED || folded->factors[i / 4] >> (i & 3) & 1)
            continue;
        for (unsigned j = 0; j < i && !*class; j++) {
            struct operand b = plain(program_operand(k->p, insn->src + j / 4));
            if (folded->alike[j / 4][j & 3] && eval_known_same(k, &a, &b, i & 3, j & 3))
                *class = folded->alike[j / 4][j & 3];
        }
        if (!*class)
            *class = ++classes;
    }
}

/* ---- decoding ----------------------------------------------------------------------------------------------- */

static bool is_negative(const struct operand *o)
{
    return !(o->flags & OPND_NEGATE) != !(o->flags & OPND_NEGATE_INNER && !(o->flags & OPND_ABSOLUTE));
}

/* The value that a term is, and its sign; 0: it is none that is followed. */
static uint8_t value_of(const struct model *d, uint32_t i, const struct term *t, const struct term *copies,
                        bool *negative)
{
    const struct folded *folded = model_folded_at(d, i);
    struct term of = t->kind == TERM_STEP ? copies[t->step] : *t;

    of.negate ^= t->kind == TERM_STEP && t->negate;
    if (of.kind != TERM_OPERAND || !folded)
        return 0;
    *negative = of.negate ^ is_negative(program_operand(d->p, program_insn(d->p, i)->src + of.operand));
    return folded->alike[of.operand][of.component];
}

/* Whether a term is 2.0 or -2.0. */
static bool is_two(const struct model *d, uint32_t i, const struct term *t, bool *negative)
{
    const struct folded *folded = model_folded_at(d, i);
    uint32_t word;

    if (t->kind != TERM_OPERAND || !folded || !(folded->factors[t->operand] >> t->component & 1))
        return false;
    word = (uint32_t)folded->numbers[t->operand][t->component] ^ (t->negate ? 0x80000000u : 0);
    *negative = word >> 31;
    return (word & 0x7fffffff) == TWO;
}

bool eval_is_copy_of_double(const struct model *d, uint32_t i, const struct term factor[2], const struct term *addend,
                            bool negate, const struct term *copies, struct term *copy)
{
    for (unsigned k = 0; k < 2; k++) {
        bool two, once, less;
        uint8_t value = value_of(d, i, &factor[1 - k], copies, &once);
        if (!value || !is_two(d, i, &factor[k], &two) || value_of(d, i, addend, copies, &less) != value ||
            (two ^ negate ^ once) == less)
            continue;
        *copy = factor[1 - k].kind == TERM_STEP ? copies[factor[1 - k].step] : factor[1 - k];
        copy->negate ^= two ^ negate ^ (factor[1 - k].kind == TERM_STEP && factor[1 - k].negate);
        return true;
    }
    return false;
}

bool eval_has_doubled_steps(const struct model *d, uint32_t i, const struct insn *insn)
{
    const struct folded *folded = model_folded_at(d, i);
    struct sum_step steps[MAX_SUM_STEPS];
    struct term copies[MAX_SUM_STEPS] = {{0}};
    bool any = false;

    for (unsigned c = 0; folded && has_doubles(insn, folded) && !eval_is_half_of(d->p, d->nvidia, insn) && c < 4; c++) {
        unsigned n = insn->dst.mask >> c & 1 ? eval_all_steps(d, i, c, steps) : 0;
        for (unsigned k = 0; k < n; k++) {
            copies[k] = (struct term){.kind = TERM_WORD};
            any |= steps[k].kind == STEP_OF_BOTH &&
                   eval_is_copy_of_double(d, i, steps[k].term, &steps[k].term[2], false, copies, &copies[k]);
        }
    }
    return any;
}
