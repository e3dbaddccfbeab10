/* What is found in a program before it runs: registers, labels, which variables are read, and by computed indices. */
#include "tests/oracle/internal.h"

#include <stdlib.h>
#include <string.h>

static void note_index(struct oracle_program *p, unsigned kind, uint32_t symbol, uint32_t first, unsigned n)
{
    for (unsigned k = 0; kind == OPND_SYMBOL && k < n; k++)
        p->indexed[symbol] |= program_index(p->text, first + k)->mode == INDEX_RELATIVE;
}

/* A register a component of each variable that has some; labels, and where the program begins. */
static void find_symbols(struct oracle_program *p)
{
    size_t insns = p->text->insns.count, labels = 0, called = 0;
    for (uint32_t i = 0; i < p->text->symbols.count; i++) {
        const struct symbol *s = program_symbol(p->text, i);
        bool own = s->kind == SYM_TEMP || (s->kind == SYM_OUTPUT && !s->nbindings);
        p->first[i] = own ? p->nregisters : NO_INDEX;
        if (own)
            p->nregisters += s->array ? s->array_size : 1;
        if (s->kind != SYM_LABEL || !s->defined || s->instruction > insns)
            continue;
        p->label[s->instruction] = s->instruction > 0;
        labels++;
        called += s->uses > 0 || s->numbered;
        if (!strcmp(s->name, "main"))
            p->entry = s->instruction;
    }
    if (p->nvidia && labels == 1 && !called)        /* docs/semantics.md: the only label, and nothing calls it */
        memset(p->label, 0, insns + 1);
}

static void find_reads(struct oracle_program *p)
{
    for (uint32_t i = 0; i < p->text->operands.count; i++) {
        const struct operand *o = program_operand(p->text, i);
        unsigned kind = o->kind == OPND_EXTENDED ? o->base_kind : o->kind;
        note_index(p, kind, o->ref, o->index, o->nindices);
        if (kind == OPND_SYMBOL || o->kind == OPND_HANDLE)
            p->read[o->ref] = true;
    }
    for (uint32_t i = 0; i < p->text->indices.count; i++) {
        const struct index *x = program_index(p->text, i);
        if (x->mode == INDEX_RELATIVE && x->register_kind == OPND_SYMBOL)
            p->read[x->reg] = true;
    }
    for (uint32_t i = 0; i < p->text->insns.count; i++) {
        const struct result *r = &program_insn(p->text, i)->dst;
        note_index(p, r->kind, r->ref, r->index, r->nindices);
    }
}

bool oracle_prepare(struct oracle_program *p, const struct gp5_program *text)
{
    size_t n = text->symbols.count;
    if (p->nvidia && !oracle_change_text(text, &p->changed))
        return false;
    p->text = p->nvidia ? &p->changed : text;
    p->first = calloc(n + 1, sizeof *p->first);
    p->indexed = calloc(n + 1, sizeof *p->indexed);
    p->read = calloc(n + 1, sizeof *p->read);
    p->label = calloc(text->insns.count + 1, sizeof *p->label);
    p->of_half = calloc(text->insns.count + n + 1, sizeof *p->of_half);
    if (!p->first || !p->label || !p->indexed || !p->read || !p->of_half)
        return false;
    find_symbols(p);
    find_reads(p);
    if (p->nvidia)
        oracle_find_halves(p);
    p->lockstep = oracle_needs_lockstep(p);
    return true;
}

void oracle_forget(struct oracle_program *p)
{
    free(p->first);
    free(p->indexed);
    free(p->read);
    free(p->label);
    free(p->of_half);
    oracle_forget_text(&p->changed);
}

bool oracle_is_in_memory(const struct oracle_program *p, const struct result *r)
{
    return r->kind == OPND_SYMBOL && p->indexed[r->ref] && !program_is_long(p->text, r->kind, r->ref);
}

bool oracle_goes_by_copy(const struct oracle_program *p, const struct insn *insn)
{
    bool wide = program_is_long(p->text, insn->dst.kind, insn->dst.ref);
    return (op_shuffles(insn->op) || insn->op == OP_MATCH) && (oracle_is_in_memory(p, &insn->dst) || wide);
}
