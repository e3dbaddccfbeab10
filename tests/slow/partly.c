/* Operands that the compiler knows where it does not compute the result: the signs of NaNs of doubles, and the steps of vector
 * operations (docs/numbers.md, "What is known in part"). */
#include "tests/slow/plan.h"

#include "eval/numeric/sfu.h"
#include "tests/scalar_soft.h"

static bool has_steps(const struct insn *insn)
{
    switch (insn->op) {
    case OP_DP2: case OP_DP3: case OP_DP4: case OP_DPH: case OP_DP2A: case OP_X2D: case OP_RFL: case OP_NRM:
        return (insn->type == DT_F32 || insn->type == DT_F16) && !(insn->flags & INSN_PREC);
    default: return false;
    }
}

bool slow_knows_steps(const struct slow_program *p, const struct insn *insn)
{
    const struct symbol *s = insn->dst.kind == OPND_SYMBOL ? program_symbol(p->text, insn->dst.ref) : NULL;
    return p->nvidia && has_steps(insn) && insn->op != OP_NRM && !slow_is_half(p, insn) && !(slow_drops_half(p, insn) && s && s->size == SIZE_SHORT);
}

bool slow_known_narrow(const struct slow_knowledge *k, struct operand o, unsigned c, struct slow_known *v)
{
    o.flags &= (uint16_t)~OPND_SIGNS;
    return o.kind != OPND_CONSTANT && o.kind != OPND_EXTENDED && !program_is_long(k->p->text, o.kind, o.ref) && !slow_is_short(k->p, o.kind, o.ref) &&
           slow_known_operand(k, &o, c, DT_F32, v) && !v->loose;
}

void slow_note_narrow(const struct slow_knowledge *k, const struct insn *insn, unsigned c, struct slow_place *place)
{
    for (unsigned n = 0; n < insn->nsrc; n++) {
        struct slow_known v;
        if (!slow_known_narrow(k, *program_operand(k->p->text, insn->src + n), c, &v))
            continue;
        place->narrow[n] |= (uint8_t)(1u << c);
        if (insn->op == OP_MAD && n < 2 && (uint32_t)v.bits << 1 == 0)
            place->narrow_zero[n] |= (uint8_t)(1u << c);
        if (insn->op == OP_MAD && n < 2 && (uint32_t)v.bits << 1 == 0x7f000000)
            place->narrow_one[n] |= (uint8_t)(1u << c);
    }
}

/* What doubles are computed of where a register of 32 bits holds a known NaN: a quiet one, with the operand's signs. Not times a number. */
static bool widened_nan(const struct slow_knowledge *k, const struct insn *insn, unsigned n, unsigned c, uint64_t *bits)
{
    const struct operand *o = program_operand(k->p->text, insn->src + n);
    const struct operand *other = program_operand(k->p->text, insn->src + 1 - n);
    struct slow_known v;
    if (insn->op == OP_MUL && other->kind != OPND_EXTENDED && slow_known_operand(k, other, c, DT_F64, &v) && soft_unpack(v.bits, 64, false).kind != SOFT_NAN)
        return false;
    if (insn->op == OP_MUL && slow_known_narrow(k, *other, c, &v) && (v.bits & 0x7fffffff) <= 0x7f800000)
        return false;
    if (!slow_known_narrow(k, *o, c, &v) || (v.bits & 0x7fffffff) <= 0x7f800000)
        return false;
    *bits = slow_signed_double(o, (v.bits >> 31 & 1) << 63 | (uint64_t)0xfff << 51 | (v.bits & 0x7fffff) << 29);
    *bits &= insn->op == OP_ABS ? ~((uint64_t)1 << 63) : UINT64_MAX;
    return true;
}

void slow_note_facts(const struct slow_knowledge *k, const struct insn *insn, struct slow_place *place)
{
    if (insn->nsrc > 3 || (insn->type != DT_F64 && !has_steps(insn)))
        return;
    for (unsigned n = 0; n < insn->nsrc; n++)
        for (unsigned c = 0; c < 4; c++) {
            const struct operand *o = program_operand(k->p->text, insn->src + n);
            struct slow_known v;
            bool takes = insn->type == DT_F64 && slow_operand_type(insn, n) == DT_F64;
            if (takes && widened_nan(k, insn, n, c, &place->facts[n][c])) {
                place->fact[n] |= (uint8_t)(1u << c);
                continue;
            }
            if (o->kind == OPND_EXTENDED || (insn->type == DT_F64 && slow_operand_type(insn, n) != DT_F64) ||
                !slow_known_operand(k, o, c, insn->type == DT_F16 ? DT_F32 : insn->type, &v) || (v.loose && insn->type != DT_F64))
                continue;
            place->fact[n] |= (uint8_t)(1u << c);
            place->facts[n][c] = v.bits;
        }
    if (insn->type == DT_F32 && !(insn->flags & INSN_HALF) && insn->op != OP_RFL && insn->op != OP_NRM)
        slow_note_alike(k, insn, place);
}

static bool is_known_nan(const struct slow_place *place, unsigned n, unsigned c)
{
    return place->fact[n] >> c & 1 && soft_unpack(place->facts[n][c], 64, false).kind == SOFT_NAN;
}

void slow_known_nans(const struct slow_lane *l, const struct insn *insn, struct slow_value s[3][4])
{
    const struct slow_program *p = l->group->program;
    for (unsigned n = 0; p->nvidia && insn->type == DT_F64 && n < insn->nsrc; n++) {
        const struct operand *o = program_operand(p->text, insn->src + n), *other = program_operand(p->text, insn->src + 1 - n);
        for (unsigned c = 0; c < 4; c++) {
            unsigned from = shape_table[op_table[insn->op].shape].src[n] == OC_SCALAR ? 0 : c;
            bool flips = insn->op == OP_MUL ? operand_negates(other) && !is_known_nan(l->here, 1 - n, c) : insn->op == OP_SUB && n == 1;
            bool clears = insn->op == OP_ABS && o->kind != OPND_CONSTANT && !program_is_long(p->text, o->kind, o->ref);
            if ((flips || clears || operand_has_sign(o)) && is_known_nan(l->here, n, from))
                s[n][c].bits = l->here->facts[n][from] ^ (flips ? 1ull << 63 : 0);
        }
    }
}

/* ---- steps ----------------------------------------------------------------------------------------------------------------- */

struct stepping {
    const struct slow_program *p;
    bool half;                  /* half arithmetic */
};

struct term {
    bool known, product;
    uint32_t word, factor[2];
};

static struct term at_run_time(const struct stepping *x, unsigned op, struct term a, struct term b, struct term c)
{
    struct term r = {.product = op == OP_MUL, .factor = {a.word, b.word}};
    if (!x->half)
        r.word = (uint32_t)slow_apply(x->p, op, DT_F32, a.word, b.word, c.word);
    else if (op == OP_ADD)
        r.word = slow_half_fused(a.word, 0x3f800000, b.word);
    else
        r.word = op == OP_MUL ? slow_half_product(a.word, b.word) : slow_half_fused(a.word, b.word, c.word);
    return r;
}

static struct term known_term(uint32_t word)
{
    return (struct term){.known = true, .word = word};
}

/* Of two factors that are known. */
static bool multiplied(const struct stepping *x, struct term a, struct term b, uint32_t *word)
{
    return a.known && b.known && (x->half ? slow_known_half_product(a.word, b.word, word) : slow_known_product(a.word, b.word, word));
}

static struct term times(const struct stepping *x, struct term a, struct term b)
{
    uint32_t word;
    if (multiplied(x, a, b, &word))
        return known_term(word);
    return at_run_time(x, OP_MUL, a, b, a);
}

static struct term fused(const struct stepping *x, struct term a, struct term b, struct term c)
{
    struct term r;
    uint32_t word;
    if (x->half && a.known && b.known && c.known && slow_known_half_fused(a.word, b.word, c.word, &word))
        return known_term(word);
    if (c.known || !multiplied(x, a, b, &word)) {
        r = at_run_time(x, OP_MAD, a, b, c);
        r.known = a.known && b.known && c.known && !x->half;
        return r;
    }
    if (!c.product)
        return at_run_time(x, OP_ADD, known_term(word), c, c);
    return at_run_time(x, OP_MAD, known_term(c.factor[0]), known_term(c.factor[1]), known_term(word));
}

static struct term dot(const struct stepping *x, const struct term *a, const struct term *b, unsigned n)
{
    struct term r = times(x, a[0], b[0]);
    for (unsigned i = 1; i < n; i++)
        r = fused(x, a[i], b[i], r);
    return r;
}

static struct term inverse(const struct stepping *x, struct term a, bool root)
{
    struct term r = {.word = x->half ? (root ? slow_half_inverse_root(a.word) : slow_half_reciprocal(a.word)) : root ? eval_sfu_rsq(a.word) : eval_sfu_rcp(a.word)};
    uint32_t word;
    if (a.known && x->half && slow_known_half_function(root ? OP_RSQ : OP_RCP, a.word, &word))
        return known_term(word);
    if (!a.known || x->half || !(root ? slow_known_inverse_root(a.word, &word) : slow_known_reciprocal(a.word, &word)))
        return r;
    return known_term(word);
}

static struct term result(const struct stepping *x, unsigned op, struct term v[3][4], unsigned c)
{
    struct term *a = v[0], *b = v[1], *z = v[2] + (c & 1) * 2, minus = b[c], scale;
    minus.word ^= 0x80000000;
    switch (op) {
    case OP_DP2: return dot(x, a, b, 2);
    case OP_DP3: return dot(x, a, b, 3);
    case OP_DP4: return dot(x, a, b, 4);
    case OP_DPH: return at_run_time(x, OP_ADD, dot(x, a, b, 3), b[3], a[0]);
    case OP_DP2A: return at_run_time(x, OP_ADD, dot(x, a, b, 2), v[2][0], a[0]);
    case OP_X2D: return fused(x, b[1], z[1], fused(x, b[0], z[0], a[c & 1]));
    case OP_NRM: return times(x, a[c], inverse(x, dot(x, a, a, 3), true));
    default:
        scale = inverse(x, dot(x, a, a, 3), false);
        if (scale.known && !x->half && slow_is_scale(scale.word))
            scale = times(x, dot(x, a, b, 3), times(x, scale, known_term(0x40000000)));
        else
            scale = times(x, times(x, dot(x, a, b, 3), known_term(0x40000000)), scale);
        return fused(x, scale, a[c], minus);
    }
}

void slow_steps(const struct slow_lane *l, const struct insn *insn, struct slow_value s[3][4], struct slow_value r[4])
{
    const struct slow_program *p = l->group->program;
    const struct stepping x = {.p = p, .half = slow_is_half(p, insn)};
    struct term v[3][4] = {{{0}}};
    uint8_t any = 0;
    for (unsigned n = 0; n < 3; n++)
        any |= l->here->fact[n];
    if (!p->nvidia || !any || !has_steps(insn))
        return;
    for (unsigned n = 0; n < insn->nsrc; n++)
        for (unsigned c = 0; c < 4; c++)
            v[n][c] = (struct term){.known = l->here->fact[n] >> c & 1, .word = (uint32_t)s[n][c].bits};
    for (unsigned c = 0; c < (insn->op == OP_RFL ? 3u : 4u); c++)
        r[c].bits = slow_saturate(p, DT_F32, insn->flags, result(&x, insn->op, v, c).word);
}
