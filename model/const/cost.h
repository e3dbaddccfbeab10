/* How many operations an instruction is for those who decide what is unrolled (cost.c). */
#ifndef GP5_EVAL_COSTS_H
#define GP5_EVAL_COSTS_H

#include "asm/program.h"

/* `useful`: the components of its result that anybody reads; `flags`: those whose condition code is asked for. */
uint32_t model_cost(const struct gp5_program *p, const struct insn *insn, uint8_t useful, uint8_t flags);

#endif
