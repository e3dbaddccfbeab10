/* Which IFs have sides that go on apart until the round of a loop ends (apart.c). */
#include "tests/slow/apart.h"

/* Whether an IF that stands in no other one of a round has a CONT in it, not in IFs in it, that a vote decides, and is no end of an inner loop. */
static bool votes_for_cont(const struct apart *f, uint32_t from, uint32_t end, uint32_t loop)
{
    uint32_t depth = 0;
    for (uint32_t k = from + 1; k < end; k++) {
        const struct slow_place *s = &f->plan->place[k];
        if (s->loop != loop || s->straight)
            continue;
        depth += slow_apart_insn(f, k)->op == OP_IF;
        depth -= slow_apart_insn(f, k)->op == OP_ENDIF;
        if (!depth && slow_apart_insn(f, k)->op == OP_CONT && slow_apart_jumps(f, k) && !slow_leaves_loop(f, k) && !s->inner && slow_looks_at_vote(f, k))
            return true;
    }
    return false;
}

static uint32_t else_of(const struct apart *f, uint32_t i)
{
    uint32_t depth = 0, k = i, end = slow_end_of_if(f, i);
    for (; k < end; k++) {
        depth += slow_apart_insn(f, k)->op == OP_IF;
        depth -= slow_apart_insn(f, k)->op == OP_ENDIF;
        if (depth == 1 && slow_apart_insn(f, k)->op == OP_ELSE)
            break;
    }
    return k;
}

/* CONTs of the loop between two places. */
static bool goes_again(const struct apart *f, uint32_t from, uint32_t to, uint32_t loop)
{
    for (uint32_t k = from + 1; k < to; k++)
        if (f->plan->place[k].loop == loop && slow_apart_insn(f, k)->op == OP_CONT && slow_apart_jumps(f, k) && !slow_leaves_loop(f, k))
            return true;
    return false;
}

static bool is_open_if(const struct apart *f, uint32_t i, uint32_t loop)
{
    return f->plan->place[i].loop == loop && slow_apart_insn(f, i)->op == OP_IF && !f->plan->place[i].straight;
}

/* Whether an IF with a CONT stands between two places. */
static bool inner_with_cont(const struct apart *f, uint32_t from, uint32_t to, uint32_t loop)
{
    for (uint32_t k = from + 1; k < to; k++)
        if (is_open_if(f, k, loop) && goes_again(f, k, slow_end_of_if(f, k), loop))
            return true;
    return false;
}

bool slow_conts_fold(const struct apart *f, uint32_t i, uint32_t loop)
{
    uint32_t end = slow_end_of_if(f, i);
    for (uint32_t k = i; k < end; k++) {
        uint32_t last, otherwise;
        if (!is_open_if(f, k, loop) || !goes_again(f, k, last = slow_end_of_if(f, k), loop))
            continue;
        otherwise = else_of(f, k);
        if ((k > i && goes_again(f, last, end, loop)) || (goes_again(f, k, otherwise, loop) && inner_with_cont(f, otherwise, last, loop)))
            return false;
    }
    return true;
}

bool slow_goes_again_otherwise(const struct apart *f, uint32_t i, uint32_t loop)
{
    for (uint32_t k = i; k < slow_end_of_if(f, i); k++)
        if (is_open_if(f, k, loop) && goes_again(f, else_of(f, k), slow_end_of_if(f, k), loop))
            return true;
    return false;
}

/* What an IF of a round has in its sides: jumps to the next round, jumps out of the loop, more than arithmetic. */
struct sides {
    bool again[2], leave[2], more[2];
    bool inner;                 /* a CONT that ends a loop of its own */
};

static struct sides look_into(const struct apart *f, uint32_t i, uint32_t loop)
{
    struct sides sides = {.inner = false};
    uint32_t depth = 0, end = slow_end_of_if(f, i);
    unsigned side = 0;
    for (uint32_t k = i + 1; k < end; k++) {
        const struct slow_place *s = &f->plan->place[k];
        depth += slow_apart_insn(f, k)->op == OP_IF;
        depth -= slow_apart_insn(f, k)->op == OP_ENDIF;
        side |= !depth && slow_apart_insn(f, k)->op == OP_ELSE;
        if (s->loop == loop && slow_apart_jumps(f, k)) {
            sides.again[side] |= !slow_leaves_loop(f, k);
            sides.leave[side] |= slow_leaves_loop(f, k);
            sides.inner |= s->inner;
        } else {
            sides.more[side] |= slow_makes_more(f, k) && s->outcome != TEST_FAILS;
        }
    }
    return sides;
}

bool slow_asks_for_number(const struct apart *f, uint32_t i)
{
    const struct insn *set;
    const struct operand *o;
    do
        set = slow_apart_insn(f, --i);
    while (i && !set->cc_update && !op_flows(set->op));
    o = program_operand(f->p->text, set->src);
    return set->cc_update && (set->op == OP_SLT || set->op == OP_SLE || set->op == OP_SGT || set->op == OP_SGE) &&
           (o[0].kind == OPND_CONSTANT || o[1].kind == OPND_CONSTANT);
}

/* CONTs alone are one with more conditions: but not in both sides, nor, in a loop with a count, in an ELSE side, nor behind an IF with one. */
static bool is_cont_alone(const struct apart *f, uint32_t i, uint32_t loop, const struct sides *s, bool counted, bool uniform)
{
    if (s->leave[0] || s->leave[1] || s->more[0] || s->more[1] || !slow_conts_fold(f, i, loop) || (counted && slow_goes_again_otherwise(f, i, loop)))
        return false;
    return s->inner || !s->again[1] || (!s->again[0] && !uniform);
}

uint32_t slow_if_around(const struct apart *f, uint32_t i, uint32_t none)
{
    for (uint32_t k = i; k-- > none + 1;)
        if (slow_apart_insn(f, k)->op == OP_IF && !f->plan->place[k].straight && slow_end_of_if(f, k) > i)
            return k;
    return none;
}

/* Whether nothing but arithmetic stands between the end of an IF and the ELSE of the one around it. */
static bool ends_at_else(const struct apart *f, uint32_t i)
{
    for (i = slow_end_of_if(f, i) + 1; slow_is_arithmetic(slow_apart_insn(f, i)); i++)
        ;
    return slow_apart_insn(f, i)->op == OP_ELSE && !f->plan->place[i].straight;
}

/* Whether an IF has only one side. `without`: those go around it whose test does not pass, or the others. */
static bool has_one_side(const struct apart *f, uint32_t i, bool *without)
{
    uint32_t otherwise = else_of(f, i), end = slow_end_of_if(f, i);
    *without = otherwise == end || otherwise != i + 1;
    return otherwise == end || otherwise == i + 1 || otherwise + 1 == end;
}

/* The test of an IF that is all, but for arithmetic in front of it, of an IF around it is one with that one's. `then_alone`: if both have no ELSE. */
static void join_tests(struct apart *f, uint32_t i, uint32_t around, bool then_alone)
{
    uint32_t before = i - 1, behind = slow_end_of_if(f, i) + 1, otherwise = else_of(f, around), end = slow_end_of_if(f, around);
    struct slow_place *s = &f->plan->place[i], *outer = &f->plan->place[around];
    bool without, outer_without;
    while (slow_is_arithmetic(slow_apart_insn(f, before)))
        before--;
    if (!has_one_side(f, i, &without) || !has_one_side(f, around, &outer_without) || (before != around && before != otherwise) ||
        (behind != end && (behind != otherwise || otherwise + 1 != end)) || (then_alone && !(without && outer_without)))
        return;
    outer->chain = outer->chain ? outer->chain : around + 1;
    outer->goes_on = true;
    s->chain = outer->chain;
}

/* Whether an IF that is the end of another one has BRKs in its ELSE side and nothing else. */
static bool leaves_otherwise(const struct apart *f, uint32_t i, uint32_t around, const struct sides *s)
{
    uint32_t behind = slow_end_of_if(f, i) + 1, end = slow_end_of_if(f, around), otherwise = else_of(f, around);
    return slow_apart_insn(f, i + 1)->op == OP_ELSE && s->leave[1] && !s->again[1] && !s->more[1] &&
           (behind == end || (behind == otherwise && otherwise + 1 == end));
}

void slow_apart_round(struct apart *f, uint32_t from, uint32_t loop)
{
    uint32_t last = 0, apart = 0, to = from + 1, behind = 0;
    bool lanes_decide = false, inner = false, voted = false, alone = false, even, counted = from == loop && slow_apart_insn(f, loop)->nsrc && !f->plan->place[loop].straight;
    even = counted;
    for (; to < f->plan->count && !(slow_apart_insn(f, to)->op == OP_ENDREP && f->plan->place[to].loop == loop); to++) {
        inner |= slow_apart_insn(f, to)->op == OP_REP;
        if (f->plan->place[to].loop != loop || !slow_apart_jumps(f, to))
            continue;
        if (slow_apart_insn(f, to)->op == OP_BRK) {
            uint32_t test = condition_restricts(&slow_apart_insn(f, to)->condition) ? to : to - 1;
            even |= slow_asks_for_number(f, test);
            voted |= slow_looks_at_vote(f, test);
            alone |= !slow_asks_for_number(f, test) && !slow_looks_at_vote(f, test);
        }
        if (slow_leaves_loop(f, to))
            last = to;
        else
            lanes_decide |= !slow_looks_at_vote(f, to);
    }
    for (uint32_t i = from + 1; i < to; i++) {
        const struct slow_place *s = &f->plan->place[i];
        uint32_t end, around;
        struct sides sides;
        bool outermost = i > behind, parts;
        if (s->loop != loop || slow_apart_insn(f, i)->op != OP_IF || s->straight)
            continue;
        end = slow_end_of_if(f, i);
        behind = outermost ? end : behind;
        sides = look_into(f, i, loop);
        around = slow_if_around(f, i, from);
        parts = (around == from || f->plan->place[around].parts) && (last > i || apart > i) && (sides.again[0] || sides.again[1]) && !is_cont_alone(f, i, loop, &sides, counted, even || (voted && !alone)) && !(sides.inner && (sides.more[0] || sides.more[1]));
        parts |= outermost && !lanes_decide && votes_for_cont(f, i, end, loop);
        if (!parts && (sides.again[0] || sides.again[1] || sides.leave[0] || sides.leave[1]) && ends_at_else(f, i)) {
            if (around != from && f->plan->place[around].parts) {
                struct sides outer = look_into(f, around, loop);
                parts = outer.again[1] || outer.leave[1] || outer.more[1];
            }
        }
        parts |= even && around != from && f->plan->place[around].parts && leaves_otherwise(f, i, around, &sides);
        parts |= s->parts;
        f->plan->place[i].parts = parts;
        f->plan->place[loop].schedules |= parts;
        if (parts && around != from && f->plan->place[around].parts && (sides.leave[0] || sides.leave[1] || sides.more[0] || sides.more[1]))
            join_tests(f, i, around, even || inner);
        apart = parts && apart < end ? end : apart;
    }
}
