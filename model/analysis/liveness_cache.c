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

static bool analyse(struct model *d, struct liveness *l)
{
    size_t n = d->p->insns.count + (size_t)1;
    uint8_t *leader = arena_alloc(&l->arena, n);
    bool ok;

    l->p = d->p;
    l->d = d;
    l->nvidia = d->nvidia;
    l->first_var = arena_alloc(&l->arena, (l->p->symbols.count + 1) * sizeof *l->first_var);
    l->block = arena_alloc(&l->arena, n * sizeof *l->block);
    l->start = arena_alloc(&l->arena, (n + 1) * sizeof *l->start);
    l->region = arena_alloc(&l->arena, n * sizeof *l->region);
    l->behind_call = arena_alloc(&l->arena, n);
    l->useful = arena_alloc(&l->arena, n);
    l->label = arena_alloc(&l->arena, n);
    l->flags = arena_alloc(&l->arena, n);
    if (l->arena.failed)
        return model_out_of_memory(d);
    number_variables(l);
    model_find_blocks(l, leader, NULL);
    ok = model_solve_liveness(d, l);
    if (ok && model_has_dead_end(l)) {
        model_find_blocks(l, leader, l->useful);
        ok = model_solve_liveness(d, l);
    }
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
    model_live_free_sets(l);
    arena_free(&l->arena);
    gp5_free(l);
    d->live = NULL;
}
