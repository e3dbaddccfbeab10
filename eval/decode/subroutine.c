/* CALI: subroutines that the application chooses (ARB_shader_subroutine, what it says of NV_gpu_program5). */
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

/* The driver's CALI as a loop's last instruction, under a test: who does not pass it leaves the loop
 * (docs/semantics.md, "Divergence"). */
static bool ends_loop(const struct decoder *d, const struct insn *insn)
{
    return d->x->options.semantics == GP5_SEMANTICS_NVIDIA && condition_restricts(&insn->condition) &&
           insn->condition.rule != CC_FL && d->insn + 1 < d->p->insns.count &&
           program_insn(d->p, d->insn + 1)->op == OP_ENDREP && eval_form(d, d->insn + 1) != FORM_KNOWN;
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
