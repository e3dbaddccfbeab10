/* What x86_avx2.c and x86_avx2_lanes.c share; nobody else includes it. */
#ifndef GP5_EVAL_X86_AVX2_CODE_H
#define GP5_EVAL_X86_AVX2_CODE_H

#include "eval/jit/x86_avx2.h"

/* What has no number of its own among the registers: two masks, the active lanes, and one for what is made on the way.
 */
enum { ZERO = 10, K = 12, K2 = 13, LANES = 14, S = 15 };

/* Vectors before those of the caller's words. */
enum { ONES, ZEROS, MAGNITUDE, LOW_HALF, TWO_16, BITS, WIDE_BITS, TO_SIGN, SIGN = TO_SIGN + 4, TWO_31, TWO_32, OWN };

/* Instructions that AVX-512 has no use for. */
enum {
    BLEND = X86_OP(X86_0F3A, X86_66, 0x4a) | X86_IMM, /* vblendvps */
    CMPEQ = X86_OP(X86_0F, X86_66, 0x76),
    CMPGT = X86_OP(X86_0F, X86_66, 0x66),
    CMPEQ64 = X86_OP(X86_0F38, X86_66, 0x29),
    EXTRACT = X86_OP(X86_0F3A, X86_66, 0x39) | X86_IMM, /* vextracti128 */
    SHUFFLE = X86_OP(X86_0F, X86_NP, 0xc6) | X86_IMM,   /* vshufps */
    FROM_GPR = X86_OP(X86_0F, X86_66, 0x6e),
    SPREAD64 = X86_OP(X86_0F38, X86_66, 0x59),
    PERMUTE64 = X86_OP(X86_0F3A, X86_66, 0x00) | X86_IMM | X86_W,
    PACK16 = X86_OP(X86_0F38, X86_66, 0x2b),           /* vpackusdw */
    INSERT = X86_OP(X86_0F3A, X86_66, 0x38) | X86_IMM, /* vinserti128 */
    TO_GPR64 = X86_OP(X86_0F, X86_66, 0x7e) | X86_W,
    PICK64 = X86_OP(X86_0F3A, X86_66, 0x16) | X86_IMM | X86_W,
    SIGN_BITS = X86_OP(X86_0F, X86_NP, 0x50)
};

/* A vector of ours. */
static inline struct x86_place x86_avx2_constant(unsigned which)
{
    return (struct x86_place){X86_WORD, 32 * which};
}

static inline unsigned x86_avx2_physical(unsigned r)
{
    return r < X86_AVX2_SLOTS ? r : r == X86_AVX2_SLOTS ? (unsigned)LANES : r - X86_AVX2_FIXED + X86_AVX2_SLOTS;
}

/* The register of a vector that is held: those of the first slots, and of the last. */
static inline unsigned x86_avx2_held(unsigned i)
{
    return i + 1 < X86_AVX2_SLOTS ? i : (unsigned)LANES;
}

/* VEX of three bytes. Registers are the processor's, and so is the place of a constant. */
void x86_avx2_vex(struct x86_code *c, uint32_t opcode, bool half, unsigned d, unsigned v, struct x86_place m,
                  unsigned imm);

#endif
