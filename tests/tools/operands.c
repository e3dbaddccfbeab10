#include "tests/tools/operands.h"

#include <stdbool.h>
#include <string.h>

/* Zeros, denormals around the ends of their range, the smallest and largest normals, ones and their
 * neighbours, halves and integers, the limits of the integer types, infinities, quiet and signalling NaNs
 * of both signs. */
const uint32_t nasty_f32[NASTY_COUNT] = {
    0x00000000, 0x80000000, 0x00000001, 0x80000001, 0x007fffff, 0x807fffff, 0x00800000, 0x80800000,
    0x00800001, 0x00ffffff, 0x01000000, 0x33800000, 0x34000000, 0x3effffff, 0x3f000000, 0xbf000000,
    0x3f000001, 0x3f7fffff, 0x3f800000, 0xbf800000, 0x3f800001, 0xbf800001, 0x3fc00000, 0xbfc00000,
    0x40000000, 0x40200000, 0x40490fdb, 0x42fe0000, 0x43000000, 0xc3000000, 0x437f0000, 0x477fe000,
    0x47800000, 0x4b7fffff, 0x4b800001, 0x4effffff, 0x4f000000, 0xcf000000, 0x4f800000, 0x5f000000,
    0x7e800000, 0x7f7fffff, 0xff7fffff, 0x7f800000, 0xff800000, 0x7fc00000, 0xffc12345, 0x7fa00001,
};

const uint32_t nasty_i32[NASTY_COUNT] = {
    0x00000000, 0x00000001, 0xffffffff, 0x00000002, 0xfffffffe, 0x00000003, 0xfffffffd, 0x00000007,
    0x0000001f, 0x00000020, 0x00000021, 0x0000003f, 0x00000040, 0x0000007f, 0x00000080, 0x00000081,
    0xffffff80, 0xffffff7f, 0x000000ff, 0x00000100, 0x00007fff, 0x00008000, 0xffff8000, 0xffff7fff,
    0x0000ffff, 0x00010000, 0x00010001, 0x007fffff, 0x00800000, 0xff800000, 0xff7fffff, 0x00ffffff,
    0x01000000, 0x01000001, 0x3fffffff, 0x40000000, 0x55555555, 0xaaaaaaaa, 0x7ffffffe, 0x7fffffff,
    0x80000000, 0x80000001, 0xc0000000, 0xdeadbeef, 0x12345678, 0xfedcba98, 0x0000000a, 0xfffffff6,
};

const uint64_t nasty_f64[NASTY_COUNT] = {
    0x0000000000000000, 0x8000000000000000, 0x0000000000000001, 0x8000000000000001,
    0x000fffffffffffff, 0x800fffffffffffff, 0x0010000000000000, 0x8010000000000000,
    0x0010000000000001, 0x001fffffffffffff, 0x0020000000000000, 0x36a0000000000000,
    0x3690000000000000, 0x3810000000000000, 0x380fffffffffffff, 0x3ca0000000000000,
    0x3fdfffffffffffff, 0x3fe0000000000000, 0xbfe0000000000000, 0x3fe0000000000001,
    0x3fefffffffffffff, 0x3ff0000000000000, 0xbff0000000000000, 0x3ff0000000000001,
    0x3ff0000010000000, 0x3ff0000030000000, 0x3ff8000000000000, 0xbff8000000000000,
    0x4004000000000000, 0x400921fb54442d18, 0x405fc00000000000, 0x4060000000000000,
    0x40dfffc000000000, 0x41dfffffffc00000, 0x41e0000000000000, 0xc1e0000000200000,
    0x41efffffffe00000, 0x41f0000000000000, 0x43e0000000000000, 0xc3e0000000000000,
    0x47efffffe0000000, 0x47efffffefffffff, 0x47effffff0000000, 0x7fefffffffffffff,
    0x7ff0000000000000, 0xfff0000000000000, 0x7ff8000000000000, 0xfff4000000012345,
};

const uint64_t nasty_i64[NASTY_COUNT] = {
    0x0000000000000000, 0x0000000000000001, 0xffffffffffffffff, 0x0000000000000002,
    0xfffffffffffffffe, 0x0000000000000003, 0xfffffffffffffffd, 0x0000000000000007,
    0x000000000000000a, 0xfffffffffffffff6, 0x000000000000007f, 0x0000000000000080,
    0xffffffffffffff80, 0xffffffffffffff7f, 0x00000000000000ff, 0x0000000000000100,
    0x0000000000007fff, 0x0000000000008000, 0xffffffffffff8000, 0xffffffffffff7fff,
    0x000000000000ffff, 0x0000000000010000, 0x0000000001000001, 0x000000007fffffff,
    0x0000000080000000, 0xffffffff80000000, 0xffffffff7fffffff, 0x00000000ffffffff,
    0x0000000100000000, 0x0000000100000001, 0x00000001ffffffff, 0xffffffff00000000,
    0x0020000000000000, 0x0020000000000001, 0x0020000000000003, 0xffdfffffffffffff,
    0x3fffffffffffffff, 0x4000000000000000, 0x5555555555555555, 0xaaaaaaaaaaaaaaaa,
    0x7ffffffffffffffe, 0x7fffffffffffffff, 0x8000000000000000, 0x8000000000000001,
    0xc000000000000000, 0xdeadbeefcafef00d, 0x0123456789abcdef, 0xfedcba9876543210,
};

const struct operand_set_info operand_sets[SET_COUNT] = {
    [SET_F32] = {"f32", 1024, 0}, [SET_F32T] = {"f32t", 2048, 0}, [SET_F32U] = {"f32u", 1024, 0},
    [SET_POW] = {"pow", 2048, 0}, [SET_UNIT] = {"unit", 1024, 0}, [SET_I32] = {"i32", 1024, 0},
    [SET_I32U] = {"i32u", 1024, 0}, [SET_SHIFT] = {"shift", 1024, 0}, [SET_BITS] = {"bits", 2048, 0},
    [SET_F16U] = {"f16u", 1024, 0}, [SET_F64] = {"f64", 2048, 1}, [SET_F64U] = {"f64u", 1024, 1},
    [SET_I64] = {"i64", 2048, 1}, [SET_I64U] = {"i64u", 1024, 1}, [SET_SHIFT64] = {"shift64", 1024, 1},
};

uint64_t operand_random(uint64_t *state)
{
    uint64_t z = (*state += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

static uint32_t below(uint64_t *s, uint32_t n)
{
    return (uint32_t)((operand_random(s) >> 32) * n >> 32);
}

static uint32_t float_bits(float f)
{
    uint32_t u;
    memcpy(&u, &f, 4);
    return u;
}

static uint64_t double_bits(double f)
{
    uint64_t u;
    memcpy(&u, &f, 8);
    return u;
}

/* A float of random sign and significand with the given biased exponent (which is clamped to what there
 * is). */
static uint32_t with_exponent(uint64_t *s, int e)
{
    e = e < 0 ? 0 : e > 254 ? 254 : e;
    uint32_t r = (uint32_t)operand_random(s);
    if ((r & 0x30000000) == 0)
        r &= 0xfffff000;                    /* short significands make halfway cases */
    return (r & 0x807fffff) | (uint32_t)e << 23;
}

static uint64_t with_exponent64(uint64_t *s, int e)
{
    e = e < 0 ? 0 : e > 2046 ? 2046 : e;
    uint64_t r = operand_random(s);
    if ((r & 0x3000) == 0)
        r &= ~0xfffffffull;
    return (r & 0x800fffffffffffff) | (uint64_t)e << 52;
}

/* ---- one record of each set; i counts the records behind the nasty pairs ------------------------------- */

static void random_pair(uint64_t *s, uint32_t kind, uint32_t *a, uint32_t *b)
{
    int e = (int)below(s, 255);
    *a = with_exponent(s, e);
    switch (kind) {
    /* product near the smallest normal */
    case 0: *b = with_exponent(s, 126 - e + (int)below(s, 28)); break;
    case 1: *b = with_exponent(s, e + (int)below(s, 5) - 2); break;             /* sum cancels */
    case 2: *b = with_exponent(s, e + (int)below(s, 54) - 27); break;           /* sum rounds */
    case 3: *a = with_exponent(s, (int)below(s, 26)), *b = with_exponent(s, (int)below(s, 26)); break;
    case 4: *b = with_exponent(s, 381 - e + (int)below(s, 4) - 3); break;       /* product near the largest */
    case 5: *b = with_exponent(s, e - 1 + (int)below(s, 3)), *b = (*b & ~0x7fffffu) | (*a & 0x7fffff); break;
    default: *a = (uint32_t)operand_random(s), *b = (uint32_t)operand_random(s); break;
    }
}

static void random_triple(uint64_t *s, uint32_t kind, uint32_t *a, uint32_t *b, uint32_t *c)
{
    if (kind < 3) {
        *a = nasty_f32[below(s, NASTY_COUNT)];
        *b = nasty_f32[below(s, NASTY_COUNT)];
        *c = nasty_f32[below(s, NASTY_COUNT)];
        return;
    }
    random_pair(s, kind - 3, a, b);
    int e = (int)((*a >> 23 & 255) + (*b >> 23 & 255)) - 127;
    switch (kind) {
    case 4: *c = with_exponent(s, e + (int)below(s, 4) - 1); break;
    case 5: *c = with_exponent(s, e + (int)below(s, 60) - 30); break;
    case 6: *c = with_exponent(s, (int)below(s, 30)); break;
    /* the product's own rounding */
    case 7: {
        float x, y, p;
        memcpy(&x, a, 4), memcpy(&y, b, 4);
        p = x * y;
        *c = float_bits(p) ^ 0x80000000;
        break;
    }
    case 8: *c = with_exponent(s, 127), *a = with_exponent(s, 127), *b = with_exponent(s, 127); break;
    default: *c = with_exponent(s, (int)below(s, 255)); break;
    }
}

static uint32_t unary_f32(uint64_t *s, uint32_t i)
{
    static const int limits[] = {7, 8, 15, 16, 24, 31, 32, 63, 64};
    if (i < NASTY_COUNT)
        return nasty_f32[i];
    uint32_t sign = (uint32_t)(operand_random(s) >> 32) & 0x80000000;
    switch (i % 8) {
    case 0: return with_exponent(s, (int)(i / 8 % 255));
    case 1: return float_bits((float)below(s, 600) * 0.25f) ^ sign;
    case 2: {
        uint32_t limit = float_bits((float)(1ull << (limits[below(s, 9)] - 1)) * 2);
        return limit + below(s, 7) - 3 + sign;
    }
    case 3: return with_exponent(s, 96 + (int)below(s, 40));
    case 4: return float_bits((float)below(s, 1u << 24) * (10.0f / (1u << 24))) ^ sign;
    case 5: {
        float half = (float)(int32_t)below(s, 70000) - 0.5f;
        return float_bits(half + (float)below(s, 2) * 0.5f) ^ sign;
    }
    case 6: return with_exponent(s, 100 + (int)below(s, 64));
    default: return (uint32_t)operand_random(s);
    }
}

static uint64_t unary_f64(uint64_t *s, uint32_t i)
{
    static const int limits[] = {7, 8, 15, 16, 24, 31, 32, 63, 64};
    if (i < NASTY_COUNT)
        return nasty_f64[i];
    uint64_t sign = operand_random(s) & 0x8000000000000000;
    switch (i % 8) {
    case 0: return with_exponent64(s, (int)below(s, 2047));
    case 1: return double_bits((double)below(s, 600) * 0.25) ^ sign;
    case 2: {
        double limit = (double)(1ull << (limits[below(s, 9)] - 1)) * 2;
        return double_bits(limit + (double)below(s, 9) * 0.25 - 1) ^ sign;
    }
    case 3: return with_exponent64(s, 992 + (int)below(s, 70));
    case 4: {       /* around the halfway points of single precision, denormal ones too */
        uint64_t v = (with_exponent64(s, 870 + (int)below(s, 290)) & ~0x1fffffffull) | 0x10000000;
        return v + below(s, 3) - 1;
    }
    case 5: return with_exponent64(s, 995 + (int)below(s, 48));      /* half precision's range */
    case 6: return double_bits((double)(int32_t)below(s, 70000) - 0.5) ^ sign;
    default: return operand_random(s);
    }
}

static uint32_t unary_i32(uint64_t *s, uint32_t i)
{
    static const int limits[] = {7, 8, 15, 16, 23, 24, 31, 32};
    if (i < NASTY_COUNT)
        return nasty_i32[i];
    uint32_t r = (uint32_t)operand_random(s);
    switch (i % 4) {
    case 0: {
        int n = limits[below(s, 8)];
        uint32_t v = (n == 32 ? 0 : 1u << n) + below(s, 7) - 3;
        return r & 0x100 ? 0 - v : v;
    }
    case 1: return (r & 0xffff0000) | (nasty_i32[below(s, NASTY_COUNT)] & 0xffff);
    case 2: return r >> (r & 31);
    default: return r;
    }
}

static uint64_t unary_i64(uint64_t *s, uint32_t i)
{
    if (i < NASTY_COUNT)
        return nasty_i64[i];
    uint64_t r = operand_random(s);
    switch (i % 4) {
    case 0: {
        uint64_t v = 1ull << below(s, 64);
        v = v + below(s, 7) - 3;
        return r & 0x100 ? 0 - v : v;
    }
    case 1: return (r & 0xffffffff00000000) | nasty_i32[below(s, NASTY_COUNT)];
    case 2: return r >> (r & 63);
    default: return r;
    }
}

static uint32_t unit_value(uint64_t *s, uint32_t i)
{
    if (i < NASTY_COUNT)
        return nasty_f32[i];
    uint32_t sign = i & 16 ? 0x80000000 : 0;
    switch (i % 5) {
    case 0: return (float_bits(((float)(i / 5 % 256) + 0.5f) / 255.0f) + below(s, 5) - 2) ^ sign;
    case 1: return (float_bits(((float)(i / 5 % 128) + 0.5f) / 127.0f) + below(s, 5) - 2) ^ sign;
    case 2: {
        uint32_t step = float_bits(((float)below(s, 65535) + 0.5f) / 65535.0f);
        return (step + below(s, 5) - 2) ^ sign;
    }
    /* half precision's range and ends */
    case 3: return with_exponent(s, 98 + (int)below(s, 48));
    default: {
        uint32_t half = with_exponent(s, 98 + (int)below(s, 48)) & ~0xfffu;
        return half | (below(s, 3) - 1 + 0x1000);
    }
    }
}

static uint32_t half_word(uint64_t *s, uint32_t i)
{
    static const uint16_t nasty[] = {
        0x0000, 0x8000, 0x0001, 0x8001, 0x03ff, 0x83ff, 0x0400, 0x8400, 0x3bff, 0x3c00, 0xbc00, 0x3800,
            0x3e00,
        0x4100, 0x57f8, 0x7bff, 0xfbff, 0x7c00, 0xfc00, 0x7c01, 0x7e00, 0xfe01, 0xfdff, 0x7fff,
    };
    uint32_t r = (uint32_t)operand_random(s);
    return i < 48 ? (i < 24 ? 0 : r & 0xffff0000) | nasty[i % 24] : r;
}

static uint32_t shift_count(uint64_t *s, uint32_t i)
{
    static const uint32_t odd[] = {0xffffffff, 0xfffffffe, 0x80000000, 0x80000001, 0x7fffffff, 256, 257,
                                   0x10000, 0xffffffe0,
                                   0x100000001u & 0xffffffff, 288, 0xffffff00};
    if (i < 72)
        return i;
    return i < 84 ? odd[i - 72] : below(s, 8) ? below(s, 32) : (uint32_t)operand_random(s);
}

/* ---- the sets ------------------------------------------------------------------------------------------ */

static void record32(enum operand_set set, uint64_t *s, uint32_t lane, uint32_t *v)
{
    const uint32_t *nasty = set == SET_F32 || set == SET_F32T || set == SET_POW ? nasty_f32 : nasty_i32;
    bool pairs = lane < NASTY_COUNT * NASTY_COUNT / 4;

    for (uint32_t c = 0; c < 4; c++) {
        uint32_t *a = &v[c], *b = &v[4 + c], *d = &v[8 + c], i = lane * 4 + c;
        *a = nasty[i % NASTY_COUNT];
        *b = nasty[lane / (NASTY_COUNT / 4) % NASTY_COUNT];
        *d = nasty[below(s, NASTY_COUNT)];
        switch (set) {
        case SET_F32:
            if (!pairs)
                random_pair(s, (lane + c) % 8, a, b), *d = with_exponent(s, (int)below(s, 255));
            break;
        case SET_F32T:
            if (!pairs)
                random_triple(s, (lane * 3 + c) % 11, a, b, d);
            break;
        case SET_POW:
            if (!pairs) {
                *a = with_exponent(s, 120 + (int)below(s, 14));
                *b = with_exponent(s, 118 + (int)below(s, 16));
                if (lane % 8 > 1)
                    *a &= 0x7fffffff;
                if (lane % 8 == 7)
                    *b = float_bits((float)(int32_t)below(s, 21) - 10);
            }
            break;
        case SET_F32U: *a = unary_f32(s, i), *b = unary_f32(s, i + 4096), *d = unary_f32(s, i + 8192); break;
        case SET_UNIT: *a = unit_value(s, i), *b = unit_value(s, i + 4096), *d = unit_value(s, i + 8192);
            break;
        case SET_I32U: *a = unary_i32(s, i), *b = unary_i32(s, i + 4096), *d = unary_i32(s, i + 8192); break;
        case SET_F16U: *a = half_word(s, i), *b = half_word(s, i + 4096), *d = half_word(s, i + 8192); break;
        case SET_SHIFT:
            *b = shift_count(s, lane < 1008 ? lane / 12 : 4096);
            if (lane % 12 > 7)
                *a = (uint32_t)operand_random(s);
            break;
        case SET_BITS: {
            uint32_t n = lane / 2;
            static const uint32_t count[] = {0, 1, 2, 5, 8, 13, 16, 23, 24, 30, 31, 32, 33, 34, 40, 63, 64,
                                             65, 127, 128,
                                             255, 256, 257, 0x10001, 0xffffffff, 0x80000000, 0x80000001,
                                                 0x120};
            if (c == 0)
                *a = n < 784 ? count[n % 28] : n < 960 ? below(s, 34) : (uint32_t)operand_random(s);
            else if (c == 1)
                *a = n < 784 ? count[n / 28] : n < 960 ? below(s, 34) : (uint32_t)operand_random(s);
            *b = lane & 1 ? nasty_i32[below(s, NASTY_COUNT)] : (uint32_t)operand_random(s);
            *d = (uint32_t)operand_random(s);
            break;
        }
        default:
            if (!pairs) {
                uint32_t kind = (lane + c) % 4;
                *a = kind == 1 ? nasty[below(s, NASTY_COUNT)] : (uint32_t)operand_random(s);
                *b = (uint32_t)operand_random(s);
                if (kind == 2)
                    *b >>= below(s, 32);
                *d = (uint32_t)operand_random(s);
            }
        }
    }
}

static void record64(enum operand_set set, uint64_t *s, uint32_t lane, uint64_t *v)
{
    const uint64_t *nasty = set == SET_F64 ? nasty_f64 : nasty_i64;
    bool pairs = lane < NASTY_COUNT * NASTY_COUNT / 2;

    for (uint32_t c = 0; c < 2; c++) {
        uint64_t *a = &v[c], *b = &v[2 + c], *d = &v[4 + c];
        uint32_t i = lane * 2 + c;
        *a = nasty[i % NASTY_COUNT];
        *b = nasty[lane / (NASTY_COUNT / 2) % NASTY_COUNT];
        *d = nasty[below(s, NASTY_COUNT)];
        switch (set) {
        case SET_F64:
            if (!pairs) {
                int e = (int)below(s, 2047);
                static const int spread[] = {5, 106, 54, 2000};
                int width = spread[lane / 2 % 4];
                *a = with_exponent64(s, e);
                if (lane & 1)
                    *b = with_exponent64(s, 1022 - e + (int)below(s, 56));
                else
                    *b = with_exponent64(s, e + (int)below(s, (uint32_t)width) - width / 2);
                int p = (int)((*a >> 52 & 2047) + (*b >> 52 & 2047)) - 1023;
                *d = lane & 4 ? with_exponent64(s, p + (int)below(s, 108) - 54)
                    : with_exponent64(s, (int)below(s, 2047));
            }
            break;
        case SET_F64U: *a = unary_f64(s, i), *b = unary_f64(s, i + 2048), *d = unary_f64(s, i + 4096); break;
        case SET_I64U: *a = unary_i64(s, i), *b = unary_i64(s, i + 2048), *d = unary_i64(s, i + 4096); break;
        case SET_SHIFT64:
            *b = shift_count(s, lane < 1008 ? lane / 12 : 4096);
            if (lane % 84 == 80)
                *b |= operand_random(s) << 32;
            *a = lane % 12 > 3 ? operand_random(s) : nasty[below(s, NASTY_COUNT)];
            break;
        default:
            if (!pairs) {
                *a = operand_random(s);
                *b = operand_random(s);
                if (lane & 1)
                    *b >>= below(s, 64);
                *d = operand_random(s);
            }
        }
    }
}

void operand_set_fill(enum operand_set set, uint8_t *out)
{
    uint64_t state = 0x677035u + (uint64_t)set * 0x1000003u;
    for (uint32_t lane = 0; lane < operand_sets[set].lanes; lane++, out += OPERAND_RECORD) {
        union { uint32_t w[12]; uint64_t d[6]; } record;
        if (operand_sets[set].wide)
            record64(set, &state, lane, record.d);
        else
            record32(set, &state, lane, record.w);
        memcpy(out, &record, OPERAND_RECORD);
    }
}
