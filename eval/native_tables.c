/* The approximated functions: what eval/kernels/sfu_lanes.h computes, as functions that machine code calls with the operands in
 * registers. With AVX-512 for two vectors at once, whose halves of words share the registers that squares and segments are made in;
 * with AVX2 for one.
 *
 * A polynomial is c0 * 2^scale + bias +- c1 * x + c2 * square, of which the last `cut` bits are cut off. The leading bits of c0 are put
 * aside; what is left stays within 32 bits, if it is halved first where x has 17, and moved up where c1 is negative. */
#include "eval/native_build.h"

#include "eval/numeric/sfu.h"
#include "eval/x86_scalar.h"

struct kind {
    const struct sfu_row *rows;
    unsigned segments, bits, scale, cut;
    uint32_t low, bias;         /* words: the bits of c0 that are not put aside, and the bias */
    uint32_t limit;             /* a word: operands that are out of the ordinary */
    int32_t offset;             /* of the result */
    int32_t times;              /* c2, where the square is of another unit */
    bool falls;                 /* c1 is negative */
};

static const struct kind kinds[NATIVE_TABLES] = {
    [TABLE_RCP] = {eval_sfu_rcp_rows, 128, 16, 13, 15, NATIVE_RCP_LOW, NATIVE_RCP_BIAS, NATIVE_RCP_LIMIT, -3 * 0x800000, 1, true},
    [TABLE_RSQ] = {eval_sfu_rsq_rows, 128, 17, 14, 16, NATIVE_RSQ_LOW, NATIVE_RSQ_BIAS, NATIVE_NORMALS, -64 * 0x800000, 4, true},
    [TABLE_EX2] = {eval_sfu_ex2_rows, 64, 17, 13, 15, NATIVE_RCP_LOW, NATIVE_EX2_BIAS, NATIVE_EX2_LIMIT, 0, 1, false},
};

/* Registers of vector i. */
struct registers {
    unsigned n;                 /* vectors */
    unsigned w[2], c0[2];       /* the operand; c0 and then the result */
    unsigned a, b, t;           /* of one vector after the other */
    unsigned c1, c2, square;    /* of both */
    unsigned m[2];              /* the operand in another form */
};
static const struct registers avx512 = {2, {26, 27}, {29, 20}, 21, 30, 31, 22, 23, 28, {24, 25}},
                              avx2 = {1, {26, 0}, {27, 0}, 28, 29, 30, 28, 28, 30, {6, 0}};

struct table_builder {
    struct x86_code *c;
    const struct kind *k;
    const struct registers *r;
    size_t table, mixed;        /* in the code */
};

static void put(const struct table_builder *t, uint32_t code, unsigned d, unsigned a, struct x86_place b)
{
    x86_vector(t->c, code, d, a, b, 0, 0);
}

static void put_word(const struct table_builder *t, uint32_t code, unsigned d, unsigned a, enum native_word w)
{
    put(t, code, d, a, native_word(w));
}

static void put_masked(const struct table_builder *t, uint32_t code, unsigned d, unsigned a, struct x86_place b)
{
    x86_vector(t->c, code, d, a, b, NATIVE_K, 0);
}

static void where(const struct table_builder *t, uint32_t compare, unsigned a, struct x86_place b, uint8_t how)
{
    x86_vector(t->c, compare, NATIVE_K, a, b, 0, how);
}

static void shift(const struct table_builder *t, uint32_t code, unsigned way, unsigned d, unsigned a, unsigned bits)
{
    x86_vector(t->c, code, way, d, x86_reg(a), 0, (uint8_t)bits);
}

static void move(const struct table_builder *t, unsigned d, unsigned a)
{
    if (d != a)
        put(t, X86_LOAD, d, 0, x86_reg(a));
}

/* ---- tables -------------------------------------------------------------------------------------------------------------- */

static void align(struct x86_code *c)
{
    while (c->size % 64 && !c->failed)
        x86_bytes(c, "", 1);
}

static uint32_t first_word(const struct kind *k, unsigned i)
{
    unsigned shift_last = k->cut - k->scale, halved = k->bits == 17;
    /* Moved up by 2^32 less 2^16, so that it is not below 0. */
    int64_t moved = k->falls ? (0x100000000 - 0x10000) >> (k->cut - halved) : 0;

    return (uint32_t)k->rows[i].c0 + (uint32_t)((k->offset - moved) * (1 << shift_last));
}

static void put_halves(struct x86_code *c, const struct kind *k, unsigned which)
{
    for (unsigned i = 0; i < k->segments; i++) {
        uint32_t c0 = first_word(k, i);
        int32_t c1 = k->rows[i].c1;
        const uint16_t of[] = {(uint16_t)c0, (uint16_t)(c0 >> 16), (uint16_t)(c1 < 0 ? -c1 : c1),
                               (uint16_t)(k->rows[i].c2 * k->times)};
        const uint8_t bytes[] = {(uint8_t)of[which], (uint8_t)(of[which] >> 8)};
        x86_bytes(c, bytes, sizeof bytes);
    }
}

static void put_rows(struct x86_code *c, const struct kind *k)
{
    for (unsigned i = 0; i < k->segments; i++) {
        int32_t c1 = k->rows[i].c1;
        x86_word(c, first_word(k, i));
        x86_word(c, (uint32_t)(k->rows[i].c2 * k->times) << 16 | (uint32_t)(c1 < 0 ? -c1 : c1));
    }
}

/* Bits 0 to 2 of h and l, as h + 8 * l: what the square's mixed part has of them. */
static void put_mixed(struct x86_code *c)
{
    for (unsigned i = 0; i < 64; i++) {
        unsigned h = i & 7, l = i >> 3;
        const uint8_t bytes[] = {(uint8_t)((h & 1) * (l >> 2) + (h >> 1 & 1) * (l >> 1) + (h >> 2) * l), 0};
        x86_bytes(c, bytes, sizeof bytes);
    }
}

/* ---- AVX-512: two vectors ------------------------------------------------------------------------------------------------ */

static struct x86_place vector_at(size_t at, unsigned i)
{
    return (struct x86_place){X86_VECTOR, (uint32_t)(at + 64 * i)};
}

/* d = low halves of a, high halves of d; or the other way round. */
static void mix_low(const struct table_builder *t, unsigned d, unsigned a)
{
    x86_vector(t->c, X86_TERNARY, d, a, native_word(NATIVE_LOW_HALF), 0, 0xd8);
}

static void mix_high(const struct table_builder *t, unsigned d, unsigned a)
{
    x86_vector(t->c, X86_TERNARY, d, a, native_word(NATIVE_LOW_HALF), 0, 0xe4);
}

/* d += mixed part of the bits 0 to 2 of halves in a, and 3 to 5 in b, which is lost; a as well. */
static void add_mixed(const struct table_builder *t, unsigned d, unsigned a, unsigned b)
{
    x86_vector(t->c, X86_TERNARY, b, a, native_word(NATIVE_SEVENS), 0, 0xd8);
    put(t, X86_LOAD, a, 0, vector_at(t->mixed, 0));
    put(t, X86_PERMUTEW, a, b, vector_at(t->mixed, 1));
    put(t, X86_PADDW, d, d, x86_reg(a));
}

/* Of 16 bits z of each x, but for the last: with h the upper eight and l the next seven, h * h / 2, and for bit i of h, from 1 on,
 * l / 2^(7 - i). */
static void squares(const struct table_builder *t, const unsigned m[2])
{
    const struct registers *r = t->r;
    unsigned z = r->a, d = r->square, a = r->b, b = r->c1;

    shift(t, X86_SHIFT, X86_SHL, z, m[1], t->k->bits == 16 ? 16 : 15);
    if (t->k->bits != 16)
        shift(t, X86_SHIFT, X86_SHR, a, m[0], 1);
    mix_low(t, z, t->k->bits == 16 ? m[0] : a);
    shift(t, X86_SHIFTW, X86_SHR, d, z, 8);
    put(t, X86_PMULW, d, d, x86_reg(d));
    shift(t, X86_SHIFTW, X86_SHR, d, d, 1);
    shift(t, X86_SHIFTW, X86_SHR, a, z, 4);             /* bits 4 to 7 of h with all but the last three of l */
    put_word(t, X86_AND, a, a, NATIVE_FIFTEENS);
    shift(t, X86_SHIFTW, X86_SHR, b, z, 12);
    put(t, X86_PMULW, a, a, x86_reg(b));
    put(t, X86_PADDW, d, d, x86_reg(a));
    shift(t, X86_SHIFTW, X86_SHR, a, z, 13);            /* bits 5 to 7 with these three */
    shift(t, X86_SHIFTW, X86_SHL, b, z, 2);
    add_mixed(t, d, a, b);
    shift(t, X86_SHIFTW, X86_SHR, a, z, 9);             /* bits 1 to 3 with the first three */
    shift(t, X86_SHIFTW, X86_SHR, b, z, 2);
    add_mixed(t, d, a, b);
}

static void look_up_halves(const struct table_builder *t, unsigned d, unsigned which, unsigned segment, unsigned other)
{
    size_t at = t->table + 2 * (size_t)t->k->segments * which;

    put(t, X86_LOAD, d, 0, vector_at(at, 0));
    put(t, X86_PERMUTEW, d, segment, vector_at(at, 1));
    if (t->k->segments == 64)
        return;
    put(t, X86_LOAD, other, 0, vector_at(at, 2));
    put(t, X86_PERMUTEW, other, segment, vector_at(at, 3));
    put_masked(t, X86_LOADW, d, 0, x86_reg(other));
}

static void look_up_two(const struct table_builder *t, const unsigned m[2])
{
    const struct registers *r = t->r;
    unsigned segment = r->b, other = r->t, low = r->c0[1], high = r->a;

    shift(t, X86_SHIFT, X86_SHR, segment, m[0], t->k->bits);
    if (t->k->bits != 16)
        shift(t, X86_SHIFT, X86_SHR, other, m[1], 1);
    mix_high(t, segment, t->k->bits == 16 ? m[1] : other);
    if (t->k->segments == 128) {
        shift(t, X86_SHIFTW, X86_SHL, other, segment, 9);
        x86_vector(t->c, X86_SIGNSW, NATIVE_K, 0, x86_reg(other), 0, 0);
    }
    look_up_halves(t, low, 0, segment, other);
    look_up_halves(t, high, 1, segment, other);
    look_up_halves(t, r->c1, 2, segment, other);
    look_up_halves(t, r->c2, 3, segment, other);
    shift(t, X86_SHIFT, X86_SHL, r->c0[0], high, 16);
    mix_low(t, r->c0[0], low);
    shift(t, X86_SHIFT, X86_SHR, low, low, 16);
    mix_high(t, low, high);
}

/* c1 of vector i, and what c2 and the square give. */
static void take_two(const struct table_builder *t, unsigned i)
{
    const struct registers *r = t->r;

    if (i == 0)
        put_word(t, X86_AND, r->a, r->c1, NATIVE_LOW_HALF);
    else
        shift(t, X86_SHIFT, X86_SHR, r->a, r->c1, 16);
    put_word(t, X86_AND, r->b, r->c2, i == 0 ? NATIVE_LOW_HALF : NATIVE_HIGH_HALF);
    put(t, X86_DOT, r->b, r->b, x86_reg(r->square));
}

/* ---- AVX2: one vector ---------------------------------------------------------------------------------------------------- */

/* z, as above, is in both halves of a word, each of which takes some bits of h. */
static void square_one(const struct table_builder *t, unsigned m)
{
    const struct registers *r = t->r;
    unsigned z = r->c0[0], low = r->a, a = r->b, sum = r->square;

    if (t->k->bits != 16) {
        shift(t, X86_SHIFT, X86_SHR, a, m, 1);
        m = a;
    }
    shift(t, X86_SHIFT, X86_SHL, z, m, 16);
    x86_vector(t->c, X86_BLENDW, z, z, x86_reg(m), 0, 0x55);
    put_word(t, X86_AND, low, z, NATIVE_SQUARE_LOW);
    for (unsigned i = 0; i < 4; i++) {
        unsigned product = i ? a : sum;
        put_word(t, X86_AND, product, z, NATIVE_SQUARE_BITS + i);
        put(t, X86_PMULHW, product, product, x86_reg(low));
        if (i)
            put(t, X86_PADDW, sum, sum, x86_reg(a));
    }
    shift(t, X86_SHIFTW, X86_SHR, a, z, 8);
    put(t, X86_PMULW, a, a, x86_reg(a));
    shift(t, X86_SHIFTW, X86_SHR, a, a, 1);
    put_word(t, X86_AND, a, a, NATIVE_HIGH_HALF);
    put(t, X86_PADDW, sum, sum, x86_reg(a));
}

static void look_up_one(const struct table_builder *t, unsigned m)
{
    const struct registers *r = t->r;

    shift(t, X86_SHIFT, X86_SHR, r->b, m, t->k->bits);
    put_word(t, X86_AND, r->b, r->b, t->k->segments == 128 ? NATIVE_127 : NATIVE_SEGMENTS_64);
    x86_avx2_rows(t->c, t->table, r->b, r->c0[0], r->a);
}

static void take_one(const struct table_builder *t)
{
    const struct registers *r = t->r;

    shift(t, X86_SHIFT, X86_SHR, r->b, r->a, 16);
    x86_vector(t->c, X86_BLENDW, r->b, r->a, x86_reg(r->b), 0, 0x55);
    put(t, X86_DOT, r->b, r->b, x86_reg(r->square));
    put_word(t, X86_AND, r->a, r->a, NATIVE_LOW_HALF);
}

/* ---- polynomials --------------------------------------------------------------------------------------------------------- */

/* c1 is in a, c2 * square in b. */
static void polynomial(const struct table_builder *t, unsigned i, unsigned m)
{
    const struct registers *r = t->r;
    const struct kind *k = t->k;
    uint32_t line = k->falls ? X86_PSUB : X86_PADD;
    bool halved = k->bits == 17;
    unsigned x = m;

    if (halved) {
        put_word(t, X86_AND, r->t, m, NATIVE_UNIT);
        put(t, X86_PMUL, r->t, r->t, x86_reg(r->a));
        put(t, line, r->b, r->b, x86_reg(r->t));
    }
    shift(t, X86_SHIFT, X86_SHL, r->t, r->c0[i], k->scale);
    put_word(t, X86_AND, r->t, r->t, k->low);
    put_word(t, X86_OR, r->t, r->t, k->bias);
    put(t, X86_PADD, r->b, r->b, x86_reg(r->t));
    if (halved) {
        shift(t, X86_SHIFT, X86_SAR, r->b, r->b, 1);
        shift(t, X86_SHIFT, X86_SHR, r->t, m, 1);
        x = r->t;
    }
    put_word(t, X86_AND, r->t, x, NATIVE_LOW_HALF);
    put(t, X86_PMUL, r->t, r->t, x86_reg(r->a));
    put(t, line, r->b, r->b, x86_reg(r->t));
    shift(t, X86_SHIFT, X86_SHR, r->b, r->b, k->cut - halved);
    shift(t, X86_SHIFT, X86_SAR, r->c0[i], r->c0[i], k->cut - k->scale);
    put(t, X86_PADD, r->c0[i], r->c0[i], x86_reg(r->b));
}

/* ---- the functions ------------------------------------------------------------------------------------------------------- */

/* The operand as 23 bits after the point, cut off; a negative one is complemented, not negated, unless it is an integer. */
static void to_fixed(const struct table_builder *t, unsigned d, unsigned w, unsigned sign)
{
    put_word(t, X86_AND, d, w, NATIVE_MAGNITUDE + 1);
    put_word(t, X86_MULPS, d, d, NATIVE_TWO_23);
    put(t, X86_TO_S32, d, 0, x86_reg(d));
    shift(t, X86_SHIFT, X86_SAR, sign, w, 31);
    where(t, X86_NONE, d, native_word(NATIVE_FRACTION_23), 0);
    put(t, X86_XOR, d, d, x86_reg(sign));
    put_masked(t, X86_PSUB, d, d, x86_reg(sign));
}

/* Where the segment's bits are, of operand i; x's are there and, but for EX2, in the operand. */
static unsigned reduced(const struct table_builder *t, enum native_table which, unsigned i)
{
    const struct registers *r = t->r;
    unsigned m = r->n == 1 && which != TABLE_EX2 ? r->b : r->m[i];

    if (which == TABLE_RCP)
        return r->w[i];
    if (which == TABLE_RSQ)
        put_word(t, X86_XOR, m, r->w[i], NATIVE_NORMAL);
    else
        to_fixed(t, m, r->w[i], r->b);
    return m;
}

/* The exponent; of RSQ also that of powers of four the result is exact, which the polynomial just misses. */
static void finish(const struct table_builder *t, enum native_table which, unsigned i)
{
    const struct registers *r = t->r;
    unsigned w = r->w[i], d = r->c0[i];

    switch (which) {
    case TABLE_RCP:
        put_word(t, X86_XOR, r->t, w, NATIVE_INFINITY);
        put_word(t, X86_AND, r->t, r->t, NATIVE_SIGN_EXPONENT);
        break;
    case TABLE_EX2:
        put_word(t, X86_AND, r->t, r->m[i], NATIVE_SIGN_EXPONENT);
        put_word(t, X86_PADD, r->t, r->t, NATIVE_EX2_EXPONENT);
        break;
    default:
        put_word(t, X86_XOR, r->t, w, NATIVE_NORMAL);
        where(t, X86_NONE, r->t, native_word(NATIVE_FRACTION_24), 0);
        put_masked(t, X86_PADD, d, d, native_word(NATIVE_UNIT));
        put_word(t, X86_PADD, r->t, w, NATIVE_RSQ_EXPONENT);
        shift(t, X86_SHIFT, X86_SHR, r->t, r->t, 1);
        put_word(t, X86_AND, r->t, r->t, NATIVE_INFINITY);
        put_word(t, X86_XOR, r->t, r->t, NATIVE_INFINITY);
        break;
    }
    put(t, X86_PADD, d, d, x86_reg(r->t));
}

/* What must be below the limit for an operand to be an ordinary one: for RCP and RSQ, how far the smallest normal number is below. */
static void make_measure(const struct table_builder *t, enum native_table which, unsigned d, unsigned w)
{
    if (which == TABLE_EX2) {
        put_word(t, X86_AND, d, w, NATIVE_MAGNITUDE + 1);
        return;
    }
    if (which == TABLE_RCP) {
        put_word(t, X86_AND, d, w, NATIVE_INFINITY);
        w = d;
    }
    put_word(t, X86_PSUB, d, w, NATIVE_NORMAL);
}

static void jump_if_rare(const struct table_builder *t, enum native_table which, size_t *chain)
{
    static const uint8_t any[] = {0xc5, 0xf8, 0x98, 0xc0 | NATIVE_K << 3 | NATIVE_K};   /* kortestw */
    const struct registers *r = t->r;

    make_measure(t, which, r->t, r->w[0]);
    if (r->n == 2) {
        make_measure(t, which, r->a, r->w[1]);
        put(t, X86_PMAXU, r->t, r->t, x86_reg(r->a));
    }
    where(t, X86_PCMPU, r->t, native_word(t->k->limit), 5);
    if (t->c->avx2)
        x86_avx2_test(t->c);
    else
        x86_bytes(t->c, any, sizeof any);
    x86_jump_chained(t->c, X86_JNZ, chain);
}

static void nan_where_operand_is(const struct table_builder *t, unsigned i)
{
    const struct registers *r = t->r;

    put_word(t, X86_AND, r->t, r->w[i], NATIVE_MAGNITUDE + 1);
    where(t, X86_PCMPU, r->t, native_word(NATIVE_INFINITY), 6);
    put_masked(t, X86_BROADCAST, r->c0[i], 0, native_word(NATIVE_MAGNITUDE + 1));
}

static void rare_rcp(const struct table_builder *t, unsigned i)
{
    const struct registers *r = t->r;
    unsigned w = r->w[i], d = r->c0[i], sign = r->a, e = r->b;

    put_word(t, X86_AND, sign, w, NATIVE_SIGN_WORD);
    put_word(t, X86_AND, e, w, NATIVE_INFINITY);
    put(t, X86_XOR, r->t, d, x86_reg(sign));
    where(t, X86_PCMPS, r->t, native_word(NATIVE_NORMAL), 1);
    put_masked(t, X86_LOAD, d, 0, x86_reg(sign));
    where(t, X86_PCMPU, e, native_word(NATIVE_INFINITY), 0);
    put_masked(t, X86_LOAD, d, 0, x86_reg(sign));
    nan_where_operand_is(t, i);
    where(t, X86_NONE, e, x86_reg(e), 0);
    put_word(t, X86_OR, sign, sign, NATIVE_INFINITY);
    put_masked(t, X86_LOAD, d, 0, x86_reg(sign));
}

static void rare_rsq(const struct table_builder *t, unsigned i)
{
    const struct registers *r = t->r;
    unsigned w = r->w[i], d = r->c0[i], sign = r->a, e = r->b;

    put_word(t, X86_AND, e, w, NATIVE_INFINITY);
    where(t, X86_PCMPU, e, native_word(NATIVE_INFINITY), 0);
    put_masked(t, X86_BROADCAST, d, 0, native_word(NATIVE_ZERO));
    where(t, X86_SIGNS, 0, x86_reg(w), 0);
    put_masked(t, X86_BROADCAST, d, 0, native_word(NATIVE_MAGNITUDE + 1));
    nan_where_operand_is(t, i);
    where(t, X86_NONE, e, x86_reg(e), 0);
    put_word(t, X86_AND, sign, w, NATIVE_SIGN_WORD);
    put_word(t, X86_OR, sign, sign, NATIVE_INFINITY);
    put_masked(t, X86_LOAD, d, 0, x86_reg(sign));
}

/* From 128 on it is infinite, or 0. */
static void rare_ex2(const struct table_builder *t, unsigned i)
{
    const struct registers *r = t->r;
    unsigned w = r->w[i], d = r->c0[i], limit = r->a;

    where(t, X86_PCMPS, d, native_word(NATIVE_NORMAL), 1);
    put_masked(t, X86_BROADCAST, d, 0, native_word(NATIVE_ZERO));
    shift(t, X86_SHIFT, X86_SAR, limit, w, 31);
    put_word(t, X86_AND, limit, limit, NATIVE_INFINITY);
    put_word(t, X86_XOR, limit, limit, NATIVE_INFINITY);
    put_word(t, X86_AND, r->t, w, NATIVE_INFINITY);
    where(t, X86_PCMPU, r->t, native_word(NATIVE_EX2_END), 5);
    put_masked(t, X86_LOAD, d, 0, x86_reg(limit));
    nan_where_operand_is(t, i);
}

static void function(const struct table_builder *t, enum native_table which)
{
    static void (*const rare[])(const struct table_builder *, unsigned) = {rare_rcp, rare_rsq, rare_ex2};
    const struct registers *r = t->r;
    unsigned m[2] = {0, 0};
    size_t jump = 0, back;

    for (unsigned i = 0; i < r->n; i++)
        m[i] = reduced(t, which, i);
    if (r->n == 2) {
        squares(t, m);
        look_up_two(t, m);
    } else {
        square_one(t, which == TABLE_EX2 ? m[0] : r->w[0]);
        look_up_one(t, which == TABLE_RSQ ? reduced(t, which, 0) : m[0]);
    }
    for (unsigned i = 0; i < r->n; i++) {
        if (r->n == 2)
            take_two(t, i);
        else
            take_one(t);
        polynomial(t, i, which == TABLE_EX2 ? m[i] : r->w[i]);
        finish(t, which, i);
    }
    jump_if_rare(t, which, &jump);
    back = t->c->size;
    for (unsigned i = 0; i < r->n; i++)
        move(t, r->w[i], r->c0[i]);
    if (!t->c->avx2)
        put_word(t, X86_BROADCAST, NATIVE_NAN, 0, NATIVE_MAGNITUDE + 1);
    x86_return(t->c);
    x86_bind(t->c, &jump);
    for (unsigned i = 0; i < r->n; i++)
        rare[which](t, i);
    x86_jump_to(t->c, X86_JMP, back);
}

/* ---- for those who call them --------------------------------------------------------------------------------------------- */

static size_t new_function(struct native_builder *b, enum native_table which)
{
    struct table_builder t = {.c = &b->code, .k = &kinds[which], .r = b->code.avx2 ? &avx2 : &avx512};
    size_t start;

    if (!b->code.avx2 && !b->mixed) {
        align(t.c);
        b->mixed = t.c->size;
        put_mixed(t.c);
    }
    t.mixed = b->mixed;
    align(t.c);
    t.table = t.c->size;
    for (unsigned i = 0; i < 4 && !t.c->avx2; i++)
        put_halves(t.c, t.k, i);
    if (t.c->avx2)
        put_rows(t.c, t.k);
    start = t.c->size;
    function(&t, which);
    return start;
}

void eval_native_find_tables(struct native_builder *b)
{
    for (uint32_t i = 0; i < b->x->nsteps; i++) {
        int which = eval_native_table(b->x, &b->x->steps[i]);
        if (which >= 0 && !b->table[which])
            b->table[which] = new_function(b, (enum native_table)which);
    }
}

void eval_native_call_table(struct native_builder *b, enum native_table which)
{
    x86_call_to(&b->code, b->table[which]);
}
