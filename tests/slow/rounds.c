/* How often loops run as far as the driver's compiler knows it, and which it takes apart: docs/semantics.md, "Contraction". */
#include "tests/slow/plan.h"

static const struct insn *at(const struct slow_knowledge *k, uint32_t i)
{
    return program_insn(k->p->text, i);
}

/* The operations from one instruction to another one. */
static uint32_t between(const uint32_t *costs, uint32_t from, uint32_t to)
{
    return costs[to] - costs[from];
}

/* The rules of docs/semantics.md: how much more code there may be. */
static bool small_enough(uint32_t count, uint64_t operations, uint32_t own, uint64_t others)
{
    uint64_t percent = 100 * own / (operations + own), all = operations + others, more = (count - 1ull) * (operations ? operations : 1);
    if (count <= 1)
        return true;
    if (more > 1 << 16)
        return false;
    if (15 * operations < 8 * all)
        return more <= 140 + 46 * percent;
    return 1000 * more * all <= 139645 * all + percent * (39228 * all + operations * (14080 + 1231 * percent));
}

static bool count_of(const struct slow_knowledge *k, const struct insn *rep, uint32_t *count)
{
    struct operand o;
    struct slow_known v;
    float f;
    uint32_t word;
    if (!rep->nsrc || type_table[rep->type].bytes != 4)
        return false;
    o = *program_operand(k->p->text, rep->src);
    if (o.kind == OPND_CONSTANT)
        o.flags &= (uint16_t)~OPND_NEGATE;
    if (!slow_known_operand(k, &o, 0, rep->type, &v))
        return false;
    word = (uint32_t)v.bits;
    __builtin_memcpy(&f, &word, sizeof f);
    if (slow_is_float(rep->type))
        *count = f >= 1 ? f < 65536 ? (uint32_t)f : UINT32_MAX : 0;
    else
        *count = (int32_t)word > 0 ? word : 0;
    return true;
}

static void unknow_all(struct slow_knowledge *k, uint32_t from, uint32_t to)
{
    for (uint32_t i = from; i < to; i++)
        slow_unknow(k, at(k, i), 0);
}

/* The count of a loop within a loop, with what is known there in each round: from the beginning of the body to it, into the IFs and loops around. */
static bool count_within(const struct slow_knowledge *before, uint32_t rep, uint32_t inner, uint32_t *count)
{
    struct slow_knowledge k;
    bool found;
    if (count_of(before, at(before, inner), count))
        return true;
    if (!slow_knowledge_copy(&k, before))
        return false;
    unknow_all(&k, rep + 1, at(&k, rep)->partner);
    for (uint32_t i = rep + 1; i < inner; i++) {
        uint32_t partner = at(&k, i)->partner;
        unsigned op = at(&k, i)->op;
        if (op == OP_REP || (op == OP_IF && partner < inner)) {
            unknow_all(&k, i, partner);
            if (partner < inner)
                i = partner;
            if (op == OP_IF && at(&k, partner)->op == OP_ELSE && at(&k, partner)->partner < inner) {
                i = at(&k, partner)->partner;
                unknow_all(&k, partner, i);
            }
        } else if (op != OP_IF) {
            slow_follow(&k, at(&k, i), NULL);
        }
        slow_begin_block(&k);
    }
    found = count_of(&k, at(&k, inner), count);
    slow_knowledge_free(&k);
    return found;
}

/* Whether copies of a body may stand there at all; its operations, and how often the loop in it runs that runs most. */
static bool may_be_copied(const struct slow_knowledge *k, const uint32_t *costs, uint32_t rep, uint32_t count, uint32_t *operations, uint32_t *most)
{
    uint32_t inner, last = slow_body_end(k->p->text, rep);
    *operations = between(costs, rep + 1, last);
    *most = 0;
    for (uint32_t i = rep + 1; i < last; i++) {
        const struct insn *insn = at(k, i);
        if (count > 1 && (insn->op == OP_CAL || insn->op == OP_CALI))
            return false;
        if (insn->op != OP_REP || count <= 1 || !insn->nsrc)
            continue;
        if (!count_within(k, rep, i, &inner))
            return false;
        *most = inner > *most ? inner : *most;
    }
    return true;
}

static bool taken_apart(const struct slow_knowledge *k, const uint32_t *costs, uint32_t rep, uint32_t count)
{
    uint32_t operations, most, others, own = 3;
    struct slow_counter c;
    if (!may_be_copied(k, costs, rep, count, &operations, &most))
        return false;
    others = between(costs, 0, (uint32_t)k->p->text->insns.count) - operations;
    if (at(k, rep)->nsrc == 0 && count > 1) {   /* counted by hand: the last copy is no more than the test, the counter goes */
        uint32_t gone = slow_find_counter(k->p->text, rep, &c) && c.sum ? 1 : 2;
        count--;
        operations = operations > gone ? operations - gone : 0;
        own = 2 + gone;
    }
    return small_enough(count, operations, own, others) && (operations <= 1 || (uint64_t)most * count * operations < 4096);
}

/* ---- loops without a count ----------------------------------------------------------------------------------------------------------- */

struct round {
    bool ends, lost, branches, skips;   /* skips: a CONT may have been taken; lost: nobody can tell; branches: over an IF whose outcome is not known */
    uint32_t at;
};

static struct round go_round(struct slow_knowledge *k, uint32_t rep)
{
    uint32_t end = at(k, rep)->partner, behind;
    struct round r = {.at = end};
    bool passes;
    for (uint32_t i = rep + 1; i < end && !r.ends && !r.lost; i++) {
        const struct insn *insn = at(k, i);
        switch (insn->op) {
        case OP_IF:
            if (slow_known_test(k, &insn->condition, &passes)) {
                i = passes ? i : insn->partner;
                break;
            }
            behind = at(k, insn->partner)->op == OP_ELSE ? at(k, insn->partner)->partner : insn->partner;
            r.branches = true;
            for (; i < behind; i++) {
                r.lost |= at(k, i)->op == OP_RET;
                r.skips |= at(k, i)->op == OP_CONT && at(k, i)->partner == end;
                slow_unknow(k, at(k, i), 0);
            }
            break;
        case OP_ELSE: i = insn->partner; break;
        case OP_REP: case OP_CAL: case OP_CALI: case OP_RET: r.lost = true; break;
        case OP_CONT:
            if (!slow_known_jump(k, &insn->condition, &passes))
                r.skips = true;
            else if (passes)
                i = end;
            break;
        case OP_BRK:
            r.ends = !r.skips && slow_known_jump(k, &insn->condition, &passes) && passes;
            r.at = i;
            break;
        default:
            if (r.skips)
                slow_unknow(k, insn, 0);
            else
                slow_follow(k, insn, NULL);
        }
    }
    return r;
}

/* An ADD or SUB of a literal, and nothing else in the loop writes its register. */
static bool is_counter(const struct slow_knowledge *k, uint32_t rep, const struct insn *insn)
{
    const struct operand *o = program_operand(k->p->text, insn->src);
    if ((insn->op != OP_ADD && insn->op != OP_SUB) || slow_is_float(insn->type) || o->kind != OPND_SYMBOL || o->ref != insn->dst.ref ||
        o[1].kind != OPND_CONSTANT)
        return false;
    for (uint32_t i = rep + 1; i < at(k, rep)->partner; i++) {
        const struct insn *other = at(k, i);
        if (other != insn && other->dst.kind == OPND_SYMBOL && other->dst.ref == insn->dst.ref && other->dst.mask & insn->dst.mask)
            return false;
    }
    return true;
}

/* Left on the flags of an unsigned sum: that is no counter. */
static bool on_unsigned_flags(const struct slow_knowledge *k, uint32_t rep, uint32_t brk)
{
    const struct insn *sum;
    brk -= at(k, brk - 1)->op == OP_IF || at(k, brk - 1)->op == OP_ELSE;
    sum = at(k, brk - 1);
    return brk - 1 > rep && (sum->op == OP_ADD || sum->op == OP_SUB) && sum->type == DT_U32 && sum->cc_update;
}

/* What a round does that goes on there stands in front of it: the loop ends at the bottom. */
static bool at_bottom(const struct slow_knowledge *k, uint32_t brk, uint32_t end)
{
    uint32_t inside = 0;
    for (uint32_t i = brk + 1; i < end; i++)
        if (at(k, i)->op != OP_ENDIF)
            return false;
    for (uint32_t i = brk - 1;; i--) {
        unsigned op = at(k, i)->op;
        if (!inside && op == OP_ELSE)
            return at(k, i - 1)->op == OP_IF;
        if (!inside && (op == OP_IF || op == OP_REP))
            return true;
        inside += (op == OP_ENDIF) + (op == OP_ENDREP);
        inside -= inside && (op == OP_IF || op == OP_REP);
    }
}

static bool counted_by_hand(const struct slow_knowledge *before, const uint32_t *costs, uint32_t rep, uint32_t *count)
{
    uint32_t end = at(before, rep)->partner;
    struct slow_knowledge k;
    struct round r = {0};
    if (!slow_knowledge_copy(&k, before))
        return false;
    for (*count = 0; !r.ends && !r.lost && taken_apart(before, costs, rep, *count + 1); ++*count) {
        for (uint32_t i = rep + 1; i < end; i++)
            if (!is_counter(&k, rep, at(&k, i)))
                slow_unknow(&k, at(&k, i), 0);
        r = go_round(&k, rep);
    }
    slow_knowledge_free(&k);
    if (!r.ends || (r.branches && *count > 2))
        return false;
    return !on_unsigned_flags(before, rep, r.at) && !at_bottom(before, r.at, end);
}

/* A BRK that is taken in any round, whatever the loop writes. */
static bool ends_first_round(const struct slow_knowledge *before, uint32_t rep)
{
    uint32_t end = at(before, rep)->partner, depth = 0;
    struct slow_knowledge k;
    bool ends = false, passes;
    if (!slow_knowledge_copy(&k, before))
        return false;
    for (uint32_t i = rep + 1; i < end; i++)
        slow_unknow(&k, at(&k, i), 0);
    for (uint32_t i = rep + 1; i < end && !ends; i++) {
        const struct insn *insn = at(&k, i);
        if (insn->op == OP_CAL || insn->op == OP_CALI || insn->op == OP_CONT)
            break;
        depth += (insn->op == OP_IF) + (insn->op == OP_REP);
        depth -= (insn->op == OP_ENDIF) + (insn->op == OP_ENDREP);
        if (depth)
            slow_unknow(&k, insn, 0);
        else if (insn->op == OP_BRK)
            ends = slow_known_jump(&k, &insn->condition, &passes) && passes;
        else
            slow_follow(&k, insn, NULL);
    }
    slow_knowledge_free(&k);
    return ends;
}

bool slow_copies(const struct slow_knowledge *k, const uint32_t *costs, uint32_t rep, uint32_t *count)
{
    if (at(k, rep)->nsrc)
        return count_of(k, at(k, rep), count) && (*count == 0 || taken_apart(k, costs, rep, *count));
    *count = 1;
    return ends_first_round(k, rep) || (counted_by_hand(k, costs, rep, count) && taken_apart(k, costs, rep, *count));
}

/* ---- copies of loops that stay loops ----------------------------------------------------------------------------------------------------- */

/* The operations from one instruction to another; a loop in between counts (operations + 2) a round and 1. */
static bool weigh(const struct slow_knowledge *k, const uint32_t *costs, uint32_t from, uint32_t to, unsigned depth, uint64_t *operations)
{
    *operations = 0;
    for (uint32_t i = from; i < to; i++) {
        uint64_t inner;
        uint32_t count;
        if (at(k, i)->op != OP_REP) {
            *operations += between(costs, i, i + 1);
            continue;
        }
        if (depth == 15 || !count_of(k, at(k, i), &count) || !weigh(k, costs, i + 1, at(k, i)->partner, depth + 1, &inner))
            return false;
        *operations += count > 1 << 16 ? UINT32_MAX >> 1 : count * (inner + 2) + 1;
        if (*operations > UINT32_MAX >> 2)
            return false;
        i = at(k, i)->partner;
    }
    return true;
}

/* `more`: of a copy in the loop, and of none before it. Of a known count: whole rounds of the loop, and before it what is left over; no more than 350 operations in all. */
static bool divides(uint32_t count, uint64_t operations, uint32_t more, struct slow_phases *phases)
{
    for (uint32_t copies = 350; operations && 100 * (3 + more) / (operations + 3 + more) >= 4 && copies > 1; copies--) {
        uint32_t rest = count % copies;
        if (rest * operations + copies * (operations + more) > 350)
            continue;
        *phases = (struct slow_phases){.rounds = {rest ? rest : UINT32_MAX, copies, UINT32_MAX}, .once = rest != 0};
        return true;
    }
    return false;
}

/* A CONT at the bottom, under a test that is not known: who does not take it leaves. */
static bool leaves_at_end(const struct slow_knowledge *k, uint32_t rep)
{
    uint32_t end = at(k, rep)->partner;
    const struct insn *last = at(k, end - 1);
    return last->op == OP_CONT && last->partner == end && last->condition.rule != CC_FL && !slow_ends_body(k, last, end - 1);
}

/* A CONT behind which nothing of its round is left. */
static bool skips_nothing(const struct slow_knowledge *k, const uint32_t *costs, uint32_t rep, uint32_t i)
{
    uint32_t count, end = at(k, rep)->partner;
    if (at(k, i)->op != OP_CONT || at(k, i)->partner != end)
        return false;
    for (uint32_t n = i + 1; n < end; n++) {
        const struct insn *insn = at(k, n);
        bool branches = insn->op == OP_IF || insn->op == OP_ELSE || insn->op == OP_ENDIF;
        if (insn->op == OP_REP && count_of(k, insn, &count) && count == 0)
            n = insn->partner;
        else if (between(costs, n, n + 1) || (op_flows(insn->op) && !branches))
            return false;
    }
    return i + 1 < end;
}

/* A body that the run's count may have copies of, from this instruction on; one BRK may be its own. */
static bool may_have_rows(const struct slow_knowledge *k, const uint32_t *costs, uint32_t rep, uint32_t from, uint32_t own_brk)
{
    uint32_t depth = 0, to = slow_body_end(k->p->text, rep);
    uint64_t whole;
    for (uint32_t i = from; i < to; i++) {
        const struct insn *insn = at(k, i);
        uint32_t count;
        if (insn->op == OP_REP && count_of(k, insn, &count) && count == 0) {
            i = insn->partner;      /* it is gone */
            continue;
        }
        depth += insn->op == OP_REP;
        depth -= insn->op == OP_ENDREP;
        if ((slow_looks_at_others(insn->op) && between(costs, i, i + 1)) || (insn->op == OP_BRK && i != own_brk) || (insn->op == OP_CONT && !slow_skips(k, rep, i) && !skips_nothing(k, costs, rep, i) && !slow_ends_body(k, insn, i)) || insn->op == OP_RET || insn->op == OP_CAL ||
            insn->op == OP_CALI || insn->op == OP_BAR || depth > 1)
            return false;
    }
    return weigh(k, costs, from, to, 0, &whole) && whole <= 18;
}

/* A loop that counts for itself: its comparison and its addition are none of its operations, but one is in each copy in the loop. */
static bool has_rows_of_its_own(const struct slow_knowledge *k, const uint32_t *costs, uint32_t rep, struct slow_phases *phases)
{
    const struct insn *test;
    struct slow_counter c;
    struct slow_known v[2];
    uint32_t operations;
    bool known = true;
    if (!slow_find_counter(k->p->text, rep, &c))
        return false;
    test = at(k, c.comparison);
    operations = between(costs, c.first, at(k, rep)->partner);
    if (c.add >= c.first)
        operations -= between(costs, c.add, c.add + 1);
    for (unsigned n = 0; known && n < 2; n++)
        known = slow_known_operand(k, program_operand(k->p->text, test->src + n), c.component, test->type, &v[n]);
    *phases = (struct slow_phases){.rounds = {4, 2, 1}};
    if (known) {
        c.turns = slow_counter_turns(&c, v[0].bits, v[1].bits);
        c.known = c.sum;
        if (c.turns == UINT32_MAX || !divides((uint32_t)c.turns, operations, !c.sum, phases))
            return false;
    } else if (c.sum || operations >= 18 || !may_have_rows(k, costs, rep, c.first, c.brk)) {
        return false;
    }
    phases->counts = true;
    phases->counter = c;
    return true;
}

bool slow_has_phases(const struct slow_knowledge *k, const uint32_t *costs, uint32_t rep, struct slow_phases *phases)
{
    uint32_t count, operations, most;
    uint64_t whole;
    if (!at(k, rep)->nsrc)
        return has_rows_of_its_own(k, costs, rep, phases);
    if (count_of(k, at(k, rep), &count))
        return count != UINT32_MAX && !leaves_at_end(k, rep) && may_be_copied(k, costs, rep, count, &operations, &most) &&
               weigh(k, costs, rep + 1, slow_body_end(k->p->text, rep), 0, &whole) && divides(count, whole, 0, phases);
    *phases = (struct slow_phases){.rounds = {4, 2, 1}};
    return may_have_rows(k, costs, rep, rep + 1, NO_INDEX);
}
