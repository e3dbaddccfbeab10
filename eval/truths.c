/* Comparisons of floats that the driver's compiler holds as predicates: it makes the number 1 of them, not 1.0, where they leave a subroutine,
 * and other numbers where something is made of them (docs/numbers.md, "Comparisons in subroutines"; tests/flow.txt, set_called*;
 * tests/truths.txt). So it is where
 *
 *   - the program has a predicate somewhere: flags of an integer comparison, a vote, a selection (predicates.c);
 *   - all that reads a component in its part copies it, asks whether it is zero, or makes something of it (truth_steps.c);
 *   - nothing else comes to any of these, and, where it leaves a subroutine, to none behind it (truth_ways.c). */
#include "eval/truths.h"

#include "eval/votes.h"

#include <string.h>

bool eval_may_hold_truth(const struct gp5_program *p, const struct result *r)
{
    const struct symbol *to = r->kind == OPND_SYMBOL ? program_symbol(p, r->ref) : NULL;

    return to && !r->nindices && to->kind == SYM_TEMP && !to->array && (to->size == SIZE_DEFAULT || to->size == SIZE_LONG);
}

/* Components that a test may keep back. */
uint8_t eval_truth_tested(const struct truth_search *s, uint32_t at)
{
    const struct insn *insn = program_insn(s->p, at);
    const struct folded *folded = eval_folded_at(s->d, at);

    uint16_t rule = insn->dst.condition.rule;
    uint8_t passes = !folded ? 0 : folded->passes | (rule == CC_NCF || rule == CC_NOF || rule == CC_BLE ? folded->settled & (uint8_t)~folded->fails : 0);

    return condition_restricts(&insn->dst.condition) ? insn->dst.mask & (uint8_t)~passes : 0;
}

uint8_t eval_kept_back(const struct truth_search *s, uint32_t at)
{
    const struct result *r = &program_insn(s->p, at)->dst;
    const struct folded *folded = eval_folded_at(s->d, at);
    uint16_t rule = r->condition.rule;

    if (r->kind == OPND_NONE || rule == CC_FL)
        return r->kind == OPND_NONE ? 0 : r->mask;
    if (!folded || !condition_restricts(&r->condition))
        return 0;
    return r->mask & (folded->fails | (rule == CC_CF || rule == CC_OF || rule == CC_AB ? folded->settled & (uint8_t)~folded->passes : 0));
}

/* What may be one, as far as its instruction tells. */
bool eval_makes_truth(const struct truth_search *s, const struct insn *insn)
{
    return op_compares(insn->op) && (insn->type == DT_F32 || insn->type == DT_F64) && eval_may_hold_truth(s->p, &insn->dst) &&
           !(insn->flags & (INSN_SAT | INSN_SSAT | INSN_PREC | INSN_HALF));
}

/* What reads a truth makes one. */
static bool passes_on(const struct truth_search *s, uint32_t at)
{
    const struct insn *insn = program_insn(s->p, at);
    bool any = false;

    for (unsigned k = 0; k < insn->nsrc && k < 3 && !any; k++)
        any = eval_truth_use(s->d, insn, k) >= TRUTH_COPIED;
    return any && insn->op != OP_NOT && eval_may_hold_truth(s->p, &insn->dst) && (!op_compares(insn->op) || insn->type == DT_F32);
}

static bool reads_any(const struct truth_search *s, const struct insn *insn, const uint8_t *symbols)
{
    for (unsigned k = 0; k < insn->nsrc; k++) {
        const struct operand *o = program_operand(s->p, insn->src + k);
        if ((o->kind == OPND_SYMBOL || o->kind == OPND_HANDLE) && symbols[o->ref])
            return true;
    }
    return false;
}

/* Variables that comparisons write, and what is made of them. */
static uint8_t *find_symbols(struct truth_search *s)
{
    uint8_t *symbols = gp5_malloc(s->p->symbols.count + 1);
    bool more = symbols != NULL;

    if (symbols)
        memset(symbols, 0, s->p->symbols.count + 1);
    while (more) {
        more = false;
        for (uint32_t i = 0; i < s->p->insns.count; i++) {
            const struct insn *insn = program_insn(s->p, i);
            if (insn->dst.kind != OPND_SYMBOL || symbols[insn->dst.ref] ||
                !(eval_makes_truth(s, insn) || (reads_any(s, insn, symbols) && passes_on(s, i))))
                continue;
            symbols[insn->dst.ref] = 1;
            more = true;
        }
    }
    return symbols;
}

/* Whether anything can come of truths here: following them costs their number times that of blocks. */
static bool is_of_use(const struct truth_search *s, const uint8_t *symbols)
{
    for (uint32_t i = 0; i < s->p->insns.count; i++) {
        const struct insn *insn = program_insn(s->p, i);
        bool main = eval_in_main(s, i), logic = op_compares(insn->op) || op_joins_bits(insn->op);
        if (s->predicates && !main && eval_makes_truth(s, insn))
            return true;
        if (!reads_any(s, insn, symbols))
            continue;
        if (eval_says_truth(s->p, insn, false, s->predicates) || (insn->op == OP_CMP && insn->type == DT_F32) || (main && insn->op == OP_NOT) || eval_joins_long(s, i) || eval_joins_negative(s, i, 0) || eval_joins_negative(s, i, 1))
            return true;
        for (unsigned k = 0; k < insn->nsrc && k < 3 && (s->predicates || !main); k++) {
            enum truth_use use = eval_truth_use(s->d, insn, k);
            if (s->predicates ? use >= TRUTH_SIGNED || use == TRUTH_VIEWED || (main && eval_reads_low_word(s->d, insn, k)) : logic || eval_truth_is_asked(s->d, insn, k))
                return true;
        }
    }
    return false;
}

/* The copies of a loop's body that stand in its place, one behind the other. */
static bool is_taken_apart(const struct truth_search *s, uint32_t at)
{
    const struct insn *insn = program_insn(s->p, at);

    return eval_form(s->d, at) == FORM_OPEN && insn->nsrc && program_operand(s->p, insn->src)->kind == OPND_CONSTANT;
}

static void find_loops(struct truth_search *s)
{
    uint32_t loops = 0, apart = 0;

    for (uint32_t i = 0; i < s->p->insns.count; i++) {
        const struct insn *insn = program_insn(s->p, i);
        uint8_t form = eval_form(s->d, i);
        bool ends = insn->op == OP_ENDREP && form != FORM_NEXT && (form != FORM_PHASE || program_insn(s->p, insn->partner)->partner == i);
        if (insn->op == OP_REP && !loops && is_taken_apart(s, i))
            apart++;
        else
            loops += insn->op == OP_REP;
        if (ends && loops)
            loops--;
        else if (ends && apart)
            apart--;
        s->looped[i] = loops != 0;
    }
}

static void find_candidates(struct truth_search *s, const uint8_t *symbols)
{
    for (uint32_t i = 0; i < s->p->insns.count; i++) {
        const struct insn *insn = program_insn(s->p, i);
        if (!s->looped[i] && (eval_makes_truth(s, insn) || (reads_any(s, insn, symbols) && passes_on(s, i))))
            s->truth[i] = (uint8_t)(insn->dst.mask & ~(eval_folded(s->d, i) | eval_truth_tested(s, i)));
    }
}

static void find_uses(struct truth_search *s)
{
    for (size_t i = 0; i < s->reads.count; i++) {
        struct truth_read *r = vec_at(&s->reads, i);
        const struct insn *insn = program_insn(s->p, r->insn);
        r->use = r->operand < 4 && !(eval_folded(s->d, r->insn) & r->results) ? (uint8_t)eval_truth_use(s->d, insn, r->operand) : TRUTH_WORD;
        if (eval_is_followed_call(s, r))
            r->use = TRUTH_ASKED;
        r->use = r->results && !(r->main && r->operand == 0 && op_shuffles(insn->op)) ? r->use : TRUTH_ASKED;
        if (r->main && r->results && r->operand < 3 && eval_reads_low_word(s->d, insn, r->operand))
            r->use = TRUTH_VIEWED;
        for (uint64_t from = r->operand < 4 && eval_takes_floats(s->p, insn, r->operand) ? r->from & ~TRUTH_ELSEWHERE : 0; from; from &= from - 1) {
            uint32_t write = eval_write_of(s, r, from);
            s->floats[write / 4] |= (uint8_t)(1u << write % 4);
        }
        for (uint64_t from = r->operand < 4 && r->results && eval_takes_integers(insn, r->operand) ? r->from & ~TRUTH_ELSEWHERE : 0; from; from &= from - 1) {
            uint32_t write = eval_write_of(s, r, from);
            s->integers[write / 4] |= (uint8_t)(1u << write % 4);
        }
    }
}

static void find(struct truth_search *s)
{
    bool of_use;
    uint8_t *symbols = find_symbols(s);

    s->failed = !symbols;
    of_use = symbols && is_of_use(s, symbols);
    find_loops(s);
    if (of_use)
        find_candidates(s, symbols);
    gp5_free(symbols);
    for (uint32_t i = 0; i < s->p->insns.count; i++)
        s->looks_outside |= !eval_in_main(s, i) && ((program_insn(s->p, i)->op == OP_CVT && program_insn(s->p, i)->type2 == DT_F16) || s->truth[i]);
    if (s->failed || !of_use)
        return;
    if (!eval_truth_reads(s)) {
        s->failed = true;
        return;
    }
    eval_find_outside(s, false);
    find_uses(s);
    eval_settle_truths(s);
}

/* Whether there may be any, where nobody asks for what comparisons of integers say. */
static bool worth_a_look(const struct decoder *d)
{
    bool compares = false;

    for (uint32_t i = 0; i < d->p->insns.count && !compares; i++) {
        const struct insn *insn = program_insn(d->p, i);
        compares = op_compares(insn->op) && (insn->type == DT_F32 || insn->type == DT_F64);
        for (unsigned c = 0; c < 4; c++)
            compares |= eval_signed_truth(d->p, insn, c) >= 0;
    }
    return compares;
}

/* Where parts begin. */
static void find_parts(struct truth_search *s)
{
    uint32_t part = 0;

    for (uint32_t i = 0; i < s->p->insns.count; i++) {
        part = s->l->label[i] || i == s->l->entry ? i : part;
        s->part[i] = part;
    }
}

/* Memory in one piece: bytes a place, and what is handed over. */
static bool begin(struct truth_search *s)
{
    size_t n = s->p->insns.count + 1;
    struct truths *to = gp5_malloc(sizeof *to + 15 * n);

    s->d->truths = to;
    s->called = gp5_malloc(11 * n);
    s->part = gp5_malloc(6 * n * sizeof *s->part);
    s->behind = gp5_malloc(8 * (size_t)s->l->nblocks + 1);
    vec_init(&s->reads, sizeof(struct truth_read));
    vec_init(&s->writes, sizeof(uint32_t));
    if (!to || !s->called || !s->part || !s->behind)
        return false;
    memset(s->called, 0, 11 * n);
    memset(s->part, 0, 2 * n * sizeof *s->part);
    s->last_read = s->part + n;
    s->sets_last = (uint32_t (*)[2])(s->last_read + n);
    s->truth = s->called + n;
    s->leaves = s->truth + n;
    s->said = s->leaves + n;
    s->floats = s->said + n;
    s->partner = s->floats + n;
    s->signs = s->partner + 2 * n;
    s->passes = s->signs + n;
    s->looped = s->passes + n;
    s->integers = s->looped + n;
    to->any = false;
    to->held = (uint8_t *)(to + 1);
    to->made = to->held + n;
    to->below = to->made + n;
    to->asks = to->below + n;
    to->third = to->asks + n;
    to->views = to->third + n;
    to->lower = to->views + 3 * n;
    to->whole = to->lower + 3 * n;
    to->words = to->whole + n;
    to->turned = to->words + n;
    to->tested = to->turned + n;
    memset(to->held, 0, 15 * n);
    find_parts(s);
    return true;
}

bool eval_find_truths(struct decoder *d)
{
    struct truth_search s = {.d = d, .p = d->p, .watch = NO_INDEX, .array = NO_INDEX};
    bool whole;

    if (!eval_has(d, PASS_booleans) || d->p->insns.count > TRUTH_MOST_INSTRUCTIONS)
        return true;
    whole = eval_asks_whole_truths(d);
    if (!whole && !worth_a_look(d))
        return true;
    s.l = eval_liveness(d);
    if (!s.l)
        return false;
    s.failed = !begin(&s);
    s.failed = s.failed || !eval_find_ways(&s);
    if (!s.failed) {
        eval_find_sign_tests(&s);
        eval_find_under_tests(&s);
        s.elements = eval_compares_into_elements(&s);
        eval_count_predicates(&s);
        d->truths->any = s.predicates;
        find(&s);
        if (s.firm && !s.failed)
            eval_hold_elements(&s);
        s.failed = s.failed || (whole && !eval_find_whole_truths(&s));
    }
    gp5_free(s.called);
    gp5_free(s.part);
    gp5_free(s.behind);
    gp5_free(s.followed);
    eval_free_ways(&s);
    vec_free(&s.reads);
    vec_free(&s.writes);
    return s.failed ? eval_out_of_memory(d) : true;
}

void eval_truths_free(struct decoder *d)
{
    gp5_free(d->truths);
    d->truths = NULL;
}
