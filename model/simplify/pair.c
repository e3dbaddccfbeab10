/* Pairs of instructions that the driver's compiler makes one of (docs/numbers.md, "Pairs"):
 *
 *   RCP of RSQ, RSQ of RCP      the square root, which the hardware has by itself
 *   RCP of such a root          RSQ
 *   RCP of RCP                  a copy
 *   DIV by any of these         a product with what RCP of it is
 *   UP2H of a PK2H              the singles that were packed
 *   MAX(MIN(x, 1.0), 0.0)       the clamp of .SAT, each component by itself
 *
 * also through MOVs, and into IFs. The operand of an RCP may have a sign, that of an RSQ not. Both instructions are
 * computed; the second one from the operand of the first, which is kept for it. */
#include "model/simplify/pair.h"
#include "model/state.h"
#include "model/analysis/liveness.h"

#include <string.h>

/* ---- what is a pair ----------------------------------------------------------------------------------------- */

enum made_kind { MADE_MIN, MADE_RCP, MADE_RSQ, MADE_ROOT, MADE_PACKED };

/* What a variable holds: a result of one of the first instructions. */
struct made {
    uint32_t behind;            /* that instruction, and one more; 0: none */
    uint32_t scope;             /* in what side of an IF */
    uint8_t component, kind;
    bool has_sign;              /* the operand has one, which RCP and RSQ see */
};

struct pairing {
    struct model *d;
    const struct liveness *live;
    struct made *made;          /* of each variable */
    uint32_t scope, *outer;     /* the IF or ELSE that the side at hand begins with, or 0; and of each such the one
                                 * around it */
    uint8_t *closed;            /* of each: the side has ended */
    uint32_t first;             /* what was made before it is not seen: loops, labels and calls stand between */
};

static const struct made nothing;

static const struct insn *maker(const struct model *d, const struct made *m)
{
    return program_insn(d->p, m->behind - 1);
}

/* Of halves in compute programs alone. ARB programs and the first vertex programs take RSQ of the magnitude, which is a
 * sign. */
static bool has_root(const struct model *d, const struct insn *insn)
{
    bool function = (insn->op == OP_RCP || insn->op == OP_RSQ) && !(insn->flags & INSN_PREC);

    return (function || insn->op == OP_DIV) && type_table[insn->type].is_float && insn->type != DT_F64 &&
           (d->p->profile == PROFILE_NVCP5 || !eval_is_half_of(d->p, d->nvidia, insn)) &&
           !(insn->op == OP_RSQ && profile_in(d->p->profile, ARB_ALL | VP10 | VP11));
}

/* The operand that it takes the reciprocal, or the reciprocal of the root, of. */
static const struct operand *inverted(const struct model *d, const struct insn *insn)
{
    return program_operand(d->p, insn->src + (insn->op == OP_DIV));
}

/* Halves into a register of 32 bits, or out of one. */
static bool packs(const struct model *d, const struct insn *insn)
{
    bool packs = insn->op == OP_PK2H || insn->op == OP_UP2H;

    return packs && insn->type == DT_F32 && !(insn->flags & INSN_PREC) && insn->dst.kind == OPND_SYMBOL &&
           program_symbol(d->p, insn->dst.ref)->size == SIZE_DEFAULT;
}

/* Whether component c of an instruction can be the first of a pair. */
static bool is_first(const struct model *d, uint32_t i, const struct insn *insn, unsigned c)
{
    const struct symbol *s = insn->dst.kind == OPND_SYMBOL ? program_symbol(d->p, insn->dst.ref) : NULL;

    if (!s || insn->dst.nindices || condition_restricts(&insn->dst.condition) || insn->flags & (INSN_SAT | INSN_SSAT) ||
        (s->size == SIZE_LONG) != (type_table[eval_result_type(insn)].bytes == 8) || model_is_indexed(d, insn->dst.ref))
        return false;
    if (insn->op == OP_MIN)
        return !(model_folded(d, i) >> c & 1) && model_beside_bound(d, i, c) >= 0;
    if (insn->op == OP_PK2H)
        return packs(d, insn) && !model_folded(d, i);
    return has_root(d, insn) && insn->op != OP_DIV && !model_folded(d, i) &&
           (insn->op == OP_RCP || eval_is_half_of(d->p, d->nvidia, insn) ||
            !operand_has_sign(program_operand(d->p, insn->src)));
}

static struct made held(const struct pairing *p, const struct operand *o, unsigned c)
{
    uint32_t var = model_operand_variable(p->live, o, c);

    return var == NO_INDEX || o->flags & OPND_SIGNS || p->made[var].behind <= p->first || p->closed[p->made[var].scope]
               ? nothing
               : p->made[var];
}

/* What the first instruction that this one is taken together with made, and what comes of its operand, if there is one.
 */
static struct made partner(const struct pairing *p, uint32_t i, const struct insn *insn, enum pair_value *value)
{
    const struct model *d = p->d;
    bool unpacks = insn->op == OP_UP2H && packs(d, insn);
    struct made m = (has_root(d, insn) || unpacks) && !model_folded(d, i) ? held(p, inverted(d, insn), 0) : nothing;

    if (unpacks || m.kind == MADE_PACKED) {
        *value = PAIR_UNPACK;
        return unpacks && m.behind && m.kind == MADE_PACKED ? m : nothing;
    }
    *value = m.kind == MADE_RCP && insn->op != OP_RSQ ? PAIR_COPY : m.kind == MADE_ROOT ? PAIR_RSQ : PAIR_ROOT;
    if (!m.behind || m.kind == MADE_MIN ||
        eval_is_half_of(d->p, d->nvidia, maker(d, &m)) != eval_is_half_of(d->p, d->nvidia, insn) ||
        (insn->op == OP_RSQ ? m.kind != MADE_RCP : m.kind == MADE_ROOT && m.has_sign))
        return nothing;
    return m;
}

/* What the MIN made that component c of a MAX clamps together with it, if there is one. */
static struct made clamped_by(const struct pairing *p, uint32_t i, const struct insn *insn, unsigned c)
{
    const struct model *d = p->d;
    bool apart = insn->cc_update && condition_restricts(&insn->dst.condition);
    int k = insn->op == OP_MAX && !apart && insn->dst.mask >> c & 1 && !(model_folded(d, i) >> c & 1)
                ? model_beside_bound(d, i, c)
                : -1;
    struct made m = k < 0 ? nothing : held(p, program_operand(d->p, insn->src + (uint32_t)k), c);

    return m.behind && m.kind == MADE_MIN &&
                   eval_is_half_of(d->p, d->nvidia, maker(d, &m)) == eval_is_half_of(d->p, d->nvidia, insn) &&
                   (maker(d, &m)->type == DT_F64) == (insn->type == DT_F64)
               ? m
               : nothing;
}

/* What component c of the result is, for later ones. */
static struct made result_of(const struct pairing *p, uint32_t i, const struct insn *insn, const struct made *first,
                             enum pair_value value, unsigned c)
{
    struct made m = {.behind = i + 1, .component = (uint8_t)c, .kind = MADE_MIN};

    if (!is_first(p->d, i, insn, c))
        return nothing;
    m.kind = insn->op == OP_PK2H ? MADE_PACKED : MADE_MIN;
    if (insn->op == OP_MIN || insn->op == OP_PK2H)
        return m;
    if (first->behind) {
        m = *first;
        m.kind = value == PAIR_ROOT ? MADE_ROOT : MADE_RSQ;
        return value == PAIR_COPY ? nothing : m;
    }
    m.kind = insn->op == OP_RSQ ? MADE_RSQ : MADE_RCP;
    m.has_sign = operand_has_sign(program_operand(p->d->p, insn->src));
    return m;
}

/* The first and the second ones of pairs. */
static bool takes_part(unsigned op)
{
    return op == OP_RCP || op == OP_RSQ || op == OP_DIV || op == OP_PK2H || op == OP_UP2H || op == OP_MIN ||
           op == OP_MAX;
}

static void writes(struct pairing *p, uint32_t i, const struct insn *insn)
{
    const struct result *r = &insn->dst;
    bool copies = insn->op == OP_MOV && insn->type != DT_F16 && !(insn->flags & (INSN_SAT | INSN_SSAT | INSN_HALF)) &&
                  !condition_restricts(&r->condition) && r->kind == OPND_SYMBOL &&
                  program_symbol(p->d->p, r->ref)->size != SIZE_SHORT;
    enum pair_value value;
    bool paired = takes_part(insn->op);
    struct made first = paired ? partner(p, i, insn, &value) : nothing, fresh[4];

    for (unsigned c = 0; c < 4; c++) {
        fresh[c] = copies   ? held(p, program_operand(p->d->p, insn->src), c)
                   : paired ? result_of(p, i, insn, &first, value, c)
                            : nothing;
        fresh[c].scope = p->scope;
    }
    for (unsigned c = 0; r->kind != OPND_NONE && c < 4; c++) {
        uint32_t var = model_result_variable(p->live, r, c);
        if (r->mask >> c & 1 && var != NO_INDEX)
            p->made[var] = fresh[c];
    }
}

static bool allocate(struct model *d)
{
    size_t n = d->p->insns.count;
    struct pairs *out = &d->pairs;

    if (out->first)
        return true;
    out->first = arena_alloc(&d->arena, n * sizeof *out->first);
    out->clamped = arena_alloc(&d->arena, n * sizeof *out->clamped);
    out->kept = arena_alloc(&d->arena, n * sizeof *out->kept);
    out->value = arena_alloc(&d->arena, n);
    if (d->arena.failed)
        return model_out_of_memory(d);
    memset(out->first, 0xff, n * sizeof *out->first);
    memset(out->clamped, 0xff, n * sizeof *out->clamped);
    memset(out->kept, 0xff, n * sizeof *out->kept);
    return true;
}

/* The pair that an instruction is the second one of, or the pairs, by component. */
static bool note_pairs(struct pairing *p, uint32_t i, const struct insn *insn)
{
    struct pairs *out = &p->d->pairs;
    enum pair_value value;
    struct made first = partner(p, i, insn, &value);

    if (first.behind) {
        if (!allocate(p->d))
            return false;
        out->first[i] = first.behind - 1;
        out->value[i] = (uint8_t)value;
        out->kept[first.behind - 1][0] = 0;    /* wanted */
        if (value == PAIR_UNPACK)
            out->kept[first.behind - 1][1] = 0;
    }
    for (unsigned c = 0; c < 4; c++) {
        first = clamped_by(p, i, insn, c);
        if (!first.behind)
            continue;
        if (!allocate(p->d))
            return false;
        out->clamped[i][c] = 4 * (first.behind - 1) + first.component;
        out->kept[first.behind - 1][first.component] = 0;
    }
    return true;
}

/* Sides of an IF see what was made before it; loops, subroutines and what stands behind the IF do not see what was made
 * in them. */
static void follow(struct pairing *p, uint32_t i)
{
    const struct insn *insn = program_insn(p->d->p, i);
    bool open = p->scope && program_insn(p->d->p, p->scope)->dst.partner == i;

    if (p->live->label[i])
        p->first = i;
    switch (insn->op) {
    case OP_IF:
        p->outer[i] = p->scope;
        p->scope = i;
        break;
    case OP_ELSE: case OP_ENDIF:
        p->first = open ? p->first : i + 1;
        p->closed[p->scope] = open;
        p->outer[i] = open ? p->outer[p->scope] : 0;
        p->scope = insn->op == OP_ELSE && open ? i : p->outer[i];
        break;
    case OP_REP: case OP_ENDREP: case OP_CAL: case OP_CALI: case OP_BRA:
        p->first = i + 1;
        break;
    default: break;
    }
}

static bool worth_it(const struct model *d)
{
    bool first = false, second = false;

    for (uint32_t i = 0; i < d->p->insns.count; i++) {
        unsigned op = program_insn(d->p, i)->op;
        second |= first && (op == OP_RCP || op == OP_RSQ || op == OP_DIV || op == OP_UP2H || op == OP_MAX);
        first |= op == OP_RSQ || op == OP_RCP || op == OP_PK2H || op == OP_MIN;
    }
    return second;
}

bool model_find_pairs(struct model *d)
{
    struct pairing p = {.d = d};
    struct arena arena = {0};
    size_t n;
    bool ok;

    if (!has_pass(d, PASS_pairs) || !worth_it(d))
        return true;
    p.live = model_liveness(d);
    if (!p.live)
        return false;
    n = d->p->insns.count + 1;
    p.made = arena_alloc(&arena, p.live->nvars * sizeof *p.made);
    p.outer = arena_alloc(&arena, n * sizeof *p.outer);
    p.closed = arena_alloc(&arena, n);
    ok = !arena.failed || model_out_of_memory(d);
    for (uint32_t i = 0; ok && i < d->p->insns.count; i++) {
        follow(&p, i);
        ok = !takes_part(program_insn(d->p, i)->op) || note_pairs(&p, i, program_insn(d->p, i));
        writes(&p, i, program_insn(d->p, i));
    }
    arena_free(&arena);
    return ok;
}
