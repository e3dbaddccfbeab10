/* The vertex stage: a vertex a lane, 32 in a row a warp; instances follow one another, (instance * count + index) mod
 * 32 is the lane. */
#include "eval/numeric/words.h"
#include "eval/track/origin.h"
#include "eval/machine/stage_io.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static uint64_t total(const struct gp5_launch *launch)
{
    return (uint64_t)launch->count * (launch->instances ? launch->instances : 1);
}

static size_t needed(const struct run *run, uint16_t kind, bool result)
{
    (void)kind;
    return result ? (size_t)total(run->launch) : run->launch->count;
}

static bool plan(struct run *run, uint32_t *warps, char *message, size_t size)
{
    const struct gp5_launch *launch = run->launch;

    if (total(launch) > UINT32_MAX / 2) {
        snprintf(message, size, "%u vertices in %u instances; %u are evaluated at most", launch->count,
                 launch->instances, UINT32_MAX / 2);
        return false;
    }
    run->ngroups = (uint32_t)((total(launch) + run->warp_lanes - 1) / run->warp_lanes);
    *warps = 1;
    return eval_check_arrays(run, needed, message, size);
}

/* Current values of a new context, for what no array gives: those of the weight, the normal and the colour differ. */
static uint32_t current(const struct run *run, const struct plane_source *source)
{
    static const uint8_t ones[] = {8, 9, 12, 15};
    uint16_t kind = source->kind;
    unsigned n = kind == BIND_VERTEX_NORMAL          ? 2
                 : kind == BIND_VERTEX_COLOR_PRIMARY ? 3
                                                     : eval_attribute_of(run, kind, source->index);

    return ones[n < sizeof ones ? n : 0] >> source->component & 1 ? ONE32 : 0;
}

/* What stands in the components that the GL does not take from an array: normals have w 1, fog coordinates are (f, 0,
 * 0, 1). */
static bool is_filled(const struct run *run, uint32_t i)
{
    unsigned kind = run->inputs[i] ? run->input_kinds[i] : BIND_CONSTANT, c = run->x->sources[i].component;

    return (kind == BIND_VERTEX_NORMAL && c == 3) || (kind == BIND_VERTEX_FOGCOORD && c);
}

struct vertices { uint32_t index[WARP_LANES], instance[WARP_LANES], element[WARP_LANES]; };

/* Lanes beyond the last vertex repeat it, so that they read what there is. */
static uint32_t find_vertices(const struct worker *worker, struct vertices *v)
{
    const struct gp5_launch *launch = worker->run->launch;
    uint32_t n = (uint32_t)total(launch), first = worker->group * worker->run->warp_lanes, lanes = 0;
    uint32_t index = first % launch->count, instance = first / launch->count;

    if (index + WARP_LANES <= launch->count && worker->run->warp_lanes == WARP_LANES) {
        for (uint32_t lane = 0; lane < WARP_LANES; lane++) {
            v->element[lane] = first + lane;
            v->index[lane] = index + lane;
            v->instance[lane] = instance;
        }
        return ALL_LANES;
    }
    for (unsigned lane = 0; lane < WARP_LANES; lane++, index++) {
        bool there = first + lane < n && lane < worker->run->warp_lanes;
        if (index == launch->count) {
            index = 0;
            instance++;
        }
        lanes |= (uint32_t)there << lane;
        v->element[lane] = there ? first + lane : n - 1;
        v->index[lane] = there ? index : launch->count - 1;
        v->instance[lane] = there ? instance : (n - 1) / launch->count;
    }
    return lanes;
}

static void fill(struct worker *worker, struct warp *w, uint32_t i, const struct vertices *v)
{
    const struct plane_source *source = &w->x->sources[i];
    uint32_t *plane = PLANE(w->base, source->plane);

    switch (worker->run->inputs[i] ? BIND_CONSTANT : source->kind) {     /* what is given goes before the count */
    case BIND_VERTEX_ID:
        for (unsigned lane = 0; lane < WARP_LANES; lane++)
            plane[lane] = source->component ? 0 : worker->run->launch->first + v->index[lane];
        return;
    case BIND_VERTEX_INSTANCE:
        for (unsigned lane = 0; lane < WARP_LANES; lane++)
            plane[lane] = source->component ? 0 : v->instance[lane];
        return;
    case BIND_VERTEX_BASEVERTEX: case BIND_VERTEX_BASEINSTANCE: case BIND_VERTEX_DRAWID:
        w->x->planes->fill(plane, 0);
        return;
    default: break;
    }
    if (source->index & WORDS_OF_LONG) {
        eval_fill_input(worker->run, w, i, v->index, 0);
        if (!worker->run->inputs[i] && w->shadow && source->index & LOW_WORD)
            eval_track_mark(w, source->plane);      /* a current value is one of 32 bits */
    } else if (is_filled(worker->run, i))
        w->x->planes->fill(plane, source->component == 3 ? ONE32 : 0);
    else if (worker->run->inputs[i] || !eval_fill_thread(w, source, worker->group))
        eval_fill_input(worker->run, w, i, v->index, current(worker->run, source));
}

/* The planes of sources from i on that are components of one array; how many these are, 0 where there are no two such.
 */
static uint32_t fill_together(struct worker *worker, struct warp *w, uint32_t i, const struct vertices *v)
{
    const struct gp5_array *a = worker->run->inputs[i];
    const struct plane_source *source = &w->x->sources[i];
    uint32_t unused[4][WARP_LANES], *to[4] = {unused[0], unused[1], unused[2], unused[3]}, n = 0;

    if (!a || a->wide || (w->shadow && a->undefined))
        return 0;
    for (; i + n < w->x->nsources && worker->run->inputs[i + n] == a; n++)
        if (source[n].component > 3 || is_filled(worker->run, i + n))
            break;
        else
            to[source[n].component] = PLANE(w->base, source[n].plane);
    if (n < 2)
        return 0;
    w->x->planes->gather(to, a->words, v->index);
    return n;
}

static void start(struct worker *worker, struct warp *w, bool first)
{
    struct vertices v;
    uint32_t lanes = find_vertices(worker, &v), together;

    eval_warp_start(w, lanes);
    for (uint32_t i = 0; i < w->x->nsources; i++)
        if (!eval_fill_no_input(worker->run, w, &w->x->sources[i], first)) {
            together = fill_together(worker, w, i, &v);
            if (together)
                i += together - 1;
            else
                fill(worker, w, i, &v);
        }
}

/* ---- the end ------------------------------------------------------------------------------------------- */

static float input_component(const struct run *run, uint16_t kind, uint32_t element, unsigned c)
{
    for (size_t i = 0; i < run->launch->ninputs; i++)
        if (!strcmp(run->launch->inputs[i].binding, binding_table[kind].words))
            return num_float(run->launch->inputs[i].words[(size_t)element * 4 + c]);
    return c == 3;
}

/* OPTION ARB_position_invariant: the columns of the modelview-projection matrix, as fixed function has it: MUL MAD MAD
 * MAD. */
static void put_position(const struct run *run, const struct stage_result *r, uint32_t lanes, const struct vertices *v)
{
    float m[16];

    for (unsigned i = 0; i < 16; i++)
        m[i] = num_float(eval_state_word(run->state, BIND_STATE_MATRIX_MVP_ROW, (i % 4) << 16, i / 4, false));
    for (; lanes; lanes &= lanes - 1) {
        unsigned lane = (unsigned)__builtin_ctz(lanes);
        float in[4];
        for (unsigned c = 0; c < 4; c++)
            in[c] = input_component(run, BIND_VERTEX_POSITION, v->index[lane], c);
        for (unsigned c = 0; c < 4; c++) {
            float sum = m[c] * in[0];
            for (unsigned k = 1; k < 4; k++)
                sum = fmaf(m[k * 4 + c], in[k], sum);
            r->array->words[(size_t)v->element[lane] * 4 + c] = num_word(sum);
        }
    }
}

static bool is_color(uint16_t kind)
{
    return kind == BIND_RESULT_COLOR || kind == BIND_RESULT_COLOR_SECONDARY || kind == BIND_RESULT_COLOR_BACK ||
           kind == BIND_RESULT_COLOR_BACK_SECONDARY;
}

static void clamp(const struct stage_result *r, uint32_t lanes, const uint32_t element[WARP_LANES])
{
    for (; lanes; lanes &= lanes - 1)
        for (unsigned c = 0; c < 4; c++) {
            uint32_t *word = &r->array->words[(size_t)element[__builtin_ctz(lanes)] * 4 + c];
            float value = num_float(*word);
            *word = num_word(value > 0 ? value < 1 ? value : 1 : 0);
        }
}

static void finish(struct worker *worker)
{
    struct warp *w = &worker->warps[0];
    const struct run *run = worker->run;
    bool invariant = w->x->program->options >> OPTION_ARB_position_invariant & 1;
    struct vertices v;
    uint32_t lanes = find_vertices(worker, &v);

    eval_put_results(w, lanes, v.element, 0, NULL);
    for (size_t i = 0; i < run->launch->nresults; i++) {
        const struct stage_result *r = &run->results[i];
        if (invariant && r->kind == BIND_RESULT_POSITION)
            put_position(run, r, lanes, &v);
        else if (is_color(r->kind) && run->state->clamp_vertex_color)
            clamp(r, lanes, v.element);
    }
}

const struct stage eval_vertex_stage = {plan, start, finish, NULL};
