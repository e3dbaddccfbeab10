/* What a label does to who runs into it: it returns. To the driver the only label of a program is not there when
 * nothing calls it (tests/recordings/patterns/questions2.txt, label_not_called, fall_out_of_sub;
 * tests/recordings/patterns/questions3.txt, label_*). */
#include "asm/label.h"

#include <string.h>

uint32_t eval_labels(const struct gp5_program *p, bool nvidia, uint8_t *label)
{
    uint32_t n = (uint32_t)p->insns.count, entry = 0, labels = 0, called = 0;

    memset(label, 0, n + 1);
    for (uint32_t i = 0; i < p->symbols.count; i++) {
        const struct symbol *s = program_symbol(p, i);
        if (s->kind != SYM_LABEL || !s->defined || s->instruction > n)
            continue;
        labels++;
        called += s->uses || s->numbered;
        label[s->instruction] = 1;
        if (!strcmp(s->name, "main"))
            entry = s->instruction;
    }
    if (nvidia && labels == 1 && !called)
        memset(label, 0, n + 1);
    return entry;
}
