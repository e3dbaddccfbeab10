/* What the files of the decoder offer each other: kinds of instructions, and what the driver's compiler makes of them.
 * What all of them build on is in decode.h, which includes this. */
#ifndef GP5_EVAL_DECODERS_H
#define GP5_EVAL_DECODERS_H

#include "eval/machine/step.h"

struct contraction;
struct decoder;
struct fetched;
struct fused;
struct pairs;

/* ---- alu.c, fused_sum.c ------------------------------------------------------------------------------ */

/* uninit.c: fills the executable's open_planes, once the steps are there. */
void eval_find_unwritten(struct decoder *d);
bool eval_decode_lanes(struct decoder *d, const struct insn *insn);
void eval_place(struct lane_op *op, unsigned k, const struct fetched *f, enum op_flow flow);
/* INSN_SAT, INSN_SSAT or 0. */
uint8_t eval_clamp_of(const struct insn *insn);
struct kernel_request eval_request_of(const struct decoder *d, const struct insn *insn, uint16_t op);
/* ADD, MUL and MAD of integers with .SAT (int_sat.c). */
bool eval_decode_saturated(struct decoder *d, const struct insn *insn);
/* A rule of eval_peephole(): clamps that come when a value has the size of its variable. */
bool eval_decode_clamped(struct decoder *d, const struct insn *insn, bool *done);
bool eval_decode_sum(struct decoder *d, const struct insn *insn, const struct fused *from);
/* Factor k of a product in a sum, at the components of the product that those in `mask` of `from` want. */
bool eval_fetch_factor(struct decoder *d, uint32_t product, unsigned k, const struct fused *from, uint8_t mask,
                       struct fetched *f);
/* chain.c: what is computed in steps. The operands of X2D that y and w read as x and z have left them: the variable
 * that it writes, without a swizzle. */
bool eval_decode_steps(struct decoder *d, const struct insn *insn);
uint8_t eval_rereads(const struct decoder *d, const struct insn *insn);

/* ---- flow.c, memory.c ------------------------------------------------------------------------------ */

/* Refuses what computes a difference where there is nothing to differ by. */
bool eval_needs_quads(struct decoder *d, const struct insn *insn);
bool eval_decode_derivative(struct decoder *d, const struct insn *insn);
bool eval_decode_offset(struct decoder *d, const struct insn *insn);
bool eval_decode_flow(struct decoder *d, const struct insn *insn);
/* That flow hangs on, and that a result is written under, with what is known of it. */
struct test eval_test_of_flow(const struct decoder *d, const struct insn *insn);
struct test eval_test_of_result(const struct decoder *d, const struct insn *insn);
bool eval_decode_access(struct decoder *d, const struct insn *insn);
/* subroutine.c: CALI. */
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
/* atomic_operand.c, atomic_result.c: what an atomic operation works with, and where its result goes. */
bool eval_atomic_operands(struct decoder *d, const struct insn *insn, struct access *a);
bool eval_atomic_result(struct decoder *d, const struct insn *insn, struct access *a);
/* image.c */
bool eval_decode_image(struct decoder *d, const struct insn *insn);
/* passthrough.c */
bool eval_decode_passthrough(struct decoder *d);
/* address_stack.c: what the program begins with where it has one, and jumps on from there; PUSHA and POPA. */
bool eval_begin_address_stack(struct decoder *d, uint32_t entry);
bool eval_decode_address_stack(struct decoder *d, const struct insn *insn);
/* address.c */
bool eval_pointer(struct decoder *d, const struct operand *o, struct access *a);
bool eval_decode_counter(struct decoder *d, const struct insn *insn);
/* An operand that stands in a constant buffer (BUFFER, BUFFER4): loaded into scratch. */
bool eval_fetch_buffer(struct decoder *d, const struct operand *o, uint8_t used, uint32_t plane[4]);
bool eval_decode_exchange(struct decoder *d, const struct insn *insn);
bool eval_decode_quad(struct decoder *d, const struct insn *insn);

/* subgroup.c */
bool eval_decode_group(struct decoder *d, const struct insn *insn);

/* combine.c: whether the instruction is one that the driver's compiler makes another of; it is decoded then (`done`).
 */
bool eval_peephole(struct decoder *d, const struct insn *insn, bool *done);
/* An operand in its place of an op. */
bool eval_place_operand(struct decoder *d, const struct insn *insn, struct lane_op *op, unsigned k,
                        const struct operand *o, uint8_t type);
/* The components of `mask` by an operation, of so many operands. */
bool eval_computed(struct decoder *d, const struct insn *insn, uint16_t operation, unsigned n, uint8_t mask,
                   uint32_t by_component[4]);
/* mul_one.c: the components of `of` that are made of one factor, since the other one is 1; such products; copies of
 * what a negation was made of. */
uint8_t eval_copied_components(const struct decoder *d, uint8_t of);
bool eval_decode_factors(struct decoder *d, const struct insn *insn);
bool eval_decode_copy(struct decoder *d, const struct insn *insn);
/* carry.c: sums of integers that set a condition code. */
bool eval_decode_carries(struct decoder *d, const struct insn *insn, bool *done);
/* alu.c: without looking for that. */
bool eval_decode_plainly(struct decoder *d, const struct insn *insn);

/* sum_compare.c: compares the terms of a sum for those who test whether it is above zero. */
bool eval_compare_terms(struct decoder *d, const struct insn *insn);

/* pair.c */
/* Keeps the operand of an instruction that is the first of a pair. */
bool eval_keep_operand(struct decoder *d, uint32_t insn);
bool eval_is_paired(const struct decoder *d, uint32_t insn);
/* light.c: LIT as steps, where *done says so. */
bool eval_decode_light(struct decoder *d, const struct insn *insn, bool *done);
bool eval_decode_pair(struct decoder *d, const struct insn *insn);
/* The plane of what the second one of a pair makes of the first one's operand: of a DIV what it multiplies with. */
bool eval_pair_value(struct decoder *d, uint32_t insn, uint32_t *plane);

/* contract.c */
/* Whether a component of a MUL or DIV is a copy, since a factor is known to be 1.0 there, or (`flip`) -1.0: the operand
 * that is copied, or -1. */
/* An op of an instruction into scratch, clamped as it says: for results that are made of several. fused_sum.c */
bool eval_partial(struct decoder *d, const struct insn *insn, struct kernel_request want, struct lane_op *op,
                  uint32_t by_component[4]);
/* The result of an instruction all of whose components were computed so. */
bool eval_join_partials(struct decoder *d, const struct insn *insn, const uint32_t by_component[4]);
/* Copies the operands of a product that are wanted later. */
bool eval_keep_factors(struct decoder *d, uint32_t insn);
/* Runs a one-operand kernel over the distinct planes of the needed components into scratch. */
bool eval_map(struct decoder *d, struct kernel_request want, uint8_t needed, struct fetched *f,
              uint32_t clear, uint32_t flip);
/* The signs of an integer operand: OPND_NEGATE ... */
bool eval_integer_signs(struct decoder *d, uint16_t flags, uint8_t type, uint8_t needed, struct fetched *f);

#endif
