/* Loops whose lanes go on apart when they leave them: those in loops, and those that begin with a RET (reconverge.c).
 */
#include "model/reconverge/internal.h"

/* The BRKs of an inner loop: those with only arithmetic between them are one. */
static void mark_jumps(struct reconverge *p, uint32_t from, uint32_t to)
{
    bool same = false;

    for (uint32_t i = from; i < to;) {
        if (reconverge_insn(p, i)->op == OP_REP) {
            i = model_behind_loop(p->d, i);
            same = false;
            continue;
        }
        if (reconverge_insn(p, i)->op == OP_BRK && reconverge_insn(p, i)->dst.partner != NO_INDEX) {
            p->marks[i] = same ? SPLIT_BRK_TOO : SPLIT_BRK;
            same = true;
        } else if (!model_is_own_arithmetic(reconverge_insn(p, i)->op)) {
            same = false;
        }
        i++;
    }
}

/* Whether a BRK of a loop stands in an IF. */
static bool breaks_in_if(const struct reconverge *p, uint32_t rep, uint32_t end)
{
    uint32_t behind = rep;      /* where the outermost IF ends */

    for (uint32_t i = rep + 1; i < end; i = model_behind_loop(p->d, i)) {
        if (i > behind && reconverge_is_if(p, i))
            behind = eval_end_of_if(p->d->p, i);
        if (i < behind && reconverge_insn(p, i)->op == OP_BRK && model_is_loop_jump(p->d, i))
            return true;
    }
    return false;
}

void model_part_loop(struct reconverge *p, uint32_t end)
{
    uint32_t rep, outer;

    if (!model_ends_endless_loop(p->d, end) || end + 1 >= p->d->p->insns.count ||
        !model_ends_endless_loop(p->d, end + 1) || reconverge_insn(p, end - 1)->op == OP_BRK)
        return;
    rep = reconverge_insn(p, end)->dst.partner;
    outer = reconverge_insn(p, end + 1)->dst.partner;
    if (model_has_cont(p, outer + 1, end + 1))
        return;
    if (breaks_in_if(p, rep, end))
        return;
    p->marks[outer] = SPLIT_LOOP;
    mark_jumps(p, rep + 1, end);
}

/* ---- loops that begin with a RET ---------------------------------------------------------------------------- */

/* Whether the compiler makes blocks of an IF: it has more in it than arithmetic and votes. */
static bool makes_blocks(const struct reconverge *p, uint32_t from, uint32_t to)
{
    for (uint32_t i = from; i < to; i++)
        if (!model_is_own_arithmetic(reconverge_insn(p, i)->op) && !op_votes(reconverge_insn(p, i)->op) &&
            reconverge_insn(p, i)->op != OP_ELSE && model_outcome(p->d, i) != OUTCOME_FAILS &&
            model_form(p->d, i) != FORM_KNOWN)
            return true;
    return false;
}

/* Whether a block of the compiler's ends with an instruction that lanes run always. */
static bool ends_a_block(const struct reconverge *p, uint32_t i)
{
    unsigned op = reconverge_insn(p, i)->op;

    if (op == OP_IF)
        return reconverge_is_if(p, i) && makes_blocks(p, i + 1, eval_end_of_if(p->d->p, i));
    return op != OP_ELSE && op != OP_ENDIF && op_flows(op) && model_form(p->d, i) != FORM_KNOWN &&
           model_outcome(p->d, i) != OUTCOME_FAILS;
}

/* The RET that a loop's body begins with, in main also the end of an IF with nothing else in it; or the loop's end. */
static uint32_t first_return(const struct reconverge *p, uint32_t rep, bool in_main)
{
    uint32_t end = reconverge_insn(p, rep)->dst.partner, i = rep + 1;

    while (i < end && model_is_own_arithmetic(reconverge_insn(p, i)->op))
        i++;
    if (in_main && reconverge_is_if(p, i) && eval_end_of_if(p->d->p, i) == i + 2 &&
        reconverge_insn(p, i + 1)->op == OP_RET && model_ends_endless_loop(p->d, end) &&
        model_outcome(p->d, i + 1) != OUTCOME_FAILS && !condition_restricts(&reconverge_insn(p, i + 1)->condition))
        return i + 2;
    return model_ends_endless_loop(p->d, end) && reconverge_insn(p, i)->op == OP_RET &&
                   condition_restricts(&reconverge_insn(p, i)->condition) && model_outcome(p->d, i) == OUTCOME_TESTED
               ? i
               : end;
}

static bool writes_symbol(const struct insn *insn, uint32_t symbol)
{
    return insn->dst.kind == OPND_SYMBOL && insn->dst.ref == symbol;
}

/* Whether what an instruction reads is written in a loop. */
static bool varies(const struct reconverge *p, uint32_t i, uint32_t rep, unsigned depth)
{
    const struct insn *insn = reconverge_insn(p, i);

    for (unsigned k = 0; k < insn->nsrc; k++) {
        const struct operand *o = program_operand(p->d->p, insn->src + k);
        for (uint32_t w = rep + 1; o->kind == OPND_SYMBOL && w < reconverge_insn(p, rep)->dst.partner; w++) {
            if (!writes_symbol(reconverge_insn(p, w), o->ref) ||
                !(reconverge_insn(p, w)->dst.mask >> (o->swizzle & 3) & 1))
                continue;
            if (w > i || depth == 8 || varies(p, w, rep, depth + 1))
                return true;
        }
    }
    return false;
}

/* Whether the test that a RET looks at is another in each round. */
static bool is_tested_anew(const struct reconverge *p, uint32_t rep, uint32_t ret)
{
    for (uint32_t i = ret; i-- > rep;)
        if (reconverge_insn(p, i)->cc_update)
            return varies(p, i, rep, 0);
    return true;
}

/* The BRK behind which lanes go on apart, or NO_INDEX. */
static uint32_t apart_behind(const struct reconverge *p, uint32_t rep, bool in_main)
{
    uint32_t end = reconverge_insn(p, rep)->dst.partner, ret, brk = end;
    bool ends = false, calls = false;

    if ((ret = first_return(p, rep, in_main)) == end)
        return NO_INDEX;
    for (uint32_t i = ret + 1; i < end; i = model_behind_loop(p->d, i)) {
        if (reconverge_insn(p, i)->op == OP_BRK && model_outcome(p->d, i) != OUTCOME_FAILS) {
            if (brk != end || !ends)
                return NO_INDEX;
            brk = i;
        }
        calls |= reconverge_insn(p, i)->op == OP_CAL || reconverge_insn(p, i)->op == OP_CALI;
        ends |= ends_a_block(p, i);
    }
    return brk == end || (in_main && !calls && !is_tested_anew(p, rep, ret)) ? NO_INDEX : brk;
}

static void mark_returns(struct reconverge *p, uint32_t rep, uint32_t brk)
{
    if (rep == NO_INDEX || brk == NO_INDEX)
        return;
    p->marks[rep] = SPLIT_RETURN;
    p->marks[brk] = SPLIT_BRK;
}

void model_part_returns(struct reconverge *p, const uint8_t *labels, uint32_t entry)
{
    uint32_t n = (uint32_t)p->d->p->insns.count, last = NO_INDEX, brk = NO_INDEX;
    bool in_main = entry == 0;

    for (uint32_t i = 0; i < n;) {
        unsigned op = reconverge_insn(p, i)->op;
        if (labels[i]) {
            mark_returns(p, last, brk);
            last = NO_INDEX;
            in_main = i == entry;
        }
        if (op == OP_REP && reconverge_insn(p, i)->dst.partner != NO_INDEX &&
            first_return(p, i, in_main) != reconverge_insn(p, i)->dst.partner) {
            last = i;
            brk = apart_behind(p, i, in_main);
        }
        i = op == OP_REP                            ? model_behind_loop(p->d, i)
            : op == OP_IF && reconverge_is_if(p, i) ? eval_end_of_if(p->d->p, i) + 1
                                                    : i + 1;
    }
    mark_returns(p, last, brk);
}
