/* Tessellation control: a thread a vertex of the output patch, the threads of a patch in lock-step in one warp. What
 * one of them leaves for the patch all of them see from the next instruction on. */
#include "eval/machine/emission.h"

#include "asm/binding_name.h"
#include "eval/numeric/words.h"
#include "eval/track/origin.h"
#include "eval/machine/stage_io.h"

#include <stdio.h>
#include <string.h>

static uint32_t threads(const struct run *run)
{
    return run->x->shape.vertices_out;
}

static uint32_t patches_a_warp(const struct run *run)
{
    return run->warp_lanes / threads(run);
}

static size_t needed(const struct run *run, uint16_t kind, bool result)
{
    size_t patches = run->launch->count;

    if (result)
        return patches * (asm_is_of_patch(kind) ? 1 : threads(run));
    return patches * (asm_is_of_vertex(kind) ? run->launch->patch_vertices : 1);
}

bool eval_check_patches(const struct run *run, char *message, size_t size)
{
    uint32_t n = run->launch->patch_vertices;

    if (n < 1 || n > 32) {
        snprintf(message, size, "patches of %u vertices; 1 to 32 there can be", n);
        return false;
    }
    return true;
}

static bool plan(struct run *run, uint32_t *warps, char *message, size_t size)
{
    uint32_t patches = run->launch->count;

    if (threads(run) > run->warp_lanes) {
        snprintf(message, size, "%u threads of a patch in a warp of %u lanes", threads(run), run->warp_lanes);
        return false;
    }
    if (patches > UINT32_MAX / 64) {
        snprintf(message, size, "%u patches; %u are evaluated at most", patches, UINT32_MAX / 64);
        return false;
    }
    run->ngroups = (patches + patches_a_warp(run) - 1) / patches_a_warp(run);
    *warps = 1;
    return eval_check_patches(run, message, size) && eval_check_arrays(run, needed, message, size);
}

struct threads { uint32_t patch[WARP_LANES], invocation[WARP_LANES], vertex[WARP_LANES]; };

static uint32_t find_threads(const struct worker *worker, struct threads *t)
{
    const struct run *run = worker->run;
    uint32_t exist = 0, n = run->launch->count;

    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        uint32_t patch = worker->group * patches_a_warp(run) + lane / threads(run);
        bool there = patch < n && lane / threads(run) < patches_a_warp(run);
        exist |= (uint32_t)there << lane;
        t->patch[lane] = there ? patch : n - 1;
        t->invocation[lane] = lane % threads(run);
        t->vertex[lane] = t->patch[lane] * threads(run) + t->invocation[lane];
    }
    return exist;
}

static void fill(struct worker *worker, struct warp *w, uint32_t i, const struct threads *t)
{
    const struct plane_source *source = &w->x->sources[i];
    const struct gp5_launch *launch = worker->run->launch;
    uint32_t *plane = PLANE(w->base, source->plane), vertex = source->index & 0xff, element[WARP_LANES];
    bool of_vertex = asm_is_of_vertex(source->kind);

    if (of_vertex && worker->run->inputs[i] && vertex < launch->patch_vertices) {
        for (unsigned lane = 0; lane < WARP_LANES; lane++)
            element[lane] = t->patch[lane] * launch->patch_vertices + vertex;
        eval_fill_input(worker->run, w, i, element, 0);
        return;
    }
    if (!of_vertex && worker->run->inputs[i]) {
        eval_fill_input(worker->run, w, i, t->patch, 0);
        return;
    }
    if (source->kind == BIND_PRIMITIVE_INVOCATION || source->kind == BIND_PRIMITIVE_ID ||
        source->kind == BIND_PRIMITIVE_VERTEXCOUNT) {
        for (unsigned lane = 0; lane < WARP_LANES; lane++)
            plane[lane] = source->component                            ? 0
                          : source->kind == BIND_PRIMITIVE_INVOCATION ? t->invocation[lane]
                          : source->kind == BIND_PRIMITIVE_ID         ? t->patch[lane]
                                                                       : launch->patch_vertices;
        return;
    }
    if (eval_fill_thread(w, source, worker->group))
        return;
    w->x->planes->fill(plane, of_vertex && source->component == 3 ? ONE32 : 0);
    if (w->shadow && of_vertex)
        eval_track_mark(w, source->plane);
}

static void start(struct worker *worker, struct warp *w, bool first)
{
    struct threads t;
    uint32_t lanes = find_threads(worker, &t);

    eval_warp_start(w, lanes);
    for (uint32_t i = 0; i < w->x->nsources; i++)
        if (!eval_fill_no_input(worker->run, w, &w->x->sources[i], first))
            fill(worker, w, i, &t);
}

/* A patch's results stand in the planes of all of its threads; the first one's are taken. */
static void finish(struct worker *worker)
{
    struct threads t;
    uint32_t lanes = find_threads(worker, &t), firsts = 0;

    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        firsts |= lanes & (uint32_t)(t.invocation[lane] == 0) << lane;
    eval_put_results(&worker->warps[0], lanes, t.vertex, firsts, t.patch);
}

/* The step behind a write to a patch's result: of the threads that wrote it, or changed it where a test is in
 * between, the first one's word is every thread's, as the driver has it. */
void eval_share_patch(struct warp *w, const struct step *s)
{
    const struct write *out = &w->x->writes[s->ref];
    uint32_t n = w->x->shape.vertices_out;

    for (unsigned i = 0; i < out->n; i++) {
        uint32_t *plane = PLANE(w->base, out->to[i]), *before = PLANE(w->base, out->from[i]);
        for (uint32_t first = 0; first + n <= WARP_LANES; first += n) {
            uint32_t winner = UINT32_MAX;
            for (uint32_t lane = first; winner == UINT32_MAX && lane < first + n; lane++)
                if ((out->registers && w->active >> lane & 1) || plane[lane] != before[lane] ||
                    (w->shadow && !PLANE(w->shadow, out->to[i])[lane] != !PLANE(w->shadow, out->from[i])[lane]))
                    winner = lane;
            for (uint32_t lane = first; winner != UINT32_MAX && lane < first + n; lane++)
                plane[lane] = plane[winner];
            if (w->shadow && winner != UINT32_MAX)
                for (uint32_t lane = first; lane < first + n; lane++)
                    eval_put_lane(w, out->to[i], lane, PLANE(w->shadow, out->to[i])[winner]);
        }
        memcpy(before, plane, WARP_LANES * sizeof *plane);
        for (uint32_t lane = 0; w->shadow && lane < WARP_LANES; lane++)
            eval_put_lane(w, out->from[i], lane, PLANE(w->shadow, out->to[i])[lane]);
    }
}

const struct stage eval_control_stage = {plan, start, finish, NULL};
