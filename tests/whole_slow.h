/* The second evaluator (tests/slow) on a case of `gp5 fuzz --eval` that has neither textures nor what is wider. */
#ifndef GP5_TESTS_WHOLE_SLOW_H
#define GP5_TESTS_WHOLE_SLOW_H

#include "compare/fuzz/whole_run.h"

/* False without memory. The answer is to be freed either way. */
bool whole_slow(const struct whole_case *c, enum gp5_semantics semantics, struct whole_answer *a);

#endif
