/* What comparisons of integers say, votes, CMP of -1 and 0 and a shuffle's predicate among them, and what AND, OR, XOR and NOT make of such: where
 * nothing takes it for a number the driver's compiler holds it as a predicate, and CMP, XOR, votes and what takes a sign along look at that and not at
 * the word (docs/numbers.md, "Comparisons in subroutines"; tests/copies.txt, cu_*, e_SLTS_*, td_*; tests/truths.txt, v_*, l_*). */
#include "eval/between.h"
#include "eval/truths.h"
#include "eval/traits.h"

#include "eval/votes.h"

#include <string.h>

/* Components of CMP that are -1 or 0. */
static uint8_t chooses_truths(const struct gp5_program *p, const struct insn *insn)
{
    struct known none = {.p = p};
    uint8_t mask = 0;

    for (unsigned c = 0; c < 4; c++) {
        bool both = true;
        for (unsigned k = 1; k < 3 && both; k++) {
            const struct operand *o = program_operand(p, insn->src + k);
            uint64_t word;
            both = o->kind == OPND_CONSTANT && eval_known_operand(&none, o, c, insn->type, &word) && (!word || (uint32_t)word == UINT32_MAX);
        }
        mask |= (uint8_t)(both << c);
    }
    return mask;
}

static bool copies(const struct gp5_program *p, const struct insn *insn)
{
    return insn->op == OP_MOV && (eval_is_word(insn->type) || insn->type == DT_F32) && !(program_operand(p, insn->src)->flags & OPND_SIGNS);
}

/* Components that may be truths, as far as the instruction tells. */
static uint8_t makes(const struct gp5_program *p, const struct insn *insn)
{
    const struct symbol *to = insn->dst.kind == OPND_SYMBOL ? program_symbol(p, insn->dst.ref) : NULL;

    if (!to || to->kind != SYM_TEMP || to->array || to->size != SIZE_DEFAULT || insn->dst.nindices || insn->flags & (INSN_SAT | INSN_SSAT | INSN_HALF | (op_compares(insn->op) ? 0 : INSN_PREC)))
        return 0;
    if (op_compares(insn->op))
        return type_table[insn->type].is_float ? 0 : insn->dst.mask;
    if (insn->op == OP_CMP)
        return eval_is_word(insn->type) ? insn->dst.mask & chooses_truths(p, insn) : 0;
    if (op_votes(insn->op))
        return eval_is_word(insn->type) && insn->op != OP_TGBALLOT ? insn->dst.mask : 0;
    if (op_shuffles(insn->op))          /* of floats it is 1.0 */
        return eval_is_word(insn->type) ? insn->dst.mask & 1 : 0;
    return (op_is_logic(insn->op) && eval_is_word(insn->type)) || copies(p, insn) ? insn->dst.mask : 0;
}

/* SLT of it and 0: true is below that. */
static bool is_below_zero(const struct gp5_program *p, const struct insn *insn, unsigned k)
{
    bool orders = k < 2 && insn->op == (k ? OP_SGT : OP_SLT) && insn->type == DT_F32 && !(insn->flags & INSN_HALF);

    return orders && !(program_operand(p, insn->src + k)->flags & OPND_SIGNS) && (eval_is_zero(p, insn, 1 - k) || eval_is_written(p, insn, 1 - k, 0x80000000u));
}

/* What looks at operand k as a predicate; TRUTH_COPIED: what becomes of it has to be one too. */
static enum truth_use use_of(const struct gp5_program *p, const struct insn *insn, unsigned k)
{
    const struct operand *o = program_operand(p, insn->src + k);

    if (op_votes(insn->op) || (op_shuffles(insn->op) && !k) || (op_is_logic(insn->op) && eval_is_word(insn->type)))
        return TRUTH_ASKED;
    if (insn->op == OP_CMP && !k)
        return eval_is_word(insn->type) || (insn->type == DT_F32 && !(insn->flags & INSN_HALF)) ? TRUTH_ASKED : TRUTH_WORD;
    if (is_below_zero(p, insn, k))
        return TRUTH_ASKED;
    if ((insn->op == OP_SEQ || insn->op == OP_SNE) && (eval_is_word(insn->type) || insn->type == DT_F32) && !(insn->flags & INSN_HALF) &&
        !(o->flags & (eval_is_word(insn->type) ? OPND_ABSOLUTE : OPND_SIGNS)))
        return eval_is_zero(p, insn, 1 - k) ? TRUTH_ASKED : TRUTH_WORD;
    if (eval_signed_truth(p, insn, 0) == (int)k && !condition_restricts(&insn->dst.condition) && !program_is_long(p, insn->dst.kind, insn->dst.ref))
        return TRUTH_ASKED;
    return makes(p, insn) && insn->op == OP_MOV && !condition_restricts(&insn->dst.condition) ? TRUTH_COPIED : TRUTH_WORD;
}

/* XOR of one, which is no negative, and of what has a sign. */
static bool turns(const struct decoder *d, const struct insn *insn, unsigned k)
{
    const struct gp5_program *p = d->p;
    const struct operand *o = program_operand(p, insn->src + k), *other = program_operand(p, insn->src + 1 - k);

    return insn->op == OP_XOR && eval_is_word(insn->type) && !(o->flags & (insn->type == DT_U32 ? OPND_NEGATE | OPND_NEGATE_INNER : OPND_SIGNS)) &&
           eval_is_register(d->p, other) && other->flags & (insn->type == DT_U32 ? OPND_NEGATE : OPND_SIGNS);
}

/* What is computed otherwise where operand k is one. (What takes a sign along: votes.c.) */
static bool is_consumer(const struct decoder *d, const struct insn *insn, unsigned k)
{
    const struct operand *o = insn->nsrc ? program_operand(d->p, insn->src + k) : NULL;

    if (!o)
        return false;
    if (insn->op == OP_CMP)
        return !k && (insn->type == DT_U32 || (insn->type == DT_F32 && operand_negates(o) != !!(o->flags & OPND_ABSOLUTE)));
    if (eval_votes_floats(insn))
        return !(o->flags & OPND_ABSOLUTE);
    return k < 2 && insn->nsrc > 1 && (turns(d, insn, k) || is_below_zero(d->p, insn, k));
}

bool eval_asks_whole_truths(const struct decoder *d)
{
    bool made = false, asked = false;

    for (uint32_t i = 0; i < d->p->insns.count && !(made && asked); i++) {
        const struct insn *insn = program_insn(d->p, i);
        made |= !op_is_logic(insn->op) && insn->op != OP_MOV && makes(d->p, insn);
        for (unsigned k = 0; k < insn->nsrc && k < 2; k++)
            asked |= is_consumer(d, insn, k);
    }
    return made && asked;
}

static bool drop(struct truth_search *s, const struct truth_read *r)
{
    bool less = false;

    for (uint64_t from = r->from & ~TRUTH_ELSEWHERE; from; from &= from - 1) {
        uint32_t write = eval_write_of(s, r, from);
        less |= eval_is_truth(s, write);
        s->truth[write / 4] &= (uint8_t)~(1u << write % 4);
    }
    if (r->outside != NO_INDEX) {
        less |= eval_is_truth(s, r->outside);
        s->truth[r->outside / 4] &= (uint8_t)~(1u << r->outside % 4);
    }
    return less;
}

/* ---- which are truths ------------------------------------------------------------------------------------------------------- */

static void find_candidates(struct truth_search *s)
{
    for (uint32_t i = 0; i < s->p->insns.count; i++) {
        const struct insn *insn = program_insn(s->p, i);
        const struct folded *folded = eval_folded_at(s->d, i);
        uint8_t mask = makes(s->p, insn) & (uint8_t)~(eval_folded(s->d, i) | eval_truth_tested(s, i) | (folded ? folded->said : 0));
        s->truth[i] = mask;
    }
}

/* Those whose flags somebody looks at. */
static void drop_flags(struct truth_search *s)
{
    for (uint32_t i = 0; i < s->p->insns.count; i++)
        if (program_insn(s->p, i)->cc_update)
            s->truth[i] &= (uint8_t)~s->l->flags[i];
}

/* Operands of logic, and of copies, in `set`: bits of `partner`. */
static void find_partners(struct truth_search *s, const uint8_t *set)
{
    memset(s->partner, 0, 2 * s->p->insns.count);
    for (size_t i = 0; i < s->reads.count; i++) {
        const struct truth_read *r = vec_at(&s->reads, i);
        uint32_t write = eval_only_write(s, r);
        if (r->operand < 2 && write != NO_INDEX && set[write / 4] >> write % 4 & 1)
            s->partner[2 * r->insn + r->operand] |= r->results;
    }
}

/* What is made of others: of logic by what they say, whoever reads them; of copies (`moved`) as long as they are truths. */
static bool drop_made(struct truth_search *s, bool moved)
{
    bool less = false;

    find_partners(s, s->truth);
    for (uint32_t i = 0; i < s->p->insns.count; i++) {
        const struct insn *insn = program_insn(s->p, i);
        uint8_t both = s->partner[2 * i] & (op_joins_bits(insn->op) ? s->partner[2 * i + 1] : 15);
        if (!(s->truth[i] & ~both) || !(insn->op == OP_MOV || (!moved && op_is_logic(insn->op))))
            continue;
        s->truth[i] &= both;
        less = true;
    }
    return less;
}

static bool look_at_read(struct truth_search *s, const struct truth_read *r)
{
    uint32_t write = eval_only_write(s, r);
    bool ok = write != NO_INDEX && r->use != TRUTH_WORD && !(r->use == TRUTH_COPIED && r->results & ~s->truth[r->insn]);

    if (ok && op_votes(program_insn(s->p, write / 4)->op))     /* lanes take a vote's word */
        ok = !op_shuffles(program_insn(s->p, r->insn)->op);

    return !ok && drop(s, r);
}

static void settle(struct truth_search *s)
{
    bool less = true;

    while (less) {
        less = drop_made(s, true);
        for (size_t i = 0; i < s->reads.count; i++)
            less |= look_at_read(s, vec_at(&s->reads, i));
    }
}

static void find_uses(struct truth_search *s)
{
    for (size_t i = 0; i < s->reads.count; i++) {
        struct truth_read *r = vec_at(&s->reads, i);
        const struct insn *insn = program_insn(s->p, r->insn);
        r->use = r->operand > 3 ? (eval_is_followed_call(s, r) ? TRUTH_ASKED : TRUTH_WORD) : !r->results ? TRUTH_ASKED : (uint8_t)use_of(s->p, insn, r->operand);
    }
}

/* ---- what is told ----------------------------------------------------------------------------------------------------------- */

static bool follow(struct truth_search *s, const struct operand *o)
{
    bool fresh = o->kind == OPND_SYMBOL && !o->nindices && !operand_negates(o) && !s->followed[o->ref];

    if (fresh)
        s->followed[o->ref] = true;
    return fresh;
}

/* What comparisons of integers take without a minus, and what that is a copy of. */
static bool follow_operands(struct truth_search *s)
{
    bool more = true;

    s->followed = gp5_malloc((s->p->symbols.count + (size_t)1) * sizeof *s->followed);
    if (!s->followed)
        return false;
    memset(s->followed, 0, (s->p->symbols.count + (size_t)1) * sizeof *s->followed);
    while (more) {
        more = false;
        for (uint32_t i = 0; i < s->p->insns.count; i++) {
            const struct insn *insn = program_insn(s->p, i);
            bool compares = op_compares(insn->op) && makes(s->p, insn);
            if (compares || (insn->op == OP_MOV && makes(s->p, insn) && s->followed[insn->dst.ref]))
                for (unsigned k = 0; k < insn->nsrc; k++)
                    more |= follow(s, program_operand(s->p, insn->src + k));
        }
    }
    return true;
}

/* Whether what component c of an instruction's result is made of comes to a reader together with something else, or out of a subroutine; over copies. */
static bool meets(const struct truth_search *s, uint32_t at, unsigned c)
{
    for (uint32_t k = s->last_read[at]; k;) {
        const struct truth_read *r = vec_at(&s->reads, k - 1);
        bool plain = r->operand < 2 && r->results >> c & 1 && !operand_negates(program_operand(s->p, program_insn(s->p, at)->src + r->operand));
        uint32_t write = plain ? eval_only_write(s, r) : NO_INDEX;
        const struct insn *from = write == NO_INDEX ? NULL : program_insn(s->p, write / 4);
        if (plain && r->main && r->from & TRUTH_ELSEWHERE)
            return true;
        if (from && (s->said[write / 4] >> write % 4 & 1 || (from->op == OP_MOV && makes(s->p, from) && meets(s, write / 4, write % 4))))
            return true;
        k = r->before;
    }
    return false;
}

bool eval_is_choice(const struct truth_search *s, uint32_t at)
{
    const struct insn *insn = program_insn(s->p, at);

    return condition_restricts(&insn->dst.condition) && (!eval_ends_block(insn) || insn->op == OP_LDB) && !eval_jumps_over(insn, &s->d->ends);
}

/* Comparisons that come to a reader together with others, or one of whose operands does, whoever looks at their flags, are words to votes in other blocks. */
static void find_met(struct truth_search *s)
{
    for (size_t i = 0; i < s->reads.count; i++) {
        const struct truth_read *r = vec_at(&s->reads, i);
        for (uint64_t from = r->results && eval_only_write(s, r) == NO_INDEX ? r->from & ~TRUTH_ELSEWHERE : 0; from; from &= from - 1) {
            uint32_t write = eval_write_of(s, r, from);
            s->said[write / 4] |= (uint8_t)(1u << write % 4);
        }
    }
    for (size_t i = 0; i < s->reads.count; i++) {
        const struct truth_read *r = vec_at(&s->reads, i);
        uint32_t write = eval_only_write(s, r);
        if (write != NO_INDEX && eval_votes_floats(program_insn(s->p, r->insn)) && op_compares(program_insn(s->p, write / 4)->op) &&
            s->l->block[write / 4] != s->l->block[r->insn] && (s->said[write / 4] >> write % 4 & 1 || meets(s, write / 4, write % 4)))
            s->d->truths->words[r->insn] |= r->results;
    }
}

/* Those of subroutines that come to a reader together with something else when that has ended. */
static bool drop_meeting(struct truth_search *s)
{
    bool less = false;

    for (uint32_t i = 0; i < s->p->insns.count; i++)
        for (unsigned c = 0; c < 4; c++) {
            if (!(s->truth[i] & s->leaves[i] & 1u << c) || eval_in_main(s, i))
                continue;
            s->at = i;
            s->component = c;
            s->variable = eval_variable(s->l, OPND_SYMBOL, program_insn(s->p, i)->dst.ref, false, c);
            if (s->variable == NO_INDEX || eval_meets_nothing(s))
                continue;
            s->truth[i] &= (uint8_t)~(1u << c);
            less = true;
        }
    return less;
}

static void tell(struct truth_search *s, const struct truth_read *r)
{
    const struct insn *insn = program_insn(s->p, r->insn);
    uint32_t write = eval_only_write(s, r);
    uint8_t results = r->results & insn->dst.mask;

    if (r->use == TRUTH_WORD || write == NO_INDEX || !eval_is_truth(s, write) || !is_consumer(s->d, insn, r->operand))
        return;
    s->d->truths->words[r->insn] &= (uint8_t)~results;
    if (r->outside == NO_INDEX ? eval_loops_between(s->d, write / 4, r->insn) : !eval_hears_outside(s, r, write))
        return;
    if (is_below_zero(s->p, insn, r->operand) && !r->main)
        s->d->truths->held[r->insn] |= results;
    if (insn->op == OP_CMP && insn->type == DT_F32)
        s->d->truths->third[r->insn] |= results;
    else if (insn->op != OP_XOR)
        s->d->truths->whole[r->insn] |= results;
    else
        s->d->truths->whole[r->insn] |= results & (uint8_t)~s->partner[2 * r->insn + 1 - r->operand];
}

bool eval_find_whole_truths(struct truth_search *s)
{
    s->reads.count = s->writes.count = 0;
    s->looks_outside = s->chooses = true;
    memset(s->said, 0, s->p->insns.count);
    memset(s->leaves, 0, s->p->insns.count);
    memset(s->last_read, 0, s->p->insns.count * sizeof *s->last_read);
    find_candidates(s);
    if (!follow_operands(s) || !eval_truth_reads(s))
        return false;
    eval_find_outside(s, true);
    find_uses(s);
    find_met(s);
    drop_flags(s);
    while (drop_made(s, false))
        ;
    for (size_t i = 0; i < s->reads.count; i++) {      /* logic of one and of what is none takes the word */
        struct truth_read *r = vec_at(&s->reads, i);
        uint16_t op = program_insn(s->p, r->insn)->op;
        if (r->operand < 2 && op_joins_bits(op) && !turns(s->d, program_insn(s->p, r->insn), r->operand) &&
            r->results & ~s->partner[2 * r->insn + 1 - r->operand])
            r->use = TRUTH_WORD;
    }
    settle(s);
    if (drop_meeting(s))
        settle(s);
    find_partners(s, s->truth);
    for (size_t i = 0; i < s->reads.count; i++) {
        tell(s, vec_at(&s->reads, i));
        eval_tell_compared(s, vec_at(&s->reads, i));
    }
    return !s->failed;
}

unsigned eval_turning_truth(const struct decoder *d, const struct insn *insn)
{
    return !turns(d, insn, 0);
}
