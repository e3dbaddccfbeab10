/* A main program that runs into a subroutine (asm/check/warn.h): nothing called it there, so it has nowhere to return
 * to. */
#include "asm/check/warn.h"

#include <string.h>

/* The first label behind an instruction; NULL when there is none. */
static const struct symbol *next_label(const struct gp5_program *program, uint32_t from)
{
    const struct symbol *next = NULL;

    for (uint32_t i = 0; i < program->symbols.count; i++) {
        const struct symbol *s = program_symbol(program, i);
        if (s->kind == SYM_LABEL && s->defined && s->instruction > from &&
            (!next || s->instruction < next->instruction))
            next = s;
    }
    return next;
}

static uint32_t entry(const struct gp5_program *program)
{
    for (uint32_t i = 0; i < program->symbols.count; i++) {
        const struct symbol *s = program_symbol(program, i);
        if (s->kind == SYM_LABEL && s->defined && !strcmp(s->name, "main"))
            return s->instruction;
    }
    return 0;
}

void asm_warn_calls(struct gp5_program *program, unsigned targets)
{
    uint32_t from = entry(program);
    const struct symbol *label = next_label(program, from);

    /* Measured in compute programs; elsewhere labels are branched to as well. */
    if (!(targets & FOR_NVIDIA) || profile_table[program->profile].stage_id != STAGE_COMPUTE || !label ||
        (!label->uses && !label->numbered))
        return;
    for (uint32_t i = from; i < label->instruction; i++)
        if (program_insn(program, i)->op == OP_RET)
            return;
    diag_add(&program->diags, DIAG_WARNING, targets & FOR_NVIDIA, label->span,
             "the main program runs into %s, which is called: the driver hangs; a RET in front of it ends the program",
             label->name);
}
