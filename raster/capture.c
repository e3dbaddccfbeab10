/* Transform feedback: what the vertices of primitives have, into buffers, a primitive after the other. */
#include "raster/internal.h"

#include <string.h>

static unsigned slot_of(const char *binding)
{
    char text[48];
    unsigned slot = 0;

    while (slot < SLOTS && strcmp(slot_name(text, "result.", slot), binding))
        slot++;
    return slot;
}

slot_set captured_slots(const struct raster_draw *draw)
{
    slot_set slots = 0;

    for (size_t i = 0; i < draw->ncaptures; i++) {
        unsigned slot = slot_of(draw->captures[i].binding);
        slots |= slot < SLOTS ? SLOT_BIT(slot) : 0;
    }
    return slots;
}

/* Whether the first `vertices` fit into every buffer. */
static bool fits(const struct raster_draw *draw, uint64_t vertices)
{
    for (size_t i = 0; i < draw->ncaptures; i++) {
        const struct raster_capture *c = &draw->captures[i];
        if ((vertices - 1) * c->stride + c->offset + 4 * c->components > c->size)
            return false;
    }
    return true;
}

static void put(const struct pipeline *p, const struct raster_capture *c, uint32_t vertex, uint64_t number)
{
    unsigned slot = slot_of(c->binding);
    const uint32_t *words = slot < SLOTS ? p->vertices.words[slot] : NULL,
                   *undefined = slot < SLOTS ? p->vertices.undefined[slot] : NULL;
    size_t at = (size_t)(number * c->stride + c->offset);

    for (uint32_t k = 0; words && k < c->components; k++) {
        memcpy(c->data + at + 4 * k, &words[(size_t)vertex * 4 + k], 4);
        if (c->undefined)
            c->undefined[at / 4 + k] = undefined ? undefined[(size_t)vertex * 4 + k] : 0;
    }
}

void pipeline_capture(struct pipeline *p)
{
    const struct raster_draw *draw = p->draw;
    uint64_t vertices = 0;

    draw->counts->generated += p->primitives.count;
    for (size_t i = 0; i < p->primitives.count; i++) {
        const struct primitive *one = &p->primitives.list[i];
        if (!fits(draw, vertices + one->n))
            break;
        for (unsigned k = 0; k < one->n; k++)
            for (size_t c = 0; c < draw->ncaptures; c++)
                put(p, &draw->captures[c], one->v[k], vertices + k);
        vertices += one->n;
        draw->counts->written++;
    }
}
