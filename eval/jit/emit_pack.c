/* Words made of several components, components of words, bit fields, and what only moves planes. */
#include "eval/jit/jit_internal.h"

enum {
    A = NATIVE_OPERAND,
    WORD = NATIVE_OPERAND + 1,
    FIRST_WORD = NATIVE_OPERAND + 2,
    T = NATIVE_TEMP,
    U = NATIVE_TEMP + 1
};

static void put(struct native_builder *b, uint32_t code, unsigned d, unsigned a, struct x86_place m, unsigned mask)
{
    x86_vector(&b->code, code, d, a, m, mask, 0);
}

static void put_word(struct native_builder *b, uint32_t code, unsigned d, unsigned a, enum native_word w)
{
    put(b, code, d, a, native_word(w), 0);
}

static unsigned bits_of(uint8_t packing)
{
    return packing == PACK_HALVES || packing == PACK_UNSIGNED16 ? 16 : 8;
}

/* ---- packing ------------------------------------------------------------------------------------------- */

/* The code of one component, into T. Of a NaN and a bound, and of two zeros, the processor takes the second. */
static void code_of(struct native_builder *b, uint8_t packing, struct x86_place from)
{
    struct native_call call = {.d = T, .src = {from}};
    unsigned a;

    if (packing == PACK_HALVES) {
        eval_native_half(&b->code, HALF_FROM_FLOAT, &call);
        return;
    }
    a = eval_native_register(&b->code, &from, 0);
    if (packing == PACK_SIGNED8) {
        put_word(b, X86_MAXPS, T, a, NATIVE_LEAST_8);
        put_word(b, X86_MINPS, T, T, NATIVE_ONE);
        put_word(b, X86_BROADCAST, U, 0, NATIVE_FLOAT_127);
        put_word(b, X86_FMA213, T, U, NATIVE_FLOAT_128);
        put(b, X86_ROUND_S32, T, 0, x86_reg(T), 0);
        put_word(b, X86_AND, T, T, NATIVE_255);
        return;
    }
    put(b, X86_XOR, U, U, x86_reg(U), 0);
    put(b, X86_MAXPS, T, a, x86_reg(U), 0);
    put_word(b, X86_MINPS, T, T, NATIVE_ONE);
    put_word(b, X86_MULPS, T, T, packing == PACK_UNSIGNED16 ? NATIVE_FLOAT_65535 : NATIVE_FLOAT_255);
    put(b, X86_ROUND_S32, T, 0, x86_reg(T), 0);
}

/* Operands are done with when the words are there. */
static void pack(struct native_builder *b, const struct lane_op *op, const struct native_shape *shape, bool under_mask)
{
    unsigned parts = native_parts(b);
    struct native_value v[4];

    b->pinned = 0;
    for (unsigned i = 0; i < shape->reads; i++)
        v[i] = eval_native_read(b, op->src[0][i], false, true);
    for (unsigned h = 0; h < parts; h++) {
        for (unsigned i = 0; i < shape->reads; i++) {
            code_of(b, shape->imm, eval_native_operand(b, op, 0, h, &v[i], shape));
            if (i)
                x86_vector(&b->code, X86_SHIFT, X86_SHL, T, x86_reg(T), 0, (uint8_t)(bits_of(shape->imm) * i));
            put(b, i ? X86_OR : X86_LOAD, WORD, i ? WORD : 0, x86_reg(T), 0);
        }
        put(b, X86_LOAD, h + 1 < parts ? FIRST_WORD : T, 0, x86_reg(WORD), 0);
    }
    for (unsigned i = 0; i < op->n; i++) {
        unsigned d;
        b->pinned = 0;
        d = eval_native_result(b, op->dst[i], false, false, under_mask);
        for (unsigned h = 0; h < parts; h++)
            put(b, X86_LOAD, native_part(b, d, h), 0, x86_reg(h + 1 < parts ? FIRST_WORD : T),
                eval_native_mask(b, h, under_mask));
        eval_native_wrote(b, d, false, under_mask);
    }
}

/* ---- and back ------------------------------------------------------------------------------------------ */

/* An operand's parts in A and the register behind it, where results do not touch them; that in whose register signs are
 * put on comes last. */
static void keep_operand(struct native_builder *b, const struct lane_op *op, uint32_t plane,
                         const struct native_shape *shape)
{
    struct native_value v;

    b->pinned = 0;
    v = eval_native_read(b, plane, false, false);
    for (unsigned h = native_parts(b); h--;) {
        struct x86_place place = eval_native_operand(b, op, 0, h, &v, shape);
        if (place.kind != X86_REGISTER || place.at != A + h)
            put(b, place.kind == X86_SPREAD ? X86_BROADCAST : X86_LOAD, A + h, 0, place, 0);
    }
    b->pinned = 0;
}

/* The component whose code is in the low bits of T, and zeros above but for halves, into d. */
static void component_of(struct native_builder *b, uint8_t packing, unsigned d, unsigned mask)
{
    static const enum native_word steps[] = {[PACK_UNSIGNED16] = NATIVE_STEP_65535, [PACK_UNSIGNED8] = NATIVE_STEP_255,
                                             [PACK_SIGNED8] = NATIVE_STEP_127};

    if (packing == PACK_HALVES) {
        put(b, X86_NARROW16, T, 0, x86_reg(T), 0);
        put(b, X86_FROM_HALF, d, 0, x86_reg(T), mask);
        return;
    }
    put_word(b, X86_AND, T, T, packing == PACK_UNSIGNED16 ? NATIVE_LOW_HALF : NATIVE_255);
    if (packing == PACK_SIGNED8)
        put_word(b, X86_PSUB, T, T, NATIVE_128);
    put(b, X86_FROM_S32, T, 0, x86_reg(T), 0);
    put(b, X86_MULPS, d, T, native_word(steps[packing]), mask);
}

static void take_apart(struct native_builder *b, const struct lane_op *op, const struct native_shape *shape,
                       bool under_mask)
{
    unsigned bits = bits_of(shape->imm);
    bool any_nan = shape->imm == PACK_HALVES;

    keep_operand(b, op, op->src[0][0], shape);
    for (unsigned i = 0; i < op->n; i++) {
        unsigned d, by = op->comp[i] * bits & 31;
        b->pinned = 0;
        d = eval_native_result(b, op->dst[i], false, any_nan, under_mask);
        for (unsigned h = 0; h < native_parts(b); h++) {
            if (by)
                x86_vector(&b->code, X86_SHIFT, X86_SHR, T, x86_reg(A + h), 0, (uint8_t)by);
            else
                put(b, X86_LOAD, T, 0, x86_reg(A + h), 0);
            component_of(b, shape->imm, native_part(b, d, h), eval_native_mask(b, h, under_mask));
        }
        eval_native_wrote(b, d, any_nan, under_mask);
    }
}

/* How many bits and where they begin is the same for all components. */
static void fields(struct native_builder *b, const struct lane_op *op, const struct native_shape *shape, unsigned i,
                   bool under_mask)
{
    uint32_t planes[] = {op->src[0][0], op->src[0][1], op->src[1][i], op->src[2][i]};
    unsigned n = shape->imm == FIELD_PUT ? 4 : 3, d;
    struct native_value v[4];

    b->pinned = 0;
    for (unsigned k = 0; k < n; k++)
        v[k] = eval_native_read(b, planes[k], false, false);
    d = eval_native_result(b, op->dst[i], false, false, under_mask);
    for (unsigned h = 0; h < native_parts(b); h++) {
        struct native_call call = {.d = native_part(b, d, h), .mask = eval_native_mask(b, h, under_mask),
                                   .src = {eval_native_place(b, &v[2], h)}};
        for (unsigned k = 0; k < 2; k++) {
            struct x86_place place = eval_native_place(b, &v[k], h);
            put(b, place.kind == X86_SPREAD ? X86_BROADCAST : X86_LOAD, A + k, 0, place, 0);
        }
        eval_native_field(&b->code, shape->imm, &call, n == 4 ? eval_native_place(b, &v[3], h) : x86_reg(A));
    }
    eval_native_wrote(b, d, false, under_mask);
}

/* ---- planes that move ---------------------------------------------------------------------------------- */

/* Where the planes of result i come from. */
static uint32_t source(const struct lane_op *op, const struct native_shape *shape, unsigned i, unsigned high)
{
    unsigned c = op->comp[i];

    return shape->kind == KIND_JOIN ? op->src[0][(c & 1) * 2 + high] : op->src[0][c >> 1] + (c & 1);
}

bool eval_native_is_apart(const struct lane_op *op, const struct native_shape *shape)
{
    unsigned planes = shape->kind == KIND_JOIN ? 2 : 1;

    for (unsigned i = 0; i < op->n && (shape->kind == KIND_JOIN || shape->kind == KIND_PART); i++)
        for (unsigned k = i; k < op->n; k++)
            for (unsigned high = 0; high < planes; high++)
                for (unsigned h = 0; h < planes; h++)
                    if (op->dst[i] + high == source(op, shape, k, h) && (k > i || h > high))
                        return false;
    return true;
}

/* What is kept in A, or the words of its signs, or zeros. */
static void write_word(struct native_builder *b, uint32_t to, bool high, bool is_signed, bool under_mask)
{
    unsigned d;

    b->pinned = 0;
    d = eval_native_result(b, to, false, false, under_mask);
    for (unsigned h = 0; h < native_parts(b); h++) {
        if (high && is_signed)
            x86_vector(&b->code, X86_SHIFT, X86_SAR, T, x86_reg(A + h), 0, 31);
        else if (high)
            put(b, X86_XOR, T, T, x86_reg(T), 0);
        put(b, X86_LOAD, native_part(b, d, h), 0, x86_reg(high ? (unsigned)T : A + h),
            eval_native_mask(b, h, under_mask));
    }
    eval_native_wrote(b, d, false, under_mask);
}

void eval_native_pack(struct native_builder *b, const struct lane_op *op, const struct native_shape *shape,
                      bool under_mask)
{
    if (shape->kind == KIND_PACK) {
        pack(b, op, shape, under_mask);
        return;
    }
    if (shape->kind == KIND_UNPACK) {
        take_apart(b, op, shape, under_mask);
        return;
    }
    for (unsigned i = 0; i < op->n && shape->kind == KIND_FIELD; i++)
        fields(b, op, shape, i, under_mask);
    for (unsigned i = 0; i < op->n && shape->kind != KIND_FIELD; i++) {
        if (shape->kind == KIND_WIDER)
            keep_operand(b, op, op->src[0][i], shape);
        for (unsigned high = 0; high < (shape->kind == KIND_PART ? 1 : 2); high++)
            if (shape->kind == KIND_WIDER)
                write_word(b, op->dst[i] + high, high != 0, shape->imm, under_mask);
            else
                eval_native_copy_plane(b, source(op, shape, i, high), op->dst[i] + high, false, under_mask);
    }
}
