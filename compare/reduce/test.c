#include "compare/reduce/test.h"

#include "asm/arena.h"
#include "compare/script/rules.h"

#include <string.h>

void reduce_plain(const char *message, char text[COMPLAINT_TEXT])
{
    size_t n = 0;
    for (; message && *message && n + 1 < COMPLAINT_TEXT; message++) {
        bool digit = *message >= '0' && *message <= '9';
        if (!digit || !n || text[n - 1] != '#')
            text[n++] = digit ? '#' : *message;
    }
    text[n] = 0;
}

/* A difference in the last places is another one than a wrong number. */
static int distance(const struct finding *f)
{
    enum { ROUNDING = 16 };
    uint64_t ulps = rule_ulps(f->type, f->expected, f->got);
    if (ulps == UINT64_MAX)
        return 3;
    return ulps == 0 ? 0 : number_types[f->type].is_float && ulps <= ROUNDING ? 1 : 2;
}

static void complain(const struct finding *f, struct complaint *c)
{
    memset(c, 0, sizeof *c);
    c->kind = f->kind;
    c->side = f->side;
    reduce_plain(f->message, c->text);
    if (f->kind == FINDING_RUN)
        return;
    c->output = f->output;
    if (f->kind == FINDING_DIFFERS) {
        c->type = f->type;
        c->distance = distance(f);
    } else if (f->kind != FINDING_DIGEST) {
        c->type = f->type;
        c->expected = f->expected;
        c->got = f->got;
    }
}

static bool alike(const struct complaint *a, const struct complaint *b)
{
    return a->undefined == b->undefined && a->kind == b->kind && (a->side == b->side || !strcmp(a->side, b->side)) &&
           a->output == b->output && a->type == b->type && a->expected == b->expected && a->got == b->got &&
           a->distance == b->distance && !strcmp(a->text, b->text);
}

static void of_reason(const struct undefined_reason *reason, struct complaint *c)
{
    *c = (struct complaint){.undefined = true, .side = ""};
    reduce_plain(reason->reason, c->text);
}

/* The complaints of a result one after the other; false behind the last. */
static bool complaint_at(const struct reduce_test *t, const struct test_result *r, size_t i, struct complaint *c,
                         char said[REPORT_LINE])
{
    if (i < r->findings.count) {
        complain(vec_at(&r->findings, i), c);
        report_finding(vec_at(&r->findings, i), said);
        return true;
    }
    i -= r->findings.count;
    if (!t->undefined || i >= r->reasons.count)
        return false;
    const struct undefined_reason *reason = vec_at(&r->reasons, i);
    of_reason(reason, c);
    snprintf(said, REPORT_LINE, "line %u: undefined: %.600s", reason->line, reason->reason);
    return true;
}

enum test_status reduce_test_look(struct reduce_test *t, const char *text, size_t size)
{
    enum test_status status = TEST_PASSED;
    struct script script;
    struct test_result r;
    *t->said = 0;
    script_parse(&script, t->path, text, size);
    if (script.status != SCRIPT_OK)
        status = script.status == SCRIPT_SKIP ? TEST_SKIPPED : TEST_ERROR;
    for (size_t i = 0; script.status == SCRIPT_OK && status != TEST_FAILED && i < script.programs.count; i++) {
        test_run(&script, vec_at(&script.programs, i), &t->options, &r);
        if (complaint_at(t, &r, 0, &t->complaint, t->said)) {
            status = TEST_FAILED;
            t->limit = 2 * r.instructions + 1000;
        } else if (r.status == TEST_SKIPPED || r.status == TEST_ERROR) {
            status = r.status;
            snprintf(t->said, sizeof t->said, "%s", r.message ? r.message : "");
        }
        test_result_free(&r);
    }
    script_free(&script);
    return status;
}

/* What does not load is not run, and what spins is not given to a driver. */
static bool is_worth_it(const struct reduce_test *t, const struct script *script, const struct script_program *program)
{
    static const struct source none = {.kind = SOURCE_NONE};
    struct test_options options = t->options;
    struct test_result r;
    gp5_program *p = gp5_parse(program->text, program->size);
    bool worth = p && gp5_valid(p, GP5_TARGET_GP5);
    gp5_program_free(p);
    if (!worth || t->options.source->kind != SOURCE_LIVE)
        return worth;
    options.source = &none;
    test_run(script, program, &options, &r);
    worth = r.reference_ran;
    test_result_free(&r);
    return worth;
}

bool reduce_test_still(void *user, const char *text, size_t size)
{
    struct reduce_test *t = user;
    struct script script;
    struct test_result r;
    char said[REPORT_LINE];
    bool found = false;
    script_parse(&script, t->path, text, size);
    for (size_t i = 0; script.status == SCRIPT_OK && !found && i < script.programs.count; i++) {
        struct complaint c;
        bool runs = t->complaint.undefined || t->complaint.kind != FINDING_RUN;
        if (runs && !t->options.run.max_instructions)
            t->options.run.max_instructions = t->limit;
        if (runs && !is_worth_it(t, &script, vec_at(&script.programs, i)))
            continue;
        test_run(&script, vec_at(&script.programs, i), &t->options, &r);
        for (size_t k = 0; r.status != TEST_ERROR && !found && complaint_at(t, &r, k, &c, said); k++)
            found = alike(&t->complaint, &c);
        test_result_free(&r);
    }
    if (found)
        memcpy(t->said, said, sizeof said);
    script_free(&script);
    return found;
}

/* ---- lists of files -------------------------------------------------------------------------------------------- */

static void offer_inline(struct reduction *r, const struct script_program *program)
{
    bool compute = program->stage == DRIVER_COMPUTE;
    const char *header = compute ? "[compute program]\n" : "[fragment program]\n";
    const char *list = strstr(r->text, compute ? "[compute program files]" : "[fragment program files]"), 
               *next = list ? strstr(list + 1, "\n[") : NULL;
    size_t from = list ? (size_t)(list - r->text) : 0, to = next ? (size_t)(next + 1 - r->text) : r->size;
    char *text = list ? gp5_malloc(r->size + program->size + 64) : NULL;
    if (!text)
        return;
    memcpy(text, r->text, from);
    memcpy(text + from, header, strlen(header));
    size_t n = from + strlen(header);
    memcpy(text + n, program->text, program->size);
    n += program->size;
    text[n++] = '\n';
    memcpy(text + n, r->text + to, r->size - to);
    n += r->size - to;
    text[n] = 0;
    reduce_offer(r, text, n);
    gp5_free(text);
}

void reduce_test_inline(struct reduction *r, const char *path)
{
    struct script script;
    unsigned long kept = r->kept;
    script_parse(&script, path, r->text, r->size);
    for (size_t i = 0; script.status == SCRIPT_OK && i < script.programs.count && r->kept == kept; i++) {
        const struct script_program *program = vec_at(&script.programs, i);
        if (*program->label)
            offer_inline(r, program);
    }
    script_free(&script);
}
