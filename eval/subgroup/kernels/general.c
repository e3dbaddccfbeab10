/* Every size of group, every shape of operation: what definition.c says, a lane after another or all by doubling. */
#include "eval/subgroup/kernels.h"

enum { MAX = GP5_SUBGROUP_MAX_SIZE };

/* The members of a subset as words; false when the subset is no part of a valid partition. */
static bool subset(const struct sub_job *job, unsigned leader, uint64_t members[2])
{
    const struct gp5_ballot *b = &job->ballot[leader];
    unsigned lanes = job->active.size;
    struct gp5_ballot exist = sub_first(lanes);
    uint32_t differ = 0;

    members[0] = (b->word[0] | (uint64_t)b->word[1] << 32) & job->active.word[0];
    members[1] = (b->word[2] | (uint64_t)b->word[3] << 32) & job->active.word[1];
    for (unsigned half = 0; half < 2; half++)
        for (uint64_t left = members[half]; left; left &= left - 1) {
            const struct gp5_ballot *other = &job->ballot[64 * half + (unsigned)__builtin_ctzll(left)];
            for (unsigned w = 0; w < 4; w++)
                differ |= (b->word[w] ^ other->word[w]) & exist.word[w];
        }
    return !differ && (members[leader / 64] >> leader % 64 & 1);
}

/* NEUTRAL leaves every value of the type as it is (-0 for a sum of floats); IDENTITY is what the first
 * lane of an exclusive scan gets. `x` and `y` are combined by EXPR. FIX makes one NaN of all. */
#define KERNELS(NAME, T, NEUTRAL, IDENTITY, EXPR, FIX, ORDERED)                                             \
    static inline T step_##NAME(T x, T y) { return EXPR; }                                                  \
    /* Prefixes by doubling; both arrays have MAX neutral values before their start. Returns where the result is. */ \
    static T *double_##NAME(T *from, T *to, unsigned size)                                                  \
    {                                                                                                       \
        for (unsigned d = 1; d < size; d *= 2) {                                                            \
            T *other = to;                                                                                  \
            for (unsigned i = 0; i < size; i++)                                                             \
                to[i] = step_##NAME(from[i], *(from + i - d));                                              \
            to = from;                                                                                      \
            from = other;                                                                                   \
        }                                                                                                   \
        return from;                                                                                        \
    }                                                                                                       \
    static void prefix_##NAME(const struct sub_job *job, const T *value, T *result)                             \
    {                                                                                                       \
        T a[2 * MAX + 1], b[2 * MAX + 1], *t, *start = a + MAX + (job->shape == EXCLUSIVE);                 \
        unsigned size = job->active.size;                                                                   \
        for (unsigned i = MAX - size; i < MAX; i++)                                                         \
            a[i] = b[i] = NEUTRAL;                                                                          \
        a[MAX] = IDENTITY;                                                                                  \
        if (job->active.full)                                                                               \
            memcpy(start, value, size * sizeof(T));                                                         \
        else                                                                                                \
            for (unsigned i = 0; i < size; i++)                                                             \
                start[i] = has(&job->active, i) ? value[i] : NEUTRAL;                                       \
        t = double_##NAME(a + MAX, b + MAX, size);                                                          \
        for (unsigned i = 0; i < size; i++)                                                                 \
            t[i] = FIX(t[i]);                                                                               \
        if (job->active.full)                                                                               \
            memcpy(result, t, size * sizeof(T));                                                            \
        else                                                                                                \
            for (unsigned i = 0; i < size; i++)                                                             \
                if (has(&job->active, i))                                                                   \
                    result[i] = t[i];                                                                       \
    }                                                                                                       \
    static void sequence_##NAME(const struct sub_job *job, const T *value, T *result)                           \
    {                                                                                                       \
        T sum = NEUTRAL;                                                                                    \
        bool first = true, full = job->active.full;                                                         \
        unsigned size = job->active.size;                                                                   \
        for (unsigned i = 0; i < size; i++) {                                                               \
            if (!full && !has(&job->active, i))                                                             \
                continue;                                                                                   \
            if (job->shape == EXCLUSIVE)                                                                    \
                result[i] = first ? IDENTITY : FIX(sum);                                                    \
            sum = step_##NAME(sum, value[i]);                                                               \
            if (job->shape == INCLUSIVE)                                                                    \
                result[i] = FIX(sum);                                                                       \
            first = false;                                                                                  \
        }                                                                                                   \
    }                                                                                                       \
    static void reduce_##NAME(const struct sub_job *job, const T *value, T *result)                             \
    {                                                                                                       \
        unsigned size = job->active.size, n = job->cluster;                                                 \
        for (unsigned c = 0; c < size; c += n) {                                                            \
            T sum = NEUTRAL;                                                                                \
            if (job->active.full) {                                                                         \
                for (unsigned i = c; i < c + n; i++)                                                        \
                    sum = step_##NAME(sum, value[i]);                                                       \
                sum = FIX(sum);                                                                             \
                for (unsigned i = c; i < c + n; i++)                                                        \
                    result[i] = sum;                                                                        \
                continue;                                                                                   \
            }                                                                                               \
            for (unsigned i = c; i < c + n; i++)                                                            \
                if (has(&job->active, i))                                                                   \
                    sum = step_##NAME(sum, value[i]);                                                       \
            sum = FIX(sum);                                                                                 \
            for (unsigned i = c; i < c + n; i++)                                                            \
                if (has(&job->active, i))                                                                   \
                    result[i] = sum;                                                                        \
        }                                                                                                   \
    }                                                                                                       \
    /* Subset after subset, from the lowest lane of each. */                                                \
    static bool partitioned_##NAME(const struct sub_job *job, const T *value, T *result)                        \
    {                                                                                                       \
        uint64_t left[2] = { job->active.word[0], job->active.word[1] }, members[2];                        \
        while (left[0] | left[1]) {                                                                         \
            T sum = NEUTRAL, here = IDENTITY;                                                               \
            if (!subset(job,                                                                                \
              left[0] ? (unsigned)__builtin_ctzll(left[0]) : 64 + (unsigned)__builtin_ctzll(left[1]),       \
                        members))                                                                           \
                return false;                                                                               \
            for (unsigned h = 0; h < 2; h++)                                                                \
                for (uint64_t m = members[h]; m; m &= m - 1) {                                              \
                    unsigned i = 64 * h + (unsigned)__builtin_ctzll(m);                                     \
                    if (job->shape == EXCLUSIVE)                                                            \
                        result[i] = here;                                                                   \
                    sum = step_##NAME(sum, value[i]);                                                       \
                    here = FIX(sum);                                                                        \
                    if (job->shape == INCLUSIVE)                                                            \
                        result[i] = here;                                                                   \
                }                                                                                           \
            for (unsigned h = 0; h < 2; h++) {                                                              \
                for (uint64_t m = job->shape == REDUCE ? members[h] : 0; m; m &= m - 1)                     \
                    result[64 * h + (unsigned)__builtin_ctzll(m)] = here;                                   \
                left[h] &= ~members[h];                                                                     \
            }                                                                                               \
        }                                                                                                   \
        return true;                                                                                        \
    }                                                                                                       \
    static bool run_##NAME(const struct sub_job *job, const void *value, void *result)                          \
    {                                                                                                       \
        if (ORDERED && job->doubling && (job->ballot || job->shape == REDUCE || !job->active.full))         \
            return false;                                                                                   \
        if (job->ballot)                                                                                    \
            return partitioned_##NAME(job, value, result);                                                  \
        if (job->shape == REDUCE)                                                                           \
            reduce_##NAME(job, value, result);                                                              \
        else if (ORDERED && !job->doubling)                                                                 \
            sequence_##NAME(job, value, result);                                                            \
        else                                                                                                \
            prefix_##NAME(job, value, result);                                                              \
        return true;                                                                                        \
    }

#define AS_IS(x) (x)

#define INTEGER_KERNELS(N, T)                                                                               \
    KERNELS(ADD_##N, T, 0, 0, (T)(x + y), AS_IS, false)                                                     \
    KERNELS(MUL_##N, T, 1, 1, (T)((uint64_t)x * y), AS_IS, false)                                           \
    KERNELS(AND_##N, T, (T)-1, (T)-1, (T)(x & y), AS_IS, false)                                             \
    KERNELS(OR_##N, T, 0, 0, (T)(x | y), AS_IS, false)                                                      \
    KERNELS(XOR_##N, T, 0, 0, (T)(x ^ y), AS_IS, false)
#define ORDER_KERNELS(N, T, LEAST, MOST)                                                                    \
    KERNELS(MIN_##N, T, MOST, MOST, (y < x ? y : x), AS_IS, false)                                          \
    KERNELS(MAX_##N, T, LEAST, LEAST, (y > x ? y : x), AS_IS, false)
#define FLOAT_KERNELS(N, T, FIX)                                                                            \
    KERNELS(ADD_##N, T, -(T)0, (T)0, x + y, FIX, true)                                                      \
    KERNELS(MUL_##N, T, (T)1, (T)1, x * y, FIX, true)

INTEGER_KERNELS(U8, uint8_t)
INTEGER_KERNELS(U16, uint16_t)
INTEGER_KERNELS(U32, uint32_t)
INTEGER_KERNELS(U64, uint64_t)
ORDER_KERNELS(U8, uint8_t, 0, UINT8_MAX)
ORDER_KERNELS(U16, uint16_t, 0, UINT16_MAX)
ORDER_KERNELS(U32, uint32_t, 0, UINT32_MAX)
ORDER_KERNELS(U64, uint64_t, 0, UINT64_MAX)
ORDER_KERNELS(I8, int8_t, INT8_MIN, INT8_MAX)
ORDER_KERNELS(I16, int16_t, INT16_MIN, INT16_MAX)
ORDER_KERNELS(I32, int32_t, INT32_MIN, INT32_MAX)
ORDER_KERNELS(I64, int64_t, INT64_MIN, INT64_MAX)
FLOAT_KERNELS(F32, float, sub_fix_float)
FLOAT_KERNELS(F64, double, sub_fix_double)

/* Signed and unsigned integers differ in min and max alone. Halves, booleans and the lesser of floats have
 * no kernel. */
#define INTEGER_ROW(S, U)                                                                                   \
    { NULL, run_ADD_##U, run_MUL_##U, run_MIN_##S, run_MAX_##S, run_AND_##U, run_OR_##U, run_XOR_##U }
const sub_kernel_table SUB_LEVEL_NAME(sub_any) = {
    [GP5_SUBGROUP_I8] = INTEGER_ROW(I8, U8),     [GP5_SUBGROUP_U8] = INTEGER_ROW(U8, U8),
    [GP5_SUBGROUP_I16] = INTEGER_ROW(I16, U16),  [GP5_SUBGROUP_U16] = INTEGER_ROW(U16, U16),
    [GP5_SUBGROUP_I32] = INTEGER_ROW(I32, U32),  [GP5_SUBGROUP_U32] = INTEGER_ROW(U32, U32),
    [GP5_SUBGROUP_I64] = INTEGER_ROW(I64, U64),  [GP5_SUBGROUP_U64] = INTEGER_ROW(U64, U64),
    [GP5_SUBGROUP_F32] = { NULL, run_ADD_F32, run_MUL_F32 },
    [GP5_SUBGROUP_F64] = { NULL, run_ADD_F64, run_MUL_F64 },
};

