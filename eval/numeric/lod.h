/* How long the way from pixel to pixel over a texture is, as the driver was measured to compute it (docs/numbers.md,
 * "Textures"): with numbers of ten bits. Without branches, for kernels that do so for many quads at once. */
#ifndef GP5_EVAL_LOD_H
#define GP5_EVAL_LOD_H

#include "eval/numeric/words.h"

#include <math.h>
#include <stdbool.h>

#define LOD_INLINE static inline __attribute__((always_inline))

/* So many bits of a number, towards zero; NaN is 0. Nothing here is a denormal double. */
LOD_INLINE double lod_cut(double x, int bits)
{
    return num_double(num_word64(x) & (x == x ? ~0ull << (53 - bits) : 0));
}

/* The last of so many bits. */
LOD_INLINE double lod_last_bit(double x, int bits)
{
    uint64_t exponent = num_word64(x) & EXP64, there = exponent ? ~0ull : 0, finite = exponent != EXP64 ? ~0ull : 0;

    return num_double((exponent - ((uint64_t)(bits - 1) << 52)) & there & finite);
}

/* Of ten bits, with four elevenths of the last one more. */
LOD_INLINE double lod_eleven(double x, double parts)
{
    return (11 * x + 4 * lod_last_bit(x, 10)) * parts;
}

LOD_INLINE double lod_greater(double a, double b)
{
    return a < b ? b : a;
}

LOD_INLINE void lod_sort(const double v[3], unsigned n, double a[3])
{
    double x = fabs(v[0]), y = n > 1 ? fabs(v[1]) : 0, z = n > 2 ? fabs(v[2]) : 0;
    double high = x < y ? y : x, low = x < y ? x : y, middle = n > 2 && low < z ? z : low;

    a[0] = n > 2 && high < middle ? middle : high;
    a[1] = n > 2 && high < middle ? high : middle;
    a[2] = n > 2 && low < z ? low : z;
}

/* The greatest component, 11/32 of the next and a quarter of the least, which ends with the last bit of the next. */
LOD_INLINE double lod_length(const double v[3], unsigned n)
{
    double a[3], bit;

    lod_sort(v, n, a);
    bit = lod_last_bit(a[1], 10);
    return a[0] + lod_eleven(a[1], 1.0 / 32) +
           (n > 2 && bit != 0 && a[2] != 0 ? floor(a[2] / bit) * bit / 4 : a[2] / 4);
}

/* 11/16 of the length of a sum or a difference: its components are multiplied first. */
LOD_INLINE double lod_diagonal(const double v[3], unsigned n)
{
    double m[3] = {0}, a[3];

    for (unsigned i = 0; i < n; i++)
        m[i] = lod_eleven(fabs(lod_cut(v[i], 10)), 1.0 / 16);
    lod_sort(m, n, a);
    return lod_cut(a[0], 10) + 0.34375 * (lod_cut(a[1], 11) + lod_last_bit(a[1], 11) / 4) + a[2] / 4;
}

/* The length of the longer of two ways; `diagonals`: or of the sum and the difference. */
LOD_INLINE double lod_rho(const double dx[3], const double dy[3], unsigned n, bool diagonals)
{
    double x[3] = {0}, y[3] = {0}, sum[3] = {0}, difference[3] = {0}, rho;

    for (unsigned i = 0; i < n; i++) {
        x[i] = lod_cut(dx[i], 10);
        y[i] = lod_cut(dy[i], 10);
        sum[i] = x[i] + y[i];
        difference[i] = x[i] - y[i];
    }
    rho = lod_greater(lod_length(x, n), lod_length(y, n));
    return diagonals ? lod_greater(rho, lod_greater(lod_diagonal(sum, n), lod_diagonal(difference, n))) : rho;
}

/* The greatest power of two in a size. */
static inline double lod_power(uint32_t size)
{
    return 1u << (31 - __builtin_clz(size));
}

/* A derivative in texels: ten bits of it times the size, and 7/8 of the last one times the power of two in the size. */
LOD_INLINE double lod_in_texels(double derivative, double size, double power)
{
    double x = lod_cut(derivative, 10), more = 0.875 * lod_last_bit(x, 10) * power;

    return x < 0 ? x * size - more : x * size + more;
}

#endif
