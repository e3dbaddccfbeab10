/* Blocks, loops and labels. */
#include "asm/check/check_internal.h"

#include <string.h>

static struct flow_block *top(const struct flow *flow)
{
    return flow->blocks.count ? vec_at(&flow->blocks, flow->blocks.count - 1) : NULL;
}

static void open_block(struct checker *c, struct flow *flow, const struct insn *insn, uint32_t index)
{
    size_t at = vec_grow(&flow->blocks);
    if (at == SIZE_MAX) {
        c->program->diags.failed = true;
        return;
    }
    *(struct flow_block *)vec_at(&flow->blocks, at) = (struct flow_block){index, insn->op, false, insn->nsrc > 0};
    flow->loops += insn->op != OP_IF;
}

static void close_block(struct flow *flow)
{
    flow->loops -= top(flow)->op != OP_IF;
    flow->blocks.count--;
}

static const char *opener_of(const struct flow_block *block)
{
    return !block ? NULL : block->op == OP_REP ? "REP" : block->op == OP_LOOP ? "LOOP" : "IF";
}

static const char *named(const struct flow_block *block)
{
    return block->op == OP_REP ? "a REP" : block->op == OP_LOOP ? "a LOOP" : "an IF";
}

/* Errors of flow are reported when the whole statement was read: at the token behind it. */
static void flow_error(struct checker *c, unsigned targets, const struct insn *insn, const struct flow_block *block,
                       const char *what)
{
    struct diag *d = check_error(c, targets, insn_name(insn), "%s %s", op_table[insn->op].name, what);
    check_position(d, check_next_token(c, span_end(insn->span)));
    if (block)
        diag_hint(d, "the innermost open block is %s", named(block));
}

/* In fragment programs with NV_fragment_program2 a loop's count is a constant. */
static void check_count(struct checker *c, const struct insn *insn)
{
    if (c->typed)
        return;
    const struct operand *o = insn->nsrc ? program_operand(c->program, insn->src) : NULL;
    bool constant = o && (o->kind == OPND_CONSTANT ||
                          (o->kind == OPND_SYMBOL && program_symbol(c->program, o->ref)->kind == SYM_PARAM) ||
                          (o->kind == OPND_BINDING &&
                           binding_table[program_binding(c->program, o->ref)->kind].class == BC_PARAM));
    if (!constant)
        flow_error(c, FOR_ALL, insn, NULL, "takes a constant or a parameter");
}

/* What FSIB and FSIE are about begins once and ends once, outside of all blocks. */
static void check_interlock(struct checker *c, const struct flow *flow, const struct insn *insn)
{
    bool begins = insn->op == OP_FSIB;
    if (flow->blocks.count)
        flow_error(c, FOR_ALL, insn, vec_at(&flow->blocks, flow->blocks.count - 1), "stands inside a block");
    else if (begins && c->interlock != INTERLOCK_NONE)
        flow_error(c, FOR_ALL, insn, NULL, "for the second time: a program has one");
    else if (!begins && c->interlock != INTERLOCK_OPEN)
        flow_error(c, FOR_ALL, insn, NULL, c->interlock == INTERLOCK_NONE ? "without an FSIB before it"
                                                                          : "for the second time: a program has one");
    if (c->in_subroutine)
        flow_error(c, FOR_SPEC, insn, NULL, "stands in a subroutine");
    c->interlock = begins ? INTERLOCK_OPEN : INTERLOCK_DONE;
}

void check_flow(struct checker *c, struct flow *flow, const struct insn *insn)
{
    struct flow_block *block = top(flow);
    uint32_t index = (uint32_t)(insn - program_insn(c->program, 0));
    switch (insn->op) {
    case OP_REP:
    case OP_LOOP:
        c->index_loops += insn->op == OP_LOOP;
        check_count(c, insn);
        /* fall through */
    case OP_IF:
        open_block(c, flow, insn, index);
        break;
    case OP_ELSE:
        if (!block || block->op != OP_IF)
            flow_error(c, FOR_ALL, insn, block, "without an IF");
        else if (block->otherwise)
            flow_error(c, FOR_ALL, insn, NULL, "for the second time in one IF");
        else
            block->otherwise = true;
        break;
    case OP_ENDIF:
        if (!block || block->op != OP_IF)
            flow_error(c, FOR_ALL, insn, block, "without an IF");
        else
            close_block(flow);
        break;
    case OP_ENDLOOP:
        if (!block || block->op != OP_LOOP)
            flow_error(c, FOR_ALL, insn, block, "without a LOOP");
        else {
            c->index_loops--;
            close_block(flow);
        }
        break;
    case OP_ENDREP:
        if (!block || block->op != OP_REP) {
            flow_error(c, FOR_ALL, insn, block, "without a REP");
        } else {
            if (!block->leaves)
                flow_error(c, FOR_ALL, insn, NULL, "closes a loop that nothing ends: no count, no BRK, no RET");
            close_block(flow);
        }
        break;
    case OP_FSIB:
    case OP_FSIE:
        check_interlock(c, flow, insn);
        break;
    case OP_BRK:
    case OP_CONT:
        if (!flow->loops)
            flow_error(c, insn->op == OP_BRK ? FOR_ALL : FOR_SPEC, insn, NULL, "outside of any loop");
        /* fall through */
    case OP_RET:
        if (insn->op != OP_CONT)
            for (size_t i = flow->blocks.count; i-- > 0;) {
                struct flow_block *around = vec_at(&flow->blocks, i);
                around->leaves = true;
                if (around->op != OP_IF && insn->op == OP_BRK)
                    break;
            }
        break;
    default:
        break;
    }
}

void check_label(struct checker *c, const struct flow *flow, const struct statement *statement)
{
    const struct flow_block *block = top(flow);
    c->in_subroutine = strcmp(program_symbol(c->program, statement->ref)->name, "main") != 0;
    if (block)
        diag_hint(check_error(c, FOR_ALL, program_symbol(c->program, statement->ref)->span,
                              "no label may stand inside a block"),
                  "the innermost open block is %s", named(block));
}

void check_flow_end(struct checker *c, struct flow *flow, uint32_t position)
{
    const struct flow_block *block = top(flow);
    if (!block && c->options & INTERLOCK_OPTIONS && c->interlock != INTERLOCK_DONE)
        diag_hint(check_error(c, FOR_ALL, (struct span){position, 0},
                              "the program has no %s, which its interlock option asks for",
                              c->interlock == INTERLOCK_NONE ? "FSIB and FSIE" : "FSIE"),
                  "a program with this option has one FSIB, and one FSIE behind it");
    if (!block)
        return;
    const struct insn *insn = program_insn(c->program, block->insn);
    struct diag *d = check_error(c, FOR_ALL, insn_name(insn), "this %s has no %s", opener_of(block),
                                 block->op == OP_REP ? "ENDREP" : block->op == OP_LOOP ? "ENDLOOP" : "ENDIF");
    check_position(d, position);
}
