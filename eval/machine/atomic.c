/* Atomic operations on storage buffers, counters and shared memory, lane by lane in rising order. Those on storage
 * are real: groups run on several threads. */
#include "eval/state/place.h"
#include "eval/numeric/half_memory.h"
#include "eval/machine/warp_state.h"
#include "eval/track/origin.h"

#include <math.h>
#include <string.h>

/* Float sums flush denormals where the driver does. */
static uint32_t flushed(uint32_t word, bool flush)
{
    return flush && !(word & 0x7f800000) ? word & 0x80000000 : word;
}

static uint32_t sum_float(uint32_t a, uint32_t b, bool flush)
{
    float x, y;

    a = flushed(a, flush);
    b = flushed(b, flush);
    memcpy(&x, &a, sizeof x);
    memcpy(&y, &b, sizeof y);
    x += y;
    memcpy(&a, &x, sizeof a);
    return isnan(x) ? 0x7fffffff : flushed(a, flush);
}

/* Of two NaNs the first one stays: that of the operand in buffers, and as it is there; that of the memory in shared
 * memory, quiet. */
static uint64_t sum_double(uint64_t a, uint64_t b, uint64_t quiet)
{
    double x, y;

    memcpy(&x, &a, sizeof x);
    memcpy(&y, &b, sizeof y);
    if (isnan(x) || isnan(y))
        return (isnan(x) ? a : b) | quiet;
    x += y;
    memcpy(&a, &x, sizeof a);
    return a;
}

static bool less(uint64_t a, uint64_t b, uint8_t type)
{
    switch (type) {
    case DT_S32: return (int32_t)a < (int32_t)b;
    case DT_S64: return (int64_t)a < (int64_t)b;
    default: return a < b;
    }
}

/* MIN and MAX of floats: the number where one is NaN, -0 below +0. */
static bool float_less(float x, float y)
{
    return x < y || (x == y && signbit(x) && !signbit(y));
}

static uint16_t combine_half(const struct access *a, uint16_t old, uint16_t x)
{
    uint32_t words[2] = {eval_half_to_float(old), eval_half_to_float(x)}, word;
    float f[2];
    bool second;

    memcpy(f, words, sizeof f);
    switch (a->atomic) {
    case MOD_EXCH:
        return x;
    case MOD_ADD:
        f[0] += f[1];
        memcpy(&word, f, sizeof word);
        return isnan(f[0]) ? 0x7fff : eval_float_to_half(word);
    default:
        if (isnan(f[0]) && isnan(f[1]))
            return 0x7fff;
        second =
            isnan(f[0]) || (!isnan(f[1]) && (a->atomic == MOD_MIN ? float_less(f[1], f[0]) : float_less(f[0], f[1])));
        return second ? x : old;
    }
}

/* What is written for the old value; false: nothing. */
static bool combine(const struct access *a, uint64_t old, uint64_t x, uint64_t y, bool flush,
                    uint64_t *result)
{
    if (a->type == DT_F16) {
        *result = combine_half(a, (uint16_t)old, (uint16_t)x) |
                  (uint64_t)combine_half(a, (uint16_t)(old >> 16), (uint16_t)(x >> 16)) << 16;
        return true;
    }
    switch (a->atomic) {
    case MOD_ADD:
        *result = a->type == DT_F32 ? sum_float((uint32_t)old, (uint32_t)x, flush)
                  : a->type == DT_F64 && a->space != SPACE_SHARED ? sum_double(x, old, 0)
                  : a->type == DT_F64 ? sum_double(old, x, 1ull << 51) : old + x;
        return true;
    case MOD_MIN: *result = less(x, old, a->type) ? x : old; return true;
    case MOD_MAX: *result = less(old, x, a->type) ? x : old; return true;
    case MOD_IWRAP: *result = old >= x ? 0 : old + 1; return true;
    case MOD_DWRAP: *result = old == 0 || old > x ? x : old - 1; return true;
    case MOD_AND: *result = old & x; return true;
    case MOD_OR: *result = old | x; return true;
    case MOD_XOR: *result = old ^ x; return true;
    case MOD_EXCH: *result = x; return true;
    case MOD_INCR: *result = old + 1; return true;
    case MOD_DECR: *result = old - 1; return true;
    case MOD_GET: return false;
    default: *result = y; return old == x;      /* CSWAP */
    }
}

static uint64_t update32(uint8_t *p, const struct access *a, uint64_t x, uint64_t y, bool flush)
{
    uint32_t old, fresh;
    uint64_t result;

    if ((uintptr_t)p & 3) {
        memcpy(&old, p, sizeof old);
        if (combine(a, old, x, y, flush, &result)) {
            fresh = (uint32_t)result;
            memcpy(p, &fresh, sizeof fresh);
        }
        return old;
    }
    old = __atomic_load_n((uint32_t *)(void *)p, __ATOMIC_SEQ_CST);
    do {
        if (!combine(a, old, x, y, flush, &result))
            return old;
        fresh = (uint32_t)result;
    } while (!__atomic_compare_exchange_n((uint32_t *)(void *)p, &old, fresh, false, __ATOMIC_SEQ_CST,
                                          __ATOMIC_SEQ_CST));
    return old;
}

static uint64_t update64(uint8_t *p, const struct access *a, uint64_t x, uint64_t y, bool flush)
{
    uint64_t old, result;

    if ((uintptr_t)p & 7) {
        memcpy(&old, p, sizeof old);
        if (combine(a, old, x, y, flush, &result))
            memcpy(p, &result, sizeof result);
        return old;
    }
    old = __atomic_load_n((uint64_t *)(void *)p, __ATOMIC_SEQ_CST);
    do {
        if (!combine(a, old, x, y, flush, &result))
            return old;
    } while (!__atomic_compare_exchange_n((uint64_t *)(void *)p, &old, result, false, __ATOMIC_SEQ_CST,
                                          __ATOMIC_SEQ_CST));
    return old;
}

static uint64_t operand(const struct warp *w, const struct access *a, unsigned component, unsigned lane)
{
    uint64_t value = PLANE(w->base, a->operand[component])[lane];

    return a->wide ? value | (uint64_t)PLANE(w->base, a->operand[component] + 1)[lane] << 32 : value;
}

/* The words of F16X2 and F16X4, one after the other; the old first one. */
static uint64_t update_halves(struct warp *w, const struct access *a, const struct memory *m, uint32_t address,
                              unsigned lane)
{
    uint64_t first = 0;

    for (unsigned i = 0; i < a->width / 2u && !(w->helpers >> lane & 1); i++) {
        uint64_t old = eval_in_bounds(m, address, i * 4, 4)
                           ? update32(m->data + address + i * 4, a, operand(w, a, i, lane), 0, false)
                           : 0;
        first = i ? first : old;
    }
    return first;
}

void eval_atomic(struct warp *w, const struct step *s)
{
    const struct access *a = &w->x->accesses[s->ref];
    uint32_t bytes = type_table[a->type].bytes;
    bool flush = w->worker->run->flush, halves = a->type == DT_F16;
    uint32_t active = w->active;

    if (w->mode != FLOAT_KEEP && type_table[a->type].is_float) {
        w->mode = FLOAT_KEEP;
        eval_float_mode(FLOAT_KEEP);
    }
    w->active &= eval_test_component(w, &s->test, 0);
    if (w->looked_at)
        eval_look(w, s);
    for (uint32_t lanes = w->active; lanes; lanes &= lanes - 1) {
        unsigned lane = (unsigned)__builtin_ctz(lanes);
        struct memory m = eval_memory(w, a, lane);
        uint32_t address = eval_address(w, a, lane);
        uint64_t x = operand(w, a, 0, lane), y = a->atomic == MOD_CSWAP ? operand(w, a, 1, lane) : 0, old = 0;
        if (halves)
            old = update_halves(w, a, &m, address, lane);
        else if (eval_in_bounds(&m, address, 0, bytes) && !(w->helpers >> lane & 1))
            old = bytes == 8 ? update64(m.data + address, a, x, y, flush)
                             : update32(m.data + address, a, x, y, flush);
        if (a->atomic == MOD_DECR && eval_in_bounds(&m, address, 0, bytes))     /* counts down first */
            old = (uint32_t)old - 1u;
        for (unsigned i = 0; i < a->n; i++) {
            uint64_t value = a->comp[i] == 0 ? old : 0;
            PLANE(w->base, a->data[i])[lane] = (uint32_t)value;
            if (a->wide)
                PLANE(w->base, a->data[i] + 1)[lane] = (uint32_t)(value >> 32);
        }
    }
    w->active = active;
}
