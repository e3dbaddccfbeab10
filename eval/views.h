/* What some instructions see of a result otherwise than as it is (views.c). */
#ifndef GP5_EVAL_VIEWS_H
#define GP5_EVAL_VIEWS_H

#include "eval/decode.h"

/* Of each instruction's operands, by component after the swizzle: what wrote it, 4 times the instruction and the component, where that is seen otherwise; or
 * NO_INDEX. Of each instruction where that is kept, by component of its result: a plane, NO_PLANE if nobody asks. */
struct views {
    uint32_t (*of)[3][4];
    uint32_t (*kept)[4];
};

/* Components of a result that some readers see otherwise. */
uint8_t eval_viewed(const struct decoder *d, uint32_t insn);
bool eval_find_views(struct decoder *d);
void eval_views_free(struct views *v);
/* Before an instruction is decoded: keeps what is seen of it. */
bool eval_keep_views(struct decoder *d, uint32_t insn);
/* In an operand's components, after the swizzle and resized, what the instruction at hand sees. */
void eval_take_views(const struct decoder *d, const struct operand *o, uint8_t type, uint8_t needed, uint32_t plane[4]);

#endif
