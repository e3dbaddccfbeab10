/* A second model of the subgroup operations, written from the documents by itself: of gp5 it knows the
 * names and the layout of operands, and none of the code. Slow, and made to be compared with. */
#ifndef GP5_TESTS_SUBGROUP_MODEL_H
#define GP5_TESTS_SUBGROUP_MODEL_H

#include "gp5.h"

struct model_answer {
    uint64_t bits;              /* value, number or boolean: 0 when undefined */
    uint32_t ballot[4];
    int reason;                 /* enum gp5_subgroup_reason */
    int peer;                   /* 255: none */
    int in_range;               /* threadIdValid */
};

/* Answers for the active lanes of one component. */
void model_run(enum gp5_subgroup_op op, const struct gp5_subgroup *group, const struct gp5_subgroup_operands *in,
               unsigned component, struct model_answer answers[128]);

/* Which invocation of a work group gives what invocation `local` gets from a rotation in blocks of n. */
uint64_t model_rotation(uint64_t local, uint64_t delta, uint64_t n);

/* One step of adding (or multiplying) two floats of a type, as bits. */
uint64_t model_float_step(bool multiply, enum gp5_subgroup_type type, uint64_t a, uint64_t b);

double model_float(enum gp5_subgroup_type type, uint64_t bits);

#endif
