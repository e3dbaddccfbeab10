/* Declared names: a hash table of symbol numbers; names live in one space (parser/context.h). */
#include "parser/context.h"

#include <string.h>

static uint32_t hash_of(const char *text, size_t length)
{
    uint64_t hash = length * UINT64_C(0x9e3779b97f4a7c15);
    while (length >= 8) {
        uint64_t word;
        memcpy(&word, text, 8);
        hash = (hash ^ word) * UINT64_C(0xff51afd7ed558ccd);
        hash ^= hash >> 32;
        text += 8;
        length -= 8;
    }
    uint64_t word = 0;
    for (size_t i = 0; i < length; i++)
        word |= (uint64_t)(unsigned char)text[i] << (8 * i);
    hash = (hash ^ word) * UINT64_C(0xff51afd7ed558ccd);
    return (uint32_t)(hash ^ hash >> 32);
}

uint32_t names_find(const struct parser *p, const char *text, size_t length)
{
    const struct names *n = &p->names;
    if (n->size == 0)
        return NO_INDEX;
    uint32_t hash = hash_of(text, length);
    const uint32_t *hashes = n->hashes.data;
    for (size_t i = hash & (n->size - 1); n->slot[i]; i = (i + 1) & (n->size - 1)) {
        uint32_t symbol = n->slot[i] - 1;
        if (hashes[symbol] == hash) {
            const struct symbol *s = program_symbol(p->program, symbol);
            if (s->span.length == length && memcmp(s->name, text, length) == 0)
                return symbol;
        }
    }
    return NO_INDEX;
}

static void insert(struct names *n, uint32_t symbol, uint32_t hash)
{
    size_t i = hash & (n->size - 1);
    while (n->slot[i])
        i = (i + 1) & (n->size - 1);
    n->slot[i] = symbol + 1;
}

static bool make_room(struct names *n)
{
    if ((n->hashes.count + 1) * 2 <= n->size)
        return true;
    size_t size = n->size ? n->size * 2 : 64;
    uint32_t *slot = gp5_malloc(size * sizeof *slot);
    if (!slot)
        return false;
    memset(slot, 0, size * sizeof *slot);
    gp5_free(n->slot);
    n->slot = slot;
    n->size = size;
    const uint32_t *hashes = n->hashes.data;
    for (size_t i = 0; i < n->hashes.count; i++)
        insert(n, (uint32_t)i, hashes[i]);
    return true;
}

/* A name that exists already gets a symbol as well, which nobody finds: its declaration is printed and reported. */
uint32_t names_add(struct parser *p, enum symbol_kind kind, struct span name)
{
    struct names *n = &p->names;
    const char *text = p->text + name.offset;
    bool known = names_find(p, text, name.length) != NO_INDEX;
    char *copy = arena_copy(&p->program->arena, text, name.length);
    if (!copy || !make_room(n)) {
        p->failed = true;
        return NO_INDEX;
    }
    size_t symbol = vec_grow(&p->program->symbols);
    size_t entry = symbol == SIZE_MAX ? SIZE_MAX : vec_grow(&n->hashes);
    if (entry == SIZE_MAX) {
        p->failed = true;
        return NO_INDEX;
    }
    uint32_t hash = hash_of(text, name.length);
    *(uint32_t *)vec_at(&n->hashes, entry) = hash;
    struct symbol *s = program_symbol(p->program, (uint32_t)symbol);
    s->name = copy;
    s->span = name;
    s->kind = (uint8_t)kind;
    if (!known)
        insert(n, (uint32_t)symbol, hash);
    return (uint32_t)symbol;
}

void names_free(struct parser *p)
{
    gp5_free(p->names.slot);
    vec_free(&p->names.hashes);
}
