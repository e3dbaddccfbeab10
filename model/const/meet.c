#include "model/const/meet.h"

#include "model/const/lattice_store.h"

void model_known_set(struct known *k, const struct known *to)
{
    model_known_values_set(k->values, to->values);
    k->copies = k->copies > to->copies ? k->copies : to->copies;
}

bool model_meet(struct meet_point *m, const struct known *way, bool *changed)
{
    if (!m->any) {
        m->any = *changed = model_known_copy(&m->known, way);
        return m->any;
    }
    model_known_meet(&m->known, way, changed);
    return !*way->failed;
}

void meet_point_free(struct meet_point *m)
{
    if (m->any)
        model_known_drop_copy(&m->known);
    m->any = false;
}
