/* What an instruction does with a truth, and what comes out: docs/numbers.md, "Comparisons in subroutines". */
#include "tests/slow/leaving.h"

static bool is_single(unsigned type)
{
    return type == DT_F32 || slow_is_word_type(type);
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

static bool is_wide(unsigned type)
{
    return type != DT_NONE && slow_bytes(type) == 8;
}

static bool is_long(const struct slow_program *p, const struct operand *o)
{
    return (o->kind == OPND_SYMBOL || o->kind == OPND_HANDLE) && program_is_long(p->text, o->kind, o->ref);
}

static bool goes_long(const struct slow_program *p, const struct insn *insn)
{
    return program_is_long(p->text, insn->dst.kind, insn->dst.ref);
}

bool slow_reads_number(const struct slow_program *p, const struct insn *insn, unsigned k, uint64_t number)
{
    const struct operand *o = program_operand(p->text, insn->src + k);
    struct slow_knowledge nothing = {.p = p, .at = NO_INDEX};
    for (unsigned c = 0; c < 4; c++) {
        struct slow_known v;
        if (insn->dst.mask >> c & 1 && (o->kind != OPND_CONSTANT || !slow_known_operand(&nothing, o, c, insn->type, &v) || v.bits != number))
            return false;
    }
    return true;
}

bool slow_reads_zero(const struct slow_program *p, const struct insn *insn, unsigned k)
{
    return slow_reads_number(p, insn, k, 0);
}

/* The operand that a truth may be. */
unsigned slow_truth_operand(const struct slow_program *p, const struct insn *insn)
{
    if (insn->op == OP_CMP)     /* of twice the same */
        return 1;
    bool logic = op_joins_bits(insn->op);
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

/* CVT that leaves the word as it is. */
static bool copies_word(const struct slow_program *p, const struct insn *insn)
{
    bool same_sign = type_table[insn->type].is_signed == type_table[insn->type2].is_signed;
    if (insn->op != OP_CVT || slow_is_float(insn->type) || slow_is_float(insn->type2) || goes_long(p, insn) || is_long(p, program_operand(p->text, insn->src)))
        return false;
    return same_sign && type_table[insn->type].bytes >= 4 && type_table[insn->type2].bytes >= 4 && (slow_is_word_type(insn->type) || slow_is_word_type(insn->type2));
}

uint64_t slow_of_truth(const struct slow_program *p, const struct insn *insn, bool truth, bool below)
{
    unsigned k = slow_truth_operand(p, insn), from = slow_operand_type(insn, k);
    const struct operand *o = program_operand(p->text, insn->src + k);
    bool negative = o->flags & OPND_ABSOLUTE ? operand_negates(o) : below != operand_negates(o);
    bool same_word = copies_word(p, insn);
    uint32_t one = below ? 0xbf800000u : 0x3f800000u, word = from == DT_F32 ? (uint32_t)as_number(DT_F32, negative) : operand_negates(o) ? 0u - one : one;
    bool is_long = insn->dst.kind == OPND_SYMBOL && program_symbol(p->text, insn->dst.ref)->size == SIZE_LONG;
    word = truth ? word : 0;
    if (op_compares(insn->op))
        return !holds_against_zero(insn, k, word) ? 0 : insn->type == DT_F32 ? 0x3f800000u : UINT32_MAX;
    if (!truth)
        return insn->op == OP_NOT ? UINT32_MAX : 0;
    if (takes_whole(insn->op)) {
        unsigned to = slow_result_type(insn);
        bool flat = from == DT_U32;
        return negative && flat ? 0 : negative && !slow_is_float(to) && !type_table[to].is_signed ? UINT32_MAX : as_number(to, negative);
    }
    if (insn->op == OP_CVT && !same_word)
        return negative && !slow_is_float(insn->type2) && !type_table[insn->type2].is_signed ? 0 :
               as_number(insn->type == DT_F16 && goes_long(p, insn) ? DT_F32 : insn->type, negative);
    if (insn->op == OP_NOT)
        return 0;
    if (insn->op == OP_ABS)
        return 0x3f800000u;
    if (insn->op == OP_SUB)
        return k ? 0u - word : word;
    if (insn->op == OP_MUL && slow_is_word_type(insn->type))
        return is_literal(p, insn, 1 - k, UINT32_MAX) ? 0u - word : word;
    if (insn->op == OP_MUL && is_literal(p, insn, 1 - k, 0xbf800000u))
        return word ^ 0x80000000u;
    if (insn->op == OP_MOV && is_wide(insn->type))
        return slow_is_float(insn->type) ? as_number(insn->type, negative) : negative ? UINT64_MAX : 1;
    if (op_joins_bits(insn->op) && is_long)
        return 1;
    return insn->op == OP_MOV && is_long && slow_is_word_type(insn->type) && !(o->flags & OPND_SIGNS) ? 1 : word;
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
    bool equal = insn->op == OP_SEQ || insn->op == OP_SNE;
    uint32_t word = slow_operand_type(insn, k) == DT_F32 ? (operand_negates(o) ? 0xbf800000u : 0x3f800000u) : operand_negates(o) ? 0u - 0x3f800000u : 0x3f800000u;
    if (!(insn->type == DT_F32 || slow_is_word_type(insn->type)) || !is_literal(p, insn, 1 - k, 0))
        return false;
    return !(o->flags & OPND_ABSOLUTE) && (equal || !operand_negates(o)) && holds_against_zero(insn, k, word) != holds_against_zero(insn, k, 0);
}

static enum slow_truth_use use_of_move(const struct slow_program *p, const struct insn *insn, enum slow_truth_use copy)
{
    const struct symbol *to = insn->dst.kind == OPND_SYMBOL ? program_symbol(p->text, insn->dst.ref) : NULL;
    bool resized = to && to->size != SIZE_DEFAULT;
    if (insn->flags & INSN_HALF || insn->type == DT_F16)
        return when(!resized && copy == USE_COPY, USE_COPY);
    return when(is_single(insn->type), resized ? USE_MAKES : copy);
}

/* Sums, products and quotients that are copies or negatives. */
static enum slow_truth_use use_of_copies(const struct slow_program *p, const struct insn *insn, unsigned k, enum slow_truth_use copy)
{
    bool whole = slow_is_word_type(insn->type), single = insn->type == DT_F32 && !(insn->flags & INSN_HALF);
    switch (insn->op) {
    case OP_ADD: return when(whole && is_literal(p, insn, 1 - k, 0), USE_COPY);
    case OP_SUB: return when(whole && is_literal(p, insn, 1 - k, 0), k ? USE_SIGN : copy);
    case OP_MUL:
        if (!whole && !single)
            return USE_WORD;
        return is_literal(p, insn, 1 - k, whole ? 1 : 0x3f800000u) ? copy : when(is_literal(p, insn, 1 - k, whole ? UINT32_MAX : 0xbf800000u), USE_SIGN);
    case OP_DIV: return when(!k && ((single && is_literal(p, insn, 1, 0x3f800000u)) || (insn->type == DT_U32 && is_literal(p, insn, 1, 1))), copy);
    default: return when(whole, is_literal(p, insn, 1 - k, insn->op == OP_AND ? UINT32_MAX : 0) ? copy : USE_MAKES);
    }
}

/* Of an operand that is a variable of 32 bits, or that is read as if it were. */
static enum slow_truth_use plain_use(const struct slow_program *p, const struct insn *insn, unsigned k)
{
    const struct operand *o = program_operand(p->text, insn->src + k);
    const struct symbol *to = insn->dst.kind == OPND_SYMBOL ? program_symbol(p->text, insn->dst.ref) : NULL;
    bool half = insn->flags & INSN_HALF, has_sign = o->flags & OPND_SIGNS;
    enum slow_truth_use copy = has_sign ? USE_SIGN : USE_COPY;
    if (condition_restricts(&insn->dst.condition) || (to && to->size == SIZE_SHORT))
        return USE_WORD;
    if (insn->op == OP_CMP && !k)       /* whatever is done with what it chooses */
        return when(is_single(insn->type) && !half, USE_ASKS);
    if (insn->flags & (INSN_SAT | INSN_SSAT) || (insn->flags & INSN_PREC && insn->op != OP_MOV))
        return USE_WORD;
    if (op_votes(insn->op))
        return when(!(o->flags & OPND_ABSOLUTE), USE_ASKS);
    if (op_compares(insn->op))
        return when(tells(p, insn, k), USE_MAKES);
    switch (insn->op) {
    case OP_MOV: return use_of_move(p, insn, copy);
    case OP_NOT: return when(slow_is_word_type(insn->type) && operand_negates(o), USE_MAKES);
    case OP_ABS: return when(is_single(slow_operand_type(insn, k)) && !half, USE_SIGN);
    case OP_I2F: return when(is_single(slow_operand_type(insn, k)) && !half && !operand_negates(o), USE_MAKES);
    case OP_FLR: case OP_CEIL: case OP_TRUNC: case OP_ROUND:
        return when(is_single(slow_operand_type(insn, k)) && !half && !(has_sign && slow_is_float(insn->type)), USE_MAKES);
    case OP_CVT: return when(insn->type2 != DT_F64, insn->type == DT_F32 && insn->type2 == DT_F32 ? USE_COPY : USE_MAKES);
    case OP_SHL: case OP_SHR: return when(!k && is_literal(p, insn, 1, 0), USE_COPY);
    case OP_ADD: case OP_SUB: case OP_MUL: case OP_DIV: case OP_AND: case OP_OR: case OP_XOR: return use_of_copies(p, insn, k, copy);
    case OP_MIN: case OP_MAX: return when(is_single(insn->type) && twice_the_same(program_operand(p->text, insn->src), program_operand(p->text, insn->src + 1)), copy);
    case OP_CMP:
        if (!is_single(insn->type) || half)
            return USE_WORD;
        return when(twice_the_same(program_operand(p->text, insn->src + 1), program_operand(p->text, insn->src + 2)), copy);
    default: return USE_WORD;
    }
}

/* All 64 bits of a LONG variable. */
static enum slow_truth_use use_of_whole(const struct slow_program *p, const struct insn *insn, unsigned k)
{
    const struct operand *o = program_operand(p->text, insn->src + k);
    if (condition_restricts(&insn->dst.condition) || insn->flags & (INSN_SAT | INSN_SSAT))
        return USE_WORD;
    if (insn->op == OP_MOV)
        return o->flags & OPND_SIGNS ? USE_SIGN : USE_COPY;
    if (insn->op == OP_CVT)
        return USE_MAKES;
    return when((insn->op == OP_SEQ || insn->op == OP_SNE) && slow_reads_zero(p, insn, 1 - k) && !(o->flags & OPND_SIGNS), USE_MAKES);
}

/* Whether an instruction of 64 bits sees a variable of 32 as the number. */
static bool sees_number(const struct slow_program *p, const struct insn *insn, unsigned k)
{
    switch (insn->op) {
    case OP_MOV: case OP_ADD: case OP_SUB: case OP_MUL: case OP_MAD: case OP_MIN: case OP_MAX: case OP_AND: case OP_OR: case OP_XOR: case OP_CMP: return true;
    case OP_SHL: case OP_SHR: return program_operand(p->text, insn->src + 1)->kind != OPND_CONSTANT;
    case OP_DIV: case OP_MOD: return !slow_is_float(insn->type);
    default: return op_compares(insn->op) && k < 2;
    }
}

/* The low word of a LONG variable, as an integer. */
static bool is_low_word(const struct slow_program *p, const struct insn *insn, unsigned k)
{
    return is_long(p, program_operand(p->text, insn->src + k)) && slow_is_word_type(slow_operand_type(insn, k)) && insn->op != OP_CVT && !op_votes(insn->op);
}

bool slow_reads_low_word(const struct slow_program *p, const struct insn *insn, unsigned k)
{
    static const uint16_t ops[] = {OP_ADD, OP_SUB, OP_MUL, OP_MAD, OP_SAD, OP_DIV, OP_MOD, OP_MIN, OP_MAX, OP_ABS, OP_I2F, OP_AND, OP_OR, OP_XOR, OP_NOT, OP_SHL,
                                   OP_SHR, OP_BTC, OP_BTFL, OP_BTFM, OP_BFE};
    bool any = op_compares(insn->op) || (insn->op == OP_CMP && insn->type == DT_S32);
    for (unsigned i = 0; i < sizeof ops / sizeof *ops; i++)
        any |= insn->op == ops[i];
    return any && is_low_word(p, insn, k);
}

enum slow_truth_use slow_truth_use(const struct slow_program *p, const struct insn *insn, unsigned k)
{
    const struct operand *o = insn->nsrc ? program_operand(p->text, insn->src + k) : NULL;
    unsigned type = insn->nsrc ? slow_operand_type(insn, k) : DT_NONE;
    enum slow_truth_use use;
    if (!o)
        return USE_WORD;
    if (is_wide(type) && !is_long(p, o) && sees_number(p, insn, k))
        return USE_NUMBER;
    if (!is_long(p, o))
        return plain_use(p, insn, k);
    if (is_wide(type))
        return use_of_whole(p, insn, k);
    if (is_low_word(p, insn, k))
        return insn->op != OP_MOV ? USE_ASKS : goes_long(p, insn) ? USE_MAKES : o->flags & OPND_SIGNS ? USE_SIGN : USE_COPY;
    use = plain_use(p, insn, k);
    return use == USE_WORD ? USE_NUMBER : use == USE_COPY ? USE_MAKES : use;
}

bool slow_asks_truth(const struct slow_program *p, const struct insn *insn, unsigned k)
{
    if (op_compares(insn->op))
        return !is_wide(slow_operand_type(insn, k)) || slow_reads_zero(p, insn, 1 - k);
    return op_votes(insn->op) || (insn->op == OP_CMP && !k);
}

bool slow_takes_floats(const struct slow_program *p, const struct insn *insn, unsigned k)
{
    bool copies = insn->op == OP_MOV && insn->dst.kind != OPND_CC && !insn->cc_update && !(program_operand(p->text, insn->src)->flags & OPND_SIGNS);
    return slow_operand_type(insn, k) == DT_F32 && insn->dst.kind != OPND_NONE && !op_votes(insn->op) && !copies;
}

/* More than one step of the machine. */
static bool has_steps(unsigned to, unsigned from, bool to_long, bool of_long)
{
    unsigned bytes = type_table[to].bytes;
    bool wide = type_table[from].bytes == 8, same_sign = type_table[to].is_signed == type_table[from].is_signed;
    if (slow_is_float(from))
        return from == DT_F16 ? (to_long ? to == DT_F16 || to == DT_F32 : to == DT_F64) : to_long && to == DT_F16;
    if (to_long && of_long && wide)
        return bytes < 8;
    if (to_long && bytes == 8)
        return wide;
    if (to_long)
        return bytes < 4 || to == DT_F32 || (to != from && !(wide && same_sign));
    if (to == DT_F64)
        return true;
    if (bytes == 8)
        return wide || !same_sign;
    if (to == DT_S8 || to == DT_S16)
        return from != DT_S8 && from != to;
    return wide && bytes < 4 && (to == DT_F16 || !of_long);
}

bool slow_says_truth(const struct slow_program *p, const struct insn *insn, bool doubles, bool predicates)
{
    const struct symbol *to = insn->dst.kind == OPND_SYMBOL ? program_symbol(p->text, insn->dst.ref) : NULL;
    if (insn->op != OP_CVT || insn->flags & (INSN_SAT | INSN_SSAT | INSN_PREC))
        return false;
    if (insn->type2 == DT_F16 && !slow_is_float(insn->type))
        return !doubles;
    return predicates && to && to->kind == SYM_TEMP && to->size != SIZE_SHORT && has_steps(insn->type, insn->type2, to->size == SIZE_LONG, is_long(p, program_operand(p->text, insn->src)));
}

/* ---- as it runs ------------------------------------------------------------------------------------------------------------ */

/* The words of operand k as they stand; of LONG variables whether there are any bits. */
static bool said(struct slow_lane *l, const struct insn *insn, unsigned k, struct slow_value word[4])
{
    const struct slow_program *p = l->group->program;
    struct operand o = *program_operand(p->text, insn->src + k);
    bool wide = is_long(p, &o);
    o.flags = 0;
    if (!slow_fetch(l, &o, wide ? DT_U64 : DT_U32, word))
        return false;
    for (unsigned c = 0; wide && c < 4; c++)
        word[c].bits = word[c].bits != 0;
    return true;
}

bool slow_view_truths(struct slow_lane *l, const struct insn *insn, unsigned k, struct slow_value operand[4])
{
    const struct slow_program *p = l->group->program;
    const struct operand *o = program_operand(p->text, insn->src + k);
    unsigned type = slow_operand_type(insn, k);
    struct slow_value word[4];
    bool negative;
    if (!l->here->views[k])
        return true;
    if (!said(l, insn, k, word))
        return false;
    negative = o->flags & OPND_ABSOLUTE ? operand_negates(o) : (l->here->lower[k] != 0) != operand_negates(o);
    for (unsigned c = 0; c < 4; c++) {
        uint64_t yes = slow_is_float(type) ? as_number(type, negative) : negative ? UINT64_MAX : 1;
        uint64_t no = slow_is_float(type) && (operand_negates(o)) ? as_number(type, true) & ~as_number(type, false) & (type == DT_F64 ? 1ull << 63 : 0x80000000u) : 0;
        if (slow_bytes(type) < 8)
            yes = (uint32_t)yes;
        if (l->here->views[k] >> c & 1)
            operand[c] = (struct slow_value){.bits = word[c].bits ? yes : no, .open = word[c].open};
    }
    return true;
}

/* What S32 turned, where nobody takes it for an integer. */
static uint64_t as_float(const struct slow_place *s, uint32_t truth, uint64_t bits)
{
    return truth && s->flipped == s->of_truth ? (bits & 0x80000000u) | 0x3f800000u : bits;
}

bool slow_make_of_truths(struct slow_lane *l, const struct insn *insn, struct slow_value r[4])
{
    const struct slow_program *p = l->group->program;
    const struct slow_place *s = l->here;
    struct slow_value word[2][4];
    bool logic = op_joins_bits(insn->op);
    unsigned k;
    if (s->whole && op_compares(insn->op)) {
        if (!said(l, insn, insn->op == OP_SGT, word[0]))
            return false;
        for (unsigned c = 0; c < 4; c++)
            if (s->whole >> c & 1)      /* below zero */
                r[c] = (struct slow_value){.bits = word[0][c].bits ? 0x3f800000u : 0, .open = word[0][c].open};
    } else if (s->whole && (insn->op == OP_CMP || insn->op == OP_XOR)) {
        if (!slow_compute_whole(l, insn, r))
            return false;
    } else if (s->whole) {
        for (unsigned c = 0; c < 4; c++)
            if (s->whole & ~s->of_truth & ~s->undone & 1u << c) {        /* the words that are copied stay */
                if (!said(l, insn, (unsigned)slow_signed_truth(p, insn, c), word[0]))
                    return false;
                r[c].bits = word[0][c].bits ? slow_of_whole(p, insn, c) : 0;
                r[c].open = word[0][c].open;
            }
    }
    k = slow_truth_operand(p, insn);
    if (!s->of_truth)
        return true;
    for (unsigned i = 0; i < 1u + logic; i++) {
        if (!said(l, insn, logic ? i : k, word[i]))
            return false;
    }
    for (unsigned c = 0; c < 4; c++) {
        uint32_t a = (uint32_t)word[0][c].bits, b = logic ? (uint32_t)word[1][c].bits : 0;
        a = insn->op == OP_AND ? a & b : insn->op == OP_OR ? a | b : insn->op == OP_XOR ? a ^ b : a;
        if (s->of_truth >> c & 1)
            r[c] = (struct slow_value){.bits = as_float(s, a, slow_of_truth(p, insn, a != 0, s->below)), .open = word[0][c].open || (logic && word[1][c].open)};
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
