/* What instructions cost in loops: the operations that the driver's compiler makes of them. Each row was measured by
 * how much else fits into the body of a loop that has copies (tests/recordings/patterns/loops.txt, cost_*); what nobody
 * reads costs nothing, what has no row one operation a component. */
#include "asm/facts.h"
#include "model/const/cost.h"

struct row { uint8_t once, each; };     /* operations, and for each component that is read */

static struct row float_row(unsigned op)
{
    switch (op) {
    case OP_MOV: case OP_ABS: return (struct row){0, 0};
    case OP_FRC: case OP_SEQ: case OP_SNE: case OP_SLT: case OP_SLE: case OP_SGT: case OP_SGE:
    case OP_XPD: return (struct row){0, 2};
    case OP_LRP: return (struct row){0, 3};
    case OP_SSG: return (struct row){0, 5};
    case OP_DIV: return (struct row){1, 1};
    default: return (struct row){0, 1};
    }
}

static struct row row_of(const struct insn *insn)
{
    switch (insn->op) {
    case OP_LDB: case OP_LDS: case OP_LDC: case OP_LOAD: return (struct row){1, 1};
    case OP_TGBALLOT: case OP_DP2: return (struct row){2, 0};
    case OP_DP3: case OP_DP2A: case OP_POW: case OP_PK2H: return (struct row){3, 0};
    case OP_DP4: case OP_DPH: return (struct row){4, 0};
    case OP_PK4B: return (struct row){11, 0};
    case OP_UP4B: case OP_BFE: case OP_BFI: case OP_BTFL: return (struct row){0, 2};
    default: break;
    }
    if (shape_table[op_table[insn->op].shape].result == RC_SCALAR)
        return (struct row){1, 0};
    if (insn->type == DT_F16 && insn->op != OP_MOV && insn->op != OP_ABS)
        return (struct row){0, 4};
    if (insn->type == DT_F32 || insn->op == OP_MOV)
        return float_row(insn->op);
    if (insn->type == DT_F64 && (op_compares(insn->op) || insn->op == OP_CMP))
        return (struct row){0, insn->op == OP_CMP ? 2 : 3};
    return (struct row){0, 1};
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

    if (!(wide || floats) || insn->op == OP_CVT || insn->op == OP_PK64 || insn->op == OP_UP64 || insn->op == OP_SHL ||
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

static bool is_load(unsigned op)
{
    return op == OP_LDB || op == OP_LDS || op == OP_LDC || op == OP_LOAD;
}

uint32_t eval_cost(const struct gp5_program *p, const struct insn *insn, uint8_t useful, uint8_t flags)
{
    uint8_t components = insn->dst.mask & useful;
    uint32_t n = (uint32_t)__builtin_popcount(components);
    struct row row;

    if (insn->op == OP_BAR || op_stores(insn->op))
        return 1;
    if (insn->dst.kind == OPND_NONE)
        return 0;
    if (op_shuffles(insn->op))
        return (uint32_t)__builtin_popcount(components & 3);
    if (!n)
        return useful != 0;
    if (insn->op == OP_DST || insn->op == OP_LIT)       /* 1.0 and copies */
        n = (uint32_t)__builtin_popcount(components & (insn->op == OP_DST ? 2 : 6));
    row = row_of(insn);
    if (op_compares(insn->op) && flags)     /* for a branch: no number is made of it */
        row = (struct row){0, 1};
    return row.once + row.each * n + (is_load(insn->op) ? 0 : conversions(p, insn, components)) +
           (condition_restricts(&insn->dst.condition) ? type_table[insn->type].bytes == 8 ? n : 2 * n : 0);
}
