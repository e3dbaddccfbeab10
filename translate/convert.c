/* CVT: from one type to another, by way of what GLSL computes with. */
#include "translate/translate.h"

static const char *rounded(struct tr *t, const char *value, bool always)
{
    switch (t->insn->rounding) {
    case MOD_CEIL:
        return tr_text(t, "ceil(%s)", value);
    case MOD_FLR:
        return tr_text(t, "floor(%s)", value);
    case MOD_TRUNC:
        return tr_text(t, "trunc(%s)", value);
    case MOD_ROUND:
        return tr_text(t, "roundEven(%s)", value);
    default:
        return always ? tr_text(t, "roundEven(%s)", value) : value;
    }
}

/* Of 8 and 16 bits the low ones stay, with their sign where there is one. */
static const char *narrowed(struct tr *t, const char *value, uint8_t type)
{
    unsigned bits = 8u * type_table[type].bytes;

    if (type_table[type].bytes >= 4 || type == DT_F16)
        return value;
    if (type_table[type].is_signed)
        return tr_text(t, "(%s << %u >> %u)", value, 32 - bits, 32 - bits);
    return tr_text(t, "(%s & 0x%xu)", value, bits == 8 ? 0xffu : 0xffffu);
}

static const char *one(struct tr *t, uint8_t c, enum tr_type *type)
{
    const struct insn *insn = t->insn;
    uint8_t to = insn->type & DT_MASK, from = insn->type2 & DT_MASK;
    enum tr_type source = tr_operand_type(insn, 0);
    const char *value = narrowed(t, tr_operand(t, 0, source, &c, 1), from);
    bool from_float = type_table[from].is_float, to_float = type_table[to].is_float;

    if (from == DT_F16)
        value = tr_text(t, "unpackHalf2x16(%s).x", value);
    if (from_float)
        value = rounded(t, value, !to_float);
    *type = to == DT_F16 ? T_UINT : tr_type_of(to);
    if (to == DT_F16) {
        value = tr_text(t, "float(%s)", value);
        if (insn->flags & INSN_SAT)
            value = tr_text(t, "clamp(%s, 0.0, 1.0)", value);
        return tr_text(t, "packHalf2x16(vec2(%s, 0.0))", value);
    }
    return narrowed(t, tr_text(t, "%s(%s)", tr_type_name(*type, 1), value), to);
}

const char *tr_convert(struct tr *t, const uint8_t *components, unsigned n, enum tr_type *type)
{
    const char *parts[4];

    if (!tr_has(t, HAS_GPU5))
        tr_refuse(t, t->where, "CVT, which %s has not", t->target->name);
    for (unsigned i = 0; i < n; i++)
        parts[i] = one(t, components[i], type);
    return tr_join(t, *type, parts, n);
}
