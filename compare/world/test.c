/* A test from its first command to the verdict. */
#include "compare/world/world.h"
#include "compare/world/map.h"
#include "compare/world/picture.h"
#include "compare/debug/watch.h"

#include "asm/diag.h"

#include <stdlib.h>
#include <string.h>

static bool holds(enum require_test test, int64_t value, int64_t bound)
{
    switch (test) {
    case TEST_EQ: return value == bound;
    case TEST_NE: return value != bound;
    case TEST_LT: return value < bound;
    case TEST_LE: return value <= bound;
    case TEST_GT: return value > bound;
    case TEST_GE: return value >= bound;
    }
    return false;
}

/* What assembly programs need and shaders do not. */
static bool is_of_programs(const char *extension)
{
    return !strncmp(extension, "GL_NV_", 6) || strstr(extension, "_program");
}

/* What [require] asks of a driver; a recording was made on one that had it all. */
static void check_requirements(struct world *w)
{
    const struct driver_description *d = w->options->source->description;
    if (w->options->source->kind != SOURCE_LIVE)
        return;
    for (size_t i = 0; i < w->script->requirements.count; i++) {
        const struct script_requirement *r = vec_at(&w->script->requirements, i);
        const char *dot = strchr(d->version, '.');
        int64_t version = dot && dot > d->version ? (dot[-1] - '0') * 10 + (dot[1] - '0') : 0;
        bool ok = r->kind == REQUIRE_GL ? holds(r->test, version, r->version)
                                        : driver_has_extension(d, r->name) == (r->kind == REQUIRE_EXTENSION);
        if (ok || (w->options->translate && r->kind == REQUIRE_EXTENSION && is_of_programs(r->name)))
            continue;
        char note[200];
        if (r->kind == REQUIRE_GL)
            snprintf(note, sizeof note, "the driver's GL version %.60s is not what the test requires",
                     d->version);
        else
            snprintf(note, sizeof note, "the driver has %s%.100s", r->kind == REQUIRE_EXTENSION ? "no " : "",
                     r->name);
        w->result->driver_note = world_keep(w, note);
        w->alive[DRIVER] = false;
        w->driver_skipped = true;
        return;
    }
}

static void start(struct world *w)
{
    static const float tolerance[4] = { 0.01f, 0.01f, 0.01f, 0.01f };   /* piglit's */
    static const float white[4] = { 1, 1, 1, 1 }, origin[4] = { 0, 0, 0, 1 };
    vec_init(&w->storage, sizeof(struct slot));
    vec_init(&w->constants, sizeof(struct slot));
    vec_init(&w->counters, sizeof(struct slot));
    vec_init(&w->textures, sizeof(struct slot));
    vec_init(&w->images, sizeof(struct gp5_image));
    vec_init(&w->pointers, sizeof(struct driver_pointer));
    vec_init(&w->captures, sizeof(struct driver_capture));
    vec_init(&w->env, sizeof(struct driver_parameter));
    vec_init(&w->local, sizeof(struct driver_parameter));
    for (int i = 0; i < DRIVER_STAGES; i++) {
        vec_init(&w->stage_env[i], sizeof(struct driver_parameter));
        vec_init(&w->stage_local[i], sizeof(struct driver_parameter));
    }
    gp5_state_init(&w->gl);
    w->fixed = (struct raster_state){ .depth_func = RASTER_LESS, .color_mask = 15 };
    w->patch_vertices = 3;
    for (int i = 0; i < 6; i++)
        w->levels[i] = 1;
    w->window = (struct surface){ .width = w->script->width, .height = w->script->height, .layers = 1, .samples = 1,
                                  .buffers = w->script->buffers, .drawn = 1, .read_sample = -1 };
    w->draw = w->read = &w->window;
    for (int i = 0; i < RASTER_VIEWPORTS; i++)
        w->viewports[i] = (struct raster_viewport){ { 0, 0, (float)w->script->width, (float)w->script->height } };
    w->clear_depth = 1;
    vec_init(&w->interpolated, sizeof(struct op_interpolate));
    memcpy(w->tolerance, tolerance, sizeof tolerance);
    memcpy(w->color, white, sizeof white);
    for (int i = 0; i < SCRIPT_TEXCOORDS; i++)
        memcpy(w->texcoord[i], origin, sizeof origin);
    w->color_rule = (struct rule){ .type = NUMBER_F32, .kind = RULE_ULP, .ulps = 4, .near_zero = 1e-30,
                                   .denormals = DENORMALS_ANY, .nan_any = true };
    if (w->options->has_ulp)
        w->color_rule.ulps = w->options->ulps;
    w->alive[REFERENCE] = true;
    w->alive[DRIVER] = w->options->source->kind != SOURCE_NONE;
    w->result->driver_note = w->alive[DRIVER] ? NULL : w->options->source->reason;
}

/* What probes look at at the end, its layers on top of each other, of samples the mean. */
static void keep_window(struct world *w)
{
    struct test_result *r = w->result;
    struct surface flat = { .width = 0 };

    if (!surface_flatten(w->read, &flat)) {
        surface_free(&flat);
        return;
    }
    r->width = flat.width;
    r->height = flat.height * flat.layers;
    r->buffers = flat.buffers;
    r->shown = flat.read;
    for (int side = 0; side < SIDES; side++) {
        r->colors[side] = flat.colors[side];
        r->covered[side] = flat.covered[side];
        flat.colors[side] = NULL;
        flat.covered[side] = NULL;
    }
    r->undefined_colors = flat.undefined;
    flat.undefined = NULL;
    surface_free(&flat);
}

bool test_picture(const struct test_result *r, int side, uint32_t buffer, struct picture *picture)
{
    size_t at = (size_t)r->width * r->height * 4 * buffer;

    if (!r->colors[side] || buffer >= r->buffers || !(side == DRIVER ? r->driver_ran : r->reference_ran))
        return false;
    *picture = (struct picture){ r->width, r->height, r->colors[side] + at,
                                 side == REFERENCE ? r->undefined_colors + at : NULL, r->covered[side] };
    return true;
}

static void finish(struct world *w)
{
    if (w->options->windows)
        keep_window(w);
    if (w->options->maps)
        world_keep_maps(w);
    framebuffer_close(w);
    world_free_slots(&w->storage);
    world_free_slots(&w->constants);
    world_free_slots(&w->counters);
    world_free_slots(&w->textures);
    vec_free(&w->images);
    vec_free(&w->pointers);
    vec_free(&w->captures);
    vec_free(&w->env);
    vec_free(&w->local);
    for (int i = 0; i < DRIVER_STAGES; i++) {
        vec_free(&w->stage_env[i]);
        vec_free(&w->stage_local[i]);
    }
    draw_close(w);
    vec_free(&w->interpolated);
    reference_close(&w->reference);
}

/* What the counts amount to. Nothing passes in silence: a test that checked nothing is skipped, and says so.
 */
static void verdict(struct world *w)
{
    struct test_result *r = w->result;
    uint64_t checked = r->exact + r->by_rule + r->blocks + r->probes;
    if (r->status == TEST_ERROR)
        return;
    if (r->findings_total) {
        r->status = TEST_FAILED;
    } else if (w->options->strict && r->undefined + r->blocks_undefined + r->probes_undefined) {
        r->status = TEST_FAILED;
        r->message = "undefined components, with --strict";
    } else if (r->status == TEST_SKIPPED) {
        return;
    } else if (w->options->driver_wanted && !r->driver_ran) {
        r->status = TEST_SKIPPED;
        r->message = r->driver_note ? r->driver_note : "no driver to compare with";
    } else if (!checked && w->script->pipeline && r->reference_ran) {
        r->message = "it ran; there is nothing to check";      /* as piglit has it: it did not crash */
    } else if (!checked && r->undefined + r->blocks_undefined + r->probes_undefined == 0) {
        r->status = TEST_SKIPPED;
        r->message =
            r->not_compared_reason ? r->not_compared_reason : "nothing to check: no probes and no driver";
    }
}

static const char *test_name(struct world *w)
{
    size_t script = strlen(w->script->name), label = strlen(w->program->label);
    char *name = arena_alloc(&w->result->arena, script + label + 2);
    if (!name)
        return w->script->name;
    memcpy(name, w->script->name, script);
    if (label) {
        name[script] = ':';
        memcpy(name + script + 1, w->program->label, label);
    }
    return name;
}

static void start_result(struct test_result *r, const struct script *s)
{
    memset(r, 0, sizeof *r);
    arena_init(&r->arena);
    vec_init(&r->findings, sizeof(struct finding));
    vec_init(&r->reasons, sizeof(struct undefined_reason));
    vec_init(&r->maps, sizeof(struct buffer_map));
    r->file = s->path;
    r->name = s->name;
}

/* An error of a command is told with its line, and so is what is not done. */
static void name_line(struct world *w)
{
    char text[400];
    bool stopped = w->result->status == TEST_ERROR || w->result->status == TEST_SKIPPED;
    if (!stopped || w->result->interrupted || !w->op || !w->result->message ||
        !strncmp(w->result->message, "line ", 5))
        return;
    snprintf(text, sizeof text, "line %u: %.350s", w->op->line, w->result->message);
    w->result->message = world_keep(w, text);
}

/* What NVIDIA's driver makes of what the specification leaves open is no rule for another, nor for a shader. */
static bool reads_specification(const struct script *s, const struct test_options *options)
{
    const struct source *source = options->source;
    return !options->semantics_chosen && source->kind != SOURCE_NONE &&
           (options->translate || (s->pipeline && !strstr(source->description->vendor, "NVIDIA")));
}

static void run(const struct script *s, const struct script_program *program, const struct test_options *given,
                struct test_result *result)
{
    struct test_options chosen = *given;
    const struct test_options *options = &chosen;
    struct world w = { .script = s, .program = program, .options = options, .result = result };
    if (reads_specification(s, given))
        chosen.run.semantics = GP5_SEMANTICS_SPEC;
    size_t table_size = 0;
    start_result(result, s);
    result->name = test_name(&w);
    result->semantics = options->run.semantics;
    result->language = options->translate ? gp5_language_name(options->language) : NULL;
    start(&w);
    check_requirements(&w);
    reference_open(&w.reference, program->text, program->size, &options->run);
    w.reference.before = program->line;
    memcpy(w.group_size, w.reference.group_size, sizeof w.group_size);
    result->not_modelled = reference_not_modelled(&w.reference);
    draw_open(&w);
    world_translate(&w);
    if (options->tables)
        w.table = open_memstream(&result->table, &table_size);
    struct watch *watch = options->watch;
    bool other = program->fixed && w.has_stage[DRIVER_VERTEX];      /* the program that the script is about */
    struct reference *watched = other ? &w.stages[DRIVER_VERTEX] : &w.reference;
    if (watch && !watch_open(watch, watched, watched->before)) {
        result->status = TEST_ERROR;
        result->message = "out of memory";
    }
    for (size_t i = 0; i < s->ops.count && result->status != TEST_ERROR && !(watch && watch_quit(watch)); i++) {
        w.op = vec_at(&s->ops, i);
        if (options->go_on && !options->go_on(options->user, i, s->ops.count))
            world_interrupt(&w);
        if (result->interrupted)
            break;
        world_carry_out(&w);
    }
    if (w.table)
        fclose(w.table);
    if (watch)
        watch_close(watch);
    name_line(&w);
    verdict(&w);
    finish(&w);
}

/* A fragment program on a rectangle, behind nothing that computes, gave other colours than the driver: by its
 * inputs' last bits, perhaps, which a draw with a pipeline would show. */
static bool differs_in_colors(const struct script *s, const struct test_result *r)
{
    for (size_t i = 0; !s->pipeline && i < r->findings.count; i++) {
        const struct finding *f = vec_at(&r->findings, i);
        if (f->kind == FINDING_DIFFERS && f->output == OUTPUT_COLOR)
            return true;
    }
    return false;
}

void test_run(const struct script *s, const struct script_program *program, const struct test_options *options,
              struct test_result *result)
{
    struct script drawn = *s;
    struct test_result second;

    run(s, program, options, result);
    if (!differs_in_colors(s, result) || options->watch)
        return;
    drawn.pipeline = true;
    run(&drawn, program, options, &second);
    if (!second.driver_ran || second.status == TEST_ERROR) {
        test_result_free(&second);
        return;
    }
    test_result_free(result);
    *result = second;
}

void test_refuse(const struct script *s, struct test_result *r)
{
    start_result(r, s);
    r->status = s->status == SCRIPT_SKIP ? TEST_SKIPPED : TEST_ERROR;
    struct place place = s->text ? diag_locate(s->text, s->size, s->offset) : (struct place){ 0, 0 };
    char text[600];
    if (place.line)
        snprintf(text, sizeof text, "line %u, column %u: %.500s", place.line, place.column, s->message);
    else
        snprintf(text, sizeof text, "%.500s", s->message);
    const char *copy = arena_copy(&r->arena, text, strlen(text));
    r->message = copy ? copy : "out of memory";
}

void test_result_free(struct test_result *r)
{
    vec_free(&r->findings);
    vec_free(&r->reasons);
    arena_free(&r->arena);
    free(r->table);
    for (int side = 0; side < SIDES; side++) {
        gp5_free(r->colors[side]);
        gp5_free(r->covered[side]);
    }
    gp5_free(r->undefined_colors);
    for (size_t i = 0; i < r->maps.count; i++) {
        struct buffer_map *m = vec_at(&r->maps, i);
        gp5_free(m->data[REFERENCE]);
        gp5_free(m->data[DRIVER]);
        gp5_free(m->undefined);
    }
    vec_free(&r->maps);
    memset(r, 0, sizeof *r);
}

const char *test_status_name(enum test_status status)
{
    static const char *const names[] = { "pass", "fail", "skip", "error" };
    return names[status];
}

int test_exit_status(enum test_status status)
{
    static const int codes[] = { 0, 1, 77, 2 };
    return codes[status];
}
