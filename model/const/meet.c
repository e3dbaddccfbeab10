#include "model/const/meet.h"

#include "model/const/lattice_store.h"

void eval_known_set(struct known *k, const struct known *to)
{
    eval_known_values_set(k->values, to->values);
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
    struct known_value value = from ? *eval_known_at(from, at) : (struct known_value){0};

    value.elsewhere |= from && at >= KNOWN_FLAGS;
    eval_known_put(k, at, value);
}

void eval_known_forget_copies(struct known *k)
{
    eval_known_values_part(k->values);
}

bool eval_meet(struct meet_point *m, const struct known *way, bool *changed)
{
    if (!m->any) {
        m->any = *changed = eval_known_copy(&m->known, way);
        return m->any;
    }
    eval_known_meet(&m->known, way, changed);
    return !*way->failed;
}

void meet_point_free(struct meet_point *m)
{
    if (m->any)
        eval_known_drop_copy(&m->known);
    m->any = false;
}
