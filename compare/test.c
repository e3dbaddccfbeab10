/* A test from its first command to the verdict. */
#include "compare/machine.h"
#include "compare/watch.h"

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

/* What [require] asks of a driver; a recording was made on one that had it all. */
static void check_requirements(struct machine *m)
{
    const struct driver_description *d = m->options->source->description;
    if (m->options->source->kind != SOURCE_LIVE)
        return;
    for (size_t i = 0; i < m->script->requirements.count; i++) {
        const struct script_requirement *r = vec_at(&m->script->requirements, i);
        const char *dot = strchr(d->version, '.');
        int64_t version = dot && dot > d->version ? (dot[-1] - '0') * 10 + (dot[1] - '0') : 0;
        bool ok = r->kind == REQUIRE_GL ? holds(r->test, version, r->version)
                                        : driver_has_extension(d, r->name) == (r->kind == REQUIRE_EXTENSION);
        if (ok)
            continue;
        char note[200];
        if (r->kind == REQUIRE_GL)
            snprintf(note, sizeof note, "the driver's GL version %.60s is not what the test requires",
                     d->version);
        else
            snprintf(note, sizeof note, "the driver has %s%.100s", r->kind == REQUIRE_EXTENSION ? "no " : "",
                     r->name);
        m->result->driver_note = machine_keep(m, note);
        m->alive[DRIVER] = false;
        m->driver_skipped = true;
        return;
    }
}

static void start(struct machine *m)
{
    static const float tolerance[4] = { 0.01f, 0.01f, 0.01f, 0.01f };   /* piglit's */
    static const float white[4] = { 1, 1, 1, 1 }, origin[4] = { 0, 0, 0, 1 };
    vec_init(&m->storage, sizeof(struct slot));
    vec_init(&m->constants, sizeof(struct slot));
    vec_init(&m->counters, sizeof(struct slot));
    vec_init(&m->textures, sizeof(struct slot));
    vec_init(&m->images, sizeof(struct gp5_image));
    vec_init(&m->pointers, sizeof(struct driver_pointer));
    vec_init(&m->env, sizeof(struct driver_parameter));
    vec_init(&m->local, sizeof(struct driver_parameter));
    vec_init(&m->vertex_env, sizeof(struct driver_parameter));
    vec_init(&m->vertex_local, sizeof(struct driver_parameter));
    vec_init(&m->interpolated, sizeof(struct op_interpolate));
    memcpy(m->tolerance, tolerance, sizeof tolerance);
    memcpy(m->color, white, sizeof white);
    for (int i = 0; i < SCRIPT_TEXCOORDS; i++)
        memcpy(m->texcoord[i], origin, sizeof origin);
    m->color_rule = (struct rule){ .type = NUMBER_F32, .kind = RULE_ULP, .ulps = 4, .near_zero = 1e-30,
                                   .denormals = DENORMALS_ANY, .nan_any = true };
    if (m->options->has_ulp)
        m->color_rule.ulps = m->options->ulps;
    m->alive[REFERENCE] = true;
    m->alive[DRIVER] = m->options->source->kind != SOURCE_NONE;
    m->result->driver_note = m->alive[DRIVER] ? NULL : m->options->source->reason;
}

static void finish(struct machine *m)
{
    for (int w = 0; w < WORLDS; w++) {
        gp5_free(m->colors[w]);
        gp5_free(m->covered[w]);
    }
    gp5_free(m->undefined_colors);
    machine_free_slots(&m->storage);
    machine_free_slots(&m->constants);
    machine_free_slots(&m->counters);
    machine_free_slots(&m->textures);
    vec_free(&m->images);
    vec_free(&m->pointers);
    vec_free(&m->env);
    vec_free(&m->local);
    vec_free(&m->vertex_env);
    vec_free(&m->vertex_local);
    vec_free(&m->interpolated);
    reference_close(&m->reference);
}

/* What the counts amount to. Nothing passes in silence: a test that checked nothing is skipped, and says so.
 */
static void verdict(struct machine *m)
{
    struct test_result *r = m->result;
    uint64_t checked = r->exact + r->by_rule + r->blocks + r->probes;
    if (r->status == TEST_ERROR)
        return;
    if (r->findings_total) {
        r->status = TEST_FAILED;
    } else if (m->options->strict && r->undefined + r->blocks_undefined + r->probes_undefined) {
        r->status = TEST_FAILED;
        r->message = "undefined components, with --strict";
    } else if (r->status == TEST_SKIPPED) {
        return;
    } else if (m->options->driver_wanted && !r->driver_ran) {
        r->status = TEST_SKIPPED;
        r->message = r->driver_note ? r->driver_note : "no driver to compare with";
    } else if (!checked && r->undefined + r->blocks_undefined + r->probes_undefined == 0) {
        r->status = TEST_SKIPPED;
        r->message =
            r->not_compared_reason ? r->not_compared_reason : "nothing to check: no probes and no driver";
    }
}

static const char *test_name(struct machine *m)
{
    size_t script = strlen(m->script->name), label = strlen(m->program->label);
    char *name = arena_alloc(&m->result->arena, script + label + 2);
    if (!name)
        return m->script->name;
    memcpy(name, m->script->name, script);
    if (label) {
        name[script] = ':';
        memcpy(name + script + 1, m->program->label, label);
    }
    return name;
}

static void start_result(struct test_result *r, const struct script *s)
{
    memset(r, 0, sizeof *r);
    arena_init(&r->arena);
    vec_init(&r->findings, sizeof(struct finding));
    vec_init(&r->reasons, sizeof(struct undefined_reason));
    r->file = s->path;
    r->name = s->name;
}

void test_run(const struct script *s, const struct script_program *program,
              const struct test_options *options, struct test_result *result)
{
    struct machine m = { .script = s, .program = program, .options = options, .result = result };
    size_t table_size = 0;
    start_result(result, s);
    result->name = test_name(&m);
    start(&m);
    check_requirements(&m);
    reference_open(&m.reference, program->text, program->size, &options->run);
    memcpy(m.group_size, m.reference.group_size, sizeof m.group_size);
    if (options->tables)
        m.table = open_memstream(&result->table, &table_size);
    struct watch *watch = options->watch;
    if (watch && !watch_open(watch, &m.reference, program->line)) {
        result->status = TEST_ERROR;
        result->message = "out of memory";
    }
    for (size_t i = 0; i < s->ops.count && result->status != TEST_ERROR && !(watch && watch_quit(watch)); i++) {
        m.op = vec_at(&s->ops, i);
        machine_carry_out(&m);
    }
    if (m.table)
        fclose(m.table);
    if (watch)
        watch_close(watch);
    verdict(&m);
    finish(&m);
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
