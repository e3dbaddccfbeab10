/* Completion: opcodes and keywords of the dialect, modifiers that the opcode takes, options, declared names, bindings.
 */
#include "lsp/context.h"
#include "lsp/features.h"

#include "asm/arena.h"
#include "asm/words.h"

#include <stdio.h>
#include <string.h>

/* The protocol's CompletionItemKind. */
enum item_kind { ITEM_FUNCTION = 3, ITEM_VARIABLE = 6, ITEM_PROPERTY = 10, ITEM_KEYWORD = 14, ITEM_CONSTANT = 21 };

struct items {
    json_t *array;
    const struct document *d;
    const struct region *r;
    const struct context *c;
    uint64_t options;
    bool failed;
};

/* `detail` stands beside the label, `more` below it; either may be NULL. */
static void add(struct items *items, const char *label, enum item_kind kind, const char *detail, const char *more)
{
    json_t *edit = json_pack("{s:o, s:s}", "range",
                             document_range(items->d, items->c->typed.offset, items->c->typed.length), "newText",
                             label);
    json_t *one = json_pack("{s:s, s:i, s:o, s:s, s:s*, s:s*}", "label", label, "kind", (int)kind, "textEdit", edit,
                            "filterText", label, "detail", detail, "documentation", more);
    items->failed |= !one || json_array_append_new(items->array, one) != 0;
}

static bool has(const struct items *items, uint32_t gated, unsigned option)
{
    return !profile_in(items->r->program->profile, gated) || items->options >> option & 1;
}

/* What needs an option that is not named is offered too, and says so. */
static const char *needs(const struct items *items, uint32_t gated, unsigned option, char *text, size_t size)
{
    if (has(items, gated, option))
        return NULL;
    snprintf(text, size, "needs OPTION %s;", option_table[option].name);
    return text;
}

static void add_opcodes(struct items *items)
{
    unsigned profile = items->r->program->profile;
    char form[256], option[128];

    for (unsigned op = 0; op < OP_COUNT; op++)
        if (profile_in(profile, op_table[op].profiles)) {
            const char *need = needs(items, op_table[op].gated, op_table[op].option, option, sizeof option);
            asm_describe_op((enum gp5_op)op, form, sizeof form);
            add(items, op_table[op].name, ITEM_FUNCTION, need ? need : form, op_table[op].meaning);
        }
    for (unsigned key = 0; key < KEY_COUNT; key++)
        if (profile_in(profile, keyword_table[key].profiles))
            add(items, keyword_table[key].name, ITEM_KEYWORD,
                needs(items, keyword_table[key].gated, keyword_table[key].option, option, sizeof option), NULL);
}

/* Whether opcodes of that row take modifiers of that class: the checker says which of them together. */
static bool takes(const struct op_info *op, const struct modifier_info *m)
{
    static const struct { uint8_t class; uint32_t bits; } classes[] = {
        {MC_CC, M_CC}, {MC_CLAMP, M_SAT}, {MC_ROUNDING, M_CVT}, {MC_MUL, M_MUL}, {MC_FLAG, ~0u},
        {MC_ACCESS, M_COHERENT}, {MC_SCOPE, M_CTA}, {MC_DERIVATIVE, M_DERIVATIVE}, {MC_TEXTURE, M_TEX},
        {MC_ATOMIC, M_ATOMIC | M_COUNTER_OPERATION | M_OPERATOR}, {MC_COUNTER, M_COUNTER}, {MC_MATCH, M_MATCH},
        {MC_OPERATOR, M_OPERATOR}, {MC_VARIABLE, M_VARIABLE}, {MC_MEMORY, M_MEMORY},
        {MC_SIZED, M_STORAGE | M_ATOMIC | M_CVT}, {MC_VECTOR, M_STORAGE | M_ATOMIC}};
    unsigned type = m->value & DT_MASK;

    for (size_t i = 0; i < sizeof classes / sizeof *classes; i++)
        if (classes[i].class == m->class && op->modifiers & classes[i].bits)
            return true;
    if (m->class != MC_TYPE && m->class != MC_SIZED)
        return false;
    if (type == DT_F64)
        return op->types & T_F64 || op->modifiers & M_CVT;
    if (type == DT_S64 || type == DT_U64)
        return op->types & T_I64 || op->modifiers & (M_STORAGE | M_ATOMIC | M_CVT);
    if (type == DT_F16 || type == DT_F32)
        return op->types & T_F || op->modifiers & M_CVT;
    if (type == DT_S32 || type == DT_U32)
        return op->types & T_I || op->modifiers & M_CVT;
    return op->types & T_SHORT;
}

static void add_modifiers(struct items *items)
{
    unsigned op = lsp_find_op(items->d, items->c->opcode);

    if (op == OP_UNKNOWN || !profile_table[items->r->program->profile].typed)
        return;
    for (unsigned id = MOD_NONE + 1; id < MOD_UNKNOWN; id++)
        if (takes(&op_table[op], &modifier_table[id]))
            add(items, modifier_table[id].text, ITEM_PROPERTY, NULL, NULL);
}

static void add_options(struct items *items)
{
    for (unsigned id = OPTION_NONE + 1; id < OPTION_COUNT; id++)
        if (profile_in(items->r->program->profile, option_table[id].profiles) && !(items->options >> id & 1))
            add(items, option_table[id].name, ITEM_CONSTANT, NULL, option_table[id].meaning);
}

/* A binding's words with 0 for each index. */
static void with_indices(const char *words, char *text, size_t size)
{
    size_t length = 0;

    for (; *words && length + 4 < size; words++) {
        if (*words != '?')
            text[length++] = *words;
        if (*words == '[')
            text[length++] = '0';
    }
    text[length] = 0;
}

static void add_operands(struct items *items)
{
    const struct gp5_program *program = items->r->program;
    char text[256], option[128];

    for (uint32_t i = 0; i < program->symbols.count; i++) {
        struct gp5_symbol s;
        if (gp5_symbol_at(program, i, &s) && s.length)
            add(items, s.name, ITEM_VARIABLE, s.keyword ? s.keyword : "label", NULL);
    }
    for (unsigned id = 0; id < BIND_COUNT; id++)
        if (profile_in(program->profile, binding_table[id].profiles)) {
            with_indices(binding_table[id].words, text, sizeof text);
            if (!*text)
                continue;
            add(items, text, ITEM_CONSTANT,
                binding_table[id].option == OPTION_NONE ? NULL :
                needs(items, binding_table[id].profiles, binding_table[id].option, option, sizeof option), NULL);
        }
}

json_t *lsp_complete(const struct document *d, size_t offset)
{
    const struct region *r = document_region(d, offset);
    struct items items = {.array = json_array(), .d = d, .r = r};
    struct context c;

    if (!items.array || !r || !gp5_header(r->program))
        return items.array;
    c = lsp_context_at(d, r, offset);
    items.c = &c;
    items.options = lsp_options(r->program);
    switch (c.kind) {
    case LSP_COMMENT: break;
    case LSP_OPCODE: add_opcodes(&items); break;
    case LSP_MODIFIER: add_modifiers(&items); break;
    case LSP_OPTION: add_options(&items); break;
    case LSP_OPERAND: add_operands(&items); break;
    }
    if (items.failed) {
        json_decref(items.array);
        return NULL;
    }
    return items.array;
}
