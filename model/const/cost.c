/* What instructions cost in loops: the operations that the driver's compiler makes of them. Each row was measured by
 * how much else fits into the body of a loop that has copies (tests/recordings/patterns/loops.txt, cost_*); what nobody
 * reads costs nothing, what has no row one operation a component. */
#include "asm/facts.h"
#include "model/const/cost.h"

/* Operations, and for each component that is read: isa.def's, but of halves and of comparisons of doubles. */
static struct op_cost cost_of(const struct insn *insn)
{
    struct op_cost cost = op_table[insn->op].cost;

    if (shape_table[op_table[insn->op].shape].result == RC_SCALAR || !(cost.single || (!cost.once && cost.each == 1)))
        return cost;
    if (insn->type == DT_F16 && !op_has(insn->op, A_COPIES))
        return (struct op_cost){.each = 4};
    if (insn->type == DT_F64 && (op_compares(insn->op) || insn->op == OP_CMP))
        return (struct op_cost){.each = insn->op == OP_CMP ? 2 : 3};
    return cost.single && insn->type != DT_F32 ? (struct op_cost){.each = 1} : cost;
}

/* The components of operand k that those of the result are made of. */
static uint8_t read_components(const struct gp5_program *p, const struct insn *insn, unsigned k, uint8_t components)
{
    const struct operand *o = program_operand(p, insn->src + k);
    uint8_t reads = 0, from = 0;

    for (unsigned c = 0; c < 4; c++)
        reads |= components >> c & 1 ? eval_component_reads(insn->op, k, c) : 0;
    for (unsigned c = 0; c < 4; c++)
        from |= (uint8_t)((reads >> c & 1u) << (o->swizzle >> 2 * c & 3));
    return from;
}

/* What operands and results have to become: a register of 32 bits 64 to operations on these, a LONG one a single to
 * those on singles; and a result. */
static uint32_t conversions(const struct gp5_program *p, const struct insn *insn, uint8_t components)
{
    bool wide = type_table[insn->type].bytes == 8, floats = type_table[insn->type].is_float;
    uint32_t n = 0;

    if (!(wide || floats) || insn->op == OP_CVT || op_has(insn->op, A_PAIRS) || insn->op == OP_SHL ||
        insn->op == OP_SHR || op_is_atomic(insn->op) || op_votes(insn->op))
        return 0;
    for (unsigned k = 0; k < insn->nsrc; k++) {
        const struct operand *o = program_operand(p, insn->src + k);
        if (o->kind == OPND_CONSTANT || program_is_long(p, o->kind, o->ref) == wide)
            continue;
        n += (uint32_t)__builtin_popcount(read_components(p, insn, k, components));
    }
    if (floats && program_is_long(p, insn->dst.kind, insn->dst.ref) != wide)
        n += (uint32_t)__builtin_popcount(components);
    return n;
}

uint32_t model_cost(const struct gp5_program *p, const struct insn *insn, uint8_t useful, uint8_t flags)
{
    uint8_t components = insn->dst.mask & useful;
    uint32_t n = (uint32_t)__builtin_popcount(components);
    struct op_cost cost;

    if (insn->dst.kind == OPND_NONE)
        return shape_table[op_table[insn->op].shape].result == RC_NONE ? op_table[insn->op].cost.once : 0;
    if (op_shuffles(insn->op))
        return (uint32_t)__builtin_popcount(components & 3);
    if (!n)
        return useful != 0;
    if (insn->op == OP_DST || insn->op == OP_LIT)       /* 1.0 and copies */
        n = (uint32_t)__builtin_popcount(components & (insn->op == OP_DST ? 2 : 6));
    cost = cost_of(insn);
    if (op_compares(insn->op) && flags)     /* for a branch: no number is made of it */
        cost = (struct op_cost){.each = 1};
    return cost.once + cost.each * n + (op_loads(insn->op) ? 0 : conversions(p, insn, components)) +
           (condition_restricts(&insn->dst.condition) ? type_table[insn->type].bytes == 8 ? n : 2 * n : 0);
}
