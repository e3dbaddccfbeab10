#include "compare/report/evaluate.h"

#include "asm/diag.h"
#include "asm/program.h"
#include "compare/report/evaluate_print.h"
#include "compare/world/world.h"
#include "compare/debug/watch.h"

#include <inttypes.h>
#include <string.h>

static int fail(const struct evaluation *e, const struct reference *r, const struct outcome *o, FILE *err)
{
    static const int codes[] = { [OUTCOME_REJECTED] = 1, [OUTCOME_SKIPPED] = 77, [OUTCOME_FAILED] = 1,
                                 [OUTCOME_REFUSED] = 2, [OUTCOME_NO_MEMORY] = 2 };
    struct diag diag = { .severity = DIAG_ERROR,
                         .message = o->message ? o->message : (char *)"could not be run" };
    char text[400];
    if (o->report.status == GP5_RUN_LIMIT && o->position >= 0) {        /* its place is told once, and what raises it */
        const char *what = o->message ? strstr(o->message, ": ") : NULL;
        snprintf(text, sizeof text, "%s", what ? what + 2 : diag.message);
        diag.message = text;
        diag.hint = (char *)"--max-instructions=N sets the limit";
    }
    if (o->status == OUTCOME_REJECTED && r->program) {
        diags_print(err, e->colour, e->file, e->text, e->size, &r->program->diags, FOR_GP5);
    } else if (o->position >= 0 && (size_t)o->position <= e->size) {
        diag.span = (struct span){ (uint32_t)o->position, 1 };
        diag_print(err, e->colour, e->file, e->text, e->size, &diag);
    } else {
        diag_put_head(err, e->file);
        fprintf(err, "%s\n", diag.message);
    }
    return codes[o->status];
}

/* ---- what nobody gave ---------------------------------------------------------------------------------- */

enum { UNITS = 256 };

/* Units of textures or images that a program names; those of an array whose index is found at run time are all of
 * it. */
static void mark_units(bool units[UNITS], const struct binding *b)
{
    for (uint32_t n = b->first[0]; b->nindices && n <= b->last[0] && n < UNITS; n++)
        units[n] = true;
}

static void mark_operand(const struct gp5_program *p, const struct operand *o, bool units[UNITS])
{
    if (!(o->flags & OPND_BY_NAME)) {
        mark_units(units, program_binding(p, o->ref));
        return;
    }
    const struct symbol *s = program_symbol(p, o->ref);
    for (uint32_t j = 0; j < s->nbindings; j++)
        mark_units(units, program_binding(p, s->binding + j));
}

static bool is_given(const struct driver_buffer *b, size_t count, uint32_t number)
{
    for (size_t i = 0; i < count; i++)
        if (b[i].binding == number)
            return true;
    return false;
}

static void warn_units(const struct evaluation *e, const struct gp5_program *p, FILE *err)
{
    bool textures[UNITS] = { false }, images[UNITS] = { false };
    for (uint32_t i = 0; i < p->operands.count; i++) {
        const struct operand *o = program_operand(p, i);
        if (o->kind == OPND_TEXTURE)
            mark_operand(p, o, textures);
        else if (o->kind == OPND_IMAGE)
            mark_operand(p, o, images);
    }
    for (size_t i = 0; i < e->texture_count; i++)
        if (e->textures[i].texture.unit < UNITS)
            textures[e->textures[i].texture.unit] = false;
    for (size_t i = 0; i < e->image_count; i++)
        if (e->images[i].unit < UNITS)
            images[e->images[i].unit] = false;
    for (unsigned i = 0; i < UNITS; i++) {
        if (textures[i]) {
            diag_put_head(err, e->file);
            fprintf(err, "texture[%u] has no texture; --texture=%u=KIND,FORMAT,SIZE gives it one\n", i, i);
        }
        if (images[i]) {
            diag_put_head(err, e->file);
            fprintf(err, "image[%u] shows no texture; --image=%u=TEXTURE,FORMAT gives it one\n", i, i);
        }
    }
}

/* What the program declares and nobody gave: it reads zeros and keeps nothing, which is rarely what was meant. */
static void warn_missing(const struct evaluation *e, const struct gp5_program *p, FILE *err)
{
    for (uint32_t i = 0; i < p->symbols.count; i++) {
        const struct symbol *s = program_symbol(p, i);
        bool counter = s->kind == SYM_COUNTER;
        for (uint32_t j = 0; (s->kind == SYM_STORAGE || counter) && j < s->nbindings; j++) {
            const char *name = counter ? "counter" : "storage";
            uint32_t number = program_binding(p, s->binding + j)->first[0];
            if (counter ? is_given(e->counters, e->counter_count, number)
                        : is_given(e->storage, e->storage_count, number))
                continue;
            diag_put_head(err, e->file);
            fprintf(err, "program.%s[%" PRIu32 "] has no buffer; --%s=%" PRIu32 "=zero:BYTES gives it one\n", name,
                    number, name, number);
        }
    }
    warn_units(e, p, err);
}

/* ---- the case ------------------------------------------------------------------------------------------ */

struct fragment_inputs {
    float texcoord[4][4], color[4][4];
    struct driver_attribute attributes[2];
};

/* A fragment program without a script gets texture coordinate 0 from 0 to 1 over the rectangle, and white. */
static void fragment_inputs(struct fragment_inputs *f)
{
    for (int i = 0; i < 4; i++) {
        float corner[4] = { (float)(i % 2), (float)(i / 2), 0, 1 }, white[4] = { 1, 1, 1, 1 };
        memcpy(f->texcoord[i], corner, sizeof corner);
        memcpy(f->color[i], white, sizeof white);
    }
    f->attributes[0] = (struct driver_attribute){ DRIVER_TEXCOORD, 0, f->texcoord, sizeof f->texcoord };
    f->attributes[1] = (struct driver_attribute){ DRIVER_COLOR, 0, f->color, sizeof f->color };
}

static void make_case(const struct evaluation *e, bool fragment, struct fragment_inputs *inputs,
                      struct driver_case *c)
{
    memset(c, 0, sizeof *c);
    c->stage = fragment ? DRIVER_FRAGMENT : DRIVER_COMPUTE;
    c->program = e->text;
    c->program_size = e->size;
    memcpy(c->groups, e->groups, sizeof c->groups);
    c->storage = e->storage;
    c->storage_count = e->storage_count;
    c->constants = e->constants;
    c->constant_count = e->constant_count;
    c->env = e->env;
    c->env_count = e->env_count;
    c->local = e->local;
    c->local_count = e->local_count;
    c->textures = e->textures;
    c->texture_count = e->texture_count;
    c->images = e->images;
    c->image_count = e->image_count;
    c->pointers = e->pointers;
    c->pointer_count = e->pointer_count;
    if (!fragment) {
        memcpy(c->group_size, e->group_size, sizeof c->group_size);
        c->counters = e->counters;
        c->counter_count = e->counter_count;
        c->subroutines = e->subroutines;
        c->subroutine_count = e->subroutine_count;
        return;
    }
    fragment_inputs(inputs);
    c->raster = (struct driver_raster){ .primitive = DRIVER_QUAD, .width = e->width, .height = e->height,
                                        .color_outputs = 1, .depth_bits = 0x3f000000,
                                        .attributes = inputs->attributes, .attribute_count = 2 };
}

/* As the launch gives it, or as the program declares it. */
static void set_group_size(struct world *w, const struct driver_case *c)
{
    bool given = c->group_size[0] || c->group_size[1] || c->group_size[2];
    for (int i = 0; i < 3; i++)
        w->group_size[i] = !given ? w->reference.group_size[i] : c->group_size[i] ? c->group_size[i] : 1;
}

static bool has_subroutines(const struct gp5_program *p)
{
    for (uint32_t i = 0; i < p->symbols.count; i++)
        if (program_symbol(p, i)->kind == SYM_SUBROUTINE)
            return true;
    return false;
}

const char *evaluation_misplaced(const struct evaluation *e, const struct gp5_program *program)
{
    int stage = (int)profile_table[program->profile].stage_id;
    bool grouped = e->group_size[0] || e->group_size[1] || e->group_size[2];
    if (stage == STAGE_COMPUTE && e->has_size && !e->has_groups && !grouped)
        return "--size is of fragment programs; work groups are counted by --groups=X,Y,Z";
    if (stage == STAGE_FRAGMENT && (e->has_groups || grouped) && !e->has_size)
        return "work groups are of compute programs; fragments are counted by --size=WIDTH,HEIGHT";
    if (stage != STAGE_COMPUTE && stage != STAGE_FRAGMENT && (e->has_groups || grouped))
        return "work groups are of compute programs; --count=N says how many there are to run it on";
    if (e->subroutine_count && !has_subroutines(program))
        return "--subroutine: the program has no program.subroutine[N] to choose for";
    return NULL;
}

/* ---- all of it ----------------------------------------------------------------------------------------- */

static bool show_picture(const struct evaluation *e, const struct outcome *o)
{
    const struct output *color = outcome_find(o, OUTPUT_COLOR, 0), *covered = outcome_find(o, OUTPUT_COVERAGE, 0);
    if (!e->picture || !color || !covered)
        return true;
    const struct picture p = { e->width, e->height, (const float *)(const void *)color->data, color->undefined,
                               covered->data };
    return e->picture(e->user, &p);
}

static int finish(const struct evaluation *e, struct world *w, const struct driver_case *c, struct outcome *o,
                  FILE *out, FILE *err)
{
    if (o->status != OUTCOME_RAN) {
        if (e->json)
            evaluate_json_failure(e, o, out);
        return fail(e, &w->reference, o, err);
    }
    judge_reasons(w, o);
    if (!e->json) {
        evaluate_text(e, w, c, o, out);
    } else if (!evaluate_json(e, w, c, o, out)) {
        outcome_fail(o, OUTCOME_NO_MEMORY, "out of memory");
        return fail(e, &w->reference, o, err);
    }
    for (size_t i = 0; e->after && i < o->count; i++)
        if (o->outputs[i].kind != OUTPUT_COLOR && o->outputs[i].kind != OUTPUT_COVERAGE &&
            !e->after(e->user, o->outputs[i].kind, o->outputs[i].binding, o->outputs[i].data, o->outputs[i].size))
            return 2;
    return show_picture(e, o) ? 0 : 2;
}

int evaluate(const struct evaluation *e, FILE *out, FILE *err)
{
    struct script script = { .width = e->width, .height = e->height };
    struct script_program program = { .label = "", .file = e->file, .stage = DRIVER_COMPUTE };
    struct test_result result = { .file = e->file };
    struct world w = { .script = &script, .program = &program, .result = &result };
    struct fragment_inputs inputs;
    struct driver_case c;
    struct outcome o;
    w.window = (struct surface){ .width = e->width, .height = e->height, .layers = 1, .samples = 1 };
    w.draw = w.read = &w.window;
    arena_init(&result.arena);
    vec_init(&result.reasons, sizeof(struct undefined_reason));
    vec_init(&result.findings, sizeof(struct finding));
    outcome_init(&o);
    memcpy(w.groups, e->groups, sizeof w.groups);
    reference_open(&w.reference, e->text, e->size, &e->run);
    if (w.reference.program && profile_table[w.reference.program->profile].stage_id == STAGE_FRAGMENT)
        program.stage = DRIVER_FRAGMENT;
    if (w.reference.executable)
        warn_missing(e, w.reference.program, err);
    make_case(e, program.stage == DRIVER_FRAGMENT, &inputs, &c);
    set_group_size(&w, &c);
    const char *wrong = w.reference.executable ? evaluation_misplaced(e, w.reference.program) : NULL;
    if (!wrong)
        wrong = driver_case_check(&c);
    if (wrong) {
        outcome_fail(&o, OUTCOME_REFUSED, "%s", wrong);
    } else if (e->watch && !watch_open(e->watch, &w.reference, 0)) {
        outcome_fail(&o, OUTCOME_NO_MEMORY, "out of memory");
    } else {
        reference_run(&w.reference, &c, &o);
    }
    int status = e->watch && watch_quit(e->watch) ? 0 : finish(e, &w, &c, &o, out, err);
    if (e->watch)
        watch_close(e->watch);
    outcome_free(&o);
    reference_close(&w.reference);
    test_result_free(&result);
    return status;
}
