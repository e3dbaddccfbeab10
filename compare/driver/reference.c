#include "compare/driver/reference.h"

#include "compare/driver/open_colors.h"

#include "asm/program.h"
#include "compare/driver/reference_launch.h"
#include "eval/decode/prepare.h"

#include <stdio.h>
#include <string.h>

static const char *const semantics_names[] = {
    [GP5_SEMANTICS_NVIDIA] = "nvidia", [GP5_SEMANTICS_SPEC] = "spec", [GP5_SEMANTICS_IDEAL] = "ideal"};

const char *reference_semantics_name(enum gp5_semantics semantics)
{
    return semantics_names[semantics];
}

bool reference_find_semantics(const char *word, enum gp5_semantics *semantics)
{
    for (int i = 0; i <= GP5_SEMANTICS_IDEAL; i++)
        if (!strcmp(word, semantics_names[i])) {
            *semantics = (enum gp5_semantics)i;
            return true;
        }
    return false;
}

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

/* Drivers do not know the subgroup instructions: they get what gp5 lower makes of them. What cannot be lowered they get
 * as it stands, and reject. */
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

uint64_t reference_not_modelled(const struct reference *r)
{
    struct gp5_pass pass;
    uint64_t passes = 0;

    for (size_t i = 0; r->executable && gp5_pass_at(i, &pass); i++)
        passes |= gp5_not_modelled(r->executable, i) ? UINT64_C(1) << i : 0;
    return passes;
}

void reference_print_not_modelled(FILE *out, const char *before, uint64_t passes)
{
    struct gp5_pass pass;

    if (!passes)
        return;
    fprintf(out, "%s", before);
    for (size_t i = 0; gp5_pass_at(i, &pass); i++)
        if (passes >> i & 1)
            fprintf(out, " %s", pass.name);
    fputs(": passes of the driver's compiler that gp5 leaves out here; results may be the driver's or not\n", out);
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

static enum outcome_status status_of(enum gp5_run_status status)
{
    switch (status) {
    case GP5_RUN_OK:
    case GP5_RUN_CANCELLED: return OUTCOME_RAN;
    case GP5_RUN_NOT_EVALUATED: return OUTCOME_SKIPPED;
    case GP5_RUN_NO_MEMORY: return OUTCOME_NO_MEMORY;
    default: return OUTCOME_FAILED;
    }
}

void reference_run(const struct reference *r, const struct driver_case *c, struct outcome *o)
{
    struct reference_launch l;
    if (!r->executable) {
        outcome_fail(o, r->status, "%s", r->message ? r->message : "cannot be evaluated");
        o->position = r->position;
        return;
    }
    if (reference_launch(&l, c, r->options.track_undefined, o)) {
        enum gp5_run_status status = eval_execute(r->executable, &l.gl, &r->options, r->observer, &o->report);
        o->status = status_of(status);
        o->cancelled = status == GP5_RUN_CANCELLED;
        if (o->status != OUTCOME_RAN) {
            outcome_fail(o, o->status, "%s", o->report.message ? o->report.message : "the run ended early");
            if (status != GP5_RUN_BAD_LAUNCH && status != GP5_RUN_NO_MEMORY)    /* those are about no instruction */
                o->position = (int64_t)o->report.offset;
        } else if (c->stage == DRIVER_FRAGMENT && !reference_open_colors(r->program, o)) {
            outcome_fail(o, OUTCOME_NO_MEMORY, "out of memory");
        }
    }
    reference_launch_free(&l);
}
