/* Between the files that turn steps into machine code: jit.c finds runs and makes functions of them, regions.c and
 * emit_flow.c those with IF and loops in them (emit_flow_avx2.c with AVX2), regalloc.c keeps planes in registers,
 * next_use.c says how soon they are wanted, reuse.c what need not be looked up again, touched.c which planes a step
 * touches, emit_step.c translates one, ops.c has a row an operation, emit_op.c makes code of it, with emit_float.c,
 * emit_half.c, emit_int.c, emit_div.c, emit_pack.c, emit_int64.c, emit_double.c and emit_sfu.c (with
 * emit_sfu_lookup.c; emit_look_up.c calls them) for the longer ones, emit_cc.c and emit_carry.c flags and tests. */
#ifndef GP5_EVAL_NATIVE_BUILD_H
#define GP5_EVAL_NATIVE_BUILD_H

#include "eval/jit/jit.h"
#include "eval/jit/x86_avx2.h"

/* Where machine code can stand (exec_mem.c). */
#if defined(__x86_64__) && (defined(__linux__) || defined(__FreeBSD__))
#define NATIVE_MEMORY 1
#else
#define NATIVE_MEMORY 0
#endif

_Static_assert(X86_BIAS == EVAL_NATIVE_BIAS * sizeof(uint32_t), "the base is where it is said to be");

/* ---- operations ---------------------------------------------------------------------------------------- */

/* Vector registers: those of slots, then those of an operation's own, one for each operand and two more. */
enum { NATIVE_OPERAND = 26, NATIVE_TEMP = 29, NATIVE_NAN = 31 };
/* Masks: the active lanes by part, and two that an operation may use. */
enum { NATIVE_LANES = 1, NATIVE_K = 3, NATIVE_K2 = 4, NATIVE_TRUTH = 5, NATIVE_SPARE = 7 };

/* Places in the code of words that operations use. */
enum native_word {
    NATIVE_ONE, NATIVE_31,
    NATIVE_SIGN = 2, NATIVE_MAGNITUDE = 4, NATIVE_QUIET = 6, NATIVE_63 = 8,    /* two words each */
    NATIVE_SIGN_WORD = 10, NATIVE_INFINITY, NATIVE_UNIT, NATIVE_MINUS_ONE,
    /* the smallest normal number; how many there are from it on, and from 1 */
    NATIVE_NORMAL, NATIVE_NORMALS, NATIVE_NUMBERS,
    NATIVE_ZERO, NATIVE_TWO_31,
    /* emit_sfu.c's. */
    NATIVE_LOW_HALF, NATIVE_HIGH_HALF, NATIVE_SIGN_EXPONENT, NATIVE_FRACTION_24, NATIVE_127, NATIVE_SEGMENTS_64,
    NATIVE_FIFTEENS,
    NATIVE_SEVENS, NATIVE_SQUARE_HIGH, NATIVE_SQUARE_UNIT, NATIVE_SQUARE_BITS,
    NATIVE_TWO_LOW_13 = NATIVE_SQUARE_BITS + 4, NATIVE_TWO_LOW_14, NATIVE_RCP_BIAS, NATIVE_RCP_LAST,
    NATIVE_RCP_SURE, NATIVE_RCP_SURE_NEGATIVE, NATIVE_RCP_LIMIT, NATIVE_LOWEST_NORMAL, NATIVE_MOST_NORMAL,
    NATIVE_RSQ_BIAS, NATIVE_RSQ_EXPONENT, NATIVE_EX2_BIAS, NATIVE_EX2_LIMIT,
    NATIVE_EX2_END,
    NATIVE_TWO_23, NATIVE_FRACTION_23, NATIVE_LG2_BIAS, NATIVE_LG2_LOW, NATIVE_LG2_SCALES,
    NATIVE_SIN_SCALES = NATIVE_LG2_SCALES + 3, NATIVE_TWO_15 = NATIVE_SIN_SCALES + 2, NATIVE_128, NATIVE_255,
    NATIVE_511, NATIVE_2047,
    NATIVE_2048, NATIVE_4095, NATIVE_TURN_LOW, NATIVE_TURN_HIGH,
    /* emit_int.c's, emit_half.c's and emit_pack.c's. */
    NATIVE_FIVES, NATIVE_THREES, NATIVE_LOW_NIBBLES, NATIVE_BYTES, NATIVE_ALL_ONES, NATIVE_HALF_NAN, NATIVE_FLOAT_255,
    NATIVE_FLOAT_65535, NATIVE_FLOAT_127,
    NATIVE_FLOAT_128, NATIVE_LEAST_8, NATIVE_STEP_255, NATIVE_STEP_65535, NATIVE_STEP_127,
    NATIVE_EVEN_BYTES,
    NATIVE_BELOW_TWO_32,        /* emit_div.c's */
    NATIVE_WORDS
};
extern const uint32_t native_words[NATIVE_WORDS];
static inline struct x86_place native_word(enum native_word w)
{
    return (struct x86_place){X86_WORD, 4 * (uint32_t)w};
}

/* What is not made component by component: words of several components, components of words, bit fields, and what only
 * moves planes: words that become 64-bit values, pairs of them, and 64-bit values taken apart. */
enum native_kind { KIND_COMPONENTS, KIND_PACK, KIND_UNPACK, KIND_FIELD, KIND_WIDER, KIND_JOIN, KIND_PART };

/* What kinds of rows there are: results by component, or one result of several components. */
struct native_shape {
    uint8_t way;                /* the row; 0: none */
    uint8_t kind;               /* enum native_kind */
    uint8_t reads;              /* of another kind: how many components of the operand, pairs with KIND_PART */
    uint8_t imm;                /* of another kind: the row's */
    uint8_t nsrc;
    uint8_t terms;              /* 0: by component; else how many components of the operands are read */
    uint8_t last;               /* DPH: one more component of operand 1; else 0 */
    bool floats;                /* operands may hold any NaN */
    bool any_nan;               /* the result's NaN may be any: it is made canonical when something looks */
    bool copies;                /* the result is operand 0 */
    bool selects;               /* operands 1 and 2 are copied */
    bool wide;                  /* 64-bit */
    bool bits;                  /* of 64-bit integers */
    /* WIDE_FMA: better done two components at a time, and its operands' signs are its own matter */
    bool fused;
    uint8_t table;              /* 1 + enum native_table: of one operand, one result for all destinations */
    bool quotient;              /* what is looked up is that of operand 1, and operand 0 is multiplied by it */
    bool magnitude;             /* its magnitude's */
    bool power;                 /* of the product with operand 1 EX2 is looked up */
    bool truth;                 /* all bits of a word are the same */
    bool any_mode;              /* denormals are none of its business */
};
void eval_native_shape(uint8_t way, struct native_shape *shape);
/* The way of a copy of a float with a sign. */
uint8_t eval_native_signed_way(void);
/* Whether AVX2 has it. */
bool eval_native_in_avx2(uint8_t way);

/* One part of one component. An operand may stand in memory. `known`: the word of operand 1 where it is a constant, or
 * NULL. */
struct native_call {
    unsigned d, mask;
    struct x86_place src[3];
    const uint32_t *known;
    uint8_t truth;              /* the mask that a truth is made of, if it is wanted; else 0 */
    uint8_t negated;            /* of a fused operation: 2 for its sum, 4 for its product */
};
void eval_native_component(struct x86_code *c, uint8_t way, const struct native_call *call);
/* One part of a sum of products, into NATIVE_TEMP. */
void eval_native_term(struct x86_code *c, uint8_t way, unsigned term, unsigned a, struct x86_place b);
void eval_native_last(struct x86_code *c, struct x86_place b);
/* Operand k in a register: its own where it stands in memory. */
unsigned eval_native_register(struct x86_code *c, const struct x86_place *place, unsigned k);

/* emit_float.c */
void eval_native_float(struct x86_code *c, unsigned op, const struct native_call *call);

/* Rounded as the processor's numbers for it say, and clamped; NaN is 0. Denormals are 0 whatever the mode is. */
void eval_native_to_integer(struct x86_code *c, uint8_t how, bool is_signed, const struct native_call *call);

/* emit_half.c. An integer that stands for a half has zeros above it. */
enum native_half { HALF_ROUNDED, HALF_FROM_FLOAT, HALF_TO_FLOAT, HALF_FUSED };
void eval_native_half(struct x86_code *c, enum native_half what, const struct native_call *call);
/* emit_int.c: those that take several instructions, and conversions between types of up to 32 bits. */
enum native_integer {
    WORD_UPPER, WORD_UPPER_SIGNED, WORD_24, WORD_24_SIGNED, WORD_QUOTIENT, WORD_QUOTIENT_SIGNED, WORD_REMAINDER,
    WORD_REMAINDER_SIGNED, WORD_DISTANCE, WORD_DISTANCE_SIGNED, WORD_COUNT,
    WORD_LOWEST, WORD_HIGHEST, WORD_HIGHEST_SIGNED, WORD_REVERSED
};
/* Of NATIVE_OPERAND, which has how many bits, and the register behind it, where they begin; and of the base. */
enum native_field { FIELD_TAKEN, FIELD_SIGNED, FIELD_PUT };
void eval_native_field(struct x86_code *c, enum native_field what, const struct native_call *call,
                       struct x86_place base);
void eval_native_integer(struct x86_code *c, enum native_integer what, const struct native_call *call);
/* emit_div.c: of words; by zero all ones. */
void eval_native_quotient(struct x86_code *c, enum native_integer what, const struct native_call *call);
void eval_native_small(struct x86_code *c, uint8_t to, uint8_t from, const struct native_call *call);

/* emit_pack.c: what is of another kind than KIND_COMPONENTS; whether none of its results is an operand that is still
 * wanted. */
enum native_packing { PACK_HALVES, PACK_UNSIGNED16, PACK_UNSIGNED8, PACK_SIGNED8 };
struct native_builder;
bool eval_native_is_apart(const struct lane_op *op, const struct native_shape *shape);
void eval_native_pack(struct native_builder *b, const struct lane_op *op, const struct native_shape *shape,
                      bool under_mask);

/* emit_sfu.c: the approximated functions. */
enum native_table { TABLE_RCP, TABLE_RSQ, TABLE_EX2, TABLE_LG2, TABLE_SIN, TABLE_COS, NATIVE_TABLES };
/* Before all else: what the steps will call. */
void eval_native_find_tables(struct native_builder *b);
/* AVX-512: of the operands in NATIVE_OPERAND and the register behind it; there the results are. All registers of slots
 * from native_slots on are lost, and those of operations. AVX2: of the plane at rcx into that at r8, between passes
 * over the lanes; all vector registers but that of NATIVE_NAN are lost, and rax, rcx, rdx, rsi, r8, r10 and r11. */
void eval_native_call_table(struct native_builder *b, enum native_table which);

/* emit_double.c: the operations of doubles. */
enum native_wide {
    WIDE_COPY, WIDE_ADD, WIDE_SUB, WIDE_MUL, WIDE_DIV, WIDE_FMA
};
void eval_native_wide(struct x86_code *c, enum native_wide what, const struct native_call *call);
void eval_native_wide_sign(struct x86_code *c, unsigned to, struct x86_place from, bool clear, bool flip);
/* Operand k in a register, as eval_native_register. */
unsigned eval_native_wide_register(struct x86_code *c, const struct x86_place *place, unsigned k);

/* emit_int64.c: whether 64-bit integers can be computed with as words, which flow needs; and that. */
bool eval_native_has_words(uint8_t way);
void eval_native_in_words(struct native_builder *b, const struct lane_op *op, uint8_t way, bool under_mask);

/* ---- planes in registers ------------------------------------------------------------------------------- */

enum { NATIVE_MOST_SLOTS = 26, NATIVE_TABLE_SLOTS = 10, NO_SLOT = 255 };

/* 64-bit values that have left their registers wait in the function's frame, packed as they were. There is some room
 * more, so that the frames of several passes are not just a page apart. */
enum { NATIVE_MOST_PACKED = 64, NATIVE_FRAMES = 4 * 64 * (NATIVE_MOST_PACKED + 3) };
struct native_packed {
    uint32_t plane;             /* NO_PLANE: free */
    bool dirty;                 /* not yet in its planes */
    bool doubtful;              /* as in a slot */
};

/* How a function goes over the 32 lanes. */
enum native_layout {
    LAYOUT_WHOLE,               /* all at once: a plane is two registers of AVX-512 */
    LAYOUT_PART,                /* as many at a time as a register has words */
    LAYOUT_WIDE                 /* half as many: a plane is half a register, a 64-bit value one */
};

/* What a register may hold in place of the canonical NaN: in no lane, in those under the mask, in all. */
enum native_nans { NANS_CANONICAL, NANS_ANY_ACTIVE, NANS_ANY };

struct native_slot {
    uint32_t plane;             /* NO_PLANE: free */
    uint32_t next;              /* the step that uses it next, once it was looked for */
    bool dirty;
    bool wide;                  /* and the plane behind it */
    uint8_t nans;              /* enum native_nans */
    bool doubtful;              /* wide: its NaNs may be others than the kernels' */
};

/* A block that is open, and its section: what may be left by a jump to its end. */
struct native_block {
    bool jumps;                 /* the section is left when no lane is; else it runs to its end */
    bool counted;               /* a loop with a count */
    bool left;                  /* lanes have left it for the loop's end */
    bool continued;             /* a loop: lanes wait for its next pass */
    bool was_maybe_empty;
    size_t leave, none;         /* chains of jumps to the section's end; of a loop that no lane enters, past it */
    size_t header;              /* a loop: where its body begins in the code; else 0 */
    struct native_slot slots[NATIVE_MOST_SLOTS];    /* at the section's beginning and end */
    uint32_t dirty;             /* slots that are dirty at one of the jumps */
};

/* next_use.c: the steps that use each plane, in their order. */
struct native_uses {
    uint32_t *first, *filled;   /* of each plane: where its uses begin, and how many there are */
    uint32_t *last;             /* while they are found: the step of the last one; then where it was last looked */
    uint32_t *use;              /* 4 * step, and what it does to the plane */
};
bool eval_native_find_uses(struct native_builder *b);
/* The last step before `before` that writes a plane, or NO_STEP; and a step no longer reads one. */
uint32_t eval_native_last_write(const struct native_uses *u, uint32_t plane, uint32_t before);
void eval_native_drop_read(struct native_uses *u, uint32_t plane, uint32_t step);
/* AVX2, flow: which planes are read by steps that are not among the uses; and whether a plane is read in the section
 * from b->section to b->section_end alone, where it is written first: no lane needs what it had before or keeps it. */
void eval_native_find_elsewhere(struct native_builder *b);
bool eval_native_is_local(const struct native_builder *b, uint32_t plane);
/* The next step behind `after` that uses a plane, and whether it only writes it; NO_STEP: none does. */
uint32_t eval_native_next_use(const struct native_uses *u, uint32_t plane, uint32_t after, bool *only_written);

/* Spare planes, behind those of the executable: an operand and a result of a look-up with AVX2, and others. */
enum { NATIVE_LOOKED_UP, NATIVE_FOUND, NATIVE_KEPT, NATIVE_SPARES = 64, NATIVE_REUSED = 128 };
/* reuse.c: sets b->reuse for the steps from b->first to b->end: the spare plane that keeps what a step looked up, or
 * (NATIVE_REUSED) has it already; else 0. */
bool eval_native_make_numbers(struct native_builder *b);  /* before the first; once is enough */
void eval_native_find_reuse(struct native_builder *b);

/* Flow goes there; of a block's last step while blocks are looked for: all in it is ours; of its first and last:
 * something in it leaves a loop around it. */
enum native_landing { LANDING = 1, LANDING_OURS = 2, LANDING_LEAVES = 4 };

struct native_builder {
    const struct gp5_executable *x;
    struct x86_code code;
    struct arena arena;
    struct native_shape *shapes;    /* of each of the executable's ops */
    uint32_t *constant;         /* of each plane: 1 + its index in x->constants, or 0 */
    uint8_t *slot_of;           /* of each plane, or NO_SLOT */
    uint8_t *spilled;           /* of each plane: enum native_nans of its memory, until the function ends */
    bool *kept;                 /* of each plane: the stage looks at it at the end */
    struct native_uses uses;
    uint8_t *landing;           /* of each step: enum native_landing */
    uint8_t *reuse;             /* of each step */
    uint32_t spares;            /* planes of those */
    uint32_t *number, numbers;  /* reuse.c: of each plane, the value that it holds; and how many values there were */
    struct native_numbered *numbered;
    uint32_t *seen;             /* of each plane: the run that counted it */
    uint8_t layout;             /* enum native_layout */
    struct native_slot slots[NATIVE_MOST_SLOTS];
    uint32_t pinned;            /* slots of the operation at hand */
    bool masked;
    bool flow;                  /* it has blocks or flags in it */
    bool last;                  /* the program ends with it */
    bool calls;                 /* it has calls: the end of the text may be that of a subroutine, which comes back */
    bool spills;                /* what is stored may hold any NaN */
    bool carries;               /* something sets carry and overflow */
    uint32_t first, at, end;    /* steps: the run's first, this one, the run's end */
    size_t pass;                /* over the lanes: where it begins in the code */
    bool passing;               /* it is open */
    uint32_t section, section_end;  /* steps of which what is local can be local; 0: none */
    bool *elsewhere, all_elsewhere; /* of each plane (eval_native_find_elsewhere) */
    bool frames;                /* each pass has a frame of its own, at rbp */
    uint32_t *block_end;        /* of IF and REP: the step behind a block that may become machine code, or 0 */
    struct native_block *blocks;    /* those around this step */
    uint32_t depth;
    uint32_t uncounted;         /* instructions since lanes were last counted */
    bool maybe_empty;           /* the active lanes may be none */
    uint8_t mode;               /* enum float_mode of the run */
    size_t failure;             /* jumps to the end, with an answer */
    uint32_t truth;             /* flow: the plane of a truth whose masks are kept, or NO_PLANE */
    uint32_t flags_known;       /* the flags Z and S that stand in r10d and r11d: 1 + component + 4 * CC1, or 0 */
    bool sides;                 /* AVX2: masks of the sides of an IF stand in slots */
    unsigned part;              /* which part of the lanes is done, where that is known */
    uint8_t *packed_at;         /* of each plane: 1 + where in `packed` it is, or 0 */
    struct native_packed packed[NATIVE_MOST_PACKED];
    struct vec rare;            /* emit_double.c's */
    bool trusting;              /* results may be doubtful; at the end they must not be NaN */
    bool stored;                /* something went to memory before the end */
    uint32_t tables;            /* in which tables this function looks something up, a bit each */
    size_t table[NATIVE_TABLES], mixed;     /* where functions of emit_sfu.c begin, and a table of theirs; or 0 */
    size_t doubt;               /* jumps to where these lanes are done again, without trust */
};

static inline unsigned native_slots(const struct native_builder *b)
{
    if (b->sides)
        return X86_AVX2_SLOTS - X86_AVX2_SPREAD_SLOTS;
    if (b->code.avx2)
        return b->masked ? X86_AVX2_SLOTS : X86_AVX2_SLOTS + 1;
    if (b->tables)
        return NATIVE_TABLE_SLOTS;
    return b->layout == LAYOUT_WHOLE ? NATIVE_MOST_SLOTS / 2 : NATIVE_MOST_SLOTS;
}

/* How many lanes a function does at a time. */
static inline unsigned native_lanes(const struct native_builder *b)
{
    unsigned words = b->code.avx2 ? 8 : 16;

    return b->layout == LAYOUT_WHOLE ? WARP_LANES : b->layout == LAYOUT_WIDE ? words / 2 : words;
}

/* Registers of a value, and which they are. */
static inline unsigned native_parts(const struct native_builder *b)
{
    return b->layout == LAYOUT_WHOLE ? 2 : 1;
}

static inline unsigned native_part(const struct native_builder *b, unsigned slot, unsigned part)
{
    return b->layout == LAYOUT_WHOLE ? 2 * slot + part : slot;
}

/* The mask of a part, or 0 for all lanes. */
unsigned eval_native_mask(const struct native_builder *b, unsigned part, bool under_mask);

/* An operand that stays where it is until the operation is done: in a slot, or (NO_SLOT) in memory. */
struct native_value {
    uint32_t plane;
    uint8_t slot;
    bool constant;
    uint8_t packed;             /* 1 + where */
};
/* With the signs of operand k, where that has any, in a register of the operation's own. */
struct x86_place eval_native_operand(struct native_builder *b, const struct lane_op *op, unsigned k, unsigned part,
                                     const struct native_value *v, const struct native_shape *shape);
struct native_value eval_native_read(struct native_builder *b, uint32_t plane, bool wide, bool any_nan);
struct x86_place eval_native_place(const struct native_builder *b, const struct native_value *v, unsigned part);
/* What is copied: a copy in all lanes cannot say in which of them NaNs are not canonical. */
struct native_value eval_native_read_copied(struct native_builder *b, uint32_t plane, bool wide, bool under_mask,
                                            bool *any_nan);
/* The register of the canonical NaN, where code begins; nothing where that stands in memory. */
void eval_native_begin(struct native_builder *b);
/* Between them as many lanes at a time are done as native_lanes says: base in rdi, active lanes in esi. */
size_t eval_native_begin_lanes(struct native_builder *b, bool go_on);
void eval_native_next_lanes(struct native_builder *b, size_t begin);
/* All lanes come to here, by way of memory, and no pass is open; and one is again. */
void eval_native_pause(struct native_builder *b);
void eval_native_resume(struct native_builder *b);
/* The slot of a result; and that it was written. */
unsigned eval_native_result(struct native_builder *b, uint32_t plane, bool wide, bool any_nan, bool under_mask);
void eval_native_wrote(struct native_builder *b, unsigned slot, bool any_nan, bool under_mask);
/* Whether nothing reads what a plane holds behind the step at hand. */
bool eval_native_is_dead(const struct native_builder *b, uint32_t plane);
bool eval_native_are_dead(const struct native_builder *b, const struct lane_op *op);
/* Every 64-bit value to the frame. False, and nothing done, where there is something else that would have to be stored.
 */
bool eval_native_pack_all(struct native_builder *b);
/* Every slot that is not dead to memory, with any NaN; and at the end, where NaNs become canonical. */
void eval_native_spill(struct native_builder *b);
/* Slots of local planes that are not read any more. */
void eval_native_drop_local(struct native_builder *b);
void eval_native_release(struct native_builder *b);
/* Every NaN becomes the canonical one. */
void eval_native_canonicalise(struct native_builder *b);
/* The planes of `slots` in the slots that they have there, and no others. */
void eval_native_conform(struct native_builder *b, const struct native_slot slots[]);
/* What a loop uses is loaded before it, as far as there is room; nothing else stays, and what the loop writes counts as
 * written. */
void eval_native_preload(struct native_builder *b, uint32_t first, uint32_t end);

/* WIDE_FMA of one or two components; and, behind a function, what is done about NaNs in them. */
void eval_native_wide_begin(struct native_builder *b);
void eval_native_wide_fused(struct native_builder *b, const struct native_call call[], unsigned n);
void eval_native_wide_rare(struct native_builder *b);
/* Where there is a NaN in a doubtful slot: to b->doubt. */
void eval_native_wide_check(struct native_builder *b);
/* Where a 64-bit value waits in the frame. */
struct x86_place eval_native_packed(const struct native_builder *b, unsigned packed);
/* A function's frame, and its end. */
void eval_native_enter(struct native_builder *b);
void eval_native_leave(struct native_builder *b);
void eval_native_fused(struct x86_code *c, const struct native_call *call, struct x86_place y, bool wide);

/* ---- flow (emit_flow.c) ------------------------------------------------------------------------------ */

/* emit_flow_avx2.c, for AVX2: the steps from b->at on that are one section; where that ends. */
uint32_t eval_native_section(struct native_builder *b);
/* What is known of the sign of what sets flags; without any at all denormals are no zeros. */
enum native_sign { SIGN_OF_RESULT, NEVER_BELOW_ZERO, NO_SIGN_AT_ALL };
enum native_sign eval_native_sign_of(const struct native_builder *b, const struct write *out, unsigned i);
/* ecx: where a plane is 0, r8d: where it is below 0. And into the flags of component i of a result. */
void eval_native_flags_in_parts(struct native_builder *b, uint32_t plane, bool floats, enum native_sign sign);
/* emit_carry.c: whether carry and overflow of a write can be had; those of result i into masks, two each, or ecx and
 * r8d. */
bool eval_native_has_carries(const struct gp5_executable *x, const struct write *out);
void eval_native_carries(struct native_builder *b, const struct write *out, unsigned i, unsigned carry,
                         unsigned overflow);
/* eax and edx, which are of a part of the lanes, to the others in ecx and r8d. */
void eval_native_join_flags(struct native_builder *b, unsigned part);
void eval_native_copy_in_parts(struct native_builder *b, uint32_t from, uint32_t to);
/* Whether the processor's comparisons see denormals as the condition codes do; and the two that make them. */
bool eval_native_compares_floats(const struct native_builder *b);
enum { NATIVE_EQUAL_OR_NAN = 0x08, NATIVE_BELOW_OR_NAN = 0x19 };
void eval_native_put_flags(struct native_builder *b, const struct write *out, unsigned i);

/* regions.c: sets b->block_end. */
void eval_native_find_blocks(struct native_builder *b);
/* The function of a run with blocks in it: where it begins in the code. */
size_t eval_native_flow(struct native_builder *b, uint32_t first);
/* Whether a step needs no call of the machine there. */
bool eval_native_inline(const struct native_builder *b, const struct step *s);

/* emit_cc.c: tests and updates of condition codes. The warp stands in r13, the active lanes in r12d. */
/* eax: lanes of which any component passes. */
void eval_native_test(struct native_builder *b, const struct test *t);
bool eval_native_writes(const struct gp5_executable *x, const struct step *s);
void eval_native_write(struct native_builder *b, const struct step *s);
/* A write of those that tests or sets flags. */
bool eval_native_has_flags(const struct gp5_executable *x, const struct step *s);

/* ---- steps --------------------------------------------------------------------------------------------- */

/* touched.c. Sets b->shapes: a copy with a sign is arithmetic. */
bool eval_native_find_shapes(struct native_builder *b);
/* That of a step: no way, if it is no operation that is ours, or has no use. */
const struct native_shape *eval_native_shape_of(const struct native_builder *b, const struct step *s);
bool eval_native_is(const struct native_builder *b, const struct step *s);
/* The mode that a step of ours needs. */
uint8_t eval_native_mode(const struct native_builder *b, const struct step *s);
/* Whether a step computes 64-bit values; and such that it can only do so where no flow is. */
bool eval_native_is_wide_alone(const struct native_builder *b, const struct step *s);
bool eval_native_is_wide(const struct native_builder *b, const struct step *s);
/* Whether it makes a truth in one plane. */
bool eval_native_is_truth(const struct native_builder *b, const struct step *s, uint32_t plane);
/* In which tables it looks something up: a bit each. */
uint32_t eval_native_tables(const struct native_builder *b, const struct step *s);
void eval_native_step(struct native_builder *b, const struct step *s);
/* Of steps of 64-bit values: those up to `end` for some components after the others, which needs fewer registers; b->at
 * is the last one then. False, and nothing done, where one has to do with another. And component c of a step. */
bool eval_native_by_component(struct native_builder *b, uint32_t end);
void eval_native_component_of(struct native_builder *b, const struct step *s, unsigned c);
/* emit_look_up.c: one that has a table. */
void eval_native_look_up(struct native_builder *b, const struct lane_op *op, const struct native_shape *shape,
                         bool under_mask);
void eval_native_copy_plane(struct native_builder *b, uint32_t from, uint32_t to, bool wide, bool under_mask);
/* Calls `look` for each plane that a step reads or writes, until it answers true; whether it did. `wide`: a pair. */
typedef bool (*native_look)(void *user, uint32_t plane, bool wide, bool written);
bool eval_native_planes(const struct native_builder *b, const struct step *s, native_look look, void *user);

/* exec_mem.c: code where it can run, or NULL. */
void *eval_native_publish(const struct x86_code *c);

#endif
