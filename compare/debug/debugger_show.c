/* What the debugger shows. */
#include "compare/debug/debugger.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const char components[] = "xyzw";

/* ---- values --------------------------------------------------------------------------------------------------- */

void debugger_value(char *text, size_t size, uint64_t bits, bool wide, char type, char format)
{
    char number[40];
    float single;
    double real;
    uint32_t word = (uint32_t)bits;
    memcpy(&single, &word, sizeof single);
    memcpy(&real, &bits, sizeof real);
    switch (format ? format : type == 'S' ? 'd' : type == 'U' ? 'u' : 'f') {
    case 'd': snprintf(number, sizeof number, "%" PRId64, wide ? (int64_t)bits : (int64_t)(int32_t)word); break;
    case 'u': snprintf(number, sizeof number, "%" PRIu64, bits); break;
    case 'x': snprintf(number, sizeof number, wide ? "0x%016" PRIx64 : "0x%08" PRIx64, bits); break;
    default: snprintf(number, sizeof number, wide ? "%.17g" : "%.9g", wide ? real : (double)single); break;
    }
    if (format)
        snprintf(text, size, "%s", number);
    else
        snprintf(text, size, wide ? "0x%016" PRIx64 " %s" : "0x%08" PRIx64 " %s", bits, number);
}

static void put_value(FILE *out, uint64_t bits, bool wide, char type, char format)
{
    char text[64];
    debugger_value(text, sizeof text, bits, wide, type, format);
    fputs(text, out);
}

char debugger_type(const struct debugger *d, const struct debugger_register *r, unsigned i)
{
    unsigned c = r->component[i] & 3;
    char last = r->symbol == NO_INDEX ? 'F' : d->types[4 * (size_t)r->symbol + c];
    return r->type ? r->type : last ? last : values_declared(d->program, r->symbol, c);
}

uint64_t debugger_value_of(const struct warp *w, uint32_t plane, bool wide, unsigned lane)
{
    uint64_t low = PLANE(w->base, plane)[lane];
    return wide ? low | (uint64_t)PLANE(w->base, plane + 1)[lane] << 32 : low;
}

bool debugger_is_open(const struct warp *w, uint32_t plane, unsigned lane)
{
    return w->shadow && PLANE(w->shadow, plane)[lane];
}

/* Lanes that hold the same as the ones before them. */
static unsigned run_of(const struct warp *w, uint32_t plane, bool wide, unsigned lane)
{
    unsigned last = lane;
    while (last + 1 < WARP_LANES && (w->exist >> (last + 1) & 1) &&
           (w->active >> (last + 1) & 1) == (w->active >> lane & 1) &&
           debugger_value_of(w, plane, wide, last + 1) == debugger_value_of(w, plane, wide, lane) &&
           debugger_is_open(w, plane, last + 1) == debugger_is_open(w, plane, lane))
        last++;
    return last;
}

/* A dash stands before lanes that are not active, a question mark behind what is undefined. */
static void show_component(struct debugger *d, const struct debugger_register *r, unsigned i, char format)
{
    uint32_t plane = r->plane[i];
    bool wide = r->wide;
    char type = debugger_type(d, r, i), name[NAME_ROOM + 2];
    const struct warp *w = d->warp;
    unsigned width = (wide     ? 20
                      : format ? 12
                               : 22) +
                     (wide && !format ? 22 : 0),
             column = 0,
             columns = width > 24   ? 1
                       : width > 12 ? 3
                                    : 4;
    values_component_name(r, i, name);
    fprintf(d->out, "%s\n", name);
    for (unsigned lane = 0; lane < WARP_LANES && w->exist >> lane & 1;) {
        unsigned last = run_of(w, plane, wide, lane);
        char text[64], lanes[8];
        bool open = debugger_is_open(w, plane, lane), end = last + 1 == WARP_LANES || !(w->exist >> (last + 1) & 1);
        debugger_value(text, sizeof text, debugger_value_of(w, plane, wide, lane), wide, type, format);
        snprintf(lanes, sizeof lanes, last > lane ? "%u-%u" : "%u", lane, last);
        column = (column + 1) % columns;
        fprintf(d->out, "  %c%-5s %*s%s", w->active >> lane & 1 ? ' ' : '-', lanes, format ? (int)width : -(int)width,
                text,
                open             ? " ?"
                : end || !column ? ""
                                 : "  ");
        fputs(end || !column ? "\n" : "", d->out);
        lane = last + 1;
    }
}

/* CC, CC0.x, CC1 */
static bool show_condition(struct debugger *d, const char *name)
{
    const struct warp *w = d->warp;
    unsigned code = name[2] == '1';
    const char *rest = name[2] == '0' || name[2] == '1' ? name + 3 : name + 2;
    if (strncmp(name, "CC", 2) ||
        (*rest && (*rest != '.' || !rest[1] || strspn(rest + 1, components) != strlen(rest + 1))))
        return false;
    for (unsigned c = 0; c < 4; c++)
        if (!*rest || strchr(rest + 1, components[c]))
            fprintf(d->out,
                    "CC%u.%c  sign %08" PRIx32 "  zero %08" PRIx32 "  carry %08" PRIx32 "  overflow %08" PRIx32 "\n",
                    code, components[c], w->cc[code].s[c], w->cc[code].z[c], w->cc[code].c[c], w->cc[code].o[c]);
    return true;
}

void debugger_show_register(struct debugger *d, const char *name, char format)
{
    struct debugger_register r;
    if (show_condition(d, name))
        return;
    struct span constant;
    if (!values_find(d->executable, name, &r)) {
        if (values_constant(d->executable, name, &constant))
            fprintf(d->out, "%s = %.*s\n", name, (int)constant.length, d->program->text + constant.offset);
        else
            fprintf(d->out, "the program uses no %s\n", name);
        return;
    }
    for (unsigned i = 0; i < r.n; i++)
        show_component(d, &r, i, format);
}

static bool is_uniform(const struct warp *w, const struct debugger_register *r)
{
    for (unsigned i = 0; i < r->n; i++)
        for (unsigned lane = 0; lane < WARP_LANES && w->exist >> lane & 1; lane++)
            if (debugger_value_of(w, r->plane[i], r->wide, lane) != debugger_value_of(w, r->plane[i], r->wide, 0) ||
                debugger_is_open(w, r->plane[i], lane) != debugger_is_open(w, r->plane[i], 0))
                return false;
    return true;
}

/* What is the same in all lanes has one line. */
void debugger_show_bindings(struct debugger *d, bool results, bool state, char format)
{
    struct debugger_register r;
    size_t n = 0;
    for (; values_binding(d->executable, n, results, state, &r); n++) {
        if (!is_uniform(d->warp, &r)) {
            for (unsigned i = 0; i < r.n; i++)
                show_component(d, &r, i, format);
            continue;
        }
        fprintf(d->out, "%s, all lanes:", r.name);
        for (unsigned i = 0; i < r.n; i++) {
            fprintf(d->out, "%s %c ", i ? "," : "", components[r.component[i] & 3]);
            char type = debugger_type(d, &r, i);
            put_value(d->out, debugger_value_of(d->warp, r.plane[i], r.wide, 0), r.wide, type,
                      format ? format : type == 'S' ? 'd' : type == 'U' ? 'u' : 'f');
            fputs(debugger_is_open(d->warp, r.plane[i], 0) ? " ?" : "", d->out);
        }
        fputc('\n', d->out);
    }
    if (!n)
        fprintf(d->out, "the program uses no %s\n", results ? "results" : state ? "state or parameters" : "inputs");
}

void debugger_show_lane(struct debugger *d, unsigned lane, char format)
{
    const struct gp5_executable *x = d->executable;
    const struct warp *w = d->warp;
    if (lane >= WARP_LANES || !(w->exist >> lane & 1)) {
        fprintf(d->out, "this warp has no lane %u\n", lane);
        return;
    }
    fprintf(d->out, "lane %u of warp %" PRIu32 ": %s\n", lane, w->index,
            w->active >> lane & 1 ? "active" : w->live >> lane & 1 ? "not active here" : "ended");
    for (uint32_t plane = 0; plane < x->nplanes; plane++) {
        struct debugger_register r = {.symbol = x->names[plane].symbol, .component = {x->names[plane].component}};
        bool wide = values_is_wide(x, plane);
        if (r.symbol == NO_INDEX)
            continue;
        values_plane_name(x, plane, r.name);
        fprintf(d->out, "  %s.%c = ", r.name, components[x->names[plane].component & 3]);
        put_value(d->out, debugger_value_of(w, plane, wide, lane), wide, debugger_type(d, &r, 0), format);
        fputs(debugger_is_open(w, plane, lane) ? " ?\n" : "\n", d->out);
        plane += wide;
    }
    for (unsigned cc = 0; cc < 2; cc++)
        for (unsigned c = 0; c < 4; c++) {
            const struct flags *f = &w->cc[cc];
            fprintf(d->out, "  CC%u.%c = %s%s%s%s%s\n", cc, components[c], f->s[c] >> lane & 1 ? "S" : "-",
                    f->z[c] >> lane & 1 ? "Z" : "-", f->o[c] >> lane & 1 ? "O" : "-", f->c[c] >> lane & 1 ? "C" : "-",
                    debugger_is_open(w, x->cc_plane[cc] + c, lane) ? " ?" : "");
        }
}

/* ---- where ------------------------------------------------------------------------------------------------------- */

const char *debugger_line(const struct debugger *d, uint32_t line, const char **end)
{
    const char *text = d->program->text, *last = text + d->program->size, *at = text;
    for (uint32_t i = d->lines_before + 1; i < line && at; i++) {
        const char *newline = memchr(at, '\n', (size_t)(last - at));
        at = newline ? newline + 1 : NULL;
    }
    if (!at || at >= last || line <= d->lines_before)
        return NULL;
    const char *newline = memchr(at, '\n', (size_t)(last - at));
    *end = newline ? newline : last;
    return at;
}

static void show_line(struct debugger *d, uint32_t line, char mark)
{
    const char *end, *at = debugger_line(d, line, &end);
    if (at)
        fprintf(d->out, "%c%4" PRIu32 "  %.*s\n", mark, line, (int)(end - at), at);
}

void debugger_show_place(struct debugger *d, uint32_t insn)
{
    const struct warp *w = d->warp;
    if (insn == NO_INDEX) {
        fprintf(d->out, "group %" PRIu32 ", warp %" PRIu32 " has ended\n", d->worker->group, w->index);
        return;
    }
    fprintf(d->out, "group %" PRIu32 ", warp %" PRIu32 ", lanes %08" PRIx32 "\n", d->worker->group, w->index,
            w->active);
    show_line(d, d->lines[insn], '>');
}

void debugger_show_source(struct debugger *d, uint32_t line)
{
    for (uint32_t i = line > 5 ? line - 5 : 1; i <= line + 5; i++)
        show_line(d, i, i == d->here ? '>' : ' ');
}

void debugger_show_lanes(struct debugger *d)
{
    const struct warp *w = d->warp;
    fprintf(d->out, "exist   %08" PRIx32 "\nlive    %08" PRIx32 "\nactive  %08" PRIx32 "\n", w->exist, w->live,
            w->active);
}

void debugger_show_stack(struct debugger *d)
{
    static const char *const kinds[] = {
        [FRAME_IF] = "IF", [FRAME_REP] = "REP", [FRAME_CALL] = "CAL", [FRAME_CALI] = "CALI", [FRAME_PART] = "IF",
        [FRAME_NEST] = "REP", [FRAME_BRANCH] = "BRA"};
    const struct warp *w = d->warp;
    if (!w->depth)
        fputs("no block is open\n", d->out);
    for (uint32_t i = w->depth; i--;) {
        const struct frame *f = &w->frames[i];
        const struct step *end = &d->executable->steps[f->end];
        fprintf(d->out, "#%" PRIu32 " %-3s to line %" PRIu32 ", then lanes %08" PRIx32, w->depth - 1 - i,
                kinds[f->kind], d->lines[end->insn], f->restore & w->live);
        if (f->kind == FRAME_IF)
            fprintf(d->out, ", of the other side %08" PRIx32, f->other);
        if (f->kind == FRAME_REP)
            fprintf(d->out, ", waiting for the next turn %08" PRIx32, f->other);
        if (f->kind == FRAME_CALI)
            fprintf(d->out, ", waiting for their calls %08" PRIx32, f->other);
        fputc('\n', d->out);
    }
}

void debugger_show_flags(struct debugger *d)
{
    show_condition(d, "CC0");
    show_condition(d, "CC1");
}

void debugger_show_warps(struct debugger *d)
{
    static const char *const states[] = {
        [WARP_RUNNING] = "runs", [WARP_AT_BARRIER] = "waits at BAR", [WARP_ENDED] = "has ended"};
    fprintf(d->out, "group %" PRIu32 " (%" PRIu32 ", %" PRIu32 ", %" PRIu32 ") of %" PRIu32 "\n", d->worker->group,
            d->worker->group_id[0], d->worker->group_id[1], d->worker->group_id[2], d->worker->run->ngroups);
    for (uint32_t i = 0; i < d->worker->nwarps; i++) {
        const struct warp *w = &d->worker->warps[i];
        fprintf(d->out, "%c warp %" PRIu32 "  lanes %08" PRIx32 "  %s\n", w == d->warp ? '*' : ' ', i, w->live,
                states[w->state]);
    }
}

void debugger_show_shared(struct debugger *d, uint32_t address, uint32_t words, char format)
{
    const struct memory *m = &d->worker->shared;
    for (uint32_t i = 0; i < words && address + (uint64_t)i * 4 + 4 <= m->size; i++) {
        uint32_t at = address + i * 4, word;
        bool open = m->shadow && (m->shadow[at] || m->shadow[at + 1] || m->shadow[at + 2] || m->shadow[at + 3]);
        memcpy(&word, m->data + at, sizeof word);
        fprintf(d->out, "  %6" PRIu32 "  ", at);
        put_value(d->out, word, false, 'F', format);
        fputs(open ? " ?\n" : "\n", d->out);
    }
    if (address + (uint64_t)words * 4 > m->size)
        fprintf(d->out, "shared memory has %zu bytes\n", m->size);
}
