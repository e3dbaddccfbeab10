/* Machine code for x86-64: general registers, masks, jumps. */
#ifndef GP5_EVAL_X86_SCALAR_H
#define GP5_EVAL_X86_SCALAR_H

#include "eval/jit/x86.h"

enum x86_gpr { RAX, RCX, RDX, RBX, RSP, RBP, RSI, RDI, R8, R9, R10, R11, R12, R13, R14, R15 };

/* `to` a register, the other a register or memory; or (X86_TO_MEMORY) the other way. */
enum x86_scalar {
    X86_MOV = 0x8b, X86_ADD = 0x03, X86_GPR_AND = 0x23, X86_GPR_OR = 0x0b, X86_GPR_XOR = 0x33, X86_CMP = 0x3b,
    X86_TEST = 0x85,
    X86_POPCNT = 0x0fb8,
    X86_CMOVZ = 0x0f44
};
enum { X86_JZ = 0x84, X86_JNZ = 0x85, X86_JBE = 0x86, X86_JMP = 0 };

void x86_gpr(struct x86_code *c, enum x86_scalar op, bool wide, unsigned to, unsigned from);
void x86_gpr_load(struct x86_code *c, enum x86_scalar op, bool wide, unsigned to, unsigned base, size_t at);
/* MOV ADD AND OR XOR into memory. */
void x86_gpr_store(struct x86_code *c, enum x86_scalar op, bool wide, unsigned base, size_t at, unsigned from);
void x86_gpr_xor_byte(struct x86_code *c, unsigned r, uint8_t bits);    /* its lowest */
void x86_gpr_not(struct x86_code *c, unsigned r);
void x86_gpr_shl(struct x86_code *c, unsigned r, uint8_t bits);
void x86_gpr_shr(struct x86_code *c, unsigned r, uint8_t bits);
void x86_gpr_set(struct x86_code *c, unsigned r, uint32_t word);
void x86_gpr_set64(struct x86_code *c, unsigned r, uint64_t word);
/* to = from * word; r = r + word (64 bits). */
void x86_gpr_times(struct x86_code *c, unsigned to, unsigned from, uint32_t word);
void x86_gpr_plus(struct x86_code *c, unsigned r, uint32_t word);
/* A call of what stands in rax. */
void x86_call(struct x86_code *c);

/* Of what stands in the code; and the end of that. */
void x86_call_to(struct x86_code *c, size_t target);
void x86_return(struct x86_code *c);

/* All 32 bits. */
void x86_mask_from(struct x86_code *c, unsigned mask, unsigned r);
void x86_mask_to(struct x86_code *c, unsigned r, unsigned mask);
void x86_mask_high(struct x86_code *c, unsigned to, unsigned from);     /* to = from >> 16 */
/* Of the low 16 bits: low and high ones together; all that either has. */
void x86_mask_join(struct x86_code *c, unsigned to, unsigned low, unsigned high);
void x86_mask_or(struct x86_code *c, unsigned to, unsigned a, unsigned b);

/* A jump to where the chain will be bound, and the place of all jumps of a chain (0: none). */
void x86_jump_chained(struct x86_code *c, unsigned condition, size_t *chain);
void x86_bind(struct x86_code *c, size_t *chain);
/* A jump back. */
void x86_jump_to(struct x86_code *c, unsigned condition, size_t target);

#endif
