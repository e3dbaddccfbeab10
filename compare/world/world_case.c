/* What a dispatch or a draw of a test gives to the reference and to the driver: each the state of its own side. */
#include "compare/world/world.h"

#include <string.h>

static struct driver_buffer *buffers_of(const struct vec *slots, enum side side, bool bring_back, size_t *count)
{
    struct driver_buffer *buffers = gp5_malloc((slots->count + 1) * sizeof *buffers);
    *count = 0;
    for (size_t i = 0; buffers && i < slots->count; i++) {
        const struct slot *slot = vec_at((struct vec *)slots, i);
        if (slot->is_set)           /* a script may name a binding (compare storage 1 ...) that has no buffer yet */
            buffers[(*count)++] = (struct driver_buffer){ slot->binding, slot->data[side], slot->size, bring_back };
    }
    return buffers;
}

static bool has_image(const struct world *w, uint32_t unit)
{
    for (size_t i = 0; i < w->images.count; i++)
        if (((const struct gp5_image *)vec_at((struct vec *)&w->images, i))->texture == unit)
            return true;
    return false;
}

/* Only what an image shows can change. */
static struct driver_texture *textures_of(const struct world *w, enum side side, size_t *count)
{
    struct driver_texture *textures = gp5_malloc((w->textures.count + 1) * sizeof *textures);
    *count = 0;
    for (size_t i = 0; textures && i < w->textures.count; i++) {
        const struct slot *slot = vec_at((struct vec *)&w->textures, i);
        if (!slot->is_set)
            continue;
        struct driver_texture *t = &textures[(*count)++];
        *t = (struct driver_texture){ .texture = slot->texture, .bring_back = has_image(w, slot->binding) };
        t->texture.data = slot->data[side];
    }
    return textures;
}

bool world_case(struct world *w, enum side side, struct world_case *parts, struct driver_case *c)
{
    bool lowered = side == DRIVER && w->reference.lowered;
    memset(parts, 0, sizeof *parts);
    memset(c, 0, sizeof *c);
    c->stage = w->program->stage;
    const struct world_shader *shader = &w->shaders[c->stage];
    c->program = lowered ? w->reference.lowered : w->program->text;
    c->program_size = lowered ? w->reference.lowered_size : w->program->fixed ? 0 : w->program->size;
    if (side == DRIVER && w->options->translate) {
        c->language = DRIVER_GLSL;
        c->program = shader->text;
        c->program_size = shader->size;
    }
    c->env = w->env.data;
    c->env_count = w->env.count;
    c->local = w->local.data;
    c->local_count = w->local.count;
    c->textures = parts->textures = textures_of(w, side, &c->texture_count);
    c->images = w->images.data;
    c->image_count = w->images.count;
    if (c->stage == DRIVER_COMPUTE) {
        memcpy(c->groups, w->groups, sizeof c->groups);
        memcpy(c->group_size, w->op->u.dispatch.group_size, sizeof c->group_size);
    }
    c->storage = parts->storage = buffers_of(&w->storage, side, true, &c->storage_count);
    c->counters = parts->counters = buffers_of(&w->counters, side, true, &c->counter_count);
    c->constants = parts->constants = buffers_of(&w->constants, side, false, &c->constant_count);
    c->pointers = w->pointers.data;
    c->pointer_count = w->pointers.count;
    c->subroutines = w->subroutines;
    c->subroutine_count = w->subroutine_count;
    return c->storage && c->counters && c->constants && c->textures;
}

void world_case_free(struct world_case *parts)
{
    gp5_free(parts->storage);
    gp5_free(parts->counters);
    gp5_free(parts->constants);
    gp5_free(parts->textures);
}

bool world_check(struct world *w, const struct driver_case *c)
{
    const char *wrong = driver_case_check(c);
    if (!wrong)
        return true;
    w->result->status = TEST_ERROR;
    w->result->message = wrong;
    return false;
}
