/* What the second evaluator runs: values, lanes, groups. */
#ifndef GP5_TESTS_SLOW_LANE_H
#define GP5_TESTS_SLOW_LANE_H

#include "asm/program.h"
#include "tests/slow/slow.h"

enum { SLOW_WARP = 32, SLOW_CALLS = 32, SLOW_LIMIT_OF_A_LANE = 200000 };

/* What a word's halves, or a single, were made of, by the place before `place` in so deep a call (unpacked.c). */
enum slow_view_kind { VIEW_NONE, VIEW_NARROWED, VIEW_AGAIN, VIEW_PACKED, VIEW_LOW, VIEW_HIGH, VIEW_ARITHMETIC, VIEW_CLAMPED };

struct slow_view {
    uint8_t kind;
    bool open;
    bool by_unpacking;          /* UP2H made it, or a load */
    bool beside;                /* one of several halves that were loaded at once: whatever came with it stands above it */
    uint32_t place;
    unsigned calls;
    uint64_t of[2];
};

/* A component: the bits of a 32- or 64-bit value, and whether they are undefined. What comes behind is where it came from, for places that
 * look further back (tests/slow/plan.h says which do). */
struct slow_value {
    uint64_t bits;
    bool open;
    bool above;                 /* of a result: a half, above which nobody knows what stands in the variable */
    uint64_t factor[2];         /* of a product */
    bool open_factor;           /* one of these is undefined */
    uint64_t from;              /* of a reciprocal or root the operand, of a MIN with 1.0 the other operand */
    uint64_t origin;            /* of a negation */
    uint64_t beside;            /* what some see in its place (beside.c) */
    uint64_t word;              /* of a SHORT variable, whose float `bits` are: shorts.c */
    uint32_t wrote;             /* the place that wrote it and 1, or 0; in how deep a call */
    unsigned calls;
    bool word_open, under_test, half;       /* half: half arithmetic made it, whatever it stands in */
    struct slow_view view[2];   /* as a word and, in a SHORT variable, as a float */
    bool unrounded;             /* the float of a SHORT variable that a word was moved to is what that was made of */
    uint64_t words;             /* of a copy with a sign: the words, with the sign */
    bool words_open;            /* which no test may have kept back */
    int8_t side;                /* of a sum of floats: where its first term is from the negative of the other, 1 above, -1 below */
};

struct slow_flags {
    bool s, z, o, c, open;
    bool not_below, no_sign, above, below, not_above, other_carry, other_overflow, other_above;    /* tests that come out otherwise: sides.c */
};

/* A loop or a call that a lane is in. */
struct slow_block {
    uint32_t pc;                /* the place of the REP or the CAL */
    bool loop, endless;
    bool inner;                 /* a loop in that loop, that CONTs end: who is in it goes first */
    uint64_t turn, turns;       /* which iteration, of how many */
    uint64_t side;              /* with whom it goes on in this one, behind IFs that part lanes */
    uint64_t divided;           /* the turn, and 1, in which it was divided from others (schedule.c), */
    uint32_t divided_at;        /* at this place */
    uint64_t party;             /* with whom it goes on */
};

enum slow_state { LANE_RUNS, LANE_MEETS, LANE_WAITS, LANE_AT_BARRIER, LANE_ENDED };     /* WAITS: until others of its round have gone (schedule.c) */

struct slow_group;

struct slow_lane {
    struct slow_group *group;
    uint32_t index, id, warp;   /* in the group, in the warp, and which warp */
    struct slow_value (*registers)[4];
    struct slow_flags cc[2][4];
    bool resident, resident_open;   /* what the last access with SPARSE left */
    uint32_t pc;                /* a place of the plan */
    const struct slow_place *here;  /* what is executed */
    struct slow_block blocks[SLOW_CALLS * 8];
    unsigned depth, calls;
    uint64_t party;             /* with whom it goes on in main, outside of loops */
    bool back, took;            /* it came back from a call and waits for the others; by a RET that parts them */
    uint64_t if_apart;          /* its party then */
    bool called;                /* pc was called: a label that is run into returns, one that is called does not */
    bool decided;               /* which components of a result are written: these, whatever the flags are */
    unsigned decided_on;
    bool passed;                /* the last test of a jump */
    bool held;                  /* WAITS: it is next */
    uint64_t waits;             /* WAITS: since when */
    bool goes_away;             /* it took a CONT, and is about to go round apart from others */
    bool at_top;                /* WAITS: to go round */
    uint32_t chain;             /* WAITS: for the last of IFs whose tests are one */
    enum slow_state state;
    uint64_t executed;
};

struct slow_plan;
struct slow_place;

struct slow_program {
    const struct gp5_program *text;
    const struct slow_plan *plan;
    bool nvidia;
    uint32_t *first;            /* of each symbol its first register, or NO_INDEX */
    uint32_t nregisters;
    uint32_t declared;          /* symbols of the text; those behind them are elements of arrays (elements.c) */
    bool *read;                 /* of each symbol: it is an operand or an index somewhere */
    bool *indexed;              /* of each symbol: elements of it are named by computed indices */
    bool *by_address;           /* likewise, or it is an element of such an array whose indices are known after all */
    uint8_t *label;              /* a label stands before the instruction */
    uint32_t entry;
    bool in_step;               /* some lanes of a warp may come to a BAR alone (barriers.c) */
    uint8_t several;            /* components of both condition codes that are set more than once (beside.c) */
    bool divides;               /* integers of 64 bits: no result is written in turns then (in_turn.c) */
    bool in_turn;               /* nor where several set the flags that they are tested by */
};

/* The places of an IF with a BAR in it, of what stands behind its ELSE, and of its ENDIF. */
struct slow_sides {
    uint32_t begin, otherwise, end;
};

/* Lanes that left a loop together: of which warp, which loop and number of BRKs, in which rounds, and with whom they had been. */
struct slow_party {
    uint32_t warp, rep, brk;
    uint64_t before, turn, outer_turn, around;
};

/* What a warp said when all of a work group had to say the same. */
struct slow_said {
    uint32_t place, warp, time;
    uint64_t word;
    bool first;                 /* who said it first */
};

struct slow_group {
    const struct slow_program *program;
    const struct slow_launch *launch;
    struct slow_outcome *outcome;
    uint32_t id[3], size[3];
    struct slow_lane *lanes;
    uint32_t nlanes;
    uint8_t *shared;
    bool *shared_open;          /* a byte each */
    uint32_t shared_size;
    struct slow_party *parties;
    uint32_t nparties;
    uint64_t ways;              /* so many parties have gone on by themselves */
    struct slow_said *said;
    size_t nsaid;
    struct slow_sides *sides;   /* in_step */
    uint32_t nsides;
    bool *swapped;              /* of each lane and each of these, whether ELSE came first when it was there the last time */
};

#endif
