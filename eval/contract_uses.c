/* The first pass: products that something other than a sum reads. */
#include "eval/contract.h"

static const struct value nothing = {.product = NO_INDEX, .source = NO_INDEX};

static void refuse_operand(struct contractor *c, const struct operand *o, uint8_t components)
{
    for (unsigned i = 0; i < 4; i++)
        if (components >> i & 1)
            eval_refuse_product(c, eval_held(c, o, i));
    for (unsigned k = 0; k < o->nindices; k++) {
        const struct index *index = program_index(c->d->p, o->index + k);
        uint32_t var = NO_INDEX;
        if (index->mode == INDEX_RELATIVE)
            var = eval_variable(c->live, index->register_kind, index->reg, index->element.used,
                                index->component);
        if (var != NO_INDEX)
            eval_refuse_product(c, c->values[var]);
    }
    for (unsigned i = 0; o->kind == OPND_EXTENDED && i < 4; i++) {
        uint32_t var = eval_variable(c->live, o->base_kind, o->ref, o->nindices != 0, i);
        if (var != NO_INDEX)
            eval_refuse_product(c, c->values[var]);
    }
}

/* Sums that a test of this instruction compares the terms of. */
static void ask(struct contractor *c, const struct folded *folded, uint8_t useful)
{
    for (unsigned i = 0; useful && i < 4; i++)
        if (folded->uses[i])
            c->asked[eval_sum_index(folded->uses[i])] |= (uint8_t)(1u << (folded->uses[i] & 3));
}

/* Component comp of the sum at i would take in what its operand holds. */
static void count_sum(struct contractor *c, struct value v, uint32_t i, unsigned comp)
{
    struct readers *r = &c->readers[v.product];

    if (r->sums[v.component] < 2)
        r->sums[v.component]++;
    if (c->asked[i] >> comp & 1)
        r->compared |= (uint8_t)(1u << v.component);
}

static void find_asked(struct contractor *c)
{
    for (uint32_t i = 0; c->d->unrolled.used && i < c->d->p->insns.count; i++)
        ask(c, vec_at(&c->d->unrolled.folded, i), c->live->useful[i]);
}

/* A product that several sums read is in none of them if the terms of one are compared. */
static void refuse_compared(struct contractor *c)
{
    for (uint32_t i = 0; i < c->d->p->insns.count; i++)
        for (unsigned k = 0; k < 4; k++)
            if (c->readers[i].sums[k] > 1 && c->readers[i].compared >> k & 1)
                c->refused[i] |= (uint8_t)(1u << k);
}

static void reads(struct contractor *c, uint32_t at, const struct insn *insn, uint8_t useful)
{
    struct value v;
    bool negate;

    for (unsigned k = 0; k < insn->nsrc; k++) {
        const struct operand *o = program_operand(c->d->p, insn->src + k);
        uint8_t components = useful & LIVE_EFFECT ? 15 : 0;
        for (unsigned i = 0; i < 4; i++)
            if (useful >> i & 1)
                components |= eval_component_reads(insn->op, k, i);
        for (unsigned i = 0; i < 4; i++)
            if (eval_copied(c, insn, i, &negate) == (int)k)
                components &= (uint8_t)~(1u << i);  /* the copy's readers decide */
        for (unsigned i = 0; i < 4; i++)
            if (eval_is_float_sum(c, insn) && eval_takes(c, insn, k, i, &v)) {
                components &= (uint8_t)~(1u << i);
                struct value first = nothing;
                bool twice = k == 1 && eval_takes(c, insn, 0, i, &first) && first.product == v.product && first.component == v.component;
                if (useful >> i & 1 && !twice)
                    count_sum(c, v, at, i);
            }
        refuse_operand(c, o, components);
    }
    for (unsigned k = 0; k < insn->dst.nindices; k++) {
        const struct index *index = program_index(c->d->p, insn->dst.index + k);
        uint32_t var = NO_INDEX;
        if (index->mode == INDEX_RELATIVE)
            var = eval_variable(c->live, index->register_kind, index->reg, index->element.used,
                                index->component);
        if (var != NO_INDEX)
            eval_refuse_product(c, c->values[var]);
    }
}

void eval_find_refused(struct contractor *c)
{
    find_asked(c);
    for (uint32_t block = 0; block < c->live->nblocks; block++) {
        eval_forget_held(c);
        for (uint32_t i = c->live->start[block]; i < c->live->start[block + 1]; i++) {
            const struct insn *insn = program_insn(c->d->p, i);
            reads(c, i, insn, c->live->useful[i]);
            eval_hold_result(c, i, insn, c->live->useful[i]);
        }
        eval_live_out(c->live, block, c->set);
        for (uint32_t var = 0; var < c->live->nvars; var++)
            if (c->set[var / 64] >> var % 64 & 1)
                eval_refuse_product(c, c->values[var]);
    }
    refuse_compared(c);
}
