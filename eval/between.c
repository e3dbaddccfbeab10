/* What stands between two instructions: of each the nearest places before and behind it that count, so that nobody walks from one to the other. */
#include "eval/between.h"

#include <string.h>

/* REP and ENDREP that are there when the program runs. */
static bool loops(const struct decoder *d, uint32_t i, uint16_t op)
{
    uint8_t form = eval_form(d, i);

    return program_insn(d->p, i)->op == op && (form == FORM_PLAIN || form == FORM_PHASED || form == FORM_PHASE);
}

/* A loop without a body; its phases are ENDREPs. */
static bool is_empty(const struct decoder *d, uint32_t rep)
{
    uint32_t end = program_insn(d->p, rep)->partner, i = rep + 1;

    while (i < end && program_insn(d->p, i)->op == OP_ENDREP)
        i++;
    return i >= end;
}

static bool is_known_side(const struct decoder *d, uint32_t i)
{
    uint16_t op = program_insn(d->p, i)->op;

    return eval_form(d, i) == FORM_KNOWN && (op == OP_IF || op == OP_ELSE || op == OP_ENDIF);
}

static bool jumps(uint16_t op)
{
    return op == OP_BRK || op == OP_CONT || op == OP_RET;
}

/* What an instruction does with the blocks of a nesting. */
enum { OPENS = 1, CLOSES = 2, ENDS = 4 };

typedef unsigned nesting_fn(const struct decoder *d, uint32_t i);

static unsigned in_sides(const struct decoder *d, uint32_t i)
{
    if (eval_form(d, i) == FORM_KNOWN)
        return 0;
    switch (program_insn(d->p, i)->op) {
    case OP_IF: return OPENS;
    case OP_ELSE: return ENDS;
    case OP_ENDIF: return CLOSES | ENDS;
    default: return 0;
    }
}

static unsigned in_blocks(const struct decoder *d, uint32_t i)
{
    uint16_t op = program_insn(d->p, i)->op;

    if (op == OP_IF || op == OP_ENDIF)
        return eval_form(d, i) == FORM_KNOWN ? 0 : op == OP_IF ? OPENS : CLOSES | ENDS;
    if ((op != OP_REP && op != OP_ENDREP) || eval_form(d, i) != FORM_PLAIN)
        return 0;
    return op == OP_REP ? OPENS : CLOSES | ENDS;
}

/* `open`: places behind, the nearest last, each of which ends more than those before it in the list. */
static void find_nesting(const struct decoder *d, struct nesting *to, nesting_fn *what, uint32_t *open)
{
    uint32_t n = (uint32_t)d->p->insns.count, nopen = 0;

    to->depth[0] = n;           /* so that it is never below zero */
    for (uint32_t i = 0; i < n; i++) {
        unsigned does = what(d, i);
        to->depth[i + 1] = to->depth[i] + !!(does & OPENS) - !!(does & CLOSES);
    }
    to->ends[n] = NO_INDEX;
    for (uint32_t i = n; i--;) {
        while (nopen && to->depth[open[nopen - 1]] > to->depth[i + 1])
            nopen--;            /* who is in deeper comes to a nearer end */
        to->ends[i] = nopen ? open[nopen - 1] : NO_INDEX;
        if (what(d, i) & ENDS)
            open[nopen++] = i;
    }
}

/* Loops around each instruction: where the nearest begins, and ends. */
static void find_around(const struct decoder *d, struct between *b, uint32_t *open)
{
    uint32_t n = (uint32_t)d->p->insns.count, nopen = 0;

    for (uint32_t i = 0; i <= n; i++) {
        while (nopen && program_insn(d->p, open[nopen - 1])->partner < i)
            nopen--;
        b->around[i] = nopen ? open[nopen - 1] + 1 : 0;
        if (i < n && loops(d, i, OP_REP)) {
            while (nopen && program_insn(d->p, open[nopen - 1])->partner <= program_insn(d->p, i)->partner)
                nopen--;
            open[nopen++] = i;
        }
    }
    nopen = 0;
    for (uint32_t i = n + 1; i--;) {
        while (nopen && program_insn(d->p, open[nopen - 1])->partner > i)
            nopen--;
        b->closes[i] = nopen ? open[nopen - 1] : NO_INDEX;
        if (i < n && loops(d, i, OP_ENDREP)) {
            while (nopen && program_insn(d->p, open[nopen - 1])->partner >= program_insn(d->p, i)->partner)
                nopen--;
            open[nopen++] = i;
        }
    }
}

static void find_last(const struct decoder *d, const struct liveness *l, struct between *b)
{
    uint32_t n = (uint32_t)d->p->insns.count;

    memset(b->whole, 0, (n + (size_t)1) * sizeof *b->whole);
    for (uint32_t i = 0; i < n; i++) {
        uint32_t end = program_insn(d->p, i)->partner;
        if (loops(d, i, OP_REP) && end < n && !is_empty(d, i))
            b->whole[(end > i ? end : i) + 1] = i + 1;
    }
    b->leaves[0] = b->calls[0] = 0;
    for (uint32_t i = 0; i < n; i++) {
        uint16_t op = program_insn(d->p, i)->op;
        b->whole[i + 1] = b->whole[i + 1] > b->whole[i] ? b->whole[i + 1] : b->whole[i];
        b->leaves[i + 1] = l->label[i] || jumps(op) ? i + 1 : b->leaves[i];
        b->calls[i + 1] = !is_known_side(d, i) && (l->label[i] || jumps(op) || op_calls(op)) ? i + 1 : b->calls[i];
    }
}

const struct between *eval_between(struct decoder *d)
{
    size_t n = d->p->insns.count + 1;
    const struct liveness *l = eval_liveness(d);
    uint32_t *open;
    struct between *b;

    if (d->between || !l)
        return l ? d->between : NULL;
    b = gp5_malloc(sizeof *b + 9 * n * sizeof *b->whole);
    open = gp5_malloc(n * sizeof *open);
    if (b && open) {
        uint32_t *at = (uint32_t *)(b + 1);
        uint32_t **to[] = {&b->whole, &b->around, &b->leaves, &b->calls, &b->closes, &b->sides.depth, &b->sides.ends, &b->blocks.depth, &b->blocks.ends};
        for (unsigned k = 0; k < sizeof to / sizeof *to; k++)
            *to[k] = at + k * n;
        find_last(d, l, b);
        find_around(d, b, open);
        find_nesting(d, &b->sides, in_sides, open);
        find_nesting(d, &b->blocks, in_blocks, open);
        d->between = b;
    } else {
        gp5_free(b);
        eval_out_of_memory(d);
    }
    gp5_free(open);
    return d->between;
}

/* Whether they stand in the same block, which does not end between them. */
static bool stays(const struct nesting *in, uint32_t from, uint32_t to)
{
    return in->ends[from] >= to && in->depth[from + 1] == in->depth[to];
}

bool eval_stands_beside(struct decoder *d, uint32_t from, uint32_t to)
{
    const struct between *b = eval_between(d);

    return b && from < to && b->leaves[to] <= from + 1 && b->around[to] <= from + 1 && b->closes[from] >= to && stays(&b->sides, from, to);
}

bool eval_loops_between(struct decoder *d, uint32_t from, uint32_t to)
{
    const struct between *b = eval_between(d);

    return !b || b->whole[to] > from + 1;
}

bool eval_runs_on(struct decoder *d, uint32_t from, uint32_t to, bool calls)
{
    const struct between *b = eval_between(d);

    return b && from < to && (calls ? b->leaves : b->calls)[to] <= from + 1 && stays(&b->blocks, from, to);
}
