/* Where ways meet that wrote different things to a SHORT variable (docs/semantics.md, "SHORT variables and half arithmetic"): behind an IF, at the
 * beginning of a loop's passes and behind it, behind calls and results under a test. Who reads it there gets a half, of a word as well. */
#include "tests/slow/plan.h"

static const struct insn *written(const struct slow_program *p, uint32_t i)
{
    return program_insn(p->text, i);
}

/* What is known never to run is not there. */
static bool is_there(const struct slow_program *p, uint32_t i)
{
    return p->plan->first[i] != NO_INDEX;
}

static const struct insn *at(const struct slow_program *p, uint32_t place)
{
    return written(p, p->plan->place[place].insn);
}

struct cell {
    const struct slow_program *p;
    uint32_t symbol;
    unsigned c;
    bool unrounded;             /* what stands there is a word that a single was narrowed to */
};

enum { FLOAT = 8 };             /* among the kinds: something that is no word */

/* Wherever the instruction stands, its test of a component is known to fail. */
static bool never_writes(const struct slow_program *p, uint32_t i, unsigned c)
{
    bool fails = is_there(p, i) && condition_restricts(&written(p, i)->dst.condition);
    for (uint32_t place = 0; fails && place < p->plan->count; place++)
        fails = p->plan->place[place].insn != i || p->plan->place[place].fails >> c & 1;
    return fails;
}

static bool writes(const struct cell *x, uint32_t i)
{
    const struct insn *insn = written(x->p, i);
    return insn->dst.kind == OPND_SYMBOL && insn->dst.ref == x->symbol && insn->dst.condition.rule != CC_FL && !never_writes(x->p, i, x->c) &&
           slow_written(x->p, insn) >> x->c & 1 && (!(slow_onto_itself(x->p, i) >> x->c & 1) || slow_in_subroutine(x->p, i));
}

/* ---- kinds ------------------------------------------------------------------------------------------------------------------------ */

static bool moves(const struct slow_program *p, const struct insn *insn)
{
    return slow_is_short(p, insn->dst.kind, insn->dst.ref) && slow_moves_short(p, insn);
}

static bool has(const uint32_t *list, unsigned n, uint32_t symbol)
{
    for (unsigned k = 0; k < n; k++)
        if (list[k] == symbol)
            return true;
    return false;
}

/* What an instruction that is no move does with one of these: writes words or floats, or reads them. */
static unsigned uses(const struct slow_program *p, uint32_t i, const uint32_t *list, unsigned n)
{
    const struct insn *insn = written(p, i);
    unsigned all = 0;
    if (slow_is_short(p, insn->dst.kind, insn->dst.ref) && has(list, n, insn->dst.ref) && slow_written(p, insn))
        all |= slow_short_kind(p, i) & SLOW_SHORT_WORD ? SLOW_SHORT_WORD : SLOW_SHORT_COPY;
    for (unsigned k = 0; k < insn->nsrc; k++) {
        const struct operand *o = program_operand(p->text, insn->src + k);
        if (slow_is_short(p, o->kind == OPND_EXTENDED ? o->base_kind : o->kind, o->ref) && has(list, n, o->ref))
            all |= slow_reads_word(insn, slow_operand_type(insn, k)) ? SLOW_SHORT_WORD : SLOW_SHORT_COPY;
    }
    return all;
}

enum { MOVED = 32 };            /* variables that moves connect */

/* What goes over with a move: whatever the variables that moves connect are used as. */
static unsigned moved_kinds(const struct slow_program *p, uint32_t symbol)
{
    uint32_t list[MOVED] = {symbol};
    unsigned n = 1, all = 0;
    for (bool more = true; more && n < MOVED;) {
        more = false;
        for (uint32_t i = 0; i < p->text->insns.count && n < MOVED; i++) {
            const struct insn *insn = written(p, i);
            if (insn->op != OP_MOV || !is_there(p, i) || !moves(p, insn))
                continue;
            uint32_t from = program_operand(p->text, insn->src)->ref, to = insn->dst.ref;
            if (has(list, n, from) != has(list, n, to)) {
                list[n] = has(list, n, from) ? to : from;
                n++;
                more = true;
            }
        }
    }
    for (uint32_t i = 0; i < p->text->insns.count; i++)
        if (is_there(p, i) && !moves(p, written(p, i)))
            all |= uses(p, i, list, n);
    return all;
}

static unsigned kind(const struct cell *x, uint32_t i)
{
    const struct insn *insn = written(x->p, i);
    unsigned kinds = moves(x->p, insn) ? moved_kinds(x->p, program_operand(x->p->text, insn->src)->ref) : slow_short_kind(x->p, i);
    return kinds & SLOW_SHORT_WORD && !(kinds & SLOW_SHORT_COPY && moves(x->p, insn)) ? kinds : kinds | FLOAT;
}

static unsigned kinds_between(const struct cell *x, uint32_t first, uint32_t end, unsigned depth);

/* All that the program writes there. */
static unsigned all_kinds(const struct cell *x)
{
    unsigned all = 0;
    for (uint32_t i = 0; i < x->p->text->insns.count; i++)
        all |= is_there(x->p, i) && writes(x, i) ? kind(x, i) : 0;
    return all;
}

static unsigned kinds_of_call(const struct cell *x, const struct insn *call, unsigned depth)
{
    uint32_t end = call->partner;
    if (call->op == OP_CAL && end >= x->p->text->insns.count)      /* nothing stands behind the label */
        return 0;
    if (call->op == OP_CALI || depth > SLOW_CALLS)
        return all_kinds(x);
    do
        end++;
    while (end < x->p->text->insns.count && !x->p->label[end]);
    return kinds_between(x, call->partner, end, depth + 1);
}

/* What instructions write, and what they call. */
static unsigned kinds_between(const struct cell *x, uint32_t first, uint32_t end, unsigned depth)
{
    unsigned all = 0;
    for (uint32_t i = first; i < end && i < x->p->text->insns.count; i++) {
        const struct insn *insn = written(x->p, i);
        if (!is_there(x->p, i))
            continue;
        if (insn->op == OP_CAL || insn->op == OP_CALI)
            all |= kinds_of_call(x, insn, depth);
        else if (writes(x, i))
            all |= kind(x, i);
    }
    return all;
}

static bool opens(unsigned op)
{
    return op == OP_IF || op == OP_REP;
}

static bool closes(unsigned op)
{
    return op == OP_ENDIF || op == OP_ENDREP;
}

static unsigned nesting(const struct slow_program *p, uint32_t insn)
{
    unsigned depth = 0;
    for (uint32_t i = 0; i < insn; i++)
        depth += opens(written(p, i)->op) ? 1u : closes(written(p, i)->op) ? -1u : 0u;
    return depth;
}

/* What may stand there in front of an instruction: back to what is written for certain. */
static unsigned kinds_before(const struct cell *x, uint32_t insn)
{
    unsigned depth = nesting(x->p, insn), all = 0;
    for (uint32_t i = insn; i > 0; i--) {
        const struct insn *before = written(x->p, i - 1);
        if (x->p->label[i])
            return all | all_kinds(x);
        depth += closes(before->op) ? 1u : opens(before->op) ? -1u : 0u;
        if (!is_there(x->p, i - 1) || !writes(x, i - 1))
            continue;
        all |= kind(x, i - 1);
        if (!depth && !condition_restricts(&before->dst.condition))
            return all;
    }
    return all;
}

/* ---- meeting ---------------------------------------------------------------------------------------------------------------------- */

/* Where what may have been written, if anything was, meets what stood there. */
static unsigned meeting(const struct cell *x, unsigned kinds, uint32_t insn)
{
    if (!kinds)
        return 0;
    kinds |= kinds_before(x, insn);
    return (kinds & ~(unsigned)SLOW_SHORT_WORD || x->unrounded ? SHORT_HALF : 0u) | (kinds & FLOAT ? SHORT_UPPER : 0u);
}

static bool leaves(const struct slow_program *p, uint32_t first, uint32_t end)
{
    for (uint32_t i = first; i < end; i++)
        if (written(p, i)->op == OP_BRK || written(p, i)->op == OP_CONT)
            return true;
    return false;
}

/* The end of the last of copies of a loop's body that follow each other, where there are any. */
static bool is_left_from_copies(const struct slow_program *p, uint32_t place, uint32_t first, uint32_t last)
{
    uint32_t next = place + 1 < p->plan->count ? p->plan->place[place + 1].insn : NO_INDEX;
    return (next < first || next > last) && p->plan->place[place - 1].insn != first && leaves(p, first, last);
}

static bool has_one_writer(const struct cell *x, uint32_t place)
{
    const struct slow_plan *plan = x->p->plan;
    uint32_t var = slow_variable(x->p, OPND_SYMBOL, x->symbol, false, x->c);
    for (uint32_t k = 0; k < plan->nalone; k++)
        if (plan->alone[k].place == place && plan->alone[k].var == var)
            return true;
    return false;
}

static unsigned at_place(const struct cell *x, uint32_t place)
{
    const struct slow_place *s = &x->p->plan->place[place];
    const struct insn *insn = at(x->p, place);
    uint32_t here = s->insn;
    switch (insn->op) {
    case OP_ENDIF: return s->straight ? 0 : meeting(x, kinds_between(x, insn->partner, here, 0), here) & (has_one_writer(x, place) ? SHORT_UPPER : ~0u);
    case OP_REP: return s->straight ? 0 : meeting(x, kinds_between(x, here, insn->partner, 0), here);
    case OP_ENDREP:
        if (s->loop != NO_INDEX && x->p->plan->place[s->loop].straight ? !is_left_from_copies(x->p, place, insn->partner, here) : s->straight)
            return 0;
        return meeting(x, kinds_between(x, insn->partner, here, 0), here);
    case OP_CAL: case OP_CALI: return meeting(x, kinds_of_call(x, insn, 0), here);
    default:
        if (!writes(x, here) || slow_onto_itself(x->p, here) >> x->c & 1 || !condition_restricts(&insn->dst.condition))
            return 0;
        return meeting(x, kind(x, here), here);
    }
}

static bool writes_within(const struct cell *x, uint32_t place)
{
    const struct insn *insn = at(x->p, place);
    return (insn->op == OP_CAL || insn->op == OP_CALI) && kinds_of_call(x, insn, 0);
}

/* Behind place `from` (with it, where that is a test's or a call's) up to another one, but for the sides of an IF that are not there; or only back
 * to the last call that may write there. */
static unsigned on_the_way(const struct cell *x, uint32_t from, uint32_t to, bool to_call)
{
    unsigned inner = 0, skipped = 0, met = 0;
    for (uint32_t i = to; i-- > from;) {
        unsigned op = at(x->p, i)->op;
        if (skipped) {
            skipped += op == OP_ENDIF ? 1u : op == OP_IF ? -1u : 0u;
            continue;
        }
        if (op == OP_ELSE && !inner) {
            skipped = 1;
            continue;
        }
        inner += op == OP_ENDIF ? 1u : op == OP_IF && inner ? -1u : 0u;
        met |= at_place(x, i);
        if (to_call && writes_within(x, i))
            return met;
    }
    return met;
}

/* What is read at a place, in so deep a call. */
static unsigned met_at(const struct cell *x, const struct slow_value *v, uint32_t reads, unsigned calls)
{
    const struct slow_place *place = x->p->plan->place;
    uint32_t wrote = v->wrote - 1, loop;
    if (v->calls != calls)
        return on_the_way(x, 0, reads, true);
    if (wrote < reads)
        return on_the_way(x, wrote, reads, false);
    for (loop = place[reads].loop; loop != NO_INDEX; loop = place[loop].loop)     /* of an earlier pass */
        if (loop < wrote && wrote < place[loop].to)
            break;
    if (loop == NO_INDEX)
        return SHORT_HALF | SHORT_UPPER;
    return meeting(x, kinds_between(x, place[loop].insn, at(x->p, loop)->partner, 0), place[loop].insn) | on_the_way(x, loop + 1, reads, false);
}

static uint32_t place_of(const struct slow_lane *l)
{
    return (uint32_t)(l->here - l->group->program->plan->place);
}

unsigned slow_short_met(const struct slow_lane *l, const struct slow_value *v, uint32_t symbol, unsigned c)
{
    return met_at(&(struct cell){l->group->program, symbol, c, v->unrounded}, v, place_of(l), l->calls);
}

/* Whether it is written for certain between where the part begins that one is in and here. */
bool slow_short_is_own(const struct slow_lane *l, uint32_t symbol, unsigned c)
{
    const struct cell x = {l->group->program, symbol, c, false};
    unsigned depth = nesting(x.p, l->here->insn);
    for (uint32_t i = l->here->insn; i > 0 && !x.p->label[i]; i--) {
        const struct insn *before = written(x.p, i - 1);
        depth += closes(before->op) ? 1u : opens(before->op) ? -1u : 0u;
        if (!depth && is_there(x.p, i - 1) && writes(&x, i - 1) && !condition_restricts(&before->dst.condition))
            return true;
    }
    return false;
}

bool slow_came_in(const struct slow_lane *l, const struct slow_value *v)
{
    uint32_t reads = place_of(l), wrote = v->wrote - 1;
    if (!l->calls || v->calls > l->calls)
        return false;
    if (v->calls < l->calls)
        return true;
    if (wrote >= reads)
        return !l->blocks[l->depth - 1].loop;
    for (uint32_t i = wrote + 1; i <= reads; i++)
        if (slow_begins_part(l->group->program, l->group->program->plan, i))
            return true;
    return false;
}

/* The first place of the part that one is in. */
static uint32_t begin_of_part(const struct slow_program *p, uint32_t place)
{
    while (place > 0 && !slow_begins_part(p, p->plan, place))
        place--;
    return place;
}

unsigned slow_short_met_outside(const struct slow_lane *l, const struct slow_value *v, uint32_t symbol, unsigned c)
{
    const struct cell x = {l->group->program, symbol, c, v->unrounded};
    unsigned first = v->calls < l->calls ? v->calls : l->calls - 1, call = 0, met = 0;
    for (unsigned k = 0; k < l->depth; k++) {
        if (l->blocks[k].loop)
            continue;
        uint32_t pc = l->blocks[k].pc;
        if (call >= first)
            met |= call == first ? met_at(&x, v, pc, call) : on_the_way(&x, begin_of_part(x.p, pc), pc, false);
        call++;
    }
    return met | on_the_way(&x, begin_of_part(x.p, place_of(l)), place_of(l), false);
}

unsigned slow_short_met_within(const struct slow_lane *l, const struct slow_value *v, uint32_t symbol, unsigned c)
{
    const struct cell x = {l->group->program, symbol, c, v->unrounded};
    uint32_t here = place_of(l);
    return slow_came_in(l, v) ? on_the_way(&x, begin_of_part(x.p, here), here, false) : met_at(&x, v, here, l->calls);
}
