/* LIT and XPD of singles as the steps that they are made of, which have machine code: (1, max(x, 0), y to the w, 1);
 * a product and a multiply-add. */
#include "eval/decode/half_storage.h"
#include "eval/decode/temp_alloc.h"

struct light { struct decoder *d; bool ok; };

static uint32_t step(struct light *l, unsigned opcode, uint32_t a, uint32_t b)
{
    struct kernel_request want = eval_request(l->d, opcode, DT_F32);
    struct lane_op op = {.n = 1, .src = {{a}, {b}}};

    op.dst[0] = eval_layout_scratch(&l->d->layout);
    l->ok = l->ok && eval_raw(l->d, &want, &op, NULL);
    return op.dst[0];
}

/* What a comparison's 1.0 chooses, and its 0. */
static uint32_t choice(struct light *l, uint32_t truth, uint32_t yes, uint32_t no)
{
    struct kernel_request want = eval_request(l->d, OP_CMP, DT_F32);
    struct lane_op op = {.n = 1, .src = {{truth}, {yes}, {no}}, .flip = {0x80000000}};

    op.dst[0] = eval_layout_scratch(&l->d->layout);
    l->ok = l->ok && eval_raw(l->d, &want, &op, NULL);
    return op.dst[0];
}

static uint32_t number(struct light *l, uint32_t word)
{
    return eval_layout_word(&l->d->layout, word);
}

/* The exponent within [-128, 128]; 0 to the 0 is 1; 0 where x is not above 0. */
static uint32_t shine(struct light *l, const uint32_t plane[4])
{
    uint32_t zero = number(l, 0),
             exponent = step(l, OP_MIN, step(l, OP_MAX, plane[3], number(l, 0xc3000000)), number(l, 0x43000000));
    uint32_t power = step(l, OP_POW, step(l, OP_MAX, plane[1], zero), exponent);

    power = choice(l, step(l, OP_SNE, plane[3], zero), power, number(l, 0x3f800000));
    return choice(l, step(l, OP_SGT, plane[0], zero), power, zero);
}

/* The driver swizzles zxyw and yzxw, and so computes a w too. */
static bool cross(struct decoder *d, const struct insn *insn, unsigned n, const uint8_t comp[4], uint32_t result[4])
{
    struct kernel_request multiply = eval_request(d, OP_MUL, DT_F32), add = eval_request(d, OP_MAD, DT_F32);
    struct lane_op op[2] = {{.n = (uint8_t)n}, {.n = (uint8_t)n, .flip = {0, 0, 0x80000000}}};
    struct fetched f[2];

    for (unsigned k = 0; k < 2; k++) {
        if (!eval_fetch(d, program_operand(d->p, insn->src + k), DT_F32, 15, true, &f[k]))
            return false;
        for (unsigned i = 0; i < 2; i++) {
            op[i].clear[k] = f[k].clear;
            op[i].flip[k] = f[k].flip;
        }
    }
    for (unsigned i = 0; i < n; i++) {
        unsigned c = comp[i], next = c < 3 ? (c + 1) % 3 : 3, last = c < 3 ? (c + 2) % 3 : 3;
        op[0].comp[i] = op[1].comp[i] = (uint8_t)c;
        op[0].src[0][i] = f[0].plane[last];
        op[0].src[1][i] = f[1].plane[next];
        op[1].src[0][i] = f[0].plane[next];
        op[1].src[1][i] = f[1].plane[last];
        op[1].src[2][i] = op[0].dst[i] = eval_layout_scratch(&d->layout);
        result[i] = op[1].dst[i] = eval_layout_scratch(&d->layout);
    }
    return eval_raw(d, &multiply, &op[0], NULL) && eval_raw(d, &add, &op[1], NULL);
}

static bool light(struct decoder *d, const struct insn *insn, unsigned n, const uint8_t comp[4], uint32_t result[4])
{
    struct light l = {d, true};
    struct fetched f;

    if (!eval_fetch(d, program_operand(d->p, insn->src), DT_F32, 15, true, &f))
        return false;
    for (unsigned i = 0; i < n; i++)
        result[i] = comp[i] == 1   ? step(&l, OP_MAX, f.plane[0], number(&l, 0))
                    : comp[i] == 2 ? shine(&l, f.plane)
                                   : number(&l, 0x3f800000);
    return l.ok;
}

bool eval_decode_light(struct decoder *d, const struct insn *insn, bool *done)
{
    uint32_t result[4];
    uint8_t comp[4];
    unsigned n = eval_components(insn->dst.mask, comp);

    *done = ((insn->op == OP_LIT && !operand_has_sign(program_operand(d->p, insn->src))) || insn->op == OP_XPD) &&
            insn->type == DT_F32 && !eval_is_half(d, insn) &&
            !(insn->flags & (INSN_PREC | INSN_HALF | EVAL_INSN_SINGLE)) &&
            d->x->options.semantics == GP5_SEMANTICS_NVIDIA;
    if (!*done)
        return true;
    if (!(insn->op == OP_LIT ? light : cross)(d, insn, n, comp, result) ||
        (insn->flags & (INSN_SAT | INSN_SSAT) &&
         !eval_after(d, eval_request(d, insn->flags & INSN_SAT ? EVAL_OP_SAT : EVAL_OP_SSAT, DT_F32), n, result)))
        return false;
    return eval_decode_result(d, insn, DT_F32, result, NULL, 0);
}
