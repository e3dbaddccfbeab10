/* Which results are ever looked at: backwards over the blocks of a program until nothing changes. */
#include "asm/induction.h"
#include "model/const/lattice.h"
#include "model/analysis/liveness.h"
#include "model/analysis/liveness_solve.h"
#include "model/ir/operand_walk.h"

#include <string.h>

static bool has(const struct wanted *w, uint32_t var)
{
    for (unsigned k = 0; !w->set && k < w->n; k++)
        if (w->few[k] == var)
            return true;
    return w->set && shared_bits_has(w->set, var);
}

static void add(struct wanted *w, uint32_t var)
{
    if (var == NO_INDEX)
        return;
    if (w->set)
        shared_bits_add(w->set, var);
    else if (!has(w, var) && w->n < WANTED_FEW)
        w->few[w->n++] = var;
    else
        w->more |= !has(w, var);
}

static void drop(struct wanted *w, uint32_t var)
{
    if (var == NO_INDEX)
        return;
    if (w->set)
        shared_bits_drop(w->set, var);
    for (unsigned k = 0; !w->set && k < w->n; k++)
        if (w->few[k] == var)
            w->few[k] = w->few[--w->n];
}

/* ---- what an instruction reads ------------------------------------------------------------------------- */

uint32_t model_variable(const struct liveness *l, uint8_t kind, uint32_t symbol, bool indexed, unsigned component)
{
    if (kind != OPND_SYMBOL || indexed || l->first_var[symbol] == NO_INDEX)
        return NO_INDEX;
    return l->first_var[symbol] + component;
}

uint32_t model_operand_variable(const struct liveness *l, const struct operand *o, unsigned c)
{
    return model_variable(l, o->kind, o->ref, o->nindices != 0, o->swizzle >> 2 * c & 3);
}

uint32_t model_result_variable(const struct liveness *l, const struct result *r, unsigned c)
{
    return model_variable(l, r->kind, r->ref, r->nindices != 0, c);
}

struct index_reader {
    const struct liveness *l;
    struct wanted *set;
};

static void read_index(void *user, const struct named *named)
{
    const struct index_reader *r = user;

    add(r->set, model_variable(r->l, named->kind, named->ref, named->indexed, named->component));
}

static void read_indices(const struct liveness *l, uint32_t run, unsigned n, struct wanted *set)
{
    model_each_index(l->p, run, n, &(struct naming){read_index, &(struct index_reader){l, set}});
}

static void read_operand(const struct liveness *l, const struct operand *o, uint8_t components, struct wanted *set)
{
    uint8_t kind = o->kind == OPND_HANDLE ? OPND_SYMBOL : o->kind;

    read_indices(l, o->index, o->nindices, set);
    for (unsigned i = 0; i < 4; i++)
        if (components >> i & 1)
            add(set, model_variable(l, kind, o->ref, o->nindices != 0, o->swizzle >> 2 * i & 3));
    if (o->kind == OPND_EXTENDED)
        for (unsigned c = 0; c < 4; c++)
            add(set, model_variable(l, o->base_kind, o->ref, o->nindices != 0, c));
}

static void read_condition(const struct condition *c, struct wanted *set)
{
    uint8_t swizzle = c->nswizzle ? c->swizzle : 0xe4;

    for (unsigned i = 0; condition_restricts(c) && i < 4; i++)
        add(set, model_cc_variable(eval_cc_of(c), swizzle >> 2 * i & 3));
}

/* What it does is seen elsewhere, and the next instruction comes after it. */
static bool touches(unsigned op)
{
    return op_is(op, K_STORE | K_IMAGE_STORE | K_KILL | K_DEMOTE | K_BARRIER | K_FENCE | K_EMIT | K_ANY_ATOMIC) ||
           op_has(op, A_STACK);
}

uint8_t model_written(const struct liveness *l, const struct insn *insn)
{
    if (l->nvidia && eval_gives_nothing(l->p, insn) && !program_is_long(l->p, insn->dst.kind, insn->dst.ref))
        return 0;
    if (!l->nvidia)
        return insn->dst.mask;
    return op_is_atomic(insn->op) ? eval_atomic_written(l->p, insn) : eval_load_mask(l->p, insn);
}

/* The components of a result for which operands are read. X2D computes y and w of what it has made of x and z by then,
 * where an operand is the result itself. */
static uint8_t needed(const struct liveness *l, const struct insn *insn, uint8_t useful)
{
    for (unsigned k = 1; l->nvidia && insn->op == OP_X2D && useful & 10 && k < 3; k++) {
        const struct operand *o = program_operand(l->p, insn->src + k);
        if (o->kind == insn->dst.kind && o->ref == insn->dst.ref && o->swizzle == 0xe4)
            return useful | (insn->dst.mask & 5);
    }
    return useful;
}

static uint8_t taken_by_effect(const struct insn *insn, unsigned k)
{
    unsigned width = insn->width ? insn->width : 1;

    if (k || !op_is(insn->op, K_STORE | K_ATOMIC))
        return 15;
    if (op_stores(insn->op))
        return (uint8_t)((1u << width) - 1);
    return insn->type == DT_F16 ? 15 : insn->atomic == MOD_CSWAP ? 3 : 1;
}

uint8_t model_operand_reads(const struct insn *insn, unsigned k, uint8_t useful)
{
    uint8_t components = useful & LIVE_EFFECT ? taken_by_effect(insn, k) : 0;

    if (op_is(insn->op, K_ATOMIC))
        return components;
    for (unsigned c = 0; c < 4; c++)
        if (useful >> c & 1)
            components |= eval_component_reads(insn->op, k, c);
    return components;
}

uint8_t model_live_before(const struct liveness *l, uint32_t i, struct wanted *set)
{
    const struct insn *insn = program_insn(l->p, i);
    const struct result *r = &insn->dst;
    bool untested = l->nvidia && eval_tests_nothing(l->p, insn),
         whole = untested || !condition_restricts(&r->condition);
    uint8_t useful = op_flows(insn->op) || touches(insn->op) ? LIVE_EFFECT : 0, flags = 0, reads;
    uint8_t written = r->kind == OPND_NONE ? 0 : model_written(l, insn),
            dropped = whole ? (uint8_t)~eval_untouched(insn) : 0;

    for (unsigned c = 0; c < 4; c++) {
        uint32_t var = model_result_variable(l, r, c);
        uint32_t cc = insn->cc_update ? model_cc_variable(insn->cc_update - 1u, c) : NO_INDEX;
        if (!(written >> c & 1))
            continue;
        bool wanted = var != NO_INDEX && has(set, var);
        if (r->kind != OPND_CC && (var == NO_INDEX || wanted))
            useful |= (uint8_t)(1u << c);
        if (wanted)
            set->here |= (uint16_t)(1u << c);
        if (cc != NO_INDEX && has(set, cc)) {
            useful |= (uint8_t)(1u << c);
            flags |= (uint8_t)(1u << c);
            set->here |= (uint16_t)(16u << c);
        }
        if (dropped >> c & 1) {
            if (wanted)
                drop(set, var);
            drop(set, cc);
        }
    }
    for (unsigned c = 0; insn->flags & INSN_SPARSE && c < 4; c++) {
        if (has(set, model_cc_variable(RESIDENCY, c))) {
            useful |= LIVE_EFFECT;
            set->here |= (uint16_t)(256u << c);
        }
        drop(set, model_cc_variable(RESIDENCY, c));
    }
    set->flags = flags;
    if (!useful)
        return 0;
    read_condition(&insn->condition, set);
    if (!untested && r->mask && !(l->nvidia && r->condition.rule == CC_FL))
        read_condition(&r->condition, set);
    read_indices(l, r->index, r->nindices, set);
    reads = (uint8_t)((useful & LIVE_EFFECT) | needed(l, insn, useful));
    for (unsigned k = 0; k < insn->nsrc; k++)
        read_operand(l, program_operand(l->p, insn->src + k), model_operand_reads(insn, k, reads), set);
    return useful;
}

void model_live_each_written(const struct liveness *l, uint32_t i,
                             void (*one)(void *user, uint32_t i, uint32_t variable), void *user)
{
    const struct insn *insn = program_insn(l->p, i);
    const struct result *r = &insn->dst;

    for (unsigned c = 0; c < 4; c++) {
        if (r->kind != OPND_NONE && model_written(l, insn) >> c & 1) {
            one(user, i, model_result_variable(l, r, c));
            if (insn->cc_update)
                one(user, i, model_cc_variable(insn->cc_update - 1u, c));
        }
        if (insn->flags & INSN_SPARSE)
            one(user, i, model_cc_variable(RESIDENCY, c));
    }
}

/* ---- from block to block -------------------------------------------------------------------------------- */

struct joining {
    const struct liveness *l;
    struct shared_bits *set;
    uint32_t behind_call;
};

static void join_block(void *user, uint32_t block)
{
    const struct joining *j = user;

    if (block != j->behind_call)
        shared_bits_join(j->set, &j->l->live_in[block]);
}

static void join_callers(void *user, uint32_t from)
{
    const struct joining *j = user;

    shared_bits_join(j->set, &j->l->callers[j->l->region[from]]);
}

struct shared_bits model_live_out(const struct liveness *l, uint32_t block)
{
    struct shared_bits set = shared_bits_none(l->nvars);

    cfg_successors(
        l, block,
        &(struct successors){join_block, join_callers, &(struct joining){l, &set, model_behind_sure_call(l, block)}});
    return set;
}
