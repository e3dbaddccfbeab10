/* Which steps machine code is made of, and what they touch. */
#include "eval/jit/jit_internal.h"

static bool is_copy(const struct gp5_executable *x, const struct step *s)
{
    const struct write *out = &x->writes[s->ref];

    return s->kind == STEP_WRITE && s->test.rule == CC_NONE && out->registers && !out->cc_update &&
           out->index == NO_PLANE;
}

static bool has_signs(const struct lane_op *op)
{
    return (op->clear[0] | op->clear[1] | op->clear[2] | op->flip[0] | op->flip[1] | op->flip[2]) != 0;
}

/* The row of an operation. */
static uint8_t way_of(const struct gp5_executable *x, uint32_t op)
{
    const struct op_track *t = &x->tracks[op];
    bool copies = t->op == OP_MOV && has_signs(&x->ops[op]) && x->options.semantics == GP5_SEMANTICS_NVIDIA;
    struct native_shape shape;

    if (!t->native || !copies)
        return t->native;
    eval_native_shape(t->native, &shape);
    return shape.copies && shape.floats && !shape.wide ? eval_native_signed_way() : t->native;
}

bool eval_native_find_shapes(struct native_builder *b)
{
    b->shapes = arena_alloc(&b->arena, b->x->nops * sizeof *b->shapes);
    for (uint32_t i = 0; b->shapes && i < b->x->nops; i++)
        eval_native_shape(way_of(b->x, i), &b->shapes[i]);
    return b->shapes != NULL;
}

const struct native_shape *eval_native_shape_of(const struct native_builder *b, const struct step *s)
{
    static const struct native_shape none;

    return s->quick == STEP_NOTHING || (s->kind != STEP_LANE && s->kind != STEP_RAW) ? &none : &b->shapes[s->ref];
}

bool eval_native_is(const struct native_builder *b, const struct step *s)
{
    const struct native_shape *shape = eval_native_shape_of(b, s);

    if (s->quick == STEP_NOTHING)
        return true;
    if (s->kind == STEP_WRITE)
        return is_copy(b->x, s);
    if (!shape->way || !eval_native_is_apart(s->op, shape))
        return false;
    return !((shape->copies || shape->kind >= KIND_WIDER || b->x->tracks[s->ref].op == OP_CVT) && has_signs(s->op));
}

bool eval_native_is_wide(const struct native_builder *b, const struct step *s)
{
    return eval_native_shape_of(b, s)->wide;
}

bool eval_native_is_wide_alone(const struct native_builder *b, const struct step *s)
{
    return eval_native_is_wide(b, s) && !eval_native_has_words(eval_native_shape_of(b, s)->way);
}

bool eval_native_is_truth(const struct native_builder *b, const struct step *s, uint32_t plane)
{
    return eval_native_shape_of(b, s)->truth && s->op->n == 1 && s->op->dst[0] == plane;
}

uint32_t eval_native_tables(const struct native_builder *b, const struct step *s)
{
    const struct native_shape *shape = eval_native_shape_of(b, s);

    return (shape->table ? 1u << (shape->table - 1) : 0) | (shape->power ? 1u << TABLE_EX2 : 0);
}

uint8_t eval_native_mode(const struct native_builder *b, const struct step *s)
{
    const struct native_shape *shape = eval_native_shape_of(b, s);

    return shape->any_mode || s->quick == STEP_NOTHING || (s->kind != STEP_LANE && s->kind != STEP_RAW)
               ? (uint8_t)FLOAT_ANY : s->mode;
}

/* Those that carry and overflow are found from. */
static bool look_at_carries(const struct gp5_executable *x, const struct write *out, native_look look, void *user)
{
    const struct lane_op *op = &x->ops[out->carry_op];

    for (unsigned k = 0; k < x->tracks[out->carry_op].nsrc; k++)
        for (unsigned i = 0; i < op->n; i++)
            if (look(user, op->src[k][i], false, false))
                return true;
    return false;
}

static bool look_at_write(const struct gp5_executable *x, const struct write *out, native_look look, void *user)
{
    if (out->cc_update && out->carry && !out->wide && look_at_carries(x, out, look, user))
        return true;
    for (unsigned i = 0; i < out->n; i++)
        if (look(user, out->from[i], out->wide, false) || (out->registers && look(user, out->to[i], out->wide, true)) ||
            (out->cc_update && look(user, out->flag_from[i], false, false)) ||
            (out->cc_update && out->answers.more[i] != NO_PLANE &&
             (look(user, out->answers.more[i], false, false) || look(user, out->answers.less[i], false, false))))
            return true;
    return false;
}

static bool look_at_other_kind(const struct lane_op *op, const struct native_shape *shape, native_look look, void *user)
{
    bool pairs = shape->kind == KIND_PART, into_pairs = shape->kind == KIND_WIDER || shape->kind == KIND_JOIN;

    for (unsigned i = 0; i < (shape->reads ? shape->reads : op->n); i++)
        if (look(user, op->src[0][i], false, false) || (pairs && look(user, op->src[0][i] + 1, false, false)))
            return true;
    for (unsigned i = 0; i < op->n; i++)
        for (unsigned k = 1; k < shape->nsrc; k++)
            if (look(user, op->src[k][i], false, false))
                return true;
    for (unsigned i = 0; i < op->n; i++)
        if (look(user, op->dst[i], false, true) || (into_pairs && look(user, op->dst[i] + 1, false, true)))
            return true;
    return false;
}

bool eval_native_planes(const struct native_builder *b, const struct step *s, native_look look, void *user)
{
    const struct native_shape *shape = eval_native_shape_of(b, s);

    if (s->kind == STEP_WRITE && s->quick != STEP_NOTHING)
        return look_at_write(b->x, &b->x->writes[s->ref], look, user);
    if (!shape->way)
        return false;
    if (shape->kind)
        return look_at_other_kind(s->op, shape, look, user);
    for (unsigned k = 0; k < shape->nsrc; k++)
        for (unsigned i = 0; i < (k && shape->last ? 4u : shape->terms ? shape->terms : s->op->n); i++)
            if (look(user, s->op->src[k][i], shape->wide, false))
                return true;
    for (unsigned i = 0; i < s->op->n; i++)
        if (look(user, s->op->dst[i], shape->wide, true))
            return true;
    return false;
}
