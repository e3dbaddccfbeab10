/* What loops and subroutines write (pair_writes.h). */
#include "eval/pair_writes.h"
#include "eval/block_ends.h"

#include <string.h>

struct finder {
    const struct decoder *d;
    const struct liveness *live;
    struct pair_writes *w;
};

static void free_loop(struct pair_loop *loop)
{
    shared_bits_free(&loop->fours);
    shared_bits_free(&loop->calls);
    shared_bits_free(&loop->own);
}

static void close_loop(struct finder *f, struct vec *open)
{
    struct pair_loop *inner = vec_at(open, open->count - 1), *outer = open->count > 1 ? vec_at(open, open->count - 2) : NULL;
    size_t at = vec_grow(&f->w->loops);

    if (outer) {
        shared_bits_join(&outer->fours, &inner->fours);
        shared_bits_join(&outer->calls, &inner->calls);
        shared_bits_join(&outer->own, &inner->own);
    }
    f->w->failed |= at == SIZE_MAX || inner->fours.failed || inner->calls.failed || inner->own.failed;
    if (at != SIZE_MAX)
        f->w->head[f->live->block[inner->rep + 1]] = (uint32_t)at + 1;
    for (uint32_t i = inner->rep; at != SIZE_MAX && eval_form(f->d, inner->rep) == FORM_PHASED && i < program_insn(f->d->p, inner->rep)->partner; i++)
        if (eval_form(f->d, i) == FORM_PHASE && program_insn(f->d->p, i)->partner == inner->rep)
            f->w->head[f->live->block[i + 1]] = (uint32_t)at + 1;
    if (at != SIZE_MAX) {
        *(struct pair_loop *)vec_at(&f->w->loops, at) = *inner;
    } else {
        free_loop(inner);
    }
    open->count--;
}

uint8_t eval_pair_written(const struct decoder *d, const struct liveness *live, uint32_t i)
{
    const struct insn *insn = program_insn(d->p, i);
    const struct folded *folded = eval_folded_at(d, i);

    return insn->dst.kind == OPND_NONE ? 0 : eval_written(live, insn) & (uint8_t)~(folded ? folded->fails : 0);
}

static void add_writes(struct finder *f, struct pair_loop *loop, uint32_t i, bool late)
{
    const struct insn *insn = program_insn(f->d->p, i);
    const struct shared_bits *called = op_calls(insn->op) ? eval_written_by_call(f->live, i) : NULL;
    uint8_t mask = eval_pair_written(f->d, f->live, i);

    if (called && loop) {
        shared_bits_join(&loop->fours, called);
        shared_bits_join(&loop->calls, called);
    }
    for (unsigned c = 0; c < 4; c++) {
        uint32_t v = mask >> c & 1 ? eval_result_variable(f->live, &insn->dst, c) : NO_INDEX;
        if (v == NO_INDEX)
            continue;
        if (loop) {
            shared_bits_add(&loop->fours, v / 4);
            shared_bits_add(&loop->own, v);
        }
        if (eval_in_subroutine(f->live, i)) {
            shared_bits_add(&f->w->called, v);
            if (late)
                shared_bits_add(&f->w->late, v);
        }
    }
}

static void find_writes(struct finder *f)
{
    uint32_t n = (uint32_t)f->d->p->insns.count, nvars = f->live->nvars;
    struct vec open;
    uint32_t label = 0;
    bool late = false;          /* behind the first block of a subroutine */

    vec_init(&open, sizeof(struct pair_loop));
    for (uint32_t i = 0; i < n && !f->w->failed; i++) {
        const struct insn *insn = program_insn(f->d->p, i);
        enum form form = eval_form(f->d, i);
        bool turns = insn->op == OP_REP && (form == FORM_PLAIN || form == FORM_PHASED);
        size_t at = turns ? vec_grow(&open) : 0;
        if (f->live->label[i])
            label = i, late = false;
        late |= eval_ends_block(insn) || f->live->block[i] != f->live->block[label];
        if (at == SIZE_MAX)
            f->w->failed = true;
        else if (turns)
            *(struct pair_loop *)vec_at(&open, at) = (struct pair_loop){i, shared_bits_none(nvars / 4 + 1), shared_bits_none(nvars / 4 + 1), shared_bits_none(nvars + 1)};
        add_writes(f, open.count ? vec_at(&open, open.count - 1) : NULL, i, late);
        while (open.count && program_insn(f->d->p, ((struct pair_loop *)vec_at(&open, open.count - 1))->rep)->partner == i)
            close_loop(f, &open);
    }
    while (open.count)
        close_loop(f, &open);
    vec_free(&open);
}

bool eval_find_pair_writes(const struct decoder *d, const struct liveness *live, struct pair_writes *w)
{
    struct finder f = {d, live, w};

    *w = (struct pair_writes){.called = shared_bits_none(live->nvars + 1), .late = shared_bits_none(live->nvars + 1)};
    vec_init(&w->loops, sizeof(struct pair_loop));
    w->head = gp5_malloc((live->nblocks + 1) * sizeof *w->head);
    if (!w->head)
        return false;
    memset(w->head, 0, (live->nblocks + 1) * sizeof *w->head);
    find_writes(&f);
    return !w->failed && !w->called.failed && !w->late.failed;
}

void eval_pair_writes_free(struct pair_writes *w)
{
    for (size_t k = 0; k < w->loops.count; k++)
        free_loop(vec_at(&w->loops, k));
    vec_free(&w->loops);
    shared_bits_free(&w->called);
    shared_bits_free(&w->late);
    gp5_free(w->head);
}
