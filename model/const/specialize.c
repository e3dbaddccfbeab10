/* Loops that the driver's compiler unrolls, and conditions that it knows: the program with copies of loop bodies in the
 * place of loops, and without what never runs, so that what stands in one straight line for the driver does so for the
 * contraction. A copy's instructions are the program's to everybody else: steps carry the original numbers, lanes still
 * count their iterations, and what is known is tested all the same.
 *
 * Measured (tests/recordings/patterns/flow.txt): a REP whose count is known is unrolled, nested ones as well, if count
 * and body are small enough together and no CAL stands in them; so is a REP without a count that a counter ends
 * (trip_count.c). What is known goes through the others, as far as no round changes it, and into subroutines and out of
 * them (tests/recordings/patterns/calls.txt): the walk begins again until that is settled. */
#include "eval/numeric/fenv.h"
#include "model/state.h"
#include "model/const/sccp.h"
#include "model/const/cost.h"

#include <string.h>

/* What of a program calls for this. */
struct reasons {
    bool product;               /* that could be contracted, or the first of a pair, or shows an order (order.c) */
    bool constant;              /* from which something could be computed */
    bool flow, broken;          /* without its partner */
    bool ends, shorts;          /* what stands behind RET never runs; writes of SHORT variables, who counts all that
                                 * are there */
    bool parts;                 /* lanes that may go on apart: copies of the body decide where they meet
                                 * (reconverge.c) */
    bool flags;                 /* tests that may come out otherwise than the flags say, votes than words do */
};

/* What may be known whatever the operands are. */
static bool may_be_known(unsigned op)
{
    switch (op) {
    case OP_MIN: case OP_MAX: case OP_CMP: case OP_SFL: case OP_STR: case OP_SUB: case OP_XOR: case OP_SEQ:
    case OP_SNE: case OP_SLT: case OP_SLE:
    case OP_SGT: case OP_SGE:
        return true;
    default:
        return false;
    }
}

static struct reasons find_reasons(const struct gp5_program *p)
{
    struct reasons r = {.product = false};
    uint32_t open = 0;          /* IFs */

    for (uint32_t i = 0; i < p->insns.count; i++) {
        const struct insn *insn = program_insn(p, i);
        r.constant |= may_be_known(insn->op);
        r.product |=
            (insn->op == OP_MUL || insn->op == OP_DIV || insn->op == OP_MIN) && type_table[insn->type].is_float;
        r.product |= insn->op == OP_RCP || insn->op == OP_RSQ || insn->op == OP_DST;
        r.product |= insn->op == OP_UP2H || insn->op == OP_UP2US || insn->op == OP_UP4UB;
        r.product |= insn->op == OP_CVT && (insn->type == DT_F16 || insn->type2 == DT_F16);
        r.product |= insn->type == DT_F32 &&
                     (insn->op == OP_CMP || condition_restricts(&insn->dst.condition)); /* chooses: copy_modifier.c */
        r.shorts |=
            insn->dst.kind == OPND_SYMBOL && program_symbol(p, insn->dst.ref)->size == SIZE_SHORT; /* copies there */
        r.product |= insn->type == DT_F64 &&
                     (insn->op == OP_ADD || insn->op == OP_SUB || insn->op == OP_MAX || insn->op == OP_MAD);
        for (unsigned k = 0; k < insn->nsrc; k++) {
            const struct operand *o = program_operand(p, insn->src + k);
            r.product |=
                insn->op == OP_MOV && insn->type == DT_F32 && operand_negates(o); /* may be negated again: contract.c */
            r.constant |= o->kind == OPND_CONSTANT ||
                          (o->kind == OPND_BINDING && program_binding(p, o->ref)->kind == BIND_INVOCATION_GROUPSIZE) ||
                          (o->kind == OPND_SYMBOL && program_symbol(p, o->ref)->kind == SYM_PARAM);
        }
        r.flags |= insn->cc_update != 0 || op_votes(insn->op);
        switch (insn->op) {
        case OP_IF: case OP_ELSE: case OP_REP: case OP_ENDIF: case OP_ENDREP:
            open += insn->op == OP_IF;
            open -= insn->op == OP_ENDIF && open;
            r.flow = true;
            r.broken |= insn->dst.partner == NO_INDEX;
            break;
        case OP_CONT:
            r.parts = true;
            break;
        case OP_BRK:            /* its side may stand behind the loop: loop_jump.c */
            r.parts |= open && i + 1 < p->insns.count && program_insn(p, i + 1)->op != OP_ENDREP;
            break;
        case OP_RET:
            r.ends = true;
            r.parts |= open || condition_restricts(&insn->condition);
            break;
        default:
            break;
        }
    }
    r.product |= r.shorts;
    return r;
}

static bool add_up_costs(struct unroller *u)
{
    uint32_t n = (uint32_t)u->from->insns.count, sum = 0;

    u->costs = gp5_malloc(((size_t)n + 1) * sizeof *u->costs);
    if (!u->costs)
        return model_out_of_memory(u->d);
    for (uint32_t i = 0; i < n; i++) {
        u->costs[i] = sum;
        sum += model_cost(u->from, program_insn(u->from, i), u->live->useful[i], u->live->flags[i]);
    }
    u->costs[n] = sum;
    return true;
}

static bool prepare(struct unroller *u, bool flow)
{
    size_t n = u->from->insns.count;

    u->map = gp5_malloc(n * sizeof *u->map);
    u->labels = gp5_malloc(n + 1);
    if (!u->map || !u->labels || !model_known_new(&u->known, u->from, &u->d->ends, u->d->passes))
        return model_out_of_memory(u->d);
    memset(u->map, 0xff, n * sizeof *u->map);
    memset(u->labels, 0, n + 1);
    for (uint32_t i = 0; i < u->from->symbols.count; i++) {
        const struct symbol *s = program_symbol(u->from, i);
        if (s->kind != SYM_LABEL || !s->defined || s->instruction > n)
            continue;
        u->labels[s->instruction] = 1;
        if (!strcmp(s->name, "main"))
            u->entry = s->instruction;
    }
    u->live = flow ? model_liveness(u->d) : NULL;
    return !flow || (u->live != NULL && add_up_costs(u));
}

static void expand_all(struct unroller *u)
{
    uint8_t saved[8];

    eval_float_enter(saved, FLOAT_KEEP);
    model_walk(u, 0, (uint32_t)u->from->insns.count);
    eval_float_leave(saved);
}

static void free_all(struct unroller *u)
{
    gp5_free(u->costs);
    gp5_free(u->map);
    gp5_free(u->labels);
    model_known_free(&u->known);
}

bool model_unroll(struct model *d, struct unrolled *to)
{
    struct unroller u = {
        .d = d, .from = d->p, .to = to, .idle = NO_INDEX, .bottom = NO_INDEX};
    struct reasons r = find_reasons(d->p);
    bool ok;

    if (!has_pass(d, PASS_constants) || r.broken ||
        !(r.constant || r.parts || r.flags || (r.product && r.flow) || (r.shorts && r.ends)))
        return true;
    to->program = *d->p;
    vec_init(&to->program.insns, sizeof(struct insn));
    vec_init(&to->program.symbols, sizeof(struct symbol));
    vec_init(&to->origin, sizeof(uint32_t));
    vec_init(&to->form, sizeof(uint8_t));
    vec_init(&to->folded, sizeof(struct folded));
    vec_reserve(&to->program.insns, d->p->insns.count);
    vec_reserve(&to->origin, d->p->insns.count);
    vec_reserve(&to->form, d->p->insns.count);
    vec_reserve(&to->folded, d->p->insns.count);
    ok = prepare(&u, r.flow);
    if (ok) {
        expand_all(&u);
        u.failed |= *u.known.failed;
        u.changed = (u.changed && (r.product || r.parts)) || to->nfolded > 0;
        ok = (!u.failed && (!u.changed || model_link_unrolled(u.from, to, u.map))) || model_out_of_memory(d);
    }
    to->used = true;
    if (u.changed) {
        d->p = &to->program;
        model_liveness_forget(d);
    } else {
        model_unroll_free(to);
    }
    free_all(&u);
    return ok;
}

void model_unroll_free(struct unrolled *to)
{
    if (!to->used)
        return;
    vec_free(&to->program.insns);
    vec_free(&to->program.symbols);
    vec_free(&to->origin);
    vec_free(&to->form);
    vec_free(&to->folded);
    to->used = false;
}
