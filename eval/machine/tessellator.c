/* The points of a tessellated patch (OpenGL 4.6 11.2.2) with coordinates as NVIDIA's driver has them, which are those
 * of Direct3D's tessellator: fixed-point numbers of 16 bits, those above one half the mirror image of those below; of
 * a fractional level between where a point is for the whole one below and above. */
#include "asm/stage.h"
#include "eval/machine/warp_state.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 64 };

struct points {
    float *xyz;
    size_t count, room;
    bool failed;
};

static void add(struct points *p, float x, float y, float z)
{
    if (p->count == p->room) {
        size_t room = p->room ? 2 * p->room : 64;
        float *more = gp5_realloc(p->xyz, room * 3 * sizeof *more);
        if (!more) {
            p->failed = true;
            return;
        }
        p->xyz = more;
        p->room = room;
    }
    float *at = p->xyz + 3 * p->count++;
    at[0] = x;
    at[1] = y;
    at[2] = z;
}

/* ---- levels -------------------------------------------------------------------------------------------- */

enum { ONE16 = 65536, THIRD16 = 0x5555, TWO_THIRDS16 = 0xaaaa };

/* An edge cut into `segments`. Half of its points are those of the level below, but for one that is new behind point
 * `split`, on the way to those of the level above, as far as `fraction` says. */
struct edge {
    unsigned segments, half, split;
    uint32_t fraction, below, above;    /* the lengths of a segment for both, all in 1/65536 */
};

static uint32_t part(unsigned n)
{
    return n ? (uint32_t)lrint((double)ONE16 / n) : 0;
}

static unsigned without_top_bit(unsigned n)
{
    return n ? n & ~(1u << (31 - __builtin_clz(n))) : 0;
}

static struct edge edge_of(float level, uint8_t spacing)
{
    float least = spacing == STAGE_WORD_FRACTIONAL_EVEN ? 2 : 1;
    float most = spacing == STAGE_WORD_FRACTIONAL_ODD ? MOST - 1 : MOST;
    float within = level < least ? least : level > most ? most : level;
    uint32_t l = (uint32_t)lrintf((spacing == STAGE_WORD_EQUAL ? ceilf(within) : within) * ONE16);
    bool odd = spacing == STAGE_WORD_EQUAL ? l / ONE16 % 2 : spacing == STAGE_WORD_FRACTIONAL_ODD;
    uint32_t half = (l + 1) / 2 + (odd || l == ONE16 ? ONE16 / 2 : 0);
    uint32_t lower = half / ONE16, upper = (half + ONE16 - 1) / ONE16;

    return (struct edge){.segments = 2 * upper - odd,
                         .half = upper,
                         .split = upper == lower ? upper + 1
                                  : !odd         ? 2 * without_top_bit(lower) + 1
                                  : lower == 1   ? 0
                                                 : 2 * without_top_bit(lower - 1) + 1,
                         .fraction = half % ONE16,
                         .below = part(2 * lower - odd),
                         .above = part(2 * upper - odd)};
}

/* Where the kth of the edge's points is, in 1/65536. */
static uint32_t place(const struct edge *e, unsigned k)
{
    unsigned odd = e->segments % 2;

    if (k >= e->half + !odd)
        return ONE16 - place(e, e->segments - k);
    if (k == e->half)
        return ONE16 / 2;
    uint64_t below = (uint64_t)(k - (k > e->split)) * e->below, above = (uint64_t)k * e->above;
    return (uint32_t)((below * (ONE16 - e->fraction) + above * e->fraction + ONE16 / 2) / ONE16);
}

static float coordinate(uint32_t place16)
{
    return (float)place16 / 65536.0f;
}

/* ---- quads and lines ----------------------------------------------------------------------------------- */

static void quad_edges(struct points *p, const struct edge outer[4])
{
    for (unsigned k = 0; k <= outer[1].segments; k++)
        add(p, coordinate(place(&outer[1], k)), 0, 0);
    for (unsigned k = 0; k <= outer[3].segments; k++)
        add(p, coordinate(place(&outer[3], k)), 1, 0);
    for (unsigned k = 1; k < outer[0].segments; k++)
        add(p, 0, coordinate(place(&outer[0], k)), 0);
    for (unsigned k = 1; k < outer[2].segments; k++)
        add(p, 1, coordinate(place(&outer[2], k)), 0);
}

/* An inner level of 1 becomes what is just above it where an outer one is not 1. */
static void widen(struct edge *inner, uint8_t spacing)
{
    if (inner->segments == 1)
        *inner = edge_of(spacing == STAGE_WORD_EQUAL ? 2 : 1 + 1.0f / ONE16, spacing);
}

static void quads(struct points *p, const float outer[4], const float inner[2], uint8_t spacing)
{
    struct edge side[4], in[2] = {edge_of(inner[0], spacing), edge_of(inner[1], spacing)};
    bool one = true;

    for (unsigned i = 0; i < 4; i++) {
        side[i] = edge_of(outer[i], spacing);
        one &= side[i].segments == 1;
    }
    one &= in[0].segments == 1 && in[1].segments == 1;
    quad_edges(p, side);
    for (unsigned i = 0; i < 2 && !one; i++)
        widen(&in[i], spacing);
    for (unsigned j = 1; j < in[1].segments; j++)
        for (unsigned i = 1; i < in[0].segments; i++)
            add(p, coordinate(place(&in[0], i)), coordinate(place(&in[1], j)), 0);
}

static void isolines(struct points *p, const float outer[4], uint8_t spacing)
{
    struct edge lines = edge_of(outer[0], STAGE_WORD_EQUAL), along = edge_of(outer[1], spacing);

    for (unsigned j = 0; j < lines.segments; j++)
        for (unsigned i = 0; i <= along.segments; i++)
            add(p, coordinate(place(&along, i)), coordinate(place(&lines, j)), 0);
}

/* ---- triangles ----------------------------------------------------------------------------------------- */

/* A point at `at` of the way from corner a to corner b. */
static void add_side(struct points *p, unsigned a, unsigned b, uint32_t at)
{
    float c[3] = {0};

    c[a] = coordinate(65536 - at);
    c[b] = coordinate(at);
    add(p, c[0], c[1], c[2]);
}

static void add_inside(struct points *p, uint32_t x, uint32_t y)
{
    add(p, coordinate(x), coordinate(y), coordinate(ONE16 - x - y));
}

/* The ring that lies r segments inside: points of its three sides, by the places of the whole edge. A side's distance
 * from that of the triangle is two thirds of what the edge's place is, and half of it is lost at either end. */
static void ring(struct points *p, const struct edge *e, unsigned r)
{
    unsigned end = e->segments - r;
    uint32_t inset = (uint32_t)(((uint64_t)place(e, r) * TWO_THIRDS16 + ONE16 / 2) / ONE16), lost = (inset + 1) / 2;

    if (r == end)
        add_inside(p, THIRD16, THIRD16);
    for (unsigned k = r; k < end; k++) {
        uint32_t along = place(e, k) - lost, back = place(e, end - (k - r)) - lost;
        add_inside(p, inset, back);
        add_inside(p, along, inset);
        add_inside(p, back, ONE16 - back - inset);
    }
}

static void triangles(struct points *p, const float outer[4], const float inner[2], uint8_t spacing)
{
    struct edge side[3], in = edge_of(inner[0], spacing);
    bool one = in.segments == 1;

    for (unsigned i = 0; i < 3; i++) {
        side[i] = edge_of(outer[i], spacing);
        one &= side[i].segments == 1;
    }
    /* Outer level 0 is of the side where x is 0, from y to z. */
    for (unsigned i = 0; i < 3; i++)
        for (unsigned k = 0; k < side[i].segments; k++)
            add_side(p, (i + 1) % 3, (i + 2) % 3, place(&side[i], k));
    if (one)
        return;
    widen(&in, spacing);
    for (unsigned r = 1; 2 * r <= in.segments; r++)
        ring(p, &in, r);
}

/* ---- the whole ----------------------------------------------------------------------------------------- */

static int by_v_and_u(const void *a, const void *b)
{
    const float *x = a, *y = b;

    if (x[1] != y[1])
        return x[1] < y[1] ? -1 : 1;
    return x[0] < y[0] ? -1 : x[0] > y[0];
}

size_t gp5_tessellate(const gp5_executable *x, const float outer[4], const float inner[2], float **coordinates)
{
    struct points p = {.xyz = NULL};
    uint8_t mode = x->shape.mode, spacing = x->shape.spacing;
    unsigned used = mode == STAGE_WORD_QUADS ? 4 : mode == STAGE_WORD_ISOLINES ? 2 : 3;

    *coordinates = NULL;
    for (unsigned i = 0; i < used; i++)
        if (!(outer[i] > 0))
            return 0;
    switch (mode) {
    case STAGE_WORD_QUADS: quads(&p, outer, inner, spacing); break;
    case STAGE_WORD_ISOLINES: isolines(&p, outer, spacing); break;
    default: triangles(&p, outer, inner, spacing); break;
    }
    if (p.failed) {
        gp5_free(p.xyz);
        return SIZE_MAX;
    }
    qsort(p.xyz, p.count, 3 * sizeof *p.xyz, by_v_and_u);
    *coordinates = p.xyz;
    return p.count;
}
