/* Tests of condition codes that numbers which the driver's compiler knows decide. */
#include "model/cc/branch.h"
#include "model/cc/flags.h"
#include "model/tables.h"

/* What a test sees of a known number: in the block that sets the flags the number; elsewhere the flags or, of what
 * several blocks set, whether it is zero (docs/numbers.md, "Condition codes"). */
enum view { VIEW_FLAGS, VIEW_ZERO, VIEW_NUMBER };

static enum view view_of(const struct known *k, unsigned i, bool sees)
{
    const struct known_value *v = model_known_at(k, i);

    if (!v->computed)
        return VIEW_FLAGS;
    return sees && v->copy == k->block ? VIEW_NUMBER : k->several >> i & 1 ? VIEW_ZERO : VIEW_FLAGS;
}

/* Component i of a condition code. Carry and overflow are not followed, so tests that look at them are not known. */
static bool test_known(const struct known *k, unsigned i, uint8_t rule, bool sees, bool *passes)
{
    const struct known_value *v = model_known_at(k, i);
    enum view view = view_of(k, i, sees);
    bool is_float = type_table[v->type].is_float, sound = v->known && !v->may_overflow;
    uint32_t magnitude = v->word & 0x7fffffffu;
    bool nan = is_float && magnitude > 0x7f800000u && view != VIEW_ZERO;
    bool zero = !is_float ? !v->word : view == VIEW_FLAGS ? magnitude < 0x00800000u : !magnitude;
    bool negative = !nan && !zero && v->type != DT_U32 && v->word >> 31 && view != VIEW_ZERO;
    bool sign = negative || (nan && view == VIEW_FLAGS);

    if (!model_has(k->passes, PASS_known_tests))
        return false;
    switch (rule) {
    case CC_EQ: *passes = !nan && zero; return v->known;
    case CC_NE: *passes = nan || !zero; return v->known;
    case CC_LT: *passes = negative; return sound;
    case CC_GE: *passes = !nan && !negative; return sound;
    case CC_GT: *passes = !nan && !negative && !zero; return sound;
    case CC_LE: *passes = !nan && (negative || zero); return sound;
    case CC_SF: *passes = sign; return v->known;
    case CC_NSF: *passes = !sign; return v->known;
    case CC_NAN: *passes = nan; return v->known;
    case CC_LEG: *passes = !nan; return v->known;
    default: return false;
    }
}

/* Whether a test of flow sees a component of its block as what it is: of several the second lowest alone. */
static bool sees(const struct condition *test, unsigned i)
{
    return !eval_tests_several(test) || (eval_first_alone(test) >> 2 & 3) == (i & 3);
}

bool model_known_test(const struct known *k, const struct condition *test, bool *passes)
{
    bool all_known = true;

    *passes = test->rule == CC_TR || test->rule == CC_NONE;
    if (*passes || test->rule == CC_FL)
        return true;
    for (unsigned c = 0; c < 4; c++) {
        unsigned i = model_looks_at(test, c);
        bool pass = false;
        if (!test_known(k, i, test->rule, sees(test, i), &pass))
            all_known = false;
        else if (pass)
            *passes = true;
    }
    return *passes || all_known;
}

bool model_known_jump(const struct known *k, const struct insn *jump, bool *passes)
{
    const struct condition *test = &jump->condition;
    bool all_known = true;
    uint8_t ordered = eval_first_alone(test);

    if (!eval_tests_several(test))
        return model_known_test(k, test, passes);
    *passes = true;
    for (unsigned c = 0; c < 4; c++) {
        unsigned i = (test->cc & 1) * 4u + (ordered >> 2 * c & 3);
        bool pass = false;
        if (!test_known(k, i, test->rule, sees(test, i), &pass))
            all_known = false;
        else if (pass != (c == 0))
            *passes = false;
    }
    return !*passes || all_known;
}

bool model_known_branch(const struct known *k, const struct insn *insn, bool *passes)
{
    return insn->op == OP_IF ? model_known_test(k, &insn->condition, passes) : model_known_jump(k, insn, passes);
}

void model_known_write(const struct known *k, const struct insn *insn, struct folded *folded)
{
    const struct result *r = &insn->dst;

    if (!condition_restricts(&r->condition) || !model_has(k->passes, PASS_known_tests) ||
        eval_tests_nothing(k->p, insn))
        return;
    for (unsigned c = 0; c < 4; c++) {
        unsigned at = model_looks_at(&r->condition, c);
        uint8_t bit = (uint8_t)(1u << c & r->mask);
        /* components before this one may set what its test looks at */
        bool set = type_table[eval_result_type(insn)].bytes == 8 ? insn->cc_update != 0
                                                                 : insn->cc_update == (r->condition.cc & 1) + 1,
             passes;
        if (r->condition.rule == CC_FL)
            folded->fails |= bit;
        else if (!(set && r->mask & ((1u << c) - 1) & 1u << (at & 3)) &&
                 test_known(k, at, r->condition.rule, true, &passes))
            *(passes ? &folded->passes : &folded->fails) |= bit;
    }
    if ((op_shuffles(insn->op) || insn->op == OP_MATCH) && !eval_fills_element(insn))
        folded->fails &= (uint8_t)~2u;      /* the value is written whatever the test says */
}
