/* Operands that find faults: tables of nasty values and the operand sets made of them.
 * An operand set is a run of records of 48 bytes, one a lane: the operands a, b and c, each four 32-bit or
 * two 64-bit components. Sets are a function of their name alone, so that a recording needs no copy of its
 * inputs. */
#ifndef GP5_TESTS_OPERANDS_H
#define GP5_TESTS_OPERANDS_H

#include <stddef.h>
#include <stdint.h>

#define OPERAND_RECORD 48u
#define NASTY_COUNT 48u

extern const uint32_t nasty_f32[NASTY_COUNT];
extern const uint32_t nasty_i32[NASTY_COUNT];
extern const uint64_t nasty_f64[NASTY_COUNT];
extern const uint64_t nasty_i64[NASTY_COUNT];

enum operand_set {
    SET_F32,        /* nasty pairs, then pairs that cancel, underflow or overflow, then random words */
    SET_F32T,       /* the same for three operands */
    /* one operand: every exponent, integers and halves, the limits of every integer type, angles */
    SET_F32U,
    SET_POW,        /* base and exponent in the range where powers are finite, after the nasty pairs */
    SET_UNIT,       /* floats around the steps of 8-bit and 16-bit normalised codes */
    SET_I32,
    /* one operand: around the limits of the 8, 16, 24 and 32-bit types, with noise in the upper bits */
    SET_I32U,
    SET_SHIFT,      /* b: shift counts, within range and out of it */
    SET_BITS,       /* a.x, a.y: number of bits and offset */
    SET_F16U,       /* low 16 bits: halves, the upper ones noise */
    SET_F64, SET_F64U, SET_I64, SET_I64U, SET_SHIFT64,
    SET_COUNT
};

struct operand_set_info {
    const char *name;
    uint32_t lanes;
    int wide;               /* components of 64 bits */
};
extern const struct operand_set_info operand_sets[SET_COUNT];

/* Fill `out` with the lanes * 48 bytes of a set. */
void operand_set_fill(enum operand_set set, uint8_t *out);

/* The generator behind them: splitmix64. */
uint64_t operand_random(uint64_t *state);

#endif
