/* What is told to those who run the program: which results are held as truths, which are made of them: docs/numbers.md, "Comparisons in
 * subroutines". */
#include "tests/slow/leaving.h"

#include <stdlib.h>

static const struct insn *at(const struct leaving *x, uint32_t place)
{
    return slow_leaving_at(x, place);
}

static bool is_long(const struct slow_program *p, const struct operand *o)
{
    return (o->kind == OPND_SYMBOL || o->kind == OPND_HANDLE) && program_is_long(p->text, o->kind, o->ref);
}

static void find_negatives(struct leaving *x)
{
    bool more = true;
    while (more) {
        more = false;
        for (uint32_t i = 0; i < x->nreads; i++) {
            const struct slow_truth_read *r = &x->reads[i];
            uint32_t write = slow_truth_write(x, r);
            struct slow_place *to = &x->plan->place[r->place], *from = write == NO_INDEX ? NULL : &x->plan->place[write / 4];
            uint8_t *below = r->use == USE_NUMBER ? &to->lower[r->operand] : &to->below;
            if (!from || !(from->of_truth >> write % 4 & 1) || !(r->results & ~*below))
                continue;
            if (!(slow_of_truth(x->p, at(x, write / 4), true, from->below >> write % 4 & 1) & 0x80000000u))
                continue;
            *below |= r->results;
            more = true;
        }
    }
}

/* CVT of 64 bits to the same, of a LONG variable. */
static bool converts_whole(const struct leaving *x, const struct insn *insn)
{
    return insn->op == OP_CVT && insn->type == insn->type2 && slow_bytes(insn->type) == 8 && !slow_is_float(insn->type) && x->predicates &&
           is_long(x->p, program_operand(x->p->text, insn->src));
}

/* A conversion from a half, in a subroutine, of what a comparison outside of it said. */
static void look_outside(struct leaving *x, const struct slow_truth_read *r)
{
    const struct insn *insn = at(x, r->place);
    if (r->from != FROM_ELSEWHERE || slow_leaving_main(x, r->place) || insn->type2 != DT_F16 || !slow_says_truth(x->p, insn, false, x->predicates))
        return;
    for (uint32_t i = 0; i < x->nwrites; i++) {
        uint32_t w = x->writes[i];
        if (at(x, w / 4)->type != DT_F32 || !slow_holds_truth(x->said, w) || x->part[w / 4] == x->part[r->place] || w % 4 != r->component ||
            slow_variable(x->p, OPND_SYMBOL, at(x, w / 4)->dst.ref, false, w % 4) != r->variable)
            continue;
        x->place = w / 4;
        x->symbol = at(x, w / 4)->dst.ref;
        x->c = w % 4;
        if (slow_comes_alone(x, r->place))
            x->plan->place[r->place].of_truth |= r->results & insn->dst.mask;
    }
}

/* What stands there as a word is the truth too. */
static bool copies_words(const struct leaving *x, const struct insn *insn)
{
    bool to_long = program_is_long(x->p->text, insn->dst.kind, insn->dst.ref);
    return insn->op == OP_MOV && (!slow_is_float(insn->type) || is_long(x->p, program_operand(x->p->text, insn->src)) == to_long);
}

bool slow_joins_long(const struct leaving *x, uint32_t place)
{
    const struct insn *insn = at(x, place);
    return slow_leaving_main(x, place) && op_joins_bits(insn->op) && program_is_long(x->p->text, insn->dst.kind, insn->dst.ref) &&
           !operand_has_sign(program_operand(x->p->text, insn->src)) && !operand_has_sign(program_operand(x->p->text, insn->src + 1));
}

/* A comparison said it, whoever reads the word. */
static bool is_said(const struct leaving *x, const struct slow_truth_read *r)
{
    uint32_t write = slow_truth_write(x, r);
    return write != NO_INDEX && slow_holds_truth(x->said, write);
}

/* Components that logic into a LONG variable makes of what two comparisons said, not of one twice. */
static unsigned joined(const struct leaving *x, const struct slow_truth_read *r)
{
    const struct operand *a = program_operand(x->p->text, at(x, r->place)->src), *b = a + 1;
    unsigned mask = 0;
    if (r->use != USE_MAKES || r->operand > 1 || !slow_joins_long(x, r->place) || !is_said(x, r))
        return 0;
    for (uint32_t i = 0; i < x->nreads; i++)
        if (x->reads[i].place == r->place && x->reads[i].operand == 1u - r->operand && is_said(x, &x->reads[i]))
            mask |= x->reads[i].results & r->results;
    for (unsigned c = 0; c < 4; c++)
        if (a->kind == b->kind && a->ref == b->ref && !((a->swizzle ^ b->swizzle) >> 2 * c & 3))
            mask &= ~(1u << c);
    return mask;
}

bool slow_joins_negative(const struct leaving *x, uint32_t place, unsigned k)
{
    const struct insn *insn = at(x, place);
    const struct operand *o = k < insn->nsrc ? program_operand(x->p->text, insn->src + k) : NULL;
    if (!o || !slow_leaving_main(x, place) || !op_joins_bits(insn->op) || (insn->type != DT_U64 && insn->type != DT_S64))
        return false;
    return operand_negates(o) && !(o->flags & OPND_ABSOLUTE) && !is_long(x->p, o);
}

/* CMP of a comparison's truth, or of the absolute value of any, goes to its third operand; NOT of the negative of one turns all bits. No predicate is
 * needed. */
void slow_find_third(struct leaving *x)
{
    uint8_t *plain = calloc(x->plan->count + 1, 1);
    bool more = plain;
    x->failed |= !plain;
    for (uint32_t i = 0; plain && i < x->plan->count; i++)
        plain[i] = slow_compares_truth(x, i) ? x->truth[i] : 0;
    while (more) {
        more = false;
        for (uint32_t i = 0; i < x->nreads; i++) {
            const struct slow_truth_read *r = &x->reads[i];
            unsigned copied = r->use == USE_COPY ? x->truth[r->place] & r->results & ~plain[r->place] : 0u;
            if (!copied || !slow_holds_truth(plain, slow_truth_write(x, r)))
                continue;
            plain[r->place] |= (uint8_t)copied;
            more = true;
        }
    }
    for (uint32_t i = 0; plain && i < x->nreads; i++) {
        const struct slow_truth_read *r = &x->reads[i];
        const struct insn *insn = at(x, r->place);
        const struct operand *o = program_operand(x->p->text, insn->src);
        if (insn->op == OP_NOT && r->use == USE_MAKES && slow_leaving_main(x, r->place) && slow_reads_truth(x, r) && slow_holds_truth(plain, slow_truth_write(x, r)))
            x->plan->place[r->place].of_truth |= r->results & insn->dst.mask;
        x->plan->place[r->place].of_truth |= joined(x, r) & insn->dst.mask;
        if (r->use != USE_ASKS || r->operand || insn->op != OP_CMP || insn->type != DT_F32 || insn->flags & (INSN_SAT | INSN_SSAT) || operand_negates(o))
            continue;
        if (slow_reads_truth(x, r) && (o->flags & OPND_ABSOLUTE || slow_holds_truth(plain, slow_truth_write(x, r))))
            x->plan->place[r->place].third |= r->results & insn->dst.mask;
    }
    free(plain);
}

void slow_hand_over_truths(struct leaving *x)
{
    slow_find_truth_partners(x);
    for (uint32_t i = 0; i < x->nreads; i++) {
        const struct slow_truth_read *r = &x->reads[i];
        const struct insn *insn = at(x, r->place);
        struct slow_place *s = &x->plan->place[r->place];
        uint32_t write = slow_truth_write(x, r);
        bool main = slow_leaving_main(x, r->place);
        look_outside(x, r);
        if (r->use == USE_NUMBER && is_said(x, r) && slow_joins_negative(x, r->place, r->operand))
            s->views[r->operand] |= r->results;
        if (slow_holds_truth(x->said, write) && (slow_says_truth(x->p, insn, at(x, write / 4)->type == DT_F64, x->predicates) || converts_whole(x, insn)))
            s->of_truth |= r->results & insn->dst.mask;
        if (!slow_reads_truth(x, r))
            continue;
        if (r->use == USE_NUMBER)
            s->views[r->operand] |= r->results;
        else if (r->use >= USE_SIGN || (r->use == USE_COPY && !main && !copies_words(x, insn)))
            s->of_truth |= r->results & insn->dst.mask;
        if (slow_turns_float(x, r))
            s->flipped |= r->results & insn->dst.mask;
        if (r->use == USE_ASKS && !main && op_votes(insn->op))
            s->truths |= r->results & insn->dst.mask;
        else if (r->use == USE_ASKS && !main)
            s->counts |= r->results;
    }
    for (uint32_t i = 0; i < x->plan->count; i++)
        x->plan->place[i].leaves = slow_leaving_main(x, i) ? 0 : x->truth[i];
    find_negatives(x);
}
