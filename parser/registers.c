/* What programs name without declaring it: registers by number, and inputs and results by a name in brackets
 * (asm/registers.def). */
#include "parser/context.h"
#include "asm/binding_name.h"

#include <stdlib.h>
#include <string.h>

static const struct {
    uint32_t profiles;
    const char *prefix;
    uint16_t count;
    uint8_t kind, size;
} registers[] = {
#define REGISTER(profiles, prefix, count, kind, size) {profiles, prefix, count, SYM_##kind, SIZE_##size},
#include "asm/registers.def"
};

static const struct {
    uint32_t profiles;
    const char *name;
    uint16_t count, binding;
} arrays[] = {
#define PARAMETERS(profiles, name, count, binding) {profiles, name, count, BIND_##binding},
#include "asm/registers.def"
};

/* A number of the text without a leading zero; UINT32_MAX if it is none. */
static uint32_t number_of(const char *text, size_t length)
{
    uint32_t value = 0;
    if (length == 0 || length > 4 || (length > 1 && text[0] == '0'))
        return UINT32_MAX;
    for (size_t i = 0; i < length; i++) {
        if (text[i] < '0' || text[i] > '9')
            return UINT32_MAX;
        value = value * 10 + (uint32_t)(text[i] - '0');
    }
    return value;
}

static uint32_t add_array(struct parser *p, struct span name, unsigned count, unsigned binding)
{
    uint32_t symbol = names_add(p, SYM_PARAM, name);
    struct binding *b = symbol == NO_INDEX ? NULL : PUSH(p, bindings, struct binding);
    if (!b)
        return NO_INDEX;
    *b = (struct binding){.kind = (uint16_t)binding, .nindices = 1, .constant = NO_INDEX, .span = name};
    b->range[0] = true;
    b->last[0] = count - 1;
    b->index_span[0] = name;
    struct symbol *s = program_symbol(p->program, symbol);
    s->array = s->size_written = true;
    s->array_size = s->elements = count;
    s->binding = (uint32_t)p->program->bindings.count - 1;
    s->nbindings = 1;
    return symbol;
}

uint32_t registers_find(struct parser *p, struct span name)
{
    const char *text = p->text + name.offset;
    unsigned profile = p->program->profile;
    for (size_t i = 0; i < sizeof registers / sizeof *registers; i++) {
        if (!profile_in(profile, registers[i].profiles) || name.length < 2 || text[0] != registers[i].prefix[0] ||
            number_of(text + 1, name.length - 1) >= registers[i].count)
            continue;
        uint32_t symbol = names_add(p, (enum symbol_kind)registers[i].kind, name);
        if (symbol != NO_INDEX) {
            program_symbol(p->program, symbol)->size = registers[i].size;
            program_symbol(p->program, symbol)->array_size = 1;
            program_symbol(p->program, symbol)->implicit = true;
        }
        return symbol;
    }
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        if (profile_in(profile, arrays[i].profiles) && name.length == 1 && text[0] == arrays[i].name[0]) {
            uint32_t symbol = add_array(p, name, arrays[i].count, arrays[i].binding);
            if (symbol != NO_INDEX)
                program_symbol(p->program, symbol)->implicit = true;
            return symbol;
        }
    return NO_INDEX;
}

/* TEX0 to TEX15. */
static uint32_t texture_unit(const struct parser *p, struct span name)
{
    const char *text = p->text + name.offset;
    uint32_t unit = name.length > 3 && memcmp(text, "TEX", 3) == 0 ? number_of(text + 3, name.length - 3) : UINT32_MAX;
    return p->program->profile == PROFILE_FP10 && unit < 16 ? unit : UINT32_MAX;
}

bool registers_reserve(const struct parser *p, struct span name)
{
    const char *text = p->text + name.offset;
    unsigned profile = p->program->profile;
    for (size_t i = 0; i < named_binding_count && name.length == 1; i++)
        if (profile_in(profile, named_bindings[i].profiles) && name.length == 1 && text[0] == named_bindings[i].letter)
            return true;
    return texture_unit(p, name) != UINT32_MAX;
}

bool registers_in_brackets(const struct parser *p)
{
    const struct path *path = &p->path;
    return profile_table[p->program->profile].generation == GEN_REGISTER && path->nparts == 1 && path->nindices == 0 &&
           path->part[0].length == 1 && registers_reserve(p, path->part[0]);
}

/* The row for what stands in the brackets, and its index. */
static const struct named_binding *find_named(const struct parser *p, char letter, struct span inside, int32_t *index)
{
    const char *text = p->text + inside.offset;
    for (size_t i = 0; i < named_binding_count; i++) {
        const struct named_binding *n = &named_bindings[i];
        if (n->letter != letter || !profile_in(p->program->profile, n->profiles))
            continue;
        size_t length = strlen(n->name);
        *index = n->index;
        if (n->name[0] == '@') {
            uint32_t number = number_of(text, inside.length);
            *index = (int32_t)number;
            if (number < (uint32_t)n->index)
                return n;
        } else if (length == inside.length && n->name[length - 1] == '#' && memcmp(text, n->name, length - 1) == 0) {
            uint32_t number = number_of(text + length - 1, 1);
            *index = n->index + (int32_t)number;
            if (number < 8)
                return n;
        } else if (length == inside.length && memcmp(text, n->name, length) == 0) {
            return n;
        }
    }
    return NULL;
}

static struct span trimmed(const struct parser *p, struct span span)
{
    uint32_t end = span.offset + span.length, start = program_next_token(p->program, span.offset);
    while (end > start && strchr(" \t\r\n", p->text[end - 1]))
        end--;
    return (struct span){start < end ? start : end, start < end ? end - start : 0};
}

static uint32_t keep(struct parser *p, unsigned kind, int32_t index, struct span inside)
{
    struct binding *b = PUSH(p, bindings, struct binding);
    if (!b)
        return NO_INDEX;
    *b = (struct binding){.kind = (uint16_t)kind, .constant = NO_INDEX, .span = p->path.span};
    if (index >= 0) {
        b->nindices = 1;
        b->first[0] = b->last[0] = (uint32_t)index;
        b->index_span[0] = inside;
    }
    return (uint32_t)p->program->bindings.count - 1;
}

static const char *what_of(char letter)
{
    return letter == 'o' ? "a result" : "an input";
}

bool registers_binding(struct parser *p, struct binding_match *match)
{
    const struct path *path = &p->path;
    struct span head = {path->part[0].offset, path->first};
    uint32_t unit = texture_unit(p, head);
    *match = (struct binding_match){.binding = NO_INDEX};
    if (unit != UINT32_MAX && path->nindices == 0) {
        match->binding = keep(p, BIND_TEXTURE, (int32_t)unit, head);
        match->suffix = path->part[0].length > head.length
                            ? (struct span){head.offset + head.length + 1, path->part[0].length - head.length - 1}
                            : (struct span){0, 0};
        return match->binding != NO_INDEX;
    }
    char letter = p->text[head.offset];
    if (path->part[0].length == 1 && registers_reserve(p, head) && path->nindices == 0 &&
        (letter == 'o') == (p->role == ROLE_RESULT)) {
        struct diag *d =
            diag_add(&p->program->diags, DIAG_ERROR, FOR_ALL, head, "%c is written with a name in brackets", letter);
        if (d)
            d->position = p->token.offset;
        match->reported = true;
        return false;
    }
    if (head.length != 1 || path->part[0].length != 1 || !registers_reserve(p, head) || path->nindices == 0 ||
        path->before[0] != 1 || (letter == 'o') != (p->role == ROLE_RESULT))
        return false;
    struct span all = trimmed(p, path->index[0].span), inside = {all.offset, 0};
    int32_t index;
    while (inside.length < all.length && !strchr(" \t\r\n+-.", p->text[inside.offset + inside.length]))
        inside.length++;
    const struct named_binding *row = find_named(p, letter, inside, &index);
    if (row && inside.length < all.length) {
        uint32_t next = program_next_token(p->program, inside.offset + inside.length);
        diag_add(&p->program->diags, DIAG_ERROR, FOR_ALL, (struct span){next, 1}, "expected ']'");
        match->reported = true;
        return false;
    }
    if (!row) {
        diag_add(&p->program->diags, DIAG_ERROR, FOR_ALL, inside, "%.*s is no name of %s: %c[%.*s]",
                 (int)(inside.length < 40 ? inside.length : 40), p->text + inside.offset, what_of(letter), letter,
                 (int)(inside.length < 40 ? inside.length : 40), p->text + inside.offset);
        match->reported = true;
        return false;
    }
    match->indices = 1;
    match->binding = keep(p, row->binding, index, inside);
    if (path->nparts > 1)
        match->suffix =
            (struct span){path->part[1].offset, path->span.offset + path->span.length - path->part[1].offset};
    return match->binding != NO_INDEX;
}
