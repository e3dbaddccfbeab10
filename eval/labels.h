/* Where labels are, and what they do (labels.c). */
#ifndef GP5_EVAL_LABELS_H
#define GP5_EVAL_LABELS_H

#include "asm/program.h"

/* label[i], for each instruction and one entry more for the end: whether running into what stands before instruction i returns.
 * The program's first instruction is returned. */
uint32_t eval_labels(const struct gp5_program *p, bool nvidia, uint8_t *label);

#endif
