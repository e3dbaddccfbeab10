/* What an atomic operation takes, and what the driver makes of a sign before it: floats are negated as integers, the
 * absolute value is that of a signed one or is dropped, halves are two to a word (docs/semantics.md;
 * tests/recordings/patterns/access.txt, *_sign_*). */
#include "eval/decode/decode.h"
#include "eval/decode/half_storage.h"

#include <string.h>


/* As arithmetic: denormals are flushed, there is one NaN. */
static bool float_signs(struct decoder *d, uint16_t flags, uint8_t type, uint8_t needed, struct fetched *f)
{
    uint32_t clear = flags & OPND_ABSOLUTE ? 0x80000000u : 0;
    bool negated = (flags & OPND_NEGATE) != 0;

    if (!clear && flags & OPND_NEGATE_INNER)
        negated = !negated;
    if (!clear && !negated)
        return true;
    return eval_map(d, eval_request(d, OP_MOV, type), needed, f, clear, negated ? 0x80000000u : 0);
}

/* A word and a constant. */
static bool with_bits(struct decoder *d, unsigned op, uint32_t bits, uint8_t needed, struct fetched *f)
{
    struct kernel_request want = eval_request(d, (uint16_t)op, DT_U32);
    uint32_t constant = eval_layout_word(&d->layout, bits);
    struct lane_op lane = {0};

    for (unsigned i = 0; i < 4; i++) {
        if (!(needed >> i & 1))
            continue;
        lane.comp[lane.n] = (uint8_t)lane.n;
        lane.src[0][lane.n] = f->plane[i];
        lane.src[1][lane.n] = constant;
        f->plane[i] = lane.dst[lane.n] = eval_layout_scratch(&d->layout);
        lane.n++;
    }
    return !lane.n || eval_raw(d, &want, &lane, NULL);
}

/* Of both halves of a word; as bits. */
static bool half_signs(struct decoder *d, uint16_t flags, uint8_t needed, struct fetched *f)
{
    bool negated = (flags & OPND_NEGATE) != 0;

    if (!(flags & OPND_ABSOLUTE) && flags & OPND_NEGATE_INNER)
        negated = !negated;
    if (flags & OPND_ABSOLUTE && !with_bits(d, OP_AND, 0x7fff7fff, needed, f))
        return false;
    return !negated || with_bits(d, OP_XOR, 0x80008000, needed, f);
}

/* The driver's. Of F16X4 a sign is taken twice, as one of floats and then as the one that F16X2 takes; an absolute
 * value the first time alone, but in images. */
static bool halves_of_driver(struct decoder *d, const struct insn *insn, uint16_t flags, uint8_t needed,
                             struct fetched *f)
{
    bool four = insn->width == 4;

    if (four && !float_signs(d, flags, DT_F32, needed, f))
        return false;
    if (four && flags & OPND_ABSOLUTE && insn->op != OP_ATOMIM)
        return true;
    return insn->op == OP_ATOMS ? half_signs(d, flags, needed, f) : eval_integer_signs(d, flags, DT_S32, needed, f);
}

static bool signs(struct decoder *d, const struct insn *insn, uint16_t flags, uint8_t needed, struct fetched *f)
{
    bool halves = insn->type == DT_F16, wide = type_table[insn->type].bytes == 8;
    bool nvidia = d->x->options.semantics == GP5_SEMANTICS_NVIDIA;

    if (nvidia && insn->atomic == MOD_EXCH)
        return (halves && insn->width == 4) || eval_integer_signs(d, flags, wide ? DT_U64 : DT_U32, needed, f);
    if (!halves)
        return float_signs(d, flags, wide ? DT_F64 : DT_F32, needed, f);
    return nvidia ? halves_of_driver(d, insn, flags, needed, f) : half_signs(d, flags, needed, f);
}

/* Pairs of halves are words of the operand: x, and for F16X4 y. */
bool eval_atomic_operands(struct decoder *d, const struct insn *insn, struct access *a)
{
    bool halves = insn->type == DT_F16;
    uint8_t type = halves ? DT_U32 : eval_register_type(insn->type), needed = 1;
    struct operand o = *program_operand(d->p, insn->src);
    uint16_t flags = 0;
    struct fetched f;

    if (!insn->atomic)
        return eval_refuse(d, insn->span, "%s without an operation", op_table[insn->op].name);
    if (halves && insn->width == 1)
        return eval_refuse(d, insn->span, "an atomic operation on F16");
    if (insn->atomic == MOD_CSWAP || (halves && insn->width == 4))
        needed = 3;
    if (type_table[insn->type].is_float) {
        flags = o.flags & (uint16_t)(o.flags & OPND_ABSOLUTE ? OPND_SIGNS & ~OPND_NEGATE_INNER : OPND_SIGNS);
        o.flags &= (uint16_t)~OPND_SIGNS;
    }
    if (halves && insn->width == 4 && eval_is_short(d, o.kind, o.ref))
        type = DT_F32;
    if (!eval_fetch(d, &o, type, needed, false, &f) || (flags && !signs(d, insn, flags, needed, &f)))
        return false;
    memcpy(a->operand, f.plane, sizeof a->operand);
    return true;
}
