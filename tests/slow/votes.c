/* Votes of floats on what logic makes of truths: -1 counts there too where votes alone read it (docs/semantics.md, "Ballots, votes and match"). */
#include "tests/slow/plan.h"

#include <stdlib.h>

static const struct insn *at(const struct slow_reach *r, uint32_t place)
{
    return program_insn(r->p->text, r->plan->place[place].insn);
}

static bool votes(const struct insn *insn)
{
    return insn->type == DT_F32 && op_votes(insn->op);
}

static bool indexes(const struct slow_reach *r, uint32_t first, unsigned n, uint32_t v)
{
    bool any = false;
    for (unsigned k = 0; k < n; k++) {
        const struct index *x = program_index(r->p->text, first + k);
        any |= x->mode == INDEX_RELATIVE && slow_variable(r->p, x->register_kind, x->reg, x->element.used, x->component) == v;
    }
    return any;
}

/* Otherwise than as a vote. */
static bool reads(const struct slow_reach *r, uint32_t place, uint32_t v)
{
    const struct insn *insn = at(r, place);
    uint8_t useful = r->useful[place];
    if (indexes(r, insn->dst.index, insn->dst.nindices, v))
        return true;
    for (unsigned k = 0; useful && !votes(insn) && k < insn->nsrc; k++) {
        const struct operand *o = program_operand(r->p->text, insn->src + k);
        unsigned components = useful & SLOW_ACTS && insn->dst.kind == OPND_NONE ? 15 : 0;
        if (indexes(r, o->index, o->nindices, v))
            return true;
        for (unsigned c = 0; c < 4; c++)
            components |= useful >> c & 1 ? slow_made_of(r->p, insn, k, c) : 0;
        for (unsigned c = 0; c < 4; c++) {
            if (o->kind == OPND_EXTENDED && slow_variable(r->p, o->base_kind, o->ref, o->nindices != 0, c) == v)
                return true;
            if (components >> c & 1 && o->kind != OPND_EXTENDED &&
                slow_variable(r->p, o->kind == OPND_HANDLE ? OPND_SYMBOL : o->kind, o->ref, o->nindices != 0, o->swizzle >> 2 * c & 3) == v)
                return true;
        }
    }
    return false;
}

static bool writes(const struct slow_reach *r, uint32_t place, uint32_t v)
{
    const struct result *to = &at(r, place)->dst;
    bool any = false;
    for (unsigned c = 0; c < 4 && to->kind == OPND_SYMBOL; c++)
        any |= to->mask >> c & 1 && slow_variable(r->p, to->kind, to->ref, to->nindices != 0, c) == v;
    return any;
}

static bool is_left(unsigned op)
{
    return op == OP_CAL || op == OP_CALI || op == OP_BRK || op == OP_CONT || op == OP_RET;
}

/* Between what made it and the vote, which stand in the same IFs and loops. */
static bool is_used_before(const struct slow_reach *r, uint32_t from, uint32_t vote, uint32_t v)
{
    int depth = 0;
    for (uint32_t i = from + 1; i < vote; i++) {
        const struct slow_place *s = &r->plan->place[i];
        unsigned op = at(r, i)->op;
        bool loop = (op == OP_REP || op == OP_ENDREP) && !s->straight;
        if (is_left(op) || (r->p->label[s->insn] && r->plan->first[s->insn] == i) || reads(r, i, v) || writes(r, i, v))
            return true;
        depth += op == OP_IF || (loop && op == OP_REP) ? 1 : op == OP_ENDIF || loop ? -1 : 0;
        if (depth < 0)
            return true;
    }
    return depth;
}

static bool is_used_behind(const struct slow_reach *r, uint32_t vote, uint32_t v, uint64_t *set)
{
    for (uint32_t i = vote;; i++) {
        if (i > vote && reads(r, i, v))
            return true;
        if (writes(r, i, v))
            return condition_restricts(&at(r, i)->dst.condition);
        if (i + 1 >= r->plan->count || r->leads[i + 1]) {
            slow_live_behind(r, i, set);
            return slow_in_set(set, v);
        }
    }
}

bool slow_find_votes(struct slow_plan *plan, const struct slow_program *p)
{
    struct slow_reach r = {0};
    uint64_t *set = NULL;
    bool any = false, ok = true;
    for (uint32_t i = 0; i < plan->count; i++)
        for (unsigned c = 0; c < 4; c++)
            any |= plan->place[i].made[c] != 0;
    if (any) {
        ok = slow_reach_new(&r, p, plan);
        set = ok ? malloc(r.words * sizeof *set) : NULL;
        ok = set;
    }
    for (uint32_t i = 0; any && ok && i < plan->count; i++)
        for (unsigned c = 0; c < 4; c++) {
            struct slow_place *s = &plan->place[i];
            const struct operand *o = program_operand(p->text, at(&r, i)->src);
            uint32_t v = s->made[c] ? slow_variable(p, o->kind, o->ref, o->nindices != 0, o->swizzle >> 2 * c & 3) : NO_INDEX;
            if (v != NO_INDEX && !is_used_before(&r, (s->made[c] - 1) / 4, i, v) && !is_used_behind(&r, i, v, set))
                s->truths |= (uint8_t)(1u << c);
        }
    slow_reach_free(&r);
    free(set);
    return ok;
}
