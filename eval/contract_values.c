/* What instructions are to the contraction, and what variables hold while it goes through a block. */
#include "eval/contract.h"
#include "eval/shorts.h"

static const struct value nothing = {.product = NO_INDEX, .source = NO_INDEX};

static const struct symbol *register_of(const struct contractor *c, const struct insn *insn)
{
    if (insn->dst.kind != OPND_SYMBOL || insn->dst.nindices)
        return NULL;
    return program_symbol(c->d->p, insn->dst.ref);
}

static uint32_t index_of(const struct contractor *c, const struct insn *insn)
{
    return (uint32_t)(insn - program_insn(c->d->p, 0));
}

/* How precise an instruction computes; PREC_NONE when its result has not the size of its variable. */
enum precision eval_precision(const struct contractor *c, const struct insn *insn)
{
    const struct symbol *s = register_of(c, insn);
    uint8_t size = s ? s->size : SIZE_DEFAULT;

    if (insn->type == DT_F64)
        return size == SIZE_LONG ? PREC_DOUBLE : PREC_NONE;
    if (size == SIZE_LONG)
        return PREC_NONE;
    if (eval_drops_half(insn))
        return size == SIZE_SHORT ? PREC_NONE : PREC_SINGLE;
    if (insn->type == DT_F16 || insn->flags & INSN_HALF)
        return PREC_HALF;
    if (insn->type != DT_F32)
        return PREC_NONE;
    return size == SIZE_SHORT ? PREC_HALF : PREC_SINGLE;
}

/* The components of an instruction's result that are products. */
uint8_t eval_products(const struct contractor *c, const struct insn *insn)
{
    uint8_t mask = 0;
    bool flip;

    if (insn->op == OP_DIV ? eval_precision(c, insn) != PREC_SINGLE : insn->op != OP_MUL)
        return 0;
    if (eval_precision(c, insn) == PREC_NONE || !register_of(c, insn) || condition_restricts(&insn->dst.condition) ||
        insn->cc_update || insn->flags & (INSN_PREC | INSN_SAT | INSN_SSAT))
        return 0;
    for (unsigned k = 0; k < 4; k++)
        if (eval_copied_factor(c->d, index_of(c, insn), k, &flip) < 0)
            mask |= (uint8_t)(1u << k);
    return mask;
}

bool eval_is_float_sum(const struct contractor *c, const struct insn *insn)
{
    return (insn->op == OP_ADD || insn->op == OP_SUB) && eval_precision(c, insn) != PREC_NONE &&
           !(insn->flags & INSN_PREC);
}

bool eval_negates(const struct operand *o)
{
    return !(o->flags & OPND_NEGATE) != !(o->flags & OPND_NEGATE_INNER);
}

/* A negation stays one, unless the copied operand has one of its own. */
int eval_copied_factor(const struct decoder *d, uint32_t i, unsigned c, bool *flip)
{
    const struct insn *insn = program_insn(d->p, i);
    const struct folded *folded = eval_folded_at(d, i);

    *flip = false;
    if (!folded || (insn->op != OP_MUL && insn->op != OP_DIV) || (insn->type != DT_F32 && insn->type != DT_F64) ||
        insn->flags & INSN_PREC || (eval_is_half(d, insn) && !eval_copies_short(d, insn)))
        return -1;
    for (unsigned k = 0; k < 2; k++)
        if (folded->ones[k] >> c & 1) {
            *flip = folded->minus >> c & 1;
            return 1 - (int)k;
        }
    return -1;
}

/* The operand that component comp of a result copies, but for its sign (`negate`); -1: it is no copy. */
int eval_copied(const struct contractor *c, const struct insn *insn, unsigned comp, bool *negate)
{
    bool wide = type_table[insn->type].bytes == 8, flip = false;
    int k = insn->op == OP_MOV ? 0 : eval_copied_factor(c->d, index_of(c, insn), comp, &flip);
    const struct operand *o;

    *negate = false;
    if (k < 0 || condition_restricts(&insn->dst.condition) || insn->cc_update ||
        insn->flags & (INSN_SAT | INSN_SSAT | INSN_HALF) || insn->type == DT_F16)
        return -1;
    o = program_operand(c->d->p, insn->src + (uint32_t)k);
    if (o->flags & OPND_ABSOLUTE || (!type_table[insn->type].is_float && eval_negates(o)) ||
        program_is_long(c->d->p, o->kind, o->ref) != wide || program_is_long(c->d->p, insn->dst.kind, insn->dst.ref) != wide)
        return -1;
    *negate = eval_negates(o) != flip;
    return k;
}

static bool fits(enum precision product, enum precision sum)
{
    return product == sum || (product == PREC_HALF && sum == PREC_SINGLE);
}

/* ---- what operands hold -------------------------------------------------------------------------------- */

static uint32_t variable(const struct contractor *c, const struct operand *o, unsigned component)
{
    return eval_variable(c->live, o->kind, o->ref, o->nindices != 0, o->swizzle >> 2 * component & 3);
}

struct value eval_held(const struct contractor *c, const struct operand *o, unsigned component)
{
    uint32_t var = variable(c, o, component);

    return var == NO_INDEX ? nothing : c->values[var];
}

void eval_refuse_product(struct contractor *c, struct value v)
{
    if (v.product != NO_INDEX)
        c->refused[v.product] |= (uint8_t)(1u << v.component);
}

/* Whether a sum may take in what component `comp` of its operand k holds. */
bool eval_takes(const struct contractor *c, const struct insn *sum, unsigned k, unsigned comp,
                  struct value *v)
{
    const struct operand *o = program_operand(c->d->p, sum->src + k);

    *v = eval_held(c, o, comp);
    return v->product != NO_INDEX && !(o->flags & OPND_ABSOLUTE) &&
           fits(eval_precision(c, program_insn(c->d->p, v->product)), eval_precision(c, sum));
}

/* What component k of a copy holds. */
struct value eval_copy_of(const struct contractor *c, const struct operand *o, unsigned k, bool negate)
{
    uint32_t var = variable(c, o, k);
    struct value v = eval_held(c, o, k);

    v.negate ^= negate;
    if (v.source != NO_INDEX && c->versions[v.source] == v.version)
        v.origin ^= negate ? SIGN_FLIPPED : 0;
    else if (var != NO_INDEX && negate)
        v = (struct value){.product = v.product, .component = v.component, .negate = v.negate, .source = var,
                           .version = c->versions[var],
                           .origin = (o->ref * 4 + (o->swizzle >> 2 * k & 3)) | SIGN_FLIPPED};
    else
        v.source = NO_INDEX;
    return v;
}

/* Its results, into the values. A conditional write keeps some of the old value: that is a use of it. */
void eval_hold_result(struct contractor *c, uint32_t i, const struct insn *insn, uint8_t useful)
{
    const struct result *r = &insn->dst;
    uint8_t product = eval_products(c, insn);
    struct value fresh[4];
    bool copy[4];

    for (unsigned k = 0; k < 4; k++) {
        bool negate;
        int from = eval_copied(c, insn, k, &negate);
        copy[k] = from >= 0;
        fresh[k] = nothing;
        if (eval_folded(c->d, i) >> k & 1)
            fresh[k] = nothing, copy[k] = false;
        else if (product >> k & 1)
            fresh[k] = (struct value){.product = i, .component = (uint8_t)k, .source = NO_INDEX};
        else if (from >= 0)
            fresh[k] = eval_copy_of(c, program_operand(c->d->p, insn->src + (uint32_t)from), k, negate);
    }
    for (unsigned k = 0; r->kind != OPND_NONE && k < 4; k++) {
        uint32_t var = eval_variable(c->live, r->kind, r->ref, r->nindices != 0, k);
        if (!(eval_written(c->live, insn) >> k & 1))
            continue;
        if (var == NO_INDEX) {
            if (copy[k])        /* copied to where nobody follows it */
                eval_refuse_product(c, fresh[k]);
            continue;
        }
        if (condition_restricts(&insn->dst.condition) && useful >> k & 1)
            eval_refuse_product(c, c->values[var]);
        c->values[var] = fresh[k];
        c->versions[var]++;
    }
}

void eval_forget_held(struct contractor *c)
{
    for (uint32_t i = 0; i < c->live->nvars; i++)
        c->values[i] = nothing;
}

