/* Sides of IFs that always leave a loop. To the driver's compiler such a side is no part of the loop but stands behind:
 * all lanes that leave there meet in front of it, whichever round they left in, and only then run it. So the usual loop
 * over what differs between lanes
 *
 *     REP; now = what the first lane has; IF now == mine; ...; BRK; ENDIF; ENDREP;
 *
 * runs its body once for the whole warp. In a counted loop every such side stands behind it, in an uncounted one only
 * where nothing else leaves it. Marks the IF SPLIT_OUT, or SPLIT_OUT_ELSE where it is the ELSE side; sides in which
 * lanes do not look at each other stay where they are. Pass: reconverge (docs/semantics.md, "IFs with jumps"). */
#include "model/reconverge/internal.h"

static bool looks_at_others(unsigned op)
{
    return op_votes(op) || op == OP_SHFUP || op == OP_SHFDOWN || op == OP_SHFIDX || op == OP_SHFXOR || op == OP_MATCH;
}

/* Whether there is something in it that looks at other lanes, and no CONT of the loop that ends at `end`. */
static bool is_worth_it(const struct reconverge *p, uint32_t from, uint32_t to, uint32_t end)
{
    bool worth = false;

    for (uint32_t i = from; i < to; i++) {
        const struct insn *insn = reconverge_insn(p, i);
        if (insn->op == OP_CONT && insn->dst.partner == end && model_is_loop_jump(p->d, i))
            return false;
        worth |= looks_at_others(insn->op);
    }
    return worth;
}

/* Whether lanes leave a loop elsewhere than between two instructions. */
static bool leaves_elsewhere(const struct reconverge *p, uint32_t rep, uint32_t end, uint32_t from, uint32_t to)
{
    for (uint32_t i = rep + 1; i < end; i++) {
        const struct insn *insn = reconverge_insn(p, i);
        bool leaves = insn->op == OP_RET ||
                      (insn->op == OP_BRK && insn->dst.partner == end && model_is_loop_jump(p->d, i));
        if (leaves && (i < from || i >= to))
            return true;
    }
    return false;
}

/* Whether an IF around the one at i opens behind the beginning of the loop: then its sides stay where they are. */
static bool is_nested(const struct reconverge *p, uint32_t rep, uint32_t i)
{
    uint32_t open = 0;

    for (uint32_t k = rep + 1; k < i; k++) {
        open += reconverge_insn(p, k)->op == OP_IF;
        open -= reconverge_insn(p, k)->op == OP_ENDIF;
    }
    return open > 0;
}

/* The side of the IF at i from `from` on, in front of the ELSE or ENDIF at `to`. */
static bool stands_behind(const struct reconverge *p, uint32_t i, uint32_t from, uint32_t to)
{
    const struct insn *last = reconverge_insn(p, to - 1);
    uint32_t end = last->dst.partner, rep;

    if (to <= from || last->op != OP_BRK || end == NO_INDEX ||
        (model_outcome(p->d, to - 1) != OUTCOME_PASSES && condition_restricts(&last->condition)))
        return false;
    if (reconverge_insn(p, end)->op != OP_ENDREP || model_form(p->d, end) != FORM_PLAIN)
        return false;
    rep = reconverge_insn(p, end)->dst.partner;
    return rep < from && model_form(p->d, rep) == FORM_PLAIN && !p->marks[rep] && !model_nested(p->d, rep) &&
           is_worth_it(p, from, to, end) && !is_nested(p, rep, i) &&
           (reconverge_insn(p, rep)->nsrc || !leaves_elsewhere(p, rep, end, from, to));
}

void model_part_exits(struct reconverge *p)
{
    for (uint32_t i = 0; i < p->d->p->insns.count; i++) {
        uint32_t middle, end;
        bool then, otherwise;
        if (!reconverge_is_if(p, i) || p->marks[i])
            continue;
        middle = reconverge_insn(p, i)->dst.partner;
        end = reconverge_insn(p, middle)->op == OP_ELSE ? reconverge_insn(p, middle)->dst.partner : middle;
        then = stands_behind(p, i, i + 1, middle);
        otherwise = middle != end && stands_behind(p, i, middle + 1, end);
        if (then != otherwise)
            p->marks[i] = then ? SPLIT_OUT : SPLIT_OUT_ELSE;
    }
}

/* Whether a BRK has no test, or looks at a number that was moved to the flags in front of it. */
static bool is_written_to_leave(const struct gp5_program *p, uint32_t from, uint32_t brk)
{
    const struct insn *insn = program_insn(p, brk), *flags;
    const struct operand *o;

    if (!condition_restricts(&insn->condition))
        return true;
    for (uint32_t i = brk; i-- > from;) {
        flags = program_insn(p, i);
        if (op_flows(flags->op))
            return false;
        if (!flags->cc_update)
            continue;
        o = program_operand(p, flags->src);
        return flags->op == OP_MOV && insn->condition.rule == CC_NE && !condition_restricts(&flags->dst.condition) &&
               (o->kind == OPND_CONSTANT ||
                (o->kind == OPND_BINDING && program_binding(p, o->ref)->kind == BIND_CONSTANT));
    }
    return false;
}

/* Where the side begins that ends in front of an ELSE or ENDIF. */
static uint32_t beginning(const struct gp5_program *p, uint32_t to)
{
    uint32_t depth = 0, i = to;

    while (i-- > 0) {
        unsigned op = program_insn(p, i)->op;
        if (!depth && (op == OP_IF || op == OP_ELSE))
            break;
        depth += op == OP_ENDIF;
        depth -= op == OP_IF;
    }
    return i + 1;
}

bool model_merges_exits(const struct gp5_program *p, uint32_t rep)
{
    uint32_t end = program_insn(p, rep)->dst.partner;

    for (uint32_t to = rep + 2; to < end && to < p->insns.count; to++) {
        const struct insn *last = program_insn(p, to - 1);
        unsigned op_at = program_insn(p, to)->op;
        bool closes = op_at == OP_ELSE || op_at == OP_ENDIF, votes = false, shuffles = false;
        uint32_t from;
        if (!closes || last->op != OP_BRK || last->dst.partner != end)
            continue;
        from = beginning(p, to);
        if (from <= rep || !is_written_to_leave(p, from, to - 1))
            continue;
        for (uint32_t i = from; i < to; i++) {
            unsigned op = program_insn(p, i)->op;
            votes |= op_votes(op);
            shuffles |= looks_at_others(op) && !op_votes(op);
        }
        if (votes && !shuffles)
            return true;
    }
    return false;
}
