/* What the files that turn a program into steps share. */
#ifndef GP5_EVAL_DECODE_H
#define GP5_EVAL_DECODE_H

#include "asm/facts.h"
#include "eval/decode/emit.h"
#include "eval/machine/warp_state.h"
#include "model/model.h"

/* More planes than this a warp are refused: 16 MiB. */
#define MAX_PLANES (1u << 17)

/* Equal words and inputs share planes. */
struct plane_table;

/* planes.c: where values live. */
struct layout {
    struct arena arena;         /* what hangs on the program's size alone */
    const struct gp5_program *program;
    uint32_t nplanes;
    struct vec constants, sources, names;   /* plane_word, plane_source; plane_name of every plane */
    uint32_t *symbol_plane;     /* first plane of each symbol, or NO_PLANE */
    uint32_t (*parameter)[4];   /* planes of what is bound and no array, from the second time on; or NO_PLANE */
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
/* Where it stands already, or NO_PLANE. */
uint32_t eval_layout_placed(struct layout *l, uint16_t kind, uint32_t index, unsigned component);
/* The same in a plane that is there already. */
void eval_layout_source_at(struct layout *l, uint16_t kind, uint32_t index, unsigned component, uint32_t plane);
/* A pair of planes that lives until the end of the instruction. */
uint32_t eval_layout_scratch(struct layout *l);

/* Of the next result: those whose carry is that of another op; planes that CF and NCF are otherwise than the carry says
 * where they are zero, or 0. */
struct other_carry {
    carry_fn carry;
    uint32_t op;
    uint8_t of;
    uint32_t zero[4];
    uint32_t sign[2][4];        /* as in struct write_answers */
    uint8_t subtracted, exact;
};

/* temp_alloc.c: of each instruction the last that looks at what it keeps, how many places of flow stand before it, and
 * what is given back behind it (of `kept`, NO_INDEX: nothing); free planes, single ones and pairs. */
struct keeping {
    uint32_t *last, *section, *ending;
    struct vec kept, free[2];
};

/* SHORT variables: half_storage.c. */
struct shorts {
    uint8_t *both, *copied, *words, *floats;    /* of each symbol: eval_is_both; a copy is written to it; how it is
                                                 * used. NULL: there are none */
    uint8_t *mixed;             /* of each symbol: components that hold something else than words of integers, or
                                 * known ones, at some time */
    uint8_t *halves;            /* of any symbol: components that half arithmetic may have made, so far */
    uint32_t subroutines;       /* where the first one begins */
};

/* Planes by component: where the sum is above zero, and where it is below. */
struct comparison {
    uint32_t more[4], less[4];
};

/* Kernels that were asked for, by what was asked. */
enum { FOUND_KERNELS = 32 };
struct found_kernel {
    struct kernel_request want;
    struct kernel kernel;
    uint8_t native;             /* eval_native_way */
    bool used;
};

struct decoder {
    const struct gp5_program *p;        /* unrolled, if anything is */
    struct model model;
    struct gp5_executable *x;
    struct layout layout;
    struct vec steps, ops, tracks, writes, gathers, repeats, accesses, exchanges, groups, slots;
    struct vec indirects, chosen, callees, textures, units;
    struct found_kernel found[FOUND_KERNELS];   /* kernel_select.c */
    struct vec indexed;         /* struct loop_index: LOOPs that are open (loop_index.h) */
    struct vec passed;          /* struct passed_result */
    struct vec regions;         /* struct vertex_region (vertex_arrays.h) */
    uint32_t *step_of;          /* first step of each instruction */
    struct shorts shorts;
    struct keeping keeping;
    struct other_carry other_carry;
    const uint32_t *unclamped;  /* planes that the next result's flags are of, or NULL: those of the result */
    bool earlier;               /* the next results are tested by what eval_keep_outcome() kept */
    uint8_t numbers;            /* components of the next result that are what struct folded says */
    uint8_t of_any;             /* those that may be made of numbers in the place of what is undefined (struct
                                 * folded) */
    struct comparison compared; /* of the sum at hand, or NO_PLANE (sum_compare.c) */
    uint32_t tests;             /* rules that the program tests condition codes with, once somebody has asked */
    uint32_t insn;              /* the one being decoded */
    const struct insn *now;     /* the same as it is decoded; NULL before that */
    bool first_step;            /* its first step is still to come */
    uint32_t nesting, deepest;
    uint32_t parted;            /* frames of loops and calls behind which lanes go on apart, and of inner loops */
    bool has_parts;             /* IFs whose sides do not meet at once */
    uint32_t outermost;         /* the step that the outermost block at hand begins with */
    uint32_t address_stack;     /* the plane of its depth, and the stack behind it (address_stack.c) */
    uint32_t nest;              /* the STEP_NEST of the innermost CONTs that end a loop of their own and are still to
                                 * come */
    uint8_t mode;               /* float mode of the step before */
    const uint8_t *useful;      /* what of each instruction's result is used, or NULL when nobody asks */
    char message[240];
    size_t offset;
    bool failed, no_memory;
};

/* Whether an instruction is half arithmetic. */
static inline bool eval_is_half(const struct decoder *d, const struct insn *insn)
{
    return eval_is_half_of(d->p, d->x->options.semantics == GP5_SEMANTICS_NVIDIA, insn);
}

static inline bool eval_is_short(const struct decoder *d, uint8_t kind, uint32_t ref)
{
    return eval_is_short_of(d->p, kind, ref);
}

/* Whether .SAT follows the narrowing of a double to the size of its variable, and flushes (decode.c). */
bool eval_clamps_widened(const struct decoder *d,
                         const struct insn *insn); /* a single that was a double, when it has become one again */
bool eval_clamps_late(const struct decoder *d, const struct insn *insn);

/* ---- what the model says (model/tables.h) -------------------------------------------------------------- */

/* Whether a pass of the driver's compiler is on. */
static inline bool eval_has(const struct decoder *d, enum model_pass pass)
{
    return model_has(d->x->passes, pass);
}

static inline uint8_t eval_form(const struct decoder *d, uint32_t insn)
{
    return model_form(&d->model, insn);
}

/* What the compiler knows of an instruction, or NULL; the components of its result that it computed. */
static inline struct folded *eval_folded_at(const struct decoder *d, uint32_t insn)
{
    return model_folded_at(&d->model, insn);
}

static inline uint8_t eval_folded(const struct decoder *d, uint32_t insn)
{
    return model_folded(&d->model, insn);
}

/* Whether an instruction takes in products that were computed before. */
static inline bool eval_takes_products(const struct decoder *d, uint32_t insn)
{
    for (unsigned c = 0; d->model.contraction.sums && c < SUM_SLOTS; c++)
        if (d->model.contraction.sums[insn][c].product != NO_INDEX)
            return true;
    return false;
}

/* Stops decoding with "not evaluated yet: ... at line N"; returns false. */
bool eval_refuse(struct decoder *d, struct span where, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
bool eval_out_of_memory(struct decoder *d);

/* Appends a step (copied) and returns it, or NULL. */
struct step *eval_step(struct decoder *d, uint8_t kind);
uint32_t eval_push(struct decoder *d, struct vec *v, const void *element);

/* Appends a gather (copied) and the step that does it. */
bool eval_push_gather(struct decoder *d, const struct gather *g);

/* insn.c: instruction i as steps. */
bool eval_decode_instruction(struct decoder *d, uint32_t i);

/* ---- operand.c ---------------------------------------------------------------------------------------- */

/* An operand's components as planes; `clear` and `flip` are sign modifiers that remain to be applied. */
struct fetched {
    uint32_t plane[4];
    uint32_t clear, flip;
};

/* Operand k as type `type` (a register type), for the components in `needed`. With `signs` float signs are
 * left to the kernel. */
bool eval_fetch(struct decoder *d, const struct operand *o, uint8_t type, uint8_t needed, bool signs,
                struct fetched *out);
/* The index register of an array as a plane of signed 32-bit words. */
bool eval_fetch_index(struct decoder *d, const struct index *index, uint32_t *plane);

/* ---- kernel_select.c: kernels ---------------------------------------------------------------------------------- */

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

/* ---- result.c ----------------------------------------------------------------------------------------- */

/* The components of a mask, compacted. */
unsigned eval_components(uint8_t mask, uint8_t comp[4]);
/* The planes of a destination that can be written directly, or false. */
bool eval_direct(struct decoder *d, const struct insn *insn, uint8_t type, uint32_t to[4]);
/* Results in planes `from` (compacted components of the mask) into the destination, with condition codes. */
bool eval_decode_result(struct decoder *d, const struct insn *insn, uint8_t type, uint32_t from[4],
                        carry_fn carry, uint32_t carry_op);

/* What SPARSE leaves for tests of RESIDENT. */
bool eval_decode_residency(struct decoder *d, const struct insn *insn);

#endif
