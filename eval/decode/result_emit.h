/* Steps that write results, once it is known what goes where (result.c). */
#ifndef GP5_EVAL_RESULT_STEPS_H
#define GP5_EVAL_RESULT_STEPS_H

#include "eval/decode/decode.h"

/* `both`: it goes to a SHORT variable with a word and a float, whose words stand in `from` and `to`, and the floats
 * behind them. */
/* Which components of a result its test lets pass, before any is written: as flags of the condition code EARLIER. */
bool eval_keep_outcome(struct decoder *d, const struct insn *insn);
bool eval_write_result(struct decoder *d, const struct insn *insn, const struct write *out, bool both);

#endif
