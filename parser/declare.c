/* Declarations: names, arrays, bindings and initial values. */
#include "parser/context.h"

#include <string.h>

static const uint8_t kinds[KEY_COUNT] = {
    [KEY_TEMP] = SYM_TEMP,       [KEY_ATTRIB] = SYM_ATTRIB,   [KEY_PARAM] = SYM_PARAM,     [KEY_OUTPUT] = SYM_OUTPUT,
    [KEY_ADDRESS] = SYM_ADDRESS, [KEY_BUFFER] = SYM_BUFFER,   [KEY_BUFFER4] = SYM_BUFFER4, [KEY_CBUFFER] = SYM_CBUFFER,
    [KEY_STORAGE] = SYM_STORAGE, [KEY_SHARED] = SYM_SHARED,   [KEY_TEXTURE] = SYM_TEXTURE, [KEY_IMAGE] = SYM_IMAGE,
    [KEY_COUNTER] = SYM_COUNTER, [KEY_DEFINE] = SYM_PARAM,    [KEY_DECLARE] = SYM_PARAM,
};

void declare_reset(struct parser *p)
{
    static const struct symbol none = {0};
    p->declared = none;
    p->last_symbol = NO_INDEX;
    p->braces = false;
    p->sizes = p->types = 0;
    p->items = 0;
    p->bad_item = false;
}

void declare_prefix(struct parser *p, struct token prefix)
{
    struct symbol *d = &p->declared;
    switch ((enum keyword)prefix.id) {
    case KEY_SHORT: d->size = SIZE_SHORT; p->sizes++; break;
    case KEY_LONG: d->size = SIZE_LONG; p->sizes++; break;
    case KEY_INT: d->type = TYPE_INT; p->types++; break;
    case KEY_UINT: d->type = TYPE_UINT; p->types++; break;
    case KEY_FLOAT: d->type = TYPE_FLOAT; p->types++; break;
    case KEY_FLAT: d->interpolation |= INTERP_FLAT; break;
    case KEY_NOPERSPECTIVE: d->interpolation |= INTERP_NOPERSPECTIVE; break;
    case KEY_CENTROID: d->interpolation |= INTERP_CENTROID; break;
    case KEY_SAMPLE: d->interpolation |= INTERP_SAMPLE; break;
    default: break;
    }
    if (p->sizes > 1 || p->types > 1) {
        diag_add(&p->program->diags, DIAG_ERROR, FOR_ALL, (struct span){prefix.offset, prefix.length},
                 "a declaration has one %s at most",
                 p->sizes > 1 ? "size (SHORT or LONG)" : "type (INT, UINT or FLOAT)");
        p->sizes = p->types = 0;
    }
}

void declare_begin(struct parser *p, struct token keyword)
{
    p->declared.kind = kinds[keyword.id];
    p->declared.parameter = keyword.id == KEY_DECLARE;
}

/* For whom a word cannot be a name: opcodes are reserved in ARB programs and, whatever the specifications say, for
 * NVIDIA's driver in NV programs; keywords for Mesa and the specifications in ARB programs. */
unsigned declare_reserved_for(const struct parser *p, struct token name)
{
    static const struct {
        const char *word;
        uint32_t profiles;
    } reserved[] = {
        {"program", ~0u},       {"result", ~0u},
        {"state", ~0u},         {"texture", ~(uint32_t)(ARB_VP | OLD_ALL)},
        {"vertex", ANY_VP | NV_GP | NV_TESS},   {"fragment", ARB_FP | NV_FP},
        {"primitive", ARB_FP | NV_FP | NV_GP | NV_TESS},    {"invocation", CP5},
    };
    static const uint8_t keywords[] = {KEY_OPTION, KEY_END, KEY_TEMP, KEY_ATTRIB, KEY_PARAM, KEY_OUTPUT, KEY_ALIAS};
    const char *text = p->text + name.offset;
    bool typed = profile_table[p->program->profile].typed;
    size_t length = name.length;
    bool begins = *text >= 'f' && *text <= 'v';         /* as one of them */
    for (size_t i = 0; begins && i < sizeof reserved / sizeof *reserved; i++)
        if (strlen(reserved[i].word) == length && memcmp(reserved[i].word, text, length) == 0 &&
            reserved[i].profiles >> p->program->profile & 1)
            return strcmp(reserved[i].word, "primitive") == 0 && !typed ? FOR_NVIDIA : FOR_ALL;
    if (registers_reserve(p, (struct span){name.offset, name.length}))
        return FOR_ALL;
    if (*text < 'A' || *text > 'Z')             /* as no opcode and no keyword begins */
        return 0;
    if (length > 4 && memcmp(text + length - 4, "_SAT", 4) == 0)
        length -= 4;
    unsigned word = words_find_statement(text, length);
    /* The opcodes that gp5 adds are words only where its option is named. */
    bool ours = word < OP_COUNT && op_table[word].option == OPTION_GP5_subgroup;
    if (ours && !words_open(word, p->program->profile, p->program->options))
        return 0;
    bool gated = word < OP_COUNT && op_table[word].gated >> p->program->profile & 1;
    if (gated && !typed)        /* the driver's own, where their option is named */
        return words_open(word, p->program->profile, p->program->options) ? FOR_NVIDIA : 0;
    if (word < OP_COUNT && op_table[word].profiles >> p->program->profile & 1)
        return typed || op_table[word].gated >> p->program->profile & 1 ? FOR_NVIDIA : FOR_ALL;
    if (!typed && length == name.length && word >= OP_COUNT && word < OP_COUNT + KEY_COUNT &&
        memchr(keywords, (int)(word - OP_COUNT), sizeof keywords))
        return FOR_MESA | FOR_SPEC;
    return 0;
}

/* Whether a line between the two places begins with #if, #else or the like. */
static bool has_conditions(const struct parser *p, uint32_t from, uint32_t to)
{
    static const char *const words[] = {"#if", "#else", "#elif", "#endif"};
    for (uint32_t at = from; at < to; at++)
        for (size_t i = 0; p->text[at] == '#' && i < sizeof words / sizeof *words; i++)
            if (strncmp(p->text + at, words[i], strlen(words[i])) == 0)
                return true;
    return false;
}

static void declared_twice(struct parser *p, struct span span, uint32_t old)
{
    struct diag *d = diag_add(&p->program->diags, DIAG_ERROR, FOR_ALL, span, "'%.*s' is declared already",
                              (int)(span.length < 40 ? span.length : 40), p->text + span.offset);
    enum { FAR = 4096 };
    uint32_t before = program_symbol(p->program, old)->span.offset;
    if (has_conditions(p, span.offset > before + FAR ? span.offset - FAR : before, span.offset))
        diag_hint(d, "#if, #else and #endif are comments here: what stands between them counts on both sides");
}

/* A new name; says what is wrong with it. */
static uint32_t new_name(struct parser *p, enum symbol_kind kind, struct token name)
{
    const char *text = p->text + name.offset;
    int length = (int)(name.length < 80 ? name.length : 80);
    struct span span = {name.offset, name.length};
    uint32_t old = names_find(p, text, name.length);
    if (old == NO_INDEX && profile_in(p->program->profile, OLD_ALL | AFP2))
        old = registers_find(p, span);
    bool dot = name.id < name.length;
    struct token first = {name.offset, dot ? name.id : name.length, 0};
    unsigned reserved = declare_reserved_for(p, first);
    if (dot && !reserved) {
        struct diag *d = diag_add(&p->program->diags, DIAG_ERROR, FOR_ALL, span, "'%.*s' is no name: a name has no dot",
                                  length, text);
        if (d)
            d->position = name.offset + name.id;
    } else if (old != NO_INDEX &&
               !(kind == SYM_SUBROUTINE_TYPE && program_symbol(p->program, old)->kind == kind)) /* types grow */
        declared_twice(p, span, old);
    else if (reserved)
        diag_add(&p->program->diags, DIAG_ERROR, reserved, span, "'%.*s' is a reserved word",
                 length, text);
    return names_declare(p, kind, span, old != NO_INDEX);
}

void declare_name(struct parser *p, struct token name)
{
    p->last_symbol = new_name(p, (enum symbol_kind)p->declared.kind, name);
    if (p->last_symbol == NO_INDEX)
        return;
    struct symbol *s = program_symbol(p->program, p->last_symbol);
    s->size = p->declared.size;
    s->type = p->declared.type;
    s->interpolation = p->declared.interpolation;
    s->parameter = p->declared.parameter;
    s->array_size = 1;
    s->binding = p->first_binding;
}

void declare_subroutine_name(struct parser *p, struct token name)
{
    p->declared.kind = SYM_SUBROUTINE;
    declare_name(p, name);
}

void declare_open(struct parser *p)
{
    p->braces = true;
}

void declare_close(struct parser *p, struct token open, struct token close)
{
    p->brace_span = (struct span){open.offset, close.offset + close.length - open.offset};
}

void declare_array(struct parser *p, const struct token *size)
{
    if (p->last_symbol == NO_INDEX)
        return;
    struct symbol *s = program_symbol(p->program, p->last_symbol);
    if (!profile_table[p->program->profile].typed &&
        (s->kind == SYM_TEMP || s->kind == SYM_ATTRIB || s->kind == SYM_OUTPUT)) {
        struct diag *d =
            diag_add(&p->program->diags, DIAG_ERROR, FOR_ALL, s->span, "only a PARAM is an array in ARB programs");
        if (d)
            d->position = program_next_token(p->program, s->span.offset + s->span.length);
        p->bad_item = true;
    }
    if (s->kind == SYM_TEMP && size && profile_table[p->program->profile].typed && size->length &&
        parse_integer(p, *size, INT32_MAX) == 0) {      /* the driver takes it for a variable that is no array */
        diag_add(&p->program->diags, DIAG_ERROR, FOR_MESA | FOR_SPEC, (struct span){size->offset, size->length},
                 "an array has one element at least");
        return;
    }
    if (s->array)
        s->two_indices = true;
    s->array = true;
    s->size_written = size != NULL;
    s->array_size = size ? (uint32_t)parse_integer(p, *size, INT32_MAX) : 0;
    s->size_span = size ? (struct span){size->offset, size->length} : (struct span){0, 0};
}

void declare_element(struct parser *p, struct token token, bool subroutine)
{
    struct element e = element_of(p, token);
    if (subroutine)
        declare_subroutine_name(p, e.name);
    else
        declare_name(p, e.name);
    if (e.number)
        declare_array(p, &e.index);
    else
        diag_add(&p->program->diags, DIAG_ERROR, FOR_ALL, (struct span){e.index.offset, e.index.length},
                 "the size of an array is a number");
    if (e.suffix.length)
        diag_add(&p->program->diags, DIAG_ERROR, FOR_ALL, (struct span){e.suffix.offset, e.suffix.length},
                 "a declared name has no components");
}

static struct binding *binding_of_constant(struct parser *p)
{
    uint32_t constant = constant_keep(p);
    struct binding *b = PUSH(p, bindings, struct binding);
    if (b)
        *b = (struct binding){.kind = BIND_CONSTANT, .constant = constant, .span = p->constant_span};
    return b;
}

/* An array's initial value stands in braces, and nothing else's does but a vector's. */
static void begin_item(struct parser *p, struct span span)
{
    const struct symbol *s = p->last_symbol == NO_INDEX ? NULL : program_symbol(p->program, p->last_symbol);
    if (p->items++ == 0 && s && s->array && !p->braces) {
        diag_add(&p->program->diags, DIAG_ERROR, FOR_ALL, span, "expected '{': %s is an array", s->name);
        p->bad_item = true;
    }
}

void declare_constant(struct parser *p)
{
    begin_item(p, p->constant_span);
    binding_of_constant(p);
}

/* {1, 2} in one token: an element of a list; or all of the initial value, and then the elements of an array. */
void declare_vector(struct parser *p, struct token token, bool initial)
{
    const struct symbol *s = p->last_symbol == NO_INDEX ? NULL : program_symbol(p->program, p->last_symbol);
    constant_vector(p, token);
    if (p->suffix.length) {
        struct diag *d = diag_add(&p->program->diags, DIAG_ERROR, FOR_ALL, p->suffix, "a constant is declared whole");
        if (d)
            d->position = p->suffix.offset - 1;
        p->bad_item = true;
    }
    if (initial)
        declare_open(p);
    if (!initial || !s || !s->array) {
        declare_constant(p);
        return;
    }
    struct constant all = p->constant;
    struct scaled scaled = p->scaled;
    for (unsigned i = 0; i < all.count && i < 4; i++) {
        p->constant = (struct constant){.scalar = true, .count = 1};
        p->constant.value[0] = all.value[i];
        p->scaled.value[0] = scaled.value[i];
        p->constant.is_integer = all.is_integer >> i & 1;
        p->constant.negative = all.negative >> i & 1;
        p->constant.hex = all.hex >> i & 1;
        declare_constant(p);
    }
}

/* inf and nan, which the driver takes as numbers. */
static bool take_named_number(struct parser *p)
{
    if (!constant_named(p))
        return false;
    binding_of_constant(p);
    return true;
}

void declare_path(struct parser *p)
{
    struct target target;
    begin_item(p, p->path.span);
    if (take_named_number(p))
        return;
    p->role = ROLE_DECLARATION;
    path_resolve(p, &target);
    p->role = ROLE_OPERAND;
    if (target.kind == OPND_BINDING && target.suffix.length == 0 && target.nindices == 0)
        return;
    p->bad_item = true;
    if (target.kind == OPND_BINDING && target.suffix.length) {
        struct diag *d = diag_add(&p->program->diags, DIAG_ERROR, FOR_ALL, target.suffix,
                                  "a binding is declared whole, without components");
        if (d)
            d->position = target.suffix.offset - 1;
    } else if (!target.reported)
        diag_add(&p->program->diags, DIAG_ERROR, FOR_ALL, p->path.span, "'%.*s' is nothing that a name can be bound to",
                 (int)(p->path.span.length < 80 ? p->path.span.length : 80), p->text + p->path.span.offset);
}

static void join_scaled(struct parser *p, struct constant *vector, const struct constant *c, unsigned i)
{
    struct scaled *of = c->scaled ? program_scaled(p->program, c->scaled - 1) : NULL, *to;
    double value = of ? of->value[0] : c->value[0].f;
    if (!vector->scaled && !of)
        return;
    to = vector->scaled ? program_scaled(p->program, vector->scaled - 1) : of;
    for (unsigned k = 0; k < i && to == of; k++)
        to->value[k] = vector->value[k].f;
    to->value[i] = value;
    vector->scaled = (uint32_t)(to - program_scaled(p->program, 0)) + 1;
}

/* PARAM a = { 1, 2 }: what was read as a list of numbers is one vector. */
static void join_vector(struct parser *p, struct symbol *s)
{
    struct constant *vector = NULL;
    for (uint32_t i = 0; i < s->nbindings; i++) {
        struct binding *b = program_binding(p->program, s->binding + i);
        struct constant *c = b->constant == NO_INDEX ? NULL : program_constant(p->program, b->constant);
        if (c && !c->scalar && s->nbindings == 1)
            return;     /* it was one token */
        if (!c || !c->scalar || i >= 4) {
            uint32_t comma = b->span.offset;
            while (i >= 4 && comma > 0 && p->text[comma] != ',')
                comma--;
            struct diag *d = diag_add(&p->program->diags, DIAG_ERROR, FOR_ALL, b->span,
                     i >= 4 ? "a constant has at most four components"
                            : "only numbers can stand between these braces: '%s' is no array", s->name);
            if (d)
                d->position = comma;
            return;
        }
        if (!vector) {
            vector = c;
            b->span = p->brace_span;
            continue;
        }
        uint8_t bit = (uint8_t)(1u << i);
        join_scaled(p, vector, c, i);
        vector->value[i] = c->value[0];
        vector->is_integer |= c->is_integer & 1 ? bit : 0;
        vector->negative |= c->negative & 1 ? bit : 0;
        vector->hex |= c->hex & 1 ? bit : 0;
        vector->count = (uint8_t)(i + 1);
    }
    if (vector)
        vector->scalar = false;
    s->nbindings = s->nbindings ? 1 : 0;
}

static bool is_matrix_without_row(unsigned kind)
{
    const char *words = binding_table[kind].words;
    return kind != BIND_STATE_MATRIX_NORMALSCALE && strncmp(words, "state.matrix", 12) == 0 && !strstr(words, "row");
}

static uint64_t elements(const struct binding *b)
{
    for (unsigned i = b->nindices; i-- > 0;)
        if (b->range[i])
            return b->last[i] >= b->first[i] ? (uint64_t)b->last[i] - b->first[i] + 1 : 0;
    return is_matrix_without_row(b->kind) ? 4 : 1;
}

static void count_elements(struct parser *p, struct symbol *s)
{
    uint64_t count = 0;
    bool whole = false;     /* program.buffer[n], program.storage[n]: as long as the buffer is */
    for (uint32_t i = 0; i < s->nbindings; i++) {
        const struct binding *b = program_binding(p->program, s->binding + i);
        uint8_t class = binding_table[b->kind].class;
        whole |= (class == BC_BUFFER || class == BC_STORAGE || class == BC_SHARED || class == BC_COUNTER) &&
                 !(b->nindices && b->range[b->nindices - 1]);
        count += elements(b);
    }
    s->elements = count > UINT32_MAX ? UINT32_MAX : (uint32_t)count;
    if (!s->size_written)
        s->array_size = whole ? 0 : s->elements;
}

void declare_end(struct parser *p)
{
    uint32_t count = (uint32_t)p->program->symbols.count - p->first_symbol;
    if (p->last_symbol != NO_INDEX && p->items) {
        struct symbol *s = program_symbol(p->program, p->last_symbol);
        s->nbindings = (uint32_t)p->program->bindings.count - p->first_binding;
        s->broken = p->bad_item;
        for (uint32_t i = 0; i < s->nbindings; i++)
            s->per_vertex |= binding_table[program_binding(p->program, s->binding + i)->kind].class == BC_VERTEX;
        if (p->braces && !s->array && s->nbindings)
            join_vector(p, s);
        if (s->array)
            count_elements(p, s);
    }
    struct statement *st = statement_add(p, p->declared.kind == SYM_ALIAS ? STMT_ALIAS : STMT_DECLARATION);
    if (st) {
        st->ref = p->first_symbol;
        st->count = count;
    }
    declare_reset(p);
    statement_next(p);
}

void declare_alias(struct parser *p, struct token name, struct token old)
{
    uint32_t symbol = names_find(p, p->text + old.offset, old.length);
    uint32_t alias = new_name(p, SYM_ALIAS, name);
    p->declared.kind = SYM_ALIAS;
    p->last_symbol = NO_INDEX;
    if (alias == NO_INDEX)
        return;
    if (symbol == NO_INDEX) {
        diag_add(&p->program->diags, DIAG_ERROR, FOR_ALL, (struct span){old.offset, old.length},
                 "'%.*s' is not declared", (int)(old.length < 80 ? old.length : 80), p->text + old.offset);
        symbol = alias;     /* stands for itself: of no kind that an operand could have */
    } else if (program_symbol(p->program, symbol)->kind == SYM_ALIAS) {
        symbol = program_symbol(p->program, symbol)->binding;
    }
    program_symbol(p->program, alias)->binding = symbol;
    program_symbol(p->program, symbol)->uses++;
}

/* CAL's operand, and the labels of a subroutine type. */
void declare_label_reference(struct parser *p, struct token name)
{
    uint32_t symbol = names_find_label(p, p->text + name.offset, name.length);
    if (symbol == NO_INDEX)
        symbol = names_add(p, SYM_LABEL, (struct span){name.offset, name.length});
    struct operand *o = symbol == NO_INDEX ? NULL : PUSH(p, operands, struct operand);
    if (!o)
        return;
    program_symbol(p->program, symbol)->uses++;
    struct span span = {name.offset, name.length};
    *o = (struct operand){.kind = OPND_LABEL, .ref = symbol, .swizzle = 0xe4, .span = span};
}

void declare_subroutine_type(struct parser *p, struct token name)
{
    uint32_t first = p->first_operand;
    uint32_t symbol = new_name(p, SYM_SUBROUTINE_TYPE, name);
    p->declared.kind = SYM_SUBROUTINE_TYPE;
    p->last_symbol = NO_INDEX;
    if (symbol == NO_INDEX)
        return;
    struct symbol *s = program_symbol(p->program, symbol);
    s->binding = first;
    s->nbindings = (uint32_t)p->program->operands.count - first;
    p->first_symbol = symbol;
}

void declare_subroutine(struct parser *p, struct token type)
{
    uint32_t symbol = names_find(p, p->text + type.offset, type.length);
    if (symbol == NO_INDEX || program_symbol(p->program, symbol)->kind != SYM_SUBROUTINE_TYPE) {
        diag_add(&p->program->diags, DIAG_ERROR, FOR_ALL, (struct span){type.offset, type.length},
                 "'%.*s' is no subroutine type", (int)(type.length < 80 ? type.length : 80), p->text + type.offset);
    } else if (p->last_symbol != NO_INDEX) {
        program_symbol(p->program, p->last_symbol)->instruction = symbol;
        program_symbol(p->program, symbol)->uses++;
    }
}
