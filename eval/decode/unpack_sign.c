/* Signs in front of what is unpacked (docs/numbers.md, "Packing"). The driver takes the word for a float: the sign of a
 * register of 32 bits is arithmetic, in a SHORT variable the half in its low bits gets it. UP2H puts it on both halves.
 * An absolute value of what .U says is unsigned is none. */
#include "eval/decode/decode.h"
#include "eval/decode/temp_alloc.h"
#include "eval/kernels/kernel.h"
#include "eval/decode/half_storage.h"

static bool unpacks(unsigned op)
{
    return op_has(op, A_UNPACKS);
}

/* A word with some bits alone, and some of them turned around. */
static bool change_bits(struct decoder *d, uint32_t *plane, uint32_t kept, uint32_t turned)
{
    struct kernel_request both = eval_request(d, OP_AND, DT_U32), differ = eval_request(d, OP_XOR, DT_U32);
    struct lane_op first = {.n = 1, .src = {{*plane}, {eval_layout_word(&d->layout, kept)}}}, second = {.n = 1};

    first.dst[0] = second.src[0][0] = eval_layout_scratch(&d->layout);
    second.src[1][0] = eval_layout_word(&d->layout, turned);
    *plane = second.dst[0] = eval_layout_scratch(&d->layout);
    return eval_raw(d, &both, &first, NULL) && eval_raw(d, &differ, &second, NULL);
}

/* Denormals become zeros, and there is one NaN. */
static bool flush(struct decoder *d, uint32_t *plane)
{
    struct kernel_request want = eval_request(d, OP_ADD, DT_F32);
    struct lane_op op = {.n = 1, .src = {{*plane}, {eval_layout_word(&d->layout, 0x80000000u)}}};

    *plane = op.dst[0] = eval_layout_scratch(&d->layout);
    return eval_raw(d, &want, &op, NULL);
}

/* Of halves that are no numbers there is one, too. */
static bool one_nan(struct decoder *d, uint32_t plane[4])
{
    return eval_after(d, eval_half_conversion(d, false), 1, plane) &&
           eval_after(d, eval_half_conversion(d, true), 1, plane);
}

bool eval_decode_signed_words(struct decoder *d, const struct insn *insn, bool *done)
{
    const struct operand *written = insn->nsrc ? program_operand(d->p, insn->src) : NULL;
    struct lane_op op = {.n = 0};
    struct operand o;
    struct fetched f;
    uint32_t plane[4];
    bool absolute, minus, is_short, ok;

    if (!unpacks(insn->op) || !(written->flags & OPND_SIGNS) || eval_is_literal(d->p, written))
        return true;
    o = *written;
    is_short = eval_is_short(d, o.kind, o.ref);
    absolute = o.flags & OPND_ABSOLUTE &&
               (insn->type == DT_NONE || type_table[insn->type].is_float || type_table[insn->type].is_signed);
    minus = operand_negates(&o);
    o.flags &= (uint16_t)~OPND_SIGNS;
    if (!eval_fetch(d, &o, eval_operand_type(insn, 0), 1, false, &f))
        return false;
    plane[0] = f.plane[0];
    if (insn->op == OP_UP2H)
        ok = change_bits(d, plane, absolute ? 0x7fff7fff : UINT32_MAX, minus ? 0x80008000 : 0);
    else if (!absolute && !minus)
        ok = true;
    else if (is_short)
        ok = change_bits(d, plane, absolute ? 0x7fff : 0xffff, minus ? 0x8000 : 0) && one_nan(d, plane);
    else
        ok = change_bits(d, plane, absolute ? 0x7fffffff : UINT32_MAX, minus ? 0x80000000 : 0) && flush(d, plane);
    *done = true;
    op.n = (uint8_t)eval_components(insn->dst.mask, op.comp);
    for (unsigned c = 0; c < 4; c++)
        f.plane[c] = plane[0];
    f.clear = f.flip = 0;
    eval_place(&op, 0, &f, eval_op_flow(insn->op));
    return ok && eval_emit(d, insn, eval_request_of(d, insn, insn->op), &op);
}
