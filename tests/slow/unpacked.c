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

/* What a view says of the place that reads it, as component c of operand k. */
static struct slow_view seen(const struct slow_lane *l, struct slow_view v, uint32_t k, unsigned c)
{
    if (!v.place || k >= 3 || l->here->seen[k][c] != v.place)
        v.kind = VIEW_NONE;
    return v;
}

/* The views of an operand's components, after the swizzle; with a sign UP2H alone has any. */
static bool operand_views(struct slow_lane *l, const struct operand *o, bool as_float, struct slow_view views[4])
{
    const struct slow_program *p = l->group->program;
    uint32_t k = (uint32_t)(o - program_operand(p->text, program_insn(p->text, l->here->insn)->src));
    struct slow_value v[4];
    unsigned op = program_insn(p->text, l->here->insn)->op;
    bool is_short = slow_is_short(p, o->kind, o->ref), takes_signs = op == OP_UP2H || op == OP_STOREIM;
    struct operand plain = *o;
    memset(views, 0, 4 * sizeof *views);
    if (o->kind != OPND_SYMBOL || o->nindices || (o->flags & OPND_SIGNS && !takes_signs) || program_symbol(p->text, o->ref)->kind != SYM_TEMP ||
        program_symbol(p->text, o->ref)->array)
        return true;
    plain.flags &= (uint16_t)~OPND_SIGNS;
    if (!slow_register(l, &plain, v))
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

/* The same float again. */
static bool copies_float(const struct insn *insn, const struct operand *o)
{
    if (insn->type != DT_F32 || insn->flags & (INSN_HALF | INSN_PREC) || !is_plain(insn))
        return false;
    if (insn->op == OP_CVT)
        return insn->type2 == DT_F32 && (!insn->rounding || insn->rounding == MOD_ROUND);
    return (insn->op == OP_MAX || insn->op == OP_MIN) && slow_is_same_register(o, o + 1);
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
    if (view->kind == VIEW_CLAMPED && !(c & 1))
        give(r, view->of[0], view->open);
    else if (c & 1 && of_halves(as_float) && as_float->by_unpacking)
        give(r, 0, false);
    else if (view->kind == VIEW_AGAIN)
        return;
    else if (view->kind == VIEW_PACKED)
        give(r, view->of[c & 1], view->open);
    else if (of_singles(view))
        give(r, c & 1 ? soft_widened(soft_narrowed(view->of[0])) : view->of[0], view->open);
}

/* The same with a sign: of copies it is a single's. */
static void unpack_signed(const struct slow_program *p, const struct insn *insn, const struct operand *o, const struct slow_view *view, unsigned c, struct slow_value *r)
{
    bool magnitude = o->flags & OPND_ABSOLUTE && (insn->type == DT_NONE || slow_is_float(insn->type) || type_table[insn->type].is_signed), minus = operand_negates(o);
    if (!of_singles(view) || view->kind == VIEW_AGAIN)
        return;
    unpack(view, &(struct slow_view){.kind = VIEW_NONE}, c, r);
    if (magnitude || minus)
        r->bits = slow_moved(p, DT_F32, true, (r->bits & (magnitude ? 0x7fffffff : UINT32_MAX)) ^ (minus ? 0x80000000 : 0));
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

/* An instruction, and what its operands are views of: as words, and as floats. */
struct viewing {
    struct slow_lane *l;
    const struct insn *insn;
    const struct operand *o;    /* the first one */
    bool clamps, again, back, cut, leaves, makes_single, unpacks;      /* leaves: a half that is clamped, and other bits above it */
    struct slow_view word[4], flt[4], other[4];         /* other: of the second operand */
};

static bool look_at_operands(struct viewing *x)
{
    const struct insn *insn = x->insn;
    x->clamps = insn->flags & (INSN_SAT | INSN_SSAT);
    x->back = converts(insn, DT_F32, DT_F16);
    x->again = converts(insn, DT_F16, DT_F32);
    x->cut = insn->op == OP_CVT && insn->type == DT_F16 && insn->type2 == DT_F32 && (!insn->rounding || insn->rounding == MOD_ROUND) && x->clamps;
    x->leaves = insn->op == OP_CVT && insn->type == DT_F16 && x->clamps && insn->dst.kind == OPND_SYMBOL &&
                program_symbol(x->l->group->program->text, insn->dst.ref)->size == SIZE_DEFAULT &&
                !program_symbol(x->l->group->program->text, insn->dst.ref)->array;
    x->makes_single = insn->op == OP_CVT && insn->type == DT_F32 && insn->type2 == DT_F16;      /* however it rounds */
    x->unpacks = insn->op == OP_UP2H;
    return operand_views(x->l, x->o, false, x->word) && operand_views(x->l, x->o, true, x->flt) &&
           (insn->nsrc < 2 || operand_views(x->l, x->o + 1, true, x->other));
}

/* What an operation on words leaves of one. */
static struct slow_view part_of(struct slow_view of, unsigned left)
{
    if (of.kind == VIEW_CLAMPED && left != LEFT_HIGH && left != LEFT_NOTHING)
        return of;
    if (of.kind == VIEW_PACKED && left == LEFT_LOW)
        of.kind = VIEW_NARROWED;
    else if (of.kind == VIEW_NARROWED && left == LEFT_HIGH)
        of.kind = VIEW_AGAIN;
    else if (left != LEFT_ALL && of.kind != VIEW_NARROWED)
        of.kind = VIEW_NONE;
    return of;
}

/* What component c is a view of, where `at` is what its operand is; `left` of operand k by an operation on words. */
static bool make_view(const struct viewing *x, unsigned c, const struct slow_view *at, unsigned left, unsigned k, struct slow_value s[3][4],
                      const struct slow_value *result, struct slow_view *made)
{
    const struct insn *insn = x->insn;
    const struct slow_program *p = x->l->group->program;
    bool flip, product = (insn->op == OP_MUL || insn->op == OP_DIV) && insn->type == DT_F32 && is_plain(insn);
    int factor = product ? slow_copied_factor(p, x->l->here, insn, c, &flip) : -1;
    if (moves(insn)) {
        *made = slow_is_float(insn->type) ? x->flt[c] : x->word[c];
    } else if (copies_float(insn, x->o)) {
        *made = x->flt[c];
    } else if (factor >= 0) {
        if (!flip)
            *made = factor ? x->other[c] : x->flt[c];
    } else if (x->again && !of_halves(at)) {
        *made = fresh(x->l, VIEW_NARROWED, &s[0][c]);
    } else if (x->leaves) {
        *made = fresh(x->l, VIEW_CLAMPED, &(struct slow_value){.bits = soft_widened(result->bits & 0xffff), .open = result->open});
    } else if (x->back && !of_singles(at)) {
        *made = fresh(x->l, VIEW_LOW, &s[0][c]);
    } else if (x->unpacks && !(x->o->flags & OPND_SIGNS) && !x->clamps && !of_singles(at)) {
        *made = fresh(x->l, c & 1 ? VIEW_HIGH : VIEW_LOW, &s[0][0]);
        made->by_unpacking = true;
        if (x->o->kind == OPND_CONSTANT && !(c & 1))
            made->of[0] &= 0xffff;      /* of a literal nothing stands above */
    } else if (insn->op == OP_PK2H) {
        *made = fresh(x->l, VIEW_PACKED, &s[0][0]);
        made->of[1] = s[0][1].bits & 0xffffffff;
        made->open |= s[0][1].open;
        for (unsigned n = 0; operand_has_sign(x->o) && n < 2; n++)      /* a sign is arithmetic */
            made->of[n] = slow_apply(p, OP_ADD, DT_F32, made->of[n], 0x80000000, 0);
    } else if (left != LEFT_NOTHING) {
        struct slow_view of[4];
        if (!operand_views(x->l, program_operand(p->text, insn->src + k), false, of))
            return false;
        *made = part_of(of[c], left);
    } else if (slow_makes_half(insn)) {
        made->kind = VIEW_ARITHMETIC;
        made->of[0] = c;
        made->of[1] = (uint64_t)(x->l->here - p->plan->place);
    }
    return true;
}

/* RCP, whose half stands in no pair. */
static bool is_reciprocal(const struct viewing *x, const struct slow_view *at)
{
    const struct slow_program *p = x->l->group->program;
    return at->kind == VIEW_ARITHMETIC && program_insn(p->text, p->plan->place[at->of[1]].insn)->op == OP_RCP;
}

/* What comes out of component c where its operand is such a view. */
static void give_origin(const struct viewing *x, unsigned c, const struct slow_view *at, struct slow_value *r)
{
    const struct slow_program *p = x->l->group->program;
    struct slow_view nothing = {.kind = VIEW_NONE};
    if (x->makes_single && at->kind == VIEW_CLAMPED)
        give(r, at->of[0], at->open);
    if (x->makes_single && of_singles(at))
        give(r, at->kind == VIEW_AGAIN ? soft_widened(soft_narrowed(at->of[0])) : at->of[0], at->open);
    if (x->again && of_halves(at) && !at->beside)
        give(r, half_of(at), at->open);
    else if (x->leaves)
        r->above = true;
    else if (x->cut && of_halves(at))
        r->open = true;
    else if (x->again)      /* of what half arithmetic made, or was loaded beside others: other bits stand above it */
        r->open |= (x->l->here->upper >> c & 1 && !is_reciprocal(x, at)) || (of_halves(at) && at->beside);
    if (x->unpacks && x->o->flags & OPND_SIGNS)
        unpack_signed(p, x->insn, x->o, at, c, r);
    else if (x->unpacks)
        unpack(at, slow_is_short(p, x->o->kind, x->o->ref) ? &x->flt[0] : &nothing, c, r);
}

/* A view that the instruction makes. */
static struct slow_view placed(const struct viewing *x, struct slow_view v)
{
    v.place = (uint32_t)(x->l->here - x->l->group->program->plan->place) + 1;
    v.calls = x->l->calls;
    return v;
}

/* Whether the result's variable may hold a view; `same`: of what it copies. */
static bool may_view(const struct viewing *x, const struct slow_view *made, bool same)
{
    const struct slow_program *p = x->l->group->program;
    const struct insn *insn = x->insn;
    bool to_short = slow_is_short(p, insn->dst.kind, insn->dst.ref), wide = program_is_long(p->text, insn->dst.kind, insn->dst.ref);
    bool narrow = insn->dst.kind == OPND_SYMBOL && program_symbol(p->text, insn->dst.ref)->size == SIZE_DEFAULT;
    if (!(is_plain(insn) || (insn->op == OP_CVT && !condition_restricts(&insn->dst.condition))) || !(narrow || to_short || wide))
        return false;
    return !wide || (same && made->kind == VIEW_NARROWED && !slow_is_float(insn->type));
}

static bool view_component(const struct viewing *x, unsigned c, struct slow_value s[3][4], struct slow_value *r)
{
    const struct slow_program *p = x->l->group->program;
    const struct insn *insn = x->insn;
    const struct operand *o = x->o;
    struct slow_view nothing = {.kind = VIEW_NONE}, made = nothing;
    const struct slow_view *at = program_is_long(p->text, o->kind, o->ref) ? &nothing : &x->word[x->unpacks ? 0 : c];
    unsigned k = 0, left = is_plain(insn) || insn->op == OP_CVT ? slow_left_of(p, x->l->here, insn, c, &k) : LEFT_NOTHING;
    if (x->l->here->computed >> c & 1)
        return true;
    if (!make_view(x, c, at, left, k, s, r, &made))
        return false;
    if (slow_takes_number(p, insn, at) && !slow_take_number(p, insn, &s[0][c], r))
        return false;
    give_origin(x, c, at, r);
    if (moves(insn) && slow_is_short(p, insn->dst.kind, insn->dst.ref) && slow_is_short(p, o->kind, o->ref) && !(o->flags & OPND_SIGNS)) {
        r->view[0] = placed(x, x->word[c]);
        r->view[1] = placed(x, x->flt[c]);
        return true;
    }
    if (x->clamps && (of_singles(at) || at->kind == VIEW_CLAMPED) && (x->makes_single || (x->unpacks && at->kind != VIEW_AGAIN)))
        r->bits = slow_saturate(p, DT_F32, insn->flags, r->bits);
    made = placed(x, made);
    if (!may_view(x, &made, moves(insn) || left != LEFT_NOTHING))
        made.kind = VIEW_NONE;
    r->view[0] = r->view[1] = made;
    return true;
}

bool slow_view_result(struct slow_lane *l, const struct insn *insn, struct slow_value s[3][4], struct slow_value r[4])
{
    const struct slow_program *p = l->group->program;
    struct viewing x = {.l = l, .insn = insn, .o = insn->nsrc ? program_operand(p->text, insn->src) : NULL};
    if (!p->nvidia || !x.o)
        return true;
    if (insn->flags & INSN_PREC && (insn->op == OP_PK2H || insn->op == OP_UP2H)) {     /* these convert */
        for (unsigned c = 0; c < 4; c++)
            r[c].view[0].kind = r[c].view[1].kind = VIEW_NONE;
        return true;
    }
    if (!look_at_operands(&x))
        return false;
    for (unsigned c = 0; c < 4; c++)
        if (!view_component(&x, c, s, &r[c]))
            return false;
    return true;
}

bool slow_loads_halves(const struct insn *insn)
{
    return insn->type == DT_F16 && (insn->op == OP_LDB || insn->op == OP_LDS || insn->op == OP_LDC || insn->op == OP_LOAD);
}

bool slow_brings_halves(const struct slow_program *p, const struct insn *insn)
{
    return slow_loads_halves(insn) || (insn->op == OP_LOADIM && insn->type == DT_F16 && !slow_is_short(p, insn->dst.kind, insn->dst.ref));
}

void slow_view_loaded(const struct slow_lane *l, const struct insn *insn, unsigned c, uint16_t half, struct slow_value *r)
{
    const struct slow_program *p = l->group->program;
    bool wide = program_is_long(p->text, insn->dst.kind, insn->dst.ref);
    if (!p->nvidia || !slow_brings_halves(p, insn) || !is_plain(insn) || c >= insn->width || wide)
        return;
    r->view[0] = fresh(l, VIEW_LOW, &(struct slow_value){.bits = half, .open = r->open});
    r->view[0].by_unpacking = true;
    r->view[0].beside = insn->width > 1;
    r->view[1] = r->view[0];
}

/* Whether component c is copied without a sign. */
static bool copies_component(const struct slow_lane *l, const struct insn *insn, unsigned c)
{
    const struct slow_program *p = l->group->program;
    bool flip = false;
    int k = insn->op == OP_MUL ? slow_copied_factor(p, l->here, insn, c, &flip) : 0;
    if (insn->op == OP_ABS || slow_loads_halves(insn) || (insn->op == OP_DST && c < 2) || k < 0 || flip)
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
            to->bits = made.kind == VIEW_AGAIN ? soft_widened(soft_narrowed(made.of[0])) : made.of[0];
            to->unrounded = true;
        }
        return;
    }
    if ((insn->op == OP_UP2H || insn->op == OP_MOV || slow_loads_halves(insn)) && of_halves(&made)) {
        to->view[1] = made;
        if (!made.beside) {
            to->word = half_of(&made);
            to->word_open = made.open;
        }
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
