/* Which IFs in the pass of a loop have sides that go on apart until it ends (reconverge.c). */
#include "model/reconverge/internal.h"

/* Whether a CONT is as good as a BRK: behind it comes no other pass of the loop. */
static bool leaves(const struct reconverge *p, uint32_t i)
{
    uint32_t to = reconverge_insn(p, i)->dst.partner;

    if (reconverge_insn(p, i)->op == OP_BRK || model_form(p->d, to) == FORM_LAST)
        return true;
    if (model_form(p->d, to) != FORM_NEXT)
        return false;
    for (uint32_t k = to + 1; k < p->d->p->insns.count; k++) {
        if (reconverge_insn(p, k)->op == OP_BRK && model_outcome(p->d, k) == OUTCOME_PASSES)
            return true;
        if (!model_is_own_arithmetic(reconverge_insn(p, k)->op) && model_form(p->d, k) != FORM_KNOWN)
            return false;
    }
    return false;
}

static bool is_part_of_if(unsigned op)
{
    return op == OP_IF || op == OP_ELSE || op == OP_ENDIF;
}

/* OTHERWISE: a CONT in an ELSE side, of an IF in it too. INNER: an IF with a CONT. BEHIND_INNER: a CONT behind such an
 * IF. */
enum {
    HAS_BRK = 1,
    HAS_CONT = 2,
    HAS_MORE = 4,
    HAS_ALL = 7,
    HAS_VOTED_CONT = 8,
    HAS_NESTED_CONT = 16,
    HAS_CONT_OTHERWISE = 32,
    HAS_INNER_CONT = 64,
    HAS_CONT_BEHIND_INNER = 128
};

static unsigned what_is(const struct reconverge *p, uint32_t i)
{
    unsigned op = reconverge_insn(p, i)->op;

    if (op == OP_REP)
        return HAS_MORE;
    if (model_is_loop_jump(p->d, i))
        return leaves(p, i) ? HAS_BRK : HAS_CONT;
    return !model_is_own_arithmetic(op) && !model_is_voted_test(reconverge_insn(p, i)) && !is_part_of_if(op) &&
                   model_form(p->d, i) != FORM_KNOWN
               ? HAS_MORE
               : 0;
}

bool model_has_cont(const struct reconverge *p, uint32_t from, uint32_t to)
{
    unsigned has = 0;

    for (uint32_t i = from; i < to; i = model_behind_loop(p->d, i))
        has |= what_is(p, i);
    return has & HAS_CONT;
}

/* Lanes take one side of it, which has no frame: others in it may go on apart over its end. */
static bool is_known_if(const struct reconverge *p, uint32_t i)
{
    return reconverge_insn(p, i)->op == OP_IF && reconverge_insn(p, i)->dst.partner != NO_INDEX &&
           model_form(p->d, i) == FORM_KNOWN && model_outcome(p->d, i) != OUTCOME_TESTED;
}

static void mark_if(struct reconverge *p, uint32_t i, uint32_t end)
{
    p->marks[i] = p->marks[reconverge_insn(p, i)->dst.partner] = p->marks[end] = SPLIT_IF;
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

bool model_look_into_ifs(struct reconverge *p, uint32_t from, uint32_t to)
{
    uint32_t around = NO_INDEX;
    bool lanes_decide = false;

    for (uint32_t i = from; i < to; i = model_behind_loop(p->d, i)) {
        if (around != NO_INDEX && i == eval_end_of_if(p->d->p, around)) {
            const struct within *w = &p->within[around];
            if (w->around != around)
                close_if(w, &p->within[w->around]);
            around = w->around == around ? NO_INDEX : w->around;
        } else if (reconverge_is_if(p, i)) {
            p->within[i] = (struct within){.around = around == NO_INDEX ? i : around};
            around = i;
        } else {
            unsigned what = what_is(p, i);
            bool nested = model_nested(p->d, i) & NESTED_CONT, voted = what == HAS_CONT && model_asks_a_vote(p->d, i);
            struct within *w = around == NO_INDEX ? NULL : &p->within[around];
            lanes_decide |= what == HAS_CONT && !voted;
            if (!w)
                continue;
            w->in_else |= reconverge_insn(p, around)->dst.partner == i;
            if (what == HAS_CONT && w->has[w->in_else] & HAS_INNER_CONT)
                w->has[w->in_else] |= HAS_CONT_BEHIND_INNER;
            what |= (what & HAS_ALL) == HAS_CONT && nested ? HAS_NESTED_CONT : voted ? HAS_VOTED_CONT : 0;
            w->has[w->in_else] |= (uint8_t)what;
        }
    }
    return lanes_decide;
}

/* Whether an IF is the last thing of the THEN side of one whose sides do not meet, and there is something in the ELSE
 * side: behind it comes but the way around that. */
static bool is_last_in_then(const struct reconverge *p, uint32_t i)
{
    uint32_t around = p->within[i].around, k = eval_end_of_if(p->d->p, i) + 1;

    if (around == i || p->marks[around] != SPLIT_IF)
        return false;
    while (model_is_own_arithmetic(reconverge_insn(p, k)->op))
        k++;
    return reconverge_insn(p, k)->op == OP_ELSE && reconverge_insn(p, around)->dst.partner == k &&
           p->within[around].has[1];
}

bool model_conts_fold(const struct within *w)
{
    unsigned has = w->has[0] | w->has[1];

    return !(has & HAS_CONT_BEHIND_INNER) && !has_inner_in_sides(w);
}

bool model_has_conts_alone(const struct within *w)
{
    return ((w->has[0] | w->has[1]) & HAS_ALL) == HAS_CONT;
}

bool model_goes_otherwise(const struct within *w)
{
    return w->has[1] & HAS_CONT || (w->has[0] | w->has[1]) & HAS_CONT_OTHERWISE;
}

/* How the loop of a pass ends. */
struct ending {
    bool counted;               /* by REP's count */
    bool uniform_exit;          /* likewise, or by a comparison with a number */
    bool voted, alone;          /* by a vote; by what is neither */
    bool inner;                 /* there are loops in it */
};

/* An IF with CONTs and nothing else. With them in both sides, or, in a loop with a count, in an ELSE side, it is no
 * CONT with more conditions. */
static bool is_cont(const struct within *w, const struct ending *e)
{
    unsigned has = w->has[0] | w->has[1];

    if ((has & HAS_ALL) != HAS_CONT || !model_conts_fold(w) || (e->counted && has & HAS_CONT_OTHERWISE))
        return false;
    return has & HAS_NESTED_CONT || !(w->has[1] & HAS_CONT) ||
           !(e->uniform_exit || (e->voted && !e->alone) || w->has[0] & HAS_CONT);
}

/* Whether the only side of an IF is that of THEN. */
static bool has_then(const struct reconverge *p, uint32_t i)
{
    return reconverge_insn(p, i)->dst.partner != i + 1 || reconverge_insn(p, i + 1)->op != OP_ELSE;
}

/* Whether an IF with nothing but BRKs, in its ELSE side, stands last in one whose sides do not meet. */
static bool leaves_at_end(const struct reconverge *p, uint32_t i)
{
    const struct within *w = &p->within[i];
    uint32_t around = w->around, behind = eval_end_of_if(p->d->p, i) + 1;

    if (around == i || p->marks[around] != SPLIT_IF || ((w->has[0] | w->has[1]) & HAS_ALL) != HAS_BRK ||
        has_then(p, i))
        return false;
    behind += reconverge_insn(p, behind)->op == OP_ELSE && reconverge_insn(p, around)->dst.partner == behind;
    return behind == eval_end_of_if(p->d->p, around);
}

/* Whether one side of an IF is not there: those that do not take the other one go straight to what comes behind it. */
static bool is_one_sided(const struct reconverge *p, uint32_t i)
{
    uint32_t otherwise = reconverge_insn(p, i)->dst.partner;

    return reconverge_insn(p, otherwise)->op != OP_ELSE || otherwise == i + 1 ||
           reconverge_insn(p, otherwise)->dst.partner == otherwise + 1;
}

/* Whether the IF around another one has nothing else in it but arithmetic in front. */
static bool stands_alone(const struct reconverge *p, uint32_t i, uint32_t around)
{
    uint32_t before = i - 1, behind = eval_end_of_if(p->d->p, i) + 1;

    while (model_is_own_arithmetic(reconverge_insn(p, before)->op))
        before--;
    behind += reconverge_insn(p, behind)->op == OP_ELSE && reconverge_insn(p, around)->dst.partner == behind;
    return (before == around || before == reconverge_insn(p, around)->dst.partner) &&
           behind == eval_end_of_if(p->d->p, around);
}

/* Whether a jump takes what a comparison with a number says. */
bool model_compares_with_number(const struct reconverge *p, uint32_t i)
{
    while (i--) {
        const struct insn *insn = reconverge_insn(p, i);
        if (!insn->cc_update && !op_flows(insn->op))
            continue;
        return insn->cc_update &&
               (insn->op == OP_SGT || insn->op == OP_SGE || insn->op == OP_SLT || insn->op == OP_SLE) &&
               (program_operand(p->d->p, insn->src)->kind == OPND_CONSTANT ||
                program_operand(p->d->p, insn->src + 1)->kind == OPND_CONSTANT);
    }
    return false;
}

static struct ending find_ending(const struct reconverge *p, uint32_t from, uint32_t to, bool counted)
{
    struct ending e = {.counted = counted, .uniform_exit = counted};

    for (uint32_t i = from; i < to; i = model_behind_loop(p->d, i)) {
        uint32_t test = condition_restricts(&reconverge_insn(p, i)->condition) ? i : i - 1;
        e.inner |= reconverge_insn(p, i)->op == OP_REP;
        if (reconverge_insn(p, i)->op != OP_BRK || !model_is_loop_jump(p->d, i))
            continue;
        e.uniform_exit |= model_compares_with_number(p, test);
        e.voted |= model_asks_a_vote(p->d, test);
        e.alone |= !model_compares_with_number(p, test) && !model_asks_a_vote(p->d, test);
    }
    return e;
}

/* IFs that are alone in the only side of one another have one way around them: IF a; IF b; ...; ENDIF; ENDIF; is IF a
 * and b. In loops with a count, that end by a comparison with a number or have loops in them only those are one that
 * have nothing but THEN. */
static void join_ifs(struct reconverge *p, uint32_t from, uint32_t to, const struct ending *e)
{
    for (uint32_t i = from; i < to; i = model_behind_loop(p->d, i)) {
        uint32_t around;
        if (!reconverge_is_if(p, i) || p->marks[i] != SPLIT_IF || (around = p->within[i].around) == i ||
            p->marks[around] != SPLIT_IF)
            continue;
        if ((p->within[i].has[0] | p->within[i].has[1]) & (HAS_BRK | HAS_MORE) && is_one_sided(p, around) &&
            is_one_sided(p, i) && stands_alone(p, i, around) &&
            (!(e->uniform_exit || e->inner) || (has_then(p, i) && has_then(p, around)))) {
            uint32_t way = p->d->nested[around] ? p->d->nested[around] : around + 1;
            p->d->nested[around] = way | NESTED_ON;
            p->d->nested[i] = way;
        }
    }
}

void model_part_pass(struct reconverge *p, uint32_t from, uint32_t to, bool counted)
{
    uint32_t last_brk = from, parted = from;    /* where the outermost such IF ends */
    bool lanes_decide = model_look_into_ifs(p, from, to);
    struct ending e = find_ending(p, from, to, counted);

    for (uint32_t i = from; i < to; i = model_behind_loop(p->d, i))
        if (model_is_loop_jump(p->d, i) && leaves(p, i))
            last_brk = i;
    for (uint32_t i = from; i < to; i = model_behind_loop(p->d, i))
        if (reconverge_is_if(p, i)) {
            const struct within *w = &p->within[i];
            uint32_t end = eval_end_of_if(p->d->p, i);
            unsigned has = w->has[0] | w->has[1];
            bool outer_meets = w->around != i && p->marks[w->around] != SPLIT_IF;
            bool parts = (last_brk > i || parted > i) && has & HAS_CONT && !outer_meets && !is_cont(w, &e) &&
                         !(has & HAS_NESTED_CONT && has & HAS_MORE);
            parts |= !lanes_decide && w->around == i && has & HAS_VOTED_CONT;
            parts |= has & (HAS_BRK | HAS_CONT) && is_last_in_then(p, i);
            parts |= e.uniform_exit && leaves_at_end(p, i);
            parts |= p->marks[i] == SPLIT_IF;
            if (!parts)
                continue;
            mark_if(p, i, end);
            parted = parted > end ? parted : end;
        } else if (is_known_if(p, i)) {
            mark_if(p, i, eval_end_of_if(p->d->p, i));
        }
    join_ifs(p, from, to, &e);
}

void model_find_predicated(struct reconverge *p)
{
    uint32_t around = NO_INDEX;

    for (uint32_t i = 0; i < p->d->p->insns.count; i++) {
        if (reconverge_insn(p, i)->op == OP_ENDIF && around != NO_INDEX && i == eval_end_of_if(p->d->p, around)) {
            const struct within *w = &p->within[around];
            if (!w->has[0] && !p->marks[around])
                p->marks[around] = SPLIT_PREDICATED;
            if (w->around != around)
                p->within[w->around].has[0] |= w->has[0];
            around = w->around == around ? NO_INDEX : w->around;
        } else if (reconverge_is_if(p, i)) {
            p->within[i] = (struct within){.around = around == NO_INDEX ? i : around};
            around = i;
        } else if (around != NO_INDEX) {
            p->within[around].has[0] |=
                what_is(p, i) != 0 && !(reconverge_insn(p, i)->op == OP_CONT && model_nested(p->d, i) & NESTED_CONT &&
                                        !model_asks_a_vote(p->d, i));
        }
    }
}
