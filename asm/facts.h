/* What an instruction is, as far as the program alone tells (facts.c, constant_word.c): to the evaluator and to the
 * model of NVIDIA's compiler alike. */
#ifndef GP5_ASM_FACTS_H
#define GP5_ASM_FACTS_H

#include "asm/program.h"

/* isa.def's column of data, for the evaluator's own operations as well. */
enum op_flow eval_op_flow(unsigned op);
/* The components of operand k, after its swizzle, that component c of the result is made of. */
uint8_t eval_component_reads(unsigned op, unsigned k, unsigned c);
/* Components that the driver's instruction does not have. */
uint8_t eval_untouched(const struct insn *insn);
/* The type of registers that hold a memory or operation type: 8 and 16 bits become 32, F16 becomes F32. */
uint8_t eval_register_type(uint8_t type);
/* What kind of values operand k of an instruction holds; and its result. */
uint8_t eval_operand_type(const struct insn *insn, unsigned k);
uint8_t eval_result_type(const struct insn *insn);
/* Whether it packs words or takes them apart: of no type of its own but the word's. */
bool eval_packs(unsigned op);
/* Whether an instruction is half arithmetic, to the driver (`nvidia`) or as the text reads. */
bool eval_is_half_of(const struct gp5_program *p, bool nvidia, const struct insn *insn);
/* Whether it is a SHORT variable that is no array. */
bool eval_is_short_of(const struct gp5_program *p, uint8_t kind, uint32_t ref);
bool eval_is_literal(const struct gp5_program *p, const struct operand *o);
/* Whether an instruction's operand is a half's bits. */
bool eval_reads_half(const struct insn *insn);
/* Whether a SHORT variable that is read as a register type is looked at as a word. */
bool eval_is_read_as_word(const struct insn *insn, uint8_t type);

/* Of an instruction as it is decoded: in single precision, though it goes into a SHORT variable. */
#define EVAL_INSN_SINGLE 0x800000u

/* Its result is an element of an array of singles in memory: one that computed indices reach. It is made first and then
 * copied there. */
#define EVAL_INSN_COPIED 0x400000u

/* A shuffle or MATCH whose result is made first and then copied, there or into a LONG variable: the copy writes all
 * components, also those that these have not, and its test holds back all of them. */
#define EVAL_INSN_WHOLE 0x100000u
static inline bool eval_fills_element(const struct insn *insn)
{
    return insn->flags & EVAL_INSN_WHOLE;
}

/* Whether an opcode is one of OPTION GP5_subgroup. */
static inline bool eval_is_group(unsigned op)
{
    return op_is(op, K_SUBGROUP);
}

/* MAX_PROGRAM_CALL_DEPTH_NV; a CAL beyond it has no effect. */
#define EVAL_CALL_DEPTH 32u

/* Half arithmetic with .SSAT: the driver computes it in single precision, but for a LONG variable. */
static inline bool eval_drops_half(const struct gp5_program *p, const struct insn *insn)
{
    return insn->flags & INSN_SSAT && (insn->type == DT_F16 || insn->flags & INSN_HALF) && insn->op != OP_CVT &&
           !program_is_long(p, insn->dst.kind, insn->dst.ref);
}

/* Whether the driver computes it without the clamp that stands there. */
bool eval_clamps_nothing(const struct gp5_program *p, const struct insn *insn);
/* Whether a test may keep a result back that the driver's compiler looks at no test of: .SSAT into a LONG variable. */
bool eval_tests_nothing(const struct gp5_program *p, const struct insn *insn);
/* Components that a load fills in. */
bool eval_is_filled(const struct gp5_program *p, const struct insn *insn, unsigned c);
/* The components that the driver writes for a load: LOAD and LDS of two components, or of four of 64 bits, write more
 * than the mask says. */
uint8_t eval_load_mask(const struct gp5_program *p, const struct insn *insn);
/* Whether an image access says a size and so moves bytes; else it moves values of the format. */
bool eval_image_moves_bytes(const struct gp5_program *p, const struct insn *insn);

/* Atomic operations: x, which gets the number or its lower word, and components that get what stands elsewhere. */
struct gives {
    uint8_t value, stray;
};
bool eval_atomic_is_direct(const struct gp5_program *p, const struct insn *insn);
struct gives eval_atomic_gives(const struct gp5_program *p, const struct insn *insn);
/* The components that the driver writes of it. */
uint8_t eval_atomic_written(const struct gp5_program *p, const struct insn *insn);
/* ATOMB that writes no result under nvidia, but what a LONG variable gets from somewhere. */
bool eval_gives_nothing(const struct gp5_program *p, const struct insn *insn);

/* Whether a test looks at several components; those that it looks at, the lowest one first, as a swizzle. */
bool eval_tests_several(const struct condition *test);
uint8_t eval_first_alone(const struct condition *test);

/* CC0, CC1, and what accesses with SPARSE leave: all four components pass NE where the texels were there. EARLIER:
 * those components of a result that is computed in turns whose test passed before the first turn, which pass NE. */
enum { RESIDENCY = 2, EARLIER, CONDITION_CODES };
/* How a test comes out whatever the flags are: what the driver's compiler took for known it leaves no test of. */
enum test_outcome { OUTCOME_TESTED, OUTCOME_PASSES, OUTCOME_FAILS };
#define NO_ROUNDS UINT32_MAX

/* The code that a condition looks at. */
static inline unsigned eval_cc_of(const struct condition *c)
{
    return c->rule == CC_RESIDENT || c->rule == CC_NONRESIDENT ? RESIDENCY : c->cc & 1;
}

/* Whether it is an operation over several components that the compiler does in steps. */
bool eval_has_steps(const struct insn *insn);
/* How precise an instruction computes; PREC_NONE when its result has not the size of its variable. */
enum insn_precision { PREC_NONE, PREC_HALF, PREC_SINGLE, PREC_DOUBLE };
enum insn_precision eval_precision(const struct gp5_program *p, const struct insn *insn);
/* Of what sums up: singles that go into a LONG variable are widened behind the rounding. */
enum insn_precision eval_sum_precision(const struct gp5_program *p, bool nvidia, const struct insn *insn);

/* ADD, SUB, MAD and SAD. */
bool eval_is_sum(unsigned op);
/* Whether an operand stands in a register: a temporary, or one of invocation.* but what counts and sizes groups, which
 * are parameters. */
bool eval_is_register(const struct gp5_program *p, const struct operand *o);

/* A constant's component as the bits of a type. */
uint64_t eval_constant_word(const struct constant *c, unsigned component, uint8_t type);
/* The same as the driver reads it: doubles are digits times a power of ten, rounded twice. */
uint64_t eval_literal_word(const struct gp5_program *p, const struct constant *c, unsigned component, uint8_t type);
/* The type that a constant of a variable declared so is taken for. */
uint8_t eval_constant_type(uint8_t symbol_type, bool wide);

#endif
