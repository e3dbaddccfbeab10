/* What runs for some lanes alone: on a side of an IF whose outcome is not known, and in subroutines that are called there or under a test. */
#include "eval/truths.h"

/* Marks the subroutine that an instruction calls, if that is called under a test; whether it is news. */
static bool mark_called(const struct truth_search *s, uint32_t at, bool inside)
{
    const struct insn *insn = program_insn(s->p, at);
    uint8_t *part;

    if (insn->op != OP_CAL || insn->partner >= s->p->insns.count)
        return false;
    part = &s->d->truths->tested[insn->partner];
    if (*part || !(inside || (condition_restricts(&insn->condition) && eval_outcome(s->d, at) != OUTCOME_PASSES)))
        return false;
    *part = true;
    return true;
}

void eval_find_under_tests(struct truth_search *s)
{
    uint8_t *tested = s->d->truths->tested;
    bool more = true;

    while (more) {
        uint32_t depth = 0;
        more = false;
        for (uint32_t i = 0; i < s->p->insns.count; i++) {
            uint16_t op = program_insn(s->p, i)->op;
            bool plain = eval_form(s->d, i) == FORM_PLAIN;
            if (s->part[i] == i)
                depth = 0;
            depth -= plain && op == OP_ENDIF && depth;
            if (s->part[i] != i)
                tested[i] = tested[s->part[i]] || depth;
            more |= mark_called(s, i, tested[i]);
            depth += plain && op == OP_IF;
        }
    }
}
