/* Instructions that are computed step by step (expand.h), since a product goes into one of their sums, or y and w are
 * made of x and z. */
#include "eval/decode/decode.h"

/* The steps of one component, and what the earlier ones made. */
struct walk {
    struct decoder *d;
    const struct insn *insn;
    const struct fused *sums;
    uint8_t rereads;            /* operands of X2D that y and w read as x and z have left them */
    uint32_t result[4];         /* by component */
    struct sum_step steps[MAX_SUM_STEPS];
    unsigned component, n;
    uint32_t made[MAX_SUM_STEPS];
};

/* A term in its place of an op. */
static bool place_term(struct walk *w, struct lane_op *op, unsigned k, const struct term *t)
{
    struct fetched f = {.clear = 0};

    switch (t->kind) {
    case TERM_OPERAND:
        if (!eval_fetch(w->d, program_operand(w->d->p, w->insn->src + t->operand),
                        eval_register_type(w->insn->type), (uint8_t)(1u << t->component), true, &f))
            return false;
        if (w->rereads >> t->operand & w->component & ~t->component & 1 && w->insn->dst.mask >> t->component & 1)
            f.plane[t->component] = w->result[t->component];
        break;
    case TERM_STEP: f.plane[t->component] = w->made[t->step]; break;
    default: f.plane[t->component] = eval_layout_word(&w->d->layout, t->word); break;
    }
    op->src[k][0] = f.plane[t->component];
    op->clear[k] = f.clear;
    op->flip[k] = f.flip ^ (t->negate ? 0x80000000u : 0);
    return true;
}

/* Both factors of a product that is taken in. */
static bool place_product(struct walk *w, struct lane_op *op, const struct fused *from)
{
    if (from->product == w->d->insn) {
        const struct sum_step *own = &w->steps[from->component];
        if (!place_term(w, op, 0, &own->term[0]) || !place_term(w, op, 1, &own->term[1]))
            return false;
    } else {
        for (unsigned k = 0; k < 2; k++) {
            struct fetched f;
            if (!eval_fetch_factor(w->d, from->product, k, from, 1, &f))
                return false;
            op->src[k][0] = f.plane[0];
            op->clear[k] = f.clear;
            op->flip[k] = f.flip;
        }
    }
    op->flip[0] ^= from->negate ? 0x80000000u : 0;
    return true;
}

/* The operands of a step, and its operation. */
static bool place_step(struct walk *w, const struct sum_step *step, struct lane_op *op, uint16_t *operation)
{
    const struct fused *from = w->sums && step->kind == STEP_OF_SUM ? &w->sums[step->slot] : NULL;

    *op = (struct lane_op){.n = 1, .comp = {(uint8_t)w->component}};
    if (step->kind == STEP_OF_SUM && from && from->product != NO_INDEX) {
        *operation = OP_MAD;
        return place_product(w, op, from) && place_term(w, op, 2, &step->term[from->term == 0 ? 2 : 0]);
    }
    *operation = step->kind == STEP_OF_SUM       ? OP_ADD
                 : step->kind == STEP_OF_PRODUCT ? OP_MUL
                 : step->kind == STEP_OF_INVERSE ? OP_RCP
                                                 : OP_MAD;
    if (step->kind == STEP_OF_INVERSE)
        return place_term(w, op, 0, &step->term[0]);
    if (step->kind == STEP_OF_SUM)
        return place_term(w, op, 0, &step->term[0]) && place_term(w, op, 1, &step->term[2]);
    return place_term(w, op, 0, &step->term[0]) && place_term(w, op, 1, &step->term[1]) &&
           (step->kind == STEP_OF_PRODUCT || place_term(w, op, 2, &step->term[2]));
}

static bool compute_component(struct walk *w)
{
    struct lane_op op;
    uint16_t operation;

    for (unsigned k = 0; k + 1 < w->n; k++) {
        struct kernel_request want;
        if (!place_step(w, &w->steps[k], &op, &operation))
            return false;
        want = eval_request(w->d, operation, DT_F32);
        w->made[k] = op.dst[0] = eval_layout_scratch(&w->d->layout);
        if (!eval_raw(w->d, &want, &op, NULL))
            return false;
    }
    return place_step(w, &w->steps[w->n - 1], &op, &operation) &&
           eval_partial(w->d, w->insn, eval_request_of(w->d, w->insn, operation), &op, w->result);
}

uint8_t eval_rereads(const struct decoder *d, const struct insn *insn)
{
    const struct result *r = &insn->dst;
    const struct operand *o = program_operand(d->p, insn->src);
    uint8_t operands = 0;

    if (insn->op != OP_X2D || !eval_has(d, PASS_x2d) || insn->flags & INSN_SSAT || eval_is_half(d, insn) ||
        r->kind != OPND_SYMBOL || r->nindices || program_symbol(d->p, r->ref)->size != SIZE_DEFAULT ||
        condition_restricts(&r->condition))
        return 0;
    for (unsigned k = 1; k < 3; k++)
        operands |= (uint8_t)((o[k].kind == OPND_SYMBOL && o[k].ref == r->ref && o[k].swizzle == 0xe4) << k);
    return operands;
}

bool eval_decode_steps(struct decoder *d, const struct insn *insn)
{
    struct walk w = {.d = d,
                     .insn = insn,
                     .rereads = eval_rereads(d, insn),
                     .sums = eval_takes_products(d, d->insn) ? d->model.contraction.sums[d->insn] : NULL};

    for (unsigned i = 0; i < 4; i++) {
        unsigned c = (i & 1) << 1 | i >> 1;     /* x and z first */
        if (!(insn->dst.mask >> c & 1))
            continue;
        w.component = c;
        w.n = model_all_steps(&d->model, d->insn, c, w.steps);
        if (w.n && !compute_component(&w))
            return false;
    }
    return eval_join_partials(d, insn, w.result);
}
