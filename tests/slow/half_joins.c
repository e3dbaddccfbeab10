/* Copies of halves that meet other writes (docs/semantics.md, "SHORT variables and half arithmetic"): in other blocks than their own they are halves. So are
 * those that a subroutine made of what was written in another block. */
#include "tests/slow/half_reach.h"

#include <stdlib.h>

static const struct insn *at(const struct teller *t, uint32_t place)
{
    return program_insn(t->p->text, t->plan->place[place].insn);
}

static bool is_wanted(const struct teller *t, uint32_t place, uint32_t var)
{
    return place < t->plan->count && slow_in_set(t->reach.live + (size_t)place * t->reach.words, var);
}

void slow_note_meeting(struct teller *t, uint32_t held, uint32_t var, uint32_t place)
{
    uint32_t by = slow_told_by(held);
    if (!by || !is_wanted(t, place, var))
        return;
    for (unsigned c = 0; c < 4; c++) {
        const struct result *to = &at(t, by - 1)->dst;
        if (to->kind == OPND_SYMBOL && slow_variable(t->p, to->kind, to->ref, to->nindices != 0, c) == var)
            t->meets[by - 1] |= (uint8_t)(1u << c);
    }
}

/* Whether a call writes a variable whatever happens; not by calls of its own. */
static bool writes_surely(const struct teller *t, uint32_t call, uint32_t var)
{
    uint32_t first = t->plan->place[call].to;
    unsigned open = 0;
    if (at(t, call)->op != OP_CAL || condition_restricts(&at(t, call)->condition))
        return false;
    for (uint32_t i = first; i < t->plan->count && (i == first || !slow_begins_part(t->p, t->plan, i)); i++) {
        const struct slow_place *s = &t->plan->place[i];
        unsigned op = at(t, i)->op;
        if (op == OP_RET)
            return false;
        if (op == OP_REP && !s->straight) {
            i = s->to - 1;
            continue;
        }
        if (!s->straight)
            open += op == OP_IF ? 1u : op == OP_ENDIF ? -1u : 0u;
        if (!open && slow_place_writes(t, i, var) && !condition_restricts(&at(t, i)->dst.condition))
            return true;
    }
    return false;
}

void slow_note_call(struct teller *t, uint32_t call, uint32_t var)
{
    if (at(t, call)->op == OP_CAL && call + 1 < t->plan->count && !slow_begins_part(t->p, t->plan, call + 1) && !writes_surely(t, call, var))
        slow_note_meeting(t, t->by[var], var, call + 1);
}

void slow_find_called(struct teller *t)
{
    for (uint32_t i = 0; i < t->plan->count; i++)
        for (unsigned c = 0; !slow_in_main(t, i) && at(t, i)->dst.kind == OPND_SYMBOL && c < 4; c++) {
            const struct result *to = &at(t, i)->dst;
            uint32_t var = to->mask >> c & 1 ? slow_variable(t->p, to->kind, to->ref, to->nindices != 0, c) : NO_INDEX;
            if (var != NO_INDEX)
                t->called[var] = true;
        }
}

/* ---- blocks ------------------------------------------------------------------------------------------------------------------------ */

static bool is_side(unsigned op)
{
    return op == OP_IF || op == OP_ELSE || op == OP_ENDIF;
}

/* Marks the IFs that hold nothing that anybody needs, with their ELSE and ENDIF. */
static void find_idle(const struct teller *t, bool *idle)
{
    for (uint32_t i = 0; i < t->plan->count; i++) {
        uint32_t end = i + 1;
        unsigned depth = 1;
        if (at(t, i)->op != OP_IF)
            continue;
        for (; end < t->plan->count && depth; end++) {
            unsigned op = at(t, end)->op;
            if (!is_side(op) && t->reach.useful[end])
                break;
            depth += op == OP_IF ? 1u : op == OP_ENDIF ? -1u : 0u;
        }
        for (uint32_t k = i, inner = 0; !depth && k < end; k++) {
            inner += at(t, k)->op == OP_IF;
            if (inner == 1 && is_side(at(t, k)->op))
                idle[k] = true;
            inner -= at(t, k)->op == OP_ENDIF;
        }
    }
}

/* Whether a block begins at a place though its neighbours may be such IFs. */
static bool begins(const struct teller *t, const bool *idle, uint32_t i)
{
    bool flows = op_flows(at(t, i)->op), behind_flow = op_flows(at(t, i - 1)->op);
    if (!t->reach.leads[i])
        return false;
    if (slow_begins_part(t->p, t->plan, i))
        return true;
    if (idle[i])
        return behind_flow && !idle[i - 1];
    return !idle[i - 1] || flows || (slow_ends_block(at(t, i)) && t->reach.useful[i]);
}

bool slow_cut_copies(struct teller *t)
{
    uint32_t *block = calloc(t->plan->count + 1u, sizeof *block);
    bool *idle = calloc(t->plan->count + 1u, sizeof *idle), made = block && idle;
    if (made)
        find_idle(t, idle);
    for (uint32_t i = 0; made && i < t->plan->count; i++)
        block[i] = i ? block[i - 1] + begins(t, idle, i) : 0;
    for (uint32_t i = 0; made && i < t->plan->count; i++) {
        const struct insn *insn = at(t, i);
        struct slow_place *s = &t->plan->place[i];
        for (unsigned k = 0; k < insn->nsrc && k < 3; k++)
            for (unsigned c = 0; c < 4; c++) {
                const struct operand *o = program_operand(t->p->text, insn->src + k);
                unsigned from = o->swizzle >> 2 * c & 3;
                uint32_t by = s->seen[k][c];
                if (!by || block[by - 1] == block[i] || !(t->meets[by - 1] >> from & 1 || t->returned[by - 1] >> from & 1 || (!slow_in_main(t, i) && !t->of_block[by - 1])))
                    continue;
                s->seen[k][c] = 0;
                s->cut[k] |= (uint8_t)(1u << from);
            }
    }
    free(block);
    free(idle);
    return made;
}
