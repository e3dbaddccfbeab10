/* Instructions as bytes. */
#include "eval/jit/x86_avx2.h"

#include "asm/arena.h"

#include <string.h>

static bool make_room(struct x86_code *c, size_t n)
{
    size_t room = c->room ? c->room * 2 : 4096;
    uint8_t *more = n > c->most - c->size ? NULL : gp5_realloc(c->bytes, room);

    c->failed |= !more;
    if (more) {
        c->bytes = more;
        c->room = room;
    }
    return more != NULL;
}

uint8_t *x86_next(struct x86_code *c, size_t n)
{
    return !c->failed && (n <= c->room - c->size || make_room(c, n)) ? c->bytes + c->size : NULL;
}

void x86_bytes(struct x86_code *c, const void *bytes, size_t n)
{
    uint8_t *to = x86_next(c, n);

    if (to)
        memcpy(to, bytes, n);
    c->size += to ? n : 0;
}

void x86_word(struct x86_code *c, uint32_t word)
{
    uint8_t b[4] = {(uint8_t)word, (uint8_t)(word >> 8), (uint8_t)(word >> 16), (uint8_t)(word >> 24)};

    x86_bytes(c, b, 4);
}

void x86_free(struct x86_code *c)
{
    gp5_free(c->bytes);
    memset(c, 0, sizeof *c);
}

static bool is_half(const struct x86_code *c, uint32_t opcode)
{
    return c->halved && !(opcode & (X86_W | X86_RESIZE));
}

/* What a displacement of one byte counts in. */
static int32_t unit(const struct x86_code *c, uint32_t opcode, struct x86_place m)
{
    if (c->avx2)
        return 1;
    if (m.kind == X86_MEMORY)
        return is_half(c, opcode) || opcode & X86_RESIZE ? 32 : 64;
    return opcode & X86_W ? 8 : 4;
}

/* The operand's bytes behind the opcode: ModRM and a displacement; the code is at `at` when they are written. */
size_t x86_operand(const struct x86_code *c, uint8_t b[5], unsigned d, uint32_t opcode, struct x86_place m,
                   size_t at)
{
    int32_t step = unit(c, opcode, m);
    uint32_t displacement = m.at;

    d = (d & 7) << 3;
    if (m.kind == X86_REGISTER) {
        b[0] = (uint8_t)(0xc0 | d | (m.at & 7));
        return 1;
    }
    if (m.kind == X86_WORD || m.kind == X86_VECTOR) {                                             /* [rip + ...] */
        b[0] = (uint8_t)(0x05 | d);
        displacement -= (uint32_t)(at + 5 + (opcode & X86_IMM ? 1 : 0));
    } else if (m.kind == X86_FRAME) {                                       /* [rbp + ...] */
        b[0] = (uint8_t)(0x85 | d);
    } else {                                                                /* [rdi + ...] */
        int32_t near = (int32_t)m.at - X86_BIAS;
        displacement = (uint32_t)near;
        b[0] = (uint8_t)(0x87 | d);
        if (near % step == 0 && near / step >= -128 && near / step < 128) {
            b[0] ^= 0xc0;       /* one byte, in units of the operand's size */
            b[1] = (uint8_t)(near / step);
            return 2;
        }
    }
    for (unsigned i = 0; i < 4; i++)
        b[1 + i] = (uint8_t)(displacement >> 8 * i);
    return 5;
}

/* EVEX: 62, three bytes of fields (those of registers inverted), the opcode, ModRM, a displacement. */
static void encode(struct x86_code *c, uint32_t opcode, unsigned d, unsigned v, struct x86_place m, unsigned mask,
                   bool zero, uint8_t imm)
{
    unsigned map = opcode >> 16 & 3, prefix = opcode >> 8 & 3;
    bool reg = m.kind == X86_REGISTER;
    /* One word for all lanes; the broadcast does it itself. */
    bool spread = (m.kind == X86_WORD || m.kind == X86_SPREAD) && (opcode & ~(uint32_t)X86_W) != X86_BROADCAST;
    unsigned rm_bit3 = reg ? m.at >> 3 & 1 : 0, rm_bit4 = reg ? m.at >> 4 & 1 : 0;
    uint8_t *b;
    size_t n = 0;

    if (c->avx2) {
        x86_avx2_vector(c, opcode, d, v, m, mask, zero, imm);
        return;
    }
    b = x86_next(c, X86_LONGEST);
    if (!b)
        return;
    b[n++] = 0x62;
    b[n++] = (uint8_t)((~d >> 3 & 1) << 7 | (rm_bit4 ^ 1) << 6 | (rm_bit3 ^ 1) << 5 | (~d >> 4 & 1) << 4 | map);
    b[n++] = (uint8_t)((opcode & X86_W ? 0x80 : 0) | (~v & 15) << 3 | 4 | prefix);
    b[n++] = (uint8_t)((zero ? 0x80 : 0) | (is_half(c, opcode) ? 0x20 : 0x40) | (spread ? 0x10 : 0) |
                       (~v >> 4 & 1) << 3 | mask);
    b[n++] = (uint8_t)opcode;
    n += x86_operand(c, b + n, d, opcode, m, c->size + n);
    if (opcode & X86_IMM)
        b[n++] = imm;
    c->size += n;
}

void x86_vector(struct x86_code *c, uint32_t opcode, unsigned d, unsigned v, struct x86_place m, unsigned mask,
                uint8_t imm)
{
    encode(c, opcode, d, v, m, mask, false, imm);
}

void x86_vector_zero(struct x86_code *c, uint32_t opcode, unsigned d, unsigned v, struct x86_place m, unsigned mask,
                     uint8_t imm)
{
    encode(c, opcode, d, v, m, mask, true, imm);
}
