/* What MATCH does not write (asm/check/warn.h). Measured in 251 compute programs: it writes x and y as a shuffle
 * does, x the predicate that ALL has and y the lanes. MATCH.ANY has no predicate: where x is read the driver loses its
 * context. z and w stay as they were. */
#include "asm/check/warn.h"

void asm_warn_match(struct gp5_program *program, unsigned targets)
{
    if (!(targets & FOR_NVIDIA) || profile_table[program->profile].stage_id != STAGE_COMPUTE)
        return;
    for (uint32_t i = 0; i < program->insns.count; i++) {
        const struct insn *insn = program_insn(program, i);
        if (insn->op != OP_MATCH)
            continue;
        if (insn->dst.mask & 1 && !program_has_modifier(program, insn, MOD_ALL))
            diag_add(&program->diags, DIAG_WARNING, FOR_NVIDIA, program_result_span(program, insn),
                     "MATCH.ANY into x loses the driver's context; the lanes stand in y");
        else if (insn->dst.mask & 12)
            diag_add(&program->diags, DIAG_WARNING, FOR_NVIDIA, program_result_span(program, insn),
                     "MATCH does not write z and w; the lanes stand in y");
    }
}
