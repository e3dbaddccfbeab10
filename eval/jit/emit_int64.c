/* 64-bit integers as the two words that they are, where flow goes: registers hold words there. */
#include "eval/jit/ops.h"

enum { A = NATIVE_OPERAND, FIRST_CARRY = NATIVE_OPERAND + 2, T = NATIVE_TEMP, CARRY = NATIVE_TEMP + 1, BELOW = 1 };

/* What does the same with words. */
static uint32_t word_code(uint32_t code)
{
    switch (code) {
    case X86_PADD64: return X86_PADD;
    case X86_PSUB64: return X86_PSUB;
    case X86_AND64: return X86_AND;
    case X86_OR64: return X86_OR;
    case X86_XOR64: return X86_XOR;
    default: return 0;
    }
}

bool eval_native_has_words(uint8_t way)
{
    const struct row *r = &native_rows[way];

    return (r->form == FORM_WIDE_TWO && word_code(r->code)) || r->form == FORM_WIDE_COPY ||
           r->form == FORM_WIDE_COMPLEMENT;
}

/* What is carried out of a part of the low words waits until the high ones are there. */
static unsigned carry_of(const struct native_builder *b, unsigned part)
{
    return part + 1 < native_parts(b) ? FIRST_CARRY : CARRY;
}

static void sum(struct native_builder *b, const struct row *r, bool high, unsigned part, unsigned a, struct x86_place m)
{
    struct x86_code *c = &b->code;
    unsigned carry = carry_of(b, part);

    x86_vector(c, word_code(r->code), T, a, m, 0, 0);
    if (high) {
        x86_vector(c, word_code(r->code), T, T, x86_reg(carry), 0, 0);
        return;
    }
    if (r->code == X86_PADD64)
        x86_vector(c, X86_PCMPU, NATIVE_K, T, x86_reg(a), 0, BELOW);
    else
        x86_vector(c, X86_PCMPU, NATIVE_K, a, m, 0, BELOW);
    x86_vector_zero(c, X86_BROADCAST, carry, 0, native_word(NATIVE_UNIT), NATIVE_K, 0);
}

static void one_word(struct native_builder *b, const struct lane_op *op, const struct row *r, unsigned i, bool high,
                     bool under_mask)
{
    bool two = r->form == FORM_WIDE_TWO;
    struct native_value x, y = {0};
    unsigned d;

    b->pinned = 0;
    x = eval_native_read(b, op->src[0][i] + high, false, false);
    if (two)
        y = eval_native_read(b, op->src[1][i] + high, false, false);
    d = eval_native_result(b, op->dst[i] + high, false, false, under_mask);
    for (unsigned h = 0; h < native_parts(b); h++) {
        struct x86_place place = eval_native_place(b, &x, h);
        unsigned a = eval_native_register(&b->code, &place, 0);
        if (r->code == X86_PADD64 || r->code == X86_PSUB64)
            sum(b, r, high, h, a, eval_native_place(b, &y, h));
        else if (two)
            x86_vector(&b->code, word_code(r->code), T, a, eval_native_place(b, &y, h), 0, 0);
        else if (r->form == FORM_WIDE_COPY)
            x86_vector(&b->code, X86_LOAD, T, 0, x86_reg(a), 0, 0);
        else
            x86_vector(&b->code, X86_TERNARY, T, a, x86_reg(a), 0, 0x55);
        x86_vector(&b->code, X86_LOAD, native_part(b, d, h), 0, x86_reg(T), eval_native_mask(b, h, under_mask), 0);
    }
    eval_native_wrote(b, d, false, under_mask);
}

void eval_native_in_words(struct native_builder *b, const struct lane_op *op, uint8_t way, bool under_mask)
{
    for (unsigned i = 0; i < op->n; i++)
        for (unsigned high = 0; high < 2; high++)
            one_word(b, op, &native_rows[way], i, high, under_mask);
}
