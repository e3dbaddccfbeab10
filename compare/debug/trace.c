#include "compare/debug/trace.h"

#include "compare/debug/lines.h"
#include "compare/debug/values.h"

#include <inttypes.h>
#include <string.h>

enum { LANES_A_ROW = 8, INDENT = 6 };

static const char components[] = "xyzw";

/* ---- names --------------------------------------------------------------------------------------------- */

static bool same_name(const struct plane_name *a, const struct plane_name *b)
{
    return a->symbol == b->symbol && a->element == b->element && a->component == b->component;
}

/* A register of 64 bits has two planes of one name, the low half first. */
static bool is_wide(const struct gp5_executable *x, uint32_t plane)
{
    return plane + 1 < x->nplanes && same_name(&x->names[plane], &x->names[plane + 1]);
}

static void put_name(const struct trace *t, const struct plane_name *name)
{
    const struct symbol *s = program_symbol(t->program, name->symbol);
    fprintf(t->out, "%*s%s", INDENT, "", s->name);
    if (name->array)
        fprintf(t->out, "[%" PRIu32 "]", name->element);
    fprintf(t->out, ".%c", components[name->component & 3]);
}

/* ---- what an instruction did --------------------------------------------------------------------------- */

static void put_word(const struct trace *t, const uint32_t *low, bool wide, unsigned lane)
{
    if (wide)
        fprintf(t->out, " %08" PRIx32 "%08" PRIx32, low[WARP_LANES + lane], low[lane]);
    else
        fprintf(t->out, " %08" PRIx32, low[lane]);
}

static bool is_uniform(const uint32_t *low, bool wide, uint32_t lanes)
{
    unsigned first = WARP_LANES;
    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        if (!(lanes >> lane & 1))
            continue;
        if (first == WARP_LANES)
            first = lane;
        if (low[lane] != low[first] || (wide && low[WARP_LANES + lane] != low[WARP_LANES + first]))
            return false;
    }
    return first < WARP_LANES;
}

/* The lanes that ran it, eight a row; dots for the others. */
static void put_lanes(const struct trace *t, const uint32_t *low, bool wide, uint32_t lanes)
{
    if (is_uniform(low, wide, lanes)) {
        unsigned lane = 0;
        while (!(lanes >> lane & 1))
            lane++;
        fputs(" =", t->out);
        put_word(t, low, wide, lane);
        fputs(" in all of them\n", t->out);
        return;
    }
    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        if (lane % LANES_A_ROW == 0) {
            if (!(lanes >> lane))
                break;
            fprintf(t->out, "\n%*s%2u", INDENT + 2, "", lane);
        }
        if (lanes >> lane & 1)
            put_word(t, low, wide, lane);
        else
            fprintf(t->out, " %*s", wide ? 16 : 8, ".");
    }
    fputc('\n', t->out);
}

static void put_registers(const struct trace *t, const struct warp *w)
{
    for (uint32_t plane = 0; plane < w->x->nplanes; plane++) {
        bool wide = is_wide(w->x, plane);
        size_t size = sizeof(uint32_t) * WARP_LANES * (wide ? 2 : 1);
        const uint32_t *now = PLANE(w->base, plane), *before = PLANE(t->planes, plane);
        if (w->x->names[plane].symbol == NO_INDEX)
            continue;
        if (memcmp(now, before, size)) {
            put_name(t, &w->x->names[plane]);
            put_lanes(t, now, wide, t->active);
        }
        plane += wide;
    }
}

/* Results by the names of their bindings. */
struct trace_result {
    uint32_t plane;
    char name[NAME_ROOM + 2];
};

static bool find_results(struct trace *t, const gp5_executable *x)
{
    struct debugger_register r;

    for (size_t at = 0; values_binding(x, at, true, false, &r); at++)
        for (unsigned i = 0; i < r.n; i++) {
            struct trace_result *more = gp5_realloc(t->results, (t->nresults + 1) * sizeof *more);
            if (!more)
                return false;
            t->results = more;
            more[t->nresults].plane = r.plane[i];
            values_component_name(&r, i, more[t->nresults++].name);
        }
    return true;
}

static bool has_changed(const struct trace *t, const struct warp *w, uint32_t plane)
{
    return memcmp(PLANE(w->base, plane), PLANE(t->planes, plane), sizeof(uint32_t) * WARP_LANES) != 0;
}

static void put_results(const struct trace *t, const struct warp *w)
{
    for (size_t i = 0; i < t->nresults; i++)
        if (has_changed(t, w, t->results[i].plane)) {
            fprintf(t->out, "%*s%s", INDENT, "", t->results[i].name);
            put_lanes(t, PLANE(w->base, t->results[i].plane), false, t->active);
        }
}

/* ---- the same as JSON ------------------------------------------------------------------------------------ */

static void json_text(FILE *out, const char *text, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        unsigned char c = (unsigned char)text[i];
        if (c == '"' || c == '\\')
            fprintf(out, "\\%c", c);
        else if (c < 0x20 || c >= 0x7f)
            fprintf(out, "\\u%04x", c);
        else
            fputc(c, out);
    }
}

/* "R0.x": {"lanes": [word or null, 32 of them], "undefined": mask} */
static void json_lanes(const struct trace *t, const struct warp *w, uint32_t plane, bool wide)
{
    const uint32_t *low = PLANE(w->base, plane);
    uint32_t open = w->shadow ? w->x->planes->nonzero(PLANE(w->shadow, plane), NULL) & t->active : 0;
    fputs("\":{\"lanes\":[", t->out);
    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        fputs(lane ? "," : "", t->out);
        if (!(t->active >> lane & 1))
            fputs("null", t->out);
        else if (wide)
            fprintf(t->out, "\"%08" PRIx32 "%08" PRIx32 "\"", low[WARP_LANES + lane], low[lane]);
        else
            fprintf(t->out, "\"%08" PRIx32 "\"", low[lane]);
    }
    fprintf(t->out, "],\"undefined\":\"%08" PRIx32 "\"}", open);
}

static void json_register(const struct trace *t, const struct warp *w, uint32_t plane, bool wide)
{
    const struct plane_name *name = &w->x->names[plane];
    fprintf(t->out, "\"%s", program_symbol(t->program, name->symbol)->name);
    if (name->array)
        fprintf(t->out, "[%" PRIu32 "]", name->element);
    fprintf(t->out, ".%c", components[name->component & 3]);
    json_lanes(t, w, plane, wide);
}

static void json_registers(const struct trace *t, const struct warp *w)
{
    const char *comma = "";
    for (size_t i = 0; i < t->nresults; i++)
        if (has_changed(t, w, t->results[i].plane)) {
            fprintf(t->out, "%s\"%s", comma, t->results[i].name);
            json_lanes(t, w, t->results[i].plane, false);
            comma = ",";
        }
    for (uint32_t plane = 0; plane < w->x->nplanes; plane++) {
        bool wide = is_wide(w->x, plane);
        size_t size = sizeof(uint32_t) * WARP_LANES * (wide ? 2 : 1);
        if (w->x->names[plane].symbol == NO_INDEX)
            continue;
        if (memcmp(PLANE(w->base, plane), PLANE(t->planes, plane), size)) {
            fputs(comma, t->out);
            json_register(t, w, plane, wide);
            comma = ",";
        }
        plane += wide;
    }
}

static void json_conditions(const struct trace *t, const struct warp *w)
{
    const char *comma = "";
    for (int cc = 0; cc < 2; cc++)
        for (int c = 0; c < 4; c++) {
            const struct flags *now = &w->cc[cc], *old = &t->flags[cc];
            if (now->s[c] == old->s[c] && now->z[c] == old->z[c] && now->c[c] == old->c[c] && now->o[c] == old->o[c])
                continue;
            fprintf(t->out,
                    "%s\"CC%d.%c\":{\"sign\":\"%08" PRIx32 "\",\"zero\":\"%08" PRIx32 "\",\"carry\":\"%08" PRIx32
                    "\",\"overflow\":\"%08" PRIx32 "\"}",
                    comma, cc, components[c], now->s[c], now->z[c], now->c[c], now->o[c]);
            comma = ",";
        }
}

static void json_line(const struct trace *t, const struct warp *w, uint32_t insn)
{
    const struct insn *i = program_insn(t->program, insn);
    fprintf(t->out, "{\"group\":%" PRIu32 ",\"warp\":%" PRIu32 ",\"line\":%" PRIu32 ",\"text\":\"", w->worker->group,
            w->index, t->lines[insn]);
    json_text(t->out, t->program->text + i->span.offset, i->span.length);
    fprintf(t->out, "\",\"active\":\"%08" PRIx32 "\",\"changed\":{", t->active);
    json_registers(t, w);
    fputs("},\"flags\":{", t->out);
    json_conditions(t, w);
    fprintf(t->out, "},\"active_after\":\"%08" PRIx32 "\"}\n", w->active);
}

/* ---- for people -------------------------------------------------------------------------------------------- */

static void put_conditions(const struct trace *t, const struct warp *w)
{
    for (int cc = 0; cc < 2; cc++)
        for (int c = 0; c < 4; c++) {
            const struct flags *now = &w->cc[cc], *before = &t->flags[cc];
            if (now->s[c] != before->s[c] || now->z[c] != before->z[c] || now->c[c] != before->c[c] ||
                now->o[c] != before->o[c])
                fprintf(t->out,
                        "%*sCC%d.%c sign %08" PRIx32 " zero %08" PRIx32 " carry %08" PRIx32
                        " overflow %08" PRIx32 "\n",
                        INDENT, "", cc, components[c], now->s[c], now->z[c], now->c[c], now->o[c]);
        }
}

static void before(void *user, const struct warp *w, uint32_t insn)
{
    struct trace *t = user;
    const struct insn *i = program_insn(t->program, insn);
    int length = i->span.length < 200 ? (int)i->span.length : 200;
    t->active = w->active;
    memcpy(t->flags, w->cc, sizeof t->flags);
    memcpy(t->planes, w->base, (size_t)w->x->nplanes * WARP_LANES * sizeof *t->planes);
    if (t->json)
        return;
    fprintf(t->out, "group %" PRIu32 " warp %" PRIu32 " lanes %08" PRIx32 " line %" PRIu32 ": %.*s\n",
            w->worker->group, w->index, w->active, t->lines[insn], length, t->program->text + i->span.offset);
}

static void after(void *user, const struct warp *w, uint32_t insn)
{
    struct trace *t = user;
    if (t->json) {
        json_line(t, w, insn);
        return;
    }
    put_registers(t, w);
    put_results(t, w);
    put_conditions(t, w);
    if (w->active != t->active)
        fprintf(t->out, "%*slanes %08" PRIx32 "\n", INDENT, "", w->active);
}

bool trace_open(struct trace *t, FILE *out, bool json, const gp5_executable *executable, size_t lines_before)
{
    memset(t, 0, sizeof *t);
    t->out = out;
    t->json = json;
    t->program = executable->program;
    t->observer = (struct eval_observer){ .user = t, .before = before, .after = after };
    t->lines = program_lines(t->program, lines_before);
    t->planes = gp5_malloc((size_t)executable->nplanes * WARP_LANES * sizeof *t->planes);
    return t->lines && t->planes && find_results(t, executable);
}

void trace_close(struct trace *t)
{
    gp5_free(t->lines);
    gp5_free(t->planes);
    gp5_free(t->results);
    memset(t, 0, sizeof *t);
}
