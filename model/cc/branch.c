/* What tests of condition codes see of numbers that the driver's compiler knows, where blocks set them and test them:
 * docs/numbers.md, "Condition codes". */
#include "model/cc/branch.h"
#include "model/tables.h"
#include "model/cc/flags.h"

#include <string.h>

enum { LABELLED = 1, ENTERED = 2 };

/* Where labels stand, and to which of them lanes come: to main, and to what is called. */
static void mark_labels(const struct gp5_program *p, uint8_t *marks)
{
    uint8_t indirect = 0;

    for (uint32_t i = 0; i < p->insns.count; i++) {
        const struct insn *insn = program_insn(p, i);
        if (insn->op == OP_CALI)
            indirect = ENTERED;
        if (insn->op == OP_CAL && insn->partner <= p->insns.count)
            marks[insn->partner] |= ENTERED;
    }
    for (uint32_t i = 0; i < p->symbols.count; i++) {
        const struct symbol *s = program_symbol(p, i);
        if (s->kind == SYM_LABEL && s->defined && s->instruction <= p->insns.count)
            marks[s->instruction] |= (uint8_t)(LABELLED | indirect | (strcmp(s->name, "main") ? 0 : ENTERED));
    }
}

/* What a write under a test leaves of an earlier one counts. */
bool eval_flags_set_often(const struct gp5_program *p, const struct block_ends *ends, uint8_t *several)
{
    uint8_t here = 0, before = 0, *marks = gp5_malloc(p->insns.count + 1);
    bool entered = true;

    if (!marks)
        return false;
    memset(marks, 0, p->insns.count + 1);
    mark_labels(p, marks);
    *several = 0;
    for (uint32_t i = 0; i < p->insns.count; i++) {
        const struct insn *insn = program_insn(p, i);
        bool labelled = marks[i] & LABELLED;
        uint8_t set = eval_flags_set(insn);
        if (eval_ends_block(insn) || eval_jumps_over(insn, ends) || labelled) {
            before |= here;
            here = 0;
        }
        if (labelled)
            entered = marks[i] & ENTERED;
        if (!entered || insn->dst.condition.rule == CC_FL)
            continue;
        *several |= before & set;
        if (condition_restricts(&insn->dst.condition))
            *several |= here & set;
        here |= set;
    }
    gp5_free(marks);
    return true;
}

/* ---- tests ---------------------------------------------------------------------------------------------------------
 */

/* Of a test of flow that looks at several components only the second lowest is seen as in this block. */
enum view eval_view_of(const struct known *k, unsigned i, bool is_there)
{
    if (!eval_known_at(k, i)->computed)
        return VIEW_FLAGS;
    if (k->near >> i & 1 && is_there)
        return VIEW_NUMBER;
    return k->several >> i & 1 ? VIEW_ZERO : VIEW_FLAGS;
}

/* Component i of a condition code. Carry and overflow are not followed, so tests that look at them are not known. */
bool eval_test_known(const struct known *k, unsigned i, uint8_t rule, enum view view, bool *passes)
{
    const struct known_value *v = eval_known_at(k, i);
    bool is_float = type_table[v->type].is_float, sound = v->known && !v->may_overflow,
         is_word = v->type != DT_NONE && eval_is_word(v->type);
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
    case CC_NAN:    /* an integer is none, whatever it is; a half may be */
        *passes = nan;
        return v->known || is_word;
    case CC_LEG:
        *passes = !nan;
        return v->known || is_word;
    default: return false;
    }
}

/* Whether a test of flow sees a component of this block as what it is. */
static bool sees(const struct condition *test, unsigned i)
{
    return !eval_tests_several(test) || (eval_first_alone(test) >> 2 & 3) == (i & 3);
}

bool eval_known_test(const struct known *k, const struct condition *test, bool *passes)
{
    bool all_known = true;

    *passes = test->rule == CC_TR || test->rule == CC_NONE;
    if (*passes || test->rule == CC_FL)
        return true;
    for (unsigned c = 0; c < 4; c++) {
        unsigned i = eval_looks_at(test, c);
        bool pass = false;
        if (!eval_test_known(k, i, test->rule, eval_view_of(k, i, sees(test, i)), &pass))
            all_known = false;
        else if (pass)
            *passes = true;
    }
    return *passes || all_known;
}

bool eval_known_jump(const struct known *k, const struct insn *jump, bool *passes)
{
    const struct condition *test = &jump->condition;
    bool all_known = true;
    uint8_t ordered = eval_first_alone(test);

    if (!eval_tests_several(test))
        return eval_known_test(k, test, passes);
    *passes = true;
    for (unsigned c = 0; c < 4; c++) {
        bool pass = false;
        unsigned i = (test->cc & 1) * 4u + (ordered >> 2 * c & 3);
        if (!eval_test_known(k, i, test->rule, eval_view_of(k, i, sees(test, i)), &pass))
            all_known = false;
        else if (pass != (c == 0))
            *passes = false;
    }
    return !*passes || all_known;
}

/* Tests of flags of this block that see more of a number than the flags show. */
static void find_fixed(const struct known *k, const struct condition *test, bool flow, struct folded *folded)
{
    for (unsigned i = 0; condition_restricts(test) && i < 4; i++) {
        unsigned at = (test->cc & 1) * 4u + i;
        const struct known_value *v = eval_known_at(k, at);
        bool passes = false, differs = type_table[v->type].is_float || k->several >> at & 1;
        enum view view = eval_view_of(k, at, !flow || sees(test, at));
        if (!v->known || !differs || (eval_view_of(k, at, false) == view && view != VIEW_NUMBER) ||
            !eval_test_known(k, at, test->rule, view, &passes))
            continue;
        folded->fixed |= (uint8_t)(1u << i);
        folded->fixed_passes |= (uint8_t)(passes << i);
    }
}

void eval_known_write(struct known *k, const struct insn *insn, struct folded *folded)
{
    eval_known_settle(k, insn, folded);
    find_fixed(k, &insn->dst.condition, false, folded);
}

void eval_known_set_flags(struct known *k, const struct insn *insn)
{
    uint8_t set = eval_flags_set(insn);

    if (condition_restricts(&insn->dst.condition))
        k->near &= set ? (uint8_t)(0xf << (insn->cc_update == 1 ? 4 : 0)) : 0xff;
    else
        k->near |= set;
}

bool eval_known_flow(const struct known *k, const struct insn *insn, struct folded *folded)
{
    if (!folded || !condition_restricts(&insn->condition))
        return false;
    find_fixed(k, &insn->condition, true, folded);
    return folded->fixed;
}
