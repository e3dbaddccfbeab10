/* What the second evaluator's files share. */
#ifndef GP5_TESTS_SLOW_INTERNAL_H
#define GP5_TESTS_SLOW_INTERNAL_H

#include "tests/slow/lane.h"

/* Ends the run; returns false. */
bool slow_fail(struct slow_group *g, enum slow_status status, const char *what, const struct insn *insn);

/* ---- types.c: what an instruction's operands and results are ------------------------------------------------ */

int slow_bytes(unsigned type);          /* of a register value: 4 or 8 */
bool slow_is_float(unsigned type);
uint8_t slow_operand_type(const struct insn *insn, unsigned k);
uint8_t slow_result_type(const struct insn *insn);
/* The components of operand k (after its swizzle) that component c of the result is made of. */
unsigned slow_made_of(const struct slow_program *p, const struct insn *insn, unsigned k, unsigned c);
/* Whether an instruction loads from a constant buffer at a place that the text names. */
bool slow_loads_given(const struct gp5_program *text, const struct insn *insn);
uint64_t slow_resize(const struct slow_program *p, uint64_t bits, unsigned type, bool from_wide, bool to_wide);

/* ---- elements.c ------------------------------------------------------------------------------------------------ */

/* A program whose arrays that only numbers index are variables; to be freed by the second one, also where memory ran out. */
/* addresses.c: which instructions are in main or in what is called, and index registers that are one number wherever these use them. */
struct slow_addresses {
    const struct gp5_program *p;
    uint32_t start, end;        /* of the main program */
    bool *runs, *label, more;
};
bool slow_addresses_find(struct slow_addresses *a, const struct gp5_program *p);
void slow_addresses_forget(struct slow_addresses *a);
/* The element that an index of instruction `insn` is known to name, in an array of so many. */
bool slow_address(const struct slow_addresses *a, const struct index *x, uint32_t insn, uint32_t size, uint32_t *element);

/* Fills in which of its symbols are indexed, or elements of arrays that are, by anything but numbers somewhere in the text. */
bool slow_take_apart(const struct gp5_program *from, struct gp5_program *to, bool **by_address);
void slow_put_together(struct gp5_program *p);

/* ---- labels.c: a copy of the program in which labels are where the driver has them ---- */

bool slow_move_labels(const struct gp5_program *from, struct gp5_program *to);
void slow_forget_labels(struct gp5_program *p);

/* ---- shorts.c: SHORT variables -------------------------------------------------------------------------------- */

#define SLOW_SINGLE 0x80000000u     /* flags of an instruction: half arithmetic that is done in single precision */
/* Whether flags are all that an instruction gives: nothing in the text reads the variable. */
bool slow_sets_flags_alone(const struct slow_program *p, const struct insn *insn);
/* The flags that such an instruction with .SAT sets are those of what it clamps. */
bool slow_clamps_behind_flags(const struct slow_program *p, const struct insn *insn);
void slow_clamp_copy(const struct slow_lane *l, const struct insn *insn, struct slow_value src[3][4], struct slow_value r[4]);
bool slow_is_short(const struct slow_program *p, unsigned kind, uint32_t ref);
bool slow_drops_half(const struct slow_program *p, const struct insn *insn);
/* An instruction as it is executed. */
struct insn slow_short_form(const struct slow_program *p, const struct insn *insn);
bool slow_reads_word(const struct insn *insn, unsigned type);
/* What an instruction leaves there: a word, a half, or a float that is more than that; MOV from one to another. */
enum { SLOW_SHORT_WORD = 1, SLOW_SHORT_HALF = 2, SLOW_SHORT_COPY = 4 };
unsigned slow_short_kind(const struct slow_program *p, uint32_t insn);
/* The same of an instruction in its short form; `place`, or NULL where nobody asks about known factors. */
unsigned slow_kind_into_short(const struct slow_program *p, const struct insn *insn, const struct slow_place *place);
bool slow_is_constant(const struct slow_program *p, const struct operand *o);
bool slow_moves_short(const struct slow_program *p, const struct insn *insn);
bool slow_in_subroutine(const struct slow_program *p, uint32_t i);
/* The components that are moved onto themselves; those to which nothing happens there, as to all but those that a subroutine writes under no test. */
unsigned slow_onto_itself(const struct slow_program *p, uint32_t i);
unsigned slow_moves_nothing(const struct slow_program *p, uint32_t i);
/* shorts_meet.c: what is left of a value where something else may have been written between what wrote it and who reads it: a half as a float, a word
 * of which nobody knows the upper half. */
enum { SHORT_HALF = 1, SHORT_UPPER = 2 };
unsigned slow_short_met(const struct slow_lane *l, const struct slow_value *v, uint32_t symbol, unsigned c);
/* Whether a value stood there when the subroutine at hand was called; the same of such a value. */
bool slow_came_in(const struct slow_lane *l, const struct slow_value *v);
bool slow_short_is_own(const struct slow_lane *l, uint32_t symbol, unsigned c);
/* Where a lane returns: what met others in the subroutine. */
unsigned slow_short_met_within(const struct slow_lane *l, const struct slow_value *v, uint32_t symbol, unsigned c);
void slow_leave_shorts(struct slow_lane *l);
unsigned slow_short_met_outside(const struct slow_lane *l, const struct slow_value *v, uint32_t symbol, unsigned c);
/* A known half as a single, where denormal ones stay or not. */
uint32_t slow_known_float(uint32_t half, bool denormals);
/* Component c of an operand that is such a variable, as the instruction at hand reads it. False: not evaluated. */
bool slow_read_short(struct slow_lane *l, const struct operand *o, unsigned type, unsigned c, struct slow_value *v);
/* PK2H of words of integers: the halves in them go over as they are. */
bool slow_pack_words(struct slow_lane *l, const struct insn *insn, struct slow_value r[4]);
/* unpacked.c: results that are copies of what halves were made of, and what results are made of; what is left of that in a SHORT variable;
 * components of an operand that are halves of words, and these. */
bool slow_view_result(struct slow_lane *l, const struct insn *insn, struct slow_value s[3][4], struct slow_value r[4]);
void slow_view_short(struct slow_lane *l, const struct insn *insn, unsigned c, bool moved, bool word, bool copy, struct slow_value *to);
uint8_t slow_unpacked(struct slow_lane *l, const struct operand *o, uint64_t half[4], bool open[4]);
/* half_numbers.c: whether CVT takes the number of a single that was made of a half; false: there is none. */
bool slow_takes_number(const struct slow_program *p, const struct insn *insn, const struct slow_view *v);
bool slow_take_number(const struct slow_program *p, const struct insn *insn, const struct slow_value *from, struct slow_value *r);
/* The components of what a store makes halves of that are so already. */
bool slow_stored_halves(struct slow_lane *l, const struct insn *insn, uint8_t *mask, struct slow_value half[4]);
/* Half arithmetic, but for copies. */
bool slow_makes_half(const struct insn *insn);
uint64_t slow_literal(const struct slow_program *p, const struct operand *o, unsigned c, unsigned type);
/* Numbers that CVT takes for halves become their bits. */
void slow_literal_halves(const struct slow_program *p, const struct insn *insn, const struct operand *o, struct slow_value v[4]);
/* What a result has besides its bits, before anything is written; and when it is. */
bool slow_moved_halves(struct slow_lane *l, const struct insn *insn, struct slow_value from[4]);
bool slow_write_short(struct slow_lane *l, const struct insn *insn, unsigned c, const struct slow_value from[4], struct slow_value *to);
/* The driver clamps a half with .SSAT to 0, or nobody knows to what. */
bool slow_loses_short_clamp(const struct slow_program *p, const struct insn *insn, bool *zero);
void slow_finish_short(const struct slow_program *p, const struct insn *insn, const struct slow_place *place, struct slow_value *v);
/* The registers of an operand, as they are. */
bool slow_register(struct slow_lane *l, const struct operand *o, struct slow_value out[4]);

/* ---- numbers.c ------------------------------------------------------------------------------------------------ */

/* Results of an instruction that computes within its lane, before masks. False: not evaluated. */
bool slow_compute(const struct slow_program *p, const struct insn *insn, struct slow_value src[3][4],
                  struct slow_value result[4]);
/* approximated.c: false: not one of these. */
/* LIT's third component of a logarithm. */
uint32_t slow_shine(const struct slow_program *p, uint32_t x, uint32_t logarithm, uint32_t w);
bool slow_approximate(const struct slow_program *p, const struct insn *insn, struct slow_value s[3][4], uint64_t r[4]);
uint32_t slow_product(const struct slow_program *p, uint32_t a, uint32_t b);
uint64_t slow_root_of_double(uint64_t a);
/* left_open.c: whether the text leaves component c of a result open. */
bool slow_left_open(const struct slow_program *p, const struct insn *insn, struct slow_value s[3][4], unsigned c);
/* Components that the instruction does not have, and that a LONG variable takes from nowhere. */
bool slow_lacks(const struct slow_program *p, const struct insn *insn, unsigned c);
/* Components that stay as they are, enabled or not. */
uint8_t slow_leaves(unsigned op);
uint64_t slow_unclamped(const struct slow_program *p, const struct insn *insn, struct slow_value s[3][4], unsigned c, uint64_t bits);
unsigned slow_untouched(const struct slow_program *p, const struct insn *insn);
/* An element of an array of words that computed indices reach; a shuffle or MATCH into such a one is made elsewhere, and what it has not is copied too. */
bool slow_is_in_memory(const struct slow_program *p, const struct result *r);
bool slow_goes_by_copy(const struct slow_program *p, const struct insn *insn);
struct slow_flags slow_flags_of(const struct slow_program *p, unsigned type, uint64_t bits);
/* Overflow and carry of an integer sum. */
void slow_carry(const struct insn *insn, const uint64_t a[3], bool flipped_difference, bool *overflow, bool *carry);
uint64_t slow_sign(const struct slow_program *p, unsigned type, unsigned flags, uint64_t bits);
/* A float operand that no arithmetic follows: its sign is arithmetic of its own. */
uint64_t slow_moved(const struct slow_program *p, unsigned type, bool has_sign, uint64_t bits);
uint64_t slow_saturate(const struct slow_program *p, unsigned type, unsigned flags, uint64_t bits);
/* beside.c: remembers what some see of a result; puts that in the place of an operand's components. */
bool slow_remember_views(struct slow_lane *l, const struct insn *insn, struct slow_value src[3][4], struct slow_value r[4]);
bool slow_take_views(struct slow_lane *l, const struct operand *o, unsigned k, unsigned type, struct slow_value v[4]);
/* lost_tests.c: whether a division decides by itself what of its result is written; those components. */
bool slow_loses_test(const struct slow_program *p, const struct insn *insn);
unsigned slow_lost_outcome(const struct insn *insn, struct slow_value src[3][4]);
uint64_t slow_sum(const struct slow_program *p, unsigned type, uint64_t a, uint64_t b);
/* One operation on single values. */
uint64_t slow_apply(const struct slow_program *p, unsigned op, unsigned type, uint64_t a, uint64_t b, uint64_t c);
/* halves.c: half arithmetic that takes steps, as the driver does it; false: not evaluated. */
bool slow_half(const struct insn *insn, bool to_short, unsigned of_short, struct slow_value s[3][4], uint64_t r[4]);
/* What a quotient of halves, and a vector of halves that is normalised, are multiplied by. */
uint32_t slow_half_reciprocal(uint32_t a);
uint32_t slow_half_scale(struct slow_value s[4]);
/* XPD.F16.SSAT: of singles, but for the second product. */
void slow_single_cross(struct slow_value s[3][4], uint64_t r[4]);
uint32_t slow_half_root(uint32_t a);
uint32_t slow_half_product(uint32_t a, uint32_t b);
uint32_t slow_half_fused(uint32_t a, uint32_t b, uint32_t c);
uint32_t slow_half_inverse_root(uint32_t a);
uint32_t slow_half_power(uint32_t a);
/* LIT's z of the logarithm of y. */
uint32_t slow_half_shine(uint32_t x, uint32_t logarithm, uint32_t w);
/* known_half.c: what the compiler makes of halves that it knows, a denormal one a zero; false: it leaves that to run time. */
bool slow_known_half_fused(uint32_t a, uint32_t b, uint32_t c, uint32_t *r);
bool slow_known_half_product(uint32_t a, uint32_t b, uint32_t *r);
bool slow_known_half_function(unsigned op, uint32_t a, uint32_t *r);
/* The square root that the hardware has, for RCP, RSQ and DIV of a pair. */
uint64_t slow_root(const struct slow_program *p, const struct insn *insn, uint32_t a);
/* Where .SSAT is written and nothing is clamped. */
/* Whether the driver writes the components one by one, under tests of their own, with flags of what is written. */
/* Whether the driver takes no notice of a result's test. */
bool slow_looks_at_no_test(const struct slow_program *p, const struct insn *insn);
bool slow_tests_others(const struct slow_program *p, const struct insn *insn);
bool slow_apart(const struct slow_program *p, const struct insn *insn);
/* UP64 into a LONG variable is widened before it is clamped. */
bool slow_clamps_wide(const struct slow_program *p, const struct insn *insn);
bool slow_loses_clamp(const struct slow_program *p, const struct insn *insn);
bool slow_is_half(const struct slow_program *p, const struct insn *insn);
/* Integers of 32 bits; sums. */
static inline bool slow_is_word_type(unsigned type)
{
    return type == DT_S32 || type == DT_U32;
}

static inline bool slow_op_adds(unsigned op)
{
    return op == OP_ADD || op == OP_SUB || op == OP_MAD || op == OP_SAD;
}

/* Written as half arithmetic, and done so. */
static inline bool slow_has_half_form(const struct insn *insn)
{
    return (insn->type == DT_F16 || insn->flags & INSN_HALF) && !(insn->flags & INSN_SSAT);
}

/* ---- known.c, known_single.c, rewritten.c, copied.c ---------------------------------------------------------------------------------------- */

/* The exact logarithm of what is above zero. */
bool slow_logarithm(uint32_t x, uint32_t *r);
bool slow_known_half(const struct insn *insn, struct slow_value s[3][4], unsigned c, bool denormals, uint32_t *result);   /* known_half.c */
/* known_single.c: what comes out otherwise than at run time. 1: so; 0: as at run time, but known; -1: not known. And a result with its clamp. */
int slow_known_single(const struct insn *insn, struct slow_value s[3][4], unsigned c, bool has_sign, uint32_t *r);
uint32_t slow_known_clamped(const struct insn *insn, uint32_t w);
/* Puts what the compiler makes of an instruction in the place of what the machine computes; s: its operands. */
bool slow_in_register(const struct slow_program *p, const struct operand *o);
bool slow_rewrite(struct slow_lane *l, const struct insn *insn, struct slow_value s[3][4], struct slow_value result[4]);
/* Makes doubles of the results of a copy into a LONG variable that the driver widens before it is done with; whether it does. */
bool slow_widened_copy(struct slow_lane *l, const struct insn *insn, struct slow_value src[3][4], struct slow_value result[4]);
/* Gives the results of a copy under a test their bits. */
bool slow_copy_under_test(struct slow_lane *l, const struct insn *insn, struct slow_value result[4]);
/* sides.c: clamped sums that are known to be 1 and more. */
/* The components whose flags are of 1.0. */
/* ones.c: what an operand is where it is read as 1.0; what becomes 1.0 behind a place. */
void slow_see_ones(const struct slow_lane *l, const struct operand *o, unsigned type, struct slow_value v[4]);
/* bare.c: components of an operand of a place that are a itself, though it is -|a|. */
/* Whether operand n has the other sign where it is added: bare.c looks at it so. */
bool slow_is_subtracted(const struct insn *insn, unsigned n);
unsigned slow_bare(const struct slow_program *p, const struct slow_place *place, const struct operand *o, unsigned type);
void slow_end_ones(struct slow_lane *l, const struct slow_place *behind);
unsigned slow_clamp_above(const struct slow_lane *l, const struct insn *insn, struct slow_value s[3][4], struct slow_value result[4]);
/* X2D whose x and z are written before its y and w are computed. */
bool slow_in_two(const struct slow_program *p, const struct insn *insn);
/* Whether it is one of two, x and z first, and operand k reads those for y and w. */
bool slow_reads_back(const struct slow_program *p, const struct insn *insn, unsigned k);

/* order_ranks.c: puts the NaN that the driver keeps in the place of a result. */
void slow_order_nans(const struct slow_lane *l, const struct insn *insn, struct slow_value src[3][4], struct slow_value result[4]);
/* views.c: components of condition codes that are set more than once, but for what the same block sets again. */
uint8_t slow_set_more_than_once(const struct slow_program *p);
/* ---- sides.c ---------------------------------------------------------------------------------------------------- */

/* Sides of sums, and comparisons that ask for them. */
void slow_sides(struct slow_lane *l, const struct insn *insn, struct slow_value s[3][4], struct slow_value result[4]);
/* Flags of a result, where tests of them come out otherwise. */
void slow_answer(const struct slow_lane *l, unsigned c, const struct slow_value *v, struct slow_flags *f);
/* Whether a sum of integers is one that the compiler orders, and its carry and overflow. */
bool slow_adds(const struct slow_program *p, const struct insn *insn);
void slow_carries(struct slow_lane *l, const struct insn *insn, struct slow_value s[3][4], unsigned c, struct slow_flags *f);

/* Elements of an array, or 1. */
uint64_t slow_elements(const struct symbol *s);

/* ---- operands.c, results.c ------------------------------------------------------------------------------------------------ */

bool slow_fetch(struct slow_lane *l, const struct operand *o, unsigned type, struct slow_value out[4]);
/* An index register as a signed number. */
bool slow_index(struct slow_lane *l, const struct index *index, int64_t *value, bool *open);
bool slow_test(struct slow_lane *l, const struct condition *c, unsigned component, bool *open);
bool slow_test_any(struct slow_lane *l, const struct condition *c, bool *open);
/* Results into the destination, under its mask and test, with flags of `type`. */
bool slow_write(struct slow_lane *l, const struct insn *insn, unsigned type, unsigned components,
                struct slow_value result[4], const struct slow_flags flags[4]);
void slow_use(struct slow_lane *l, bool open);

bool slow_new_party(struct slow_group *g, const struct slow_party *wanted, uint64_t *number);      /* parties.c */

/* ---- memory.c, together.c, execution.c, flow.c --------------------------------------------------------------------------------- */

/* state.c: what a GL context begins with. Element `at` of a binding; how many elements it has without a range. */
bool slow_is_state(unsigned kind);
unsigned slow_state_rows(unsigned kind);
struct slow_value slow_state(const struct slow_program *p, const struct binding *b, uint32_t at, unsigned c);

/* subgroup.c: lanes of one warp that are at the same instruction of OPTION GP5_subgroup. */
bool slow_is_group(unsigned op);
bool slow_together_group(struct slow_lane *lanes[SLOW_WARP], const struct insn *insn);

/* subgroup_operations.c: of a reduction or scan which form it is; the operation of the model (enum gp5_subgroup_op); those that compare. */
int slow_group_kind(unsigned op);
unsigned slow_group_of_family(unsigned operator, int kind);
unsigned slow_group_operation(const struct insn *insn);
bool slow_group_compares(unsigned op);

bool slow_is_memory(unsigned op);
bool slow_is_image(unsigned op);
bool slow_image(struct slow_lane *l, const struct insn *insn);
/* Whether an image access moves values of the format: its modifiers say no size. */
bool slow_moves_values(const struct slow_program *p, const struct insn *insn);
/* What a texel reads as; components that the format does not have are 0. */
void slow_texel(const struct gp5_format_info *f, const uint8_t *texel, uint32_t word[4]);
/* texel_codes.c: whether components are floats or fractions; where one stands in its texel, in bits; the number that bits are, and the bits of
 * a number. */
bool slow_has_floats(const struct gp5_format_info *f);
bool slow_texel_field(const struct gp5_format_info *f, unsigned c, unsigned *at, unsigned *bits);
uint32_t slow_bits_at(const uint8_t *texel, unsigned at, unsigned n);
void slow_set_bits(uint8_t *texel, unsigned at, unsigned n, uint32_t v);
uint32_t slow_number_of(const struct gp5_format_info *f, uint32_t v, unsigned bits);
uint32_t slow_code_of(const struct gp5_format_info *f, uint32_t word, unsigned bits, bool is_signed);
bool slow_is_texture(unsigned op);
bool slow_texture(struct slow_lane *l, const struct insn *insn);
/* What an atomic operation leaves where `old` was. */
uint64_t slow_changed(const struct slow_lane *l, const struct insn *insn, uint64_t old, uint64_t x, uint64_t y, bool shared);
unsigned slow_register_type(unsigned type);
/* The operand of a store: docs/semantics.md, "Memory", says when the driver does not see its signs. */
struct operand slow_stored(const struct slow_program *p, const struct insn *insn, uint32_t operand);
/* unpacked.c: of memory, as whatever makes halves of it sees it. */
bool slow_loads_halves(const struct insn *insn);
/* The same, and from an image, but not into a SHORT variable. */
bool slow_brings_halves(const struct slow_program *p, const struct insn *insn);
void slow_view_loaded(const struct slow_lane *l, const struct insn *insn, unsigned c, uint16_t half, struct slow_value *r);
bool slow_memory(struct slow_lane *l, const struct insn *insn);
/* Memory that an address is in, with what is undefined there. */
struct slow_bytes {
    uint8_t *data;
    uint64_t size;
    bool *open;
    unsigned unit;              /* bytes that one of `open` is about */
};

struct slow_bytes slow_buffer_at(struct slow_buffer *list, size_t n, uint64_t binding);
bool slow_inside(const struct slow_bytes *m, uint64_t address, unsigned bytes);
bool slow_is_open(const struct slow_bytes *m, uint64_t address, unsigned bytes);
void slow_set_open(const struct slow_bytes *m, uint64_t address, unsigned bytes, bool open);
uint64_t slow_get(const uint8_t *from, unsigned type);
void slow_put(uint8_t *to, unsigned type, uint64_t v);
/* An address as the driver uses it. */
uint32_t slow_rounded(const struct slow_lane *l, const struct insn *insn, uint32_t address);

/* atomics.c */
/* What an atomic operation takes, with its signs. */
/* The components that the driver writes of what an atomic operation gives. */
uint8_t slow_atomic_written(const struct slow_program *p, const struct insn *insn);
bool slow_atomic_operand(struct slow_lane *l, const struct insn *insn, struct slow_value v[4]);
bool slow_atomic(struct slow_lane *l, const struct insn *insn, const struct slow_bytes *m, uint32_t address, bool open);
bool slow_atomic_halves(struct slow_lane *l, const struct insn *insn, const struct slow_bytes *m, uint32_t address, bool open);
bool slow_counter(struct slow_lane *l, const struct insn *insn);
/* A word of a constant buffer as an operand. */
bool slow_constant_buffer(struct slow_lane *l, uint32_t binding, uint64_t offset, unsigned words,
                          struct slow_value out[4]);
bool slow_looks_at_others(unsigned op);
/* Lanes of one warp that are at the same instruction, which has its place in the plan. */
bool slow_together(struct slow_lane *lanes[SLOW_WARP], const struct insn *insn, const struct slow_place *place);
/* Runs a lane until it waits or ends; of programs whose lanes go in step, for one instruction. */
bool slow_advance(struct slow_lane *l);
bool slow_execute(struct slow_lane *l, const struct insn *insn);
/* Which of two waiting lanes is earlier in the program's run: negative, 0 (together) or positive. */
int slow_order(const struct slow_lane *a, const struct slow_lane *b);

/* ---- schedule.c: lanes whose ways do not meet behind ENDIF ------------------------------------------------------ */

/* Whether lanes that come here together go on from here as they are told, or are looked at. */
bool slow_is_scheduled(const struct slow_lane *l, const struct insn *insn);
bool slow_go_ways(struct slow_lane *lanes[SLOW_WARP], const struct insn *insn);
void slow_hold_nobody(struct slow_group *g, uint32_t warp);
/* Before the earliest lane of a warp that could run, or NULL: whether some that wait go on instead. */
/* Whether a lane comes to where those who took a CONT go round apart from the others; all of them that are together. */
bool slow_is_divided(const struct slow_lane *l);
bool slow_divide(struct slow_lane *lanes[SLOW_WARP]);
bool slow_wake(struct slow_group *g, uint32_t warp, const struct slow_lane *first);

/* ---- barriers.c: BAR that not all lanes come to, under nvidia ------------------------------------------------------ */

bool slow_goes_in_step(const struct slow_program *p);
bool slow_find_sides(struct slow_group *g);
/* IF and CALI whose sides and subroutines have an order. */
bool slow_orders_lanes(const struct slow_lane *l, const struct insn *insn);
bool slow_part(struct slow_lane *lanes[SLOW_WARP], const struct insn *insn);
/* Of two lanes in the same call and round: whether the one at the later place goes first. */
bool slow_is_swapped(const struct slow_lane *l, uint32_t a, uint32_t b);
/* A warp until its lanes that are to go on come to a BAR. */
bool slow_advance_in_step(struct slow_group *g, uint32_t warp);
bool slow_meet(struct slow_group *g, uint32_t warp);    /* run.c */
bool slow_all_back(struct slow_lane *lanes[SLOW_WARP]);  /* calls.c */

#endif
