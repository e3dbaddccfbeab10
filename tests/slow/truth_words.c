/* What an instruction does with a truth, and what comes out: docs/numbers.md, "Comparisons in subroutines". */
#include "tests/slow/leaving.h"

static bool is_word(unsigned type)
{
    return type == DT_S32 || type == DT_U32;
}

static bool is_single(unsigned type)
{
    return type == DT_F32 || is_word(type);
}

static bool negates(const struct operand *o)
{
    return operand_negates(o);
}

/* Operand k is this number in all components that are written. */
static bool is_literal(const struct slow_program *p, const struct insn *insn, unsigned k, uint32_t word)
{
    const struct operand *o = program_operand(p->text, insn->src + k);
    struct slow_knowledge nothing = {.p = p, .at = NO_INDEX};
    for (unsigned c = 0; c < 4; c++) {
        struct slow_known v;
        if (insn->dst.mask >> c & 1 && (o->kind != OPND_CONSTANT || !slow_known_operand(&nothing, o, c, insn->type, &v) || (uint32_t)v.bits != word))
            return false;
    }
    return true;
}

/* The operand that a truth may be. */
static unsigned truth_operand(const struct slow_program *p, const struct insn *insn)
{
    bool logic = insn->op == OP_AND || insn->op == OP_OR || insn->op == OP_XOR;
    return insn->nsrc > 1 && !logic && slow_truth_use(p, insn, 0) == USE_WORD;
}

static bool takes_whole(unsigned op)
{
    return op == OP_I2F || op == OP_FLR || op == OP_CEIL || op == OP_TRUNC || op == OP_ROUND;
}

static uint64_t as_number(unsigned type, bool negative)
{
    switch (type) {
    case DT_F16: return negative ? 0xbc00 : 0x3c00;
    case DT_F32: return negative ? 0xbf800000 : 0x3f800000;
    case DT_F64: return (uint64_t)(negative ? 0xbff : 0x3ff) << 52;
    default: break;
    }
    if (!negative)
        return 1;
    return !type_table[type].is_signed ? 0 : slow_bytes(type) == 8 ? UINT64_MAX : UINT32_MAX;
}

static bool holds_against_zero(const struct insn *insn, unsigned k, uint32_t word)
{
    int64_t v = insn->type == DT_U32 ? (int64_t)word : (int32_t)word;      /* numbers of a float that is 0, 1 or -1 have the order of its bits */
    v = k ? -v : v;
    switch (insn->op) {
    case OP_SEQ: return v == 0;
    case OP_SNE: return v != 0;
    case OP_SLT: return v < 0;
    case OP_SLE: return v <= 0;
    case OP_SGT: return v > 0;
    default: return insn->op == OP_SGE && v >= 0;
    }
}

uint64_t slow_of_truth(const struct slow_program *p, const struct insn *insn, bool truth, bool below)
{
    unsigned k = truth_operand(p, insn), from = slow_operand_type(insn, k);
    const struct operand *o = program_operand(p->text, insn->src + k);
    bool negative = o->flags & OPND_ABSOLUTE ? negates(o) : below != negates(o);
    bool same_word = insn->op == OP_CVT && ((insn->type == insn->type2 && is_word(insn->type)) || (insn->type == DT_U32 && insn->type2 == DT_U64));
    uint32_t one = below ? 0xbf800000u : 0x3f800000u, word = from == DT_F32 ? (uint32_t)as_number(DT_F32, negative) : negates(o) ? 0u - one : one;
    bool is_long = insn->dst.kind == OPND_SYMBOL && program_symbol(p->text, insn->dst.ref)->size == SIZE_LONG;
    word = truth ? word : 0;
    if (op_compares(insn->op))
        return !holds_against_zero(insn, k, word) ? 0 : insn->type == DT_F32 ? 0x3f800000u : UINT32_MAX;
    if (!truth)
        return 0;
    if (takes_whole(insn->op)) {
        unsigned to = slow_result_type(insn);
        bool flat = from == DT_U32;
        return negative && flat ? 0 : negative && !slow_is_float(to) && !type_table[to].is_signed ? UINT32_MAX : as_number(to, negative);
    }
    if (insn->op == OP_CVT && !same_word)
        return negative && !slow_is_float(insn->type2) && !type_table[insn->type2].is_signed ? 0 : as_number(insn->type, negative);
    if (insn->op == OP_ABS)
        return 0x3f800000u;
    if (insn->op == OP_MUL && is_literal(p, insn, 1 - k, 0xbf800000u))
        return word ^ 0x80000000u;
    return insn->op == OP_MOV && is_long && is_word(insn->type) && !(o->flags & OPND_SIGNS) ? 1 : word;
}

static enum slow_truth_use when(bool yes, enum slow_truth_use use)
{
    return yes ? use : USE_WORD;
}

static bool twice_the_same(const struct operand *a, const struct operand *b)
{
    return a->kind == b->kind && a->ref == b->ref && a->swizzle == b->swizzle && a->flags == b->flags && !a->nindices && !b->nindices;
}

/* Zero on the other side; and the answer is not the same for both. */
static bool tells(const struct slow_program *p, const struct insn *insn, unsigned k)
{
    const struct operand *o = program_operand(p->text, insn->src + k);
    bool half = insn->flags & INSN_HALF, equal = insn->op == OP_SEQ || insn->op == OP_SNE;
    uint32_t word = slow_operand_type(insn, k) == DT_F32 ? (negates(o) ? 0xbf800000u : 0x3f800000u) : negates(o) ? 0u - 0x3f800000u : 0x3f800000u;
    if (!((insn->type == DT_F32 && !half) || is_word(insn->type)) || !is_literal(p, insn, 1 - k, 0))
        return false;
    return !(o->flags & OPND_ABSOLUTE) && (equal || !negates(o)) && holds_against_zero(insn, k, word) != holds_against_zero(insn, k, 0);
}

enum slow_truth_use slow_truth_use(const struct slow_program *p, const struct insn *insn, unsigned k)
{
    const struct operand *o = insn->nsrc ? program_operand(p->text, insn->src + k) : NULL;
    const struct symbol *to = insn->dst.kind == OPND_SYMBOL ? program_symbol(p->text, insn->dst.ref) : NULL;
    bool half = insn->flags & INSN_HALF, has_sign = o && o->flags & OPND_SIGNS;
    enum slow_truth_use copy = has_sign ? USE_SIGN : USE_COPY;
    if (!o || condition_restricts(&insn->dst.condition) || insn->flags & (INSN_SAT | INSN_SSAT | INSN_PREC) || (to && to->size == SIZE_SHORT))
        return USE_WORD;
    if (op_votes(insn->op))
        return when(!(o->flags & OPND_ABSOLUTE), USE_ASKS);
    if (op_compares(insn->op))
        return when(tells(p, insn, k), USE_MAKES);
    switch (insn->op) {
    case OP_MOV: return when(is_single(insn->type) && !half, to && to->size != SIZE_DEFAULT ? USE_MAKES : copy);
    case OP_ABS: return when(is_single(slow_operand_type(insn, k)) && !half, USE_SIGN);
    case OP_I2F: return when(is_single(slow_operand_type(insn, k)) && !half && !has_sign, USE_MAKES);
    case OP_FLR: case OP_CEIL: case OP_TRUNC: case OP_ROUND:
        return when(is_single(slow_operand_type(insn, k)) && !half && !(has_sign && slow_is_float(insn->type)), USE_MAKES);
    case OP_CVT: return when(insn->type2 != DT_F64, insn->type == DT_F32 && insn->type2 == DT_F32 ? USE_COPY : USE_MAKES);
    case OP_ADD: return when(is_word(insn->type) && is_literal(p, insn, 1 - k, 0), USE_COPY);
    case OP_SHL: case OP_SHR: return when(!k && is_literal(p, insn, 1, 0), USE_COPY);
    case OP_MUL:
        if (insn->type != DT_F32 || half)
            return USE_WORD;
        return is_literal(p, insn, 1 - k, 0x3f800000u) ? copy : when(is_literal(p, insn, 1 - k, 0xbf800000u), USE_SIGN);
    case OP_MIN: case OP_MAX: return when(is_single(insn->type) && twice_the_same(program_operand(p->text, insn->src), program_operand(p->text, insn->src + 1)), copy);
    case OP_AND: case OP_OR: case OP_XOR: return when(is_word(insn->type), USE_MAKES);
    case OP_CMP: return when(!k && is_single(insn->type) && !half, USE_ASKS);
    default: return USE_WORD;
    }
}

bool slow_takes_floats(const struct slow_program *p, const struct insn *insn, unsigned k)
{
    bool copies = insn->op == OP_MOV && insn->dst.kind != OPND_CC && !insn->cc_update && !(program_operand(p->text, insn->src)->flags & OPND_SIGNS);
    return slow_operand_type(insn, k) == DT_F32 && insn->dst.kind != OPND_NONE && !op_votes(insn->op) && !copies;
}

bool slow_says_truth(const struct insn *insn, bool doubles, bool predicates)
{
    if (insn->op != OP_CVT || type_table[insn->type].is_float || insn->flags & (INSN_SAT | INSN_SSAT | INSN_PREC))
        return false;
    if (insn->type2 == DT_F16)
        return !doubles;
    return predicates && insn->type == DT_S16 && (insn->type2 == DT_U8 || insn->type2 == DT_U16 || is_word(insn->type2));
}

/* ---- as it runs ------------------------------------------------------------------------------------------------------------ */

bool slow_make_of_truths(struct slow_lane *l, const struct insn *insn, struct slow_value r[4])
{
    const struct slow_program *p = l->group->program;
    const struct slow_place *s = l->here;
    struct slow_value word[2][4];
    bool logic = insn->op == OP_AND || insn->op == OP_OR || insn->op == OP_XOR;
    unsigned k = truth_operand(p, insn);
    if (!s->of_truth)
        return true;
    for (unsigned i = 0; i < 1u + logic; i++) {
        struct operand o = *program_operand(p->text, insn->src + (logic ? i : k));
        o.flags = 0;
        if (!slow_fetch(l, &o, DT_U32, word[i]))
            return false;
    }
    for (unsigned c = 0; c < 4; c++) {
        uint32_t a = (uint32_t)word[0][c].bits, b = logic ? (uint32_t)word[1][c].bits : 0;
        a = insn->op == OP_AND ? a & b : insn->op == OP_OR ? a | b : insn->op == OP_XOR ? a ^ b : a;
        if (s->of_truth >> c & 1)
            r[c] = (struct slow_value){.bits = slow_of_truth(p, insn, a != 0, s->below), .open = word[0][c].open || (logic && word[1][c].open)};
    }
    return true;
}

bool slow_ask_truths(struct slow_lane *l, const struct insn *insn, struct slow_value first[4])
{
    const struct operand *o = program_operand(l->group->program->text, insn->src);
    struct operand plain = *o;
    struct slow_value word[4];
    plain.flags = 0;
    if (!l->here->counts)
        return true;
    if (!slow_fetch(l, &plain, DT_U32, word))
        return false;
    for (unsigned c = 0; c < 4; c++) {
        uint32_t w = (uint32_t)word[c].bits, number = !w ? 0 : (uint32_t)as_number(DT_F32, w >> 31);
        if (l->here->counts >> c & 1)
            first[c].bits = slow_sign(l->group->program, insn->type, o->flags & OPND_SIGNS, number);
    }
    return true;
}
