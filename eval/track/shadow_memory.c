/* Origins through memory and between lanes. */
#include "eval/state/place.h"
#include "eval/track/origin.h"

#include <string.h>

#define SHADOW(w, plane) PLANE((w)->shadow, plane)

/* ---- memory -------------------------------------------------------------------------------------------- */

static uint32_t get(const uint32_t *word)
{
    return __atomic_load_n(word, __ATOMIC_RELAXED);
}

static void set(uint32_t *word, uint32_t id)
{
    __atomic_store_n(word, id, __ATOMIC_RELAXED);
}

/* The first origin among the bytes of a value; ORIGIN_MARK where shared memory was never written. */
static uint32_t origin_at(const struct memory *m, uint32_t address, uint32_t bytes)
{
    size_t last = ((size_t)address + bytes - 1) >> m->shadow_shift;
    const uint32_t *shadow = eval_memory_shadow(m);

    if (!shadow)
        return 0;
    for (size_t i = address >> m->shadow_shift; i <= last; i++)
        if (get(&shadow[i]))
            return get(&shadow[i]);
    return 0;
}

/* A defined value that covers only part of a word leaves the word as it was. */
void eval_put_origin(const struct memory *m, uint32_t address, uint32_t bytes, uint32_t id)
{
    size_t first = address >> m->shadow_shift, last = ((size_t)address + bytes - 1) >> m->shadow_shift;
    size_t unit = (size_t)1 << m->shadow_shift;
    uint32_t *shadow = id && m->origins ? eval_shadow_words(m->origins) : eval_memory_shadow(m);

    if (!shadow)
        return;
    for (size_t i = first; i <= last; i++) {
        size_t start = i << m->shadow_shift;
        bool whole = start >= address && start + unit <= (size_t)address + bytes;
        if (m->open && (id || whole))
            *m->open += (uint32_t)(id != 0) - (get(&shadow[i]) != 0);
        if (id || whole)
            set(&shadow[i], id);
    }
}

static uint32_t alignment(const struct access *a)
{
    return type_table[a->type].bytes * a->width;
}

/* Whether all of what an access to a 64-bit address moves stands in one buffer. */
static bool mapped(const struct warp *w, const struct access *a, unsigned lane)
{
    struct memory m = eval_memory(w, a, lane);

    return eval_in_bounds(&m, eval_written_address(w, a, lane), 0, alignment(a));
}

/* The origin of an address, or of its being misaligned; 0 when it is sound. */
static uint32_t address_origin(struct warp *w, const struct step *s, const struct access *a, unsigned lane)
{
    uint32_t id = a->address == NO_PLANE ? 0 : SHADOW(w, a->address)[lane];

    if (a->space == SPACE_IMAGE)
        return eval_image_origin(w, s, a, lane);
    if (!id && a->slot_index != NO_PLANE)
        id = SHADOW(w, a->slot_index)[lane];
    if (!id && a->space == SPACE_GLOBAL && !mapped(w, a, lane))
        id = eval_origin(w, s->insn, ORIGIN_UNMAPPED, 0, 1u << lane, 0);
    if (!id && eval_written_address(w, a, lane) & (alignment(a) - 1))
        id = eval_origin(w, s->insn, ORIGIN_MISALIGNED, 0, 1u << lane, 0);
    return id;
}

static void resolve_addresses(struct warp *w, const struct step *s, const struct access *a)
{
    if (a->address != NO_PLANE)
        eval_resolve_marks(w, s->insn, SHADOW(w, a->address), w->active);
    if (a->slot_index != NO_PLANE)
        eval_resolve_marks(w, s->insn, SHADOW(w, a->slot_index), w->active);
    if (a->space == SPACE_IMAGE)
        eval_resolve_image(w, s, a);
}

uint32_t eval_value_origin(struct warp *w, const struct step *s, const struct memory *m, uint32_t address,
                             uint32_t bytes, unsigned lane)
{
    uint32_t id;

    if (!eval_in_bounds(m, address, 0, bytes))
        return 0;
    id = origin_at(m, address, bytes);
    return id & ORIGIN_MARK ? eval_origin(w, s->insn, ORIGIN_SHARED, 0, 1u << lane, 0) : id;
}

/* Whether every word is defined, as far as is known without looking. */
bool eval_is_unmarked(const struct memory *m)
{
    return m->open ? !*m->open : !(m->origins && atomic_load_explicit(&m->origins->marked, memory_order_acquire));
}

/* The lanes whose address is not a multiple of the access's size. Mostly there are none in the whole warp. */
static uint32_t misaligned(const struct warp *w, const struct access *a)
{
    uint32_t low = alignment(a) - 1, lanes = 0, any = a->address == NO_PLANE ? a->offset : 0;

    for (unsigned lane = 0; lane < WARP_LANES && a->address != NO_PLANE; lane++)
        any |= a->offset + PLANE(w->base, a->address)[lane];
    if (!(any & low))
        return 0;
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        lanes |= (uint32_t)((eval_written_address(w, a, lane) & low) != 0) << lane;
    return lanes & w->active;
}

/* Whether an access is to one buffer, at addresses that are sound. */
static bool is_sound(const struct warp *w, const struct access *a)
{
    return a->slot_index == NO_PLANE && a->space < SPACE_GLOBAL && eval_track_is_clean_if_any(w, a->address) &&
           !misaligned(w, a);
}

/* Whether it is to words, too: then its shadow words are those words'. */
static bool is_of_words(const struct access *a)
{
    return type_table[a->type].bytes == 4 && a->space != SPACE_SHARED;
}

/* Words of shared memory, at addresses that are sound: their shadows, four each, are all 0. */
static bool shared_is_clean(const struct warp *w, const struct access *a)
{
    const struct memory *m = &w->worker->shared;
    uint64_t any = 0;

    if (a->space != SPACE_SHARED || type_table[a->type].bytes != 4)
        return false;
    for (uint32_t lanes = w->active; lanes; lanes &= lanes - 1) {
        uint32_t address = eval_address(w, a, (unsigned)__builtin_ctz(lanes));
        for (unsigned i = 0; i < a->width && eval_in_bounds(m, address, i * 4, 4); i++) {
            uint64_t pair[2];
            memcpy(pair, m->shadow + address + i * 4, sizeof pair);
            any |= pair[0] | pair[1];
        }
        if (any)
            return false;
    }
    return true;
}

/* Words in shared memory become defined. */
static void store_shared(struct warp *w, const struct access *a)
{
    const struct memory *m = &w->worker->shared;

    for (uint32_t lanes = w->active & ~w->helpers; lanes; lanes &= lanes - 1) {
        uint32_t address = eval_address(w, a, (unsigned)__builtin_ctz(lanes));
        for (unsigned i = 0; i < a->width && eval_in_bounds(m, address, i * 4, 4); i++) {
            uint32_t *shadow = m->shadow + address + i * 4;
            *m->open -= (shadow[0] != 0) + (shadow[1] != 0) + (shadow[2] != 0) + (shadow[3] != 0);
            memset(shadow, 0, 4 * sizeof *shadow);
        }
    }
}

static void load_defined(struct warp *w, const struct access *a)
{
    for (unsigned i = 0; i < a->n; i++)
        eval_track_result(w, a->data[i], NULL, w->active);
}

static void load_plain(struct warp *w, const struct access *a, const struct memory *m)
{
    const uint32_t *shadow = eval_memory_shadow(m);

    for (unsigned i = 0; i < a->n; i++) {
        uint32_t *to = SHADOW(w, a->data[i]), offset = a->comp[i] * 4u, any = 0;
        bool moved = a->comp[i] < a->width && shadow;
        if (!moved && !w->dirty[a->data[i]])
            continue;
        for (uint32_t lanes = w->active; lanes; lanes &= lanes - 1) {
            unsigned lane = (unsigned)__builtin_ctz(lanes);
            uint32_t address = eval_address(w, a, lane);
            to[lane] = moved && eval_in_bounds(m, address, offset, 4) ? get(&shadow[(address + offset) / 4]) : 0;
            any |= to[lane];
        }
        eval_set_dirty(w, a->data[i], any || (w->dirty[a->data[i]] && w->active != w->exist));
    }
}

void eval_settle(struct warp *w, const struct access *a)
{
    for (unsigned i = 0; i < a->n; i++)
        if (w->active == w->exist)
            w->dirty[a->data[i]] = (w->x->planes->nonzero(SHADOW(w, a->data[i]), NULL) & w->exist) != 0;
}

void eval_track_load(struct warp *w, const struct step *s)
{
    const struct access *a = &w->x->accesses[s->ref];
    uint32_t bytes = type_table[a->type].bytes;

    if (a->space == SPACE_IMAGE) {
        eval_track_image_load(w, s);
        return;
    }
    if (is_sound(w, a)) {
        struct memory m = eval_memory(w, a, 0);
        if (eval_is_unmarked(&m) || shared_is_clean(w, a)) {
            load_defined(w, a);
            return;
        }
        if (is_of_words(a)) {
            load_plain(w, a, &m);
            return;
        }
    }
    resolve_addresses(w, s, a);
    for (uint32_t lanes = w->active; lanes; lanes &= lanes - 1) {
        unsigned lane = (unsigned)__builtin_ctz(lanes);
        struct memory m = eval_memory(w, a, lane);
        uint32_t address = eval_address(w, a, lane), from = address_origin(w, s, a, lane);
        for (unsigned i = 0; i < a->n; i++) {
            uint32_t id = 0;
            if (a->comp[i] < a->width && from)
                id = from;
            else if (a->comp[i] < a->width && eval_in_bounds(&m, address, a->comp[i] * bytes, bytes))
                id = eval_value_origin(w, s, &m, address + a->comp[i] * bytes, bytes, lane);
            eval_put_lane(w, a->data[i], lane, id);
        }
    }
    eval_settle(w, a);
}

static const char *memory_name(const struct access *a)
{
    return a->space == SPACE_SHARED ? "shared memory" : "memory";
}

/* An address that is not known: reported, since nobody can say which word is now undefined. */
void eval_use_address(struct warp *w, const struct step *s, const struct access *a, unsigned lane)
{
    _Alignas(64) uint32_t one[WARP_LANES] = {0};

    one[lane] = address_origin(w, s, a, lane);
    if (one[lane])
        eval_use(w, s->insn, one, 1u << lane, "an address");
}

/* Words that are all defined. */
static void store_plain(struct warp *w, const struct access *a, const struct memory *m)
{
    uint32_t *shadow = eval_memory_shadow(m);

    for (uint32_t lanes = shadow ? w->active & ~w->helpers : 0; lanes; lanes &= lanes - 1) {
        uint32_t address = eval_address(w, a, (unsigned)__builtin_ctz(lanes));
        for (unsigned i = 0; i < a->width && eval_in_bounds(m, address, i * 4, 4); i++)
            set(&shadow[address / 4 + i], 0);
    }
}

static bool data_is_clean(const struct warp *w, const struct access *a)
{
    for (unsigned i = 0; i < a->width; i++)
        if (!eval_track_is_clean_if_any(w, a->data[i]))
            return false;
    return true;
}

void eval_track_store(struct warp *w, const struct step *s)
{
    const struct access *a = &w->x->accesses[s->ref];
    uint32_t bytes = type_table[a->type].bytes;

    if (a->space == SPACE_IMAGE) {
        eval_track_image_store(w, s);
        return;
    }
    if (data_is_clean(w, a) && is_sound(w, a)) {
        struct memory m = eval_memory(w, a, 0);
        if (eval_is_unmarked(&m))
            return;
        if (is_of_words(a)) {
            store_plain(w, a, &m);
            return;
        }
        if (a->space == SPACE_SHARED && bytes == 4) {
            store_shared(w, a);
            return;
        }
    }
    resolve_addresses(w, s, a);
    for (unsigned i = 0; i < a->width; i++)
        eval_resolve_marks(w, s->insn, SHADOW(w, a->data[i]), w->active);
    for (uint32_t lanes = w->active & ~w->helpers; lanes; lanes &= lanes - 1) {
        unsigned lane = (unsigned)__builtin_ctz(lanes);
        struct memory m = eval_memory(w, a, lane);
        uint32_t address = eval_address(w, a, lane);
        eval_use_address(w, s, a, lane);
        for (unsigned i = 0; i < a->width; i++) {
            uint32_t id = SHADOW(w, a->data[i])[lane];
            if (!eval_in_bounds(&m, address, i * bytes, bytes))
                continue;
            eval_put_origin(&m, address + i * bytes, bytes, id);
            if (id && a->space != SPACE_SHARED)
                eval_reach(w, s->insn, id, lane, memory_name(a));
        }
    }
}

/* Components that an atomic operation leaves open, in the lanes that it ran in. */
static void open_lanes(struct warp *w, const struct step *s, unsigned component, uint32_t plane)
{
    uint32_t id = eval_origin(w, s->insn, ORIGIN_COMPONENT, component, w->active, 0);

    for (uint32_t lanes = w->active; lanes; lanes &= lanes - 1)
        eval_put_lane(w, plane, (unsigned)__builtin_ctz(lanes), id);
}

void eval_track_atomic(struct warp *w, const struct step *s)
{
    const struct access *a = &w->x->accesses[s->ref];
    uint32_t bytes = type_table[a->type].bytes * (a->type == DT_F16 ? a->width : 1u);

    resolve_addresses(w, s, a);
    eval_resolve_marks(w, s->insn, SHADOW(w, a->operand[0]), w->active);
    if (a->atomic == MOD_CSWAP)
        eval_resolve_marks(w, s->insn, SHADOW(w, a->operand[1]), w->active);
    for (uint32_t lanes = w->active & ~w->helpers; lanes; lanes &= lanes - 1) {
        unsigned lane = (unsigned)__builtin_ctz(lanes);
        struct memory m = eval_memory(w, a, lane);
        uint32_t address = eval_address(w, a, lane), operand = SHADOW(w, a->operand[0])[lane];
        uint32_t old = eval_value_origin(w, s, &m, address, bytes, lane), fresh;
        eval_use_address(w, s, a, lane);
        if (a->atomic == MOD_CSWAP && !operand)
            operand = SHADOW(w, a->operand[1])[lane];
        fresh = a->atomic == MOD_EXCH || operand ? operand : old;
        if (eval_in_bounds(&m, address, 0, bytes)) {
            eval_put_origin(&m, address, bytes, fresh);
            if (fresh && a->space != SPACE_SHARED)
                eval_reach(w, s->insn, fresh, lane, memory_name(a));
        }
        for (unsigned i = 0; i < a->n; i++)
            if (a->comp[i] == 0)
                eval_put_lane(w, a->data[i], lane, old);
    }
    eval_settle(w, a);
    for (unsigned i = 0; i < a->n; i++)
        if (a->comp[i])
            open_lanes(w, s, a->comp[i], a->data[i]);
}

void eval_track_race(struct warp *w, const struct memory *m, uint64_t address, uint32_t bytes, uint32_t id)
{
    (void)w;
    eval_put_origin(m, (uint32_t)address, bytes, id);
}

void eval_track_race_result(struct warp *w, const struct access *a, unsigned lane, unsigned component, uint32_t id)
{
    for (unsigned i = 0; i < a->n; i++)
        if (a->comp[i] == component)
            eval_put_lane(w, a->data[i], lane, id);
}
