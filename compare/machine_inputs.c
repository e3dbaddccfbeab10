/* Commands that give a program what is neither a buffer of storage or constants nor a parameter: counters, textures,
 * images, pointers, subroutines. */
#include "compare/machine.h"

#include <string.h>

#include "compare/sampler.h"
#include "compare/texture_words.h"

/* What a texture is compared as unless the script says something else: the words of its components. */
enum number_type machine_texel_type(unsigned format)
{
    const struct gp5_format_info *info = gp5_format_info(format);
    switch (info->kind) {
    case GP5_KIND_FLOAT: return info->bits == 16 ? NUMBER_F16 : NUMBER_F32;
    case GP5_KIND_SINT: case GP5_KIND_SNORM:
        return info->bits == 8 ? NUMBER_S8 : info->bits == 16 ? NUMBER_S16 : NUMBER_S32;
    case GP5_KIND_UINT: case GP5_KIND_UNORM:
        return info->bits == 8 ? NUMBER_U8 : info->bits == 16 ? NUMBER_U16 : NUMBER_U32;
    default: return NUMBER_U32;
    }
}

/* The texel that a byte of a texture belongs to. */
void machine_texel(const struct gp5_texture *t, size_t offset, struct finding *f)
{
    const struct gp5_format_info *info = gp5_format_info(t->format);
    uint32_t size[3], level = 0;
    while (level + 1 < t->levels && offset >= gp5_texture_bytes(t, level + 1))
        level++;
    gp5_texture_level(t, level, size);
    size_t inside = offset - (size_t)gp5_texture_bytes(t, level), texel = inside / info->bytes;
    f->has_invocation = true;
    f->level = level;
    f->x = (uint32_t)(texel % size[0]);
    f->y = (uint32_t)(texel / size[0] % size[1]);
    f->z = (uint32_t)(texel / size[0] / size[1]);
    f->component = info->bits ? (uint32_t)(inside % info->bytes / (info->bits / 8)) : 0;
}

void machine_set_texture(struct machine *m, const struct op_texture *o)
{
    struct slot *slot = machine_make_slot(m, &m->textures, o->texture.unit);
    if (!slot)
        return;
    if (!machine_fill_slot(slot, 0, o->data.bytes, o->texture.bytes)) {
        machine_no_memory(m);
        return;
    }
    slot->texture = o->texture;
    slot->is_set = true;
    if (!slot->has_rule)
        slot->rule = (struct rule){ .type = machine_texel_type(o->texture.format) };
}

/* piglit names the kind of texture, and means the one of that kind that was made last; `sampler` names the unit. */
void machine_set_sampler(struct machine *m, const struct op_sampler *o)
{
    size_t wrong;
    struct slot *found = NULL;
    if (!o->by_kind)
        found = machine_slot(&m->textures, o->unit);
    for (size_t i = 0; o->by_kind && i < m->script->ops.count; i++) {
        const struct op *op = vec_at((struct vec *)&m->script->ops, i);
        if (op == m->op)
            break;
        if (op->kind == OP_TEXTURE && op->u.texture.texture.kind == o->kind)
            found = machine_slot(&m->textures, op->u.texture.texture.unit);
    }
    if (!found || !found->is_set) {
        m->result->status = TEST_ERROR;
        m->result->message = "a sampler of a texture that the script does not make";
        return;
    }
    sampler_set(&found->texture.sampler, o->words, o->count, &wrong);
}

/* In the place of one that is alike, or behind the others. */
static void *element(struct machine *m, struct vec *list, bool (*alike)(const void *a, const void *b), const void *like)
{
    for (size_t i = 0; i < list->count; i++)
        if (alike(vec_at(list, i), like))
            return vec_at(list, i);
    size_t index = vec_grow(list);
    if (index == SIZE_MAX) {
        machine_no_memory(m);
        return NULL;
    }
    return vec_at(list, index);
}

static bool same_image(const void *a, const void *b)
{
    return ((const struct gp5_image *)a)->unit == ((const struct gp5_image *)b)->unit;
}

void machine_set_image(struct machine *m, const struct gp5_image *image)
{
    struct gp5_image *to = element(m, &m->images, same_image, image);
    if (to)
        *to = *image;
}

static bool same_place(const void *a, const void *b)
{
    const struct driver_pointer *p = a, *q = b;
    return p->place == q->place && p->index == q->index && p->offset == q->offset;
}

void machine_set_pointer(struct machine *m, const struct driver_pointer *pointer)
{
    struct driver_pointer *to = element(m, &m->pointers, same_place, pointer);
    if (to)
        *to = *pointer;
}

void machine_set_subroutines(struct machine *m, const struct op_subroutines *o)
{
    m->subroutines = o->numbers;
    m->subroutine_count = o->count;
}
