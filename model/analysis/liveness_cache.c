/* What is wanted where in a whole program, made by the first who asks and kept until the program is another one. */
#include "model/const/lattice.h"
#include "model/state.h"
#include "model/analysis/liveness.h"
#include "model/analysis/cfg.h"
#include "model/analysis/liveness_solve.h"

#include <string.h>

static void number_variables(struct liveness *l)
{
    l->nvars = 4 * CONDITION_CODES;
    for (uint32_t i = 0; i < l->p->symbols.count; i++) {
        const struct symbol *s = program_symbol(l->p, i);
        l->first_var[i] = NO_INDEX;
        if (s->kind != SYM_TEMP || s->array)
            continue;
        l->first_var[i] = l->nvars;
        l->nvars += 4;
    }
}

static bool allocate(struct liveness *l)
{
    size_t n = l->p->insns.count;

    l->first_var = gp5_malloc((l->p->symbols.count + 1) * sizeof *l->first_var);
    l->block = gp5_malloc((n + 1) * sizeof *l->block);
    l->start = gp5_malloc((n + 2) * sizeof *l->start);
    l->behind_call = gp5_malloc(n + 1);
    l->useful = gp5_malloc(n + 1);
    l->label = gp5_malloc(n + 1);
    l->flags = gp5_malloc(n + 1);
    l->region = gp5_malloc((n + 1) * sizeof *l->region);
    return l->region && l->flags && l->label && l->first_var && l->block && l->start && l->behind_call &&
           l->useful;
}

static bool analyse(struct model *d, struct liveness *l)
{
    uint8_t *leader;
    bool ok;

    l->p = d->p;
    l->d = d;
    l->nvidia = d->nvidia;
    leader = gp5_malloc(d->p->insns.count + 1);
    if (!leader || !allocate(l)) {
        gp5_free(leader);
        return model_out_of_memory(d);
    }
    number_variables(l);
    model_find_blocks(l, leader, NULL);
    ok = model_solve_liveness(d, l);
    if (ok && model_has_dead_end(l)) {
        model_find_blocks(l, leader, l->useful);
        ok = model_solve_liveness(d, l);
    }
    gp5_free(leader);
    return ok;
}

struct liveness *model_liveness(struct model *d)
{
    if (d->live)
        return d->live;
    d->live = gp5_malloc(sizeof *d->live);
    if (!d->live) {
        model_out_of_memory(d);
        return NULL;
    }
    memset(d->live, 0, sizeof *d->live);
    if (!analyse(d, d->live))
        model_liveness_forget(d);
    return d->live;
}

void model_liveness_forget(struct model *d)
{
    struct liveness *l = d->live;

    if (!l)
        return;
    gp5_free(l->first_var);
    gp5_free(l->block);
    gp5_free(l->start);
    gp5_free(l->behind_call);
    gp5_free(l->useful);
    gp5_free(l->label);
    gp5_free(l->flags);
    gp5_free(l->region);
    model_live_free_sets(l);
    gp5_free(l);
    d->live = NULL;
}
