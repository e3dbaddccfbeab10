/* The operations that instructions are in loops: docs/semantics.md, "Contraction". */
#include "tests/slow/maker.h"

#include <stdlib.h>

static uint32_t of_float(unsigned op, uint32_t n)
{
    if (op_compares(op))
        return 2 * n;
    switch (op) {
    case OP_FRC: case OP_XPD: return 2 * n;
    case OP_LRP: return 3 * n;
    case OP_SSG: return 5 * n;
    case OP_DIV: return n + 1;
    default: return n;
    }
}

static uint32_t of_components(const struct insn *insn, uint32_t n)
{
    switch (insn->op) {
    case OP_LDB: case OP_LDS: case OP_LDC: case OP_LOAD: return n + 1;
    case OP_TGBALLOT: case OP_DP2: return 2;
    case OP_DP3: case OP_DP2A: case OP_POW: case OP_PK2H: return 3;
    case OP_DP4: case OP_DPH: return 4;
    case OP_PK4B: return 11;
    case OP_UP4B: case OP_BFE: case OP_BFI: case OP_BTFL: return 2 * n;
    default: break;
    }
    if (insn->op == OP_MOV || (insn->op == OP_ABS && slow_is_float(insn->type) && insn->type != DT_F64))
        return insn->type == DT_F16 && insn->op == OP_ABS ? n : 0;
    if (shape_table[op_table[insn->op].shape].result == RC_SCALAR)
        return 1;
    if (insn->type == DT_F16)
        return 4 * n;
    return insn->type == DT_F32 ? of_float(insn->op, n) : n;
}

static uint32_t cost(const struct insn *insn, uint8_t useful, uint8_t flags)
{
    unsigned components = insn->dst.mask & useful;
    uint32_t n = (uint32_t)__builtin_popcount(components), of;
    if (insn->op == OP_BAR || op_stores(insn->op))
        return 1;
    if (insn->dst.kind == OPND_NONE)
        return 0;
    if (op_shuffles(insn->op))
        return (uint32_t)__builtin_popcount(components & 3);
    if (!n)
        return useful != 0;
    if (insn->op == OP_LIT || insn->op == OP_DST)       /* what is a copy or 1 is none */
        n = (components >> 1 & 1) + (insn->op == OP_LIT && components & 4);
    of = op_compares(insn->op) && flags ? n : of_components(insn, n);     /* flags for a branch: no number is made */
    return of + (condition_restricts(&insn->dst.condition) ? 2 * n : 0);
}

uint32_t *slow_costs(const struct slow_program *p, const uint8_t *useful, const uint8_t *flags)
{
    size_t n = p->text->insns.count;
    uint32_t *costs = calloc(n + 1, sizeof *costs);
    for (uint32_t i = 0; costs && i < n; i++)
        costs[i + 1] = costs[i] + cost(program_insn(p->text, i), useful[i], flags[i]);
    return costs;
}
