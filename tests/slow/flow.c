/* One lane, instruction by instruction, until it has to wait for others; its ways. */
#include "tests/slow/flow.h"

bool slow_push(struct slow_lane *l, const struct insn *insn, struct slow_block b)
{
    if (l->depth == sizeof l->blocks / sizeof *l->blocks)
        return slow_fail(l->group, SLOW_NOT_EVALUATED, "this depth of blocks", insn);
    l->blocks[l->depth++] = b;
    return true;
}

/* docs/semantics.md: the driver's BRK, CONT and RET with a test of several components want the lowest of these to pass and no other. */
static bool lowest_alone(struct slow_lane *l, const struct condition *c, bool *open)
{
    unsigned swizzle = c->nswizzle ? c->swizzle : 0xe4, lowest = 3;
    bool pass = true;
    for (unsigned i = 0; i < 4; i++)
        lowest = (swizzle >> 2 * i & 3) < lowest ? swizzle >> 2 * i & 3 : lowest;
    for (unsigned i = 0; i < 4; i++)
        pass &= slow_test(l, c, i, open) == ((swizzle >> 2 * i & 3) == lowest);
    return pass;
}

static bool looks_at_several(const struct condition *c)
{
    unsigned swizzle = c->nswizzle ? c->swizzle : 0xe4;
    return condition_restricts(c) && swizzle != (swizzle & 3) * 0x55;
}

/* docs/semantics.md: CONT as a loop's last instruction. */
static bool leaves_at_bottom(const struct slow_lane *l, const struct insn *insn)
{
    return insn->op == OP_CONT && l->group->program->nvidia && insn->partner == l->here->insn + 1 && insn->condition.rule != CC_FL;
}

/* CALI likewise. */
static bool leaves_by_call(const struct slow_lane *l, const struct insn *insn)
{
    const struct slow_place *next = l->pc + 1 < l->group->program->plan->count ? slow_place_at(l, l->pc + 1) : NULL;
    return insn->op == OP_CALI && l->group->program->nvidia && condition_restricts(&insn->condition) && insn->condition.rule != CC_FL &&
           next && slow_insn_at(l, l->pc + 1)->op == OP_ENDREP && next->insn == l->here->insn + 1 && !next->straight;
}

bool slow_branch(struct slow_lane *l, const struct insn *insn)
{
    bool leaves = insn->op == OP_BRK || insn->op == OP_CONT || insn->op == OP_RET, open = false, pass = true;
    if (leaves && l->group->program->nvidia && looks_at_several(&insn->condition))
        pass = lowest_alone(l, &insn->condition, &open);
    else if (insn->op != OP_ELSE && insn->op != OP_ENDIF)
        pass = slow_test_any(l, &insn->condition, &open);
    slow_use(l, open && l->here->outcome == TEST_LOOKED_AT);
    if (l->here->outcome != TEST_LOOKED_AT)
        pass = l->here->outcome == TEST_PASSES;
    l->passed = pass;
    switch (insn->op) {
    case OP_IF:
        l->pc = pass ? l->pc + 1 : l->here->to;
        return true;
    case OP_ELSE: l->pc = l->here->to; return true;
    case OP_BRK: case OP_CONT:
        if (!pass && !leaves_at_bottom(l, insn))
            break;
        if (!slow_innermost(l))
            return slow_fail(l->group, SLOW_NOT_EVALUATED, "this outside of a loop", insn);
        if (insn->op == OP_CONT && pass && l->here->away) {
            l->pc = l->here->away;
            l->goes_away = true;
            return true;
        }
        if (insn->op == OP_CONT && pass && l->here->inner)
            return slow_go_round(l, insn);
        if (insn->op == OP_CONT && pass)
            return slow_next_turn(l, l->here->to);
        l->pc = slow_place_at(l, slow_innermost(l)->pc)->to;
        l->depth--;
        return l->here->party == 0 || slow_join_party(l);
    case OP_CAL: case OP_CALI:
        if (pass)
            return slow_call(l, insn);
        if (leaves_by_call(l, insn) && slow_innermost(l)) {
            l->pc = slow_place_at(l, slow_innermost(l)->pc)->to;
            l->depth--;
            return true;
        }
        break;
    case OP_RET:
        if (pass)
            return slow_back(l, l->here->way_back);
        break;
    default: break;
    }
    l->pc++;
    return true;
}

bool slow_advance(struct slow_lane *l)
{
    const struct slow_program *p = l->group->program;
    while (l->state == LANE_RUNS) {
        const struct insn *insn;
        uint32_t here = l->pc;
        if (here >= p->plan->count || (!l->called && p->label[slow_place_at(l, here)->insn])) {
            if (!slow_back(l, 0))
                return false;
            continue;
        }
        insn = slow_insn_at(l, here);
        l->here = slow_place_at(l, here);
        l->called = false;
        if (l->here->behind)
            slow_leave_inner(l, l->here->behind - 1);
        if (slow_is_divided(l) || slow_looks_at_others(insn->op) || slow_orders_lanes(l, insn) || slow_is_scheduled(l, insn)) {
            l->state = LANE_MEETS;
        } else if (insn->op == OP_BAR) {
            l->state = LANE_AT_BARRIER;
        } else {
            if (++l->executed > SLOW_LIMIT_OF_A_LANE)
                return slow_fail(l->group, SLOW_LIMIT, "too many instructions", insn);
            if (!slow_execute(l, insn))
                return false;
        }
        if (p->in_step)
            break;
    }
    return true;
}

/* Along the blocks from the outside: the earlier loop or call, the earlier party, turn and side, at last the earlier instruction. */
int slow_order(const struct slow_lane *a, const struct slow_lane *b)
{
    if (a->party != b->party)
        return a->party < b->party ? -1 : 1;
    for (unsigned i = 0;; i++) {
        uint32_t pa = i < a->depth ? a->blocks[i].pc : a->pc, pb = i < b->depth ? b->blocks[i].pc : b->pc;
        if (pa != pb)
            return (pa < pb) != slow_is_swapped(a, pa, pb) ? -1 : 1;
        if (i >= a->depth || i >= b->depth)
            return (i < a->depth) - (i < b->depth);
        if (a->blocks[i].party != b->blocks[i].party)
            return a->blocks[i].party < b->blocks[i].party ? -1 : 1;
        if (a->blocks[i].turn != b->blocks[i].turn)
            return a->blocks[i].turn < b->blocks[i].turn ? -1 : 1;
        if (a->blocks[i].side != b->blocks[i].side)
            return a->blocks[i].side < b->blocks[i].side ? -1 : 1;
    }
}
