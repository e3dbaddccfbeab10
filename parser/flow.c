/* IF and REP blocks and what belongs together: partners (asm/program.h, struct insn). Errors are the checker's. */
#include "parser/context.h"

static void open_block(struct parser *p, uint32_t insn)
{
    size_t index = vec_grow(&p->blocks);
    if (index == SIZE_MAX) {
        p->failed = true;
        return;
    }
    *(struct block *)vec_at(&p->blocks, index) =
        (struct block){insn, NO_INDEX, p->loop, program_insn(p->program, insn)->op};
}

static void later(struct parser *p, uint32_t insn)
{
    uint32_t *jump = parse_push(p, &p->jumps, sizeof *jump);
    if (jump)
        *jump = insn;
}

static struct block *top(const struct parser *p)
{
    return p->blocks.count ? vec_at(&p->blocks, p->blocks.count - 1) : NULL;
}

/* Only while everything is well nested; the first error ends the matching that anybody could use. */
void flow_instruction(struct parser *p, uint32_t index)
{
    struct insn *insn = program_insn(p->program, index);
    struct block *block = top(p);
    switch (insn->op) {
    case OP_IF:
        open_block(p, index);
        break;
    case OP_REP:
    case OP_LOOP:
        open_block(p, index);
        p->loop = index;
        break;
    case OP_ELSE:
        if (block && block->op == OP_IF && block->otherwise == NO_INDEX) {
            block->otherwise = index;
            program_insn(p->program, block->insn)->dst.partner = index;
        }
        break;
    case OP_ENDIF:
        if (block && block->op == OP_IF) {
            if (block->otherwise != NO_INDEX)
                program_insn(p->program, block->otherwise)->dst.partner = index;
            else
                program_insn(p->program, block->insn)->dst.partner = index;
            insn->dst.partner = block->insn;
            p->blocks.count--;
        }
        break;
    case OP_ENDREP:
    case OP_ENDLOOP:
        if (block && block->op == (insn->op == OP_ENDREP ? OP_REP : OP_LOOP)) {
            program_insn(p->program, block->insn)->dst.partner = index;
            insn->dst.partner = block->insn;
            p->blocks.count--;
            p->loop = block->outer_loop;
        }
        break;
    case OP_BRK:
    case OP_CONT:
        insn->dst.partner = p->loop;    /* the REP, until flow_end */
        later(p, index);
        break;
    case OP_CAL: case OP_BRA:
        later(p, index);
        break;
    default:
        break;
    }
}

void flow_end(struct parser *p)
{
    const uint32_t *jumps = p->jumps.data;
    for (size_t i = 0; i < p->jumps.count; i++) {
        struct insn *insn = program_insn(p->program, jumps[i]);
        if ((insn->op == OP_BRK || insn->op == OP_CONT) && insn->dst.partner != NO_INDEX)
            insn->dst.partner = program_insn(p->program, insn->dst.partner)->dst.partner;
        if ((insn->op == OP_CAL || insn->op == OP_BRA) && insn->nsrc == 1) {
            const struct operand *o = program_operand(p->program, insn->src);
            if (o->kind == OPND_LABEL && program_symbol(p->program, o->ref)->defined)
                insn->dst.partner = program_symbol(p->program, o->ref)->instruction;
        }
    }
}
