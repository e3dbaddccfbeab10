/* What stands in an IF of the main program, in no loop, and is written under the predicate that the IF goes by. */
#include "tests/slow/plan.h"

static uint32_t end_of(const struct gp5_program *text, uint32_t insn)
{
    uint32_t end = program_insn(text, insn)->partner;
    return end != NO_INDEX && program_insn(text, end)->op == OP_ELSE ? program_insn(text, end)->partner : end;
}

bool slow_is_guarded(const struct slow_program *p, uint32_t place)
{
    const struct slow_plan *plan = p->plan;
    uint32_t here = plan->place[place].insn;
    bool guarded = false;
    while (place > 0) {
        const struct slow_place *before;
        uint32_t op, end;
        if (slow_begins_part(p, plan, place))
            return false;
        before = &plan->place[--place];
        op = program_insn(p->text, before->insn)->op;
        if ((op != OP_IF && op != OP_REP) || before->insn > here)
            continue;
        end = end_of(p->text, before->insn);
        if (end == NO_INDEX || end < here)
            continue;
        guarded = op == OP_IF && (guarded || !before->straight);
    }
    return guarded;
}
