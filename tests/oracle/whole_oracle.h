/* The oracle (tests/oracle) on a case of `gp5 fuzz --eval` that has neither textures nor what is wider. */
#ifndef GP5_TESTS_WHOLE_ORACLE_H
#define GP5_TESTS_WHOLE_ORACLE_H

#include "compare/fuzz/whole_run.h"

/* False without memory. The answer is to be freed either way. */
bool whole_oracle(const struct whole_case *c, enum gp5_semantics semantics, struct whole_answer *a);

#endif
