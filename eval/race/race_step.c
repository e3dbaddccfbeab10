/* Steps that access memory, as races see them. */
#include "eval/state/place.h"
#include "eval/texture/image.h"
#include "eval/track/origin.h"
#include "eval/race/race_table.h"
#include "eval/texture/sample.h"

#include <string.h>

static void out_of_memory(struct warp *w, const struct step *s)
{
    eval_fail(w, GP5_RUN_NO_MEMORY, s->insn, "out of memory for the accesses of races");
}

static struct race_result touch(struct warp *w, const struct step *s, const struct memory *m, struct race_access *now,
                                uint64_t address, uint32_t bytes, uint64_t value)
{
    struct race_result found = eval_race_touch(w->worker->run->races, m->races, now, address, bytes, value);

    if (found.failed)
        out_of_memory(w, s);
    return found;
}

static uint64_t register_value(const struct warp *w, const struct access *a, uint32_t plane, unsigned lane)
{
    uint64_t value = PLANE(w->base, plane)[lane];

    return a->wide ? value | (uint64_t)PLANE(w->base, plane + 1)[lane] << 32 : value;
}

/* The origin of a value that depends on a race. */
static uint32_t origin(struct warp *w, const struct step *s, uint32_t race, unsigned lane)
{
    return w->shadow && race ? eval_origin(w, s->insn, ORIGIN_RACE, race, 1u << lane, 0) : 0;
}

/* A texel whose value is loaded or stored: its bytes, a word at a time. */
static void one_texel(struct warp *w, const struct step *s, const struct access *a, struct race_access *now)
{
    struct memory m = eval_image_memory(w, a, now->lane);
    uint64_t address = eval_image_offset(w, a, now->lane);
    enum image_fault fault;
    const struct image_view *v = eval_image_view(w, a, now->lane, &fault);
    uint8_t texel[16] = {0};

    if (!m.races)
        return;
    if (s->kind == STEP_STORE)
        eval_image_texel(w, a, v, now->lane, texel);
    for (uint32_t at = 0; at < v->level.bytes; at += 4) {
        uint32_t bytes = v->level.bytes < 4 ? v->level.bytes : 4, value;
        struct race_result result;
        uint32_t id;
        memcpy(&value, texel + at, sizeof value);
        result = touch(w, s, &m, now, address + at, bytes, value);
        id = origin(w, s, result.race, now->lane);
        if (id && result.in_memory)
            eval_track_race(w, &m, address + at, bytes, id);
        for (unsigned c = 0; id && result.in_result && c < 4; c++)
            eval_track_race_result(w, a, now->lane, c, id);
    }
}

static void one_lane(struct warp *w, const struct step *s, const struct access *a, struct race_access *now)
{
    bool atomic = s->kind == STEP_ATOMIC;
    unsigned lane = now->lane, n = atomic ? 1 : a->width;   /* atomic pairs are one value */
    struct memory m = eval_memory(w, a, lane);
    uint32_t bytes = type_table[a->type].bytes * (atomic ? a->width : 1u);
    uint64_t address = eval_address(w, a, lane);

    if (!m.races)
        return;
    for (unsigned i = 0; i < n; i++) {
        uint64_t value = 0;
        struct race_result result;
        uint32_t id;
        if (!eval_in_bounds(&m, address, i * bytes, bytes))
            continue;
        if (s->kind == STEP_STORE)
            value = register_value(w, a, a->data[i], lane);
        else if (atomic)
            value = register_value(w, a, a->operand[i], lane);
        result = touch(w, s, &m, now, address + i * bytes, bytes, value);
        id = origin(w, s, result.race, lane);
        if (id && result.in_memory)
            eval_track_race(w, &m, address + i * bytes, bytes, id);
        if (id && result.in_result)
            eval_track_race_result(w, a, lane, i, id);
    }
}

static struct race_access access_of(const struct warp *w, const struct step *s, uint8_t kind, unsigned lane)
{
    return (struct race_access){.kind = kind,
                                .lane = (uint8_t)lane,
                                .warp = (uint16_t)w->index,
                                .access = s->ref,
                                .insn = s->insn,
                                .group = w->worker->group,
                                .interval = w->worker->run->races->interval};
}

void eval_race_step(struct warp *w, const struct step *s)
{
    const struct access *a = &w->x->accesses[s->ref];
    uint8_t kind = s->kind == STEP_LOAD ? ACCESS_READ : s->kind == STEP_STORE ? ACCESS_WRITE : ACCESS_ATOMIC;
    /* to the driver an address is another way than a name */
    uint8_t path = a->space == SPACE_GLOBAL && w->worker->run->flush ? BY_ADDRESS : BY_NAME;

    if (a->space == SPACE_CONSTANT || (a->space == SPACE_IMAGE && a->form >= IMAGE_SIZE))
        return;
    for (uint32_t lanes = w->active & ~w->helpers; lanes; lanes &= lanes - 1) {
        struct race_access now = access_of(w, s, kind, (unsigned)__builtin_ctz(lanes));
        now.path = path;
        if (a->space == SPACE_IMAGE && a->form == IMAGE_VALUE)
            one_texel(w, s, a, &now);
        else
            one_lane(w, s, a, &now);
    }
}

/* ---- textures ------------------------------------------------------------------------------------------ */

static uint32_t read_texel(struct warp *w, const struct step *s, const struct texture_view *v, const struct quad *q,
                           const struct tap *tap, struct race_access *now)
{
    uint64_t at = q->level->start + eval_texel_offset(q->level, tap->at[0], tap->at[1], tap->at[2]);

    return tap->border ? NO_RACE : touch(w, s, &v->memory, now, at, q->level->bytes, 0).race;
}

/* All texels that a lane's result is made of. */
static uint32_t read_texels(struct warp *w, const struct step *s, const struct texture_result *r,
                            struct race_access *now)
{
    uint32_t race = NO_RACE;

    for (unsigned k = 0; k < r->nplaces; k++)
        for (unsigned q = 0; q < r->place[k].n; q++) {
            const struct quad *quad = &r->place[k].quad[q];
            for (unsigned i = 0; i < quad->n; i++) {
                uint32_t found = read_texel(w, s, r->view, quad, &quad->tap[i], now);
                race = race ? race : found;
            }
        }
    return race;
}

void eval_race_texture(struct warp *w, const struct step *s)
{
    const struct texture_call *t = &w->x->texture_calls[s->ref];
    struct texture_result r = {.nplaces = 0};

    for (uint32_t lanes = w->active & ~w->helpers; lanes; lanes &= lanes - 1) {
        unsigned lane = (unsigned)__builtin_ctz(lanes);
        struct race_access now = access_of(w, s, ACCESS_READ, lane);
        uint32_t id;
        now.path = BY_TEXTURE;
        eval_texture_lane(w, t, lane, &r);
        id = origin(w, s, read_texels(w, s, &r, &now), lane);
        for (unsigned i = 0; id && i < t->n; i++)
            eval_put_lane(w, t->dst[i], lane, id);
    }
}
