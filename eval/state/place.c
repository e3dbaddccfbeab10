/* Which memory an access of a lane goes to, and where in it. */
#include "eval/state/place.h"

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

struct memory eval_global_memory(const struct warp *w, const struct access *a, unsigned lane)
{
    const struct global_range *range = range_of(w, a, lane);

    return range ? range->memory : (struct memory){0};
}
