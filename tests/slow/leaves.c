/* Which writes come to those who read what a subroutine leaves: docs/numbers.md, "Comparisons in subroutines". */
#include "tests/slow/leaving.h"

#include <stdlib.h>
#include <string.h>

enum { NOT_YET = 0xff };

const struct insn *slow_leaving_at(const struct leaving *x, uint32_t place)
{
    return program_insn(x->p->text, x->plan->place[place].insn);
}

bool slow_leaving_begins(const struct leaving *x, uint32_t place)
{
    return place >= x->plan->count || slow_begins_part(x->p, x->plan, place);
}

/* Whether it names what is at hand: a variable, or an element of an array, or any element. */
static bool names(const struct leaving *x, unsigned kind, uint32_t ref, uint32_t symbol, uint32_t index, unsigned nindices)
{
    const struct index *i = nindices ? program_index(x->p->text, index) : NULL;
    if (kind != OPND_SYMBOL || ref != symbol)
        return false;
    return !x->in_array ? !nindices : nindices == 1 && (i->mode != INDEX_CONSTANT || (uint32_t)i->offset == x->element);
}

unsigned slow_reads_component(const struct leaving *x, uint32_t place, unsigned k, uint32_t symbol, unsigned c)
{
    const struct insn *insn = slow_leaving_at(x, place);
    const struct operand *o = program_operand(x->p->text, insn->src + k);
    uint8_t useful = x->reach.useful[place] & (uint8_t)~slow_kept_back(x, place);
    bool one_word = (insn->op == OP_ATOMB || insn->op == OP_ATOMS || insn->op == OP_ATOM) && !k && insn->width <= 1;
    unsigned results = 0;
    if (!names(x, operand_named_kind(o), o->ref, symbol, o->index, o->nindices))
        return 0;
    if (o->kind == OPND_EXTENDED)
        return 15;
    for (unsigned r = 0; r < 4; r++) {
        unsigned components = useful >> r & 1 || (useful & SLOW_ACTS && insn->dst.kind == OPND_NONE) ? slow_made_of(x->p, insn, k, r) : 0;
        components = (one_word || op_shuffles(insn->op)) && components ? 1 : components;
        for (unsigned i = 0; i < 4; i++)
            if (components >> i & 1 && (o->swizzle >> 2 * i & 3) == c)
                results |= 1u << r;
    }
    return results;
}

static bool reads(const struct leaving *x, uint32_t place)
{
    bool any = false;
    for (unsigned k = 0; k < slow_leaving_at(x, place)->nsrc; k++)
        any |= slow_reads_component(x, place, k, x->symbol, x->c) != 0;
    return any;
}

static bool writes(const struct leaving *x, const struct insn *insn)
{
    return names(x, insn->dst.kind, insn->dst.ref, x->symbol, insn->dst.index, insn->dst.nindices) && slow_written(x->p, insn) >> x->c & 1;
}

static uint8_t through_part(struct leaving *x, uint32_t first, uint8_t in);

static uint8_t through_call(struct leaving *x, uint32_t place, uint8_t in)
{
    const struct insn *insn = slow_leaving_at(x, place);
    bool tested = condition_restricts(&insn->condition) && x->plan->place[place].outcome != TEST_PASSES;
    uint8_t out = tested || insn->op == OP_CALI ? in : 0;
    for (uint32_t i = 0; i < x->p->text->insns.count; i++) {
        uint32_t first = x->p->label[i] ? x->plan->first[i] : NO_INDEX;
        uint8_t *known = first == NO_INDEX ? NULL : &x->behind[8 * (size_t)first + in];
        if (!known || !slow_calls(x->p, insn, i))
            continue;
        if (*known == NOT_YET) {
            *known = in;
            *known = through_part(x, first, in);
        }
        out |= *known;
    }
    return out;
}

/* It stands in an IF, or whoever calls its part does, or does so under a test. */
bool slow_is_under_test(const struct leaving *x, uint32_t place, unsigned calls)
{
    uint32_t part = x->part[place];
    unsigned depth = 0;
    for (uint32_t i = place; i-- > part;) {
        unsigned op = x->plan->place[i].straight ? OP_COUNT : slow_leaving_at(x, i)->op;
        if (op == OP_IF && !depth--)
            return true;
        depth += op == OP_ENDIF;
    }
    for (uint32_t i = 0; !slow_leaving_main(x, place) && calls && i < x->plan->count; i++) {
        const struct insn *insn = slow_leaving_at(x, i);
        if (insn->op == OP_CAL && insn->partner == x->plan->place[part].insn &&
            ((condition_restricts(&insn->condition) && x->plan->place[i].outcome != TEST_PASSES) || slow_is_under_test(x, i, calls - 1)))
            return true;
    }
    return false;
}

/* Its own part begins with what an earlier call left. */
static bool reads_what_came(const struct leaving *x, uint32_t place)
{
    uint32_t v = slow_variable(x->p, OPND_SYMBOL, x->symbol, false, x->c);
    for (uint32_t i = 0; i < x->nreads; i++)
        if (x->reads[i].place == place && x->reads[i].variable == v && x->reads[i].from & FROM_ELSEWHERE && !slow_leaving_main(x, place))
            return true;
    return false;
}

static uint8_t through(struct leaving *x, uint32_t place, uint8_t in)
{
    const struct insn *insn = slow_leaving_at(x, place);
    bool own = x->part[place] == x->part[x->place];
    x->seen |= place == x->watch ? in : 0;
    if (x->in_array)
        x->together |= (in & FOREIGN || (insn->op == OP_CVT && type_table[insn->type2].bytes < 4)) && reads(x, place);
    else if (in & OWN && own && !x->choices)
        x->together |= reads_what_came(x, place);
    else if ((in & BOTH) == BOTH && reads(x, place))
        x->together = true;
    if (insn->op == OP_CAL || insn->op == OP_CALI)
        return through_call(x, place, in);
    if (!writes(x, insn) || insn->dst.condition.rule == CC_FL)
        return in;
    if (x->in_array && place != x->place && (slow_truth_tested(x, place) >> x->c & 1 || program_index(x->p->text, insn->dst.index)->mode != INDEX_CONSTANT))
        return in | FOREIGN;
    x->together |= (in & BOTH) == BOTH && slow_truth_tested(x, place) >> x->c & 1 && x->reach.useful[place];
    return place == x->place ? OWN : FOREIGN;
}

/* What leaves a part that `in` comes to. */
static uint8_t through_part(struct leaving *x, uint32_t first, uint8_t in)
{
    uint32_t n = x->plan->count, to[8];
    uint8_t *come = calloc(n + 1, 1), out = 0;
    bool changed = true;
    if (!come) {
        x->failed = true;
        return in;
    }
    come[first] = in;
    while (changed) {
        changed = false;
        for (uint32_t i = 0; i < n; i++) {
            uint8_t left = come[i] ? through(x, i, come[i]) : 0;
            unsigned ways = left ? slow_successors(x->p, x->plan, i, to) : 0;
            if (slow_leaving_at(x, i)->op == OP_RET && slow_leaving_at(x, i)->condition.rule != CC_FL)
                out |= left;
            for (unsigned k = 0; k < ways; k++) {
                if (to[k] == NO_INDEX || (to[k] == x->plan->place[i].to && slow_has_first_round(x->p, &x->plan->place[i], slow_leaving_at(x, i))))
                    continue;
                if (slow_leaving_begins(x, to[k])) {
                    out |= left;
                } else if ((come[to[k]] | left) != come[to[k]]) {
                    come[to[k]] |= left;
                    changed = true;
                }
            }
        }
    }
    free(come);
    return out;
}

/* The next write of it in its part is one under a test, or in another block. */
static bool is_written_again(const struct leaving *x)
{
    bool same_block = true;
    for (uint32_t i = x->place + 1; !slow_leaving_begins(x, i); i++) {
        same_block &= !x->reach.leads[i];
        if (writes(x, slow_leaving_at(x, i)))
            return slow_truth_tested(x, i) >> x->c & 1 || !same_block;
    }
    return false;
}

bool slow_leaves_alone(struct leaving *x)
{
    return (x->in_array || !(is_written_again(x) || slow_writes_over_used(x))) && slow_comes_with_nothing(x);
}

bool slow_comes_with_nothing(struct leaving *x)
{
    memset(x->behind, NOT_YET, 8 * (size_t)x->plan->count + 8);
    x->together = false;
    if (x->reach.entry < x->plan->count)
        through_part(x, x->reach.entry, NONE_YET);
    return !x->together && !x->failed;
}

bool slow_comes_alone(struct leaving *x, uint32_t reader)
{
    x->watch = reader;
    x->seen = 0;
    memset(x->behind, NOT_YET, 8 * (size_t)x->plan->count + 8);
    if (x->reach.entry < x->plan->count)
        through_part(x, x->reach.entry, NONE_YET);
    x->watch = NO_INDEX;
    return (x->seen & BOTH) == OWN && !x->failed;
}
