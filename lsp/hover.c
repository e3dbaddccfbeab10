/* Hover: what an opcode does and takes, where a name is declared, what an option turns on, what a binding is. */
#include "lsp/context.h"
#include "lsp/features.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

struct page {
    char text[4096];
    size_t length;
};

#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
static void put(struct page *p, const char *format, ...)
{
    va_list arguments;
    int n;

    va_start(arguments, format);
    n = vsnprintf(p->text + p->length, sizeof p->text - p->length, format, arguments);
    va_end(arguments);
    p->length += n < 0 ? 0 : (size_t)n;
    if (p->length >= sizeof p->text)
        p->length = sizeof p->text - 1;
}

static json_t *answer(const struct document *d, const struct page *p, struct word word)
{
    return json_pack("{s:{s:s, s:o}, s:o}", "contents", "kind", "markdown", "value", lsp_text(p->text), "range",
                     document_range(d, word.offset, word.length));
}

static void put_types(struct page *p, const struct op_info *op)
{
    static const struct { unsigned bit; const char *names; } types[] = {
        {T_F, "F F32 F16"}, {T_F64, "F64"}, {T_I, "S U S32 U32"}, {T_I64, "S64 U64"}, {T_SHORT, "S8 U8 S16 U16"}};

    if (!op->types)
        return;
    put(p, "\n\nTypes:");
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (op->types & types[i].bit)
            put(p, " %s", types[i].names);
    if (op->default_type != DT_NONE)
        put(p, "; without one %s", type_table[op->default_type].name);
}

static void put_op(struct page *p, unsigned id, const struct gp5_program *program)
{
    const struct op_info *op = &op_table[id];
    char form[256];

    asm_describe_op((enum gp5_op)id, form, sizeof form);
    put(p, "```\n%s\n```\n%s", form, op->meaning);
    put_types(p, op);
    if (!profile_in(program->profile, op->profiles))
        put(p, "\n\nNot in %s.", profile_table[program->profile].header ? profile_table[program->profile].header : "");
    else if (profile_in(program->profile, op->gated))
        put(p, "\n\nNeeds `OPTION %s;`", option_table[op->option].name);
    put(p, "\n\n%s", op->spec);
}

/* The line that declares a name. */
static void put_symbol(struct page *p, const struct document *d, const struct region *r, const struct symbol *s)
{
    size_t offset = r->offset + s->span.offset;
    uint32_t line = diag_line_at(&d->lines, (uint32_t)offset);
    size_t start = d->lines.start[line - 1], end = start;

    if (s->kind == SYM_LABEL && !s->defined) {
        put(p, "a label that stands nowhere");
        return;
    }
    while (end < d->size && d->text[end] != '\n' && d->text[end] != '\r' && end - start < 200)
        end++;
    while (start < end && (d->text[start] == ' ' || d->text[start] == '\t'))
        start++;
    put(p, "```\n%.*s\n```\nline %u", (int)(end - start), d->text + start, (unsigned)line);
    if (s->array && s->array_size)
        put(p, ", %u elements", (unsigned)s->array_size);
}

/* The binding of an operand or of a declaration that a place is in. */
static const struct binding *binding_at(const struct region *r, size_t offset)
{
    for (size_t i = 0; i < r->program->bindings.count; i++) {
        const struct binding *b = program_binding(r->program, i);
        if (b->kind < BIND_UNKNOWN && b->span.length && offset - r->offset >= b->span.offset &&
            offset - r->offset < b->span.offset + b->span.length)
            return b;
    }
    return NULL;
}

static void put_binding(struct page *p, const struct binding *b)
{
    static const struct { char letter; const char *name; } types[] = {
        {'F', "floats"}, {'S', "signed integers"}, {'U', "unsigned integers"}};
    const struct binding_info *info = &binding_table[b->kind];

    put(p, "```\n%s\n```\n", info->words);
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (types[i].letter == info->type)
            put(p, "%u of 4 components, %s", (unsigned)info->components, types[i].name);
    if (info->option != OPTION_NONE)
        put(p, "\n\nNeeds `OPTION %s;`", option_table[info->option].name);
}

json_t *lsp_hover(const struct document *d, size_t offset)
{
    const struct region *r = document_region(d, offset);
    struct word word = word_at(d, offset);
    struct page p = {.length = 0};

    if (!r || !word.length)
        return json_null();
    struct context c = lsp_context_at(d, r, word.offset + word.length);
    if (c.kind == LSP_COMMENT)
        return json_null();
    uint32_t symbol = word_symbol(d, r, word);
    const struct binding *binding = binding_at(r, word.offset);
    if (c.kind == LSP_OPCODE || c.kind == LSP_MODIFIER) {
        unsigned op = lsp_find_op(d, c.opcode);
        if (op != OP_UNKNOWN) {
            put_op(&p, op, r->program);
            word = c.opcode;
        } else if (symbol != NO_INDEX) {
            put_symbol(&p, d, r, program_symbol(r->program, symbol));
        }
    } else if (c.kind == LSP_OPTION) {
        unsigned option = asm_find_option(d->text + word.offset, word.length);
        if (option < OPTION_COUNT && option != OPTION_NONE)
            put(&p, "**%s**: %s", option_table[option].name, option_table[option].meaning);
    } else if (symbol != NO_INDEX && !(word.offset && d->text[word.offset - 1] == '.')) {
        put_symbol(&p, d, r, program_symbol(r->program, symbol));
    } else if (binding) {
        put_binding(&p, binding);
    }
    return p.length ? answer(d, &p, word) : json_null();
}
