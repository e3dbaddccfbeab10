/* Tests of condition codes, with what the model knows of them. */
#include "eval/decode/decode.h"

static struct test test_of(const struct condition *c)
{
    struct test t = {.rule = c->rule, .cc = (uint8_t)eval_cc_of(c), .swizzle = c->nswizzle ? c->swizzle : 0xe4};

    if (t.cc == RESIDENCY)
        t.rule = c->rule == CC_RESIDENT ? CC_NE : CC_EQ;
    return t;
}

struct test eval_test_of_result(const struct decoder *d, const struct insn *insn)
{
    struct test t = test_of(&insn->dst.condition);
    const struct folded *folded = eval_folded_at(d, d->insn);

    if (folded && t.cc != RESIDENCY) {
        t.choice = insn->cc_update ? 0 : folded->moved;
        t.passes = folded->passes;
        t.settled = folded->passes | folded->fails;
    }
    return t;
}

struct test eval_test_of_flow(const struct decoder *d, const struct insn *insn)
{
    struct test t = test_of(&insn->condition);
    const struct folded *folded = eval_folded_at(d, d->insn);

    t.flow = true;
    if (folded)
        t.outcome = folded->outcome;
    return t;
}
