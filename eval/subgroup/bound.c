/* What a floating-point sum or product may be when nobody says in which order it is formed.
 *
 * A sum of n values in any order is off by at most g times the sum of their magnitudes, g = (n - 1) u / (1
 * - (n - 1) u), u half a unit of the last place of 1; a product by g times itself, unless a partial
 * product leaves the normal range. Partial results lie between the sum (product) of the negative (lesser
 * than 1) values and that of the others. */
#include "eval/subgroup/environment.h"
#include "eval/subgroup/number.h"
#include "eval/subgroup/subgroup.h"

#include <float.h>
#include <math.h>

struct format {
    int precision;              /* bits of a significand */
    int most, least;            /* exponents e of the largest and the least normal number, 2^e <= x < 2^(e + 1) */
};

static struct format format_of(enum gp5_subgroup_type type)
{
    return type == GP5_SUBGROUP_F16   ? (struct format){ 11, 15, -14 }
           : type == GP5_SUBGROUP_F32 ? (struct format){ 24, 127, -126 }
                                      : (struct format){ 53, 1023, -1022 };
}

static double largest(const struct format *f)
{
    return ldexp(2 - ldexp(1, 1 - f->precision), f->most);
}

static double growth(const struct format *f, size_t n)
{
    double steps = n > 1 ? (double)(n - 1) * ldexp(1, -f->precision) : 0;
    return steps / (1 - steps);
}

struct values {
    enum gp5_subgroup_type type;
    struct format format;
    const void *values;
    size_t count;
    unsigned infinities[2], zeros, negatives, nans, denormals;
};

static double value_at(const struct values *v, size_t i)
{
    return sub_value(v->type, sub_load(v->type, v->values, i));
}

static void classify(struct values *v)
{
    double normal = ldexp(1, v->format.least);

    for (size_t i = 0; i < v->count; i++) {
        double x = value_at(v, i);
        v->nans += x != x;
        v->infinities[x < 0] += isinf(x) != 0;
        v->zeros += x == 0;
        v->negatives += signbit(x) != 0;
        v->denormals += x != 0 && fabs(x) < normal;
    }
}

static void no_finite(struct gp5_subgroup_bound *b)
{
    b->low = 1;
    b->high = -1;
}

/* From the least set bit to the highest, and the exponent of the least. */
static int significant_bits(double x, int *least)
{
    int exponent, bits = 53;
    int64_t m = (int64_t)ldexp(frexp(fabs(x), &exponent), 53);

    while (!(m & 1)) {
        m >>= 1;
        bits--;
    }
    *least = exponent - bits;
    return bits;
}

/* Two values are rounded once, in whatever order. */
static void single_step(enum gp5_subgroup_arithmetic arithmetic, const struct values *v, struct gp5_subgroup_bound *b)
{
    uint64_t word = sub_load(v->type, v->values, 0);
    double x;

    if (v->count == 2)
        word = sub_combine(arithmetic, v->type, word, sub_load(v->type, v->values, 1));
    x = sub_value(v->type, word);
    b->exact = true;
    b->nan = x != x;
    b->plus_infinity = isinf(x) && x > 0;
    b->minus_infinity = isinf(x) && x < 0;
    if (isfinite(x))
        b->low = b->high = x;
    else
        no_finite(b);
}

static bool flush_matters(const struct values *v, unsigned flags, double low, double high)
{
    double normal = ldexp(1, v->format.least);
    return (flags & GP5_SUBGROUP_MAY_FLUSH) && (v->denormals || (low < normal && high > -normal));
}

/* ---- sums ---------------------------------------------------------------------------------------------- */

struct sum {
    double positive, negative;  /* sums of magnitudes */
    double total;               /* compensated */
    int least;                  /* exponent of the least set bit of any value */
};

static struct sum sum_of(const struct values *v)
{
    struct sum s = { 0, 0, 0, 2000 };
    double correction = 0;

    for (size_t i = 0; i < v->count; i++) {
        double x = value_at(v, i), next = s.total + x;
        int least;

        correction += fabs(s.total) >= fabs(x) ? (s.total - next) + x : (x - next) + s.total;
        s.total = next;
        *(x < 0 ? &s.negative : &s.positive) += fabs(x);
        if (x != 0) {
            significant_bits(x, &least);
            s.least = least < s.least ? least : s.least;
        }
    }
    s.total += correction;
    return s;
}

static void bound_sum(const struct values *v, unsigned flags, struct gp5_subgroup_bound *b)
{
    const struct format *f = &v->format;
    double most = largest(f), threshold = most + ldexp(1, f->most - f->precision), all, wide, radius;
    struct sum s;

    if (v->infinities[0] || v->infinities[1]) {
        no_finite(b);
        b->plus_infinity = !v->infinities[1];
        b->minus_infinity = !v->infinities[0];
        b->nan = v->infinities[0] && v->infinities[1];
        b->exact = true;
        for (size_t i = 0; i < v->count && !b->nan; i++)    /* may finite values reach the other infinity? */
            b->nan = fabs(value_at(v, i)) >= most / (double)v->count;
        b->exact = !b->nan || (v->infinities[0] && v->infinities[1]);
        return;
    }
    s = sum_of(v);
    all = s.positive + s.negative;
    wide = 1 + growth(f, v->count) + ldexp(1, -40);
    b->plus_infinity = f->precision == 53 ? s.positive * wide > most : s.positive * wide >= threshold;
    b->minus_infinity = f->precision == 53 ? s.negative * wide > most : s.negative * wide >= threshold;
    b->nan = b->plus_infinity && b->minus_infinity;
    if (!b->plus_infinity && !b->minus_infinity && (all == 0 || all < ldexp(1, s.least + f->precision))
        && !flush_matters(v, flags, ldexp(1, s.least), ldexp(1, s.least))) {
        b->exact = true;
        b->low = b->high = s.total;
        return;
    }
    radius = (growth(f, v->count) + ldexp(1, -50)) * all;
    if (flags & GP5_SUBGROUP_MAY_FLUSH)
        radius += 2 * (double)v->count * ldexp(1, f->least);
    b->low = s.total - radius < -most || !isfinite(s.total) ? -most : s.total - radius;
    b->high = s.total + radius > most || !isfinite(s.total) ? most : s.total + radius;
}

/* ---- products ------------------------------------------------------------------------------------------ */

struct product {
    double mantissa;            /* of the whole, with the sign */
    double exponent;
    double above, below;        /* log2 of the product of the magnitudes above 1, and below */
    int bits;                   /* that an exact product needs */
};

static struct product product_of(const struct values *v)
{
    struct product p = { 1, 0, 0, 0, 0 };

    for (size_t i = 0; i < v->count; i++) {
        double x = value_at(v, i), size = log2(fabs(x));
        int exponent, least;

        p.mantissa *= frexp(x, &exponent);
        p.exponent += exponent;
        p.mantissa = frexp(p.mantissa, &exponent);
        p.exponent += exponent;
        *(size > 0 ? &p.above : &p.below) += size;
        p.bits += significant_bits(x, &least);
    }
    return p;
}

static double scaled(double mantissa, double exponent)
{
    return ldexp(mantissa, exponent > 3000 ? 3000 : exponent < -3000 ? -3000 : (int)exponent);
}

static void set_infinity(struct gp5_subgroup_bound *b, bool negative)
{
    *(negative ? &b->minus_infinity : &b->plus_infinity) = true;
}

static void bound_product(const struct values *v, unsigned flags, struct gp5_subgroup_bound *b)
{
    const struct format *f = &v->format;
    double most = largest(f), slack = 1e-6, lowest, centre, radius, log_radius;
    bool infinite = v->infinities[0] || v->infinities[1], negative = v->negatives & 1, overflow, underflow, vanish;
    double least = f->least - ((flags & GP5_SUBGROUP_MAY_FLUSH) ? 0 : f->precision - 1);
    struct product p = { 1, 0, 0, 0, 0 };
    double above = 0, below = 0;

    if (infinite && v->zeros) {
        no_finite(b);
        b->nan = b->exact = true;
        return;
    }
    for (size_t i = 0; i < v->count; i++) {
        double x = fabs(value_at(v, i));
        if (x != 0 && !isinf(x))
            *(x > 1 ? &above : &below) += log2(x);
    }
    overflow = above > f->most + 1 - slack - growth(f, v->count) * 2;
    underflow = below < f->least + slack;
    vanish = below < least - 1 + slack + growth(f, v->count) * 2
             || ((flags & GP5_SUBGROUP_MAY_FLUSH) && (underflow || v->denormals));
    if (infinite) {
        no_finite(b);
        set_infinity(b, negative);
        b->nan = vanish;
        b->exact = !vanish;
        return;
    }
    if (v->zeros) {
        b->low = b->high = 0;
        b->nan = overflow;
        b->exact = !overflow;
        return;
    }
    p = product_of(v);
    if (overflow) {
        set_infinity(b, negative);
        b->nan = vanish;
    }
    centre = scaled(p.mantissa, p.exponent);
    if (!overflow && !underflow && !v->denormals && p.bits <= f->precision) {
        b->exact = true;
        b->low = b->high = centre;
        return;
    }
    radius = fabs(centre) * (growth(f, v->count) + (double)v->count * ldexp(1, -52));
    if (underflow || v->denormals) {    /* each partial product is off by a unit of the least, which the rest
                                         * multiplies */
        log_radius = least + above + log2((double)v->count) + 1;
        radius += scaled(1, ceil(log_radius)) + scaled(1, least);
    }
    if ((flags & GP5_SUBGROUP_MAY_FLUSH) && v->denormals)
        radius += fabs(centre);
    lowest = centre - radius;
    b->low = !(lowest > -most) ? -most : lowest;
    b->high = !(centre + radius < most) ? most : centre + radius;
}

/* -------------------------------------------------------------------------------------------------------- */

bool gp5_subgroup_bound(enum gp5_subgroup_arithmetic arithmetic, enum gp5_subgroup_type type, const void *values,
                        size_t count, unsigned flags, struct gp5_subgroup_bound *bound)
{
    struct values v = { .type = type, .values = values, .count = count };
    sub_environment environment;

    if ((arithmetic != GP5_SUBGROUP_OP_ADD && arithmetic != GP5_SUBGROUP_OP_MUL)
        || (unsigned)type >= GP5_SUBGROUP_TYPE_COUNT || !sub_is_float(type) || !values || !count
        || count > GP5_SUBGROUP_MAX_SIZE)
        return false;
    *bound = (struct gp5_subgroup_bound){ 0 };
    sub_enter(&environment);
    v.format = format_of(type);
    classify(&v);
    if (v.nans) {
        no_finite(bound);
        bound->nan = bound->exact = true;
    } else {
        bool single = false;
        if (count <= 2) {
            single_step(arithmetic, &v, bound);
            single = !flush_matters(&v, flags, bound->low, bound->high);
            if (!single)
                *bound = (struct gp5_subgroup_bound){ 0 };
        }
        if (!single && arithmetic == GP5_SUBGROUP_OP_ADD)
            bound_sum(&v, flags, bound);
        else if (!single)
            bound_product(&v, flags, bound);
    }
    sub_leave(&environment);
    return true;
}
