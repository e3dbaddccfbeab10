/* Doubles: IEEE, denormals kept. The processor's rule for NaN operands is the kernels' (eval/kernels/double.c): the first of
 * two comes out quiet, and a new one is 0xfff8000000000000. Only of three operands that of a fused multiply-add is another one. */
#include "eval/native_build.h"

static void put(struct x86_code *c, uint32_t code, unsigned d, unsigned a, struct x86_place b, unsigned mask)
{
    x86_vector(c, code, d, a, b, mask, 0);
}

/* Where NATIVE_TEMP is NaN: the first NaN of a, c, b, made quiet. */
static void nan_of_three(struct x86_code *c, const struct native_call *call)
{
    static const uint8_t order[] = {1, 2, 0};   /* what is put last stays */

    for (unsigned i = 0; i < 3; i++) {
        struct x86_place a = call->src[order[i]];
        x86_vector(c, X86_CMPPD, NATIVE_K2, a.at, a, NATIVE_K, 3);
        put(c, X86_OR64, NATIVE_TEMP, a.at, native_word(NATIVE_QUIET), NATIVE_K2);
    }
}

/* NaNs are rare: what is done about them is jumped over. */
static void fused(struct x86_code *c, const struct native_call *call)
{
    static const uint8_t none[] = {0xc5, 0xf9, 0x98, 0xc0 | NATIVE_K << 3 | NATIVE_K,  /* kortestb */
                                   0x74, 0};                                           /* jz */
    size_t from;

    put(c, X86_LOAD64, NATIVE_TEMP, 0, call->src[0], 0);
    put(c, X86_FMA213D, NATIVE_TEMP, call->src[1].at, call->src[2], 0);
    x86_vector(c, X86_CMPPD, NATIVE_K, NATIVE_TEMP, x86_reg(NATIVE_TEMP), 0, 3);
    x86_bytes(c, none, sizeof none);
    from = c->size;
    nan_of_three(c, call);
    if (!c->failed)
        c->bytes[from - 1] = (uint8_t)(c->size - from);
    put(c, X86_LOAD64, call->d, 0, x86_reg(NATIVE_TEMP), call->mask);
}

void eval_native_wide(struct x86_code *c, enum native_wide what, const struct native_call *call)
{
    static const uint32_t codes[] = {[WIDE_ADD] = X86_ADDPD, [WIDE_SUB] = X86_SUBPD, [WIDE_MUL] = X86_MULPD,
                                     [WIDE_DIV] = X86_DIVPD};

    switch (what) {
    case WIDE_COPY:
        put(c, X86_LOAD64, call->d, 0, call->src[0], call->mask);
        break;
    case WIDE_FMA:
        fused(c, call);
        break;
    default:
        put(c, codes[what], call->d, call->src[0].at, call->src[1], call->mask);
        break;
    }
}

/* The sign of a NaN stays. */
void eval_native_wide_sign(struct x86_code *c, unsigned to, unsigned from, bool clear, bool flip)
{
    x86_vector(c, X86_CMPPD, NATIVE_K, from, x86_reg(from), 0, 7);
    put(c, X86_LOAD64, to, 0, x86_reg(from), 0);
    if (clear)
        put(c, flip ? X86_OR64 : X86_AND64, to, to, native_word(flip ? NATIVE_SIGN : NATIVE_MAGNITUDE), NATIVE_K);
    else
        put(c, X86_XOR64, to, to, native_word(NATIVE_SIGN), NATIVE_K);
}
