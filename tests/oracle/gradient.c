/* Levels of detail from derivatives, as docs/numbers.md, "Textures", describes them: numbers of ten bits, u the
 * last one. */
#include "tests/oracle/sample.h"

#include "eval/numeric/sfu.h"

#include <math.h>
#include <string.h>

enum { BITS = 10, FAR = 1 << 20 };

/* The last one of so many bits; of 0 there is none. */
static double unit_of(double x, int bits)
{
    int e;
    if (x == 0 || !isfinite(x))
        return 0;
    frexp(x, &e);
    return ldexp(1, e - bits);
}

static double cut(double x, int bits)
{
    double unit = unit_of(x, bits);
    if (isnan(x))
        return 0;
    return unit != 0 ? trunc(x / unit) * unit : x;
}

/* The greatest first. */
static void in_order(const double v[3], double a[3])
{
    for (unsigned i = 0; i < 3; i++)
        a[i] = fabs(v[i]);
    for (unsigned pass = 0; pass < 2; pass++)
        for (unsigned i = 0; i < 2; i++)
            if (a[i] < a[i + 1]) {
                double swap = a[i];
                a[i] = a[i + 1];
                a[i + 1] = swap;
            }
}

static double eleven_of(double n, double of)
{
    return (11 * n + 4 * unit_of(n, BITS)) / of;
}

static double length_of(const double v[3])
{
    double a[3], unit;
    in_order(v, a);
    unit = unit_of(a[1], BITS);
    if (unit != 0)
        a[2] = floor(a[2] / unit) * unit;
    return a[0] + eleven_of(a[1], 32) + a[2] / 4;
}

static double length_across(const double v[3])
{
    double m[3], a[3];
    for (unsigned i = 0; i < 3; i++)
        m[i] = eleven_of(fabs(cut(v[i], BITS)), 16);
    in_order(m, a);
    return cut(a[0], BITS) + (cut(a[1], 11) + unit_of(a[1], 11) / 4) * 11 / 32 + a[2] / 4;
}

/* log2 of 1 and some 256ths and a half, to the nearest, but at these places one less. */
static int64_t logarithm(double rho)
{
    static const uint8_t less[] = {0, 61, 86, 108, 109, 110, 111, 115, 116, 117, 141, 162, 170, 255};
    int e;
    if (!(rho < 0x1p100))
        return FAR;
    if (rho < 0x1p-100)
        return -FAR;
    unsigned i = (unsigned)((frexp(rho, &e) * 2 - 1) * 256);
    int64_t n = lround(256 * log2(1 + (i + 0.5) / 256));
    for (size_t k = 0; k < sizeof less; k++)
        n -= less[k] == i;
    return (int64_t)(e - 1) * ORACLE_LEVEL + n;
}

static int64_t level_of(const double dx[3], const double dy[3], bool across)
{
    double x[3], y[3], sum[3], difference[3], rho;
    for (unsigned i = 0; i < 3; i++) {
        x[i] = cut(dx[i], BITS);
        y[i] = cut(dy[i], BITS);
        sum[i] = x[i] + y[i];
        difference[i] = x[i] - y[i];
    }
    rho = fmax(length_of(x), length_of(y));
    if (across)
        rho = fmax(rho, fmax(length_across(sum), length_across(difference)));
    return logarithm(rho);
}

static double in_texels(double d, uint32_t size)
{
    double x = cut(d, BITS), more = unit_of(x, BITS) * 7 / 8 * (1u << (31 - __builtin_clz(size)));
    return x * size + (x < 0 ? -more : more);
}

int64_t oracle_level_of_slopes(const uint32_t dx[3], const uint32_t dy[3], const uint32_t size[3], unsigned n)
{
    double x[3] = {0}, y[3] = {0};
    for (unsigned i = 0; i < n; i++) {
        x[i] = in_texels(oracle_float(dx[i]), size[i]);
        y[i] = in_texels(oracle_float(dy[i]), size[i]);
    }
    return level_of(x, y, true);
}

/* ---- cubes ------------------------------------------------------------------------------------------------------ */

/* A direction divided by its greatest component, which one that is, and whether it is negative. */
struct direction {
    double v[3];
    unsigned major;
    bool negative;
};

/* A denormal is zero, and so is what comes of one. */
static float flushed(float x)
{
    return fabsf(x) < 0x1p-126f ? copysignf(0, x) : x;
}

static float float_of(uint32_t word)
{
    union { uint32_t word; float value; } u = {word};
    return u.value;
}

static uint32_t word_of(float value)
{
    union { float value; uint32_t word; } u = {value};
    return u.word;
}

/* NaN is less than all else, and 0 where it is a coordinate. Coordinates have 24 bits behind the point. */
static struct direction direction_of(const float v[3])
{
    struct direction d = {.major = 2};
    uint32_t greatest = 0;
    double size[3];
    for (unsigned k = 0; k < 3; k++)
        if (!isnan(v[k]) && (word_of(v[k]) & 0x7fffffff) > greatest)
            greatest = word_of(v[k]) & 0x7fffffff;
    for (unsigned k = 0; k < 3; k++) {
        d.v[k] = flushed(v[k] * float_of(eval_sfu_rcp(greatest)));
        size[k] = isnan(d.v[k]) ? -1 : fabs(d.v[k]);
    }
    if (size[2] < size[0] || size[2] < size[1])
        d.major = size[0] > size[1] ? 0 : 1;
    d.negative = d.v[d.major] < 0;
    for (unsigned k = 0; k < 3; k++)
        d.v[k] = isnan(d.v[k]) ? 0 : size[k] > 1 ? copysign(1, d.v[k]) : trunc(d.v[k] * 0x1p24) / 0x1p24;
    return d;
}

/* The way from one direction to the other over the first one's face, in texels; whether it ends there too. */
static bool way(const struct direction *a, const struct direction *b, uint32_t size, double out[3])
{
    unsigned n = 0;
    out[2] = 0;
    for (unsigned k = 0; k < 3; k++) {
        if (k == a->major)
            continue;
        if (k != b->major) {
            out[n++] = in_texels((b->v[k] - a->v[k]) / 2, size);
            continue;
        }
        double side = b->negative ? -1 : 1, down = (a->negative ? -1 : 1) * b->v[a->major];
        out[n++] =
            side * (cut(in_texels((1 - side * a->v[k]) / 2, size), BITS) + cut(in_texels((1 - down) / 2, size), BITS));
    }
    if (a->major == b->major && a->negative != b->negative)
        out[2] = size;
    return a->major == b->major && a->negative == b->negative;
}

int64_t oracle_level_of_directions(const uint32_t at[3], const uint32_t dx[3], const uint32_t dy[3], uint32_t size)
{
    float v[3][3];
    double x[3], y[3];
    for (unsigned i = 0; i < 3; i++) {
        v[0][i] = (float)oracle_float(at[i]);
        v[1][i] = flushed(v[0][i] + (float)oracle_float(dx[i]));
        v[2][i] = flushed(v[0][i] + (float)oracle_float(dy[i]));
    }
    struct direction from = direction_of(v[0]), right = direction_of(v[1]), down = direction_of(v[2]);
    bool one = way(&from, &right, size, x), other = way(&from, &down, size, y);
    return level_of(x, y, one && other);
}
