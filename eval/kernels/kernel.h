/* What the evaluator's machine and its lane kernels agree on.
 *
 * The machine (the files of eval/) decodes a program once into steps; a step of arithmetic is one call of a kernel. A
 * kernel computes all enabled components of one instruction for all 32 lanes of a warp. It knows nothing of masks,
 * condition codes, modifiers of operands beyond signs, or control flow: the machine redirects its results to scratch
 * planes and blends them under the lanes that may write, whenever not every lane does.
 *
 * ---- planes -------------------------------------------------------------------------------------------------------
 * Values live in planes: 32 lanes x 32 bits, 128 bytes, aligned to 64. `base` is the first plane of a warp; an operand
 * names a plane by its number, PLANE(base, n). Registers, constants and inputs share that space, so a kernel sees only
 * numbers. A 64-bit value is two planes: n holds the low words and n + 1 the high words. All lanes of all planes hold
 * some word; the lanes that do not take part hold anything (signalling NaNs, zero divisors): a kernel must be total and
 * must not trap.
 *
 * ---- flow: which operand components a result component is made of --------------------------------------------------
 * FLOW_EACH   result i (i < n) is made of src[0][i], src[1][i], src[2][i]. The components are compacted: comp[i] (0..3,
 * rising) says which one it is, for those that care. A scalar operand (SHL's count) has the same plane in every i.
 * FLOW_ALL    src[k][0..3] are x y z w of operand k after its swizzle, whatever is enabled (a scalar operand: the same
 * plane four times; the planes exist also where the instruction needs fewer components). Result i is component comp[i].
 *             Opcodes with a scalar result (shape R_...) write it to all n destinations.
 * FLOW_BITS   BFE and BFI: operand 0 as in FLOW_ALL (x = bits, y = offset), the others as in FLOW_EACH.
 *
 * ---- aliasing -------------------------------------------------------------------------------------------------------
 * FLOW_EACH and FLOW_BITS: dst[i] may be the very plane src[k][i], or a plane read for an earlier component, never one
 * that is read for a later component (nor, in FLOW_BITS, one of operand 0). So: finish component i for all lanes, then
 * the next; a loop over lanes may be marked INDEPENDENT_LANES. FLOW_ALL: dst may be any source plane: read all lanes of
 * everything (into locals) before the first store. Destinations of one op are distinct. The two planes of a 64-bit
 * value are never shared by halves with another one.
 *
 * ---- the floating-point environment
 * ------------------------------------------------------------------------------------ The machine sets it: round to
 * nearest, no traps. Where the request says semantics NVIDIA, denormals of F32 are flushed on entry and on exit (MXCSR
 * FTZ and DAZ; FPCR.FZ), unless the kernel says `keep_denormals`, and it is called with them kept: every F64 kernel
 * must say so, as must any kernel that computes an F32 result through doubles or half (it then flushes inputs and
 * results by itself where nvidia does). Where the semantics are SPEC, denormals are always kept. Nothing is contracted
 * by the compiler (-ffp-contract=off); a kernel fuses where it says fma. */
#ifndef GP5_EVAL_KERNEL_H
#define GP5_EVAL_KERNEL_H

#include "asm/facts.h"
#include "include/gp5.h"

#include <stdbool.h>
#include <stdint.h>

/* Dialects whose RSQ is of the absolute value (ARB_vertex_program 2.14.5.21). */
#define ROOT_OF_MAGNITUDE (ARB_ALL | VP10 | VP11)

#define WARP_LANES 32u
#define ALL_LANES 0xffffffffu
/* Before a loop over lanes: no iteration reads what another one writes. */
#if defined(__clang__)
#define INDEPENDENT_LANES _Pragma("clang loop vectorize(assume_safety)")
#else
#define INDEPENDENT_LANES _Pragma("GCC ivdep")
#endif
#define PLANE(base, n) ((base) + (size_t)(n) * WARP_LANES)


/* Operations that no program writes: the machine's own, each FLOW_EACH with one operand that the tracker looks at. */
enum eval_op {
    EVAL_OP_SAT = OP_COUNT + 1,     /* clamp to [0, 1]; NaN gives 0 under nvidia; F32, F64 */
    EVAL_OP_SSAT,                   /* clamp to [-1, 1]; F32, F64 */
    EVAL_OP_HALF,                   /* an F32 rounded to the nearest half and widened again; F32 */
    EVAL_OP_SQRT,                   /* what RCP of RSQ becomes (model/simplify/pair.c); F32, F16 */
    EVAL_OP_SHORT,                  /* an F32 as the half that the driver has in a SHORT variable: what stands above
                                     * it is undefined */
    EVAL_OP_LOW,                    /* the low 16 bits of a word (a second operand), undefined where the first one
                                     * is: a half as it stands in a SHORT variable */
    EVAL_OP_LOST,                   /* a copy, and undefined: a half that the driver clamps by other bounds */
    EVAL_OP_ABOVE,                  /* a copy, and undefined: a half above which the driver leaves other bits */
    EVAL_OP_UPPER,                  /* a copy, and undefined: a truth in a LONG variable whose upper word nobody
                                     * writes */
    EVAL_OP_STRAY,                  /* a copy, and undefined: what the driver's ATOMB of halves leaves in a LONG
                                     * variable */
    EVAL_OP_COUNT
};

struct lane_op;
typedef void (*kernel_fn)(uint32_t *base, const struct lane_op *op);

/* One call of a kernel. Only `dst` is written. */
struct lane_op {
    kernel_fn run;
    uint8_t n;                  /* results, 1..4 */
    uint8_t comp[4];            /* which component each one is */
    uint16_t how;               /* struct kernel's */
    uint32_t dst[4];            /* planes */
    uint32_t src[3][4];
    /* Sign modifiers of float operands, looked at by `run_signs` (and by undefined and carry) only: the operand's word,
     * or the high word of a 64-bit one, is (word & ~clear[k]) ^ flip[k]; each is 0 or 0x80000000. Integer negation and
     * absolute values come as ops of their own (0 - a, ABS). */
    uint32_t clear[3], flip[3];
};

/* Lanes, a bit each, whose result i the text leaves undefined for these operand values (a division by 0, a shift by 40,
 * LG2 of -1, w of XPD ...). Called before `run`. Bits of lanes that do not take part may be anything. */
typedef void (*undefined_fn)(const uint32_t *base, const struct lane_op *op, uint32_t lanes[4]);

/* Overflow and carry of integer ADD SUB MAD SAD, lane bits by result. Called before `run`. */
typedef void (*carry_fn)(const uint32_t *base, const struct lane_op *op, uint32_t overflow[4], uint32_t carry[4]);

/* What the machine asks for at decode time. */
struct kernel_request {
    uint16_t op;                /* enum gp5_op or enum eval_op */
    uint8_t type;               /* enum data_type: of the operation; CVT: of the result. One of F16 F32 F64 S32 U32
                                 * S64 U64, and for CVT the 8- and 16-bit types too. F16: operands and result are F32
                                 * words, the result rounded to half; when that kernel is not there the machine takes
                                 * F32 and EVAL_OP_HALF */
    uint8_t type2;              /* CVT: of the operand, else == type. (I2F is asked for as CVT. FLR CEIL ROUND TRUNC:
                                 * `type` is the result's; the operand is F32, or F64 where the result has 64 bits) */
    uint8_t rounding;           /* CVT: MOD_ROUND MOD_CEIL MOD_FLR MOD_TRUNC, or 0 */
    uint8_t saturate;           /* 0, INSN_SAT or INSN_SSAT; when such a kernel is not there (but for CVT, where it
                                 * must be) the machine takes the plain one and EVAL_OP_SAT / _SSAT on the result */
    uint32_t flags;             /* INSN_HI INSN_S24 INSN_U24 of an integer MUL, else 0 */
    uint8_t semantics;          /* enum gp5_semantics */
    uint8_t profile;            /* enum gp5_profile: ARB programs have laws of their own (0 * x, LIT's power) */
};

/* In CVT, words of 8- and 16-bit types: an operand is the low bits of the 32-bit word (the bits above are ignored); an
 * integer result is extended to 32 bits by its signedness; F16 results and operands are half bits in the low 16. */

struct kernel {
    kernel_fn run;
    kernel_fn run_signs;        /* the same, looking at clear and flip; NULL where operands are integers */
    uint16_t how;               /* what `run` reads beside the planes (eval/numeric/conversion.c), else 0 */
    bool keep_denormals;
    undefined_fn undefined;     /* NULL: defined everywhere. With semantics NVIDIA it leaves out what was measured */
    const char *why;            /* "division by zero": the reason printed for it; no full stop */
    carry_fn carry;             /* NULL: overflow and carry are cleared */
};

/* One table a level: eval/kernels/find.c. */
struct eval_kernels {
    const char *level;          /* "base", "v3", "v4" */
    /* False when there is no such kernel; `kernel` is then untouched. */
    bool (*find)(const struct kernel_request *request, struct kernel *kernel);
};

/* What texels come from, the same for all lanes: a level of two dimensions of bytes that are filtered as fractions of
 * 255, or of words that are not. */
struct texel_plane {
    const uint8_t *data;
    uint32_t size[2];           /* 8192 at most */
    int32_t offset[2];          /* in texels, -128 to 127 */
    bool repeat[2];             /* else clamped to the edge */
    bool linear, words;
    uint8_t components, bytes;  /* of a texel */
};

/* One table a level: eval/kernels/planes.c, the machine's work on whole planes. */
struct eval_planes {
    /* dst = src in the lanes. */
    void (*blend)(uint32_t *dst, const uint32_t *src, uint32_t lanes);
    void (*copy)(uint32_t *dst, const uint32_t *src);
    void (*fill)(uint32_t *dst, uint32_t word);
    /* Lanes where the word (`high`: the high word of a 64-bit value, or NULL) is non-zero, bits and as a float (zeros,
     * denormals under `flush` and NaN count as zero). */
    uint32_t (*nonzero)(const uint32_t *plane, const uint32_t *high);
    uint32_t (*nonzero_float)(const uint32_t *plane, const uint32_t *high, bool flush);
    /* Lanes where the top bit is set. */
    uint32_t (*sign)(const uint32_t *plane);
    uint32_t (*nan)(const uint32_t *plane, const uint32_t *high);
    /* dst[lane] = the first that is not 0 of a, b, c; returns the OR of all results. NULLs count as 0. */
    uint32_t (*first_nonzero)(uint32_t *dst, const uint32_t *a, const uint32_t *b, const uint32_t *c);
    /* Vectors of floats linear between four corners at (0, 0), (1, 0), (0, 1) and (1, 1), for the lanes of quads: where
     * their two columns are, from 0 to 1, and their two rows, of which each stands there for both columns. Components
     * without a plane are left out. */
    void (*between)(uint32_t *const to[4], const float corner[4][4], const double u[WARP_LANES / 2],
                    const double v[2][WARP_LANES / 2]);
    /* Elements of four words, of each lane one, to planes; and from planes, for `lanes`. */
    void (*gather)(uint32_t *const to[4], const uint32_t *from, const uint32_t element[WARP_LANES]);
    void (*scatter)(uint32_t *to, const uint32_t *const from[4], const uint32_t element[WARP_LANES], uint32_t lanes);
    /* The way of s and t over each quad of a texture of this size, whose logarithm its level is (lod.h). */
    void (*rho)(double rho[WARP_LANES / 4], const uint32_t *s, const uint32_t *t, const uint32_t size[2]);
    /* Four words of each lane's texels at s and t (texels.c): of one level, or of two, the second with so much of 256
     * in each lane (NULL: one). `to`: NULL where nobody wants it; may be s and t. */
    void (*texels)(uint32_t *const to[4], const struct texel_plane p[2], const uint32_t *share,
                   const uint32_t *s, const uint32_t *t);
};

/* LEVEL is base, v3 or v4: kernel files are compiled once a level and name what they export with LEVEL_NAME. */
#define LEVEL_NAME_(name, level) name##_##level
#define LEVEL_NAME__(name, level) LEVEL_NAME_(name, level)
#define LEVEL_NAME(name) LEVEL_NAME__(name, LEVEL)
#define LEVEL_TEXT_(level) #level
#define LEVEL_TEXT__(level) LEVEL_TEXT_(level)
#define LEVEL_TEXT LEVEL_TEXT__(LEVEL)

extern const struct eval_kernels eval_kernels_base;
extern const struct eval_planes eval_planes_base;
#if defined(__x86_64__)
extern const struct eval_kernels eval_kernels_v3, eval_kernels_v4;
extern const struct eval_planes eval_planes_v3, eval_planes_v4;
#endif

#endif
