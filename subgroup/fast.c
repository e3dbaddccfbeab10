/* The faster ways to what definition.c says: for scans, reductions, clusters, partitions and rotations of
 * whole arrays of lanes, in loops that a compiler turns into vectors. A call that is not of the usual
 * kind, or has a fault, is left to the definitions. Floats are added in the very order that was asked for;
 * where none was, integers take any. */
#include "subgroup/number.h"
#include "subgroup/subgroup.h"

enum { MAX = GP5_SUBGROUP_MAX_SIZE };

/* The active lanes as two words, and whether those are all. */
struct lanes {
    uint64_t word[2];
    unsigned size;
    bool full;
};

static inline struct lanes lanes_of(const struct gp5_subgroup *group)
{
    const uint32_t *w = group->active.word;
    struct lanes a;

    a.word[0] = w[0] | (uint64_t)w[1] << 32;
    a.word[1] = w[2] | (uint64_t)w[3] << 32;
    a.size = group->size;
    a.full = a.word[0] == sub_low_bits(group->size < 64 ? group->size : 64)
             && (group->size < 128 || a.word[1] == UINT64_MAX);
    return a;
}

static inline bool has(const struct lanes *a, unsigned lane)
{
    return a->word[lane / 64] >> lane % 64 & 1;
}

/* 0xff in the bytes of those lanes whose bits are set, lane 0 in the byte that comes first in memory. */
static inline uint64_t spread(unsigned bits)
{
    static const uint8_t lane_bits[8] = { 1, 2, 4, 8, 16, 32, 64, 128 };
    const uint64_t each = UINT64_C(0x0101010101010101);
    uint64_t pattern, on;

    memcpy(&pattern, lane_bits, 8);
    on = (bits & 0xff) * each & pattern;
    on = ((on & 0x7f * each) + 0x7f * each) | on;
    return (on >> 7 & each) * 0xff;
}

/* `what` for every active lane. */
static inline void tell(const struct lanes *a, uint8_t *array, uint8_t what)
{
    if (a->full && a->size == 32) {     /* a length that the compiler knows */
        memset(array, what, 32);
        return;
    }
    if (a->full) {
        memset(array, what, a->size);
        return;
    }
    for (unsigned i = 0; i < a->size; i += 8) {
        unsigned bits = (unsigned)(a->word[i / 64] >> i % 64);
        uint64_t old, on;

        if (a->size < 8) {
            for (unsigned k = 0; k < a->size; k++)
                if (bits >> k & 1)
                    array[k] = what;
            return;
        }
        on = spread(bits);
        memcpy(&old, array + i, 8);
        old = (old & ~on) | (what * UINT64_C(0x0101010101010101) & on);
        memcpy(array + i, &old, 8);
    }
}

/* ---- arithmetic ---------------------------------------------------------------------------------------- */

enum shape { REDUCE, INCLUSIVE, EXCLUSIVE };

struct job {
    struct lanes active;
    enum shape shape;
    bool doubling;              /* floats: the order */
    unsigned cluster;           /* of a reduction */
    const struct gp5_ballot *ballot;    /* of the partitioned */
};

/* The members of a subset as words; false when the subset is no part of a valid partition. */
static bool subset(const struct job *job, unsigned leader, uint64_t members[2])
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
    static void prefix_##NAME(const struct job *job, const T *value, T *result)                             \
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
    static void sequence_##NAME(const struct job *job, const T *value, T *result)                           \
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
    static void reduce_##NAME(const struct job *job, const T *value, T *result)                             \
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
    static bool partitioned_##NAME(const struct job *job, const T *value, T *result)                        \
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
    static bool run_##NAME(const struct job *job, const void *value, void *result)                          \
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

/* Prefixes of 32 elements of 32 bits in eight vectors: what prefix_ does, without memory in between. `x`
 * and `y` of EXPR are vectors of type V. */
typedef uint32_t u32x4 __attribute__((vector_size(16)));
typedef int32_t i32x4 __attribute__((vector_size(16)));
typedef float f32x4 __attribute__((vector_size(16)));

/* All ones where a lane is active: lanes 4 k to 4 k + 3. */
static inline u32x4 active_lanes(uint32_t mask, unsigned k)
{
    u32x4 bits = { 1, 2, 4, 8 }, four = (u32x4){ 0 } + (mask >> 4 * k);
    return (u32x4)((four & bits) == bits);
}

/* The elements one or two lanes below those of `cur`, across the end of the vector before it. */
#define UP1(prev, cur) __builtin_shufflevector(prev, cur, 3, 4, 5, 6)
#define UP2(prev, cur) __builtin_shufflevector(prev, cur, 2, 3, 4, 5)
#define GET(V, k) memcpy(&v##k, (const char *)value + 16 * k, 16);
#define PUT(k) memcpy((char *)result + 16 * k, &v##k, 16);
/* Neutral values in lanes that are not active, and afterwards what the result had there. */
#define KEEP(V, k) v##k = CHOOSE(V, active_lanes(mask, k), v##k, neutral);
#define MIX(V, k)                                                                                           \
    {                                                                                                       \
        V old;                                                                                              \
        memcpy(&old, (char *)result + 16 * k, 16);                                                          \
        v##k = CHOOSE(V, active_lanes(mask, k), v##k, old);                                                 \
    }
#define CHOOSE(V, condition, a, b) ((V)(((u32x4)(condition) & (u32x4)(a)) | (~(u32x4)(condition) & (u32x4)(b))))

#define VECTOR_PREFIX(NAME, V, NEUTRAL, IDENTITY, EXPR, FIX)                                                \
    static inline V vector_step_##NAME(V x, V y) { return EXPR; }                                           \
    static void vector_prefix_##NAME(const struct job *job, const void *value, void *result)                \
    {                                                                                                       \
        const V neutral = { NEUTRAL, NEUTRAL, NEUTRAL, NEUTRAL }, first = { NEUTRAL, NEUTRAL, NEUTRAL,      \
          IDENTITY };                                                                                       \
        uint32_t mask = (uint32_t)job->active.word[0];                                                      \
        V v0, v1, v2, v3, v4, v5, v6, v7;                                                                   \
        GET(V, 0) GET(V, 1) GET(V, 2) GET(V, 3) GET(V, 4) GET(V, 5) GET(V, 6) GET(V, 7)                     \
        if (!job->active.full) {                                                                            \
            KEEP(V, 0) KEEP(V, 1) KEEP(V, 2) KEEP(V, 3) KEEP(V, 4) KEEP(V, 5) KEEP(V, 6) KEEP(V, 7)         \
        }                                                                                                   \
        if (job->shape == EXCLUSIVE) {                                                                      \
            v7 = UP1(v6, v7), v6 = UP1(v5, v6), v5 = UP1(v4, v5), v4 = UP1(v3, v4), v3 = UP1(v2, v3);       \
            v2 = UP1(v1, v2), v1 = UP1(v0, v1), v0 = UP1(first, v0);                                        \
        }                                                                                                   \
        v7 = vector_step_##NAME(v7, UP1(v6, v7)), v6 = vector_step_##NAME(v6, UP1(v5, v6));                 \
        v5 = vector_step_##NAME(v5, UP1(v4, v5)), v4 = vector_step_##NAME(v4, UP1(v3, v4));                 \
        v3 = vector_step_##NAME(v3, UP1(v2, v3)), v2 = vector_step_##NAME(v2, UP1(v1, v2));                 \
        v1 = vector_step_##NAME(v1, UP1(v0, v1)), v0 = vector_step_##NAME(v0, UP1(neutral, v0));            \
        v7 = vector_step_##NAME(v7, UP2(v6, v7)), v6 = vector_step_##NAME(v6, UP2(v5, v6));                 \
        v5 = vector_step_##NAME(v5, UP2(v4, v5)), v4 = vector_step_##NAME(v4, UP2(v3, v4));                 \
        v3 = vector_step_##NAME(v3, UP2(v2, v3)), v2 = vector_step_##NAME(v2, UP2(v1, v2));                 \
        v1 = vector_step_##NAME(v1, UP2(v0, v1)), v0 = vector_step_##NAME(v0, UP2(neutral, v0));            \
        v7 = vector_step_##NAME(v7, v6), v6 = vector_step_##NAME(v6, v5), v5 = vector_step_##NAME(v5, v4);  \
        v4 = vector_step_##NAME(v4, v3), v3 = vector_step_##NAME(v3, v2), v2 = vector_step_##NAME(v2, v1);  \
        v1 = vector_step_##NAME(v1, v0);                                                                    \
        v7 = vector_step_##NAME(v7, v5), v6 = vector_step_##NAME(v6, v4), v5 = vector_step_##NAME(v5, v3);  \
        v4 = vector_step_##NAME(v4, v2), v3 = vector_step_##NAME(v3, v1), v2 = vector_step_##NAME(v2, v0);  \
        v7 = vector_step_##NAME(v7, v3), v6 = vector_step_##NAME(v6, v2), v5 = vector_step_##NAME(v5, v1);  \
        v4 = vector_step_##NAME(v4, v0);                                                                    \
        v0 = FIX(v0), v1 = FIX(v1), v2 = FIX(v2), v3 = FIX(v3), v4 = FIX(v4), v5 = FIX(v5), v6 = FIX(v6),   \
          v7 = FIX(v7);                                                                                     \
        if (!job->active.full) {                                                                            \
            MIX(V, 0) MIX(V, 1) MIX(V, 2) MIX(V, 3) MIX(V, 4) MIX(V, 5) MIX(V, 6) MIX(V, 7)                 \
        }                                                                                                   \
        PUT(0) PUT(1) PUT(2) PUT(3) PUT(4) PUT(5) PUT(6) PUT(7)                                             \
    }

static inline f32x4 fix_floats(f32x4 x)
{
    u32x4 is_nan = (u32x4)(x != x);
    return (f32x4)(((u32x4)x & ~is_nan) | (is_nan & (uint32_t)SUB_NAN32));
}

VECTOR_PREFIX(ADD_U32, u32x4, 0u, 0u, x + y, AS_IS)
VECTOR_PREFIX(MUL_U32, u32x4, 1u, 1u, x * y, AS_IS)
VECTOR_PREFIX(AND_U32, u32x4, UINT32_MAX, UINT32_MAX, x & y, AS_IS)
VECTOR_PREFIX(OR_U32, u32x4, 0u, 0u, x | y, AS_IS)
VECTOR_PREFIX(XOR_U32, u32x4, 0u, 0u, x ^ y, AS_IS)
VECTOR_PREFIX(MIN_U32, u32x4, UINT32_MAX, UINT32_MAX, CHOOSE(u32x4, y < x, y, x), AS_IS)
VECTOR_PREFIX(MAX_U32, u32x4, 0u, 0u, CHOOSE(u32x4, y > x, y, x), AS_IS)
VECTOR_PREFIX(MIN_I32, i32x4, INT32_MAX, INT32_MAX, CHOOSE(i32x4, y < x, y, x), AS_IS)
VECTOR_PREFIX(MAX_I32, i32x4, INT32_MIN, INT32_MIN, CHOOSE(i32x4, y > x, y, x), AS_IS)
VECTOR_PREFIX(ADD_F32, f32x4, -0.0f, 0.0f, x + y, fix_floats)
VECTOR_PREFIX(MUL_F32, f32x4, 1.0f, 1.0f, x * y, fix_floats)
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

static inline float fix_float(float x)
{
    return x != x ? sub_float(SUB_NAN32) : x;
}

static inline double fix_double(double x)
{
    return x != x ? sub_double(SUB_NAN64) : x;
}

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
FLOAT_KERNELS(F32, float, fix_float)
FLOAT_KERNELS(F64, double, fix_double)

typedef bool kernel(const struct job *job, const void *value, void *result);

/* Signed and unsigned integers differ in min and max alone. Halves, booleans and the lesser of floats have
 * no kernel. */
#define INTEGER_ROW(S, U)                                                                                   \
    { NULL, run_ADD_##U, run_MUL_##U, run_MIN_##S, run_MAX_##S, run_AND_##U, run_OR_##U, run_XOR_##U }
static kernel *const kernels[GP5_SUBGROUP_TYPE_COUNT][GP5_SUBGROUP_OP_XOR + 1] = {
    [GP5_SUBGROUP_I8] = INTEGER_ROW(I8, U8),     [GP5_SUBGROUP_U8] = INTEGER_ROW(U8, U8),
    [GP5_SUBGROUP_I16] = INTEGER_ROW(I16, U16),  [GP5_SUBGROUP_U16] = INTEGER_ROW(U16, U16),
    [GP5_SUBGROUP_I32] = INTEGER_ROW(I32, U32),  [GP5_SUBGROUP_U32] = INTEGER_ROW(U32, U32),
    [GP5_SUBGROUP_I64] = INTEGER_ROW(I64, U64),  [GP5_SUBGROUP_U64] = INTEGER_ROW(U64, U64),
    [GP5_SUBGROUP_F32] = { NULL, run_ADD_F32, run_MUL_F32 },
    [GP5_SUBGROUP_F64] = { NULL, run_ADD_F64, run_MUL_F64 },
};

typedef void vector_kernel(const struct job *job, const void *value, void *result);

#define VECTOR_ROW(S)                                                                                       \
    { NULL, vector_prefix_ADD_U32, vector_prefix_MUL_U32, vector_prefix_MIN_##S, vector_prefix_MAX_##S,     \
      vector_prefix_AND_U32, vector_prefix_OR_U32, vector_prefix_XOR_U32 }
static vector_kernel *const vector_kernels[GP5_SUBGROUP_TYPE_COUNT][GP5_SUBGROUP_OP_XOR + 1] = {
    [GP5_SUBGROUP_I32] = VECTOR_ROW(I32),
    [GP5_SUBGROUP_U32] = VECTOR_ROW(U32),
    [GP5_SUBGROUP_F32] = { NULL, vector_prefix_ADD_F32, vector_prefix_MUL_F32 },
};

/* The scan of 32 lanes in vectors, where there is one that keeps the order of floats. */
static vector_kernel *vector_scan(const struct job *job, enum gp5_subgroup_type type,
                                  enum gp5_subgroup_arithmetic arithmetic)
{
    bool any_order = !sub_is_float(type) || (job->doubling && job->active.full);
    return job->active.size == 32 && job->shape != REDUCE && !job->ballot && any_order
               ? vector_kernels[type][arithmetic] : NULL;
}

static bool aligned(const void *array, size_t bytes)
{
    return (uintptr_t)array % bytes == 0;
}

static bool fast_arithmetic(const struct gp5_subgroup_info *info, const struct gp5_subgroup *group,
                            const struct gp5_subgroup_operands *in, const struct gp5_subgroup_result *out)
{
    kernel *run = kernels[in->type][info->arithmetic];
    vector_kernel *vector;
    size_t bytes = sub_bytes(in->type);
    struct job job;

    job.active = lanes_of(group);
    job.shape = REDUCE;
    job.doubling = in->order == GP5_SUBGROUP_DOUBLING;
    job.ballot = NULL;
    if (!run || !aligned(in->value, bytes) || !aligned(out->value, bytes))
        return false;
    job.cluster = group->size;
    switch (info->group) {
    case GP5_SUBGROUP_CLUSTERED:
        if (!sub_power_of_two(in->cluster) || in->cluster > group->size)
            return false;
        job.cluster = (unsigned)in->cluster;
        break;
    case GP5_SUBGROUP_INCLUSIVE:
    case GP5_SUBGROUP_PARTITIONED_INCLUSIVE:
        job.shape = INCLUSIVE;
        break;
    case GP5_SUBGROUP_EXCLUSIVE:
    case GP5_SUBGROUP_PARTITIONED_EXCLUSIVE:
        job.shape = EXCLUSIVE;
        break;
    default:
        break;
    }
    if (info->operands & GP5_SUBGROUP_TAKES_BALLOT) {
        if (sub_lanes(group) != group->size)
            return false;
        job.ballot = in->ballot;
    }
    vector = vector_scan(&job, in->type, info->arithmetic);
    for (unsigned k = 0; k < sub_components(in); k++) {
        size_t plane = (size_t)k * group->size;
        if (vector)
            vector(&job, (const uint8_t *)in->value + plane * bytes, (uint8_t *)out->value + plane * bytes);
        else if (!run(&job, (const uint8_t *)in->value + plane * bytes, (uint8_t *)out->value + plane * bytes))
            return false;
        tell(&job.active, out->reason + plane, GP5_SUBGROUP_DEFINED);
        if (out->peer)
            tell(&job.active, out->peer + plane, SUB_NO_LANE);
    }
    return true;
}

/* ---- rotation ------------------------------------------------------------------------------------------ */

/* A block without its first `skip` bytes, and then those. */
static inline void rotate_block(const uint8_t *from, uint8_t *to, size_t bytes, size_t skip)
{
    uint8_t twice[256];

    if (bytes == 128) {     /* 32 words: lengths that the compiler knows */
        memcpy(twice, from, 128);
        memcpy(twice + 128, from, 128);
        memcpy(to, twice + skip, 128);
        return;
    }
    memcpy(to, from + skip, bytes - skip);
    memcpy(to + bytes - skip, from, skip);
}

/* With every lane active a rotation is a copy or two a block. */
static bool fast_rotate(enum gp5_subgroup_op op, const struct gp5_subgroup *group,
                        const struct gp5_subgroup_operands *in, const struct gp5_subgroup_result *out)
{
    struct lanes active = lanes_of(group);
    size_t bytes = sub_bytes(in->type);
    uint64_t n = op == GP5_SUBGROUP_DO_CLUSTERED_ROTATE ? in->cluster : group->max_size ? group->max_size : group->size;
    uint64_t differ = 0, delta = in->index[0] & (n - 1);

    if (!active.full || !sub_power_of_two(n) || n > group->size || in->type == GP5_SUBGROUP_BOOL)
        return false;
    for (unsigned i = 0; i < group->size; i++)
        differ |= in->index[i] ^ in->index[0];
    if (differ)
        return false;
    for (unsigned k = 0; k < sub_components(in); k++) {
        size_t plane = (size_t)k * group->size;
        for (uint64_t block = 0; block < group->size; block += n)
            rotate_block((const uint8_t *)in->value + (plane + block) * bytes,
                         (uint8_t *)out->value + (plane + block) * bytes, n * bytes, delta * bytes);
        tell(&active, out->reason + plane, GP5_SUBGROUP_DEFINED);
        if (out->peer)
            tell(&active, out->peer + plane, SUB_NO_LANE);
    }
    return true;
}

bool sub_fast(enum gp5_subgroup_op op, const struct gp5_subgroup *group, const struct gp5_subgroup_operands *in,
              const struct gp5_subgroup_result *out, bool *defined)
{
    const struct gp5_subgroup_info *info = &sub_rows[op];

    *defined = true;
    if (info->arithmetic)
        return fast_arithmetic(info, group, in, out);
    return info->group == GP5_SUBGROUP_ROTATION && fast_rotate(op, group, in, out);
}
