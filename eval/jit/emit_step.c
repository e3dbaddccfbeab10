/* Steps as machine code: operands from where they stand, results under the mask. */
#include "eval/jit/jit_internal.h"

/* ---- operands ------------------------------------------------------------------------------------------ */

/* Operand k where it stands; with its signs in a register of the operation's own. */
static struct x86_place with_signs(struct native_builder *b, const struct lane_op *op, unsigned k,
                                   struct x86_place place, const struct native_shape *shape)
{
    if (!shape->floats || !(op->clear[k] | op->flip[k]))
        return place;
    if (shape->wide)
        eval_native_wide_sign(&b->code, NATIVE_OPERAND + k, place, op->clear[k] != 0, op->flip[k] != 0);
    else
        x86_vector(&b->code, X86_TERNARY, NATIVE_OPERAND + k, NATIVE_NAN, place, 0,
                   op->clear[k] ? op->flip[k] ? 0xbb : 0x88 : 0x99);
    return x86_reg(NATIVE_OPERAND + k);
}

struct x86_place eval_native_operand(struct native_builder *b, const struct lane_op *op, unsigned k, unsigned part,
                                     const struct native_value *v, const struct native_shape *shape)
{
    return with_signs(b, op, k, eval_native_place(b, v, part), shape);
}

/* ---- steps --------------------------------------------------------------------------------------------- */

/* One component: its operands, and the slot of its result. */
struct one {
    struct native_value v[3];
    unsigned d;
    bool any_nan;
};

static bool is_number(const struct native_builder *b, const struct native_value *v)
{
    return v->slot == NO_SLOT && v->constant &&
           (b->x->constants[b->constant[v->plane] - 1].word & 0x7fffffff) <= 0x7f800000;
}

/* What is chosen keeps its bits. Where all NaNs are to become canonical, so that what is chosen may hold any, both
 * may. */
static void prepare_choice(struct native_builder *b, const struct lane_op *op, const struct native_shape *shape,
                           unsigned i, bool under_mask, struct one *c)
{
    bool any_nan[3] = {false, false, false};

    c->v[0] = eval_native_read(b, op->src[0][i], false, shape->floats);
    for (unsigned k = 1; k < 3; k++)
        c->v[k] = eval_native_read_copied(b, op->src[k][i], false, under_mask, &any_nan[k]);
    c->any_nan = (any_nan[1] || is_number(b, &c->v[1])) && (any_nan[2] || is_number(b, &c->v[2]));
    for (unsigned k = 1; k < 3; k++)
        c->any_nan &= !(any_nan[k] && (op->clear[k] | op->flip[k]));     /* a sign is put onto the canonical NaN */
    for (unsigned k = 1; k < 3 && !c->any_nan; k++)
        if (any_nan[k])
            c->v[k] = eval_native_read(b, op->src[k][i], false, false);
}

static void prepare(struct native_builder *b, const struct lane_op *op, const struct native_shape *shape, unsigned i,
                    bool under_mask, struct one *c)
{
    c->any_nan = shape->any_nan;
    if (shape->selects)
        prepare_choice(b, op, shape, i, under_mask, c);
    for (unsigned k = 0; k < shape->nsrc && !shape->selects; k++)
        c->v[k] = shape->copies ? eval_native_read_copied(b, op->src[k][i], shape->wide, under_mask, &c->any_nan)
                                : eval_native_read(b, op->src[k][i], shape->wide, shape->floats);
    c->d = eval_native_result(b, op->dst[i], shape->wide, c->any_nan, under_mask);
}

static struct native_call make_call(struct native_builder *b, const struct lane_op *op,
                                    const struct native_shape *shape, unsigned i, unsigned part, bool under_mask,
                                    const struct one *c)
{
    struct native_call call = {.d = native_part(b, c->d, part), .mask = eval_native_mask(b, part, under_mask)};
    uint32_t known = b->constant[op->src[1][i]];

    if (shape->truth && b->truth == op->dst[i] && !b->code.avx2)
        call.truth = (uint8_t)(NATIVE_TRUTH + part);
    if (shape->nsrc > 1 && known)
        call.known = &b->x->constants[known - 1].word;
    for (unsigned k = 0; k < shape->nsrc; k++)
        if (shape->fused && !op->clear[k]) {
            call.src[k] = eval_native_place(b, &c->v[k], part);
            call.negated ^= op->flip[k] ? k == 2 ? 2 : 4 : 0;
        } else {
            call.src[k] = eval_native_operand(b, op, k, part, &c->v[k], shape);
        }
    return call;
}

static void component(struct native_builder *b, const struct lane_op *op, const struct native_shape *shape,
                      unsigned i, bool under_mask)
{
    struct one c = {.any_nan = false};

    if (eval_native_is_dead(b, op->dst[i]) && (!shape->wide || eval_native_is_dead(b, op->dst[i] + 1)))
        return;
    b->pinned = 0;
    prepare(b, op, shape, i, under_mask, &c);
    for (unsigned h = 0; h < native_parts(b); h++) {
        struct native_call call = make_call(b, op, shape, i, h, under_mask, &c);
        if (shape->fused)
            eval_native_wide_fused(b, &call, 1);
        else
            eval_native_component(&b->code, shape->way, &call);
    }
    eval_native_wrote(b, c.d, c.any_nan, under_mask);
}

/* Whether an operand's magnitude is taken: that needs a register, which two components at a time have none for. */
static bool has_magnitudes(const struct lane_op *op)
{
    return (op->clear[0] | op->clear[1] | op->clear[2]) != 0;
}

static void two_components(struct native_builder *b, const struct lane_op *op, const struct native_shape *shape,
                           unsigned i, bool under_mask)
{
    struct native_call call[2];
    struct one c[2];

    b->pinned = 0;
    for (unsigned k = 0; k < 2; k++)
        prepare(b, op, shape, i + k, under_mask, &c[k]);
    for (unsigned k = 0; k < 2; k++)
        call[k] = make_call(b, op, shape, i + k, 0, under_mask, &c[k]);
    eval_native_wide_fused(b, call, 2);
    for (unsigned k = 0; k < 2; k++)
        eval_native_wrote(b, c[k].d, c[k].any_nan, under_mask);
}

bool eval_native_are_dead(const struct native_builder *b, const struct lane_op *op)
{
    bool dead = true;

    for (unsigned i = 0; i < op->n; i++)
        dead &= eval_native_is_dead(b, op->dst[i]);
    return dead;
}

/* The sum of one part, into NATIVE_TEMP. */
static void sum_part(struct native_builder *b, const struct lane_op *op, const struct native_shape *shape,
                     struct native_value v[2][4], const struct native_value *last, unsigned h)
{
    for (unsigned i = 0; i < shape->terms; i++) {
        struct x86_place x = eval_native_operand(b, op, 0, h, &v[0][i], shape);
        unsigned a = eval_native_register(&b->code, &x, 0);
        eval_native_term(&b->code, shape->way, i, a, eval_native_operand(b, op, 1, h, &v[1][i], shape));
    }
    if (shape->last)
        eval_native_last(&b->code, eval_native_operand(b, op, 1, h, last, shape));
}

/* The operands are done with when the sums are there. */
static void terms(struct native_builder *b, const struct lane_op *op, const struct native_shape *shape,
                  bool under_mask)
{
    enum { FIRST_SUM = NATIVE_OPERAND + 2 };    /* while the other part's is made */
    struct native_value v[2][4], last = {0};
    unsigned parts = native_parts(b);

    if (eval_native_are_dead(b, op))
        return;
    b->pinned = 0;
    for (unsigned k = 0; k < 2; k++)
        for (unsigned i = 0; i < shape->terms; i++)
            v[k][i] = eval_native_read(b, op->src[k][i], false, true);
    if (shape->last)
        last = eval_native_read(b, op->src[1][shape->last], false, true);
    for (unsigned h = 0; h < parts; h++) {
        sum_part(b, op, shape, v, &last, h);
        if (h + 1 < parts)
            x86_vector(&b->code, X86_LOAD, FIRST_SUM, 0, x86_reg(NATIVE_TEMP), 0, 0);
    }
    b->pinned = 0;
    for (unsigned i = 0; i < op->n; i++) {
        unsigned d = eval_native_result(b, op->dst[i], false, true, under_mask);
        for (unsigned h = 0; h < parts; h++)
            x86_vector(&b->code, X86_LOAD, native_part(b, d, h), 0, x86_reg(h + 1 < parts ? FIRST_SUM : NATIVE_TEMP),
                       eval_native_mask(b, h, under_mask), 0);
        eval_native_wrote(b, d, true, under_mask);
    }
}

void eval_native_copy_plane(struct native_builder *b, uint32_t from, uint32_t to, bool wide, bool under_mask)
{
    struct native_value v;
    unsigned d;
    bool any_nan;

    if (!wide && eval_native_is_dead(b, to))
        return;
    b->pinned = 0;
    v = eval_native_read_copied(b, from, wide, under_mask, &any_nan);
    d = eval_native_result(b, to, wide, any_nan, under_mask);
    for (unsigned h = 0; h < native_parts(b); h++)
        x86_vector(&b->code, wide ? X86_LOAD64 : v.slot == NO_SLOT && v.constant ? X86_BROADCAST : X86_LOAD,
                   native_part(b, d, h), 0, eval_native_place(b, &v, h), eval_native_mask(b, h, under_mask), 0);
    eval_native_wrote(b, d, any_nan, under_mask);
}

static void copy_planes(struct native_builder *b, const struct write *out)
{
    bool pairs = out->wide && b->layout == LAYOUT_WIDE;

    for (unsigned i = 0; i < out->n; i++)
        for (unsigned high = 0; high <= (out->wide && !pairs ? 1u : 0u); high++)
            eval_native_copy_plane(b, out->from[i] + high, out->to[i] + high, pairs, true);
}

void eval_native_component_of(struct native_builder *b, const struct step *s, unsigned c)
{
    for (unsigned i = 0; i < s->op->n; i++)
        if (s->op->comp[i] == c)
            component(b, s->op, eval_native_shape_of(b, s), i, s->kind == STEP_LANE);
}

static bool are_local(const struct native_builder *b, const struct lane_op *op)
{
    unsigned i = 0;

    while (i < op->n && eval_native_is_local(b, op->dst[i]))
        i++;
    return i == op->n;
}

void eval_native_step(struct native_builder *b, const struct step *s)
{
    const struct native_shape *shape = eval_native_shape_of(b, s);
    bool under_mask = s->kind == STEP_LANE && !(b->section_end && are_local(b, s->op));

    if (s->quick == STEP_NOTHING)
        return;
    if (s->kind == STEP_WRITE)
        copy_planes(b, &b->x->writes[s->ref]);
    else if (shape->wide && b->flow)
        eval_native_in_words(b, s->op, shape->way, under_mask);
    else if (shape->kind)
        eval_native_pack(b, s->op, shape, under_mask);
    else if (shape->table)
        eval_native_look_up(b, s->op, shape, under_mask);
    else if (shape->terms)
        terms(b, s->op, shape, under_mask);
    else
        for (unsigned i = 0; i < s->op->n; i++)
            if (shape->fused && i + 1 < s->op->n && !has_magnitudes(s->op) && !b->code.avx2)
                two_components(b, s->op, shape, i++, under_mask);
            else
                component(b, s->op, shape, i, under_mask);
}
