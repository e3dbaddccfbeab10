/* The points of a tessellated patch to points, lines and triangles: rings of the domain from the outside in, each
 * stitched to the next side by side. Which of two diagonals is taken is nobody's rule (OpenGL 4.6, 11.2.2). */
#include "raster/internal.h"

#include "asm/stage.h"
#include "asm/stage_shape.h"

#include <math.h>
#include <stdlib.h>

/* Coordinates are whole numbers of 1/65536; of a ring they are a few of these apart. Rings of fractional levels may be
 * as near as that: then they are one. */
#define ALIKE (6.0f / 65536)

struct stitch {
    const float *uvw;           /* of each point, three */
    uint32_t *inner, *outer;    /* room for two sides' points */
    struct primitives *to;
    uint32_t base, id;
    bool clockwise, first_vertex, ok;
};

static const float *point(const struct stitch *s, uint32_t i)
{
    return s->uvw + 3 * (size_t)i;
}

static void triangle(struct stitch *s, uint32_t a, uint32_t b, uint32_t c)
{
    const float *p = point(s, a), *q = point(s, b), *r = point(s, c);
    double area = ((double)q[0] - p[0]) * ((double)r[1] - p[1]) - ((double)r[0] - p[0]) * ((double)q[1] - p[1]);
    bool swap = (area < 0) != s->clockwise;
    struct primitive one = { .n = 3, .id = s->id, .v = { s->base + a, s->base + (swap ? c : b),
                                                         s->base + (swap ? b : c) } };
    if (area == 0)
        return;
    one.provoking = one.v[s->first_vertex ? 0 : 2];
    s->ok = s->ok && primitives_add(s->to, &one);
}

/* Two rows of points in the same direction, to the triangles between them. */
static void stitch(struct stitch *s, size_t n, size_t m, unsigned axis, float sign)
{
    size_t i = 0, k = 0;

    while (i + 1 < n || k + 1 < m) {
        float a = i + 1 < n ? sign * point(s, s->outer[i + 1])[axis] : INFINITY;
        float b = k + 1 < m ? sign * point(s, s->inner[k + 1])[axis] : INFINITY;
        if (a <= b) {
            triangle(s, s->outer[i], s->outer[i + 1], s->inner[k]);
            i++;
        } else {
            triangle(s, s->outer[i], s->inner[k + 1], s->inner[k]);
            k++;
        }
    }
}

/* ---- quads ------------------------------------------------------------------------------------------------- */

static bool inside(const float *p)
{
    return p[0] > 0 && p[0] < 1 && p[1] > 0 && p[1] < 1;
}

/* The points whose coordinate `across` is `at`, in the order of the other one; of the inner ones, or of a side. */
static size_t row(const struct stitch *s, uint32_t count, unsigned across, float at, bool inner, uint32_t *to)
{
    size_t n = 0;

    for (uint32_t i = 0; i < count; i++)
        if (point(s, i)[across] == at && (!inner || inside(point(s, i))))
            to[n++] = i;
    for (size_t i = 1; i < n; i++)
        for (size_t k = i; k && point(s, to[k])[1 - across] < point(s, to[k - 1])[1 - across]; k--) {
            uint32_t t = to[k];
            to[k] = to[k - 1];
            to[k - 1] = t;
        }
    return n;
}

static float limit(const struct stitch *s, uint32_t count, unsigned axis, float above, bool largest)
{
    float found = largest ? -1 : 2;

    for (uint32_t i = 0; i < count; i++) {
        float v = point(s, i)[axis];
        if (!inside(point(s, i)))
            continue;
        if (largest ? v > found : v > above && v < found)
            found = v;
    }
    return found;
}

static void quads(struct stitch *s, uint32_t count)
{
    if (limit(s, count, 0, 0, true) < 0) {      /* no inner points: one cell */
        size_t n = row(s, count, 1, 0, false, s->outer), m = row(s, count, 1, 1, false, s->inner);
        stitch(s, n, m, 0, 1);
        return;
    }
    for (unsigned across = 0; across < 2; across++)
        for (unsigned side = 0; side < 2; side++) {
            float near = side ? limit(s, count, across, 0, true) : limit(s, count, across, 0, false);
            size_t n = row(s, count, across, (float)side, false, s->outer),
                   m = row(s, count, across, near, true, s->inner);
            stitch(s, n, m, 1 - across, 1);
        }
    for (float v = limit(s, count, 1, 0, false), next; (next = limit(s, count, 1, v, false)) < 2; v = next) {
        size_t n = row(s, count, 1, v, true, s->outer), m = row(s, count, 1, next, true, s->inner);
        stitch(s, n, m, 0, 1);
    }
}

/* ---- triangles --------------------------------------------------------------------------------------------- */

static float depth(const float *p)
{
    return fminf(p[0], fminf(p[1], p[2]));
}

/* Of the ring at `at` the side where coordinate k is least, in the order of the next coordinate. */
static size_t ring_side(const struct stitch *s, uint32_t count, float at, unsigned k, uint32_t *to)
{
    unsigned along = (k + 1) % 3;
    size_t n = 0;

    for (uint32_t i = 0; i < count; i++)
        if (fabsf(depth(point(s, i)) - at) < ALIKE && point(s, i)[k] - depth(point(s, i)) < ALIKE)
            to[n++] = i;
    for (size_t i = 1; i < n; i++)
        for (size_t j = i; j && point(s, to[j])[along] < point(s, to[j - 1])[along]; j--) {
            uint32_t t = to[j];
            to[j] = to[j - 1];
            to[j - 1] = t;
        }
    return n;
}

static void triangles(struct stitch *s, uint32_t count)
{
    for (float at = 0, next;; at = next) {
        next = 2;
        for (uint32_t i = 0; i < count; i++) {
            float d = depth(point(s, i));
            if (d > at + ALIKE && d < next)
                next = d;
        }
        for (unsigned k = 0; next < 2 && k < 3; k++) {
            size_t n = ring_side(s, count, at, k, s->outer), m = ring_side(s, count, next, k, s->inner);
            stitch(s, n, m, (k + 1) % 3, 1);
        }
        if (next == 2) {        /* the innermost ring: a point, or one triangle */
            size_t n = ring_side(s, count, at, 0, s->outer), m = ring_side(s, count, at, 1, s->inner);
            if (n == 2 && m == 2)
                triangle(s, s->outer[0], s->outer[1],
                         s->inner[0] == s->outer[0] || s->inner[0] == s->outer[1] ? s->inner[1] : s->inner[0]);
            return;
        }
    }
}

/* ---- all of it --------------------------------------------------------------------------------------------- */

static void lines(struct stitch *s, uint32_t count)
{
    for (uint32_t i = 0; i + 1 < count; i++) {
        struct primitive one = { .n = 2, .id = s->id, .v = { s->base + i, s->base + i + 1 } };
        one.provoking = one.v[s->first_vertex ? 0 : 1];
        if (point(s, i)[1] == point(s, i + 1)[1])
            s->ok = s->ok && primitives_add(s->to, &one);
    }
}

bool patch_topology(const struct stage_shape *shape, const float *uvw, uint32_t count, uint32_t base, uint32_t id,
                    bool first_vertex, struct primitives *to)
{
    struct stitch s = { .uvw = uvw, .to = to, .base = base, .id = id, .first_vertex = first_vertex, .ok = true,
                        .clockwise = shape->order == STAGE_WORD_CW };

    s.outer = gp5_malloc((count + 1) * sizeof *s.outer);
    s.inner = gp5_malloc((count + 1) * sizeof *s.inner);
    if (!s.outer || !s.inner)
        s.ok = false;
    for (uint32_t i = 0; s.ok && shape->point_mode && i < count; i++) {
        struct primitive one = { .n = 1, .id = id, .v = { base + i }, .provoking = base + i };
        s.ok = primitives_add(to, &one);
    }
    if (s.ok && !shape->point_mode) {
        if (shape->mode == STAGE_WORD_ISOLINES)
            lines(&s, count);
        else if (shape->mode == STAGE_WORD_QUADS)
            quads(&s, count);
        else
            triangles(&s, count);
    }
    gp5_free(s.outer);
    gp5_free(s.inner);
    return s.ok;
}
