/* Pairs of instructions that the driver's compiler makes one of (docs/numbers.md, "Pairs"):
 *
 *   RCP of RSQ, RSQ of RCP      the square root, which the hardware has by itself
 *   RCP of such a root          RSQ
 *   RCP of RCP                  a copy
 *   DIV by any of these         a product with what RCP of it is
 *   MAX(MIN(x, 1.0), 0.0)       the clamp of .SAT, each component by itself
 *
 * also through MOVs, and into IFs. The operand of an RCP may have a sign, that of an RSQ not. Both instructions are computed; the second one from the operand of
 * the first, which is kept for it. */
#include "eval/decode/temp_alloc.h"
#include "model/analysis/liveness.h"
#include "eval/decode/half_storage.h"
#include "eval/decode/variables.h"

#include <string.h>

/* ---- what is a pair ---------------------------------------------------------------------------------------------------------------- */

enum made_kind { MADE_MIN, MADE_RCP, MADE_RSQ, MADE_ROOT };

/* What a variable holds: a result of one of the first instructions. */
struct made {
    uint32_t behind;            /* that instruction, and one more; 0: none */
    uint32_t scope;             /* in what side of an IF */
    uint8_t component, kind;
    bool has_sign;              /* the operand has one, which RCP and RSQ see */
};

struct pairing {
    struct decoder *d;
    const struct liveness *live;
    struct made *made;          /* of each variable */
    uint32_t scope, *outer;     /* the IF or ELSE that the side at hand begins with, or 0; and of each such the one around it */
    uint8_t *closed;            /* of each: the side has ended */
    uint32_t first;             /* what was made before it is not seen: loops, labels and calls stand between */
};

static const struct made nothing;

static const struct insn *maker(const struct decoder *d, const struct made *m)
{
    return program_insn(d->p, m->behind - 1);
}

/* The operand of component c of a MIN that is known to be beside 1.0, of a MAX beside 0, or -1. */
static int beside(const struct decoder *d, uint32_t i, unsigned c)
{
    const struct insn *insn = program_insn(d->p, i);
    const struct folded *folded = insn->flags & INSN_PREC && eval_is_half(d, insn) ? NULL : eval_folded_at(d, i);

    return !folded ? -1 : folded->bounds[0] >> c & 1 ? 1 : folded->bounds[1] >> c & 1 ? 0 : -1;
}

static bool has_root(const struct decoder *d, const struct insn *insn)
{
    bool function = (insn->op == OP_RCP || insn->op == OP_RSQ) && !(insn->flags & INSN_PREC);

    return (function || insn->op == OP_DIV) && type_table[insn->type].is_float && insn->type != DT_F64 && d->p->profile == PROFILE_NVCP5;
}

/* The operand that it takes the reciprocal, or the reciprocal of the root, of. */
static const struct operand *inverted(const struct decoder *d, const struct insn *insn)
{
    return program_operand(d->p, insn->src + (insn->op == OP_DIV));
}

/* Whether component c of an instruction can be the first of a pair. */
static bool is_first(const struct decoder *d, uint32_t i, const struct insn *insn, unsigned c)
{
    const struct symbol *s = insn->dst.kind == OPND_SYMBOL ? program_symbol(d->p, insn->dst.ref) : NULL;

    if (!s || insn->dst.nindices || condition_restricts(&insn->dst.condition) || insn->flags & (INSN_SAT | INSN_SSAT) ||
        (s->size == SIZE_LONG) != (type_table[eval_result_type(insn)].bytes == 8) || eval_is_indexed(d, insn->dst.ref))
        return false;
    if (insn->op == OP_MIN)
        return !(eval_folded(d, i) >> c & 1) && beside(d, i, c) >= 0;
    return has_root(d, insn) && insn->op != OP_DIV && !eval_folded(d, i) &&
           (insn->op == OP_RCP || eval_is_half(d, insn) || !operand_has_sign(program_operand(d->p, insn->src)));
}

static struct made held(const struct pairing *p, const struct operand *o, unsigned c)
{
    uint32_t var = eval_operand_variable(p->live, o, c);

    return var == NO_INDEX || o->flags & OPND_SIGNS || p->made[var].behind <= p->first || p->closed[p->made[var].scope] ? nothing : p->made[var];
}

/* What the first instruction that this one is taken together with made, and what comes of its operand, if there is one. */
static struct made partner(const struct pairing *p, uint32_t i, const struct insn *insn, enum pair_value *value)
{
    const struct decoder *d = p->d;
    struct made m = has_root(d, insn) && !eval_folded(d, i) ? held(p, inverted(d, insn), 0) : nothing;

    *value = m.kind == MADE_RCP && insn->op != OP_RSQ ? PAIR_COPY : m.kind == MADE_ROOT ? PAIR_RSQ : PAIR_ROOT;
    if (!m.behind || m.kind == MADE_MIN || eval_is_half(d, maker(d, &m)) != eval_is_half(d, insn) ||
        (insn->op == OP_RSQ ? m.kind != MADE_RCP : m.kind == MADE_ROOT && m.has_sign))
        return nothing;
    return m;
}

/* What the MIN made that component c of a MAX clamps together with it, if there is one. */
static struct made clamped_by(const struct pairing *p, uint32_t i, const struct insn *insn, unsigned c)
{
    const struct decoder *d = p->d;
    bool apart = insn->cc_update && condition_restricts(&insn->dst.condition);
    int k = insn->op == OP_MAX && !apart && insn->dst.mask >> c & 1 && !(eval_folded(d, i) >> c & 1) ? beside(d, i, c) : -1;
    struct made m = k < 0 ? nothing : held(p, program_operand(d->p, insn->src + (uint32_t)k), c);

    return m.behind && m.kind == MADE_MIN && eval_is_half(d, maker(d, &m)) == eval_is_half(d, insn) &&
                   (maker(d, &m)->type == DT_F64) == (insn->type == DT_F64)
               ? m : nothing;
}

/* What component c of the result is, for later ones. */
static struct made result_of(const struct pairing *p, uint32_t i, const struct insn *insn, const struct made *first, enum pair_value value, unsigned c)
{
    struct made m = {.behind = i + 1, .component = (uint8_t)c, .kind = MADE_MIN};

    if (!is_first(p->d, i, insn, c))
        return nothing;
    if (insn->op == OP_MIN)
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

static void writes(struct pairing *p, uint32_t i, const struct insn *insn)
{
    const struct result *r = &insn->dst;
    bool copies = insn->op == OP_MOV && insn->type != DT_F16 && !(insn->flags & (INSN_SAT | INSN_SSAT | INSN_HALF)) &&
                  !condition_restricts(&r->condition) && r->kind == OPND_SYMBOL && program_symbol(p->d->p, r->ref)->size != SIZE_SHORT;
    enum pair_value value;
    struct made first = partner(p, i, insn, &value), fresh[4];

    for (unsigned c = 0; c < 4; c++) {
        fresh[c] = copies ? held(p, program_operand(p->d->p, insn->src), c) : result_of(p, i, insn, &first, value, c);
        fresh[c].scope = p->scope;
    }
    for (unsigned c = 0; r->kind != OPND_NONE && c < 4; c++) {
        uint32_t var = eval_result_variable(p->live, r, c);
        if (r->mask >> c & 1 && var != NO_INDEX)
            p->made[var] = fresh[c];
    }
}

static bool allocate(struct decoder *d)
{
    size_t n = d->p->insns.count;
    struct pairs *out = &d->pairs;

    if (out->first)
        return true;
    out->first = gp5_malloc(n * sizeof *out->first);
    out->clamped = gp5_malloc(n * sizeof *out->clamped);
    out->kept = gp5_malloc(n * sizeof *out->kept);
    out->value = gp5_malloc(n);
    if (!out->first || !out->clamped || !out->kept || !out->value)
        return eval_out_of_memory(d);
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

/* Sides of an IF see what was made before it; loops, subroutines and what stands behind the IF do not see what was made in them. */
static void follow(struct pairing *p, uint32_t i)
{
    const struct insn *insn = program_insn(p->d->p, i);
    bool open = p->scope && program_insn(p->d->p, p->scope)->partner == i;

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
    case OP_REP: case OP_ENDREP: case OP_CAL: case OP_CALI:
        p->first = i + 1;
        break;
    default: break;
    }
}

static bool worth_it(const struct decoder *d)
{
    bool first = false, second = false;

    for (uint32_t i = 0; i < d->p->insns.count; i++) {
        unsigned op = program_insn(d->p, i)->op;
        second |= first && (op == OP_RCP || op == OP_RSQ || op == OP_DIV || op == OP_MAX);
        first |= op == OP_RSQ || op == OP_RCP || op == OP_MIN;
    }
    return second;
}

bool eval_find_pairs(struct decoder *d)
{
    struct pairing p = {.d = d};
    size_t n;
    bool ok;

    if (!eval_has(d, PASS_pairs) || !worth_it(d))
        return true;
    p.live = eval_liveness(d);
    if (!p.live)
        return false;
    n = d->p->insns.count + 1;
    p.made = gp5_malloc(p.live->nvars * sizeof *p.made + 1);
    p.outer = gp5_malloc(n * sizeof *p.outer);
    p.closed = gp5_malloc(n);
    ok = (p.made && p.outer && p.closed) || eval_out_of_memory(d);
    if (ok) {
        memset(p.made, 0, p.live->nvars * sizeof *p.made);
        memset(p.closed, 0, n);
    }
    for (uint32_t i = 0; ok && i < d->p->insns.count; i++) {
        follow(&p, i);
        ok = note_pairs(&p, i, program_insn(d->p, i));
        writes(&p, i, program_insn(d->p, i));
    }
    gp5_free(p.made);
    gp5_free(p.outer);
    gp5_free(p.closed);
    return ok;
}

void eval_pairs_free(struct pairs *p)
{
    gp5_free(p->first);
    gp5_free(p->clamped);
    gp5_free(p->kept);
    gp5_free(p->value);
}

/* ---- as steps ---------------------------------------------------------------------------------------------------------------------- */

/* The components of a MAX that clamp what a MIN took. */
static uint8_t clamps(const struct decoder *d, uint32_t insn)
{
    uint8_t mask = 0;

    for (unsigned c = 0; d->pairs.clamped && c < 4; c++)
        mask |= (uint8_t)((d->pairs.clamped[insn][c] != NO_INDEX) << c);
    return mask;
}

bool eval_is_paired(const struct decoder *d, uint32_t insn)
{
    return d->pairs.first && (d->pairs.first[insn] != NO_INDEX || clamps(d, insn));
}

/* Components of operand k, for those who look at them later. */
static bool keep(struct decoder *d, uint32_t i, unsigned k, uint8_t mask)
{
    const struct insn *insn = program_insn(d->p, i);
    struct kernel_request want = eval_request(d, OP_MOV, insn->type == DT_F16 ? DT_F32 : insn->type);
    struct lane_op op = {.n = (uint8_t)eval_components(mask, op.comp)};
    struct fetched f;

    if (!eval_fetch(d, program_operand(d->p, insn->src + k), want.type, mask, false, &f))
        return false;
    for (unsigned j = 0; j < op.n; j++) {
        op.src[0][j] = f.plane[op.comp[j]];
        op.dst[j] = d->pairs.kept[i][op.comp[j]] = eval_kept_planes(d, 2);
    }
    return eval_raw(d, &want, &op, NULL);
}

bool eval_keep_operand(struct decoder *d, uint32_t i)
{
    uint8_t mask[2] = {0};

    for (unsigned c = 0; d->pairs.first && c < 4; c++)
        if (d->pairs.kept[i][c] != NO_PLANE)
            mask[program_insn(d->p, i)->op == OP_MIN ? (unsigned)beside(d, i, c) : 0] |= (uint8_t)(1u << c);
    return (!mask[0] || keep(d, i, 0, mask[0])) && (!mask[1] || keep(d, i, 1, mask[1]));
}

bool eval_pair_value(struct decoder *d, uint32_t i, uint32_t *plane)
{
    static const uint16_t function[] = {[PAIR_ROOT] = EVAL_OP_SQRT, [PAIR_RSQ] = OP_RSQ};
    uint32_t first = d->pairs.first[i];
    bool half = eval_is_half(d, program_insn(d->p, first)), clamped = program_insn(d->p, i)->flags & INSN_SAT;
    struct kernel_request want = eval_request(d, EVAL_OP_HALF, DT_F32);
    struct lane_op op = {.n = 1, .src = {{d->pairs.kept[first][0]}}};

    *plane = op.src[0][0];
    if (d->pairs.value[i] != PAIR_COPY)
        want = eval_request(d, function[d->pairs.value[i]], half ? DT_F16 : DT_F32);
    else if (!half || !clamped)
        return true;
    *plane = op.dst[0] = eval_layout_scratch(&d->layout);
    return eval_raw(d, &want, &op, NULL);
}

/* The same value in all components; of DIV what it divides by that. */
static bool as_function(struct decoder *d, const struct insn *insn)
{
    bool divides = insn->op == OP_DIV;
    struct kernel_request want = divides ? eval_request_of(d, insn, OP_MUL) : eval_request(d, OP_MOV, eval_result_type(insn));
    struct lane_op op = {.n = (uint8_t)eval_components(insn->dst.mask, op.comp)};
    uint32_t value;

    if (!eval_pair_value(d, d->insn, &value) || (divides && !eval_place_operand(d, insn, &op, 0, program_operand(d->p, insn->src), DT_F32)))
        return false;
    for (unsigned i = 0; i < 4; i++)
        op.src[divides][i] = value;
    if (!divides)
        want.saturate = insn->flags & INSN_SAT ? INSN_SAT : insn->flags & INSN_SSAT ? INSN_SSAT : 0;
    return eval_emit(d, insn, want, &op);
}

/* MAX: of the operands that MINs took, where they are pairs. */
static bool as_clamp(struct decoder *d, const struct insn *insn)
{
    static const uint8_t in_order[2] = {0, 1};
    uint8_t mask = clamps(d, d->insn) & insn->dst.mask, others = insn->dst.mask & (uint8_t)~mask;
    struct kernel_request want = eval_request(d, OP_MOV, eval_result_type(insn));
    struct lane_op op = {.n = (uint8_t)eval_components(mask, op.comp)};
    uint32_t by_component[4] = {0};

    for (unsigned i = 0; i < op.n; i++) {
        uint32_t from = d->pairs.clamped[d->insn][op.comp[i]];
        op.src[0][i] = d->pairs.kept[from / 4][from % 4];
    }
    if (eval_is_half(d, insn) && !eval_round_operands(d, &op, 1))
        return false;
    want.saturate = INSN_SAT;
    if (!others)
        return eval_emit(d, insn, want, &op);
    return eval_partial(d, insn, want, &op, by_component) && eval_computed(d, insn, OP_MAX, in_order, 2, others, by_component) &&
           eval_join_partials(d, insn, by_component);
}

bool eval_decode_pair(struct decoder *d, const struct insn *insn)
{
    return !insn->dst.mask || (insn->op == OP_MAX ? as_clamp(d, insn) : as_function(d, insn));
}
