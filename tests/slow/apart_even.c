/* Loops that no lane leaves by itself (apart_loops.c). */
#include "tests/slow/apart.h"

bool slow_votes_round(const struct apart *f, uint32_t i)
{
    return slow_apart_insn(f, i)->op == OP_CONT && slow_apart_jumps(f, i) && condition_restricts(&slow_apart_insn(f, i)->condition) && slow_looks_at_vote(f, i);
}

/* Whether what a test compares with a number is written in the block that ends with the test. */
static bool counts_here(const struct apart *f, uint32_t rep, uint32_t test)
{
    uint32_t i = test - 1;
    while (i > rep && !slow_apart_insn(f, i)->cc_update && !op_flows(slow_apart_insn(f, i)->op))
        i--;
    for (uint32_t k = i - 1; k >= rep && !op_flows(slow_apart_insn(f, k)->op); k--)
        for (unsigned s = 0; s < slow_apart_insn(f, i)->nsrc; s++) {
            const struct operand *o = program_operand(f->p->text, slow_apart_insn(f, i)->src) + s;
            if (o->kind == OPND_SYMBOL && slow_apart_insn(f, k)->dst.kind == OPND_SYMBOL && slow_apart_insn(f, k)->dst.ref == o->ref)
                return true;
        }
    return false;
}

bool slow_is_left_together(const struct apart *f, uint32_t rep, uint32_t end, bool among, bool *apart)
{
    uint32_t ifs[64], depth = 0, votes = 0;
    bool left = false, any = false, mixed = false, far = false, by_vote = false, other = false;
    for (uint32_t i = rep + 1; i < end; i++) {
        const struct slow_place *s = &f->plan->place[i];
        const struct insn *insn = slow_apart_insn(f, i);
        uint32_t test = i;
        if (s->loop != rep || (s->straight && insn->op != OP_RET))
            continue;
        if (insn->op == OP_IF) {
            votes += slow_looks_at_vote(f, i);
            if (depth == 64)
                return false;
            if (!depth)
                by_vote = other = false;
            ifs[depth++] = i;
        } else if (insn->op == OP_ENDIF) {
            votes -= slow_looks_at_vote(f, ifs[--depth]);
            mixed |= by_vote && other && !depth;
        }
        if (insn->op == OP_RET)
            return false;
        if (!slow_apart_jumps(f, i))
            continue;
        if (!condition_restricts(&insn->condition)) {
            if (!depth)
                return false;
            test = ifs[depth - 1];
        }
        if (insn->op == OP_BRK) {
            if (!slow_looks_at_vote(f, test) && !slow_asks_for_number(f, test))
                return false;
            left = true;
            far |= !slow_looks_at_vote(f, test) && !counts_here(f, rep, test);
        } else if (depth && votes) {
            return false;
        }
        by_vote |= depth && slow_votes_round(f, i);
        any |= by_vote;
        other |= depth && (depth > 1 || !slow_votes_round(f, i));
    }
    *apart = any && far;
    return left && (!any || !(among || mixed));
}
