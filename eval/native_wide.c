/* Doubles: IEEE, denormals kept. The processor's rule for NaN operands is the kernels' (eval/kernels/double.c): the first of
 * two comes out quiet, and a new one is 0xfff8000000000000. Only of three operands that of a fused multiply-add is another one. */
#include "eval/native_build.h"

static void put(struct x86_code *c, uint32_t code, unsigned d, unsigned a, struct x86_place b, unsigned mask)
{
    x86_vector(c, code, d, a, b, mask, 0);
}

/* Where r is NaN: the first NaN of a, c, b, made quiet. */
static void nan_of_three(struct x86_code *c, unsigned r, unsigned a, const struct native_call *call)
{
    const unsigned order[] = {call->src[1].at, call->src[2].at, a};   /* what is put last stays */

    x86_vector(c, X86_CMPPD, NATIVE_K, r, x86_reg(r), 0, 3);
    for (unsigned i = 0; i < 3; i++) {
        x86_vector(c, X86_CMPPD, NATIVE_K2, order[i], x86_reg(order[i]), NATIVE_K, 3);
        put(c, X86_OR64, r, order[i], native_word(NATIVE_QUIET), NATIVE_K2);
    }
}

/* NaNs are rare, and what is done about them is jumped over. Where a result takes its first factor's place, that is kept
 * aside; else the result is made aside. */
void eval_native_wide_fused(struct x86_code *c, const struct native_call call[], unsigned n)
{
    static const uint8_t none[] = {0xc5, 0xf9, 0x98, 0xc0 | NATIVE_K << 3 | NATIVE_K,  /* kortestb */
                                   0x0f, 0x84, 0, 0, 0, 0};                            /* jz */
    bool in_place[2];
    unsigned r[2] = {0};
    size_t from;

    for (unsigned i = 0; i < n; i++) {
        const struct x86_place *src = call[i].src;
        in_place[i] = call[i].d == src[0].at && call[i].d != src[1].at && call[i].d != src[2].at && !call[i].mask;
        for (unsigned k = 0; k < 3 && i > 0; k++)   /* what the first one's NaNs are made of stays */
            in_place[i] &= call[i].d != call[0].src[k].at;
        r[i] = in_place[i] ? call[i].d : NATIVE_TEMP + i;
        put(c, X86_LOAD64, NATIVE_TEMP + i, 0, src[0], 0);
        put(c, X86_FMA213D, r[i], src[1].at, src[2], 0);
    }
    x86_vector(c, X86_CMPPD, NATIVE_K, r[0], x86_reg(r[n - 1]), 0, 3);
    x86_bytes(c, none, sizeof none);
    from = c->size;
    for (unsigned i = 0; i < n; i++)
        nan_of_three(c, r[i], in_place[i] ? NATIVE_TEMP + i : call[i].src[0].at, &call[i]);
    for (unsigned i = 0; i < 4 && !c->failed; i++)
        c->bytes[from - 4 + i] = (uint8_t)((c->size - from) >> 8 * i);
    for (unsigned i = 0; i < n; i++)
        if (!in_place[i])
            put(c, X86_LOAD64, call[i].d, 0, x86_reg(r[i]), call[i].mask);
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
        eval_native_wide_fused(c, call, 1);
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
