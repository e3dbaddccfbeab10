/* Which blocks follow each other in their part, and which of them name a variable (truths.h). */
#include "eval/truths.h"

#include <string.h>

/* ---- where blocks go on ---------------------------------------------------------------------------------------------------- */

struct adding {
    struct truth_search *s;
    uint32_t block;
    bool fill;                  /* they are listed, not counted */
};

static void add_block(void *user, uint32_t to)
{
    const struct adding *a = user;
    struct truth_search *s = a->s;

    if (a->fill)
        s->next[s->next_of[a->block + 1]] = to;
    s->next_of[a->block + 1]++;         /* each list ends where the next one begins */
}

static void add_callers(void *user, uint32_t from)
{
    const struct adding *a = user;

    (void)from;                 /* the same wherever it returns */
    a->s->returns[a->block] = 1;
}

static void add_ways(struct truth_search *s, uint32_t block, bool fill)
{
    uint32_t last = s->l->start[block + 1] - 1;
    const struct insn *insn = program_insn(s->p, last);
    struct adding a = {s, block, fill};
    bool returns = insn->op == OP_RET && insn->condition.rule == CC_FL;

    if (insn->op != OP_CAL && insn->op != OP_CALI && !returns)
        eval_ways(s->l, block, &(struct ways){add_block, add_callers, &a});
    else if (last + 1 < s->p->insns.count && !s->l->label[last + 1])
        add_block(&a, block + 1);
}

static bool find_next(struct truth_search *s)
{
    uint32_t n = s->l->nblocks, sum = 0;

    s->next_of = gp5_malloc(((size_t)n + 2) * sizeof *s->next_of);
    s->returns = gp5_malloc((size_t)n + 1);
    if (!s->next_of || !s->returns)
        return false;
    memset(s->next_of, 0, ((size_t)n + 2) * sizeof *s->next_of);
    memset(s->returns, 0, (size_t)n + 1);
    for (uint32_t b = 0; b < n; b++)
        add_ways(s, b, false);
    for (uint32_t b = 0; b < n; b++) {
        uint32_t count = s->next_of[b + 1];
        s->next_of[b + 1] = sum;
        sum += count;
    }
    s->next = gp5_malloc(((size_t)sum + 1) * sizeof *s->next);
    for (uint32_t b = 0; s->next && b < n; b++)
        add_ways(s, b, true);
    return s->next != NULL;
}

/* ---- what names a variable --------------------------------------------------------------------------------------------------- */

static void name(struct truth_search *s, uint32_t i, uint8_t kind, uint32_t symbol, bool fill)
{
    if (kind != OPND_SYMBOL)
        return;
    if (fill)
        s->named[s->named_of[symbol + 1]] = i;
    s->named_of[symbol + 1]++;
}

static void name_indices(struct truth_search *s, uint32_t i, uint32_t first, unsigned n, bool fill)
{
    for (unsigned k = 0; k < n; k++) {
        const struct index *index = program_index(s->p, first + k);
        if (index->mode == INDEX_RELATIVE)
            name(s, i, index->register_kind, index->reg, fill);
    }
}

static void name_all(struct truth_search *s, bool fill)
{
    for (uint32_t i = 0; i < s->p->insns.count; i++) {
        const struct insn *insn = program_insn(s->p, i);
        name(s, i, insn->dst.kind, insn->dst.ref, fill);
        name_indices(s, i, insn->dst.index, insn->dst.nindices, fill);
        for (unsigned k = 0; k < insn->nsrc; k++) {
            const struct operand *o = program_operand(s->p, insn->src + k);
            uint8_t kind = o->kind == OPND_HANDLE ? OPND_SYMBOL : o->kind == OPND_EXTENDED ? o->base_kind : o->kind;
            name(s, i, kind, o->ref, fill);
            name_indices(s, i, o->index, o->nindices, fill);
        }
    }
}

static bool find_named(struct truth_search *s)
{
    size_t n = s->p->symbols.count;
    uint32_t sum = 0;

    s->named_of = gp5_malloc((n + 2) * sizeof *s->named_of);
    if (!s->named_of)
        return false;
    memset(s->named_of, 0, (n + 2) * sizeof *s->named_of);
    name_all(s, false);
    for (size_t k = 0; k < n; k++) {
        uint32_t count = s->named_of[k + 1];
        s->named_of[k + 1] = sum;
        sum += count;
    }
    s->named = gp5_malloc(((size_t)sum + 1) * sizeof *s->named);
    if (s->named)
        name_all(s, true);
    return s->named != NULL;
}

static bool find_marks(struct truth_search *s)
{
    size_t n = s->l->nblocks;

    s->marked = gp5_malloc((n + 1) * sizeof *s->marked);
    s->calls = gp5_malloc(n + 1);
    if (!s->marked || !s->calls)
        return false;
    memset(s->marked, 0, (n + 1) * sizeof *s->marked);
    memset(s->calls, 0, n + 1);
    for (uint32_t i = 0; i < s->p->insns.count; i++)
        if (op_calls(program_insn(s->p, i)->op))
            s->calls[s->l->block[i]] = 1;
    return true;
}

bool eval_find_ways(struct truth_search *s)
{
    return find_next(s) && find_named(s) && find_marks(s);
}

void eval_free_ways(struct truth_search *s)
{
    gp5_free(s->next);
    gp5_free(s->next_of);
    gp5_free(s->returns);
    gp5_free(s->named);
    gp5_free(s->named_of);
    gp5_free(s->marked);
    gp5_free(s->calls);
}

void eval_mark_symbol(struct truth_search *s, uint32_t symbol)
{
    s->mark++;
    for (uint32_t k = s->named_of[symbol]; k < s->named_of[symbol + 1]; k++)
        s->marked[s->l->block[s->named[k]]] = s->mark;
}
