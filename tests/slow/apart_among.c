/* Where lanes may come to while others of their warp are elsewhere (apart.c): into IFs and loops in which each goes its own way, and what is called there. */
#include "tests/slow/apart.h"

bool slow_asks_by_lane(const struct apart *f, uint32_t i)
{
    uint32_t test = condition_restricts(&slow_apart_insn(f, i)->condition) ? i : i - 1;
    return !slow_looks_at_vote(f, test) && !slow_asks_for_number(f, test);
}

/* Whether lanes go round a loop as often as each of them says, or jump in it when each of them says so. */
static bool goes_by_lane(const struct apart *f, uint32_t rep)
{
    const struct insn *insn = slow_apart_insn(f, rep);
    if (insn->nsrc && program_operand(f->p->text, insn->src)->kind != OPND_CONSTANT)
        return true;
    for (uint32_t i = rep + 1; i < f->plan->count && i < f->plan->place[rep].to; i++) {
        bool returns = slow_apart_insn(f, i)->op == OP_RET && condition_restricts(&slow_apart_insn(f, i)->condition);
        if (f->plan->place[i].loop == rep && (returns || slow_apart_jumps(f, i)) && slow_asks_by_lane(f, i))
            return true;
    }
    return false;
}

static bool is_numbered(const struct apart *f, uint32_t insn)
{
    for (uint32_t i = 0; i < f->p->text->symbols.count; i++) {
        const struct symbol *label = program_symbol(f->p->text, i);
        if (label->kind == SYM_LABEL && label->numbered && label->instruction == insn)
            return true;
    }
    return false;
}

/* Of the first place of a subroutine. */
static bool is_called_among(struct apart *f, uint32_t first)
{
    struct slow_place *s = &f->plan->place[first];
    bool among = is_numbered(f, s->insn);
    if (s->among)
        return s->among == 2;
    s->among = 1;
    for (uint32_t i = 0; i < f->plan->count && !among; i++) {
        const struct insn *insn = slow_apart_insn(f, i);
        if (insn->op != OP_CAL || insn->partner != s->insn)
            continue;
        among = condition_restricts(&insn->condition) && f->plan->place[i].outcome == TEST_LOOKED_AT && !slow_looks_at_vote(f, i);
        among = among || slow_comes_among(f, i);
    }
    s->among = among ? 2 : 1;
    return among;
}

bool slow_comes_among(struct apart *f, uint32_t i)
{
    uint32_t depth = 0;
    for (uint32_t rep = f->plan->place[i].loop; rep != NO_INDEX; rep = f->plan->place[rep].loop)
        if (goes_by_lane(f, rep))
            return true;
    for (uint32_t k = i;; k--) {
        unsigned op = slow_apart_insn(f, k)->op;
        if (f->p->label[f->plan->place[k].insn] && f->plan->first[f->plan->place[k].insn] == k)
            return is_called_among(f, k);
        if (!k)
            return false;
        if (k == i)
            continue;
        depth += op == OP_ENDIF;
        if (op != OP_IF)
            continue;
        if (!depth && !f->plan->place[k].straight && !slow_looks_at_vote(f, k))
            return true;
        depth -= depth > 0;
    }
}
