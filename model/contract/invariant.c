/* What products over flow are made of: numbers of the text, parameters, and what is loaded from constant buffers
 * (global.c). */
#include "model/contract/contract.h"

#include "eval/state/gl_state.h"

static bool is_given(uint16_t kind)
{
    return kind == BIND_CONSTANT || kind == BIND_PROGRAM_ENV || kind == BIND_PROGRAM_LOCAL || eval_is_state(kind);
}

bool eval_is_given(const struct contractor *c, const struct operand *o, unsigned component)
{
    uint32_t var;

    if (o->kind == OPND_CONSTANT)
        return true;
    if (o->kind == OPND_BINDING)
        return is_given(program_binding(c->d->p, o->ref)->kind);
    if (o->kind != OPND_SYMBOL)
        return false;
    switch (program_symbol(c->d->p, o->ref)->kind) {
    case SYM_PARAM: case SYM_BUFFER: case SYM_BUFFER4: return true;
    case SYM_TEMP: break;
    default: return false;
    }
    var = eval_operand_variable(c->live, o, component);
    return var != NO_INDEX && eval_value_of(c, var).given;
}

bool eval_is_far(const struct contractor *c, uint32_t i, unsigned comp)
{
    const struct insn *insn = program_insn(c->d->p, i);
    const struct folded *folded = model_folded_at(c->d, i);

    if (insn->type == DT_F64 || (insn->cc_update && condition_restricts(&insn->dst.condition)))
        return false;
    switch (insn->op) {
    case OP_UP2US: case OP_UP4UB: return true;
    case OP_DIV:
        return (folded && folded->part >> comp & 1) || eval_is_given(c, program_operand(c->d->p, insn->src), comp);
    case OP_MUL: case OP_DST:
        return eval_is_given(c, program_operand(c->d->p, insn->src), comp) ||
               eval_is_given(c, program_operand(c->d->p, insn->src + 1), comp);
    default: return false;
    }
}
