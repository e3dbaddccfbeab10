/* What the files that find truths share: leaves.c, predicates.c, truths.c, truth_words.c (docs/numbers.md, "Comparisons in subroutines"). */
#ifndef GP5_TESTS_SLOW_LEAVING_H
#define GP5_TESTS_SLOW_LEAVING_H

#include "tests/slow/plan.h"

/* Which writes come to a place: the one at hand, others. */
enum { OWN = 1, FOREIGN = 2, BOTH = 3, NONE_YET = 4 };

/* What an instruction does with a truth. */
enum slow_truth_use { USE_WORD, USE_ASKS, USE_NUMBER, USE_COPY, USE_SIGN, USE_MAKES };

#define FROM_ELSEWHERE (1ull << 63)

/* Somebody reads a component of a variable: which writes of its part come there, as bits of a list that begins at `first`. */
struct slow_truth_read {
    uint32_t place, first, variable, symbol;
    uint32_t outside;           /* the write of an earlier part that alone comes to it, or NO_INDEX */
    uint64_t from;
    uint8_t operand, component, results, use;      /* operand 4: an index, or a call */
};

struct leaving {
    const struct slow_program *p;
    struct slow_plan *plan;
    struct slow_reach reach;
    bool *runs;                 /* of each place: it is in the main program or in a subroutine that is called */
    uint32_t *part;             /* of each place: where its part begins */
    uint32_t predicates;        /* how many run */
    uint32_t place, symbol;     /* the write at hand */
    unsigned c;                 /* and its component */
    bool in_array;              /* it goes to an element of an array, that a number names: */
    uint32_t element;
    bool elements;              /* there are such; then `firm`: a predicate that is no division of doubles */
    bool firm;
    uint8_t *behind;            /* of each first place of a subroutine, what leaves it by what comes in */
    bool together, failed;      /* both writes come to a reader */
    uint8_t *truth, *leaves, *said, *floats, *integers, *partner;
    bool *followed;             /* of each symbol: its reads are noted whatever is written to it; or NULL */
    uint8_t *signs;             /* before each place: components of both condition codes that are tested for being below zero */
    uint8_t returned_signs;     /* the same behind subroutines */
    bool choices;               /* what is written under a test is a value of its own */
    bool looks_outside;         /* a conversion in a subroutine may read what a comparison outside of it said */
    uint32_t watch;             /* where what comes is of interest */
    uint8_t seen;
    struct slow_truth_read *reads;
    uint32_t nreads, room;
    uint32_t *writes, nwrites;  /* four times a place, and its component */
};

const struct insn *slow_leaving_at(const struct leaving *x, uint32_t place);
bool slow_leaving_begins(const struct leaving *x, uint32_t place);
static inline bool slow_leaving_main(const struct leaving *x, uint32_t place)
{
    return place >= x->reach.entry && place < x->reach.main_end;
}

/* predicates.c. Whether any counts for a place: divisions of doubles behind it, in its part, do not. */
bool slow_sees_predicate(const struct leaving *x, uint32_t place);
void slow_count_predicates(struct leaving *x);
bool slow_is_over_nothing(const struct leaving *x, uint32_t place);
/* leaves.c */
/* The components of a place's result that read component c of a variable by operand k. */
unsigned slow_reads_component(const struct leaving *x, uint32_t place, unsigned k, uint32_t symbol, unsigned c);
/* Whether no other write comes to a reader together with that at hand; the same, whatever stands in its part. */
bool slow_comes_with_nothing(struct leaving *x);
bool slow_leaves_alone(struct leaving *x);
/* Whether it runs for some lanes alone; looks at so many calls in calls. */
bool slow_is_under_test(const struct leaving *x, uint32_t place, unsigned calls);
/* Whether that at hand and no other comes to a reader. */
bool slow_comes_alone(struct leaving *x, uint32_t reader);

static inline bool slow_holds_truth(const uint8_t *set, uint32_t write)
{
    return write != NO_INDEX && set[write / 4] >> write % 4 & 1;
}

/* outside.c: fills `outside`, by candidates in subroutines before that of the reader, and in the main program (`main`); whether all that a call may read is known. */
void slow_find_outside(struct leaving *x, bool main);
bool slow_is_known_call(const struct leaving *x, const struct slow_truth_read *r);

/* truths.c: the only write that comes to a read, or NO_INDEX; whether that is a truth (of logic two are: `partner`). */
uint32_t slow_truth_write(const struct leaving *x, const struct slow_truth_read *r);
bool slow_reads_truth(const struct leaving *x, const struct slow_truth_read *r);
void slow_find_truth_partners(struct leaving *x);
/* truth_outcomes.c */
void slow_hand_over_truths(struct leaving *x);
void slow_find_third(struct leaving *x);
/* A comparison of floats that may be held as a truth. */
bool slow_compares_truth(const struct leaving *x, uint32_t place);

/* flag_setters.c: a test of what a comparison of floats said. */
bool slow_tests_truth(const struct leaving *x, uint32_t place, const struct condition *test);
/* truth_flow.c */
void slow_find_truth_reads(struct leaving *x);
/* truth_elements.c: comparisons in subroutines into elements of arrays that computed indices reach. */
bool slow_compares_into_elements(const struct leaving *x);
void slow_hold_elements(struct leaving *x);
bool slow_in_loop(const struct leaving *x, uint32_t insn);
/* truths.c: components of a result that a test may keep back. */
/* Those that a test is known to keep back. */
unsigned slow_kept_back(const struct leaving *x, uint32_t place);
unsigned slow_truth_tested(const struct leaving *x, uint32_t place);
/* votes.c: what comparisons of integers say, read as floats with a sign. */
void slow_find_wholes(struct leaving *x, bool predicates);

/* wholes.c: a choice between two values, without a jump. */
bool slow_is_choice(const struct leaving *x, uint32_t place);
/* SLT of operand k and 0, which a truth is below. */
bool slow_is_below_zero(const struct slow_program *p, const struct insn *insn, unsigned k);
/* What they say that nobody takes for a number. */
bool slow_has_wholes(const struct leaving *x);
void slow_find_held(struct leaving *x);

/* used_loads.c: whether component c of a vote or a choice of the main program asks what has been loaded and used; whether the result at hand is of a later block
 * of its subroutine and main has used what it writes over. */
/* predicates.c: subroutines read it. */
bool slow_is_called_with(const struct leaving *x, uint32_t symbol);
bool slow_was_used(const struct leaving *x, uint32_t place, uint32_t symbol, unsigned c);
/* A call after which a component is what its subroutine may have written. */
bool slow_comes_from_call(const struct leaving *x, uint32_t place, uint32_t symbol, unsigned c);
/* truth_outcomes.c: AND, OR or XOR into a LONG variable of the main program. */
bool slow_joins_long(const struct leaving *x, uint32_t place);
bool slow_asks_used(const struct leaving *x, uint32_t place, unsigned c);
bool slow_copies_used(const struct leaving *x, uint32_t place, const struct operand *o, unsigned c);
bool slow_writes_over_used(const struct leaving *x);

/* truth_words.c; operand k is this number, or 0, as it is written */
bool slow_reads_number(const struct slow_program *p, const struct insn *insn, unsigned k, uint64_t number);
/* unbounded.c: somebody reads an array that registers index, or such a register has been set; main names an element by what a call has left. */
bool slow_array_is_reached(const struct leaving *x, uint32_t array);
bool slow_names_unbounded(const struct leaving *x, uint32_t place);
bool slow_joins_negative(const struct leaving *x, uint32_t place, unsigned k);
bool slow_reads_zero(const struct slow_program *p, const struct insn *insn, unsigned k);
unsigned slow_truth_operand(const struct slow_program *p, const struct insn *insn);
/* predicates.c: components whose flags are tested for being below zero */
unsigned slow_sign_is_asked(const struct leaving *x, uint32_t place);
/* Whether it takes the low word of a LONG variable for an integer. */
bool slow_reads_low_word(const struct slow_program *p, const struct insn *insn, unsigned k);
bool slow_asks_truth(const struct slow_program *p, const struct insn *insn, unsigned k);
enum slow_truth_use slow_truth_use(const struct slow_program *p, const struct insn *insn, unsigned k);
bool slow_says_truth(const struct slow_program *p, const struct insn *insn, bool doubles, bool predicates);
bool slow_takes_floats(const struct slow_program *p, const struct insn *insn, unsigned k);
/* S32 turns a truth in the main program, and no operation on integers takes what comes out. */
bool slow_turns_float(const struct leaving *x, const struct slow_truth_read *r);

#endif
