/* What the driver's compiler knows of a program's values while it goes through it (lattice.c). */
#ifndef GP5_EVAL_KNOWN_H
#define GP5_EVAL_KNOWN_H

#include "asm/facts.h"
#include "asm/driver_block.h"
#include "eval/numeric/libm_fold.h"
#include "model/tables.h"

/* A component of a temporary, or of a condition code (then the word is what the flags were set from, as `type`). */
struct known_value {
    bool known;
    bool branch_only;           /* a load filled it in, or it comes of a copy: flow hangs on it, but not what sums
                                 * and flags are made of */
    bool absorbed;              /* it follows from what an operation gives with anything: a & 0 */
    bool may_overflow;          /* of flags: a test that looks at the overflow is not known */
    bool of_any;                /* it follows whatever some operand is, or is made of such a number: undefined where
                                 * that operand is */
    bool half;                  /* in a SHORT variable: half arithmetic knows it too */
    bool boolean;               /* what a comparison of integers says, or a copy or the negative of that */
    bool computed;              /* of flags: the compiler takes them from the number (flags.c) */
    uint8_t type;
    uint32_t copy;              /* what has the same number here holds the same, one a copy of the other; 0: nothing
                                 * is known of it. Of flags: the block that set them */
    uint64_t word;
};

/* Components of temporaries that are no arrays, after those of the two condition codes. */
enum { KNOWN_FLAGS = 8 };
struct known {
    const struct gp5_program *p;
    const struct insn *now;     /* whose operands are looked at; NULL: nobody's */
    uint32_t *first;            /* of each symbol, or NO_INDEX; shared by copies */
    const struct block_ends *ends;      /* the decoder's */
    uint64_t passes;            /* that are on (model/passes.h) */
    uint32_t count;
    uint32_t copies;            /* numbers given out */
    uint32_t block;             /* one of them: the block at hand */
    uint32_t tests;             /* rules that the program tests condition codes with: bits by enum cc_rule */
    uint8_t several;            /* components of condition codes (as in `values`) that several blocks set */
    struct known_values *values;        /* lattice_store.h */
    bool *failed;               /* memory ran out, and values are lost; shared by copies */
};

/* What is known of a value, until the next call that changes any; and a value that is written. */
const struct known_value *model_known_at(const struct known *k, uint32_t i);
void model_known_put(struct known *k, uint32_t i, struct known_value value);
/* Nothing is known of it any more. */
void model_known_drop(struct known *k, uint32_t i);
/* False without memory; a copy shares `first` and `failed` with what it was made from. */
bool model_known_new(struct known *k, const struct gp5_program *p, const struct block_ends *ends, uint64_t passes);
bool model_known_copy(struct known *to, const struct known *from);
void model_known_drop_copy(struct known *k);
void model_known_free(struct known *k);

void model_known_forget(struct known *k);
/* A block begins. */
static inline void model_known_begin_block(struct known *k)
{
    k->block = ++k->copies;
}
/* And behind flow. */
static inline void model_known_flow(struct known *k, const struct insn *insn)
{
    if (op_flows(insn->op) && eval_ends_block(insn))
        model_known_begin_block(k);
}
/* transfer.c: takes the result of an instruction in; what of it is folded goes to `folded`, if that is not NULL. */
void model_known_step(struct known *k, const struct insn *insn, struct folded *folded);
/* branch.c: the test that a result is written under; `folded` gets how it is known to come out. */
void model_known_write(const struct known *k, const struct insn *insn, struct folded *folded);
/* What component c of an operand that is a register holds, or NULL. */
const struct known_value *model_known_held(const struct known *k, const struct operand *o, unsigned c);
/* What it is a copy of (struct known_value), or an attribute by itself; or 0. */
uint32_t model_known_copied(const struct known *k, const struct operand *o, unsigned c);
/* Whether that follows from what an operation gives with anything. */
bool model_known_is_absorbed(const struct known *k, const struct operand *o, unsigned c);
/* Whether components of two operands hold the same for certain, signs and all. */
bool model_known_same(const struct known *k, const struct operand *a, const struct operand *b, unsigned ca,
                      unsigned cb);
/* The same without copies: of one variable, or of one element in the same words. */
bool model_known_same_words(const struct known *k, const struct operand *a, const struct operand *b, unsigned ca,
                            unsigned cb);
/* lattice_half.c: SHORT variables. Component c of an operand that is one; what a result leaves in one; what an
 * instruction finds there. */
bool model_known_short(const struct known *k, const struct operand *o, unsigned c, uint8_t type, uint64_t *word);
bool model_known_to_short(const struct known *k, const struct insn *insn, unsigned c, struct known_value *v,
                          struct folded *folded);
void model_known_shorts(const struct known *k, const struct insn *insn, struct folded *folded);
static inline bool model_known_is_short(const struct known *k, uint8_t kind, uint32_t ref)
{
    return kind == OPND_SYMBOL && program_symbol(k->p, ref)->size == SIZE_SHORT && k->first[ref] != NO_INDEX;
}
/* transfer_op.c: component c of a result. Whether it is known; then v has the number and where it comes from. `folded`
 * (or NULL) gets what is left to do where it is not. */
bool model_known_component(const struct known *k, const struct insn *insn, unsigned c, struct known_value *v,
                           struct folded *folded);
/* What a result copies, as numbers; those are given to what has none yet. */
void model_known_copies(struct known *k, const struct insn *insn, uint32_t copy[4]);
/* annotate.c: the operands of what goes over several components. */
void model_known_vector(const struct known *k, const struct insn *insn, struct folded *folded);
/* Forgets what an instruction writes. */
void model_known_overwrite(struct known *k, const struct insn *insn);
/* Keeps what both know; `changed` (or NULL) is set where that is less than it was. */
void model_known_meet(struct known *k, const struct known *other, bool *changed);

/* Whether nothing is known of any component of an operand, but for what it is a copy of. A cheap question that errs on
 * the side of no. */
bool model_known_is_nothing(const struct known *k, const struct operand *o);
/* Component c of an operand as a word of a type, if it is known. */
bool model_known_operand(const struct known *k, const struct operand *o, unsigned c, uint8_t type, uint64_t *word);
/* Whether it is known how a test comes out, and how: for a test of several components, whether any passes. */
bool model_known_test(const struct known *k, const struct condition *test, bool *passes);
/* Of BRK, CONT and RET: with a test of several components they are taken when the lowest of these passes and no other
 * does. */
bool model_known_jump(const struct known *k, const struct insn *jump, bool *passes);
/* Of an IF, or of those. */
bool model_known_branch(const struct known *k, const struct insn *insn, bool *passes);

/* fold.c: one component of a result, whose operands are known at the components that it is made of. */
struct fold {
    const struct insn *insn;
    unsigned component;
    uint64_t src[3][4];
    uint8_t first[3];           /* the first component read of each operand */
    bool has_sign;              /* an operand has one */
    bool negated;               /* the first operand is, without an absolute value */
    bool absorbed, branch_only, of_any;    /* an operand is (struct known_value) */
    bool keeps_denormals;       /* the result stands in a SHORT variable: a denormal half stays one */
    bool half;                  /* half arithmetic */
    bool unclamped;             /* the clamp of this instruction does nothing (eval_clamps_nothing) */
    bool clamps_widened;        /* a copy into a LONG variable with .SSAT: a denormal number stays one */
};
/* Whether the compiler computes the operation, and what: with rounding to nearest and denormals kept (fenv.c). */
bool model_fold(const struct fold *f, uint64_t *word);
/* The same of what isa.def does not name, too: the column is held against it. */
bool model_fold_computed(const struct fold *f, uint64_t *word);
/* fold_int.c: of integers of 32 bits. */
bool model_fold_integer(const struct fold *f, uint32_t *word);
/* A number as an integer of a type of up to 32 bits, rounded as a modifier says. */
bool model_fold_rounded(uint8_t type, unsigned rounding, double d, uint32_t *word);
/* A comparison by its order and whether there is one; false: it is none. */
bool model_fold_compare(uint16_t op, int order, bool ordered, bool *is);
/* Whether a CMP whose first operand is known takes its second one: of integers by the bits as a float. */
bool model_fold_takes_second(uint8_t type, uint32_t word);
/* The product of a MAD whose addend is not known. */
bool model_fold_product(const struct fold *f, const bool known[3], uint64_t *word);

#endif
