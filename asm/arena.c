/* Arenas and growing arrays: asm/arena.h. */
#include "asm/arena.h"

#include <stdalign.h>
#include <string.h>

enum { FIRST_BLOCK = 1008, LARGEST_BLOCK = 1 << 20 };

struct arena_block {
    struct arena_block *next;
    alignas(max_align_t) unsigned char bytes[];
};

void arena_init(struct arena *a)
{
    *a = (struct arena){0};
}

void arena_free(struct arena *a)
{
    struct arena_block *block = a->head;
    while (block) {
        struct arena_block *next = block->next;
        gp5_free(block);
        block = next;
    }
    arena_init(a);
}

static struct arena_block *new_block(struct arena *a, size_t size)
{
    struct arena_block *block = NULL;
    if (size <= SIZE_MAX - sizeof *block)
        block = gp5_malloc(sizeof *block + size);
    if (!block)
        a->failed = true;
    return block;
}

/* A block of its own for what is large; it goes behind the head, whose free room stays in use. */
static void *alloc_alone(struct arena *a, size_t size)
{
    struct arena_block *block = new_block(a, size);
    if (!block)
        return NULL;
    if (a->head) {
        block->next = a->head->next;
        a->head->next = block;
    } else {
        block->next = NULL;
        a->head = block;
        a->used = a->size = size;
    }
    return block->bytes;
}

static void *take(struct arena *a, size_t size)
{
    const size_t align = alignof(max_align_t);
    if (size > SIZE_MAX - align) {
        a->failed = true;
        return NULL;
    }
    size = (size + align - 1) / align * align;
    if (size == 0)
        size = align;
    if (size > a->size - a->used) {
        if (size > LARGEST_BLOCK / 4)
            return alloc_alone(a, size);
        size_t room = a->size ? a->size * 2 : FIRST_BLOCK;
        if (room > LARGEST_BLOCK)
            room = LARGEST_BLOCK;
        if (room < size)
            room = size;
        struct arena_block *block = new_block(a, room);
        if (!block)
            return NULL;
        block->next = a->head;
        a->head = block;
        a->size = room;
        a->used = 0;
    }
    void *p = a->head->bytes + a->used;
    a->used += size;
    return p;
}

void *arena_alloc(struct arena *a, size_t size)
{
    void *p = take(a, size);
    if (p)
        memset(p, 0, size);
    return p;
}

char *arena_copy(struct arena *a, const void *bytes, size_t size)
{
    if (size == SIZE_MAX) {
        a->failed = true;
        return NULL;
    }
    char *copy = take(a, size + 1);
    if (copy) {
        memcpy(copy, size ? bytes : "", size);
        copy[size] = 0;
    }
    return copy;
}

void vec_init(struct vec *v, size_t element)
{
    *v = (struct vec){.element = element};
}

size_t vec_grow(struct vec *v)
{
    if (v->count >= UINT32_MAX)
        return SIZE_MAX;
    if (v->count == v->capacity) {
        size_t capacity = v->capacity < 16 ? 16 : v->capacity + v->capacity / 2;
        if (capacity > SIZE_MAX / v->element)
            return SIZE_MAX;
        void *data = gp5_realloc(v->data, capacity * v->element);
        if (!data)
            return SIZE_MAX;
        v->data = data;
        v->capacity = capacity;
    }
    memset((char *)v->data + v->count * v->element, 0, v->element);
    return v->count++;
}

void vec_reserve(struct vec *v, size_t count)
{
    bool more = count > v->capacity && count <= SIZE_MAX / v->element;
    void *data = more ? gp5_realloc(v->data, count * v->element) : NULL;

    if (data) {
        v->data = data;
        v->capacity = count;
    }
}

void vec_free(struct vec *v)
{
    gp5_free(v->data);
    vec_init(v, v->element);
}
