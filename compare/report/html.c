#include "compare/driver/reference.h"
#include "compare/report/html.h"

#include "compare/report/picture_file.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <uthash.h>

struct html_id {
    char name[HTML_ID];
    unsigned used;
    UT_hash_handle hh;
};

enum { PAGE_PATH = 4096 };

static void fail(struct html *h, const char *place, const char *error)
{
    if (h->error)
        return;
    h->error = error;
    snprintf(h->place, sizeof h->place, "%s", place);
}

/* The page's name; false when it is too long. */
static bool page_path(struct html *h, char *path, size_t size)
{
    if ((size_t)snprintf(path, size, "%s/index.html", h->folder) < size)
        return true;
    fail(h, "", "the name is too long");
    return false;
}

/* Tests are not run for a page that cannot be written: what stands there is kept until they have ended. */
static void try_page(struct html *h)
{
    char path[PAGE_PATH];
    if (!page_path(h, path, sizeof path))
        return;
    bool there = access(path, F_OK) == 0;
    FILE *f = fopen(path, "a");
    if (!f)
        fail(h, "index.html", strerror(errno));
    else if (fclose(f) == 0 && !there)
        unlink(path);
}

void html_open(struct html *h, const char *folder)
{
    *h = (struct html){.folder = folder};
    if (mkdir(folder, 0777) && errno != EEXIST)
        fail(h, "", strerror(errno));
    for (int i = 0; i < 4 && !h->error; i++)
        if (!(h->parts[i] = tmpfile()))
            fail(h, "", strerror(errno));
    if (!h->error)
        try_page(h);
}

/* ---- anchors --------------------------------------------------------------------------------------------------- */

/* The file's and the program's name as an anchor and a file name; the second of a name gets -2, and so on. */
static void make_id(struct html *h, const struct test_result *r, char id[HTML_ID])
{
    const char *label = strchr(r->name, ':'), *parts[] = {r->file, label ? label : ""};
    size_t n = 0, most = HTML_ID - 16, length = strlen(parts[0]) + strlen(parts[1]);
    size_t skip = length > most ? length - most : 0;        /* the end of a long name says more */
    for (int i = 0; i < 2; i++)
        for (const char *c = parts[i]; *c; c++) {
            bool plain = (*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z') || (*c >= '0' && *c <= '9') || *c == '_';
            if (skip)
                skip--;
            else if (plain)
                id[n++] = *c;
            else if (n && id[n - 1] != '-')
                id[n++] = '-';
        }
    if (!n)
        id[n++] = 't';
    id[n] = 0;
    struct html_id *seen;
    HASH_FIND_STR(h->ids, id, seen);
    if (seen) {
        snprintf(id + n, HTML_ID - n, "-%u", ++seen->used);
        return;
    }
    seen = malloc(sizeof *seen);
    if (!seen) {
        fail(h, "", "out of memory");
        return;
    }
    seen->used = 1;
    memcpy(seen->name, id, HTML_ID);
    HASH_ADD_STR(h->ids, name, seen);
}

/* ---- a test ------------------------------------------------------------------------------------------------------ */

static void row(FILE *f, const char *name)
{
    fprintf(f, "<tr><td>%s<td>", name);
}

static void put_facts(FILE *f, const struct report_context *c, const struct test_result *r, const char *id, char letter)
{
    char text[REPORT_LINE];
    fputs("<table>\n", f);
    if (r->reference_ran) {
        row(f, "reference");
        fprintf(f, "%s semantics, %" PRIu64 " run%s, %" PRIu64 " instructions (%" PRIu64 " lane-instructions)\n",
                reference_semantics_name(r->semantics), r->steps, r->steps == 1 ? "" : "s",
                r->instructions, r->lanes);
    }
    if (r->driver_ran || r->driver_note) {
        row(f, "driver");
        html_words(f, r->driver_ran ? report_driver(c->source, text) : r->driver_note);
        if (r->driver_ran && r->language)
            fprintf(f, ", given %s", r->language);
        fputc('\n', f);
    }
    if (r->driver_ran && r->reference_ran) {
        row(f, "compared");
        fprintf(f, "%" PRIu64 " the same bits, %" PRIu64 " by rule, %" PRIu64 " different, %" PRIu64 " undefined\n",
                r->exact, r->by_rule, r->different, r->undefined);
    }
    if (r->pixels && r->driver_ran && r->reference_ran) {
        row(f, "pixels");
        fprintf(f, "%" PRIu64 " drawn, %" PRIu64 " on edges differ; %" PRIu64 " fragments with the driver's inputs\n",
                r->pixels, r->edges, r->seen);
    }
    if (r->not_compared) {
        row(f, "left out");
        fprintf(f, "%" PRIu64 " bytes: ", r->not_compared);
        html_words(f, r->not_compared_reason ? r->not_compared_reason : "");
        fputc('\n', f);
    }
    if (r->probes + r->probes_undefined) {
        row(f, "probes");
        fprintf(f, "%" PRIu64 " components%s, %" PRIu64 " undefined\n", r->probes,
                r->probes_failed ? ", not all hold" : " hold", r->probes_undefined);
    }
    for (size_t i = 0; i < r->reasons.count; i++) {
        const struct undefined_reason *reason = vec_at(&r->reasons, i);
        row(f, "undefined");
        fprintf(f, "%" PRIu64 " words from <a href=\"#%s-%c%u\">line %u</a>: ", reason->words, id, letter, reason->line,
                reason->line);
        html_words(f, reason->reason);
        fputc('\n', f);
    }
    fputs("</table>\n", f);
}

static void put_findings(FILE *f, const struct test_result *r, const char *id)
{
    char text[REPORT_LINE];
    if (!r->findings.count)
        return;
    fputs("<ol>\n", f);
    for (size_t i = 0; i < r->findings.count; i++) {
        const struct finding *finding = vec_at(&r->findings, i);
        fprintf(f, "<li class=finding id=%s-f%zu>", id, i + 1);
        const char *said = report_finding(finding, text), *rest = finding->line ? strstr(said, ": ") : NULL;
        if (rest) {
            fprintf(f, "<a href=\"#%s-L%" PRIu32 "\">line %" PRIu32 "</a>", id, finding->line, finding->line);
            said = rest;
        }
        html_words(f, said);
        fputc('\n', f);
    }
    fputs("</ol>\n", f);
    if (r->findings_total > r->findings.count)
        fprintf(f, "<p>... and %" PRIu64 " more.</p>\n", r->findings_total - r->findings.count);
}

static void put_picture(struct html *h, FILE *f, const char *id, const char *what, const struct picture *p,
                        const struct picture *other, enum picture_kind kind)
{
    char path[4096], name[HTML_ID + 32];
    snprintf(name, sizeof name, "%s-%s.png", id, what);
    if ((size_t)snprintf(path, sizeof path, "%s/%s", h->folder, name) >= sizeof path) {
        fail(h, name, "the name is too long");
        return;
    }
    const char *error = picture_write(p, other, kind, path);
    if (error)
        fail(h, name, error);
    fprintf(f, "<figure><a href=\"%s\"><img src=\"%s\" width=%u height=%u loading=lazy alt=\"%s\"></a><figcaption>%s",
            name, name, p->width < 384 ? p->width : 384, p->width < 384 ? p->height : p->height * 384 / p->width, what,
            what);
    fputs(kind == PICTURE_DIFFERENCE ? ": black none, blue to 0.01, red to 0.1, yellow to 0.5, white more" :
          kind == PICTURE_UNDEFINED ? ": red; grey is not drawn" : "", f);
    fprintf(f, " (%u x %u)</figcaption></figure>\n", p->width, p->height);
}

/* The first colour by its name alone, the others with their numbers. */
static const char *name_of(const char *what, uint32_t buffer, char text[32])
{
    if (!buffer)
        return what;
    snprintf(text, 32, "%s-%u", what, (unsigned)buffer);
    return text;
}

static void put_color(struct html *h, FILE *f, const char *id, const struct test_result *r, uint32_t buffer)
{
    struct picture reference, driver;
    bool has_reference = test_picture(r, 0, buffer, &reference), has_driver = test_picture(r, 1, buffer, &driver),
         open = false;
    char text[32];
    if (has_reference)
        put_picture(h, f, id, name_of("reference", buffer, text), &reference, NULL, PICTURE_COLORS);
    for (size_t i = 0; has_reference && !open && i < (size_t)reference.width * reference.height; i++)
        open = picture_undefined(&reference, i);
    if (open)
        put_picture(h, f, id, name_of("undefined", buffer, text), &reference, NULL, PICTURE_UNDEFINED);
    if (has_driver && (r->status != TEST_PASSED || !has_reference))
        put_picture(h, f, id, name_of("driver", buffer, text), &driver, NULL, PICTURE_COLORS);
    if (has_driver && has_reference && r->status != TEST_PASSED)
        put_picture(h, f, id, name_of("difference", buffer, text), &reference, &driver, PICTURE_DIFFERENCE);
}

static void put_pictures(struct html *h, FILE *f, const char *id, const struct test_result *r)
{
    for (uint32_t buffer = 0; buffer < r->buffers; buffer++)
        put_color(h, f, id, r, buffer);
}

static void put_sources(struct html *h, FILE *f, const char *id, const struct script *script,
                        const struct script_program *program, const struct test_result *r)
{
    struct vec of_script, of_program;
    if (!html_marks(script, program, r, &of_script, &of_program))
        fail(h, "", "out of memory");
    if (program && *program->label) {
        fputs("<details open><summary>", f);
        html_words(f, program->file);
        fputs("</summary>\n", f);
        html_source(f, id, 'P', program->text, program->size, of_program.data, of_program.count);
        fputs("</details>\n", f);
    }
    if (script->text) {
        fprintf(f, "<details%s><summary>", program && *program->label ? "" : " open");
        html_words(f, script->path);
        fputs("</summary>\n", f);
        html_source(f, id, 'L', script->text, script->size, of_script.data, of_script.count);
        fputs("</details>\n", f);
    }
    vec_free(&of_script);
    vec_free(&of_program);
}

void html_add(struct html *h, const struct report_context *c, const struct script *script,
              const struct script_program *program, const struct test_result *r)
{
    static const char *const words[] = {"PASS", "FAIL", "SKIP", "ERROR"};
    char id[HTML_ID];
    FILE *f = h->parts[r->status];
    const char *label = strchr(r->name, ':');
    bool whole = r->status == TEST_FAILED || r->status == TEST_ERROR || h->everything;
    h->counts[r->status]++;
    if (h->error)
        return;
    make_id(h, r, id);
    fprintf(f, "<details class=\"test %s\" id=%s%s><summary><b>%s</b>", test_status_name(r->status), id,
            r->status == TEST_FAILED || r->status == TEST_ERROR ? " open" : "", words[r->status]);
    html_words(f, r->file);
    html_words(f, label ? label : "");
    if (r->message) {
        fputs(" <span class=why>", f);
        html_words(f, r->message);
        fputs("</span>", f);
    }
    fprintf(f, "<a class=link href=\"#%s\">link</a></summary>\n", id);
    put_facts(f, c, r, id, program && *program->label ? 'P' : 'L');
    put_findings(f, r, id);
    put_pictures(h, f, id, r);
    html_maps(f, id, r, whole);
    if (r->table && *r->table && whole) {
        fputs("<details><summary>lane tables</summary><pre>", f);
        html_words(f, r->table);
        fputs("</pre></details>\n", f);
    }
    if (whole || (r->status == TEST_PASSED && r->reasons.count))
        put_sources(h, f, id, script, program, r);
    fputs("</details>\n", f);
}

/* ---- the page ---------------------------------------------------------------------------------------------------- */

static const struct kind {
    enum test_status status;
    const char *word, *title;
} kinds[] = {{TEST_FAILED, "failed", "Failed"}, {TEST_ERROR, "errors", "Errors"}, {TEST_SKIPPED, "skipped", "Skipped"},
             {TEST_PASSED, "passed", "Passed"}};
enum { KINDS = sizeof kinds / sizeof *kinds };

static void copy(FILE *out, FILE *part)
{
    char bytes[4096];
    rewind(part);
    for (size_t n; (n = fread(bytes, 1, sizeof bytes, part)) > 0;)
        fwrite(bytes, 1, n, out);
}

static void put_page(struct html *h, const struct report_context *c, FILE *f)
{
    char text[REPORT_LINE];
    fputs("<!DOCTYPE html>\n<html lang=en>\n<head>\n<meta charset=utf-8>\n"
          "<meta name=viewport content=\"width=device-width, initial-scale=1\">\n<title>gp5 compare: ", f);
    for (int i = 0; i < KINDS; i++)
        if (h->counts[kinds[i].status] || kinds[i].status == TEST_PASSED)
            fprintf(f, "%zu %s%s", h->counts[kinds[i].status], kinds[i].word, i + 1 < KINDS ? ", " : "");
    fprintf(f, "</title>\n<style>\n%s</style>\n</head>\n<body>\n<h1>gp5 compare</h1>\n<p>", html_style);
    html_words(f, report_driver(c->source, text));
    fprintf(f, "<br>gp5 %s, %s semantics</p>\n<p class=counts>", GP5_VERSION,
            reference_semantics_name(c->semantics));
    for (int i = 0; i < KINDS; i++)
        if (h->counts[kinds[i].status])
            fprintf(f, "<a class=%s href=\"#%s\">%zu %s</a>", test_status_name(kinds[i].status), kinds[i].word,
                    h->counts[kinds[i].status], kinds[i].word);
    fputs("</p>\n", f);
    for (int i = 0; i < KINDS; i++) {
        if (!h->counts[kinds[i].status])
            continue;
        fprintf(f, "<h2 id=%s>%s</h2>\n", kinds[i].word, kinds[i].title);
        copy(f, h->parts[kinds[i].status]);
    }
    fputs("</body>\n</html>\n", f);
}

void html_close(struct html *h, const struct report_context *c)
{
    char path[PAGE_PATH];
    struct html_id *id, *next;
    FILE *f = !h->error && page_path(h, path, sizeof path) ? fopen(path, "w") : NULL;
    if (f)
        put_page(h, c, f);
    for (int i = 0; i < 4; i++) {
        if (h->parts[i] && ferror(h->parts[i]))
            fail(h, "", "the page could not be written");
        if (h->parts[i])
            fclose(h->parts[i]);
    }
    if (f ? ferror(f) | fclose(f) : !h->error)
        fail(h, "index.html", strerror(errno));
    HASH_ITER(hh, h->ids, id, next) {
        HASH_DEL(h->ids, id);
        free(id);
    }
}
