/* TGALL.F and its like take what a comparison of integers says for true, though its -1 is no number; and what AND, OR, XOR and NOT make of
 * such truths, CMP of -1 and 0, other votes and the predicate of a shuffle, where votes of floats alone read it: the driver's compiler holds
 * that as a predicate then (docs/semantics.md, "Ballots, votes and match"). */
#include "eval/votes.h"

#include "eval/liveness.h"
#include "eval/truths.h"

struct looker {
    const struct decoder *d;
    const struct liveness *l;
    uint32_t variable;
    bool failed;                /* out of memory */
    bool others;                /* what takes it for a float or with a sign, or finds lanes by it, alone counts */
};

static bool names(const struct looker *k, uint8_t kind, uint32_t ref, bool indexed, unsigned c)
{
    return eval_variable(k->l, kind, ref, indexed, c) == k->variable;
}

/* Something that is no such vote. */
static bool reads(const struct looker *k, uint32_t i)
{
    const struct insn *insn = program_insn(k->d->p, i);
    uint8_t useful = k->l->useful[i];

    for (unsigned n = 0; useful && !eval_votes_floats(insn) && n < insn->nsrc; n++) {
        const struct operand *o = program_operand(k->d->p, insn->src + n);
        uint8_t components = useful & LIVE_EFFECT && insn->dst.kind == OPND_NONE ? 15 : 0;
        if (k->others && !eval_takes_floats(k->d->p, insn, n) && !op_shuffles(insn->op) && !(o->flags & OPND_SIGNS))
            continue;
        for (unsigned c = 0; c < 4; c++)
            components |= useful >> c & 1 ? eval_component_reads(insn->op, n, c) : 0;
        for (unsigned c = 0; c < 4; c++)
            if ((o->kind == OPND_EXTENDED && names(k, o->base_kind, o->ref, o->nindices != 0, c)) ||
                (components >> c & 1 && names(k, o->kind == OPND_HANDLE ? OPND_SYMBOL : o->kind, o->ref, o->nindices != 0, o->swizzle >> 2 * c & 3)))
                return true;
        if (eval_is_index(k->l, o->index, o->nindices, k->variable))
            return true;
    }
    return eval_is_index(k->l, insn->dst.index, insn->dst.nindices, k->variable);
}

static bool writes(const struct looker *k, uint32_t i)
{
    const struct result *r = &program_insn(k->d->p, i)->dst;

    for (unsigned c = 0; r->kind != OPND_NONE && c < 4; c++)
        if (r->mask >> c & 1 && names(k, r->kind, r->ref, r->nindices != 0, c))
            return true;
    return false;
}

/* From what wrote it to the vote, in the order of the text: no call, no way out, no loop around one of them alone. */
static bool is_read_before(const struct looker *k, uint32_t from, uint32_t vote)
{
    uint32_t open = 0;

    for (uint32_t i = from + 1; i < vote; i++) {
        uint16_t op = program_insn(k->d->p, i)->op;
        if (eval_form(k->d, i) == FORM_KNOWN && (op == OP_IF || op == OP_ELSE || op == OP_ENDIF))
            continue;
        open += op == OP_IF || (op == OP_REP && eval_form(k->d, i) == FORM_PLAIN);
        if (k->l->label[i] || op == OP_CAL || op == OP_CALI || op == OP_BRK || op == OP_CONT || op == OP_RET || reads(k, i) || writes(k, i))
            return true;
        if ((op == OP_ENDIF || (op == OP_ENDREP && eval_form(k->d, i) == FORM_PLAIN)) && !open--)
            return true;
    }
    return open != 0;
}

/* Behind the vote: in its block, or wanted where that ends. */
static bool is_read_behind(struct looker *k, uint32_t vote)
{
    struct shared_bits wanted;
    bool is;
    uint32_t block = k->l->block[vote];

    for (uint32_t i = vote; i < k->l->start[block + 1]; i++) {
        if (i > vote && reads(k, i))
            return true;
        if (writes(k, i))
            return condition_restricts(&program_insn(k->d->p, i)->dst.condition);
    }
    wanted = eval_live_out(k->l, block);
    is = shared_bits_has(&wanted, k->variable);
    k->failed |= wanted.failed;
    shared_bits_free(&wanted);
    return is;
}

/* Components of what operand n takes, by those of the result, that nothing else reads. */
static uint8_t alone(struct decoder *d, const struct insn *insn, unsigned n, const uint32_t made[4])
{
    struct looker k = {.d = d};
    uint8_t mask = 0;

    for (unsigned c = 0; c < 4; c++) {
        const struct operand *o = program_operand(d->p, insn->src + n);
        if (!made[c])
            continue;
        k.l = eval_liveness(d);
        if (!k.l)
            break;
        k.variable = eval_variable(k.l, o->kind, o->ref, o->nindices != 0, o->swizzle >> 2 * c & 3);
        if (k.variable != NO_INDEX && !is_read_before(&k, (made[c] - 1) / 4, d->insn) && !is_read_behind(&k, d->insn))
            mask |= (uint8_t)(1u << c);
    }
    if (k.failed)
        eval_out_of_memory(d);
    return mask;
}

/* REP and ENDREP that are there when the program runs. */
static bool loops(const struct decoder *d, uint32_t i, uint16_t op)
{
    uint8_t form = eval_form(d, i);

    return program_insn(d->p, i)->op == op && (form == FORM_PLAIN || form == FORM_PHASED || form == FORM_PHASE);
}

bool eval_loops_between(const struct decoder *d, uint32_t from, uint32_t to)
{
    for (uint32_t i = from + 1; i < to; i++)
        if (loops(d, i, OP_REP) && program_insn(d->p, i)->partner < to)
            return true;
    return false;
}

bool eval_stands_beside(const struct decoder *d, const struct liveness *l, uint32_t from, uint32_t to)
{
    uint32_t open = 0;

    for (uint32_t i = from + 1; i < to; i++) {
        const struct insn *insn = program_insn(d->p, i);
        bool part = eval_form(d, i) != FORM_KNOWN;
        if (l->label[i] || insn->op == OP_BRK || insn->op == OP_CONT || insn->op == OP_RET ||
            (loops(d, i, OP_REP) && insn->partner >= to) || (loops(d, i, OP_ENDREP) && insn->partner <= from))
            return false;
        if (part && !open && (insn->op == OP_ELSE || insn->op == OP_ENDIF))
            return false;
        open += part && insn->op == OP_IF;
        open -= part && insn->op == OP_ENDIF;
    }
    return !open && from < to;
}

/* Components made by logic, which is done with predicates. */
static uint8_t of_logic(const struct decoder *d, const struct folded *folded)
{
    uint8_t mask = 0;

    for (unsigned c = 0; c < 4; c++) {
        uint16_t op = folded->made[c] ? program_insn(d->p, (folded->made[c] - 1) / 4)->op : OP_COUNT;
        mask |= (uint8_t)(op_is_logic(op) << c);
    }
    return mask;
}

/* Components made without a loop between that and the instruction at hand. */
static uint8_t made_before(const struct decoder *d, const struct folded *folded)
{
    uint8_t mask = 0;

    for (unsigned c = 0; c < 4; c++)
        mask |= (uint8_t)((folded->made[c] && !eval_loops_between(d, (folded->made[c] - 1) / 4, d->insn)) << c);
    return mask;
}

/* Those of them whose logic of two stands beside the vote at hand, which does not write over it behind a loop. */
static uint8_t made_beside(struct decoder *d, const struct insn *insn, const struct folded *folded)
{
    uint8_t mask = of_logic(d, folded);

    for (unsigned c = 0; c < 4; c++) {
        const struct liveness *l = mask >> c & 1 ? eval_liveness(d) : NULL;
        uint32_t from = (folded->made[c] - 1) / 4;
        bool over = mask >> c & 1 && insn->dst.ref == program_operand(d->p, insn->src)->ref && eval_loops_between(d, from, d->insn);
        if (mask >> c & 1 && (!l || over || program_insn(d->p, from)->op == OP_NOT || !eval_stands_beside(d, l, from, d->insn)))
            mask &= (uint8_t)~(1u << c);
    }
    return mask;
}

uint8_t eval_vote_truths(struct decoder *d, const struct insn *insn)
{
    const struct folded *folded = eval_folded_at(d, d->insn);
    uint8_t mask = folded ? folded->truths : 0;

    if (d->truths && eval_votes_floats(insn))
        mask = (mask & (uint8_t)~d->truths->words[d->insn]) | d->truths->whole[d->insn];
    return folded && insn->type == DT_F32 ? mask | made_beside(d, insn, folded) | (alone(d, insn, 0, folded->made) & made_before(d, folded)) : mask;
}

/* Those that nothing else takes for a float or with a sign, or finds lanes by. */
static uint8_t is_stored(struct decoder *d, const struct insn *insn)
{
    const struct operand *o = program_operand(d->p, insn->src);
    struct looker k = {.d = d, .l = eval_liveness(d), .others = true};
    uint8_t mask = 0;

    for (unsigned c = 0; k.l && c < 4; c++) {
        bool any = false;
        k.variable = eval_variable(k.l, o->kind, o->ref, o->nindices != 0, o->swizzle >> 2 * c & 3);
        for (uint32_t i = 0; i < d->p->insns.count && !any; i++)
            any = i != d->insn && reads(&k, i);
        mask |= (uint8_t)((k.variable != NO_INDEX && !any) << c);
    }
    return k.l ? mask : (uint8_t)(eval_out_of_memory(d) ? 0 : 0);
}

/* ---- read as floats, with a sign ----------------------------------------------------------------------------------------------- */

/* Components in which a literal is this word. */
static uint8_t components_of(const struct gp5_program *p, const struct insn *insn, unsigned k, uint32_t number)
{
    const struct operand *o = program_operand(p, insn->src + k);
    struct known none = {.p = p};
    uint64_t word = 0;
    uint8_t mask = 0;

    for (unsigned c = 0; o->kind == OPND_CONSTANT && c < 4; c++)
        if (insn->dst.mask >> c & 1 && eval_known_operand(&none, o, c, DT_F32, &word) && (uint32_t)word == number)
            mask |= (uint8_t)(1u << c);
    return mask;
}

int eval_signed_truth(const struct gp5_program *p, const struct insn *insn)
{
    const struct operand *o = insn->nsrc ? program_operand(p, insn->src) : NULL;
    bool rounds = insn->op == OP_FLR || insn->op == OP_CEIL || insn->op == OP_TRUNC || insn->op == OP_ROUND;

    if (!o || insn->type == DT_F16 || insn->flags & (INSN_SAT | INSN_SSAT | INSN_HALF | INSN_PREC) || condition_restricts(&insn->dst.condition) ||
        insn->dst.kind != OPND_SYMBOL || program_symbol(p, insn->dst.ref)->size == SIZE_SHORT)
        return -1;
    if (rounds)
        return o->flags & OPND_SIGNS && (!type_table[insn->type].is_float || (o->flags & OPND_ABSOLUTE && !operand_negates(o))) &&
               type_table[insn->type].bytes == 4 ? 0 : -1;
    if (insn->type != DT_F32 || program_is_long(p, insn->dst.kind, insn->dst.ref) || insn->cc_update)
        return -1;
    switch (insn->op) {
    case OP_MOV: return o->flags & OPND_SIGNS ? 0 : -1;
    case OP_ABS: return 0;
    case OP_MUL:
        for (unsigned k = 0; k < 2; k++)
            if (components_of(p, insn, 1 - k, 0xbf800000u) || (program_operand(p, insn->src + k)->flags & OPND_SIGNS && components_of(p, insn, 1 - k, 0x3f800000u)))
                return (int)k;
        return -1;
    default: return -1;
    }
}

/* Not what a comparison of integers says of what one of floats said, in the main program. */
static uint8_t of_integers(const struct decoder *d, const struct folded *folded)
{
    const struct liveness *l = eval_liveness((struct decoder *)d);
    uint8_t mask = 0;

    for (unsigned c = 0; l && c < 4; c++) {
        uint32_t at = folded->made[c] ? (folded->made[c] - 1) / 4 : NO_INDEX;
        bool of_floats = at != NO_INDEX && d->truths->made[at] && at >= l->entry && at < l->main_end;
        mask |= (uint8_t)((at != NO_INDEX && !of_floats) << c);
    }
    return mask;
}

uint8_t eval_whole_truths(struct decoder *d, const struct insn *insn)
{
    const struct folded *folded = eval_folded_at(d, d->insn);
    int k = folded && d->truths ? eval_signed_truth(d->p, insn) : -1;
    uint8_t mask = k < 0 ? 0 : insn->dst.mask & folded->truths & (d->truths->any ? 15 : of_logic(d, folded));

    if (insn->op == OP_MUL && mask) {
        bool has_sign = program_operand(d->p, insn->src + (unsigned)k)->flags & OPND_SIGNS;
        uint8_t turned = components_of(d->p, insn, 1 - (unsigned)k, 0xbf800000u);
        mask &= turned ? turned : has_sign ? components_of(d->p, insn, 1 - (unsigned)k, 0x3f800000u) : 0;
    }
    if (!mask)
        return 0;
    mask &= of_integers(d, folded);
    return mask & (program_is_long(d->p, insn->dst.kind, insn->dst.ref) ? is_stored(d, insn) : alone(d, insn, (unsigned)k, folded->made));
}

uint64_t eval_whole_outcome(const struct decoder *d, const struct insn *insn)
{
    int k = eval_signed_truth(d->p, insn);
    const struct operand *o = program_operand(d->p, insn->src + (k > 0));
    bool negative = o->flags & OPND_ABSOLUTE ? operand_negates(o) : !operand_negates(o);

    if (insn->op == OP_FLR || insn->op == OP_CEIL || insn->op == OP_TRUNC || insn->op == OP_ROUND)
        return eval_truth_number(eval_result_type(insn), false);
    if (insn->op == OP_ABS)
        return 1;
    if (insn->op == OP_MUL && components_of(d->p, insn, 1 - (unsigned)k, 0xbf800000u))
        negative = !negative;
    return negative ? UINT32_MAX : 1;
}
