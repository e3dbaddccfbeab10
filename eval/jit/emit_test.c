/* Tests of condition codes in machine code: a word of lanes in eax. */
#include "eval/jit/cc.h"

#include "eval/jit/x86_scalar.h"

/* A rule as steps that make eax: load a flag, or combine with one; `not` before or after. NV_gpu_program4 2.X.4.3. */
enum { END, LOAD, AND, OR, XOR, NOT };
struct rule_step {
    uint8_t what, flag;
};

static const struct rule_step rules[][6] = {
    [CC_EQ] = {{LOAD, FLAG_S}, {NOT, 0}, {AND, FLAG_Z}},
    [CC_NE] = {{LOAD, FLAG_Z}, {NOT, 0}, {OR, FLAG_S}},
    [CC_LT] = {{LOAD, FLAG_Z}, {NOT, 0}, {AND, FLAG_S}, {XOR, FLAG_O}},
    [CC_GE] = {{LOAD, FLAG_S}, {XOR, FLAG_O}, {NOT, 0}},
    [CC_GT] = {{LOAD, FLAG_S}, {XOR, FLAG_O}, {OR, FLAG_Z}, {NOT, 0}},
    [CC_LE] = {{LOAD, FLAG_Z}, {OR, FLAG_O}, {XOR, FLAG_S}},
    [CC_NAN] = {{LOAD, FLAG_S}, {AND, FLAG_Z}},
    [CC_LEG] = {{LOAD, FLAG_S}, {AND, FLAG_Z}, {NOT, 0}},
    [CC_CF] = {{LOAD, FLAG_C}},
    [CC_NCF] = {{LOAD, FLAG_C}, {NOT, 0}},
    [CC_OF] = {{LOAD, FLAG_O}},
    [CC_NOF] = {{LOAD, FLAG_O}, {NOT, 0}},
    [CC_SF] = {{LOAD, FLAG_S}},
    [CC_NSF] = {{LOAD, FLAG_S}, {NOT, 0}},
    [CC_AB] = {{LOAD, FLAG_Z}, {NOT, 0}, {AND, FLAG_C}},
    [CC_BLE] = {{LOAD, FLAG_C}, {NOT, 0}, {OR, FLAG_Z}},
};

/* What comes behind them in an executable with answers. */
static const struct rule_step answered[][5] = {
    [CC_LT] = {{NOT, 0}, {OR, FLAG_NOT_BELOW}, {NOT, 0}, {OR, FLAG_BELOW}},
    [CC_GE] = {{OR, FLAG_NOT_BELOW}},
    [CC_GT] = {{OR, FLAG_ABOVE}},
    [CC_CF] = {{XOR, FLAG_OTHER_CARRY}},
    [CC_NCF] = {{XOR, FLAG_OTHER_CARRY}},
    [CC_OF] = {{XOR, FLAG_OTHER_OVERFLOW}},
    [CC_NOF] = {{XOR, FLAG_OTHER_OVERFLOW}},
    [CC_SF] = {{NOT, 0}, {OR, FLAG_NO_SIGN}, {NOT, 0}},
    [CC_NSF] = {{OR, FLAG_NO_SIGN}, {OR, FLAG_NOT_BELOW}},
    [CC_AB] = {{XOR, FLAG_OTHER_ABOVE}, {NOT, 0}, {OR, FLAG_Z}, {NOT, 0}},
    [CC_BLE] = {{XOR, FLAG_OTHER_ABOVE}, {OR, FLAG_Z}},
};

static void apply(struct native_builder *b, const struct rule_step *r, const struct test *t, unsigned from)
{
    static const enum x86_scalar combine[] = {[LOAD] = X86_MOV, [AND] = X86_GPR_AND, [OR] = X86_GPR_OR,
                                              [XOR] = X86_GPR_XOR};

    for (; r->what != END; r++)
        if (r->what == NOT)
            x86_gpr_not(&b->code, RAX);
        else if (b->flags_known == native_known_flags(t->cc, from) && (r->flag == FLAG_Z || r->flag == FLAG_S))
            x86_gpr(&b->code, combine[r->what], false, RAX, native_flag_register(r->flag));
        else
            x86_gpr_load(&b->code, combine[r->what], false, RAX, R13, native_flag_at(t->cc, r->flag, from));
}

/* What of that is not believed of a NaN, in an IF or in a choice. */
static void doubt(struct native_builder *b, const struct test *t, unsigned from, bool choice)
{
    static const struct rule_step sign[] = {{NOT, 0}, {OR, FLAG_NOT_BELOW}, {NOT, 0}, {END, 0}};
    bool ordered = t->rule == CC_GE || t->rule == CC_GT || t->rule == CC_NSF;

    if (t->rule == CC_SF && (t->flow || choice))
        apply(b, sign, t, from);
    if ((t->rule == CC_LT && (t->flow || choice)) || (ordered && choice)) {
        x86_gpr_load(&b->code, X86_MOV, false, RCX, R13, native_flag_at(t->cc, FLAG_S, from));
        x86_gpr_load(&b->code, X86_GPR_AND, false, RCX, R13, native_flag_at(t->cc, FLAG_Z, from));
        x86_gpr_not(&b->code, RCX);
        x86_gpr(&b->code, X86_GPR_AND, false, RAX, RCX);
    }
}

/* eax: lanes whose component passes. */
void eval_native_test_component(struct native_builder *b, const struct test *t, unsigned component)
{
    unsigned from = t->swizzle >> 2 * component & 3;
    const struct rule_step *r = t->rule < sizeof rules / sizeof *rules ? rules[t->rule] : NULL;

    if (t->settled >> component & 1) {
        x86_gpr_set(&b->code, RAX, t->passes >> component & 1 ? ALL_LANES : 0);
        return;
    }
    if (!r || r->what == END) {     /* FL, TR, or none */
        x86_gpr_set(&b->code, RAX, t->rule == CC_FL ? 0 : ALL_LANES);
        return;
    }
    apply(b, r, t, from);
    if (b->x->answers && t->rule < sizeof answered / sizeof *answered) {
        apply(b, answered[t->rule], t, from);
        doubt(b, t, from, t->choice >> component & 1);
    }
}

void eval_native_test(struct native_builder *b, const struct test *t)
{
    if (t->outcome != OUTCOME_TESTED) {
        x86_gpr_set(&b->code, RAX, t->outcome == OUTCOME_PASSES ? ALL_LANES : 0);
        return;
    }
    if (t->swizzle == (t->swizzle & 3) * 0x55) {
        eval_native_test_component(b, t, 0);
        return;
    }
    for (unsigned i = 3; i; i--) {
        eval_native_test_component(b, t, i);
        x86_gpr(&b->code, i < 3 ? X86_GPR_OR : X86_MOV, false, RDX, RAX);
    }
    eval_native_test_component(b, t, 0);
    if (t->first_alone)
        x86_gpr_not(&b->code, RDX);
    x86_gpr(&b->code, t->first_alone ? X86_GPR_AND : X86_GPR_OR, false, RAX, RDX);
}
