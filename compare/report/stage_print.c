/* What a run of one stage gave: files, a table for people, JSON. */
#include "compare/report/given.h"
#include "compare/report/evaluate_print.h"
#include "compare/report/stage_context.h"

#include "asm/diag.h"
#include "asm/program.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

enum { SHOWN = 16 };            /* rows of a table */

static size_t result_elements(const struct stage_context *c, const struct gp5_array *a)
{
    struct binding_name name;

    if (c->stage == STAGE_GEOMETRY)
        return c->outcome.report.elements[a->stream];
    if (asm_find_binding(c->stage, a->binding, &name) && asm_is_of_patch(asm_canonical_binding(name.kind)))
        return c->s->count;
    return c->elements;
}

static bool write_file(struct stage_context *c, const char *path, const void *data, size_t size)
{
    bool standard = !strcmp(path, "-");
    FILE *f = standard ? stdout : fopen(path, "wb");
    bool ok = f && fwrite(data, 1, size, f) == size;
    int error = errno;

    if (f && !standard && fclose(f) && ok) {
        ok = false;
        error = errno;
    }
    return ok || stage_fail(c, 2, "%s: %s", path, strerror(error));
}

bool stage_write_files(struct stage_context *c)
{
    size_t result = 0;

    for (size_t i = 0; i < c->s->output_count; i++) {
        const struct stage_file *f = &c->s->outputs[i];
        const struct gp5_array *a = &c->results[result];
        const struct stage_file *given = stage_find_input(c, "vertex.tesscoord");
        bool ok;
        if (!strcmp(f->binding, "coverage"))
            ok = write_file(c, f->path, c->covered, c->elements);
        else if (stage_is_special(f))
            ok = write_file(c, f->path, given ? (const void *)given->bytes : c->tesscoord, c->elements * 16);
        else {
            ok = write_file(c, f->path, a->words, result_elements(c, a) * 16);
            result++;
        }
        if (!ok)
            return false;
    }
    return true;
}

static void print_word(const struct gp5_array *a, size_t at, bool integer, FILE *out)
{
    float value;
    char text[32];

    memcpy(&value, &a->words[at], sizeof value);
    if (integer)
        snprintf(text, sizeof text, "%" PRId32, (int32_t)a->words[at]);
    else
        snprintf(text, sizeof text, "%.9g", (double)value);
    fprintf(out, " %s%*s", a->undefined && a->undefined[at] ? "?" : " ", 14, text);
}

/* Many fragments' colours as a picture of letters. */
static bool show_letters(const struct stage_context *c, const struct gp5_array *a, size_t n, FILE *out)
{
    const struct picture p = {c->s->e.width, c->s->e.height, (const float *)(const void *)a->words, a->undefined,
                              c->covered};
    if (c->stage != STAGE_FRAGMENT || n <= PICTURE_NUMBERS || strncmp(a->binding, "result.color", 12))
        return false;
    picture_text(out, "      ", &p, NULL);
    return true;
}

static void print_results(const struct stage_context *c, FILE *out)
{
    for (size_t i = 0; i < c->nresults; i++) {
        const struct gp5_array *a = &c->results[i];
        struct binding_name name = {.kind = BIND_RESULT_POSITION};
        size_t n = result_elements(c, a);
        asm_find_binding(c->stage, a->binding, &name);
        unsigned components = binding_table[name.kind].components;
        bool integer = binding_table[name.kind].type == 'S' || binding_table[name.kind].type == 'U';
        if (c->named[i])
            continue;
        fprintf(out, "    %s\n", a->binding);
        size_t shown = show_letters(c, a, n, out) ? PICTURE_FIRST : SHOWN;
        for (size_t k = 0; k < n && k < shown; k++) {
            fprintf(out, "    %6zu", k);
            if (c->covered && !c->covered[k])
                fputs("  discarded", out);
            else
                for (unsigned m = 0; m < components; m++)
                    print_word(a, 4 * k + m, integer, out);
            fputc('\n', out);
        }
        if (n > shown)
            fprintf(out, "    ... %zu more; --output=%s=FILE writes all of them\n", n - shown, a->binding);
    }
}

static void print_undefined(const struct stage_context *c, FILE *out)
{
    const struct gp5_report *r = &c->outcome.report;

    if (r->undefined_words)
        fprintf(out, "undefined: %" PRIu64 " words of the results\n", r->undefined_words);
    for (size_t i = 0; i < r->norigins; i++) {
        unsigned line = 0, column = 0;
        gp5_locate(c->reference.program, r->origins[i].offset, &line, &column);
        fprintf(out, "    from line %u: %s", line, r->origins[i].reason);
        if (c->stage == STAGE_VERTEX)
            fprintf(out, " (first of vertex %" PRIu32 ")", r->origins[i].group * 32 + r->origins[i].lane);
        put_how_to_give(out, r->origins[i].reason);
        fputc('\n', out);
    }
    if (r->undefined_uses)
        fprintf(out, "undefined: %" PRIu64 " times such a value decided a branch, a discard, an address or an index\n",
                r->undefined_uses);
}

void stage_print(const struct stage_context *c, FILE *out)
{
    static const char *const what[] = {[STAGE_VERTEX] = "vertices",
                                       [STAGE_CONTROL] = "patches",
                                       [STAGE_EVALUATION] = "points",
                                       [STAGE_GEOMETRY] = "primitives",
                                       [STAGE_FRAGMENT] = "fragments"};
    const struct gp5_report *r = &c->outcome.report;
    size_t n = c->stage == STAGE_FRAGMENT     ? c->elements
               : c->stage == STAGE_EVALUATION ? c->launch.gl.count
                                              : c->s->count;

    diag_put_name(out, c->s->e.file);
    fprintf(out, ": %zu %s", n, what[c->stage]);
    if (c->stage == STAGE_VERTEX && c->s->instances > 1)
        fprintf(out, " in %" PRIu32 " instances", c->s->instances);
    if (c->stage == STAGE_GEOMETRY)
        fprintf(out, ", %zu vertices out", r->elements[0]);
    fprintf(out, ", %" PRIu64 " instructions (%" PRIu64 " lane-instructions)\n", r->instructions, r->lanes);
    print_results(c, out);
    print_undefined(c, out);
    if (c->s->e.run.track_races)
        evaluate_print_races(&c->s->e, r, out);
}

void stage_print_json(const struct stage_context *c, FILE *out)
{
    const struct gp5_report *r = &c->outcome.report;

    fprintf(out,
            "{\"stage\": \"%s\", \"elements\": %zu, \"instructions\": %" PRIu64 ", \"lanes\": %" PRIu64
            ", \"undefined_words\": %" PRIu64 ", \"undefined_uses\": %" PRIu64 ", \"results\": {",
            profile_table[c->reference.program->profile].stage, c->elements, r->instructions, r->lanes,
            r->undefined_words, r->undefined_uses);
    for (size_t i = 0; i < c->nresults; i++) {
        const struct gp5_array *a = &c->results[i];
        fprintf(out, "%s\"%s\": [", i ? ", " : "", a->binding);
        for (size_t k = 0; k < 4 * result_elements(c, a); k++)
            if (a->undefined && a->undefined[k])
                fprintf(out, "%snull", k ? ", " : "");
            else
                fprintf(out, "%s%" PRIu32, k ? ", " : "", a->words[k]);
        fputc(']', out);
    }
    fputs("}}\n", out);
}
