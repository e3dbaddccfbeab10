/* Diagnostics: what is wrong, where, and why. Everything holds byte offsets; lines and columns are counted when one is
 * printed. */
#ifndef GP5_ASM_DIAG_H
#define GP5_ASM_DIAG_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct span {
    uint32_t offset, length;    /* bytes of the program text */
};

enum severity { DIAG_ERROR, DIAG_WARNING, DIAG_NOTE };

/* Which reading of the language an error belongs to: a bit a target, so that one pass serves all of them. */
enum target_bits {
    FOR_MESA = 2, FOR_SPEC = 4, FOR_GP5 = 8, FOR_DRIVER = 1,
    FOR_NVIDIA = FOR_DRIVER | FOR_GP5,  /* gp5 takes what the driver takes, and its own options */
    FOR_ALL = FOR_NVIDIA | FOR_MESA | FOR_SPEC
};

struct diag {
    enum severity severity;
    unsigned targets;           /* target_bits */
    struct span span;           /* what the caret underlines */
    uint32_t position;          /* where that target's driver reports it; mostly span.offset */
    char *message;
    char *hint;                 /* what to do about it, or NULL */
    struct span fixed;          /* with `fix`: what it stands in place of */
    char *fix;                  /* the text that follows the hint, where that is safe; or NULL */
};

struct diags {
    struct diag *list;
    size_t count, capacity;
    size_t limit;               /* after this many errors one closing diagnostic is added and the rest is dropped */
    size_t errors, dropped;
    bool failed;                /* memory ran out while reporting */
};

void diags_init(struct diags *d);
void diags_free(struct diags *d);

#if defined(__GNUC__)
#define DIAG_PRINTF(f, a) __attribute__((format(printf, f, a)))
#else
#define DIAG_PRINTF(f, a)
#endif

/* Adds one and returns it (to set position or hint), or NULL when it was dropped. */
struct diag *diag_add(struct diags *d, enum severity severity, unsigned targets, struct span span,
                      const char *format, ...) DIAG_PRINTF(5, 6);
void diag_hint(struct diag *diag, const char *format, ...) DIAG_PRINTF(2, 3);
void diag_fix(struct diag *diag, struct span fixed, const char *text);

/* By position, stable. */
void diags_sort(struct diags *d);

/* The offset of the first error for these targets, or -1. */
int64_t diags_position(const struct diags *d, unsigned targets);

/* Line and column, from 1. A line ends with LF, CR or CR LF; a column is a byte. */
struct place { uint32_t line, column; };
struct place diag_locate(const char *text, size_t size, uint32_t offset);

/* The same for many offsets of one text: in rising order all of them together cost one walk through it. */
struct locator {
    const char *text;
    size_t size;
    uint32_t start, line, seen; /* the line that was asked for last, and how far its search went; zeroed at first */
};
struct place diag_locate_next(struct locator *l, uint32_t offset);

/* And in any order: where the lines of a text begin. False without memory. */
struct line_index {
    uint32_t *start, count;
};
bool diag_index_lines(struct line_index *index, const char *text, size_t size);
uint32_t diag_line_at(const struct line_index *index, uint32_t offset);
void diag_free_lines(struct line_index *index);

/* "FILE:LINE:COL: error: TEXT", the source line, a caret span, the hint. Control characters of the source are shown
 * as dots and tabs as one space, so that the caret stands right on any terminal. */
/* A file's name, its control bytes as question marks: they are nothing for a terminal. */
void diag_put_name(FILE *out, const char *file);
/* "gp5: NAME: ", before what is about the whole file. */
void diag_put_head(FILE *out, const char *file);
void diag_print(FILE *out, bool colour, const char *file, const char *text, size_t size, const struct diag *diag);

/* All those that these targets have, in the order of the list; a note on the place before it without the line. */
void diags_print(FILE *out, bool colour, const char *file, const char *text, size_t size, const struct diags *d,
                 unsigned targets);

#endif
