/* Which memory an access of a lane goes to, and where in it. */
#include "eval/machine/warp_state.h"
#include "eval/texture/image.h"

static uint64_t global_address(const struct warp *w, const struct access *a, unsigned lane)
{
    return PLANE(w->base, a->address)[lane] | (uint64_t)PLANE(w->base, a->address + 1)[lane] << 32;
}

static const struct global_range *range_of(const struct warp *w, const struct access *a, unsigned lane)
{
    const struct run *run = w->worker->run;
    uint64_t address = global_address(w, a, lane);

    for (size_t i = 0; i < run->launch->naddresses; i++)
        if (address - run->ranges[i].address < run->ranges[i].memory.size)
            return &run->ranges[i];
    return NULL;
}

uint32_t eval_far_offset(const struct warp *w, const struct access *a, unsigned lane)
{
    const struct global_range *range;

    if (a->space == SPACE_IMAGE)
        return eval_image_offset(w, a, lane);
    range = range_of(w, a, lane);
    return range ? (uint32_t)(global_address(w, a, lane) - range->address) : UINT32_MAX;
}

struct memory eval_memory(const struct warp *w, const struct access *a, unsigned lane)
{
    static const struct memory nothing;
    int64_t slot;

    if (a->space == SPACE_SHARED)
        return w->worker->shared;
    if (a->space == SPACE_GLOBAL) {
        const struct global_range *range = range_of(w, a, lane);
        return range ? range->memory : nothing;
    }
    if (a->space == SPACE_IMAGE)
        return eval_image_memory(w, a, lane);
    slot = a->slot_offset;
    if (a->slot_index != NO_PLANE)
        slot += (int32_t)PLANE(w->base, a->slot_index)[lane];
    if (slot < 0 || slot >= a->nslots)
        return nothing;
    return w->worker->run->slots[a->slot + (uint32_t)slot];
}
