/* CVT and I2F, and FLR CEIL ROUND TRUNC with an integer result: the usual conversions as loops that
 * vectorise; the general ones are in eval/numeric/conversion.c. All take care of denormals themselves. */
#include "asm/program.h"
#include "eval/kernels/lanes.h"
#include "eval/kernels/rows.h"
#include "eval/numeric/conversion.h"
#include "eval/numeric/convert.h"
#include "eval/numeric/half.h"

/* ---- the usual ones, vectorised ------------------------------------------------------------------------ */

static inline uint32_t from_s32(uint32_t a)
{
    return num_word((float)(int32_t)a);
}

static inline uint32_t from_u32(uint32_t a)
{
    return num_word((float)a);
}

/* x is integral, or NaN. */
static inline uint32_t clamp_s32(float x)
{
    float inside = num_float(num_word(x) & (x >= -0x1p31f && x < 0x1p31f ? ~0u : 0));
    return (uint32_t)(int32_t)inside | (x < -0x1p31f ? SIGN32 : 0) | (x >= 0x1p31f ? ~SIGN32 : 0);
}

static inline uint32_t clamp_u32(float x)
{
    uint32_t high = x >= 0x1p31f && x < 0x1p32f ? ~0u : 0, low = x > 0.0f && x < 0x1p31f ? ~0u : 0;
    float inside = num_float(num_select(high, num_word(x - 0x1p31f), num_word(x) & low));
    return ((uint32_t)(int32_t)inside ^ (high & SIGN32)) | (x >= 0x1p32f ? ~0u : 0);
}

#define FLOAT_TO_INT(name, round)                                                                            \
    static inline uint32_t name##_s(uint32_t a)                                                              \
    {                                                                                                        \
        return clamp_s32(round(num_float(num_flush(a))));                                                    \
    }                                                                                                        \
    static inline uint32_t name##_u(uint32_t a)                                                              \
    {                                                                                                        \
        return clamp_u32(round(num_float(num_flush(a))));                                                    \
    }                                                                                                        \
    EACH1F(name##_s32, name##_s)                                                                             \
    EACH1F(name##_u32, name##_u)

FLOAT_TO_INT(round, num_rint)
FLOAT_TO_INT(ceil, num_ceil)
FLOAT_TO_INT(floor, num_floor)
FLOAT_TO_INT(trunc, num_trunc)
EACH1(s32_to_f32, from_s32)
EACH1(u32_to_f32, from_u32)
EACH1(f16_to_f32, num_from_half)
EACH1(f32_to_f16, num_to_half)

/* Integers of up to 32 bits among themselves: the operand's low bits, extended, of which the result's are
 * kept. */
#define BITS_S8(w) (uint32_t)(int32_t)(int8_t)(w)
#define BITS_U8(w) (uint32_t)(uint8_t)(w)
#define BITS_S16(w) (uint32_t)(int32_t)(int16_t)(w)
#define BITS_U16(w) (uint32_t)(uint16_t)(w)
#define BITS_S32(w) (w)
#define BITS_U32(w) (w)

#define INT_TO_INT(dst, src)                                                                                 \
    static inline uint32_t dst##_of_##src(uint32_t a)                                                        \
    {                                                                                                        \
        return BITS_##dst(BITS_##src(a));                                                                    \
    }                                                                                                        \
    EACH1(src##_to_##dst, dst##_of_##src)
#define INT_TO_FLOAT(src)                                                                                    \
    static inline uint32_t float_of_##src(uint32_t a)                                                        \
    {                                                                                                        \
        return num_word((float)(int32_t)BITS_##src(a));                                                      \
    }                                                                                                        \
    EACH1(src##_to_F32, float_of_##src)

#define SMALL_TYPES(X, ...) X(S8, __VA_ARGS__) X(U8, __VA_ARGS__) X(S16, __VA_ARGS__) X(U16, __VA_ARGS__)
#define INT_TYPES(X, ...) SMALL_TYPES(X, __VA_ARGS__) X(S32, __VA_ARGS__) X(U32, __VA_ARGS__)
#define FROM_EACH(src, dst) INT_TO_INT(dst, src)
#define FROM_SMALL(src, unused) INT_TO_FLOAT(src)
INT_TYPES(FROM_EACH, S8)
INT_TYPES(FROM_EACH, U8)
INT_TYPES(FROM_EACH, S16)
INT_TYPES(FROM_EACH, U16)
INT_TYPES(FROM_EACH, S32)
INT_TYPES(FROM_EACH, U32)
SMALL_TYPES(FROM_SMALL, )

/* Floats to small integers: through a 32-bit one, which is clamped again. */
#define SMALL_CLAMP(name, least, most)                                                                       \
    static inline uint32_t name(uint32_t a)                                                                  \
    {                                                                                                        \
        int32_t v = (int32_t)a;                                                                              \
        v = v < (least) ? (least) : v;                                                                       \
        return (uint32_t)(v > (most) ? (most) : v);                                                          \
    }
SMALL_CLAMP(clamp_S8, -128, 127)
SMALL_CLAMP(clamp_U8, 0, 255)
SMALL_CLAMP(clamp_S16, -32768, 32767)
SMALL_CLAMP(clamp_U16, 0, 65535)

#define FLOAT_TO_SMALL(dst, name)                                                                            \
    static inline uint32_t name##_to_##dst(uint32_t a)                                                       \
    {                                                                                                        \
        return clamp_##dst(name##_s(a));                                                                     \
    }                                                                                                        \
    EACH1(name##_##dst, name##_to_##dst)
SMALL_TYPES(FLOAT_TO_SMALL, round)
SMALL_TYPES(FLOAT_TO_SMALL, ceil)
SMALL_TYPES(FLOAT_TO_SMALL, floor)
SMALL_TYPES(FLOAT_TO_SMALL, trunc)

static const struct {
    uint8_t dst, src, mode, clamps, semantics;     /* clamps: a bit each */
    kernel_fn run, run_signs;
} fast[] = {
#define TO_SMALL(dst, mode, name) {DT_##dst, DT_F32, mode, 1 << CLAMP_NONE, SEM_NVIDIA, name##_##dst, NULL},
#define AMONG(src, dst) {DT_##dst, DT_##src, 0, 1 << CLAMP_NONE, SEM_BOTH, src##_to_##dst, NULL},
#define SMALL_TO_FLOAT(src, unused) {DT_F32, DT_##src, 0, 1 << CLAMP_NONE, SEM_BOTH, src##_to_F32, NULL},
#define TO_INT(mode, name)                                                                                   \
    {DT_S32, DT_F32, mode, 1 << CLAMP_NONE | 1 << CLAMP_SAT, SEM_NVIDIA, name##_s32, name##_s32_signs},      \
    {DT_U32, DT_F32, mode, 1 << CLAMP_NONE | 1 << CLAMP_SAT, SEM_NVIDIA, name##_u32, name##_u32_signs}
    TO_INT(0, round), TO_INT(1, round), TO_INT(2, ceil), TO_INT(3, floor), TO_INT(4, trunc),
    SMALL_TYPES(TO_SMALL, 0, round) SMALL_TYPES(TO_SMALL, 1, round) SMALL_TYPES(TO_SMALL, 2, ceil)
    SMALL_TYPES(TO_SMALL, 3, floor) SMALL_TYPES(TO_SMALL, 4, trunc)
    INT_TYPES(AMONG, S8) INT_TYPES(AMONG, U8) INT_TYPES(AMONG, S16) INT_TYPES(AMONG, U16)
    INT_TYPES(AMONG, S32)
    INT_TYPES(AMONG, U32) SMALL_TYPES(SMALL_TO_FLOAT, )
    {DT_F32, DT_S32, 0, 1 << CLAMP_NONE, SEM_BOTH, s32_to_f32, NULL},
    {DT_F32, DT_U32, 0, 1 << CLAMP_NONE, SEM_BOTH, u32_to_f32, NULL},
    {DT_F32, DT_F16, 0, 1 << CLAMP_NONE, SEM_BOTH, f16_to_f32, NULL},
    {DT_F16, DT_F32, 0, 1 << CLAMP_NONE, SEM_BOTH, f32_to_f16, NULL},
};

/* ---- what the text leaves undefined -------------------------------------------------------------------- */

#define NOT_FINITE32(w) (((w) & EXP32) == EXP32)
#define NOT_FINITE16(w) (((w) & 0x7c00) == 0x7c00)
UNDEFINED(not_finite16, 1, NOT_FINITE16(a[l]))
UNDEFINED(not_finite32, 1, NOT_FINITE32(a[l]))
UNDEFINED(not_finite64, 1, (a[WARP_LANES + l] & 0x7ff00000) == 0x7ff00000)

/* FLR and so on: what is no integer of the type once it is rounded. Below 0 it depends on the rounding. */
#define SINGLE num_float(SIGNED_WORD(a[l], 0))
#define DOUBLE num_double(WIDE_SIGNED(a, l, 0))
#define RANGE_UNSIGNED(name, least)                                                                          \
    UNDEFINED(name##_u32, 1, !(SINGLE least && SINGLE < 0x1p32f))                                            \
    UNDEFINED(name##_u64, 1, !(DOUBLE least && DOUBLE < 0x1p64))
UNDEFINED(range_s32, 1, !(SINGLE > -2147483904.0f && SINGLE < 0x1p31f))
UNDEFINED(range_s64, 1, !(DOUBLE > -0x1p63 - 2048 && DOUBLE < 0x1p63))
RANGE_UNSIGNED(range_trunc, > -1.0f)
RANGE_UNSIGNED(range_floor, >= 0.0f)
RANGE_UNSIGNED(range_round, >= -0.5f)

static unsigned mode_of(uint16_t modifier)
{
    return modifier == MOD_ROUND ? 1 : modifier == MOD_CEIL ? 2 : modifier == MOD_FLR ? 3
        : modifier == MOD_TRUNC ? 4 : 0;
}

static unsigned mode_of_op(uint16_t op)
{
    return op == OP_ROUND ? 1 : op == OP_CEIL ? 2 : op == OP_FLR ? 3 : op == OP_TRUNC ? 4 : 0;
}

static undefined_fn range_of(uint16_t op, bool wide)
{
    if (op == OP_FLR)
        return wide ? range_floor_u64 : range_floor_u32;
    if (op == OP_ROUND)
        return wide ? range_round_u64 : range_round_u32;
    return wide ? range_trunc_u64 : range_trunc_u32;
}

static void note_undefined(const struct kernel_request *request, unsigned src, struct kernel *kernel)
{
    unsigned dst = request->type;
    if (request->semantics != GP5_SEMANTICS_SPEC || !num_is_float(src) || num_is_float(dst))
        return;
    if (request->op != OP_CVT) {
        kernel->undefined = dst == DT_S32   ? range_s32
                            : dst == DT_S64 ? range_s64
                                            : range_of(request->op, dst == DT_U64);
        kernel->why = "no such integer";
    } else {
        kernel->undefined = src == DT_F16 ? not_finite16 : src == DT_F32 ? not_finite32 : not_finite64;
        kernel->why = "an infinity or NaN has no integer";
    }
}

static bool as_conversion(const struct kernel_request *request, struct conversion *c)
{
    *c = (struct conversion){
        .dst = request->type, .src = request->type2, .mode = (uint8_t)mode_of(request->rounding),
        .clamp = request->saturate == INSN_SAT ? CLAMP_SAT : request->saturate == INSN_SSAT ? CLAMP_SSAT
            : CLAMP_NONE,
        .spec = request->semantics == GP5_SEMANTICS_SPEC,
    };
    if (request->op == OP_CVT)
        return c->dst != DT_NONE && c->dst < DT_COUNT && c->src != DT_NONE && c->src < DT_COUNT;
    if (mode_of_op(request->op) == 0 || c->clamp != CLAMP_NONE)
        return false;
    c->mode = (uint8_t)mode_of_op(request->op);
    c->clamp = CLAMP_SAT;
    switch (c->dst) {
    case DT_S32: case DT_U32: c->src = DT_F32; return true;
    case DT_S64: case DT_U64: c->src = DT_F64; return true;
    default: return false;
    }
}

bool LEVEL_NAME(eval_find_conversion)(const struct kernel_request *request, struct kernel *kernel)
{
    struct conversion c;
    if (!as_conversion(request, &c))
        return false;
    struct kernel found = {.run = eval_convert, .how = eval_conversion(&c), .keep_denormals = true};
    if (request->op != OP_CVT)
        found.run_signs = eval_convert_signs;
    for (size_t i = 0; i < sizeof fast / sizeof *fast; i++)
        if (fast[i].dst == c.dst && fast[i].src == c.src && fast[i].mode == c.mode &&
            fast[i].clamps >> c.clamp & 1 &&
            fast[i].semantics & (c.spec ? SEM_SPEC : SEM_NVIDIA)) {
            found.run = fast[i].run;
            if (request->op != OP_CVT)
                found.run_signs = fast[i].run_signs;
            break;
        }
    note_undefined(request, c.src, &found);
    *kernel = found;
    return true;
}
