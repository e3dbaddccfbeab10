/* What a test has so far: the buffers and textures of both sides, kept in the order of their bindings, and the
 * findings about them. */
#include "compare/world/world.h"

#include <string.h>

struct slot *world_slot(const struct vec *slots, uint32_t binding)
{
    for (size_t i = 0; i < slots->count; i++) {
        struct slot *slot = vec_at((struct vec *)slots, i);
        if (slot->binding == binding)
            return slot;
    }
    return NULL;
}

void world_no_memory(struct world *w)
{
    w->result->status = TEST_ERROR;
    w->result->message = "out of memory";
}

const char *world_keep(struct world *w, const char *text)
{
    const char *copy = text ? arena_copy(&w->result->arena, text, strlen(text)) : NULL;
    return copy ? copy : text ? "out of memory" : NULL;
}

struct vec *world_slots(struct world *w, enum output_kind kind)
{
    switch (kind) {
    case OUTPUT_STORAGE: return &w->storage;
    case OUTPUT_COUNTER: return &w->counters;
    case OUTPUT_TEXTURE: return &w->textures;
    default: return NULL;
    }
}

enum output_kind world_output(enum buffer_kind kind)
{
    return kind == BUFFER_COUNTER ? OUTPUT_COUNTER : kind == BUFFER_TEXTURE ? OUTPUT_TEXTURE : OUTPUT_STORAGE;
}

struct slot *world_make_slot(struct world *w, struct vec *slots, uint32_t binding)
{
    struct slot *slot = world_slot(slots, binding);
    if (slot)
        return slot;
    if (vec_grow(slots) == SIZE_MAX) {
        world_no_memory(w);
        return NULL;
    }
    size_t at = slots->count - 1;
    for (; at && ((struct slot *)vec_at(slots, at - 1))->binding > binding; at--)
        *(struct slot *)vec_at(slots, at) = *(struct slot *)vec_at(slots, at - 1);
    slot = vec_at(slots, at);
    *slot = (struct slot){ .binding = binding };
    slot->rule.type = NUMBER_U32;
    return slot;
}

bool world_fill_slot(struct slot *slot, size_t at, const void *bytes, size_t size)
{
    for (int side = 0; side < SIDES; side++) {
        uint8_t *more = gp5_realloc(slot->data[side], at + size);
        if (!more)
            return false;
        slot->data[side] = more;
        if (size && bytes)
            memcpy(more + at, bytes, size);
        else if (size)
            memset(more + at, 0, size);
    }
    slot->size = at + size;
    gp5_free(slot->undefined);
    slot->undefined = NULL;
    slot->is_set = true;
    return true;
}

void world_free_slots(struct vec *slots)
{
    for (size_t i = 0; i < slots->count; i++) {
        struct slot *slot = vec_at(slots, i);
        gp5_free(slot->data[REFERENCE]);
        gp5_free(slot->data[DRIVER]);
        gp5_free(slot->undefined);
    }
    vec_free(slots);
}

struct finding *world_find(struct world *w, enum finding_kind kind, enum side side)
{
    struct test_result *r = w->result;
    r->findings_total++;
    r->probes_failed += kind == FINDING_PROBE;
    if (r->findings.count >= TEST_FINDINGS)
        return NULL;
    size_t index = vec_grow(&r->findings);
    if (index == SIZE_MAX)
        return NULL;
    struct finding *f = vec_at(&r->findings, index);
    f->kind = kind;
    f->side = side == REFERENCE ? "reference" : "driver";
    f->line = w->op ? w->op->line : 0;
    return f;
}

void world_place(const struct world *w, const struct slot *slot, size_t offset, struct finding *f)
{
    const uint32_t *size = w->group_size;
    uint64_t threads = (uint64_t)size[0] * size[1] * size[2];
    if (f->output == OUTPUT_TEXTURE)
        texel_place(&slot->texture, offset, f);
    if (f->output != OUTPUT_STORAGE)
        return;
    uint64_t all = threads * w->groups[0] * w->groups[1] * w->groups[2];
    unsigned bytes = number_types[slot->has_layout ? slot->layout.type : slot->rule.type].bytes;
    size_t record;
    if (slot->has_layout)
        record = slot->layout.count * bytes;
    else if (all && slot->size % (all * bytes) == 0)
        record = (size_t)(slot->size / all);
    else
        return;
    if (!record || offset / record >= all)
        return;
    f->has_invocation = true;
    f->invocation = (uint32_t)(offset / record);
    f->component = (uint32_t)(offset % record / bytes);
    f->group = (uint32_t)(f->invocation / threads);
    f->warp = (uint32_t)(f->invocation % threads / 32);
    f->lane = f->invocation % threads % 32;
}

void world_interrupt(struct world *w)
{
    w->result->interrupted = true;
    w->result->status = TEST_SKIPPED;
    w->result->message = "interrupted";
}
