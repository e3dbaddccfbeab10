/* The first pass: products that something other than a sum reads. */
#include "model/state.h"
#include "model/contract/contract.h"
#include "model/ir/operand_walk.h"
#include "model/tables.h"

/* A product in a register that chooses an element. */
static void refuse_index(void *user, const struct named *named)
{
    struct contractor *c = user;
    uint32_t var = model_variable(c->live, named->kind, named->ref, named->indexed, named->component);

    if (var != NO_INDEX)
        model_refuse_product(c, model_value_of(c, var));
}

static void refuse_indices(struct contractor *c, uint32_t first, unsigned n)
{
    model_each_index(c->d->p, first, n, &(struct naming){refuse_index, c});
}

static void refuse_operand(struct contractor *c, const struct operand *o, uint8_t components)
{
    for (unsigned i = 0; i < 4; i++)
        if (components >> i & 1)
            model_read_product(c, model_held(c, o, i));
    refuse_indices(c, o->index, o->nindices);
    for (unsigned i = 0; o->kind == OPND_EXTENDED && i < 4; i++) {
        uint32_t var = model_variable(c->live, o->base_kind, o->ref, o->nindices != 0, i);
        if (var != NO_INDEX)
            model_refuse_product(c, model_value_of(c, var));
    }
}

/* A sum would take in what a component of a product is. */
static void count_sum(struct contractor *c, struct value v)
{
    uint8_t *sums = &c->readers[v.product].sums[v.component];

    *sums += *sums < 2;
}

/* What a step reads: sums take products in, whatever else is a use. */
static void read_step(struct contractor *c, uint32_t i, const struct sum_step *step)
{
    struct value v, first = no_value;
    bool took = false;

    for (unsigned k = 0; k < 3; k++) {
        const struct term *t = &step->term[k];
        if (step->kind == STEP_OF_SUM ? k == 1
            : k == 2                  ? step->kind != STEP_OF_BOTH
                                      : k == 1 && step->kind == STEP_OF_INVERSE)
            continue;
        if (step->kind != STEP_OF_SUM || !model_takes(c, i, t, &v)) {
            model_read_product(c, model_term_value(c, i, t));
        } else {
            if (k == 0 || first.product != v.product || first.component != v.component)
                count_sum(c, v);
            c->both |= took;
            took = true;
        }
        first = k == 0 && step->kind == STEP_OF_SUM ? v : first;
    }
}

/* The components that are made in steps; each step is looked at once. */
static uint8_t read_steps(struct contractor *c, uint32_t i, uint8_t useful)
{
    struct sum_step steps[MAX_SUM_STEPS];
    uint32_t seen = 0;
    uint8_t mask = 0;

    for (unsigned k = 0; k < 4; k++) {
        unsigned n = useful & c->roles[i].sums & 1u << k ? model_sum_steps(c->d, i, k, steps) : 0;
        mask |= (uint8_t)((n != 0) << k);
        for (unsigned j = 0; j < n; j++) {
            uint32_t bit = 1u << (steps[j].slot + (steps[j].kind == STEP_OF_SUM ? 0 : SUM_SLOTS));
            if (!(seen & bit))
                read_step(c, i, &steps[j]);
            seen |= bit;
        }
    }
    return mask;
}

static void reads(struct contractor *c, uint32_t at, const struct insn *insn, uint8_t useful)
{
    const struct role *role = &c->roles[at];
    uint8_t whole;

    c->both |= (useful & role->sums & ~role->written) != 0;
    if (insn->dst.kind != OPND_NONE)
        useful &= (uint8_t)(role->written | LIVE_EFFECT);
    whole = useful & (uint8_t)~read_steps(c, at, useful);
    for (unsigned k = 0; k < insn->nsrc; k++) {
        const struct operand *o = program_operand(c->d->p, insn->src + k);
        uint8_t components = model_operand_reads(insn, k, whole);
        for (unsigned i = 0; i < 4; i++)
            if (role->copied[i] == (int)k)
                components &= (uint8_t)~(1u << i);  /* the copy's readers decide */
        refuse_operand(c, o, components);
    }
    refuse_indices(c, insn->dst.index, insn->dst.nindices);
}

bool model_find_refused(struct contractor *c)
{
    bool failed = false;

    for (uint32_t block = 0; block < c->live->nblocks; block++) {
        struct shared_bits wanted;
        model_begin_held(c, block);
        for (uint32_t i = c->live->start[block]; i < c->live->start[block + 1]; i++) {
            const struct insn *insn = program_insn(c->d->p, i);
            reads(c, i, insn, c->live->useful[i]);
            model_hold_result(c, i, c->live->useful[i]);
        }
        wanted = model_live_out(c->live, block);
        for (uint32_t k = 0; k < c->nheld; k++)
            if (shared_bits_has(&wanted, c->held[k]))
                model_read_product(c, model_value_of(c, c->held[k]));
        failed |= wanted.failed;
        shared_bits_free(&wanted);
    }
    return !failed || model_out_of_memory(c->d);
}
