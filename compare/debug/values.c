#include "compare/debug/values.h"

#include "asm/binding_name.h"
#include "asm/facts.h"
#include "eval/decode/variables.h"
#include "eval/state/element_binding.h"
#include "eval/state/gl_state.h"
#include "eval/track/reason.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char components[] = "xyzw";

/* ---- registers --------------------------------------------------------------------------------------------------- */

bool values_is_wide(const struct gp5_executable *x, uint32_t plane)
{
    const struct plane_name *a = &x->names[plane], *b = a + 1;
    return plane + 1 < x->nplanes && a->symbol != NO_INDEX && a->symbol == b->symbol && a->element == b->element &&
           a->component == b->component;
}

void values_plane_name(const struct gp5_executable *x, uint32_t plane, char name[NAME_ROOM])
{
    const struct plane_name *n = &x->names[plane];
    const char *symbol = program_symbol(x->program, n->symbol)->name;
    if (n->array)
        snprintf(name, NAME_ROOM, "%.70s[%" PRIu32 "]", symbol, n->element);
    else
        snprintf(name, NAME_ROOM, "%.80s", symbol);
}

static uint32_t find_symbol(const struct gp5_program *p, const char *name, size_t length)
{
    for (uint32_t i = 0; i < p->symbols.count; i++) {
        const struct symbol *s = program_symbol(p, i);
        if (strlen(s->name) == length && !memcmp(s->name, name, length))
            return s->kind == SYM_ALIAS ? s->binding : i;
    }
    return NO_INDEX;
}

static void find_planes(const struct gp5_executable *x, uint32_t element, struct debugger_register *r)
{
    for (uint32_t plane = 0; plane < x->nplanes && r->n < 4; plane++) {
        const struct plane_name *n = &x->names[plane];
        bool wide = values_is_wide(x, plane);
        if (n->symbol == r->symbol && n->element == element) {
            r->component[r->n] = n->component;
            r->plane[r->n++] = plane;
            r->wide = wide;
        }
        plane += wide;
    }
    if (r->n)
        values_plane_name(x, r->plane[0], r->name);
}

/* ---- bindings ---------------------------------------------------------------------------------------------------- */

static void find_sources(const struct gp5_executable *x, uint16_t kind, uint32_t index, struct debugger_register *r)
{
    for (unsigned c = 0; c < binding_table[kind].components; c++)
        for (uint32_t i = 0; i < x->nsources; i++) {
            const struct plane_source *s = &x->sources[i];
            if (s->kind != kind || s->index != index || s->component != c)
                continue;
            r->component[r->n] = (uint8_t)c;
            r->plane[r->n++] = s->plane;
            break;
        }
    r->type = binding_table[kind].type == 'N' ? 0 : binding_table[kind].type;
}

static uint16_t kind_of(uint16_t kind)
{
    return asm_result_of_output(asm_canonical_binding(kind));
}

/* The at-th vector of what a binding covers. */
static void find_binding(const struct gp5_executable *x, const struct binding *b, uint32_t at,
                         struct debugger_register *r)
{
    if (b->kind == BIND_CONSTANT || b->kind >= BIND_COUNT)
        return;
    find_sources(x, kind_of(b->kind),
                 eval_is_state(b->kind) ? eval_state_index(b, at) : (b->nindices ? b->first[0] : 0) + at, r);
}

static bool same_text(const struct gp5_program *p, struct span span, const char *word)
{
    for (uint32_t i = 0; i < span.length; i++) {
        char c = p->text[span.offset + i];
        if (!isspace((unsigned char)c) && c != *word++)
            return false;
    }
    return !*word;
}

static void find_word(const struct gp5_executable *x, const char *word, struct debugger_register *r)
{
    const struct gp5_program *p = x->program;
    struct binding_name name;
    for (uint32_t i = 0; i < p->bindings.count && !r->n; i++)
        if (same_text(p, program_binding(p, i)->span, word))
            find_binding(x, program_binding(p, i), 0, r);
    if (!r->n && asm_find_binding((enum program_stage)profile_table[x->profile].stage_id, word, &name)) {
        struct binding b = {.kind = name.kind, .nindices = name.nindices,
                            .first = {name.index[0], name.index[1]}, .last = {name.index[0], name.index[1]}};
        find_binding(x, &b, 0, r);
    }
}

/* ---- by what one writes ------------------------------------------------------------------------------------------ */

static bool find_whole(const struct gp5_executable *x, const char *word, struct debugger_register *r)
{
    const char *bracket = strchr(word, '[');
    char *end = NULL;
    unsigned long element = bracket ? strtoul(bracket + 1, &end, 10) : 0;
    uint32_t at;
    *r = (struct debugger_register){.symbol = NO_INDEX};
    snprintf(r->name, sizeof r->name, "%s", word);
    if (!bracket || (end > bracket + 1 && !strcmp(end, "]") && element <= UINT32_MAX))
        r->symbol = find_symbol(x->program, word, bracket ? (size_t)(bracket - word) : strlen(word));
    if (r->symbol == NO_INDEX) {
        find_word(x, word, r);
        return r->n != 0;
    }
    find_planes(x, (uint32_t)element, r);
    const struct symbol *s = program_symbol(x->program, r->symbol);
    const struct binding *b =
        !r->n && s->nbindings ? eval_element_binding(x->program, s, (uint32_t)element, &at) : NULL;
    if (b) {
        r->symbol = NO_INDEX;
        find_binding(x, b, at, r);
    }
    return r->n != 0;
}

/* What is of no type of its own is of the type that an instruction writes or reads it as. */
static bool is_same(const struct gp5_executable *x, uint8_t kind, uint32_t ref, const struct debugger_register *r)
{
    const struct symbol *s = kind == OPND_SYMBOL ? program_symbol(x->program, ref) : NULL;
    struct debugger_register other = {.n = 0};
    if (kind == OPND_BINDING)
        find_binding(x, program_binding(x->program, ref), 0, &other);
    else if (s && s->nbindings)
        find_binding(x, program_binding(x->program, s->binding), 0, &other);
    return other.n && other.plane[0] == r->plane[0];
}

static char letter_of(uint8_t type)
{
    switch (type) {
    case DT_S8: case DT_S16: case DT_S32: case DT_S64: return 'S';
    case DT_U8: case DT_U16: case DT_U32: case DT_U64: return 'U';
    default: return 'F';
    }
}

static char used_type(const struct gp5_executable *x, const struct debugger_register *r)
{
    const struct gp5_program *p = x->program;
    for (uint32_t i = 0; i < p->insns.count; i++) {
        const struct insn *insn = program_insn(p, i);
        if (is_same(x, insn->dst.kind, insn->dst.ref, r))
            return values_type_of(insn);
        for (unsigned k = 0; k < insn->nsrc; k++) {
            const struct operand *o = program_operand(p, insn->src + k);
            if (is_same(x, o->kind, o->ref, r))
                return letter_of(eval_operand_type(insn, k));
        }
    }
    return 'F';
}

/* Only the components that are named. */
static bool keep_components(struct debugger_register *r, const char *named)
{
    unsigned n = 0;
    for (unsigned i = 0; i < r->n; i++)
        if (strchr(named, components[r->component[i] & 3])) {
            r->component[n] = r->component[i];
            r->plane[n++] = r->plane[i];
        }
    r->n = n;
    return n != 0;
}

bool values_find(const struct gp5_executable *x, const char *word, struct debugger_register *r)
{
    const char *dot = strrchr(word, '.');
    char whole[NAME_ROOM];
    if (find_whole(x, word, r)) {
        if (!r->type && r->symbol == NO_INDEX)
            r->type = used_type(x, r);
        return true;
    }
    if (!dot || !dot[1] || strspn(dot + 1, components) != strlen(dot + 1) || (size_t)(dot - word) >= sizeof whole)
        return false;
    memcpy(whole, word, (size_t)(dot - word));
    whole[dot - word] = 0;
    return values_find(x, whole, r) && keep_components(r, dot + 1);
}

bool values_constant(const struct gp5_executable *x, const char *word, struct span *text)
{
    const char *bracket = strchr(word, '[');
    uint32_t at, symbol = find_symbol(x->program, word, bracket ? (size_t)(bracket - word) : strlen(word));
    const struct symbol *s = symbol == NO_INDEX ? NULL : program_symbol(x->program, symbol);
    const struct binding *b =
        s && s->nbindings && s->kind == SYM_PARAM
            ? eval_element_binding(x->program, s, bracket ? strtoul(bracket + 1, NULL, 10) : 0, &at) : NULL;
    if (!b || b->kind != BIND_CONSTANT)
        return false;
    *text = b->span;
    return true;
}

void values_component_name(const struct debugger_register *r, unsigned i, char name[NAME_ROOM + 2])
{
    size_t length = strlen(r->name);
    char c = components[r->component[i] & 3];
    bool said = r->n == 1 && length > 2 && r->name[length - 2] == '.' && r->name[length - 1] == c;
    snprintf(name, NAME_ROOM + 2, said ? "%s" : "%s.%c", r->name, c);
}

/* Whether an earlier source is of the same vector. */
static bool seen_before(const struct gp5_executable *x, uint32_t at)
{
    for (uint32_t i = 0; i < at; i++)
        if (x->sources[i].kind == x->sources[at].kind && x->sources[i].index == x->sources[at].index)
            return true;
    return false;
}

/* "result.color.xy" is of result.color. */
static int without_mask(const char *text, int length)
{
    int n = length;

    while (n > 0 && length - n < 4 && strchr("xyzw", text[n - 1]))
        n--;
    return n < length && n > 0 && text[n - 1] == '.' ? n - 1 : length;
}

/* As the program writes it, or as the table does. */
static void name_source(const struct gp5_executable *x, const struct plane_source *s, struct debugger_register *r)
{
    const struct gp5_program *p = x->program;
    eval_source_name(s, r->name, sizeof r->name);
    for (uint32_t i = 0; i < p->bindings.count; i++) {
        const struct binding *b = program_binding(p, i);
        uint32_t covered = 1;
        if (b->kind >= BIND_COUNT || b->kind == BIND_CONSTANT || kind_of(b->kind) != s->kind)
            continue;
        if (b->nindices && b->range[b->nindices - 1])
            covered = b->last[b->nindices - 1] - b->first[b->nindices - 1] + 1;
        else if (eval_is_state(b->kind))
            covered = eval_state_rows(b->kind);
        for (uint32_t at = 0; at < covered && at < 4096; at++) {
            struct debugger_register other = {.n = 0};
            find_binding(x, b, at, &other);
            if (!other.n || other.plane[0] != r->plane[0])
                continue;
            int length = without_mask(p->text + b->span.offset,
                                      b->span.length < NAME_ROOM - 12 ? (int)b->span.length : NAME_ROOM - 12);
            if (covered > 1 && !eval_is_state(b->kind))
                return;
            if (covered > 1)
                snprintf(r->name, sizeof r->name, "%.*s+%" PRIu32, length, p->text + b->span.offset, at);
            else
                snprintf(r->name, sizeof r->name, "%.*s", length, p->text + b->span.offset);
            return;
        }
    }
}

bool values_binding(const struct gp5_executable *x, size_t at, bool result, bool state, struct debugger_register *r)
{
    for (uint32_t i = 0; i < x->nsources; i++) {
        const struct plane_source *s = &x->sources[i];
        uint8_t class = binding_table[s->kind].class;
        bool is_result = class == BC_RESULT, is_state = class != BC_RESULT && class != BC_ATTRIB;
        bool hidden = is_result && s->index & SHARED_BEFORE;    /* of a patch: what was there before */
        if (is_result != result || is_state != state || hidden || seen_before(x, i) || at--)
            continue;
        *r = (struct debugger_register){.symbol = NO_INDEX};
        find_sources(x, s->kind, s->index, r);
        name_source(x, s, r);
        r->type = r->type ? r->type : used_type(x, r);
        return true;
    }
    return false;
}

/* ---- types ------------------------------------------------------------------------------------------------------- */

char values_type_of(const struct insn *insn)
{
    char letter = op_number(insn->op, 0);
    return letter == 'F' || letter == 'S' || letter == 'U' ? letter : letter_of(eval_result_type(insn));
}

char values_declared(const struct gp5_program *p, uint32_t symbol, unsigned component)
{
    static const char types[] = {[TYPE_NONE] = 0, [TYPE_INT] = 'S', [TYPE_UINT] = 'U', [TYPE_FLOAT] = 'F'};
    const struct symbol *s = program_symbol(p, symbol);
    if (s->type != TYPE_NONE)
        return types[s->type];
    if (s->kind == SYM_ADDRESS)
        return 'S';
    for (uint32_t i = 0; i < p->insns.count; i++) {
        const struct insn *insn = program_insn(p, i);
        if (insn->dst.kind == OPND_SYMBOL && insn->dst.ref == symbol && insn->dst.mask >> component & 1)
            return values_type_of(insn);
    }
    return 'F';
}
