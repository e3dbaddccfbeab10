/* Where a debugger stops: lines, labels, changes. */
#include "compare/debug/debugger.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static struct debugger_stop *new_stop(struct debugger *d)
{
    for (unsigned i = 0; i < DEBUGGER_STOPS; i++)
        if (!d->stops[i].number) {
            d->stops[i].number = ++d->last_stop;
            return &d->stops[i];
        }
    fprintf(d->out, "there are %d stops already\n", DEBUGGER_STOPS);
    return NULL;
}

/* The line of the first instruction at or behind that line; 0 when there is none. */
static uint32_t line_of_instruction(const struct debugger *d, uint32_t line)
{
    uint32_t best = 0;
    for (uint32_t i = 0; i < d->program->insns.count; i++)
        if (d->lines[i] >= line && (!best || d->lines[i] < best))
            best = d->lines[i];
    return best;
}

static uint32_t line_of_label(const struct debugger *d, const char *name)
{
    for (uint32_t i = 0; i < d->program->symbols.count; i++) {
        const struct symbol *s = program_symbol(d->program, i);
        if (s->kind == SYM_LABEL && !strcmp(s->name, name) && s->instruction < d->program->insns.count)
            return d->lines[s->instruction];
    }
    return 0;
}

/* How many lines there are, those before the program too. */
static uint32_t last_line(const struct debugger *d)
{
    const char *at = d->program->text, *last = at + d->program->size;
    uint32_t line = d->lines_before;
    while (at && at < last) {
        const char *newline = memchr(at, '\n', (size_t)(last - at));
        at = newline ? newline + 1 : NULL;
        line++;
    }
    return line;
}

void debugger_break(struct debugger *d, const char *word)
{
    uint32_t line, last = last_line(d);
    if (*word && word[strspn(word, "0123456789")] == 0) {
        unsigned long number = strtoul(word, NULL, 10);
        if (number <= d->lines_before || number > last) {
            fprintf(d->out, "there is no line %s: the program has %" PRIu32 " to %" PRIu32 "\n", word,
                    d->lines_before + 1, last);
            return;
        }
        line = line_of_instruction(d, (uint32_t)number);
    } else {
        line = line_of_label(d, word);
    }
    struct debugger_stop *s;
    if (!line) {
        fprintf(d->out, "no instruction stands at '%s'\n", word);
        return;
    }
    s = new_stop(d);
    if (!s)
        return;
    s->line = line;
    fprintf(d->out, "stop %u at line %" PRIu32 "\n", s->number, line);
}

static void remember(struct debugger *d, const struct debugger_stop *s)
{
    memcpy(d->watched[s - d->stops], PLANE(d->warp->base, s->plane), (s->wide ? 2 : 1) * WARP_LANES * sizeof(uint32_t));
}

void debugger_watch(struct debugger *d, const char *word)
{
    struct debugger_register r;
    if (!values_find(d->executable, word, &r)) {
        fprintf(d->out, "the program uses no %s\n", word);
        return;
    }
    for (unsigned i = 0; i < r.n; i++) {
        struct debugger_stop *s = new_stop(d);
        if (!s)
            return;
        s->line = 0;
        s->plane = r.plane[i];
        s->wide = r.wide;
        values_component_name(&r, i, s->name);
        remember(d, s);
        fprintf(d->out, "stop %u when ", s->number);
        fputs(s->name, d->out);
        fputs(" changes\n", d->out);
    }
}

void debugger_delete(struct debugger *d, const char *word)
{
    char *end;
    unsigned long number = strtoul(word, &end, 10);
    bool found = !*word;
    for (unsigned i = 0; i < DEBUGGER_STOPS; i++)
        if (d->stops[i].number && (!*word || (!*end && d->stops[i].number == number))) {
            d->stops[i].number = 0;
            found = true;
        }
    if (!found)
        fprintf(d->out, "there is no stop %s\n", word);
}

void debugger_list_stops(struct debugger *d)
{
    bool any = false;
    for (unsigned i = 0; i < DEBUGGER_STOPS; i++) {
        const struct debugger_stop *s = &d->stops[i];
        if (!s->number)
            continue;
        any = true;
        fprintf(d->out, "%u  ", s->number);
        if (s->line) {
            fprintf(d->out, "line %" PRIu32 "\n", s->line);
        } else {
            fputs(s->name, d->out);
            fputs(" changes\n", d->out);
        }
    }
    if (!any)
        fputs("no stops\n", d->out);
}

bool debugger_at_stop(struct debugger *d, uint32_t insn)
{
    bool first = !insn || d->lines[insn - 1] != d->lines[insn];
    for (unsigned i = 0; i < DEBUGGER_STOPS; i++)
        if (d->stops[i].number && d->stops[i].line == d->lines[insn] && first)
            return fprintf(d->out, "stop %u\n", d->stops[i].number) > 0;
    return false;
}

/* The registers that changed since the warp that is watched was last looked at. */
bool debugger_changed(struct debugger *d, const struct warp *w)
{
    bool any = false;
    for (unsigned i = 0; i < DEBUGGER_STOPS; i++) {
        const struct debugger_stop *s = &d->stops[i];
        if (!s->number || s->line || w != d->warp)
            continue;
        if (memcmp(d->watched[i], PLANE(w->base, s->plane), (s->wide ? 2 : 1) * WARP_LANES * sizeof(uint32_t))) {
            fprintf(d->out, "stop %u: ", s->number);
            fputs(s->name, d->out);
            fputs(" has changed\n", d->out);
            remember(d, s);
            any = true;
        }
    }
    return any;
}

void debugger_remember(struct debugger *d)
{
    for (unsigned i = 0; i < DEBUGGER_STOPS; i++)
        if (d->stops[i].number && !d->stops[i].line)
            remember(d, &d->stops[i]);
}
