/* Diagnostics: collecting, locating and printing them (asm/diag.h). */
#include "asm/diag.h"

#include "asm/arena.h"

#include <string.h>

enum { DEFAULT_LIMIT = 20, TARGETS = 3 };

/* The position of the closing note, which is about no place: behind all others. */
#define NOWHERE UINT32_MAX

void diags_init(struct diags *d)
{
    *d = (struct diags){.limit = DEFAULT_LIMIT};
}

void diags_free(struct diags *d)
{
    for (size_t i = 0; i < d->count; i++) {
        gp5_free(d->list[i].message);
        gp5_free(d->list[i].hint);
        gp5_free(d->list[i].fix);
    }
    gp5_free(d->list);
    diags_init(d);
}

/* ---- collecting ---------------------------------------------------------------------------------------------- */

/* A message may quote the program; bytes that a terminal or JSON could not bear become dots. */
static void make_printable(char *s)
{
    for (; *s; s++)
        if ((unsigned char)*s < 0x20 || (unsigned char)*s >= 0x7f)
            *s = '.';
}

static char *DIAG_PRINTF(1, 0) format_text(const char *format, va_list args)
{
    va_list again;
    va_copy(again, args);
    int length = vsnprintf(NULL, 0, format, again);
    va_end(again);
    if (length < 0)
        return NULL;
    char *s = gp5_malloc((size_t)length + 1);
    if (!s)
        return NULL;
    vsnprintf(s, (size_t)length + 1, format, args);
    make_printable(s);
    return s;
}

/* The limit holds for each target and severity alone: the errors of one reading must not hide those of another. */
static bool is_full(const struct diags *d, enum severity severity, unsigned targets)
{
    if (d->count < d->limit)
        return false;
    for (int t = 0; t < TARGETS; t++) {
        unsigned bit = 1u << t;
        if (!(targets & bit))
            continue;
        size_t same = 0;
        for (size_t i = 0; i < d->count; i++)
            same += d->list[i].severity == severity && (d->list[i].targets & bit);
        if (same < d->limit)
            return false;
    }
    return true;
}

static struct diag *append(struct diags *d, struct diag entry)
{
    if (d->count == d->capacity) {
        size_t capacity = d->capacity ? d->capacity * 2 : 8;
        struct diag *list = capacity <= SIZE_MAX / sizeof *list ? gp5_realloc(d->list, capacity * sizeof *list) : NULL;
        if (!list)
            return NULL;
        d->list = list;
        d->capacity = capacity;
    }
    d->list[d->count] = entry;
    return &d->list[d->count++];
}

static struct diag *DIAG_PRINTF(5, 0) add_formatted(struct diags *d, enum severity severity, unsigned targets,
                                                    struct span span, const char *format, va_list args)
{
    char *message = format_text(format, args);
    struct diag *diag = NULL;
    if (message)
        diag = append(d, (struct diag){severity, targets, span, span.offset, message, NULL, {0, 0}, NULL});
    if (!diag) {
        gp5_free(message);
        d->failed = true;
    }
    return diag;
}

static struct diag *DIAG_PRINTF(5, 6) add(struct diags *d, enum severity severity, unsigned targets,
                                          struct span span, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    struct diag *diag = add_formatted(d, severity, targets, span, format, args);
    va_end(args);
    return diag;
}

/* One note says that there is more, for each target that has more. */
static void drop(struct diags *d, unsigned targets, struct span span)
{
    if (d->dropped++ == 0) {
        struct diag *note = add(d, DIAG_NOTE, targets, span, "there is more that is not shown");
        if (note)
            note->position = NOWHERE;
        return;
    }
    for (size_t i = d->count; i-- > 0;)
        if (d->list[i].severity == DIAG_NOTE && d->list[i].position == NOWHERE) {
            d->list[i].targets |= targets;
            return;
        }
}

struct diag *diag_add(struct diags *d, enum severity severity, unsigned targets, struct span span,
                      const char *format, ...)
{
    d->errors += severity == DIAG_ERROR;
    if (is_full(d, severity, targets)) {
        drop(d, targets, span);
        return NULL;
    }
    va_list args;
    va_start(args, format);
    struct diag *diag = add_formatted(d, severity, targets, span, format, args);
    va_end(args);
    return diag;
}

void diag_hint(struct diag *diag, const char *format, ...)
{
    if (!diag)
        return;
    va_list args;
    va_start(args, format);
    char *hint = format_text(format, args);
    va_end(args);
    gp5_free(diag->hint);
    diag->hint = hint;      /* a hint that found no memory is missed by nobody */
}

void diag_fix(struct diag *diag, struct span fixed, const char *text)
{
    if (!diag)
        return;
    size_t size = strlen(text) + 1;
    gp5_free(diag->fix);
    diag->fix = gp5_malloc(size);
    if (diag->fix)
        memcpy(diag->fix, text, size);
    diag->fixed = fixed;
}

/* Merges list[from..middle) and list[middle..to), each sorted, through `copy`. */
static void merge(struct diag *list, struct diag *copy, size_t from, size_t middle, size_t to)
{
    size_t left = from, right = middle;
    for (size_t i = from; i < to; i++) {
        bool take_left = left < middle && (right == to || list[left].position <= list[right].position);
        copy[i] = take_left ? list[left++] : list[right++];
    }
    memcpy(list + from, copy + from, (to - from) * sizeof *list);
}

void diags_sort(struct diags *d)
{
    struct diag *copy = d->count > 1 ? gp5_malloc(d->count * sizeof *copy) : NULL;
    if (!copy) {
        d->failed |= d->count > 1;
        return;
    }
    for (size_t run = 1; run < d->count; run *= 2)
        for (size_t from = 0; from + run < d->count; from += 2 * run) {
            size_t to = d->count - from < 2 * run ? d->count : from + 2 * run;
            merge(d->list, copy, from, from + run, to);
        }
    gp5_free(copy);
}

int64_t diags_position(const struct diags *d, unsigned targets)
{
    int64_t first = -1;
    for (size_t i = 0; i < d->count; i++) {
        const struct diag *diag = &d->list[i];
        if (diag->severity == DIAG_ERROR && (diag->targets & targets) && (first < 0 || diag->position < first))
            first = diag->position;
    }
    return first;
}

/* ---- locating -------------------------------------------------------------------------------------------------- */

/* Where the line that holds `from` ends: at its LF or CR, or at the end of the text. */
static size_t line_end(const char *text, size_t size, size_t from)
{
    const char *lf = memchr(text + from, '\n', size - from);
    size_t end = lf ? (size_t)(lf - text) : size;
    const char *cr = memchr(text + from, '\r', end - from);
    return cr ? (size_t)(cr - text) : end;
}

struct place diag_locate_next(struct locator *l, uint32_t offset)
{
    if (offset > l->size)
        offset = (uint32_t)l->size;
    if (l->line == 0 || offset < l->start) {
        l->line = 1;
        l->start = l->seen = 0;
    }
    for (size_t i = l->seen; i < offset; i++) {
        char c = l->text[i];
        if (c == '\n' || (c == '\r' && !(i + 1 < l->size && l->text[i + 1] == '\n'))) {
            l->line++;
            l->start = (uint32_t)(i + 1);
        }
    }
    if (offset > l->seen)
        l->seen = offset;
    return (struct place){l->line, offset - l->start + 1};
}

struct place diag_locate(const char *text, size_t size, uint32_t offset)
{
    struct locator l = {.text = text, .size = size};
    return diag_locate_next(&l, offset);
}

/* ---- printing -------------------------------------------------------------------------------------------------- */

enum { LINE_WIDTH = 100, BEFORE_CARET = 40 };   /* of a longer line only a window around the caret is shown */

struct style {
    const char *word, *colour;
};

static const struct style severity_style[] = {
    [DIAG_ERROR] = {"error", "\033[1;31m"},
    [DIAG_WARNING] = {"warning", "\033[1;35m"},
    [DIAG_NOTE] = {"note", "\033[1;36m"},
};

static char shown(char c)
{
    if (c == '\t')
        return ' ';
    return (unsigned char)c < 0x20 || (unsigned char)c >= 0x7f ? '.' : c;
}

void diag_put_name(FILE *out, const char *file)
{
    for (; *file; file++)
        putc((unsigned char)*file < 0x20 || *file == 0x7f ? '?' : *file, out);
}

void diag_put_head(FILE *out, const char *file)
{
    fputs("gp5: ", out);
    diag_put_name(out, file);
    fputs(": ", out);
}

static void put_repeated(FILE *out, char c, size_t count)
{
    while (count-- > 0)
        putc(c, out);
}

/* The source line and the caret under it; `column` and `length` in bytes of that line. */
static void put_source(FILE *out, bool colour, const char *line, size_t line_length, size_t column, size_t length)
{
    size_t from = 0, to = line_length;
    if (column > line_length)
        column = line_length;
    if (line_length > LINE_WIDTH) {
        from = column > BEFORE_CARET ? column - BEFORE_CARET : 0;
        if (from > line_length - LINE_WIDTH)
            from = line_length - LINE_WIDTH;
        to = from + LINE_WIDTH;
    }
    if (length > to - column)
        length = to - column;
    fputs(from > 0 ? "  ..." : "  ", out);
    for (size_t i = from; i < to; i++)
        putc(shown(line[i]), out);
    fputs(to < line_length ? "...\n" : "\n", out);

    put_repeated(out, ' ', 2 + (from > 0 ? 3 : 0) + (column - from));
    fputs(colour ? "\033[1;32m^" : "^", out);
    put_repeated(out, '~', length > 1 ? length - 1 : 0);
    fputs(colour ? "\033[0m\n" : "\n", out);
}

/* `before`: what was printed just before, or NULL; a note on the same place has its line above it already. */
static void print_at(FILE *out, bool colour, const char *file, struct locator *l, const struct diag *diag,
                     const struct diag *before)
{
    const struct style *style = &severity_style[diag->severity];
    bool nowhere = diag->position == NOWHERE;
    struct place place = nowhere ? (struct place){0, 0} : diag_locate_next(l, diag->span.offset);
    fputs(colour ? "\033[1m" : "", out);
    diag_put_name(out, file);
    if (!nowhere)
        fprintf(out, ":%u:%u", (unsigned)place.line, (unsigned)place.column);
    fprintf(out, ": %s%s:%s %s\n", colour ? style->colour : "", style->word, colour ? "\033[0m" : "", diag->message);
    if (nowhere)
        return;

    if (!before || diag->severity != DIAG_NOTE || before->span.offset != diag->span.offset ||
        before->span.length != diag->span.length) {
        size_t end = line_end(l->text, l->size, l->start);
        put_source(out, colour, l->text + l->start, end - l->start, place.column - 1, diag->span.length);
    }
    if (diag->hint)
        fprintf(out, "  hint: %s\n", diag->hint);
}

void diag_print(FILE *out, bool colour, const char *file, const char *text, size_t size, const struct diag *diag)
{
    struct locator l = {.text = text ? text : "", .size = size};
    print_at(out, colour, file, &l, diag, NULL);
}

void diags_print(FILE *out, bool colour, const char *file, const char *text, size_t size, const struct diags *d,
                 unsigned targets)
{
    struct locator l = {.text = text ? text : "", .size = size};
    const struct diag *before = NULL;
    for (size_t i = 0; i < d->count; i++)
        if (d->list[i].targets & targets) {
            print_at(out, colour, file, &l, &d->list[i], before);
            before = &d->list[i];
        }
}
