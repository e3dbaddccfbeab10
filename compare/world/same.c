/* Pictures of both sides that are the same, bit by bit, as most are: nothing else has to be asked of the driver then,
 * and nothing to be judged. */
#include "compare/world/world.h"

#include <string.h>

static const struct output *picture(const struct outcome *o, enum output_kind kind, uint32_t n, size_t size)
{
    const struct output *p = outcome_find(o, kind, n);
    return p && p->data && p->size == size ? p : NULL;
}

static bool is_same_pixel(const struct output *a, const struct output *b, size_t pixel)
{
    static const uint32_t defined[4];

    if (!memcmp(a->data + 16 * pixel, b->data + 16 * pixel, 16))
        return true;
    if (!a->undefined || !memcmp(a->undefined + 4 * pixel, defined, 16))
        return false;
    for (size_t c = 0; c < 4; c++)
        if (!a->undefined[4 * pixel + c] && memcmp(a->data + 16 * pixel + 4 * c, b->data + 16 * pixel + 4 * c, 4))
            return false;
    return true;
}

bool pictures_same(const struct driver_case *c, const struct outcome *reference, const struct outcome *driver)
{
    size_t pixels = driver_pixels(&c->raster);
    const struct output *covered[SIDES] = { picture(reference, OUTPUT_COVERAGE, 0, pixels),
                                            picture(driver, OUTPUT_COVERAGE, 0, pixels) };

    if (!covered[REFERENCE] || !covered[DRIVER])
        return false;
    for (size_t i = 0; i < pixels; i++)
        if (!covered[REFERENCE]->data[i] != !covered[DRIVER]->data[i])
            return false;
    for (uint32_t n = 0; n < c->raster.color_outputs; n++) {
        const struct output *a = picture(reference, OUTPUT_COLOR, n, pixels * 16),
                            *b = picture(driver, OUTPUT_COLOR, n, pixels * 16);
        if (!a || !b)
            return false;
        for (size_t i = 0; i < pixels; i++)
            if (covered[REFERENCE]->data[i] && !is_same_pixel(a, b, i))
                return false;
    }
    return true;
}

void pictures_count(struct world *w, const struct driver_case *c, const struct outcome *reference)
{
    const struct output *covered = outcome_find(reference, OUTPUT_COVERAGE, 0);
    struct test_result *r = w->result;
    uint64_t pixels = 0, undefined = 0;

    for (size_t i = 0; i < covered->size; i++)
        pixels += covered->data[i] != 0;
    for (uint32_t n = 0; n < c->raster.color_outputs; n++) {
        const uint32_t *words = outcome_find(reference, OUTPUT_COLOR, n)->undefined;
        for (size_t i = 0; words && i < covered->size * 4; i++)
            undefined += words[i] && covered->data[i / 4];
    }
    r->pixels += pixels;
    r->undefined += undefined;
    r->exact += pixels * 4 * c->raster.color_outputs - undefined;
}
