/* Declarations: variables with the names that they have in the program, arrays of parameters, and what parameters come
 * from. */
#include "asm/facts.h"
#include "translate/translate.h"

#include <string.h>

/* A comment's text; what a compiler could take for something else is made harmless. */
void tr_comment(struct tr *t, struct span span)
{
    const char *text = t->p->text + span.offset;
    uint32_t at = 0, end = span.length;

    while (at < end && text[at] == '#')
        at++;
    while (end > at && (text[end - 1] == '\r' || text[end - 1] == ' ' || text[end - 1] == '\\'))
        end--;
    char *copy = arena_copy(&t->scratch, text + at, end - at);
    for (char *c = copy; c && *c; c++)
        if ((unsigned char)*c < ' ' || (unsigned char)*c > '~')
            *c = *c == '\t' ? ' ' : '?';
    tr_line(t, "//%s%s", copy && *copy && *copy != ' ' ? " " : "", copy ? copy : "");
}

static const char *initial(enum tr_type type)
{
    switch (type) {
    case T_FLOAT: return "vec4(0.0)";
    case T_INT: return "ivec4(0)";
    case T_UINT: return "uvec4(0u)";
    case T_DOUBLE: return "dvec4(0.0)";
    case T_INT64: return "i64vec4(0)";
    default: return "u64vec4(0)";
    }
}

static void variable(struct tr *t, uint32_t symbol)
{
    const struct symbol *s = program_symbol(t->p, symbol);
    const struct tr_symbol *ts = &t->symbols[symbol];

    if (s->array && !s->array_size)
        tr_refuse(t, s->span, "an array without elements");
    if (s->array)
        tr_line(t, "%s %s[%u];", tr_type_name(ts->type, 4), ts->name, s->array_size);
    else
        tr_line(t, "%s %s = %s;", tr_type_name(ts->type, 4), ts->name, initial((enum tr_type)ts->type));
    /* Nothing is put together or taken apart where the text of an extension has an order. A line of its own: glslang
     * 12 makes a variable of one function of what is precise and has a value at once. */
    if (tr_has(t, IN_ORDER | HAS_GPU5) && ts->type == T_FLOAT)
        tr_line(t, "precise %s;", ts->name);
}

/* Whether each number is one that a constant expression can say. */
static bool is_finite(const struct tr *t, const struct symbol *s)
{
    for (uint32_t i = 0; i < s->nbindings; i++) {
        const struct binding *b = program_binding(t->p, s->binding + i);
        for (uint8_t c = 0; b->kind == BIND_CONSTANT && c < 4; c++)
            if ((eval_constant_word(program_constant(t->p, b->constant), c, DT_F32) & 0x7f800000) == 0x7f800000)
                return !tr_has(t, HAS_BITS);
    }
    return true;
}

static void array_of_constants(struct tr *t, const struct symbol *s, const struct tr_symbol *ts)
{
    tr_line(t, "%svec4 %s[%u] = vec4[%u](", tr_hides_constants(t) ? "" : "const ", ts->name, s->elements, s->elements);
    t->depth++;
    for (uint32_t i = 0; i < s->elements; i++) {
        uint32_t at;
        const struct binding *b = tr_element(t, s, i, &at);
        tr_line(t, "%s%s", b ? tr_parameter(t, b, at).text : "vec4(0.0)", i + 1 < s->elements ? "," : ");");
    }
    t->depth--;
}

/* DECLARE of !!FP1.0: what the application sets by its name, and what it has before. */
static void named_parameter(struct tr *t, const struct symbol *s, struct tr_symbol *ts)
{
    const struct binding *b = s->nbindings ? program_binding(t->p, s->binding) : NULL;
    bool value = b && b->kind == BIND_CONSTANT && is_finite(t, s) && !tr_has(t, IS_ES);

    ts->name = tr_name(t, s->name);
    ts->uniform = true;
    if (tr_has(t, HAS_LOCATIONS) && !tr_has(t, HAS_COMPAT))
        tr_printf(t->out, "layout(location = %u) ", t->named);
    t->named++;
    tr_line(t, "uniform vec4 %s%s%s;", ts->name, value ? " = " : "", value ? tr_parameter(t, b, 0).text : "");
}

/* A parameter that is no array keeps its name where it is a constant; of the others a comment says what they are. */
static void parameter(struct tr *t, uint32_t symbol)
{
    const struct symbol *s = program_symbol(t->p, symbol);
    struct tr_symbol *ts = &t->symbols[symbol];
    uint32_t at;

    if (s->array) {
        if (ts->array == ARRAY_CONSTANT && !is_finite(t, s))
            ts->array = ARRAY_FILLED;
        if (!ts->relative || (ts->array != ARRAY_CONSTANT && ts->array != ARRAY_FILLED))
            return;
        ts->name = tr_name(t, s->name);
        if (ts->array == ARRAY_CONSTANT)
            array_of_constants(t, s, ts);
        else
            tr_line(t, "vec4 %s[%u];", ts->name, s->elements);
        return;
    }
    if (s->parameter || !s->nbindings) {
        named_parameter(t, s, ts);
        return;
    }
    const struct binding *b = tr_element(t, s, 0, &at);
    if (!b)
        return;
    if (b->kind == BIND_CONSTANT && tr_type_of_symbol(s) == T_FLOAT && is_finite(t, s)) {
        ts->name = tr_name(t, s->name);
        tr_line(t, "%svec4 %s = %s;", tr_hides_constants(t) ? "" : "const ", ts->name, tr_parameter(t, b, at).text);
    } else {
        tr_line(t, "// %s: %s", s->name, tr_parameter(t, b, at).text);
    }
}

enum tr_type tr_type_of_symbol(const struct symbol *s)
{
    return s->type == TYPE_INT ? T_INT : s->type == TYPE_UINT ? T_UINT : T_FLOAT;
}

void tr_declare_symbol(struct tr *t, uint32_t symbol)
{
    const struct symbol *s = program_symbol(t->p, symbol);
    struct tr_symbol *ts = &t->symbols[symbol];

    t->where = s->span;
    switch ((enum symbol_kind)s->kind) {
    case SYM_TEMP: case SYM_ADDRESS:
        ts->name = tr_name(t, s->name);
        if (s->kind == SYM_ADDRESS)
            ts->type = T_INT;
        variable(t, symbol);
        break;
    case SYM_PARAM:
        parameter(t, symbol);
        break;
    default:
        break;
    }
}

/* Arrays that are made of this and that, where the program begins. */
void tr_fill_arrays(struct tr *t)
{
    for (uint32_t i = 0; i < t->p->symbols.count; i++) {
        const struct symbol *s = program_symbol(t->p, i);
        if (s->kind != SYM_PARAM || t->symbols[i].array != ARRAY_FILLED || !t->symbols[i].name)
            continue;
        for (uint32_t e = 0; e < s->elements; e++) {
            uint32_t at;
            const struct binding *b = tr_element(t, s, e, &at);
            if (b)
                tr_line(t, "%s[%u] = %s;", t->symbols[i].name, e, tr_parameter(t, b, at).text);
        }
    }
}

/* ---- parameters ---------------------------------------------------------------------------------------------- */

static void uniform(struct tr *t, const char *name, uint32_t count, unsigned binding)
{
    if (!count)
        return;
    if (tr_has(t, HAS_COMPAT))
        tr_printf(&t->declarations, "uniform vec4 %s%s[%u];\n", t->prefix, name, count);
    else if (tr_has(t, HAS_LOCATIONS))
        tr_printf(&t->declarations, "layout(std140, binding = %u) uniform %sblock_%s { vec4 %s%s[%u]; };\n", binding,
                  t->prefix, name, t->prefix, name, count);
    else
        tr_printf(&t->declarations, "layout(std140) uniform %sblock_%s { vec4 %s%s[%u]; };\n", t->prefix, name,
                  t->prefix, name, count);
}

void tr_declare_parameters(struct tr *t)
{
    unsigned first = 3u * (t->stage - 1u);

    uniform(t, "state", (uint32_t)t->state.count, first);
    uniform(t, "env", t->env, first + 1);
    uniform(t, "local", t->local, first + 2);
}
