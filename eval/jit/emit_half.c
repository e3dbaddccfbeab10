/* Halves: singles that a half can hold, as half arithmetic has them, and halves in the low bits of words. The processor
 * converts as the kernels do, but for NaNs; denormal halves it keeps whatever the mode is, and denormal singles are too
 * small for any. */
#include "eval/jit/jit_internal.h"

enum { A = NATIVE_OPERAND, B = NATIVE_OPERAND + 1, C = NATIVE_OPERAND + 2, T = NATIVE_TEMP, U = NATIVE_TEMP + 1 };
enum { UNORDERED = 3, NOT_EQUAL = 0x0c };

static void put(struct x86_code *c, uint32_t code, unsigned d, unsigned a, struct x86_place b, unsigned mask)
{
    x86_vector(c, code, d, a, b, mask, 0);
}

static void round_to_half(struct x86_code *c, unsigned d, unsigned from, unsigned mask)
{
    put(c, X86_TO_HALF, from, 0, x86_reg(T), 0);
    put(c, X86_FROM_HALF, d, 0, x86_reg(T), mask);
}

static void from_float(struct x86_code *c, const struct native_call *call)
{
    unsigned a = eval_native_register(c, &call->src[0], 0);

    put(c, X86_TO_HALF, a, 0, x86_reg(T), 0);
    put(c, X86_WIDEN16, T, 0, x86_reg(T), 0);
    x86_vector(c, X86_CMPPS, NATIVE_K, a, x86_reg(a), 0, UNORDERED);
    put(c, X86_BROADCAST, T, 0, native_word(NATIVE_HALF_NAN), NATIVE_K);
    put(c, X86_LOAD, call->d, 0, x86_reg(T), call->mask);
}

/* The product of halves is a single; what the sum with it is rounded by goes into its last bit, so that rounding it to
 * a half is the one rounding. The remainder is that of a sum whose terms may come in any order; of infinities it is
 * NaN. */
static void fused(struct x86_code *c, const struct native_call *call)
{
    for (unsigned k = 0; k < 3; k++)
        round_to_half(c, NATIVE_OPERAND + k, eval_native_register(c, &call->src[k], k), 0);
    put(c, X86_MULPS, A, A, x86_reg(B), 0);
    put(c, X86_ADDPS, T, A, x86_reg(C), 0);
    put(c, X86_SUBPS, B, T, x86_reg(A), 0);
    put(c, X86_SUBPS, U, T, x86_reg(B), 0);
    put(c, X86_SUBPS, U, A, x86_reg(U), 0);
    put(c, X86_SUBPS, B, C, x86_reg(B), 0);
    put(c, X86_ADDPS, U, U, x86_reg(B), 0);
    put(c, X86_XOR, B, B, x86_reg(B), 0);
    x86_vector(c, X86_CMPPS, NATIVE_K, U, x86_reg(B), 0, NOT_EQUAL);
    put(c, X86_XOR, U, U, x86_reg(T), 0);
    x86_vector(c, X86_SHIFT, X86_SAR, U, x86_reg(U), 0, 31);
    put(c, X86_PADD, T, T, x86_reg(U), NATIVE_K);       /* towards 0, where the remainder is */
    put(c, X86_OR, T, T, native_word(NATIVE_UNIT), NATIVE_K);
    round_to_half(c, call->d, T, call->mask);
}

void eval_native_half(struct x86_code *c, enum native_half what, const struct native_call *call)
{
    switch (what) {
    case HALF_ROUNDED:
        round_to_half(c, call->d, eval_native_register(c, &call->src[0], 0), call->mask);
        break;
    case HALF_FROM_FLOAT:
        from_float(c, call);
        break;
    case HALF_TO_FLOAT:
        put(c, X86_LOAD, T, 0, x86_reg(eval_native_register(c, &call->src[0], 0)), 0);
        put(c, X86_NARROW16, T, 0, x86_reg(T), 0);
        put(c, X86_FROM_HALF, call->d, 0, x86_reg(T), call->mask);
        break;
    case HALF_FUSED:
        fused(c, call);
        break;
    }
}
