/* Elements of arrays that are variables of their own, and components that results leave as they are (sroa.c). */
#ifndef GP5_EVAL_ELEMENTS_H
#define GP5_EVAL_ELEMENTS_H

#include "asm/program.h"

struct decoder;

/* A program in which they are; `used` when it is one. */
struct elements {
    bool used;
    struct gp5_program program; /* all but its instructions, operands, indices and symbols is the original's */
    uint32_t first;             /* symbols from here on are elements */
    struct vec of;              /* struct element_of: of each of these */
};

struct element_of {
    uint32_t symbol, element;
};

/* Sets decoder->p to the elements' program when there are any, or such components. `ends` of the decoder are made already. */
bool eval_split_arrays(struct decoder *d);
void eval_elements_free(struct elements *e);
/* Whether the text names elements of the symbol, or of the array that it is an element of, by an index that is computed, known or not. */
bool eval_is_indexed(const struct decoder *d, uint32_t symbol);
/* Whether a result is an element that registers choose, known ones too: under a test the write is a branch. */
bool eval_is_by_address(const struct decoder *d, const struct result *r);

/* The array and element that a symbol stands for, or NULL: it is no element. */
static inline const struct element_of *eval_element_of(const struct elements *e, uint32_t symbol)
{
    return e->used && symbol >= e->first ? (const struct element_of *)vec_at(&e->of, symbol - e->first) : NULL;
}

#endif
