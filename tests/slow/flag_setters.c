/* Tests of what comparisons of floats said, by flags that these set there or in a subroutine: docs/numbers.md, "Comparisons in subroutines". */
#include "tests/slow/leaving.h"

/* Whether the main program tests a condition code anywhere. */
static bool main_looks_at(const struct leaving *x, unsigned cc)
{
    for (uint32_t i = x->reach.entry; i < x->reach.main_end; i++) {
        const struct condition *own = &slow_leaving_at(x, i)->condition, *write = &slow_leaving_at(x, i)->dst.condition;
        if (x->reach.useful[i] && ((condition_restricts(own) && (own->cc & 1u) == cc) || (condition_restricts(write) && (write->cc & 1u) == cc)))
            return true;
    }
    return false;
}

static bool is_zero_test(const struct condition *test)
{
    return test->rule == CC_EQ || test->rule == CC_NE || test->rule == CC_GT || test->rule == CC_LE;
}

static bool sets(const struct insn *insn, unsigned cc)
{
    return insn->cc_update && insn->cc_update - 1u == cc;
}

/* A call whose subroutine sets a condition code, or calls others: where that begins, or NO_INDEX. */
static uint32_t calls_setter(const struct leaving *x, uint32_t place, unsigned cc)
{
    const struct insn *insn = slow_leaving_at(x, place);
    uint32_t begin = insn->op == OP_CAL && insn->partner != NO_INDEX ? x->plan->first[insn->partner] : NO_INDEX;
    bool any = false;
    for (uint32_t i = begin; begin != NO_INDEX && i < x->plan->count && (i == begin || !slow_leaving_begins(x, i)); i++)
        any |= sets(slow_leaving_at(x, i), cc) || op_calls(slow_leaving_at(x, i)->op);
    return any ? begin : NO_INDEX;
}

/* What a subroutine that has begun there sets it by in the last of its blocks, or NO_INDEX. */
static uint32_t sets_at_end(const struct leaving *x, uint32_t begin, unsigned cc)
{
    uint32_t at = NO_INDEX;
    for (uint32_t i = begin; i < x->plan->count && (i == begin || !slow_leaving_begins(x, i)); i++) {
        unsigned op = slow_leaving_at(x, i)->op;
        if (sets(slow_leaving_at(x, i), cc))
            at = i;
        else if (op_flows(op) && op != OP_RET && !x->plan->place[i].straight)
            at = NO_INDEX;
    }
    return at;
}

/* From a place of the main program on, whoever looks at a condition code asks for zero, until it is set again. */
static bool is_asked_for_zero(const struct leaving *x, uint32_t place, unsigned cc)
{
    for (uint32_t i = place + 1; i < x->reach.main_end; i++) {
        const struct insn *insn = slow_leaving_at(x, i);
        const struct condition *tests[] = {&insn->condition, &insn->dst.condition};
        for (unsigned k = 0; x->reach.useful[i] && k < 2; k++)
            if (condition_restricts(tests[k]) && (tests[k]->cc & 1u) == cc && !is_zero_test(tests[k]))
                return false;
        if (sets(insn, cc) || calls_setter(x, i, cc) != NO_INDEX)
            break;
    }
    return true;
}

static bool compares_floats(const struct insn *insn)
{
    return op_compares(insn->op) && slow_is_float(insn->type);
}

/* A test of flags that a comparison of floats in the same part set, or a subroutine that the main program has called; there, or over a result of integers, where nobody asks more of them. */
bool slow_tests_truth(const struct leaving *x, uint32_t place, const struct condition *test)
{
    const struct slow_place *s = &x->plan->place[place];
    const struct insn *tester = slow_leaving_at(x, place);
    bool main = slow_leaving_main(x, place), plainly = op_flows(tester->op) || slow_is_float(tester->type);
    unsigned cc = test->cc & 1u;
    if (!condition_restricts(test) || !is_zero_test(test) || s->straight || s->outcome != TEST_LOOKED_AT)
        return false;
    while (!slow_leaving_begins(x, place) && place--) {
        uint32_t begin = main ? calls_setter(x, place, cc) : NO_INDEX, by = begin == NO_INDEX ? NO_INDEX : sets_at_end(x, begin, cc);
        if (sets(slow_leaving_at(x, place), cc))
            return compares_floats(slow_leaving_at(x, place)) && (main ? plainly || is_asked_for_zero(x, place, cc) : !main_looks_at(x, cc));
        if (begin != NO_INDEX)
            return by != NO_INDEX && compares_floats(slow_leaving_at(x, by)) && is_asked_for_zero(x, place, cc);
    }
    return false;
}
