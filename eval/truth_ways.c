/* Which writes come to those who read a component when the subroutine that wrote it has ended (truths.h). */
#include "eval/truths.h"

#include <string.h>

/* Which writes come to a place: the truth at hand, others. */
enum { THIS = 1, OTHER = 2 };

enum { UNKNOWN = 0xff };

struct adding {
    uint64_t *set;
    uint32_t behind;            /* the bit of what stands behind the subroutine */
};

static void add_block(void *user, uint32_t block)
{
    const struct adding *a = user;

    a->set[block / 64] |= 1ull << block % 64;
}

static void add_callers(void *user, uint32_t from)
{
    const struct adding *a = user;

    (void)from;                 /* the same wherever it returns */
    add_block(user, a->behind);
}

/* Those that follow a block, as liveness goes from block to block: one bit a block. */
bool eval_find_ways(struct truth_search *s)
{
    uint32_t n = s->l->nblocks;
    bool ok;

    s->words = n / 64 + 1;      /* a bit more: behind the subroutine */
    s->next = gp5_malloc(((size_t)n + 1) * s->words * sizeof *s->next);
    ok = s->next != NULL;
    if (ok) {
        for (uint32_t b = 0; b < n; b++) {
            uint32_t last = s->l->start[b + 1] - 1;
            uint64_t *set = s->next + (size_t)b * s->words;
            const struct insn *insn = program_insn(s->p, last);
            memset(set, 0, s->words * sizeof *set);
            bool returns = insn->op == OP_RET && insn->condition.rule == CC_FL;
            if (insn->op != OP_CAL && insn->op != OP_CALI && !returns) {
                eval_ways(s->l, b, &(struct ways){add_block, add_callers, &(struct adding){set, n}});
                continue;
            }
            if (last + 1 < s->p->insns.count && !s->l->label[last + 1])
                set[(b + 1) / 64] |= 1ull << (b + 1) % 64;
        }
    }
    return ok;
}

static uint8_t part(struct truth_search *s, uint32_t entry, uint8_t in);

static uint8_t called(struct truth_search *s, uint32_t label, uint8_t in)
{
    uint8_t *known, out;

    if (label >= s->p->insns.count)
        return in;
    known = s->behind + 4 * (size_t)s->l->block[label] + in;
    if (*known != UNKNOWN)
        return *known;
    *known = in;                /* it calls itself: such a program does not load */
    out = part(s, s->l->block[label], in);
    s->behind[4 * (size_t)s->l->block[label] + in] = out;
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

/* The subroutine that it is in is called under no test. */
static bool is_called_plainly(const struct truth_search *s, uint32_t at)
{
    bool plainly = false;

    for (uint32_t i = 0; i < s->p->insns.count; i++) {
        const struct insn *insn = program_insn(s->p, i);
        plainly |= insn->op == OP_CAL && insn->partner == s->part[at] && !condition_restricts(&insn->condition);
    }
    return plainly;
}

static bool reads(const struct truth_search *s, uint32_t at)
{
    const struct insn *insn = program_insn(s->p, at);
    bool any = false;

    for (unsigned k = 0; k < insn->nsrc; k++)
        any |= eval_truth_components(s, at, k, s->component) != 0;
    return any;
}

/* What an earlier call left is read where its own subroutine begins. */
static bool is_read_again(const struct truth_search *s, uint32_t at)
{
    for (size_t i = 0; i < s->reads.count; i++) {
        const struct truth_read *r = vec_at(&s->reads, i);
        if (r->insn == at && r->variable == s->variable && r->from & TRUTH_ELSEWHERE && !r->main)
            return true;
    }
    return false;
}

/* A read of the truth at hand, of something else too (`other`). */
static bool meets(const struct truth_search *s, uint32_t at, bool other)
{
    if (!reads(s, at))
        return false;
    if (s->part[at] == s->part[s->at])
        return is_read_again(s, at);
    return other || (!eval_in_main(s, at) && is_called_plainly(s, at));
}

static uint8_t through(struct truth_search *s, uint32_t block, uint8_t in)
{
    for (uint32_t i = s->l->start[block]; i < s->l->start[block + 1]; i++) {
        const struct insn *insn = program_insn(s->p, i);
        const struct result *r = &insn->dst;
        s->seen |= i == s->watch ? in : 0;
        if (in & THIS && !s->merged)
            s->merged = meets(s, i, in & OTHER);
        if (insn->op == OP_CAL || insn->op == OP_CALI)
            in = behind_call(s, i, in);
        else if (r->kind == OPND_SYMBOL &&
                 eval_variable(s->l, r->kind, r->ref, r->nindices != 0, s->component) == s->variable &&
                 eval_written(s->l, insn) >> s->component & 1 && r->condition.rule != CC_FL) {
            s->merged |= in == (THIS | OTHER) && eval_truth_tested(s, i) >> s->component & 1 && s->l->useful[i];
            in = i == s->at ? THIS : OTHER;
        }
    }
    return in;
}

/* The main program or a subroutine, from its first block on: what comes to its ends. */
static uint8_t part(struct truth_search *s, uint32_t entry, uint8_t in)
{
    uint32_t n = s->l->nblocks;
    uint8_t *come = gp5_malloc(n), out = 0;
    bool changed = true;

    if (!come) {
        s->failed = true;
        return in;
    }
    memset(come, 0, n);
    come[entry] = in;
    while (changed) {
        changed = false;
        for (uint32_t b = 0; b < n; b++) {
            const uint64_t *next = s->next + (size_t)b * s->words;
            uint32_t last = s->l->start[b + 1] - 1;
            uint8_t left = come[b] ? through(s, b, come[b]) : 0;
            const struct insn *insn = program_insn(s->p, last);
            bool ends = (insn->op == OP_RET && insn->condition.rule != CC_FL) || last + 1 >= s->p->insns.count || s->l->label[last + 1];
            for (uint32_t w = 0; left && w < s->words; w++)
                for (uint64_t set = next[w]; set; set &= set - 1) {
                    uint32_t to = w * 64 + (uint32_t)__builtin_ctzll(set);
                    if (to < n && (come[to] | left) != come[to]) {
                        come[to] |= left;
                        changed = true;
                    }
                }
            out |= ends || next[n / 64] >> n % 64 & 1 ? left : 0;      /* the ends of an IF or a loop may be the last ones too */
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

bool eval_comes_alone(struct truth_search *s, uint32_t reader)
{
    s->watch = reader;
    s->seen = 0;
    memset(s->behind, UNKNOWN, 4 * (size_t)s->l->nblocks);
    if (s->l->entry < s->p->insns.count)
        part(s, s->l->block[s->l->entry], OTHER);
    s->watch = NO_INDEX;
    return s->seen == THIS && !s->failed;
}

bool eval_leaves_alone(struct truth_search *s)
{
    if (meets_another(s))
        return false;
    memset(s->behind, UNKNOWN, 4 * (size_t)s->l->nblocks);
    s->merged = false;
    if (s->l->entry < s->p->insns.count)
        part(s, s->l->block[s->l->entry], OTHER);
    return !s->merged && !s->failed;
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
    for (uint32_t i = at + 1; left && i < s->p->insns.count && !s->l->label[i]; i++) {
        const struct insn *later = program_insn(s->p, i);
        if (later->cc_update == insn->cc_update && s->l->block[i] == s->l->block[at] && !condition_restricts(&later->dst.condition))
            left &= (uint8_t)~later->dst.mask;
    }
    return left;
}
