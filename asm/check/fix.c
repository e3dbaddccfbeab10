/* Hints that are safe to follow, as changes of the text: an option that is missing, a word that can only have been
 * meant, a comment of another language, a semicolon at the end of a line. */
#include "asm/check/fix.h"

#include "asm/check/check_internal.h"

#include <string.h>

/* Behind the last option, or the header. */
static uint32_t place_of_options(const struct gp5_program *program)
{
    uint32_t at = program->header + (uint32_t)strlen(profile_table[program->headed].header);
    for (uint32_t i = 0; i < program->others.count; i++) {
        const struct statement *s = program_other(program, i);
        if (s->kind == STMT_OPTION && span_end(s->span) >= at)
            at = span_end(s->span);
    }
    uint32_t next = program_next_token(program, at);
    return next < program->size && program->text[next] == ';' ? next + 1 : at;
}

void fix_option(const struct gp5_program *program, struct diag *diag, const char *option)
{
    char text[96];
    diag_hint(diag, "add OPTION %s;", option);
    snprintf(text, sizeof text, "\nOPTION %s;", option);
    diag_fix(diag, (struct span){place_of_options(program), 0}, text);
}

/* A binding's words with brackets in them are a form and no text. */
void fix_word(struct diag *diag, struct span word, const char *meant, bool only)
{
    if (!meant)
        return;
    diag_hint(diag, "did you mean %s?", meant);
    if (only && !strpbrk(meant, "[]"))
        diag_fix(diag, word, meant);
}

void fix_comment(const struct gp5_program *program, struct diag *diag, uint32_t offset, char next)
{
    const char *text = program->text, *end = text + program->size, *at = text + offset;
    diag_hint(diag, "a comment begins with # and ends with the line");
    if (next == '/') {
        diag_fix(diag, (struct span){offset, 2}, "#");
        return;
    }
    /* One that ends with its line. */
    const char *line = memchr(at, '\n', (size_t)(end - at));
    line = line ? line : end;
    const char *last = line;
    while (last > at && strchr(" \t\r", last[-1]))
        last--;
    if (last - at >= 4 && last[-2] == '*' && last[-1] == '/')
        diag_fix(diag, (struct span){offset, 2}, "#");
}

void fix_end(struct diag *diag, uint32_t end)
{
    diag_hint(diag, "the line before it lacks its ;");
    diag_fix(diag, (struct span){end, 0}, ";");
}

/* ---- following them ---------------------------------------------------------------------------------------------- */

struct fixes {
    const struct diag **list;
    size_t count;
};

/* By place; the same twice, as an option that two statements lack, once. */
static void insert(struct fixes *f, const struct diag *d)
{
    size_t at = f->count;
    for (size_t i = 0; i < f->count; i++) {
        const struct diag *o = f->list[i];
        bool same = o->fixed.offset == d->fixed.offset && o->fixed.length == d->fixed.length;
        if (same && (o->fixed.length || !strcmp(o->fix, d->fix)))
            return;
        if (!same && o->fixed.offset < span_end(d->fixed) && d->fixed.offset < span_end(o->fixed))
            return;
    }
    while (at > 0 && f->list[at - 1]->fixed.offset > d->fixed.offset) {
        f->list[at] = f->list[at - 1];
        at--;
    }
    f->list[at] = d;
    f->count++;
}

static char *rewrite(const struct gp5_program *program, const struct fixes *f, size_t *size)
{
    size_t room = program->size + 1, from = 0;
    for (size_t i = 0; i < f->count; i++)
        room += strlen(f->list[i]->fix);
    char *text = gp5_malloc(room), *to = text;
    if (!text)
        return NULL;
    for (size_t i = 0; i < f->count; i++) {
        const struct diag *d = f->list[i];
        size_t length = strlen(d->fix);
        memcpy(to, program->text + from, d->fixed.offset - from);
        to += d->fixed.offset - from;
        memcpy(to, d->fix, length);
        to += length;
        from = span_end(d->fixed);
    }
    memcpy(to, program->text + from, program->size - from);
    to += program->size - from;
    *to = 0;
    *size = (size_t)(to - text);
    return text;
}

char *fix_text(const struct gp5_program *program, unsigned targets, size_t *size, size_t *count)
{
    struct fixes f = {gp5_malloc((program->diags.count + 1) * sizeof *f.list), 0};
    char *text = NULL;
    for (size_t i = 0; f.list && i < program->diags.count; i++) {
        const struct diag *d = &program->diags.list[i];
        if (d->severity == DIAG_ERROR && d->targets & targets && d->fix && span_end(d->fixed) <= program->size)
            insert(&f, d);
    }
    *count = f.count;
    if (f.count)
        text = rewrite(program, &f, size);
    gp5_free(f.list);
    return text;
}
