/* Inputs and results of a stage: names to planes once a launch, words to and from planes a warp. */
#include "eval/machine/stage_io.h"

#include "asm/binding_name.h"
#include "eval/numeric/words.h"
#include "eval/track/origin.h"

#include <stdio.h>
#include <string.h>

static enum program_stage stage_of(const struct run *run)
{
    return (enum program_stage)profile_table[run->x->profile].stage_id;
}

/* ---- names --------------------------------------------------------------------------------------------- */

static bool find(const struct run *run, const struct gp5_array *a, bool result, struct binding_name *name)
{
    if (!a->binding || !asm_find_binding(stage_of(run), a->binding, name) ||
        (binding_table[name->kind].class == BC_RESULT) != result)
        return false;
    name->kind = asm_canonical_binding(name->kind);
    return true;
}

/* The attribute's number of a source; of what a vertex has the vertex stands beside it. */
static uint32_t number_of(const struct plane_source *source)
{
    return asm_is_of_vertex(source->kind) ? source->index >> 8 : source->index & ~WORDS_OF_LONG;
}

/* Words of 64 bits for what is LONG, and for nothing else. */
static bool check_width(const struct run *run, const struct gp5_array *a, const struct binding_name *name,
                        char *message, size_t size)
{
    for (uint32_t i = 0; i < run->x->nsources; i++) {
        const struct plane_source *s = &run->x->sources[i];
        if (s->kind == name->kind && number_of(s) == name->index[0] && !(s->index & WORDS_OF_LONG) == a->wide) {
            snprintf(message, size, "%s is %sLONG: its elements are four words of %u bits", a->binding,
                     a->wide ? "not " : "", a->wide ? 32 : 64);
            return false;
        }
    }
    return true;
}

static bool check(const struct run *run, const struct gp5_array *list, size_t n, bool result,
                  size_t (*needed)(const struct run *run, uint16_t kind, bool result), char *message, size_t size)
{
    const char *what = result ? "result" : "input";
    uint64_t seen = 0;      /* a bit for some names: without it no name is there twice */

    for (size_t i = 0; i < n; i++) {
        const struct gp5_array *a = &list[i];
        struct binding_name name, other;
        if (!find(run, a, result, &name)) {
            snprintf(message, size, "a %s program has no %s %s", profile_table[run->x->profile].stage, what,
                     a->binding ? a->binding : "without a name");
            return false;
        }
        size_t elements = needed(run, name.kind, result);
        if ((!a->words && elements) || a->count < elements) {
            snprintf(message, size, "%s has %zu elements; %zu are needed", a->binding, a->words ? a->count : 0,
                     elements);
            return false;
        }
        if (!check_width(run, a, &name, message, size))
            return false;
        uint64_t bit = 1ull << (name.kind * 5u + name.index[0]) % 64;
        for (size_t k = 0; seen & bit && k < i; k++)
            if (find(run, &list[k], result, &other) && other.kind == name.kind && other.index[0] == name.index[0] &&
                list[k].stream == a->stream) {
                snprintf(message, size, "%s is given twice", a->binding);
                return false;
            }
        seen |= bit;
    }
    return true;
}

bool eval_check_arrays(const struct run *run, size_t (*needed)(const struct run *run, uint16_t kind, bool result),
                       char *message, size_t size)
{
    const struct gp5_launch *launch = run->launch;

    return check(run, launch->inputs, launch->ninputs, false, needed, message, size) &&
           check(run, launch->results, launch->nresults, true, needed, message, size);
}

unsigned eval_attribute_of(const struct run *run, uint16_t kind, uint32_t index)
{
    static const uint16_t conventional[] = {BIND_VERTEX_POSITION,        BIND_VERTEX_WEIGHT,
                                            BIND_VERTEX_NORMAL,          BIND_VERTEX_COLOR_PRIMARY,
                                            BIND_VERTEX_COLOR_SECONDARY, BIND_VERTEX_FOGCOORD};
    bool all = run->x->options.semantics == GP5_SEMANTICS_NVIDIA || profile_in(run->x->profile, OLD_VP);
    unsigned n = NO_ATTRIBUTE;

    if (kind == BIND_VERTEX_ATTRIB || kind == BIND_VERTEX_TEXCOORD)
        n = kind == BIND_VERTEX_ATTRIB ? index : 8 + index;
    for (unsigned i = 0; i < sizeof conventional / sizeof *conventional; i++)
        n = conventional[i] == kind ? i : n;
    return all || !n ? n : NO_ATTRIBUTE;
}

static void map_input(struct run *run, const struct gp5_array *a)
{
    struct binding_name name;

    if (!find(run, a, false, &name))
        return;
    unsigned attribute = eval_attribute_of(run, name.kind, name.index[0]);
    for (uint32_t i = 0; i < run->x->nsources; i++) {
        const struct plane_source *source = &run->x->sources[i];
        bool own = source->kind == name.kind && number_of(source) == name.index[0];
        if (!own && (run->inputs[i] || attribute == NO_ATTRIBUTE ||
                     eval_attribute_of(run, source->kind, number_of(source)) != attribute))
            continue;
        run->inputs[i] = a;
        run->input_kinds[i] = name.kind;
    }
}

static void map_result(struct run *run, const struct gp5_array *a, struct stage_result *r)
{
    struct binding_name name;

    *r = (struct stage_result){.array = a, .plane = {NO_PLANE, NO_PLANE, NO_PLANE, NO_PLANE}};
    if (!find(run, a, true, &name))
        return;
    r->kind = name.kind;
    r->index = name.index[0];
    for (uint32_t i = 0; i < run->x->nsources; i++)
        if (run->x->sources[i].kind == r->kind && run->x->sources[i].index == r->index)
            r->plane[run->x->sources[i].component] = run->x->sources[i].plane;
}

bool eval_map_arrays(struct run *run)
{
    const struct gp5_launch *launch = run->launch;

    run->inputs = gp5_malloc((run->x->nsources + 1) * sizeof *run->inputs);
    run->input_kinds = gp5_malloc((run->x->nsources + 1) * sizeof *run->input_kinds);
    run->results = gp5_malloc((launch->nresults + 1) * sizeof *run->results);
    if (!run->inputs || !run->input_kinds || !run->results)
        return false;
    memset(run->inputs, 0, (run->x->nsources + 1) * sizeof *run->inputs);
    for (size_t i = 0; i < launch->ninputs; i++)
        map_input(run, &launch->inputs[i]);
    for (size_t i = 0; i < launch->nresults; i++) {
        map_result(run, &launch->results[i], &run->results[i]);
        run->results[i].shadow = run->result_shadows ? &run->result_shadows[i] : NULL;
    }
    return true;
}

void eval_unmap_arrays(struct run *run)
{
    gp5_free(run->inputs);
    gp5_free(run->input_kinds);
    gp5_free(run->results);
}

/* ---- words --------------------------------------------------------------------------------------------- */

void eval_fill_input(const struct run *run, struct warp *w, uint32_t source, const uint32_t element[WARP_LANES],
                     uint32_t otherwise)
{
    const struct plane_source *s = &run->x->sources[source];
    const struct gp5_array *a = run->inputs[source];
    uint32_t *plane = PLANE(w->base, s->plane);

    if (!a) {
        w->x->planes->fill(plane, otherwise);
        return;
    }
    unsigned each = a->wide ? 8 : 4, at = a->wide ? 2u * s->component + !!(s->index & HIGH_WORD) : s->component;
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        plane[lane] = a->words[(size_t)element[lane] * each + at];
    for (unsigned lane = 0; w->shadow && a->undefined && lane < WARP_LANES; lane++)
        if (a->undefined[(size_t)element[lane] * 4 + s->component]) {
            eval_track_mark(w, s->plane);
            return;
        }
}

uint32_t eval_unwritten_result(uint16_t kind, unsigned c)
{
    switch (kind) {
    case BIND_RESULT_FOGCOORD: case BIND_RESULT_POINTSIZE: case BIND_RESULT_CLIP: case BIND_RESULT_CULL:
    case BIND_RESULT_ID:
    case BIND_RESULT_LAYER: case BIND_RESULT_VIEWPORT: case BIND_RESULT_VIEWPORTMASK: case BIND_RESULT_SHADINGRATE:
    case BIND_RESULT_PRIMID: case BIND_RESULT_PATCH_TESSOUTER: case BIND_RESULT_PATCH_TESSINNER:
        return 0;
    default: return c == 3 ? ONE32 : 0;
    }
}

bool eval_fill_no_input(const struct run *run, struct warp *w, const struct plane_source *source, bool first)
{
    if (binding_table[source->kind].class == BC_ATTRIB)
        return false;
    if (binding_table[source->kind].class == BC_RESULT)
        w->x->planes->fill(PLANE(w->base, source->plane), eval_unwritten_result(source->kind, source->component));
    else if (first)
        eval_fill_uniform(run, w, source);
    return true;
}

/* What a fragment program does not name stays as it was. */
static void put_component(struct warp *w, const struct stage_result *r, unsigned c, uint32_t lanes,
                          const uint32_t element[WARP_LANES])
{
    uint32_t plane = r->plane[c], otherwise = eval_unwritten_result(r->kind, c);
    const uint32_t *from = plane == NO_PLANE ? NULL : PLANE(w->base, plane);

    if (!from && stage_of(w->worker->run) == STAGE_FRAGMENT)
        return;
    for (uint32_t rest = lanes; rest; rest &= rest - 1) {
        unsigned lane = (unsigned)__builtin_ctz(rest);
        r->array->words[(size_t)element[lane] * 4 + c] = from ? from[lane] : otherwise;
    }
}

/* A result that no program names is as undefined as one that was never written; who tells about it is the application.
 */
static void put_origins(struct warp *w, const struct stage_result *r, unsigned c, uint32_t lanes,
                        const uint32_t element[WARP_LANES])
{
    uint32_t insn = w->x->steps[w->x->nsteps - 1].insn, *shadow;

    if (!r->shadow || r->plane[c] == NO_PLANE || c >= binding_table[r->kind].components ||
        (r->kind == BIND_RESULT_DEPTH && c != 2))
        return;
    shadow = PLANE(w->shadow, r->plane[c]);
    eval_resolve_marks(w, insn, shadow, lanes);
    eval_shadow_put(r->shadow, c, shadow, lanes, element);
    for (uint32_t rest = w->dirty[r->plane[c]] ? lanes : 0; rest; rest &= rest - 1)
        if (shadow[__builtin_ctz(rest)])
            eval_reach(w, insn, shadow[__builtin_ctz(rest)], (unsigned)__builtin_ctz(rest), r->array->binding);
}

/* All components at once. */
static bool put_together(struct warp *w, const struct stage_result *r, uint32_t lanes,
                         const uint32_t element[WARP_LANES])
{
    const uint32_t *from[4];

    for (unsigned c = 0; c < 4; c++) {
        if (r->plane[c] == NO_PLANE)
            return false;
        from[c] = PLANE(w->base, r->plane[c]);
    }
    w->x->planes->scatter(r->array->words, from, element, lanes);
    return true;
}

/* Whether nothing in the planes of a result is undefined: its elements, each of which comes once, are then put. */
static bool put_defined(struct warp *w, const struct stage_result *r, uint32_t lanes,
                        const uint32_t element[WARP_LANES])
{
    for (unsigned c = 0; w->shadow && c < 4; c++)
        if (r->plane[c] == NO_PLANE || w->dirty[r->plane[c]] || c >= binding_table[r->kind].components)
            return false;
    return put_together(w, r, lanes, element);
}

void eval_put_results(struct warp *w, uint32_t lanes, const uint32_t element[WARP_LANES], uint32_t firsts,
                      const uint32_t patch[WARP_LANES])
{
    const struct run *run = w->worker->run;

    for (size_t i = 0; i < run->launch->nresults; i++) {
        bool whole = patch && asm_is_of_patch(run->results[i].kind);
        if (!whole && put_defined(w, &run->results[i], lanes, element))
            continue;
        for (unsigned c = 0; c < 4; c++) {
            put_component(w, &run->results[i], c, whole ? firsts : lanes, whole ? patch : element);
            if (w->shadow && (whole ? firsts : lanes))
                put_origins(w, &run->results[i], c, whole ? firsts : lanes, whole ? patch : element);
        }
    }
}

/* ---- threads ------------------------------------------------------------------------------------------- */

bool eval_fill_thread(struct warp *w, const struct plane_source *source, uint32_t warp)
{
    const char *name = strrchr(binding_table[source->kind].words, '.');
    uint32_t *plane = PLANE(w->base, source->plane);
    bool id = !strcmp(name, ".threadid"), number = !strcmp(name, ".warpid") || !strcmp(name, ".smid");

    if (!id && !number && strncmp(name, ".thread", 7))
        return false;
    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        uint32_t bit = 1u << lane, below = bit - 1;
        plane[lane] = id                               ? lane
                      : number                         ? (!strcmp(name, ".warpid") ? warp : 0)
                      : !strcmp(name, ".threadeqmask") ? bit
                      : !strcmp(name, ".threadltmask") ? below
                      : !strcmp(name, ".threadlemask") ? below | bit
                      : !strcmp(name, ".threadgtmask") ? ~(below | bit)
                                                       : ~below;
    }
    return true;
}
