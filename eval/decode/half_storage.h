/* SHORT variables as the driver has them (docs/semantics.md, "SHORT variables and half arithmetic"): half_storage.c. */
#ifndef GP5_EVAL_SHORTS_H
#define GP5_EVAL_SHORTS_H

#include "eval/decode/decode.h"

/* What an instruction leaves in a SHORT variable. */
enum short_kind {
    SHORT_NUMBER = 1,           /* the word of an integer or of a conversion, all of it */
    SHORT_HALF = 2,             /* a half */
    SHORT_COPY = 4              /* a half, but who reads it as a float gets what it was made of */
};

/* Nothing without --semantics=nvidia. */
bool eval_find_shorts(struct decoder *d);

/* Whether a variable is written or read as an integer and as a float: two planes a component then, the word and the
 * float. */
bool eval_is_both(const struct decoder *d, uint32_t symbol);
/* enum short_kind of the result of instruction i, as it stands or as it is decoded. */
uint8_t eval_short_kind(const struct decoder *d, const struct insn *insn, uint32_t i);
/* An instruction as it is decoded: half arithmetic with .SSAT is done in single precision, a conversion to or from a
 * half is a MOV. */
void eval_short_form(const struct decoder *d, struct insn *insn);
/* Whether the operand that is fetched as a register type is looked at as a word. */
bool eval_reads_word(const struct decoder *d, uint8_t type);
/* The halves of an operand, where its floats may be more. */
bool eval_fetch_half(struct decoder *d, const struct operand *o, uint8_t type, uint8_t needed, struct fetched *f);
/* What a store makes halves of, as halves, where some components are so already. */
bool eval_fetch_halves(struct decoder *d, const struct operand *o, uint8_t needed, struct fetched *f, bool *done);
/* Results that have to be made halves, or that a clamp loses. */
bool eval_finishes_short(const struct decoder *d, const struct insn *insn);
bool eval_finish_short(struct decoder *d, const struct insn *insn, unsigned n, uint32_t from[4]);
/* Results as pairs of word and float, in fresh scratch. */
bool eval_pair_short(struct decoder *d, const struct insn *insn, unsigned n, uint32_t plane[4]);
/* What the files share. half_storage.c: MOV from one SHORT variable to another: word and float go over as they are. */
bool eval_moves_short(const struct decoder *d, const struct insn *insn);
/* The components that instruction i moves onto themselves; those to which nothing happens there, as to all but those
 * that a subroutine writes under no test. */
uint8_t eval_moves_nothing(const struct decoder *d, uint32_t i);
/* Whether the bits above the half are zeros in component c. A copy of what was a half before is that one, with what
 * stands above it. */
bool eval_clears_upper(const struct decoder *d, const struct insn *insn, unsigned c);
/* The half in the low bits of a word as a single, or the other way. */
struct kernel_request eval_half_conversion(const struct decoder *d, bool to_half);
/* half_words.c: the components of what PK2H packs, or a store makes halves of, that are so already; these into a packed
 * result. */
uint8_t eval_packs_words(const struct decoder *d, const struct insn *insn);
bool eval_put_words(struct decoder *d, const struct insn *insn, uint8_t words, unsigned n, uint32_t from[4]);
/* CVT to a half that it clamps, into a variable of 32 bits that is no array: above that the driver leaves other bits.
 */
bool eval_leaves_above(const struct decoder *d, const struct insn *insn);
/* Results of that: undefined as words, but for components that are numbers. */
bool eval_open_above(struct decoder *d, uint8_t numbers, unsigned n, const uint8_t comp[4], uint32_t from[4]);

/* What became a half, as far as the text tells: in blocks and subroutines nothing ceases to be one. */
void eval_note_halves(struct decoder *d, const struct insn *insn);

#endif
