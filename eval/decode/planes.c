/* Where values live: planes for variables, constants, inputs and scratch. */
#include "eval/decode/decode.h"

#include <string.h>

#define HASH_NONFATAL_OOM 1
#define uthash_malloc(size) gp5_malloc(size)
#define uthash_free(p, size) gp5_free(p)
#define uthash_nonfatal_oom(element) ((element)->lost = true)
#include <uthash.h>

/* What a plane holds; all of it is the key. */
struct plane_key {
    uint32_t class;             /* enum key_class */
    uint32_t a, b, c;
};
enum key_class { KEY_WORD, KEY_WORD64, KEY_SOURCE };

struct plane_entry {
    struct plane_key key;
    uint32_t plane;
    bool lost;
    UT_hash_handle hh;
};

struct plane_table {
    struct plane_entry *head;
};

bool eval_layout_init(struct layout *l, const struct gp5_program *p)
{
    memset(l, 0, sizeof *l);
    l->program = p;
    vec_init(&l->constants, sizeof(struct plane_word));
    vec_init(&l->sources, sizeof(struct plane_source));
    vec_init(&l->names, sizeof(struct plane_name));
    vec_init(&l->scratch, sizeof(uint32_t));
    l->table = arena_alloc(&l->arena, sizeof *l->table);
    l->symbol_plane = arena_alloc(&l->arena, p->symbols.count * sizeof *l->symbol_plane);
    l->parameter = arena_alloc(&l->arena, p->symbols.count * sizeof *l->parameter);
    if (l->arena.failed)
        return false;
    for (size_t i = 0; i < p->symbols.count; i++)
        l->symbol_plane[i] = l->parameter[i][0] = NO_PLANE;
    return true;
}

void eval_layout_free(struct layout *l)
{
    if (l->table)
        HASH_CLEAR(hh, l->table->head);
    arena_free(&l->arena);
    vec_free(&l->constants);
    vec_free(&l->sources);
    vec_free(&l->names);
    vec_free(&l->scratch);
}

uint32_t eval_layout_planes(struct layout *l, uint32_t n)
{
    uint32_t first = l->nplanes;

    if (n > MAX_PLANES - first) {
        l->full = true;
        return 0;
    }
    for (uint32_t i = 0; i < n; i++) {
        size_t at = vec_grow(&l->names);
        if (at == SIZE_MAX) {
            l->failed = true;
            return 0;
        }
        ((struct plane_name *)vec_at(&l->names, at))->symbol = NO_INDEX;
    }
    l->nplanes += n;
    return first;
}

static struct plane_entry *find(struct layout *l, const struct plane_key *key)
{
    struct plane_entry *e;

    HASH_FIND(hh, l->table->head, key, sizeof *key, e);
    return e;
}

static void note(struct layout *l, const struct plane_key *key, uint32_t plane)
{
    struct plane_entry *e = arena_alloc(&l->arena, sizeof *e);

    if (e) {
        e->key = *key;
        e->plane = plane;
        HASH_ADD(hh, l->table->head, key, sizeof e->key, e);
    }
    l->failed |= !e || e->lost;
}

/* Remembers what fresh planes hold. */
static uint32_t remember(struct layout *l, const struct plane_key *key, uint32_t planes)
{
    uint32_t first = eval_layout_planes(l, planes);

    if (!l->failed && !l->full)
        note(l, key, first);
    return l->failed || l->full ? 0 : first;
}

static void constant(struct layout *l, uint32_t plane, uint32_t word)
{
    size_t at = vec_grow(&l->constants);

    if (at == SIZE_MAX)
        l->failed = true;
    else
        *(struct plane_word *)vec_at(&l->constants, at) = (struct plane_word){plane, word};
}

uint32_t eval_layout_word(struct layout *l, uint32_t word)
{
    struct plane_key key = {KEY_WORD, word, 0, 0};
    struct plane_entry *e = find(l, &key);

    if (e)
        return e->plane;
    uint32_t plane = remember(l, &key, 1);
    constant(l, plane, word);
    return plane;
}

uint32_t eval_layout_word64(struct layout *l, uint64_t word)
{
    struct plane_key key = {KEY_WORD64, (uint32_t)word, (uint32_t)(word >> 32), 0};
    struct plane_entry *e = find(l, &key);

    if (e)
        return e->plane;
    uint32_t plane = remember(l, &key, 2);
    constant(l, plane, (uint32_t)word);
    constant(l, plane + 1, (uint32_t)(word >> 32));
    return plane;
}

uint32_t eval_layout_source(struct layout *l, uint16_t kind, uint32_t index, unsigned component)
{
    struct plane_key key = {KEY_SOURCE, kind, index, component};
    struct plane_entry *e = find(l, &key);

    if (e)
        return e->plane;
    uint32_t plane = remember(l, &key, 1);
    size_t at = vec_grow(&l->sources);
    if (at == SIZE_MAX)
        l->failed = true;
    else
        *(struct plane_source *)vec_at(&l->sources, at) = (struct plane_source){
            .plane = plane, .kind = kind, .component = (uint8_t)component, .index = index};
    return plane;
}

uint32_t eval_layout_placed(struct layout *l, uint16_t kind, uint32_t index, unsigned component)
{
    struct plane_key key = {KEY_SOURCE, kind, index, component};
    const struct plane_entry *e = find(l, &key);

    return e ? e->plane : NO_PLANE;
}

void eval_layout_source_at(struct layout *l, uint16_t kind, uint32_t index, unsigned component, uint32_t plane)
{
    struct plane_key key = {KEY_SOURCE, kind, index, component};
    size_t at = vec_grow(&l->sources);
    struct plane_entry *e = find(l, &key);

    if (at == SIZE_MAX) {
        l->failed = true;
        return;
    }
    *(struct plane_source *)vec_at(&l->sources, at) = (struct plane_source){
        .plane = plane, .kind = kind, .component = (uint8_t)component, .index = index};
    if (!e && !l->failed)
        note(l, &key, plane);
}

uint32_t eval_layout_scratch(struct layout *l)
{
    if (l->scratch_used < l->scratch.count)
        return *(uint32_t *)vec_at(&l->scratch, l->scratch_used++);
    uint32_t plane = eval_layout_planes(l, 2);
    size_t at = vec_grow(&l->scratch);
    if (at == SIZE_MAX)
        l->failed = true;
    else
        *(uint32_t *)vec_at(&l->scratch, at) = plane;
    l->scratch_used++;
    return plane;
}
