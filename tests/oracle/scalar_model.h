/* The second opinion on what an instruction computes: one lane, all components, written from the text and
 * the list of measured choices, in integers. It shares nothing with the kernels but the request that names
 * the operation. */
#ifndef GP5_TESTS_SCALAR_MODEL_H
#define GP5_TESTS_SCALAR_MODEL_H

#include "eval/kernels/kernel.h"

/* Operands: component c of operand k is src[k][c] (a scalar operand: the same in all). 32-bit values stand
 * in the low half. Results: four components; for an opcode with a scalar result the first. False when the
 * model does not have the operation: the approximated functions, which have tests of their own. */
bool scalar_model(const struct kernel_request *want, uint64_t src[3][4], uint64_t result[4]);

/* Is result component c NaN of the request's result type? */
bool scalar_is_nan(const struct kernel_request *want, uint64_t word);

#endif
