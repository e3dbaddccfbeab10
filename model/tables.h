/* What the passes leave for decoding: a plain table each, and the state of the model that holds them. */
#ifndef GP5_MODEL_TABLES_H
#define GP5_MODEL_TABLES_H

#include "asm/arena.h"
#include "asm/driver_block.h"
#include "asm/facts.h"
#include "model/passes.h"

struct liveness;

/* How tests of a condition code come out otherwise than the result's flags say; components. */
struct answers {
    uint8_t not_below;          /* GE and NSF pass, LT does not */
    uint8_t no_sign;            /* NSF passes, SF does not */
    uint8_t above, below;       /* GT passes; LT */
    uint8_t positive;           /* no sign */
    uint8_t signless;           /* nor is it a NaN, and denormals are no zeros */
};

/* Components of an instruction's result that the compiler computes itself, and that the machine takes from it. */
struct folded {
    uint8_t mask;
    uint8_t of_any;             /* those that may be made of numbers that follow whatever an operand is (struct
                                 * known_value) */
    uint8_t outcome;            /* of an IF or a BRK: enum test_outcome */
    uint8_t part;               /* of MAD the product of two known factors is `word` */
    uint8_t known_short;        /* components of a SHORT variable that are written with numbers */
    uint8_t passes, fails;      /* those that it is known to pass for, and to fail for */
    uint8_t moved;              /* of a MOV under a test: components that are a known number */
    uint8_t ones[3], minus[3];  /* of what multiplies floats: components of that operand that are known to be 1.0, or
                                 * (`minus`) -1.0; of MUL, DIV and MAD, by component of the result, of one operand */
    uint8_t bounds[2];          /* of MIN and MAX of floats: components of that operand that are known to be 1.0, or
                                 * 0 (MAX) */
    uint8_t operands[3];        /* of sums of integers that set a condition code: the operands that are known, in */
    uint64_t numbers[3][4];     /* `numbers`, signs and all */
    uint8_t booleans;           /* of a vote of floats: components whose operand is what a comparison of integers
                                 * says */
    struct answers answers;     /* of an instruction that sets a condition code */
    uint64_t word[4];
    uint8_t shorts[3];          /* operands that are SHORT variables: components that are known, before the swizzle */
    uint16_t halves[3][4];      /* and their halves */
};

/* A program whose instructions write what the machine writes (ir/result_mask.c); `used` when it is one. */
struct masked {
    bool used;
    struct gp5_program program; /* all but its instructions, operands and symbols is the original's */
};

/* The contraction of products and sums: contract.c. For every sum (expand.h): which product feeds it. */
struct fused {
    uint32_t product;           /* the instruction of the MUL, or NO_INDEX; the sum's own: a step of that */
    uint8_t term;               /* which term of the sum the product is */
    uint8_t component;          /* component of the product's result */
    bool negate;                /* the product is negated on its way */
};
/* Of an instruction: sums that are not the same. RFL's square of its first operand has the last ones. */
enum { SQUARE_SLOT = 8, SUM_SLOTS = 12 };

struct contraction {
    uint8_t *dead;              /* instructions whose results nobody needs: no reader, or only sums that took them in */
    struct fused (*sums)[SUM_SLOTS];    /* an entry an instruction, by component or slot; NULL when nothing is fused */
    uint8_t *kept;              /* components of products whose operands change before the sum: they are kept apart */
    uint32_t (*factors)[2][4];  /* where: planes by operand and component of the product */
    uint32_t (*copies)[4]; /* components of a negating MOV that undo a negation: 4 * symbol + component of the
                                 * first source, or NO_INDEX; NULL when there are none */
};

/* Pairs of instructions that the driver's compiler makes one of: pair.c. */
struct pairs {
    uint32_t *first;            /* of each instruction: the one before that it is taken together with, or NO_INDEX;
                                 * NULL: none */
    uint32_t (*clamped)[4];     /* of each MAX: 4 * the MIN that it is taken together with + component, or NO_INDEX;
                                 * by component */
    uint32_t (*kept)[4];        /* of each first one: planes of its operand as the pair sees it, or NO_PLANE; by
                                 * component */
    uint8_t *value;             /* of each second one: enum pair_value */
};
/* What a pair makes of that operand. */
enum pair_value { PAIR_COPY, PAIR_ROOT, PAIR_RSQ, PAIR_UNPACK };

/* What an instruction of an unrolled program is besides its opcode: the REP that opens an unrolled loop, the ENDREP of
 * a copy of its body, and that of the last one; flow whose outcome is known, or that leads over nothing. */
enum form { FORM_PLAIN, FORM_OPEN, FORM_NEXT, FORM_LAST, FORM_KNOWN };

/* A program with copies of loop bodies in it; `used` when it is one. */
struct unrolled {
    bool used;
    struct gp5_program program; /* all but its instructions and symbols is the original's */
    struct vec origin;          /* uint32_t: the original instruction of each */
    struct vec form;            /* uint8_t: enum form */
    struct vec folded;          /* struct folded */
    uint32_t nfolded;           /* instructions of which something is */
};

/* IF (and its ELSE and ENDIF): the sides meet when the pass of the loop ends. LOOP: those that leave the loop at the
 * end of its body go on apart. RETURN: those that leave this loop go on apart until they return. BRK: out of such a
 * loop; BRK_TOO: together with those of the one before. BAR: IF whose smaller side runs first. CALL: those that take
 * different RETs of SPLIT_RET go on apart behind this CAL; CALL_ONCE: if some take one that stands in a block,
 * RET_ALONE: those who take this one at once by themselves. PREDICATED: IF with nothing but arithmetic. OUT, OUT_ELSE:
 * IF whose THEN or ELSE side stands behind the loop that it leaves. */
enum split_mark {
    SPLIT_NONE,
    SPLIT_IF,
    SPLIT_LOOP,
    SPLIT_RETURN,
    SPLIT_BRK,
    SPLIT_BRK_TOO,
    SPLIT_BAR,
    SPLIT_CALL,
    SPLIT_CALL_ONCE,
    SPLIT_RET,
    SPLIT_RET_ALONE,
    SPLIT_PREDICATED,
    SPLIT_OUT,
    SPLIT_OUT_ELSE
};

/* continue_loop.c. REP: how many inner loops its body begins with, that CONTs end. (reconverge.c) SPLIT_IF: a number
 * of those, 1 and more, that have one way around them, or 0; with NESTED_ON, where another one follows. */
#define NESTED_ON 0x80000000u
/* This CONT is of one; one ends behind this CONT or ENDIF. Those of AWAY, from here to AWAY_END, end none: who takes
 * them goes on apart. */
enum { NESTED_CONT = 1, NESTED_END = 2, NESTED_AWAY = 4, NESTED_AWAY_END = 8 };
/* REP, beside the number: nobody waits at the end of its body. */
#define NESTED_NO_RECONVERGE 0x40000000u

/* A number that a step works with. */
enum term_kind { TERM_OPERAND, TERM_STEP, TERM_WORD };

struct term {
    uint8_t kind;
    uint8_t operand, component; /* after the swizzle */
    uint8_t step;               /* the result of an earlier one */
    bool negate;                /* beside the operand's own signs */
    uint32_t word;
};

/* A product, a product and an addend with one rounding, a sum of the first and the third number, or the reciprocal of
 * the first. A factor of 1.0 or -1.0 is none: what looks like a product and an addend is a sum then; and so it is where
 * both factors are known. */
enum sum_step_kind { STEP_OF_PRODUCT, STEP_OF_BOTH, STEP_OF_SUM, STEP_OF_INVERSE };

struct sum_step {
    enum sum_step_kind kind;
    struct term term[3];
    uint8_t slot;               /* in the contraction's sums, below SUM_SLOTS; steps of the same slot are the same */
    bool shared;                /* a product that something other than sums reads: it goes into none */
};

enum { MAX_SUM_STEPS = 12 };

/* The state of the model: the program as the passes leave it, and a table a pass that decoding reads. */
struct model {
    struct arena arena;         /* tables by instruction */
    const struct gp5_program *text;     /* as it is written */
    const struct gp5_program *p;        /* unrolled, if anything is */
    uint64_t passes;            /* that are on */
    bool nvidia;                /* semantics; without, nothing is done but what the machine itself asks for */
    struct masked masked;
    struct unrolled unrolled;
    struct contraction contraction;
    struct pairs pairs;
    uint8_t *splits;           /* enum split_mark of each instruction, or NULL */
    uint32_t *nested;           /* likewise: NESTED_ */
    uint32_t *loop_ends;        /* likewise */
    struct block_ends ends;     /* of the program as it is written */
    uint8_t *labels;            /* asm/label.h */
    uint32_t entry;             /* the first instruction */
    struct liveness *live;      /* or NULL until somebody asks */
    bool failed;                /* memory ran out */
};

static inline bool has_pass(const struct model *m, enum model_pass pass)
{
    return model_has(m->passes, pass);
}

static inline uint8_t model_form(const struct model *m, uint32_t insn)
{
    return m->unrolled.used ? *(const uint8_t *)vec_at(&m->unrolled.form, insn) : FORM_PLAIN;
}

/* What the compiler knows of an instruction, or NULL. */
static inline struct folded *model_folded_at(const struct model *m, uint32_t insn)
{
    return m->unrolled.used ? vec_at(&m->unrolled.folded, insn) : NULL;
}

/* The components of an instruction's result that the compiler computed. */
static inline uint8_t model_folded(const struct model *m, uint32_t insn)
{
    const struct folded *folded = model_folded_at(m, insn);

    return folded ? folded->mask : 0;
}

/* enum test_outcome of an IF or a BRK. */
static inline uint8_t model_outcome(const struct model *m, uint32_t insn)
{
    const struct folded *folded = model_folded_at(m, insn);

    return folded ? folded->outcome : 0;
}

/* Whether a component of a MUL or DIV is a copy, since a factor is known to be 1.0 there, or (`flip`) -1.0, or of a MIN
 * or MAX, since both operands are the same (which counts as a second one of 1.0): the operand that is copied, or -1. A
 * negation stays one, unless the copied operand has one of its own. */
static inline int model_copied_factor(const struct model *m, uint32_t i, unsigned c, bool *flip)
{
    const struct insn *insn = program_insn(m->p, i);
    const struct folded *folded = model_folded_at(m, i);

    *flip = false;
    bool is_float = type_table[insn->type].is_float, first = insn->op == OP_MIN || insn->op == OP_MAX || !is_float;
    if (!folded || !has_pass(m, PASS_mul_one) ||
        (insn->op != OP_MUL && insn->op != OP_DIV && !(first && insn->op != OP_MAD)) ||
        (insn->type == DT_F64 && insn->op == OP_DIV) ||
        (insn->flags & INSN_PREC &&
         (insn->op != OP_DIV || insn->type != DT_F32 || eval_is_half_of(m->p, m->nvidia, insn))))
        return -1;
    for (unsigned k = 0; k < 2; k++)
        if (folded->ones[k] >> c & 1) {
            *flip = folded->minus[k] >> c & 1;
            return 1 - (int)k;
        }
    return -1;
}

/* The operand of component c of a MIN that is known to be beside 1.0, of a MAX beside 0, or -1. */
static inline int model_beside_bound(const struct model *m, uint32_t i, unsigned c)
{
    const struct insn *insn = program_insn(m->p, i);
    bool half = insn->flags & INSN_PREC && eval_is_half_of(m->p, m->nvidia, insn);
    const struct folded *folded = half ? NULL : model_folded_at(m, i);

    return !folded ? -1 : folded->bounds[0] >> c & 1 ? 1 : folded->bounds[1] >> c & 1 ? 0 : -1;
}

/* Whether the text names elements of the symbol by an index that is computed. */
static inline bool model_is_indexed(const struct model *m, uint32_t symbol)
{
    return m->ends.indexed && m->ends.indexed[symbol];
}

static inline uint32_t model_nested(const struct model *m, uint32_t insn)
{
    return m->nested ? m->nested[insn] : 0;
}

static inline uint8_t model_split(const struct model *m, uint32_t insn)
{
    return m->splits ? m->splits[insn] : SPLIT_NONE;
}

#endif
