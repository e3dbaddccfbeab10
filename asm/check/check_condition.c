/* Condition tests, and what else depends on the dialect in the letters behind a name. */
#include "asm/check/check_internal.h"

void check_colours(struct checker *c, struct span letters, const char *what)
{
    const char *text = check_text(c, letters);
    if (!c->typed && letters.offset && text[-1] == '.')         /* Mesa misses components behind the dot */
        check_position(check_error(c, FOR_MESA, letters, "%s are written with xyzw in %s programs", what,
                                   profile_table[c->profile].stage),
                       letters.offset - 1);
    check_error(c, c->typed ? FOR_NVIDIA : FOR_ALL, letters, "%s are written with xyzw in %s programs", what,
                profile_table[c->profile].stage);
}

/* Which tests a dialect has. */
static bool is_rule(const struct checker *c, const struct condition *condition)
{
    switch ((enum cc_rule)condition->rule) {
    case CC_NONE:
        return false;
    case CC_EQ:
    case CC_NE:
    case CC_LT:
    case CC_GE:
    case CC_GT:
    case CC_LE:
    case CC_TR:
    case CC_FL:
        return !condition->cc_written || profile_in(c->profile, NV_ALL | AVP3);
    case CC_NAN:
        return profile_in(c->profile, NV_ALL) || (!condition->cc_written && c->profile != PROFILE_VP20);
    case CC_RESIDENT:
    case CC_NONRESIDENT:
        return c->typed || has_option(c, OPTION_EXT_sparse_texture2);
    default:
        return c->typed;
    }
}

static void check_letters(struct checker *c, const struct condition *condition, struct span swizzle)
{
    if (condition->bad_swizzle)
        check_error(c, FOR_ALL, swizzle, "%.*s is no swizzle: one letter of xyzw, or four", check_length(swizzle),
                    check_text(c, swizzle));
    else
        check_colours(c, swizzle, "swizzles");
}

void check_condition(struct checker *c, const struct insn *insn, const struct condition *condition)
{
    if (!is_rule(c, condition)) {
        struct span rule = check_first_word(c, program_test_span(c->program, insn));
        diag_hint(check_error(c, FOR_ALL, rule, "%.*s is no condition test%s", check_length(rule), check_text(c, rule),
                              c->typed ? "" : " here"),
                  profile_in(c->profile, NV_ALL | AVP3)
                      ? "tests are EQ NE LT LE GT GE TR FL and others, with 0 or 1 behind them for the register"
                      : "tests are EQ NE LT LE GT GE TR FL");
        return;
    }
    if (!c->typed && condition->rule == CC_NAN)
        check_error(c, FOR_SPEC, check_first_word(c, program_test_span(c->program, insn)), "NAN is a test from 4.0 on");
    if (condition->bad_swizzle || (condition->rgba && !profile_in(c->profile, COLOURS)))
        check_letters(c, condition, program_suffix(c->program, program_test_span(c->program, insn)));
}
