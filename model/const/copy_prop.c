/* What has the same number is a copy of the same, as far as the driver's compiler follows that (struct known_value). */
#include "model/tables.h"
#include "model/const/lattice.h"

/* copy_prop.c: whether operand k is 0 in the program's text. */
static bool is_zero(const struct gp5_program *p, const struct insn *insn, unsigned k)
{
    const struct operand *o = program_operand(p, insn->src + k);
    struct known none = {.p = p};
    uint64_t word;

    for (unsigned c = 0; c < 4; c++)
        if (insn->dst.mask >> c & 1 &&
            (o->kind != OPND_CONSTANT || !model_known_operand(&none, o, c, insn->type, &word) || word))
            return false;
    return true;
}

/* The operand whose words component c of a result copies, or -1: what it is of a value is a copy. Of SHORT variables
 * floats are copied. */
static int copied_from(const struct known *k, const struct insn *insn, unsigned c)
{
    bool narrows = insn->op == OP_CVT && insn->type == DT_F16 && insn->type2 == DT_F32 &&
                   (!insn->rounding || insn->rounding == MOD_ROUND);
    bool single = insn->type == DT_F32 || insn->type == DT_F16;
    uint64_t word;

    if (insn->flags & (INSN_SAT | INSN_SSAT | INSN_PREC) &&
        !(insn->op == OP_MOV && !(insn->flags & (INSN_SAT | INSN_SSAT))))
        return -1;
    switch (insn->op) {
    case OP_MOV: return 0;
    case OP_OR:     /* of doubles, as MIN and MAX see them */
        for (unsigned n = 0; type_table[insn->type].bytes == 8 && n < 2; n++)
            if (is_zero(k->p, insn, n))
                return 1 - (int)n;
        return -1;
    case OP_DST:
        if (c != 1)
            return single && c ? (int)c - 2 : -1;
        break;
    case OP_CVT: return narrows && model_known_is_short(k, insn->dst.kind, insn->dst.ref) ? 0 : -1;
    case OP_MUL: break;
    default: return -1;
    }
    for (unsigned n = 0; single && n < 2; n++)
        if (model_known_operand(k, program_operand(k->p, insn->src + n), c, DT_F32, &word) && word == 0x3f800000)
            return 1 - (int)n;
    return -1;
}

/* The absolute value of an unsigned number is the number. */
static bool turns_nothing(const struct insn *insn, const struct operand *o)
{
    return !operand_has_sign(o) || (insn->op == OP_MOV && (insn->type == DT_U32 || insn->type == DT_U64) &&
                                    (o->flags & OPND_SIGNS) == OPND_ABSOLUTE);
}

static int copies(const struct known *k, const struct insn *insn, unsigned c)
{
    const struct result *r = &insn->dst;
    bool plain =
        r->kind == OPND_SYMBOL && !r->nindices && !condition_restricts(&r->condition) && k->first[r->ref] != NO_INDEX;
    int n = plain && insn->nsrc ? copied_from(k, insn, c) : -1;
    const struct operand *o = n < 0 ? NULL : program_operand(k->p, insn->src + (unsigned)n);
    bool wide = type_table[insn->type].bytes == 8, to_long, of_long;

    if (!o || !turns_nothing(insn, o) || (!model_known_held(k, o, c) && !model_known_copied(k, o, c)) ||
        type_table[insn->type].bytes < 2)
        return -1;
    to_long = program_is_long(k->p, r->kind, r->ref);
    of_long = program_is_long(k->p, o->kind, o->ref);
    if (to_long != wide || of_long != wide)
        return -1;
    if (model_known_is_short(k, r->kind, r->ref) || model_known_is_short(k, o->kind, o->ref))
        return type_table[insn->type].is_float && !wide ? n : -1;
    return type_table[insn->type].bytes >= 4 || insn->type == DT_F16 ? n : -1;
}

/* That of a component which an operand holds; one is given where there is none. */
static uint32_t number_of(struct known *k, const struct operand *o, unsigned c)
{
    if (!model_known_held(k, o, c))
        return model_known_copied(k, o, c);
    struct known_value from = *model_known_held(k, o, c);
    if (!from.copy) {
        from.copy = ++k->copies;
        model_known_put(k, k->first[o->ref] + (o->swizzle >> 2 * c & 3), from);
    }
    return from.copy;
}

void model_known_copies(struct known *k, const struct insn *insn, uint32_t copy[4])
{
    for (unsigned c = 0; c < 4; c++) {
        int n = insn->dst.mask >> c & 1 ? copies(k, insn, c) : -1;
        const struct operand *o = n < 0 ? NULL : program_operand(k->p, insn->src + (unsigned)n);
        if (o)
            copy[c] = number_of(k, o, c);
    }
}
