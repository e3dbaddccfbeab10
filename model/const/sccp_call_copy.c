/* Copies that the main program made before a call, as subroutines know them (struct known_value, `outside`). */
#include "model/state.h"
#include "model/const/sccp.h"

#include <stdlib.h>

/* A value that is a copy of another in the main program. */
struct copy {
    uint32_t number, at;
};

static int by_copy(const void *a, const void *b)
{
    const struct copy *x = a, *y = b;

    return x->number != y->number ? (x->number > y->number) - (x->number < y->number)
                                  : (x->at > y->at) - (x->at < y->at);
}

static void add_copies(struct unroller *u, const struct list *list, struct vec *copies)
{
    for (uint32_t i = 0; i < list->n; i++) {    /* flags are no copies */
        struct copy copy = {eval_known_at(&u->known, list->at[i])->copy, list->at[i]};
        if (copy.number)
            u->failed |= model_push(u->d, copies, &copy) == NO_INDEX;
    }
}

static void name(const struct copy *one, const struct copy *as, struct known *to)
{
    struct known_value value = *eval_known_at(to, one->at);

    value.outside = as->at + 1;
    eval_known_put(to, one->at, value);
}

/* What they look at that main has copied is known to be the same there, by the number of the first of it: those of
 * copies change as the walk goes on. */
void eval_give_copies(struct unroller *u, struct known *to)
{
    struct vec copies;

    vec_init(&copies, sizeof(struct copy));
    for (size_t at = 0; at < u->called->count; at++) {
        const struct part *part = &u->parts[*(uint32_t *)vec_at(u->called, at)];
        add_copies(u, &part->written, &copies);
        add_copies(u, &part->read, &copies);
    }
    if (copies.count)
        qsort(copies.data, copies.count, sizeof(struct copy), by_copy);
    for (size_t k = 1, first = 0; k < copies.count; k++) {
        const struct copy *one = vec_at(&copies, k), *as = vec_at(&copies, first);
        if (one->number != as->number) {
            first = k;
            continue;
        }
        if (k == first + 1)
            name(as, as, to);
        name(one, as, to);
    }
    vec_free(&copies);
}
