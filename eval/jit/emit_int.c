/* Operations of integers that take several instructions of the processor. */
#include "eval/jit/jit_internal.h"

#include "asm/isa.h"

enum { A = NATIVE_OPERAND, B = NATIVE_OPERAND + 1, C = NATIVE_OPERAND + 2, T = NATIVE_TEMP, U = NATIVE_TEMP + 1 };

static void put(struct x86_code *c, uint32_t code, unsigned d, unsigned a, struct x86_place b, unsigned mask)
{
    x86_vector(c, code, d, a, b, mask, 0);
}

static void shift(struct x86_code *c, unsigned way, unsigned d, unsigned a, unsigned bits, unsigned mask)
{
    if (bits)
        x86_vector(c, X86_SHIFT, way, d, x86_reg(a), mask, (uint8_t)bits);
    else if (d != a)
        put(c, X86_LOAD, d, 0, x86_reg(a), mask);
}

/* The upper words of products: those of words with even numbers, and the others brought to their places. */
static void upper(struct x86_code *c, const struct native_call *call, uint32_t multiply)
{
    unsigned a = eval_native_register(c, &call->src[0], 0), b = eval_native_register(c, &call->src[1], 1);

    put(c, multiply, T, a, x86_reg(b), 0);
    x86_vector(c, X86_SHIFT64, X86_SHR, T, x86_reg(T), 0, 32);
    x86_vector(c, X86_SHIFT64, X86_SHR, U, x86_reg(a), 0, 32);
    x86_vector(c, X86_SHIFT64, X86_SHR, B, x86_reg(b), 0, 32);
    put(c, multiply, U, U, x86_reg(B), 0);
    x86_vector(c, X86_SHIFT64, X86_SHR, U, x86_reg(U), 0, 32);
    x86_vector(c, X86_SHIFT64, X86_SHL, U, x86_reg(U), 0, 32);
    put(c, X86_OR, call->d, T, x86_reg(U), call->mask);
}

/* Of the low 24 bits. */
static void product_24(struct x86_code *c, const struct native_call *call, unsigned way)
{
    for (unsigned k = 0; k < 2; k++) {
        shift(c, X86_SHL, T + k, eval_native_register(c, &call->src[k], k), 8, 0);
        shift(c, way, T + k, T + k, 8, 0);
    }
    put(c, X86_PMUL, call->d, T, x86_reg(U), call->mask);
}

static void distance(struct x86_code *c, const struct native_call *call, uint32_t most, uint32_t least)
{
    unsigned a = eval_native_register(c, &call->src[0], 0);

    put(c, most, T, a, call->src[1], 0);
    put(c, least, U, a, call->src[1], 0);
    put(c, X86_PSUB, T, T, x86_reg(U), 0);
    put(c, X86_PADD, call->d, T, call->src[2], call->mask);
}

/* ---- counts and searches ------------------------------------------------------------------------------- */

static void put_word(struct x86_code *c, uint32_t code, unsigned d, unsigned a, enum native_word w)
{
    put(c, code, d, a, native_word(w), 0);
}

/* The ones in T. */
static void count_ones(struct x86_code *c)
{
    shift(c, X86_SHR, U, T, 1, 0);
    put_word(c, X86_AND, U, U, NATIVE_FIVES);
    put(c, X86_PSUB, T, T, x86_reg(U), 0);
    shift(c, X86_SHR, U, T, 2, 0);
    put_word(c, X86_AND, U, U, NATIVE_THREES);
    put_word(c, X86_AND, T, T, NATIVE_THREES);
    put(c, X86_PADD, T, T, x86_reg(U), 0);
    shift(c, X86_SHR, U, T, 4, 0);
    put(c, X86_PADD, T, T, x86_reg(U), 0);
    put_word(c, X86_AND, T, T, NATIVE_LOW_NIBBLES);
    put_word(c, X86_PMUL, T, T, NATIVE_BYTES);
    shift(c, X86_SHR, T, T, 24, 0);
}

static void lowest(struct x86_code *c, unsigned a)
{
    put(c, X86_XOR, T, T, x86_reg(T), 0);
    put(c, X86_PSUB, T, T, x86_reg(a), 0);
    put(c, X86_AND, T, T, x86_reg(a), 0);
    put_word(c, X86_PSUB, T, T, NATIVE_UNIT);
    count_ones(c);
    put(c, X86_NONE, NATIVE_K, a, x86_reg(a), 0);
    put(c, X86_BROADCAST, T, 0, native_word(NATIVE_ALL_ONES), NATIVE_K);
}

static void highest(struct x86_code *c, unsigned a, bool is_signed)
{
    if (is_signed) {
        shift(c, X86_SAR, T, a, 31, 0);
        put(c, X86_XOR, T, T, x86_reg(a), 0);
        a = T;
    }
    if (!c->avx2) {
        put(c, X86_LEADING, U, 0, x86_reg(a), 0);
        put_word(c, X86_BROADCAST, T, 0, NATIVE_31);
        put(c, X86_PSUB, T, T, x86_reg(U), 0);
        return;
    }
    for (unsigned bits = 1; bits < 32; bits *= 2) {     /* ones in all places below */
        shift(c, X86_SHR, U, a, bits, 0);
        put(c, X86_OR, T, a, x86_reg(U), 0);
        a = T;
    }
    count_ones(c);
    put_word(c, X86_PSUB, T, T, NATIVE_UNIT);
}

/* Neighbours change places: bits, pairs of them, and so on. */
static void reversed(struct x86_code *c, unsigned a)
{
    static const uint16_t below[] = {NATIVE_FIVES, NATIVE_THREES, NATIVE_LOW_NIBBLES, NATIVE_EVEN_BYTES,
                                     NATIVE_LOW_HALF};

    for (unsigned i = 0; i < sizeof below / sizeof *below; i++) {
        shift(c, X86_SHR, U, a, 1u << i, 0);
        put_word(c, X86_AND, U, U, below[i]);
        put_word(c, X86_AND, T, a, below[i]);
        shift(c, X86_SHL, T, T, 1u << i, 0);
        put(c, X86_OR, T, T, x86_reg(U), 0);
        a = T;
    }
}

static void search(struct x86_code *c, enum native_integer what, const struct native_call *call)
{
    unsigned a = eval_native_register(c, &call->src[0], 0);

    if (what == WORD_REVERSED) {
        reversed(c, a);
    } else if (what == WORD_LOWEST) {
        lowest(c, a);
    } else if (what == WORD_COUNT) {
        put(c, X86_LOAD, T, 0, x86_reg(a), 0);
        count_ones(c);
    } else {
        highest(c, a, what == WORD_HIGHEST_SIGNED);
    }
    put(c, X86_LOAD, call->d, 0, x86_reg(T), call->mask);
}

/* ---- bit fields ---------------------------------------------------------------------------------------- */

/* Shifts by more than 31 leave nothing, or the sign. */
void eval_native_field(struct x86_code *c, enum native_field what, const struct native_call *call,
                       struct x86_place base)
{
    unsigned a = eval_native_register(c, &call->src[0], 2);

    put_word(c, X86_AND, A, A, NATIVE_255);
    put_word(c, X86_AND, B, B, NATIVE_255);
    if (what == FIELD_SIGNED) {         /* its last bit becomes the word's, and then its first one the word's first */
        put(c, X86_PADD, T, A, x86_reg(B), 0);
        put_word(c, X86_PSUB, T, T, NATIVE_UNIT);
        put_word(c, X86_PMINU, T, T, NATIVE_31);
        put_word(c, X86_XOR, T, T, NATIVE_31);
        put(c, X86_SHLV, U, a, x86_reg(T), 0);
        put(c, X86_PADD, T, T, x86_reg(B), 0);
        put(c, X86_SARV, U, U, x86_reg(T), 0);
        put(c, X86_NONE, NATIVE_K, A, x86_reg(A), 0);
        put(c, X86_BROADCAST, U, 0, native_word(NATIVE_ZERO), NATIVE_K);
        put(c, X86_LOAD, call->d, 0, x86_reg(U), call->mask);
        return;
    }
    put_word(c, X86_BROADCAST, T, 0, NATIVE_UNIT);
    put(c, X86_SHLV, T, T, x86_reg(A), 0);
    put_word(c, X86_PSUB, T, T, NATIVE_UNIT);
    if (what == FIELD_TAKEN) {
        put(c, X86_SHRV, U, a, x86_reg(B), 0);
        put(c, X86_AND, call->d, T, x86_reg(U), call->mask);
        return;
    }
    put(c, X86_SHLV, T, T, x86_reg(B), 0);
    put(c, X86_SHLV, U, a, x86_reg(B), 0);
    put(c, base.kind == X86_SPREAD ? X86_BROADCAST : X86_LOAD, A, 0, base, 0);
    put(c, X86_XOR, U, U, x86_reg(A), 0);       /* the base, but what differs from it under the mask */
    put(c, X86_AND, U, U, x86_reg(T), 0);
    put(c, X86_XOR, call->d, A, x86_reg(U), call->mask);
}

void eval_native_integer(struct x86_code *c, enum native_integer what, const struct native_call *call)
{
    switch (what) {
    case WORD_COUNT: case WORD_LOWEST: case WORD_HIGHEST: case WORD_HIGHEST_SIGNED:
    case WORD_REVERSED: search(c, what, call); break;
    case WORD_UPPER: upper(c, call, X86_PMULU64); break;
    case WORD_UPPER_SIGNED: upper(c, call, X86_PMULS64); break;
    case WORD_24: product_24(c, call, X86_SHR); break;
    case WORD_24_SIGNED: product_24(c, call, X86_SAR); break;
    case WORD_QUOTIENT: case WORD_QUOTIENT_SIGNED: case WORD_REMAINDER:
    case WORD_REMAINDER_SIGNED: eval_native_quotient(c, what, call); break;
    case WORD_DISTANCE: distance(c, call, X86_PMAXU, X86_PMINU); break;
    case WORD_DISTANCE_SIGNED: distance(c, call, X86_PMAXS, X86_PMINS); break;
    }
}

static unsigned way_of(uint8_t type)
{
    return type_table[type].is_signed ? X86_SAR : X86_SHR;
}

/* The operand's bits, extended, of which the result's are extended again. A float: of the extended operand. */
void eval_native_small(struct x86_code *c, uint8_t to, uint8_t from, const struct native_call *call)
{
    unsigned a = eval_native_register(c, &call->src[0], 0), bits = 8u * type_table[from].bytes,
             kept = 8u * type_table[to].bytes;

    if (type_table[to].is_float) {
        shift(c, X86_SHL, T, a, 32 - bits, 0);
        shift(c, way_of(from), T, T, 32 - bits, 0);
        put(c, X86_FROM_S32, call->d, 0, x86_reg(T), call->mask);
    } else if (kept <= bits) {
        shift(c, X86_SHL, T, a, 32 - kept, 0);
        shift(c, way_of(to), call->d, T, 32 - kept, call->mask);
    } else {
        shift(c, X86_SHL, T, a, 32 - bits, 0);
        shift(c, way_of(from), T, T, kept - bits, 0);
        shift(c, way_of(to), call->d, T, 32 - kept, call->mask);
    }
}
