/* Scans of 32 elements of 32 bits in vectors, without memory in between. */
#include "eval/subgroup/kernels.h"

#if defined(__AVX2__)
enum { WIDTH = 8 };
#define BITS { 1, 2, 4, 8, 16, 32, 64, 128 }
#define UP1(prev, cur) __builtin_shufflevector(prev, cur, 7, 8, 9, 10, 11, 12, 13, 14)
#define UP2(prev, cur) __builtin_shufflevector(prev, cur, 6, 7, 8, 9, 10, 11, 12, 13)
#define UP4(prev, cur) __builtin_shufflevector(prev, cur, 4, 5, 6, 7, 8, 9, 10, 11)
#define WITHIN(V, step) BY(V, step, UP1) BY(V, step, UP2) BY(V, step, UP4) ACROSS(step, 1) ACROSS(step, 2)
#else
enum { WIDTH = 4 };
#define BITS { 1, 2, 4, 8 }
#define UP1(prev, cur) __builtin_shufflevector(prev, cur, 3, 4, 5, 6)
#define UP2(prev, cur) __builtin_shufflevector(prev, cur, 2, 3, 4, 5)
#define WITHIN(V, step) BY(V, step, UP1) BY(V, step, UP2) ACROSS(step, 1) ACROSS(step, 2) ACROSS(step, 4)
#endif
enum { VECTORS = 32 / WIDTH, BYTES = 4 * WIDTH };
typedef uint32_t words __attribute__((vector_size(BYTES)));
typedef int32_t integers __attribute__((vector_size(BYTES)));
typedef float floats __attribute__((vector_size(BYTES)));

#define EACH_VECTOR _Pragma("GCC unroll 8") for (int k = 0; k < VECTORS; k++)
/* From the last, so that what is below is still as it was. */
#define EACH_DOWN(first) _Pragma("GCC unroll 8") for (int k = VECTORS - 1; k >= (first); k--)
#define BY(V, step, UP)                                                                                     \
    EACH_DOWN(1) v[k] = step(v[k], UP(v[k - 1], v[k]));                                                     \
    v[0] = step(v[0], UP(neutral, v[0]));
#define ACROSS(step, n) EACH_DOWN(n) v[k] = step(v[k], v[k - (n)]);
#define CHOOSE(V, condition, a, b) ((V)(((words)(condition) & (words)(a)) | (~(words)(condition) & (words)(b))))

/* All ones where a lane of vector k is active. */
static inline words active_lanes(uint32_t mask, int k)
{
    const words bits = BITS;
    words all = (words){ 0 } + (mask >> WIDTH * k);
    return (words)((all & bits) == bits);
}

/* NEUTRAL leaves every value as it is (-0 for a sum of floats); IDENTITY is what the first lane of an exclusive scan
 * gets. `x` and `y` of EXPR are vectors of type V. FIX makes one NaN of all. Lanes that are not active count as
 * neutral, and keep what the result had. */
#define SCAN(NAME, V, NEUTRAL, IDENTITY, EXPR, FIX)                                                         \
    static inline V step_##NAME(V x, V y) { return EXPR; }                                                  \
    static inline __attribute__((always_inline)) void prefixes_##NAME(V v[VECTORS], enum sub_shape shape)   \
    {                                                                                                       \
        const V neutral = NEUTRAL - (V){ 0 };                                                               \
        if (shape == EXCLUSIVE) {                                                                           \
            V first = neutral;                                                                              \
            first[WIDTH - 1] = IDENTITY;                                                                    \
            EACH_DOWN(1) v[k] = UP1(v[k - 1], v[k]);                                                        \
            v[0] = UP1(first, v[0]);                                                                        \
        }                                                                                                   \
        WITHIN(V, step_##NAME)                                                                              \
        EACH_VECTOR v[k] = FIX(v[k]);                                                                       \
    }                                                                                                       \
    static bool scan_##NAME(const struct sub_job *job, const void *value, void *result)                     \
    {                                                                                                       \
        const V neutral = NEUTRAL - (V){ 0 };                                                               \
        V v[VECTORS], old;                                                                                  \
        words on[VECTORS];                                                                                  \
        EACH_VECTOR memcpy(&v[k], (const char *)value + BYTES * k, BYTES);                                  \
        if (job->active.full) {                                                                             \
            prefixes_##NAME(v, job->shape);                                                                 \
        } else {                                                                                            \
            EACH_VECTOR on[k] = active_lanes((uint32_t)job->active.word[0], k);                             \
            EACH_VECTOR v[k] = CHOOSE(V, on[k], v[k], neutral);                                             \
            prefixes_##NAME(v, job->shape);                                                                 \
            EACH_VECTOR {                                                                                   \
                memcpy(&old, (char *)result + BYTES * k, BYTES);                                            \
                v[k] = CHOOSE(V, on[k], v[k], old);                                                         \
            }                                                                                               \
        }                                                                                                   \
        EACH_VECTOR memcpy((char *)result + BYTES * k, &v[k], BYTES);                                       \
        return true;                                                                                        \
    }

#define AS_IS(x) (x)

static inline floats fix_floats(floats x)
{
    words is_nan = (words)(x != x);
    return (floats)(((words)x & ~is_nan) | (is_nan & (uint32_t)SUB_NAN32));
}

SCAN(ADD_U32, words, 0u, 0u, x + y, AS_IS)
SCAN(MUL_U32, words, 1u, 1u, x * y, AS_IS)
SCAN(AND_U32, words, UINT32_MAX, UINT32_MAX, x & y, AS_IS)
SCAN(OR_U32, words, 0u, 0u, x | y, AS_IS)
SCAN(XOR_U32, words, 0u, 0u, x ^ y, AS_IS)
SCAN(MIN_U32, words, UINT32_MAX, UINT32_MAX, CHOOSE(words, y < x, y, x), AS_IS)
SCAN(MAX_U32, words, 0u, 0u, CHOOSE(words, y > x, y, x), AS_IS)
SCAN(MIN_I32, integers, INT32_MAX, INT32_MAX, CHOOSE(integers, y < x, y, x), AS_IS)
SCAN(MAX_I32, integers, INT32_MIN, INT32_MIN, CHOOSE(integers, y > x, y, x), AS_IS)
SCAN(ADD_F32, floats, -0.0f, 0.0f, x + y, fix_floats)
SCAN(MUL_F32, floats, 1.0f, 1.0f, x * y, fix_floats)

/* Floats in sequence, one addition after the other. A NaN stays to the end: only then is there one to be fixed. */
#define SEQUENCE(NAME, IDENTITY, EXPR)                                                                      \
    static inline __attribute__((always_inline)) float chain_##NAME(const float *restrict from,             \
                                                                    float *restrict to, bool exclusive)     \
    {                                                                                                       \
        float x = from[0];                                                                                  \
        to[0] = exclusive ? IDENTITY : x;                                                                   \
        _Pragma("GCC unroll 31") for (int i = 1; i < 32; i++) {                                             \
            float y = from[i], before = x;                                                                  \
            x = EXPR;                                                                                       \
            to[i] = exclusive ? before : x;                                                                 \
        }                                                                                                   \
        return x;                                                                                           \
    }                                                                                                       \
    static bool sequence_##NAME(const struct sub_job *job, const void *value, void *result)                 \
    {                                                                                                       \
        float last = job->shape == EXCLUSIVE ? chain_##NAME(value, result, true)                            \
                                             : chain_##NAME(value, result, false), *to = result;            \
        if (last != last)                                                                                   \
            for (int i = 0; i < 32; i++)                                                                    \
                to[i] = sub_fix_float(to[i]);                                                               \
        return true;                                                                                        \
    }

SEQUENCE(ADD_F32, 0.0f, x + y)
SEQUENCE(MUL_F32, 1.0f, x * y)

#define INTEGER_ROW(S)                                                                                      \
    { NULL, scan_ADD_U32, scan_MUL_U32, scan_MIN_##S, scan_MAX_##S, scan_AND_U32, scan_OR_U32, scan_XOR_U32 }
const sub_kernel_table SUB_LEVEL_NAME(sub_scans) = {
    [GP5_SUBGROUP_I32] = INTEGER_ROW(I32),
    [GP5_SUBGROUP_U32] = INTEGER_ROW(U32),
    [GP5_SUBGROUP_F32] = { NULL, scan_ADD_F32, scan_MUL_F32 },
};
const sub_kernel_table SUB_LEVEL_NAME(sub_sequences) = {
    [GP5_SUBGROUP_F32] = { NULL, sequence_ADD_F32, sequence_MUL_F32 },
};

/* `what` for the lanes of the mask, of 32. */
void SUB_LEVEL_NAME(sub_tell_32)(uint32_t mask, uint8_t *array, uint8_t what)
{
#if defined(__AVX2__)
    typedef uint8_t bytes __attribute__((vector_size(32)));
    const bytes bits = (bytes)((uint64_t __attribute__((vector_size(32)))){ 0 } + UINT64_C(0x8040201008040201));
    bytes each = (bytes)((words){ 0 } + mask), old, on;
    each = __builtin_shufflevector(each, each, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 18, 18, 18, 18, 18, 18,
                                   18, 18, 19, 19, 19, 19, 19, 19, 19, 19);
    on = (bytes)((each & bits) == bits);
    memcpy(&old, array, 32);
    old = (old & ~on) | (((bytes){ 0 } + what) & on);
    memcpy(array, &old, 32);
#else
    tell(&(struct lanes){ .word = { mask }, .size = 32 }, array, what);
#endif
}
