/* Comparisons of integers, and what is made of them, that nobody takes for numbers: docs/numbers.md, "Comparisons in subroutines". */
#include "tests/slow/leaving.h"

#include <stdlib.h>
#include <string.h>

static const struct insn *at(const struct leaving *x, uint32_t place)
{
    return slow_leaving_at(x, place);
}

static bool literal(const struct slow_program *p, const struct insn *insn, unsigned k, unsigned c, uint64_t *bits)
{
    struct slow_knowledge nothing = {.p = p, .at = NO_INDEX};
    const struct operand *o = program_operand(p->text, insn->src + k);
    struct slow_known v;
    if (o->kind != OPND_CONSTANT || !slow_known_operand(&nothing, o, c, insn->type, &v))
        return false;
    *bits = v.bits;
    return true;
}

/* Components that may be held. */
static unsigned makes(const struct slow_program *p, const struct insn *insn)
{
    const struct symbol *to = insn->dst.kind == OPND_SYMBOL ? program_symbol(p->text, insn->dst.ref) : NULL;
    unsigned mask = insn->dst.mask;
    if (!to || to->kind != SYM_TEMP || to->array || to->size != SIZE_DEFAULT || insn->dst.nindices || insn->flags & (INSN_SAT | INSN_SSAT | INSN_HALF) ||
        (insn->flags & INSN_PREC && !op_compares(insn->op)))
        return 0;
    if (op_compares(insn->op))
        return slow_is_float(insn->type) ? 0 : mask;
    if (insn->op == OP_MOV)
        return (slow_is_word_type(insn->type) || insn->type == DT_F32) && !(program_operand(p->text, insn->src)->flags & OPND_SIGNS) ? mask : 0;
    if (op_shuffles(insn->op))          /* of floats a number */
        return slow_is_word_type(insn->type) ? mask & 1 : 0;
    if (!slow_is_word_type(insn->type))
        return 0;
    if (insn->op == OP_CMP)
        for (unsigned c = 0; c < 4; c++) {
            uint64_t b, other;
            if (!literal(p, insn, 1, c, &b) || !literal(p, insn, 2, c, &other) || (b && (uint32_t)b != UINT32_MAX) || (other && (uint32_t)other != UINT32_MAX))
                mask &= ~(1u << c);
        }
    return insn->op == OP_CMP || op_is_logic(insn->op) || (op_votes(insn->op) && insn->op != OP_TGBALLOT) ? mask : 0;
}

bool slow_is_below_zero(const struct slow_program *p, const struct insn *insn, unsigned k)
{
    if (k > 1 || insn->op != (k ? OP_SGT : OP_SLT) || insn->type != DT_F32 || insn->flags & INSN_HALF || program_operand(p->text, insn->src + k)->flags & OPND_SIGNS)
        return false;
    return slow_reads_zero(p, insn, 1 - k) || slow_reads_number(p, insn, 1 - k, 0x80000000u);
}

static unsigned use_of(const struct slow_program *p, const struct insn *insn, unsigned k)
{
    bool word = slow_is_word_type(insn->type), single = insn->type == DT_F32 && !(insn->flags & INSN_HALF);
    if (op_votes(insn->op) || (op_shuffles(insn->op) && !k) || (word && op_is_logic(insn->op)))
        return USE_ASKS;
    if (insn->op == OP_CMP && !k)
        return word || single ? USE_ASKS : USE_WORD;
    if (slow_is_below_zero(p, insn, k))
        return USE_ASKS;
    if ((insn->op == OP_SEQ || insn->op == OP_SNE) && (single || (word && !(insn->flags & INSN_HALF))) && 
        !(program_operand(p->text, insn->src + k)->flags & (word ? OPND_ABSOLUTE : OPND_SIGNS)))
        return slow_reads_zero(p, insn, 1 - k) ? USE_ASKS : USE_WORD;
    if (slow_signed_truth(p, insn, 0) == (int)k && !condition_restricts(&insn->dst.condition) && !program_is_long(p->text, insn->dst.kind, insn->dst.ref))
        return USE_ASKS;
    return insn->op == OP_MOV && makes(p, insn) && !condition_restricts(&insn->dst.condition) ? USE_COPY : USE_WORD;
}

/* XOR turns the other operand, and puts its sign on then. */
static bool turns(const struct slow_program *p, const struct insn *insn, unsigned k)
{
    bool is_signed = insn->type == DT_S32;
    if (insn->op != OP_XOR || !slow_is_word_type(insn->type))
        return false;
    return !(program_operand(p->text, insn->src + k)->flags & (is_signed ? OPND_SIGNS : OPND_NEGATE | OPND_NEGATE_INNER)) &&
           slow_in_register(p, program_operand(p->text, insn->src + 1 - k)) && program_operand(p->text, insn->src + 1 - k)->flags & (is_signed ? OPND_SIGNS : OPND_NEGATE);
}

static bool matters(const struct slow_program *p, const struct insn *insn, unsigned k)
{
    const struct operand *o = insn->nsrc > k ? program_operand(p->text, insn->src + k) : NULL;
    if (!o || k > 1)
        return false;
    if (insn->op == OP_CMP)
        return !k && (insn->type == DT_U32 || (insn->type == DT_F32 && !(o->flags & OPND_ABSOLUTE) == operand_negates(o)));
    if (insn->type == DT_F32 && op_votes(insn->op))
        return !(o->flags & OPND_ABSOLUTE);
    return insn->nsrc > 1 && (turns(p, insn, k) || slow_is_below_zero(p, insn, k));
}

bool slow_has_wholes(const struct leaving *x)
{
    bool made = false, asked = false;
    for (uint32_t i = 0; i < x->plan->count; i++) {
        const struct insn *insn = at(x, i);
        made |= makes(x->p, insn) && insn->op != OP_MOV && !op_is_logic(insn->op);
        asked |= matters(x->p, insn, 0) || matters(x->p, insn, 1);
    }
    return made && asked;
}

static void look_for_operands(struct leaving *x)
{
    memset(x->partner, 0, 2 * (size_t)x->plan->count);
    for (uint32_t i = 0; i < x->nreads; i++) {
        const struct slow_truth_read *r = &x->reads[i];
        if (r->operand < 2 && slow_holds_truth(x->truth, slow_truth_write(x, r)))
            x->partner[2 * r->place + r->operand] |= r->results;
    }
}

/* Copies, and at first logic, of what is not held. */
static bool take_made(struct leaving *x, bool copies_alone)
{
    bool less = false;
    look_for_operands(x);
    for (uint32_t i = 0; i < x->plan->count; i++) {
        unsigned op = at(x, i)->op, both = x->partner[2 * i] & (op_joins_bits(op) ? x->partner[2 * i + 1] : 15u);
        if (!(op == OP_MOV || (!copies_alone && op_is_logic(op))) || !(x->truth[i] & ~both))
            continue;
        x->truth[i] &= (uint8_t)both;
        less = true;
    }
    return less;
}

static bool take_sources(struct leaving *x, const struct slow_truth_read *r)
{
    bool any = false;
    for (uint64_t from = r->from & ~FROM_ELSEWHERE; from; from &= from - 1) {
        uint32_t w = x->writes[r->first + (uint32_t)__builtin_ctzll(from)];
        any |= slow_holds_truth(x->truth, w);
        x->truth[w / 4] &= (uint8_t)~(1u << w % 4);
    }
    if (r->outside != NO_INDEX) {
        any |= slow_holds_truth(x->truth, r->outside);
        x->truth[r->outside / 4] &= (uint8_t)~(1u << r->outside % 4);
    }
    return any;
}

static void settle(struct leaving *x)
{
    bool less = true;
    while (less) {
        less = take_made(x, true);
        for (uint32_t i = 0; i < x->nreads; i++) {
            const struct slow_truth_read *r = &x->reads[i];
            uint32_t w = slow_truth_write(x, r);
            bool lanes = w != NO_INDEX && op_votes(at(x, w / 4)->op) && op_shuffles(at(x, r->place)->op);     /* take a vote's word */
            bool ok = w != NO_INDEX && !lanes && r->use != USE_WORD && !(r->use == USE_COPY && r->results & ~x->truth[r->place]);
            less |= !ok && take_sources(x, r);
        }
    }
}

bool slow_loop_between(const struct slow_reach *r, uint32_t from, uint32_t to)
{
    for (uint32_t i = from + 1; i < to; i++)
        if (program_insn(r->p->text, r->plan->place[i].insn)->op == OP_REP && !r->plan->place[i].straight && r->plan->place[i].to <= to &&
            program_insn(r->p->text, r->plan->place[i + 1].insn)->op != OP_ENDREP)
            return true;
    return false;
}

bool slow_stands_beside(const struct slow_reach *r, uint32_t from, uint32_t to)
{
    int depth = 0;
    for (uint32_t i = from + 1; i < to; i++) {
        const struct slow_place *s = &r->plan->place[i];
        unsigned op = program_insn(r->p->text, s->insn)->op;
        if (op == OP_BRK || op == OP_CONT || op == OP_RET || slow_begins_part(r->p, r->plan, i))
            return false;
        if (op == OP_REP && !s->straight && s->to > to)
            return false;
        if (op == OP_ENDREP && !s->straight && s->loop != NO_INDEX && !r->plan->place[s->loop].straight && s->loop <= from)
            return false;
        if (!s->straight && !depth && (op == OP_ELSE || op == OP_ENDIF))
            return false;
        depth += s->straight ? 0 : (op == OP_IF) - (op == OP_ENDIF);
    }
    return !depth && from < to;
}

static bool in_one_block(const struct leaving *x, uint32_t from, uint32_t to)
{
    bool one = from < to;
    for (uint32_t i = from + 1; i <= to && one; i++)
        one = !x->reach.leads[i];
    return one;
}

static bool takes_along(struct leaving *x, const struct operand *o)
{
    if (o->kind != OPND_SYMBOL || o->nindices || operand_negates(o) || x->followed[o->ref])
        return false;
    return x->followed[o->ref] = true;
}

/* Operands of comparisons, but for negatives, and what is copied to them. */
static void find_followed(struct leaving *x)
{
    bool more = true;
    x->followed = calloc(x->p->text->symbols.count + 1, sizeof *x->followed);
    x->failed |= !x->followed;
    while (more && x->followed) {
        more = false;
        for (uint32_t i = 0; i < x->plan->count; i++) {
            const struct insn *insn = at(x, i);
            if (!makes(x->p, insn) || !(op_compares(insn->op) || (insn->op == OP_MOV && x->followed[insn->dst.ref])))
                continue;
            for (unsigned k = 0; k < insn->nsrc; k++)
                more |= takes_along(x, program_operand(x->p->text, insn->src + k));
        }
    }
}

static bool is_told_with_others(const struct leaving *x, uint32_t write);

/* Whether an operand that component c of a place takes as it is comes to a reader with something else. */
static bool has_such_operand(const struct leaving *x, uint32_t place, unsigned c)
{
    for (uint32_t i = 0; i < x->nreads; i++) {
        const struct slow_truth_read *r = &x->reads[i];
        bool plain = r->place == place && r->operand < 2 && r->results >> c & 1 && !operand_negates(program_operand(x->p->text, at(x, place)->src + r->operand));
        bool called = slow_leaving_main(x, place) && r->from & FROM_ELSEWHERE;      /* a subroutine may have written it */
        if (plain && (called || is_told_with_others(x, slow_truth_write(x, r))))
            return true;
    }
    return false;
}

/* A write, or what it copies. */
static bool is_told_with_others(const struct leaving *x, uint32_t write)
{
    if (write == NO_INDEX || slow_holds_truth(x->said, write))
        return write != NO_INDEX;
    return at(x, write / 4)->op == OP_MOV && makes(x->p, at(x, write / 4)) && has_such_operand(x, write / 4, write % 4);
}

bool slow_is_choice(const struct leaving *x, uint32_t place)
{
    const struct insn *insn = at(x, place);
    bool loads = insn->op == OP_LDS || insn->op == OP_ATOMS || insn->op == OP_LOAD || insn->op == OP_ATOM;
    bool reached = insn->dst.kind == OPND_SYMBOL && x->p->by_address && x->p->by_address[insn->dst.ref];
    return condition_restricts(&insn->dst.condition) && !insn->cc_update && (insn->op == OP_LDB || !slow_ends_block(insn)) && !loads && !reached;
}

static void find_met(struct leaving *x)
{
    for (uint32_t i = 0; i < x->nreads; i++) {
        const struct slow_truth_read *r = &x->reads[i];
        for (uint64_t from = r->results && slow_truth_write(x, r) == NO_INDEX ? r->from & ~FROM_ELSEWHERE : 0; from; from &= from - 1) {
            uint32_t w = x->writes[r->first + (uint32_t)__builtin_ctzll(from)];
            x->said[w / 4] |= (uint8_t)(1u << w % 4);
        }
    }
}

/* Comparisons that others come to a reader with, or with an operand of which they do, are words to votes in other blocks, unless nobody takes them for numbers. */
static void find_words(struct leaving *x, const struct slow_truth_read *r)
{
    const struct insn *insn = at(x, r->place);
    uint32_t w = slow_truth_write(x, r);
    bool held = r->use != USE_WORD && slow_holds_truth(x->truth, w) && matters(x->p, insn, r->operand);
    if (!held && insn->type == DT_F32 && op_votes(insn->op) && w != NO_INDEX && op_compares(at(x, w / 4)->op) && !in_one_block(x, w / 4, r->place) &&
        (slow_holds_truth(x->said, w) || has_such_operand(x, w / 4, w % 4)))
        x->plan->place[r->place].truths &= (uint8_t)~r->results;
}

/* What a write says, over copies, was compared, or is logic of two. */
static bool comes_of_comparisons(const struct leaving *x, uint32_t write)
{
    while (write != NO_INDEX && at(x, write / 4)->op == OP_MOV) {
        uint32_t from = NO_INDEX;
        for (uint32_t i = 0; i < x->nreads; i++)
            if (x->reads[i].place == write / 4 && x->reads[i].results >> write % 4 & 1)
                from = slow_truth_write(x, &x->reads[i]);
        write = from;
    }
    return write != NO_INDEX && (op_compares(at(x, write / 4)->op) || op_joins_bits(at(x, write / 4)->op));
}

static bool votes_floats(const struct insn *insn)
{
    return insn->type == DT_F32 && op_votes(insn->op);
}

/* Main loads and stores three times or more behind a write of it. */
static bool has_much_behind(const struct leaving *x, uint32_t place)
{
    unsigned n = 0;
    for (uint32_t i = place + 1; slow_leaving_main(x, place) && i < x->reach.main_end; i++) {
        unsigned op = at(x, i)->op;
        n += (op == OP_LDB || op == OP_STB || op == OP_ATOMB) && x->reach.useful[i];
    }
    return n > 2;
}

/* Too late in its subroutine to hear what another part says. */
static bool is_deaf(const struct leaving *x, const struct slow_truth_read *r, uint32_t write)
{
    if (has_much_behind(x, write / 4))
        return !(votes_floats(at(x, r->place)) && comes_of_comparisons(x, write));
    for (uint32_t i = x->part[r->place]; i < r->place; i++) {
        unsigned op = at(x, i)->op;
        bool memory = (op == OP_LDB || op == OP_STB || op == OP_ATOMB) && x->reach.useful[i];
        bool flows = (op == OP_REP && !(at(x, i)->nsrc && program_operand(x->p->text, at(x, i)->src)->kind == OPND_CONSTANT)) || (op == OP_IF && !x->plan->place[i].straight && !slow_is_over_nothing(x, i));
        if (memory || flows || op == OP_BRK || op == OP_CONT)
            return !(votes_floats(at(x, r->place)) && comes_of_comparisons(x, write));
    }
    return false;
}

static void tell(struct leaving *x, const struct slow_truth_read *r)
{
    const struct insn *insn = at(x, r->place);
    struct slow_place *s = &x->plan->place[r->place];
    uint32_t w = slow_truth_write(x, r);
    unsigned results = r->results & insn->dst.mask;
    if (r->use == USE_WORD || !slow_holds_truth(x->truth, w) || !matters(x->p, insn, r->operand))
        return;
    if (r->outside == NO_INDEX ? slow_loop_between(&x->reach, w / 4, r->place) : is_deaf(x, r, w))
        return;
    if (slow_is_below_zero(x->p, insn, r->operand) && !slow_leaving_main(x, r->place))
        s->leaves |= (uint8_t)results;
    if (insn->op == OP_CMP && insn->type == DT_F32)
        s->third |= (uint8_t)results;
    else if (op_votes(insn->op))
        s->truths |= (uint8_t)results;
    else
        s->whole |= (uint8_t)(results & ~(insn->op == OP_XOR ? x->partner[2 * r->place + 1 - r->operand] : 0u));
}

/* A comparison with what is in no variable tells a vote of a subroutine, whoever else takes it. */
static void tell_compared(struct leaving *x, const struct slow_truth_read *r)
{
    const struct insn *insn = at(x, r->place), *by = r->outside == NO_INDEX ? NULL : at(x, r->outside / 4);
    if (!by || r->operand > 3 || !op_compares(by->op) || !votes_floats(insn) || program_operand(x->p->text, insn->src)->flags & OPND_ABSOLUTE)
        return;
    for (unsigned k = 0; k < 2; k++) {
        const struct operand *o = program_operand(x->p->text, by->src + k);
        if (o->kind != OPND_SYMBOL || program_symbol(x->p->text, o->ref)->kind != SYM_TEMP)
            x->plan->place[r->place].truths |= r->results & insn->dst.mask;
    }
}

/* What a subroutine leaves where something else comes with it. */
static bool take_meeting(struct leaving *x)
{
    bool less = false;
    for (uint32_t i = 0; i < x->plan->count; i++)
        for (unsigned c = 0; c < 4; c++) {
            if (slow_leaving_main(x, i) || !(x->truth[i] & x->leaves[i] & 1u << c))
                continue;
            x->place = i;
            x->symbol = at(x, i)->dst.ref;
            x->c = c;
            if (slow_comes_with_nothing(x))
                continue;
            x->truth[i] &= (uint8_t)~(1u << c);
            less = true;
        }
    return less;
}

void slow_find_held(struct leaving *x)
{
    size_t n = x->plan->count;
    x->nreads = x->nwrites = 0;
    x->looks_outside = x->choices = true;
    memset(x->said, 0, n);
    memset(x->leaves, 0, n);
    for (uint32_t i = 0; i < n; i++) {
        const struct slow_place *s = &x->plan->place[i];
        x->truth[i] = (uint8_t)(makes(x->p, at(x, i)) & ~(s->computed | s->answered | slow_truth_tested(x, i)));
    }
    find_followed(x);
    slow_find_truth_reads(x);
    if (!x->failed)
        slow_find_outside(x, true);
    for (uint32_t i = 0; i < x->nreads; i++) {
        struct slow_truth_read *r = &x->reads[i];
        const struct insn *insn = at(x, r->place);
        r->results &= (uint8_t)~slow_kept_back(x, r->place);
        r->use = r->operand > 3 ? slow_is_known_call(x, r) ? USE_ASKS : USE_WORD : !r->results ? USE_ASKS : (uint8_t)use_of(x->p, insn, r->operand);
    }
    if (x->failed)
        return;
    find_met(x);
    for (uint32_t i = 0; i < n; i++)
        if (at(x, i)->cc_update)
            x->truth[i] &= (uint8_t)~x->reach.flags[i];
    while (take_made(x, false))
        ;
    for (uint32_t i = 0; i < x->nreads; i++) {         /* with what is none */
        struct slow_truth_read *r = &x->reads[i];
        if (r->operand < 2 && op_joins_bits(at(x, r->place)->op) && r->results & ~x->partner[2 * r->place + 1 - r->operand] && !turns(x->p, at(x, r->place), r->operand))
            r->use = USE_WORD;
    }
    settle(x);
    if (take_meeting(x))
        settle(x);
    look_for_operands(x);
    for (uint32_t i = 0; i < x->nreads; i++) {
        find_words(x, &x->reads[i]);
        tell(x, &x->reads[i]);
        tell_compared(x, &x->reads[i]);
    }
}

/* ---- as it runs ------------------------------------------------------------------------------------------------------------ */

bool slow_compute_whole(struct slow_lane *l, const struct insn *insn, struct slow_value r[4])
{
    const struct slow_program *p = l->group->program;
    bool xor = insn->op == OP_XOR;
    unsigned k = xor && !turns(p, insn, 0);
    struct operand plain = *program_operand(p->text, insn->src + k), other = *program_operand(p->text, insn->src + 1 - k);
    unsigned signs = other.flags & OPND_SIGNS;
    struct slow_value said[4], from[2][4];
    plain.flags = 0;
    if (xor)
        other.flags = 0;
    if (!slow_fetch(l, &plain, DT_U32, said) || !slow_fetch(l, &other, DT_U32, from[0]) ||
        (!xor && !slow_fetch(l, program_operand(p->text, insn->src + 2), DT_U32, from[1])))
        return false;
    for (unsigned c = 0; c < 4; c++) {
        uint32_t word = (uint32_t)from[0][c].bits;
        if (!(l->here->whole >> c & 1))
            continue;
        if (xor) {
            word = said[c].bits ? ~word : word;
            r[c].bits = slow_sign(p, insn->type, signs, word) & UINT32_MAX;
        } else if (operand_negates(program_operand(p->text, insn->src))) {  /* 1 or 0 */
            r[c] = from[1][c];
        } else {
            r[c].bits = from[said[c].bits ? 0 : 1][c].bits;
        }
    }
    return true;
}
