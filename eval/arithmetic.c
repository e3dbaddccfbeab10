/* Instructions that compute lane by lane: operands, kernel, result. */
#include "eval/decode.h"
#include "eval/sources.h"

#include <string.h>

unsigned eval_components(uint8_t mask, uint8_t comp[4])
{
    unsigned n = 0;

    for (unsigned c = 0; c < 4; c++)
        if (mask >> c & 1)
            comp[n++] = (uint8_t)c;
    return n;
}

struct kernel_request eval_request(const struct decoder *d, uint16_t op, uint8_t type)
{
    return (struct kernel_request){.op = op, .type = type, .type2 = type, .semantics = (uint8_t)d->x->options.semantics,
                                   .profile = (uint8_t)d->p->profile};
}

static bool is_float_operation(const struct kernel_request *want)
{
    return type_table[want->type].is_float || type_table[want->type2].is_float;
}

static uint8_t float_mode(const struct decoder *d, const struct kernel_request *want, const struct kernel *k)
{
    if (k->keep_denormals)
        return FLOAT_KEEP;
    if (!is_float_operation(want) && eval_op_flow(want->op) != FLOW_ALL)
        return FLOAT_ANY;
    return d->x->options.semantics == GP5_SEMANTICS_SPEC ? FLOAT_KEEP : FLOAT_FLUSH;
}

static const char *op_name(uint16_t op)
{
    return op < OP_COUNT ? op_table[op].name : op == EVAL_OP_HALF ? "rounding to half" : "saturation";
}

static bool no_kernel(struct decoder *d, const struct kernel_request *want)
{
    const struct insn *insn = program_insn(d->p, d->insn);

    if (want->type == want->type2)
        return eval_refuse(d, insn->span, "%s.%s", op_name(want->op), type_table[want->type].name);
    return eval_refuse(d, insn->span, "%s.%s.%s", op_name(want->op), type_table[want->type].name,
                       type_table[want->type2].name);
}

/* Keeps an op and what the tracker knows of it; its index, or NO_INDEX. */
static uint32_t keep_op(struct decoder *d, const struct kernel_request *want, const struct lane_op *op,
                        const struct kernel *k)
{
    struct op_track track = {.op = want->op, .flow = (uint8_t)eval_op_flow(want->op), .undefined = k->undefined,
                             .why = k->why};
    uint32_t at;

    track.nsrc = want->op < OP_COUNT ? shape_table[op_table[want->op].shape].nsrc : 1;
    at = eval_push(d, &d->ops, op);
    return at == NO_INDEX || eval_push(d, &d->tracks, &track) == NO_INDEX ? NO_INDEX : at;
}

static void choose(struct lane_op *op, const struct kernel *k)
{
    bool signs = false;

    for (unsigned i = 0; i < 3; i++)
        signs |= op->clear[i] || op->flip[i];
    op->run = signs && k->run_signs ? k->run_signs : k->run;
}

/* The kernel for a request: with its clamp, or (`clamp` set) without. */
static bool find_kernel(struct decoder *d, struct kernel_request *want, struct kernel *k, uint8_t *clamp, bool *half)
{
    const struct eval_kernels *table = d->x->kernels;
    uint8_t wanted = want->saturate;

    *clamp = 0;
    *half = false;
    memset(k, 0, sizeof *k);
    if (table->find(want, k))
        return true;
    if (want->type == DT_F16 && want->op != OP_CVT) {
        *half = true;
        want->type = DT_F32;
        if (want->type2 == DT_F16)
            want->type2 = DT_F32;
        if (!wanted && table->find(want, k))
            return true;
    }
    *clamp = wanted;
    want->saturate = 0;
    return table->find(want, k) || no_kernel(d, want);
}

bool eval_raw(struct decoder *d, const struct kernel_request *want, struct lane_op *op, struct kernel *used)
{
    struct kernel k = {0};
    struct step *s;

    if (!d->x->kernels->find(want, &k))
        return no_kernel(d, want);
    choose(op, &k);
    s = eval_step(d, STEP_RAW);
    if (!s)
        return false;
    s->mode = float_mode(d, want, &k);
    s->ref = keep_op(d, want, op, &k);
    if (used)
        *used = k;
    return s->ref != NO_INDEX;
}

/* ---- results --------------------------------------------------------------------------------------------------------- */

static bool always(const struct condition *c)
{
    return c->rule == CC_NONE || c->rule == CC_TR;
}

/* The register planes of a destination's enabled components. */
static bool destination(struct decoder *d, const struct insn *insn, struct write *out)
{
    const struct result *r = &insn->dst;
    const struct index *index = r->nindices ? program_index(d->p, r->index) : NULL;
    struct operand as_operand = {.kind = r->kind, .ref = r->ref, .span = r->span};
    struct array_planes array;
    struct plane_run run;
    bool ok;

    out->index = NO_PLANE;
    out->registers = r->kind != OPND_CC;
    if (!out->registers)
        return true;
    if (r->nindices > 1)
        return eval_refuse(d, r->span, "a result with two indices");
    if (index && index->mode == INDEX_RELATIVE) {
        if (!eval_array_planes(d, r->ref, r->span, &array) || !eval_fetch_index(d, index, &out->index))
            return false;
        out->offset = index->offset;
        out->elements = array.elements;
        out->stride = array.stride;
        out->wide = array.wide;
        for (unsigned i = 0; i < out->n; i++)
            out->to[i] = array.first + out->comp[i] * (array.wide ? 2 : 1);
        return true;
    }
    if (r->kind == OPND_SYMBOL)
        ok = eval_symbol_planes(d, r->ref, index ? (uint64_t)index->offset : 0, as_operand.span, &run);
    else
        ok = eval_binding_planes(d, program_binding(d->p, r->ref), 0, TYPE_NONE, &run);
    if (!ok)
        return false;
    out->wide = run.wide;
    for (unsigned i = 0; i < out->n; i++)
        out->to[i] = run.plane[out->comp[i]];
    return true;
}

/* A float instruction that writes a SHORT variable is half arithmetic; MOV is a copy whatever it writes. */
static bool is_half(const struct decoder *d, const struct insn *insn)
{
    if (insn->op == OP_MOV || eval_operand_type(insn, 0) != DT_F32 || eval_result_type(insn) != DT_F32)
        return false;
    return insn->type == DT_F16 || insn->flags & INSN_HALF ||
           (insn->dst.kind == OPND_SYMBOL && program_symbol(d->p, insn->dst.ref)->size == SIZE_SHORT);
}

bool eval_direct(struct decoder *d, const struct insn *insn, uint8_t type, uint32_t to[4])
{
    struct write out = {0};

    if (!always(&insn->dst.condition) || insn->cc_update || insn->dst.kind == OPND_CC ||
        (insn->dst.nindices && program_index(d->p, insn->dst.index)->mode == INDEX_RELATIVE))
        return false;
    out.n = (uint8_t)eval_components(insn->dst.mask, out.comp);
    if (!destination(d, insn, &out) || out.wide != (type_table[type].bytes == 8))
        return false;
    memcpy(to, out.to, sizeof out.to);
    return true;
}

/* One-operand kernel over results, into fresh scratch. */
static bool after(struct decoder *d, struct kernel_request want, unsigned n, uint32_t plane[4])
{
    struct lane_op op = {.n = (uint8_t)n};

    for (unsigned i = 0; i < n; i++) {
        op.comp[i] = (uint8_t)i;
        op.src[0][i] = plane[i];
        plane[i] = op.dst[i] = eval_layout_scratch(&d->layout);
    }
    return eval_raw(d, &want, &op, NULL);
}

/* To the size of the destination: widened as the type says, or narrowed. */
static bool fit(struct decoder *d, uint8_t type, unsigned n, uint32_t plane[4], bool wide)
{
    struct kernel_request want = eval_request(d, OP_CVT, type);

    if (wide == (type_table[type].bytes == 8))
        return true;
    switch (type) {
    case DT_F64: want.type = DT_F32; break;
    case DT_F32: want.type = DT_F64; break;
    case DT_S32: want.type = DT_S64; break;
    case DT_U32: want.type = DT_U64; break;
    default: return true;   /* the low planes */
    }
    want.type2 = type;
    return after(d, want, n, plane);
}

bool eval_decode_result(struct decoder *d, const struct insn *insn, uint8_t type, uint32_t from[4], carry_fn carry,
                        uint32_t carry_op)
{
    struct write out = {.carry = carry, .carry_op = carry_op, .cc_update = insn->cc_update};
    struct test test;
    struct step *s;

    out.n = (uint8_t)eval_components(insn->dst.mask, out.comp);
    out.flag_type = type;
    memcpy(out.flag_from, from, sizeof out.flag_from);
    memcpy(out.from, from, sizeof out.from);
    if (!out.n)
        return true;
    if (!eval_decode_test(d, &insn->dst.condition, &test) || !destination(d, insn, &out))
        return false;
    if (out.registers && !fit(d, type, out.n, out.from, out.wide))
        return false;
    s = eval_step(d, STEP_WRITE);
    if (!s)
        return false;
    s->test = test;
    s->ref = eval_push(d, &d->writes, &out);
    return s->ref != NO_INDEX;
}

/* ---- operands ---------------------------------------------------------------------------------------------------------- */

static uint8_t operand_needs(const struct insn *insn, unsigned k, enum op_flow flow)
{
    uint8_t class = shape_table[op_table[insn->op].shape].src[k];

    if (class == OC_SCALAR)
        return insn->op == OP_SHL || insn->op == OP_SHR || insn->op == OP_DIV || insn->op == OP_MOD ? insn->dst.mask : 1;
    if (flow == FLOW_EACH || (flow == FLOW_BITS && k > 0))
        return insn->dst.mask;
    switch (insn->op) {
    case OP_BFE: case OP_BFI: case OP_DP2: case OP_PK2H: case OP_PK2US:
        return 3;
    case OP_DP2A:
        return k == 2 ? 1 : 3;
    case OP_UP64:
        return (insn->dst.mask & 3 ? 1 : 0) | (insn->dst.mask & 12 ? 2 : 0);
    case OP_PK64:
        return (insn->dst.mask & 5 ? 3 : 0) | (insn->dst.mask & 10 ? 12 : 0);
    case OP_DP3: case OP_NRM: case OP_RFL: case OP_XPD:
        return 7;
    case OP_DPH:
        return k == 0 ? 7 : 15;
    case OP_LIT:
        return 11;
    case OP_DST:
        return k == 0 ? 6 : 10;
    case OP_X2D:
        return k == 2 ? 15 : 3;
    default:
        return 15;
    }
}

static void place(struct lane_op *op, unsigned k, const struct fetched *f, enum op_flow flow)
{
    bool each = flow == FLOW_EACH || (flow == FLOW_BITS && k > 0);

    for (unsigned i = 0; i < 4; i++)
        op->src[k][i] = each ? f->plane[i < op->n ? op->comp[i] : op->comp[0]] : f->plane[i];
    op->clear[k] = f->clear;
    op->flip[k] = f->flip;
}

/* -a of an integer sum makes it a difference: the carry follows. */
static uint16_t fold_negation(const struct insn *insn, struct operand o[3], unsigned n)
{
    bool integer = !type_table[insn->type].is_float;
    uint16_t op = insn->op;

    if (!integer || n != 2 || (op != OP_ADD && op != OP_SUB))
        return op;
    if (o[1].flags & OPND_NEGATE && !(o[0].flags & OPND_NEGATE)) {
        o[1].flags &= (uint8_t)~OPND_NEGATE;
        return op == OP_ADD ? OP_SUB : OP_ADD;
    }
    if (op == OP_ADD && o[0].flags & OPND_NEGATE && !(o[1].flags & OPND_NEGATE)) {
        struct operand swapped = o[0];
        swapped.flags &= (uint8_t)~OPND_NEGATE;
        o[0] = o[1];
        o[1] = swapped;
        return OP_SUB;
    }
    return op;
}

/* A result component written before another one that still reads it. */
static bool hazard(const struct lane_op *op, enum op_flow flow, unsigned nsrc)
{
    if (flow == FLOW_ALL)
        return false;
    for (unsigned i = 0; i < op->n; i++)
        for (unsigned k = 0; k < nsrc; k++) {
            bool each = flow == FLOW_EACH || k > 0;
            for (unsigned j = each ? i + 1 : 0; j < (each ? op->n : 4u); j++)
                if (op->src[k][j] == op->dst[i])
                    return true;
        }
    return false;
}

/* ---- emitting ------------------------------------------------------------------------------------------------------------ */

/* The step that writes registers when all lanes do, and scratch otherwise. */
static bool emit_lane(struct decoder *d, const struct kernel_request *want, struct lane_op *op, const struct kernel *k,
                      bool wide)
{
    struct lane_op redirected = *op;
    struct step *s = eval_step(d, STEP_LANE);

    if (!s)
        return false;
    for (unsigned i = 0; i < op->n; i++)
        redirected.dst[i] = eval_layout_scratch(&d->layout);
    s->mode = float_mode(d, want, k);
    s->wide = wide;
    s->ref = keep_op(d, want, op, k);
    return s->ref != NO_INDEX && keep_op(d, want, &redirected, k) != NO_INDEX;
}

/* Signs for a kernel that knows none: into scratch. */
static bool apply_signs(struct decoder *d, struct lane_op *op, unsigned nsrc)
{
    for (unsigned k = 0; k < nsrc; k++) {
        struct fetched f = {.clear = 0};
        if (!op->clear[k] && !op->flip[k])
            continue;
        memcpy(f.plane, op->src[k], sizeof f.plane);
        if (!eval_map(d, eval_request(d, OP_MOV, DT_F32), 15, &f, op->clear[k], op->flip[k]))
            return false;
        memcpy(op->src[k], f.plane, sizeof f.plane);
        op->clear[k] = op->flip[k] = 0;
    }
    return true;
}

/* Half arithmetic without a kernel of its own: operands are rounded first. */
static bool round_operands(struct decoder *d, struct lane_op *op, unsigned nsrc)
{
    for (unsigned k = 0; k < nsrc; k++) {
        struct fetched f = {.clear = 0};
        memcpy(f.plane, op->src[k], sizeof f.plane);
        if (!eval_map(d, eval_request(d, EVAL_OP_HALF, DT_F32), 15, &f, 0, 0))
            return false;
        memcpy(op->src[k], f.plane, sizeof f.plane);
    }
    return true;
}

/* An op whose sources stand: into the destination if it can be, else into scratch and from there. */
static bool emit(struct decoder *d, const struct insn *insn, struct kernel_request want, struct lane_op *op)
{
    uint8_t type = eval_result_type(insn), clamp;
    enum op_flow flow = eval_op_flow(want.op);
    unsigned nsrc = shape_table[op_table[want.op].shape].nsrc;
    struct kernel k;
    struct step *s;
    uint32_t at;
    bool half;

    if (!find_kernel(d, &want, &k, &clamp, &half) || (!k.run_signs && !apply_signs(d, op, nsrc)))
        return false;
    if (half && !round_operands(d, op, nsrc))
        return false;
    choose(op, &k);
    if (!clamp && !half && eval_direct(d, insn, type, op->dst) && !hazard(op, flow, nsrc))
        return emit_lane(d, &want, op, &k, type_table[type].bytes == 8);
    if (d->failed)
        return false;
    for (unsigned i = 0; i < op->n; i++)
        op->dst[i] = eval_layout_scratch(&d->layout);
    s = eval_step(d, STEP_RAW);
    if (!s)
        return false;
    s->mode = float_mode(d, &want, &k);
    at = s->ref = keep_op(d, &want, op, &k);
    if (at == NO_INDEX)
        return false;
    if (half && !after(d, eval_request(d, EVAL_OP_HALF, DT_F32), op->n, op->dst))
        return false;
    if (clamp && !after(d, eval_request(d, clamp == INSN_SAT ? EVAL_OP_SAT : EVAL_OP_SSAT, type), op->n, op->dst))
        return false;
    return eval_decode_result(d, insn, type, op->dst, k.carry, at);
}

static uint8_t clamp_of(const struct insn *insn)
{
    return insn->flags & INSN_SAT ? INSN_SAT : insn->flags & INSN_SSAT ? INSN_SSAT : 0;
}

static struct kernel_request request_of(const struct decoder *d, const struct insn *insn, uint16_t op)
{
    struct kernel_request want = eval_request(d, op, insn->type);

    want.type2 = op == OP_CVT ? insn->type2 : insn->type;
    want.rounding = op == OP_CVT ? insn->rounding : 0;
    want.saturate = clamp_of(insn);
    want.flags = insn->flags & (INSN_HI | INSN_S24 | INSN_U24);
    if (is_half(d, insn))
        want.type = want.type2 = DT_F16;
    if (insn->op == OP_I2F) {
        want.op = OP_CVT;
        want.type2 = insn->type;
        want.type = DT_F32;
    }
    return want;
}

/* ---- sums that take a product in ------------------------------------------------------------------------------------------- */

static bool same_product(const struct fused *a, const struct fused *b)
{
    return a->product == b->product && a->operand == b->operand && a->negate == b->negate;
}

/* Operand k of a product, at the components that the sum's components want. */
static bool fetch_factor(struct decoder *d, uint32_t product, unsigned k, const struct fused *from, uint8_t mask,
                         struct fetched *f)
{
    const struct insn *mul = program_insn(d->p, product);
    struct fetched all = {.clear = 0};
    uint8_t needed = 0, some = mask & (uint8_t)-mask;

    for (unsigned c = 0; c < 4; c++)
        if (mask >> c & 1)
            needed |= (uint8_t)(1u << from[c].component);
    if (d->contraction.kept[product])
        memcpy(all.plane, d->contraction.factors[product][k], sizeof all.plane);
    else if (!eval_fetch(d, program_operand(d->p, mul->src + k), eval_register_type(mul->type), needed, true, &all))
        return false;
    *f = all;
    for (unsigned c = 0; c < 4; c++)
        f->plane[c] = all.plane[from[mask >> c & 1 ? c : (unsigned)__builtin_ctz(some)].component];
    return !from[__builtin_ctz(some)].half_factors ||
           eval_map(d, eval_request(d, EVAL_OP_HALF, DT_F32), mask, f, 0, 0);
}

/* One MAD for the components in `mask`, which all take in the same product. */
static bool fused_sum(struct decoder *d, const struct insn *insn, const struct fused *from, uint8_t mask,
                      struct lane_op *op)
{
    const struct fused *one = &from[__builtin_ctz(mask)];
    const struct operand *other = program_operand(d->p, insn->src + 1 - one->operand);
    struct fetched a, b, c;

    op->n = (uint8_t)eval_components(mask, op->comp);
    if (!fetch_factor(d, one->product, 0, from, mask, &a) || !fetch_factor(d, one->product, 1, from, mask, &b) ||
        !eval_fetch(d, other, eval_register_type(insn->type), mask, true, &c))
        return false;
    if (one->negate)
        a.flip ^= 0x80000000u;
    if (insn->op == OP_SUB && one->operand == 0)
        c.flip ^= 0x80000000u;
    place(op, 0, &a, FLOW_EACH);
    place(op, 1, &b, FLOW_EACH);
    place(op, 2, &c, FLOW_EACH);
    return true;
}

/* The components that no product goes into. */
static bool plain_sum(struct decoder *d, const struct insn *insn, uint8_t mask, struct lane_op *op)
{
    op->n = (uint8_t)eval_components(mask, op->comp);
    for (unsigned k = 0; k < 2; k++) {
        struct fetched f;
        if (!eval_fetch(d, program_operand(d->p, insn->src + k), eval_register_type(insn->type), mask, true, &f))
            return false;
        place(op, k, &f, FLOW_EACH);
    }
    return true;
}

/* An op of a sum into scratch, clamped as the instruction says. */
static bool partial_sum(struct decoder *d, const struct insn *insn, struct kernel_request want, struct lane_op *op,
                        uint32_t by_component[4])
{
    struct kernel k;
    uint8_t clamp;
    bool half;

    if (!find_kernel(d, &want, &k, &clamp, &half) || (half && !round_operands(d, op, 3)))
        return false;
    for (unsigned i = 0; i < op->n; i++)
        op->dst[i] = eval_layout_scratch(&d->layout);
    want.saturate = clamp ? 0 : want.saturate;
    if (!eval_raw(d, &want, op, NULL))
        return false;
    if (half && !after(d, eval_request(d, EVAL_OP_HALF, DT_F32), op->n, op->dst))
        return false;
    if (clamp && !after(d, eval_request(d, clamp == INSN_SAT ? EVAL_OP_SAT : EVAL_OP_SSAT, eval_result_type(insn)), op->n,
                        op->dst))
        return false;
    for (unsigned i = 0; i < op->n; i++)
        by_component[op->comp[i]] = op->dst[i];
    return true;
}

/* A sum some of whose components take in products: one op a product, and one for the rest. */
static bool decode_sum(struct decoder *d, const struct insn *insn, const struct fused *from)
{
    uint8_t left = insn->dst.mask, comp[4];
    uint32_t result[4] = {0}, by_component[4] = {0};
    struct kernel_request fused = request_of(d, insn, OP_MAD), plain = request_of(d, insn, insn->op);
    unsigned n = eval_components(insn->dst.mask, comp);

    while (left) {
        const struct fused *one = &from[__builtin_ctz(left)];
        bool takes = one->product != NO_INDEX;
        struct lane_op op = {0};
        uint8_t mask = 0;
        for (unsigned c = 0; c < 4; c++)
            if (left >> c & 1 && same_product(&from[c], one))
                mask |= (uint8_t)(1u << c);
        left &= (uint8_t)~mask;
        if (!(takes ? fused_sum(d, insn, from, mask, &op) : plain_sum(d, insn, mask, &op)))
            return false;
        if (mask == insn->dst.mask)
            return emit(d, insn, fused, &op);
        if (!partial_sum(d, insn, takes ? fused : plain, &op, by_component))
            return false;
    }
    for (unsigned i = 0; i < n; i++)
        result[i] = by_component[comp[i]];
    return eval_decode_result(d, insn, eval_result_type(insn), result, NULL, 0);
}

bool eval_keep_factors(struct decoder *d, uint32_t i)
{
    const struct insn *insn = program_insn(d->p, i);
    uint8_t type = eval_register_type(insn->type);
    struct kernel_request want = eval_request(d, OP_MOV, type);

    if (!d->contraction.kept || !d->contraction.kept[i])
        return true;
    for (unsigned k = 0; k < 2; k++) {
        struct lane_op op = {0};
        struct fetched f;
        if (!eval_fetch(d, program_operand(d->p, insn->src + k), type, insn->dst.mask, false, &f))
            return false;
        op.n = (uint8_t)eval_components(insn->dst.mask, op.comp);
        memset(d->contraction.factors[i][k], 0, sizeof d->contraction.factors[i][k]);
        for (unsigned j = 0; j < op.n; j++) {
            op.src[0][j] = f.plane[op.comp[j]];
            op.dst[j] = d->contraction.factors[i][k][op.comp[j]] = eval_layout_planes(&d->layout, 2);
        }
        if (!eval_raw(d, &want, &op, NULL))
            return false;
    }
    return true;
}

/* ---- SWZ -------------------------------------------------------------------------------------------------------------------- */

/* The components with one sign. */
static bool swizzled(struct decoder *d, const struct operand *o, uint8_t mask, bool negative, uint32_t by_component[4])
{
    struct operand base = *o;
    struct lane_op op = {.flip = {negative ? 0x80000000u : 0}};
    struct kernel_request want = eval_request(d, OP_MOV, DT_F32);
    struct fetched f;

    if (!mask)
        return true;
    base.kind = o->base_kind;
    base.flags = 0;
    base.swizzle = 0;
    for (unsigned c = 0; c < 4; c++)
        base.swizzle |= (uint8_t)((o->extended[c] & 7) <= SWZ_W ? (o->extended[c] & 3) << 2 * c : 0);
    if (!eval_fetch(d, &base, DT_F32, mask, true, &f))
        return false;
    op.n = (uint8_t)eval_components(mask, op.comp);
    for (unsigned i = 0; i < op.n; i++) {
        unsigned c = op.comp[i], select = o->extended[c] & 7;
        op.src[0][i] = select == SWZ_ZERO ? eval_layout_word(&d->layout, 0)
                       : select == SWZ_ONE ? eval_layout_word(&d->layout, 0x3f800000) : f.plane[c];
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
        if (o->extended[c] & SWZ_NEGATE)
            negative |= (uint8_t)(1u << c);
    if (!swizzled(d, o, mask & (uint8_t)~negative, false, by_component) ||
        !swizzled(d, o, mask & negative, true, by_component))
        return false;
    for (unsigned i = 0; i < n; i++)
        result[i] = by_component[comp[i]];
    if (clamp_of(insn) && !after(d, eval_request(d, clamp_of(insn) == INSN_SAT ? EVAL_OP_SAT : EVAL_OP_SSAT, DT_F32), n,
                                 result))
        return false;
    return eval_decode_result(d, insn, DT_F32, result, NULL, 0);
}

/* ---- the instruction -------------------------------------------------------------------------------------------------------- */

bool eval_decode_lanes(struct decoder *d, const struct insn *insn)
{
    unsigned nsrc = shape_table[op_table[insn->op].shape].nsrc;
    const struct contraction *fusion = &d->contraction;
    struct operand operands[3];
    struct lane_op op = {0};
    struct kernel_request want;
    enum op_flow flow;

    if (insn->op == OP_SWZ)
        return decode_swz(d, insn);
    if (fusion->sums && (insn->op == OP_ADD || insn->op == OP_SUB))
        for (unsigned c = 0; c < 4; c++)
            if (insn->dst.mask >> c & 1 && fusion->sums[d->insn][c].product != NO_INDEX)
                return decode_sum(d, insn, fusion->sums[d->insn]);
    for (unsigned k = 0; k < nsrc; k++)
        operands[k] = *program_operand(d->p, insn->src + k);
    want = request_of(d, insn, fold_negation(insn, operands, nsrc));
    if (insn->op == OP_RSQ && d->p->profile == PROFILE_ARBFP)
        operands[0].flags = OPND_ABSOLUTE;  /* ARB_fragment_program 3.11.5.22: of the absolute value */
    flow = eval_op_flow(want.op);
    op.n = (uint8_t)eval_components(insn->dst.mask, op.comp);
    if (!op.n)
        return true;
    for (unsigned k = 0; k < nsrc; k++) {
        struct fetched f;
        if (!eval_fetch(d, &operands[k], eval_operand_type(insn, k), operand_needs(insn, k, flow), true, &f))
            return false;
        place(&op, k, &f, flow);
    }
    return emit(d, insn, want, &op);
}
