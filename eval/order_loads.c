/* Loads from one address (order.c). Where two begin at the same one, of which the driver's compiler leaves the first alone, small phases of loops are
 * put into another order (order_phases.c; docs/numbers.md, "Doubles"). */
#include "eval/order.h"

#include <stdlib.h>
#include <string.h>

/* From where a load reads: the buffer and what is in the brackets. The register is told by what wrote it last, and how many calls were made. */
struct loaded_from {
    uint32_t buffer, var, written, calls;
    int32_t offset;
};

static int compare(const void *a, const void *b)
{
    return memcmp(a, b, sizeof(struct loaded_from));
}

/* Whether the text says from where a load reads, by one register or none. */
static bool find_from(const struct walk *w, const struct operand *o, const uint32_t *written, struct loaded_from *p)
{
    const struct index *x = o->nindices == 1 ? program_index(w->d->p, o->index) : NULL;

    if (o->kind != OPND_SYMBOL || !x || (x->mode == INDEX_RELATIVE && x->element.used))
        return false;
    memset(p, 0, sizeof *p);
    p->buffer = o->ref;
    p->offset = x->offset;
    p->var = x->mode == INDEX_RELATIVE ? eval_variable(w->live, x->register_kind, x->reg, false, x->component) : 0;
    p->written = x->mode == INDEX_RELATIVE && p->var != NO_INDEX ? written[p->var] : 0;
    return p->var != NO_INDEX;
}

/* Loads of the main program outside of IFs and loops that somebody reads, by place; a loop that is unrolled is none. */
static size_t collect(const struct walk *w, uint32_t *written, struct loaded_from *all)
{
    uint32_t depth = 0, calls = 0, behind = 0;
    size_t n = 0;

    for (uint32_t i = w->live->entry; i < w->live->main_end && i < w->d->p->insns.count; i++) {
        const struct insn *insn = program_insn(w->d->p, i);
        if (insn->op == OP_IF && eval_form(w->d, i) == FORM_PLAIN)
            depth++;
        else if (insn->op == OP_ENDIF && eval_form(w->d, i) == FORM_PLAIN)
            depth -= depth != 0;
        else if (insn->op == OP_REP && i >= behind && (eval_form(w->d, i) == FORM_PLAIN || eval_form(w->d, i) == FORM_PHASED))
            behind = insn->partner;
        calls += insn->op == OP_CAL || insn->op == OP_CALI;
        if (insn->op == OP_LDB && !depth && i >= behind && w->live->useful[i] & 15 && find_from(w, program_operand(w->d->p, insn->src), written, all + n))
            all[n++].calls = calls;
        for (unsigned c = 0; insn->dst.kind == OPND_SYMBOL && c < 4; c++) {
            uint32_t var = insn->dst.mask >> c & 1 ? eval_result_variable(w->live, &insn->dst, c) : NO_INDEX;
            if (var != NO_INDEX)
                written[var] = i + 1;
        }
    }
    return n;
}

bool eval_order_find_again(struct walk *w)
{
    size_t n = w->d->p->insns.count;
    uint32_t *written = gp5_malloc((w->live->nvars + 1u) * sizeof *written);
    struct loaded_from *all = gp5_malloc((n + 1) * sizeof *all);

    if (written && all) {
        size_t loads;
        memset(written, 0, (w->live->nvars + 1u) * sizeof *written);
        loads = collect(w, written, all);
        qsort(all, loads, sizeof *all, compare);
        for (size_t i = 1; i < loads; i++)
            w->loads_again |= !compare(all + i - 1, all + i);
    }
    gp5_free(written);
    gp5_free(all);
    return written && all;
}
