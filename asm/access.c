/* What an instruction reads and writes (asm/access.h). */
#include "asm/access.h"

enum { X = 1, Y = 2, Z = 4, W = 8, XY = 3, XYZ = 7, XYZW = 15 };

/* Operations that are not made component by component: what they need of their operands. */
static const struct needs {
    uint16_t op;
    uint8_t operand[3];
} needs[] = {
    {OP_DP2, {XY, XY, 0}},      {OP_DP2A, {XY, XY, X}},     {OP_DP3, {XYZ, XYZ, 0}},    {OP_DPH, {XYZ, XYZW, 0}},
    {OP_DST, {Y | Z, Y | W, 0}},{OP_LIT, {X | Y | W, 0, 0}},{OP_NRM, {XYZ, 0, 0}},      {OP_RFL, {XYZ, XYZ, 0}},
    {OP_XPD, {XYZ, XYZ, 0}},    {OP_X2D, {XY, XY, XYZW}},   {OP_PK2H, {XY, 0, 0}},      {OP_PK2US, {XY, 0, 0}},
    {OP_PK64, {XYZW, 0, 0}},    {OP_UP64, {XY, 0, 0}},
};

static const struct needs *find_needs(unsigned op)
{
    for (size_t i = 0; i < sizeof needs / sizeof *needs; i++)
        if (needs[i].op == op)
            return &needs[i];
    return NULL;
}

/* Which components a texture's coordinates take; a level, a bias or a divisor stands in w. */
static uint8_t coordinates(const struct insn *insn)
{
    if (insn->op != OP_TEX && insn->op != OP_TXP && insn->op != OP_TXB && insn->op != OP_TXL)
        return XYZW;
    unsigned target = insn->texture_target;
    bool plain = target == TARGET_1D || target == TARGET_2D || target == TARGET_3D || target == TARGET_CUBE ||
                 target == TARGET_RECT;
    if (!plain)
        return XYZW;
    return (uint8_t)(((1u << target_table[target].coordinates) - 1) | (insn->op == OP_TEX ? 0 : W));
}

/* Whether each component of the result is made of the same component of the operands. */
static bool by_component(const struct insn *insn)
{
    const struct op_info *op = &op_table[insn->op];
    switch ((enum op_shape)op->shape) {
    case SHAPE_V_V: case SHAPE_V_VV: case SHAPE_V_VVV: case SHAPE_V_VS: case SHAPE_V_E:
        /* Shuffles, votes and the like have a mind of their own; where they don't, asking for more does no harm. */
        return op->option == OPTION_NONE && !(op->modifiers & (M_OPERATOR | M_MATCH));
    default:
        return false;
    }
}

/* The components of an operand's value that are needed. */
static uint8_t needed(const struct insn *insn, unsigned i, unsigned class)
{
    if (class == OC_SCALAR || class == OC_OPTIONAL_VECTOR)
        return X;
    const struct needs *special = find_needs(insn->op);
    if (special && i < 3)
        return special->operand[i];
    if ((insn->op == OP_BFE || insn->op == OP_BFI) && i == 0)
        return XY;
    if (by_component(insn))
        return insn->dst.mask;
    if (shape_table[op_table[insn->op].shape].src[0] == OC_VECTOR &&
        shape_table[op_table[insn->op].shape].result == RC_NONE && insn->width)
        return (uint8_t)((1u << insn->width) - 1);
    return op_table[insn->op].modifiers & M_TEX ? coordinates(insn) : XYZW;
}

/* Through the swizzle, to the components of the register. */
static uint8_t through(const struct operand *o, uint8_t value)
{
    uint8_t mask = 0;
    for (unsigned c = 0; c < 4; c++) {
        if (!(value >> c & 1))
            continue;
        if (o->kind != OPND_EXTENDED)
            mask |= (uint8_t)(1u << (o->swizzle >> 2 * c & 3));
        else if ((o->extended[c] & 7) <= SWZ_W)
            mask |= (uint8_t)(1u << (o->extended[c] & 3));
    }
    return mask;
}

static void find_element(const struct gp5_program *program, uint32_t index, unsigned nindices, struct access *access)
{
    for (unsigned i = 0; i < nindices; i++) {
        const struct index *at = program_index(program, index + i);
        if (at->mode == INDEX_CONSTANT)
            access->element = (uint32_t)at->offset;
        else
            access->any_element = true;
    }
}

static unsigned add_indices(const struct gp5_program *program, uint32_t index, unsigned nindices, struct access *reads,
                            unsigned count)
{
    for (unsigned i = 0; i < nindices && count < MOST_READS; i++) {
        const struct index *at = program_index(program, index + i);
        if (at->mode == INDEX_RELATIVE && at->register_kind == OPND_SYMBOL)
            reads[count++] = (struct access){
                .symbol = at->reg, .mask = (uint8_t)(1u << at->component), .element = at->element.value,
                .span = at->register_span};
    }
    return count;
}

unsigned asm_reads(const struct gp5_program *program, const struct insn *insn, struct access reads[MOST_READS])
{
    unsigned count = 0;
    const struct shape_info *shape = &shape_table[op_table[insn->op].shape];
    for (unsigned i = 0; i < insn->nsrc; i++) {
        const struct operand *o = program_operand(program, insn->src + i);
        unsigned class = i < 4 ? shape->src[i] : OC_NONE;
        bool variable = o->kind == OPND_SYMBOL || o->kind == OPND_HANDLE ||
                        (o->kind == OPND_EXTENDED && o->base_kind == OPND_SYMBOL);
        if (variable && count < MOST_READS) {
            uint8_t value = o->kind == OPND_HANDLE ? X : needed(insn, i, class);
            struct access access = {.symbol = o->ref, .mask = through(o, value), .span = o->span};
            find_element(program, o->index, o->nindices, &access);
            reads[count++] = access;
        }
        count = add_indices(program, o->index, o->nindices, reads, count);
    }
    return add_indices(program, insn->dst.index, insn->dst.nindices, reads, count);
}

bool asm_writes(const struct gp5_program *program, const struct insn *insn, struct access *write, bool *always)
{
    if (insn->dst.kind != OPND_SYMBOL)
        return false;
    *write = (struct access){.symbol = insn->dst.ref, .mask = insn->dst.mask, .span = insn->dst.span};
    find_element(program, insn->dst.index, insn->dst.nindices, write);
    *always = !condition_restricts(&insn->dst.condition) && !write->any_element;
    return true;
}

bool asm_has_effect(const struct insn *insn)
{
    const struct op_info *op = &op_table[insn->op];
    const struct shape_info *shape = &shape_table[op->shape];
    return shape->result == RC_NONE || insn->cc_update || op->modifiers & (M_ATOMIC | M_COUNTER);
}
