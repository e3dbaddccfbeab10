/* What gp5 run says of a plain program, as JSON. The words of buffers may be many: they are written as they come, not
 * collected. */
#include "compare/driver/reference.h"
#include "asm/program.h"
#include "compare/report/evaluate_print.h"
#include "compare/report/json.h"

#include <inttypes.h>
#include <string.h>

enum { INSIDE = JSON_COMPACT | JSON_EMBED };    /* members without the braces around them */

/* Takes the object over. */
static bool put_members(json_t *o, FILE *out)
{
    bool ok = o && !json_dumpf(o, out, INSIDE);
    json_decref(o);
    return ok;
}

static json_t *three(const uint32_t n[3])
{
    return json_pack("[I,I,I]", (json_int_t)n[0], (json_int_t)n[1], (json_int_t)n[2]);
}

static bool put_head(const struct evaluation *e, const struct world *w, const struct outcome *o, FILE *out)
{
    json_t *head = json_object();

    json_object_set_new(head, "file", cmp_json_string(e->file));
    json_object_set_new(head, "status", json_string(o->cancelled ? "interrupted" : "ran"));
    json_object_set_new(head, "semantics", json_string(reference_semantics_name(e->run.semantics)));
    if (w->program->stage == DRIVER_COMPUTE) {
        json_object_set_new(head, "groups", three(e->groups));
        json_object_set_new(head, "group_size", three(w->group_size));
    } else {
        json_object_set_new(head, "width", cmp_json_count(e->width));
        json_object_set_new(head, "height", cmp_json_count(e->height));
    }
    json_object_set_new(head, "instructions", cmp_json_count(o->report.instructions));
    json_object_set_new(head, "lane_instructions", cmp_json_count(o->report.lanes));
    return put_members(head, out);
}

/* ---- outputs ------------------------------------------------------------------------------------------- */

/* 32 bits each, little-endian; zeros stand for bytes that a last, shorter one lacks. */
static void put_words(const struct output *output, FILE *out)
{
    fputs(",\"words\":[", out);
    for (size_t at = 0; at < output->size; at += 4) {
        uint32_t word = 0;
        memcpy(&word, output->data + at, output->size - at < 4 ? output->size - at : 4);
        fprintf(out, "%s%" PRIu32, at ? "," : "", word);
    }
    fputs("],\"undefined\":[", out);
    const char *comma = "";
    for (size_t i = 0; output->undefined && i < (output->size + 3) / 4; i++)
        if (output->undefined[i]) {
            fprintf(out, "%s%zu", comma, i);
            comma = ",";
        }
    fputc(']', out);
}

static void put_covered(const struct output *output, FILE *out)
{
    fputs(",\"covered\":[", out);
    for (size_t i = 0; i < output->size; i++)
        fprintf(out, "%s%d", i ? "," : "", output->data[i] != 0);
    fputc(']', out);
}

static bool put_output(const struct evaluation *e, const struct driver_case *c, const struct output *output, FILE *out)
{
    json_t *head = json_object();
    bool given = output->kind != OUTPUT_COLOR && output->kind != OUTPUT_COVERAGE;
    bool elsewhere = given && e->quiet && e->quiet(e->user, output->kind, output->binding);
    bool unchanged = given && evaluate_unchanged(c, output);

    json_object_set_new(head, "output", json_string(output_kind_name(output->kind)));
    json_object_set_new(head, "binding", cmp_json_count(output->binding));
    json_object_set_new(head, "bytes", cmp_json_count(output->size));
    if (given)
        json_object_set_new(head, "unchanged", json_boolean(unchanged));
    fputc('{', out);
    if (!put_members(head, out))
        return false;
    if (output->kind == OUTPUT_COVERAGE)
        put_covered(output, out);
    else if (!unchanged && !elsewhere)
        put_words(output, out);
    fputc('}', out);
    return true;
}

static bool put_outputs(const struct evaluation *e, const struct driver_case *c, const struct outcome *o, FILE *out)
{
    fputs(",\"outputs\":[", out);
    for (size_t i = 0; i < o->count; i++) {
        fputs(i ? "," : "", out);
        if (!put_output(e, c, &o->outputs[i], out))
            return false;
    }
    fputs("],", out);
    return true;
}

/* ---- what is undefined, and races ---------------------------------------------------------------------------- */

static json_t *access(const struct line_index *lines, const struct gp5_access *a)
{
    return json_pack("{s:s,s:I,s:I,s:I,s:I}", "kind", a->kind, "line", (json_int_t)diag_line_at(lines, a->offset),
                     "group", (json_int_t)a->group, "warp", (json_int_t)a->warp, "lane", (json_int_t)a->lane);
}

static json_t *races(const struct evaluation *e, const struct gp5_report *r)
{
    json_t *list = json_array();
    struct line_index lines;

    if (!diag_index_lines(&lines, e->text, e->size)) {
        json_decref(list);
        return NULL;
    }
    for (size_t i = 0; i < r->nrace_list; i++) {
        const struct gp5_race *race = &r->race_list[i];
        json_array_append_new(list,
                              json_pack("{s:b,s:s,s:I,s:I,s:o,s:o,s:I}", "order", race->order, "memory", race->memory,
                                        "binding", (json_int_t)race->binding, "byte", (json_int_t)race->address,
                                        "first", access(&lines, &race->first), "second", access(&lines, &race->second),
                                        "times", (json_int_t)race->count));
    }
    diag_free_lines(&lines);
    return list;
}

static bool put_tail(const struct evaluation *e, const struct world *w, const struct outcome *o, FILE *out)
{
    json_t *tail = json_object();

    json_object_set_new(tail, "undefined_words", cmp_json_count(w->result->undefined_words));
    json_object_set_new(tail, "undefined_uses", cmp_json_count(o->report.undefined_uses));
    json_object_set_new(tail, "undefined", cmp_json_reasons(w->result));
    json_object_set_new(tail, "not_modelled", cmp_json_not_modelled(reference_not_modelled(&w->reference)));
    if (e->run.track_races) {
        json_object_set_new(tail, "races", cmp_json_count(o->report.races));
        if (json_object_set_new(tail, "race_list", races(e, &o->report))) {
            json_decref(tail);
            return false;
        }
    }
    return put_members(tail, out);
}

bool evaluate_json(const struct evaluation *e, const struct world *w, const struct driver_case *c,
                   const struct outcome *o, FILE *out)
{
    fputc('{', out);
    if (!put_head(e, w, o, out) || !put_outputs(e, c, o, out) || !put_tail(e, w, o, out))
        return false;
    fputs("}\n", out);
    return true;
}

/* ---- a run that did not end well ---------------------------------------------------------------------------- */

void evaluate_json_failure(const struct evaluation *e, const struct outcome *o, FILE *out)
{
    static const char *const names[] = {[OUTCOME_REJECTED] = "invalid",
                                        [OUTCOME_SKIPPED] = "not evaluated",
                                        [OUTCOME_FAILED] = "failed",
                                        [OUTCOME_REFUSED] = "refused",
                                        [OUTCOME_NO_MEMORY] = "trouble"};
    json_t *object = json_object();
    int64_t position = o->position;

    json_object_set_new(object, "file", cmp_json_string(e->file));
    json_object_set_new(object, "status", json_string(names[o->status]));
    json_object_set_new(object, "message", cmp_json_string(o->message));
    json_object_set_new(object, "position", json_integer(position));
    if (position >= 0 && (size_t)position <= e->size) {
        struct place place = diag_locate(e->text, e->size, (uint32_t)position);
        json_object_set_new(object, "line", cmp_json_count(place.line));
        json_object_set_new(object, "column", cmp_json_count(place.column));
    }
    json_dumpf(object, out, JSON_COMPACT);
    fputc('\n', out);
    json_decref(object);
}
