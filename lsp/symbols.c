/* Names: where they are declared and used, a new name, the outline. Names of a program have no scopes: a word that is
 * a name is that name wherever it stands. */
#include "lsp/features.h"

#include "asm/arena.h"
#include "asm/words.h"

#include <string.h>

/* A name in the text: its program, the word, what it names. */
struct named {
    const struct region *r;
    struct word word;
    const struct symbol *symbol;        /* NULL: it is none */
};

static struct named named_at(const struct document *d, size_t offset)
{
    struct named n = {document_region(d, offset), word_at(d, offset), NULL};
    uint32_t symbol = n.r ? word_symbol(d, n.r, n.word) : NO_INDEX;
    bool suffix = n.word.offset && n.word.length && d->text[n.word.offset - 1] == '.';

    if (symbol != NO_INDEX && !suffix)
        n.symbol = program_symbol(n.r->program, symbol);
    return n;
}

static json_t *location(const struct document *d, size_t offset, size_t length)
{
    return json_pack("{s:o, s:o}", "uri", lsp_text(d->uri), "range", document_range(d, offset, length));
}

json_t *lsp_definition(const struct document *d, size_t offset)
{
    struct named n = named_at(d, offset);

    if (!n.symbol || (n.symbol->kind == SYM_LABEL && !n.symbol->defined))
        return json_null();
    return location(d, n.r->offset + n.symbol->span.offset, n.symbol->span.length);
}

/* Calls `each` for every place of the name, its declaration too. */
static json_t *places(const struct document *d, const struct named *n, bool declaration,
                      json_t *(*each)(const struct document *d, struct word word, const void *user), const void *user)
{
    json_t *array = json_array();
    struct word word;

    for (size_t at = n->r->offset; array && word_next(d, n->r, &at, &word);) {
        bool same = word.length == n->word.length &&
                    !memcmp(d->text + word.offset, d->text + n->word.offset, word.length);
        if (same && (declaration || word.offset - n->r->offset != n->symbol->span.offset) &&
            json_array_append_new(array, each(d, word, user)) != 0) {
            json_decref(array);
            return NULL;
        }
    }
    return array;
}

static json_t *place_location(const struct document *d, struct word word, const void *user)
{
    (void)user;
    return location(d, word.offset, word.length);
}

static json_t *place_highlight(const struct document *d, struct word word, const void *user)
{
    (void)user;
    return json_pack("{s:o}", "range", document_range(d, word.offset, word.length));
}

static json_t *place_edit(const struct document *d, struct word word, const void *name)
{
    return json_pack("{s:o, s:s}", "range", document_range(d, word.offset, word.length), "newText", name);
}

json_t *lsp_references(const struct document *d, size_t offset, bool declaration)
{
    struct named n = named_at(d, offset);
    return n.symbol ? places(d, &n, declaration, place_location, NULL) : json_null();
}

json_t *lsp_highlights(const struct document *d, size_t offset)
{
    struct named n = named_at(d, offset);
    return n.symbol ? places(d, &n, true, place_highlight, NULL) : json_null();
}

/* ---- renaming ---------------------------------------------------------------------------------------------------- */

json_t *lsp_can_rename(const struct document *d, size_t offset)
{
    struct named n = named_at(d, offset);
    return n.symbol ? document_range(d, n.word.offset, n.word.length) : json_null();
}

/* Whether it is made as names are, and begins no statement. */
static bool is_name(const char *name)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_$0123456789";
    for (unsigned key = 0; key < KEY_COUNT; key++)
        if (!strcmp(name, keyword_table[key].name))
            return false;
    return *name && strspn(name, letters) == strlen(name) && !(*name >= '0' && *name <= '9');
}

/* The program with the new name must be what it was: a word that the language keeps, or that is a name already, makes
 * an error or another program of it. */
static bool keeps_sense(const struct document *d, const struct named *n, const char *name)
{
    size_t length = strlen(name), size = 0, at = n->r->offset, from = at, errors = 0;
    char *text = gp5_malloc(n->r->length + 1 + (n->r->length / n->word.length + 1) * length);
    gp5_program *program;
    struct word word;

    if (!text)
        return false;
    while (word_next(d, n->r, &at, &word))
        if (word.length == n->word.length && !memcmp(d->text + word.offset, d->text + n->word.offset, word.length)) {
            memcpy(text + size, d->text + from, word.offset - from);
            size += word.offset - from;
            memcpy(text + size, name, length);
            size += length;
            from = word.offset + word.length;
        }
    memcpy(text + size, d->text + from, n->r->offset + n->r->length - from);
    size += n->r->offset + n->r->length - from;
    program = gp5_parse(text, size);
    errors = program ? program->diags.errors : SIZE_MAX;
    gp5_program_free(program);
    gp5_free(text);
    return errors <= n->r->program->diags.errors;
}

json_t *lsp_rename(const struct document *d, size_t offset, const char *name, const char **why)
{
    struct named n = named_at(d, offset), other = {.r = n.r};
    json_t *edits, *changes;

    *why = NULL;
    if (!n.symbol)
        return json_null();
    for (uint32_t i = 0; !other.symbol && i < n.r->program->symbols.count; i++)
        if (!strcmp(program_symbol(n.r->program, i)->name, name))
            other.symbol = program_symbol(n.r->program, i);
    if (!is_name(name))
        *why = "a name has letters, digits, _ and $, begins with no digit, and is no keyword";
    else if (other.symbol && other.symbol != n.symbol)
        *why = "the program has that name already";
    else if (!keeps_sense(d, &n, name))
        *why = "the language keeps that word";
    if (*why)
        return NULL;
    edits = places(d, &n, true, place_edit, name);
    changes = json_object();
    if (!edits || !changes || json_object_set_new(changes, d->uri, edits) != 0) {
        json_decref(changes);
        return NULL;
    }
    return json_pack("{s:o}", "changes", changes);
}

/* ---- the outline ------------------------------------------------------------------------------------------------- */

/* The protocol's SymbolKind. */
static int symbol_kind(const struct symbol *s)
{
    enum { FUNCTION = 12, VARIABLE = 13, CONSTANT = 14, ARRAY = 18, KEY = 20 };

    switch ((enum symbol_kind)s->kind) {
    case SYM_LABEL: return FUNCTION;
    case SYM_PARAM: return CONSTANT;
    case SYM_ALIAS: return KEY;
    default: return s->array ? ARRAY : VARIABLE;
    }
}

static json_t *children(const struct document *d, const struct region *r)
{
    json_t *array = json_array();

    for (uint32_t i = 0; array && i < r->program->symbols.count; i++) {
        const struct symbol *s = program_symbol(r->program, i);
        struct gp5_symbol shown;
        if (s->implicit || (s->kind == SYM_LABEL && !s->defined) || !gp5_symbol_at(r->program, i, &shown))
            continue;
        json_t *range = document_range(d, r->offset + s->span.offset, s->span.length);
        json_t *one = json_pack("{s:o, s:s, s:i, s:O, s:o}", "name", lsp_text(s->name), "detail",
                                shown.keyword ? shown.keyword : "label", "kind", symbol_kind(s), "range", range,
                                "selectionRange", range);
        if (!one || json_array_append_new(array, one) != 0) {
            json_decref(array);
            return NULL;
        }
    }
    return array;
}

json_t *lsp_symbols(const struct document *d)
{
    enum { MODULE = 2 };
    json_t *array = json_array();

    for (size_t i = 0; array && i < d->nregions; i++) {
        const struct region *r = &d->regions[i];
        const char *header = gp5_header(r->program);
        if (!header)
            continue;
        json_t *one = json_pack("{s:s, s:s, s:i, s:o, s:o, s:o}", "name", header, "detail", gp5_stage(r->program),
                                "kind", MODULE, "range", document_range(d, r->offset, r->length), "selectionRange",
                                document_range(d, r->offset, strlen(header)), "children", children(d, r));
        if (!one || json_array_append_new(array, one) != 0) {
            json_decref(array);
            return NULL;
        }
    }
    return array;
}
