/* Which pixels a polygon covers: those whose centres are inside, of edges that go through a centre the left and the
 * bottom ones. Corners lie on a grid of 1/256 pixel, so that neighbours share their edges exactly. */
#include "raster/internal.h"

#include <math.h>

enum { STEPS = 256 };

struct grid {
    unsigned count;
    int64_t x[MOST_CORNERS], y[MOST_CORNERS];
};

static int64_t snap(double v)
{
    return (int64_t)floor(v * STEPS + 0.5);
}

/* Counter-clockwise, and without corners in one place. */
static bool make_grid(const struct polygon *polygon, struct grid *g)
{
    int64_t area = 0;

    g->count = 0;
    for (unsigned i = 0; i < polygon->count; i++) {
        int64_t x = snap(polygon->x[i]), y = snap(polygon->y[i]);
        if (g->count && g->x[g->count - 1] == x && g->y[g->count - 1] == y)
            continue;
        g->x[g->count] = x;
        g->y[g->count++] = y;
    }
    for (unsigned i = 0; i < g->count; i++) {
        unsigned k = (i + 1) % g->count;
        area += g->x[i] * g->y[k] - g->x[k] * g->y[i];
    }
    for (unsigned i = 0; area < 0 && i < g->count / 2; i++) {
        unsigned k = g->count - 1 - i;
        int64_t x = g->x[i], y = g->y[i];
        g->x[i] = g->x[k];
        g->y[i] = g->y[k];
        g->x[k] = x;
        g->y[k] = y;
    }
    return area != 0;
}

static int64_t floor_divide(int64_t a, int64_t b)
{
    return a / b - (a % b != 0 && (a < 0) != (b < 0));
}

/* The pixels of a row whose centres are inside: from a low to behind a high one. A polygon has no dents. */
static void row(const struct grid *g, uint32_t y, const uint32_t across[2], int64_t span[2])
{
    int64_t cy = (int64_t)y * STEPS + STEPS / 2;

    span[0] = across[0];
    span[1] = across[1];
    for (unsigned i = 0; i < g->count; i++) {
        unsigned k = i + 1 == g->count ? 0 : i + 1;
        int64_t dx = g->x[k] - g->x[i], dy = g->y[k] - g->y[i];
        bool owns = dy < 0 || (dy == 0 && dx > 0);
        /* Inside where dx * (cy - y) + dy * x - dy * cx is positive, or zero on an edge that is owned. */
        int64_t rest = dx * (cy - g->y[i]) + dy * g->x[i] - !owns, most;
        if (dy == 0) {
            if (rest < 0)
                span[1] = span[0];
        } else if (dy > 0) {            /* centres at most rest / dy from the left */
            most = floor_divide(floor_divide(rest, dy) - STEPS / 2, STEPS) + 1;
            span[1] = most < span[1] ? most : span[1];
        } else {                        /* at least rest / dy: rounded up */
            most = -floor_divide(floor_divide(rest, -dy) + STEPS / 2, STEPS);
            span[0] = most > span[0] ? most : span[0];
        }
    }
    if (span[1] < span[0])
        span[1] = span[0];
}

/* Whole pixels that may be covered: from a low to behind a high one. */
static void range(const int64_t *v, unsigned count, uint32_t size, uint32_t to[2])
{
    int64_t low = v[0], high = v[0];

    for (unsigned i = 1; i < count; i++) {
        low = v[i] < low ? v[i] : low;
        high = v[i] > high ? v[i] : high;
    }
    low = low < 0 ? 0 : low / STEPS;
    high = high < 0 ? 0 : high / STEPS + 1;
    to[0] = low < size ? (uint32_t)low & ~1u : size;
    to[1] = high < size ? (uint32_t)high : size;
}

static bool add(struct quads *q, const struct quad *one)
{
    if (q->count == q->room) {
        size_t room = q->room ? 2 * q->room : 1024;
        struct quad *more = room < SIZE_MAX / 2 / sizeof *more ? gp5_realloc(q->list, room * sizeof *more) : NULL;
        if (!more)
            return false;
        q->list = more;
        q->room = room;
    }
    q->list[q->count++] = *one;
    return true;
}

bool scan(const struct polygon *polygon, uint32_t shape, uint32_t width, uint32_t height, struct quads *quads)
{
    struct grid g;
    uint32_t across[2], up[2];

    if (!make_grid(polygon, &g))
        return true;
    range(g.x, g.count, width, across);
    range(g.y, g.count, height, up);
    for (uint32_t y = up[0]; y < up[1]; y += 2) {
        int64_t span[2][2] = { { 0, 0 }, { 0, 0 } };
        for (unsigned i = 0; i < 2 && y + i < height; i++)
            row(&g, y + i, across, span[i]);
        int64_t low = span[0][0] < span[0][1] ? span[0][0] : span[1][0], high = span[0][1];
        if (span[1][0] < span[1][1]) {
            low = span[1][0] < low ? span[1][0] : low;
            high = span[1][1] > high ? span[1][1] : high;
        }
        for (int64_t x = low & ~INT64_C(1); x < high; x += 2) {
            struct quad one = { .x = (uint32_t)x, .y = y, .shape = shape };
            for (unsigned i = 0; i < 4; i++)
                if (x + i % 2 >= span[i / 2][0] && x + i % 2 < span[i / 2][1])
                    one.covered |= (uint8_t)(1u << i);
            if (one.covered && !add(quads, &one))
                return false;
        }
    }
    return true;
}
