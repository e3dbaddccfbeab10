#include "compare/reference.h"

#include "asm/program.h"
#include "eval/prepare.h"

#include <stdio.h>
#include <string.h>

static char *copy_text(const char *text)
{
    char *copy = gp5_malloc(strlen(text) + 1);
    if (copy)
        strcpy(copy, text);
    return copy;
}

static bool first_error(void *user, const struct gp5_diagnostic *d)
{
    struct reference *r = user;
    if (d->severity != GP5_ERROR)
        return true;
    r->message = copy_text(d->message);
    r->position = (int64_t)d->offset;
    return false;
}

static void fail(struct reference *r, enum outcome_status status, const char *message)
{
    r->status = status;
    if (!r->message)
        r->message = copy_text(message);
}

/* Drivers do not know the subgroup instructions: they get what gp5 lower makes of them. What cannot be lowered they get as
 * it stands, and reject. */
static void lower(struct reference *r)
{
    char *message = NULL;
    if (r->program->options >> OPTION_GP5_subgroup & 1)
        r->lowered = gp5_lower(r->program, 0, &r->lowered_size, &message);
    gp5_text_free(message);
}

void reference_open(struct reference *r, const char *text, size_t size, const struct gp5_run_options *options)
{
    memset(r, 0, sizeof *r);
    r->options = *options;
    r->position = -1;
    r->program = gp5_parse(text, size);
    if (!r->program) {
        fail(r, OUTCOME_NO_MEMORY, "out of memory");
        return;
    }
    for (int i = 0; i < 3; i++)
        r->group_size[i] = r->program->group_size[i] ? r->program->group_size[i] : 1;
    if (!gp5_valid(r->program, GP5_TARGET_GP5)) {
        gp5_diagnostics(r->program, GP5_TARGET_GP5, first_error, r);
        fail(r, OUTCOME_REJECTED, "the program is not valid");
        return;
    }
    size_t offset = SIZE_MAX;
    char *message = NULL;
    r->executable = gp5_prepare(r->program, options, &message, &offset);
    if (!r->executable) {
        if (offset != SIZE_MAX)
            r->position = (int64_t)offset;
        fail(r, OUTCOME_SKIPPED, message ? message : "cannot be evaluated yet");
    }
    gp5_text_free(message);
    lower(r);
}

void reference_close(struct reference *r)
{
    gp5_text_free(r->lowered);
    if (r->executable)
        gp5_executable_free(r->executable);
    gp5_program_free(r->program);
    gp5_free(r->message);
    memset(r, 0, sizeof *r);
}

char *reference_message(const gp5_program *program, size_t before, int64_t position, const char *text)
{
    unsigned line = 0, column = 0;
    size_t room = strlen(text) + 64;
    char *message = gp5_malloc(room);
    if (!message)
        return NULL;
    if (program && position >= 0) {
        gp5_locate(program, (size_t)position, &line, &column);
        snprintf(message, room, "line %zu: %s", before + line, text);
    } else {
        snprintf(message, room, "%s", text);
    }
    return message;
}

/* ---- launches ------------------------------------------------------------------------------------------ */

struct launch {
    struct gp5_launch gl;
    struct gp5_buffer *buffers;             /* storage, then constants */
    struct gp5_parameter *parameters;       /* env, then local */
    struct gp5_interpolant *interpolants;
};

static void parameters_of(struct gp5_parameter *to, const struct driver_parameter *from, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        to[i].index = from[i].index;
        memcpy(to[i].word, from[i].bits, sizeof to[i].word);
    }
}

static bool interpolant_of(struct gp5_interpolant *to, const struct driver_attribute *from)
{
    switch (from->kind) {
    case DRIVER_TEXCOORD: to->attribute = GP5_FRAGMENT_TEXCOORD + from->index; break;
    case DRIVER_COLOR: to->attribute = GP5_FRAGMENT_COLOR_PRIMARY + from->index; break;
    case DRIVER_FOGCOORD: to->attribute = GP5_FRAGMENT_FOGCOORD; break;
    default: return false;
    }
    if (from->size != sizeof to->corner)
        return false;
    memcpy(to->corner, from->values, sizeof to->corner);
    return true;
}

/* Makes room for the origins of an output's words. */
static bool add_undefined(const struct reference *r, struct output *output)
{
    size_t words = (output->size + 3) / 4;
    if (!r->options.track_undefined)
        return true;
    output->undefined = gp5_malloc(words * sizeof *output->undefined);
    if (output->undefined)
        memset(output->undefined, 0, words * sizeof *output->undefined);
    return output->undefined;
}

/* Storage buffers live in the outcome from the start: the evaluator writes them in place. */
static bool storage_of(const struct reference *r, const struct driver_case *c, struct outcome *o)
{
    for (size_t i = 0; i < c->storage_count; i++) {
        struct output *output = outcome_add(o, OUTPUT_STORAGE, c->storage[i].binding, c->storage[i].data,
                                            c->storage[i].size);
        if (!output || !add_undefined(r, output))
            return false;
    }
    return true;
}

static bool pixels_of(const struct reference *r, const struct driver_case *c, struct outcome *o)
{
    size_t pixels = (size_t)c->raster.width * c->raster.height;
    for (uint32_t i = 0; c->stage == DRIVER_FRAGMENT && i < c->raster.color_outputs; i++) {
        struct output *output = outcome_add(o, OUTPUT_COLOR, i, NULL, pixels * 16);
        if (!output || !add_undefined(r, output))
            return false;
    }
    return c->stage != DRIVER_FRAGMENT || outcome_add(o, OUTPUT_COVERAGE, 0, NULL, pixels);
}

static void free_launch(struct launch *l)
{
    gp5_free(l->buffers);
    gp5_free(l->parameters);
    gp5_free(l->interpolants);
}

static bool make_launch(struct launch *l, const struct driver_case *c, const struct outcome *o)
{
    size_t buffers = c->storage_count + c->constant_count;
    memset(l, 0, sizeof *l);
    l->buffers = gp5_malloc(buffers * sizeof *l->buffers);
    l->parameters = gp5_malloc((c->env_count + c->local_count) * sizeof *l->parameters);
    l->interpolants = gp5_malloc(c->raster.attribute_count * sizeof *l->interpolants);
    if (!l->buffers || !l->parameters || !l->interpolants)
        return false;
    memcpy(l->gl.groups, c->groups, sizeof l->gl.groups);
    for (size_t i = 0; i < c->storage_count; i++)
        l->buffers[i] = (struct gp5_buffer){
            .binding = o->outputs[i].binding, .data = o->outputs[i].data, .size = o->outputs[i].size,
            .undefined = o->outputs[i].undefined };
    for (size_t i = 0; i < c->constant_count; i++)
        l->buffers[c->storage_count + i] = (struct gp5_buffer){
            .binding = c->constants[i].binding, .data = (uint8_t *)c->constants[i].data,
            .size = c->constants[i].size };
    parameters_of(l->parameters, c->env, c->env_count);
    parameters_of(l->parameters + c->env_count, c->local, c->local_count);
    l->gl.storage = l->buffers;
    l->gl.nstorage = c->storage_count;
    l->gl.cbuffers = l->buffers + c->storage_count;
    l->gl.ncbuffers = c->constant_count;
    l->gl.env = l->parameters;
    l->gl.nenv = c->env_count;
    l->gl.local = l->parameters + c->env_count;
    l->gl.nlocal = c->local_count;
    if (c->stage != DRIVER_FRAGMENT)
        return true;
    l->gl.width = c->raster.width;
    l->gl.height = c->raster.height;
    l->gl.interpolants = l->interpolants;
    for (size_t i = 0; i < c->raster.attribute_count; i++)
        if (interpolant_of(&l->interpolants[l->gl.ninterpolants], &c->raster.attributes[i]))
            l->gl.ninterpolants++;
    return true;
}

/* The evaluator wants all colours in one array, the outcome has one output each; one colour is the same
 * thing. */
static bool set_pixels(struct launch *l, const struct driver_case *c, struct outcome *o)
{
    if (c->stage != DRIVER_FRAGMENT)
        return true;
    if (c->raster.color_outputs != 1) {
        outcome_fail(o, OUTCOME_SKIPPED, "more than one colour output is not compared yet");
        return false;
    }
    struct output *color = &o->outputs[c->storage_count];
    l->gl.ncolors = 1;
    l->gl.colors = (float *)(void *)color->data;
    l->gl.undefined = color->undefined;
    l->gl.covered = o->outputs[c->storage_count + 1].data;
    return true;
}

static enum outcome_status status_of(enum gp5_run_status status)
{
    switch (status) {
    case GP5_RUN_OK: return OUTCOME_RAN;
    case GP5_RUN_NOT_EVALUATED: return OUTCOME_SKIPPED;
    case GP5_RUN_NO_MEMORY: return OUTCOME_NO_MEMORY;
    default: return OUTCOME_FAILED;
    }
}

void reference_run(const struct reference *r, const struct driver_case *c, struct outcome *o)
{
    struct launch l;
    if (!r->executable) {
        outcome_fail(o, r->status, "%s", r->message ? r->message : "cannot be evaluated");
        o->position = r->position;
        return;
    }
    if (!storage_of(r, c, o) || !pixels_of(r, c, o)) {
        outcome_fail(o, OUTCOME_NO_MEMORY, "out of memory");
        return;
    }
    if (!make_launch(&l, c, o)) {
        outcome_fail(o, OUTCOME_NO_MEMORY, "out of memory");
    } else if (set_pixels(&l, c, o)) {
        enum gp5_run_status status = eval_execute(r->executable, &l.gl, &r->options, r->observer, &o->report);
        o->status = status_of(status);
        if (status != GP5_RUN_OK) {
            outcome_fail(o, o->status, "%s", o->report.message ? o->report.message : "the run ended early");
            o->position = (int64_t)o->report.offset;
        }
    }
    free_launch(&l);
}
