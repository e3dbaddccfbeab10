/* The program as the driver's compiler was seen to take it apart (docs/semantics.md, "Contraction of MUL and ADD"): copies of loop bodies,
 * tests that it knows, results that it computes, products that it rounds together with sums, pairs. A place is an instruction where it
 * stands in that program. Under the text's semantics the places are the instructions, one by one.
 *
 * What a place takes from an earlier one (the factors of a product, the operand of a reciprocal) comes along with the value itself, so
 * a plan only says where it is taken. */
#ifndef GP5_TESTS_SLOW_PLAN_H
#define GP5_TESTS_SLOW_PLAN_H

#include "tests/slow/place.h"

struct slow_plan {
    struct slow_place *place;
    uint32_t count, room;
    uint32_t *first;            /* of each instruction its first place, or NO_INDEX */
    struct slow_alone *alone;   /* where ways meet in an ENDIF, and variables that only one of them ever wrote */
    uint32_t nalone;
    bool failed;                /* no memory */
};

struct slow_alone {
    uint32_t place, var;
};
/* half_reach.c */
bool slow_note_alone(struct slow_plan *plan, uint32_t place, uint32_t var);

/* Whether a label stands before a place: a part of the program begins there. */
static inline bool slow_begins_part(const struct slow_program *p, const struct slow_plan *plan, uint32_t place)
{
    uint32_t insn = plan->place[place].insn;
    return p->label[insn] && plan->first[insn] == place;
}

/* few_bits.c */
void slow_divide_few(const struct slow_lane *l, const struct insn *insn, struct slow_value src[3][4], struct slow_value r[4]);
/* guards.c */
bool slow_is_guarded(const struct slow_program *p, uint32_t place);

bool slow_find_uppers(struct slow_plan *plan, const struct slow_program *p);
/* Who wrote what, as the compiler sees it: for copies of halves; for products of halves in sums; halves that were loaded; results that some
 * see otherwise. */
enum slow_told { TOLD_COPIES, TOLD_PRODUCTS, TOLD_LOADS, TOLD_VIEWS };
bool slow_find_half_reach(struct slow_plan *plan, const struct slow_program *p, enum slow_told told);
/* beside.c: whether some see component c of what a place writes otherwise; who does. */
bool slow_is_viewed(const struct slow_program *p, const struct slow_place *place, unsigned c);
bool slow_find_views(struct slow_plan *plan, const struct slow_program *p);
bool slow_plan_make(struct slow_plan *plan, const struct slow_program *p);
void slow_plan_free(struct slow_plan *plan);

/* ---- follow.c, knowledge.c, component.c: what is known ------------------------------------------------------------------------- */

/* What is known of a number that is not known itself: answers.c. */
struct slow_look {
    uint16_t sign;
    bool truth;                 /* what a comparison of integers says, or a copy or the negative of that */
    bool made;                  /* logic of truths, a choice of -1 and 0, a vote, a shuffle's predicate */
    bool reached;               /* by way of an element of an array that the text indexes by a register */
    uint32_t sum;               /* the place of an ADD or SUB plus 1, whether negated, component; or 0 */
};
#define SLOW_SUM_NEGATIVE 4u

/* What a comparison said, and how it came where it is: said.c. */
struct slow_sign {
    bool magnitude, minus;
};
struct slow_spoken {
    uint8_t what;               /* 0: nothing of the kind */
    bool half, changed;         /* the word is a half; and has another size than what said so */
    struct slow_sign sign[2];   /* put on before its size changed, and behind that */
};

struct slow_known {
    bool half;                  /* of a SHORT variable: half arithmetic made it */
    bool known, loose;          /* loose: whatever an operand is (a AND 0), and nothing is computed from it */
    bool alone;                 /* and no operand is read for it */
    uint8_t takes;              /* of a known choice that is a number: the operand that is chosen, from 1 */
    bool weak;                  /* a load filled it in with 0, or it comes of a copy: flow hangs on it, not sums and flags */
    bool faint;                 /* a load of floats filled it in, or one on the other side of a call: no divisor, and nothing for CMP */
    bool may_overflow;          /* of flags */
    bool narrow;                /* a load of signed bytes or words filled it in: a divisor of DIV.S alone */
    bool one;                   /* not known, but 1.0 to who computes floats of it (ones.c) */
    bool nothing;               /* its 32 bits are 0 to a division alone */
    bool elsewhere;             /* learnt in another block, or made of what was */
    bool widened;               /* of a LONG variable: not known, but what a known single (`bits`) became, which singles find there */
    bool computed;              /* of flags: they are the number's */
    uint32_t passes;            /* of flags: rules that pass for the sign that is known */
    uint8_t type;               /* of flags: of the result that they come from */
    uint32_t copy;              /* not 0: what has the same number holds the same, copied by MOV */
    uint32_t twin;              /* not 0: so it does, by operations on integers of this block */
    uint32_t minus;             /* not 0: it is the negative of what has this number, as a float */
    uint32_t outside;           /* not 0: what has the same number held the same in the main program, before the call, to MIN and MAX */
    struct slow_look look;
    struct slow_spoken said;
    uint32_t definition;        /* of `look`: which write it comes from */
    uint64_t bits;
};

/* Four components of each condition code and of each register. */
struct slow_knowledge {
    const struct slow_program *p;
    struct slow_known *value;
    const struct insn *now;     /* whose operands are looked at */
    uint32_t count;
    uint32_t at;                /* the place at hand, or NO_INDEX */
    uint8_t near;               /* components of condition codes that this block has set; that a sum of integers has */
    uint8_t wide_sums;          /* of 64 bits */
    uint8_t sums, spent[4];     /* of these, for each rule from CF to NOF: what a test has turned around */
    uint8_t orders, turned_orders[2];   /* those that sums of terms that nobody knows have set, while nothing flows; what tests for LT and GE have turned */
};

bool slow_knowledge_new(struct slow_knowledge *k, const struct slow_program *p);
bool slow_knowledge_copy(struct slow_knowledge *to, const struct slow_knowledge *from);
void slow_knowledge_free(struct slow_knowledge *k);
void slow_know_nothing(struct slow_knowledge *k);
void slow_begin_block(struct slow_knowledge *k);
/* Behind two ways: what both know. */
void slow_know_both(struct slow_knowledge *k, const struct slow_knowledge *other);
void slow_unknow(struct slow_knowledge *k, const struct insn *insn, unsigned kept);
/* What an instruction writes becomes what `from` knows of it. */
void slow_take_known(struct slow_knowledge *k, const struct slow_knowledge *from, const struct insn *insn);
bool slow_known_operand(const struct slow_knowledge *k, const struct operand *o, unsigned c, unsigned type, struct slow_known *out);
/* An operand of 32 bits, without its signs, that is known where doubles are computed. */
bool slow_known_narrow(const struct slow_knowledge *k, struct operand o, unsigned c, struct slow_known *out);
/* Notes such operands. */
void slow_note_narrow(const struct slow_knowledge *k, const struct insn *insn, unsigned c, struct slow_place *place);
uint64_t slow_signed_double(const struct operand *o, uint64_t bits);
/* What component c of an operand that is followed holds, or NULL. */
const struct slow_known *slow_held(const struct slow_knowledge *k, const struct operand *o, unsigned c);
/* Operands, or operands n and n + 1 of an instruction, are the same component of the same variable, or of copies of it. */
bool slow_alike(const struct slow_knowledge *k, const struct operand *a, const struct operand *b, unsigned ca, unsigned cb);
/* Whether a comparison of integers asks for two registers of which one is a copy of the other by operations on integers of this block. */
bool slow_asks_twins(const struct slow_knowledge *k, const struct insn *insn, unsigned c);
/* Makes the result such copies of what it is made of. */
void slow_note_twins(struct slow_knowledge *k, const struct insn *insn, uint32_t twin[4]);
bool slow_with_itself(const struct slow_knowledge *k, const struct insn *insn, unsigned n, unsigned c);
/* The sums whose side a test asks for. */
void slow_note_uses(const struct slow_knowledge *k, const struct insn *insn, struct slow_place *place);
/* Takes a result in; `place` (or NULL) gets what the compiler computes of it. */
void slow_follow(struct slow_knowledge *k, const struct insn *insn, struct slow_place *place);
bool slow_known_test(const struct slow_knowledge *k, const struct condition *c, bool *passes);
/* Of BRK, CONT and RET. */
bool slow_known_jump(const struct slow_knowledge *k, const struct condition *c, bool *passes);
/* Either, or for a sign that is known of what set the flags. */
bool slow_known_branch(const struct slow_knowledge *k, const struct insn *insn, bool *passes);

/* known.c: the product of two known factors; the exact logarithm of what is above zero. False: left to run time. */
bool slow_known_product(uint32_t a, uint32_t b, uint32_t *r);
bool slow_known_flushed_product(uint32_t a, uint32_t b, uint32_t *r);      /* of a MAD */
/* Of doubles, where that is no NaN. */
bool slow_known_wide_product(uint64_t a, uint64_t b, uint64_t *r);
bool slow_known_reciprocal(uint32_t a, uint32_t *r);
bool slow_known_inverse_root(uint32_t a, uint32_t *r);
/* partly.c: notes what is known of operands; puts the signs of known NaNs on; does a vector operation step by step. */
void slow_note_facts(const struct slow_knowledge *k, const struct insn *insn, struct slow_place *place);
void slow_known_nans(const struct slow_lane *l, const struct insn *insn, struct slow_value s[3][4]);
/* Whether it is computed of singles in steps of which the compiler does those whose operands it knows (summed.c). */
bool slow_knows_steps(const struct slow_program *p, const struct insn *insn);
void slow_steps(const struct slow_lane *l, const struct insn *insn, struct slow_value s[3][4], struct slow_value r[4]);
/* What the compiler makes of known operands; false: it leaves that to run time. */
bool slow_compiled(const struct slow_program *p, const struct insn *insn, struct slow_value s[3][4], unsigned c, bool has_sign,
                   uint64_t *bits);

/* ---- views.c: what a test sees of flags ---------------------------------------------------------------------------------------- */

/* Whether a block ends with an instruction; whether it ends behind its test. */
bool slow_ends_block(const struct insn *insn);
bool slow_branches(const struct slow_program *p, const struct insn *insn);
/* How a test of component i (of both condition codes) comes out, if that is known; `result`: whose test it is, NULL that of flow. */
bool slow_sees(const struct slow_knowledge *k, const struct condition *c, unsigned i, const struct insn *result, bool *passes);
/* What a test of flow, or that of a result, sees otherwise than the flags say; `place` may be NULL. */
void slow_note_flow(struct slow_knowledge *k, const struct insn *insn, struct slow_place *place);
void slow_note_test(struct slow_knowledge *k, const struct insn *insn, struct slow_place *place);
void slow_note_branches(struct slow_knowledge *k, const struct insn *insn, struct slow_place *place);
void slow_note_turns(struct slow_knowledge *k, const struct insn *insn, const struct slow_known r[4], struct slow_place *place);
void slow_note_orders(struct slow_knowledge *k, const struct insn *insn, const struct slow_known r[4], struct slow_place *place);
/* Whether a result sets the flags that several of its components are tested by; when component c is written then. */
bool slow_tests_itself(const struct slow_program *p, const struct insn *insn);
unsigned slow_turn_of(const struct insn *insn, unsigned c);
/* in_turn.c: whether results are written in turns; whether component c reads what an earlier one of the same result wrote; whether components are computed like that. */
void slow_find_turns(struct slow_program *p);
bool slow_reads_turn(const struct slow_program *p, const struct insn *insn, unsigned c);
bool slow_operand_is_turned(const struct slow_program *p, const struct insn *insn, unsigned n, unsigned c);
bool slow_computes_in_turn(const struct slow_lane *l, const struct insn *insn);
/* Flags that an instruction sets, of results that are known as r says. */
void slow_note_flags(struct slow_knowledge *k, const struct insn *insn, const struct slow_known r[4]);
/* Whether flags are a known number's; the rules that a sign lets pass. */
bool slow_is_number(const struct slow_program *p, const struct insn *insn, const struct slow_known *v);
/* A result of 64 bits in a single register. */
bool slow_is_narrowed(const struct slow_program *p, const struct insn *insn);
/* And a rule of its own: nothing above 0 comes out. */
enum { SLOW_NOT_ABOVE_PASSES = 31,
    /* what branches alone know: no sign is there, GE passes, GE and GT fail */
    SLOW_SIGNLESS = 30, SLOW_RAISED = 29, SLOW_LOWERED = 28 };
uint32_t slow_carryless(const struct slow_program *p, const struct insn *insn);
uint32_t slow_always(const struct slow_program *p, const struct insn *insn, const struct slow_known *v);
/* An integer that is the negative of something (negatives.c). */
bool slow_is_negative(const struct slow_knowledge *k, const struct insn *insn, unsigned c);

/* ---- answers.c --------------------------------------------------------------------------------------------------------------- */

/* Whether an instruction compares elements of arrays that the text indexes by a register alone. */
bool slow_asks_elements(const struct slow_program *p, const struct insn *insn);
struct slow_look slow_look_at_result(const struct slow_knowledge *k, const struct insn *insn, unsigned c);
/* The terms of a sum of floats: operands, and whether they are taken with the other sign. */
bool slow_terms(const struct slow_knowledge *k, const struct insn *insn, unsigned c, unsigned term[2], bool minus[2]);
/* An integer comparison that an absolute value decides. */
bool slow_is_faint_negative(const struct slow_knowledge *k, const struct insn *insn, unsigned n, unsigned c);
bool slow_compares_absolute(const struct slow_knowledge *k, const struct insn *insn, unsigned c, uint64_t *bits);
/* CMP of 64 bits with an absolute value chooses its last operand. */
bool slow_chooses_last(const struct slow_knowledge *k, const struct insn *insn, unsigned c);
void slow_note_answers(const struct slow_knowledge *k, const struct insn *insn, unsigned c, const struct slow_known *v, struct slow_look x,
                       struct slow_place *place);

/* ---- skips.c: CONTs that are nothing or an IF --------------------------------------------------------------------------------- */

/* The first CONT of a loop without a test and in no IF, which ends its body; or ENDREP. */
uint32_t slow_body_end(const struct gp5_program *text, uint32_t rep);
/* Whether the instruction at i is a CONT that everybody takes at the end of a body: nothing, as what stands behind it. */
bool slow_ends_body(const struct slow_knowledge *k, const struct insn *insn, uint32_t i);

/* The one jump of a loop, where that is a CONT under a test in no IF and before other instructions: these are an IF's; or NO_INDEX. */
uint32_t slow_skipping_cont(const struct gp5_program *text, uint32_t rep);
/* Whether it is one that lets its loop have rows of copies. */
bool slow_skips(const struct slow_knowledge *k, uint32_t rep, uint32_t i);

/* ---- rounds.c: how often loops run ------------------------------------------------------------------------------------------- */
/* Whether so many copies of the body stand in the place of the loop. */
bool slow_copies(const struct slow_knowledge *k, const uint32_t *costs, uint32_t rep, uint32_t *count);
bool slow_has_phases(const struct slow_knowledge *k, const uint32_t *costs, uint32_t rep, struct slow_phases *phases);

/* ---- counters.c -------------------------------------------------------------------------------------------------------------- */

bool slow_find_counter(const struct gp5_program *p, uint32_t rep, struct slow_counter *c);
/* How often it runs, from the words of its first comparison's operands. */
uint64_t slow_counter_turns(const struct slow_counter *c, uint64_t operand0, uint64_t operand1);

/* ---- reach.c: blocks, and what is read later ---------------------------------------------------------------------------------- */

enum { SLOW_ACTS = 16 };        /* beside components: what an instruction does is seen elsewhere */

struct slow_reach {
    const struct slow_program *p;
    const struct slow_plan *plan;
    uint32_t nvars, words, entry, main_end;
    uint64_t *live;             /* before each place */
    uint64_t *returned;         /* behind any call */
    uint64_t *callers;          /* behind the calls of each label, by the instruction that it stands before */
    uint8_t *useful;            /* of each place: components that anybody reads, SLOW_ACTS */
    uint8_t *flags;             /* of each place: components of the condition code that it sets that anybody looks at */
    uint8_t *asked;             /* the same without tests that are known */
    bool *leads;                /* a block begins */
    bool nests;                 /* a subroutine comes to itself, or calls by a number, or there are 32: a call in one may be too deep */
    uint8_t *passing;           /* the same as `useful` where tests for carries that are known are no reads */
    uint8_t *settled;           /* and where all tests that are known are none, and numbers are made of nothing */
    bool sharp, only_passing;   /* tests for carries that are known are no reads; what fails writes all the same */
    bool all_tests;             /* nor are any that are known */
    bool numbers;
};

bool slow_reach_new(struct slow_reach *r, const struct slow_program *p, const struct slow_plan *plan);
void slow_reach_free(struct slow_reach *r);
/* Components that are numbers, which are made of nothing. */
uint8_t slow_numbers(const struct slow_place *place);
/* NO_INDEX: not followed. */
uint32_t slow_variable(const struct slow_program *p, unsigned kind, uint32_t symbol, bool indexed, unsigned c);
bool slow_in_set(const uint64_t *set, uint32_t var);
/* The components of operand k that are read, when what is `useful` of a result is needed. */
unsigned slow_reads(const struct slow_program *p, const struct insn *insn, unsigned k, uint8_t useful);
/* Components of operand k of CMP that a known choice leaves out. */
unsigned slow_left_out(const struct slow_program *p, const struct slow_place *place, unsigned k);
/* Components that an instruction may write, whatever its mask says. */
uint8_t slow_written(const struct slow_program *p, const struct insn *insn);

/* Whether a call may be one of the label in front of an instruction. */
bool slow_calls(const struct slow_program *p, const struct insn *insn, uint32_t label);
/* plan_calls.c. Marks what runs from a part's first place on, and what that calls. */
void slow_mark_runs(const struct slow_program *p, const struct slow_plan *plan, uint32_t place, bool *runs);

/* reach_flow.c. Whether a label stands before a place, or it is the end; whether a loop as it stands has rounds for certain. */
bool slow_is_label(const struct slow_reach *r, uint32_t place);
bool slow_has_first_round(const struct slow_program *p, const struct slow_place *rep, const struct insn *insn);
/* What is read behind a place. */
void slow_live_behind(const struct slow_reach *r, uint32_t place, uint64_t *set);
/* Where a call comes back to: that is what its subroutine's callers want, where the text runs into a label there. */
void slow_live_returned(const struct slow_reach *r, uint32_t call, uint64_t *set);
/* Where a place goes on, but for calls and returns; `to` may be the plan's end. */
unsigned slow_successors(const struct slow_program *p, const struct slow_plan *plan, uint32_t place, uint32_t to[8]);

/* order.c: fills in `swapped`. */
bool slow_find_order(struct slow_plan *plan, const struct slow_program *p);

/* truths.c: fills in `leaves` and its like. */
bool slow_find_leaving(struct slow_plan *plan, const struct slow_program *p);
/* clamped_sums.c: keeps in `above` the sums that are 1 where they are no numbers. */
bool slow_find_clamped_sums(struct slow_plan *plan, const struct slow_program *p);
/* truth_words.c: what comes out where a truth is so, or is not; `below`: a negative one. And as a lane runs: results, and the first operand. */
uint64_t slow_of_truth(const struct slow_program *p, const struct insn *insn, bool truth, bool below);
bool slow_make_of_truths(struct slow_lane *l, const struct insn *insn, struct slow_value r[4]);
/* The operand that may be what a comparison of integers says, read as a float with a sign; -1: none (votes.c). */
int slow_signed_truth(const struct slow_program *p, const struct insn *insn, unsigned c);
uint64_t slow_of_whole(const struct slow_program *p, const struct insn *insn, unsigned c);
bool slow_view_truths(struct slow_lane *l, const struct insn *insn, unsigned k, struct slow_value operand[4]);
bool slow_ask_truths(struct slow_lane *l, const struct insn *insn, struct slow_value first[4]);
/* wholes.c: CMP.U and XOR of what a comparison of integers says; whether a loop stands between two places, or nothing that one may come to alone. */
bool slow_compute_whole(struct slow_lane *l, const struct insn *insn, struct slow_value r[4]);
struct slow_reach;
bool slow_loop_between(const struct slow_reach *r, uint32_t from, uint32_t to);
bool slow_stands_beside(const struct slow_reach *r, uint32_t from, uint32_t to);
/* said.c: whether each component of a vote's operand says yes, whatever number it is; in halves or not. */
bool slow_counts_said(struct slow_lane *l, const struct insn *insn, bool half, struct slow_value word[4]);
/* votes.c: completes the truths of votes. */
bool slow_find_votes(struct slow_plan *plan, const struct slow_program *p);

/* ---- apart.c: which lanes go on apart ------------------------------------------------------------------------------------------ */

void slow_find_apart(struct slow_plan *plan, const struct slow_program *p);

/* ---- left_words.c ---------------------------------------------------------------------------------------------------------- */

/* What an operation on words leaves of operand k in component c: all of it; the lower half, or what is one beside a mask; the upper half. */
enum { LEFT_NOTHING, LEFT_ALL, LEFT_LOW, LEFT_MASKED, LEFT_HIGH };
unsigned slow_left_of(const struct slow_program *p, const struct slow_place *here, const struct insn *insn, unsigned c, unsigned *k);
/* Both operands are the same register as it is. */
bool slow_is_same_register(const struct operand *a, const struct operand *b);

/* ---- joined.c ---------------------------------------------------------------------------------------------------------------- */

bool slow_join(struct slow_plan *plan, const struct slow_program *p);
/* own_copies.c: MIN and MAX of copies that are computed all the same. */
bool slow_find_own_copies(struct slow_plan *plan, const struct slow_program *p);
/* held.c: the operand that a product with a known 1.0 or -1.0 (then `flip`) copies in component c, or -1. */
int slow_copied_factor(const struct slow_program *p, const struct slow_place *place, const struct insn *insn, unsigned c, bool *flip);
/* copied.c: the components that operand k is chosen for; the factor that y of a DST is a copy of, or -1. */
unsigned slow_chosen_from(const struct slow_place *here, unsigned k);
int slow_copied_distance(const struct slow_lane *l, const struct insn *insn, bool *flip);
/* The operand that component c copies, signs put on, or -1. */
int slow_copied_operand(const struct slow_program *p, const struct slow_place *place, unsigned c, struct operand *o);
/* The same with a sign, which a choice puts on words, whatever its test says; and where no test keeps it back. */
bool slow_copies_with_sign(const struct slow_program *p, const struct slow_place *place, unsigned c, struct operand *o);
bool slow_signed_copy(const struct slow_program *p, const struct slow_place *place, unsigned c, struct operand *o);
/* 1/4 and 1/8, which with 2.0 are one factor of RFL. */
static inline bool slow_is_scale(uint32_t word)
{
    return word == 0x3e800000 || word == 0x3e000000;
}
/* summed.c: the rounds that a component is made in; 0: none is a sum that could take a product in. */
unsigned slow_summed(const struct slow_program *p, const struct slow_place *place, unsigned c, struct slow_rounding rounds[SLOW_ROUNDINGS]);
/* doubled.c: numbers for operands that are the same; the operand (and the sign put on it) that 2.0 a - a is, or -1. */
void slow_note_alike(const struct slow_knowledge *k, const struct insn *insn, struct slow_place *place);
bool slow_is_double_less_once(const struct slow_program *p, const struct slow_place *place, const struct slow_number factor[2], const struct slow_number *z,
                              bool negative, const struct slow_number *copies, struct slow_number *copy);
/* Computes what is made of rounds where a sum takes a product in. */
bool slow_compute_summed(struct slow_lane *l, const struct insn *insn, struct slow_value s[3][4], struct slow_value result[4]);
/* pairs.c: the operand of a MIN or MAX beside the literal 0 or 1; -1: there is none. */
int slow_beside(const struct slow_program *p, const struct slow_place *place, unsigned c);

#endif
