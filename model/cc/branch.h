/* Between branch.c (what tests see of numbers), predicate.c (tests of results) and known_carries.c (tests of carries).
 */
#ifndef EVAL_KNOWN_FLAGS_H
#define EVAL_KNOWN_FLAGS_H

#include "model/const/lattice.h"

/* How a test sees a component of a condition code that is a number known to the compiler: in the block that set it as
 * that number, whose denormals are no zeros and whose NaN has no sign; in another block by the flags; and there as
 * nothing but zero or not, where other blocks set that component too. */
enum view { VIEW_NUMBER, VIEW_FLAGS, VIEW_ZERO };

/* How one sees component i (as in `values`); `is_there`: a test that sees this block's as what they are. */
enum view eval_view_of(const struct known *k, unsigned i, bool is_there);
/* Whether it is known how a test of component i comes out, and how. */
bool eval_test_known(const struct known *k, unsigned i, uint8_t rule, enum view view, bool *passes);

static inline uint8_t eval_test_swizzle(const struct condition *test)
{
    return test->nswizzle ? test->swizzle : 0xe4;
}

/* The component that a test's cth one looks at, as in `values`. */
static inline unsigned eval_looks_at(const struct condition *test, unsigned c)
{
    return (test->cc & 1) * 4u + (eval_test_swizzle(test) >> 2 * c & 3);
}

static inline uint8_t eval_flags_set(const struct insn *insn)
{
    return insn->cc_update ? (uint8_t)(insn->dst.mask << (insn->cc_update - 1u) * 4) : 0;
}

/* predicate.c: the components of a result whose test looks at flags of known numbers, or is known to pass, and those
 * whose test passes or fails for certain. */
void eval_known_settle(const struct known *k, const struct insn *insn, struct folded *folded);

#endif
