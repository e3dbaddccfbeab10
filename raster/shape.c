/* A primitive in clip space to a shape on the screen: clipped against the view volume and the planes that are enabled,
 * in homogeneous coordinates, as shares of its vertices. Values across it are functions of window x and y that need no
 * clipped vertices: of the primitive's own homogeneous coordinates (Olano and Greer, 1997). */
#include "raster/internal.h"

#include "asm/program.h"

#include <math.h>
#include <string.h>

enum { DISTANCES = 6 + 8 };

/* Coordinates on the screen stay small enough to be whole numbers of 1/256 pixel; what lies beyond is outside. */
#define GUARD 16.0
#define POINT_GUARD 4096.0      /* the largest points reach no farther */

static float number(const struct vertices *v, enum slot slot, uint32_t vertex, unsigned c)
{
    float value;
    memcpy(&value, &v->words[slot][(size_t)vertex * 4 + c], sizeof value);
    return value;
}

/* ---- clipping ---------------------------------------------------------------------------------------------- */

/* A corner: the share of each vertex. */
struct corner { double b[3]; };

struct clipped {
    unsigned count;
    struct corner corner[MOST_CORNERS + 1];
};

static double at(const struct corner *c, const double d[3])
{
    return c->b[0] * d[0] + c->b[1] * d[1] + c->b[2] * d[2];
}

static struct corner between(const struct corner *a, double da, const struct corner *b, double db)
{
    struct corner c;
    double t = da / (da - db);
    for (unsigned i = 0; i < 3; i++)
        c.b[i] = a->b[i] + t * (b->b[i] - a->b[i]);
    return c;
}

/* What of it has a distance that is not negative. Of a line's two corners there is one edge, not two. */
static void cut(struct clipped *p, const double d[3], bool line)
{
    struct clipped from = *p;

    p->count = 0;
    for (unsigned i = 0; i < from.count && p->count < MOST_CORNERS; i++) {
        const struct corner *a = &from.corner[i], *b = &from.corner[(i + 1) % from.count];
        double da = at(a, d), db = at(b, d);
        bool edge = from.count > 1 && !(line && i == 1);
        if (da >= 0)
            p->corner[p->count++] = *a;
        if (edge && ((da >= 0 && db < 0) || (da < 0 && db >= 0)))
            p->corner[p->count++] = between(a, da, b, db);
    }
}

/* How far inside of each limit a vertex is. */
static unsigned distances(const struct pipeline *p, uint32_t vertex, double guard, double d[DISTANCES])
{
    const struct raster_state *s = &p->draw->state;
    const struct vertices *v = &p->vertices;
    double x = number(v, SLOT_POSITION, vertex, 0), y = number(v, SLOT_POSITION, vertex, 1),
           z = number(v, SLOT_POSITION, vertex, 2), w = number(v, SLOT_POSITION, vertex, 3);
    unsigned count = 0;

    d[count++] = guard * w - x;
    d[count++] = guard * w + x;
    d[count++] = guard * w - y;
    d[count++] = guard * w + y;
    d[count++] = s->depth_clamp ? w : w - z;
    d[count++] = s->depth_clamp ? w : w + z;
    for (unsigned i = 0; i < 8; i++)
        if (s->clip_planes >> i & 1 && v->words[SLOT_CLIP + i])
            d[count++] = number(v, SLOT_CLIP + i, vertex, 0);
    return count;
}

static bool clip(const struct pipeline *p, const struct primitive *one, struct clipped *c)
{
    double d[3][DISTANCES] = { { 0 } };
    unsigned count = 0;
    double guard = p->draw->viewports              ? 1
                   : one->n == 1 && p->draw->beside ? POINT_GUARD
                   : one->n < 3                     ? 1       /* a wide one would reach into the window */
                                                    : GUARD;

    *c = (struct clipped){ .count = one->n };
    for (unsigned i = 0; i < one->n; i++) {
        count = distances(p, one->v[i], guard, d[i]);
        c->corner[i].b[i] = 1;
        for (unsigned k = 0; k < count; k++)
            if (isnan(d[i][k]) || isinf(d[i][k]))
                return false;
    }
    for (unsigned k = 0; k < count; k++) {
        const double of[3] = { d[0][k], d[1][k], d[2][k] };
        if (of[0] < 0 || of[1] < 0 || of[2] < 0)
            cut(c, of, one->n == 2);
    }
    return c->count >= one->n;
}

/* ---- window space ------------------------------------------------------------------------------------------ */

/* A vertex as x w, y w, w in pixels. */
static void project(const struct pipeline *p, const double view[4], uint32_t vertex, double h[3])
{
    double x = number(&p->vertices, SLOT_POSITION, vertex, 0), y = number(&p->vertices, SLOT_POSITION, vertex, 1);

    h[2] = number(&p->vertices, SLOT_POSITION, vertex, 3);
    h[0] = (x + h[2]) / 2 * view[2] + view[0] * h[2];
    h[1] = (y + h[2]) / 2 * view[3] + view[1] * h[2];
}

static void to_screen(const struct corner *c, double h[3][3], double *x, double *y, double *w)
{
    double v[3];
    for (unsigned k = 0; k < 3; k++)
        v[k] = c->b[0] * h[0][k] + c->b[1] * h[1][k] + c->b[2] * h[2][k];
    *x = v[0] / v[2];
    *y = v[1] / v[2];
    *w = v[2];
}

static void cross(const double a[3], const double b[3], double to[3])
{
    to[0] = a[1] * b[2] - a[2] * b[1];
    to[1] = a[2] * b[0] - a[0] * b[2];
    to[2] = a[0] * b[1] - a[1] * b[0];
}

static bool set_triangle(const struct clipped *c, double h[3][3], struct shape *s, struct polygon *polygon)
{
    double area, w;

    for (unsigned i = 0; i < 3; i++)
        cross(h[(i + 1) % 3], h[(i + 2) % 3], s->weight[i]);
    area = s->weight[0][0] * h[0][0] + s->weight[0][1] * h[0][1] + s->weight[0][2] * h[0][2];
    if (area == 0 || !isfinite(area))
        return false;
    for (unsigned i = 0; i < 3; i++)
        for (unsigned k = 0; k < 3; k++)
            s->weight[i][k] /= area;
    s->back = area < 0;
    for (unsigned i = 0; i < c->count; i++) {
        to_screen(&c->corner[i], h, &polygon->x[i], &polygon->y[i], &w);
        if (!(w > 0) || !isfinite(polygon->x[i]) || !isfinite(polygon->y[i]))
            return false;
    }
    polygon->count = c->count;
    return true;
}

/* A line is one pixel wide along its minor axis; on samples it is a rectangle. */
static bool set_line(const struct clipped *c, double h[3][3], bool samples, struct shape *s, struct polygon *polygon)
{
    double x[2], y[2], w[2];

    for (unsigned i = 0; i < 2; i++) {
        to_screen(&c->corner[i], h, &x[i], &y[i], &w[i]);
        if (!(w[i] > 0) || !isfinite(x[i]) || !isfinite(y[i]))
            return false;
    }
    double dx = x[1] - x[0], dy = y[1] - y[0], length = dx * dx + dy * dy;
    if (length == 0)
        return false;
    const double along[3] = { dx / length, dy / length, -(x[0] * dx + y[0] * dy) / length };
    for (unsigned i = 0; i < 2; i++) {
        double from = c->corner[0].b[i] / w[0], to = c->corner[1].b[i] / w[1];
        for (unsigned k = 0; k < 3; k++)
            s->weight[i][k] = (to - from) * along[k] + (k == 2 ? from : 0);
    }
    bool flat = fabs(dx) >= fabs(dy);
    const double across[2] = { samples ? -dy / sqrt(length) : !flat, samples ? dx / sqrt(length) : flat };
    polygon->count = 4;
    for (unsigned i = 0; i < 4; i++) {
        unsigned end = i == 1 || i == 2;
        double side = i < 2 ? -0.5 : 0.5;
        polygon->x[i] = x[end] + side * across[0];
        polygon->y[i] = y[end] + side * across[1];
    }
    return true;
}

static double point_size(const struct pipeline *p, uint32_t vertex)
{
    bool own = p->draw->state.program_point_size && p->vertices.words[SLOT_SIZE];
    double size = own ? number(&p->vertices, SLOT_SIZE, vertex, 0) : p->draw->gl->point_size;

    return size >= 1 ? size < 2048 ? size : 2048 : 1;
}

/* As NVIDIA's driver has it, and as compatible contexts do: a size is a whole one, and the middle of what is no sprite
 * stands in the middle of a pixel, or between two where the size is even. A sprite's coordinates know nothing of it. */
static double align_point(struct shape *s)
{
    double size = fmax(rint(s->size), 1), half = fmod(size, 2) != 0 ? 0 : 0.5;

    if (!s->sprite) {
        s->x = floor(s->x + half) + 0.5 - half;
        s->y = floor(s->y + half) + 0.5 - half;
    }
    return size;
}

static bool set_point(const struct pipeline *p, double h[3][3], struct shape *s, struct polygon *polygon)
{
    double w = h[0][2];

    if (!(w > 0))
        return false;
    s->x = h[0][0] / w;
    s->y = h[0][1] / w;
    s->size = point_size(p, s->v[0]);
    s->sprite = p->draw->state.point_sprite;
    s->round = p->window->samples > 1 && !s->sprite;
    s->weight[0][2] = 1 / w;
    double size = p->draw->beside && p->window->samples <= 1 ? align_point(s) : s->size;
    polygon->count = 4;
    for (unsigned i = 0; i < 4; i++) {
        polygon->x[i] = s->x + (i == 1 || i == 2 ? 0.5 : -0.5) * size;
        polygon->y[i] = s->y + (i >= 2 ? 0.5 : -0.5) * size;
    }
    return true;
}

/* Window depth: z over w by the same shares. */
static void set_depth(const struct pipeline *p, struct shape *s)
{
    double near = p->draw->gl->depth_range[0], far = p->draw->gl->depth_range[1];

    for (unsigned k = 0; k < 3; k++) {
        double z = 0;
        for (unsigned i = 0; i < s->n; i++)
            z += s->weight[i][k] * number(&p->vertices, SLOT_POSITION, s->v[i], 2);
        s->z[k] = z * (far - near) / 2 + (k == 2 ? (far + near) / 2 : 0);
    }
}

/* The last stage before the rasteriser. */
static const struct raster_stage *last_stage(const struct pipeline *p)
{
    static const enum raster_place places[] = { RASTER_GEOMETRY, RASTER_EVALUATION, RASTER_VERTEX };
    const struct raster_stage *last = NULL;

    for (size_t i = 0; !last && i < sizeof places / sizeof *places; i++)
        last = p->draw->stages[places[i]];
    return last;
}

static slot_set named_slots(const struct pipeline *p, unsigned first, unsigned count)
{
    const struct raster_stage *last = last_stage(p);
    slot_set slots = 0;
    char text[48];

    for (unsigned i = first; last && i < first + count; i++)
        if (program_names(last, slot_name(text, "result.", i)))
            slots |= SLOT_BIT(i);
    return slots;
}

slot_set cull_slots(const struct pipeline *p)
{
    return named_slots(p, SLOT_CULL, 8);
}

slot_set place_slots(const struct pipeline *p)
{
    return named_slots(p, SLOT_LAYER, 3);
}

/* ---- where it is drawn ------------------------------------------------------------------------------------- */

static uint32_t word_of(const struct pipeline *p, enum slot slot, const struct primitive *one)
{
    const uint32_t *words = p->vertices.words[slot];
    return words ? words[(size_t)one->provoking * 4] : 0;
}

unsigned shapes_each(const struct pipeline *p)
{
    return p->vertices.words[SLOT_VIEWPORTMASK] ? RASTER_VIEWPORTS : 1;
}

/* Layer and viewport of the provoking vertex; none where they are beyond those that there are. */
static bool set_place(const struct pipeline *p, const struct primitive *one, unsigned n, struct shape *s)
{
    const struct raster_window *w = p->window;
    bool each = shapes_each(p) != 1;
    uint32_t viewport = each ? n : word_of(p, SLOT_VIEWPORT, one), layers = w->layers ? w->layers : 1;

    s->layer = word_of(p, SLOT_LAYER, one);
    if (program_has_option(last_stage(p), OPTION_NV_layer_viewport_relative))
        s->layer += viewport;
    s->layer = w->layered ? s->layer : 0;
    if (s->layer >= layers || viewport >= RASTER_VIEWPORTS ||
        (each && !(word_of(p, SLOT_VIEWPORTMASK, one) >> n & 1)))
        return false;
    s->across[1] = w->width;
    s->up[1] = w->height;
    s->view[2] = w->width;
    s->view[3] = w->height;
    for (unsigned i = 0; p->draw->viewports && i < 4; i++)
        s->view[i] = p->draw->viewports[viewport].at[i];
    return true;
}

/* A primitive is culled where one distance is negative, or no number, at all of its vertices. */
static bool is_culled(const struct pipeline *p, const struct primitive *one)
{
    for (unsigned slot = SLOT_CULL; slot < SLOT_CULL + 8; slot++) {
        bool outside = p->vertices.words[slot] != NULL;
        for (unsigned i = 0; outside && i < one->n; i++)
            outside = !(number(&p->vertices, (enum slot)slot, one->v[i], 0) >= 0);
        if (outside)
            return true;
    }
    return false;
}

bool shape_of(const struct pipeline *p, const struct primitive *one, unsigned n, struct shape *s,
              struct polygon *polygon)
{
    struct clipped c;
    double h[3][3] = { { 0 } };
    bool seen;

    *s = (struct shape){ .n = one->n, .provoking = one->provoking, .id = one->id };
    if (one->n > 3 || !set_place(p, one, n, s) || is_culled(p, one) || !clip(p, one, &c))
        return false;
    for (unsigned i = 0; i < one->n; i++) {
        s->v[i] = one->v[i];
        project(p, s->view, one->v[i], h[i]);
        s->w[i] = h[i][2];
    }
    if (one->n == 3)
        seen = set_triangle(&c, h, s, polygon);
    else
        seen = one->n == 2 ? set_line(&c, h, p->window->samples > 1, s, polygon) : set_point(p, h, s, polygon);
    if (seen)
        set_depth(p, s);
    return seen;
}
