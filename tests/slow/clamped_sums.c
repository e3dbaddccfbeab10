/* Sums with .SAT that are 1 and more, if they are numbers: which of them become 1.0 where they are none (docs/numbers.md). */
#include "tests/slow/leaving.h"

#include <stdlib.h>
#include <string.h>

struct sums {
    struct leaving x;
    bool *comes, *stays;        /* of each place: the sum at hand comes before it, and is there behind it */
    bool *reached;              /* of each place: somebody comes to it */
    bool quotient, met;         /* it is no sum, but RCP.F64 or DIV.F64 */
};

/* RCP.F64 and DIV.F64 with .SAT, not in turn with their operands. */
static bool clamps_quotient(const struct slow_program *p, const struct insn *insn)
{
    const struct symbol *to = insn->dst.kind == OPND_SYMBOL && !insn->dst.nindices ? program_symbol(p->text, insn->dst.ref) : NULL;
    if (!p->nvidia || !to || to->kind != SYM_TEMP || to->array || to->size != SIZE_LONG || insn->type != DT_F64 || !(insn->flags & INSN_SAT) ||
        (insn->op != OP_DIV && insn->op != OP_RCP) || condition_restricts(&insn->dst.condition))
        return false;
    for (unsigned k = 0; k < insn->nsrc; k++) {
        const struct operand *o = program_operand(p->text, insn->src + k);
        if (o->kind != OPND_CONSTANT && o->ref == insn->dst.ref)
            return false;
    }
    return true;
}

static bool is_nothing(const struct slow_program *p, const struct insn *insn, unsigned k)
{
    const struct operand *o = program_operand(p->text, insn->src + k);
    for (unsigned c = 0; c < 4; c++)
        if (insn->dst.mask >> c & 1 && (o->kind != OPND_CONSTANT || slow_literal(p, o, c, insn->type)))
            return false;
    return true;
}

/* An integer to an operation that makes something else of it. */
static bool is_integer(const struct slow_program *p, const struct insn *insn, unsigned k)
{
    unsigned type = slow_operand_type(insn, k);
    bool wide = type != DT_NONE && slow_bytes(type) == 8;
    if (type == DT_NONE || slow_is_float(type))
        return false;
    if (insn->op == OP_MOV)
        return !wide || program_operand(p->text, insn->src)->flags & OPND_SIGNS;
    if (insn->op == OP_ADD || insn->op == OP_SUB)
        return !(wide && is_nothing(p, insn, 1 - k));
    if (insn->op == OP_CMP)
        return k || !wide;
    if (insn->op == OP_CVT)
        return !(wide && slow_is_float(insn->type));
    if (insn->op == OP_I2F)
        return !wide;
    switch (insn->op) {
    case OP_AND: case OP_OR: case OP_XOR: case OP_NOT: case OP_SHL: case OP_SHR: case OP_MUL: case OP_MAD: case OP_SAD: case OP_DIV: case OP_MOD:
    case OP_ABS: case OP_MIN: case OP_MAX: case OP_BFE: case OP_BFR: case OP_BTC: case OP_BTFL: case OP_BTFM: return true;
    default: return op_compares(insn->op) || op_votes(insn->op) || (k == 0 && op_shuffles(insn->op));
    }
}

static bool writes(const struct sums *s, uint32_t place)
{
    const struct insn *insn = slow_leaving_at(&s->x, place);
    if (s->x.plan->place[place].fails >> s->x.c & 1)         /* its test never passes */
        return false;
    return insn->dst.kind == OPND_SYMBOL && insn->dst.condition.rule != CC_FL && insn->dst.ref == s->x.symbol &&
           slow_variable(s->x.p, insn->dst.kind, insn->dst.ref, insn->dst.nindices != 0, s->x.c) != NO_INDEX && slow_written(s->x.p, insn) >> s->x.c & 1;
}

static bool wanted(const struct sums *s, uint32_t place)
{
    const struct slow_reach *r = &s->x.reach;
    return place < s->x.plan->count && slow_in_set(r->live + (size_t)place * r->words, slow_variable(s->x.p, OPND_SYMBOL, s->x.symbol, false, s->x.c));
}

/* 0: a subroutine writes it nowhere; 2: whatever becomes of its lanes; 1: perhaps. */
static int written_by(const struct sums *s, uint32_t label)
{
    const struct leaving *x = &s->x;
    uint32_t first = label == NO_INDEX ? NO_INDEX : x->plan->first[label];
    bool plain = true;
    int found = 0;
    for (uint32_t i = first; first != NO_INDEX && (i == first || !slow_leaving_begins(x, i)); i++) {
        const struct insn *insn = slow_leaving_at(x, i);
        if (writes(s, i))
            found = plain && !(slow_truth_tested(x, i) >> x->c & 1) ? 2 : found ? found : 1;
        plain &= !op_flows(insn->op);
        if (!found && (insn->op == OP_CALI || (insn->op == OP_CAL && insn->partner != label && written_by(s, insn->partner))))
            found = 1;
    }
    return found;
}

/* CALI calls one of those that have numbers: whether one of them writes it, or reads it in its own text. */
static int seen_by_some(const struct sums *s)
{
    const struct gp5_program *text = s->x.p->text;
    for (uint32_t i = 0; i < text->symbols.count; i++) {
        const struct symbol *label = program_symbol(text, i);
        uint32_t first = label->kind == SYM_LABEL && label->numbered && label->instruction < text->insns.count ? s->x.plan->first[label->instruction] : NO_INDEX;
        if (first == NO_INDEX)
            continue;
        if (written_by(s, label->instruction))
            return 1;
        for (uint32_t at = first; at == first || !slow_leaving_begins(&s->x, at); at++)
            for (unsigned k = 0; k < slow_leaving_at(&s->x, at)->nsrc; k++)
                if (program_operand(text, slow_leaving_at(&s->x, at)->src + k)->kind == OPND_SYMBOL && slow_reads_component(&s->x, at, k, s->x.symbol, s->x.c))
                    return 1;
    }
    return 0;
}

/* Whether what is wanted behind the calls of the part that a place ends may be it. */
static bool wanted_by_callers(const struct sums *s, uint32_t place)
{
    const struct slow_reach *r = &s->x.reach;
    uint32_t label = s->x.plan->place[place].insn;
    if (slow_leaving_main(&s->x, place))
        return false;
    while (label && !s->x.p->label[label])
        label--;
    return slow_in_set(r->callers + (size_t)label * r->words, slow_variable(s->x.p, OPND_SYMBOL, s->x.symbol, false, s->x.c));
}

/* What is at hand is a quotient, and an instruction sees its clamp. */
static bool computes(const struct sums *s, uint32_t place)
{
    const struct insn *insn = slow_leaving_at(&s->x, place);
    bool any = false;
    for (unsigned k = 0; s->quotient && k < insn->nsrc; k++)
        any |= !is_integer(s->x.p, insn, k) && program_operand(s->x.p->text, insn->src + k)->kind == OPND_SYMBOL && slow_reads_component(&s->x, place, k, s->x.symbol, s->x.c);
    return any;
}

static bool stays_behind(struct sums *s, uint32_t place)
{
    const struct insn *insn = slow_leaving_at(&s->x, place);
    s->met |= computes(s, place) || (s->quotient && op_calls(insn->op));
    if (insn->op == OP_CAL || insn->op == OP_CALI) {
        bool always = !condition_restricts(&insn->condition) || s->x.plan->place[place].outcome == TEST_PASSES;
        int written = insn->op == OP_CALI ? seen_by_some(s) : written_by(s, insn->partner);
        s->met |= written && !(always && written == 2) && wanted(s, place + 1);
        if (written)
            return false;
    }
    if (writes(s, place)) {
        bool tested = slow_truth_tested(&s->x, place) >> s->x.c & 1, chooses = tested && s->x.reach.useful[place] >> s->x.c & 1;
        s->met |= s->quotient ? tested : chooses && slow_is_float(slow_result_type(insn));
        return false;
    }
    s->met |= (insn->op == OP_RET || slow_leaving_begins(&s->x, place + 1)) && wanted_by_callers(s, place);
    return true;
}

/* Where a place goes on in its part. */
static unsigned ways_on(const struct leaving *x, uint32_t place, uint32_t to[8])
{
    uint32_t all[8];
    unsigned ways = slow_successors(x->p, x->plan, place, all), n = 0;
    for (unsigned k = 0; k < ways; k++)
        if (all[k] != NO_INDEX && !slow_leaving_begins(x, all[k]) &&
            !(all[k] == x->plan->place[place].to && slow_has_first_round(x->p, &x->plan->place[place], slow_leaving_at(x, place))))
            to[n++] = all[k];
    return n;
}

static void follow(struct sums *s, uint32_t place)
{
    uint32_t n = s->x.plan->count, to[8];
    bool more = true;
    memset(s->comes, 0, n);
    memset(s->stays, 0, n);
    s->stays[place] = true;
    s->met |= slow_leaving_begins(&s->x, place + 1) && wanted_by_callers(s, place);
    while (more) {
        more = false;
        for (uint32_t i = 0; i < n; i++)
            for (unsigned ways = s->stays[i] ? ways_on(&s->x, i, to) : 0; ways-- > 0;)
                if (!s->comes[to[ways]]) {
                    s->comes[to[ways]] = more = true;
                    s->stays[to[ways]] |= stays_behind(s, to[ways]);
                }
    }
}

static void find_reached(struct sums *s)
{
    uint32_t to[8];
    bool more = true;
    for (uint32_t i = 0; i < s->x.plan->count; i++)
        s->reached[i] = i == 0 || i == s->x.reach.entry || slow_leaving_begins(&s->x, i);
    while (more) {
        more = false;
        for (uint32_t i = 0; i < s->x.plan->count; i++)
            for (unsigned ways = s->reached[i] ? ways_on(&s->x, i, to) : 0; ways-- > 0;)
                if (to[ways] < s->x.plan->count && !s->reached[to[ways]])
                    s->reached[to[ways]] = more = true;
    }
}

/* Something else comes to where it is wanted. */
static bool meets(const struct sums *s)
{
    uint32_t to[8];
    for (uint32_t i = 0; i < s->x.plan->count; i++)
        for (unsigned ways = s->stays[i] || !s->reached[i] ? 0 : ways_on(&s->x, i, to); ways-- > 0;)
            if (s->comes[to[ways]] && wanted(s, to[ways]))
                return true;
    return false;
}

/* The end of the block that a sum stands in: it is 1.0 behind that, if something else does not come there before. */
static uint32_t end_of(const struct sums *s, uint32_t place)
{
    for (; place + 1 < s->x.plan->count && !slow_leaving_begins(&s->x, place + 1); place++)
        if (slow_ends_block(slow_leaving_at(&s->x, place + 1)) || writes(s, place + 1))
            break;
    return place;
}

static bool becomes_one(struct sums *s, uint32_t place, unsigned c)
{
    const struct insn *insn = slow_leaving_at(&s->x, place);
    s->x.symbol = insn->dst.ref;
    s->x.c = c;
    s->met = false;
    if ((s->x.p->by_address && s->x.p->by_address[insn->dst.ref]) || slow_truth_tested(&s->x, place) >> c & 1)
        return true;
    if (slow_variable(s->x.p, OPND_SYMBOL, insn->dst.ref, insn->dst.nindices != 0, c) == NO_INDEX)
        return false;
    follow(s, place);
    return s->met || meets(s);
}

static void settle(struct sums *s, uint32_t i, unsigned c)
{
    struct slow_place *place = &s->x.plan->place[i], *end;
    bool becomes = becomes_one(s, i, c);
    if (becomes && ((s->x.p->by_address && s->x.p->by_address[s->x.symbol]) || slow_truth_tested(&s->x, i) >> c & 1))
        return;
    place->above &= (uint8_t)~(1u << c);
    if (!becomes)
        return;
    end = &s->x.plan->place[end_of(s, i)];
    place->next_end[c] = end->ends;
    end->ends = i * 4 + c + 1;
}

bool slow_find_clamped_sums(struct slow_plan *plan, const struct slow_program *p)
{
    struct sums s = {.x = {.p = p, .plan = plan, .watch = NO_INDEX}};
    bool any = false, ok = true;
    for (uint32_t i = 0; i < plan->count; i++)
        any |= plan->place[i].sums != 0 || clamps_quotient(p, program_insn(p->text, plan->place[i].insn));
    if (!any || plan->count > 4096)
        return true;
    ok = slow_reach_new(&s.x.reach, p, plan);
    s.comes = calloc(plan->count + 1, sizeof *s.comes);
    s.stays = calloc(plan->count + 1, sizeof *s.stays);
    s.reached = calloc(plan->count + 1, sizeof *s.reached);
    ok = ok && s.comes && s.stays && s.reached;
    if (ok)
        find_reached(&s);
    for (uint32_t i = 0; ok && i < plan->count; i++) {
        const struct insn *insn = program_insn(p->text, plan->place[i].insn);
        s.quotient = clamps_quotient(p, insn);
        for (unsigned c = 0; c < 4; c++) {
            if (plan->place[i].sums >> c & 1)
                settle(&s, i, c);
            if (s.quotient && insn->dst.mask >> c & 1 && !(plan->place[i].computed >> c & 1) && !becomes_one(&s, i, c))
                plan->place[i].unclamped |= (uint8_t)(1u << c);
        }
        if (insn->op == OP_RCP && plan->place[i].unclamped != insn->dst.mask)       /* one number, all of whose components are clamped, or none */
            plan->place[i].unclamped = 0;
    }
    slow_reach_free(&s.x.reach);
    free(s.comes);
    free(s.stays);
    free(s.reached);
    return ok;
}
