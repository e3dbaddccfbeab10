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
    if (insn->type == DT_F64 && (op_compares(insn->op) || insn->op == OP_CMP))
        return op_compares(insn->op) ? 3 * n : 2 * n;
    return insn->type == DT_F32 ? of_float(insn->op, n) : n;
}

/* Whether operations of this kind have operands of their own size: those of 64 bits, and on floats. */
static bool resizes(const struct insn *insn)
{
    switch (insn->op) {
    case OP_CVT: case OP_PK64: case OP_UP64: case OP_SHL: case OP_SHR: case OP_LDB: case OP_LDS: case OP_LDC: case OP_LOAD: return false;
    default: return !op_is_atomic(insn->op) && !op_votes(insn->op) && (slow_is_float(insn->type) || slow_bytes(insn->type) == 8);
    }
}

/* What becomes 64 bits or a single first: components of registers, each once an operand; and floats that are written. */
static uint32_t of_sizes(const struct slow_program *p, const struct insn *insn, unsigned components)
{
    bool wide = slow_bytes(insn->type) == 8;
    uint32_t n = 0;
    if (!resizes(insn))
        return 0;
    for (unsigned k = 0; k < insn->nsrc; k++) {
        const struct operand *o = program_operand(p->text, insn->src + k);
        unsigned taken = slow_reads(p, insn, k, (uint8_t)components);
        if (o->kind == OPND_CONSTANT || program_is_long(p->text, o->kind, o->ref) == wide)
            continue;
        for (unsigned from = 0; from < 4; from++) {
            bool any = false;
            for (unsigned c = 0; c < 4; c++)
                any |= taken >> c & 1 && (o->swizzle >> 2 * c & 3) == from;
            n += any;
        }
    }
    if (slow_is_float(insn->type) && program_is_long(p->text, insn->dst.kind, insn->dst.ref) != wide)
        n += (uint32_t)__builtin_popcount(components);
    return n;
}

static uint32_t cost(const struct slow_program *p, const struct insn *insn, uint8_t useful, uint8_t flags)
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
    return of + of_sizes(p, insn, components) + (condition_restricts(&insn->dst.condition) ? (slow_bytes(insn->type) == 8 ? n : 2 * n) : 0);
}

uint32_t *slow_costs(const struct slow_program *p, const uint8_t *useful, const uint8_t *flags)
{
    size_t n = p->text->insns.count;
    uint32_t *costs = calloc(n + 1, sizeof *costs);
    for (uint32_t i = 0; costs && i < n; i++)
        costs[i + 1] = costs[i] + cost(p, program_insn(p->text, i), useful[i], flags[i]);
    return costs;
}
