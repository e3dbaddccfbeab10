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

static void find_phases(struct liveness *l)
{
    uint32_t n = (uint32_t)l->p->insns.count;

    l->phase[n] = n;
    for (uint32_t i = n; i--;)
        l->phase[i] = model_form(l->d, i) == FORM_PHASE ? i : l->phase[i + 1];
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
    l->phase = gp5_malloc((n + 1) * sizeof *l->phase);
    return l->phase && l->region && l->flags && l->label && l->first_var && l->block && l->start && l->behind_call &&
           l->useful;
}

/* Whether some test for a carry is known, which shows what else nobody needs, though the machine looks at the flags. */
static bool knows_carries(const struct liveness *l)
{
    bool any = false;

    for (uint32_t i = 0; i < l->p->insns.count && !any; i++) {
        uint8_t passing, fails = eval_known_carry(program_insn(l->p, i), model_folded_at(l->d, i), &passing);
        any = passing | fails;
    }
    return any;
}

/* Whether some test is known, by which a product's flags may be asked for by nobody. */
static bool knows_tests(const struct liveness *l)
{
    bool any = false;

    for (uint32_t i = 0; i < l->p->insns.count && !any; i++) {
        const struct folded *folded = model_folded_at(l->d, i);
        any = folded && (folded->passes | folded->fails || folded->outcome != OUTCOME_TESTED);
    }
    return any && l->nvidia;
}

/* Solves it once more as `sharp` says, and keeps what that finds apart. */
static bool solve_apart(struct model *d, struct liveness *l, uint8_t sharp, const uint8_t *found, uint8_t **kept)
{
    size_t n = d->p->insns.count + 1;

    *kept = gp5_malloc(n);
    if (!*kept)
        return model_out_of_memory(d);
    l->sharp = sharp;
    if (!eval_solve_liveness(d, l))
        return false;
    memcpy(*kept, found, n);
    return true;
}

static bool analyse(struct model *d, struct liveness *l)
{
    uint8_t *leader;
    bool ok, again, tests;

    l->p = d->p;
    l->d = d;
    l->nvidia = d->nvidia;
    leader = gp5_malloc(d->p->insns.count + 1);
    if (!leader || !allocate(l)) {
        gp5_free(leader);
        return model_out_of_memory(d);
    }
    number_variables(l);
    find_phases(l);
    eval_find_blocks(l, leader, NULL);
    again = knows_carries(l);
    tests = knows_tests(l);
    l->sharp = again ? SHARP_CARRIES : SHARP_NONE;
    ok = eval_solve_liveness(d, l);
    if (ok && eval_has_dead_end(l)) {
        eval_find_blocks(l, leader, l->useful);
        again = true;
    }
    if (ok && tests)
        ok = again = solve_apart(d, l, SHARP_KNOWN, l->flags, &l->asked);   /* nor are any that are known */
    l->sharp = SHARP_NONE;
    if (ok && again)
        ok = eval_solve_liveness(d, l);
    gp5_free(leader);
    return ok && (eval_find_called_writes(l) || model_out_of_memory(d));
}

struct liveness *eval_liveness(struct model *d)
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
        eval_liveness_forget(d);
    return d->live;
}

void eval_liveness_forget(struct model *d)
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
    gp5_free(l->asked);
    gp5_free(l->region);
    gp5_free(l->phase);
    eval_live_free_sets(l);
    eval_free_called_writes(l);
    gp5_free(l);
    d->live = NULL;
}
