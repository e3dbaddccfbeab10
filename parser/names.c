/* Declared names: a hash table of symbol numbers (parser/context.h). They live in one space. */
#include "parser/context.h"

#include <string.h>

/* A name of up to eight letters is its own key; of a longer one a hash is. */
static uint64_t key_of(const char *text, size_t length)
{
    if (length <= 8)
        return word_load(text, length);
    uint64_t hash = length * UINT64_C(0x9e3779b97f4a7c15);
    for (; length >= 8; text += 8, length -= 8) {
        hash = (hash ^ word_load(text, 8)) * UINT64_C(0xff51afd7ed558ccd);
        hash ^= hash >> 32;
    }
    hash = (hash ^ word_load(text, length)) * UINT64_C(0xff51afd7ed558ccd);
    return hash ^ hash >> 32;
}

static size_t start_of(const struct names *n, uint64_t key)
{
    return (size_t)(key * UINT64_C(0x9e3779b97f4a7c15) >> 32) & (n->size - 1);
}

uint32_t names_find(const struct parser *p, const char *text, size_t length)
{
    const struct names *n = &p->names;
    if (n->size == 0)
        return NO_INDEX;
    uint64_t key = key_of(text, length);
    for (size_t i = start_of(n, key); n->slot[i].symbol; i = (i + 1) & (n->size - 1)) {
        const struct name_slot *slot = &n->slot[i];
        if (slot->key == key && slot->length == length &&
            (length <= 8 || memcmp(program_symbol(p->program, slot->symbol - 1)->name, text, length) == 0))
            return slot->symbol - 1;
    }
    return NO_INDEX;
}

static void insert(struct names *n, struct name_slot slot)
{
    size_t i = start_of(n, slot.key);
    while (n->slot[i].symbol)
        i = (i + 1) & (n->size - 1);
    n->slot[i] = slot;
    n->used++;
}

static bool make_room(struct names *n)
{
    if ((n->used + 1) * 2 <= n->size)
        return true;
    struct names grown = {.size = n->size ? n->size * 2 : 64};
    grown.slot = gp5_malloc(grown.size * sizeof *grown.slot);
    if (!grown.slot)
        return false;
    memset(grown.slot, 0, grown.size * sizeof *grown.slot);
    for (size_t i = 0; i < n->size; i++)
        if (n->slot[i].symbol)
            insert(&grown, n->slot[i]);
    gp5_free(n->slot);
    *n = grown;
    return true;
}

/* A name that exists already gets a symbol as well, which nobody finds: its declaration is printed and reported. */
uint32_t names_add(struct parser *p, enum symbol_kind kind, struct span name)
{
    return names_declare(p, kind, name, names_find(p, p->text + name.offset, name.length) != NO_INDEX);
}

uint32_t names_declare(struct parser *p, enum symbol_kind kind, struct span name, bool known)
{
    const char *text = p->text + name.offset;
    char *copy = arena_copy(&p->program->arena, text, name.length);
    struct symbol *s = copy && make_room(&p->names) ? PUSH(p, symbols, struct symbol) : NULL;
    if (!s) {
        p->failed = true;
        return NO_INDEX;
    }
    *s = (struct symbol){.name = copy, .span = name, .kind = (uint8_t)kind};
    uint32_t symbol = (uint32_t)p->program->symbols.count - 1;
    if (!known)
        insert(&p->names, (struct name_slot){key_of(text, name.length), symbol + 1, name.length});
    return symbol;
}

/* A label may have a variable's name, as the text reads; the table has the one that came first. */
uint32_t names_find_label(const struct parser *p, const char *text, size_t length)
{
    uint32_t symbol = names_find(p, text, length);
    if (symbol == NO_INDEX || program_symbol(p->program, symbol)->kind == SYM_LABEL)
        return symbol;
    for (uint32_t i = symbol + 1; i < p->program->symbols.count; i++) {
        const struct symbol *s = program_symbol(p->program, i);
        if (s->kind == SYM_LABEL && strlen(s->name) == length && memcmp(s->name, text, length) == 0)
            return i;
    }
    return NO_INDEX;
}

void names_free(struct parser *p)
{
    gp5_free(p->names.slot);
}
