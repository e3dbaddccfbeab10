/* Which writes come to those who read a component of a variable, in each part of the program: docs/numbers.md, "Comparisons in subroutines". */
#include "tests/slow/leaving.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_WRITES = 62 };      /* more of a component in a part come from elsewhere */

static const struct insn *at(const struct leaving *x, uint32_t place)
{
    return slow_leaving_at(x, place);
}

struct follower {
    struct leaving *x;
    uint32_t begin, end, symbol, variable, first;
    unsigned c;
    bool call_reads, call_writes;
    uint64_t *in;
};

static bool writes(const struct follower *f, uint32_t place)
{
    const struct insn *insn = at(f->x, place);
    return insn->dst.kind == OPND_SYMBOL && insn->dst.ref == f->symbol && !insn->dst.nindices && insn->dst.condition.rule != CC_FL &&
           slow_written(f->x->p, insn) >> f->c & 1;
}

static bool indexes(const struct follower *f, uint32_t first, unsigned n)
{
    bool any = false;
    for (unsigned i = 0; i < n; i++) {
        const struct index *index = program_index(f->x->p->text, first + i);
        any |= index->mode == INDEX_RELATIVE && index->component == f->c &&
               slow_variable(f->x->p, index->register_kind, index->reg, index->element.used, index->component) == f->variable;
    }
    return any;
}

static void note(struct follower *f, uint32_t place, unsigned k, unsigned results, uint64_t from)
{
    struct leaving *x = f->x;
    if (slow_leaving_main(x, place) && !(from & ~FROM_ELSEWHERE) && !(x->followed && f->call_writes))
        return;
    if (x->nreads == x->room) {
        struct slow_truth_read *more = realloc(x->reads, (2 * x->room + 64) * sizeof *more);
        if (!more) {
            x->failed = true;
            return;
        }
        x->reads = more;
        x->room = 2 * x->room + 64;
    }
    x->reads[x->nreads++] = (struct slow_truth_read){.place = place, .first = f->first, .variable = f->variable, .symbol = f->symbol, .outside = NO_INDEX, .from = from,
                                                     .operand = (uint8_t)k, .component = (uint8_t)f->c, .results = (uint8_t)results};
}

static void note_reads(struct follower *f, uint32_t place, uint64_t in)
{
    const struct insn *insn = at(f->x, place);
    for (unsigned k = 0; k < insn->nsrc; k++) {
        const struct operand *o = program_operand(f->x->p->text, insn->src + k);
        unsigned results = slow_reads_component(f->x, place, k, f->symbol, f->c);
        if (indexes(f, o->index, o->nindices))
            note(f, place, 4, 15, in);
        if (results)
            note(f, place, o->kind == OPND_EXTENDED ? 4 : k, results, in);
    }
    if (indexes(f, insn->dst.index, insn->dst.nindices) || ((insn->op == OP_CAL || insn->op == OP_CALI) && f->call_reads))
        note(f, place, 4, 15, in);
    if (writes(f, place) && slow_truth_tested(f->x, place) & f->x->reach.useful[place] & 1u << f->c && f->x->choices && slow_is_choice(f->x, place))
        note(f, place, 4, 1u << f->c, in);      /* the value before it is a number to it */
}

/* Where what is written under a test is a value of its own. */
static bool chooses(const struct follower *f, uint32_t place)
{
    return f->x->choices && slow_is_choice(f->x, place);
}

static uint64_t behind(const struct follower *f, uint32_t place, uint64_t in)
{
    const struct insn *insn = at(f->x, place);
    uint64_t bit = FROM_ELSEWHERE;
    if ((insn->op == OP_CAL || insn->op == OP_CALI) && f->call_writes)
        return FROM_ELSEWHERE | (f->x->choices && condition_restricts(&insn->condition) && f->x->plan->place[place].outcome != TEST_PASSES ? in : 0);
    if (!writes(f, place))
        return in;
    for (uint32_t i = f->first; i < f->x->nwrites; i++)
        if (f->x->writes[i] == 4 * place + f->c)
            bit = 1ull << (i - f->first);
    return slow_truth_tested(f->x, place) >> f->c & 1 && !chooses(f, place) ? in | bit : bit;
}

/* What other subroutines do with it. */
static void look_at_calls(struct follower *f)
{
    f->call_reads = f->call_writes = false;
    for (uint32_t i = 0; i < f->x->plan->count; i++) {
        const struct insn *insn = at(f->x, i);
        if ((i >= f->begin && i < f->end) || slow_leaving_main(f->x, i))
            continue;
        f->call_writes |= writes(f, i);
        f->call_reads |= indexes(f, insn->dst.index, insn->dst.nindices);
        for (unsigned k = 0; k < insn->nsrc; k++)
            f->call_reads |= slow_reads_component(f->x, i, k, f->symbol, f->c) != 0;
    }
}

static void follow(struct follower *f)
{
    struct leaving *x = f->x;
    uint32_t to[8];
    bool changed = true;
    look_at_calls(f);
    memset(f->in + f->begin, 0, (f->end - f->begin) * sizeof *f->in);
    f->in[f->begin] = FROM_ELSEWHERE;
    while (changed) {
        changed = false;
        for (uint32_t i = f->begin; i < f->end; i++) {
            uint64_t out = f->in[i] ? behind(f, i, f->in[i]) : 0;
            unsigned ways = out ? slow_successors(x->p, x->plan, i, to) : 0;
            for (unsigned k = 0; k < ways; k++) {
                if (to[k] == NO_INDEX || to[k] < f->begin || to[k] >= f->end || (to[k] == x->plan->place[i].to && slow_has_first_round(x->p, &x->plan->place[i], slow_leaving_at(x, i))))
                    continue;
                changed |= (f->in[to[k]] | out) != f->in[to[k]];
                f->in[to[k]] |= out;
            }
        }
    }
    for (uint32_t i = f->begin; i < f->end; i++) {
        uint64_t out = f->in[i] ? behind(f, i, f->in[i]) : 0;
        unsigned ways = out ? slow_successors(x->p, x->plan, i, to) : 0;
        bool ends = at(x, i)->op == OP_RET;
        if (f->in[i])
            note_reads(f, i, f->in[i]);
        for (unsigned k = 0; k < ways; k++)
            ends |= to[k] != NO_INDEX && slow_leaving_begins(x, to[k]) && !(to[k] == x->plan->place[i].to && slow_has_first_round(x->p, &x->plan->place[i], slow_leaving_at(x, i)));
        for (uint32_t w = f->first; ends && !slow_leaving_main(x, i) && w < x->nwrites; w++)
            if (out >> (w - f->first) & 1)
                x->leaves[x->writes[w] / 4] |= (uint8_t)(1u << x->writes[w] % 4);
    }
}

static void look_at_variable(struct follower *f)
{
    struct leaving *x = f->x;
    bool any = x->followed && x->followed[f->symbol];
    f->first = x->nwrites;
    for (uint32_t i = f->begin; i < f->end; i++) {
        if (!writes(f, i))
            continue;
        any |= x->truth[i] >> f->c & 1;
        if (x->nwrites - f->first == MOST_WRITES)
            x->truth[i] &= (uint8_t)~(1u << f->c);
        else
            x->writes[x->nwrites++] = 4 * i + f->c;
    }
    if (any || (x->looks_outside && !slow_leaving_main(x, f->begin)))
        follow(f);
}

void slow_find_truth_reads(struct leaving *x)
{
    struct follower f = {.x = x};
    f.in = malloc((x->plan->count + 1) * sizeof *f.in);
    x->failed |= !f.in;
    for (f.begin = 0; !x->failed && f.begin < x->plan->count; f.begin = f.end) {
        for (f.end = f.begin + 1; f.end < x->plan->count && x->part[f.end] == x->part[f.begin]; f.end++)
            ;
        for (f.symbol = 0; f.symbol < x->p->text->symbols.count; f.symbol++)
            for (f.c = 0; f.c < 4; f.c++) {
                f.variable = slow_variable(x->p, OPND_SYMBOL, f.symbol, false, f.c);
                if (f.variable != NO_INDEX)
                    look_at_variable(&f);
            }
    }
    free(f.in);
}
