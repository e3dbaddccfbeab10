/* Loops: how often they run, the next iteration, and the end. */
#include "tests/oracle/flow.h"

#include "tests/oracle/scalar_soft.h"

/* REP's count, rounded down; nothing for what is not above 0. */
static uint64_t trips(const struct oracle_program *p, unsigned type, uint64_t bits)
{
    struct soft x;
    __int128 n;
    switch (type) {
    case DT_U32: return p->nvidia && (int32_t)(uint32_t)bits < 0 ? 0 : bits;    /* the driver takes it for signed */
    case DT_S32: return (int32_t)(uint32_t)bits > 0 ? bits : 0;
    case DT_S64: return (int64_t)bits > 0 ? (bits > UINT32_MAX ? UINT32_MAX : bits) : 0;
    case DT_U64: return bits > UINT32_MAX ? UINT32_MAX : bits;
    default:
        x = soft_integral(soft_unpack(bits, oracle_bytes(type) * 8, false), SOFT_DOWN);
        n = soft_to_int(x, 0, UINT32_MAX, 0);
        return (uint64_t)n;
    }
}

bool oracle_repeat(struct oracle_lane *l, const struct insn *insn)
{
    struct oracle_block b = {.pc = l->pc, .loop = true, .endless = insn->nsrc == 0};
    struct oracle_value v[4];
    if (insn->nsrc) {
        unsigned type = oracle_operand_type(insn, 0);
        struct operand o = *program_operand(l->group->program->text, insn->src);
        if (o.kind == OPND_CONSTANT && l->group->program->nvidia)
            o.flags &= (uint16_t)~OPND_NEGATE;      /* docs/semantics.md: a literal's sign is ignored */
        if (!oracle_fetch(l, &o, type, v))
            return oracle_fail(l->group, ORACLE_NOT_EVALUATED, "this count", insn);
        oracle_note_use(l, v[0].undef);
        b.iterations = trips(l->group->program, type, v[0].bits);
    }
    if (b.iterations == 0 && !b.endless) {
        l->pc = insn->dst.partner + 1;
        return true;
    }
    l->pc++;
    return oracle_push(l, insn, b);
}

struct oracle_block *oracle_innermost(struct oracle_lane *l)
{
    return l->depth && l->blocks[l->depth - 1].loop ? &l->blocks[l->depth - 1] : NULL;
}

void oracle_leave_loop(struct oracle_lane *l)
{
    l->pc = oracle_insn_at(l, l->blocks[--l->depth].pc)->dst.partner + 1;
}

bool oracle_next_iteration(struct oracle_lane *l)
{
    struct oracle_block *b = &l->blocks[l->depth - 1];
    b->iteration++;
    if (!b->endless && b->iteration >= b->iterations)
        oracle_leave_loop(l);
    else
        l->pc = b->pc + 1;
    return true;
}
