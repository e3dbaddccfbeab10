/* What subroutines write (forward.h): of each part, which begins with a label, the variables of its own results and its calls, found once. */
#include "eval/forward.h"
#include "eval/decode.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_CALLS = 32 };        /* deeper ones are taken to write everything */

static int by_number(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

    return (x > y) - (x < y);
}

/* Where each part's begin in the two lists: so many as there are instructions of each kind before it. */
static void count(const struct liveness *l, struct called_writes *w)
{
    uint32_t nvars = 0, ncalls = 0;

    for (uint32_t i = 0, part = 0; i <= l->p->insns.count; i++) {
        bool end = i == l->p->insns.count;
        for (; part < l->nregions + 1u && (end || part <= l->region[i]); part++) {
            w->first_var[part] = nvars;
            w->first_call[part] = ncalls;
        }
        if (end)
            return;
        const struct insn *insn = program_insn(l->p, i);
        uint32_t var = eval_variable(l, insn->dst.kind, insn->dst.ref, insn->dst.nindices != 0, 0);
        if (var != NO_INDEX && insn->dst.condition.rule != CC_FL)
            w->vars[nvars++] = var;
        if (op_calls(insn->op))
            w->calls[ncalls++] = i;
    }
}

bool eval_find_called_writes(struct liveness *l)
{
    struct called_writes *w = &l->writes;
    bool any = false;
    size_t n = l->p->insns.count + (size_t)1, parts = l->nregions + (size_t)1;

    for (uint32_t i = 0; i < l->p->insns.count && !any; i++)
        any = op_calls(program_insn(l->p, i)->op);
    if (!any)           /* nobody asks */
        return true;
    w->first_var = gp5_malloc(parts * sizeof *w->first_var);
    w->first_call = gp5_malloc(parts * sizeof *w->first_call);
    w->vars = gp5_malloc(n * sizeof *w->vars);
    w->calls = gp5_malloc(n * sizeof *w->calls);
    if (!w->first_var || !w->first_call || !w->vars || !w->calls)
        return false;
    count(l, w);
    for (uint32_t k = 0; k < l->nregions; k++)
        qsort(w->vars + w->first_var[k], w->first_var[k + 1] - w->first_var[k], sizeof *w->vars, by_number);
    return true;
}

void eval_free_called_writes(struct liveness *l)
{
    gp5_free(l->writes.first_var);
    gp5_free(l->writes.first_call);
    gp5_free(l->writes.vars);
    gp5_free(l->writes.calls);
    l->writes = (struct called_writes){0};
}

/* Whether a result of the part is the symbol that a variable is a component of. */
static bool writes(const struct called_writes *w, uint32_t part, uint32_t var)
{
    uint32_t low = w->first_var[part], high = w->first_var[part + 1];

    while (low < high) {        /* the first that is above */
        uint32_t middle = low + (high - low) / 2;
        if (w->vars[middle] <= var)
            low = middle + 1;
        else
            high = middle;
    }
    return low > w->first_var[part] && var < w->vars[low - 1] + 4;
}

static bool call_writes(const struct liveness *l, const struct insn *call, uint32_t var, unsigned depth);

static bool part_writes(const struct liveness *l, uint32_t from, uint32_t var, unsigned depth)
{
    const struct called_writes *w = &l->writes;
    uint32_t part;

    if (from >= l->p->insns.count)      /* nothing stands behind the label */
        return false;
    part = l->region[from];
    if (writes(w, part, var))
        return true;
    for (uint32_t k = w->first_call[part]; k < w->first_call[part + 1]; k++)
        if (call_writes(l, program_insn(l->p, w->calls[k]), var, depth + 1))
            return true;
    return false;
}

static bool call_writes(const struct liveness *l, const struct insn *call, uint32_t var, unsigned depth)
{
    if (depth == MAX_CALLS)
        return true;
    if (call->op == OP_CAL)
        return part_writes(l, call->partner, var, depth);
    for (uint32_t i = 0; i < l->p->symbols.count; i++) {
        const struct symbol *s = program_symbol(l->p, i);
        if (symbol_is_numbered(s) && part_writes(l, s->instruction, var, depth))
            return true;
    }
    return false;
}

bool eval_called_writes(const struct liveness *l, uint32_t call, uint32_t var)
{
    return call_writes(l, program_insn(l->p, call), var, 0);
}
