/* What the driver's compiler writes under a predicate: what stands in an IF of the main program whose outcome is not known, in no loop. */
#include "eval/guards.h"

/* Whether a loop of the text stands around an instruction. */
static bool is_around(const struct decoder *d, uint32_t rep, uint32_t at)
{
    uint32_t end = program_insn(d->x->program, eval_in_text(d, rep))->partner;

    return end != NO_INDEX && end > eval_in_text(d, at);
}

bool eval_is_guarded(const struct decoder *d)
{
    uint32_t at = d->insn, ended = 0;
    bool guarded = false;

    for (uint32_t i = at; i--;) {
        uint16_t op = program_insn(d->p, i)->op;
        if (d->shorts.labels[i + 1])
            return false;
        if (op == OP_REP && is_around(d, i, at))
            guarded = false;
        else if (op == OP_IF && !ended)
            guarded |= eval_form(d, i) == FORM_PLAIN;
        ended += op == OP_ENDIF;
        ended -= op == OP_IF && ended;
    }
    return guarded;
}
