/* What the modifiers of an instruction amount to: asm/modifiers.h. */
#include "asm/modifiers.h"

static void take_type(struct insn *insn, const struct op_info *op, uint32_t value, unsigned *types)
{
    uint8_t type = (uint8_t)(value & DT_MASK);
    if (*types == 0) {
        insn->type = insn->type2 = type;
        if (insn->width)
            insn->width = value & DT_X4 ? 4 : value & DT_X2 ? 2 : 1;
        insn->flags |= INSN_TYPE_WRITTEN;
    } else if (*types == 1 && (op->modifiers & M_CVT)) {
        insn->type2 = type;
    }
    ++*types;
}

void asm_resolve_modifiers(const struct gp5_program *program, struct insn *insn)
{
    const struct op_info *op = &op_table[insn->op];
    unsigned types = 0;
    insn->type = insn->type2 = op->default_type;
    insn->width = op->modifiers & (M_STORAGE | M_ATOMIC) ? 1 : 0;
    for (unsigned i = 0; i < insn->nmodifiers; i++) {
        uint8_t id = program_modifier(program, insn->modifier + i)->id;
        const struct modifier_info *info = &modifier_table[id];
        switch ((enum modifier_class)info->class) {
        case MC_TYPE:
        case MC_SIZED:
        case MC_VECTOR:
            if (id != MOD_UNKNOWN)
                take_type(insn, op, info->value, &types);
            if (id == MOD_F32 && types == 1)
                insn->flags |= INSN_SINGLE;
            break;
        case MC_CC:
            if (!insn->cc_update)
                insn->cc_update = (uint8_t)info->value;
            break;
        case MC_ROUNDING:
            if (!insn->rounding)
                insn->rounding = id;
            break;
        case MC_ATOMIC:
        case MC_COUNTER:
        case MC_MATCH:
        case MC_OPERATOR:
        case MC_VARIABLE:
        case MC_MEMORY:
            if (!insn->atomic)
                insn->atomic = id;
            break;
        case MC_MUL:
            if (types == 0 && info->value != INSN_HI)
                insn->type = insn->type2 = info->value == INSN_S24 ? DT_S32 : DT_U32;
            insn->flags |= info->value;
            break;
        case MC_CLAMP:
        case MC_FLAG:
        case MC_ACCESS:
        case MC_SCOPE:
        case MC_DERIVATIVE:
        case MC_TEXTURE:
            insn->flags |= info->value;
            break;
        }
    }
}
