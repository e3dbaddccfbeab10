#include "compare/world/surface.h"

#include "asm/arena.h"

#include <math.h>
#include <string.h>

uint32_t surface_planes(const struct surface *s)
{
    return s->layers * s->samples;
}

size_t surface_pixels(const struct surface *s)
{
    return (size_t)s->width * s->height;
}

size_t surface_plane(const struct surface *s, uint32_t buffer, uint32_t layer, uint32_t sample)
{
    return ((size_t)buffer * surface_planes(s) + (size_t)layer * s->samples + sample) * surface_pixels(s);
}

bool surface_made(const struct surface *s)
{
    return s->undefined != NULL;
}

static void *zeros(size_t size)
{
    void *p = gp5_malloc(size);
    if (p)
        memset(p, 0, size);
    return p;
}

bool surface_make(struct surface *s)
{
    size_t pixels = surface_pixels(s) * surface_planes(s);

    if (surface_made(s))
        return true;
    for (int side = 0; side < SURFACE_SIDES; side++) {
        s->colors[side] = zeros(pixels * 16 * s->buffers);
        s->covered[side] = zeros(pixels);
        s->depth[side] = gp5_malloc(pixels * 4);
        if (!s->colors[side] || !s->covered[side] || !s->depth[side])
            return false;
        for (size_t i = 0; i < pixels; i++)
            s->depth[side][i] = 1;
    }
    s->flat_depth = true;
    s->undefined = zeros(pixels * 16 * s->buffers);
    return surface_made(s);
}

void surface_free(struct surface *s)
{
    for (int side = 0; side < SURFACE_SIDES; side++) {
        gp5_free(s->colors[side]);
        gp5_free(s->covered[side]);
        gp5_free(s->depth[side]);
        s->colors[side] = s->depth[side] = NULL;
        s->covered[side] = NULL;
    }
    gp5_free(s->undefined);
    s->undefined = NULL;
}

void surface_clear(struct surface *s, const float color[4], float depth)
{
    size_t pixels = surface_pixels(s) * surface_planes(s);

    for (int side = 0; side < SURFACE_SIDES; side++) {
        for (size_t i = 0; i < pixels * s->buffers; i++)
            memcpy(s->colors[side] + 4 * i, color, 16);
        for (size_t i = 0; i < pixels; i++)
            s->depth[side][i] = depth;
        memset(s->covered[side], 0, pixels);
    }
    s->flat_depth = true;
    memset(s->undefined, 0, pixels * 16 * s->buffers);
}

/* ---- what is seen of it ------------------------------------------------------------------------------------ */

static size_t pixel_at(const struct surface *s, uint32_t buffer, uint32_t sample, uint32_t x, uint32_t y)
{
    return surface_plane(s, buffer, s->read_layer, sample) + (size_t)y * s->width + x;
}

/* The samples that are looked at: from `first` on so many. */
static uint32_t seen(const struct surface *s, uint32_t *first)
{
    *first = s->read_sample < 0 ? 0 : (uint32_t)s->read_sample;
    return s->read_sample < 0 ? s->samples : 1;
}

float surface_value(const struct surface *s, int side, uint32_t x, uint32_t y, unsigned component)
{
    uint32_t first, count = seen(s, &first);
    double sum = 0;

    for (uint32_t i = first; i < first + count; i++) {
        float v = s->colors[side][4 * pixel_at(s, s->read, i, x, y) + component];
        if (!s->keeps)
            v = v < 0 ? 0 : v > 1 ? 1 : v;
        if (count == 1)
            return v;
        sum += (double)v;
    }
    return (float)(sum / count);
}

uint32_t surface_undefined(const struct surface *s, uint32_t x, uint32_t y, unsigned component)
{
    uint32_t first, count = seen(s, &first);

    for (uint32_t i = first; i < first + count; i++) {
        uint32_t origin = s->undefined[4 * pixel_at(s, s->read, i, x, y) + component];
        if (origin)
            return origin;
    }
    return 0;
}

bool surface_covered(const struct surface *s, int side, uint32_t x, uint32_t y)
{
    uint32_t first, count = seen(s, &first);
    bool covered = false;

    for (uint32_t i = first; i < first + count; i++)
        covered |= s->covered[side][pixel_at(s, 0, i, x, y)] != 0;
    return covered;
}

float surface_depth(const struct surface *s, int side, uint32_t x, uint32_t y)
{
    uint32_t first;

    seen(s, &first);
    return s->depth[side][pixel_at(s, 0, first, x, y)];
}

/* ---- from one to the other --------------------------------------------------------------------------------- */

/* The pixel that a place falls in, or the two that are nearest and the share of the second. */
static void neighbours(uint32_t at, uint32_t size, uint32_t of, bool linear, uint32_t pixel[2], double *share)
{
    double place = (at + 0.5) * size / of - (linear ? 0.5 : 0), low = floor(place);

    *share = linear ? place - low : 0;
    for (unsigned i = 0; i < 2; i++) {
        double v = low + i;
        pixel[i] = v < 0 ? 0 : v < size ? (uint32_t)v : size - 1;
    }
}

struct mixed {
    float color[4];
    uint32_t undefined[4];
    bool covered;
};

static struct mixed mix(const struct surface *from, int side, const uint32_t x[2], const uint32_t y[2],
                        const double share[2])
{
    struct mixed m = { .covered = false };
    double sum[4] = { 0, 0, 0, 0 };

    for (unsigned i = 0; i < 4; i++) {
        double weight = (i % 2 ? share[0] : 1 - share[0]) * (i / 2 ? share[1] : 1 - share[1]);
        if (weight == 0)
            continue;
        m.covered |= surface_covered(from, side, x[i % 2], y[i / 2]);
        for (unsigned c = 0; c < 4; c++) {
            float v = surface_value(from, side, x[i % 2], y[i / 2], c);
            uint32_t origin = surface_undefined(from, x[i % 2], y[i / 2], c);
            sum[c] += weight == 1 ? (double)v : weight * (double)v;
            m.undefined[c] = m.undefined[c] ? m.undefined[c] : origin;
        }
    }
    for (unsigned c = 0; c < 4; c++)
        m.color[c] = (float)sum[c];
    return m;
}

void surface_copy(const struct surface *from, struct surface *to, bool linear)
{
    uint32_t column[2], row[2];
    double share[2];

    for (uint32_t y = 0; y < to->height; y++)
        for (uint32_t x = 0; x < to->width; x++) {
            neighbours(x, from->width, to->width, linear, column, &share[0]);
            neighbours(y, from->height, to->height, linear, row, &share[1]);
            for (int side = 0; side < SURFACE_SIDES; side++) {
                struct mixed m = mix(from, side, column, row, share);
                for (uint32_t n = 0; n < to->drawn * to->samples; n++) {
                    size_t at = surface_plane(to, n / to->samples, 0, n % to->samples) + (size_t)y * to->width + x;
                    memcpy(to->colors[side] + 4 * at, m.color, 16);
                    if (side == 0)
                        memcpy(to->undefined + 4 * at, m.undefined, 16);
                    if (n < to->samples)
                        to->covered[side][at] = m.covered;
                }
            }
        }
}

/* ---- one plane a layer ------------------------------------------------------------------------------------- */

static void flatten_plane(const struct surface *from, struct surface *to)
{
    size_t first = surface_plane(to, from->read, from->read_layer, 0);

    for (uint32_t y = 0; y < to->height; y++)
        for (uint32_t x = 0; x < to->width; x++) {
            size_t at = first + (size_t)y * to->width + x;
            for (unsigned c = 0; c < 8; c++)
                to->colors[c / 4][4 * at + c % 4] = surface_value(from, c / 4, x, y, c % 4);
            for (unsigned c = 0; c < 4; c++)
                to->undefined[4 * at + c] = surface_undefined(from, x, y, c);
            for (int side = 0; side < SURFACE_SIDES && from->read == 0; side++)
                to->covered[side][at] = surface_covered(from, side, x, y);
        }
}

bool surface_flatten(struct surface *from, struct surface *to)
{
    uint32_t read = from->read;

    if (!surface_made(from))
        return false;
    if (from->samples == 1 && !from->is_textures) {     /* as it is */
        *to = *from;
        *from = (struct surface){ .width = 0 };
        return true;
    }
    *to = (struct surface){ .width = from->width, .height = from->height, .layers = from->layers, .samples = 1,
                            .buffers = from->buffers, .read = read };
    if (!surface_make(to))
        return false;
    for (from->read = 0; from->read < from->buffers; from->read++)
        for (from->read_layer = 0; from->read_layer < from->layers; from->read_layer++)
            flatten_plane(from, to);
    return true;
}
