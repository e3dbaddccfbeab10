/* Halves that were made of a single and become one again, and the other way (docs/semantics.md, "SHORT variables and half arithmetic"):
 * half_copies.c finds them, half_decode.c computes them. */
#ifndef GP5_EVAL_HALF_COPIES_H
#define GP5_EVAL_HALF_COPIES_H

#include "eval/shorts.h"

/* What a component is, beside what it holds. */
enum half_kind {
    HALF_NONE,
    HALF_NARROWED,              /* a word whose low half was made of a single */
    HALF_AGAIN,                 /* what stands above such a half: the same half, to CVT */
    HALF_PACKED,                /* a word both of whose halves were made of singles */
    HALF_LOW, HALF_HIGH,        /* a single that was made of the low or the high half of a word */
    HALF_ARITHMETIC,            /* a single that half arithmetic made: what stands above its half in a word is something else */
    HALF_CLAMPED                /* a word whose low half was made of a single and clamped: what stands above it is something else */
};

/* Made by a component of an instruction's result; that single or word is kept. */
struct half_view {
    uint32_t insn;
    uint8_t component, kind;
};

/* Of each instruction: views of its first operand's components (after the swizzle) and of its result's, as words and as floats, which are
 * the same but in SHORT variables; where what it makes its result of is kept: NO_PLANE if nobody asks. */
struct half_copies {
    struct half_view (*from)[2][4], (*to)[2][4];
    uint32_t (*kept)[4];
    uint8_t (*cut)[3];          /* likewise: those that another block copied, and that are a half here (half_joins.c) */
    struct vec alone;           /* instructions where an IF ends, and variables that only one way to there ever wrote */
    uint8_t (*came)[3];         /* components of operands, before the swizzle, whose writer is seen, over calls too */
};
enum { AS_WORD, AS_FLOAT };

bool eval_find_half_copies(struct decoder *d);
/* half_joins.c: takes what was found; whether only one way to the end of an IF ever wrote a variable. */
struct half_reach;
void eval_keep_meetings(struct half_copies *h, struct half_reach *from);
bool eval_has_one_writer(const struct decoder *d, uint32_t insn, uint32_t var);
void eval_half_copies_free(struct half_copies *h);

static inline struct half_view eval_half_from(const struct decoder *d, unsigned as, unsigned c)
{
    return d->half_copies && d->half_copies->from ? d->half_copies->from[d->insn][as][c] : (struct half_view){.kind = HALF_NONE};
}

static inline struct half_view eval_half_to(const struct decoder *d, unsigned as, unsigned c)
{
    return d->half_copies && d->half_copies->to ? d->half_copies->to[d->insn][as][c] : (struct half_view){.kind = HALF_NONE};
}

/* A single that was made of half a word. */
static inline bool eval_is_unpacked(struct half_view v)
{
    return v.kind == HALF_LOW || v.kind == HALF_HIGH;
}

/* CVT to a half that it clamps, into a variable of 32 bits that is no array: above that the driver leaves other bits. */
bool eval_leaves_above(const struct decoder *d, const struct insn *insn);
/* Results of that: undefined as words, but for components that are numbers; keeps the halves that are wanted once more. */
bool eval_open_above(struct decoder *d, const struct insn *insn, uint8_t numbers, unsigned n, const uint8_t comp[4], uint32_t from[4]);
/* One operation a component, from one plane to another (shorts_words.c). */
bool eval_each_plane(struct decoder *d, struct kernel_request want, unsigned n, const uint32_t from[4], const uint32_t to[4]);
/* Whether it loads halves, from an image not into a SHORT variable. */
bool eval_brings_halves(const struct decoder *d, const struct insn *insn);
/* Whether it is one of several halves that were loaded at once: above it stands whatever came with it. */
static inline bool eval_has_neighbours(const struct decoder *d, struct half_view v)
{
    const struct insn *insn = program_insn(d->p, v.insn);

    return eval_brings_halves(d, insn) && insn->width > 1;
}

/* Loads halves that are wanted once more as they stood in memory: keeps these. */
bool eval_load_halves(struct decoder *d, const struct insn *insn, struct access *a);
/* The components of what an instruction makes halves of, or singles of, that are wanted once more. */
uint8_t eval_wanted_halves(const struct decoder *d, const struct insn *insn);
/* Keeps what an instruction makes halves of, or singles, before it runs; of what is copied into a SHORT variable eval_keep_copied does. */
bool eval_keep_halves(struct decoder *d, const struct insn *insn);
bool eval_keep_copied(struct decoder *d, const struct insn *insn, unsigned n, const uint32_t single[4]);
/* The single that a view was made of (of what stands above a half: that half as a single), or its word: of a high half, that half. */
bool eval_half_origin(struct decoder *d, struct half_view v, uint32_t *plane);
/* UP2H of a word whose halves are copies: these, as they are. */
bool eval_unpack_copies(struct decoder *d, const struct insn *insn, uint32_t by_component[4], bool *copies);
/* CVT and UP2H some of whose components are copies. */
bool eval_decode_half_copies(struct decoder *d, const struct insn *insn, bool *done);

#endif
