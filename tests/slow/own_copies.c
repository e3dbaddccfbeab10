/* Copies that have a register of their own in an IF: MIN and MAX of them and of what was copied are computed (docs/numbers.md, "Pairs and single
 * instructions"). */
#include "tests/slow/joined.h"

#include <stdlib.h>

struct own {
    const struct slow_program *p;
    struct slow_plan *plan;
    struct slow_reach reach;
    uint64_t *set;
};

static const struct insn *at(const struct own *x, uint32_t place)
{
    return program_insn(x->p->text, x->plan->place[place].insn);
}

static bool begins(const struct own *x, uint32_t place)
{
    return place == x->reach.entry || slow_begins_part(x->p, x->plan, place);
}

static bool flows(const struct own *x, uint32_t place, unsigned op)
{
    return at(x, place)->op == op && !x->plan->place[place].straight;
}

static bool writes(const struct own *x, uint32_t place, uint32_t v, unsigned *component)
{
    const struct insn *insn = at(x, place);
    unsigned mask = insn->dst.kind == OPND_NONE ? 0 : slow_written(x->p, insn) & ~(unsigned)x->plan->place[place].fails;
    for (unsigned c = 0; c < 4; c++)
        if (mask >> c & 1 && slow_variable(x->p, insn->dst.kind, insn->dst.ref, insn->dst.nindices != 0, c) == v) {
            *component = c;
            return true;
        }
    return false;
}

bool slow_call_writes(const struct slow_program *p, const struct insn *call, uint32_t v, unsigned depth)
{
    uint32_t n = (uint32_t)p->text->insns.count;
    for (uint32_t i = 0; i < n; i++) {
        if (!p->label[i] || !slow_calls(p, call, i))
            continue;
        for (uint32_t k = i; k < n && (k == i || !p->label[k]); k++) {
            const struct insn *insn = program_insn(p->text, k);
            bool calls = insn->op == OP_CAL || insn->op == OP_CALI;
            for (unsigned c = 0; insn->dst.kind == OPND_SYMBOL && insn->dst.condition.rule != CC_FL && c < 4; c++)
                if (slow_variable(p, insn->dst.kind, insn->dst.ref, insn->dst.nindices != 0, c) / 4 == v / 4 && slow_variable(p, insn->dst.kind, insn->dst.ref, insn->dst.nindices != 0, c) != NO_INDEX)
                    return true;
            if (calls && (depth == SLOW_CALLS || slow_call_writes(p, insn, v, depth + 1)))
                return true;
        }
    }
    return false;
}

static bool is_copy(const struct own *x, uint32_t place, unsigned c)
{
    const struct slow_place *s = &x->plan->place[place];
    switch (at(x, place)->op) {
    case OP_MOV: return true;
    case OP_MUL: return (s->one[0] | s->one[1]) >> c & 1;
    case OP_DST: return c > 1 || (c == 1 && (s->one[0] | s->one[1]) & 2);
    default: return false;
    }
}

/* The ENDIF of an IF. */
static uint32_t end_of(const struct own *x, uint32_t begin)
{
    int depth = 0;
    for (uint32_t i = begin; i < x->plan->count; i++) {
        depth += flows(x, i, OP_IF);
        depth -= flows(x, i, OP_ENDIF);
        if (!depth)
            return i;
    }
    return x->plan->count;
}

/* Something in the IF writes a variable that is read behind it. */
static bool is_kept(struct own *x, uint32_t begin, uint32_t v)
{
    uint32_t end = end_of(x, begin);
    unsigned c;
    bool any = false;
    for (uint32_t i = begin; i < end && !any; i++)
        any = writes(x, i, v, &c) || ((at(x, i)->op == OP_CAL || at(x, i)->op == OP_CALI) && slow_call_writes(x->p, at(x, i), v, 0));
    if (!any || end >= x->plan->count || (end + 1 < x->plan->count && !x->reach.leads[end + 1]))
        return false;
    slow_live_behind(&x->reach, end, x->set);
    return slow_in_set(x->set, v);
}

/* Whether what a place finds in a variable was copied there before an IF around it that keeps the other one. */
static bool is_own(struct own *x, uint32_t place, uint32_t v, uint32_t w)
{
    bool kept = false;
    for (uint32_t i = place; i-- > 0 && !begins(x, i + 1);) {
        unsigned c;
        int depth = 0;
        if (flows(x, i, OP_ENDIF) || flows(x, i, OP_ELSE)) {    /* another side, or an IF that is over */
            bool over = flows(x, i, OP_ENDIF);
            depth = 1;
            while (i > 0 && depth) {
                i--;
                depth += flows(x, i, OP_ENDIF);
                depth -= flows(x, i, OP_IF);
            }
            if (!over)
                kept |= is_kept(x, i, w);
            continue;
        }
        if (flows(x, i, OP_IF))
            kept |= is_kept(x, i, w);
        if (writes(x, i, v, &c))
            return kept && is_copy(x, i, c);
    }
    return false;
}

static uint32_t variable(const struct own *x, const struct operand *o, unsigned c)
{
    return slow_variable(x->p, o->kind, o->ref, o->nindices != 0, o->swizzle >> 2 * c & 3);
}

/* Of an array that the text indexes by a register it is what was copied that an IF has to keep. */
static bool is_addressed(const struct own *x, const struct operand *o)
{
    return o->kind == OPND_SYMBOL && x->p->by_address && x->p->by_address[o->ref];
}

bool slow_find_own_copies(struct slow_plan *plan, const struct slow_program *p)
{
    struct own x = {.p = p, .plan = plan};
    bool any = false, ok = true;
    for (uint32_t i = 0; i < plan->count; i++)
        any |= (at(&x, i)->op == OP_MIN || at(&x, i)->op == OP_MAX) && plan->place[i].chosen[0];
    if (any) {
        ok = slow_reach_new(&x.reach, p, plan);
        x.set = ok ? malloc(x.reach.words * sizeof *x.set) : NULL;
        ok = x.set;
    }
    for (uint32_t i = 0; any && ok && i < plan->count; i++) {
        const struct operand *o = program_operand(p->text, at(&x, i)->src);
        for (unsigned c = 0; (at(&x, i)->op == OP_MIN || at(&x, i)->op == OP_MAX) && c < 4; c++) {
            uint32_t a = variable(&x, &o[0], c), b = variable(&x, &o[1], c);
            if (plan->place[i].chosen[0] >> c & 1 && a != b && a != NO_INDEX && b != NO_INDEX &&
                (is_own(&x, i, a, is_addressed(&x, &o[0]) ? b : a) || is_own(&x, i, b, is_addressed(&x, &o[1]) ? a : b)))
                plan->place[i].chosen[0] &= (uint8_t)~(1u << c);
        }
    }
    slow_reach_free(&x.reach);
    free(x.set);
    return ok;
}
