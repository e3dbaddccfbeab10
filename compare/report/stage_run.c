#include "compare/report/stage_context.h"

#include "asm/program.h"
#include "asm/stage_shape.h"
#include "compare/debug/watch.h"
#include "eval/decode/prepare.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

bool stage_run_needed(const char *text, size_t size)
{
    unsigned profile = asm_find_profile(text, size);
    unsigned stage = profile_table[profile].stage_id;

    return profile != PROFILE_NONE && stage != STAGE_COMPUTE && stage != STAGE_FRAGMENT;
}

static bool no_memory(struct stage_context *c)
{
    return stage_fail(c, 2, "out of memory");
}

/* ---- what there is to run -------------------------------------------------------------------------------- */

static bool open_program(struct stage_context *c)
{
    const struct evaluation *e = &c->s->e;

    reference_open(&c->reference, e->text, e->size, &e->run);
    if (c->reference.executable) {
        c->stage = (enum program_stage)profile_table[c->reference.program->profile].stage_id;
        if (c->stage == STAGE_COMPUTE)
            return stage_fail(c, 2, "a compute program has no --input and --output, but --storage");
        const char *misplaced = evaluation_misplaced(e, c->reference.program);
        return !misplaced || stage_fail(c, 2, "%s", misplaced);
    }
    c->status = c->reference.status == OUTCOME_SKIPPED ? 77 : c->reference.status == OUTCOME_REJECTED ? 1 : 2;
    if (c->reference.status == OUTCOME_REJECTED)
        diags_print(c->err, e->colour, e->file, e->text, e->size, &c->reference.program->diags, FOR_GP5);
    else if (c->reference.position >= 0) {
        struct diag d = {
            .severity = DIAG_ERROR, .message = c->reference.message, .span = {(uint32_t)c->reference.position, 1}};
        diag_print(c->err, e->colour, e->file, e->text, e->size, &d);
    } else {
        stage_fail(c, c->status, "%s", c->reference.message ? c->reference.message : "cannot be evaluated");
    }
    return false;
}

static bool writes_result(const struct gp5_program *p, const struct result *r)
{
    return r->kind == OPND_BINDING  ? binding_table[program_binding(p, r->ref)->kind].class == BC_RESULT
           : r->kind == OPND_SYMBOL ? program_symbol(p, r->ref)->kind == SYM_OUTPUT
                                    : false;
}

/* Whether anything is to be seen of the program: a result, memory, or which fragments it discards. */
static bool leaves_something(struct stage_context *c)
{
    const uint64_t invariant =
        UINT64_C(1) << OPTION_ARB_position_invariant | UINT64_C(1) << OPTION_NV_position_invariant;
    const struct gp5_program *p = c->reference.program;

    for (uint32_t i = 0; i < p->others.count; i++)
        if (program_other(p, i)->kind == STMT_PASSTHROUGH)
            return true;
    for (uint32_t i = 0; i < p->insns.count; i++) {
        const struct insn *insn = program_insn(p, i);
        if (writes_result(p, &insn->dst) ||
            op_is(insn->op, K_STORE | K_IMAGE_STORE | K_ANY_ATOMIC | K_KILL | K_DEMOTE))
            return true;
    }
    return p->options & invariant || stage_fail(c, 2, "the program writes nothing");
}

static bool is_patch_number(const struct stage_context *c, const struct stage_file *f)
{
    return c->stage == STAGE_EVALUATION && !strcmp(f->binding, "patch");
}

static bool is_long(const struct stage_context *c, const struct stage_file *f)
{
    struct binding_name name;

    return asm_find_binding(c->stage, f->binding, &name) && asm_is_long_input(c->reference.program, &name);
}

/* Bytes of an element: a word, four of 32 bits, or four of 64. */
static size_t unit_of(const struct stage_context *c, const struct stage_file *f)
{
    return is_patch_number(c, f) ? 4 : is_long(c, f) ? 32 : 16;
}

/* How many elements an input has: as many as its file holds, which says how many there are where --count does not. */
static size_t elements_of(const struct stage_context *c, const struct stage_file *f)
{
    return f->size / unit_of(c, f);
}

static bool check_input(struct stage_context *c, const struct stage_file *f)
{
    struct binding_name name;
    size_t unit = unit_of(c, f);

    if (!is_patch_number(c, f) &&
        (!asm_find_binding(c->stage, f->binding, &name) || binding_table[name.kind].class == BC_RESULT))
        return stage_fail(c, 2, "a %s program has no input %s", profile_table[c->reference.program->profile].stage,
                    f->binding);
    if (!f->size || f->size % unit)
        return stage_fail(c, 2, "%s: %zu bytes; an element of %s has %zu", f->path, f->size, f->binding, unit);
    return true;
}

/* ---- generated points ---------------------------------------------------------------------------------- */

static float level(const struct stage_context *c, const char *what, unsigned k, uint32_t patch)
{
    char name[48];
    const struct stage_file *f;
    float value = 1;

    snprintf(name, sizeof name, "result.patch.%s[%u]", what, k);
    f = stage_find_input(c, name);
    if (!f) {
        snprintf(name, sizeof name, "primitive.%s[%u]", what, k);
        f = stage_find_input(c, name);
    }
    if (f && patch < elements_of(c, f))
        memcpy(&value, f->bytes + (size_t)patch * 16, sizeof value);
    return value;
}

static bool add_points(struct stage_context *c, uint32_t patch)
{
    float outer[4], inner[2], *found;

    for (unsigned k = 0; k < 4; k++)
        outer[k] = level(c, "tessouter", k, patch);
    for (unsigned k = 0; k < 2; k++)
        inner[k] = level(c, "tessinner", k, patch);
    size_t n = gp5_tessellate(c->reference.executable, outer, inner, &found);
    if (n == SIZE_MAX)
        return no_memory(c);
    uint32_t *coordinates = gp5_realloc(c->tesscoord, (c->npoints + n + 1) * 4 * sizeof *coordinates);
    c->tesscoord = coordinates ? coordinates : c->tesscoord;
    uint32_t *patches = gp5_realloc(c->patch, (c->npoints + n + 1) * sizeof *patches);
    c->patch = patches ? patches : c->patch;
    for (size_t i = 0; coordinates && patches && i < n; i++) {
        memcpy(c->tesscoord + 4 * (c->npoints + i), found + 3 * i, 3 * sizeof *found);
        c->tesscoord[4 * (c->npoints + i) + 3] = 0;
        c->patch[c->npoints + i] = patch;
    }
    gp5_text_free((char *)found);
    if (!coordinates || !patches)
        return no_memory(c);
    c->npoints += n;
    return true;
}

static bool make_points(struct stage_context *c, struct gp5_launch *l)
{
    const struct stage_file *given = stage_find_input(c, "vertex.tesscoord"), *patch = stage_find_input(c, "patch");

    l->patches = c->s->count;
    l->patch_vertices = c->s->patch_vertices;
    if (!given != !patch)
        return stage_fail(c, 2, "points are given by vertex.tesscoord and by patch, a word each: which patch");
    if (given) {
        if (elements_of(c, given) != elements_of(c, patch))
            return stage_fail(c, 2, "%zu points of vertex.tesscoord, %zu of patch", elements_of(c, given),
                        elements_of(c, patch));
        l->count = (uint32_t)elements_of(c, given);
        l->patch = (const uint32_t *)(const void *)patch->bytes;
        return true;
    }
    for (uint32_t p = 0; p < c->s->count; p++)
        if (!add_points(c, p))
            return false;
    if (c->npoints > UINT32_MAX / 64)
        return stage_fail(c, 2, "%zu points are more than are evaluated at once", c->npoints);
    l->count = (uint32_t)c->npoints;
    l->patch = c->patch;
    c->inputs[c->ninputs++] =
        (struct gp5_array){.binding = "vertex.tesscoord", .words = c->tesscoord, .count = c->npoints};
    return true;
}

/* ---- inputs and results ---------------------------------------------------------------------------------- */

/* Elements that an input must have, exactly. */
static uint64_t input_elements(const struct stage_context *c, const char *binding)
{
    const struct stage_run *s = c->s;
    struct stage_shape shape = asm_stage_shape(c->reference.program);
    struct binding_name name;

    if (c->stage == STAGE_FRAGMENT)
        return (uint64_t)s->e.width * s->e.height;
    if (!asm_find_binding(c->stage, binding, &name))
        return 0;
    if (name.kind == BIND_VERTEX_TESSCOORD)
        return c->launch.gl.count;
    if (!asm_is_of_vertex(asm_canonical_binding(name.kind)))
        return s->count;
    return (uint64_t)s->count * (c->stage == STAGE_GEOMETRY ? shape.vertices_in : s->patch_vertices);
}

static bool take_inputs(struct stage_context *c)
{
    const struct stage_run *s = c->s;

    for (size_t i = 0; i < s->input_count; i++) {
        const struct stage_file *f = &s->inputs[i];
        if (is_patch_number(c, f))
            continue;
        uint64_t needed = input_elements(c, f->binding);
        if (elements_of(c, f) != needed)
            return stage_fail(c, 2, "%s: %zu elements of %s; %" PRIu64 " are needed", f->path, elements_of(c, f),
                              f->binding, needed);
        if (c->ninputs == sizeof c->inputs / sizeof *c->inputs)
            return stage_fail(c, 2, "more than %zu inputs", c->ninputs);
        c->inputs[c->ninputs++] = (struct gp5_array){
            .binding = f->binding, .words = (uint32_t *)(void *)(uintptr_t)f->bytes, .count = elements_of(c, f),
            .wide = is_long(c, f)};
    }
    return true;
}

static bool add_result(struct stage_context *c, const char *binding, uint8_t stream, bool named)
{
    bool track = c->s->e.run.track_undefined;
    struct gp5_array *a = &c->results[c->nresults];
    size_t room = c->elements + 1;

    if (c->nresults == sizeof c->results / sizeof *c->results)
        return stage_fail(c, 2, "more than %zu results", c->nresults);
    *a = (struct gp5_array){.binding = binding, .stream = stream, .count = c->elements};
    a->words = gp5_malloc(room * 16);
    a->undefined = track ? gp5_malloc(room * 16) : NULL;
    if (!a->words || (track && !a->undefined)) {
        gp5_free(a->words);
        return no_memory(c);
    }
    memset(a->words, 0, room * 16);
    if (track)
        memset(a->undefined, 0, room * 16);
    c->named[c->nresults++] = named;
    return true;
}

static bool has_result(const struct stage_context *c, const struct binding_name *name)
{
    struct binding_name other;

    for (size_t i = 0; i < c->nresults; i++)
        if (asm_find_binding(c->stage, c->results[i].binding, &other) &&
            asm_canonical_binding(other.kind) == asm_canonical_binding(name->kind) && other.index[0] == name->index[0])
            return true;
    return false;
}

/* Where no --output is given: every result that the program names. */
static bool add_named_results(struct stage_context *c)
{
    const struct gp5_program *p = c->reference.program;

    for (uint32_t i = 0; i < p->bindings.count; i++) {
        const struct binding *b = program_binding(p, i);
        const char *words = b->kind < BIND_COUNT ? binding_table[b->kind].words : "";
        bool indexed = strchr(words, '[') != NULL;
        if (b->kind >= BIND_COUNT || binding_table[b->kind].class != BC_RESULT)
            continue;
        for (uint32_t n = b->nindices ? b->first[0] : 0; n <= (b->nindices && b->range[0] ? b->last[0]
                                                               : b->nindices              ? b->first[0]
                                                                                          : 0);
             n++) {
            struct binding_name name = {.kind = b->kind, .nindices = 1, .index = {n}};
            char *text = has_result(c, &name) ? NULL : gp5_malloc(64);
            if (!text)
                continue;
            snprintf(text, 64, indexed ? "%.*s[%u]" : "%.*s", (int)strcspn(words, "["), words, n);
            if (!add_result(c, text, 0, false)) {
                gp5_free(text);
                return false;
            }
        }
    }
    return true;
}

static bool take_results(struct stage_context *c)
{
    const struct stage_run *s = c->s;
    struct binding_name name;

    for (size_t i = 0; i < s->output_count; i++) {
        const struct stage_file *f = &s->outputs[i];
        if (!strcmp(f->binding, "coverage") && c->stage != STAGE_FRAGMENT)
            return stage_fail(c, 2, "coverage is what a fragment program has");
        if (!strcmp(f->binding, "vertex.tesscoord") && c->stage != STAGE_EVALUATION)
            return stage_fail(c, 2, "vertex.tesscoord is what a tessellation evaluation program has");
        if (stage_is_special(f))
            continue;
        if (!asm_find_binding(c->stage, f->binding, &name) || binding_table[name.kind].class != BC_RESULT)
            return stage_fail(c, 2, "a %s program has no result %s", profile_table[c->reference.program->profile].stage,
                        f->binding);
        if (!add_result(c, f->binding, f->stream, true))
            return false;
    }
    if (!s->output_count && !add_named_results(c))
        return false;
    if (c->stage == STAGE_FRAGMENT) {
        c->covered = gp5_malloc(c->elements + 1);
        if (!c->covered)
            return no_memory(c);
        memset(c->covered, 0, c->elements + 1);
    }
    return true;
}

/* ---- the run ------------------------------------------------------------------------------------------- */

static bool set_up(struct stage_context *c)
{
    static const uint8_t stages[] = {[STAGE_VERTEX] = DRIVER_VERTEX, [STAGE_CONTROL] = DRIVER_TESS_CONTROL,
                                     [STAGE_EVALUATION] = DRIVER_TESS_EVALUATION, [STAGE_GEOMETRY] = DRIVER_GEOMETRY,
                                     [STAGE_FRAGMENT] = DRIVER_FRAGMENT};
    const struct evaluation *e = &c->s->e;
    struct driver_case *k = &c->case_;
    struct gp5_launch *l = &c->launch.gl;

    *k = (struct driver_case){.stage = stages[c->stage],
                              .program = e->text,
                              .program_size = e->size,
                              .storage = e->storage,
                              .storage_count = e->storage_count,
                              .constants = e->constants,
                              .constant_count = e->constant_count,
                              .env = e->env,
                              .env_count = e->env_count,
                              .local = e->local,
                              .local_count = e->local_count,
                              .counters = e->counters,
                              .counter_count = e->counter_count,
                              .textures = e->textures,
                              .texture_count = e->texture_count,
                              .images = e->images,
                              .image_count = e->image_count,
                              .pointers = e->pointers,
                              .pointer_count = e->pointer_count,
                              .subroutines = e->subroutines,
                              .subroutine_count = e->subroutine_count};
    k->raster = (struct driver_raster){.width = 1, .height = 1, .color_outputs = 1};
    if (!reference_launch(&c->launch, k, e->run.track_undefined, &c->outcome))
        return stage_fail(c, 2, "%s", c->outcome.message ? c->outcome.message : "out of memory");
    if (c->stage == STAGE_FRAGMENT) {
        l->ncolors = 0;
        l->colors = NULL;
        l->undefined = NULL;
        l->width = e->width;
        l->height = e->height;
        l->points = c->s->points;
    } else {
        l->count = c->s->count;
        l->instances = c->s->instances;
        l->patch_vertices = c->s->patch_vertices;
    }
    l->state = c->s->state;
    return true;
}

/* Storage, counters and textures, to who wants them. */
static bool hand_out_memory(struct stage_context *c)
{
    const struct evaluation *e = &c->s->e;

    for (size_t i = 0; e->after && i < c->outcome.count; i++) {
        const struct output *o = &c->outcome.outputs[i];
        if ((o->kind == OUTPUT_STORAGE || o->kind == OUTPUT_COUNTER || o->kind == OUTPUT_TEXTURE) &&
            !e->after(e->user, o->kind, o->binding, o->data, o->size))
            return stage_fail(c, 2, "a dump cannot be written");
    }
    return true;
}

static bool run(struct stage_context *c)
{
    struct gp5_launch *l = &c->launch.gl;
    enum gp5_run_status status;

    l->inputs = c->inputs;
    l->ninputs = c->ninputs;
    l->results = c->results;
    l->nresults = c->nresults;
    l->covered = c->covered;
    if (c->s->e.watch && !watch_open(c->s->e.watch, &c->reference, 0))
        return no_memory(c);
    status = eval_execute(c->reference.executable, l, &c->s->e.run, c->reference.observer, &c->outcome.report);
    if (c->s->e.watch && watch_quit(c->s->e.watch))
        return false;           /* nothing more is of interest */
    if (status == GP5_RUN_OK || status == GP5_RUN_CANCELLED) {
        if (c->stage == STAGE_GEOMETRY)
            c->elements = c->outcome.report.elements[0];
        return hand_out_memory(c);
    }
    return stage_fail(c,
                status == GP5_RUN_BAD_LAUNCH || status == GP5_RUN_NO_MEMORY ? 2
                : status == GP5_RUN_NOT_EVALUATED                           ? 77
                                                                            : 1,
                "%s", c->outcome.report.message ? c->outcome.report.message : "the run ended early");
}

/* ---- all of it ------------------------------------------------------------------------------------------ */

static bool check_counts(struct stage_context *c)
{
    const struct stage_run *s = c->s;

    if (c->stage == STAGE_FRAGMENT)
        return !s->has_count || stage_fail(c, 2, "fragments are counted by --size=WIDTH,HEIGHT");
    if (!s->has_count)
        return stage_fail(c, 2, "--count=N says how many there are to run it on");
    if (!s->count || s->count >= UINT32_C(1) << 31)
        return stage_fail(c, 2, "--count=%" PRIu32 ": it is from 1 to 2147483647", s->count);
    for (size_t i = 0; i < s->input_count; i++)
        if (!check_input(c, &s->inputs[i]))
            return false;
    return true;
}

static bool show_picture(struct stage_context *c)
{
    const struct evaluation *e = &c->s->e;
    const struct gp5_array *color = NULL;

    if (!e->picture || c->stage != STAGE_FRAGMENT)
        return true;
    for (size_t i = 0; i < c->nresults; i++)
        if (!strcmp(c->results[i].binding, "result.color") || !strcmp(c->results[i].binding, "result.color[0]"))
            color = &c->results[i];
    if (!color)
        return stage_fail(c, 2, "no result.color is among the results");
    const struct picture p = {e->width, e->height, (const float *)(const void *)color->words, color->undefined,
                              c->covered};
    if (!e->picture(e->user, &p))
        c->status = 2;
    return !c->status;
}

static bool all(struct stage_context *c, FILE *out)
{
    const struct stage_run *s = c->s;

    if (!open_program(c) || !leaves_something(c) || !check_counts(c) || !set_up(c) ||
        (c->stage == STAGE_EVALUATION && !make_points(c, &c->launch.gl)))
        return false;
    uint64_t room = c->stage == STAGE_FRAGMENT
                        ? (uint64_t)s->e.width * s->e.height
                        : gp5_result_count(c->reference.executable, c->launch.gl.count, s->instances);
    if (room > SIZE_MAX / 64 || room > (UINT64_C(1) << 32))
        return stage_fail(c, 2, "there would be up to %" PRIu64 " elements of each result", room);
    c->elements = (size_t)room;
    if (!take_inputs(c) || !take_results(c) || !run(c) || !stage_write_files(c) || !show_picture(c))
        return false;
    for (size_t i = 0; i < s->output_count; i++)
        if (!strcmp(s->outputs[i].path, "-"))
            return true;        /* standard output has words already */
    if (s->e.json)
        stage_print_json(c, out);
    else
        stage_print(c, out);
    return true;
}

int stage_run(const struct stage_run *s, FILE *out, FILE *err)
{
    struct stage_context *c = gp5_malloc(sizeof *c);
    int status;

    if (!c) {
        diag_put_head(err, s->e.file);
        fputs("out of memory\n", err);
        return 2;
    }
    memset(c, 0, sizeof *c);
    c->s = s;
    c->err = err;
    outcome_init(&c->outcome);
    all(c, out);
    if (s->e.watch)
        watch_close(s->e.watch);
    status = c->status;
    for (size_t i = 0; i < c->nresults; i++) {
        gp5_free(c->results[i].words);
        gp5_free(c->results[i].undefined);
        if (!c->named[i])
            gp5_free((char *)(uintptr_t)c->results[i].binding);
    }
    gp5_free(c->covered);
    gp5_free(c->tesscoord);
    gp5_free(c->patch);
    reference_launch_free(&c->launch);
    outcome_free(&c->outcome);
    reference_close(&c->reference);
    gp5_free(c);
    return status;
}
