/* Halves that were made of a single and become one again in the same block, and halves of words that become one again: the driver takes both for
 * copies (docs/semantics.md, "SHORT variables and half arithmetic"). What a value was made of comes along with it. */
#include "tests/slow/plan.h"

#include "tests/scalar_soft.h"

#include <string.h>

static bool of_singles(const struct slow_view *v)
{
    return v->kind == VIEW_NARROWED || v->kind == VIEW_AGAIN || v->kind == VIEW_PACKED;
}

static bool of_halves(const struct slow_view *v)
{
    return v->kind == VIEW_LOW || v->kind == VIEW_HIGH;
}

static uint64_t half_as_single(uint64_t half)
{
    return soft_pack(soft_unpack(half & 0xffff, 16, false), 32, SOFT_NEAREST, false, 0x7fffffff);
}

static uint64_t single_as_half(uint64_t single)
{
    return soft_pack(soft_unpack(single & 0xffffffff, 32, false), 16, SOFT_NEAREST, false, 0x7fff);
}

/* What a view says of the place that reads it, as component c of operand k. */
static struct slow_view seen(const struct slow_lane *l, struct slow_view v, uint32_t k, unsigned c)
{
    if (!v.place || k >= 3 || l->here->seen[k][c] != v.place)
        v.kind = VIEW_NONE;
    return v;
}

/* The views of an operand's components, after the swizzle. */
static bool operand_views(struct slow_lane *l, const struct operand *o, bool as_float, struct slow_view views[4])
{
    const struct slow_program *p = l->group->program;
    uint32_t k = (uint32_t)(o - program_operand(p->text, program_insn(p->text, l->here->insn)->src));
    struct slow_value v[4];
    bool is_short = slow_is_short(p, o->kind, o->ref);
    memset(views, 0, 4 * sizeof *views);
    if (o->kind != OPND_SYMBOL || o->nindices || o->flags & OPND_SIGNS || program_symbol(p->text, o->ref)->kind != SYM_TEMP ||
        program_symbol(p->text, o->ref)->array)
        return true;
    if (!slow_register(l, o, v))
        return false;
    for (unsigned c = 0; c < 4; c++)
        views[c] = seen(l, v[c].view[is_short && as_float], k, c);
    return true;
}

static bool is_plain(const struct insn *insn)
{
    return !(insn->flags & (INSN_SAT | INSN_SSAT)) && !condition_restricts(&insn->dst.condition) && !insn->cc_update;
}

static bool converts(const struct insn *insn, unsigned to, unsigned from)
{
    return insn->op == OP_CVT && insn->type == to && insn->type2 == from && (!insn->rounding || insn->rounding == MOD_ROUND) &&
           !(insn->flags & (INSN_SAT | INSN_SSAT));
}

static bool moves(const struct insn *insn)
{
    return insn->op == OP_MOV && (slow_bytes(insn->type) == 4 || insn->type == DT_U64) && insn->type != DT_F16 && !(insn->flags & INSN_HALF) && is_plain(insn);
}

static bool is_literal(const struct slow_program *p, const struct operand *o, uint32_t mask, uint32_t word)
{
    for (unsigned c = 0; o->kind == OPND_CONSTANT && c < 4; c++) {
        uint32_t bits = (uint32_t)slow_literal(p, o, o->swizzle >> 2 * c & 3, DT_U32);
        if (((o->flags & OPND_NEGATE ? 0 - bits : bits) & mask) != word)
            return false;
    }
    return o->kind == OPND_CONSTANT && !(o->flags & (OPND_ABSOLUTE | OPND_NEGATE_INNER));
}

/* So many bits from there on, of BFE and BFI. */
static bool is_field(const struct slow_program *p, const struct operand *o, uint32_t bits, uint32_t from)
{
    return o->kind == OPND_CONSTANT && !(o->flags & OPND_SIGNS) && (uint32_t)slow_literal(p, o, o->swizzle & 3, DT_U32) == bits &&
           (uint32_t)slow_literal(p, o, o->swizzle >> 2 & 3, DT_U32) == from;
}

static bool is_same(const struct operand *a, const struct operand *b)
{
    return a->kind == OPND_SYMBOL && b->kind == OPND_SYMBOL && a->ref == b->ref && !a->nindices && !b->nindices && a->swizzle == b->swizzle &&
           !a->flags && !b->flags;
}

enum { LEFT_NOTHING, LEFT_ALL, LEFT_LOW, LEFT_MASKED, LEFT_HIGH };

/* What an operation on words leaves of operand k in component c. */
static unsigned left_of(const struct slow_program *p, const struct slow_place *here, const struct insn *insn, unsigned c, unsigned *k)
{
    const struct operand *a = program_operand(p->text, insn->src), *b = insn->nsrc > 1 ? a + 1 : a, *number;
    bool commutes = insn->op == OP_ADD || insn->op == OP_OR || insn->op == OP_XOR || insn->op == OP_MUL || insn->op == OP_AND;
    *k = commutes && a->kind == OPND_CONSTANT;
    number = *k ? a : b;
    if (insn->op == OP_CMP && type_table[insn->type].bytes == 4 && !(insn->flags & INSN_HALF)) {
        *k = here->chosen[1] >> c & 1 ? 1 : 2;
        return (here->chosen[1] | here->chosen[2]) >> c & 1 || is_same(b, b + 1) ? LEFT_ALL : LEFT_NOTHING;
    }
    if (slow_is_float(insn->type) || insn->flags & (INSN_HI | INSN_S24 | INSN_U24))
        return LEFT_NOTHING;
    if (insn->op == OP_CVT && ((insn->type == DT_U64 && insn->type2 == DT_U32) || (insn->type == DT_U32 && insn->type2 == DT_U64) ||
                               (insn->type == DT_S64 && insn->type2 == DT_S32) || (insn->type == DT_S32 && insn->type2 == DT_S64)))
        return LEFT_ALL;
    if (insn->op == OP_CVT && insn->type == DT_U64 && insn->type2 == DT_U16)
        return LEFT_MASKED;
    if (slow_bytes(insn->type) > 4)
        return LEFT_NOTHING;
    if (insn->op == OP_MAD) {
        *k = a->kind == OPND_CONSTANT;
        if (is_literal(p, a, UINT32_MAX, 0) || is_literal(p, b, UINT32_MAX, 0)) {
            *k = 2;
            return LEFT_ALL;
        }
        return is_literal(p, *k ? a : b, UINT32_MAX, 1) && is_literal(p, b + 1, UINT32_MAX, 0) ? LEFT_ALL : LEFT_NOTHING;
    }
    if (insn->op == OP_BFE) {
        *k = 1;
        return is_field(p, a, 32, 0) ? LEFT_ALL : LEFT_NOTHING;
    }
    if (insn->op == OP_BFI) {
        *k = is_field(p, a, 32, 0) ? 1 : 2;
        if (*k == 1 || is_field(p, a, 0, 0))
            return LEFT_ALL;
        return is_field(p, a, 16, 16) && is_literal(p, b, 0xffff, 0) ? LEFT_LOW : LEFT_NOTHING;
    }
    if (insn->op == OP_DIV)
        return is_literal(p, b, UINT32_MAX, 1) ? LEFT_ALL : LEFT_NOTHING;
    if ((insn->op == OP_AND || insn->op == OP_OR || insn->op == OP_MAX || insn->op == OP_MIN) && is_same(a, b))
        return LEFT_ALL;
    if (insn->op == OP_AND)
        return is_literal(p, number, UINT32_MAX, UINT32_MAX) ? LEFT_ALL : is_literal(p, number, 0xffff, 0xffff) ? LEFT_MASKED : LEFT_NOTHING;
    if (insn->op == OP_CVT && ((insn->type == DT_U32 && insn->type2 == DT_S32) || (insn->type == DT_U16 && insn->type2 == DT_U16)))
        return LEFT_MASKED;
    if (insn->op == OP_CVT && insn->type == insn->type2)
        return type_table[insn->type].bytes == 4 ? LEFT_ALL : LEFT_NOTHING;
    if (insn->op == OP_CVT && insn->type == DT_U32 && insn->type2 == DT_U16)
        return LEFT_LOW;
    if (insn->op == OP_CVT && insn->type == DT_U16 && insn->type2 == DT_U32)
        return LEFT_MASKED;
    if (insn->op == OP_SHR && is_literal(p, b, UINT32_MAX, 16))
        return LEFT_HIGH;
    if (commutes || insn->op == OP_SUB || insn->op == OP_SHL || insn->op == OP_SHR)
        return is_literal(p, number, UINT32_MAX, insn->op == OP_MUL) ? LEFT_ALL : LEFT_NOTHING;
    return LEFT_NOTHING;
}

/* The same float again. */
static bool copies_float(const struct insn *insn, const struct operand *o)
{
    if (insn->type != DT_F32 || insn->flags & (INSN_HALF | INSN_PREC) || !is_plain(insn))
        return false;
    if (insn->op == OP_CVT)
        return insn->type2 == DT_F32 && (!insn->rounding || insn->rounding == MOD_ROUND);
    return (insn->op == OP_MAX || insn->op == OP_MIN) && is_same(o, o + 1);
}

/* ---- consumers ------------------------------------------------------------------------------------------------------------------ */

static void give(struct slow_value *r, uint64_t bits, bool open)
{
    r->bits = bits;
    r->open = open;
}

/* A component of UP2H of a word that is `view`, in a SHORT variable whose float is `as_float`. */
static void unpack(const struct slow_view *view, const struct slow_view *as_float, unsigned c, struct slow_value *r)
{
    if (c & 1 && of_halves(as_float) && as_float->by_unpacking)
        give(r, 0, false);
    else if (view->kind == VIEW_AGAIN)
        return;
    else if (view->kind == VIEW_PACKED)
        give(r, view->of[c & 1], view->open);
    else if (of_singles(view))
        give(r, c & 1 ? half_as_single(single_as_half(view->of[0])) : view->of[0], view->open);
}

static uint64_t half_of(const struct slow_view *v)
{
    return v->kind == VIEW_HIGH ? v->of[0] >> 16 & 0xffff : v->of[0];
}

/* ---- what a result is -------------------------------------------------------------------------------------------------------------- */

static struct slow_view fresh(const struct slow_lane *l, unsigned kind, const struct slow_value *of)
{
    struct slow_view v = {.kind = (uint8_t)kind, .place = (uint32_t)(l->here - l->group->program->plan->place) + 1, .calls = l->calls,
                          .of = {of->bits & 0xffffffff}, .open = of->open};
    return v;
}

bool slow_view_result(struct slow_lane *l, const struct insn *insn, struct slow_value s[3][4], struct slow_value r[4])
{
    const struct slow_program *p = l->group->program;
    const struct operand *o = insn->nsrc ? program_operand(p->text, insn->src) : NULL;
    bool to_short = slow_is_short(p, insn->dst.kind, insn->dst.ref), narrow = insn->dst.kind == OPND_SYMBOL && program_symbol(p->text, insn->dst.ref)->size == SIZE_DEFAULT;
    bool again, cut, back, makes_single, unpacks, clamps = insn->flags & (INSN_SAT | INSN_SSAT), flip;
    struct slow_view word[4], flt[4], of_two[4], other[4], made;
    bool wide = program_is_long(p->text, insn->dst.kind, insn->dst.ref), from_wide = o && program_is_long(p->text, o->kind, o->ref), passes_on;
    unsigned k, left;
    if (!p->nvidia || !o)
        return true;
    if (insn->flags & INSN_PREC && (insn->op == OP_PK2H || insn->op == OP_UP2H)) {     /* these convert */
        for (unsigned c = 0; c < 4; c++)
            r[c].view[0].kind = r[c].view[1].kind = VIEW_NONE;
        return true;
    }
    if (!operand_views(l, o, false, word) || !operand_views(l, o, true, flt))
        return false;
    back = converts(insn, DT_F32, DT_F16);
    again = converts(insn, DT_F16, DT_F32);
    cut = insn->op == OP_CVT && insn->type == DT_F16 && insn->type2 == DT_F32 && (!insn->rounding || insn->rounding == MOD_ROUND) && clamps;
    makes_single = insn->op == OP_CVT && insn->type == DT_F32 && insn->type2 == DT_F16;      /* however it rounds */
    unpacks = insn->op == OP_UP2H;
    if (insn->nsrc > 1 && !operand_views(l, o + 1, true, other))
        return false;
    for (unsigned c = 0; c < 4; c++) {
        struct slow_view nothing = {.kind = VIEW_NONE}, *at = from_wide ? &nothing : &word[insn->op == OP_UP2H ? 0 : c];
        made = nothing;
        left = is_plain(insn) || insn->op == OP_CVT ? left_of(p, l->here, insn, c, &k) : LEFT_NOTHING;
        if (left != LEFT_NOTHING && !operand_views(l, program_operand(p->text, insn->src + k), false, of_two))
            return false;
        passes_on = moves(insn) || left != LEFT_NOTHING;
        if (l->here->computed >> c & 1)
            continue;
        int factor = (insn->op == OP_MUL || insn->op == OP_DIV) && insn->type == DT_F32 && is_plain(insn) ? slow_copied_factor(p, l->here, insn, c, &flip) : -1;
        if (moves(insn))
            made = slow_is_float(insn->type) ? flt[c] : word[c];
        else if (copies_float(insn, o))
            made = flt[c];
        else if (factor >= 0)
            made = flip ? made : factor ? other[c] : flt[c];
        else if (again && !of_halves(at))
            made = fresh(l, VIEW_NARROWED, &s[0][c]);
        else if (back && !of_singles(at))
            made = fresh(l, VIEW_LOW, &s[0][c]);
        else if (unpacks && !clamps && !of_singles(at)) {
            made = fresh(l, c & 1 ? VIEW_HIGH : VIEW_LOW, &s[0][0]);
            made.by_unpacking = true;
            if (o->kind == OPND_CONSTANT && !(c & 1))
                made.of[0] &= 0xffff;       /* of a literal nothing stands above */
        } else if (insn->op == OP_PK2H) {
            made = fresh(l, VIEW_PACKED, &s[0][0]);
            made.of[1] = s[0][1].bits & 0xffffffff;
            made.open |= s[0][1].open;
        } else if (left != LEFT_NOTHING) {
            made = of_two[c];
            if (made.kind == VIEW_PACKED && left == LEFT_LOW)
                made.kind = VIEW_NARROWED;
            else if (made.kind == VIEW_NARROWED && left == LEFT_HIGH)
                made.kind = VIEW_AGAIN;
            else if (left != LEFT_ALL && made.kind != VIEW_NARROWED)
                made.kind = VIEW_NONE;
        } else if (slow_makes_half(insn)) {
            made.kind = VIEW_ARITHMETIC;
        }
        if (makes_single && of_singles(at))
            give(&r[c], at->kind == VIEW_AGAIN ? half_as_single(single_as_half(at->of[0])) : at->of[0], at->open);
        if (again && of_halves(at))
            give(&r[c], half_of(at), at->open);
        else if (cut && of_halves(at))
            r[c].open = true;
        else if (again)
            r[c].open |= l->here->upper >> c & 1;     /* of what half arithmetic made: other bits stand above it */
        if (unpacks)
            unpack(at, slow_is_short(p, o->kind, o->ref) ? &flt[0] : &(struct slow_view){.kind = VIEW_NONE}, c, &r[c]);
        if (moves(insn) && to_short && slow_is_short(p, o->kind, o->ref) && !(o->flags & OPND_SIGNS)) {
            r[c].view[0] = word[c];
            r[c].view[1] = flt[c];
            for (unsigned as = 0; as < 2; as++) {
                r[c].view[as].place = (uint32_t)(l->here - p->plan->place) + 1;
                r[c].view[as].calls = l->calls;
            }
            continue;
        }
        if (clamps && ((makes_single && of_singles(at)) || (unpacks && of_singles(at) && at->kind != VIEW_AGAIN)))
            r[c].bits = slow_saturate(p, DT_F32, insn->flags, r[c].bits);
        made.place = (uint32_t)(l->here - p->plan->place) + 1;
        made.calls = l->calls;
        if (!(is_plain(insn) || (insn->op == OP_CVT && !condition_restricts(&insn->dst.condition))) || !(narrow || to_short || wide))
            made.kind = VIEW_NONE;
        if (wide && (!passes_on || made.kind != VIEW_NARROWED || slow_is_float(insn->type)))
            made.kind = VIEW_NONE;
        r[c].view[0] = r[c].view[1] = made;
    }
    return true;
}

/* Whether component c is copied without a sign. */
static bool copies_component(const struct slow_lane *l, const struct insn *insn, unsigned c)
{
    const struct slow_program *p = l->group->program;
    bool flip = false;
    int k = insn->op == OP_MUL ? slow_copied_factor(p, l->here, insn, c, &flip) : 0;
    if (insn->op == OP_ABS || (insn->op == OP_DST && c < 2) || k < 0 || flip)
        return false;
    if (insn->op == OP_CMP)
        return l->here->chosen[2] >> c & 1 && !(program_operand(p->text, insn->src + 2)->flags & OPND_SIGNS);
    if (insn->op == OP_MOV || insn->op == OP_MUL)
        return !(program_operand(p->text, insn->src + (uint32_t)k)->flags & OPND_SIGNS);
    return insn->op != OP_DST || !(program_operand(p->text, insn->src + c - 2)->flags & OPND_SIGNS);
}

void slow_view_short(struct slow_lane *l, const struct insn *insn, unsigned c, bool moved, bool word, bool copy, struct slow_value *to)
{
    struct slow_view made = to->view[0];
    to->unrounded = false;
    if (moved) {
        to->unrounded = word && of_singles(&to->view[0]);
        return;
    }
    to->view[0].kind = to->view[1].kind = VIEW_NONE;
    if (word) {
        to->view[0] = made;
        if (of_singles(&made) && insn->op != OP_PK2H) {
            to->bits = made.kind == VIEW_AGAIN ? half_as_single(single_as_half(made.of[0])) : made.of[0];
            to->unrounded = true;
        }
        return;
    }
    if ((insn->op == OP_UP2H || insn->op == OP_MOV) && of_halves(&made)) {
        to->view[1] = made;
        to->word = half_of(&made);
        to->word_open = made.open;
    }
    if (copy && copies_component(l, insn, c) && !(moves(insn) && (of_halves(&made) || made.kind == VIEW_ARITHMETIC)))
        to->view[0] = fresh(l, VIEW_NARROWED, to);
}

uint8_t slow_unpacked(struct slow_lane *l, const struct operand *o, uint64_t half[4], bool open[4])
{
    struct slow_view views[4];
    uint8_t mask = 0;
    if (!l->group->program->nvidia || !operand_views(l, o, true, views))
        return 0;
    for (unsigned c = 0; c < 4; c++)
        if (of_halves(&views[c])) {
            mask |= (uint8_t)(1u << c);
            half[c] = half_of(&views[c]) & 0xffff;
            open[c] = views[c].open;
        }
    return mask;
}
