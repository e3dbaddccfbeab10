/* General registers, masks and jumps as bytes. */
#include "eval/jit/x86_scalar.h"

static void byte(struct x86_code *c, unsigned b)
{
    uint8_t one = (uint8_t)b;

    x86_bytes(c, &one, 1);
}

/* REX where it is needed, and the opcode: of one byte, or of two behind 0f. */
static void opcode(struct x86_code *c, unsigned op, bool wide, unsigned reg, unsigned rm)
{
    unsigned rex = 0x40 | (wide ? 8 : 0) | (reg >> 3 & 1) << 2 | (rm >> 3 & 1);

    if (op == X86_POPCNT)
        byte(c, 0xf3);
    if (rex != 0x40)
        byte(c, rex);
    if (op >> 8)
        byte(c, op >> 8);
    byte(c, op);
}

static void in_register(struct x86_code *c, unsigned reg, unsigned rm)
{
    byte(c, 0xc0 | (reg & 7) << 3 | (rm & 7));
}

/* No base here needs more than this: not rsp, not r12. */
static void in_memory(struct x86_code *c, unsigned reg, unsigned base, size_t at)
{
    byte(c, 0x80 | (reg & 7) << 3 | (base & 7));
    x86_word(c, (uint32_t)at);
}

void x86_gpr(struct x86_code *c, enum x86_scalar op, bool wide, unsigned to, unsigned from)
{
    opcode(c, op, wide, to, from);
    in_register(c, to, from);
}

void x86_gpr_load(struct x86_code *c, enum x86_scalar op, bool wide, unsigned to, unsigned base, size_t at)
{
    opcode(c, op, wide, to, base);
    in_memory(c, to, base, at);
}

void x86_gpr_store(struct x86_code *c, enum x86_scalar op, bool wide, unsigned base, size_t at, unsigned from)
{
    opcode(c, op & ~2u, wide, from, base);
    in_memory(c, from, base, at);
}

void x86_gpr_not(struct x86_code *c, unsigned r)
{
    opcode(c, 0xf7, false, 2, r);
    in_register(c, 2, r);
}

void x86_gpr_xor_byte(struct x86_code *c, unsigned r, uint8_t bits)
{
    opcode(c, 0x81, false, 6, r);
    in_register(c, 6, r);
    x86_word(c, bits);
}

void x86_gpr_shl(struct x86_code *c, unsigned r, uint8_t bits)
{
    opcode(c, 0xc1, false, 4, r);
    in_register(c, 4, r);
    byte(c, bits);
}

void x86_gpr_shr(struct x86_code *c, unsigned r, uint8_t bits)
{
    opcode(c, 0xc1, false, 5, r);
    in_register(c, 5, r);
    byte(c, bits);
}

void x86_gpr_set(struct x86_code *c, unsigned r, uint32_t word)
{
    opcode(c, 0xb8 | (r & 7), false, 0, r);
    x86_word(c, word);
}

void x86_gpr_set64(struct x86_code *c, unsigned r, uint64_t word)
{
    opcode(c, 0xb8 | (r & 7), true, 0, r);
    x86_word(c, (uint32_t)word);
    x86_word(c, (uint32_t)(word >> 32));
}

void x86_gpr_times(struct x86_code *c, unsigned to, unsigned from, uint32_t word)
{
    opcode(c, 0x69, false, to, from);
    in_register(c, to, from);
    x86_word(c, word);
}

void x86_gpr_plus(struct x86_code *c, unsigned r, uint32_t word)
{
    opcode(c, 0x81, true, 0, r);
    in_register(c, 0, r);
    x86_word(c, word);
}

void x86_call(struct x86_code *c)
{
    c->zeroed = false;
    byte(c, 0xff);
    in_register(c, 2, RAX);
}

void x86_call_to(struct x86_code *c, size_t target)
{
    c->zeroed = false;
    byte(c, 0xe8);
    x86_word(c, (uint32_t)target - (uint32_t)(c->size + 4));
}

void x86_return(struct x86_code *c)
{
    byte(c, 0xc3);
}

/* ---- masks --------------------------------------------------------------------------------------------- */

/* kmovd: VEX of three bytes, F2 0F. */
static void move_mask(struct x86_code *c, unsigned op, unsigned reg, unsigned rm)
{
    byte(c, 0xc4);
    byte(c, (~reg >> 3 & 1) << 7 | 0x40 | (~rm >> 3 & 1) << 5 | 1);
    byte(c, 0x7b);
    byte(c, op);
    in_register(c, reg, rm);
}

void x86_mask_from(struct x86_code *c, unsigned mask, unsigned r)
{
    move_mask(c, 0x92, mask, r);
}

void x86_mask_to(struct x86_code *c, unsigned r, unsigned mask)
{
    move_mask(c, 0x93, r, mask);
}

void x86_mask_high(struct x86_code *c, unsigned to, unsigned from)
{
    const uint8_t shift[] = {0xc4, 0xe3, 0x79, 0x31, (uint8_t)(0xc0 | to << 3 | from), 16};     /* kshiftrd */

    x86_bytes(c, shift, sizeof shift);
}

/* kunpckwd, korw: VEX of two bytes, 256 bits, 0F. */
static void two_masks(struct x86_code *c, unsigned op, unsigned to, unsigned a, unsigned b)
{
    const uint8_t bytes[] = {0xc5, (uint8_t)(0x84 | (~a & 15) << 3), (uint8_t)op, (uint8_t)(0xc0 | to << 3 | b)};

    x86_bytes(c, bytes, sizeof bytes);
}

void x86_mask_join(struct x86_code *c, unsigned to, unsigned low, unsigned high)
{
    two_masks(c, 0x4b, to, high, low);
}

void x86_mask_or(struct x86_code *c, unsigned to, unsigned a, unsigned b)
{
    two_masks(c, 0x45, to, a, b);
}

/* ---- jumps --------------------------------------------------------------------------------------------- */

static void jump(struct x86_code *c, unsigned condition, uint32_t displacement)
{
    if (condition)
        byte(c, 0x0f);
    byte(c, condition ? condition : 0xe9);
    x86_word(c, displacement);
}

static uint32_t word_at(const struct x86_code *c, size_t at)
{
    return c->bytes[at] | (uint32_t)c->bytes[at + 1] << 8 | (uint32_t)c->bytes[at + 2] << 16 |
           (uint32_t)c->bytes[at + 3] << 24;
}

/* Until it is bound, a jump holds the place of the one before it. */
void x86_jump_chained(struct x86_code *c, unsigned condition, size_t *chain)
{
    jump(c, condition, (uint32_t)*chain);
    *chain = c->size;
}

void x86_bind(struct x86_code *c, size_t *chain)
{
    c->zeroed = false;
    for (size_t at = *chain, before; at && !c->failed; at = before) {
        uint32_t displacement = (uint32_t)(c->size - at);
        before = word_at(c, at - 4);
        for (unsigned i = 0; i < 4; i++)
            c->bytes[at - 4 + i] = (uint8_t)(displacement >> 8 * i);
    }
    *chain = 0;
}

void x86_jump_to(struct x86_code *c, unsigned condition, size_t target)
{
    jump(c, condition, (uint32_t)(target - (c->size + (condition ? 6 : 5))));
}
