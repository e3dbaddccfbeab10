/* What a dispatch or a draw of a test gives to the reference and to the driver: each the state of its own world. */
#include "compare/machine.h"

#include <string.h>

static struct driver_buffer *buffers_of(const struct vec *slots, enum world world, bool bring_back, size_t *count)
{
    struct driver_buffer *buffers = gp5_malloc((slots->count + 1) * sizeof *buffers);
    *count = 0;
    for (size_t i = 0; buffers && i < slots->count; i++) {
        const struct slot *slot = vec_at((struct vec *)slots, i);
        if (slot->is_set)           /* a script may name a binding (compare storage 1 ...) that has no buffer yet */
            buffers[(*count)++] = (struct driver_buffer){ slot->binding, slot->data[world], slot->size, bring_back };
    }
    return buffers;
}

static bool has_image(const struct machine *m, uint32_t unit)
{
    for (size_t i = 0; i < m->images.count; i++)
        if (((const struct gp5_image *)vec_at((struct vec *)&m->images, i))->texture == unit)
            return true;
    return false;
}

/* Only what an image shows can change. */
static struct driver_texture *textures_of(const struct machine *m, enum world world, size_t *count)
{
    struct driver_texture *textures = gp5_malloc((m->textures.count + 1) * sizeof *textures);
    *count = 0;
    for (size_t i = 0; textures && i < m->textures.count; i++) {
        const struct slot *slot = vec_at((struct vec *)&m->textures, i);
        if (!slot->is_set)
            continue;
        struct driver_texture *t = &textures[(*count)++];
        *t = (struct driver_texture){ .texture = slot->texture, .bring_back = has_image(m, slot->binding) };
        t->texture.data = slot->data[world];
    }
    return textures;
}

bool machine_case(struct machine *m, enum world world, struct machine_case *parts, struct driver_case *c)
{
    bool lowered = world == DRIVER && m->reference.lowered;
    memset(parts, 0, sizeof *parts);
    memset(c, 0, sizeof *c);
    c->stage = m->program->stage;
    c->program = lowered ? m->reference.lowered : m->program->text;
    c->program_size = lowered ? m->reference.lowered_size : m->program->size;
    c->env = m->env.data;
    c->env_count = m->env.count;
    c->local = m->local.data;
    c->local_count = m->local.count;
    c->textures = parts->textures = textures_of(m, world, &c->texture_count);
    c->images = m->images.data;
    c->image_count = m->images.count;
    if (c->stage == DRIVER_COMPUTE) {
        memcpy(c->groups, m->groups, sizeof c->groups);
        memcpy(c->group_size, m->op->u.dispatch.group_size, sizeof c->group_size);
        c->storage = parts->storage = buffers_of(&m->storage, world, true, &c->storage_count);
        c->counters = parts->counters = buffers_of(&m->counters, world, true, &c->counter_count);
        c->constants = parts->constants = buffers_of(&m->constants, world, false, &c->constant_count);
        c->pointers = m->pointers.data;
        c->pointer_count = m->pointers.count;
        c->subroutines = m->subroutines;
        c->subroutine_count = m->subroutine_count;
        if (!c->storage || !c->counters || !c->constants)
            return false;
    }
    return c->textures;
}

void machine_case_free(struct machine_case *parts)
{
    gp5_free(parts->storage);
    gp5_free(parts->counters);
    gp5_free(parts->constants);
    gp5_free(parts->textures);
}

bool machine_check(struct machine *m, const struct driver_case *c)
{
    const char *wrong = driver_case_check(c);
    if (!wrong)
        return true;
    m->result->status = TEST_ERROR;
    m->result->message = wrong;
    return false;
}
