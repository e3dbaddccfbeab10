/* Paths: the words and indices that name an operand, and what they stand for: a declared name, or a binding written
 * out. */
#include "parser/context.h"

#include <string.h>

static void extend(struct path *path, uint32_t end)
{
    path->span.length = end - path->span.offset;
}

struct span without_dot(const struct parser *p, struct token suffix)
{
    uint32_t skip = 0;
    if (suffix.length && p->text[suffix.offset] == '.')
        skip++;
    while (skip < suffix.length && strchr(" \t\r\n", p->text[suffix.offset + skip]))
        skip++;
    return (struct span){suffix.offset + skip, suffix.length - skip};
}

void path_begin(struct parser *p, struct token word)
{
    struct path *path = &p->path;
    path->part[0] = (struct span){word.offset, word.length};
    path->first = word.id;
    path->nparts = 1;
    path->nindices = 0;
    path->too_long = false;
    path->span = path->part[0];
}

void path_suffix(struct parser *p, struct token suffix)
{
    struct path *path = &p->path;
    if (path->nparts < PATH_PARTS)
        path->part[path->nparts++] = without_dot(p, suffix);
    else
        path->too_long = true;
    extend(path, suffix.offset + suffix.length);
}

static struct index *add_index(struct path *path, struct token open, struct token close)
{
    static const struct index none = {0};
    extend(path, close.offset + close.length);
    if (path->nindices == PATH_INDICES) {
        path->too_long = true;
        return NULL;
    }
    unsigned i = path->nindices++;
    path->before[i] = path->nparts;
    path->last[i] = 0;
    path->range[i] = false;
    path->index[i] = none;
    path->index[i].span = (struct span){open.offset + 1, close.offset - open.offset - 1};
    return &path->index[i];
}

void path_add_index(struct parser *p, struct token open, struct token close)
{
    struct index *index = add_index(&p->path, open, close);
    if (!index)
        return;
    struct span span = index->span;
    *index = p->inner;
    index->span = span;
    if (index->mode == INDEX_CONSTANT)
        p->path.last[p->path.nindices - 1] = (uint32_t)index->offset;
}

void path_add_range(struct parser *p, struct token first, struct token last, struct token open, struct token close)
{
    struct index *index = add_index(&p->path, open, close);
    if (!index)
        return;
    index->mode = INDEX_CONSTANT;
    index->offset = (int32_t)parse_integer(p, first, INT32_MAX);
    p->path.last[p->path.nindices - 1] = (uint32_t)parse_integer(p, last, INT32_MAX);
    p->path.range[p->path.nindices - 1] = true;
}

void path_add_empty(struct parser *p, struct token open, struct token close)
{
    add_index(&p->path, open, close);
}

struct element element_of(const struct parser *p, struct token token)
{
    const char *text = p->text + token.offset;
    uint32_t open = token.id, close;
    while (text[open] != '[')
        open++;
    for (close = open; text[close] != ']'; close++)
        ;
    bool number = text[open + 1] >= '0' && text[open + 1] <= '9';
    struct element e = {{token.offset, open, token.id},
                        {token.offset + open + 1, close - open - 1, 0},
                        {token.offset + close + 1, token.length - close - 1, 0},
                        number};
    if (!number)
        e.index.id = e.index.length - 2;    /* of R0.x the R0 */
    return e;
}

void path_element(struct parser *p, struct token token)
{
    struct element e = element_of(p, token);
    path_begin(p, e.name);
    if (e.number)
        index_constant(p, e.index);
    else
        index_register(p, e.index, NULL, NULL);
    path_add_index(p, (struct token){e.index.offset - 1, 1, 0}, (struct token){e.index.offset + e.index.length, 1, 0});
    if (e.suffix.length)
        path_suffix(p, e.suffix);
}

/* ---- between brackets -------------------------------------------------------------------------------------------- */

void index_constant(struct parser *p, struct token number)
{
    p->inner = (struct index){.mode = INDEX_CONSTANT};
    p->inner.offset = (int32_t)parse_integer(p, number, INT32_MAX);
}

void index_offset(struct parser *p, struct token number, bool negative)
{
    int32_t offset = (int32_t)parse_integer(p, number, INT32_MAX);
    p->inner.offset = negative ? -offset : offset;
    p->inner.offset_written = true;
}

/* R0.x, as nearly every index is. */
static bool index_simple(struct parser *p, struct token word)
{
    const char *text = p->text + word.offset;
    uint8_t swizzle, letters;
    bool rgba;
    if (word.id + 2 != word.length ||
        !parse_swizzle(text + word.id + 1, 1, &swizzle, &letters, &rgba) || rgba)
        return false;
    uint32_t symbol = names_find(p, text, word.id);
    if (symbol == NO_INDEX || program_symbol(p->program, symbol)->kind == SYM_ALIAS)
        return false;
    program_symbol(p->program, symbol)->uses++;
    p->inner = (struct index){.mode = INDEX_RELATIVE, .register_kind = OPND_SYMBOL, .reg = symbol,
                              .component = swizzle & 3, .component_written = true, .component_text = true,
                              .register_span = {word.offset, word.length}};
    return true;
}

/* The register of an index: a name, or a binding such as invocation.localid. */
void index_register(struct parser *p, struct token word, const struct token *element, const struct token *suffix)
{
    struct index *inner = &p->inner;
    if (!element && !suffix && index_simple(p, word))
        return;
    if (registers_in_brackets(p)) {     /* v[OPOS]: looked up when the path is whole */
        *inner = (struct index){.mode = INDEX_NONE};
        return;
    }
    struct path outer = p->path;    /* an index stands in the middle of another path */
    path_begin(p, word);
    *inner = (struct index){.mode = INDEX_RELATIVE, .register_kind = OPND_NONE, .reg = NO_INDEX};
    if (element) {
        inner->element.used = true;
        inner->element.value = (uint32_t)parse_integer(p, *element, INT32_MAX);
        p->path.index[0] = (struct index){.mode = INDEX_CONSTANT, .offset = (int32_t)inner->element.value};
        p->path.before[0] = 1;
        p->path.range[0] = false;
        p->path.last[0] = inner->element.value;
        p->path.nindices = 1;
    }
    if (suffix)
        path_suffix(p, *suffix);
    struct target target;
    path_resolve(p, &target);
    inner->register_kind = target.kind;
    inner->reported = target.reported;
    inner->reg = target.ref;
    inner->register_span = p->path.span;
    inner->component_text = target.suffix.length != 0;
    p->path = outer;
    if (target.suffix.length == 0)
        return;
    uint8_t swizzle, letters;
    bool rgba;
    if (parse_swizzle(p->text + target.suffix.offset, target.suffix.length, &swizzle, &letters, &rgba) &&
        letters == 1 && !rgba) {
        inner->component = swizzle & 3;
        inner->component_written = true;
    }
}

/* ---- what a path stands for -------------------------------------------------------------------------------------- */

/* An index whose register is an element of an array. */
void index_element(struct parser *p, struct token token)
{
    struct element e = element_of(p, token);
    if (!e.number)
        diag_add(&p->program->diags, DIAG_ERROR, FOR_ALL, (struct span){e.index.offset, e.index.length},
                 "a register of an index is named by a number: there is no index within an index");
    struct token zero = {e.index.offset, 0, 0};
    index_register(p, e.name, e.number ? &e.index : &zero, e.suffix.length ? &e.suffix : NULL);
}

/* c[1..2], where one element is meant. */
static void not_a_range(struct parser *p, struct span span)
{
    const char *dots = memchr(p->text + span.offset, '.', span.length);
    struct diag *d =
        diag_add(&p->program->diags, DIAG_ERROR, FOR_ALL, span, "one element is meant here, and not a range of them");
    if (d && dots)
        d->position = (uint32_t)(dots - p->text);
}

static void keep_indices(struct parser *p, struct target *target, unsigned from)
{
    target->nindices = 0;
    target->index = (uint32_t)p->program->indices.count;
    for (unsigned i = from; i < p->path.nindices; i++) {
        struct index *index = PUSH(p, indices, struct index);
        if (!index)
            return;
        *index = p->path.index[i];
        if (p->path.range[i])
            not_a_range(p, index->span);
        target->nindices++;
    }
}

/* What stands behind a name and its indices. Whatever is more than one suffix belongs to it as well, and makes it a bad
 * one. */
static struct span suffix_of_name(const struct path *path)
{
    uint32_t end = path->span.offset + path->span.length;
    if (path->part[0].length > path->first) {
        uint32_t start = path->part[0].offset + path->first + 1;
        return (struct span){start, end - start};
    }
    if (path->nparts > 1)
        return (struct span){path->part[1].offset, end - path->part[1].offset};
    return (struct span){0, 0};
}

void path_resolve(struct parser *p, struct target *target)
{
    const struct span head = p->path.part[0];
    const char *text = p->text + head.offset;
    size_t length = p->path.first;
    *target = (struct target){.kind = OPND_NONE, .ref = NO_INDEX};
    uint32_t symbol = names_find(p, text, length);
    bool implicit = profile_in(p->program->profile, OLD_ALL | AFP2);
    if (symbol == NO_INDEX && implicit)
        symbol = registers_find(p, (struct span){head.offset, p->path.first});
    if (symbol != NO_INDEX) {
        if (program_symbol(p->program, symbol)->kind == SYM_ALIAS)
            symbol = program_symbol(p->program, symbol)->binding;
        target->kind = OPND_SYMBOL;
        target->ref = symbol;
        program_symbol(p->program, symbol)->uses++;
        target->suffix = suffix_of_name(&p->path);
        if (p->path.nindices)
            keep_indices(p, target, 0);
        return;
    }
    struct binding_match match = {.reported = false};
    bool found = implicit && registers_binding(p, &match);
    if (!found && !match.reported)
        found = binding_find(p, &match);
    if (!found) {
        target->reported = match.reported;
        if (length == 2 && text[1] == 'C' && (text[0] == 'C' || text[0] == 'R' || text[0] == 'H')) {
            target->kind = OPND_CC;
            target->suffix = suffix_of_name(&p->path);
        }
        return;
    }
    target->kind = OPND_BINDING;
    target->ref = match.binding;
    target->suffix = match.suffix;
    if (match.indices < p->path.nindices)
        keep_indices(p, target, match.indices);
}
