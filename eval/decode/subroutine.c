/* CALI: subroutines that the application chooses (ARB_shader_subroutine, what it says of NV_gpu_program5). */
#include "eval/decode/subroutine.h"

#include "eval/decode/decode.h"
#include "eval/decode/variables.h"

#include <stdio.h>
#include <string.h>

/* ---- decoding ------------------------------------------------------------------------------------------ */

/* The labels of a subroutine type, once a program. */
static bool callees_of(struct decoder *d, uint32_t type, struct chosen *to)
{
    const char *name = program_symbol(d->p, type)->name;

    for (uint32_t i = 0; i < d->chosen.count; i++) {
        const struct chosen *known = vec_at(&d->chosen, i);
        if (known->type == type) {
            to->first = known->first;
            to->n = known->n;
            return true;
        }
    }
    to->first = (uint32_t)d->callees.count;
    for (uint32_t k = 0; k < d->p->symbols.count; k++) {     /* a type grows with each declaration of its name */
        const struct symbol *s = program_symbol(d->p, k);
        for (uint32_t i = 0; s->kind == SYM_SUBROUTINE_TYPE && !strcmp(s->name, name) && i < s->nbindings; i++) {
            const struct symbol *label = program_symbol(d->p, program_operand(d->p, s->binding + i)->ref);
            struct callee c = {.numbered = label->numbered, .number = label->number, .step = label->instruction};
            if (eval_push(d, &d->callees, &c) == NO_INDEX)
                return false;
        }
    }
    to->n = (uint32_t)d->callees.count - to->first;
    return true;
}

static bool choose(struct decoder *d, const struct operand *o, const struct symbol *s, uint64_t element)
{
    struct chosen c = {.type = s->instruction};
    uint32_t at = 0;
    const struct binding *b = eval_element_binding(d->p, s, element, &at);

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

/* The driver's CALI as a loop's last instruction, under a test: who does not pass it leaves the loop (docs/semantics.md, "Divergence"). */
static bool ends_loop(const struct decoder *d, const struct insn *insn)
{
    return d->x->options.semantics == GP5_SEMANTICS_NVIDIA && condition_restricts(&insn->condition) && insn->condition.rule != CC_FL &&
           d->insn + 1 < d->p->insns.count && program_insn(d->p, d->insn + 1)->op == OP_ENDREP && eval_form(d, d->insn + 1) != FORM_KNOWN;
}

bool eval_decode_indirect(struct decoder *d, const struct insn *insn)
{
    struct indirect call = {.first = (uint32_t)d->chosen.count, .index = NO_PLANE, .ends_loop = ends_loop(d, insn)};
    struct step *s;
    uint32_t ref;

    if (!choices(d, program_operand(d->p, insn->src), &call))
        return false;
    ref = eval_push(d, &d->indirects, &call);
    if (ref == NO_INDEX)
        return false;
    if (d->nesting + 1 > d->deepest)
        d->deepest = d->nesting + 1;
    s = eval_step(d, STEP_CALI);
    if (!s)
        return false;
    s->test = eval_test_of_flow(d, insn);
    s->ref = ref;
    return eval_step(d, STEP_NEXT_CALLEE) != NULL;
}

/* ---- a launch ------------------------------------------------------------------------------------------ */

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
        if (program_symbol(p, i)->kind == SYM_SUBROUTINE && !check_variable(run, program_symbol(p, i), &most, text, size))
            return false;
    if (most && run->launch->nsubroutines != most) {
        snprintf(text, size, "%zu subroutines are chosen, and the program has %llu", run->launch->nsubroutines, (unsigned long long)most);
        return false;
    }
    for (uint32_t i = 0; i < run->x->nchosen; i++)
        if (!run->x->chosen[i].n) {
            snprintf(text, size, "a call of a subroutine of type %s, which has none", program_symbol(p, run->x->chosen[i].type)->name);
            return false;
        }
    return true;
}

/* The step that a parameter calls; if nothing was chosen the last of its type (measured), which tracking reports (shadow.c). */
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
