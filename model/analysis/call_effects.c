/* What subroutines write, and what they touch at all (call_effects.h): of each part, which begins with a label, the
 * variables that it names itself and those that what it calls does, found once. */
#include "model/analysis/call_effects.h"
#include "model/tables.h"
#include "model/ir/operand_walk.h"

#include <string.h>

/* The calls of each part, and one part more: what CALI may go to. */
struct call_graph {
    struct liveness *l;
    struct shared_bits *of;     /* what is found of each part */
    uint32_t nparts;
    uint32_t *first;            /* of each part in the list, and of the end */
    uint32_t *called;           /* parts */
    uint32_t *open, *next;      /* parts that are gone through, and which of their calls is the next */
    uint8_t *seen;
    bool round;                 /* something calls itself */
};

static uint32_t part_of(const struct liveness *l, uint32_t insn)
{
    return insn < l->p->insns.count ? l->region[insn] : NO_INDEX;      /* else nothing stands behind the label */
}

/* The part that a call goes to; of CALI the one more. */
static uint32_t part_called(const struct liveness *l, const struct insn *call)
{
    return call->op == OP_CALI ? l->nregions : part_of(l, call->partner);
}

static void add(struct shared_bits *set, uint32_t var)
{
    if (var != NO_INDEX)
        shared_bits_add(set, var / 4);
}

static void add_written(const struct liveness *l, struct shared_bits *set, const struct insn *insn)
{
    if (insn->dst.condition.rule != CC_FL)
        add(set, eval_result_variable(l, &insn->dst, 0));
}

/* Not four together. */
static void add_components(const struct liveness *l, struct shared_bits *set, const struct insn *insn)
{
    uint8_t written = insn->dst.kind == OPND_NONE || insn->dst.condition.rule == CC_FL ? 0 : eval_written(l, insn);

    for (unsigned c = 0; c < 4; c++) {
        uint32_t var = written >> c & 1 ? eval_result_variable(l, &insn->dst, c) : NO_INDEX;
        if (var != NO_INDEX)
            shared_bits_add(set, var);
    }
}

struct adding {
    const struct liveness *l;
    struct shared_bits *set;
};

static void add_named(void *user, const struct named *named)
{
    const struct adding *a = user;

    add(a->set, eval_variable(a->l, named->kind, named->ref, named->indexed, 0));
}

enum found { WRITTEN, TOUCHED, COMPONENTS };

static void find_own(const struct call_graph *g, enum found found)
{
    const struct liveness *l = g->l;

    for (uint32_t i = 0; i < l->p->insns.count; i++) {
        const struct insn *insn = program_insn(l->p, i);
        struct shared_bits *set = &g->of[l->region[i]];
        if (found == COMPONENTS)
            add_components(l, set, insn);
        else
            add_written(l, set, insn);
        if (found == TOUCHED)
            eval_each_read(l->p, insn, &(struct naming){add_named, &(struct adding){l, set}});
    }
}

static void find_calls(struct call_graph *g)
{
    const struct liveness *l = g->l;
    uint32_t n = 0, part = 0;

    g->first[0] = 0;
    for (uint32_t i = 0; i < l->p->insns.count; i++) {
        const struct insn *insn = program_insn(l->p, i);
        uint32_t to = op_calls(insn->op) ? part_called(l, insn) : NO_INDEX;
        while (part < l->region[i])
            g->first[++part] = n;
        if (to != NO_INDEX)
            g->called[n++] = to;
    }
    while (part < l->nregions)
        g->first[++part] = n;
    for (uint32_t i = 0; i < l->p->symbols.count; i++) {
        const struct symbol *s = program_symbol(l->p, i);
        uint32_t to = symbol_is_numbered(s) ? part_of(l, s->instruction) : NO_INDEX;
        if (to != NO_INDEX)
            g->called[n++] = to;
    }
    g->first[l->nregions + 1] = n;
}

/* Parts that are called before those that call them. */
static void join_called(struct call_graph *g, uint32_t part)
{
    struct shared_bits *of = g->of;
    uint32_t depth = 0;

    if (g->seen[part])
        return;
    g->seen[part] = 1;
    g->open[0] = part;
    g->next[0] = g->first[part];
    for (;;) {
        uint32_t at = g->open[depth];
        if (g->next[depth] < g->first[at + 1]) {
            uint32_t to = g->called[g->next[depth]++];
            g->round |= g->seen[to] == 1;
            if (g->seen[to]) {
                shared_bits_join(&of[at], &of[to]);
                continue;
            }
            g->seen[to] = 1;
            g->open[++depth] = to;
            g->next[depth] = g->first[to];
            continue;
        }
        g->seen[at] = 2;
        if (!depth--)
            return;
        shared_bits_join(&of[g->open[depth]], &of[at]);
    }
}

/* Until nothing comes to those that call themselves any more. */
static void join_rounds(struct call_graph *g)
{
    struct shared_bits *of = g->of;
    bool changed = g->round;

    while (changed) {
        changed = false;
        for (uint32_t part = 0; part < g->nparts; part++)
            for (uint32_t k = g->first[part]; k < g->first[part + 1]; k++) {
                struct shared_bits old = shared_bits_copy(&of[part]);
                shared_bits_join(&of[part], &of[g->called[k]]);
                changed |= !of[part].failed && !shared_bits_equal(&old, &of[part]);
                shared_bits_free(&old);
            }
    }
}

static bool find(struct call_graph *g, struct shared_bits *of, enum found found)
{
    g->of = of;
    g->round = false;
    find_own(g, found);
    memset(g->seen, 0, g->nparts);
    for (uint32_t part = 0; part < g->nparts; part++)
        join_called(g, part);
    join_rounds(g);
    for (uint32_t part = 0; part < g->nparts; part++)
        if (of[part].failed)
            return false;
    return true;
}

bool eval_find_called_writes(struct liveness *l)
{
    struct called_writes *w = &l->writes;
    struct call_graph g = {.l = l, .nparts = l->nregions + 1};
    size_t parts = (size_t)g.nparts + 1, most = l->p->insns.count + (size_t)l->p->symbols.count + 1;
    bool ok, any = false;

    for (uint32_t i = 0; i < l->p->insns.count && !any; i++)
        any = op_calls(program_insn(l->p, i)->op);
    if (!any)           /* nobody asks */
        return true;
    w->of = gp5_malloc(3 * parts * sizeof *w->of);
    w->touched = w->of ? w->of + parts : NULL;
    w->components = w->of ? w->touched + parts : NULL;
    for (; w->of && w->nparts < g.nparts; w->nparts++) {
        w->of[w->nparts] = w->touched[w->nparts] = shared_bits_none(l->nvars / 4 + 1);
        w->components[w->nparts] = shared_bits_none(l->nvars + 1);
    }
    g.first = gp5_malloc(parts * sizeof *g.first);
    g.called = gp5_malloc(most * sizeof *g.called);
    g.open = gp5_malloc(2 * parts * sizeof *g.open);
    g.seen = gp5_malloc(parts);
    g.next = g.open ? g.open + parts : NULL;
    ok = w->of && g.first && g.called && g.open && g.seen;
    if (ok) {
        find_calls(&g);
        ok = find(&g, w->of, WRITTEN) && find(&g, w->touched, TOUCHED) && find(&g, w->components, COMPONENTS);
    }
    gp5_free(g.first);
    gp5_free(g.called);
    gp5_free(g.open);
    gp5_free(g.seen);
    return ok;
}

void eval_free_called_writes(struct liveness *l)
{
    for (uint32_t part = 0; part < l->writes.nparts; part++) {
        shared_bits_free(&l->writes.of[part]);
        shared_bits_free(&l->writes.touched[part]);
        shared_bits_free(&l->writes.components[part]);
    }
    gp5_free(l->writes.of);
    l->writes = (struct called_writes){0};
}

const struct shared_bits *eval_written_by_call(const struct liveness *l, uint32_t call)
{
    uint32_t part = part_called(l, program_insn(l->p, call));

    return part == NO_INDEX ? NULL : &l->writes.of[part];
}

const struct shared_bits *eval_touched_by_part(const struct liveness *l, uint32_t label)
{
    return l->writes.of ? &l->writes.touched[l->region[label]] : NULL;
}

