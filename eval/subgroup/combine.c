/* One step of an arithmetic operation (KHR 3.8): two words of a type to one. */
#include "eval/subgroup/number.h"
#include "eval/subgroup/subgroup.h"

static uint64_t add_or_multiply(bool multiply, enum gp5_subgroup_type type, uint64_t a, uint64_t b)
{
    if (type == GP5_SUBGROUP_F64)
        return sub_double_word(multiply ? sub_double(a) * sub_double(b) : sub_double(a) + sub_double(b));
    if (type == GP5_SUBGROUP_F32)
        return sub_float_word(multiply ? sub_float(a) * sub_float(b) : sub_float(a) + sub_float(b));
    if (type == GP5_SUBGROUP_F16) {     /* exact or innocuous in a float, whose 24 bits are 2 x 11 + 2 */
        float x = sub_half_value(a), y = sub_half_value(b);
        return sub_half(multiply ? x * y : x + y);
    }
    return (multiply ? a * b : a + b) & sub_ones(type);     /* wraps */
}

/* KHR 3.8: of two values of which one is a NaN the other is chosen. Which zero is the lesser is not said:
 * here -0. */
static bool less(enum gp5_subgroup_type type, uint64_t a, uint64_t b)
{
    uint64_t sign;

    if (sub_is_signed(type))
        return sub_signed(type, a) < sub_signed(type, b);
    if (!sub_is_float(type))
        return a < b;
    sign = sub_sign(type);
    if ((a ^ b) & sign)
        return (a & sign) != 0;
    return a & sign ? a > b : a < b;
}

static uint64_t lesser(enum gp5_subgroup_type type, uint64_t a, uint64_t b)
{
    return sub_is_nan(type, a) ? b : sub_is_nan(type, b) ? a : less(type, b, a) ? b : a;
}

static uint64_t greater(enum gp5_subgroup_type type, uint64_t a, uint64_t b)
{
    return sub_is_nan(type, a) ? b : sub_is_nan(type, b) ? a : less(type, a, b) ? b : a;
}

uint64_t sub_combine(enum gp5_subgroup_arithmetic arithmetic, enum gp5_subgroup_type type, uint64_t a, uint64_t b)
{
    switch (arithmetic) {
    case GP5_SUBGROUP_OP_ADD:
        return add_or_multiply(false, type, a, b);
    case GP5_SUBGROUP_OP_MUL:
        return add_or_multiply(true, type, a, b);
    case GP5_SUBGROUP_OP_MIN:
        return lesser(type, a, b);
    case GP5_SUBGROUP_OP_MAX:
        return greater(type, a, b);
    case GP5_SUBGROUP_OP_AND:
        return a & b;
    case GP5_SUBGROUP_OP_OR:
        return a | b;
    default:    /* XOR */
        return a ^ b;
    }
}

static uint64_t one(enum gp5_subgroup_type type)
{
    return type == GP5_SUBGROUP_F16   ? 0x3c00
           : type == GP5_SUBGROUP_F32 ? 0x3f800000
           : type == GP5_SUBGROUP_F64 ? UINT64_C(0x3ff0000000000000)
                                      : 1;
}

/* KHR 3.8: the table of I(). */
uint64_t sub_identity(enum gp5_subgroup_arithmetic arithmetic, enum gp5_subgroup_type type)
{
    switch (arithmetic) {
    case GP5_SUBGROUP_OP_MUL:
        return one(type);
    case GP5_SUBGROUP_OP_MIN:
        return sub_is_float(type)    ? sub_infinity(type)
               : sub_is_signed(type) ? sub_ones(type) >> 1
                                     : sub_ones(type);
    case GP5_SUBGROUP_OP_MAX:
        return sub_is_float(type)    ? sub_sign(type) | sub_infinity(type)
               : sub_is_signed(type) ? sub_sign(type)
                                     : 0;
    case GP5_SUBGROUP_OP_AND:
        return sub_ones(type);
    default:    /* ADD, OR, XOR */
        return 0;
    }
}
