/* Declarations: what keywords, sizes and bindings may say together. */
#include "asm/check_internal.h"

#include <string.h>

static const struct {
    const char *word;
    uint16_t profiles;
    uint8_t option;
} kind_table[] = {
    [SYM_TEMP] = {"TEMP", CP5 | AFP, OPTION_NONE},
    [SYM_ATTRIB] = {"ATTRIB", CP5 | AFP, OPTION_NONE},
    [SYM_PARAM] = {"PARAM", CP5 | AFP, OPTION_NONE},
    [SYM_OUTPUT] = {"OUTPUT", AFP, OPTION_NONE},
    [SYM_ADDRESS] = {"ADDRESS", 0, OPTION_NONE},
    [SYM_BUFFER] = {"BUFFER", CP5, OPTION_NONE},
    [SYM_BUFFER4] = {"BUFFER4", CP5, OPTION_NONE},
    [SYM_CBUFFER] = {"CBUFFER", CP5, OPTION_NONE},
    [SYM_STORAGE] = {"STORAGE", CP5 | AFP, OPTION_NV_shader_storage_buffer},
    [SYM_SHARED] = {"SHARED", CP5, OPTION_NONE},
    [SYM_TEXTURE] = {"TEXTURE", CP5, OPTION_NONE},
    [SYM_IMAGE] = {"IMAGE", CP5, OPTION_NONE},
    [SYM_COUNTER] = {"COUNTER", CP5 | AFP, OPTION_NV_shader_atomic_counters},
    [SYM_SUBROUTINE_TYPE] = {"SUBROUTINETYPE", CP5, OPTION_NONE},
    [SYM_SUBROUTINE] = {"SUBROUTINE", CP5, OPTION_NONE},
    [SYM_ALIAS] = {"ALIAS", CP5 | AFP, OPTION_NONE},
};

/* The class of bindings that a kind of variable takes. */
static bool takes_binding(enum symbol_kind kind, const struct binding *b)
{
    uint8_t class = binding_table[b->kind].class;
    switch (kind) {
    case SYM_ATTRIB: return class == BC_ATTRIB;
    case SYM_PARAM: return class == BC_PARAM;
    case SYM_OUTPUT: return class == BC_RESULT;
    case SYM_BUFFER:
    case SYM_BUFFER4:
    case SYM_CBUFFER: return class == BC_BUFFER;
    case SYM_STORAGE: return class == BC_STORAGE;
    case SYM_SHARED: return class == BC_SHARED;
    case SYM_TEXTURE: return class == BC_TEXTURE;
    case SYM_IMAGE: return class == BC_IMAGE;
    case SYM_COUNTER: return class == BC_COUNTER;
    case SYM_SUBROUTINE: return class == BC_SUBROUTINE;
    default: return false;
    }
}

static void check_bindings(struct checker *c, const struct symbol *s)
{
    if (s->kind == SYM_SUBROUTINE_TYPE)
        return;         /* it has labels */
    for (uint32_t i = 0; i < s->nbindings; i++) {
        const struct binding *b = program_binding(c->program, s->binding + i);
        if (!takes_binding((enum symbol_kind)s->kind, b)) {
            check_error(c, FOR_ALL, b->span, "a name declared with %s cannot stand for this", kind_table[s->kind].word);
        } else if (b->range[0] && b->last[0] < b->first[0]) {
            check_binding_indices(c, b);
            struct diag *d = check_error(c, FOR_ALL, b->span, "a range ends behind its beginning");
            check_position(d, check_next_token(c, span_end(b->span)));
        } else if (!s->array && check_whole_binding(c, b, b->span)) {
            return;
        } else {
            check_binding_indices(c, b);
        }
    }
}

static void check_size(struct checker *c, const struct statement *statement, const struct symbol *s)
{
    if (!s->size_written)
        return;
    if (s->array_size == 0)
        check_error(c, FOR_ALL, s->size_span, "an array has one element at least");
    else if (!s->broken && s->nbindings && s->kind == SYM_PARAM && s->elements != s->array_size)
        for (int mesa = 0; mesa < 2; mesa++) {      /* Mesa points at the size, the others at the closing brace */
            struct diag *d = check_error(c, mesa ? FOR_MESA : FOR_NVIDIA | FOR_SPEC, s->size_span,
                                         "%s is declared with %u elements and bound to %u", s->name, s->array_size,
                                         s->elements);
            if (!mesa)
                check_position(d, span_end(statement->span) - 1);
        }
    else if (s->kind == SYM_TEMP && s->array_size > 4096)
        check_error(c, FOR_NVIDIA, s->size_span, "an array of temporaries has 4096 elements at most");
}

/* SHORT and LONG go with TEMP; INT, UINT and FLOAT with what holds numbers; the rest with fragment programs' inputs. */
static bool check_prefixes(struct checker *c, const struct symbol *s, const struct statement *statement)
{
    const char *word = kind_table[s->kind].word, *text = c->program->text;
    uint32_t at = statement->span.offset, end = span_end(statement->span);
    while (at < end) {
        uint32_t length = 0;
        while (at + length < end && text[at + length] >= 'A' && text[at + length] <= 'Z')
            length++;
        struct span span = {at, length};
        if (length == 0 || (strlen(word) == length && memcmp(word, text + at, length) == 0))
            break;
        if (strchr("NC", text[at]) || (text[at] == 'F' && length == 4) || (text[at] == 'S' && length == 6)) {
            check_error(c, FOR_NVIDIA, span, "compute programs interpolate nothing: %.*s has no place here",
                        check_length(span), check_text(c, span));
            return false;
        }
        at = check_next_token(c, at + length);
    }
    struct span keyword = {at, (uint32_t)strlen(word)};
    bool numbers = s->kind == SYM_TEMP || s->kind == SYM_ATTRIB || s->kind == SYM_PARAM || s->kind == SYM_BUFFER ||
                   s->kind == SYM_BUFFER4 || s->kind == SYM_CBUFFER;
    if (s->size != SIZE_DEFAULT && s->kind != SYM_TEMP)
        return !check_error(c, FOR_NVIDIA, keyword, "SHORT and LONG go with TEMP, and not with %s", word);
    if (s->type != TYPE_NONE && !numbers)
        return !check_error(c, FOR_NVIDIA, keyword, "%s variables have no type", word);
    return true;
}

void check_declaration(struct checker *c, const struct statement *statement)
{
    for (uint32_t i = 0; i < statement->count; i++) {
        const struct symbol *s = program_symbol(c->program, statement->ref + i);
        if (s->kind >= sizeof kind_table / sizeof *kind_table)
            continue;
        if (i == 0 && (!(kind_table[s->kind].profiles & 1u << c->profile) ||
                       !has_option(c, (enum gp5_option)kind_table[s->kind].option))) {
            struct span head = {statement->span.offset, (uint32_t)0};
            const char *word = kind_table[s->kind].word;
            while (word[head.length])
                head.length++;
            const char *option = option_table[kind_table[s->kind].option].name;
            if (kind_table[s->kind].option)
                diag_hint(check_error(c, FOR_ALL, head, "invalid statement: %s needs OPTION %s", word, option),
                          "add OPTION %s;", option);
            else
                check_error(c, FOR_ALL, head, "invalid statement: %s programs have no %s variables",
                            profile_table[c->profile].stage, word);
            return;
        }
        if (i == 0 && c->profile == PROFILE_NVCP5 && (s->size || s->type || s->interpolation) &&
            !check_prefixes(c, s, statement))
            return;
        check_size(c, statement, s);
        if (s->kind == SYM_ATTRIB && s->array && c->profile == PROFILE_NVCP5)
            check_position(check_error(c, FOR_NVIDIA, s->span, "attributes of compute programs form no arrays"),
                           span_end(statement->span) - 1);
        check_bindings(c, s);
    }
}
