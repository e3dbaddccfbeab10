/* Integers of the scalar model, in 128 bits. */
#include "tests/oracle/scalar_internal.h"

big scalar_value(unsigned type, uint64_t word)
{
    int bits = bits_of(type);
    big v = bits == 64 ? (big)word : (big)(word & ((1ull << bits) - 1));
    return is_signed(type) && v >> (bits - 1) ? v - ((big)1 << bits) : v;
}

static big low24(big v, bool with_sign)
{
    big low = v & 0xffffff;
    return with_sign && low >= 0x800000 ? low - 0x1000000 : low;
}

static big magnitude(big v)
{
    return v < 0 ? -v : v;
}

static big quotient(const struct kernel_request *w, big x, big y)
{
    if (y == 0)
        return w->type == DT_S64 && x > 0 ? 1 : -1;
    return x / y;
}

static big remainder_of(const struct kernel_request *w, big x, big y)
{
    bool narrow = bits_of(w->type) == 32;
    if (y == 0)
        return narrow ? -1 : x;
    if (narrow && nvidia(w))
        return (big)((uint32_t)x % (uint32_t)y);
    return x % y;
}

static big bit_index(const struct kernel_request *w, uint32_t a)
{
    bool highest = w->op == OP_BTFM;
    uint32_t wanted = highest && w->type == DT_S32 && a >> 31 ? 0 : 1;
    for (int i = 0; i < 32; i++) {
        int at = highest ? 31 - i : i;
        if ((a >> at & 1) == wanted)
            return at;
    }
    return -1;
}

big scalar_field(const struct kernel_request *w, uint32_t bits, uint32_t offset, uint32_t a, uint32_t base)
{
    big r = w->op == OP_BFI ? base : 0;
    bits &= 255, offset &= 255;
    for (uint32_t i = 0; i < bits && i < 32; i++) {
        uint32_t from = offset + i;
        if (w->op == OP_BFI) {
            if (from < 32)
                r = (r & ~((big)1 << from)) | (big)(a >> i & 1) << from;
        } else {        /* above the word stand zeros, or copies of the sign */
            big bit = from < 32 ? a >> from & 1 : w->type == DT_S32 ? a >> 31 : 0;
            r |= bit << i;
        }
    }
    if (w->op == OP_BFE && w->type == DT_S32 && bits > 0 && bits < 32 && r >> (bits - 1) & 1)
        r |= ~(((big)1 << bits) - 1);
    return r;
}

bool scalar_integer(const struct kernel_request *w, uint64_t a, uint64_t b, uint64_t c, big *r)
{
    unsigned mask = (unsigned)bits_of(w->type) - 1;
    big x = scalar_value(w->type, a), y = scalar_value(w->type, b), z = scalar_value(w->type, c);
    uint32_t word = (uint32_t)a;

    *r = 0;
    switch (w->op) {
    case OP_MOV: *r = x; break;
    case OP_ABS: *r = magnitude(x); break;
    case OP_ADD: *r = x + y; break;
    case OP_SUB: *r = x - y; break;
    case OP_MUL:
        if (w->flags & INSN_S24 || w->flags & INSN_U24)
            x = low24(x, w->flags & INSN_S24), y = low24(y, w->flags & INSN_S24);
        *r = w->flags & INSN_HI ? x * y >> 32 : (big)((unsigned __int128)x * (unsigned __int128)y);
        break;
    case OP_MAD: *r = (big)((unsigned __int128)x * (unsigned __int128)y + (unsigned __int128)z); break;
    case OP_SAD: *r = magnitude(x - y) + z; break;
    case OP_MIN: *r = x < y ? x : y; break;
    case OP_MAX: *r = x > y ? x : y; break;
    case OP_CMP: *r = x < 0 ? y : z; break;
    case OP_DIV: *r = quotient(w, x, y); break;
    case OP_MOD: *r = remainder_of(w, x, y); break;
    case OP_AND: *r = x & y; break;
    case OP_OR: *r = x | y; break;
    case OP_XOR: *r = x ^ y; break;
    case OP_NOT: *r = ~x; break;
    case OP_SHL: *r = (big)((unsigned __int128)x << (b & mask)); break;
    case OP_SHR: *r = x >> (b & mask); break;
    case OP_BFR: for (int i = 0; i < 32; i++) *r |= (big)(word >> i & 1) << (31 - i); break;
    case OP_BTC: for (; word != 0; word >>= 1) *r += word & 1; break;
    case OP_BTFL: case OP_BTFM: *r = bit_index(w, word); break;
    case OP_SEQ: case OP_SNE: case OP_SGE: case OP_SGT: case OP_SLE: case OP_SLT: case OP_STR: case OP_SFL:
        *r = scalar_holds(w->op, x < y ? SOFT_LESS : x > y ? SOFT_GREATER : SOFT_EQUAL) ? -1 : 0;
        break;
    default: return false;
    }
    return true;
}
