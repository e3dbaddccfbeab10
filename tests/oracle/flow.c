/* One lane, instruction by instruction, until it has to wait for others; branches. */
#include "tests/oracle/flow.h"

bool oracle_push(struct oracle_lane *l, const struct insn *insn, struct oracle_block b)
{
    if (l->depth == sizeof l->blocks / sizeof *l->blocks)
        return oracle_fail(l->group, ORACLE_NOT_EVALUATED, "this depth of blocks", insn);
    l->blocks[l->depth++] = b;
    return true;
}

/* docs/semantics.md: the driver's BRK, CONT and RET with a test of several components want the lowest of these to pass
 * and no other. */
static bool lowest_alone(struct oracle_lane *l, const struct condition *c, bool *undef)
{
    unsigned swizzle = c->nswizzle ? c->swizzle : 0xe4, lowest = 3;
    bool pass = true;
    for (unsigned i = 0; i < 4; i++)
        lowest = (swizzle >> 2 * i & 3) < lowest ? swizzle >> 2 * i & 3 : lowest;
    for (unsigned i = 0; i < 4; i++)
        pass &= oracle_test(l, c, i, undef) == ((swizzle >> 2 * i & 3) == lowest);
    return pass;
}

static bool looks_at_several(const struct condition *c)
{
    unsigned swizzle = c->nswizzle ? c->swizzle : 0xe4;
    return condition_restricts(c) && swizzle != (swizzle & 3) * 0x55;
}

/* docs/semantics.md: who does not take a CONT or a CALI that is a loop's last instruction leaves the loop. */
static bool leaves_at_bottom(struct oracle_lane *l, const struct insn *insn)
{
    bool last = l->pc + 1 < l->group->program->text->insns.count && oracle_insn_at(l, l->pc + 1)->op == OP_ENDREP;
    return last && (insn->op == OP_CONT || (insn->op == OP_CALI && condition_restricts(&insn->condition))) &&
           l->group->program->nvidia && insn->condition.rule != CC_FL && oracle_innermost(l);
}

bool oracle_branch(struct oracle_lane *l, const struct insn *insn)
{
    bool leaves = insn->op == OP_BRK || insn->op == OP_CONT || insn->op == OP_RET, undef = false, pass = true;
    if (leaves && l->group->program->nvidia && looks_at_several(&insn->condition))
        pass = lowest_alone(l, &insn->condition, &undef);
    else if (insn->op != OP_ELSE && insn->op != OP_ENDIF)
        pass = oracle_test_any(l, &insn->condition, &undef);
    oracle_note_use(l, undef);
    switch (insn->op) {
    case OP_IF:
        l->pc = pass ? l->pc + 1 : insn->dst.partner + (oracle_insn_at(l, insn->dst.partner)->op == OP_ELSE);
        return true;
    case OP_ELSE: l->pc = insn->dst.partner; return true;
    case OP_BRK: case OP_CONT:
        if (!pass)
            break;
        if (!oracle_innermost(l))
            return oracle_fail(l->group, ORACLE_NOT_EVALUATED, "this outside of a loop", insn);
        if (insn->op == OP_CONT)
            return oracle_next_iteration(l);
        oracle_leave_loop(l);
        return true;
    case OP_CAL: case OP_CALI:
        if (pass)
            return oracle_call(l, insn);
        break;
    case OP_RET:
        if (!pass)
            break;
        oracle_return(l);
        return true;
    default: break;
    }
    if (!pass && leaves_at_bottom(l, insn))
        oracle_leave_loop(l);
    else
        l->pc++;
    return true;
}

bool oracle_advance(struct oracle_lane *l)
{
    const struct oracle_program *p = l->group->program;
    while (l->state == LANE_RUNS) {
        const struct insn *insn;
        if (l->pc >= p->text->insns.count || (!l->called && p->label[l->pc])) {
            oracle_return(l);
            continue;
        }
        insn = oracle_insn_at(l, l->pc);
        l->here = l->pc;
        l->called = false;
        if (oracle_is_cross_lane(insn->op) || oracle_orders_callees(l, insn)) {
            l->state = LANE_AT_EXCHANGE;
        } else if (insn->op == OP_BAR) {
            l->state = LANE_AT_BARRIER;
        } else {
            if (++l->group->executed > ORACLE_LIMIT)
                return oracle_fail(l->group, ORACLE_TOO_LONG, "too many instructions", insn);
            if (!oracle_execute(l, insn))
                return false;
        }
        if (p->lockstep)
            break;
    }
    return true;
}

/* Along the blocks from the outside: the earlier loop or call, iteration and callee, at last the earlier instruction.
 */
int oracle_order(const struct oracle_lane *a, const struct oracle_lane *b)
{
    for (unsigned i = 0;; i++) {
        uint32_t pa = i < a->depth ? a->blocks[i].pc : a->pc, pb = i < b->depth ? b->blocks[i].pc : b->pc;
        if (pa != pb)
            return pa < pb ? -1 : 1;
        if (i >= a->depth || i >= b->depth)
            return (i < a->depth) - (i < b->depth);
        if (a->blocks[i].iteration != b->blocks[i].iteration)
            return a->blocks[i].iteration < b->blocks[i].iteration ? -1 : 1;
        if (a->blocks[i].callee_order != b->blocks[i].callee_order)
            return a->blocks[i].callee_order < b->blocks[i].callee_order ? -1 : 1;
    }
}
