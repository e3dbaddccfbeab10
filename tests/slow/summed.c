/* Sums inside instructions, and what is computed where they take products in: docs/semantics.md, "Contraction of MUL and ADD". */
#include "tests/slow/plan.h"

#include "eval/numeric/sfu.h"
#include "tests/scalar_model.h"

struct writer {
    const struct slow_program *p;
    const struct slow_place *place;
    struct slow_rounding *to;
    unsigned n;
    bool knows;                 /* singles: what the compiler knows of the operands counts */
};

static struct slow_number of_operand(unsigned k, unsigned c)
{
    return (struct slow_number){.from = NUMBER_OPERAND, .operand = (uint8_t)k, .c = (uint8_t)c};
}

static struct slow_number put(struct writer *w, struct slow_rounding r, unsigned slot)
{
    r.slot = (uint8_t)slot;
    w->to[w->n] = r;
    return (struct slow_number){.from = NUMBER_ROUND, .round = (uint8_t)w->n++};
}

static struct slow_number add(struct writer *w, struct slow_number a, struct slow_number z, unsigned slot)
{
    return put(w, (struct slow_rounding){.what = ROUND_SUM, .a = a, .z = z}, slot);
}

/* What is left of a product when one factor is 1.0 or -1.0. */
static bool without_one(const struct writer *w, struct slow_number a, struct slow_number b, struct slow_number *rest)
{
    const struct slow_number *one = NULL;
    if (a.from == NUMBER_OPERAND && w->place->one[a.operand] >> a.c & 1) {
        one = &a;
        *rest = b;
    } else if (b.from == NUMBER_OPERAND && w->place->one[b.operand] >> b.c & 1) {
        one = &b;
        *rest = a;
    }
    if (one && w->place->minus[one->operand] >> one->c & 1)
        rest->negative = !rest->negative;
    return one != NULL;
}

/* A number that the compiler knows. */
static bool is_known(const struct writer *w, const struct slow_number *x, uint32_t *word)
{
    bool known = x->from == NUMBER_BITS;
    *word = x->bits;
    if (x->from == NUMBER_OPERAND && w->knows && w->place->fact[x->operand] >> x->c & 1) {
        known = true;
        *word = (uint32_t)w->place->facts[x->operand][x->c];
    }
    *word ^= x->negative ? 0x80000000u : 0;
    return known;
}

/* What two known factors make, if the compiler multiplies them. */
static bool known_product(const struct writer *w, const struct slow_number *a, const struct slow_number *b, uint32_t *word)
{
    uint32_t x, y;
    return w->knows && is_known(w, a, &x) && is_known(w, b, &y) && slow_known_product(x, y, word);
}

static struct slow_number of_bits(uint32_t bits)
{
    return (struct slow_number){.from = NUMBER_BITS, .bits = bits};
}

static struct slow_number multiply(struct writer *w, struct slow_number a, struct slow_number b, unsigned slot)
{
    struct slow_number rest;
    uint32_t word;
    if (known_product(w, &a, &b, &word))
        return of_bits(word);
    if (without_one(w, a, b, &rest))
        return rest;
    return put(w, (struct slow_rounding){.what = ROUND_PRODUCT, .a = a, .b = b}, slot);
}

/* Two known factors are multiplied before, but where a number is added: that is rounded once. */
static struct slow_number multiply_add(struct writer *w, struct slow_number a, struct slow_number b, struct slow_number z, unsigned slot)
{
    struct slow_number rest;
    uint32_t word, addend;
    if (known_product(w, &a, &b, &word)) {
        uint32_t x, y;
        if (!is_known(w, &z, &addend))
            return add(w, of_bits(word), z, slot);
        if (is_known(w, &a, &x) && is_known(w, &b, &y))
            return of_bits((uint32_t)slow_apply(w->p, OP_MAD, DT_F32, x, y, addend));
    }
    if (without_one(w, a, b, &rest))
        return add(w, rest, z, slot);
    return put(w, (struct slow_rounding){.what = ROUND_BOTH, .a = a, .b = b, .z = z}, slot);
}

static struct slow_number dot(struct writer *w, unsigned n)
{
    struct slow_number t = multiply(w, of_operand(0, 0), of_operand(1, 0), 0);
    for (unsigned k = 1; k < n; k++)
        t = multiply_add(w, of_operand(0, k), of_operand(1, k), t, k);
    return t;
}

/* The first operand with itself. What is known there is added to a product, if that comes before it, with one rounding. */
static struct slow_number squared(struct writer *w)
{
    struct slow_number a = of_operand(0, 0), t = multiply(w, a, a, SLOW_SLOTS);
    for (unsigned k = 1; k < 3; k++) {
        uint32_t word, before;
        a = of_operand(0, k);
        if (!known_product(w, &a, &a, &word) || is_known(w, &t, &before)) {
            t = multiply_add(w, a, a, t, SLOW_SLOTS + k);
        } else if (t.from == NUMBER_ROUND && w->to[t.round].what == ROUND_PRODUCT) {
            w->to[t.round].what = ROUND_BOTH;
            w->to[t.round].z = of_bits(word);
        } else {
            t = put(w, (struct slow_rounding){.what = ROUND_BOTH, .a = of_bits(word), .b = of_bits(0x3f800000), .z = t}, SLOW_SLOTS + k);
        }
    }
    return t;
}

static void reflect(struct writer *w, unsigned c)
{
    struct slow_number t = dot(w, 3), square = squared(w), minus = of_operand(1, c), inverse;
    uint32_t word, known;
    minus.negative = true;
    if (is_known(w, &square, &word) && slow_known_reciprocal(word, &known))
        inverse = of_bits(known);
    else
        inverse = put(w, (struct slow_rounding){.what = ROUND_INVERSE, .a = square}, SLOW_SLOTS + 3);
    if (inverse.from == NUMBER_BITS && slow_is_scale(inverse.bits)) {
        inverse.bits = (uint32_t)slow_apply(w->p, OP_MUL, DT_F32, inverse.bits, 0x40000000, 0);
    } else {
        t = multiply(w, t, of_bits(0x40000000), 6);
    }
    t = multiply(w, t, inverse, 7);
    if (t.from == NUMBER_ROUND)
        w->to[t.round].shared = program_insn(w->p->text, w->place->insn)->dst.mask & 7 & ~w->place->one[0];
    multiply_add(w, t, of_operand(0, c), minus, 3 + c);
}

/* The rounds of a component, whether there is a sum among them or not. */
static unsigned rounds_of(const struct slow_program *p, const struct slow_place *place, unsigned c, struct slow_rounding to[])
{
    const struct insn *insn = program_insn(p->text, place->insn);
    struct writer w = {p, place, to, 0, slow_knows_steps(p, insn)};
    struct slow_number t, a = of_operand(0, c), b = of_operand(1, c), z = of_operand(2, c), *const read[3] = {&a, &b, &z};
    for (unsigned k = 0; k < insn->nsrc && k < 3; k++)
        if (slow_operand_is_turned(p, insn, k, c))
            read[k]->from = NUMBER_BACK;        /* an earlier turn has written it */
    switch (insn->op) {
    case OP_ADD: add(&w, a, b, c); break;
    case OP_SUB: b.negative = true; add(&w, a, b, c); break;
    case OP_MAD:
        if (place->part >> c & 1 && insn->type != DT_F64)
            add(&w, (struct slow_number){.from = NUMBER_BITS, .bits = (uint32_t)place->word[c]}, z, c);
        else
            multiply_add(&w, a, b, z, c);
        break;
    case OP_DP2: dot(&w, 2); break;
    case OP_DP3: dot(&w, 3); break;
    case OP_DP4: dot(&w, 4); break;
    case OP_DPH: t = dot(&w, 3); add(&w, t, of_operand(1, 3), 3); break;
    case OP_DP2A: t = dot(&w, 2); add(&w, t, of_operand(2, 0), 2); break;
    case OP_X2D:
        a = of_operand(1, 0);
        z = of_operand(2, 2 * (c % 2));
        if (c % 2) {
            a.from = slow_reads_back(p, insn, 1) && insn->dst.mask & 1 ? NUMBER_BACK : NUMBER_OPERAND;
            z.from = slow_reads_back(p, insn, 2) && insn->dst.mask & 4 ? NUMBER_BACK : NUMBER_OPERAND;
        }
        t = multiply_add(&w, a, z, of_operand(0, c % 2), 2 * (c % 2));
        multiply_add(&w, of_operand(1, 1), of_operand(2, 2 * (c % 2) + 1), t, 2 * (c % 2) + 1);
        break;
    case OP_LRP:
        z.negative = true;
        t = add(&w, b, z, c);
        multiply_add(&w, a, t, of_operand(2, c), 4 + c);
        break;
    case OP_RFL:
        if (c < 3)
            reflect(&w, c);
        break;
    default: break;
    }
    return w.n;
}

unsigned slow_summed(const struct slow_program *p, const struct slow_place *place, unsigned c, struct slow_rounding rounds[SLOW_ROUNDINGS])
{
    const struct insn *insn = program_insn(p->text, place->insn);
    const struct symbol *s = insn->dst.kind == OPND_SYMBOL ? program_symbol(p->text, insn->dst.ref) : NULL;
    bool half = slow_is_half(p, insn), of_two = insn->op == OP_ADD || insn->op == OP_SUB || insn->op == OP_MAD;
    bool right = insn->type == DT_F64 ? of_two && s && s->size == SIZE_LONG
                 : half               ? of_two && !(s && s->size == SIZE_LONG) && slow_is_float(insn->type)
                                      : insn->type == DT_F32 || slow_drops_half(p, insn);
    unsigned n = right && !(insn->flags & INSN_PREC) && !(place->computed >> c & 1) ? rounds_of(p, place, c, rounds) : 0;
    for (unsigned k = 0; k < n; k++)
        if (rounds[k].what == ROUND_SUM)
            return n;
    return 0;
}

/* ---- at run time ------------------------------------------------------------------------------------------------------------------ */

struct runner {
    struct slow_lane *l;
    const struct insn *insn;
    struct slow_value (*s)[4];
    struct slow_rounding rounds[SLOW_ROUNDINGS];
    struct slow_number copies[SLOW_ROUNDINGS];      /* the operands that rounds are */
    uint64_t made[SLOW_ROUNDINGS];
};

static uint64_t number(const struct runner *r, const struct slow_number *x)
{
    unsigned type = slow_operand_type(r->insn, 0);
    uint64_t bits = x->from == NUMBER_OPERAND || x->from == NUMBER_BACK ? r->s[x->operand][x->c].bits : x->from == NUMBER_ROUND ? r->made[x->round] : x->bits;
    return x->negative ? slow_sign(r->l->group->program, type, OPND_NEGATE, bits) : bits;
}

/* The factors of what a sum takes in. */
static void factors(const struct runner *r, const struct slow_rounding *sum, const struct slow_taken *t, uint64_t f[2])
{
    const struct slow_program *p = r->l->group->program;
    const struct slow_number *x = t->second ? &sum->z : &sum->a;
    for (unsigned k = 0; k < 2; k++) {
        f[k] = t->own ? number(r, k ? &r->rounds[x->round].b : &r->rounds[x->round].a) : r->s[x->operand][x->c].factor[k];
        if (t->half)
            f[k] = slow_apply(p, EVAL_OP_HALF, DT_F32, f[k], 0, 0);
        if (t->magnitude)
            f[k] = slow_sign(p, DT_F32, OPND_ABSOLUTE, f[k]);
    }
    if (t->negative)
        f[0] = slow_sign(p, slow_operand_type(r->insn, 0), OPND_NEGATE, f[0]);
}

/* Whether a round is a copy of an operand, as twice that less it. */
static bool is_copy(struct runner *r, unsigned k, bool takes)
{
    const struct slow_program *p = r->l->group->program;
    const struct slow_rounding *x = &r->rounds[k], *own;
    const struct slow_taken *t = x->what == ROUND_SUM ? &r->l->here->taken[x->slot] : NULL;
    r->copies[k] = (struct slow_number){.from = NUMBER_BITS};
    if (x->what == ROUND_BOTH)
        return slow_is_double_less_once(p, r->l->here, (const struct slow_number[]){x->a, x->b}, &x->z, false, r->copies, &r->copies[k]);
    if (x->what != ROUND_SUM || !takes || !t->product || !t->own)
        return false;
    own = &r->rounds[(t->second ? &x->z : &x->a)->round];
    return slow_is_double_less_once(p, r->l->here, (const struct slow_number[]){own->a, own->b}, t->second ? &x->a : &x->z, t->negative, r->copies, &r->copies[k]);
}

static bool run_round(struct runner *r, unsigned k)
{
    const struct slow_program *p = r->l->group->program;
    const struct slow_rounding *x = &r->rounds[k];
    const struct slow_taken *t = x->what == ROUND_SUM ? &r->l->here->taken[x->slot] : NULL;
    struct slow_value of[3][4] = {{{0}}}, made[4];
    struct insn mad = *r->insn;
    uint64_t f[2] = {number(r, &x->a), number(r, &x->b)}, z = number(r, &x->z);
    mad.op = x->what == ROUND_PRODUCT ? OP_MUL : OP_MAD;
    if (x->what == ROUND_INVERSE) {
        r->made[k] = eval_sfu_rcp((uint32_t)f[0]);
        return true;
    }
    if (is_copy(r, k, true)) {
        const struct slow_number *copy = &r->copies[k];
        bool has_sign = copy->negative || operand_has_sign(program_operand(p->text, r->insn->src + copy->operand));
        r->made[k] = slow_moved(p, DT_F32, has_sign, number(r, copy));
        return true;
    }
    if (x->what == ROUND_SUM && t->product) {
        factors(r, x, t, f);
        z = number(r, t->second ? &x->a : &x->z);
        if (t->unrounded) {
            const struct slow_number *other = t->second ? &x->a : &x->z;
            const uint64_t *of_halves = r->s[other->operand][other->c].factor;
            z = slow_apply(p, OP_MUL, DT_F32, slow_apply(p, EVAL_OP_HALF, DT_F32, of_halves[0], 0, 0),
                           slow_apply(p, EVAL_OP_HALF, DT_F32, of_halves[1], 0, 0), 0);
            z = t->other_magnitude ? slow_sign(p, DT_F32, OPND_ABSOLUTE, z) : z;
            z = t->other_negative ? slow_sign(p, DT_F32, OPND_NEGATE, z) : z;
        }
    } else if (x->what == ROUND_SUM) {
        mad.op = OP_ADD;
        f[1] = z;
    }
    mad.nsrc = mad.op == OP_MAD ? 3 : 2;
    mad.dst.mask = 1;
    mad.flags &= ~(uint32_t)(INSN_SAT | INSN_SSAT);
    of[0][0].bits = f[0];
    of[1][0].bits = f[1];
    of[2][0].bits = z;
    if (!slow_compute(p, &mad, of, made))
        return false;
    r->made[k] = made[0].bits;
    return true;
}

/* Whether anything that is known counts. */
static bool knows(const struct slow_program *p, const struct slow_place *place, const struct insn *insn)
{
    return slow_knows_steps(p, insn) && (place->fact[0] | place->fact[1] | place->fact[2]);
}

bool slow_compute_summed(struct slow_lane *l, const struct insn *insn, struct slow_value s[3][4], struct slow_value result[4])
{
    struct runner r = {.l = l, .insn = insn, .s = s};
    const struct slow_program *p = l->group->program;
    for (unsigned c = 0; c < 4; c++) {
        unsigned n = slow_summed(p, l->here, c, r.rounds);
        bool takes = false;
        for (unsigned k = 0; k < n; k++)
            takes |= r.rounds[k].what == ROUND_SUM && l->here->taken[r.rounds[k].slot].product;
        if (!takes && !slow_is_half(p, insn) && !(l->here->computed >> c & 1) && insn->type == DT_F32 && !(insn->flags & (INSN_PREC | INSN_HALF))) {
            n = rounds_of(p, l->here, c, r.rounds);
            for (unsigned k = 0; k < n; k++)
                takes |= is_copy(&r, k, false);
        }
        if (!takes && !(l->here->computed >> c & 1) && knows(p, l->here, insn)) {
            n = rounds_of(p, l->here, c, r.rounds);
            takes = n > 0;
        }
        if (!takes || !(insn->dst.mask >> c & 1))
            continue;
        for (unsigned k = 0; k < n; k++)
            if (!run_round(&r, k))
                return false;
        result[c].bits = slow_saturate(p, slow_result_type(insn), slow_loses_clamp(p, insn) ? 0 : insn->flags, r.made[n - 1]);
        if (insn->op == OP_ADD || insn->op == OP_SUB) {     /* a word that went through a SHORT variable is undefined, and its factors are not */
            bool second = l->here->taken[r.rounds[n - 1].slot].second;
            result[c].open = s[second][c].open_factor || s[!second][c].open;
        }
    }
    return true;
}
