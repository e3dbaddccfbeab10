/* Which memory an access of a lane goes to (place.c). */
#ifndef GP5_EVAL_PLACE_H
#define GP5_EVAL_PLACE_H

#include "eval/machine/warp_state.h"
#include "eval/texture/image.h"

/* Of an address in the GPU's memory. */
struct memory eval_global_memory(const struct warp *w, const struct access *a, unsigned lane);

/* The memory that a lane's access goes to: all of it, or (GLOBAL) what is mapped at its address. */
static inline struct memory eval_memory(const struct warp *w, const struct access *a, unsigned lane)
{
    static const struct memory nothing;
    int64_t slot;

    if (a->space == SPACE_SHARED)
        return w->worker->shared;
    if (a->space == SPACE_GLOBAL)
        return eval_global_memory(w, a, lane);
    if (a->space == SPACE_IMAGE)
        return eval_image_memory(w, a, lane);
    slot = a->slot_offset;
    if (a->slot_index != NO_PLANE)
        slot += (int32_t)PLANE(w->base, a->slot_index)[lane];
    if (slot < 0 || slot >= a->nslots)
        return nothing;
    return w->worker->run->slots[a->slot + (uint32_t)slot];
}

#endif
