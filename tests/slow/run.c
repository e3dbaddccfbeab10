/* A launch: groups one after the other, lanes until they wait, and what they wait for. */
#include "tests/slow/plan.h"

#include <stdlib.h>
#include <string.h>

/* ---- the program ------------------------------------------------------------------------------------------------------ */

static void note_index(struct slow_program *p, unsigned kind, uint32_t symbol, uint32_t first, unsigned n)
{
    for (unsigned k = 0; kind == OPND_SYMBOL && k < n; k++)
        p->indexed[symbol] |= program_index(p->text, first + k)->mode == INDEX_RELATIVE;
}

static bool prepare(struct slow_program *p)
{
    size_t n = p->text->symbols.count, insns = p->text->insns.count, labels = 0, called = 0;
    p->first = calloc(n + 1, sizeof *p->first);
    p->indexed = calloc(2 * (n + 1), sizeof *p->indexed);
    p->read = p->indexed ? p->indexed + n + 1 : NULL;
    p->label = calloc(insns + 1, sizeof *p->label);
    if (!p->first || !p->label || !p->indexed)
        return false;
    for (uint32_t i = 0; i < n; i++) {
        const struct symbol *s = program_symbol(p->text, i);
        bool own = s->kind == SYM_TEMP || (s->kind == SYM_OUTPUT && !s->nbindings);
        p->first[i] = own ? p->nregisters : NO_INDEX;
        if (own)
            p->nregisters += s->array ? s->array_size : 1;
        if (s->kind != SYM_LABEL || !s->defined || s->instruction > insns)
            continue;
        p->label[s->instruction] = s->instruction > 0;
        labels++;
        called += s->uses > 0 || s->numbered;
        if (!strcmp(s->name, "main"))
            p->entry = s->instruction;
    }
    for (uint32_t i = 0; i < p->text->operands.count; i++) {
        const struct operand *o = program_operand(p->text, i);
        note_index(p, o->kind == OPND_EXTENDED ? o->base_kind : o->kind, o->ref, o->index, o->nindices);
        if (o->kind == OPND_SYMBOL || o->kind == OPND_HANDLE || (o->kind == OPND_EXTENDED && o->base_kind == OPND_SYMBOL))
            p->read[o->ref] = true;
    }
    for (uint32_t i = 0; i < p->text->indices.count; i++) {
        const struct index *x = program_index(p->text, i);
        if (x->mode == INDEX_RELATIVE && x->register_kind == OPND_SYMBOL)
            p->read[x->reg] = true;
    }
    for (uint32_t i = 0; i < insns; i++) {
        const struct result *r = &program_insn(p->text, i)->dst;
        note_index(p, r->kind, r->ref, r->index, r->nindices);
    }
    p->in_step = slow_goes_in_step(p);
    p->several = p->nvidia ? slow_set_more_than_once(p) : 0;
    slow_find_turns(p);
    if (p->nvidia && labels == 1 && !called)        /* docs/semantics.md: the only label, and nothing calls it */
        memset(p->label, 0, (insns + 1) * sizeof *p->label);
    return true;
}

/* ---- a group ------------------------------------------------------------------------------------------------------------ */

/* All registers, flags and shared memory are undefined at the start; their bits are 0, so that a run can be repeated. */
static void start(struct slow_group *g)
{
    const struct slow_program *p = g->program;
    g->nsaid = 0;
    memset(g->shared, 0, g->shared_size);
    memset(g->shared_open, true, g->shared_size * sizeof *g->shared_open);
    for (uint32_t i = 0; i < g->nlanes; i++) {
        struct slow_lane *l = &g->lanes[i];
        struct slow_value (*registers)[4] = l->registers;
        *l = (struct slow_lane){.group = g, .index = i, .id = i % SLOW_WARP, .warp = i / SLOW_WARP,
                                .registers = registers, .pc = p->entry < p->text->insns.count ? p->plan->first[p->entry] : p->plan->count,
                                .called = true};
        for (uint32_t r = 0; r < p->nregisters; r++)
            for (unsigned c = 0; c < 4; c++)
                registers[r][c] = (struct slow_value){.open = true};
        for (unsigned c = 0; c < 8; c++)
            l->cc[c / 4][c % 4].open = true;
        l->resident_open = true;
    }
}

/* The lanes of a warp that stand at its earliest place execute that instruction. False when none waits for others. */
bool slow_meet(struct slow_group *g, uint32_t warp)
{
    struct slow_lane *lanes[SLOW_WARP] = {NULL}, *first = NULL;
    const struct slow_place *place;
    const struct insn *insn;
    uint32_t base = warp * SLOW_WARP;
    for (uint32_t i = base; i < base + SLOW_WARP && i < g->nlanes; i++) {
        struct slow_lane *l = &g->lanes[i];
        if (l->state == LANE_MEETS && (!first || slow_order(l, first) < 0))
            first = l;
    }
    if (slow_wake(g, warp, first))
        return true;
    if (!first)
        return false;
    for (uint32_t i = base; i < base + SLOW_WARP && i < g->nlanes; i++)
        if (g->lanes[i].state == LANE_MEETS && slow_order(&g->lanes[i], first) == 0)
            lanes[i - base] = &g->lanes[i];
    if (first->back)
        return slow_all_back(lanes);
    if (slow_is_divided(first))
        return slow_divide(lanes);
    place = &g->program->plan->place[first->pc];
    insn = program_insn(g->program->text, place->insn);
    if (!slow_looks_at_others(insn->op))
        return slow_orders_lanes(first, insn) ? slow_part(lanes, insn) : slow_go_ways(lanes, insn);
    if (!slow_together(lanes, insn, place))
        return false;
    for (unsigned i = 0; i < SLOW_WARP; i++)
        if (lanes[i]) {
            slow_end_ones(lanes[i], place);
            lanes[i]->pc++;
            lanes[i]->executed++;
            lanes[i]->state = LANE_RUNS;
        }
    return true;
}

/* Every lane as far as it gets without a BAR. */
static bool advance(struct slow_group *g)
{
    uint32_t warps = (g->nlanes + SLOW_WARP - 1) / SLOW_WARP;
    for (uint32_t w = 0; w < warps; w++) {
        if (g->program->in_step) {
            if (!slow_advance_in_step(g, w))
                return false;
            continue;
        }
        do
            for (uint32_t i = w * SLOW_WARP; i < (w + 1) * SLOW_WARP && i < g->nlanes; i++)
                if (!slow_advance(&g->lanes[i]))
                    return false;
        while (slow_meet(g, w));
    }
    return g->outcome->status == SLOW_RAN;
}

/* In the same round of the same loops, called from the same places. */
static bool at_same_bar(const struct slow_lane *a, const struct slow_lane *b)
{
    bool same = a->state == LANE_AT_BARRIER && b->state == LANE_AT_BARRIER && a->pc == b->pc && a->depth == b->depth;
    for (unsigned i = 0; same && i < a->depth; i++)
        same = a->blocks[i].pc == b->blocks[i].pc && a->blocks[i].turn == b->blocks[i].turn;
    return same;
}

/* From the first lane of its warp: each party comes to a BAR by itself. */
static bool goes_apart(const struct slow_group *g, uint32_t lane)
{
    return slow_order(&g->lanes[lane], &g->lanes[lane - lane % SLOW_WARP]) != 0;
}

/* All lanes are at a BAR, and the same one, or all have ended. The driver waits for a lane of each warp that has not ended, at any BAR. */
static bool pass_barrier(struct slow_group *g, bool *ended)
{
    uint32_t waiting = 0;
    for (uint32_t i = 0; i < g->nlanes; i++)
        waiting += g->lanes[i].state == LANE_AT_BARRIER;
    *ended = waiting == 0;
    if (*ended)
        return true;
    for (uint32_t i = 0; i < g->nlanes; i++)
        slow_use(&g->lanes[i], g->program->nvidia && (!at_same_bar(&g->lanes[0], &g->lanes[i]) || goes_apart(g, i)));
    for (uint32_t i = 0; i < g->nlanes; i++)
        if (!g->program->nvidia && (g->lanes[i].state != LANE_AT_BARRIER || g->lanes[i].pc != g->lanes[0].pc))
            return slow_fail(g, SLOW_STUCK, "BAR that not all come to", NULL);
    for (uint32_t i = 0; i < g->nlanes; i++)
        if (g->lanes[i].state == LANE_AT_BARRIER) {
            slow_end_ones(&g->lanes[i], &g->program->plan->place[g->lanes[i].pc]);
            g->lanes[i].pc++;
            g->lanes[i].state = LANE_RUNS;
        }
    return true;
}

static bool run_group(struct slow_group *g)
{
    bool ended = false;
    start(g);
    while (!ended)
        if (!advance(g) || !pass_barrier(g, &ended))
            return false;
    return true;
}

/* ---- the launch ------------------------------------------------------------------------------------------------------------ */

static bool run_groups(struct slow_group *g)
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

static bool allocate(struct slow_group *g)
{
    const struct gp5_program *p = g->program->text;
    struct slow_value (*registers)[4];
    for (unsigned i = 0; i < 3; i++)
        g->size[i] = p->has_group_size && p->group_size[i] ? p->group_size[i] : !p->has_group_size && g->launch->group_size[i]
                     ? g->launch->group_size[i] : 1;
    g->nlanes = g->size[0] * g->size[1] * g->size[2];
    g->shared_size = p->has_shared_memory ? p->shared_memory : 0;
    g->lanes = calloc(g->nlanes, sizeof *g->lanes);
    g->shared = calloc(g->shared_size + 1u, 1);
    g->shared_open = calloc(g->shared_size + 1u, sizeof *g->shared_open);
    registers = calloc((size_t)g->nlanes * (g->program->nregisters + 1u), sizeof *registers);
    if (!g->lanes || !g->shared || !g->shared_open || !registers) {
        free(registers);
        return false;
    }
    for (uint32_t i = 0; i < g->nlanes; i++)
        g->lanes[i].registers = registers + (size_t)i * (g->program->nregisters + 1u);
    return true;
}

void slow_run(const gp5_program *program, enum gp5_semantics semantics, const struct slow_launch *launch,
              struct slow_outcome *outcome)
{
    struct slow_program p = {.text = program, .nvidia = semantics == GP5_SEMANTICS_NVIDIA};
    struct slow_plan plan = {0};
    struct slow_group g = {.program = &p, .launch = launch, .outcome = outcome};
    struct gp5_program moved = {.text = NULL}, apart = {.text = NULL};
    bool takes = p.nvidia && slow_move_labels(program, &moved) && slow_take_apart(&moved, &apart, &p.by_address);
    *outcome = (struct slow_outcome){.status = SLOW_RAN};
    p.plan = &plan;
    p.text = takes ? &apart : program;
    p.declared = (uint32_t)program->symbols.count;
    if ((p.nvidia && !takes) || !prepare(&p) || !slow_plan_make(&plan, &p) || !allocate(&g) || (p.in_step && !slow_find_sides(&g))) {
        outcome->status = SLOW_NO_MEMORY;
    } else {
        run_groups(&g);
    }
    if (g.lanes)
        free(g.lanes[0].registers);
    slow_plan_free(&plan);
    free(g.lanes);
    free(g.shared);
    free(g.shared_open);
    free(g.parties);
    free(g.sides);
    free(g.swapped);
    free(g.said);
    free(p.first);
    free(p.indexed);
    free(p.by_address);
    free(p.label);
    if (p.nvidia) {
        slow_put_together(&apart);
        slow_forget_labels(&moved);
    }
}
