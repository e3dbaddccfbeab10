/* Places, one after the other: loops taken apart, tests that are known, what a subroutine is called with. */
#include "tests/slow/plan.h"

#include <stdlib.h>
#include <string.h>

/* What is known where several ways come together. */
struct meeting {
    bool any;
    struct slow_knowledge known;
};

/* A label and what follows it, up to the next one. */
struct part {
    uint32_t from, to;
    bool busy;
    struct meeting entry, exit;     /* at all calls; at any of its ends */
};

struct maker {
    const struct slow_program *p;
    struct slow_plan *plan;
    struct slow_knowledge known;
    const uint8_t *useful;      /* of each instruction of the program as it is written */
    struct part *parts;
    uint32_t nparts;
    struct part *inside;        /* the one at hand, or NULL */
    struct meeting *breaks, *rounds;    /* of the innermost loop: behind it, and where another round begins */
    uint32_t loop;
    unsigned branches, loop_branches;   /* IFs around whose outcome is not known; of these, around the innermost loop */
    bool rows;                  /* something may go on behind a BRK of the innermost loop that is taken: it has a CONT, or rounds */
    bool dry;                   /* only to see what is known */
    bool dead;                  /* behind a label that nothing reaches */
    bool changed;
};

enum { MOST_PLACES = 1 << 16 };     /* beyond it loops stay loops */

static const struct insn *at(const struct maker *m, uint32_t i)
{
    return program_insn(m->p->text, i);
}

static uint32_t emit(struct maker *m, uint32_t insn)
{
    struct slow_plan *plan = m->plan;
    if (m->dry)
        return NO_INDEX;
    if (plan->count == plan->room) {
        uint32_t room = plan->room ? plan->room * 2 : 64;
        struct slow_place *more = realloc(plan->place, room * sizeof *more);
        if (!more) {
            plan->failed = true;
            return NO_INDEX;
        }
        plan->place = more;
        plan->room = room;
    }
    plan->place[plan->count] = (struct slow_place){.insn = insn, .to = NO_INDEX, .again = NO_INDEX, .loop = m->loop};
    slow_note_uses(&m->known, at(m, insn), &plan->place[plan->count]);
    if (plan->first[insn] == NO_INDEX)
        plan->first[insn] = plan->count;
    return plan->count++;
}

static struct slow_place *place(struct maker *m, uint32_t i)
{
    return i == NO_INDEX ? NULL : &m->plan->place[i];
}

static bool walk(struct maker *m, uint32_t from, uint32_t to);

/* ---- calls ---------------------------------------------------------------------------------------------------------------------- */

static struct part *part_at(struct maker *m, uint32_t insn)
{
    for (uint32_t i = 0; i < m->nparts; i++)
        if (m->parts[i].from == insn)
            return &m->parts[i];
    return NULL;
}

static bool meet(struct maker *m, struct meeting *where)
{
    struct slow_knowledge before;
    bool fresh = !where->any, changed;
    if (fresh && !where->known.value && !slow_knowledge_new(&where->known, m->p))
        m->plan->failed = true;
    if (m->plan->failed || !slow_knowledge_copy(&before, &where->known)) {
        m->plan->failed = true;
        return false;
    }
    if (fresh)
        memcpy(where->known.value, m->known.value, m->known.count * sizeof *m->known.value);
    else
        slow_know_both(&where->known, &m->known);
    where->any = true;
    changed = fresh || memcmp(before.value, where->known.value, before.count * sizeof *before.value);
    slow_knowledge_free(&before);
    return changed;
}

/* Into a subroutine and out of one; which registers are copies of others is not known there. */
static bool meet_call(struct maker *m, struct meeting *where)
{
    struct slow_knowledge here = m->known;
    bool changed = false;
    if (!slow_knowledge_copy(&m->known, &here)) {
        m->plan->failed = true;
    } else {
        for (uint32_t i = 0; i < m->known.count; i++) {
            m->known.value[i].copy = 0;
            m->known.value[i].look.truth = false;
            m->known.value[i].faint = m->known.value[i].loose;
        }
        changed = meet(m, where);
        slow_knowledge_free(&m->known);
    }
    m->known = here;
    return changed;
}

static void set_known(struct maker *m, const struct slow_knowledge *to)
{
    memcpy(m->known.value, to->value, to->count * sizeof *to->value);
}

/* What a subroutine and those that it calls write is taken from `exit`, or (NULL) not known. */
static void take_written(struct maker *m, const struct part *s, const struct slow_knowledge *exit)
{
    for (uint32_t i = s->from; i < s->to; i++) {
        const struct insn *insn = at(m, i);
        if (exit)
            slow_take_known(&m->known, exit, insn);
        else
            slow_unknow(&m->known, insn);
        for (uint32_t k = 0; k < m->nparts; k++)
            if (slow_calls(m->p, insn, m->parts[k].from) && &m->parts[k] != s && !m->parts[k].busy)
                take_written(m, &m->parts[k], exit);
    }
}

static void look_into(struct maker *m, struct part *s)
{
    struct maker outside = *m;
    s->busy = m->dry = true;
    m->inside = s;
    m->breaks = m->rounds = NULL;
    m->loop = NO_INDEX;
    m->branches = m->loop_branches = 0;
    if (slow_knowledge_copy(&m->known, &s->entry.known)) {
        if (walk(m, s->from, s->to))
            m->changed |= meet_call(m, &s->exit);
        slow_knowledge_free(&m->known);
    } else {
        m->plan->failed = true;
    }
    outside.changed = m->changed;
    *m = outside;
    s->busy = false;
}

/* Behind a call of one of several: what is known whichever it was. */
static void call(struct maker *m, const struct insn *insn)
{
    struct meeting after = {0};
    struct slow_knowledge before;
    if (m->dead)
        return;
    if (!slow_knowledge_copy(&before, &m->known)) {
        m->plan->failed = true;
        return;
    }
    if (condition_restricts(&insn->condition) || insn->op == OP_CALI)
        meet(m, &after);        /* also when nothing has that number */
    for (uint32_t i = 0; i < m->nparts && !m->plan->failed; i++) {
        struct part *s = &m->parts[i];
        if (!slow_calls(m->p, insn, s->from))
            continue;
        set_known(m, &before);
        if (s->busy) {          /* it calls itself */
            slow_know_nothing(&m->known);
        } else {
            if (meet_call(m, &s->entry)) {
                m->changed = true;
                look_into(m, s);
            }
            take_written(m, s, s->exit.any ? &s->exit.known : NULL);
        }
        meet(m, &after);
    }
    if (after.any && !m->plan->failed)
        set_known(m, &after.known);
    slow_knowledge_free(&after.known);
    slow_knowledge_free(&before);
}

/* ---- loops ---------------------------------------------------------------------------------------------------------------------- */

/* Jumps of a loop's body, places from `first` on: CONT goes to the end of its copy, BRK behind the loop. */
static void patch(struct maker *m, uint32_t first, uint32_t rep, unsigned op, uint32_t to)
{
    for (uint32_t i = first; !m->dry && i < m->plan->count; i++) {
        struct slow_place *s = place(m, i);
        if (s->loop == rep && at(m, s->insn)->op == op && s->to == NO_INDEX)
            s->to = to;
    }
}

static bool has_cont(const struct maker *m, uint32_t rep)
{
    for (uint32_t i = rep + 1; i < at(m, rep)->partner; i++)
        if (at(m, i)->op == OP_CONT && at(m, i)->partner == at(m, rep)->partner)
            return true;
    return false;
}

/* One copy of the body, its end included; returns the end's place. Behind it is known what all know who come there. */
static uint32_t copy(struct maker *m, uint32_t rep, uint32_t at_rep, bool *goes_on)
{
    struct meeting again = {0}, *rounds = m->rounds;
    uint32_t first = m->plan->count, end;
    m->rounds = &again;
    if (walk(m, rep + 1, at(m, rep)->partner))
        meet(m, &again);
    m->rounds = rounds;
    *goes_on = again.any;
    if (again.any && !m->plan->failed)
        set_known(m, &again.known);
    slow_knowledge_free(&again.known);
    end = emit(m, at(m, rep)->partner);
    patch(m, first, at_rep, OP_CONT, end);
    return end;
}

/* The same of a copy that another one may follow. */
static uint32_t copy_in_row(struct maker *m, uint32_t rep, uint32_t at_rep, bool *goes_on)
{
    uint32_t first = m->plan->count, end = copy(m, rep, at_rep, goes_on);
    bool jumped_to = false;
    for (uint32_t i = first; end != NO_INDEX && i < end; i++)
        jumped_to |= at(m, place(m, i)->insn)->op == OP_CONT && place(m, i)->to == end;
    if (end != NO_INDEX)
        place(m, end)->straight = !jumped_to;
    return end;
}

/* Behind copies: where the last one ends, and any of them is left. */
static void unroll(struct maker *m, uint32_t rep, uint32_t at_rep, uint32_t count)
{
    uint32_t end = NO_INDEX;
    bool goes_on = true, by_jump = false;
    for (uint32_t i = 0; i < count && goes_on && !m->plan->failed; i++) {
        if (end != NO_INDEX)
            place(m, end)->again = end + 1;
        end = copy_in_row(m, rep, at_rep, &goes_on);
    }
    if (count == 0)
        end = emit(m, at(m, rep)->partner);
    if (goes_on)
        meet(m, m->breaks);
    if (m->dry || m->plan->failed)
        return;
    place(m, at_rep)->straight = true;
    for (uint32_t i = at_rep; i < m->plan->count; i++) {
        const struct slow_place *s = place(m, i);
        by_jump |= s->loop == at_rep && ((at(m, s->insn)->op == OP_BRK && !s->straight) || (at(m, s->insn)->op == OP_CONT && s->to == end));
    }
    place(m, end)->straight = !by_jump;
}

/* What is known where any round begins, from what is known before the first one: what no round changes. */
static void settle(struct maker *m, uint32_t rep)
{
    struct meeting head = {0}, *breaks = m->breaks;
    uint32_t at_loop = m->loop;
    bool dry = m->dry, changed = true;
    struct slow_knowledge before = m->known;
    m->dry = true;
    meet(m, &head);
    while (changed && !m->plan->failed) {
        struct meeting left = {0};
        bool goes_on;
        m->breaks = &left;
        set_known(m, &head.known);
        copy(m, rep, NO_INDEX, &goes_on);
        changed = goes_on && meet(m, &head);
        slow_knowledge_free(&left.known);
    }
    m->dry = dry;
    m->breaks = breaks;
    m->loop = at_loop;
    m->known.sums = before.sums;
    memcpy(m->known.spent, before.spent, sizeof before.spent);
    if (!m->plan->failed)
        set_known(m, &head.known);
    slow_knowledge_free(&head.known);
}

/* A loop that stays one. */
static void as_loop(struct maker *m, uint32_t rep, uint32_t at_rep)
{
    uint32_t first = m->plan->count, end;
    bool goes_on, endless = at(m, rep)->nsrc == 0;
    if (!endless)
        meet(m, m->breaks);     /* no round at all */
    settle(m, rep);
    end = copy(m, rep, at_rep, &goes_on);
    if (goes_on && !endless)
        meet(m, m->breaks);
    if (end != NO_INDEX)
        place(m, end)->again = first;
}

static void in_phases(struct maker *m, uint32_t rep, uint32_t at_rep, const struct slow_phases *phases)
{
    struct slow_knowledge head = {0};
    bool goes_on;
    m->rows = true;
    if (!phases->once)
        meet(m, m->breaks);     /* no round at all */
    for (unsigned n = 0; n < SLOW_PHASES && !m->plan->failed; n++) {
        if (n == phases->once) {
            settle(m, rep);
            if (!slow_knowledge_copy(&head, &m->known))
                m->plan->failed = true;
        }
        if (n >= phases->once && !m->plan->failed)
            set_known(m, &head);
        if (!m->dry)
            place(m, at_rep)->phase[n] = m->plan->count;
        for (uint32_t i = 0; phases->rounds[n] != UINT32_MAX && i < phases->rounds[n] && !m->plan->failed; i++) {
            uint32_t end = copy_in_row(m, rep, at_rep, &goes_on);
            if (end != NO_INDEX && i + 1 < phases->rounds[n])
                place(m, end)->again = end + 1;
            else if (end != NO_INDEX)
                place(m, end)->straight = false;
            meet(m, m->breaks);
        }
    }
    if (!m->dry && !m->plan->failed) {
        place(m, at_rep)->phased = true;
        place(m, at_rep)->phases = *phases;
    }
    slow_knowledge_free(&head);
}

/* False: nobody comes out of it. */
static bool loop(struct maker *m, uint32_t rep)
{
    struct meeting breaks = {0}, *outer_breaks = m->breaks, *outer_rounds = m->rounds;
    uint32_t around = m->loop, at_rep = emit(m, rep), count, first = m->plan->count;
    unsigned branches = m->loop_branches;
    bool room = m->plan->count <= MOST_PLACES, out, rows = m->rows;
    struct slow_phases phases;
    if (m->plan->failed)
        return true;
    m->rows = has_cont(m, rep);
    m->loop_branches = m->branches;
    m->loop = at_rep;
    m->breaks = &breaks;
    m->rounds = NULL;
    if (m->p->nvidia && room && slow_copies(&m->known, rep, &count))
        unroll(m, rep, at_rep, count);
    else if (m->p->nvidia && room && slow_has_phases(&m->known, rep, &phases))
        in_phases(m, rep, at_rep, &phases);
    else
        as_loop(m, rep, at_rep);
    patch(m, first, at_rep, OP_BRK, m->plan->count);
    if (at_rep != NO_INDEX && !m->plan->failed)
        place(m, at_rep)->to = m->plan->count;
    out = breaks.any;
    if (out && !m->plan->failed)
        set_known(m, &breaks.known);
    slow_knowledge_free(&breaks.known);
    m->breaks = outer_breaks;
    m->rounds = outer_rounds;
    m->loop = around;
    m->loop_branches = branches;
    m->rows = rows;
    return out;
}

/* ---- branches ------------------------------------------------------------------------------------------------------------------- */

static bool does_nothing(const struct maker *m, uint32_t from, uint32_t to)
{
    for (uint32_t i = from; i < to; i++)
        if (!m->useful || m->useful[i])
            return false;
    return true;
}

static bool branch(struct maker *m, uint32_t i, uint32_t *last)
{
    uint32_t other = at(m, i)->partner, end = at(m, other)->op == OP_ELSE ? at(m, other)->partner : other;
    uint32_t head = emit(m, i), middle = NO_INDEX, tail;
    struct slow_knowledge before, after;
    bool passes = false, known = m->p->nvidia && slow_known_test(&m->known, &at(m, i)->condition, &passes);
    if (m->p->nvidia)
        slow_note_flow(&m->known, at(m, i), known ? NULL : place(m, head));
    m->known.near = 0;
    bool straight = known || (does_nothing(m, i + 1, other) && (other == end || does_nothing(m, other + 1, end))), first = true, second = true;
    *last = end;
    if (!slow_knowledge_copy(&before, &m->known))
        m->plan->failed = true;
    if (m->plan->failed)
        return true;
    m->branches += !known;
    if (!known || passes)
        first = walk(m, i + 1, other);
    after = m->known;
    m->known = before;
    if (other != end)
        middle = emit(m, other);
    if (other != end && (!known || !passes))
        second = walk(m, other + 1, end);
    tail = emit(m, end);
    m->branches -= !known;
    if (known ? passes : first && !second) {        /* nobody comes from the other side */
        before = m->known;
        m->known = after;
        after = before;
    } else if (!known && first && second) {
        slow_know_both(&m->known, &after);
    }
    slow_knowledge_free(&after);
    if (!m->dry && !m->plan->failed) {
        uint32_t parts[] = {head, middle, tail};
        place(m, head)->to = middle != NO_INDEX ? middle + 1 : tail;
        place(m, head)->outcome = !known ? TEST_LOOKED_AT : passes ? TEST_PASSES : TEST_FAILS;
        if (middle != NO_INDEX)
            place(m, middle)->to = tail;
        for (unsigned k = 0; k < 3; k++)
            if (parts[k] != NO_INDEX)
                place(m, parts[k])->straight = straight;
    }
    return known ? (passes ? first : second) : first || second;
}

/* False: nothing goes on behind it. */
static bool jump(struct maker *m, uint32_t i)
{
    const struct insn *insn = at(m, i);
    bool passes = false, known = m->p->nvidia && slow_known_jump(&m->known, &insn->condition, &passes);
    bool straight = known && insn->op == OP_BRK && m->branches == m->loop_branches && !m->rows;
    struct slow_place *s = place(m, emit(m, i));
    if (m->p->nvidia)
        slow_note_flow(&m->known, insn, s);
    struct meeting *to = insn->op == OP_RET ? (m->inside ? &m->inside->exit : NULL) : insn->op == OP_BRK ? m->breaks : m->rounds;
    bool fresh = to && !(known && !passes) && (insn->op == OP_RET ? meet_call(m, to) : meet(m, to));
    m->changed |= fresh && insn->op == OP_RET;
    if (insn->op == OP_CONT && m->breaks && m->p->nvidia && insn->partner == i + 1 && insn->condition.rule != CC_FL)
        meet(m, m->breaks);     /* who does not go on there leaves */
    if (s && known) {
        s->straight = straight;
        s->outcome = passes ? TEST_PASSES : TEST_FAILS;
    }
    return !(known && passes);
}

/* ---- all of it ------------------------------------------------------------------------------------------------------------------ */

static bool walk(struct maker *m, uint32_t from, uint32_t to)
{
    bool goes_on = true;
    m->known.near = 0;
    for (uint32_t i = from; i < to && !m->plan->failed; i++) {
        const struct insn *insn = at(m, i);
        struct part *s = m->p->nvidia && !m->dry ? part_at(m, i) : NULL;
        if (s) {
            goes_on = true;
            m->dead = i != m->p->entry && !s->entry.any;
            if (s->entry.any)
                set_known(m, &s->entry.known);
            else
                slow_know_nothing(&m->known);
        }
        if (!goes_on && m->p->nvidia)
            continue;
        switch (insn->op) {
        case OP_IF: goes_on = branch(m, i, &i); break;
        case OP_REP:
            goes_on = loop(m, i);
            i = insn->partner;
            break;
        case OP_BRK: case OP_CONT: case OP_RET: goes_on = jump(m, i); break;
        case OP_CAL: case OP_CALI: {
            struct slow_place *here = place(m, emit(m, i));
            if (m->p->nvidia) {
                slow_note_flow(&m->known, insn, here);
                call(m, insn);
            }
            break;
        }
        default: {
            uint32_t where = emit(m, i);
            struct slow_place *here = place(m, where);
            m->known.at = where;
            if (m->p->nvidia && !m->plan->failed)
                slow_follow(&m->known, insn, here);
        }
        }
        if (slow_ends_block(insn->op))
            m->known.near = 0;
    }
    return goes_on;
}

/* Every label begins a part; of the main program nothing is known before. */
static bool find_parts(struct maker *m)
{
    const struct gp5_program *p = m->p->text;
    uint32_t n = (uint32_t)p->insns.count;
    m->parts = calloc(p->symbols.count + 1, sizeof *m->parts);
    if (!m->parts)
        return false;
    for (uint32_t i = 0; i < p->symbols.count; i++) {
        const struct symbol *s = program_symbol(p, i);
        struct part *part = &m->parts[m->nparts];
        if (s->kind != SYM_LABEL || !s->defined || part_at(m, s->instruction))
            continue;
        *part = (struct part){.from = s->instruction, .to = n};
        m->nparts++;
    }
    for (uint32_t i = 0; i < m->nparts; i++)
        for (uint32_t k = 0; k < m->nparts; k++)
            if (m->parts[k].from > m->parts[i].from && m->parts[k].from < m->parts[i].to)
                m->parts[i].to = m->parts[k].from;
    return true;
}

static uint32_t end_of_main(const struct maker *m)
{
    uint32_t to = (uint32_t)m->p->text->insns.count;
    for (uint32_t k = 0; k < m->nparts; k++)
        if (m->parts[k].from > m->p->entry && m->parts[k].from < to)
            to = m->parts[k].from;
    return to;
}

static void make(struct maker *m)
{
    uint32_t n = (uint32_t)m->p->text->insns.count;
    m->loop = NO_INDEX;
    do {        /* what calls know comes to less and less */
        m->changed = false;
        m->dry = true;
        slow_know_nothing(&m->known);
        walk(m, m->p->entry, end_of_main(m));
    } while (m->changed && m->p->nvidia && !m->plan->failed);
    m->dry = false;
    slow_know_nothing(&m->known);
    walk(m, 0, n);
    for (uint32_t i = 0; i < m->plan->count && !m->plan->failed; i++) {
        struct slow_place *s = &m->plan->place[i];
        const struct insn *insn = at(m, s->insn);
        if (insn->op == OP_CAL && insn->partner != NO_INDEX)
            s->to = insn->partner < n ? m->plan->first[insn->partner] : m->plan->count;
    }
}

static bool make_plan(struct slow_plan *plan, const struct slow_program *p, const uint8_t *useful)
{
    struct maker m = {.p = p, .plan = plan, .useful = useful};
    size_t n = p->text->insns.count;
    *plan = (struct slow_plan){.first = malloc((n + 1) * sizeof *plan->first)};
    plan->failed = !plan->first;
    if (!plan->failed) {
        memset(plan->first, 0xff, (n + 1) * sizeof *plan->first);
        plan->failed = !slow_knowledge_new(&m.known, p) || !find_parts(&m);
    }
    if (!plan->failed)
        make(&m);
    for (uint32_t i = 0; m.parts && i <= m.nparts; i++) {
        slow_knowledge_free(&m.parts[i].entry.known);
        slow_knowledge_free(&m.parts[i].exit.known);
    }
    free(m.parts);
    slow_knowledge_free(&m.known);
    return !plan->failed;
}

/* Of each instruction as it stands, whether anybody needs it. */
static uint8_t *needed(const struct slow_program *p)
{
    struct slow_program as_written = *p;
    struct slow_plan plan;
    struct slow_reach reach = {0};
    uint8_t *useful = calloc(p->text->insns.count + 1, 1);
    bool ok;
    as_written.nvidia = false;      /* no place more or less */
    ok = useful && make_plan(&plan, &as_written, NULL);
    ok = ok && slow_reach_new(&reach, p, &plan);
    for (uint32_t i = 0; ok && i < plan.count; i++)
        useful[plan.place[i].insn] = reach.useful[i];
    slow_reach_free(&reach);
    slow_plan_free(&plan);
    if (!ok) {
        free(useful);
        return NULL;
    }
    return useful;
}

bool slow_plan_make(struct slow_plan *plan, const struct slow_program *p)
{
    uint8_t *useful = NULL;
    bool ok;
    *plan = (struct slow_plan){0};
    if (p->nvidia && !(useful = needed(p)))
        return false;
    ok = make_plan(plan, p, useful) && (!p->nvidia || (slow_join(plan, p) && slow_find_order(plan, p) && slow_find_leaving(plan, p)));
    if (ok && p->nvidia)
        slow_find_apart(plan, p);
    free(useful);
    return ok;
}

void slow_plan_free(struct slow_plan *plan)
{
    free(plan->place);
    free(plan->first);
    *plan = (struct slow_plan){0};
}
