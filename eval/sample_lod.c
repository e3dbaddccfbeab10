/* Levels of detail: numbers with eight bits of fraction, as the driver was measured to compute them. */
#include "eval/sample.h"
#include "eval/numeric/words.h"

#include <math.h>
#include <string.h>

enum { ONE_LEVEL = 256, MOST = 1 << 20 };

/* Towards zero; NaN is the first level. */
lod_t eval_lod_of(float lod)
{
    if (!(lod > -4096.0f))
        return lod < 0 ? -MOST : 0;
    return lod < 4096.0f ? (lod_t)(lod * ONE_LEVEL) : MOST;
}

static lod_t at_most(lod_t a, lod_t b)
{
    return a < b ? a : b;
}

lod_t eval_lod_bound(const struct gp5_sampler *s, lod_t lod)
{
    lod_t least = eval_lod_of(s->min_lod);

    lod = at_most(lod, eval_lod_of(s->max_lod));
    return lod < least ? least : lod;
}

/* ---- from derivatives ------------------------------------------------------------------------------------------------- */

/* log2(1 + (i + 1/2) / 256) in units of 1/256, but where the driver says one less. */
static lod_t logarithm_of(unsigned i)
{
    static const uint8_t table[256] = {
        0, 2, 4, 5, 6, 8, 9, 11, 12, 13, 15, 16, 18, 19, 20, 22, 23, 24, 26, 27, 28, 30, 31, 32, 34, 35, 36, 38, 39,
        40, 42, 43, 44, 45, 47, 48, 49, 50, 52, 53, 54, 55, 57, 58, 59, 60, 62, 63, 64, 65, 66, 68, 69, 70, 71, 72,
        74, 75, 76, 77, 78, 79, 81, 82, 83, 84, 85, 86, 88, 89, 90, 91, 92, 93, 94, 95, 97, 98, 99, 100, 101, 102,
        103, 104, 105, 106, 107, 109, 110, 111, 112, 113, 114, 115, 116, 117, 118, 119, 120, 121, 122, 123, 124, 125,
        126, 127, 128, 129, 130, 131, 132, 133, 135, 136, 137, 137, 138, 139, 140, 141, 142, 143, 144, 145, 146, 147,
        148, 149, 150, 151, 152, 153, 154, 155, 156, 157, 158, 159, 160, 161, 162, 162, 163, 164, 165, 166, 167, 168,
        169, 170, 171, 172, 173, 173, 174, 175, 176, 177, 178, 179, 180, 181, 181, 182, 183, 184, 185, 186, 187, 188,
        188, 189, 190, 191, 192, 193, 194, 195, 195, 196, 197, 198, 199, 200, 200, 201, 202, 203, 204, 205, 205, 206,
        207, 208, 209, 210, 210, 211, 212, 213, 214, 214, 215, 216, 217, 218, 218, 219, 220, 221, 222, 222, 223, 224,
        225, 226, 226, 227, 228, 229, 229, 230, 231, 232, 233, 233, 234, 235, 236, 236, 237, 238, 239, 239, 240, 241,
        242, 242, 243, 244, 245, 245, 246, 247, 248, 248, 249, 250, 251, 251, 252, 253, 253, 254, 255, 255
    };
    return table[i];
}

/* Ten bits of a number, towards zero; NaN is 0. */
static double ten_bits(float x)
{
    uint32_t word = num_word(x);

    if ((word & 0x7fffffff) > 0x7f800000)
        return 0;
    return num_float(word & 0xffffc000);
}

/* About the length of a vector: the greatest component, 11/32 of the next and a quarter of the least. */
static double length(const double v[3], unsigned n)
{
    double a[3] = {0};

    for (unsigned i = 0; i < n; i++) {
        unsigned k = i;
        double x = fabs(v[i]);
        for (; k > 0 && a[k - 1] < x; k--)
            a[k] = a[k - 1];
        a[k] = x;
    }
    return a[0] + 0.34375 * a[1] + 0.25 * a[2];
}

lod_t eval_lod_of_derivatives(const float dx[3], const float dy[3], unsigned n)
{
    double x[3], y[3], sum[3], difference[3], rho[4], most = 0;
    int exponent;

    for (unsigned i = 0; i < n; i++) {
        x[i] = ten_bits(dx[i]);
        y[i] = ten_bits(dy[i]);
        sum[i] = x[i] + y[i];
        difference[i] = x[i] - y[i];
    }
    rho[0] = length(x, n);
    rho[1] = length(y, n);
    rho[2] = 0.6875 * length(sum, n);
    rho[3] = 0.6875 * length(difference, n);
    for (unsigned i = 0; i < 4; i++)
        most = rho[i] > most ? rho[i] : most;
    if (most > 0x1p100)
        return MOST;
    if (most < 0x1p-100)
        return -MOST;
    most = frexp(most, &exponent);
    return (lod_t)(exponent - 1) * ONE_LEVEL + logarithm_of((unsigned)((most * 2 - 1) * 256));
}

/* ---- to levels -------------------------------------------------------------------------------------------------------- */

static bool filter_is_linear(unsigned filter)
{
    return filter == GP5_FILTER_LINEAR || filter == GP5_FILTER_LINEAR_MIPMAP_NEAREST ||
           filter == GP5_FILTER_LINEAR_MIPMAP_LINEAR;
}

bool eval_lod_levels(const struct gp5_texture *t, lod_t lod, uint32_t *level, uint32_t *fraction, bool *linear)
{
    const struct gp5_sampler *s = &t->sampler;
    lod_t last = (lod_t)(t->levels - 1) * ONE_LEVEL;

    *level = *fraction = 0;
    *linear = filter_is_linear(lod > 0 ? s->min_filter : s->mag_filter);
    if (lod <= 0)
        return true;
    lod = at_most(lod, last);
    switch (s->min_filter) {
    case GP5_FILTER_NEAREST_MIPMAP_NEAREST: case GP5_FILTER_LINEAR_MIPMAP_NEAREST:
        *level = (uint32_t)(lod + ONE_LEVEL / 2) / ONE_LEVEL;
        break;
    case GP5_FILTER_NEAREST_MIPMAP_LINEAR: case GP5_FILTER_LINEAR_MIPMAP_LINEAR:
        *level = (uint32_t)lod / ONE_LEVEL;
        *fraction = (uint32_t)lod % ONE_LEVEL;
        break;
    default:
        break;
    }
    return false;
}
