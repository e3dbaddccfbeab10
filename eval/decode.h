/* What the files that turn a program into steps share. */
#ifndef GP5_EVAL_DECODE_H
#define GP5_EVAL_DECODE_H

#include "eval/block_ends.h"
#include "eval/elements.h"
#include "eval/known.h"
#include "eval/machine.h"

/* More planes than this a warp are refused: 16 MiB. */
#define MAX_PLANES (1u << 17)

/* Equal words and inputs share planes. */
struct plane_table;

/* layout.c: where values live. */
struct layout {
    const struct gp5_program *program;
    uint32_t nplanes;
    struct vec constants, sources, names;   /* plane_word, plane_source; plane_name of every plane */
    uint32_t *symbol_plane;     /* first plane of each symbol, or NO_PLANE */
    struct plane_table *table;
    struct vec scratch;         /* planes of the pool, in pairs */
    uint32_t scratch_used;
    bool failed;                /* memory ran out */
    bool full;                  /* more than MAX_PLANES */
};

bool eval_layout_init(struct layout *l, const struct gp5_program *p);
void eval_layout_free(struct layout *l);
/* A run of fresh planes. */
uint32_t eval_layout_planes(struct layout *l, uint32_t n);
/* A plane (or pair) that holds this word everywhere. */
uint32_t eval_layout_word(struct layout *l, uint32_t word);
uint32_t eval_layout_word64(struct layout *l, uint64_t word);
/* A plane that is filled from outside. */
uint32_t eval_layout_source(struct layout *l, uint16_t kind, uint32_t index, unsigned component);
/* A pair of planes that lives until the end of the instruction. */
uint32_t eval_layout_scratch(struct layout *l);

/* The contraction of products and sums: contract.c. For every sum (terms.h): which product feeds it. */
struct fused {
    uint32_t product;           /* the instruction of the MUL, or NO_INDEX; the sum's own: a step of that */
    uint8_t term;               /* which term of the sum the product is */
    uint8_t component;          /* component of the product's result */
    bool negate;                /* the product is negated on its way */
    bool half_factors; /* a half product in a sum of full precision: its factors are rounded, it is not */
    bool beside_half;  /* what it is added to is a half product, made as one of full precision of rounded factors: `addend` */
    uint32_t addend;
    uint8_t addend_component;
    bool addend_negate;
};
enum { SUM_SLOTS = 8 };         /* of an instruction: sums that are not the same */

enum { KEPT_FAR = 16 };
struct contraction {
    uint8_t *idle;              /* instructions whose results nobody needs: no reader, or only sums that took them in */
    struct fused (*sums)[SUM_SLOTS];    /* an entry an instruction, by component or slot; NULL when nothing is fused */
    uint8_t *kept; /* components of products whose operands change before the sum: they are kept apart; KEPT_FAR: for sums of other blocks */
    uint32_t (*factors)[2][4];  /* where: planes by operand and component of the product */
    uint32_t (*copies)[4]; /* components of a negating MOV that undo a negation: 4 * symbol + component of the
                                 * first source, or NO_INDEX; NULL when there are none */
};

/* Pairs of instructions that the driver's compiler makes one of: pairs.c. */
struct pairs {
    uint32_t *first;            /* of each instruction: the one before that it is taken together with, or NO_INDEX; NULL: none */
    uint32_t (*clamped)[4];     /* of each MAX: 4 * the MIN that it is taken together with + component, or NO_INDEX; by component */
    uint32_t (*kept)[4];        /* of each first one: planes of its operand as the pair sees it, or NO_PLANE; by component */
    uint8_t *value;             /* of each second one: enum pair_value */
};
/* What a pair makes of that operand. */
enum pair_value { PAIR_COPY, PAIR_ROOT, PAIR_RSQ };

/* Copies with a sign whose words something chooses: choices.c. NO_INDEX where there is none, else 4 * instruction + component of the copy. */
struct choices {
    uint32_t (*kept)[4];        /* of each copy: the planes of its words, or NO_PLANE; NULL: there are no choices */
    uint32_t (*base)[4];        /* of each copy: another one, which its sign is put on */
    uint32_t (*operand)[2][4];  /* of each CMP: for its last two operands */
    uint32_t (*over)[4];        /* of each write under a test: what it is written over */
    uint8_t *same;              /* of each copy under a test: components that hold that copy already */
    uint32_t (*undone)[4];      /* of each negation: the one that it negates again */
    uint32_t before[4];         /* what the instruction at hand writes words over, as it was: planes, or NO_PLANE */
};

/* What an instruction of an unrolled program is besides its opcode: the REP that opens an unrolled loop, the ENDREP of a
 * copy of its body, and that of the last one; flow whose outcome is known, or that leads over nothing. */
enum form { FORM_PLAIN, FORM_OPEN, FORM_NEXT, FORM_LAST, FORM_KNOWN, FORM_PHASED, FORM_PHASE };

/* A program with copies of loop bodies in it; `used` when it is one. */
struct unrolled {
    bool used;
    struct gp5_program program; /* all but its instructions and symbols is the original's */
    struct vec origin;          /* uint32_t: the original instruction of each */
    struct vec form;            /* uint8_t: enum form */
    struct vec folded;          /* struct folded */
    uint32_t nfolded;           /* instructions of which something is */
};

/* Of the next result: those whose carry is that of another op; planes that CF and NCF are otherwise than the carry says where they are
 * zero, or 0. */
struct other_carry {
    carry_fn carry;
    uint32_t op;
    uint8_t of;
    uint32_t zero[4];
    uint32_t sign[2][4];        /* as in struct write_answers */
    uint8_t subtracted, exact;
};

/* keeping.c: of each instruction the last that looks at what it keeps, how many places of flow stand before it, and what is given back
 * behind it (of `kept`, NO_INDEX: nothing); free planes, single ones and pairs. */
struct keeping {
    uint32_t *last, *section, *ending;
    struct vec kept, free[2];
};

/* SHORT variables: shorts.c. */
struct shorts {
    uint8_t *both, *copied, *words, *floats;    /* of each symbol: eval_is_both; a copy is written to it; how it is used. NULL: there are none */
    uint8_t *mixed;             /* of each symbol: components that hold something else than words of integers, or known ones, at some time */
    uint8_t *halves;            /* of any symbol: components that half arithmetic may have made, so far */
    uint8_t *called;            /* of any symbol: components that half arithmetic in subroutines makes */
    uint8_t *added;             /* those of `halves` that are so for a call before, and not within subroutines */
    uint8_t *moved;             /* of each symbol: copies go there that are no loads */
    bool within;                /* behind a label */
    uint32_t part, *owner;      /* how many labels there were; of each cell that number when it was last written, whatever flow did */
    uint32_t *first;            /* of each symbol: its first cell, a component of an element; NO_INDEX for those that need none */
    uint32_t ncells;
    uint8_t *kinds, *before;    /* of each cell: the kinds of what a region writes there, and of what was written before */
    uint8_t *all;               /* and of all that the program writes there */
    uint32_t *symbol_of;        /* of each four cells, which are one element */
    uint32_t *seen, looks;      /* of each instruction: a subroutine whose writes were noted, in which look */
    const uint8_t *labels;
    uint32_t subroutines;       /* where the first one begins */
    struct vec open, calls;
    struct vec noted, cleared;  /* cells: those with kinds; those whose `before` may lack some of `all` */
    struct vec callable;        /* symbols with something in `called` */
};

struct liveness;
struct truths;
struct between;
struct readers;
struct comparison;
struct half_copies;

struct decoder {
    const struct gp5_program *p;        /* unrolled, if anything is */
    struct elements elements;
    struct unrolled unrolled;
    struct gp5_executable *x;
    struct layout layout;
    struct vec steps, ops, tracks, writes, gathers, repeats, accesses, exchanges, groups, slots;
    struct vec indirects, chosen, callees, textures, units;
    uint32_t *step_of;          /* first step of each instruction */
    struct contraction contraction;
    struct shorts shorts;
    struct half_copies *half_copies;    /* half_copies.h, or NULL */
    struct pairs pairs;
    struct truths *truths;      /* truths.h, or NULL */
    struct between *between;    /* between.h and readers.h: NULL before anyone asks */
    struct readers *readers;
    struct choices choices;
    struct keeping keeping;
    uint8_t *order;             /* order.c: of each instruction, or NULL */
    struct other_carry other_carry;
    const uint32_t *unclamped;  /* planes that the next result's flags are of, or NULL: those of the result */
    bool earlier;               /* the next results are tested by what eval_keep_outcome() kept */
    uint8_t numbers;            /* components of the next result that are what struct folded says */
    uint8_t of_any;             /* those that may be made of numbers in the place of what is undefined (struct folded) */
    struct comparison *compared;        /* of each sum whose terms are (compared.c); NULL: of none */
    uint32_t insn;              /* the one being decoded */
    const struct insn *now;     /* the same as it is decoded; NULL before that */
    bool first_step;            /* its first step is still to come */
    uint32_t nesting, deepest;
    uint32_t parted;            /* frames of loops and calls behind which lanes go on apart, and of inner loops */
    bool has_parts;             /* IFs whose sides do not meet at once */
    uint8_t *parting;           /* parting.h, or NULL */
    uint32_t *nested;           /* likewise */
    uint32_t *loop_ends;        /* likewise */
    uint32_t outermost;         /* the step that the outermost block at hand begins with */
    uint32_t nest;              /* the STEP_NEST of the innermost CONTs that end a loop of their own and are still to come */
    uint32_t phased, phases;    /* the loop in phases at hand: its struct repeat, and how many phases have ended */
    uint8_t mode;               /* float mode of the step before */
    struct block_ends ends;     /* of the program as it is written */
    struct liveness *live;      /* liveness.h, or NULL until somebody asks */
    const uint8_t *useful;      /* what of each instruction's result is used, or NULL when nobody asks */
    char message[240];
    size_t offset;
    bool failed, no_memory;
};

static inline uint8_t eval_form(const struct decoder *d, uint32_t insn)
{
    return d->unrolled.used ? *(const uint8_t *)vec_at(&d->unrolled.form, insn) : FORM_PLAIN;
}

/* Of an instruction as it is decoded: in single precision, though it goes into a SHORT variable. */
#define EVAL_INSN_SINGLE 0x80000000u

/* Half arithmetic with .SSAT: the driver computes it in single precision, but for a LONG variable. */
static inline bool eval_drops_half(const struct gp5_program *p, const struct insn *insn)
{
    return insn->flags & INSN_SSAT && (insn->type == DT_F16 || insn->flags & INSN_HALF) && insn->op != OP_CVT &&
           !program_is_long(p, insn->dst.kind, insn->dst.ref);
}

/* Whether the driver computes it without the clamp that stands there. */
bool eval_clamps_nothing(const struct gp5_program *p, const struct insn *insn);

/* Whether a result that sets flags is tested by several components of flags. Then, but for LONG variables, the driver writes it component by
 * component, each when its own test passes, and sets flags from what it writes: .SAT of singles, carry and overflow get lost. */
bool eval_tests_others(const struct insn *insn);
bool eval_writes_apart(const struct gp5_program *p, const struct insn *insn);
/* Components are written in turns, those that the same component is tested for together: the mask of a turn; all in order, and how many; whether
 * another one's turn comes before that of component c. Of 64 bits they are computed in turns too: whether component c, or any, reads what an
 * earlier turn wrote. Whether any component looks at flags of another one. */
uint8_t eval_turn(const struct insn *insn, unsigned turn);
unsigned eval_turns(const struct insn *insn, uint8_t early, uint8_t groups[4]);
bool eval_is_turn_before(const struct insn *insn, unsigned c, unsigned other);
/* Components whose flags later turns look at that are useful. */
uint8_t eval_tested_in_turn(const struct insn *insn, const struct folded *folded, uint8_t useful);
bool eval_reads_turn(const struct gp5_program *p, const struct insn *insn, unsigned c);
bool eval_reads_turns(const struct gp5_program *p, const struct insn *insn);
bool eval_sees_turns(const struct insn *insn);
/* Whether .SAT follows the narrowing of a double to the size of its variable, and flushes (decode.c). */
bool eval_clamps_widened(const struct decoder *d, const struct insn *insn);     /* a single that was a double, when it has become one again */
bool eval_clamps_late(const struct decoder *d, const struct insn *insn);

/* What the compiler knows of an instruction, or NULL. */
static inline struct folded *eval_folded_at(const struct decoder *d, uint32_t insn)
{
    return d->unrolled.used ? vec_at(&d->unrolled.folded, insn) : NULL;
}

/* The components of an instruction's result that the compiler computed. */
static inline uint8_t eval_folded(const struct decoder *d, uint32_t insn)
{
    const struct folded *folded = eval_folded_at(d, insn);

    return folded ? folded->mask : 0;
}

/* enum test_outcome of an IF or a BRK. */
static inline uint8_t eval_outcome(const struct decoder *d, uint32_t insn)
{
    const struct folded *folded = eval_folded_at(d, insn);

    return folded ? folded->outcome : 0;
}

/* Stops decoding with "not evaluated yet: ... at line N"; returns false. */
bool eval_refuse(struct decoder *d, struct span where, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
bool eval_out_of_memory(struct decoder *d);

/* Appends a step (copied) and returns it, or NULL. */
struct step *eval_step(struct decoder *d, uint8_t kind);
uint32_t eval_push(struct decoder *d, struct vec *v, const void *element);

/* decode_insn.c: instruction i as steps. */
bool eval_decode_instruction(struct decoder *d, uint32_t i);

/* ---- operands.c ---------------------------------------------------------------------------------------- */

/* An operand's components as planes; `clear` and `flip` are sign modifiers that remain to be applied. */
struct fetched {
    uint32_t plane[4];
    uint32_t clear, flip;
};

/* The type of registers that hold a memory or operation type: 8 and 16 bits become 32, F16 becomes F32. */
uint8_t eval_register_type(uint8_t type);
/* Operand k as type `type` (a register type), for the components in `needed`. With `signs` float signs are
 * left to the kernel. */
bool eval_fetch(struct decoder *d, const struct operand *o, uint8_t type, uint8_t needed, bool signs,
                struct fetched *out);
/* What kind of values operand k of an instruction holds. */
uint8_t eval_operand_type(const struct insn *insn, unsigned k);
uint8_t eval_result_type(const struct insn *insn);
/* The index register of an array as a plane of signed 32-bit words. */
bool eval_fetch_index(struct decoder *d, const struct index *index, uint32_t *plane);

/* ---- steps.c: kernels ---------------------------------------------------------------------------------- */

struct kernel_request eval_request(const struct decoder *d, uint16_t op, uint8_t type);
/* The kernel for a request: with its clamp, or (`clamp` set) without; `half`: the one of full precision,
 * whose operands and result must be rounded. */
bool eval_find_kernel(struct decoder *d, struct kernel_request *want, struct kernel *k, uint8_t *clamp,
                      bool *half);
/* A kernel's step into scratch or given planes. */
bool eval_raw(struct decoder *d, const struct kernel_request *want, struct lane_op *op, struct kernel *used);
/* A kernel's step where lanes that do not run keep what stands there. */
bool eval_lane(struct decoder *d, const struct kernel_request *want, struct lane_op *op);
/* A one-operand kernel over n results, into fresh scratch. */
bool eval_after(struct decoder *d, struct kernel_request want, unsigned n, uint32_t plane[4]);
bool eval_round_operands(struct decoder *d, struct lane_op *op, unsigned nsrc);
/* An op whose sources stand: into the destination if it can be, else into scratch and from there. */
bool eval_emit(struct decoder *d, const struct insn *insn, struct kernel_request want, struct lane_op *op);

/* ---- results.c ----------------------------------------------------------------------------------------- */

/* The components of a mask, compacted. */
unsigned eval_components(uint8_t mask, uint8_t comp[4]);
/* Whether an instruction is half arithmetic. */
bool eval_is_half(const struct decoder *d, const struct insn *insn);
/* Whether it packs words or takes them apart: of no type of its own but the word's. */
bool eval_packs(unsigned op);
/* The planes of a destination that can be written directly, or false. */
bool eval_direct(struct decoder *d, const struct insn *insn, uint8_t type, uint32_t to[4]);
/* Results in planes `from` (compacted components of the mask) into the destination, with condition codes. */
bool eval_decode_result(struct decoder *d, const struct insn *insn, uint8_t type, uint32_t from[4],
                        carry_fn carry, uint32_t carry_op);

/* The code that a condition looks at. */
static inline unsigned eval_cc_of(const struct condition *c)
{
    return c->rule == CC_RESIDENT || c->rule == CC_NONRESIDENT ? RESIDENCY : c->cc & 1;
}

/* What SPARSE leaves for tests of RESIDENT. */
bool eval_decode_residency(struct decoder *d, const struct insn *insn);

/* ---- arithmetic.c, sums.c ------------------------------------------------------------------------------ */

bool eval_decode_lanes(struct decoder *d, const struct insn *insn);
void eval_place(struct lane_op *op, unsigned k, const struct fetched *f, enum op_flow flow);
struct kernel_request eval_request_of(const struct decoder *d, const struct insn *insn, uint16_t op);
/* ADD, MUL and MAD of integers with .SAT (saturate.c). */
bool eval_decode_saturated(struct decoder *d, const struct insn *insn);
/* What of the .SAT of a CVT to integers the driver does, by the sizes of the result and its variable. */
uint8_t eval_clamp_of_integer(const struct decoder *d, const struct insn *insn);
/* In the place of operand k where its components (needs) are known NaNs of doubles with a sign, what the compiler makes of them. */
bool eval_place_nans(struct decoder *d, unsigned k, uint8_t needs, struct fetched *f);
/* A rule of eval_peephole(): vector operations some of whose factors are known (vectors.c). */
bool eval_has_steps(const struct insn *insn);
/* x2d.c: the second and the third operand (bits 1 and 2) where y and w see what the instruction has written to x and z of them. */
uint8_t eval_x2d_reads_back(const struct decoder *d, const struct insn *insn);
bool eval_decode_partly_known(struct decoder *d, const struct insn *insn, bool *done);
/* A rule of eval_peephole(): X2D in two (x2d.c). */
bool eval_decode_x2d(struct decoder *d, const struct insn *insn, bool *done);
/* A rule of eval_peephole(): clamps that come when a value has the size of its variable. */
bool eval_decode_clamped(struct decoder *d, const struct insn *insn, bool *done);
bool eval_decode_sum(struct decoder *d, const struct insn *insn, const struct fused *from);
/* Factor k of a product where it stands: of a division a reciprocal, of a normalised vector a reciprocal root ... */
bool eval_load_factor(struct decoder *d, uint32_t product, unsigned k, uint8_t needed, bool signs, struct fetched *f);
/* The same in a sum, at the components of the product that those in `mask` of `from` want. */
bool eval_fetch_factor(struct decoder *d, uint32_t product, unsigned k, const struct fused *from, uint8_t mask, struct fetched *f);
/* Whether the factors of the product change places (order.c). */
bool eval_factors_swapped(const struct decoder *d, const struct fused *from);
static inline bool eval_takes_products(const struct decoder *d, uint32_t insn)
{
    for (unsigned c = 0; d->contraction.sums && c < SUM_SLOTS; c++)
        if (d->contraction.sums[insn][c].product != NO_INDEX)
            return true;
    return false;
}
/* sum_steps.c: what is computed in steps, since a product goes into one of them. */
bool eval_decode_steps(struct decoder *d, const struct insn *insn, const struct fetched *const kept[3]);

/* ---- blocks.c, accesses.c ------------------------------------------------------------------------------ */

bool eval_decode_flow(struct decoder *d, const struct insn *insn);
struct test eval_test_of(const struct condition *c);
/* That flow hangs on, and that a result is written under, with what is known of it. */
struct test eval_test_of_flow(const struct decoder *d, const struct insn *insn);
struct test eval_test_of_result(const struct decoder *d, const struct insn *insn);
bool eval_decode_access(struct decoder *d, const struct insn *insn);
/* subroutines.c: CALI. */
bool eval_decode_indirect(struct decoder *d, const struct insn *insn);
/* The slot of a buffer, made when it is new; a range of bindings has consecutive slots. */
uint32_t eval_buffer_slot(struct decoder *d, uint8_t space, uint32_t first, uint32_t n);
/* The index of a buffer's elements, as a plane of offsets in bytes. */
bool eval_element_offset(struct decoder *d, const struct index *index, uint32_t bytes, uint32_t *offset);
/* Results of a load or an atomic operation: into the destination, or into scratch and from there. */
bool eval_access_result(struct decoder *d, const struct insn *insn, uint8_t kind, struct access *a);
bool eval_access_step(struct decoder *d, uint8_t kind, const struct access *a);
/* What a store moves. The driver does not look at its signs with the types of NV_gpu_program5_mem_extended. */
bool eval_fetch_stored(struct decoder *d, const struct insn *insn, uint32_t operand, uint8_t needed, struct fetched *f);
/* atomic_operand.c, accesses.c: what an atomic operation works with, and where its result goes. */
bool eval_atomic_operands(struct decoder *d, const struct insn *insn, struct access *a);
/* The components that the driver writes for a load: LOAD and LDS of two components, or of four of 64 bits, write more than the mask says. */
uint8_t eval_load_mask(const struct gp5_program *p, const struct insn *insn);
bool eval_atomic_result(struct decoder *d, const struct insn *insn, struct access *a);
/* image_decode.c */
bool eval_decode_image(struct decoder *d, const struct insn *insn);
/* pointers.c */
bool eval_pointer(struct decoder *d, const struct operand *o, struct access *a);
bool eval_decode_counter(struct decoder *d, const struct insn *insn);
/* An operand that stands in a constant buffer (BUFFER, BUFFER4): loaded into scratch. */
bool eval_fetch_buffer(struct decoder *d, const struct operand *o, uint8_t used, uint32_t plane[4]);
bool eval_decode_exchange(struct decoder *d, const struct insn *insn);
bool eval_decode_quad(struct decoder *d, const struct insn *insn);

/* groups.c: whether an opcode is one of OPTION GP5_subgroup. */
static inline bool eval_is_group(unsigned op)
{
    return op < OP_COUNT && op_table[op].option == OPTION_GP5_subgroup;
}
bool eval_decode_group(struct decoder *d, const struct insn *insn);

/* peephole.c: whether the instruction is one that the driver's compiler makes another of; it is decoded then (`done`). */
bool eval_peephole(struct decoder *d, const struct insn *insn, bool *done);
/* An operand in its place of an op. */
bool eval_place_operand(struct decoder *d, const struct insn *insn, struct lane_op *op, unsigned k, const struct operand *o, uint8_t type);
/* A raw operation into scratch; its results become operand k of `to`. */
bool eval_compute_operand(struct decoder *d, struct kernel_request want, struct lane_op *op, struct lane_op *to, unsigned k);
/* The components of `mask` by an operation, of so many operands. */
bool eval_computed(struct decoder *d, const struct insn *insn, uint16_t operation, const uint8_t operand[], unsigned n, uint8_t mask,
                   uint32_t by_component[4]);
/* copies.c: copies with signs or clamps into LONG variables, or under a test. */
/* The components that operand k is known to be. */
uint8_t eval_taken_from(const struct decoder *d, unsigned k);
bool eval_decode_copies(struct decoder *d, const struct insn *insn, bool *done);
/* factors.c: the components of `of` that are made of one factor, since the other one is 1; such products; copies of what a negation was made
 * of. */
uint8_t eval_copied_components(const struct decoder *d, uint8_t of);
bool eval_decode_factors(struct decoder *d, const struct insn *insn);
bool eval_decode_copy(struct decoder *d, const struct insn *insn);
/* carries.c: sums of integers that set a condition code. */
bool eval_decode_carries(struct decoder *d, const struct insn *insn, bool *done);
/* arithmetic.c: without looking for that. */
bool eval_decode_plainly(struct decoder *d, const struct insn *insn);

/* compared.c: compares the terms of a sum for those who ask whether it is above zero. */
bool eval_compare_terms(struct decoder *d, const struct insn *insn);
/* Planes of where such a sum (struct trait) is above and below zero; false if it is none. */
bool eval_sum_compared(const struct decoder *d, uint32_t sum, uint32_t *more, uint32_t *less);
/* SGT and SLT that are such a question. */
bool eval_decode_compared(struct decoder *d, const struct insn *insn, bool *done);

/* pairs.c; pair_decode.c */
bool eval_find_pairs(struct decoder *d);
/* order.c: which operand of an operation on doubles comes first. */
bool eval_find_order(struct decoder *d);
/* The components whose first two operands change places. */
uint8_t eval_swapped(const struct decoder *d, uint32_t insn);
bool eval_decode_ordered(struct decoder *d, const struct insn *insn);
/* Keeps the operand of an instruction that is the first of a pair. */
bool eval_keep_operand(struct decoder *d, uint32_t insn);
bool eval_is_paired(const struct decoder *d, uint32_t insn);
bool eval_decode_pair(struct decoder *d, const struct insn *insn);
/* The plane of what the second one of a pair makes of the first one's operand: of a DIV what it multiplies with. */
bool eval_pair_value(struct decoder *d, uint32_t insn, uint32_t *plane);
void eval_pairs_free(struct pairs *p);

/* Whether a MOV undoes a negation in all of its components (contract.c). */
bool eval_undoes_negation(const struct decoder *d, uint32_t insn);
/* own_copies.c: MIN and MAX of copies that are computed all the same. */
bool eval_find_own_copies(struct decoder *d);
/* choices.c */
bool eval_find_choices(struct decoder *d);
void eval_choices_free(struct choices *c);
/* choice_steps.c. Components of the instruction at hand that are the negation of a negation; writes those of a mask. */
uint8_t eval_undone(const struct decoder *d);
bool eval_write_undone(struct decoder *d, const struct insn *insn, uint8_t mask);
/* The words of copies that are wanted, and of what a result is written over. */
bool eval_keep_words(struct decoder *d, uint32_t insn);
/* What an operand of this type reads of a register that words were put into for the instruction's own test. */
void eval_take_before(const struct decoder *d, const struct operand *o, uint8_t type, uint32_t plane[4]);
/* Puts them in the place of what a CMP of the instruction at hand chooses from. */
void eval_take_words(const struct decoder *d, struct lane_op *op);
bool eval_choose_words(struct decoder *d, const struct insn *insn, bool *done);
/* Of a MOV under a test: the words of the copy that component c is of, or NO_PLANE. */
uint32_t eval_copied_words(const struct decoder *d, unsigned c);

/* contract.c */
bool eval_contract(struct decoder *d);
/* Whether a component of a MUL or DIV is a copy, since a factor is known to be 1.0 there, or (`flip`) -1.0: the operand that is
 * copied, or -1. */
int eval_copied_factor(const struct decoder *d, uint32_t insn, unsigned c, bool *flip);
/* An op of an instruction into scratch, clamped as it says: for results that are made of several. sums.c */
bool eval_partial(struct decoder *d, const struct insn *insn, struct kernel_request want, struct lane_op *op, uint32_t by_component[4]);
/* The result of an instruction all of whose components were computed so. */
bool eval_join_partials(struct decoder *d, const struct insn *insn, const uint32_t by_component[4]);
/* lit_decode.c: LIT whose logarithm is known. */
bool eval_decode_lit(struct decoder *d, const struct insn *insn, bool *done);
/* signed_words.c: what is unpacked of an operand with a sign. */
bool eval_decode_signed_words(struct decoder *d, const struct insn *insn, bool *done);
/* Copies the operands of a product that are wanted later. */
bool eval_keep_factors(struct decoder *d, uint32_t insn);
/* Runs a one-operand kernel over the distinct planes of the needed components into scratch. */
bool eval_map(struct decoder *d, struct kernel_request want, uint8_t needed, struct fetched *f,
              uint32_t clear, uint32_t flip);
/* The signs of an integer operand: OPND_NEGATE ... */
bool eval_integer_signs(struct decoder *d, uint16_t flags, uint8_t type, uint8_t needed, struct fetched *f);
void eval_contract_free(struct contraction *c);

#endif
