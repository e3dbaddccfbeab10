/* Flow in the second evaluator: what loops.c, calls.c, execution.c and flow.c ask of each other. */
#ifndef GP5_TESTS_SLOW_FLOW_H
#define GP5_TESTS_SLOW_FLOW_H

#include "tests/slow/plan.h"

static inline const struct slow_place *slow_place_at(const struct slow_lane *l, uint32_t pc)
{
    return &l->group->program->plan->place[pc];
}

static inline const struct insn *slow_insn_at(const struct slow_lane *l, uint32_t pc)
{
    return program_insn(l->group->program->text, slow_place_at(l, pc)->insn);
}

/* flow.c: IF, ELSE, ENDIF, BRK, CONT, CAL, CALI and RET. */
bool slow_branch(struct slow_lane *l, const struct insn *insn);
bool slow_push(struct slow_lane *l, const struct insn *insn, struct slow_block b);

/* loops.c: REP; from the end of a copy of the body; the innermost loop, without what was called in it. */
bool slow_repeat(struct slow_lane *l, const struct insn *insn);
bool slow_next_turn(struct slow_lane *l, uint32_t end);
/* By a CONT that ends a loop of its own; behind those that are not `left`. */
bool slow_go_round(struct slow_lane *l, const struct insn *insn);
void slow_leave_inner(struct slow_lane *l, uint32_t left);
/* From the top of the innermost loop that is not one of these. */
bool slow_enter_inner(struct slow_lane *l, const struct insn *insn);
struct slow_block *slow_innermost(struct slow_lane *l);
/* From the loop that a lane has just left straight to the next round of the one around it. */
bool slow_join_party(struct slow_lane *l);
/* A number for where a lane is in all that is around it. */
uint64_t slow_where(const struct slow_lane *l, uint64_t before);

/* calls.c: a call that happens, and what ends one. */
bool slow_call(struct slow_lane *l, const struct insn *insn);
/* `way`: by which RETs lanes go on together behind some calls; 0: by the end. */
bool slow_back(struct slow_lane *l, uint32_t way);

#endif
