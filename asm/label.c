/* What a label does to who runs into it: it returns, but where BRA names it. In the older dialects whoever runs into a
 * label goes on (NV_vertex_program2 2.14.5), which is not asked of the driver. To the driver the only label of a
 * program is not there when nothing calls it (tests/recordings/patterns/questions2.txt, label_not_called,
 * fall_out_of_sub; tests/recordings/patterns/questions3.txt, label_*). */
#include "asm/label.h"

#include <string.h>

bool eval_has_branches(const struct gp5_program *p)
{
    for (uint32_t i = 0; i < p->insns.count; i++)
        if (program_insn(p, i)->op == OP_BRA)
            return true;
    return false;
}

uint32_t eval_labels(const struct gp5_program *p, bool nvidia, uint8_t *label)
{
    uint32_t n = (uint32_t)p->insns.count, entry = 0, labels = 0, called = 0;

    bool goes_on = !nvidia && profile_in(p->profile, AVP2 | AVP3 | VP20);

    memset(label, LABEL_NONE, n + 1);
    for (uint32_t i = 0; i < p->symbols.count; i++) {
        const struct symbol *s = program_symbol(p, i);
        if (s->kind != SYM_LABEL || !s->defined || s->instruction > n)
            continue;
        labels++;
        called += s->uses || s->numbered;
        label[s->instruction] = goes_on ? LABEL_GOES_ON : LABEL_RETURNS;
        if (!strcmp(s->name, "main"))
            entry = s->instruction;
    }
    if (nvidia && labels == 1 && !called)
        memset(label, LABEL_NONE, n + 1);
    for (uint32_t i = 0; i < n; i++)
        if (program_insn(p, i)->op == OP_BRA && program_insn(p, i)->dst.partner <= n)
            label[program_insn(p, i)->dst.partner] = LABEL_GOES_ON;
    return entry;
}
