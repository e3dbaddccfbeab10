/* Operations on vectors some of whose components the compiler knows (docs/numbers.md, "What is known in part"): they
 * are products and multiply-adds to it, of which it computes itself what has known operands; the product of two known
 * factors is added as it is, and where it is added to a product, that is taken in. Here NRM and half arithmetic; the
 * others as sums that take products in (expand.h). */
#include "eval/numeric/half_fold.h"
#include "eval/decode/decode.h"
#include "eval/decode/variables.h"

#include <string.h>

#define NEGATIVE 0x80000000u

/* A number that is known, or a plane with what its words lose and gain. Of a product its factors. */
struct value {
    bool known;
    uint32_t word, plane, clear, flip;
    bool product;
    uint32_t factor[2], factor_clear[2], factor_flip[2];
};

struct stepper {
    struct decoder *d;
    const struct insn *insn;
    bool half;                  /* half arithmetic */
    struct value operand[3][4];
    bool ok;
};

static struct value number(uint32_t word)
{
    return (struct value){.known = true, .word = word};
}

static struct value negated(struct value v)
{
    v.word ^= NEGATIVE;
    v.flip ^= NEGATIVE;
    v.product = false;
    return v;
}

/* One operation at run time. */
static struct value computed(struct stepper *s, uint16_t operation, const struct value *v, unsigned n)
{
    struct kernel_request want = eval_request(s->d, operation, s->half ? DT_F16 : DT_F32);
    struct lane_op op = {.n = 1};
    struct value r = {.product = operation == OP_MUL};
    uint32_t plane[4] = {0};

    want.type2 = want.type;
    for (unsigned k = 0; k < n; k++) {
        uint32_t plane = v[k].known ? eval_layout_word(&s->d->layout, v[k].word) : v[k].plane;
        for (unsigned i = 0; i < 4; i++)
            op.src[k][i] = plane;
        op.clear[k] = v[k].known ? 0 : v[k].clear;
        op.flip[k] = v[k].known ? 0 : v[k].flip;
        if (k < 2) {
            r.factor[k] = plane;
            r.factor_clear[k] = op.clear[k];
            r.factor_flip[k] = op.flip[k];
        }
    }
    s->ok = s->ok && eval_partial(s->d, s->insn, want, &op, plane);
    r.plane = plane[0];
    return r;
}

/* What the compiler makes of two known factors, or EXACT_NAN. */
static uint32_t known_product(const struct stepper *s, struct value a, struct value b)
{
    if (!a.known || !b.known)
        return EXACT_NAN;
    return s->half ? eval_half_product(a.word, b.word) : exact_product(a.word, b.word, false);
}

static struct value product(struct stepper *s, struct value a, struct value b)
{
    uint32_t word = known_product(s, a, b);

    return word != EXACT_NAN ? number(word) : computed(s, OP_MUL, (const struct value[]){a, b}, 2);
}

/* a * b + c */
static struct value fused(struct stepper *s, struct value a, struct value b, struct value c)
{
    uint32_t word = known_product(s, a, b), all = EXACT_NAN;

    if (word != EXACT_NAN && c.known)
        all = s->half ? eval_half_fused(a.word, b.word, c.word) : exact_fused(a.word, b.word, c.word);
    if (all != EXACT_NAN)
        return number(all);
    if (word == EXACT_NAN || c.known)
        return computed(s, OP_MAD, (const struct value[]){a, b, c}, 3);
    if (!c.product)
        return computed(s, OP_ADD, (const struct value[]){number(word), c}, 2);
    return computed(s, OP_MAD,
                    (const struct value[]){{.plane = c.factor[0], .clear = c.factor_clear[0], .flip = c.factor_flip[0]},
                                           {.plane = c.factor[1], .clear = c.factor_clear[1], .flip = c.factor_flip[1]},
                                           number(word)},
                    3);
}

static struct value function(struct stepper *s, uint16_t operation, enum exact_function f, struct value a)
{
    uint32_t word = !a.known ? EXACT_NAN : s->half ? eval_half_function(f, a.word) : exact_function(f, a.word);

    return word != EXACT_NAN ? number(word) : computed(s, operation, &a, 1);
}

static struct value sum(struct stepper *s, struct value a, struct value b)
{
    uint32_t word = !a.known || !b.known ? EXACT_NAN
                    : s->half            ? eval_half_sum(a.word, b.word)
                                         : exact_sum(a.word, b.word, false);

    return word != EXACT_NAN ? number(word) : computed(s, OP_ADD, (const struct value[]){a, b}, 2);
}

static struct value dot(struct stepper *s, const struct value *a, const struct value *b, unsigned n)
{
    struct value r = product(s, a[0], b[0]);

    for (unsigned i = 1; i < n; i++)
        r = fused(s, a[i], b[i], r);
    return r;
}

/* What all components of the result have in common. */
static struct value common(struct stepper *s, const struct insn *insn)
{
    struct value *a = s->operand[0], *b = s->operand[1], square;

    switch (insn->op) {
    case OP_DP2: return dot(s, a, b, 2);
    case OP_DP3: return dot(s, a, b, 3);
    case OP_DP4: return dot(s, a, b, 4);
    case OP_DPH: return sum(s, dot(s, a, b, 3), b[3]);
    case OP_DP2A: return sum(s, dot(s, a, b, 2), s->operand[2][0]);
    case OP_NRM: return function(s, OP_RSQ, EXACT_RSQ, dot(s, a, a, 3));
    case OP_RFL:
        square = function(s, OP_RCP, EXACT_RCP, dot(s, a, a, 3));
        if (square.known && !s->half && eval_is_scale(square.word))
            return product(s, dot(s, a, b, 3), product(s, square, number(0x40000000)));
        return product(s, product(s, dot(s, a, b, 3), number(0x40000000)), square);
    default: return number(0);
    }
}

static struct value component(struct stepper *s, const struct insn *insn, const struct value *shared, unsigned c)
{
    struct value *a = s->operand[0], *b = s->operand[1], *z = s->operand[2] + (c & 1) * 2;

    switch (insn->op) {
    case OP_NRM: return product(s, a[c], *shared);
    case OP_RFL: return fused(s, *shared, a[c], negated(b[c]));
    case OP_X2D: return fused(s, b[1], z[1], fused(s, b[0], z[0], a[c & 1]));
    default: return *shared;
    }
}

static bool load(struct stepper *s, const struct insn *insn, const struct folded *folded)
{
    for (unsigned k = 0; k < insn->nsrc; k++) {
        struct fetched f;
        if (!eval_fetch(s->d, program_operand(s->d->p, insn->src + k), DT_F32, 15, true, &f))
            return false;
        for (unsigned i = 0; i < 4; i++)
            s->operand[k][i] = folded->factors[k] >> i & 1
                                   ? number((uint32_t)folded->numbers[k][i])
                                   : (struct value){.plane = f.plane[i], .clear = f.clear, .flip = f.flip};
    }
    return true;
}

/* Whether two factors that meet are known, or all that a function is made of. */
static bool worth_it(const struct insn *insn, const uint8_t known[3])
{
    uint8_t both = insn->op == OP_NRM   ? known[0]
                   : insn->op == OP_RFL ? known[0] | (known[0] & known[1])
                                        : known[0] & known[1];

    return insn->op == OP_X2D ? known[1] & known[2] || (known[1] & 3 && known[2] & 15) : both != 0;
}

bool eval_decode_partly_known(struct decoder *d, const struct insn *insn, bool *done)
{
    const struct folded *folded = eval_folded_at(d, d->insn);
    struct stepper s = {.d = d, .insn = insn, .half = eval_is_half(d, insn), .ok = true};
    uint32_t result[4] = {0};
    struct value shared;
    uint8_t comp[4];
    unsigned n = eval_components(insn->dst.mask, comp);

    bool reflects = insn->op == OP_RFL && profile_table[d->p->profile].stage_id == STAGE_FRAGMENT;

    if ((!folded && !reflects) || !n || !eval_has_steps(insn) || eval_takes_products(d, d->insn))
        return true;
    if (insn->op != OP_NRM && eval_sum_precision(d->p, true, program_insn(d->p, d->insn)) == PREC_SINGLE) {
        *done = reflects || model_knows_steps(&d->model, d->insn);
        return !*done || eval_decode_steps(d, insn, NULL);
    }
    if (!folded)
        return true;
    if (!worth_it(insn, folded->factors))
        return true;
    *done = true;
    if (!load(&s, insn, folded))
        return false;
    shared = common(&s, insn);
    for (unsigned i = 0; i < n; i++) {
        struct value v = component(&s, insn, &shared, comp[i]);
        result[i] = v.known ? eval_layout_word(&d->layout, v.word) : v.plane;
    }
    if (!s.ok)
        return false;
    if (insn->flags & (INSN_SAT | INSN_SSAT) &&
        !eval_after(d, eval_request(d, insn->flags & INSN_SAT ? EVAL_OP_SAT : EVAL_OP_SSAT, DT_F32), n, result))
        return false;
    return eval_decode_result(d, insn, DT_F32, result, NULL, 0);
}
