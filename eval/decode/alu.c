/* Instructions that compute lane by lane: operands, kernel, result. */
#include "eval/decode/decode.h"
#include "eval/decode/result_emit.h"
#include "eval/decode/half_storage.h"

/* The components of operand k that the enabled results are made of. */
static uint8_t operand_needs(const struct insn *insn, unsigned k)
{
    uint8_t needed = 0;

    for (unsigned c = 0; c < 4; c++)
        if (insn->dst.mask >> c & 1)
            needed |= eval_component_reads(insn->op, k, c);
    return needed;
}

/* -a of an integer sum makes it a difference: the carry follows. */
static uint16_t fold_negation(const struct insn *insn, struct operand o[3], unsigned n)
{
    bool integer = !type_table[insn->type].is_float;
    uint16_t op = insn->op;

    if (!integer || n != 2 || !op_adds(op))
        return op;
    if (o[1].flags & OPND_NEGATE && !(o[0].flags & OPND_NEGATE)) {
        o[1].flags &= (uint8_t)~OPND_NEGATE;
        return op == OP_ADD ? OP_SUB : OP_ADD;
    }
    if (op == OP_ADD && o[0].flags & OPND_NEGATE && o[1].flags & OPND_NEGATE) {     /* (-a) - b */
        o[1].flags &= (uint8_t)~OPND_NEGATE;
        return OP_SUB;
    }
    if (op == OP_ADD && o[0].flags & OPND_NEGATE) {
        struct operand swapped = o[0];
        swapped.flags &= (uint8_t)~OPND_NEGATE;
        o[0] = o[1];
        o[1] = swapped;
        return OP_SUB;
    }
    return op;
}

static bool nvidia(const struct decoder *d)
{
    return d->x->options.semantics == GP5_SEMANTICS_NVIDIA;
}

/* What SWZ selects components of, with its own sign, moved to where they are selected; 0 and 1 stand nowhere. */
static bool fetch_swizzled(struct decoder *d, const struct operand *o, uint8_t mask, struct fetched *f)
{
    struct operand base = *o;

    base.kind = o->base_kind;
    base.flags &= OPND_SIGNS;
    base.swizzle = 0;
    for (unsigned c = 0; c < 4; c++)
        base.swizzle |= (uint8_t)((operand_selector(o, c) & 7) <= SWZ_W ? (operand_selector(o, c) & 3) << 2 * c : 0);
    return eval_fetch(d, &base, DT_F32, mask, false, f);
}

/* The components with one sign. */
static bool swizzled(struct decoder *d, const struct operand *o, uint8_t mask, bool negative,
                     uint32_t by_component[4])
{
    struct lane_op op = {.flip = {negative ? 0x80000000u : 0}};
    struct kernel_request want = eval_request(d, OP_MOV, DT_F32);
    struct fetched f;

    if (!mask)
        return true;
    if (!fetch_swizzled(d, o, mask, &f))
        return false;
    op.n = (uint8_t)eval_components(mask, op.comp);
    for (unsigned i = 0; i < op.n; i++) {
        unsigned c = op.comp[i], select = operand_selector(o, c) & 7;
        op.src[0][i] = select == SWZ_ZERO ? eval_layout_word(&d->layout, 0)
                       : select == SWZ_ONE ? eval_layout_word(&d->layout, 0x3f800000) : f.plane[c];
        by_component[c] = op.dst[i] = eval_layout_scratch(&d->layout);
    }
    return eval_raw(d, &want, &op, NULL);
}

/* The driver multiplies and adds: a.c * m + k, where a constant takes the operand's x times 0
 * (and so is NaN where that is none, or infinite). */
static bool swizzled_by_arithmetic(struct decoder *d, const struct operand *o, uint8_t mask, uint32_t by_component[4])
{
    struct kernel_request want =
        eval_request(d, OP_MAD, eval_is_half(d, program_insn(d->p, d->insn)) ? DT_F16 : DT_F32);
    struct lane_op op = {.n = 0};
    struct fetched f;

    if (!fetch_swizzled(d, o, mask, &f))
        return false;
    op.n = (uint8_t)eval_components(mask, op.comp);
    for (unsigned i = 0; i < op.n; i++) {
        unsigned c = op.comp[i], select = operand_selector(o, c) & 7;
        uint32_t one = 0x3f800000 | (operand_selector(o, c) & SWZ_NEGATE ? 0x80000000u : 0);
        op.src[0][i] = f.plane[c];
        op.src[1][i] = eval_layout_word(&d->layout, select <= SWZ_W ? one : 0);
        op.src[2][i] = eval_layout_word(&d->layout, select == SWZ_ONE ? one : 0);
        by_component[c] = op.dst[i] = eval_layout_scratch(&d->layout);
    }
    return eval_raw(d, &want, &op, NULL);
}

static bool decode_swz(struct decoder *d, const struct insn *insn)
{
    const struct operand *o = program_operand(d->p, insn->src);
    uint8_t negative = 0, mask = insn->dst.mask, comp[4];
    uint32_t by_component[4] = {0}, result[4] = {0};
    unsigned n = eval_components(mask, comp);

    for (unsigned c = 0; c < 4; c++)
        if (operand_selector(o, c) & SWZ_NEGATE)
            negative |= (uint8_t)(1u << c);
    if (nvidia(d)) {
        if (!swizzled_by_arithmetic(d, o, mask, by_component))
            return false;
    } else if (!swizzled(d, o, mask & (uint8_t)~negative, false, by_component) ||
               !swizzled(d, o, mask & negative, true, by_component)) {
        return false;
    }
    for (unsigned i = 0; i < n; i++)
        result[i] = by_component[comp[i]];
    if (eval_clamp_of(insn) &&
        !eval_after(d, eval_request(d, eval_clamp_of(insn) == INSN_SAT ? EVAL_OP_SAT : EVAL_OP_SSAT, DT_F32), n,
                    result))
        return false;
    return eval_decode_result(d, insn, DT_F32, result, NULL, 0);
}

/* Whether a MOV undoes a negation in all of its components (contract.c). */
static bool undoes_negation(const struct decoder *d, uint32_t i)
{
    uint8_t mask = program_insn(d->p, i)->dst.mask;

    for (unsigned c = 0; d->model.contraction.copies && c < 4; c++)
        if (mask >> c & 1 && d->model.contraction.copies[i][c] == NO_INDEX)
            return false;
    return d->model.contraction.copies && mask != 0;
}

static bool decode_lanes(struct decoder *d, const struct insn *insn)
{
    unsigned nsrc = shape_table[op_table[insn->op].shape].nsrc;
    struct operand operands[3];
    struct lane_op op = {0};
    struct kernel_request want;
    enum op_flow flow;
    bool lit;

    if (insn->op == OP_SWZ)
        return decode_swz(d, insn);
    if (eval_is_paired(d, d->insn))
        return eval_decode_pair(d, insn);
    if (eval_clamp_of(insn) && !type_table[insn->type].is_float &&
        op_has(insn->op, A_INTERNAL))
        return eval_decode_saturated(d, insn);
    if (eval_takes_products(d, d->insn))
        return op_adds(insn->op) ? eval_decode_sum(d, insn, d->model.contraction.sums[d->insn])
                                                        : eval_decode_steps(d, insn);
    if (eval_rereads(d, insn) ||
        (insn->op == OP_RFL && nvidia(d) && profile_table[d->p->profile].stage_id == STAGE_FRAGMENT &&
         eval_has_steps(insn)))     /* it scales last (model/expand/expand.c) */
        return eval_decode_steps(d, insn);
    if (insn->dst.mask && eval_copied_components(d, insn->dst.mask))
        return eval_decode_factors(d, insn);
    if (undoes_negation(d, d->insn))
        return eval_decode_copy(d, insn);
    if (!eval_decode_light(d, insn, &lit) || lit)
        return lit;
    for (unsigned k = 0; k < nsrc; k++)
        operands[k] = *program_operand(d->p, insn->src + k);
    want = eval_request_of(d, insn, fold_negation(insn, operands, nsrc));
    if (insn->op == OP_RSQ && profile_in(d->p->profile, ROOT_OF_MAGNITUDE))
        operands[0].flags = OPND_ABSOLUTE;  /* ARB_fragment_program 3.11.5.22: of the absolute value */
    if (insn->op == OP_ABS && nvidia(d) && !type_table[insn->type].is_float)
        operands[0].flags &= (uint8_t)~OPND_NEGATE;     /* of an unsigned number too */
    flow = eval_op_flow(want.op);
    op.n = (uint8_t)eval_components(insn->dst.mask, op.comp);
    if (!op.n)
        return true;
    for (unsigned k = 0; k < nsrc; k++) {
        struct fetched f;
        if (!eval_fetch(d, &operands[k], eval_operand_type(insn, k), operand_needs(insn, k), true, &f))
            return false;
        eval_place(&op, k, &f, flow);
    }
    return eval_emit(d, insn, want, &op);
}

bool eval_decode_plainly(struct decoder *d, const struct insn *insn)
{
    return decode_lanes(d, insn);
}

/* What the compiler computed itself. */
static bool decode_constants(struct decoder *d, const struct insn *insn)
{
    uint32_t from[4] = {0};

    d->numbers = insn->dst.mask;
    return eval_decode_result(d, insn, eval_result_type(insn), from, NULL, 0);
}

/* Components that an instruction does not have, and that LONG variables take from registers that nobody wrote: what the
 * text's operation says of them. */
static bool decode_missing(struct decoder *d, const struct insn *insn)
{
    struct kernel_request want = eval_request(d, insn->op, DT_F32);
    struct lane_op op = {.n = 0};
    struct fetched f;

    want.semantics = GP5_SEMANTICS_SPEC;
    op.n = (uint8_t)eval_components(insn->dst.mask, op.comp);
    for (unsigned k = 0; k < insn->nsrc; k++) {
        if (!eval_fetch(d, program_operand(d->p, insn->src + k), DT_F32, operand_needs(insn, k), false, &f))
            return false;
        eval_place(&op, k, &f, eval_op_flow(insn->op));
    }
    for (unsigned i = 0; i < op.n; i++)
        op.dst[i] = eval_layout_scratch(&d->layout);
    return eval_raw(d, &want, &op, NULL) && eval_decode_result(d, insn, DT_F32, op.dst, NULL, 0);
}

/* The components that the instruction has. */
static bool decode_present(struct decoder *d, const struct insn *insn)
{
    struct insn some = *insn;
    uint8_t mask = insn->dst.mask, folded = eval_folded(d, d->insn);
    bool done = false;

    if (nvidia(d))
        mask &= (uint8_t)~eval_untouched(insn);
    /* A test must not see flags that the same instruction sets: all is written at once. */
    d->numbers = 0;
    if (folded & mask && mask & (uint8_t)~folded && insn->cc_update && condition_restricts(&insn->dst.condition)) {
        d->numbers = folded & mask;
        folded = 0;
    }
    if (!eval_compare_terms(d, insn))
        return false;
    some.dst.mask = mask & (uint8_t)~folded;
    if (some.dst.mask && nvidia(d) && !eval_peephole(d, &some, &done))
        return false;
    if (some.dst.mask && !done && !decode_lanes(d, &some))
        return false;
    some.dst.mask = mask & folded;
    return !some.dst.mask || decode_constants(d, &some);
}

/* Whether the tests of some components look at flags that others set. */
static bool tests_flags_of(const struct insn *insn, uint8_t mask, uint8_t others)
{
    const struct condition *test = &insn->dst.condition;
    uint8_t swizzle = test->nswizzle ? test->swizzle : 0xe4;
    bool any = false;

    for (unsigned c = 0; c < 4; c++)
        any |= mask >> c & 1 && others >> (swizzle >> 2 * c & 3) & 1;
    return any && insn->cc_update && condition_restricts(test) && insn->cc_update - 1u == (test->cc & 1u);
}

/* Where each tests flags that the other sets, both by what the flags are before. */
static bool decode_by_outcome(struct decoder *d, const struct insn *insn, const struct insn *missing)
{
    bool ok;

    if (!eval_keep_outcome(d, insn))
        return false;
    d->earlier = true;
    ok = decode_present(d, insn) && decode_missing(d, missing);
    d->earlier = false;
    return ok;
}

static bool decode_all(struct decoder *d, const struct insn *insn)
{
    struct insn missing = *insn;
    uint8_t present;
    bool first;

    missing.dst.mask = insn->dst.mask & eval_untouched(insn);
    present = insn->dst.mask & (uint8_t)~missing.dst.mask;
    first = tests_flags_of(insn, missing.dst.mask, present);
    if (!nvidia(d) || !missing.dst.mask || insn->dst.kind != OPND_SYMBOL ||
        program_symbol(d->p, insn->dst.ref)->size != SIZE_LONG)
        return decode_present(d, insn);
    if (first && !d->earlier && tests_flags_of(insn, present, missing.dst.mask))
        return decode_by_outcome(d, insn, &missing);
    /* What is missing may be an operand of the others; but their flags must not be seen by its test. */
    return first ? decode_missing(d, &missing) && decode_present(d, insn)
                 : decode_present(d, insn) && decode_missing(d, &missing);
}

bool eval_decode_lanes(struct decoder *d, const struct insn *insn)
{
    const struct folded *folded = eval_folded_at(d, d->insn);
    bool done;

    d->of_any = folded ? folded->of_any : 0;
    done = decode_all(d, insn);
    d->of_any = 0;
    return done;
}
