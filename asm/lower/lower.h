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

/* The temporaries. 32-bit: M.x the lanes that take part, M.y a lane, M.z M.w what is at hand; T.x and T.y what a
 * shuffle gives; V the values and results; W halves of 64-bit values. 64-bit: D.x what is at hand, L the values and
 * results. */
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

/* ---- small parts that the families share (lower_parts.c) --------------------------------------------------------- */

typedef char lower_operand_text[128];
enum { LOWER_WARP = 32 };
extern const char lower_letters[4];     /* x y z w */

void lower_need(struct lowering *l, enum gp5_option option);
/* M.x: the lanes that execute this. */
void lower_active_lanes(struct lowering *l);
/* A temporary's component, as text. */
const char *lower_name(const struct lowering *l, enum lower_temporary t, char c, lower_operand_text text);
/* The components that the result has. */
unsigned lower_components(const struct lowering *l, unsigned list[4]);
const char *lower_move_of(const struct lowering *l);
/* The type of arithmetic, and PREC for sums and products of floats. */
const char *lower_type_suffix(const struct lowering *l, bool precise);
/* Integers of 8 and 16 bits: `to` becomes the low bits of `from`, extended to a word. */
bool lower_is_small(const struct lowering *l);
void lower_extend(struct lowering *l, const char *to, const char *from);
/* Where values and results stand: V, L if they have 64 bits. */
enum lower_temporary lower_values(const struct lowering *l);

/* A shuffle of a value of whatever size into T.y (.xy: with the predicate in T.x), of 64 bits into D.x; and its
 * name. */
void lower_shuffle(struct lowering *l, const char *op, const char *mask, const char *value, const char *index,
                   unsigned clamp);
const char *lower_shuffled(struct lowering *l, lower_operand_text text);
/* A shuffle straight to component c of the result. */
void lower_shuffle_to_result(struct lowering *l, const char *op, const char *value, const char *index, unsigned clamp,
                             unsigned c);
bool lower_cluster_size(struct lowering *l, unsigned k, uint32_t *size);
/* A statement with one %s: once for every component of the result. */
void lower_spread(struct lowering *l, const char *statement);

/* ---- the families ------------------------------------------------------------------------------------------------ */

/* lower_shuffle.c */
void lower_move_all(struct lowering *l, const char *op, const char *index, unsigned clamp);
void lower_plain_shuffle(struct lowering *l, const char *op, unsigned clamp);
void lower_first(struct lowering *l);
void lower_rotate(struct lowering *l, bool clustered);
void lower_shuffle_nv(struct lowering *l, const char *op, bool up);
/* lower_scan.c */
void lower_scan(struct lowering *l);
/* lower_equal.c */
void lower_all_equal(struct lowering *l);
void lower_partition(struct lowering *l);
/* lower_ballot.c */
void lower_vote(struct lowering *l, const char *op);
void lower_ballot(struct lowering *l);
void lower_of_ballot(struct lowering *l, const char *op, const char *lanes);
void lower_ballot_bit(struct lowering *l);
void lower_elect(struct lowering *l);
void lower_variable(struct lowering *l);

/* ---- operands and results ---------------------------------------------------------------------------------------- */

/* lower_operand.c: operand k, component c of it (after the swizzle), as text that any number of statements may read:
 * the operand itself where that is a plain register, else a copy in V or L. */
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
