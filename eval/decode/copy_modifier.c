/* Copies of singles with signs or clamps, which the driver's compiler makes of more than MOV: products with 1.0 and
 * -1.0, ABS, what DST does not multiply. Into LONG variables they are widened first, and what a test may keep back is a
 * choice between words (docs/numbers.md, "Pairs and single instructions"). Component by component. */
#include "eval/decode/decode.h"
#include "eval/decode/half_storage.h"
#include "eval/decode/variables.h"

#include <string.h>

/* An instruction, and for each component what it is a copy of. */
struct copier {
    struct decoder *d;
    const struct insn *insn;
    bool wide, clamps, half;
    uint8_t tested;             /* components that a test may keep back */
    int from[4];                /* operand, or -1 */
    bool flip[4];               /* its sign is turned besides */
    uint8_t special;            /* components that are not what the instruction computes */
    uint32_t plane[4];
};

/* The operand that component c is a copy of, or -1. */
static int copied_from(const struct decoder *d, const struct insn *insn, bool wide, unsigned c, bool *flip)
{
    const struct folded *folded = eval_folded_at(d, d->insn);

    *flip = false;
    if (op_has(insn->op, A_COPIES))
        return 0;
    switch (insn->op) {
    case OP_MUL: case OP_DIV: return model_copied_factor(&d->model, d->insn, c, flip);
    case OP_CMP: case OP_MIN: case OP_MAX: case OP_MAD:
        for (unsigned k = 0; k < 3; k++)
            if ((wide     ? eval_taken_from(d, k)
                 : folded ? folded->taken[k]
                          : 0) >>
                        c &
                    1 &&
                !(folded && folded->mask >> c & 1))
                return (int)k;
        return -1;
    case OP_DST: break;
    default: return -1;
    }
    for (unsigned k = 0; folded && c == 1 && !(insn->flags & INSN_PREC) && k < 2; k++)
        if (folded->ones[k] & 2) {
            *flip = folded->minus[k] >> 1 & 1;
            return 1 - (int)k;
        }
    return c > 1 ? (int)c - 2 : -1;
}

/* The operand with the signs that come of it. */
static struct operand operand_of(const struct copier *f, unsigned c)
{
    struct operand o = *program_operand(f->d->p, f->insn->src + (uint32_t)f->from[c]);

    if (eval_bare_components(f->d, f->d->insn, &o, DT_F32) >> c & 1)
        o.flags &= (uint16_t)~OPND_SIGNS;
    o.flags ^= f->flip[c] ? OPND_NEGATE : 0;
    if (f->insn->op == OP_ABS)
        o.flags = (uint16_t)((o.flags & ~(OPND_NEGATE | OPND_NEGATE_INNER)) | OPND_ABSOLUTE);
    return o;
}

static uint8_t find_tested(const struct decoder *d, const struct insn *insn)
{
    const struct folded *folded = eval_folded_at(d, d->insn);
    const struct result *r = &insn->dst;

    if (!condition_restricts(&r->condition) || r->condition.rule == CC_FL || insn->cc_update ||
        model_is_by_address(&d->model, r))
        return 0;
    return r->mask & (uint8_t)~(folded ? folded->settled : 0);
}

/* -1.0 divided under a test: the sign is put on what RCP gives, a NaN too. */
static bool inverts(const struct copier *f, unsigned c)
{
    const struct folded *folded = eval_folded_at(f->d, f->d->insn);

    return f->tested >> c & 1 && f->insn->op == OP_DIV && !(f->insn->flags & INSN_PREC) && folded &&
           folded->over & folded->over_minus & 1u << c;
}

static bool is_special(const struct copier *f, unsigned c)
{
    struct operand o = operand_of(f, c);
    bool has_sign = operand_has_sign(&o), distance = f->insn->op == OP_DST && c == 1;

    if (f->half)
        return distance || has_sign || (f->clamps && eval_is_short(f->d, f->insn->dst.kind, f->insn->dst.ref));
    if (f->wide && has_sign)
        return program_is_long(f->d->p, o.kind, o.ref) &&
               !(f->insn->op == OP_CMP && f->insn->cc_update && condition_restricts(&f->insn->dst.condition));
    if (f->wide)
        return f->clamps || distance;
    return (f->tested >> c & 1 && has_sign) || distance;
}

/* Whether operand k is a constant at a place that only registers say, which is loaded before the instruction puts a
 * sign on it by arithmetic. */
static bool loads_first(const struct decoder *d, uint32_t i, uint32_t k)
{
    const struct folded *folded = eval_folded_at(d, i);
    const struct insn *insn = program_insn(d->p, i);
    bool parameter;

    if (k > 2 || !folded || !(folded->anywhere >> k & 1))
        return false;
    parameter = program_symbol(d->p, program_operand(d->p, insn->src + k)->ref)->kind == SYM_PARAM;
    switch (insn->op) {
    case OP_MUL: case OP_DIV: return true;
    case OP_MIN: case OP_MAX: return parameter;
    case OP_CMP: return !parameter;
    case OP_DST: return !parameter || program_operand(d->p, insn->src + 1 - k)->kind != OPND_CONSTANT;
    default: return false;
    }
}

/* A sign that is put on a constant that is loaded first. */
static bool is_loaded_first(const struct copier *f, unsigned c)
{
    struct operand o;

    if (f->from[c] < 0)
        return false;
    o = operand_of(f, c);
    return operand_has_sign(&o) &&
           loads_first(f->d, f->d->insn, f->insn->src + (uint32_t)f->from[c] - program_insn(f->d->p, f->d->insn)->src);
}

static void look(struct copier *f)
{
    for (unsigned c = 0; c < 4; c++) {
        f->from[c] = f->insn->dst.mask >> c & 1 ? copied_from(f->d, f->insn, f->wide, c, &f->flip[c]) : -1;
        if (is_loaded_first(f, c))
            f->tested &= (uint8_t)~(1u << c);
        if (inverts(f, c) || (f->from[c] >= 0 && is_special(f, c)))
            f->special |= (uint8_t)(1u << c);
    }
}

static bool compute(struct copier *f, struct kernel_request want, struct lane_op *op, unsigned c)
{
    op->dst[0] = eval_layout_scratch(&f->d->layout);
    if (!eval_raw(f->d, &want, op, NULL))
        return false;
    f->plane[c] = op->dst[0];
    return true;
}

/* The word of a single as a double, and then the sign and the clamp. */
static bool widen(struct copier *f, struct lane_op *op, unsigned c, uint16_t flags)
{
    struct kernel_request want = eval_request(f->d, OP_CVT, DT_F64);

    want.type2 = DT_F32;
    if (!compute(f, want, op, c))
        return false;
    if (flags & OPND_SIGNS) {
        op->src[0][0] = f->plane[c];
        op->clear[0] = flags & OPND_ABSOLUTE ? 0x80000000u : 0;
        op->flip[0] = !(flags & OPND_NEGATE) != !(flags & OPND_NEGATE_INNER) ? 0x80000000u : 0;
        if (!compute(f, eval_request(f->d, OP_MOV, DT_F64), op, c))
            return false;
    }
    return !f->clamps ||
           eval_after(f->d, eval_request(f->d, f->insn->flags & INSN_SAT ? EVAL_OP_SAT : EVAL_OP_SSAT, DT_F64), 1,
                      &f->plane[c]);
}

/* The word with the signs put on. */
static bool sign(struct copier *f, struct lane_op *op, unsigned c, uint16_t flags)
{
    bool clears = flags & OPND_ABSOLUTE, flips = !(flags & OPND_NEGATE) != !(flags & OPND_NEGATE_INNER);

    f->plane[c] = op->src[0][0];
    for (unsigned step = 0; step < 2; step++) {
        if (step ? !flips : !clears)
            continue;
        op->src[0][0] = f->plane[c];
        op->src[1][0] = eval_layout_word(&f->d->layout, step ? 0x80000000u : 0x7fffffff);
        if (!compute(f, eval_request(f->d, step ? OP_XOR : OP_AND, DT_U32), op, c))
            return false;
    }
    return true;
}

/* What is copied, in the place of an operand: with its signs, or without. */
static bool fetch(struct copier *f, unsigned c, uint16_t without, struct lane_op *op)
{
    struct operand o = operand_of(f, c);
    struct fetched value;

    *op = (struct lane_op){.n = 1, .comp = {(uint8_t)c}};
    o.flags &= (uint16_t)~without;
    if (!eval_fetch(f->d, &o, DT_F32, (uint8_t)(1u << c), true, &value))
        return false;
    eval_place(op, 0, &value, FLOW_EACH);
    return true;
}

static bool copy(struct copier *f, unsigned c)
{
    struct lane_op op;
    bool special = f->special >> c & 1, plain = !special || (!f->wide && !(f->tested >> c & 1));

    if (!fetch(f, c, plain ? 0 : OPND_SIGNS, &op))
        return false;
    if (f->half && f->clamps && eval_is_short(f->d, f->insn->dst.kind, f->insn->dst.ref) &&
        !eval_round_operands(f->d, &op, 1))
        return false;
    if (plain)
        return eval_partial(f->d, f->insn, eval_request_of(f->d, f->insn, OP_MOV), &op, f->plane);
    return f->wide ? widen(f, &op, c, operand_of(f, c).flags) : sign(f, &op, c, operand_of(f, c).flags);
}

static bool invert(struct copier *f, unsigned c)
{
    struct lane_op op;

    f->from[c] = 1;
    f->flip[c] = false;
    if (!fetch(f, c, 0, &op) || !compute(f, eval_request(f->d, OP_RCP, DT_F32), &op, c))
        return false;
    op.src[0][0] = f->plane[c];
    return sign(f, &op, c, OPND_NEGATE);
}

/* A component that is no copy. */
static bool compute_other(struct copier *f, unsigned c)
{
    static const uint8_t in_order[3] = {0, 1, 2};
    bool distance = f->insn->op == OP_DST;
    uint8_t bit = (uint8_t)(1u << c);
    unsigned n = f->insn->op == OP_CMP || f->insn->op == OP_MAD ? 3 : 2;
    struct insn plain = *f->insn;
    struct lane_op op = {.n = 1, .comp = {(uint8_t)c}};

    if (distance && c == 0) {
        f->plane[c] = eval_layout_word(&f->d->layout, 0x3f800000);
        return true;
    }
    if (!f->wide || !f->clamps || f->insn->op != OP_CMP)
        return eval_computed(f->d, f->insn, distance ? OP_MUL : f->insn->op, in_order, n, bit, f->plane);
    plain.flags &= ~(uint32_t)(INSN_SAT | INSN_SSAT);      /* what is chosen is clamped when it has been widened */
    if (!eval_computed(f->d, &plain, OP_CMP, in_order, n, bit, f->plane))
        return false;
    op.src[0][0] = f->plane[c];
    f->special |= bit;
    return widen(f, &op, c, 0);
}

static bool compute_all(struct copier *f)
{
    struct kernel_request want = eval_request(f->d, OP_CVT, DT_F64);

    want.type2 = DT_F32;
    for (unsigned c = 0; c < 4; c++) {
        if (!(f->insn->dst.mask >> c & 1))
            continue;
        if (inverts(f, c) ? !invert(f, c) : f->from[c] >= 0 ? !copy(f, c) : !compute_other(f, c))
            return false;
        if (f->wide && !(f->special >> c & 1) && !eval_after(f->d, want, 1, &f->plane[c]))
            return false;
    }
    return true;
}

/* Whether what chooses between operands is looked at component by component: into LONG variables, and CMP under a test.
 */
static bool chooses_here(const struct copier *f)
{
    if (f->wide)
        return !(f->insn->flags & INSN_HALF) && !eval_takes_products(f->d, f->d->insn);
    return f->insn->op == OP_CMP && f->tested && !(f->insn->flags & (INSN_PREC | INSN_HALF));
}

bool eval_decode_copies(struct decoder *d, const struct insn *insn, bool *done)
{
    const struct result *r = &insn->dst;
    struct copier f = {.d = d, .insn = insn, .clamps = insn->flags & (INSN_SAT | INSN_SSAT)};
    uint32_t result[4] = {0};
    uint8_t comp[4];
    unsigned n = eval_components(r->mask, comp);
    bool whole;

    f.half = eval_is_half(d, insn) && insn->op == OP_DST && !(insn->flags & (INSN_PREC | INSN_SSAT)) &&
             !program_is_long(d->p, r->kind, r->ref);
    whole = insn->op == OP_ABS && !eval_is_short(d, r->kind, r->ref);       /* it takes no notice of .F16 */
    if ((!f.half && !(whole && eval_result_type(insn) == DT_F32) && (insn->type != DT_F32 || eval_is_half(d, insn))) ||
        !r->mask)
        return true;
    f.wide = program_is_long(d->p, r->kind, r->ref);
    if (!f.wide && !f.half && !f.clamps && r->kind == OPND_SYMBOL && program_symbol(d->p, r->ref)->size == SIZE_DEFAULT)
        f.tested = find_tested(d, insn);
    if ((insn->op == OP_CMP || insn->op == OP_MIN || insn->op == OP_MAX || insn->op == OP_MAD) && !chooses_here(&f))
        return true;            /* chosen(), combine.c */
    look(&f);
    if (!f.special && !(insn->op == OP_CMP && f.wide && f.clamps))
        return true;
    *done = true;
    if (!compute_all(&f))
        return false;
    for (unsigned i = 0; i < n; i++)
        result[i] = f.plane[comp[i]];
    return eval_decode_result(d, insn, f.wide ? DT_F64 : DT_F32, result, NULL, 0);
}
