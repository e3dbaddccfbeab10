/* Lists of instructions by variable: each is gone over twice, first to count what its parts will have. */
#include "model/analysis/var_list.h"

#include "model/ir/bsearch.h"

#include <string.h>

struct list_filling {
    struct variable_list *to;
    uint32_t *last;             /* of each variable: the instruction that stands at the end of its part so far, and 1 */
    bool fill;
};

void model_list_variable(struct list_filling *f, uint32_t i, uint32_t variable)
{
    if (variable == NO_INDEX || f->last[variable] == i + 1)
        return;
    f->last[variable] = i + 1;
    if (f->fill)
        f->to->list[f->to->first[variable + 1]] = i;
    f->to->first[variable + 1]++;       /* each part ends where the next one begins */
}

bool model_fill_list(const struct liveness *l, struct variable_list *to,
                     void (*one)(struct list_filling *f, const struct liveness *l, uint32_t i))
{
    size_t n = l->nvars;
    struct list_filling f = {to, gp5_malloc((n + 1) * sizeof *f.last), false};

    to->list = NULL;
    to->first = gp5_malloc((n + 2) * sizeof *to->first);
    if (f.last && to->first) {
        memset(f.last, 0, (n + 1) * sizeof *f.last);
        memset(to->first, 0, (n + 2) * sizeof *to->first);
        for (uint32_t i = 0; i < l->p->insns.count; i++)
            one(&f, l, i);
        to->list = gp5_malloc(((size_t)model_lengths_to_places(to->first, l->nvars) + 1) * sizeof *to->list);
        memset(f.last, 0, (n + 1) * sizeof *f.last);
    }
    f.fill = true;
    for (uint32_t i = 0; to->list && i < l->p->insns.count; i++)
        one(&f, l, i);
    gp5_free(f.last);
    return to->list != NULL;
}

void model_list_free(struct variable_list *v)
{
    gp5_free(v->first);
    gp5_free(v->list);
}

uint32_t model_last_before(const struct variable_list *v, uint32_t variable, uint32_t place)
{
    uint32_t begin = v->first[variable], at = model_first_from(v->list + begin, v->first[variable + 1] - begin, place);

    return at ? v->list[begin + at - 1] : NO_INDEX;
}
