/* Which products are rounded together with the sum that they feed: the driver's rule, as docs/semantics.md
 * has it.
 *
 * Component by component. A product (MUL without .PREC, clamp, condition-code update or conditional write)
 * may be taken into a sum (ADD or SUB without .PREC) of the same block, through copies and negations, when
 * everything of use that reads it is such a sum. Of two products the first operand's is taken; the other
 * one stays a product, everywhere. A product of full precision is not taken into a half sum; a half
 * product not into a sum of full precision (docs/semantics.md, "Not modelled").
 *
 * DIV is a product with a reciprocal. A product with the literal 1.0 or -1.0 is a copy, component by
 * component, and a negation of a negation as well.
 *
 * When somebody looks on, a product is still computed by its own instruction: what a register shows to a
 * tracer is what the program says. Loops have been unrolled before, and what never runs left out (specialize.c). */
#include "model/state.h"
#include "model/contract/contract.h"

#include <string.h>

/* Whether what a sum's operand holds goes into one. */
static bool allowed(const struct contractor *c, struct value v)
{
    return !(c->refused[v.product] >> v.component & 1);
}

/* Whether a factor's variable is written from the product on up to the sum at hand, or is one that is not followed. */
static bool factor_changes(const struct contractor *c, const struct operand *o, uint32_t product)
{
    if (o->kind != OPND_SYMBOL || program_symbol(c->d->p, o->ref)->kind != SYM_TEMP)
        return o->nindices && program_index(c->d->p, o->index)->mode == INDEX_RELATIVE;
    if (o->nindices)
        return true;
    return c->written[o->ref] > product;
}

static bool allocate_sums(struct contractor *c)
{
    size_t n = c->d->p->insns.count;

    if (c->out->sums)
        return true;
    c->out->sums = arena_alloc(&c->d->arena, n * sizeof *c->out->sums);
    c->out->kept = arena_alloc(&c->d->arena, n);
    c->out->factors = arena_alloc(&c->d->arena, n * sizeof *c->out->factors);
    if (!c->out->sums || !c->out->kept || !c->out->factors)
        return model_out_of_memory(c->d);
    for (size_t i = 0; i < n; i++)
        for (unsigned k = 0; k < SUM_SLOTS; k++)
            c->out->sums[i][k] = (struct fused){.product = NO_INDEX};
    return true;
}

/* Factors of these are computed for them: they are kept. */
static bool has_made_factors(unsigned op)
{
    return op == OP_UP2US || op == OP_UP4UB;
}

/* A product goes into a sum, as one of its terms. */
static bool take_in(struct contractor *c, uint32_t i, const struct sum_step *step, unsigned k, struct value v)
{
    const struct insn *sum = program_insn(c->d->p, i), *product = program_insn(c->d->p, v.product);
    const struct operand *o = program_operand(c->d->p, sum->src + step->term[k].operand);

    if (!allocate_sums(c))
        return false;
    c->out->sums[i][step->slot] = (struct fused){.product = v.product,
                                                 .term = (uint8_t)k,
                                                 .component = v.component,
                                                 .negate = model_operand_turns(o, v) ^ step->term[k].negate};
    for (unsigned f = 0; f < 2; f++)
        if (has_made_factors(product->op) ||
            factor_changes(c, program_operand(c->d->p, product->src + f), v.product))
            c->out->kept[v.product] |= (uint8_t)(1u << v.component);
    return true;
}

/* The sum's own product, which nothing else reads. */
static bool take_own(struct contractor *c, uint32_t i, const struct sum_step *step, unsigned k)
{
    if (!allocate_sums(c))
        return false;
    c->out->sums[i][step->slot] = (struct fused){
        .product = i, .term = (uint8_t)k, .component = step->term[k].step, .negate = step->term[k].negate};
    return true;
}

/* Whether both operands are the same product with opposite signs. */
static bool cancels(const struct contractor *c, uint32_t i, const struct sum_step *step, const struct value v[3])
{
    const struct insn *sum = program_insn(c->d->p, i);
    bool a =
        model_operand_turns(program_operand(c->d->p, sum->src + step->term[0].operand), v[0]) ^ step->term[0].negate;
    bool b =
        model_operand_turns(program_operand(c->d->p, sum->src + step->term[2].operand), v[2]) ^ step->term[2].negate;

    return v[0].product == v[2].product && v[0].component == v[2].component && a != b;
}

/* A MOV that gives back what a negating MOV took: a copy of the first source, bit for bit. */
static bool undo_negation(struct contractor *c, uint32_t i, const struct insn *mov)
{
    const struct operand *o = program_operand(c->d->p, mov->src);
    size_t n = c->d->p->insns.count;

    if (c->roles[i].copied[0] != 0 || mov->type != DT_F32 || !(c->roles[i].turned & 1))
        return true;
    for (unsigned k = 0; k < 4; k++) {
        struct value v = model_copy_of(c, o, k, true);
        if (!(mov->dst.mask >> k & 1) || v.source == NO_INDEX || v.origin & SIGN_FLIPPED)
            continue;
        if (!c->out->copies) {
            c->out->copies = arena_alloc(&c->d->arena, n * sizeof *c->out->copies);
            if (!c->out->copies)
                return model_out_of_memory(c->d);
            memset(c->out->copies, 0xff, n * sizeof *c->out->copies);
        }
        c->out->copies[i][k] = v.origin;
    }
    return true;
}

static bool choose(struct contractor *c, uint32_t i, const struct sum_step steps[], unsigned n)
{
    const struct sum_step *step = &steps[n];
    struct value v[3] = {{.product = NO_INDEX}, {.product = NO_INDEX}, {.product = NO_INDEX}};
    bool can[3] = {false}, own[3] = {false}, both;
    unsigned from;

    for (unsigned k = 0; k < 3; k += 2) {
        const struct term *t = &step->term[k];
        own[k] = t->kind == TERM_STEP && steps[t->step].kind == STEP_OF_PRODUCT && !steps[t->step].shared;
        can[k] = own[k] || (model_takes(c, i, t, &v[k]) && allowed(c, v[k]));
    }
    both = can[0] && can[2] && !own[0] && !own[2];
    if (both && cancels(c, i, step, v)) {
        model_refuse_product(c, v[0]);       /* x - x */
        model_refuse_product(c, v[2]);
        return true;
    }
    if (can[0] && can[2] && !own[2] && !model_is_unpacked_number(c, v[2].product))
        model_refuse_product(c, v[2]);
    from = can[0] ? 0 : 2;
    for (unsigned k = 0; k < 3; k += 2)
        if (v[k].product != NO_INDEX && model_is_unpacked_number(c, v[k].product) && !(can[k] && k == from))
            c->stays[v[k].product] |= (uint8_t)(1u << v[k].component);      /* it is read as it is */
    if (!can[0] && !can[2])
        return true;
    return own[from] ? take_own(c, i, step, from) : take_in(c, i, step, from, v[from]);
}

static bool choose_all_steps(struct contractor *c, uint32_t i)
{
    struct sum_step steps[MAX_SUM_STEPS];
    uint16_t seen = 0;

    for (unsigned k = 0; k < 4; k++) {
        unsigned n = c->roles[i].sums >> k & 1 ? model_sum_steps(c->d, i, k, steps) : 0;
        for (unsigned j = 0; j < n; j++) {
            if (steps[j].kind != STEP_OF_SUM || seen >> steps[j].slot & 1)
                continue;
            seen |= (uint16_t)(1u << steps[j].slot);
            if (!choose(c, i, steps, j))
                return false;
        }
    }
    return true;
}

/* Of two products a sum takes in the one that no other sum reads; the other one stays. */
static void prefer_unshared(struct contractor *c, uint32_t i, const struct sum_step steps[], unsigned n)
{
    struct value v[3];
    bool own = false, shared[3];

    for (unsigned k = 0; k < 3; k += 2) {
        const struct term *t = &steps[n].term[k];
        own |= t->kind == TERM_STEP && steps[t->step].kind == STEP_OF_PRODUCT && !steps[t->step].shared;
        if (own || !model_takes(c, i, t, &v[k]) || !allowed(c, v[k]))
            return;
        shared[k] = c->readers[v[k].product].sums[v[k].component] > 1;
    }
    if (v[0].product == v[2].product && v[0].component == v[2].component)
        model_refuse_product(c, v[0]);       /* twice itself */
    else if (shared[0] != shared[2])
        model_refuse_product(c, v[shared[0] ? 0 : 2]);
}

static void prefer_all_unshared(struct contractor *c)
{
    struct sum_step steps[MAX_SUM_STEPS];

    for (uint32_t block = 0; block < c->live->nblocks; block++) {
        model_begin_held(c, block);
        for (uint32_t i = c->live->start[block]; i < c->live->start[block + 1]; i++) {
            for (unsigned k = 0; k < 4; k++) {
                unsigned n = c->live->useful[i] & c->roles[i].sums & 1u << k ? model_sum_steps(c->d, i, k, steps) : 0;
                for (unsigned j = 0; j < n; j++)
                    if (steps[j].kind == STEP_OF_SUM)
                        prefer_unshared(c, i, steps, j);
            }
            model_hold_result(c, i, 0);
        }
    }
}

static bool choose_all(struct contractor *c)
{
    for (uint32_t block = 0; block < c->live->nblocks; block++) {
        model_begin_held(c, block);
        for (uint32_t i = c->live->start[block]; i < c->live->start[block + 1]; i++) {
            const struct insn *insn = program_insn(c->d->p, i);
            if (!choose_all_steps(c, i))
                return false;
            if (insn->op == OP_MOV && !undo_negation(c, i, insn))
                return false;
            model_hold_result(c, i, 0);
            if (insn->dst.kind == OPND_SYMBOL)
                c->written[insn->dst.ref] = i + 1;
        }
    }
    return true;
}

/* What need not be computed unless somebody looks on. Tests that are known are not asked, but the machine looks at
 * their flags all the same. */
static bool find_dead(struct contractor *c)
{
    uint32_t n = (uint32_t)c->d->p->insns.count;

    c->out->dead = arena_alloc(&c->d->arena, n + 1u);
    if (!c->out->dead)
        return model_out_of_memory(c->d);
    for (uint32_t i = 0; i < n; i++) {
        uint8_t useful = c->live->useful[i];
        c->out->dead[i] = !(useful & ~(c->roles[i].products &
                                       ~(c->refused[i] | c->stays[i] | model_folded(c->d, i) | c->live->flags[i])));
    }
    return true;
}

static bool worth_it(const struct contractor *c)
{
    for (uint32_t i = 0; i < c->d->p->insns.count; i++)
        switch (program_insn(c->d->p, i)->op) {
        case OP_MUL: case OP_DIV: case OP_MOV: case OP_DST: case OP_UP2US: case OP_UP4UB:
        case OP_DP2: case OP_DP3: case OP_DP4: case OP_DPH: case OP_DP2A: return true;
        default: break;
        }
    return false;
}

bool model_contract(struct model *d)
{
    struct contractor c = {.d = d, .out = &d->contraction};
    bool ok;

    if (!has_pass(d, PASS_contract) || !worth_it(&c))
        return true;
    c.live = model_liveness(d);
    ok = c.live != NULL;
    ok = ok && model_contractor_new(&c);
    ok = ok && model_find_refused(&c);
    if (ok && c.both)
        prefer_all_unshared(&c);
    ok = ok && choose_all(&c) && find_dead(&c);
    arena_free(&c.arena);
    return ok;
}
