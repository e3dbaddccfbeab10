/* Lists of those who read each variable, and of those who write it. */
#include "eval/readers.h"

#include "eval/search.h"
#include "eval/truths.h"
#include "eval/votes.h"

#include <string.h>

/* One list, which is gone over twice: first its parts are counted. */
struct filling {
    const struct decoder *d;
    const struct liveness *l;
    struct variable_list *to;
    uint32_t *last;             /* of each variable: the instruction that stands at the end of its part so far, and 1 */
    bool fill;
};

static void add(struct filling *f, uint32_t i, uint32_t variable)
{
    if (variable == NO_INDEX || f->last[variable] == i + 1)
        return;
    f->last[variable] = i + 1;
    if (f->fill)
        f->to->list[f->to->first[variable + 1]] = i;
    f->to->first[variable + 1]++;       /* each part ends where the next one begins */
}

static void add_indices(struct filling *f, uint32_t i, uint32_t first, unsigned n)
{
    for (unsigned x = 0; x < n; x++) {
        const struct index *index = program_index(f->d->p, first + x);
        if (index->mode == INDEX_RELATIVE)
            add(f, i, eval_variable(f->l, index->register_kind, index->reg, index->element.used, index->component));
    }
}

/* Operand n, of whose components the instruction reads some. */
static void add_operand(struct filling *f, uint32_t i, unsigned n, uint8_t useful)
{
    const struct insn *insn = program_insn(f->d->p, i);
    const struct operand *o = program_operand(f->d->p, insn->src + n);
    uint8_t kind = o->kind == OPND_HANDLE ? OPND_SYMBOL : o->kind, components = useful & LIVE_EFFECT && insn->dst.kind == OPND_NONE ? 15 : 0;

    for (unsigned c = 0; c < 4; c++)
        components |= useful >> c & 1 ? eval_component_reads(insn->op, n, c) : 0;
    for (unsigned c = 0; c < 4; c++) {
        if (o->kind == OPND_EXTENDED)
            add(f, i, eval_variable(f->l, o->base_kind, o->ref, o->nindices != 0, c));
        else if (components >> c & 1)
            add(f, i, eval_variable(f->l, kind, o->ref, o->nindices != 0, o->swizzle >> 2 * c & 3));
    }
    add_indices(f, i, o->index, o->nindices);
}

static void add_reads(struct filling *f, uint32_t i, bool numbers)
{
    const struct insn *insn = program_insn(f->d->p, i);
    uint8_t useful = f->l->useful[i];

    for (unsigned n = 0; useful && !eval_votes_floats(insn) && n < insn->nsrc; n++)
        if (!numbers || eval_takes_floats(f->d->p, insn, n) || op_shuffles(insn->op) || program_operand(f->d->p, insn->src + n)->flags & OPND_SIGNS)
            add_operand(f, i, n, useful);
    add_indices(f, i, insn->dst.index, insn->dst.nindices);
}

static void add_any_reads(struct filling *f, uint32_t i)
{
    add_reads(f, i, false);
}

static void add_numbers(struct filling *f, uint32_t i)
{
    add_reads(f, i, true);
}

static void add_writes(struct filling *f, uint32_t i)
{
    const struct result *r = &program_insn(f->d->p, i)->dst;

    for (unsigned c = 0; r->kind != OPND_NONE && c < 4; c++)
        if (r->mask >> c & 1)
            add(f, i, eval_variable(f->l, r->kind, r->ref, r->nindices != 0, c));
}

static void add_all(struct filling *f, void (*one)(struct filling *f, uint32_t i), bool fill)
{
    f->fill = fill;
    memset(f->last, 0, f->l->nvars * sizeof *f->last);
    for (uint32_t i = 0; i < f->d->p->insns.count; i++)
        one(f, i);
}

static bool make(struct filling *f, struct variable_list *to, void (*one)(struct filling *f, uint32_t i))
{
    uint32_t n = f->l->nvars, sum = 0;

    f->to = to;
    to->first = gp5_malloc(((size_t)n + 2) * sizeof *to->first);
    if (!to->first)
        return false;
    memset(to->first, 0, ((size_t)n + 2) * sizeof *to->first);
    add_all(f, one, false);
    for (uint32_t k = 0; k < n; k++) {
        uint32_t count = to->first[k + 1];
        to->first[k + 1] = sum;
        sum += count;
    }
    to->list = gp5_malloc(((size_t)sum + 1) * sizeof *to->list);
    if (to->list)
        add_all(f, one, true);
    return to->list != NULL;
}

const struct readers *eval_readers(struct decoder *d)
{
    struct filling f = {.d = d, .l = eval_liveness(d)};
    struct readers *r = d->readers;

    if (r || !f.l)
        return f.l ? r : NULL;
    f.last = gp5_malloc((f.l->nvars + (size_t)1) * sizeof *f.last);
    d->readers = r = gp5_malloc(sizeof *r);
    if (r)
        memset(r, 0, sizeof *r);
    if (!r || !f.last || !make(&f, &r->reads, add_any_reads) || !make(&f, &r->writes, add_writes) || !make(&f, &r->numbers, add_numbers)) {
        eval_readers_free(d);
        eval_out_of_memory(d);
    }
    gp5_free(f.last);
    return d->readers;
}

void eval_readers_free(struct decoder *d)
{
    struct readers *r = d->readers;

    if (!r)
        return;
    gp5_free(r->reads.first);
    gp5_free(r->reads.list);
    gp5_free(r->writes.first);
    gp5_free(r->writes.list);
    gp5_free(r->numbers.first);
    gp5_free(r->numbers.list);
    gp5_free(r);
    d->readers = NULL;
}

uint32_t eval_first_behind(const struct variable_list *v, uint32_t variable, uint32_t place)
{
    uint32_t begin = v->first[variable], n = v->first[variable + 1] - begin, at = eval_first_from(v->list + begin, n, place);

    return at < n ? v->list[begin + at] : NO_INDEX;
}

uint32_t eval_last_before(const struct variable_list *v, uint32_t variable, uint32_t place)
{
    uint32_t begin = v->first[variable], at = eval_first_from(v->list + begin, v->first[variable + 1] - begin, place);

    return at ? v->list[begin + at - 1] : NO_INDEX;
}
