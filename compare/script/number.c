#include "compare/script/number.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

const struct number_type_info number_types[NUMBER_TYPES] = {
    [NUMBER_U8] = { "u8", 1, false, false, 0, 0 },
    [NUMBER_S8] = { "s8", 1, false, true, 0, 0 },
    [NUMBER_U16] = { "u16", 2, false, false, 0, 0 },
    [NUMBER_S16] = { "s16", 2, false, true, 0, 0 },
    [NUMBER_F16] = { "f16", 2, true, true, 5, 10 },
    [NUMBER_U32] = { "u32", 4, false, false, 0, 0 },
    [NUMBER_S32] = { "s32", 4, false, true, 0, 0 },
    [NUMBER_F32] = { "f32", 4, true, true, 8, 23 },
    [NUMBER_U64] = { "u64", 8, false, false, 0, 0 },
    [NUMBER_S64] = { "s64", 8, false, true, 0, 0 },
    [NUMBER_F64] = { "f64", 8, true, true, 11, 52 },
};

bool number_type_named(const char *name, enum number_type *type)
{
    static const struct { const char *name; enum number_type type; } other[] = {
        { "hex", NUMBER_U32 }, { "float", NUMBER_F32 }, { "double", NUMBER_F64 }, { "int", NUMBER_S32 },
        { "uint", NUMBER_U32 }, { "int64", NUMBER_S64 }, { "uint64", NUMBER_U64 },
    };
    for (int i = 0; i < NUMBER_TYPES; i++)
        if (!strcmp(name, number_types[i].name)) {
            *type = (enum number_type)i;
            return true;
        }
    for (size_t i = 0; i < sizeof other / sizeof *other; i++)
        if (!strcmp(name, other[i].name)) {
            *type = other[i].type;
            return true;
        }
    return false;
}

uint64_t number_load(enum number_type type, const uint8_t *bytes)
{
    uint64_t bits = 0;
    for (unsigned i = number_types[type].bytes; i-- > 0;)
        bits = bits << 8 | bytes[i];
    return bits;
}

void number_store(enum number_type type, uint64_t bits, uint8_t *bytes)
{
    for (unsigned i = 0; i < number_types[type].bytes; i++)
        bytes[i] = (uint8_t)(bits >> 8 * i);
}

uint64_t number_sign_bit(enum number_type type)
{
    return UINT64_C(1) << (8 * number_types[type].bytes - 1);
}

static uint64_t all_bits(enum number_type type)
{
    return number_sign_bit(type) | (number_sign_bit(type) - 1);
}

uint64_t number_magnitude(enum number_type type, uint64_t bits)
{
    return bits & (number_sign_bit(type) - 1);
}

bool number_is_negative(enum number_type type, uint64_t bits)
{
    return number_types[type].is_signed && bits & number_sign_bit(type);
}

static uint64_t infinity(enum number_type type)
{
    const struct number_type_info *t = &number_types[type];
    return ((UINT64_C(1) << t->exponent) - 1) << t->fraction;
}

bool number_is_nan(enum number_type type, uint64_t bits)
{
    return number_types[type].is_float && number_magnitude(type, bits) > infinity(type);
}

bool number_is_infinite(enum number_type type, uint64_t bits)
{
    return number_types[type].is_float && number_magnitude(type, bits) == infinity(type);
}

bool number_is_denormal(enum number_type type, uint64_t bits)
{
    uint64_t magnitude = number_magnitude(type, bits);
    return number_types[type].is_float && magnitude && magnitude < UINT64_C(1) << number_types[type].fraction;
}

/* ---- values -------------------------------------------------------------------------------------------- */

double number_from_half(uint16_t half)
{
    int exponent = half >> 10 & 31;
    int fraction = half & 1023;
    double v;
    if (exponent == 31)
        v = fraction ? NAN : INFINITY;
    else if (exponent == 0)
        v = ldexp(fraction, -24);
    else
        v = ldexp(fraction + 1024, exponent - 25);
    return half & 0x8000 ? -v : v;
}

uint16_t number_to_half(double value)
{
    uint16_t sign = signbit(value) ? 0x8000 : 0;
    double v = fabs(value);
    int exponent;
    if (isnan(v))
        return sign | 0x7e00;
    if (v >= 65520)
        return sign | 0x7c00;
    frexp(v, &exponent);                        /* v in [2^(exponent-1), 2^exponent) */
    if (v < 0x1p-14)
        exponent = -13;                         /* denormals (and 0) share the smallest normal's step */
    /* rint: nearest even, as the C library starts; a carry into the next exponent comes out right by itself.
     */
    return sign | (uint16_t)((unsigned)rint(ldexp(v, 11 - exponent)) + (unsigned)((exponent + 13) << 10));
}

static double float_value(enum number_type type, uint64_t bits)
{
    if (type == NUMBER_F16)
        return number_from_half((uint16_t)bits);
    if (type == NUMBER_F32) {
        uint32_t b = (uint32_t)bits;
        float f;
        memcpy(&f, &b, sizeof f);
        return f;
    }
    double d;
    memcpy(&d, &bits, sizeof d);
    return d;
}

static int64_t signed_value(enum number_type type, uint64_t bits)
{
    if (number_is_negative(type, bits))
        bits |= ~all_bits(type);
    int64_t v;
    memcpy(&v, &bits, sizeof v);
    return v;
}

double number_value(enum number_type type, uint64_t bits)
{
    if (number_types[type].is_float)
        return float_value(type, bits);
    return number_types[type].is_signed ? (double)signed_value(type, bits) : (double)bits;
}

/* ---- words --------------------------------------------------------------------------------------------- */

static bool parse_integer(enum number_type type, const char *word, uint64_t *bits)
{
    bool negative = *word == '-';
    const char *digits = word + (*word == '-' || *word == '+');
    bool hex = digits[0] == '0' && (digits[1] == 'x' || digits[1] == 'X');
    char *end;
    if (!(*digits >= '0' && *digits <= '9'))
        return false;
    errno = 0;
    unsigned long long v = strtoull(digits, &end, hex ? 16 : 10);
    if (errno || *end || (hex && end == digits + 2))
        return false;
    if (negative) {
        /* In an unsigned buffer -1 means all ones, as in the assembly itself. */
        if (v > number_sign_bit(type))
            return false;
        v = 0 - v;
    } else if (v > (number_types[type].is_signed && !hex ? number_sign_bit(type) - 1 : all_bits(type))) {
        return false;
    }
    *bits = v & all_bits(type);
    return true;
}

static bool parse_float(enum number_type type, const char *word, uint64_t *bits)
{
    size_t digits = 2u * number_types[type].bytes;
    char *end;
    errno = 0;
    if (word[0] == '0' && (word[1] == 'x' || word[1] == 'X') && strlen(word) == digits + 2 &&
        strspn(word + 2, "0123456789abcdefABCDEF") == digits) {
        *bits = strtoull(word, NULL, 16);
        return true;
    }
    const char *name = word + (*word == '-' || *word == '+');
    if (!strpbrk(word, "0123456789") && strcasecmp(name, "inf") && strcasecmp(name, "nan"))
        return false;
    if (type == NUMBER_F32) {                   /* a step through double would round twice */
        float f = strtof(word, &end);
        uint32_t b;
        memcpy(&b, &f, sizeof b);
        *bits = b;
    } else {
        double d = strtod(word, &end);
        memcpy(bits, &d, sizeof d);
        if (type == NUMBER_F16)
            *bits = number_to_half(d);
    }
    return end != word && !*end;
}

bool number_parse(enum number_type type, const char *word, uint64_t *bits)
{
    return number_types[type].is_float ? parse_float(type, word, bits) : parse_integer(type, word, bits);
}

static int hex_digits(enum number_type type)
{
    return number_types[type].bytes < 8 ? 2 * number_types[type].bytes : 16;
}

const char *number_print_short(enum number_type type, uint64_t bits, char text[NUMBER_TEXT])
{
    static const int precision[NUMBER_TYPES] = { [NUMBER_F16] = 5, [NUMBER_F32] = 9, [NUMBER_F64] = 17 };
    if (number_is_nan(type, bits))
        snprintf(text, NUMBER_TEXT, "%snan", number_is_negative(type, bits) ? "-" : "");
    else if (number_types[type].is_float)
        snprintf(text, NUMBER_TEXT, "%.*g", precision[type], float_value(type, bits));
    else if (number_types[type].is_signed)
        snprintf(text, NUMBER_TEXT, "%" PRId64, signed_value(type, bits));
    else if (bits > 0xffffff)
        snprintf(text, NUMBER_TEXT, "0x%0*" PRIx64, hex_digits(type), bits);
    else
        snprintf(text, NUMBER_TEXT, "%" PRIu64, bits);
    return text;
}

const char *number_print(enum number_type type, uint64_t bits, char text[NUMBER_TEXT])
{
    char value[NUMBER_TEXT];
    int n = snprintf(text, NUMBER_TEXT, "0x%0*" PRIx64, hex_digits(type), bits);
    if (number_types[type].is_float) {
        n += snprintf(text + n, (size_t)(NUMBER_TEXT - n), "  %s", number_print_short(type, bits, value));
        if (!number_is_nan(type, bits) && !number_is_infinite(type, bits))
            snprintf(text + n, (size_t)(NUMBER_TEXT - n), "  %a", float_value(type, bits));
    } else if (number_types[type].is_signed) {
        snprintf(text + n, (size_t)(NUMBER_TEXT - n), "  %" PRId64, signed_value(type, bits));
    } else {
        snprintf(text + n, (size_t)(NUMBER_TEXT - n), "  %" PRIu64, bits);
    }
    return text;
}
