/* What range.c, range_float.c and range_int.c share: a result as it is looked at. */
#ifndef GP5_EVAL_TRAIT_READER_H
#define GP5_EVAL_TRAIT_READER_H

#include "model/tables.h"
#include "model/analysis/range.h"

/* A component of a result, and what is known of the operands that it is made of. */
struct range_reader {
    const struct known *k;
    const struct insn *insn;
    unsigned component;
};

static inline const struct operand *eval_reader_operand(const struct range_reader *r, unsigned n)
{
    return program_operand(r->k->p, r->insn->src + n);
}

/* The component of operand n that the result's component is made of, where it is made of one. */
static inline unsigned eval_reader_component(const struct range_reader *r, unsigned n)
{
    uint8_t mask = eval_component_reads(r->insn->op, n, r->component);

    return mask ? (unsigned)__builtin_ctz(mask) : 0;
}

static inline struct value_range eval_reader_source(const struct range_reader *r, unsigned n)
{
    return range_of_operand(r->k, eval_reader_operand(r, n), eval_reader_component(r, n), DT_F32);
}

static inline bool eval_reader_same(const struct range_reader *r, unsigned c)
{
    return eval_known_same(r->k, eval_reader_operand(r, 0), eval_reader_operand(r, 1), c, c);
}

/* range.c: what the negative of something is. */
struct value_range range_negated(struct value_range t);

/* Of arithmetic of singles; `at`: of a sum that may be known by its instruction, or NO_INDEX. */
struct value_range range_of_float(const struct range_reader *r, uint32_t at);

/* range_int.c. Of 32 bits; of 64 bits: copies, sums with 0 among them. */
/* The operand that an operation on integers copies, or -1. */
int eval_copied_integer(const struct range_reader *r);
struct value_range range_of_integer(const struct range_reader *r);
uint16_t eval_sign_of_long(const struct range_reader *r);

#endif
