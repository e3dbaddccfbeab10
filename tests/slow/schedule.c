/* In which order lanes go on whose ways do not meet behind ENDIF, until the round of their loop ends, and who comes together on the way
 * (docs/semantics.md, "Divergence"): of those who part the fewer are first, the others wait, and are held. When nobody in the round is left to
 * run, those who are held go on, or those who have waited for the shortest time and all who wait where they do. Whoever parts anywhere leaves nobody held. */
#include "tests/slow/flow.h"

static bool in_scheduled_loop(const struct slow_lane *l)
{
    for (unsigned i = 0; i < l->depth; i++)
        if (l->blocks[i].loop && slow_place_at(l, l->blocks[i].pc)->schedules)
            return true;
    return false;
}

bool slow_is_scheduled(const struct slow_lane *l, const struct insn *insn)
{
    const struct slow_place *s = slow_place_at(l, l->pc);
    switch (insn->op) {
    case OP_IF: case OP_BRK: case OP_CONT: case OP_RET: case OP_CAL:
        return !s->straight && !s->predicated && s->outcome == TEST_LOOKED_AT && in_scheduled_loop(l);
    case OP_REP: return !s->straight && (insn->nsrc || (s->phased && s->phases.counts)) && in_scheduled_loop(l);
    case OP_CALI: return in_scheduled_loop(l);
    default: return false;
    }
}

void slow_hold_nobody(struct slow_group *g, uint32_t warp)
{
    for (uint32_t i = warp * SLOW_WARP; i < (warp + 1) * SLOW_WARP && i < g->nlanes; i++)
        g->lanes[i].held = false;
}

static void wait(struct slow_lane *l)
{
    for (;;) {
        unsigned op = slow_insn_at(l, l->pc)->op;
        if (op == OP_ELSE)
            l->pc = slow_place_at(l, l->pc)->to;
        else if (op == OP_ENDIF)
            l->pc++;
        else
            break;
    }
    l->state = LANE_WAITS;
    l->waits = l->group->ways;
}

/* The same round of the same loop, whatever sides they took in it; in it. */
static bool is_inside(const struct slow_lane *l, const struct slow_lane *of)
{
    bool same = l->depth >= of->depth && l->party == of->party;
    for (unsigned i = 0; same && i < of->depth; i++) {
        const struct slow_block *a = &l->blocks[i], *b = &of->blocks[i];
        same = a->pc == b->pc && a->party == b->party && (a->turn == b->turn || (i + 1 == of->depth && slow_place_at(l, a->pc)->loose)) && (i + 1 == of->depth || a->side == b->side);
    }
    return same;
}

static void go_on(struct slow_lane *l, uint64_t way)
{
    struct slow_block *b = &l->blocks[l->depth - 1];
    l->state = LANE_RUNS;
    l->chain = 0;
    b->side = way;
    if (!slow_place_at(l, b->pc)->loose)
        return;
    b->divided = b->divided == b->turn + 1 ? way + 1 : 0;     /* lanes of different rounds go on as if it were one */
    b->turn = way;
}

/* Lanes that an IF has parted, and those that went around the IFs around it whose tests are one with its. */
static void order_ways(struct slow_lane *lanes[SLOW_WARP], uint32_t place)
{
    struct slow_lane *one[SLOW_WARP], *next = NULL;
    struct slow_group *g;
    const struct slow_place *s;
    unsigned nones = 0, nothers = 0, n = 0;
    bool is_next[SLOW_WARP], no_then, last;
    uint64_t way;
    for (unsigned i = 0; i < SLOW_WARP; i++)
        if (lanes[i])
            one[n++] = next = lanes[i];
    g = next->group;
    s = slow_place_at(next, place);
    no_then = slow_insn_at(next, place + 1)->op == OP_ELSE;
    for (uint32_t i = next->warp * SLOW_WARP; s->chain && i < g->nlanes && i < (next->warp + 1) * SLOW_WARP; i++)
        if (g->lanes[i].state == LANE_WAITS && g->lanes[i].chain == s->chain && is_inside(&g->lanes[i], next) && is_inside(next, &g->lanes[i]))
            one[n++] = &g->lanes[i];
    for (unsigned i = 0; i < n; i++) {
        is_next[i] = one[i]->state != LANE_WAITS && (one[i]->pc == place + 1) != no_then;
        nones += is_next[i];
        nothers += !is_next[i];
    }
    way = ++g->ways;
    if (s->goes_on && nones) {
        for (unsigned i = 0; i < n; i++) {
            if (is_next[i])
                continue;
            wait(one[i]);
            one[i]->chain = s->chain;
        }
        return;
    }
    last = nothers && nothers < nones;      /* who does not jump goes on last */
    if (nones && nothers)
        slow_hold_nobody(g, next->warp);
    for (unsigned i = 0; i < n; i++) {
        if (!nones || !nothers || is_next[i] != last) {
            go_on(one[i], way);
        } else {
            wait(one[i]);
            one[i]->chain = 0;
            one[i]->held = true;
        }
    }
}

/* ---- CONTs whose lanes do not wait ------------------------------------------------------------------------------------------------------- */

bool slow_is_divided(const struct slow_lane *l)
{
    const struct slow_block *b = l->depth ? &l->blocks[l->depth - 1] : NULL;
    return slow_place_at(l, l->pc)->divides && b && b->loop && (b->divided != b->turn + 1 || b->divided_at != l->pc);
}

static bool set_out(struct slow_lane *l, uint64_t way)
{
    bool top = l->at_top;
    go_on(l, way);
    l->at_top = false;
    return !top || slow_enter_inner(l, slow_insn_at(l, l->blocks[l->depth - 1].pc));
}

/* Lanes that took such a CONT, and those with them that did not. */
bool slow_divide(struct slow_lane *lanes[SLOW_WARP])
{
    unsigned away = 0, stay = 0;
    struct slow_lane *one = NULL;
    uint64_t way;
    bool last, ok = true;
    for (unsigned i = 0; i < SLOW_WARP; i++)
        if (lanes[i]) {
            one = lanes[i];
            away += one->goes_away;
            stay += !one->goes_away;
        }
    way = ++one->group->ways;
    last = away && away < stay;         /* who stays goes on last */
    if (away && stay)
        slow_hold_nobody(one->group, one->warp);
    for (unsigned i = 0; i < SLOW_WARP; i++) {
        struct slow_lane *l = lanes[i];
        struct slow_block *b = l ? &l->blocks[l->depth - 1] : NULL;
        bool goes = l && l->goes_away;
        if (!l)
            continue;
        b->divided = goes ? 0 : b->turn + 1;
        b->divided_at = l->pc;
        l->at_top = goes;
        l->goes_away = false;
        if (goes)
            l->pc = b->pc + 1;
        if (!away || !stay || goes == last) {
            ok &= set_out(l, way);
        } else {
            l->state = LANE_WAITS;
            l->waits = way;
            l->chain = 0;
            l->held = true;
        }
    }
    return ok;
}

bool slow_go_ways(struct slow_lane *lanes[SLOW_WARP], const struct insn *insn)
{
    const struct slow_lane *first = NULL;
    uint32_t place = NO_INDEX;
    bool parts = insn->op == OP_REP || insn->op == OP_CALI, orders = false;
    for (unsigned i = 0; i < SLOW_WARP; i++) {
        if (!lanes[i])
            continue;
        place = lanes[i]->pc;
        orders = insn->op == OP_IF && slow_place_at(lanes[i], place)->parts && slow_innermost(lanes[i]);
        lanes[i]->here = slow_place_at(lanes[i], place);
        lanes[i]->state = LANE_RUNS;
        lanes[i]->executed++;
        if (!slow_execute(lanes[i], insn))
            return false;
        parts |= first && first->passed != lanes[i]->passed;
        first = lanes[i];
    }
    if (orders)
        order_ways(lanes, place);
    else if (parts)
        slow_hold_nobody(first->group, first->warp);
    return true;
}

/* Whether a lane of the warp could run in the round of one that waits, or waits in a loop in it. */
static bool is_awaited(const struct slow_group *g, const struct slow_lane *waits)
{
    for (uint32_t i = waits->warp * SLOW_WARP; i < (waits->warp + 1) * SLOW_WARP && i < g->nlanes; i++) {
        const struct slow_lane *l = &g->lanes[i];
        if (l->state != LANE_ENDED && is_inside(l, waits) && (l->state != LANE_WAITS || l->depth > waits->depth))
            return true;
    }
    return false;
}

bool slow_wake(struct slow_group *g, uint32_t warp, const struct slow_lane *first)
{
    struct slow_lane *of = NULL;
    uint32_t end = (warp + 1) * SLOW_WARP < g->nlanes ? (warp + 1) * SLOW_WARP : g->nlanes, place = 0;
    uint64_t since = 0;
    bool held = false;
    for (uint32_t i = warp * SLOW_WARP; i < end; i++) {
        struct slow_lane *l = &g->lanes[i];
        if (l->state == LANE_WAITS && (!first || slow_order(l, first) < 0) && (!of || slow_order(l, of) < 0) && !is_awaited(g, l))
            of = l;
    }
    if (!of)
        return false;
    for (uint32_t i = warp * SLOW_WARP; i < end; i++) {
        const struct slow_lane *l = &g->lanes[i];
        if (l->state != LANE_WAITS || !is_inside(l, of))
            continue;
        held |= l->held;
        place = l->waits >= since ? l->pc : place;
        since = l->waits >= since ? l->waits : since;
    }
    g->ways++;
    for (uint32_t i = warp * SLOW_WARP; i < end; i++) {
        struct slow_lane *l = &g->lanes[i];
        if (l->state == LANE_WAITS && l != of && is_inside(l, of) && (held ? l->held : l->pc == place))
            set_out(l, g->ways);
    }
    if (held ? of->held : of->pc == place)      /* at last: the others were held against it */
        set_out(of, g->ways);
    slow_hold_nobody(g, warp);
    return true;
}
