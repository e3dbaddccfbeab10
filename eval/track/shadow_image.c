/* Origins through images: coordinates, texels, sizes. */
#include "eval/texture/image.h"
#include "asm/facts.h"
#include "eval/track/origin.h"

#define SHADOW(w, plane) PLANE((w)->shadow, plane)

void eval_resolve_image(struct warp *w, const struct step *s, const struct access *a)
{
    if (a->handle != NO_PLANE)
        eval_resolve_marks(w, s->insn, SHADOW(w, a->handle), w->active);
    if (a->slot_index != NO_PLANE)
        eval_resolve_marks(w, s->insn, SHADOW(w, a->slot_index), w->active);
    for (unsigned i = 0; a->form < IMAGE_SIZE && i < 4; i++)
        eval_resolve_marks(w, s->insn, SHADOW(w, a->coord[i]), w->active);
}

/* The origin of what says which texel it is: 0 when that is known, and the texel is there or its absence has a meaning.
 */
uint32_t eval_image_origin(struct warp *w, const struct step *s, const struct access *a, unsigned lane)
{
    enum image_fault fault;
    uint32_t id = a->handle == NO_PLANE ? 0 : SHADOW(w, a->handle)[lane];

    if (!id && a->slot_index != NO_PLANE)
        id = SHADOW(w, a->slot_index)[lane];
    for (unsigned i = 0; !id && i < 4 && a->form < IMAGE_SIZE; i++)
        id = SHADOW(w, a->coord[i])[lane];
    if (id)
        return id;
    fault = eval_image_fault(w, a, lane);
    return eval_image_is_open(w, fault, s->kind == STEP_LOAD)
               ? eval_origin(w, s->insn, ORIGIN_IMAGE, fault, 1u << lane, 0) : 0;
}

/* Which components a size has: as many as coordinates, of an array of 1D images two, of a cube two. */
static unsigned size_components(uint8_t kind)
{
    switch (kind) {
    case GP5_TEXTURE_1D: case GP5_TEXTURE_BUFFER: return 1;
    case GP5_TEXTURE_2D: case GP5_TEXTURE_RECT: case GP5_TEXTURE_CUBE: case GP5_TEXTURE_ARRAY1D:
    case GP5_TEXTURE_2DMS: return 2;
    default: return 3;
    }
}

static uint32_t component_origin(struct warp *w, const struct step *s, const struct access *a, unsigned c,
                                 unsigned lane)
{
    enum image_fault fault;
    const struct image_view *v = eval_image_view(w, a, lane, &fault);
    struct memory m;
    uint32_t at, bytes;

    if (a->form >= IMAGE_SIZE)
        return c < (a->form == IMAGE_SAMPLES ? 1 : size_components(a->target)) || w->worker->run->flush
                   ? 0
                   : eval_origin(w, s->insn, ORIGIN_COMPONENT, c, 1u << lane, 0);
    m = eval_image_memory(w, a, lane);
    if (!m.data || !eval_image_component(v, a, c, &at, &bytes))
        return 0;
    return eval_value_origin(w, s, &m, eval_image_offset(w, a, lane) + at, bytes, lane);
}

/* What a load fills in is a number, whichever texel it is. */
static bool is_number(const struct warp *w, const struct step *s, unsigned c)
{
    const struct insn *insn = program_insn(w->x->program, s->insn);

    return w->worker->run->flush && insn->op == OP_LOADIM && eval_is_filled(w->x->program, insn, c);
}

void eval_track_image_load(struct warp *w, const struct step *s)
{
    const struct access *a = &w->x->accesses[s->ref];

    eval_resolve_image(w, s, a);
    for (uint32_t lanes = w->active; lanes; lanes &= lanes - 1) {
        unsigned lane = (unsigned)__builtin_ctz(lanes);
        uint32_t from = eval_image_origin(w, s, a, lane), id[4];
        for (unsigned i = 0; i < a->n; i++)     /* a result may stand where a coordinate did */
            id[i] = is_number(w, s, a->comp[i]) ? 0 : from ? from : component_origin(w, s, a, a->comp[i], lane);
        for (unsigned i = 0; i < a->n; i++)
            eval_put_lane(w, a->data[i], lane, id[i]);
    }
    eval_settle(w, a);
}

/* Values: a word of the texel is undefined when any component in it is. Bytes: as stores to buffers. */
static void store_values(struct warp *w, const struct step *s, const struct access *a, const struct image_view *v,
                         const struct memory *m, unsigned lane)
{
    uint32_t offset = eval_image_offset(w, a, lane), word[4] = {0}, at, bytes;

    for (unsigned i = 0; i < a->width; i++) {
        uint32_t id = SHADOW(w, a->data[i])[lane];
        if (!eval_image_component(v, a, i, &at, &bytes))
            continue;
        if (a->form == IMAGE_BYTES)
            eval_put_origin(m, offset + at, bytes, id);
        else if (!word[at / 4])
            word[at / 4] = id;
        if (id)
            eval_reach(w, s->insn, id, lane, "memory");
    }
    bytes = v->level.bytes < 4 ? v->level.bytes : 4;
    for (at = 0; a->form == IMAGE_VALUE && at < v->level.bytes; at += 4)
        eval_put_origin(m, offset + at, bytes, word[at / 4]);
}

void eval_track_image_store(struct warp *w, const struct step *s)
{
    const struct access *a = &w->x->accesses[s->ref];

    eval_resolve_image(w, s, a);
    for (unsigned i = 0; i < a->width; i++)
        eval_resolve_marks(w, s->insn, SHADOW(w, a->data[i]), w->active);
    for (uint32_t lanes = w->active & ~w->helpers; lanes; lanes &= lanes - 1) {
        unsigned lane = (unsigned)__builtin_ctz(lanes);
        struct memory m = eval_image_memory(w, a, lane);
        enum image_fault fault;
        const struct image_view *v = eval_image_view(w, a, lane, &fault);
        eval_use_address(w, s, a, lane);
        if (m.data)
            store_values(w, s, a, v, &m, lane);
    }
}
