/* Operations on constants as the driver's compiler computes them (tests/recordings/compiler.txt): products, sums and
 * functions on operands that are not flushed, everything else as it is at run time. */
#include "model/const/fold.h"

#include "eval/numeric/libm_fold.h"
#include "eval/numeric/half_memory.h"
#include "eval/numeric/bits.h"
#include "eval/numeric/half.h"

#include <math.h>

bool model_fold_compare(uint16_t op, int order, bool ordered, bool *is)
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

/* ---- doubles -------------------------------------------------------------------------------------------------------
 */

static const uint64_t negative = 1ull << 63;

static bool is_nan64(uint64_t w)
{
    return (w & ~negative) > 0x7ff0000000000000;
}

static uint64_t quiet64(uint64_t w)
{
    return w | 1ull << 51;
}

static uint64_t double_result(double d)
{
    return is_nan64(num_word64(d)) ? 0xfff8000000000000 : num_word64(d);
}

/* Of two NaNs the first one comes out. */
static uint64_t double_sum(uint64_t a, uint64_t b)
{
    return is_nan64(b) || is_nan64(a) ? quiet64(is_nan64(a) ? a : b) : double_result(num_double(a) + num_double(b));
}

/* A NaN that is the first factor has the sign of the product; the second one keeps its own, but 1.0 and -1.0 copy it,
 * and so does -0.0 change its sign. */
static uint64_t double_product(uint64_t a, uint64_t b)
{
    if (is_nan64(a) && is_nan64(b))
        return quiet64(a);
    if (is_nan64(a))
        return quiet64(a) ^ (b & negative);
    if (is_nan64(b) && (a & ~negative) == 0x3ff0000000000000)
        return b ^ (a & negative);
    if (is_nan64(b))
        return quiet64(b) ^ (a == negative ? negative : 0);
    return double_result(num_double(a) * num_double(b));
}

/* A product and a sum are two operations, but not for NaNs: the first factor's, the addend's, the second factor's. */
static uint64_t double_fused(uint64_t a, uint64_t b, uint64_t c)
{
    if (is_nan64(a) || is_nan64(b) || is_nan64(c))
        return quiet64(is_nan64(a) ? a : is_nan64(c) ? c : b);
    return double_sum(double_product(a, b), c);
}

static bool fold_double(const struct fold *f, uint64_t a, uint64_t b, uint64_t c, uint64_t *word)
{
    switch (f->insn->op) {
    case OP_MOV: *word = a; return true;
    case OP_ABS: *word = a & ~negative; return true;
    case OP_ADD: *word = double_sum(a, b); return true;
    case OP_SUB: *word = double_sum(a, b ^ negative); return true;
    case OP_MUL: *word = double_product(a, b); return true;
    case OP_MAD: *word = double_fused(a, b, c); return true;
    case OP_MIN: case OP_MAX:       /* of two NaNs */
        *word = a == b ? a : quiet64(a);
        return is_nan64(a) && is_nan64(b);
    case OP_DIV:
        *word = quiet64(a);
        return is_nan64(a) && !is_nan64(b);
    default: return false;
    }
}

static uint64_t clamped_double(uint32_t flags, uint64_t word)
{
    double x = num_double(word);

    if (!(flags & (INSN_SAT | INSN_SSAT)))
        return word;
    if (x > 1)
        return 0x3ff0000000000000;
    if (flags & INSN_SAT)
        return x > 0 ? word : 0;
    return x > -1 ? word : 0xbff0000000000000;
}

/* ---- comparisons ---------------------------------------------------------------------------------------------------
 */

bool model_fold_takes_second(uint8_t type, uint32_t word)
{
    return exact_is_nan(word) || num_float(type == DT_F32 ? exact_flush(word) : word) < 0;
}

/* ---- conversions to integers -------------------------------------------------------------------------------- */

/* Integers that the compiler makes of floats: flags know them, and sums (docs/numbers.md, "What the compiler
 * computes"). */
static bool knows_as_integer(uint8_t type)
{
    return type == DT_S32 || type == DT_U32 || type == DT_U16;
}

/* ---- halves --------------------------------------------------------------------------------------------------------
 */

/* A denormal half is a zero of its sign. */
static uint32_t unpacked(uint32_t half)
{
    return (half & 0x7c00) == 0 ? (half & 0x8000) << 16 : num_from_half(half & 0xffff);
}

static bool from_half(const struct fold *f, uint64_t *word)
{
    uint32_t single = (uint32_t)f->src[0][f->component];
    uint32_t whole;

    if (f->insn->type == DT_F32) {
        *word = model_fold_clamped(f->insn, unpacked(single));
        return true;
    }
    if (f->insn->flags & (INSN_SAT | INSN_SSAT))
        return false;
    if (knows_as_integer(f->insn->type)) {
        bool known =
            model_fold_rounded(f->insn->type, f->insn->rounding, num_float(num_from_half(single & 0xffff)), &whole);
        *word = whole;
        return known;
    }
    if ((single & 0x7fff) <= 0x7c00 || f->insn->type != DT_F64)
        return false;
    *word = 0x7fffffffe0000000;
    return true;
}

/* The low bits of an integer as a number of a type. */
static uint32_t wrapped(uint64_t n, uint8_t type)
{
    unsigned bits = 8u * type_table[type].bytes;

    return type_table[type].is_signed ? num_extract_bits_signed(bits, 0, (uint32_t)n)
                                      : num_extract_bits(bits, 0, (uint32_t)n);
}

/* Of floats as integers, of integers, which may wrap, and of singles and doubles where nothing says how they are
 * rounded. */
static bool converted(const struct fold *f, uint64_t *word)
{
    uint8_t from = f->insn->type2, to = f->insn->type;
    uint64_t source = f->src[0][f->first[0]];
    bool nearest = !f->insn->rounding || f->insn->rounding == MOD_ROUND;

    if (f->insn->flags & (INSN_SAT | INSN_SSAT))
        return false;
    *word = 0;
    if (type_table[from].is_float && knows_as_integer(to)) {
        uint32_t whole;
        bool known = model_fold_rounded(
            to, f->insn->rounding, from == DT_F64 ? num_double(source) : (double)num_float((uint32_t)source), &whole);
        *word = whole;
        return known;
    }
    if (type_table[from].is_float && type_table[to].bytes < 4)
        return false;
    if (!source)
        return nearest || !type_table[from].is_float;
    if (type_table[from].is_float) {
        double d = from == DT_F64 ? num_double(source) : (double)num_float((uint32_t)source);
        if (!nearest || !(fabs(d) < 0x1p30) || fabs(d) < 0x1p-120)
            return false;
        *word = num_word((float)d);
        return to == DT_F32;
    }
    int64_t n = (int64_t)(source << (64 - 8 * type_table[from].bytes));
    n = type_table[from].is_signed ? n >> (64 - 8 * type_table[from].bytes)
                                   : (int64_t)((uint64_t)n >> (64 - 8 * type_table[from].bytes));
    if (to == DT_F32) {
        *word = num_word((float)n);
        return nearest && n < 1 << 24 && n > -(1 << 24) && (n >= 0 || type_table[from].is_signed);
    }
    *word = wrapped((uint64_t)n, to);
    return !type_table[to].is_float && type_table[to].bytes <= 4;
}

/* ---- all of them ---------------------------------------------------------------------------------------------------
 */

/* These take no notice of .F16. */
static bool is_same_as_half(uint16_t op)
{
    return op == OP_MOV || op == OP_ABS || op == OP_ROUND || op == OP_TRUNC;
}

/* A single with the instruction's .SAT or .SSAT, where that does anything. */
static uint32_t clamped(const struct fold *f, uint32_t single)
{
    bool is_denormal = (single << 1) && !(single & 0x7f800000);

    return f->unclamped || (f->clamps_widened && is_denormal) ? single : model_fold_clamped(f->insn, single);
}

static uint32_t unsigned16(uint32_t single)
{
    float x = num_float(single);

    return x > 0 ? (uint32_t)rintf((x < 1 ? x : 1) * 65535.0f) : 0;     /* NaN is 0 */
}

/* Numbers in words, and out of them. */
static bool fold_packed(const struct fold *f, uint32_t *word)
{
    const struct insn *insn = f->insn;
    uint32_t x = (uint32_t)f->src[0][0], y = (uint32_t)f->src[0][1];

    if (insn->type != DT_F32 || insn->flags & (INSN_SAT | INSN_SSAT | INSN_PREC | INSN_HALF) || insn->cc_update)
        return false;
    switch (insn->op) {
    case OP_PK2H: *word = eval_float_to_half(x) | (uint32_t)eval_float_to_half(y) << 16; return true;
    case OP_PK2US: *word = unsigned16(x) | unsigned16(y) << 16; return true;
    case OP_UP2US:
        *word = num_word((float)(x >> 16 * (f->component & 1) & 65535) * (1.0f / 65535.0f));
        return !f->has_sign;
    case OP_UP4UB: *word = num_word((float)(x >> 8 * f->component & 255) * (1.0f / 255.0f)); return !f->has_sign;
    default: return false;
    }
}

/* As isa.def's column says. CVT and I2F have two types. */
static bool folds(const struct insn *insn)
{
    uint32_t in = insn->type == DT_F16 || insn->flags & INSN_HALF ? F_HALF
                  : insn->type == DT_F32                          ? F_SINGLE
                  : insn->type == DT_F64                          ? F_DOUBLE
                  : type_table[insn->type].bytes == 8             ? F_LONG
                                                                  : F_WORD;

    return insn->op == OP_CVT || insn->op == OP_I2F || op_table[insn->op].folds & in;
}

bool model_fold_computed(const struct fold *f, uint64_t *word)
{
    const struct insn *insn = f->insn;
    uint64_t a = f->src[0][f->first[0]], b = f->src[1][f->first[1]], c = f->src[2][f->first[2]];
    uint32_t single = 0;
    bool done = false;

    *word = 0;
    if (insn->op == OP_CVT)
        return insn->type2 == DT_F16 ? from_half(f, word) : converted(f, word);
    if (fold_packed(f, &single)) {
        *word = single;
        return true;
    }
    if (insn->op == OP_UP2H) {
        uint32_t sign = f->negated ? NEGATIVE : 0;      /* of the numbers, not of the word */
        *word = clamped(f, unpacked(((uint32_t)a ^ sign) >> (f->component & 1) * 16) ^ sign);
        return true;
    }
    if ((insn->op == OP_UP4B || insn->op == OP_UP4UB) &&
        insn->flags & INSN_PREC) { /* it takes the bytes of y and w for 0 */
        *word = clamped(f, insn->op == OP_UP4B ? 0xbf810204 : 0);
        return f->component & 1;
    }
    if (insn->op == OP_UP4B && insn->type == DT_F32 && !(insn->flags & (INSN_PREC | INSN_HALF))) {
        *word = clamped(f, num_word((float)((int32_t)((uint32_t)a >> 8 * f->component & 255) - 128) * (1.0f / 127.0f)));
        return true;
    }
    if (insn->op == OP_UP64 && insn->type == DT_F32) {
        *word = clamped(f, (uint32_t)(f->src[0][f->component >> 1] >> (f->component & 1) * 32));
        return true;
    }
    if (insn->op == OP_PK64 && !type_table[insn->type].is_float) {
        *word = f->src[0][f->component & 1 ? 2 : 0] | f->src[0][f->component & 1 ? 3 : 1] << 32;
        return true;
    }
    if ((insn->type == DT_F16 || insn->flags & INSN_HALF) && !is_same_as_half(insn->op))
        return false;
    switch (insn->type) {
    case DT_F32: case DT_F16:
        done = model_fold_single(f, (uint32_t)a, (uint32_t)b, (uint32_t)c, &single) && single != EXACT_NAN;
        *word = clamped(f, single);
        return done;
    case DT_F64:
        done = fold_double(f, a, b, c, word);
        *word = clamped_double(f->unclamped ? 0 : insn->flags, *word);
        return done;
    case DT_S32: case DT_U32:
        done = model_fold_integer(f, &single);
        *word = single;
        return done;
    case DT_S64: case DT_U64:
        *word = a;
        return insn->op == OP_MOV;
    default: return false;
    }
}

bool model_fold(const struct fold *f, uint64_t *word)
{
    *word = 0;
    return folds(f->insn) && model_fold_computed(f, word);
}

bool model_fold_product(const struct fold *f, const bool known[3], uint64_t *word)
{
    const struct insn *insn = f->insn;
    uint64_t a = f->src[0][f->first[0]], b = f->src[1][f->first[1]];

    if (insn->op != OP_MAD || insn->flags & INSN_PREC || !known[0] || !known[1] || known[2])
        return false;
    if (f->half) {      /* two halves have a product that a single holds */
        uint32_t half = eval_float_to_half(exact_product(num_from_half(eval_float_to_half((uint32_t)a)),
                                                         num_from_half(eval_float_to_half((uint32_t)b)), false));
        *word = unpacked(half);
        return (half & 0x7fff) <= 0x7c00;
    }
    if (insn->type == DT_F64) {
        *word = is_nan64(a) || is_nan64(b) ? a : double_product(a, b);
        return !is_nan64(a) && !is_nan64(b) && !is_nan64(*word);
    }
    *word = exact_product(exact_flush((uint32_t)a), exact_flush((uint32_t)b), false);
    return insn->type == DT_F32 && *word != EXACT_NAN;
}
