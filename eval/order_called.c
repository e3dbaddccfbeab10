/* What subroutines do to variables (order.c): write them, write them only when they have called others or may have gone back, and make them of what stood there. */
#include "eval/order.h"

uint32_t eval_order_in_subs(const struct walk *w, uint32_t slot)
{
    const uint32_t *does = shared_map_at(&w->in_sub, slot);

    return does ? *does : 0;
}

/* Whether component c of a result is computed of what stood there. */
static bool reads_itself(const struct walk *w, const struct insn *insn, unsigned c, uint32_t slot)
{
    bool any = false;

    for (unsigned k = 0; k < insn->nsrc; k++) {
        const struct operand *o = program_operand(w->d->p, insn->src + k);
        uint8_t reads = eval_component_reads(insn->op, k, c);
        for (unsigned from = 0; from < 4; from++)
            any |= reads >> from & 1 && eval_order_slot(w, o->kind, o->ref, o->nindices != 0, o->swizzle >> 2 * from & 3) == slot;
    }
    return any;
}

static void note(struct walk *w, uint32_t i, bool late)
{
    const struct insn *insn = program_insn(w->d->p, i);
    const struct result *r = &insn->dst;
    uint8_t written = r->kind != OPND_NONE ? eval_written(w->live, insn) : 0;
    bool tested = condition_restricts(&r->condition);

    for (unsigned c = 0; c < 4; c++) {
        uint32_t slot = written >> c & 1 ? eval_order_slot(w, r->kind, r->ref, r->nindices != 0, c) : NO_INDEX, does = slot == NO_INDEX ? 0 : eval_order_in_subs(w, slot);
        bool first = !(does & CALLED_WRITES), changes = !tested && slot != NO_INDEX && reads_itself(w, insn, c, slot);
        if (slot == NO_INDEX)
            continue;
        does |= CALLED_WRITES | (late && first ? CALLED_LATE : 0u) | (first && changes ? CALLED_CHANGES : 0u);
        does &= changes ? ~0u : ~(uint32_t)CALLED_CHANGES;
        shared_map_put(&w->in_sub, slot, &does);
    }
}

bool eval_order_find_called(struct walk *w)
{
    const struct gp5_program *p = w->d->p;
    bool late = false;

    for (uint32_t i = 0; i < p->insns.count; i++) {
        const struct insn *insn = program_insn(p, i);
        bool plain = eval_form(w->d, i) == FORM_PLAIN;
        late &= !w->live->label[i];
        if (i >= w->live->entry && i < w->live->main_end)
            continue;
        late |= insn->op == OP_CAL || insn->op == OP_CALI || (insn->op == OP_RET && plain && condition_restricts(&insn->condition));
        if (!op_flows(insn->op))
            note(w, i, late);
    }
    return !w->in_sub.failed;
}
