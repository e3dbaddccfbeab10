/* Machine code for runs of steps, where the processor has AVX-512: native.c finds the runs and keeps planes in
 * registers, native_ops.c has one row an operation. */
#ifndef GP5_EVAL_NATIVE_H
#define GP5_EVAL_NATIVE_H

#include "eval/machine.h"
#include "eval/x86.h"

/* Steps that run as one call. It does to the planes what their kernels do, bit by bit. */
struct native_run {
    /* For all lanes; under a mask (NULL where there is no flow). */
    void (*all)(uint32_t *base, uint32_t lanes);
    void (*some)(uint32_t *base, uint32_t lanes);
    uint32_t steps;
    uint32_t counts;            /* instructions among them */
};

struct native {
    struct native_run *runs;
    uint32_t nruns;
    void *code;
    size_t size;
};

/* How an operation is done; 0: not here. To be kept in its op_track. */
uint8_t eval_native_way(const struct kernel_request *want);

/* Finds runs and gives their first steps STEP_NATIVE. Where memory or the system's leave is missing there are
 * none. */
void eval_native_build(struct gp5_executable *x);
void eval_native_free(struct gp5_executable *x);

/* ---- between native.c and native_ops.c ----------------------------------------------------------------- */

/* Vector registers: two a slot, one for each half of the lanes; then those of an operation's own. */
enum { NATIVE_SLOTS = 13, NATIVE_SIGNED = 26, NATIVE_TEMP = 29, NATIVE_NAN = 31 };
/* Masks: the active lanes by half, and one that an operation may use. */
enum { NATIVE_LANES = 1, NATIVE_K = 3 };

/* Places in the code of words that operations use. */
enum native_word { NATIVE_ONE, NATIVE_31, NATIVE_WORDS };
extern const uint32_t native_words[NATIVE_WORDS];

/* What kinds of rows there are: results by component, or one result of several components. */
struct native_shape {
    uint8_t nsrc;
    uint8_t terms;              /* 0: by component; else how many components of the operands are read */
    uint8_t last;               /* DPH: one more component of operand 1; else 0 */
    bool floats;                /* operands may hold any NaN (all but the selected ones of CMP) */
    bool loose;                 /* the result's NaN may be any: it is made the one NaN when something looks */
    bool copies;                /* the result is operand 0 */
    bool selects;               /* operands 1 and 2 are copied */
};
void eval_native_shape(uint8_t way, struct native_shape *shape);

/* One half of one component: registers. `known`: the word of operand 1 where it is a constant, or NULL. */
struct native_call {
    unsigned d, mask;
    unsigned src[3];
    const uint32_t *known;
};
void eval_native_component(struct x86_code *c, uint8_t way, const struct native_call *call);
/* One half of a sum of products, into NATIVE_TEMP. */
void eval_native_term(struct x86_code *c, uint8_t way, unsigned term, unsigned a, unsigned b);
void eval_native_last(struct x86_code *c, unsigned b);

#endif
