/* Lanes that go on apart where the driver's do (docs/semantics.md, "Divergence"): the sides of IFs with a CONT until the round ends, the lanes that
 * leave an endless loop at the end of another one's body until they leave that one, those that leave a loop that begins with a RET until they return,
 * and those that came back from a subroutine by RETs that votes decide. */
#include "tests/slow/plan.h"

#include <stdlib.h>

struct finder {
    const struct slow_program *p;
    struct slow_plan *plan;
};

static const struct insn *insn_at(const struct finder *f, uint32_t i)
{
    return program_insn(f->p->text, f->plan->place[i].insn);
}

static bool is_jump(const struct finder *f, uint32_t i)
{
    const struct slow_place *s = &f->plan->place[i];
    const struct insn *insn = insn_at(f, i);
    return (insn->op == OP_BRK || insn->op == OP_CONT) && insn->partner != NO_INDEX && insn->condition.rule != CC_FL && !s->straight &&
           s->outcome != TEST_FAILS;
}

/* Only of the lane's own registers. */
static bool is_arithmetic(const struct insn *insn)
{
    switch (insn->op) {
    case OP_BAR: case OP_MEMBAR: case OP_ATOMCTR: case OP_ATOMCTROP: case OP_KIL: return false;
    default: return !op_flows(insn->op) && !slow_looks_at_others(insn->op) && !slow_is_memory(insn->op) && (!slow_is_image(insn->op) || insn->op == OP_IMQ);
    }
}

/* Than arithmetic, votes that only set flags and IFs around it. */
static bool makes_more(const struct finder *f, uint32_t i)
{
    unsigned op = insn_at(f, i)->op;
    return !(op_votes(op) && op != OP_TGBALLOT && insn_at(f, i)->cc_update) && !is_arithmetic(insn_at(f, i)) && op != OP_IF && op != OP_ELSE && op != OP_ENDIF && !f->plan->place[i].straight;
}

/* Whether no other round comes behind a jump. */
static bool leaves(const struct finder *f, uint32_t i)
{
    const struct slow_place *s = &f->plan->place[i], *end, *rep = s->loop == NO_INDEX ? NULL : &f->plan->place[s->loop];
    if (insn_at(f, i)->op == OP_BRK || s->to == NO_INDEX || !rep)
        return true;
    end = &f->plan->place[s->to];
    if (end->again == NO_INDEX)
        return !rep->phased;
    for (uint32_t k = s->to + 1; end->again == s->to + 1 && k < f->plan->count; k++) {
        if (insn_at(f, k)->op == OP_BRK && f->plan->place[k].outcome == TEST_PASSES)
            return true;
        if (!is_arithmetic(insn_at(f, k)) && !f->plan->place[k].straight)
            return false;
    }
    return false;
}

static uint32_t end_of_if(const struct finder *f, uint32_t i)
{
    unsigned depth = 0;
    for (; i < f->plan->count; i++) {
        depth += insn_at(f, i)->op == OP_IF;
        if (insn_at(f, i)->op == OP_ENDIF && --depth == 0)
            break;
    }
    return i;
}

static bool looks_at_a_vote(const struct finder *f, uint32_t i)
{
    while (i-- && !insn_at(f, i)->cc_update && !op_flows(insn_at(f, i)->op))
        ;
    return i != UINT32_MAX && insn_at(f, i)->cc_update && op_votes(insn_at(f, i)->op);
}

/* Whether an IF that stands in no other one of a round has a CONT in it, not in IFs in it, that a vote decides, and is no end of an inner loop. */
static bool votes_for_cont(const struct finder *f, uint32_t from, uint32_t end, uint32_t loop)
{
    uint32_t depth = 0;
    for (uint32_t k = from + 1; k < end; k++) {
        const struct slow_place *s = &f->plan->place[k];
        if (s->loop != loop || s->straight)
            continue;
        depth += insn_at(f, k)->op == OP_IF;
        depth -= insn_at(f, k)->op == OP_ENDIF;
        if (!depth && insn_at(f, k)->op == OP_CONT && is_jump(f, k) && !leaves(f, k) && !s->inner && looks_at_a_vote(f, k))
            return true;
    }
    return false;
}

/* What an IF of a round has in its sides: jumps to the next round, jumps out of the loop, more than arithmetic. */
struct sides {
    bool again[2], leave[2], more[2];
    bool inner;                 /* a CONT that ends a loop of its own */
};

static struct sides look_into(const struct finder *f, uint32_t i, uint32_t loop)
{
    struct sides sides = {.inner = false};
    uint32_t depth = 0, end = end_of_if(f, i);
    unsigned side = 0;
    for (uint32_t k = i + 1; k < end; k++) {
        const struct slow_place *s = &f->plan->place[k];
        depth += insn_at(f, k)->op == OP_IF;
        depth -= insn_at(f, k)->op == OP_ENDIF;
        side |= !depth && insn_at(f, k)->op == OP_ELSE;
        if (s->loop == loop && is_jump(f, k)) {
            sides.again[side] |= !leaves(f, k);
            sides.leave[side] |= leaves(f, k);
            sides.inner |= s->inner;
        } else {
            sides.more[side] |= makes_more(f, k) && s->outcome != TEST_FAILS;
        }
    }
    return sides;
}

/* CONTs alone are one with more conditions: but not in both sides, nor, in a loop with a count, in the ELSE side. */
static bool is_cont_alone(const struct sides *s, bool counted)
{
    if (s->leave[0] || s->leave[1] || s->more[0] || s->more[1])
        return false;
    return s->inner || !s->again[1] || (!s->again[0] && !counted);
}

/* The IF around another one, or `none`. */
static uint32_t if_around(const struct finder *f, uint32_t i, uint32_t none)
{
    for (uint32_t k = i; k-- > none + 1;)
        if (insn_at(f, k)->op == OP_IF && !f->plan->place[k].straight && end_of_if(f, k) > i)
            return k;
    return none;
}

/* Whether nothing but arithmetic stands between the end of an IF and the ELSE of the one around it. */
static bool ends_at_else(const struct finder *f, uint32_t i)
{
    for (i = end_of_if(f, i) + 1; is_arithmetic(insn_at(f, i)); i++)
        ;
    return insn_at(f, i)->op == OP_ELSE && !f->plan->place[i].straight;
}

static uint32_t else_of(const struct finder *f, uint32_t i)
{
    uint32_t depth = 0, k = i, end = end_of_if(f, i);
    for (; k < end; k++) {
        depth += insn_at(f, k)->op == OP_IF;
        depth -= insn_at(f, k)->op == OP_ENDIF;
        if (depth == 1 && insn_at(f, k)->op == OP_ELSE)
            break;
    }
    return k;
}

/* Whether an IF has only one side. `without`: those go around it whose test does not pass, or the others. */
static bool has_one_side(const struct finder *f, uint32_t i, bool *without)
{
    uint32_t otherwise = else_of(f, i), end = end_of_if(f, i);
    *without = otherwise == end || otherwise != i + 1;
    return otherwise == end || otherwise == i + 1 || otherwise + 1 == end;
}

/* Those who go around an IF that is all, but for arithmetic in front of it, of an IF around it go with those who go around that one. */
static void join_ways_around(struct finder *f, uint32_t i, uint32_t around)
{
    uint32_t before = i - 1, behind = end_of_if(f, i) + 1, otherwise = else_of(f, around), end = end_of_if(f, around);
    struct slow_place *s = &f->plan->place[i], *outer = &f->plan->place[around];
    bool without, outer_without;
    while (is_arithmetic(insn_at(f, before)))
        before--;
    if (!has_one_side(f, i, &without) || !has_one_side(f, around, &outer_without) || (before != around && before != otherwise) ||
        (behind != end && (behind != otherwise || otherwise + 1 != end)))
        return;
    s->joined = outer->joined + 1;
    s->without = without;
    s->first_without = outer->joined ? outer->first_without : outer_without;
}

/* A round of a loop: from behind place `from` up to the end of that copy. */
static void look_at_round(struct finder *f, uint32_t from, uint32_t loop)
{
    uint32_t last = 0, apart = 0, to = from + 1, behind = 0;
    bool lanes_decide = false, counted = from == loop && insn_at(f, loop)->nsrc && !f->plan->place[loop].straight;
    for (; to < f->plan->count && !(insn_at(f, to)->op == OP_ENDREP && f->plan->place[to].loop == loop); to++) {
        if (f->plan->place[to].loop != loop || !is_jump(f, to))
            continue;
        if (leaves(f, to))
            last = to;
        else
            lanes_decide |= !looks_at_a_vote(f, to);
    }
    for (uint32_t i = from + 1; i < to; i++) {
        const struct slow_place *s = &f->plan->place[i];
        uint32_t end, around;
        struct sides sides;
        bool outermost = i > behind, parts;
        if (s->loop != loop || insn_at(f, i)->op != OP_IF || s->straight)
            continue;
        end = end_of_if(f, i);
        behind = outermost ? end : behind;
        sides = look_into(f, i, loop);
        around = if_around(f, i, from);
        parts = (around == from || f->plan->place[around].parts) && (last > i || apart > i) && (sides.again[0] || sides.again[1]) && !is_cont_alone(&sides, counted);
        parts |= outermost && !lanes_decide && votes_for_cont(f, i, end, loop);
        if (!parts && (sides.again[0] || sides.again[1] || sides.leave[0] || sides.leave[1]) && ends_at_else(f, i)) {
            if (around != from && f->plan->place[around].parts) {
                struct sides outer = look_into(f, around, loop);
                parts = outer.again[1] || outer.leave[1] || outer.more[1];
            }
        }
        f->plan->place[i].parts = parts;
        if (parts && around != from && f->plan->place[around].parts && (sides.leave[0] || sides.leave[1] || sides.more[0] || sides.more[1]))
            join_ways_around(f, i, around);
        apart = parts && apart < end ? end : apart;
    }
}

static bool is_endless(const struct finder *f, uint32_t rep)
{
    const struct slow_place *s = rep == NO_INDEX ? NULL : &f->plan->place[rep];
    return s && insn_at(f, rep)->nsrc == 0 && !s->straight && !s->phased;
}

/* How many BRKs or RETs of a loop, and of those in it, may be taken. */
static unsigned jumps(const struct finder *f, uint32_t rep, unsigned op, bool inside)
{
    unsigned n = 0;
    for (uint32_t i = rep + 1; i < f->plan->place[rep].to; i++)
        n += insn_at(f, i)->op == op && (inside || f->plan->place[i].loop == rep) && f->plan->place[i].outcome != TEST_FAILS &&
             insn_at(f, i)->condition.rule != CC_FL && !f->plan->place[i].straight;
    return n;
}

/* A loop that ends where the next round of the one around it begins. */
static void look_at_loop(struct finder *f, uint32_t rep)
{
    uint32_t behind = f->plan->place[rep].to, outer, party = 0;
    bool together = false;
    if (behind >= f->plan->count || insn_at(f, behind)->op != OP_ENDREP || !is_endless(f, rep) || insn_at(f, behind - 2)->op == OP_BRK)
        return;
    outer = f->plan->place[behind].loop;
    if (!is_endless(f, outer))
        return;
    for (uint32_t i = outer; i < behind; i++)
        if (f->plan->place[i].loop == outer && is_jump(f, i) && !leaves(f, i))
            return;
    for (uint32_t i = rep + 1, depth = 0; i < behind; i++) {
        const struct slow_place *s = &f->plan->place[i];
        depth += insn_at(f, i)->op == OP_IF && !s->straight && s->loop == rep;
        depth -= insn_at(f, i)->op == OP_ENDIF && !s->straight && s->loop == rep;
        if (depth && s->loop == rep && insn_at(f, i)->op == OP_BRK && is_jump(f, i))
            return;
    }
    for (uint32_t i = rep + 1; i + 1 < behind; i++) {
        if (f->plan->place[i].loop == rep && insn_at(f, i)->op == OP_BRK) {
            party += !together;
            f->plan->place[i].party = party;
            together = true;
        } else if (!is_arithmetic(insn_at(f, i))) {
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
static void set_inner(struct finder *f, struct inner *n)
{
    if (n->from == NO_INDEX || n->done || n->to >= n->parts)
        return;
    for (uint32_t i = n->from; i <= n->to; i++)
        f->plan->place[i].inner = insn_at(f, i)->op == OP_CONT && is_jump(f, i);
    f->plan->place[n->to + 1].behind = ++f->plan->place[n->rep].inners;
    n->from = NO_INDEX;
    n->done = n->brk;
}

static uint32_t inner_if(struct finder *f, struct inner *n, uint32_t i)
{
    uint32_t end = end_of_if(f, i);
    bool again = false, leave = false, more = false;
    for (uint32_t k = i; k <= end; k++) {
        if (is_jump(f, k) && f->plan->place[k].loop == n->rep) {
            again |= insn_at(f, k)->op == OP_CONT;
            leave |= insn_at(f, k)->op == OP_BRK;
        } else {
            more |= makes_more(f, k) && insn_at(f, k)->op != OP_BRK && insn_at(f, k)->op != OP_CONT;
        }
    }
    if (more)
        set_inner(f, n);
    n->done |= (again || leave) && (more || f->plan->place[i].straight);
    if (again && !leave && !more && !n->brk && !n->done) {
        n->from = n->from == NO_INDEX ? i : n->from;
        n->to = end;
    }
    n->brk |= leave;
    return end;
}

static bool is_always(const struct finder *f, uint32_t i)
{
    return !condition_restricts(&insn_at(f, i)->condition) || f->plan->place[i].outcome == TEST_PASSES;
}

static uint32_t inner_place(struct finder *f, struct inner *n, uint32_t i)
{
    const struct insn *insn = insn_at(f, i);
    if (insn->op == OP_REP) {
        set_inner(f, n);
        return f->plan->place[i].to - 1;
    }
    if (insn->op == OP_IF)
        return inner_if(f, n, i);
    if (is_jump(f, i)) {
        n->done |= is_always(f, i);
        n->brk |= insn->op == OP_BRK;
        if (insn->op == OP_CONT && !n->brk && !n->done) {
            n->from = n->from == NO_INDEX ? i : n->from;
            n->to = i;
        }
    } else if (insn->op != OP_BRK && insn->op != OP_CONT && (makes_more(f, i) || op_votes(insn->op))) {
        n->done |= insn->op == OP_RET && is_always(f, i);
        set_inner(f, n);
    }
    return i;
}

static void look_for_inner(struct finder *f, uint32_t rep)
{
    struct inner n = {.rep = rep, .end = f->plan->place[rep].to - 1, .from = NO_INDEX};
    for (uint32_t i = rep + 1; i < n.end; i++) {
        unsigned op = insn_at(f, i)->op;
        if (op_flows(op) && op != OP_ELSE && op != OP_ENDIF && op != OP_REP && !looks_at_a_vote(f, i))
            n.parts = i;
    }
    if (!is_endless(f, rep) || (insn_at(f, n.end - 1)->op == OP_CONT && is_jump(f, n.end - 1)))
        return;
    for (uint32_t i = rep + 1; i < n.end && !n.done; i++)
        i = inner_place(f, &n, i);
    for (uint32_t i = rep + 1; i < n.end; i++)      /* how many are still to come */
        if (f->plan->place[i].behind && (f->plan->place[i].loop == rep || insn_at(f, i)->op == OP_REP))
            f->plan->place[i].behind = f->plan->place[rep].inners - f->plan->place[i].behind + 1;
}

/* ---- loops that begin with a RET -------------------------------------------------------------------------------------------------------- */

/* The RET at the top of a loop, in main also the end of an IF with nothing else in it. */
static uint32_t return_at_top(const struct finder *f, uint32_t rep, bool in_main)
{
    uint32_t i = rep + 1;
    while (i < f->plan->place[rep].to && is_arithmetic(insn_at(f, i)))
        i++;
    if (in_main && is_endless(f, rep) && insn_at(f, i)->op == OP_IF && !f->plan->place[i].straight && end_of_if(f, i) == i + 2 &&
        insn_at(f, i + 1)->op == OP_RET && !condition_restricts(&insn_at(f, i + 1)->condition))
        return i + 2;
    return is_endless(f, rep) && insn_at(f, i)->op == OP_RET && condition_restricts(&insn_at(f, i)->condition) && insn_at(f, i)->condition.rule != CC_FL &&
                   f->plan->place[i].outcome == TEST_LOOKED_AT
               ? i : NO_INDEX;
}

/* Whether a write of the loop reaches what is read at a place in the next round. */
static bool is_new_each_round(const struct finder *f, uint32_t rep, uint32_t at, unsigned steps)
{
    const struct insn *reader = insn_at(f, at);
    if (!steps)
        return true;
    for (unsigned k = 0; k < reader->nsrc; k++) {
        const struct operand *o = program_operand(f->p->text, reader->src + k);
        for (uint32_t i = rep + 1; o->kind == OPND_SYMBOL && i + 1 < f->plan->place[rep].to; i++) {
            const struct result *r = &insn_at(f, i)->dst;
            if (r->kind == OPND_SYMBOL && r->ref == o->ref && r->mask >> (o->swizzle & 3) & 1 && (i > at || is_new_each_round(f, rep, i, steps - 1)))
                return true;
        }
    }
    return false;
}

static bool is_hoisted(const struct finder *f, uint32_t rep, uint32_t ret)
{
    for (uint32_t i = ret; i-- > rep + 1;)
        if (insn_at(f, i)->cc_update)
            return !is_new_each_round(f, rep, i, 9) && !jumps(f, rep, OP_CAL, true) && !jumps(f, rep, OP_CALI, true);
    return false;
}

/* Whether the compiler has more than one block for it. */
static bool is_block(const struct finder *f, uint32_t i)
{
    const struct slow_place *s = &f->plan->place[i];
    unsigned op = insn_at(f, i)->op;
    bool more = false;
    if (op != OP_IF)
        return op != OP_ELSE && op != OP_ENDIF && op_flows(op) && !s->straight && s->outcome != TEST_FAILS;
    for (uint32_t k = i + 1, end = end_of_if(f, i); k < end && !s->straight; k++)
        more |= !is_arithmetic(insn_at(f, k)) && !op_votes(insn_at(f, k)->op) && insn_at(f, k)->op != OP_ELSE &&
                f->plan->place[k].outcome != TEST_FAILS && !f->plan->place[k].straight;
    return more;
}

/* The only BRK of the loop, behind such a block; or NO_INDEX. */
static uint32_t only_way_out(const struct finder *f, uint32_t rep, bool in_main)
{
    uint32_t ret = return_at_top(f, rep, in_main), brk = NO_INDEX;
    bool blocks = false;
    if (ret == NO_INDEX || jumps(f, rep, OP_BRK, false) != 1 || (in_main && is_hoisted(f, rep, ret)))
        return NO_INDEX;
    for (uint32_t i = ret + 1; i + 1 < f->plan->place[rep].to && brk == NO_INDEX; i++) {
        if (f->plan->place[i].loop == rep && insn_at(f, i)->op == OP_BRK && f->plan->place[i].outcome != TEST_FAILS)
            brk = i;
        blocks |= brk == NO_INDEX && is_block(f, i);
    }
    return blocks ? brk : NO_INDEX;
}

static void note_returns(struct finder *f, uint32_t rep, uint32_t brk)
{
    if (rep == NO_INDEX || brk == NO_INDEX)
        return;
    f->plan->place[rep].returns = true;
    f->plan->place[brk].party = 1;
}

static void look_for_returns(struct finder *f)
{
    uint32_t rep = NO_INDEX, brk = NO_INDEX, depth = 0;
    bool in_main = f->p->entry == 0;
    for (uint32_t i = 0; i < f->plan->count; i++) {
        const struct slow_place *s = &f->plan->place[i];
        unsigned op = insn_at(f, i)->op;
        if (f->p->label[s->insn] && f->plan->first[s->insn] == i) {
            note_returns(f, rep, brk);
            rep = NO_INDEX;
            in_main = s->insn == f->p->entry;
        }
        depth += op == OP_IF && !s->straight;
        depth -= op == OP_ENDIF && !s->straight;
        if (op == OP_REP && !depth && s->loop == NO_INDEX && return_at_top(f, i, in_main) != NO_INDEX) {
            rep = i;
            brk = only_way_out(f, i, in_main);
        }
    }
    note_returns(f, rep, brk);
}

/* ---- RETs that votes decide ------------------------------------------------------------------------------------------------------------ */

enum { GOES_ON, VOTED, CHOSEN, SURE };

static int how_it_returns(const struct finder *f, uint32_t i)
{
    const struct condition *c = &insn_at(f, i)->condition;
    if (insn_at(f, i)->op != OP_RET || c->rule == CC_FL || f->plan->place[i].outcome == TEST_FAILS)
        return GOES_ON;
    if (!condition_restricts(c) || f->plan->place[i].outcome == TEST_PASSES)
        return SURE;
    return looks_at_a_vote(f, i) ? VOTED : CHOSEN;
}

/* The last place of what begins at one. */
static uint32_t end_of_block(const struct finder *f, uint32_t i)
{
    if (insn_at(f, i)->op == OP_REP)
        return f->plan->place[i].to - 1;
    return insn_at(f, i)->op == OP_IF && !f->plan->place[i].straight ? end_of_if(f, i) : i;
}

static bool begins_subroutine(const struct finder *f, uint32_t i)
{
    return f->p->label[f->plan->place[i].insn] && f->plan->first[f->plan->place[i].insn] == i;
}

/* Whether all vote for each RET of the subroutine at a place, but that at its end; `some`: and there is one. */
static bool all_vote_to_return(const struct finder *f, uint32_t first, bool some)
{
    bool voted = !some;
    for (uint32_t i = first, end = 0; i < f->plan->count && (i == first || !begins_subroutine(f, i)); i++) {
        int how = how_it_returns(f, i);
        if (i == first || i > end)
            end = end_of_block(f, i);
        if (how == SURE && end == i)
            break;
        if (how == SURE || how == CHOSEN)
            return false;
        voted |= how == VOTED;
    }
    return voted;
}

/* Those who return in the same outermost block go on together. */
static void number_ways_back(struct finder *f, uint32_t first)
{
    for (uint32_t i = first, block = first, end = 0; i < f->plan->count && (i == first || !begins_subroutine(f, i)); i++) {
        int how = how_it_returns(f, i);
        if (i == first || i > end) {
            block = i;
            end = end_of_block(f, i);
        }
        if (how == VOTED)
            f->plan->place[i].way_back = block + 1;
    }
}

static bool is_call(const struct finder *f, uint32_t i)
{
    return insn_at(f, i)->op == OP_CAL && f->plan->place[i].to < f->plan->count && f->plan->place[i].outcome != TEST_FAILS;
}

/* Marks the subroutines that lanes may call apart from others: in blocks, under tests, where some returned before, and from such subroutines. */
static bool find_calls_apart(struct finder *f)
{
    bool more = false, apart = false;
    uint32_t first = 0, end = 0;
    for (uint32_t i = 0; i < f->plan->count; i++) {
        if (i == 0 || begins_subroutine(f, i)) {
            first = i;
            apart = f->plan->place[i].called_apart;
            end = end_of_block(f, i);
        }
        end = i > end ? end_of_block(f, i) : end;
        apart |= f->plan->place[first].insn != f->p->entry && how_it_returns(f, i) == CHOSEN;
        if (!is_call(f, i) || f->plan->place[f->plan->place[i].to].called_apart)
            continue;
        if (apart || end != i || (condition_restricts(&insn_at(f, i)->condition) && f->plan->place[i].outcome != TEST_PASSES))
            more = f->plan->place[f->plan->place[i].to].called_apart = true;
    }
    return more;
}

/* Marks calls behind which lanes do not meet, and says whether there were more. */
static bool find_apart_behind(struct finder *f)
{
    bool more = false;
    uint32_t first = 0;
    for (uint32_t i = 0; i < f->plan->count; i++) {
        struct slow_place *s = &f->plan->place[i], *to = is_call(f, i) ? &f->plan->place[s->to] : NULL;
        first = begins_subroutine(f, i) ? i : first;
        if (!to || to->called_apart || s->returns || !all_vote_to_return(f, s->to, !to->comes_apart))
            continue;
        s->returns = more = true;
        f->plan->place[first].comes_apart |= f->plan->place[first].insn != f->p->entry;
        number_ways_back(f, s->to);
    }
    return more;
}

static void look_for_calls(struct finder *f)
{
    const struct gp5_program *p = f->p->text;
    for (uint32_t i = 0; i < p->symbols.count; i++) {
        const struct symbol *s = program_symbol(p, i);
        if (s->kind == SYM_LABEL && s->numbered && s->instruction < p->insns.count && f->plan->first[s->instruction] < f->plan->count)
            f->plan->place[f->plan->first[s->instruction]].called_apart = true;
    }
    while (find_calls_apart(f))
        ;
    while (find_apart_behind(f))
        ;
}

void slow_find_apart(struct slow_plan *plan, const struct slow_program *p)
{
    struct finder f = {p, plan};
    for (uint32_t i = 0; i < plan->count; i++) {
        unsigned op = insn_at(&f, i)->op;
        if (op == OP_REP) {
            look_for_inner(&f, i);
            look_at_round(&f, i, i);
            look_at_loop(&f, i);
        } else if (op == OP_ENDREP && plan->place[i].loop != NO_INDEX && plan->place[plan->place[i].loop].to != i + 1) {
            look_at_round(&f, i, plan->place[i].loop);
        }
    }
    look_for_returns(&f);
    look_for_calls(&f);
}

/* ---- at run time ---------------------------------------------------------------------------------------------------------------------- */

/* A number for those of a party that leave a loop in the same of its rounds, by the same BRKs; larger than that of the party. */
bool slow_new_party(struct slow_group *g, const struct slow_party *wanted, uint64_t *number)
{
    struct slow_party *more;
    for (uint32_t i = 0; i < g->nparties; i++) {
        const struct slow_party *q = &g->parties[i];
        if (q->warp == wanted->warp && q->rep == wanted->rep && q->before == wanted->before && q->outer_turn == wanted->outer_turn &&
            q->turn == wanted->turn && q->brk == wanted->brk && q->around == wanted->around) {
            *number = i + 1;
            return true;
        }
    }
    more = realloc(g->parties, (g->nparties + 1u) * sizeof *more);
    if (!more)
        return slow_fail(g, SLOW_NO_MEMORY, "parties", NULL);
    g->parties = more;
    g->parties[g->nparties++] = *wanted;
    *number = g->nparties;
    return true;
}
