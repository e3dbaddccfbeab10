/* Quotients and remainders of words. No instruction divides integers: the reciprocal comes from a division of floats,
 * is made as exact as a word can hold by one step of Newton's, and the quotient that it gives is never too large and at
 * most two too small. */
#include "eval/jit/jit_internal.h"

enum { A = NATIVE_OPERAND, B = NATIVE_OPERAND + 1, C = NATIVE_OPERAND + 2, T = NATIVE_TEMP, U = NATIVE_TEMP + 1 };
enum { NOT_BELOW = 5 };

static void put(struct x86_code *c, uint32_t code, unsigned d, unsigned a, struct x86_place b)
{
    x86_vector(c, code, d, a, b, 0, 0);
}

static void shift64(struct x86_code *c, unsigned way, unsigned d, unsigned a)
{
    x86_vector(c, X86_SHIFT64, way, d, x86_reg(a), 0, 32);
}

/* The upper words of the products into T. `lost` is one of the factors; U as well. */
static void upper(struct x86_code *c, unsigned lost, unsigned other)
{
    put(c, X86_PMULU64, T, lost, x86_reg(other));
    shift64(c, X86_SHR, T, T);
    shift64(c, X86_SHR, U, other);
    shift64(c, X86_SHR, lost, lost);
    put(c, X86_PMULU64, U, U, x86_reg(lost));
    shift64(c, X86_SHR, U, U);
    shift64(c, X86_SHL, U, U);
    put(c, X86_OR, T, T, x86_reg(U));
}

/* 2^32 / y into C: not above it. */
static void reciprocal(struct x86_code *c, unsigned y)
{
    put(c, X86_FROM_U32, T, 0, x86_reg(y));
    put(c, X86_BROADCAST, U, 0, native_word(NATIVE_BELOW_TWO_32));
    put(c, X86_DIVPS, T, U, x86_reg(T));
    put(c, X86_TO_U32, C, 0, x86_reg(T));
    put(c, X86_PMUL, T, C, x86_reg(y));
    put(c, X86_XOR, A, A, x86_reg(A));
    put(c, X86_PSUB, A, A, x86_reg(T));
    upper(c, A, C);
    put(c, X86_PADD, C, C, x86_reg(T));
}

/* The quotient into T, or the remainder into U. */
static void divide(struct x86_code *c, unsigned x, unsigned y, bool remainder)
{
    upper(c, C, x);
    put(c, X86_PMUL, U, T, x86_reg(y));
    put(c, X86_PSUB, U, x, x86_reg(U));
    for (unsigned i = 0; i < 2; i++)
        if (remainder) {            /* without the divisor, unless that is more than there is */
            put(c, X86_PSUB, C, U, x86_reg(y));
            put(c, X86_PMINU, U, U, x86_reg(C));
        } else {
            x86_vector(c, X86_PCMPU, NATIVE_K, U, x86_reg(y), 0, NOT_BELOW);
            x86_vector(c, X86_PSUB, T, T, native_word(NATIVE_ALL_ONES), NATIVE_K, 0);
            x86_vector(c, X86_PSUB, U, U, x86_reg(y), NATIVE_K, 0);
        }
}

/* The magnitude of operand k in a register of the operation's own. */
static unsigned magnitude(struct x86_code *c, const struct native_call *call, unsigned k)
{
    put(c, X86_PABS, A + k, 0, x86_reg(eval_native_register(c, &call->src[k], k)));
    return A + k;
}

/* Of a remainder the dividend's sign, of a quotient that of both operands. */
static void give_sign(struct x86_code *c, const struct native_call *call, unsigned result, bool remainder)
{
    unsigned x = eval_native_register(c, &call->src[0], 0);

    if (!remainder)
        put(c, X86_XOR, C, x, call->src[1]);
    x86_vector(c, X86_SHIFT, X86_SAR, C, x86_reg(remainder ? x : (unsigned)C), 0, 31);
    put(c, X86_XOR, result, result, x86_reg(C));
    put(c, X86_PSUB, result, result, x86_reg(C));
}

void eval_native_quotient(struct x86_code *c, enum native_integer what, const struct native_call *call)
{
    bool remainder = what == WORD_REMAINDER || what == WORD_REMAINDER_SIGNED;
    bool is_signed = what == WORD_QUOTIENT_SIGNED || what == WORD_REMAINDER_SIGNED;
    unsigned result = remainder ? U : T,
             y = is_signed ? magnitude(c, call, 1) : eval_native_register(c, &call->src[1], 1);

    reciprocal(c, y);
    divide(c, is_signed ? magnitude(c, call, 0) : eval_native_register(c, &call->src[0], 0), y, remainder);
    if (is_signed)
        give_sign(c, call, result, remainder);
    x86_vector(c, X86_NONE, NATIVE_K, y, x86_reg(y), 0, 0);
    x86_vector(c, X86_BROADCAST, result, 0, native_word(NATIVE_ALL_ONES), NATIVE_K, 0);
    x86_vector(c, X86_LOAD, call->d, 0, x86_reg(result), call->mask, 0);
}
