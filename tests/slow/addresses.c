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

/* The end of the side that an IF (TR) or IF (FL), or the ELSE of such a one, leaves out; or the place itself. */
static uint32_t behind_side(const struct slow_addresses *a, uint32_t at)
{
    const struct gp5_program *p = a->p;
    const struct insn *insn = program_insn(p, at);
    if (insn->op == OP_IF && insn->condition.rule == CC_FL && insn->partner < p->insns.count)
        return insn->partner;
    for (uint32_t i = 0; insn->op == OP_ELSE && insn->partner < p->insns.count && i < at; i++) {
        const struct insn *other = program_insn(p, i);
        if (other->op == OP_IF && other->partner == at && !condition_restricts(&other->condition))
            return insn->partner;
    }
    return at;
}

/* From a label, or the start, to the next label. */
static void run_through(struct slow_addresses *a, uint32_t at)
{
    for (bool first = true; at < a->p->insns.count && !a->runs[at] && (first || !a->label[at]); at++, first = false) {
        uint32_t on;
        a->runs[at] = true;
        a->more = true;
        on = behind_side(a, at);
        if (on != at && program_insn(a->p, on)->op == OP_ELSE)
            a->runs[on] = true;         /* what its other side does */
        at = on != at && program_insn(a->p, on)->op != OP_ELSE ? on - 1 : on;
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
    for (a->end = a->start + 1; a->end < n && !a->label[a->end]; a->end++)
        ;
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

/* The outermost loop of the main program around an instruction, or itself. */
static uint32_t loop_around(const struct slow_addresses *a, uint32_t at)
{
    for (uint32_t i = a->start; i < at; i++) {
        const struct insn *insn = program_insn(a->p, i);
        if (insn->op == OP_REP && insn->partner != NO_INDEX && insn->partner > at)
            return i;
    }
    return at;
}

/* Where all that runs passes first: the MOV before any flow. NO_INDEX: component c of the register is not one number where instruction `use` reads it. */
static uint32_t set_at(const struct slow_addresses *a, uint32_t use, uint32_t reg, unsigned c, uint32_t *number)
{
    uint32_t at = NO_INDEX, value;
    bool straight = true;
    for (uint32_t i = a->start; i < a->p->insns.count; i++) {
        const struct insn *insn = program_insn(a->p, i);
        straight &= a->runs[i] && !flows(insn);
        if (!a->runs[i] || insn->dst.kind != OPND_SYMBOL || insn->dst.ref != reg || (insn->op == OP_MOV && !(insn->dst.mask >> c & 1)))
            continue;
        if (at != NO_INDEX && (!literal(a->p, insn, c, &value) || value != *number)) {
            if (i >= a->end || use < a->start || use >= a->end || use > loop_around(a, i))
                return NO_INDEX;
            continue;           /* behind what reads it */
        }
        if (!literal(a->p, insn, c, &value) || (at == NO_INDEX && !straight))
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
    at = set_at(a, insn, x->reg, x->component, &number);
    names = (int64_t)(int32_t)number + x->offset;
    if (at == NO_INDEX || (insn >= a->start && insn <= at) || names < 0 || names >= size)
        return false;
    *element = (uint32_t)names;
    return true;
}
