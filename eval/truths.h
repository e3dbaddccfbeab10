/* Truths: what comparisons of floats say, where the driver's compiler holds it as a predicate and forgets what number it was to be
 * (docs/numbers.md, "Comparisons in subroutines"). */
#ifndef GP5_EVAL_TRUTHS_H
#define GP5_EVAL_TRUTHS_H

#include "eval/liveness.h"

/* Of each instruction, components. */
struct truths {
    bool any;                   /* the program has predicates */
    uint8_t *held;              /* that stand as 1 or -1 in the place of 1.0 or -1.0: in subroutines */
    uint8_t *made;              /* that are made of truths, not of their words */
    uint8_t *below;             /* made of negative ones */
    uint8_t *turned;            /* of a sign that S32 puts on: that nobody takes for an integer, so that it is a float's */
    uint8_t *asks;              /* whose first operand is held so and asked for its number */
    uint8_t *third;             /* of a CMP: that take the third operand, since the first one is no negative truth */
    uint8_t *whole;             /* whose operand is what a comparison of integers says, and nothing takes that for a number (whole_truths.c) */
    uint8_t *words;             /* of a vote: whose operand is such a comparison's word, though no other write comes to it */
    uint8_t *tested;            /* whether it runs under a test: in an IF, or in a subroutine that is called so (under_tests.c) */
    uint8_t *views, *lower;     /* three of each instruction: whose operand is seen as a number of the instruction's type; a negative one */
};

/* What an instruction does with a component of an operand: takes the word, asks whether it is true, takes the number that it says as one of
 * its own type, makes a copy or one with a sign, makes something of it. */
enum truth_use { TRUTH_WORD, TRUTH_ASKED, TRUTH_VIEWED, TRUTH_COPIED, TRUTH_SIGNED, TRUTH_MADE };

struct truth_read {
    uint32_t insn, first;       /* `first`: where the writes of its variable begin in `writes` */
    uint32_t variable, symbol;
    uint32_t outside;           /* the one write that comes to it from other parts, all that does: four times an instruction, and its component; or NO_INDEX */
    uint64_t from;              /* those that come to it, by bits; TRUTH_ELSEWHERE: others do too */
    uint8_t operand, component; /* of the instruction; of the register */
    uint8_t results;            /* components of the result that read it */
    uint8_t use;                /* enum truth_use */
    bool main;
    uint32_t before;            /* the read of the same instruction before it, and 1 */
};

#define TRUTH_ELSEWHERE (1ull << 63)

/* Programs of more instructions, copies of loops' bodies among them, are not looked at: the work grows with results times blocks. */
enum { TRUTH_MOST_INSTRUCTIONS = 4096 };

struct truth_search {
    struct decoder *d;
    const struct gp5_program *p;
    const struct liveness *l;
    uint32_t *next_of, *next;   /* of each block, and of the end, where those that follow it in its part begin in `next`: the main program or a subroutine */
    uint8_t *returns;           /* of each block: what stands behind its subroutine may follow */
    uint32_t *named_of, *named; /* of each symbol, and of the end, where the instructions that name it begin in `named` */
    uint32_t *marked, mark;     /* of each block: `mark` where it names the symbol at hand */
    uint8_t *calls;             /* of each block: it calls */
    uint8_t *passes;            /* of each: a part begins with it that is gone through to an end */
    uint8_t *called;            /* of each instruction: a subroutine that is called begins with it */
    uint32_t *part;             /* of each instruction: where its part begins */
    uint8_t *behind;            /* what comes out of a subroutine, by its first block and what comes in */
    uint8_t *looped;            /* of each instruction: it stands in a loop that is not taken apart */
    uint8_t *truth;             /* of each instruction: components that are taken for truths as yet */
    uint8_t *leaves;            /* and those that somebody may read when the subroutine has ended */
    uint8_t *said;              /* components that are known to be what a comparison says, whoever reads them */
    uint8_t *floats;            /* components of the result that arithmetic of floats reads */
    uint8_t *integers;          /* and of integers */
    bool *followed;             /* of each symbol: who reads what is told of it though it holds no truth; or NULL */
    uint8_t *partner;           /* two of each instruction: components of the result whose other operand is a truth */
    struct vec reads, writes;   /* struct truth_read; uint32_t: four times an instruction, and its component */
    uint32_t *last_read;        /* of each instruction: the last of its reads, and 1 */
    uint32_t at, variable;      /* the write at hand, and the component */
    unsigned component;
    uint32_t array, element;    /* in the place of a variable, or NO_INDEX: the array that the write at hand names an element of, and which */
    bool elements;              /* there are such writes */
    uint32_t firm;              /* predicates but for divisions of doubles; counted where there are such writes */
    uint32_t predicates, divisions;     /* counted until there are more than divisions of doubles, which are the only ones that may not count */
    uint32_t setter[2];         /* of each condition code: what set it last before the instruction at hand, or NO_INDEX */
    uint32_t set_at[2];         /* and where: of a subroutine's, the call */
    uint32_t (*sets_last)[2];   /* of each label: what sets each condition code last behind it, or in what is called there, or NO_INDEX */
    uint8_t *signs;             /* before each instruction: components of both condition codes that are tested for being below zero */
    uint8_t signs_returned;     /* the same where subroutines have ended */
    uint8_t looked_at;          /* condition codes that the main program tests */
    uint8_t told;               /* those that something tests for more than carry and overflow */
    uint32_t watch;             /* where what comes is of interest */
    uint8_t seen;
    bool looks_outside;         /* a conversion from a half in a subroutine may read what a comparison outside of it said */
    bool chooses;               /* writes under a test are choices, values of their own */
    bool merged, failed;
};

static inline bool eval_in_main(const struct truth_search *s, uint32_t i)
{
    return i >= s->l->entry && i < s->l->main_end;
}

/* A conversion of numbers of less than 32 bits: it takes the word of an element. */
static inline bool eval_converts_narrow(const struct insn *insn)
{
    return insn->op == OP_CVT && type_table[insn->type2].bytes < 4;
}

static inline bool eval_is_truth(const struct truth_search *s, uint32_t write)
{
    return s->truth[write / 4] >> write % 4 & 1;
}

/* The write of the lowest bit of `from`, some of those that come to a read: four times an instruction, and its component. */
static inline uint32_t eval_write_of(const struct truth_search *s, const struct truth_read *r, uint64_t from)
{
    return *(const uint32_t *)vec_at(&s->writes, r->first + (size_t)__builtin_ctzll(from));
}

/* Whether a result may be one, as far as its variable tells; a comparison that may, as far as its instruction tells. */
bool eval_may_hold_truth(const struct gp5_program *p, const struct result *r);
bool eval_makes_truth(const struct truth_search *s, const struct insn *insn);
uint8_t eval_truth_tested(const struct truth_search *s, uint32_t insn);
/* Components of a result that a test is known to keep back. */
uint8_t eval_kept_back(const struct truth_search *s, uint32_t insn);

/* whole_truths.c: what comparisons of integers say, after all else; whether the program has any, and who asks. */
bool eval_find_whole_truths(struct truth_search *s);
bool eval_asks_whole_truths(const struct decoder *d);
/* A write under a test, by LDB too, that is a choice between two values, and no way of its own: nothing jumps over it. */
bool eval_is_choice(const struct truth_search *s, uint32_t insn);
/* The operand of an XOR in `whole` that is one. */
unsigned eval_turning_truth(const struct decoder *d, const struct insn *insn);

/* truth_outside.c: of what subroutines read that they have not written, `outside`: candidates in parts that stand before theirs in the text, the main program first
 * (`main`: in that too). */
void eval_find_outside(struct truth_search *s, bool main);
/* Whether a read is a call, and what subroutines read of the variable is all told. */
bool eval_is_followed_call(const struct truth_search *s, const struct truth_read *r);
/* Of what another part says about integers: whether a reader hears it. One in a later block of its subroutine, behind a load, a store, an IF or a loop that has no number or is left, does not, but
 * a vote hears a comparison, nor do any where the main program loads or stores three times behind it; a comparison with what is in no variable a vote hears whoever else reads it. */
bool eval_hears_outside(const struct truth_search *s, const struct truth_read *r, uint32_t write);
void eval_tell_compared(struct truth_search *s, const struct truth_read *r);
/* truth_flags.c: condition codes that something tests for more than carry and overflow, which copies never set. */
uint8_t eval_told_more(const struct truth_search *s);
/* truth_joins.c: AND, OR and XOR of what comparisons said, in the main program. */
uint8_t eval_joins_itself(const struct truth_search *s, const struct insn *insn);
bool eval_joins_negative(const struct truth_search *s, uint32_t at, unsigned k);
bool eval_joins_long(const struct truth_search *s, uint32_t insn);
/* truth_settle.c: the one write that comes to a read, or NO_INDEX. */
uint32_t eval_only_write(const struct truth_search *s, const struct truth_read *r);
/* Which of the candidates are truths, and what comes of them. */
void eval_settle_truths(struct truth_search *s);

/* Fills the decoder's `truths`. */
bool eval_find_truths(struct decoder *d);
void eval_truths_free(struct decoder *d);

/* truth_reads.c: who reads what, in all parts. */
bool eval_truth_reads(struct truth_search *s);
/* Components of a register that a result's components are made of, by operand k. */
uint8_t eval_truth_components(const struct truth_search *s, uint32_t insn, unsigned k, unsigned component);
/* Components of the result that read one of operand k. */
uint8_t eval_components_reading(const struct truth_search *s, uint32_t insn, unsigned k, unsigned component);
/* The same of the component at hand of the element at hand, or of what may be it. */
uint8_t eval_element_components(const struct truth_search *s, uint32_t insn, unsigned k);

/* truth_elements.c: whether comparisons in subroutines write elements of arrays by number; which of these are held. */
bool eval_compares_into_elements(const struct truth_search *s);
void eval_hold_elements(struct truth_search *s);
/* Whether what is named is the element at hand, or may be. */
bool eval_may_be_element(const struct truth_search *s, uint8_t kind, uint32_t ref, uint32_t index, unsigned nindices);

/* predicates.c: what the compiler holds as a predicate in the program, and those of it behind an instruction in its part that do not count. */
void eval_count_predicates(struct truth_search *s);
/* Whether subroutines read a variable, so that the main program loads it anew in each block. */
/* Whether a call leaves a component of a variable that its subroutine may write. */
bool eval_call_leaves(const struct truth_search *s, uint32_t insn, uint32_t symbol, unsigned component);
bool eval_is_called_with(const struct truth_search *s, uint32_t symbol);
bool eval_has_predicates(const struct truth_search *s, uint32_t insn);

/* flag_setters.c: whether a test asks what a comparison of floats said (in a subroutine: `called`), so that the compiler holds a predicate; what sets
 * the condition codes, instruction by instruction. */
bool eval_tests_comparison(const struct truth_search *s, uint32_t insn, const struct condition *test, bool called);
/* Whether nothing that somebody needs stands on either side of an IF, nor in one on them. */
bool eval_decides_nothing(const struct truth_search *s, uint32_t at);
/* Before setters are followed: fills `sets_last`. */
void eval_find_last_setters(struct truth_search *s);
void eval_follow_setters(struct truth_search *s, uint32_t insn);

/* used_loads.c: components of a vote or a choice of the main program that ask what its block has loaded and used; whether the main program has used
 * what the component at hand held before its subroutine was called, in which another block writes it. */
uint8_t eval_asks_used(const struct truth_search *s, uint32_t insn);
/* Whether component c of the register that an instruction of the main program copies is such a load. */
bool eval_copies_used(const struct truth_search *s, uint32_t insn, const struct operand *o, unsigned c);
bool eval_is_used(const struct truth_search *s, uint32_t insn, uint32_t symbol, unsigned component);
bool eval_writes_over_used(const struct truth_search *s);

/* truth_flags.c: fills `signs`; the components of the condition code that an instruction sets whose flags are tested for being below zero. */
void eval_find_sign_tests(struct truth_search *s);
uint8_t eval_sign_is_asked(const struct truth_search *s, uint32_t insn);

/* truth_blocks.c: which blocks follow each other; marks those that name a symbol. */
bool eval_find_ways(struct truth_search *s);
void eval_free_ways(struct truth_search *s);
void eval_mark_symbol(struct truth_search *s, uint32_t symbol);

/* truth_ways.c: whether no other write comes to any reader together with that at hand, when its subroutine has ended. */
bool eval_leaves_alone(struct truth_search *s);
/* Fills `passes`. */
void eval_find_passes(struct truth_search *s);
/* Whether nothing else comes to any reader together with it. */
bool eval_meets_nothing(struct truth_search *s);
/* Whether the one at hand and no other comes to a reader. */
bool eval_comes_alone(struct truth_search *s, uint32_t reader);
/* Components of the condition code that an instruction sets whose flags may be looked at when its part has ended, or there once more. */
uint8_t eval_flags_leave(const struct truth_search *s, uint32_t insn);

/* under_tests.c: fills `tested`. */
void eval_find_under_tests(struct truth_search *s);

/* truth_steps.c: the components of an instruction that are truths or made of them; those are taken out of `mask`. Planes stand without gaps.
 * What they are made of may be overwritten between the two calls. */
struct truth_words {
    uint8_t mask, held;
    uint32_t number[4], truth[4];
};
bool eval_compute_truths(struct decoder *d, const struct insn *insn, uint8_t *mask, struct truth_words to[3]);
bool eval_write_truths(struct decoder *d, const struct insn *insn, const struct truth_words to[3]);
/* Whether the instruction at hand sees an operand so. */
bool eval_views_truths(const struct decoder *d);
/* In the place of operand k's planes what truths say, for components in `needs` of the result. */
bool eval_view_truths(struct decoder *d, const struct insn *insn, unsigned k, uint8_t needs, uint32_t plane[4]);
/* In the place of the first operand's planes, the numbers, for components in `mask` of the result. */
bool eval_ask_truths(struct decoder *d, uint8_t mask, uint32_t plane[4]);
/* truth_uses.c: what an instruction does with operand k. */
enum truth_use eval_truth_use(const struct decoder *d, const struct insn *insn, unsigned k);
/* Whether operand k is a number in the program's text, as a word of the instruction's type; whether it is 0. */
bool eval_is_written(const struct gp5_program *p, const struct insn *insn, unsigned k, uint64_t number);
/* unbounded.c: whether an instruction of the main program names an element by a register that a call has left. */
bool eval_names_unbounded(const struct truth_search *s, uint32_t at);
bool eval_is_zero(const struct gp5_program *p, const struct insn *insn, unsigned k);
/* Whether it takes the low word of a LONG variable for an integer: in the main program that is 1. */
bool eval_reads_low_word(const struct decoder *d, const struct insn *insn, unsigned k);
/* Whether it asks for the truth, so that the compiler holds it as a predicate. */
bool eval_truth_is_asked(const struct decoder *d, const struct insn *insn, unsigned k);
/* Truth as a number of a type, or its negative. */
uint64_t eval_truth_number(uint8_t type, bool negative);
/* The operand that is a truth; what comes out where it is true and where not (`below`: it is a negative one). */
unsigned eval_truth_operand(const struct decoder *d, const struct insn *insn);
uint64_t eval_truth_outcome(const struct decoder *d, const struct insn *insn, unsigned k, bool truth, bool below);
/* Whether it takes operand k for a float, and would take its sign along. */
bool eval_takes_floats(const struct gp5_program *p, const struct insn *insn, unsigned k);
bool eval_takes_integers(const struct insn *insn, unsigned k);
/* A conversion that is made of the truth whoever else reads its word; `doubles`: of a comparison of such. */
bool eval_says_truth(const struct gp5_program *p, const struct insn *insn, bool doubles, bool predicates);

#endif
