/* Where a block goes on: to other blocks, and behind calls (liveness.h, struct successors). */
#include "model/analysis/liveness.h"
#include "model/analysis/cfg.h"

/* Block `to` comes next; nothing behind the end. */
static void enter(const struct liveness *l, const struct successors *ways, uint32_t to)
{
    if (to < l->p->insns.count)
        ways->block(ways->user, l->block[to]);
}

/* A return goes behind the calls of its part, but ends the program in its main part, which nothing calls. */
static void enter_callers(const struct liveness *l, const struct successors *ways, uint32_t from)
{
    if (from < l->entry || from >= l->main_end)
        ways->callers(ways->user, from);
}

/* CALI goes to any label with a number. */
static void enter_numbered(const struct liveness *l, const struct successors *ways)
{
    for (uint32_t i = 0; i < l->p->symbols.count; i++) {
        const struct symbol *s = program_symbol(l->p, i);
        if (symbol_is_numbered(s))
            enter(l, ways, s->instruction);
    }
}

/* Behind instruction `end`: a label that stands there is run into, and so is the end of the text, and both return. */
static void enter_behind(const struct liveness *l, const struct successors *ways, uint32_t end)
{
    if (end + 1 >= l->p->insns.count || l->label[end + 1])
        enter_callers(l, ways, end);
    if (l->goes_on || end + 1 >= l->p->insns.count || !l->label[end + 1])
        enter(l, ways, end + 1);
}

/* Whether the instruction behind this one never comes next. */
static bool never_goes_on(const struct liveness *l, uint32_t i)
{
    const struct insn *insn = program_insn(l->p, i);

    if (insn->op == OP_ELSE)
        return model_form(l->d, i) != FORM_KNOWN;
    return (insn->op == OP_RET || insn->op == OP_BRK || insn->op == OP_BRA) && !condition_restricts(&insn->condition) &&
           model_form(l->d, i) == FORM_PLAIN;
}

void cfg_successors(const struct liveness *l, uint32_t block, const struct successors *ways)
{
    uint32_t last = l->start[block + 1] - 1;
    const struct insn *insn = program_insn(l->p, last);

    if (!never_goes_on(l, last))
        enter_behind(l, ways, last);
    switch (model_form(l->d, last) == FORM_PLAIN ? insn->op : OP_COUNT) {
    case OP_IF: case OP_ELSE: case OP_REP: case OP_ENDREP: case OP_BRK:
        if (insn->dst.partner != NO_INDEX && !model_runs_once(l->p, insn))
            enter_behind(l, ways, insn->dst.partner);
        break;
    case OP_CONT: case OP_CAL: case OP_BRA:
        if (insn->dst.partner != NO_INDEX)
            enter(l, ways, insn->dst.partner);
        break;
    case OP_CALI:
        enter_numbered(l, ways);
        break;
    default:
        break;
    }
    if (insn->op == OP_RET)
        enter_callers(l, ways, last);
}

uint32_t model_behind_sure_call(const struct liveness *l, uint32_t block)
{
    uint32_t last = l->start[block + 1] - 1;
    const struct insn *insn = program_insn(l->p, last);
    bool made = !l->deep || (last >= l->entry && last < l->main_end);
    bool sure = made && insn->op == OP_CAL && model_form(l->d, last) == FORM_PLAIN &&
                !condition_restricts(&insn->condition) && insn->dst.partner < l->p->insns.count;

    return sure && last + 1 < l->p->insns.count && !l->label[last + 1]
               ? l->block[last + 1]
               : NO_INDEX; /* nobody comes to a label from before it */
}
