/* Instructions as bytes. */
#include "eval/x86.h"

#include "asm/arena.h"

#include <string.h>

void x86_bytes(struct x86_code *c, const void *bytes, size_t n)
{
    if (c->failed)
        return;
    if (n > c->most - c->size) {
        c->failed = true;
        return;
    }
    if (n > c->room - c->size) {
        size_t room = c->room ? c->room * 2 : 4096;
        uint8_t *more = gp5_realloc(c->bytes, room);
        if (!more) {
            c->failed = true;
            return;
        }
        c->bytes = more;
        c->room = room;
    }
    memcpy(c->bytes + c->size, bytes, n);
    c->size += n;
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

/* EVEX: 62, three bytes of fields (those of registers inverted), the opcode, ModRM, a displacement. */
static void encode(struct x86_code *c, uint32_t opcode, unsigned d, unsigned v, struct x86_place m, unsigned mask,
                   bool zero, uint8_t imm)
{
    unsigned map = opcode >> 16 & 3, prefix = opcode >> 8 & 3;
    bool reg = m.kind == X86_REGISTER;
    bool spread = m.kind == X86_WORD && opcode != X86_BROADCAST;    /* one word for all lanes; that one does it itself */
    unsigned rm_bit3 = reg ? m.at >> 3 & 1 : 0, rm_bit4 = reg ? m.at >> 4 & 1 : 0;
    uint8_t b[16];
    size_t n = 0;

    b[n++] = 0x62;
    b[n++] = (uint8_t)((~d >> 3 & 1) << 7 | (rm_bit4 ^ 1) << 6 | (rm_bit3 ^ 1) << 5 | (~d >> 4 & 1) << 4 | map);
    b[n++] = (uint8_t)((~v & 15) << 3 | 4 | prefix);
    b[n++] = (uint8_t)((zero ? 0x80 : 0) | 0x40 | (spread ? 0x10 : 0) | (~v >> 4 & 1) << 3 | mask);
    b[n++] = (uint8_t)opcode;
    if (reg) {
        b[n++] = (uint8_t)(0xc0 | (d & 7) << 3 | (m.at & 7));
    } else {
        uint32_t after = (uint32_t)(c->size + n + 5 + (opcode & X86_IMM ? 1 : 0));
        uint32_t displacement = m.kind == X86_WORD ? m.at - after : m.at;
        b[n++] = (uint8_t)((m.kind == X86_WORD ? 0x05 : 0x87) | (d & 7) << 3);   /* [rip + ...], [rdi + ...] */
        for (unsigned i = 0; i < 4; i++)
            b[n++] = (uint8_t)(displacement >> 8 * i);
    }
    if (opcode & X86_IMM)
        b[n++] = imm;
    x86_bytes(c, b, n);
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
