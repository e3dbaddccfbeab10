/* Which writes come to those who read a component when the subroutine that wrote it has ended (truths.h). */
#include "eval/forward.h"
#include "eval/truths.h"

#include <string.h>

/* Which writes come to a place: the truth at hand, others; nothing yet. */
enum { THIS = 1, OTHER = 2, NOTHING = 4, STATES = 8 };

enum { UNKNOWN = 0xff };

static uint8_t part(struct truth_search *s, uint32_t entry, uint8_t in);

static uint8_t called(struct truth_search *s, uint32_t label, uint8_t in)
{
    uint8_t *known, out;

    if (label >= s->p->insns.count)
        return in;
    if (s->variable != NO_INDEX && !shared_bits_has(eval_touched_by_part(s->l, label), s->variable / 4))
        return s->passes[label] ? in : 0;
    known = s->behind + STATES * (size_t)s->l->block[label] + in;
    if (*known != UNKNOWN)
        return *known;
    *known = in;                /* it calls itself: such a program does not load */
    out = part(s, s->l->block[label], in);
    s->behind[STATES * (size_t)s->l->block[label] + in] = out;
    return out;
}

static uint8_t behind_call(struct truth_search *s, uint32_t at, uint8_t in)
{
    const struct insn *insn = program_insn(s->p, at);
    bool tested = condition_restricts(&insn->condition) && eval_outcome(s->d, at) != OUTCOME_PASSES;
    uint8_t out = tested || insn->op == OP_CALI ? in : 0;

    if (insn->op == OP_CAL)
        return out | called(s, insn->partner, in);
    for (uint32_t k = 0; k < s->p->symbols.count; k++) {
        const struct symbol *label = program_symbol(s->p, k);
        if (symbol_is_numbered(label))
            out |= called(s, label->instruction, in);
    }
    return out;
}

static bool reads(const struct truth_search *s, uint32_t at)
{
    const struct insn *insn = program_insn(s->p, at);
    bool any = false;

    for (unsigned k = 0; k < insn->nsrc; k++)
        any |= (s->array == NO_INDEX ? eval_truth_components(s, at, k, s->component) : eval_element_components(s, at, k)) != 0;
    return any;
}

/* What an earlier call left is read where its own subroutine begins. */
static bool is_read_again(const struct truth_search *s, uint32_t at)
{
    for (uint32_t k = s->last_read[at]; k;) {
        const struct truth_read *r = vec_at(&s->reads, k - 1);
        if (r->variable == s->variable && r->from & TRUTH_ELSEWHERE && !r->main)
            return true;
        k = r->before;
    }
    return false;
}

/* A read of the truth at hand, of something else too (`other`). */
static bool meets(const struct truth_search *s, uint32_t at, bool other)
{
    if (!reads(s, at))
        return false;
    if (s->array != NO_INDEX)
        return other || eval_converts_narrow(program_insn(s->p, at));
    if (s->part[at] == s->part[s->at] && !s->chooses)
        return is_read_again(s, at);
    return other;
}

/* The component at hand behind an instruction that may write it. */
static uint8_t behind_write(struct truth_search *s, uint32_t at, uint8_t in)
{
    const struct insn *insn = program_insn(s->p, at);
    const struct result *r = &insn->dst;
    bool tested;

    if (r->kind != OPND_SYMBOL || r->condition.rule == CC_FL || !(eval_written(s->l, insn) >> s->component & 1) ||
        (s->array == NO_INDEX ? eval_result_variable(s->l, r, s->component) != s->variable : !eval_may_be_element(s, r->kind, r->ref, r->index, r->nindices)))
        return in;
    tested = eval_truth_tested(s, at) >> s->component & 1;
    if (s->array != NO_INDEX && at != s->at && (tested || program_index(s->p, r->index)->mode != INDEX_CONSTANT))
        return in | OTHER;
    s->merged |= in & THIS && in & OTHER && tested && s->l->useful[at];
    return at == s->at ? THIS : OTHER;
}

/* What comes to the end of a block; where the variable is not named, only calls count. */
static uint8_t through(struct truth_search *s, uint32_t block, uint8_t in)
{
    bool named = s->marked[block] == s->mark, looks = named || s->calls[block] || (s->watch != NO_INDEX && s->l->block[s->watch] == block);

    for (uint32_t i = s->l->start[block]; looks && i < s->l->start[block + 1]; i++) {
        const struct insn *insn = program_insn(s->p, i);
        s->seen |= i == s->watch ? in : 0;
        if (named && (in & THIS || s->array != NO_INDEX) && !s->merged)
            s->merged = meets(s, i, in & OTHER);
        if (insn->op == OP_CAL || insn->op == OP_CALI)
            in = behind_call(s, i, in);
        else if (named)
            in = behind_write(s, i, in);
    }
    return in;
}

/* The end of the part that begins with a block. */
static uint32_t end_of(const struct truth_search *s, uint32_t entry)
{
    uint32_t part = s->part[s->l->start[entry]], end = entry + 1;

    while (end < s->l->nblocks && s->part[s->l->start[end]] == part)
        end++;
    return end;
}

/* The main program or a subroutine, from its first block on: what comes to its ends. */
static uint8_t part(struct truth_search *s, uint32_t entry, uint8_t in)
{
    uint32_t end = end_of(s, entry);
    uint8_t *come = gp5_malloc(end - entry), out = 0;
    bool changed = true;

    if (!come) {
        s->failed = true;
        return in;
    }
    memset(come, 0, end - entry);
    come[0] = in;
    while (changed) {
        changed = false;
        for (uint32_t b = entry; b < end; b++) {
            uint32_t last = s->l->start[b + 1] - 1;
            uint8_t left = come[b - entry] ? through(s, b, come[b - entry]) : 0;
            const struct insn *insn = program_insn(s->p, last);
            bool ends = (insn->op == OP_RET && insn->condition.rule != CC_FL) || last + 1 >= s->p->insns.count || s->l->label[last + 1];
            for (uint32_t k = s->next_of[b]; left && k < s->next_of[b + 1]; k++) {
                uint32_t to = s->next[k];
                if (to >= entry && to < end && (come[to - entry] | left) != come[to - entry]) {
                    come[to - entry] |= left;
                    changed = true;
                }
            }
            out |= ends || s->returns[b] ? left : 0;    /* the ends of an IF or a loop may be the last ones too */
        }
    }
    gp5_free(come);
    return out;
}

/* Whether the next write of the component in its part stands in another block, or is one under a test. */
static bool meets_another(const struct truth_search *s)
{
    for (uint32_t i = s->at + 1; i < s->p->insns.count && !s->l->label[i]; i++) {
        const struct insn *insn = program_insn(s->p, i);
        if (insn->dst.kind == OPND_SYMBOL && insn->dst.ref == program_insn(s->p, s->at)->dst.ref && eval_written(s->l, insn) >> s->component & 1)
            return eval_truth_tested(s, i) >> s->component & 1 || s->l->block[i] != s->l->block[s->at];
    }
    return false;
}

void eval_find_passes(struct truth_search *s)
{
    s->variable = NO_INDEX;
    s->mark++;                  /* nothing is named */
    memset(s->behind, UNKNOWN, STATES * (size_t)s->l->nblocks);
    for (uint32_t i = 0; i < s->p->insns.count; i++)
        if (s->l->label[i])
            s->passes[i] = called(s, i, THIS) != 0;
}

bool eval_comes_alone(struct truth_search *s, uint32_t reader)
{
    s->watch = reader;
    s->seen = 0;
    eval_mark_symbol(s, program_insn(s->p, s->at)->dst.ref);
    memset(s->behind, UNKNOWN, STATES * (size_t)s->l->nblocks);
    if (s->l->entry < s->p->insns.count)
        part(s, s->l->block[s->l->entry], NOTHING);
    s->watch = NO_INDEX;
    return (s->seen & (THIS | OTHER)) == THIS && !s->failed;
}

bool eval_meets_nothing(struct truth_search *s)
{
    eval_mark_symbol(s, program_insn(s->p, s->at)->dst.ref);
    memset(s->behind, UNKNOWN, STATES * (size_t)s->l->nblocks);
    s->merged = false;
    if (s->l->entry < s->p->insns.count)
        part(s, s->l->block[s->l->entry], NOTHING);
    return !s->merged && !s->failed;
}

bool eval_leaves_alone(struct truth_search *s)
{
    return !(s->array == NO_INDEX && (meets_another(s) || eval_writes_over_used(s))) && eval_meets_nothing(s);
}

uint8_t eval_flags_leave(const struct truth_search *s, uint32_t at)
{
    const struct insn *insn = program_insn(s->p, at);
    uint8_t left = 0;

    for (unsigned c = 0; !eval_in_main(s, at) && c < 4; c++) {
        uint32_t cc = eval_cc_variable(insn->cc_update - 1u, c);
        left |= (uint8_t)(shared_bits_has(&s->l->returned, cc) << c);
    }
    left &= insn->dst.mask & s->l->flags[at];
    for (uint32_t i = at + 1; left && i < s->p->insns.count && s->l->block[i] == s->l->block[at]; i++) {
        const struct insn *later = program_insn(s->p, i);
        if (later->cc_update == insn->cc_update && !condition_restricts(&later->dst.condition))
            left &= (uint8_t)~later->dst.mask;
    }
    return left;
}
