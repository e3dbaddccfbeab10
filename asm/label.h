/* Where labels are, and what they do (label.c); where IFs end. */
#ifndef GP5_EVAL_LABELS_H
#define GP5_EVAL_LABELS_H

#include "asm/program.h"

/* What a label does to who runs into it. */
enum label_kind { LABEL_NONE, LABEL_RETURNS, LABEL_GOES_ON };

/* label[i], for each instruction and one entry more for the end: the label_kind of what stands before instruction i.
 * The program's first instruction is returned. */
uint32_t eval_labels(const struct gp5_program *p, bool nvidia, uint8_t *label);

/* Whether it has BRA, whose flow is none of blocks. */
bool eval_has_branches(const struct gp5_program *p);

/* The program as the driver understands labels at one place (label_merge.c): itself, or a copy; NULL where memory is
 * out. */
const struct gp5_program *eval_empty_labels(struct arena *a, const struct gp5_program *from);

/* The ENDIF of an IF that has its partner. */
static inline uint32_t eval_end_of_if(const struct gp5_program *p, uint32_t i)
{
    uint32_t end = program_insn(p, i)->dst.partner;

    return program_insn(p, end)->op == OP_ELSE ? program_insn(p, end)->dst.partner : end;
}

#endif
