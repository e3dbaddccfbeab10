/* Lanes that go on apart since they return in different ways: out of loops that begin with a RET, and behind calls (apart.c). */
#include "tests/slow/apart.h"

/* How many BRKs or RETs of a loop, and of those in it, may be taken. */
static unsigned jumps(const struct apart *f, uint32_t rep, unsigned op, bool inside)
{
    unsigned n = 0;
    for (uint32_t i = rep + 1; i < f->plan->place[rep].to; i++)
        n += slow_apart_insn(f, i)->op == op && (inside || f->plan->place[i].loop == rep) && f->plan->place[i].outcome != TEST_FAILS &&
             slow_apart_insn(f, i)->condition.rule != CC_FL && !f->plan->place[i].straight;
    return n;
}

/* The RET at the top of a loop, in main also the end of an IF with nothing else in it. */
static uint32_t return_at_top(const struct apart *f, uint32_t rep, bool in_main)
{
    uint32_t i = rep + 1;
    while (i < f->plan->place[rep].to && slow_is_arithmetic(slow_apart_insn(f, i)))
        i++;
    if (in_main && slow_is_endless(f, rep) && slow_apart_insn(f, i)->op == OP_IF && !f->plan->place[i].straight && slow_end_of_if(f, i) == i + 2 &&
        slow_apart_insn(f, i + 1)->op == OP_RET && !condition_restricts(&slow_apart_insn(f, i + 1)->condition))
        return i + 2;
    return slow_is_endless(f, rep) && slow_apart_insn(f, i)->op == OP_RET && condition_restricts(&slow_apart_insn(f, i)->condition) && slow_apart_insn(f, i)->condition.rule != CC_FL &&
                   f->plan->place[i].outcome == TEST_LOOKED_AT
               ? i : NO_INDEX;
}

/* Whether a write of the loop reaches what is read at a place in the next round. */
static bool is_new_each_round(const struct apart *f, uint32_t rep, uint32_t at, unsigned steps)
{
    const struct insn *reader = slow_apart_insn(f, at);
    if (!steps)
        return true;
    for (unsigned k = 0; k < reader->nsrc; k++) {
        const struct operand *o = program_operand(f->p->text, reader->src + k);
        for (uint32_t i = rep + 1; o->kind == OPND_SYMBOL && i + 1 < f->plan->place[rep].to; i++) {
            const struct result *r = &slow_apart_insn(f, i)->dst;
            if (r->kind == OPND_SYMBOL && r->ref == o->ref && r->mask >> (o->swizzle & 3) & 1 && (i > at || is_new_each_round(f, rep, i, steps - 1)))
                return true;
        }
    }
    return false;
}

static bool is_hoisted(const struct apart *f, uint32_t rep, uint32_t ret)
{
    for (uint32_t i = ret; i-- > rep + 1;)
        if (slow_apart_insn(f, i)->cc_update)
            return !is_new_each_round(f, rep, i, 9) && !jumps(f, rep, OP_CAL, true) && !jumps(f, rep, OP_CALI, true);
    return false;
}

/* Whether the compiler has more than one block for it. */
static bool is_block(const struct apart *f, uint32_t i)
{
    const struct slow_place *s = &f->plan->place[i];
    unsigned op = slow_apart_insn(f, i)->op;
    bool more = false;
    if (op != OP_IF)
        return op != OP_ELSE && op != OP_ENDIF && op_flows(op) && !s->straight && s->outcome != TEST_FAILS;
    for (uint32_t k = i + 1, end = slow_end_of_if(f, i); k < end && !s->straight; k++)
        more |= !slow_is_arithmetic(slow_apart_insn(f, k)) && !op_votes(slow_apart_insn(f, k)->op) && slow_apart_insn(f, k)->op != OP_ELSE &&
                f->plan->place[k].outcome != TEST_FAILS && !f->plan->place[k].straight;
    return more;
}

/* The only BRK of the loop, behind such a block; or NO_INDEX. */
static uint32_t only_way_out(const struct apart *f, uint32_t rep, bool in_main)
{
    uint32_t ret = return_at_top(f, rep, in_main), brk = NO_INDEX;
    bool blocks = false;
    if (ret == NO_INDEX || jumps(f, rep, OP_BRK, false) != 1 || (in_main && is_hoisted(f, rep, ret)))
        return NO_INDEX;
    for (uint32_t i = ret + 1; i + 1 < f->plan->place[rep].to && brk == NO_INDEX; i++) {
        if (f->plan->place[i].loop == rep && slow_apart_insn(f, i)->op == OP_BRK && f->plan->place[i].outcome != TEST_FAILS)
            brk = i;
        blocks |= brk == NO_INDEX && is_block(f, i);
    }
    return blocks ? brk : NO_INDEX;
}

static void note_returns(struct apart *f, uint32_t rep, uint32_t brk)
{
    if (rep == NO_INDEX || brk == NO_INDEX)
        return;
    f->plan->place[rep].returns = true;
    f->plan->place[brk].party = 1;
}

void slow_apart_returns(struct apart *f)
{
    uint32_t rep = NO_INDEX, brk = NO_INDEX, depth = 0;
    bool in_main = f->p->entry == 0;
    for (uint32_t i = 0; i < f->plan->count; i++) {
        const struct slow_place *s = &f->plan->place[i];
        unsigned op = slow_apart_insn(f, i)->op;
        if (slow_begins_part(f->p, f->plan, i)) {
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

static int how_it_returns(const struct apart *f, uint32_t i)
{
    const struct condition *c = &slow_apart_insn(f, i)->condition;
    if (slow_apart_insn(f, i)->op != OP_RET || c->rule == CC_FL || f->plan->place[i].outcome == TEST_FAILS)
        return GOES_ON;
    if (!condition_restricts(c) || f->plan->place[i].outcome == TEST_PASSES)
        return SURE;
    return slow_looks_at_vote(f, i) ? VOTED : CHOSEN;
}

/* The last place of what begins at one. */
static uint32_t end_of_block(const struct apart *f, uint32_t i)
{
    if (slow_apart_insn(f, i)->op == OP_REP)
        return f->plan->place[i].to - 1;
    return slow_apart_insn(f, i)->op == OP_IF && !f->plan->place[i].straight ? slow_end_of_if(f, i) : i;
}

/* Whether all vote for each RET of the subroutine at a place, but that at its end; `some`: and there is one. */
static bool all_vote_to_return(const struct apart *f, uint32_t first, bool some)
{
    bool voted = !some;
    for (uint32_t i = first, end = 0; i < f->plan->count && (i == first || !slow_begins_part(f->p, f->plan, i)); i++) {
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
static void number_ways_back(struct apart *f, uint32_t first)
{
    for (uint32_t i = first, block = first, end = 0; i < f->plan->count && (i == first || !slow_begins_part(f->p, f->plan, i)); i++) {
        int how = how_it_returns(f, i);
        if (i == first || i > end) {
            block = i;
            end = end_of_block(f, i);
        }
        if (how == VOTED)
            f->plan->place[i].way_back = block + 1;
    }
}

static bool is_call(const struct apart *f, uint32_t i)
{
    return slow_apart_insn(f, i)->op == OP_CAL && f->plan->place[i].to < f->plan->count && f->plan->place[i].outcome != TEST_FAILS;
}

/* Marks the subroutines that lanes may call apart from others: in blocks, under tests, where some returned before, and from such subroutines. */
static bool find_calls_apart(struct apart *f)
{
    bool more = false, apart = false;
    uint32_t first = 0, end = 0;
    for (uint32_t i = 0; i < f->plan->count; i++) {
        if (i == 0 || slow_begins_part(f->p, f->plan, i)) {
            first = i;
            apart = f->plan->place[i].called_apart;
            end = end_of_block(f, i);
        }
        end = i > end ? end_of_block(f, i) : end;
        apart |= f->plan->place[first].insn != f->p->entry && how_it_returns(f, i) == CHOSEN;
        if (!is_call(f, i) || f->plan->place[f->plan->place[i].to].called_apart)
            continue;
        if (apart || end != i || (condition_restricts(&slow_apart_insn(f, i)->condition) && f->plan->place[i].outcome != TEST_PASSES))
            more = f->plan->place[f->plan->place[i].to].called_apart = true;
    }
    return more;
}

/* Marks calls behind which lanes do not meet, and says whether there were more. */
static bool find_apart_behind(struct apart *f)
{
    bool more = false;
    uint32_t first = 0;
    for (uint32_t i = 0; i < f->plan->count; i++) {
        struct slow_place *s = &f->plan->place[i], *to = is_call(f, i) ? &f->plan->place[s->to] : NULL;
        first = slow_begins_part(f->p, f->plan, i) ? i : first;
        if (!to || to->called_apart || s->returns || !all_vote_to_return(f, s->to, !to->comes_apart))
            continue;
        s->returns = more = true;
        f->plan->place[first].comes_apart |= f->plan->place[first].insn != f->p->entry;
        number_ways_back(f, s->to);
    }
    return more;
}

/* ---- once some took one of these -------------------------------------------------------------------------------------------------------- */

/* Whether lanes decide RETs of a subroutine behind a block with one by vote, but none in such a block or in front of it. */
static bool chooses_behind_votes(const struct apart *f, uint32_t first)
{
    bool voted = false, here = false, chosen = false, chosen_here = false;
    for (uint32_t i = first, end = 0; i < f->plan->count && (i == first || !slow_begins_part(f->p, f->plan, i)); i++) {
        unsigned op = slow_apart_insn(f, i)->op;
        int how = how_it_returns(f, i);
        if (i == first || i > end) {
            end = end_of_block(f, i);
            voted |= here;
            here = chosen_here = false;
        }
        if (how == SURE)
            return chosen && end == i;
        here |= how == VOTED && end != i;
        chosen_here |= how == CHOSEN;
        chosen |= how == CHOSEN;
        if (op == OP_CAL || op == OP_CALI || op == OP_BAR || f->plan->place[i].returns || (how == CHOSEN && !voted) || (here && chosen_here))
            return false;
    }
    return chosen;
}

static bool is_called_in_main_alone(const struct apart *f, uint32_t to)
{
    for (uint32_t i = 0, first = 0; i < f->plan->count; i++) {
        first = slow_begins_part(f->p, f->plan, i) ? i : first;
        if (is_call(f, i) && f->plan->place[i].to == to && f->plan->place[first].insn != f->p->entry)
            return false;
    }
    return true;
}

static void look_for_votes_in_front(struct apart *f, uint32_t call)
{
    uint32_t first = f->plan->place[call].to;
    if (f->plan->place[first].called_apart || f->plan->place[call].returns || !chooses_behind_votes(f, first) || !is_called_in_main_alone(f, first))
        return;
    f->plan->place[call].once = true;
    number_ways_back(f, first);
    for (uint32_t i = first, end = 0; i < f->plan->count && (i == first || !slow_begins_part(f->p, f->plan, i)); i++) {
        int how = how_it_returns(f, i);
        end = i == first || i > end ? end_of_block(f, i) : end;
        if (how == CHOSEN || (how == VOTED && end == i))
            f->plan->place[i].way_back = SLOW_ALONE;
    }
}

void slow_apart_calls(struct apart *f)
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
    for (uint32_t i = 0; i < f->plan->count; i++)
        if (is_call(f, i))
            look_for_votes_in_front(f, i);
}
