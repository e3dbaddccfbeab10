/* Loops that votes and comparisons with numbers alone end (continue_loop.c). */
#include "model/reconverge/internal.h"

bool model_goes_round_by_vote(const struct reconverge *p, uint32_t i)
{
    const struct insn *insn = reconverge_insn(p, i);

    return insn->op == OP_CONT && model_is_loop_jump(p->d, i) && condition_restricts(&insn->condition) &&
           model_asks_a_vote(p->d, i);
}

/* Whether the variable that is compared with a number in front of `test` is written in the same block. */
static bool counts_at_once(const struct reconverge *p, uint32_t rep, uint32_t test)
{
    uint32_t i = test, symbol = NO_INDEX;

    while (i-- > rep && !op_flows(reconverge_insn(p, i)->op)) {
        const struct insn *insn = reconverge_insn(p, i);
        if (symbol != NO_INDEX && insn->dst.kind == OPND_SYMBOL && insn->dst.ref == symbol)
            return true;
        if (symbol != NO_INDEX || !insn->cc_update)
            continue;
        for (unsigned k = 0; k < insn->nsrc; k++)
            if (program_operand(p->d->p, insn->src + k)->kind == OPND_SYMBOL)
                symbol = program_operand(p->d->p, insn->src + k)->ref;
    }
    return false;
}

/* BRK of a number that is counted elsewhere. */
static bool leaves_by_count(const struct reconverge *p, uint32_t rep, uint32_t i)
{
    uint32_t test = condition_restricts(&reconverge_insn(p, i)->condition) ? i : i - 1;

    return reconverge_insn(p, i)->op == OP_BRK && model_is_loop_jump(p->d, i) && !model_asks_a_vote(p->d, test) &&
           !counts_at_once(p, rep, test);
}

/* Whether a loop may have CONTs in IFs that votes decide: each IF with one has no other jumps, nor has an IF in it one.
 */
static bool may_go_round_by_vote(const struct reconverge *p, uint32_t rep, uint32_t end)
{
    for (uint32_t i = rep + 1; i < end; i = model_behind_loop(p->d, i)) {
        uint32_t last, depth = 0;
        bool voted = false, other = false;
        if (!reconverge_is_if(p, i))
            continue;
        for (last = eval_end_of_if(p->d->p, i); i < last; i = model_behind_loop(p->d, i)) {
            depth += reconverge_insn(p, i)->op == OP_IF;
            depth -= reconverge_insn(p, i)->op == OP_ENDIF;
            if (!model_is_loop_jump(p->d, i))
                continue;
            voted |= model_goes_round_by_vote(p, i);
            other |= depth > 1 || !model_goes_round_by_vote(p, i);
        }
        if (voted && other)
            return false;
    }
    return true;
}

enum loop_exit model_loop_exit(const struct reconverge *p, uint32_t rep, uint32_t end, bool among)
{
    uint32_t around = NO_INDEX, voted = rep;     /* the innermost IF; where the outermost one that a vote decides
                                                  * ends */
    bool brk = false, by_vote = false, counted = false;

    for (uint32_t i = rep + 1; i < end; i = model_behind_loop(p->d, i)) {
        const struct insn *insn = reconverge_insn(p, i);
        uint32_t test = condition_restricts(&insn->condition) ? i : around;
        if (around != NO_INDEX && i == eval_end_of_if(p->d->p, around))
            around = p->within[around].around == around ? NO_INDEX : p->within[around].around;
        if (reconverge_is_if(p, i)) {
            around = i;
            if (i > voted && model_asks_a_vote(p->d, i))
                voted = eval_end_of_if(p->d->p, i);
        }
        if (insn->op == OP_RET)
            return EXIT_DIVERGENT;
        if (!model_is_loop_jump(p->d, i))
            continue;
        if (test == NO_INDEX)
            return EXIT_DIVERGENT;
        if (insn->op == OP_BRK ? !model_asks_a_vote(p->d, test) && !model_compares_with_number(p, test)
                               : around != NO_INDEX && i < voted)
            return EXIT_DIVERGENT;
        brk |= insn->op == OP_BRK;
        counted |= leaves_by_count(p, rep, i);
        by_vote |= insn->op == OP_CONT && around != NO_INDEX && model_asks_a_vote(p->d, test);
    }
    if (!brk || (by_vote && (among || !may_go_round_by_vote(p, rep, end))))
        return EXIT_DIVERGENT;
    return by_vote && counted ? EXIT_COUNTED : EXIT_UNIFORM;
}
