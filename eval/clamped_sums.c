/* What becomes of clamps. Sums with .SAT that are 1 and more if they are numbers. The driver's compiler writes 1.0 in their place, for NaN too, where they meet another value of
 * the variable or leave a subroutine, from the end of their block on, and where they are written under a test or go into an array that computed indices
 * reach; else the clamp makes +0 of NaN (docs/numbers.md; who computes floats of them: known_ones.c). And quotients of doubles with .SAT, whose clamp operations on integers do not see where nothing else reads the component. */
#include "eval/forward.h"
#include "eval/truths.h"

#include <string.h>

struct sum_search {
    struct truth_search ways;   /* with the sum at hand */
    uint8_t *come, *left;       /* of each block: the sum comes to where it begins, to its end */
    uint32_t *into, *before;    /* of each block: ways that lead there, of those that the sum leaves at, and of all that somebody takes */
    uint32_t *open, nopen;      /* blocks whose ends it comes to */
    uint32_t *reached, ncome;   /* and those whose beginnings */
    uint32_t *looked, look;     /* of each label: which look at what a call writes it was seen in */
    bool indirect;              /* CALI calls somewhere */
    bool quotient;              /* it is none, but RCP.F64 or DIV.F64 */
    bool meets;
};

bool eval_clamps_quotient(const struct gp5_program *p, const struct insn *insn)
{
    const struct symbol *to = insn->dst.kind == OPND_SYMBOL ? program_symbol(p, insn->dst.ref) : NULL;
    bool own = false;

    for (unsigned k = 0; to && k < insn->nsrc; k++)
        own |= program_operand(p, insn->src + k)->ref == insn->dst.ref && program_operand(p, insn->src + k)->kind != OPND_CONSTANT;
    return (insn->op == OP_RCP || insn->op == OP_DIV) && insn->type == DT_F64 && insn->flags & INSN_SAT && to && !own && to->kind == SYM_TEMP && !to->array &&
           to->size == SIZE_LONG && !insn->dst.nindices && !condition_restricts(&insn->dst.condition);
}

/* Whether operand k of an instruction is taken for an integer, in one that does not see the clamp: not in copies of all its bits. */
static bool takes_integer(const struct gp5_program *p, const struct insn *insn, unsigned k)
{
    uint8_t type = eval_operand_type(insn, k);
    bool wide = type != DT_NONE && type_table[type].bytes == 8;

    if (type == DT_NONE || type_table[type].is_float)
        return false;
    switch (insn->op) {
    case OP_MOV: return !wide || operand_has_sign(program_operand(p, insn->src));
    case OP_ADD: case OP_SUB: return !wide || !eval_is_zero(p, insn, 1 - k);
    case OP_CMP: return !wide || k;
    case OP_CVT: return !wide || !type_table[insn->type].is_float;
    case OP_I2F: return !wide;
    case OP_AND: case OP_OR: case OP_XOR: case OP_NOT: case OP_SHL: case OP_SHR: case OP_MUL: case OP_MAD: case OP_SAD: case OP_DIV: case OP_MOD:
    case OP_ABS: case OP_MIN: case OP_MAX: case OP_BFE: case OP_BFR: case OP_BTC: case OP_BTFL: case OP_BTFM:
        return true;
    default:
        return op_compares(insn->op) || op_votes(insn->op) || (op_shuffles(insn->op) && !k);
    }
}

/* Not what a test keeps back for certain. */
static bool writes(const struct sum_search *s, uint32_t at)
{
    const struct insn *insn = program_insn(s->ways.p, at);
    const struct result *r = &insn->dst;
    const struct folded *folded = eval_folded_at(s->ways.d, at);

    return r->kind == OPND_SYMBOL && r->condition.rule != CC_FL && !(folded && folded->fails >> s->ways.component & 1) &&
           eval_result_variable(s->ways.l, r, s->ways.component) == s->ways.variable &&
           eval_written(s->ways.l, insn) >> s->ways.component & 1;
}

/* Whether a subroutine, or one that it calls, writes the variable; `surely`: before anything that may keep lanes from it. */
static bool is_written_by(struct sum_search *s, uint32_t label, bool *surely)
{
    bool any = false, straight = true, deeper;

    *surely = false;
    s->looked[label] = s->look;
    for (uint32_t i = label; i < s->ways.p->insns.count && (i == label || !s->ways.l->label[i]); i++) {
        const struct insn *insn = program_insn(s->ways.p, i);
        if (writes(s, i)) {
            any = true;
            *surely |= straight && !(eval_truth_tested(&s->ways, i) >> s->ways.component & 1);
        }
        straight &= !op_flows(insn->op);
        if (insn->op == OP_CAL && insn->partner < s->ways.p->insns.count && s->looked[insn->partner] != s->look)
            any |= is_written_by(s, insn->partner, &deeper);
        any |= insn->op == OP_CALI;
    }
    return any;
}

static bool reads(const struct sum_search *s, uint32_t at)
{
    const struct insn *insn = program_insn(s->ways.p, at);
    bool any = false;

    for (unsigned k = 0; k < insn->nsrc && !any; k++) {
        const struct operand *o = program_operand(s->ways.p, insn->src + k);
        any = o->kind == OPND_SYMBOL && eval_variable(s->ways.l, o->kind, o->ref, o->nindices != 0, s->ways.component) == s->ways.variable &&
              eval_truth_components(&s->ways, at, k, s->ways.component);
    }
    return any;
}

/* Whether a subroutine that CALI may go to writes or reads it: what comes there from several calls meets. */
static bool is_touched_by_any(struct sum_search *s)
{
    bool any = false, surely;

    for (uint32_t k = 0; k < s->ways.p->symbols.count; k++) {
        const struct symbol *label = program_symbol(s->ways.p, k);
        if (!symbol_is_numbered(label) || label->instruction >= s->ways.p->insns.count || s->looked[label->instruction] == s->look)
            continue;
        any |= is_written_by(s, label->instruction, &surely);
        for (uint32_t i = label->instruction; i < s->ways.p->insns.count && (i == label->instruction || !s->ways.l->label[i]); i++)
            any |= reads(s, i);
    }
    return any;
}

/* The same of a call. */
static bool is_written_behind(struct sum_search *s, uint32_t at, bool *surely)
{
    const struct insn *insn = program_insn(s->ways.p, at);

    s->look++;
    if (insn->op == OP_CALI)
        return is_touched_by_any(s);
    if (insn->partner >= s->ways.p->insns.count || (!s->indirect && !eval_called_writes(s->ways.l, at, s->ways.variable)))
        return false;
    return is_written_by(s, insn->partner, surely);
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
    bool written = is_written_behind(s, at, &surely);

    s->meets |= written && (tested || !surely) && is_wanted(s, s->ways.l->block[at] + 1);
    return !written;
}

/* A write under a test chooses between two values, as of its type. */
static bool chooses_floats(const struct sum_search *s, uint32_t at)
{
    return (eval_truth_tested(&s->ways, at) & s->ways.l->useful[at]) >> s->ways.component & 1 && type_table[eval_result_type(program_insn(s->ways.p, at))].is_float;
}

/* Whether what is at hand is a quotient, and an instruction sees its clamp. */
static bool computes(const struct sum_search *s, uint32_t at)
{
    const struct insn *insn = program_insn(s->ways.p, at);
    bool any = false;

    for (unsigned k = 0; s->quotient && k < insn->nsrc; k++) {
        const struct operand *o = program_operand(s->ways.p, insn->src + k);
        bool same = o->kind == OPND_SYMBOL && eval_variable(s->ways.l, o->kind, o->ref, o->nindices != 0, s->ways.component) == s->ways.variable;
        any |= same && eval_truth_components(&s->ways, at, k, s->ways.component) && !takes_integer(s->ways.p, insn, k);
    }
    return any;
}

/* Whether it leaves its subroutine with an instruction, for somebody who wants it. */
static bool leaves(const struct sum_search *s, uint32_t at)
{
    const struct liveness *l = s->ways.l;
    bool ends = program_insn(s->ways.p, at)->op == OP_RET || at + 1 >= s->ways.p->insns.count || l->label[at + 1];

    return ends && !eval_in_main(&s->ways, at) && shared_bits_has(&l->callers[l->region[at]], s->ways.variable);
}

/* Whether the sum comes to the end of a block, which it comes to at an instruction. */
static bool through(struct sum_search *s, uint32_t block, uint32_t first)
{
    const struct liveness *l = s->ways.l;

    for (uint32_t i = first; i < l->start[block + 1]; i++) {
        const struct insn *insn = program_insn(s->ways.p, i);
        s->meets |= computes(s, i) || (s->quotient && op_calls(insn->op));
        if ((insn->op == OP_CAL || insn->op == OP_CALI) && !passes_call(s, i))
            return false;
        if (writes(s, i)) {
            s->meets |= s->quotient ? eval_truth_tested(&s->ways, i) >> s->ways.component & 1 : chooses_floats(s, i);
            return false;
        }
        s->meets |= leaves(s, i);
    }
    return true;
}

/* Goes through a block from an instruction on; where it leaves the block, it comes to those that follow. */
static void go_through(struct sum_search *s, uint32_t block, uint32_t first)
{
    if (!through(s, block, first) || s->left[block])
        return;
    s->left[block] = 1;
    s->open[s->nopen++] = block;
}

/* All blocks that it comes to. */
static void follow(struct sum_search *s)
{
    s->ncome = s->nopen = 0;
    s->meets |= leaves(s, s->ways.at);
    go_through(s, s->ways.l->block[s->ways.at], s->ways.at + 1);
    for (uint32_t at = 0; at < s->nopen && !s->meets; at++)
        for (uint32_t k = s->ways.next_of[s->open[at]]; k < s->ways.next_of[s->open[at] + 1]; k++) {
            uint32_t to = s->ways.next[k];
            s->into[to]++;
            if (s->come[to])
                continue;
            s->come[to] = 1;
            s->reached[s->ncome++] = to;
            go_through(s, to, s->ways.l->start[to]);
        }
}

/* Whether another value comes to where it is wanted: not every way there is one of those that it takes. */
static bool meets_another(const struct sum_search *s)
{
    for (uint32_t k = 0; k < s->ncome; k++)
        if (s->into[s->reached[k]] != s->before[s->reached[k]] && is_wanted(s, s->reached[k]))
            return true;
    return false;
}

static void forget(struct sum_search *s)
{
    for (uint32_t k = 0; k < s->ncome; k++)
        s->come[s->reached[k]] = 0, s->into[s->reached[k]] = 0;
    for (uint32_t k = 0; k < s->nopen; k++)
        s->left[s->open[k]] = 0;
}

static bool becomes_one(struct sum_search *s, uint32_t at, unsigned c)
{
    const struct result *r = &program_insn(s->ways.p, at)->dst;

    if (eval_is_indexed(s->ways.d, r->ref) || eval_truth_tested(&s->ways, at) >> c & 1)
        return true;
    s->ways.at = at;
    s->ways.component = c;
    s->ways.variable = eval_result_variable(s->ways.l, r, c);
    s->meets = false;
    if (s->ways.variable == NO_INDEX)
        return false;
    follow(s);
    s->meets = s->meets || meets_another(s);
    forget(s);
    return s->meets;
}

/* The last instruction of the block of one at hand before something else is written there. */
static uint32_t stands_until(const struct sum_search *s, uint32_t at)
{
    while (at + 1 < s->ways.p->insns.count && !s->ways.l->label[at + 1] && !eval_ends_block(program_insn(s->ways.p, at + 1)) &&
           !writes(s, at + 1))
        at++;
    return at;
}

/* A sum, or a copy of one, that is 1.0 at once where it is written under a test, or in an array, and else at the end of its block. */
static bool find_one(struct sum_search *s, uint32_t at, unsigned c)
{
    struct folded *folded = eval_folded_at(s->ways.d, at), *last;
    const struct result *r = &program_insn(s->ways.p, at)->dst;
    struct late_one late = {.of = at, .mask = (uint8_t)(1u << c)};
    uint32_t place;

    if (!becomes_one(s, at, c)) {
        folded->not_below &= (uint8_t)~late.mask;
        return true;
    }
    if (eval_is_indexed(s->ways.d, r->ref) || eval_truth_tested(&s->ways, at) >> c & 1)
        return true;
    folded->not_below &= (uint8_t)~late.mask;
    last = eval_folded_at(s->ways.d, stands_until(s, at));
    late.next = last->late;
    place = eval_push(s->ways.d, &s->ways.d->late, &late);
    last->late = place + 1;
    return !s->ways.d->no_memory;
}

static bool any_sums(const struct decoder *d)
{
    bool any = false;

    for (uint32_t i = 0; i < d->p->insns.count && !any; i++)
        any = eval_folded_at(d, i) && (eval_folded_at(d, i)->one | eval_folded_at(d, i)->unclamped);
    return any;
}

/* Counts the ways out of blocks that somebody comes to. */
static void count_ways(struct sum_search *s)
{
    const struct liveness *l = s->ways.l;
    uint32_t n = 0;

    for (uint32_t block = 0; block < l->nblocks; block++)
        if (block == 0 || l->start[block] == l->entry || l->label[l->start[block]]) {
            s->come[block] = 1;
            s->open[n++] = block;
        }
    for (uint32_t at = 0; at < n; at++)
        for (uint32_t k = s->ways.next_of[s->open[at]]; k < s->ways.next_of[s->open[at] + 1]; k++) {
            uint32_t to = s->ways.next[k];
            s->before[to]++;
            if (s->come[to])
                continue;
            s->come[to] = 1;
            s->open[n++] = to;
        }
    memset(s->come, 0, l->nblocks);
}

static bool begin(struct sum_search *s)
{
    size_t n = s->ways.l->nblocks + (size_t)1;

    s->looked = gp5_malloc((s->ways.p->insns.count + (size_t)1) * sizeof *s->looked);
    s->come = gp5_malloc(2 * n);
    s->into = gp5_malloc(4 * n * sizeof *s->into);
    if (!s->looked || !s->come || !s->into || !eval_find_ways(&s->ways))
        return false;
    s->left = s->come + n;
    s->before = s->into + n;
    s->open = s->before + n;
    s->reached = s->open + n;
    memset(s->looked, 0, (s->ways.p->insns.count + (size_t)1) * sizeof *s->looked);
    for (uint32_t i = 0; i < s->ways.p->insns.count; i++)
        s->indirect |= program_insn(s->ways.p, i)->op == OP_CALI;
    memset(s->come, 0, 2 * n);
    memset(s->into, 0, 2 * n * sizeof *s->into);
    count_ways(s);
    return true;
}

bool eval_find_clamped_sums(struct decoder *d)
{
    struct sum_search s = {.ways = {.d = d, .p = d->p}};
    bool ok;

    if (d->p->insns.count > TRUTH_MOST_INSTRUCTIONS || !eval_has(d, PASS_sat_one) || !any_sums(d))
        return true;
    s.ways.l = eval_liveness(d);
    if (!s.ways.l)
        return false;
    ok = begin(&s);
    for (uint32_t i = 0; ok && i < d->p->insns.count; i++) {
        struct folded *folded = eval_folded_at(d, i);
        s.quotient = folded->unclamped != 0;
        for (unsigned c = 0; c < 4; c++) {
            if (folded->one >> c & 1)
                ok = ok && find_one(&s, i, c);
            if (folded->unclamped >> c & 1 && (folded->mask >> c & 1 || becomes_one(&s, i, c)))
                folded->unclamped &= program_insn(d->p, i)->op == OP_RCP ? 0 : (uint8_t)~(1u << c);
        }
    }
    gp5_free(s.looked);
    gp5_free(s.come);
    gp5_free(s.into);
    eval_free_ways(&s.ways);
    return ok || eval_out_of_memory(d);
}
