/* BAR that not all lanes come to, as the driver does it (docs/semantics.md, "Divergence"): a warp has come when those
 * of its lanes have whose iteration it is, and the others wait with them. So lanes go one instruction at a time, those
 * first that are earliest; of a CALI's lanes those that call what the lowest one does, and the others, the fewer go
 * first. */
#include "tests/oracle/internal.h"

/* Where a BAR stands in a block or a subroutine, or lanes leave each other marks between BARs. */
bool oracle_needs_lockstep(const struct oracle_program *p)
{
    unsigned depth = 0;
    bool bar = false, marks = false;
    for (uint32_t i = 0; p->nvidia && i < p->text->insns.count; i++) {
        unsigned op = program_insn(p->text, i)->op;
        depth += op == OP_IF || op == OP_REP || p->label[i];    /* what a label begins does not end here */
        depth -= (op == OP_ENDIF || op == OP_ENDREP) && depth > 0;
        marks |= op == OP_ATOMS;
        bar |= op == OP_BAR;
        if (op == OP_BAR && depth)
            return true;
    }
    return bar && marks;
}

bool oracle_orders_callees(const struct oracle_lane *l, const struct insn *insn)
{
    return l->group->program->lockstep && insn->op == OP_CALI;
}

/* Of lanes that are left the fewer of two parties: those who call what the lowest does, and the others, of whom it is
 * asked again. */
static unsigned earliest(struct oracle_lane *lanes[ORACLE_WARP], const bool left[ORACLE_WARP])
{
    bool others[ORACLE_WARP];
    unsigned lowest = 0, with = 0, without = 0;
    while (!left[lowest])
        lowest++;
    for (unsigned i = 0; i < ORACLE_WARP; i++) {
        others[i] = left[i] && lanes[i]->pc != lanes[lowest]->pc;
        without += others[i];
        with += left[i] && !others[i];
    }
    return without && without < with ? earliest(lanes, others) : lowest;
}

static void order_callees(struct oracle_lane *lanes[ORACLE_WARP], const bool called[ORACLE_WARP])
{
    bool left[ORACLE_WARP];
    unsigned n = 0;
    for (unsigned i = 0; i < ORACLE_WARP; i++)
        n += left[i] = called[i];
    for (unsigned rank = 0; n; rank++) {
        unsigned first = earliest(lanes, left);
        for (unsigned i = 0; i < ORACLE_WARP; i++)
            if (left[i] && lanes[i]->pc == lanes[first]->pc) {
                lanes[i]->blocks[lanes[i]->depth - 1].callee_order = rank;
                left[i] = false;
                n--;
            }
    }
}

bool oracle_diverge(struct oracle_lane *lanes[ORACLE_WARP], const struct insn *insn)
{
    bool called[ORACLE_WARP] = {false};
    for (unsigned i = 0; i < ORACLE_WARP; i++) {
        unsigned depth;
        if (!lanes[i])
            continue;
        depth = lanes[i]->depth;
        lanes[i]->state = LANE_RUNS;
        if (!oracle_execute(lanes[i], insn))
            return false;
        called[i] = lanes[i]->depth > depth;
    }
    order_callees(lanes, called);
    return true;
}

bool oracle_advance_lockstep(struct oracle_group *g, uint32_t warp)
{
    for (;;) {
        struct oracle_lane *first = NULL;
        for (uint32_t i = warp * ORACLE_WARP; i < (warp + 1) * ORACLE_WARP && i < g->nlanes; i++) {
            struct oracle_lane *l = &g->lanes[i];
            bool goes = l->state != LANE_ENDED;
            int order = first && goes ? oracle_order(l, first) : 0;
            if (goes && (!first || order < 0 || (order == 0 && l->state == LANE_RUNS && first->state != LANE_RUNS)))
                first = l;
        }
        if (!first || first->state == LANE_AT_BARRIER)
            return true;
        if (first->state == LANE_RUNS ? !oracle_advance(first) : !oracle_run_exchange(g, warp))
            return false;
    }
}
