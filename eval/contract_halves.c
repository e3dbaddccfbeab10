/* Products of halves that sums of singles in other blocks take in: as far as the driver's compiler sees what wrote a variable (half_reach.c), but not in
 * loops of what stands before them, and not where somebody may read the variable without that being seen. */
#include "eval/contract.h"
#include "eval/half_reach.h"
#include "eval/indices.h"
#include "eval/names.h"

#include <string.h>

struct far_halves {
    struct half_reach reach;
    uint8_t *unseen;            /* by variable: something reads it, and nobody knows what */
};

static bool is_half_product(const struct contractor *c, uint32_t i, unsigned comp)
{
    const struct insn *insn = program_insn(c->d->p, i);

    return eval_products(c, i) >> comp & 1 && insn->op != OP_UP2US && insn->op != OP_UP4UB && eval_precision(c->d, insn) == PREC_HALF &&
           !((c->made_far[i] | eval_folded(c->d, i)) >> comp & 1);
}

static bool is_sum(const struct contractor *c, const struct insn *insn)
{
    return (insn->op == OP_ADD || insn->op == OP_SUB) && eval_sum_precision(c->d, insn) == PREC_SINGLE;
}

static uint32_t result_variable(const struct contractor *c, uint32_t i, unsigned comp)
{
    return eval_result_variable(c->live, &program_insn(c->d->p, i)->dst, comp);
}

static void note_unseen(struct contractor *c, uint32_t var)
{
    if (var != NO_INDEX)
        c->halves->unseen[var] = 1;
}

static void note_index(void *user, const struct named *x)
{
    struct contractor *c = user;

    note_unseen(c, eval_variable(c->live, x->kind, x->ref, x->indexed, x->component));
}

/* What instruction i reads without knowing who wrote it, or keeps in part. */
static void look_for_unseen(struct contractor *c, uint32_t i)
{
    const struct insn *insn = program_insn(c->d->p, i);
    const struct naming indices = {note_index, c};

    for (unsigned n = 0; n < insn->nsrc; n++) {
        const struct operand *o = program_operand(c->d->p, insn->src + n);
        uint8_t mask = eval_operand_reads(insn, n, c->live->useful[i]);
        for (unsigned comp = 0; comp < 4; comp++)
            if (o->kind == OPND_EXTENDED)
                note_unseen(c, eval_variable(c->live, o->base_kind, o->ref, o->nindices != 0, comp));
            else if (mask >> comp & 1 && (n > 2 || c->halves->reach.of[i][n][comp] == NO_INDEX))
                note_unseen(c, eval_operand_variable(c->live, o, comp));
        eval_each_index(c->d->p, o->index, o->nindices, &indices);
    }
    eval_each_index(c->d->p, insn->dst.index, insn->dst.nindices, &indices);
    for (unsigned comp = 0; insn->dst.kind == OPND_SYMBOL && condition_restricts(&insn->dst.condition) && comp < 4; comp++)
        if (insn->dst.mask >> comp & 1)
            note_unseen(c, result_variable(c, i, comp));
}

/* What a subroutine reads that nobody calls does not matter. */
static bool find_unseen(struct contractor *c)
{
    struct known_indices indices;
    bool ok = eval_known_indices_new(&indices, c->d->p);

    for (uint32_t i = 0; ok && i < c->d->p->insns.count; i++)
        if (c->live->useful[i] && indices.runs[i])
            look_for_unseen(c, i);
    eval_known_indices_free(&indices);
    return ok || eval_out_of_memory(c->d);
}

bool eval_find_far_halves(struct contractor *c)
{
    uint32_t n = (uint32_t)c->d->p->insns.count;
    bool any = false, sums = false;

    for (uint32_t i = 0; i < n; i++) {
        for (unsigned comp = 0; comp < 4; comp++)
            any |= is_half_product(c, i, comp);
        sums |= is_sum(c, program_insn(c->d->p, i));
    }
    if (!any || !sums || c->live->nblocks < 2 || !eval_has(c->d, PASS_contract_half))
        return true;
    c->halves = gp5_malloc(sizeof *c->halves);
    if (!c->halves)
        return eval_out_of_memory(c->d);
    *c->halves = (struct far_halves){.unseen = gp5_malloc(c->live->nvars + 1u)};
    if (!c->halves->unseen)
        return eval_out_of_memory(c->d);
    memset(c->halves->unseen, 0, c->live->nvars + 1u);
    return eval_find_half_reach(c->d, c->live, REACH_PRODUCTS, &c->halves->reach) && find_unseen(c);
}

void eval_far_halves_free(struct contractor *c)
{
    if (!c->halves)
        return;
    eval_half_reach_free(&c->halves->reach);
    gp5_free(c->halves->unseen);
    gp5_free(c->halves);
}

/* The product of another block that operand n of an instruction is. */
static bool reached(const struct contractor *c, uint32_t i, unsigned n, unsigned comp, uint32_t *var, struct value *v)
{
    uint32_t by = c->halves->reach.of[i][n][comp];

    *var = eval_operand_variable(c->live, program_operand(c->d->p, program_insn(c->d->p, i)->src + n), comp);
    if (by == NO_INDEX || *var == NO_INDEX || c->live->block[by] == c->live->block[i] || c->halves->unseen[*var])
        return false;
    for (unsigned k = 0; k < 4; k++)
        if (result_variable(c, by, k) == *var && is_half_product(c, by, k)) {
            *v = eval_value_of(c, *var);
            v->product = by;
            v->component = (uint8_t)k;
            v->negate = v->turned = v->word = v->far = false;
            return true;
        }
    return false;
}

bool eval_is_open_half(const struct contractor *c, uint32_t var, struct value v)
{
    return c->halves && v.product != NO_INDEX && !v.copied && !c->halves->unseen[var] && is_half_product(c, v.product, v.component) &&
           result_variable(c, v.product, v.component) == var;
}

void eval_read_far_halves(struct contractor *c, uint32_t i)
{
    const struct insn *insn = program_insn(c->d->p, i);
    struct value v;
    uint32_t var;

    for (unsigned n = 0; c->halves && c->live->useful[i] && !is_sum(c, insn) && n < insn->nsrc && n < 3; n++)
        for (unsigned comp = 0; comp < 4; comp++)
            if (eval_operand_reads(insn, n, c->live->useful[i]) >> comp & 1 && reached(c, i, n, comp, &var, &v))
                eval_read_product(c, NULL, v);
}

void eval_hold_far_halves(struct contractor *c, uint32_t i)
{
    const struct insn *insn = program_insn(c->d->p, i);
    struct value v;
    uint32_t var;

    c->nlent = 0;
    for (unsigned n = 0; c->halves && is_sum(c, insn) && n < 2; n++)
        for (unsigned comp = 0; comp < 4; comp++) {
            if (!(insn->dst.mask >> comp & 1) || !reached(c, i, n, comp, &var, &v) || eval_value_of(c, var).product != NO_INDEX)
                continue;
            c->lent[c->nlent].var = var;
            c->lent[c->nlent++].held = c->values[var];
            c->values[var] = (struct held_value){v, c->turn};
        }
}

void eval_give_back_far_halves(struct contractor *c)
{
    while (c->nlent > 0) {
        c->nlent--;
        c->values[c->lent[c->nlent].var] = c->lent[c->nlent].held;
    }
}
