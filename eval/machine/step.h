/* A program decoded into steps.
 *
 * A step is the smallest thing that a warp does: one kernel over 32 lanes, one write under masks, one
 * jump. An instruction is one step (a multiplication of whole registers) or a few (gather an indexed
 * operand, compute into scratch, update condition codes and write under a mask). Everything is resolved
 * when it is decoded: steps hold plane numbers. */
#ifndef GP5_EVAL_EXECUTABLE_H
#define GP5_EVAL_EXECUTABLE_H

#include "asm/program.h"
#include "asm/induction.h"
#include "asm/stage_shape.h"
#include "eval/kernels/kernel.h"
#include "eval/numeric/fenv.h"
#include "include/gp5.h"
#include "model/passes.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define NO_PLANE UINT32_MAX
#define NO_STEP UINT32_MAX

enum step_kind {
    STEP_LANE,   /* op: straight into registers; op[1] is the same into scratch, for masks */
    STEP_RAW,    /* op: into scratch planes, whatever the lanes */
    STEP_WRITE,  /* ref: struct write */
    STEP_GATHER, /* ref: struct gather */
    STEP_IF,
    STEP_ELSE,
    STEP_ENDIF, /* target */
    STEP_PART,
    STEP_PART_OTHERWISE,
    STEP_PART_ELSE,
    STEP_PART_END, /* the same of an IF whose sides do not meet
                    * before the pass of the loop ends */
    STEP_OUT,
    STEP_OUT_ELSE, /* IF whose THEN (ELSE) side stands behind the loop that it leaves; target as of
                    * STEP_IF */
    STEP_REP,
    STEP_ENDREP,
    STEP_NEXT,
    STEP_BRK_ON, /* BRK out of a loop behind which lanes go on apart (struct repeat, parts, returns); ref:
                  * with those of the BRK before */
    /* An inner loop that CONTs end (reconverge.h): it begins, a CONT of it, it ends. target of NEST: its end, of
       NEST_END: its beginning. */
    STEP_NEST,
    STEP_AGAIN,
    STEP_NEST_END,
    STEP_AWAY_END, /* who took a CONT of it goes straight to the beginning of the loop, the others go on */
    STEP_BRK,
    STEP_CONT,
    STEP_CAL,
    STEP_RET,
    STEP_BRA,
    STEP_JOIN, /* a label that BRA may lead to: who waits here joins in */
    STEP_END,
    STEP_CALI,        /* ref: struct indirect; the step behind it is its NEXT_CALLEE */
    STEP_NEXT_CALLEE, /* one call for each subroutine that lanes still wait for */
    STEP_LOAD,
    STEP_STORE,
    STEP_ATOMIC, /* ref: struct access */
    STEP_SHUFFLE,
    STEP_VOTE,
    STEP_MATCH,
    STEP_QUAD,    /* op: planes, no kernel; ref: struct exchange */
    STEP_GROUP,   /* ref: struct group_call */
    STEP_TEXTURE, /* ref: struct texture_call (texture.h) */
    STEP_BARRIER,
    STEP_KILL, /* op: sources */
    STEP_EMIT,
    STEP_END_PRIMITIVE, /* ref: the plane of the stream, or NO_PLANE */
    STEP_SHARE,         /* ref: struct write: results of the patch, and what they were before */
    STEP_CLOCK,         /* ref: the first of two planes: the clock's low and high words */
    STEP_NOTHING,       /* MEMBAR */
    STEP_NATIVE,        /* quick only; native: struct native_run, of this step and those behind it */
    STEP_COUNT
};

/* A test of a condition code register: any component of `swizzle` for flow, the component's own selector
 * for writes. */
struct test {
    uint8_t rule;       /* enum cc_rule; CC_NONE and CC_TR pass always */
    uint8_t cc;
    uint8_t swizzle;    /* 2 bits a component */
    uint8_t outcome;    /* enum test_outcome, of an IF or a BRK */
    bool first_alone;   /* of flow: the first component must pass and no other, where else any may */
    bool flow;          /* of IF, BRK and their like */
    uint8_t choice;     /* components of a result for which it chooses between a known number and what is there */
    uint8_t settled, passes;    /* components of a result whose outcome is known, whatever the flags are; and that
                                 * pass */
};


struct step {
    uint8_t kind;       /* enum step_kind */
    uint8_t quick;      /* the same when nobody looks on: STEP_NOTHING for what has no use */
    uint8_t counts;     /* 1 on the first step of an instruction */
    uint8_t mode;       /* enum float_mode */
    bool wide;          /* LANE: results are 64-bit */
    struct test test;   /* WRITE and flow */
    uint32_t insn;      /* index in the program */
    uint32_t ref;
    /* IF: its ELSE or ENDIF; ELSE: its ENDIF; REP: its ENDREP; ENDREP: its REP; CAL: the label's step;
     * BRA: the label's step;
     * BRK CONT: the loop's ENDREP (CONT with a ref: who does not take it leaves; BRK_ON with a ref: those who leave
     * join those of the one before); NEXT (between copies of an unrolled body): the end of the next copy. */
    uint32_t target;
    uint32_t native;            /* of the executable's runs of machine code */
    const struct lane_op *op;
};

static inline bool step_is_flow(const struct step *s)
{
    return s->kind >= STEP_IF && s->kind <= STEP_END;
}

/* What the tracker must know of a lane_op: one for each, with the same index. */
struct op_track {
    uint16_t op;                /* enum gp5_op or eval_op */
    uint8_t flow;               /* enum op_flow */
    uint8_t nsrc;
    uint8_t native;             /* how machine code does it (jit.h), or 0 */
    undefined_fn undefined;
    const char *why;
};

/* How tests of flags come out otherwise than the result says, by component: what the driver's compiler knows (range.c).
 */
struct write_answers {
    uint8_t not_below;          /* GE and NSF pass, LT does not */
    uint8_t no_sign;            /* NSF passes, SF does not */
    uint8_t positive;           /* there is no sign */
    uint8_t signless;           /* nor is it a NaN, and denormals are no zeros */
    uint32_t more[4], less[4];  /* by result: a plane of where GT passes, or NO_PLANE; LT */
    uint32_t zero[4];           /* by result: CF and NCF come out otherwise than the carry where this plane is zero;
                                 * or 0 */
    uint32_t sign[2][4];        /* by result: planes whose signs are taken for those of a sum's terms, or 0 */
    uint8_t subtracted, exact;  /* results whose second term is subtracted; those whose orders and AB see the terms
                                 * as they are */
};

/* Results from scratch planes into registers, under the lanes that are active and pass the test, and into
 * the condition code. */
struct write {
    uint8_t n, comp[4];
    bool wide;                  /* 64-bit: planes in pairs */
    bool registers;             /* there is a destination besides the condition code */
    uint32_t from[4], to[4];
    /* A relative destination: element index[lane] + offset of an array whose component i starts at to[i]. */
    uint32_t index;             /* plane, or NO_PLANE */
    int64_t offset;
    uint32_t elements, stride;  /* of the array; planes from one element to the next */

    uint8_t cc_update;          /* 0, 1 CC0, 2 CC1 */
    uint8_t flag_type;          /* F32 F64 S32 S64 (U as S) */
    uint32_t flag_from[4];      /* before the conversion to the destination's size */
    carry_fn carry;
    uint32_t carry_op;          /* index of the lane_op that it reads operands of */
    carry_fn other_carry;       /* of the results `other`, or NULL */
    uint32_t other_op;
    uint8_t other;
    struct write_answers answers;
};

/* Elements of an array, one index a lane, into scratch. */
struct gather {
    uint8_t n;
    bool wide;
    uint32_t dst[4], src[4];    /* src: the component's plane in element 0 */
    uint32_t index;             /* plane */
    int64_t offset;
    uint32_t elements, stride;
    bool across;                /* elements are the lanes of a patch, in one plane */
};


struct repeat {
    uint32_t count;             /* plane of the operand's x, or NO_PLANE: until something leaves */
    uint8_t type;               /* enum data_type */
    bool parts;                 /* lanes that leave the last loop of its body go on apart from the others until they
                                 * leave this one */
    bool returns;               /* lanes that leave it go on apart from the others until they return */
    bool no_reconverge;                 /* nobody waits at the end of its body */
};

/* CALI: which of the executable's `chosen` subroutines. */
struct indirect {
    uint32_t first, elements;   /* in `chosen` */
    uint32_t index;             /* plane, or NO_PLANE: the first */
    int64_t offset;
    bool ends_loop;             /* lanes that do not call leave the loop */
};

/* A program.subroutine[parameter] that CALI goes through, and what the launch may put there. */
struct chosen {
    uint32_t parameter;
    uint32_t type;              /* symbol */
    uint32_t first, n;          /* of `callees`: the labels of the type */
};
struct callee {
    bool numbered;
    uint32_t number, step;
};

/* COUNTER: words of atomic counter buffers. GLOBAL: 64-bit addresses. IMAGE: texels. Of the last two it is found lane
 * by lane where an access goes to. */
enum memory_space { SPACE_STORAGE, SPACE_SHARED, SPACE_CONSTANT, SPACE_COUNTER, SPACE_GLOBAL, SPACE_IMAGE };

/* What an image instruction does with a texel: moves its bytes, or its value; SIZE and SAMPLES are not about texels. */
enum image_form { IMAGE_BYTES, IMAGE_VALUE, IMAGE_SIZE, IMAGE_SAMPLES };

/* A load, a store or an atomic operation. */
struct access {
    uint8_t space;              /* enum memory_space */
    uint8_t type;               /* enum data_type in memory */
    uint8_t width;              /* components moved */
    uint8_t atomic;             /* enum gp5_modifier, or 0 */
    uint8_t n, comp[4];         /* load and atomic: results */
    bool wide;                  /* register values are 64-bit */
    uint32_t data[4];           /* results of a load, operand of a store */
    uint32_t operand[4];        /* atomic: operand planes */
    uint32_t slot, nslots;      /* the buffer; a range of them when the first of two indices is variable */
    uint32_t slot_index;        /* plane, or NO_PLANE */
    int64_t slot_offset;
    uint32_t address;           /* plane, or NO_PLANE; GLOBAL: the first of a pair */
    uint32_t offset;            /* bytes, added modulo 2^32 */
    uint32_t keep;              /* the bits of an address that count: where hardware rounds it down (memory.c) */
    bool result_used;           /* atomic: something reads its result */
    uint8_t target, form;       /* IMAGE: enum gp5_texture_kind, enum image_form; `slot` is that of an image unit */
    bool words;                 /* IMAGE: halves come as they stand */
    uint32_t coord[4];          /* IMAGE: planes of x y z and, of several samples, w */
    uint32_t handle;            /* IMAGE: the first of a pair of planes, or NO_PLANE: the image of a unit */
};

/* SHF*, TG*, MATCH: the operand planes stand in a lane_op. */
struct exchange {
    uint16_t op;                /* enum gp5_op */
    uint8_t type;
    bool all;                   /* MATCH.ALL; QUAD: the lane's own value */
    bool wide;                  /* MATCH: of 64-bit values, planes in pairs */
};

/* A subgroup operation: the reference's, on planes. */
struct group_call {
    uint16_t insn_op;           /* enum gp5_op */
    uint8_t op;                 /* enum gp5_subgroup_op */
    uint8_t origins_op;         /* the operation that brings the operands' origins to the results */
    uint8_t type;               /* enum gp5_subgroup_type of the value */
    uint8_t register_type;      /* enum data_type of value and, if it is one, result */
    uint8_t truth;              /* enum data_type of a boolean result */
    bool wide;                  /* results are 64-bit */
    bool wide_index;            /* the index is */
    bool work_group;            /* a rotation whose delta is the same in all of the work group */
    uint8_t n, comp[4];
    uint32_t cluster;
    uint32_t value[4];          /* planes, by result; one for what looks at one component */
    uint32_t index, ballot, width;      /* planes, or NO_PLANE */
    uint32_t dst[4];
};

/* A buffer binding that the program names. */
struct buffer_slot { uint32_t binding; uint8_t space; };

/* Where uniform and input planes come from. */
struct plane_word { uint32_t plane, word; };
/* Beside the index of an attribute: this half of what has 64 bits. */
#define LOW_WORD (1u << 29)
#define HIGH_WORD (1u << 30)
#define WORDS_OF_LONG (LOW_WORD | HIGH_WORD)
struct plane_source {
    uint32_t plane;
    uint16_t kind;              /* enum gp5_binding */
    uint8_t component;
    uint32_t index;             /* of program.env[index], fragment.texcoord[index] ... */
};

/* What a plane is called, for reasons: "R1.y", "c[3].x". */
struct plane_name {
    uint32_t symbol;            /* NO_INDEX: no variable */
    uint32_t element;
    uint8_t component;
    bool array;
};

/* A result that a geometry program copies from each vertex: planes by vertex. */
struct passed_result {
    uint16_t kind;              /* canonical */
    uint8_t mask;
    uint32_t index;
    uint32_t plane[3][4];
};

struct gp5_executable {
    const struct gp5_program *program;
    enum gp5_profile profile;
    struct gp5_run_options options;     /* semantics */
    uint64_t passes;            /* of NVIDIA's compiler, that are on (model/passes.h) */
    uint64_t not_modelled;      /* those that are not, and could change a result of this program */
    const struct eval_kernels *kernels;
    const struct eval_planes *planes;

    struct step *steps;
    uint32_t nsteps, entry;
    struct lane_op *ops;
    struct op_track *tracks;
    uint32_t nops;
    struct write *writes;
    struct gather *gathers;
    struct repeat *repeats;
    struct access *accesses;
    struct exchange *exchanges;
    struct group_call *groups;
    struct texture_call *texture_calls;
    uint32_t *units;            /* of the variables of textures */
    struct indirect *indirects;
    struct chosen *chosen;
    struct callee *callees;
    uint32_t nwrites, ngathers, nrepeats, naccesses, nexchanges, ngroups, ntexture_calls, nunits, nindirects, nchosen,
        ncallees;

    uint32_t nplanes;
    struct plane_word *constants;
    struct plane_source *sources;
    struct plane_name *names;
    uint32_t nconstants, nsources, npassed;
    struct passed_result *passed;
    struct stage_shape shape;
    uint32_t cc_plane[CONDITION_CODES]; /* four planes each: only the tracker's shadow of them is used */
    uint32_t nframes;           /* control stack that is always enough */
    bool parts;                 /* some IF has sides that do not meet at once */

    bool answers;               /* some write has answers that are none of its flags */

    struct native *native;      /* machine code, or NULL */
    struct tracked_runs *tracked_runs;  /* clean_runs.h, or NULL */
    uint32_t *open_planes;      /* those that may be read before they are written; NULL: nobody knows */
    uint32_t nopen;
    bool apart;                 /* they are known, and no lane looks at another one's */

    struct buffer_slot *slots;
    uint32_t nslots;
    uint32_t group_size[3];     /* what the program says */
    bool variable_groups;       /* the launch says */
    uint32_t shared_size;
    struct arena arena;         /* all of the above */
};

#endif
