#include "compare/debug/view.h"

#include <inttypes.h>
#include <stdarg.h>
#include <string.h>

enum { MESSAGES = 5, NAME_WIDTH = 16, CELL = 12 };

static void put(struct view *v, int row, int column, enum view_style style, const char *format, ...)
    __attribute__((format(printf, 5, 6)));

static void put(struct view *v, int row, int column, enum view_style style, const char *format, ...)
{
    char text[512];
    va_list args;
    va_start(args, format);
    int length = vsnprintf(text, sizeof text, format, args);
    va_end(args);
    if (length >= (int)sizeof text)
        length = (int)sizeof text - 1;
    if (length > v->width - column)
        length = v->width - column;
    if (row < v->height && length > 0)
        v->put(v->user, row, column, style, text, length);
}

/* ---- the program and the lanes ----------------------------------------------------------------------------------- */

static bool is_stop(const struct debugger *d, uint32_t line)
{
    for (unsigned i = 0; i < DEBUGGER_STOPS; i++)
        if (d->stops[i].number && d->stops[i].line == line)
            return true;
    return false;
}

static void put_program(const struct debugger *d, struct view *v, int row, int rows)
{
    uint32_t line = d->here > (uint32_t)rows / 2 ? d->here - (uint32_t)rows / 2 : 1;
    for (int i = 0; i < rows; i++, line++) {
        const char *end, *at = debugger_line(d, line, &end);
        bool here = line == d->here && d->next != NO_INDEX;
        if (at)
            put(v, row + i, 0, here ? VIEW_HERE : VIEW_PLAIN, "%c%c%4" PRIu32 "  %.*s", is_stop(d, line) ? '*' : ' ',
                here ? '>' : ' ', line, (int)(end - at < 400 ? end - at : 400), at);
    }
}

static void put_lanes(const struct debugger *d, struct view *v, int row)
{
    const struct warp *w = d->warp;
    char lanes[WARP_LANES + 1] = "";
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        lanes[lane] = !(w->exist >> lane & 1)    ? ' '
                      : w->active >> lane & 1    ? '#'
                      : w->live >> lane & 1      ? '-'
                                                 : '.';
    put(v, row, 0, VIEW_PLAIN, "lanes 0 %s 31  active %08" PRIx32 "  (# active, - not here, . ended)", lanes,
        w->active);
}

/* ---- registers --------------------------------------------------------------------------------------------------- */

static bool lane_changed(const struct debugger *d, uint32_t plane, bool wide, unsigned lane)
{
    return d->before && d->warp == d->before_warp &&
           (PLANE(d->before, plane)[lane] != PLANE(d->warp->base, plane)[lane] ||
            (wide && PLANE(d->before, plane + 1)[lane] != PLANE(d->warp->base, plane + 1)[lane]));
}

static bool changed(const struct debugger *d, uint32_t plane, bool wide)
{
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        if (d->warp->exist >> lane & 1 && lane_changed(d, plane, wide, lane))
            return true;
    return false;
}

/* A row: a component in as many lanes as there is room for. */
static void put_component(const struct debugger *d, struct view *v, int row, const struct debugger_register *r,
                          unsigned i)
{
    const struct warp *w = d->warp;
    int cell = r->wide ? 2 * CELL : CELL, column = NAME_WIDTH;
    char name[NAME_ROOM + 2], text[64], type = debugger_type(d, r, i);
    bool any = changed(d, r->plane[i], r->wide);
    values_component_name(r, i, name);
    put(v, row, 0, any ? VIEW_CHANGED : VIEW_PLAIN, "%c%-*.*s", any ? '*' : ' ', NAME_WIDTH - 2, NAME_WIDTH - 2, name);
    for (unsigned lane = (unsigned)v->lane; lane < WARP_LANES && w->exist >> lane & 1 && column + cell <= v->width;
         lane++, column += cell) {
        debugger_value(text, sizeof text, debugger_value_of(w, r->plane[i], r->wide, lane), r->wide, type,
                       v->format ? v->format : type == 'S' ? 'd' : type == 'U' ? 'u' : 'f');
        if (debugger_is_open(w, r->plane[i], lane))
            snprintf(text, sizeof text, "?");
        put(v, row, column,
            lane_changed(d, r->plane[i], r->wide, lane) ? VIEW_CHANGED
            : w->active >> lane & 1                     ? VIEW_PLAIN
                                                        : VIEW_DIM,
            "%*.*s", cell - 1, cell - 1, text);
    }
}

struct rows {
    struct view *v;
    int row, rows, skip;        /* of the screen; of the registers those that lie before */
};

static void add(const struct debugger *d, struct rows *rows, const struct debugger_register *r, bool with_changes)
{
    for (unsigned i = 0; i < r->n; i++) {
        if (changed(d, r->plane[i], r->wide) != with_changes || rows->skip-- > 0 || rows->rows <= 0)
            continue;
        put_component(d, rows->v, rows->row++, r, i);
        rows->rows--;
    }
}

/* Those that changed come first. */
static void put_registers(const struct debugger *d, struct view *v, int row, int rows)
{
    const struct gp5_executable *x = d->executable;
    struct rows all = {v, row + 1, rows - 1, v->first};
    put(v, row, 0, VIEW_DIM, " lane");
    for (int lane = v->lane, column = NAME_WIDTH; lane < (int)WARP_LANES && column + CELL <= v->width;
         lane++, column += CELL)
        put(v, row, column, VIEW_DIM, "%*d", CELL - 1, lane);
    for (int with_changes = 1; with_changes >= 0; with_changes--) {
        for (uint32_t plane = 0; plane < x->nplanes; plane++) {
            struct debugger_register r = {.symbol = x->names[plane].symbol, .plane = {plane}, .n = 1,
                                          .component = {x->names[plane].component}};
            if (r.symbol == NO_INDEX)
                continue;
            r.wide = values_is_wide(x, plane);
            values_plane_name(x, plane, r.name);
            add(d, &all, &r, with_changes);
            plane += r.wide;
        }
        struct debugger_register r;
        for (size_t at = 0; values_binding(x, at, true, false, &r); at++)
            add(d, &all, &r, with_changes);
        for (size_t at = 0; values_binding(x, at, false, false, &r); at++)
            add(d, &all, &r, with_changes);
    }
}

/* ---- all of it --------------------------------------------------------------------------------------------------- */

/* The last lines of what was said. */
static void put_messages(struct view *v, int row, int rows, const char *text, size_t size)
{
    const char *end = text + size;
    int lines = 0;
    if (size && end[-1] == '\n')
        end--;
    const char *at = end;
    for (; at > text; at--)
        if (at[-1] == '\n' && ++lines == rows)
            break;
    for (int i = 0; i < rows && at < end; i++) {
        const char *newline = memchr(at, '\n', (size_t)(end - at));
        int length = (int)((newline ? newline : end) - at);
        put(v, row + i, 0, VIEW_PLAIN, "%.*s", length < 400 ? length : 400, at);
        at = newline ? newline + 1 : end;
    }
}

void view_draw(const struct debugger *d, struct view *v, const char *messages, size_t size)
{
    int rest = v->height - 3 - MESSAGES, program = rest * 2 / 5;
    put(v, 0, 0, VIEW_TITLE, " %s   group %" PRIu32 " of %" PRIu32 ", warp %" PRIu32 " of %" PRIu32 "%s%*s",
        d->file ? d->file : "", d->worker->group, d->worker->run->ngroups, d->warp->index, d->worker->nwarps,
        d->next == NO_INDEX ? ", ended" : "", v->width, "");
    while (v->lane > 0 && !(d->warp->exist >> v->lane & 1))
        v->lane -= v->lane > 4 ? 4 : v->lane;
    if (rest < 4) {
        put(v, 1, 0, VIEW_PLAIN, "the window is too small");
        return;
    }
    put_program(d, v, 1, program);
    put_lanes(d, v, 1 + program);
    put_registers(d, v, 2 + program, rest - program);
    put_messages(v, 2 + rest, MESSAGES, messages, size);
    put(v, v->height - 1, 0, VIEW_TITLE, "%s%*s",
        " s step  c continue  : command  arrows scroll lanes and registers  x bits  q quit", v->width, "");
}
