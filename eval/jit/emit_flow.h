/* Between emit_flow.c and emit_loop.c. */
#ifndef GP5_EVAL_NATIVE_FLOW_H
#define GP5_EVAL_NATIVE_FLOW_H

#include "eval/jit/jit_internal.h"
#include "eval/jit/x86_scalar.h"

/* Registers: the planes (rdi is the vectors' base), frames, the active lanes, the warp, instructions and lanes. */
enum {
    FLOW_PLANES = RBX,
    FLOW_FRAMES = RBP,
    FLOW_ACTIVE = R12,
    FLOW_WARP = R13,
    FLOW_EXECUTED = R14,
    FLOW_LANES = R15
};

/* Places in the frames of blocks. */
static inline size_t flow_frame(uint32_t depth, size_t field)
{
    return depth * sizeof(struct frame) + field;
}

static inline size_t flow_restore(uint32_t depth)
{
    return flow_frame(depth, offsetof(struct frame, restore));
}

static inline size_t flow_other(uint32_t depth)
{
    return flow_frame(depth, offsetof(struct frame, other));
}

static inline struct native_block *flow_innermost(struct native_builder *b)
{
    return &b->blocks[b->depth - 1];
}

/* emit_flow.c: instructions are counted for the lanes that have been active since the last count. */
void eval_flow_count(struct native_builder *b);
void eval_flow_masks(struct native_builder *b);
/* A section begins with the planes that stand in registers now, and ends: its last step is counted apart. */
void eval_flow_remember(struct native_builder *b, struct native_block *block);
void eval_flow_end(struct native_builder *b, const struct step *s);
/* Where no lane is left: to the end of the innermost section. Every NaN is canonical. */
void eval_flow_leave_if_empty(struct native_builder *b);
/* A call, and what is to be done after it. */
void eval_flow_call(struct native_builder *b, uintptr_t function);
void eval_flow_set_up(struct native_builder *b);
/* Whether the sides of an IF run without a jump. */
bool eval_flow_is_short(const struct native_builder *b, uint32_t first);
void eval_flow_translate(struct native_builder *b, const struct step *s);

/* emit_loop.c */
void eval_flow_begin_loop(struct native_builder *b, const struct step *s);
void eval_flow_next_pass(struct native_builder *b, const struct step *s);
void eval_flow_end_loop(struct native_builder *b, const struct step *s);
void eval_flow_leave_loop(struct native_builder *b, const struct step *s);

#endif
