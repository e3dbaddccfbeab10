/* Tessellation evaluation: a lane a point of a patch, which vertex.tesscoord and the input "patch" name (tessellator.c
 * makes them). */
#include "asm/binding_name.h"
#include "eval/numeric/words.h"
#include "eval/track/origin.h"
#include "eval/machine/stage_io.h"

#include <stdio.h>
#include <string.h>

static size_t needed(const struct run *run, uint16_t kind, bool result)
{
    if (result || kind == BIND_VERTEX_TESSCOORD)
        return run->launch->count;
    return (size_t)run->launch->patches * (asm_is_of_vertex(kind) ? run->launch->patch_vertices : 1);
}

static bool plan(struct run *run, uint32_t *warps, char *message, size_t size)
{
    const struct gp5_launch *launch = run->launch;

    if (launch->count > UINT32_MAX / 64) {
        snprintf(message, size, "%u points; %u are evaluated at most", launch->count, UINT32_MAX / 64);
        return false;
    }
    if (launch->count && !launch->patch) {
        snprintf(message, size, "nothing says which patch each point is of");
        return false;
    }
    for (uint32_t i = 0; i < launch->count; i++)
        if (launch->patch[i] >= launch->patches) {
            snprintf(message, size, "point %u is of patch %u; there are %u patches", i, launch->patch[i],
                     launch->patches);
            return false;
        }
    run->ngroups = (launch->count + run->warp_lanes - 1) / run->warp_lanes;
    *warps = 1;
    return eval_check_patches(run, message, size) && eval_check_arrays(run, needed, message, size);
}

struct points { uint32_t point[WARP_LANES], patch[WARP_LANES]; };

static uint32_t find_points(const struct worker *worker, struct points *p)
{
    const struct gp5_launch *launch = worker->run->launch;
    uint32_t exist = 0;

    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        uint32_t at = worker->group * worker->run->warp_lanes + lane;
        bool there = at < launch->count && lane < worker->run->warp_lanes;
        exist |= (uint32_t)there << lane;
        p->point[lane] = there ? at : launch->count - 1;
        p->patch[lane] = launch->patch[p->point[lane]];
    }
    return exist;
}

/* Without a control program levels are 1. */
static uint32_t unset(const struct plane_source *source)
{
    if (source->kind == BIND_PRIMITIVE_TESSOUTER || source->kind == BIND_PRIMITIVE_TESSINNER)
        return source->component ? 0 : ONE32;
    return source->component == 3 && source->kind != BIND_VERTEX_TESSCOORD ? ONE32 : 0;
}

static void fill(struct worker *worker, struct warp *w, uint32_t i, const struct points *p)
{
    const struct plane_source *source = &w->x->sources[i];
    const struct gp5_launch *launch = worker->run->launch;
    uint32_t *plane = PLANE(w->base, source->plane), vertex = source->index & 0xff, element[WARP_LANES];
    bool of_vertex = asm_is_of_vertex(source->kind), given = worker->run->inputs[i] != NULL;

    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        element[lane] = source->kind == BIND_VERTEX_TESSCOORD ? p->point[lane]
                        : of_vertex                           ? p->patch[lane] * launch->patch_vertices + vertex
                                                              : p->patch[lane];
    if (given && !(of_vertex && vertex >= launch->patch_vertices)) {
        eval_fill_input(worker->run, w, i, element, 0);
    } else if (source->kind == BIND_PRIMITIVE_ID || source->kind == BIND_PRIMITIVE_VERTEXCOUNT) {
        for (unsigned lane = 0; lane < WARP_LANES; lane++)
            plane[lane] = source->component                   ? 0
                          : source->kind == BIND_PRIMITIVE_ID ? p->patch[lane]
                                                              : launch->patch_vertices;
    } else if (!eval_fill_thread(w, source, worker->group)) {
        w->x->planes->fill(plane, unset(source));
        if (w->shadow && (of_vertex || source->kind == BIND_PRIMITIVE_PATCH_ATTRIB))
            eval_track_mark(w, source->plane);
    }
}

static void start(struct worker *worker, struct warp *w, bool first)
{
    struct points p;
    uint32_t lanes = find_points(worker, &p);

    eval_warp_start(w, lanes);
    for (uint32_t i = 0; i < w->x->nsources; i++)
        if (!eval_fill_no_input(worker->run, w, &w->x->sources[i], first))
            fill(worker, w, i, &p);
}

static void finish(struct worker *worker)
{
    struct points p;
    uint32_t lanes = find_points(worker, &p);

    eval_put_results(&worker->warps[0], lanes, p.point, 0, NULL);
}

const struct stage eval_evaluation_stage = {plan, start, finish, NULL};
