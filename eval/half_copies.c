/* Which singles and words the driver's compiler sees to be copies: of a half that was made of a single in the same block, made a single again,
 * and of the half of a word, made a single and a half again. Words are followed through MOV, sums with 0 and AND with the low half, singles
 * through MOV. */
#include "eval/half_copies.h"

#include "eval/half_reach.h"
#include "eval/unroll.h"

#include <string.h>

struct finder {
    struct decoder *d;
    const struct liveness *live;
    struct half_copies *out;
    struct half_reach reach;
    uint32_t at;                /* the instruction at hand */
};

static const struct half_view none = {.insn = NO_INDEX};

static bool is_plain(const struct insn *insn)
{
    return !(insn->flags & (INSN_SAT | INSN_SSAT)) && !condition_restricts(&insn->dst.condition) && !insn->cc_update;
}

/* With .PREC packing and unpacking convert. */
static bool is_precise_packing(const struct insn *insn)
{
    return insn->flags & INSN_PREC && (insn->op == OP_PK2H || insn->op == OP_UP2H);
}

bool eval_brings_halves(const struct decoder *d, const struct insn *insn)
{
    return eval_loads_halves(insn) ||
           (insn->op == OP_LOADIM && insn->type == DT_F16 && !eval_is_short(d, insn->dst.kind, insn->dst.ref));
}

static bool is_made_of_singles(struct half_view v)
{
    return v.kind && v.kind < HALF_LOW;
}

/* Of an operand without its signs. */
static struct half_view unsigned_view(const struct finder *f, const struct operand *o, unsigned as, unsigned c)
{
    uint32_t n = (uint32_t)(o - program_operand(f->d->p, program_insn(f->d->p, f->at)->src));
    uint32_t by = n < 3 ? f->reach.of[f->at][n][c] : NO_INDEX;

    return by == NO_INDEX || by == f->at ? none : f->out->to[by][eval_is_short(f->d, o->kind, o->ref) ? as : AS_WORD][o->swizzle >> 2 * c & 3];
}

static struct half_view operand_view(const struct finder *f, const struct operand *o, unsigned as, unsigned c)
{
    return operand_has_sign(o) ? none : unsigned_view(f, o, as, c);
}

/* Whether all components of a literal have `word` in the bits of a mask. */
static bool is_literal(const struct decoder *d, const struct operand *o, uint32_t mask, uint32_t word)
{
    for (unsigned c = 0; o->kind == OPND_CONSTANT && c < 4; c++) {
        uint32_t w = eval_constant_word(program_constant(d->p, o->ref), o->swizzle >> 2 * c & 3, DT_U32);
        if (((o->flags & OPND_NEGATE ? 0 - w : w) & mask) != word)
            return false;
    }
    return o->kind == OPND_CONSTANT && !(o->flags & (OPND_ABSOLUTE | OPND_NEGATE_INNER));
}

/* A field that BFE and BFI take, so many bits from there on, in all components. */
static bool is_field(const struct decoder *d, const struct operand *o, uint32_t bits, uint32_t from)
{
    for (unsigned c = 0; o->kind == OPND_CONSTANT && c < 2; c++)
        if (eval_constant_word(program_constant(d->p, o->ref), o->swizzle >> 2 * c & 3, DT_U32) != (c ? from : bits))
            return false;
    return o->kind == OPND_CONSTANT && !operand_has_sign(o);
}

/* What an operation on words leaves of one of them. */
enum left { LEFT_NOTHING, LEFT_ALL, LEFT_LOW, LEFT_MASKED, LEFT_HIGH };

static bool is_same_variable(const struct operand *a, const struct operand *b)
{
    return a->kind == OPND_SYMBOL && b->kind == OPND_SYMBOL && a->ref == b->ref && !a->nindices && !b->nindices && a->swizzle == b->swizzle &&
           !a->flags && !b->flags;
}

/* Conversions between 32 and 64 bits of one sign. */
static bool widens_or_narrows(const struct insn *insn)
{
    return (insn->type == DT_U64 && insn->type2 == DT_U32) || (insn->type == DT_U32 && insn->type2 == DT_U64) ||
           (insn->type == DT_S64 && insn->type2 == DT_S32) || (insn->type == DT_S32 && insn->type2 == DT_S64);
}

/* Of operand `k`, in component c. */
static enum left left_of(const struct decoder *d, uint32_t i, const struct insn *insn, unsigned c, unsigned *k)
{
    const struct operand *a = program_operand(d->p, insn->src), *b = insn->nsrc > 1 ? a + 1 : a;
    const struct folded *folded = eval_folded_at(d, i);

    *k = 0;
    if (insn->op == OP_CMP && (insn->type == DT_F32 || (!type_table[insn->type].is_float && type_table[insn->type].bytes == 4)) && !(insn->flags & INSN_HALF)) {
        *k = folded && folded->taken[1] >> c & 1 ? 1 : 2;
        return (folded && (folded->taken[1] | folded->taken[2]) >> c & 1) || is_same_variable(b, b + 1) ? LEFT_ALL : LEFT_NOTHING;
    }
    if (type_table[insn->type].is_float || insn->flags & (INSN_HI | INSN_S24 | INSN_U24))
        return LEFT_NOTHING;
    if (insn->op == OP_CVT && widens_or_narrows(insn))
        return LEFT_ALL;
    if (insn->op == OP_CVT && insn->type == DT_U64 && insn->type2 == DT_U16)
        return LEFT_MASKED;
    if (type_table[insn->type].bytes > 4)
        return LEFT_NOTHING;
    switch (insn->op) {
    case OP_ADD: case OP_OR: case OP_XOR: case OP_MUL: case OP_AND:
        *k = a->kind == OPND_CONSTANT;
        if ((insn->op == OP_AND || insn->op == OP_OR) && is_same_variable(a, b))
            return LEFT_ALL;
        if (insn->op == OP_AND && is_literal(d, *k ? a : b, 0xffff, 0xffff))
            return is_literal(d, *k ? a : b, UINT32_MAX, UINT32_MAX) ? LEFT_ALL : LEFT_MASKED;
        return insn->op != OP_AND && is_literal(d, *k ? a : b, UINT32_MAX, insn->op == OP_MUL) ? LEFT_ALL : LEFT_NOTHING;
    case OP_DIV:
        return is_literal(d, b, UINT32_MAX, 1) ? LEFT_ALL : LEFT_NOTHING;
    case OP_SUB: case OP_SHL:
        return is_literal(d, b, UINT32_MAX, 0) ? LEFT_ALL : LEFT_NOTHING;
    case OP_SHR:
        return is_literal(d, b, UINT32_MAX, 0) ? LEFT_ALL : is_literal(d, b, UINT32_MAX, 16) ? LEFT_HIGH : LEFT_NOTHING;
    case OP_MAX: case OP_MIN:
        return is_same_variable(a, b) ? LEFT_ALL : LEFT_NOTHING;
    case OP_MAD:
        *k = a->kind == OPND_CONSTANT;
        if (is_literal(d, a, UINT32_MAX, 0) || is_literal(d, b, UINT32_MAX, 0)) {
            *k = 2;
            return LEFT_ALL;
        }
        return is_literal(d, *k ? a : b, UINT32_MAX, 1) && is_literal(d, b + 1, UINT32_MAX, 0) ? LEFT_ALL : LEFT_NOTHING;
    case OP_BFE:
        *k = 1;
        return is_field(d, a, 32, 0) ? LEFT_ALL : LEFT_NOTHING;
    case OP_BFI:
        *k = is_field(d, a, 32, 0) ? 1 : 2;
        if (*k == 1 || is_field(d, a, 0, 0))
            return LEFT_ALL;
        return is_field(d, a, 16, 16) && is_literal(d, b, 0xffff, 0) ? LEFT_LOW : LEFT_NOTHING;
    case OP_CVT:
        if (insn->type == insn->type2 && type_table[insn->type].bytes == 4)
            return LEFT_ALL;
        if ((insn->type == DT_U32 && insn->type2 == DT_S32) || (insn->type == DT_U16 && insn->type2 == DT_U16))
            return LEFT_MASKED;
        return insn->type == DT_U32 && insn->type2 == DT_U16 ? LEFT_LOW : insn->type == DT_U16 && insn->type2 == DT_U32 ? LEFT_MASKED : LEFT_NOTHING;
    default:
        return LEFT_NOTHING;
    }
}

/* What that makes of a view: above what was narrowed stand zeros. */
static struct half_view reduced(struct half_view v, enum left left)
{
    if (left == LEFT_ALL)
        return v;
    if (v.kind == HALF_PACKED && left == LEFT_LOW)
        v.kind = HALF_NARROWED;
    else if (v.kind == HALF_NARROWED && left == LEFT_HIGH)
        v.kind = HALF_AGAIN;
    else if (v.kind == HALF_CLAMPED && left != LEFT_HIGH)
        return v;
    else if (v.kind != HALF_NARROWED || left == LEFT_NOTHING)
        v = none;
    return v;
}

static bool moves(const struct insn *insn)
{
    return insn->op == OP_MOV && (type_table[insn->type].bytes == 4 || insn->type == DT_U64) && !(insn->flags & INSN_HALF) && is_plain(insn);
}

/* The same float again. */
static bool copies_float(const struct insn *insn, const struct operand *o)
{
    if (insn->type != DT_F32 || insn->flags & (INSN_HALF | INSN_PREC) || !is_plain(insn))
        return false;
    return insn->op == OP_CVT ? insn->type2 == DT_F32 && (!insn->rounding || insn->rounding == MOD_ROUND)
                              : (insn->op == OP_MAX || insn->op == OP_MIN) && is_same_variable(o, o + 1);
}

static bool converts(const struct insn *insn, uint8_t to, uint8_t from)
{
    return insn->op == OP_CVT && insn->type == to && insn->type2 == from && !(insn->flags & (INSN_SAT | INSN_SSAT)) && (!insn->rounding || insn->rounding == MOD_ROUND);
}

/* What component c of a result is as a word, where it is no SHORT variable or one that a word is written to. */
static struct half_view word_of(const struct finder *f, uint32_t i, const struct insn *insn, unsigned c)
{
    struct half_view made = {.insn = i, .component = (uint8_t)c, .kind = HALF_NARROWED};
    const struct operand *o = insn->nsrc ? program_operand(f->d->p, insn->src) : NULL;
    enum left left;
    bool flip;
    int factor;
    unsigned k;

    if (eval_brings_halves(f->d, insn))
        return is_plain(insn) && c < insn->width ? (struct half_view){.insn = i, .component = (uint8_t)c, .kind = HALF_LOW} : none;
    if (condition_restricts(&insn->dst.condition) || !o || !(is_plain(insn) || insn->op == OP_CVT))
        return none;
    if (moves(insn))
        return operand_view(f, o, type_table[insn->type].is_float ? AS_FLOAT : AS_WORD, c);
    if (copies_float(insn, o))
        return operand_view(f, o, AS_FLOAT, c);
    if ((insn->op == OP_MUL || insn->op == OP_DIV) && insn->type == DT_F32 && (factor = eval_copied_factor(f->d, i, c, &flip)) >= 0)
        return flip ? none : operand_view(f, o + factor, AS_FLOAT, c);
    if (converts(insn, DT_F16, DT_F32))
        return eval_is_unpacked(operand_view(f, o, AS_WORD, c)) ? none : made;
    made.kind = eval_leaves_above(f->d, insn) ? HALF_CLAMPED : HALF_LOW;
    if (made.kind == HALF_CLAMPED)
        return made;
    if (converts(insn, DT_F32, DT_F16))
        return is_made_of_singles(operand_view(f, o, AS_WORD, c)) ? none : made;
    made.component = 0;
    if (is_precise_packing(insn))
        return none;
    made.kind = insn->op == OP_PK2H ? HALF_PACKED : c & 1 ? HALF_HIGH : HALF_LOW;
    if (insn->op == OP_PK2H)
        return made;
    if (insn->op == OP_UP2H && !operand_has_sign(o))
        return is_made_of_singles(operand_view(f, o, AS_WORD, 0)) ? none : made;
    if (insn->op != OP_MOV && eval_made_halves(f->d, insn) >> c & 1)
        return (struct half_view){.insn = i, .component = (uint8_t)c, .kind = HALF_ARITHMETIC};
    left = left_of(f->d, i, insn, c, &k);
    return left == LEFT_NOTHING ? none : reduced(operand_view(f, program_operand(f->d->p, insn->src + k), AS_WORD, c), left);
}

/* Whether component c is copied without a sign. */
static bool copies_component(const struct finder *f, uint32_t i, const struct insn *insn, unsigned c)
{
    bool flip = false;
    int k = insn->op == OP_MUL ? eval_copied_factor(f->d, i, c, &flip) : 0;

    if (insn->op == OP_ABS || eval_loads_halves(insn) || (insn->op == OP_DST && c < 2) || k < 0 || flip)
        return false;
    if (insn->op == OP_CMP)
        return eval_folded_at(f->d, i)->taken[2] >> c & 1 && !operand_has_sign(program_operand(f->d->p, insn->src + 2));
    if (insn->op == OP_MOV || insn->op == OP_MUL)
        return !operand_has_sign(program_operand(f->d->p, insn->src + (uint32_t)k));
    return insn->op != OP_DST || !operand_has_sign(program_operand(f->d->p, insn->src + c - 2));
}

/* What a SHORT variable is: of copies the words are narrowed, of halves that are unpacked the floats are what they are. */
static void view_short(const struct finder *f, uint32_t i, const struct insn *insn, unsigned c, struct half_view to[2])
{
    const struct operand *o = insn->nsrc ? program_operand(f->d->p, insn->src) : NULL;
    uint8_t kind = eval_short_kind(f->d, insn, i);
    struct half_view word = word_of(f, i, insn, c);

    to[AS_WORD] = to[AS_FLOAT] = none;
    if (moves(insn) && eval_is_short(f->d, o->kind, o->ref) && !operand_has_sign(o)) {
        to[AS_WORD] = operand_view(f, o, AS_WORD, c);
        to[AS_FLOAT] = operand_view(f, o, AS_FLOAT, c);
    } else if (kind & SHORT_NUMBER) {
        to[AS_WORD] = word;
    } else if (insn->op == OP_UP2H || insn->op == OP_MOV || eval_loads_halves(insn)) {
        to[AS_FLOAT] = eval_is_unpacked(word) ? word : none;
    }
    if (kind == SHORT_COPY && copies_component(f, i, insn, c) && !(moves(insn) && (eval_is_unpacked(word) || word.kind == HALF_ARITHMETIC)))
        to[AS_WORD] = (struct half_view){.insn = i, .component = (uint8_t)c, .kind = HALF_NARROWED};
}

static void want(struct finder *f, struct half_view v)
{
    if (v.kind != HALF_NONE && v.kind != HALF_ARITHMETIC)
        f->out->kept[v.insn][v.component] = v.kind == HALF_PACKED ? (f->out->kept[v.insn][1] = 0) : 0;
}

static bool asks(const struct decoder *d, const struct insn *insn)
{
    return insn->op == OP_UP2H || insn->op == OP_PK2H || (insn->op == OP_CVT && (insn->type == DT_F16 || insn->type2 == DT_F16)) ||
           op_stores_anywhere(insn->op) ||
           (insn->op < OP_COUNT && shape_table[op_table[insn->op].shape].result != RC_NONE && eval_is_short(d, insn->dst.kind, insn->dst.ref));
}

static bool is_long(const struct finder *f, const struct operand *o)
{
    return program_is_long(f->d->p, o->kind, o->ref);
}

/* What a variable is that is not SHORT: a LONG one in its lower word, where integers are moved there. */
static struct half_view in_variable(const struct finder *f, uint32_t i, const struct insn *insn, unsigned c)
{
    struct half_view v = word_of(f, i, insn, c);
    bool wide = program_symbol(f->d->p, insn->dst.ref)->size == SIZE_LONG;

    return wide && (v.insn == i || v.kind != HALF_NARROWED || type_table[insn->type].is_float) ? none : v;
}

static void look_at(struct finder *f, uint32_t i)
{
    struct insn insn = *program_insn(f->d->p, i);
    bool writes = insn.op < OP_COUNT && shape_table[op_table[insn.op].shape].result != RC_NONE, to_short;
    uint8_t known = eval_folded(f->d, i);
    struct half_view (*from)[4] = f->out->from[i], (*to)[4] = f->out->to[i];

    eval_short_form(f->d, &insn);
    to_short = eval_is_short(f->d, insn.dst.kind, insn.dst.ref);
    for (unsigned c = 0; c < 4; c++) {
        struct half_view views[2] = {none, none};
        for (unsigned as = 0; as < 2; as++)
            from[as][c] = insn.nsrc && !is_precise_packing(&insn) && !is_long(f, program_operand(f->d->p, eval_packed_operand(&insn)))
                              ? (insn.op == OP_UP2H || insn.op == OP_STOREIM ? unsigned_view : operand_view)(f, program_operand(f->d->p, eval_packed_operand(&insn)), as, c)
                              : none;
        if (writes && to_short)
            view_short(f, i, &insn, c, views);
        else if (writes && insn.dst.kind == OPND_SYMBOL)
            views[AS_WORD] = views[AS_FLOAT] = in_variable(f, i, &insn, c);
        for (unsigned as = 0; as < 2; as++)
            to[as][c] = known >> c & 1 ? none : views[as];
    }
    for (unsigned c = 0; to_short && c < 4; c++)
        if (insn.dst.mask >> c & 1 && is_made_of_singles(to[AS_WORD][c]))
            f->d->shorts.copied[insn.dst.ref] = 1;
    for (unsigned c = 0; asks(f->d, &insn) && c < 4; c++)
        for (unsigned as = 0; as < 2; as++) {
            want(f, from[as][c]);
            if (to_short)
                want(f, to[as][c]);
        }
    for (unsigned n = 0; f->out->came && n < insn.nsrc && n < 3; n++)
        for (unsigned c = 0; c < 4; c++)
            if (f->reach.of[i][n][c] != NO_INDEX)
                f->out->came[i][n] |= (uint8_t)(1u << (program_operand(f->d->p, insn.src + n)->swizzle >> 2 * c & 3));
}

/* Conversions, or SHORT variables. */
static bool worth_it(const struct decoder *d)
{
    bool worth = d->shorts.both;

    for (uint32_t i = 0; !worth && i < d->p->insns.count; i++) {
        const struct insn *insn = program_insn(d->p, i);
        worth = insn->op == OP_UP2H || insn->op == OP_PK2H || (insn->op == OP_CVT && (insn->type == DT_F16 || insn->type2 == DT_F16)) || eval_brings_halves(d, insn);
    }
    return worth;
}

/* Halves that were loaded are seen where copies are not. */
static bool find_loads(struct finder *f)
{
    struct half_reach loads = {0};
    bool any = false, ok;

    for (uint32_t i = 0; i < f->d->p->insns.count; i++)
        any |= eval_brings_halves(f->d, program_insn(f->d->p, i));
    ok = !any || eval_find_half_reach(f->d, f->live, REACH_LOADS, &loads);
    for (uint32_t i = 0; ok && any && i < f->d->p->insns.count; i++)
        for (unsigned n = 0; n < 3; n++)
            for (unsigned c = 0; c < 4; c++)
                if (loads.of[i][n][c] != NO_INDEX)
                    f->reach.of[i][n][c] = loads.of[i][n][c];
    eval_half_reach_free(&loads);
    return ok;
}

static bool allocate(struct finder *f)
{
    size_t n = f->d->p->insns.count;

    f->out = f->d->half_copies = gp5_malloc(sizeof *f->out);
    if (!f->out)
        return eval_out_of_memory(f->d);
    *f->out = (struct half_copies){.from = gp5_malloc(n * sizeof *f->out->from + 1), .to = gp5_malloc(n * sizeof *f->out->to + 1),
                                   .kept = gp5_malloc(n * sizeof *f->out->kept + 1), .came = gp5_malloc(n * sizeof *f->out->came + 1)};
    if (!f->out->from || !f->out->to || !f->out->kept || !f->out->came)
        return eval_out_of_memory(f->d);
    memset(f->out->kept, 0xff, n * sizeof *f->out->kept);
    memset(f->out->came, 0, n * sizeof *f->out->came);
    return true;
}

bool eval_find_half_copies(struct decoder *d)
{
    struct finder f = {.d = d};
    bool ok;

    if (!eval_has(d, PASS_half_forward) || !worth_it(d))
        return true;
    f.live = eval_liveness(d);
    ok = f.live && allocate(&f) && eval_find_half_reach(d, f.live, REACH_COPIES, &f.reach) && find_loads(&f);
    for (uint32_t i = 0; ok && i < d->p->insns.count; i++) {
        f.at = i;
        look_at(&f, i);
    }
    if (ok)
        eval_keep_meetings(f.out, &f.reach);
    eval_half_reach_free(&f.reach);
    return ok;
}

void eval_half_copies_free(struct half_copies *h)
{
    if (!h)
        return;
    gp5_free(h->from);
    gp5_free(h->to);
    gp5_free(h->kept);
    gp5_free(h->came);
    gp5_free(h->cut);
    vec_free(&h->alone);
    gp5_free(h);
}
