/* What comes to subroutines from other parts: what stands before them in the text, which the driver's compiler has been through, the main program first
 * (truths.h). */
#include "eval/truths.h"
#include "eval/votes.h"

enum { MOST_WALKS = 1024, MOST_BOUNDS = 3 };

/* Whether a write may be told to a reader: it is a candidate, of a part that comes first. */
static bool comes_first(const struct truth_search *s, uint32_t at, const struct truth_read *r, bool main)
{
    const struct result *to = &program_insn(s->p, at)->dst;

    if (!(s->truth[at] >> r->component & 1) || s->part[at] == s->part[r->insn] || to->kind != OPND_SYMBOL || to->ref != r->symbol)
        return false;
    return eval_in_main(s, at) ? main : at < r->insn;
}

void eval_find_outside(struct truth_search *s, bool main)
{
    unsigned walks = 0;

    eval_find_passes(s);
    for (size_t i = 0; i < s->reads.count; i++) {
        struct truth_read *r = vec_at(&s->reads, i);
        for (uint32_t k = s->named_of[r->symbol]; !r->main && r->from == TRUTH_ELSEWHERE && r->outside == NO_INDEX && k < s->named_of[r->symbol + 1]; k++) {
            uint32_t at = s->named[k];
            if (!comes_first(s, at, r, main) || walks++ == MOST_WALKS)
                continue;
            s->at = at;
            s->component = r->component;
            s->variable = r->variable;
            if (eval_comes_alone(s, r->insn))
                r->outside = 4 * at + r->component;
        }
    }
}

static bool calls(const struct truth_search *s, const struct truth_read *r)
{
    return r->operand == 4 && program_insn(s->p, r->insn)->op == OP_CAL;
}

bool eval_is_followed_call(const struct truth_search *s, const struct truth_read *r)
{
    bool told = calls(s, r);

    for (size_t i = 0; told && i < s->reads.count; i++) {
        const struct truth_read *other = vec_at(&s->reads, i);
        bool later = r->main || other->insn > r->insn;
        told = other->variable != r->variable || other->main || !later || s->part[other->insn] == s->part[r->insn] || !(other->from & TRUTH_ELSEWHERE) || calls(s, other) || other->outside != NO_INDEX;
    }
    return told;
}

/* ---- what comparisons of integers say --------------------------------------------------------------------------------------- */

/* A comparison, logic of two, or a copy of such. */
static bool is_of_comparisons(const struct truth_search *s, uint32_t write)
{
    while (write != NO_INDEX && program_insn(s->p, write / 4)->op == OP_MOV) {
        uint32_t from = NO_INDEX;
        for (uint32_t k = s->last_read[write / 4]; k && from == NO_INDEX;) {
            const struct truth_read *r = vec_at(&s->reads, k - 1);
            from = r->results >> write % 4 & 1 ? eval_only_write(s, r) : NO_INDEX;
            k = r->before;
        }
        write = from;
    }
    return write != NO_INDEX && (op_compares(program_insn(s->p, write / 4)->op) || op_joins_bits(program_insn(s->p, write / 4)->op));
}

static bool looks_at_bound(const struct truth_search *s, uint32_t i)
{
    uint16_t op = program_insn(s->p, i)->op;

    return (op == OP_LDB || op == OP_STB || op == OP_ATOMB) && s->l->useful[i];
}

/* Whether so much of the main program follows a write of it that the compiler does not go through a subroutine with that. */
static bool is_far_from_end(const struct truth_search *s, uint32_t write)
{
    unsigned bounds = 0;

    for (uint32_t i = write + 1; eval_in_main(s, write) && i < s->l->main_end && bounds < MOST_BOUNDS; i++)
        bounds += looks_at_bound(s, i);
    return bounds == MOST_BOUNDS;
}

bool eval_hears_outside(const struct truth_search *s, const struct truth_read *r, uint32_t write)
{
    bool behind = is_far_from_end(s, write / 4);

    for (uint32_t i = s->part[r->insn]; i < r->insn; i++) {
        const struct insn *insn = program_insn(s->p, i);
        bool counted = insn->nsrc && program_operand(s->p, insn->src)->kind == OPND_CONSTANT, decides = insn->op == OP_IF && eval_form(s->d, i) == FORM_PLAIN && !eval_decides_nothing(s, i);
        behind |= looks_at_bound(s, i) || (insn->op == OP_REP && !counted) || insn->op == OP_BRK || insn->op == OP_CONT || decides;
    }
    return !behind || (eval_votes_floats(program_insn(s->p, r->insn)) && is_of_comparisons(s, write));
}

void eval_tell_compared(struct truth_search *s, const struct truth_read *r)
{
    const struct insn *by = r->outside == NO_INDEX ? NULL : program_insn(s->p, r->outside / 4);
    bool other = false;

    if (!by || !op_compares(by->op) || !eval_votes_floats(program_insn(s->p, r->insn)) || program_operand(s->p, program_insn(s->p, r->insn)->src)->flags & OPND_ABSOLUTE || r->operand > 3)
        return;
    for (unsigned k = 0; k < 2; k++) {
        const struct operand *o = program_operand(s->p, by->src + k);
        other |= o->kind != OPND_SYMBOL || program_symbol(s->p, o->ref)->kind != SYM_TEMP;
    }
    if (other)
        s->d->truths->whole[r->insn] |= r->results & program_insn(s->p, r->insn)->dst.mask;
}
