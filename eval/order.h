/* How values are followed that show which of two doubles comes first (order.c). */
#ifndef GP5_EVAL_ORDER_H
#define GP5_EVAL_ORDER_H

#include "eval/liveness.h"
#include "eval/shared_map.h"
#include "eval/sources.h"

enum source { FROM_OTHER_SIDE, FROM_CONSTANT, FROM_BUFFER, FROM_COPIED, FROM_HALVES, FROM_FIRST_LOAD, FROM_ROOT, FROM_LOADED, FROM_DIVIDED, FROM_RESULT };

/* Where ways meet: so many places there are of each instruction. */
enum meeting { AT, BEHIND_CALLS, NEXT_ROUND, MEETINGS };

/* Integers of 64 bits are computed in halves, each a register of its own, and a load that only such results meet is two registers as well. */
#define MANY (NO_INDEX - 1)

/* Where a component's value was made: four times the instruction and the component. */
struct origin {
    uint32_t at;                /* through copies; or NO_INDEX */
    uint32_t own;               /* what wrote the variable */
    uint32_t alone;             /* the one load among integers of 64 bits; NO_INDEX: these alone; MANY: others as well */
    uint32_t met, slot;         /* of several, or of a copy of such: where they met, MEETINGS times the instruction and which place, or NO_INDEX; in which variable */
    uint32_t part;              /* the part that made it: another one than that at hand, its callers did */
    uint8_t from;
    bool several;               /* ways lead here with different values */
    bool copied;                /* a copy of what ways lead to with different values */
    bool turned;                /* a copy that may have another sign, by an operation on doubles, or of another type */
    bool other_side;            /* the side of an IF that is not taken gives the variable another value */
    bool called;                /* a call's result is among them */
    bool changed;               /* a call has made it of what stood there */
};

/* The origins of variables where somebody comes. */
struct origins {
    struct shared_map of;
    bool any;
};

/* An IF or a loop around. */
struct surrounding {
    uint32_t begin;             /* the IF or REP */
    bool loop, dead;            /* dead: nobody comes to it */
    uint32_t side;              /* of an IF: 1 more than what begins the side at hand; of a loop that around it */
    uint32_t phase, phases;     /* of a loop: where the phase at hand begins, and so many have ended */
    bool copies;                /* it is unrolled, and a copy has ended */
    bool carries;               /* and one of these has left other values than stood before the loop */
    uint32_t copy;              /* the first instruction of the copy at hand */
    uint32_t stretch;           /* of straight-line code, in front of it */
    bool small[PHASES];         /* of its phases (order_phases.c) */
    struct shared_map before;
    struct origins behind;      /* of an IF what its first side left, of a loop what those had who are out */
    struct origins next;        /* what those had who are on to the next round */
};

/* Variables that another round brings others for, and the same four together. */
struct changing_round {
    struct shared_bits slots, fours;
    struct shared_bits others;  /* of `slots` those that not integers of 64 bits alone are brought for */
};

/* What the text behind a label reads, as far as the next one; of one that calls others nothing is known. */
struct part_reads {
    struct shared_bits of;
    bool any;
};

/* How often a value is made and read as one register of 64 bits, and how often in halves: two registers of 32 bits, as integers of 64 bits are computed. */
struct halving {
    uint32_t whole, halves;
};

/* What a component is where the operations of a phase are counted (order_phases.c): what another one with the same identity is. */
enum { IS_OTHER = 1, IS_VARIABLE, IS_NUMBER };
struct identity { uint32_t how, of; };
struct valued { uint32_t sizing; struct identity is; };

/* Which value a variable of 32 bits holds, through copies: known in the side of an IF where it was written (1 more than that instruction), as far as no loop, label or
 * call comes. */
struct single { uint32_t value, side, epoch; };

/* Who reads a component of a result in its block, behind it: the first, the last, and the last that needs it where it stands (order_readers.c). */
struct readers_of_value {
    uint32_t first, last, here;
};

/* Anybody before some instruction, or behind it; somebody who needs it there, or apart from where it was made, and that behind the instruction. */
struct readers {
    bool before, behind, needs, needs_behind;
};

struct walk {
    struct decoder *d;
    const struct liveness *live;
    uint32_t *slot;             /* of each symbol: its first variable, or NO_INDEX: it is not followed */
    struct shared_map now;      /* of each variable; eval_order_get */
    struct origins *entered;    /* of each instruction: what stands before it when it is called */
    struct shared_map *last;    /* and what the last call brought */
    uint32_t *caller;           /* of each: the first call */
    struct part_reads **reads;  /* of each that several calls come to, or NULL */
    struct shared_map in_sub;   /* of each variable: what subroutines do to it (order_called.c) */
    uint32_t part;              /* the one at hand */
    bool in_main;
    struct vec around;          /* struct surrounding */
    bool dead;                  /* nobody comes here */
    uint32_t last_load;         /* of this block, which BRK, CONT and RET end too; or NO_INDEX */
    uint8_t *ends_loads;        /* of each instruction: it is the last load of its block, as the walk before found */
    uint8_t *needed;            /* of each instruction: components of its result that anybody reads, of any copy of it */
    struct single *singles;     /* of each variable of 32 bits, and behind them of each element of an array that registers name */
    uint32_t *elements;         /* of each symbol: the first of its elements there, or NO_INDEX */
    uint32_t parameters;        /* the first parameter there: eight for each number, those of program.local and program.env */
    uint32_t nsingles;
    uint64_t *widened;          /* of each such value (a variable, or 4 times the instruction and the component above them): when it was last made a double, and
                                 * `stretch` above */
    struct readers_of_value *readers;   /* of each component of a result */
    uint32_t *next_part;        /* of each instruction: the first one from there on that acts on memory, or the end */
    uint8_t *leads;             /* of each instruction: for each component, in two bits, the first one that holds the same value */
    uint8_t *closed;            /* of each IF and ELSE: its side has ended */
    uint32_t epoch;             /* goes up where loops, labels and calls are */
    uint32_t stretch;           /* of straight-line code: conversions hold as long as one lasts */
    uint32_t *stretch_of;       /* of each instruction */
    uint32_t meeting;           /* the place where ways meet now */
    struct shared_bits *again;  /* of each place: variables whose several values meet others elsewhere */
    uint32_t block, *block_of;  /* the one at hand, that of each instruction: stretches, which BRK, CONT and RET end too */
    int64_t *made_at;           /* of each component: when the register of 32 bits that it was copied from became a double, or 0 */
    uint32_t *replaces;         /* of each component: the first of the values that it replaces in another round of a loop, or NO_INDEX */
    uint8_t *webbed;            /* of each instruction: components that meet others */
    uint8_t *brought;           /* and those that meet what a loop's rounds bring */
    bool at_head;               /* these meet now */
    uint8_t *halved;            /* of each load: components that meet integers of 64 bits alone */
    uint8_t *met_whole;         /* of each instruction: components that meet what is no load and not made in halves */
    uint8_t *chosen;            /* components that a test chooses, not in loops, and not what a caller made */
    struct halving *reads_of, *reads_before;    /* of each component: in this walk, in the one before */
    bool halves;                /* any are made, read or met in halves */
    uint8_t *order;             /* of each instruction: components whose first two operands change places */
    uint32_t first[4];          /* of each component: the first load of it that anybody reads, 4 times the instruction and it; or NO_INDEX */
    struct changing_round **changes;    /* of each REP, or NULL */
    bool keeps_loads;           /* loads are no results where they meet others (order_flow.c) */
    bool loads_again;           /* the program loads from one address twice (order_loads.c) */
    struct valued *valued;      /* of each variable */
    uint32_t sizings;           /* so many phases have been counted */
    bool learnt;                /* other values come to a subroutine or a round, or meet, than in the walk before */
    bool failed;
};

/* Of what nothing is known. */
extern const struct origin eval_order_unknown;

/* ---- order_meet.c: where ways meet -------------------------------------------------------------------------------------- */

/* Origins as maps keep them: what is not known is zero. */
struct origin eval_order_unpack(const void *packed);
void eval_order_pack(const struct origin *o, void *packed);
size_t eval_order_packed_size(void);
struct origin eval_order_get(const struct shared_map *m, uint32_t slot);
void eval_order_put(struct walk *w, uint32_t slot, const struct origin *o);

/* The variable of a component that is followed, or NO_INDEX. */
uint32_t eval_order_slot(const struct walk *w, uint8_t kind, uint32_t ref, bool indexed, unsigned c);
/* What is alone where two meet. */
static inline uint32_t eval_order_alone(const struct origin *a, const struct origin *b)
{
    return a->alone == b->alone || b->alone == NO_INDEX ? a->alone : a->alone == NO_INDEX ? b->alone : MANY;
}
/* Notes that a value meets others; that two meet. */
void eval_order_web(struct walk *w, const struct origin *o);
void eval_order_web_both(struct walk *w, const struct origin *a, const struct origin *b);
/* Whether anybody reads the component from instruction `insn` on. */
bool eval_order_wanted(const struct walk *w, uint32_t insn, uint32_t slot);
/* Notes that several values meet others elsewhere than they met each other; whether they do. */
void eval_order_note_again(struct walk *w, const struct origin *o);
bool eval_order_is_again(const struct walk *w, const struct origin *o);
/* Different values meet in variable `slot`. */
void eval_order_make_several(struct walk *w, struct origin *o, uint32_t slot);
/* Whether two are one value, or several that met in the same place. */
bool eval_order_is_same(const struct origin *a, const struct origin *b);
/* Two values of one variable, `slot`, if anybody reads it from there on. */
void eval_order_meet(struct walk *w, struct origin *a, const struct origin *b, uint32_t slot, bool is_wanted);
/* One more way to a place before instruction `insn`; `from` NULL: nobody comes. */
void eval_order_come(struct walk *w, struct origins *there, const struct shared_map *from, uint32_t insn);
/* One more call to a label: what it brings otherwise than the `last` one, of which several values count as one. */
void eval_order_come_again(struct walk *w, struct origins *there, struct shared_map *last, uint32_t label);
void eval_order_drop(struct origins *o);
/* What stands here; NULL: nobody comes here. */
const struct shared_map *eval_order_here(const struct walk *w);
/* Goes on with what came to a place, which is taken. */
void eval_order_go_on(struct walk *w, struct origins *from);
/* The innermost IF or loop around, or NULL; the innermost loop. */
struct surrounding *eval_order_top(const struct walk *w);
struct surrounding *eval_order_loop(const struct walk *w);
void eval_order_open(struct walk *w, uint32_t i, bool loop);
void eval_order_close(struct walk *w);

/* ---- order_loads.c: loads from one address ------------------------------------------------------------------------------ */

/* Whether there are any; false: out of memory. */
bool eval_order_find_again(struct walk *w);

/* ---- order_phases.c: small phases of loops ------------------------------------------------------------------------------- */

/* In a program that loads from one address twice: finds the phases of a loop that begins that are small. */
void eval_order_size_phases(struct walk *w, struct surrounding *f);
/* Whether the first side of an IF has few operations. */
bool eval_order_is_short(struct walk *w, uint32_t from, uint32_t to);
/* The REP of the loop around whose phase at hand is small, or NO_INDEX. */
uint32_t eval_order_small_loop(const struct walk *w);
/* Whether the last phase is at hand, it is small, each round takes the variable from the one before, and it has been written in this phase, or the phase
 * before it is small as well. */
bool eval_order_is_carried(const struct walk *w, uint32_t slot);

/* ---- order_reads.c: who reads what --------------------------------------------------------------------------------------- */

/* Components of a result that are of use where what is known has been computed. */
static inline uint8_t eval_order_settled(const struct walk *w, uint32_t i)
{
    return w->live->settled ? w->live->settled[i] : w->live->useful[i];
}

/* Whether the subroutine behind a label may read a variable. */
bool eval_order_part_reads(struct walk *w, uint32_t label, uint32_t slot);
/* Counts how often an instruction reads values as a whole and in halves: for those of its result that anybody reads. */
void eval_order_count_reads(struct walk *w, uint32_t i, const struct insn *insn);
/* A choice between a value and another one, which a test makes, reads it in halves. */
void eval_order_count_choice(struct walk *w, const struct origin *now);
/* What making a component adds to its reads; false: it is one register, whoever reads it. */
bool eval_order_made(const struct walk *w, uint32_t at, struct halving *made);
/* Whether an operand has a sign that changes it: |a| of a number without one does not. */
static inline bool eval_order_has_sign(const struct insn *insn, const struct operand *o)
{
    return o->flags & (insn->type == DT_U64 ? OPND_NEGATE | OPND_NEGATE_INNER : OPND_SIGNS);
}
/* Whether each component is made in halves. */
bool eval_order_in_halves(const struct gp5_program *p, const struct insn *insn);
void eval_order_free_reads(struct walk *w);

/* ---- order_copies.c: loops that are unrolled ------------------------------------------------------------------------------ */

/* A copy of a body ends: what the first one that changes anything leaves meets what it has read. */
void eval_order_carry(struct walk *w, struct surrounding *f, uint32_t end);
/* Whether a CONT of a copy of a body has nothing behind it there that anybody needs: it is none. */
bool eval_order_jumps_over_nothing(const struct walk *w, uint32_t i);
/* Whether a register counts a loop: one of one round is a loop before it has its copy, as one that the text counts is not. */
bool eval_order_is_counted_by_register(const struct walk *w, const struct surrounding *f);
/* The last copy of a body ends: whether the program keeps its loads for them. */
void eval_order_look_at_copies(struct walk *w, const struct surrounding *f, uint32_t end);

/* ---- order_called.c: what subroutines do to variables -------------------------------------------------------------------- */

enum { CALLED_WRITES = 1, CALLED_LATE = 2, CALLED_CHANGES = 4 };
/* Notes what they do to each; false without memory. */
bool eval_order_find_called(struct walk *w);
uint32_t eval_order_in_subs(const struct walk *w, uint32_t slot);

/* ---- order_flow.c: branches, loops and calls ---------------------------------------------------------------------------- */

/* From the first instruction to the last one. */
void eval_order_walk(struct walk *w);

/* ---- order_widened.c: registers of 32 bits that become doubles ------------------------------------------------------------ */

/* Registers become doubles for an operation on doubles. */
void eval_order_widen(struct walk *w, uint32_t i, const struct insn *insn);
/* Components of results that are nothing else: when that was. */
void eval_order_note_widened(struct walk *w, uint32_t i, const struct insn *insn);
/* The numbers of parameters that are followed are less than this. */
uint32_t eval_order_count_parameters(const struct gp5_program *p);
/* Whether an operand is a parameter by its number. */
bool eval_order_is_parameter(const struct walk *w, const struct operand *o);
/* The value of component `from` of an operand of 32 bits, or NO_INDEX: a variable's, or, from `nsingles` on, 4 times the instruction and the component. */
uint32_t eval_order_single(const struct walk *w, const struct operand *o, unsigned from);
/* When the component of an operand did, for component c of the result. */
int64_t eval_order_widened(const struct walk *w, uint32_t i, const struct operand *o, unsigned k, unsigned c);
/* When the value of component `from` did, if it has by instruction i, or 0. */
int64_t eval_order_when_widened(const struct walk *w, uint32_t i, const struct operand *o, unsigned from);
/* Notes what is written to variables of 32 bits. */
void eval_order_write_singles(struct walk *w, uint32_t i, const struct insn *insn);

/* ---- order_readers.c: who reads what a result holds ---------------------------------------------------------------------------- */

/* False without memory. */
bool eval_order_find_readers(struct walk *w);
/* Who reads what component `at` of a result of the block at hand holds, as far as it still stands there, before instruction i and behind it; nobody of other blocks'. */
struct readers eval_order_readers(const struct walk *w, uint32_t i, uint32_t at);
/* Whether somebody reads a variable, or a test keeps it, between two instructions before it is written for certain. */
bool eval_order_reads_first(const struct walk *w, uint32_t from, uint32_t to, uint32_t slot);
/* Whether memory comes between an instruction and one behind it. */
bool eval_order_are_apart(const struct walk *w, uint32_t from, uint32_t to);

/* ---- order_alike.c: components that hold one value -------------------------------------------------------------------------- */

/* Finds which components of a result hold one value. */
void eval_order_lead(struct walk *w, uint32_t i, const struct insn *insn);
/* Whether component c of an operand is a copy of another component, which lives on behind the instruction that reads it, and it does not. */
bool eval_order_is_copied(struct walk *w, uint32_t i, const struct operand *o, unsigned c);
/* Whether a register of 32 bits as a double, that an operation has needed before it was copied here, lives on here alone. */
bool eval_order_outlives(struct walk *w, uint32_t i, uint32_t at);
/* Whether nobody reads a component of a result behind instruction i, and memory does not come between. */
bool eval_order_ends_here(struct walk *w, uint32_t i, uint32_t at);

/* ---- order_ranks.c: which operand comes first --------------------------------------------------------------------------- */

bool eval_is_ordered(const struct insn *insn);
/* Places in time: of instruction i first the registers that become doubles there, operand by operand, then its results. */
int64_t eval_order_time(uint32_t i, bool is_result, unsigned place);
/* The origin of a component of an operand. */
struct origin eval_order_of(const struct walk *w, const struct operand *o, unsigned c);
static inline bool eval_order_is_wide(const struct walk *w, const struct operand *o)
{
    return program_is_long(w->d->p, o->kind, o->ref);
}
/* A quotient or an atomic operation of 64-bit integers: branches go by it. */
static inline bool eval_order_divides(const struct insn *insn)
{
    return (insn->type == DT_U64 || insn->type == DT_S64) && (insn->op == OP_DIV || insn->op == OP_MOD || op_is_atomic(insn->op));
}
/* Whether a value of another block meets others, which takes it there. */
bool eval_order_is_left(const struct walk *w, const struct origin *from);
/* Finds which components of an instruction take their second operand first. */
void eval_order_find(struct walk *w, uint32_t i, const struct insn *insn);

/* ---- order_step.c: what an instruction writes ---------------------------------------------------------------------------- */

/* Whether the result is the operand, but for its sign. */
bool eval_order_copies(const struct walk *w, const struct insn *insn);
/* The operand that the compiler knows component c to come from, or -1. */
int eval_order_taken(const struct folded *folded, const struct insn *insn, unsigned c);
/* Whether component c of a result is chosen: a test that is not known says whether the variable keeps what it had, and no branch goes by it. */
bool eval_order_chooses(const struct walk *w, uint32_t i, unsigned c);
/* Whether it is a sum with the literal 0, which is a copy and no pair of halves. */
bool eval_order_adds_nothing(const struct walk *w, const struct insn *insn, unsigned c);
bool eval_order_negates_single(const struct walk *w, const struct insn *insn, unsigned c);
/* An instruction that is no flow: finds its order, and notes what it writes. */
void eval_order_step(struct walk *w, uint32_t i, const struct insn *insn);

#endif
