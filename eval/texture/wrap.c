/* From coordinates to texels. A normalized coordinate is cut to 21 bits of fraction (22 for sizes above 8192) and
 * multiplied by the size; a linear filter rounds the product to 1/256 of a texel. */
#include "eval/texture/sample.h"

#include <math.h>

static bool repeats(unsigned wrap)
{
    return wrap == GP5_WRAP_REPEAT || wrap == GP5_WRAP_MIRRORED_REPEAT;
}

enum { NORMALIZED_BITS = 21, LARGE = 8192, TEXEL_BITS = 24 };

/* The coordinate in units of 2^-*bits texels. NaN is 0; what lies far outside of a texture that does not repeat is
 * outside. */
static int64_t in_texels(const struct axis *a, double s, unsigned *bits)
{
    double x = s, most = a->normalized ? 1024 : 1 << 20;

    *bits = !a->normalized ? TEXEL_BITS : NORMALIZED_BITS + (a->size > LARGE);
    if (repeats(a->wrap))
        x = isfinite(x) ? fmod(x, 2) : 0;       /* a repetition, or two where each other one is mirrored */
    else if (isnan(x))
        x = 0;
    x = x > most ? most : x < -most ? -most : x;
    return (int64_t)floor(ldexp(x, (int)*bits)) * (a->normalized ? a->size : 1);
}

static int64_t moved(const struct axis *a, double s, int32_t offset, unsigned *bits)
{
    int64_t u = in_texels(a, s, bits);

    return u + offset * (INT64_C(1) << *bits);
}

int64_t eval_coord_nearest(const struct axis *a, double s, int32_t offset)
{
    unsigned bits;
    int64_t u = moved(a, s, offset, &bits);

    return u >> bits;
}

/* On the last texel, or the first one, where the wrap mode stops there. */
static bool stops(const struct axis *a, int64_t i)
{
    int64_t last = (int64_t)a->size - 1;

    switch (a->wrap) {
    case GP5_WRAP_CLAMP_TO_EDGE: return i < 0 || i >= last;
    case GP5_WRAP_MIRROR_CLAMP_TO_EDGE: return i >= last || -2 - i >= last;
    default: return false;
    }
}

int64_t eval_coord_linear(const struct axis *a, double s, int32_t offset, uint32_t *fraction)
{
    unsigned bits;
    int64_t u = moved(a, s, offset, &bits);

    u = (((u >> (bits - 9)) + 1) >> 1) - 128;
    *fraction = stops(a, u >> 8) ? 0 : (uint32_t)(u & 255);
    return u >> 8;
}

bool eval_coord_wrap(const struct axis *a, int64_t i, uint32_t *texel)
{
    int64_t n = a->size;

    switch (a->wrap) {
    case GP5_WRAP_REPEAT:
        i %= n;
        i = i < 0 ? i + n : i;
        break;
    case GP5_WRAP_MIRRORED_REPEAT:
        i %= 2 * n;
        i = i < 0 ? i + 2 * n : i;
        i = i < n ? i : 2 * n - 1 - i;
        break;
    case GP5_WRAP_MIRROR_CLAMP_TO_EDGE:
        i = i < 0 ? -1 - i : i;
        i = i < n ? i : n - 1;
        break;
    case GP5_WRAP_CLAMP_TO_BORDER:
        *texel = 0;
        if (i < 0 || i >= n)
            return false;
        break;
    default:
        i = i < 0 ? 0 : i < n ? i : n - 1;
        break;
    }
    *texel = (uint32_t)i;
    return true;
}

uint32_t eval_coord_layer(float layer, uint32_t layers)
{
    uint32_t below;

    if (!(layer > 0.5f) || !layers)
        return 0;
    if (layer >= (float)(layers - 1))
        return layers - 1;
    below = (uint32_t)layer;
    layer -= (float)below;
    below += layer > 0.5f || (layer == 0.5f && below & 1);
    return below < layers ? below : layers - 1;
}
