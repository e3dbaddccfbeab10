/* Clamps of copies into SHORT variables (clamp.c). */
#ifndef GP5_MODEL_HALF_CLAMP_H
#define GP5_MODEL_HALF_CLAMP_H

#include "model/tables.h"

/* Components of a copy whose clamp is that of the single that it copies. */
uint8_t eval_clamps_single(const struct model *m, uint32_t i, const struct insn *insn);

#endif
