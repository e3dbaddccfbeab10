/* Which of two doubles an operation takes first, which shows where both are NaN: the driver's compiler orders the
 * operands of ADD, SUB, MUL, MIN and MAX and the factors of MAD by where they come from (docs/numbers.md, "Doubles").
 * Loads come in the order of the text, results of other instructions after them and the last one first; what two ways
 * lead to comes before the loads around its first value, or, where it meets others again, as a result.
 *
 * One walk finds which values go into such meetings, and others the order; it follows flow as it goes: what leaves a loop,
 * goes on to its next round or returns takes its values along. */
#include "eval/order.h"

#include "eval/truths.h"

#include <string.h>

enum { MAX_WALKS = 8, MAX_ELEMENTS = 256 };       /* MAX_ELEMENTS: of an array that are followed */

/* Registers of 32 bits become doubles before a loop that is unrolled has copies: for what anybody reads of any of them. Not so the phases of a loop. */
static bool find_needed(struct walk *w)
{
    const struct unrolled *u = &w->d->unrolled;
    uint32_t n = (uint32_t)w->d->p->insns.count, most = n;
    uint8_t *of;

    for (size_t i = 0; u->used && i < u->origin.count; i++)
        most = *(uint32_t *)vec_at(&u->origin, i) < most ? most : *(uint32_t *)vec_at(&u->origin, i) + 1;
    of = gp5_malloc(most + 1u);
    w->needed = gp5_malloc(n + 1u);
    if (of && w->needed)
        memset(of, 0, most + 1u);
    for (unsigned pass = 0; of && w->needed && pass < 2; pass++)
        for (uint32_t i = 0, phased = 0; i < n; i++) {
            uint32_t at = eval_in_text(w->d, i);
            if (eval_form(w->d, i) == FORM_PHASED && program_insn(w->d->p, i)->partner > phased)
                phased = program_insn(w->d->p, i)->partner;
            of[at] |= i < phased ? 0 : w->live->useful[i];
            w->needed[i] = i < phased ? w->live->useful[i] : of[at];
        }
    gp5_free(of);
    return of && w->needed;
}

static bool number(struct walk *w)
{
    const struct gp5_program *p = w->d->p;
    size_t n = p->insns.count + 1;

    w->slot = gp5_malloc((p->symbols.count + 1) * sizeof *w->slot);
    w->webbed = gp5_malloc(n);
    w->brought = gp5_malloc(n);
    w->stretch_of = gp5_malloc(n * sizeof *w->stretch_of);
    w->block_of = gp5_malloc(n * sizeof *w->block_of);
    w->replaces = gp5_malloc(4 * n * sizeof *w->replaces);
    w->made_at = gp5_malloc(4 * n * sizeof *w->made_at);
    w->again = gp5_malloc(MEETINGS * n * sizeof *w->again);
    for (size_t i = 0; w->again && i < MEETINGS * n; i++)
        w->again[i] = shared_bits_none(w->live->nvars);
    w->order = gp5_malloc(n);
    w->halved = gp5_malloc(n);
    w->ends_loads = gp5_malloc(n);
    w->met_whole = gp5_malloc(n);
    w->chosen = gp5_malloc(n);
    w->leads = gp5_malloc(n);
    w->reads_of = gp5_malloc(4 * n * sizeof *w->reads_of);
    w->reads_before = gp5_malloc(4 * n * sizeof *w->reads_before);
    w->reads = gp5_malloc(n * sizeof *w->reads);
    if (w->reads)
        memset(w->reads, 0, n * sizeof *w->reads);
    w->elements = gp5_malloc((p->symbols.count + 1) * sizeof *w->elements);
    w->nsingles = w->live->nvars;
    for (uint32_t i = 0; w->elements && i < p->symbols.count; i++) {
        const struct symbol *s = program_symbol(p, i);
        bool follow = s->kind == SYM_TEMP && s->array && s->size == SIZE_DEFAULT && s->array_size <= MAX_ELEMENTS;
        w->elements[i] = follow ? w->nsingles : NO_INDEX;
        w->nsingles += follow ? 4 * s->array_size : 0;
    }
    w->parameters = w->nsingles;
    w->nsingles += 8 * eval_order_count_parameters(p);
    w->widened = gp5_malloc((w->nsingles + 4 * n) * sizeof *w->widened);
    w->singles = gp5_malloc((w->nsingles + 1u) * sizeof *w->singles);
    w->closed = gp5_malloc(n + 1);
    if (!w->slot || !w->webbed || !w->brought || !w->order || !w->widened || !w->singles || !w->closed || !w->stretch_of || !w->block_of || !w->replaces || !w->made_at || !w->again || !w->halved || !w->ends_loads || !w->met_whole || !w->chosen || !w->leads || !w->reads_of || !w->reads_before || !w->reads || !w->elements)
        return false;
    memset(w->webbed, 0, n);
    memset(w->brought, 0, n);
    memset(w->made_at, 0, 4 * n * sizeof *w->made_at);
    memset(w->replaces, 0xff, 4 * n * sizeof *w->replaces);
    memset(w->order, 0, n);
    memset(w->halved, 0, n);
    memset(w->ends_loads, 0, n);
    memset(w->met_whole, 0, n);
    memset(w->chosen, 0, n);
    memset(w->leads, 0xe4, n);
    memset(w->reads_before, 0, 4 * n * sizeof *w->reads_before);
    memset(w->first, 0xff, sizeof w->first);
    for (uint32_t i = 0; i < p->symbols.count; i++) {
        const struct symbol *s = program_symbol(p, i);
        bool follow = s->kind == SYM_TEMP && !s->array && s->size == SIZE_LONG;
        w->slot[i] = follow ? eval_variable(w->live, OPND_SYMBOL, i, false, 0) : NO_INDEX;
    }
    w->now = shared_map_none(w->live->nvars, eval_order_packed_size());
    w->in_sub = shared_map_none(w->live->nvars, sizeof(uint32_t));
    w->entered = gp5_malloc(n * sizeof *w->entered);
    w->caller = gp5_malloc(n * sizeof *w->caller);
    w->last = gp5_malloc(n * sizeof *w->last);
    w->changes = gp5_malloc(n * sizeof *w->changes);
    for (size_t i = 0; w->entered && w->last && i < n; i++) {
        w->entered[i] = (struct origins){.of = w->now};
        w->last[i] = w->now;
    }
    if (w->changes)
        memset(w->changes, 0, n * sizeof *w->changes);
    if (!w->entered || !w->caller || !w->last || !w->changes)
        return false;
    if (!eval_order_find_called(w))
        return false;
    w->valued = gp5_malloc((w->live->nvars + 1u) * sizeof *w->valued);
    if (w->valued)
        memset(w->valued, 0, (w->live->nvars + 1u) * sizeof *w->valued);
    return w->valued && !w->in_sub.failed && find_needed(w) && eval_order_find_again(w) && eval_order_find_readers(w);
}

bool eval_is_ordered(const struct insn *insn)
{
    return insn->type == DT_F64 && (insn->op == OP_ADD || insn->op == OP_SUB || insn->op == OP_MUL || insn->op == OP_MIN ||
                                    insn->op == OP_MAX || insn->op == OP_MAD);
}

static bool worth_it(const struct decoder *d)
{
    for (uint32_t i = 0; i < d->p->insns.count; i++)
        if (eval_is_ordered(program_insn(d->p, i)))
            return true;
    return false;
}

static void forget(struct walk *w)
{
    size_t n = w->d->p->insns.count + 1;

    for (size_t i = 0; i < n; i++) {
        if (w->entered && w->last) {
            eval_order_drop(&w->entered[i]);
            shared_map_free(&w->last[i]);
        }
        if (w->changes && w->changes[i]) {
            shared_bits_free(&w->changes[i]->slots);
            shared_bits_free(&w->changes[i]->fours);
            shared_bits_free(&w->changes[i]->others);
            gp5_free(w->changes[i]);
        }
    }
    for (size_t i = 0; w->again && i < MEETINGS * n; i++)
        shared_bits_free(&w->again[i]);
    shared_map_free(&w->now);
    shared_map_free(&w->in_sub);
    gp5_free(w->again);
    gp5_free(w->stretch_of);
    gp5_free(w->block_of);
    gp5_free(w->replaces);
    gp5_free(w->made_at);
    gp5_free(w->changes);
    gp5_free(w->slot);
    eval_order_free_reads(w);
    gp5_free(w->webbed);
    gp5_free(w->brought);
    gp5_free(w->halved);
    gp5_free(w->ends_loads);
    gp5_free(w->valued);
    gp5_free(w->needed);
    gp5_free(w->met_whole);
    gp5_free(w->chosen);
    gp5_free(w->leads);
    gp5_free(w->readers);
    gp5_free(w->next_part);
    gp5_free(w->widened);
    gp5_free(w->singles);
    gp5_free(w->elements);
    gp5_free(w->closed);
    gp5_free(w->caller);
    gp5_free(w->last);
    gp5_free(w->entered);
}

bool eval_find_order(struct decoder *d)
{
    struct walk w = {.d = d};

    if (!eval_has(d, PASS_nan_order) || !worth_it(d))
        return true;
    w.live = eval_liveness(d);
    if (!w.live)
        return false;
    vec_init(&w.around, sizeof(struct surrounding));
    w.failed = !number(&w);
    for (unsigned pass = 0; (pass < 2 || (w.learnt && pass < MAX_WALKS)) && !w.failed; pass++)
        eval_order_walk(&w);
    while (w.around.count)
        eval_order_close(&w);
    vec_free(&w.around);
    forget(&w);
    d->order = w.order;
    return !w.failed || eval_out_of_memory(d);
}

/* ---- decoding ------------------------------------------------------------------------------------------------------------- */

uint8_t eval_swapped(const struct decoder *d, uint32_t insn)
{
    return d->order ? d->order[insn] : 0;
}

/* The components of `mask`, their first two operands in the order as written or the other one. */
static bool place_operands(struct decoder *d, const struct insn *insn, uint8_t mask, bool swap, struct lane_op *op)
{
    op->n = (uint8_t)eval_components(mask, op->comp);
    for (unsigned k = 0; k < insn->nsrc; k++) {
        unsigned from = swap && k < 2 ? 1 - k : k;
        struct operand o = *program_operand(d->p, insn->src + from);
        struct fetched f;
        if (swap && insn->op == OP_SUB && from == 1)
            o.flags ^= OPND_NEGATE;
        if (!eval_fetch(d, &o, DT_F64, mask, true, &f))
            return false;
        if (!eval_view_truths(d, insn, from, mask, f.plane) || !eval_place_nans(d, from, mask, &f))
            return false;
        eval_place(op, k, &f, FLOW_EACH);
    }
    return true;
}

bool eval_decode_ordered(struct decoder *d, const struct insn *insn)
{
    uint32_t by_component[4] = {0};
    uint8_t swapped = insn->dst.mask & eval_swapped(d, d->insn);

    for (unsigned swap = 0; swap < 2; swap++) {
        uint8_t mask = swap ? swapped : insn->dst.mask & (uint8_t)~swapped;
        struct kernel_request want = eval_request_of(d, insn, swap && insn->op == OP_SUB ? OP_ADD : insn->op);
        struct lane_op op = {0};
        if (!mask)
            continue;
        if (!place_operands(d, insn, mask, swap, &op))
            return false;
        if (mask == insn->dst.mask)
            return eval_emit(d, insn, want, &op);
        if (!eval_partial(d, insn, want, &op, by_component))
            return false;
    }
    return eval_join_partials(d, insn, by_component);
}
