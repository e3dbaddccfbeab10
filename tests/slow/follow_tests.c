/* Tests of condition codes as far as they are known: of flow, and those that results are written under (follow.c). */
#include "tests/slow/follow.h"

static unsigned looked_at(const struct condition *c, unsigned i)
{
    return (c->nswizzle ? c->swizzle : 0xe4) >> 2 * i & 3;
}

/* Whether components are written in turn, and which see flags as they were. */
static void note_turns(const struct slow_knowledge *k, const struct insn *insn, struct slow_place *seen)
{
    const struct condition *test = &insn->dst.condition;
    for (unsigned c = 0; c < 4; c++) {
        if (!(insn->dst.mask >> c & 1) || slow_looks_at_no_test(k->p, insn))
            continue;
        if (k->near >> ((test->cc & 1) * 4 + looked_at(test, c)) & 1)
            seen->as_before |= (uint8_t)(1u << c);
        else
            seen->in_turn |= slow_tests_itself(k->p, insn) && !k->p->divides && k->p->in_turn;
    }
}

/* The rule that fails where this one passes, or itself. */
static unsigned opposite(unsigned rule)
{
    switch (rule) {
    case CC_CF: return CC_NCF;
    case CC_OF: return CC_NOF;
    case CC_AB: return CC_BLE;
    case CC_LT: return CC_NSF;
    case CC_GT: return SLOW_NOT_ABOVE_PASSES;
    default: return rule;
    }
}

/* Whether a component that is written before c may have set the flag that c looks at. */
static bool is_set_earlier(const struct insn *insn, const struct slow_place *seen, unsigned at, unsigned c)
{
    if (!(insn->dst.mask >> at & 1) || seen->fails >> at & 1)
        return false;
    if (seen->in_turn)
        return slow_turn_of(insn, at) < slow_turn_of(insn, c) && !(seen->as_before >> c & 1);
    return (slow_bytes(slow_result_type(insn)) == 8 ? insn->cc_update != 0 : insn->cc_update == (insn->dst.condition.cc & 1) + 1) && at < c;
}

void slow_note_outcomes(const struct slow_knowledge *k, const struct insn *insn, struct slow_place *seen)
{
    const struct condition *test = &insn->dst.condition;
    unsigned rule = test->rule, other = opposite(rule);
    if (!condition_restricts(test))
        return;
    note_turns(k, insn, seen);
    for (unsigned c = 0; c < 4; c++) {
        unsigned at = looked_at(test, c);
        bool earlier = is_set_earlier(insn, seen, at, c), pass = false, known = slow_sees(k, test, at, insn, &pass);
        const struct slow_known *f = slow_of_flags(k, test->cc, at);
        uint8_t bit = (uint8_t)(1u << c);
        if (!(insn->dst.mask >> c & 1) || slow_looks_at_no_test(k->p, insn))
            continue;
        if ((f->known || (f->passes >> rule | f->passes >> other) & 1) && !(seen->in_turn && earlier && rule != CC_AB && rule != CC_BLE))
            seen->settled |= bit;
        if (rule == CC_FL || (known && !pass && !earlier))
            seen->fails |= bit;
        else if (known && !earlier)
            seen->passes |= bit;
        else if (!earlier && rule != other)         /* no carry: what looks for one fails */
            seen->fails |= (uint8_t)((f->passes >> other & 1) << c);
        else if (!earlier && (rule == CC_NCF || rule == CC_NOF || rule == CC_BLE))
            seen->passes |= (uint8_t)((f->passes >> rule & 1) << c);
    }
    if ((op_shuffles(insn->op) || insn->op == OP_MATCH) && !slow_goes_by_copy(k->p, insn))      /* the value is written all the same */
        seen->fails &= (uint8_t)~2u;
}

bool slow_known_test(const struct slow_knowledge *k, const struct condition *c, bool *passes)
{
    bool all = true, any = false, pass = false;
    *passes = !condition_restricts(c);
    if (*passes || c->rule == CC_FL)
        return true;
    for (unsigned i = 0; i < 4; i++) {
        bool known = slow_sees(k, c, looked_at(c, i), NULL, &pass);
        all &= known;
        any |= known && pass;
    }
    *passes = any;
    return any || all;
}

bool slow_known_jump(const struct slow_knowledge *k, const struct condition *c, bool *passes)
{
    unsigned lowest = 3;
    bool several = false, all = true, alone = true;
    for (unsigned i = 0; i < 4; i++) {
        several |= looked_at(c, i) != looked_at(c, 0);
        lowest = looked_at(c, i) < lowest ? looked_at(c, i) : lowest;
    }
    if (!condition_restricts(c) || !several)
        return slow_known_test(k, c, passes);
    for (unsigned i = 0; i < 4; i++) {
        bool pass = false, known = slow_sees(k, c, looked_at(c, i), NULL, &pass);
        all &= known;
        alone &= !known || pass == (looked_at(c, i) == lowest);
    }
    *passes = alone;
    return !alone || all;
}

bool slow_known_branch(const struct slow_knowledge *k, const struct insn *insn, bool *passes)
{
    const struct condition *c = &insn->condition;
    const struct slow_known *f = slow_of_flags(k, c->cc, looked_at(c, 0));
    bool below = f->passes >> CC_NSF & 1, above = f->passes >> SLOW_NOT_ABOVE_PASSES & 1;
    if (insn->op == OP_IF ? slow_known_test(k, c, passes) : slow_known_jump(k, c, passes))
        return true;
    for (unsigned i = 1; i < 4; i++)
        if (looked_at(c, i) != looked_at(c, 0))
            return false;
    if (f->passes >> SLOW_LOWERED & 1 && (c->rule == CC_GE || c->rule == CC_GT)) {
        *passes = false;
        return true;
    }
    below |= f->passes >> (c->rule == CC_GE ? SLOW_RAISED : SLOW_SIGNLESS) & 1 && c->rule != CC_LT;
    *passes = c->rule == CC_GE || c->rule == CC_NSF || c->rule == CC_LE || (c->rule == CC_GT && f->passes >> CC_GT & 1);
    if (c->rule == CC_GE || c->rule == CC_NSF || c->rule == CC_SF)
        return below;
    return c->rule == CC_LT ? below && f->type != DT_NONE && !slow_is_float(f->type) : (c->rule == CC_GT && *passes) || ((c->rule == CC_LE || c->rule == CC_GT) && above);
}
