/* Lists of those who read each variable, and of those who write it. */
#include "eval/readers.h"

#include "eval/names.h"
#include "eval/truths.h"
#include "eval/votes.h"

#include <string.h>

struct reader {
    struct list_filling *f;
    const struct liveness *l;
    uint32_t insn;
};

static void add_index(void *user, const struct named *x)
{
    const struct reader *r = user;

    eval_list_variable(r->f, r->insn, eval_variable(r->l, x->kind, x->ref, x->indexed, x->component));
}

static void add_indices(struct list_filling *f, const struct liveness *l, uint32_t i, uint32_t first, unsigned n)
{
    eval_each_index(l->p, first, n, &(struct naming){add_index, &(struct reader){f, l, i}});
}

/* The components of what an instruction stores or adds to memory, or 0 of others. */
static uint8_t to_memory(const struct insn *insn, unsigned n)
{
    bool one = (insn->op == OP_ATOM || insn->op == OP_ATOMB || insn->op == OP_ATOMS) && insn->atomic != MOD_CSWAP;

    if (n || insn->type == DT_F16)
        return 0;
    return one ? 1 : op_stores(insn->op) ? (uint8_t)((1u << insn->width) - 1) : 0;
}

/* Operand n, of whose components the instruction reads some. */
static void add_operand(struct list_filling *f, const struct liveness *l, uint32_t i, unsigned n)
{
    const struct insn *insn = program_insn(l->p, i);
    const struct operand *o = program_operand(l->p, insn->src + n);
    uint8_t kind = o->kind == OPND_HANDLE ? OPND_SYMBOL : o->kind, components = l->useful[i] & LIVE_EFFECT && insn->dst.kind == OPND_NONE ? 15 : 0;
    uint8_t moved = to_memory(insn, n);

    for (unsigned c = 0; c < 4; c++)
        components |= l->useful[i] >> c & 1 ? eval_component_reads(insn->op, n, c) : 0;
    components = moved ? moved : components;
    for (unsigned c = 0; c < 4; c++) {
        if (o->kind == OPND_EXTENDED)
            eval_list_variable(f, i, eval_variable(l, o->base_kind, o->ref, o->nindices != 0, c));
        else if (components >> c & 1)
            eval_list_variable(f, i, eval_variable(l, kind, o->ref, o->nindices != 0, o->swizzle >> 2 * c & 3));
    }
    add_indices(f, l, i, o->index, o->nindices);
}

static void add_reads(struct list_filling *f, const struct liveness *l, uint32_t i, bool numbers)
{
    const struct insn *insn = program_insn(l->p, i);

    for (unsigned n = 0; l->useful[i] && !eval_votes_floats(insn) && n < insn->nsrc; n++)
        if (!numbers || eval_takes_floats(l->p, insn, n) || op_shuffles(insn->op) || program_operand(l->p, insn->src + n)->flags & OPND_SIGNS)
            add_operand(f, l, i, n);
    add_indices(f, l, i, insn->dst.index, insn->dst.nindices);
}

static void add_any_reads(struct list_filling *f, const struct liveness *l, uint32_t i)
{
    add_reads(f, l, i, false);
}

static void add_numbers(struct list_filling *f, const struct liveness *l, uint32_t i)
{
    add_reads(f, l, i, true);
}

static void add_writes(struct list_filling *f, const struct liveness *l, uint32_t i)
{
    const struct result *r = &program_insn(l->p, i)->dst;

    for (unsigned c = 0; r->kind != OPND_NONE && c < 4; c++)
        if (r->mask >> c & 1)
            eval_list_variable(f, i, eval_result_variable(l, r, c));
}

const struct readers *eval_readers(struct decoder *d)
{
    const struct liveness *l = eval_liveness(d);
    struct readers *r = d->readers;

    if (r || !l)
        return l ? r : NULL;
    d->readers = r = gp5_malloc(sizeof *r);
    if (r)
        memset(r, 0, sizeof *r);
    if (!r || !eval_fill_list(l, &r->reads, add_any_reads) || !eval_fill_list(l, &r->writes, add_writes) || !eval_fill_list(l, &r->numbers, add_numbers)) {
        eval_readers_free(d);
        eval_out_of_memory(d);
    }
    return d->readers;
}

void eval_readers_free(struct decoder *d)
{
    struct readers *r = d->readers;

    if (!r)
        return;
    eval_list_free(&r->reads);
    eval_list_free(&r->writes);
    eval_list_free(&r->numbers);
    gp5_free(r);
    d->readers = NULL;
}
