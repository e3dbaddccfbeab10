/* Results as JSON, TAP and JUnit. */
#include "compare/driver/deviations.h"
#include "compare/driver/reference.h"
#include "compare/report/report.h"
#include "compare/report/json.h"

#include <inttypes.h>
#include <string.h>

/* ---- JSON ---------------------------------------------------------------------------------------------- */

static json_t *bits(enum number_type type, uint64_t v)
{
    char hex[24] = "0x";
    for (unsigned i = 0, digits = 2u * number_types[type].bytes; i <= digits; i++)
        hex[2 + i] = i < digits ? "0123456789abcdef"[v >> 4 * (digits - 1 - i) & 15] : '\0';
    return json_string(hex);
}

static json_t *finding(const struct finding *f)
{
    static const char *const kinds[] = { "differs", "digest", "coverage", "probe", "run" };
    char text[REPORT_LINE], rule[RULE_TEXT];
    json_t *o = json_object();
    json_object_set_new(o, "kind", json_string(kinds[f->kind]));
    json_object_set_new(o, "line", cmp_json_count(f->line));
    json_object_set_new(o, "side", json_string(f->side));
    json_object_set_new(o, "text", cmp_json_string(report_finding(f, text)));
    if (f->kind == FINDING_RUN)
        return o;
    json_object_set_new(o, "output", json_string(output_kind_name(f->output)));
    json_object_set_new(o, "binding", cmp_json_count(f->binding));
    json_object_set_new(o, "offset", cmp_json_count(f->offset));
    if (f->has_invocation && f->output == OUTPUT_STORAGE) {
        json_object_set_new(o, "invocation", cmp_json_count(f->invocation));
        json_object_set_new(o, "group", cmp_json_count(f->group));
        json_object_set_new(o, "warp", cmp_json_count(f->warp));
        json_object_set_new(o, "lane", cmp_json_count(f->lane));
        json_object_set_new(o, "component", cmp_json_count(f->component));
    } else if (f->has_invocation) {
        json_object_set_new(o, "x", cmp_json_count(f->x));
        json_object_set_new(o, "y", cmp_json_count(f->y));
        json_object_set_new(o, "component", cmp_json_count(f->component));
    }
    if (f->has_invocation && f->layers > 1)
        json_object_set_new(o, "layer", cmp_json_count(f->layer));
    if (f->has_invocation && f->samples > 1)
        json_object_set_new(o, "sample", cmp_json_count(f->sample));
    if (f->has_invocation && f->output == OUTPUT_TEXTURE) {
        json_object_set_new(o, "z", cmp_json_count(f->z));
        json_object_set_new(o, "level", cmp_json_count(f->level));
    }
    if (f->kind == FINDING_DIFFERS || (f->kind == FINDING_PROBE && f->output != OUTPUT_COVERAGE)) {
        json_object_set_new(o, "type", json_string(number_types[f->type].name));
        json_object_set_new(o, "expected", bits(f->type, f->expected));
        json_object_set_new(o, "got", bits(f->type, f->got));
        json_object_set_new(o, "rule", cmp_json_string(rule_print(&f->rule, rule)));
    }
    return o;
}

static json_t *findings(const struct test_result *r)
{
    json_t *list = json_array();
    for (size_t i = 0; i < r->findings.count; i++)
        json_array_append_new(list, finding(vec_at(&r->findings, i)));
    return list;
}

static json_t *driver(const struct report_context *c, const struct test_result *r)
{
    const struct driver_description *d = c->source->description;
    json_t *o = json_object();
    json_object_set_new(o, "ran", json_boolean(r->driver_ran));
    if (d) {
        json_object_set_new(o, "context", cmp_json_string(d->context));
        json_object_set_new(o, "vendor", cmp_json_string(d->vendor));
        json_object_set_new(o, "renderer", cmp_json_string(d->renderer));
        json_object_set_new(o, "version", cmp_json_string(d->version));
    }
    if (r->language)
        json_object_set_new(o, "language", json_string(r->language));
    if (r->driver_note)
        json_object_set_new(o, "note", cmp_json_string(r->driver_note));
    return o;
}

void report_json(FILE *out, const struct report_context *c, const struct test_result *r)
{
    json_t *o = json_object(), *components = json_object(), *reference = json_object();
    json_object_set_new(o, "file", cmp_json_string(r->file));
    json_object_set_new(o, "name", cmp_json_string(r->name));
    json_object_set_new(o, "status", json_string(test_status_name(r->status)));
    json_object_set_new(o, "message", cmp_json_string(r->message));
    json_object_set_new(reference, "ran", json_boolean(r->reference_ran));
    json_object_set_new(reference, "semantics",
                        json_string(reference_semantics_name(r->semantics)));
    json_object_set_new(reference, "runs", cmp_json_count(r->steps));
    json_object_set_new(reference, "instructions", cmp_json_count(r->instructions));
    json_object_set_new(reference, "lanes", cmp_json_count(r->lanes));
    json_object_set_new(o, "reference", reference);
    json_object_set_new(o, "driver", driver(c, r));
    json_object_set_new(components, "exact", cmp_json_count(r->exact));
    json_object_set_new(components, "by_rule", cmp_json_count(r->by_rule));
    json_object_set_new(components, "different", cmp_json_count(r->different));
    json_object_set_new(components, "undefined", cmp_json_count(r->undefined));
    json_object_set_new(o, "components", components);
    json_object_set_new(o, "blocks", cmp_json_count(r->blocks));
    json_object_set_new(o, "blocks_undefined", cmp_json_count(r->blocks_undefined));
    json_object_set_new(o, "pixels", cmp_json_count(r->pixels));
    json_object_set_new(o, "edges", cmp_json_count(r->edges));
    json_object_set_new(o, "seen", cmp_json_count(r->seen));
    json_t *deviations = json_array();
    for (unsigned i = 0; i < DRIVER_DEVIATIONS; i++)
        if (r->deviations >> i & 1)
            json_array_append_new(deviations, json_string(driver_deviation_name((enum driver_deviation)i)));
    json_object_set_new(o, "deviations", deviations);
    json_object_set_new(o, "unchanged", cmp_json_count(r->unchanged));
    json_object_set_new(o, "not_compared", cmp_json_count(r->not_compared));
    json_object_set_new(o, "probes", cmp_json_count(r->probes));
    json_object_set_new(o, "probes_undefined", cmp_json_count(r->probes_undefined));
    json_object_set_new(o, "undefined_words", cmp_json_count(r->undefined_words));
    json_object_set_new(o, "undefined_uses", cmp_json_count(r->undefined_uses));
    json_object_set_new(o, "undefined", cmp_json_reasons(r));
    json_object_set_new(o, "not_modelled", cmp_json_not_modelled(r->not_modelled));
    json_object_set_new(o, "findings_total", cmp_json_count(r->findings_total));
    json_object_set_new(o, "findings", findings(r));
    json_dumpf(o, out, JSON_COMPACT);
    fputc('\n', out);
    json_decref(o);
}

/* ---- TAP ----------------------------------------------------------------------------------------------- */

static void put_tap_text(FILE *out, const char *text)
{
    for (; *text; text++)
        if (*text == '#' || *text == '\\')
            fprintf(out, "\\%c", *text);
        else
            fputc((unsigned char)*text < 32 ? ' ' : *text, out);
}

void report_tap(FILE *out, const struct test_result *r, size_t number)
{
    char text[REPORT_LINE];
    bool good = r->status == TEST_PASSED || r->status == TEST_SKIPPED;
    const char *label = strchr(r->name, ':');
    fprintf(out, "%s %zu - ", good ? "ok" : "not ok", number);
    put_tap_text(out, r->file);
    put_tap_text(out, label ? label : "");
    if (r->status == TEST_SKIPPED) {
        fputs(" # SKIP ", out);
        put_tap_text(out, r->message ? r->message : "");
    }
    fputc('\n', out);
    if (good)
        return;
    if (r->message)
        fprintf(out, "# %s\n", r->message);
    for (size_t i = 0; i < r->findings.count; i++)
        fprintf(out, "# %s\n", report_finding(vec_at(&r->findings, i), text));
}

void report_tap_plan(FILE *out, size_t number)
{
    fprintf(out, "1..%zu\n", number);
}

/* ---- JUnit --------------------------------------------------------------------------------------------- */

static void put_xml(FILE *out, const char *text)
{
    for (; *text; text++) {
        unsigned char c = (unsigned char)*text;
        switch (c) {
        case '&': fputs("&amp;", out); break;
        case '<': fputs("&lt;", out); break;
        case '>': fputs("&gt;", out); break;
        case '"': fputs("&quot;", out); break;
        default: fputc(c < 32 && c != '\n' && c != '\t' ? ' ' : c < 128 ? c : '?', out);
        }
    }
}

static void put_case(FILE *out, const struct test_result *r)
{
    static const char *const elements[] = { "", "failure", "skipped", "error" };
    char text[REPORT_LINE];
    fputs("  <testcase classname=\"", out);
    put_xml(out, r->file);
    fputs("\" name=\"", out);
    put_xml(out, r->name);
    if (r->status == TEST_PASSED) {
        fputs("\"/>\n", out);
        return;
    }
    fprintf(out, "\">\n    <%s message=\"", elements[r->status]);
    put_xml(out, r->message ? r->message : "");
    fputs("\">", out);
    for (size_t i = 0; i < r->findings.count; i++) {
        put_xml(out, report_finding(vec_at(&r->findings, i), text));
        fputc('\n', out);
    }
    fprintf(out, "</%s>\n  </testcase>\n", elements[r->status]);
}

void report_junit(FILE *out, const struct report_context *c, const struct test_result *results, size_t number)
{
    size_t by_status[4] = { 0, 0, 0, 0 };
    char text[REPORT_LINE];
    for (size_t i = 0; i < number; i++)
        by_status[results[i].status]++;
    fprintf(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuite name=\"gp5 compare\" tests=\"%zu\" "
            "failures=\"%zu\" errors=\"%zu\" skipped=\"%zu\">\n", number, by_status[TEST_FAILED],
            by_status[TEST_ERROR], by_status[TEST_SKIPPED]);
    fputs("  <properties><property name=\"driver\" value=\"", out);
    put_xml(out, report_driver(c->source, text));
    fputs("\"/></properties>\n", out);
    for (size_t i = 0; i < number; i++)
        put_case(out, &results[i]);
    fputs("</testsuite>\n", out);
}
