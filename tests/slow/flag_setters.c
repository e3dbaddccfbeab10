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

/* What a subroutine that begins there sets it by last, or one that it calls; or NO_INDEX. */
static uint32_t sets_last(const struct leaving *x, uint32_t begin, unsigned cc, unsigned depth)
{
    uint32_t at = NO_INDEX;
    for (uint32_t i = begin; begin != NO_INDEX && depth < 4 && i < x->plan->count && (i == begin || !slow_leaving_begins(x, i)); i++) {
        const struct insn *insn = slow_leaving_at(x, i);
        uint32_t inner = insn->op == OP_CAL && insn->partner != NO_INDEX ? sets_last(x, x->plan->first[insn->partner], cc, depth + 1) : NO_INDEX;
        if (sets(insn, cc))
            at = i;
        if (inner != NO_INDEX)
            at = inner;
    }
    return at;
}

/* Between two places of the main program whoever looks at a condition code asks for zero. */
static bool is_asked_for_zero(const struct leaving *x, uint32_t from, uint32_t to, unsigned cc)
{
    for (uint32_t i = from + 1; i < to; i++) {
        const struct condition *tests[] = {&slow_leaving_at(x, i)->condition, &slow_leaving_at(x, i)->dst.condition};
        for (unsigned k = 0; x->reach.useful[i] && k < 2; k++)
            if (condition_restricts(tests[k]) && (tests[k]->cc & 1u) == cc && !is_zero_test(tests[k]))
                return false;
    }
    return true;
}

static bool compares_floats(const struct insn *insn)
{
    return op_compares(insn->op) && slow_is_float(insn->type);
}

/* Its first operand, if what it makes of a truth is made of the predicate. */
static const struct operand *goes_on(const struct leaving *x, const struct insn *insn)
{
    const struct operand *o = insn->nsrc ? program_operand(x->p->text, insn->src) : NULL;
    bool to_word = (insn->type == DT_S32 || insn->type == DT_U32) && (insn->type2 == DT_F32 || insn->type2 == DT_F16);
    bool is = insn->op == OP_MOV ? slow_bytes(insn->type) == 4
            : insn->op == OP_FLR ? insn->type == DT_F32 && o && !(o->flags & OPND_SIGNS)
            : insn->op == OP_CVT && !to_word && slow_bytes(insn->type2) <= 4 && insn->type != DT_S64 && insn->type != DT_U64;
    if (!is || !o || o->kind != OPND_SYMBOL || o->nindices || program_symbol(x->p->text, o->ref)->size != SIZE_DEFAULT)
        return NULL;
    return condition_restricts(&insn->dst.condition) || insn->flags & (INSN_PREC | INSN_HALF | INSN_SAT | INSN_SSAT) ? NULL : o;
}

/* Whether a comparison of floats has written a component in the main program, whatever flow came behind it. */
static bool is_truth(const struct leaving *x, uint32_t place, uint32_t symbol, unsigned c)
{
    uint32_t inside = 0;
    while (place > x->reach.entry) {
        const struct insn *insn = slow_leaving_at(x, --place);
        const struct operand *o;
        if (!x->plan->place[place].straight) {
            if (insn->op == OP_REP && !inside)
                return false;
            inside += insn->op == OP_ENDIF || insn->op == OP_ENDREP || (insn->op == OP_ELSE && !inside);
            inside -= inside && (insn->op == OP_IF || insn->op == OP_REP);
        }
        if (insn->dst.kind != OPND_SYMBOL || insn->dst.ref != symbol || !(insn->dst.mask >> c & 1))
            continue;
        if (inside || condition_restricts(&insn->dst.condition))
            return false;
        if (compares_floats(insn))
            return true;
        o = goes_on(x, insn);
        if (!o)
            return false;
        symbol = o->ref;
        c = o->swizzle >> 2 * c & 3;
    }
    return false;
}

/* A comparison of floats, or in the main program what is made of one. */
static bool says_truth(const struct leaving *x, uint32_t place)
{
    const struct insn *insn = slow_leaving_at(x, place);
    const struct operand *o = slow_leaving_main(x, place) ? goes_on(x, insn) : NULL;
    for (unsigned c = 0; o && c < 4; c++)
        if (insn->dst.mask >> c & 1 && is_truth(x, place, o->ref, o->swizzle >> 2 * c & 3))
            return true;
    return compares_floats(insn);
}

/* A test of flags that a comparison of floats in the same part set, or what is made of one, or a subroutine that the main program has called; there, or over a result of integers, where nobody has asked more of them before. */
bool slow_tests_truth(const struct leaving *x, uint32_t place, const struct condition *test)
{
    const struct slow_place *s = &x->plan->place[place];
    const struct insn *tester = slow_leaving_at(x, place);
    bool main = slow_leaving_main(x, place), plainly = op_flows(tester->op) || slow_is_float(tester->type);
    unsigned cc = test->cc & 1u;
    uint32_t asks = place;
    if (!condition_restricts(test) || !is_zero_test(test) || s->straight || s->outcome != TEST_LOOKED_AT || slow_is_over_nothing(x, place))
        return false;
    while (!slow_leaving_begins(x, place) && place--) {
        const struct insn *insn = slow_leaving_at(x, place);
        bool calls = main && insn->op == OP_CAL && insn->partner != NO_INDEX;
        uint32_t by = calls ? sets_last(x, x->plan->first[insn->partner], cc, 0) : NO_INDEX;
        if (sets(insn, cc))
            return says_truth(x, place) && (main ? (plainly && compares_floats(insn)) || is_asked_for_zero(x, place, asks, cc) : !main_looks_at(x, cc));
        if (by != NO_INDEX)
            return says_truth(x, by) && is_asked_for_zero(x, place, asks, cc);
    }
    return false;
}
