/* Which instructions of a loop's body bear on whether it ends: all of flow, all that set flags, are written under a
 * test or begin a block, and what writes the variables that those read, and so on. A body may be gone through thousands
 * of times to see whether the loop ends. */
#include "model/const/exit_slice.h"

#include "asm/driver_block.h"
#include "model/ir/operand_walk.h"
#include "model/ir/bsearch.h"

#include <stdlib.h>
#include <string.h>

/* A write of a variable that is followed. */
struct writing {
    uint32_t symbol, insn;
};

struct exit_slice {
    const struct known *k;
    const struct gp5_program *p;
    uint32_t rep, end;
    struct writing *writes;     /* sorted */
    uint32_t nwrites;
    uint8_t *bears;             /* of each place from the REP on */
    uint32_t *open, nopen;      /* those that bear and were not looked at */
};

static int by_symbol(const void *a, const void *b)
{
    const struct writing *x = a, *y = b;

    if (x->symbol != y->symbol)
        return x->symbol < y->symbol ? -1 : 1;
    return (x->insn > y->insn) - (x->insn < y->insn);
}

static bool bears_itself(const struct insn *insn)
{
    return op_flows(insn->op) || insn->cc_update || condition_restricts(&insn->dst.condition) || eval_ends_block(insn);
}

static void add(struct exit_slice *b, uint32_t i)
{
    if (b->bears[i - b->rep])
        return;
    b->bears[i - b->rep] = 1;
    b->open[b->nopen++] = i;
}

struct symbol_search {
    const struct exit_slice *b;
    uint32_t symbol;
};

static bool is_from(const void *user, uint32_t k)
{
    const struct symbol_search *s = user;

    return s->b->writes[k].symbol >= s->symbol;
}

/* All that write a variable: those are taken off the list, since they are added now. */
static void add_writers(void *user, const struct named *named)
{
    struct exit_slice *b = user;

    if (named->kind != OPND_SYMBOL)
        return;
    for (uint32_t k = model_first_that(b->nwrites, is_from, &(struct symbol_search){b, named->ref});
         k < b->nwrites && b->writes[k].symbol == named->ref && b->writes[k].insn != NO_INDEX; k++) {
        add(b, b->writes[k].insn);
        b->writes[k].insn = NO_INDEX;
    }
}

static void find(struct exit_slice *b)
{
    for (uint32_t i = b->rep + 1; i < b->end; i++) {
        const struct result *r = &program_insn(b->p, i)->dst;
        if (r->kind == OPND_SYMBOL && b->k->first[r->ref] != NO_INDEX)
            b->writes[b->nwrites++] = (struct writing){r->ref, i};
    }
    if (b->nwrites)
        qsort(b->writes, b->nwrites, sizeof *b->writes, by_symbol);
    for (uint32_t i = b->rep + 1; i < b->end; i++)
        if (bears_itself(program_insn(b->p, i)))
            add(b, i);
    while (b->nopen)
        model_each_read(b->p, program_insn(b->p, b->open[--b->nopen]), &(struct naming){add_writers, b});
}

uint32_t *exit_slice_find(const struct known *k, uint32_t rep)
{
    struct exit_slice b = {.k = k, .p = k->p, .rep = rep, .end = program_insn(k->p, rep)->dst.partner};
    size_t n = b.end - rep + (size_t)1;
    uint32_t *next = gp5_malloc(n * sizeof *next);

    b.writes = gp5_malloc(n * sizeof *b.writes);
    b.open = gp5_malloc(n * sizeof *b.open);
    b.bears = gp5_malloc(n);
    if (next && b.writes && b.open && b.bears) {
        memset(b.bears, 0, n);
        find(&b);
        next[n - 1] = b.end;
        for (size_t at = n - 1; at--;)
            next[at] = b.bears[at] ? rep + (uint32_t)at : next[at + 1];
    } else {
        gp5_free(next);
        next = NULL;
    }
    gp5_free(b.writes);
    gp5_free(b.open);
    gp5_free(b.bears);
    return next;
}
