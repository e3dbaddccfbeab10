/* What gp5 run says of a plain program, for people. */
#include "asm/diag.h"
#include "asm/program.h"
#include "compare/report/given.h"
#include "compare/report/evaluate_print.h"

#include <inttypes.h>
#include <string.h>

enum { TABLE_ROWS = 128, PIXELS = 64 };

static bool has_undefined(const struct output *o)
{
    for (size_t i = 0; o->undefined && i < (o->size + 3) / 4; i++)
        if (o->undefined[i])
            return true;
    return false;
}

bool evaluate_unchanged(const struct driver_case *c, const struct output *output)
{
    const uint8_t *before = case_input(c, output->kind, output->binding, output->size);

    return !output->size || (before && !has_undefined(output) && !memcmp(output->data, before, output->size));
}

static void print_output(const struct evaluation *e, const struct world *w, const struct driver_case *c,
                         const struct output *output, FILE *out)
{
    const char *name = output_kind_name(output->kind);
    const uint8_t *before = case_input(c, output->kind, output->binding, output->size);
    struct slot slot = { .binding = output->binding, .size = output->size, .data = { output->data, NULL },
                         .undefined = output->undefined, .rule = { .type = NUMBER_U32 } };
    if (e->quiet && e->quiet(e->user, output->kind, output->binding))
        return;
    if (evaluate_unchanged(c, output)) {
        if (output->kind == OUTPUT_STORAGE || output->kind == OUTPUT_COUNTER)
            fprintf(out, "    %s %" PRIu32 ": unchanged, %zu bytes\n", name, output->binding, output->size);
        return;
    }
    for (size_t i = 0; i < e->texture_count && output->kind == OUTPUT_TEXTURE; i++)
        if (e->textures[i].texture.unit == output->binding) {
            slot.texture = e->textures[i].texture;
            slot.rule.type = texel_type(slot.texture.format);
        }
    if (output->kind == OUTPUT_TEXTURE)
        table_texture(out, &slot, before, false, TABLE_ROWS);
    else
        table_storage(out, w, name, &slot, false, TABLE_ROWS);
}

static void print_undefined(const struct test_result *r, const struct outcome *o, FILE *out)
{
    if (r->undefined_words)
        fprintf(out, "undefined: %" PRIu64 " words of the results\n", r->undefined_words);
    for (size_t i = 0; i < r->reasons.count; i++) {
        const struct undefined_reason *reason = vec_at(&r->reasons, i);
        fprintf(out, "    %" PRIu64 " from line %u: %s", reason->words, reason->line, reason->reason);
        put_how_to_give(out, reason->reason);
        fputc('\n', out);
    }
    if (o->report.undefined_uses)
        fprintf(out,
                "undefined: %" PRIu64
                " times such a value decided a branch, a discard, an address or an index\n",
                o->report.undefined_uses);
}

static void print_access(const struct line_index *lines, const struct gp5_access *a, FILE *out)
{
    fprintf(out, "        %s at line %" PRIu32 ", group %" PRIu32 ", warp %" PRIu32 ", lane %" PRIu32 "\n", a->kind,
            diag_line_at(lines, a->offset), a->group, a->warp, a->lane);
}

void evaluate_print_races(const struct evaluation *e, const struct gp5_report *r, FILE *out)
{
    struct line_index lines;

    fprintf(out, "races: %" PRIu64 "\n", r->races);
    if (r->nrace_list && !diag_index_lines(&lines, e->text, e->size)) {
        fputs("    out of memory for them\n", out);
        return;
    }
    for (size_t i = 0; i < r->nrace_list; i++) {
        const struct gp5_race *race = &r->race_list[i];
        fprintf(out, "    %s, %s", race->order ? "the order of atomic operations shows" : "nothing orders these",
                race->memory);
        if (strcmp(race->memory, "shared memory"))
            fprintf(out, " %" PRIu32, race->binding);
        fprintf(out, ", byte %" PRIu64 ":\n", race->address);
        print_access(&lines, &race->first, out);
        print_access(&lines, &race->second, out);
        if (race->count > 1)
            fprintf(out, "        %" PRIu64 " times\n", race->count);
    }
    if (r->nrace_list)
        diag_free_lines(&lines);
}

void evaluate_text(const struct evaluation *e, struct world *w, const struct driver_case *c, const struct outcome *o,
                   FILE *out)
{
    uint64_t threads = (uint64_t)w->group_size[0] * w->group_size[1] * w->group_size[2];
    uint64_t groups = (uint64_t)e->groups[0] * e->groups[1] * e->groups[2];
    diag_put_name(out, e->file);
    if (w->program->stage == DRIVER_COMPUTE)
        fprintf(out, ": %" PRIu64 " group%s of %" PRIu64 " invocation%s", groups, groups == 1 ? "" : "s", threads,
                threads == 1 ? "" : "s");
    else
        fprintf(out, ": %" PRIu32 " x %" PRIu32 " fragments", e->width, e->height);
    fprintf(out, ", %" PRIu64 " instructions (%" PRIu64 " lane-instructions)\n", o->report.instructions,
            o->report.lanes);
    for (size_t i = 0; i < o->count; i++)
        if (o->outputs[i].kind != OUTPUT_COLOR && o->outputs[i].kind != OUTPUT_COVERAGE)
            print_output(e, w, c, &o->outputs[i], out);
    if (w->program->stage == DRIVER_FRAGMENT)
        table_colors(out, w, o, PIXELS);
    print_undefined(w->result, o, out);
    reference_print_not_modelled(out, "not modelled:", reference_not_modelled(&w->reference));
    if (e->run.track_races)
        evaluate_print_races(e, &o->report, out);
}
