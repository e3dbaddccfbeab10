/* From OPTION GP5_subgroup to plain NV_gpu_program5: what the files of the lowering share.
 *
 * A statement becomes a few. They use temporaries of their own, never one of the program's; all of them are dead
 * between statements, so that they are shared. A condition code register is used only where the program uses it
 * nowhere; what can be done without one is, where there is none. */
#ifndef GP5_ASM_LOWER_H
#define GP5_ASM_LOWER_H

#include "asm/program.h"

/* A growing text; `failed` when memory ran out. */
struct lower_text {
    char *bytes;
    size_t size, capacity;
    bool failed;
};
void lower_put(struct lower_text *text, const char *bytes, size_t size);

/* The temporaries. 32-bit: M.x the lanes that take part, M.y a lane, M.z M.w what is at hand; T.x and T.y what a shuffle
 * gives; V the values and results; W halves of 64-bit values. 64-bit: D.x what is at hand, L the values and results. */
enum lower_temporary { LOWER_M, LOWER_T, LOWER_V, LOWER_W, LOWER_D, LOWER_L, LOWER_TEMPORARIES };

struct lowering {
    const struct gp5_program *p;
    bool allow_internal;
    int cc;                     /* the free condition code register, or -1 */
    uint64_t options;           /* that the new statements need */
    unsigned used;              /* a bit a temporary */
    char name[LOWER_TEMPORARIES][24];

    const struct insn *insn;    /* the one at hand */
    struct lower_text out;      /* its statements, a line each */
    const char *refusal;        /* why it cannot be lowered, or NULL */
};

/* Appends a statement. %M %T %V %W %D %L stand for the temporaries; %d a number, %u one without sign, %s a text. */
void lower_emit(struct lowering *l, const char *format, ...);

/* lower_group.c: the statements for l->insn. */
void lower_instruction(struct lowering *l);

/* lower_operand.c: operand k, component c of it (after the swizzle), as text that any number of statements may read: the
 * operand itself where that is a plain register, else a copy in V or L. */
const char *lower_value(struct lowering *l, unsigned k, unsigned c, char text[128]);
/* The first component of operand k as an unsigned word; a copy goes to `spare` ("%W.z"). */
const char *lower_word(struct lowering *l, unsigned k, const char *spare, char text[128]);
/* A literal that is a whole number without a sign, and which. */
bool lower_literal(const struct lowering *l, unsigned k, uint32_t *value);
/* Where component c of the result goes: the destination if one statement may write it, else V or L. */
const char *lower_target(struct lowering *l, unsigned c, char text[128]);
/* Whether that is a component y of the destination or anything that a shuffle may write in place. */
bool lower_target_is_y(const struct lowering *l, unsigned c);
bool lower_is_direct(const struct lowering *l);
/* What remains to be done when the results stand in V or L. */
void lower_finish(struct lowering *l);
bool lower_is_wide(const struct lowering *l);

#endif
