/* A draw by the reference: the programs of the pipeline and the rasteriser between them. */
#include "compare/driver/open_colors.h"
#include "compare/driver/reference.h"
#include "compare/driver/reference_launch.h"

#include "eval/machine/launch.h"

#include <string.h>

const char reference_fixed_vertex[] =
    "!!ARBvp1.0\nOPTION ARB_position_invariant;\nMOV result.color, vertex.color;\n"
    "MOV result.color.secondary, vertex.color.secondary;\nMOV result.fogcoord, vertex.fogcoord;\n"
    "MOV result.texcoord[0], vertex.texcoord[0];\nMOV result.texcoord[1], vertex.texcoord[1];\n"
    "MOV result.texcoord[2], vertex.texcoord[2];\nMOV result.texcoord[3], vertex.texcoord[3];\n"
    "MOV result.texcoord[4], vertex.texcoord[4];\nMOV result.texcoord[5], vertex.texcoord[5];\n"
    "MOV result.texcoord[6], vertex.texcoord[6];\nMOV result.texcoord[7], vertex.texcoord[7];\nEND\n";
const char reference_fixed_fragment[] = "!!ARBfp1.0\nMOV result.color, fragment.color;\nEND\n";

static const struct { enum driver_stage stage; enum raster_place place; } places[] = {
    { DRIVER_VERTEX, RASTER_VERTEX }, { DRIVER_TESS_CONTROL, RASTER_CONTROL },
    { DRIVER_TESS_EVALUATION, RASTER_EVALUATION }, { DRIVER_GEOMETRY, RASTER_GEOMETRY },
    { DRIVER_FRAGMENT, RASTER_FRAGMENT },
};

struct drawing {
    const struct reference *const *stages;
    const struct driver_case *c;
    struct outcome *o;
    struct reference_launch launch;
    struct raster_stage stage[RASTER_PLACES];
    struct gp5_report report[RASTER_PLACES];
    struct gp5_parameter *parameters[RASTER_PLACES];
    struct gp5_array *inputs;
    struct raster_capture *captures;
    struct raster_window window;
    struct raster_draw draw;
};

static enum gp5_run_status run(void *user, const struct raster_stage *stage)
{
    const struct reference *r = user;

    gp5_report_free(stage->report);
    return eval_execute(r->executable, &stage->launch, &r->options, r->observer, stage->report);
}

/* ---- what goes in ------------------------------------------------------------------------------------------ */

static void put_parameters(struct gp5_parameter *to, const struct driver_parameter *from, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        to[i].index = from[i].index;
        memcpy(to[i].word, from[i].bits, sizeof to[i].word);
    }
}

/* Of the fragment program the launch has them already. */
static bool set_parameters(struct drawing *d, enum driver_stage stage, enum raster_place place)
{
    const struct driver_draw *draw = d->c->raster.draw;
    struct gp5_launch *l = &d->stage[place].launch;

    if (stage == DRIVER_FRAGMENT)
        return true;
    l->nenv = l->nlocal = 0;
    for (size_t i = 0; i < draw->program_count; i++) {
        const struct driver_program *p = &draw->programs[i];
        if (p->stage != stage)
            continue;
        struct gp5_parameter *list = gp5_malloc((p->env_count + p->local_count + 1) * sizeof *list);
        d->parameters[place] = list;
        if (!list)
            return false;
        put_parameters(list, p->env, p->env_count);
        put_parameters(list + p->env_count, p->local, p->local_count);
        l->env = list;
        l->nenv = p->env_count;
        l->local = list + p->env_count;
        l->nlocal = p->local_count;
    }
    return true;
}

static bool set_stages(struct drawing *d)
{
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        const struct reference *r = d->stages[places[i].stage];
        struct raster_stage *to = &d->stage[places[i].place];
        if (!r)
            continue;
        *to = (struct raster_stage){ .program = r->program, .executable = r->executable, .launch = d->launch.gl,
                                     .run = run, .user = (void *)(uintptr_t)r,
                                     .report = &d->report[places[i].place] };
        if (!set_parameters(d, places[i].stage, places[i].place))
            return false;
        d->draw.stages[places[i].place] = to;
    }
    return true;
}

static bool set_inputs(struct drawing *d)
{
    const struct driver_draw *draw = d->c->raster.draw;

    d->inputs = gp5_malloc((draw->input_count + 1) * sizeof *d->inputs);
    for (size_t i = 0; d->inputs && i < draw->input_count; i++)
        d->inputs[i] = (struct gp5_array){ .binding = draw->inputs[i].binding,
                                           .words = (uint32_t *)(uintptr_t)draw->inputs[i].data,
                                           .count = draw->inputs[i].size / 16 };
    d->draw.mode = (enum raster_mode)draw->mode;
    d->draw.first = draw->first;
    d->draw.count = draw->count;
    d->draw.instances = draw->instances;
    d->draw.patch_vertices = draw->patch_vertices;
    memcpy(d->draw.levels, draw->levels, sizeof d->draw.levels);
    d->draw.inputs = d->inputs;
    d->draw.ninputs = draw->input_count;
    d->draw.state = draw->state;
    d->draw.viewports = draw->viewports;
    d->draw.gl = draw->gl;
    d->draw.beside = d->stages[DRIVER_FRAGMENT]->options.semantics == GP5_SEMANTICS_NVIDIA;
    return d->inputs;
}

static bool set_captures(struct drawing *d)
{
    const struct driver_draw *draw = d->c->raster.draw;

    if (!draw->captured)
        return true;
    d->captures = gp5_malloc((draw->capture_count + 1) * sizeof *d->captures);
    for (size_t i = 0; d->captures && i < draw->capture_count; i++) {
        const struct driver_capture *from = &draw->captures[i];
        const struct output *to = outcome_find(d->o, OUTPUT_STORAGE, from->buffer);
        d->captures[i] = (struct raster_capture){
            .binding = from->binding, .data = to ? to->data : NULL, .undefined = to ? to->undefined : NULL,
            .size = to ? to->size : 0, .stride = from->stride, .offset = from->offset, .components = from->components };
    }
    d->draw.captures = d->captures;
    d->draw.ncaptures = draw->capture_count;
    d->draw.counts = &d->o->counts;
    return d->captures;
}

/* ---- the window -------------------------------------------------------------------------------------------- */

static void *zeros(size_t size)
{
    void *p = gp5_malloc(size);
    if (p)
        memset(p, 0, size);
    return p;
}

static bool set_window(struct drawing *d, bool track)
{
    const struct driver_raster *r = &d->c->raster;
    struct raster_window *w = &d->window;
    size_t pixels = driver_pixels(r);

    w->width = r->width;
    w->height = r->height;
    w->layers = r->layers;
    w->samples = r->samples;
    w->layered = r->layered;
    w->positions = r->draw->positions;
    w->ncolors = r->color_outputs;
    if (w->ncolors == 1) {      /* where the outcome has it; several stand behind each other first */
        struct output *color = (struct output *)outcome_find(d->o, OUTPUT_COLOR, 0);
        w->colors = (float *)(void *)color->data;
        w->undefined = color->undefined;
    } else {
        w->colors = zeros(pixels * 16 * w->ncolors);
        w->undefined = track ? zeros(pixels * 16 * w->ncolors) : NULL;
    }
    w->depth = gp5_malloc(pixels * 4);
    w->covered = zeros(pixels);
    w->shapes = zeros(pixels * 4);
    if (!w->colors || !w->depth || !w->covered || !w->shapes || (track && !w->undefined))
        return false;
    for (size_t i = 0; i < pixels; i++)
        w->depth[i] = r->draw->depth ? r->draw->depth[i] : r->draw->clear_depth;
    return true;
}

static bool keep_window(struct drawing *d)
{
    const struct raster_window *w = &d->window;
    size_t pixels = driver_pixels(&d->c->raster), bytes = pixels * 16;
    struct outcome *o = d->o;

    for (uint32_t i = 0; w->ncolors > 1 && i < w->ncolors; i++) {
        struct output *color = (struct output *)outcome_find(o, OUTPUT_COLOR, i);
        memcpy(color->data, (uint8_t *)w->colors + i * bytes, bytes);
        if (color->undefined)
            memcpy(color->undefined, (uint8_t *)w->undefined + i * bytes, bytes);
    }
    struct output *covered = (struct output *)outcome_find(o, OUTPUT_COVERAGE, 0);
    for (size_t i = 0; i < pixels; i++)
        covered->data[i] = w->covered[i] != 0;
    o->shapes = d->window.shapes;
    d->window.shapes = NULL;
    return !d->c->raster.bring_depth || outcome_add(o, OUTPUT_DEPTH, 0, w->depth, pixels * 4);
}

/* ---- what comes out ---------------------------------------------------------------------------------------- */

static const struct reference *at_place(const struct drawing *d, enum raster_place place)
{
    for (size_t i = 0; i < sizeof places / sizeof *places; i++)
        if (places[i].place == place)
            return d->stages[places[i].stage];
    return NULL;
}

static enum outcome_status status_of(enum gp5_run_status status)
{
    switch (status) {
    case GP5_RUN_NOT_EVALUATED: return OUTCOME_SKIPPED;
    case GP5_RUN_NO_MEMORY: return OUTCOME_NO_MEMORY;
    default: return OUTCOME_FAILED;
    }
}

/* The line is that of the stage's own program. */
static void fail_at(struct drawing *d, enum raster_place place, const char *message)
{
    const struct reference *r = at_place(d, place);
    const struct gp5_report *report = &d->report[place];

    d->o->cancelled = report->status == GP5_RUN_CANCELLED;
    if (d->o->cancelled) {
        d->o->status = OUTCOME_RAN;
        return;
    }
    bool placed = report->status != GP5_RUN_BAD_LAUNCH && report->status != GP5_RUN_NO_MEMORY;
    char *text = reference_message(r->program, r->before, placed ? (int64_t)report->offset : -1, message);
    outcome_fail(d->o, status_of(report->status), "%s", text ? text : "out of memory");
    gp5_free(text);
}

/* The fragment program's report is the outcome's; of the others the counts are added. */
static void take_reports(struct drawing *d)
{
    struct gp5_report *to = &d->o->report;

    *to = d->report[RASTER_FRAGMENT];
    memset(&d->report[RASTER_FRAGMENT], 0, sizeof d->report[RASTER_FRAGMENT]);
    for (int i = 0; i < RASTER_FRAGMENT; i++) {
        to->instructions += d->report[i].instructions;
        to->lanes += d->report[i].lanes;
        to->undefined_uses += d->report[i].undefined_uses;
    }
}

static void draw(struct drawing *d)
{
    enum raster_place failed;
    char message[300];

    if (!raster_draw(&d->draw, &d->window, &failed, message, sizeof message)) {
        if (failed >= RASTER_PLACES)
            outcome_fail(d->o, failed == RASTER_NOT_DRAWN ? OUTCOME_SKIPPED : OUTCOME_FAILED, "%s", message);
        else
            fail_at(d, failed, message);
        return;
    }
    d->o->status = OUTCOME_RAN;
    take_reports(d);
    if (!keep_window(d) || !reference_open_colors(d->stages[DRIVER_FRAGMENT]->program, d->o))
        outcome_fail(d->o, OUTCOME_NO_MEMORY, "out of memory");
}

static void drawing_free(struct drawing *d)
{
    for (int i = 0; i < RASTER_PLACES; i++) {
        gp5_report_free(&d->report[i]);
        gp5_free(d->parameters[i]);
    }
    gp5_free(d->inputs);
    gp5_free(d->captures);
    if (d->window.ncolors > 1) {
        gp5_free(d->window.colors);
        gp5_free(d->window.undefined);
    }
    gp5_free(d->window.depth);
    gp5_free(d->window.covered);
    gp5_free(d->window.shapes);
    reference_launch_free(&d->launch);
}

void reference_draw(const struct reference *const stages[DRIVER_STAGES], const struct driver_case *c,
                    struct outcome *o)
{
    struct drawing d = { .stages = stages, .c = c, .o = o };
    bool track = stages[DRIVER_FRAGMENT]->options.track_undefined;

    for (int i = 0; i < DRIVER_STAGES; i++) {
        const struct reference *r = stages[i];
        if (!r || r->executable)
            continue;
        char *text = reference_message(r->program, r->before, r->position,
                                       r->message ? r->message : "cannot be evaluated");
        outcome_fail(o, r->status, "%s", text ? text : "out of memory");
        gp5_free(text);
        return;
    }
    if (!reference_launch(&d.launch, c, track, o)) {
        reference_launch_free(&d.launch);
        return;
    }
    if (set_stages(&d) && set_inputs(&d) && set_captures(&d) && set_window(&d, track))
        draw(&d);
    else
        outcome_fail(o, OUTCOME_NO_MEMORY, "out of memory");
    drawing_free(&d);
}
