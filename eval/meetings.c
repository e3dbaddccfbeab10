#include "eval/meetings.h"

#include <string.h>

void eval_known_set(struct known *k, const struct known *to)
{
    memcpy(k->values, to->values, to->count * sizeof *to->values);
    k->block = (k->block > to->block ? k->block : to->block) + 1;
    k->copies = k->copies > to->copies ? k->copies : to->copies;
}

unsigned eval_known_written(const struct known *k, const struct insn *insn, uint32_t at[8])
{
    const struct result *r = &insn->dst;
    unsigned n = 0;

    for (unsigned c = 0; r->kind != OPND_NONE && c < 4; c++) {
        if (!(r->mask >> c & 1))
            continue;
        if (r->kind == OPND_SYMBOL && k->first[r->ref] != NO_INDEX)
            at[n++] = k->first[r->ref] + c;
        if (insn->cc_update)
            at[n++] = (insn->cc_update - 1u) * 4 + c;
    }
    return n;
}

void eval_known_take(struct known *k, uint32_t at, const struct known *from)
{
    k->values[at] = from ? from->values[at] : (struct known_value){0};
    k->values[at].elsewhere |= from && at >= KNOWN_FLAGS;
}

void eval_known_forget_copies(struct known *k)
{
    for (uint32_t i = 0; i < k->count; i++) {
        k->values[i].copy = k->values[i].definition = 0;
        k->values[i].faint = k->values[i].loose;
        k->values[i].trait = (struct trait){0};
    }
}

bool eval_meet(struct meeting *m, const struct known *way, bool *changed)
{
    if (!m->any) {
        m->any = *changed = eval_known_copy(&m->known, way);
        return m->any;
    }
    for (uint32_t i = 0; i < way->count; i++) {
        const struct known_value *a = &m->known.values[i], *b = &way->values[i];
        bool differs = a->known && !(b->known && a->word == b->word && a->type == b->type);
        *changed |= differs || (a->type && a->type != b->type) || (a->copy && a->copy != b->copy) || (a->known && b->loose && !a->loose) ||
                    (b->may_overflow && !a->may_overflow);
    }
    eval_known_meet(&m->known, way);
    return true;
}

void eval_meeting_free(struct meeting *m)
{
    if (m->any)
        eval_known_drop_copy(&m->known);
    m->any = false;
}
