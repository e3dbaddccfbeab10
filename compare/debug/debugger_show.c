/* What the debugger shows. */
#include "compare/debug/debugger.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const char components[] = "xyzw";

/* ---- registers by name ------------------------------------------------------------------------------------ */

static bool same_name(const struct plane_name *a, const struct plane_name *b)
{
    return a->symbol == b->symbol && a->element == b->element && a->component == b->component;
}

/* A register of 64 bits has two planes of one name, the low half first. */
static bool is_wide(const struct gp5_executable *x, uint32_t plane)
{
    return plane + 1 < x->nplanes && same_name(&x->names[plane], &x->names[plane + 1]);
}

void debugger_put_name(struct debugger *d, uint32_t plane)
{
    const struct plane_name *name = &d->executable->names[plane];
    fprintf(d->out, "%s", program_symbol(d->program, name->symbol)->name);
    if (name->array)
        fprintf(d->out, "[%" PRIu32 "]", name->element);
    fprintf(d->out, ".%c", components[name->component & 3]);
}

/* R0, R0.x, R0.xy, arr[2], arr[2].w */
bool debugger_find(struct debugger *d, const char *name, struct debugger_register *r)
{
    const struct gp5_executable *x = d->executable;
    const char *dot = strrchr(name, '.'), *bracket = strchr(name, '[');
    size_t length = bracket ? (size_t)(bracket - name) : dot ? (size_t)(dot - name) : strlen(name);
    unsigned long element = bracket ? strtoul(bracket + 1, NULL, 10) : 0;
    r->n = 0;
    for (uint32_t plane = 0; plane < x->nplanes && r->n < 4; plane++) {
        const struct plane_name *n = &x->names[plane];
        bool wide = n->symbol != NO_INDEX && is_wide(x, plane);
        const char *symbol = n->symbol == NO_INDEX ? "" : program_symbol(d->program, n->symbol)->name;
        if (strlen(symbol) == length && length && !memcmp(symbol, name, length) && n->element == element &&
            (!dot || (dot[1] && strchr(dot + 1, components[n->component & 3])))) {
            r->plane[r->n++] = plane;
            r->wide = wide;
        }
        plane += wide;
    }
    return r->n != 0;
}

/* ---- values --------------------------------------------------------------------------------------------------- */

static void value_text(char *text, size_t size, uint64_t bits, bool wide, char format)
{
    float single;
    double number;
    uint32_t word = (uint32_t)bits;
    memcpy(&single, &word, sizeof single);
    memcpy(&number, &bits, sizeof number);
    switch (format) {
    case 'f': snprintf(text, size, wide ? "%.17g" : "%.9g", wide ? number : (double)single); break;
    case 'd': snprintf(text, size, "%" PRId64, wide ? (int64_t)bits : (int64_t)(int32_t)word); break;
    case 'u': snprintf(text, size, "%" PRIu64, bits); break;
    case 'x': snprintf(text, size, wide ? "0x%016" PRIx64 : "0x%08" PRIx64, bits); break;
    default:
        snprintf(text, size, wide ? "0x%016" PRIx64 " %.17g" : "0x%08" PRIx64 " %.9g", bits,
                 wide ? number : (double)single);
    }
}

static void put_value(FILE *out, uint64_t bits, bool wide, char format)
{
    char text[64];
    value_text(text, sizeof text, bits, wide, format);
    fputs(text, out);
}

static uint64_t value_of(const struct warp *w, uint32_t plane, bool wide, unsigned lane)
{
    uint64_t low = PLANE(w->base, plane)[lane];
    return wide ? low | (uint64_t)PLANE(w->base, plane + 1)[lane] << 32 : low;
}

static bool is_open(const struct warp *w, uint32_t plane, unsigned lane)
{
    return w->shadow && PLANE(w->shadow, plane)[lane];
}

/* Lanes that hold the same as the ones before them. */
static unsigned run_of(const struct warp *w, uint32_t plane, bool wide, unsigned lane)
{
    unsigned last = lane;
    while (last + 1 < WARP_LANES && (w->exist >> (last + 1) & 1) &&
           (w->active >> (last + 1) & 1) == (w->active >> lane & 1) &&
           value_of(w, plane, wide, last + 1) == value_of(w, plane, wide, lane) &&
           is_open(w, plane, last + 1) == is_open(w, plane, lane))
        last++;
    return last;
}

/* A dash stands before lanes that are not active, a question mark behind what is undefined. */
static void show_component(struct debugger *d, uint32_t plane, bool wide, char format)
{
    const struct warp *w = d->warp;
    unsigned width = (wide     ? 20
                      : format ? 12
                               : 22) +
                     (wide && !format ? 22 : 0),
             column = 0,
             columns = width > 24   ? 1
                       : width > 12 ? 3
                                    : 4;
    debugger_put_name(d, plane);
    fputc('\n', d->out);
    for (unsigned lane = 0; lane < WARP_LANES && w->exist >> lane & 1;) {
        unsigned last = run_of(w, plane, wide, lane);
        char text[64], lanes[8];
        bool open = is_open(w, plane, lane), end = last + 1 == WARP_LANES || !(w->exist >> (last + 1) & 1);
        value_text(text, sizeof text, value_of(w, plane, wide, lane), wide, format);
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

void debugger_show_register(struct debugger *d, const char *name, char format)
{
    struct debugger_register r;
    if (!debugger_find(d, name, &r)) {
        fprintf(d->out, "no register %s is used in this program\n", name);
        return;
    }
    for (unsigned i = 0; i < r.n; i++)
        show_component(d, r.plane[i], r.wide, format);
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
        bool wide;
        if (x->names[plane].symbol == NO_INDEX)
            continue;
        wide = is_wide(x, plane);
        fputs("  ", d->out);
        debugger_put_name(d, plane);
        fputs(" = ", d->out);
        put_value(d->out, value_of(w, plane, wide, lane), wide, format);
        fputs(is_open(w, plane, lane) ? " ?\n" : "\n", d->out);
        plane += wide;
    }
    for (unsigned cc = 0; cc < 2; cc++)
        for (unsigned c = 0; c < 4; c++) {
            const struct flags *f = &w->cc[cc];
            fprintf(d->out, "  CC%u.%c = %s%s%s%s%s\n", cc, components[c], f->s[c] >> lane & 1 ? "S" : "-",
                    f->z[c] >> lane & 1 ? "Z" : "-", f->o[c] >> lane & 1 ? "O" : "-", f->c[c] >> lane & 1 ? "C" : "-",
                    is_open(w, x->cc_plane[cc] + c, lane) ? " ?" : "");
        }
}

/* ---- where ------------------------------------------------------------------------------------------------------- */

static void show_line(struct debugger *d, uint32_t line, char mark)
{
    const char *text = d->program->text, *end = text + d->program->size, *at = text;
    for (uint32_t i = d->lines_before + 1; i < line && at; i++) {
        const char *newline = memchr(at, '\n', (size_t)(end - at));
        at = newline ? newline + 1 : NULL;
    }
    if (!at || at >= end || line <= d->lines_before)
        return;
    const char *newline = memchr(at, '\n', (size_t)(end - at));
    fprintf(d->out, "%c%4" PRIu32 "  %.*s\n", mark, line, (int)((newline ? newline : end) - at), at);
}

void debugger_show_place(struct debugger *d, uint32_t insn)
{
    const struct warp *w = d->warp;
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
    const struct warp *w = d->warp;
    for (unsigned cc = 0; cc < 2; cc++)
        for (unsigned c = 0; c < 4; c++)
            fprintf(d->out,
                    "CC%u.%c  sign %08" PRIx32 "  zero %08" PRIx32 "  carry %08" PRIx32 "  overflow %08" PRIx32 "\n",
                    cc, components[c], w->cc[cc].s[c], w->cc[cc].z[c], w->cc[cc].c[c], w->cc[cc].o[c]);
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
        put_value(d->out, word, false, format);
        fputs(open ? " ?\n" : "\n", d->out);
    }
    if (address + (uint64_t)4 > m->size)
        fprintf(d->out, "shared memory has %zu bytes\n", m->size);
}
