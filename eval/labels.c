/* What a label does to who runs into it. By the text each returns. To the driver one that nothing calls is not there in the main program,
 * and returns in a subroutine (tests/questions2.txt, label_not_called, fall_out_of_sub). */
#include "eval/labels.h"

#include <string.h>

enum { CALLED = 1, NOT_CALLED = 2 };

uint32_t eval_labels(const struct gp5_program *p, bool nvidia, uint8_t *label)
{
    uint32_t n = (uint32_t)p->insns.count, entry = 0;
    bool in_main = true;

    memset(label, 0, n + 1);
    for (uint32_t i = 0; i < p->symbols.count; i++) {
        const struct symbol *s = program_symbol(p, i);
        if (s->kind != SYM_LABEL || !s->defined || s->instruction > n)
            continue;
        label[s->instruction] |= s->uses || s->numbered || !nvidia ? CALLED : NOT_CALLED;
        if (!strcmp(s->name, "main"))
            entry = s->instruction;
    }
    for (uint32_t i = 0; i <= n; i++) {
        if (label[i] & CALLED)
            in_main = false;
        if (i == entry)
            in_main = true;
        label[i] = label[i] & CALLED || (label[i] && !in_main);
    }
    return entry;
}
