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

static bool are_dead(const struct native_builder *b, const struct lane_op *op)
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

    if (are_dead(b, op))
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

/* The operand goes where a function of emit_sfu.c looks for it. */
static void look_up(struct native_builder *b, const struct lane_op *op, const struct native_shape *shape)
{
    unsigned k = shape->quotient;
    struct native_value v;

    b->pinned = 0;
    v = eval_native_read(b, op->src[k][0], false, true);
    for (unsigned i = 0; i < native_parts(b); i++) {
        unsigned h = k ? i : native_parts(b) - 1 - i;   /* that in whose register signs are put on comes last */
        struct x86_place place = eval_native_operand(b, op, k, h, &v, shape);
        unsigned to = NATIVE_OPERAND + h;
        if (place.kind != X86_REGISTER || place.at != to)
            x86_vector(&b->code, place.kind == X86_SPREAD ? X86_BROADCAST : X86_LOAD, to, 0, place, 0, 0);
        if (shape->magnitude)
            x86_vector(&b->code, X86_AND, to, to, native_word(NATIVE_MAGNITUDE + 1), 0, 0);
    }
    eval_native_call_table(b, (enum native_table)(shape->table - 1));
}

/* To a plane that is written anyway, and back: one look-up after the other is a long chain. */
static void part_look_ups(struct native_builder *b, const struct lane_op *op, bool under_mask)
{
    unsigned i = 0, d;

    while (eval_native_is_dead(b, op->dst[i]))
        i++;
    d = eval_native_result(b, op->dst[i], false, true, under_mask);
    x86_vector(&b->code, X86_LOAD, d, 0, x86_reg(NATIVE_TEMP), eval_native_mask(b, 0, under_mask), 0);
    eval_native_wrote(b, d, true, under_mask);
    eval_native_next_section(b);
    b->pinned = 0;
    d = eval_native_read(b, op->dst[i], false, true).slot;
    x86_vector(&b->code, X86_LOAD, NATIVE_TEMP, 0, x86_reg(d), 0, 0);
}

/* EX2 of the product of operand 1 and of what was looked up. */
static void raise_to(struct native_builder *b, const struct lane_op *op, const struct native_shape *shape,
                     bool under_mask)
{
    struct native_value v;

    b->pinned = 0;
    v = eval_native_read(b, op->src[1][0], false, true);
    for (unsigned h = 0; h < native_parts(b); h++)
        x86_vector(&b->code, X86_LOAD, NATIVE_TEMP + h, 0, x86_reg(NATIVE_OPERAND + h), 0, 0);
    for (unsigned h = 0; h < native_parts(b); h++)  /* signs are put on in the second one's place */
        x86_vector(&b->code, X86_MULPS, NATIVE_TEMP + h, NATIVE_TEMP + h, eval_native_operand(b, op, 1, h, &v, shape),
                   0, 0);
    if (b->code.avx2 && !b->flow)
        part_look_ups(b, op, under_mask);
    for (unsigned h = 0; h < native_parts(b); h++)
        x86_vector(&b->code, X86_LOAD, NATIVE_OPERAND + h, 0, x86_reg(NATIVE_TEMP + h), 0, 0);
    eval_native_call_table(b, TABLE_EX2);
}

/* What was looked up, to or from a spare plane. */
static void spare(struct native_builder *b, unsigned which, bool store)
{
    uint32_t plane = b->x->nplanes + which;
    struct native_value v = {.plane = plane};

    b->pinned = 0;
    if (store)
        v.slot = (uint8_t)eval_native_result(b, plane, false, false, false);
    else
        v = eval_native_read(b, plane, false, true);
    for (unsigned h = 0; h < native_parts(b); h++)
        if (store)
            x86_vector(&b->code, X86_LOAD, native_part(b, v.slot, h), 0, x86_reg(NATIVE_OPERAND + h), 0, 0);
        else
            x86_vector(&b->code, X86_LOAD, NATIVE_OPERAND + h, 0, eval_native_place(b, &v, h), 0, 0);
    if (store)
        eval_native_wrote(b, v.slot, false, false);
}

static void table(struct native_builder *b, const struct lane_op *op, const struct native_shape *shape, bool under_mask)
{
    uint8_t reuse = b->reuse[b->at];

    if (!reuse && are_dead(b, op))
        return;
    if (reuse & NATIVE_REUSED) {
        spare(b, reuse - NATIVE_REUSED - 1u, false);
    } else {
        look_up(b, op, shape);
        if (shape->power)
            raise_to(b, op, shape, under_mask);
        if (reuse)
            spare(b, reuse - 1u, true);
    }
    for (unsigned i = 0; i < op->n; i++) {
        unsigned d = eval_native_result(b, op->dst[i], false, false, under_mask);
        for (unsigned h = 0; h < native_parts(b); h++)
            x86_vector(&b->code, X86_LOAD, native_part(b, d, h), 0, x86_reg(NATIVE_OPERAND + h),
                       eval_native_mask(b, h, under_mask), 0);
        eval_native_wrote(b, d, false, under_mask);
    }
}

/* The divisor is the same for all components. */
static void quotients(struct native_builder *b, const struct lane_op *op, const struct native_shape *shape,
                      bool under_mask)
{
    look_up(b, op, shape);
    for (unsigned h = 0; h < native_parts(b); h++)
        x86_vector(&b->code, X86_LOAD, NATIVE_TEMP + h, 0, x86_reg(NATIVE_OPERAND + h), 0, 0);
    for (unsigned i = 0; i < op->n; i++) {
        struct native_value v;
        unsigned d;
        b->pinned = 0;
        v = eval_native_read(b, op->src[0][i], false, true);
        d = eval_native_result(b, op->dst[i], false, true, under_mask);
        for (unsigned h = 0; h < native_parts(b); h++)
            x86_vector(&b->code, X86_MULPS, native_part(b, d, h), NATIVE_TEMP + h,
                       eval_native_operand(b, op, 0, h, &v, shape), eval_native_mask(b, h, under_mask), 0);
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

void eval_native_step(struct native_builder *b, const struct step *s)
{
    const struct native_shape *shape = eval_native_shape_of(b, s);
    bool under_mask = s->kind == STEP_LANE;

    if (s->quick == STEP_NOTHING)
        return;
    if (s->kind == STEP_WRITE)
        copy_planes(b, &b->x->writes[s->ref]);
    else if (shape->wide && b->flow)
        eval_native_in_words(b, s->op, shape->way, under_mask);
    else if (shape->kind)
        eval_native_pack(b, s->op, shape, under_mask);
    else if (shape->table)
        (shape->quotient ? quotients : table)(b, s->op, shape, under_mask);
    else if (shape->terms)
        terms(b, s->op, shape, under_mask);
    else
        for (unsigned i = 0; i < s->op->n; i++)
            if (shape->fused && i + 1 < s->op->n && !has_magnitudes(s->op) && !b->code.avx2)
                two_components(b, s->op, shape, i++, under_mask);
            else
                component(b, s->op, shape, i, under_mask);
}
