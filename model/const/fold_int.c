/* Operations on known integers of 32 bits: the same as at run time. */
#include "model/const/lattice.h"

#include "eval/numeric/libm_fold.h"
#include "eval/numeric/bits.h"
#include "eval/numeric/half.h"

#include <math.h>

static uint32_t upper_product(bool is_signed, uint32_t a, uint32_t b)
{
    return (uint32_t)(is_signed ? (uint64_t)((int64_t)(int32_t)a * (int32_t)b) >> 32 : (uint64_t)a * b >> 32);
}

/* Quotients by what is not zero; remainders are those of unsigned numbers. Of what has an absolute value beside it the
 * driver takes the remainder of signed ones, and of 0 it makes other instructions. */
static bool divide(const struct fold *f, uint32_t a, uint32_t b, uint32_t *word)
{
    bool negative = f->insn->type == DT_S32;
    uint32_t na = negative && a >> 31 ? 0 - a : a, nb = negative && b >> 31 ? 0 - b : b;

    if (!b || f->has_sign)
        return false;
    *word = f->insn->op == OP_MOD ? a % b : negative && (a ^ b) >> 31 ? 0 - na / nb : na / nb;
    return true;
}

/* A whole number as an integer. */
static uint32_t clamped(double least, double most, double whole)
{
    return isnan(whole)    ? 0
           : whole < least ? (uint32_t)(int64_t)least
           : whole > most  ? (uint32_t)(int64_t)most
                           : (uint32_t)(int64_t)whole;
}

/* Up and down the compiler rounds what is at the ends of the type, and beyond them, alone. */
bool model_fold_rounded(uint8_t type, unsigned rounding, double d, uint32_t *word)
{
    unsigned bits = type_table[type].bytes * 8u - type_table[type].is_signed;
    double beyond = (double)(1ull << bits), least = type_table[type].is_signed ? -beyond : 0;

    *word = clamped(least, beyond - 1, rounding == MOD_TRUNC ? trunc(d) : rint(d));
    if (rounding == MOD_FLR || rounding == MOD_CEIL)
        return d <= least || d >= beyond;
    return !isnan(d);
}

static bool plain(uint16_t op, bool is_signed, uint32_t a, uint32_t b, uint32_t c, uint32_t *word)
{
    uint32_t sign = is_signed ? 0x80000000u : 0;
    bool less = (a ^ sign) < (b ^ sign), is;

    switch (op) {
    case OP_MOV: *word = a; return true;
    case OP_NOT: *word = ~a; return true;
    case OP_ROUND: return model_fold_rounded(is_signed ? DT_S32 : DT_U32, MOD_ROUND, num_float(a), word);
    case OP_TRUNC: return model_fold_rounded(is_signed ? DT_S32 : DT_U32, MOD_TRUNC, num_float(a), word);
    case OP_FLR: return model_fold_rounded(is_signed ? DT_S32 : DT_U32, MOD_FLR, num_float(a), word);
    case OP_CEIL: return model_fold_rounded(is_signed ? DT_S32 : DT_U32, MOD_CEIL, num_float(a), word);
    case OP_STR: *word = ~0u; return true;
    case OP_SFL: *word = 0; return true;
    case OP_ABS: *word = a & sign ? 0u - a : a; return true;
    case OP_ADD: *word = a + b; return true;
    case OP_SUB: *word = a - b; return true;
    case OP_MAD: *word = a * b + c; return true;
    case OP_SAD: *word = (less ? b - a : a - b) + c; return true;
    case OP_AND: *word = a & b; return true;
    case OP_OR: *word = a | b; return true;
    case OP_XOR: *word = a ^ b; return true;
    case OP_MIN: *word = less ? a : b; return true;
    case OP_MAX: *word = less ? b : a; return true;
    case OP_SHL: *word = a << (b & 31); return true;
    case OP_SHR: *word = is_signed && a >> 31 ? ~(~a >> (b & 31)) : a >> (b & 31); return true;
    case OP_CMP:    /* as if the numbers were floats */
        *word = exact_is_nan(a) || num_float(a) < 0 ? b : c;
        return true;
    case OP_I2F: *word = num_word(is_signed ? (float)(int32_t)a : (float)a); return true;
    case OP_BFR: *word = num_reversed_bits(a); return true;
    case OP_BTC: *word = num_count_bits(a); return true;
    case OP_BTFL: *word = num_lowest_bit(a); return true;
    case OP_BTFM: *word = is_signed ? num_highest_bit_signed(a) : num_highest_bit(a); return true;
    default: break;
    }
    if (!model_fold_compare(op, less ? -1 : a != b, true, &is))
        return false;
    *word = is ? ~0u : 0;
    return true;
}

/* The 24 bits of a factor that MUL.S24 and MUL.U24 take. */
static uint32_t factor(const struct insn *insn, uint32_t a)
{
    if (insn->flags & INSN_S24)
        return num_extract_bits_signed(24, 0, a);
    return insn->flags & INSN_U24 ? a & 0xffffff : a;
}

bool model_fold_integer(const struct fold *f, uint32_t *word)
{
    const struct insn *insn = f->insn;
    uint32_t a = (uint32_t)f->src[0][f->first[0]], b = (uint32_t)f->src[1][f->first[1]],
             c = (uint32_t)f->src[2][f->first[2]];
    uint32_t bits = (uint32_t)f->src[0][0], offset = (uint32_t)f->src[0][1];
    bool is_signed = insn->type == DT_S32;

    if (insn->flags & (INSN_SAT | INSN_SSAT))
        return false;
    if (insn->flags & INSN_HI) {
        *word = upper_product(is_signed, a, b);
        return insn->op == OP_MUL;
    }
    switch (insn->op) {
    case OP_DIV: case OP_MOD: return divide(f, a, b, word);
    case OP_BFE:
        *word = is_signed ? num_extract_bits_signed(bits, offset, b) : num_extract_bits(bits, offset, b);
        return true;
    case OP_MUL: *word = factor(insn, a) * factor(insn, b); return true;
    case OP_BFI: *word = num_insert_bits(bits, offset, b, c); return true;
    default: return plain(insn->op, is_signed, a, b, c, word);
    }
}
