#include "compare/debug/debugger.h"
#include "compare/debug/lines.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- stops ------------------------------------------------------------------------------------------------- */

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

static void do_break(struct debugger *d, const char *word)
{
    char *end;
    unsigned long number = strtoul(word, &end, 10);
    uint32_t line = !*word ? 0
                    : *end ? line_of_label(d, word)
                           : line_of_instruction(d, number > UINT32_MAX ? UINT32_MAX : (uint32_t)number);
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

static void do_watch(struct debugger *d, const char *word)
{
    struct debugger_register r;
    if (!debugger_find(d, word, &r)) {
        fprintf(d->out, "no register %s is used in this program\n", word);
        return;
    }
    for (unsigned i = 0; i < r.n; i++) {
        struct debugger_stop *s = new_stop(d);
        if (!s)
            return;
        s->line = 0;
        s->plane = r.plane[i];
        s->wide = r.wide;
        remember(d, s);
        fprintf(d->out, "stop %u when ", s->number);
        debugger_put_name(d, s->plane);
        fputs(" changes\n", d->out);
    }
}

static void do_delete(struct debugger *d, const char *word)
{
    unsigned long number = strtoul(word, NULL, 10);
    bool found = !*word;
    for (unsigned i = 0; i < DEBUGGER_STOPS; i++)
        if (d->stops[i].number && (!*word || d->stops[i].number == number)) {
            d->stops[i].number = 0;
            found = true;
        }
    if (!found)
        fprintf(d->out, "there is no stop %s\n", word);
}

static void do_stops(struct debugger *d)
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
            debugger_put_name(d, s->plane);
            fputs(" changes\n", d->out);
        }
    }
    if (!any)
        fputs("no stops\n", d->out);
}

/* ---- commands ------------------------------------------------------------------------------------------------ */

static const char help[] =
    "break LINE | LABEL     stop there (b)            watch REGISTER    stop when it changes (w)\n"
    "stops                  list them                 delete [N]        forget stop N, or all\n"
    "step [N]               N instructions of this warp (s)             continue          until a stop (c)\n"
    "print[/x|f|d|u] REGISTER   a register across lanes, as bits, float, signed or unsigned (p): R0, R0.x, a[2].xy\n"
    "lane[/x|f|d|u] N       all that one lane holds   lanes             the masks\n"
    "stack                  the open blocks           cc                the condition codes\n"
    "warps                  of this group             warp N            look at warp N\n"
    "shared[/x|f|d|u] ADDRESS [WORDS]                 shared memory\n"
    "list [LINE]            the program (l)           where             this place\n"
    "quit                   end (q)\n"
    "A dash marks lanes that are not active, a question mark what is undefined.\n";

static void do_warp(struct debugger *d, const char *word)
{
    unsigned long n = strtoul(word, NULL, 10);
    if (!*word || n >= d->worker->nwarps)
        fprintf(d->out, "the group has warps 0 to %" PRIu32 "\n", d->worker->nwarps - 1);
    else
        d->warp = &d->worker->warps[n];
}

static void do_shared(struct debugger *d, const char *words, char format)
{
    char *rest;
    unsigned long address = strtoul(words, &rest, 0), count = strtoul(rest, NULL, 0);
    debugger_show_shared(d, (uint32_t)address & ~3u, count && count < 4096 ? (uint32_t)count : 1, format);
}

static bool is_command(const char *word, size_t length, const char *name, const char *brief)
{
    return (length == strlen(name) && !memcmp(word, name, length)) ||
           (length == strlen(brief) && length && !memcmp(word, brief, length));
}

/* True when the program goes on. */
static bool command(struct debugger *d, const char *line, uint32_t insn)
{
    size_t length;
    char format = 0, words[256];
    const char *rest;
    while (isspace((unsigned char)*line))
        line++;
    length = strcspn(line, " \t\r/");
    rest = line + length;
    if (*rest == '/' && rest[1] && strchr("xfdu", rest[1])) {
        format = rest[1];
        rest += 2;
    }
    while (isspace((unsigned char)*rest))
        rest++;
    snprintf(words, sizeof words, "%s", rest);
    for (size_t n = strlen(words); n && isspace((unsigned char)words[n - 1]); n--)
        words[n - 1] = 0;
    if (!length || *line == '#')
        return false;
    if (is_command(line, length, "step", "s")) {
        d->steps = strtoull(words, NULL, 10);
        d->steps = d->steps ? d->steps : 1;
        d->stepping = true;
        return true;
    }
    if (is_command(line, length, "continue", "c") || is_command(line, length, "run", "r")) {
        d->stepping = false;
        return true;
    }
    if (is_command(line, length, "quit", "q")) {
        d->quit = true;
        return true;
    }
    if (is_command(line, length, "break", "b"))
        do_break(d, words);
    else if (is_command(line, length, "watch", "w"))
        do_watch(d, words);
    else if (is_command(line, length, "delete", ""))
        do_delete(d, words);
    else if (is_command(line, length, "stops", ""))
        do_stops(d);
    else if (is_command(line, length, "print", "p"))
        debugger_show_register(d, words, format);
    else if (is_command(line, length, "lane", ""))
        debugger_show_lane(d, (unsigned)strtoul(words, NULL, 10), format);
    else if (is_command(line, length, "lanes", ""))
        debugger_show_lanes(d);
    else if (is_command(line, length, "stack", ""))
        debugger_show_stack(d);
    else if (is_command(line, length, "cc", ""))
        debugger_show_flags(d);
    else if (is_command(line, length, "warps", ""))
        debugger_show_warps(d);
    else if (is_command(line, length, "warp", ""))
        do_warp(d, words);
    else if (is_command(line, length, "shared", ""))
        do_shared(d, words, format);
    else if (is_command(line, length, "list", "l"))
        debugger_show_source(d, *words ? (uint32_t)strtoul(words, NULL, 10) : d->lines[insn]);
    else if (is_command(line, length, "where", ""))
        debugger_show_place(d, insn);
    else if (is_command(line, length, "help", "h"))
        fputs(help, d->out);
    else
        fprintf(d->out, "no such command: %.*s; help lists them\n", (int)length, line);
    return false;
}

/* ---- the run ---------------------------------------------------------------------------------------------------- */

static bool at_breakpoint(struct debugger *d, uint32_t insn)
{
    bool first = !insn || d->lines[insn - 1] != d->lines[insn];
    for (unsigned i = 0; i < DEBUGGER_STOPS; i++)
        if (d->stops[i].number && d->stops[i].line == d->lines[insn] && first)
            return fprintf(d->out, "stop %u\n", d->stops[i].number) > 0;
    return false;
}

/* The registers that changed since the warp that is watched was last looked at. */
static bool changed(struct debugger *d, const struct warp *w)
{
    bool any = false;
    for (unsigned i = 0; i < DEBUGGER_STOPS; i++) {
        const struct debugger_stop *s = &d->stops[i];
        if (!s->number || s->line || w != d->warp)
            continue;
        if (memcmp(d->watched[i], PLANE(w->base, s->plane), (s->wide ? 2 : 1) * WARP_LANES * sizeof(uint32_t))) {
            fprintf(d->out, "stop %u: ", s->number);
            debugger_put_name(d, s->plane);
            fputs(" has changed\n", d->out);
            remember(d, s);
            any = true;
        }
    }
    return any;
}

static void ask(struct debugger *d, const struct warp *w, uint32_t insn)
{
    d->warp = w;
    d->worker = w->worker;
    d->started = true;
    d->here = d->lines[insn];
    debugger_show_place(d, insn);
    for (;;) {
        const char *line = d->read(d->user, "(gp5) ");
        if (!line)
            d->quit = true;
        if (!line || command(d, line, insn))
            break;
    }
    d->warp = w;
    for (unsigned i = 0; i < DEBUGGER_STOPS; i++)
        if (d->stops[i].number && !d->stops[i].line)
            remember(d, &d->stops[i]);
}

static void before(void *user, const struct warp *w, uint32_t insn)
{
    struct debugger *d = user;
    bool stop;
    if (d->quit)
        return;
    stop = d->warp ? changed(d, w) : !d->started || d->stepping;
    if (d->stepping && w == d->warp && d->steps && --d->steps == 0)
        stop = true;
    if (at_breakpoint(d, insn))
        stop = true;
    if (stop)
        ask(d, w, insn);
}

bool debugger_open(struct debugger *d, const gp5_executable *executable, size_t lines_before)
{
    d->executable = executable;
    d->program = executable->program;
    d->observer = (struct eval_observer){.user = d, .before = before, .stop = &d->quit};
    d->lines_before = (uint32_t)lines_before;
    d->lines = program_lines(d->program, lines_before);
    d->watched = gp5_malloc(DEBUGGER_STOPS * sizeof *d->watched);
    return d->lines && d->watched;
}

void debugger_run(struct debugger *d, uint64_t n, uint32_t line)
{
    fprintf(d->out, "run %" PRIu64 ", of line %" PRIu32 "\n", n, line);
    d->warp = NULL;             /* those of the run before are gone */
    d->worker = NULL;
}

void debugger_close(struct debugger *d)
{
    gp5_free(d->lines);
    gp5_free(d->watched);
    d->lines = NULL;
    d->watched = NULL;
}
