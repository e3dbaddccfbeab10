/* A place of the program as the driver's compiler takes it apart (plan.h): an instruction where it stands there, and what is known of it. */
#ifndef GP5_TESTS_SLOW_PLACE_H
#define GP5_TESTS_SLOW_PLACE_H

#include "tests/slow/internal.h"

enum { SLOW_PHASES = 3 };
enum { SLOW_ALONE = UINT32_MAX };

/* A loop without a count that counts for itself: counters.c. */
struct slow_counter {
    uint32_t comparison;                /* what it begins with; or the addition itself, on whose flags it leaves (`sum`) */
    uint32_t test;                      /* the BRK, or an IF around it: copies stay there */
    bool when_passed;                   /* the IF's other side leaves */
    uint32_t brk, first, last;          /* the BRK; the body behind the test, up to where */
    unsigned operand, component;        /* of the comparison: the counter; where its result goes */
    unsigned ends;                      /* the comparison that ends the loop, counter first */
    bool is_signed, sum;
    bool before;                        /* it is counted before it is compared */
    int64_t step;
    uint32_t add;                       /* the instruction that counts */
    bool known;                         /* how often it runs: */
    uint64_t turns;
};

/* A loop in phases: each has so many copies of the body, and runs while so many rounds are left; with `once` the first one at the beginning alone. */
struct slow_phases {
    uint32_t rounds[SLOW_PHASES];       /* UINT32_MAX: there is no such phase */
    bool once;
    bool counts;                        /* by itself */
    struct slow_counter counter;
};

enum slow_pair { SLOW_NO_PAIR, SLOW_PAIR_COPY, SLOW_PAIR_ROOT, SLOW_PAIR_RSQ };

enum slow_outcome_of_test { TEST_LOOKED_AT, TEST_PASSES, TEST_FAILS };

/* A number in a round of a result (summed.c): component c of an operand, what an earlier round gave, `bits`, or component c of an operand that the
 * instruction has written before. */
struct slow_number {
    enum { NUMBER_OPERAND, NUMBER_ROUND, NUMBER_BITS, NUMBER_BACK } from;
    uint8_t operand, c, round;
    bool negative;
    uint32_t bits;
};

/* What is rounded once: a b, a b + z, a + z, or 1 / a. */
struct slow_rounding {
    enum { ROUND_PRODUCT, ROUND_BOTH, ROUND_SUM, ROUND_INVERSE } what;
    struct slow_number a, b, z;
    uint8_t slot;               /* sums of the same slot are the same sum; from SLOW_SLOTS on none of them is a sum */
    bool shared;                /* a product that goes into no sum */
};

enum { SLOW_ROUNDINGS = 12, SLOW_SLOTS = 8 };

/* What a sum takes in. */
struct slow_taken {
    bool product, own;          /* of what its number `z` or `a` holds; own: of an earlier round */
    bool second;                /* it is z */
    bool negative, half;        /* half: its factors are rounded to half */
    bool magnitude;             /* without their signs */
    bool unrounded, other_negative, other_magnitude;    /* what it is added to is a product of halves, made as one of singles; with the other sign, without one */
};

/* Where tests of the flags that a place sets come out otherwise than its result says: components. */
struct slow_answers {
    uint8_t not_below;          /* GE and NSF pass, LT does not */
    uint8_t no_sign;            /* NSF passes, SF does not */
    uint8_t above, below;       /* GT passes; LT */
    uint8_t not_above;          /* LE passes, GT does not */
    uint8_t positive, signless; /* there is no sign; nor is it a NaN, and denormals are no zeros */
    uint32_t sum[4];            /* GT and LT ask for the side of a sum (struct slow_look) */
};

struct slow_place {
    uint32_t insn;
    uint32_t block;
    uint8_t useful;             /* components that anybody reads */
    uint32_t to;                /* where its jump goes; of REP: behind the loop */
    uint32_t again;             /* ENDREP: the next round; NO_INDEX: at the beginning of a phase */
    uint32_t loop;              /* the REP around it, or NO_INDEX */
    uint32_t phase[SLOW_PHASES];
    bool phased;                /* REP */
    bool parts;                 /* IF: its sides do not meet before the round ends */
    bool returns;               /* REP, CAL: those that leave it, or come back in different ways, go on by themselves until they return */
    bool once;                  /* CAL: so they do once somebody took a RET with a number */
    uint32_t way_back;          /* RET: a number for those who go on together behind such a CAL; 0: as those do who come to the end; SLOW_ALONE: who take it at once */
    bool called_apart;          /* the first one of a subroutine that lanes may call apart from others */
    bool comes_apart;           /* likewise: that has calls behind which they do not meet */
    bool schedules;             /* REP: such an IF stands in it */
    bool predicated;            /* IF: there is but arithmetic in it */
    uint32_t chain;             /* IF that parts: a number for those whose tests are one; 0: its own test */
    bool goes_on;               /* it is not the last of these */
    uint32_t inners;            /* REP: so many loops begin with its body that CONTs end */
    bool inner;                 /* CONT: ends one */
    bool loose;                 /* REP: nobody waits at the end of a round */
    uint32_t away;              /* CONT: who takes it goes round from there, apart from the others; 0: no such CONT */
    bool divides;               /* this place is such a one */
    uint8_t among;              /* first of a subroutine: lanes come to it while others are elsewhere: 1: no, 2: yes, 0: nobody asked */
    uint32_t behind;            /* what stands behind one: how many of the others are still to come, and 1 */
    uint32_t party;             /* BRK: those that leave by BRKs of the same number go on by themselves; 0: no such BRK */
    struct slow_phases phases;
    bool straight;              /* flow that is not there any more: no block ends */
    uint8_t outcome;            /* of a test that is known: enum slow_outcome_of_test */
    bool packed;                /* of PK2US: what it packs is not known */
    uint8_t absolute_word;      /* of an unsigned word that becomes a single: components that are absolute values */
    uint8_t computed, alone;    /* components that are `word`; among them those for which no operand is read */
    uint8_t takes[4];           /* of those of a CMP: the operand that is chosen, from 1 */
    uint8_t known;              /* components of 64 bits that are known, computed or not */
    uint8_t settled_number;     /* those that are a number to whoever asks what is read; not what a difference of the same gives */
    uint8_t known_short;        /* components of a SHORT variable that are written with numbers */
    uint8_t chosen[3];          /* components that are an operand's: divided by zero, a known choice of CMP, MIN and MAX of the same */
    uint8_t swapped;            /* components whose first two operands change places: order.c */
    uint8_t settled;            /* components whose test of a condition code is known */
    bool in_turn;               /* components are written one after the other, and see what the ones before set */
    uint8_t as_before;          /* but not these */
    uint8_t one[3], minus[3];   /* of what multiplies floats: components of an operand that are known to be 1.0, or (minus) -1.0 */
    uint8_t passes, fails;      /* components whose test is known to pass, to fail */
    uint8_t fixed, fixed_passes, turned;        /* components of a condition code whose test is known whatever the flags are; which pass; that
                                                 * come out the other way round */
    uint8_t inverse;            /* components of a result whose test is found the other way round */
    uint8_t choice;             /* components of a result that are a known number or what was there */
    uint8_t negative;           /* of CMP: components whose first operand is the negative of something */
    uint8_t part;               /* of MAD the product of the factors is `word`, of POW the logarithm of the base, of DIV the divisor's reciprocal */
    uint8_t number[3], absolute[3];     /* of integer sums that set flags: operands that are known; absolute values of 64 bits */
    uint8_t sums;               /* components that are such a sum, or a copy of one as a float */
    uint8_t as_one[3];          /* components of an operand, before the swizzle, that are read as 1.0 */
    uint8_t bare[3];            /* and those of an operand -|a| that are a itself */
    uint32_t ends, next_end[4]; /* what becomes 1.0 behind this place: four times the place that wrote it and the component, plus 1, or 0; of these the next one */
    uint8_t above;              /* of a sum with .SAT: components that are 1 and more, if they are numbers */
    uint8_t flags_above;        /* those whose flags are of 1.0 then */
    uint8_t unclamped;          /* of RCP.F64 and DIV.F64 with .SAT: components whose clamp nobody sees */
    uint8_t asks, less;         /* of SGT and SLT: components that ask for the side of a sum, in `uses`; whether it is below zero */
    struct slow_answers answers;
    uint32_t uses[4];           /* sums whose side a test here asks for */
    uint8_t truths;             /* of a vote: components that are what a comparison of integers says */
    uint8_t said, said_half;    /* of a vote: components that count by what a comparison said; those that are halves (said.c) */
    uint32_t made[4];           /* of a vote: what made its operand out of truths, four times the place and the component, plus 1; or 0 */
    uint8_t negates;            /* components that are a copy's negation, whose operand is remembered */
    uint8_t restored;           /* components that are what a negation was made of */
    uint8_t on_words;           /* copies with a sign: components that put it on the words of another such copy */
    uint8_t undone, undone_of[4];       /* components that are the negation of a negation; of which operand */
    uint8_t fact[3];            /* of doubles and vectors: components of operands that are known, signs and all, in `facts` (partly.c) */
    uint64_t facts[3][4];
    uint8_t alike[3][4];        /* of vectors with 2.0 among them: what holds the same but for a sign has the same number above 0 */
    uint8_t of_words[2];        /* of MOV under a test: components that are the words of a copy with a sign; of CMP: components whose second, third operand is the words of a copy with a sign */
    uint8_t same;               /* of a copy with a sign under a test: components that hold that copy already */
    uint8_t over_words;         /* of a result under a test: components that are written over such a copy */
    uint8_t upper;              /* of MOV, ABS and CVT to F16: components whose operand may have been made a half (uppers.c) */
    uint8_t leaves;             /* components that are 1 or -1 in the place of 1.0 and -1.0 (truths.c) */
    uint8_t third;              /* of a CMP: components that are its third operand, since the first one is a truth that is not negative */
    uint8_t of_truth, below;    /* components that are made of truths, whatever their words are; of negative ones */
    uint8_t flipped;            /* whose sign S32 turns as if it were a float's */
    uint8_t views[3], lower[3]; /* components whose operand is seen as the number that a truth says; of negative ones */
    uint32_t of_integers[4];    /* of what reads floats with a sign: what made its operand, as `made` */
    uint8_t whole;              /* components that are made of what a comparison of integers says */
    uint8_t answered;           /* of a comparison: components whose answer is known */
    uint8_t counts;             /* of CMP: components whose first operand is 1 or -1 in the place of such a number */
    uint8_t anywhere;           /* operands of floats that are constants where registers say that are not known */
    bool placed;                /* of LDC: registers that say where are known */
    uint8_t zero[2];            /* of MUL and MAD of doubles: components whose factor is known to be 0 */
    uint8_t narrow[3];          /* of an operation on doubles: components whose operand of 32 bits is known */
    uint8_t narrow_zero[2], narrow_one[2];      /* of a MAD: that is a factor, and 0, and 1.0 or -1.0 */
    uint8_t bounds[2];          /* of MIN and MAX: components of an operand that are known to be 1.0, or 0 */
    uint8_t over, over_minus;   /* of DIV: what is divided is known to be 1.0, or (over_minus) -1.0 */
    uint8_t pair;               /* what a pair makes of the first one's operand: enum slow_pair */
    uint8_t clamps;             /* of MAX: components that clamp what a MIN took */
    bool moved, negated;        /* that operand has a sign; which is a negation alone */
    uint8_t shorts[3];          /* operands that are SHORT variables: components that are known, before the swizzle; their halves */
    uint16_t halves[3][4];
    uint64_t word[4];
    uint32_t made_by[3][4];     /* likewise the place whose product of halves it may be */
    uint8_t cut[3];             /* components of operands, before the swizzle, that another block copied to, and are a half here (half_joins.c) */
    uint32_t seen[3][4];        /* of operands' components, after the swizzle: the place whose half it may be a copy of, plus 1; 0: none (half_reach.c) */
    uint32_t viewed[3][4];      /* likewise: the place whose result is seen otherwise (beside.c) */
    struct slow_taken taken[SLOW_SLOTS];
};

#endif
