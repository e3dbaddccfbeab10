/* Between ops.c, which has a row an operation, and emit_op.c, which makes code of it. */
#ifndef GP5_EVAL_NATIVE_ROWS_H
#define GP5_EVAL_NATIVE_ROWS_H

#include "eval/jit/jit_internal.h"

enum form {
    FORM_COPY,
    FORM_SIGNED,                /* a copy with a sign: denormals are flushed, NaNs become the one */
    FORM_ONE,                   /* d = code(a) */
    FORM_TWO,                   /* d = code(a, b) */
    FORM_COMPLEMENT,
    FORM_SHIFT,                 /* d = code(a, b & 31); imm: which way */
    FORM_MAD,                   /* d = a * b + c in integers */
    FORM_FMA,
    FORM_MUL_ADD,               /* two roundings */
    FORM_LERP,
    FORM_SET, FORM_SET_FLOAT,   /* d = a imm b */
    FORM_BELOW_ZERO,            /* d = a < 0 ? b : c in integers */
    FORM_AT_LEAST_ZERO,         /* d = a >= 0 ? c : b of a float */
    FORM_FLOAT,                 /* by the opcode */
    FORM_DOT, FORM_DOT_SPEC,    /* imm: terms */
    FORM_TO_INTEGER,            /* imm: how it is rounded */
    FORM_TABLE, FORM_QUOTIENT, FORM_POWER,  /* imm: enum native_table */
    FORM_HALF,                  /* imm: enum native_half */
    FORM_WORD,                  /* imm: enum native_integer */
    FORM_LAST,                  /* d = c */
    FORM_FIELD,                 /* imm: enum native_field */
    FORM_PACK, FORM_UNPACK,     /* imm: enum native_packing */
    FORM_SMALL, FORM_SMALL_FLOAT,   /* imm: the operand's type; integers of less than 32 bits */
    FORM_WIDER,                 /* imm: whether the upper word is the sign's */
    FORM_JOIN, FORM_PART,       /* PK64, UP64 */
    FORM_WIDE,                  /* imm: enum native_wide */
    FORM_WIDE_COPY, FORM_WIDE_TWO, FORM_WIDE_COMPLEMENT, FORM_WIDE_SHIFT, FORM_WIDE_MAD     /* of 64-bit integers */
};

/* Operations by another name: conversions to float; RSQ of a magnitude; other conversions; MOV with a sign. */
enum { NATIVE_FROM_S32 = EVAL_OP_COUNT + 1, NATIVE_FROM_U32, NATIVE_RSQ_ARB, NATIVE_CVT, NATIVE_SIGNED };

struct row {
    uint16_t op;
    uint8_t type;
    uint8_t form;
    uint8_t imm;
    bool nvidia, spec;          /* semantics */
    uint32_t code;              /* FORM_WORD: flags that must be there; conversions: the operand's type */
    uint32_t not_with;          /* flags */
};

extern const struct row native_rows[];
extern const unsigned native_row_count;

#endif
