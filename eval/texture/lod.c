/* Levels of detail: numbers with eight bits of fraction, as the driver was measured to compute them. */
#include "eval/texture/sample.h"

/* A sampler takes no greater bias. */
enum { MOST_BIAS = 15 * ONE_LEVEL };

/* Towards zero; NaN is the first level. */
lod_t eval_lod_of(float lod)
{
    if (!(lod > -4096.0f))
        return lod < 0 ? -MOST_LOD : 0;
    return lod < 4096.0f ? (lod_t)(lod * ONE_LEVEL) : MOST_LOD;
}

static lod_t at_most(lod_t a, lod_t b)
{
    return a < b ? a : b;
}

lod_t eval_lod_bias(const struct gp5_sampler *s)
{
    lod_t bias = at_most(eval_lod_of(s->bias), MOST_BIAS);

    return bias < -MOST_BIAS ? -MOST_BIAS : bias;
}

lod_t eval_lod_bound(const struct gp5_sampler *s, lod_t lod)
{
    lod_t least = eval_lod_of(s->min_lod);

    lod = at_most(lod, eval_lod_of(s->max_lod));
    return lod < least ? least : lod;
}

/* ---- to levels ---------------------------------------------------------------------------------------------- */

static bool filter_is_linear(unsigned filter)
{
    return filter == GP5_FILTER_LINEAR || filter == GP5_FILTER_LINEAR_MIPMAP_NEAREST ||
           filter == GP5_FILTER_LINEAR_MIPMAP_LINEAR;
}

static bool between_levels(unsigned filter)
{
    return filter == GP5_FILTER_NEAREST_MIPMAP_LINEAR || filter == GP5_FILTER_LINEAR_MIPMAP_LINEAR;
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
    if (s->min_filter == GP5_FILTER_NEAREST || s->min_filter == GP5_FILTER_LINEAR)
        return false;
    if (between_levels(s->min_filter) && eval_format_is_float(t->format)) {
        *level = (uint32_t)lod / ONE_LEVEL;
        *fraction = (uint32_t)lod % ONE_LEVEL;
    } else {                                    /* integers are of the nearest level */
        *level = (uint32_t)(lod + ONE_LEVEL / 2) / ONE_LEVEL;
    }
    return false;
}
