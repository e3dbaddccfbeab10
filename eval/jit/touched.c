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

uint8_t eval_native_way_of(const struct gp5_executable *x, const struct step *s, struct native_shape *shape)
{
    const struct op_track *t = &x->tracks[s->ref];
    uint8_t way = t->native;

    eval_native_shape(way, shape);
    if (shape->copies && shape->floats && !shape->wide && t->op == OP_MOV && has_signs(s->op) &&
        x->options.semantics == GP5_SEMANTICS_NVIDIA) {
        way = eval_native_signed_way();
        eval_native_shape(way, shape);
    }
    return way;
}

bool eval_native_is(const struct gp5_executable *x, const struct step *s)
{
    struct native_shape shape;

    if (s->quick == STEP_NOTHING)
        return true;
    if (s->kind == STEP_WRITE)
        return is_copy(x, s);
    if (s->kind != STEP_LANE && s->kind != STEP_RAW)
        return false;
    if (!x->tracks[s->ref].native)
        return false;
    eval_native_way_of(x, s, &shape);
    if (!eval_native_is_apart(s->op, &shape))
        return false;
    return !((shape.copies || shape.kind >= KIND_WIDER || x->tracks[s->ref].op == OP_CVT) && has_signs(s->op));
}

bool eval_native_is_wide(const struct gp5_executable *x, const struct step *s)
{
    struct native_shape shape;

    if (s->quick == STEP_NOTHING || (s->kind != STEP_LANE && s->kind != STEP_RAW))
        return false;
    eval_native_shape(x->tracks[s->ref].native, &shape);
    return shape.wide;
}

bool eval_native_is_wide_alone(const struct gp5_executable *x, const struct step *s)
{
    return eval_native_is_wide(x, s) && !eval_native_has_words(x->tracks[s->ref].native);
}

bool eval_native_is_truth(const struct gp5_executable *x, const struct step *s, uint32_t plane)
{
    struct native_shape shape;

    if (s->quick == STEP_NOTHING || (s->kind != STEP_LANE && s->kind != STEP_RAW) || s->op->n != 1 ||
        s->op->dst[0] != plane)
        return false;
    eval_native_shape(x->tracks[s->ref].native, &shape);
    return shape.truth;
}

uint32_t eval_native_tables(const struct gp5_executable *x, const struct step *s)
{
    struct native_shape shape;

    if (s->quick == STEP_NOTHING || (s->kind != STEP_LANE && s->kind != STEP_RAW) || !x->tracks[s->ref].native)
        return 0;
    eval_native_shape(x->tracks[s->ref].native, &shape);
    return (shape.table ? 1u << (shape.table - 1) : 0) | (shape.power ? 1u << TABLE_EX2 : 0);
}

bool eval_native_is_bits(const struct gp5_executable *x, const struct step *s)
{
    struct native_shape shape;

    if (s->quick == STEP_NOTHING || s->kind == STEP_WRITE)
        return false;
    eval_native_shape(x->tracks[s->ref].native, &shape);
    return shape.bits;
}

bool eval_native_is_fused(const struct gp5_executable *x, const struct step *s)
{
    struct native_shape shape;

    if (s->quick == STEP_NOTHING || s->kind == STEP_WRITE)
        return false;
    eval_native_shape(x->tracks[s->ref].native, &shape);
    return shape.fused;
}

uint8_t eval_native_mode(const struct gp5_executable *x, const struct step *s)
{
    struct native_shape shape;

    if (s->quick == STEP_NOTHING || (s->kind != STEP_LANE && s->kind != STEP_RAW))
        return FLOAT_ANY;
    eval_native_shape(x->tracks[s->ref].native, &shape);
    return shape.any_mode ? (uint8_t)FLOAT_ANY : s->mode;
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

bool eval_native_planes(const struct gp5_executable *x, const struct step *s, native_look look, void *user)
{
    struct native_shape shape;

    if (s->quick == STEP_NOTHING)
        return false;
    if (s->kind == STEP_WRITE)
        return look_at_write(x, &x->writes[s->ref], look, user);
    if ((s->kind != STEP_LANE && s->kind != STEP_RAW) || !x->tracks[s->ref].native)
        return false;
    eval_native_shape(x->tracks[s->ref].native, &shape);
    if (shape.kind)
        return look_at_other_kind(s->op, &shape, look, user);
    for (unsigned k = 0; k < shape.nsrc; k++)
        for (unsigned i = 0; i < (k && shape.last ? 4u : shape.terms ? shape.terms : s->op->n); i++)
            if (look(user, s->op->src[k][i], shape.wide, false))
                return true;
    for (unsigned i = 0; i < s->op->n; i++)
        if (look(user, s->op->dst[i], shape.wide, true))
            return true;
    return false;
}
