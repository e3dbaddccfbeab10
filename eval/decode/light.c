/* LIT of singles as the steps that it is made of, which have machine code: (1, max(x, 0), y to the w, 1). */
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

bool eval_decode_light(struct decoder *d, const struct insn *insn, bool *done)
{
    struct light l = {d, true};
    uint32_t result[4];
    uint8_t comp[4];
    unsigned n = eval_components(insn->dst.mask, comp);
    struct fetched f;

    *done = insn->op == OP_LIT && insn->type == DT_F32 && !eval_is_half(d, insn) &&
            !(insn->flags & (INSN_PREC | INSN_HALF)) && d->x->options.semantics == GP5_SEMANTICS_NVIDIA &&
            !d->x->options.track_undefined && !operand_has_sign(program_operand(d->p, insn->src));
    if (!*done)
        return true;
    if (!eval_fetch(d, program_operand(d->p, insn->src), DT_F32, 15, true, &f))
        return false;
    for (unsigned i = 0; i < n; i++)
        result[i] = comp[i] == 1   ? step(&l, OP_MAX, f.plane[0], number(&l, 0))
                    : comp[i] == 2 ? shine(&l, f.plane)
                                   : number(&l, 0x3f800000);
    if (!l.ok ||
        (insn->flags & (INSN_SAT | INSN_SSAT) &&
         !eval_after(d, eval_request(d, insn->flags & INSN_SAT ? EVAL_OP_SAT : EVAL_OP_SSAT, DT_F32), n, result)))
        return false;
    return eval_decode_result(d, insn, DT_F32, result, NULL, 0);
}
