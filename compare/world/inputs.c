/* Commands that give a program what is neither a buffer of storage or constants nor a parameter: counters, textures,
 * images, pointers, subroutines. */
#include "compare/world/world.h"

#include <string.h>

#include "compare/script/sampler.h"
#include "compare/driver/texture_words.h"

void world_set_texture(struct world *w, const struct op_texture *o)
{
    struct slot *slot = world_make_slot(w, &w->textures, o->texture.unit);
    if (!slot)
        return;
    if (!world_fill_slot(slot, 0, o->data.bytes, o->texture.bytes)) {
        world_no_memory(w);
        return;
    }
    slot->texture = o->texture;
    slot->is_set = true;
    if (!slot->has_rule)
        slot->rule = (struct rule){ .type = texel_type(o->texture.format) };
}

/* piglit names the kind of texture, and means the one of that kind that was made last; `sampler` names the unit. */
void world_set_sampler(struct world *w, const struct op_sampler *o)
{
    size_t wrong;
    struct slot *found = NULL;
    if (!o->by_kind)
        found = world_slot(&w->textures, o->unit);
    for (size_t i = 0; o->by_kind && i < w->script->ops.count; i++) {
        const struct op *op = vec_at((struct vec *)&w->script->ops, i);
        if (op == w->op)
            break;
        if (op->kind == OP_TEXTURE && op->u.texture.texture.kind == o->kind)
            found = world_slot(&w->textures, op->u.texture.texture.unit);
    }
    if (!found || !found->is_set) {
        w->result->status = TEST_ERROR;
        w->result->message = "a sampler of a texture that the script does not make";
        return;
    }
    sampler_set(&found->texture.sampler, o->words, o->count, &wrong);
}

/* In the place of one that is alike, or behind the others. */
static void *element(struct world *w, struct vec *list, bool (*alike)(const void *a, const void *b), const void *like)
{
    for (size_t i = 0; i < list->count; i++)
        if (alike(vec_at(list, i), like))
            return vec_at(list, i);
    size_t index = vec_grow(list);
    if (index == SIZE_MAX) {
        world_no_memory(w);
        return NULL;
    }
    return vec_at(list, index);
}

static bool same_image(const void *a, const void *b)
{
    return ((const struct gp5_image *)a)->unit == ((const struct gp5_image *)b)->unit;
}

void world_set_image(struct world *w, const struct gp5_image *image)
{
    struct gp5_image *to = element(w, &w->images, same_image, image);
    if (to)
        *to = *image;
}

static bool same_place(const void *a, const void *b)
{
    const struct driver_pointer *p = a, *q = b;
    return p->place == q->place && p->index == q->index && p->offset == q->offset;
}

void world_set_pointer(struct world *w, const struct driver_pointer *pointer)
{
    struct driver_pointer *to = element(w, &w->pointers, same_place, pointer);
    if (to)
        *to = *pointer;
}

void world_set_subroutines(struct world *w, const struct op_subroutines *o)
{
    w->subroutines = o->numbers;
    w->subroutine_count = o->count;
}
