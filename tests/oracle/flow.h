/* Flow in the oracle: what flow.c, loop.c and call.c ask of each other. */
#ifndef GP5_TESTS_ORACLE_FLOW_H
#define GP5_TESTS_ORACLE_FLOW_H

#include "tests/oracle/internal.h"

/* flow.c: IF, ELSE, ENDIF, BRK, CONT, CAL, CALI and RET. */
bool oracle_branch(struct oracle_lane *l, const struct insn *insn);
bool oracle_push(struct oracle_lane *l, const struct insn *insn, struct oracle_block b);

/* loop.c: REP; from the end of an iteration; the innermost loop, without what was called in it; out of it. */
bool oracle_repeat(struct oracle_lane *l, const struct insn *insn);
bool oracle_next_iteration(struct oracle_lane *l);
struct oracle_block *oracle_innermost(struct oracle_lane *l);
void oracle_leave_loop(struct oracle_lane *l);

/* call.c: a call that happens, and what ends one. */
bool oracle_call(struct oracle_lane *l, const struct insn *insn);
void oracle_return(struct oracle_lane *l);

#endif
