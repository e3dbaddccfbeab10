/* Kernels as steps: the one that a request wants, or the plain one with what is missing done before and
 * after. */
#include "eval/decode/decode.h"
#include "eval/jit/jit.h"
#include "eval/decode/half_storage.h"

#include <string.h>

struct kernel_request eval_request(const struct decoder *d, uint16_t op, uint8_t type)
{
    return (struct kernel_request){.op = op,
                                   .type = type,
                                   .type2 = type,
                                   .semantics = (uint8_t)d->x->options.semantics,
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
    return d->x->options.semantics == GP5_SEMANTICS_NVIDIA ? FLOAT_FLUSH : FLOAT_KEEP;
}

static const char *op_name(uint16_t op)
{
    return op < OP_COUNT                             ? op_table[op].name
           : op == EVAL_OP_SAT || op == EVAL_OP_SSAT ? "saturation"
                                                     : "rounding to half";
}

static bool no_kernel(struct decoder *d, const struct kernel_request *want)
{
    const struct insn *insn = program_insn(d->p, d->insn);

    if (want->type == want->type2)
        return eval_refuse(d, insn->span, "%s.%s", op_name(want->op), type_table[want->type].name);
    return eval_refuse(d, insn->span, "%s.%s.%s", op_name(want->op), type_table[want->type].name,
                       type_table[want->type2].name);
}

static bool same_request(const struct kernel_request *a, const struct kernel_request *b)
{
    return a->op == b->op && a->type == b->type && a->type2 == b->type2 && a->rounding == b->rounding &&
           a->saturate == b->saturate && a->flags == b->flags && a->semantics == b->semantics &&
           a->profile == b->profile;
}

/* Programs ask for the same few again and again. */
static struct found_kernel *place_of(struct decoder *d, const struct kernel_request *want)
{
    return &d->found[(want->op + want->type * 5u + want->type2 * 3u) % FOUND_KERNELS];
}

static bool find(struct decoder *d, const struct kernel_request *want, struct kernel *k)
{
    struct found_kernel *f = place_of(d, want);

    if (!f->used || !same_request(&f->want, want)) {
        if (!d->x->kernels->find(want, k))
            return false;
        *f = (struct found_kernel){*want, *k, eval_native_way(want), true};
    }
    *k = f->kernel;
    return true;
}

/* Keeps an op and what the tracker knows of it; its index, or NO_INDEX. */
static uint32_t keep_op(struct decoder *d, const struct kernel_request *want, const struct lane_op *op,
                        const struct kernel *k)
{
    const struct found_kernel *f = place_of(d, want);
    struct op_track track = {
        .op = want->op, .flow = (uint8_t)eval_op_flow(want->op), .undefined = k->undefined, .why = k->why};
    uint32_t at;

    track.native = f->used && same_request(&f->want, want) ? f->native : eval_native_way(want);
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
    op->how = k->how;
}

/* The kernel for a request: with its clamp, or (`clamp` set) without. */
bool eval_find_kernel(struct decoder *d, struct kernel_request *want, struct kernel *k, uint8_t *clamp,
                      bool *half)
{
    uint8_t wanted = want->saturate;

    *clamp = 0;
    *half = false;
    if (want->op == OP_UP2H && want->type == DT_F16)
        want->type = DT_F32;        /* it reads words, and gives halves in any case */
    memset(k, 0, sizeof *k);
    if (find(d, want, k))
        return true;
    want->saturate = 0;
    *clamp = wanted;
    if (want->type == DT_F16 && want->op != OP_CVT && find(d, want, k))
        return true;
    want->saturate = wanted;
    *clamp = 0;
    if (want->type == DT_F16 && want->op != OP_CVT) {
        *half = true;
        want->type = DT_F32;
        if (want->type2 == DT_F16)
            want->type2 = DT_F32;
        if (!wanted && find(d, want, k))
            return true;
    }
    *clamp = wanted;
    want->saturate = 0;
    return find(d, want, k) || no_kernel(d, want);
}

bool eval_raw(struct decoder *d, const struct kernel_request *want, struct lane_op *op, struct kernel *used)
{
    struct kernel k = {0};
    struct step *s;

    if (!find(d, want, &k))
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


/* One-operand kernel over results, into fresh scratch. */
bool eval_after(struct decoder *d, struct kernel_request want, unsigned n, uint32_t plane[4])
{
    struct lane_op op = {.n = (uint8_t)n};

    for (unsigned i = 0; i < n; i++) {
        op.comp[i] = (uint8_t)i;
        op.src[0][i] = plane[i];
        plane[i] = op.dst[i] = eval_layout_scratch(&d->layout);
    }
    return eval_raw(d, &want, &op, NULL);
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

/* The step that writes registers when all lanes do, and scratch otherwise. */
static bool emit_lane(struct decoder *d, const struct kernel_request *want, struct lane_op *op,
                      const struct kernel *k, bool wide)
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

bool eval_lane(struct decoder *d, const struct kernel_request *want, struct lane_op *op)
{
    struct kernel k = {0};

    if (!find(d, want, &k))
        return no_kernel(d, want);
    choose(op, &k);
    return emit_lane(d, want, op, &k, type_table[want->type].bytes == 8);
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
bool eval_round_operands(struct decoder *d, struct lane_op *op, unsigned nsrc)
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

/* Under .PREC z and w of DST.F16 are rounded as others are; in a SHORT variable not what a SHORT variable has. */
static bool round_copies(struct decoder *d, const struct insn *insn, struct lane_op *op)
{
    if (insn->op != OP_DST || !(insn->flags & INSN_PREC) || !eval_is_half(d, insn) ||
        d->x->options.semantics != GP5_SEMANTICS_NVIDIA)
        return true;
    if (!apply_signs(d, op, 2))
        return false;
    for (unsigned k = 0; k < 2; k++) {
        const struct operand *o = program_operand(d->p, insn->src + k);
        struct lane_op one = {.n = op->n};
        if (eval_is_short(d, insn->dst.kind, insn->dst.ref) && eval_is_short(d, o->kind, o->ref))
            continue;
        memcpy(one.src[0], op->src[k], sizeof one.src[0]);
        if (!eval_round_operands(d, &one, 1))
            return false;
        memcpy(op->src[k], one.src[0], sizeof one.src[0]);
    }
    return true;
}

/* The condition code from a result that stands in its register. */
static bool flags_of_register(struct decoder *d, const struct insn *insn, uint8_t type, uint32_t plane[4])
{
    struct insn flags = *insn;

    flags.dst.kind = OPND_CC;
    return !insn->cc_update || eval_decode_result(d, &flags, type, plane, NULL, 0);
}

/* The clamp of SSG, which on the driver only singles have that are widened or go to memory. */
static bool clamps_sign(const struct decoder *d, const struct insn *insn)
{
    return insn->op == OP_SSG && insn->flags & INSN_SAT && d->x->options.semantics == GP5_SEMANTICS_NVIDIA &&
           eval_result_type(insn) == DT_F32 &&
           ((insn->flags & EVAL_INSN_COPIED && !eval_is_half(d, insn)) ||
            program_is_long(d->p, insn->dst.kind, insn->dst.ref));
}

bool eval_emit(struct decoder *d, const struct insn *insn, struct kernel_request want, struct lane_op *op)
{
    uint8_t type = eval_result_type(insn), clamp;
    enum op_flow flow = eval_op_flow(want.op);
    unsigned nsrc = shape_table[op_table[want.op].shape].nsrc;
    struct insn plain = *insn;
    struct kernel k;
    struct step *s;
    uint32_t at;
    bool half;

    if (!eval_find_kernel(d, &want, &k, &clamp, &half) || (!k.run_signs && !apply_signs(d, op, nsrc)))
        return false;
    if (clamps_sign(d, insn))
        clamp = INSN_SAT;
    if ((half && !eval_round_operands(d, op, nsrc)) || (want.op == OP_DST && !round_copies(d, insn, op)))
        return false;
    choose(op, &k);
    plain.cc_update = 0;
    if (!clamp && !half && !(insn->cc_update && k.carry) && eval_direct(d, &plain, type, op->dst) &&
        !hazard(op, flow, nsrc))
        return emit_lane(d, &want, op, &k, type_table[type].bytes == 8) && flags_of_register(d, insn, type, op->dst);
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
    if (half && !eval_after(d, eval_request(d, EVAL_OP_HALF, DT_F32), op->n, op->dst))
        return false;
    if (clamp &&
        !eval_after(d, eval_request(d, clamp == INSN_SAT ? EVAL_OP_SAT : EVAL_OP_SSAT, type), op->n, op->dst))
        return false;
    return eval_decode_result(d, insn, type, op->dst, k.carry, at);
}
