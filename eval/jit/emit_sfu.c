/* The approximated functions: what eval/numeric/sfu.h computes, as functions that machine code calls with the
 * operands in registers.
 *
 * A polynomial is c0 * 2^scale + bias +- c1 * x + c2 * square. Where its last bits are cut off, the leading bits of c0
 * are put aside; what is left stays within 32 bits, if it is halved first where x has 17, and moved up where c1 is
 * negative. Where how many bits are cut off depends on the value, it is joined of two parts. */
#include "eval/jit/emit_sfu.h"

#include "eval/jit/x86_scalar.h"

static const struct registers avx512 = {2, {26, 27}, {29, 20}, {24, 25}, 21, 30, 31, 22, 23, 28},
                              avx2 = {1, {26, 0}, {27, 0}, {6, 0}, 28, 29, 30, 28, 28, 30};

/* ---- polynomials -------------------------------------------------------------------------------------------- */

/* What is left of the polynomial when the last bits are cut off, into c0. c1 is in a, c2 * square in b. */
static void cut_sum(const struct table_builder *t, unsigned i, unsigned x)
{
    const struct registers *r = t->r;
    const struct kind *k = t->k;
    uint32_t line = k->falls ? X86_PSUB : X86_PADD;
    bool halved = k->bits == 17;

    if (halved) {
        put_word(t, X86_AND, r->t, x, NATIVE_UNIT);
        put(t, X86_PMUL, r->t, r->t, x86_reg(r->a));
        put(t, line, r->b, r->b, x86_reg(r->t));
    }
    shift(t, X86_SHIFT, X86_SHL, r->t, r->c0[i], k->scale);
    put_word(t, X86_AND, r->t, r->t, k->low);
    put_word(t, X86_OR, r->t, r->t, k->bias);
    put(t, X86_PADD, r->b, r->b, x86_reg(r->t));
    if (halved) {
        shift(t, X86_SHIFT, X86_SAR, r->b, r->b, 1);
        shift(t, X86_SHIFT, X86_SHR, r->t, x, 1);
        x = r->t;
    }
    put_word(t, X86_AND, r->t, x, NATIVE_LOW_HALF);
    put(t, X86_PMUL, r->t, r->t, x86_reg(r->a));
    put(t, line, r->b, r->b, x86_reg(r->t));
    shift(t, X86_SHIFT, X86_SHR, r->b, r->b, k->cut - halved);
    shift(t, X86_SHIFT, k->offset < 0 ? X86_SAR : X86_SHR, r->c0[i], r->c0[i], k->cut - k->scale);
    put(t, X86_PADD, r->c0[i], r->c0[i], x86_reg(r->b));
}

/* c1 * x + c2 * square as 2^8 * v + u: u is in b, v in t. */
static void two_parts(const struct table_builder *t, unsigned x)
{
    const struct registers *r = t->r;

    put_word(t, X86_AND, r->t, x, NATIVE_255);
    put(t, X86_PMUL, r->t, r->t, x86_reg(r->a));
    put(t, X86_PADD, r->b, r->b, x86_reg(r->t));
    shift(t, X86_SHIFT, X86_SHR, r->t, x, 8);
    put_word(t, X86_AND, r->t, r->t, NATIVE_511);
    put(t, X86_PMUL, r->t, r->t, x86_reg(r->a));
}

/* (c0 * 2^bits + b) / 2^point as a float that is cut off after 24 bits, into b: the bits that count are chosen first,
 * and what they were rounded up to is taken back. `scale`: words, by what is chosen. */
static void cut_float(const struct table_builder *t, unsigned i, unsigned bits, enum native_word scale)
{
    const struct registers *r = t->r;
    unsigned high = r->c0[i], low = r->b, value = r->a;

    where(t, X86_PCMPS, high, native_word(NATIVE_NORMAL), BELOW);
    shift(t, X86_SHIFT, X86_SHL, r->t, high, 8);
    if (bits > 8) {
        shift(t, X86_SHIFT, X86_SHR, value, low, bits - 8);
        put(t, X86_OR, r->t, r->t, x86_reg(value));
    } else {
        put(t, X86_OR, r->t, r->t, x86_reg(low));
    }
    put_masked(t, X86_SELECT, value, high, x86_reg(r->t));
    put_word(t, X86_BROADCAST, r->t, 0, scale);
    put_masked(t, X86_BROADCAST, r->t, 0, native_word(scale + 1));
    if (bits > 8) {
        where(t, X86_PCMPS, high, native_word(NATIVE_TWO_15), BELOW);
        shift(t, X86_SHIFT, X86_SHL, high, high, 16);
        put(t, X86_OR, high, high, x86_reg(low));
        put_masked(t, X86_LOAD, value, 0, x86_reg(high));
        put_masked(t, X86_BROADCAST, r->t, 0, native_word(scale + 2));
    }
    put(t, X86_FROM_S32, low, 0, x86_reg(value));
    put(t, X86_TO_S32, high, 0, x86_reg(low));
    put(t, X86_PSUB, high, value, x86_reg(high));
    shift(t, X86_SHIFT, X86_SHR, high, high, 31);
    put(t, X86_PSUB, low, low, x86_reg(high));
    put(t, X86_MULPS, low, low, x86_reg(r->t));
}

/* ---- operands in another form ------------------------------------------------------------------------------- */

static void reduce_rsq(const struct table_builder *t, unsigned d, unsigned w)
{
    put_word(t, X86_XOR, d, w, NATIVE_NORMAL);
}

/* 23 bits after the point, cut off; a negative one is complemented, not negated, unless it is an integer. */
static void reduce_ex2(const struct table_builder *t, unsigned d, unsigned w)
{
    unsigned sign = t->r->b;

    put_word(t, X86_AND, d, w, NATIVE_MAGNITUDE + 1);
    put_word(t, X86_MULPS, d, d, NATIVE_TWO_23);
    put(t, X86_TO_S32, d, 0, x86_reg(d));
    shift(t, X86_SHIFT, X86_SAR, sign, w, 31);
    where(t, X86_NONE, d, native_word(NATIVE_FRACTION_23), 0);
    put(t, X86_XOR, d, d, x86_reg(sign));
    put_masked(t, X86_PSUB, d, d, x86_reg(sign));
}

/* The leading 24 bits of the significand's product with that of 1 / (2 pi), which is taken in two parts of 12 bits,
 * into t; into a whether they are the first 24 of 25. */
static void to_turns(const struct table_builder *t, unsigned high, unsigned w)
{
    const struct registers *r = t->r;

    shift(t, X86_SHIFT, X86_SHR, high, w, 12);
    put_word(t, X86_AND, high, high, NATIVE_2047);
    put_word(t, X86_OR, high, high, NATIVE_2048);
    put_word(t, X86_AND, r->a, w, NATIVE_4095);
    put_word(t, X86_PMUL, r->b, high, NATIVE_TURN_LOW);
    put_word(t, X86_PMUL, r->t, r->a, NATIVE_TURN_HIGH);
    put(t, X86_PADD, r->b, r->b, x86_reg(r->t));
    put_word(t, X86_PMUL, r->t, r->a, NATIVE_TURN_LOW);
    shift(t, X86_SHIFT, X86_SHR, r->t, r->t, 12);
    put(t, X86_PADD, r->b, r->b, x86_reg(r->t));
    shift(t, X86_SHIFT, X86_SHR, r->b, r->b, 11);
    put_word(t, X86_PMUL, r->t, high, NATIVE_TURN_HIGH);
    shift(t, X86_SHIFT, X86_SHL, r->t, r->t, 1);
    put(t, X86_PADD, r->t, r->t, x86_reg(r->b));
    shift(t, X86_SHIFT, X86_SHR, r->a, r->t, 24);
    put(t, X86_SHRV, r->t, r->t, x86_reg(r->a));
}

/* A number with 23 bits of a quarter turn; the odd quarters run backwards, by complement. What leaves the word by a
 * shift to the left would be whole turns. The result's sign stands above. */
static void reduce_turn(const struct table_builder *t, unsigned d, unsigned w, bool cosine)
{
    const struct registers *r = t->r;
    unsigned zero = r->c0[0];

    to_turns(t, d, w);
    shift(t, X86_SHIFT, X86_SHL, r->b, w, 1);
    shift(t, X86_SHIFT, X86_SHR, r->b, r->b, 24);
    put(t, X86_PADD, r->b, r->b, x86_reg(r->a));
    put_word(t, X86_PSUB, r->b, r->b, NATIVE_128);
    put(t, X86_SHLV, d, r->t, x86_reg(r->b));
    put(t, X86_XOR, zero, zero, x86_reg(zero));
    put(t, X86_PSUB, r->b, zero, x86_reg(r->b));
    put(t, X86_SHRV, r->t, r->t, x86_reg(r->b));
    put(t, X86_OR, d, d, x86_reg(r->t));
    if (cosine)
        put_word(t, X86_PADD, d, d, NATIVE_NORMAL);
    shift(t, X86_SHIFT, X86_SHL, r->a, d, 7);
    if (!cosine)
        put(t, X86_XOR, r->a, r->a, x86_reg(w));
    put_word(t, X86_AND, r->a, r->a, NATIVE_SIGN_WORD);
    shift(t, X86_SHIFT, X86_SHL, r->b, d, 8);
    shift(t, X86_SHIFT, X86_SAR, r->b, r->b, 31);
    put(t, X86_XOR, d, d, x86_reg(r->b));
    put_word(t, X86_AND, d, d, NATIVE_MAGNITUDE + 1);
    put(t, X86_OR, d, d, x86_reg(r->a));
}

static void reduce_sin(const struct table_builder *t, unsigned d, unsigned w)
{
    reduce_turn(t, d, w, false);
}

static void reduce_cos(const struct table_builder *t, unsigned d, unsigned w)
{
    reduce_turn(t, d, w, true);
}

/* ---- results ------------------------------------------------------------------------------------------------ */

/* With AVX2: the processor's approximation, with its last 17 or 16 bits from the polynomial, whose bits above are not
 * there. Of operands from the sure one to 2^126 RCPPS may be 0 as well, as its maker has it: those get that of the sure
 * one, which is near enough. */
static void finish_signed(const struct table_builder *t, uint32_t approximate)
{
    const struct registers *r = t->r;
    unsigned near = r->a, w = r->w[0];

    put(t, X86_PADD, r->b, r->b, x86_reg(r->c0[0]));
    if (approximate == X86_RCPPS) {
        put_word(t, X86_MINPS, near, w, NATIVE_RCP_SURE);
        put_word(t, X86_MAXPS, near, near, NATIVE_RCP_SURE_NEGATIVE);
        put(t, approximate, near, 0, x86_reg(near));
    } else {
        put(t, approximate, near, 0, x86_reg(w));
    }
    put(t, X86_PADD, r->t, near, x86_reg(w));
    if (t->k->cut == 16)
        put(t, X86_PADD, r->t, r->t, x86_reg(near));
    shift(t, X86_SHIFT, X86_SHL, r->t, r->t, 15);
    put(t, X86_PSUB, r->b, r->b, x86_reg(r->t));
    shift(t, X86_SHIFT, X86_SAR, r->b, r->b, t->k->cut);
    put(t, X86_PADD, r->c0[0], r->b, x86_reg(near));
}

static void finish_rcp(const struct table_builder *t, unsigned i)
{
    const struct registers *r = t->r;

    if (t->c->avx2) {
        finish_signed(t, X86_RCPPS);
        return;
    }
    cut_sum(t, i, r->w[i]);
    put_word(t, X86_XOR, r->t, r->w[i], NATIVE_INFINITY);
    put_word(t, X86_AND, r->t, r->t, NATIVE_SIGN_EXPONENT);
    put(t, X86_PADD, r->c0[i], r->c0[i], x86_reg(r->t));
}

/* Of powers of four the result is exact, which the polynomial just misses. */
static void finish_rsq(const struct table_builder *t, unsigned i)
{
    const struct registers *r = t->r;
    unsigned w = r->w[i], d = r->c0[i];

    if (t->c->avx2)
        finish_signed(t, X86_RSQRTPS);
    else
        cut_sum(t, i, w);
    put_word(t, X86_XOR, r->t, w, NATIVE_NORMAL);
    where(t, X86_NONE, r->t, native_word(NATIVE_FRACTION_24), 0);
    put_masked(t, X86_PADD, d, d, native_word(NATIVE_UNIT));
    if (t->c->avx2)
        return;
    put_word(t, X86_PADD, r->t, w, NATIVE_RSQ_EXPONENT);
    shift(t, X86_SHIFT, X86_SHR, r->t, r->t, 1);
    put_word(t, X86_ANDN, r->t, r->t, NATIVE_INFINITY);
    put(t, X86_PADD, d, d, x86_reg(r->t));
}

static void finish_ex2(const struct table_builder *t, unsigned i)
{
    const struct registers *r = t->r;

    cut_sum(t, i, r->m[i]);
    put_word(t, X86_AND, r->t, r->m[i], NATIVE_SIGN_EXPONENT);
    put(t, X86_PADD, r->c0[i], r->c0[i], x86_reg(r->t));
}

static void finish_sin(const struct table_builder *t, unsigned i)
{
    const struct registers *r = t->r;
    unsigned d = r->c0[i];

    two_parts(t, r->m[i]);
    shift(t, X86_SHIFT, X86_SHL, d, d, 3);
    put(t, X86_PADD, d, d, x86_reg(r->t));
    shift(t, X86_SHIFT, X86_SAR, r->t, r->b, 8);
    put(t, X86_PADD, d, d, x86_reg(r->t));
    put_word(t, X86_AND, r->b, r->b, NATIVE_255);
    cut_float(t, i, 8, NATIVE_SIN_SCALES);
    put_word(t, X86_AND, d, r->m[i], NATIVE_SIGN_WORD);
    put(t, X86_OR, d, d, x86_reg(r->b));
}

/* The exponent and the polynomial without its last two bits are a number with 36 bits after the point, of which c0
 * gets 20. A negative one is complemented. */
static void finish_lg2(const struct table_builder *t, unsigned i)
{
    const struct registers *r = t->r;
    unsigned w = r->w[i], d = r->c0[i], negative = r->m[i];

    two_parts(t, w);
    put_word(t, X86_PADD, r->b, r->b, NATIVE_LG2_BIAS);
    shift(t, X86_SHIFT, X86_SAR, r->b, r->b, 2);
    shift(t, X86_SHIFT, X86_SHL, r->t, r->t, 6);
    put(t, X86_PADD, r->b, r->b, x86_reg(r->t));
    shift(t, X86_SHIFT, X86_SHL, r->t, d, 10);
    put_word(t, X86_AND, r->t, r->t, NATIVE_LG2_LOW);
    put(t, X86_PADD, r->b, r->b, x86_reg(r->t));
    shift(t, X86_SHIFT, X86_SHR, d, d, 6);
    shift(t, X86_SHIFT, X86_SAR, r->t, r->b, 16);
    put(t, X86_PADD, d, d, x86_reg(r->t));
    shift(t, X86_SHIFT, X86_SHR, r->t, w, 23);
    put_word(t, X86_PSUB, r->t, r->t, NATIVE_127);
    shift(t, X86_SHIFT, X86_SHL, r->t, r->t, 20);
    put(t, X86_PADD, d, d, x86_reg(r->t));
    shift(t, X86_SHIFT, X86_SAR, negative, d, 31);
    put(t, X86_XOR, d, d, x86_reg(negative));
    put(t, X86_XOR, r->b, r->b, x86_reg(negative));
    put_word(t, X86_AND, r->b, r->b, NATIVE_LOW_HALF);
    cut_float(t, i, 16, NATIVE_LG2_SCALES);
    put_word(t, X86_AND, d, negative, NATIVE_SIGN_WORD);
    put(t, X86_OR, d, d, x86_reg(r->b));
    where(t, X86_PCMPU, w, native_word(NATIVE_ONE), EQUAL);
    put_masked(t, X86_BROADCAST, d, 0, native_word(NATIVE_ZERO));
}

/* ---- the functions ------------------------------------------------------------------------------------------ */

/* What must not be above the limit for an operand to be an ordinary one: its magnitude, or how far it or its exponent
 * is above the smallest normal number, less 2^31, so that signed words can be compared. */
enum measure { MAGNITUDE, ABOVE_NORMAL, EXPONENT };

static const struct function {
    struct kind k;
    void (*reduce)(const struct table_builder *, unsigned d, unsigned w);   /* or NULL */
    bool reduced_x;             /* x is in the other form as well */
    void (*finish)(const struct table_builder *, unsigned i);
    enum measure measure;
    enum native_word limit;
    void (*rare)(const struct table_builder *, unsigned i);
} functions[NATIVE_TABLES] = {
    [TABLE_RCP] = {{eval_sfu_rcp_rows, 128, 16, 13, 15, NATIVE_TWO_LOW_13, NATIVE_RCP_BIAS, -3 * 0x800000, 1, true},
                   NULL, false, finish_rcp, EXPONENT, NATIVE_RCP_LIMIT, native_rare_rcp},
    [TABLE_RSQ] = {{eval_sfu_rsq_rows, 128, 17, 14, 16, NATIVE_TWO_LOW_14, NATIVE_RSQ_BIAS, -64 * 0x800000, 4, true},
                   reduce_rsq, false, finish_rsq, ABOVE_NORMAL, NATIVE_MOST_NORMAL, native_rare_rsq},
    [TABLE_EX2] = {{eval_sfu_ex2_rows, 64, 17, 13, 15, NATIVE_TWO_LOW_13, NATIVE_EX2_BIAS, 126 * 0x800000, 1, false},
                   reduce_ex2, true, finish_ex2, MAGNITUDE, NATIVE_EX2_LIMIT, native_rare_ex2},
    [TABLE_LG2] = {{eval_sfu_lg2_rows, 64, 17, 12, 0, 0, NATIVE_LG2_BIAS, 0, 2, false},
                   NULL, false, finish_lg2, ABOVE_NORMAL, NATIVE_MOST_NORMAL, native_rare_lg2},
    [TABLE_SIN] = {{eval_sfu_sin_rows, 64, 17, 11, 0, 0, 0, 0, 1, false},
                   reduce_sin, true, finish_sin, MAGNITUDE, NATIVE_NUMBERS, native_rare_sin},
    [TABLE_COS] = {{eval_sfu_sin_rows, 64, 17, 11, 0, 0, 0, 0, 1, false},
                   reduce_cos, true, finish_sin, MAGNITUDE, NATIVE_NUMBERS, native_rare_sin},
};

static void measure(const struct table_builder *t, enum measure what, unsigned d, unsigned w)
{
    if (what == MAGNITUDE) {
        put_word(t, X86_AND, d, w, NATIVE_MAGNITUDE + 1);
        return;
    }
    if (what == EXPONENT) {
        put_word(t, X86_AND, d, w, NATIVE_INFINITY);
        w = d;
    }
    put_word(t, X86_PSUB, d, w, NATIVE_LOWEST_NORMAL);
}

static void jump_if_rare(const struct table_builder *t, const struct function *f, size_t *chain)
{
    static const uint8_t any[] = {0xc5, 0xf8, 0x98, 0xc0 | NATIVE_K << 3 | NATIVE_K};   /* kortestw */
    const struct registers *r = t->r;

    measure(t, f->measure, r->t, r->w[0]);
    if (r->n == 2) {
        measure(t, f->measure, r->a, r->w[1]);
        put(t, X86_PMAXS, r->t, r->t, x86_reg(r->a));
    }
    where(t, X86_PCMPS, r->t, native_word(f->limit), ABOVE);
    if (t->c->avx2)
        x86_avx2_test(t->c);
    else
        x86_bytes(t->c, any, sizeof any);
    x86_jump_chained(t->c, X86_JNZ, chain);
}

/* With AVX2 what only segments need is the operand: put_signed_rows has RSQ's in its order. */
static void reduce(const struct table_builder *t, const struct function *f, unsigned m[2])
{
    const struct registers *r = t->r;

    for (unsigned i = 0; i < r->n; i++) {
        m[i] = f->reduce && (r->n == 2 || f->reduced_x) ? r->m[i] : r->w[i];
        if (m[i] == r->w[i])
            continue;
        f->reduce(t, m[i], r->w[i]);
        if (t->c->avx2)
            x86_avx2_keep_lanes(t->c, m[i]);
    }
}

static void write_function(const struct table_builder *t, const struct function *f)
{
    const struct registers *r = t->r;
    unsigned m[2] = {0, 0};
    size_t jump = 0, begin = 0, back;

    if (t->c->avx2) {
        native_hold_square(t);
        begin = x86_avx2_begin_plane(t->c, t->table, r->w[0]);
    }
    reduce(t, f, m);
    native_square(t, f->reduced_x ? m : r->w);
    native_look_up(t, m);
    for (unsigned i = 0; i < r->n; i++) {
        native_take(t, i);
        f->finish(t, i);
    }
    jump_if_rare(t, f, &jump);
    back = t->c->size;
    for (unsigned i = 0; i < r->n && r->n == 2; i++)
        move(t, r->w[i], r->c0[i]);
    if (t->c->avx2)
        x86_avx2_end_plane(t->c, begin, r->c0[0]);
    else
        put_word(t, X86_BROADCAST, NATIVE_NAN, 0, NATIVE_MAGNITUDE + 1);
    x86_return(t->c);
    x86_bind(t->c, &jump);
    for (unsigned i = 0; i < r->n; i++)
        f->rare(t, i);
    x86_jump_to(t->c, X86_JMP, back);
    t->c->nheld = 0;
}

static size_t new_function(struct native_builder *b, enum native_table which)
{
    const struct function *f = &functions[which];
    struct table_builder t = {.c = &b->code, .k = &f->k, .r = b->code.avx2 ? &avx2 : &avx512};
    size_t start;

    native_put_tables(b, &t);
    start = t.c->size;
    write_function(&t, f);
    return start;
}

void eval_native_find_tables(struct native_builder *b)
{
    for (uint32_t i = 0; i < b->x->nsteps; i++) {
        uint32_t tables = eval_native_tables(b, &b->x->steps[i]);
        for (unsigned which = 0; which < NATIVE_TABLES; which++)
            if (tables >> which & 1 && !b->table[which])
                b->table[which] = new_function(b, (enum native_table)which);
    }
}

void eval_native_call_table(struct native_builder *b, enum native_table which)
{
    x86_call_to(&b->code, b->table[which]);
}
