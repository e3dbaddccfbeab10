/* Steps that look something up by a function of emit_sfu.c: in registers with AVX-512, and with AVX2 from plane to
 * plane between passes over the lanes, so that several lanes' chains are on their way and rows are fetched by what
 * stands in memory. */
#include "eval/jit/jit_internal.h"

/* ---- AVX-512 ------------------------------------------------------------------------------------------------ */

/* The operand goes where a function looks for it; NATIVE_TEMP has what it is multiplied by, if `times`. */
static void look_up(struct native_builder *b, const struct lane_op *op, unsigned k, const struct native_shape *shape,
                    enum native_table which, bool times)
{
    struct native_value v;

    b->pinned = 0;
    v = eval_native_read(b, op->src[k][0], false, true);
    for (unsigned i = 0; i < native_parts(b); i++) {
        unsigned h = k ? i : native_parts(b) - 1 - i;   /* that in whose register signs are put on comes last */
        struct x86_place place = eval_native_operand(b, op, k, h, &v, shape);
        unsigned to = NATIVE_OPERAND + h;
        if (times)
            x86_vector(&b->code, X86_MULPS, to, NATIVE_TEMP + h, place, 0, 0);
        else if (place.kind != X86_REGISTER || place.at != to)
            x86_vector(&b->code, place.kind == X86_SPREAD ? X86_BROADCAST : X86_LOAD, to, 0, place, 0, 0);
        if (shape->magnitude)
            x86_vector(&b->code, X86_AND, to, to, native_word(NATIVE_MAGNITUDE + 1), 0, 0);
    }
    eval_native_call_table(b, which);
}

static void in_registers(struct native_builder *b, const struct lane_op *op, const struct native_shape *shape,
                         uint32_t to)
{
    unsigned d;

    look_up(b, op, shape->quotient, shape, (enum native_table)(shape->table - 1), false);
    for (unsigned h = 0; h < native_parts(b) && shape->power; h++)
        x86_vector(&b->code, X86_LOAD, NATIVE_TEMP + h, 0, x86_reg(NATIVE_OPERAND + h), 0, 0);
    if (shape->power)
        look_up(b, op, 1, shape, TABLE_EX2, true);
    b->pinned = 0;
    d = eval_native_result(b, to, false, false, false);
    for (unsigned h = 0; h < native_parts(b); h++)
        x86_vector(&b->code, X86_LOAD, native_part(b, d, h), 0, x86_reg(NATIVE_OPERAND + h), 0, 0);
    eval_native_wrote(b, d, false, false);
}

/* ---- AVX2 --------------------------------------------------------------------------------------------------- */

static void call_between(struct native_builder *b, enum native_table which, uint32_t from, uint32_t to)
{
    b->at--;    /* what this step writes is not written yet, and what it reads not dead */
    eval_native_pause(b);
    b->at++;
    x86_avx2_plane(&b->code, false, from * (uint32_t)(WARP_LANES * sizeof(uint32_t)));
    x86_avx2_plane(&b->code, true, to * (uint32_t)(WARP_LANES * sizeof(uint32_t)));
    eval_native_call_table(b, which);
    b->spilled[to] = NANS_CANONICAL;
}

/* Operand k where its signs or `times` (a plane, or NO_PLANE) ask for more than its own plane: in the one for that. */
static uint32_t operand_plane(struct native_builder *b, const struct lane_op *op, unsigned k,
                              const struct native_shape *shape, uint32_t times)
{
    uint32_t plane = b->x->nplanes + NATIVE_LOOKED_UP;
    struct native_value v, by = {.slot = NO_SLOT};
    struct x86_place place, other = native_word(NATIVE_MAGNITUDE + 1);
    unsigned d;

    if (!(op->clear[k] | op->flip[k]) && !shape->magnitude && times == NO_PLANE)
        return op->src[k][0];
    eval_native_resume(b);
    b->pinned = 0;
    v = eval_native_read(b, op->src[k][0], false, true);
    if (times != NO_PLANE)
        by = eval_native_read(b, times, false, true);
    d = eval_native_result(b, plane, false, true, false);
    place = eval_native_operand(b, op, k, 0, &v, shape);
    if (times != NO_PLANE)
        other = eval_native_place(b, &by, 0);
    if (times != NO_PLANE || shape->magnitude)
        x86_vector(&b->code, shape->magnitude ? X86_AND : X86_MULPS, d, eval_native_register(&b->code, &place, k),
                   other, 0, 0);
    else
        x86_vector(&b->code, X86_LOAD, d, 0, place, 0, 0);
    eval_native_wrote(b, d, true, false);
    return plane;
}

static void between_passes(struct native_builder *b, const struct lane_op *op, const struct native_shape *shape,
                           uint32_t to)
{
    uint32_t first = shape->power ? b->x->nplanes + NATIVE_FOUND : to;

    call_between(b, (enum native_table)(shape->table - 1), operand_plane(b, op, shape->quotient, shape, NO_PLANE),
                 first);
    if (shape->power)
        call_between(b, TABLE_EX2, operand_plane(b, op, 1, shape, first), to);
}

/* ---- either ------------------------------------------------------------------------------------------------- */

/* The first result that is wanted is written at once where all lanes are. */
static uint32_t result_plane(const struct native_builder *b, const struct lane_op *op,
                             const struct native_shape *shape, bool under_mask)
{
    unsigned i = 0;

    if (b->reuse[b->at])
        return b->x->nplanes + (b->reuse[b->at] & ~(uint32_t)NATIVE_REUSED);
    if (shape->quotient || (b->masked && under_mask))
        return b->x->nplanes + NATIVE_FOUND;
    while (eval_native_is_dead(b, op->dst[i]))
        i++;
    return op->dst[i];
}

/* Component i of operand 0 by what was looked up. */
static void multiply(struct native_builder *b, const struct lane_op *op, unsigned i, const struct native_shape *shape,
                     bool under_mask, uint32_t factor)
{
    struct native_value v, by;
    unsigned d;

    b->pinned = 0;
    v = eval_native_read(b, op->src[0][i], false, true);
    by = eval_native_read(b, factor, false, true);
    d = eval_native_result(b, op->dst[i], false, true, under_mask);
    for (unsigned h = 0; h < native_parts(b); h++) {
        struct x86_place place = eval_native_operand(b, op, 0, h, &v, shape);
        x86_vector(&b->code, X86_MULPS, native_part(b, d, h), eval_native_register(&b->code, &place, 0),
                   eval_native_place(b, &by, h), eval_native_mask(b, h, under_mask), 0);
    }
    eval_native_wrote(b, d, true, under_mask);
}

void eval_native_look_up(struct native_builder *b, const struct lane_op *op, const struct native_shape *shape,
                         bool under_mask)
{
    uint32_t to;

    if (!b->reuse[b->at] && eval_native_are_dead(b, op))
        return;
    to = result_plane(b, op, shape, under_mask);
    if (!(b->reuse[b->at] & NATIVE_REUSED))
        (b->code.avx2 ? between_passes : in_registers)(b, op, shape, to);
    for (unsigned i = 0; i < op->n; i++) {
        if (op->dst[i] == to || eval_native_is_dead(b, op->dst[i]))
            continue;
        if (b->code.avx2)
            eval_native_resume(b);
        if (shape->quotient)
            multiply(b, op, i, shape, under_mask, to);
        else
            eval_native_copy_plane(b, to, op->dst[i], false, under_mask);
    }
}
