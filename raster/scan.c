/* Which samples of which pixels a polygon covers: those that are inside (one sample: the centre), of edges that go
 * through a sample the left and the bottom ones. Corners lie on a grid of 1/256 pixel, so that neighbours share their
 * edges exactly. */
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

/* The pixels of a row whose samples at (px, py) are inside: from a low to behind a high one. A polygon has no dents. */
static void row(const struct grid *g, uint32_t y, int32_t px, int32_t py, const uint32_t across[2], int64_t span[2])
{
    int64_t cy = (int64_t)y * STEPS + py;

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
        } else if (dy > 0) {            /* at most rest / dy from the left */
            most = floor_divide(floor_divide(rest, dy) - px, STEPS) + 1;
            span[1] = most < span[1] ? most : span[1];
        } else {                        /* at least rest / dy: rounded up */
            most = -floor_divide(floor_divide(rest, -dy) + px, STEPS);
            span[0] = most > span[0] ? most : span[0];
        }
    }
    if (span[1] < span[0])
        span[1] = span[0];
}

/* Likewise of a point that is a circle. */
static void row_of_circle(const struct shape *s, uint32_t y, int32_t px, int32_t py, const uint32_t across[2],
                          int64_t span[2])
{
    double r = s->size / 2, x = (double)(snap(s->x) - px) / STEPS, up = y + (double)(py - snap(s->y)) / STEPS,
           half = r * r - up * up;

    span[0] = span[1] = across[0];
    if (half < 0)
        return;
    half = sqrt(half);
    span[0] = (int64_t)fmax(ceil(x - half), across[0]);
    span[1] = (int64_t)fmin(ceil(x + half), across[1]);
}

/* Whole pixels that may be covered within bounds: from an even low to behind a high one. */
static void range(const int64_t *v, unsigned count, const uint32_t bounds[2], uint32_t to[2])
{
    int64_t low = v[0], high = v[0];

    for (unsigned i = 1; i < count; i++) {
        low = v[i] < low ? v[i] : low;
        high = v[i] > high ? v[i] : high;
    }
    low = low < 0 ? 0 : low / STEPS;
    high = high < 0 ? 0 : high / STEPS + 1;
    to[0] = low < bounds[0] ? bounds[0] : low < bounds[1] ? (uint32_t)low : bounds[1];
    to[1] = high < bounds[1] ? (uint32_t)high : bounds[1];
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

/* What the rows of a quad's pixels cover of each sample. */
struct spans { int64_t of[RASTER_SAMPLES][2][2]; };

/* The columns that any sample covers: from a low to behind a high one. */
static void find_spans(const struct grid *g, const struct shape *shape, uint32_t y, const uint32_t across[2],
                       const uint32_t up[2], const struct pattern *p, struct spans *s, int64_t to[2])
{
    to[0] = INT64_MAX;
    to[1] = INT64_MIN;
    for (uint32_t k = 0; k < p->count; k++)
        for (unsigned i = 0; i < 2; i++) {
            int64_t *span = s->of[k][i];
            span[0] = span[1] = 0;
            if (y + i >= up[0] && y + i < up[1] && shape->round)
                row_of_circle(shape, y + i, p->x[k], p->y[k], across, span);
            else if (y + i >= up[0] && y + i < up[1])
                row(g, y + i, p->x[k], p->y[k], across, span);
            if (span[0] >= span[1])
                continue;
            to[0] = span[0] < to[0] ? span[0] : to[0];
            to[1] = span[1] > to[1] ? span[1] : to[1];
        }
}

/* A quad, or where samples are shaded one by one a quad of each. */
static bool add_quads(struct quads *q, const struct quad *whole, const struct pattern *p)
{
    if (!p->each)
        return !whole->covered || add(q, whole);
    for (uint32_t k = 0; k < p->count; k++) {
        struct quad one = *whole;
        one.covered = 0;
        one.sample = (int8_t)k;
        for (unsigned i = 0; i < 4; i++) {
            one.samples[i] &= (uint16_t)(1u << k);
            one.covered |= (uint8_t)((one.samples[i] != 0) << i);
        }
        if (one.covered && !add(q, &one))
            return false;
    }
    return true;
}

bool scan(const struct polygon *polygon, const struct shape *shape, uint32_t number, const struct pattern *pattern,
          struct quads *quads)
{
    struct grid g;
    struct spans spans;
    uint32_t across[2], up[2];
    int64_t columns[2];

    if (!make_grid(polygon, &g))
        return true;
    range(g.x, g.count, shape->across, across);
    range(g.y, g.count, shape->up, up);
    for (uint32_t y = up[0] & ~1u; y < up[1]; y += 2) {
        find_spans(&g, shape, y, across, up, pattern, &spans, columns);
        for (int64_t x = columns[0] & ~INT64_C(1); x < columns[1]; x += 2) {
            struct quad one = { .x = (uint32_t)x, .y = y, .shape = number, .sample = -1 };
            for (uint32_t k = 0; k < pattern->count; k++)
                for (unsigned i = 0; i < 4; i++) {
                    const int64_t *span = spans.of[k][i / 2];
                    if (x + i % 2 >= span[0] && x + i % 2 < span[1]) {
                        one.covered |= (uint8_t)(1u << i);
                        one.samples[i] |= (uint16_t)(1u << k);
                    }
                }
            if (!add_quads(quads, &one, pattern))
                return false;
        }
    }
    return true;
}
