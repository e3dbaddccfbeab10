/* Tables of segments of functions in machine code: what is looked up in them, and the truncated square of the rest.
 * With AVX-512 for two vectors at once, whose halves of words share registers; with AVX2 for one. */
#include "eval/jit/emit_sfu.h"

/* ---- tables ------------------------------------------------------------------------------------------------- */

static void align(struct x86_code *c)
{
    while (c->size % 64 && !c->failed)
        x86_bytes(c, "", 1);
}

static uint32_t first_word(const struct kind *k, const struct sfu_row *row)
{
    unsigned halved = k->bits == 17;
    /* Moved up by 2^32 less 2^16, so that it is not below 0. */
    int64_t moved = k->falls ? (0x100000000 - 0x10000) >> (k->cut - halved) : 0;

    if (!k->cut)
        return (uint32_t)row->c0;
    return (uint32_t)row->c0 + (uint32_t)((k->offset - moved) * (1 << (k->cut - k->scale)));
}

static void put_halves(struct x86_code *c, const struct kind *k, unsigned which)
{
    uint8_t *to = x86_next(c, 2 * k->segments);

    for (unsigned i = 0; to && i < k->segments; i++) {
        uint32_t c0 = first_word(k, &k->rows[i]);
        int32_t c1 = k->rows[i].c1;
        const uint16_t of[] = {(uint16_t)c0, (uint16_t)(c0 >> 16), (uint16_t)(c1 < 0 ? -c1 : c1),
                               (uint16_t)(k->rows[i].c2 * k->times)};
        to[2 * i] = (uint8_t)of[which];
        to[2 * i + 1] = (uint8_t)(of[which] >> 8);
    }
    c->size += to ? 2 * k->segments : 0;
}

/* 256 rows, for what stands in an operand's bits from 16 on. Where c1 is negative x is a signed half of a word, and so
 * is c1 with 2^15 more: the first word has all that does not depend on x, but for what is above 32 bits. */
static void put_rows(struct x86_code *c, const struct kind *k)
{
    uint32_t words[512];

    for (unsigned i = 0; i < 256; i++) {
        unsigned more = k->bits - 16, at = k->falls && more ? i ^ 128 : i;   /* RSQ's begin with the odd exponents */
        const struct sfu_row *row = &k->rows[(at >> more) % k->segments];
        uint32_t c1 = (uint32_t)(k->falls || row->c1 >= 0 ? row->c1 : -row->c1);

        words[2 * i] = first_word(k, row);
        if (k->falls) {
            c1 += 0x8000;
            words[2 * i] = ((uint32_t)row->c0 << k->scale) + native_words[k->bias] + (1u << k->bits) +
                           c1 * ((at & more) << 16 | 0x8000) +
                           (more ? 0 : (at & 1) << 31);     /* what the shifted operand has of the segment */
        }
        words[2 * i + 1] = (uint32_t)(row->c2 * k->times) << 16 | (c1 & 0xffff);
    }
    x86_bytes(c, words, sizeof words);
}

/* Shuffles: byte 1 of a word into each of its bytes, and byte 0. */
static void put_shuffles(struct x86_code *c)
{
    for (unsigned i = 0; i < 16; i++)
        x86_word(c, (i % 4 * 4 + (i < 8)) * 0x01010101);
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

/* ---- AVX-512: two vectors ----------------------------------------------------------------------------------- */

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

/* Of 16 bits z of each x, but for the last: with h the upper eight and l the next seven, h * h / 2, and for bit i of h,
 * from 1 on, l / 2^(7 - i). */
static void square_two(const struct table_builder *t, const unsigned m[2])
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

/* ---- AVX2: one vector --------------------------------------------------------------------------------------- */

static struct x86_place shuffle(const struct table_builder *t, unsigned i)
{
    return (struct x86_place){X86_VECTOR, (uint32_t)t->mixed + 32 * i};
}

void native_hold_square(const struct table_builder *t)
{
    t->c->nheld = 0;
    for (unsigned i = 0; i < 2; i++)
        x86_avx2_hold(t->c, shuffle(t, i));
    for (unsigned i = 0; i < 5; i++)
        x86_avx2_hold(t->c, native_word(NATIVE_SQUARE_UNIT + i));
}

/* h and l, without the last bit of h, are in each byte of a word, of which each takes one bit of h and what it meets of
 * l. The square is in the high half of a word; what is below is not said. */
static void square_one(const struct table_builder *t, unsigned m)
{
    const struct registers *r = t->r;
    unsigned a = r->a, b = r->b, l = r->square, high = r->c0[0];

    shift(t, X86_SHIFT, X86_SHR, a, m, t->k->bits - 15);
    put_word(t, X86_AND, high, a, NATIVE_SQUARE_HIGH);
    put(t, X86_DOT, high, high, x86_reg(high));
    put(t, X86_SHUFFLEB, b, a, shuffle(t, 0));
    put(t, X86_SHUFFLEB, l, a, shuffle(t, 1));
    put_word(t, X86_AND, a, b, NATIVE_SQUARE_BITS);
    put_word(t, X86_AND, X86_AVX2_SCRATCH, l, NATIVE_SQUARE_BITS + 1);
    put(t, X86_DOTB, a, a, x86_reg(X86_AVX2_SCRATCH));
    put_word(t, X86_AND, b, b, NATIVE_SQUARE_BITS + 2);
    put_word(t, X86_AND, l, l, NATIVE_SQUARE_BITS + 3);
    put(t, X86_DOTB, b, b, x86_reg(l));
    put(t, X86_PADDW, a, a, x86_reg(b));
    put_word(t, X86_DOT, a, a, NATIVE_SQUARE_UNIT);
    put(t, X86_PADD, a, a, x86_reg(high));
    shift(t, X86_SHIFT, X86_SHL, r->square, a, 1);
}

/* Where c1 is negative c1 and c2 are taken at once, of x and the square. */
static void take_one(const struct table_builder *t)
{
    const struct registers *r = t->r;

    if (t->k->falls) {
        x86_vector(t->c, X86_BLENDW, r->b, r->square, x86_reg(r->w[0]), 0, 0x55);
        put_word(t, X86_XOR, r->b, r->b, NATIVE_TWO_15);
        put(t, X86_DOT, r->b, r->b, x86_reg(r->a));
        return;
    }
    put_word(t, X86_AND, r->b, r->a, NATIVE_HIGH_HALF);
    put(t, X86_DOT, r->b, r->b, x86_reg(r->square));
    put_word(t, X86_AND, r->a, r->a, NATIVE_LOW_HALF);
}

/* ---- either ------------------------------------------------------------------------------------------------- */

void native_put_tables(struct native_builder *b, struct table_builder *t)
{
    if (!b->mixed) {
        align(t->c);
        b->mixed = t->c->size;
        (b->code.avx2 ? put_shuffles : put_mixed)(t->c);
    }
    t->mixed = b->mixed;
    align(t->c);
    t->table = t->c->size;
    for (unsigned i = 0; i < 4 && !t->c->avx2; i++)
        put_halves(t->c, t->k, i);
    if (t->c->avx2)
        put_rows(t->c, t->k);
}

void native_look_up(const struct table_builder *t, const unsigned segment[2])
{
    if (t->c->avx2)
        x86_avx2_rows(t->c, segment[0] != t->r->w[0], t->r->c0[0], t->r->a);
    else
        look_up_two(t, segment);
}

void native_square(const struct table_builder *t, const unsigned x[2])
{
    if (t->c->avx2)
        square_one(t, x[0]);
    else
        square_two(t, x);
}

void native_take(const struct table_builder *t, unsigned i)
{
    if (t->c->avx2)
        take_one(t);
    else
        take_two(t, i);
}
