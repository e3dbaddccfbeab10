/* Choices between words, and what such words are written over, as steps (choices.c). */
#include "eval/choices.h"
#include "eval/shorts.h"

#include <string.h>

/* The words of one component, with its signs. */
static bool keep_words(struct decoder *d, uint32_t i, unsigned c)
{
    struct operand o;
    struct fetched f;
    struct lane_op op = {.n = 1, .comp = {(uint8_t)c}};
    uint32_t base = d->choices.base[i][c];

    if (!eval_signed_copy(d, i, c, &o))
        return true;
    bool clears = o.flags & OPND_ABSOLUTE, flips = operand_negates(&o);
    o.flags &= (uint16_t)~OPND_SIGNS;
    if (!eval_fetch(d, &o, DT_F32, (uint8_t)(1u << c), true, &f))
        return false;
    op.src[0][0] = f.plane[c];
    if (base != NO_INDEX && base / 4 < i)
        op.src[0][0] = d->choices.kept[base / 4][base % 4];
    for (unsigned step = 0; step < 2; step++) {
        struct kernel_request request = eval_request(d, step ? OP_XOR : OP_AND, DT_U32);
        op.src[1][0] = eval_layout_word(&d->layout, step ? flips ? 0x80000000u : 0 : clears ? 0x7fffffff : UINT32_MAX);
        op.dst[0] = step ? eval_layout_planes(&d->layout, 1) : eval_layout_scratch(&d->layout);
        if (!eval_raw(d, &request, &op, NULL))
            return false;
        op.src[0][0] = op.dst[0];
    }
    d->choices.kept[i][c] = op.dst[0];
    return true;
}

/* The components of a register that an instruction reads as words, and writes over words that were kept, as they are now. */
static bool keep_before(struct decoder *d, const struct insn *insn, uint8_t over)
{
    struct operand held = {.kind = insn->dst.kind, .ref = insn->dst.ref, .swizzle = 0xe4, .span = insn->dst.span};
    struct kernel_request want = eval_request(d, OP_MOV, DT_U32);
    struct lane_op op = {.n = 0};
    struct fetched f;
    bool reads = false;

    for (unsigned k = 0; k < insn->nsrc; k++)
        reads |= program_operand(d->p, insn->src + k)->ref == held.ref && program_operand(d->p, insn->src + k)->kind == held.kind &&
                 eval_reads_word(d, eval_operand_type(insn, k));
    if (!reads)
        return true;
    if (!eval_fetch(d, &held, DT_U32, over, false, &f))
        return false;
    op.n = (uint8_t)eval_components(over, op.comp);
    for (unsigned k = 0; k < op.n; k++) {
        op.src[0][k] = f.plane[op.comp[k]];
        op.dst[k] = eval_layout_scratch(&d->layout);
    }
    if (!eval_raw(d, &want, &op, NULL))
        return false;
    for (unsigned k = 0; k < op.n; k++)
        d->choices.before[op.comp[k]] = op.dst[k];
    return true;
}

void eval_take_before(const struct decoder *d, const struct operand *o, uint8_t type, uint32_t plane[4])
{
    for (unsigned c = 0; d->now && eval_reads_word(d, type) && o->ref == d->now->dst.ref && c < 4; c++)
        plane[c] = d->choices.before[c] == NO_PLANE ? plane[c] : d->choices.before[c];
}

/* What is written over becomes the words, before the test decides. */
static bool restore_words(struct decoder *d, uint32_t i)
{
    struct insn mov = *program_insn(d->p, i);
    struct lane_op op = {.n = 0};

    mov.dst.condition = (struct condition){0};
    mov.dst.mask = 0;
    mov.cc_update = 0;
    mov.op = OP_MOV;
    mov.type = DT_U32;
    mov.flags = 0;
    for (unsigned c = 0; c < 4; c++)
        mov.dst.mask |= (uint8_t)((d->choices.over[i][c] != NO_INDEX) << c);
    op.n = (uint8_t)eval_components(mov.dst.mask, op.comp);
    for (unsigned k = 0; k < op.n; k++) {
        uint32_t from = d->choices.over[i][op.comp[k]];
        op.src[0][k] = d->choices.kept[from / 4][from % 4];
    }
    return !op.n || (keep_before(d, program_insn(d->p, i), mov.dst.mask) && eval_emit(d, &mov, eval_request(d, OP_MOV, DT_U32), &op));
}

bool eval_keep_words(struct decoder *d, uint32_t i)
{
    memset(d->choices.before, 0xff, sizeof d->choices.before);      /* NO_PLANE */
    if (!d->choices.kept)
        return true;
    for (unsigned c = 0; c < 4; c++)
        if (d->choices.kept[i][c] != NO_PLANE && !keep_words(d, i, c))
            return false;
    return restore_words(d, i);
}

void eval_take_words(const struct decoder *d, struct lane_op *op)
{
    for (unsigned k = 1; d->choices.kept && k < 3; k++)
        for (unsigned j = 0; j < op->n; j++) {
            uint32_t from = d->choices.operand[d->insn][k - 1][op->comp[j]];
            if (from != NO_INDEX)
                op->src[k][j] = d->choices.kept[from / 4][from % 4];
        }
}

uint32_t eval_copied_words(const struct decoder *d, unsigned c)
{
    uint32_t from = d->choices.kept && program_insn(d->p, d->insn)->op != OP_CMP ? d->choices.operand[d->insn][0][c] : NO_INDEX;

    return from == NO_INDEX ? NO_PLANE : d->choices.kept[from / 4][from % 4];
}

bool eval_choose_words(struct decoder *d, const struct insn *insn, bool *done)
{
    struct lane_op op = {.n = 0};
    bool any = false;

    for (unsigned k = 0; d->choices.kept && insn->op == OP_CMP && k < 2; k++)
        for (unsigned c = 0; c < 4; c++)
            any |= insn->dst.mask >> c & 1 && d->choices.operand[d->insn][k][c] != NO_INDEX;
    if (!any)
        return true;
    *done = true;
    op.n = (uint8_t)eval_components(insn->dst.mask, op.comp);
    for (unsigned k = 0; k < 3; k++)
        if (!eval_place_operand(d, insn, &op, k, program_operand(d->p, insn->src + k), DT_F32))
            return false;
    eval_take_words(d, &op);
    return eval_emit(d, insn, eval_request_of(d, insn, OP_CMP), &op);
}

uint8_t eval_undone(const struct decoder *d)
{
    uint8_t mask = 0;

    for (unsigned c = 0; d->choices.kept && c < 4; c++)
        mask |= (uint8_t)((d->choices.undone[d->insn][c] != NO_INDEX) << c);
    return mask;
}

bool eval_write_undone(struct decoder *d, const struct insn *insn, uint8_t mask)
{
    struct insn some = *insn;
    struct kernel_request flip = eval_request(d, OP_XOR, DT_U32), widen = eval_request(d, OP_CVT, DT_F64);
    bool wide = program_is_long(d->p, insn->dst.kind, insn->dst.ref);
    struct lane_op op = {.n = 0};

    some.dst.mask = mask;
    widen.type2 = DT_F32;
    op.n = (uint8_t)eval_components(mask, op.comp);
    for (unsigned k = 0; k < op.n; k++) {
        uint32_t from = d->choices.undone[d->insn][op.comp[k]];
        op.src[0][k] = d->choices.kept[from / 4][from % 4];
        op.src[1][k] = eval_layout_word(&d->layout, 0x80000000u);
        op.dst[k] = eval_layout_scratch(&d->layout);
    }
    return !mask || (eval_raw(d, &flip, &op, NULL) && (!wide || eval_after(d, widen, op.n, op.dst)) &&
                     eval_decode_result(d, &some, wide ? DT_F64 : DT_F32, op.dst, NULL, 0));
}
