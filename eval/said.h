/* What comparisons said where votes come to it by way of SHORT variables or half arithmetic (said.c). */
#ifndef GP5_EVAL_SAID_H
#define GP5_EVAL_SAID_H

#include "eval/known.h"

/* What component c of a result says (struct trait); 0: nothing of the kind. */
uint8_t eval_said_of_result(const struct known *k, const struct insn *insn, unsigned c);
/* Of a vote: notes down which components of its operand count by what was said. */
void eval_note_said(const struct known *k, const struct insn *insn, struct folded *folded);

#endif
