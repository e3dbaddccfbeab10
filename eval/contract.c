/* Which products are rounded together with the sum that they feed: the driver's rule, as docs/semantics.md
 * has it.
 *
 * Component by component. A product (MUL without .PREC, clamp, condition-code update or conditional write)
 * may be taken into a sum (ADD or SUB without .PREC) of the same block, through copies and negations, when
 * everything of use that reads it is such a sum. Of two products the first operand's is taken; the other
 * one stays a product, everywhere. A product of full precision is not taken into a half sum; a half
 * product taken into a sum of full precision is not rounded, but its factors are.
 *
 * DIV is a product with a reciprocal. A product with the literal 1.0 or -1.0 is a copy, component by
 * component, and a negation of a negation as well.
 *
 * When somebody looks on, a product is still computed by its own instruction: what a register shows to a
 * tracer is what the program says. Loops have been unrolled before, and what never runs left out (unroll.c). */
#include "eval/liveness.h"
#include "eval/sources.h"

#include <string.h>

/* What a variable holds. */
struct value {
    uint32_t product;           /* the MUL's instruction, or NO_INDEX */
    uint8_t component;
    bool negate;
    /* The register that a negating MOV read, while it still holds the same: variable, how often it had
     * been written, and 4 * symbol + component. */
    uint32_t source, version, origin;
};

struct contractor {
    struct decoder *d;
    struct contraction *out;
    const struct liveness *live;
    struct value *values;       /* of each variable, in the block at hand */
    uint8_t *refused;           /* components of each product that something else reads */
    struct readers *readers;    /* of each product: the sums that read it */
    uint8_t *asked;             /* components of each sum whose terms somebody compares */
    uint32_t *versions;         /* how often each variable was written so far */
    uint64_t *set;
};

/* The sums that would take a product in: how many, by component; and where one of them has its terms compared with each other (compared.c),
 * which is a use of the product by itself if it is not taken in. */
struct readers {
    uint8_t sums[4];
    uint8_t compared;
};

#define SIGN_FLIPPED 0x80000000u    /* in origin: this is the negation */

static const struct value nothing = {.product = NO_INDEX, .source = NO_INDEX};

enum precision { PREC_NONE, PREC_HALF, PREC_SINGLE, PREC_DOUBLE };

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
static enum precision precision(const struct contractor *c, const struct insn *insn)
{
    const struct symbol *s = register_of(c, insn);
    uint8_t size = s ? s->size : SIZE_DEFAULT;

    if (insn->type == DT_F64)
        return size == SIZE_LONG ? PREC_DOUBLE : PREC_NONE;
    if (size == SIZE_LONG)
        return PREC_NONE;
    if (insn->type == DT_F16 || insn->flags & INSN_HALF)
        return PREC_HALF;
    if (insn->type != DT_F32)
        return PREC_NONE;
    return size == SIZE_SHORT ? PREC_HALF : PREC_SINGLE;
}

/* The components of an instruction's result that are products. */
static uint8_t products(const struct contractor *c, const struct insn *insn)
{
    uint8_t mask = 0;
    bool flip;

    if (insn->op == OP_DIV ? precision(c, insn) != PREC_SINGLE : insn->op != OP_MUL)
        return 0;
    if (precision(c, insn) == PREC_NONE || !register_of(c, insn) || condition_restricts(&insn->dst.condition) ||
        insn->cc_update || insn->flags & (INSN_PREC | INSN_SAT | INSN_SSAT))
        return 0;
    for (unsigned k = 0; k < 4; k++)
        if (eval_copied_factor(c->d, index_of(c, insn), k, &flip) < 0)
            mask |= (uint8_t)(1u << k);
    return mask;
}

static bool is_sum(const struct contractor *c, const struct insn *insn)
{
    return (insn->op == OP_ADD || insn->op == OP_SUB) && precision(c, insn) != PREC_NONE &&
           !(insn->flags & INSN_PREC);
}

static bool negated(const struct operand *o)
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
        insn->flags & INSN_PREC || eval_is_half(d, insn))
        return -1;
    for (unsigned k = 0; k < 2; k++)
        if (folded->ones[k] >> c & 1) {
            *flip = folded->minus >> c & 1;
            return 1 - (int)k;
        }
    return -1;
}

/* The operand that component comp of a result copies, but for its sign (`negate`); -1: it is no copy. */
static int copied(const struct contractor *c, const struct insn *insn, unsigned comp, bool *negate)
{
    bool wide = type_table[insn->type].bytes == 8, flip = false;
    int k = insn->op == OP_MOV ? 0 : eval_copied_factor(c->d, index_of(c, insn), comp, &flip);
    const struct operand *o;

    *negate = false;
    if (k < 0 || condition_restricts(&insn->dst.condition) || insn->cc_update ||
        insn->flags & (INSN_SAT | INSN_SSAT | INSN_HALF) || insn->type == DT_F16)
        return -1;
    o = program_operand(c->d->p, insn->src + (uint32_t)k);
    if (o->flags & OPND_ABSOLUTE || (!type_table[insn->type].is_float && negated(o)) ||
        program_is_long(c->d->p, o->kind, o->ref) != wide || program_is_long(c->d->p, insn->dst.kind, insn->dst.ref) != wide)
        return -1;
    *negate = negated(o) != flip;
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

static struct value held(const struct contractor *c, const struct operand *o, unsigned component)
{
    uint32_t var = variable(c, o, component);

    return var == NO_INDEX ? nothing : c->values[var];
}

static void refuse(struct contractor *c, struct value v)
{
    if (v.product != NO_INDEX)
        c->refused[v.product] |= (uint8_t)(1u << v.component);
}

static void refuse_operand(struct contractor *c, const struct operand *o, uint8_t components)
{
    for (unsigned i = 0; i < 4; i++)
        if (components >> i & 1)
            refuse(c, held(c, o, i));
    for (unsigned k = 0; k < o->nindices; k++) {
        const struct index *index = program_index(c->d->p, o->index + k);
        uint32_t var = NO_INDEX;
        if (index->mode == INDEX_RELATIVE)
            var = eval_variable(c->live, index->register_kind, index->reg, index->element.used,
                                index->component);
        if (var != NO_INDEX)
            refuse(c, c->values[var]);
    }
    for (unsigned i = 0; o->kind == OPND_EXTENDED && i < 4; i++) {
        uint32_t var = eval_variable(c->live, o->base_kind, o->ref, o->nindices != 0, i);
        if (var != NO_INDEX)
            refuse(c, c->values[var]);
    }
}

/* Whether a sum may take in what component `comp` of its operand k holds. */
static bool takes(const struct contractor *c, const struct insn *sum, unsigned k, unsigned comp,
                  struct value *v)
{
    const struct operand *o = program_operand(c->d->p, sum->src + k);

    *v = held(c, o, comp);
    return v->product != NO_INDEX && !(o->flags & OPND_ABSOLUTE) &&
           fits(precision(c, program_insn(c->d->p, v->product)), precision(c, sum));
}

/* ---- first pass: products that something other than a sum reads ---------------------------------------- */

/* Sums that a test of this instruction compares the terms of. */
static void ask(struct contractor *c, const struct folded *folded, uint8_t useful)
{
    for (unsigned i = 0; useful && i < 4; i++)
        if (folded->uses[i])
            c->asked[eval_sum_index(folded->uses[i])] |= (uint8_t)(1u << (folded->uses[i] & 3));
}

/* Component comp of the sum at i would take in what its operand holds. */
static void count_sum(struct contractor *c, struct value v, uint32_t i, unsigned comp)
{
    struct readers *r = &c->readers[v.product];

    if (r->sums[v.component] < 2)
        r->sums[v.component]++;
    if (c->asked[i] >> comp & 1)
        r->compared |= (uint8_t)(1u << v.component);
}

static void find_asked(struct contractor *c)
{
    for (uint32_t i = 0; c->d->unrolled.used && i < c->d->p->insns.count; i++)
        ask(c, vec_at(&c->d->unrolled.folded, i), c->live->useful[i]);
}

/* A product that several sums read is in none of them if the terms of one are compared. */
static void refuse_compared(struct contractor *c)
{
    for (uint32_t i = 0; i < c->d->p->insns.count; i++)
        for (unsigned k = 0; k < 4; k++)
            if (c->readers[i].sums[k] > 1 && c->readers[i].compared >> k & 1)
                c->refused[i] |= (uint8_t)(1u << k);
}

static void reads(struct contractor *c, uint32_t at, const struct insn *insn, uint8_t useful)
{
    struct value v;
    bool negate;

    for (unsigned k = 0; k < insn->nsrc; k++) {
        const struct operand *o = program_operand(c->d->p, insn->src + k);
        uint8_t components = useful & LIVE_EFFECT ? 15 : 0;
        for (unsigned i = 0; i < 4; i++)
            if (useful >> i & 1)
                components |= eval_component_reads(insn->op, k, i);
        for (unsigned i = 0; i < 4; i++)
            if (copied(c, insn, i, &negate) == (int)k)
                components &= (uint8_t)~(1u << i);  /* the copy's readers decide */
        for (unsigned i = 0; i < 4; i++)
            if (is_sum(c, insn) && takes(c, insn, k, i, &v)) {
                components &= (uint8_t)~(1u << i);
                struct value first = nothing;
                bool twice = k == 1 && takes(c, insn, 0, i, &first) && first.product == v.product && first.component == v.component;
                if (useful >> i & 1 && !twice)
                    count_sum(c, v, at, i);
            }
        refuse_operand(c, o, components);
    }
    for (unsigned k = 0; k < insn->dst.nindices; k++) {
        const struct index *index = program_index(c->d->p, insn->dst.index + k);
        uint32_t var = NO_INDEX;
        if (index->mode == INDEX_RELATIVE)
            var = eval_variable(c->live, index->register_kind, index->reg, index->element.used,
                                index->component);
        if (var != NO_INDEX)
            refuse(c, c->values[var]);
    }
}

/* What component k of a copy holds. */
static struct value copy_of(const struct contractor *c, const struct operand *o, unsigned k, bool negate)
{
    uint32_t var = variable(c, o, k);
    struct value v = held(c, o, k);

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
static void writes(struct contractor *c, uint32_t i, const struct insn *insn, uint8_t useful)
{
    const struct result *r = &insn->dst;
    uint8_t product = products(c, insn);
    struct value fresh[4];
    bool copy[4];

    for (unsigned k = 0; k < 4; k++) {
        bool negate;
        int from = copied(c, insn, k, &negate);
        copy[k] = from >= 0;
        fresh[k] = nothing;
        if (eval_folded(c->d, i) >> k & 1)
            fresh[k] = nothing, copy[k] = false;
        else if (product >> k & 1)
            fresh[k] = (struct value){.product = i, .component = (uint8_t)k, .source = NO_INDEX};
        else if (from >= 0)
            fresh[k] = copy_of(c, program_operand(c->d->p, insn->src + (uint32_t)from), k, negate);
    }
    for (unsigned k = 0; r->kind != OPND_NONE && k < 4; k++) {
        uint32_t var = eval_variable(c->live, r->kind, r->ref, r->nindices != 0, k);
        if (!(eval_written(c->live, insn) >> k & 1))
            continue;
        if (var == NO_INDEX) {
            if (copy[k])        /* copied to where nobody follows it */
                refuse(c, fresh[k]);
            continue;
        }
        if (condition_restricts(&insn->dst.condition) && useful >> k & 1)
            refuse(c, c->values[var]);
        c->values[var] = fresh[k];
        c->versions[var]++;
    }
}

static void forget(struct contractor *c)
{
    for (uint32_t i = 0; i < c->live->nvars; i++)
        c->values[i] = nothing;
}

static void find_refused(struct contractor *c)
{
    for (uint32_t block = 0; block < c->live->nblocks; block++) {
        forget(c);
        for (uint32_t i = c->live->start[block]; i < c->live->start[block + 1]; i++) {
            const struct insn *insn = program_insn(c->d->p, i);
            reads(c, i, insn, c->live->useful[i]);
            writes(c, i, insn, c->live->useful[i]);
        }
        eval_live_out(c->live, block, c->set);
        for (uint32_t var = 0; var < c->live->nvars; var++)
            if (c->set[var / 64] >> var % 64 & 1)
                refuse(c, c->values[var]);
    }
}

/* ---- second pass: sums choose -------------------------------------------------------------------------- */

static bool allowed(const struct contractor *c, struct value v)
{
    return !(c->refused[v.product] >> v.component & 1);
}

/* Whether a factor's variable is written between the product and the sum, or is one that is not followed. */
static bool factor_changes(const struct contractor *c, const struct operand *o, uint32_t product,
                           uint32_t sum)
{
    if (o->kind != OPND_SYMBOL || program_symbol(c->d->p, o->ref)->kind != SYM_TEMP)
        return o->nindices && program_index(c->d->p, o->index)->mode == INDEX_RELATIVE;
    if (o->nindices)
        return true;
    for (uint32_t i = product; i < sum; i++) {
        const struct result *r = &program_insn(c->d->p, i)->dst;
        if (r->kind == OPND_SYMBOL && r->ref == o->ref)
            return true;
    }
    return false;
}

static bool allocate_sums(struct contractor *c)
{
    size_t n = c->d->p->insns.count;

    if (c->out->sums)
        return true;
    c->out->sums = gp5_malloc(n * sizeof *c->out->sums);
    c->out->kept = gp5_malloc(n);
    c->out->factors = gp5_malloc(n * sizeof *c->out->factors);
    if (!c->out->sums || !c->out->kept || !c->out->factors)
        return eval_out_of_memory(c->d);
    memset(c->out->kept, 0, n);
    for (size_t i = 0; i < n; i++)
        for (unsigned k = 0; k < 4; k++)
            c->out->sums[i][k].product = NO_INDEX;
    return true;
}

static bool take_in(struct contractor *c, uint32_t i, unsigned comp, unsigned k, struct value v)
{
    const struct insn *sum = program_insn(c->d->p, i), *product = program_insn(c->d->p, v.product);
    const struct operand *o = program_operand(c->d->p, sum->src + k);

    if (!allocate_sums(c))
        return false;
    c->out->sums[i][comp] = (struct fused){
        .product = v.product, .operand = (uint8_t)k, .component = v.component,
        .negate = v.negate ^ negated(o) ^ (sum->op == OP_SUB && k == 1),
        .half_factors = precision(c, product) == PREC_HALF && precision(c, sum) == PREC_SINGLE};
    for (unsigned f = 0; f < 2; f++)
        if (factor_changes(c, program_operand(c->d->p, product->src + f), v.product, i))
            c->out->kept[v.product] |= (uint8_t)(1u << v.component);
    return true;
}

/* Whether both operands are the same product with opposite signs. */
static bool cancels(const struct contractor *c, const struct insn *sum, const struct value v[2])
{
    bool a = v[0].negate ^ negated(program_operand(c->d->p, sum->src));
    bool b = v[1].negate ^ negated(program_operand(c->d->p, sum->src + 1)) ^ (sum->op == OP_SUB);

    return v[0].product == v[1].product && v[0].component == v[1].component && a != b;
}

/* A MOV that gives back what a negating MOV took: a copy of the first source, bit for bit. */
static bool undo_negation(struct contractor *c, uint32_t i, const struct insn *mov)
{
    const struct operand *o = program_operand(c->d->p, mov->src);
    size_t n = c->d->p->insns.count;

    bool negate;

    if (copied(c, mov, 0, &negate) != 0 || mov->type != DT_F32 || !negate)
        return true;
    for (unsigned k = 0; k < 4; k++) {
        struct value v = copy_of(c, o, k, negate);
        if (!(mov->dst.mask >> k & 1) || v.source == NO_INDEX || v.origin & SIGN_FLIPPED)
            continue;
        if (!c->out->copies) {
            c->out->copies = gp5_malloc(n * sizeof *c->out->copies);
            if (!c->out->copies)
                return eval_out_of_memory(c->d);
            memset(c->out->copies, 0xff, n * sizeof *c->out->copies);
        }
        c->out->copies[i][k] = v.origin;
    }
    return true;
}

static bool choose(struct contractor *c, uint32_t i, const struct insn *sum)
{
    for (unsigned comp = 0; comp < 4; comp++) {
        struct value v[2];
        bool can[2];
        if (!(sum->dst.mask >> comp & 1))
            continue;
        for (unsigned k = 0; k < 2; k++)
            can[k] = takes(c, sum, k, comp, &v[k]) && allowed(c, v[k]);
        if (can[0] && can[1] && cancels(c, sum, v)) {
            refuse(c, v[0]);    /* x - x */
            refuse(c, v[1]);
            continue;
        }
        if (can[0] && can[1])
            refuse(c, v[1]);
        if ((can[0] || can[1]) && !take_in(c, i, comp, can[0] ? 0 : 1, can[0] ? v[0] : v[1]))
            return false;
    }
    return true;
}

static bool choose_all(struct contractor *c)
{
    for (uint32_t block = 0; block < c->live->nblocks; block++) {
        forget(c);
        for (uint32_t i = c->live->start[block]; i < c->live->start[block + 1]; i++) {
            const struct insn *insn = program_insn(c->d->p, i);
            if (is_sum(c, insn) && !choose(c, i, insn))
                return false;
            if (insn->op == OP_MOV && !undo_negation(c, i, insn))
                return false;
            writes(c, i, insn, 0);
        }
    }
    return true;
}

/* What need not be computed unless somebody looks on. */
static bool find_idle(struct contractor *c)
{
    uint32_t n = (uint32_t)c->d->p->insns.count;

    c->out->idle = gp5_malloc(n + 1u);
    if (!c->out->idle)
        return eval_out_of_memory(c->d);
    for (uint32_t i = 0; i < n; i++) {
        const struct insn *insn = program_insn(c->d->p, i);
        uint8_t useful = c->live->useful[i];
        c->out->idle[i] = !(useful & ~(products(c, insn) & ~(c->refused[i] | eval_folded(c->d, i))));
    }
    return true;
}

static bool worth_it(const struct contractor *c)
{
    for (uint32_t i = 0; i < c->d->p->insns.count; i++)
        if (products(c, program_insn(c->d->p, i)) || program_insn(c->d->p, i)->op == OP_MOV)
            return true;
    return false;
}

bool eval_contract(struct decoder *d)
{
    struct contractor c = {.d = d, .out = &d->contraction};
    bool ok;

    if (d->x->options.semantics == GP5_SEMANTICS_SPEC || !worth_it(&c))
        return true;
    c.live = eval_liveness(d);
    ok = c.live != NULL;
    if (ok) {
        c.values = gp5_malloc(c.live->nvars * sizeof *c.values);
        c.set = gp5_malloc(c.live->words * sizeof *c.set);
        c.refused = gp5_malloc(d->p->insns.count);
        c.versions = gp5_malloc(c.live->nvars * sizeof *c.versions);
        c.readers = gp5_malloc(d->p->insns.count * sizeof *c.readers);
        c.asked = gp5_malloc(d->p->insns.count);
        ok = (c.values && c.set && c.refused && c.versions && c.readers && c.asked) || eval_out_of_memory(d);
    }
    if (ok) {
        memset(c.refused, 0, d->p->insns.count);
        memset(c.versions, 0, c.live->nvars * sizeof *c.versions);
        memset(c.readers, 0, d->p->insns.count * sizeof *c.readers);
        memset(c.asked, 0, d->p->insns.count);
        find_asked(&c);
        find_refused(&c);
        refuse_compared(&c);
        ok = choose_all(&c) && find_idle(&c);
    }
    gp5_free(c.values);
    gp5_free(c.set);
    gp5_free(c.refused);
    gp5_free(c.versions);
    gp5_free(c.readers);
    gp5_free(c.asked);
    return ok;
}

void eval_contract_free(struct contraction *c)
{
    gp5_free(c->sums);
    gp5_free(c->kept);
    gp5_free(c->factors);
    gp5_free(c->copies);
    gp5_free(c->idle);
}
