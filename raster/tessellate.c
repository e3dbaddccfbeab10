/* Patches through the tessellation programs: control, the points of each patch, evaluation. */
#include "raster/internal.h"

#include "asm/stage_shape.h"

#include <stdio.h>
#include <string.h>

enum { PATCH_ARRAYS = 6 + 32, MOST_POINTS = 1 << 22 };

struct patches {
    struct pipeline *p;
    struct vertices in, out;    /* of the patches, one after the other: before and behind the control program */
    uint32_t count, size, out_size;     /* patches; vertices of each */
    uint32_t *ids;              /* primitive.id of each patch, four words */
    uint32_t *words[PATCH_ARRAYS];      /* levels and attributes of patches, four words each; NULL: none */
    char names[PATCH_ARRAYS][32];
    float *uvw;                 /* of all points, four */
    uint32_t *patch, *first;    /* of each point its patch; of each patch its first point, and behind the last one */
    uint32_t points;
};

static bool no_memory(struct pipeline *p)
{
    return pipeline_fail(p, RASTER_PLACES, "out of memory");
}

/* ---- vertices of patches ----------------------------------------------------------------------------------- */

static bool gather(struct patches *t, const struct vertices *v, const struct primitives *list)
{
    slot_set slots = 0;

    for (unsigned slot = 0; slot < SLOTS; slot++)
        slots |= v->words[slot] ? SLOT_BIT(slot) : 0;
    if (!vertices_make(&t->in, (size_t)t->count * t->size, slots, false))
        return false;
    for (unsigned slot = 0; slot < SLOTS; slot++)
        for (uint32_t i = 0; v->words[slot] && i < t->count; i++)
            memcpy(t->in.words[slot] + (size_t)i * t->size * 4, v->words[slot] + (size_t)list->list[i].v[0] * 4,
                   (size_t)t->size * 16);
    return true;
}

static size_t give(const struct patches *t, const struct vertices *v, struct gp5_array *list, char names[][48])
{
    size_t n = 1;

    list[0] = (struct gp5_array){ .binding = "primitive.id", .words = t->ids, .count = t->count };

    for (unsigned slot = 0; slot < SLOTS; slot++)
        if (v->words[slot]) {
            list[n] = (struct gp5_array){ .binding = slot_name(names[n], "vertex.", slot), .words = v->words[slot],
                                          .count = v->count };
            n++;
        }
    return n;
}

static void name_patch(struct patches *t)
{
    for (unsigned i = 0; i < PATCH_ARRAYS; i++)
        snprintf(t->names[i], sizeof t->names[i], i < 4   ? "result.patch.tessouter[%u]"
                                                  : i < 6 ? "result.patch.tessinner[%u]"
                                                          : "result.patch.attrib[%u]",
                 i < 4 ? i : i < 6 ? i - 4 : i - 6);
}

static bool control(struct patches *t)
{
    struct raster_stage *s = t->p->draw->stages[RASTER_CONTROL];
    struct gp5_array inputs[SLOTS + 1], results[SLOTS + PATCH_ARRAYS];
    char names[SLOTS + 1][48], result_names[SLOTS][48];
    slot_set slots = stage_wants(t->p, RASTER_EVALUATION);

    t->out_size = asm_stage_shape(s->program).vertices_out;
    if (!vertices_make(&t->out, (size_t)t->count * t->out_size, slots, false))
        return no_memory(t->p);
    s->launch.count = t->count;
    s->launch.patch_vertices = t->size;
    s->launch.state = &t->p->unclamped;
    s->launch.inputs = inputs;
    s->launch.ninputs = give(t, &t->in, inputs, names);
    s->launch.results = results;
    s->launch.nresults = stage_results(s, &t->out, results, result_names);
    for (unsigned i = 0; i < PATCH_ARRAYS; i++) {
        if (!program_names(s, t->names[i]))
            continue;
        t->words[i] = gp5_malloc(((size_t)t->count + 1) * 16);
        if (!t->words[i])
            return no_memory(t->p);
        memset(t->words[i], 0, ((size_t)t->count + 1) * 16);
        results[s->launch.nresults++] = (struct gp5_array){ .binding = t->names[i], .words = t->words[i],
                                                            .count = t->count };
    }
    return pipeline_run(t->p, RASTER_CONTROL);
}

/* Where no control program sets levels they are those of the draw, for the evaluation program too. */
static bool default_levels(struct patches *t)
{
    for (unsigned i = 0; i < 6; i++) {
        t->words[i] = gp5_malloc(((size_t)t->count + 1) * 16);
        if (!t->words[i])
            return no_memory(t->p);
        memset(t->words[i], 0, ((size_t)t->count + 1) * 16);
        for (uint32_t k = 0; k < t->count; k++)
            memcpy(t->words[i] + (size_t)k * 4, &t->p->draw->levels[i], 4);
    }
    return true;
}

/* ---- points ------------------------------------------------------------------------------------------------ */

static void levels_of(const struct patches *t, uint32_t patch, float levels[6])
{
    for (unsigned i = 0; i < 6; i++) {
        levels[i] = 0;
        if (t->words[i])
            memcpy(&levels[i], t->words[i] + (size_t)patch * 4, 4);
    }
}

static bool add_points(struct patches *t, uint32_t patch)
{
    float levels[6], *found;
    levels_of(t, patch, levels);
    size_t n = gp5_tessellate(t->p->draw->stages[RASTER_EVALUATION]->executable, levels, levels + 4, &found);

    if (n == SIZE_MAX)
        return no_memory(t->p);
    bool fits = t->points + n <= MOST_POINTS;
    float *uvw = fits ? gp5_realloc(t->uvw, (t->points + n + 1) * 16) : NULL;
    t->uvw = uvw ? uvw : t->uvw;
    uint32_t *of = fits ? gp5_realloc(t->patch, (t->points + n + 1) * 4) : NULL;
    t->patch = of ? of : t->patch;
    for (size_t i = 0; uvw && of && i < n; i++) {
        memcpy(uvw + 4 * (t->points + i), found + 3 * i, 12);
        uvw[4 * (t->points + i) + 3] = 0;
        of[t->points + i] = patch;
    }
    gp5_text_free((char *)found);
    if (!fits)
        return pipeline_fail(t->p, RASTER_PLACES, "more tessellated points than are evaluated at once");
    if (!uvw || !of)
        return no_memory(t->p);
    t->points += (uint32_t)n;
    t->first[patch + 1] = t->points;
    return true;
}

static bool evaluation(struct patches *t, struct vertices *to)
{
    const struct raster_draw *d = t->p->draw;
    struct raster_stage *s = d->stages[RASTER_EVALUATION];
    struct gp5_array inputs[SLOTS + PATCH_ARRAYS + 2], results[SLOTS];
    char names[SLOTS + 1][48], result_names[SLOTS][48];
    bool controlled = d->stages[RASTER_CONTROL] != NULL;
    slot_set slots = d->stages[RASTER_GEOMETRY] ? stage_wants(t->p, RASTER_GEOMETRY) : t->p->slots;

    if (!vertices_make(to, t->points, slots, t->p->window->undefined != NULL))
        return no_memory(t->p);
    size_t n = give(t, controlled ? &t->out : &t->in, inputs, names);
    inputs[n++] = (struct gp5_array){ .binding = "vertex.tesscoord", .words = (uint32_t *)(void *)t->uvw,
                                      .count = t->points };
    for (unsigned i = 0; i < PATCH_ARRAYS; i++)
        if (t->words[i])
            inputs[n++] = (struct gp5_array){ .binding = t->names[i], .words = t->words[i], .count = t->count };
    s->launch.count = t->points;
    s->launch.patches = t->count;
    s->launch.patch = t->patch;
    s->launch.patch_vertices = controlled ? t->out_size : t->size;
    s->launch.state = &t->p->unclamped;
    s->launch.inputs = inputs;
    s->launch.ninputs = n;
    s->launch.results = results;
    s->launch.nresults = stage_results(s, to, results, result_names);
    return !t->points || pipeline_run(t->p, RASTER_EVALUATION);
}

/* ---- all of it --------------------------------------------------------------------------------------------- */

static bool connect(struct patches *t, struct primitives *list)
{
    struct stage_shape shape = asm_stage_shape(t->p->draw->stages[RASTER_EVALUATION]->program);

    list->count = 0;
    for (uint32_t i = 0; i < t->count; i++) {
        uint32_t n = t->first[i + 1] - t->first[i];
        float *uvw = gp5_malloc(((size_t)n + 1) * 12);
        for (uint32_t k = 0; uvw && k < n; k++)
            memcpy(uvw + 3 * (size_t)k, t->uvw + 4 * ((size_t)t->first[i] + k), 12);
        bool ok = uvw && patch_topology(&shape, uvw, n, t->first[i], t->ids[4 * (size_t)i],
                                        t->p->draw->state.first_vertex, list);
        gp5_free(uvw);
        if (!ok)
            return no_memory(t->p);
    }
    return true;
}

static bool all(struct patches *t, struct vertices *v, struct primitives *list)
{
    struct vertices out = { .count = 0 };

    t->first = gp5_malloc(((size_t)t->count + 1) * sizeof *t->first);
    t->ids = primitives_ids(list);
    if (!t->first || !t->ids || !gather(t, v, list))
        return no_memory(t->p);
    t->first[0] = 0;
    if (!(t->p->draw->stages[RASTER_CONTROL] ? control(t) : default_levels(t)))
        return false;
    for (uint32_t i = 0; i < t->count; i++)
        if (!add_points(t, i))
            return false;
    bool ok = evaluation(t, &out) && connect(t, list);
    vertices_free(v);
    *v = out;
    return ok;
}

bool pipeline_tessellate(struct pipeline *p, struct vertices *v, struct primitives *list)
{
    struct patches t = { .p = p, .count = (uint32_t)list->count, .size = p->draw->patch_vertices };

    name_patch(&t);
    bool ok = !t.count || all(&t, v, list);
    vertices_free(&t.in);
    vertices_free(&t.out);
    for (unsigned i = 0; i < PATCH_ARRAYS; i++)
        gp5_free(t.words[i]);
    gp5_free(t.ids);
    gp5_free(t.uvw);
    gp5_free(t.patch);
    gp5_free(t.first);
    return ok;
}
