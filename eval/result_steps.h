/* Steps that write results, once it is known what goes where (results.c). */
#ifndef GP5_EVAL_RESULT_STEPS_H
#define GP5_EVAL_RESULT_STEPS_H

#include "eval/decode.h"

bool eval_write_step(struct decoder *d, const struct insn *insn, const struct write *out);
/* Of a SHORT variable the floats, while the condition is what it was. */
bool eval_write_floats(struct decoder *d, const struct insn *insn, const struct write *out);
/* Whether components are written one after the other, or find their tests turned around; writes them so. */
bool eval_is_written_apart(const struct decoder *d, const struct insn *insn);
bool eval_write_apart(struct decoder *d, const struct insn *insn, const struct write *out);

#endif
