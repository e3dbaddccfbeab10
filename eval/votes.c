/* TGALL.F and its like take what a comparison of integers says for true, though its -1 is no number; and what AND, OR, XOR and NOT make of
 * such truths, CMP of -1 and 0, other votes and the predicate of a shuffle, where votes of floats alone read it: the driver's compiler holds
 * that as a predicate then (docs/semantics.md, "Ballots, votes and match"). */
#include "eval/votes.h"

#include "eval/between.h"
#include "eval/elements.h"
#include "eval/readers.h"
#include "eval/truths.h"

/* Whether a subroutine names a variable. */
static bool is_shared(const struct liveness *l, const struct readers *r, uint32_t variable)
{
    return eval_first_behind(&r->reads, variable, l->main_end) != NO_INDEX || eval_first_behind(&r->writes, variable, l->main_end) != NO_INDEX ||
           eval_last_before(&r->reads, variable, l->entry) != NO_INDEX || eval_last_before(&r->writes, variable, l->entry) != NO_INDEX;
}

/* Whether something that is no such vote reads a variable between what wrote it and the vote, in the order of the text: no way out, no loop around
 * one of them alone, no call, or with `calls` none of what names it in the main program. */
static bool is_read_before(struct decoder *d, const struct readers *r, uint32_t variable, uint32_t from, uint32_t vote, bool calls)
{
    uint32_t read = eval_last_before(&r->reads, variable, vote), write = eval_last_before(&r->writes, variable, vote);
    const struct liveness *l = eval_liveness(d);
    bool over = calls && l && from >= l->entry && vote < l->main_end && !is_shared(l, r, variable);

    return from < vote && (!eval_runs_on(d, from, vote, over) || (read != NO_INDEX && read > from) || (write != NO_INDEX && write > from));
}

struct wanting {
    const struct liveness *l;
    uint32_t variable;
    bool is;
};

static void want_block(void *user, uint32_t block)
{
    struct wanting *w = user;

    w->is |= shared_bits_has(&w->l->live_in[block], w->variable);
}

static void want_callers(void *user, uint32_t from)
{
    struct wanting *w = user;

    w->is |= shared_bits_has(&w->l->callers[w->l->region[from]], w->variable);
}

/* Behind the vote: in its block, or wanted where that ends. */
static bool is_read_behind(const struct liveness *l, const struct readers *r, uint32_t variable, uint32_t vote)
{
    uint32_t block = l->block[vote], end = l->start[block + 1];
    uint32_t read = eval_first_behind(&r->reads, variable, vote + 1), write = eval_first_behind(&r->writes, variable, vote);
    struct wanting w = {l, variable, false};

    if (read < end && read <= write)
        return true;
    if (write < end)
        return condition_restricts(&program_insn(l->p, write)->dst.condition);
    eval_ways(l, block, &(struct ways){want_block, want_callers, &w});
    return w.is;
}

/* Whether nothing else in the vote's subroutine, which calls none and is called under no test, reads the variable. */
static bool is_read_once(const struct liveness *l, const struct readers *r, uint32_t variable, uint32_t vote)
{
    uint32_t begin = vote, end = vote + 1, read;

    if (vote >= l->entry && vote < l->main_end)
        return false;
    while (begin && !l->label[begin])
        begin--;
    while (end < l->p->insns.count && !l->label[end])
        end++;
    for (uint32_t i = begin; i < end; i++)
        if (op_calls(program_insn(l->p, i)->op))
            return false;
    for (uint32_t i = 0; i < l->p->insns.count; i++) {
        const struct insn *insn = program_insn(l->p, i);
        if (insn->op == OP_CALI || (insn->op == OP_CAL && insn->partner == begin && condition_restricts(&insn->condition)))
            return false;
    }
    read = eval_first_behind(&r->reads, variable, begin);      /* such votes are no reads there */
    return (read == vote ? eval_first_behind(&r->reads, variable, vote + 1) : read) >= end;
}

/* Components of what operand n takes, by those of the result, that nothing else reads; with `calls`, over calls too. Of what a vote says in a
 * subroutine it does not matter to a vote there who reads it behind that. */
static uint8_t alone(struct decoder *d, const struct insn *insn, unsigned n, const uint32_t made[4], bool calls)
{
    const struct operand *o = program_operand(d->p, insn->src + n);
    const struct liveness *l = NULL;
    const struct readers *r = NULL;
    uint8_t mask = 0;

    for (unsigned c = 0; c < 4; c++) {
        uint32_t variable;
        bool within;
        if (!made[c])
            continue;
        l = eval_liveness(d);
        r = eval_readers(d);
        if (!l || !r)
            break;
        variable = eval_operand_variable(l, o, c);
        within = !calls && variable != NO_INDEX && op_votes(program_insn(d->p, (made[c] - 1) / 4)->op) && is_read_once(l, r, variable, d->insn);
        if (variable != NO_INDEX && !is_read_before(d, r, variable, (made[c] - 1) / 4, d->insn, calls) && (within || !is_read_behind(l, r, variable, d->insn)))
            mask |= (uint8_t)(1u << c);
    }
    return mask;
}

/* Components made by logic, which is done with predicates. */
static uint8_t of_logic(const struct decoder *d, const struct folded *folded)
{
    uint8_t mask = 0;

    for (unsigned c = 0; c < 4; c++) {
        uint16_t op = folded->made[c] ? program_insn(d->p, (folded->made[c] - 1) / 4)->op : OP_COUNT;
        mask |= (uint8_t)(op_is_logic(op) << c);
    }
    return mask;
}

/* Components made without a loop between that and the instruction at hand; a shuffle's predicate outlasts loops, to a vote that
 * does not write over it (or NULL). */
static uint8_t made_before(struct decoder *d, const struct insn *vote, const struct folded *folded)
{
    bool over = !vote || vote->dst.ref == program_operand(d->p, vote->src)->ref;
    uint8_t mask = 0;

    for (unsigned c = 0; c < 4; c++) {
        uint32_t from = (folded->made[c] - 1) / 4;
        mask |= (uint8_t)((folded->made[c] && ((!over && op_shuffles(program_insn(d->p, from)->op)) || !eval_loops_between(d, from, d->insn))) << c);
    }
    return mask;
}

/* Those of them whose logic of two stands beside the vote at hand, which does not write over it behind a loop. */
static uint8_t made_beside(struct decoder *d, const struct insn *insn, const struct folded *folded)
{
    uint8_t mask = of_logic(d, folded);

    for (unsigned c = 0; c < 4; c++) {
        uint32_t from = (folded->made[c] - 1) / 4;
        bool over = mask >> c & 1 && insn->dst.ref == program_operand(d->p, insn->src)->ref && eval_loops_between(d, from, d->insn);
        if (mask >> c & 1 && (over || program_insn(d->p, from)->op == OP_NOT || !eval_stands_beside(d, from, d->insn)))
            mask &= (uint8_t)~(1u << c);
    }
    return mask;
}

uint8_t eval_vote_truths(struct decoder *d, const struct insn *insn)
{
    const struct folded *folded = eval_folded_at(d, d->insn);
    uint8_t mask = folded ? folded->truths : 0;

    if (d->truths && eval_votes_floats(insn))
        mask = (mask & (uint8_t)~d->truths->words[d->insn]) | d->truths->whole[d->insn];
    return folded && insn->type == DT_F32 ? mask | made_beside(d, insn, folded) | (alone(d, insn, 0, folded->made, false) & made_before(d, insn, folded)) : mask;
}

/* Those that nothing else takes for a float or with a sign, or finds lanes by. */
static uint8_t is_stored(struct decoder *d, const struct insn *insn)
{
    const struct operand *o = program_operand(d->p, insn->src);
    const struct liveness *l = eval_liveness(d);
    const struct readers *r = eval_readers(d);
    uint8_t mask = 0;

    for (unsigned c = 0; l && r && c < 4; c++) {
        uint32_t variable = eval_operand_variable(l, o, c), other;
        if (variable == NO_INDEX)
            continue;
        other = eval_first_behind(&r->numbers, variable, 0);
        if (other == d->insn)
            other = eval_first_behind(&r->numbers, variable, d->insn + 1);
        mask |= (uint8_t)((other == NO_INDEX) << c);
    }
    return mask;
}

/* ---- read as floats, with a sign ----------------------------------------------------------------------------------------------- */

/* Components in which a literal is this word. */
static uint8_t components_of(const struct gp5_program *p, const struct insn *insn, unsigned k, uint32_t number)
{
    const struct operand *o = program_operand(p, insn->src + k);
    struct known none = {.p = p};
    uint64_t word = 0;
    uint8_t mask = 0;

    for (unsigned c = 0; o->kind == OPND_CONSTANT && c < 4; c++)
        if (insn->dst.mask >> c & 1 && eval_known_operand(&none, o, c, DT_F32, &word) && (uint32_t)word == number)
            mask |= (uint8_t)(1u << c);
    return mask;
}

static bool rounds(const struct insn *insn)
{
    return insn->op == OP_FLR || insn->op == OP_CEIL || insn->op == OP_TRUNC || insn->op == OP_ROUND;
}

static bool is_below(const struct operand *o)
{
    return o->flags & OPND_ABSOLUTE && operand_negates(o);
}

/* Whether a truth is copied with a sign; into a LONG variable its absolute value. */
static bool has_sign(const struct operand *o, bool to_long)
{
    return to_long ? o->flags & OPND_ABSOLUTE && !operand_negates(o) : o->flags & OPND_SIGNS;
}

/* Whether a DST reads component c of operand n, what its z or w takes, for another component as well. */
static bool is_read_twice(const struct gp5_program *p, const struct insn *insn, unsigned n, unsigned c)
{
    const struct operand *o = program_operand(p, insn->src + n);

    for (unsigned k = 0; k < 2; k++) {
        const struct operand *other = program_operand(p, insn->src + k);
        for (unsigned i = 1; i < 4; i++) {
            bool reads = insn->dst.mask >> i & 1 && (i == 1 || i == k + 2) && !(k == n && i == c);
            if (reads && other->kind == o->kind && other->ref == o->ref && (other->swizzle >> 2 * i & 3) == (o->swizzle >> 2 * c & 3))
                return true;
        }
    }
    return false;
}

int eval_signed_truth(const struct gp5_program *p, const struct insn *insn, unsigned c)
{
    const struct operand *o = insn->nsrc ? program_operand(p, insn->src) : NULL;
    bool to_long = insn->nsrc && program_is_long(p, insn->dst.kind, insn->dst.ref);

    if (!o || insn->type == DT_F16 || insn->flags & (INSN_SAT | INSN_SSAT | INSN_HALF | INSN_PREC) || insn->dst.kind != OPND_SYMBOL ||
        program_symbol(p, insn->dst.ref)->size == SIZE_SHORT)
        return -1;
    if (rounds(insn))
        return o->flags & OPND_SIGNS && (type_table[insn->type].is_float ? o->flags & OPND_ABSOLUTE && !operand_negates(o) : !is_below(o)) &&
               type_table[insn->type].bytes == 4 ? 0 : -1;
    if (insn->type != DT_F32 || insn->cc_update)
        return -1;
    switch (insn->op) {
    case OP_MOV: return has_sign(o, to_long) ? 0 : -1;
    case OP_ABS: return 0;
    case OP_DST: return c > 1 && has_sign(o + c - 2, to_long) && !is_read_twice(p, insn, c - 2, c) ? (int)c - 2 : -1;
    case OP_MUL:
        for (unsigned k = 0; k < 2; k++)
            if ((!to_long && components_of(p, insn, 1 - k, 0xbf800000u)) || (has_sign(o + k, to_long) && components_of(p, insn, 1 - k, 0x3f800000u)))
                return (int)k;
        return -1;
    default: return -1;
    }
}

/* Not what a comparison of integers says of what one of floats said, in the main program. */
static uint8_t of_integers(const struct decoder *d, const struct folded *folded)
{
    const struct liveness *l = eval_liveness((struct decoder *)d);
    uint8_t mask = 0;

    for (unsigned c = 0; l && c < 4; c++) {
        uint32_t at = folded->made[c] ? (folded->made[c] - 1) / 4 : NO_INDEX;
        bool of_floats = at != NO_INDEX && d->truths->made[at] && at >= l->entry && at < l->main_end;
        mask |= (uint8_t)((at != NO_INDEX && !of_floats) << c);
    }
    return mask;
}

/* Components whose test does not matter: what is rounded may be kept back, what is copied has to be known to pass. */
static uint8_t passing(const struct insn *insn, const struct folded *folded)
{
    if (!condition_restricts(&insn->dst.condition))
        return 15;
    return rounds(insn) ? 15 : folded->passes;
}

/* Components that what runs for all lanes made. */
static uint8_t made_for_all(const struct decoder *d, const struct folded *folded)
{
    uint8_t mask = 0;

    for (unsigned c = 0; c < 4; c++)
        mask |= (uint8_t)((folded->made[c] && !d->truths->tested[(folded->made[c] - 1) / 4]) << c);
    return mask;
}

/* Components that nothing takes for a float or with a sign, or finds lanes by, between what made them and the instruction at hand. */
static uint8_t is_word_before(struct decoder *d, const struct insn *insn, const struct folded *folded)
{
    const struct operand *o = program_operand(d->p, insn->src);
    const struct liveness *l = eval_liveness(d);
    const struct readers *r = eval_readers(d);
    uint8_t mask = 0;

    for (unsigned c = 0; l && r && c < 4; c++) {
        uint32_t variable = eval_operand_variable(l, o, c), other = variable == NO_INDEX ? 0 : eval_last_before(&r->numbers, variable, d->insn);
        mask |= (uint8_t)((variable != NO_INDEX && folded->made[c] && (other == NO_INDEX || other <= (folded->made[c] - 1) / 4)) << c);
    }
    return mask;
}

/* What of it does not hang on who reads the truth behind it: what is rounded into a LONG variable or an array that the text indexes by a
 * register, where no loop runs between the two. */
static uint8_t taken_along(struct decoder *d, const struct insn *insn, const struct folded *folded)
{
    bool is_long = program_is_long(d->p, insn->dst.kind, insn->dst.ref);
    uint8_t mask = is_long && rounds(insn) ? is_stored(d, insn) : 0;

    if (!rounds(insn) || !(is_long || eval_is_indexed(d, insn->dst.ref)))
        return mask;
    return mask | (made_before(d, NULL, folded) & is_word_before(d, insn, folded));
}

uint8_t eval_whole_truths(struct decoder *d, const struct insn *insn)
{
    const struct folded *folded = eval_folded_at(d, d->insn);
    uint8_t mask = 0, taken = 0;

    for (unsigned c = 0; folded && d->truths && c < 4; c++)
        mask |= (uint8_t)((eval_signed_truth(d->p, insn, c) >= 0) << c);
    if (mask)
        mask &= insn->dst.mask & folded->truths & (d->truths->any ? 15 : of_logic(d, folded)) & passing(insn, folded);
    if (insn->op == OP_MUL && mask) {
        unsigned k = (unsigned)eval_signed_truth(d->p, insn, 0);
        bool to_long = program_is_long(d->p, insn->dst.kind, insn->dst.ref), sign = program_operand(d->p, insn->src + k)->flags & OPND_SIGNS;
        uint8_t turned = to_long ? 0 : components_of(d->p, insn, 1 - k, 0xbf800000u);
        mask &= turned ? turned : sign ? components_of(d->p, insn, 1 - k, 0x3f800000u) : 0;
    }
    if (!mask)
        return 0;
    mask &= of_integers(d, folded) & (rounds(insn) ? 15 : made_for_all(d, folded));
    taken = taken_along(d, insn, folded);
    for (unsigned c = 0; c < 4; c++)
        if (mask >> c & 1 && !(taken >> c & 1))
            taken |= (uint8_t)(1u << c & alone(d, insn, (unsigned)eval_signed_truth(d->p, insn, c), folded->made, true) & made_before(d, NULL, folded));
    return mask & taken;
}

uint64_t eval_whole_outcome(const struct decoder *d, const struct insn *insn, unsigned c)
{
    int k = eval_signed_truth(d->p, insn, c);
    const struct operand *o = program_operand(d->p, insn->src + (k > 0));
    bool negative = o->flags & OPND_ABSOLUTE ? operand_negates(o) : !operand_negates(o);

    if (rounds(insn) || program_is_long(d->p, insn->dst.kind, insn->dst.ref))
        return eval_truth_number(eval_result_type(insn), false);
    if (insn->op == OP_ABS)
        return 1;
    if (insn->op == OP_MUL && components_of(d->p, insn, 1 - (unsigned)k, 0xbf800000u))
        negative = !negative;
    return negative ? UINT32_MAX : 1;
}
