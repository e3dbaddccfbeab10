/* Machine code for x86-64 with AVX-512: what an instruction is in bytes. 512-bit vectors of words, masks, and the
 * little around them that the files eval/native*.c need. */
#ifndef GP5_EVAL_X86_H
#define GP5_EVAL_X86_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Bytes that grow. When memory runs out `failed` is set and nothing more is written. */
struct x86_code {
    uint8_t *bytes;
    size_t size, room, most;
    bool failed;
    bool halved;                /* vectors of words are half as long; those of 64-bit values stay what they are */
    bool keeps_last;            /* with AVX2 the last register is one, which code must have loaded: k4 is not used */
    bool avx2;                  /* for machines without AVX-512: vectors are of 256 bits (x86_avx2.c) */
    uint32_t held[7];           /* with AVX2: places in the code whose vectors stand in registers */
    unsigned nheld;
    bool zeroed;                /* with AVX2: the register before the last two is still 0 */
};

/* ---- vectors ------------------------------------------------------------------------------------------- */

/* An opcode: the map, the prefix that is folded in, the byte itself, whether a byte follows the operands, whether its
 * elements are of 64 bits. */
#define X86_OP(map, prefix, byte) ((map) << 16 | (prefix) << 8 | (byte))
#define X86_IMM (1u << 24)
#define X86_W (1u << 25)
#define X86_RESIZE (1u << 26)   /* 512 bits in the register, 256 in memory */
enum { X86_0F = 1, X86_0F38 = 2, X86_0F3A = 3 };
enum { X86_NP = 0, X86_66 = 1, X86_F3 = 2, X86_F2 = 3 };

enum x86_opcode {
    X86_LOAD = X86_OP(X86_0F, X86_66, 0x6f),        /* vmovdqa32 */
    X86_STORE = X86_OP(X86_0F, X86_66, 0x7f),
    X86_LOAD_ANY = X86_OP(X86_0F, X86_F3, 0x6f),    /* vmovdqu32 */
    X86_STORE_ANY = X86_OP(X86_0F, X86_F3, 0x7f),
    X86_BROADCAST = X86_OP(X86_0F38, X86_66, 0x58), /* vpbroadcastd */
    X86_PADD = X86_OP(X86_0F, X86_66, 0xfe), X86_PSUB = X86_OP(X86_0F, X86_66, 0xfa),
    X86_PMUL = X86_OP(X86_0F38, X86_66, 0x40),      /* vpmulld */
    X86_AND = X86_OP(X86_0F, X86_66, 0xdb), X86_OR = X86_OP(X86_0F, X86_66, 0xeb),
    X86_XOR = X86_OP(X86_0F, X86_66, 0xef), X86_ANDN = X86_OP(X86_0F, X86_66, 0xdf),    /* ~v & m */
    X86_PMINS = X86_OP(X86_0F38, X86_66, 0x39), X86_PMINU = X86_OP(X86_0F38, X86_66, 0x3b),
    X86_PMAXS = X86_OP(X86_0F38, X86_66, 0x3d), X86_PMAXU = X86_OP(X86_0F38, X86_66, 0x3f),
    X86_PABS = X86_OP(X86_0F38, X86_66, 0x1e),
    X86_SHLV = X86_OP(X86_0F38, X86_66, 0x47), X86_SHRV = X86_OP(X86_0F38, X86_66, 0x45),
    X86_SARV = X86_OP(X86_0F38, X86_66, 0x46),
    X86_SHIFT = X86_OP(X86_0F, X86_66, 0x72) | X86_IMM,     /* by a constant: which way is the register field */
    X86_TERNARY = X86_OP(X86_0F3A, X86_66, 0x25) | X86_IMM, /* vpternlogd */
    X86_ADDPS = X86_OP(X86_0F, X86_NP, 0x58), X86_SUBPS = X86_OP(X86_0F, X86_NP, 0x5c),
    X86_MULPS = X86_OP(X86_0F, X86_NP, 0x59), X86_DIVPS = X86_OP(X86_0F, X86_NP, 0x5e),
    X86_MINPS = X86_OP(X86_0F, X86_NP, 0x5d), X86_MAXPS = X86_OP(X86_0F, X86_NP, 0x5f),
    X86_FMA213 = X86_OP(X86_0F38, X86_66, 0xa8),    /* d = v * d + m */
    X86_FMA231 = X86_OP(X86_0F38, X86_66, 0xb8),    /* d = v * m + d */
    X86_ROUND = X86_OP(X86_0F3A, X86_66, 0x08) | X86_IMM,   /* vrndscaleps */
    X86_CMPPS = X86_OP(X86_0F, X86_NP, 0xc2) | X86_IMM,     /* into a mask, as the next five */
    X86_PCMPS = X86_OP(X86_0F3A, X86_66, 0x1f) | X86_IMM,
    X86_PCMPU = X86_OP(X86_0F3A, X86_66, 0x1e) | X86_IMM,
    X86_SIGNS = X86_OP(X86_0F38, X86_F3, 0x39),     /* vpmovd2m */
    X86_SOME = X86_OP(X86_0F38, X86_66, 0x27),      /* vptestmd: where v & m is not 0 */
    X86_NONE = X86_OP(X86_0F38, X86_F3, 0x27),      /* vptestnmd: where it is 0 */
    X86_SELECT = X86_OP(X86_0F38, X86_66, 0x64),    /* vpblendmd: m where the mask is set, else v */
    X86_WIDEN = X86_OP(X86_0F38, X86_66, 0x35) | X86_RESIZE,    /* vpmovzxdq */
    X86_NARROW = X86_OP(X86_0F38, X86_F3, 0x35) | X86_RESIZE,   /* vpmovqd: a store */
    X86_SHIFT64 = X86_OP(X86_0F, X86_66, 0x73) | X86_IMM | X86_W,
    X86_FROM_S32 = X86_OP(X86_0F, X86_NP, 0x5b),    /* vcvtdq2ps */
    X86_TO_S32 = X86_OP(X86_0F, X86_F3, 0x5b),      /* vcvttps2dq */
    X86_TO_U32 = X86_OP(X86_0F, X86_NP, 0x78),      /* vcvttps2udq */
    X86_FROM_U32 = X86_OP(X86_0F, X86_F2, 0x7a),    /* vcvtudq2ps */
    /* vcvtps2ph, from d to m, and back: both registers, of which one is half as long */
    X86_TO_HALF = X86_OP(X86_0F3A, X86_66, 0x1d) | X86_IMM,
    X86_FROM_HALF = X86_OP(X86_0F38, X86_66, 0x13),
    X86_WIDEN16 = X86_OP(X86_0F38, X86_66, 0x33),   /* vpmovzxwd */
    X86_NARROW16 = X86_OP(X86_0F38, X86_F3, 0x33),  /* vpmovdw, from d to m */
    X86_LEADING = X86_OP(X86_0F38, X86_66, 0x44),   /* vplzcntd: AVX-512 alone */
    X86_ROUND_S32 = X86_OP(X86_0F, X86_66, 0x5b),   /* vcvtps2dq */
    /* of low words */
    X86_PMULU64 = X86_OP(X86_0F, X86_66, 0xf4) | X86_W, X86_PMULS64 = X86_OP(X86_0F38, X86_66, 0x28) | X86_W,
    X86_ADDPD = X86_OP(X86_0F, X86_66, 0x58) | X86_W, X86_SUBPD = X86_OP(X86_0F, X86_66, 0x5c) | X86_W,
    X86_MULPD = X86_OP(X86_0F, X86_66, 0x59) | X86_W, X86_DIVPD = X86_OP(X86_0F, X86_66, 0x5e) | X86_W,
    /* Of these and their like for floats the code grows by 2 where c is subtracted, by 4 where the product is. */
    X86_FMA213D = X86_FMA213 | X86_W, X86_FMA231D = X86_FMA231 | X86_W,
    X86_CMPPD = X86_OP(X86_0F, X86_66, 0xc2) | X86_IMM | X86_W,
    X86_PADD64 = X86_OP(X86_0F, X86_66, 0xd4) | X86_W, X86_PSUB64 = X86_OP(X86_0F, X86_66, 0xfb) | X86_W,
    X86_SHLV64 = X86_SHLV | X86_W, X86_SHRV64 = X86_SHRV | X86_W, X86_SARV64 = X86_SARV | X86_W,
    X86_PMUL64 = X86_PMUL | X86_W,                  /* not of AVX2, as the four that follow and X86_SARV64 */
    X86_PMINS64 = X86_PMINS | X86_W, X86_PMINU64 = X86_PMINU | X86_W, X86_PMAXS64 = X86_PMAXS | X86_W,
    X86_PMAXU64 = X86_PMAXU | X86_W,
    X86_LOAD64 = X86_LOAD | X86_W, X86_STORE64 = X86_STORE | X86_W, X86_OR64 = X86_OR | X86_W,
    X86_XOR64 = X86_XOR | X86_W, X86_AND64 = X86_AND | X86_W,
    X86_SELECT64 = X86_SELECT | X86_W, X86_TERNARY64 = X86_TERNARY | X86_W,
    /* Of halves of words. */
    X86_SHIFTW = X86_OP(X86_0F, X86_66, 0x71) | X86_IMM, X86_PADDW = X86_OP(X86_0F, X86_66, 0xfd),
    X86_PMULW = X86_OP(X86_0F, X86_66, 0xd5), X86_PMULHW = X86_OP(X86_0F, X86_66, 0xe4),    /* unsigned high */
    X86_DOT = X86_OP(X86_0F, X86_66, 0xf5),         /* vpmaddwd */
    X86_PERMUTEW = X86_OP(X86_0F38, X86_66, 0x7d) | X86_W,  /* vpermt2w: d = (d, m)[v] */
    X86_SIGNSW = X86_OP(X86_0F38, X86_F3, 0x29) | X86_W, X86_LOADW = X86_OP(X86_0F, X86_F2, 0x6f) | X86_W,
    X86_SHUFFLEB = X86_OP(X86_0F38, X86_66, 0x00), X86_DOTB = X86_OP(X86_0F38, X86_66, 0x04),   /* vpmaddubsw */
    X86_RCPPS = X86_OP(X86_0F, X86_NP, 0x53), X86_RSQRTPS = X86_OP(X86_0F, X86_NP, 0x52),   /* 12 bits; only of AVX2 */
    X86_BLENDW = X86_OP(X86_0F3A, X86_66, 0x0e) | X86_IMM   /* only of AVX2: m where a bit is set, else v */
};
enum { X86_LONGEST = 16 };       /* an instruction, in bytes */
enum { X86_SHR = 2, X86_SAR = 4, X86_SHL = 6 };     /* of X86_SHIFT */

/* The last operand: a vector register, memory at the base, one word there for all lanes, one word at a place in the
 * code for all lanes, a vector of a frame, or a vector at a place in the code. */
struct x86_place {
    uint8_t kind;
    uint32_t at;
};
enum { X86_REGISTER, X86_MEMORY, X86_SPREAD, X86_WORD, X86_FRAME, X86_VECTOR };
/* The base (rdi) points this far into the memory, so that more of it is near. */
enum { X86_BIAS = 8192 };
static inline struct x86_place x86_reg(unsigned n)
{
    return (struct x86_place){X86_REGISTER, n};
}

/* `mask`: 0 for all lanes, else k1..k7: other lanes keep the destination's. */
void x86_vector(struct x86_code *c, uint32_t opcode, unsigned d, unsigned v, struct x86_place m, unsigned mask,
                uint8_t imm);
/* The same, other lanes become 0. */
void x86_vector_zero(struct x86_code *c, uint32_t opcode, unsigned d, unsigned v, struct x86_place m, unsigned mask,
                     uint8_t imm);

/* Where the next n bytes go, which whoever writes them adds to the size; or NULL. */
uint8_t *x86_next(struct x86_code *c, size_t n);
void x86_bytes(struct x86_code *c, const void *bytes, size_t n);
void x86_word(struct x86_code *c, uint32_t word);
void x86_free(struct x86_code *c);

#endif
