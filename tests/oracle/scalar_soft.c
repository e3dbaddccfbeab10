#include "tests/oracle/scalar_soft.h"

typedef unsigned __int128 wide;

static int top_bit(wide sig)
{
    uint64_t high = (uint64_t)(sig >> 64), low = (uint64_t)sig;
    return high != 0 ? 127 - __builtin_clzll(high) : low != 0 ? 63 - __builtin_clzll(low) : -1;
}

/* Shifted right, with the lost bits gathered in the last one. */
static wide jam(wide sig, int shift)
{
    if (shift <= 0)
        return sig << -shift;
    if (shift > 127)
        return sig != 0;
    return sig >> shift | ((sig & (((wide)1 << shift) - 1)) != 0);
}

static int precision_of(int bits)
{
    return bits == 16 ? 11 : bits == 32 ? 24 : 53;
}

static int least_exponent(int bits)
{
    return bits == 16 ? -24 : bits == 32 ? -149 : -1074;
}

static int exponents(int bits)
{
    return bits == 16 ? 31 : bits == 32 ? 255 : 2047;
}

struct soft soft_unpack(uint64_t word, int bits, bool flush)
{
    int fraction_bits = precision_of(bits) - 1;
    uint64_t fraction = word & ((1ull << fraction_bits) - 1);
    int e = (int)(word >> fraction_bits & (uint64_t)exponents(bits));
    struct soft x = {.kind = SOFT_NUMBER, .negative = word >> (bits - 1) & 1, .exp = least_exponent(bits)};

    if (e == exponents(bits)) {
        x.kind = fraction != 0 ? SOFT_NAN : SOFT_INFINITY;
    } else if (e == 0) {
        x.sig = flush ? 0 : fraction;
    } else {
        x.sig = fraction | 1ull << fraction_bits;
        x.exp += e - 1;
    }
    return x;
}

static bool grows(enum soft_mode mode, bool negative, bool odd, int half, bool inexact)
{
    switch (mode) {
    case SOFT_NEAREST: return half > 0 || (half == 0 && odd);
    case SOFT_UP: return inexact && !negative;
    case SOFT_DOWN: return inexact && negative;
    default: return false;
    }
}

/* sig * 2^exp to a multiple of 2^unit. */
static wide to_unit(struct soft x, int unit, enum soft_mode mode)
{
    int shift = unit - x.exp;
    if (shift <= 0)
        return x.sig << -shift;
    if (shift > 126)
        return grows(mode, x.negative, false, -1, x.sig != 0);
    wide kept = x.sig >> shift, rest = x.sig - (kept << shift), tie = (wide)1 << (shift - 1);
    return kept + grows(mode, x.negative, kept & 1, rest > tie ? 1 : rest == tie ? 0 : -1, rest != 0);
}

uint64_t soft_pack(struct soft x, int bits, enum soft_mode mode, bool flush, uint64_t nan)
{
    int precision = precision_of(bits), most = exponents(bits);
    uint64_t sign = (uint64_t)x.negative << (bits - 1), infinity = (uint64_t)most << (precision - 1);

    if (x.kind == SOFT_NAN)
        return nan;
    if (x.kind == SOFT_INFINITY)
        return sign | infinity;
    if (x.sig == 0)
        return sign;
    int unit = top_bit(x.sig) + x.exp - (precision - 1);
    /* as if there were no least exponent: what is still below the range then is zero */
    if (flush) {
        wide sig = to_unit(x, unit, mode);
        if (top_bit(sig) + unit < least_exponent(bits) + precision - 1)
            return sign;
    }
    if (unit < least_exponent(bits))
        unit = least_exponent(bits);
    wide sig = to_unit(x, unit, mode);
    if (top_bit(sig) == precision)
        sig >>= 1, unit++;
    if (top_bit(sig) < precision - 1)
        return sign | (uint64_t)sig;
    int e = unit - least_exponent(bits) + 1;
    if (e >= most)
        return sign | (grows(mode, x.negative, false, 1, true) ? infinity : infinity - 1);
    return sign | ((uint64_t)e << (precision - 1)) | ((uint64_t)sig & ((1ull << (precision - 1)) - 1));
}

struct soft soft_negate(struct soft x)
{
    x.negative = !x.negative;
    return x;
}

/* With the top bit at place 120: room for a carry above, and for guards below. */
static struct soft settled(struct soft x)
{
    int up = 120 - top_bit(x.sig);
    if (x.sig != 0) {
        x.sig = jam(x.sig, -up);
        x.exp -= up;
    }
    return x;
}

struct soft soft_add(struct soft x, struct soft y)
{
    struct soft nan = {.kind = SOFT_NAN};
    if (x.kind == SOFT_NAN || y.kind == SOFT_NAN)
        return nan;
    if (x.kind == SOFT_INFINITY)
        return y.kind == SOFT_INFINITY && x.negative != y.negative ? nan : x;
    if (y.kind == SOFT_INFINITY)
        return y;
    if (x.sig == 0 && y.sig == 0) {
        x.negative = x.negative && y.negative;
        return x;
    }
    if (x.sig == 0 || y.sig == 0)
        return x.sig == 0 ? y : x;
    x = settled(x), y = settled(y);
    if (x.exp < y.exp || (x.exp == y.exp && x.sig < y.sig)) {
        struct soft swap = x;
        x = y, y = swap;
    }
    wide other = jam(y.sig, x.exp - y.exp);
    x.sig = x.negative == y.negative ? x.sig + other : x.sig - other;
    if (x.sig == 0)
        x.negative = false;
    return x;
}

struct soft soft_sub(struct soft x, struct soft y)
{
    return soft_add(x, soft_negate(y));
}

struct soft soft_mul(struct soft x, struct soft y)
{
    struct soft r = {.kind = SOFT_NUMBER, .negative = x.negative != y.negative};
    if (x.kind == SOFT_NAN || y.kind == SOFT_NAN) {
        r.kind = SOFT_NAN;
    } else if (x.kind == SOFT_INFINITY || y.kind == SOFT_INFINITY) {
        bool zero = (x.kind == SOFT_NUMBER && x.sig == 0) || (y.kind == SOFT_NUMBER && y.sig == 0);
        r.kind = zero ? SOFT_NAN : SOFT_INFINITY;
    } else {
        r.sig = x.sig * y.sig;          /* of 53 bits each at most: operands come from words */
        r.exp = x.exp + y.exp;
    }
    return r;
}

struct soft soft_div(struct soft x, struct soft y)
{
    struct soft r = {.kind = SOFT_NUMBER, .negative = x.negative != y.negative};
    bool zero = y.kind == SOFT_NUMBER && y.sig == 0;
    if (x.kind == SOFT_NAN || y.kind == SOFT_NAN || (x.kind == SOFT_INFINITY && y.kind == SOFT_INFINITY) ||
        (zero && x.kind == SOFT_NUMBER && x.sig == 0)) {
        r.kind = SOFT_NAN;
    } else if (x.kind == SOFT_INFINITY || zero) {
        r.kind = SOFT_INFINITY;
    } else if (y.kind == SOFT_NUMBER && x.sig != 0) {
        int up = 126 - top_bit(x.sig);
        wide n = x.sig << up;
        r.sig = n / y.sig | (n % y.sig != 0);
        r.exp = x.exp - up - y.exp;
    }
    return r;
}

enum soft_order soft_compare(struct soft x, struct soft y)
{
    if (x.kind == SOFT_NAN || y.kind == SOFT_NAN)
        return SOFT_UNORDERED;
    if (x.kind == SOFT_INFINITY && y.kind == SOFT_INFINITY && x.negative == y.negative)
        return SOFT_EQUAL;
    struct soft d = soft_sub(x, y);
    if (d.kind == SOFT_NUMBER && d.sig == 0)
        return SOFT_EQUAL;
    return d.negative ? SOFT_LESS : SOFT_GREATER;
}

struct soft soft_from_int(__int128 value)
{
    struct soft x = {.kind = SOFT_NUMBER, .negative = value < 0};
    x.sig = value < 0 ? 0 - (wide)value : (wide)value;
    return x;
}

struct soft soft_integral(struct soft x, enum soft_mode mode)
{
    if (x.kind == SOFT_NUMBER && x.exp < 0) {
        x.sig = to_unit(x, 0, mode);
        x.exp = 0;
    }
    return x;
}

__int128 soft_to_int(struct soft x, __int128 least, __int128 most, __int128 nan)
{
    if (x.kind == SOFT_NAN)
        return nan;
    if (x.kind == SOFT_INFINITY || (x.sig != 0 && top_bit(x.sig) + x.exp > 100))
        return x.negative ? least : most;
    __int128 v = (__int128)(x.sig << x.exp);
    v = x.negative ? -v : v;
    return v < least ? least : v > most ? most : v;
}

uint32_t soft_narrowed(uint64_t single)
{
    return (uint32_t)soft_pack(soft_unpack(single & 0xffffffff, 32, false), 16, SOFT_NEAREST, false, 0x7fff);
}

uint32_t soft_widened(uint64_t half)
{
    return (uint32_t)soft_pack(soft_unpack(half & 0xffff, 16, false), 32, SOFT_NEAREST, false, 0x7fffffff);
}
