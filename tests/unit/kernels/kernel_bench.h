/* A few planes to run lane kernels on: operands in, one call, results out. */
#ifndef GP5_TESTS_KERNEL_BENCH_H
#define GP5_TESTS_KERNEL_BENCH_H

#include "eval/kernels/kernel.h"
#include "tests/tools/operands.h"

/* Planes of the test: operand k, component c at PLANE_OF(k, c), two planes each; results and results in
 * place behind. */
#define PLANE_OF(k, c) (((k) * 4u + (c)) * 2u)
#define RESULT_PLANE(i) (24u + (i) * 2u)
#define PLANES 32u

struct bench {
    const struct eval_kernels *level[3];
    unsigned levels;
    uint8_t *set[SET_COUNT];
    uint32_t *base;             /* the planes */
    unsigned long checked, modelled, requests;
};

/* Sign modifiers, as in struct lane_op. */
struct signs {
    uint32_t clear[3], flip[3];
};

/* The levels that run on this machine, and the kernels of one. */
unsigned kernel_levels(void);
const struct eval_kernels *kernel_table(unsigned level);

/* cmocka's group fixtures: *state is a struct bench. */
int kernel_bench_setup(void **state);
int kernel_bench_teardown(void **state);

bool kernel_wide_type(unsigned type);
unsigned kernel_operand_type(const struct kernel_request *w);
bool kernel_wide_result(const struct kernel_request *w);
unsigned kernel_operands_of(const struct kernel_request *w);
bool kernel_scalar_operand(const struct kernel_request *w, unsigned k);
enum operand_set kernel_set_of(const struct kernel_request *w);

/* Component c of operand k of a record; 64-bit records have two, which are there twice. */
uint64_t kernel_operand(const uint8_t *record, bool wide, unsigned k, unsigned c);

/* 32 records into the planes. */
void kernel_load(struct bench *b, const struct kernel_request *w, const uint8_t *records);

/* mask: the components; in_place: results over an operand that allows it. */
struct lane_op kernel_op(const struct kernel_request *w, unsigned mask, bool in_place,
                         const struct signs *signs);
void kernel_run(struct bench *b, const struct kernel_request *w, const struct kernel *k,
                const struct lane_op *op,
                bool with_signs);
uint64_t kernel_result(struct bench *b, const struct kernel_request *w, const struct lane_op *op, unsigned i,
                       unsigned l);

#endif
