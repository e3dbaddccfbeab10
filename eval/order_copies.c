/* Loops that are unrolled: what their first copy leaves, and programs in which loads stay loads where ways meet (order.c; docs/numbers.md, "Doubles"). */
#include "eval/order.h"

struct carrying {
    struct walk *w;
    const struct shared_map *before;
    uint32_t begin, end;
    bool changed;
};

/* A variable that a round brings to the next one of a loop that is unrolled. */
static void carry_value(void *user, uint32_t slot, void *value)
{
    struct carrying *h = user;
    struct origin before = eval_order_get(h->before, slot), end = eval_order_unpack(value);

    if (before.own == NO_INDEX || end.own == NO_INDEX || eval_order_is_same(&before, &end))
        return;
    h->changed = true;
    if (eval_order_reads_first(h->w, h->begin, h->end, slot))
        eval_order_web_both(h->w, &before, &end);
}

/* The loop had rounds before it had copies: what the first copy that changes anything leaves in a variable that it reads as it was before meets that. */
void eval_order_carry(struct walk *w, struct surrounding *f, uint32_t end)
{
    struct carrying h = {w, &f->before, f->copy, end, false};

    if (!w->dead && !f->carries)
        shared_map_each_apart(&w->now, &f->before, carry_value, &h);
    f->carries |= h.changed;
}

/* A loop of one round is none if the text says so; if a register does, it is one before it has its copy. */
bool eval_order_is_counted_by_register(const struct walk *w, const struct surrounding *f)
{
    const struct insn *rep = program_insn(w->d->p, f->begin);

    return rep->nsrc && program_operand(w->d->p, rep->src)->kind != OPND_CONSTANT;
}

/* Whether an instruction is still there: not one whose result nobody reads, nor a copy of a body that runs no round. */
static bool is_left(const struct walk *w, uint32_t i)
{
    const struct insn *insn = program_insn(w->d->p, i);
    uint8_t form = eval_form(w->d, i);

    switch (insn->op) {
    case OP_IF: case OP_ELSE: case OP_ENDIF: return false;
    case OP_REP: return form != FORM_OPEN;
    case OP_ENDREP: return form != FORM_NEXT && form != FORM_LAST;
    default: return op_flows(insn->op) ? form != FORM_KNOWN : w->live->useful[i] != 0;
    }
}

bool eval_order_jumps_over_nothing(const struct walk *w, uint32_t i)
{
    const struct insn *insn = program_insn(w->d->p, i);
    const struct surrounding *f = eval_order_loop(w);

    if (insn->op != OP_CONT || !f || eval_form(w->d, f->begin) == FORM_PLAIN || insn->partner == NO_INDEX || insn->partner == i + 1)
        return false;
    for (uint32_t k = i + 1; k < insn->partner && k < w->d->p->insns.count; k++)
        if (is_left(w, k))
            return false;
    return true;
}

/* Whether an instruction of copies of a body ends a block as the compiler sees them, or loads or changes memory. */
static bool parts_copies(const struct walk *w, uint32_t i)
{
    const struct insn *insn = program_insn(w->d->p, i);

    switch (insn->op) {
    case OP_IF: return eval_form(w->d, i) == FORM_PLAIN;
    case OP_BRK: case OP_CONT: case OP_RET: return !eval_order_jumps_over_nothing(w, i) && eval_form(w->d, i) == FORM_PLAIN && condition_restricts(&insn->condition) && insn->condition.rule != CC_FL && eval_outcome(w->d, i) == OUTCOME_TESTED;
    case OP_BAR: case OP_MEMBAR: case OP_STS: return false;
    case OP_LDB: case OP_LOAD: return w->live->useful[i];
    default: return !op_flows(insn->op) && w->live->useful[i] & LIVE_EFFECT;
    }
}

/* A loop has several copies: where they are no straight-line code without memory, no load of the program becomes a result where it meets others. */
void eval_order_look_at_copies(struct walk *w, const struct surrounding *f, uint32_t end)
{
    bool keeps = false;

    for (uint32_t i = f->begin + 1; i < end && !w->keeps_loads; i++)
        keeps |= parts_copies(w, i);
    w->learnt |= keeps;
    w->keeps_loads |= keeps;
}
