/* The geometry stage: lanes are primitive * INVOCATIONS + invocation. EMIT keeps the results that a launch asks for, by
 * lane; when all lanes have ended strips are taken apart into points, lines and triangles, in the order in which
 * transform feedback has them. */
#include "eval/machine/emission.h"

#include "asm/binding_name.h"
#include "asm/stage.h"
#include "eval/numeric/words.h"
#include "eval/track/origin.h"
#include "eval/machine/stage_io.h"

#include <stdio.h>
#include <string.h>

static const struct stage_shape *shape_of(const struct run *run)
{
    return &run->x->shape;
}

static uint64_t lanes_of(const struct run *run)
{
    return (uint64_t)run->launch->count * shape_of(run)->invocations;
}

static size_t needed(const struct run *run, uint16_t kind, bool result)
{
    if (result)
        return (size_t)(lanes_of(run) * asm_decomposed(shape_of(run)));
    return (size_t)run->launch->count * (asm_is_of_vertex(kind) ? shape_of(run)->vertices_in : 1);
}

static bool plan(struct run *run, uint32_t *warps, char *message, size_t size)
{
    const struct stage_shape *shape = shape_of(run);
    uint64_t vertices = lanes_of(run) * shape->vertices_out;

    if (vertices > UINT32_MAX / 16) {
        snprintf(message, size,
                 "%u primitives of up to %u vertices in %u invocations are more than are evaluated at once",
                 run->launch->count, shape->vertices_out, shape->invocations);
        return false;
    }
    run->ngroups = (uint32_t)((lanes_of(run) + run->warp_lanes - 1) / run->warp_lanes);
    *warps = 1;
    return eval_check_arrays(run, needed, message, size);
}

/* ---- inputs -------------------------------------------------------------------------------------------- */

static uint32_t find_lanes(const struct worker *worker, uint32_t number[WARP_LANES])
{
    uint64_t n = lanes_of(worker->run);
    uint32_t exist = 0;

    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        uint64_t at = (uint64_t)worker->group * worker->run->warp_lanes + lane;
        exist |= (uint32_t)(at < n && lane < worker->run->warp_lanes) << lane;
        number[lane] = (uint32_t)(at < n ? at : n - 1);
    }
    return exist;
}

static void fill(struct worker *worker, struct warp *w, uint32_t i, const uint32_t number[WARP_LANES])
{
    const struct plane_source *source = &w->x->sources[i];
    const struct stage_shape *shape = &w->x->shape;
    bool of_vertex = asm_is_of_vertex(source->kind);
    uint32_t *plane = PLANE(w->base, source->plane), element[WARP_LANES];

    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        uint32_t primitive = number[lane] / shape->invocations;
        element[lane] = of_vertex ? primitive * shape->vertices_in + (source->index & 0xff) : primitive;
    }
    if (worker->run->inputs[i]) {
        eval_fill_input(worker->run, w, i, element, 0);
        return;
    }
    if (source->kind == BIND_PRIMITIVE_INVOCATION || source->kind == BIND_PRIMITIVE_ID ||
        source->kind == BIND_PRIMITIVE_VERTEXCOUNT) {
        for (unsigned lane = 0; lane < WARP_LANES; lane++)
            plane[lane] = source->component                            ? 0
                          : source->kind == BIND_PRIMITIVE_INVOCATION ? number[lane] % shape->invocations
                          : source->kind == BIND_PRIMITIVE_ID         ? element[lane]
                                                                       : shape->vertices_in;
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
    uint32_t number[WARP_LANES], lanes = find_lanes(worker, number);

    eval_warp_start(w, lanes);
    for (uint32_t i = 0; i < w->x->nsources; i++) {
        const struct plane_source *source = &w->x->sources[i];
        if (binding_table[source->kind].class == BC_RESULT)
            w->x->planes->fill(PLANE(w->base, source->plane), 0);
        else if (binding_table[source->kind].class == BC_ATTRIB)
            fill(worker, w, i, number);
        else if (first)
            eval_fill_uniform(worker->run, w, source);
    }
}

/* ---- EMIT ---------------------------------------------------------------------------------------------- */

/* Where a lane's nth vertex has its words, and in a second array their origins: four a result. */
static size_t place(const struct run *run, uint64_t lane, uint32_t n)
{
    return (size_t)(lane * shape_of(run)->vertices_out + n) * run->launch->nresults * 4;
}

bool eval_emission_new(struct run *run)
{
    struct emission *e = &run->emission;
    uint64_t lanes = lanes_of(run);
    size_t words = place(run, lanes, 0) + 1;

    e->count = gp5_malloc((lanes + 1) * sizeof *e->count);
    e->vertex = gp5_malloc((lanes * shape_of(run)->vertices_out + 1) * sizeof *e->vertex);
    e->words = gp5_malloc(words * sizeof *e->words);
    e->origins = run->origins ? gp5_malloc(words * sizeof *e->origins) : NULL;
    if (!e->count || !e->vertex || !e->words || (run->origins && !e->origins))
        return false;
    memset(e->count, 0, (lanes + 1) * sizeof *e->count);
    return true;
}

void eval_emission_free(struct run *run)
{
    gp5_free(run->emission.count);
    gp5_free(run->emission.vertex);
    gp5_free(run->emission.words);
    gp5_free(run->emission.origins);
}

static uint64_t lane_number(const struct warp *w, unsigned lane)
{
    return (uint64_t)w->worker->group * w->worker->run->warp_lanes + lane;
}

/* The plane of a component of a result; of one that is passed through that of the vertex's attribute. */
static uint32_t plane_of(const struct warp *w, const struct stage_result *r, uint32_t vertex, unsigned c)
{
    for (uint32_t i = 0; i < w->x->npassed; i++) {
        const struct passed_result *p = &w->x->passed[i];
        if (p->kind == r->kind && p->index == r->index && p->mask >> c & 1)
            return p->plane[vertex][c];
    }
    return r->plane[c];
}

/* A stream that is not 0 .. 3 is none. */
static void keep_vertex(struct warp *w, unsigned lane, uint8_t stream)
{
    struct run *run = w->worker->run;
    struct emission *e = &run->emission;
    uint64_t number = lane_number(w, lane);
    uint32_t n = e->count[number];
    size_t at = place(run, number, n);

    if (n >= shape_of(run)->vertices_out)       /* the driver drops it */
        return;
    e->count[number]++;
    e->vertex[number * shape_of(run)->vertices_out + n] = (struct emitted){.stream = stream};
    for (size_t i = 0; i < run->launch->nresults; i++)
        for (unsigned c = 0; c < 4; c++, at++) {
            uint32_t plane = plane_of(w, &run->results[i], n, c);
            e->words[at] =
                plane == NO_PLANE ? eval_unwritten_result(run->results[i].kind, c) : PLANE(w->base, plane)[lane];
            if (e->origins)
                e->origins[at] = plane == NO_PLANE || c >= binding_table[run->results[i].kind].components
                                     ? 0 : PLANE(w->shadow, plane)[lane];
        }
}

void eval_emit_vertex(struct warp *w, const struct step *s)
{
    const struct run *run = w->worker->run;
    const uint32_t *stream = s->ref == NO_PLANE ? NULL : PLANE(w->base, s->ref);

    for (size_t i = 0; w->shadow && i < run->launch->nresults; i++)
        for (unsigned c = 0; c < 4; c++)
            if (run->results[i].plane[c] != NO_PLANE)
                eval_resolve_marks(w, s->insn, PLANE(w->shadow, run->results[i].plane[c]), w->active);
    if (w->shadow && stream)
        eval_use(w, s->insn, PLANE(w->shadow, s->ref), w->active, "the choice of a stream");
    for (uint32_t lanes = w->active; lanes; lanes &= lanes - 1) {
        unsigned lane = (unsigned)__builtin_ctz(lanes);
        if (!stream || stream[lane] < 4)
            keep_vertex(w, lane, stream ? (uint8_t)stream[lane] : 0);
    }
    /* Behind it all results are undefined; the driver has zeros there. */
    for (uint32_t i = 0; i < w->x->nsources; i++) {
        const struct plane_source *source = &w->x->sources[i];
        if (binding_table[source->kind].class != BC_RESULT)
            continue;
        for (uint32_t lanes = w->active; lanes; lanes &= lanes - 1)
            PLANE(w->base, source->plane)[__builtin_ctz(lanes)] = 0;
        if (w->shadow)
            eval_track_emitted(w, s->insn, source->plane, source->component);
    }
}

void eval_end_primitive(struct warp *w, const struct step *s)
{
    struct emission *e = &w->worker->run->emission;
    const uint32_t *stream = s->ref == NO_PLANE ? NULL : PLANE(w->base, s->ref);

    for (uint32_t lanes = w->active; lanes; lanes &= lanes - 1) {
        unsigned lane = (unsigned)__builtin_ctz(lanes);
        uint64_t first = lane_number(w, lane) * w->x->shape.vertices_out, n = e->count[lane_number(w, lane)];
        while (n && stream && e->vertex[first + n - 1].stream != stream[lane])
            n--;
        if (n)
            e->vertex[first + n - 1].cut = true;
    }
}

/* A program that passes primitives through has no EMIT: what its results are at the end goes for all vertices. */
static void finish(struct worker *worker)
{
    struct warp *w = &worker->warps[0];
    const struct run *run = worker->run;
    uint32_t insn = w->x->steps[w->x->nsteps - 1].insn;

    for (uint32_t v = 0; w->x->shape.passes && v < w->x->shape.vertices_in; v++) {
        for (size_t i = 0; w->shadow && i < run->launch->nresults; i++)
            for (unsigned c = 0; c < 4; c++) {
                uint32_t plane = plane_of(w, &run->results[i], v, c);
                if (plane != NO_PLANE)
                    eval_resolve_marks(w, insn, PLANE(w->shadow, plane), w->exist);
            }
        for (uint32_t lanes = w->exist; lanes; lanes &= lanes - 1)
            keep_vertex(w, (unsigned)__builtin_ctz(lanes), 0);
    }
}

/* ---- primitives ---------------------------------------------------------------------------------------- */

struct output {
    struct run *run;
    uint8_t stream;
    uint64_t lane;
    size_t elements;
};

static void put(struct output *o, uint32_t n)
{
    const struct emission *e = &o->run->emission;
    size_t from = place(o->run, o->lane, n);

    for (size_t i = 0; i < o->run->launch->nresults; i++, from += 4) {
        const struct stage_result *r = &o->run->results[i];
        if (r->array->stream != o->stream)
            continue;
        memcpy(r->array->words + 4 * o->elements, e->words + from, 4 * sizeof *e->words);
        for (unsigned c = 0; r->shadow && e->origins && c < 4; c++)
            if (e->origins[from + c])
                eval_shadow_put(r->shadow, 4 * o->elements + c, &e->origins[from + c], 1, (const uint32_t[]){0});
    }
    o->elements++;
}

/* The nth vertex of a strip has come; `strip` has the numbers of the last two. */
static void put_strip(struct output *o, unsigned primitive, uint32_t n, uint32_t vertex, uint32_t strip[2])
{
    if (primitive == STAGE_WORD_LINE_STRIP && n >= 1) {
        put(o, strip[1]);
        put(o, vertex);
    } else if (primitive == STAGE_WORD_TRIANGLE_STRIP && n >= 2) {
        put(o, strip[n % 2]);
        put(o, strip[1 - n % 2]);
        put(o, vertex);
    }
    strip[0] = strip[1];
    strip[1] = vertex;
}

static void take_apart(struct output *o)
{
    const struct emission *e = &o->run->emission;
    const struct stage_shape *shape = shape_of(o->run);
    uint32_t in_strip = 0, strip[2] = {0};

    for (uint32_t n = 0; n < e->count[o->lane]; n++) {
        const struct emitted *v = &e->vertex[o->lane * shape->vertices_out + n];
        if (v->stream != o->stream)
            continue;
        if (shape->primitive_out == STAGE_WORD_POINTS)
            put(o, n);
        else
            put_strip(o, shape->primitive_out, in_strip, n, strip);
        in_strip = v->cut ? 0 : in_strip + 1;
    }
}

static void collect(struct run *run, struct gp5_report *report)
{
    for (uint8_t stream = 0; stream < 4; stream++) {
        struct output o = {.run = run, .stream = stream};
        for (; o.lane < lanes_of(run); o.lane++)
            take_apart(&o);
        report->elements[stream] = o.elements;
    }
}

const struct stage eval_geometry_stage = {plan, start, finish, collect};
