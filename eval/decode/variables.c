/* Variables, bindings and constants as planes. */
#include "eval/decode/variables.h"

#include "asm/binding_name.h"
#include "eval/numeric/half.h"
#include "eval/decode/half_storage.h"
#include "eval/state/gl_state.h"
#include "eval/decode/vertex_arrays.h"

#include <string.h>

/* ---- constants ----------------------------------------------------------------------------------------- */

/* ---- bindings ------------------------------------------------------------------------------------------ */

static bool is_attribute(unsigned stage, uint16_t kind)
{
    const struct binding_info *b = &binding_table[kind];

    return stage != STAGE_COMPUTE && (b->class == BC_RESULT || b->class == BC_ATTRIB);
}

static bool evaluated(const struct decoder *d, uint16_t kind)
{
    switch (kind) {
    case BIND_CONSTANT:
    case BIND_INVOCATION_LOCALID: case BIND_INVOCATION_GLOBALID: case BIND_INVOCATION_GROUPID:
    case BIND_INVOCATION_GROUPCOUNT: case BIND_INVOCATION_GROUPSIZE: case BIND_INVOCATION_LOCALINDEX:
    case BIND_INVOCATION_THREADID: case BIND_INVOCATION_THREADEQMASK: case BIND_INVOCATION_THREADLTMASK:
    case BIND_INVOCATION_THREADLEMASK: case BIND_INVOCATION_THREADGTMASK: case BIND_INVOCATION_THREADGEMASK:
    case BIND_INVOCATION_WARPID: case BIND_INVOCATION_SMID: case BIND_INVOCATION_CLOCKLO: case BIND_INVOCATION_CLOCKHI:
    case BIND_FRAGMENT_COLOR_PRIMARY: case BIND_FRAGMENT_COLOR_SECONDARY: case BIND_FRAGMENT_COLOR:
    case BIND_FRAGMENT_TEXCOORD: case BIND_FRAGMENT_FOGCOORD: case BIND_FRAGMENT_POSITION:
    case BIND_RESULT_COLOR: case BIND_RESULT_COLOR_N: case BIND_RESULT_COLOR_ATI: case BIND_RESULT_DEPTH:
    case BIND_PROGRAM_ENV: case BIND_PROGRAM_LOCAL: case BIND_PROGRAM_STORAGELEN:
    case BIND_STATE_THREAD_WARPSIZE: case BIND_STATE_THREAD_WARPSPERSM: case BIND_STATE_THREAD_SMCOUNT:
        return true;
    default:
        return eval_is_state(kind) || is_attribute(profile_table[d->p->profile].stage_id, kind);
    }
}

/* Which of a binding's vectors the `at`-th is. */
static uint32_t source_index(const struct binding *b, uint32_t at)
{
    return eval_is_state(b->kind) ? eval_state_index(b, at) : (b->nindices ? b->first[0] : 0) + at;
}

/* The clock is read anew each time. */
static bool read_clock(struct decoder *d, bool high, struct plane_run *out)
{
    uint32_t pair = eval_layout_scratch(&d->layout);
    struct step *s = eval_step(d, STEP_CLOCK);

    if (!s)
        return false;
    s->ref = pair;
    for (unsigned c = 0; c < 4; c++)
        out->plane[c] = pair + high;
    return !(d->layout.failed || d->layout.full) || eval_out_of_memory(d);
}

static bool is_clock(uint16_t kind)
{
    return binding_table[kind].class == BC_ATTRIB && strstr(binding_table[kind].words, ".clock");
}

/* What a program reads of its own results is these. */
static uint16_t source_kind(uint16_t kind)
{
    return asm_result_of_output(asm_canonical_binding(kind));
}

static bool is_of_vertex(uint16_t kind)
{
    return asm_is_of_vertex(asm_canonical_binding(kind)) || asm_is_of_output_vertex(asm_canonical_binding(kind));
}

bool eval_binding_planes(struct decoder *d, const struct binding *b, uint32_t at, uint8_t type,
                         struct plane_run *out)
{
    out->wide = false;
    if (b->kind >= BIND_COUNT || !evaluated(d, b->kind))
        return eval_refuse(d, b->span, "%.*s", (int)(b->span.length < 60 ? b->span.length : 60),
                           d->p->text + b->span.offset);
    if (is_clock(b->kind))
        return read_clock(d, binding_table[b->kind].words[strlen(binding_table[b->kind].words) - 1] == 'i', out);
    if (b->relative && (b->kind == BIND_FRAGMENT_TEXCOORD || b->kind == BIND_VERTEX_TEXCOORD ||
                        b->kind == BIND_VERTEX_ATTRIB))
        return eval_fetch_texcoord(d, b, out->plane);
    if (is_of_vertex(b->kind))
        return eval_fetch_vertex_binding(d, b, 15, out->plane);
    for (unsigned c = 0; c < 4; c++) {
        if (b->kind == BIND_CONSTANT) {
            const struct constant *value = program_constant(d->p, b->constant);
            out->plane[c] = eval_layout_word(
                &d->layout, (uint32_t)eval_constant_word(value, c, eval_constant_type(type, false)));
        } else {
            out->plane[c] = eval_layout_source(&d->layout, source_kind(b->kind), source_index(b, at), c);
        }
    }
    return !(d->layout.failed || d->layout.full) || eval_out_of_memory(d);
}

/* ---- variables ----------------------------------------------------------------------------------------- */

static uint32_t element_count(const struct symbol *s)
{
    return s->array ? s->array_size : 1;
}

/* A variable of its own, or an array of it, in fresh planes. */
static bool place_temporary(struct decoder *d, uint32_t symbol)
{
    const struct symbol *s = program_symbol(d->p, symbol);
    uint64_t elements = element_count(s), unit = s->size == SIZE_LONG || eval_is_both(d, symbol) ? 2 : 1;
    uint32_t first;

    if (elements * 4 * unit > MAX_PLANES)
        return eval_refuse(d, s->span, "%s of %llu elements", s->name, (unsigned long long)elements);
    first = eval_layout_planes(&d->layout, (uint32_t)(elements * 4 * unit));
    if (d->layout.failed || d->layout.full)
        return eval_out_of_memory(d);
    for (uint32_t i = 0; i < elements * 4 * unit; i++)
        *(struct plane_name *)vec_at(&d->layout.names, first + i) = (struct plane_name){
            .symbol = symbol, .element = (uint32_t)(i / (4 * unit)), .component = (uint8_t)(i / unit % 4),
            .array = s->array};
    d->layout.symbol_plane[symbol] = first;
    return true;
}

/* A constant of a LONG parameter. */
static bool wide_constant(struct decoder *d, const struct symbol *s, const struct binding *b,
                          struct plane_run *out)
{
    const struct constant *value = program_constant(d->p, b->constant);
    uint8_t type = eval_constant_type(s->type, true);
    bool nvidia = d->x->options.semantics == GP5_SEMANTICS_NVIDIA;

    out->wide = true;
    for (unsigned c = 0; c < 4; c++)
        out->plane[c] = eval_layout_word64(&d->layout, nvidia ? eval_literal_word(d->p, value, c, type)
                                                              : eval_constant_word(value, c, type));
    return !(d->layout.failed || d->layout.full) || eval_out_of_memory(d);
}

static bool place_parameters(struct decoder *d, uint32_t symbol);

/* An attribute of 64 bits, and those that stand beside it in an array. */
static bool long_attribute(struct decoder *d, uint32_t symbol, uint64_t element, struct plane_run *out)
{
    if (d->layout.symbol_plane[symbol] == NO_PLANE && !place_parameters(d, symbol))
        return false;
    out->wide = true;
    for (unsigned c = 0; c < 4; c++)
        out->plane[c] = d->layout.symbol_plane[symbol] + ((uint32_t)element * 4 + c) * 2;
    return true;
}

bool eval_symbol_planes(struct decoder *d, uint32_t symbol, uint64_t element, struct span where,
                        struct plane_run *out)
{
    const struct symbol *s = program_symbol(d->p, symbol);
    const struct binding *b;
    uint32_t at;

    out->both = out->wide = false;
    if (!element && d->layout.parameter[symbol][0] != NO_PLANE) {
        memcpy(out->plane, d->layout.parameter[symbol], sizeof out->plane);
        return true;
    }
    if (element >= element_count(s))
        return eval_refuse(d, where, "element %llu of %s", (unsigned long long)element, s->name);
    if (s->kind == SYM_TEMP || s->kind == SYM_ADDRESS || (s->kind == SYM_OUTPUT && !s->nbindings)) {
        uint32_t unit = s->size == SIZE_LONG || eval_is_both(d, symbol) ? 2 : 1;
        if (d->layout.symbol_plane[symbol] == NO_PLANE && !place_temporary(d, symbol))
            return false;
        out->wide = s->size == SIZE_LONG;
        out->both = unit == 2 && !out->wide;
        for (unsigned c = 0; c < 4; c++)
            out->plane[c] = d->layout.symbol_plane[symbol] + ((uint32_t)element * 4 + c) * unit;
        return true;
    }
    b = eval_element_binding(d->p, s, element, &at);
    if (!b && s->parameter) {           /* DECLARE without a value: zeros, until the application says otherwise */
        out->wide = false;
        for (unsigned c = 0; c < 4; c++)
            out->plane[c] = eval_layout_word(&d->layout, 0);
        return !(d->layout.failed || d->layout.full) || eval_out_of_memory(d);
    }
    if (!b)
        return eval_refuse(d, where, "%s, which is bound to nothing", s->name);
    if (s->size == SIZE_LONG && b->kind == BIND_CONSTANT)
        return wide_constant(d, s, b, out);
    if (s->size == SIZE_LONG)
        return long_attribute(d, symbol, element, out);
    if (!eval_binding_planes(d, b, at, s->type, out))
        return false;
    if (!s->array && !b->relative && !is_clock(b->kind) && !is_of_vertex(b->kind))
        memcpy(d->layout.parameter[symbol], out->plane, sizeof out->plane);
    return true;
}

/* Results of the output patch are read where they are written. True where all of them stand there, side by side. */
static bool share_results(struct decoder *d, uint32_t symbol)
{
    const struct symbol *s = program_symbol(d->p, symbol);
    uint32_t first = NO_PLANE, at;

    for (uint32_t e = 0; e < element_count(s); e++) {
        const struct binding *b = eval_element_binding(d->p, s, e, &at);
        for (unsigned c = 0; c < 4; c++) {
            uint32_t plane = b && binding_table[b->kind].class != BC_RESULT
                                 ? eval_layout_placed(&d->layout, source_kind(b->kind), source_index(b, at), c)
                                 : NO_PLANE;
            first = e || c ? first : plane;
            if (plane == NO_PLANE || plane != first + e * 4 + c)
                return false;
        }
    }
    d->layout.symbol_plane[symbol] = first;
    return first != NO_PLANE;
}

static bool is_of_patch_results(const struct decoder *d, const struct symbol *s)
{
    uint32_t at;
    const struct binding *b = s->kind == SYM_ATTRIB ? eval_element_binding(d->p, s, 0, &at) : NULL;
    return b && b->kind < BIND_COUNT && binding_table[source_kind(b->kind)].class == BC_RESULT &&
           asm_is_of_patch(source_kind(b->kind));
}

/* The elements of a parameter array side by side, so that an index can choose among them. */
static bool place_parameters(struct decoder *d, uint32_t symbol)
{
    const struct symbol *s = program_symbol(d->p, symbol);
    uint64_t elements = element_count(s), unit = s->size == SIZE_LONG ? 2 : 1;
    uint32_t first;

    if (is_of_patch_results(d, s) && share_results(d, symbol))
        return true;

    if (elements * 4 * unit > MAX_PLANES)
        return eval_refuse(d, s->span, "the array %s", s->name);
    if (unit > 1 && s->kind != SYM_ATTRIB)
        return eval_refuse(d, s->span, "LONG OUTPUT %s", s->name);
    first = eval_layout_planes(&d->layout, (uint32_t)(elements * 4 * unit));
    for (uint32_t e = 0; e < elements && !d->layout.failed && !d->layout.full; e++) {
        uint32_t at;
        const struct binding *b = eval_element_binding(d->p, s, e, &at);
        if (!b || !evaluated(d, b->kind))
            return eval_refuse(d, s->span, "the array %s", s->name);
        for (unsigned c = 0; c < 4; c++) {
            uint32_t plane = first + (e * 4 + c) * (uint32_t)unit;
            if (unit > 1) {
                eval_layout_source_at(&d->layout, b->kind, source_index(b, at) | LOW_WORD, c, plane);
                eval_layout_source_at(&d->layout, b->kind, source_index(b, at) | HIGH_WORD, c, plane + 1);
            } else if (b->kind == BIND_CONSTANT) {
                const struct constant *value = program_constant(d->p, b->constant);
                struct plane_word word = {
                    plane, (uint32_t)eval_constant_word(value, c, eval_constant_type(s->type, false))};
                eval_push(d, &d->layout.constants, &word);
            } else {
                eval_layout_source_at(&d->layout, source_kind(b->kind), source_index(b, at), c, plane);
            }
        }
    }
    if (d->layout.failed || d->layout.full || d->no_memory)
        return eval_out_of_memory(d);
    d->layout.symbol_plane[symbol] = first;
    return true;
}

/* Arrays of results that an index reaches stand side by side before anything else names their elements. */
bool eval_place_results(struct decoder *d)
{
    for (uint32_t i = 0; i < d->p->symbols.count; i++) {
        const struct symbol *s = program_symbol(d->p, i);
        if (s->kind == SYM_OUTPUT && s->array && s->nbindings && d->model.ends.indexed[i] && !place_parameters(d, i))
            return false;
    }
    for (uint32_t i = 0; i < d->p->symbols.count; i++) {
        const struct symbol *s = program_symbol(d->p, i);
        if (s->array && d->model.ends.indexed[i] && is_of_patch_results(d, s) && !place_parameters(d, i))
            return false;
    }
    return true;
}

bool eval_array_planes(struct decoder *d, uint32_t symbol, struct span where, struct array_planes *out)
{
    const struct symbol *s = program_symbol(d->p, symbol);

    if (!s->array || !element_count(s))
        return eval_refuse(d, where, "an index on %s", s->name);
    if (d->layout.symbol_plane[symbol] == NO_PLANE &&
        !(s->kind == SYM_TEMP ? place_temporary(d, symbol) : place_parameters(d, symbol)))
        return false;
    out->wide = s->size == SIZE_LONG;
    out->first = d->layout.symbol_plane[symbol];
    out->elements = element_count(s);
    out->stride = out->wide ? 8 : 4;
    return true;
}
