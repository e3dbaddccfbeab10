/* The programs before the rasteriser: vertices, and what geometry programs make of their primitives. */
#include "raster/internal.h"

#include "asm/binding_name.h"
#include "asm/program.h"
#include "asm/stage.h"
#include "asm/stage_shape.h"

#include <stdio.h>
#include <string.h>

enum { MOST_INPUTS = SLOTS + 2 };

bool pipeline_fail(struct pipeline *p, enum raster_place place, const char *message)
{
    p->failed = place;
    snprintf(p->message, p->size, "%s", message);
    return false;
}

static bool no_memory(struct pipeline *p)
{
    return pipeline_fail(p, RASTER_PLACES, "out of memory");
}

bool pipeline_run(struct pipeline *p, enum raster_place place)
{
    const struct raster_stage *s = p->draw->stages[place];

    if (s->run(s->user, s) == GP5_RUN_OK)
        return true;
    return pipeline_fail(p, place, s->report->message ? s->report->message : "the run ended early");
}

/* ---- vertices ---------------------------------------------------------------------------------------------- */

struct inputs {
    struct gp5_array list[MOST_INPUTS];
    size_t count;
    uint32_t *made[MOST_INPUTS];    /* a current value for every vertex */
    size_t nmade;
};

static void inputs_free(struct inputs *in)
{
    for (size_t i = 0; i < in->nmade; i++)
        gp5_free(in->made[i]);
}

static bool has(const struct inputs *in, const char *binding)
{
    for (size_t i = 0; i < in->count; i++)
        if (!strcmp(in->list[i].binding, binding))
            return true;
    return false;
}

static bool add_input(const struct pipeline *p, struct inputs *in, const char *binding, const struct gp5_array *a)
{
    uint32_t first = p->draw->first, count = p->draw->count;
    struct gp5_array *to = &in->list[in->count];

    if (in->count == MOST_INPUTS || has(in, binding))
        return true;
    *to = (struct gp5_array){ .binding = binding, .count = count };
    if (a->count > 1 || count + first == 1) {
        to->words = a->words + (size_t)first * 4;
    } else {
        to->words = in->made[in->nmade] = gp5_malloc((size_t)count * 16);
        if (!to->words)
            return false;
        in->nmade++;
        for (size_t i = 0; i < count; i++)
            memcpy(to->words + 4 * i, a->words, 16);
    }
    in->count++;
    return true;
}

/* The evaluator knows which generic attributes are conventional ones; the fixed stages ask for the position. */
static bool take_inputs(const struct pipeline *p, struct inputs *in)
{
    const struct raster_draw *d = p->draw;

    for (size_t i = 0; i < d->ninputs; i++)
        if (!add_input(p, in, d->inputs[i].binding, &d->inputs[i]))
            return false;
    for (size_t i = 0; i < d->ninputs; i++)
        if (!strcmp(d->inputs[i].binding, "vertex.attrib[0]") &&
            !add_input(p, in, "vertex.position", &d->inputs[i]))
            return false;
    return true;
}

size_t stage_results(const struct raster_stage *s, const struct vertices *v, struct gp5_array *list, char names[][48])
{
    enum program_stage stage = (enum program_stage)profile_table[s->program->profile].stage_id;
    struct binding_name name;
    size_t n = 0;

    for (unsigned i = 0; i < SLOTS; i++) {
        const char *binding = v->words[i] ? slot_name(names[n], "result.", i) : NULL;
        if (!binding || !asm_find_binding(stage, binding, &name))
            continue;
        list[n++] = (struct gp5_array){
            .binding = binding, .words = v->words[i], .count = v->count, .undefined = v->undefined[i] };
    }
    return n;
}

slot_set stage_wants(const struct pipeline *p, enum raster_place next)
{
    const struct raster_stage *s = p->draw->stages[next];
    slot_set slots = 0;
    char text[48];
    bool passes = s->program->options >> OPTION_NV_geometry_shader_passthrough & 1;     /* it names what comes out */

    for (unsigned i = 0; i < SLOTS; i++)
        if (program_names(s, slot_name(text, "vertex.", i)) ||
            (passes && program_names(s, slot_name(text, "result.", i))))
            slots |= SLOT_BIT(i);
    return slots;
}

/* User clip planes of a position that is the fixed function's: distances in eye space. */
static void fixed_distances(struct pipeline *p, const struct inputs *in, struct vertices *v)
{
    const struct gp5_state *gl = p->draw->gl;
    const float *m = gl->modelview;
    const struct gp5_array *position = NULL;

    for (size_t i = 0; i < in->count; i++)
        if (!strcmp(in->list[i].binding, "vertex.position"))
            position = &in->list[i];
    for (size_t i = 0; position && i < v->count; i++) {
        float at[4], eye[4];
        memcpy(at, position->words + i % p->draw->count * 4, sizeof at);
        for (unsigned c = 0; c < 4; c++)
            eye[c] = m[c] * at[0] + m[4 + c] * at[1] + m[8 + c] * at[2] + m[12 + c] * at[3];
        for (unsigned k = 0; k < 8; k++) {
            const float *plane = gl->clip_plane[k];
            float d = plane[0] * eye[0] + plane[1] * eye[1] + plane[2] * eye[2] + plane[3] * eye[3];
            if (v->words[SLOT_CLIP + k])
                memcpy(&v->words[SLOT_CLIP + k][i * 4], &d, sizeof d);
        }
    }
}

static bool run_vertices(struct pipeline *p, slot_set slots, struct vertices *v)
{
    const struct raster_draw *d = p->draw;
    struct raster_stage *s = d->stages[RASTER_VERTEX];
    struct inputs in = { .count = 0 };
    struct gp5_array results[SLOTS];
    char result_names[SLOTS][48];
    bool ok = vertices_make(v, (size_t)d->count * d->instances, slots, p->window->undefined != NULL);

    if (!ok || !take_inputs(p, &in)) {
        inputs_free(&in);
        return no_memory(p);
    }
    s->launch.count = d->count;
    s->launch.instances = d->instances;
    s->launch.first = d->first;
    s->launch.state = &p->unclamped;
    s->launch.inputs = in.list;
    s->launch.ninputs = in.count;
    s->launch.results = results;
    s->launch.nresults = stage_results(s, v, results, result_names);
    ok = pipeline_run(p, RASTER_VERTEX);
    if (ok && d->state.clip_planes && program_has_option(s, OPTION_ARB_position_invariant))
        fixed_distances(p, &in, v);
    inputs_free(&in);
    return ok;
}

/* ---- geometry ---------------------------------------------------------------------------------------------- */

/* Each input primitive's vertices one after the other. */
static bool gather(const struct vertices *v, const struct primitives *list, unsigned n, struct inputs *in,
                   char names[SLOTS + 1][48])
{
    for (unsigned slot = 0; slot < SLOTS; slot++) {
        if (!v->words[slot])
            continue;
        uint32_t *words = gp5_malloc((list->count * n + 1) * 16);
        if (!words)
            return false;
        in->made[in->nmade++] = words;
        for (size_t i = 0; i < list->count; i++)
            for (unsigned k = 0; k < n; k++)
                memcpy(words + (i * n + k) * 4, v->words[slot] + (size_t)list->list[i].v[k] * 4, 16);
        in->list[in->count] = (struct gp5_array){ .binding = slot_name(names[in->count], "vertex.", slot),
                                                  .words = words, .count = list->count * n };
        in->count++;
    }
    return true;
}

static const char *wrong_primitive(const struct stage_shape *shape, const struct primitives *list)
{
    static const char message[] = "the primitives that are drawn are not those that the geometry program takes";
    return list->count && list->list[0].n != shape->vertices_in ? message : NULL;
}

static unsigned vertices_of(const struct stage_shape *shape)
{
    switch (shape->primitive_out) {
    case STAGE_WORD_LINE_STRIP: return 2;
    case STAGE_WORD_TRIANGLE_STRIP: return 3;
    default: return 1;
    }
}

bool pipeline_geometry(struct pipeline *p, struct vertices *v, struct primitives *list)
{
    struct raster_stage *s = p->draw->stages[RASTER_GEOMETRY];
    struct stage_shape shape = asm_stage_shape(s->program);
    struct inputs in = { .count = 0 };
    struct vertices out;
    struct gp5_array results[SLOTS];
    char result_names[SLOTS][48];
    char names[SLOTS + 1][48];
    const char *wrong = wrong_primitive(&shape, list);

    if (wrong)
        return pipeline_fail(p, RASTER_PLACES, wrong);
    uint64_t room = gp5_result_count(s->executable, (uint32_t)list->count, 1);
    if (room > UINT32_MAX / 16 ||
        !vertices_make(&out, (size_t)room, p->slots | SLOT_BIT(SLOT_PRIMID), p->window->undefined != NULL))
        return no_memory(p);
    uint32_t *ids = in.made[in.nmade++] = primitives_ids(list);
    in.list[in.count++] = (struct gp5_array){ .binding = "primitive.id", .words = ids, .count = list->count };
    bool ok = (ids && gather(v, list, shape.vertices_in, &in, names)) || no_memory(p);
    s->launch.count = (uint32_t)list->count;
    s->launch.state = &p->unclamped;
    s->launch.inputs = in.list;
    s->launch.ninputs = in.count;
    s->launch.results = results;
    s->launch.nresults = stage_results(s, &out, results, result_names);
    ok = ok && (!list->count || pipeline_run(p, RASTER_GEOMETRY));
    inputs_free(&in);
    size_t n = ok && list->count ? s->report->elements[0] : 0, corners = vertices_of(&shape);
    bool numbered = program_names(s, "result.primid");
    list->count = 0;
    for (size_t i = 0; ok && i + corners <= n; i += corners) {
        struct primitive one = { .n = (uint8_t)corners, .id = (uint32_t)(i / corners) };
        for (unsigned k = 0; k < corners; k++)
            one.v[k] = (uint32_t)(i + k);
        one.provoking = one.v[p->draw->state.first_vertex ? 0 : corners - 1];
        if (numbered)
            one.id = out.words[SLOT_PRIMID][(size_t)one.provoking * 4];
        ok = primitives_add(list, &one) || no_memory(p);
    }
    vertices_free(v);
    *v = out;
    return ok;
}

/* ---- all of them ------------------------------------------------------------------------------------------- */

/* What stands between the vertices and their next user keeps n vertices of each primitive that mean something: those
 * of adjacency are for geometry programs. */
static void drop_adjacency(struct primitives *list)
{
    for (size_t i = 0; i < list->count; i++) {
        struct primitive *one = &list->list[i];
        if (one->n == 4) {
            one->v[0] = one->v[1];
            one->v[1] = one->v[2];
            one->n = 2;
        } else if (one->n == 6) {
            one->v[1] = one->v[2];
            one->v[2] = one->v[4];
            one->n = 3;
        }
    }
}

/* Colours to 0..1 when the last stage has given them. What a NaN becomes is anybody's guess. */
static void clamp_colors(struct vertices *v)
{
    for (unsigned slot = SLOT_COLOR; slot <= SLOT_BACK_SECONDARY; slot++)
        for (size_t i = 0; v->words[slot] && i < v->count * 4; i++) {
            float value;
            memcpy(&value, &v->words[slot][i], sizeof value);
            if (value != value && v->undefined[slot])
                v->undefined[slot][i] = 1;
            value = value > 0 ? value < 1 ? value : 1 : 0;
            memcpy(&v->words[slot][i], &value, sizeof value);
        }
}

static bool run_stages(struct pipeline *p)
{
    const struct raster_draw *d = p->draw;
    bool tessellates = d->stages[RASTER_EVALUATION] != NULL;
    enum raster_place next = d->stages[RASTER_CONTROL] ? RASTER_CONTROL
                             : tessellates             ? RASTER_EVALUATION
                             : d->stages[RASTER_GEOMETRY] ? RASTER_GEOMETRY
                                                          : RASTER_PLACES;
    slot_set slots = next == RASTER_PLACES ? p->slots : stage_wants(p, next);

    if ((d->mode == RASTER_PATCHES) != tessellates)
        return pipeline_fail(p, RASTER_PLACES, tessellates ? "a tessellation program takes GL_PATCHES and nothing else"
                                                           : "GL_PATCHES are for tessellation programs");
    if ((uint64_t)d->count * d->instances > UINT32_MAX / 64)
        return pipeline_fail(p, RASTER_PLACES, "more vertices than are evaluated at once");
    if (!run_vertices(p, slots, &p->vertices))
        return false;
    for (uint32_t i = 0; i < d->instances; i++)
        if (!assemble(d->mode, i * d->count, d->count, d->patch_vertices, d->state.first_vertex, &p->primitives))
            return no_memory(p);
    if (tessellates && !pipeline_tessellate(p, &p->vertices, &p->primitives))
        return false;
    if (d->stages[RASTER_GEOMETRY])
        return pipeline_geometry(p, &p->vertices, &p->primitives);
    drop_adjacency(&p->primitives);
    return true;
}

bool pipeline_vertices(struct pipeline *p)
{
    p->unclamped = *p->draw->gl;
    p->unclamped.clamp_vertex_color = false;
    if (!run_stages(p))
        return false;
    if (p->draw->gl->clamp_vertex_color)
        clamp_colors(&p->vertices);
    if (p->draw->counts)
        pipeline_capture(p);
    return true;
}
