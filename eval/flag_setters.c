/* Tests of what comparisons of floats said: by which of them the flags were set, over calls of the main program too, and who else asks (predicates.c). */
#include "eval/labels.h"
#include "eval/truths.h"

enum { CALLS_FOLLOWED = 4 };      /* calls in calls */

/* Whether nothing that somebody needs stands on either side of an IF. */
static bool decides_nothing(const struct truth_search *s, uint32_t at)
{
    uint32_t otherwise = program_insn(s->p, at)->partner, end = eval_end_of_if(s->p, at);
    bool nothing = true;

    for (uint32_t i = at + 1; i < end; i++)
        nothing &= i == otherwise || !s->l->useful[i];
    return nothing;
}

static bool tells_zero(uint16_t rule)
{
    return rule == CC_EQ || rule == CC_NE || rule == CC_GT || rule == CC_LE;
}

/* Whether the main program asks flags that are set at `from`, or in a subroutine that is called there, for nothing but zero before it comes to a test. */
static bool is_asked_for_zero(const struct truth_search *s, uint32_t from, uint32_t to, unsigned cc)
{
    bool zero = true;

    for (uint32_t i = from + 1; i < to; i++) {
        const struct insn *insn = program_insn(s->p, i);
        const struct condition *tests[] = {&insn->condition, &insn->dst.condition};
        for (unsigned k = 0; s->l->useful[i] && k < 2; k++)
            zero &= !condition_restricts(tests[k]) || (tests[k]->cc & 1u) != cc || tells_zero(tests[k]->rule);
    }
    return zero;
}

/* A test of what a comparison of floats said, not in a subroutine where the main program may look at these flags. */
bool eval_tests_comparison(const struct truth_search *s, uint32_t i, const struct condition *test, bool called)
{
    const struct insn *by;

    unsigned cc = test->cc & 1u;

    if (!condition_restricts(test) || !tells_zero(test->rule) ||
        eval_form(s->d, i) == FORM_KNOWN || eval_outcome(s->d, i) != OUTCOME_TESTED || (program_insn(s->p, i)->op == OP_IF && decides_nothing(s, i)))
        return false;
    by = s->setter[cc] == NO_INDEX ? NULL : program_insn(s->p, s->setter[cc]);
    if (!by || !op_compares(by->op) || !type_table[by->type].is_float)
        return false;
    if (called)
        return !(s->looked_at >> cc & 1);
    if (eval_in_main(s, s->setter[cc]) && (op_flows(program_insn(s->p, i)->op) || type_table[program_insn(s->p, i)->type].is_float))
        return true;
    return is_asked_for_zero(s, s->set_at[cc], i, cc);
}

/* What sets a condition code last in a subroutine, or in one that it calls. */
static uint32_t last_setter(const struct truth_search *s, uint32_t label, unsigned cc, unsigned depth)
{
    uint32_t setter = NO_INDEX;

    for (uint32_t i = label; depth < CALLS_FOLLOWED && i < s->p->insns.count && (i == label || !s->l->label[i]); i++) {
        const struct insn *insn = program_insn(s->p, i);
        uint32_t called = insn->op == OP_CAL && insn->partner < s->p->insns.count ? last_setter(s, insn->partner, cc, depth + 1) : NO_INDEX;
        if (insn->cc_update && ((insn->cc_update - 1u) & 1u) == cc)
            setter = i;
        setter = called == NO_INDEX ? setter : called;
    }
    return setter;
}

/* Follows what sets the condition codes, over calls of the main program as well. */
void eval_follow_setters(struct truth_search *s, uint32_t i)
{
    const struct insn *insn = program_insn(s->p, i);

    if (insn->cc_update)
        s->setter[(insn->cc_update - 1u) & 1u] = s->set_at[(insn->cc_update - 1u) & 1u] = i;
    for (unsigned cc = 0; insn->op == OP_CAL && eval_in_main(s, i) && insn->partner < s->p->insns.count && cc < 2; cc++) {
        uint32_t setter = last_setter(s, insn->partner, cc, 0);
        if (setter == NO_INDEX)
            continue;
        s->setter[cc] = setter;
        s->set_at[cc] = i;
    }
}
