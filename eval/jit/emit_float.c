/* Operations of single floats that take several instructions of the processor. A product with 1.0 flushes where the
 * mode says so, and makes a NaN quiet. */
#include "eval/jit/jit_internal.h"

enum { T = NATIVE_TEMP, U = NATIVE_TEMP + 1 };
enum { EQUAL = 0x00, BELOW = 0x11, UNORDERED = 3, NOT_BELOW = 0x1d, ABOVE = 0x1e };
enum { ROUND_NEAREST, ROUND_DOWN, ROUND_UP, ROUND_TO_ZERO };

static void put(struct x86_code *c, uint32_t code, unsigned d, unsigned a, struct x86_place b, unsigned mask)
{
    x86_vector(c, code, d, a, b, mask, 0);
}

static void compare(struct x86_code *c, unsigned a, struct x86_place b, uint8_t how)
{
    x86_vector(c, X86_CMPPS, NATIVE_K, a, b, 0, how);
}

static void zero(struct x86_code *c, unsigned d)
{
    put(c, X86_XOR, d, d, x86_reg(d), 0);
}

/* The number where one operand is NaN; -0 is below +0. */
static void extreme(struct x86_code *c, const struct native_call *call, uint8_t how, uint32_t equal)
{
    unsigned a = eval_native_register(c, &call->src[0], 0), b = eval_native_register(c, &call->src[1], 1);

    compare(c, a, x86_reg(b), how);
    put(c, X86_SELECT, T, b, x86_reg(a), NATIVE_K);
    compare(c, a, x86_reg(b), EQUAL);
    put(c, equal, T, a, x86_reg(b), NATIVE_K);
    compare(c, b, x86_reg(b), UNORDERED);
    put(c, X86_LOAD, T, 0, x86_reg(a), NATIVE_K);
    put(c, X86_MULPS, call->d, T, native_word(NATIVE_ONE), call->mask);
}

/* NaN has none. */
static void sign(struct x86_code *c, const struct native_call *call)
{
    unsigned a = eval_native_register(c, &call->src[0], 0);

    zero(c, T);
    compare(c, a, x86_reg(T), BELOW);
    x86_vector_zero(c, X86_BROADCAST, U, 0, native_word(NATIVE_MINUS_ONE), NATIVE_K, 0);
    compare(c, a, x86_reg(T), ABOVE);
    put(c, X86_BROADCAST, U, 0, native_word(NATIVE_ONE), NATIVE_K);
    put(c, X86_LOAD, call->d, 0, x86_reg(U), call->mask);
}

static void round_to(struct x86_code *c, const struct native_call *call, unsigned d, unsigned mask, uint8_t how)
{
    put(c, X86_MULPS, T, eval_native_register(c, &call->src[0], 0), native_word(NATIVE_ONE), 0);
    x86_vector(c, X86_ROUND, d, 0, x86_reg(T), mask, how);
}

void eval_native_to_integer(struct x86_code *c, uint8_t how, bool is_signed, const struct native_call *call)
{
    unsigned a = eval_native_register(c, &call->src[0], 0);

    put(c, X86_AND, T, NATIVE_NAN, x86_reg(a), 0);
    x86_vector(c, X86_PCMPU, NATIVE_K, T, native_word(NATIVE_NORMAL), 0, 1);
    put(c, X86_LOAD, U, 0, x86_reg(a), 0);
    put(c, X86_BROADCAST, U, 0, native_word(NATIVE_ZERO), NATIVE_K);
    x86_vector(c, X86_ROUND, T, 0, x86_reg(U), 0, how);
    if (!is_signed) {
        put(c, X86_MAXPS, T, T, native_word(NATIVE_ZERO), 0);   /* of a NaN and 0 the second */
        put(c, X86_TO_U32, call->d, 0, x86_reg(T), call->mask);
        return;
    }
    put(c, X86_TO_S32, U, 0, x86_reg(T), 0);
    compare(c, T, native_word(NATIVE_TWO_31), NOT_BELOW);
    put(c, X86_LOAD, U, 0, x86_reg(NATIVE_NAN), NATIVE_K);
    compare(c, T, x86_reg(T), UNORDERED);
    put(c, X86_BROADCAST, U, 0, native_word(NATIVE_ZERO), NATIVE_K);
    put(c, X86_LOAD, call->d, 0, x86_reg(U), call->mask);
}

void eval_native_float(struct x86_code *c, unsigned op, const struct native_call *call)
{
    switch (op) {
    case OP_MIN:
        extreme(c, call, BELOW, X86_OR);
        break;
    case OP_MAX:
        extreme(c, call, ABOVE, X86_AND);
        break;
    case OP_ABS:
        put(c, X86_AND, T, NATIVE_NAN, call->src[0], 0);
        put(c, X86_MULPS, call->d, T, native_word(NATIVE_ONE), call->mask);
        break;
    case OP_SSG:
        sign(c, call);
        break;
    case OP_FLR:
        round_to(c, call, call->d, call->mask, ROUND_DOWN);
        break;
    case OP_CEIL:
        round_to(c, call, call->d, call->mask, ROUND_UP);
        break;
    case OP_TRUNC:
        round_to(c, call, call->d, call->mask, ROUND_TO_ZERO);
        break;
    case OP_ROUND:
        round_to(c, call, call->d, call->mask, ROUND_NEAREST);
        break;
    case OP_FRC:
        round_to(c, call, T, 0, ROUND_DOWN);
        put(c, X86_SUBPS, call->d, eval_native_register(c, &call->src[0], 0), x86_reg(T), call->mask);
        break;
    case EVAL_OP_SAT: /* of a NaN and a bound, and of two zeros, these take the second */
        zero(c, T);
        put(c, X86_MAXPS, T, eval_native_register(c, &call->src[0], 0), x86_reg(T), 0);
        put(c, X86_MINPS, call->d, T, native_word(NATIVE_ONE), call->mask);
        break;
    case EVAL_OP_SSAT:
        put(c, X86_MULPS, T, eval_native_register(c, &call->src[0], 0), native_word(NATIVE_ONE), 0);
        put(c, X86_MAXPS, T, T, native_word(NATIVE_MINUS_ONE), 0);
        put(c, X86_MINPS, call->d, T, native_word(NATIVE_ONE), call->mask);
        break;
    }
}
