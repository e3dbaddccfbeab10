/* Loads and stores: storage buffers, constant buffers, shared memory. Addresses are bytes modulo 2^32; a
 * component beyond the end of its buffer reads 0 and is not written, and so does every access to a buffer
 * that is not bound. */
#include "eval/state/place.h"
#include "eval/numeric/half_memory.h"
#include "eval/texture/image.h"
#include "eval/machine/warp_state.h"
#include "eval/track/origin.h"
#include "eval/race/race.h"

#include <string.h>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

void eval_look(struct warp *w, const struct step *s)
{
    if (w->shadow && s->kind == STEP_LOAD)
        eval_track_load(w, s);
    else if (w->shadow && s->kind == STEP_STORE)
        eval_track_store(w, s);
    else if (w->shadow)
        eval_track_atomic(w, s);
    if (w->worker->run->races)
        eval_race_step(w, s);
}

static uint16_t value_half(uint32_t word)
{
    return (word & 0x7fffffff) > 0x7f800000 ? 0x7fff : eval_float_to_half(word);
}

static void write_value(uint8_t *p, uint8_t type, uint64_t value)
{
    uint32_t word = (uint32_t)value;
    uint16_t half = type == DT_F16 ? value_half(word) : (uint16_t)word;

    switch (type_table[type].bytes) {
    case 1: *p = (uint8_t)word; break;
    case 2: memcpy(p, &half, sizeof half); break;
    case 8: memcpy(p, &value, sizeof value); break;
    default: memcpy(p, &word, sizeof word); break;
    }
}

/* Where the lanes of a whole warp go; false when some of them reach beyond the buffer, or not every lane takes part. */
static bool whole_warp(const struct warp *w, const struct access *a, const struct memory *m, uint32_t lanes,
                       uint32_t bytes, uint32_t at[WARP_LANES])
{
    const uint32_t *address = a->address == NO_PLANE ? NULL : PLANE(w->base, a->address);
    uint32_t most = 0;

    if (lanes != ALL_LANES)
        return false;
    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        at[lane] = (a->offset + (address ? address[lane] : 0)) & a->keep;
        most = at[lane] > most ? at[lane] : most;
    }
    return (uint64_t)most + bytes <= m->size;
}

/* Sixteen bytes of each lane are four planes, of which some may not be wanted (NO_PLANE). */
#if defined(__SSE2__)
static inline void transpose(__m128i v[4])
{
    __m128i a = _mm_unpacklo_epi32(v[0], v[1]), b = _mm_unpackhi_epi32(v[0], v[1]),
            c = _mm_unpacklo_epi32(v[2], v[3]), d = _mm_unpackhi_epi32(v[2], v[3]);

    v[0] = _mm_unpacklo_epi64(a, c);
    v[1] = _mm_unpackhi_epi64(a, c);
    v[2] = _mm_unpacklo_epi64(b, d);
    v[3] = _mm_unpackhi_epi64(b, d);
}

static void load_vectors(uint32_t *base, const uint32_t plane[4], const uint8_t *data, const uint32_t at[WARP_LANES])
{
    for (unsigned lane = 0; lane < WARP_LANES; lane += 4) {
        __m128i v[4];
        for (unsigned i = 0; i < 4; i++)
            v[i] = _mm_loadu_si128((const __m128i *)(data + at[lane + i]));
        transpose(v);
        for (unsigned i = 0; i < 4; i++)
            if (plane[i] != NO_PLANE)
                _mm_store_si128((__m128i *)(PLANE(base, plane[i]) + lane), v[i]);
    }
}

static void store_vectors(const uint32_t *base, const uint32_t plane[4], uint8_t *data, const uint32_t at[WARP_LANES])
{
    for (unsigned lane = 0; lane < WARP_LANES; lane += 4) {
        __m128i v[4];
        for (unsigned i = 0; i < 4; i++)
            v[i] = _mm_load_si128((const __m128i *)(PLANE(base, plane[i]) + lane));
        transpose(v);
        for (unsigned i = 0; i < 4; i++)
            _mm_storeu_si128((__m128i *)(data + at[lane + i]), v[i]);
    }
}
#else
static void load_vectors(uint32_t *base, const uint32_t plane[4], const uint8_t *data, const uint32_t at[WARP_LANES])
{
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        for (unsigned i = 0; i < 4; i++)
            if (plane[i] != NO_PLANE)
                memcpy(&PLANE(base, plane[i])[lane], data + at[lane] + 4 * i, 4);
}

static void store_vectors(const uint32_t *base, const uint32_t plane[4], uint8_t *data, const uint32_t at[WARP_LANES])
{
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        for (unsigned i = 0; i < 4; i++)
            memcpy(data + at[lane] + 4 * i, &PLANE(base, plane[i])[lane], 4);
}
#endif

/* The planes of the words of one lane's vector, in the order of memory. */
static void planes_of(const struct access *a, unsigned n, const uint8_t *comp, uint32_t plane[8])
{
    unsigned words = a->wide ? 2 : 1;

    for (unsigned i = 0; i < 8; i++)
        plane[i] = NO_PLANE;
    for (unsigned i = 0; i < n; i++)
        for (unsigned k = 0; k < words; k++)
            plane[(comp ? comp[i] : i) * words + k] = a->data[i] + k;
}

/* Where lanes are evenly apart the next warp's memory is likely behind theirs. */
static void read_ahead(const uint8_t *data, const uint32_t at[WARP_LANES])
{
    uint32_t apart = at[1] - at[0], all = WARP_LANES * apart, step = apart > 64 ? apart : 64;

    for (uint32_t on = 0; at[WARP_LANES - 1] - at[0] == all - apart && on < all; on += step)
        __builtin_prefetch((const void *)((uintptr_t)data + at[0] + all + on));
}

/* Vectors of 16 or 32 bytes in one buffer, of words or of 64-bit values; components beyond them are 0. */
static bool load_whole(struct warp *w, const struct access *a, const struct memory *m, uint32_t bytes)
{
    uint32_t at[WARP_LANES], plane[8];

    if (bytes * a->width % 16 || (bytes == 8) != a->wide || !whole_warp(w, a, m, w->active, bytes * a->width, at))
        return false;
    planes_of(a, a->n, a->comp, plane);
    read_ahead(m->data, at);
    for (unsigned half = 0; half < bytes * a->width / 16; half++)
        load_vectors(w->base, plane + 4 * half, m->data + 16 * half, at);
    for (unsigned i = bytes * a->width / 4; i < 8; i++)
        if (plane[i] != NO_PLANE)
            w->x->planes->fill(PLANE(w->base, plane[i]), 0);
    return true;
}

static bool store_whole(struct warp *w, const struct access *a, const struct memory *m, uint32_t bytes)
{
    uint32_t at[WARP_LANES], plane[8];

    if (bytes * a->width != 16 || (bytes == 8) != a->wide ||
        !whole_warp(w, a, m, w->active & ~w->helpers, bytes * a->width, at))
        return false;
    planes_of(a, a->width, NULL, plane);
    store_vectors(w->base, plane, m->data, at);
    return true;
}

/* Of 64-bit values one lane after another: a later lane's come over an earlier one's. */
static void store_lanes(const uint32_t *base, const uint32_t plane[8], unsigned width, uint8_t *data,
                        const uint32_t at[WARP_LANES])
{
#if defined(__SSE2__)
    for (unsigned lane = 0; lane < WARP_LANES && width % 2 == 0; lane += 4) {
        __m128i v[2][4];
        for (unsigned half = 0; half < width / 2; half++) {
            for (unsigned i = 0; i < 4; i++)
                v[half][i] = _mm_load_si128((const __m128i *)(PLANE(base, plane[4 * half + i]) + lane));
            transpose(v[half]);
        }
        for (unsigned i = 0; i < 4; i++)
            for (unsigned half = 0; half < width / 2; half++)
                _mm_storeu_si128((__m128i *)(data + at[lane + i] + 16 * half), v[half][i]);
    }
    if (width % 2 == 0)
        return;
#endif
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        for (unsigned i = 0; i < 2 * width; i++)
            memcpy(data + at[lane] + 4 * i, &PLANE(base, plane[i])[lane], 4);
}

static bool store_pairs(struct warp *w, const struct access *a, const struct memory *m)
{
    uint32_t at[WARP_LANES], plane[8];

    if (!a->wide || !whole_warp(w, a, m, w->active & ~w->helpers, 8 * a->width, at))
        return false;
    planes_of(a, a->width, NULL, plane);
    store_lanes(w->base, plane, a->width, m->data, at);
    return true;
}

/* The common case: 32-bit components of one buffer, lane by lane; `width` is known when this is compiled. */
static inline __attribute__((always_inline)) void load_words(struct warp *w, const struct access *a,
                                                             const struct memory *m, const unsigned width)
{
    const uint32_t *address = a->address == NO_PLANE ? NULL : PLANE(w->base, a->address);
    uint32_t *to[4] = {0};

    for (unsigned i = 0; i < a->n; i++)
        to[i] = PLANE(w->base, a->data[i]);
    for (uint32_t lanes = w->active; lanes; lanes &= lanes - 1) {
        unsigned lane = (unsigned)__builtin_ctz(lanes);
        uint32_t at = (a->offset + (address ? address[lane] : 0)) & a->keep, word[4] = {0};
        if ((uint64_t)at + width * 4 <= m->size)
            memcpy(word, m->data + at, width * 4);
        else
            for (unsigned c = 0; c < width && (uint64_t)at + c * 4 + 4 <= m->size; c++)
                memcpy(&word[c], m->data + at + c * 4, sizeof word[c]);
        for (unsigned i = 0; i < a->n; i++)
            to[i][lane] = word[a->comp[i]];
    }
}

static inline __attribute__((always_inline)) void store_words(struct warp *w, const struct access *a,
                                                              const struct memory *m, const unsigned width)
{
    const uint32_t *address = a->address == NO_PLANE ? NULL : PLANE(w->base, a->address);
    const uint32_t *from[4];

    for (unsigned i = 0; i < width; i++)
        from[i] = PLANE(w->base, a->data[i]);
    for (uint32_t lanes = w->active & ~w->helpers; lanes; lanes &= lanes - 1) {
        unsigned lane = (unsigned)__builtin_ctz(lanes);
        uint32_t at = (a->offset + (address ? address[lane] : 0)) & a->keep, word[4];
        for (unsigned i = 0; i < width; i++)
            word[i] = from[i][lane];
        if ((uint64_t)at + width * 4 <= m->size)
            memcpy(m->data + at, word, width * 4);
        else
            for (unsigned c = 0; c < width && (uint64_t)at + c * 4 + 4 <= m->size; c++)
                memcpy(m->data + at + c * 4, &word[c], sizeof word[c]);
    }
}

void eval_load(struct warp *w, const struct step *s)
{
    const struct access *a = &w->x->accesses[s->ref];
    uint32_t bytes = type_table[a->type].bytes;

    if (w->looked_at)
        eval_look(w, s);
    if (a->space == SPACE_IMAGE) {
        eval_image_load(w, a);
        return;
    }
    if (bytes >= 4 && a->slot_index == NO_PLANE && a->space < SPACE_GLOBAL) {
        struct memory m = eval_memory(w, a, 0);
        if (load_whole(w, a, &m, bytes))
            return;
        switch (bytes == 4 ? a->width : 0) {
        case 0: break;
        case 1: load_words(w, a, &m, 1); return;
        case 2: load_words(w, a, &m, 2); return;
        default: load_words(w, a, &m, 4); return;
        }
    }
    for (uint32_t lanes = w->active; lanes; lanes &= lanes - 1) {
        unsigned lane = (unsigned)__builtin_ctz(lanes);
        struct memory m = eval_memory(w, a, lane);
        uint32_t address = eval_address(w, a, lane);
        for (unsigned i = 0; i < a->n; i++) {
            uint32_t at = a->comp[i] * bytes;
            uint64_t value = 0;
            if (a->comp[i] < a->width && eval_in_bounds(&m, address, at, bytes))
                value = eval_read_value(m.data + address + at, a->type);
            PLANE(w->base, a->data[i])[lane] = (uint32_t)value;
            if (a->wide)
                PLANE(w->base, a->data[i] + 1)[lane] = (uint32_t)(value >> 32);
        }
    }
}

void eval_store(struct warp *w, const struct step *s)
{
    const struct access *a = &w->x->accesses[s->ref];
    uint32_t bytes = type_table[a->type].bytes;

    if (w->looked_at)
        eval_look(w, s);
    if (a->space == SPACE_IMAGE && a->form == IMAGE_VALUE) {
        eval_image_store(w, a);
        return;
    }
    if (bytes >= 4 && a->slot_index == NO_PLANE && a->space < SPACE_GLOBAL) {
        struct memory m = eval_memory(w, a, 0);
        if (store_whole(w, a, &m, bytes) || (bytes == 8 && store_pairs(w, a, &m)))
            return;
        switch (bytes == 4 ? a->width : 0) {
        case 0: break;
        case 1: store_words(w, a, &m, 1); return;
        case 2: store_words(w, a, &m, 2); return;
        default: store_words(w, a, &m, 4); return;
        }
    }
    for (uint32_t lanes = w->active & ~w->helpers; lanes; lanes &= lanes - 1) {
        unsigned lane = (unsigned)__builtin_ctz(lanes);
        struct memory m = eval_memory(w, a, lane);
        uint32_t address = eval_address(w, a, lane);
        for (unsigned i = 0; i < a->width; i++) {
            uint64_t value = PLANE(w->base, a->data[i])[lane];
            if (!eval_in_bounds(&m, address, i * bytes, bytes))
                continue;
            if (a->wide)
                value |= (uint64_t)PLANE(w->base, a->data[i] + 1)[lane] << 32;
            write_value(m.data + address + i * bytes, a->type, value);
        }
    }
}
