/* Comparisons of floats that leave a subroutine as a predicate, and are 1 then and not 1.0: docs/numbers.md, "Comparisons in subroutines". */
#include "tests/slow/plan.h"

#include <stdlib.h>
#include <string.h>

/* Which writes come to a place: the comparison's, others. */
enum { OWN = 1, FOREIGN = 2, BOTH = 3 };

enum { NOT_YET = 0xff };

enum { MOST_PLACES = 4096 };    /* longer programs are not looked at */

struct leaving {
    const struct slow_program *p;
    struct slow_plan *plan;
    struct slow_reach reach;
    bool *runs;                 /* of each place: it is in the main program or in a subroutine that is called */
    uint32_t predicates;        /* how many run */
    uint32_t place, symbol;     /* the comparison at hand */
    unsigned c;                 /* and its component */
    uint8_t *behind;            /* of each first place of a subroutine, what leaves it by what comes in */
    bool together, failed;      /* both writes come to a reader */
};

static const struct insn *at(const struct leaving *x, uint32_t place)
{
    return program_insn(x->p->text, x->plan->place[place].insn);
}

static bool begins_part(const struct leaving *x, uint32_t place)
{
    uint32_t insn = place < x->plan->count ? x->plan->place[place].insn : 0;
    return place >= x->plan->count || (x->p->label[insn] && x->plan->first[insn] == place);
}

static bool in_main(const struct leaving *x, uint32_t place)
{
    return place >= x->reach.entry && place < x->reach.main_end;
}

/* ---- predicates ---------------------------------------------------------------------------------------------------------- */

/* A test of flags that a comparison in the same part set; a truth is never below zero. */
static bool tests_truth(const struct leaving *x, uint32_t place)
{
    const struct slow_place *s = &x->plan->place[place];
    const struct condition *test = &at(x, place)->condition;
    if (!condition_restricts(test) || test->rule == CC_FL || test->rule == CC_LT || test->rule == CC_GE || s->straight || s->outcome != TEST_LOOKED_AT)
        return false;
    while (!begins_part(x, place) && place--)
        if (at(x, place)->cc_update && at(x, place)->cc_update - 1u == (test->cc & 1u))
            return op_compares(at(x, place)->op);
    return false;
}

/* A choice between two things by an operand as it is, that nobody knows; not in halves. */
static bool selects(const struct leaving *x, uint32_t place, bool wide)
{
    const struct insn *insn = at(x, place);
    const struct operand *o = program_operand(x->p->text, insn->src);
    const struct slow_place *s = &x->plan->place[place];
    unsigned decided = s->computed | s->chosen[0] | s->chosen[1] | s->chosen[2];
    if (insn->type == DT_F16 || insn->flags & INSN_HALF || o->flags & OPND_ABSOLUTE || program_is_long(x->p->text, o->kind, o->ref) != wide)
        return false;
    return insn->dst.mask & ~decided;
}

static bool is_predicate(const struct leaving *x, uint32_t place)
{
    const struct insn *insn = at(x, place);
    bool wide = insn->type != DT_NONE && type_table[insn->type].bytes == 8;
    if (!x->runs[place] || !x->reach.useful[place])
        return false;
    switch (insn->op) {
    case OP_IF: case OP_BRK: case OP_CONT: case OP_CAL: case OP_CALI: case OP_RET: return tests_truth(x, place);
    case OP_TGALL: case OP_TGANY: case OP_TGEQ: case OP_TGBALLOT: return in_main(x, place) || x->reach.flags[place];
    case OP_CMP: return selects(x, place, wide) && (wide || in_main(x, place));
    case OP_DIV: return insn->type == DT_F64;
    case OP_MOD: case OP_RCP: return wide;
    default: return op_compares(insn->op) && x->reach.flags[place] && insn->type != DT_F32 && !wide;
    }
}

/* Marks what runs from a part's first place on, and what that calls. */
static void run_into(struct leaving *x, uint32_t place)
{
    uint32_t n = (uint32_t)x->p->text->insns.count;
    for (bool first = true; place < x->plan->count && (first || !begins_part(x, place)) && !(first && x->runs[place]); place++, first = false) {
        const struct insn *insn = at(x, place);
        x->runs[place] = true;
        for (uint32_t i = 0; (insn->op == OP_CAL || insn->op == OP_CALI) && i < n; i++)
            if (x->p->label[i] && x->plan->first[i] != NO_INDEX && slow_calls(x->p, insn, i))
                run_into(x, x->plan->first[i]);
    }
}

/* ---- which writes come where --------------------------------------------------------------------------------------------- */

static bool reads(const struct leaving *x, uint32_t place)
{
    const struct insn *insn = at(x, place);
    uint8_t useful = x->reach.useful[place];
    for (unsigned k = 0; k < insn->nsrc; k++) {
        const struct operand *o = program_operand(x->p->text, insn->src + k);
        unsigned components = 0;
        if ((o->kind != OPND_SYMBOL && o->kind != OPND_HANDLE && o->kind != OPND_EXTENDED) || o->ref != x->symbol)
            continue;
        if (o->kind == OPND_EXTENDED)
            return true;
        for (unsigned c = 0; c < 4; c++)
            if (useful >> c & 1 || (useful & SLOW_ACTS && insn->dst.kind == OPND_NONE))
                components |= slow_made_of(x->p, insn, k, c);
        for (unsigned i = 0; i < 4; i++)
            if (components >> i & 1 && (o->swizzle >> 2 * i & 3) == x->c)
                return true;
    }
    return false;
}

static bool writes(const struct leaving *x, const struct insn *insn)
{
    return insn->dst.kind == OPND_SYMBOL && insn->dst.ref == x->symbol && !insn->dst.nindices && slow_written(x->p, insn) >> x->c & 1;
}

static uint8_t through_part(struct leaving *x, uint32_t first, uint8_t in);

static uint8_t through_call(struct leaving *x, const struct insn *insn, uint8_t in)
{
    uint8_t out = condition_restricts(&insn->condition) || insn->op == OP_CALI ? in : 0;
    for (uint32_t i = 0; i < x->p->text->insns.count; i++) {
        uint32_t first = x->p->label[i] ? x->plan->first[i] : NO_INDEX;
        uint8_t *known = first == NO_INDEX ? NULL : &x->behind[4 * (size_t)first + in];
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

static uint8_t through(struct leaving *x, uint32_t place, uint8_t in)
{
    const struct insn *insn = at(x, place);
    x->together |= in == BOTH && reads(x, place);
    if (insn->op == OP_CAL || insn->op == OP_CALI)
        return through_call(x, insn, in);
    if (!writes(x, insn) || insn->dst.condition.rule == CC_FL)
        return in;
    x->together |= in == BOTH && condition_restricts(&insn->dst.condition) && x->reach.useful[place];
    return place == x->place ? OWN : FOREIGN;
}

/* A loop as it stands, with rounds for certain. */
static bool has_first_round(const struct leaving *x, uint32_t place)
{
    const struct insn *insn = at(x, place);
    const struct operand *o = program_operand(x->p->text, insn->src);
    struct slow_knowledge nothing = {.p = x->p, .at = NO_INDEX};
    struct slow_known count;
    if (insn->op != OP_REP || x->plan->place[place].straight || x->plan->place[place].phased || !insn->nsrc || o->kind != OPND_CONSTANT)
        return false;
    return slow_known_operand(&nothing, o, 0, DT_S32, &count) && (int32_t)(uint32_t)count.bits > 0;
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
            if (at(x, i)->op == OP_RET && at(x, i)->condition.rule != CC_FL)
                out |= left;
            for (unsigned k = 0; k < ways; k++) {
                if (to[k] == NO_INDEX || (to[k] == x->plan->place[i].to && has_first_round(x, i)))
                    continue;
                if (begins_part(x, to[k])) {
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

/* ---- one comparison ------------------------------------------------------------------------------------------------------ */

static uint32_t part_of(const struct leaving *x, uint32_t place)
{
    while (place && !begins_part(x, place))
        place--;
    return place;
}

static bool is_called_again(const struct leaving *x, uint32_t label)
{
    unsigned calls = 0;
    for (uint32_t i = 0; i < x->plan->count; i++)
        calls += at(x, i)->op == OP_CALI ? 2 : at(x, i)->op == OP_CAL && at(x, i)->partner == label;
    return calls > 1;
}

/* Its subroutine reads the component: behind it, or before it when it is called once more. */
static bool is_read_there(const struct leaving *x)
{
    uint32_t first = part_of(x, x->place);
    bool again = is_called_again(x, x->plan->place[first].insn);
    for (uint32_t i = first; i < x->place + 1; i++)
        if (again && reads(x, i))
            return true;
    for (uint32_t i = x->place + 1; !begins_part(x, i); i++) {
        bool same_block = true;
        if (reads(x, i))
            return true;
        for (uint32_t k = x->place + 1; k <= i; k++)
            same_block &= !x->reach.leads[k];
        if (writes(x, at(x, i)))
            return condition_restricts(&at(x, i)->dst.condition) || !same_block;
    }
    return false;
}

/* Divisions of doubles behind the comparison, in its part, are no predicates for it. */
static bool sees_predicate(const struct leaving *x)
{
    uint32_t n = x->predicates;
    for (uint32_t i = x->place + 1; !begins_part(x, i); i++)
        n -= at(x, i)->op == OP_DIV && at(x, i)->type == DT_F64 && is_predicate(x, i);
    return n;
}

static bool leaves_as_truth(struct leaving *x)
{
    if (!sees_predicate(x) || is_read_there(x))
        return false;
    memset(x->behind, NOT_YET, 4 * (size_t)x->plan->count + 4);
    x->together = false;
    if (x->reach.entry < x->plan->count)
        through_part(x, x->reach.entry, FOREIGN);
    return !x->together;
}

/* In a loop as the text has it, also where it is taken apart. */
static bool in_loop(const struct leaving *x, uint32_t insn)
{
    for (uint32_t i = 0; i < insn; i++)
        if (program_insn(x->p->text, i)->op == OP_REP && program_insn(x->p->text, i)->partner > insn)
            return true;
    return false;
}

static bool may_leave(const struct leaving *x, uint32_t place)
{
    const struct insn *insn = at(x, place);
    const struct symbol *to = insn->dst.kind == OPND_SYMBOL ? program_symbol(x->p->text, insn->dst.ref) : NULL;
    if (!op_compares(insn->op) || !to || in_main(x, place) || in_loop(x, x->plan->place[place].insn))
        return false;
    return (insn->type == DT_F64 || insn->type == DT_F32) && to->kind == SYM_TEMP && !to->array && to->size == SIZE_DEFAULT &&
           !(insn->flags & (INSN_SAT | INSN_SSAT | INSN_PREC | INSN_HALF)) && !condition_restricts(&insn->dst.condition);
}

/* An operand that the components written first would change for the others. */
static bool reads_itself(const struct leaving *x, const struct insn *insn)
{
    for (unsigned k = 0; k < 2; k++) {
        const struct operand *o = program_operand(x->p->text, insn->src + k);
        if (o->kind == OPND_EXTENDED || (o->kind == OPND_SYMBOL && o->ref == insn->dst.ref))
            return true;
    }
    return false;
}

static void look(struct leaving *x, uint32_t place)
{
    struct slow_place *s = &x->plan->place[place];
    const struct insn *insn = at(x, place);
    x->place = place;
    x->symbol = insn->dst.ref;
    for (x->c = 0; x->c < 4; x->c++)
        if (insn->dst.mask >> x->c & 1 && !((s->computed | x->reach.flags[place]) >> x->c & 1) && leaves_as_truth(x))
            s->leaves |= (uint8_t)(1u << x->c);
    if (s->leaves != insn->dst.mask && reads_itself(x, insn))
        s->leaves = 0;
}

static bool worth_it(const struct leaving *x)
{
    bool calls = false, any = false;
    for (uint32_t i = 0; i < x->plan->count; i++) {
        calls |= at(x, i)->op == OP_CAL || at(x, i)->op == OP_CALI;
        any |= op_compares(at(x, i)->op) && (at(x, i)->type == DT_F32 || at(x, i)->type == DT_F64);
    }
    return calls && any;
}

bool slow_find_leaving(struct slow_plan *plan, const struct slow_program *p)
{
    struct leaving x = {.p = p, .plan = plan};
    if (plan->count > MOST_PLACES || !worth_it(&x))
        return true;
    x.failed = !slow_reach_new(&x.reach, p, plan);
    x.runs = calloc(plan->count + 1, sizeof *x.runs);
    x.behind = malloc(4 * (size_t)plan->count + 4);
    x.failed |= !x.runs || !x.behind;
    if (!x.failed) {
        run_into(&x, x.reach.entry);
        for (uint32_t i = 0; i < plan->count; i++)
            x.predicates += is_predicate(&x, i);
        for (uint32_t i = 0; x.predicates && i < plan->count && !x.failed; i++)
            if (may_leave(&x, i))
                look(&x, i);
    }
    slow_reach_free(&x.reach);
    free(x.runs);
    free(x.behind);
    return !x.failed;
}
