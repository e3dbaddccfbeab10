/* Which IFs in the pass of a loop have sides that go on apart until it ends (parting.c). */
#include "eval/parting_search.h"

/* Whether a CONT is as good as a BRK: behind it comes no other pass of the loop. */
static bool leaves(const struct parting *p, uint32_t i)
{
    uint32_t to = eval_parting_insn(p, i)->partner;

    if (eval_parting_insn(p, i)->op == OP_BRK || eval_form(p->d, to) == FORM_LAST)
        return true;
    if (eval_form(p->d, to) != FORM_NEXT)
        return false;
    for (uint32_t k = to + 1; k < p->d->p->insns.count; k++) {
        if (eval_parting_insn(p, k)->op == OP_BRK && eval_outcome(p->d, k) == OUTCOME_PASSES)
            return true;
        if (!eval_is_own_arithmetic(eval_parting_insn(p, k)->op) && eval_form(p->d, k) != FORM_KNOWN)
            return false;
    }
    return false;
}

static bool is_part_of_if(unsigned op)
{
    return op == OP_IF || op == OP_ELSE || op == OP_ENDIF;
}

/* OTHERWISE: a CONT in an ELSE side, of an IF in it too. INNER: an IF with a CONT. BEHIND_INNER: a CONT behind such an IF. */
enum {
    HAS_BRK = 1, HAS_CONT = 2, HAS_MORE = 4, HAS_ALL = 7, HAS_VOTED_CONT = 8, HAS_NESTED_CONT = 16, HAS_CONT_OTHERWISE = 32, HAS_INNER_CONT = 64,
    HAS_CONT_BEHIND_INNER = 128
};

static unsigned what_is(const struct parting *p, uint32_t i)
{
    unsigned op = eval_parting_insn(p, i)->op;

    if (op == OP_REP)
        return HAS_MORE;
    if (eval_is_loop_jump(p->d, i))
        return leaves(p, i) ? HAS_BRK : HAS_CONT;
    return !eval_is_own_arithmetic(op) && !eval_is_voted_test(eval_parting_insn(p, i)) && !is_part_of_if(op) && eval_form(p->d, i) != FORM_KNOWN ? HAS_MORE : 0;
}

bool eval_has_cont(const struct parting *p, uint32_t from, uint32_t to)
{
    unsigned has = 0;

    for (uint32_t i = from; i < to; i = eval_behind_loop(p->d, i))
        has |= what_is(p, i);
    return has & HAS_CONT;
}

/* Lanes take one side of it, which has no frame: others in it may go on apart over its end. */
static bool is_known_if(const struct parting *p, uint32_t i)
{
    return eval_parting_insn(p, i)->op == OP_IF && eval_parting_insn(p, i)->partner != NO_INDEX && eval_form(p->d, i) == FORM_KNOWN && eval_outcome(p->d, i) != OUTCOME_TESTED;
}

static void mark_if(struct parting *p, uint32_t i, uint32_t end)
{
    p->marks[i] = p->marks[eval_parting_insn(p, i)->partner] = p->marks[end] = PARTING_IF;
}

/* CONTs in both sides, and in an IF in one of them. */
static bool has_inner_in_sides(const struct within *w)
{
    return w->has[0] & w->has[1] & HAS_CONT && (w->has[0] | w->has[1]) & HAS_INNER_CONT;
}

/* What stands in an IF stands in the one around it; of CONTs that votes decide only its own count. */
static void close_if(const struct within *w, struct within *outer)
{
    uint8_t *to = &outer->has[outer->in_else], has = (w->has[0] | w->has[1]) & (uint8_t)~HAS_VOTED_CONT;

    if (has & HAS_CONT) {
        if (w->has[1] & HAS_CONT)
            has |= HAS_CONT_OTHERWISE;
        if (*to & HAS_INNER_CONT || has_inner_in_sides(w))
            has |= HAS_CONT_BEHIND_INNER;
        has |= HAS_INNER_CONT;
    }
    *to |= has;
}

bool eval_look_into_ifs(struct parting *p, uint32_t from, uint32_t to)
{
    uint32_t around = NO_INDEX;
    bool lanes_decide = false;

    for (uint32_t i = from; i < to; i = eval_behind_loop(p->d, i)) {
        if (around != NO_INDEX && i == eval_end_of_if(p->d->p, around)) {
            const struct within *w = &p->within[around];
            if (w->around != around)
                close_if(w, &p->within[w->around]);
            around = w->around == around ? NO_INDEX : w->around;
        } else if (eval_is_parting_if(p, i)) {
            p->within[i] = (struct within){.around = around == NO_INDEX ? i : around};
            around = i;
        } else {
            unsigned what = what_is(p, i);
            bool nested = eval_nested(p->d, i) & NESTED_CONT, voted = what == HAS_CONT && eval_asks_a_vote(p->d, i);
            struct within *w = around == NO_INDEX ? NULL : &p->within[around];
            lanes_decide |= what == HAS_CONT && !voted;
            if (!w)
                continue;
            w->in_else |= eval_parting_insn(p, around)->partner == i;
            if (what == HAS_CONT && w->has[w->in_else] & HAS_INNER_CONT)
                w->has[w->in_else] |= HAS_CONT_BEHIND_INNER;
            what |= (what & HAS_ALL) == HAS_CONT && nested ? HAS_NESTED_CONT : voted ? HAS_VOTED_CONT : 0;
            w->has[w->in_else] |= (uint8_t)what;
        }
    }
    return lanes_decide;
}

/* Whether an IF is the last thing of the THEN side of one whose sides do not meet, and there is something in the ELSE side: behind it comes but
 * the way around that. */
static bool is_last_in_then(const struct parting *p, uint32_t i)
{
    uint32_t around = p->within[i].around, k = eval_end_of_if(p->d->p, i) + 1;

    if (around == i || p->marks[around] != PARTING_IF)
        return false;
    while (eval_is_own_arithmetic(eval_parting_insn(p, k)->op))
        k++;
    return eval_parting_insn(p, k)->op == OP_ELSE && eval_parting_insn(p, around)->partner == k && p->within[around].has[1];
}

bool eval_conts_fold(const struct within *w)
{
    unsigned has = w->has[0] | w->has[1];

    return !(has & HAS_CONT_BEHIND_INNER) && !has_inner_in_sides(w);
}

/* An IF with CONTs and nothing else. With them in both sides, or, in a loop with a count, in an ELSE side, it is no CONT with more conditions. */
static bool is_cont(const struct within *w, bool counted)
{
    unsigned has = w->has[0] | w->has[1];

    if ((has & HAS_ALL) != HAS_CONT || !eval_conts_fold(w) || (counted && has & HAS_CONT_OTHERWISE))
        return false;
    return has & HAS_NESTED_CONT || !(w->has[1] & HAS_CONT) || !(counted || w->has[0] & HAS_CONT);
}

/* Whether one side of an IF is not there: those that do not take the other one go straight to what comes behind it. */
static bool is_one_sided(const struct parting *p, uint32_t i)
{
    uint32_t otherwise = eval_parting_insn(p, i)->partner;

    return eval_parting_insn(p, otherwise)->op != OP_ELSE || otherwise == i + 1 || eval_parting_insn(p, otherwise)->partner == otherwise + 1;
}

/* Whether the IF around another one has nothing else in it but arithmetic in front. */
static bool stands_alone(const struct parting *p, uint32_t i, uint32_t around)
{
    uint32_t before = i - 1, behind = eval_end_of_if(p->d->p, i) + 1;

    while (eval_is_own_arithmetic(eval_parting_insn(p, before)->op))
        before--;
    behind += eval_parting_insn(p, behind)->op == OP_ELSE && eval_parting_insn(p, around)->partner == behind;
    return (before == around || before == eval_parting_insn(p, around)->partner) && behind == eval_end_of_if(p->d->p, around);
}

/* IFs that are alone in the only side of one another have one such way: IF a; IF b; ...; ENDIF; ENDIF; is IF a and b. */
static void join_ifs(struct parting *p, uint32_t from, uint32_t to)
{
    for (uint32_t i = from; i < to; i = eval_behind_loop(p->d, i)) {
        uint32_t around;
        if (!eval_is_parting_if(p, i) || p->marks[i] != PARTING_IF || (around = p->within[i].around) == i || p->marks[around] != PARTING_IF)
            continue;
        if ((p->within[i].has[0] | p->within[i].has[1]) & (HAS_BRK | HAS_MORE) && is_one_sided(p, around) && is_one_sided(p, i) && stands_alone(p, i, around)) {
            if (!p->d->nested[around])
                p->d->nested[around] = around + 1;
            p->d->nested[i] = p->d->nested[around];
        }
    }
}

void eval_part_pass(struct parting *p, uint32_t from, uint32_t to, bool counted)
{
    uint32_t last_brk = from, parted = from;    /* where the outermost such IF ends */
    bool lanes_decide = eval_look_into_ifs(p, from, to);

    for (uint32_t i = from; i < to; i = eval_behind_loop(p->d, i))
        if (eval_is_loop_jump(p->d, i) && leaves(p, i))
            last_brk = i;
    for (uint32_t i = from; i < to; i = eval_behind_loop(p->d, i))
        if (eval_is_parting_if(p, i)) {
            const struct within *w = &p->within[i];
            uint32_t end = eval_end_of_if(p->d->p, i);
            unsigned has = w->has[0] | w->has[1];
            bool outer_meets = w->around != i && p->marks[w->around] != PARTING_IF;
            bool parts = (last_brk > i || parted > i) && has & HAS_CONT && !outer_meets && !is_cont(w, counted);
            parts |= !lanes_decide && w->around == i && has & HAS_VOTED_CONT;
            parts |= has & (HAS_BRK | HAS_CONT) && is_last_in_then(p, i);
            if (!parts)
                continue;
            mark_if(p, i, end);
            parted = parted > end ? parted : end;
        } else if (is_known_if(p, i)) {
            mark_if(p, i, eval_end_of_if(p->d->p, i));
        }
    join_ifs(p, from, to);
}
