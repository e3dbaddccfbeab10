/* Lanes that go on apart where the driver's do (docs/semantics.md, "Divergence"): the sides of IFs with a CONT until the round ends, the lanes that
 * leave an endless loop at the end of another one's body until they leave that one, those that leave a loop that begins with a RET until they return,
 * and those that came back from a subroutine by RETs that votes decide. */
#include "tests/slow/apart.h"

bool slow_apart_jumps(const struct apart *f, uint32_t i)
{
    const struct slow_place *s = &f->plan->place[i];
    const struct insn *insn = slow_apart_insn(f, i);
    return (insn->op == OP_BRK || insn->op == OP_CONT) && insn->partner != NO_INDEX && insn->condition.rule != CC_FL && !s->straight &&
           s->outcome != TEST_FAILS;
}

bool slow_is_arithmetic(const struct insn *insn)
{
    switch (insn->op) {
    case OP_BAR: case OP_MEMBAR: case OP_ATOMCTR: case OP_ATOMCTROP: case OP_KIL: return false;
    default: return !op_flows(insn->op) && !slow_looks_at_others(insn->op) && !slow_is_memory(insn->op) && (!slow_is_image(insn->op) || insn->op == OP_IMQ);
    }
}

bool slow_makes_more(const struct apart *f, uint32_t i)
{
    unsigned op = slow_apart_insn(f, i)->op;
    return !(op_votes(op) && op != OP_TGBALLOT && slow_apart_insn(f, i)->cc_update) && !slow_is_arithmetic(slow_apart_insn(f, i)) && op != OP_IF && op != OP_ELSE && op != OP_ENDIF && !f->plan->place[i].straight;
}

bool slow_leaves_loop(const struct apart *f, uint32_t i)
{
    const struct slow_place *s = &f->plan->place[i], *end, *rep = s->loop == NO_INDEX ? NULL : &f->plan->place[s->loop];
    if (slow_apart_insn(f, i)->op == OP_BRK || s->to == NO_INDEX || !rep)
        return true;
    end = &f->plan->place[s->to];
    if (end->again == NO_INDEX)
        return !rep->phased;
    for (uint32_t k = s->to + 1; end->again == s->to + 1 && k < f->plan->count; k++) {
        if (slow_apart_insn(f, k)->op == OP_BRK && f->plan->place[k].outcome == TEST_PASSES)
            return true;
        if (!slow_is_arithmetic(slow_apart_insn(f, k)) && !f->plan->place[k].straight)
            return false;
    }
    return false;
}

uint32_t slow_end_of_if(const struct apart *f, uint32_t i)
{
    unsigned depth = 0;
    for (; i < f->plan->count; i++) {
        depth += slow_apart_insn(f, i)->op == OP_IF;
        if (slow_apart_insn(f, i)->op == OP_ENDIF && --depth == 0)
            break;
    }
    return i;
}

bool slow_looks_at_vote(const struct apart *f, uint32_t i)
{
    while (i-- && !slow_apart_insn(f, i)->cc_update && !op_flows(slow_apart_insn(f, i)->op))
        ;
    return i != UINT32_MAX && slow_apart_insn(f, i)->cc_update && op_votes(slow_apart_insn(f, i)->op);
}

bool slow_is_endless(const struct apart *f, uint32_t rep)
{
    const struct slow_place *s = rep == NO_INDEX ? NULL : &f->plan->place[rep];
    return s && slow_apart_insn(f, rep)->nsrc == 0 && !s->straight && !s->phased;
}

/* No branch: there is nothing in it but arithmetic, and IFs with arithmetic. */
static bool is_predicated(const struct apart *f, uint32_t i)
{
    for (uint32_t k = i + 1, end = slow_end_of_if(f, i); k < end; k++)
        if (slow_apart_jumps(f, k) || (slow_makes_more(f, k) && f->plan->place[k].outcome != TEST_FAILS))
            return false;
    return true;
}

void slow_find_apart(struct slow_plan *plan, const struct slow_program *p)
{
    struct apart f = {p, plan};
    for (uint32_t i = 0; i < plan->count; i++) {
        unsigned op = slow_apart_insn(&f, i)->op;
        if (op == OP_IF)
            plan->place[i].predicated |= is_predicated(&f, i);
        if (op == OP_REP) {
            slow_find_inner(&f, i);
            slow_apart_round(&f, i, i);
            slow_apart_loop(&f, i);
        } else if (op == OP_ENDREP && plan->place[i].loop != NO_INDEX && plan->place[plan->place[i].loop].to != i + 1) {
            slow_apart_round(&f, i, plan->place[i].loop);
        }
    }
    slow_apart_returns(&f);
    slow_apart_calls(&f);
}
