/* What instructions are to the contraction, and what variables hold while it goes through a block. */
#include "model/state.h"
#include "model/contract/contract.h"

#include <string.h>

/* ---- instructions ------------------------------------------------------------------------------------------- */

/* Into a TEMP that is no element of an array: a result is read behind the program. Under .PREC division of singles
 * alone is a product. */
static bool is_plain_register(const struct contractor *c, const struct insn *insn)
{
    const struct symbol *s =
        insn->dst.kind == OPND_SYMBOL && !insn->dst.nindices ? program_symbol(c->d->p, insn->dst.ref) : NULL;
    bool prec = insn->flags & INSN_PREC && !(insn->op == OP_DIV && eval_precision(c->d->p, insn) == PREC_SINGLE);

    return s && s->kind == SYM_TEMP && !prec && !(insn->flags & (INSN_SAT | INSN_SSAT));
}

/* The components that an instruction makes as a product of two numbers; a factor of 1.0 is none. */
static uint8_t multiplied(const struct contractor *c, uint32_t i, const struct insn *insn)
{
    const struct folded *folded = model_folded_at(c->d, i);
    enum insn_precision precision = eval_precision(c->d->p, insn);
    bool wide = insn->dst.kind == OPND_SYMBOL && program_symbol(c->d->p, insn->dst.ref)->size == SIZE_LONG;
    uint8_t mask = 0;
    bool flip;

    switch (insn->op) {
    case OP_MUL: case OP_DIV:
        if (precision == PREC_NONE || (insn->op == OP_DIV && precision == PREC_DOUBLE))
            return 0;
        for (unsigned k = 0; k < 4; k++)
            if (model_copied_factor(c->d, i, k, &flip) < 0)
                mask |= (uint8_t)(1u << k);
        return mask;
    case OP_DST:
        return (precision == PREC_HALF || precision == PREC_SINGLE) &&
                       !(folded && (folded->ones[0] | folded->ones[1]) & 2)
                   ? 2
                   : 0;
    case OP_UP2US: case OP_UP4UB: return wide || insn->type == DT_F16 || insn->flags & INSN_HALF ? 0 : 15;
    default: return 0;
    }
}

static bool negates(const struct operand *o)
{
    return !(o->flags & OPND_NEGATE) != !(o->flags & OPND_NEGATE_INNER);
}

bool model_operand_turns(const struct operand *o, struct value v)
{
    return o->flags & OPND_ABSOLUTE ? (o->flags & OPND_NEGATE) != 0 : v.negate != negates(o);
}

/* DST copies z of its first operand and w of its second one, and what y is multiplied by 1.0 from. */
static int copied_distance(const struct contractor *c, uint32_t i, unsigned comp, bool *flip)
{
    const struct folded *folded = model_folded_at(c->d, i);

    enum insn_precision precision = eval_precision(c->d->p, program_insn(c->d->p, i));

    if ((precision != PREC_SINGLE && (precision != PREC_HALF || comp != 1)) ||
        program_insn(c->d->p, i)->flags & INSN_PREC)
        return -1;
    if (comp != 1)
        return (int)comp - 2;
    for (unsigned k = 0; k < 2 && folded; k++)
        if (folded->ones[k] & 2) {
            *flip = folded->minus[k] >> 1 & 1;
            return 1 - (int)k;
        }
    return -1;
}

static int copied_operand(const struct contractor *c, uint32_t i, unsigned comp, bool *flip)
{
    const struct insn *insn = program_insn(c->d->p, i);

    if (insn->op == OP_DST)
        return copied_distance(c, i, comp, flip);
    return insn->op == OP_MOV ? 0 : model_copied_factor(c->d, i, comp, flip);
}

/* The operand that component comp copies, but for its sign (`negate`); -1: it is no copy. */
static int copied(const struct contractor *c, uint32_t i, unsigned comp, bool *negate)
{
    const struct insn *insn = program_insn(c->d->p, i);
    bool wide = type_table[insn->type].bytes == 8, flip = false;
    int k = copied_operand(c, i, comp, &flip);
    const struct operand *o;

    if (k < 0 || insn->flags & (INSN_SAT | INSN_SSAT | INSN_HALF) || insn->type == DT_F16)
        return -1;
    o = program_operand(c->d->p, insn->src + (uint32_t)k);
    if (o->flags & OPND_ABSOLUTE || (!type_table[insn->type].is_float && negates(o)) ||
        program_is_long(c->d->p, o->kind, o->ref) != wide ||
        program_is_long(c->d->p, insn->dst.kind, insn->dst.ref) != wide)
        return -1;
    *negate = negates(o) != flip;
    return k;
}

static struct role role_of(const struct contractor *c, uint32_t i)
{
    const struct insn *insn = program_insn(c->d->p, i);
    const struct folded *folded = model_folded_at(c->d, i);
    bool tested = condition_restricts(&insn->dst.condition) && !eval_tests_nothing(c->d->p, insn);
    uint8_t restricted = tested ? (uint8_t)(15 & ~(folded ? folded->passes : 0)) : 0;
    uint8_t free = 15 & (uint8_t)~(restricted | c->live->flags[i]);
    struct sum_step steps[MAX_SUM_STEPS];
    struct role r = {.restricted = restricted,
                     .precision = (uint8_t)eval_precision(c->d->p, insn),
                     .sum_precision = (uint8_t)eval_sum_precision(c->d->p, c->d->nvidia, insn)};

    if (insn->dst.kind != OPND_NONE)
        r.written = model_written(c->live, insn) & (uint8_t)~((folded ? folded->fails : 0) | eval_untouched(insn));
    if (free && is_plain_register(c, insn))
        r.products = multiplied(c, i, insn) & free;
    for (unsigned k = 0; k < 4; k++) {
        bool negate = false;
        r.copied[k] = free >> k & 1 ? (int8_t)copied(c, i, k, &negate) : -1;
        r.turned |= (uint8_t)(negate << k);
        if (insn->dst.mask >> k & 1 && model_sum_steps(c->d, i, k, steps))
            r.sums |= (uint8_t)(1u << k);
    }
    return r;
}

/* ---- what operands hold ------------------------------------------------------------------------------------- */

struct value model_value_of(const struct contractor *c, uint32_t var)
{
    struct value v = c->values[var].value;
    uint32_t turn = c->values[var].turn;

    if (turn < c->first_turn || turn == 0)
        return no_value;
    if (turn < c->flow_turn)
        v.source = NO_INDEX;
    if (turn < c->turn)
        v.product = NO_INDEX;
    return v.product != NO_INDEX || v.source != NO_INDEX || turn == c->turn ? v : no_value;
}

struct value model_held(const struct contractor *c, const struct operand *o, unsigned component)
{
    uint32_t var = model_operand_variable(c->live, o, component);

    return var == NO_INDEX ? no_value : model_value_of(c, var);
}

void model_refuse_product(struct contractor *c, struct value v)
{
    if (v.product == NO_INDEX)
        return;
    c->refused[v.product] |= (uint8_t)(1u << v.component);
    if (program_insn(c->d->p, v.product)->op == OP_UP2US)   /* z is x, and w is y */
        c->refused[v.product] |= (uint8_t)(1u << (v.component ^ 2));
}

bool model_is_unpacked_number(const struct contractor *c, uint32_t product)
{
    const struct insn *insn = program_insn(c->d->p, product);

    return (insn->op == OP_UP2US || insn->op == OP_UP4UB) && eval_is_short_of(c->d->p, insn->dst.kind, insn->dst.ref);
}

void model_read_product(struct contractor *c, struct value v)
{
    if (v.product != NO_INDEX && model_is_unpacked_number(c, v.product))
        c->stays[v.product] |= (uint8_t)(1u << v.component);
    else
        model_refuse_product(c, v);
}

struct value model_term_value(const struct contractor *c, uint32_t i, const struct term *t)
{
    return t->kind == TERM_OPERAND
               ? model_held(c, program_operand(c->d->p, program_insn(c->d->p, i)->src + t->operand), t->component)
               : no_value;
}

/* Of what is unpacked: it computes singles. */
static enum insn_precision of_product(const struct contractor *c, uint32_t i)
{
    const struct insn *insn = program_insn(c->d->p, i);

    return insn->op == OP_UP2US || insn->op == OP_UP4UB ? PREC_SINGLE : (enum insn_precision)c->roles[i].precision;
}

bool model_takes(const struct contractor *c, uint32_t sum, const struct term *t, struct value *v)
{
    const struct operand *o = program_operand(c->d->p, program_insn(c->d->p, sum)->src + t->operand);

    *v = model_term_value(c, sum, t);
    return v->product != NO_INDEX && !v->word && !(o->flags & OPND_ABSOLUTE) &&
           of_product(c, v->product) == (enum insn_precision)c->roles[sum].sum_precision;
}

/* ---- results ------------------------------------------------------------------------------------------------ */

struct value model_copy_of(const struct contractor *c, const struct operand *o, unsigned k, bool negate)
{
    uint32_t var = model_operand_variable(c->live, o, k);
    struct value v = model_held(c, o, k);

    v.negate ^= negate;
    if (v.source != NO_INDEX && c->versions[v.source] == v.version)
        v.origin ^= negate ? SIGN_FLIPPED : 0;
    else if (var != NO_INDEX && negate)
        v = (struct value){.product = v.product,
                           .component = v.component,
                           .negate = v.negate,
                           .word = v.word,
                           .source = var,
                           .version = c->versions[var],
                           .origin = (o->ref * 4 + (o->swizzle >> 2 * k & 3)) | SIGN_FLIPPED};
    else
        v.source = NO_INDEX;
    return v;
}

static void hold_value(struct contractor *c, uint32_t var, struct value v)
{
    if (c->values[var].turn != c->turn)
        c->held[c->nheld++] = var;
    c->values[var] = (struct held_value){v, c->turn};
}

/* A word that an integer's MOV carries into a SHORT variable or out of one; a float's MOV of such a word copies no
 * product. */
static struct value carried(struct contractor *c, const struct insn *insn, const struct operand *o, struct value v)
{
    bool crosses =
        eval_is_short_of(c->d->p, o->kind, o->ref) != eval_is_short_of(c->d->p, insn->dst.kind, insn->dst.ref);

    if (!type_table[insn->type].is_float) {
        v.word ^= crosses;
    } else if (v.word) {
        model_refuse_product(c, v);
        v.product = NO_INDEX;
    }
    return v;
}

/* A conditional write keeps some of the old value: that is a use of it. */
void model_hold_result(struct contractor *c, uint32_t i, uint8_t useful)
{
    const struct insn *insn = program_insn(c->d->p, i);
    const struct result *r = &insn->dst;
    const struct role *role = &c->roles[i];
    uint8_t folded = model_folded(c->d, i);
    struct value fresh[4];
    bool copy[4];

    for (unsigned k = 0; k < 4; k++) {
        bool plain = !(folded >> k & 1);
        copy[k] = plain && role->copied[k] >= 0;
        fresh[k] = no_value;
        if (plain && role->products >> k & 1) {
            fresh[k] = (struct value){.product = i, .component = (uint8_t)k, .source = NO_INDEX};
        } else if (copy[k]) {
            const struct operand *o = program_operand(c->d->p, insn->src + (uint32_t)role->copied[k]);
            fresh[k] = carried(c, insn, o, model_copy_of(c, o, k, role->turned >> k & 1));
        }
    }
    for (unsigned k = 0; k < 4; k++) {
        uint32_t var = model_result_variable(c->live, r, k);
        if (!(role->written >> k & 1))
            continue;
        if (var == NO_INDEX) {
            if (copy[k])        /* copied to where nobody follows it */
                model_refuse_product(c, fresh[k]);
            continue;
        }
        if (role->restricted & useful & 1u << k)
            model_refuse_product(c, model_value_of(c, var));
        hold_value(c, var, fresh[k]);
        c->versions[var]++;
    }
}

/* Copies are followed to where flow ends a block, products to where anything does. */
void model_begin_held(struct contractor *c, uint32_t block)
{
    c->nheld = 0;
    c->turn++;
    if (block == 0)
        c->first_turn = c->turn;
    if (block == 0 || model_flow_begins(c->live, block))
        c->flow_turn = c->turn;
}

bool model_contractor_new(struct contractor *c)
{
    size_t n = c->d->p->insns.count, nvars = c->live->nvars, nsymbols = c->d->p->symbols.count;

    c->values = arena_alloc(&c->arena, nvars * sizeof *c->values);
    c->held = arena_alloc(&c->arena, nvars * sizeof *c->held);
    c->versions = arena_alloc(&c->arena, nvars * sizeof *c->versions);
    c->written = arena_alloc(&c->arena, nsymbols * sizeof *c->written);
    c->refused = arena_alloc(&c->arena, n);
    c->readers = arena_alloc(&c->arena, n * sizeof *c->readers);
    c->stays = arena_alloc(&c->arena, n);
    c->roles = arena_alloc(&c->arena, n * sizeof *c->roles);
    if (c->arena.failed)
        return model_out_of_memory(c->d);
    for (uint32_t i = 0; i < n; i++)
        c->roles[i] = role_of(c, i);
    return true;
}
