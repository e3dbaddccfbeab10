/* What the files share that find where lanes go on apart (reconverge.c). */
#ifndef GP5_EVAL_PARTING_SEARCH_H
#define GP5_EVAL_PARTING_SEARCH_H

#include "model/reconverge/reconverge.h"

/* An IF of a pass: the one around it, or itself; what stands in its sides; whether ELSE came. */
struct within {
    uint32_t around;
    uint8_t has[2];
    bool in_else;
};

struct reconverge {
    struct model *d;
    uint8_t *marks;             /* enum split_mark, of each instruction */
    struct within *within;      /* of each IF */
};

static inline const struct insn *reconverge_insn(const struct reconverge *p, uint32_t i)
{
    return program_insn(p->d->p, i);
}

/* IF whose test lanes answer for themselves. */
static inline bool reconverge_is_if(const struct reconverge *p, uint32_t i)
{
    return reconverge_insn(p, i)->op == OP_IF && reconverge_insn(p, i)->dst.partner != NO_INDEX &&
           model_form(p->d, i) == FORM_PLAIN;
}

/* loop_body.c. What stands in each IF of a pass, between two instructions. Whether lanes decide a CONT of the pass. */
bool model_look_into_ifs(struct reconverge *p, uint32_t from, uint32_t to);
/* Whether a jump or an IF takes what a comparison with a number says. */
bool model_compares_with_number(const struct reconverge *p, uint32_t i);
/* Whether CONTs alone in an IF and those in it fold into one with more conditions. */
bool model_conts_fold(const struct within *w);
bool model_has_conts_alone(const struct within *w);
/* Whether one of these stands in an ELSE side. */
bool model_goes_otherwise(const struct within *w);
/* continue_loop.c. REP: how many inner loops its body begins with, that CONTs end. */
bool model_find_nested(struct reconverge *p);
/* uniform_loop.c. EXIT_UNIFORM: votes and comparisons with numbers alone decide who leaves a loop, and no IF with a
 * CONT in it is decided by a vote; where lanes may come to it `among` others, nor a CONT in an IF. EXIT_COUNTED: one
 * with CONTs by vote in IFs, but what is compared is counted elsewhere than at the BRK: to the compiler lanes that go
 * round apart count for themselves, and leave it so. */
enum loop_exit { EXIT_DIVERGENT, EXIT_COUNTED, EXIT_UNIFORM };
enum loop_exit model_loop_exit(const struct reconverge *p, uint32_t rep, uint32_t end, bool among);
/* CONT that a vote decides. */
bool model_goes_round_by_vote(const struct reconverge *p, uint32_t i);
/* uniform_entry.c. Whether lanes decide a jump, or the IF that it stands in alone, for themselves. */
bool model_decides_by_lane(const struct reconverge *p, uint32_t i);
/* Of each REP in `within`, has[1]: lanes may come to it while others of their warp are elsewhere. */
bool reconverge_uniform_entries(struct reconverge *p);
/* The IFs with a CONT in the pass of a loop between two instructions. */
void model_part_pass(struct reconverge *p, uint32_t from, uint32_t to, bool counted);
/* IFs that are no branches. */
void model_find_predicated(struct reconverge *p);
/* Whether a CONT stands between them, of a loop around both. */
bool model_has_cont(const struct reconverge *p, uint32_t from, uint32_t to);

/* loop_exit.c. An endless loop that is the last thing in the body of another one, by its end. */
void model_part_loop(struct reconverge *p, uint32_t end);
/* Endless loops that begin with a RET: those that stand in no other block; not in front of another one that begins with
 * a RET. */
void model_part_returns(struct reconverge *p, const uint8_t *labels, uint32_t entry);

/* loop_jump.c. Sides of IFs that stand behind the loop. */
void model_part_exits(struct reconverge *p);

#endif
