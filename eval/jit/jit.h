/* Machine code for runs of steps, where the processor has AVX-512 or AVX2: jit.c finds the runs. */
#ifndef GP5_EVAL_NATIVE_H
#define GP5_EVAL_NATIVE_H

#include "eval/machine/warp_state.h"

/* Machine code takes a pointer this many words behind the first plane: more of the planes are near it. */
enum { EVAL_NATIVE_BIAS = 2048 };

/* Steps that run as one call. It does to the planes what their kernels do, bit by bit. */
struct native_run {
    /* For all lanes; under a mask (NULL where there is no flow). */
    void (*all)(uint32_t *base, uint32_t lanes);
    void (*some)(uint32_t *base, uint32_t lanes);
    /* Or, with blocks of flow in it: it counts for itself. The step of a loop whose limit was reached, and 1; or 0. */
    uint32_t (*flow)(uint32_t *base, struct warp *w, struct frame *frames);
    uint32_t steps;
    uint32_t counts;            /* instructions among them */
};

struct native {
    struct native_run *runs;
    uint32_t nruns;
    uint32_t spares;            /* planes behind the executable's */
    void *code;
    size_t size;
};

/* How an operation is done; 0: not here. To be kept in its op_track. */
uint8_t eval_native_way(const struct kernel_request *want);

/* Finds runs and gives their first steps STEP_NATIVE. Where memory or the system's leave is missing there are
 * none. `avx2`: without AVX-512. */
void eval_native_build(struct gp5_executable *x, bool avx2);
void eval_native_free(struct gp5_executable *x);

#endif
