/* Loops whose lanes go on apart when they leave them, and CONTs that end inner loops of their own (apart.c). */
#include "tests/slow/apart.h"

void slow_apart_loop(struct apart *f, uint32_t rep)
{
    uint32_t behind = f->plan->place[rep].to, outer, party = 0;
    bool together = false;
    if (behind >= f->plan->count || slow_apart_insn(f, behind)->op != OP_ENDREP || !slow_is_endless(f, rep) || slow_apart_insn(f, behind - 2)->op == OP_BRK)
        return;
    outer = f->plan->place[behind].loop;
    if (!slow_is_endless(f, outer))
        return;
    for (uint32_t i = outer; i < behind; i++)
        if (f->plan->place[i].loop == outer && slow_apart_jumps(f, i) && !slow_leaves_loop(f, i))
            return;
    for (uint32_t i = rep + 1, depth = 0; i < behind; i++) {
        const struct slow_place *s = &f->plan->place[i];
        depth += slow_apart_insn(f, i)->op == OP_IF && !s->straight && s->loop == rep;
        depth -= slow_apart_insn(f, i)->op == OP_ENDIF && !s->straight && s->loop == rep;
        if (depth && s->loop == rep && slow_apart_insn(f, i)->op == OP_BRK && slow_apart_jumps(f, i))
            return;
    }
    for (uint32_t i = rep + 1; i + 1 < behind; i++) {
        if (f->plan->place[i].loop == rep && slow_apart_insn(f, i)->op == OP_BRK) {
            party += !together;
            f->plan->place[i].party = party;
            together = true;
        } else if (!slow_is_arithmetic(slow_apart_insn(f, i))) {
            together = false;
        }
    }
}

/* ---- CONTs that end loops of their own ------------------------------------------------------------------------------------------------ */

struct inner {
    uint32_t rep, end;
    uint32_t from, to;          /* CONTs that are one, or NO_INDEX */
    uint32_t parts;             /* the last test that is no vote */
    bool brk, done;             /* a BRK stands in front; no more of them */
};

/* Another block begins behind them. */
static void set_inner(struct apart *f, struct inner *n)
{
    if (n->from == NO_INDEX || n->done || n->to >= n->parts)
        return;
    for (uint32_t i = n->from; i <= n->to; i++)
        f->plan->place[i].inner = slow_apart_insn(f, i)->op == OP_CONT && slow_apart_jumps(f, i);
    f->plan->place[n->to + 1].behind = ++f->plan->place[n->rep].inners;
    n->from = NO_INDEX;
    n->done = n->brk;
}

static uint32_t inner_if(struct apart *f, struct inner *n, uint32_t i)
{
    uint32_t end = slow_end_of_if(f, i);
    bool again = false, leave = false, more = false;
    for (uint32_t k = i; k <= end; k++) {
        if (slow_apart_jumps(f, k) && f->plan->place[k].loop == n->rep) {
            again |= slow_apart_insn(f, k)->op == OP_CONT;
            leave |= slow_apart_insn(f, k)->op == OP_BRK;
        } else {
            more |= slow_makes_more(f, k) && slow_apart_insn(f, k)->op != OP_BRK && slow_apart_insn(f, k)->op != OP_CONT;
        }
    }
    if (more)
        set_inner(f, n);
    n->done |= (again || leave) && (more || f->plan->place[i].straight || !slow_conts_fold(f, i, n->rep));
    if (again && !leave && !more && !n->brk && !n->done) {
        n->from = n->from == NO_INDEX ? i : n->from;
        n->to = end;
    }
    n->brk |= leave;
    return end;
}

static bool is_always(const struct apart *f, uint32_t i)
{
    return !condition_restricts(&slow_apart_insn(f, i)->condition) || f->plan->place[i].outcome == TEST_PASSES;
}

static uint32_t inner_place(struct apart *f, struct inner *n, uint32_t i)
{
    const struct insn *insn = slow_apart_insn(f, i);
    if (insn->op == OP_REP) {
        set_inner(f, n);
        return f->plan->place[i].to - 1;
    }
    if (insn->op == OP_IF)
        return inner_if(f, n, i);
    if (slow_apart_jumps(f, i)) {
        n->done |= is_always(f, i);
        n->brk |= insn->op == OP_BRK;
        if (insn->op == OP_CONT && !n->brk && !n->done) {
            n->from = n->from == NO_INDEX ? i : n->from;
            n->to = i;
        }
    } else if (insn->op != OP_BRK && insn->op != OP_CONT && (slow_makes_more(f, i) || op_votes(insn->op))) {
        n->done |= insn->op == OP_RET && is_always(f, i);
        set_inner(f, n);
    }
    return i;
}

void slow_find_inner(struct apart *f, uint32_t rep)
{
    struct inner n = {.rep = rep, .end = f->plan->place[rep].to - 1, .from = NO_INDEX};
    for (uint32_t i = rep + 1; i < n.end; i++) {
        unsigned op = slow_apart_insn(f, i)->op;
        if (op_flows(op) && op != OP_ELSE && op != OP_ENDIF && op != OP_REP && !slow_looks_at_vote(f, i))
            n.parts = i;
    }
    if (!slow_is_endless(f, rep) || (slow_apart_insn(f, n.end - 1)->op == OP_CONT && slow_apart_jumps(f, n.end - 1)))
        return;
    for (uint32_t i = rep + 1; i < n.end && !n.done; i++)
        i = inner_place(f, &n, i);
    for (uint32_t i = rep + 1; i < n.end; i++)      /* how many are still to come */
        if (f->plan->place[i].behind && (f->plan->place[i].loop == rep || slow_apart_insn(f, i)->op == OP_REP))
            f->plan->place[i].behind = f->plan->place[rep].inners - f->plan->place[i].behind + 1;
}
