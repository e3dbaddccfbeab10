/* How values are followed that show which of two doubles comes first (order.c). */
#ifndef GP5_EVAL_ORDER_H
#define GP5_EVAL_ORDER_H

#include "eval/liveness.h"
#include "eval/sources.h"

enum source { FROM_OTHER_SIDE, FROM_CONSTANT, FROM_BUFFER, FROM_FIRST_LOAD, FROM_LOADED, FROM_RESULT };

/* Where ways meet: so many places there are of each instruction. */
enum meeting { AT, BEHIND_CALLS, NEXT_ROUND, MEETINGS };

/* Where a component's value was made: four times the instruction and the component. */
struct origin {
    uint32_t at;                /* through copies; or NO_INDEX */
    uint32_t own;               /* what wrote the variable */
    uint32_t met, slot;         /* of several, or of a copy of such: where they met, MEETINGS times the instruction and which place, or NO_INDEX; in which variable */
    uint8_t from;
    bool several;               /* ways lead here with different values */
    bool copied;                /* a copy of what ways lead to with different values */
    bool other_side;            /* the side of an IF that is not taken gives the variable another value */
    bool outer;                 /* in a subroutine: the callers made it */
    bool called;                /* a call's result is among them */
};

/* An IF or a loop around. */
struct surrounding {
    uint32_t begin;             /* the IF or REP */
    bool loop, dead;            /* dead: nobody comes to it */
    struct origin *before;
    struct origin *behind;      /* of an IF what its first side left, of a loop what those had who are out; NULL: nobody */
    struct origin *next;        /* what those had who are on to the next round, or NULL */
};

struct walk {
    struct decoder *d;
    const struct liveness *live;
    uint32_t *slot;             /* of each symbol: its first origin, or NO_INDEX */
    uint32_t nslots;
    struct origin *now;
    struct origin **entered;    /* of each instruction: what stands before it when it is called first, or NULL */
    uint32_t *caller;           /* of each: the first call */
    uint8_t *several;
    uint8_t *in_sub;            /* of each origin: whether a subroutine writes it */
    struct vec around;          /* struct surrounding */
    bool dead;                  /* nobody comes here */
    uint64_t *widened;          /* of each variable of 32 bits: when it was last made a double, and `stretch` above */
    uint32_t stretch;           /* of straight-line code: conversions hold as long as one lasts */
    uint32_t *stretch_of;       /* of each instruction */
    uint32_t meeting;           /* the place where ways meet now */
    uint8_t **again;            /* of each place: origins whose several values meet others elsewhere; or NULL */
    uint8_t *webbed;            /* of each instruction: components that meet others */
    uint8_t *order;             /* of each instruction: components whose first two operands change places */
    uint32_t first[4];          /* of each component: the first load of it that anybody reads, 4 times the instruction and it; or NO_INDEX */
    uint8_t **changes;          /* of each REP: origins that another round brings others for; or NULL */
    bool learnt;                /* other values come to a subroutine or a round, or meet, than in the walk before */
    bool failed;
};

/* Of what nothing is known. */
extern const struct origin eval_order_unknown;

/* ---- order_meet.c: where ways meet -------------------------------------------------------------------------------------- */

/* The place of a component in `now`, or NO_INDEX. */
uint32_t eval_order_slot(const struct walk *w, uint8_t kind, uint32_t ref, bool indexed, unsigned c);
/* Notes that a value meets others; that two meet. */
void eval_order_web(struct walk *w, const struct origin *o);
void eval_order_web_both(struct walk *w, const struct origin *a, const struct origin *b);
/* Whether anybody reads the component from instruction `insn` on. */
bool eval_order_wanted(const struct walk *w, uint32_t insn, uint32_t symbol, unsigned c);
/* Notes that several values meet others elsewhere than they met each other; whether they do. */
void eval_order_note_again(struct walk *w, const struct origin *o);
bool eval_order_is_again(const struct walk *w, const struct origin *o);
/* Different values meet in variable `slot`. */
void eval_order_make_several(struct walk *w, struct origin *o, uint32_t slot);
/* Whether two are one value, or several that met in the same place. */
bool eval_order_is_same(const struct origin *a, const struct origin *b);
/* Two values of one variable, `slot`, if anybody reads it from there on. */
void eval_order_meet(struct walk *w, struct origin *a, const struct origin *b, uint32_t slot, bool is_wanted);
struct origin *eval_order_copy(struct walk *w, const struct origin *from);
/* One more way to a place before instruction `insn`; `from` NULL: nobody comes. */
void eval_order_come(struct walk *w, struct origin **there, const struct origin *from, uint32_t insn);
/* What stands here; NULL: nobody comes here. */
const struct origin *eval_order_here(const struct walk *w);
/* Goes on with what came to a place, which is taken. */
void eval_order_go_on(struct walk *w, struct origin **from);
/* The innermost IF or loop around, or NULL. */
struct surrounding *eval_order_top(const struct walk *w);
void eval_order_open(struct walk *w, uint32_t i, bool loop);
void eval_order_close(struct walk *w);

/* ---- order_flow.c: branches, loops and calls ---------------------------------------------------------------------------- */

/* Whether nothing between two instructions but an IF (TR) makes a block end: such a side of an IF is computed without a jump. */
bool eval_order_is_straight(const struct walk *w, uint32_t from, uint32_t to);
/* From the first instruction to the last one. */
void eval_order_walk(struct walk *w);

/* ---- order_ranks.c: which operand comes first --------------------------------------------------------------------------- */

bool eval_is_ordered(const struct insn *insn);
/* An instruction that is no flow: finds its order, and notes what it writes. */
void eval_order_step(struct walk *w, uint32_t i, const struct insn *insn);

#endif
