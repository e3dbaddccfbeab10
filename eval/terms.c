#include "eval/terms.h"
#include "eval/exact.h"

#include <string.h>

struct builder {
    const struct decoder *d;
    const struct insn *insn;
    const struct folded *folded;
    struct sum_step *steps;
    unsigned n;
};

enum precision eval_precision(const struct decoder *d, const struct insn *insn)
{
    const struct symbol *s = insn->dst.kind == OPND_SYMBOL ? program_symbol(d->p, insn->dst.ref) : NULL;
    uint8_t size = s ? s->size : SIZE_DEFAULT;

    if (insn->type == DT_F64)
        return size == SIZE_LONG ? PREC_DOUBLE : PREC_NONE;
    if (size == SIZE_LONG)
        return PREC_NONE;
    if (eval_drops_half(insn))
        return size == SIZE_SHORT ? PREC_NONE : PREC_SINGLE;
    if (insn->type == DT_F16 || insn->flags & INSN_HALF)
        return PREC_HALF;
    if (insn->type != DT_F32)
        return PREC_NONE;
    return size == SIZE_SHORT ? PREC_HALF : PREC_SINGLE;
}

enum precision eval_sum_precision(const struct decoder *d, const struct insn *insn)
{
    bool widened = insn->type == DT_F32 && program_is_long(d->p, insn->dst.kind, insn->dst.ref) && !eval_is_half(d, insn);

    return widened ? PREC_SINGLE : eval_precision(d, insn);
}

/* ---- numbers ------------------------------------------------------------------------------------------------------------- */

static struct term operand(unsigned k, unsigned c)
{
    return (struct term){.kind = TERM_OPERAND, .operand = (uint8_t)k, .component = (uint8_t)c};
}

static struct term negative(struct term t)
{
    t.negate = !t.negate;
    return t;
}

/* Of two operands that are multiplied, at these components: whether one is known to be 1.0 or -1.0, and then what is left. */
static bool copies(const struct builder *b, struct term x, struct term y, struct term *left)
{
    for (unsigned k = 0; k < 2 && b->folded; k++) {
        struct term one = k ? y : x;
        *left = k ? x : y;
        if (one.kind != TERM_OPERAND || !(b->folded->ones[one.operand] >> one.component & 1))
            continue;
        left->negate ^= (b->folded->minus[one.operand] >> one.component & 1) ^ one.negate;
        return true;
    }
    return false;
}

/* ---- steps --------------------------------------------------------------------------------------------------------------- */

static struct term append(struct builder *b, enum sum_step_kind kind, struct term x, struct term y, struct term z, unsigned slot)
{
    b->steps[b->n] = (struct sum_step){.kind = kind, .term = {x, y, z}, .slot = (uint8_t)slot};
    return (struct term){.kind = TERM_STEP, .step = (uint8_t)b->n++};
}

static struct term sum(struct builder *b, struct term x, struct term z, unsigned slot)
{
    return append(b, STEP_OF_SUM, x, (struct term){0}, z, slot);
}

static struct term product(struct builder *b, struct term x, struct term y, unsigned slot)
{
    struct term left;

    return copies(b, x, y, &left) ? left : append(b, STEP_OF_PRODUCT, x, y, (struct term){0}, slot);
}

static struct term both(struct builder *b, struct term x, struct term y, struct term z, unsigned slot)
{
    struct term left;

    return copies(b, x, y, &left) ? sum(b, left, z, slot) : append(b, STEP_OF_BOTH, x, y, z, slot);
}

/* ---- instructions -------------------------------------------------------------------------------------------------------- */

static struct term dot(struct builder *b, unsigned n)
{
    struct term t = product(b, operand(0, 0), operand(1, 0), 0);

    for (unsigned k = 1; k < n; k++)
        t = both(b, operand(0, k), operand(1, k), t, k);
    return t;
}

static void multiply_add(struct builder *b, unsigned c)
{
    if (b->folded && b->folded->part >> c & 1 && b->insn->type != DT_F64)
        sum(b, (struct term){.kind = TERM_WORD, .word = (uint32_t)b->folded->word[c]}, operand(2, c), c);
    else
        both(b, operand(0, c), operand(1, c), operand(2, c), c);
}

/* x and z are the same sum, and so are y and w. */
static void rotate(struct builder *b, unsigned c)
{
    unsigned row = c & 1;
    struct term t = both(b, operand(1, 0), operand(2, 2 * row), operand(0, row), 2 * row);

    both(b, operand(1, 1), operand(2, 2 * row + 1), t, 2 * row + 1);
}

static void interpolate(struct builder *b, unsigned c)
{
    struct term t = sum(b, operand(1, c), negative(operand(2, c)), c);

    both(b, operand(0, c), t, operand(2, c), 4 + c);
}

/* Of a known vector the reciprocal of what it has with itself. */
static bool known_reciprocal(const struct builder *b, uint32_t *word)
{
    const struct folded *f = b->folded;
    uint32_t square;

    if (!f || ~f->factors[0] & 7 || f->factors[1] & 7 || b->insn->flags & INSN_PREC)
        return false;
    square = exact_product((uint32_t)f->numbers[0][0], (uint32_t)f->numbers[0][0], false);
    for (unsigned k = 1; k < 3 && square != EXACT_NAN; k++)
        square = exact_fused((uint32_t)f->numbers[0][k], (uint32_t)f->numbers[0][k], square);
    *word = square == EXACT_NAN ? EXACT_NAN : exact_function(EXACT_RCP, square);
    return *word != EXACT_NAN;
}

static struct term number(uint32_t word)
{
    return (struct term){.kind = TERM_WORD, .word = word};
}

/* Of a known vector. */
static void reflect(struct builder *b, unsigned c)
{
    struct term t;
    uint32_t word;

    if (c > 2 || !known_reciprocal(b, &word))
        return;
    if (eval_is_scale(word)) {
        t = append(b, STEP_OF_PRODUCT, dot(b, 3), number(exact_product(word, 0x40000000, false)), (struct term){0}, 7);
    } else {
        t = append(b, STEP_OF_PRODUCT, dot(b, 3), number(0x40000000), (struct term){0}, 6);
        t = append(b, STEP_OF_PRODUCT, t, number(word), (struct term){0}, 7);
    }
    b->steps[t.step].shared = b->insn->dst.mask & 7 & ~b->folded->ones[0];     /* something multiplies with it */
    both(b, t, operand(0, c), negative(operand(1, c)), 3 + c);
}

unsigned eval_all_steps(const struct decoder *d, uint32_t i, unsigned c, struct sum_step steps[MAX_SUM_STEPS])
{
    const struct insn *insn = program_insn(d->p, i);
    struct builder b = {.d = d, .insn = insn, .folded = eval_folded_at(d, i), .steps = steps};

    switch (insn->op) {
    case OP_ADD: sum(&b, operand(0, c), operand(1, c), c); break;
    case OP_SUB: sum(&b, operand(0, c), negative(operand(1, c)), c); break;
    case OP_MAD: multiply_add(&b, c); break;
    case OP_DP2: dot(&b, 2); break;
    case OP_DP3: dot(&b, 3); break;
    case OP_DP4: dot(&b, 4); break;
    case OP_DPH: sum(&b, dot(&b, 3), operand(1, 3), 3); break;
    case OP_DP2A: sum(&b, dot(&b, 2), operand(2, 0), 2); break;
    case OP_X2D: rotate(&b, c); break;
    case OP_LRP: interpolate(&b, c); break;
    case OP_RFL: reflect(&b, c); break;
    default: break;
    }
    return b.n;
}

/* Whether sums of an instruction may take products in. */
static bool sums_up(const struct decoder *d, const struct insn *insn)
{
    bool of_two = insn->op == OP_ADD || insn->op == OP_SUB || insn->op == OP_MAD;
    enum precision precision = eval_sum_precision(d, insn);

    return !(insn->flags & INSN_PREC) && (precision == PREC_SINGLE || (of_two && precision != PREC_NONE));
}

unsigned eval_sum_steps(const struct decoder *d, uint32_t i, unsigned c, struct sum_step steps[MAX_SUM_STEPS])
{
    unsigned n = sums_up(d, program_insn(d->p, i)) && !(eval_folded(d, i) >> c & 1) ? eval_all_steps(d, i, c, steps) : 0;

    for (unsigned k = 0; k < n; k++)
        if (steps[k].kind == STEP_OF_SUM)
            return n;
    return 0;
}
