/* Signs of singles that are not known themselves, and sums (range.c). */
#include "model/analysis/range_internal.h"
#include "model/tables.h"

#define SIGN 0x80000000u
#define ONE 0x3f800000u

static uint32_t sum_of(uint32_t at, unsigned c)
{
    return (at + 1) << 3 | c;
}

static uint8_t sign_of_sum(unsigned a, unsigned b)
{
    unsigned both = a & b & (RANGE_NOT_BELOW | RANGE_NOT_ABOVE), sign = both;

    if (both & RANGE_NOT_BELOW)
        sign |= (a | b) & RANGE_ABOVE;
    if (both & RANGE_NOT_ABOVE)
        sign |= (a | b) & RANGE_BELOW;
    return (uint8_t)sign;
}

static uint8_t either_way(const struct range_reader *r, unsigned a, unsigned b)
{
    unsigned both = a & b & (RANGE_NOT_BELOW | RANGE_NOT_ABOVE);

    return r->insn->flags & INSN_PREC ? 0
           : both & RANGE_NOT_BELOW   ? RANGE_NOT_BELOW
                                      : (uint8_t)both; /* of zeros alone the compiler knows no more */
}

/* Of an operand: an element of an array of temporaries that a register names which is not known; one that is a variable
 * now; or what came through such a one. */
enum in_array { NOT_IN_ARRAY, BY_REGISTER, IS_ELEMENT, CAME_THROUGH };

static enum in_array in_array(const struct range_reader *r, unsigned n, unsigned c)
{
    const struct operand *o = eval_reader_operand(r, n);
    const struct known_value *v = eval_known_held(r->k, o, c);

    if (o->kind == OPND_SYMBOL && o->nindices && program_symbol(r->k->p, o->ref)->kind == SYM_TEMP)
        return program_index(r->k->p, o->index)->mode == INDEX_RELATIVE ? BY_REGISTER : NOT_IN_ARRAY;
    return !v || !v->range.reached ? NOT_IN_ARRAY : o->ref >= r->k->ends->symbols ? IS_ELEMENT : CAME_THROUGH;
}

/* Whether a product is a square. What a copy leaves in an array that the text indexes by a register is a value of its
 * own. */
static bool is_square(const struct range_reader *r, unsigned ca, unsigned cb)
{
    const struct operand *a = eval_reader_operand(r, 0), *b = eval_reader_operand(r, 1);
    enum in_array x = in_array(r, 0, ca), y = in_array(r, 1, cb);

    if (eval_known_same_words(r->k, a, b, ca, cb))
        return x != BY_REGISTER;
    return !x == !y && x != BY_REGISTER && y != BY_REGISTER && !(x == IS_ELEMENT && y == IS_ELEMENT) &&
           eval_known_same(r->k, a, b, ca, cb);
}

static bool squares(const struct range_reader *r, unsigned n)
{
    bool all = true;

    for (unsigned c = 0; c < n; c++)
        all &= is_square(r, c, c);
    return all;
}

static uint8_t sign_of_product(const struct range_reader *r)
{
    return is_square(r, eval_reader_component(r, 0), eval_reader_component(r, 1)) ? RANGE_NOT_BELOW : 0;
}

/* Whether a factor is 1.0 or -1.0: a literal, or a parameter that is a constant of the program. */
static bool is_one_factor(const struct range_reader *r, unsigned n, bool *flip)
{
    const struct operand *o = eval_reader_operand(r, n);
    unsigned c = r->insn->op == OP_DIV ? 0 : r->component;
    uint64_t word;

    if (o->kind != OPND_SYMBOL || program_symbol(r->k->p, o->ref)->kind != SYM_PARAM)
        return eval_is_one(r->k->p, o, c, flip);
    if (!eval_known_operand(r->k, o, c, DT_F32, &word))
        return false;
    *flip = word & SIGN;
    return (word & ~(uint64_t)SIGN) == ONE;
}

static struct value_range of_copied_factor(const struct range_reader *r)
{
    bool flip = false;

    for (unsigned n = r->insn->op == OP_DIV; n < 2; n++)
        if (is_one_factor(r, n, &flip))
            return flip ? range_negated(eval_reader_source(r, 1 - n)) : eval_reader_source(r, 1 - n);
    return (struct value_range){.sign = r->insn->op == OP_MUL ? sign_of_product(r) : 0};
}

static struct value_range of_sum(const struct range_reader *r, uint32_t at)
{
    struct operand terms[2];
    struct value_range a, b, t = {0};

    if (!eval_terms(r->k->p, r->insn, r->component, terms)) {
        bool square = r->insn->op == OP_MAD && is_square(r, r->component, r->component);
        t.sign = square ? sign_of_sum(RANGE_NOT_BELOW, eval_reader_source(r, 2).sign) : 0;
        return t;
    }
    a = range_of_operand(r->k, &terms[0], r->component, DT_F32);
    b = range_of_operand(r->k, &terms[1], r->component, DT_F32);
    t.sign = sign_of_sum(a.sign, b.sign);
    t.sum = at == NO_INDEX ? 0 : sum_of(at, r->component);
    return t;
}

static struct value_range of_choice(const struct range_reader *r)
{
    uint64_t word;

    if (r->insn->flags & INSN_PREC || !eval_known_operand(r->k, eval_reader_operand(r, 0), r->component, DT_F32, &word))
        return (struct value_range){.sign =
                                        either_way(r, eval_reader_source(r, 1).sign, eval_reader_source(r, 2).sign)};
    return eval_reader_source(r, word >= 0x80800000u && word <= 0xff800000u ? 1 : 2);
}

struct value_range range_of_float(const struct range_reader *r, uint32_t at)
{
    unsigned sign = 0;

    switch (r->insn->op) {
    case OP_MUL: case OP_DIV:
        return of_copied_factor(r);
    case OP_ADD: case OP_SUB: case OP_MAD:
        return of_sum(r, at);
    case OP_MIN: case OP_MAX:
        if (eval_reader_same(r, r->component))
            return eval_reader_source(r, 0);
        sign = either_way(r, eval_reader_source(r, 0).sign, eval_reader_source(r, 1).sign);
        break;
    case OP_CMP: return of_choice(r);
    case OP_DP2: sign = squares(r, 2) ? RANGE_NOT_BELOW : 0; break;
    case OP_DP3: sign = squares(r, 3) ? RANGE_NOT_BELOW : 0; break;
    case OP_DP4: sign = squares(r, 4) ? RANGE_NOT_BELOW : 0; break;
    case OP_DP2A: sign = squares(r, 2) ? sign_of_sum(RANGE_NOT_BELOW, eval_reader_source(r, 2).sign) : 0; break;
    case OP_POW:
        sign = eval_reader_source(r, 0).sign & RANGE_ABOVE && eval_reader_operand(r, 0)->kind == OPND_CONSTANT
                   ? 0
                   : RANGE_NOT_BELOW;
        break;
    case OP_EX2: sign = RANGE_NOT_BELOW; break;
    case OP_DST:
        sign = r->component == 1 ? (is_square(r, 1, 1) ? RANGE_NOT_BELOW : 0)
               : r->component > 1 ? eval_reader_source(r, r->component - 2).sign
                                  : 0;
        break;
    default: break;
    }
    return (struct value_range){.sign = (uint16_t)sign};
}
