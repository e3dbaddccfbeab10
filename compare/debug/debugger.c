#include "compare/debug/debugger.h"
#include "compare/debug/lines.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* ---- commands ------------------------------------------------------------------------------------------------ */

static const char help[] =
    "break LINE | LABEL     stop there (b)            watch NAME...     stop when it changes (w)\n"
    "stops                  list them                 delete [N]        forget stop N, or all\n"
    "step [N]               N instructions of this warp (s)             continue          until a stop (c)\n"
    "print[/x|f|d|u] NAME...    across lanes, by its type or as bits, float, signed, unsigned (p): R0, R0.x, a[2].xy,\n"
    "                       vertex.position, program.env[0], state.matrix.mvp.row[0], result.color, CC, CC1.x\n"
    "inputs, state, results     all that the program uses of these; with a format too\n"
    "lane[/x|f|d|u] N       all that one lane holds   lanes             the masks\n"
    "stack                  the open blocks           cc                the condition codes\n"
    "warps                  of this group             warp N            look at warp N\n"
    "shared[/x|f|d|u] ADDRESS [WORDS]                 shared memory\n"
    "list [LINE]            the program (l)           where             this place\n"
    "quit                   end (q)\n"
    "A dash marks lanes that are not active, a question mark what is undefined. Ctrl-C stops a program that runs.\n";

/* A command as it was typed. */
enum { WORDS = 16, ROOM = 512 };
struct typed {
    char text[ROOM];
    char *word[WORDS];          /* behind its name */
    int n;
    char format;
    unsigned long long number[2];       /* of the words that are numbers */
};

static void do_break(struct debugger *d, const struct typed *t) { debugger_break(d, t->word[0]); }
static void do_delete(struct debugger *d, const struct typed *t) { debugger_delete(d, t->n ? t->word[0] : ""); }
static void do_stops(struct debugger *d, const struct typed *t) { (void)t; debugger_list_stops(d); }
static void do_lanes(struct debugger *d, const struct typed *t) { (void)t; debugger_show_lanes(d); }
static void do_stack(struct debugger *d, const struct typed *t) { (void)t; debugger_show_stack(d); }
static void do_cc(struct debugger *d, const struct typed *t) { (void)t; debugger_show_flags(d); }
static void do_warps(struct debugger *d, const struct typed *t) { (void)t; debugger_show_warps(d); }
static void do_where(struct debugger *d, const struct typed *t) { (void)t; debugger_show_place(d, d->next); }
static void do_help(struct debugger *d, const struct typed *t) { (void)t; fputs(help, d->out); }
static void do_quit(struct debugger *d, const struct typed *t) { (void)t; d->quit = true; }
static void do_inputs(struct debugger *d, const struct typed *t) { debugger_show_bindings(d, false, false, t->format); }
static void do_state(struct debugger *d, const struct typed *t) { debugger_show_bindings(d, false, true, t->format); }
static void do_results(struct debugger *d, const struct typed *t) { debugger_show_bindings(d, true, false, t->format); }

static void do_continue(struct debugger *d, const struct typed *t)
{
    (void)t;
    d->stepping = false;
    d->steps = 0;
}

static void do_step(struct debugger *d, const struct typed *t)
{
    d->steps = t->n && t->number[0] ? t->number[0] : 1;
    d->stepping = true;
}

static void do_watch(struct debugger *d, const struct typed *t)
{
    for (int i = 0; i < t->n; i++)
        debugger_watch(d, t->word[i]);
}

static void do_print(struct debugger *d, const struct typed *t)
{
    for (int i = 0; i < t->n; i++)
        debugger_show_register(d, t->word[i], t->format);
}

static void do_lane(struct debugger *d, const struct typed *t)
{
    debugger_show_lane(d, t->number[0] < UINT32_MAX ? (unsigned)t->number[0] : UINT32_MAX, t->format);
}

static void do_list(struct debugger *d, const struct typed *t)
{
    uint32_t line = !t->n ? d->here : t->number[0] < UINT32_MAX - 8 ? (uint32_t)t->number[0] : UINT32_MAX - 8;
    const char *end;
    if (t->n && !debugger_line(d, line > 5 ? line - 5 : d->lines_before + 1, &end))
        fprintf(d->out, "the program has no line %s\n", t->word[0]);
    else
        debugger_show_source(d, line);
}

static void do_warp(struct debugger *d, const struct typed *t)
{
    if (t->number[0] >= d->worker->nwarps)
        fprintf(d->out, "the group has warps 0 to %" PRIu32 "\n", d->worker->nwarps - 1);
    else
        d->warp = &d->worker->warps[t->number[0]];
}

static void do_shared(struct debugger *d, const struct typed *t)
{
    unsigned long long words = t->n > 1 ? t->number[1] : 1;
    if (t->number[0] > UINT32_MAX || t->number[0] % 4 || !words || words > 4096)
        fputs("an address is a multiple of 4, and 1 to 4096 words are shown\n", d->out);
    else
        debugger_show_shared(d, (uint32_t)t->number[0], (uint32_t)words, t->format);
}

static const struct command {
    const char *name, *brief, *usage;
    void (*run)(struct debugger *d, const struct typed *t);
    int least, most, numbers;   /* words, and how many of them are numbers */
    bool format, goes_on;       /* takes /x; the program runs on */
} commands[] = {
    {"break", "b", "break LINE | LABEL", do_break, 1, 1, 0, false, false},
    {"watch", "w", "watch NAME...", do_watch, 1, WORDS, 0, false, false},
    {"delete", "", "delete [N]", do_delete, 0, 1, 1, false, false},
    {"stops", "", "stops", do_stops, 0, 0, 0, false, false},
    {"step", "s", "step [N]", do_step, 0, 1, 1, false, true},
    {"continue", "c", "continue", do_continue, 0, 0, 0, false, true},
    {"run", "r", "run", do_continue, 0, 0, 0, false, true},
    {"quit", "q", "quit", do_quit, 0, 0, 0, false, true},
    {"print", "p", "print[/x|f|d|u] NAME...", do_print, 1, WORDS, 0, true, false},
    {"inputs", "", "inputs[/x|f|d|u]", do_inputs, 0, 0, 0, true, false},
    {"state", "", "state[/x|f|d|u]", do_state, 0, 0, 0, true, false},
    {"results", "", "results[/x|f|d|u]", do_results, 0, 0, 0, true, false},
    {"lane", "", "lane[/x|f|d|u] N", do_lane, 1, 1, 1, true, false},
    {"lanes", "", "lanes", do_lanes, 0, 0, 0, false, false},
    {"stack", "", "stack", do_stack, 0, 0, 0, false, false},
    {"cc", "", "cc", do_cc, 0, 0, 0, false, false},
    {"warps", "", "warps", do_warps, 0, 0, 0, false, false},
    {"warp", "", "warp N", do_warp, 1, 1, 1, false, false},
    {"shared", "", "shared[/x|f|d|u] ADDRESS [WORDS]", do_shared, 1, 2, 2, true, false},
    {"list", "l", "list [LINE]", do_list, 0, 1, 1, false, false},
    {"where", "", "where", do_where, 0, 0, 0, false, false},
    {"help", "h", "help", do_help, 0, 0, 0, false, false},
};

static const struct command *find_command(const char *word, size_t length)
{
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
        const struct command *c = &commands[i];
        if ((strlen(c->name) == length && !memcmp(word, c->name, length)) ||
            (*c->brief && strlen(c->brief) == length && !memcmp(word, c->brief, length)))
            return c;
    }
    return NULL;
}

/* Cuts what stands behind a command's name into words. False with what is wrong. */
static bool read_words(const struct command *c, const char *rest, struct typed *t, char *wrong, size_t size)
{
    if (*rest == '/') {
        t->format = rest[1];
        if (!c->format || !rest[1] || !strchr("xfdu", rest[1]) || (rest[2] && !isspace((unsigned char)rest[2]))) {
            snprintf(wrong, size, "usage: %s", c->usage);
            return false;
        }
        rest += 2;
    }
    snprintf(t->text, sizeof t->text, "%s", rest);
    char *keep = NULL;
    for (char *word = strtok_r(t->text, " \t\r", &keep); word; word = strtok_r(NULL, " \t\r", &keep)) {
        if (t->n == c->most || t->n == WORDS) {
            snprintf(wrong, size, "'%s' is too much; usage: %s", word, c->usage);
            return false;
        }
        t->word[t->n++] = word;
    }
    if (t->n < c->least) {
        snprintf(wrong, size, "usage: %s", c->usage);
        return false;
    }
    for (int i = 0; i < t->n && i < c->numbers; i++) {
        char *end;
        errno = 0;
        t->number[i] = strtoull(t->word[i], &end, 0);
        if (errno == ERANGE) {
            snprintf(wrong, size, "'%s' is not in range: at most %llu; usage: %s", t->word[i], ULLONG_MAX, c->usage);
            return false;
        }
        if (!isdigit((unsigned char)t->word[i][0]) || *end) {
            snprintf(wrong, size, "'%s' is no number; usage: %s", t->word[i], c->usage);
            return false;
        }
    }
    return true;
}

/* True when the program goes on. */
static bool command(struct debugger *d, const char *line)
{
    struct typed t = {.n = 0};
    char wrong[ROOM + 160];
    while (isspace((unsigned char)*line))
        line++;
    size_t length = strcspn(line, " \t\r/");
    if (!*line || *line == '#')
        return false;
    const struct command *c = find_command(line, length);
    if (!c) {
        fprintf(d->out, "no such command: %.*s; help lists them\n", (int)length, line);
        return false;
    }
    if (!read_words(c, line + length, &t, wrong, sizeof wrong)) {
        fprintf(d->out, "%s\n", wrong);
        return false;
    }
    c->run(d, &t);
    return c->goes_on;
}

/* ---- the run ---------------------------------------------------------------------------------------------------- */

/* What the planes held, for who shows what changed. */
static void keep_planes(struct debugger *d)
{
    size_t size = (size_t)d->executable->nplanes * WARP_LANES * sizeof *d->before;
    if (!d->compares)
        return;
    if (!d->before)
        d->before = gp5_malloc(size);
    if (d->before)
        memcpy(d->before, d->warp->base, size);
    d->before_warp = d->warp;
}

static void ask(struct debugger *d, const struct warp *w, uint32_t insn)
{
    d->warp = w;
    d->worker = w->worker;
    d->started = true;
    d->next = insn;
    d->here = insn == NO_INDEX ? d->here : d->lines[insn];
    debugger_show_place(d, insn);
    for (;;) {
        const char *line = d->read(d->user, "(gp5) ");
        if (!line)
            d->quit = true;
        if (!line || command(d, line))
            break;
    }
    d->warp = w;
    if (d->interrupt)
        *d->interrupt = 0;      /* it has stopped already */
    keep_planes(d);
    debugger_remember(d);
}

static void before(void *user, const struct warp *w, uint32_t insn)
{
    struct debugger *d = user;
    bool stop;
    if (d->quit)
        return;
    stop = d->warp ? debugger_changed(d, w) : !d->started || d->stepping;
    if (d->stepping && w == d->warp && d->steps && --d->steps == 0)
        stop = true;
    if (debugger_at_stop(d, insn))
        stop = true;
    if (d->interrupt && *d->interrupt) {
        *d->interrupt = 0;
        fputs("interrupted\n", d->out);
        stop = true;
    }
    if (stop)
        ask(d, w, insn);
    const struct insn *i = program_insn(d->program, insn);
    for (unsigned c = 0; c < 4 && i->dst.kind == OPND_SYMBOL; c++)
        if (i->dst.mask >> c & 1)
            d->types[4 * (size_t)i->dst.ref + c] = values_type_of(i);
}

/* The warp that is looked at: what it left can still be asked for when it was stepped to its end. */
static void ended(void *user, const struct warp *w)
{
    struct debugger *d = user;
    if (d->quit || w != d->warp)
        return;
    debugger_changed(d, w);
    if (d->stepping)
        ask(d, w, NO_INDEX);
    else
        debugger_show_place(d, NO_INDEX);
    d->warp = NULL;
}

bool debugger_open(struct debugger *d, const gp5_executable *executable, size_t lines_before)
{
    d->executable = executable;
    d->program = executable->program;
    d->observer = (struct eval_observer){.user = d, .before = before, .ended = ended, .stop = &d->quit};
    d->lines_before = (uint32_t)lines_before;
    d->lines = program_lines(d->program, lines_before);
    d->watched = gp5_malloc(DEBUGGER_STOPS * sizeof *d->watched);
    d->types = gp5_malloc(4 * (size_t)d->program->symbols.count);
    if (d->types)
        memset(d->types, 0, 4 * (size_t)d->program->symbols.count);
    return d->lines && d->watched && d->types;
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
    gp5_free(d->types);
    gp5_free(d->before);
    d->lines = NULL;
    d->watched = NULL;
    d->types = NULL;
    d->before = NULL;
}
