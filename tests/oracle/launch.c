/* A launch: groups one after the other, lanes until they wait, and what they wait for. */
#include "tests/oracle/internal.h"

#include <stdlib.h>
#include <string.h>

/* ---- a group ---------------------------------------------------------------------------------------------------- */

/* All registers, flags and shared memory are undefined at the start; their bits are 0, so that a run can be repeated.
 */
static void start(struct oracle_group *g)
{
    const struct oracle_program *p = g->program;
    g->nuniform = 0;
    g->executed = 0;
    memset(g->shared, 0, g->shared_size);
    memset(g->shared_undef, true, g->shared_size * sizeof *g->shared_undef);
    for (uint32_t i = 0; i < g->nlanes; i++) {
        struct oracle_lane *l = &g->lanes[i];
        struct oracle_value (*registers)[4] = l->registers;
        *l = (struct oracle_lane){.group = g, .index = i, .id = i % ORACLE_WARP, .warp = i / ORACLE_WARP,
                                .registers = registers, .pc = p->entry, .called = true};
        for (uint32_t r = 0; r < p->nregisters; r++)
            for (unsigned c = 0; c < 4; c++)
                registers[r][c] = (struct oracle_value){.undef = true, .word_undef = true};
        for (unsigned c = 0; c < 8; c++)
            l->cc[c / 4][c % 4].undef = true;
        l->resident_undef = true;
    }
}

/* The lanes of a warp that stand at its earliest place execute that instruction. False when none waits for others. */
bool oracle_run_exchange(struct oracle_group *g, uint32_t warp)
{
    struct oracle_lane *lanes[ORACLE_WARP] = {NULL}, *first = NULL;
    const struct insn *insn;
    uint32_t base = warp * ORACLE_WARP;
    for (uint32_t i = base; i < base + ORACLE_WARP && i < g->nlanes; i++) {
        struct oracle_lane *l = &g->lanes[i];
        if (l->state == LANE_AT_EXCHANGE && (!first || oracle_order(l, first) < 0))
            first = l;
    }
    if (!first)
        return false;
    for (uint32_t i = base; i < base + ORACLE_WARP && i < g->nlanes; i++)
        if (g->lanes[i].state == LANE_AT_EXCHANGE && oracle_order(&g->lanes[i], first) == 0)
            lanes[i - base] = &g->lanes[i];
    insn = program_insn(g->program->text, first->pc);
    if (oracle_orders_callees(first, insn))
        return oracle_diverge(lanes, insn);
    if (!oracle_exchange(lanes, insn))
        return false;
    for (unsigned i = 0; i < ORACLE_WARP; i++)
        if (lanes[i]) {
            lanes[i]->pc++;
            lanes[i]->state = LANE_RUNS;
        }
    return true;
}

/* Every lane as far as it gets without a BAR. */
static bool advance(struct oracle_group *g)
{
    uint32_t warps = (g->nlanes + ORACLE_WARP - 1) / ORACLE_WARP;
    for (uint32_t w = 0; w < warps; w++) {
        if (g->program->lockstep) {
            if (!oracle_advance_lockstep(g, w))
                return false;
            continue;
        }
        do
            for (uint32_t i = w * ORACLE_WARP; i < (w + 1) * ORACLE_WARP && i < g->nlanes; i++)
                if (!oracle_advance(&g->lanes[i]))
                    return false;
        while (oracle_run_exchange(g, w));
    }
    return g->outcome->status == ORACLE_RAN;
}

/* In the same round of the same loops, called from the same places. */
static bool at_same_bar(const struct oracle_lane *a, const struct oracle_lane *b)
{
    bool same = a->state == LANE_AT_BARRIER && b->state == LANE_AT_BARRIER && a->pc == b->pc && a->depth == b->depth;
    for (unsigned i = 0; same && i < a->depth; i++)
        same = a->blocks[i].pc == b->blocks[i].pc && a->blocks[i].iteration == b->blocks[i].iteration;
    return same;
}

/* From the first lane of its warp: each party comes to a BAR by itself. */
static bool goes_apart(const struct oracle_group *g, uint32_t lane)
{
    return oracle_order(&g->lanes[lane], &g->lanes[lane - lane % ORACLE_WARP]) != 0;
}

/* All lanes are at a BAR, and the same one, or all have ended. The driver waits for a lane of each warp that has not
 * ended, at any BAR. */
static bool pass_barrier(struct oracle_group *g, bool *ended)
{
    uint32_t waiting = 0;
    for (uint32_t i = 0; i < g->nlanes; i++)
        waiting += g->lanes[i].state == LANE_AT_BARRIER;
    *ended = waiting == 0;
    if (*ended)
        return true;
    for (uint32_t i = 0; i < g->nlanes; i++)
        oracle_note_use(&g->lanes[i],
                        g->program->nvidia && (!at_same_bar(&g->lanes[0], &g->lanes[i]) || goes_apart(g, i)));
    for (uint32_t i = 0; i < g->nlanes; i++)
        if (!g->program->nvidia && (g->lanes[i].state != LANE_AT_BARRIER || g->lanes[i].pc != g->lanes[0].pc))
            return oracle_fail(g, ORACLE_STUCK, "BAR that not all come to", NULL);
    for (uint32_t i = 0; i < g->nlanes; i++)
        if (g->lanes[i].state == LANE_AT_BARRIER) {
            g->lanes[i].pc++;
            g->lanes[i].state = LANE_RUNS;
        }
    return true;
}

static bool run_group(struct oracle_group *g)
{
    bool ended = false;
    start(g);
    while (!ended)
        if (!advance(g) || !pass_barrier(g, &ended))
            return false;
    return true;
}

/* ---- the launch ------------------------------------------------------------------------------------------------- */

static bool run_groups(struct oracle_group *g)
{
    const uint32_t *n = g->launch->groups;
    for (uint32_t z = 0; z < n[2]; z++)
        for (uint32_t y = 0; y < n[1]; y++)
            for (uint32_t x = 0; x < n[0]; x++) {
                g->id[0] = x, g->id[1] = y, g->id[2] = z;
                if (!run_group(g))
                    return false;
            }
    return true;
}

static bool allocate(struct oracle_group *g)
{
    const struct gp5_program *p = g->program->text;
    struct oracle_value (*registers)[4];
    for (unsigned i = 0; i < 3; i++)
        g->size[i] = p->has_group_size && p->group_size[i]            ? p->group_size[i]
                     : !p->has_group_size && g->launch->group_size[i] ? g->launch->group_size[i]
                                                                      : 1;
    g->nlanes = g->size[0] * g->size[1] * g->size[2];
    g->shared_size = p->has_shared_memory ? p->shared_memory : 0;
    g->lanes = calloc(g->nlanes, sizeof *g->lanes);
    g->shared = calloc(g->shared_size + 1u, 1);
    g->shared_undef = calloc(g->shared_size + 1u, sizeof *g->shared_undef);
    registers = calloc((size_t)g->nlanes * (g->program->nregisters + 1u), sizeof *registers);
    if (!g->lanes || !g->shared || !g->shared_undef || !registers) {
        free(registers);
        return false;
    }
    for (uint32_t i = 0; i < g->nlanes; i++)
        g->lanes[i].registers = registers + (size_t)i * (g->program->nregisters + 1u);
    return true;
}

void oracle_run(const gp5_program *program, enum gp5_semantics semantics, const struct oracle_launch *launch,
                struct oracle_outcome *outcome)
{
    struct oracle_program p = {.nvidia = semantics == GP5_SEMANTICS_NVIDIA};
    struct oracle_group g = {.program = &p, .launch = launch, .outcome = outcome};
    *outcome = (struct oracle_outcome){.status = ORACLE_RAN};
    if (!oracle_prepare(&p, program) || !allocate(&g))
        outcome->status = ORACLE_NO_MEMORY;
    else
        run_groups(&g);
    if (g.lanes)
        free(g.lanes[0].registers);
    free(g.lanes);
    free(g.shared);
    free(g.shared_undef);
    free(g.uniform);
    oracle_forget(&p);
}
