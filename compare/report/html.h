/* gp5 compare --html: one page of what passed, failed, was skipped and why, with pictures beside it. It needs no
 * script, no network and nothing but its folder, and says the same of the same results every time. */
#ifndef GP5_COMPARE_HTML_H
#define GP5_COMPARE_HTML_H

#include "compare/report/report.h"

enum { HTML_ID = 96 };

struct html_id;

struct html {
    const char *folder;
    bool everything;                /* programs and tables of tests that passed as well */
    FILE *parts[4];                 /* by enum test_status, until the counts are known */
    size_t counts[4];
    struct html_id *ids;
    const char *error;              /* the first one, or NULL */
    char place[512];                /* which file it is about; "" for the folder */
};

/* Makes the folder where there is none. Errors wait in h->error; html_close writes the page and frees all. */
void html_open(struct html *h, const char *folder);

/* A test; `program` is NULL for a script that cannot be run. */
void html_add(struct html *h, const struct report_context *c, const struct script *script,
              const struct script_program *program, const struct test_result *r);
void html_close(struct html *h, const struct report_context *c);

/* ---- inside ------------------------------------------------------------------------------------------------ */

/* Text with what HTML would take as something else escaped; bytes that are no UTF-8, and control characters, show as
 * U+FFFD. */
void html_text(FILE *f, const char *text, size_t size);
void html_words(FILE *f, const char *text);

/* Why a line is marked. */
enum html_why { HTML_COMMAND, HTML_STORES, HTML_UNDEFINED, HTML_WRONG };
struct html_mark {
    size_t line;
    enum html_why why;
};

/* Lines of a file with their numbers, each with the anchor ID-LETTER-number, marked where it says so. */
void html_source(FILE *f, const char *id, char letter, const char *text, size_t size, const struct html_mark *marks,
                 size_t count);

/* What of a test's script and of its program, where that is a file of its own, is to be marked. False without
 * memory. */
bool html_marks(const struct script *script, const struct script_program *program, const struct test_result *r,
                struct vec *of_script, struct vec *of_program);

/* Buffers and textures as maps of their numbers: those of which one differs, is undefined or fails a probe; with
 * `everything` all of them. */
void html_maps(FILE *f, const char *id, const struct test_result *r, bool everything);

extern const char html_style[];

#endif
