/* Packing and unpacking. The sums are the driver's: codes are made with one rounding to single precision
 * and one to an integer, and taken apart by a product with the rounded reciprocal. */
#include "eval/kernels/lanes.h"
#include "eval/kernels/rows.h"
#include "eval/numeric/half.h"

/* Into [0, 1]; NaN is 0. */
static inline float unit(uint32_t w)
{
    float x = num_float(w);
    return num_float(x > 0.0f ? x < 1.0f ? w : ONE32 : 0);
}

static inline uint32_t unsigned_code(uint32_t w, float most)
{
    return (uint32_t)(int32_t)num_rint(unit(w) * most);
}

/* Into [-128/127, 1], the lower bound for NaN; the code is offset by 128. */
static inline uint32_t signed_code(uint32_t w)
{
    float x = num_float(w), least = -128.0f / 127.0f;
    x = x > least ? x : least;
    x = x < 1.0f ? x : 1.0f;
    return (uint32_t)(int32_t)num_rint(num_fma(x, 127.0f, 128.0f)) & 255;
}

static inline uint32_t from_unsigned_code(uint32_t code, float step)
{
    return num_word((float)(int32_t)code * step);
}

static inline uint32_t from_signed_code(uint32_t code)
{
    return num_word((float)((int32_t)code - 128) * (1.0f / 127.0f));
}

/* ---- four components to a word ------------------------------------------------------------------------- */

#define PACK(name, word, call)                                                                               \
    static void name(uint32_t *base, const struct lane_op *op)                                               \
    {                                                                                                        \
        const uint32_t *px = SOURCE(op, 0, 0), *py = SOURCE(op, 0, 1), *pz = SOURCE(op, 0, 2),               \
            *pw = SOURCE(op, 0, 3);                                                                          \
        _Alignas(64) uint32_t r[WARP_LANES];                                                                 \
        LANE_LOOP                                                                                            \
        {                                                                                                    \
            uint32_t x = word(px[l], 0), y = word(py[l], 0), z = word(pz[l], 0), w = word(pw[l], 0);         \
            (void)z, (void)w;                                                                                \
            r[l] = call;                                                                                     \
        }                                                                                                    \
        for (unsigned i = 0; i < op->n; i++) {                                                               \
            uint32_t *d = RESULT(op, i);                                                                     \
            LANE_LOOP d[l] = r[l];                                                                           \
        }                                                                                                    \
    }
#define PACK_BOTH(name, call) PACK(name, PLAIN_WORD, call) PACK(name##_signs, SIGNED_WORD, call)
#define BYTE(x) unsigned_code(x, 255.0f)

PACK_BOTH(pk2h, num_to_half(x) | num_to_half(y) << 16)
PACK_BOTH(pk2us, unsigned_code(x, 65535.0f) | unsigned_code(y, 65535.0f) << 16)
PACK_BOTH(pk4ub, BYTE(x) | BYTE(y) << 8 | BYTE(z) << 16 | BYTE(w) << 24)
PACK_BOTH(pk4b, signed_code(x) | signed_code(y) << 8 | signed_code(z) << 16 | signed_code(w) << 24)

/* ---- a word to four components ------------------------------------------------------------------------- */

/* field: the code of component c. */
#define UNPACK(name, word, shift, call)                                                                      \
    static void name(uint32_t *base, const struct lane_op *op)                                               \
    {                                                                                                        \
        const uint32_t *a = SOURCE(op, 0, 0);                                                                \
        _Alignas(64) uint32_t all[4][WARP_LANES];                                                            \
        for (unsigned i = 0; i < op->n; i++) {                                                               \
            unsigned c = op->comp[i];                                                                        \
            LANE_LOOP                                                                                        \
            {                                                                                                \
                uint32_t code = word(a[l], 0) >> (shift);                                                    \
                all[i][l] = call;                                                                            \
            }                                                                                                \
        }                                                                                                    \
        for (unsigned i = 0; i < op->n; i++) {                                                               \
            uint32_t *d = RESULT(op, i);                                                                     \
            LANE_LOOP d[l] = all[i][l];                                                                      \
        }                                                                                                    \
    }
#define UNPACK_BOTH(name, shift, call)                                                                       \
    UNPACK(name, PLAIN_WORD, shift, call) UNPACK(name##_signs, SIGNED_WORD, shift, call)

UNPACK_BOTH(up2h, (c & 1) * 16, num_from_half(code & 0xffff))
UNPACK_BOTH(up2us, (c & 1) * 16, from_unsigned_code(code & 0xffff, 1.0f / 65535.0f))
UNPACK_BOTH(up4ub, c * 8, from_unsigned_code(code & 255, 1.0f / 255.0f))
UNPACK_BOTH(up4b, c * 8, from_signed_code(code & 255))

/* ---- two words and one of 64 bits: only planes move ---------------------------------------------------- */

#define PK64(name, word)                                                                                     \
    static void name(uint32_t *base, const struct lane_op *op)                                               \
    {                                                                                                        \
        _Alignas(64) uint32_t all[4][WARP_LANES];                                                            \
        for (unsigned c = 0; c < 4; c++) {                                                                   \
            const uint32_t *a = SOURCE(op, 0, c);                                                            \
            LANE_LOOP all[c][l] = word(a[l], 0);                                                             \
        }                                                                                                    \
        for (unsigned i = 0; i < op->n; i++) {                                                               \
            uint32_t *d = RESULT(op, i);                                                                     \
            unsigned first = op->comp[i] & 1 ? 2 : 0;                                                        \
            LANE_LOOP d[l] = all[first][l];                                                                  \
            LANE_LOOP d[WARP_LANES + l] = all[first + 1][l];                                                 \
        }                                                                                                    \
    }
PK64(pk64, PLAIN_WORD)
PK64(pk64_signs, SIGNED_WORD)

#define UP64(name, word)                                                                                     \
    static void name(uint32_t *base, const struct lane_op *op)                                               \
    {                                                                                                        \
        _Alignas(64) uint32_t all[4][WARP_LANES];                                                            \
        for (unsigned c = 0; c < 2; c++) {                                                                   \
            const uint32_t *a = SOURCE(op, 0, c);                                                            \
            LANE_LOOP all[2 * c][l] = a[l];                                                                  \
            LANE_LOOP all[2 * c + 1][l] = word(a[WARP_LANES + l], 0);                                        \
        }                                                                                                    \
        for (unsigned i = 0; i < op->n; i++) {                                                               \
            uint32_t *d = RESULT(op, i);                                                                     \
            LANE_LOOP d[l] = all[op->comp[i]][l];                                                            \
        }                                                                                                    \
    }
UP64(up64, PLAIN_WORD)
UP64(up64_signs, SIGNED_WORD)

/* All that an instruction of these is asked for with: the type changes nothing. */
#define ROW_ANY(op, f)                                                                                       \
    ROW_F(op, F32, f), ROW_F(op, S32, f), ROW_F(op, U32, f)
#define ROW_KEEP(op, type, f) {OP_##op, DT_##type, SEM_BOTH, 0, 0,                                           \
                               {.run = f, .run_signs = f##_signs, .keep_denormals = true}}
#define ROW_ANY_KEEP(op, f) ROW_KEEP(op, F32, f), ROW_KEEP(op, S32, f), ROW_KEEP(op, U32, f)

static const struct kernel_row rows[] = {
    ROW_ANY_KEEP(PK2H, pk2h), ROW_ANY(PK2US, pk2us), ROW_ANY(PK4UB, pk4ub), ROW_ANY(PK4B, pk4b),
    ROW_ANY(PK64, pk64),
    ROW_ANY_KEEP(UP2H, up2h), ROW_ANY(UP2US, up2us), ROW_ANY(UP4UB, up4ub), ROW_ANY(UP4B, up4b),
    ROW_ANY(UP64, up64),
};
ROWS(eval_rows_pack, rows);
