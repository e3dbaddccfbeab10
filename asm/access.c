/* What an instruction reads and writes (asm/access.h). */
#include "asm/access.h"
#include "asm/facts.h"

enum { X = 1, W = 8, XYZW = 15 };

/* Which components a texture's coordinates take; a level, a bias or a divisor stands in w. */
static uint8_t coordinates(const struct insn *insn)
{
    if (!op_is(insn->op, K_SAMPLE) || insn->op == OP_TXD)
        return XYZW;
    unsigned target = insn->texture_target;
    bool plain = target == TARGET_1D || target == TARGET_2D || target == TARGET_3D || target == TARGET_CUBE ||
                 target == TARGET_RECT;
    if (!plain)
        return XYZW;
    return (uint8_t)(((1u << target_table[target].coordinates) - 1) | (insn->op == OP_TEX ? 0 : W));
}

/* The components of an operand's value that are needed: of what computes within a lane, and of what isa.def says it of
 * besides, those that the components written are made of, as far as they are defined. */
static uint8_t needed(const struct insn *insn, unsigned i, unsigned class)
{
    uint8_t components = 0;

    if (class == OC_SCALAR || class == OC_OPTIONAL_VECTOR)
        return X;
    if (class == OC_EXTENDED)
        return insn->dst.mask;
    if (op_is(insn->op, K_LANES | K_VOTE | K_INTERPOLATION)) {
        for (unsigned c = 0; c < 4; c++)
            if (insn->dst.mask & op_table[insn->op].gives & 1u << c)
                components |= eval_component_reads(insn->op, i, c);
        return components;
    }
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
        else if ((operand_selector(o, c) & 7) <= SWZ_W)
            mask |= (uint8_t)(1u << (operand_selector(o, c) & 3));
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
    *write = (struct access){
        .symbol = insn->dst.ref, .mask = insn->dst.mask, .span = program_result_span(program, insn)};
    find_element(program, insn->dst.index, insn->dst.nindices, write);
    *always = !condition_restricts(&insn->dst.condition) && !write->any_element;
    return true;
}

bool asm_has_effect(const struct insn *insn)
{
    const struct op_info *op = &op_table[insn->op];
    const struct shape_info *shape = &shape_table[op->shape];
    return shape->result == RC_NONE || insn->cc_update || op_is_atomic(insn->op);
}
