/* Comparisons of floats whose result leaves a subroutine: the driver's compiler holds it as a predicate there, and makes the number 1 of
 * that, not 1.0 (docs/numbers.md, "Comparisons in subroutines"; tests/flow.txt, set_called*). So it is where
 *
 *   - the program has a predicate somewhere: flags of an integer comparison, a vote, a selection;
 *   - nothing in the rest of the subroutine reads the component;
 *   - wherever the component is read, no other write comes together with this one.
 */
#include "eval/escapes.h"

#include "eval/liveness.h"
#include "eval/sources.h"

#include <string.h>

/* Programs of more instructions, copies of loops' bodies among them, are not looked at: the work grows with the square of their blocks. */
enum { MAX_INSTRUCTIONS = 4096 };

/* Which writes come to a place: this one, others. */
enum { THIS = 1, OTHER = 2 };

struct search {
    struct decoder *d;
    const struct gp5_program *p;
    const struct liveness *l;
    uint64_t *next;             /* of each block the set of those that follow it in its subroutine */
    uint32_t words;
    uint8_t *called;            /* of each instruction: a subroutine that is called begins with it */
    uint8_t *behind;            /* what comes out of a subroutine, by its first block and what comes in; UNKNOWN: not looked at yet */
    uint32_t at, variable;      /* the comparison at hand, and the component */
    unsigned component;
    uint32_t predicates;
    bool merged, failed;
};

enum { UNKNOWN = 0xff };

static bool in_main(const struct search *s, uint32_t i)
{
    return i >= s->l->entry && i < s->l->main_end;
}

/* ---- what counts --------------------------------------------------------------------------------------------------------- */

static bool is_candidate(const struct search *s, const struct insn *insn)
{
    const struct result *r = &insn->dst;

    return op_compares(insn->op) && (insn->type == DT_F32 || insn->type == DT_F64) && r->kind == OPND_SYMBOL && !r->nindices &&
           !(insn->flags & (INSN_SAT | INSN_SSAT | INSN_PREC | INSN_HALF)) && !condition_restricts(&r->condition) &&
           program_symbol(s->p, r->ref)->kind == SYM_TEMP && !program_symbol(s->p, r->ref)->array &&
           program_symbol(s->p, r->ref)->size == SIZE_DEFAULT;
}

/* A test of what a comparison of floats said; that is never below zero. */
static bool tests_comparison(const struct search *s, uint32_t i)
{
    const struct condition *test = &program_insn(s->p, i)->condition;

    if (!condition_restricts(test) || test->rule == CC_FL || test->rule == CC_LT || test->rule == CC_GE ||
        eval_outcome(s->d, i) != OUTCOME_TESTED)
        return false;
    while (i-- && !s->l->label[i + 1]) {
        const struct insn *insn = program_insn(s->p, i);
        if (insn->cc_update && insn->cc_update - 1u == (test->cc & 1u))
            return op_compares(insn->op);
    }
    return false;
}

/* A choice by what nobody knows, that is neither narrowed nor an absolute value, between two things; not in halves. */
static bool selects(const struct search *s, uint32_t i, bool wide)
{
    const struct insn *insn = program_insn(s->p, i);
    const struct operand *o = program_operand(s->p, insn->src);
    const struct folded *folded = eval_folded_at(s->d, i);
    uint8_t taken = folded ? (uint8_t)(folded->mask | folded->taken[0] | folded->taken[1] | folded->taken[2]) : 0;

    return insn->type != DT_F16 && !(insn->flags & INSN_HALF) && !(o->flags & OPND_ABSOLUTE) && program_is_long(s->p, o->kind, o->ref) == wide &&
           insn->dst.mask & ~taken;
}

/* What the compiler holds as a predicate: flags that a comparison of integers sets, those of one of floats that a branch tests, in the
 * main program votes and selections, and what divisions of 64 bits are made of. `called`: in a subroutine. */
static bool is_predicate(const struct search *s, uint32_t i, bool called)
{
    const struct insn *insn = program_insn(s->p, i);
    bool wide = insn->type != DT_NONE && type_table[insn->type].bytes == 8;

    if (!s->l->useful[i])
        return false;
    switch (insn->op) {
    case OP_IF: case OP_BRK: case OP_CONT: case OP_CAL: case OP_CALI: case OP_RET:
        return tests_comparison(s, i);
    case OP_TGALL: case OP_TGANY: case OP_TGEQ: case OP_TGBALLOT:
        return !called || s->l->flags[i];
    case OP_CMP:
        return selects(s, i, wide) && (wide || !called);
    case OP_DIV:
        return insn->type == DT_F64;
    case OP_MOD: case OP_RCP:
        return wide;
    default:
        return op_compares(insn->op) && s->l->flags[i] && insn->type != DT_F32 && !wide;
    }
}

/* ---- the program --------------------------------------------------------------------------------------------------------- */

static void call_label(struct search *s, uint32_t to, bool *more)
{
    if (to < s->p->insns.count && !s->called[to] && s->l->label[to])
        s->called[to] = *more = true;
}

static void find_called(struct search *s, uint32_t from, bool *more)
{
    for (uint32_t i = from; i < s->p->insns.count && (i == from || !s->l->label[i]); i++) {
        const struct insn *insn = program_insn(s->p, i);
        if (insn->op == OP_CAL)
            call_label(s, insn->partner, more);
        for (uint32_t k = 0; insn->op == OP_CALI && k < s->p->symbols.count; k++) {
            const struct symbol *label = program_symbol(s->p, k);
            if (label->kind == SYM_LABEL && label->defined && label->numbered)
                call_label(s, label->instruction, more);
        }
    }
}

static bool divides_doubles(const struct insn *insn)
{
    return insn->op == OP_DIV && insn->type == DT_F64;
}

/* Marks the subroutines that are called, and counts the predicates in what runs. */
static void count_predicates(struct search *s)
{
    bool more = true, called = false;

    find_called(s, s->l->entry, &more);
    while (more) {
        more = false;
        for (uint32_t i = 0; i < s->p->insns.count; i++)
            if (s->called[i])
                find_called(s, i, &more);
    }
    for (uint32_t i = 0; i < s->p->insns.count; i++) {
        called = s->l->label[i] ? s->called[i] : called;
        if ((in_main(s, i) || called) && is_predicate(s, i, !in_main(s, i)))
            s->predicates++;
    }
}

/* Whether there is any but for divisions of doubles behind the comparison in its subroutine. */
static bool has_predicates(const struct search *s)
{
    uint32_t behind = 0;

    for (uint32_t i = s->at + 1; i < s->p->insns.count && !s->l->label[i]; i++)
        behind += divides_doubles(program_insn(s->p, i)) && is_predicate(s, i, true);
    return s->predicates > behind;
}

/* A loop whose first round comes for certain. */
static bool runs_once(const struct search *s, const struct insn *insn)
{
    const struct operand *o = program_operand(s->p, insn->src);
    struct known none = {.p = s->p};
    uint64_t count;

    return insn->op == OP_REP && (!insn->nsrc || (o->kind == OPND_CONSTANT && eval_known_operand(&none, o, 0, DT_S32, &count) &&
                                                  (int32_t)(uint32_t)count > 0));
}

/* Those that follow a block, as liveness goes from block to block, with one bit a block in the place of what is wanted there. */
static bool find_next(struct search *s)
{
    struct liveness bits = *s->l;
    uint32_t n = s->l->nblocks;
    bool ok;

    s->words = bits.words = n / 64 + 1;      /* a bit more: behind the subroutine */
    s->next = gp5_malloc(((size_t)n + 1) * s->words * sizeof *s->next);
    bits.live_in = gp5_malloc(((size_t)n + 1) * s->words * sizeof *bits.live_in);
    ok = s->next && bits.live_in;
    if (ok) {
        memset(bits.live_in, 0, ((size_t)n + 1) * s->words * sizeof *bits.live_in);
        bits.returned = bits.live_in + (size_t)n * s->words;
        bits.returned[n / 64] |= 1ull << n % 64;
        for (uint32_t b = 0; b < n; b++)
            bits.live_in[(size_t)b * s->words + b / 64] |= 1ull << b % 64;
        for (uint32_t b = 0; b < n; b++) {
            uint32_t last = s->l->start[b + 1] - 1;
            uint64_t *set = s->next + (size_t)b * s->words;
            const struct insn *insn = program_insn(s->p, last);
            bool returns = insn->op == OP_RET && insn->condition.rule == CC_FL;
            if (insn->op != OP_CAL && insn->op != OP_CALI && !returns && !(eval_form(s->d, last) == FORM_PLAIN && runs_once(s, insn))) {
                eval_live_out(&bits, b, set);
                continue;
            }
            memset(set, 0, s->words * sizeof *set);
            if (last + 1 < s->p->insns.count && !s->l->label[last + 1])
                set[(b + 1) / 64] |= 1ull << (b + 1) % 64;
        }
    }
    gp5_free(bits.live_in);
    return ok;
}

/* ---- which writes come where --------------------------------------------------------------------------------------------- */

static bool reads(const struct search *s, uint32_t at)
{
    const struct insn *insn = program_insn(s->p, at);
    uint8_t useful = s->l->useful[at];

    for (unsigned k = 0; k < insn->nsrc; k++) {
        const struct operand *o = program_operand(s->p, insn->src + k);
        uint32_t ref = program_insn(s->p, s->at)->dst.ref;
        if (o->kind == OPND_EXTENDED && o->ref == ref)
            return true;
        if ((o->kind != OPND_SYMBOL && o->kind != OPND_HANDLE) || o->ref != ref)
            continue;
        for (unsigned c = 0; c < 4; c++)
            for (unsigned i = 0; i < 4; i++)
                if ((useful >> c & 1 || (useful & LIVE_EFFECT && insn->dst.kind == OPND_NONE)) && eval_component_reads(insn->op, k, c) >> i & 1 &&
                    (o->swizzle >> 2 * i & 3) == s->component)
                    return true;
    }
    return false;
}

static uint8_t part(struct search *s, uint32_t entry, uint8_t in);

static uint8_t called(struct search *s, uint32_t label, uint8_t in)
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

static uint8_t behind_call(struct search *s, const struct insn *insn, uint8_t in)
{
    uint8_t out = condition_restricts(&insn->condition) || insn->op == OP_CALI ? in : 0;

    if (insn->op == OP_CAL)
        return out | called(s, insn->partner, in);
    for (uint32_t k = 0; k < s->p->symbols.count; k++) {
        const struct symbol *label = program_symbol(s->p, k);
        if (label->kind == SYM_LABEL && label->defined && label->numbered)
            out |= called(s, label->instruction, in);
    }
    return out;
}

static uint8_t through(struct search *s, uint32_t block, uint8_t in)
{
    for (uint32_t i = s->l->start[block]; i < s->l->start[block + 1]; i++) {
        const struct insn *insn = program_insn(s->p, i);
        const struct result *r = &insn->dst;
        s->merged |= in == (THIS | OTHER) && reads(s, i);
        if (insn->op == OP_CAL || insn->op == OP_CALI)
            in = behind_call(s, insn, in);
        else if (r->kind == OPND_SYMBOL &&
                 eval_variable(s->l, r->kind, r->ref, r->nindices != 0, s->component) == s->variable &&
                 eval_written(s->l, insn) >> s->component & 1 && r->condition.rule != CC_FL) {
            s->merged |= in == (THIS | OTHER) && condition_restricts(&r->condition) && s->l->useful[i];
            in = i == s->at ? THIS : OTHER;
        }
    }
    return in;
}

/* The main program or a subroutine, from its first block on: what comes to its ends. */
static uint8_t part(struct search *s, uint32_t entry, uint8_t in)
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

/* ---- one comparison ------------------------------------------------------------------------------------------------------ */

static bool is_called_again(const struct search *s, uint32_t label)
{
    unsigned calls = 0;

    for (uint32_t i = 0; i < s->p->insns.count; i++) {
        const struct insn *insn = program_insn(s->p, i);
        calls += insn->op == OP_CALI ? 2 : insn->op == OP_CAL && insn->partner == label;
    }
    return calls > 1;
}

/* Whether its subroutine reads the component: behind it in the text, or before it when it is called again. */
static bool is_read(const struct search *s)
{
    uint32_t i = s->at;
    bool before = true, again;

    while (i && !s->l->label[i])
        i--;
    again = is_called_again(s, i);
    for (bool first = true; i < s->p->insns.count && (first || !s->l->label[i]); i++, first = false) {
        const struct insn *insn = program_insn(s->p, i);
        bool writes = insn->dst.kind == OPND_SYMBOL && insn->dst.ref == program_insn(s->p, s->at)->dst.ref &&
                      eval_written(s->l, insn) >> s->component & 1;
        if ((again || !before) && reads(s, i))
            return true;
        if (!before && writes)
            return condition_restricts(&insn->dst.condition) || s->l->block[i] != s->l->block[s->at];
        before &= i != s->at;
    }
    return false;
}

static bool escapes(struct search *s)
{
    const struct insn *insn = program_insn(s->p, s->at);

    s->variable = eval_variable(s->l, OPND_SYMBOL, insn->dst.ref, false, s->component);
    if (s->variable == NO_INDEX || !has_predicates(s) || is_read(s))
        return false;
    memset(s->behind, UNKNOWN, 4 * (size_t)s->l->nblocks);
    s->merged = false;
    if (s->l->entry < s->p->insns.count)
        part(s, s->l->block[s->l->entry], OTHER);
    return !s->merged && !s->failed;
}

/* An operand that the components written first would change for the others. */
static bool overlaps(const struct search *s, const struct insn *insn)
{
    for (unsigned k = 0; k < 2; k++) {
        const struct operand *o = program_operand(s->p, insn->src + k);
        if (o->kind == OPND_EXTENDED || (o->kind == OPND_SYMBOL && o->ref == insn->dst.ref))
            return true;
    }
    return false;
}

static void look(struct search *s)
{
    uint32_t loops = 0;

    for (uint32_t i = 0; i < s->p->insns.count && !s->failed; i++) {
        const struct insn *insn = program_insn(s->p, i);
        loops += insn->op == OP_REP;
        loops -= insn->op == OP_ENDREP && eval_form(s->d, i) != FORM_NEXT && loops;
        if (in_main(s, i) || loops || !is_candidate(s, insn))
            continue;
        for (s->at = i, s->component = 0; s->component < 4; s->component++)
            if (insn->dst.mask >> s->component & 1 && !((eval_folded(s->d, i) | s->l->flags[i]) >> s->component & 1) && escapes(s))
                s->d->escaped[i] |= (uint8_t)(1u << s->component);
        if (s->d->escaped[i] != insn->dst.mask && overlaps(s, insn))
            s->d->escaped[i] = 0;
    }
}

/* Whether there may be any. */
static bool worth_a_look(const struct decoder *d)
{
    bool calls = false, compares = false;

    for (uint32_t i = 0; i < d->p->insns.count; i++) {
        const struct insn *insn = program_insn(d->p, i);
        calls |= insn->op == OP_CAL || insn->op == OP_CALI;
        compares |= op_compares(insn->op) && (insn->type == DT_F32 || insn->type == DT_F64);
    }
    return calls && compares && d->x->options.semantics == GP5_SEMANTICS_NVIDIA;
}

bool eval_find_escapes(struct decoder *d)
{
    struct search s = {.d = d, .p = d->p};
    size_t n = d->p->insns.count;

    if (n > MAX_INSTRUCTIONS || !worth_a_look(d))
        return true;
    s.l = eval_liveness(d);
    if (!s.l)
        return false;
    s.called = gp5_malloc(n + 1);
    s.behind = gp5_malloc(4 * (size_t)s.l->nblocks + 1);
    d->escaped = gp5_malloc(n + 1);
    s.failed = !s.called || !s.behind || !d->escaped;
    if (!s.failed) {
        memset(s.called, 0, n + 1);
        memset(d->escaped, 0, n + 1);
        count_predicates(&s);
        if (s.predicates) {
            s.failed = !find_next(&s);
            look(&s);
        }
    }
    gp5_free(s.called);
    gp5_free(s.behind);
    gp5_free(s.next);
    return s.failed ? eval_out_of_memory(d) : true;
}

bool eval_decode_escaped(struct decoder *d, const struct insn *insn)
{
    bool wide = type_table[insn->type].bytes == 8;
    struct kernel_request want = eval_request_of(d, insn, insn->op), shift = eval_request(d, OP_SHR, wide ? DT_U64 : DT_U32);
    struct lane_op op = {.n = 0}, number;

    op.n = (uint8_t)eval_components(insn->dst.mask, op.comp);
    number = op;
    for (unsigned k = 0; k < 2; k++)
        if (!eval_place_operand(d, insn, &op, k, program_operand(d->p, insn->src + k), insn->type))
            return false;
    if (!eval_compute_operand(d, want, &op, &number, 0))
        return false;
    for (unsigned i = 0; i < 4; i++)    /* the highest bit of 1.0 becomes the lowest */
        number.src[1][i] = wide ? eval_layout_word64(&d->layout, 61) : eval_layout_word(&d->layout, 29);
    for (unsigned i = 0; i < number.n; i++)
        number.dst[i] = eval_layout_scratch(&d->layout);
    return eval_raw(d, &shift, &number, NULL) && eval_decode_result(d, insn, shift.type, number.dst, NULL, 0);
}
