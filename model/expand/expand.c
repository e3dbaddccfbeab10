#include "model/expand/expand.h"
#include "eval/numeric/libm_fold.h"

#include <string.h>

struct builder {
    const struct model *d;
    const struct insn *insn;
    const struct folded *folded;
    struct sum_step *steps;
    unsigned n;
};

/* ---- numbers ------------------------------------------------------------------------------------------------ */

static struct term operand(unsigned k, unsigned c)
{
    return (struct term){.kind = TERM_OPERAND, .operand = (uint8_t)k, .component = (uint8_t)c};
}

static struct term negative(struct term t)
{
    t.negate = !t.negate;
    return t;
}

/* Of two operands that are multiplied, at these components: whether one is known to be 1.0 or -1.0, and then what is
 * left. */
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

/* ---- what the compiler knows -------------------------------------------------------------------------------- */

static struct term number(uint32_t word)
{
    return (struct term){.kind = TERM_WORD, .word = word};
}

/* ---- steps -------------------------------------------------------------------------------------------------- */

static struct term append(struct builder *b, enum sum_step_kind kind, struct term x, struct term y, struct term z,
                          unsigned slot)
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

/* ---- instructions ------------------------------------------------------------------------------------------- */

static struct term dot(struct builder *b, unsigned n)
{
    struct term t = product(b, operand(0, 0), operand(1, 0), 0);

    for (unsigned k = 1; k < n; k++)
        t = both(b, operand(0, k), operand(1, k), t, k);
    return t;
}

static struct term multiply_add(struct builder *b, unsigned c)
{
    if (b->folded && b->folded->part >> c & 1 && b->insn->type != DT_F64)
        return sum(b, number((uint32_t)b->folded->word[c]), operand(2, c), c);
    return both(b, operand(0, c), operand(1, c), operand(2, c), c);
}

/* x and z are the same sum, and so are y and w. */
static struct term rotate(struct builder *b, unsigned c)
{
    unsigned row = c & 1;
    struct term t =
        both(b, operand(1, 0), operand(2, 2 * row), operand(0, row), 2 * row);

    return both(b, operand(1, 1), operand(2, 2 * row + 1), t, 2 * row + 1);
}

static struct term interpolate(struct builder *b, unsigned c)
{
    struct term t = sum(b, operand(1, c), negative(operand(2, c)), c);

    return both(b, operand(0, c), t, operand(2, c), 4 + c);
}

/* What the first operand has with itself. */
static struct term square(struct builder *b)
{
    struct term t = product(b, operand(0, 0), operand(0, 0), SQUARE_SLOT);

    for (unsigned k = 1; k < 3; k++)
        t = both(b, operand(0, k), operand(0, k), t, SQUARE_SLOT + k);
    return t;
}

/* 2 (a . b) / (a . a) of each component of a, less b. In fragment programs the 2 comes last. */
static struct term reflect(struct builder *b, unsigned c)
{
    struct term t = dot(b, 3), two = number(0x40000000),
                scale = append(b, STEP_OF_INVERSE, square(b), (struct term){0}, (struct term){0}, SQUARE_SLOT + 3);
    bool late = profile_table[b->d->p->profile].stage_id == STAGE_FRAGMENT;

    t = product(b, product(b, t, late ? scale : two, 6), late ? two : scale, 7);
    if (t.kind == TERM_STEP)        /* something multiplies with it */
        b->steps[t.step].shared = b->insn->dst.mask & 7 & ~(b->folded ? b->folded->ones[0] : 0u);
    return both(b, t, operand(0, c), negative(operand(1, c)), 3 + c);
}

static struct term last_of(struct builder *b, unsigned c)
{
    switch (b->insn->op) {
    case OP_ADD: return sum(b, operand(0, c), operand(1, c), c);
    case OP_SUB: return sum(b, operand(0, c), negative(operand(1, c)), c);
    case OP_MAD: return multiply_add(b, c);
    case OP_DP2: return dot(b, 2);
    case OP_DP3: return dot(b, 3);
    case OP_DP4: return dot(b, 4);
    case OP_DPH: return sum(b, dot(b, 3), operand(1, 3), 3);
    case OP_DP2A: return sum(b, dot(b, 2), operand(2, 0), 2);
    case OP_X2D: return rotate(b, c);
    case OP_LRP: return interpolate(b, c);
    case OP_RFL: return c < 3 ? reflect(b, c) : number(0);
    default: return number(0);
    }
}

static unsigned build(struct builder *b, uint32_t i, unsigned c)
{
    struct term last;

    b->insn = program_insn(b->d->p, i);
    b->folded = model_folded_at(b->d, i);
    last = last_of(b, c);
    if (last.kind == TERM_WORD && !(b->insn->op == OP_RFL && c == 3))       /* known, and not folded */
        last = append(b, STEP_OF_BOTH, last, number(0x3f800000), number(0x80000000), c);
    return last.kind == TERM_STEP && last.step + 1u == b->n ? b->n : 0;
}

unsigned eval_all_steps(const struct model *d, uint32_t i, unsigned c, struct sum_step steps[MAX_SUM_STEPS])
{
    return build(&(struct builder){.d = d, .steps = steps}, i, c);
}

/* Whether sums of an instruction may take products in. */
static bool sums_up(const struct model *d, const struct insn *insn)
{
    bool of_two = insn->op == OP_ADD || insn->op == OP_SUB || insn->op == OP_MAD;
    enum insn_precision precision = eval_sum_precision(d->p, d->nvidia, insn);

    return !(insn->flags & INSN_PREC) && (of_two || has_pass(d, PASS_expand)) &&
           (precision == PREC_SINGLE || (of_two && precision != PREC_NONE));
}

unsigned model_sum_steps(const struct model *d, uint32_t i, unsigned c, struct sum_step steps[MAX_SUM_STEPS])
{
    unsigned n =
        sums_up(d, program_insn(d->p, i)) && !(model_folded(d, i) >> c & 1) ? eval_all_steps(d, i, c, steps) : 0;

    for (unsigned k = 0; k < n; k++)
        if (steps[k].kind == STEP_OF_SUM)
            return n;
    return 0;
}
