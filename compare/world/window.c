/* What a test draws into, one for each side: its colours, and which pixels something has covered. */
#include "compare/world/world.h"

#include <string.h>

bool window_make(struct world *w)
{
    return surface_make(w->draw);
}

void window_clear(struct world *w)
{
    if (!window_make(w)) {
        world_no_memory(w);
        return;
    }
    surface_clear(w->draw, w->clear_color, w->clear_depth);
    framebuffer_store(w, w->draw);
    w->deviates = false;
}

/* The pixel counts through all planes. */
static void keep_pixel(struct world *w, const struct output *color, enum side side, size_t pixel)
{
    static const uint32_t defined[4];
    struct surface *s = w->draw;
    size_t to = (surface_plane(s, color->binding, 0, 0) + pixel) * 4;

    if (w->fixed.color_mask == 15) {
        memcpy(s->colors[side] + to, color->data + 16 * pixel, 16);
        if (side == REFERENCE)
            memcpy(s->undefined + to, color->undefined ? color->undefined + 4 * pixel : defined, 16);
        return;
    }
    for (size_t c = 0; c < 4; c++) {
        if (!(w->fixed.color_mask >> c & 1))
            continue;
        memcpy(s->colors[side] + to + c, color->data + 16 * pixel + 4 * c, 4);
        if (side == REFERENCE)
            s->undefined[to + c] = color->undefined ? color->undefined[4 * pixel + c] : 0;
    }
}

/* A row of pixels that are all covered, at once. */
static bool keep_row(struct world *w, const struct output *color, const uint8_t *covered, enum side side, size_t row,
                     size_t count)
{
    struct surface *s = w->draw;
    size_t to = (surface_plane(s, color->binding, 0, 0) + row) * 4;

    if (w->fixed.color_mask != 15 || memchr(covered + row, 0, count))
        return false;
    memset(s->covered[side] + row, 1, count);
    memcpy(s->colors[side] + to, color->data + 16 * row, 16 * count);
    if (side == REFERENCE && color->undefined)
        memcpy(s->undefined + to, color->undefined + 4 * row, 16 * count);
    else if (side == REFERENCE)
        memset(s->undefined + to, 0, 16 * count);
    return true;
}

static void keep_plane(struct world *w, const struct output *color, const uint8_t *covered, enum side side,
                       const int32_t box[4], uint32_t plane)
{
    size_t first = surface_pixels(w->draw) * plane;

    for (int32_t y = box[2]; y < box[3]; y++) {
        size_t row = first + (size_t)y * w->draw->width + (size_t)box[0], count = (size_t)(box[1] - box[0]);
        if (keep_row(w, color, covered, side, row, count))
            continue;
        for (size_t i = row; i < row + count; i++) {
            if (!covered[i])
                continue;
            w->draw->covered[side][i] = 1;
            keep_pixel(w, color, side, i);
        }
    }
}

/* Of a recording's digests that agree, or this side would be dead by now, the reference's picture is what was drawn. */
static const struct outcome *drawn(const struct world *w, const struct outcome outcomes[SIDES], enum side side)
{
    const struct output *covered = outcome_find(&outcomes[side], OUTPUT_COVERAGE, 0);

    return covered && !covered->data && w->alive[REFERENCE] ? &outcomes[REFERENCE] : &outcomes[side];
}

void window_keep(struct world *w, const struct outcome outcomes[SIDES], enum side side, const int32_t box[4])
{
    const struct outcome *o = drawn(w, outcomes, side);
    const struct output *covered = outcome_find(o, OUTPUT_COVERAGE, 0), *depth = outcome_find(o, OUTPUT_DEPTH, 0);
    if (!covered || !covered->data) {
        w->alive[side] = false;
        return;
    }
    if (depth && depth->data)
        memcpy(w->draw->depth[side], depth->data, depth->size);
    for (uint32_t n = 0; n < w->draw->drawn; n++) {
        const struct output *color = outcome_find(o, OUTPUT_COLOR, n);
        if (!color || !color->data) {
            w->alive[side] = false;
            return;
        }
        for (uint32_t plane = 0; plane < surface_planes(w->draw); plane++)
            keep_plane(w, color, covered->data, side, box, plane);
    }
}

/* A driver counts what passes the tests before the program. What that left of it, and what it added, shows in the
 * colours: a pixel of which they are still what they were at first was not written. */
void window_uncover(const struct driver_case *c, struct outcome *o)
{
    struct output *covered = (struct output *)outcome_find(o, OUTPUT_COVERAGE, 0);
    const struct output *first = outcome_find(o, OUTPUT_COLOR, 0);

    if (!c->raster.clear_bits[0] || !covered || !covered->data || !first || !first->data)
        return;
    memset(covered->data, 0, covered->size);
    for (uint32_t n = 0; n < c->raster.color_outputs; n++) {
        struct output *color = (struct output *)outcome_find(o, OUTPUT_COLOR, n);
        for (size_t i = 0; color && color->data && i < color->size / 4; i++) {
            uint8_t *word = color->data + 4 * i;
            if (memcmp(word, &c->raster.clear_bits[0], 4))
                covered->data[i / 4] = 1;
            else
                memset(word, 0, 4);
        }
    }
}

void window_cut(const struct world *w, struct outcome *o)
{
    const int32_t *box = w->cut;
    if (!box)
        return;
    struct output *color = (struct output *)outcome_find(o, OUTPUT_COLOR, 0);
    struct output *covered = (struct output *)outcome_find(o, OUTPUT_COVERAGE, 0);
    if (!color || !color->data || !covered || !covered->data)
        return;
    for (size_t i = 0; i < surface_pixels(w->draw); i++) {
        int32_t x = (int32_t)(i % w->script->width), y = (int32_t)(i / w->script->width);
        if (x >= box[0] && x < box[1] && y >= box[2] && y < box[3])
            continue;
        covered->data[i] = 0;
        memset(color->data + 16 * i, 0, 16);
        if (color->undefined)
            memset(color->undefined + 4 * i, 0, 16);
    }
}
