/* Registers that hold one number wherever they index: a MOV of a literal that every run passes first, and no other number in what runs. */
#include "tests/slow/internal.h"

#include <stdlib.h>
#include <string.h>

/* docs/semantics.md: the only label, and nothing calls it */
static bool has_labels(const struct gp5_program *p)
{
    uint32_t labels = 0, called = 0;
    for (uint32_t i = 0; i < p->symbols.count; i++) {
        const struct symbol *s = program_symbol(p, i);
        labels += s->kind == SYM_LABEL && s->defined && s->instruction <= p->insns.count;
        called += s->kind == SYM_LABEL && s->defined && (s->uses || s->numbered);
    }
    return labels > 1 || called;
}

static uint32_t start_of(const struct gp5_program *p)
{
    for (uint32_t i = 0; i < p->symbols.count; i++) {
        const struct symbol *s = program_symbol(p, i);
        if (s->kind == SYM_LABEL && s->defined && s->instruction <= p->insns.count && !strcmp(s->name, "main"))
            return s->instruction;
    }
    return 0;
}

/* From a label, or the start, to the next label. */
static void run_through(struct slow_addresses *a, uint32_t at)
{
    for (bool first = true; at < a->p->insns.count && !a->runs[at] && (first || !a->label[at]); at++, first = false) {
        a->runs[at] = true;
        a->more = true;
    }
}

bool slow_addresses_find(struct slow_addresses *a, const struct gp5_program *p)
{
    size_t n = p->insns.count;
    *a = (struct slow_addresses){.p = p, .start = start_of(p), .runs = calloc(n + 1, sizeof *a->runs), .label = calloc(n + 1, sizeof *a->label)};
    if (!a->runs || !a->label)
        return false;
    for (uint32_t i = 0; i < p->symbols.count && has_labels(p); i++) {
        const struct symbol *s = program_symbol(p, i);
        if (s->kind == SYM_LABEL && s->defined && s->instruction <= n)
            a->label[s->instruction] = true;
    }
    run_through(a, a->start);
    while (a->more) {
        a->more = false;
        for (uint32_t i = 0; i < n; i++) {
            const struct insn *insn = program_insn(p, i);
            if (a->runs[i] && insn->op == OP_CAL)
                run_through(a, insn->partner);
            for (uint32_t k = 0; a->runs[i] && insn->op == OP_CALI && k < n; k++)
                if (a->label[k])
                    run_through(a, k);
        }
    }
    return true;
}

void slow_addresses_forget(struct slow_addresses *a)
{
    free(a->runs);
    free(a->label);
}

/* What a MOV of a literal integer leaves in component c. */
static bool literal(const struct gp5_program *p, const struct insn *insn, unsigned c, uint32_t *number)
{
    const struct operand *o = program_operand(p, insn->src);
    const struct slow_program of = {.text = p};
    if (insn->op != OP_MOV || (insn->type != DT_U32 && insn->type != DT_S32) || insn->flags & (INSN_SAT | INSN_SSAT) ||
        condition_restricts(&insn->dst.condition) || insn->dst.nindices || o->kind != OPND_CONSTANT || o->nindices || operand_has_sign(o))
        return false;
    *number = (uint32_t)slow_literal(&of, o, o->swizzle >> 2 * c & 3, insn->type);
    return true;
}

static bool flows(const struct insn *insn)
{
    return op_flows(insn->op) || insn->op == OP_KIL;
}

/* Where all that runs passes first: the MOV before any flow. NO_INDEX: component c of the register is not one number. */
static uint32_t set_at(const struct slow_addresses *a, uint32_t reg, unsigned c, uint32_t *number)
{
    uint32_t at = NO_INDEX, value;
    bool straight = true;
    for (uint32_t i = a->start; i < a->p->insns.count; i++) {
        const struct insn *insn = program_insn(a->p, i);
        straight &= a->runs[i] && !flows(insn);
        if (!a->runs[i] || insn->dst.kind != OPND_SYMBOL || insn->dst.ref != reg || (insn->op == OP_MOV && !(insn->dst.mask >> c & 1)))
            continue;
        if (!literal(a->p, insn, c, &value) || (at == NO_INDEX ? !straight : value != *number))
            return NO_INDEX;
        *number = value;
        at = at == NO_INDEX ? i : at;
    }
    for (uint32_t i = 0; i < a->start; i++) {
        const struct insn *insn = program_insn(a->p, i);
        if (a->runs[i] && insn->dst.kind == OPND_SYMBOL && insn->dst.ref == reg && (insn->op != OP_MOV || insn->dst.mask >> c & 1) &&
            (!literal(a->p, insn, c, &value) || value != *number))
            return NO_INDEX;
    }
    return at;
}

bool slow_address(const struct slow_addresses *a, const struct index *x, uint32_t insn, uint32_t size, uint32_t *element)
{
    const struct symbol *s = x->mode == INDEX_RELATIVE && x->register_kind == OPND_SYMBOL ? program_symbol(a->p, x->reg) : NULL;
    uint32_t number = 0, at;
    int64_t names;
    if (!s || s->kind != SYM_TEMP || s->array || s->size != SIZE_DEFAULT || x->element.used)
        return false;
    at = set_at(a, x->reg, x->component, &number);
    names = (int64_t)(int32_t)number + x->offset;
    if (at == NO_INDEX || (insn >= a->start && insn <= at) || names < 0 || names >= size)
        return false;
    *element = (uint32_t)names;
    return true;
}
