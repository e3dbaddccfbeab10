/* Sums with .SAT that are 1 and more if they are numbers. The driver's compiler writes 1.0 in their place, for NaN too, where they meet another value of
 * the variable, leave a subroutine, go into an array that computed indices reach, or floats are computed of them; else the clamp makes +0 of NaN
 * (docs/numbers.md). */
#include "eval/truths.h"

#include <string.h>

/* Programs of more instructions are not looked at: the work grows with the square of their blocks. */
enum { MAX_INSTRUCTIONS = 4096 };

struct sum_search {
    struct truth_search ways;   /* with the sum at hand */
    uint8_t *come, *left;       /* of each block: the sum comes to where it begins, to its end */
    bool meets;
};

static bool writes(const struct sum_search *s, const struct insn *insn)
{
    const struct result *r = &insn->dst;

    return r->kind == OPND_SYMBOL && r->condition.rule != CC_FL &&
           eval_variable(s->ways.l, r->kind, r->ref, r->nindices != 0, s->ways.component) == s->ways.variable &&
           eval_written(s->ways.l, insn) >> s->ways.component & 1;
}

/* Whether a subroutine, or one that it calls, writes the variable; `surely`: before anything that may keep lanes from it. */
static bool is_written_by(const struct sum_search *s, uint32_t label, bool *surely)
{
    bool any = false, straight = true, deeper;

    *surely = false;
    for (uint32_t i = label; i < s->ways.p->insns.count && (i == label || !s->ways.l->label[i]); i++) {
        const struct insn *insn = program_insn(s->ways.p, i);
        if (writes(s, insn)) {
            any = true;
            *surely |= straight && !(eval_truth_tested(&s->ways, i) >> s->ways.component & 1);
        }
        straight &= !op_flows(insn->op);
        if (insn->op == OP_CAL && insn->partner < s->ways.p->insns.count && insn->partner != label)
            any |= is_written_by(s, insn->partner, &deeper);
        any |= insn->op == OP_CALI;
    }
    return any;
}

static bool is_wanted(const struct sum_search *s, uint32_t block)
{
    return block < s->ways.l->nblocks && shared_bits_has(&s->ways.l->live_in[block], s->ways.variable);
}

/* A call: what it writes takes the place of the sum, or meets it. */
static bool passes_call(struct sum_search *s, uint32_t at)
{
    const struct insn *insn = program_insn(s->ways.p, at);
    bool tested = condition_restricts(&insn->condition) && eval_outcome(s->ways.d, at) != OUTCOME_PASSES, surely = false;
    bool written = insn->op == OP_CALI || (insn->partner < s->ways.p->insns.count && is_written_by(s, insn->partner, &surely));

    s->meets |= written && (tested || !surely) && is_wanted(s, s->ways.l->block[at] + 1);
    return !written;
}

/* A write under a test chooses between two values, as of its type. */
static bool chooses_floats(const struct sum_search *s, uint32_t at)
{
    return (eval_truth_tested(&s->ways, at) & s->ways.l->useful[at]) >> s->ways.component & 1 && type_table[eval_result_type(program_insn(s->ways.p, at))].is_float;
}

/* Whether an instruction computes with the sum as with a float: 1.0 is folded in there. */
static bool computes(const struct sum_search *s, uint32_t at)
{
    const struct insn *insn = program_insn(s->ways.p, at);
    bool any = false;

    for (unsigned k = 0; k < insn->nsrc; k++) {
        const struct operand *o = program_operand(s->ways.p, insn->src + k);
        bool same = o->kind == OPND_SYMBOL && eval_variable(s->ways.l, o->kind, o->ref, o->nindices != 0, s->ways.component) == s->ways.variable;
        any |= same && eval_truth_components(&s->ways, at, k, s->ways.component) &&
               (eval_takes_floats(s->ways.p, insn, k) || (op_votes(insn->op) && insn->type == DT_F32));
    }
    return any;
}

/* Whether the sum comes to the end of a block, which it comes to at an instruction. */
static bool through(struct sum_search *s, uint32_t block, uint32_t first)
{
    const struct liveness *l = s->ways.l;

    for (uint32_t i = first; i < l->start[block + 1]; i++) {
        const struct insn *insn = program_insn(s->ways.p, i);
        bool ends = insn->op == OP_RET || i + 1 >= s->ways.p->insns.count || l->label[i + 1];
        s->meets |= computes(s, i);
        if ((insn->op == OP_CAL || insn->op == OP_CALI) && !passes_call(s, i))
            return false;
        if (writes(s, insn)) {
            s->meets |= chooses_floats(s, i);
            return false;
        }
        s->meets |= ends && !eval_in_main(&s->ways, i) && shared_bits_has(&l->callers[l->region[i]], s->ways.variable);
    }
    return true;
}

/* All blocks that it comes to. */
static void follow(struct sum_search *s)
{
    uint32_t n = s->ways.l->nblocks, own = s->ways.l->block[s->ways.at];
    bool changed = true;

    memset(s->come, 0, n);
    memset(s->left, 0, n);
    s->left[own] = through(s, own, s->ways.at + 1);
    while (changed && !s->meets) {
        changed = false;
        for (uint32_t b = 0; b < n; b++) {
            const uint64_t *next = s->ways.next + (size_t)b * s->ways.words;
            for (uint32_t w = 0; s->left[b] && w < s->ways.words; w++)
                for (uint64_t set = next[w]; set; set &= set - 1) {
                    uint32_t to = w * 64 + (uint32_t)__builtin_ctzll(set);
                    if (to >= n || s->come[to])
                        continue;
                    s->come[to] = changed = true;
                    s->left[to] |= through(s, to, s->ways.l->start[to]);
                }
        }
    }
}

/* Whether another value comes to where it is wanted. */
static bool meets_another(const struct sum_search *s)
{
    uint32_t n = s->ways.l->nblocks;

    for (uint32_t b = 0; b < n; b++)
        for (uint32_t from = 0; s->come[b] && is_wanted(s, b) && from < n; from++)
            if (!s->left[from] && s->ways.next[(size_t)from * s->ways.words + b / 64] >> b % 64 & 1)
                return true;
    return false;
}

static bool becomes_one(struct sum_search *s, uint32_t at, unsigned c)
{
    const struct result *r = &program_insn(s->ways.p, at)->dst;

    if (eval_is_indexed(s->ways.d, r->ref) || eval_truth_tested(&s->ways, at) >> c & 1)
        return true;
    s->ways.at = at;
    s->ways.component = c;
    s->ways.variable = eval_variable(s->ways.l, r->kind, r->ref, r->nindices != 0, c);
    s->meets = false;
    if (s->ways.variable == NO_INDEX)
        return false;
    follow(s);
    return s->meets || meets_another(s);
}

static bool any_sums(const struct decoder *d)
{
    bool any = false;

    for (uint32_t i = 0; i < d->p->insns.count && !any; i++)
        any = eval_folded_at(d, i) && eval_folded_at(d, i)->not_below;
    return any;
}

bool eval_find_clamped_sums(struct decoder *d)
{
    struct sum_search s = {.ways = {.d = d, .p = d->p}};
    bool ok;

    if (d->p->insns.count > MAX_INSTRUCTIONS || d->x->options.semantics != GP5_SEMANTICS_NVIDIA || !any_sums(d))
        return true;
    s.ways.l = eval_liveness(d);
    if (!s.ways.l)
        return false;
    s.come = gp5_malloc(2 * (size_t)s.ways.l->nblocks + 1);
    s.left = s.come ? s.come + s.ways.l->nblocks : NULL;
    ok = s.come && eval_find_ways(&s.ways);
    for (uint32_t i = 0; ok && i < d->p->insns.count; i++) {
        struct folded *folded = eval_folded_at(d, i);
        for (unsigned c = 0; c < 4; c++)
            if (folded->not_below >> c & 1 && !becomes_one(&s, i, c))
                folded->not_below &= (uint8_t)~(1u << c);
    }
    gp5_free(s.come);
    gp5_free(s.ways.next);
    return ok || eval_out_of_memory(d);
}
