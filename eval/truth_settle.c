/* Which components are truths, by what reads them and what comes to these reads; and what is handed over to those who decode (truths.h). */
#include "eval/truths.h"

#include <string.h>

uint32_t eval_only_write(const struct truth_search *s, const struct truth_read *r)
{
    if (r->from == TRUTH_ELSEWHERE)
        return r->outside;
    if (!r->from || r->from & TRUTH_ELSEWHERE || r->from & (r->from - 1))
        return NO_INDEX;
    return eval_write_of(s, r, r->from);
}

/* Whether what comes to a read is one truth. */
static bool reads_truths(const struct truth_search *s, const struct truth_read *r)
{
    uint32_t write = eval_only_write(s, r);

    return write != NO_INDEX && eval_is_truth(s, write);
}

static bool is_said(const struct truth_search *s, const struct truth_read *r)
{
    uint32_t write = eval_only_write(s, r);

    return write != NO_INDEX && s->said[write / 4] >> write % 4 & 1;
}

static bool drop(struct truth_search *s, uint32_t write)
{
    bool was = eval_is_truth(s, write);

    s->truth[write / 4] &= (uint8_t)~(1u << write % 4);
    return was;
}

/* A copy with a sign is no partner. */
static bool has_sign(const struct truth_search *s, uint32_t write)
{
    const struct insn *insn = program_insn(s->p, write / 4);

    return !eval_makes_truth(s, insn) && insn->nsrc && eval_truth_use(s->d, insn, eval_truth_operand(s->d, insn)) == TRUTH_SIGNED;
}

/* AND, OR and XOR make truths of two; with `said`, also of those whose words are read. */
static void find_partners(struct truth_search *s, bool said)
{
    memset(s->partner, 0, 2 * s->p->insns.count);
    for (size_t i = 0; i < s->reads.count; i++) {
        const struct truth_read *r = vec_at(&s->reads, i);
        if (r->operand < 2 && (said ? is_said(s, r) : reads_truths(s, r)) && !has_sign(s, eval_only_write(s, r)))
            s->partner[2 * r->insn + 1 - r->operand] |= r->results;
    }
}

/* Of a read that one truth alone comes to. */
static bool has_partner(const struct truth_search *s, const struct truth_read *r)
{
    uint16_t op = program_insn(s->p, r->insn)->op;

    return !op_joins_bits(op) || r->use != TRUTH_MADE || r->operand > 1 || (!has_sign(s, eval_only_write(s, r)) && !(r->results & ~s->partner[2 * r->insn + r->operand]));
}

/* A sign that S32 puts on in the main program, of what nobody takes for an integer: it is that of a float. */
static bool turns_float(const struct truth_search *s, const struct truth_read *r)
{
    const struct insn *insn = program_insn(s->p, r->insn);

    return r->use == TRUTH_SIGNED && r->main && eval_operand_type(insn, r->operand) == DT_S32 && !program_is_long(s->p, insn->dst.kind, insn->dst.ref) &&
           !(r->results & s->integers[r->insn]);
}

/* What a read says of what comes to it, and of the result; whether anything became less. */
static bool look_at_read(struct truth_search *s, const struct truth_read *r)
{
    bool truths = reads_truths(s, r) && has_partner(s, r), less = false, ok = truths && r->use != TRUTH_WORD;

    for (unsigned c = 0; r->use >= TRUTH_COPIED && c < 4; c++)
        if (r->results >> c & 1 && !truths && !eval_makes_truth(s, program_insn(s->p, r->insn)))
            less |= drop(s, 4 * r->insn + c);
    if (eval_may_hold_truth(s->p, &program_insn(s->p, r->insn)->dst)) {
        if (r->use == TRUTH_COPIED || (r->use == TRUTH_SIGNED && !r->main))
            ok &= !(r->results & ~s->truth[r->insn]);
        else if (r->use == TRUTH_SIGNED)
            ok &= !(r->results & s->floats[r->insn]) || turns_float(s, r);
    }
    for (uint64_t from = ok ? 0 : r->from & ~TRUTH_ELSEWHERE; from; from &= from - 1)
        less |= drop(s, eval_write_of(s, r, from));
    if (!ok && r->outside != NO_INDEX)
        less |= drop(s, r->outside);
    return less;
}

static void settle(struct truth_search *s)
{
    bool less = true;

    while (less) {
        less = false;
        find_partners(s, false);
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
        if (!eval_makes_truth(s, program_insn(s->p, i)))
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

/* Flags that a test for being below zero looks at, of LONG variables any test; of copies those that any does, behind the subroutine. */
static void drop_flags(struct truth_search *s)
{
    for (uint32_t i = 0; i < s->p->insns.count; i++) {
        const struct insn *insn = program_insn(s->p, i);
        uint8_t asked = s->l->flags[i];
        if (!s->truth[i] || !insn->cc_update)
            continue;
        if (!program_is_long(s->p, insn->dst.kind, insn->dst.ref))
            asked &= eval_sign_is_asked(s, i);
        s->truth[i] &= (uint8_t)~(eval_makes_truth(s, insn) ? asked : eval_flags_leave(s, i));
    }
}

static void drop_unlike(struct truth_search *s)
{
    for (uint32_t i = 0; i < s->p->insns.count; i++)
        if (eval_makes_truth(s, program_insn(s->p, i)) && !eval_has_predicates(s, i))
            s->truth[i] = 0;
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

/* In subroutines, where components are written as truths or as numbers, one after the other. */
static void drop_overlapping(struct truth_search *s)
{
    for (uint32_t i = 0; i < s->p->insns.count; i++) {
        const struct insn *insn = program_insn(s->p, i);
        if (!eval_in_main(s, i) && eval_makes_truth(s, insn) && s->truth[i] && s->truth[i] != insn->dst.mask && overlaps(s, insn))
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
            uint32_t write = eval_only_write(s, r), from = write / 4;
            const struct insn *made = write == NO_INDEX ? NULL : program_insn(s->p, from);
            uint64_t word;
            uint8_t *below = r->use == TRUTH_VIEWED ? &to->lower[3 * r->insn + r->operand] : &to->below[r->insn];
            if (!made || !(to->made[from] >> write % 4 & 1) || !(r->results & ~*below))
                continue;
            word = eval_truth_outcome(s->d, made, eval_truth_operand(s->d, made), true, to->below[from] >> write % 4 & 1);
            if (!(word & 0x80000000u))
                continue;
            *below |= r->results;
            more = true;
        }
    }
}

/* A copy of what stands in the variable is one of the truth. */
static bool copies_words(const struct truth_search *s, const struct insn *insn)
{
    const struct operand *o = program_operand(s->p, insn->src);

    return insn->op == OP_MOV && (!type_table[insn->type].is_float || program_is_long(s->p, o->kind, o->ref) == program_is_long(s->p, insn->dst.kind, insn->dst.ref));
}

/* CVT of 64 bits to the same, of a LONG variable. */
static bool converts_whole(const struct truth_search *s, const struct insn *insn)
{
    const struct operand *o = program_operand(s->p, insn->src);

    return insn->op == OP_CVT && insn->type == insn->type2 && type_table[insn->type].bytes == 8 && !type_table[insn->type].is_float && s->predicates &&
           (o->kind == OPND_SYMBOL || o->kind == OPND_HANDLE) && program_is_long(s->p, o->kind, o->ref);
}

/* A conversion from a half in a subroutine that reads what a comparison outside of it said. */
static void look_outside(struct truth_search *s, const struct truth_read *r)
{
    const struct insn *insn = program_insn(s->p, r->insn);

    if (r->from != TRUTH_ELSEWHERE || r->main || insn->op != OP_CVT || insn->type2 != DT_F16 || !eval_says_truth(s->p, insn, false, s->predicates))
        return;
    for (size_t i = 0; i < s->writes.count; i++) {
        uint32_t write = *(const uint32_t *)vec_at(&s->writes, i);
        const struct insn *made = program_insn(s->p, write / 4);
        if (made->type != DT_F32 || !(s->said[write / 4] >> write % 4 & 1) || s->part[write / 4] == s->part[r->insn] || write % 4 != r->component ||
            eval_variable(s->l, OPND_SYMBOL, made->dst.ref, false, write % 4) != r->variable)
            continue;
        s->at = write / 4;
        s->component = write % 4;
        s->variable = r->variable;
        if (eval_comes_alone(s, r->insn))
            s->d->truths->made[r->insn] |= (uint8_t)(r->results & insn->dst.mask);
    }
}

/* NOT of the negative of what a comparison said, or a copy of it, in the main program. */
static bool turns_negative(const struct truth_read *r, const struct insn *insn)
{
    return r->main && r->use == TRUTH_MADE && insn->op == OP_NOT;
}

/* Components of logic into a LONG variable that are a truth. */
static uint8_t joined_long(const struct truth_search *s, const struct truth_read *r)
{
    bool joins = r->use == TRUTH_MADE && eval_joins_long(s, r->insn) && is_said(s, r) && has_partner(s, r);

    return joins ? r->results & (uint8_t)~eval_joins_itself(s, program_insn(s->p, r->insn)) : 0;
}

/* CMP of what a comparison said, or a copy of it, or of the absolute value of a truth takes its third operand. This, NOT and logic into LONG variables need no predicate. */
static void find_third(struct truth_search *s)
{
    uint8_t *positive = gp5_malloc(s->p->insns.count + 1);
    bool more = positive != NULL;

    find_partners(s, true);
    s->failed |= !positive;
    for (uint32_t i = 0; positive && i < s->p->insns.count; i++)
        positive[i] = eval_makes_truth(s, program_insn(s->p, i)) ? s->truth[i] : 0;
    while (more) {
        more = false;
        for (size_t i = 0; i < s->reads.count; i++) {
            const struct truth_read *r = vec_at(&s->reads, i);
            uint32_t write = eval_only_write(s, r);
            const struct insn *insn = program_insn(s->p, r->insn);
            const struct operand *o = insn->nsrc ? program_operand(s->p, insn->src) : NULL;
            bool is = write != NO_INDEX && positive[write / 4] >> write % 4 & 1;
            if (r->use == TRUTH_COPIED && is && s->truth[r->insn] & r->results & ~positive[r->insn]) {
                positive[r->insn] |= s->truth[r->insn] & r->results;
                more = true;
            }
            if (r->use == TRUTH_ASKED && r->operand == 0 && insn->op == OP_CMP && insn->type == DT_F32 && !(insn->flags & (INSN_SAT | INSN_SSAT)) && reads_truths(s, r) &&
                !operand_negates(o) && (is || o->flags & OPND_ABSOLUTE))
                s->d->truths->third[r->insn] |= (uint8_t)(r->results & insn->dst.mask);
            s->d->truths->made[r->insn] |= insn->dst.mask & (reads_truths(s, r) && is && turns_negative(r, insn) ? r->results : joined_long(s, r));
        }
    }
    gp5_free(positive);
}

static void hand_over(struct truth_search *s)
{
    struct truths *to = s->d->truths;

    find_partners(s, false);
    for (size_t i = 0; i < s->reads.count; i++) {
        const struct truth_read *r = vec_at(&s->reads, i);
        const struct insn *insn = program_insn(s->p, r->insn);
        if (is_said(s, r) && (eval_says_truth(s->p, insn, program_insn(s->p, eval_only_write(s, r) / 4)->type == DT_F64, s->predicates) || converts_whole(s, insn)))
            to->made[r->insn] |= (uint8_t)(r->results & insn->dst.mask);
        if (is_said(s, r) && r->use == TRUTH_VIEWED && eval_joins_negative(s, r->insn, r->operand))
            to->views[3 * r->insn + r->operand] |= r->results;
        look_outside(s, r);
        if (!reads_truths(s, r) || !has_partner(s, r))
            continue;
        if (r->use == TRUTH_VIEWED)
            to->views[3 * r->insn + r->operand] |= r->results;
        else if (r->use >= TRUTH_SIGNED || (r->use == TRUTH_COPIED && !r->main && !copies_words(s, insn)))
            to->made[r->insn] |= (uint8_t)(r->results & insn->dst.mask);
        else if (r->use == TRUTH_ASKED && !r->main)
            to->asks[r->insn] |= r->results;
        if (turns_float(s, r))
            to->turned[r->insn] |= (uint8_t)(r->results & insn->dst.mask);
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
        if (!eval_makes_truth(s, program_insn(s->p, i)) && program_insn(s->p, i)->op != OP_MOV)
            s->said[i] = 0;
}

/* Comparisons, votes and choices that ask truths and logic of them are predicates too, in subroutines. */
static bool asks_itself(struct truth_search *s)
{
    bool any = false;

    find_partners(s, false);
    for (size_t i = 0; i < s->reads.count; i++) {
        const struct truth_read *r = vec_at(&s->reads, i);
        const struct insn *insn = program_insn(s->p, r->insn);
        bool logic = r->use == TRUTH_MADE && op_joins_bits(insn->op);
        any |= !r->main && r->use != TRUTH_WORD && r->results && r->operand < 3 && reads_truths(s, r) && has_partner(s, r) &&
               (logic || eval_truth_is_asked(s->d, insn, r->operand));
    }
    return any;
}

void eval_settle_truths(struct truth_search *s)
{
    bool predicates = s->predicates != 0;

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
    find_third(s);
    if (!predicates && !asks_itself(s)) {
        s->predicates = 0;
        memset(s->truth, 0, s->p->insns.count);
    }
    if (!s->failed)
        hand_over(s);
}
