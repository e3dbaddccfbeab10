/* The window that a test draws into, one for each side: its colours, and which pixels something has covered. */
#include "compare/world/world.h"

#include <string.h>

static size_t pixel_count(const struct world *w)
{
    return (size_t)w->script->width * w->script->height;
}

bool window_make(struct world *w)
{
    size_t pixels = pixel_count(w);
    if (w->undefined_colors)
        return true;
    for (int side = 0; side < SIDES; side++) {
        w->colors[side] = gp5_malloc(pixels * 16 * w->script->buffers);
        w->covered[side] = gp5_malloc(pixels);
        w->depth[side] = gp5_malloc(pixels * 4);
        if (!w->colors[side] || !w->covered[side] || !w->depth[side])
            return false;
        for (size_t i = 0; i < pixels; i++)
            w->depth[side][i] = 1;
        w->flat_depth = true;
        memset(w->colors[side], 0, pixels * 16 * w->script->buffers);
        memset(w->covered[side], 0, pixels);
    }
    w->undefined_colors = gp5_malloc(pixels * 16 * w->script->buffers);
    if (w->undefined_colors)
        memset(w->undefined_colors, 0, pixels * 16 * w->script->buffers);
    return w->undefined_colors;
}

void window_clear(struct world *w)
{
    size_t pixels = pixel_count(w);
    if (!window_make(w)) {
        world_no_memory(w);
        return;
    }
    for (int side = 0; side < SIDES; side++) {
        for (size_t i = 0; i < pixels * w->script->buffers; i++)
            memcpy(w->colors[side] + 4 * i, w->clear_color, sizeof w->clear_color);
        for (size_t i = 0; i < pixels; i++)
            w->depth[side][i] = w->clear_depth;
        w->flat_depth = true;
        memset(w->covered[side], 0, pixels);
    }
    memset(w->undefined_colors, 0, pixels * 16 * w->script->buffers);
    w->deviates = false;
}

static void keep_pixel(struct world *w, const struct output *color, enum side side, size_t pixel)
{
    static const uint32_t defined[4];
    size_t to = (color->binding * pixel_count(w) + pixel) * 4;

    if (w->fixed.color_mask == 15) {
        memcpy(w->colors[side] + to, color->data + 16 * pixel, 16);
        if (side == REFERENCE)
            memcpy(w->undefined_colors + to, color->undefined ? color->undefined + 4 * pixel : defined, 16);
        return;
    }
    for (size_t c = 0; c < 4; c++) {
        if (!(w->fixed.color_mask >> c & 1))
            continue;
        memcpy(w->colors[side] + to + c, color->data + 16 * pixel + 4 * c, 4);
        if (side == REFERENCE)
            w->undefined_colors[to + c] = color->undefined ? color->undefined[4 * pixel + c] : 0;
    }
}

/* A row of pixels that are all covered, at once. */
static bool keep_row(struct world *w, const struct output *color, const uint8_t *covered, enum side side, size_t row,
                     size_t count)
{
    size_t to = (color->binding * pixel_count(w) + row) * 4;

    if (w->fixed.color_mask != 15 || memchr(covered + row, 0, count))
        return false;
    memset(w->covered[side] + row, 1, count);
    memcpy(w->colors[side] + to, color->data + 16 * row, 16 * count);
    if (side == REFERENCE && color->undefined)
        memcpy(w->undefined_colors + to, color->undefined + 4 * row, 16 * count);
    else if (side == REFERENCE)
        memset(w->undefined_colors + to, 0, 16 * count);
    return true;
}

void window_keep(struct world *w, const struct outcome *o, enum side side, const int32_t box[4])
{
    const struct output *covered = outcome_find(o, OUTPUT_COVERAGE, 0), *depth = outcome_find(o, OUTPUT_DEPTH, 0);
    if (!covered || !covered->data) {
        w->alive[side] = false;
        return;
    }
    if (depth && depth->data)
        memcpy(w->depth[side], depth->data, depth->size);
    for (uint32_t n = 0; n < w->buffers; n++) {
        const struct output *color = outcome_find(o, OUTPUT_COLOR, n);
        if (!color || !color->data) {
            w->alive[side] = false;
            return;
        }
        for (int32_t y = box[2]; y < box[3]; y++) {
            size_t row = (size_t)y * w->script->width + (size_t)box[0], count = (size_t)(box[1] - box[0]);
            if (keep_row(w, color, covered->data, side, row, count))
                continue;
            for (int32_t x = box[0]; x < box[1]; x++) {
                size_t i = (size_t)y * w->script->width + (size_t)x;
                if (!covered->data[i])
                    continue;
                w->covered[side][i] = 1;
                keep_pixel(w, color, side, i);
            }
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
    for (size_t i = 0; i < pixel_count(w); i++) {
        int32_t x = (int32_t)(i % w->script->width), y = (int32_t)(i / w->script->width);
        if (x >= box[0] && x < box[1] && y >= box[2] && y < box[3])
            continue;
        covered->data[i] = 0;
        memset(color->data + 16 * i, 0, 16);
        if (color->undefined)
            memset(color->undefined + 4 * i, 0, 16);
    }
}
