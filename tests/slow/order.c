/* Which of two NaNs an operation on doubles keeps: docs/numbers.md, "Doubles". The compiler puts operands into an order by where their
 * values come from, which is found here for every place of a plan: which results reach it, through flow as it goes. */
#include "tests/slow/order.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_DEPTH = 32 };        /* of calls */

/* LONG temporaries that are no arrays. */
static uint32_t followed(const struct finder *f, unsigned kind, uint32_t symbol, bool indexed, unsigned c)
{
    uint32_t v = slow_variable(f->p, kind, symbol, indexed, c);
    return v != NO_INDEX && program_symbol(f->p->text, symbol)->size == SIZE_LONG ? v : NO_INDEX;
}

static uint32_t target(const struct finder *f, const struct insn *insn, unsigned c)
{
    if (insn->dst.kind == OPND_NONE || !(slow_written(f->p, insn) >> c & 1))
        return NO_INDEX;
    return followed(f, insn->dst.kind, insn->dst.ref, insn->dst.nindices != 0, c);
}

struct held slow_order_held(const struct finder *f, const struct operand *o, unsigned c)
{
    uint32_t v = followed(f, o->kind, o->ref, o->nindices != 0, o->swizzle >> 2 * c & 3);
    return v == NO_INDEX ? (struct held){.first = NO_INDEX} : f->now[v];
}

/* ---- results -------------------------------------------------------------------------------------------------------------------- */

static bool is_copy(const struct slow_program *p, const struct insn *insn)
{
    const struct operand *a = program_operand(p->text, insn->src);
    if (insn->flags & (INSN_SAT | INSN_SSAT) || slow_bytes(insn->type) != 8)
        return false;
    return (insn->op == OP_MOV && (insn->type == DT_F64 || !(a->flags & OPND_SIGNS))) || (insn->op == OP_ABS && insn->type == DT_F64);
}

/* The operand that component c is a copy of, or -1. */
static int copy_of(const struct finder *f, const struct slow_place *place, const struct insn *insn, unsigned c)
{
    bool computes = insn->flags & INSN_PREC && (insn->op == OP_MIN || insn->op == OP_MAX);       /* not seen to be a copy */
    for (int k = 0; !computes && k < 3; k++)
        if (place->chosen[k] >> c & 1)
            return k;
    for (int k = 0; k < 2 && insn->op == OP_MUL && insn->type == DT_F64 && !(insn->flags & (INSN_SAT | INSN_SSAT)); k++)
        if (place->one[k] >> c & 1)
            return 1 - k;
    return is_copy(f->p, insn) ? 0 : -1;
}

static void make(struct finder *f, uint32_t place, unsigned c)
{
    const struct insn *insn = slow_order_insn(f, place);
    const struct slow_place *here = &f->plan->place[place];
    struct made *m = &f->made[4 * place + c], fresh = {.at = 4 * place + c, .source = RESULT, .meets = m->meets};
    int k = copy_of(f, here, insn, c);
    if (condition_restricts(&insn->dst.condition) && !(here->passes >> c & 1))
        ;
    else if (here->known >> c & 1)
        fresh.source = KNOWN;
    else if (insn->op == OP_LDB || insn->op == OP_LOAD)
        fresh.source = LOADED;
    else if (insn->op == OP_LDC)
        fresh.source = BUFFER;
    else if (k >= 0) {
        struct held h = slow_order_held(f, program_operand(f->p->text, insn->src + (uint32_t)k), c);
        if (h.first != NO_INDEX) {
            const struct made *from = &f->made[h.first];
            fresh = (struct made){.at = from->at, .source = from->source, .several = h.several || from->several,
                                  .outer = h.outer, .meets = m->meets};
            if (h.several && (from->at != h.first || from->several)) {      /* of copies and others */
                fresh.source = RESULT;
                fresh.at = h.first;
            }
        }
    }
    *m = fresh;
}

/* ---- where ways meet ------------------------------------------------------------------------------------------------------------- */

/* What a subroutine leaves makes no loads meet where an IF or a loop ends. */
static bool is_call(const struct finder *f, uint32_t result)
{
    unsigned op = slow_order_insn(f, result / 4)->op;
    return op == OP_CAL || op == OP_CALI;
}

static void meet(struct finder *f, struct held *to, struct held from, bool is_read)
{
    if (from.first == NO_INDEX)
        return;
    if (to->first == NO_INDEX) {
        *to = from;
    } else if (to->first != from.first) {
        if (is_read && !is_call(f, to->first) && !is_call(f, from.first))
            f->made[to->first].meets = f->made[from.first].meets = true;
        to->first = to->first < from.first ? to->first : from.first;
        to->several = true;
        to->outer &= from.outer;
    } else {
        to->several |= from.several;
    }
}

/* Whether `to` is where a later phase of a loop begins; *from_before: and `from` the end of the phase before it. */
static bool begins_phase(const struct finder *f, uint32_t from, uint32_t to, bool *from_before)
{
    unsigned op = slow_order_insn(f, from)->op;
    uint32_t rep = op == OP_REP ? from : op == OP_ENDREP ? f->plan->place[from].loop : NO_INDEX;
    const struct slow_place *head = rep == NO_INDEX ? NULL : &f->plan->place[rep];
    *from_before = from + 1 == to;
    return head && head->phased && to != head->to && to != rep + 1 &&
           (to == head->phase[1] || to == head->phase[2]);
}

/* No loads meet where CONT goes to, nor behind a loop whose body has been copied as often as it runs. */
static bool among_copies(const struct finder *f, uint32_t from, uint32_t to)
{
    uint32_t rep = from == NO_INDEX ? NO_INDEX : slow_order_insn(f, from)->op == OP_REP ? from : f->plan->place[from].loop;
    if (rep != NO_INDEX && f->plan->place[rep].to == to)
        return f->plan->place[rep].straight && slow_order_insn(f, to)->op != OP_ENDIF;
    return slow_order_insn(f, to)->op == OP_ENDREP;
}

/* `from` NO_INDEX: a call. A label that is run into returns. Where a later phase of a loop begins, a value is what the phase before it
 * leaves. */
static bool go_to(struct finder *f, uint32_t from, uint32_t to)
{
    const struct slow_place *there = &f->plan->place[to];
    bool changed = false, from_before = false, phase = from != NO_INDEX && begins_phase(f, from, to, &from_before);
    if (to >= f->plan->count || (from != NO_INDEX && f->p->label[there->insn] && f->plan->first[there->insn] == to))
        return false;
    for (uint32_t v = 8; v < f->nvars; v++) {
        struct held *held = &f->held[(size_t)to * f->nvars + v], before = *held, now = f->now[v];
        bool is_read = slow_in_set(f->reach.live + (size_t)to * f->reach.words, v);
        now.outer |= from == NO_INDEX;
        meet(f, held, now, is_read && !among_copies(f, from, to));
        if (phase && before.first != NO_INDEX && now.first != NO_INDEX)
            *held = from_before ? now : before;
        changed |= before.first != held->first || before.several != held->several || before.outer != held->outer;
    }
    return changed;
}

static bool part_writes(const struct finder *f, uint32_t from, uint32_t v, unsigned depth);

/* Whether what an instruction calls writes a variable, or another component of it. */
static bool call_writes(const struct finder *f, const struct insn *call, uint32_t v, unsigned depth)
{
    for (uint32_t i = 0; i < f->p->text->insns.count; i++)
        if (f->p->label[i] && slow_calls(f->p, call, i) && (depth == MAX_DEPTH || part_writes(f, i, v, depth)))
            return true;
    return depth == MAX_DEPTH;
}

static bool part_writes(const struct finder *f, uint32_t from, uint32_t v, unsigned depth)
{
    for (uint32_t i = from; i < f->p->text->insns.count && (i == from || !f->p->label[i]); i++) {
        const struct insn *insn = program_insn(f->p->text, i);
        for (unsigned c = 0; insn->dst.kind != OPND_NONE && c < 4; c++)
            if (followed(f, insn->dst.kind, insn->dst.ref, insn->dst.nindices != 0, c) == v)
                return true;
        if ((insn->op == OP_CAL || insn->op == OP_CALI) && call_writes(f, insn, v, depth + 1))
            return true;
    }
    return false;
}

/* What the called subroutines write comes from the call; where a test decides on the call, it has another value besides. */
static void return_from(struct finder *f, uint32_t place, const struct insn *call)
{
    const uint64_t *live = f->reach.live + (size_t)(place + 1) * f->reach.words;
    for (uint32_t v = 8; v < f->nvars; v++) {
        struct held there = {.first = 4 * place + v % 4};
        if (!f->called[v] || !call_writes(f, call, v, 0))
            continue;
        f->made[there.first] = (struct made){.at = there.first, .source = RESULT, .meets = f->made[there.first].meets};
        if (!condition_restricts(&call->condition)) {
            f->now[v] = there;
            continue;
        }
        if (f->now[v].first != NO_INDEX && place + 1 < f->plan->count && slow_in_set(live, v))
            f->made[f->now[v].first].meets = true;
        meet(f, &f->now[v], there, false);
    }
}

/* Whether a variable has several values in a subroutine, its first call says, and whether another one brings another value. */
static bool call(struct finder *f, uint32_t place, const struct insn *insn)
{
    bool changed = false;
    for (uint32_t i = 0; i < f->p->text->insns.count; i++) {
        bool *several = f->several;
        if (!f->p->label[i] || f->plan->first[i] == NO_INDEX || !slow_calls(f->p, insn, i))
            continue;
        if (f->caller[i] == NO_INDEX)
            f->caller[i] = place;
        for (uint32_t v = 8; f->caller[i] != place && v < f->nvars; v++) {
            several[v] = f->now[v].several;
            f->now[v].several = false;
        }
        changed |= go_to(f, NO_INDEX, f->plan->first[i]);
        for (uint32_t v = 8; f->caller[i] != place && v < f->nvars; v++)
            f->now[v].several = several[v];
    }
    return_from(f, place, insn);
    return changed;
}

/* Whether the way is none: out of a copy of a body that is copied as often as it runs, and is not the last one. */
static bool is_no_way(const struct finder *f, uint32_t place, uint32_t to)
{
    const struct slow_place *here = &f->plan->place[place], *head = here->loop == NO_INDEX ? NULL : &f->plan->place[here->loop];
    return slow_order_insn(f, place)->op == OP_ENDREP && head && head->straight && here->again != NO_INDEX && to == head->to;
}

/* A result of 64 bits that is tested and sets flags: a branch goes by it. Nothing is carried. */
static bool is_branch(const struct insn *insn)
{
    unsigned rule = insn->dst.condition.rule;
    bool is_never = rule == CC_CF || rule == CC_OF || rule == CC_AB;
    return insn->cc_update && slow_bytes(insn->type) == 8 && condition_restricts(&insn->dst.condition) && !is_never &&
           !(insn->flags & INSN_SSAT);
}

/* A component is written; behind a branch it meets what stood there, if anybody reads it. */
static void put(struct finder *f, uint32_t place, unsigned c, struct held *held)
{
    const struct insn *insn = slow_order_insn(f, place);
    struct held fresh = {.first = 4 * place + c, .outer = f->made[4 * place + c].outer};
    if (is_branch(insn)) {
        if (held->first != NO_INDEX && held->first != fresh.first && f->reach.useful[place] >> c & 1 && !is_call(f, held->first))
            f->made[held->first].meets = f->made[fresh.first].meets = true;
        if (!(f->plan->place[place].passes >> c & 1)) {
            meet(f, held, fresh, false);
            return;
        }
    }
    *held = fresh;
}

static bool flow_from(struct finder *f, uint32_t place)
{
    const struct insn *insn = slow_order_insn(f, place);
    uint32_t to[8];
    unsigned n = slow_successors(f->p, f->plan, place, to), fails = f->plan->place[place].fails;
    bool changed = false, at_bottom = insn->partner == f->plan->place[place].insn + 1;
    memcpy(f->now, f->held + (size_t)place * f->nvars, f->nvars * sizeof *f->now);
    for (unsigned c = 0; c < 4; c++)
        if (target(f, insn, c) != NO_INDEX && !(fails >> c & 1))
            make(f, place, c);
    for (unsigned c = 0; c < 4; c++)
        if (target(f, insn, c) != NO_INDEX && !(fails >> c & 1))
            put(f, place, c, &f->now[target(f, insn, c)]);
    if (insn->op == OP_CAL || insn->op == OP_CALI)
        changed = call(f, place, insn);
    for (unsigned k = 0; k < n; k++)
        if ((insn->op != OP_CONT || k != 1 || at_bottom) && !is_no_way(f, place, to[k]))     /* who does not go on at the bottom leaves the loop */
            changed |= go_to(f, place, to[k]);
    return changed;
}

/* ---- the order -------------------------------------------------------------------------------------------------------------------- */

static bool ends_stretch(const struct finder *f, uint32_t place)
{
    const struct slow_place *here = &f->plan->place[place];
    switch (here->straight ? OP_COUNT : slow_order_insn(f, place)->op) {
    case OP_IF: case OP_ELSE: case OP_ENDIF: case OP_REP: case OP_ENDREP: case OP_CAL: case OP_CALI: return true;
    default: return f->p->label[here->insn] && f->plan->first[here->insn] == place;
    }
}

static void order_all(struct finder *f)
{
    slow_order_first_loads(f);
    for (uint32_t i = 0; i < f->plan->count; i++) {
        const struct insn *insn = slow_order_insn(f, i);
        if (i == 0 || ends_stretch(f, i))
            memset(f->widened, 0xff, f->nvars * sizeof *f->widened);
        memcpy(f->now, f->held + (size_t)i * f->nvars, f->nvars * sizeof *f->now);
        if (slow_is_ordered(insn))
            slow_order_operands(f, i, insn);
        for (unsigned c = 0; insn->dst.kind != OPND_NONE && c < 4; c++) {
            uint32_t v = insn->dst.mask >> c & 1 ? slow_variable(f->p, insn->dst.kind, insn->dst.ref, insn->dst.nindices != 0, c) : NO_INDEX;
            if (v != NO_INDEX)
                f->widened[v].at = NO_INDEX;
        }
    }
}

static bool has_doubles(const struct slow_program *p)
{
    for (uint32_t i = 0; i < p->text->insns.count; i++)
        if (slow_is_ordered(program_insn(p->text, i)))
            return true;
    return false;
}

static void note_called(struct finder *f)
{
    for (uint32_t i = 0; i < f->plan->count; i++)
        for (unsigned c = 0; (i < f->reach.entry || i >= f->reach.main_end) && c < 4; c++)
            if (target(f, slow_order_insn(f, i), c) != NO_INDEX)
                f->called[target(f, slow_order_insn(f, i), c)] = 1;
}

bool slow_find_order(struct slow_plan *plan, const struct slow_program *p)
{
    struct finder f = {.p = p, .plan = plan, .nvars = 8 + p->nregisters * 4};
    size_t n = plan->count + 1;
    bool ok = true, changed = true;
    if (!has_doubles(p))
        return true;
    ok = slow_reach_new(&f.reach, p, plan);
    f.held = malloc(n * f.nvars * sizeof *f.held);
    f.now = malloc(f.nvars * sizeof *f.now);
    f.made = calloc(4 * n, sizeof *f.made);
    f.widened = malloc(f.nvars * sizeof *f.widened);
    f.called = calloc(f.nvars, 1);
    f.several = calloc(f.nvars, sizeof *f.several);
    f.caller = malloc((p->text->insns.count + 1) * sizeof *f.caller);
    ok = ok && f.caller && f.several && f.held && f.now && f.made && f.widened && f.called;
    if (ok) {
        memset(f.caller, 0xff, (p->text->insns.count + 1) * sizeof *f.caller);
        note_called(&f);
    }
    for (size_t i = 0; ok && i < n * f.nvars; i++)
        f.held[i] = (struct held){.first = NO_INDEX};
    while (ok && changed) {
        changed = false;
        for (uint32_t i = 0; i < plan->count; i++)
            changed |= flow_from(&f, i);
    }
    if (ok)
        order_all(&f);
    free(f.held);
    free(f.now);
    free(f.made);
    free(f.widened);
    free(f.called);
    free(f.several);
    free(f.caller);
    slow_reach_free(&f.reach);
    return ok;
}
