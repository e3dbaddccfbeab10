/* Origins through textures: coordinates, levels, texels. */
#include "eval/track/origin.h"
#include "eval/texture/sample.h"

#define SHADOW(w, plane) PLANE((w)->shadow, plane)

static uint32_t operand_origin(struct warp *w, const uint32_t *plane, unsigned n, unsigned lane)
{
    for (unsigned i = 0; i < n; i++)
        if (SHADOW(w, plane[i])[lane])
            return SHADOW(w, plane[i])[lane];
    return 0;
}

/* A level that comes from derivatives comes from the whole quad. */
static uint32_t quad_origin(struct warp *w, const struct texture_call *t, const uint32_t *plane, unsigned n,
                            unsigned lane)
{
    uint32_t id = operand_origin(w, plane, n, lane);

    for (unsigned k = 0; t->quads && !id && k < 4; k++)
        if (w->active >> ((lane & ~3u) + k) & 1)
            id = operand_origin(w, plane, n, (lane & ~3u) + k);
    return id;
}

/* Image instructions may have stored what is undefined. */
static uint32_t texel_origin(struct warp *w, const struct step *s, const struct texture_result *r, unsigned lane)
{
    uint32_t id = 0;

    for (unsigned k = 0; k < r->nplaces && !eval_is_unmarked(&r->view->memory); k++)
        for (unsigned q = 0; q < r->place[k].n; q++) {
            const struct quad *quad = &r->place[k].quad[q];
            for (unsigned i = 0; i < quad->n && !id; i++) {
                const struct tap *tap = &quad->tap[i];
                uint64_t at = quad->level->start + eval_texel_offset(quad->level, tap->at[0], tap->at[1], tap->at[2]);
                if (!tap->border && at <= UINT32_MAX)
                    id = eval_value_origin(w, s, &r->view->memory, (uint32_t)at, quad->level->bytes, lane);
            }
        }
    return id;
}

/* Whether defined operands give defined results. */
static bool is_sound(const struct warp *w, const struct texture_call *t, const struct texture_view *v)
{
    enum texture_fault fault = TEXTURE_FINE;

    if (!v || !eval_is_unmarked(&v->memory))
        return false;
    if (t->type != DT_F32 || t->unit_index != NO_PLANE)
        eval_texture_find(w, t, (unsigned)__builtin_ctz(w->active), &fault);
    for (unsigned lane = 0; lane < WARP_LANES && w->active != ALL_LANES; lane += 4)
        if (w->active >> lane & 15 && eval_texture_quad_is_broken(w, t, lane))
            return false;
    return fault == TEXTURE_FINE;
}

static bool is_clean(const struct warp *w, const uint32_t *plane, unsigned n)
{
    for (unsigned i = 0; i < n; i++)
        if (!eval_track_is_clean(w, plane[i]))
            return false;
    return true;
}

bool eval_track_texture(struct warp *w, const struct step *s, const struct texture_view *plain)
{
    const struct texture_call *t = &w->x->texture_calls[s->ref];
    uint32_t operands[TEXTURE_OPERANDS];
    bool sound = is_sound(w, t, plain);
    unsigned n = sound && !w->tainted ? 0 : eval_texture_operands(t, operands);

    if (sound && is_clean(w, operands, n)) {
        for (unsigned i = 0; i < t->n && w->tainted; i++)
            eval_track_result(w, t->dst[i], NULL, w->active);
        return false;
    }
    for (unsigned i = 0; i < n; i++)
        eval_resolve_marks(w, s->insn, SHADOW(w, operands[i]), w->active);
    for (uint32_t lanes = w->active; lanes; lanes &= lanes - 1) {
        unsigned lane = (unsigned)__builtin_ctz(lanes);
        uint32_t id = quad_origin(w, t, operands, n, lane);
        struct texture_result r;
        eval_texture_lane(w, t, lane, &r);
        if (!id && eval_texture_fault_is_open(w, t, r.fault))
            id = eval_origin(w, s->insn, ORIGIN_TEXTURE, r.fault, 1u << lane, 0);
        else if (!id)
            id = texel_origin(w, s, &r, lane);
        for (unsigned i = 0; i < t->n; i++) {
            PLANE(w->base, t->dst[i])[lane] = r.word[t->comp[i]];
            eval_put_lane(w, t->dst[i], lane,
                          id || !(r.open >> t->comp[i] & 1)
                              ? id : eval_origin(w, s->insn, ORIGIN_COMPONENT, t->comp[i], 1u << lane, 0));
        }
    }
    return true;
}
