/* Which singles and words the driver's compiler sees to be copies: of a half that was made of a single in the same block, made a single again,
 * and of the half of a word, made a single and a half again. Words are followed through MOV, sums with 0 and AND with the low half, singles
 * through MOV. */
#include "eval/half_copies.h"

#include "eval/forward.h"
#include "eval/unroll.h"

#include <string.h>

struct finder {
    struct decoder *d;
    const struct liveness *live;
    struct half_copies *out;
    struct half_view *held[2];  /* of each variable as a word and as a float */
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

static bool is_made_of_singles(struct half_view v)
{
    return v.kind && v.kind < HALF_LOW;
}

static struct half_view operand_view(const struct finder *f, const struct operand *o, unsigned as, unsigned c)
{
    uint32_t var = o->kind == OPND_SYMBOL && !operand_has_sign(o)
                       ? eval_variable(f->live, o->kind, o->ref, o->nindices != 0, o->swizzle >> 2 * c & 3)
                       : NO_INDEX;

    return var == NO_INDEX ? none : f->held[eval_is_short(f->d, o->kind, o->ref) ? as : AS_WORD][var];
}

/* Whether all components of a literal have `word` in the bits of a mask. */
static bool is_literal(const struct decoder *d, const struct operand *o, uint32_t mask, uint32_t word)
{
    for (unsigned c = 0; o->kind == OPND_CONSTANT && c < 4; c++)
        if ((eval_constant_word(program_constant(d->p, o->ref), o->swizzle >> 2 * c & 3, DT_U32) & mask) != word)
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

static enum left left_of(const struct decoder *d, const struct insn *insn, unsigned *k)
{
    const struct operand *a = program_operand(d->p, insn->src), *b = insn->nsrc > 1 ? a + 1 : a;

    *k = 0;
    if (type_table[insn->type].is_float || type_table[insn->type].bytes > 4 || insn->flags & (INSN_HI | INSN_S24 | INSN_U24))
        return LEFT_NOTHING;
    switch (insn->op) {
    case OP_ADD: case OP_OR: case OP_XOR: case OP_MUL: case OP_AND:
        *k = a->kind == OPND_CONSTANT;
        if (insn->op == OP_AND && is_literal(d, *k ? a : b, 0xffff, 0xffff))
            return is_literal(d, *k ? a : b, UINT32_MAX, UINT32_MAX) ? LEFT_ALL : LEFT_MASKED;
        return insn->op != OP_AND && is_literal(d, *k ? a : b, UINT32_MAX, insn->op == OP_MUL) ? LEFT_ALL : LEFT_NOTHING;
    case OP_SUB: case OP_SHL:
        return is_literal(d, b, UINT32_MAX, 0) ? LEFT_ALL : LEFT_NOTHING;
    case OP_SHR:
        return is_literal(d, b, UINT32_MAX, 0) ? LEFT_ALL : is_literal(d, b, UINT32_MAX, 16) ? LEFT_HIGH : LEFT_NOTHING;
    case OP_MAX: case OP_MIN:
        return is_same_variable(a, b) ? LEFT_ALL : LEFT_NOTHING;
    case OP_CVT:
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
    else if (v.kind != HALF_NARROWED || left == LEFT_NOTHING)
        v = none;
    return v;
}

static bool moves(const struct insn *insn)
{
    return insn->op == OP_MOV && type_table[insn->type].bytes == 4 && !(insn->flags & INSN_HALF) && is_plain(insn);
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

    if (condition_restricts(&insn->dst.condition) || !o || !(is_plain(insn) || insn->op == OP_CVT))
        return none;
    if (moves(insn))
        return operand_view(f, o, type_table[insn->type].is_float ? AS_FLOAT : AS_WORD, c);
    if (insn->op == OP_MUL && insn->type == DT_F32 && (factor = eval_copied_factor(f->d, i, c, &flip)) >= 0)
        return flip ? none : operand_view(f, o + factor, AS_FLOAT, c);
    if (converts(insn, DT_F16, DT_F32))
        return eval_is_unpacked(operand_view(f, o, AS_WORD, c)) ? none : made;
    made.kind = HALF_LOW;
    if (converts(insn, DT_F32, DT_F16))
        return is_made_of_singles(operand_view(f, o, AS_WORD, c)) ? none : made;
    made.component = 0;
    if (is_precise_packing(insn))
        return none;
    made.kind = insn->op == OP_PK2H ? HALF_PACKED : c & 1 ? HALF_HIGH : HALF_LOW;
    if (insn->op == OP_PK2H)
        return made;
    if (insn->op == OP_UP2H)
        return is_made_of_singles(operand_view(f, o, AS_WORD, 0)) ? none : made;
    if (insn->op != OP_MOV && eval_makes_half(f->d, insn))
        return (struct half_view){.insn = i, .kind = HALF_ARITHMETIC};
    left = left_of(f->d, insn, &k);
    return left == LEFT_NOTHING ? none : reduced(operand_view(f, program_operand(f->d->p, insn->src + k), AS_WORD, c), left);
}

/* Whether component c is copied without a sign. */
static bool copies_component(const struct finder *f, uint32_t i, const struct insn *insn, unsigned c)
{
    bool flip = false;
    int k = insn->op == OP_MUL ? eval_copied_factor(f->d, i, c, &flip) : 0;

    if (insn->op == OP_ABS || (insn->op == OP_DST && c < 2) || k < 0 || flip)
        return false;
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
    } else if (insn->op == OP_UP2H || insn->op == OP_MOV) {
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
           insn->op == OP_STB || insn->op == OP_STS || insn->op == OP_STORE ||
           (insn->op < OP_COUNT && shape_table[op_table[insn->op].shape].result != RC_NONE && eval_is_short(d, insn->dst.kind, insn->dst.ref));
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
            from[as][c] = insn.nsrc && !is_precise_packing(&insn) ? operand_view(f, program_operand(f->d->p, insn.src), as, c) : none;
        if (writes && to_short)
            view_short(f, i, &insn, c, views);
        else if (writes && insn.dst.kind == OPND_SYMBOL && program_symbol(f->d->p, insn.dst.ref)->size == SIZE_DEFAULT)
            views[AS_WORD] = views[AS_FLOAT] = word_of(f, i, &insn, c);
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
    for (unsigned c = 0; insn.dst.kind != OPND_NONE && c < 4; c++) {
        uint32_t var = insn.dst.mask >> c & 1 ? eval_variable(f->live, insn.dst.kind, insn.dst.ref, insn.dst.nindices != 0, c) : NO_INDEX;
        for (unsigned as = 0; var != NO_INDEX && as < 2; as++)
            f->held[as][var] = to[as][c];
    }
}

static bool worth_it(const struct decoder *d)
{
    for (uint32_t i = 0; i < d->p->insns.count; i++) {
        const struct insn *insn = program_insn(d->p, i);
        if (insn->op == OP_UP2H || insn->op == OP_PK2H || (insn->op == OP_CVT && (insn->type == DT_F16 || insn->type2 == DT_F16)))
            return true;
    }
    return false;
}

static bool allocate(struct finder *f)
{
    size_t n = f->d->p->insns.count, nvars = f->live->nvars + 1u;

    f->out = f->d->half_copies = gp5_malloc(sizeof *f->out);
    if (!f->out)
        return eval_out_of_memory(f->d);
    *f->out = (struct half_copies){.from = gp5_malloc(n * sizeof *f->out->from + 1), .to = gp5_malloc(n * sizeof *f->out->to + 1),
                                   .kept = gp5_malloc(n * sizeof *f->out->kept + 1)};
    f->held[0] = gp5_malloc(2 * nvars * sizeof *f->held[0]);
    f->held[1] = f->held[0] ? f->held[0] + nvars : NULL;
    if (!f->out->from || !f->out->to || !f->out->kept || !f->held[0])
        return eval_out_of_memory(f->d);
    memset(f->out->kept, 0xff, n * sizeof *f->out->kept);
    return true;
}

bool eval_find_half_copies(struct decoder *d)
{
    struct finder f = {.d = d};
    bool ok;

    if (d->x->options.semantics != GP5_SEMANTICS_NVIDIA || !worth_it(d))
        return true;
    f.live = eval_liveness(d);
    ok = f.live && allocate(&f);
    for (uint32_t block = 0; ok && block < f.live->nblocks; block++) {
        for (uint32_t v = 0; eval_flow_begins(f.live, block) && v < f.live->nvars; v++)
            f.held[0][v] = f.held[1][v] = none;
        for (uint32_t i = f.live->start[block]; i < f.live->start[block + 1]; i++)
            look_at(&f, i);
    }
    gp5_free(f.held[0]);
    return ok;
}

void eval_half_copies_free(struct half_copies *h)
{
    if (!h)
        return;
    gp5_free(h->from);
    gp5_free(h->to);
    gp5_free(h->kept);
    gp5_free(h);
}
