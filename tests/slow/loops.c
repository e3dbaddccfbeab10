/* Loops: how often, which copy of the body is next, and with whom a lane goes on. */
#include "tests/slow/flow.h"

#include "tests/scalar_soft.h"

/* REP's count, rounded down; nothing for what is not above 0. */
static uint64_t trips(const struct slow_program *p, unsigned type, uint64_t bits)
{
    struct soft x;
    __int128 n;
    switch (type) {
    case DT_U32: return p->nvidia && (int32_t)(uint32_t)bits < 0 ? 0 : bits;    /* the driver takes it for signed */
    case DT_S32: return (int32_t)(uint32_t)bits > 0 ? bits : 0;
    case DT_S64: return (int64_t)bits > 0 ? (bits > UINT32_MAX ? UINT32_MAX : bits) : 0;
    case DT_U64: return bits > UINT32_MAX ? UINT32_MAX : bits;
    default:
        x = soft_integral(soft_unpack(bits, slow_bytes(type) * 8, false), SOFT_DOWN);
        n = soft_to_int(x, 0, UINT32_MAX, 0);
        return (uint64_t)n;
    }
}

/* Where the next copies of a loop in phases begin. */
static uint32_t phase_of(const struct slow_place *rep, uint64_t left, bool first)
{
    unsigned n = rep->phases.once && !first;
    while (rep->phases.rounds[n] > left)
        n++;
    return rep->phase[n];
}

/* How often a loop without a count runs. */
static bool count_by_itself(struct slow_lane *l, struct slow_block *b)
{
    const struct slow_counter *c = &l->here->phases.counter;
    const struct gp5_program *p = l->group->program->text;
    const struct insn *test = program_insn(p, c->comparison);
    struct slow_value v[2][4];
    for (unsigned k = 0; k < 2; k++) {
        if (!slow_fetch(l, program_operand(p, test->src + k), test->type, v[k]))
            return slow_fail(l->group, SLOW_NOT_EVALUATED, "this count", test);
        slow_use(l, v[k][c->component].open);
    }
    b->turns = slow_counter_turns(c, v[0][c->component].bits, v[1][c->component].bits);
    b->endless = false;
    return true;
}

static uint32_t inner_loops(const struct slow_lane *l)
{
    uint32_t n = 0;
    while (n < l->depth && l->blocks[l->depth - 1 - n].inner)
        n++;
    return n;
}

bool slow_enter_inner(struct slow_lane *l, const struct insn *insn)
{
    uint32_t n = inner_loops(l), rep = l->blocks[l->depth - 1 - n].pc, all = slow_place_at(l, rep)->inners;
    for (; n < all; n++)
        if (!slow_push(l, insn, (struct slow_block){.pc = rep, .loop = true, .endless = true, .inner = true}))
            return false;
    return true;
}

bool slow_go_round(struct slow_lane *l, const struct insn *insn)
{
    struct slow_block *b = &l->blocks[l->depth - 1];
    b->turn++;
    l->pc = b->pc + 1;
    return slow_enter_inner(l, insn);
}

void slow_leave_inner(struct slow_lane *l, uint32_t left)
{
    for (uint32_t n = inner_loops(l); n > left; n--)
        l->depth--;
}

bool slow_repeat(struct slow_lane *l, const struct insn *insn)
{
    struct slow_block b = {.pc = l->pc, .loop = true, .endless = insn->nsrc == 0};
    struct slow_value v[4];
    if (insn->nsrc) {
        unsigned type = slow_operand_type(insn, 0);
        struct operand o = *program_operand(l->group->program->text, insn->src);
        if (o.kind == OPND_CONSTANT && l->group->program->nvidia)
            o.flags &= (uint16_t)~OPND_NEGATE;      /* docs/semantics.md: a literal's sign is ignored */
        if (!slow_fetch(l, &o, type, v))
            return slow_fail(l->group, SLOW_NOT_EVALUATED, "this count", insn);
        slow_use(l, v[0].open);
        b.turns = trips(l->group->program, type, v[0].bits);
    }
    if (l->here->phased && l->here->phases.counts && !count_by_itself(l, &b))
        return false;
    if (b.turns == 0 && !b.endless) {
        l->pc = l->here->to;
        return true;
    }
    l->pc = l->here->phased ? phase_of(l->here, b.turns, true) : l->pc + 1;
    return slow_push(l, insn, b) && slow_enter_inner(l, insn);
}

struct slow_block *slow_innermost(struct slow_lane *l)
{
    return l->depth && l->blocks[l->depth - 1].loop ? &l->blocks[l->depth - 1] : NULL;
}

bool slow_next_turn(struct slow_lane *l, uint32_t end)
{
    struct slow_block *b = &l->blocks[l->depth - 1];
    const struct slow_place *rep = slow_place_at(l, b->pc);
    b->turn++;
    if (!rep->loose)
        b->side = 0;
    if (!b->endless && b->turn >= b->turns) {
        l->depth--;
        l->pc = rep->to;
    } else if (slow_place_at(l, end)->again != NO_INDEX) {
        l->pc = slow_place_at(l, end)->again;
    } else if (rep->phased) {
        l->pc = phase_of(rep, b->turns - b->turn, false);
    } else {
        return slow_fail(l->group, SLOW_NOT_EVALUATED, "more rounds than were foreseen", slow_insn_at(l, b->pc));
    }
    return l->pc == rep->to || slow_enter_inner(l, slow_insn_at(l, b->pc));
}

uint64_t slow_where(const struct slow_lane *l, uint64_t before)
{
    for (unsigned i = 0; i < l->depth; i++)
        before = (before ^ l->blocks[i].pc ^ l->blocks[i].turn << 20 ^ l->blocks[i].side << 40) * 0x100000001b3u + l->blocks[i].party;
    return before;
}

bool slow_join_party(struct slow_lane *l)
{
    const struct slow_block *left = &l->blocks[l->depth];
    bool returns = slow_place_at(l, left->pc)->returns;
    struct slow_block *b = returns ? (l->depth ? &l->blocks[l->depth - 1] : NULL) : slow_innermost(l);
    struct slow_party party = {.warp = l->warp, .rep = left->pc, .brk = l->here->party, .turn = left->turn};
    if (!b && !returns)
        return true;
    party.around = left->party + left->side * 0x9e3779b97f4a7c15u;     /* who went apart in the loop, or in its round, leaves it apart */
    party.before = b ? b->party : l->party;
    party.outer_turn = b ? b->turn : 0;
    party.around = slow_where(l, party.around);
    return slow_new_party(l->group, &party, b ? &b->party : &l->party);
}
