/* The subroutines that a launch chooses for CALI (ARB_shader_subroutine, what it says of NV_gpu_program5). */
#include "eval/machine/subroutine_bind.h"

#include <stdio.h>
#include <string.h>

static bool is_of_type(const struct gp5_program *p, const char *type, uint32_t number)
{
    for (uint32_t k = 0; k < p->symbols.count; k++) {
        const struct symbol *s = program_symbol(p, k);
        for (uint32_t i = 0; s->kind == SYM_SUBROUTINE_TYPE && !strcmp(s->name, type) && i < s->nbindings; i++) {
            const struct symbol *label = program_symbol(p, program_operand(p, s->binding + i)->ref);
            if (label->numbered && label->number == number)
                return true;
        }
    }
    return false;
}

/* The parameters of a variable, called or not. */
static bool check_variable(const struct run *run, const struct symbol *s, uint64_t *most, char *text, size_t size)
{
    const struct gp5_program *p = run->x->program;
    const char *type = program_symbol(p, s->instruction)->name;

    for (uint32_t i = 0; i < s->nbindings; i++) {
        const struct binding *b = program_binding(p, s->binding + i);
        uint64_t first = b->nindices ? b->first[0] : 0, last = b->nindices && b->range[0] ? b->last[0] : first;
        *most = last + 1 > *most ? last + 1 : *most;
        for (uint64_t n = first; n <= last && n < run->launch->nsubroutines; n++)
            if (!is_of_type(p, type, run->launch->subroutines[n])) {
                snprintf(text, size, "program.subroutine[%llu] is %u, which is no number of a subroutine of type %s",
                         (unsigned long long)n, run->launch->subroutines[n], type);
                return false;
            }
    }
    return true;
}

/* ProgramSubroutineParametersuivNV takes as many numbers as the program has parameters, and all of their types. */
bool eval_check_subroutines(const struct run *run, char *text, size_t size)
{
    const struct gp5_program *p = run->x->program;
    uint64_t most = 0;

    for (uint32_t i = 0; i < p->symbols.count && run->launch->nsubroutines; i++)
        if (program_symbol(p, i)->kind == SYM_SUBROUTINE &&
            !check_variable(run, program_symbol(p, i), &most, text, size))
            return false;
    if (most && run->launch->nsubroutines != most) {
        snprintf(text, size, "%zu subroutines are chosen, and the program has %llu", run->launch->nsubroutines,
                 (unsigned long long)most);
        return false;
    }
    for (uint32_t i = 0; i < run->x->nchosen; i++)
        if (!run->x->chosen[i].n) {
            snprintf(text, size, "a call of a subroutine of type %s, which has none",
                     program_symbol(p, run->x->chosen[i].type)->name);
            return false;
        }
    return true;
}

/* The step that a parameter calls; if nothing was chosen the last of its type (measured), which tracking reports
 * (shadow.c). */
static uint32_t resolve(const struct run *run, const struct chosen *c)
{
    const struct callee *callees = run->x->callees + c->first;

    for (uint32_t i = 0; i < c->n && c->parameter < run->launch->nsubroutines; i++)
        if (callees[i].numbered && callees[i].number == run->launch->subroutines[c->parameter])
            return callees[i].step;
    return callees[c->n - 1].step;
}

bool eval_map_subroutines(struct run *run)
{
    run->called = gp5_malloc((run->x->nchosen + 1u) * sizeof *run->called);
    for (uint32_t i = 0; run->called && i < run->x->nchosen; i++)
        run->called[i] = resolve(run, &run->x->chosen[i]);
    return run->called != NULL;
}
