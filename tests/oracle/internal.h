/* What the oracle's files share. */
#ifndef GP5_TESTS_ORACLE_INTERNAL_H
#define GP5_TESTS_ORACLE_INTERNAL_H

#include "tests/oracle/machine.h"

/* Ends the run; returns false. */
bool oracle_fail(struct oracle_group *g, enum oracle_status status, const char *what, const struct insn *insn);

/* ---- program.c, driver_text.c ----------------------------------------------------------------------------------- */

/* False without memory; the program is to be forgotten either way. */
bool oracle_prepare(struct oracle_program *p, const struct gp5_program *text);
void oracle_forget(struct oracle_program *p);
/* A copy of the program as the driver has it: labels, SHORT arrays, components that are written. */
bool oracle_change_text(const struct gp5_program *from, struct gp5_program *to);
void oracle_forget_text(struct gp5_program *p);
/* Whether an element of an array is written that computed indices reach: to the driver it is in memory, and the result
 * is made first and then copied there, as a shuffle or MATCH into a LONG variable is. */
bool oracle_is_in_memory(const struct oracle_program *p, const struct result *r);
bool oracle_goes_by_copy(const struct oracle_program *p, const struct insn *insn);

/* ---- type.c: what an instruction's operands and results are ----------------------------------------------------- */

int oracle_bytes(unsigned type);        /* of a register value: 4 or 8 */
bool oracle_is_float(unsigned type);
uint8_t oracle_operand_type(const struct insn *insn, unsigned k);
uint8_t oracle_result_type(const struct insn *insn);
/* The components of operand k (after its swizzle) that component c of the result is made of. */
unsigned oracle_component_reads(const struct oracle_program *p, const struct insn *insn, unsigned k, unsigned c);
uint64_t oracle_resize(const struct oracle_program *p, uint64_t bits, unsigned type, bool from_wide, bool to_wide);
unsigned oracle_register_type(unsigned type);

/* ---- operand.c, constant.c, gl_state.c -------------------------------------------------------------------------- */

bool oracle_fetch(struct oracle_lane *l, const struct operand *o, unsigned type, struct oracle_value out[4]);
/* The registers of an operand, as they are. */
bool oracle_register(struct oracle_lane *l, const struct operand *o, struct oracle_value out[4]);
/* An index register as a signed number. */
bool oracle_index(struct oracle_lane *l, const struct index *index, int64_t *value, bool *undef);
void oracle_note_use(struct oracle_lane *l, bool undef);
/* Elements of an array, or 1. */
uint64_t oracle_elements(const struct symbol *s);
uint64_t oracle_literal(const struct oracle_program *p, const struct operand *o, unsigned c, unsigned type);
/* Numbers that CVT takes for halves become their bits. */
void oracle_literal_halves(const struct oracle_program *p, const struct insn *insn, const struct operand *o,
                           struct oracle_value v[4]);
/* What a GL context begins with. Element `at` of a binding; how many elements it has without a range. */
bool oracle_is_state(unsigned kind);
unsigned oracle_state_rows(unsigned kind);
struct oracle_value oracle_state(const struct oracle_program *p, const struct binding *b, uint32_t at, unsigned c);

/* ---- result.c, condition.c -------------------------------------------------------------------------------------- */

bool oracle_test(struct oracle_lane *l, const struct condition *c, unsigned component, bool *undef);
bool oracle_test_any(struct oracle_lane *l, const struct condition *c, bool *undef);
struct oracle_flags oracle_flags_of(const struct oracle_program *p, unsigned type, uint64_t bits);
/* Overflow and carry of an integer sum. */
void oracle_carry(const struct insn *insn, const uint64_t a[3], bool difference, bool *overflow, bool *carry);
/* Results into the destination, under its mask and test, with flags of `type`. */
bool oracle_write(struct oracle_lane *l, const struct insn *insn, unsigned type, unsigned components,
                  struct oracle_value result[4], const struct oracle_flags flags[4]);

/* ---- short.c: SHORT variables ----------------------------------------------------------------------------------- */

#define ORACLE_SINGLE 0x800000u   /* flags of an instruction: half arithmetic that is done in single precision */
bool oracle_is_short(const struct oracle_program *p, unsigned kind, uint32_t ref);
bool oracle_moves_short(const struct oracle_program *p, const struct insn *insn);
bool oracle_drops_half(const struct oracle_program *p, const struct insn *insn);
/* An instruction as it is executed. */
struct insn oracle_short_form(const struct oracle_program *p, const struct insn *insn);
/* Whether flags are all that an instruction gives: nothing in the text reads the variable. */
bool oracle_sets_flags_alone(const struct oracle_program *p, const struct insn *insn);
/* Fills in `of_half`. */
void oracle_find_halves(struct oracle_program *p);
/* The components that a MOV of a SHORT variable onto itself leaves alone. */
unsigned oracle_onto_itself(const struct oracle_program *p, const struct insn *insn);
/* A component of such a variable as the instruction at hand reads it; as it is left there. */
void oracle_read_short(const struct oracle_lane *l, unsigned type, struct oracle_value *v);
bool oracle_write_short(struct oracle_lane *l, const struct insn *insn, unsigned c, struct oracle_value *to);
void oracle_finish_short(const struct oracle_program *p, const struct insn *insn, struct oracle_value *v);
/* The halves of an operand that are so already; PK2H of these. */
bool oracle_stored_halves(struct oracle_lane *l, const struct operand *o, struct oracle_value half[4], bool *are);
bool oracle_pack_halves(struct oracle_lane *l, const struct insn *insn, struct oracle_value r[4]);

/* ---- compute.c, sfu.c, half.c, undefined.c ---------------------------------------------------------------------- */

/* Results of an instruction that computes within its lane, before masks. False: not evaluated. */
bool oracle_compute(const struct oracle_program *p, const struct insn *insn, struct oracle_value src[3][4],
                    struct oracle_value result[4]);
/* One operation on single values. */
uint64_t oracle_apply(const struct oracle_program *p, unsigned op, unsigned type, uint64_t a, uint64_t b, uint64_t c);
uint64_t oracle_sum(const struct oracle_program *p, unsigned type, uint64_t a, uint64_t b);
uint32_t oracle_product(const struct oracle_program *p, uint32_t a, uint32_t b);
uint64_t oracle_sign(unsigned type, unsigned flags, uint64_t bits);
/* A float operand that no arithmetic follows: its sign is arithmetic of its own. */
uint64_t oracle_moved(const struct oracle_program *p, unsigned type, bool has_sign, uint64_t bits);
uint64_t oracle_saturate(const struct oracle_program *p, unsigned type, unsigned flags, uint64_t bits);
/* What a sum of integers with .SAT is without it; else what is there. */
uint64_t oracle_unclamped(const struct oracle_program *p, const struct insn *insn, struct oracle_value s[3][4],
                          unsigned c, uint64_t bits);
bool oracle_is_half(const struct oracle_program *p, const struct insn *insn);
/* Clamps that the driver does not do. */
bool oracle_loses_clamp(const struct oracle_program *p, const struct insn *insn);
/* False: not one of the approximated functions. */
bool oracle_approximate(const struct oracle_program *p, const struct insn *insn, struct oracle_value s[3][4],
                        uint64_t r[4]);
uint64_t oracle_root_of_double(uint64_t a);
/* Half arithmetic that takes steps, as the driver does it; false: not evaluated. */
bool oracle_half(const struct insn *insn, bool to_short, unsigned of_short, struct oracle_value s[3][4], uint64_t r[4]);
/* XPD.F16.SSAT: of singles, but for the second product. */
void oracle_single_cross(struct oracle_value s[3][4], uint64_t r[4]);
/* Whether the text leaves component c of a result undefined. */
bool oracle_is_undefined_result(const struct oracle_program *p, const struct insn *insn, struct oracle_value s[3][4],
                                unsigned c);
/* Components that the instruction does not have, and that a LONG variable takes from nowhere. */
bool oracle_lacks(const struct oracle_program *p, const struct insn *insn, unsigned c);
/* Components that stay as they are, enabled or not. */
unsigned oracle_untouched(const struct oracle_program *p, const struct insn *insn);
/* Sums of integers, which have carry and overflow. */
static inline bool oracle_op_adds(unsigned op)
{
    return op == OP_ADD || op == OP_SUB || op == OP_MAD || op == OP_SAD;
}

/* ---- memory.c, atomic.c ----------------------------------------------------------------------------------------- */

/* Memory that an address is in, with what is undefined there. */
struct oracle_bytes {
    uint8_t *data;
    uint64_t size;
    bool *undef;
    unsigned unit;              /* bytes that one of `undef` is about */
};

bool oracle_is_memory(unsigned op);
bool oracle_memory(struct oracle_lane *l, const struct insn *insn);
struct oracle_bytes oracle_buffer_at(struct oracle_buffer *list, size_t n, uint64_t binding);
bool oracle_inside(const struct oracle_bytes *m, uint64_t address, unsigned bytes);
bool oracle_is_undef(const struct oracle_bytes *m, uint64_t address, unsigned bytes);
void oracle_set_undef(const struct oracle_bytes *m, uint64_t address, unsigned bytes, bool undef);
uint64_t oracle_get(const uint8_t *from, unsigned type);
void oracle_put(uint8_t *to, unsigned type, uint64_t v);
/* An address as the driver uses it. */
uint32_t oracle_rounded(const struct oracle_lane *l, const struct insn *insn, uint32_t address);
/* The operand of a store: docs/semantics.md, "Memory", says when the driver does not see its signs. */
struct operand oracle_stored(const struct oracle_program *p, const struct insn *insn, uint32_t operand);
/* A word of a constant buffer as an operand. */
bool oracle_constant_buffer(struct oracle_lane *l, uint32_t binding, uint64_t offset, unsigned words,
                            struct oracle_value out[4]);
/* What an atomic operation leaves where `old` was; what it takes, with its signs. */
uint64_t oracle_changed(const struct oracle_lane *l, const struct insn *insn, uint64_t old, uint64_t x, uint64_t y,
                        bool shared);
bool oracle_atomic_operand(struct oracle_lane *l, const struct insn *insn, struct oracle_value v[4]);
bool oracle_atomic(struct oracle_lane *l, const struct insn *insn, const struct oracle_bytes *m, uint32_t address,
                   bool undef);
bool oracle_atomic_halves(struct oracle_lane *l, const struct insn *insn, const struct oracle_bytes *m,
                          uint32_t address, bool undef);
bool oracle_counter(struct oracle_lane *l, const struct insn *insn);

/* ---- image.c, texture.c, texel_format.c ------------------------------------------------------------------------- */

bool oracle_is_image(unsigned op);
bool oracle_image(struct oracle_lane *l, const struct insn *insn);
bool oracle_is_texture(unsigned op);
bool oracle_texture(struct oracle_lane *l, const struct insn *insn);
/* What a texel reads as; components that the format does not have are 0. */
void oracle_texel(const struct gp5_format_info *f, const uint8_t *texel, uint32_t word[4]);
/* Whether components are floats or fractions; where one stands in its texel, in bits; the number that bits are, and the
 * bits of a number. */
bool oracle_has_floats(const struct gp5_format_info *f);
bool oracle_texel_field(const struct gp5_format_info *f, unsigned c, unsigned *at, unsigned *bits);
uint32_t oracle_bits_at(const uint8_t *texel, unsigned at, unsigned n);
void oracle_set_bits(uint8_t *texel, unsigned at, unsigned n, uint32_t v);
uint32_t oracle_number_of(const struct gp5_format_info *f, uint32_t v, unsigned bits);
uint32_t oracle_code_of(const struct gp5_format_info *f, uint32_t word, unsigned bits, bool is_signed);

/* ---- execute.c, flow.c: one lane -------------------------------------------------------------------------------- */

/* Runs a lane until it waits or ends; of programs whose lanes go in step, for one instruction. */
bool oracle_advance(struct oracle_lane *l);
bool oracle_execute(struct oracle_lane *l, const struct insn *insn);
/* Which of two waiting lanes is earlier in the program's run: negative, 0 (converged) or positive. */
int oracle_order(const struct oracle_lane *a, const struct oracle_lane *b);

/* ---- cross_lane.c, subgroup.c, launch.c, barrier.c: the lanes of a warp ----------------------------------------- */

bool oracle_is_cross_lane(unsigned op);
/* Lanes of one warp that are at the same instruction. */
bool oracle_exchange(struct oracle_lane *lanes[ORACLE_WARP], const struct insn *insn);
bool oracle_is_group(unsigned op);
bool oracle_exchange_group(struct oracle_lane *lanes[ORACLE_WARP], const struct insn *insn);
/* subgroup_op.c: of a reduction or scan which form it is; the operation of the model (enum gp5_subgroup_op); those that
 * compare. */
int oracle_group_kind(unsigned op);
unsigned oracle_group_of_family(unsigned operator, int kind);
unsigned oracle_group_operation(const struct insn *insn);
bool oracle_group_compares(unsigned op);
/* The lanes of a warp that stand earliest execute their instruction. False when none waits for others. */
bool oracle_run_exchange(struct oracle_group *g, uint32_t warp);
bool oracle_needs_lockstep(const struct oracle_program *p);
/* CALI whose subroutines have an order; the lanes that come to one. */
bool oracle_orders_callees(const struct oracle_lane *l, const struct insn *insn);
bool oracle_diverge(struct oracle_lane *lanes[ORACLE_WARP], const struct insn *insn);
/* A warp until its lanes that are to go on come to a BAR. */
bool oracle_advance_lockstep(struct oracle_group *g, uint32_t warp);

#endif
