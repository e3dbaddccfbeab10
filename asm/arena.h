/* Memory that lives and dies together: a program, its symbols, its operands. */
#ifndef GP5_ASM_ARENA_H
#define GP5_ASM_ARENA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct arena_block;

struct arena {
    struct arena_block *head;
    size_t used, size;      /* of the head block */
    bool failed;            /* an allocation failed; stays set, so that a caller may check once at the end */
};

void arena_init(struct arena *a);
void arena_free(struct arena *a);

/* Zeroed memory, aligned for any type, or NULL (and a->failed). Never freed singly. */
void *arena_alloc(struct arena *a, size_t size);

/* A copy of the bytes with a NUL after them, or NULL. */
char *arena_copy(struct arena *a, const void *bytes, size_t size);

/* A growing array of plain elements. `vec_grow` makes room for one more and returns its index, or SIZE_MAX when
 * memory is out or the count would not fit in 32 bits. The element is zeroed. */
struct vec {
    void *data;
    size_t count, capacity, element;
};

void vec_init(struct vec *v, size_t element);
size_t vec_grow(struct vec *v);
/* Room for so many, if there is memory for it: else it grows as it is filled. */
void vec_reserve(struct vec *v, size_t count);
/* No bounds check: index < count. */
static inline void *vec_at(const struct vec *v, size_t index)
{
    return (char *)v->data + index * v->element;
}
void vec_free(struct vec *v);

/* Every allocation of the library comes from here, so that a test can make the nth one fail. */
void *gp5_malloc(size_t size);
void *gp5_realloc(void *p, size_t size);
void gp5_free(void *p);

#endif
