/* The index registers of LOOPs (loop_index.c). */
#ifndef GP5_EVAL_LOOP_INDEX_H
#define GP5_EVAL_LOOP_INDEX_H

#include "asm/program.h"

struct decoder;

/* A LOOP that is open: A0, or NO_INDEX where the program does not name it; planes of what it was before and of what is
 * added. */
struct loop_index {
    uint32_t symbol, saved, step;
};

/* In front of the REP, in front of the ENDREP's jump, and behind it; nothing where these are no LOOP's. */
bool eval_begin_index(struct decoder *d, const struct insn *insn);
bool eval_advance_index(struct decoder *d, const struct insn *insn);
bool eval_end_index(struct decoder *d, const struct insn *insn);

#endif
