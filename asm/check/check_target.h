/* Units, targets and texel offsets of texture and image instructions: asm/check/check_texture.c reads them,
 * asm/check/check_target.c judges them. */
#ifndef GP5_ASM_CHECK_TARGET_H
#define GP5_ASM_CHECK_TARGET_H

#include "asm/check/check_internal.h"

void check_resource(struct checker *c, const struct operand *o);
/* `second`: a vector more than usual was read. */
void check_texture_target(struct checker *c, const struct insn *insn, const struct operand *unit, bool second);
void check_image_target(struct checker *c, const struct insn *insn);
void check_offsets(struct checker *c, const struct insn *insn);
/* A texture unit has one target in a program; said at the end of the statement. */
void check_unit(struct checker *c, const struct insn *insn, const struct operand *o);

#endif
