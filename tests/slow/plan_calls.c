/* What is known where ways come together, and behind calls (plan.c). */
#include "tests/slow/follow.h"
#include "tests/slow/maker.h"

#include <stdlib.h>
#include <string.h>

bool slow_come_together(struct maker *m, struct meeting *where)
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
bool slow_meet_call(struct maker *m, struct meeting *where, bool said)
{
    struct slow_knowledge here = m->known;
    bool changed = false;
    if (!slow_knowledge_copy(&m->known, &here)) {
        m->plan->failed = true;
    } else {
        for (uint32_t i = 0; i < m->known.count; i++) {
            m->known.value[i].copy = m->known.value[i].minus = 0;
            m->known.value[i].elsewhere = true;
            m->known.value[i].look.truth = m->known.value[i].look.made = false;
            m->known.value[i].faint = m->known.value[i].loose;
            if (!said)
                m->known.value[i].said = (struct slow_spoken){0};
        }
        changed = slow_come_together(m, where);
        slow_knowledge_free(&m->known);
    }
    m->known = here;
    return changed;
}

void slow_set_known(struct maker *m, const struct slow_knowledge *to)
{
    memcpy(m->known.value, to->value, to->count * sizeof *to->value);
}

/* What a subroutine and those that it calls write is taken from `exit`, or (NULL) not known. */
static void take_written(struct maker *m, const struct part *s, const struct slow_knowledge *exit)
{
    for (uint32_t i = s->from; i < s->to; i++) {
        const struct insn *insn = slow_in_text(m, i);
        if (exit)
            slow_take_known(&m->known, exit, insn);
        else
            slow_unknow(&m->known, insn, 0);
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
        if (slow_walk(m, s->from, s->to))
            m->changed |= slow_meet_call(m, &s->exit, false);
        slow_knowledge_free(&m->known);
    } else {
        m->plan->failed = true;
    }
    outside.changed = m->changed;
    *m = outside;
    s->busy = false;
}

/* What a subroutine, and those that it calls, name or write: registers' components. */
static void mark_named(const struct maker *m, const struct part *s, bool *named, unsigned depth)
{
    for (uint32_t i = s->from; i < s->to && depth <= m->nparts; i++) {
        const struct insn *insn = slow_in_text(m, i);
        uint8_t written = insn->dst.kind == OPND_SYMBOL ? slow_written(m->p, insn) : 0;
        for (unsigned c = 0; c < 4; c++) {
            struct slow_known *v = slow_of_register(&m->known, insn->dst.kind, insn->dst.ref, c);
            if (v && written >> c & 1)
                named[v - m->known.value] = true;
            for (unsigned n = 0; n < insn->nsrc; n++) {
                const struct operand *o = program_operand(m->p->text, insn->src + n);
                v = o->kind == OPND_SYMBOL ? slow_of_register(&m->known, o->kind, o->ref, c) : NULL;
                if (v)
                    named[v - m->known.value] = true;
            }
        }
        for (uint32_t k = 0; k < m->nparts; k++)
            if (slow_calls(m->p, insn, m->parts[k].from) && !m->parts[k].busy)
                mark_named(m, &m->parts[k], named, depth + 1);
    }
}

/* Called by the main program, it knows which of what it names are copies of each other: by the number of the first of them. */
static bool number_copies(struct maker *m, const struct part *s)
{
    bool *named = calloc(m->known.count, sizeof *named);
    if (named)
        mark_named(m, s, named, 0);
    for (uint32_t i = 0; named && i < m->known.count; i++)
        for (uint32_t k = 0; named[i] && m->known.value[i].copy && k < i; k++)
            if (named[k] && m->known.value[k].copy == m->known.value[i].copy) {
                m->known.value[i].outside = m->known.value[k].outside = k + 1;
                break;
            }
    free(named);
    return named != NULL;
}

static bool enter(struct maker *m, struct part *s, bool said)
{
    bool changed, main = !m->inside && !m->called;
    if (main && !number_copies(m, s))
        m->plan->failed = true;
    changed = slow_meet_call(m, &s->entry, said);
    for (uint32_t i = 0; main && i < m->known.count; i++)
        m->known.value[i].outside = 0;
    return changed;
}

/* Behind a call of one of several: what is known whichever it was. */
void slow_look_at_call(struct maker *m, const struct insn *insn)
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
        slow_come_together(m, &after);        /* also when nothing has that number */
    for (uint32_t i = 0; i < m->nparts && !m->plan->failed; i++) {
        struct part *s = &m->parts[i];
        if (!slow_calls(m->p, insn, s->from))
            continue;
        slow_set_known(m, &before);
        if (s->busy) {          /* it calls itself */
            slow_know_nothing(&m->known);
        } else {
            if (enter(m, s, insn->op == OP_CAL && !condition_restricts(&insn->condition) && !m->branches)) {
                m->changed = true;
                look_into(m, s);
            }
            take_written(m, s, s->exit.any ? &s->exit.known : NULL);
        }
        slow_come_together(m, &after);
    }
    if (after.any && !m->plan->failed)
        slow_set_known(m, &after.known);
    slow_knowledge_free(&after.known);
    slow_knowledge_free(&before);
}

void slow_mark_runs(const struct slow_program *p, const struct slow_plan *plan, uint32_t place, bool *runs)
{
    uint32_t n = (uint32_t)p->text->insns.count;
    for (bool first = true; place < plan->count && (first ? !runs[place] : !slow_begins_part(p, plan, place)); place++, first = false) {
        const struct insn *insn = program_insn(p->text, plan->place[place].insn);
        runs[place] = true;
        for (uint32_t i = 0; (insn->op == OP_CAL || insn->op == OP_CALI) && i < n; i++)
            if (p->label[i] && plan->first[i] != NO_INDEX && slow_calls(p, insn, i))
                slow_mark_runs(p, plan, plan->first[i], runs);
    }
}
