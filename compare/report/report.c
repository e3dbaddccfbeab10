#include "asm/diag.h"
#include "compare/report/report.h"
#include "compare/driver/deviations.h"
#include "compare/world/picture.h"
#include "compare/driver/reference.h"

#include <inttypes.h>
#include <stdarg.h>
#include <string.h>

const char *report_driver(const struct source *s, char text[REPORT_LINE])
{
    const struct driver_description *d = s->description;
    if (s->kind == SOURCE_NONE)
        snprintf(text, REPORT_LINE, "none%s%.500s", s->reason ? ": " : "", s->reason ? s->reason : "");
    else if (s->kind == SOURCE_RECORDING)
        snprintf(text, REPORT_LINE, "%.150s, %.150s, %.150s (recorded in %.200s)", d->vendor, d->renderer,
                 d->version, s->recording->path);
    else
        snprintf(text, REPORT_LINE, "%.150s, %.150s, %.150s (%.60s)", d->vendor, d->renderer, d->version,
                 d->context);
    return text;
}

/* ---- findings ------------------------------------------------------------------------------------------ */

/* Text that is cut off at the end of its room instead of overrunning it. */
struct text {
    char *at;
    size_t left;
};

#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
static void add(struct text *t, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    int n = vsnprintf(t->at, t->left, format, args);
    va_end(args);
    size_t used = n < 0 ? 0 : (size_t)n < t->left ? (size_t)n : t->left - 1;
    t->at += used;
    t->left -= used;
}

static void add_place(struct text *t, const struct finding *f)
{
    static const char names[] = "xyzw";
    if (f->output == OUTPUT_STORAGE || f->output == OUTPUT_COUNTER || f->output == OUTPUT_TEXTURE)
        add(t, "%s %" PRIu32 " byte %zu", output_kind_name(f->output), f->binding, f->offset);
    else if (f->output == OUTPUT_COLOR || f->output == OUTPUT_INPUT)
        add(t, "%s %" PRIu32, output_kind_name(f->output), f->binding);
    else
        add(t, "%s", output_kind_name(f->output));
    if (!f->has_invocation)
        return;
    if (f->layers > 1)
        add(t, ", layer %" PRIu32, f->layer);
    if (f->samples > 1)
        add(t, ", sample %" PRIu32, f->sample);
    if (f->output == OUTPUT_STORAGE)
        add(t, ", invocation %" PRIu32 " (group %" PRIu32 " warp %" PRIu32 " lane %" PRIu32 ") [%" PRIu32 "]",
            f->invocation, f->group, f->warp, f->lane, f->component);
    else if (f->output == OUTPUT_TEXTURE)
        add(t, ", level %" PRIu32 " texel %" PRIu32 ",%" PRIu32 ",%" PRIu32 " [%" PRIu32 "]", f->level, f->x, f->y,
            f->z, f->component);
    else if (f->output == OUTPUT_COLOR || f->output == OUTPUT_INPUT)
        add(t, ", pixel %" PRIu32 ",%" PRIu32 " .%c", f->x, f->y, names[f->component & 3]);
    else
        add(t, ", pixel %" PRIu32 ",%" PRIu32, f->x, f->y);
}

static void add_values(struct text *t, const struct finding *f)
{
    char number[NUMBER_TEXT], rule[RULE_TEXT];
    add(t, ": expected %s", number_print(f->type, f->expected, number));
    add(t, ", %s has %s", f->side, number_print(f->type, f->got, number));
    if (f->message)
        add(t, "; %s", f->message);
    else
        add(t, "; %s", rule_distance(f->type, f->expected, f->got, rule));
    if (!f->message)
        add(t, " (rule: %s)", rule_print(&f->rule, rule));
}

const char *report_finding(const struct finding *f, char text[REPORT_LINE])
{
    struct text t = { text, REPORT_LINE };
    if (f->line)
        add(&t, "line %" PRIu32 ": ", f->line);
    switch (f->kind) {
    case FINDING_DIFFERS:
        add_place(&t, f);
        add_values(&t, f);
        break;
    case FINDING_DIGEST:
        add_place(&t, f);
        add(&t, ": the %zu bytes from here are not those that were recorded", f->size);
        break;
    case FINDING_COVERAGE:
        add_place(&t, f);
        add(&t, ": the reference %s this fragment, the driver %s it", f->expected ? "keeps" : "discards",
            f->got ? "keeps" : "discards");
        break;
    case FINDING_PROBE:
        add(&t, "probe of the %s, ", f->side);
        add_place(&t, f);
        if (f->output == OUTPUT_COVERAGE)
            add(&t, ": %s", f->message);
        else if (f->message && f->rule.type == 0 && f->expected == 0)
            add(&t, ": %s", f->message);
        else
            add_values(&t, f);
        break;
    case FINDING_RUN:
        add(&t, "%s: %.500s", f->side, f->message ? f->message : "did not run");
        break;
    }
    return text;
}

/* ---- for people ---------------------------------------------------------------------------------------- */

static const char *const colours[] = { "\033[32m", "\033[31m", "\033[33m", "\033[31m" };

static void put_verdict(FILE *out, const struct report_context *c, const struct test_result *r)
{
    static const char *const words[] = { "PASS", "FAIL", "SKIP", "ERROR" };
    fprintf(out, "%s%s%s ", c->colour ? colours[r->status] : "", words[r->status], c->colour ? "\033[0m" : "");
    diag_put_name(out, r->file);
    const char *label = strchr(r->name, ':');
    fprintf(out, "%s%s%s\n", label ? label : "", r->message ? ": " : "", r->message ? r->message : "");
}

static void put_where(FILE *out, const struct report_context *c, const struct test_result *r)
{
    char text[REPORT_LINE];
    if (r->reference_ran)
        fprintf(out, "  reference  %s semantics, %" PRIu64 " run%s, %" PRIu64 " instructions (%" PRIu64
                " lane-instructions)\n", reference_semantics_name(r->semantics), r->steps,
                r->steps == 1 ? "" : "s", r->instructions, r->lanes);
    if (r->driver_ran)
        fprintf(out, "  driver     %s%s%s\n", report_driver(c->source, text), r->language ? ", given " : "",
                r->language ? r->language : "");
    else if (r->driver_note && r->driver_note != r->message)
        fprintf(out, "  driver     not run: %s\n", r->driver_note);
}

static void put_counts(FILE *out, const struct test_result *r)
{
    if (r->driver_ran && r->reference_ran) {
        fprintf(out,
                "  compared   %" PRIu64 " components: %" PRIu64 " the same bits, %" PRIu64
                " by rule, %" PRIu64 " different, %" PRIu64 " undefined",
                r->exact + r->by_rule + r->different + r->undefined, r->exact, r->by_rule, r->different,
                r->undefined);
        if (r->blocks)
            fprintf(out, " (%" PRIu64 " blocks by hash)", r->blocks);
        if (r->blocks_undefined)
            fprintf(out, "; %" PRIu64 " blocks left out for undefined words", r->blocks_undefined);
        fputc('\n', out);
    }
    if (r->pixels && r->driver_ran && r->reference_ran)
        fprintf(out, "  pixels     %" PRIu64 " drawn, %" PRIu64 " on edges differ; %" PRIu64
                " fragments with the driver's inputs\n", r->pixels, r->edges, r->seen);
    for (unsigned i = 0; i < DRIVER_DEVIATIONS; i++)
        if (r->deviations >> i & 1)
            fprintf(out, "  deviates   %s; such pixels of the driver are not judged\n",
                    driver_deviation_what((enum driver_deviation)i));
    if (r->unchanged && r->driver_ran && r->reference_ran)
        fprintf(out, "  unchanged  %" PRIu64 " bytes of storage by both\n", r->unchanged);
    if (r->not_compared)
        fprintf(out, "  left out   %" PRIu64 " bytes: %s\n", r->not_compared, r->not_compared_reason);
    if (r->probes + r->probes_undefined) {
        fprintf(out, "  probes     %" PRIu64 " components%s", r->probes, r->probes_failed ? ", not all hold" : " hold");
        if (r->probes_undefined)
            fprintf(out, ", %" PRIu64 " undefined", r->probes_undefined);
        fputc('\n', out);
    }
}

static void put_reasons(FILE *out, const struct test_result *r)
{
    reference_print_not_modelled(out, "  not modelled", r->not_modelled);
    if (r->undefined_words)
        fprintf(out, "  undefined  %" PRIu64 " words of the results:\n", r->undefined_words);
    if (r->undefined_uses)
        fprintf(out,
                "  undefined  %" PRIu64
                " times such a value decided a branch, a discard, an address or an index\n",
                r->undefined_uses);
    for (size_t i = 0; i < r->reasons.count; i++) {
        const struct undefined_reason *reason = vec_at(&r->reasons, i);
        fprintf(out, "    %" PRIu64 " from line %u: %s\n", reason->words, reason->line, reason->reason);
    }
}

static void put_findings(FILE *out, const struct test_result *r)
{
    char text[REPORT_LINE];
    for (size_t i = 0; i < r->findings.count; i++)
        fprintf(out, "  %s\n", report_finding(vec_at(&r->findings, i), text));
    if (r->findings_total > r->findings.count)
        fprintf(out, "  ... %" PRIu64 " more\n", r->findings_total - r->findings.count);
}

/* Where two pictures differ, when that is at more places than are listed. */
static void put_map(FILE *out, const struct test_result *r)
{
    struct picture reference, driver;
    bool pixels = false;
    for (size_t i = 0; i < r->findings.count; i++) {
        const struct finding *f = vec_at(&r->findings, i);
        pixels |= (f->kind == FINDING_DIFFERS && f->output == OUTPUT_COLOR) || f->kind == FINDING_COVERAGE;
    }
    if (pixels && r->findings_total > r->findings.count && test_picture(r, 0, r->shown, &reference) &&
        test_picture(r, 1, r->shown, &driver))
        picture_text(out, "    ", &reference, &driver);
}

void report_text(FILE *out, const struct report_context *c, const struct test_result *r)
{
    put_verdict(out, c, r);
    put_where(out, c, r);
    put_counts(out, r);
    put_reasons(out, r);
    put_findings(out, r);
    put_map(out, r);
    if (r->table && c->tables)
        fputs(r->table, out);
}
