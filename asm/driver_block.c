#include "asm/driver_block.h"
#include "asm/arena.h"

#include <string.h>

/* Whether a result's flags may say that something was carried or overflowed. */
static bool may_carry(const struct insn *insn)
{
    return !type_table[insn->type].is_float && !op_has(insn->op, A_BITWISE | A_COMPARES);
}

static bool is_relative(const struct gp5_program *p, uint32_t first, unsigned n)
{
    for (unsigned k = 0; k < n; k++)
        if (program_index(p, first + k)->mode == INDEX_RELATIVE)
            return true;
    return false;
}

bool eval_block_ends_new(struct block_ends *e, const struct gp5_program *p)
{
    *e = (struct block_ends){.indexed = gp5_malloc(2 * (p->symbols.count + 1u)), .symbols = (uint32_t)p->symbols.count};
    if (!e->indexed)
        return false;
    memset(e->indexed, 0, 2 * (p->symbols.count + 1u));
    e->read = e->indexed + p->symbols.count + 1;
    for (uint32_t i = 0; i < p->indices.count; i++)
        if (program_index(p, i)->mode == INDEX_RELATIVE && program_index(p, i)->register_kind == OPND_SYMBOL)
            e->read[program_index(p, i)->reg] = 1;
    for (uint32_t i = 0; i < p->operands.count; i++) {
        const struct operand *o = program_operand(p, i);
        uint8_t kind = o->kind == OPND_EXTENDED ? o->base_kind : o->kind;
        if (kind == OPND_SYMBOL || kind == OPND_HANDLE)
            e->read[o->ref] = 1;
        if (kind == OPND_SYMBOL && is_relative(p, o->index, o->nindices))
            e->indexed[o->ref] = 1;
    }
    for (uint32_t i = 0; i < p->insns.count; i++) {
        const struct insn *insn = program_insn(p, i);
        if (insn->dst.kind == OPND_SYMBOL && is_relative(p, insn->dst.index, insn->dst.nindices))
            e->indexed[insn->dst.ref] = 1;
        if (insn->cc_update && may_carry(insn))
            e->carries[insn->cc_update - 1] = true;
    }
    return true;
}

bool eval_sets_flags_alone(const struct gp5_program *p, const struct insn *insn, const struct block_ends *e)
{
    const struct result *r = &insn->dst;

    return insn->cc_update && r->kind == OPND_SYMBOL && r->ref < e->symbols &&
           program_symbol(p, r->ref)->kind == SYM_TEMP && !e->read[r->ref];
}

void eval_block_ends_free(struct block_ends *e)
{
    gp5_free(e->indexed);
    e->indexed = NULL;
}

/* Whether the compiler knows that a test passes because nothing carries. */
static bool passes_always(const struct condition *test, const struct block_ends *e)
{
    return (test->rule == CC_NCF || test->rule == CC_NOF) && !e->carries[test->cc & 1];
}

/* An element of an array that the text indexes by a register. */
static bool is_reached(const struct insn *insn, const struct block_ends *e)
{
    return insn->dst.kind == OPND_SYMBOL && insn->dst.ref < e->symbols && e->indexed[insn->dst.ref];
}

/* A write under a test is a jump over it where it loads or comes to memory, or sets flags. */
bool eval_jumps_over(const struct insn *insn, const struct block_ends *e)
{
    const struct condition *test = &insn->dst.condition;

    if (!condition_restricts(test) || insn->cc_update)
        return condition_restricts(test);
    if (test->rule == CC_FL || is_reached(insn, e))
        return test->rule != CC_FL;
    switch (insn->op) {
    case OP_LDS: case OP_ATOMS: case OP_LOAD: case OP_ATOM: return !passes_always(test, e);
    default: return false;
    }
}

/* Integers of 64 bits are divided, and roots of doubles taken, by a call; it comes behind the test. */
bool eval_calls_itself(const struct insn *insn)
{
    if (op_has(insn->op, A_DIVIDES))
        return insn->type == DT_S64 || insn->type == DT_U64;
    return insn->op == OP_RSQ && insn->type == DT_F64;
}

/* Buffers, images and counters have a bound to look at. */
bool eval_ends_block(const struct insn *insn)
{
    const uint8_t *src = shape_table[op_table[insn->op].shape].src;

    if (op_flows(insn->op))
        return !op_has(insn->op, A_JUMPS) || insn->condition.rule != CC_FL;
    return src[0] == OC_STORAGE || src[1] == OC_STORAGE ||
           op_is(insn->op, K_COUNTER | K_IMAGE_LOAD | K_IMAGE_ATOMIC | K_FENCE) || eval_calls_itself(insn);
}
