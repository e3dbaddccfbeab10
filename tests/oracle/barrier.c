/* BAR that not all lanes come to, as the driver does it (docs/semantics.md, "Divergence"): a warp has come when those
 * of its lanes have whose turn it is, and the others wait with them. So lanes go one instruction at a time, those first
 * that are earliest; of an IF with a BAR in it the side that fewer lanes take is the earlier one, and so it is with a
 * CALI's lanes that call what the lowest one does, and the others. */
#include "tests/oracle/internal.h"

#include <stdlib.h>

static const struct insn *insn_at(const struct oracle_group *g, uint32_t i)
{
    return program_insn(g->program->text, i);
}

/* Where a BAR stands in a block or a subroutine, or lanes leave each other marks between BARs. */
bool oracle_goes_in_step(const struct oracle_program *p)
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

static bool end_of_if(const struct oracle_group *g, struct oracle_sides *s)
{
    unsigned depth = 0;
    bool bar = false;
    s->otherwise = NO_INDEX;
    for (uint32_t i = s->begin; i < g->program->text->insns.count; i++) {
        unsigned op = insn_at(g, i)->op;
        bar |= op == OP_BAR || op == OP_CAL || op == OP_CALI;
        depth += op == OP_IF;
        if (op == OP_ELSE && depth == 1)
            s->otherwise = i;
        if (op == OP_ENDIF && --depth == 0) {
            s->end = i;
            return bar && s->otherwise != NO_INDEX;
        }
    }
    return false;
}

bool oracle_find_sides(struct oracle_group *g)
{
    uint32_t n = (uint32_t)g->program->text->insns.count;
    g->sides = calloc(n + 1u, sizeof *g->sides);
    for (uint32_t i = 0; g->sides && i < n; i++) {
        struct oracle_sides s = {.begin = i};
        if (insn_at(g, i)->op == OP_IF && end_of_if(g, &s))
            g->sides[g->nsides++] = s;
    }
    g->swapped = calloc((size_t)g->nlanes * (g->nsides + 1u), sizeof *g->swapped);
    return g->sides && g->swapped;
}

static uint32_t sides_at(const struct oracle_group *g, uint32_t place)
{
    for (uint32_t k = 0; k < g->nsides; k++)
        if (g->sides[k].begin == place)
            return k;
    return NO_INDEX;
}

bool oracle_orders_lanes(const struct oracle_lane *l, const struct insn *insn)
{
    return l->group->program->in_step &&
           (insn->op == OP_CALI || (insn->op == OP_IF && sides_at(l->group, l->pc) != NO_INDEX));
}

static void order_sides(struct oracle_lane *lanes[ORACLE_WARP], uint32_t place)
{
    unsigned then = 0, otherwise = 0;
    for (unsigned i = 0; i < ORACLE_WARP; i++) {
        then += lanes[i] && lanes[i]->pc == place + 1;
        otherwise += lanes[i] && lanes[i]->pc != place + 1;
    }
    for (unsigned i = 0; i < ORACLE_WARP; i++)
        if (lanes[i]) {
            struct oracle_group *g = lanes[i]->group;
            g->swapped[(size_t)lanes[i]->index * g->nsides + sides_at(g, place)] = otherwise < then;
        }
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
                lanes[i]->blocks[lanes[i]->depth - 1].side = rank;
                left[i] = false;
                n--;
            }
    }
}

bool oracle_diverge(struct oracle_lane *lanes[ORACLE_WARP], const struct insn *insn)
{
    bool called[ORACLE_WARP] = {false};
    uint32_t place = NO_INDEX;
    for (unsigned i = 0; i < ORACLE_WARP; i++) {
        unsigned depth;
        if (!lanes[i])
            continue;
        depth = lanes[i]->depth;
        place = lanes[i]->pc;
        lanes[i]->state = LANE_RUNS;
        lanes[i]->executed++;
        if (!oracle_execute(lanes[i], insn))
            return false;
        called[i] = lanes[i]->depth > depth;
    }
    if (insn->op == OP_IF)
        order_sides(lanes, place);
    else
        order_callees(lanes, called);
    return true;
}

bool oracle_is_swapped(const struct oracle_lane *l, uint32_t a, uint32_t b)
{
    const struct oracle_group *g = l->group;
    uint32_t first = a < b ? a : b, last = a < b ? b : a;
    for (uint32_t k = 0; k < g->nsides; k++)
        if (g->sides[k].begin < first && first < g->sides[k].otherwise && g->sides[k].otherwise < last &&
            last < g->sides[k].end)
            return g->swapped[(size_t)l->index * g->nsides + k];
    return false;
}

bool oracle_advance_in_step(struct oracle_group *g, uint32_t warp)
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
        if (first->state == LANE_RUNS ? !oracle_advance(first) : !oracle_meet(g, warp))
            return false;
    }
}
