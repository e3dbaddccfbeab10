/* BRA that no blocks can say: the program's blocks get numbers, and a loop runs the one whose turn it is. What falls
 * through to the next block, and what jumps ahead, need no new round. Calls remember where they came from; one that
 * finds no room for that ends the program. */
#include "asm/label.h"
#include "translate/translate.h"

enum { CALL_DEPTH = 32 };

static bool leaves(unsigned op)
{
    return op == OP_BRA || op == OP_CAL || op == OP_RET;
}

/* The number of each block that begins at an instruction, from 1; 0 elsewhere. */
static bool number_blocks(struct tr *t)
{
    size_t n = t->p->insns.count;
    uint32_t next = 1;

    t->blocks = arena_alloc(&t->arena, (n + 1) * sizeof *t->blocks);
    if (!t->blocks)
        return false;
    for (uint32_t i = 0; i < t->p->symbols.count; i++) {
        const struct symbol *s = program_symbol(t->p, i);
        if (s->kind == SYM_LABEL && s->defined && s->instruction <= n)
            t->blocks[s->instruction] = 1;
    }
    for (uint32_t i = 0; i < n; i++)
        if (leaves(program_insn(t->p, i)->op))
            t->blocks[i + 1] = 1;
    if (n)
        t->blocks[0] = 1;
    for (uint32_t i = 0; i <= n; i++)
        if (t->blocks[i])
            t->blocks[i] = next++;
    t->end_block = t->blocks[n] ? t->blocks[n] : next;
    t->blocks[n] = t->end_block;
    return true;
}

void tr_open_blocks(struct tr *t)
{
    uint32_t first = 1;

    if (!number_blocks(t))
        return;
    for (uint32_t i = 0; i < t->p->symbols.count; i++)
        if (t->entry && t->symbols[i].name == t->entry)
            first = t->blocks[program_symbol(t->p, i)->instruction];
    t->out = &t->body;
    t->depth = 1;
    tr_line(t, "int gp5_next = %u, gp5_calls[%d], gp5_called = 0;", first, CALL_DEPTH);
    tr_line(t, "while (gp5_next != %u) {", t->end_block);
}

static void close_block(struct tr *t)
{
    t->depth = 2;
    tr_line(t, "}");
}

static const char *block_of(struct tr *t, const struct insn *insn)
{
    const struct symbol *s = program_symbol(t->p, program_operand(t->p, insn->src)->ref);

    return tr_text(t, "gp5_next = %u;", t->blocks[s->defined ? s->instruction : t->p->insns.count]);
}

static void leave(struct tr *t, const struct insn *insn, uint32_t i)
{
    const char *what;

    if (insn->op == OP_BRA)
        what = block_of(t, insn);
    else if (insn->op == OP_CAL)
        what = tr_text(t, "{ if (gp5_called < %d) { gp5_calls[gp5_called++] = %u; %s } "
                          "else gp5_next = %u; }", CALL_DEPTH, t->blocks[i + 1], block_of(t, insn), t->end_block);
    else
        what = tr_text(t, "{ if (gp5_called > 0) { gp5_called--; gp5_next = gp5_calls[gp5_called]; } "
                          "else gp5_next = %u; }", t->end_block);
    if (insn->condition.rule == CC_FL)
        return;
    if (condition_restricts(&insn->condition))
        tr_line(t, "if (%s) %s", tr_test_any(t, &insn->condition), what);
    else
        tr_line(t, "%s", what);
}

void tr_numbered(struct tr *t, uint32_t i)
{
    const struct insn *insn = program_insn(t->p, i);

    if (!t->blocks)
        return;
    t->insn = insn;
    t->where = insn->span;
    if (t->blocks[i]) {
        if (i)
            close_block(t);
        t->depth = 2;
        tr_line(t, "if (gp5_next == %u) {", t->blocks[i]);
        t->depth = 3;
        /* Where it goes on unless a jump says else. */
        uint32_t next = i + 1;
        while (next < t->p->insns.count && !t->blocks[next])
            next++;
        tr_line(t, "gp5_next = %u;", t->blocks[next]);
    }
    t->depth = 3;
    if (leaves(insn->op))
        leave(t, insn, i);
    else if (!tr_stage_instruction(t, insn))
        tr_instruction(t, insn);
}

void tr_close_blocks(struct tr *t)
{
    if (t->p->insns.count)
        close_block(t);
    t->depth = 1;
    tr_line(t, "}");
}
