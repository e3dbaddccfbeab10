/* Vertices in a row to primitives, in the order of the specification's section on drawing modes (2.6.1), with the
 * vertices of adjacency as table X.1 of NV_geometry_program4 has them. */
#include "raster/internal.h"

#include <string.h>

static const char *const names[RASTER_MODES] = {
    "GL_POINTS", "GL_LINES", "GL_LINE_LOOP", "GL_LINE_STRIP", "GL_TRIANGLES", "GL_TRIANGLE_STRIP", "GL_TRIANGLE_FAN",
    "GL_QUADS", "GL_QUAD_STRIP", "GL_POLYGON", "GL_LINES_ADJACENCY", "GL_LINE_STRIP_ADJACENCY",
    "GL_TRIANGLES_ADJACENCY", "GL_TRIANGLE_STRIP_ADJACENCY", "GL_PATCHES"
};

const char *raster_mode_name(unsigned mode)
{
    return mode < RASTER_MODES ? names[mode] : NULL;
}

bool primitives_add(struct primitives *p, const struct primitive *one)
{
    if (p->count == p->room) {
        size_t room = p->room ? 2 * p->room : 64;
        struct primitive *more = room < SIZE_MAX / 2 / sizeof *more ? gp5_realloc(p->list, room * sizeof *more) : NULL;
        if (!more)
            return false;
        p->list = more;
        p->room = room;
    }
    p->list[p->count++] = *one;
    return true;
}

uint32_t *primitives_ids(const struct primitives *p)
{
    uint32_t *words = gp5_malloc((p->count + 1) * 16);

    for (size_t i = 0; words && i < p->count; i++)
        memcpy(words + 4 * i, (uint32_t[4]){ p->list[i].id }, 16);
    return words;
}

struct assembly {
    struct primitives *to;
    uint32_t base, id;
    bool first, ok;
};

/* The provoking vertices of the two conventions stand behind the vertices. */
static void add(struct assembly *a, unsigned n, const uint32_t *v, uint32_t last, uint32_t first)
{
    struct primitive one = { .n = (uint8_t)n, .provoking = a->base + (a->first ? first : last), .id = a->id };
    for (unsigned i = 0; i < n; i++)
        one.v[i] = a->base + v[i];
    a->ok = a->ok && primitives_add(a->to, &one);
}

static void point(struct assembly *a, uint32_t i)
{
    add(a, 1, &i, i, i);
}

static void line(struct assembly *a, uint32_t i, uint32_t k)
{
    add(a, 2, (uint32_t[]){ i, k }, k, i);
}

static void triangle(struct assembly *a, uint32_t i, uint32_t k, uint32_t m, uint32_t last, uint32_t first)
{
    add(a, 3, (uint32_t[]){ i, k, m }, last, first);
}

static void quad(struct assembly *a, uint32_t i, uint32_t k, uint32_t m, uint32_t n, uint32_t last)
{
    triangle(a, i, k, n, last, i);
    triangle(a, k, m, n, last, i);
}

static void strip_adjacency(struct assembly *a, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++, a->id++) {
        bool odd = i % 2, last = i + 1 == n;
        uint32_t at = 2 * i, before = i ? at - 2 : 1, after = last ? at + 5 : at + 6;
        uint32_t v[6] = { at, before, at + 2, after, at + 4, at + 3 };
        if (odd)
            memcpy(v, (uint32_t[]){ at + 2, before, at, at + 3, at + 4, after }, sizeof v);
        add(a, 6, v, at + 4, at);
    }
}

bool assemble(enum raster_mode mode, uint32_t base, uint32_t count, uint32_t patch_vertices, bool first_vertex,
              struct primitives *p)
{
    struct assembly a = { .to = p, .base = base, .first = first_vertex, .ok = true };
    uint32_t n = count;

    switch (mode) {
    case RASTER_POINTS:
        for (uint32_t i = 0; i < n; i++, a.id++)
            point(&a, i);
        break;
    case RASTER_LINES:
        for (uint32_t i = 0; n - i >= 2 && i < n; i += 2, a.id++)
            line(&a, i, i + 1);
        break;
    case RASTER_LINE_LOOP: case RASTER_LINE_STRIP:
        for (uint32_t i = 0; n > 1 && i < n - 1; i++, a.id++)
            line(&a, i, i + 1);
        if (mode == RASTER_LINE_LOOP && n > 1)
            line(&a, n - 1, 0);
        break;
    case RASTER_TRIANGLES:
        for (uint32_t i = 0; i < n && n - i >= 3; i += 3, a.id++)
            triangle(&a, i, i + 1, i + 2, i + 2, i);
        break;
    case RASTER_TRIANGLE_STRIP:
        for (uint32_t i = 0; n > 2 && i < n - 2; i++, a.id++)
            triangle(&a, i + i % 2, i + 1 - i % 2, i + 2, i + 2, i);
        break;
    case RASTER_TRIANGLE_FAN:
        for (uint32_t i = 0; n > 2 && i < n - 2; i++, a.id++)
            triangle(&a, 0, i + 1, i + 2, i + 2, i + 1);
        break;
    case RASTER_POLYGON:
        for (uint32_t i = 0; n > 2 && i < n - 2; i++)
            triangle(&a, 0, i + 1, i + 2, 0, 0);
        break;
    case RASTER_QUADS:
        for (uint32_t i = 0; i < n && n - i >= 4; i += 4, a.id++)
            quad(&a, i, i + 1, i + 2, i + 3, i + 3);
        break;
    case RASTER_QUAD_STRIP:
        for (uint32_t i = 0; n > 3 && i < n - 3; i += 2, a.id++)
            quad(&a, i, i + 1, i + 3, i + 2, i + 3);
        break;
    case RASTER_LINES_ADJACENCY:
        for (uint32_t i = 0; i < n && n - i >= 4; i += 4, a.id++)
            add(&a, 4, (uint32_t[]){ i, i + 1, i + 2, i + 3 }, i + 2, i + 1);
        break;
    case RASTER_LINE_STRIP_ADJACENCY:
        for (uint32_t i = 0; n > 3 && i < n - 3; i++, a.id++)
            add(&a, 4, (uint32_t[]){ i, i + 1, i + 2, i + 3 }, i + 2, i + 1);
        break;
    case RASTER_TRIANGLES_ADJACENCY:
        for (uint32_t i = 0; i < n && n - i >= 6; i += 6, a.id++)
            add(&a, 6, (uint32_t[]){ i, i + 1, i + 2, i + 3, i + 4, i + 5 }, i + 4, i);
        break;
    case RASTER_TRIANGLE_STRIP_ADJACENCY:
        strip_adjacency(&a, n >= 6 ? (n - 4) / 2 : 0);
        break;
    case RASTER_PATCHES:
        for (uint32_t i = 0; patch_vertices && i < n && n - i >= patch_vertices; i += patch_vertices, a.id++)
            point(&a, i);
        break;
    case RASTER_MODES: break;
    }
    return a.ok;
}
