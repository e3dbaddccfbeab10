/* Which kernel an instruction asks for, with which clamp, and where its operands go. */
#include "eval/decode/decode.h"

/* An operand's components to where a kernel looks for them. */
void eval_place(struct lane_op *op, unsigned k, const struct fetched *f, enum op_flow flow)
{
    bool each = flow == FLOW_EACH || (flow == FLOW_BITS && k > 0);

    for (unsigned i = 0; i < 4; i++)
        op->src[k][i] = each ? f->plane[i < op->n ? op->comp[i] : op->comp[0]] : f->plane[i];
    op->clear[k] = f->clear;
    op->flip[k] = f->flip;
}

static bool nvidia(const struct decoder *d)
{
    return d->x->options.semantics == GP5_SEMANTICS_NVIDIA;
}

bool eval_clamps_late(const struct decoder *d, const struct insn *insn)
{
    return d->x->options.semantics == GP5_SEMANTICS_NVIDIA && insn->flags & INSN_SAT &&
           eval_result_type(insn) == DT_F64 && insn->dst.kind != OPND_CC &&
           !program_is_long(d->p, insn->dst.kind, insn->dst.ref);
}

bool eval_clamps_widened(const struct decoder *d, const struct insn *insn)
{
    return d->x->options.semantics == GP5_SEMANTICS_NVIDIA && insn->op == OP_CVT && insn->type == DT_F32 &&
           insn->type2 == DT_F64 && insn->flags & (INSN_SAT | INSN_SSAT) &&
           program_is_long(d->p, insn->dst.kind, insn->dst.ref);
}

uint8_t eval_clamp_of(const struct insn *insn)
{
    return insn->flags & INSN_SAT ? INSN_SAT : insn->flags & INSN_SSAT ? INSN_SSAT : 0;
}

/* The driver converts a float to the 32 bits of the variable where they are asked for as 64. */
static bool clamps_to_words(const struct decoder *d, const struct insn *insn)
{
    return d->x->options.semantics == GP5_SEMANTICS_NVIDIA && insn->op == OP_CVT &&
           (insn->type == DT_S64 || insn->type == DT_U64) && (insn->type2 == DT_F32 || insn->type2 == DT_F16) &&
           insn->dst.kind == OPND_SYMBOL && program_symbol(d->p, insn->dst.ref)->size != SIZE_LONG;
}

static uint8_t clamp_of_integer(const struct decoder *d, const struct insn *insn)
{
    bool wide = type_table[insn->type].bytes == 8, to_long = program_is_long(d->p, insn->dst.kind, insn->dst.ref);

    return insn->type == DT_S8 || insn->type == DT_S16 || to_long != wide ? 0 : INSN_SAT;
}

struct kernel_request eval_request_of(const struct decoder *d, const struct insn *insn, uint16_t op)
{
    struct kernel_request want = eval_request(d, op, insn->type);

    want.type2 = op == OP_CVT ? insn->type2 : insn->type;
    want.rounding = op == OP_CVT ? insn->rounding : 0;
    want.saturate = eval_clamps_late(d, insn) || eval_clamps_widened(d, insn) ? 0 : eval_clamp_of(insn);
    if (op == OP_CVT && nvidia(d) && want.saturate == INSN_SAT && !type_table[insn->type].is_float)
        want.saturate = clamp_of_integer(d, insn);
    want.flags = insn->flags & (INSN_HI | INSN_S24 | INSN_U24 | INSN_PREC);
    if (eval_packs(op) && insn->type == DT_F16)
        want.type = want.type2 = DT_F32;
    if (op == OP_MOV && (insn->op == OP_MUL || insn->op == OP_DIV || insn->op == OP_DST)) {
        if (insn->type == DT_F16)       /* a copy is no half */
            want.type = want.type2 = DT_F32;
    } else if (op == OP_MOV && insn->op == OP_CMP && nvidia(d) && eval_is_half(d, insn) && !(insn->flags & INSN_PREC)) {
        want.type = want.type2 = DT_F32;        /* a known choice is a copy */
    } else if (eval_is_half(d, insn)) {
        want.type = want.type2 = DT_F16;
        if (nvidia(d) && eval_is_short(d, insn->dst.kind, insn->dst.ref) &&
            !eval_sets_flags_alone(d->p, insn, &d->model.ends) &&
            (op == OP_FLR || op == OP_CEIL || op == OP_LIT ||
             (op == OP_XPD && insn->type != DT_F16 && !(insn->flags & INSN_HALF))))
            want.flags |= INSN_HI;      /* no program writes that: the row for SHORT variables */
    }
    if (op == OP_XPD && insn->flags & EVAL_INSN_SINGLE)
        want.flags |= INSN_HI;
    if (insn->op == OP_I2F) {
        want.op = OP_CVT;
        want.type2 = insn->type;
        want.type = eval_result_type(insn);
    }
    if (op == OP_CVT && clamps_to_words(d, insn))
        want.type = insn->type == DT_S64 ? DT_S32 : DT_U32;
    return want;
}
