/* How far the driver's compiler sees that halves are copies (docs/semantics.md, "SHORT variables and half arithmetic"): which place wrote what an operand
 * reads, over flow; in a subroutine what all calls bring, where what was copied was written in the block that copied it. Halves that were loaded go in
 * without that. Of products a loop sees nothing that stands before it. */
#include "tests/slow/half_reach.h"

#include <stdlib.h>
#include <string.h>

static const struct insn *at(const struct teller *t, uint32_t place)
{
    return program_insn(t->p->text, t->plan->place[place].insn);
}

bool slow_place_writes(const struct teller *t, uint32_t place, uint32_t var)
{
    const struct result *to = &at(t, place)->dst;
    bool any = false;
    for (unsigned c = 0; c < 4 && to->kind == OPND_SYMBOL; c++)
        any |= slow_written(t->p, at(t, place)) >> c & 1 && slow_variable(t->p, to->kind, to->ref, to->nindices != 0, c) == var;
    return any;
}

static bool call_writes(const struct teller *t, uint32_t call, uint32_t var, unsigned depth)
{
    uint32_t to = t->plan->place[call].to, first = to;
    if (at(t, call)->op == OP_CALI || depth == SLOW_CALLS)
        return true;
    for (; to < t->plan->count && (to == first || !slow_begins_part(t->p, t->plan, to)); to++)
        if (slow_place_writes(t, to, var) || (op_calls(at(t, to)->op) && call_writes(t, to, var, depth + 1)))
            return true;
    return false;
}

static uint32_t *copy_of(struct teller *t, const uint32_t *from)
{
    uint32_t *state = calloc(t->n + 1u, sizeof *state);
    if (!state)
        t->failed = true;
    else if (from)
        memcpy(state, from, t->n * sizeof *state);
    return state;
}

bool slow_note_alone(struct slow_plan *plan, uint32_t place, uint32_t var)
{
    struct slow_alone *more = realloc(plan->alone, (plan->nalone + 1u) * sizeof *more);
    if (!more)
        return false;
    plan->alone = more;
    more[plan->nalone++] = (struct slow_alone){place, var};
    return true;
}

/* What differs; whether it does. */
static bool join(uint32_t *to, uint32_t other)
{
    bool differs = slow_told_by(*to) != slow_told_by(other);
    if (differs || !slow_told_by(other))
        *to = SLOW_ANYBODY;
    return differs;
}

/* The same of both ways to a place; a variable that one of them never wrote, at the end of an IF, is the other one's. */
static void meet(struct teller *t, uint32_t *to, uint32_t other, uint32_t v, uint32_t place)
{
    bool fresh = at(t, place)->op == OP_ENDIF && t->told == TOLD_COPIES && slow_in_main(t, place) && !t->called[v];
    uint32_t before = *to;
    if (fresh && slow_told_by(before) != slow_told_by(other) && (!before || !other)) {
        *to = before ? before : other;
        if (*to != SLOW_ANYBODY) {
            *to |= SLOW_OR_NOBODY;
            if (!slow_note_alone(t->plan, place, v))
                t->failed = true;
        }
    } else if (join(to, other)) {
        slow_note_meeting(t, before, v, place);
        slow_note_meeting(t, other, v, place);
        t->born[v] = place + 1;
    }
}

/* What is written from one place to another, which come to `here`. */
static void forget(struct teller *t, uint32_t first, uint32_t last, uint32_t here)
{
    for (uint32_t v = 0; v < t->n; v++) {
        bool any = false;
        for (uint32_t i = first; i < last && !any; i++)
            any = slow_place_writes(t, i, v) || (op_calls(at(t, i)->op) && t->by[v] && call_writes(t, i, v, 0));
        if (any) {
            if (op_calls(at(t, here)->op)) {
                slow_note_call(t, here, v);
                t->left[v] |= t->plan->place[here].outcome != TEST_FAILS;
            } else {
                slow_note_meeting(t, t->by[v], v, here);
            }
            t->by[v] = SLOW_ANYBODY;
            t->born[v] = here + 1;
        }
    }
}

static uint32_t operand_variable(const struct teller *t, const struct operand *o, unsigned c)
{
    return o->kind == OPND_SYMBOL ? slow_variable(t->p, o->kind, o->ref, o->nindices != 0, o->swizzle >> 2 * c & 3) : NO_INDEX;
}

static bool is_made_in_block(const struct teller *t, uint32_t place)
{
    const struct insn *insn = at(t, place);
    for (unsigned k = 0; k < insn->nsrc && k < 3; k++) {
        const struct operand *o = program_operand(t->p->text, insn->src + k);
        unsigned reads = slow_reads(t->p, insn, k, insn->dst.mask);
        for (unsigned c = 0; c < 4; c++) {
            uint32_t var = reads >> c & 1 ? operand_variable(t, o, c) : NO_INDEX, by = var == NO_INDEX ? 0 : slow_told_by(t->by[var]);
            if (var != NO_INDEX && (t->born[var] < t->block || (by && at(t, by - 1)->op == OP_MOV && !t->of_block[by - 1])))
                return false;
        }
    }
    return true;
}

/* The components made of what a call left; a variable that this part of the text never wrote, and a subroutine does, is that too. */
static uint8_t of_what_returned(const struct teller *t, uint32_t place)
{
    const struct insn *insn = at(t, place);
    uint8_t made = 0;
    for (unsigned k = 0; k < 4; k++)
        for (unsigned n = 0; insn->dst.mask >> k & 1 && n < insn->nsrc && n < 3; n++) {
            unsigned reads = slow_reads(t->p, insn, n, 1u << k);
            for (unsigned c = 0; c < 4; c++) {
                const struct operand *o = program_operand(t->p->text, insn->src + n);
                uint32_t var = reads >> c & 1 ? operand_variable(t, o, c) : NO_INDEX, by;
                if (var == NO_INDEX)
                    continue;
                by = slow_told_by(t->by[var]);
                if (t->left[var] || (!t->by[var] && t->called[var]) || (by && at(t, by - 1)->op == OP_MOV && t->returned[by - 1]))
                    made |= (uint8_t)(1u << k);
            }
        }
    return made;
}

static bool is_followed(const struct teller *t, uint32_t place, unsigned c)
{
    if (t->told == TOLD_VIEWS)
        return slow_is_viewed(t->p, &t->plan->place[place], c);
    return t->told != TOLD_LOADS || slow_brings_halves(t->p, at(t, place));
}

static void look_at(struct teller *t, uint32_t place)
{
    const struct insn *insn = at(t, place);
    struct slow_place *s = &t->plan->place[place];
    for (unsigned k = 0; k < insn->nsrc && k < 3; k++)
        for (unsigned c = 0; c < 4; c++) {
            uint32_t var = operand_variable(t, program_operand(t->p->text, insn->src + k), c), held = var == NO_INDEX ? 0 : t->by[var], by = slow_told_by(held);
            if (t->told == TOLD_LOADS && !by)
                continue;
            if (held & SLOW_OR_NOBODY && (insn->op == OP_UP2H || !slow_is_short(t->p, OPND_SYMBOL, program_operand(t->p->text, insn->src + k)->ref)))
                by = 0;
            (t->told == TOLD_PRODUCTS ? s->made_by : t->told == TOLD_VIEWS ? s->viewed : s->seen)[k][c] = by < t->loop ? 0 : by;
        }
    if (slow_ends_block(insn) && t->reach.useful[place])
        t->block = place + 1;
    t->of_block[place] = t->told != TOLD_COPIES || is_made_in_block(t, place);
    t->returned[place] = t->told == TOLD_COPIES ? of_what_returned(t, place) : 0;
    for (unsigned c = 0; c < 4 && insn->dst.kind == OPND_SYMBOL; c++) {
        bool written = slow_written(t->p, insn) >> c & 1 && !(slow_moves_nothing(t->p, t->plan->place[place].insn) >> c & 1) && insn->dst.condition.rule != CC_FL && !(s->fails >> c & 1);
        uint32_t var = written ? slow_variable(t->p, insn->dst.kind, insn->dst.ref, insn->dst.nindices != 0, c) : NO_INDEX;
        if (var != NO_INDEX)
            t->by[var] = is_followed(t, place, c) ? place + 1 : SLOW_ANYBODY;
        if (var != NO_INDEX) {
            t->born[var] = place + 1;
            t->left[var] = false;
        }
    }
}

/* ---- flow --------------------------------------------------------------------------------------------------------------------- */

static void push(struct teller *t, uint32_t place, bool loop)
{
    if (t->depth == t->room) {
        uint32_t room = t->room ? 2 * t->room : 8;
        struct open_flow *more = realloc(t->open, room * sizeof *more);
        if (!more) {
            t->failed = true;
            return;
        }
        t->open = more;
        t->room = room;
    }
    t->open[t->depth++] = (struct open_flow){.begin = place, .loop = loop, .before = loop ? NULL : copy_of(t, t->by)};
}

static void drop(struct teller *t)
{
    t->depth--;
    free(t->open[t->depth].before);
    free(t->open[t->depth].first);
}

static void leave_loop(struct teller *t)
{
    if (t->around == t->open[t->depth - 1].begin + 1)
        t->loop = t->around = 0;
    drop(t);
}

static void end_side(struct teller *t, uint32_t place)
{
    struct open_flow *o = t->depth && !t->open[t->depth - 1].loop ? &t->open[t->depth - 1] : NULL;
    if (!o)
        return;
    if (at(t, place)->op == OP_ELSE) {
        o->first = copy_of(t, t->by);
        memcpy(t->by, o->before, t->n * sizeof *t->by);
        return;
    }
    for (uint32_t v = 0; v < t->n; v++)
        meet(t, &t->by[v], (o->first ? o->first : o->before)[v], v, place);
    drop(t);
}

static void call(struct teller *t, uint32_t place)
{
    uint32_t to = t->plan->place[place].to, *state;
    if (at(t, place)->op == OP_CALI || to >= t->plan->count || t->closed[to])
        return;
    state = copy_of(t, t->loop ? NULL : t->by);
    for (uint32_t v = 0; state && v < t->n; v++)
        if (slow_told_by(state[v]) && !t->of_block[slow_told_by(state[v]) - 1])
            state[v] = SLOW_ANYBODY;
    if (state && t->entry[to]) {
        for (uint32_t v = 0; v < t->n; v++)
            join(&t->entry[to][v], state[v]);
        free(state);
    } else {
        t->entry[to] = state;
    }
}

/* Out of a copy of a loop's body: to its end, or to that of the last one. */
static void jump(struct teller *t, uint32_t place)
{
    const struct slow_place *s = &t->plan->place[place];
    uint32_t end = at(t, place)->op == OP_BRK ? s->to - 1 : s->to;
    if (s->loop == NO_INDEX || (!t->plan->place[s->loop].straight && t->told != TOLD_COPIES) || s->outcome == TEST_FAILS || end >= t->plan->count)
        return;
    if (!t->entry[end])
        t->entry[end] = copy_of(t, t->by);
    else
        for (uint32_t v = 0; v < t->n; v++)
            meet(t, &t->entry[end][v], t->by[v], v, end);
}

static void end_copy(struct teller *t, uint32_t place)
{
    for (uint32_t v = 0; t->entry[place] && v < t->n; v++)
        meet(t, &t->by[v], t->entry[place][v], v, place);
}

static void flow(struct teller *t, uint32_t place)
{
    const struct slow_place *s = &t->plan->place[place];
    const struct insn *insn = at(t, place);
    bool of_copies = insn->op == OP_ENDREP && s->loop != NO_INDEX && t->plan->place[s->loop].straight;
    if (of_copies)
        end_copy(t, place);
    if (s->straight)
        return;
    switch (insn->op) {
    case OP_IF:
        push(t, place, false);
        return;
    case OP_ELSE: case OP_ENDIF: end_side(t, place); return;
    case OP_REP:
        push(t, place, true);
        forget(t, place, s->to, place);
        if ((t->told == TOLD_PRODUCTS || t->told == TOLD_VIEWS) && !t->loop) {
            t->around = place + 1;
            t->loop = place + 2;
        }
        break;
    case OP_ENDREP:
        if (!t->depth || !t->open[t->depth - 1].loop || of_copies)
            break;
        forget(t, t->open[t->depth - 1].begin, place, place);
        end_copy(t, place);
        if (t->plan->place[t->open[t->depth - 1].begin].to <= place + 1)
            leave_loop(t);
        break;
    case OP_CAL: case OP_CALI:
        call(t, place);
        forget(t, place, place + 1, place);
        break;
    case OP_BRK: case OP_CONT:
        jump(t, place);
        break;
    default: break;
    }
}

static void find_closed(struct teller *t)
{
    bool computed = false;
    for (uint32_t i = 0; i < t->plan->count; i++) {
        computed |= at(t, i)->op == OP_CALI;
        if (at(t, i)->op == OP_CAL && t->plan->place[i].to <= i)
            t->closed[t->plan->place[i].to] = true;
    }
    for (uint32_t i = 0; computed && i < t->plan->count; i++)
        t->closed[i] = true;
}

static bool is_asked(const struct slow_program *p)
{
    for (uint32_t i = 0; i < p->text->insns.count; i++) {
        unsigned op = program_insn(p->text, i)->op;
        const struct insn *insn = program_insn(p->text, i);
        bool word = slow_is_short(p, insn->dst.kind, insn->dst.ref) && slow_written(p, insn) && !slow_is_float(slow_result_type(insn));
        if (insn->dst.kind == OPND_SYMBOL && program_symbol(p->text, insn->dst.ref)->size == SIZE_SHORT)
            return true;
        if (op == OP_UP2H || op == OP_PK2H || (op == OP_CVT && (insn->type == DT_F16 || insn->type2 == DT_F16)) || op == OP_CAL || word ||
            slow_brings_halves(p, insn))
            return true;
    }
    return false;
}

bool slow_find_half_reach(struct slow_plan *plan, const struct slow_program *p, enum slow_told told)
{
    struct teller t = {.p = p, .plan = plan, .told = told};
    if ((told == TOLD_COPIES || told == TOLD_LOADS) && !is_asked(p))
        return true;
    t.failed = !slow_reach_new(&t.reach, p, plan);
    t.n = t.reach.nvars;
    t.by = calloc(t.n + 1u, sizeof *t.by);
    t.born = calloc(t.n + 1u, sizeof *t.born);
    t.of_block = calloc(plan->count + 1u, sizeof *t.of_block);
    t.returned = calloc(plan->count + 1u, sizeof *t.returned);
    t.left = calloc(t.n + 1u, sizeof *t.left);
    t.closed = calloc(plan->count + 1u, sizeof *t.closed);
    t.entry = calloc(plan->count + 1u, sizeof *t.entry);
    t.meets = calloc(plan->count + 1u, sizeof *t.meets);
    t.called = calloc(t.n + 1u, sizeof *t.called);
    t.failed |= !t.meets || !t.called || !t.by || !t.born || !t.of_block || !t.returned || !t.left || !t.closed || !t.entry;
    if (!t.failed) {
        find_closed(&t);
        slow_find_called(&t);
    }
    for (uint32_t i = 0; i < plan->count && !t.failed; i++) {
        if (slow_begins_part(t.p, t.plan, i)) {
            for (uint32_t v = 0; v < t.n; v++) {
                t.by[v] = t.entry[i] && t.entry[i][v] ? t.entry[i][v] : slow_in_main(&t, i) ? 0 : SLOW_ANYBODY;
                t.born[v] = 0;
            }
            t.loop = t.around = 0;
            t.block = i + 1;
        }
        look_at(&t, i);
        if (op_flows(at(&t, i)->op))
            flow(&t, i);
    }
    if (!t.failed && told == TOLD_COPIES)
        t.failed = !slow_cut_copies(&t);
    for (uint32_t i = 0; t.entry && i < plan->count; i++)
        free(t.entry[i]);
    while (t.depth)
        drop(&t);
    free(t.open);
    free(t.entry);
    free(t.by);
    free(t.born);
    free(t.of_block);
    free(t.returned);
    free(t.left);
    free(t.meets);
    free(t.called);
    free(t.closed);
    slow_reach_free(&t.reach);
    return !t.failed;
}
