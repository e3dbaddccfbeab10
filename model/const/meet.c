#include "model/const/meet.h"

#include "model/const/lattice_store.h"

void eval_known_set(struct known *k, const struct known *to)
{
    eval_known_values_set(k->values, to->values);
    k->copies = k->copies > to->copies ? k->copies : to->copies;
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
