/* How the results are followed that show which of two doubles comes first (order.c, order_meet.c, order_calls.c, order_flow.c), and what order they are
 * put into (order_ranks.c). */
#ifndef GP5_SLOW_ORDER_H
#define GP5_SLOW_ORDER_H

#include "tests/slow/plan.h"

/* In the order in which they come first. */
enum source { OTHER_SIDE, KNOWN, BUFFER, COPY, PAIR, FIRST_LOADED, ROOT, LOADED, DIVIDED, RESULT };

#define MANY (NO_INDEX - 1)

/* They write a variable, only when they have made a call or may have returned, and make it of what it was. */
enum { CALLED_WRITES = 1, CALLED_LATE = 2, CALLED_CHANGES = 4 };

/* What a variable may hold: the first of the results that get here, and whether there are others. A result is 4 times its place and
 * the component. */
struct held {
    uint32_t first;             /* NO_INDEX: none */
    bool several;
    bool outer;                 /* in a subroutine: callers made it */
    bool called;                /* a call's result is among them */
    uint32_t alone;             /* the load that pairs of 32 bits alone meet; NO_INDEX: such pairs alone; MANY: others too */
    uint32_t met, var;          /* of several: where they met (order_meet.c), and in which variable */
};

/* A result: through copies, where it was made and of what. */
struct made {
    uint32_t at;
    uint8_t source;
    bool several;               /* a copy of what has several values */
    bool called;
    uint32_t met, var;          /* which */
    bool outer;                 /* a copy of what a subroutine's callers made */
    bool paired;                /* pairs alone may stand there */
    bool turned;                /* a copy of a double with a sign */
    unsigned whole, halves;     /* how often it is read as one register, and as a pair of registers: through copies, of the one that was copied */
    bool meets;                 /* another one may stand in its variable's place where both are read */
    bool meets_whole;           /* one that is neither a load nor a pair */
    uint32_t instead;           /* 1 more than the first result in whose place it stands in a loop's next round; 0: none */
};

/* Which value a single holds, through copies: a variable, or above those 4 times the place and the component that made it. That is known in the side of an IF
 * where it was written, as long as no loop, label or call comes. */
struct single { uint32_t value, side, epoch; };

/* When such a value was made a double, and in which stretch of straight-line code, from 1. */
struct widened { uint32_t at, part; };

/* What a component is where a phase's steps are counted (order_phases.c): a number that the phase has given it, or its variable, or what else it is. */
struct term { bool given; uint32_t number, kind, component; };
struct named { uint32_t phase; struct term is; };

/* When things happen at a place: registers of 32 bits become doubles, then results are there. */
enum { SPAN = 32, RESULTS = 16 };

struct finder {
    const struct slow_program *p;
    struct slow_plan *plan;
    struct slow_reach reach;
    uint32_t nvars;
    struct held *held;          /* of each place, before it */
    struct held *now;
    struct held *back[2];       /* of each place, what goes back to it: in the round before, and in this one */
    struct held *behind;        /* of each REP, what leaves its loop */
    uint8_t *differs;           /* of each REP: variables that another round brings others for: pairs alone, or 2 */
    bool *again;                /* of each meeting: variables whose several values meet others elsewhere */
    bool changed;
    uint32_t *part;             /* of each place: so many stretches of straight-line code end before it */
    uint32_t *block;            /* and so many blocks, which BRK, CONT and RET end as well */
    struct made *made;
    struct widened *widened;    /* of each value of singles */
    int64_t *when;              /* of each result: when the single that it is a copy of became a double, or 0 */
    struct single *single;      /* of each variable, and behind those of each element of an array that only the run names */
    uint32_t *element;          /* of each symbol: where its elements begin there, or NO_INDEX */
    uint32_t parameters;        /* where parameters begin there, behind those: local and env ones of each number */
    uint32_t nsingles;
    uint32_t *side;             /* the sides of IFs around: 1 more than the place where each begins */
    uint32_t sides, epoch;
    uint8_t *closed;            /* of each such side: it has ended */
    uint32_t latest;            /* the place of the last load of this block, or NO_INDEX */
    uint8_t *called;            /* of each variable: what subroutines do to it */
    uint32_t *caller;           /* of each instruction that a label stands before: the place of the first call */
    bool *several;
    bool keeps_loads;           /* loads are no results where they meet others (order_copies.c) */
    bool at_head;               /* what meets does so at the head of a loop */
    bool *brought;              /* of each result: it has met another one there */
    bool loads_again;           /* the program loads from one address twice */
    uint8_t *same;              /* of each result: the first component of its place that holds the same value */
    uint8_t *needed;            /* of each place: components of the result that anybody reads, there or, but for phases, at other places of the instruction */
    struct named *terms;        /* of each variable */
    uint32_t phase;             /* so many phases have been counted */
    uint32_t first[4];          /* of each component: the first result of a load that anybody reads, or NO_INDEX */
};

/* A meeting: of a loop's first round and others (the phases of a loop, and what leaves it, are one), behind a loop, before ENDREP, elsewhere. */
enum { MEET_HEAD, MEET_BEHIND, MEET_AT_END, MEET_ELSEWHERE, MEETINGS };

/* ---- order.c ---------------------------------------------------------------------------------------------------------------------- */

static inline const struct insn *slow_order_insn(const struct finder *f, uint32_t place)
{
    return program_insn(f->p->text, f->plan->place[place].insn);
}

/* Whether several values, that met in a variable, meet others elsewhere. */
static inline bool slow_order_is_again(const struct finder *f, uint32_t met, uint32_t var)
{
    return f->again[(size_t)met * f->nvars + var];
}

/* The variable of a component of a LONG temporary that is no array, or NO_INDEX; that of a result that is written. */
uint32_t slow_order_variable(const struct finder *f, unsigned kind, uint32_t symbol, bool indexed, unsigned c);
uint32_t slow_order_target(const struct finder *f, const struct insn *insn, unsigned c);
/* Whether an operand has a sign that changes it: |a| of a number without one does not. */
static inline bool slow_order_is_signed(const struct insn *insn, const struct operand *o)
{
    return o->flags & (insn->type == DT_U64 ? OPND_NEGATE | OPND_NEGATE_INNER : OPND_SIGNS);
}
/* The operand that component c is a copy of, or -1; whether a result is a copy of its operand, but for a sign. */
int slow_order_copied(const struct slow_place *place, const struct insn *insn, unsigned c);
bool slow_order_is_copy(const struct slow_program *p, const struct insn *insn);
/* What an operand's component may hold; `first` NO_INDEX for what is no LONG temporary. */
struct held slow_order_held(const struct finder *f, const struct operand *o, unsigned c);
/* Fills in the result at a place, of what `now` holds. */
void slow_order_make(struct finder *f, uint32_t place, unsigned c);

/* ---- order_meet.c ----------------------------------------------------------------------------------------------------------------- */

/* Whether the result is computed in halves; whether component c of one is a copy, since it adds 0. */
bool slow_order_is_pair(const struct finder *f, const struct insn *insn);
bool slow_order_adds_zero(const struct finder *f, const struct insn *insn, unsigned c);
bool slow_order_negates(const struct finder *f, const struct insn *insn, unsigned c);
/* What is alone of a result (struct held). */
uint32_t slow_order_alone(const struct finder *f, uint32_t place, unsigned c);
bool slow_order_differ(const struct held *a, const struct held *b);
/* Another result may stand in the place of this one; two results meet: pairs alone and a load, or others. */
void slow_order_note_meeting(struct finder *f, uint32_t result);
void slow_order_note_both(struct finder *f, const struct held *a, const struct held *b);
void slow_order_meet(struct finder *f, struct held *to, struct held from, uint32_t v, uint32_t meeting, bool is_read);
bool slow_order_is_read(const struct finder *f, uint32_t place, uint32_t v);
/* Another round, or a phase, brings other values than stood before the loop. */
void slow_order_meet_head(struct finder *f, uint32_t end);
/* What is here goes to a place, or behind the loop that is left: then `left` is its REP. */
void slow_order_go_to(struct finder *f, uint32_t to, uint32_t left);

/* The copies in front of a loop whose count is known: where the loop itself begins, or NO_INDEX; whether a place is in them. */
static inline uint32_t slow_order_behind_rest(const struct finder *f, uint32_t rep)
{
    const struct slow_place *loop = &f->plan->place[rep];
    return loop->phased && loop->phases.once ? loop->phase[1] : NO_INDEX;
}
static inline bool slow_order_in_rest(const struct finder *f, uint32_t rep, uint32_t place)
{
    uint32_t behind = slow_order_behind_rest(f, rep);
    return behind != NO_INDEX && place < behind;
}

/* ---- order_copies.c --------------------------------------------------------------------------------------------------------------- */

/* Finds whether loads stay loads; false: out of memory. */
bool slow_order_find_keeps(struct finder *f);
/* A copy of a body ends: what the first one leaves that changes anything meets what it has read. */
void slow_order_note_carried(struct finder *f, uint32_t end);
/* Whether a CONT of a copy has nothing behind it there that anybody needs. */
bool slow_order_jumps_over_nothing(const struct finder *f, uint32_t place);
/* Whether a register became a double in, or in front of, an earlier copy of the body that a place stands in. */
bool slow_order_in_earlier_copy(const struct finder *f, uint32_t place, const struct widened *w);

/* ---- order_loads.c ---------------------------------------------------------------------------------------------------------------- */

/* Whether a program loads from one address twice, outside of IFs and loops, and somebody reads both; false: out of memory. */
bool slow_order_find_loads(struct finder *f);

/* ---- order_phases.c --------------------------------------------------------------------------------------------------------------- */

/* In such a program: the REP around a place, if the place stands in a small phase of its loop, or NO_INDEX. `last`: the phase of one round;
 * `both`: that of two is small. */
/* Whether the first side of an IF has few operations. */
bool slow_order_is_short(struct finder *f, uint32_t from, uint32_t to);
uint32_t slow_order_small_phase(struct finder *f, uint32_t place, bool *last, bool *both);

/* ---- order_calls.c ---------------------------------------------------------------------------------------------------------------- */

/* Whether a variable has several values in a subroutine, its first call says, and whether another one brings another value. */
void slow_order_note_called(struct finder *f);
void slow_order_call(struct finder *f, uint32_t place, const struct insn *insn);

/* ---- order_flow.c ----------------------------------------------------------------------------------------------------------------- */

/* From the first place to the last one, as long as there is anything new. */
void slow_order_follow(struct finder *f);
/* Whether a test, by which nothing branches, decides between the result and what stood in its variable. */
bool slow_order_chooses(const struct finder *f, uint32_t place, unsigned c);

/* ---- order_counts.c --------------------------------------------------------------------------------------------------------------- */

/* Counts who reads results as one register and who as two, of what `now` holds. */
void slow_order_count(struct finder *f, uint32_t place);
/* Whether it is a division of integers of 64 bits, of which branches are made. */
bool slow_order_divides(const struct insn *insn);
/* Whether a result is two registers, more of what makes, reads and meets it being pairs than not. `meets`: what it meets counts. */
bool slow_order_is_split(const struct finder *f, uint32_t result, bool meets);

/* ---- order_singles.c --------------------------------------------------------------------------------------------------------------- */

/* Gives a symbol's elements their places behind the singles so far; so many they are. */
uint32_t slow_order_place_elements(struct finder *f, uint32_t symbol);
/* So many places parameters take that have a number; whether an operand is one. */
uint32_t slow_order_place_parameters(const struct gp5_program *text);
bool slow_order_is_parameter(const struct finder *f, const struct operand *o);
/* A place begins: sides of IFs end, and what is known of singles. */
void slow_order_begin_place(struct finder *f, uint32_t place, bool part, bool ends);
/* The singles that an operation on doubles takes become doubles. */
void slow_order_widen(struct finder *f, uint32_t place, const struct insn *insn);
/* Components of results that are nothing but that: when it happened is noted. */
void slow_order_widen_alone(struct finder *f, uint32_t place, const struct insn *insn);
/* When that of an operand's component did, for component c of the result. */
int64_t slow_order_widened(const struct finder *f, uint32_t place, const struct insn *insn, unsigned k, unsigned c);
/* Singles are written. */
void slow_order_write_singles(struct finder *f, uint32_t place, const struct insn *insn);

/* When a single that component c takes from operand k became a double, or 0; and its value: a variable, or above those 4 times the place and the component. */
int64_t slow_order_when_widened(const struct finder *f, uint32_t place, const struct insn *insn, unsigned k, unsigned c);
uint32_t slow_order_single(const struct finder *f, const struct operand *o, unsigned from);

/* ---- order_alike.c ----------------------------------------------------------------------------------------------------------------- */

/* Finds the components of a result that hold one value. */
void slow_order_find_same(struct finder *f, uint32_t place, const struct insn *insn);
/* Whether component c takes from operand k a copy of what another component holds on. */
bool slow_order_is_made_again(const struct finder *f, uint32_t place, const struct insn *insn, unsigned k, unsigned c);
/* Whether a result that copies a double which a single has become before stands where it is made. */
bool slow_order_stays_copy(const struct finder *f, uint32_t place, uint32_t result);
/* Whether nobody reads a result behind a place, and memory does not come between. */
bool slow_order_ends_at(const struct finder *f, uint32_t place, uint32_t result);

/* ---- order_ranks.c ---------------------------------------------------------------------------------------------------------------- */

bool slow_is_ordered(const struct insn *insn);
/* Whether a result meets others where its block ends, another one than the place's, which takes what met there: of integers of 64 bits, or the block's last load. */
bool slow_order_is_taken(const struct finder *f, uint32_t place, uint32_t result);
/* The first loads that anybody reads. */
void slow_order_first_loads(struct finder *f);
/* The order of an instruction's operands, of what `now` holds. */
void slow_order_operands(struct finder *f, uint32_t place, const struct insn *insn);

#endif
