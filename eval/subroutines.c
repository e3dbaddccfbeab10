/* CALI: subroutines that the application chooses (ARB_shader_subroutine, what it says of NV_gpu_program5). */
#include "eval/subroutines.h"

#include "eval/decode.h"
#include "eval/sources.h"

#include <stdio.h>

/* ---- decoding ------------------------------------------------------------------------------------------ */

/* The labels of a subroutine type, once a program. */
static bool callees_of(struct decoder *d, uint32_t type, struct chosen *to)
{
    const struct symbol *s = program_symbol(d->p, type);

    for (uint32_t i = 0; i < d->chosen.count; i++) {
        const struct chosen *known = vec_at(&d->chosen, i);
        if (known->type == type) {
            to->first = known->first;
            to->n = known->n;
            return true;
        }
    }
    to->first = (uint32_t)d->callees.count;
    for (uint32_t i = 0; i < s->nbindings; i++) {
        const struct symbol *label = program_symbol(d->p, program_operand(d->p, s->binding + i)->ref);
        struct callee c = {.numbered = label->numbered, .number = label->number, .step = label->instruction};
        if (eval_push(d, &d->callees, &c) == NO_INDEX)
            return false;
    }
    to->n = s->nbindings;
    return true;
}

static bool choose(struct decoder *d, const struct operand *o, const struct symbol *s, uint64_t element)
{
    struct chosen c = {.type = s->instruction};
    uint32_t at = 0;
    const struct binding *b = eval_element_binding(d, s, element, &at);

    if (!b || !b->nindices)
        return eval_refuse(d, o->span, "element %llu of %s", (unsigned long long)element, s->name);
    c.parameter = b->first[0] + at;
    return callees_of(d, c.type, &c) && eval_push(d, &d->chosen, &c) != NO_INDEX;
}

/* One element of the variable, or all that an index chooses among. */
static bool choices(struct decoder *d, const struct operand *o, struct indirect *call)
{
    const struct symbol *s = o->kind == OPND_SYMBOL ? program_symbol(d->p, o->ref) : NULL;
    const struct index *index = o->nindices ? program_index(d->p, o->index) : NULL;
    uint64_t from = 0;

    if (!s || s->kind != SYM_SUBROUTINE || o->nindices > 1)
        return eval_refuse(d, o->span, "this kind of call");
    call->elements = 1;
    if (index && index->mode == INDEX_RELATIVE) {
        call->elements = s->array_size;
        call->offset = index->offset;
        if (!eval_fetch_index(d, index, &call->index))
            return false;
    } else if (index) {
        from = (uint64_t)index->offset;
    }
    for (uint32_t i = 0; i < call->elements; i++)
        if (!choose(d, o, s, from + i))
            return false;
    return true;
}

bool eval_decode_indirect(struct decoder *d, const struct insn *insn)
{
    struct indirect call = {.first = (uint32_t)d->chosen.count, .index = NO_PLANE};
    struct test test;
    struct step *s;
    uint32_t ref;

    if (!choices(d, program_operand(d->p, insn->src), &call) || !eval_decode_test(d, &insn->condition, &test))
        return false;
    ref = eval_push(d, &d->indirects, &call);
    if (ref == NO_INDEX)
        return false;
    if (d->nesting + 1 > d->deepest)
        d->deepest = d->nesting + 1;
    s = eval_step(d, STEP_CALI);
    if (!s)
        return false;
    s->test = test;
    s->ref = ref;
    return eval_step(d, STEP_NEXT_CALLEE) != NULL;
}

/* ---- a launch ------------------------------------------------------------------------------------------ */

static const char *type_name(const struct gp5_executable *x, const struct chosen *c)
{
    return program_symbol(x->program, c->type)->name;
}

/* The step that a parameter calls; without parameters the first of the type, which tracking reports (track.c). */
static bool resolve(const struct run *run, const struct chosen *c, uint32_t *step, char *text, size_t size)
{
    const struct gp5_executable *x = run->x;
    const struct gp5_launch *launch = run->launch;
    const struct callee *callees = x->callees + c->first;

    *step = c->n ? callees[0].step : NO_STEP;
    if (!launch->nsubroutines && c->n)
        return true;
    if (c->parameter >= launch->nsubroutines) {
        snprintf(text, size, "program.subroutine[%u] is called and not given", c->parameter);
        return false;
    }
    for (uint32_t i = 0; i < c->n; i++)
        if (callees[i].numbered && callees[i].number == launch->subroutines[c->parameter]) {
            *step = callees[i].step;
            return true;
        }
    snprintf(text, size, "program.subroutine[%u] is %u, which is no number of a subroutine of type %s", c->parameter,
             launch->subroutines[c->parameter], type_name(x, c));
    return false;
}

bool eval_check_subroutines(const struct run *run, char *text, size_t size)
{
    uint32_t step;

    for (uint32_t i = 0; i < run->x->nchosen; i++)
        if (!resolve(run, &run->x->chosen[i], &step, text, size))
            return false;
    return true;
}

bool eval_map_subroutines(struct run *run)
{
    char text[240];

    run->called = gp5_malloc((run->x->nchosen + 1u) * sizeof *run->called);
    for (uint32_t i = 0; run->called && i < run->x->nchosen; i++)
        resolve(run, &run->x->chosen[i], &run->called[i], text, sizeof text);
    return run->called != NULL;
}
