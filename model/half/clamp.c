/* `MAD.F32 r.x, ...; MOV.F.SAT h.x, r.x;` where nobody else reads r.x: the driver's compiler clamps the MAD itself,
 * which then goes into the SHORT variable as F32 does, unrounded (docs/semantics.md, "SHORT variables and half
 * arithmetic"). */
#include "model/analysis/liveness.h"
#include "model/ir/operand_walk.h"
#include "model/reconverge/reconverge.h"
#include "model/half/clamp.h"

struct asked {
    uint32_t ref;
    unsigned component;
    bool found;
};

static void look(void *user, const struct named *named)
{
    struct asked *a = user;

    a->found |= named->kind == OPND_SYMBOL && named->ref == a->ref &&
                (named->indexed || named->component == a->component);
}

/* Whether an instruction may read component c of a variable. */
static bool reads(const struct gp5_program *p, const struct insn *insn, uint32_t ref, unsigned c)
{
    struct asked a = {ref, c, false};
    struct naming to = {look, &a};
    uint8_t useful = insn->dst.mask | (model_is_own_arithmetic(insn->op) ? 0 : LIVE_EFFECT);

    model_each_index(p, insn->dst.index, insn->dst.nindices, &to);
    for (unsigned k = 0; k < insn->nsrc; k++) {
        const struct operand *o = program_operand(p, insn->src + k);
        uint8_t needed = model_operand_reads(insn, k, useful);
        model_each_index(p, o->index, o->nindices, &to);
        for (unsigned i = 0; o->kind == OPND_SYMBOL && o->ref == ref && i < 4; i++)
            a.found |= needed >> i & 1 && (o->swizzle >> 2 * i & 3) == c;
    }
    return a.found;
}

static bool writes(const struct insn *insn, uint32_t ref, unsigned c)
{
    return insn->dst.kind == OPND_SYMBOL && insn->dst.ref == ref && insn->dst.mask >> c & 1;
}

/* So far around a clamp it is looked for who else reads what it clamps: time stays in proportion to a program. */
enum { FAR = 1000 };

/* Whether it is made by F32 in this block, and read by nothing but the instruction at i. */
static bool is_made_for(const struct gp5_program *p, uint32_t i, uint32_t ref, unsigned c)
{
    uint32_t k = i;
    const struct insn *insn;

    do {
        if (k-- == 0 || i - k > FAR)
            return false;
        insn = program_insn(p, k);
        if (op_flows(insn->op) || (!writes(insn, ref, c) && reads(p, insn, ref, c)))
            return false;
    } while (!writes(insn, ref, c));
    if (!(insn->flags & INSN_SINGLE) || insn->cc_update || condition_restricts(&insn->dst.condition))
        return false;
    for (k = i + 1; k < p->insns.count; k++) {
        insn = program_insn(p, k);
        if (k - i > FAR)
            return false;
        if (op_flows(insn->op) || reads(p, insn, ref, c))
            return false;
        if (writes(insn, ref, c) && !condition_restricts(&insn->dst.condition))
            return true;
    }
    return true;
}

uint8_t eval_clamps_single(const struct model *d, uint32_t i, const struct insn *insn)
{
    const struct operand *o = insn->nsrc ? program_operand(d->p, insn->src) : NULL;
    uint8_t mask = 0;

    if (insn->op != OP_MOV || !(insn->flags & INSN_SAT) || !o || o->kind != OPND_SYMBOL || o->flags || o->nindices ||
        program_symbol(d->p, o->ref)->size == SIZE_SHORT)
        return 0;
    for (unsigned c = 0; c < 4; c++)
        if (insn->dst.mask >> c & 1 && is_made_for(d->p, i, o->ref, o->swizzle >> 2 * c & 3))
            mask |= (uint8_t)(1u << c);
    return mask;
}
