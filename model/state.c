#include "model/state.h"

#include <string.h>

bool model_out_of_memory(struct model *m)
{
    m->failed = true;
    return false;
}

uint32_t model_push(struct model *m, struct vec *v, const void *element)
{
    size_t at = vec_grow(v);

    if (at == SIZE_MAX) {
        model_out_of_memory(m);
        return NO_INDEX;
    }
    memcpy(vec_at(v, at), element, v->element);
    return (uint32_t)at;
}
