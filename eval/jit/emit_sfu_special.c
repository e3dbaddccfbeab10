/* Results of the approximated functions where an operand is out of the ordinary: zeros, infinities, NaNs, and what
 * becomes one of them. */
#include "eval/jit/emit_sfu.h"

static void put_where(const struct table_builder *t, unsigned d, enum native_word w)
{
    put_masked(t, X86_BROADCAST, d, 0, native_word(w));
}

static void where_exponent_is_255(const struct table_builder *t, unsigned i)
{
    put_word(t, X86_AND, t->r->t, t->r->w[i], NATIVE_INFINITY);
    where(t, X86_PCMPU, t->r->t, native_word(NATIVE_INFINITY), EQUAL);
}

static void nan_where_operand_is(const struct table_builder *t, unsigned i)
{
    put_word(t, X86_AND, t->r->t, t->r->w[i], NATIVE_MAGNITUDE + 1);
    where(t, X86_PCMPU, t->r->t, native_word(NATIVE_INFINITY), ABOVE);
    put_where(t, t->r->c0[i], NATIVE_MAGNITUDE + 1);
}

static void nan_where_operand_is_negative(const struct table_builder *t, unsigned i)
{
    where(t, X86_SIGNS, 0, x86_reg(t->r->w[i]), 0);
    put_where(t, t->r->c0[i], NATIVE_MAGNITUDE + 1);
}

/* `a` where the exponent is 0. */
static void where_operand_is_zero(const struct table_builder *t, unsigned i, unsigned a)
{
    where(t, X86_NONE, t->r->w[i], native_word(NATIVE_INFINITY), 0);
    put_masked(t, X86_LOAD, t->r->c0[i], 0, x86_reg(a));
}

void native_rare_rcp(const struct table_builder *t, unsigned i)
{
    const struct registers *r = t->r;
    unsigned d = r->c0[i], sign = r->a;

    put_word(t, X86_AND, sign, r->w[i], NATIVE_SIGN_WORD);
    if (t->c->avx2) {       /* the processor's approximation says nothing from 2^126 on */
        put(t, X86_XOR, r->t, r->w[i], x86_reg(sign));
        where(t, X86_PCMPS, r->t, native_word(NATIVE_RCP_LAST), ABOVE);
        put_masked(t, X86_LOAD, d, 0, x86_reg(sign));
        where(t, X86_PCMPU, r->t, native_word(NATIVE_RCP_LAST), EQUAL);
        put_word(t, X86_OR, r->t, sign, NATIVE_NORMAL);
        put_masked(t, X86_LOAD, d, 0, x86_reg(r->t));
    } else {
        put(t, X86_XOR, r->t, d, x86_reg(sign));
        where(t, X86_PCMPS, r->t, native_word(NATIVE_NORMAL), BELOW);
        put_masked(t, X86_LOAD, d, 0, x86_reg(sign));
    }
    where_exponent_is_255(t, i);
    put_masked(t, X86_LOAD, d, 0, x86_reg(sign));
    nan_where_operand_is(t, i);
    put_word(t, X86_OR, sign, sign, NATIVE_INFINITY);
    where_operand_is_zero(t, i, sign);
}

void native_rare_rsq(const struct table_builder *t, unsigned i)
{
    const struct registers *r = t->r;

    where_exponent_is_255(t, i);
    put_where(t, r->c0[i], NATIVE_ZERO);
    nan_where_operand_is_negative(t, i);
    nan_where_operand_is(t, i);
    put_word(t, X86_AND, r->a, r->w[i], NATIVE_SIGN_WORD);
    put_word(t, X86_OR, r->a, r->a, NATIVE_INFINITY);
    where_operand_is_zero(t, i, r->a);
}

/* From 128 on it is infinite, or 0. */
void native_rare_ex2(const struct table_builder *t, unsigned i)
{
    const struct registers *r = t->r;
    unsigned w = r->w[i], d = r->c0[i], limit = r->a;

    where(t, X86_PCMPS, d, native_word(NATIVE_NORMAL), BELOW);
    put_where(t, d, NATIVE_ZERO);
    shift(t, X86_SHIFT, X86_SAR, limit, w, 31);
    put_word(t, X86_AND, limit, limit, NATIVE_INFINITY);
    put_word(t, X86_XOR, limit, limit, NATIVE_INFINITY);
    put_word(t, X86_AND, r->t, w, NATIVE_INFINITY);
    where(t, X86_PCMPU, r->t, native_word(NATIVE_EX2_END), NOT_BELOW);
    put_masked(t, X86_LOAD, d, 0, x86_reg(limit));
    nan_where_operand_is(t, i);
}

void native_rare_sin(const struct table_builder *t, unsigned i)
{
    where_exponent_is_255(t, i);
    put_where(t, t->r->c0[i], NATIVE_MAGNITUDE + 1);
}

void native_rare_lg2(const struct table_builder *t, unsigned i)
{
    const struct registers *r = t->r;

    where_exponent_is_255(t, i);
    put_where(t, r->c0[i], NATIVE_INFINITY);
    nan_where_operand_is_negative(t, i);
    nan_where_operand_is(t, i);
    put_word(t, X86_BROADCAST, r->a, 0, NATIVE_SIGN_EXPONENT);
    where_operand_is_zero(t, i, r->a);
}
