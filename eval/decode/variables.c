/* Variables, bindings and constants as planes. */
#include "eval/decode/variables.h"

#include "asm/binding_name.h"
#include "eval/numeric/half.h"
#include "eval/decode/half_storage.h"
#include "eval/machine/gl_state.h"
#include "eval/machine/vertex_arrays.h"

#include <string.h>

/* ---- constants ----------------------------------------------------------------------------------------- */

static uint64_t float_bits(double value, uint8_t type)
{
    uint64_t bits;
    uint32_t word;
    float f = (float)value;

    if (type == DT_F64) {
        memcpy(&bits, &value, sizeof bits);
        return bits;
    }
    memcpy(&word, &f, sizeof word);
    return word;
}

static uint64_t integer_bits(const struct constant *c, unsigned i)
{
    if (c->is_integer >> i & 1)
        return c->value[i].u;
    return c->value[i].f < 18446744073709551616.0 ? (uint64_t)c->value[i].f : UINT64_MAX;
}

uint64_t eval_constant_word(const struct constant *c, unsigned component, uint8_t type)
{
    unsigned i = c->scalar ? 0 : component;
    bool is_float = type_table[type].is_float;
    bool negative = c->negative >> i & 1;

    if (i >= c->count)
        return i < 3 ? 0 : is_float ? float_bits(1, type) : 1;
    if (is_float) {
        double value = c->is_integer >> i & 1 ? (double)c->value[i].u : c->value[i].f;
        return float_bits(negative ? -value : value, type);
    }
    uint64_t bits = integer_bits(c, i);
    return negative ? 0 - bits : bits;
}

uint64_t eval_literal_word(const struct constant *c, unsigned component, uint8_t type)
{
    unsigned i = c->scalar ? 0 : component;

    if (type != DT_F64 || i >= c->count || c->is_integer >> i & 1)
        return eval_constant_word(c, component, type);
    return float_bits(c->negative >> i & 1 ? -c->scaled[i] : c->scaled[i], type);
}

bool eval_reads_half(const struct insn *insn)
{
    return insn->op == OP_CVT && insn->type2 == DT_F16;
}

uint32_t eval_constant_half(const struct constant *c, unsigned component)
{
    return num_to_half((uint32_t)eval_constant_word(c, component, DT_F32));
}

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

/* How many elements a binding stands for: `program.local[0..3]` four. */
static uint32_t covers(const struct binding *b)
{
    unsigned i = b->nindices ? b->nindices - 1u : 0;

    if (!b->nindices || !b->range[i] || b->last[i] < b->first[i])
        return eval_state_rows(b->kind);
    return b->last[i] - b->first[i] + 1;
}

uint8_t eval_constant_type(uint8_t symbol_type, bool wide)
{
    switch (symbol_type) {
    case TYPE_INT: return wide ? DT_S64 : DT_S32;
    case TYPE_UINT: return wide ? DT_U64 : DT_U32;
    default: return wide ? DT_F64 : DT_F32;
    }
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
    return strstr(binding_table[kind].words, ".clock") != NULL;
}

/* What a program reads of its own results is these. */
static uint16_t source_kind(uint16_t kind)
{
    return asm_result_of_output(asm_canonical_binding(kind));
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
    if (b->relative && b->kind == BIND_FRAGMENT_TEXCOORD)
        return eval_fetch_texcoord(d, b, out->plane);
    if (asm_is_of_vertex(asm_canonical_binding(b->kind)) || asm_is_of_output_vertex(asm_canonical_binding(b->kind)))
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

const struct binding *eval_element_binding(const struct gp5_program *p, const struct symbol *s, uint64_t e, uint32_t *at)
{
    if (s->array && s->array_size == s->nbindings && e < s->nbindings) {       /* each covers one */
        *at = 0;
        return program_binding(p, s->binding + (uint32_t)e);
    }
    for (uint32_t i = 0; i < s->nbindings; i++) {
        const struct binding *b = program_binding(p, s->binding + i);
        uint32_t n = covers(b);
        if (e < n) {
            *at = (uint32_t)e;
            return b;
        }
        e -= n;
    }
    return NULL;
}

/* A variable of its own, or an array of it, in fresh planes. */
static bool place_temporary(struct decoder *d, uint32_t symbol)
{
    const struct symbol *s = program_symbol(d->p, symbol);
    const struct element_of *of = eval_element_of(&d->elements, symbol);
    uint64_t elements = element_count(s), unit = s->size == SIZE_LONG || eval_is_both(d, symbol) ? 2 : 1;
    uint32_t first;

    if (elements * 4 * unit > MAX_PLANES)
        return eval_refuse(d, s->span, "%s of %llu elements", s->name, (unsigned long long)elements);
    first = eval_layout_planes(&d->layout, (uint32_t)(elements * 4 * unit));
    if (d->layout.failed || d->layout.full)
        return eval_out_of_memory(d);
    for (uint32_t i = 0; i < elements * 4 * unit; i++)
        *(struct plane_name *)vec_at(&d->layout.names, first + i) = (struct plane_name){
            .symbol = of ? of->symbol : symbol, .element = of ? of->element : (uint32_t)(i / (4 * unit)),
            .component = (uint8_t)(i / unit % 4), .array = s->array || of};
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
        out->plane[c] = eval_layout_word64(&d->layout, nvidia ? eval_literal_word(value, c, type) : eval_constant_word(value, c, type));
    return !(d->layout.failed || d->layout.full) || eval_out_of_memory(d);
}

bool eval_symbol_planes(struct decoder *d, uint32_t symbol, uint64_t element, struct span where,
                        struct plane_run *out)
{
    const struct symbol *s = program_symbol(d->p, symbol);
    const struct binding *b;
    uint32_t at;

    out->both = false;
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
        return eval_refuse(d, where, "the 64-bit variable %s", s->name);
    return eval_binding_planes(d, b, at, s->type, out);
}

/* The elements of a parameter array side by side, so that an index can choose among them. */
static bool place_parameters(struct decoder *d, uint32_t symbol)
{
    const struct symbol *s = program_symbol(d->p, symbol);
    uint64_t elements = element_count(s);
    uint32_t first;

    if (elements * 4 > MAX_PLANES || s->size == SIZE_LONG)
        return eval_refuse(d, s->span, "the array %s", s->name);
    first = eval_layout_planes(&d->layout, (uint32_t)elements * 4);
    for (uint32_t e = 0; e < elements && !d->layout.failed && !d->layout.full; e++) {
        uint32_t at;
        const struct binding *b = eval_element_binding(d->p, s, e, &at);
        if (!b || !evaluated(d, b->kind))
            return eval_refuse(d, s->span, "the array %s", s->name);
        for (unsigned c = 0; c < 4; c++) {
            uint32_t plane = first + e * 4 + c;
            if (b->kind == BIND_CONSTANT) {
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
        if (s->kind == SYM_OUTPUT && s->array && s->nbindings && d->ends.indexed[i] && !place_parameters(d, i))
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
    out->wide = s->size == SIZE_LONG && s->kind == SYM_TEMP;
    out->first = d->layout.symbol_plane[symbol];
    out->elements = element_count(s);
    out->stride = out->wide ? 8 : 4;
    return true;
}

bool eval_loads_given(const struct gp5_program *p, const struct insn *insn)
{
    const struct operand *o = insn->op == OP_LDC ? program_operand(p, insn->src) : NULL;

    for (unsigned k = 0; o && k < o->nindices; k++)
        if (program_index(p, o->index + k)->mode == INDEX_RELATIVE)
            return false;
    return o != NULL;
}
