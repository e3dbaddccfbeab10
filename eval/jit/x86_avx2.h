/* Machine code for x86-64 with AVX2 out of the same instructions (eval/jit/x86.h). There are sixteen vector registers
 * of 256 bits, masks are vectors of ones and zeros, and no word is spread from memory: what an instruction of AVX-512
 * does in one takes up to four. */
#ifndef GP5_EVAL_X86_AVX2_H
#define GP5_EVAL_X86_AVX2_H

#include "eval/jit/x86.h"

/* Of the vector registers there are the first X86_AVX2_SLOTS, one more where no mask of lanes is used, and the last
 * five but one; the last is 0x7fffffff and mostly stands in memory. Masks are k1, k3 and k4. */
enum { X86_AVX2_SLOTS = 7, X86_AVX2_FIXED = 26, X86_AVX2_LAST = 31 };

/* At the beginning of the code, in place of words: each as a vector. Words from..to are pairs: the low and high half of
 * a 64-bit one. */
void x86_avx2_words(struct x86_code *c, const uint32_t *words, unsigned n, unsigned from, unsigned to);
/* Whether the last register is one from here on, in the place of k4, or stands in memory. */
void x86_avx2_keep_last(struct x86_code *c, bool keep);
/* k1 from the low bits of esi: for eight words, or for four 64-bit values. */
void x86_avx2_lanes(struct x86_code *c);
/* The same in two steps, for each eight of the lanes, from any register. What is between is kept in k4, or in one of
 * the last two slots: that many different lanes at a time. Of this mask only the signs of words count, which is enough
 * where something is chosen by it. */
enum x86_avx2_spread { SPREAD_ALL, SPREAD_THEN, SPREAD_ELSE };
enum { X86_AVX2_SPREAD_SLOTS = 2 };
void x86_avx2_spread(struct x86_code *c, unsigned from, enum x86_avx2_spread which);
void x86_avx2_part(struct x86_code *c, unsigned part, enum x86_avx2_spread which);
/* Or as masks: those of k1 that are in k3 and those that are not, to the last two slots; and k1 from there. */
void x86_avx2_sides(struct x86_code *c, bool then_in);
void x86_avx2_side(struct x86_code *c, enum x86_avx2_spread which);
/* The signs of words in a vector register, or of a mask (X86_AVX2_MASK + its number), as bits of a general one. */
enum { X86_AVX2_MASK = 64 };
void x86_avx2_signs(struct x86_code *c, unsigned to, unsigned from);
/* The zero flag: whether k3 has no lane; eax is lost. */
void x86_avx2_test(struct x86_code *c);

/* A vector at a place in the code is one of a register until c->nheld is 0: for code without slots. */
void x86_avx2_hold(struct x86_code *c, struct x86_place m);

/* A loop over the lanes of an operand at rcx and of a result at r8, with a table of pairs of words at a place in the
 * code: the address of a plane there; eight lanes' operands into a register, and results from one. Registers rax, rcx,
 * rdx, rsi, r8, r10 and r11 are lost. */
void x86_avx2_plane(struct x86_code *c, bool result, uint32_t at);
size_t x86_avx2_begin_plane(struct x86_code *c, size_t table, unsigned operand);
void x86_avx2_end_plane(struct x86_code *c, size_t begin, unsigned result);
/* In there: the rows whose numbers are the third bytes of the operands, or of what was kept where the results will be:
 * the first words of all lanes and the second ones. The scratch register is lost, as with comparisons and what is under
 * a mask. */
enum { X86_AVX2_SCRATCH = 34 };
void x86_avx2_keep_lanes(struct x86_code *c, unsigned r);
void x86_avx2_rows(struct x86_code *c, bool by_result, unsigned first, unsigned second);

/* For x86.c. */
void x86_avx2_vector(struct x86_code *c, uint32_t opcode, unsigned d, unsigned v, struct x86_place m, unsigned mask,
                     bool zero, uint8_t imm);
size_t x86_operand(const struct x86_code *c, uint8_t b[5], unsigned d, uint32_t opcode, struct x86_place m, size_t at);

#endif
