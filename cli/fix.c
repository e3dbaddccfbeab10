/* gp5 check --fix: what hints that are safe make of a program, as a difference or in its file. */
#include "cli/fix.h"

#include "asm/check/fix.h"

#include <stdlib.h>
#include <string.h>

enum { ROUNDS = 32, CONTEXT = 3 };

/* ---- the text ---------------------------------------------------------------------------------------------------- */

static size_t errors_of(const gp5_program *program, unsigned targets)
{
    size_t n = 0;
    for (size_t i = 0; i < program->diags.count; i++)
        n += program->diags.list[i].severity == DIAG_ERROR && program->diags.list[i].targets & targets;
    return n;
}

/* What was hidden behind an error may have a fix too; a round that makes more errors than it mends is not taken. */
bool fix_program(const char *text, size_t size, unsigned targets, struct fixed *f)
{
    *f = (struct fixed){.program = gp5_parse(text, size)};
    for (int round = 0; f->program && round < ROUNDS; round++) {
        size_t fixes, room = 0;
        char *better = fix_text(f->program, targets, &room, &fixes);
        gp5_program *after = better ? gp5_parse(better, room) : NULL;
        gp5_free(better);
        if (!after)
            break;
        if (errors_of(after, targets) > errors_of(f->program, targets)) {
            gp5_program_free(after);
            break;
        }
        gp5_program_free(f->program);
        f->program = after;
        f->count += fixes;
    }
    return f->program != NULL;
}

/* ---- the difference ---------------------------------------------------------------------------------------------- */

struct lines {
    const char **at;            /* one more than there are: the end */
    size_t count;
};

static bool cut(const char *text, size_t size, struct lines *l)
{
    const char *end = text + size;
    size_t n = 0;
    for (const char *p = text; p < end; n++) {
        const char *newline = memchr(p, '\n', (size_t)(end - p));
        p = newline ? newline + 1 : end;
    }
    *l = (struct lines){malloc((n + 1) * sizeof *l->at), n};
    if (!l->at)
        return false;
    const char *p = text;
    for (size_t i = 0; i < n; i++) {
        const char *newline = memchr(p, '\n', (size_t)(end - p));
        l->at[i] = p;
        p = newline ? newline + 1 : end;
    }
    l->at[n] = end;
    return true;
}

static bool same(const struct lines *a, size_t i, const struct lines *b, size_t k)
{
    size_t n = (size_t)(a->at[i + 1] - a->at[i]);
    return n == (size_t)(b->at[k + 1] - b->at[k]) && !memcmp(a->at[i], b->at[k], n);
}

static void put(FILE *out, char mark, const struct lines *l, size_t i)
{
    size_t n = (size_t)(l->at[i + 1] - l->at[i]);
    fputc(mark, out);
    fwrite(l->at[i], 1, n, out);
    if (!n || l->at[i][n - 1] != '\n')
        fputs("\n\\ No newline at end of file\n", out);
}

/* Fixes change lines and put lines in, and take none away: how many of b stand before what a has next. */
static size_t inserted(const struct lines *a, size_t i, const struct lines *b, size_t k)
{
    for (size_t n = 0; k + n < b->count && n < 8; n++)
        if (i < a->count && same(a, i, b, k + n))
            return n;
    return i < a->count ? SIZE_MAX : b->count - k;
}

/* A line of each side that differ: a changed one, or lines that are new. */
static void step(const struct lines *a, size_t *i, const struct lines *b, size_t *k)
{
    size_t n = inserted(a, *i, b, *k);
    *i += n == SIZE_MAX;
    *k += n == SIZE_MAX ? 1 : n;
}

static void put_hunk(FILE *out, const struct lines *a, const struct lines *b, size_t *i, size_t *k)
{
    size_t before = *i < CONTEXT ? *i : CONTEXT, a_start = *i - before, b_start = *k - before, quiet = 0;
    size_t a_end = *i, b_end = *k;
    while (a_end < a->count || b_end < b->count) {
        if (a_end < a->count && b_end < b->count && same(a, a_end, b, b_end)) {
            if (++quiet > 2 * CONTEXT)
                break;
            a_end++;
            b_end++;
        } else {
            quiet = 0;
            step(a, &a_end, b, &b_end);
        }
    }
    size_t over = quiet > CONTEXT ? (quiet > 2 * CONTEXT ? CONTEXT : quiet - CONTEXT) : 0;
    a_end -= over;
    b_end -= over;
    fprintf(out, "@@ -%zu,%zu +%zu,%zu @@\n", a_start + (a_end > a_start), a_end - a_start,
            b_start + (b_end > b_start), b_end - b_start);
    for (size_t x = a_start, y = b_start; x < a_end || y < b_end;) {
        size_t x_next = x, y_next = y;
        if (x < a_end && y < b_end && same(a, x, b, y)) {
            put(out, ' ', a, x++);
            y++;
            continue;
        }
        step(a, &x_next, b, &y_next);
        for (; x < x_next; x++)
            put(out, '-', a, x);
        for (; y < y_next; y++)
            put(out, '+', b, y);
    }
    *i = a_end;
    *k = b_end;
}

bool fix_print(FILE *out, const char *path, const char *text, size_t size, const struct fixed *f)
{
    struct lines a = {NULL, 0}, b = {NULL, 0};
    bool made = cut(text, size, &a) && cut(f->program->text, f->program->size, &b);
    if (made && f->count)
        fprintf(out, "--- %s\n+++ %s\n", path, path);
    for (size_t i = 0, k = 0; made && f->count && (i < a.count || k < b.count);) {
        if (i < a.count && k < b.count && same(&a, i, &b, k)) {
            i++;
            k++;
        } else {
            put_hunk(out, &a, &b, &i, &k);
        }
    }
    free(a.at);
    free(b.at);
    return made;
}
