/* Comparisons of floats that the driver's compiler holds as predicates: it makes the number 1 of them, not 1.0, where they leave a subroutine,
 * and other numbers where something is made of them (docs/numbers.md, "Comparisons in subroutines"; tests/flow.txt, set_called*;
 * tests/truths.txt). So it is where
 *
 *   - the program has a predicate somewhere: flags of an integer comparison, a vote, a selection (predicates.c);
 *   - all that reads a component in its part copies it, asks whether it is zero, or makes something of it (truth_steps.c);
 *   - nothing else comes to any of these, and, where it leaves a subroutine, to none behind it (truth_ways.c). */
#include "eval/truths.h"

#include <string.h>

/* Programs of more instructions, copies of loops' bodies among them, are not looked at: the work grows with the square of their blocks. */
enum { MAX_INSTRUCTIONS = 4096 };

static bool is_register(const struct gp5_program *p, const struct result *r)
{
    const struct symbol *to = r->kind == OPND_SYMBOL ? program_symbol(p, r->ref) : NULL;

    return to && !r->nindices && to->kind == SYM_TEMP && !to->array && to->size == SIZE_DEFAULT;
}

/* What may be one, as far as its instruction tells. */
static bool is_comparison(const struct truth_search *s, const struct insn *insn)
{
    return op_compares(insn->op) && (insn->type == DT_F32 || insn->type == DT_F64) && is_register(s->p, &insn->dst) &&
           !(insn->flags & (INSN_SAT | INSN_SSAT | INSN_PREC | INSN_HALF)) && !condition_restricts(&insn->dst.condition);
}

/* What reads a truth makes one. */
static bool passes_on(const struct truth_search *s, uint32_t at)
{
    const struct insn *insn = program_insn(s->p, at);

    return is_register(s->p, &insn->dst) && (!op_compares(insn->op) || insn->type == DT_F32) && eval_truth_use(s->d, insn, 0) >= TRUTH_COPIED;
}

/* An operand that the components written first would change for the others. */
static bool overlaps(const struct truth_search *s, const struct insn *insn)
{
    for (unsigned k = 0; k < insn->nsrc; k++) {
        const struct operand *o = program_operand(s->p, insn->src + k);
        if (o->kind == OPND_EXTENDED || (o->kind == OPND_SYMBOL && o->ref == insn->dst.ref))
            return true;
    }
    return false;
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
                !(is_comparison(s, insn) || (reads_any(s, insn, symbols) && passes_on(s, i))))
                continue;
            symbols[insn->dst.ref] = 1;
            more = true;
        }
    }
    return symbols;
}

/* Whether anything can come of truths here: following them costs more than the program is long. */
static bool is_of_use(const struct truth_search *s, const uint8_t *symbols)
{
    for (uint32_t i = 0; i < s->p->insns.count; i++) {
        const struct insn *insn = program_insn(s->p, i);
        bool main = eval_in_main(s, i), logic = op_compares(insn->op) || insn->op == OP_AND || insn->op == OP_OR || insn->op == OP_XOR;
        if (s->predicates && !main && is_comparison(s, insn))
            return true;
        if (!reads_any(s, insn, symbols))
            continue;
        if (eval_says_truth(insn, false, s->predicates))
            return true;
        for (unsigned k = 0; k < insn->nsrc && k < 2 && (s->predicates || (logic && !main)); k++)
            if (eval_truth_use(s->d, insn, k) >= TRUTH_SIGNED)
                return true;
    }
    return false;
}

static void find_candidates(struct truth_search *s, const uint8_t *symbols)
{
    uint32_t loops = 0;


    for (uint32_t i = 0; i < s->p->insns.count; i++) {
        const struct insn *insn = program_insn(s->p, i);
        loops += insn->op == OP_REP;
        loops -= insn->op == OP_ENDREP && eval_form(s->d, i) != FORM_NEXT && loops;
        if (!loops && (is_comparison(s, insn) || (reads_any(s, insn, symbols) && passes_on(s, i))))
            s->truth[i] = (uint8_t)(insn->dst.mask & ~eval_folded(s->d, i));
    }
}

/* Flags that a test looks at; of copies, behind the subroutine. */
static void drop_flags(struct truth_search *s)
{
    for (uint32_t i = 0; i < s->p->insns.count; i++) {
        const struct insn *insn = program_insn(s->p, i);
        if (!s->truth[i] || !insn->cc_update)
            continue;
        s->truth[i] &= (uint8_t)~(is_comparison(s, insn) ? s->l->flags[i] : eval_flags_leave(s, i));
    }
}

static void drop_unlike(struct truth_search *s)
{
    for (uint32_t i = 0; i < s->p->insns.count; i++)
        if (is_comparison(s, program_insn(s->p, i)) && !eval_has_predicates(s, i))
            s->truth[i] = 0;
}

/* The one write that comes to a read, or NO_INDEX. */
static uint32_t write_of(const struct truth_search *s, const struct truth_read *r)
{
    if (!r->from || r->from & TRUTH_ELSEWHERE || r->from & (r->from - 1))
        return NO_INDEX;
    return *(const uint32_t *)vec_at(&s->writes, r->first + (size_t)__builtin_ctzll(r->from));
}

/* Whether what comes to a read is one truth. */
static bool reads_truths(const struct truth_search *s, const struct truth_read *r)
{
    uint32_t write = write_of(s, r);

    return write != NO_INDEX && eval_is_truth(s, write);
}

static bool is_said(const struct truth_search *s, const struct truth_read *r)
{
    uint32_t write = write_of(s, r);

    return write != NO_INDEX && s->said[write / 4] >> write % 4 & 1;
}

static bool drop(struct truth_search *s, uint32_t write)
{
    bool was = eval_is_truth(s, write);

    s->truth[write / 4] &= (uint8_t)~(1u << write % 4);
    return was;
}

/* AND, OR and XOR make truths of two. */
static void find_partners(struct truth_search *s)
{
    memset(s->partner, 0, 2 * s->p->insns.count);
    for (size_t i = 0; i < s->reads.count; i++) {
        const struct truth_read *r = vec_at(&s->reads, i);
        if (r->operand < 2 && reads_truths(s, r))
            s->partner[2 * r->insn + 1 - r->operand] |= r->results;
    }
}

static bool has_partner(const struct truth_search *s, const struct truth_read *r)
{
    uint16_t op = program_insn(s->p, r->insn)->op;

    return (op != OP_AND && op != OP_OR && op != OP_XOR) || r->operand > 1 || !(r->results & ~s->partner[2 * r->insn + r->operand]);
}

/* What a read says of what comes to it, and of the result; whether anything became less. */
static bool look_at_read(struct truth_search *s, const struct truth_read *r)
{
    bool truths = reads_truths(s, r) && has_partner(s, r), less = false, ok = truths && r->use != TRUTH_WORD;

    for (unsigned c = 0; r->use >= TRUTH_COPIED && c < 4; c++)
        if (r->results >> c & 1 && !truths && !is_comparison(s, program_insn(s->p, r->insn)))
            less |= drop(s, 4 * r->insn + c);
    if (is_register(s->p, &program_insn(s->p, r->insn)->dst)) {
        if (r->use == TRUTH_COPIED || (r->use == TRUTH_SIGNED && !r->main))
            ok &= !(r->results & ~s->truth[r->insn]);
        else if (r->use == TRUTH_SIGNED)
            ok &= !(r->results & s->floats[r->insn]);
    }
    for (uint64_t from = ok ? 0 : r->from & ~TRUTH_ELSEWHERE; from; from &= from - 1)
        less |= drop(s, *(const uint32_t *)vec_at(&s->writes, r->first + (size_t)__builtin_ctzll(from)));
    return less;
}

static void settle(struct truth_search *s)
{
    bool less = true;

    while (less) {
        less = false;
        find_partners(s);
        for (size_t i = 0; i < s->reads.count; i++)
            less |= look_at_read(s, vec_at(&s->reads, i));
    }
}

/* What nobody reads as a truth at all: operands of what passes it on that are followed nowhere. */
static void drop_unread(struct truth_search *s)
{
    uint8_t *read = gp5_malloc(s->p->insns.count + 1);

    if (!read) {
        s->failed = true;
        return;
    }
    memset(read, 0, s->p->insns.count + 1);
    for (size_t i = 0; i < s->reads.count; i++) {
        const struct truth_read *r = vec_at(&s->reads, i);
        if (r->use >= TRUTH_COPIED)
            read[r->insn] |= r->results;
    }
    for (uint32_t i = 0; i < s->p->insns.count; i++)
        if (!is_comparison(s, program_insn(s->p, i)))
            s->truth[i] &= read[i];
    gp5_free(read);
}

static void drop_leaving(struct truth_search *s)
{
    for (uint32_t i = 0; i < s->p->insns.count && !s->failed; i++)
        for (unsigned c = 0; c < 4; c++) {
            if (!(s->truth[i] & s->leaves[i]) || !((s->truth[i] & s->leaves[i]) >> c & 1))
                continue;
            s->at = i;
            s->component = c;
            s->variable = eval_variable(s->l, OPND_SYMBOL, program_insn(s->p, i)->dst.ref, false, c);
            if (s->variable == NO_INDEX || !eval_leaves_alone(s))
                drop(s, 4 * i + c);
        }
}

/* Components are written as truths or as numbers, one after the other. */
static void drop_overlapping(struct truth_search *s)
{
    for (uint32_t i = 0; i < s->p->insns.count; i++) {
        const struct insn *insn = program_insn(s->p, i);
        if (is_comparison(s, insn) && s->truth[i] && s->truth[i] != insn->dst.mask && overlaps(s, insn))
            s->truth[i] = 0;
    }
}

/* What is made of negative truths, which others make of such again. */
static void find_negatives(struct truth_search *s)
{
    struct truths *to = s->d->truths;
    bool more = true;

    while (more) {
        more = false;
        for (size_t i = 0; i < s->reads.count; i++) {
            const struct truth_read *r = vec_at(&s->reads, i);
            uint32_t write = write_of(s, r), from = write / 4;
            const struct insn *made = write == NO_INDEX ? NULL : program_insn(s->p, from);
            uint64_t word;
            if (!made || !(to->made[from] >> write % 4 & 1) || !(r->results & ~to->below[r->insn]))
                continue;
            word = eval_truth_outcome(s->d, made, eval_truth_operand(s->d, made), true, to->below[from] >> write % 4 & 1);
            if (!(word & 0x80000000u))
                continue;
            to->below[r->insn] |= r->results;
            more = true;
        }
    }
}

static void hand_over(struct truth_search *s)
{
    struct truths *to = s->d->truths;

    find_partners(s);
    for (size_t i = 0; i < s->reads.count; i++) {
        const struct truth_read *r = vec_at(&s->reads, i);
        const struct insn *insn = program_insn(s->p, r->insn);
        if (is_said(s, r) && eval_says_truth(insn, program_insn(s->p, write_of(s, r) / 4)->type == DT_F64, s->predicates))
            to->made[r->insn] |= (uint8_t)(r->results & insn->dst.mask);
        if (!reads_truths(s, r) || !has_partner(s, r))
            continue;
        if (r->use >= TRUTH_SIGNED || (r->use == TRUTH_COPIED && insn->op != OP_MOV && !r->main))
            to->made[r->insn] |= (uint8_t)(r->results & insn->dst.mask);
        else if (r->use == TRUTH_ASKED && !r->main)
            to->asks[r->insn] |= r->results;
    }
    for (uint32_t i = 0; i < s->p->insns.count; i++)
        if (!eval_in_main(s, i))
            to->held[i] = s->truth[i];
    find_negatives(s);
}

/* What is known to be what a comparison says, though its word is read too. */
static void find_said(struct truth_search *s)
{
    bool less = true;

    memcpy(s->said, s->truth, s->p->insns.count);
    while (less) {
        less = false;
        for (size_t i = 0; i < s->reads.count; i++) {
            const struct truth_read *r = vec_at(&s->reads, i);
            uint8_t lost = r->use == TRUTH_COPIED && !is_said(s, r) ? s->said[r->insn] & r->results : 0;
            s->said[r->insn] &= (uint8_t)~lost;
            less |= lost != 0;
        }
    }
    for (uint32_t i = 0; i < s->p->insns.count; i++)
        if (!is_comparison(s, program_insn(s->p, i)) && program_insn(s->p, i)->op != OP_MOV)
            s->said[i] = 0;
}

/* A comparison of truths and logic of them are predicates too, in subroutines. */
static bool asks_itself(struct truth_search *s)
{
    bool any = false;

    find_partners(s);
    for (size_t i = 0; i < s->reads.count; i++) {
        const struct truth_read *r = vec_at(&s->reads, i);
        uint16_t op = program_insn(s->p, r->insn)->op;
        any |= !r->main && r->use == TRUTH_MADE && reads_truths(s, r) && has_partner(s, r) &&
               (op_compares(op) || op == OP_AND || op == OP_OR || op == OP_XOR);
    }
    return any;
}

static void find_uses(struct truth_search *s)
{
    for (size_t i = 0; i < s->reads.count; i++) {
        struct truth_read *r = vec_at(&s->reads, i);
        const struct insn *insn = program_insn(s->p, r->insn);
        const struct folded *folded = eval_folded_at(s->d, r->insn);
        r->results &= (uint8_t)~(folded && insn->dst.kind != OPND_NONE ? folded->fails : 0);
        r->use = r->operand < 4 && !(eval_folded(s->d, r->insn) & r->results) ? (uint8_t)eval_truth_use(s->d, insn, r->operand) : TRUTH_WORD;
        r->use = r->results ? r->use : TRUTH_ASKED;
        for (uint64_t from = r->operand < 4 && eval_takes_floats(s->p, insn, r->operand) ? r->from & ~TRUTH_ELSEWHERE : 0; from; from &= from - 1) {
            uint32_t write = *(const uint32_t *)vec_at(&s->writes, r->first + (size_t)__builtin_ctzll(from));
            s->floats[write / 4] |= (uint8_t)(1u << write % 4);
        }
    }
}

static void find(struct truth_search *s)
{
    bool predicates = s->predicates != 0, of_use;
    uint8_t *symbols = find_symbols(s);

    s->failed = !symbols;
    of_use = symbols && is_of_use(s, symbols);
    if (of_use)
        find_candidates(s, symbols);
    gp5_free(symbols);
    if (s->failed || !of_use)
        return;
    if (!eval_find_ways(s) || !eval_truth_reads(s)) {
        s->failed = true;
        return;
    }
    find_uses(s);
    drop_unread(s);
    find_said(s);
    drop_flags(s);
    s->predicates += !predicates;
    drop_unlike(s);
    drop_overlapping(s);
    settle(s);
    drop_leaving(s);
    drop_overlapping(s);
    settle(s);
    if (!predicates && !asks_itself(s)) {
        s->predicates = 0;
        memset(s->truth, 0, s->p->insns.count);
    }
    if (!s->failed)
        hand_over(s);
}

/* Whether there may be any. */
static bool worth_a_look(const struct decoder *d)
{
    bool compares = false;

    for (uint32_t i = 0; i < d->p->insns.count && !compares; i++) {
        const struct insn *insn = program_insn(d->p, i);
        compares = op_compares(insn->op) && (insn->type == DT_F32 || insn->type == DT_F64);
    }
    return compares && d->x->options.semantics == GP5_SEMANTICS_NVIDIA;
}

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
    struct truths *to = gp5_malloc(sizeof *to + 4 * n);

    s->d->truths = to;
    s->called = gp5_malloc(7 * n);
    s->part = gp5_malloc(n * sizeof *s->part);
    s->behind = gp5_malloc(4 * (size_t)s->l->nblocks + 1);
    vec_init(&s->reads, sizeof(struct truth_read));
    vec_init(&s->writes, sizeof(uint32_t));
    if (!to || !s->called || !s->part || !s->behind)
        return false;
    memset(s->called, 0, 7 * n);
    s->truth = s->called + n;
    s->leaves = s->truth + n;
    s->said = s->leaves + n;
    s->floats = s->said + n;
    s->partner = s->floats + n;
    to->held = (uint8_t *)(to + 1);
    to->made = to->held + n;
    to->below = to->made + n;
    to->asks = to->below + n;
    memset(to->held, 0, 4 * n);
    find_parts(s);
    return true;
}

bool eval_find_truths(struct decoder *d)
{
    struct truth_search s = {.d = d, .p = d->p};

    if (d->p->insns.count > MAX_INSTRUCTIONS || !worth_a_look(d))
        return true;
    s.l = eval_liveness(d);
    if (!s.l)
        return false;
    s.failed = !begin(&s);
    if (!s.failed) {
        eval_count_predicates(&s);
        find(&s);
    }
    gp5_free(s.called);
    gp5_free(s.part);
    gp5_free(s.behind);
    gp5_free(s.next);
    vec_free(&s.reads);
    vec_free(&s.writes);
    return s.failed ? eval_out_of_memory(d) : true;
}

void eval_truths_free(struct decoder *d)
{
    gp5_free(d->truths);
    d->truths = NULL;
}
