/* The fragment stage: a rectangle of pixels in 2x2 quads, eight quads a warp. Lanes of a quad: (0,0) (1,0) (0,1) (1,1).
 * Pixels outside the rectangle run as helpers, for derivatives, and leave nothing behind. With `points` each fragment
 * is a quad of its own, with three helpers that see what it sees. */
#include "eval/machine/stage_fragment.h"

#include "eval/numeric/words.h"
#include "eval/track/origin.h"

#include <stdio.h>
#include <string.h>

enum { QUADS = WARP_LANES / 4 };

/* Where quads are: their lower left pixels. */
struct quads { int32_t x[QUADS], y[QUADS]; };

/* The same within the rectangle, from 0 to 1, at the pixels' centres: the columns of quads, and both their rows. */
struct places { const double *u; _Alignas(64) double own[WARP_LANES / 2], v[2][WARP_LANES / 2]; };

static uint32_t quads_across(const struct gp5_launch *launch)
{
    return launch->points ? launch->width : launch->width / 2 + launch->width % 2;
}

static uint32_t quads_down(const struct gp5_launch *launch)
{
    return launch->points ? launch->height : launch->height / 2 + launch->height % 2;
}

static uint32_t quads_a_warp(const struct run *run)
{
    return run->warp_lanes / 4;
}

/* The other column and row of a quad. */
static unsigned second(const struct run *run)
{
    return !run->launch->points;
}

static size_t needed(const struct run *run, uint16_t kind, bool result)
{
    (void)kind;
    (void)result;
    return (size_t)run->launch->width * run->launch->height;
}

static double middle(uint32_t pixel, uint32_t size)
{
    return (pixel + 0.5) / size;
}

/* The columns' places, so that a warp need not divide: quads follow one another in a row. */
static void map_columns(struct run *run)
{
    uint32_t n = second(run) ? quads_across(run->launch) * 2 : 0;

    run->columns = n ? gp5_malloc(n * sizeof *run->columns) : NULL;
    for (uint32_t i = 0; run->columns && i < n; i++)
        run->columns[i] = middle(i, run->launch->width);
}

static bool plan(struct run *run, uint32_t *warps, char *message, size_t size)
{
    const struct gp5_launch *launch = run->launch;
    uint64_t quads = (uint64_t)quads_across(launch) * quads_down(launch);

    if (run->warp_lanes < 4) {
        snprintf(message, size, "a fragment warp of fewer than 4 lanes");
        return false;
    }
    if (launch->width > 65536 || launch->height > 65536) {
        snprintf(message, size, "a rectangle of %u x %u", launch->width, launch->height);
        return false;
    }
    if (launch->ncolors && !launch->colors) {
        snprintf(message, size, "no place for the colors");
        return false;
    }
    run->ngroups = (uint32_t)((quads + quads_a_warp(run) - 1) / quads_a_warp(run));
    *warps = 1;
    map_columns(run);
    return eval_check_arrays(run, needed, message, size);
}

/* Those of the worker's group. */
static void find_quads(const struct worker *worker, struct quads *at)
{
    const struct gp5_launch *launch = worker->run->launch;
    uint32_t across = quads_across(launch), first = worker->group * quads_a_warp(worker->run);
    uint32_t x = first % across, y = first / across;

    for (unsigned q = 0; q < QUADS; q++) {
        at->x[q] = (int32_t)(x << second(worker->run));
        at->y[q] = (int32_t)(y << second(worker->run));
        if (++x == across) {
            x = 0;
            y++;
        }
    }
}

static uint32_t column(const struct run *run, const struct quads *at, unsigned lane)
{
    return (uint32_t)at->x[lane / 4] + (lane & second(run));
}

static uint32_t row(const struct run *run, const struct quads *at, unsigned lane)
{
    return (uint32_t)at->y[lane / 4] + (lane >> 1 & second(run));
}

/* The lanes whose pixels are in the rectangle. */
static uint32_t inside(const struct worker *worker, const struct quads *at)
{
    const struct gp5_launch *launch = worker->run->launch;
    uint32_t lanes = 0;
    uint64_t last = ((uint64_t)worker->group + 1) * quads_a_warp(worker->run);

    if (!launch->points && !(launch->width % 2) && !(launch->height % 2) &&
        last <= (uint64_t)(launch->width / 2) * (launch->height / 2))
        lanes = ALL_LANES;
    else
        for (unsigned lane = 0; lane < WARP_LANES; lane++)
            lanes |=
                (uint32_t)(column(worker->run, at, lane) < launch->width &&
                           row(worker->run, at, lane) < launch->height && !(launch->points && lane % 4))
                << lane;
    if (quads_a_warp(worker->run) < WARP_LANES / 4)
        lanes &= (1u << quads_a_warp(worker->run) * 4) - 1;
    for (uint32_t rest = launch->live ? lanes : 0; rest; rest &= rest - 1) {
        unsigned lane = (unsigned)__builtin_ctz(rest);
        if (!launch->live[worker->element[lane]])
            lanes &= ~(1u << lane);
    }
    return lanes;
}

static uint32_t least(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

/* The elements of arrays that lanes read: of those outside the rectangle the nearest one's. */
static void find_elements(struct worker *worker, const struct quads *at)
{
    uint32_t width = worker->run->launch->width, height = worker->run->launch->height, on = second(worker->run);

    for (unsigned q = 0; q < QUADS; q++) {
        uint32_t x = (uint32_t)at->x[q], y = (uint32_t)at->y[q], right = least(x + on, width - 1),
                 low = least(y, height - 1) * width, high = least(y + on, height - 1) * width;
        worker->element[4 * q] = low + x;
        worker->element[4 * q + 1] = low + right;
        worker->element[4 * q + 2] = high + x;
        worker->element[4 * q + 3] = high + right;
    }
}

static float position(const struct run *run, uint32_t x, uint32_t y, unsigned component)
{
    uint64_t options = run->x->program->options;
    bool whole = options >> OPTION_ARB_fragment_coord_pixel_center_integer & 1;
    bool upper = options >> OPTION_ARB_fragment_coord_origin_upper_left & 1;
    float half = whole ? 0.0f : 0.5f;

    switch (component) {
    case 0: return (float)x + half;
    case 1: return (upper ? (float)run->launch->height - 1 - (float)y : (float)y) + half;
    case 2: return 0.5f;    /* the middle of the depth range */
    default: return 1;
    }
}

static const struct gp5_interpolant *interpolant(const struct run *run, const struct plane_source *source)
{
    uint32_t attribute;

    switch (source->kind) {
    case BIND_FRAGMENT_COLOR_PRIMARY: attribute = GP5_FRAGMENT_COLOR_PRIMARY; break;
    case BIND_FRAGMENT_COLOR_SECONDARY: attribute = GP5_FRAGMENT_COLOR_SECONDARY; break;
    case BIND_FRAGMENT_FOGCOORD: attribute = GP5_FRAGMENT_FOGCOORD; break;
    case BIND_FRAGMENT_TEXCOORD: attribute = GP5_FRAGMENT_TEXCOORD + source->index; break;
    default: return NULL;
    }
    for (size_t i = 0; i < run->launch->ninterpolants; i++)
        if (run->launch->interpolants[i].attribute == attribute)
            return &run->launch->interpolants[i];
    return NULL;
}

/* The row is mostly the same for all quads. */
static void places_of(const struct run *run, const struct quads *at, struct places *p)
{
    uint32_t height = run->launch->height, on = second(run);
    bool one_row = at->y[QUADS - 1] == at->y[0];

    p->u = run->columns && one_row ? run->columns + at->x[0] : p->own;
    for (unsigned i = 0; p->u == p->own && i < WARP_LANES / 2; i++)
        p->own[i] = middle((uint32_t)at->x[i / 2] + i % 2 * on, run->launch->width);
    for (unsigned r = 0; r < 2; r++) {
        double v = middle((uint32_t)at->y[0] + r * on, height);
        for (unsigned i = 0; i < WARP_LANES / 2; i++)
            p->v[r][i] = one_row ? v : middle((uint32_t)at->y[i / 2] + r * on, height);
    }
}

/* What the pipeline gives where the launch says nothing: a front face of the first layer, one sample that is covered.
 * False: the application's. */
static bool fill_fixed(struct warp *w, const struct plane_source *source, uint32_t helpers)
{
    uint32_t *plane = PLANE(w->base, source->plane);

    switch (source->kind) {
    case BIND_FRAGMENT_HELPERTHREAD:
        for (unsigned lane = 0; lane < WARP_LANES; lane++)
            plane[lane] = source->component ? 0 : helpers >> lane & 1;
        return true;
    case BIND_FRAGMENT_FACING:
        w->x->planes->fill(plane, source->component ? source->component == 3 ? ONE32 : 0 : ONE32);
        return true;
    case BIND_FRAGMENT_SAMPLEMASK: w->x->planes->fill(plane, !source->component); return true;
    case BIND_FRAGMENT_SAMPLEID: case BIND_FRAGMENT_LAYER: case BIND_FRAGMENT_VIEWPORT: case BIND_FRAGMENT_SHADINGRATE:
    case BIND_FRAGMENT_VIEWINDEX: case BIND_PRIMITIVE_ID: case BIND_FRAGMENT_FULLYCOVERED:
        w->x->planes->fill(plane, 0);
        return true;
    default: return false;
    }
}

/* fragment.fogcoord is (f, 0, 0, 1). */
static bool is_fixed(const struct plane_source *source)
{
    return source->kind == BIND_FRAGMENT_FOGCOORD && source->component;
}

/* How many sources from i on are filled: components of one attribute at once. */
static uint32_t fill(struct worker *worker, struct warp *w, uint32_t i, const struct quads *at,
                     const struct places *places)
{
    const struct run *run = worker->run;
    const struct plane_source *source = &w->x->sources[i];
    const struct gp5_interpolant *in = interpolant(run, source);
    uint32_t *plane = PLANE(w->base, source->plane), otherwise = source->component == 3 ? ONE32 : 0;
    uint32_t *to[4] = {NULL, NULL, NULL, NULL}, n = 0;
    float value[WARP_LANES];

    if (run->inputs[i] && !is_fixed(source)) {
        eval_fill_input(run, w, i, worker->element, otherwise);
    } else if (source->kind == BIND_FRAGMENT_POSITION) {
        for (unsigned lane = 0; lane < WARP_LANES; lane++)
            value[lane] = position(run, column(run, at, lane), row(run, at, lane), source->component);
        memcpy(plane, value, sizeof value);
    } else if (in && !is_fixed(source)) {
        for (; i + n < w->x->nsources && source[n].kind == source->kind && source[n].index == source->index &&
               !is_fixed(&source[n]); n++)
            to[source[n].component] = PLANE(w->base, source[n].plane);
        w->x->planes->between(to, in->corner, places->u, places->v);
    } else if (!fill_fixed(w, source, w->helpers) && !eval_fill_thread(w, source, worker->group)) {
        w->x->planes->fill(plane, otherwise);
        if (w->shadow && !in && !is_fixed(source))
            eval_track_mark(w, source->plane);
    }
    return n ? n : 1;
}

static bool is_result(uint16_t kind)
{
    return binding_table[kind].class == BC_RESULT;
}

static void start(struct worker *worker, struct warp *w, bool first)
{
    struct quads at;
    struct places places;
    uint32_t lanes, exist;

    find_quads(worker, &at);
    places_of(worker->run, &at, &places);
    find_elements(worker, &at);
    lanes = worker->drawn = inside(worker, &at);
    exist = lanes | lanes >> 1;
    exist = ((exist | exist >> 2) & 0x11111111) * 15;   /* whole quads */
    eval_warp_start(w, exist);
    w->helpers = exist & ~lanes;
    for (uint32_t i = 0; i < w->x->nsources; i++) {
        const struct plane_source *source = &w->x->sources[i];
        if (is_result(source->kind))
            w->x->planes->fill(PLANE(w->base, source->plane), 0);     /* of a colour that is written in part the rest */
        else if (binding_table[source->kind].class == BC_ATTRIB)
            i += fill(worker, w, i, &at, &places) - 1;
        else if (first)
            eval_fill_uniform(worker->run, w, source);
    }
}

/* ---- the end ------------------------------------------------------------------------------------------- */

/* A colour component, to the framebuffer and its shadow. `pixel`: the number of each lane's. */
static void put_color(struct warp *w, const struct plane_source *source, uint32_t lanes,
                      const uint32_t pixel[WARP_LANES])
{
    const struct run *run = w->worker->run;
    const struct gp5_launch *launch = run->launch;
    size_t first = (size_t)source->index * launch->height * launch->width * 4 + source->component;
    const uint32_t *words = PLANE(w->base, source->plane);
    uint8_t *colors = (uint8_t *)(launch->colors + first);

    for (uint32_t rest = lanes; rest; rest &= rest - 1) {
        unsigned lane = (unsigned)__builtin_ctz(rest);
        memcpy(colors + (size_t)pixel[lane] * 4 * sizeof(float), &words[lane], sizeof(float));
    }
    if (w->shadow)
        eval_shadow_put(run->colors_shadow, first, PLANE(w->shadow, source->plane), lanes, pixel);
    for (uint32_t rest = w->shadow ? lanes : 0; rest; rest &= rest - 1) {
        unsigned lane = (unsigned)__builtin_ctz(rest);
        uint32_t id = PLANE(w->shadow, source->plane)[lane];
        if (id)
            eval_reach(w, run->x->steps[run->x->nsteps - 1].insn, id, lane, "result.color");
    }
}

/* All four components of a colour, none of which is undefined. */
static void put_vectors(struct warp *w, const struct plane_source source[4], uint32_t lanes,
                        const uint32_t pixel[WARP_LANES])
{
    const struct gp5_launch *launch = w->worker->run->launch;
    float *colors = launch->colors + (size_t)source->index * launch->height * launch->width * 4;
    const uint32_t *const from[4] = {PLANE(w->base, source[0].plane), PLANE(w->base, source[1].plane),
                                     PLANE(w->base, source[2].plane), PLANE(w->base, source[3].plane)};

    w->x->planes->scatter((uint32_t *)(void *)colors, from, pixel, lanes);
}

static bool is_vector(const struct warp *w, const struct plane_source *source, uint32_t left)
{
    if (left < 4 || source->kind != BIND_RESULT_COLOR || source->index >= w->worker->run->launch->ncolors)
        return false;
    for (unsigned i = 0; i < 4; i++)
        if (source[i].kind != source->kind || source[i].index != source->index || source[i].component != i ||
            (w->shadow && w->dirty[source[i].plane]))
            return false;
    return true;
}

static void put_result(struct warp *w, const struct plane_source *source, uint32_t lanes,
                       const uint32_t pixel[WARP_LANES])
{
    const struct gp5_launch *launch = w->worker->run->launch;

    if (source->kind == BIND_RESULT_COLOR && source->index < launch->ncolors)
        put_color(w, source, lanes, pixel);
    for (; source->kind == BIND_RESULT_DEPTH && source->component == 2 && launch->depth && lanes; lanes &= lanes - 1) {
        unsigned lane = (unsigned)__builtin_ctz(lanes);
        memcpy(&launch->depth[pixel[lane]], &PLANE(w->base, source->plane)[lane], sizeof(float));
    }
}

/* To the launch's framebuffer. */
static void put_sources(struct warp *w, uint32_t lanes, const uint32_t pixel[WARP_LANES])
{
    uint32_t insn = w->x->steps[w->x->nsteps - 1].insn;

    for (uint32_t i = 0; i < w->x->nsources; i++) {
        const struct plane_source *source = &w->x->sources[i];
        if (!is_result(source->kind))
            continue;
        if (is_vector(w, source, w->x->nsources - i)) {
            put_vectors(w, source, lanes, pixel);
            i += 3;
            continue;
        }
        if (w->shadow && lanes)
            eval_resolve_marks(w, insn, PLANE(w->shadow, source->plane), lanes);
        put_result(w, source, lanes, pixel);
    }
}

static void finish(struct worker *worker)
{
    struct warp *w = &worker->warps[0];
    const struct gp5_launch *launch = worker->run->launch;
    const uint32_t *pixel = worker->element;
    uint32_t drawn = worker->drawn, lanes = drawn & ~w->killed;

    eval_fog(w, pixel);
    put_sources(w, lanes, pixel);
    eval_put_results(w, lanes, pixel, 0, NULL);
    for (uint32_t rest = drawn; rest && launch->covered; rest &= rest - 1) {
        unsigned lane = (unsigned)__builtin_ctz(rest);
        launch->covered[pixel[lane]] = lanes >> lane & 1;
    }
}

const struct stage eval_fragment_stage = {plan, start, finish, NULL};
