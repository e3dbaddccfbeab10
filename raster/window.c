/* A fragment meets its pixel, or a sample of it: depth test, colour mask, how often it was written. */
#include "raster/internal.h"

#include <string.h>

static bool passes(unsigned compare, float value, float stored)
{
    switch (compare) {
    case RASTER_NEVER: return false;
    case RASTER_LESS: return value < stored;
    case RASTER_EQUAL: return value == stored;
    case RASTER_LEQUAL: return value <= stored;
    case RASTER_GREATER: return value > stored;
    case RASTER_NOTEQUAL: return value != stored;
    case RASTER_GEQUAL: return value >= stored;
    default: return true;
    }
}

static size_t pixel_of(const struct raster_window *w, const struct fragment *f)
{
    return f->plane * (size_t)w->width * w->height + (size_t)f->y * w->width + f->x;
}

bool window_test(const struct pipeline *p, const struct fragment *f)
{
    const struct raster_state *s = &p->draw->state;
    float *stored = &p->window->depth[pixel_of(p->window, f)], depth = f->depth > 0 ? f->depth < 1 ? f->depth : 1 : 0;

    if (!s->depth_test)
        return true;
    if (!passes(s->depth_func, depth, *stored))
        return false;
    *stored = depth;
    return true;
}

void window_put(const struct pipeline *p, const struct fragment *f)
{
    const struct raster_state *s = &p->draw->state;
    struct raster_window *w = p->window;
    uint32_t planes = (w->layers ? w->layers : 1) * (w->samples ? w->samples : 1);
    size_t pixel = pixel_of(w, f), plane = (size_t)w->width * w->height * planes * 4;

    if (w->covered[pixel] < 255)
        w->covered[pixel]++;
    if (w->shapes)
        w->shapes[pixel] = f->shape + 1;
    if (w->ncolors == 1 && s->color_mask == 15) {       /* as nearly always */
        static const uint32_t defined[4];
        memcpy(w->colors + pixel * 4, f->colors, 16);
        if (w->undefined)
            memcpy(w->undefined + pixel * 4, f->undefined ? f->undefined : defined, 16);
        return;
    }
    for (uint32_t n = 0; n < w->ncolors; n++)
        for (unsigned c = 0; c < 4; c++) {
            size_t to = n * plane + pixel * 4 + c, from = n * f->stride + c;
            if (!(s->color_mask >> c & 1))
                continue;
            w->colors[to] = f->colors[from];
            if (w->undefined)
                w->undefined[to] = f->undefined ? f->undefined[from] : 0;
        }
}
