/* Which loops lanes may come to while others of their warp are elsewhere: those in an IF that lanes decide, in a loop
 * with jumps that they decide or with a count of their own, and in subroutines that are called from such places. */
#include "model/state.h"
#include "model/reconverge/internal.h"

#include <string.h>

enum { CALLS = 32 };    /* deeper ones are not evaluated */

bool model_decides_by_lane(const struct reconverge *p, uint32_t i)
{
    uint32_t test = condition_restricts(&reconverge_insn(p, i)->condition) ? i : i - 1;

    return !model_asks_a_vote(p->d, test) && !model_compares_with_number(p, test);
}

static bool counts_by_lane(const struct reconverge *p, uint32_t rep)
{
    const struct insn *insn = reconverge_insn(p, rep);

    return insn->nsrc && program_operand(p->d->p, insn->src)->kind != OPND_CONSTANT;
}

/* Of each loop in `within`: the one around it, and in has[0] whether lanes decide how long they go round or a jump of
 * it. */
static void look_at_loops(struct reconverge *p)
{
    uint32_t open = NO_INDEX;

    for (uint32_t i = 0; i < p->d->p->insns.count; i++) {
        const struct insn *insn = reconverge_insn(p, i);
        while (open != NO_INDEX && i >= p->d->loop_ends[open])
            open = p->within[open].around;
        if (insn->op == OP_REP) {
            p->within[i] = (struct within){.around = open, .has = {counts_by_lane(p, i), 0}};
            open = i;
        } else if (open != NO_INDEX &&
                   (model_is_loop_jump(p->d, i) || (insn->op == OP_RET && condition_restricts(&insn->condition))) &&
                   model_decides_by_lane(p, i)) {
            p->within[open].has[0] = 1;
        }
    }
}

/* Once through the text: has[1] of loops, and the subroutines that are called so in `among`. Whether there are more of
 * these. */
static bool look_at_text(struct reconverge *p, const uint8_t *labels, uint8_t *among)
{
    uint32_t n = (uint32_t)p->d->p->insns.count, until = 0;
    bool more = false;

    for (uint32_t i = 0; i < n; i++) {
        const struct insn *insn = reconverge_insn(p, i);
        uint32_t behind = 0;
        if (labels[i])
            until = among[i] ? n : 0;
        if (reconverge_is_if(p, i) && !model_asks_a_vote(p->d, i)) {
            behind = eval_end_of_if(p->d->p, i);
        } else if (insn->op == OP_REP) {
            p->within[i].has[1] = i < until;
            behind = p->within[i].has[0] ? p->d->loop_ends[i] : 0;
        } else if (insn->op == OP_CAL && insn->dst.partner < n && !among[insn->dst.partner] &&
                   (i < until || (condition_restricts(&insn->condition) && model_outcome(p->d, i) == OUTCOME_TESTED &&
                                  !model_asks_a_vote(p->d, i)))) {
            among[insn->dst.partner] = 1;
            more = true;
        }
        until = behind > until ? behind : until;
    }
    return more;
}

bool reconverge_uniform_entries(struct reconverge *p)
{
    const struct gp5_program *text = p->d->p;
    uint32_t n = (uint32_t)text->insns.count;
    uint8_t *labels = gp5_malloc(2 * ((size_t)n + 1)), *among = labels ? labels + n + 1 : NULL;
    unsigned calls = 0;

    if (!labels)
        return model_out_of_memory(p->d);
    memset(among, 0, n + 1);
    eval_labels(text, true, labels);
    for (uint32_t i = 0; i < text->symbols.count; i++) {
        const struct symbol *label = program_symbol(text, i);
        if (label->kind == SYM_LABEL && label->numbered && label->instruction < n)    /* CALI */
            among[label->instruction] = 1;
    }
    look_at_loops(p);
    while (look_at_text(p, labels, among) && calls < CALLS)
        calls++;
    gp5_free(labels);
    return true;
}
