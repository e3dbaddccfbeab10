/* Numbers in buffers: their types, their bits, and how they are written in a report. */
#ifndef GP5_COMPARE_NUMBER_H
#define GP5_COMPARE_NUMBER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum number_type {
    NUMBER_U8, NUMBER_S8, NUMBER_U16, NUMBER_S16, NUMBER_F16, NUMBER_U32, NUMBER_S32, NUMBER_F32, NUMBER_U64,
    NUMBER_S64, NUMBER_F64, NUMBER_TYPES
};

struct number_type_info {
    const char *name;               /* "f32" */
    uint8_t bytes;
    bool is_float, is_signed;
    uint8_t exponent, fraction;     /* bits of a float */
};
extern const struct number_type_info number_types[NUMBER_TYPES];

/* By its name; `hex` is u32, and so are piglit's names float, double, int, uint, int64, uint64 what they
 * say. */
bool number_type_named(const char *name, enum number_type *type);

/* Little-endian bytes to bits and back. */
uint64_t number_load(enum number_type type, const uint8_t *bytes);
void number_store(enum number_type type, uint64_t bits, uint8_t *bytes);

bool number_is_nan(enum number_type type, uint64_t bits);
bool number_is_infinite(enum number_type type, uint64_t bits);
bool number_is_denormal(enum number_type type, uint64_t bits);
bool number_is_negative(enum number_type type, uint64_t bits);
uint64_t number_magnitude(enum number_type type, uint64_t bits);    /* a float's bits without the sign */
uint64_t number_sign_bit(enum number_type type);

/* The value of a float or of an integer below 2^53; a larger integer is rounded. */
double number_value(enum number_type type, uint64_t bits);

/* Words of a script to bits: decimal or 0x for integers (range-checked); for floats decimal, hex floats,
 * inf, nan, -nan, and 0x followed by exactly the type's digits for raw bits. False when the word is no
 * such number. */
bool number_parse(enum number_type type, const char *word, uint64_t *bits);

/* Room that number_print needs. */
enum { NUMBER_TEXT = 96 };

/* "0x3f800000  1  0x1p+0": bits, then the number, then a hex float where that says more. Returns `text`. */
const char *number_print(enum number_type type, uint64_t bits, char text[NUMBER_TEXT]);

/* Short, for a cell of a table: "1", "-0", "nan", "0xdeadbeef". */
const char *number_print_short(enum number_type type, uint64_t bits, char text[NUMBER_TEXT]);

/* IEEE half to double, and double to half, rounded to nearest even. */
double number_from_half(uint16_t half);
uint16_t number_to_half(double value);

#endif
