/* The lines of a program's instructions. */
#include "compare/debug/lines.h"

uint32_t *program_lines(const struct gp5_program *p, size_t before)
{
    uint32_t *lines = gp5_malloc((p->insns.count + 1) * sizeof *lines);
    struct locator locator = { .text = p->text, .size = p->size };

    for (uint32_t i = 0; lines && i < p->insns.count; i++)
        lines[i] = (uint32_t)before + diag_locate_next(&locator, program_insn(p, i)->span.offset).line;
    return lines;
}
