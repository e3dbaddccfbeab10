/* Operations on constants as the driver's compiler computes them. */
#include "eval/known.h"

#include <math.h>

static float to_float(uint32_t word)
{
    float f;
    memcpy(&f, &word, sizeof f);
    return f;
}

static uint32_t to_word(float f)
{
    uint32_t word;
    memcpy(&word, &f, sizeof word);
    return word;
}

static bool compare(uint16_t op, int order, bool ordered, bool *is)
{
    switch (op) {
    case OP_SEQ: *is = ordered && order == 0; return true;
    case OP_SNE: *is = !ordered || order != 0; return true;
    case OP_SLT: *is = ordered && order < 0; return true;
    case OP_SLE: *is = ordered && order <= 0; return true;
    case OP_SGT: *is = ordered && order > 0; return true;
    case OP_SGE: *is = ordered && order >= 0; return true;
    default: return false;
    }
}

static bool fold_float(uint16_t op, const uint32_t src[3], uint32_t *word)
{
    float a = to_float(src[0]), b = to_float(src[1]), c = to_float(src[2]);
    bool is;

    switch (op) {
    case OP_MOV: *word = src[0]; return true;
    case OP_ABS: *word = src[0] & 0x7fffffff; return true;
    case OP_ADD: *word = to_word(a + b); return true;
    case OP_SUB: *word = to_word(a - b); return true;
    case OP_MUL: *word = to_word(a * b); return true;
    case OP_MAD: *word = to_word(fmaf(a, b, c)); return true;
    case OP_MIN: *word = to_word(fminf(a, b)); return true;
    case OP_MAX: *word = to_word(fmaxf(a, b)); return true;
    case OP_FLR: *word = to_word(floorf(a)); return true;
    case OP_CEIL: *word = to_word(ceilf(a)); return true;
    case OP_TRUNC: *word = to_word(truncf(a)); return true;
    default: break;
    }
    if (!compare(op, a < b ? -1 : a > b, a == a && b == b, &is))
        return false;
    *word = is ? to_word(1) : 0;
    return true;
}

static bool fold_integer(uint16_t op, bool is_signed, const uint32_t src[3], uint32_t *word)
{
    uint32_t a = src[0], b = src[1], sign = is_signed ? 0x80000000u : 0;
    bool less = (a ^ sign) < (b ^ sign), is;

    switch (op) {
    case OP_MOV: *word = a; return true;
    case OP_NOT: *word = ~a; return true;
    case OP_ABS: *word = a & sign ? 0u - a : a; return true;
    case OP_ADD: *word = a + b; return true;
    case OP_SUB: *word = a - b; return true;
    case OP_MUL: *word = a * b; return true;
    case OP_MAD: *word = a * b + src[2]; return true;
    case OP_AND: *word = a & b; return true;
    case OP_OR: *word = a | b; return true;
    case OP_XOR: *word = a ^ b; return true;
    case OP_MIN: *word = less ? a : b; return true;
    case OP_MAX: *word = less ? b : a; return true;
    case OP_SHL: *word = b < 32 ? a << b : 0; return true;
    case OP_SHR:
        if (is_signed && a & sign)
            *word = b < 32 ? ~(~a >> b) : ~0u;
        else
            *word = b < 32 ? a >> b : 0;
        return true;
    default: break;
    }
    if (!compare(op, less ? -1 : a != b, true, &is))
        return false;
    *word = is ? ~0u : 0;
    return true;
}

bool eval_fold(uint16_t op, uint8_t type, const uint32_t src[3], uint32_t *word)
{
    switch (type) {
    case DT_F32: return fold_float(op, src, word);
    case DT_S32: return fold_integer(op, true, src, word);
    case DT_U32: return fold_integer(op, false, src, word);
    default: return false;
    }
}
