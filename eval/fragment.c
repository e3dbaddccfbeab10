/* The fragment stage: a rectangle of pixels in 2x2 quads, eight quads a warp. Lanes of a quad: (0,0) (1,0)
 * (0,1) (1,1). Pixels outside the rectangle run as helpers, for derivatives, and leave nothing behind. */
#include "eval/origins.h"
#include "eval/stage.h"

#include <stdio.h>
#include <string.h>

/* Where a lane is. */
struct pixel { uint32_t x, y; };

static uint32_t quads_across(const struct gp5_launch *launch)
{
    return launch->width / 2 + launch->width % 2;
}

static uint32_t quads_down(const struct gp5_launch *launch)
{
    return launch->height / 2 + launch->height % 2;
}

static uint32_t quads_a_warp(const struct run *run)
{
    return run->warp_lanes / 4;
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
    return true;
}

static struct pixel place(const struct worker *worker, unsigned lane)
{
    const struct gp5_launch *launch = worker->run->launch;
    uint64_t quad = (uint64_t)worker->group * quads_a_warp(worker->run) + lane / 4;
    uint32_t across = quads_across(launch);

    return (struct pixel){(uint32_t)(quad % across) * 2 + lane % 2,
                          (uint32_t)(quad / across) * 2 + lane / 2 % 2};
}

static bool inside(const struct worker *worker, unsigned lane)
{
    struct pixel p = place(worker, lane);

    return lane / 4 < quads_a_warp(worker->run) && p.x < worker->run->launch->width &&
           p.y < worker->run->launch->height;
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

/* Linear between the corners, at the pixel's centre. */
static float between(const struct run *run, const struct gp5_interpolant *in, struct pixel p, unsigned c)
{
    double u = ((double)p.x + 0.5) / run->launch->width, v = ((double)p.y + 0.5) / run->launch->height;
    double low = in->corner[0][c] + ((double)in->corner[1][c] - in->corner[0][c]) * u;
    double high = in->corner[2][c] + ((double)in->corner[3][c] - in->corner[2][c]) * u;

    return (float)(low + (high - low) * v);
}

static void fill(struct worker *worker, struct warp *w, const struct plane_source *source)
{
    const struct run *run = worker->run;
    const struct gp5_interpolant *in = interpolant(run, source);
    uint32_t *plane = PLANE(w->base, source->plane);
    unsigned c = source->component;

    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        float value = c == 3 ? 1 : 0;
        if (source->kind == BIND_FRAGMENT_POSITION)
            value = position(run, place(worker, lane), c);
        else if (in && !(source->kind == BIND_FRAGMENT_FOGCOORD && c))
            value = between(run, in, place(worker, lane), c);
        memcpy(&plane[lane], &value, sizeof value);
    }
    if (!in && w->shadow && source->kind != BIND_FRAGMENT_POSITION)
        eval_track_mark(w, source->plane);
}

static bool is_result(uint16_t kind)
{
    return kind == BIND_RESULT_COLOR || kind == BIND_RESULT_DEPTH;
}

static void start(struct worker *worker, struct warp *w, bool first)
{
    uint32_t exist = 0, helpers = 0;

    for (unsigned lane = 0; lane < quads_a_warp(worker->run) * 4; lane++)
        if (inside(worker, lane & ~3u) || inside(worker, lane | 3) || inside(worker, lane)) {
            exist |= 1u << lane;
            helpers |= (uint32_t)!inside(worker, lane) << lane;
        }
    eval_warp_start(w, exist);
    w->helpers = helpers;
    for (uint32_t i = 0; i < w->x->nsources; i++) {
        const struct plane_source *source = &w->x->sources[i];
        if (is_result(source->kind))
            w->x->planes->fill(PLANE(w->base, source->plane), 0);
        else if (!first || !eval_fill_uniform(worker->run, w, source))
            switch (source->kind) {
            case BIND_PROGRAM_ENV: case BIND_PROGRAM_LOCAL: break;
            default: fill(worker, w, source);
            }
    }
}

/* A colour component of a lane, to the framebuffer and its shadow. */
static void put_color(struct warp *w, const struct plane_source *source, unsigned lane, struct pixel p)
{
    const struct run *run = w->worker->run;
    const struct gp5_launch *launch = run->launch;
    size_t at =
        (((size_t)source->index * launch->height + p.y) * launch->width + p.x) * 4 + source->component;

    memcpy(&launch->colors[at], &PLANE(w->base, source->plane)[lane], sizeof(float));
    if (w->shadow) {
        uint32_t id = PLANE(w->shadow, source->plane)[lane];
        run->colors_shadow[at] = id;
        if (id)
            eval_reach(w, run->x->steps[run->x->nsteps - 1].insn, id, lane, "result.color");
    }
}

static void put_result(struct warp *w, const struct plane_source *source, uint32_t lanes)
{
    const struct gp5_launch *launch = w->worker->run->launch;

    for (; lanes; lanes &= lanes - 1) {
        unsigned lane = (unsigned)__builtin_ctz(lanes);
        struct pixel p = place(w->worker, lane);
        if (source->kind == BIND_RESULT_COLOR && source->index < launch->ncolors)
            put_color(w, source, lane, p);
        else if (source->kind == BIND_RESULT_DEPTH && source->component == 2 && launch->depth)
            memcpy(&launch->depth[(size_t)p.y * launch->width + p.x], &PLANE(w->base, source->plane)[lane],
                   sizeof(float));
    }
}

static void finish(struct worker *worker)
{
    struct warp *w = &worker->warps[0];
    const struct gp5_launch *launch = worker->run->launch;
    uint32_t lanes = w->exist & ~w->killed & ~w->helpers, insn = w->x->steps[w->x->nsteps - 1].insn;

    for (uint32_t i = 0; i < w->x->nsources; i++) {
        const struct plane_source *source = &w->x->sources[i];
        if (!is_result(source->kind))
            continue;
        if (w->shadow && lanes)
            eval_resolve_marks(w, insn, PLANE(w->shadow, source->plane), lanes);
        put_result(w, source, lanes);
    }
    for (uint32_t rest = w->exist & ~w->helpers; rest && launch->covered; rest &= rest - 1) {
        unsigned lane = (unsigned)__builtin_ctz(rest);
        struct pixel p = place(worker, lane);
        launch->covered[(size_t)p.y * launch->width + p.x] = lanes >> lane & 1;
    }
}

const struct stage eval_fragment_stage = {plan, start, finish};
