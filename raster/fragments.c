/* Shapes to fragments: their inputs, in quads with helpers, the fragment program on all of a draw's at once, and then
 * in the order of the primitives into the window. */
#include "raster/shading.h"

#include "asm/program.h"

#include <string.h>

enum { ACROSS = 16384, MOST_QUADS = 1 << 24 };

/* ---- shapes ------------------------------------------------------------------------------------------------ */

static bool make_shapes(struct shading *s)
{
    struct pipeline *p = s->p;
    struct polygon polygon;
    size_t each = shapes_each(p), count = p->primitives.count * each;

    s->shapes = count < UINT32_MAX ? gp5_malloc((count + 1) * sizeof *s->shapes) : NULL;
    if (!s->shapes)
        return false;
    for (size_t i = 0; i < count; i++)
        if (shape_of(p, &p->primitives.list[i / each], (unsigned)(i % each), &s->shapes[i], &polygon) &&
            !scan(&polygon, &s->shapes[i], (uint32_t)i, &s->pattern, &s->quads))
            return false;
    return true;
}

/* ---- samples ----------------------------------------------------------------------------------------------- */

/* Where a fragment meets sample k of its pixel. */
static void find_sample(const struct shading *s, const struct quad *quad, unsigned k, struct fragment *f)
{
    const struct shape *shape = &s->shapes[quad->shape];

    f->plane = shape->layer * s->pattern.count + k;
    if (s->p->draw->state.depth_test)
        f->depth = (float)value_at(shape->z, f->x + s->pattern.x[k] / 256.0, f->y + s->pattern.y[k] / 256.0);
}

/* The program runs for what passes, and depth is written whatever becomes of it. */
static void test_early(struct shading *s)
{
    size_t left = 0;

    for (size_t q = 0; q < s->quads.count; q++) {
        struct quad *quad = &s->quads.list[q];
        for (unsigned i = 0; i < 4; i++) {
            struct fragment f = { .x = quad->x + i % 2, .y = quad->y + i / 2 };
            for (uint32_t rest = quad->samples[i]; rest; rest &= rest - 1) {
                unsigned k = (unsigned)__builtin_ctz(rest);
                find_sample(s, quad, k, &f);
                if (!window_test(s->p, &f))
                    quad->samples[i] &= (uint16_t)~(1u << k);
            }
            if (!quad->samples[i])
                quad->covered &= (uint8_t)~(1u << i);
        }
        if (quad->covered)
            s->quads.list[left++] = *quad;
    }
    s->quads.count = left;
}

/* ---- the launch -------------------------------------------------------------------------------------------- */

/* What is shaded: each quad by itself, or one for all of a shape. Its quads stand behind each other. */
static bool make_units(struct shading *s)
{
    bool known = fragments_alike(s->stage->program), alike = false;
    uint32_t last = UINT32_MAX;

    s->units = gp5_malloc((s->quads.count + 1) * sizeof *s->units);
    for (size_t q = 0; s->units && q < s->quads.count; q++) {
        struct quad *quad = &s->quads.list[q];
        bool first = quad->shape != last;
        if (first && known)
            alike = shading_is_alike(s, &s->shapes[quad->shape]);
        last = quad->shape;
        if (first || !alike)
            s->units[s->nunits++] = (struct unit){ quad, alike ? 15 : quad->covered };
        quad->unit = (uint32_t)s->nunits - 1;
    }
    return s->units;
}

static void *room_for(size_t elements, size_t bytes)
{
    void *p = elements < SIZE_MAX / bytes ? gp5_malloc(elements * bytes) : NULL;
    if (p)
        memset(p, 0, elements * bytes);
    return p;
}

static bool make_launch(struct shading *s)
{
    struct gp5_launch *l = &s->stage->launch;
    size_t units = s->nunits, across = units < ACROSS ? units : ACROSS;
    uint32_t ncolors = s->p->window->ncolors;

    s->width = (uint32_t)across * 2;
    s->height = (uint32_t)((units + across - 1) / across) * 2;
    size_t elements = (size_t)s->width * s->height;
    s->live = room_for(elements, 1);
    s->covered = room_for(elements, 1);
    s->colors = room_for(elements, (size_t)ncolors * 16);
    s->depth = room_for(elements, 4);
    s->undefined = s->p->window->undefined ? room_for(elements, (size_t)ncolors * 16) : NULL;
    bool masks = s->pattern.count > 1 && program_names(s->stage, "result.samplemask");
    s->mask = masks ? room_for(elements, 16) : NULL;
    if (!s->live || !s->covered || !s->colors || !s->depth || (s->p->window->undefined && !s->undefined) ||
        (masks && !s->mask))
        return false;
    for (size_t i = 0; i < s->ninputs; i++) {
        s->inputs[i].words = room_for(elements, 16);
        s->inputs[i].undefined = s->undefined && s->inputs[i].slot < SLOTS ? room_for(elements, 16) : NULL;
        if (!s->inputs[i].words || (s->undefined && s->inputs[i].slot < SLOTS && !s->inputs[i].undefined))
            return false;
        shading_fill(s, &s->inputs[i]);
    }
    for (size_t u = 0; u < units; u++)
        for (unsigned i = 0; i < 4; i++)
            s->live[element_of(s, u, i)] = s->units[u].live >> i & 1;
    l->width = s->width;
    l->height = s->height;
    l->live = s->live;
    l->ncolors = ncolors;
    l->colors = s->colors;
    l->depth = s->depth;
    l->covered = s->covered;
    l->undefined = s->undefined;
    l->state = s->p->draw->gl;
    return true;
}

static bool shade(struct shading *s)
{
    struct gp5_array list[MOST_INPUTS];
    struct gp5_launch *l = &s->stage->launch;
    size_t elements = (size_t)s->width * s->height;

    for (size_t i = 0; i < s->ninputs; i++)
        list[i] = (struct gp5_array){ .binding = s->inputs[i].binding, .words = s->inputs[i].words, .count = elements,
                                      .undefined = s->inputs[i].undefined };
    struct gp5_array mask = { .binding = "result.samplemask", .words = s->mask, .count = elements };
    l->inputs = list;
    l->ninputs = s->ninputs;
    l->results = &mask;
    l->nresults = s->mask != NULL;
    return pipeline_run(s->p, RASTER_FRAGMENT);
}

/* ---- and out ----------------------------------------------------------------------------------------------- */

/* To those samples of its pixel that it covers. */
static void write_samples(struct shading *s, const struct quad *quad, unsigned i, size_t at, struct fragment *f)
{
    uint32_t samples = quad->samples[i];

    if (s->mask)
        samples = s->mask[4 * at] & (s->overrides ? (1u << s->pattern.count) - 1 : samples);
    for (; samples; samples &= samples - 1) {
        find_sample(s, quad, (unsigned)__builtin_ctz(samples), f);
        if (s->writes_depth)
            f->depth = s->depth[at];
        if (s->early || window_test(s->p, f))
            window_put(s->p, f);
    }
}

static void write_window(struct shading *s)
{
    size_t elements = (size_t)s->width * s->height;
    bool several = program_has_option(s->stage, OPTION_ARB_draw_buffers) ||
                   program_has_option(s->stage, OPTION_ATI_draw_buffers) || program_names(s->stage, "result.color[1]");

    for (size_t q = 0; q < s->quads.count; q++) {
        const struct quad *quad = &s->quads.list[q];
        for (unsigned i = 0; i < 4; i++) {
            size_t at = element_of(s, quad->unit, i);
            if (!(quad->covered >> i & 1) || !s->covered[at])
                continue;
            struct fragment f = { .x = quad->x + i % 2, .y = quad->y + i / 2, .shape = quad->shape,
                                  .colors = s->colors + at * 4,
                                  .undefined = s->undefined ? s->undefined + at * 4 : NULL,
                                  .stride = several ? elements * 4 : 0 };
            write_samples(s, quad, i, at, &f);
        }
    }
}

static void shading_free(struct shading *s)
{
    for (size_t i = 0; i < s->ninputs; i++) {
        gp5_free(s->inputs[i].words);
        gp5_free(s->inputs[i].undefined);
    }
    gp5_free(s->shapes);
    gp5_free(s->units);
    gp5_free(s->quads.list);
    gp5_free(s->live);
    gp5_free(s->covered);
    gp5_free(s->colors);
    gp5_free(s->depth);
    gp5_free(s->undefined);
    gp5_free(s->mask);
}

static bool all(struct shading *s)
{
    if (!make_shapes(s))
        return pipeline_fail(s->p, RASTER_PLACES, "out of memory");
    if (s->quads.count > MOST_QUADS)
        return pipeline_fail(s->p, RASTER_PLACES, "more fragments than are evaluated at once");
    if (s->early)
        test_early(s);
    if (!s->quads.count)
        return true;
    if (!make_units(s) || !make_launch(s))
        return pipeline_fail(s->p, RASTER_PLACES, "out of memory");
    if (!shade(s))
        return false;
    write_window(s);
    return true;
}

/* Samples are shaded one by one where the program asks which one it is, or for a value at it. */
static void find_pattern(struct shading *s)
{
    const struct raster_window *w = s->p->window;
    const float (*at)[2] = w->positions && w->samples > 1 ? w->positions : raster_samples(w->samples);
    const gp5_program *program = s->stage->program;

    s->pattern.count = at ? w->samples ? w->samples : 1 : 0;
    for (uint32_t i = 0; i < s->pattern.count; i++) {
        s->pattern.x[i] = (int32_t)(at[i][0] * 256);
        s->pattern.y[i] = (int32_t)(at[i][1] * 256);
    }
    s->pattern.each = s->pattern.count > 1 && program_names(s->stage, "fragment.sampleid");
    for (uint32_t i = 0; s->pattern.count > 1 && i < program->symbols.count; i++)
        s->pattern.each |= (program_symbol(program, i)->interpolation & INTERP_SAMPLE) != 0;
}

/* What is not drawn yet is said before anything is run. */
static bool is_drawn(const struct shading *s)
{
    static const struct { const char *binding, *message; } rows[] = {
        { "fragment.barycoord", "fragment.barycoord is not given to the fragments of a draw" },
        { "result.secondaryposition", "a second position, for the other eye, is not drawn" },
        { "result.secondaryviewportmask[0]", "a second mask of viewports, for the other eye, is not drawn" },
    };
    const gp5_program *program = s->stage->program;
    bool several = s->pattern.count > 1;

    if (!s->pattern.count)
        return pipeline_fail(s->p, RASTER_NOT_DRAWN, "so many samples are not drawn");
    for (uint32_t i = 0; i < program->insns.count; i++) {
        unsigned op = program_insn(program, i)->op;
        if (several && op_is(op, K_INTERPOLATION))
            return pipeline_fail(s->p, RASTER_NOT_DRAWN, "IPAC, IPAO and IPAS are not evaluated with several samples");
        if (op == OP_FSIB)
            return pipeline_fail(s->p, RASTER_NOT_DRAWN, "FSIB: the fragments of a pixel are not kept in order");
    }
    if (several && s->early && !program_has_option(s->stage, OPTION_EXT_post_depth_coverage) &&
        program_names(s->stage, "fragment.samplemask"))
        return pipeline_fail(s->p, RASTER_NOT_DRAWN, "fragment.samplemask before early tests is not kept");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        for (unsigned place = 0; place < RASTER_PLACES; place++)
            if (s->p->draw->stages[place] && program_names(s->p->draw->stages[place], rows[i].binding))
                return pipeline_fail(s->p, RASTER_NOT_DRAWN, rows[i].message);
    return true;
}

bool raster_draw(const struct raster_draw *draw, struct raster_window *window, enum raster_place *failed,
                 char *message, size_t size)
{
    struct pipeline p = { .draw = draw, .window = window, .failed = RASTER_PLACES, .message = message, .size = size };
    struct raster_stage *stage = draw->stages[RASTER_FRAGMENT];
    struct shading s = { .p = &p, .stage = stage };

    *message = 0;
    s.upper_left = program_has_option(stage, OPTION_ARB_fragment_coord_origin_upper_left);
    s.whole = program_has_option(stage, OPTION_ARB_fragment_coord_pixel_center_integer);
    s.early = program_has_option(stage, OPTION_NV_early_fragment_tests);
    s.writes_depth = !s.early && program_names(stage, "result.depth");
    s.overrides = program_has_option(stage, OPTION_NV_sample_mask_override_coverage);
    find_pattern(&s);
    shading_find_inputs(&s);
    p.slots = shading_slots(&s);
    bool ok = is_drawn(&s) && (!draw->count || !draw->instances || (pipeline_vertices(&p) && all(&s)));
    shading_free(&s);
    vertices_free(&p.vertices);
    gp5_free(p.primitives.list);
    *failed = p.failed;
    return ok;
}
