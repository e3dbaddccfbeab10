/* Values of the subgroup operations' second model, and its reductions and scans. */
#include "tests/oracle/subgroup_internal.h"

#include <math.h>
#include <string.h>

/* ---- values -------------------------------------------------------------------------------------------- */

static int width_of(enum gp5_subgroup_type type)
{
    switch (type) {
    case GP5_SUBGROUP_BOOL: case GP5_SUBGROUP_I8: case GP5_SUBGROUP_U8: return 8;
    case GP5_SUBGROUP_I16: case GP5_SUBGROUP_U16: case GP5_SUBGROUP_F16: return 16;
    case GP5_SUBGROUP_I32: case GP5_SUBGROUP_U32: case GP5_SUBGROUP_F32: return 32;
    default: return 64;
    }
}

bool model_is_float(enum gp5_subgroup_type type)
{
    return type == GP5_SUBGROUP_F16 || type == GP5_SUBGROUP_F32 || type == GP5_SUBGROUP_F64;
}

/* Little-endian or not: bytes are read as the machine has them. */
uint64_t model_raw(const struct scene *s, unsigned component, int lane)
{
    size_t at = (size_t)component * (size_t)s->size + (size_t)lane;
    switch (width_of(s->in->type)) {
    case 8: {
        uint8_t v = ((const uint8_t *)s->in->value)[at];
        return s->in->type == GP5_SUBGROUP_BOOL ? !!v : v;
    }
    case 16: { uint16_t v; memcpy(&v, (const char *)s->in->value + 2 * at, 2); return v; }
    case 32: { uint32_t v; memcpy(&v, (const char *)s->in->value + 4 * at, 4); return v; }
    default: { uint64_t v; memcpy(&v, (const char *)s->in->value + 8 * at, 8); return v; }
    }
}

/* IEEE 754 by the book: sign, exponent, fraction. */
double model_float(enum gp5_subgroup_type type, uint64_t bits)
{
    int f = type == GP5_SUBGROUP_F16 ? 10 : type == GP5_SUBGROUP_F32 ? 23 : 52, e = width_of(type) - 1 - f;
    int bias = (1 << (e - 1)) - 1, exponent = (int)(bits >> f & ((1u << e) - 1));
    double fraction = (double)(bits & ((UINT64_C(1) << f) - 1)), sign = bits >> (width_of(type) - 1) & 1 ? -1 : 1;

    if (exponent == (1 << e) - 1)
        return fraction != 0 ? NAN : sign * INFINITY;
    if (exponent == 0)
        return sign * ldexp(fraction, 1 - bias - f);
    return sign * ldexp(ldexp(1, f) + fraction, exponent - bias - f);
}

/* The nearest number of the format, ties to the even one, as bits. */
static uint64_t encode(enum gp5_subgroup_type type, double x)
{
    int f = type == GP5_SUBGROUP_F16 ? 10 : type == GP5_SUBGROUP_F32 ? 23 : 52, e = width_of(type) - 1 - f;
    int bias = (1 << (e - 1)) - 1, exponent;
    uint64_t sign = signbit(x) ? UINT64_C(1) << (width_of(type) - 1) : 0, top = (UINT64_C(1) << e) - 1;
    double unit;

    if (isnan(x))
        return top << f | UINT64_C(1) << (f - 1);
    x = fabs(x);
    if (x == 0)
        return sign;
    if (isinf(x))
        return sign | top << f;
    frexp(x, &exponent);
    exponent -= 1;
    if (exponent < 1 - bias)
        exponent = 1 - bias;
    unit = ldexp(x, f - exponent);      /* in units of the last place: exact */
    unit = nearbyint(unit);
    if (unit >= ldexp(1, f + 1)) {
        unit /= 2;
        exponent++;
    }
    if (exponent > bias)
        return sign | top << f;
    if (unit < ldexp(1, f))
        return sign | (uint64_t)unit;
    return sign | (uint64_t)(exponent + bias) << f | ((uint64_t)unit - (UINT64_C(1) << f));
}

uint64_t model_float_step(bool multiply, enum gp5_subgroup_type type, uint64_t a, uint64_t b)
{
    double x = model_float(type, a), y = model_float(type, b);
    return encode(type, multiply ? x * y : x + y);
}

static int64_t as_signed(enum gp5_subgroup_type type, uint64_t bits)
{
    switch (type) {
    case GP5_SUBGROUP_I8: return (int8_t)bits;
    case GP5_SUBGROUP_I16: return (int16_t)bits;
    case GP5_SUBGROUP_I32: return (int32_t)bits;
    default: return (int64_t)bits;
    }
}

static uint64_t cut(enum gp5_subgroup_type type, uint64_t bits)
{
    int w = width_of(type);
    return w == 64 ? bits : bits & ((UINT64_C(1) << w) - 1);
}

/* ---- arithmetic ---------------------------------------------------------------------------------------- */

/* The 49 operations stand in the enumeration by operator, then by form. */
bool model_arithmetic_of(enum gp5_subgroup_op op, enum kind *kind, enum form *form)
{
    int n = (int)op - (int)GP5_SUBGROUP_DO_ADD;
    if (n < 0 || n > (int)GP5_SUBGROUP_DO_PARTITIONED_EXCLUSIVE_XOR - (int)GP5_SUBGROUP_DO_ADD)
        return false;
    *kind = (enum kind)(n / 7);
    *form = (enum form)(n % 7);
    return true;
}

static uint64_t start_value(enum kind kind, enum gp5_subgroup_type type)
{
    bool is_signed = type == GP5_SUBGROUP_I8 || type == GP5_SUBGROUP_I16 || type == GP5_SUBGROUP_I32
                     || type == GP5_SUBGROUP_I64;
    int w = width_of(type);

    if (model_is_float(type))
        return encode(type, kind == ADD ? 0.0 : kind == MUL ? 1.0 : kind == MIN ? INFINITY : -INFINITY);
    if (type == GP5_SUBGROUP_BOOL)
        return kind == AND;
    switch (kind) {
    case MUL: return 1;
    case MIN: return is_signed ? (UINT64_C(1) << (w - 1)) - 1 : cut(type, UINT64_MAX);
    case MAX: return is_signed ? UINT64_C(1) << (w - 1) : 0;
    case AND: return cut(type, UINT64_MAX);
    default: return 0;
    }
}

static uint64_t two(enum kind kind, enum gp5_subgroup_type type, uint64_t a, uint64_t b)
{
    if (kind == AND)
        return a & b;
    if (kind == OR)
        return a | b;
    if (kind == XOR)
        return a ^ b;
    if (model_is_float(type) && kind <= MUL)
        return model_float_step(kind == MUL, type, a, b);
    if (kind == ADD)
        return cut(type, a + b);
    if (kind == MUL)
        return cut(type, a * b);
    if (model_is_float(type)) {       /* no NaN comes here; of zeros min takes -0, max +0 */
        double x = model_float(type, a), y = model_float(type, b);
        bool a_first = x < y || (x == y && signbit(x));
        return (kind == MIN) == a_first ? a : b;
    }
    if (type == GP5_SUBGROUP_U8 || type == GP5_SUBGROUP_U16 || type == GP5_SUBGROUP_U32 || type == GP5_SUBGROUP_U64)
        return (kind == MIN) == (a < b) ? a : b;
    return (kind == MIN) == (as_signed(type, a) < as_signed(type, b)) ? a : b;
}

/* The value of rank r after the steps of 1, 2 ... 2^(k-1). */
static uint64_t doubled(enum kind kind, enum gp5_subgroup_type type, const uint64_t *x, int r, int k)
{
    int reach = k ? 1 << (k - 1) : 0;
    uint64_t own;
    if (!k)
        return x[r];
    own = doubled(kind, type, x, r, k - 1);
    return r < reach ? own : two(kind, type, own, doubled(kind, type, x, r - reach, k - 1));
}

static uint64_t reduced(enum kind kind, const struct scene *s, uint64_t *x, int n)
{
    int k = 0;
    uint64_t sum;

    if (s->in->order == GP5_SUBGROUP_DOUBLING) {
        while (1 << k < n)
            k++;
        return doubled(kind, s->in->type, x, n - 1, k);
    }
    sum = x[0];
    for (int i = 1; i < n; i++)
        sum = two(kind, s->in->type, sum, x[i]);
    return sum;
}

void model_arithmetic(const struct scene *s, unsigned component, int self, enum kind kind, enum form form,
                       struct model_answer *a)
{
    uint64_t x[LANES + 1];
    int n = 0, seen = 0, cluster = form == CLUSTERED ? (int)s->in->cluster : s->size;
    bool partitioned = form >= PARTITIONED;
    bool inclusive = form == INCLUSIVE || form == PARTITIONED_INCLUSIVE;
    bool exclusive = form == EXCLUSIVE || form == PARTITIONED_EXCLUSIVE;
    int from = self / cluster * cluster, to = inclusive ? self + 1 : exclusive ? self : from + cluster;

    if (exclusive && s->in->order == GP5_SUBGROUP_DOUBLING)
        x[n++] = start_value(kind, s->in->type);
    for (int i = from; i < to; i++) {
        uint64_t v;
        if (!s->here[i] || (partitioned && !in_ballot(&s->in->ballot[self], i)))
            continue;
        seen++;
        v = model_raw(s, component, i);
        if (model_is_float(s->in->type) && (kind == MIN || kind == MAX) && isnan(model_float(s->in->type, v)))
            continue;           /* the other is chosen */
        x[n++] = v;
    }
    if (!seen)
        a->bits = start_value(kind, s->in->type);
    else if (n == (exclusive && s->in->order == GP5_SUBGROUP_DOUBLING ? 1 : 0))
        model_fail(a, GP5_SUBGROUP_ALL_NAN, NOBODY);
    else
        a->bits = reduced(kind, s, x, n);
    if (model_is_float(s->in->type) && !a->reason && isnan(model_float(s->in->type, a->bits)))
        a->bits = encode(s->in->type, NAN);
}
