/* TGALL.F and its like take what a comparison of integers says for true, though its -1 is no number; and what AND, OR, XOR and NOT make of
 * such truths, CMP of -1 and 0, other votes and the predicate of a shuffle, where votes of floats alone read it: the driver's compiler holds
 * that as a predicate then (docs/semantics.md, "Ballots, votes and match"). */
#include "eval/votes.h"

#include "eval/liveness.h"

struct looker {
    const struct decoder *d;
    const struct liveness *l;
    uint32_t variable;
    bool failed;                /* out of memory */
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
        for (unsigned c = 0; c < 4; c++)
            components |= useful >> c & 1 ? eval_component_reads(insn->op, n, c) : 0;
        for (unsigned c = 0; c < 4; c++)
            if ((o->kind == OPND_EXTENDED && names(k, o->base_kind, o->ref, o->nindices != 0, c)) ||
                (components >> c & 1 && names(k, o->kind == OPND_HANDLE ? OPND_SYMBOL : o->kind, o->ref, o->nindices != 0, o->swizzle >> 2 * c & 3)))
                return true;
        for (unsigned x = 0; x < o->nindices; x++) {
            const struct index *index = program_index(k->d->p, o->index + x);
            if (index->mode == INDEX_RELATIVE && names(k, index->register_kind, index->reg, index->element.used, index->component))
                return true;
        }
    }
    for (unsigned x = 0; x < insn->dst.nindices; x++) {
        const struct index *index = program_index(k->d->p, insn->dst.index + x);
        if (index->mode == INDEX_RELATIVE && names(k, index->register_kind, index->reg, index->element.used, index->component))
            return true;
    }
    return false;
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

uint8_t eval_vote_truths(struct decoder *d, const struct insn *insn)
{
    const struct folded *folded = eval_folded_at(d, d->insn);
    struct looker k = {.d = d};
    uint8_t mask = folded ? folded->truths : 0;

    for (unsigned c = 0; folded && insn->type == DT_F32 && c < 4; c++) {
        const struct operand *o = program_operand(d->p, insn->src);
        if (!folded->made[c])
            continue;
        k.l = eval_liveness(d);
        if (!k.l)
            break;
        k.variable = eval_variable(k.l, o->kind, o->ref, o->nindices != 0, o->swizzle >> 2 * c & 3);
        if (k.variable != NO_INDEX && !is_read_before(&k, (folded->made[c] - 1) / 4, d->insn) && !is_read_behind(&k, d->insn))
            mask |= (uint8_t)(1u << c);
    }
    if (k.failed)
        eval_out_of_memory(d);
    return mask;
}
