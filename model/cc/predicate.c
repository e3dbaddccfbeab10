/* Tests of results: what they see of known numbers (docs/numbers.md, "Condition codes"). */
#include "model/cc/branch.h"
#include "model/tables.h"
#include "model/cc/flags.h"

/* Whether a test passes for the sign that is known of a result. */
static bool always_passes(const struct known_value *v, uint8_t rule)
{
    switch (rule) {
    case CC_GE: return v->passes & 1u << CC_GE;
    case CC_NSF: return v->passes & 1u << CC_GE;
    case CC_GT: case CC_LT: case CC_NE: case CC_NCF: case CC_NOF: case CC_BLE: return v->passes & 1u << rule;
    default: return false;
    }
}

/* Or fails, since nothing is ever carried, or for that sign. */
static bool never_passes(const struct known_value *v, uint8_t rule)
{
    switch (rule) {
    case CC_CF: return v->passes & 1u << CC_NCF;
    case CC_OF: return v->passes & 1u << CC_NOF;
    case CC_AB: return v->passes & 1u << CC_BLE;
    case CC_LT: return v->passes & 1u << CC_GE;
    case CC_GT: return v->passes & 1u << CC_LE;
    default: return false;
    }
}

bool eval_known_branch(const struct known *k, const struct insn *insn, bool *passes)
{
    const struct condition *test = &insn->condition;
    const struct known_value *v = eval_known_at(k, eval_looks_at(test, 0));
    bool not_below = v->passes & 1u << CC_GE, not_above = v->passes & 1u << CC_LE,
         is_word = v->type != DT_NONE && !type_table[v->type].is_float;

    if (insn->op == OP_IF ? eval_known_test(k, test, passes) : eval_known_jump(k, insn, passes))
        return true;
    if (eval_tests_several(test))
        return false;
    *passes = test->rule == CC_GE || test->rule == CC_NSF || test->rule == CC_LE;
    if (v->passes & EVAL_BELOW && (test->rule == CC_GE || test->rule == CC_GT)) {
        *passes = false;
        return true;
    }
    switch (test->rule) {
    case CC_GE: return not_below || v->passes & EVAL_CLAMPED;
    case CC_NSF: case CC_SF: return not_below || v->passes & (EVAL_CLAMPED);
    case CC_LT: return not_below && is_word;
    case CC_LE: return not_above;
    case CC_GT: *passes = v->passes & 1u << CC_GT; return *passes || not_above;
    default: return false;
    }
}

/* Whether a component may be written before the test of component c looks at its flags. */
static bool is_set_before(const struct insn *insn, const struct folded *folded, unsigned c, unsigned looked)
{
    if (folded->fails >> looked & 1)        /* nor is it set then */
        return false;
    return (type_table[eval_result_type(insn)].bytes == 8 ? insn->cc_update != 0
                                                          : insn->cc_update == (insn->dst.condition.cc & 1) + 1) &&
           insn->dst.mask & ((1u << c) - 1) & 1u << looked;
}

/* Tests for carry and overflow: where nothing was carried they pass and fail as before when results without a carry
 * have been written. */
static bool looks_at_carry(uint8_t rule)
{
    switch (rule) {
    case CC_CF: case CC_NCF: case CC_OF: case CC_NOF: case CC_AB: case CC_BLE: return true;
    default: return false;
    }
}

/* Whether a test of a result is known, whatever the flags are. */
static bool is_settled(const struct insn *insn, const struct known_value *v)
{
    return v->known || always_passes(v, insn->dst.condition.rule) || never_passes(v, insn->dst.condition.rule);
}

/* The components of a result whose test looks at flags of known numbers, or is known to pass, and those whose test
 * passes or fails for certain. */
void eval_known_settle(const struct known *k, const struct insn *insn, struct folded *folded)
{
    const struct result *r = &insn->dst;

    if (!model_has(k->passes, PASS_known_tests) || eval_tests_nothing(k->p, insn))
        return;
    for (unsigned c = 0; condition_restricts(&r->condition) && c < 4; c++) {
        unsigned at = eval_looks_at(&r->condition, c);
        uint8_t bit = (uint8_t)(1u << c & r->mask);
        if (k->near >> at & 1)
            folded->early |= bit;
        if (r->condition.rule == CC_FL)
            folded->fails |= bit;
    }
    for (unsigned c = 0; condition_restricts(&r->condition) && c < 4; c++) {
        unsigned at = eval_looks_at(&r->condition, c);
        uint8_t bit = (uint8_t)(1u << c & r->mask);
        bool passes;
        if (is_settled(insn, eval_known_at(k, at)))
            folded->settled |= bit;
        if (is_set_before(insn, folded, c, at & 3))
            continue;
        if (eval_test_known(k, at, r->condition.rule, eval_view_of(k, at, true), &passes))
            *(passes ? &folded->passes : &folded->fails) |= bit;
        else if (looks_at_carry(r->condition.rule) && always_passes(eval_known_at(k, at), r->condition.rule))
            folded->passes |= bit;
        else if (never_passes(eval_known_at(k, at), r->condition.rule))
            folded->fails |= bit;
    }
    if ((op_shuffles(insn->op) || insn->op == OP_MATCH) && !eval_fills_element(insn))
        folded->fails &= (uint8_t)~2u;      /* the value is written whatever the test says */
}
