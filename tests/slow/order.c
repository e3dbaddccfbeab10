/* Which of two NaNs an operation on doubles keeps: docs/numbers.md, "Doubles". The compiler puts operands into an order by where their
 * values come from, which is found here for every place of a plan: which results reach it, through flow as it goes. */
#include "tests/slow/order.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_DEPTH = 32, MAX_ROUNDS = 64 };       /* of calls; of walks over the program */

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
    return v == NO_INDEX ? (struct held){.first = NO_INDEX, .alone = MANY} : f->now[v];
}

/* ---- results -------------------------------------------------------------------------------------------------------------------- */

bool slow_order_is_copy(const struct slow_program *p, const struct insn *insn)
{
    const struct operand *a = program_operand(p->text, insn->src);
    if (insn->flags & (INSN_SAT | INSN_SSAT) || slow_bytes(insn->type) != 8)
        return false;
    if (insn->op == OP_CVT)
        return insn->type != DT_F64 && insn->type2 != DT_F64 && slow_bytes(insn->type2) == 8 && !(a->flags & OPND_SIGNS);
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
    return slow_order_is_copy(f->p, insn) ? 0 : -1;
}

static void make(struct finder *f, uint32_t place, unsigned c)
{
    const struct insn *insn = slow_order_insn(f, place);
    const struct slow_place *here = &f->plan->place[place];
    struct made *m = &f->made[4 * place + c], fresh = {.at = 4 * place + c, .source = RESULT, .meets = m->meets, .paired = m->paired};
    int k = copy_of(f, here, insn, c);
    if (condition_restricts(&insn->dst.condition) && !(here->passes >> c & 1))
        ;
    else if (here->known >> c & 1 || (insn->op == OP_STR && slow_bytes(insn->type) == 8))
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
                                  .outer = h.outer, .meets = m->meets, .paired = m->paired, .called = h.called || from->called, .met = from->met, .var = from->var};
            if (h.several) {
                fresh.at = h.first;
                fresh.met = h.met;
                fresh.var = h.var;
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

/* A meeting: of a loop's first round and others (the phases of a loop, and what leaves it, are one), behind a loop, before ENDREP, elsewhere. */
enum { HEAD, BEHIND, AT_END, ELSEWHERE, MEETINGS };

static uint32_t meeting_of(const struct finder *f, uint32_t to, uint32_t left)
{
    uint32_t n = f->plan->count, loop = left;
    if (left != NO_INDEX)
        return f->plan->place[left].phased ? left : BEHIND * n + left;
    loop = to < n && slow_order_insn(f, to)->op == OP_ENDREP ? f->plan->place[to].loop : NO_INDEX;
    if (loop != NO_INDEX)
        return f->plan->place[loop].phased ? loop : AT_END * n + loop;
    return ELSEWHERE * n + to;
}

/* Several values that met elsewhere meet others. */
static void note_again(struct finder *f, struct held h, uint32_t meeting)
{
    bool *again = h.several && h.met != meeting ? &f->again[(size_t)h.met * f->nvars + h.var] : NULL;
    if (again && !*again)
        *again = f->changed = true;
}

/* Integers of 64 bits are pairs of registers, and what they alone meet stays as it was loaded. */
bool slow_order_is_pair(const struct finder *f, const struct insn *insn)
{
    static const uint16_t op[] = {OP_ABS, OP_ADD, OP_AND, OP_CMP, OP_DIV, OP_MAD, OP_MAX, OP_MIN, OP_MOD, OP_MUL, OP_NOT, OP_OR, OP_SAD, OP_SHL, OP_SHR, OP_SUB, OP_XOR};
    if (insn->type != DT_U64 && insn->type != DT_S64)
        return false;
    for (size_t k = 0; k < sizeof op / sizeof op[0]; k++)
        if (insn->op == op[k])
            return true;
    return insn->op == OP_MOV && program_operand(f->p->text, insn->src)->flags & OPND_SIGNS;
}

/* What is alone of a result, and of two that meet. */
static uint32_t alone_of(const struct finder *f, uint32_t place, unsigned c)
{
    const struct insn *insn = slow_order_insn(f, place);
    const struct made *m = &f->made[4 * place + c];
    if (slow_order_is_pair(f, insn))
        return NO_INDEX;
    return m->source == LOADED && m->at == 4 * place + c ? m->at : MANY;
}

static uint32_t together(const struct held *a, const struct held *b)
{
    if (a->alone == NO_INDEX)
        return b->alone;
    return b->alone == NO_INDEX || b->alone == a->alone ? a->alone : MANY;
}

static void note_meeting(struct finder *f, uint32_t result)
{
    f->changed |= !f->made[result].meets;
    f->made[result].meets = true;
}

/* Two results meet: pairs alone and a load, or others. */
static void note_both(struct finder *f, const struct held *a, const struct held *b)
{
    uint32_t alone = together(a, b);
    if (is_call(f, a->first) || is_call(f, b->first) || alone == NO_INDEX)
        return;
    if (alone != MANY) {
        f->changed |= !f->made[alone].paired;
        f->made[alone].paired = true;
        return;
    }
    note_meeting(f, a->first);
    note_meeting(f, b->first);
}

static bool is_other(const struct held *a, const struct held *b)
{
    return a->first != b->first || a->several != b->several || (a->several && a->met != b->met);
}

static void meet(struct finder *f, struct held *to, struct held from, uint32_t v, uint32_t meeting, bool is_read)
{
    uint32_t alone;
    if (from.first == NO_INDEX)
        return;
    if (to->first == NO_INDEX) {
        *to = from;
        return;
    }
    if (!is_other(to, &from))
        return;
    alone = together(to, &from);
    if (is_read) {
        note_again(f, *to, meeting);
        note_again(f, from, meeting);
    }
    if (to->first != from.first) {
        if (is_read)
            note_both(f, to, &from);
        to->first = to->first < from.first ? to->first : from.first;
        to->outer &= from.outer;
    }
    to->called |= from.called;
    to->alone = alone;
    to->several = true;
    to->met = meeting;
    to->var = v;
}

static bool is_read_at(const struct finder *f, uint32_t place, uint32_t v)
{
    return place < f->plan->count && slow_in_set(f->reach.live + (size_t)place * f->reach.words, v);
}

/* Another round, or a phase, brings other values than stood before the loop. */
static void meet_head(struct finder *f, uint32_t end)
{
    uint32_t rep = f->plan->place[end].loop;
    for (uint32_t v = 8; v < f->nvars; v++) {
        struct held before = f->held[(size_t)rep * f->nvars + v], now = f->now[v];
        uint8_t *differs = &f->differs[(size_t)rep * f->nvars + v], how = together(&before, &now) == MANY ? 2 : 1;
        if (before.first == NO_INDEX || now.first == NO_INDEX || !is_other(&before, &now))
            continue;
        f->changed |= *differs < how;
        *differs = *differs < how ? how : *differs;
        if (!is_read_at(f, rep + 1, v))
            continue;
        if (before.first == now.first) {
            if (how == 2)
                note_meeting(f, before.first);
            continue;
        }
        note_both(f, &before, &now);
        note_again(f, before, rep);
        note_again(f, now, rep);
    }
}

/* What is here goes to a place, or behind the loop that is left: then `left` is its REP. A label that is run into returns. No loads meet where
 * CONT goes to, nor behind a loop whose body has been copied as often as it runs. */
static void go_to(struct finder *f, uint32_t to, uint32_t left)
{
    struct held *there = left != NO_INDEX ? f->behind + (size_t)left * f->nvars : f->held + (size_t)to * f->nvars;
    uint32_t meeting = meeting_of(f, to, left);
    bool quiet = left != NO_INDEX ? f->plan->place[left].straight : to < f->plan->count && slow_order_insn(f, to)->op == OP_ENDREP;
    if (left == NO_INDEX && (to >= f->plan->count || (f->p->label[f->plan->place[to].insn] && f->plan->first[f->plan->place[to].insn] == to)))
        return;
    for (uint32_t v = 8; v < f->nvars; v++)
        meet(f, &there[v], f->now[v], v, meeting, !quiet && is_read_at(f, to, v));
}

/* Whether a subroutine reads a variable, as far as its own text says. */
static bool part_reads(const struct finder *f, uint32_t from, uint32_t v)
{
    for (uint32_t i = from; i < f->p->text->insns.count && (i == from || !f->p->label[i]); i++) {
        const struct insn *insn = program_insn(f->p->text, i);
        if (insn->op == OP_CAL || insn->op == OP_CALI)
            return true;
        for (unsigned k = 0; k < insn->nsrc; k++) {
            const struct operand *o = program_operand(f->p->text, insn->src + k);
            unsigned read = slow_reads(f->p, insn, k, insn->dst.kind == OPND_NONE ? SLOW_ACTS : insn->dst.mask);
            for (unsigned c = 0; c < 4; c++)
                if (read >> c & 1 && followed(f, o->kind, o->ref, o->nindices != 0, o->swizzle >> 2 * c & 3) == v)
                    return true;
        }
    }
    return false;
}

/* What it does not read passes it by. */
static void go_to_label(struct finder *f, uint32_t from, uint32_t to)
{
    struct held *there = (to > from ? f->held : f->back[1]) + (size_t)to * f->nvars;
    for (uint32_t v = 8; v < f->nvars; v++) {
        struct held now = f->now[v];
        now.outer = true;
        meet(f, &there[v], now, v, ELSEWHERE * f->plan->count + to, is_read_at(f, to, v) && part_reads(f, f->plan->place[to].insn, v));
    }
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
        for (unsigned c = 0; insn->dst.kind != OPND_NONE && insn->dst.condition.rule != CC_FL && c < 4; c++)
            if (followed(f, insn->dst.kind, insn->dst.ref, insn->dst.nindices != 0, c) == v)
                return true;
        if ((insn->op == OP_CAL || insn->op == OP_CALI) && call_writes(f, insn, v, depth + 1))
            return true;
    }
    return false;
}

/* What the called subroutines write comes from the call, also where a test decides on that: then what stood there meets it. */
static void return_from(struct finder *f, uint32_t place, const struct insn *call)
{
    for (uint32_t v = 8; v < f->nvars; v++) {
        struct held there = {.first = 4 * place + v % 4, .called = true, .alone = MANY};
        if (!f->called[v] || !call_writes(f, call, v, 0))
            continue;
        f->made[there.first] = (struct made){.at = there.first, .source = RESULT, .meets = f->made[there.first].meets};
        if (condition_restricts(&call->condition) && f->now[v].first != NO_INDEX && is_read_at(f, place + 1, v))
            note_meeting(f, f->now[v].first);
        f->now[v] = there;
    }
}

/* Whether a variable has several values in a subroutine, its first call says, and whether another one brings another value. */
static void call(struct finder *f, uint32_t place, const struct insn *insn)
{
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
        go_to_label(f, place, f->plan->first[i]);
        for (uint32_t v = 8; f->caller[i] != place && v < f->nvars; v++)
            f->now[v].several = several[v];
    }
    return_from(f, place, insn);
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
static void put(struct finder *f, uint32_t place, unsigned c, uint32_t v)
{
    struct held *held = &f->now[v];
    const struct insn *insn = slow_order_insn(f, place);
    struct held fresh = {.first = 4 * place + c, .outer = f->made[4 * place + c].outer, .called = f->made[4 * place + c].called, .alone = alone_of(f, place, c)};
    if (is_branch(insn)) {
        if (held->first != NO_INDEX && held->first != fresh.first && f->reach.useful[place] >> c & 1)
            note_both(f, held, &fresh);
        if (!(f->plan->place[place].passes >> c & 1)) {
            meet(f, held, fresh, v, ELSEWHERE * f->plan->count + place, false);
            return;
        }
    }
    *held = fresh;
}

/* The first round, or the first phase, of a loop begins; values that another round brings others for are several. */
static void begin_loop(struct finder *f, uint32_t rep)
{
    for (uint32_t v = 8; v < f->nvars; v++) {
        struct held *now = &f->now[v];
        if (f->differs[(size_t)rep * f->nvars + v] && now->first != NO_INDEX)
            *now = (struct held){.first = now->first, .several = true, .outer = now->outer, .called = now->called, .met = rep, .var = v,
                                 .alone = f->differs[(size_t)rep * f->nvars + v] == 2 ? MANY : now->alone};
    }
    go_to(f, rep + 1, NO_INDEX);
    memcpy(f->now, f->held + (size_t)rep * f->nvars, f->nvars * sizeof *f->now);
}

/* A way that leaves a loop or begins another round or phase, or an ordinary one. A later phase begins with what the one before it leaves. */
static void go_on(struct finder *f, uint32_t place, uint32_t to)
{
    const struct slow_place *here = &f->plan->place[place];
    unsigned op = here->straight && slow_order_insn(f, place)->op == OP_REP ? OP_COUNT : slow_order_insn(f, place)->op;
    uint32_t loop = op == OP_REP ? place : op == OP_ENDREP || op == OP_BRK || op == OP_CONT ? here->loop : NO_INDEX;
    const struct slow_place *head = loop == NO_INDEX ? NULL : &f->plan->place[loop];
    bool is_endless = head && !slow_order_insn(f, loop)->nsrc && !head->phased && !head->straight;
    if (op == OP_ENDREP && is_endless)
        return;
    if (head && to == head->to)
        go_to(f, to, loop);
    else if (op == OP_REP && to == place + 1)
        begin_loop(f, place);
    else if ((op == OP_REP || op == OP_ENDREP) && !(op == OP_ENDREP && to == place + 1))
        return;
    else
        go_to(f, to, NO_INDEX);
}

static void flow_from(struct finder *f, uint32_t place)
{
    const struct insn *insn = slow_order_insn(f, place);
    const struct slow_place *here = &f->plan->place[place];
    uint32_t to[8];
    unsigned n = slow_successors(f->p, f->plan, place, to), fails = here->fails;
    bool at_bottom = insn->partner == here->insn + 1, ends = insn->op == OP_ENDREP && here->loop != NO_INDEX;
    memcpy(f->now, f->held + (size_t)place * f->nvars, f->nvars * sizeof *f->now);
    for (unsigned c = 0; c < 4; c++)
        if (target(f, insn, c) != NO_INDEX && !(fails >> c & 1))
            make(f, place, c);
    for (unsigned c = 0; c < 4; c++)
        if (target(f, insn, c) != NO_INDEX && !(fails >> c & 1))
            put(f, place, c, target(f, insn, c));
    if (insn->op == OP_CAL || insn->op == OP_CALI)
        call(f, place, insn);
    if (ends && !f->plan->place[here->loop].straight)
        meet_head(f, place);
    for (unsigned k = 0; k < n; k++) {
        if ((insn->op != OP_CONT || k != 1 || at_bottom) && !is_no_way(f, place, to[k]))     /* who does not go on at the bottom leaves the loop */
            go_on(f, place, to[k]);
    }
    if (ends && place + 1 == f->plan->place[here->loop].to) {
        memcpy(f->now, f->behind + (size_t)here->loop * f->nvars, f->nvars * sizeof *f->now);
        go_to(f, place + 1, NO_INDEX);
    }
}

static void forget(const struct finder *f, struct held *held)
{
    for (size_t i = 0; i < (size_t)f->plan->count * f->nvars; i++)
        held[i] = (struct held){.first = NO_INDEX, .alone = MANY};
}

/* From the first place to the last one, as long as there is anything new. */
static void follow_all(struct finder *f)
{
    size_t size = (size_t)f->plan->count * f->nvars;
    f->changed = true;
    forget(f, f->back[1]);
    for (unsigned round = 0; f->changed && round < MAX_ROUNDS; round++) {
        struct held *before = f->back[1];
        f->changed = false;
        memcpy(f->held, before, size * sizeof *before);
        f->back[1] = f->back[0];
        f->back[0] = before;
        forget(f, f->back[1]);
        forget(f, f->behind);
        for (uint32_t i = 0; i < f->plan->count; i++)
            flow_from(f, i);
        for (size_t i = 0; i < size; i++)
            f->changed |= is_other(&f->back[0][i], &f->back[1][i]) || f->back[0][i].alone != f->back[1][i].alone;
    }
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
    for (uint32_t i = 0, part = 0; i < f->plan->count; i++) {
        part += ends_stretch(f, i);
        f->part[i] = part;
    }
    for (uint32_t i = 0; i < f->plan->count; i++) {
        memcpy(f->now, f->held + (size_t)i * f->nvars, f->nvars * sizeof *f->now);
        slow_order_count(f, i);
    }
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
    bool ok = true;
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
    for (unsigned k = 0; k < 2; k++)
        f.back[k] = malloc(n * f.nvars * sizeof *f.held);
    f.behind = malloc(n * f.nvars * sizeof *f.held);
    f.differs = calloc(n * f.nvars, sizeof *f.differs);
    f.again = calloc(MEETINGS * n * f.nvars, sizeof *f.again);
    f.part = malloc(n * sizeof *f.part);
    ok = ok && f.back[0] && f.back[1] && f.behind && f.differs && f.again && f.part && f.caller && f.several && f.held && f.now && f.made && f.widened && f.called;
    if (ok) {
        memset(f.caller, 0xff, (p->text->insns.count + 1) * sizeof *f.caller);
        note_called(&f);
    }
    if (ok)
        follow_all(&f);
    if (ok)
        order_all(&f);
    free(f.back[0]);
    free(f.back[1]);
    free(f.behind);
    free(f.differs);
    free(f.again);
    free(f.part);
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
