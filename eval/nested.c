/* CONTs that end inner loops of their own: REP; a; CONT (c); b; BRK (d); ENDREP; is to the driver's compiler REP; REP; a; BRK (!c); ENDREP; b;
 * BRK (d); ENDREP;. Lanes that do not take such a CONT wait behind it for those that go round once more.
 *
 * So it is in a loop without a count, as long as no BRK of it comes before the CONT, nor an IF with a jump of it and more. CONTs with
 * nothing but arithmetic between them are one, and so is one in an IF with nothing else in it; not with the end of the loop, be there a BRK in
 * between: then it has no block of its own. Some test behind it must not be a vote, which all lanes here answer alike. Measured with ballots (docs/semantics.md, "Divergence"). */
#include "eval/parting_search.h"

#include <string.h>

struct nesting {
    struct parting *p;
    struct decoder *d;
    uint32_t rep, end;          /* the loop */
    uint32_t first, last;       /* the CONTs at hand: NO_INDEX, or where the first one stands and the last one, or their IFs, end */
    bool broken;                /* a BRK came */
    bool stopped;               /* no more of these */
    uint32_t parting;           /* the last place where lanes may part, but for votes */
    uint32_t found;
};

static const struct insn *at(const struct nesting *n, uint32_t i)
{
    return program_insn(n->d->p, i);
}

/* What makes a block of its own comes behind the CONTs at hand. */
static void end_group(struct nesting *n)
{
    if (n->first == NO_INDEX || n->last >= n->parting)
        return;
    for (uint32_t i = n->first; i <= n->last; i++)
        if (at(n, i)->op == OP_CONT && eval_is_loop_jump(n->d, i))
            n->d->nested[i] |= NESTED_CONT;
    n->d->nested[n->last] |= NESTED_END;
    n->first = NO_INDEX;
    n->found++;
    n->stopped |= n->broken;
}

static void take(struct nesting *n, uint32_t from, uint32_t to)
{
    if (n->broken)
        return;
    n->first = n->first == NO_INDEX ? from : n->first;
    n->last = to;
}

/* An IF and what is in it; where it ends. */
static uint32_t look_at_if(struct nesting *n, uint32_t i)
{
    uint32_t end = eval_end_of_if(n->d->p, i);
    bool more = false, brk = false, cont = false, known = eval_form(n->d, i) != FORM_PLAIN;

    for (uint32_t k = i + 1; k < end; k = eval_behind_loop(n->d, k)) {
        const struct insn *insn = at(n, k);
        if (eval_is_loop_jump(n->d, k)) {
            brk |= insn->op == OP_BRK;
            cont |= insn->op == OP_CONT;
        } else {
            more |= !eval_is_own_arithmetic(insn->op) && !eval_is_voted_test(insn) && insn->op != OP_IF && insn->op != OP_ELSE && insn->op != OP_ENDIF;
        }
    }
    if (more)
        end_group(n);
    n->stopped |= (brk || cont) && (more || known || !eval_conts_fold(&n->p->within[i]));
    if (cont && !brk && !more)
        take(n, i, end);
    n->broken |= brk;
    return end;
}

static bool always(const struct nesting *n, uint32_t i)
{
    return !condition_restricts(&at(n, i)->condition) || eval_outcome(n->d, i) == OUTCOME_PASSES;
}

/* What stands in the body itself; where it ends. */
static uint32_t look_at(struct nesting *n, uint32_t i)
{
    const struct insn *insn = at(n, i);

    if (insn->op == OP_REP) {
        end_group(n);
        return eval_behind_loop(n->d, i) - 1;
    }
    if (insn->op == OP_IF && insn->partner != NO_INDEX)
        return look_at_if(n, i);
    if (eval_is_loop_jump(n->d, i)) {
        n->stopped |= always(n, i);
        n->broken |= insn->op == OP_BRK;
        if (insn->op == OP_CONT && !n->stopped)
            take(n, i, i);
    } else if (!eval_is_own_arithmetic(insn->op) && insn->op != OP_BRK && insn->op != OP_CONT) {
        n->stopped |= insn->op == OP_RET && always(n, i);
        if (!n->stopped)
            end_group(n);
    }
    return i;
}

/* A loop that ends with a CONT is left there. */
static bool ends_with_cont(const struct nesting *n)
{
    return at(n, n->end - 1)->op == OP_CONT && eval_is_loop_jump(n->d, n->end - 1);
}

static uint32_t last_parting(const struct nesting *n)
{
    for (uint32_t i = n->end - 1; i > n->rep; i--) {
        unsigned op = at(n, i)->op;
        if ((op == OP_IF || op == OP_BRK || op == OP_CONT || op == OP_RET || op == OP_ENDREP || op == OP_CAL || op == OP_CALI) && !eval_asks_a_vote(n->d, i))
            return i;
    }
    return n->rep;
}

bool eval_find_nested(struct parting *p)
{
    struct decoder *d = p->d;
    uint32_t n = (uint32_t)d->p->insns.count;

    d->nested = gp5_malloc((n + 1) * sizeof *d->nested);
    if (!d->nested)
        return eval_out_of_memory(d);
    memset(d->nested, 0, (n + 1) * sizeof *d->nested);
    for (uint32_t i = 0; i < n; i++) {
        struct nesting loop = {.p = p, .d = d, .end = i, .first = NO_INDEX};
        if (!eval_ends_endless_loop(d, i))
            continue;
        loop.rep = program_insn(d->p, i)->partner;
        loop.parting = last_parting(&loop);
        if (ends_with_cont(&loop))
            continue;
        eval_look_into_ifs(p, loop.rep + 1, i);
        for (uint32_t k = loop.rep + 1; k < i && !loop.stopped; k++)
            k = look_at(&loop, k);
        d->nested[loop.rep] = loop.found;
    }
    return true;
}
