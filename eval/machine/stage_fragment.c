/* The fragment stage: a rectangle of pixels in 2x2 quads, eight quads a warp. Lanes of a quad: (0,0) (1,0) (0,1) (1,1).
 * Pixels outside the rectangle run as helpers, for derivatives, and leave nothing behind. With `points` each fragment
 * is a quad of its own, with three helpers that see what it sees. */
#include "eval/machine/stage_fragment.h"

#include "eval/numeric/words.h"
#include "eval/track/origin.h"

#include <stdio.h>
#include <string.h>

/* Where a lane is. */
struct pixel { uint32_t x, y; };

/* The same within the rectangle, from 0 to 1, at the pixel's centre. */
struct places { double u[WARP_LANES], v[WARP_LANES]; };

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

static size_t needed(const struct run *run, uint16_t kind, bool result)
{
    (void)kind;
    (void)result;
    return (size_t)run->launch->width * run->launch->height;
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
    return eval_check_arrays(run, needed, message, size);
}

/* Where the lanes of the worker's group are. */
static void find_pixels(const struct worker *worker, struct pixel at[WARP_LANES])
{
    const struct gp5_launch *launch = worker->run->launch;
    uint32_t across = quads_across(launch), quads = quads_a_warp(worker->run);
    uint64_t first = (uint64_t)worker->group * quads;
    uint32_t x = (uint32_t)(first % across), y = (uint32_t)(first / across);

    for (unsigned quad = 0; quad < WARP_LANES; quad += 4) {
        for (unsigned i = 0; i < 4; i++)
            at[quad + i] = launch->points ? (struct pixel){x, y} : (struct pixel){x * 2 + i % 2, y * 2 + i / 2};
        if (++x == across) {
            x = 0;
            y++;
        }
    }
}

/* The lanes whose pixels are in the rectangle. */
static uint32_t inside(const struct worker *worker, const struct pixel at[WARP_LANES])
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
                (uint32_t)(at[lane].x < launch->width && at[lane].y < launch->height && !(launch->points && lane % 4))
                << lane;
    if (quads_a_warp(worker->run) < WARP_LANES / 4)
        lanes &= (1u << quads_a_warp(worker->run) * 4) - 1;
    for (uint32_t rest = launch->live ? lanes : 0; rest; rest &= rest - 1) {
        unsigned lane = (unsigned)__builtin_ctz(rest);
        if (!launch->live[(size_t)at[lane].y * launch->width + at[lane].x])
            lanes &= ~(1u << lane);
    }
    return lanes;
}

/* The elements of arrays that lanes read: of those outside the rectangle the nearest one's. */
static void find_elements(const struct run *run, const struct pixel at[WARP_LANES], uint32_t element[WARP_LANES])
{
    uint32_t width = run->launch->width, height = run->launch->height;

    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        uint32_t x = at[lane].x < width ? at[lane].x : width - 1, y = at[lane].y < height ? at[lane].y : height - 1;
        element[lane] = y * width + x;
    }
}

static float position(const struct run *run, struct pixel p, unsigned component)
{
    uint64_t options = run->x->program->options;
    bool whole = options >> OPTION_ARB_fragment_coord_pixel_center_integer & 1;
    bool upper = options >> OPTION_ARB_fragment_coord_origin_upper_left & 1;
    float half = whole ? 0.0f : 0.5f;

    switch (component) {
    case 0: return (float)p.x + half;
    case 1: return (upper ? (float)run->launch->height - 1 - (float)p.y : (float)p.y) + half;
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

/* Columns and rows of pixels are shared by the lanes of a quad, rows mostly by all quads. */
static void places_of(const struct run *run, const struct pixel at[WARP_LANES], struct places *p)
{
    for (unsigned quad = 0; quad < WARP_LANES; quad += 4) {
        for (unsigned i = 0; i < 2; i++) {
            unsigned lane = quad + i;
            p->u[lane] = p->u[lane + 2] = ((double)at[lane].x + 0.5) / run->launch->width;
        }
        for (unsigned i = 0; i < 2; i++) {
            unsigned lane = quad + 2 * i;
            p->v[lane] = p->v[lane + 1] = quad && at[lane].y == at[lane - 4].y
                                              ? p->v[lane - 4]
                                              : ((double)at[lane].y + 0.5) / run->launch->height;
        }
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

static void fill(struct worker *worker, struct warp *w, uint32_t i, const struct pixel at[WARP_LANES],
                 const struct places *places, const uint32_t element[WARP_LANES])
{
    const struct run *run = worker->run;
    const struct plane_source *source = &w->x->sources[i];
    const struct gp5_interpolant *in = interpolant(run, source);
    uint32_t *plane = PLANE(w->base, source->plane), otherwise = source->component == 3 ? ONE32 : 0;
    unsigned c = source->component;
    float value[WARP_LANES];

    if (run->inputs[i] && !is_fixed(source)) {
        eval_fill_input(run, w, i, element, otherwise);
    } else if (source->kind == BIND_FRAGMENT_POSITION) {
        for (unsigned lane = 0; lane < WARP_LANES; lane++)
            value[lane] = position(run, at[lane], c);
        memcpy(plane, value, sizeof value);
    } else if (in && !is_fixed(source)) {
        const float corner[4] = {in->corner[0][c], in->corner[1][c], in->corner[2][c], in->corner[3][c]};
        w->x->planes->between(plane, corner, places->u, places->v);
    } else if (!fill_fixed(w, source, w->helpers) && !eval_fill_thread(w, source, worker->group)) {
        w->x->planes->fill(plane, otherwise);
        if (w->shadow && !in && !is_fixed(source))
            eval_track_mark(w, source->plane);
    }
}

static bool is_result(uint16_t kind)
{
    return binding_table[kind].class == BC_RESULT;
}

static void start(struct worker *worker, struct warp *w, bool first)
{
    struct pixel at[WARP_LANES];
    struct places places;
    uint32_t lanes, exist = 0, element[WARP_LANES];

    find_pixels(worker, at);
    places_of(worker->run, at, &places);
    find_elements(worker->run, at, element);
    lanes = inside(worker, at);
    for (unsigned quad = 0; quad < WARP_LANES; quad += 4)
        if (lanes >> quad & 15)
            exist |= 15u << quad;
    eval_warp_start(w, exist);
    w->helpers = exist & ~lanes;
    for (uint32_t i = 0; i < w->x->nsources; i++) {
        const struct plane_source *source = &w->x->sources[i];
        if (is_result(source->kind))
            w->x->planes->fill(PLANE(w->base, source->plane), 0);     /* of a colour that is written in part the rest */
        else if (binding_table[source->kind].class == BC_ATTRIB)
            fill(worker, w, i, at, &places, element);
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
    for (uint32_t rest = w->shadow ? lanes : 0; rest; rest &= rest - 1) {
        unsigned lane = (unsigned)__builtin_ctz(rest);
        uint32_t id = PLANE(w->shadow, source->plane)[lane];
        run->colors_shadow[first + (size_t)pixel[lane] * 4] = id;
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
    const uint32_t *x = PLANE(w->base, source[0].plane), *y = PLANE(w->base, source[1].plane),
                   *z = PLANE(w->base, source[2].plane), *v = PLANE(w->base, source[3].plane);

    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        const uint32_t words[4] = {x[lane], y[lane], z[lane], v[lane]};
        if (lanes >> lane & 1)
            memcpy(colors + (size_t)pixel[lane] * 4, words, sizeof words);
    }
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
    struct pixel at[WARP_LANES];
    uint32_t pixel[WARP_LANES], lanes, drawn;

    find_pixels(worker, at);
    find_elements(worker->run, at, pixel);
    drawn = inside(worker, at);
    lanes = drawn & ~w->killed;
    eval_fog(w, pixel);
    put_sources(w, lanes, pixel);
    eval_put_results(w, lanes, pixel, 0, NULL);
    for (uint32_t rest = drawn; rest && launch->covered; rest &= rest - 1) {
        unsigned lane = (unsigned)__builtin_ctz(rest);
        launch->covered[pixel[lane]] = lanes >> lane & 1;
    }
}

const struct stage eval_fragment_stage = {plan, start, finish, NULL};
