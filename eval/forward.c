/* Where blocks of a program go on, calls taken for one instruction. */
#include "eval/forward.h"

bool eval_is_entered(const struct liveness *l, uint32_t insn)
{
    return insn < l->p->insns.count && l->label[insn];
}

struct edges {
    const struct liveness *l;
    struct edge *edge;
    unsigned n;
};

/* To what begins at an instruction; a label that is run into returns, as does the end. */
static void go_to(struct edges *e, uint32_t insn, struct edge how)
{
    if (insn >= e->l->p->insns.count || e->l->label[insn] || e->n == MAX_EDGES)
        return;
    how.to = e->l->block[insn];
    e->edge[e->n++] = how;
}

/* Out of the loop that ends at `end`; copies of a body leave nothing behind that runs again. */
static struct edge leaving(const struct liveness *l, uint32_t end)
{
    uint32_t rep = program_insn(l->p, end)->partner;
    bool runs_again = rep != NO_INDEX && eval_form(l->d, rep) != FORM_OPEN;

    return (struct edge){.call = NO_INDEX, .left = runs_again ? rep : 0, .left_end = runs_again ? end : 0};
}

static void go_to_phases(struct edges *e, uint32_t rep, struct edge stays)
{
    const struct liveness *l = e->l;

    go_to(e, rep + 1, stays);
    for (uint32_t i = rep; i < program_insn(l->p, rep)->partner; i++)
        if (eval_form(l->d, i) == FORM_PHASE)
            go_to(e, i + 1, stays);
    go_to(e, program_insn(l->p, rep)->partner + 1, leaving(l, program_insn(l->p, rep)->partner));
}

unsigned eval_edges(const struct liveness *l, uint32_t block, struct edge edge[MAX_EDGES])
{
    uint32_t last = l->start[block + 1] - 1;
    const struct insn *insn = program_insn(l->p, last);
    struct edges e = {.l = l, .edge = edge};
    struct edge stays = {.call = NO_INDEX};
    bool always = !condition_restricts(&insn->condition), plain = eval_form(l->d, last) == FORM_PLAIN && insn->partner != NO_INDEX;

    switch (plain || eval_form(l->d, last) == FORM_PHASED || eval_form(l->d, last) == FORM_PHASE ? insn->op : OP_COUNT) {
    case OP_IF:
        go_to(&e, insn->partner + 1, stays);
        if (program_insn(l->p, insn->partner)->op == OP_ENDIF)
            go_to(&e, insn->partner, stays);
        break;
    case OP_ELSE:
        go_to(&e, insn->partner, stays);
        return e.n;
    case OP_REP:
        if (eval_form(l->d, last) == FORM_PHASED) {
            go_to_phases(&e, last, stays);
            return e.n;
        }
        if (insn->nsrc)
            go_to(&e, insn->partner + 1, stays);
        break;
    case OP_ENDREP:
        if (eval_form(l->d, last) == FORM_PHASE) {
            go_to_phases(&e, insn->partner, stays);
            return e.n;
        }
        go_to(&e, insn->partner + 1, stays);
        go_to(&e, last + 1, leaving(l, last));
        return e.n;
    case OP_BRK:
        go_to(&e, insn->partner + 1, leaving(l, insn->partner));
        if (always)
            return e.n;
        break;
    case OP_CONT:
        go_to(&e, insn->partner, stays);
        go_to(&e, insn->partner + 1, leaving(l, insn->partner));
        if (always)
            return e.n;
        break;
    case OP_CAL: case OP_CALI:
        stays.call = last;
        break;
    default:
        break;
    }
    if (insn->op == OP_CALI)
        stays.call = last;
    if (insn->op == OP_RET && always)
        return e.n;
    go_to(&e, last + 1, stays);
    return e.n;
}
