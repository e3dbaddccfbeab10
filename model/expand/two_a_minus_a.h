/* Steps that are copies, since a number is taken from its double (two_a_minus_a.c). */
#ifndef GP5_EVAL_DOUBLED_H
#define GP5_EVAL_DOUBLED_H

#include "model/expand/expand.h"

/* Whether a product and an addend (`negate`: the product's negative) are what one factor is, and as which operand;
 * `copies` has the earlier steps that are operands, others are no operands there. */
bool eval_is_copy_of_double(const struct model *d, uint32_t i, const struct term factor[2], const struct term *addend,
                            bool negate, const struct term *copies, struct term *copy);
/* Whether an instruction that takes no products in has such steps. */
bool eval_has_doubled_steps(const struct model *d, uint32_t i, const struct insn *insn);

#endif
