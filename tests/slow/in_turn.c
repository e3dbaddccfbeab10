/* 64-bit results that set flags under a test of several components: computed in turns, those that one component is
 * tested for together, from what the turns before left (docs/numbers.md, "Condition codes"). */
#include "tests/slow/plan.h"

static uint8_t swizzle_of(const struct condition *test)
{
    return test->nswizzle ? test->swizzle : 0xe4;
}

void slow_find_turns(struct slow_program *p)
{
    unsigned n = 0;
    for (uint32_t i = 0; i < p->text->insns.count; i++) {
        const struct insn *insn = program_insn(p->text, i);
        const struct condition *test = &insn->dst.condition;
        p->divides |= (insn->op == OP_DIV || insn->op == OP_MOD) && (insn->type == DT_S64 || insn->type == DT_U64);
        n += condition_restricts(test) && insn->cc_update == (test->cc & 1) + 1 && swizzle_of(test) != 0xe4;
    }
    p->in_turn = n == 1;
}

static bool is_this_variable(const struct slow_program *p, const struct insn *insn, const struct operand *o)
{
    const struct result *r = &insn->dst;
    if (o->kind != OPND_SYMBOL || r->kind != OPND_SYMBOL || o->ref != r->ref || o->nindices != r->nindices)
        return false;
    if (!o->nindices)
        return true;
    const struct index *a = program_index(p->text, o->index), *b = program_index(p->text, r->index);
    return o->nindices == 1 && a->mode == INDEX_CONSTANT && b->mode == INDEX_CONSTANT && a->offset == b->offset;
}

/* Scalars as well, but where the compiler has a subroutine for it. */
static bool is_read_in_turn(const struct insn *insn, unsigned n)
{
    bool scalar = shape_table[op_table[insn->op].shape].src[n] == OC_SCALAR, divides = insn->op == OP_RCP || insn->op == OP_DIV;
    if ((insn->op == OP_DIV || insn->op == OP_MOD) && insn->type != DT_F64)
        return false;
    return !scalar || (divides && insn->type == DT_F64) || insn->op == OP_SHL || insn->op == OP_SHR;
}

bool slow_operand_is_turned(const struct slow_program *p, const struct insn *insn, unsigned n, unsigned c)
{
    bool wide = insn->dst.kind == OPND_SYMBOL && program_symbol(p->text, insn->dst.ref)->size == SIZE_LONG;
    const struct operand *o = program_operand(p->text, insn->src + n);
    bool scalar = shape_table[op_table[insn->op].shape].src[n] == OC_SCALAR;
    unsigned read = o->swizzle >> (scalar ? 0 : 2 * c) & 3;
    if (!wide || slow_looks_at_no_test(p, insn) || slow_bytes(insn->type) != 8 || (insn->op == OP_CVT && slow_bytes(insn->type2) != 8) || insn->nsrc > 3 || !slow_tests_others(p, insn))
        return false;
    return is_this_variable(p, insn, o) && is_read_in_turn(insn, n) && insn->dst.mask >> read & 1 &&
           slow_turn_of(insn, read) < slow_turn_of(insn, c);
}

bool slow_reads_turn(const struct slow_program *p, const struct insn *insn, unsigned c)
{
    for (unsigned n = 0; n < insn->nsrc; n++)
        if (slow_operand_is_turned(p, insn, n, c))
            return true;
    return false;
}

bool slow_computes_in_turn(const struct slow_lane *l, const struct insn *insn)
{
    bool reads = false;
    for (unsigned c = 0; c < 4; c++)
        reads |= insn->dst.mask >> c & 1 && slow_reads_turn(l->group->program, insn, c);
    return reads;
}
