/* Which blocks follow each other in their part, and which of them name a variable (truths.h). */
#include "eval/truths.h"

#include "eval/names.h"
#include "eval/search.h"

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
    uint32_t n = s->l->nblocks, sum;

    s->next_of = gp5_malloc(((size_t)n + 2) * sizeof *s->next_of);
    s->returns = gp5_malloc((size_t)n + 1);
    if (!s->next_of || !s->returns)
        return false;
    memset(s->next_of, 0, ((size_t)n + 2) * sizeof *s->next_of);
    memset(s->returns, 0, (size_t)n + 1);
    for (uint32_t b = 0; b < n; b++)
        add_ways(s, b, false);
    sum = eval_lengths_to_places(s->next_of, n);
    s->next = gp5_malloc(((size_t)sum + 1) * sizeof *s->next);
    for (uint32_t b = 0; s->next && b < n; b++)
        add_ways(s, b, true);
    return s->next != NULL;
}

/* ---- what names a variable --------------------------------------------------------------------------------------------------- */

struct listing {
    struct truth_search *s;
    uint32_t insn;
    bool fill;                  /* they are listed, not counted */
};

static void list_named(void *user, const struct named *named)
{
    const struct listing *l = user;
    struct truth_search *s = l->s;

    if (named->kind != OPND_SYMBOL)
        return;
    if (l->fill)
        s->named[s->named_of[named->ref + 1]] = l->insn;
    s->named_of[named->ref + 1]++;
}

static void list_all(struct truth_search *s, bool fill)
{
    struct listing l = {.s = s, .fill = fill};

    for (l.insn = 0; l.insn < s->p->insns.count; l.insn++)
        eval_each_named(s->p, program_insn(s->p, l.insn), &(struct naming){list_named, &l});
}

static bool find_named(struct truth_search *s)
{
    uint32_t n = (uint32_t)s->p->symbols.count, sum;

    s->named_of = gp5_malloc(((size_t)n + 2) * sizeof *s->named_of);
    if (!s->named_of)
        return false;
    memset(s->named_of, 0, ((size_t)n + 2) * sizeof *s->named_of);
    list_all(s, false);
    sum = eval_lengths_to_places(s->named_of, n);
    s->named = gp5_malloc(((size_t)sum + 1) * sizeof *s->named);
    if (s->named)
        list_all(s, true);
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
