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
    bool same;                  /* nobody leaves the loop by itself */
    bool counts;                /* but for those who count apart */
    bool voted;                 /* a CONT by vote stands in front */
    bool loose;                 /* nobody is to wait at the end, if votes decide every other CONT */
    bool whole;                 /* nor comes to it while others are elsewhere */
    uint32_t block;             /* the first place that is more than arithmetic and CONTs */
};

/* IFs around nothing but arithmetic, or, where they take what a vote says, around nothing that flows. */
static bool is_if_without_blocks(const struct apart *f, uint32_t i)
{
    for (uint32_t k = i + 1, end = slow_end_of_if(f, i); k < end; k++)
        if (op_flows(slow_apart_insn(f, k)->op) ? slow_apart_insn(f, k)->op != OP_IF && slow_apart_insn(f, k)->op != OP_ELSE && slow_apart_insn(f, k)->op != OP_ENDIF
                                                : !slow_is_arithmetic(slow_apart_insn(f, k)) && !slow_looks_at_vote(f, i))
            return false;
    return true;
}

/* Whether no lane goes another way than others between a place and the end of the round. */
static bool goes_one_way(const struct apart *f, const struct inner *n, uint32_t i)
{
    for (; i < n->end && !n->counts; i++) {
        const struct insn *insn = slow_apart_insn(f, i);
        bool asks = condition_restricts(&insn->condition), same = !op_flows(insn->op) || f->plan->place[i].straight;
        switch (insn->op) {
        case OP_ELSE: case OP_ENDIF: case OP_ENDREP: same = true; break;
        case OP_REP: same |= !insn->nsrc || program_operand(f->p->text, insn->src)->kind == OPND_CONSTANT; break;
        case OP_CAL: same |= !asks; break;
        case OP_IF: same |= slow_apart_insn(f, i + 1)->op == OP_BRK || is_if_without_blocks(f, i); break;
        case OP_BRK: same |= !slow_apart_jumps(f, i) || !slow_asks_by_lane(f, i); break;
        case OP_CONT: same |= !slow_apart_jumps(f, i) || slow_votes_round(f, i); break;
        default: break;
        }
        if (!same)
            return false;
    }
    return !n->counts;
}

/* Who takes one of these CONTs, and who takes none, go on by themselves. */
static void send_round(struct apart *f, struct inner *n)
{
    for (uint32_t i = n->from; i <= n->to; i++) {
        if (slow_apart_insn(f, i)->op == OP_IF && slow_goes_again_otherwise(f, i, n->rep))
            return;
    }
    for (uint32_t i = n->from; i <= n->to; i++) {
        if (slow_apart_insn(f, i)->op == OP_CONT && slow_apart_jumps(f, i))
            f->plan->place[i].away = n->to + 1;
        f->plan->place[i].predicated |= slow_apart_insn(f, i)->op == OP_IF;
    }
    f->plan->place[n->to + 1].divides = true;
    f->plan->place[n->rep].loose = f->plan->place[n->rep].schedules = true;
}

/* Whether an IF has nothing in it but CONTs, arithmetic and IFs. */
static bool goes_round_alone(const struct apart *f, uint32_t i)
{
    bool again = false;
    for (uint32_t k = i + 1, end = slow_end_of_if(f, i); k < end; k++) {
        if (slow_makes_more(f, k) && slow_apart_insn(f, k)->op != OP_CONT)
            return false;
        again |= slow_apart_insn(f, k)->op == OP_CONT && slow_apart_jumps(f, k);
    }
    return again;
}

static bool has_vote(const struct apart *f, uint32_t i)
{
    uint32_t end = slow_end_of_if(f, i);
    while (i < end && !(slow_apart_insn(f, i)->op == OP_CONT && slow_apart_jumps(f, i) && slow_looks_at_vote(f, i)))
        i++;
    return i < end;
}

/* Another block begins behind them. */
static void set_inner(struct apart *f, struct inner *n)
{
    if (n->from == NO_INDEX || n->done || (!n->same && n->to >= n->parts))
        return;
    if (n->whole && n->block < n->from && goes_one_way(f, n, n->to + 1)) {
        send_round(f, n);
        n->done = true;
        return;
    }
    for (uint32_t i = n->from; i <= n->to; i++) {
        f->plan->place[i].predicated |= slow_apart_insn(f, i)->op == OP_IF && goes_round_alone(f, i) && !has_vote(f, i);
        f->plan->place[i].inner = slow_apart_insn(f, i)->op == OP_CONT && slow_apart_jumps(f, i);
    }
    f->plan->place[n->to + 1].behind = ++f->plan->place[n->rep].inners;
    n->from = NO_INDEX;
    n->done = n->brk;
}

/* The place where those lanes go round, or their IF ends, that go round by themselves at once: behind arithmetic and votes; or 0. */
static uint32_t then_goes_round(const struct apart *f, uint32_t i)
{
    uint32_t end;
    while (!slow_makes_more(f, i) && slow_apart_insn(f, i)->op != OP_IF && slow_apart_insn(f, i)->op != OP_ELSE && slow_apart_insn(f, i)->op != OP_ENDIF)
        i++;
    if (slow_apart_insn(f, i)->op == OP_CONT)
        return slow_votes_round(f, i) ? 0 : i;
    if (slow_apart_insn(f, i)->op != OP_IF || f->plan->place[i].straight || !goes_round_alone(f, i))
        return 0;
    for (end = slow_end_of_if(f, i); i < end; i++)
        if (slow_apart_insn(f, i)->op == OP_CONT && slow_apart_jumps(f, i) && !slow_votes_round(f, i))
            return end;
    return 0;
}

/* Whether every CONT of the loop in an IF is the last of the same side of it, and none comes at once behind it. */
static bool ends_by_going_round(const struct apart *f, uint32_t i, uint32_t rep)
{
    uint32_t depth = 0, then = slow_end_of_if(f, i) + 1;
    bool here[2] = {false, false};
    while (slow_is_arithmetic(slow_apart_insn(f, then)))
        then++;
    if (slow_apart_insn(f, then)->op == OP_CONT || then_goes_round(f, then))
        return false;
    for (uint32_t k = i, end = slow_end_of_if(f, i); k < end; k++) {
        uint32_t next = k + 1;
        depth += slow_apart_insn(f, k)->op == OP_IF;
        depth -= slow_apart_insn(f, k)->op == OP_ENDIF;
        if (slow_apart_insn(f, k)->op != OP_CONT || f->plan->place[k].loop != rep || !slow_apart_jumps(f, k))
            continue;
        while (slow_is_arithmetic(slow_apart_insn(f, next)))
            next++;
        if (depth != 1 || (slow_apart_insn(f, next)->op != OP_ELSE && slow_apart_insn(f, next)->op != OP_ENDIF))
            return false;
        here[slow_apart_insn(f, next)->op == OP_ELSE] = true;
    }
    return !(here[0] && here[1]);
}

/* Whether every CONT in an IF is the last in it. */
static bool is_left_so(const struct apart *f, uint32_t i, uint32_t rep)
{
    for (uint32_t end = slow_end_of_if(f, i); i < end; i++) {
        uint32_t next = i + 1;
        if (slow_apart_insn(f, i)->op != OP_CONT || f->plan->place[i].loop != rep || !slow_apart_jumps(f, i))
            continue;
        while (slow_is_arithmetic(slow_apart_insn(f, next)))
            next++;
        next += slow_apart_insn(f, next)->op == OP_ELSE;
        if (next != end)
            return false;
    }
    return true;
}

/* Whether lanes go round by themselves, or in an IF, between a place and the end of the round. */
static bool goes_round_later(const struct apart *f, const struct inner *n, uint32_t i)
{
    for (uint32_t depth = 0; i < n->end; i++) {
        if (f->plan->place[i].loop != n->rep || f->plan->place[i].straight)
            continue;
        depth += slow_apart_insn(f, i)->op == OP_IF;
        depth -= slow_apart_insn(f, i)->op == OP_ENDIF;
        if (slow_apart_insn(f, i)->op == OP_CONT && slow_apart_jumps(f, i) && (depth || !slow_votes_round(f, i)))
            return true;
    }
    return false;
}

/* An IF of a loop that is left together, with CONTs by vote. */
static void inner_vote(struct apart *f, struct inner *n, uint32_t i, uint32_t end)
{
    uint32_t last = end, next;
    bool left = is_left_so(f, i, n->rep);
    set_inner(f, n);
    n->block = i < n->block ? i : n->block;
    if (n->done || n->brk)
        return;
    if (n->counts) {
        n->done = !left;
        if (left && !n->voted && !f->plan->place[n->rep].inners) {
            n->from = i;
            n->to = end;
            set_inner(f, n);
        }
        n->voted = true;
        return;
    }
    for (next = last; next && left; next = then_goes_round(f, last + 1))
        last = next;
    n->done = !left || goes_one_way(f, n, last + 1);
    if (n->done) {
        n->loose = left ? last == end : !goes_round_later(f, n, end + 1);
        return;
    }
    n->from = i;
    n->to = end;
    set_inner(f, n);
}

static uint32_t inner_if(struct apart *f, struct inner *n, uint32_t i)
{
    uint32_t end = slow_end_of_if(f, i);
    bool again = false, leave = false, more = false, votes = true;
    for (uint32_t k = i; k <= end; k++) {
        if (slow_apart_jumps(f, k) && f->plan->place[k].loop == n->rep) {
            again |= slow_apart_insn(f, k)->op == OP_CONT;
            leave |= slow_apart_insn(f, k)->op == OP_BRK;
            votes &= slow_votes_round(f, k);
        } else {
            more |= slow_makes_more(f, k) && slow_apart_insn(f, k)->op != OP_BRK && slow_apart_insn(f, k)->op != OP_CONT;
        }
    }
    if (n->same && again && votes && !f->plan->place[i].straight) {
        inner_vote(f, n, i, end);
        return end;
    }
    if (more)
        set_inner(f, n);
    if (more && again && !leave && n->same && !n->done && !n->brk && !f->plan->place[i].straight && ends_by_going_round(f, i, n->rep) && !goes_one_way(f, n, end + 1)) {
        n->block = i < n->block ? i : n->block;
        n->from = i;
        n->to = end;
        set_inner(f, n);
        return end;
    }
    if (more && i < n->block)
        n->block = i;
    if (leave && n->whole && n->block < n->from)
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
        n->block = i < n->block ? i : n->block;
        return f->plan->place[i].to - 1;
    }
    if (insn->op == OP_IF)
        return inner_if(f, n, i);
    if (slow_apart_jumps(f, i)) {
        n->done |= is_always(f, i);
        if (insn->op == OP_BRK && n->whole && n->block < n->from)
            set_inner(f, n);
        n->brk |= insn->op == OP_BRK;
        if (n->same && !n->done && slow_votes_round(f, i)) {
            set_inner(f, n);
            n->block = i < n->block ? i : n->block;
            n->voted = true;
            if (n->done || n->brk || n->counts || goes_one_way(f, n, i + 1))
                return i;
            n->from = n->to = i;
            set_inner(f, n);
        } else if (insn->op == OP_CONT && !n->brk && !n->done) {
            n->from = n->from == NO_INDEX ? i : n->from;
            n->to = i;
        }
    } else if (insn->op != OP_BRK && insn->op != OP_CONT && (slow_makes_more(f, i) || op_votes(insn->op))) {
        n->done |= insn->op == OP_RET && is_always(f, i);
        set_inner(f, n);
        if (i < n->block && !(op_votes(insn->op) && insn->op != OP_TGBALLOT && insn->cc_update))
            n->block = i;
    }
    return i;
}

/* CONTs by vote that end no loop of their own: the IF around one has sides that do not meet; and who takes it goes straight to the beginning where nobody
 * waits for him. */
static void part_votes(struct apart *f, struct inner *n)
{
    uint32_t around = NO_INDEX;
    for (uint32_t i = n->rep + 1; i < n->end; i++) {
        const struct slow_place *s = &f->plan->place[i];
        n->loose &= slow_apart_insn(f, i)->op != OP_CONT || s->loop != n->rep || !slow_apart_jumps(f, i) || s->inner || s->away || slow_votes_round(f, i);
    }
    if (n->loose)
        f->plan->place[n->rep].loose = f->plan->place[n->rep].schedules = true;
    for (uint32_t i = n->rep + 1; i < n->end; i++) {
        struct slow_place *s = &f->plan->place[i];
        if (s->loop != n->rep || s->straight)
            continue;
        if (slow_apart_insn(f, i)->op == OP_IF)
            around = i;
        if (!slow_votes_round(f, i) || s->inner || s->away)
            continue;
        while (around != NO_INDEX && slow_end_of_if(f, around) < i)
            around = slow_if_around(f, around, n->rep) == n->rep ? NO_INDEX : slow_if_around(f, around, n->rep);
        if (around != NO_INDEX)
            f->plan->place[around].parts = true;
        if (f->plan->place[n->rep].loose) {
            s->away = i + 1;
            f->plan->place[i + 1].divides = true;
        }
    }
}

void slow_find_inner(struct apart *f, uint32_t rep)
{
    struct inner n = {.rep = rep, .end = f->plan->place[rep].to - 1, .from = NO_INDEX, .block = NO_INDEX};
    for (uint32_t i = rep + 1; i < n.end; i++) {
        unsigned op = slow_apart_insn(f, i)->op;
        if (op_flows(op) && op != OP_ELSE && op != OP_ENDIF && op != OP_REP && !slow_looks_at_vote(f, i))
            n.parts = i;
    }
    if (!slow_is_endless(f, rep) || (slow_apart_insn(f, n.end - 1)->op == OP_CONT && slow_apart_jumps(f, n.end - 1)))
        return;
    n.whole = !slow_comes_among(f, rep);
    n.same = slow_is_left_together(f, rep, n.end, !n.whole, &n.counts);
    n.counts &= n.same;
    n.whole &= n.same && !n.counts;
    for (uint32_t i = rep + 1; i < n.end && !n.done; i++)
        i = inner_place(f, &n, i);
    if (n.same)
        part_votes(f, &n);
    for (uint32_t i = rep + 1; i < n.end; i++)      /* how many are still to come */
        if (f->plan->place[i].behind && (f->plan->place[i].loop == rep || slow_apart_insn(f, i)->op == OP_REP))
            f->plan->place[i].behind = f->plan->place[rep].inners - f->plan->place[i].behind + 1;
}
