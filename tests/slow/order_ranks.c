/* Which operand of an operation on doubles comes first, by the results that its operands hold (order.c); and the NaN that it keeps. */
#include "tests/slow/order.h"

#include <string.h>

enum { QUIET_BIT = 51 };

struct rank {
    uint8_t source;
    int64_t at;
};

/* ---- the order -------------------------------------------------------------------------------------------------------------------- */

/* ---- a value that the other side of an IF replaces ------------------------------------------------------------------------------ */

/* Whether no block ends at an instruction and nothing goes elsewhere, but for IF (TR). */
static bool goes_on(const struct insn *insn)
{
    if (insn->op == OP_ELSE || insn->op == OP_ENDIF || (insn->op == OP_IF && !condition_restricts(&insn->condition)))
        return true;
    return !op_flows(insn->op) && !slow_ends_block(insn);
}

static bool all_go_on(const struct finder *f, uint32_t from, uint32_t to)
{
    for (uint32_t i = from; i < to; i++)
        if (!goes_on(program_insn(f->p->text, i)))
            return false;
    return true;
}

/* Whether a place stands on the second side of an IF, both of whose sides are straight-line code, and the first one leaves another
 * result, and one alone, in place of this one. */
static bool other_side_replaces(struct finder *f, uint32_t place, uint32_t var, uint32_t result)
{
    for (uint32_t i = place; i-- && goes_on(slow_order_insn(f, i));) {
        const struct insn *at_else = slow_order_insn(f, i);
        uint32_t here = f->plan->place[i].insn, begin, at = i;
        if (at_else->op != OP_ELSE || at_else->partner < f->plan->place[place].insn)
            continue;
        begin = program_insn(f->p->text, at_else->partner)->partner;
        if (!all_go_on(f, begin + 1, here) || !all_go_on(f, here + 1, at_else->partner))
            continue;
        while (at && f->plan->place[at].insn != begin)
            at--;
        const struct held *before = f->held + (size_t)at * f->nvars + var, *first = f->held + (size_t)i * f->nvars + var;
        if (f->plan->place[at].insn == begin && f->plan->place[at].outcome == TEST_LOOKED_AT && before->first == result &&
            first->first != NO_INDEX && first->first != result && !first->several)
            return slow_order_is_short(f, at + 1, i);
    }
    return false;
}

/* Where a result stands among the results. */
static struct rank among_results(const struct finder *f, uint32_t at)
{
    return (struct rank){RESULT, -(f->when[at] ? f->when[at] : (int64_t)SPAN * (at / 4) + RESULTS + at % 4)};
}

/* Where a value stands among the loads: behind those of straight-line code before it, before the others of its own what has several values. */
enum turn { TURN_SEVERAL, TURN_LOAD };

static struct rank among_loads(const struct finder *f, uint32_t at, enum turn turn)
{
    return (struct rank){LOADED, (int64_t)f->part[at / 4] << 34 | (int64_t)turn << 32 | at};
}

/* Whether another part of the program stands at `at`: a caller's. */
static bool is_elsewhere(const struct finder *f, uint32_t place, uint32_t at)
{
    uint32_t lower = at < place ? at : place, higher = at < place ? place : at;
    for (uint32_t i = lower + 1; i <= higher; i++)
        if (slow_begins_part(f->p, f->plan, i))
            return true;
    return false;
}

/* What has several values stands where the first one does; where they meet others elsewhere, as a result; where a call has left one of them in the
 * place of another, behind all others. */
static struct rank rank_of_several(const struct finder *f, uint32_t place, uint32_t first, bool called, uint32_t met, uint32_t var)
{
    if (called && !is_elsewhere(f, place, first / 4))
        return (struct rank){RESULT, INT64_MAX - 1 - first};
    if (slow_order_is_again(f, met, var) || is_elsewhere(f, place, first / 4))
        return among_results(f, f->made[first].at);
    return among_loads(f, first, TURN_SEVERAL);
}

/* What the last load of this block made. */
static bool is_latest(const struct finder *f, const struct made *m, uint32_t result)
{
    return m->source == LOADED && m->at == result && result / 4 == f->latest;
}

/* Whether a result counts as one that meets others: in a program that keeps its loads one does not, unless a loop's rounds bring it. */
static bool meets_others(const struct finder *f, uint32_t result)
{
    const struct made *m = &f->made[result];
    return m->meets && (f->brought[result] || !f->keeps_loads || m->source != LOADED);
}

/* The last load of the block that it is in. */
static bool ends_loads(const struct finder *f, uint32_t load)
{
    for (uint32_t i = load + 1; i < f->plan->count && f->block[i] == f->block[load]; i++) {
        const struct insn *insn = slow_order_insn(f, i);
        if (op_is_atomic(insn->op) || ((insn->op == OP_LDB || insn->op == OP_LOAD) && f->reach.useful[i]))
            return false;
    }
    return true;
}

bool slow_order_is_taken(const struct finder *f, uint32_t place, uint32_t result)
{
    const struct made *m = &f->made[result];
    if (m->at != result || f->block[result / 4] == f->block[place] || !(m->meets || m->paired))
        return false;
    return m->source == LOADED ? !f->keeps_loads && ends_loads(f, result / 4) : m->source == RESULT;
}

/* The same where a place is at hand: a copy of a load is that as far as its block goes; pairs. */
static bool is_met(const struct finder *f, uint32_t place, const struct made *m, uint32_t result)
{
    bool as_loaded = m->source == LOADED && f->block[result / 4] == f->block[place];
    return meets_others(f, as_loaded ? m->at : result) && !is_latest(f, m, result);
}

static bool is_joined(const struct finder *f, const struct made *m, uint32_t result)
{
    return m->paired && !is_latest(f, m, result);
}

/* ---- a value that a loop's next round takes in place of another one -------------------------------------------------------------- */

/* The last of three phases takes what nobody reads behind the loop as it was made, and a small phase everything. */
static bool phase_takes_made(struct finder *f, uint32_t place, uint32_t result, uint32_t var)
{
    uint32_t rep = f->plan->place[place].loop, begin;
    const struct slow_place *loop = rep == NO_INDEX ? NULL : &f->plan->place[rep];
    bool last, both, in_last;
    if (!loop || !loop->phased)
        return false;
    in_last = place >= loop->phase[SLOW_PHASES - 1];
    begin = loop->phase[in_last ? 2 : place >= loop->phase[1]];
    if (result / 4 < rep || result / 4 >= begin)
        return false;
    return (in_last && !slow_order_is_read(f, loop->to, var)) || slow_order_small_phase(f, place, &last, &both) != NO_INDEX;
}

/* In its own block it is what was made; in others it stands where the first one did. */
static bool stands_instead(struct finder *f, uint32_t place, uint32_t result, uint32_t var)
{
    return f->made[result].instead && f->block[result / 4] != f->block[place] && !phase_takes_made(f, place, result, var);
}

/* ---- ranks ----------------------------------------------------------------------------------------------------------------------- */

static bool is_root(const struct insn *insn)
{
    return insn->op == OP_RSQ && insn->type == DT_F64 && !(insn->flags & (INSN_SAT | INSN_SSAT)) && !condition_restricts(&insn->dst.condition);
}

/* The last component of a quotient of doubles that anybody reads. */
static bool is_last_quotient(const struct finder *f, uint32_t result)
{
    const struct insn *insn = slow_order_insn(f, result / 4);
    unsigned above = (insn->dst.mask & f->reach.useful[result / 4]) >> (result % 4 + 1);
    return insn->op == OP_DIV && insn->type == DT_F64 && !(insn->flags & (INSN_SAT | INSN_SSAT)) && !condition_restricts(&insn->dst.condition) && !above;
}

/* Quotients and remainders of integers of 64 bits, and what atomic operations find. */
static bool comes_by_call(const struct insn *insn)
{
    return slow_order_divides(insn) || ((insn->type == DT_U64 || insn->type == DT_S64) && op_is_atomic(insn->op));
}

/* Where what becomes one register here stands, or is copied here: of two such the operand that is written second comes first. */
static struct rank at_place(enum source source, uint32_t place, const struct operand *o, unsigned k, unsigned c)
{
    return (struct rank){(uint8_t)source, -((int64_t)SPAN * place + 4 * k + (o->swizzle >> 2 * c & 3))};
}

/* What a call leaves comes behind all other results, but what it has made of what stood in the variable before them. */
static struct rank rank_of_called(const struct finder *f, uint32_t result, uint32_t var)
{
    bool changes = var != NO_INDEX && f->called[var] & CALLED_CHANGES;
    return (struct rank){changes ? DIVIDED : RESULT, INT64_MAX - 1 - result};
}

static struct rank rank_of(struct finder *f, uint32_t place, const struct insn *insn, unsigned k, unsigned c)
{
    const struct operand *o = program_operand(f->p->text, insn->src + k);
    const struct operand *other = program_operand(f->p->text, insn->src + !k);
    struct held h = slow_order_held(f, o, c);
    const struct made *m = h.first == NO_INDEX ? NULL : &f->made[h.first];
    bool meets;
    if (o->kind == OPND_CONSTANT || f->plan->place[place].narrow[k] >> c & 1)
        return (struct rank){KNOWN, k};
    if (slow_order_is_made_again(f, place, insn, k, c))
        return at_place(COPY, place, o, k, c);
    if (!m)
        return (struct rank){RESULT, -slow_order_widened(f, place, insn, k, c)};
    if (h.several)
        return rank_of_several(f, place, h.first, h.called, h.met, h.var);
    if (m->several)
        return rank_of_several(f, place, m->at, m->called, m->met, m->var);
    meets = is_met(f, place, m, h.first);
    if (meets && other_side_replaces(f, place, slow_variable(f->p, o->kind, o->ref, o->nindices != 0, o->swizzle >> 2 * c & 3), h.first))
        return (struct rank){OTHER_SIDE, -(int64_t)h.first};
    if (m->source == KNOWN || m->source == BUFFER)
        return (struct rank){m->source, m->source == KNOWN ? (int)k : 1 - (int)k};
    if (h.called && m->at == h.first && !h.outer && !meets)
        return rank_of_called(f, h.first, slow_order_variable(f, o->kind, o->ref, o->nindices != 0, o->swizzle >> 2 * c & 3));
    if (!slow_order_is_taken(f, place, h.first) && slow_order_is_split(f, h.first, !is_latest(f, m, h.first)))
        return at_place(PAIR, place, o, k, c);
    if (stands_instead(f, place, h.first, slow_order_variable(f, o->kind, o->ref, o->nindices != 0, o->swizzle >> 2 * c & 3)))
        return among_results(f, m->instead - 1);
    if (m->source == LOADED && !meets && !(is_joined(f, m, h.first) && m->at == h.first))
        return m->at == f->first[m->at % 4] ? (struct rank){FIRST_LOADED, m->at % 4} : among_loads(f, m->at, TURN_LOAD);
    if (m->at == h.first && is_last_quotient(f, h.first) && program_is_long(f->p->text, other->kind, other->ref) && slow_order_ends_at(f, place, h.first))
        return at_place(PAIR, place, o, k, c);
    if (m->at == h.first && is_root(slow_order_insn(f, h.first / 4)))
        return (struct rank){ROOT, m->at};
    if (m->at == h.first && comes_by_call(slow_order_insn(f, h.first / 4)))
        return (struct rank){DIVIDED, m->at};
    if (slow_order_stays_copy(f, place, m->at))
        return (struct rank){RESULT, -((int64_t)SPAN * (m->at / 4) + m->at % 4)};
    return among_results(f, m->at);
}

void slow_order_first_loads(struct finder *f)
{
    memset(f->first, 0xff, sizeof f->first);
    for (uint32_t i = 0; i < 4 * f->plan->count; i++)
        if (f->first[i % 4] == NO_INDEX && f->made[i].source == LOADED && f->made[i].at == i && f->reach.passing[i / 4] >> i % 4 & 1)
            f->first[i % 4] = i;
}

static bool comes_before(struct rank a, struct rank b)
{
    return a.source != b.source ? a.source < b.source : a.at < b.at;
}

bool slow_is_ordered(const struct insn *insn)
{
    unsigned op = insn->op;
    return insn->type == DT_F64 && (op == OP_ADD || op == OP_SUB || op == OP_MUL || op == OP_MIN || op == OP_MAX || op == OP_MAD);
}

/* A MAD with 1 or -1 is a sum: its other factor and the addend. -1: it is none. */
static int factor_of_one(const struct slow_place *place, const struct insn *insn, unsigned c)
{
    for (int k = 0; insn->op == OP_MAD && k < 2; k++)
        if ((place->one[k] | place->narrow_one[k]) >> c & 1)
            return k;
    return -1;
}

/* Whether calls bring several values, or a subroutine writes the variable. */
static bool changes(const struct finder *f, uint32_t met, uint32_t var)
{
    return f->called[var] || (met / f->plan->count == MEET_ELSEWHERE && slow_begins_part(f->p, f->plan, met % f->plan->count));
}

/* What callers made and nothing here meets has no place in a subroutine's order. */
static bool has_no_place(const struct finder *f, const struct operand *o, unsigned c)
{
    struct held h = slow_order_held(f, o, c);
    const struct made *m = h.first == NO_INDEX ? NULL : &f->made[h.first];
    if (!m || !h.outer)
        return false;
    if (h.several || m->several)
        return !changes(f, h.several ? h.met : m->met, h.several ? h.var : m->var);
    return !meets_others(f, h.first);
}

/* Its operations stay as they are written, the second operand first, but beside what is known and pairs. */
static bool is_as_written(const struct finder *f, uint32_t place, const struct insn *insn, unsigned c, const struct rank r[3])
{
    const struct operand *o = program_operand(f->p->text, insn->src);
    const uint8_t *narrow = f->plan->place[place].narrow;
    bool any = has_no_place(f, o, c) || has_no_place(f, o + 1, c) || (insn->op == OP_MAD && has_no_place(f, o + 2, c));
    return any && r[0].source != PAIR && r[1].source != PAIR && o[0].kind != OPND_CONSTANT && o[1].kind != OPND_CONSTANT && !((narrow[0] | narrow[1]) >> c & 1);
}

/* Whether each round takes a variable from the one before. */
static bool is_carried(const struct finder *f, uint32_t rep, uint32_t v)
{
    return v != NO_INDEX && f->differs[(size_t)rep * f->nvars + v] && slow_order_is_read(f, rep + 1, v);
}

/* In a small phase what becomes a double there comes before loads made in front of the loop; and in the last one first of all what rounds carry, that
 * the phase has written itself, or any if the phase before is small too. */
static bool comes_first_again(struct finder *f, uint32_t place, const struct operand *o, unsigned k, unsigned c, const struct rank r[3])
{
    bool last, both, carried[2];
    uint32_t rep = slow_order_small_phase(f, place, &last, &both);
    struct held h = slow_order_held(f, o + 1 - k, c);
    const struct made *m = h.first == NO_INDEX ? NULL : &f->made[h.first];
    for (unsigned n = 0; n < 2; n++) {
        uint32_t v = rep == NO_INDEX ? NO_INDEX : slow_order_variable(f, o[n].kind, o[n].ref, o[n].nindices != 0, o[n].swizzle >> 2 * c & 3);
        if (rep == NO_INDEX || o[n].kind == OPND_CONSTANT || r[n].source == KNOWN)
            return false;
        carried[n] = last && is_carried(f, rep, v) && (both || f->now[v].first / 4 >= f->plan->place[rep].phase[SLOW_PHASES - 1]);
    }
    if (carried[k] && !carried[1 - k])
        return true;
    return !program_is_long(f->p->text, o[k].kind, o[k].ref) && (r[1 - k].source == FIRST_LOADED || r[1 - k].source == LOADED) && m && !h.several &&
           !m->several && m->at / 4 < rep;
}

/* The REP of a loop whose phase of four rounds a place is in, or NO_INDEX; not in programs that load from one address twice. */
static uint32_t loop_of_four(const struct finder *f, uint32_t place)
{
    uint32_t rep = f->plan->place[place].loop;
    const struct slow_place *loop = rep == NO_INDEX ? NULL : &f->plan->place[rep];
    if (!loop || f->loads_again || !loop->phased || !slow_order_insn(f, rep)->nsrc || loop->phases.rounds[0] != 4 || loop->phases.rounds[1] != 2)
        return NO_INDEX;
    return place < loop->phase[SLOW_PHASES - 2] ? rep : NO_INDEX;
}

/* In a phase of four rounds: a register that becomes a double there comes before what rounds bring, and both that and what the phase makes before a
 * parameter, which became one before the loop. */
static bool comes_first_of_four(const struct finder *f, uint32_t place, const struct operand *o, unsigned k, unsigned c, const struct rank r[3])
{
    uint32_t rep = loop_of_four(f, place);
    struct held mine = slow_order_held(f, o + k, c), other = slow_order_held(f, o + 1 - k, c);
    if (rep == NO_INDEX || o[0].kind == OPND_CONSTANT || o[1].kind == OPND_CONSTANT || r[0].source == KNOWN || r[1].source == KNOWN)
        return false;
    if (slow_order_is_parameter(f, o + 1 - k))
        return mine.first != NO_INDEX && ((mine.several && mine.met == rep) || mine.first / 4 > rep);
    return !slow_order_is_parameter(f, o + k) && !program_is_long(f->p->text, o[k].kind, o[k].ref) && other.several && other.met == rep;
}

static bool goes_first(struct finder *f, uint32_t place, const struct operand *o, unsigned k, unsigned c, const struct rank r[3])
{
    return comes_first_again(f, place, o, k, c, r) || comes_first_of_four(f, place, o, k, c, r);
}

void slow_order_operands(struct finder *f, uint32_t place, const struct insn *insn)
{
    uint8_t *swapped = &f->plan->place[place].swapped;
    *swapped = 0;
    slow_order_widen(f, place, insn);
    for (unsigned c = 0; c < 4; c++) {
        struct rank r[3];
        int one = factor_of_one(&f->plan->place[place], insn, c);
        if (!(insn->dst.mask >> c & 1))
            continue;
        for (unsigned k = 0; k < insn->nsrc; k++)
            r[k] = k < 2 && (f->plan->place[place].zero[k] | f->plan->place[place].narrow_zero[k]) >> c & 1 ? (struct rank){RESULT, INT64_MAX} : rank_of(f, place, insn, k, c);
        bool first = one < 0 && goes_first(f, place, program_operand(f->p->text, insn->src), 0, c, r);
        bool second = one < 0 && !first && goes_first(f, place, program_operand(f->p->text, insn->src), 1, c, r);
        if (first || second) {
            *swapped |= (uint8_t)(second << c);
            continue;
        }
        if (one < 0 ? is_as_written(f, place, insn, c, r) || comes_before(r[1], r[0]) : comes_before(r[1 - one], r[2]) == (one == 0))
            *swapped |= (uint8_t)(1u << c);
    }
}

/* ---- at run time ------------------------------------------------------------------------------------------------------------------- */

static bool nan64(uint64_t v)
{
    return v << 1 > 0xffe0000000000000;
}

void slow_order_nans(const struct slow_lane *l, const struct insn *insn, struct slow_value s[3][4], struct slow_value result[4])
{
    const struct slow_program *p = l->group->program;
    bool clamps = insn->flags & (INSN_SAT | INSN_SSAT) && !slow_loses_clamp(p, insn);
    if (!p->nvidia || !slow_is_ordered(insn) || clamps)
        return;
    for (unsigned c = 0; c < 4; c++) {
        unsigned first = l->here->swapped >> c & 1, second = 1 - first;
        unsigned order[3] = {first, second, 2}, nans = 0;
        if (insn->nsrc == 3)
            order[1] = 2, order[2] = second;
        for (unsigned k = 0; k < insn->nsrc; k++)
            nans += nan64(s[k][c].bits);
        for (unsigned k = insn->nsrc; nans > 1 && k--;)
            if (nan64(s[order[k]][c].bits))
                result[c].bits = s[order[k]][c].bits | (uint64_t)1 << QUIET_BIT;
    }
}
